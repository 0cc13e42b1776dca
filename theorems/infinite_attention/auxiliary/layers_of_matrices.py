"""Lemmas 32 and 33 beside layers whose weights are drawn as matrices."""

from collections.abc import Iterator

import numpy as np

from numeric.arguments import Floats
from numeric.statistics import MeanTest, mean_test
from theorems.engine import Choice, Provenance, sentence
from theorems.infinite_attention.letters.table import claim

_VARIANCE = r"\frac{\sigma_Q^4}{d^G} (\hat\kappa_{aa} \hat\kappa_{bb} + \hat\kappa_{ab}^2)"
_FOURTH = (
    r"3 \Bigl(1 + \frac{2}{d^G}\Bigr)"
    r" (\sigma_Q^2 \sigma_K^2 \hat\kappa_{aa} \hat\kappa_{ii})^2"
)

MATRICES = claim(
    "inf.lem33.matrices",
    at="Lemma 33; Equation (38)",
    title="Moments of layers with weight matrices are those of the exact law given the inputs",
    states={
        "products": sentence(
            r"\operatorname{Var} \frac{\langle Q_a, Q'_b\rangle}{d^G} = $variance",
            variance=Choice(_VARIANCE, (4, 1, -1)),
        ),
        "scores": sentence(
            r"\mathbb{E}|G_{ai}|$power = $fourth",
            power=Choice("^4", 4),
            fourth=Choice(_FOURTH, (3, 2)),
        ),
    },
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_auxiliary.md#mean-products",
)
_SCALES = 1.5, 1.25
#: Inputs of two tokens, in three columns.
_INPUTS = np.array([[1.0, -2.0, 1.5], [1.5, -1.0, 2.0]])
_MOST = 400_000


def _drawn(rng: np.random.Generator, draws: int, columns: int, scale: float) -> Floats:
    """Queries or keys of both tokens, ``(draws, 2, columns)``."""
    rows = _INPUTS.shape[1]
    weights = scale / np.sqrt(rows) * rng.standard_normal((min(draws, _MOST), rows, columns))
    return np.asarray(_INPUTS @ weights)


@MATRICES.estimated(
    "products",
    draws=40_000,
    controls={
        "no covariance": {"variance": Choice("without the covariance", (4, 0, -1))},
        "other scale": {"variance": Choice("with the third power of the scale", (3, 1, -1))},
        "no columns": {"variance": Choice("without the number of columns", (4, 1, 0))},
    },
)
def products_of_queries(
    rng: np.random.Generator, draws: int, variance: tuple[int, int, int]
) -> Iterator[MeanTest]:
    """Squares of deviations from the mean, for two and three columns."""
    power, cross, columns = variance
    own = _INPUTS @ _INPUTS.T / _INPUTS.shape[1]
    spread = own[0, 0] * own[1, 1] + cross * own[0, 1] ** 2
    for count in (2, 3):
        queries = _drawn(rng, draws, count, _SCALES[0])
        means = (queries[:, 0] * queries[:, 1]).mean(axis=1) - _SCALES[0] ** 2 * own[0, 1]
        yield mean_test(means**2, _SCALES[0] ** power * spread * float(count) ** columns)


@MATRICES.estimated(
    "scores",
    draws=200_000,
    controls={
        "of the limit": {"fourth": Choice("without the number of columns", (3, 0))},
        "other factor": {"fourth": Choice("with the factor two", (2, 2))},
        "third power": {"power": Choice("^3", 3)},
    },
)
def powers_of_scores(
    rng: np.random.Generator, draws: int, power: int, fourth: tuple[int, int]
) -> Iterator[MeanTest]:
    """Powers of scores of one token and the other, for one column and for two."""
    factor, excess = fourth
    own = np.diag(_INPUTS @ _INPUTS.T / _INPUTS.shape[1])
    for count in (1, 2):
        queries, keys = (_drawn(rng, draws, count, scale) for scale in _SCALES)
        scores = (queries[:, 0] * keys[:, 1]).sum(axis=1) / np.sqrt(count)
        variance = _SCALES[0] ** 2 * _SCALES[1] ** 2 * own[0] * own[1]
        yield mean_test(abs(scores) ** power, factor * (1 + excess / count) * variance**2)
