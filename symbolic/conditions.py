"""Conditions that restrict a range: strict inequalities and inequations, and what they show."""

from collections.abc import Iterable

import sympy
from sympy import Expr, Gt, Lt, Ne
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean
from sympy.polys.polyerrors import BasePolynomialError

from symbolic.arguments import shown
from symbolic.spans import POSITIVE, REALS, Span

Conditions = tuple[Relational, ...]


def as_conditions(under: Iterable[Boolean]) -> Conditions:
    """Relations between numbers as a tuple of those that say something.

    Only strict ones: what they allow is open, so that no point of it stands alone. Raises
    TypeError for another, ValueError for a false one.

    >>> x = sympy.Symbol("x", real=True)
    >>> as_conditions([x**2 > 1, Ne(x, 5), sympy.true])
    (x**2 > 1, Ne(x, 5))
    """
    try:
        found = tuple(under)
    except TypeError:
        problem = f"under must be a list of relations >, < or !=, got {shown(under)}"
        raise TypeError(problem) from None
    if any(one is False or one is sympy.false for one in found):
        raise ValueError("under must hold somewhere, got a condition that is false")
    kept = tuple(one for one in found if one is not True and one is not sympy.true)
    if not all(isinstance(one, (Gt, Lt, Ne)) for one in kept):
        raise TypeError(f"under must be relations >, < or !=, got {shown(kept)}")
    return kept


def margin(condition: Relational) -> Expr:
    """What is above 0, or not 0, if the condition holds.

    >>> x = sympy.Symbol("x", real=True)
    >>> margin(x < 1)
    1 - x
    """
    difference = condition.lhs - condition.rhs
    return -difference if isinstance(condition, Lt) else difference


class Known:
    """The signs of the margins of conditions and, as far as they follow, of their factors.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> known = Known([x * y < 1, Ne(x**2, y**2)])
    >>> known.sign(2 * x * y - 2).negated().positive, known.sign(y - x).nonzero
    (True, True)
    """

    def __init__(self, conditions: Iterable[Relational]) -> None:
        self._signs: dict[Expr, Span] = {}
        for condition in conditions:
            self._enter(condition)

    def __bool__(self) -> bool:
        return bool(self._signs)

    def sign(self, expression: Expr) -> Span:
        """The half-line of a margin, of a multiple of one, or of a factor."""
        sign, form = _normal(expression)
        found = self._signs.get(form, REALS)
        return found if sign > 0 else found.negated()

    def _enter(self, condition: Relational) -> None:
        whole = margin(condition)
        for factor, exponent in sympy.factor(whole).as_powers_dict().items():
            if exponent.is_Rational and factor.free_symbols:
                self._signs.setdefault(_normal(factor)[1], REALS._replace(punctured=True))
        sign, form = _normal(whole)
        if isinstance(condition, Ne):
            self._signs[form] = REALS._replace(punctured=True)
        else:
            self._signs[form] = POSITIVE if sign > 0 else POSITIVE.negated()


def _normal(expression: Expr) -> tuple[int, Expr]:
    """The expression as a polynomial, divided by its leading coefficient; and the sign of that."""
    try:
        polynomial = sympy.Poly(expression)
    except BasePolynomialError:
        return 1, expression
    leading = polynomial.LC()
    if leading.is_positive or leading.is_negative:
        return (1 if leading.is_positive else -1), polynomial.monic().as_expr()
    return 1, expression
