"""Lemma 32: moments of scores with independent queries and keys, at every width."""

import sympy as sp

from theorems.classical import powers
from theorems.classical.products import longer, odd_numbers, single
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, implies, integers, le, rules
from theorems.engine.rules import E, Theorem
from theorems.engine.rules.normal_variables import chi_square_by_parts
from theorems.engine.rules.vocabulary import chi_squared
from theorems.infinite_attention.auxiliary.dense_moments import Dense
from theorems.infinite_attention.auxiliary.query_moments import normal_moment
from theorems.infinite_attention.letters.auxiliary import (
    chi_square,
    half_order,
    key_square,
    odd_product,
    rising_product,
    score_entry,
)
from theorems.infinite_attention.letters.network import S_aa, S_ii, score_width, sigma_k, sigma_q
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#moments-of-scores"

INDEPENDENT_SCORES = Hypothesis(
    "independent_scores",
    "given the inputs, $score_entry is a sum over $score_width columns of products of a query and a"
    " key, divided by the root of their number; all queries of token a and all keys of token i are"
    " independent and normal with the variances $sigma_q squared times $S_aa and $sigma_k squared"
    " times $S_ii",
)
_SCALE = (sigma_q**2 * sigma_k**2 * S_aa * S_ii) ** half_order
_MOMENT, _ODD = E(score_entry ** (2 * half_order)), odd_product(half_order)

SCORES = claim(
    "inf.lem32.scores",
    at="Lemma 32",
    title="All even moments of a score given the inputs, at every width",
    states={
        "moments": eq(_MOMENT, _ODD * _SCALE * rising_product(half_order, score_width)),
        "bound": le(_MOMENT, _ODD**2 * _SCALE),
        "attained": implies(eq(score_width, 1), eq(_MOMENT, _ODD**2 * _SCALE)),
        "limit is below": ge(_MOMENT, _ODD * _SCALE),
    },
    assuming=INDEPENDENT_SCORES,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_SIZES = {half_order: integers(1), score_width: integers(1)}


def longer_products() -> Theorem:
    """The products of odd numbers, and of 1 + 2j/d, from k to k + 1."""
    k, d = half_order, score_width
    odd = longer(odd_product, k, 2 * k + 1, over=_SIZES)
    rising = longer(lambda count: rising_product(count, d), k, 1 + 2 * k / d)
    return rules.follows(both(odd.statement, rising.statement), [odd, rising])


def first_products() -> Theorem:
    """Both products are one at k = 1."""
    over = {score_width: _SIZES[score_width]}
    odd = single(odd_product, 1)
    rising = single(lambda count: rising_product(count, score_width), 1, over=over)
    return rules.follows(both(odd.statement, rising.statement), [odd, rising])


def product_between_one_and_odd() -> Theorem:
    """1 ≤ Π(1 + 2j/d) ≤ (2k - 1)!!, with equality on the right at d = 1."""
    k, d = half_order, score_width
    product = rising_product(k, d)
    goal = both(ge(product, 1), le(product, odd_product(k)), implies(eq(d, 1), eq(product, odd_product(k))))
    return rules.induction(goal, k, 1, base=[first_products()], step=[longer_products()])


def moment_of_chi_square(given: Given, law: Hypothesis) -> Theorem:
    """E (χ²)^k = d^k Π(1 + 2j/d), by parts with the density; a hypothesis has χ² for chi-square."""
    k, d = half_order, score_width
    known = given.supposed(law, chi_squared(chi_square, d))
    parts = chi_square_by_parts(chi_square, d, k)
    mean = chi_square_by_parts(chi_square, d, 0)
    return rules.induction(
        eq(E(chi_square**k), d**k * rising_product(k, d)),
        k,
        1,
        base=[known, mean, first_products()],
        step=[known, parts, powers.one_more(d, k, over=_SIZES), longer_products()],
    )


@SCORES.proved("moments", "bound", "attained", "limit is below")
def normal_given_the_keys(given: Given) -> Theorem:
    """Given the keys a score is normal, and the sum of a key's squares is a chi-square variable."""
    k, d = half_order, score_width
    scale = sigma_q * sp.sqrt(S_aa)
    layer = Dense(given, INDEPENDENT_SCORES, score_entry, scale, key_square, 2 * k)
    given_keys = layer.given_the_input()
    keys = given.supposed(
        INDEPENDENT_SCORES, eq(d**k * E(key_square**k), (sigma_k**2 * S_ii) ** k * E(chi_square**k))
    )
    power = powers.one_more(d, k, over=_SIZES)
    scales = given.decided(eq((sp.sqrt(S_aa) * sigma_q) ** (2 * k) * (sigma_k**2 * S_ii) ** k, _SCALE))
    moments = rules.follows(
        eq(_MOMENT, _ODD * _SCALE * rising_product(k, d)),
        [
            *(given_keys, keys, normal_moment(given, INDEPENDENT_SCORES)),
            *(moment_of_chi_square(given, INDEPENDENT_SCORES), power, scales),
        ],
        over={**given_keys.over, **keys.over, **_SIZES},
    )
    return given.follows(moments, product_between_one_and_odd(), odd_is_positive())


def odd_is_positive() -> Theorem:
    """(2k - 1)!! > 0."""
    return rules.instance(odd_numbers(odd_product), [half_order])
