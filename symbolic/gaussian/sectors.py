"""Sectors of the circle on which cos(theta) and cos(theta - t) keep their signs, and integrals."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import sympy
from sympy import Abs, Add, Expr, cos, pi, sign, sin
from sympy.simplify.fu import TR8, TR9

from symbolic.notation import t, theta


class Sector(NamedTuple):
    """An arc from `start` to `end` and the signs of cos(theta), cos(theta - t) on it."""

    start: Expr
    end: Expr
    signs: tuple[int, int]


def cosine_sign(start: Expr, end: Expr) -> int | None:
    """Sign of the cosine on the arc from start to end, for all t in (0, pi); None if it changes.

    The ends are affine in t. The sign is (-1)^k if the arc lies between k pi - pi/2 and
    k pi + pi/2 both for t = 0 and for t = pi, hence for all t between.

    >>> cosine_sign(t - pi / 2, pi / 2), cosine_sign(t, pi)
    (1, None)
    """
    for k in range(-3, 4):
        low, high = start - k * pi + pi / 2, k * pi + pi / 2 - end
        if all(gap.subs(t, at) >= 0 for gap in (low, high) for at in (0, pi)):
            return 1 if k % 2 == 0 else -1
    return None


def _sectors() -> Iterator[Sector]:
    breaks = [-pi / 2, t - pi / 2, pi / 2, t + pi / 2, 3 * pi / 2]
    for start, end in pairwise(breaks):
        first, second = cosine_sign(start, end), cosine_sign(start - t, end - t)
        if first is None or second is None:
            raise ArithmeticError(f"a cosine changes sign between {start} and {end}")
        yield Sector(start, end, (first, second))


#: For t in (0, pi): four arcs that make up the circle from -pi/2 to 3 pi/2.
SECTORS = tuple(_sectors())


def trigonometric_antiderivative(integrand: Expr) -> Expr:
    """Find an antiderivative in theta of a polynomial in sines and cosines of theta + shifts.

    Raises ValueError for another integrand.

    >>> trigonometric_antiderivative(cos(theta) ** 2)
    theta/2 + sin(2*theta)/4
    """
    return Add(*[_term_antiderivative(term) for term in Add.make_args(_waves(integrand))])


def in_few_waves(expression: Expr) -> Expr:
    """Write sums of waves among the factors of an expression in fewer waves, where there are.

    >>> in_few_waves((cos(theta) - cos(t) * cos(theta - t)) / sin(t))
    sin(t - theta)
    >>> in_few_waves(2 * sin(theta) ** 2 - 1)
    -cos(2*theta)
    """
    if not expression.has(theta) or expression.is_Atom:
        return expression
    if expression.is_Mul or expression.is_Pow:
        return expression.func(*map(in_few_waves, expression.args))
    if not expression.is_Add:
        return expression
    shorter = sympy.factor_terms(Add(*map(in_few_waves, expression.args)))
    if not shorter.is_Add:
        return in_few_waves(shorter)
    if shorter.has(Abs, sign):
        return shorter
    return min(TR9(_waves(shorter)), shorter, key=sympy.count_ops)


def _waves(integrand: Expr) -> Expr:
    """Turn products of waves into sums; one pass of TR8 may leave products of its own making."""
    before, after = None, sympy.expand(integrand)
    while after != before:
        before, after = after, sympy.expand(TR8(after))
    return after


def _term_antiderivative(term: Expr) -> Expr:
    if not term.has(theta):
        return term * theta
    coefficient, wave = term.as_independent(theta, as_Add=False)
    if isinstance(wave, cos | sin):
        angle = wave.args[0]
        frequency = sympy.diff(angle, theta)
        if frequency.is_number:
            return coefficient * (sin(angle) if isinstance(wave, cos) else -cos(angle)) / frequency
    raise ValueError(f"integrand must be a polynomial in sines and cosines, got the term {term}")
