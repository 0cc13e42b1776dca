"""Gaussian expectations as balls that contain the truth, by rigorous integration.

A function is given by its analytic pieces, so that an interval of integration that ends at a kink
has no singularity at its end. Its growth is bounded by the caller, |f(u)| <= C e^(c|u|), which
makes what lies beyond a radius an explicit error. All else is bounded by the arithmetic.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath
from flint import acb, arb

from numeric.arguments import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    Interval,
    closed,
    exact_number,
    pair,
    precision_bits,
    sequence,
)
from numeric.balls import acos_clipped, ball, working_precision
from numeric.quadrature.polar import DEGREES

Piece = Callable[[acb, int, bool], acb]
PiecePair = Callable[[acb, acb, tuple[int, int], bool], acb]

COSINE = closed(-1, 1)
# Bits beyond those asked for, against the rounding errors of some thousand evaluations.
GUARD_BITS = 24
# Growth is compared at this many points less one per piece.
_COMPARISONS = 8


class Growth(NamedTuple):
    """The bound factor e^(rate |u|) on |f(u)|; for a pair, factor e^(rate (|u1| + |u2|))."""

    factor: Any = 1
    rate: Any = 0

    def balls(self) -> tuple[arb, arb]:
        """Return factor and rate as balls. Raises: ValueError if one is negative."""
        return number("growth", self.factor, NONNEGATIVE), number("growth", self.rate, NONNEGATIVE)


def enclose_expectation(
    f: Piece, *, variance: Any = 1, breaks: Sequence[Any] = (), growth: Growth, prec: int = 64
) -> arb:
    """Return a ball around E f(u) for a centred Gaussian u, of a radius about 2^-prec.

    f(u, piece, analytic) is called with complex balls u and the number of a piece, from 0 left of
    the first break to len(breaks) right of the last, and answers the analytic function that f is
    on that piece. If ``analytic`` is true it must answer a non-finite ball where that function is
    not analytic on all of u: methods of acb that have to know take this flag, as in
    ``u.sqrt(analytic=analytic)``, and meromorphic functions may ignore it.

    growth: factor and rate with |f(u)| <= factor e^(rate |u|) for all real u, vouched for by the
    caller. Numbers are int, Fraction, decimal string, float or mpf, taken exactly.

    prec lies in [16, MOST_BITS], as everywhere in this package.

    Raises: ValueError outside the domains, if variance is 0 and f has a break at 0, or if f
    exceeds its growth at a point of comparison; TypeError for what is no number.

    >>> def absolute(u, piece, analytic):
    ...     return u if piece == 1 else -u
    >>> mean = enclose_expectation(absolute, breaks=[0], growth=Growth(1, 1))
    >>> mean.overlaps((2 / arb.pi()).sqrt()), mean.rad() < arb(2) ** -60
    (True, True)
    """
    with precision(prec):
        deviation = number("variance", variance, NONNEGATIVE).sqrt()
        points = break_points(breaks)
        if deviation == 0:
            return f(acb(0), piece_at_zero(points), False).real
        cuts = [ball(b) / deviation for b in points]
        return mean_on_line(
            lambda x, k, analytic: f(deviation * x, k, analytic), cuts, growth, deviation, prec
        )


def enclose_homogeneous_expectation(
    f: PiecePair, rho: Any, *, degree: Any, variances: tuple[Any, Any] = (1, 1), prec: int = 64
) -> arb:
    """Return a ball around E f(u1, u2) for f homogeneous and analytic in each quadrant.

    (u1, u2) is centred Gaussian with correlation rho in [-1, 1], ends included, and positive
    variances; f(c u1, c u2) = c^degree f(u1, u2) for c > 0. f(u1, u2, piece, analytic) is called
    as by ``enclose_expectation``, piece being the pair of 0 (negative) or 1 (positive) for u1, u2.
    The radius integrates to 2^(degree/2) Gamma(degree/2 + 1); the four sectors have known angles.

    Raises: ValueError outside the domains, for degree (-2, 10^6]; TypeError for what is no number.

    >>> def product(u1, u2, piece, analytic):
    ...     return u1 * u2
    >>> enclose_homogeneous_expectation(product, "0.5", degree=2).contains(0.5)
    True
    """
    with precision(prec):
        cosine = number("rho", rho, COSINE)
        sine = ((1 - cosine) * (1 + cosine)).sqrt()
        s1, s2 = (number("variances", v, POSITIVE).sqrt() for v in pair("variances", variances, of="v1, v2"))
        half = number("degree", degree, DEGREES) / 2
        total = arb(0)
        for piece, start, length in _quadrants(cosine):

            def on_circle(t: acb, analytic: bool, at: Any = (piece, start, length)) -> acb:
                piece, start, length = at
                y, x = (start + length * t).sin_cos()
                return f(s1 * x, s2 * (cosine * x + sine * y), piece, analytic)

            total += length * acb.integral(on_circle, 0, 1).real
        return total * arb(2) ** half * (half + 1).gamma() / (2 * arb.pi())


def _quadrants(cosine: arb) -> Iterator[tuple[tuple[int, int], arb, arb]]:
    """Yield piece, first angle and length; u1 ~ cos t, u2 ~ cos(t - acos rho)."""
    between, quarter = acos_clipped(cosine), arb.pi() / 2
    yield (1, 1), between - quarter, 2 * quarter - between
    yield (0, 1), quarter, between
    yield (0, 0), quarter + between, 2 * quarter - between
    yield (1, 0), -quarter, between


# What the enclosures in one and in two variables share.


def precision(prec: int) -> Any:
    """Return the context in which to enclose to so many bits."""
    return working_precision(precision_bits(prec) + GUARD_BITS)


def number(name: str, value: Any, domain: Interval = REAL) -> arb:
    """Return an exact number of a domain as a ball."""
    return ball(exact_number(name, value, domain))


def fraction(name: str, value: Any, domain: Interval = REAL) -> Fraction:
    """Return an exact number of a domain as a fraction, for exact comparisons."""
    exact = exact_number(name, value, domain)
    if isinstance(exact, Fraction):
        return exact
    return Fraction(*mpmath.libmp.to_rational(exact._mpf_))


def break_points(breaks: Sequence[Any]) -> list[Fraction]:
    """Return the points where a function jumps or has a kink, in order."""
    return sorted(fraction("breaks", b) for b in sequence("breaks", breaks, of="numbers"))


def mean_on_line(g: Piece, cuts: Sequence[arb], growth: Growth, scale: arb, prec: int) -> arb:
    """Return a ball around E g(x), x standard normal, |g(x)| <= factor e^(rate scale |x|).

    The cuts between the pieces of g are balls in increasing order.
    """
    factor, rate = growth.balls()
    steepness = rate * scale
    reach = safe_reach(steepness, prec)
    ends = [-reach, *(within(cut, reach) for cut in cuts), reach]
    total = arb(0)
    for piece, (lower, upper) in enumerate(itertools.pairwise(ends)):
        for k in range(1, _COMPARISONS):
            x = (lower + (upper - lower) * k / _COMPARISONS).mid()
            check_growth(g(acb(x), piece, False), factor * (steepness * abs(x)).exp())

        def weighted(x: acb, analytic: bool, piece: int = piece) -> acb:
            return g(x, piece, analytic) * density(x)

        total += acb.integral(weighted, lower, upper).real
    return total + arb(0, 1) * factor * mass_beyond(steepness, reach)


def piece_at_zero(breaks: Sequence[Fraction]) -> int:
    """Return the piece on which 0 lies. Raises: ValueError if it is a break."""
    if 0 in breaks:
        raise ValueError("variance must be positive if f has a break at 0, got 0")
    return sum(b < 0 for b in breaks)


def density(x: acb) -> acb:
    """Return the standard normal density."""
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


def safe_reach(steepness: arb, prec: int) -> arb:
    """Return an exact L beyond which e^(steepness |x|) has a Gaussian mean of at most 2^-prec.

    With L = k + m + sqrt(2 log 2 (prec + 1)), the mean is e^(k^2/2) erfc((L - k)/sqrt 2), which
    is at most e^(k^2/2 - (L - k)^2/2) <= 2^-(prec + 1) once m = k.
    """
    return (2 * steepness + (2 * arb.const_log2() * (prec + 1)).sqrt()).upper()


def mass_beyond(steepness: arb, reach: arb) -> arb:
    """Return the mean of e^(steepness |x|) over |x| > reach, x standard normal.

    It is 2 e^(k^2/2) (1 - Phi(L - k)), by completing the square.
    """
    return (steepness * steepness / 2).exp() * ((reach - steepness) / arb(2).sqrt()).erfc()


def within(x: arb, reach: arb) -> arb:
    """Return x cut down to [-reach, reach], where it may lie outside."""
    return -reach if x < -reach else reach if x > reach else x


def check_growth(value: acb, bound: arb) -> None:
    """Raise: ValueError if |f| certainly exceeds the bound vouched for."""
    if abs(value) > bound:
        raise ValueError(f"growth must bound f, got |f| = {abs(value)} above {bound}")
