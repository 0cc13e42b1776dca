"""What proofs about one head take over: definitions and hypotheses in symbols.

The letters range over the whole of their domains, as in Lemmas 2 and 3.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from sympy import Abs, Expr, Function, Reals, Symbol, sqrt, symbols

from theorems.engine import Given, both, eq, ge, implies, le, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm, principles
from theorems.engine.rules.vocabulary import derivative, opnorm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.head import drawn
from theorems.shallow_transformer.letters.pooled import tokens
from theorems.shallow_transformer.letters.token import t
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.segments import gradient, gradient_of_z, place
from theorems.shallow_transformer.premises.tokens import below_frobenius, near_the_start, what_is_assumed


@cache
def _any_form() -> Theorem:
    u, M, v = Vector("u"), Operator("M"), Vector("v")
    image, form = norm(act(M, v)), Abs(inner(u, act(M, v)))
    short, goal = le(form, norm(u) * image), le(form, norm(u) * opnorm(M) * norm(v))
    first = ONE_HEAD.follows(facts.cauchy_schwarz(u, act(M, v)), goal=short)
    return ONE_HEAD.follows(first, facts.operator_norm(M, v), goal=goal)


def bounded_form(left: Any, operator: Any, right: Any) -> Theorem:
    """|⟨u, Mv⟩| ≤ |u|‖M‖|v|, by Cauchy and Schwarz."""
    return ONE_HEAD.substituted(_any_form(), {Vector("u"): left, Operator("M"): operator, Vector("v"): right})


def lengths_in_the_feasible_set(given: Given, longest: Symbol = of.U_max) -> Theorem:
    """|U_i| is at most its length at the start and ρ_u/√m."""
    here = Vector("U")
    length = ONE_HEAD.meaning("the length of U", eq(of.u, norm(here)))
    far = near_in_the_feasible_set(given, here, longest)
    return ONE_HEAD.follows(length, far, goal=le(of.u, far.statement.rhs))


def near_in_the_feasible_set(given: Given, here: Expr, longest: Symbol = of.U_max) -> Theorem:
    """The same of a read-out vector by name, wherever it is in the feasible set."""
    start, far = Vector("U_0"), longest + of.rho_u / sqrt(of.m)
    known = [
        ONE_HEAD.largest("the largest length at the start", le(norm(start), longest)),
        near_the_start(given, {of.rho_u: here - start}),
        facts.triangle(start, here - start),
    ]
    return ONE_HEAD.follows(*known, goal=le(norm(here), far))


def slope_behind_the_activation(given: Given) -> Theorem:
    """|∇h|² = σ′(z)⟨∇z, ∇h⟩ ≤ σ_1|∇z||∇h| at any place: the derivative along ∇h itself."""
    x, s = symbols("x s", real=True)
    z, first, steep, output, change = (Function(name, real=True) for name in ("z", "Dz", "σ'", "σ", "Dh"))
    of_h, of_z = gradient(place), gradient_of_z(place)
    line = ONE_HEAD.meaning("z on a line along ∇h, and its slope", derivative(first(s), z(s), s, Reals))
    law = derivative(steep(x), output(x), x, Reals)
    activation = what_is_assumed(given, hyp.TWICE_DIFFERENTIABLE, law)
    chain = rules.rate_of(rules.chained(activation, line), change(s))
    gradients = ONE_HEAD.meaning(
        "lengths of gradients, whose products with a direction are the derivatives along it",
        *(eq(of.h_gradient, norm(of_h)), eq(of.z_gradient, norm(of_z))),
        *(eq(inner(of_h, of_h), change(0)), eq(inner(of_z, of_h), first(0))),
    )
    slope = what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(steep(z(0))), of.sigma_1))
    schwarz = facts.cauchy_schwarz(of_z, of_h)
    short = ONE_HEAD.follows(schwarz, gradients, goal=le(Abs(first(0)), of.z_gradient * of.h_gradient))
    here = chain.at({s: 0})
    sizes = Abs(steep(z(0))), of.sigma_1, Abs(first(0)), of.z_gradient * of.h_gradient
    product = larger_product(*sizes)
    square = le(of.h_gradient**2, of.sigma_1 * of.z_gradient * of.h_gradient)
    known = ONE_HEAD.follows(product, here, gradients, slope, short, goal=square)
    return ONE_HEAD.follows(known, goal=le(of.h_gradient, of.sigma_1 * of.z_gradient))


_SIZES = symbols("size larger other_size other_larger", nonnegative=True)


def larger_product(*sizes: Expr) -> Theorem:
    """A product of larger sizes is larger: pq ≤ PQ for sizes p ≤ P and q ≤ Q, in this order."""
    return ONE_HEAD.substituted(_larger_product(), dict(zip(_SIZES, sizes, strict=True)))


@cache
def _larger_product() -> Theorem:
    p, P, q, Q = _SIZES
    return ONE_HEAD.follows(goal=implies(both(le(p, P), le(q, Q)), le(p * q, P * Q)))


def short_pooled_token(given: Given) -> Theorem:
    """‖M‖ ≤ ‖M‖_F ≤ 1 − |a|², by st.fact3.sharp."""
    given.require(hyp.TOKENS)
    return given.fact("st.fact3.sharp", "bound")


def short_query(given: Given) -> Theorem:
    """|q| ≤ 1."""
    return what_is_assumed(given, hyp.QUERY, le(of.q_size, 1))


def of_a_drawn_token(each: Theorem, values: Mapping[Expr, Expr]) -> Theorem:
    """What holds for every token holds almost surely for a drawn one.

    ``values`` says which random variable each number of a token is a value of.
    """
    return principles.drawn(each, values, t)


def slope_of_a_token(given: Given) -> tuple[Expr, Theorem]:
    """|⟨X, Dq⟩| ≤ |X|‖D‖_F|q| ≤ 1 for the slope of a logit along a direction of length 1."""
    direction, query = Operator("D"), Vector("q")
    frobenius = Symbol("size of D", nonnegative=True)
    slope = inner(tokens(t), act(direction, query))
    known = [
        ONE_HEAD.meaning("a direction of length 1", eq(frobenius, 1)),
        below_frobenius(direction, frobenius),
        ONE_HEAD.meaning("the length of the query", eq(of.q_size, norm(query))),
        short_query(given),
        what_is_assumed(given, hyp.TOKENS, le(norm(tokens(t)), 1)),
    ]
    short, goal = le(opnorm(direction) * norm(query), 1), le(Abs(slope), 1)
    product = ONE_HEAD.follows(*known, goal=short)
    return slope, ONE_HEAD.follows(product, known[-1], bounded_form(tokens(t), direction, query), goal=goal)


def drawn_token(given: Given) -> Theorem:
    """Y, the slope of the logit of a drawn token along a direction of length 1, is in [-1, 1]."""
    slope, size = slope_of_a_token(given)
    each = ONE_HEAD.follows(size, goal=both(ge(slope, -1), le(slope, 1)))
    return of_a_drawn_token(each, {slope: drawn})


def size_of_a_drawn_token(given: Given) -> Theorem:
    """The same as |Y| ≤ 1."""
    slope, size = slope_of_a_token(given)
    return of_a_drawn_token(size, {slope: drawn})
