"""Rates at which errors fall with the unit of width, in networks of widths m_k = k²m."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.statistics import SlopeTest, slope_test
from theorems.engine import integers
from theorems.eoc_mlp.hypotheses import SQUARE_WIDTHS
from theorems.eoc_mlp.letters import m

RATE = Fraction(-1, 2)
OTHER_RATES = {"no_decay": {"exponent": 0}, "as_one_over_m": {"exponent": -1}}
NOTE = "proofs_notes/eoc_exact_law.md#the-theorems-own-regime"
#: The widths of the samples.
DRAWN: dict[str, Any] = {"uses": [SQUARE_WIDTHS], "over": {m: integers(1)}}
PAIR = ((1.0, 0.0), (0.6, 0.8))
COSINE = 0.6
ABSOLUTE_VALUE, RELU = (0.0, 1.0), (0.5, 0.5)


def slopes_of_means(drawn: Mapping[int, tuple[Floats, ...]], expected: float) -> Iterator[SlopeTest]:
    """The exponents of the mean errors against m, one for each kind of error drawn at each m."""
    sizes = list(drawn)
    for samples in zip(*drawn.values(), strict=True):
        means = [sample.mean() for sample in samples]
        deviations = [sample.std(ddof=1) / np.sqrt(len(sample)) for sample in samples]
        yield slope_test(sizes, means, deviations, expected)


def square_widths(m: int, depth: int) -> tuple[int, ...]:
    """The widths m, 4m, 9m, ... of the hidden layers."""
    return tuple(k * k * m for k in range(1, depth))
