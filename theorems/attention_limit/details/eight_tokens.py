"""Appendix B.3.1 and Figure 4: the output over eight tokens."""

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

EIGHT_TOKENS = Hypothesis(
    "eight_tokens",
    "there are two heads and eight tokens, matrices have unit scale and as many rows as the width,"
    " and the inputs are those of Appendix B.1",
)

FIGURE = claim(
    "attn.fig4",
    at="Appendix B.3.1; Figure 4",
    title="Over eight tokens, too, the output comes nearer to its limit as the width grows",
    states=nearer_with_the_width(),
    assuming=[EIGHT_TOKENS],
    note="proofs_notes/attn_figures.md#what-comes-out",
    excused=ONE_UNIT_OFF,
)


@FIGURE.estimated(draws=12, uses=[EIGHT_TOKENS], controls=IN_ANOTHER_ORDER)
def divergences_by_width(
    rng: np.random.Generator, draws: int, below: int, first: int, second: int, third: int, fourth: int
) -> Iterator[MeanTest]:
    """Differences of log KL between neighbouring widths; 2000 draws of both laws a trial."""
    settings = [Setting(n, 2, n, tokens=8) for n in (first, second, third, fourth)]
    yield from falling(rng, settings, min(draws, 16), 2000, below)
