"""Lemma 11: fourth moments of the outputs of one head at four tokens, given inputs and scores."""

from itertools import combinations
from math import prod
from typing import Any

from sympy import Expr

from theorems.engine import Given, Hypothesis, Provenance, both, eq, rules
from theorems.engine.rules import E, Theorem, facts
from theorems.engine.rules.normal_variables import fourth_moment, isserlis
from theorems.engine.rules.vocabulary import independent, normal, randoms
from theorems.infinite_attention.gaussian_sums import n
from theorems.infinite_attention.letters.heads import (
    given_a,
    given_b,
    given_c,
    given_d,
    pair_ab,
    pair_ac,
    pair_ad,
    pair_bc,
    pair_bd,
    pair_cd,
)
from theorems.infinite_attention.letters.network import sigma_o, sigma_v, value_width
from theorems.infinite_attention.letters.table import claim

GIVEN_SCORES = Hypothesis(
    "normal_given_the_scores",
    "given inputs and scores an output is a sum over $value_width columns of values, divided by the"
    " root of their number, of a linear form of the column times an output weight; forms and"
    " weights are normal and independent, the covariances of forms are q times the squared scale"
    " of the values, and the variance of a weight is its squared scale",
    latex=r"\tilde f_a = \tfrac{1}{\sqrt{$value_width}} \textstyle\sum_{u} r_{au} \Omega_u, \quad"
    r" \mathbb{E} r_{au} r_{bu} = \sigma_V^2 q_{ab}",
)
_PAIRS = {
    ("a", "b"): pair_ab,
    ("a", "c"): pair_ac,
    ("a", "d"): pair_ad,
    ("b", "c"): pair_bc,
    ("b", "d"): pair_bd,
    ("c", "d"): pair_cd,
}
_PAIRINGS = pair_ab * pair_cd + pair_ac * pair_bd + pair_ad * pair_bc
_SCALES = sigma_o**2 * sigma_v**2
_OUTPUTS = given_a * given_b * given_c * given_d

FOUR = claim(
    "inf.lem11.one_head",
    at="Lemma 11",
    title="Fourth moments of one head at four tokens, given its scores, have all three pairings",
    states=eq(E(_OUTPUTS), (1 + 2 / value_width) * _SCALES**2 * _PAIRINGS),
    assuming=GIVEN_SCORES,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_kernels.md#fourth-moments-of-two-heads",
)
_TOKENS = "abcd"
_sums: dict[str, Any] = {one: randoms(f"S_{one}") for one in _TOKENS}
_forms: dict[str, Expr] = {one: randoms(f"r_{one}")(n) for one in _TOKENS}
_weight = randoms("w")(n)


def _old(tokens: str | tuple[str, ...]) -> Expr:
    """The product of the sums so far at these tokens."""
    return prod((_sums[one](n) for one in tokens), start=1)


def _new(tokens: str | tuple[str, ...]) -> Expr:
    """The product of the next terms at these tokens."""
    return prod((_forms[one] * _weight for one in tokens), start=1)


def _rest(tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one for one in _TOKENS if one not in tokens)


def _one_column(given: Given) -> list[Theorem]:
    """Isserlis' formula for the forms, times moments of a weight."""
    pairs = [prod((_forms[one] for one in pair), start=1) for pair in _PAIRS]
    forms = [*_forms.values()]
    four = prod(forms, start=1)
    said = given.supposed(
        GIVEN_SCORES,
        *(eq(E(_forms[one]), 0) for one in _TOKENS),
        *(eq(E(pair), sigma_v**2 * q) for pair, q in zip(pairs, _PAIRS.values(), strict=True)),
        *(eq(E(_weight**2), sigma_o**2), normal(*forms), normal(_weight)),
    )
    factors = [
        *((_forms[one], _weight) for one in _TOKENS),
        *((pair, _weight**2) for pair in pairs),
        (four, _weight**4),
    ]
    apart = given.supposed(GIVEN_SCORES, *(independent(*pair) for pair in factors))
    products = [facts.expectation_of_independent(*pair) for pair in factors]
    moments = [isserlis(*forms), fourth_moment(_weight)]
    return [said, *moments, apart, *products]


def _covariances(given: Given, column: list[Theorem], over: Any) -> list[Theorem]:
    """E S_a = 0 and E S_a S_b = u σ² q_ab."""
    found = []
    for pair, q in _PAIRS.items():
        one, other = pair
        goal = both(eq(E(_old(one)), 0), eq(E(_old(other)), 0), eq(E(_old(pair)), n * _SCALES * q))
        mixed = [(_old(one), _new(other)), (_old(other), _new(one))]
        found.append(_by_induction(given, goal, [(one,), (other,), pair], mixed, column, over))
    return found


def _by_induction(
    given: Given, goal: Any, products: Any, mixed: Any, known: list[Theorem], over: Any
) -> Theorem:
    """Products of sums that gain a term, where mixed products are of independent factors."""
    none = given.meaning(
        "sums of no terms", *(eq(E(prod((_sums[x](0) for x in one), start=1)), 0) for one in products)
    )
    longer = given.meaning(
        "sums with one term more",
        *(
            eq(
                E(prod((_sums[x](n + 1) for x in one), start=1)),
                E(prod((_old(x) + _new(x) for x in one), start=1)),
            )
            for one in products
        ),
    )
    apart = given.supposed(GIVEN_SCORES, *(independent(*pair) for pair in mixed))
    means = [facts.expectation_of_independent(*pair) for pair in mixed]
    step = [longer, apart, *means, *known]
    return rules.induction(goal, n, 0, base=[none], step=step, over=over)


@FOUR.proved()
def sums_of_products(given: Given) -> Theorem:
    """By induction: u times three pairings of one column, and u(u - 1) of two different ones."""
    over = {x: given.domain[x] for x in (*_PAIRS.values(), sigma_o, sigma_v)}
    column = _one_column(given)
    known = [*column, *_covariances(given, column, over)]
    mixed = [(_old(some), _new(_rest(some))) for size in (1, 2, 3) for some in combinations(_TOKENS, size)]
    goal = eq(E(_old(_TOKENS)), (n * (n - 1) + 3 * n) * _SCALES**2 * _PAIRINGS)
    sums = _by_induction(given, goal, [tuple(_TOKENS)], mixed, known, over)
    end = sums.at({n: value_width})
    whole = prod((_sums[one](value_width) for one in _TOKENS), start=1)
    outputs = given.meaning("outputs given the scores", eq(E(_OUTPUTS), E(whole) / value_width**2))
    return given.follows(end, outputs)
