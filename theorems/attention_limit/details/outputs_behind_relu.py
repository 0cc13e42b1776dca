"""Appendix B.3.2 and Figure 5: the output for inputs behind a ReLU."""

from collections.abc import Iterator

import numpy as np

from numeric.statistics import MeanTest
from theorems.attention_limit.letters.simulations import first_limit, first_output
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.sampling.outputs import DISTANCE_FALLS, Setting, falling
from theorems.engine import Choice, Hypothesis, sentence

BEHIND_RELU = Hypothesis(
    "behind_relu",
    "there are two heads and four tokens, matrices have unit scale and as many rows as the width,"
    " and the inputs are those of Appendix B.1 with a ReLU in place of the clipping",
)

FIGURE = claim(
    "attn.fig5",
    at="Appendix B.3.2; Figure 5",
    title="Behind a ReLU, too, the output comes nearer to its limit as the width grows",
    states=sentence(
        DISTANCE_FALLS,
        below=Choice("<", 1), first=16, second=64, third=256, fourth=1024,
    ),
    given=[first_output, first_limit],
    assuming=[BEHIND_RELU],
    note="proofs_notes/attn_figures.md#what-comes-out",
    excused=dict.fromkeys(
        ("first", "second", "third", "fourth"),
        "true as well: it falls at every width, by 0.2 per cent or more for one unit",
    ),
)  # fmt: skip


@FIGURE.estimated(
    draws=12,
    uses=[BEHIND_RELU],
    controls={
        "rising": {"below": -1},
        "exchanged": {"second": 256, "third": 64},
        "from_a_wider_one": {"first": 256},
        "to_a_narrower_one": {"fourth": 64},
    },
)
def divergences_by_width(
    rng: np.random.Generator,
    draws: int,
    below: int,
    first: int,
    second: int,
    third: int,
    fourth: int,
) -> Iterator[MeanTest]:
    """Differences of log KL between neighbouring widths; 2000 draws of both laws a trial."""
    settings = [Setting(n, 2, n, activation="relu") for n in (first, second, third, fourth)]
    yield from falling(rng, settings, min(draws, 16), 2000, below)
