"""Lemmas 32 and 33 beside layers whose weights are drawn as matrices."""

from collections.abc import Iterator

import numpy as np

from numeric.arguments import Floats
from numeric.statistics import MeanTest, mean_test
from theorems.engine import Provenance, sentence
from theorems.infinite_attention.letters.table import claim

MATRICES = claim(
    "inf.lem33.matrices",
    at="Lemma 33; Equation (38)",
    title="Moments of layers with weight matrices are those of the exact law given the inputs",
    states={
        "products": sentence(
            r"\operatorname{Var} \frac{\langle Q_a, Q'_b\rangle}{d^G} = \sigma_Q^{$power}"
            r" (\hat\kappa_{aa} \hat\kappa_{bb} + $cross \hat\kappa_{ab}^{$square})"
            r" (d^G)^{$columns}",
            power=4,
            cross=1,
            square=2,
            columns=-1,
        ),
        "scores": sentence(
            r"\mathbb{E}|G_{ai}|^{$order} = $three (\sigma_Q \sigma_K)^{$scales}"
            r" (\hat\kappa_{aa} \hat\kappa_{ii})^{$kernels} \frac{d^G + $excess}{d^G}",
            order=4,
            three=3,
            scales=4,
            kernels=2,
            excess=2,
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
        "no covariance": {"cross": 0},
        "other scale": {"power": 3},
        "no columns": {"columns": 0},
    },
)
def products_of_queries(
    rng: np.random.Generator, draws: int, power: int, cross: int, square: int, columns: int
) -> Iterator[MeanTest]:
    """Squares of deviations from the mean, for two and three columns."""
    own = _INPUTS @ _INPUTS.T / _INPUTS.shape[1]
    spread = own[0, 0] * own[1, 1] + cross * own[0, 1] ** square
    for count in (2, 3):
        queries = _drawn(rng, draws, count, _SCALES[0])
        means = (queries[:, 0] * queries[:, 1]).mean(axis=1) - _SCALES[0] ** 2 * own[0, 1]
        yield mean_test(means**2, _SCALES[0] ** power * spread * float(count) ** columns)


@MATRICES.estimated(
    "scores",
    draws=200_000,
    controls={
        "of the limit": {"excess": 0},
        "other factor": {"three": 2},
        "third power": {"order": 3},
    },
)
def powers_of_scores(
    rng: np.random.Generator,
    draws: int,
    order: int,
    three: int,
    scales: int,
    kernels: int,
    excess: int,
) -> Iterator[MeanTest]:
    """Powers of scores of one token and the other, for one column and for two."""
    own = np.diag(_INPUTS @ _INPUTS.T / _INPUTS.shape[1])
    variances = float(own[0] * own[1])
    for count in (1, 2):
        queries, keys = (_drawn(rng, draws, count, scale) for scale in _SCALES)
        scores = (queries[:, 0] * keys[:, 1]).sum(axis=1) / np.sqrt(count)
        size = (_SCALES[0] * _SCALES[1]) ** scales * variances**kernels
        yield mean_test(abs(scores) ** order, three * size * (count + excess) / count)
