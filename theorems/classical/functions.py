"""Facts about exponentials, logarithms, circular and hyperbolic functions, and their inverses.

>>> from sympy import Reals
>>> x = symbols("x", real=True)
>>> fact = cosine(2 * x, over={x: Reals})
>>> print(fact.statement, *sorted({one.name for one in fact.trusts if one.kind == "textbook"}))
Abs(cos(2*x)) <= 1 sine and cosine
"""

from collections.abc import Callable
from functools import partial

from sympy import (
    Abs,
    Expr,
    Interval,
    Reals,
    Symbol,
    acos,
    asin,
    cos,
    cosh,
    diff,
    exp,
    log,
    oo,
    pi,
    sin,
    sqrt,
    symbols,
    tanh,
)

from theorems.engine import both, eq, ge, gt, iff, implies, le, lt, rules
from theorems.engine.rules import Theorem, facts, principles
from theorems.engine.rules.facts import Consequence, Fact
from theorems.engine.rules.ranges import Over

_a, _b, _t = symbols("a b t", real=True)
_x, _y = symbols("x y", nonnegative=True)
_w = symbols("w", positive=True)
_HALF_LINE = Interval(0, oo)
_SIZES = ((_x, _HALF_LINE), (_y, _HALF_LINE))

# Exponentials and logarithms

exponential_below_zero = Consequence(
    "the exponential below zero",
    both(ge(exp(-_x), 0), le(exp(-_x), 1)),
    (_x,),
    _SIZES[:1],
    known=lambda: [facts.exponential_increases(0, -_x)],
)
slope_of_exponential_below_zero = Consequence(
    "the exponential has slopes of size at most one below zero",
    le(Abs(exp(-_x) - exp(-_y)), Abs(_x - _y)),
    (_x, _y),
    _SIZES,
    known=lambda: [
        *(exponential_below_zero(one) for one in (_x, _y)),
        *(facts.exponential_above_tangent(one) for one in (_x - _y, _y - _x)),
    ],
)


def _from(start: Expr, letter: Symbol, function: Expr, slope: Theorem) -> Theorem:
    """A function is at least its value at the start of a range where ``slope`` says it grows."""
    other = Symbol("other place", **letter.assumptions0)
    grows = principles.increasing(slope, function, letter, other)
    return grows.at({letter: start, other: letter})


def _grows(function: Expr, letter: Symbol, start: Expr, over: Over) -> Theorem:
    """A function with a derivative that is not negative, as the solver sees, from a start on."""
    slope = rules.follows(ge(diff(function, letter), 0), over=over)
    return _from(start, letter, function, slope)


logarithm_near_parabola = Consequence(
    "the logarithm and its Taylor polynomials",
    both(ge(log(1 + _x), _x - _x**2 / 2), le(log(1 + _x), _x), ge(log(1 + _x), 0)),
    (_x,),
    _SIZES[:1],
    known=lambda: [
        facts.logarithm_below_tangent(1 + _x),
        _grows(log(1 + _x) - _x + _x**2 / 2, _x, 0, {_x: _HALF_LINE}),
    ],
)
logarithm_below_hyperbolic_sine = Consequence(
    "the hyperbolic sine lies above the identity",
    both(le(2 * log(_w), _w - 1 / _w), gt(log(_w), 0)),
    (_w,),
    ((_w, Interval.open(1, oo)),),
    known=lambda: [
        facts.logarithm_increases(1, _w, over={_w: Interval.open(1, oo)}),
        _grows(_w - 1 / _w - 2 * log(_w), _w, 1, {_w: Interval(1, oo)}),
    ],
)

# Sines and cosines

addition_of_angles = Fact(
    "addition of angles",
    both(
        eq(cos(_a + _b), cos(_a) * cos(_b) - sin(_a) * sin(_b)),
        eq(sin(_a + _b), sin(_a) * cos(_b) + cos(_a) * sin(_b)),
    ),
    (_a, _b),
)
cosine = Consequence("values of the cosine", le(Abs(cos(_a)), 1), (_a,), known=lambda: [facts.circle(_a)])


def _moves(function: Callable[[Expr], Expr]) -> list[Theorem]:
    """A sine or cosine moves no more than its argument, to either side: its rate is at most 1."""
    law = rules.differentiated(function(_a), _a, Reals)
    size = le(Abs(law.statement.args[0]), 1)
    bound = rules.follows(size, [facts.circle(_a)])
    moved = rules.mean_value(law, bound, _t)
    return [moved.at(dict(zip((_a, _t), ends, strict=True))) for ends in ((_a, _b), (_b, _a))]


slope_of_cosine = Consequence(
    "the cosine has slopes of size at most one",
    le(Abs(cos(_a) - cos(_b)), Abs(_a - _b)),
    (_a, _b),
    known=partial(_moves, cos),
)
slope_of_sine = Consequence(
    "the sine has slopes of size at most one",
    le(Abs(sin(_a) - sin(_b)), Abs(_a - _b)),
    (_a, _b),
    known=partial(_moves, sin),
)
sine_below_identity = Consequence(
    "the sine is at most its argument", le(Abs(sin(_a)), Abs(_a)), (_a,), known=lambda: [slope_of_sine(_a, 0)]
)
cosine_near_parabola = Consequence(
    "the cosine and its Taylor polynomial of order two",
    le(Abs(cos(_a + _b) - cos(_a) + _b * sin(_a) + _b**2 * cos(_a) / 2), Abs(_b) ** 3 / 6),
    (_a, _b),
    known=lambda: [
        _to_the_right().at(values, under=[condition])
        for values, condition in (({_a: _a, _x: _b}, _b >= 0), ({_a: -_a, _x: -_b}, _b <= 0))
    ],
)


def _to_the_right() -> Theorem:
    """The same for steps to the right: what is left has the slope of what is left of the sine."""
    law, second = (rules.differentiated(f(_t), _t, Reals) for f in (sin, cos))
    size = rules.follows(le(Abs(-sin(_t)), 1), [facts.circle(_t)])
    there = rules.taylor(law, second, size, _b).at({_t: _a, _b: _a + _x})
    rest = cos(_a + _x) - cos(_a) + _x * sin(_a) + _x**2 * cos(_a) / 2
    sides = []
    for side in (rest, -rest):
        gap = _x**3 / 6 + side
        slope = rules.follows(ge(diff(gap, _x), 0), [there])
        sides.append(_from(0, _x, gap, slope))
    return rules.follows(le(Abs(rest), _x**3 / 6), sides)


arcsine = Fact(
    "range of the arcsine",
    both(
        le(-pi / 2, asin(_a)),
        le(asin(_a), pi / 2),
        implies(lt(_a, 1), lt(asin(_a), pi / 2)),
        implies(le(_a, sqrt(2) / 2), le(asin(_a), pi / 4)),
        le(_a**2, _a * asin(_a)),
    ),
    (_a,),
    ((_a, Interval(-1, 1)),),
)
inverse_sine = Fact(
    "the arcsine inverts the sine",
    iff(eq(sin(_t), _a), eq(asin(_a), _t)),
    (_a, _t),
    ((_a, Interval(-1, 1)), (_t, Interval(-pi / 2, pi / 2))),
)


def slopes_of_arcsine(s: Symbol, t: Symbol, top: Symbol, *, over: Over) -> list[Theorem]:
    """Of s and t from 0 to top < 1: the arcsine grows, with slopes of at most 1/√(1 - top²)."""
    share, other = symbols("share other", nonnegative=True)
    places = {share: Interval(0, 1), top: over[top]}
    found = []
    for function in (asin(top * share), top * share / sqrt(1 - top**2) - asin(top * share)):
        slope = rules.follows(ge(diff(function, share), 0), over=places)
        grows = principles.increasing(slope, function, share, other)
        for first, second in ((s, t), (t, s)):
            at, below = {share: first / top, other: second / top}, [le(s, top), le(t, top)]
            there = grows.at(at, over=over, under=below)
            found.append(rules.follows(there.statement, [there], under=below))
    return found


arcsine_of_double_angle = Consequence(
    "the cosine of the double angle",
    eq(asin(1 - 2 * _x**2), pi / 2 - 2 * asin(_x)),
    (_x,),
    ((_x, Interval(0, 1)),),
    known=lambda: [
        arcsine(_x, over={_x: Interval(0, 1)}),
        inverse_sine(
            1 - 2 * _x**2,
            pi / 2 - 2 * asin(_x),
            over={_x: Interval(0, 1)},
            under=[ge(asin(_x), 0), le(asin(_x), pi / 2)],
        ),
        addition_of_angles(asin(_x), asin(_x), over={_x: Interval(0, 1)}),
    ],
)
arccosine = Fact("the arccosine", eq(acos(_a), pi / 2 - asin(_a)), (_a,), ((_a, Interval(-1, 1)),))
inverse_cosine = Consequence(
    "the arccosine inverts the cosine",
    iff(eq(cos(_t), _a), eq(acos(_a), _t)),
    (_a, _t),
    ((_a, Interval(-1, 1)), (_t, Interval(0, pi))),
    known=lambda: [
        arccosine(_a),
        inverse_sine(_a, pi / 2 - _t, over={_a: Interval(-1, 1), _t: Interval(0, pi)}),
    ],
)
range_of_arccosine = Consequence(
    "range of the arccosine",
    both(gt(acos(_a), 0), lt(acos(_a), pi)),
    (_a,),
    ((_a, Interval.open(-1, 1)),),
    known=lambda: [
        fact(one, over={_a: Interval.open(-1, 1)})
        for fact, one in ((arccosine, _a), (arcsine, _a), (arcsine, -_a))
    ],
)

# Hyperbolic functions

by_exponentials = Fact(
    "hyperbolic functions by exponentials",
    both(eq(cosh(_a), (exp(_a) + exp(-_a)) / 2), eq(tanh(_a), (exp(_a) - exp(-_a)) / (exp(_a) + exp(-_a)))),
    (_a,),
)


def _cosh(x: Expr) -> Expr:
    return (exp(x) + exp(-x)) / 2


cosh_is_even = Consequence(
    "the hyperbolic cosine is even",
    eq(_cosh(_t * Abs(_a)), _cosh(_t * _a)),
    (_t, _a),
    known=lambda: [facts.exponential_of_sum(_t * Abs(_a), side * _t * _a, 0) for side in (1, -1)],
)
cosh_increases = Consequence(
    "the hyperbolic cosine increases with the size of its argument",
    implies(le(Abs(_a), Abs(_b)), le(_cosh(_a), _cosh(_b))),
    (_a, _b),
    known=lambda: [facts.exponential_increases(*pair) for pair in ((_b, _a), (_a, -_b), (_a, _b), (-_b, _a))],
)
cosh_below_bell = Consequence(
    "the hyperbolic cosine is at most exp(x²/2)",
    le(_cosh(_a), exp(_a**2 / 2)),
    (_a,),
    known=lambda: [_cosh_of_sizes().at({_x: Abs(_a)}), cosh_is_even(1, _a)],
)


def _cosh_of_sizes() -> Theorem:
    """log cosh x has the slope tanh x ≤ x, as x cosh x - sinh x has the slope x sinh x ≥ 0."""
    sizes = facts.exponential_increases(_x, -_x)
    gap = _x * (exp(_x) + exp(-_x)) - (exp(_x) - exp(-_x))
    slope = rules.follows(ge(diff(gap, _x), 0), [sizes])
    below = _from(0, _x, gap, slope)
    rest = _x**2 / 2 - log(_cosh(_x))
    known = _from(0, _x, rest, rules.follows(ge(diff(rest, _x), 0), [below]))
    grows = facts.exponential_increases(_x**2 / 2, log(_cosh(_x)))
    return rules.follows(le(_cosh(_x), exp(_x**2 / 2)), [known, grows])
