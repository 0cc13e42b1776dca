"""Mistakes about what numbers of a claim's own things are: a meaning says what they are not."""

from sympy import Function, Interval, Sum, Symbol, oo

from hostile import LETTERS, Mistakes
from theorems.engine import eq, ge, le, rules
from theorems.engine.rules import E, Event, P, Random, Vector, facts, inner, norm
from theorems.engine.statements.letters import Kind

HERE = Mistakes("own_values")
u, v, w, z = (LETTERS.thing(Vector(f"val_{x}"), x, "a vector", Kind.VECTOR) for x in "uvwz")
X, Y = (LETTERS.thing(Random(f"val_{x}"), x, "a random variable", Kind.OBJECT) for x in "XY")
_s, _t, _R = Vector("s"), Vector("t"), Random("R")
_q, _r = Symbol("q", real=True), Symbol("r", nonnegative=True)
_j = Symbol("j", integer=True, positive=True)
_PRODUCTS = Sum(Function("c", real=True)(_j) * Function("e", real=True)(_j), (_j, 1, 3))
_PROPERTY, _TIED = "is no meaning but a hypothesis", "as they have to do with each other"


@HERE.mistake(_PROPERTY, le(norm(u), 1), [u])
def a_length_that_is_a_number_up_to_one(given):
    """The number is from [0, 1], and u may be longer."""
    over = {_r: Interval(0, 1)}
    length = given.meaning("a length", eq(norm(u), _r), over=over)
    return rules.follows(le(norm(u), 1), [length], over={**over, u: u.belongs_to})


@HERE.mistake(_PROPERTY, le(2 * inner(u, v), 2), [u, v])
def an_inner_product_that_is_a_share(given):
    """It may be 2."""
    product = given.meaning("an inner product", eq(inner(u, v), _r / (1 + _r)))
    return given.follows(product, rules.follows(le(_r / (1 + _r), 1), over={_r: Interval(0, oo)}))


@HERE.mistake(_PROPERTY, eq(2 * inner(u, v), 2 * inner(w, z)), [u, v, w, z])
def two_products_that_are_one_number(given):
    """The number q is what it is for one of them."""
    return given.follows(given.meaning("q", eq(inner(u, v), _q), eq(inner(w, z), _q)))


@HERE.mistake(_TIED, eq(2 * norm(u), 2 * norm(v)), [u, v])
def two_lengths_that_are_one_length(given):
    """That of another vector, which cannot be as long as both."""
    return given.follows(given.meaning("lengths", eq(norm(u), norm(_t)), eq(norm(v), norm(_t))))


@HERE.mistake(_TIED, le(norm(u), norm(v)), [u, v])
def a_length_that_is_longer_than_another_by_a_length(given):
    """Which of them is longer is nothing to say."""
    lengths = eq(norm(u), norm(_t)), eq(norm(v), norm(_t) + norm(_s))
    return given.follows(given.meaning("lengths", *lengths))


@HERE.mistake(_TIED, eq(2 * E(X), 2 * E(Y)), [X, Y])
def two_variables_with_one_law(given):
    """X and Y need not have the law of one variable."""
    return given.follows(given.meaning("means", eq(E(X), E(_R)), eq(E(Y), E(_R))))


@HERE.mistake(_TIED, eq(2 * inner(u, v), 2 * inner(w, z)), [u, v, w, z])
def coordinates_of_two_pairs_of_vectors(given):
    """Each pair has coordinates of its own."""
    first = given.meaning("coordinates", eq(inner(u, v), _PRODUCTS))
    return given.follows(first, given.meaning("the same", eq(inner(w, z), _PRODUCTS)))


@HERE.mistake(_TIED, eq(2 * inner(u, v), 2 * inner(w, z)), [u, v, w, z])
def coordinates_of_any_two_vectors(given):
    """A meaning about s and t is one about those vectors, and not about all."""
    meant = given.meaning("coordinates", eq(_q, _PRODUCTS), eq(inner(_s, _t), _PRODUCTS))
    named = rules.follows(eq(_q, inner(_s, _t)), [meant], over=meant.over)
    pairs = {_s: u, _t: v}, {_s: w, _t: z}
    return given.follows(*(given.substituted(named, pair) for pair in pairs))


@HERE.mistake(_PROPERTY, le(norm(u), 1), [u])
def a_length_that_is_a_probability(given):
    """Probabilities are at most one."""
    event = Event("an event")
    length = given.meaning("a length", eq(norm(u), P(event)))
    return given.follows(length, facts.probability(event))


@HERE.mistake(_PROPERTY, ge(inner(u, v), 0), [u, v])
def an_inner_product_that_is_a_length(given):
    """A length is not negative, and u and v may have an obtuse angle."""
    return given.follows(given.meaning("an angle", eq(inner(u, v), norm(_t))))


@HERE.mistake(_PROPERTY, ge(E(X), 0), [X])
def a_mean_that_is_a_mean_square(given):
    """X may be -1."""
    return given.follows(given.meaning("a mean", eq(E(X), E(_R**2))), facts.expectation_of_square(_R))
