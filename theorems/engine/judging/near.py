"""Near variants of a part: what the evidence says of a constant that is changed a little."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from hypothesis.errors import UnsatisfiedAssumption

from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.kinds import Answer, Grade, Role
from theorems.engine.judging.answers import Outcome, by_ratio
from theorems.engine.judging.establish import contradicted
from theorems.engine.judging.examine import Circumstances, called, ending, examine
from theorems.engine.judging.given import Given
from theorems.engine.judging.limits import guarded
from theorems.engine.judging.refuting import place
from theorems.engine.judging.sampled import compared
from theorems.engine.judging.search import Result, assumptions_allowed
from theorems.engine.statements.statement import Formula, Part, Sentence
from theorems.engine.statements.values import Evaluator
from theorems.engine.statements.variants import Variant, near_variants

__all__ = ["Rerun", "examine_briefly", "examine_near"]

#: A true variant is proved as fast as the statement; a false one is not worth more.
_EFFORT_FOR_VARIANTS = 50_000
_PRINTED = "the proof ends in the statement, not in this"
#: Changes of numbers; signs, terms and relations are changed by the audit only.
_CONSTANTS = {"constant", "integer", "exponent"}


def examine_near(
    claim: Claim,
    evidence: Evidence,
    circumstances: Circumstances,
    first: Outcome | None = None,
    *,
    every: bool = False,
) -> dict[str, list[tuple[Variant, Outcome]]]:
    """For each constant of the part, near variants until one is rejected; or every variant.

    A proof that ended in the formula is made again for ``every`` variant only: then one learns
    whether it shows the variant as well.
    """
    found: dict[str, list[tuple[Variant, Outcome]]] = {}
    if evidence.role is Role.REFUTES or evidence.grade is Grade.CITED:
        return found
    if not every and _is_left_to_others(claim, evidence):
        return found
    run = Rerun(claim, evidence, circumstances, first)

    def wanted(kind: str, what: str) -> bool:
        settled = any(one.answer is Answer.REJECTED for _, one in found.get(what, ()))
        return every or (kind in _CONSTANTS and not settled and what not in claim.excused)

    for variant in near_variants(claim, evidence.part, wanted):
        if not run.is_left_to_the_author(variant) and run.concerns(variant):
            outcome = run.outcome(variant) if every else run.in_brief(variant)
            found.setdefault(variant.what, []).append((variant, outcome))
    return found


def examine_briefly(claim: Claim, evidence: Evidence, circumstances: Circumstances, effort: int) -> Outcome:
    """The outcome of a check of a variant, with so many operations for each question of a proof."""
    from theorems.engine.rules.solver import limited  # noqa: PLC0415 - only proofs need it

    with limited(effort):
        return examine(claim, evidence, circumstances)


def _is_left_to_others(claim: Claim, evidence: Evidence) -> bool:
    """A simulation of a formula is not repeated for constants that other evidence ties."""
    others = [one for one in claim.evidence if one.part == evidence.part]
    formula = isinstance(claim.parts.get(evidence.part), Formula)
    sampled = evidence.grade is Grade.ESTIMATED
    return sampled and formula and any(one.grade > Grade.ESTIMATED for one in others)


@dataclass
class Rerun:
    """Examines variants of one part, without doing again what cannot come out differently."""

    claim: Claim
    evidence: Evidence
    circumstances: Circumstances
    first: Outcome | None = None

    def concerns(self, variant: Variant) -> bool:
        """Whether the check is handed what the variant changes."""
        part = self.claim.parts[self.evidence.part]
        return isinstance(part, Formula) or variant.slot in self.evidence.parameters

    def is_left_to_the_author(self, variant: Variant) -> bool:
        """A simulation tells a slot apart as far as its controls say, not by one per cent."""
        controls = self.evidence.controls.values()
        sampled = self.evidence.grade is Grade.ESTIMATED
        return sampled and any(variant.slot in disputed for disputed in controls)

    def outcome(self, variant: Variant) -> Outcome:
        """The answer of the check to the variant."""
        part = variant.claim.parts[self.evidence.part]
        if isinstance(part, Formula):
            if self.evidence.grade is Grade.TESTED:
                return self._at_seen_cases(part)
            if self._theorem is not None:
                return self._of_a_proof(variant)
        return examine(variant.claim, self.evidence, self.circumstances)

    def in_brief(self, variant: Variant) -> Outcome:
        """The same, but a variant of what is proved is held against the theorem alone.

        And one of a sentence that is tested is tried at the cases that the search has seen.
        """
        if self.first is not None and self.first.theorem is not None:
            return self._beside(self.first.theorem, variant)
        part = variant.claim.parts[self.evidence.part]
        if self.first and self.evidence.grade is Grade.TESTED and isinstance(part, Sentence):
            return self._at_seen_cases(part)
        return self.outcome(variant)

    def _beside(self, theorem: Any, variant: Variant) -> Outcome:
        """A variant held against the statement as it was proved, without proving again."""

        def compare() -> Outcome:
            where = contradicted(theorem, Given(variant.claim, self.evidence.part, self.circumstances.find))
            if where is None:
                return Outcome(Answer.UNDECIDED, _PRINTED, theorem=theorem)
            return Outcome(Answer.REJECTED, f"false at {place(where)}", witness=place(where))

        return guarded(compare, self.circumstances.profile.effort)

    def _of_a_proof(self, variant: Variant) -> Outcome:
        """A proof that does not look at the goal ends in the same theorem for every variant."""
        beside = self._beside(self._theorem, variant)
        if beside.answer is Answer.REJECTED or not self._looks_at_goal:
            return beside
        return examine_briefly(variant.claim, self.evidence, self.circumstances, _EFFORT_FOR_VARIANTS)

    @cached_property
    def _result(self) -> tuple[Given, Any]:
        """What the check returns for the statement, and what it was given."""
        given = Given(self.claim, self.evidence.part, self.circumstances.find)
        found = called(given, self.evidence)
        return given, list(found) if isinstance(found, Iterator) else found

    @cached_property
    def _looks_at_goal(self) -> bool:
        given, _ = self._result
        return "goal" in given.seen

    @cached_property
    def _theorem(self) -> Any:
        """What a proof shows, or an argument by the kernel that ends in the part as it stands."""
        if self.evidence.grade in {Grade.PROVED, Grade.CERTIFIED}:
            return self._result[1]
        known_to_end_otherwise = self.first is not None and self.first.theorem is None
        if self.evidence.grade is not Grade.ARGUED or known_to_end_otherwise:
            return None
        given, found = self._result
        return ending(replace(given, seen=set()), found)

    @cached_property
    def _of_the_statement(self) -> Outcome:
        """The answer to the statement itself."""
        return self.first or examine(self.claim, self.evidence, self.circumstances)

    def _at_seen_cases(self, part: Part) -> Outcome:
        """The variant at every case that the search for the statement has seen."""
        cases = self._of_the_statement.seen
        return guarded(lambda: _worst(self._compared(part), cases), self.circumstances.profile.effort)

    def _compared(self, part: Part) -> Callable[[Any], Result]:
        """What says of one case by how much the part holds there."""
        if isinstance(part, Formula):
            return partial(compared, Evaluator(part.relation))
        slots = {name: part.values()[name] for name in self.evidence.needs}
        return partial(self.evidence.check, **slots)


def _worst(compare: Callable[[Any], Result], cases: tuple[Any, ...]) -> Outcome:
    """Rejected by the first case that violates; one outside of the hypotheses says nothing."""
    for case in cases:
        try:
            with assumptions_allowed():
                one = compare(case)
        except (UnsatisfiedAssumption, ArithmeticError, TypeError, ValueError):
            continue
        if one.violates:
            return Outcome(Answer.REJECTED, f"violated{by_ratio(one.ratio)}")
    return Outcome(Answer.ACCEPTED, f"survives all {len(cases)} cases")
