"""Mistakes that restrict a quantity of which nothing says what it is: other things stand for it."""

from hostile import LETTERS, Mistakes
from theorems.engine import eq, half_line, le
from theorems.engine.rules import facts
from theorems.engine.rules.vocabulary import E, P, inner, norm, randoms, vectors

HERE = Mistakes("restricted")
q = LETTERS.quantity("restricted", "q_4", "a ratio", half_line(0))
x, X = vectors("x"), randoms("X")
SMALL = le(q, 1)
REFUSED = "does not say what restricted is"


@HERE.mistake(REFUSED, SMALL, [q])
def the_product_of_two_unit_vectors(given):
    """<x(1), x(2)> = q, and both vectors have norm 1."""
    known = [given.meaning(f"length {place}", eq(norm(x(place)), 1)) for place in (1, 2)]
    product = given.meaning("product", eq(inner(x(1), x(2)), q))
    return given.follows(*known, product, facts.cauchy_schwarz(x(1), x(2)))


@HERE.mistake(REFUSED, SMALL, [q])
def a_smaller_probability(given):
    """P(X(1) >= 2) = q, so that q is at most 1."""
    return given.follows(given.meaning("chance", eq(P(X(1) >= 2), q)), facts.probability(X(1) >= 2))


@HERE.mistake(REFUSED, SMALL, [q])
def a_mean_with_a_second_moment(given):
    """E X(1) = q and E X(1)^2 = 1, which is at least q^2."""
    mean = given.meaning("mean", eq(E(X(1)), q))
    square = given.meaning("second moment", eq(E(X(1) ** 2), 1))
    return given.follows(mean, square, facts.expectation_of_square(X(1)))


@HERE.mistake(REFUSED, SMALL, [q])
def the_norm_of_a_sum_of_unit_vectors(given):
    """|x(1) + x(2)| = 2q, and both vectors have norm 1."""
    known = [given.meaning(f"length {place}", eq(norm(x(place)), 1)) for place in (1, 2)]
    whole = given.meaning("length of the sum", eq(norm(x(1) + x(2)), 2 * q))
    return given.follows(*known, whole, facts.triangle(x(1), x(2)))


r = LETTERS.quantity("formula", "r_4", "the square of the ratio", half_line(0))


@HERE.mistake(REFUSED, le(q * r, 1), [q, r])
def a_formula_of_a_quantity_that_is_restricted(given):
    """r = q^2, <x(1), x(2)> = q, and both vectors have norm 1."""
    known = [given.meaning(f"length {place}", eq(norm(x(place)), 1)) for place in (1, 2)]
    product = given.meaning("product", eq(inner(x(1), x(2)), q))
    square = given.meaning("the square", eq(r, q**2))
    return given.follows(*known, product, square, facts.cauchy_schwarz(x(1), x(2)))
