"""Theorem 3: the kurtosis of outputs, beside draws of all matrices of a layer."""

from collections.abc import Callable, Iterator
from functools import lru_cache

import numpy as np

from numeric.arguments import Floats
from numeric.networks.multi_head import MultiHeadLayer, sample_multi_head
from numeric.statistics import MeanTest, mean_test
from theorems.engine import Choice, Provenance, half_line, sentence
from theorems.infinite_attention.letters.layers import kurtosis_ratio
from theorems.infinite_attention.letters.table import claim

#: Of the ratio R of the second moment to the square of the mean, and of the numbers of heads,
#: of values and of columns of scores; and R itself, of the matrix of mean products.
Kurtosis = Callable[[float, int, int, int], float]
Ratio = Callable[[Floats], float]
Rows = tuple[tuple[float, ...], ...]
_SHAPES = ((4, 8, 6), (3, 12, 16))


def _at_all_widths(ratio: float, heads: int, values: int, scores: int) -> float:
    return 3 + 3 * ((1 + 2 / values) * (1 + 2 / scores) * ratio - 1) / heads


def _with_many_values(ratio: float, heads: int, _values: int, scores: int) -> float:
    return 3 + 3 * ((1 + 2 / scores) * ratio - 1) / heads


def _with_many_columns(ratio: float, heads: int, values: int, _scores: int) -> float:
    return 3 + 3 * ((1 + 2 / values) * ratio - 1) / heads


def _spectral(gram: Floats) -> float:
    square = gram @ gram
    return float(1 + 2 * np.trace(square @ square) / np.trace(square) ** 2)


def _of_positive_parts(gram: Floats) -> float:
    return 1 + 5 / len(gram)


_WIDTHS = Choice(
    r"3 + \tfrac{3}{d^H} \left((1 + \tfrac{2}{d^V}) (1 + \tfrac{2}{d^G}) R - 1\right)", _at_all_widths
)
_STATED = (
    r"\operatorname{kurt} $layer_entry = $kurtosis, \quad $kurtosis_ratio = $ratio \quad"
    r" \text{for } "
)

DRAWN = claim(
    "inf.thm3.kurtosis.drawn",
    at="Theorem 3",
    title="The kurtosis of outputs of drawn layers is that of the closed forms",
    states={
        "identity": sentence(
            _STATED + "$score_map($plain_scores) = $plain_scores",
            kurtosis=_WIDTHS,
            ratio=Choice(r"1 + 2 \operatorname{tr} S^4 / (\operatorname{tr} S^2)^2", _spectral),
        ),
        "ReLU": sentence(
            _STATED + r"$score_map = \text{ReLU}, \ $token_products \text{ a multiple of the identity}",
            kurtosis=_WIDTHS,
            ratio=Choice("1 + 5 / d^s", _of_positive_parts),
        ),
    },
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_kernels.md#kurtosis",
)

_CONTROLS = {
    "many_values": {"kurtosis": Choice(r"\text{that at } d^V = \infty", _with_many_values)},
    "many_columns": {"kurtosis": Choice(r"\text{that at } d^G = \infty", _with_many_columns)},
    "constant": {"ratio": Choice("1", lambda _gram: 1.0)},
}


def _tests(
    rng: np.random.Generator, draws: int, name: str, factor: Floats, stated: tuple[Kurtosis, float]
) -> Iterator[MeanTest]:
    """Given the heads an output is normal, so that its fourth moment is three squared variances."""
    (kurtosis, ratio), seed = stated, int(rng.integers(2**62))
    for place, shape in enumerate(_SHAPES):
        rows = tuple(map(tuple, factor.tolist()))
        variances = _variances((seed, place), draws, name, rows, shape) / _mean_square(name, factor)
        yield mean_test(3 * variances**2, kurtosis(ratio, *shape))


@lru_cache(maxsize=8)
def _variances(
    seed: tuple[int, int], draws: int, name: str, factor: Rows, shape: tuple[int, int, int]
) -> Floats:
    """Variances of an output given the heads, which the controls need as well."""
    heads, values, scores = shape
    layer = MultiHeadLayer(heads, scores, values, score_map=name)
    rng = np.random.default_rng(seed)
    drawn = sample_multi_head(np.array([factor]), layer, len(factor), 1, rng, draws)
    return drawn.output_covariances[:, 0, 0, 0, 0]


def _mean_square(name: str, factor: Floats) -> float:
    """E f² at unit scales: S_aa tr S² for the identity, and c³ d^s/2 for positive parts."""
    gram = factor @ factor.T
    if name == "identity":
        return float(gram[0, 0] * np.trace(gram @ gram))
    return float(gram[0, 0] ** 3 * len(gram) / 2)


#: For which the evidence is written.
_RANGES = {kurtosis_ratio: half_line(0)}


@DRAWN.estimated("identity", draws=40_000, controls=_CONTROLS, over=_RANGES)
def correlated_tokens(
    rng: np.random.Generator, draws: int, kurtosis: Kurtosis, ratio: Ratio
) -> Iterator[MeanTest]:
    """Two tokens, at two shapes of the layer."""
    factor = np.array([[1.0, 0.5], [0.0, 0.8]])
    stated = kurtosis, ratio(factor @ factor.T)
    yield from _tests(rng, draws, "identity", factor, stated)


@DRAWN.estimated("ReLU", draws=40_000, controls=_CONTROLS, over=_RANGES)
def uncorrelated_tokens(
    rng: np.random.Generator, draws: int, kurtosis: Kurtosis, ratio: Ratio
) -> Iterator[MeanTest]:
    """Three tokens, at two shapes of the layer."""
    factor = 1.3 * np.eye(3)
    stated = kurtosis, ratio(factor @ factor.T)
    yield from _tests(rng, draws, "relu", factor, stated)
