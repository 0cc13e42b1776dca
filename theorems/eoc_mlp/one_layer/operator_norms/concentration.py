"""Proposition 10: operator norms of backpropagation matrices, with constants."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.special import chdtrc
from sympy import Expr, Matrix, Max, Rational, Reals, Symbol, diag, diff, exp, pi, sqrt, symbols

from numeric.arguments import Floats
from numeric.cosine_maps import delta_phi
from numeric.networks.backpropagation import backpropagation_matrix
from numeric.networks.forward_pass import ForwardPass
from numeric.statistics import MeanTest
from theorems.classical.conditional_means import tower_rule
from theorems.classical.hypotheses import INDEPENDENT_COPIES, LIPSCHITZ, NORMAL
from theorems.classical.letters import F_value, L, log_moment_f, multiplier, p, s
from theorems.classical.letters import u as distance_of_values
from theorems.classical.normal_means import mean_square_of_length
from theorems.classical.steps import weakened
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Rounded,
    eq,
    ge,
    half_line,
    interval,
    le,
    rules,
)
from theorems.engine.rules import E, P, Random, Theorem, facts, principles, probabilities
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ALIVE, BELOW
from theorems.eoc_mlp.letters import (
    DELTA,
    M,
    asymmetry,
    chi_tail,
    claim,
    frob_b,
    k1,
    k2,
    kappa_phi,
    level,
    mean_norm_next,
    mean_sign,
    multiple,
    norm_b,
    norm_drawn,
    width_b,
)
from theorems.eoc_mlp.letters.table import POSITIVE
from theorems.eoc_mlp.one_layer.operator_norms.mean_norm import COMPARISONS, SHARE_OF_ASYMMETRY
from theorems.eoc_mlp.one_layer.operator_norms.rows import LAYERS
from theorems.eoc_mlp.premises.copies import moment_of_fair_signs
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.premises.tails import beyond
from theorems.eoc_mlp.sampling.networks import NetworkCase
from theorems.eoc_mlp.sampling.redrawn import frequency_test

_NOTE = "proofs_notes/eoc_concentration.md#backpropagation-matrices"
KAPPA = kappa_phi(DELTA)
SPREAD = sqrt(KAPPA**2 + DELTA * (1 - DELTA))
_NORMALS = {
    NORMAL: "the layer matrix has normal entries, up to their deviation",
    LIPSCHITZ: "the norm is the largest of linear functions of these, of at most this length",
}


def tail(at: Expr) -> Expr:
    """The probability that the norm of the next matrix is at least this."""
    return P(ge(norm_drawn, at))


def _chi_tail(excess: Any) -> Any:
    """The tail of the length of a normal vector, a level above the root of its dimension."""
    return le(chi_tail, exp(-(Max(level - sqrt(M) - excess, 0) ** 2) / 2))


_GIVEN = {
    norm_b: POSITIVE,  # if B vanishes both sides are 0, and the event is certain
    **LAYERS,
}

EXPLICIT = claim(
    "eoc.prop10.explicit",
    at="Proposition 10",
    title="Norms of backpropagation matrices with constants",
    states={
        "tail": le(
            tail(
                norm_b * (1 + KAPPA**2 / sqrt(2 * M) + multiple * SPREAD / sqrt(M))
                + KAPPA * width_b / sqrt(M)
            ),
            exp(-(multiple**2) / 2),
        ),
        "width": le(width_b, frob_b),
        # For |s| and a column B of length 1 the norm of B' is that of a normal vector over √M.
        "one column": _chi_tail(1 / sqrt(2) + sqrt(2 / pi)),
    },
    given=_GIVEN,
    assuming=[BELOW],
    rests_on=[
        "eoc.prop10.mean",
        "eoc.prop10.width",
        "classical.gaussian_lipschitz",
        "classical.gaussian_lipschitz.tail",
        "classical.hoeffding_lemma",
        "classical.chernoff",
    ],
    discharging={
        **_NORMALS,
        ALIVE: "if it vanishes all slopes are a, and the same holds with fewer terms",
        SHARE_OF_ASYMMETRY: "that is what the letter stands for",
        INDEPENDENT_COPIES: "the bound is used for one copy",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT.proved("tail")
def average_over_the_signs(given: Given) -> Theorem:
    """Given ε the norm is a κ‖B‖-Lipschitz function of Gaussians; E e^(νε_j) = cosh ν ≤ e^(ν²/2).

    The signs add ‖B‖(r/2)M^(-1/2)Σε_j to the mean, with r²/4 = Δ(1 - Δ).  A vanishing x_{k2-1}
    makes all slopes a, and √M B' = σaGB with |σa| ≤ 1: the same with fewer terms.
    """
    goal, drawn = as_it_stands(EXPLICIT, "tail"), sqrt(M) * norm_drawn
    numbers = {x: given.domain[x] for x in (norm_b, width_b, M, DELTA, multiple)}
    numbers |= {asymmetry: interval(-1, 1)}
    mean = given.fact("eoc.prop10.mean").statement.rhs
    start = mean.subs(mean_sign, 0)
    spread = norm_b * SPREAD
    share = given.meaning("asymmetry", eq(asymmetry**2, 4 * DELTA * (1 - DELTA)))
    moment = _moment_over_the_signs(given, mean, share, numbers)
    best = multiple / spread
    sharp = moment.at({_rate: best})
    above = start + multiple * spread
    chernoff = facts.chernoff(drawn, above, best, over=numbers)
    power = sharp.statement.rhs.args[0]
    product = facts.exponential_of_sum(power - best * above, power, -best * above, over=numbers)
    small = le(chernoff.statement.lhs, exp(power - best * above))
    joined = rules.follows(small, [chernoff, sharp, product])
    ordered = rules.follows(eq(power - best * above, -(multiple**2) / 2), [share], over=numbers)
    rare = weakened(joined, -(multiple**2) / 2, ordered)
    lower = rules.follows(le(above, sqrt(M) * goal.lhs.args[0].rhs), over=numbers)
    return given.follows(beyond(rare, norm_drawn, goal.lhs.args[0], lower), goal=goal)


_rate = Symbol("rate", nonnegative=True)


def _moment_over_the_signs(given: Given, mean: Expr, share: Theorem, over: Any) -> Theorem:
    """The exponential moment of √M‖B'‖: of normal variables given the signs, then of these."""
    start, slope = mean.subs(mean_sign, 0), diff(mean, mean_sign) / M
    numbers, signs = {**over, _rate: half_line(0)}, Random("mean_of_signs")
    steepest = {multiplier: _rate, L: KAPPA * norm_b}
    normals = given.fact("classical.gaussian_lipschitz").statement.rhs.subs(steepest) + _rate * start
    at = {p: Rational(1, 2), distance_of_values: 2 * _rate * slope}
    lemma = given.fact("classical.hoeffding_lemma").at(at, over=numbers)
    one_sign, variance = lemma.statement.args
    total = normals + M * variance
    conditional, whole = Random("moment_given_the_signs"), exp(_rate * sqrt(M) * norm_drawn)
    return rules.follows(
        le(E(whole), exp(total)),
        [
            _moment_given_the_signs(given, normals, mean - start, share, (conditional, signs)),
            tower_rule(given.meaning, whole, conditional),
            moment_of_fair_signs(given, signs, M, _rate * slope, numbers),
            lemma,
            facts.exponential_increases(M * variance, M * one_sign, over=numbers),
            facts.exponential_of_sum(total, normals, M * variance, over=numbers),
        ],
        over={**numbers, norm_drawn: norm_drawn.belongs_to},
    )


def _moment_given_the_signs(
    given: Given, normals: Expr, part: Expr, share: Theorem, drawn: tuple[Random, Random]
) -> Theorem:
    """The mean of e^(λF) = e^(λm) e^(λ(F - m)) given the signs, which are then drawn.

    F is a Lipschitz function of normal variables whose mean m is linear in the signs.
    """
    over = {x: given.domain[x] for x in (norm_b, width_b, M, DELTA, multiple)}
    over |= {_rate: half_line(0), asymmetry: interval(-1, 1)}
    values = {mean_norm_next: half_line(0), mean_sign: interval(-1, 1), log_moment_f: Reals}
    letters, steepest = {**over, **values}, {multiplier: _rate, L: KAPPA * norm_b}
    front, moment = Symbol("front", positive=True), exp(_rate * mean_norm_next + log_moment_f)
    exponent = moment.args[0]
    each = rules.follows(
        le(moment, front * exp(_rate * part)),
        [
            given.fact("classical.gaussian_lipschitz").at(steepest, over=over),
            given.fact("eoc.prop10.mean").at({k1: 2, k2: 3}),
            share,
            facts.exponential_increases(normals + _rate * part, exponent, over=letters),
            facts.exponential_of_sum(normals + _rate * part, normals, _rate * part, over=letters),
        ],
        over={**letters, front: POSITIVE},
        under=[eq(front, exp(normals))],
    )
    conditional, signs = drawn
    surely = principles.drawn(each, {moment: conditional, mean_sign: signs}, *values)
    numbers = {**over, front: POSITIVE}
    larger = probabilities.larger_mean(*surely.statement.lhs.args[0].args, over=numbers)
    averaged = rules.follows(larger.statement, [surely, larger], under=each.under)
    return averaged.at({front: exp(normals)}, over=over)


@EXPLICIT.proved("width")
def jensen(given: Given) -> Theorem:
    """The width is at most the root of the mean square, which is the Frobenius norm."""
    return given.follows(given.fact("eoc.prop10.width"))


def _length_of_normals(given: Given, excess: Expr, goal: Any) -> Theorem:
    """A length is 1-Lipschitz, and its mean is at most the root of its mean square."""
    size, above = Random("length"), level - sqrt(M) - excess
    here = {s: above, L: 1, F_value: size}
    source = given.fact("classical.gaussian_lipschitz.tail").at(here, under=[ge(above, 0)])
    square = mean_square_of_length(given.meaning, size, M)
    lower = rules.follows(
        le(E(size) + above, level), [square, facts.expectation_of_square(size)], under=[ge(above, 0)]
    )
    law = given.meaning("chi_tail", eq(chi_tail, P(ge(size, level))))
    return given.follows(beyond(source, size, ge(size, level), lower), law, goal=goal)


@EXPLICIT.proved("one column")
def length_of_normal_variables(given: Given) -> Theorem:
    """Of normal variables alone the length exceeds the root of M by s even less often."""
    goal = as_it_stands(EXPLICIT, "one column")
    return _length_of_normals(given, 1 / sqrt(2) + sqrt(2 / pi), goal)


_FAR_BELOW = -1e9  # the level is then 0
_WIDTHS_AND_LEVELS = st.tuples(
    st.one_of(st.just(1), st.integers(1, 2000)), st.one_of(st.just(_FAR_BELOW), st.floats(0, 30))
)
SHAPES = (
    NetworkCase((3, 4, 6, 8, 1), a=0.0, b=1.0, angle=1.0, layer=3),
    NetworkCase((3, 6, 9, 6, 1), a=0.5, b=0.5, angle=1.0, layer=3, q=1.0),
    NetworkCase((4, 8, 8, 2, 1), a=1.0, b=-2.0, angle=1.0, layer=3, q=0.5),
    NetworkCase((4, 5, 1, 12, 1), a=1.0, b=0.3, angle=1.0, layer=3),
)


def _redrawn_norms(state: ForwardPass, draws: int, rng: np.random.Generator) -> Floats:
    """‖B_{2,4}‖ of the first input, A_3 redrawn."""
    mlp, layer = state.mlp, 3
    rows = mlp.scale(layer) * mlp.sample_layer(layer, rng, draws)
    slopes = mlp.phi_prime(rows @ state.activation(layer)[0]) / np.sqrt(mlp.widths[layer])
    product_ = rows @ backpropagation_matrix(state, 2, layer)[0]
    return np.asarray(np.linalg.norm(slopes[..., None] * product_, 2, axis=(-2, -1)))


@EXPLICIT.estimated("tail", draws=3000, controls={})
def norms_of_networks(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Frequencies of large norms in four networks, at s²/2 = 3, with ‖B‖_F in place of w(B)."""
    event, bound = given.goal.lhs.args[0], given.goal.rhs
    for case in SHAPES:
        state = case.sample(rng)
        B = backpropagation_matrix(state, 2, 3)[0]
        at = {norm_b: np.linalg.norm(B, 2), width_b: np.linalg.norm(B), M: case.widths[3]}
        at |= {DELTA: float(delta_phi(case.a, case.b)), multiple: np.sqrt(6.0)}
        above = _redrawn_norms(state, draws, rng) >= float(unfolded(event.rhs).subs(at))
        yield frequency_test(above, float(bound.subs(at)))


@EXPLICIT.tested("one column", over=_WIDTHS_AND_LEVELS)
def one_column(case: tuple[int, float]) -> dict[Symbol, Any]:
    """|·| or the identity, B = 1: √M‖B'‖ has the chi law; exact tails."""
    return _exact_tail(case, 1 / np.sqrt(2) + np.sqrt(2 / np.pi))


def _exact_tail(case: tuple[int, float], excess: float) -> dict[Symbol, Any]:
    width, beyond_mean = case
    at = max(0.0, float(np.sqrt(width) + excess + beyond_mean))
    exact = float(chdtrc(width, at**2))
    # SciPy's tails are good to ten digits; the square is rounded, by at most 4000 epsilons.
    return {M: width, level: at, chi_tail: Rounded(exact, 1e-9 * exact + 1e-290)}


NO_ASYMMETRY = Hypothesis(
    "no_asymmetry",
    "the activation function is linear or the absolute value, up to a factor",
    formula=eq(DELTA * (1 - DELTA), 0),
)

GAUSSIAN = EXPLICIT.sharpened(
    "eoc.prop10.gaussian",
    title="For the absolute value the random layer is Gaussian",
    states={
        "tail": le(tail(norm_b * (1 + multiple / sqrt(M)) + width_b / sqrt(M)), exp(-(multiple**2) / 2)),
        "one column": _chi_tail(sqrt(2 / pi)),
    },
    given=_GIVEN,
    assuming=[BELOW, NO_ASYMMETRY],
    rests_on=[
        "classical.gaussian_lipschitz.tail",
        "classical.sudakov_fernique",
        "classical.gordon_increments",
    ],
    discharging={**_NORMALS, **COMPARISONS},
    note=_NOTE,
)


def _signs_do_not_matter() -> Obligations:
    """D_s is orthogonal, so ‖D_sGB‖ = ‖GB‖."""
    rows = Matrix(2, 2, symbols("g:4"))
    for pattern in product((-1, 1), repeat=2):
        signed = diag(*pattern) * rows
        gap = (signed.T * signed - rows.T * rows).expand()
        yield f"slopes {pattern}", bool(gap.is_zero_matrix)


@GAUSSIAN.argued(
    "tail",
    bridge="Rows with signs have the same norm; by Chevet's inequality, from the comparisons of"
    " Gordon and of Sudakov and Fernique, its mean is at most that of the columns and the width.",
    uses=[BELOW, NO_ASYMMETRY],
    over={DELTA: interval(0, 1), **LAYERS},
)
def chevets_inequality(given: Given) -> list[Any]:
    """√M B' is the product of signs, a normal matrix and B; its norm is ‖B‖-Lipschitz.

    By Chevet E‖GB‖ ≤ ‖B‖E‖g'‖ + w(B), and E‖g'‖ ≤ √M.
    """
    goal, over = as_it_stands(GAUSSIAN, "tail"), given.domain
    numbers = {x: over[x] for x in (norm_b, width_b, M, multiple)}
    here = {s: multiple, L: norm_b, F_value: sqrt(M) * norm_drawn}
    source = given.substituted(given.fact("classical.gaussian_lipschitz.tail"), here)
    given.require(NO_ASYMMETRY)
    signed, column = Random("norm_of_the_product"), Random("length_of_a_column")
    mean = rules.follows(
        le(sqrt(M) * E(norm_drawn), norm_b * sqrt(M) + width_b),
        [
            given.meaning("the norm, up to signs,", eq(sqrt(M) * E(norm_drawn), E(signed))),
            given.bridge("Chevet's inequality", le(E(signed), norm_b * E(column) + width_b)),
            mean_square_of_length(given.meaning, column, M),
            facts.expectation_of_square(column),
        ],
        over={**numbers, norm_drawn: norm_drawn.belongs_to},
    )
    event, wider = goal.lhs.args[0], source.statement.lhs.args[0]
    lower = rules.follows(le(wider.rhs, sqrt(M) * event.rhs), [mean])
    shown = given.follows(beyond(source, norm_drawn, event, lower), goal=goal)
    return [*_signs_do_not_matter(), shown]


@GAUSSIAN.proved("one column")
def mean_length_of_a_normal_vector(given: Given) -> Theorem:
    """A length is 1-Lipschitz, and its mean is at most the root of its mean square."""
    return _length_of_normals(given, sqrt(2 / pi), as_it_stands(GAUSSIAN, "one column"))


@GAUSSIAN.tested("one column", over=_WIDTHS_AND_LEVELS)
def chi_law(case: tuple[int, float]) -> dict[Symbol, Any]:
    """B = 1: exact tails."""
    return _exact_tail(case, np.sqrt(2 / np.pi))
