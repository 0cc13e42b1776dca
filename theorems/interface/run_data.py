"""A run as plain data, for ``--json``."""

from collections.abc import Mapping
from typing import Any

from theorems.engine.claims.record import ClaimRecord
from theorems.engine.judging.judge import Judgement
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.inferences import with_confirmations
from theorems.interface.tables import counts

__all__ = ["report_json"]


def report_json(
    judgements: Mapping[str, Judgement], *, seed: int, profile: str, versions: Mapping[str, str]
) -> dict[str, Any]:
    """The run as plain data; equal runs give equal data, so times are left out.

    The numbers of evidence say how many of its inferences the second prover confirms, if it has
    any.
    """
    every = with_confirmations(one for judged in judgements.values() for one in judged.results)
    shown = {(one.claim_id, one.name): one for one in every}
    return {
        "claims": [_judgement(judged, shown) for judged in judgements.values()],
        "summary": [
            {"verdict": label, "grade": grade or None, "claims": count}
            for (label, grade), count in counts(judgements).items()
        ],
        "seed": seed,
        "profile": profile,
        "versions": dict(versions),
    }


def _judgement(judged: Judgement, shown: Mapping[tuple[str, str], EvidenceResult]) -> dict[str, Any]:
    severity = judged.claim.severity
    return {
        "id": judged.claim.id,
        "paper": judged.claim.paper,
        "verdict": judged.verdict.value,
        "label": judged.label,
        "severity": None if severity is None else severity.value,
        "grade": None if judged.grade is None else str(judged.grade),
        "reasons": list(judged.reasons),
        "problems": list(judged.problems),
        "complete": judged.complete,
        "evidence": [_evidence(judged.claim, shown[one.claim_id, one.name]) for one in judged.results],
    }


def _evidence(claim: ClaimRecord, result: EvidenceResult) -> dict[str, Any]:
    item = next(one for one in claim.evidence if one.name == result.name)
    return {
        "kind": str(item.grade),
        "name": item.name,
        "part": item.part,
        "role": item.role.value,
        **result.outcome.as_json(),
        "controls": [
            {"name": name, "answer": one.answer.value, "summary": one.summary}
            for name, one in result.controls.items()
        ],
        "bridge": item.bridge,
        "near": {what: one.as_json() for what, one in result.near.items()},
    }
