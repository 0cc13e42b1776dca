"""Textbook facts about normal variables of mean zero, each for whatever is known to be one.

>>> from theorems.engine.rules.vocabulary import Random
>>> g = Random("g")
>>> print(fourth_moment(g))
Eq(E(g**4), 3*E(g**2)**2) for g in random variables ..., normal(g) [proved]
"""

from collections.abc import Iterator, Sequence
from functools import cache

import sympy
from sympy import (
    Abs,
    Eq,
    Expr,
    Integral,
    Interval,
    Max,
    Rational,
    Symbol,
    cos,
    exp,
    gamma,
    sin,
    sqrt,
    symbols,
)

from theorems.engine.rules.facts import Fact
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.theorem import Theorem
from theorems.engine.rules.vocabulary import E, P, Random, chi_squared, independent, kolmogorov, normal

__all__ = [
    "centred",
    "chi_square_by_parts",
    "chi_square_distribution",
    "chi_square_is_positive",
    "exponential_of_square",
    "fourth_moment",
    "independent_rest",
    "independent_rest_of_two",
    "isserlis",
    "mean_modulus",
    "mean_over_normal",
    "near_means_of_a_bell",
    "no_atoms",
    "normal_tail",
    "positive_parts",
    "square_of_product",
    "tails_of_one_law",
    "waves",
    "waves_of_product",
]

_X, _Y, _Z, _t = Random("X"), Random("Y"), Random("Z"), Symbol("t", real=True)
_level = Symbol("level", real=True)
_SIZES = ((_t, Interval(0, sympy.oo)),)
_q, _m = Symbol("q", integer=True, nonnegative=True), Symbol("m", integer=True, positive=True)
_STANDARD = normal(_X), Eq(E(_X**2), 1)


def isserlis(*factors: Expr, over: Over | None = None, jointly: Sequence[Expr] | None = None) -> Theorem:
    """Isserlis' theorem: the mean of a product is the sum over all ways to pair its factors.

    E(X_1 ... X_k) is the sum of the products of the E(X_i X_j) of a pairing, and 0 for odd k, for
    variables that are centred and jointly normal, as ``jointly`` are, to which they belong
    (Isserlis, Biometrika 12, 1918).

    >>> X, Y = Random("X"), Random("Y")
    >>> print(isserlis(X, X, Y, Y).statement)
    Eq(E(X**2*Y**2), E(X**2)*E(Y**2) + 2*E(X*Y)**2)
    """
    law = tuple(dict.fromkeys(jointly or factors))
    return _isserlis(tuple(map(law.index, factors)), len(law))(*law, over=over)


@cache
def _isserlis(places: tuple[int, ...], size: int) -> Fact:
    """The fact for variables of which the product has those at these places as factors."""
    letters = tuple(Random(f"X_{place}") for place in range(size))
    factors = [letters[place] for place in places]
    mean = sympy.Add(*_pairings(factors))
    said = Eq(E(sympy.Mul(*factors)), mean, evaluate=False)
    return Fact("Isserlis' theorem", said, letters, under=(normal(*letters),))


def _pairings(factors: Sequence[Expr]) -> Iterator[Expr]:
    """The products of the means of pairs, one for each way to pair the factors."""
    if not factors:
        yield sympy.S.One
        return
    first, *rest = factors
    for place, other in enumerate(rest):
        for others in _pairings([*rest[:place], *rest[place + 1 :]]):
            yield E(first * other) * others


def centred(X: Expr, *, over: Over | None = None) -> Theorem:
    """E X = 0, as one factor has no other to be paired with."""
    return isserlis(X, over=over)


def fourth_moment(X: Expr, *, over: Over | None = None) -> Theorem:
    """E X⁴ = 3 (E X²)², of three pairings."""
    return isserlis(X, X, X, X, over=over)


def square_of_product(X: Expr, Y: Expr, *, over: Over | None = None) -> Theorem:
    """E X²Y² = E X² E Y² + 2 (E XY)², for jointly normal X and Y."""
    return isserlis(X, X, Y, Y, over=over)


mean_modulus = Fact(
    "mean modulus of a normal variable",
    sympy.And(Eq(E(Abs(_X)) ** 2, 2 * E(_X**2) / sympy.pi), E(Abs(_X)) >= 0),
    (_X,),
    under=(normal(_X),),
)
no_atoms = Fact(
    "a normal variable has no atoms",
    Eq(P(sympy.Ne(_X, _level)), 1),
    (_X, _level),
    ((_level, sympy.Reals),),
    under=(normal(_X), E(_X**2) > 0),
)
normal_tail = Fact(
    "tail of a standard normal variable",
    P(sympy.Ge(Abs(_X), _t)) <= exp(-(_t**2) / 2),
    (_X, _t),
    _SIZES,
    under=_STANDARD,
)
tails_of_one_law = Fact(
    "normal variables of one variance have one law",
    Eq(P(sympy.Ge(Abs(_X), _t)), P(sympy.Ge(Abs(_Y), _t))),
    (_X, _Y, _t),
    _SIZES,
    under=(normal(_X), normal(_Y), Eq(E(_X**2), E(_Y**2))),
)


def symmetric_law(form: Expr, x: Symbol, X: Expr, *, over: Over | None = None) -> Theorem:
    """E f(-X) = E f(X), as X and -X are normal variables of one variance.

    >>> x, g = Symbol("x", real=True), Random("g")
    >>> print(symmetric_law(Max(x, 0), x, g).statement)
    Eq(E(Max(0, -g)), E(Max(0, g)))
    """
    said = Eq(E(form.subs(x, -_X)), E(form.subs(x, _X)), evaluate=False)
    letters = tuple(form.free_symbols - {x})
    ranges = tuple((one, (over or {})[one]) for one in letters)
    fact = Fact(tails_of_one_law.name, said, (_X, *letters), ranges, (normal(_X),))
    return fact(X, *letters, over=over)


near_means_of_a_bell = Fact(
    "means of a function of total variation two, for near distribution functions",
    Abs(E(exp(-(_X**2) / 2)) - E(exp(-(_Y**2) / 2))) <= 2 * kolmogorov(_X, _Y),
    (_X, _Y),
)
positive_parts = Fact(
    "even moments of positive parts of symmetric variables",
    Eq(E(Max(_X, 0) ** (2 * _q)), E(_X ** (2 * _q)) / 2),
    (_X, _q),
    ((_q, sympy.Range(1, sympy.oo)),),
    under=(normal(_X),),
)
waves = Fact(
    "characteristic function of a standard normal variable",
    sympy.And(Eq(E(cos(_t * _X)), exp(-(_t**2) / 2)), Eq(E(sin(_t * _X)), 0)),
    (_X, _t),
    under=_STANDARD,
)
waves_of_product = Fact(
    "characteristic function of a product of two standard normal variables",
    sympy.And(Eq(E(cos(_t * _X * _Y)), 1 / sqrt(1 + _t**2)), Eq(E(sin(_t * _X * _Y)), 0)),
    (_X, _Y, _t),
    under=(*_STANDARD, normal(_Y), Eq(E(_Y**2), 1), independent(_X, _Y)),
)
exponential_of_square = Fact(
    "exponential moment of a Gaussian square",
    Eq(E(exp(_t * _X**2)), 1 / sqrt(1 - 2 * _t)),
    (_X, _t),
    ((_t, Interval.open(-sympy.oo, Rational(1, 2))),),
    under=_STANDARD,
)
mean_over_normal = Fact(
    "mean of the exponential of a Gaussian square, given an independent factor",
    Eq(E(exp(-_Y * _X**2 / 2)), E(1 / sqrt(1 + _Y))),
    (_X, _Y),
    under=(*_STANDARD, independent(_X, _Y), Eq(P(_Y >= 0), 1)),
)
chi_square_by_parts = Fact(
    "integration by parts with the density of a chi-square variable",
    Eq(E(_X ** (_q + 1)), (_m + 2 * _q) * E(_X**_q)),
    (_X, _m, _q),
    ((_m, sympy.Range(1, sympy.oo)), (_q, sympy.Range(sympy.oo))),
    under=(chi_squared(_X, _m),),
)
chi_square_is_positive = Fact(
    "a multiple of a sum of squares is not negative",
    Eq(P(_t * _X >= 0), 1),
    (_X, _m, _t),
    ((_m, sympy.Range(1, sympy.oo)), *_SIZES),
    under=(chi_squared(_X, _m),),
)
_place = Symbol("place", positive=True)
#: Johnson, Kotz and Balakrishnan, Continuous univariate distributions, volume 1, chapter 18.
chi_square_distribution = Fact(
    "density of a chi-square variable",
    Eq(
        P(_t >= _X),
        Integral(
            _place ** (_m / 2 - 1) * exp(-_place / 2) / (2 ** (_m / 2) * gamma(_m / 2)), (_place, 0, _t)
        ),
    ),
    (_X, _m, _t),
    ((_m, sympy.Range(1, sympy.oo)), *_SIZES),
    under=(chi_squared(_X, _m),),
)
_p, _q, _r = symbols("p q r", real=True)
independent_rest = Fact(
    "the rest of a normal variable is independent of what it is uncorrelated with",
    sympy.And(independent(_X - _p * _Y, _Y), Eq(E(_X - _p * _Y), 0)),
    (_X, _Y, _p),
    under=(normal(_X, _Y), Eq(E(_X * _Y), _p * E(_Y**2))),
)
independent_rest_of_two = Fact(
    "the rest of a normal variable is independent of two that it is uncorrelated with",
    sympy.And(independent(_X - _p * _Y - _q * _Z, _Y, _Z - _r * _Y), Eq(E(_X - _p * _Y - _q * _Z), 0)),
    (_X, _Y, _Z, _p, _q, _r),
    under=(
        normal(_X, _Y, _Z),
        Eq(E(_X * _Y), _p * E(_Y**2) + _q * E(_Y * _Z)),
        Eq(E(_X * _Z), _p * E(_Y * _Z) + _q * E(_Z**2)),
        Eq(E(_Y * _Z), _r * E(_Y**2)),
    ),
)
