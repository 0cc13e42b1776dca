"""How much a head changes along a segment: the mean value theorem and Taylor's formula.

A head h and its gradient are functions of the place t on the segment from θ′ to θ.  What is said of
its gradient and its Hessian holds at every place.  The segment lies in the feasible set, which is
convex.
"""

from typing import Any

from sympy import Abs, Expr, Function, Interval, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, eq, le, rules
from theorems.engine.rules import Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import derivative, operators, opnorm, vectors
from theorems.shallow_transformer.hypotheses import IN_FEASIBLE_SET, TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import m
from theorems.shallow_transformer.premises.named import FARTHEST_BLOCK, ONE_HEAD, as_declared

gradient, hessian = vectors("gradient of h"), operators("Hessian of h")
gradient_of_z, hessian_of_z = vectors("gradient of z"), operators("Hessian of z")
_h = Function("h", real=True)
way, _e = Vector("theta - theta'"), Vector("e")
#: Where derivatives are taken, which may be anywhere on a segment.
place, next_place = (Symbol(name, real=True) for name in ("place", "next place"))
SEGMENT = Interval(0, 1)
EVERYWHERE: dict[Symbol, Any] = {place: SEGMENT}
_G, _H = gradient(place), hessian(place)


def _of_values(given: Given) -> Theorem:
    """The derivative of h along the segment."""
    law = derivative(inner(_G, way), _h(place), place, SEGMENT)
    return given.supposed(TWICE_DIFFERENTIABLE, law)


def _of_gradients(given: Given) -> Theorem:
    """The derivative of each coordinate of the gradient along the segment."""
    law = derivative(inner(_e, act(_H, way)), inner(_e, _G), place, SEGMENT)
    return given.supposed(TWICE_DIFFERENTIABLE, law)


def on_the_segment(given: Given, goal: Boolean, *known: Theorem) -> Theorem:
    """A relation in the claim's ranges, and between both ends where there is a place in it."""
    over = {**as_declared(goal, *given.conditions), **given.domain}
    return rules.follows(goal, known, over={**over, **EVERYWHERE}, under=given.conditions)


#: How far outside of the feasible set the farthest block is at a place of the segment, and, of this
#: block, its radius and its way from the start at both ends.
_OUTSIDE = Function("how far outside", real=True)(place)
_RADIUS = Function("radius of the farthest block", real=True)(place)
_ENDS = tuple(vectors(f"way of the farthest block at {end}")(place) for end in ("theta'", "theta"))


def at_each_place(given: Given, bound: Theorem, most: Expr) -> Theorem:
    """‖∇²h‖ ≤ K on the segment, where ``bound`` says so of any head in the feasible set."""
    at = {of.h_hessian: opnorm(_H), of.farthest_out: _OUTSIDE}
    there = bound.at(at, over=EVERYWHERE)
    return on_the_segment(given, le(opnorm(_H), most), there, _inside_in_between(given))


def _inside_in_between(given: Given) -> Theorem:
    """Both ends lie in the feasible set, and so does the segment, as balls are convex."""
    given.require(IN_FEASIBLE_SET)
    farthest = [
        ONE_HEAD.largest(FARTHEST_BLOCK, le(sqrt(m) * norm(end) - _RADIUS, of.farthest_out), over=EVERYWHERE)
        for end in _ENDS
    ]
    parts = [(1 - place) * _ENDS[0], place * _ENDS[1]]
    outside = ONE_HEAD.meaning(
        "how far outside the farthest block is at a place of the segment",
        eq(_OUTSIDE, sqrt(m) * norm(parts[0] + parts[1]) - _RADIUS),
        over=EVERYWHERE,
    )
    lengths = [
        on_the_segment(given, le(sqrt(m) * norm(part), share * _RADIUS), known)
        for part, share, known in zip(parts, (1 - place, place), farthest, strict=True)
    ]
    sides = facts.triangle(*parts, over=EVERYWHERE)
    return on_the_segment(given, le(_OUTSIDE, 0), outside, sides, *lengths)


def largest_hessian(largest: Symbol) -> Theorem:
    """‖∇²h‖ on the segment is at most a letter for the largest of these norms."""
    return ONE_HEAD.largest("the largest Hessian", le(opnorm(_H), largest), over=EVERYWHERE)


def _curved(given: Given, along: Vector, most: Expr, bound: Theorem) -> Theorem:
    """|⟨e, Hδ⟩| ≤ |e|‖H‖|δ|, where ``bound`` says that the norm of the Hessian is at most ``most``."""
    image, norms = act(_H, way), (norm(along), opnorm(_H), norm(way))
    known = [
        facts.cauchy_schwarz(along, image, over=EVERYWHERE),
        facts.operator_norm(_H, way, over=EVERYWHERE),
    ]
    size = rules.follows(le(Abs(inner(along, image)), norms[0] * norms[1] * norms[2]), known)
    goal = le(Abs(inner(along, image)), norms[0] * most * norms[2])
    return on_the_segment(given, goal, size, bound)


def from_end_to_end(theorem: Theorem) -> Theorem:
    """What holds of two places on the segment, at its ends."""
    return theorem.at({place: 0, next_place: 1})


def step_of_gradients(given: Given, most: Expr, bound: Theorem) -> Theorem:
    """|∇h(θ) − ∇h(θ′)| ≤ K|θ − θ′|, where ``bound`` says that ‖∇²h‖ ≤ K everywhere on the segment."""
    given.require(IN_FEASIBLE_SET)
    small = _curved(given, _e, most, bound)
    moved = from_end_to_end(rules.mean_value(_of_gradients(given), small, next_place))
    change = gradient(1) - gradient(0)
    along = moved.at({_e: change})
    meant = ONE_HEAD.meaning(
        "a step, and what it changes", eq(of.slope_step, norm(change)), eq(of.theta_step, norm(way))
    )
    sign = on_the_segment(given, le(0, most), bound, facts.operator_norm(_H, way, over=EVERYWHERE))
    return on_the_segment(given, le(of.slope_step, most * of.theta_step), along, meant, sign)


def rest_of_a_step(given: Given, rest: Expr, most: Expr, bound: Theorem) -> Theorem:
    """What is left of a step without its linear part is at most K|δ|²/2, if ‖∇²h‖ ≤ K as in ``bound``."""
    second = _of_gradients(given).at({_e: way})
    bend = rules.taylor(_of_values(given), second, _curved(given, way, most, bound), next_place)
    step = ONE_HEAD.meaning("a step", eq(of.theta_step, norm(way)))
    goal = le(rest, most * of.theta_step**2 / 2)
    return on_the_segment(given, goal, from_end_to_end(bend), _rest(rest), step)


def _rest(rest: Expr) -> Theorem:
    left = _h(1) - _h(0) - inner(gradient(0), way)
    return ONE_HEAD.meaning("what is left of a step without its linear part", eq(rest, Abs(left)))


#: What is largest on a segment, the second derivative along its way.
LARGEST_BEND = "the largest second derivative along the way, times a scale"


def largest_bend(given: Given, rest: Expr, bend: Symbol, scale: Expr) -> Theorem:
    """The same with the second derivative along the way where it is largest: at most half of it.

    ``bend`` is the largest one along the way times the root of ``scale``.
    """
    second = _of_gradients(given).at({_e: way})
    along = inner(way, act(_H, way))
    top = ONE_HEAD.largest(LARGEST_BEND, le(scale * Abs(along), bend), over=EVERYWHERE)
    size = rules.follows(le(Abs(along), bend / scale), [top])
    left = rules.taylor(_of_values(given), second, size, next_place)
    goal = le(scale * rest, bend / 2)
    return ONE_HEAD.follows(from_end_to_end(left), _rest(rest), goal=goal)
