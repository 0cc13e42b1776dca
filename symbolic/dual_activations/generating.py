"""Means of Hermite polynomials from their generating function."""

from typing import Any

import sympy
from sympy import Derivative, Expr, Subs, exp, symbols

from symbolic.derivation import Decision, Step
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.linear import factor_of, only
from symbolic.notation import rho, u1, u2

T1, T2 = symbols("t_1 t_2", real=True)
ZERO = sympy.S.Zero
_GENERATING = exp(T1 * u1 - T1**2 / 2) * exp(T2 * u2 - T2**2 / 2)
_REASON = r"$\mathrm{He}_n(s) = d^n/dt^n\, e^{ts - t^2/2}$ at $t = 0$"


def hermite(degree: int, s: Expr) -> Expr:
    """He_degree(s): orthogonal under N(0, 1), leading coefficient 1, variance degree!.

    >>> hermite(3, u1)
    u_1**3 - 3*u_1
    """
    return sympy.hermite_prob_poly(degree, s)


def generating_steps(degree: int, scales: tuple[Expr, Expr], closed: Expr, factor: Any = 1) -> list[Step]:
    """Steps from factor E He_n(s1 u1) He_n(s2 u2), n = degree, to its value.

    >>> from symbolic.derivation import Derivation
    >>> mean = GaussianMean(hermite(2, u1) * hermite(2, u2), u1, u2, rho)
    >>> steps = generating_steps(2, (sympy.S.One, sympy.S.One), 2 * rho**2)
    >>> Derivation("", "", mean, steps).answer
    True
    """
    (s1, s2), n = scales, degree
    mean = GaussianMean(_GENERATING.subs({u1: s1 * u1, u2: s2 * u2}, simultaneous=True), u1, u2, rho)
    exponent = (s1**2 - 1) * T1**2 / 2 + (s2**2 - 1) * T2**2 / 2 + rho * s1 * s2 * T1 * T2
    return [
        Step(factor * _at_zero(mean, n), _REASON, _check_polynomials),
        Step(factor * _at_zero(exp(exponent), n), "exp of a linear form", _check_mean),
        Step(closed, "differentiate", _check_derivatives),
    ]


def _at_zero(function: Expr, degree: int) -> Expr:
    """Formal derivative of order degree in both T1 and T2, at 0."""
    return Subs(Derivative(function, (T1, degree), (T2, degree)), (T1, T2), (0, 0))


def _parts(expression: Expr) -> tuple[Expr, Expr, tuple[Expr, ...]]:
    """Factor, function and orders of a multiple of a formal derivative at 0."""
    node = only(expression, Subs)
    factor = factor_of(expression, node)
    if isinstance(node.expr, Derivative):
        orders = dict(node.expr.variable_count)
        return factor, node.expr.expr, (orders[T1], orders[T2])
    return factor, node.expr, (ZERO, ZERO)


def _carried_out(function: Expr, orders: tuple[Expr, ...]) -> Expr:
    for variable, order in zip((T1, T2), orders, strict=True):
        function = sympy.diff(function, variable, order).subs(variable, 0)
    return function


def _check_polynomials(before: Expr, after: Expr) -> Decision:
    """Differentiate the generating functions under the mean."""
    factor, mean, orders = _parts(after)
    return decide_equal(before.integrand, factor * _carried_out(mean.integrand, orders))


def _check_mean(before: Expr, after: Expr) -> Decision:
    factor, mean, orders = _parts(before)
    new_factor, function, new_orders = _parts(after)
    return together_decided(
        [
            Decision(orders == new_orders, "the same derivatives"),
            decide_equal(factor * mean.doit(), new_factor * function),
        ]
    )


def _check_derivatives(before: Expr, after: Expr) -> Decision:
    factor, function, orders = _parts(before)
    return decide_equal(factor * _carried_out(function, orders), after)
