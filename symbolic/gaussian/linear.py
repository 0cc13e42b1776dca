"""Factors in front of one integral or mean in an expression that is linear in it."""

from typing import Any

import sympy
from sympy import Expr


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
