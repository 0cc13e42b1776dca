"""Appendix B.2.2 and Figure 3: heads of dimension 64, whose number grows with the width."""

from collections.abc import Iterator

import numpy as np

from numeric.statistics import MeanTest
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.sampling.outputs import DIVERGENCE, Setting, falling
from theorems.engine import Choice, Hypothesis, sentence

_DIMENSION = 64

LOW_RANK = Hypothesis(
    "low_rank",
    "there are four tokens, the dimension of a head is 64, matrices have unit scale, and the inputs"
    " are those of Appendix B.1",
)

FIGURE = claim(
    "attn.fig3",
    at="Appendix B.2.2; Figure 3",
    title="With heads of dimension 64 the output comes nearer to the limit as width and heads grow",
    states=sentence(
        r"\mathrm{KL}_{n', H'} $below \mathrm{KL}_{n, H}, \quad (n, H), (n', H') \in"
        r" ($first, $one), ($second, $four), ($third, $sixteen), \quad"
        + DIVERGENCE.replace("_n", "_{n, H}"),
        below=Choice("<", 1), first=64, one=1, second=256, four=4, third=1024, sixteen=16,
    ),

    assuming=[LOW_RANK],
    note="proofs_notes/attn_figures.md#heads-of-fixed-dimension",
    excused=dict.fromkeys(
        ("first", "one", "second", "four", "third", "sixteen"),
        "true as well: it falls with the width, and changes little with one head more",
    ),
)  # fmt: skip


@FIGURE.estimated(
    draws=12,
    uses=[LOW_RANK],
    controls={
        "rising": {"below": -1},
        "exchanged": {"second": 1024, "four": 16, "third": 256, "sixteen": 4},
        "from_a_wider_one": {"first": 1024, "one": 16},
    },
)
def divergences_by_width(
    rng: np.random.Generator,
    draws: int,
    below: int,
    first: int,
    one: int,
    second: int,
    four: int,
    third: int,
    sixteen: int,
) -> Iterator[MeanTest]:
    """Differences of log KL between neighbours; 2000 draws of both laws a trial."""
    pairs = ((first, one), (second, four), (third, sixteen))
    settings = [Setting(n, heads, _DIMENSION) for n, heads in pairs]
    yield from falling(rng, settings, min(draws, 16), 2000, below)
