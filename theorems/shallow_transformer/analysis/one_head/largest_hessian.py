"""Lemma 2 and Equation (18): the largest norm of the Hessian of a head.

The best bound g(u) of the Hessian of z is attained by one scalar head: z = u tanh w.
"""

from functools import cache
from typing import Any

from sympy import Abs, Interval, Rational, Reals, Symbol, oo, sqrt, tanh
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, ge, half_line, implies, le, rules
from theorems.engine.rules import Theorem, Vector, norm
from theorems.engine.rules.vocabulary import opnorm
from theorems.shallow_transformer.analysis.one_head.angles import ANGLE, double_angle, equal_squares
from theorems.shallow_transformer.analysis.one_head.deviations import SOME_WEIGHT
from theorems.shallow_transformer.analysis.one_head.four_numbers import BOUNDED_VARIABLE
from theorems.shallow_transformer.analysis.one_head.hessian_blocks import deviations_of
from theorems.shallow_transformer.analysis.one_head.lipschitz import SCALED
from theorems.shallow_transformer.hypotheses import INPUTS, SMOOTH_INSIDE
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.premises.heads import lengths_in_the_feasible_set
from theorems.shallow_transformer.premises.lines.directions import along_a_direction
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.premises.segments import (
    at_each_place,
    hessian_of_z,
    place,
    step_of_gradients,
)
from theorems.shallow_transformer.premises.token_sums import generalised
from theorems.shallow_transformer.premises.tokens import called
from theorems.shallow_transformer.sampling.head_balls import Point, behind_tanh, of_head
from theorems.shallow_transformer.sampling.heads import HEADS, SampledHead

_NOTE = "proofs_notes/st_smoothness.md#the-hessian"
_BY_BLOCKS = sqrt(2 * of.z_coupling**2 + of.z_corner**2)

EQ_18 = claim(
    "st.eq18",
    at="Lemma 2, proof; Equation (18)",
    title="The Hessian of a head",
    states=[
        le(of.z_hessian, _BY_BLOCKS),
        le(_BY_BLOCKS, sqrt(2 + 64 * of.u**2)),
        le(sqrt(2 + 64 * of.u**2), 8 * sqrt(1 + of.u**2)),
    ],
    assuming=INPUTS,
    rests_on=["st.lem2.blocks", "st.lem2.matrix"],
    note=_NOTE,
)


@EQ_18.proved()
def norms_of_the_blocks(given: Given) -> Theorem:
    """The block by U vanishes, the others have norms at most 1 and 8u."""
    at = {its.whole_norm: of.z_hessian, its.coupling: of.z_coupling, its.corner: of.z_corner}
    whole = given.instance(given.fact("st.lem2.matrix"), at)
    blocks = [given.fact("st.lem2.blocks", name) for name in ("U", "coupling", "corner")]
    return given.concluded(whole, *blocks)


@EQ_18.tested(over=HEADS)
def hessians_over_printed(head: SampledHead) -> Point:
    """‖∇²z‖, the norm by blocks, and both bounds."""
    return of_head(EQ_18, head)


_ROOT = sqrt(1 + of.u**2 * its.root**2)
_AT_A_MEAN = (1 - its.root**2) * (of.u * its.root + _ROOT)
_AT_ANY_MEAN = (1 - of.x**2) * (of.u * of.x + sqrt(1 + of.u**2 * of.x**2))

_BEST, _SUM = its.best_mean(of.u), its.best_sum(of.u)
_BEST_ROOT = sqrt(1 + of.u**2 * _BEST**2)

EQ_18_SHARP = EQ_18.sharpened(
    "st.eq18.sharp",
    title="The largest Hessian of a head",
    states={
        "bound": le(of.z_hessian, of.curvature(of.u)),
        "at a mean": le(of.z_hessian, _AT_A_MEAN),
        "maximum": le(_AT_ANY_MEAN, of.curvature(of.u)),
        "maximum attained": eq((1 - _BEST**2) * (of.u * _BEST + _BEST_ROOT), of.curvature(of.u)),
        "attained by two tokens, at the mean x": eq(its.pair_hessian(of.u, of.x), _AT_ANY_MEAN),
        "their blocks": implies(
            eq(tanh(its.entry_w), of.x),
            both(
                eq(its.pair_coupling(of.u, its.entry_w), 1 - of.x**2),
                eq(its.pair_corner(of.u, its.entry_w), -2 * of.u * of.x * (1 - of.x**2)),
            ),
        ),
    },
    assuming=INPUTS,
    rests_on=["st.lem2.second", "st.lem2.deviations", "st.lem2.matrix.sharp"],
    discharging={
        BOUNDED_VARIABLE: "Y is the slope of the logit of a drawn token, over the size of Δ",
        SOME_WEIGHT: "the deviations are bounded apart from each other",
    },
    note=_NOTE,
)


def _at_a_mean(given: Given) -> Theorem:
    """2|δ|rE|S| + ur²E|S² − V| ≤ (1 − x²)(2|δ|r + 2uxr²), for |δ|² + r² = 1, and the norm of that.

    It holds as S and S² − V have mean 0, and |X| ≤ 1.
    """
    names = ("delta", "Delta")
    size, turn = (Symbol(f"size of {one}", nonnegative=True) for one in names)
    (short, long), form_ = map(Vector, names), hessian_of_z(place)
    direction = ONE_HEAD.meaning(
        "the norm of a symmetric form, at a direction of length 1 where it is largest",
        *(eq(of.z_hessian, opnorm(form_)), eq(opnorm(form_), Abs(its.z_second))),
        *(eq(size, norm(short)), eq(turn, norm(long))),
        eq(norm(short) ** 2 + norm(long) ** 2, 1),
    )
    bent = along_a_direction(given, size, turn)
    whole, form = 1 - its.root**2, 2 * size * turn + 2 * of.u * its.root * turn**2
    spread = deviations_of(given)
    first = ONE_HEAD.follows(spread, goal=le(its.Y_spread * size * turn, whole * size * turn))
    second = ONE_HEAD.follows(
        spread, goal=le(its.Y_square * of.u * turn**2, 2 * its.root * whole * of.u * turn**2)
    )
    known = ONE_HEAD.follows(direction, bent, first, second, goal=le(of.z_hessian, whole * form))
    most = ONE_HEAD.substituted(double_angle(), dict(zip(ANGLE, (of.u * its.root, size, turn), strict=True)))
    larger = ONE_HEAD.follows(most, direction, goal=most.statement)
    goal = stated(EQ_18_SHARP, "at a mean")
    end = generalised(
        goal, [known, larger, ONE_HEAD.follows(goal=ge(whole, 0))], whole, *larger.statement.args
    )
    return given.follows(end, goal=goal)


@cache
def _maximum() -> Theorem:
    """With ux = (w − 1/w)/2 the value is f(w) = (1 − x²)w, concave in w ≥ 1: largest where f′ = 0.

    4u²f(w) = (4u² + 2)w − w³ − 1/w, and 4u²(f(v) − f(w)) = (w − v)²(w + 2v + 1/(wv²)) if f′(v) = 0.
    """
    u, x, v, w, g = of.u, of.x, *(Symbol(one, real=True) for one in "vwg")
    above = {w: Interval(1, oo), v: Interval(1, oo)}
    over = {**above, g: Reals, u: Interval.open(0, oo), x: Interval(0, 1)}
    best = [
        eq(2 * u * x * w, w**2 - 1),
        eq((4 * u**2 + 2) * v**2, 3 * v**4 - 1),
        eq(4 * u**2 * v * g, 4 * u**2 * v**2 - (v**2 - 1) ** 2),
    ]
    double = 3 * v**2 - 1 / v**2
    root = rules.follows(ge((double * v - v**3 - 1 / v) - (double * w - w**3 - 1 / w), 0), over=above)

    def value(at: Any) -> Any:
        return (4 * u**2 + 2) * at - at**3 - 1 / at

    known = [
        rules.follows(ge(value(v) - value(w), 0), [root], over=over, under=best[1:2]),
        rules.follows(eq(4 * u**2 * g, value(v)), over=over, under=best),
        rules.follows(eq(4 * u**2 * (1 - x**2) * w, value(w)), over=over, under=best[:1]),
    ]
    general = rules.follows(le((1 - x**2) * w, g), known, under=best)
    closed = of.curvature(u).unfolded()
    at = {w: u * x + sqrt(1 + u**2 * x**2), v: _SUM.unfolded(), g: closed}
    positive = {u: Interval.open(0, oo), x: Interval(0, 1)}
    some = general.at(at)
    met = [rules.follows(one, [_root_in_the_curvature()], over=positive) for one in some.conditions]
    form, goal = called(of.curvature(u)), stated(EQ_18_SHARP, "maximum")
    everywhere = as_declared(goal)
    zero = rules.follows(goal, form, over=everywhere, under=[eq(u, 0)])
    more = rules.follows(goal, [some, *met, *form])
    return rules.cases([more, zero], over=everywhere)


@cache
def _root_in_the_curvature() -> Theorem:
    """The root in the closed form of g(u) is w*."""
    factors = of.curvature(of.u).unfolded().args
    root = next(one for one in factors if one.as_base_exp()[1] == Rational(1, 2))
    sum_ = _SUM.unfolded()
    return ONE_HEAD.follows(ONE_HEAD.follows(goal=eq(root.base, sum_**2)), goal=eq(root, sum_))


@EQ_18_SHARP.proved("at a mean")
def mean_of_a_product(given: Given) -> Theorem:
    """D²z = E⟨2Sδ + (S² − V)U, X⟩ ≤ 2|δ|E|S| + uE|S² − V| for S = ⟨Δq, X − a⟩."""
    return _at_a_mean(given)


@EQ_18_SHARP.proved("maximum")
def stationary_mean(given: Given) -> Theorem:
    """g(u) is the maximum over the mean."""
    return given.concluded(_maximum())


@EQ_18_SHARP.proved("bound")
def largest_over_the_means(given: Given) -> Theorem:
    """The value at x is at most the maximum."""
    return given.concluded(_at_a_mean(given), ONE_HEAD.substituted(_maximum(), {of.x: its.root}))


@cache
def _at_the_best_mean() -> list[Theorem]:
    """The best mean x* is in [0, 1] and has 2ux*w* = w*² − 1 and (1 − x*²)w* = g(u), w* ≥ 1."""
    u = of.u
    forms = called(_BEST, _SUM, of.curvature(u))
    best, sum_ = _BEST.unfolded(), _SUM.unfolded()
    square = rules.follows(eq(4 * u**2 * best**2 * sum_**2, (sum_**2 - 1) ** 2))
    larger = rules.follows(ge(sum_, 1))
    root = ONE_HEAD.substituted(equal_squares(), [2 * u * best * sum_, sum_**2 - 1])
    half = rules.follows(eq(2 * u * best * sum_, sum_**2 - 1), [square, larger, root])
    value = rules.follows(eq((1 - best**2) * sum_, of.curvature(u)), [forms[2], _root_in_the_curvature()])
    inside = rules.follows(both(ge(best, 0), le(best, 1)))
    known = [half, value, larger, inside]
    at = {_x: best, _name_x: _BEST, _w: sum_, _name_w: _SUM}
    named_ = [ONE_HEAD.substituted(one, at) for one in _under_other_names()]
    pairs = zip(named_, known, strict=True)
    return [rules.follows(one.statement, [one, two, *forms[:2]]) for one, two in pairs]


_x, _name_x, _w, _name_w = (Symbol(one, real=True) for one in ("x", "name of x", "w", "name of w"))


@cache
def _under_other_names() -> list[Theorem]:
    """What holds of x* and w* holds of names for them."""

    def said(x: Symbol, w: Symbol) -> list[Boolean]:
        return [
            eq(2 * of.u * x * w, w**2 - 1),
            eq((1 - x**2) * w, of.curvature(of.u)),
            ge(w, 1),
            both(ge(x, 0), le(x, 1)),
        ]

    same = [eq(_name_x, _x), eq(_name_w, _w)]
    pairs = zip(said(_x, _w), said(_name_x, _name_w), strict=True)
    return [ONE_HEAD.follows(goal=named, under=[*same, plain]) for plain, named in pairs]


@EQ_18_SHARP.proved("maximum attained")
def value_at_the_best_mean(given: Given) -> Theorem:
    """√(1 + u²x*²) = (w* + 1/w*)/2."""
    half, _, larger, inside = _at_the_best_mean()
    root = ONE_HEAD.follows(half, larger, inside, goal=eq(of.u * _BEST + _BEST_ROOT, _SUM))
    return given.concluded(root, *_at_the_best_mean())


@EQ_18_SHARP.proved("attained by two tokens, at the mean x")
def norm_of_two_by_two(given: Given) -> Theorem:
    """(c + √(c² + 4b²))/2 for b = 1 − x² and c = 2uxb, as in st.lem2.matrix.sharp."""
    return given.follows(*called(its.pair_hessian(of.u, of.x)))


@EQ_18_SHARP.proved("their blocks")
def scalar_head(given: Given) -> Theorem:
    """z = u tanh w: tokens 1 and −1, q = 1."""
    w = its.entry_w
    blocks = called(its.pair_coupling(of.u, w), its.pair_corner(of.u, w))
    return given.concluded(*blocks)


@EQ_18_SHARP.tested("bound", over=HEADS)
def hessians_over_the_largest(head: SampledHead) -> Point:
    """‖∇²z‖ and g(u)."""
    return of_head(EQ_18_SHARP, head)


_L_1 = of.lipschitz_constant(of.sigma_1, of.B)
_L_2 = of.smoothness_constant(of.sigma_1, of.sigma_2, of.B)

SMOOTH = claim(
    "st.lem2.smooth",
    at="Lemma 2, (b)",
    title="Heads are smooth",
    states=[le(of.h_hessian, _L_2), eq(_L_2, _L_2.unfolded())],
    assuming=SMOOTH_INSIDE,
    rests_on=["st.eq16", "st.eq17", EQ_18],
    note=_NOTE,
)


def _within(given: Given, goal: Boolean, *premises: Theorem) -> Theorem:
    """A relation about quantities that the claim does not mention."""
    over = {**as_declared(goal, *given.conditions), **{of.B: given.domain[of.B]}}
    return rules.follows(goal, premises, over=over, under=given.conditions)


@SMOOTH.proved()
def both_terms(given: Given) -> Theorem:
    """σ_2|∇z|² + σ_1‖∇²z‖, with |U| ≤ B."""
    known = [given.fact("st.eq16", "bound"), given.fact("st.eq17", "bound"), given.fact(EQ_18)]
    far = lengths_in_the_feasible_set(given)
    first = _within(given, le(of.z_gradient**2, 1 + of.B**2), known[1], far)
    second = _within(given, le(of.z_hessian, 8 * sqrt(1 + of.B**2)), known[2], far)
    return given.concluded(known[0], first, second, *called(_L_2))


@SMOOTH.tested(over=SCALED)
def heads_over_printed(case: tuple[SampledHead, float]) -> Point:
    """‖∇²h‖ for σ = s tanh and the printed bound at B = u."""
    point = behind_tanh(*case)
    return {x: point[x] for x in (of.h_hessian, of.sigma_1, of.sigma_2, of.B)}


_SHARP = of.sigma_2 * of.B**2 + of.sigma_1 * of.curvature(of.B)
_SIMPLE = of.sigma_2 * of.B**2 + of.sigma_1 * (1 + 4 / (3 * sqrt(3)) * of.B)

SMOOTH_SHARP = SMOOTH.sharpened(
    "st.lem2.smooth.sharp",
    title="Heads are smooth, with a smaller constant",
    states=[le(of.h_hessian, _SHARP), le(_SHARP, _SIMPLE)],
    given={of.B: half_line(1)},
    assuming=SMOOTH_INSIDE,
    rests_on=["st.eq16", "st.eq17.sharp", EQ_18_SHARP, "st.lem2.lipschitz.sharp"],
    note=_NOTE,
)


def _largest_for_longer(given: Given) -> Theorem:
    """The value at any mean grows with u, so that it is at most g(B)."""
    far = lengths_in_the_feasible_set(given)
    there = _AT_A_MEAN.subs(of.u, of.B)
    grows = _within(given, le(_AT_A_MEAN, there), far)
    at = ONE_HEAD.substituted(_maximum(), {of.u: of.B, of.x: its.root})
    known = [given.fact(EQ_18_SHARP, "at a mean"), grows, at]
    return _within(given, le(of.z_hessian, of.curvature(of.B)), *known)


@cache
def _simple() -> Theorem:
    """W* = 2ux* + 1/w* ≤ 1 + 2ux*, and 2x(1 − x²) ≤ 4/(3√3)."""
    x = Symbol("any mean", real=True)
    cubic = le(2 * x * (1 - x**2), 4 / (3 * sqrt(3)))
    most = ONE_HEAD.substituted(rules.follows(cubic, under=[ge(x, 0), le(x, 1)]), {x: _BEST})
    goal = le(of.curvature(of.u), 1 + 4 / (3 * sqrt(3)) * of.u)
    return ONE_HEAD.follows(*_at_the_best_mean(), most, goal=goal)


@SMOOTH_SHARP.proved()
def both_best_terms(given: Given) -> Theorem:
    """|∇z| ≤ max(1, u) ≤ B, as B ≥ 1; and g increases, as ux + √(1 + u²x²) does in u."""
    far = lengths_in_the_feasible_set(given)
    steep = _within(given, le(of.z_gradient, of.B), given.fact("st.eq17.sharp", "bound"), far)
    simple = ONE_HEAD.substituted(_simple(), {of.u: of.B})
    return given.concluded(given.fact("st.eq16", "bound"), steep, _largest_for_longer(given), simple)


@SMOOTH_SHARP.tested(over=SCALED)
def heads_over_the_sum(case: tuple[SampledHead, float]) -> Point:
    """‖∇²h‖ for σ = s tanh and the bounds at B = max(1, u)."""
    point = behind_tanh(*case)
    found = {x: point[x] for x in (of.h_hessian, of.sigma_1, of.sigma_2)}
    return {**found, of.B: point[of.B].max(1)}


LEMMA_2 = claim(
    "st.lem2",
    at="Lemma 2",
    title="Heads are Lipschitz and smooth near the initialisation",
    states={
        "lipschitz": le(of.h_step, _L_1 * of.theta_step),
        "smooth": le(of.slope_step, _L_2 * of.theta_step),
        "gradient": le(of.h_gradient, _L_1),
    },
    assuming=SMOOTH_INSIDE,
    rests_on=["st.lem2.lipschitz", SMOOTH],
    note=_NOTE,
)


@LEMMA_2.proved("lipschitz", "gradient")
def first_derivatives(given: Given) -> Theorem:
    """Part (a) of the lemma is st.lem2.lipschitz."""
    return given.follows(given.fact("st.lem2.lipschitz", given.part))


@LEMMA_2.proved("smooth")
def along_the_segment(given: Given) -> Theorem:
    """The segment from θ to θ′ stays where |U| ≤ B, and the mean value inequality applies."""
    return given.follows(step_of_gradients(given, _L_2, at_each_place(given, given.fact(SMOOTH), _L_2)))
