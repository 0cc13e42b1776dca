"""Equations (29) to (31): products of derivatives of scores by the layer's input, in the mean."""

from operator import mul
from typing import Any

import sympy as sp
from sympy import Expr, Integer, Rational, Symbol, sqrt

from symbolic.gaussian.wick import gaussian_mean
from theorems.engine import Given, Hypothesis, Obligations, Provenance, Severity, eq, implies, rules, sentence
from theorems.engine.rules import E, Theorem, facts, inner
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.letters.gradients import (
    S_dd,
    g_a_j,
    g_b_i,
    g_d_j,
    g_e_i,
    key_a,
    key_b,
    key_d,
    key_e,
    mean_form,
    outer_bd,
    outer_ea,
    query_a,
    query_b,
    query_of_a,
    query_of_b,
    same_place,
    tangent_block,
    unit_block,
    weight_k_i,
    weight_k_j,
    weight_q_i,
    weight_q_j,
)
from theorems.infinite_attention.letters.network import S_ab, score_width, sigma_k, sigma_q, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.linear_values import mean_of_values, value_with_a_weight
from theorems.infinite_attention.tangent_limit.forms_by_entries import (
    AT,
    SLOPE_A,
    SLOPE_B,
    at_coordinates,
    m,
    mean_by_entries,
    n,
)

_NOTE = "proofs_notes/inf_tangents.md#products-of-derivatives-of-scores"
_SCALE = sigma_q**2 * sigma_k**2
_FLAGS = [key_a, key_b, query_of_a, query_of_b]

GAUSSIAN_COLUMN = Hypothesis(
    "gaussian_column",
    "given the inputs, all columns of weights of queries and of keys, of all heads, have"
    " independent standard normal entries; queries are $sigma_q / sqrt($width), and keys"
    " $sigma_k / sqrt($width), times sums of inputs times weights",
    latex=r"Q_{\cdot u} = \tfrac{$sigma_q}{\sqrt{$width}} g \tilde W^Q_{\cdot u},\quad"
    r" K_{\cdot u} = \tfrac{$sigma_k}{\sqrt{$width}} g \tilde W^K_{\cdot u}",
)


def slope_a() -> Expr:
    """Γ of (29) at token a and the key of d₁."""
    return key_a * sigma_k * query_a * weight_k_i + query_of_a * sigma_q * key_d * weight_q_i


def slope_b() -> Expr:
    """Γ of (29) at token b and the key of d₂."""
    return key_b * sigma_k * query_b * weight_k_j + query_of_b * sigma_q * key_e * weight_q_j


_PAIR = eq(
    E(slope_a() * slope_b()),
    _SCALE
    * (
        same_place * (key_a * key_b * S_ab + query_of_a * query_of_b * S_dd)
        + (key_a * query_of_b * g_e_i * g_a_j + query_of_a * key_b * g_b_i * g_d_j) / width
    ),
)

PAIRS = claim(
    "inf.lem24.pairs",
    at="Lemma 24, proof",
    title="Two derivatives of scores by the same column have four products of pairings as mean",
    states=_PAIR,
    assuming=GAUSSIAN_COLUMN,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PAIRS.proved()
def pairings_of_queries_and_of_keys(given: Given) -> Theorem:
    """What is made of queries is independent of what is made of keys."""
    queries = [(query_a, query_b), (weight_q_i, weight_q_j), (query_a, weight_q_j), (weight_q_i, query_b)]
    keys = [(weight_k_i, weight_k_j), (key_d, key_e), (weight_k_i, key_e), (key_d, weight_k_j)]
    partners = list(zip(queries, keys, strict=True))
    known = given.supposed(
        GAUSSIAN_COLUMN,
        *(eq(E(u * v), same_place) for u, v in (queries[1], keys[0])),
        *(independent(u * v, s * t) for (u, v), (s, t) in partners),
    )
    values = {"queries": (queries[0], sigma_q, S_ab), "keys": (keys[1], sigma_k, S_dd)}
    entries = {
        "the query of a": (queries[2], sigma_q, g_a_j),
        "the query of b": (queries[3], sigma_q, g_b_i),
        "the key of d₂": (keys[2], sigma_k, g_e_i),
        "the key of d₁": (keys[3], sigma_k, g_d_j),
    }
    means = [
        rule(given, GAUSSIAN_COLUMN, u * v, mean, head=head, scale=scale)
        for rule, of_pairs in ((mean_of_values, values), (value_with_a_weight, entries))
        for head, ((u, v), scale, mean) in of_pairs.items()
    ]
    products = [facts.expectation_of_independent(u * v, s * t) for (u, v), (s, t) in partners]
    return given.follows(known, *means, *products)


EQ31 = claim(
    "inf.lem24.eq31",
    at="Equation (31)",
    title="In the mean only equal coordinates of two derivatives of scores count",
    states=sentence(
        r"\mathbb{E}[$form_hh] = \mathbb{E}[$equal_terms] + $others \mathbb{E}[$unequal_terms],"
        r" \quad $equal_terms, $unequal_terms: \text{ the terms of } i' = j' \text{ and of }"
        r" i' \ne j', \text{ independent weights}",
        others=0,
    ),
    note=_NOTE,
)


def two_linear_layers(places: int) -> tuple[list[Expr], list[list[Expr]], dict[Any, int]]:
    """The input of the attention layer and its tangent kernel, behind two layers without φ.

    One token with one coordinate, which is one; both layers have as many units as ``places``.
    """
    first = [Symbol(f"u{p}") for p in range(places)]
    second = [[Symbol(f"v{p}{i}") for i in range(places)] for p in range(places)]
    size, units = Integer(places), range(places)
    values = [sum(first[p] * second[p][i] for p in units) / sqrt(size) for i in units]
    own = sum(one**2 for one in first) / size
    kernel = [
        [sum(second[p][i] * second[p][j] for p in units) / size + (own if i == j else 0) for j in units]
        for i in units
    ]
    letters = [*first, *(one for row in second for one in row)]
    return values, kernel, {(one, one): 1 for one in letters}


def _mean_of_the_sum(places: int, columns: int, tied: bool) -> Expr:
    """E of the sum that (31) is about, all scales and symbols δ being one, by pairings."""
    values, kernel, law = two_linear_layers(places)
    units, size = range(places), Integer(places)
    slopes = [Integer(0)] * places
    for u in range(columns):
        by_query = [Symbol(f"q{u}{i}") for i in units]
        by_key = by_query if tied else [Symbol(f"k{u}{i}") for i in units]
        query, key = (sum(map(mul, values, one)) / sqrt(size) for one in (by_query, by_key))
        slopes = [slopes[i] + query * by_key[i] + key * by_query[i] for i in units]
        law |= {(one, one): 1 for one in {*by_query, *by_key}}
    form = sum(kernel[i][j] * slopes[i] * slopes[j] for i in units for j in units)
    power = size * columns ** (2 if tied else 1)
    return gaussian_mean(sp.expand(form / power), [one for one, _ in law], law)


def printed_sum(places: int, others: Any = 0) -> Expr:
    """The right side of (31), with $others times the terms of different coordinates."""
    values, kernel, law = two_linear_layers(places)
    units, size = range(places), Integer(places)
    square = sum(g**2 for g in values) / size
    form = sum(2 * kernel[i][i] * (square + values[i] ** 2 / size) for i in units) / size
    pairs = [(i, j) for i in units for j in units if i != j]
    form += others * sum(2 * kernel[i][j] * values[i] * values[j] for i, j in pairs) / size**2
    return gaussian_mean(sp.expand(form), [one for one, _ in law], law)


@EQ31.refuted(severity=Severity.GAP, controls={"all coordinates": {"others": 1}})
def two_linear_layers_below(others: Any) -> Obligations:
    """Behind two linear layers of two units the terms of different coordinates have a mean."""
    exact, printed = _mean_of_the_sum(2, 1, tied=False), printed_sum(2, others)
    yield "the sum has another mean", bool(exact != printed)


EQUAL = claim(
    "inf.lem24.eq31.equal",
    at="Equation (31)",
    title="For equal weights of queries and keys the same mean is divided by the score width",
    states=sentence(
        r"$query_weights = $key_weights:\quad \mathbb{E}[$form_hh]"
        r" = \Bigl($other + \frac{$own}{$score_width}\Bigr)"
        r" \cdot \text{the right side for independent weights}",
        other=0,
        own=1,
    ),
    note=_NOTE,
)


@EQUAL.refuted(severity=Severity.GAP, controls={"the mean at one coordinate": {"other": 1, "own": 2}})
def one_coordinate(other: Any, own: Any) -> Obligations:
    """With a single coordinate the mean is 1 + 2/d^G times, not 1/d^G times, the other one."""
    printed = printed_sum(1)
    for columns in (1, 2, 3):
        exact = _mean_of_the_sum(1, columns, tied=True)
        yield "1 + 2/d^G times", bool(exact == (1 + Rational(2, columns)) * printed)
        yield "another mean", bool(exact != (other + own * Rational(1, columns)) * printed)


_DIAGONAL = key_a * key_b * S_ab + query_of_a * query_of_b * S_dd
_CROSSED = key_a * query_of_b * outer_ea + query_of_a * key_b * outer_bd
_INDEPENDENT = inner(tangent_block, _SCALE * (_DIAGONAL * unit_block + _CROSSED / width)) / width

MEAN = EQ31.corrected(
    "inf.lem24.eq31.corrected",
    title="The mean product of two derivatives of scores is exact with all pairs of coordinates",
    states=eq(E(mean_form), _INDEPENDENT),
    assuming=GAUSSIAN_COLUMN,
    rests_on=[PAIRS],
    note=_NOTE,
)


@MEAN.proved()
def one_column_for_all(given: Given) -> Theorem:
    """Different columns have products of mean 0, and equal ones have all the same mean."""
    pair = at_coordinates(given, given.fact(PAIRS))
    column = given.meaning(
        "the entries (29) of a column",
        eq(E(SLOPE_A * SLOPE_B), pair.statement.lhs),
        eq(E(SLOPE_A), E(slope_a().xreplace(AT))),
    )
    one = eq(E(SLOPE_A * SLOPE_B), pair.statement.rhs)
    one = rules.follows(one, [pair, column], over={**pair.over, **column.over})
    two = _different_columns(given, column)
    return given.follows(mean_by_entries(given, mean_form, score_width, (_PAIR.rhs, one), (sp.S.Zero, two)))


def _different_columns(given: Given, column: Theorem) -> Theorem:
    """Entries of two columns are independent; a query has mean zero, whatever the key's weight."""
    later, factors = SLOPE_B.subs(n, m), [(query_a, weight_k_i), (key_d, weight_q_i)]
    factors = [(one, weight.xreplace(AT)) for one, weight in factors]
    apart = given.supposed(GAUSSIAN_COLUMN, independent(SLOPE_A, later), under=[sp.Ne(n, m)])
    known = given.supposed(
        GAUSSIAN_COLUMN, *(independent(*pair) for pair in factors), *(eq(E(one), 0) for one, _ in factors)
    )
    over = {**column.over, **apart.over, **known.over}
    products = [facts.expectation_of_independent(*pair) for pair in (*factors, (SLOPE_A, later))]
    goal = implies(sp.Ne(n, m), eq(E(SLOPE_A * later), 0))
    return rules.follows(goal, [column, apart, known, *products], over=over)


EQUAL_WEIGHTS = Hypothesis(
    "equal_weights",
    "given the inputs, all columns of weights of all heads have independent standard normal"
    " entries, and a column of queries and that of keys have the same weights; queries are"
    " $sigma_q / sqrt($width) and keys $sigma_k / sqrt($width) times sums of inputs times weights",
    latex=r"Q_{\cdot u} = \tfrac{$sigma_q}{\sqrt{$width}} g \tilde W_{\cdot u},\quad"
    r" K_{\cdot u} = \tfrac{$sigma_k}{\sqrt{$width}} g \tilde W_{\cdot u}",
)
