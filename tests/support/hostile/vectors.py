"""Mistakes about vectors, their lengths and inner products, and about matrices."""

import sympy
from sympy import Abs, Sum, Symbol

from hostile import LETTERS, Mistakes
from theorems.engine import Hypothesis, eq, ge, half_line, integers, le, lt, reals, rules
from theorems.engine.rules import Operator, Vector, act, facts, inner, leaves, norm
from theorems.engine.rules.vocabulary import opnorm, vectors
from theorems.engine.statements.letters import Kind

HERE = Mistakes("vectors")
u = LETTERS.thing(Vector("u"), "u", "a vector", Kind.VECTOR)
v = LETTERS.thing(Vector("v"), "v", "another vector", Kind.VECTOR)
w = LETTERS.thing(Vector("w"), "w", "a third vector", Kind.VECTOR)
A = LETTERS.thing(Operator("A"), "A", "a matrix", Kind.MATRIX)
B = LETTERS.thing(Operator("B"), "B", "another matrix", Kind.MATRIX)
factor = LETTERS.number("factor", "c", "a factor", reals())
length = LETTERS.quantity("length", r"\|u\|", "the length of u", half_line(0))
size = LETTERS.number("size", "n", "a number of vectors", integers(1))
_t, _Q, _x = Vector("t"), Operator("Q"), vectors("x")
_k = Symbol("k", integer=True, nonnegative=True)
UNIT = Hypothesis("unit", "$u has length 1", eq(norm(u), 1))
IN_WORDS = Hypothesis("unit_in_words", "$u is a unit vector")
LONG = Hypothesis("long", "$u is no contraction of itself", eq(inner(u, u), -1))


@HERE.mistake("does not follow", eq(Abs(inner(u, v)), norm(u) * norm(v)), [u, v])
def an_inner_product_as_a_product_of_lengths(given):
    """Orthogonal unit vectors have the inner product 0."""
    return given.follows(facts.cauchy_schwarz(u, v))


@HERE.mistake("does not follow", ge(inner(u, v) ** 2, inner(u, u) * inner(v, v)), [u, v])
def cauchy_schwarz_the_wrong_way_round(given):
    """Orthogonal unit vectors have the inner product 0."""
    return given.follows(facts.cauchy_schwarz(u, v))


@HERE.mistake("does not follow", ge(norm(u + v), norm(u) + norm(v)), [u, v])
def the_triangle_inequality_the_wrong_way_round(given):
    """If v = -u, the left side is 0."""
    return given.follows(facts.triangle(u, v))


@HERE.mistake("fails at", lt(norm(u + v), norm(u) + norm(v)), [u, v])
def a_strict_triangle_inequality(given):
    """If v = u, both sides are equal."""
    return given.follows(facts.triangle(u, v))


@HERE.mistake("fails at", eq(norm(u + v) ** 2 + norm(u - v) ** 2, norm(u) ** 2 + norm(v) ** 2), [u, v])
def the_parallelogram_law_without_its_factor(given):
    """The right side is twice as large."""
    return given.follows()


@HERE.mistake("fails at", eq(norm(u + v) ** 2, norm(u) ** 2 + norm(v) ** 2), [u, v])
def pythagoras_without_a_right_angle(given):
    """If v = u, the sides are 4|u|^2 and 2|u|^2."""
    return given.follows()


@HERE.mistake("fails at", eq(inner(u, v), (norm(u + v) ** 2 - norm(u - v) ** 2) / 2), [u, v])
def polarisation_with_a_wrong_factor(given):
    """The factor is a quarter."""
    return given.follows()


@HERE.mistake("fails at", eq(norm(factor * u), factor * norm(u)), [factor, u])
def a_factor_that_comes_out_with_its_sign(given):
    """A length is not negative: let c = -1."""
    return given.follows()


@HERE.mistake("fails at", le(norm(u - v), norm(u) - norm(v)), [u, v])
def a_difference_of_lengths(given):
    """If u = 0, the right side is negative."""
    return given.follows(facts.triangle(u, -v))


@HERE.mistake("fails at", le(norm(u), norm(u) ** 2), [u])
def a_length_and_its_square(given):
    """If |u| = 1/2, the square is smaller."""
    return given.follows(facts.positive_definite(u))


@HERE.mistake("Z3 has a model", le(inner(u, v) / norm(u), norm(v)), [u, v])
def a_quotient_by_a_length(given):
    """The vector 0 has the length 0, and then there is no quotient."""
    return given.follows(facts.cauchy_schwarz(u, v))


@HERE.mistake("does not follow", le(inner(u, v), norm(u)), [u, v], assuming=[UNIT])
def a_bound_for_unit_vectors_at_another_vector(given):
    """u has length 1, and v may be 2u."""
    return given.follows(facts.cauchy_schwarz(u, v))


@HERE.mistake("u may not be v", eq(norm(v), norm(u)), [u, v], assuming=[IN_WORDS])
def a_unit_vector_in_words_that_is_another_one(given):
    """That u has length 1 says nothing of v."""
    one = given.supposed(IN_WORDS, eq(norm(u), 1))
    return given.follows(one, given.substituted(one, {u: v}))


@HERE.mistake("contradict", eq(norm(u), 5), [u], assuming=[LONG])
def a_vector_of_negative_square(given):
    """No vector has the square -1."""
    return given.follows(facts.positive_definite(u))


@HERE.mistake("u may not be v: the length", le(norm(v), length + norm(u)), [length, u, v])
def the_meaning_of_a_length_for_another_vector(given):
    """The quantity is the length of u."""
    known = given.meaning("the length", eq(norm(u), length))
    return given.follows(given.substituted(known, {u: v}))


@HERE.mistake("t may not be u: there is a unit vector", eq(norm(u) ** 2, 1), [u])
def a_unit_vector_that_exists_as_a_law(given):
    """There is a unit vector, but u may be 0."""
    one = given.textbook("there is a unit vector", eq(norm(_t), 1))
    return given.follows(given.substituted(one, {_t: u}))


@HERE.mistake("t may not be u: there is a unit vector", eq(norm(u) ** 2, 1), [u])
def a_unit_vector_by_the_rule_itself_as_a_law(given):
    """There is a unit vector, but u may be 0."""
    one = leaves.textbook("there is a unit vector", eq(norm(_t), 1), over={_t: _t.belongs_to})
    return given.follows(rules.instance(one, {_t: u}, over={u: u.belongs_to}))


@HERE.mistake("t may not be u", eq(inner(u, v), 0), [u, v])
def an_orthogonal_vector_that_exists_as_a_law(given):
    """Every vector has one that is orthogonal to it, but not all are."""
    some = Vector("s")
    right = given.textbook("there is an orthogonal vector", eq(inner(_t, some), 0))
    return given.follows(given.substituted(right, {_t: u, some: v}))


@HERE.mistake("may not be", eq(inner(u, v), norm(u) * norm(v)), [u, v])
def vectors_of_one_direction_as_a_law(given):
    """It holds for vectors of one direction only."""
    some = Vector("s")
    same = given.textbook("equality in Cauchy-Schwarz", eq(inner(_t, some), norm(_t) * norm(some)))
    return given.follows(given.substituted(same, {_t: u, some: v}))


@HERE.mistake("Q may not be A: a matrix of norm 1", le(opnorm(A), 1), [A])
def a_matrix_of_norm_one_as_a_law(given):
    """There is such a matrix, but A may be 2."""
    one = given.textbook("a matrix of norm 1", eq(opnorm(_Q), 1))
    return given.follows(given.substituted(one, {_Q: A}))


@HERE.mistake("Q may not be A: the norm is attained", ge(norm(act(A, u)), opnorm(A) * norm(u)), [A, u])
def a_norm_that_is_attained_as_a_law(given):
    """The norm of A is attained at some vector, and u may be in the kernel of A."""
    top = given.textbook("the norm is attained", eq(norm(act(_Q, _t)), opnorm(_Q) * norm(_t)))
    return given.follows(given.substituted(top, {_Q: A, _t: u}))


@HERE.mistake("Q may not be", le(opnorm(A) ** 2, inner(act(A, u), act(B, u))), [A, B, u])
def one_vector_at_which_all_norms_are_attained(given):
    """The vector depends on the matrix."""
    known = eq(norm(act(_Q, _t)), opnorm(_Q)), eq(norm(_t), 1)
    top = given.textbook("the norm is attained", *known)
    return given.follows(given.substituted(top, {_Q: A}), given.substituted(top, {_Q: B}))


@HERE.mistake("does not follow", eq(norm(act(A, u)), opnorm(A) * norm(u)), [A, u])
def the_norm_of_a_matrix_at_any_vector(given):
    """If A is a projection and u is in its kernel, the left side is 0."""
    return given.follows(facts.operator_norm(A, u))


@HERE.mistake("does not follow", eq(inner(u, act(A, v)), inner(act(A, u), v)), [A, u, v])
def a_matrix_that_is_symmetric_without_a_reason(given):
    """A may be a rotation."""
    return given.follows(facts.operator_norm(A, u), facts.operator_norm(A, v))


@HERE.mistake("does not follow", ge(inner(u, act(A, u)), 0), [A, u])
def a_matrix_that_is_positive_without_a_reason(given):
    """A may be -1."""
    return given.follows(facts.positive_definite(act(A, u)))


@HERE.mistake("does not follow", eq(norm(act(A, act(B, u))), norm(act(B, act(A, u)))), [A, B, u])
def matrices_that_commute_without_a_reason(given):
    """A may be a projection and B a rotation."""
    return given.follows(facts.operator_norm(A, act(B, u)), facts.operator_norm(B, act(A, u)))


@HERE.mistake("must be one of the vectors", eq(inner(u, v) * inner(v, w), inner(u, w)), [u, v, w])
def a_product_of_vectors(given):
    """Vectors have no product that is a vector."""
    return given.follows(facts.cauchy_schwarz(u * v, w))


@HERE.mistake("must be one of the bounded", le(opnorm(A), 2 * opnorm(A)), [A], true=True)
def a_matrix_with_a_factor(given):
    """It is true, but 2A is no letter for a matrix."""
    return given.follows(facts.operator_norm(2 * A, u))


@HERE.mistake("a step fails", eq(norm(Sum(_x(_k), (_k, 1, size))), Sum(norm(_x(_k)), (_k, 1, size))), [size])
def the_length_of_a_sum_as_a_sum_of_lengths(given):
    """If the vectors cancel, the left side is 0."""
    return given.follows()


@HERE.mistake("is false for some of what it speaks of", le(norm(_x(size)), 1), [size])
def one_vector_of_a_family_for_all(given):
    """The first vector has length 1, and the others may be longer."""
    first = given.textbook("the first vector is a unit vector", eq(norm(_x(1)), 1))
    return given.follows(first)


@HERE.mistake("size may not be 1", le(norm(_x(size)), length), [size, length])
def the_length_of_one_vector_of_a_family_for_all(given):
    """The quantity is the length of the vector with the number n, for this n."""
    known = given.meaning("the length of this one", eq(length, norm(_x(size))))
    return given.follows(given.substituted(known, {size: sympy.Integer(1)}))


@HERE.mistake("radius may not be 2: a vector", le(2 * norm(u), norm(u) + 1), [u])
def a_vector_of_every_length(given):
    """There is a vector of every length, but it is another one for each."""
    radius = Symbol("radius", nonnegative=True)
    some = given.textbook("a vector of any length", eq(norm(_t), radius))
    return given.follows(some, given.substituted(some, {radius: sympy.Integer(2)}))


@HERE.mistake("my vectors is false for some of what it speaks of", eq(norm(u) ** 2, 1), [u])
def a_textbook_fact_that_all_vectors_are_unit_vectors(given):
    """The vector 0 has the length 0."""
    return given.follows(given.textbook("my vectors", eq(norm(u), 1)))


@HERE.mistake("reversed is false for some of what it speaks of", ge(norm(u + v), norm(u) + norm(v)), [u, v])
def a_textbook_fact_that_is_reversed(given):
    """If v = -u, the left side is 0."""
    fact = given.textbook("reversed", ge(2 * norm(u + v), 2 * norm(u) + 2 * norm(v)))
    return given.follows(fact)


@HERE.mistake("is false for some of what", eq(Abs(inner(u, v)), norm(u) * norm(v)), [u, v])
def a_textbook_fact_about_the_size_of_inner_products(given):
    """Orthogonal unit vectors have the inner product 0."""
    fact = eq(inner(u, v) ** 2, inner(u, u) * inner(v, v))
    return given.follows(given.textbook("Cauchy-Schwarz", fact))


@HERE.mistake("is false for some of what", le(norm(act(A, u)), norm(act(B, u))), [A, B, u])
def a_textbook_fact_about_norms_of_matrices(given):
    """A may be larger than B."""
    fact = given.textbook("norms of matrices", le(opnorm(A), opnorm(B)))
    return given.follows(fact)


@HERE.mistake("is false for some of what it speaks of", ge(inner(u, act(A, u)), 0), [A, u])
def a_textbook_fact_that_matrices_are_positive(given):
    """A may be -1."""
    fact = given.textbook("matrices are positive", ge(2 * inner(u, act(A, u)), 0))
    return given.follows(fact)


@HERE.mistake("is false for some of what it speaks of", le(inner(u, v), 2), [u, v], assuming=[UNIT])
def a_textbook_fact_under_too_few_conditions(given):
    """v may be longer than 1."""
    fact = given.textbook("cosines", le(inner(u, v), 1), under=[eq(norm(u), 1)])
    return given.follows(fact)


@HERE.mistake("the hypothesis unit says", le(norm(u), norm(v)), [u, v], assuming=[UNIT])
def a_hypothesis_in_other_symbols(given):
    """It says that u has length 1, not that it is as long as v."""
    return given.follows(given.supposed(UNIT, eq(norm(u), norm(v))))
