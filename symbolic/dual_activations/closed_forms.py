"""Closed forms of the duals; `symbolic.dual_activations.derivations` derives them.

Each function takes the pair and the parameters of its activation.
"""

from typing import Any

import sympy
from sympy import Expr, Integral, Rational, Symbol, asin, atan, cos, erf, exp, factorial, pi, sqrt

from symbolic.cosine_maps.closed_forms import cosine_map, cosine_slope
from symbolic.dual_activations.pair import Pair
from symbolic.enclosure import sign_of

HALF = Rational(1, 2)
ONE = sympy.S.One


# Two rays, p s for s > 0 and m s for s < 0, with a = (p + m)/2 and b = (p - m)/2


def rays(pair: Pair, a: Expr, b: Expr) -> Expr:
    """Dual of a s + b |s|."""
    return pair.spread * (a**2 * pair.rho + b**2 * cosine_map(pair.rho, ONE))


def steps(pair: Pair, a: Expr, b: Expr) -> Expr:
    """Dual of a + b sgn(s)."""
    return a**2 + b**2 * cosine_slope(pair.rho, ONE)


def leaky_rays(pair: Pair, slope: Expr) -> Expr:
    """Dual of max(s, 0) + slope min(s, 0)."""
    return rays(pair, (1 + slope) / 2, (1 - slope) / 2)


def leaky_steps(pair: Pair, slope: Expr) -> Expr:
    """Dual of the derivative of the leaky ReLU."""
    return steps(pair, (1 + slope) / 2, (1 - slope) / 2)


def density_at_zero(pair: Pair) -> Expr:
    """Dual of the Dirac distribution: the joint density at (0, 0)."""
    return 1 / (2 * pi * pair.spread * sqrt(1 - pair.rho**2))


# Powers


def monomial(pair: Pair, degree: int) -> Expr:
    """Dual of s^degree."""
    return pair.spread**degree * mehler_sum(degree, pair.rho, ONE)


def mehler_sum(degree: int, x: Expr, y: Expr) -> Expr:
    """Sum over m of (n!/(2^m m!))^2 x^(n-2m) y^m / (n-2m)! for n = degree.

    >>> x, y = sympy.symbols("x y")
    >>> mehler_sum(3, x, y)
    6*x**3 + 9*x*y
    """
    n = degree
    return sympy.Add(
        *[
            (factorial(n) / (2**m * factorial(m))) ** 2 * x ** (n - 2 * m) * y**m / factorial(n - 2 * m)
            for m in range(n // 2 + 1)
        ]
    )


def rectified_monomial(pair: Pair, degree: int) -> Expr:
    """Dual of max(s, 0)^degree (for degree 0, of the step).

    It is (v1 v2)^(d/2) (d!/2 pi) int_0^psi (cos t - cos psi)^d dt, cos psi = -rho: the binomial
    theorem leaves the integrals C_k of cos^k, k C_k = cos^(k-1) sin + (k-1) C_(k-2).
    """
    angle, sine = sympy.symbols("angle sine")
    powers = [angle, sine]
    for k in range(2, degree + 1):
        powers.append(((-pair.rho) ** (k - 1) * sine + (k - 1) * powers[k - 2]) / k)
    binomial = [sympy.binomial(degree, k) * pair.rho ** (degree - k) for k in range(degree + 1)]
    total = sympy.Add(*[c * power for c, power in zip(binomial, powers, strict=False)])
    by_kind = sympy.collect(sympy.expand(factorial(degree) * total), [angle, sine])
    angular = by_kind.xreplace({angle: pi / 2 + asin(pair.rho), sine: sqrt(1 - pair.rho**2)})
    return pair.spread**degree / (2 * pi) * angular


def hermite(pair: Pair, degree: int) -> Expr:
    """Dual of He_degree, which for unit variances is degree! rho^degree."""
    return mehler_sum(degree, pair.covariance, (pair.v1 - 1) * (pair.v2 - 1))


# Exponentials


def exponential(pair: Pair, rate: Expr) -> Expr:
    """Dual of exp(rate s)."""
    return exp(rate**2 * pair.variance_of_sum / 2)


def wave(pair: Pair, frequency: Expr, phase: Expr, sign: int) -> Expr:
    """Dual of cos (sign 1) or sin (sign -1) of frequency s + phase."""
    difference = exp(-(frequency**2) * pair.variance_of_difference / 2)
    total = exp(-(frequency**2) * pair.variance_of_sum / 2)
    return (difference + sign * cos(2 * phase) * total) / 2


def determinant(pair: Pair, rate: Expr) -> Expr:
    """det(I - 2 rate Sigma)."""
    independent = pair.v1 * pair.v2 * (1 - pair.rho**2)
    return 1 - 2 * rate * (pair.v1 + pair.v2) + 4 * rate**2 * independent


def gaussian(pair: Pair, rate: Expr) -> Expr:
    """Dual of exp(rate s^2)."""
    _refuse_infinite(pair, rate)
    return 1 / sqrt(determinant(pair, rate))


def gaussian_slope(pair: Pair, rate: Expr) -> Expr:
    """Dual of 2 rate s exp(rate s^2)."""
    _refuse_infinite(pair, rate)
    return 4 * rate**2 * pair.covariance / determinant(pair, rate) ** Rational(3, 2)


def _refuse_infinite(pair: Pair, rate: Expr) -> None:
    """Refuse a rate for which I - 2 rate Sigma is known not to be positive definite."""
    half_trace = 1 - rate * (pair.v1 + pair.v2)
    for part in (determinant(pair, rate), half_trace):
        if part.is_number and sign_of(part) in (-1, 0):
            raise ValueError(
                "rate must lie below 1/(2 lambda), lambda the largest eigenvalue of the "
                f"covariance, got rate {rate}, variances ({pair.v1}, {pair.v2}), rho {pair.rho}"
            )


# Error functions


def error_function(pair: Pair, scale: Expr) -> Expr:
    """Dual of erf(scale s)."""
    argument = 2 * scale**2 * pair.covariance / sqrt(determinant(pair, -(scale**2)))
    return 2 / pi * atan(argument)


def error_function_slope(pair: Pair, scale: Expr) -> Expr:
    """Dual of (2 scale / sqrt pi) exp(-scale^2 s^2)."""
    return 4 * scale**2 / pi * gaussian(pair, -(scale**2))


def gelu(pair: Pair) -> Expr:
    """Dual of s Phi(s)."""
    c, harmonic, determinant_ = _gelu_parts(pair)
    independent = pair.v1 * pair.v2 * (1 - pair.rho**2)
    angle = pi / 2 + atan(c / sqrt(determinant_))
    return (c * angle + (independent + c**2 * harmonic) / sqrt(determinant_)) / (2 * pi)


def gelu_slope(pair: Pair) -> Expr:
    """Dual of Phi(s) + s Phi'(s)."""
    c, harmonic, determinant_ = _gelu_parts(pair)
    angle = pi / 2 + atan(c / sqrt(determinant_))
    ratio = c / sqrt(determinant_)
    return (angle + ratio * harmonic + ratio / determinant_) / (2 * pi)


def _gelu_parts(pair: Pair) -> tuple[Expr, Expr, Expr]:
    """Covariance, 1/(1 + v1) + 1/(1 + v2) and det(I + Sigma)."""
    return pair.covariance, 1 / (1 + pair.v1) + 1 / (1 + pair.v2), determinant(pair, -HALF)


# Clip

CORRELATION = Symbol("r", real=True)


def clip(pair: Pair, bound: Expr) -> Expr:
    """Dual of max(-bound, min(s, bound)), a single integral."""
    weighted = (pair.rho - CORRELATION) * corner_densities(pair, bound)
    return pair.spread * (
        pair.rho * inside_independent(pair, bound) + Integral(weighted, (CORRELATION, 0, pair.rho))
    )


def clip_slope(pair: Pair, bound: Expr) -> Expr:
    """Dual of the indicator of [-bound, bound]: P(|u1| < bound, |u2| < bound)."""
    return inside_independent(pair, bound) + Integral(
        corner_densities(pair, bound), (CORRELATION, 0, pair.rho)
    )


def inside_independent(pair: Pair, bound: Expr) -> Expr:
    """P(|u1| < bound) P(|u2| < bound)."""
    return erf(bound / sqrt(2 * pair.v1)) * erf(bound / sqrt(2 * pair.v2))


def corner_densities(pair: Pair, bound: Expr) -> Expr:
    """2 (p(h, k) - p(h, -k)), p the standard density of correlation r and h, k = bound/sqrt v."""
    h, k = bound / sqrt(pair.v1), bound / sqrt(pair.v2)
    return 2 * (standard_density(h, k, CORRELATION) - standard_density(h, -k, CORRELATION))


def standard_density(x: Any, y: Any, rho: Expr) -> Expr:
    """Density of two standard normals of correlation rho at (x, y)."""
    square = (x**2 - 2 * rho * x * y + y**2) / (1 - rho**2)
    return exp(-square / 2) / (2 * pi * sqrt(1 - rho**2))
