"""Mistakes about a claim's own letters: a textbook fact says of them what is not true of all."""

from sympy import Abs, Eq, Interval, Reals, Symbol, exp, oo

from hostile import LETTERS, Mistakes
from theorems.engine import Lemma, eq, ge, half_line, le, reals
from theorems.engine.rules import E, Operator, P, Random, Vector, act, inner, norm
from theorems.engine.rules.vocabulary import derivative, independent, normal, opnorm
from theorems.engine.statements.letters import Kind

HERE = Mistakes("own_letters")
size = LETTERS.quantity("own_size", r"\|x\|", "a norm", half_line(0))
other = LETTERS.quantity("own_other", r"\|y\|", "another norm", half_line(0))
mean = LETTERS.quantity("own_mean", r"\mu", "a mean", reals())
X, Y, Z = (LETTERS.thing(Random(f"own_{x}"), x, "a random variable", Kind.OBJECT) for x in "XYZ")
u, v = (LETTERS.thing(Vector(f"own_{x}"), x, "a vector", Kind.VECTOR) for x in "uv")
A = LETTERS.thing(Operator("own_A"), "A", "a matrix", Kind.MATRIX)
_FALSE = "is false for some"


@HERE.mistake("is false at own_size = 2", le(size, 2), [size])
def a_size_that_is_at_most_one(given):
    """A norm may be 3."""
    return given.follows(given.textbook("sizes", le(size, 1)))


@HERE.mistake("is false at", le(2 * other, 2 * size + 1), [size, other])
def two_sizes_in_one_order(given):
    """Each may be the larger one."""
    return given.follows(given.textbook("sizes in order", le(other, size)))


@HERE.mistake("is false at", le(size, mean + other), [size, other, mean])
def a_triangle_of_numbers(given):
    """Nothing says that the three numbers are lengths of sides."""
    return given.follows(given.textbook("the triangle inequality", le(size, mean + other)))


@HERE.mistake(_FALSE, ge(E(X**2), E(X) ** 2 + 1), [X])
def a_variance_of_one(given):
    """A constant has the variance 0."""
    fact = given.textbook("variances", le(2 * E(X) ** 2 + 2, 2 * E(X**2)))
    return given.follows(fact)


@HERE.mistake(_FALSE, eq(2 * E(X), 0), [X])
def a_mean_that_is_zero(given):
    """X may be 1."""
    return given.follows(given.textbook("centred variables", eq(E(X), 0)))


@HERE.mistake(_FALSE, eq(2 * E(X * Y), 2 * E(X) * E(Y)), [X, Y])
def factors_that_are_taken_for_independent(given):
    """Y may be X."""
    return given.follows(given.textbook("products", eq(E(X * Y), E(X) * E(Y))))


@HERE.mistake(_FALSE, ge(E(X), -1), [X])
def a_variable_that_is_not_negative(given):
    """X may be -2."""
    fact = given.textbook("signs", Eq(P(ge(X, 0)), 1, evaluate=False), ge(E(X), 0))
    return given.follows(fact)


@HERE.mistake(_FALSE, eq(E(X**4), 3), [X])
def moments_of_any_variable(given):
    """X need not be normal."""
    return given.follows(given.textbook("Gaussian moments", eq(2 * E(X**4), 6), eq(E(X**2), 1)))


@HERE.mistake(_FALSE, eq(2 * E(X), 2 * E(Y)), [X, Y])
def variables_of_one_law(given):
    """Nothing says that they have one."""
    return given.follows(given.textbook("one law, one mean", eq(E(X), E(Y))))


@HERE.mistake(_FALSE, eq(E(X * Y), E(X) * E(Y)), [X, Y])
def independence_by_textbook(given):
    """Y may be X."""
    from theorems.engine.rules import facts

    fact = given.textbook("independent variables", independent(X, Y))
    return given.follows(facts.expectation_of_independent(X, Y), fact)


@HERE.mistake(_FALSE, eq(E(X**4), 3 * E(X**2) ** 2), [X])
def a_normal_law_by_textbook(given):
    """X may be a sign."""
    from theorems.engine.rules.normal_variables import fourth_moment

    return given.follows(fourth_moment(X), given.textbook("the normal law", normal(X)))


@HERE.mistake("is false for some own_X, and the claim has one", eq(2 * E(X), 0), [X])
def a_lemma_about_the_claims_variable(given):
    """A lemma that knows no claim finds some centred variable, and this one is given."""
    return given.follows(Lemma(LETTERS).textbook("centred variables", eq(E(X), 0)))


@HERE.mistake("is false for some own_u, and the claim has one", le(norm(u), 2), [u])
def a_lemma_about_the_claims_vector(given):
    """As before, for a vector."""
    return given.follows(Lemma(LETTERS).textbook("unit vectors", eq(norm(u), 1)))


@HERE.mistake("is false at|is false for some", le(size, 2), [size])
def a_size_beside_a_found_variable(given):
    """That there is a centred variable says nothing of the size beside it."""
    fact = given.textbook("as is known", le(size, 1), eq(E(Random("R")), 0))
    return given.follows(fact)


@HERE.mistake("is false for some", le(size, 2), [size])
def a_size_beside_a_found_vector(given):
    """There is no vector whose norm and a size of 2 add up to at most 1."""
    t = Vector("t")
    fact = given.textbook("as is known", le(norm(t) + size, 1))
    return given.follows(fact)


@HERE.mistake("t is found twice|contradict each other", le(size, 0), [size])
def two_vectors_taken_for_one(given):
    """There is a vector of length 1, and one of length 2."""
    t = Vector("t")
    one = given.textbook("unit vectors", eq(norm(t), 1))
    return given.follows(one, given.textbook("vectors of length two", eq(norm(t), 2)))


@HERE.mistake("R is found twice|contradict each other", le(size, 0), [size])
def two_variables_taken_for_one(given):
    """There are variables of mean 0, and others of mean 1."""
    R = Random("R")
    one = given.textbook("centred variables", eq(E(R), 0))
    return given.follows(one, given.textbook("variables of mean one", eq(E(R), 1)))


@HERE.mistake("R is found twice|contradict each other", le(size, 0), [size])
def one_variable_of_every_mean(given):
    """There is a variable of every mean, but it is another one for each."""
    R, c = Random("R"), Symbol("c", real=True)
    some = given.textbook("variables of any mean", eq(E(R), c))
    return given.follows(*(given.substituted(some, {c: mean + k}) for k in (1, 2)))


@HERE.mistake(_FALSE, le(norm(act(A, u)), norm(u)), [A, u])
def a_matrix_that_is_a_contraction(given):
    """A may be twice the unit matrix."""
    from theorems.engine.rules import facts

    fact = given.textbook("contractions", le(opnorm(A), 1))
    return given.follows(facts.operator_norm(A, u), facts.positive_definite(u), fact)


@HERE.mistake(_FALSE, eq(inner(u, v), 0), [u, v])
def vectors_that_are_orthogonal(given):
    """v may be u."""
    return given.follows(given.textbook("orthogonal vectors", le(Abs(inner(u, v)), 0)))


@HERE.mistake(_FALSE, le(E(X), 0), [X])
def the_derivative_of_a_mean_twice(given):
    """The derivative of E exp(tX) is E X exp(tX), and not twice as much."""
    t = Symbol("t", real=True)
    rate, moments = 2 * E(X * exp(X * t)), E(exp(X * t))
    law = given.textbook("moments", derivative(rate, moments, t, Interval(0, oo)))
    return given.follows(law)


@HERE.mistake(_FALSE, le(E(X), 0), [X])
def the_derivative_of_another_mean(given):
    """The rate of E exp(2tX) is not that of E exp(tX)."""
    t = Symbol("t", real=True)
    rate, moments = E(X * exp(X * t)), E(exp(2 * X * t))
    return given.follows(given.textbook("moments", derivative(rate, moments, t, Reals)))
