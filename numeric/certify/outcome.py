"""What a certification answers: a decision, and what stands behind it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import NoReturn


class Decision(Enum):
    """The three answers of a certification; only the first two are theorems."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Range:
    """The interval one variable was covered over, its ends as printed.

    >>> str(Range("0", "pi", lower_open=True))
    '(0, pi]'
    """

    lower: str
    upper: str
    lower_open: bool = False
    upper_open: bool = False

    def __str__(self) -> str:
        left, right = "[("[self.lower_open], "])"[self.upper_open]
        return f"{left}{self.lower}, {self.upper}{right}"


@dataclass(frozen=True)
class Witness:
    """An exact point of the domain at which the inequality fails, and the ball of f there."""

    point: Mapping[str, Fraction]
    value: str

    def __str__(self) -> str:
        where = ", ".join(f"{name} = {x}" for name, x in self.point.items())
        return f"f = {self.value} at {where or 'the only point'}"


@dataclass(frozen=True)
class Certificate:
    """The answer of a certification together with what was examined to reach it.

    decision      PROVED: the relation holds at every point of ``domain``. REFUTED: it fails at
                  ``witness``. UNDECIDED: neither was shown, for ``reason``.
    relation      the inequality judged, such as ``f > 0``
    domain        the range of each variable, with its open ends
    boxes, depth  boxes examined, and the largest number of bisections that led to one
    margin        if PROVED: a lower bound of f over the boxes away from the ends where f
                  vanishes (rounded down; None if there was no such box)
    end_margin    if PROVED: a lower bound of f / distance^order over the boxes at those ends
    assumptions   what the caller vouched for; empty for an unconditional result
    witness       the point of failure, if REFUTED
    precision     working precision in bits
    method        the enclosures used
    reason        why nothing was decided, if UNDECIDED; otherwise empty

    A certificate has no truth value, for an undecided one is neither true nor false.

    Raises: TypeError when truth-tested.
    """

    decision: Decision
    relation: str
    domain: Mapping[str, Range]
    boxes: int
    depth: int
    precision: int
    method: str
    margin: float | None = None
    end_margin: float | None = None
    witness: Witness | None = None
    reason: str = ""
    assumptions: tuple[str, ...] = field(default=())

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a Certificate has three answers and no truth value: compare its .decision with "
            "Decision.PROVED, Decision.REFUTED or Decision.UNDECIDED"
        )

    def __str__(self) -> str:
        domain = ", ".join(f"{name} in {range_}" for name, range_ in self.domain.items())
        cost = f"{self.boxes} boxes, depth {self.depth}, {self.precision} bits, {self.method}"
        detail = {Decision.REFUTED: str(self.witness), Decision.UNDECIDED: self.reason}
        why = detail.get(self.decision, "")
        return f"{self.decision.value}: {self.relation} for {domain} ({cost})" + (f"; {why}" if why else "")


def conjunction(parts: Sequence[Certificate], *, relation: str, domain: Mapping[str, Range]) -> Certificate:
    """Return the certificate of "every part holds".

    One refuted part refutes the whole; otherwise one undecided part leaves it undecided.
    """
    order = (Decision.REFUTED, Decision.UNDECIDED, Decision.PROVED)
    decisive = min(parts, key=lambda part: order.index(part.decision))
    proved = decisive.decision is Decision.PROVED
    return replace(
        decisive,
        relation=relation,
        domain=domain,
        boxes=sum(part.boxes for part in parts),
        depth=max(part.depth for part in parts),
        precision=max(part.precision for part in parts),
        method="; ".join(dict.fromkeys(part.method for part in parts)),
        margin=_least(part.margin for part in parts) if proved else None,
        end_margin=_least(part.end_margin for part in parts) if proved else None,
        assumptions=tuple(dict.fromkeys(a for p in parts for a in p.assumptions if proved)),
    )


def _least(margins: Iterable[float | None]) -> float | None:
    """Return the smallest of the margins that exist."""
    known = [m for m in margins if m is not None]
    return min(known) if known else None
