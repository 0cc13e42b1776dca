"""Lemma 3, sharpened: the linearisation error block by block, and without the event."""

from functools import cache

from sympy import Abs, Function, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theorems.classical.normal_means import mean_square_of_length
from theorems.engine import Given, both, eq, ge, le, rules
from theorems.engine.rules import (
    E,
    Operator,
    Theorem,
    Vector,
    act,
    facts,
    inner,
    norm,
    principles,
)
from theorems.engine.rules.vocabulary import opnorm
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.linearisation import terms as heads
from theorems.shallow_transformer.analysis.linearisation.error_bound import FEASIBLE, HALF, HALVED
from theorems.shallow_transformer.analysis.linearisation.linear_model import EQ_19, WIDTHS
from theorems.shallow_transformer.analysis.linearisation.remainder import REMAINDER
from theorems.shallow_transformer.analysis.linearisation.sampled import Step, steps
from theorems.shallow_transformer.analysis.one_head.deviations import DEVIATIONS, SOME_WEIGHT
from theorems.shallow_transformer.analysis.one_head.four_numbers import BOUNDED_VARIABLE
from theorems.shallow_transformer.analysis.one_head.hessian_blocks import EQ_16, SECOND
from theorems.shallow_transformer.letters import head as one
from theorems.shallow_transformer.letters import linear as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import NONNEGATIVE, i, m
from theorems.shallow_transformer.letters.pooled import pooled
from theorems.shallow_transformer.premises.heads import (
    bounded_form,
    drawn_token,
    lengths_in_the_feasible_set,
    short_pooled_token,
    short_query,
)
from theorems.shallow_transformer.premises.lines.directions import along_a_direction
from theorems.shallow_transformer.premises.named import as_declared
from theorems.shallow_transformer.premises.networks import family, shown, sizes, spoken
from theorems.shallow_transformer.premises.parabolas import (
    SPREAD,
    STEP,
    below_a_line,
    largest_displacement,
)
from theorems.shallow_transformer.premises.tokens import (
    below_frobenius,
    called,
    inferred,
    near_the_start,
    stands_for,
    what_is_assumed,
)
from theorems.shallow_transformer.sampling.head_balls import Point

_NOTE = "proofs_notes/st_smoothness.md#the-linearisation-error"
_K = of.deviation(2 * of.rho_u * of.rho_w, of.B * of.rho_w**2)
_C = (
    of.sigma_1 * of.rho_c * of.DISPLACEMENT
    + (of.sigma_2 * of.DISPLACEMENT**2 + of.sigma_1 * _K) / 2
)

BLOCKWISE = HALVED.sharpened(
    "st.lem3.sharp",
    title="The linearisation error with the best constants, block by block",
    states={"bound": le(sqrt(m) * of.eps_lin, _C), "below the printed bound": le(_C, HALF)},
    given={
        **dict.fromkeys((of.eps_lin, *spoken(_C, *FEASIBLE))),
        **dict.fromkeys((of.rho_u, of.rho_w), of.POSITIVE),
        m: WIDTHS,
    },
    assuming=FEASIBLE,
    rests_on=[
        *(EQ_19, REMAINDER, "st.lem1.da", "st.fact3.sharp"),
        *(EQ_16, SECOND, DEVIATIONS, "st.lem6.f.sharp"),
    ],
    discharging={
        BOUNDED_VARIABLE: "Y is the slope of the logit of a drawn token along the way of W",
        SOME_WEIGHT: "the radii are positive",
        hyp.EVEN_WIDTH: "only the closed form of a maximum is used",
        hyp.PAIRED_HEADS: "only the closed form of a maximum is used",
        hyp.BOUNDED_VALUES: "only the closed form of a maximum is used",
    },
    note=_NOTE,
)
#: What bounds the length of the read-out vector of the head at the start.
_START_LENGTH = Symbol("longest start", nonnegative=True)
_LENGTHS = le(_START_LENGTH + of.rho_u / sqrt(m), of.B)
#: |Dz| along √m times the way of a head, at a place between both ends; the lengths of that way.
_slope, _u_way, _w_way = (
    Symbol(name, nonnegative=True) for name in ("slope", "length of delta", "length of Delta")
)


def _of_a_head(goal: Boolean, *known: Theorem) -> Theorem:
    """A relation about any head, with a bound B of its read-out vector in the feasible set."""
    bounded = _LENGTHS
    over = {**as_declared(goal, bounded), of.rho_u: of.POSITIVE, of.rho_w: of.POSITIVE, m: WIDTHS}
    return rules.follows(goal, known, over=over, under=[bounded])


def _ways(given: Given) -> Theorem:
    """√m|δU| ≤ ρ_u and √m‖δW‖ ≤ ρ_w."""
    return near_the_start(given, le(_u_way, of.rho_u), le(_w_way, of.rho_w))


def _two_parts(given: Given) -> Theorem:
    """|⟨δ, a⟩ + ⟨U, MΔq⟩| ≤ |a|ρ_u + ‖M‖uρ_w."""
    delta, U, M = Vector("delta"), Vector("U"), Operator("M")
    Delta, query = Operator("Delta"), Vector("q")
    image, ways = act(Delta, query), _ways(given)
    meaning = stands_for(
        "the derivative of z along the way of a head, times sqrt(m) (st.lem1.da)",
        eq(_slope, Abs(inner(delta, pooled) + inner(U, act(M, image)))),
        *(eq(_u_way, norm(delta)), eq(of.a_size, norm(pooled)), eq(of.u, norm(U))),
        *(eq(of.M_norm, opnorm(M)), eq(of.q_size, norm(query))),
    )
    frobenius = below_frobenius(Delta, _w_way)
    turned = [meaning, frobenius, facts.operator_norm(Delta, query), short_query(given)]
    short = _of_a_head(le(norm(image), _w_way), *turned)
    schwarz = facts.cauchy_schwarz(delta, pooled)
    steps = [
        _of_a_head(le(Abs(inner(delta, pooled)), of.a_size * of.rho_u), schwarz, meaning, ways),
        _of_a_head(
            le(Abs(inner(U, act(M, image))), of.M_norm * of.u * of.rho_w),
            *(bounded_form(U, M, image), meaning, short, ways),
        ),
    ]
    goal = le(_slope, of.a_size * of.rho_u + of.M_norm * of.u * of.rho_w)
    return _of_a_head(goal, meaning, *steps)


def _slopes(given: Given) -> Theorem:
    """√m|Dz| ≤ |a|ρ_u + (1 − |a|²)Bρ_w ≤ ℓ along the way of a head."""
    length = of.a_size
    largest = largest_displacement(of.rho_u, of.B * of.rho_w, length)
    parts = _two_parts(given)
    far = lengths_in_the_feasible_set(given, _START_LENGTH)
    spread = _of_a_head(
        le(of.M_norm * of.u * of.rho_w, (1 - length**2) * of.B * of.rho_w),
        short_pooled_token(given),
        far,
    )
    short = _of_a_head(le(length, 1), short_pooled_token(given))
    return _of_a_head(le(_slope, of.DISPLACEMENT), largest, parts, spread, short)


def _bends(given: Given) -> Theorem:
    """|D²z| ≤ 2ρ_uρ_wE|S| + Bρ_w²E|S² − V| ≤ K along √m times the way."""
    weights = {one.first: 2 * of.rho_u * of.rho_w, one.second: of.B * of.rho_w**2}
    over = {**as_declared(of.B), of.rho_u: of.POSITIVE, of.rho_w: of.POSITIVE}
    largest = rules.instance(given.fact(DEVIATIONS, "bound"), weights, over=over)
    bent, ways = along_a_direction(given, _u_way, _w_way), _ways(given)
    mixed = le(_u_way * _w_way * one.Y_spread, of.rho_u * of.rho_w * one.Y_spread)
    alone = le(of.u * _w_way**2 * one.Y_square, of.u * of.rho_w**2 * one.Y_square)
    parts = [_of_a_head(goal, ways) for goal in (mixed, alone)]
    far = lengths_in_the_feasible_set(given, _START_LENGTH)
    longer = _of_a_head(
        le(of.u * of.rho_w**2 * one.Y_square, of.B * of.rho_w**2 * one.Y_square), far
    )
    known = [largest, drawn_token(given), bent, *parts, longer]
    return _of_a_head(le(Abs(one.z_second), _K), *known)


@BLOCKWISE.proved("bound")
def along_the_way(given: Given) -> Theorem:
    """|h − h₀| ≤ σ_1ℓ/√m, and Taylor's remainder is at most half of (σ_2ℓ² + σ_1K)/m."""
    change, rest = (
        rules.instance(one, {_START_LENGTH: of.U_max}, over=as_declared(of.U_max))
        for one in (_first_order(given), _second_order(given))
    )
    return shown(given, *heads.sum_of_heads(given, change, rest))


def _first_order(given: Given) -> Theorem:
    """√m|h − h₀| is |σ′(z)Dz| somewhere between both ends."""
    given.require(hyp.TWICE_DIFFERENTIABLE)
    slope = Symbol("slope of the activation", real=True)
    along = Symbol("slope at that place", nonnegative=True)
    step = eq(sqrt(m) * heads.STEP, Abs(slope) * along)
    value = stands_for("the step of a head, by the mean value theorem", step)
    first = what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(slope), of.sigma_1))
    slopes = rules.instance(_slopes(given), {_slope: along}, over=as_declared(along))
    return _of_a_head(le(sqrt(m) * heads.STEP, of.sigma_1 * of.DISPLACEMENT), value, first, slopes)


def _second_order(given: Given) -> Theorem:
    """m|h − h₀ − ⟨∇h₀, δθ⟩| is |σ″(z)(Dz)² + σ′(z)D²z|/2 somewhere between both ends."""
    given.require(hyp.TWICE_DIFFERENTIABLE)
    taylor = given.fact(REMAINDER, "along the way")
    along = Symbol("slope at that place", nonnegative=True)
    there = stands_for(
        "the derivatives of z at that place",
        *(eq(Abs(one.z_first), along), eq(one.z_bent, one.z_second)),
    )
    bounds = [
        what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(one.sigma_first), of.sigma_1)),
        what_is_assumed(given, hyp.BOUNDED_CURVATURES, le(Abs(one.sigma_second), of.sigma_2)),
    ]
    slopes = rules.instance(_slopes(given), {_slope: along}, over=as_declared(along))
    sign = _longest()[2]
    square = _of_a_head(le(one.z_first**2, of.DISPLACEMENT**2), slopes, sign, there)
    steep = le(Abs(one.sigma_second * one.z_first**2), of.sigma_2 * of.DISPLACEMENT**2)
    curved = le(Abs(one.sigma_first * one.z_bent), of.sigma_1 * _K)
    terms = [
        _of_a_head(steep, square, bounds[1]),
        _of_a_head(curved, _bends(given), there, bounds[0]),
    ]
    goal = le(m * heads.REST, (of.sigma_2 * of.DISPLACEMENT**2 + of.sigma_1 * _K) / 2)
    return _of_a_head(goal, taylor, given.fact(EQ_16, "formula"), *terms)


def _over() -> dict[Symbol, object]:
    return {**as_declared(of.B), of.rho_u: of.POSITIVE, of.rho_w: of.POSITIVE}


@cache
def _longest() -> list[Theorem]:
    """ℓ² ≤ a² + b² and K ≤ A + 2B at the radii, and ℓ ≥ 0."""
    a, b = STEP, SPREAD
    ell, largest = of.displacement(a, b), of.deviation(a, b)
    found = [
        inferred(le(ell, sqrt(a**2 + b**2)), *called(ell)),
        inferred(le(largest, a + 2 * b), *called(largest)),
        inferred(ge(ell, 0), *called(ell)),
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
        both(eq(of.THETA_RADIUS**2, square), ge(of.THETA_RADIUS, 0)),
        called(of.THETA_RADIUS),
        over=_over(),
    )
    steep = rules.follows(le(of.DISPLACEMENT, long * of.THETA_RADIUS), [ell, turn], over=_over())
    curved = rules.follows(le(_K, 8 * long * of.THETA_RADIUS**2), [largest, turn], over=_over())
    terms = [
        le(of.sigma_1 * of.rho_c * of.DISPLACEMENT, of.LIPSCHITZ * of.rho_c * of.THETA_RADIUS),
        le(of.sigma_2 * of.DISPLACEMENT**2, of.sigma_2 * (1 + of.B**2) * of.THETA_RADIUS**2),
        le(of.sigma_1 * _K, 8 * of.sigma_1 * long * of.THETA_RADIUS**2),
    ]
    forms = called(of.LIPSCHITZ, of.SMOOTHNESS)
    known = [given.follows(steep, curved, sign, turn, forms[0], goal=term) for term in terms]
    return shown(given, *known, forms[1])


@BLOCKWISE.tested("bound", over=steps(moving=True), cases=300)
def steps_over_sharp(step: Step) -> Point:
    """√m sup_j|f − f_lin| and the constant, for σ = s tanh."""
    return step.point()


_FREE = (
    *hyp.INPUTS,
    hyp.TWICE_DIFFERENTIABLE,
    hyp.BOUNDED_SLOPES,
    hyp.BOUNDED_CURVATURES,
    hyp.IN_FEASIBLE_SET,
)
_START = (*hyp.RANDOM_START, *_FREE)
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
    title="The linearisation error without the event, by a mean over heads free of log m",
    states={
        "every initialisation": le(sqrt(m) * of.eps_lin, its.blockwise_average),
        "mean": le(its.blockwise_mean, _MEAN),
    },
    given={
        **dict.fromkeys((of.eps_lin, its.blockwise_average, its.blockwise_mean)),
        **dict.fromkeys(spoken(_MEAN, *_START)),
        **dict.fromkeys((of.rho_u, of.rho_w), of.POSITIVE),
        m: WIDTHS,
    },
    assuming=_START,
    rests_on=[BLOCKWISE, EQ_19, REMAINDER, "st.fact3.sharp", EQ_16, SECOND, DEVIATIONS],
    discharging={
        hyp.BOUNDED_HEADS: "each head has a bound B_i of its own",
        BOUNDED_VARIABLE: "Y is the slope of the logit of a drawn token along the way of W",
        SOME_WEIGHT: "the radii are positive",
    },
    note=_NOTE,
)


@AVERAGED.proved("every initialisation")
def each_head_has_its_own_radius(given: Given) -> Theorem:
    """The proof of st.lem3.sharp for each head with its own B_i = |U_i⁽⁰⁾| + ρ_u/√m."""
    length, constant = sizes("length at the start"), family("constant")
    first, second = (family(f"bound of the {name}")(i) for name in ("step", "rest"))
    radius = length(i) + of.rho_u / sqrt(m)
    own, over = {_START_LENGTH: length(i), of.B: radius}, {**_over(), **as_declared(i), m: WIDTHS}
    change, rest = (
        rules.instance(theorem, {**own, letter: Abs(value)}, over=over)
        for theorem, letter, value in (
            (_first_order(given), heads.STEP, heads.now - heads.start),
            (_second_order(given), heads.REST, heads.remainder),
        )
    )
    bounds = stands_for(
        "the constant C(B_i) of a head",
        eq(first, change.statement.rhs),
        eq(second, rest.statement.rhs),
        eq(constant(i), of.rho_c * first + second),
    )
    step = heads.within(le(sqrt(m) * Abs(heads.now - heads.start), first), given, change, bounds)
    left = heads.within(le(m * Abs(heads.remainder), second), given, rest, bounds)
    whole = heads.sum_of_terms(given, constant(i), bounds, step, left)
    average = stands_for(
        "the mean of the constants", eq(m * its.blockwise_average, whole.statement.rhs)
    )
    return given.follows(heads.largest_error(given, whole, its.blockwise_average, average))


_U = Vector("U")


@AVERAGED.proved("mean")
def moments_of_the_radius(given: Given) -> Theorem:
    """C(B) is at most a quadratic in B with coefficients ≥ 0, and E B ≤ b, E B² ≤ b²."""
    y, X, constant = Symbol("atom", real=True), its.start_length, Function("constant", real=True)
    t = Symbol("rho_u over the root of m", positive=True)
    B, over = y + t, {**_over(), **as_declared(of.sigma_1, of.sigma_2, of.rho_c, t), y: NONNEGATIVE}
    ell, largest = (
        of.displacement(of.rho_u, B * of.rho_w),
        of.deviation(2 * of.rho_u * of.rho_w, B * of.rho_w**2),
    )
    steps = {STEP: of.rho_u, SPREAD: B * of.rho_w}
    weights = {STEP: 2 * of.rho_u * of.rho_w, SPREAD: B * of.rho_w**2}
    lines = zip(below_a_line(), (steps, weights, steps), strict=True)
    known = [rules.instance(fact, at, over=over) for fact, at in lines]
    meaning = given.meaning(
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
    square = rules.follows(le(ell**2, way**2), [known[0], known[2]], over=over)
    each = rules.follows(le(constant(y), quadratic), [meaning, *known, square], over=over)
    averaged = principles.expected(each, y, X)
    given.require(hyp.RANDOM_HEADS)
    moments = [
        mean_square_of_length(given.meaning, X, of.d, {of.d: given.domain[of.d]}),
        principles.drawn(
            rules.follows(ge(norm(_U), 0), over={_U: _U.belongs_to}), {norm(_U): X}, _U
        ),
        facts.expectation_of_square(X),
        principles.expected(rules.follows(ge(y, 0), over={y: NONNEGATIVE}), y, X),
    ]
    mean = given.meaning("the mean", eq(its.blockwise_mean, E(constant(X))), eq(t, _SHIFT))
    return shown(given, averaged, *moments, mean)


@AVERAGED.tested("every initialisation", over=steps(moving=True), cases=150)
def steps_over_the_average(step: Step) -> Point:
    """√m sup_j|f − f_lin| and the mean of C(B_i), for σ = s tanh."""
    return step.average()
