"""Conditions that restrict a range: strict inequalities and inequations, and what they show."""

from collections.abc import Callable, Hashable, Iterable

import sympy
from sympy import Expr, Gt, Lt, Ne
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symbolic import spans
from symbolic.arguments import shown
from symbolic.quotients import Quotient, content_of
from symbolic.reading import Reader
from symbolic.size import Work
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
    >>> known = Known([x * y < 1, Ne(x**2, y**2)], Work())
    >>> known.sign(2 * x * y - 2).negated().positive, known.sign(y - x).nonzero
    (True, True)
    """

    def __init__(self, conditions: Iterable[Relational], work: Work) -> None:
        self._reader = Reader(work, opaque=True)
        self._signs: dict[Hashable, Span] = {}
        for condition in conditions:
            self._enter(condition)

    def __bool__(self) -> bool:
        return bool(self._signs)

    def sign(self, expression: Expr) -> Span:
        """The half-line of a margin, of a multiple of one, or of a factor."""
        return self._sign_of(self._read(expression))

    def sign_of_product(self, expression: Expr, sign: Callable[[Expr], Span]) -> Span:
        """The half-line by what is known of factors, and by a sign that they have anyway."""
        quotient = self._read(expression)
        if not isinstance(quotient, Quotient):
            return REALS
        number, factors = self._reader.made.factors(quotient)
        found = spans.point(number)
        for factor, power in factors:
            one = self._sign_of(factor).meet(sign(self._reader.spelled(factor)))
            if power < 0 and not one.nonzero:
                return REALS
            found = spans.product(found, spans.power(one, sympy.Integer(power)))
        return spans.half_line(found)

    def _read(self, expression: Expr) -> Quotient | Expr:
        return self._reader.of.work.attempt(lambda: self._reader.read(expression), expression)

    def _sign_of(self, quotient: Quotient | Expr) -> Span:
        sign, form = self._normal(quotient)
        found = self._signs.get(form, REALS)
        return found if sign > 0 else found.negated()

    def _enter(self, condition: Relational) -> None:
        whole = self._read(margin(condition))
        if isinstance(whole, Quotient) and not whole.is_zero:
            for factor, _ in self._reader.made.factors(whole)[1]:
                self._signs.setdefault(self._normal(factor)[1], REALS._replace(punctured=True))
        sign, form = self._normal(whole)
        if isinstance(condition, Ne):
            self._signs[form] = REALS._replace(punctured=True)
        else:
            self._signs[form] = POSITIVE if sign > 0 else POSITIVE.negated()

    def _normal(self, quotient: Quotient | Expr) -> tuple[int, Hashable]:
        """A sign, and what is the same for all positive multiples with this sign."""
        if not isinstance(quotient, Quotient) or quotient.is_zero:
            return 1, quotient if isinstance(quotient, Expr) else 0
        sign = -1 if quotient.is_negative else 1
        top, bottom = (part / content_of(part) for part in quotient)
        return sign, self._reader.of.key(Quotient(sign * top, bottom))
