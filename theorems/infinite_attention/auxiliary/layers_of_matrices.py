"""Lemmas 32 and 33 beside layers whose weights are drawn as matrices."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.arguments import Floats
from numeric.statistics import MeanTest, mean_test
from symbolic.gaussian.wick import gaussian_mean
from theorems.engine import Discrepancy, Provenance, sentence
from theorems.infinite_attention.letters.table import claim

MATRICES = claim(
    "inf.lem33.matrices",
    at="Lemma 33; Equation (38)",
    title="Moments of layers with weight matrices are those of the exact law given the inputs",
    states={
        "products": sentence(
            r"\operatorname{Var} \frac{\langle $query_a_row, $query_b_row\rangle}{d^G} ="
            r" \sigma_Q^{$power} ($square_a $square_b_drawn + $cross $product_drawn^{$square})"
            r" (d^G)^{$columns}",
            power=4,
            cross=1,
            square=2,
            columns=-1,
        ),
        "scores": sentence(
            r"\mathbb{E}|$score_entry|^{$order} = $three (\sigma_Q \sigma_K)^{$scales}"
            r" ($square_a $square_i)^{$kernels} \frac{d^G + $excess}{d^G}",
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
    controls={"no covariance": {"cross": 0}, "other scale": {"power": 3}, "no columns": {"columns": 0}},
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
    controls={"of the limit": {"excess": 0}, "other factor": {"three": 2}, "third power": {"order": 3}},
)
def powers_of_scores(
    rng: np.random.Generator, draws: int, order: int, three: int, scales: int, kernels: int, excess: int
) -> Iterator[MeanTest]:
    """Powers of scores of one token and the other, for one column and for two."""
    own = np.diag(_INPUTS @ _INPUTS.T / _INPUTS.shape[1])
    variances = float(own[0] * own[1])
    for count in (1, 2):
        queries, keys = (_drawn(rng, draws, count, scale) for scale in _SCALES)
        scores = (queries[:, 0] * keys[:, 1]).sum(axis=1) / np.sqrt(count)
        size = (_SCALES[0] * _SCALES[1]) ** scales * variances**kernels
        yield mean_test(abs(scores) ** order, three * size * (count + excess) / count)


#: Whole numbers for the inputs of two tokens, in two columns, and numbers of columns of queries.
_ENTRIES = st.tuples(*[st.integers(1, 3)] * 4)
_SQUARES = sp.Rational(9, 4), sp.Rational(25, 16)


def _queries(
    name: str, inputs: tuple[int, ...], columns: int, square: Any
) -> tuple[sp.Matrix, dict[Any, Any]]:
    """Queries or keys of both tokens with letters for weights, and the variances of these."""
    weights = sp.Matrix(2, columns, sp.symbols(f"{name}:{2 * columns}"))
    return sp.Matrix(2, 2, inputs) * weights, {(w, w): square / 2 for w in weights}


def _products(inputs: tuple[int, ...]) -> tuple[float, float, float]:
    """Mean products of the inputs: of the first token, of the second, and of both."""
    own = np.reshape(inputs, (2, 2)) @ np.reshape(inputs, (2, 2)).T / 2
    return float(own[0, 0]), float(own[1, 1]), float(own[0, 1])


@MATRICES.tested("products", over=st.tuples(_ENTRIES, st.integers(1, 2)), cases=12)
def polynomials_in_weights(
    case: tuple[tuple[int, ...], int], power: Any, cross: Any, square: Any, columns: Any
) -> Discrepancy:
    """The variance of the polynomial that a mean product is, by Wick's formula."""
    inputs, count = case
    queries, variances = _queries("w", inputs, count, _SQUARES[0])
    letters = [w for w, _ in variances]
    product = sp.expand((queries.row(0) * queries.row(1).T)[0] / count)
    mean, second = (gaussian_mean(sp.expand(product**k), letters, variances) for k in (1, 2))
    first, other, both = _products(inputs)
    spread = first * other + float(cross) * both ** float(square)
    stated = float(_SQUARES[0]) ** (float(power) / 2) * spread * count ** float(columns)
    return Discrepancy(float(second - mean**2) / stated - 1, 1e-12)


def _power_of_score(inputs: tuple[int, ...], count: int, order: Any) -> float:
    """The mean of a score's power: with Wick's formula, or for one column as a product of two."""
    if count == 1 or order % 2:
        sizes = zip(_products(inputs)[:2], _SQUARES, strict=True)
        half = float(order) / 2
        normal = 2**half * math.gamma(half + 1 / 2) / math.sqrt(math.pi)
        return float(math.prod(normal * float(v * s) ** half for v, s in sizes))
    queries, of_queries = _queries("q", inputs, count, _SQUARES[0])
    keys, of_keys = _queries("k", inputs, count, _SQUARES[1])
    score = (queries.row(0) * keys.row(1).T)[0] / sp.sqrt(count)
    variances = of_queries | of_keys
    letters = [w for w, _ in variances]
    return float(gaussian_mean(sp.expand(score ** int(order)), letters, variances))


@MATRICES.tested("scores", over=st.tuples(_ENTRIES, st.integers(1, 2)), cases=8)
def powers_of_polynomials(
    case: tuple[tuple[int, ...], int], order: Any, three: Any, scales: Any, kernels: Any, excess: Any
) -> Discrepancy:
    """A power of the polynomial that a score is; orders that are not even with one column only."""
    inputs, drawn = case
    count = 1 if order % 2 else drawn
    first, other, _ = _products(inputs)
    of_weights = math.prod(map(float, _SQUARES)) ** (float(scales) / 2)
    size = of_weights * (first * other) ** float(kernels)
    stated = float(three) * size * (count + float(excess)) / count
    return Discrepancy(_power_of_score(inputs, count, order) / stated - 1, 1e-12)
