"""What a check can answer, how strong an answer is, and what follows for a claim.

Answers are three-valued.  *Undecided* covers everything that is neither: a ball that straddles,
a NaN, an exhausted budget, an exception, and the vacuous check whose hypotheses no case met.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any

__all__ = ["Answer", "Discrepancy", "Grade", "Measured", "Outcome", "Verdict"]


class Answer(Enum):
    """The three values of a check."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNDECIDED = "undecided"

    @staticmethod
    def of(holds: bool | None) -> Answer:
        """Translate a decision procedure's ``True``/``False``/``None``.

        Only the three singletons are understood: a truthy array or expression is no decision.

        >>> Answer.of(None)
        <Answer.UNDECIDED: 'undecided'>
        """
        if holds is True:
            return Answer.ACCEPTED
        if holds is False:
            return Answer.REJECTED
        if holds is None:
            return Answer.UNDECIDED
        raise TypeError(f"a decision must be True, False or None, got {holds!r}")

    @staticmethod
    def all(answers: Iterable[Answer]) -> Answer:
        """Kleene conjunction; an empty conjunction is undecided, for nothing was checked.

        >>> Answer.all([Answer.ACCEPTED, Answer.UNDECIDED]).value
        'undecided'
        >>> Answer.all([]).value
        'undecided'
        """
        seen = set(answers)
        if Answer.REJECTED in seen:
            return Answer.REJECTED
        return Answer.ACCEPTED if seen == {Answer.ACCEPTED} else Answer.UNDECIDED


class Grade(IntEnum):
    """How strongly something is known; larger is stronger."""

    CITED = 1
    ESTIMATED = 2
    TESTED = 3
    CERTIFIED = 4
    PROVED = 5

    def __str__(self) -> str:
        return self.name.lower()


class Verdict(Enum):
    """What became of a claim."""

    HOLDS = "holds"
    FALSE = "false as stated"
    OPEN = "open"


@dataclass(frozen=True)
class Measured:
    """A ratio (left side) / (right side); above 1 by more than its rounding refutes."""

    ratio: float
    rounding: float = 0.0

    @property
    def violates(self) -> bool:
        """Whether the ratio exceeds 1 beyond what rounding could explain."""
        return self.ratio - self.rounding > 1.0


@dataclass(frozen=True)
class Discrepancy:
    """A difference that should vanish, with the rounding error that floats may leave in it."""

    error: float
    allowed: float

    @property
    def ratio(self) -> float:
        """The difference in units of the allowed rounding."""
        return 0.0 if self.error == 0.0 else self.error / self.allowed

    @property
    def violates(self) -> bool:
        """Whether the difference exceeds the rounding that was allowed."""
        return self.error > self.allowed


@dataclass(frozen=True)
class Outcome:
    """The answer of one check with its numbers.

    ``tightness`` is the largest ratio of left to right side that was found; ``witness`` says
    where; ``numbers`` holds what else was measured (JSON values only).
    """

    answer: Answer
    summary: str
    tightness: float | None = None
    cases: int | None = None
    witness: str | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain data, ready for ``json.dump``."""
        return {
            "answer": self.answer.value,
            "summary": self.summary,
            "tightness": self.tightness,
            "cases": self.cases,
            "witness": self.witness,
            "numbers": dict(self.numbers),
        }
