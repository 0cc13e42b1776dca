"""Mistakes about what is chosen: a claim's letter is what it is because a fact finds something."""

from sympy import Function, Max, Range, Sum, Symbol, oo

from hostile import LETTERS, Mistakes
from theorems.engine import Hypothesis, Lemma, eq, ge, half_line, le, reals, rules
from theorems.engine.rules import E, Operator, Random, Vector, act, norm
from theorems.engine.rules.vocabulary import operators, opnorm, randoms, vectors
from theorems.engine.statements.letters import Kind

HERE = Mistakes("choices")
size = LETTERS.quantity("choice_size", r"\|x\|", "a norm", half_line(0))
mean = LETTERS.quantity("choice_mean", r"\mu", "a mean", reals())
X = LETTERS.thing(Random("choice_X"), "X", "a random variable", Kind.OBJECT)
SHORT = Hypothesis("choice_short", "the norms are small", latex=r"\|x\| \text{ small}")
_v, _w, _B, _R, _S = Vector("v"), Vector("w"), Operator("B"), Random("R"), Random("S")
_k, _c = Symbol("k", integer=True, nonnegative=True), Symbol("c", nonnegative=True)
_f, _g = (Function(name, real=True) for name in "fg")
_x, _y, _J, _Z = vectors("x"), vectors("y"), operators("J"), randoms("Z")
_OVER = {_k: Range(oo)}
_STANDS = "may not stand for what is found"
_TWICE = "is found twice|contradict each other"


@HERE.mistake(_STANDS, eq(size, 1), [size])
def the_length_of_a_unit_vector_that_is_found(given):
    """That there are unit vectors says nothing of a length."""
    unit = given.textbook("unit vectors", eq(norm(_v), 1))
    return given.follows(unit, given.meaning("the length", eq(size, norm(_v))))


@HERE.mistake(_STANDS, eq(size, 1), [size])
def a_length_by_way_of_another_vector(given):
    """Nor if another vector has this length."""
    unit = given.textbook("unit vectors", eq(norm(_v), 1))
    alike = given.meaning("a vector as long", eq(norm(_w), norm(_v)))
    return given.follows(unit, alike, given.meaning("the length", eq(size, norm(_w))))


@HERE.mistake(_STANDS, eq(size, 1), [size])
def a_length_by_way_of_a_number(given):
    """Nor if a number is the length of the vector that is found."""
    unit = given.textbook("unit vectors", eq(norm(_v), 1))
    named = given.meaning("a number", eq(norm(_v), _c))
    return given.follows(unit, named, given.meaning("the length", eq(size, _c)))


@HERE.mistake(_STANDS, eq(size, 1), [size])
def a_vector_whose_length_is_that_of_the_claim(given):
    """Nor if it is said the other way round."""
    unit = given.textbook("unit vectors", eq(norm(_v), 1))
    return given.follows(unit, given.meaning("the vector", eq(norm(_v), size)))


@HERE.mistake(_STANDS, le(size, 2), [size])
def the_norm_of_a_matrix_that_is_found(given):
    """There are matrices of a small norm, and others."""
    small = given.textbook("contractions", le(opnorm(_B), 1))
    return given.follows(small, given.meaning("the norm", eq(size, opnorm(_B))))


@HERE.mistake(_STANDS, eq(mean, 1), [mean])
def the_mean_of_a_variable_that_is_found(given):
    """There are variables of mean 1, and others."""
    one = given.textbook("variables of mean one", eq(E(_R), 1))
    return given.follows(one, given.meaning("the mean", eq(mean, E(_R))))


@HERE.mistake(_STANDS, eq(2 * E(X), 2), [X])
def the_claims_variable_with_the_mean_of_another_one(given):
    """A lemma knows no claim, so that this is seen at the end."""
    one = given.textbook("variables of mean one", eq(E(_R), 1))
    return given.follows(one, Lemma(LETTERS).meaning("the variable", eq(E(X), E(_R))))


@HERE.mistake(_STANDS, le(size, 2), [size], assuming=[SHORT])
def a_hypothesis_about_what_is_found(given):
    """A hypothesis in words does not choose."""
    some = given.textbook("small numbers", le(_f(0), 1))
    return given.follows(some, given.supposed(SHORT, le(size, _f(0))))


@HERE.mistake(_STANDS, le(size, 2), [size])
def a_value_of_a_function_that_is_found(given):
    """There are functions with small values, and others."""
    some = given.textbook("small values", le(_f(_k), 1), over=_OVER)
    there = rules.instance(some, {_k: 0})
    return given.follows(there, given.meaning("the size", eq(size, Max(_f(0), 0))))


@HERE.mistake(_STANDS, le(mean, 10**7), [mean])
def a_value_of_a_function_that_is_large(given):
    """A bound that no simple value exceeds is none."""
    some = given.textbook("bounded values", le(_f(_k), 10**6), over=_OVER)
    there = rules.instance(some, {_k: 0})
    return given.follows(there, given.meaning("the mean", eq(mean, _f(0))))


@HERE.mistake(_STANDS, eq(mean, 1), [mean])
def a_sum_of_values_that_are_found(given):
    """There are weights whose sum is 1, and others."""
    total = Sum(_f(_k), (_k, 1, 3))
    some = given.textbook("weights", eq(total, 1))
    return given.follows(some, given.meaning("the mean", eq(mean, total)))


@HERE.mistake(_TWICE, le(size, 0), [size])
def one_function_for_two_facts(given):
    """There is a function with the value 0, and one with the value 1."""
    one = given.textbook("zeros", eq(_f(0), 0))
    return given.follows(one, given.textbook("ones", eq(_f(0), 1)))


@HERE.mistake("is found twice", le(size, 1), [size])
def one_function_between_two_facts(given):
    """What is at most 1 for one function, and at least the size for another one."""
    one = given.textbook("small values", le(_f(0), 1))
    return given.follows(one, given.textbook("large values", le(size, _f(0))))


@HERE.mistake(_STANDS, le(size, 2), [size])
def a_family_of_vectors_that_is_found(given):
    """There are families of short vectors, and others."""
    some = given.textbook("short vectors", le(norm(_x(_k)), 1), over=_OVER)
    there = rules.instance(some, {_k: 0})
    return given.follows(there, given.meaning("the length", eq(size, norm(_x(0)))))


@HERE.mistake(_STANDS, le(size, 2), [size])
def the_image_under_a_family_of_matrices(given):
    """Not all matrices of a family are contractions."""
    short = le(norm(act(_J(_k), _w)), norm(_w))
    some = given.textbook("norm of a product", short, over=_OVER)
    there = rules.instance(some, {_k: 0})
    unit = given.meaning("a unit vector", eq(norm(_w), 1))
    return given.follows(there, unit, given.meaning("the image", eq(size, norm(act(_J(0), _w)))))


@HERE.mistake(_STANDS, eq(mean, 3), [mean])
def a_moment_of_a_family_that_is_normal_by_textbook(given):
    """That the moment is 3 says that the variables are standard normal, or some others."""
    some = given.textbook("Gaussian moments", eq(E(_Z(_k) ** 4), 3), over=_OVER)
    there = rules.instance(some, {_k: 0})
    return given.follows(there, given.meaning("the moment", eq(mean, E(_Z(0) ** 4))))


@HERE.mistake(_STANDS, eq(mean, 1), [mean])
def a_product_of_means_of_variables_that_are_not_independent(given):
    """The mean of a product is the product of means for some variables."""
    fact = given.textbook("products", eq(E(_R * _S), E(_R) * E(_S)))
    means = given.meaning("means", eq(E(_R), 1), eq(E(_S), 1))
    return given.follows(fact, means, given.meaning("the mean", eq(mean, E(_R * _S))))


@HERE.mistake("found by each other|is found twice", ge(size**2, -1), [size], true=True)
def a_vector_and_a_matrix_found_by_each_other(given):
    """For each matrix there is such a vector, and for some vector such a matrix."""
    vector = given.textbook("a vector as long", eq(norm(_v), opnorm(_B)))
    return given.follows(vector, given.textbook("a matrix", eq(opnorm(_B), norm(_v) / 2 + 1)))
