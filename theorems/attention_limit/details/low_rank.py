"""Appendix B.2: low-rank attention at a fixed head dimension, whose limit keeps that dimension.

Given the scores, an output of a head has the variance qχ/m, where m is the head dimension and χ a
chi-square variable of m degrees; q is the variance at scores of m rows.
"""

from theorems.attention_limit.letters.attention import m
from theorems.attention_limit.letters.limit import H, chi, kurtosis, low_rank_q, q
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.main_theorem.kurtosis import meaning_of_kurtosis, moments_of_the_mixture
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, gt
from theorems.engine.rules import E, Theorem, facts
from theorems.engine.rules.normal_variables import chi_square_by_parts
from theorems.engine.rules.vocabulary import chi_squared, independent

_AT = "Appendix B.2.2"
_NOTE = "proofs_notes/attn_laws.md#low-rank"

LOW_RANK = Hypothesis(
    "low_rank",
    "$low_rank_q is $q times $chi over $m, where $chi is an independent chi-square variable with"
    " $m degrees of freedom",
    latex=r"$low_rank_q = $q $chi / $m, \quad $chi \sim \chi^2_{$m} \text{ independent of } $q",
)
POSITIVE_MEAN = Hypothesis("positive_mean_of_heads", "the mean of $q is positive", formula=gt(E(q), 0))

MOMENTS = claim(
    "attn.b2.moments",
    at=_AT,
    title="Moments of the variance of a low-rank head given its scores and values",
    states={"mean": eq(E(low_rank_q), E(q)), "second": eq(E(low_rank_q**2), (1 + 2 / m) * E(q**2))},
    assuming=[LOW_RANK],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MOMENTS.proved("mean", "second")
def independent_factors(given: Given) -> Theorem:
    """E χ = m and E χ² = m(m + 2), by parts with the density of χ."""
    law = given.supposed(
        LOW_RANK,
        *(eq(E(low_rank_q**k), E((q * chi / m) ** k)) for k in (1, 2)),
        *(chi_squared(chi, m), independent(q, chi)),
    )
    moments = [chi_square_by_parts(chi, m, k, over={m: given.domain[m]}) for k in (0, 1)]
    products = [facts.expectation_of_independent(q**k, chi**k) for k in (1, 2)]
    return given.follows(law, *moments, facts.powers_of_independent(q, chi, 2, 2), *products)


HEADS = Hypothesis(
    "low_rank_heads",
    "$Z_y is a standard normal variable times the root of the mean of $H independent copies of"
    " $low_rank_q, of which it is independent",
    latex=r"$Z_y = g\sqrt{V}, \quad V = \tfrac{1}{$H}({$low_rank_q}_1 + \dots + {$low_rank_q}_H)",
)

EXCESS = claim(
    "attn.b2.kurtosis",
    at=_AT,
    title="Low rank leaves an excess kurtosis of at least 6/(mH), whatever the scores",
    states={
        "value": eq(kurtosis, 3 * ((1 + 2 / m) * E(q**2) - E(q) ** 2) / (H * E(q) ** 2)),
        "at least": ge(kurtosis, 6 / (m * H)),
    },
    assuming=[LOW_RANK, HEADS, POSITIVE_MEAN],
    rests_on=[MOMENTS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXCESS.proved("value", "at least")
def kurtosis_of_a_mixture(given: Given) -> Theorem:
    """The moments of a mixture over equal heads, and those of their variances."""
    mixture = moments_of_the_mixture(given, HEADS, low_rank_q)
    moments = [given.fact(MOMENTS, part) for part in ("mean", "second")]
    square = facts.expectation_of_square(q)
    return given.follows(meaning_of_kurtosis(given), *mixture, *moments, square)
