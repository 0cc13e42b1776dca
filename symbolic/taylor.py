"""Taylor coefficients at a point, exactly, by arithmetic with truncated series.

High derivatives of a product are long expressions, of which most vanish at the point; the
coefficients at the point are short at every stage.
"""

import functools
from collections.abc import Callable

import sympy
from sympy import Expr, S, Symbol, expand

_ANALYTIC = (
    *(sympy.sin, sympy.cos, sympy.tan, sympy.asin, sympy.acos, sympy.atan),
    *(sympy.sinh, sympy.cosh, sympy.tanh, sympy.exp, sympy.log, sympy.erf, sympy.erfc),
)
Series = list[Expr]


def taylor_coefficients(expression: Expr, x: Symbol, point: Expr, order: int) -> Series | None:
    """The coefficients of (x - point)^k for k below the order; other letters may be in them.

    None where an expression that meets no other rule than differentiation is in it, or a part of
    it has a singularity at the point.

    >>> y, z = sympy.symbols("y z")
    >>> taylor_coefficients(sympy.asin(y) * z - y / sympy.sqrt(1 - y**2), y, S.Zero, 4)
    [0, z - 1, 0, z/6 - 1/2]
    >>> taylor_coefficients(sympy.sqrt(y), y, S.Zero, 2)
    """
    try:
        return _series(sympy.sympify(expression), x, sympy.sympify(point), order)
    except _NoSeriesError:
        return None


class _NoSeriesError(Exception):
    """There is no rule for a part, or it is singular."""


def _series(node: Expr, x: Symbol, point: Expr, order: int) -> Series:
    if not node.has(x):
        return _padded([node], order)
    if node == x:
        return _padded([point, S.One], order)
    if node.is_Pow:
        return _power(node, x, point, order)
    if not (node.is_Add or node.is_Mul or isinstance(node, _ANALYTIC)):
        raise _NoSeriesError
    parts = [_series(one, x, point, order) for one in node.args]
    if node.is_Add:
        return [expand(sympy.Add(*same)) for same in zip(*parts, strict=True)]
    if node.is_Mul:
        return functools.reduce(_product, parts)
    return _composed(node.func, parts[0])


def _power(node: Expr, x: Symbol, point: Expr, order: int) -> Series:
    base, exponent = _series(node.base, x, point, order), node.exp
    if exponent.has(x):
        if node.base != S.Exp1:
            raise _NoSeriesError
        return _composed(sympy.exp, _series(exponent, x, point, order))
    if exponent.is_Integer and exponent > 0:
        return functools.reduce(_product, [base] * int(exponent))
    return _composed(lambda y: y**exponent, base)


def _product(first: Series, second: Series) -> Series:
    order = len(first)
    return [expand(sympy.Add(*(first[i] * second[k - i] for i in range(k + 1)))) for k in range(order)]


def _composed(function: Callable[[Expr], Expr], inside: Series) -> Series:
    """The series of a function of a series, from its derivatives at the constant term."""
    order, y = len(inside), sympy.Dummy("y")
    step, power = [S.Zero, *inside[1:]], _padded([S.One], order)
    total, derivative = [S.Zero] * order, function(y)
    for k in range(order):
        value = derivative.subs(y, inside[0])
        if value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity, sympy.AccumBounds):
            raise _NoSeriesError
        total = [
            expand(old + value * new / sympy.factorial(k)) for old, new in zip(total, power, strict=True)
        ]
        power, derivative = _product(power, step), sympy.diff(derivative, y)
    return total


def _padded(beginning: Series, order: int) -> Series:
    return [*beginning, *[S.Zero] * order][:order]
