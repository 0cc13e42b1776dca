"""Run one piece of evidence and turn what it returns into an answer, by the rules of its kind."""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.kinds import Answer, Grade, Profile, Role
from theorems.engine.judging.answers import Outcome, real
from theorems.engine.judging.establish import established, inferences, undeclared_premise
from theorems.engine.judging.given import Given, MissingError
from theorems.engine.judging.limits import guarded
from theorems.engine.judging.refuting import determined, failing, false_at, place, refuted_at
from theorems.engine.judging.sampled import Cases
from theorems.engine.judging.search import search
from theorems.engine.statements.statement import Formula, Sentence
from theorems.engine.statements.variants import with_part

__all__ = ["Circumstances", "called", "ending", "examine", "examine_again", "examine_controls"]
__all__ += ["granted"]


def _unknown(identifier: str) -> Claim:
    raise KeyError(f"no claim has the id {identifier!r}")


@dataclass(frozen=True)
class Circumstances:
    """The circumstances of a run.

    Its profile, its seed, the error that a single test may make, and how to find claims by id.
    """

    profile: Profile
    seed: int
    level: float
    find: Callable[[str], Claim] = field(default=_unknown, compare=False)

    def seed_of(self, claim: Claim, evidence: Evidence) -> int:
        """A seed for one check, the same whatever else runs beside it."""
        text = f"{self.seed}/{claim.id}/{evidence.name}".encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


@runtime_checkable
class _Chain(Protocol):
    """What the engine needs of a derivation."""

    def check(self) -> Iterable[Any]: ...
    def latex(self) -> str: ...


def examine(claim: Claim, evidence: Evidence, circumstances: Circumstances, /, **disputed: Any) -> Outcome:
    """The outcome of one check, with its disputed constants replaced if any are given."""
    return guarded(
        lambda: _examine_part(_with_slots(claim, evidence, disputed), evidence, circumstances),
        circumstances.profile.effort,
    )


def examine_controls(claim: Claim, evidence: Evidence, circumstances: Circumstances) -> dict[str, Outcome]:
    """The outcomes of the author's false variants; each must be rejected."""
    return {
        name: examine(claim, evidence, circumstances, **disputed)
        for name, disputed in evidence.controls.items()
    }


def examine_again(claim: Claim, evidence: Evidence, circumstances: Circumstances, first: Outcome) -> Outcome:
    """The first outcome, unless the check answers otherwise when it is asked once more."""
    again = examine(claim, evidence, circumstances)
    if again.answer is first.answer:
        return first
    return Outcome(Answer.UNDECIDED, f"first {first.answer.value}, then {again.answer.value}")


def _with_slots(claim: Claim, evidence: Evidence, disputed: Mapping[str, Any]) -> Claim:
    if not disputed:
        return claim
    part = claim.parts[evidence.part]
    if not isinstance(part, Sentence):
        raise MissingError(f"the part {evidence.part} has no slots")
    return with_part(claim, evidence.part, part.changed(**disputed))


def _examine_part(claim: Claim, evidence: Evidence, circumstances: Circumstances) -> Outcome:
    given = granted(claim, evidence, circumstances)
    if any(domain.is_empty is not False for domain in claim.domains.values()):
        return Outcome(Answer.UNDECIDED, "vacuous: a letter has nothing to range over")
    return _KINDS[evidence.grade](given, evidence, circumstances)


def granted(claim: Claim, evidence: Evidence, circumstances: Circumstances) -> Given:
    """What the check is given; MissingError if the claim lacks what the evidence is written for."""
    if evidence.part not in claim.parts:
        raise MissingError(f"the claim has no part {evidence.part!r}")
    given = Given(claim, evidence.part, circumstances.find)
    given.require(*evidence.uses)
    for symbol, argued in evidence.over.items():
        wanted = claim.domains.get(symbol)
        if wanted is None or wanted.is_subset(argued) is not True:
            raise MissingError(f"the argument is for {symbol} in {argued}, the claim for {wanted}")
    return given


def called(given: Given, evidence: Evidence, **extra: Any) -> Any:
    """What the check returns, handed the slots that it takes, and ``given`` if it wants."""
    handed = {"given": given} if "given" in evidence.parameters else {}
    return evidence.check(**handed, **_handed(given, evidence), **extra)


def _handed(given: Given, evidence: Evidence) -> dict[str, Any]:
    """The slots that a check takes; MissingError if the statement does not have one of them."""
    slots = given.slots()
    missing = [name for name in evidence.needs if name not in slots]
    if missing:
        raise MissingError(f"{evidence.name} takes {missing}, which the statement does not have")
    return {name: slots[name] for name in evidence.needs}


def _proof(given: Given, evidence: Evidence, _circumstances: Circumstances) -> Outcome:
    from theorems.engine.rules import NotProved, Theorem  # noqa: PLC0415 - only proofs need it

    formula = isinstance(given.claim.parts[given.part], Formula)
    try:
        result = called(given, evidence)
    except NotProved as error:
        return _not_proved(error, given)
    if evidence.role is Role.REFUTES:
        return refuted_at(result, given) if isinstance(result, Mapping) else _obligations(result)
    if not formula:
        return Outcome(Answer.UNDECIDED, "a sentence cannot be proved: nothing compares it")
    if not isinstance(result, Theorem):
        return Outcome(Answer.UNDECIDED, f"a proof returns a theorem, got {type(result).__name__}")
    return _weighed_proof(result, given, evidence)


def _weighed_proof(theorem: Any, given: Given, evidence: Evidence) -> Outcome:
    """The outcome of a proof that ends in a theorem."""
    outcome = established(theorem, given)
    if outcome.answer is not Answer.ACCEPTED:
        return outcome
    why = _weaker(evidence.grade, theorem)
    if why:
        return Outcome(Answer.UNDECIDED, why)
    return replace(outcome, theorem=theorem, derivations=tuple(given.derivations))


def _weaker(declared: Grade, theorem: Any) -> str | None:
    """Why the proof is none of the declared grade, and would have to be declared otherwise.

    That hypotheses of other claims are met in words makes its result argued, not the proof.
    """
    kinds = {trust.kind for trust in theorem.trusts}
    if "bridge" in kinds:
        return "a bridge in words is among its leaves: argued"
    if "certificate" in kinds and declared is Grade.PROVED:
        return "a ball certificate is among its leaves: certified"
    return None


def _argument(given: Given, evidence: Evidence, _circumstances: Circumstances) -> Outcome:
    from theorems.engine.rules import NotProved, Theorem  # noqa: PLC0415 - only proofs need it

    try:
        result = called(given, evidence)
        if isinstance(result, Theorem):
            result = [result]
        if isinstance(result, Iterator):
            result = list(_until_one_fails(result))
        looks = "goal" in given.seen
        _check_leaves(given.claim, result)
        outcome, theorem = _obligations(result), ending(given, result)
        passes_by = not looks and theorem is None and _stands_for_a_relation(given, evidence)
        if passes_by and outcome.answer is Answer.ACCEPTED:
            why = "the argument neither looks at the relation nor ends in it"
            return Outcome(Answer.UNDECIDED, why)
        derivations = [result] if isinstance(result, _Chain) else given.derivations
        return replace(outcome, theorem=theorem, derivations=tuple(derivations))
    except NotProved as error:
        return _not_proved(error, given)


def _stands_for_a_relation(given: Given, evidence: Evidence) -> bool:
    """Whether a formula has nothing better than this argument: beside a proof it may be a step."""
    others = (one.grade for one in given.claim.evidence if one.part == evidence.part)
    formula = isinstance(given.claim.parts[given.part], Formula)
    return formula and all(grade <= evidence.grade for grade in others)


def _check_leaves(claim: Claim, result: Any) -> None:
    """Refuse theorems that stand on what the claim does not grant; MissingError."""
    for one in result if isinstance(result, list) else ():
        why = undeclared_premise(one, claim) if hasattr(one, "trusts") else None
        if why:
            raise MissingError(why)


def _until_one_fails(obligations: Iterator[Any]) -> Iterator[Any]:
    """The obligations up to the first that is plainly false: it decides, and others cost time."""
    for one in obligations:
        yield one
        if isinstance(one, tuple) and one[1] is False:
            return


def _not_proved(error: Any, given: Given) -> Outcome:
    """Why a rule declined.

    A formula is refuted by a point at which it fails itself: a step may fail where the statement
    holds.  Premises that do not give a relation about what is determined elsewhere do not refute
    it.
    """
    part, said = given.claim.parts[given.part], place(error.witness) or None
    if not isinstance(part, Formula):
        return Outcome(Answer(error.answer), error.why, witness=said)
    if determined(part.relation, given):
        return Outcome(Answer.UNDECIDED, f"it does not follow: {error.why}", witness=said)
    if error.answer != Answer.REJECTED.value:
        return Outcome(Answer.UNDECIDED, error.why, witness=said)
    where = failing(part.relation, given, error.witness)
    if where is None:
        return Outcome(Answer.UNDECIDED, f"a step fails: {error.why}", witness=said)
    found = false_at(where, given)
    return replace(found, summary=error.why) if found.answer is Answer.REJECTED else found


def ending(given: Given, result: Any) -> Any:
    """The theorem among what a check returned that is the part itself, if there is one."""
    if not isinstance(given.claim.parts[given.part], Formula):
        return None
    returned = result if isinstance(result, list) else [result]
    found = (one for one in returned if hasattr(one, "trusts"))
    return next((one for one in found if one.statement == given.goal), None)


def _obligations(result: Any) -> Outcome:
    """The conjunction of obligations, steps of a derivation, theorems and certificates."""
    if hasattr(result, "decision"):
        result = [result]
    if isinstance(result, _Chain):
        result = [(step.reason, step.answer) for step in result.check()]
    answers, certificates, theorems = [], [], []
    for one in result:
        if hasattr(one, "decision"):
            if not one.domain:
                raise ValueError("a certificate over no variables covers nothing")
            certificates.append(one)
            answers.append((_covers(one), _DECISIONS[one.decision.name]))
        elif hasattr(one, "trusts"):
            from theorems.engine import rules  # noqa: PLC0415 - only proofs need it

            rules.genuine(one)
            theorems.append(one)
            answers.append((str(one.statement), Answer.ACCEPTED))
        else:
            name, holds = one
            answers.append((str(name), Answer.of(holds)))
    outcome = _conjunction(answers, "exact step")
    witness = next((str(one.witness) for one in certificates if one.witness), None)
    asked = inferences(theorems)
    numbers = _covered(certificates) | ({"inferences": asked} if asked else {})
    return replace(outcome, witness=witness, numbers=numbers)


def _covered(certificates: list[Any]) -> dict[str, Any]:
    """What ball arithmetic has covered, and what it was told."""
    if not certificates:
        return {}
    told = [words for one in certificates for words in one.assumptions]
    return {"boxes": sum(one.boxes for one in certificates), "vouched for": told}


def _test(given: Given, evidence: Evidence, circumstances: Circumstances) -> Outcome:
    if not isinstance(given.claim.parts[given.part], Formula):
        return _search_with_slots(given, evidence, circumstances)
    cases = Cases(given, evidence.check)
    outcome = _search(cases, given.claim, evidence, circumstances)
    missed = cases.uncovered() if outcome.answer is Answer.ACCEPTED else []
    if missed:
        outcome = replace(outcome, answer=Answer.UNDECIDED, summary=f"no case covers {', '.join(missed)}")
    return replace(outcome, seen=tuple(cases.seen))


def _search_with_slots(given: Given, evidence: Evidence, circumstances: Circumstances) -> Outcome:
    slots, seen = _handed(given, evidence), []

    def check(case: Any) -> Any:
        seen.append(case)
        return evidence.check(case, **slots)

    outcome = _search(check, given.claim, evidence, circumstances)
    return replace(outcome, seen=tuple(seen))


def _search(
    check: Callable[[Any], Any], claim: Claim, evidence: Evidence, circumstances: Circumstances
) -> Outcome:
    over, cases = evidence.options["over"], evidence.options["cases"]
    if cases is None:
        cases = _SECOND_LOOK if _decided_otherwise(claim, evidence) else _CASES
    return search(
        check,
        over() if callable(over) else over,
        cases=cases * circumstances.profile.effort,
        seed=circumstances.seed_of(claim, evidence),
        coordinates=evidence.options["coordinates"],
    )


def _decided_otherwise(claim: Claim, evidence: Evidence) -> bool:
    """Whether a proof or a certificate is declared for the part: a search is then a second look."""
    others = (one for one in claim.evidence if one.part == evidence.part and one.role is evidence.role)
    return any(one.grade >= Grade.CERTIFIED for one in others)


def _simulation(given: Given, evidence: Evidence, circumstances: Circumstances) -> Outcome:
    rng = np.random.default_rng(circumstances.seed_of(given.claim, evidence))
    draws = evidence.options["draws"] * circumstances.profile.effort
    return _weighed(called(given, evidence, rng=rng, draws=draws), draws, circumstances)


def _citation(_given: Given, evidence: Evidence, _circumstances: Circumstances) -> Outcome:
    return Outcome(Answer.ACCEPTED, str(evidence.check()))


def _covers(certificate: Any) -> str:
    ranges = (f"{name} in {domain}" for name, domain in certificate.domain.items())
    reason = f" ({certificate.reason})" if certificate.reason else ""
    return f"{certificate.relation} for {', '.join(ranges)}{reason}"


def _weighed(result: Any, draws: int, circumstances: Circumstances) -> Outcome:
    """The verdict of the smallest of several p-values."""
    tests = [result] if hasattr(result, "p_value") else list(result)
    if not tests:
        return Outcome(Answer.UNDECIDED, "vacuous: no test was made")
    level = circumstances.level / len(tests)
    p_values = [float(real(test.p_value, "p_value")) for test in tests]
    if not all(0.0 <= p <= 1.0 for p in p_values):
        return Outcome(Answer.UNDECIDED, f"a p-value is no probability: {p_values}")
    smallest = min(p_values)
    worst = tests[p_values.index(smallest)]
    effects = [float(test.detectable(level, _POWER)) for test in tests]
    if not all(math.isfinite(one) and one < _LARGEST_EFFECT for one in effects):
        return Outcome(Answer.UNDECIDED, f"a test that no effect makes fail: {effects}")
    count = f"{len(tests)} test{'s' * (len(tests) != 1)}"
    return Outcome(
        Answer.of(bool(smallest >= level)),
        f"{count} at level {level:.1e}: smallest p {smallest:.2g} ({worst})",
        cases=draws,
        numbers={"p_value": smallest, "level": level, "detectable": max(effects), "power": _POWER},
    )


_CASES, _SECOND_LOOK = 200, 100
_POWER = 0.999
_LARGEST_EFFECT = 1e9
_KINDS: dict[Grade, Callable[[Given, Evidence, Circumstances], Outcome]] = {
    Grade.PROVED: _proof,
    Grade.CERTIFIED: _proof,
    Grade.ARGUED: _argument,
    Grade.TESTED: _test,
    Grade.ESTIMATED: _simulation,
    Grade.CITED: _citation,
}
_DECISIONS = {"PROVED": Answer.ACCEPTED, "REFUTED": Answer.REJECTED, "UNDECIDED": Answer.UNDECIDED}


def _conjunction(answers: list[tuple[str, Answer]], noun: str) -> Outcome:
    if not answers:
        return Outcome(Answer.UNDECIDED, "vacuous: nothing was checked")
    total = Answer.all(answer for _, answer in answers)
    failing = [name for name, answer in answers if answer is total]
    count = f"{len(answers)} {noun}{'s' * (len(answers) != 1)}"
    said = count
    if total is not Answer.ACCEPTED:
        first = ", first" if len(failing) > 1 else ""
        said = f"{len(failing)} of {count} {total.value}{first}: {failing[0]}"
    return Outcome(total, said, cases=len(answers))
