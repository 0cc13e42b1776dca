"""Rigorous expectations of a Gaussian pair with breaks along lines parallel to the axes.

With independent standard normals, u1 = s1 x and u2 = s2 (rho x + sigma y). The inner integral
runs over y in [-L, L], cut where u2 meets a break b: at y = (b/s2 - rho x)/sigma, a point of the
complex plane when x is complex, along straight segments on which the piece of f is analytic. As
x moves, such a cut enters and leaves [-L, L] at x = (b/s2 -+ sigma L)/rho. Between these points
and the breaks of u1, the inner integral is an analytic function of x, however close rho is to 1
or -1, and is integrated in turn.
"""

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from flint import acb, arb

from numeric.arguments import NONNEGATIVE, pair
from numeric.balls import ball
from numeric.quadrature.enclosures import (
    COSINE,
    Growth,
    PiecePair,
    break_points,
    check_growth,
    density,
    fraction,
    mass_beyond,
    mean_on_line,
    piece_at_zero,
    precision,
    safe_reach,
)


def enclose_bivariate_expectation(
    f: PiecePair,
    rho: Any,
    *,
    variances: tuple[Any, Any] = (1, 1),
    breaks: tuple[Sequence[Any], Sequence[Any]] = ((), ()),
    growth: Growth,
    prec: int = 48,
) -> arb:
    """Return a ball around E f(u1, u2) for a centred Gaussian pair, of a radius about 2^-prec.

    f(u1, u2, piece, analytic) is called as by ``enclose_expectation``, with the pair of the
    pieces on which u1 and u2 lie; breaks holds those of u1 and those of u2. Correlation rho in
    [-1, 1], variances in [0, infinity).

    Raises: as ``enclose_expectation``; ArithmeticError if the precision does not tell the order of
    the points of subdivision.

    >>> def product(u1, u2, piece, analytic):
    ...     return u1.tanh() * u2.tanh()
    >>> mean = enclose_bivariate_expectation(product, 0, growth=Growth(1, 0), prec=30)
    >>> mean.contains(0), mean.rad() < arb(2) ** -28
    (True, True)
    """
    with precision(prec):
        correlation = fraction("rho", rho, COSINE)
        v1, v2 = (fraction("variances", v, NONNEGATIVE) for v in pair("variances", variances, of="v1, v2"))
        breaks1, breaks2 = map(break_points, pair("breaks", breaks, of="those of u1, those of u2"))
        if v1 == 0 or v2 == 0 or abs(correlation) == 1:
            line = _Line(f, -1 if correlation < 0 else 1, (v1, v2), (breaks1, breaks2))
            return line.mean(growth, prec)
        return _Plane(f, correlation, (v1, v2), (breaks1, breaks2)).mean(growth, prec)


class _Line:
    """The degenerate pair u1 = s1 x, u2 = sign s2 x, where s1 or s2 may be 0."""

    def __init__(
        self,
        f: PiecePair,
        sign: int,
        variances: tuple[Fraction, Fraction],
        breaks: tuple[list[Fraction], list[Fraction]],
    ) -> None:
        self.f = f
        self.scales = [ball(v).sqrt() * e for v, e in zip(variances, (1, sign), strict=True)]
        self._breaks, self._variances, self._signs = breaks, variances, (1, sign)
        self._cuts = [self._squares(k) for k in (0, 1)]
        self.squares = sorted({*self._cuts[0], *self._cuts[1]})

    def _squares(self, k: int) -> list[Fraction]:
        """Return the signed squares of the cuts in x: exact, so that equal cuts are seen as one."""
        v = self._variances[k]
        return [self._signs[k] * b * abs(b) / v for b in self._breaks[k]] if v else []

    def mean(self, growth: Growth, prec: int) -> arb:
        cuts = [ball(abs(q)).sqrt() * (1 if q > 0 else -1) for q in self.squares]
        pieces = [tuple(self._piece(i, k) for k in (0, 1)) for i in range(len(cuts) + 1)]
        scale1, scale2 = self.scales

        def g(x: acb, i: int, analytic: bool) -> acb:
            return self.f(scale1 * x, scale2 * x, (pieces[i][0], pieces[i][1]), analytic)

        return mean_on_line(g, cuts, growth, abs(scale1) + abs(scale2), prec)

    def _piece(self, i: int, k: int) -> int:
        """Return the piece of u_k between the cuts i - 1 and i."""
        if not self._variances[k]:
            return piece_at_zero(self._breaks[k])
        passed = sum(q in self.squares[:i] for q in self._cuts[k])
        return passed if self._signs[k] > 0 else len(self._cuts[k]) - passed


class _Plane:
    """The regular pair: positive variances, rho strictly between -1 and 1."""

    def __init__(
        self,
        f: PiecePair,
        rho: Fraction,
        variances: tuple[Fraction, Fraction],
        breaks: tuple[list[Fraction], list[Fraction]],
    ) -> None:
        self.f = f
        self.rho, self.sigma = ball(rho), ball((1 - rho) * (1 + rho)).sqrt()
        self.s1, self.s2 = (ball(v).sqrt() for v in variances)
        self.lines1 = [ball(b) / self.s1 for b in breaks[0]]
        self.lines2 = [ball(b) / self.s2 for b in breaks[1]]

    def mean(self, growth: Growth, prec: int) -> arb:
        """Return the ball, from the square |x|, |y| <= reach and a bound beyond."""
        factor, rate = growth.balls()
        steepness = rate * (self.s1 + self.s2)
        whole = mass_beyond(steepness, arb(0))
        tails = prec + _TAIL_BITS + int(float(whole.log().upper()) * 2)  # log 2 > 1/2
        reach, ends = self._subdivision(safe_reach(steepness, tails))
        total = arb(0)
        for lower, upper in itertools.pairwise(ends):
            middle = ((lower + upper) / 2).mid()
            strip = _Strip(self, middle, reach, prec)
            for x, y, value in strip.samples(lower, upper):
                check_growth(value, factor * (steepness * (abs(x) + abs(y))).exp())
            total += acb.integral(strip.inner_times_density, lower, upper, **strip.tolerance).real
        return total + arb(0, 1) * factor * 2 * whole * mass_beyond(steepness, reach)

    def _subdivision(self, least: arb) -> tuple[arb, list[arb]]:
        """Return a reach L of at least `least`, and the ends of the strips in x, in order.

        Where two ends cannot be told apart, a slightly larger L moves them.
        """
        for k in range(8):
            reach = (least * (1 + arb(k) / 64)).upper()
            ends = sorted([-reach, *self._cuts(reach), reach], key=lambda x: float(x.mid()))
            if all(a < b for a, b in itertools.pairwise(ends)):
                return reach, ends
        raise ArithmeticError("the breaks of f are too close together for this precision")

    def _cuts(self, reach: arb) -> list[arb]:
        cuts = list(self.lines1)
        if self.rho != 0:
            cuts += [(b + k * self.sigma * reach) / self.rho for b in self.lines2 for k in (-1, 1)]
        return [x for x in cuts if not abs(x) > reach]


class _Strip:
    """The values of x between two ends: f has one piece in u1, and fixed cuts in y."""

    def __init__(self, plane: _Plane, middle: arb, reach: arb, prec: int) -> None:
        self._plane, self._reach = plane, reach
        self._piece1 = sum(b < middle for b in plane.lines1)
        heights = [self._height(b, middle) for b in plane.lines2]
        self._lowest = sum(y < -reach for y in heights)
        self._inside = [b for b, y in zip(plane.lines2, heights, strict=True) if abs(y) < reach]
        small = arb(2) ** -(prec + _TAIL_BITS)
        self.tolerance: dict[str, Any] = {"rel_tol": small, "abs_tol": small}
        self._wide = arb(2) ** -(prec // 2)

    def _height(self, line: arb, x: Any) -> Any:
        return (line - self._plane.rho * x) / self._plane.sigma

    def _segments(self, x: Any) -> Iterator[tuple[int, Any, Any]]:
        """Yield the piece in u2 and the ends of each segment in y."""
        ends = [-self._reach, *(self._height(b, x) for b in self._inside), self._reach]
        for piece2, (lower, upper) in enumerate(itertools.pairwise(ends), self._lowest):
            yield piece2, lower, upper

    def _value(self, x: acb, y: acb, piece2: int, analytic: bool) -> acb:
        plane = self._plane
        u2 = plane.s2 * (plane.rho * x + plane.sigma * y)
        return plane.f(plane.s1 * x, u2, (self._piece1, piece2), analytic)

    def samples(self, left: arb, right: arb) -> Iterator[tuple[arb, arb, acb]]:
        """Yield x, y and f(x, y) at points of every cell of the strip."""
        for i, k in itertools.product(_SHARES, _SHARES):
            x = (left + (right - left) * i / 4).mid()
            for piece2, lower, upper in self._segments(x):
                y = (lower + (upper - lower) * k / 4).mid()
                yield x, y, self._value(acb(x), acb(y), piece2, False)

    def inner_times_density(self, x: acb, analytic: bool) -> acb:
        """Return the integral over y, times the density of x.

        On a wide ball x it only serves to bound the integrand, and a rough value will do.
        """
        effort = _ROUGH if x.rad() > self._wide else self.tolerance
        total = acb(0)
        for piece2, lower, upper in self._segments(x):

            def weighted(y: acb, inner: bool, piece2: int = piece2) -> acb:
                return self._value(x, y, piece2, analytic or inner) * density(y)

            total += acb.integral(weighted, lower, upper, **effort)
        return total * density(x)


# Kept of a tail, or of an inner integral, below the precision asked for.
_TAIL_BITS = 8
_SHARES = (1, 2, 3)  # in quarters: where growth is compared
_ROUGH: dict[str, Any] = {"rel_tol": arb(1) / 4, "abs_tol": arb(1) / 1024, "eval_limit": 64, "depth_limit": 8}
