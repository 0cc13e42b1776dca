"""Example 3.1 with the four tokens of the experiments: the excess kurtosis of an output."""

from collections.abc import Iterator
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np
from scipy.special import ndtri
from sympy import Rational, pi

from numeric.arguments import Floats, integer
from numeric.networks.attention import gram_factor
from numeric.statistics import MeanTest, mean_test
from theorems.attention_limit.letters.limit import H
from theorems.attention_limit.letters.table import SIZE, claim
from theorems.attention_limit.main_theorem.kurtosis import HIERARCHY, POSITIVE_MEAN
from theorems.engine import Hypothesis, Provenance, sentence
from theorems.engine.statements.statement import Sentence

UNIT_SCALES = Hypothesis(
    "unit_scales",
    "$Z_y is an entry of the limit of the output of any token in Example 3.1, and all scales of"
    " weights are 1",
)


def _digits(places: int, digits: int, square: Any, product: Any) -> Sentence:
    return sentence(
        r"\mathbb{E}[$Z_xj $Z_xj] = $square,\ \mathbb{E}[$Z_xj $Z_xk] = $product"
        r" \text{ for } j \ne k,\ s = $tokens,\ "
        r"$H = $heads: \quad \lfloor {$ten}^{$places} \, $kurtosis \rfloor = $digits",
        square=square, product=product, tokens=4, heads=1, ten=10, places=places, digits=digits,
    )  # fmt: skip


FOUR = claim(
    "attn.kurtosis.four_tokens",
    at="Example 3.1; Remark 3.3",
    title="The excess kurtosis of the output of one head for four tokens, clipped or rectified",
    states={"clipped": _digits(3, 243, 1, 0), "rectified": _digits(4, 36, Rational(1, 2), 1 / (2 * pi))},
    assuming=[HIERARCHY, POSITIVE_MEAN, UNIT_SCALES],
    rests_on=["attn.kurtosis"],
    provenance=Provenance.DERIVED,
    note="proofs_notes/attn_laws.md#four-tokens",
    excused={"sign of ten: 10 -> -10": "the same statement where the power is even"},
)
_POINTS, _GENERATOR = 16381, 12925


@lru_cache(maxsize=4)
def _lattice(dimension: int) -> Floats:
    """The points of the lattice, shape ``(dimension, points)``: long rows are quicker to add."""
    powers = [pow(_GENERATOR, j, _POINTS) for j in range(dimension)]
    return np.asarray(np.outer(powers, np.arange(_POINTS)) % _POINTS / _POINTS)


def _normals(rng: np.random.Generator, dimension: int) -> Floats:
    """A lattice of normal vectors with a random shift: each of them is standard normal."""
    shifted = _lattice(dimension) + rng.random((dimension, 1))
    shifted -= shifted >= 1
    return np.asarray(ndtri(np.clip(1 - np.abs(2 * shifted - 1), 2.0**-60, 1 - 2.0**-53)))


@lru_cache(maxsize=8)
def _moments(seed: int, draws: int, square: float, product: float, tokens: int) -> Floats:
    """Unbiased estimates of E q and E q², two for each draw, shape ``(2, draws, 2)``."""
    gram = product + (square - product) * np.eye(tokens)
    factor, rng = gram_factor(gram), np.random.default_rng(seed)
    found = np.empty((2, draws, 2))
    for place in np.ndindex(2, draws):
        weights = np.exp(sqrt(square) * factor @ _normals(rng, tokens))
        variances = np.sum((factor.T @ weights) ** 2, axis=0) / np.sum(weights, axis=0) ** 2
        found[place] = variances.mean(), np.mean(variances**2)
    return found


def _tests(
    rng: np.random.Generator, draws: int, gram: tuple[Any, Any, Any], heads: Any, digits: Any,
    unit: float,
) -> Iterator[MeanTest]:  # fmt: skip
    """Whether E q² lies between (1 + Hκ/3)(E q)² for the least and the largest κ of such digits."""
    square, product, tokens = gram
    seed, count = int(rng.integers(2**62)), integer("tokens", tokens, 1)
    pairs = _moments(seed, min(draws, 64), float(square), float(product), count)
    first, second = pairs[..., 0], pairs[..., 1].mean(axis=0)
    if not first.any():
        raise ValueError("square must not vanish: no output, no kurtosis")
    means, share = first[0] * first[1], integer("heads", heads, 1) * unit / 3
    low = integer("digits", digits, 0)
    yield mean_test(second - (1 + share * low) * means, 0.0, alternative="less")
    yield mean_test(second - (1 + share * (low + 1)) * means, 0.0, alternative="greater")


_CONTROLS = {"of_two_heads": {"heads": 2}, "of_three_tokens": {"tokens": 3}, "of_five_tokens": {"tokens": 5}}
_USED = {"uses": [HIERARCHY, POSITIVE_MEAN, UNIT_SCALES], "over": {H: SIZE}}


@FOUR.estimated("clipped", draws=32, controls=_CONTROLS, **_USED)
def kurtosis_behind_clipping(
    rng: np.random.Generator, draws: int, square: Any, product: Any, tokens: Any, heads: Any,
    ten: Any, places: Any, digits: Any,
) -> Iterator[MeanTest]:  # fmt: skip
    """Lattices with random shifts, in pairs: a mean of two second moments less two means."""
    unit = float(ten) ** -float(places)
    yield from _tests(rng, draws, (square, product, tokens), heads, digits, unit)


@FOUR.estimated("rectified", draws=32, controls=_CONTROLS, **_USED)
def kurtosis_behind_relu(
    rng: np.random.Generator, draws: int, square: Any, product: Any, tokens: Any, heads: Any,
    ten: Any, places: Any, digits: Any,
) -> Iterator[MeanTest]:  # fmt: skip
    """The same with the covariance of rectified inputs."""
    unit = float(ten) ** -float(places)
    yield from _tests(rng, draws, (square, product, tokens), heads, digits, unit)
