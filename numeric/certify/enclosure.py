"""Lower bounds of a function on a cell, each of them valid whatever the rounding.

Write X for the cell (a product of intervals) and f for the function, given as a Python callable
of keyword arguments that works in ball arithmetic.

Plain          f(X), evaluated in balls, contains the values of f on X.
Mean value     If every partial derivative is enclosed, g_i containing d_i f(X), then for any c in X
                   f(x) = f(c) + sum_i d_i f(xi) (x_i - c_i).
               Take for c_i the lower end if g_i >= 0, the upper end if g_i <= 0 (these terms are
               then nonnegative), and otherwise the midpoint, at the cost |g_i| width_i / 2.
Divided        At an end e where f vanishes to order q, with s >= 0 the distance from e,
                   f / s^q = sum_{q <= k < n} c_k s^(k-q) + s^(n-q) c_n(xi),
               c_k the Taylor coefficients in s at e, c_n(xi) that of order n at a point of X
               (Taylor's theorem with Lagrange's remainder, enclosed by expanding at all of X).

Derivatives come from power series over balls, which are finite only where the operations are
analytic. A variable in which f does not accept a series (an absolute value, a maximum) keeps its
whole interval in the mean value form.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from flint import arb, arb_series, fmpq, fmpq_series

from numeric.balls import hull
from numeric.certify.domain import Edge
from numeric.certify.exact_series import ExactSeries

Function = Callable[..., arb]
Cell = Mapping[str, Edge]


class BallFunction:
    """f with its failures made harmless: what is undefined or unbounded is a NaN ball."""

    def __init__(self, f: Function) -> None:
        self._f = f
        self.complaint = ""

    def __call__(self, arguments: Mapping[str, arb]) -> arb:
        """Return the ball f(arguments), NaN where f raises an error of domain or arithmetic.

        Raises: TypeError if f returns anything but an arb.
        """
        value = self._guarded(arguments)
        if value is None:
            return arb.nan()
        if not isinstance(value, arb):
            raise TypeError(f"f must return an arb, got {type(value).__name__}: {value!r}")
        return value

    def coefficients(
        self, name: str, at: Mapping[str, arb], order: int, direction: int = 1
    ) -> list[arb] | None:
        """Return Taylor coefficients 0..order of s -> f(name = at[name] + direction s).

        None where the expansion does not exist or is too short. flint takes the length of every
        intermediate series from its context, which the caller sets to order + 1 at least.
        Raises: TypeError or AttributeError if f does not accept a series there.
        """
        return self._expanded(name, at, arb_series([at[name], direction], prec=order + 1), order)

    def exact_coefficients(
        self, name: str, at: Mapping[str, arb], end: fmpq, order: int, direction: int
    ) -> list[arb] | None:
        """Return these coefficients at a rational, exact zeros found in rational arithmetic."""
        series = ExactSeries(fmpq_series([end, direction], prec=order + 1))
        try:
            return self._expanded(name, at, series, order)
        except (TypeError, AttributeError):  # f insists on balls
            return self.coefficients(name, at, order, direction)

    def _expanded(
        self, name: str, at: Mapping[str, arb], series: ExactSeries | arb_series, order: int
    ) -> list[arb] | None:
        value = self._guarded({**at, name: series})
        if value is None:
            return None
        if isinstance(value, ExactSeries):
            value = value.balls()
        if not isinstance(value, arb_series):
            raise TypeError(f"f must return an arb_series for an arb_series in {name}")
        # Beyond its own length a series answers 0 for every coefficient, which would be a lie.
        if value.prec <= order:
            return None
        return [value[k] for k in range(order + 1)]

    def slope(self, name: str, at: Mapping[str, arb]) -> arb:
        """Return a ball containing every partial derivative on these balls, NaN if unknown."""
        try:
            coefficients = self.coefficients(name, at, order=1)
        except (TypeError, AttributeError):
            return arb.nan()
        known = coefficients is not None and all(c.is_finite() for c in coefficients)
        return coefficients[1] if coefficients is not None and known else arb.nan()

    def _guarded(self, arguments: Mapping[str, object]) -> object:
        try:
            return self._f(**arguments)
        except (ValueError, ArithmeticError) as error:
            self.complaint = str(error)
            return None

    def differentiable_in(self, at: Mapping[str, arb]) -> tuple[str, ...]:
        """Return the variables in which f accepts power series."""
        return tuple(name for name in at if self._accepts_series(name, at))

    def _accepts_series(self, name: str, at: Mapping[str, arb]) -> bool:
        try:
            self.coefficients(name, at, order=1)
        except (TypeError, AttributeError):
            return False
        return True


@dataclass(frozen=True)
class Bound:
    """A lower bound of f (or f / s^order) on a cell, and what is worth knowing about it.

    ball    its lower end is at most every value of f on the cell; NaN if no bound was found
    corner  the point where f is probably smallest, if the derivatives tell
    """

    ball: arb
    corner: Mapping[str, fmpq] | None = None


def balls(cell: Cell) -> dict[str, arb]:
    """Return the cell as balls."""
    return {name: hull(edge.lower, edge.upper) for name, edge in cell.items()}


def plain_bound(f: BallFunction, cell: Cell) -> Bound:
    """Return the bound of the plain enclosure."""
    return Bound(f(balls(cell)))


def mean_value_bound(f: BallFunction, cell: Cell, smooth: Sequence[str]) -> Bound | None:
    """Return the bound of the mean value form in the smooth variables, None where it fails."""
    whole = balls(cell)
    slopes = {name: g for name in smooth if (g := f.slope(name, whole)).is_finite()}
    if len(slopes) < len(smooth):
        return None
    corner = {n: lowest(edge, slopes.get(n)) for n, edge in cell.items()}
    at = {name: arb(corner[name]) if name in slopes else whole[name] for name in cell}
    loss = sum((_loss(g, cell[n]) for n, g in slopes.items()), arb(0))
    return Bound(f(at) - loss, corner)


def descend(f: BallFunction, cell: Cell, names: Sequence[str]) -> Cell:
    """Return the cell with each named edge shrunk to its lowest point, if f is monotonic there.

    The least value of f on the cell, whatever the remaining variables, is taken on the face.
    """
    whole = balls(cell)
    face = dict(cell)
    for name in names:
        slope = f.slope(name, whole)
        if slope >= 0 or slope <= 0:
            end = lowest(cell[name], slope)
            face[name] = Edge(end, end)
    return face


def spread(f: BallFunction, cell: Cell, name: str) -> float:
    """Return the radius of f with this variable on its edge and the others at the centre."""
    at = {n: arb(edge.middle()) for n, edge in cell.items()}
    value = f({**at, name: hull(cell[name].lower, cell[name].upper)})
    return float(value.rad()) if value.is_finite() else math.inf


def lowest(edge: Edge, slope: arb | None) -> fmpq:
    """Return where on the edge a function with this slope is smallest, the middle if unknown."""
    if slope is not None and slope >= 0:
        return edge.lower
    if slope is not None and slope <= 0:
        return edge.upper
    return (edge.lower + edge.upper) / 2


def _loss(slope: arb, edge: Edge) -> arb:
    """Return how far the values can fall below that at ``lowest``."""
    if slope >= 0 or slope <= 0:
        return arb(0)
    return abs(slope).upper() * arb(edge.width / 2)
