"""Definition 3.1: the limits of vectors and of scores, and that such variables exist.

The rules by which limits are defined are hypotheses here, which Example 3.1 applies.
"""

import sympy as sp

from symbolic.gaussian.wick import gaussian_mean
from theorems.attention_limit.letters.generation import image_limit, initial_limit
from theorems.attention_limit.letters.limit import (
    Z_g1,
    Z_g2,
    Z_h1,
    Z_h2,
    c_1,
    c_2,
    key_limit_j,
    key_limit_l,
    p_limit_ij,
    p_limit_kl,
    query_limit_i,
    query_limit_k,
    sigma_weight,
)
from theorems.attention_limit.letters.table import claim
from theorems.engine import Choice, Given, Hypothesis, Obligations, Provenance, Severity, eq, ge, sentence
from theorems.engine.rules import E, Theorem, facts
from theorems.engine.rules.vocabulary import independent

_NOTE = "proofs_notes/attn_laws.md#definition-of-the-limits"
_EDGES = "proofs_notes/attn_proofs.md#edges-of-the-definition-of-limits"

SAME_MATRIX = Hypothesis(
    "same_matrix",
    "limits of images under one matrix are those of Definition 3.1 (ii): centred and jointly"
    " Gaussian, with the mean products of the limits before, times the variance of the weights",
)
DIFFERENT_MATRICES = Hypothesis(
    "different_matrices",
    "limits of images under different matrices are those of Definition 3.1 (ii): centred, jointly"
    " Gaussian and uncorrelated, hence independent",
)
LIMITS_OF_SCORES = Hypothesis(
    "limits_of_scores",
    "limits of scores are those of Definition 3.1 (iv): centred and jointly Gaussian, with the"
    " means of products of four limits for covariances, and independent of the limits of vectors",
)

_P = c_1 * p_limit_ij + c_2 * p_limit_kl
_PRODUCTS = query_limit_i * key_limit_j, query_limit_k * key_limit_l

DEFINITION = claim(
    "attn.def31",
    at="Definition 3.1",
    title="The printed covariances of limits are those of random variables, two at a time",
    states={
        "images": eq(E((c_1 * Z_g1 + c_2 * Z_g2) ** 2), sigma_weight**2 * E((c_1 * Z_h1 + c_2 * Z_h2) ** 2)),
        "scores": eq(E(_P**2), E((c_1 * _PRODUCTS[0] + c_2 * _PRODUCTS[1]) ** 2)),
        "nonnegative": ge(E((c_1 * _PRODUCTS[0] + c_2 * _PRODUCTS[1]) ** 2), 0),
    },
    assuming=[SAME_MATRIX, LIMITS_OF_SCORES],
    note=_NOTE,
)


@DEFINITION.proved("images")
def squares_of_combinations(given: Given) -> Theorem:
    """The rule for each pair of images, with any coefficients: a Gram matrix times σ²."""
    pairs = ((Z_g1, Z_h1), (Z_g2, Z_h2))
    rule = [eq(E(g * f), sigma_weight**2 * E(h * k)) for g, h in pairs for f, k in pairs]
    return given.follows(given.supposed(SAME_MATRIX, *rule))


@DEFINITION.proved("scores")
def squares_of_combined_products(given: Given) -> Theorem:
    """The rule for each pair of scores, with any coefficients: a Gram matrix of products."""
    pairs = list(zip((p_limit_ij, p_limit_kl), _PRODUCTS, strict=True))
    rule = [eq(E(p * r), E(x * y)) for p, x in pairs for r, y in pairs]
    return given.follows(given.supposed(LIMITS_OF_SCORES, *rule))


@DEFINITION.proved("nonnegative")
def mean_of_a_square(given: Given) -> Theorem:
    """The mean of a square is at least the square of the mean."""
    return given.follows(facts.expectation_of_square(c_1 * _PRODUCTS[0] + c_2 * _PRODUCTS[1]))


JOINT_LAW = claim(
    "attn.def31.joint",
    at="Definition 3.1",
    title="The rules of the definition fix the mean products of all limits of vectors",
    states=sentence(
        r"\text{the laws of } $initial_limit \text{ and of } $image_limit \text{ $which}"
        r" \text{ fix } \mathbb{E}[$initial_limit $image_limit]",
        which=Choice("by (i) and (ii)", "apart"),
    ),
    provenance=Provenance.STEP,
    note=_EDGES,
)


@JOINT_LAW.refuted(
    severity=Severity.SLIP,
    controls={"independent": {"which": Choice("and their independence", "independent")}},
)
def equal_or_independent(which: str) -> Obligations:
    """Two standard normal limits may be equal or independent: mean products 1 and 0."""
    u, v = sp.symbols("u v", real=True)
    equal_ones = gaussian_mean(u * u, [u], {(u, u): 1})
    independent_ones = gaussian_mean(u * v, [u, v], {(u, u): 1, (v, v): 1})
    laws = [independent_ones] if which == "independent" else [equal_ones, independent_ones]
    yield "two values", len(set(laws)) == 2


INDEPENDENT_GROUPS = Hypothesis(
    "independent_groups",
    "limits of initial vectors are independent of limits of images, as in the master theorem; the"
    " limits of images are centred",
    latex=r"$initial_limit, $image_limit \text{ independent},\quad \mathbb{E}[$image_limit] = 0",
)

APART = JOINT_LAW.corrected(
    "attn.def31.joint.corrected",
    title="Limits of initial vectors and of images are uncorrelated, as these are independent",
    states=eq(E(initial_limit * image_limit), 0),
    assuming=[INDEPENDENT_GROUPS],
    note=_EDGES,
)


@APART.proved()
def product_of_means(given: Given) -> Theorem:
    """The mean of a product of independent variables is the product of the means."""
    apart = given.supposed(INDEPENDENT_GROUPS, independent(initial_limit, image_limit), eq(E(image_limit), 0))
    return given.follows(facts.expectation_of_independent(initial_limit, image_limit), apart)
