"""Theorem 1, proof: the size of gradients, (37) and (38)."""

from functools import cache

from sympy import Abs, Expr, Max, Symbol, cos, sin, sqrt, symbols

from theorems.engine import Given, both, eq, implies, le
from theorems.engine.rules import Theorem, Vector, facts, inner, norm
from theorems.engine.statements.values import unfolded
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.descent.feature_change import lemma_2
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.paper import claim, i, m
from theorems.shallow_transformer.premises.heads import (
    lengths_in_the_feasible_set,
    slope_behind_the_activation,
)
from theorems.shallow_transformer.premises.lines.network_on_a_line import slope_of_the_network
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    between,
    bounded_sum,
    called,
    letters,
    linear,
    near_the_start,
    positive,
    sizes,
    stated,
    total,
    what_is_assumed,
)
from theorems.shallow_transformer.premises.segments import gradient as gradient_at
from theorems.shallow_transformer.premises.segments import place
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import RUNS, Descent, at_worst

_NOTE = "proofs_notes/st_descent.md#the-change-of-features"

_WEIGHTED = (*hyp.ACTIVATION, *hyp.INPUTS, hyp.BOUNDED_HEADS, hyp.IN_FEASIBLE_SET, hyp.UNIT_SIGNS)
_LARGEST_C = 1 + of.rho_c / sqrt(m)
_STEEPNESS = of.sigma_0 + _LARGEST_C * of.LIPSCHITZ

EQ_37 = claim(
    "st.eq37",
    at="Theorem 1, proof; Equation (37)",
    title="The gradient with respect to one head",
    states=le(of.head_gradient, 1 / sqrt(m) * _STEEPNESS),
    given=letters(of.head_gradient, m, _STEEPNESS, under=_WEIGHTED),
    assuming=_WEIGHTED,
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w", "st.lem2"],
    note=_NOTE,
)


def _weights_and_values(given: Given) -> list[Theorem]:
    """|c| ≤ 1 + ρ_c/√m and |h| ≤ σ_0."""
    given.require(hyp.IN_FEASIBLE_SET)
    return [
        what_is_assumed(given, hyp.BOUNDED_VALUES, le(Abs(its.h_now), of.sigma_0)),
        what_is_assumed(given, hyp.UNIT_SIGNS, eq(Abs(its.c_start), 1)),
        near_the_start(given),
    ]


#: The length of the gradient with respect to any head.
_GRADIENT = Symbol("gradient of a head", nonnegative=True)


def _both_blocks(given: Given, gradient: Symbol) -> Theorem:
    """m|∇f|² ≤ h² + c²|∇h|²: along (cos t, η sin t) √m f has the slope h cos t + c⟨∇h, η⟩ sin t."""
    way = Vector("way")
    gamma, turn, angle = symbols("gamma turn angle", real=True)
    c, nabla = its.c_start + its.c_move, gradient_at(place)
    law, whole, value, slope = slope_of_the_network(given, "now", c, gamma)
    longest = NETWORKS.meaning(
        "the length of the gradient, along a line of the direction where the slope is largest",
        eq(gradient, Abs(whole)),
        eq(its.h_now, value),
        eq(slope, turn * inner(nabla, way)),
        eq(of.h_gradient, norm(nabla)),
        *(eq(norm(way), 1), eq(gamma, cos(angle)), eq(turn, sin(angle))),
    )
    circle = NETWORKS.follows(longest, facts.circle(angle), goal=eq(gamma**2 + turn**2, 1))
    schwarz = facts.cauchy_schwarz(nabla, way)
    h, g, s, t, D, C = symbols("value steepness cosine sine slope weight", real=True)
    plane = NETWORKS.follows(
        goal=le((s * h + C * D) ** 2, h**2 + C**2 * g**2), under=[le(D**2, g**2 * t**2), eq(s**2 + t**2, 1)]
    )
    numbers = {h: its.h_now, g: of.h_gradient, s: gamma, t: turn, D: slope, C: c}
    square = its.h_now**2 + c**2 * of.h_gradient**2
    form = NETWORKS.follows(schwarz, longest, goal=le(inner(nabla, way) ** 2, of.h_gradient**2))
    size = NETWORKS.follows(form, longest, goal=le(slope**2, of.h_gradient**2 * turn**2))
    there = NETWORKS.follows(law, longest, goal=eq(m * gradient**2, (gamma * its.h_now + c * slope) ** 2))
    moved = NETWORKS.substituted(plane, numbers)
    small = NETWORKS.follows(moved, size, circle, goal=le((gamma * its.h_now + c * slope) ** 2, square))
    return NETWORKS.follows(there, small, goal=le(m * gradient**2, square))


@EQ_37.proved()
def length_of_both_blocks(given: Given) -> Theorem:
    """|(h, c∇h)| ≤ |h| + |c||∇h| ≤ σ_0 + (1 + ρ_c/√m)L_1."""
    values, *weights = _weights_and_values(given)
    c = Abs(its.c_start + its.c_move)
    weight = NETWORKS.follows(*weights, goal=le(c, _LARGEST_C))
    return given.follows(values, weight, _pair(given), *lemma_2(given), positive(of.LIPSCHITZ))


def _pair(given: Given) -> Theorem:
    """√m|∇_{φ_i} f| is at most the sum of the sizes of both blocks."""
    c = Abs(its.c_start + its.c_move)
    bound = le(sqrt(m) * of.head_gradient, Abs(its.h_now) + c * of.h_gradient)
    return NETWORKS.follows(_both_blocks(given, of.head_gradient), goal=bound)


@EQ_37.tested(over=RUNS, cases=30)
def one_head_along_runs(run: Descent) -> Point:
    """The largest |∇_{φ_i} f| and the bound."""
    return at_worst(EQ_37, run.points())


EQ_38 = claim(
    "st.eq38",
    at="Theorem 1, proof; Equation (38)",
    title="The gradient with respect to all parameters",
    states=[le(of.f_gradient, its.A_MAX), eq(its.A_MAX, _STEEPNESS)],
    given=letters(of.f_gradient, m, _STEEPNESS, under=_WEIGHTED),
    assuming=_WEIGHTED,
    rests_on=[EQ_37],
    note=_NOTE,
)


def _squares_of_heads(given: Given, each: Theorem, bound: Expr) -> list[Theorem]:
    """Squares of m heads, of at most bound²/m each, add up to at most bound²."""
    size = sizes("size of a head's gradient")
    head = NETWORKS.substituted(each, {x: size(i) for x in (of.head_gradient, _GRADIENT) if x in each.over})
    each = between(given, le(m * size(i) ** 2, bound**2), head, positive(of.LIPSCHITZ))
    whole = NETWORKS.meaning("the sum over heads", eq(of.f_gradient**2, total(size(i) ** 2, i, m)))
    sums = bounded_sum(each, i, m)
    return [sums, linear(sums.statement.lhs), whole, positive(of.LIPSCHITZ)]


@EQ_38.proved()
def squares_of_m_heads(given: Given) -> Theorem:
    """m times the square of (37)."""
    bound, definition = stated(EQ_38).args
    named = unfolded(definition)
    squares = _squares_of_heads(given, given.fact(EQ_37), _STEEPNESS)
    plain = given.follows(*squares, goal=le(of.f_gradient, _STEEPNESS))
    return given.follows(plain, *called(its.A_MAX, of.LIPSCHITZ), goal=both(bound, named))


@EQ_38.tested(over=RUNS, cases=30)
def whole_gradients_along_runs(run: Descent) -> Point:
    """The largest |∇f| and the bound."""
    return at_worst(EQ_38, run.points())


_STEEP = (*hyp.REGULAR, hyp.BOUNDED_HEADS, hyp.IN_FEASIBLE_SET, hyp.UNIT_SIGNS)
SQUARES = sqrt(of.sigma_0**2 + _LARGEST_C**2 * of.sigma_1**2 * Max(1, of.B) ** 2)

SHARP_38 = EQ_38.sharpened(
    "st.eq38.sharp",
    title="The gradient with respect to all parameters, with squares",
    states={
        "bound": le(of.f_gradient, SQUARES),
        "attained by equal heads": implies(
            both(
                eq(of.f_gradient, sqrt(m) * of.head_gradient),
                eq(m * of.head_gradient**2, of.sigma_0**2 + _LARGEST_C**2 * (of.sigma_1 * Max(1, of.B)) ** 2),
            ),
            eq(of.f_gradient, SQUARES),
        ),
    },
    given=letters(of.f_gradient, of.head_gradient, m, SQUARES, under=_STEEP),
    assuming=_STEEP,
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w", "st.eq17.sharp"],
    note=_NOTE,
)


_NUMBERS = (
    *(Symbol("c", real=True), Symbol("g", nonnegative=True)),
    *(Symbol("most of c", real=True), Symbol("most of g", real=True)),
)


@cache
def _square_of_a_product() -> Theorem:
    """Bounds of two sizes, |c| and g, bound the square of the product."""
    c, g, most_c, most_g = _NUMBERS
    sizes_ = [le(Abs(c), most_c), le(g, most_g)]
    return NETWORKS.follows(goal=le(c**2 * g**2, most_c**2 * most_g**2), under=sizes_)


@SHARP_38.proved("bound")
def squares_of_both_blocks(given: Given) -> Theorem:
    """Σ_i (h_i² + c_i²|∇h_i|²)/m, with |c_i| ≤ 1 + ρ_c/√m and |∇h_i| ≤ σ_1 max(1, B)."""
    slope, lengths = slope_behind_the_activation(given), lengths_in_the_feasible_set(given)
    steep = given.fact("st.eq17.sharp", "bound")
    head = le(m * _GRADIENT**2, SQUARES**2)
    value, sign, move = _weights_and_values(given)
    most, c = of.sigma_1 * Max(1, of.B), its.c_start + its.c_move
    along = between(given, le(of.h_gradient, most), slope, lengths, steep)
    weight = between(given, le(Abs(c), _LARGEST_C), sign, move)
    squares = [
        between(given, le(its.h_now**2, of.sigma_0**2), value),
        weight,
        along,
        NETWORKS.substituted(
            _square_of_a_product(), dict(zip(_NUMBERS, (c, of.h_gradient, _LARGEST_C, most), strict=True))
        ),
    ]
    each = between(given, head, _both_blocks(given, _GRADIENT), *squares)
    return given.follows(*_squares_of_heads(given, each, SQUARES))


@SHARP_38.proved("attained by equal heads")
def equal_heads(given: Given) -> Theorem:
    """All heads have |h| = σ_0, |c| = 1 + ρ_c/√m and |∇h| = σ_1 max(1, B)."""
    return given.follows()


@SHARP_38.tested("bound", over=RUNS, cases=40)
def whole_gradients_over_the_sharp_bound(run: Descent) -> Point:
    """The largest |∇f| and the sharper bound."""
    return at_worst(SHARP_38, run.points(), "bound")
