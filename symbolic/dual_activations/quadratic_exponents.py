"""Means of a polynomial times exp of a quadratic form: the Gaussian integral over the plane.

Against the density of (u1, u2) the integrand is P(u) exp(-u'Qu/2) / (2 pi sqrt(1 - rho^2)), which
is integrable if and only if Q is positive definite. Completing the square,

    alpha u1^2 + 2 beta u1 u2 + gamma' u2^2 = alpha (u1 + beta u2/alpha)^2 + gamma u2^2,

with alpha gamma = det Q, leaves two independent Gaussians of variances 1/alpha and 1/gamma and the
constant 2 pi / sqrt(det Q).
"""

from functools import cache

import sympy
from sympy import Expr, Integral, Interval, Matrix, Symbol, exp, oo, pi, sqrt

from symbolic.derivation import Decision, Step
from symbolic.dual_activations.closed_forms import standard_density
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian import GaussianMean, expectation
from symbolic.gaussian.linear import factor_of, only
from symbolic.normal_form import Domain
from symbolic.notation import u, u1, u2

_PLANE = ((u1, -oo, oo), (u2, -oo, oo))
_ALPHA, _GAMMA = sympy.symbols("alpha gamma", positive=True)
_BETA = Symbol("beta", real=True)


def plane_integral_steps(mean: GaussianMean, determinant: Expr, closed: Expr) -> list[Step]:
    """Steps from a bivariate mean to `closed`, a rational multiple of 1/sqrt(determinant).

    `determinant` is (1 - rho^2) det Q in the form that `closed` has it in.

    >>> from symbolic.derivation import Derivation
    >>> from symbolic.notation import rho
    >>> mean = GaussianMean(u1 * u2 * exp(-(u1**2)), u1, u2, rho)
    >>> steps = plane_integral_steps(mean, sympy.Integer(3), rho / 3 / sqrt(3))
    >>> Derivation("", "", mean, steps).answer
    True
    """

    def check_square(before: Expr, after: Expr) -> Decision:
        square = _check_square(mean, determinant, after)
        return together_decided([check_density(mean, before), square])

    return [
        Step(over_plane(mean), "the joint density", check_density),
        Step(closed, "complete the square and integrate", check_square),
    ]


def over_plane(mean: GaussianMean) -> Integral:
    """Write a bivariate mean as an integral against the joint density."""
    density = standard_density(u1, u2, mean.correlation)
    return Integral(sympy.powsimp(mean.integrand * density), *_PLANE)


def check_density(before: Expr, after: Expr) -> Decision:
    """Whether `after` is the mean `before`, as an integral over the plane."""
    integral = only(after, Integral)
    density = standard_density(u1, u2, before.correlation)
    return together_decided(
        [
            Decision(integral.limits == Integral(1, *_PLANE).limits, "the whole plane"),
            decide_equal(
                before.integrand * density,
                factor_of(after, integral) * integral.function,
                _correlated(before),
            ),
        ]
    )


def plane_integral(mean: GaussianMean, determinant: Expr) -> Expr:
    """Value of a bivariate mean, as a rational function over sqrt(determinant).

    >>> from symbolic.notation import rho
    >>> plane_integral(GaussianMean(exp(-(u1**2)), u1, u2, rho), sympy.Integer(3))
    sqrt(3)/3
    """
    return _moment(mean)[0] / sqrt(determinant)


def _check_square(mean: GaussianMean, determinant: Expr, closed: Expr) -> Decision:
    moment, found = _moment(mean)
    constant = _gaussian_integral() * sqrt(_ALPHA * _GAMMA)
    inside, finite = _correlated(mean), [determinant > 0]
    return together_decided(
        [
            decide_equal(constant, 2 * pi),
            decide_equal(found, determinant, inside),
            decide_equal(closed * sqrt(determinant), moment, inside, finite),
        ]
    )


def _correlated(mean: GaussianMean) -> Domain:
    """The open interval of a correlation that is a symbol: the density needs it."""
    return {x: Interval.open(-1, 1) for x in mean.correlation.free_symbols if x == mean.correlation}


@cache
def _gaussian_integral() -> Expr:
    """Integral of exp(-alpha (u1 + beta u2/alpha)^2/2 - gamma u2^2/2), u1 first."""
    square = _ALPHA * (u1 + _BETA * u2 / _ALPHA) ** 2
    inner = sympy.integrate(exp(-square / 2), (u1, -oo, oo))
    return sympy.integrate(inner * exp(-_GAMMA * u2**2 / 2), (u2, -oo, oo))


@cache
def _moment(mean: GaussianMean) -> tuple[Expr, Expr]:
    """Mean of the polynomial under the Gaussian of precision Q, and (1 - rho^2) det Q."""
    rho = mean.correlation
    exponent, polynomial = _parts(mean.integrand)
    correlations = Matrix([[1, rho], [rho, 1]])
    q = correlations.inv() - sympy.hessian(exponent, (u1, u2))
    determinant = sympy.cancel(q.det())
    shifted = polynomial.subs(u1, u - _BETA * u2 / _ALPHA)
    moment = expectation(expectation(shifted, u, 1 / _ALPHA), u2, 1 / _GAMMA)
    values = {_ALPHA: q[0, 0], _BETA: q[0, 1], _GAMMA: determinant / q[0, 0]}
    return (sympy.factor(moment.subs(values, simultaneous=True)), sympy.cancel((1 - rho**2) * determinant))


def _parts(integrand: Expr) -> tuple[Expr, Expr]:
    """Exponent and polynomial factor of a polynomial times exponentials."""
    factors = sympy.Mul.make_args(integrand)
    exponent = sympy.Add(*[factor.exp for factor in factors if isinstance(factor, exp)])
    return exponent, sympy.Mul(*[factor for factor in factors if not isinstance(factor, exp)])
