"""Lemma 32: moments of queries, by moments of the same order of the layer's input."""

import sympy as sp

from theorems.classical.gaussian_moments import even_moment, standard
from theorems.classical.letters import odd_factorial, q
from theorems.classical.products import same_odd_numbers
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Severity,
    eq,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import E, Theorem
from theorems.infinite_attention.auxiliary.dense_moments import Dense
from theorems.infinite_attention.letters.auxiliary import (
    dense_square,
    half_order,
    noise,
    odd_product,
    query_entry,
)
from theorems.infinite_attention.letters.encodings import g_input
from theorems.infinite_attention.letters.network import sigma_q, width
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#moments-of-queries"

PRINTED = claim(
    "inf.lem32.exponent",
    at="Lemma 32",
    title="Moments of queries are bounded by those of twice the order of the input",
    states=sentence(
        r"\mathbb{E}|$query_any|^{$twice $order} \le $order_constant \,"
        r" \mathbb{E}|$g_input|^{$power $order} \text{ for a constant } $order_constant,"
        r" \text{ all orders } $order \text{ and all inputs } $g_input",
        twice=2,
        power=4,
    ),
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


@PRINTED.refuted(severity=Severity.SLIP, controls={"same order": {"power": 2}, "both four": {"twice": 4}})
def small_inputs(twice: int, power: int) -> Obligations:
    """The nonlinearity s makes every entry s: a query is normal with the variance σ²s²."""
    s, t = sp.symbols("s t", positive=True)
    ratio = sp.powsimp(s ** (twice * t) / s ** (power * t))
    least = ratio.subs(t, 1)
    yield "as s tends to zero the ratio exceeds every constant", sp.limit(least, s, 0) is sp.oo


QUERIES = Hypothesis(
    "dense_queries",
    "given the input, $query_entry is centred and normal with the variance $sigma_q squared times"
    " $dense_square, the mean of the squares of $width entries with the law of $g_input",
)

CORRECTED = PRINTED.corrected(
    "inf.lem32.exponent.corrected",
    title="Moments of queries are at most those of a normal variable times those of the input",
    states={
        "bound": le(
            E(query_entry ** (2 * half_order)),
            odd_product(half_order) * sigma_q ** (2 * half_order) * E(g_input ** (2 * half_order)),
        ),
        "attained": implies(
            eq(E(dense_square**half_order), E(g_input ** (2 * half_order))),
            eq(
                E(query_entry ** (2 * half_order)),
                odd_product(half_order) * sigma_q ** (2 * half_order) * E(g_input ** (2 * half_order)),
            ),
        ),
    },
    assuming=QUERIES,
    note=_NOTE,
)


def normal_moment(given: Given, noise_is_standard: Hypothesis) -> Theorem:
    """E ε^(2k) = (2k - 1)!!, as a hypothesis has ε for a standard normal variable."""
    law = given.supposed(noise_is_standard, *standard(noise).args)
    there = given.substituted(even_moment(noise), {q: half_order})
    double = rules.instance(same_odd_numbers(odd_factorial, odd_product), [half_order], over=given.domain)
    goal = eq(E(noise ** (2 * half_order)), odd_product(half_order))
    return rules.follows(goal, [there, law, double])


@CORRECTED.proved("bound", "attained")
def dense_layer(given: Given) -> Theorem:
    """A query is a dense layer of the input."""
    layer = Dense(given, QUERIES, query_entry, sigma_q, dense_square, 2 * half_order)
    known = layer.given_the_input(), layer.bound(g_input, width)
    return given.follows(*known, normal_moment(given, QUERIES))
