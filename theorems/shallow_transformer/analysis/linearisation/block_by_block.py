"""Lemma 3, sharpened: the linearisation error block by block, and without the event."""

from sympy import Abs, Function, Symbol, sqrt

from theorems.classical.normal_means import mean_square_of_length
from theorems.engine import Given, both, eq, ge, le, rules
from theorems.engine.rules import E, Theorem, Vector, facts, norm, principles
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.linearisation import terms as heads
from theorems.shallow_transformer.analysis.linearisation.error_bound import FEASIBLE, HALF, HALVED
from theorems.shallow_transformer.analysis.linearisation.linear_model import EQ_19, WIDTHS
from theorems.shallow_transformer.analysis.linearisation.on_the_way import BEND, longest, radii, second_order
from theorems.shallow_transformer.analysis.linearisation.remainder import REMAINDER
from theorems.shallow_transformer.analysis.linearisation.sampled import Step, steps
from theorems.shallow_transformer.analysis.one_head.deviations import DEVIATIONS, SOME_WEIGHT
from theorems.shallow_transformer.analysis.one_head.four_numbers import BOUNDED_VARIABLE
from theorems.shallow_transformer.analysis.one_head.hessian_blocks import EQ_16, SECOND
from theorems.shallow_transformer.letters import linear as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import NONNEGATIVE, i, m
from theorems.shallow_transformer.premises.lines.way_of_a_head import START_LENGTH, first_order
from theorems.shallow_transformer.premises.lines.way_of_a_head import STEP as STEP_OF_A_HEAD
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.networks import family, sizes
from theorems.shallow_transformer.premises.parabolas import SPREAD, STEP, below_a_line
from theorems.shallow_transformer.premises.tokens import called
from theorems.shallow_transformer.sampling.head_balls import Point

_NOTE = "proofs_notes/st_smoothness.md#the-linearisation-error"
_C = of.sigma_1 * of.rho_c * of.DISPLACEMENT + (of.sigma_2 * of.DISPLACEMENT**2 + of.sigma_1 * BEND) / 2

BLOCKWISE = HALVED.sharpened(
    "st.lem3.sharp",
    title="The linearisation error with the best constants, block by block",
    states={"bound": le(sqrt(m) * of.eps_lin, _C), "below the printed bound": le(_C, HALF)},
    given={**dict.fromkeys((of.rho_u, of.rho_w), of.POSITIVE), m: WIDTHS},
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


@BLOCKWISE.proved("bound")
def along_the_way(given: Given) -> Theorem:
    """|h − h₀| ≤ σ_1ℓ/√m, and Taylor's remainder is at most half of (σ_2ℓ² + σ_1K)/m."""
    change, rest = (one.at({START_LENGTH: of.U_max}) for one in (first_order(given), second_order(given)))
    return given.concluded(*heads.sum_of_heads(given, change, rest))


@BLOCKWISE.proved("below the printed bound")
def cauchy_schwarz(given: Given) -> Theorem:
    """ℓ ≤ r√(1 + B²), and K ≤ 2ρ_uρ_w + 2Bρ_w² ≤ 8√(1 + B²)r²: both terms are smaller."""
    ell, largest, sign = longest()
    long, square = sqrt(1 + of.B**2), of.rho_u**2 + of.rho_w**2
    turn = rules.follows(
        both(eq(of.THETA_RADIUS**2, square), ge(of.THETA_RADIUS, 0)), called(of.THETA_RADIUS), over=radii()
    )
    steep = rules.follows(le(of.DISPLACEMENT, long * of.THETA_RADIUS), [ell, turn])
    curved = rules.follows(le(BEND, 8 * long * of.THETA_RADIUS**2), [largest, turn])
    terms = [
        le(of.sigma_1 * of.rho_c * of.DISPLACEMENT, of.LIPSCHITZ * of.rho_c * of.THETA_RADIUS),
        le(of.sigma_2 * of.DISPLACEMENT**2, of.sigma_2 * (1 + of.B**2) * of.THETA_RADIUS**2),
        le(of.sigma_1 * BEND, 8 * of.sigma_1 * long * of.THETA_RADIUS**2),
    ]
    forms = called(of.LIPSCHITZ, of.SMOOTHNESS)
    known = [given.follows(steep, curved, sign, turn, forms[0], goal=term) for term in terms]
    return given.concluded(*known, forms[1])


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
    given={**dict.fromkeys((of.rho_u, of.rho_w), of.POSITIVE), m: WIDTHS},
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
    own, over = {START_LENGTH: length(i), of.B: radius}, {**radii(), **as_declared(i), m: WIDTHS}
    change, rest = (
        theorem.at({**own, letter: Abs(value)}, over=over)
        for theorem, letter, value in (
            (first_order(given), STEP_OF_A_HEAD, heads.now - heads.start),
            (second_order(given), heads.REST, heads.remainder),
        )
    )
    bounds = ONE_HEAD.meaning(
        "the constant C(B_i) of a head",
        eq(first, change.statement.rhs),
        eq(second, rest.statement.rhs),
        eq(constant(i), of.rho_c * first + second),
    )
    step = heads.within(le(sqrt(m) * Abs(heads.now - heads.start), first), given, change, bounds)
    left = heads.within(le(m * Abs(heads.remainder), second), given, rest, bounds)
    whole = heads.sum_of_terms(given, constant(i), bounds, step, left)
    average = ONE_HEAD.meaning(
        "the mean of the constants", eq(m * its.blockwise_average, whole.statement.rhs)
    )
    return given.follows(heads.largest_error(given, whole, its.blockwise_average, average))


_U = Vector("U")


@AVERAGED.proved("mean")
def moments_of_the_radius(given: Given) -> Theorem:
    """C(B) is at most a quadratic in B with coefficients ≥ 0, and E B ≤ b, E B² ≤ b²."""
    y, X, constant = Symbol("atom", real=True), its.start_length, Function("constant", real=True)
    t = Symbol("rho_u over the root of m", positive=True)
    B, over = y + t, {**radii(), **as_declared(of.sigma_1, of.sigma_2, of.rho_c, t), y: NONNEGATIVE}
    ell, largest = (
        of.displacement(of.rho_u, B * of.rho_w),
        of.deviation(2 * of.rho_u * of.rho_w, B * of.rho_w**2),
    )
    steps = {STEP: of.rho_u, SPREAD: B * of.rho_w}
    weights = {STEP: 2 * of.rho_u * of.rho_w, SPREAD: B * of.rho_w**2}
    lines = zip(below_a_line(), (steps, weights, steps), strict=True)
    known = [fact.at(at, over=over) for fact, at in lines]
    meaning = given.meaning(
        "the constant of a head",
        eq(constant(y), of.sigma_1 * of.rho_c * ell + (of.sigma_2 * ell**2 + of.sigma_1 * largest) / 2),
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
        mean_square_of_length(given.meaning, X, of.d),
        principles.drawn(rules.follows(ge(norm(_U), 0)), {norm(_U): X}, _U),
        facts.expectation_of_square(X),
        principles.expected(rules.follows(ge(y, 0), over={y: NONNEGATIVE}), y, X),
    ]
    mean = given.meaning("the mean", eq(its.blockwise_mean, E(constant(X))), eq(t, _SHIFT))
    return given.concluded(averaged, *moments, mean)


@AVERAGED.tested("every initialisation", over=steps(moving=True), cases=150)
def steps_over_the_average(step: Step) -> Point:
    """√m sup_j|f − f_lin| and the mean of C(B_i), for σ = s tanh."""
    return step.average()
