"""Univariate Gaussian means by integration over half lines, as steps that can be re-checked."""

from functools import cache

import sympy
from sympy import Add, Expr, Integral, Symbol, exp, pi, sqrt

from symbolic.derivation import Decision, Step
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian.linear import constant_outside, factor_of, only
from symbolic.gaussian.mean import GaussianMean
from symbolic.notation import x

_WEIGHT = exp(-(x**2) / 2) / sqrt(2 * pi)
_HALF_LINE = (x, 0, sympy.oo)


def half_line_steps(prefactor: Expr, f: Expr, u: Symbol) -> list[Step]:
    """Steps from prefactor * E f(u) to its value: reflect the negative half line, integrate.

    f is a polynomial in u, its sign and its absolute value.

    >>> from symbolic.derivation import Derivation
    >>> from symbolic.notation import u
    >>> mean = GaussianMean(abs(u) ** 3, u)
    >>> steps = half_line_steps(sympy.S.One, mean.integrand, u)
    >>> chain = Derivation("Third absolute moment", "m_3", mean, steps)
    >>> chain.answer, chain.conclusion
    (True, 2*sqrt(2)/sqrt(pi))
    """
    folded = sympy.factor(f.subs(u, x) + f.subs(u, -x))
    value = sympy.factor(_integrated(folded))
    constant, rest = constant_outside(folded * _WEIGHT, x)
    return [
        Step(
            prefactor * constant * Integral(rest, _HALF_LINE),
            "reflect the negative half line",
            check_reflection,
        ),
        Step(prefactor * value, "integrate each power of $x$", check_half_line),
    ]


def check_reflection(before: Expr, after: Expr) -> Decision:
    """Redo u = x and u = -x for x > 0, where the signs are known."""
    mean, target = only(before, GaussianMean), only(after, Integral)
    (u,) = mean.variables
    folded = factor_of(before, mean) * (mean.integrand.subs(u, x) + mean.integrand.subs(u, -x))
    given = factor_of(after, target) * target.function / _WEIGHT
    return together_decided(
        [
            Decision(target.limits == Integral(1, _HALF_LINE).limits, "the half line"),
            decide_equal(folded, given),
        ]
    )


def check_half_line(before: Expr, after: Expr) -> Decision:
    """Integrate each power of x against the Gaussian weight."""
    integral = only(before, Integral)
    value = _integrated(sympy.expand(integral.function / _WEIGHT))
    return decide_equal(factor_of(before, integral) * value, after)


def _integrated(polynomial: Expr) -> Expr:
    terms = sympy.Poly(polynomial, x).terms()
    return Add(*[coefficient * _power_integral(power) for (power,), coefficient in terms])


@cache
def _power_integral(power: int) -> Expr:
    return sympy.integrate(x**power * _WEIGHT, _HALF_LINE)
