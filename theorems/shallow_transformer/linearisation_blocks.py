"""Lemma 3, sharpened: the linearisation error block by block, and without the event."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from sympy import Eq, Function, Sum, Symbol, sqrt

from theorems.engine import Given, both, claims_in, eq, ge, half_line, le, rules
from theorems.engine.rules import E, P, Theorem, facts
from theorems.shallow_transformer import head_letters as one
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer import linear_letters as its
from theorems.shallow_transformer import premises
from theorems.shallow_transformer.boundary_steps import STEPS, Step
from theorems.shallow_transformer.curvature import BOUNDED_VARIABLE
from theorems.shallow_transformer.deviations import DEVIATIONS, SOME_WEIGHT
from theorems.shallow_transformer.head_balls import Point
from theorems.shallow_transformer.head_premises import (
    closed_forms,
    drawn_token,
    lengths_in_the_feasible_set,
    named,
    short_pooled_token,
    stands_for,
    what_is_assumed,
)
from theorems.shallow_transformer.hypotheses import (
    BOUNDED_CURVATURES,
    BOUNDED_HEADS,
    BOUNDED_SLOPES,
    BOUNDED_VALUES,
    EVEN_WIDTH,
    IN_FEASIBLE_SET,
    INPUTS,
    PAIRED_HEADS,
    RANDOM_HEADS,
    RANDOM_START,
    TWICE_DIFFERENTIABLE,
    UNIT_SIGNS,
)
from theorems.shallow_transformer.letters import LETTERS, NONNEGATIVE, m
from theorems.shallow_transformer.linearisation import (
    EQ_19,
    FEASIBLE,
    HALVED,
    WIDTHS,
    moves,
    sum_of_heads,
    within,
)
from theorems.shallow_transformer.premises import spoken, stated
from theorems.shallow_transformer.smoothness import EQ_16, SECOND
from theorems.shallow_transformer.token_sums import ranges_of

__all__ = ["AVERAGED", "BLOCKWISE"]

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/st_smoothness.md#the-linearisation-error"
_POSITIVE = half_line(0, closed=False)
_ELL = of.displacement(of.rho_u, of.B * of.rho_w)
_K = of.deviation(2 * of.rho_u * of.rho_w, of.B * of.rho_w**2)
_C = of.sigma_1 * of.rho_c * _ELL + (of.sigma_2 * _ELL**2 + of.sigma_1 * _K) / 2
_L_1 = of.lipschitz_constant(of.sigma_1, of.B)
_L_2 = of.smoothness_constant(of.sigma_1, of.sigma_2, of.B)
_TURN = of.turn(of.rho_u, of.rho_w)
_HALF = _L_1 * of.rho_c * _TURN + _L_2 * _TURN**2 / 2

BLOCKWISE = HALVED.sharpened(
    "st.lem3.sharp",
    title="The linearisation error with the best constants, block by block",
    states={"bound": le(sqrt(m) * of.eps_lin, _C), "below the printed bound": le(_C, _HALF)},
    given={
        **dict.fromkeys((of.eps_lin, *_C.free_symbols, *spoken(*FEASIBLE))),
        **dict.fromkeys((of.rho_u, of.rho_w), _POSITIVE),
        m: WIDTHS,
    },
    assuming=FEASIBLE,
    rests_on=[EQ_19, "st.lem1.da", "st.fact3.sharp", EQ_16, SECOND, DEVIATIONS, "st.lem6.f.sharp"],
    discharging={
        BOUNDED_VARIABLE: "Y is the slope of the logit of a drawn token along the way of W",
        SOME_WEIGHT: "the radii are positive",
        EVEN_WIDTH: "only the closed form of a maximum is used",
        PAIRED_HEADS: "only the closed form of a maximum is used",
        BOUNDED_VALUES: "only the closed form of a maximum is used",
    },
    note=_NOTE,
)
_slope, _bend, _change, _rest = (
    Symbol(name, nonnegative=True) for name in ("slope", "bend", "change of h", "remainder")
)


@cache
def _vertex() -> Theorem:
    """x a + (1 − x²) b is at most its value at the vertex of the parabola, or at x = 1."""
    a, b = (Symbol(name, positive=True) for name in ("step", "spread"))
    largest = of.displacement(a, b)
    bound = le(of.x * a + (1 - of.x**2) * b, largest)
    return rules.follows(bound, closed_forms(largest), over=ranges_of(bound))


def _slopes(given: Given) -> Theorem:
    """√m|Dz| ≤ |a|ρ_u + (1 − |a|²)Bρ_w ≤ ℓ along the way of a head."""
    a, b = (Symbol(name, positive=True) for name in ("step", "spread"))
    length = of.a_size
    at = {a: of.rho_u, b: of.B * of.rho_w, of.x: length}
    over = {**ranges_of(length, of.B), of.rho_u: _POSITIVE, of.rho_w: _POSITIVE}
    largest = rules.instance(_vertex(), at, over=over, under=[le(length, 1)])
    given.require(IN_FEASIBLE_SET)
    parts = stands_for(
        "sqrt(m) times the derivative of z along the way of a head (st.lem1.da)",
        le(_slope, length * of.rho_u + of.M_norm * of.u * of.rho_w),
    )
    far = lengths_in_the_feasible_set(given)
    spread = within(
        le(of.M_norm * of.u * of.rho_w, (1 - length**2) * of.B * of.rho_w),
        given,
        short_pooled_token(given),
        far,
    )
    short = within(le(length, 1), given, short_pooled_token(given))
    return within(le(_slope, _ELL), given, largest, parts, spread, short)


def _bends(given: Given) -> Theorem:
    """m|D²z| ≤ 2ρ_uρ_wE|S| + Bρ_w²E|S² − V| ≤ K."""
    weights = {one.first: 2 * of.rho_u * of.rho_w, one.second: of.B * of.rho_w**2}
    over = {**ranges_of(of.B), of.rho_u: _POSITIVE, of.rho_w: _POSITIVE}
    largest = rules.instance(given.fact(DEVIATIONS, "bound"), weights, over=over)
    parts = stands_for(
        "m times the second derivative of z along the way of a head: the mean of"
        " <2 S delta + (S^2 - V) U, X> (st.lem2.second), and |X| <= 1",
        le(
            _bend,
            2 * of.rho_u * of.rho_w * one.Y_spread + of.u * of.rho_w**2 * one.Y_square,
        ),
    )
    far = lengths_in_the_feasible_set(given)
    longer = within(
        le(of.u * of.rho_w**2 * one.Y_square, of.B * of.rho_w**2 * one.Y_square), given, far
    )
    return within(le(_bend, _K), given, largest, drawn_token(given), parts, longer)


@BLOCKWISE.proved("bound")
def along_the_way(given: Given) -> Theorem:
    """|h − h₀| ≤ σ_1ℓ/√m, and Taylor's remainder is at most half of (σ_2ℓ² + σ_1K)/m."""
    given.require(TWICE_DIFFERENTIABLE)
    slopes, bends = _slopes(given), _bends(given)
    first = what_is_assumed(given, BOUNDED_SLOPES, le(_change, of.sigma_1 * _slope))
    given.require(BOUNDED_CURVATURES)
    taylor = named(
        "Taylor's formula, with the second derivative of st.eq16",
        le(_rest, (of.sigma_2 * _slope**2 + of.sigma_1 * _bend) / 2),
    )
    steep = within(le(of.sigma_2 * _slope**2, of.sigma_2 * _ELL**2), given, slopes, _longest()[2])
    curved = within(le(of.sigma_1 * _bend, of.sigma_1 * _K), given, bends)
    change = within(le(_change, of.sigma_1 * _ELL), given, first, slopes)
    share = le(of.rho_c * _change + _rest, _C)
    heads = sum_of_heads(given, share, change, taylor, steep, curved, *moves(given))
    return given.follows(*heads, goal=stated(BLOCKWISE, "bound"))


def _over() -> dict[Symbol, object]:
    return {**ranges_of(of.B), of.rho_u: _POSITIVE, of.rho_w: _POSITIVE}


@cache
def _longest() -> list[Theorem]:
    """ℓ² ≤ a² + b² and K ≤ A + 2B at the radii, and ℓ ≥ 0."""
    a, b = (Symbol(name, positive=True) for name in ("step", "spread"))
    ell, largest, over = of.displacement(a, b), of.deviation(a, b), ranges_of(a, b)
    found = [
        rules.follows(le(ell, sqrt(a**2 + b**2)), closed_forms(ell), over=over),
        rules.follows(le(largest, a + 2 * b), closed_forms(largest), over=over),
        rules.follows(ge(ell, 0), closed_forms(ell), over=over),
    ]
    steps = {a: of.rho_u, b: of.B * of.rho_w}
    weights = {a: 2 * of.rho_u * of.rho_w, b: of.B * of.rho_w**2}
    at = (steps, weights, steps)
    return [rules.instance(fact, one_, over=_over()) for fact, one_ in zip(found, at, strict=True)]


@BLOCKWISE.proved("below the printed bound")
def cauchy_schwarz(given: Given) -> Theorem:
    """ℓ ≤ r√(1 + B²), and K ≤ 2ρ_uρ_w + 2Bρ_w² ≤ 8√(1 + B²)r²: both terms are smaller."""
    ell, largest, sign = _longest()
    long, square = sqrt(1 + of.B**2), of.rho_u**2 + of.rho_w**2
    turn = rules.follows(
        both(eq(_TURN**2, square), ge(_TURN, 0)), closed_forms(_TURN), over=_over()
    )
    steep = rules.follows(le(_ELL, long * _TURN), [ell, turn], over=_over())
    curved = rules.follows(le(_K, 8 * long * _TURN**2), [largest, turn], over=_over())
    terms = [
        le(of.sigma_1 * of.rho_c * _ELL, _L_1 * of.rho_c * _TURN),
        le(of.sigma_2 * _ELL**2, of.sigma_2 * (1 + of.B**2) * _TURN**2),
        le(of.sigma_1 * _K, 8 * of.sigma_1 * long * _TURN**2),
    ]
    forms = closed_forms(_L_1, _L_2)
    known = [given.follows(steep, curved, sign, turn, forms[0], goal=term) for term in terms]
    return given.follows(*known, forms[1], goal=stated(BLOCKWISE, "below the printed bound"))


@st.composite
def _moving(draw: st.DrawFn) -> Step:
    """Points where both U and W move."""
    return draw(STEPS().filter(lambda step: min(step.rho[1:]) > 0))


@BLOCKWISE.tested("bound", over=_moving, cases=300)
def steps_over_sharp(step: Step) -> Point:
    """√m sup_j|f − f_lin| and the constant, for σ = s tanh."""
    return step.point()


_FREE = (*INPUTS, TWICE_DIFFERENTIABLE, BOUNDED_SLOPES, BOUNDED_CURVATURES, IN_FEASIBLE_SET)
_START = (*RANDOM_START, *_FREE)
_SHIFT = of.rho_u / sqrt(m)
_LENGTH = sqrt(of.d) + _SHIFT
_WAY = of.rho_u + _LENGTH * of.rho_w
_THIRD = 2 / (3 * sqrt(3))
_MEAN = (
    of.sigma_1 * of.rho_c * _WAY
    + of.sigma_2 * _WAY**2 / 2
    + of.sigma_1 * of.rho_w * (of.rho_u + _THIRD * _LENGTH * of.rho_w)
)

AVERAGED = BLOCKWISE.sharpened(
    "st.lem3.averaged",
    title="The linearisation error without the event: no logarithm of the width",
    states={
        "every initialisation": le(sqrt(m) * of.eps_lin, its.blockwise_average),
        "mean": le(its.blockwise_mean, _MEAN),
    },
    given={
        **dict.fromkeys((of.eps_lin, its.blockwise_average, its.blockwise_mean)),
        **dict.fromkeys((*_MEAN.free_symbols, *spoken(*_START))),
        **dict.fromkeys((of.rho_u, of.rho_w), _POSITIVE),
        m: WIDTHS,
    },
    assuming=_START,
    rests_on=[BLOCKWISE],
    discharging={BOUNDED_HEADS: "each head has a bound B_i of its own"},
    note=_NOTE,
)


@AVERAGED.argued(
    "every initialisation",
    bridge="The proof of st.lem3.sharp bounds m times the share of a head by C(B_i), for its own"
    " B_i; the event only replaced B_i by the largest.",
    uses=[IN_FEASIBLE_SET, *INPUTS, UNIT_SIGNS],
    over={of.rho_u: _POSITIVE, of.rho_w: _POSITIVE},
)
def each_head_has_its_own_radius(given: Given) -> Theorem:
    """The shares of the heads add up to √m|f − f_lin| at most."""
    share, constant = (Function(name, nonnegative=True) for name in ("share", "constant"))
    i = of.i
    each = stands_for("the share of a head, as in st.lem3.sharp", le(m * share(i), constant(i)))
    sums = premises.added(each, i, m)
    whole = stands_for(
        "the largest error over inputs, and the mean of the constants",
        le(sqrt(m) * of.eps_lin, Sum(share(i), (i, 1, m))),
        eq(m * its.blockwise_average, Sum(constant(i), (i, 1, m))),
    )
    return given.follows(sums, premises.linear(sums.statement.lhs), whole)


@cache
def _below_a_line() -> list[Theorem]:
    """ℓ ≤ a + b and K(A, B) ≤ A + 4B/(3√3), as x ≤ 1 and 2x(1 − x²) ≤ 4/(3√3)."""
    a, b = (Symbol(name, positive=True) for name in ("step", "spread"))
    ell, largest, over = of.displacement(a, b), of.deviation(a, b), ranges_of(a, b)
    return [
        rules.follows(le(ell, a + b), closed_forms(ell), over=over),
        rules.follows(le(largest, a + 2 * _THIRD * b), closed_forms(largest), over=over),
    ]


@AVERAGED.proved("mean")
def moments_of_the_radius(given: Given) -> Theorem:
    """C(B) is at most a quadratic in B with coefficients ≥ 0, and E B ≤ b, E B² ≤ b²."""
    y, X, constant = Symbol("atom", real=True), its.start_length, Function("constant", real=True)
    a, b = (Symbol(name, positive=True) for name in ("step", "spread"))
    t = Symbol("rho_u over the root of m", positive=True)
    B, over = y + t, {**_over(), **ranges_of(of.sigma_1, of.sigma_2, of.rho_c, t), y: NONNEGATIVE}
    ell, largest = (
        of.displacement(of.rho_u, B * of.rho_w),
        of.deviation(2 * of.rho_u * of.rho_w, B * of.rho_w**2),
    )
    steps = {a: of.rho_u, b: B * of.rho_w}
    weights = {a: 2 * of.rho_u * of.rho_w, b: B * of.rho_w**2}
    lines = zip(_below_a_line(), (steps, weights), strict=True)
    known = [rules.instance(fact, at, over=over) for fact, at in lines]
    meaning = rules.meaning(
        "the constant of a head",
        eq(
            constant(y),
            of.sigma_1 * of.rho_c * ell + (of.sigma_2 * ell**2 + of.sigma_1 * largest) / 2,
        ),
        over=over,
    )
    way = of.rho_u + B * of.rho_w
    quadratic = of.sigma_1 * of.rho_c * way + of.sigma_2 * way**2 / 2
    quadratic += of.sigma_1 * of.rho_w * (of.rho_u + _THIRD * B * of.rho_w)
    sign = rules.instance(_longest_sign(), steps, over=over)
    square = rules.follows(le(ell**2, way**2), [known[0], sign], over=over)
    each = rules.follows(le(constant(y), quadratic), [meaning, *known, square], over=over)
    averaged = facts.expected(each, y, X)
    moments = given.supposed(
        RANDOM_HEADS, le(E(X), sqrt(of.d)), eq(E(X**2), of.d), Eq(P(X >= 0), 1), ge(E(X), 0)
    )
    mean = given.meaning("the mean", eq(its.blockwise_mean, E(constant(X))), eq(t, _SHIFT))
    return given.follows(averaged, moments, mean, goal=stated(AVERAGED, "mean"))


@cache
def _longest_sign() -> Theorem:
    a, b = (Symbol(name, positive=True) for name in ("step", "spread"))
    ell = of.displacement(a, b)
    return rules.follows(ge(ell, 0), closed_forms(ell), over=ranges_of(a, b))


@AVERAGED.tested("every initialisation", over=_moving, cases=150)
def steps_over_the_average(step: Step) -> Point:
    """√m sup_j|f − f_lin| and the mean of C(B_i), for σ = s tanh."""
    return step.average()
