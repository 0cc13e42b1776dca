"""Remarks 3.2 and 3.3: how near finitely many heads are to the Gaussian of infinitely many."""

from sympy import Abs, Expr, sqrt

from theorems.attention_limit.letters.limit import H, Z_y, kurtosis, q
from theorems.attention_limit.letters.mixtures import least_q, most_q, output_level
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.main_theorem.kurtosis import HIERARCHY, POSITIVE_MEAN
from theorems.classical.gaussian_mixtures import MIXTURE, NOT_ZERO
from theorems.classical.letters import mixture, normal_cdf, place
from theorems.classical.steps import letters_of, surely
from theorems.engine import Given, Hypothesis, Provenance, both, eq, le
from theorems.engine.rules import E, P, Theorem, probabilities

_AT = "Example 3.1; Remark 3.2"
_NOTE = "proofs_notes/attn_mixtures.md#finitely-many-heads"
_DISCHARGING = {
    MIXTURE: "given the scores an output is Gaussian, with the mean over the heads as variance",
    NOT_ZERO: "its second moment is the mean of q, which is positive",
}


def distance_of(output: Expr) -> Expr:
    """The distance of an output from the infinite-head Gaussian, whose variance is E q."""
    return Abs(P(le(output, output_level)) - normal_cdf(output_level / sqrt(E(q))))


INFINITE_HEADS = claim(
    "attn.rem33.infinite_heads",
    at=_AT,
    title="H equal heads are within a constant over H of the Gaussian of infinitely many",
    states={
        "variance": le(distance_of(Z_y), (E(q**2) - E(q) ** 2) / (2 * H * E(q) ** 2)),
        "kurtosis": le(distance_of(Z_y), kurtosis / 6),
    },
    assuming=[HIERARCHY, POSITIVE_MEAN],
    rests_on=["attn.kurtosis.moments", "attn.kurtosis", "classical.gaussian_mixtures.kurtosis"],
    discharging=_DISCHARGING,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@INFINITE_HEADS.proved("variance", "kurtosis")
def a_sixth_of_the_kurtosis(given: Given) -> Theorem:
    """The limit output is a Gaussian mixture with known second and fourth moments."""
    near = given.fact(
        "classical.gaussian_mixtures.kurtosis", "distance", at={mixture: Z_y, place: output_level}
    )
    moments = [given.fact("attn.kurtosis.moments", part) for part in ("second", "fourth")]
    return given.follows(near, *moments, given.fact("attn.kurtosis", "value"))


BOUNDED = Hypothesis(
    "bounded_variance",
    "$q lies almost surely between $least_q and $most_q: so it does between the smallest eigenvalue"
    " of the covariance of the values over the number of tokens, if that is positive, and the"
    " largest variance of a value",
    latex=r"$least_q \le $q \le $most_q \text{ almost surely}",
)

RANGE = claim(
    "attn.rem33.infinite_heads.range",
    at=_AT,
    title="How near H equal heads are to infinitely many, by the range of the variance",
    states=le(distance_of(Z_y), (most_q - least_q) ** 2 / (8 * H * least_q * most_q)),
    assuming=[HIERARCHY, BOUNDED],
    rests_on=[INFINITE_HEADS],
    discharging={POSITIVE_MEAN: "the mean is at least the lower bound, which is positive"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RANGE.proved()
def values_at_the_ends(given: Given) -> Theorem:
    """As (q_+ - q)(q - q_-) is not negative, E q² is at most (q_- + q_+)E q - q_-q_+."""
    over = letters_of(given, least_q, most_q, q)
    inside, line = both(le(least_q, q), le(q, most_q)), (least_q + most_q) * q - least_q * most_q
    means = [probabilities.larger_mean(*sides) for sides in ((q**2, line), (least_q, q))]
    sure = [surely(inside, event, over) for event in (le(q**2, line), le(least_q, q))]
    sure.append(given.supposed(BOUNDED, eq(P(inside), 1)))
    return given.follows(given.fact(INFINITE_HEADS, "variance"), *means, *sure)
