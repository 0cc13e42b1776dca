"""Lemma 2, part (a): the gradient of a head, and its largest norm.

|a| and ‖M‖ cannot both be large, as ‖M‖ ≤ 1 − |a|² (st.fact3.sharp).
"""

from functools import cache

from hypothesis import strategies as st
from sympy import Function, Max, exp, sqrt, tanh

from theorems.classical import functions
from theorems.engine import Claim, Given, eq, half_line, le, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, norm
from theorems.engine.rules.vocabulary import opnorm
from theorems.shallow_transformer.hypotheses import (
    BOUNDED_HEADS,
    BOUNDED_SLOPES,
    IN_FEASIBLE_SET,
    INPUTS,
    TWICE_DIFFERENTIABLE,
)
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import claim, d
from theorems.shallow_transformer.letters.token import total
from theorems.shallow_transformer.premises.heads import (
    lengths_in_the_feasible_set,
    short_pooled_token,
    short_query,
    slope_behind_the_activation,
)
from theorems.shallow_transformer.premises.lines.entries_of_gradients import (
    COLUMN,
    MU,
    QUERY,
    ROW,
    A,
    by_an_entry_of_the_read_out,
    by_an_entry_of_w,
)
from theorems.shallow_transformer.premises.lines.step_of_values import step_of_values
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.token_sums import added, linear
from theorems.shallow_transformer.premises.tokens import called
from theorems.shallow_transformer.sampling.head_balls import Point, behind_tanh, of_head
from theorems.shallow_transformer.sampling.heads import HEADS, SampledHead

_NOTE = "proofs_notes/st_smoothness.md#the-gradient"
_SQUARES = of.a_size**2 + its.MU_size**2 * of.q_size**2
_Z_IS_LINEAR = {TWICE_DIFFERENTIABLE: "z is a network of one head with the identity for activation"}

_M, _U = Operator("M"), Vector("U")
_IMAGE = act(_M, _U)

EQ_17 = claim(
    "st.eq17",
    at="Lemma 2, proof; Equation (17)",
    title="The gradient of a head",
    states={"formula": eq(of.z_gradient**2, _SQUARES), "bound": le(of.z_gradient**2, 1 + of.u**2)},
    assuming=INPUTS,
    rests_on=["st.lem1.u", "st.lem1.w", "st.fact3.sharp"],
    discharging=_Z_IS_LINEAR,
    note=_NOTE,
)


@EQ_17.proved("formula")
def blocks_of_the_gradient(given: Given) -> Theorem:
    """∇_U z = a and ∇_W z = MUqᵀ, and the squares of the products of entries add up."""
    return given.follows(_gradient())


@cache
def _gradient() -> Theorem:
    """|∇z|² = |a|² + |MU|²|q|², by the derivatives with respect to all entries."""
    row = Function("row", real=True)(ROW)
    (by_u, of_u), (by_w, of_w) = by_an_entry_of_the_read_out(), by_an_entry_of_w()
    lengths = ONE_HEAD.meaning(
        "lengths by coordinates, and that of the gradient of z by those in U and, by rows, in W",
        eq(of.a_size**2, total(A(ROW) ** 2, ROW, d)),
        eq(its.MU_size, norm(_IMAGE)),
        eq(norm(_IMAGE) ** 2, total(MU(ROW) ** 2, ROW, d)),
        eq(of.q_size**2, total(QUERY(COLUMN) ** 2, COLUMN, d)),
        eq(of.z_gradient**2, total(by_u**2, ROW, d) + total(row, ROW, d)),
        eq(row, total(by_w**2, COLUMN, d)),
    )
    squares = added(ONE_HEAD.follows(of_w, goal=eq(by_w**2, MU(ROW) ** 2 * QUERY(COLUMN) ** 2)), COLUMN, d)
    of_row = eq(row, MU(ROW) ** 2 * of.q_size**2)
    rows = ONE_HEAD.follows(squares, lengths, linear(squares.statement.rhs), goal=of_row)
    first = added(ONE_HEAD.follows(of_u, goal=eq(by_u**2, A(ROW) ** 2)), ROW, d)
    whole = added(rows, ROW, d)
    known = [lengths, first, whole, linear(whole.statement.rhs)]
    return ONE_HEAD.follows(*known, goal=eq(of.z_gradient**2, _SQUARES))


@EQ_17.proved("bound")
def small_mean_or_small_covariance(given: Given) -> Theorem:
    """|a|² + |MU|²|q|² ≤ |a|² + (1 − |a|²)²u² ≤ 1 + u²."""
    return given.follows(_gradient(), short_pooled_token(given), *_turned(given))


def _turned(given: Given) -> list[Theorem]:
    """|MU| ≤ ‖M‖u and |q| ≤ 1."""
    image = ONE_HEAD.meaning(
        "the lengths of U and MU, and the norm of M",
        eq(its.MU_size, norm(_IMAGE)),
        eq(of.u, norm(_U)),
        eq(of.M_norm, opnorm(_M)),
    )
    goal = le(its.MU_size, of.M_norm * of.u)
    return [ONE_HEAD.follows(image, facts.operator_norm(_M, _U), goal=goal), short_query(given)]


@EQ_17.tested("formula", over=HEADS)
def squares_of_heads(head: SampledHead) -> Point:
    """|∇z|² and the squares."""
    return of_head(EQ_17, head)


@EQ_17.tested("bound", over=HEADS)
def gradients_of_heads(head: SampledHead) -> Point:
    """|∇z|² and 1 + u²."""
    return of_head(EQ_17, head)


EQ_17_SHARP = EQ_17.sharpened(
    "st.eq17.sharp",
    title="The largest gradient of a head",
    states={
        "bound": le(of.z_gradient, Max(1, of.u)),
        "two tokens": eq(its.pair_head(of.u, its.entry_w), of.u * tanh(its.entry_w)),
        "attained by two tokens": eq(its.pair_gradient(of.u, 0), of.u),
        "attained by one token": eq(its.lone_gradient(of.u, its.entry_w), 1),
    },
    assuming=INPUTS,
    rests_on=["st.lem1.u", "st.lem1.w", "st.fact3.sharp"],
    discharging=_Z_IS_LINEAR,
    note=_NOTE,
)


@EQ_17_SHARP.proved("bound")
def convex_in_the_squared_mean(given: Given) -> Theorem:
    """|a|² + (1 − |a|²)²u² is convex in |a|²: 1 at |a| = 1, u² at |a| = 0."""
    return given.follows(_gradient(), short_pooled_token(given), *_turned(given))


@EQ_17_SHARP.proved("two tokens")
def difference_of_weights(given: Given) -> Theorem:
    """The weights of the logits w and −w differ by tanh w."""
    head, t = its.pair_head(of.u, its.entry_w), tanh(its.entry_w)
    known = functions.by_exponentials(its.entry_w)
    quotient = eq(head.unfolded(), of.u * t.rewrite(exp))
    return given.concluded(*called(head), rules.decided(quotient), known)


@EQ_17_SHARP.proved("attained by two tokens", "attained by one token")
def both_ends(given: Given) -> Theorem:
    """Tokens 1 and −1 with equal weights, U = u, q = 1; and one token 1."""
    return given.decided()


@EQ_17_SHARP.tested("bound", over=HEADS)
def gradients_over_the_largest(head: SampledHead) -> Point:
    """|∇z| and max(1, u)."""
    return of_head(EQ_17_SHARP, head)


STEEP = (*INPUTS, TWICE_DIFFERENTIABLE, BOUNDED_SLOPES, BOUNDED_HEADS, IN_FEASIBLE_SET)
_L_1 = of.lipschitz_constant(of.sigma_1, of.B)

LIPSCHITZ = claim(
    "st.lem2.lipschitz",
    at="Lemma 2, (a)",
    title="Heads are Lipschitz",
    states={
        "gradient": le(of.h_gradient, _L_1),
        "lipschitz": le(of.h_step, _L_1 * of.theta_step),
        "constant": eq(_L_1, _L_1.unfolded()),
    },
    assuming=STEEP,
    rests_on=[EQ_17],
    note=_NOTE,
)


def _steep(given: Given, of_z: Claim) -> list[Theorem]:
    """|∇h| ≤ σ_1|∇z|, where a claim bounds |∇z| by |U|, which is at most B."""
    behind = [slope_behind_the_activation(given), lengths_in_the_feasible_set(given)]
    return [given.fact(of_z, "bound"), *behind]


@LIPSCHITZ.proved("gradient")
def norm_of_the_gradient(given: Given) -> Theorem:
    """σ_1√(1 + u²) ≤ σ_1√(1 + B²), by st.eq17."""
    return given.follows(*_steep(given, EQ_17), *called(_L_1))


@LIPSCHITZ.proved("lipschitz")
def along_the_segment(given: Given) -> Theorem:
    """The slope is at most σ_1√(1 + B²) at each place of the segment, as |U| ≤ B there."""
    return given.follows(step_of_values(given, EQ_17, sqrt(1 + of.B**2)), *called(_L_1))


@LIPSCHITZ.proved("constant")
def by_definition(given: Given) -> Theorem:
    """The equation defines L_1."""
    return given.decided()


@st.composite
def _scaled(draw: st.DrawFn) -> tuple[SampledHead, float]:
    """Heads, and an activation s tanh."""
    return draw(HEADS()), draw(st.sampled_from([1.0, 0.03125]))


SCALED = _scaled


@LIPSCHITZ.tested("gradient", over=SCALED)
def slopes_of_heads(case: tuple[SampledHead, float]) -> Point:
    """|∇h| for σ = s tanh and the bound at B = u."""
    point = behind_tanh(*case)
    return {x: point[x] for x in (of.h_gradient, of.sigma_1, of.B)}


LIPSCHITZ_SHARP = LIPSCHITZ.sharpened(
    "st.lem2.lipschitz.sharp",
    title="The best Lipschitz constant of heads with |U| ≤ B",
    states={
        "gradient": le(of.h_gradient, of.sigma_1 * of.B),
        "lipschitz": le(of.h_step, of.sigma_1 * of.B * of.theta_step),
        "attained by tanh": eq(its.pair_slope(of.u, 0), of.u),
    },
    given={of.B: half_line(1)},
    assuming=STEEP,
    rests_on=[EQ_17_SHARP],
    note=_NOTE,
)


@LIPSCHITZ_SHARP.proved("gradient")
def one_is_at_most_the_radius(given: Given) -> Theorem:
    """max(1, |U|) ≤ B, since |U| ≤ B and B ≥ 1, as √d is."""
    return given.follows(*_steep(given, EQ_17_SHARP))


@LIPSCHITZ_SHARP.proved("lipschitz")
def along_the_same_segment(given: Given) -> Theorem:
    """The slope is at most σ_1B at each place of the segment, as max(1, |U|) ≤ B there."""
    return given.follows(step_of_values(given, EQ_17_SHARP, of.B))


@LIPSCHITZ_SHARP.proved("attained by tanh")
def slope_of_two_tokens(given: Given) -> Theorem:
    """σ = tanh, tokens 1 and −1, W = 0, q = 1: ∂h/∂W = |U|, which may be B."""
    return given.decided()


@LIPSCHITZ_SHARP.tested("gradient", over=SCALED)
def slopes_over_the_best(case: tuple[SampledHead, float]) -> Point:
    """|∇h| for σ = s tanh and the bound at B = max(1, u)."""
    point = behind_tanh(*case)
    return {of.h_gradient: point[of.h_gradient], of.sigma_1: point[of.sigma_1], of.B: point[of.B].max(1)}
