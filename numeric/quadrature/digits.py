"""Gaussian expectations to many digits, straight from the definition (mpmath)."""

import functools
import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from mpmath import mp, mpf

from numeric.arguments import (
    NONNEGATIVE,
    REAL,
    Interval,
    closed,
    decimal_digits,
    exact_number,
    pair,
    sequence,
)
from numeric.quadrature.polar import DEGREES, sector_ends
from numeric.quadrature.radial import Ray, Rule, converged_rule, not_converged

COSINE = closed(-1, 1)

# Digits carried beyond those asked for: sums of some thousand terms lose four, and differences
# of successive refinements must still say something about the digit after the last.
_GUARD_DIGITS = 8


def expectation(
    f: Callable[[Any], Any], *, variance: Any = 1, breaks: Sequence[Any] = (), digits: int = 15
) -> mpf:
    """Return E f(u) for a centred Gaussian u, f a function of an mpmath number.

    breaks: every point where f or a derivative of it jumps. Numbers are int, Fraction, decimal
    string, float or mpf, taken exactly. The result has so many digits relative to E|f(u)|, as far
    as successive refinements can tell; variance 0 gives f(0).

    Raises: ValueError for a negative variance, TypeError for what is no number, ArithmeticError
    if the quadrature does not settle (an unnamed break, or an infinite expectation).

    >>> print(mp.nstr(expectation(abs, breaks=[0], digits=30), 30))   # sqrt(2 / pi)
    0.797884560802865355879892119869
    """
    with mp.workdps(decimal_digits(digits) + _GUARD_DIGITS):
        deviation = mp.sqrt(_exact("variance", variance, NONNEGATIVE))
        points = [_exact("breaks", b) for b in sequence("breaks", breaks, of="numbers")]
        if deviation == 0:
            value = mp.mpmathify(f(mpf(0)))
        else:
            rays = [_half(f, sign * deviation, points) for sign in (1, -1)]
            rule = converged_rule(rays, digits)
            value = mp.fsum(rule.integral(ray) for ray in rays)
    return _result(value, digits)


def _half(f: Callable[[Any], Any], scale: Any, breaks: Sequence[Any]) -> Ray:
    return Ray(lambda x: f(scale * x) * mp.npdf(x), [b / scale for b in breaks])


def bivariate_expectation(
    f: Callable[[Any, Any], Any],
    rho: Any,
    *,
    variances: tuple[Any, Any] = (1, 1),
    breaks: tuple[Sequence[Any], Sequence[Any]] = ((), ()),
    degree: Any = None,
    digits: int = 15,
) -> mpf:
    """Return E f(u1, u2) for a centred Gaussian pair with correlation rho and these variances.

    breaks: the points where f jumps or has a kink in u1, and those in u2. degree: if f is
    homogeneous, f(c u1, c u2) = c^degree f(u1, u2) for c > 0, its degree; the radius then
    integrates to a Gamma function and one integral over the angle is left. Digits, numbers and
    errors as for ``expectation``, and ValueError for rho outside [-1, 1] or degree outside
    (-2, 10^6] (up to -2 nothing is integrable).

    >>> value = bivariate_expectation(lambda x, y: abs(x * y), "0.5", breaks=([0], [0]), degree=2)
    >>> exact = (2 / mp.pi) * (mp.sqrt(3) / 2 + mp.pi / 12)
    >>> abs(value - exact) < 1e-15
    True
    """
    if degree is not None:
        exact_number("degree", degree, DEGREES)
    with mp.workdps(decimal_digits(digits) + _GUARD_DIGITS):
        pair = _Pair(f, rho, variances, breaks)
        value = pair.mean_over_angles(pair.over_radius(degree, digits), digits)
    return _result(value, digits)


class _Pair:
    """The integrand in polar coordinates, at the working precision."""

    def __init__(
        self,
        f: Callable[[Any, Any], Any],
        rho: Any,
        variances: tuple[Any, Any],
        breaks: tuple[Sequence[Any], Sequence[Any]],
    ) -> None:
        self.f = f
        self.rho = _exact("rho", rho, COSINE)
        self.sigma = mp.sqrt((1 - self.rho) * (1 + self.rho))
        self.deviations = [
            mp.sqrt(_exact("variances", v, NONNEGATIVE)) for v in pair("variances", variances, of="v1, v2")
        ]
        points = [
            [_exact("breaks", b) for b in sequence("breaks", each, of="numbers")]
            for each in pair("breaks", breaks, of="those of u1, those of u2")
        ]
        self.lines = [
            [b / s for b in each] if s else [] for each, s in zip(points, self.deviations, strict=True)
        ]
        ends = sorted(sector_ends(mp, self.rho, self.sigma, *self.lines))
        self.sectors = [(a, b) for a, b in itertools.pairwise(ends) if a < b]

    def over_radius(self, degree: Any, digits: int) -> Callable[[Any], Any]:
        """Return the radial integral as a function of the angle."""
        if degree is not None:
            half = _exact("degree", degree) / 2
            factor = 2**half * mp.gamma(half + 1)  # int_0^inf r^(degree + 1) exp(-r^2 / 2) dr
            return lambda angle: factor * self.f(*self._direction(angle)[1])
        # Two directions per sector, on neither of which anything special can happen.
        probes = [a + (b - a) * share for a, b in self.sectors for share in (mpf("0.38"), mpf("0.77"))]
        rule = converged_rule([self._ray(angle) for angle in probes], digits + 2)
        return lambda angle: rule.integral(self._ray(angle))

    def _ray(self, angle: Any) -> Ray:
        """Return r -> f r exp(-r^2 / 2) in this direction."""
        slopes, (along1, along2) = self._direction(angle)
        radii = [b / slope for lines, slope in zip(self.lines, slopes, strict=True) for b in lines if slope]
        return Ray(lambda r: self.f(along1 * r, along2 * r) * r * mp.exp(-r * r / 2), radii)

    def _direction(self, angle: Any) -> tuple[list[Any], list[Any]]:
        """Return (u1, u2) at radius 1, standardised and not."""
        cosine, sine = mp.cos_sin(angle)
        slopes = [cosine, self.rho * cosine + self.sigma * sine]
        return slopes, [s * slope for s, slope in zip(self.deviations, slopes, strict=True)]

    def mean_over_angles(self, g: Callable[[Any], Any], digits: int) -> Any:
        """Return the mean of g over [-pi, pi]."""
        smooth = not any(self.lines)
        return _smooth_mean(g, digits) if smooth else _sector_mean(g, self.sectors, digits)


def _smooth_mean(g: Callable[[Any], Any], digits: int) -> Any:
    """Return the mean of a function analytic on the circle, by Gauss-Legendre quadrature.

    (Equal steps would converge faster, but cannot be trusted to notice a jump: two counts of
    points in a sector may well agree.)
    """
    circle = Ray(lambda t: g(t - mp.pi), [])
    coarse = Rule(2 * mp.pi, 1).integral(circle)
    for panels in (2, 4, 8, 16):
        fine, size = Rule(2 * mp.pi, panels).with_size(circle)
        if abs(fine - coarse) <= mpf(10) ** -(digits + 1) * size:
            return fine / (2 * mp.pi)
        gap, coarse = abs(fine - coarse), fine
    raise not_converged(gap)


def _sector_mean(g: Callable[[Any], Any], sectors: Sequence[tuple[Any, Any]], digits: int) -> Any:
    """Return the mean of a function analytic inside each sector, by tanh-sinh quadrature."""
    g = functools.cache(g)
    values, errors = zip(*(mp.quad(g, sector, error=True) for sector in sectors), strict=True)
    size = mp.fsum(mp.quad(lambda t: abs(g(t)), sector, maxdegree=2) for sector in sectors)
    if not mp.fsum(errors) <= mpf(10) ** -(digits + 1) * size:
        raise not_converged(mp.fsum(errors))
    return mp.fsum(values) / (2 * mp.pi)


def _exact(name: str, value: Any, domain: Interval = REAL) -> mpf:
    exact = exact_number(name, value, domain)
    return mpf(exact.numerator) / exact.denominator if isinstance(exact, Fraction) else exact


def _result(value: Any, digits: int) -> mpf:
    """Return a finite value rounded a little beyond the digits asked for."""
    if not mp.isfinite(value):
        raise ArithmeticError(f"the expectation must be finite, got {value}")
    with mp.workdps(digits + 2):
        return +value
