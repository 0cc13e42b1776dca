"""What claims about layers without a nonlinearity share: tangent kernels, and means of scores."""

from theorems.engine import Given, Hypothesis, eq, implies
from theorems.engine.rules import E, Random, Theorem, Vector, facts, inner
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.kernel_limit.finite_widths.widths import SCORES_THEMSELVES
from theorems.infinite_attention.letters.gradients import products, scored_ai, scored_bj
from theorems.infinite_attention.letters.network import S_ab, S_ij, sigma_k, sigma_q
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import GAUSSIAN_COLUMN

DIAGONAL_TANGENT = Hypothesis(
    "diagonal_tangent",
    "the tangent kernel of the layer's input is $tangent_number times the unit matrix over the coordinates",
    latex=r"\hat\Theta_{a'i',b'j'} = \delta_{i'=j'} $tangent_number",
)
DIAGONAL_TANGENTS = Hypothesis(
    "diagonal_tangents",
    "at each two tokens the tangent kernel of the layer's input is a number times the unit matrix"
    " over the coordinates",
    latex=r"\hat\Theta_{a'i',b'j'} = \delta_{i'=j'} \tilde\Theta_{a'b'}"
    r"\text{ for all tokens } a', b'",
)
_qa, _qb, _ki, _kj = map(Random, ("query_a", "query_b", "key_i", "key_j"))


def covariance_of_scores(given: Given) -> tuple[Theorem, ...]:
    """What makes the mean product of the scores of a and i and of b and j, from one column."""
    known = given.supposed(
        GAUSSIAN_COLUMN,
        eq(E(_qa * _qb), sigma_q**2 * S_ab),
        eq(E(_ki * _kj), sigma_k**2 * S_ij),
        independent(_qa * _qb, _ki * _kj),
    )
    columns = given.meaning(
        "scores, root means of independent columns", eq(E(scored_ai * scored_bj), E(_qa * _ki * _qb * _kj))
    )
    return known, columns, facts.expectation_of_independent(_qa * _qb, _ki * _kj)


def weighted_by_scores(given: Given, matrix: Vector, weights: Vector) -> Theorem:
    """The sum of a matrix with the means of products of scores, of which one is as stated."""
    scale = sigma_q**2 * sigma_k**2 * S_ab
    return given.supposed(
        SCORES_THEMSELVES,
        implies(
            eq(E(scored_ai * scored_bj), scale * S_ij),
            eq(inner(matrix, weights), scale * inner(matrix, products)),
        ),
    )
