"""Run one piece of evidence and turn what it returns into an answer, by the rules of its kind."""

from __future__ import annotations

import hashlib
import math
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import flint
import mpmath
import numpy as np

from theorems.engine.answers import Answer, Grade, Outcome, real
from theorems.engine.claim import Claim, Evidence, Profile
from theorems.engine.search import search

__all__ = ["Trial", "examine", "examine_controls"]


@dataclass(frozen=True)
class Trial:
    """The circumstances of a run: its effort, its seed, and the error a single test may make."""

    profile: Profile
    seed: int
    level: float

    def seed_of(self, claim: Claim, evidence: Evidence) -> int:
        """A seed for one check, the same whatever else runs beside it."""
        text = f"{self.seed}/{claim.id}/{evidence.name}".encode()
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "big")


@runtime_checkable
class _Chain(Protocol):
    """What the engine needs of a derivation."""

    def check(self) -> Iterable[Any]: ...
    def latex(self) -> str: ...


def examine(claim: Claim, evidence: Evidence, trial: Trial, /, **disputed: Any) -> Outcome:
    """The outcome of one check, with its disputed constants replaced if any are given.

    An exception inside a check is an undecided answer that says where it came from.
    """
    try:
        with _fresh_arithmetic():
            return _KINDS[evidence.grade](claim, evidence, trial, disputed)
    except (Exception, SystemExit) as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
        return Outcome(Answer.UNDECIDED, f"{type(error).__name__} at {place}: {error}")


def examine_controls(claim: Claim, evidence: Evidence, trial: Trial) -> dict[str, Outcome]:
    """The outcomes of the false variants; each must be rejected."""
    return {
        name: examine(claim, evidence, trial, **disputed)
        for name, disputed in evidence.controls.items()
    }


@contextmanager
def _fresh_arithmetic() -> Iterator[None]:
    """Double precision at the start, and none of a check's changes left at the end."""
    mp_precision, flint_precision = mpmath.mp.prec, flint.ctx.prec
    mpmath.mp.prec = flint.ctx.prec = 53
    try:
        with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
            yield
    finally:
        mpmath.mp.prec, flint.ctx.prec = mp_precision, flint_precision


def _proved(
    _claim: Claim, evidence: Evidence, _trial: Trial, disputed: Mapping[str, Any]
) -> Outcome:
    result = evidence.check(**disputed)
    if isinstance(result, _Chain):
        result = [(step.reason, step.answer) for step in result.check()]
    answers = [(str(name), Answer.of(holds)) for name, holds in result]
    return _conjunction(answers, "exact step")


def _certified(
    _claim: Claim, evidence: Evidence, _trial: Trial, disputed: Mapping[str, Any]
) -> Outcome:
    result = evidence.check(**disputed)
    certificates = [result] if hasattr(result, "decision") else list(result)
    answers = [(_covers(one), _DECISIONS[one.decision.name]) for one in certificates]
    outcome = _conjunction(answers, "certificate")
    witness = next((str(one.witness) for one in certificates if one.witness), None)
    numbers = {
        "boxes": sum(one.boxes for one in certificates),
        "margin": min((one.margin for one in certificates if one.margin is not None), default=None),
        "covers": [_covers(one) for one in certificates],
        "answers": [answer.value for _, answer in answers],
        "vouched for": [words for one in certificates for words in one.assumptions],
    }
    return Outcome(outcome.answer, outcome.summary, witness=witness, numbers=numbers)


def _covers(certificate: Any) -> str:
    ranges = (f"{name} in {domain}" for name, domain in certificate.domain.items())
    reason = f" ({certificate.reason})" if certificate.reason else ""
    return f"{certificate.relation} for {', '.join(ranges)}{reason}"


def _tested(claim: Claim, evidence: Evidence, trial: Trial, disputed: Mapping[str, Any]) -> Outcome:
    over = evidence.options["over"]
    return search(
        lambda case: evidence.check(case, **disputed),
        over() if callable(over) else over,
        cases=evidence.options["cases"] * trial.profile.effort,
        seed=trial.seed_of(claim, evidence),
        coordinates=evidence.options["coordinates"],
        shrink=not disputed,
    )


def _estimated(
    claim: Claim, evidence: Evidence, trial: Trial, disputed: Mapping[str, Any]
) -> Outcome:
    rng = np.random.default_rng(trial.seed_of(claim, evidence))
    draws = evidence.options["draws"] * trial.profile.effort
    result = evidence.check(rng=rng, draws=draws, **disputed)
    tests = [result] if hasattr(result, "p_value") else list(result)
    if not tests:
        return Outcome(Answer.UNDECIDED, "vacuous: no test was made")
    level = trial.level / len(tests)
    p_values = [float(real(test.p_value, "p_value")) for test in tests]
    if not all(0.0 <= p <= 1.0 for p in p_values):
        return Outcome(Answer.UNDECIDED, f"a p-value is no probability: {p_values}")
    smallest = min(p_values)
    worst = tests[p_values.index(smallest)]
    effects = [float(test.detectable(level, _POWER)) for test in tests]
    if not all(map(math.isfinite, effects)):
        return Outcome(Answer.UNDECIDED, f"a test that no effect makes fail: {effects}")
    return Outcome(
        Answer.of(bool(smallest >= level)),
        f"{len(tests)} tests at level {level:.1e}: smallest p {smallest:.2g} ({worst})",
        cases=draws,
        numbers={"p_value": smallest, "level": level, "detectable": max(effects), "power": _POWER},
    )


def _cited(
    _claim: Claim, evidence: Evidence, _trial: Trial, _disputed: Mapping[str, Any]
) -> Outcome:
    return Outcome(Answer.ACCEPTED, str(evidence.check()))


_POWER = 0.999
_KINDS = {
    Grade.PROVED: _proved,
    Grade.CERTIFIED: _certified,
    Grade.TESTED: _tested,
    Grade.ESTIMATED: _estimated,
    Grade.CITED: _cited,
}
_DECISIONS = {
    "PROVED": Answer.ACCEPTED,
    "REFUTED": Answer.REJECTED,
    "UNDECIDED": Answer.UNDECIDED,
}


def _conjunction(answers: list[tuple[str, Answer]], noun: str) -> Outcome:
    if not answers:
        return Outcome(Answer.UNDECIDED, "vacuous: nothing was checked")
    total = Answer.all(answer for _, answer in answers)
    failing = [name for name, answer in answers if answer is total]
    count = f"{len(answers)} {noun}{'s' * (len(answers) != 1)}"
    said = count if total is Answer.ACCEPTED else f"{total.value} of {count}: {failing[0]}"
    return Outcome(total, said, cases=len(answers))
