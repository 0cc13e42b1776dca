"""Lemma 3, proof: one head on the way from its start, its slopes there and its bend."""

from functools import cache

from sympy import Abs, Symbol, sqrt

from theorems.engine import Given, eq, ge, le
from theorems.engine.rules import Theorem, principles
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.linearisation import terms as heads
from theorems.shallow_transformer.letters import head as one
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.linear import h_bend_sup
from theorems.shallow_transformer.letters.paper import m
from theorems.shallow_transformer.premises.heads import drawn_token
from theorems.shallow_transformer.premises.lines.directions import along_a_direction
from theorems.shallow_transformer.premises.lines.way_of_a_head import (
    U_WAY,
    W_WAY,
    lengths_on_the_way,
    of_a_head,
    slopes,
    ways,
)
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.parabolas import SPREAD, STEP
from theorems.shallow_transformer.premises.segments import LARGEST_BEND
from theorems.shallow_transformer.premises.tokens import called, what_is_assumed

#: The largest second derivative of z on the way, times the width.
BEND = of.deviation(2 * of.rho_u * of.rho_w, of.B * of.rho_w**2)


def _bends(given: Given) -> Theorem:
    """|D²z| ≤ 2ρ_uρ_wE|S| + Bρ_w²E|S² − V| ≤ K along √m times the way."""
    weights = {one.first: 2 * of.rho_u * of.rho_w, one.second: of.B * of.rho_w**2}
    over = {**as_declared(of.B), of.rho_u: of.POSITIVE, of.rho_w: of.POSITIVE}
    largest = given.fact("st.lem2.deviations", "bound").at(weights, over=over)
    bent, near = along_a_direction(given, U_WAY, W_WAY), ways(given)
    mixed = le(U_WAY * W_WAY * one.Y_spread, of.rho_u * of.rho_w * one.Y_spread)
    alone = le(of.u * W_WAY**2 * one.Y_square, of.u * of.rho_w**2 * one.Y_square)
    parts = [of_a_head(goal, near) for goal in (mixed, alone)]
    far = lengths_on_the_way(given)
    longer = of_a_head(le(of.u * of.rho_w**2 * one.Y_square, of.B * of.rho_w**2 * one.Y_square), far)
    known = [largest, drawn_token(given), bent, *parts, longer]
    return of_a_head(le(Abs(one.z_second), BEND), *known)


def second_order(given: Given) -> Theorem:
    """m|h − h₀ − ⟨∇h₀, δθ⟩| is at most half of the largest |σ″(z)(Dz)² + σ′(z)D²z| on the way."""
    given.require(hyp.TWICE_DIFFERENTIABLE)
    taylor = given.fact("st.lem3.remainder", "along the way")
    bend = principles.supremum(_bend(given), h_bend_sup, over=as_declared(h_bend_sup), what=LARGEST_BEND)
    goal = le(m * heads.REST, (of.sigma_2 * of.DISPLACEMENT**2 + of.sigma_1 * BEND) / 2)
    return of_a_head(goal, taylor, bend)


def _bend(given: Given) -> Theorem:
    """m|D²h| ≤ σ_2ℓ² + σ_1K along √m times the way, at any place of it."""
    along = Symbol("slope at that place", nonnegative=True)
    there = ONE_HEAD.meaning(
        "the derivatives of z at that place", *(eq(Abs(one.z_first), along), eq(one.z_bent, one.z_second))
    )
    bounds = [
        what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(one.sigma_first), of.sigma_1)),
        what_is_assumed(given, hyp.BOUNDED_CURVATURES, le(Abs(one.sigma_second), of.sigma_2)),
    ]
    steepness = slopes(given, along)
    sign = longest()[2]
    square = of_a_head(le(one.z_first**2, of.DISPLACEMENT**2), steepness, sign, there)
    steep = le(Abs(one.sigma_second * one.z_first**2), of.sigma_2 * of.DISPLACEMENT**2)
    curved = le(Abs(one.sigma_first * one.z_bent), of.sigma_1 * BEND)
    terms = [of_a_head(steep, square, bounds[1]), of_a_head(curved, _bends(given), there, bounds[0])]
    goal = le(Abs(one.h_bent), of.sigma_2 * of.DISPLACEMENT**2 + of.sigma_1 * BEND)
    return of_a_head(goal, given.fact("st.eq16", "formula"), *terms)


def radii() -> dict[Symbol, object]:
    """The ranges of B and of the radii for U and W, which are positive."""
    return {**as_declared(of.B), of.rho_u: of.POSITIVE, of.rho_w: of.POSITIVE}


@cache
def longest() -> list[Theorem]:
    """ℓ² ≤ a² + b² and K ≤ A + 2B at the radii, and ℓ ≥ 0."""
    a, b = STEP, SPREAD
    ell, largest = of.displacement(a, b), of.deviation(a, b)
    found = [
        ONE_HEAD.follows(*called(ell), goal=le(ell, sqrt(a**2 + b**2))),
        ONE_HEAD.follows(*called(largest), goal=le(largest, a + 2 * b)),
        ONE_HEAD.follows(*called(ell), goal=ge(ell, 0)),
    ]
    steps = {a: of.rho_u, b: of.B * of.rho_w}
    weights = {a: 2 * of.rho_u * of.rho_w, b: of.B * of.rho_w**2}
    at = (steps, weights, steps)
    return [fact.at(one_, over=radii()) for fact, one_ in zip(found, at, strict=True)]
