"""Mistakes about names at several places: two laws of one function that overlap at a place."""

import sympy

from hostile import LETTERS, Mistakes
from theorems.engine import eq, ge, half_line, integers, le, rules
from theorems.engine.rules.vocabulary import E, norm, randoms, vectors

HERE = Mistakes("places")
q = LETTERS.quantity("at_a_place", "q_3", "a ratio", half_line(0))
n = LETTERS.quantity("last_place", "n_3", "a size", integers(1))
w, x = sympy.symbols("w x", real=True)
k, j = sympy.Symbol("k", integer=True), sympy.Symbol("j", integer=True)
f = sympy.Function("f", real=True)
SMALL = le(q, 1)
FROM_ZERO = {k: sympy.S.Naturals0}


def counted(given, value=f):
    """f(0) = 0 and f(k + 1) = f(k) + 1."""
    start = given.meaning("start", eq(value(0), 0))
    return given.meaning("next", eq(value(k + 1), value(k) + 1), over=FROM_ZERO), start


def started_again(given, value):
    """What is counted from 0 on is q at 1."""
    following, start = counted(given, value)
    return given.follows(given.substituted(following, {k: 0}), start, given.meaning("first", eq(value(1), q)))


@HERE.mistake("two things", SMALL, [q])
def a_second_start(given):
    """f(0) = 0, f(k + 1) = f(k) + 1 and f(1) = q."""
    return started_again(given, f)


@HERE.mistake("two things", SMALL, [q])
def a_second_start_of_means(given):
    """E X(0) = 0, E X(k + 1) = E X(k) + 1 and E X(1) = q."""
    X = randoms("X")
    return started_again(given, lambda place: E(X(place)))


@HERE.mistake("two things", SMALL, [q])
def a_second_start_of_norms(given):
    """|v(0)| = 0, |v(k + 1)| = |v(k)| + 1 and |v(1)| = q."""
    v = vectors("v")
    return started_again(given, lambda place: norm(v(place)))


@HERE.mistake("two things", le(q, n), [q, n])
def a_last_value(given):
    """f(0) = 0, f(k + 1) = f(k) + 1 and f(n) = q, so that q = n by induction."""
    following, start = counted(given)
    each = rules.induction(eq(f(k), k), k, 0, base=[start], step=[following])
    last = given.meaning("last", eq(f(n), q))
    return given.follows(given.substituted(each, {k: n}), last)


@HERE.mistake("two things", SMALL, [q])
def two_recursions(given):
    """f(k + 1) = f(k) + 1 and f(j + 1) = f(j) + q."""
    following, _ = counted(given)
    again = given.meaning("again", eq(f(j + 1), f(j) + q), over={j: sympy.S.Naturals0})
    return given.follows(given.substituted(following, {k: 0}), given.substituted(again, {j: 0}))


@HERE.mistake("two things", SMALL, [q])
def a_recursion_by_two_and_one_by_one(given):
    """f(k + 2) = f(k) + 2 and f(k + 1) = f(k) + q."""
    by_two = given.meaning("by two", eq(f(k + 2), f(k) + 2), over=FROM_ZERO)
    by_one = given.meaning("by one", eq(f(k + 1), f(k) + q), over=FROM_ZERO)
    steps = [given.substituted(by_one, {k: place}) for place in (0, 1)]
    return given.follows(given.substituted(by_two, {k: 0}), *steps)


@HERE.mistake("two things", SMALL, [q])
def a_row_and_a_column(given):
    """f(k, 0) = k and f(1, j) = q."""
    row = given.meaning("row", eq(f(k, 0), k), over=FROM_ZERO)
    column = given.meaning("column", eq(f(1, j), q), over={j: sympy.S.Naturals0})
    return given.follows(given.substituted(row, {k: 1}), given.substituted(column, {j: 0}))


@HERE.mistake("two things", SMALL, [q])
def even_places_and_one_of_them(given):
    """f(2k) = 1 and f(4) = q."""
    even = given.meaning("even", eq(f(2 * k), 1), over=FROM_ZERO)
    return given.follows(given.substituted(even, {k: 2}), given.meaning("one", eq(f(4), q)))


@HERE.mistake("two things", SMALL, [q])
def a_place_that_the_formula_does_not_reach(given):
    """f(k) = 2**k for k >= 1, f(k + 1) = 2f(k) for k >= 0, and f(0) = q."""
    formula = given.meaning("formula", eq(f(k), 2**k), over={k: sympy.S.Naturals})
    following = given.meaning("next", eq(f(k + 1), 2 * f(k)), over=FROM_ZERO)
    first = given.substituted(formula, {k: 1})
    return given.follows(first, given.substituted(following, {k: 0}), given.meaning("start", eq(f(0), q)))


@HERE.mistake("two things", SMALL, [q])
def a_recursion_in_a_real_letter(given):
    """f(0) = 0, f(x + 1) = f(x) + 1 for x >= 0, and f(1) = q."""
    start = given.meaning("start", eq(f(0), 0))
    following = given.meaning("next", eq(f(x + 1), f(x) + 1), over={x: sympy.Interval(0, sympy.oo)})
    first = given.meaning("first", eq(f(1), q))
    return given.follows(given.substituted(following, {x: 0}), start, first)


@HERE.mistake("two things|explained", SMALL, [q])
def a_product_at_any_place(given):
    """f(1) = q, w = q + 2, and f(j)w = 3 for all j."""
    known = [given.meaning("first", eq(f(1), q)), given.meaning("other", eq(w, q + 2))]
    product = given.meaning("product", eq(f(j) * w, 3))
    return given.follows(given.substituted(product, {j: 1}), *known)


@HERE.mistake("stands for something", ge(q, 1), [q])
def a_largest_value_at_one_place(given):
    """f(k) is the largest of the numbers up to k, and f(1) = q."""
    largest = given.largest(
        "the largest", le(j, f(k)), over=FROM_ZERO | {j: sympy.S.Naturals0}, under=[j <= k]
    )
    first = given.meaning("first", eq(f(1), q))
    return given.follows(given.substituted(largest, {j: 1, k: 1}), first)


@HERE.mistake("two extremes", SMALL, [q])
def a_largest_value_at_one_place_that_is_a_least_one(given):
    """f(k) is the largest of q and others, and f(1) is the least of 1 and others."""
    largest = given.largest("the largest", le(q, f(k)), over=FROM_ZERO)
    least = given.least("the least", le(f(1), 1))
    return given.follows(given.substituted(largest, {k: 1}), least)
