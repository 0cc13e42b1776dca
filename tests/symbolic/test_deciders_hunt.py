"""A hunt for wrong answers of the exact deciders, by an evaluation that shares nothing with them.

Expressions are drawn with their letters' ranges, and pairs of them by rewriting: with steps that
are always sound, with steps that are sound on some ranges only, or with a small change. A yes is
then tried at many points of the range, ends included: both sides must be real numbers there and
satisfy the relation. A no is tried at the point that it names.
"""

import sympy
from decider_cases import DUBIOUS, EXPRESSIONS, SEEDS, SOUND, built, rewritten, settings_of
from decider_values import at_least, check_yes, judge_equality, judge_order, k, n, p, q, same, x, y
from hypothesis import assume, event, example, given, settings
from hypothesis import strategies as st
from sympy import Abs, Gt, Integer, Interval, Ne, Rational, cos, oo, sign, sin

from symbolic.equality import decide_at_least, decide_equal
from symbolic.nonnegative import nonnegative
from symbolic.normal_form import is_nonnegative_on, sign_on, vanishes

_THOROUGH = settings().max_examples > 1000
MANY = settings(max_examples=8000 if _THOROUGH else 70)


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
    squares = [sympy.Pow(one, 2, evaluate=False) for one in (u, u - v)]  # sqrt(x)**2 is not x
    answer = judge_order(sympy.Add(*squares, shift, evaluate=False), Integer(0), domain, seed)
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
