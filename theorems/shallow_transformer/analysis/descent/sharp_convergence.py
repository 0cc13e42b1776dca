"""The sharpened Theorem 1: for short steps, for the paper's, and for every one below 1/A²."""

from functools import cache

from sympy import Rational, Sum, Symbol, sqrt, symbols

from theorems.engine import Given, Provenance, gt, le
from theorems.engine.rules import Theorem
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.descent.convergence import SHAPE
from theorems.shallow_transformer.analysis.descent.drift import OF_THE_LABELS, SHARP_36, SHARP_39
from theorems.shallow_transformer.analysis.descent.feature_error import BLOCKS
from theorems.shallow_transformer.analysis.descent.gradient_sizes import SQUARES
from theorems.shallow_transformer.analysis.descent.least_and_average_loss import (
    START,
    least_loss,
    mean_of_roots,
)
from theorems.shallow_transformer.analysis.descent.one_step import EQ_21
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import A, E, claim, eta, m, s, tau
from theorems.shallow_transformer.letters.run import B_LIN
from theorems.shallow_transformer.premises.descent import (
    DISTANCE_AT,
    LOSS_AT,
    OF_THE_ITERATES,
    inside,
    largest_error,
    sharp_drift,
    sums_over_the_steps,
    telescoped,
)
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import between, letters, positive, stated
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import FLAT_RUNS, LONG_RUNS, SHORTER_RUNS, Descent, at_worst

_NOTE = "proofs_notes/st_descent.md"
_STEPS = [EQ_21, SHARP_36, SHARP_39, START]
_RUN = (*hyp.WITHIN_REACH, hyp.PROJECTED_DESCENT, hyp.TWICE_DIFFERENTIABLE, *hyp.BOUNDED_SIZES)
_CONSTANT = (*_RUN, hyp.CONSTANT_STEP)

SHARP = SHAPE.sharpened(
    "st.thm1.sharp",
    title="Projected gradient descent converges like 1/τ, to an error of order 1/m",
    states=[le(of.loss_min, of.loss_mean), le(of.loss_mean, 4 * A**2 * of.NU_NORM**2 / tau + 2 * E**2)],
    given=letters(of.loss_min, of.loss_mean, A, E, tau, *of.NU, under=_CONSTANT),
    assuming=_CONSTANT,
    rests_on=_STEPS,
    note=f"{_NOTE}#a-better-drift",
)


def drift(given: Given) -> Theorem:
    """V' − V ≤ −4ηL + 4η√L E + 4η²A²L at each step."""
    facts = (given.fact(EQ_21), given.fact(SHARP_36, "bound"), given.fact(SHARP_39, "bound"))
    return sharp_drift(given, *facts)


def completed(given: Given, each: Theorem) -> Theorem:
    """What is left of the drift is a square less: V' − V ≤ −2η(1 − 2ηA²)L + 2ηE²."""
    growth = DISTANCE_AT(s + 1) - DISTANCE_AT(s)
    goal = le(growth, -2 * eta * (1 - 2 * eta * A**2) * LOSS_AT(s) + 2 * eta * E**2)
    return between(given, goal, each)


@SHARP.proved()
def complete_the_square(given: Given) -> Theorem:
    """−4ηL + 4η√L E + 4η²A²L is −ηL + 2ηE² less 2η(√L − E)² at η = 1/(4A²); then telescope."""
    each = completed(given, drift(given))
    return given.concluded(*telescoped(each), least_loss(), given.fact(START))


@SHARP.tested(over=LONG_RUNS, cases=30)
def losses_with_the_longer_step(run: Descent) -> Point:
    """The losses and the bound, with A of the step size and E measured along the run."""
    return at_worst(SHARP, [run.whole])


_SIZES = (
    *hyp.ACTIVATION,
    *hyp.INPUTS,
    hyp.BOUNDED_HEADS,
    hyp.CLOSE_LABELS,
    hyp.UNIT_SIGNS,
    hyp.BOUNDED_MAP,
    hyp.PROJECTED_DESCENT,
)
_ERROR = of.B_app + B_LIN + BLOCKS / sqrt(m)

CONSTANTS = claim(
    "st.thm1.sharp.constants",
    at="Theorem 1",
    title="Numbers that may stand for E and A in the sharpened theorem, on the event",
    states={"errors": le(of.eps_sum, _ERROR), "gradient": le(of.f_gradient, SQUARES)},
    given=letters(*(of.eps_sum, of.f_gradient), _ERROR + SQUARES, under=_SIZES),
    assuming=_SIZES,
    rests_on=["st.eq25", "st.eq26", "st.eq35.sharp", "st.eq38.sharp"],
    discharging=OF_THE_ITERATES | OF_THE_LABELS,
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#a-better-drift",
)


@CONSTANTS.proved("errors")
def three_errors(given: Given) -> Theorem:
    """The sum of three errors is at most the sum of their bounds."""
    parts = NETWORKS.follows(
        *largest_error(), goal=le(of.eps_sum, of.eps_label + of.eps_step + of.eps_features)
    )
    divided = NETWORKS.substituted(_quotient(), {_SHARE: BLOCKS})
    bounds = [given.fact("st.eq25"), given.fact("st.eq35.sharp"), divided, parts]
    return given.concluded(*bounds, inside(given, hyp.PROJECTED_DESCENT))


_SHARE = Symbol("share of the features", real=True)


@cache
def _quotient() -> Theorem:
    """A bound of √m times the change-of-feature error, divided by √m."""
    where = [le(sqrt(m) * of.eps_features, _SHARE)]
    return NETWORKS.follows(goal=le(of.eps_features, _SHARE / sqrt(m)), under=where)


@CONSTANTS.proved("gradient")
def squares_of_blocks(given: Given) -> Theorem:
    """The sharpened (38), which holds in the whole feasible set."""
    return given.concluded(given.fact("st.eq38.sharp", "bound"), inside(given, hyp.PROJECTED_DESCENT))


_PAPERS = (*_RUN, hyp.STEP_SIZE, hyp.MANY_STEPS)

STEP = SHAPE.sharpened(
    "st.thm1.sharp.step",
    title="The paper's step size, without the fourth power",
    states=le(of.loss_mean, of.NU_NORM**2 / sqrt(tau) + 2 * E**2),
    given=letters(of.loss_mean, E, tau, *of.NU, under=_PAPERS),
    assuming=_PAPERS,
    rests_on=_STEPS,
    note=f"{_NOTE}#a-better-drift",
)


@STEP.proved()
def contract_less(given: Given) -> Theorem:
    """1 − 2ηA² ≥ 1/2, as η = τ^(−1/2) ≤ 1/(4A²)."""
    each = completed(given, drift(given))
    less = le(each.statement.lhs, -eta * LOSS_AT(s) + 2 * eta * E**2)
    step = between(given, less, each, between(given, le(4 * eta * A**2, 1)))
    return given.concluded(*telescoped(step), given.fact(START))


@STEP.tested(over=FLAT_RUNS, cases=30)
def losses_with_flat_activations(run: Descent) -> Point:
    """The mean loss and the bound, for activations so flat that the paper's step is short."""
    return at_worst(STEP, [run.whole])


_SHORT = (*_RUN, hyp.SHORT_STEP)
_ROOM = 1 - eta * A**2

EVERY_STEP = SHARP.sharpened(
    "st.thm1.sharp.every_step",
    title="Every step size below 1/A²: for many short steps the root of the loss is near E",
    states={
        "bound": le(sqrt(of.loss_mean), (E + sqrt(E**2 + _ROOM * of.NU_NORM**2 / (eta * tau))) / (2 * _ROOM)),
        "in particular": le(sqrt(of.loss_mean), E / _ROOM + of.NU_NORM / (2 * sqrt(_ROOM * eta * tau))),
    },
    given=letters(of.loss_mean, E, A, eta, tau, *of.NU, under=_SHORT),
    assuming=_SHORT,
    rests_on=_STEPS,
    note=f"{_NOTE}#a-better-drift",
)


@cache
def _mean_of_roots() -> Theorem:
    """The mean of √L over the steps is at most the root of the mean."""
    mean = Sum(sqrt(LOSS_AT(s)), (s, 0, tau - 1)) / tau
    return NETWORKS.follows(mean_of_roots(), sums_over_the_steps(), goal=le(mean, sqrt(of.loss_mean)))


@EVERY_STEP.proved("bound")
def solve_the_quadratic(given: Given) -> Theorem:
    """With x² the mean loss 4(1 − ηA²)x² − 4Ex ≤ |ν̄|²/(ητ), by Jensen's inequality for √L."""
    x = sqrt(of.loss_mean)
    quadratic = le(4 * _ROOM * x**2 - 4 * E * x, of.NU_NORM**2 / (eta * tau))
    known = [*telescoped(drift(given)), _mean_of_roots(), given.fact(START)]
    found = between(given, quadratic, *known)
    return given.follows(found, goal=stated(EVERY_STEP, "bound"))


@cache
def _in_two_terms() -> Theorem:
    """√(e² + rn²/p) is at most e + n√(r/p)."""
    e, r, n, p = symbols("e_1 r_1 n_1 p_1", positive=True)
    root = sqrt(e**2 + r * n**2 / p)
    sum_ = le(root, e + r * n / sqrt(r * p))
    return NETWORKS.follows(
        NETWORKS.follows(goal=sum_), goal=le((e + root) / (2 * r), e / r + n / (2 * sqrt(r * p)))
    )


@EVERY_STEP.proved("in particular")
def root_of_two_squares(given: Given) -> Theorem:
    """√(E² + q²) ≤ E + q."""
    parts = (E, _ROOM, of.NU_NORM, eta * tau)
    values = dict(zip(symbols("e_1 r_1 n_1 p_1", positive=True), parts, strict=True))
    signs = [positive(of.NU_NORM)]
    where = [*given.conditions, gt(of.NU_NORM, 0)]
    apart = NETWORKS.substituted(_in_two_terms(), values, under=where)
    return given.concluded(solve_the_quadratic(given), apart, *signs)


@EVERY_STEP.tested("bound", over=SHORTER_RUNS, cases=60)
def roots_of_losses(run: Descent) -> Point:
    """The root of the mean loss and the bound, with A and E measured along the run."""
    return at_worst(EVERY_STEP, [run.whole], "bound")


_X = sqrt(E**2 + 3 * A**2 * of.NU_NORM**2 / tau)

IMPLIES = claim(
    "st.thm1.sharp.compared",
    at="Theorem 1",
    title="The two sharpened bounds compared at the step size 1/(4A²)",
    states=[
        le(
            Rational(4, 9) * (E + _X) ** 2,
            Rational(16, 9) * E**2 + Rational(8, 3) * A**2 * of.NU_NORM**2 / tau,
        ),
        le(
            Rational(16, 9) * E**2 + Rational(8, 3) * A**2 * of.NU_NORM**2 / tau,
            2 * E**2 + 4 * A**2 * of.NU_NORM**2 / tau,
        ),
    ],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#a-better-drift",
)


@IMPLIES.proved()
def square_of_the_sum(given: Given) -> Theorem:
    """2x² + 2y² − (x + y)² = (x − y)² with y = √(x² + 3q)."""
    return given.concluded()
