"""The plan of the derivation from the mean to the closed form, for each activation.

A plan takes the activation, the values of its parameters, the conclusion, and the order: 0 for
phi, 1 for phi'. It returns the start, the steps and the abbreviations of a derivation.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import sympy
from sympy import Abs, Expr, Symbol, cos, exp, sign
from sympy.logic.boolalg import Boolean

from symbolic.derivation import Decision, Step
from symbolic.dual_activations import closed_forms as closed
from symbolic.dual_activations.catalogue import HALF, ONE, ZERO, Activation
from symbolic.dual_activations.dirac_means import dirac_mean, dirac_mean_steps
from symbolic.dual_activations.generating import generating_steps
from symbolic.dual_activations.linear_forms import linear_form_steps
from symbolic.dual_activations.pair import Pair
from symbolic.dual_activations.price_theorem import (
    Function,
    derivative,
    evaluated_step,
    price_theorem_steps,
    product_mean,
    solution_step,
)
from symbolic.dual_activations.quadratic_exponents import plane_integral, plane_integral_steps
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.linear import only
from symbolic.gaussian.polar import polar_steps
from symbolic.notation import DOMAIN, a, b, latex, rho, t, u1, u2

S1, S2 = sympy.symbols("s_1 s_2", positive=True)
PAIR = Pair(rho, S1**2, S2**2)
_SCALES = (S1, S2)
_AT_C = Pair(closed.CORRELATION, S1**2, S2**2)


class DerivationPlan(NamedTuple):
    """Start, steps, abbreviations and conditions of a derivation."""

    start: Expr
    steps: list[Step]
    where: dict[Symbol, Expr]
    under: tuple[Boolean, ...] = ()


def plan_of(activation: Activation, values: tuple[Any, ...], conclusion: Expr, order: int) -> DerivationPlan:
    """Derivation of the dual of phi (order 0) or phi' (order 1)."""
    return _PLANS[activation.name](activation, values, conclusion, order)


def _function(activation: Activation, values: tuple[Any, ...], order: int) -> Function:
    def phi(s: Expr) -> Expr:
        return activation.expression(s, *values)

    return derivative(phi) if order else phi


def _by_order(
    first: Callable[..., DerivationPlan], second: Callable[..., DerivationPlan]
) -> Callable[..., DerivationPlan]:
    return lambda activation, values, conclusion, order: (second if order else first)(
        activation, values, conclusion, order
    )


# Polar coordinates


def _polar(f: Function, conclusion: Expr, where: dict[Symbol, Expr]) -> DerivationPlan:
    mean = product_mean(f, _SCALES, cos(t))
    named = "".join(f", ${latex(x)} = {latex(v)}$" for x, v in where.items() if x != v)
    last = Step(conclusion, rf"$\rho = \cos t${named}")
    return DerivationPlan(mean, [*polar_steps(ONE, mean.integrand, u1, u2), last], {rho: cos(t), **where})


def _from_rays(degree: int, ab: tuple[Expr, Expr], conclusion: Expr, order: int) -> DerivationPlan:
    """The plan for s^(degree - 1) (a s + b |s|); a and b stay symbols until the last step."""

    def f(s: Expr) -> Expr:
        return s ** (degree - 1) * (a * s + b * Abs(s)) if degree else a + b * sign(s)

    return _polar(derivative(f) if order else f, conclusion, dict(zip((a, b), ab, strict=True)))


def _rays(degree: int, ab: Callable[..., tuple[Expr, Expr]]) -> Callable[..., DerivationPlan]:
    return lambda _, values, conclusion, order: _from_rays(degree, ab(*values), conclusion, order)


def _rectified(_: Activation, values: tuple[Any, ...], conclusion: Expr, order: int) -> DerivationPlan:
    return _from_rays(values[0], (HALF, HALF), conclusion, order)


def _monomial(
    activation: Activation, values: tuple[Any, ...], conclusion: Expr, order: int
) -> DerivationPlan:
    f = _function(activation, values, order)
    if f(u1) == 0:
        return _vanishing(f)
    return _polar(f, conclusion, {})


def _vanishing(f: Function) -> DerivationPlan:
    """The plan for the derivative of a constant."""

    def check(before: Expr, after: Expr) -> Decision:
        return together_decided([decide_equal(before.integrand, ZERO), decide_equal(after, ZERO)])

    return DerivationPlan(product_mean(f, _SCALES), [Step(ZERO, "the integrand vanishes", check)], {})


def _deltas(activation: Activation, values: tuple[Any, ...], conclusion: Expr, order: int) -> DerivationPlan:
    mean = product_mean(_function(activation, values, order), _SCALES)
    return DerivationPlan(mean, dirac_mean_steps(mean, conclusion, DOMAIN), {})


# Linear forms


def _wave(activation: Activation, values: tuple[Any, ...], conclusion: Expr, order: int) -> DerivationPlan:
    frequency, phase = values
    kind = (1 if activation.name == "cos" else -1) * (-1) ** order
    forms = [frequency * s * u for s, u in ((S1, u1), (S2, u2))]
    waves = cos(forms[0] - forms[1]) + kind * cos(forms[0] + forms[1] + 2 * phase)
    mean = product_mean(_function(activation, values, order), _SCALES)
    split = sympy.expand(frequency ** (2 * order) * waves / 2)
    steps = linear_form_steps(split, "products of waves are sums of waves", conclusion)
    return DerivationPlan(mean, steps, {})


def _exponential(
    activation: Activation, values: tuple[Any, ...], conclusion: Expr, order: int
) -> DerivationPlan:
    (rate,) = values
    mean = product_mean(_function(activation, values, order), _SCALES)
    form = rate ** (2 * order) * exp(rate * S1 * u1 + rate * S2 * u2)
    return DerivationPlan(mean, linear_form_steps(form, "one exponential", conclusion), {})


# Quadratic exponents


def _gaussian(
    activation: Activation, values: tuple[Any, ...], conclusion: Expr, order: int
) -> DerivationPlan:
    rate = values[0] if activation.name == "gaussian" else -(values[0] ** 2)
    mean = product_mean(_function(activation, values, order), _SCALES)
    determinant = closed.determinant(PAIR, rate)
    steps = plane_integral_steps(mean, determinant, conclusion)
    return DerivationPlan(mean, steps, {}, (determinant > 0,))


# Price's theorem


def _price(f: Function, rate: Expr, times: int, conclusion: Expr) -> DerivationPlan:
    """The plan through Price's theorem, down to a polynomial times exp(rate s^2)."""
    steps = price_theorem_steps(f, times, _SCALES)
    determinant = closed.determinant(_AT_C, rate)

    def integrate(mean: GaussianMean) -> Expr:
        return plane_integral(mean, determinant)

    before = steps[-1].expression
    mean = only(before, GaussianMean)
    after = before.xreplace({mean: integrate(mean)})
    steps.append(evaluated_step(before, after, integrate, "complete the square"))
    steps.append(solution_step(conclusion, times, "integrate over the correlation"))
    return DerivationPlan(product_mean(f, _SCALES), steps, {})


def _erf(activation: Activation, values: tuple[Any, ...], conclusion: Expr, _: int) -> DerivationPlan:
    return _price(_function(activation, values, 0), -(values[0] ** 2), 1, conclusion)


def _gelu(activation: Activation, values: tuple[Any, ...], conclusion: Expr, order: int) -> DerivationPlan:
    return _price(_function(activation, values, order), -HALF, 2 - order, conclusion)


def _clip(activation: Activation, values: tuple[Any, ...], conclusion: Expr, order: int) -> DerivationPlan:
    f = _function(activation, values, order)
    steps = price_theorem_steps(f, 2 - order, _SCALES)
    last = evaluated_step(steps[-1].expression, conclusion, dirac_mean, "integrate the Dirac distributions")
    return DerivationPlan(product_mean(f, _SCALES), [*steps, last], {})


# Generating function


def _hermite(activation: Activation, values: tuple[Any, ...], conclusion: Expr, order: int) -> DerivationPlan:
    (degree,) = values
    f = _function(activation, values, order)
    if f(u1) == 0:
        return _vanishing(f)
    steps = generating_steps(degree - order, _SCALES, conclusion, factor=degree ** (2 * order))
    return DerivationPlan(product_mean(f, _SCALES), steps, {})


_PLANS: dict[str, Callable[..., DerivationPlan]] = {
    "ab_relu": _rays(1, lambda a_, b_: (a_, b_)),
    "relu": _rays(1, lambda: (HALF, HALF)),
    "leaky_relu": _rays(1, lambda slope: ((1 + slope) / 2, (1 - slope) / 2)),
    "abs": _rays(1, lambda: (ZERO, ONE)),
    "sign": _by_order(_rays(0, lambda: (ZERO, ONE)), _deltas),
    "step": _by_order(_rays(0, lambda: (HALF, HALF)), _deltas),
    "identity": _monomial,
    "monomial": _monomial,
    "rectified_monomial": _rectified,
    "hermite": _hermite,
    "sin": _wave,
    "cos": _wave,
    "exp": _exponential,
    "gaussian": _gaussian,
    "erf": _by_order(_erf, _gaussian),
    "gelu": _gelu,
    "clip": _clip,
}
