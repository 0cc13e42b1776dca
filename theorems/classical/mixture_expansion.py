"""Gaussian mixtures to the next order: what the variance of the variance does to their law."""

from functools import cache
from typing import Any

import sympy as sp
from sympy import Abs, Expr, Rational, Reals, Symbol, exp, pi, sqrt

from theorems.classical.gaussian_mixtures import (
    EVEN,
    GAUSSIAN_MIXTURE,
    Mixture,
    chance_at,
    chance_given_the_variance,
    near_the_tangent,
    root_between,
    root_of_two_pi,
    taylor,
)
from theorems.classical.letters import V, claim, normal, normal_cdf, place
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, half_line, le, lt, rules
from theorems.engine.rules import E, P, Theorem, facts, principles
from theorems.engine.statements.values import unfolded

_NOTE = "proofs_notes/attn_mixtures.md#the-next-order"
_FOURTH, _SMALL = Rational(7, 4), Rational(77, 200)

_y, _r = Symbol("y", nonnegative=True), Symbol("r", nonnegative=True)
_any = Symbol("z", real=True)
_w, _v = Symbol("w", nonnegative=True), Symbol("v", nonnegative=True)
_rho = Symbol("rho", positive=True)
_POSITIVE, _SIZES = half_line(0, closed=False), half_line(0)
_PLACE, _BETWEEN = {_y: _SIZES, _w: _POSITIVE}, root_between(4)
MEAN_ONE = Hypothesis("mean_one", "the mean of $V is one", formula=eq(E(V), 1))


def _correction(level: Expr) -> Expr:
    """Half the second derivative of the chance by the variance, at the variance 1."""
    return level * (3 - level**2) * exp(-(level**2) / 2) / (8 * sqrt(2 * pi))


#: Central moments of a variance of mean one.
_SECOND = E(V**2) - 1
_THIRD = E(V**3) - 3 * E(V**2) + 2
_LAST = E(V**4) - 4 * E(V**3) + 6 * E(V**2) - 3

EXPANSION = claim(
    "classical.gaussian_mixtures.expansion",
    at="Gaussian mixtures",
    title="The next order of the distribution function of a Gaussian with a random variance",
    states=le(
        Abs(P(le(normal * sqrt(V), place)) - normal_cdf(place) - _correction(place) * _SECOND),
        Abs(_THIRD) / 20 + _FOURTH * _LAST,
    ),
    assuming=[GAUSSIAN_MIXTURE, MEAN_ONE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _derivative(order: int, level: Expr, root: Expr) -> Expr:
    """A derivative of the chance by the variance, where this has the given root."""
    v = Symbol("v", positive=True)
    return sp.diff(unfolded(normal_cdf(level / sqrt(v))), v, order).subs(v, root**2)


def _polynomial(level: Expr, variance: Expr) -> Expr:
    """Taylor's polynomial of order three at the variance 1."""
    change = variance - 1
    terms = [_derivative(k, level, sp.S.One) * change**k / sp.factorial(k) for k in (1, 2, 3)]
    return normal_cdf(level) + sp.Add(*terms)


def _shape(order: int, t: Expr) -> tuple[Expr, Any, Any]:
    """A polynomial in t, its divisor beside the root of 2π, and a bound with e^(-t²/2).

    These make the derivative of that order at the variance 1.
    """
    return {
        2: (t * (3 - t**2), 4, 10 * Rational(19, 50) ** 2),
        3: (-t * (t**4 - 10 * t**2 + 15), 8, sp.Integer(6)),
        4: (-t * (t**6 - 21 * t**4 + 105 * t**2 - 105), 16, 960 * _FOURTH * _SMALL**4),
    }[order]


def _size_of(order: int) -> Theorem:
    """The polynomial times e^(-t²/2) is small: e^(-8r²) is at most (1 + r²)^(-8), t = 4r."""
    t = 4 * _r
    shape, _, bound = _shape(order, t)
    tangent = facts.exponential_above_tangent(_r**2)
    falls, power = exp(-(t**2) / 2), (1 + _r**2) ** 8
    small = rules.follows(le(falls * power, 1), [tangent])
    sides = [rules.follows(le(s * shape, bound * power)) for s in (1, -1)]
    return rules.follows(le(Abs(shape) * falls, bound), [small, *sides])


def _small_derivative(order: int) -> Theorem:
    """A derivative is at most a constant over the power of the variance."""
    t = _y / _rho
    shape, divisor, bound = _shape(order, t)
    size = Abs(shape) * exp(-(t**2) / 2)
    sizes = _size_of(order).at({_r: t / 4})
    bounded = rules.follows(le(size, bound), [sizes])
    value, power = Abs(_derivative(order, _y, _rho)), _rho ** (2 * order)
    same = rules.follows(eq(value * power, size / (divisor * sqrt(2) * sqrt(pi))))
    goal = le(value * power, bound / (divisor * Rational(5, 2)))
    return rules.follows(goal, [bounded, same, root_of_two_pi()])


def _remainder() -> Theorem:
    """From 0.385 on a fourth derivative of at most 42 makes a remainder of 7/4 times (w - 1)⁴."""
    value, change = sp.symbols("d h", real=True)
    small = [le(Abs(value), 24 * _FOURTH)]
    size, bound = value * change**4 / 24, _FOURTH * change**4
    goal = both(le(size, bound), ge(size, -bound))
    general = rules.follows(goal, under=small)
    fourth = rules.follows(
        le(Abs(_derivative(4, _y, _rho)), 24 * _FOURTH), [_small_derivative(4)], under=[ge(_rho**2, _SMALL)]
    )
    under = [ge(_BETWEEN**2, _SMALL)]
    bent = fourth.at({_rho: _BETWEEN}, over=_PLACE, under=under)
    place_ = {value: _derivative(4, _y, _BETWEEN), change: _w - 1}
    here = general.at(place_, over=_PLACE)
    return rules.follows(here.statement, [bent, here], under=under)


def _of_large_variances() -> Theorem:
    """The chance is Taylor's polynomial and a remainder, at a variance in between."""
    under, remainder = [ge(_w, _SMALL)], _remainder()
    gap = normal_cdf(_y / sqrt(_w)) - _polynomial(_y, _w)
    chance = taylor(4, gap, _derivative(4, _y, _BETWEEN))
    inside = rules.follows(ge(_BETWEEN**2, _SMALL), [chance], under=under)
    goal = le(Abs(gap), _FOURTH * (_w - 1) ** 4)
    return rules.follows(goal, [chance, inside, remainder], under=under)


_CUBIC = {_y: _SIZES, _w: _SIZES}


def _at_one(order: int, level: Expr) -> Expr:
    return _derivative(order, level, sp.S.One)


def _small_at_one(order: int) -> Theorem:
    """The derivative at the variance 1."""
    return _small_derivative(order).at({_rho: sp.S.One})


def _of_small_variances() -> Theorem:
    """Below 0.385 the bound by a parabola is more than enough."""
    gap, second, third, change = sp.symbols("gap d2 d3 h", real=True)
    under = [
        le(Abs(gap), change**2 / 2),
        le(Abs(second), Rational(361, 2500)),
        le(Abs(third), Rational(3, 10)),
        le(change, _SMALL - 1),
        ge(change, -1),
    ]
    rest = gap - second * change**2 / 2 - third * change**3 / 6
    sides = both(le(rest, _FOURTH * change**4), ge(rest, -_FOURTH * change**4))
    dict.fromkeys((gap, second, third, change), Reals)
    general = rules.follows(sides, under=under)
    size = chance_at(_y, _w)
    values = {
        gap: size - normal_cdf(_y) - _at_one(1, _y) * (_w - 1),
        second: _at_one(2, _y),
        third: _at_one(3, _y),
        change: _w - 1,
    }
    here = general.at(values)
    parabola = near_the_tangent().at({_any: _y})
    known = [here, parabola, _small_at_one(2), _small_at_one(3)]
    return rules.follows(here.statement, known, under=[lt(_w, _SMALL)])


def _sides(value: Expr, level: Expr, variance: Expr) -> Any:
    rest, size = value - _polynomial(level, variance), _FOURTH * (variance - 1) ** 4
    return le(rest, size), ge(rest, -size)


@cache
def _everywhere() -> Theorem:
    """On the half line in two parts; all terms change their sign with the level."""
    parts = [_of_large_variances(), _of_small_variances()]
    right = rules.follows(both(*_sides(chance_at(_y, _w), _y, _w)), parts, over=_CUBIC)
    over = {_any: Reals, _w: _SIZES}
    goal = both(*_sides(chance_at(_any, _w), _any, _w))
    scaled = EVEN(_any / sqrt(_w), over={_any: Reals, _w: _POSITIVE})
    above = right.at({_y: _any}, under=[ge(_any, 0)])
    below = right.at({_y: -_any}, under=[lt(_any, 0)])
    halves = [
        rules.follows(goal, [above], under=[ge(_any, 0)]),
        rules.follows(goal, [below, EVEN.theorem, scaled], over=over, under=[lt(_any, 0)]),
    ]
    return rules.cases(halves)


@cache
def _small_third() -> Theorem:
    """The third derivative is at most 3/10 at any level, as it is odd."""
    right = _small_at_one(3)
    sides = [right.at({_y: s * _any}, under=[ge(s * _any, 0)]) for s in (1, -1)]
    return rules.follows(le(Abs(_at_one(3, _any)), Rational(3, 10)), sides)


#: The derivatives at the variance 1 by name, so that means are taken of short terms.
_NAMED = [sp.Function(f"derivative_{order}", real=True) for order in (1, 2, 3)]


def _named(order: int, level: Expr, over: Any) -> Theorem:
    """The definition of a derivative, at a level."""
    definition = rules.defined(_NAMED[order - 1](_any), _at_one(order, _any), over={_any: Reals})
    return definition.at({_any: level}, over=over)


@cache
def _by_name(side: int) -> Theorem:
    """One of the two sides of the inequality, with names for the derivatives."""
    over = {_any: Reals, _w: _SIZES}
    names = [_named(order, _any, over) for order in (1, 2, 3)]
    terms = [f(_any) * (_w - 1) ** k / sp.factorial(k) for k, f in enumerate(_NAMED, 1)]
    rest = chance_at(_any, _w) - normal_cdf(_any) - sp.Add(*terms)
    size = _FOURTH * (_w - 1) ** 4
    goal = (le(rest, size), ge(rest, -size))[side]
    return rules.follows(goal, [_everywhere(), *names])


@EXPANSION.proved()
def taylor_polynomials_of_order_three(given: Given) -> Theorem:
    """Means of Taylor's polynomials at the variance 1, with third derivatives of at most 3/10."""
    at, over = {_any: place}, {place: Reals}
    means = [given.instance(principles.expected(_by_name(k), _w, V), at) for k in (0, 1)]
    law = given.supposed(GAUSSIAN_MIXTURE, *Mixture(given, GAUSSIAN_MIXTURE, normal * sqrt(V), place).law)
    chance = chance_given_the_variance(normal, V, place, over=over)
    second, third = (_named(order, place, over) for order in (2, 3))
    small = given.instance(_small_third(), at)
    bounded = given.follows(small, third, goal=le(Abs(_NAMED[2](place)), Rational(3, 10)))
    rest = P(le(normal * sqrt(V), place)) - normal_cdf(place) - _NAMED[1](place) * _SECOND / 2
    near = given.follows(law, chance, *means, bounded, goal=le(Abs(rest), given.goal.rhs))
    return given.follows(near, second)
