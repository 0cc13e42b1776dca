"""Mistakes about names that a proof explains twice and then loses: no letter of the claim says so."""

import sympy

from hostile import LETTERS, Mistakes
from theorems.engine import eq, ge, half_line, le
from theorems.engine.rules.vocabulary import E, P, norm, randoms, vectors

HERE = Mistakes("eliminated")
q = LETTERS.quantity("doubly", "q_2", "a ratio", half_line(0))
n = LETTERS.quantity("some", "n_2", "a size", half_line(0))
(w, v), k = sympy.symbols("w v", real=True), sympy.Symbol("k", integer=True)
j = sympy.Symbol("j", integer=True, positive=True)
f = sympy.Function("f", real=True)
SMALL = le(q, 1)


@HERE.mistake("two things|contradict", SMALL, [q])
def a_name_for_two_values(given):
    """w = q and w = 2 - q make q = 1."""
    return given.follows(given.meaning("one", eq(w, q)), given.meaning("other", eq(w, 2 - q)))


@HERE.mistake("two things|contradict", SMALL, [q])
def a_name_for_two_values_in_two_steps(given):
    """The same, each meaning used in a step of its own, from which w is gone at the end."""
    above = given.follows(given.meaning("one", eq(w, q)), goal=ge(w, q))
    below = given.follows(given.meaning("other", eq(w, 2 - q)), goal=le(w, 2 - q))
    return given.follows(above, below)


@HERE.mistake("two things|contradict", SMALL, [q])
def a_name_by_its_size_and_by_its_square(given):
    """|w| = q and w^2 = 1."""
    return given.follows(given.meaning("size", eq(sympy.Abs(w), q)), given.meaning("square", eq(w**2, 1)))


@HERE.mistake("two things|contradict|explained", SMALL, [q])
def a_value_of_a_function_for_two_things(given):
    """f(1) = q and f(k) = k for all k."""
    each = given.meaning("each", eq(f(k), k), over={k: sympy.S.Naturals})
    return given.follows(given.meaning("first", eq(f(1), q)), given.substituted(each, {k: 1}))


@HERE.mistake("is the largest, and stands for something", le(10, n), [n])
def a_largest_value_that_is_another_letter(given):
    """The largest of the numbers up to 10 is w, and w is n, whatever n is."""
    largest = given.largest("the largest", le(k, w), over={k: sympy.Range(0, 11)})
    at_ten = given.substituted(largest, {k: 10})
    return given.follows(at_ten, given.meaning("the same", eq(w, n)))


@HERE.mistake("may not keep its value", SMALL, [q])
def a_place_of_the_largest_value_that_is_any_place(given):
    """The largest of the numbers up to 10 is attained at a place, not at each."""
    largest = given.largest("the largest", le(k, w), over={k: sympy.Range(0, 11)})
    attained = given.meaning("where it is attained", eq(w, v))
    everywhere = [given.substituted(attained, {v: one}) for one in (sympy.Integer(10), q + 9)]
    return given.follows(largest, *everywhere)


@HERE.mistake("two things|contradict", SMALL, [q])
def a_recursion_and_a_formula(given):
    """f(k + 1) = f(k) + 1 and f(k) = qk."""
    once = {k: sympy.S.Naturals0}
    step = given.meaning("next", eq(f(k + 1), f(k) + 1), over=once)
    formula = given.meaning("each", eq(f(k), q * k), over=once)
    places = [given.substituted(formula, {k: one}) for one in (0, 1)]
    return given.follows(given.substituted(step, {k: 0}), *places)


@HERE.mistake("two things|contradict", SMALL, [q])
def a_product_with_a_known_value(given):
    """f(k) = k, w = q + 2 and f(1)w = 3."""
    each = given.meaning("each", eq(f(k), k), over={k: sympy.S.Naturals})
    known = [given.substituted(each, {k: 1}), given.meaning("other", eq(w, q + 2))]
    return given.follows(given.meaning("product", eq(f(1) * w, 3)), *known)


@HERE.mistake("two things|contradict", SMALL, [q])
def means_of_a_family_in_two_indices(given):
    """E X(k) = k for all k, and E X(j) = qj."""
    X = randoms("X")
    each = given.meaning("each", eq(E(X(k)), k), over={k: sympy.S.Naturals})
    again = given.meaning("again", eq(E(X(j)), q * j))
    return given.follows(given.substituted(each, {k: 1}), given.substituted(again, {j: 1}))


@HERE.mistake("two things|contradict", SMALL, [q])
def a_probability_at_one_place(given):
    """P(X(k) <= 0) = 1/k for all k, and P(X(1) <= 0) = q."""
    X = randoms("X")
    each = given.meaning("each", eq(P(X(k) <= 0), 1 / k), over={k: sympy.S.Naturals})
    return given.follows(given.substituted(each, {k: 1}), given.meaning("first", eq(P(X(1) <= 0), q)))


@HERE.mistake("two things|contradict", SMALL, [q])
def norms_of_the_next_vector(given):
    """|x(k)| = k for all k, and |x(k + 1)| = q(k + 1)."""
    x, once = vectors("x"), {k: sympy.S.Naturals0}
    each = given.meaning("each", eq(norm(x(k)), k), over=once)
    following = given.meaning("next", eq(norm(x(k + 1)), q * (k + 1)), over=once)
    return given.follows(given.substituted(each, {k: 1}), given.substituted(following, {k: 0}))


@HERE.mistake("is the largest, and stands for something", SMALL, [q])
def a_largest_of_two_kinds_of_values_attained_by_one(given):
    """w is the largest of the f(k) and of q, and is f(n) = 1."""
    numbers = {k: sympy.S.Naturals0}
    known = [
        given.largest("the largest", le(f(k), w), over=numbers),
        given.largest("the largest", le(q, w)),
        given.meaning("where it is attained", eq(w, f(j))),
    ]
    each = given.meaning("values", eq(f(k), 1), over=numbers)
    return given.follows(*known, given.substituted(each, {k: j}))


@HERE.mistake("is the largest, and stands for something", SMALL, [q])
def a_largest_value_of_part_of_the_values(given):
    """w is the largest of the f(k), one of which is q, and is f(j) for an even j, which is 1."""
    numbers = {k: sympy.S.Naturals0}
    known = [
        given.substituted(given.largest("the largest", le(f(k), w), over=numbers), {k: 3}),
        given.meaning("the third", eq(f(3), q)),
        given.meaning("where it is attained", eq(w, f(2 * j))),
    ]
    each = given.meaning("even values", eq(f(2 * k), 1), over=numbers)
    return given.follows(*known, given.substituted(each, {k: j}))
