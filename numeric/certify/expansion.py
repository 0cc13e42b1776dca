"""Ends of a domain at which a function vanishes: f is divided by a power of the distance.

A ball that contains 0 does not prove that a number is 0. A coefficient counts as vanishing only
if it comes out as exactly 0: in rational arithmetic at a rational end (``ExactSeries``), or as a
ball of midpoint and radius 0; or if the caller vouches for it with a reason, which the
certificate then records as an assumption.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from flint import arb, fmpq

from numeric.balls import hull
from numeric.certify.domain import Edge, End
from numeric.certify.enclosure import BallFunction, Bound, Cell, balls

# Terms kept beyond the leading one: the remainder then shrinks like width^4, and further terms
# cost more than the bisection they save.
EXTRA_TERMS = 4


@dataclass(frozen=True)
class ZeroEnd:
    """The end of one variable's interval at which f vanishes to the given order.

    direction is +1 at a lower end and -1 at an upper end: s = direction (x - end) >= 0.
    """

    variable: str
    end: End
    direction: int
    order: int
    vanishing: str | None

    @property
    def terms(self) -> int:
        """Return the order of the remainder."""
        return self.order + EXTRA_TERMS

    def touched_by(self, cell: Cell) -> bool:
        """Return whether the cell reaches the end."""
        edge = cell[self.variable]
        if self.direction > 0:
            return bool(edge.lower <= self.end.above())
        return bool(edge.upper >= self.end.below())

    def divided_bound(self, f: BallFunction, cell: Cell) -> Bound:
        """Return a lower bound of f / s^q on the cell, q the order to which f surely vanishes."""
        whole = balls(cell)
        whole[self.variable] = whole[self.variable].union(self.end.ball())
        there = self._coefficients(f, whole)
        around = f.coefficients(self.variable, whole, self.terms, self.direction)
        if there is None or around is None:
            return Bound(arb.nan())
        order = self._vanishing_order(there)
        distance = hull(fmpq(0), self._reach(cell[self.variable]))
        taylor = _horner([*there[order : self.terms], around[self.terms]], distance)
        return Bound(_better(taylor, around[order]))

    def _coefficients(self, f: BallFunction, others: Mapping[str, arb]) -> list[arb] | None:
        """Return the Taylor coefficients at the end."""
        at = {**others, self.variable: self.end.ball()}
        if self.end.rational is None:
            return f.coefficients(self.variable, at, self.terms, self.direction)
        end = self.end.rational
        return f.exact_coefficients(self.variable, at, end, self.terms, self.direction)

    def _vanishing_order(self, coefficients: list[arb]) -> int:
        """Return how many leading coefficients vanish, at most the order claimed."""
        for k, coefficient in enumerate(coefficients[: self.order]):
            vouched_for = self.vanishing is not None and coefficient.contains(0)
            if not (coefficient.is_zero() or (vouched_for and coefficient.is_finite())):
                return k
        return self.order

    def _reach(self, edge: Edge) -> fmpq:
        """Return a rational at least the largest distance from the end within the edge."""
        return edge.upper - self.end.below() if self.direction > 0 else (self.end.above() - edge.lower)

    def assumption(self, f: BallFunction, others: Mapping[str, arb]) -> str:
        """Return what the caller vouches for at this end; empty if the balls show it."""
        if self.vanishing is None or not replace(self, vanishing=None).obstacle(f, others):
            return ""
        place = f"{self.variable} = {self.end.label}"
        return f"f vanishes to order {self.order} at {place}: {self.vanishing}"

    def obstacle(self, f: BallFunction, others: Mapping[str, arb]) -> str:
        """Return why f is not known to vanish to the claimed order here; empty if it is."""
        coefficients = self._coefficients(f, others)
        place = f"at {self.variable} = {self.end.label}"
        if coefficients is None:
            return f"f has no expansion {place} ({f.complaint or 'a power series is too short'})"
        known = self._vanishing_order(coefficients)
        if known == self.order:
            return ""
        return (
            f"coefficient {known} of f {place} is {coefficients[known]}, not exactly 0: rewrite f "
            "so that it vanishes exactly in ball arithmetic (cancel by hand, measure the variable "
            "from the end), or give the reason as vanishing="
        )


def _horner(coefficients: list[arb], x: arb) -> arb:
    value = arb(0)
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value


def _better(first: arb, second: arb) -> arb:
    """Return the enclosure with the larger lower end, a NaN losing to any other."""
    if not second.is_finite():
        return first
    if not first.is_finite():
        return second
    return first if first.lower() >= second.lower() else second
