"""What a check returns: obligations, a measured ratio, a discrepancy; and the outcome of it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from theorems.engine.claims.kinds import Answer

__all__ = [
    "Compared",
    "Discrepancy",
    "Measured",
    "Obligations",
    "Outcome",
    "brief",
    "by_ratio",
    "plain",
    "real",
]


#: What an exact check yields: the obligations of a proof, each with its decision.
Obligations = Iterator[tuple[str, bool | None]]


def real(value: Any, name: str) -> Any:
    """The value, if it is a real number: a ball, an array or a truth value is none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a real number, got {value!r}")
    return value


#: A rounding from which on one per cent could not be told.
LARGEST_ROUNDING = 0.01


@dataclass(frozen=True)
class Measured:
    """A ratio (left side) / (right side); above 1 by more than its rounding refutes.

    A ratio that is not finite decides nothing, and one whose rounding reaches a hundredth says
    nothing: a constant that is wrong by one per cent could hide in it.
    """

    ratio: float
    rounding: float = 0.0

    def __post_init__(self) -> None:
        real(self.ratio, "ratio")
        if not real(self.rounding, "rounding") >= 0:
            raise ValueError(f"rounding must lie in [0, infinity], got {self.rounding}")

    @property
    def violates(self) -> bool:
        """Whether the ratio exceeds 1 beyond what rounding could explain."""
        return math.isfinite(self.ratio) and bool(self.ratio - self.rounding > 1)

    @property
    def lost_in_rounding(self) -> bool:
        """Whether the rounding is too large for anything to be decided."""
        return not self.violates and bool(self.rounding >= LARGEST_ROUNDING)


@dataclass(frozen=True)
class Discrepancy:
    """A difference that should vanish, with the rounding error that floats may leave in it.

    ``size`` is that of the quantities whose difference it is; an allowance of a hundredth of it
    says nothing.
    """

    error: float
    allowed: float
    size: float = 1.0

    def __post_init__(self) -> None:
        real(self.error, "error")
        for name in ("allowed", "size"):
            if not 0 <= real(getattr(self, name), name) < math.inf:
                raise ValueError(f"{name} must lie in [0, infinity), got {getattr(self, name)}")

    @property
    def ratio(self) -> float:
        """The size of the difference in units of the allowed rounding."""
        if self.allowed > 0:
            return float(abs(self.error) / self.allowed)
        return 0.0 if self.error == 0 else math.inf

    @property
    def violates(self) -> bool:
        """Whether the difference exceeds the rounding that was allowed."""
        return math.isfinite(self.error) and bool(abs(self.error) > self.allowed)

    @property
    def lost_in_rounding(self) -> bool:
        """Whether the allowance is too large for anything to be decided."""
        return not self.violates and bool(self.allowed > LARGEST_ROUNDING * self.size)


@dataclass(frozen=True)
class Compared:
    """Both sides of a formula at one case, compared in ball arithmetic.

    ``ratio`` is the left side over the right one, known up to ``rounding``; for an equation it is
    the distance of the sides in units of their rounding.
    """

    answer: bool | None
    ratio: float
    rounding: float
    equation: bool

    @property
    def violates(self) -> bool:
        """Whether balls show that the relation fails."""
        return self.answer is False

    @property
    def lost_in_rounding(self) -> bool:
        """Whether the rounding is too large for anything to be decided."""
        limit = math.inf if self.equation else LARGEST_ROUNDING
        return not self.violates and bool(self.rounding >= limit)


@dataclass(frozen=True)
class Outcome:
    """The answer of one check with its numbers.

    ``tightness`` is the largest ratio of left to right side that was found; ``witness`` says
    where; ``numbers`` holds what else was measured.  ``seen`` are the quantities of the cases of a
    search, at which variants of a formula can be evaluated without searching again;
    ``derivations`` are those that a proof goes through.
    """

    answer: Answer
    summary: str
    tightness: float | None = None
    cases: int | None = None
    witness: str | None = None
    numbers: Mapping[str, Any] = field(default_factory=dict)
    seen: tuple[Any, ...] = field(default=(), repr=False, compare=False)
    theorem: Any = field(default=None, repr=False, compare=False)
    derivations: tuple[Any, ...] = field(default=(), repr=False, compare=False)

    def as_json(self) -> dict[str, Any]:
        """Data that strict JSON can hold, on one line each and the same in every process."""
        answer, witness = self.answer.value, self.witness and brief(self.witness)
        words = {"answer": answer, "summary": brief(self.summary), "witness": witness}
        fields = {name: value for name, value in vars(self).items() if name not in _PASSING}
        return dict(plain({**fields, **words}))

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Outcome:
        """The value that :meth:`as_json` wrote; KeyError, TypeError or ValueError otherwise."""
        numbers = dict(data["numbers"])
        for kind, name, detail in numbers.get("trusts", ()):
            if not all(isinstance(one, str) for one in (kind, name, detail)):
                raise TypeError(f"a leaf of a proof is three texts, got {[kind, name, detail]!r}")
        for entry in (*numbers.get("untried", ()), *numbers.get("stand for", ())):
            if not (isinstance(entry, list | tuple) and [*map(type, entry)] == [str] * 3):
                raise TypeError(f"a letter or a meaning is told in three texts, got {entry!r}")
        return Outcome(
            answer=Answer(data["answer"]),
            summary=data["summary"],
            tightness=None if data["tightness"] is None else float(data["tightness"]),
            cases=None if data["cases"] is None else int(data["cases"]),
            witness=data["witness"],
            numbers=numbers,
        )

    def kept(self) -> Outcome:
        """The outcome as it is written and read again: without what serves in one process only."""
        return Outcome.from_json(self.as_json())


#: What is of use in the same process only.
_PASSING = {"seen", "theorem", "derivations"}


def by_ratio(ratio: float) -> str:
    """By how much a bound is exceeded, if this is a number.

    >>> by_ratio(1.5), by_ratio(math.inf)
    (': ratio 1.5', '')
    """
    return f": ratio {ratio:.6g}" if math.isfinite(ratio) else ""


def brief(text: Any, width: int = 300) -> str:
    r"""A value on one line of at most ``width`` characters, without addresses in memory.

    >>> brief("<Layer at 0x7f00>  of\n  width 3")
    '<Layer> of width 3'
    """
    line = re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(str(text).split()))
    return line if len(line) <= width else line[: width - 3] + "..."


def plain(value: Any) -> Any:
    """Plain data; what JSON cannot say (NaN, infinity, a fraction, a ball) becomes text.

    >>> plain({"margin": float("inf"), "boxes": (1, 2)})
    {'margin': 'inf', 'boxes': [1, 2]}
    """
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    finite = isinstance(value, float) and math.isfinite(value)
    return value if finite or value is None or isinstance(value, bool | int | str) else brief(value)
