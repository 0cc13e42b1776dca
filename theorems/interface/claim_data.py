"""Claims with their verdicts as plain data, for ``--json``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from theorems.engine.claims.record import ClaimRecord
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.standing import Standing

__all__ = ["claim_data", "line_data"]


def line_data(one: ClaimRecord, standing: Standing | None) -> dict[str, Any]:
    """What a list says of a claim; the verdict is None if it was not checked with this code.

    The label is what a list shows: ``cited`` for what holds by its source only, and a finding with
    its severity.
    """
    return {
        "id": one.id,
        "paper": one.paper,
        "at": one.at,
        "title": one.title,
        "provenance": one.provenance.value,
        "severity": None if one.severity is None else one.severity.value,
        "verdict": None if standing is None else standing.verdict.value,
        "label": None if standing is None else standing.label,
        "grade": None if standing is None or standing.grade is None else str(standing.grade),
        "tightness": None if standing is None else standing.tightness,
    }


def claim_data(
    one: ClaimRecord, standing: Standing | None, results: Iterable[EvidenceResult]
) -> dict[str, Any]:
    """Everything about a claim: its record, its verdict, and what its evidence answered."""
    return {
        **line_data(one, standing),
        "statement": dict(one.statement),
        "letters": [vars(letter) for letter in one.given],
        "functions": [vars(function) for function in one.functions],
        "hypotheses": [vars(assumed) for assumed in one.assumed],
        "rests_on": list(one.rests_on),
        "of": one.of,
        "note": one.note,
        "remarks": list(one.remarks),
        "source": one.source,
        "complete": None if standing is None else standing.complete,
        "reasons": [] if standing is None else list(standing.reasons),
        "problems": [] if standing is None else list(standing.problems),
        "evidence": [
            {
                "name": item.name,
                "grade": str(item.grade),
                "part": item.part,
                "role": item.role.value,
                "says": item.says,
                "bridge": item.bridge,
                "source": item.source,
            }
            for item in one.evidence
        ],
        "results": [result.as_json() for result in results],
    }
