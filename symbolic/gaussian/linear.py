"""Factors in front of an integral or a mean, and constants to be put there."""

from typing import Any

import sympy
from sympy import Expr, Symbol


def only(expression: Expr, kind: type) -> Any:
    """The one subexpression of that kind; ValueError if there is none or more than one.

    >>> from sympy import Integral, Symbol
    >>> x = Symbol("x")
    >>> only(3 * Integral(x, x), Integral)
    Integral(x, x)
    """
    found = expression.atoms(kind)
    if len(found) != 1:
        raise ValueError(f"expected one {kind.__name__}, found {len(found)} in {expression}")
    return found.pop()


def factor_of(expression: Expr, node: Expr) -> Expr:
    """Coefficient of the node in an expression that is affine in it; ValueError if it is not.

    >>> from sympy import Integral, Symbol
    >>> x, c = sympy.symbols("x c")
    >>> factor_of(1 + 3 * c * Integral(x, x), Integral(x, x))
    3*c
    """
    place = sympy.Dummy()
    coefficient = sympy.expand(expression.xreplace({node: place})).coeff(place)
    if (expression.xreplace({node: place}) - coefficient * place).expand().has(place):
        raise ValueError(f"expression must be affine in {node}, got {expression}")
    return coefficient


def constant_outside(integrand: Expr, variable: Symbol) -> tuple[Expr, Expr]:
    """Factors of the integrand without the variable, and with it; 1 and 0 for the integrand 0.

    >>> x, c = sympy.symbols("x c")
    >>> constant_outside(3 * c * x**2 * (1 + x), x)
    (3*c, x**2*(x + 1))
    """
    if integrand == 0:
        return sympy.S.One, integrand
    constant, rest = integrand.as_independent(variable, as_Add=False)
    return constant, rest
