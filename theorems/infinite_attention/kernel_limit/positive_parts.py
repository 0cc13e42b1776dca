"""Theorem 3: the kernel in closed form, for maps of scores that are linear but for a kink at 0."""

from sympy import Abs, Expr, Integer, Rational, acos, asin, cos, pi, sqrt

from symbolic.derivation import Derivation, Step
from symbolic.dual_activations import derive_dual
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.half_lines import half_line_steps
from theorems.classical.functions import inverse_cosine
from theorems.engine import Given, Hypothesis, Provenance, eq, half_line, open_interval
from theorems.engine.rules import Theorem
from theorems.infinite_attention.letters.kernels import output_kernel, sigma_ov, sigma_qk
from theorems.infinite_attention.letters.nonlinearities import (
    absolute_part,
    deviation_a,
    deviation_b,
    linear_part,
    normal_score,
    normal_score_a,
    normal_score_b,
    score_angle,
    score_correlation,
    token_correlation,
    token_square,
)
from theorems.infinite_attention.letters.table import claim

_AT = "Theorem 3; Equation (7)"
_NOTE = "proofs_notes/inf_kernels.md#positive-parts"
_a, _b, _rho = linear_part, absolute_part, score_correlation
_SCALE = deviation_a * deviation_b

ANGLE = Hypothesis(
    "angle_of_scores", "$rho is the cosine of $t", formula=eq(score_correlation, cos(score_angle))
)


def _map(score: Expr) -> Expr:
    """A function that is linear but for a kink at 0; the positive part has both halves."""
    return _a * score + _b * Abs(score)


def _sizes(correlation: Expr) -> Expr:
    """The mean of the product of absolute values of standard normal variables."""
    return 2 * (sqrt(1 - correlation**2) + correlation * asin(correlation)) / pi


def _at_end(sign: int) -> Expr:
    """The mean for scores that are multiples of each other."""
    first = _map(deviation_a * normal_score)
    return GaussianMean(first * _map(sign * deviation_b * normal_score), normal_score)


MEANS = claim(
    "inf.thm3.relu",
    at=_AT,
    title="Means of products of two scores' images under a map with one kink",
    states={
        "between": eq(
            GaussianMean(
                _map(deviation_a * normal_score_a) * _map(deviation_b * normal_score_b),
                normal_score_a,
                normal_score_b,
                cos(score_angle),
            ),
            _SCALE * (_a**2 * _rho + _b**2 * _sizes(_rho)),
        ),
        "at 1": eq(_at_end(1), _SCALE * (_a**2 + _b**2)),
        "at -1": eq(_at_end(-1), _SCALE * (_b**2 - _a**2)),
    },
    given={score_correlation: open_interval(-1, 1), score_angle: open_interval(0, pi)},
    assuming=ANGLE,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEANS.proved("between")
def integrate_in_polar_coordinates(given: Given) -> Theorem:
    """The radius integrates out; the signs are constant on four sectors."""
    return given.derived(derive_dual("ab_relu"))


def _half_lines(sign: int) -> Derivation:
    product = _map(deviation_a * normal_score) * _map(sign * deviation_b * normal_score)
    return Derivation(
        title="Scores that are multiples of each other",
        name="",
        start=_at_end(sign),
        steps=[
            *half_line_steps(Integer(1), product, normal_score),
            Step((_SCALE * (sign * _a**2 + _b**2)), "collect"),
        ],
    )


@MEANS.proved("at 1")
def equal_signs(given: Given) -> Theorem:
    """The mean is univariate."""
    return given.derived(_half_lines(1))


@MEANS.proved("at -1")
def opposite_signs(given: Given) -> Theorem:
    """The mean is univariate."""
    return given.derived(_half_lines(-1))


SQUARE = Hypothesis(
    "angle_of_squares",
    "the square of $token_correlation, which is the correlation of the scores, is the cosine of $t",
    formula=eq(score_angle, acos(token_correlation**2)),
)

RECTIFIED_TOKEN = Hypothesis(
    "one_rectified_token",
    "the two inputs of the layer have one token each, of the mean square $token_square and with the"
    " correlation $token_correlation, and the map of the scores takes their positive part",
    latex=r"\zeta(G) = \max(G, 0)",
)

ONE_TOKEN = claim(
    "inf.thm3.relu.one_token",
    at=_AT,
    title="The kernel of attention with positive parts of scores, for one token",
    states=eq(
        output_kernel,
        sigma_ov**2
        * sigma_qk**2
        * token_square**3
        * token_correlation
        * (token_correlation**2 / 4 + _sizes(token_correlation**2) / 4),
    ),
    given={
        sigma_qk: half_line(0, closed=False),
        token_correlation: open_interval(-1, 1),
        score_angle: open_interval(0, pi),
    },
    assuming=[SQUARE, RECTIFIED_TOKEN],
    rests_on=MEANS,
    discharging={ANGLE: "it is the hypothesis on the angle, for the correlation of the scores"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ONE_TOKEN.proved()
def correlation_of_scores_is_a_square(given: Given) -> Theorem:
    """Scores have the deviation σ_QK c and the correlation r², values the covariance cr."""
    deviation, half = sigma_qk * token_square, Rational(1, 2)
    square = token_correlation**2
    mean = given.fact(
        MEANS,
        "between",
        at={
            linear_part: half,
            absolute_part: half,
            deviation_a: deviation,
            deviation_b: deviation,
            score_correlation: square,
            score_angle: score_angle,
        },
    )
    product = mean.statement.lhs
    kernel = given.supposed(
        RECTIFIED_TOKEN, eq(output_kernel, sigma_ov**2 * token_square * token_correlation * product)
    )
    numbers = {x: given.domain[x] for x in (score_angle, token_correlation)}
    cosine = inverse_cosine(square, score_angle, over=numbers)
    return given.follows(mean, kernel, cosine)
