"""Rational functions that are at least 0 on a box, decided by the signs of coefficients.

With x = lower + (upper - lower) v/(1 + v) for a bounded symbol and x = lower + v for a half-line,
v >= 0, a polynomial times powers of 1 + v becomes a polynomial in the v. If it has no negative
coefficient it is at least 0 on the box, ends included. (For one that is positive on a bounded box
a division of the box, or a higher power, always gets there; a zero on an end may be no obstacle,
a zero inside is.)
"""

import itertools
import random
from collections.abc import Iterator

import sympy
from sympy import Dummy, Expr, Interval, Poly, Rational, Symbol

from symbolic.arguments import ranges
from symbolic.normal_form import Domain

__all__ = ["nonnegative"]

_POINTS = 200
_CORNERS = 64
_SEED = 20250607
_FAR = 1000


def nonnegative(expression: Expr, domain: Domain | None = None) -> bool | None:
    """Whether a rational function is at least 0 for all values of its symbols.

    `domain` maps symbols to intervals, whose ends belong to them; a symbol without one is at
    least 0. True rests on the signs of coefficients of numerator and denominator, False on an
    exact point where the value is negative; None says that neither was found.

    Raises TypeError for a domain that is none, ValueError for an expression that is no rational
    function with real coefficients or an interval without a lower end.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> unit = Interval(0, 1)
    >>> nonnegative((1 - x * y) ** 2 - (x - y) ** 2, {x: unit, y: unit})
    True
    >>> nonnegative(x - x**2, {x: Interval(0, 2)})
    False
    >>> print(nonnegative((x - sympy.Rational(1, 3)) ** 2, {x: unit}))
    None
    """
    boxes = ranges(domain, "domain")
    whole = sympy.sympify(expression)
    symbols = sorted(whole.free_symbols, key=str)
    ends = {x: _ends(x, boxes.get(x, Interval(0, sympy.oo))) for x in symbols}
    parts = sympy.fraction(sympy.together(whole))
    signs = {_sign(part, ends) for part in parts}
    if None not in signs:
        return True if len(signs) == 1 or parts[0] == 0 else _refuted(whole, ends)
    return _refuted(whole, ends)


Ends = dict[Symbol, tuple[Expr, Expr]]


def _ends(x: Symbol, interval: Interval) -> tuple[Expr, Expr]:
    if not interval.start.is_finite:
        raise ValueError(f"domain must bound {x} from below, got {interval}")
    return interval.start, interval.end


def _sign(part: Expr, ends: Ends) -> int | None:
    """1 if no coefficient is negative, -1 if none is positive."""
    coefficients = _coefficients(part, ends)
    if all(one.is_nonnegative for one in coefficients):
        return 1
    return -1 if all(one.is_nonpositive for one in coefficients) else None


def _coefficients(part: Expr, ends: Ends) -> list[Expr]:
    if not ends:
        return [sympy.simplify(part)]
    polynomial = _polynomial(part, list(ends))
    for x, (lower, upper) in ends.items():
        polynomial = _unbounded(polynomial, x, lower, upper)
    return [sympy.sympify(one) for one in polynomial.coeffs()]


def _polynomial(part: Expr, symbols: list[Symbol]) -> Poly:
    try:
        polynomial = Poly(sympy.expand(part), *symbols)
    except sympy.PolynomialError as error:
        raise ValueError(f"expression must be a rational function, got {part}") from error
    if not all(one.is_real for one in polynomial.coeffs()):
        raise ValueError(f"expression must have real coefficients, got {part}")
    return polynomial


def _unbounded(polynomial: Poly, x: Symbol, lower: Expr, upper: Expr) -> Poly:
    """The polynomial with x = lower + v, or lower + (upper - lower) v/(1 + v) without quotients."""
    v = Dummy("v", nonnegative=True)
    others = [one for one in polynomial.gens if one != x]
    by_power = Poly(polynomial.as_expr(), x)
    one, top = (sympy.S.One, lower + v) if upper == sympy.oo else (1 + v, lower + upper * v)
    degree = by_power.degree()
    terms = (c * top**k * one ** (degree - k) for (k,), c in by_power.terms())
    return Poly(sum(terms), v, *others)


def _refuted(whole: Expr, ends: Ends) -> bool | None:
    for point in _points(ends):
        value = whole.subs(point)
        if value.is_negative:
            return False
    return None


def _points(ends: Ends) -> Iterator[dict[Symbol, Expr]]:
    """Corners of the box, then points inside, the same ones on every call."""
    sides = [(low, _FAR if high == sympy.oo else high) for low, high in ends.values()]
    for corner in itertools.islice(itertools.product(*sides), _CORNERS):
        yield dict(zip(ends, corner, strict=True))
    dice = random.Random(_SEED)
    for _ in range(_POINTS):
        yield {x: _inside(low, high, dice) for x, (low, high) in ends.items()}


def _inside(low: Expr, high: Expr, dice: random.Random) -> Expr:
    share = Rational(dice.randint(1, 999), 1000)
    return low + (share / (1 - share) if high == sympy.oo else share * (high - low))
