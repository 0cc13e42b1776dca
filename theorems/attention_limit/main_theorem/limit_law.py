"""Definition 3.1: the limits of vectors and of scores, and that such variables exist.

The rules by which limits are defined are hypotheses here, which Example 3.1 applies.
"""

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
from theorems.engine import Given, Hypothesis, eq, ge
from theorems.engine.rules import E, Theorem, facts

_NOTE = "proofs_notes/attn_laws.md#definition-of-the-limits"

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
        "images": eq(
            E((c_1 * Z_g1 + c_2 * Z_g2) ** 2),
            sigma_weight**2 * E((c_1 * Z_h1 + c_2 * Z_h2) ** 2),
        ),
        "scores": eq(E(_P**2), E((c_1 * _PRODUCTS[0] + c_2 * _PRODUCTS[1]) ** 2)),
        "nonnegative": ge(E((c_1 * _PRODUCTS[0] + c_2 * _PRODUCTS[1]) ** 2), 0),
    },
    given=[
        *(Z_g1, Z_g2, Z_h1, Z_h2, sigma_weight, c_1, c_2, p_limit_ij, p_limit_kl),
        *(query_limit_i, query_limit_k, key_limit_j, key_limit_l),
    ],
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
    return given.follows(
        facts.expectation_of_square(
            c_1 * _PRODUCTS[0] + c_2 * _PRODUCTS[1],
            over={c_1: given.domain[c_1], c_2: given.domain[c_2]},
        )
    )
