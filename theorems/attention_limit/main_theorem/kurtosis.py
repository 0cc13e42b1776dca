"""Remark 3.3, before it: how far from Gaussian the limit output is, by its fourth moment."""

import sympy as sp

from theorems.attention_limit.letters.limit import H, Z_y, kurtosis, q
from theorems.attention_limit.letters.table import claim
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Severity,
    eq,
    gt,
    iff,
    integers,
    rules,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.normal_variables import fourth_moment
from theorems.engine.rules.vocabulary import independent, normal, randoms

_AT = "Example 3.1; Remark 3.3"
_NOTE = "proofs_notes/attn_laws.md#excess-kurtosis"

HIERARCHY = Hypothesis(
    "hierarchy",
    "$Z_y is a standard normal variable times the root of the mean of $H independent copies of $q,"
    " of which it is independent",
    latex=r"$Z_y = g\sqrt{V}, \quad V = \tfrac{1}{$H}({$q}_1 + \dots + {$q}_H), \quad"
    r" g \sim \mathcal{N}(0, 1), \ g, {$q}_1, \dots, {$q}_H \text{ independent}",
)
POSITIVE_MEAN = Hypothesis(
    "positive_mean",
    "the mean of $q is positive, that is, not all limits of values vanish",
    formula=gt(E(q), 0),
)
_h = sp.Symbol("h", integer=True, nonnegative=True)
_g = Random("g")
_S, _q = randoms("S"), randoms("q")

MOMENTS = claim(
    "attn.kurtosis.moments",
    at=_AT,
    title="Second and fourth moment of the limit output with equal heads",
    states={
        "second": eq(E(Z_y**2), E(q)),
        "fourth": eq(E(Z_y**4), 3 * (E(q) ** 2 + (E(q**2) - E(q) ** 2) / H)),
    },
    assuming=[HIERARCHY],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _sums_of_heads(given: Given, law: Hypothesis, q: Random) -> Theorem:
    """E S_h = h E q and E S_h² = h E q² + h(h - 1)(E q)² for sums of h heads, by induction."""
    over = {_h: integers(0), q: q.belongs_to}
    said = [
        given.meaning("a sum of no heads", eq(E(_S(0)), 0), eq(E(_S(0) ** 2), 0)),
        given.meaning(
            "a sum with one head more",
            *(eq(E(_S(_h + 1) ** k), E((_S(_h) + _q(_h)) ** k)) for k in (1, 2)),
            over=over,
        ),
        given.supposed(law, independent(_S(_h), _q(_h)), eq(E(_q(_h)), E(q)), eq(E(_q(_h) ** 2), E(q**2))),
        facts.expectation_of_independent(_S(_h), _q(_h)),
    ]
    goal = sp.And(eq(E(_S(_h)), _h * E(q)), eq(E(_S(_h) ** 2), _h * E(q**2) + _h * (_h - 1) * E(q) ** 2))
    sums = rules.induction(goal, _h, 0, base=said, step=said)
    return sums.at({_h: H})


def moments_of_the_mixture(given: Given, law: Hypothesis, q: Random) -> list[Theorem]:
    """E Z² = E V and E Z⁴ = 3 E V², as E g² = 1 and E g⁴ = 3; V is a mean of H copies of q."""
    V = _S(H) / H
    over = {H: given.domain[H], q: q.belongs_to}
    mixture = given.supposed(
        law,
        *(eq(E(Z_y**k), E((_g * sp.sqrt(V)) ** k)) for k in (2, 4)),
        *(independent(_g, _S(H)), normal(_g)),
        eq(E(_g**2), 1),
        over=over,
    )
    products = [
        *(facts.powers_of_independent(_g, _S(H), k, k // 2, over=over) for k in (2, 4)),
        facts.expectation_of_independent(_g**2, _S(H)),
        facts.expectation_of_independent(_g**4, _S(H) ** 2),
    ]
    return [mixture, fourth_moment(_g), *products, _sums_of_heads(given, law, q)]


@MOMENTS.proved("second", "fourth")
def gaussian_given_the_scores(given: Given) -> Theorem:
    """The second moment is E V, the fourth 3 E V²."""
    return given.follows(*moments_of_the_mixture(given, HIERARCHY, q))


KURTOSIS = claim(
    "attn.kurtosis",
    at=_AT,
    title="Excess kurtosis of the limit output with equal heads",
    states={
        "value": eq(kurtosis, 3 * (E(q**2) - E(q) ** 2) / (H * E(q) ** 2)),
        "zero": iff(eq(kurtosis, 0), eq(E((q - E(q)) ** 2), 0)),
    },
    assuming=[HIERARCHY, POSITIVE_MEAN],
    rests_on=[MOMENTS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@KURTOSIS.proved("value", "zero")
def ratio_of_moments(given: Given) -> Theorem:
    """The fourth moment over the square of the second, less 3."""
    moments = [given.fact(MOMENTS, part) for part in ("second", "fourth")]
    return given.follows(meaning_of_kurtosis(given), *moments)


NOT_GAUSSIAN = claim(
    "attn.rem33.gaussian",
    at="Remark 3.3",
    title="The limit output of an attention layer is not Gaussian, however many tokens there are",
    states=sentence(
        r"Z^{y^i} \text{ is not Gaussian for any number of tokens } $s_tokens \ge $least", least=1
    ),
    note=_NOTE,
)


@NOT_GAUSSIAN.refuted(severity=Severity.EDGE, controls={"two tokens": {"least": 2}})
def weights_that_add_up_to_one(least: int) -> Obligations:
    """The variance given the scores, for uncorrelated values, at the fewest tokens: a constant."""
    scores = sp.symbols(f"p1:{least + 1}", real=True)
    total = sum(map(sp.exp, scores))
    variance = sum((sp.exp(score) / total) ** 2 for score in scores)
    slopes = [sp.simplify(sp.diff(variance, score)) for score in scores]
    yield "scores do not change it, so that the output is Gaussian", slopes == [0] * least


SCORES_MATTER = NOT_GAUSSIAN.corrected(
    "attn.rem33.gaussian.corrected",
    title="The output has the fourth moment of a Gaussian just where its variance is constant",
    states=iff(eq(E(Z_y**4), 3 * E(Z_y**2) ** 2), eq(E((q - E(q)) ** 2), 0)),
    assuming=[HIERARCHY, POSITIVE_MEAN],
    rests_on=[MOMENTS],
    note=_NOTE,
)


@SCORES_MATTER.proved()
def from_both_moments(given: Given) -> Theorem:
    """E Z⁴ less 3 (E Z²)² is three times the variance of q over the number of heads."""
    return given.follows(*(given.fact(MOMENTS, part) for part in ("second", "fourth")))


def meaning_of_kurtosis(given: Given) -> Theorem:
    """The fourth moment is κ + 3 times the square of the second."""
    return given.meaning("the excess kurtosis", eq(kurtosis * E(Z_y**2) ** 2, E(Z_y**4) - 3 * E(Z_y**2) ** 2))
