"""Appendix B.3.2 and Figure 5: the output for inputs behind a ReLU."""

from collections.abc import Iterator

import numpy as np

from numeric.statistics import MeanTest
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.sampling.outputs import (
    IN_ANOTHER_ORDER,
    ONE_UNIT_OFF,
    Setting,
    falling,
    nearer_with_the_width,
)
from theorems.engine import Hypothesis

BEHIND_RELU = Hypothesis(
    "behind_relu",
    "there are two heads and four tokens, matrices have unit scale and as many rows as the width,"
    " and the inputs are those of Appendix B.1 with a ReLU in place of the clipping",
)

FIGURE = claim(
    "attn.fig5",
    at="Appendix B.3.2; Figure 5",
    title="Behind a ReLU, too, the output comes nearer to its limit as the width grows",
    states=nearer_with_the_width(),
    assuming=[BEHIND_RELU],
    note="proofs_notes/attn_figures.md#what-comes-out",
    excused=ONE_UNIT_OFF,
)


@FIGURE.estimated(draws=12, uses=[BEHIND_RELU], controls=IN_ANOTHER_ORDER)
def divergences_by_width(
    rng: np.random.Generator, draws: int, below: int, first: int, second: int, third: int, fourth: int
) -> Iterator[MeanTest]:
    """Differences of log KL between neighbouring widths; 500 draws of both laws a trial."""
    settings = [Setting(n, 2, n, activation="relu") for n in (first, second, third, fourth)]
    yield from falling(rng, settings, min(draws, 16), 500, below)
