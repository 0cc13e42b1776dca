"""How much a head changes along a segment: the mean value theorem and Taylor's formula.

A head h and its gradient are functions of the place t on the segment from θ′ to θ, on which its
gradient and its Hessian are longest somewhere.  The segment lies in the feasible set, which is
convex.
"""

from typing import Any

from sympy import Abs, Expr, Function, Interval, Symbol

from theorems.engine import Given, eq, le, rules
from theorems.engine.rules import Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import derivative, operators, opnorm, vectors
from theorems.shallow_transformer.hypotheses import IN_FEASIBLE_SET, TWICE_DIFFERENTIABLE
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared

gradient, _hessian = vectors("gradient of h"), operators("Hessian of h")
steepest = Symbol("steepest place", real=True)
_h = Function("h", real=True)
way, _e = Vector("theta - theta'"), Vector("e")
_place, _next = (Symbol(name, real=True) for name in ("place", "next place"))
_SEGMENT = Interval(0, 1)
_EVERYWHERE: dict[Symbol, Any] = {_place: _SEGMENT}
_G, _H = gradient(_place), _hessian(_place)


def _ranges(*things: Any) -> dict[Symbol, Any]:
    return {**as_declared(*things), **_EVERYWHERE}


def _of_values(given: Given) -> Theorem:
    """The derivative of h along the segment."""
    law = derivative(inner(_G, way), _h(_place), _place, _SEGMENT)
    return given.supposed(TWICE_DIFFERENTIABLE, law)


def _of_gradients(given: Given) -> Theorem:
    """The derivative of each coordinate of the gradient along the segment."""
    law = derivative(inner(_e, act(_H, way)), inner(_e, _G), _place, _SEGMENT)
    return given.supposed(TWICE_DIFFERENTIABLE, law)


def _curved(along: Vector) -> Theorem:
    """|⟨e, Hδ⟩| ≤ |e|‖H‖|δ|, at most with the largest Hessian."""
    image, largest = act(_H, way), of.h_hessian
    hessian = ONE_HEAD.largest("the largest Hessian", le(opnorm(_H), largest), over=_EVERYWHERE)
    known = [
        facts.cauchy_schwarz(along, image, over=_EVERYWHERE),
        facts.operator_norm(_H, way, over=_EVERYWHERE),
        hessian,
    ]
    goal = le(Abs(inner(along, image)), norm(along) * largest * norm(way))
    return rules.follows(goal, known)


def _from_end_to_end(theorem: Theorem) -> Theorem:
    return theorem.at({_place: 0, _next: 1})


def step_of_values(given: Given) -> Theorem:
    """|h(θ) − h(θ′)| is at most the longest gradient on the segment times its length."""
    given.require(IN_FEASIBLE_SET)
    size, bound = Abs(inner(_G, way)), of.h_gradient * norm(way)
    longest = ONE_HEAD.largest("the longest gradient", le(norm(_G), of.h_gradient), over=_EVERYWHERE)
    known = [longest, facts.cauchy_schwarz(_G, way, over=_EVERYWHERE)]
    each = rules.follows(le(size, bound), known)
    moved = _from_end_to_end(rules.mean_value(_of_values(given), each, _next))
    meant = ONE_HEAD.meaning(
        "a step, and what it changes", eq(of.h_step, Abs(_h(1) - _h(0))), eq(of.theta_step, norm(way))
    )
    return ONE_HEAD.follows(moved, meant, goal=le(of.h_step, of.h_gradient * of.theta_step))


def step_of_gradients(given: Given) -> Theorem:
    """|∇h(θ) − ∇h(θ′)| is at most the largest Hessian on the segment times its length."""
    given.require(IN_FEASIBLE_SET)
    moved = _from_end_to_end(rules.mean_value(_of_gradients(given), _curved(_e), _next))
    change = gradient(1) - gradient(0)
    along = moved.at({_e: change})
    meant = ONE_HEAD.meaning(
        "a step, and what it changes", eq(of.slope_step, norm(change)), eq(of.theta_step, norm(way))
    )
    return ONE_HEAD.follows(along, meant, goal=le(of.slope_step, of.h_hessian * of.theta_step))


def rest_of_a_step(given: Given, rest: Expr) -> Theorem:
    """What is left of a step without its linear part is at most half of ‖∇²h‖|δ|²."""
    second = _of_gradients(given).at({_e: way})
    bend = rules.taylor(_of_values(given), second, _curved(way), _next)
    meant = [_rest(rest), ONE_HEAD.meaning("a step", eq(of.theta_step, norm(way)))]
    goal = le(rest, of.h_hessian * of.theta_step**2 / 2)
    return ONE_HEAD.follows(_from_end_to_end(bend), *meant, goal=goal)


def _rest(rest: Expr) -> Theorem:
    left = _h(1) - _h(0) - inner(gradient(0), way)
    return ONE_HEAD.meaning("what is left of a step without its linear part", eq(rest, Abs(left)))


def largest_bend(given: Given, rest: Expr, bend: Expr, scale: Expr) -> Theorem:
    """The same with the second derivative along the way where it is largest: at most half of it.

    ``bend`` is that along the way times the root of ``scale``.
    """
    second = _of_gradients(given).at({_e: way})
    along = inner(way, act(_H, way))
    top = ONE_HEAD.largest(
        "the largest second derivative along the way, times a scale",
        le(scale * Abs(along), Abs(bend)),
        over=_EVERYWHERE,
    )
    size = rules.follows(le(Abs(along), Abs(bend) / scale), [top])
    left = rules.taylor(_of_values(given), second, size, _next)
    goal = le(scale * rest, Abs(bend) / 2)
    return ONE_HEAD.follows(_from_end_to_end(left), _rest(rest), goal=goal)
