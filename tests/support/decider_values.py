"""Points and values by mpmath alone, and whether an answer of the deciders is true there."""

import re
from fractions import Fraction
from itertools import islice, product

import mpmath
import pytest
import sympy
from hypothesis import event
from mpmath import mpf
from sympy import (
    Abs,
    FiniteSet,
    Integer,
    Interval,
    Max,
    Min,
    Ne,
    Range,
    Rational,
    Symbol,
    acos,
    asin,
    atan,
    cos,
    exp,
    log,
    oo,
    pi,
    sign,
    sin,
    sqrt,
    tanh,
)

from symbolic.equality import decide_at_least, decide_equal

DIGITS, SMALL, CLOSE = 50, mpf(10) ** -25, mpf(10) ** -18

x, y = sympy.symbols("x y", real=True)
p = Symbol("p", positive=True)
q = Symbol("q", nonnegative=True)
m = Symbol("m", negative=True)
n = Symbol("n", integer=True)
k = Symbol("k", integer=True, positive=True)

REAL_SETS = [
    None,
    *(
        Interval(a, b, *ends)
        for a, b in ((0, 1), (-1, 1), (1, 3))
        for ends in product((False, True), repeat=2)
    ),
    Interval(0, oo),
    Interval.open(0, oo),
    Interval(1, oo),
    Interval.open(1, oo),
    Interval(-oo, 0),
    Interval.open(-oo, 0),
    Interval(0, pi),
    Interval.open(0, pi),
    Interval(-pi / 2, pi / 2),
    Interval(Rational(1, 3), 2),
    sympy.Reals,
    FiniteSet(0, 1),
    FiniteSet(Rational(-1, 2), sqrt(2), 3),
]
INTEGER_SETS = [None, Range(0, 5), Interval(2, oo), Interval.open(-6, 0), sympy.S.Naturals0, Interval(-2, 2)]
SETS = {
    x: REAL_SETS,
    y: REAL_SETS,
    p: [None, Interval.open(0, 1), Interval(1, oo), Interval.Lopen(0, 2)],
    q: [None, Interval(0, 1), Interval.Ropen(0, 1), Interval(1, 2)],
    m: [None, Interval.Ropen(-1, 0), Interval.open(-oo, -1)],
    n: INTEGER_SETS,
    k: [None, sympy.S.Naturals, Interval(2, 9)],
}


# Values, by mpmath alone.


class NoValueError(ArithmeticError):
    """The expression is no real number at the point."""


class UnclearError(ArithmeticError):
    """Whether it is one hangs on digits that were rounded."""


def value(node, point):
    """The value of an expression at a point, to DIGITS digits."""
    if node.is_Symbol:
        return point[node]
    if node.is_Rational:
        return mpf(int(node.p)) / int(node.q)
    if node in CONSTANTS:
        return CONSTANTS[node]()
    if node.is_infinite or node is sympy.nan or node is sympy.I:
        raise NoValueError
    arguments = [value(argument, point) for argument in node.args]
    if max(map(abs, arguments), default=0) > mpf(10) ** 9:
        raise UnclearError
    return RULES[node.func](*arguments)


def crossed(number):
    """Whether a number is 0, raising UnclearError if that cannot be told."""
    if number != 0 and abs(number) < SMALL:
        raise UnclearError
    return number == 0


def power(base, exponent):
    if exponent == int(exponent):
        if crossed(base) and exponent < 0:
            raise NoValueError
        return mpf(1) if exponent == 0 else base ** int(exponent)
    if crossed(base):
        if crossed(exponent) or exponent > 0:
            return mpf(0)
        raise NoValueError
    if base < 0:
        raise NoValueError
    return base**exponent


def logarithm(number):
    if crossed(number) or number < 0:
        raise NoValueError
    return mpmath.log(number)


def tangent(number):
    if crossed(mpmath.cos(number)):
        raise NoValueError
    return mpmath.tan(number)


def inverse(function):
    def rule(number):
        if 1 < abs(number) < 1 + SMALL:
            raise UnclearError
        if abs(number) > 1:
            raise NoValueError
        return function(number)

    return rule


CONSTANTS = {pi: lambda: +mpmath.pi, sympy.E: lambda: +mpmath.e}
RULES = {
    sympy.Add: lambda *terms: mpmath.fsum(terms),
    sympy.Mul: lambda *factors: mpmath.fprod(factors),
    sympy.Pow: power,
    exp: mpmath.exp,
    log: logarithm,
    sin: mpmath.sin,
    cos: mpmath.cos,
    sympy.tan: tangent,
    asin: inverse(mpmath.asin),
    acos: inverse(mpmath.acos),
    atan: mpmath.atan,
    tanh: mpmath.tanh,
    sympy.sinh: mpmath.sinh,
    sympy.cosh: mpmath.cosh,
    Abs: abs,
    sign: lambda number: mpf(0) if crossed(number) else mpmath.sign(number),
    Max: max,
    Min: min,
}


# Ranges and their points.


def allowed(symbol, numbers):
    """The set in which the symbol has its values."""
    assumed = sympy.Reals
    for positive, interval in (
        ("positive", Interval.open(0, oo)),
        ("negative", Interval.open(-oo, 0)),
        ("nonnegative", Interval(0, oo)),
    ):
        if getattr(symbol, f"is_{positive}"):
            assumed = interval
            break
    return numbers or assumed


SHARES = [Fraction(k, 8) for k in range(1, 8)] + [Fraction(1, 10**6), 1 - Fraction(1, 10**6)]
FAR = [Fraction(1, 10**6), Fraction(1, 3), 1, Fraction(5, 2), 7, 30]


def candidates(symbol, numbers):
    """Exact numbers of the range: ends that belong to it, close to others, inside, and far out."""
    numbers = allowed(symbol, numbers)
    if isinstance(numbers, FiniteSet):
        return [*numbers]
    if symbol.is_integer:
        found = [one for one in range(-12, 13) if numbers.contains(one) == True]  # noqa: E712
        return [Integer(one) for one in found]
    low, high = numbers.inf, numbers.sup
    if low.is_finite and high.is_finite:
        inside = [low + Rational(share) * (high - low) for share in SHARES]
    elif low.is_finite:
        inside = [low + Rational(away) for away in FAR]
    elif high.is_finite:
        inside = [high - Rational(away) for away in FAR]
    else:
        inside = [s * Rational(away) for away in FAR for s in (1, -1)]
    special = [low, high, *map(Integer, (-1, 0, 1))]
    return [one for one in special if one.is_finite and numbers.contains(one) == True] + inside  # noqa: E712


def points(symbols, domain, seed):
    """Points of the range: the first ones are ends of all letters together."""
    values = {s: candidates(s, domain.get(s)) for s in symbols}
    corners = islice(product(*[one[:3] for one in values.values()]), 27)
    yield from (dict(zip(symbols, corner, strict=True)) for corner in corners)
    for round_ in range(30):
        yield {
            s: one[(seed + 7 * round_ * (i + 1) + round_ // 3) % len(one)]
            for i, (s, one) in enumerate(values.items())
        }


def numeric(point):
    return {s: value(sympy.sympify(one), {}) for s, one in point.items()}


def symbols_of(*sides):
    return sorted(set().union(*(side.free_symbols for side in sides)), key=str)


def belongs(symbol, number, domain):
    if symbol.is_integer and not number.is_integer:
        return False
    return allowed(symbol, domain.get(symbol)).contains(number) == True  # noqa: E712


def fulfilled(condition, point):
    """Whether a condition holds beyond doubt, and its sides have values."""
    try:
        gap = value(condition.lhs, point) - value(condition.rhs, point)
    except ArithmeticError:
        return False
    return abs(gap) > CLOSE if isinstance(condition, Ne) else gap > CLOSE


def check_yes(holds, sides, domain, seed, under=()):
    """A yes: at every point both sides are numbers, and the relation holds."""
    everything = [*sides, *(part for one in under for part in one.args)]
    with mpmath.workdps(DIGITS):
        for point in points(symbols_of(*everything), domain, seed):
            here = numeric(point)
            if not all(fulfilled(one, here) for one in under):
                continue
            try:
                values = [value(side, here) for side in sides]
            except UnclearError:
                continue
            except NoValueError:
                pytest.fail(f"yes, but undefined at {point}: {sides} on {domain}")
            scale = 1 + sum(map(abs, values))
            assert holds(*values, CLOSE * scale), f"yes, but not at {point}: {sides} on {domain}"


def check_no(fails, sides, domain, detail):
    """A no: at the point that it names, which lies in the range, the relation fails."""
    place = dict(re.findall(r"(\w+) = ([^ ,]+)", detail.split("the difference")[0]))
    point = {s: sympy.sympify(place[str(s)]) for s in symbols_of(*sides) if str(s) in place}
    assert all(belongs(s, number, domain) for s, number in point.items()), (point, domain)
    with mpmath.workdps(DIGITS):
        try:
            values = [value(side, numeric(point)) for side in sides]
        except UnclearError:
            return
        except (NoValueError, KeyError):
            pytest.fail(f"no, but undefined at {point}: {sides} on {domain}")
        assert fails(*values), f"no, but it holds at {point}: {sides} on {domain}"


def same(left, right, close):
    return abs(left - right) <= close


def at_least(left, right, close):
    return left - right >= -close


def judge_equality(lhs, rhs, domain, seed):
    """Ask whether the sides are equal, and try the answer."""
    decision = decide_equal(lhs, rhs, domain)
    event(f"equal: {decision.answer}")
    if decision.answer is True:
        check_yes(same, (lhs, rhs), domain, seed)
    elif decision.answer is False:
        check_no(lambda left, right: left != right, (lhs, rhs), domain, decision.detail)
    return decision.answer


def judge_order(lhs, rhs, domain, seed):
    """Ask whether lhs >= rhs, and try the answer."""
    decision = decide_at_least(lhs, rhs, domain)
    event(f"at least: {decision.answer}")
    if decision.answer is True:
        check_yes(at_least, (lhs, rhs), domain, seed)
    elif decision.answer is False:
        check_no(lambda left, right: left < right, (lhs, rhs), domain, decision.detail)
    return decision.answer
