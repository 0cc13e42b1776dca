"""Theorem 18 for rectified scores: the tangent kernel in closed form."""

from sympy import Rational, asin, cos, pi, sqrt

from symbolic.derivation import Derivation
from symbolic.dual_activations import derive_dual, derive_dual_derivative
from theorems.engine import Given, Hypothesis, Provenance, eq, implies
from theorems.engine.rules import Theorem
from theorems.infinite_attention.letters.kernels import (
    input_ab,
    sigma_ov,
    sigma_qk,
    tangent_ab,
)
from theorems.infinite_attention.letters.rectified import (
    kernel_ij,
    rectified_angle,
    rectified_cosine,
    spread_ai,
    spread_bj,
    tangent_ij,
    tangent_share,
)
from theorems.infinite_attention.letters.table import claim

_WEIGHTS = (
    spread_ai
    * spread_bj
    * (sqrt(1 - rectified_cosine**2) + (pi - rectified_angle) * rectified_cosine)
)
_SLOPES = pi - rectified_angle
_SCORES = (2 * input_ab + tangent_ab) * kernel_ij**2 + input_ab * kernel_ij * tangent_ij

ANGLE = Hypothesis(
    "angle_of_rectified_scores",
    "the correlation of two scores is the cosine of their angle",
    eq(rectified_cosine, cos(rectified_angle)),
)

RECTIFIED = Hypothesis(
    "rectified_scores",
    "the map of the scores is ReLU, entry by entry, and queries and keys are independent",
    latex=r"\zeta(G)_{ai} = \max(G_{ai}, 0)",
)

CLOSED_FORM = claim(
    "inf.thm18.relu",
    at="Theorem 18; Equation (22)",
    title="The tangent kernel of attention with rectified scores has a closed form",
    states=eq(
        tangent_share,
        sigma_ov**2
        / (2 * pi)
        * ((2 * kernel_ij + tangent_ij) * _WEIGHTS + sigma_qk**2 * _SCORES * _SLOPES),
    ),
    given=[
        *(tangent_share, sigma_ov, sigma_qk, input_ab, tangent_ab, kernel_ij, tangent_ij),
        *(spread_ai, spread_bj, rectified_angle, rectified_cosine),
    ],
    assuming=[ANGLE, RECTIFIED],
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_kernels.md#rectified-scores",
)


def _at_the_angle(given: Given, derivation: Derivation) -> Theorem:
    """What a derivation says of two normal variables with these spreads and this angle."""
    shown = given.derived(derivation)
    letters = {letter.name: letter for letter in shown.over}
    values = {
        **{"a": Rational(1, 2), "b": Rational(1, 2), "t": rectified_angle, "rho": rectified_cosine},
        **{"s_1": spread_ai, "s_2": spread_bj},
    }
    return given.substituted(
        shown, {letters[name]: value for name, value in values.items() if name in letters}
    )


@CLOSED_FORM.proved()
def arc_cosine_kernels(given: Given) -> Theorem:
    """Means of products of two rectified normal variables and of two steps."""
    weights = _at_the_angle(given, derive_dual("relu"))
    slopes = _at_the_angle(given, derive_dual_derivative("relu"))
    mean, slope = weights.statement.args[0], slopes.statement.args[0]
    terms = {  # Equation (22) with one entry of each matrix
        2 * kernel_ij: mean,
        tangent_ij: mean,
        (2 * input_ab + tangent_ab) * kernel_ij: sigma_qk**2 * slope * kernel_ij,
        input_ab * kernel_ij: sigma_qk**2 * slope * tangent_ij,
    }
    share = given.supposed(
        RECTIFIED,  # so that derivatives are by the own score only
        eq(tangent_share, sum(sigma_ov**2 * u * v for u, v in terms.items())),
    )
    angle = given.textbook(
        "the inverse sine of a cosine",
        implies(
            eq(rectified_cosine, cos(rectified_angle)),
            eq(asin(rectified_cosine), pi / 2 - rectified_angle),
        ),
    )
    return given.follows(weights, slopes, share, angle)
