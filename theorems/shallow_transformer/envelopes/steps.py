"""Bounds of the change of a head in the feasible set, by the mean value theorem."""

from functools import cache

import sympy as sp
from sympy import Abs, Symbol, sqrt

from theorems.engine import Given, eq, le
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import opnorm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feasible import share
from theorems.shallow_transformer.letters.paper import m
from theorems.shallow_transformer.premises.heads import bounded_form
from theorems.shallow_transformer.premises.means import what_it_says
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    below_frobenius,
    between,
    near_the_start,
    what_is_assumed,
)

#: The difference of the outputs of any head.
STEP = Symbol("step of a head", nonnegative=True)


def _place_between(given: Given, here: Vector, step: Vector) -> Theorem:
    """|U| ≤ B between both ends, as |U − U₀| ≤ ρ_u/√m and |U₀| is at most the largest."""
    start = Vector("U_0")
    segment = NETWORKS.meaning("a place of the segment", eq(norm(here - start), share * norm(step)))
    longest = NETWORKS.largest("the largest length at the start", le(norm(start), of.U_max))
    inside = near_the_start(given, le(norm(step), of.rho_u / sqrt(m)))
    given.require(hyp.BOUNDED_HEADS)
    known = [segment, longest, inside, facts.triangle(start, here - start)]
    return between(given, le(norm(here), of.B), *known)


@cache
def _product_of_three() -> Theorem:
    """The product of three sizes is at most that of their bounds."""
    x, y, z, a, b, c = sp.symbols("x_1 y_1 z_1 a_1 b_1 c_1", nonnegative=True)
    where = [le(x, a), le(y, b), le(z, c)]
    first = NETWORKS.follows(goal=le(x * y, a * b), under=where[:2])
    return NETWORKS.follows(first, goal=le(x * y * z, a * b * c), under=where)


def slope_between(given: Given, slope: Symbol) -> Theorem:
    """√m|⟨a, dU⟩ + ⟨U, M dW q⟩| ≤ |a|ρ_u + tr M B ρ_w at a place between both ends."""
    a, here, step, q = (Vector(name) for name in ("a", "U", "dU", "q"))
    M, turn, size = Operator("M"), Operator("dW"), Symbol("size of dW", nonnegative=True)
    turned = act(turn, q)
    forms, trace = (inner(a, step), inner(here, act(M, turned))), of.M_trace
    parts = NETWORKS.meaning(
        "the slope of z along the way",
        eq(slope, sqrt(m) * Abs(sum(forms))),
        eq(of.a_size, norm(a)),
        eq(of.q_size, norm(q)),
        eq(of.M_norm, opnorm(M)),
    )
    inside = [
        near_the_start(given, le(norm(step), of.rho_u / sqrt(m))),
        near_the_start(given, le(size, of.rho_w / sqrt(m))),
        what_is_assumed(given, hyp.QUERY, le(of.q_size, 1)),
        below_frobenius(turn, size),
        what_it_says(given, "st.fact3.sharp", le(of.M_norm, trace)),
    ]
    short = le(sqrt(m) * norm(turned), of.rho_w)
    known = [parts, *inside, facts.operator_norm(turn, q)]
    image = NETWORKS.follows(*known, goal=short)
    sizes_ = norm(here), opnorm(M), sqrt(m) * norm(turned)
    tops = of.B, trace, of.rho_w
    values = dict(zip(sp.symbols("x_1 y_1 z_1 a_1 b_1 c_1", nonnegative=True), (*sizes_, *tops),
                      strict=True))  # fmt: skip
    where = [le(one, top) for one, top in zip(sizes_, tops, strict=True)]
    product = NETWORKS.substituted(_product_of_three(), values, under=where)
    second = le(sqrt(m) * Abs(forms[1]), of.B * trace * of.rho_w)
    known = [parts, inside[-1], _place_between(given, here, step), image, product]
    of_w = between(given, second, bounded_form(here, M, turned), *known)
    first = le(sqrt(m) * Abs(forms[0]), of.a_size * of.rho_u)
    of_u = NETWORKS.follows(parts, inside[0], facts.cauchy_schwarz(a, step), goal=first)
    goal = le(slope, of.a_size * of.rho_u + trace * of.B * of.rho_w)
    return between(given, goal, parts, of_u, of_w)


def mean_value(given: Given, slope: Symbol) -> list[Theorem]:
    """√m|h(θ) − h(θ₀)| = |σ′(z)| times the slope of z, at a place between both ends."""
    first = Symbol("derivative of sigma", real=True)
    step = eq(STEP, Abs(first) * slope / sqrt(m))  # the mean value theorem along the segment
    return [
        what_is_assumed(given, hyp.TWICE_DIFFERENTIABLE, step),
        what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(first), of.sigma_1)),
    ]
