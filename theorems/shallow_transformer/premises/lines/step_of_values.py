"""How much the output of a head changes along a segment: at most by its slopes on the way.

The output is σ(z) for the preactivation z, whose gradient is a function of the place.  Both ends lie
in the feasible set, so that the read-out vector is short in between.
"""

from sympy import Abs, Expr, Reals, Symbol

from theorems.engine import Given, eq, le, rules
from theorems.engine.claims.claim import Claim
from theorems.engine.rules import Theorem, Vector, facts, inner, norm
from theorems.engine.rules.vocabulary import derivative
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.premises.heads import larger_product, near_in_the_feasible_set
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import family
from theorems.shallow_transformer.premises.segments import (
    EVERYWHERE,
    SEGMENT,
    from_end_to_end,
    gradient_of_z,
    next_place,
    on_the_segment,
    place,
    way,
)
from theorems.shallow_transformer.premises.tokens import what_is_assumed

_z, _steep, _output = map(family, ("z", "σ'", "σ"))
_x = Symbol("x", real=True)
_top = Symbol("supremum of slopes", nonnegative=True)
_STEEP = gradient_of_z(place)
#: The read-out vector at the ends of the segment, and between them.
_U_FROM, _U_TO = map(Vector, ("U'", "U"))
_U = (1 - place) * _U_FROM + place * _U_TO


def step_of_values(given: Given, of_z: Claim, most: Expr) -> Theorem:
    """|h(θ) − h(θ′)| ≤ σ_1K|θ − θ′|, where ``of_z`` bounds |∇z| by |U|, and thereby by K."""
    given.require(hyp.IN_FEASIBLE_SET)
    law = derivative(_steep(_x), _output(_x), _x, Reals)
    activation = what_is_assumed(given, hyp.TWICE_DIFFERENTIABLE, law)
    line = derivative(inner(_STEEP, way), _z(place), place, SEGMENT)
    rule = rules.chained(activation, ONE_HEAD.meaning("z on the segment, and its slope", line))
    each = _slope(given, given.fact(of_z, "bound"), most)
    moved = from_end_to_end(rules.mean_value(rule, each, next_place))
    meant = ONE_HEAD.meaning(
        "a step, and what it changes",
        eq(of.h_step, Abs(_output(_z(1)) - _output(_z(0)))),
        eq(of.theta_step, norm(way)),
    )
    return on_the_segment(given, le(of.h_step, of.sigma_1 * most * of.theta_step), moved, meant)


def _slope(given: Given, bound: Theorem, most: Expr) -> Theorem:
    """|σ′(z)⟨∇z, δ⟩| ≤ σ_1K|δ| at each place."""
    there = given.instance(bound, {of.z_gradient: norm(_STEEP), of.u: norm(_U)})
    long = on_the_segment(given, le(norm(_STEEP), most), there, _short_in_between(given))
    schwarz = facts.cauchy_schwarz(_STEEP, way, over=EVERYWHERE)
    along = on_the_segment(given, le(Abs(inner(_STEEP, way)), most * norm(way)), long, schwarz)
    slope = Abs(_steep(_z(place)))
    steep = ONE_HEAD.largest("the supremum of the activation's slopes", le(Abs(_steep(_x)), _top)).at(
        {_x: _z(place)}, over=EVERYWHERE
    )
    small = on_the_segment(
        given, le(slope, of.sigma_1), steep, what_is_assumed(given, hyp.BOUNDED_SLOPES, le(_top, of.sigma_1))
    )
    product = larger_product(slope, of.sigma_1, *along.statement.args)
    size = Abs(_steep(_z(place)) * inner(_STEEP, way))
    return on_the_segment(given, le(size, of.sigma_1 * most * norm(way)), product, small, along)


def _short_in_between(given: Given) -> Theorem:
    """|U| is at most its bound in the feasible set between two places of it: a ball is convex."""
    ends = [near_in_the_feasible_set(given, one) for one in (_U_FROM, _U_TO)]
    far = ends[0].statement.rhs
    parts = [
        on_the_segment(given, le(norm(share * one), share * far), end)
        for share, one, end in zip((1 - place, place), (_U_FROM, _U_TO), ends, strict=True)
    ]
    sides = facts.triangle((1 - place) * _U_FROM, place * _U_TO, over=EVERYWHERE)
    return on_the_segment(given, le(norm(_U), far), sides, *parts)
