"""Section 6.1: what Theorem 1 says at the sizes of the experiment."""

from functools import cache

from sympy import Abs, FiniteSet, Range, sqrt

from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, gt, le
from theorems.engine.rules import Theorem, facts
from theorems.shallow_transformer.hypotheses import BOUNDED_LABELS, HYPERBOLIC_TANGENT, SYMMETRIC_START
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.gradient import output_start
from theorems.shallow_transformer.letters.paper import claim, j, m, tau
from theorems.shallow_transformer.premises.descent import root_of_the_loss
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import called, family, letters, positive

_NOTE = "proofs_notes/st_descent.md"

PRINTED_RADIUS = Hypothesis("printed_radius", "$B is the bound (9)", eq(of.B, its.RADIUS.unfolded()))
_TARGET = of.target_bound(of.d, of.sigma_0, of.sigma_1, of.nu_c, of.nu_u, of.nu_w)
PRINTED_TARGET = Hypothesis(
    "printed_target", "$y_max is the bound of Lemma 6", eq(of.y_max, _TARGET.unfolded())
)
_PRINTED = (HYPERBOLIC_TANGENT, PRINTED_RADIUS, PRINTED_TARGET, BOUNDED_LABELS, *SYMMETRIC_START)
_RIGHT = (of.NU_NORM**2 + its.B_GRAD) / (4 * sqrt(tau)) + its.RESIDUAL * its.ERROR
_THREE = FiniteSet(3)
_SIZES = {
    of.m: Range(2, 257),
    of.d: Range(8, 9),
    of.sigma_0: FiniteSet(1),
    of.sigma_1: FiniteSet(1),
    of.sigma_2: FiniteSet(4 / (3 * sqrt(3))),
    **dict.fromkeys((of.nu_c, of.nu_u, of.nu_w, of.rho_c, of.rho_u, of.rho_w), _THREE),
}

EXPERIMENT = claim(
    "st.thm1.experiment",
    at="Section 6.1",
    title="At the sizes of the experiments Theorem 1 says less than the loss of the zero function",
    states={
        "the bound is larger": gt(_RIGHT, of.y_max**2),
        "than the loss at the start": ge(of.y_max**2, of.loss_start),
    },
    given={**letters(of.loss_start, _RIGHT, under=_PRINTED), **_SIZES},
    assuming=_PRINTED,
    rests_on=["st.rem5"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#numbers",
)


@cache
def _one_term() -> Theorem:
    """√m B_lin is at least 8L_1(ρ_u² + ρ_w²)."""
    term = 8 * of.sigma_1 * sqrt(of.B**2 + 1) * (of.rho_u**2 + of.rho_w**2)
    return NETWORKS.follows(*called(its.B_LIN), goal=ge(its.B_LIN * sqrt(m), term))


@EXPERIMENT.proved("the bound is larger")
def two_of_the_terms(given: Given) -> Theorem:
    """f^max ≥ L_1 r and B_lin ≥ 8L_1r²/√m with L_1 ≥ √(1 + d), r = √18 and m ≤ 256."""
    given.require(HYPERBOLIC_TANGENT)
    level_ = of.m / (2 * of.delta_prime)
    positive_ = facts.logarithm_increases(1, level_, over=given.domain)
    wide = given.follows(positive_, goal=ge(of.B, sqrt(of.d)))
    steep = given.follows(wide, goal=ge(sqrt(of.B**2 + 1), 3))
    outputs = given.follows(steep, *called(its.F_MAX), goal=ge(its.F_MAX, 12))
    linear = given.follows(steep, _one_term(), goal=ge(its.B_LIN, 27))
    labels = given.follows(goal=both(ge(of.y_max, 14), le(of.y_max, 15)))
    return given.concluded(outputs, linear, labels, positive(its.B_COF), positive(its.B_GRAD))


@EXPERIMENT.proved("than the loss at the start")
def zero_at_the_start(given: Given) -> Theorem:
    """f = 0, so that the residuals are the labels."""
    output, label = family("output at the start"), family("label")
    zero = NETWORKS.substituted(given.fact("st.rem5", "output"), {output_start: output(j)})
    top = NETWORKS.largest("the largest label", le(Abs(label(j)), of.label_sup))
    residual = output(j) - label(j)
    each = NETWORKS.follows(zero, top, goal=le(Abs(residual), of.label_sup))
    return given.concluded(root_of_the_loss(of.label_sup, each, of.loss_start, residual))
