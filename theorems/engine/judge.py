"""Verdicts, computed from answers and followed along dependencies; nothing here is typed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from theorems.engine.answers import Answer, Grade, Verdict
from theorems.engine.claim import Claim, Evidence, Role
from theorems.engine.registry import Registry

__all__ = ["EvidenceResult", "Judgement", "judge"]


@dataclass(frozen=True)
class EvidenceResult:
    """What one piece of evidence answered, and what its controls answered."""

    claim_id: str
    name: str
    outcome: Mapping[str, Any]
    controls: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def answer(self) -> Answer:
        """The answer of the check itself."""
        return Answer(self.outcome["answer"])

    @property
    def accepted_controls(self) -> list[str]:
        """The false variants that the check failed to reject."""
        return [
            name
            for name, outcome in self.controls.items()
            if Answer(outcome["answer"]) is not Answer.REJECTED
        ]


@dataclass(frozen=True)
class Judgement:
    """A claim's verdict and grade, why it is open if it is, and what went against expectation."""

    claim: Claim
    verdict: Verdict
    grade: Grade | None
    results: tuple[EvidenceResult, ...]
    reasons: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def tightness(self) -> float | None:
        """The largest tightness over the evidence."""
        found = [r.outcome["tightness"] for r in self.results]
        return max((one for one in found if one is not None), default=None)

    def _repr_html_(self) -> str:
        from theorems.interface.show import judgement_html  # noqa: PLC0415 - only notebooks need it

        return judgement_html(self)


def judge(registry: Registry, results: Mapping[tuple[str, str], EvidenceResult]) -> dict[str, Any]:
    """Judgements by id, for every claim all of whose ancestors were examined."""
    examined = {claim_id for claim_id, _ in results}
    examined |= {one.id for one in registry.claims.values() if not one.evidence}
    judgements: dict[str, Judgement] = {}
    for identifier in registry.in_dependency_order():
        claim = registry.claims[identifier]
        known = identifier in examined and all(other in judgements for other in claim.rests_on)
        if known:
            judgements[identifier] = _judge_one(claim, results, judgements)
    return {
        identifier: judgements[identifier]
        for identifier in registry.claims
        if identifier in judgements
    }


def _judge_one(
    claim: Claim,
    results: Mapping[tuple[str, str], EvidenceResult],
    judged: Mapping[str, Judgement],
) -> Judgement:
    seen = [
        (item, results[claim.id, item.name])
        for item in claim.evidence
        if (claim.id, item.name) in results
    ]
    verdict, grade, reasons = _weigh(claim, seen)
    if verdict is Verdict.HOLDS:
        verdict, grade, reasons = _follow(claim, grade, judged)
    return Judgement(
        claim,
        verdict,
        grade,
        tuple(result for _, result in seen),
        tuple(reasons),
        tuple(_problems(claim, verdict, seen)),
    )


def _weigh(
    claim: Claim, seen: list[tuple[Evidence, EvidenceResult]]
) -> tuple[Verdict, Grade | None, list[str]]:
    """Verdict from the claim's own evidence: strongest per part, weakest over the parts."""
    refuting = [e.grade for e, r in seen if _speaks_against(e, r)]
    if refuting:
        return Verdict.FALSE, max(refuting), []
    supporting = [e for e in claim.evidence if e.role is Role.SUPPORTS]
    parts: dict[str, list[Grade]] = {item.part: [] for item in supporting}
    for item, result in seen:
        if item.role is Role.SUPPORTS and result.answer is Answer.ACCEPTED:
            parts[item.part].append(item.grade)
    missing = [f"nothing accepted for: {part}" for part, grades in parts.items() if not grades]
    if missing or not parts:
        return Verdict.OPEN, None, missing or list(claim.remarks)
    return Verdict.HOLDS, min(max(grades) for grades in parts.values()), []


def _speaks_against(item: Evidence, result: EvidenceResult) -> bool:
    confirmed = item.role is Role.REFUTES and result.answer is Answer.ACCEPTED
    violated = item.role is Role.SUPPORTS and result.answer is Answer.REJECTED
    return confirmed or violated


def _follow(
    claim: Claim, grade: Grade | None, judged: Mapping[str, Judgement]
) -> tuple[Verdict, Grade | None, list[str]]:
    """A claim is settled only if what it rests on is, and never stronger than that."""
    unsettled = [o for o in claim.rests_on if judged[o].verdict is not Verdict.HOLDS]
    if unsettled:
        return Verdict.OPEN, None, [f"rests on {o}: {judged[o].verdict.value}" for o in unsettled]
    grades = [judged[other].grade for other in claim.rests_on]
    return Verdict.HOLDS, min(g for g in (grade, *grades) if g is not None), []


def _problems(
    claim: Claim, verdict: Verdict, seen: list[tuple[Evidence, EvidenceResult]]
) -> list[str]:
    """Whatever keeps the run from being what the repository declares."""
    if claim.declared_false:
        declared = Verdict.FALSE
    else:
        declared = Verdict.OPEN if claim.declared_open else Verdict.HOLDS
    found = []
    if verdict is not declared:
        found.append(f"declared {declared.value}, came out {verdict.value}")
    for item, result in seen:
        if result.answer is not Answer.ACCEPTED:
            found.append(f"{item.name} is {result.answer.value}: {result.outcome['summary']}")
        for name in result.accepted_controls:
            answer = result.controls[name]["answer"]
            found.append(f"control {name} of {item.name} was not rejected but {answer}")
    return found
