"""A hunt for wrong answers of the exact deciders, by an evaluation that shares nothing with them.

Expressions are drawn with their letters' ranges, and pairs of them by rewriting: with steps that
are always sound, with steps that are sound on some ranges only, or with a small change. A yes is
then tried at many points of the range, ends included: both sides must be real numbers there and
satisfy the relation. A no is tried at the point that it names.
"""

import re
from fractions import Fraction
from itertools import islice, product

import mpmath
import pytest
import sympy
from hypothesis import assume, event, example, given, reject, settings
from hypothesis import strategies as st
from mpmath import mpf
from sympy import (
    Abs,
    FiniteSet,
    Gt,
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
from symbolic.nonnegative import nonnegative
from symbolic.normal_form import is_nonnegative_on, sign_on, vanishes

_THOROUGH = settings().max_examples > 1000
MANY = settings(max_examples=8000 if _THOROUGH else 70)
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
INTEGER_SETS = [
    None,
    Range(0, 5),
    Interval(2, oo),
    Interval.open(-6, 0),
    sympy.S.Naturals0,
    Interval(-2, 2),
]
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


# Expressions.

LETTERS = st.sampled_from([x, x, x, y, p, q, m, n, k])
NUMBERS = st.sampled_from([Integer(1), Integer(2), Integer(-1), Rational(1, 2), Integer(3), pi / 4])
UNARY = [
    lambda u: -u,
    lambda u: 1 - u,
    lambda u: 1 + u,
    lambda u: u**2,
    lambda u: 1 - u**2,
    lambda u: u**3,
    lambda u: 1 / u,
    lambda u: 1 / (1 + u),
    lambda u: 1 / (1 - u),
    sqrt,
    lambda u: 1 / sqrt(u),
    lambda u: u ** Rational(2, 3),
    lambda u: sqrt(1 - u**2),
    Abs,
    sign,
    lambda u: exp(-u),
    lambda u: exp(u / 2),
    log,
    lambda u: log(1 + u),
    sin,
    cos,
    sympy.tan,
    lambda u: cos(2 * u),
    asin,
    acos,
    atan,
    tanh,
    lambda u: u**k,
    lambda u: (-1) ** n * u,
    lambda u: u**p,
    lambda u: exp(-1 / u),
    lambda u: u * log(u),
]
BINARY = [
    lambda u, v: u + v,
    lambda u, v: u - v,
    lambda u, v: u * v,
    lambda u, v: u / v,
    lambda u, v: u**2 + v**2,
    Max,
    Min,
    lambda u, v: sqrt(u**2 + v**2),
    lambda u, v: u / (u**2 + v**2),
]


def built(step, *parts):
    """What a step makes of its parts; drawn anew where SymPy refuses infinite ones."""
    try:
        return step(*parts)
    except (TypeError, ValueError):
        reject()


def _applied(inner):
    return st.one_of(
        st.builds(built, st.sampled_from(UNARY), inner),
        st.builds(built, st.sampled_from(BINARY), inner, inner),
    )


EXPRESSIONS = st.recursive(st.one_of(LETTERS, LETTERS, NUMBERS), _applied, max_leaves=4)
SEEDS = st.integers(0, 1000)

#: Steps from u (and v) to a pair that are equal wherever the first is a number.
SOUND = [
    lambda u, v: (u, u + v - v),
    lambda u, v: (u**2 - v**2, (u - v) * (u + v)),
    lambda u, v: ((u + v) ** 3, sympy.expand((u + v) ** 3)),
    lambda u, v: (sqrt(u**2), Abs(u)),
    lambda u, v: (Abs(u) * Abs(v), Abs(u * v)),
    lambda u, v: (Max(u, v), (u + v + Abs(u - v)) / 2),
    lambda u, v: (Max(u, v) + Min(u, v), u + v),
    lambda u, v: (exp(u) * exp(v), exp(u + v)),
    lambda u, v: (sin(u + v), sin(u) * cos(v) + cos(u) * sin(v)),
    lambda u, v: (1 - sin(u) ** 2, cos(u) ** 2),
    lambda u, v: (cos(2 * u) * v, (2 * cos(u) ** 2 - 1) * v),
    lambda u, v: (u / v, u * v / v**2),
    lambda u, v: (u / (1 + v**2) + v / (1 + v**2), (u + v) / (1 + v**2)),
    lambda u, v: (1 / u + 1 / v, (u + v) / (u * v)),
    lambda u, v: (sign(u) * Abs(u), u),
    lambda u, v: (sin(asin(u)), u),
    lambda u, v: (asin(u) + acos(u), 0 * v + pi / 2 + 0 * u),
    lambda u, v: (exp(log(u)) + v, u + v),
    lambda u, v: (sqrt(u) ** 2 * v, u * v),
    lambda u, v: (sqrt(u) * sqrt(v), sqrt(u * v)),
    lambda u, v: (log(u) + log(v), log(u * v)),
    lambda u, v: (sympy.together(1 + u / (1 + v**2)), 1 + u / (1 + v**2)),
    lambda u, v: (sympy.sinh(u), (exp(u) - exp(-u)) / 2),
]
#: Steps that need a sign, a range, or a denominator that does not vanish.
DUBIOUS = [
    lambda u, v: (sqrt(u**2), u),
    lambda u, v: (Abs(u), u),
    lambda u, v: (Abs(u), -u),
    lambda u, v: (sign(u), 1 + 0 * v),
    lambda u, v: (sign(u) * v, -v),
    lambda u, v: (sign(u) ** 2, Integer(1)),
    lambda u, v: (u * v / v, sympy.cancel(u * v / v)),
    lambda u, v: ((u**2 - 1) / (u - 1), u + 1),
    lambda u, v: (u / Abs(u), sign(u)),
    lambda u, v: (v * Abs(u) / u, v),
    lambda u, v: (log(u**2), 2 * log(u)),
    lambda u, v: (log(exp(v) * u), v + log(u)),
    lambda u, v: (asin(sin(u)), u),
    lambda u, v: (acos(cos(u)), u),
    lambda u, v: (Max(u, v), u),
    lambda u, v: (Max(u, -u), u),
    lambda u, v: (Min(u, v), v),
    lambda u, v: (sqrt(u * v), sqrt(u) * sqrt(v)),
    lambda u, v: (sqrt(u / v), sqrt(u) / sqrt(v)),
    lambda u, v: (sqrt(u**2 * v), u * sqrt(v)),
    lambda u, v: ((u**2) ** Rational(3, 2), u**3),
    lambda u, v: (sqrt(1 - cos(u) ** 2), sin(u)),
    lambda u, v: (sqrt(1 - u**2), sqrt(1 - u) * sqrt(1 + u)),
    lambda u, v: (sqrt((1 - u) / (1 + u)), (1 - u) / sqrt(1 - u**2)),
    lambda u, v: ((u**2) ** v, u ** (2 * v)),
    lambda u, v: (u**v * u, u ** (v + 1)),
    lambda u, v: (u**v * u**-v, Integer(1)),
    lambda u, v: (sympy.tan(u) * cos(u), sin(u)),
    lambda u, v: (u / (sin(v) ** 2 + cos(v) ** 2 - 1), Integer(7)),
    lambda u, v: (u / (v - v.expand() + (v + 1) ** 2 - v**2 - 2 * v - 1), u),
    lambda u, v: (exp(-1 / u) * exp(1 / u) * v, v),
    lambda u, v: ((1 - u) ** -1 * (1 - u), Integer(1)),
    lambda u, v: (1 / (1 + 1 / u), u / (u + 1)),
    lambda u, v: (acos(1 - 2 * u), 2 * asin(sqrt(u))),
    lambda u, v: (asin(u), pi / 2 - acos(u)),
    lambda u, v: (cos(pi * u), (-1) ** u),
    lambda u, v: (sin(pi * u) * v, 0 * v),
]


@st.composite
def settings_of(draw, *sides):
    """A set for each letter; None leaves it to the assumptions."""
    domain = {s: draw(st.sampled_from(SETS[s])) for s in symbols_of(*sides)}
    return {s: numbers for s, numbers in domain.items() if numbers is not None}


@st.composite
def rewritten(draw, steps):
    """A pair by one of the steps, perhaps inside of something larger."""
    step, u, v = draw(st.sampled_from(steps)), draw(EXPRESSIONS), draw(EXPRESSIONS)
    pair = [sympy.sympify(side) for side in built(step, u, v)]
    outer = draw(st.one_of(st.none(), st.none(), st.sampled_from(UNARY)))
    if outer is not None:
        pair = [built(outer, side) for side in pair]
    assume(all(side.count_ops() < 40 for side in pair))
    assume(any(side.free_symbols for side in pair))
    return *pair, draw(settings_of(*pair)), draw(SEEDS)


@MANY
@given(rewritten(SOUND))
def test_sound_rewriting(case):
    judge_equality(*case)


@MANY
@given(rewritten(DUBIOUS))
@example((sign(x), Integer(1), {x: Interval(0, 1)}, 0))
@example((Abs(n), -n, {n: Interval.open(-6, 0)}, 0))
@example((x / (sin(x) ** 2 + cos(x) ** 2 - 1), Integer(7), {}, 0))
@example((x / Abs(x), Integer(1), {x: Interval(0, oo)}, 0))
def test_dubious_rewriting(case):
    judge_equality(*case)


@MANY
@given(rewritten(SOUND + DUBIOUS), st.sampled_from([1, -1]), st.integers(1, 12))
def test_perturbed(case, side, digits):
    """Where the sides agree, a small change is not overlooked; elsewhere the change may heal."""
    lhs, rhs, domain, seed = case
    judge_equality(lhs, rhs + side * Rational(1, 10**digits), domain, seed)


@MANY
@given(rewritten(SOUND + DUBIOUS))
def test_order_of_rewritten(case):
    judge_order(*case)


@st.composite
def conditional(draw):
    """A dubious pair under a condition on one of its parts."""
    step, u, v = draw(st.sampled_from(DUBIOUS)), draw(EXPRESSIONS), draw(EXPRESSIONS)
    pair = [sympy.sympify(side) for side in built(step, u, v)]
    part, relation = draw(st.sampled_from([u, v, 1 - u, u - v, 1 - u**2])), draw(RELATIONS)
    under = [built(relation, part)]
    assume(under[0] not in (True, False) and part.is_real)
    assume(all(side.count_ops() < 40 for side in pair))
    return *pair, draw(settings_of(*pair, part)), draw(SEEDS), under


RELATIONS = st.sampled_from([lambda u: Gt(u, 0), lambda u: Ne(u, 0)])


@MANY
@given(conditional())
def test_conditions(case):
    lhs, rhs, domain, seed, under = case
    answer = decide_equal(lhs, rhs, domain, under).answer
    event(f"equal under a condition: {answer}")
    if answer is True:
        check_yes(same, (lhs, rhs), domain, seed, under)
    answer = decide_at_least(lhs, rhs, domain, under).answer
    event(f"at least under a condition: {answer}")
    if answer is True:
        check_yes(at_least, (lhs, rhs), domain, seed, under)


@st.composite
def drawn(draw, count):
    sides = [draw(EXPRESSIONS) for _ in range(count)]
    assume(any(side.free_symbols for side in sides))
    return *sides, draw(settings_of(*sides)), draw(SEEDS)


@MANY
@given(drawn(1))
def test_signs(case):
    """All deciders of a sign, on the same expression."""
    expression, domain, seed = case
    judge_order(expression, Integer(0), domain, seed)
    zero = Integer(0)
    found = sign_on(expression, domain)
    event(f"sign: {found}")
    if found is not None:
        holds = {1: lambda a, b, _: a > b, -1: lambda a, b, _: a < b, 0: same}[found]
        check_yes(holds, (expression, zero), domain, seed)
    if is_nonnegative_on(expression, domain):
        check_yes(at_least, (expression, zero), domain, seed)
    if vanishes(expression, domain):
        check_yes(same, (expression, zero), domain, seed)


@MANY
@given(drawn(2), st.sampled_from([0, 1, Rational(-1, 10**6)]))
def test_sums_of_squares(case, shift):
    u, v, domain, seed = case
    answer = judge_order(u**2 + (u - v) ** 2 + shift, Integer(0), domain, seed)
    assert shift < 0 or answer is not False


@MANY
@given(drawn(2))
def test_random_orders(case):
    judge_order(*case)


COEFFICIENTS = st.lists(st.integers(-4, 4), min_size=2, max_size=4)


@st.composite
def rational(draw):
    """A quotient of polynomials in two letters, one of which may be an integer."""
    first, second = draw(st.sampled_from([(x, y), (x, p), (q, n), (x, k), (y, q)]))
    parts = []
    for _ in range(2):
        rows = [draw(COEFFICIENTS), draw(COEFFICIENTS)]
        terms = (c * first**i * second**j for j, row in enumerate(rows) for i, c in enumerate(row))
        parts.append(sympy.Add(*terms))
    top, bottom = parts
    assume(bottom != 0)
    quotient = sympy.factor(top / bottom) if draw(st.booleans()) else top / bottom
    assume(quotient.free_symbols)
    return quotient, draw(settings_of(quotient)), draw(SEEDS)


@MANY
@given(rational())
@example((1 / (1 - x), {x: Interval(0, 1)}, 0))
@example((n - 10, {n: Interval(10, oo)}, 0))
def test_rational_functions(case):
    quotient, domain, seed = case
    judge_order(quotient, Integer(0), domain, seed)
    assert nonnegative(quotient, domain) is decide_at_least(quotient, Integer(0), domain).answer
