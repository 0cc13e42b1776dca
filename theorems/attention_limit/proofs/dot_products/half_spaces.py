"""Proposition D.1 at finite width: half-spaces are as probable as in the limit up to 1/m.

Given the inputs and the keys every linear combination of scores is Gaussian, so that its law is a
Gaussian one of random variance; m is the number of rows, which is the width in the paper's layer.
"""

from typing import Any

import sympy as sp
from sympy import Abs, Rational, Sum, Symbol, exp, pi, sqrt

from theorems.attention_limit.letters.attention import S_ii, S_jj, m, p_ij, sigma_key, sigma_query
from theorems.attention_limit.letters.mixtures import eigenvalues, largest_distance, level, score_sum
from theorems.attention_limit.letters.table import POSITIVE, claim
from theorems.attention_limit.preliminary.attention import GAUSSIAN_ROWS
from theorems.classical.gaussian_mixtures import GAUSSIAN_MIXTURE, MIXTURE, NOT_ZERO
from theorems.classical.gaussian_moments import standard
from theorems.classical.letters import V, mixture, normal, normal_cdf, place
from theorems.classical.mixture_expansion import MEAN_ONE
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, gt, implies, integers, le, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles, sums
from theorems.engine.rules.normal_variables import (
    chi_square_by_parts,
    chi_square_is_positive,
    exponential_of_square,
    fourth_moment,
    mean_over_normal,
    near_means_of_a_bell,
)
from theorems.engine.rules.vocabulary import chi_squared, independent, kolmogorov, randoms

_AT = "Proposition D.1"
_NOTE = "proofs_notes/attn_mixtures.md#scores-at-finite-width"

NOT_CONSTANT = Hypothesis(
    "score_is_not_constant",
    "$p_ij is not almost surely zero, that is, neither of the two inputs vanishes",
    formula=gt(E(p_ij**2), 0),
)

EXCESS = claim(
    "attn.propD1.kurtosis",
    at=_AT,
    title="No score is Gaussian at a finite width",
    states={
        "value": eq(E(p_ij**4) / E(p_ij**2) ** 2 - 3, 6 / m),
        "excess": gt(E(p_ij**4), 3 * E(p_ij**2) ** 2),
    },
    assuming=[GAUSSIAN_ROWS, NOT_CONSTANT],
    rests_on=["attn.exact_law.moments"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXCESS.proved("value", "excess")
def a_larger_fourth_moment(given: Given) -> Theorem:
    """A Gaussian variable has three times the squared variance as its fourth moment."""
    return given.follows(given.fact("attn.exact_law.moments", "kurtosis"))


_SCALES = {S_ii: POSITIVE, S_jj: POSITIVE}
_DEVIATION = sigma_query * sigma_key * sqrt(S_ii * S_jj)

KOLMOGOROV = claim(
    "attn.propD1.kolmogorov",
    at=_AT,
    title="The distribution function of a score of m rows is within 1/m of its limit",
    states=le(Abs(P(le(p_ij, level * _DEVIATION)) - normal_cdf(level)), 1 / m),
    given=_SCALES,
    assuming=[GAUSSIAN_ROWS],
    rests_on=["attn.exact_law.moments", "classical.gaussian_mixtures.kurtosis"],
    discharging={
        MIXTURE: "given the key a score is Gaussian, with the squared length of the key as factor",
        NOT_ZERO: "neither of the two inputs vanishes",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@KOLMOGOROV.proved()
def a_sixth_of_the_kurtosis(given: Given) -> Theorem:
    """The excess kurtosis is 6/m, and a mixture is within a sixth of it of the Gaussian."""
    near = given.fact(
        "classical.gaussian_mixtures.kurtosis", "distance", at={mixture: p_ij, place: level * _DEVIATION}
    )
    moments = [given.fact("attn.exact_law.moments", part) for part in ("second", "kurtosis")]
    return given.follows(near, *moments)


SCORE_LAW = Hypothesis(
    "law_of_a_score",
    "given the inputs, $p_ij over its standard deviation has the law of a standard normal variable"
    " times the root of an independent chi-square variable of $m degrees of freedom over $m, as it"
    " has for queries and keys with independent Gaussian rows",
    latex=r"\frac{$p_ij}{\sqrt{\mathbb{E} {$p_ij}^2}} \overset{d}{=} g \sqrt{\chi / $m}, \quad"
    r" \chi \sim \chi^2_{$m} \text{ independent of } g \sim \mathcal{N}(0, 1)",
)

BELOW = claim(
    "attn.propD1.kolmogorov.below",
    at=_AT,
    title="The distribution function of a score differs from its limit by order 1/m at least",
    states=ge(largest_distance, (3 * m - 5) / (32 * sqrt(2) * m**2)),
    assuming=[SCORE_LAW, NOT_CONSTANT],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_v = Symbol("v", nonnegative=True)
_g, _chi = Random("g"), Random("chi_square")
_COUNTED = {m: integers(1)}


def _above_a_cubic() -> Theorem:
    """(1 + v)^(-1/2) lies above its Taylor polynomial of order three at v = 1."""
    h = (_v - 1) / 2
    cubic = 1 - h / 2 + Rational(3, 8) * h**2 - Rational(5, 16) * h**3
    return rules.follows(ge(1 / sqrt(1 + _v), cubic / sqrt(2)))


def _chi_moments(orders: int) -> list[Theorem]:
    """The moments m, m(m + 2), m(m + 2)(m + 4) and so on."""
    return [chi_square_by_parts(_chi, m, q) for q in range(orders)]


@BELOW.proved()
def mean_of_a_bell(given: Given) -> Theorem:
    """E e^(-z²/2) is E (1 + V)^(-1/2) given the key, and 1/√2 in the limit; V has moments."""
    share, scaled = _chi / m, p_ij / sqrt(E(p_ij**2))
    bell, at_key = exp(-(scaled**2) / 2), exp(-share * _g**2 / 2)
    known = [
        given.supposed(
            SCORE_LAW,
            *(eq(E(bell), E(at_key)), *standard(_g).args),
            *(chi_squared(_chi, m), independent(_g, share)),
        ),
        given.meaning("the largest distance", eq(largest_distance, kolmogorov(scaled, _g))),
        near_means_of_a_bell(scaled, _g, under=[NOT_CONSTANT.formula]),
        mean_over_normal(_g, share),
        exponential_of_square(_g, -Rational(1, 2)),
        chi_square_is_positive(_chi, m, 1 / m),
        *_chi_moments(3),
    ]
    above = principles.expected_jointly(_above_a_cubic(), {_v: _chi / m}, over=_COUNTED)
    return given.follows(*known, above)


_SHIFT = level * (3 - level**2) * exp(-(level**2) / 2) / (4 * sqrt(2 * pi) * m)
NEXT_ORDER = claim(
    "attn.propD1.kolmogorov.expansion",
    at=_AT,
    title="The part of order 1/m of the distance of a score from its limit",
    states=le(
        Abs(P(le(p_ij, level * _DEVIATION)) - normal_cdf(level) - _SHIFT), Rational(107, 5) / m**2 + 84 / m**3
    ),
    given=_SCALES,
    assuming=[GAUSSIAN_ROWS, SCORE_LAW],
    rests_on=["classical.gaussian_mixtures.expansion", "attn.exact_law.moments"],
    discharging={
        GAUSSIAN_MIXTURE: "given the key a score is Gaussian, with its squared length as factor",
        MEAN_ONE: "the squared length of m standard normal variables over m has the mean one",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _with_these_moments() -> tuple[list[Any], Theorem]:
    """The expansion for one chance and some moments is that for others which are equal to them."""
    names = "chance second third fourth"
    olds, news = (sp.symbols(names.replace(" ", mark + " ") + mark, real=True) for mark in ("", "'"))
    cdf, factor = sp.symbols("cdf factor", real=True)

    def bound(chance: Any, second: Any, third: Any, fourth: Any) -> Any:
        size = Abs(third) / 20 + Rational(7, 4) * fourth
        return le(Abs(chance - cdf - factor * second), size)

    same = [eq(old, new) for old, new in zip(olds, news, strict=True)]
    letters = [*olds, *news, cdf, factor]
    goal = implies(both(*same, bound(*olds)), bound(*news))
    return letters, rules.follows(goal)


@NEXT_ORDER.proved()
def central_moments_of_chi_squares(given: Given) -> Theorem:
    """The variance χ/m has the central moments 2/m, 8/m² and 12/m² + 48/m³."""
    share = _chi / m
    near = given.substituted(
        given.fact("classical.gaussian_mixtures.expansion"), {V: share, normal: _g, place: level}
    )
    chances = P(le(_g * sqrt(share), level)), P(le(p_ij, level * _DEVIATION))
    not_zero = [gt(_DEVIATION, 0), eq(E(p_ij**2), _DEVIATION**2)]
    law = given.supposed(SCORE_LAW, eq(*chances), under=not_zero)
    deviation = given.fact("attn.exact_law.moments", "second")
    moments = [given.supposed(SCORE_LAW, chi_squared(_chi, m)), *_chi_moments(4)]
    second, third, fourth = (E(share**order) for order in (2, 3, 4))
    central = second - 1, third - 3 * second + 2, fourth - 4 * third + 6 * second - 3
    values = 2 / m, 8 / m**2, 12 / m**2 + 48 / m**3
    equal = [rules.follows(eq(one, value), moments) for one, value in zip(central, values, strict=True)]
    letters, lemma = _with_these_moments()
    places = (chances[0], *central, chances[1], *values, normal_cdf(level), _SHIFT * m / 2)
    here = given.substituted(lemma, dict(zip(letters, places, strict=True)))
    mean = rules.follows(eq(E(share), 1), moments)
    together = given.follows(here, near, mean, law, deviation, *equal, goal=here.statement.args[1])
    return given.follows(together)


CHI_SQUARES = Hypothesis(
    "chi_squares",
    "given the inputs, $score_sum is a standard normal variable times the root of an independent"
    " variance, which is the sum of $eigenvalues independent chi-square variables of $m degrees of"
    " freedom, each times a number that is not negative and divided by $m",
    latex=r"$score_sum = g \sqrt{V}, \quad V = \tfrac{1}{$m} \sum_{k \le $eigenvalues}"
    r" \lambda_k \chi_k, \quad \lambda_k \ge 0, \quad \chi_k \sim \chi^2_{$m}"
    r" \text{ independent, and of } g \sim \mathcal{N}(0, 1)",
)
NOT_ALWAYS_ZERO = Hypothesis(
    "combination_is_not_zero", "$score_sum is not almost surely zero", formula=gt(E(score_sum**2), 0)
)

HALF_SPACES = claim(
    "attn.propD1.half_spaces",
    at=_AT,
    title="Every half-space of the scores of m rows is within 1/m as probable as in the limit",
    states={
        "distance": le(Abs(P(le(score_sum, level * sqrt(E(score_sum**2)))) - normal_cdf(level)), 1 / m),
        "fourth moment": le(E(score_sum**4), (3 + 6 / m) * E(score_sum**2) ** 2),
    },
    assuming=[CHI_SQUARES, NOT_ALWAYS_ZERO],
    rests_on=["classical.gaussian_mixtures.kurtosis"],
    discharging={
        MIXTURE: "it is a part of the hypothesis about chi-square variables",
        NOT_ZERO: "the combination of scores is not zero",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

_k = Symbol("k", integer=True, nonnegative=True)
_j = Symbol("j", integer=True, nonnegative=True)
_weight = sp.Function("lambda", nonnegative=True)
_square, _form = randoms("chi"), randoms("V")


def _weights(count: Any) -> Sum:
    return Sum(_weight(_j), (_j, 0, count - 1))


def _moments_of_the_form(given: Given) -> Theorem:
    """E V = mΣλ and E V² ≤ m(m + 2)(Σλ)² for sums V of k terms λχ, by induction on their number."""
    over = {_k: integers(0), m: given.domain[m]}
    before, X = _form(_k), _weight(_k) * _square(_k)
    none = given.meaning("a sum of no terms", *(eq(E(_form(0) ** q), 0) for q in (1, 2)))
    said = [
        given.meaning(
            "a sum with one term more",
            *(eq(E(_form(_k + 1) ** q), E((before + X) ** q)) for q in (1, 2)),
            over=over,
        ),
        given.supposed(CHI_SQUARES, independent(before, _square(_k)), chi_squared(_square(_k), m)),
        *(chi_square_by_parts(_square(_k), m, q) for q in (0, 1)),
        facts.expectation_of_independent(before, _square(_k)),
    ]
    total = _weights(_k)
    goal = both(eq(E(before), m * total), le(E(before**2), m * (m + 2) * total**2), ge(total, 0))
    return sums.by_recursion(goal, _k, premises=[none, *said])


def _moments_of_the_sum(given: Given) -> Theorem:
    """E S² = E V/m and E S⁴ = 3 E V²/m²."""
    form = _form(eigenvalues)
    return given.follows(
        _moments_of_the_form(given).at({_k: eigenvalues}),
        given.supposed(
            CHI_SQUARES,
            eq(E(score_sum**2), E(_g**2 * form) / m),
            eq(E(score_sum**4), E(_g**4 * form**2) / m**2),
            independent(_g**2, form),
            *(independent(_g**4, form**2), *standard(_g).args),
        ),
        fourth_moment(_g),
        facts.expectation_of_independent(_g**2, form),
        facts.expectation_of_independent(_g**4, form**2),
        goal=le(E(score_sum**4), (3 + 6 / m) * E(score_sum**2) ** 2),
    )


@HALF_SPACES.proved("fourth moment")
def induction_over_eigenvalues(given: Given) -> Theorem:
    """Each term λχ has the mean λm, and the mean square λ²m(m + 2)."""
    return given.follows(_moments_of_the_sum(given))


@HALF_SPACES.proved("distance")
def a_sixth_of_the_largest_kurtosis(given: Given) -> Theorem:
    """The excess kurtosis is at most 6/m, with equality for one eigenvalue."""
    scale = sqrt(E(score_sum**2))
    near = given.fact(
        "classical.gaussian_mixtures.kurtosis", "distance", at={mixture: score_sum, place: level * scale}
    )
    return given.follows(near, _moments_of_the_sum(given))
