"""Expressions A(rho) + int_0^rho g(rho, r) dr, which Price's theorem produces."""

from collections.abc import Iterable

import sympy
from sympy import Expr, Integral, Interval
from sympy.logic.boolalg import Boolean

from symbolic.derivation import Decision
from symbolic.dual_activations.closed_forms import CORRELATION
from symbolic.equality import decide_equal, together_decided
from symbolic.gaussian.linear import factor_of
from symbolic.notation import rho

RANGE = (CORRELATION, 0, rho)
OPEN = {rho: Interval.open(-1, 1), CORRELATION: Interval.open(-1, 1)}


def split(expression: Expr) -> tuple[Expr, Expr]:
    """A and g of an expression with at most one integral from 0 to rho.

    >>> split(rho + 2 * Integral(CORRELATION, RANGE))
    (rho, 2*r)
    """
    integrals = expression.atoms(Integral)
    if not integrals:
        return expression, sympy.S.Zero
    (integral,) = integrals
    if integral.limits != Integral(1, RANGE).limits:
        raise ValueError(f"the integral must run over r from 0 to rho, got {integral}")
    explicit = expression.xreplace({integral: sympy.S.Zero})
    return explicit, factor_of(expression, integral) * integral.function


def derivative(expression: Expr) -> Expr:
    """Derivative in rho: A'(rho) + g(rho, rho) + int_0^rho dg/drho dr.

    >>> derivative(rho**2 + Integral((rho - CORRELATION) * CORRELATION, RANGE))
    2*rho + Integral(r, (r, 0, rho))
    """
    explicit, integrand = split(expression)
    inside = sympy.diff(integrand, rho)
    end = integrand.subs(CORRELATION, rho)
    rest = Integral(inside, RANGE) if inside != 0 else sympy.S.Zero
    return sympy.diff(explicit, rho) + end + rest


def decide_same(before: Expr, after: Expr, under: Iterable[Boolean] = ()) -> Decision:
    """Decide equality through A and g. For another A the integrals might make up for it.

    >>> decide_same(Integral(2 * CORRELATION, RANGE), 2 * Integral(CORRELATION, RANGE)).answer
    True
    """
    pairs = zip(split(before), split(after), strict=True)
    given = tuple(under)
    return together_decided([decide_equal(left, right, OPEN, given) for left, right in pairs])
