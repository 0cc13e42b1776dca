"""Verdicts, computed from answers and followed along dependencies; nothing here is typed in."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from theorems.engine.claims.graph import ClaimGraph
from theorems.engine.claims.kinds import Answer, Grade, Provenance, Role, Verdict
from theorems.engine.claims.record import ClaimRecord, EvidenceRecord
from theorems.engine.errors import OUT_OF_TIME
from theorems.engine.judging.results import EvidenceResult

__all__ = ["Judgement", "failures", "judge", "loose", "ties", "undecided"]


@dataclass(frozen=True)
class Judgement:
    """A claim's verdict and grade, why it is open if it is, and what went against expectation.

    ``complete`` says that all evidence was examined, here and for all that the claim rests on.
    """

    claim: ClaimRecord
    verdict: Verdict
    grade: Grade | None
    results: tuple[EvidenceResult, ...]
    reasons: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    complete: bool = True

    @property
    def label(self) -> str:
        """The verdict in words: what is only cited is set apart, and a finding has a severity."""
        if self.verdict is Verdict.HOLDS and self.grade is Grade.CITED:
            return "cited"
        severity = self.claim.severity
        if self.verdict is Verdict.FALSE and severity is not None:
            return f"{self.verdict.value}: {severity.value}"
        return self.verdict.value

    @property
    def tightness(self) -> float | None:
        """The largest tightness over the evidence."""
        found = [one.outcome.tightness for one in self.results]
        return max((one for one in found if one is not None), default=None)

    def _repr_html_(self) -> str:
        grade = "" if self.grade is None else f" ({self.grade})"
        named = {item.name: item for item in self.claim.evidence}
        rows: list[tuple[Any, ...]] = [
            (named[r.name].grade, r.name, r.answer.value, r.outcome.summary) for r in self.results
        ]
        rows += [("", "", "", why) for why in (*self.reasons, *self.problems)]
        from theorems.engine.claims.markup import judged_html  # noqa: PLC0415 - for notebooks

        return judged_html(self.claim, f"{self.label}{grade}", rows)


Results = Mapping[tuple[str, str], EvidenceResult]
#: Claims or their records: a verdict needs no mathematics to be loaded.
Known = ClaimGraph[Any]


def judge(
    registry: Known,
    results: Results,
    identifiers: Iterable[str] | None = None,
    before: Mapping[str, Judgement] | None = None,
) -> dict[str, Judgement]:
    """Judgements by id in reading order, of the claims named and of all that they rest on.

    Without names: of every claim that was examined together with all that it rests on.  Those
    that were made ``before`` are among them, and are not made again.
    """
    chosen = None if identifiers is None else set(registry.with_ancestors(identifiers))
    examined = {claim_id for claim_id, _ in results}
    judged = dict(before or {})
    for identifier in registry.in_dependency_order():
        if identifier in judged:
            continue
        claim = registry.claims[identifier]
        known = identifier in examined or not claim.evidence
        known = known and all(other in judged for other in claim.rests_on)
        if known if chosen is None else identifier in chosen:
            judged[identifier] = _judge_one(claim, results, judged, registry)
    return {identifier: judged[identifier] for identifier in registry.claims if identifier in judged}


def _judge_one(
    claim: ClaimRecord, results: Results, judged: Mapping[str, Judgement], registry: Known
) -> Judgement:
    seen = {item.name: results.get((claim.id, item.name)) for item in claim.evidence}
    verdict, grade, reasons = _weigh(claim, seen)
    if verdict is not Verdict.OPEN:
        verdict, grade, reasons = _follow(claim, verdict, grade, judged)
    complete = None not in seen.values() and all(judged[o].complete for o in claim.rests_on)
    found = tuple(result for result in seen.values() if result is not None)
    ties = loose(claim, seen, registry) if verdict is Verdict.HOLDS else ()
    problems = (*_surprise(claim, verdict, complete), *failures(found), *ties)
    return Judgement(claim, verdict, grade, found, tuple(reasons), problems, complete)


Weighed = tuple[Verdict, Grade | None, list[str]]
_AGAINST = {Role.REFUTES: Answer.ACCEPTED, Role.SUPPORTS: Answer.REJECTED}


def _weigh(claim: ClaimRecord, seen: Mapping[str, EvidenceResult | None]) -> Weighed:
    """Verdict from the claim's own evidence: strongest per part, weakest over the parts."""
    answers = {name: None if result is None else result.answer for name, result in seen.items()}
    shown = {e.name: _grade(e, seen.get(e.name)) for e in claim.evidence}
    refuting = [shown[e.name] for e in claim.evidence if answers[e.name] is _AGAINST[e.role]]
    if refuting:
        return Verdict.FALSE, max(refuting), []
    grades: dict[str, list[Grade]] = {part: [] for part in claim.parts}
    reasons = list(claim.remarks)
    for item in claim.evidence:
        if item.role is Role.SUPPORTS:
            accepted = answers[item.name] is Answer.ACCEPTED and _counts(claim, item, answers)
            grades.setdefault(item.part, []).extend([shown[item.name]] * accepted)
        elif answers[item.name] is not Answer.REJECTED:
            reasons.append(f"{item.name} may be a counterexample")
    for part, found in grades.items():
        if found and claim.untaken.get(part):
            found[:] = [Grade.CITED]
    if not claim.remarks:
        reasons += [f"nothing accepted for: {part}" for part, found in grades.items() if not found]
    if reasons or not grades:
        return Verdict.OPEN, None, reasons or ["nothing was accepted for or against it"]
    return Verdict.HOLDS, min(max(found) for found in grades.values()), []


def _grade(item: EvidenceRecord, result: EvidenceResult | None) -> Grade:
    return item.grade if result is None else result.grade(item.grade)


def _counts(claim: ClaimRecord, item: EvidenceRecord, answers: Mapping[str, Answer | None]) -> bool:
    """Argued pieces are the steps of one argument: each counts only if all are accepted."""
    if item.grade is not Grade.ARGUED:
        return True
    steps = [e for e in claim.evidence if e.part == item.part and e.grade is Grade.ARGUED]
    steps = [e for e in steps if e.role is Role.SUPPORTS]
    return all(answers[e.name] is Answer.ACCEPTED for e in steps)


def _follow(
    claim: ClaimRecord, verdict: Verdict, grade: Grade | None, judged: Mapping[str, Judgement]
) -> Weighed:
    """A claim is settled, either way, only if what its evidence uses holds, and no stronger."""
    unsettled = [o for o in claim.rests_on if judged[o].verdict is not Verdict.HOLDS]
    if unsettled:
        return Verdict.OPEN, None, [f"rests on {o}: {judged[o].verdict.value}" for o in unsettled]
    grades = [judged[other].grade for other in claim.rests_on]
    return verdict, min(g for g in (grade, *grades) if g is not None), []


def _surprise(claim: ClaimRecord, verdict: Verdict, complete: bool) -> list[str]:
    """Whether the verdict is another than declared; what was not examined may stay open."""
    settled = Verdict.OPEN if claim.declared_open else Verdict.HOLDS
    declared = Verdict.FALSE if claim.declared_false else settled
    if verdict is declared or (verdict is Verdict.OPEN and not complete):
        return []
    return [f"declared {declared.value}, came out {verdict.value}"]


def ties(claim: ClaimRecord, results: Mapping[str, EvidenceResult | None], part: str) -> dict[str, str]:
    """For each constant of a part: the best that was said of its near variants.

    ``rejected``: one is false (of a simulation: one of its controls).  ``pinned``: what the proof
    kernel ends in has the printed constant.  ``loose``: the proof shows the others as well, as far
    as it was asked.  ``accepted``: a search, a simulation or an argument does not tell them apart.
    """
    found: dict[str, str] = dict.fromkeys(claim.untaken.get(part, ()), "untaken")
    for item in claim.evidence:
        result = results.get(item.name)
        if item.part != part or result is None:
            continue
        exact = item.grade in {Grade.PROVED, Grade.CERTIFIED}
        if item.grade is Grade.ESTIMATED:
            rejected = set(result.controls) - set(result.accepted_controls)
            told = [item.controls[name] for name in sorted(rejected)]
            found |= dict.fromkeys((slot for disputed in told for slot in disputed), "rejected")
        for what, one in result.near.items():
            word = _EXACT_WORDS.get(one.said, one.said) if exact else one.said
            found[what] = min(found.get(what, word), word, key=_TIES.index)
    return found


_EXACT_WORDS = {"undecided": "pinned", "accepted": "loose"}
_TIES = ["rejected", "pinned", "loose", "accepted", "undecided", "untaken"]


def loose(claim: ClaimRecord, results: Mapping[str, EvidenceResult | None], registry: Known) -> Iterator[str]:
    """Constants of which no near variant is rejected, though nothing says why."""
    sharper = any(one.provenance is Provenance.SHARPENED for one in registry.about(claim.id))
    for part in claim.parts:
        for what, word in ties(claim, results, part).items():
            excused = what in claim.excused or (sharper and word == "accepted")
            if word not in {"rejected", "pinned", "loose"} and not excused:
                yield f"{what} of the {part} is not tied: its near variants are {word}"


def failures(results: Iterable[EvidenceResult]) -> Iterator[str]:
    """Checks that were not accepted, false variants that were not rejected, and idle controls."""
    for result in results:
        if result.answer is not Answer.ACCEPTED:
            yield f"{result.name} is {result.answer.value}: {result.outcome.summary}"
        for name in result.accepted_controls:
            answer = result.controls[name].answer.value
            yield f"control {name} of {result.name} was not rejected but {answer}"


def undecided(results: Iterable[EvidenceResult]) -> Iterator[str]:
    """Which checks and variants stayed undecided that need an answer, and why."""
    for result in results:
        if result.answer is Answer.UNDECIDED:
            yield f"{result.name} is undecided: {result.outcome.summary}"
        for name, one in result.controls.items():
            if one.answer is Answer.UNDECIDED:
                told = f"control {name} of {result.name} was not rejected but undecided"
                yield f"{told}: {one.summary}"
        for what, near in result.near.items():
            if OUT_OF_TIME in near.summary:
                yield f"a near variant of {what} in {result.name} is undecided: {near.summary}"
