"""Appendix E: scores at which the output of a head is near the value of largest variance.

Values x_k are vectors here, whose inner products are their covariances.  In Example 3.1 these are a
multiple of the mean products of the limits of the inputs, and the scores λ⟨x_j, x_k⟩ are values
that a row of scores may have: they lie in the range of its covariance.
"""

import sympy as sp
from sympy import Symbol, exp, sqrt

from theorems.attention_limit.letters.output_maps import s_tokens
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tails import mean_spread, score_size, u_longest, x_mean, x_token, y_far
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, implies, le, rules
from theorems.engine.rules import Theorem, facts, inner, norm, sums
from theorems.engine.rules.vocabulary import vectors

_AT = "Appendix E"
_NOTE = "proofs_notes/attn_tools.md#largest-variance"
NO_LONGER = Hypothesis(
    "no_longer",
    "the value $x_token has no larger variance than $u_longest",
    formula=le(norm(x_token), norm(u_longest)),
)
_GAP = inner(u_longest, u_longest) - inner(u_longest, x_token)
_SHARE = exp(2 * score_size * inner(u_longest, x_token) - 2 * score_size * inner(u_longest, u_longest))

ONE = claim(
    "attn.appE.vertices.token",
    at=_AT,
    title="The distance of another value, times its relative weight, is small for large scores",
    states={
        "gap": ge(2 * _GAP, norm(x_token - u_longest) ** 2),
        "share": le(score_size * norm(x_token - u_longest) ** 2 * _SHARE, exp(-1)),
    },
    assuming=[NO_LONGER],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ONE.proved("gap")
def of_two_lengths(given: Given) -> Theorem:
    """|x - u|² = |x|² - 2⟨u, x⟩ + |u|² is at most 2(|u|² - ⟨u, x⟩)."""
    return given.follows()


_own, _other = sp.symbols("own other", real=True)


@ONE.proved("share")
def tangent_of_the_exponential(given: Given) -> Theorem:
    """y e^(-y) is at most 1/e at y = 2λ(|u|² - ⟨u, x⟩)."""
    tangent = facts.exponential_above_tangent(2 * _own - 2 * _other - 1)
    product = rules.follows(le((2 * _own - 2 * _other) * exp(2 * _other - 2 * _own), exp(-1)), [tangent])
    own, other = (score_size * inner(u_longest, one) for one in (u_longest, x_token))
    here = given.instance(product, {_own: own, _other: other})
    gap = given.follows(goal=ge(2 * _GAP, norm(x_token - u_longest) ** 2))
    return given.follows(here, gap)


LARGE_SCORES = Hypothesis(
    "large_scores",
    "$y_far is the mean of the values of $s_tokens tokens with the softmax weights of $score_size"
    " times their products with $u_longest, which is one of them and none is longer",
    latex=r"$y_far = \sum_k \operatorname{SoftMax}_k($score_size \langle $u_longest, x_1 \rangle,"
    r" \dots, $score_size \langle $u_longest, x_{$s_tokens} \rangle) x_k,"
    r" \quad \|x_k\| \le \|$u_longest\|",
)
_k = Symbol("k", integer=True, nonnegative=True)
_COUNTED = {_k: sp.Range(sp.oo)}
_x, _shift = vectors("x"), vectors("shift")
_weight = sp.Function("weight", nonnegative=True)
_total = Symbol("total", positive=True)

OUTPUT = claim(
    "attn.appE.vertices",
    at=_AT,
    title="Large scores bring the output of a head near the value of largest variance",
    states=le(score_size * norm(y_far - u_longest) ** 2, s_tokens**2 * exp(-1)),
    assuming=[LARGE_SCORES],
    rests_on=ONE,
    discharging={NO_LONGER: "no value is longer than that whose products are the scores"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _squared_weight() -> Theorem:
    """A weight e^b/T is at most e^(b - a) if T, a sum of exponentials, has the term e^a."""
    w, T = Symbol("w", nonnegative=True), Symbol("T", positive=True)
    under = [eq(w * T, exp(_other)), ge(T, exp(_own))]
    one = rules.follows(le(w, exp(_other - _own)), under=under)
    return rules.follows(le(w**2, exp(2 * _other - 2 * _own)), [one], under=under)


def _one_shift(given: Given) -> Theorem:
    """|a_k (x_k - u)|² is at most 1/(eλ), with the weight e^(λ⟨u, x_k⟩) over a sum."""
    own, other = (score_size * inner(u_longest, one) for one in (u_longest, _x(_k)))
    objects = {u_longest: u_longest.belongs_to, score_size: given.domain[score_size]}
    over = {**_COUNTED, **objects, _total: sp.Interval.open(0, sp.oo)}
    softmax = [eq(_weight(_k) * _total, exp(other)), ge(_total, exp(own))]
    shift = _weight(_k) ** 2 * norm(_x(_k) - u_longest) ** 2
    supposed = given.supposed(
        LARGE_SCORES, *softmax, le(norm(_x(_k)), norm(u_longest)), eq(inner(_shift(_k), _shift(_k)), shift)
    )
    no_longer = [le(norm(_x(_k)), norm(u_longest))]
    share = given.fact(ONE, "share").at({x_token: _x(_k)}, over=over, under=no_longer)
    weight = rules.instance(_squared_weight(), (own, other, _weight(_k), _total), under=softmax)
    return rules.follows(
        le(score_size * norm(_shift(_k)) ** 2, exp(-1)), [supposed, share, weight], over=over
    )


@OUTPUT.proved()
def sum_of_shifts(given: Given) -> Theorem:
    """Each of the s terms of y - u = Σ a_k (x_k - u) has a length of at most 1/√(eλ)."""
    most = Symbol("most", positive=True)
    numbers = {x: given.domain[x] for x in (s_tokens, score_size)}
    over = {**numbers, most: sp.Interval.open(0, sp.oo)}
    is_most = [eq(most, exp(-1))]
    each = rules.follows(
        le(norm(_shift(_k)), sqrt(most / score_size)),
        [_one_shift(given)],
        over={**_COUNTED, **over},
        under=is_most,
    )
    shifts = sp.Sum(_shift(_k), (_k, 0, s_tokens - 1))
    added = sums.summed(each, _k, s_tokens)
    apart = sums.linear(added.statement.rhs)
    triangle = sums.norm_of_sum(shifts, over=numbers)
    length = rules.follows(
        le(norm(shifts), s_tokens * sqrt(most / score_size)), [triangle, added, apart], under=is_most
    )
    square = rules.follows(le(score_size * norm(shifts) ** 2, s_tokens**2 * most), [length], under=is_most)
    here = square.at({most: exp(-1)})
    sum_ = given.supposed(LARGE_SCORES, eq(norm(y_far - u_longest), norm(shifts)))
    return given.follows(here, sum_)


MEAN = Hypothesis(
    "mean_of_values",
    "$x_mean is the mean of the values of $s_tokens tokens",
    latex=r"$x_mean = \frac{1}{$s_tokens} \sum_{k \le $s_tokens} x_k",
)

CONSTANT = claim(
    "attn.kurtosis.constant",
    at=_AT,
    title="A variance that is the same at large and at zero scores leaves values little spread",
    states={
        "spread": le(mean_spread, norm(u_longest) ** 2 - norm(x_mean) ** 2),
        "same": implies(
            eq(norm(y_far), norm(x_mean)),
            le(score_size * mean_spread**2, 4 * s_tokens**2 * norm(u_longest) ** 2 * exp(-1)),
        ),
    },
    assuming=[LARGE_SCORES, MEAN],
    rests_on=OUTPUT,
    provenance=Provenance.DERIVED,
    note="proofs_notes/attn_laws.md#excess-kurtosis",
)


def _spread(given: Given) -> Theorem:
    """The mean of |x_k - x̄|² is that of |x_k|², at most |u|², less |x̄|²."""
    numbers = {s_tokens: given.domain[s_tokens]}
    objects = {x: x.belongs_to for x in (u_longest, x_mean)}
    over = {**numbers, **objects}
    products = sp.Sum(inner(_x(_k), x_mean), (_k, 0, s_tokens - 1))
    each = given.supposed(LARGE_SCORES, le(inner(_x(_k), _x(_k)), inner(u_longest, u_longest)))
    added = sums.summed(each, _k, s_tokens)
    apart = sums.linear(added.statement.rhs, over=over)
    distances = sp.Sum(inner(_x(_k) - x_mean, _x(_k) - x_mean), (_k, 0, s_tokens - 1))
    expanded = sums.linear(distances, over=over)
    mean = given.supposed(MEAN, eq(products, s_tokens * inner(x_mean, x_mean)))
    spread = given.meaning("the mean squared distance", eq(mean_spread, distances / s_tokens))
    return rules.follows(
        le(mean_spread, norm(u_longest) ** 2 - norm(x_mean) ** 2),
        [added, apart, expanded, mean, spread],
        over={**over, mean_spread: given.domain[mean_spread]},
    )


@CONSTANT.proved("spread")
def mean_of_squares(given: Given) -> Theorem:
    """The mean squared distance is the mean of the squares less the square of the mean."""
    return given.follows(_spread(given))


@CONSTANT.proved("same")
def lengths_that_are_near(given: Given) -> Theorem:
    """|u| - |x̄| = |u| - |y| is at most |u - y|, and |u| + |x̄| at most 2|u|."""
    apart = facts.triangle(u_longest - y_far, y_far)
    return given.follows(_spread(given), given.fact(OUTPUT), apart)
