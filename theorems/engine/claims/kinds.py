"""The words of the engine: answers, grades, verdicts, severities, profiles, sources of claims."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum, auto

__all__ = ["AT_A_POINT", "Answer", "Grade", "Profile", "Provenance", "Role", "Severity", "Verdict"]


class Answer(Enum):
    """The three values of a check.

    *Undecided* covers everything that is neither accepted nor rejected: a ball that straddles, a
    NaN, an exhausted budget, an exception, and the vacuous check whose hypotheses no case met.
    """

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

    CITED = auto()
    ESTIMATED = auto()
    TESTED = auto()
    ARGUED = auto()
    CERTIFIED = auto()
    PROVED = auto()

    def __str__(self) -> str:
        return self.name.lower()


class Verdict(Enum):
    """What became of a claim."""

    HOLDS = "holds"
    FALSE = "false as stated"
    OPEN = "open"


class Role(Enum):
    """What accepted evidence speaks for."""

    SUPPORTS = "supports"
    REFUTES = "refutes"


class Severity(Enum):
    """How grave a finding is; only the first two are errors of a paper."""

    FALSE = "false"
    GAP = "gap"
    EDGE = "edge"
    DEPENDENCE = "dependence"
    SLIP = "slip"

    @property
    def is_error(self) -> bool:
        """Whether the paper is wrong, not merely imprecise."""
        return self in {Severity.FALSE, Severity.GAP}


class Profile(Enum):
    """How much work a run may spend; each does all that the one before does, and more."""

    QUICK = "quick"
    FULL = "full"
    EXHAUSTIVE = "exhaustive"

    @property
    def effort(self) -> int:
        """By how much numbers of cases and samples are multiplied."""
        return {"quick": 1, "full": 10, "exhaustive": 30}[self.value]

    def includes(self, other: Profile) -> bool:
        """Whether a run at this profile does work that starts at ``other``."""
        return self.effort >= other.effort


class Provenance(Enum):
    """Where a statement comes from."""

    PRINTED = "printed in the paper"
    EXTRACTED = "as a machine-made extraction of the paper reads; the page may differ"
    EXPLICIT = "the paper's statement with constants, thresholds or hypotheses that it leaves open"
    STEP = "what a step of the paper relies on, in our words"
    QUOTED = "quoted by the paper from another source"
    DERIVED = "derived here from the paper's statements"
    CORRECTED = "correction of a statement that is false as printed"
    SHARPENED = "sharper than the paper's statement"
    CLASSICAL = "textbook fact"


#: In place of the question whether premises contradict each other, where they hold at a point.
AT_A_POINT = "point"
