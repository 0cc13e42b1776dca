"""Appendix B.2: low-rank heads, finitely many of them beside the Gaussian of the same variance."""

from theorems.attention_limit.details.low_rank import LOW_RANK
from theorems.attention_limit.details.low_rank import POSITIVE_MEAN as LOW_RANK_MEAN
from theorems.attention_limit.letters.attention import m
from theorems.attention_limit.letters.limit import H, Z_y, low_rank_q, q
from theorems.attention_limit.letters.mixtures import low_rank_y
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.main_theorem.infinite_heads import distance_of
from theorems.attention_limit.main_theorem.kurtosis import HIERARCHY, POSITIVE_MEAN
from theorems.engine import Given, Hypothesis, Provenance, le
from theorems.engine.rules import E, Theorem

LOW_RANK_HEADS = Hypothesis(
    "low_rank_heads",
    "$low_rank_y is a standard normal variable times the root of the mean of $H independent copies"
    " of $low_rank_q, of which it is independent",
    latex=r"$low_rank_y = g\sqrt{V}, \quad V = \tfrac{1}{$H}({$low_rank_q}_1 + \dots +"
    r" {$low_rank_q}_H), \quad g \sim \mathcal{N}(0, 1), \ g, {$low_rank_q}_1, \dots,"
    r" {$low_rank_q}_H \text{ independent}",
)

LOW_RANK_HEADS_NEAR = claim(
    "attn.b2.infinite_heads",
    at="Appendix B.2.2",
    title="H low-rank heads are within a constant over H of a Gaussian",
    states=le(distance_of(low_rank_y), ((1 + 2 / m) * E(q**2) - E(q) ** 2) / (2 * H * E(q) ** 2)),
    assuming=[LOW_RANK_HEADS, LOW_RANK, LOW_RANK_MEAN],
    rests_on=["attn.rem33.infinite_heads", "attn.b2.moments"],
    discharging={
        HIERARCHY: "it is assumed of the low-rank heads",
        POSITIVE_MEAN: "the mean of the variance of a low-rank head is that of q",
    },
    provenance=Provenance.DERIVED,
    note="proofs_notes/attn_mixtures.md#finitely-many-heads",
)


@LOW_RANK_HEADS_NEAR.proved()
def moments_of_low_rank_heads(given: Given) -> Theorem:
    """The variance of a low-rank head has the mean E q and the second moment (1 + 2/m)E q²."""
    given.require(LOW_RANK_HEADS)
    equal_heads = given.fact("attn.rem33.infinite_heads", "variance")
    near = given.substituted(equal_heads, {Z_y: low_rank_y, q: low_rank_q})
    moments = [given.fact("attn.b2.moments", part) for part in ("mean", "second")]
    return given.follows(near, *moments)
