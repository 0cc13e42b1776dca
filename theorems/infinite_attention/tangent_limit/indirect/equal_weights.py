"""Equation (31) for equal weights of queries and keys: one column, two columns, and the sum."""

from functools import cache

from sympy import Expr, Integer, sqrt, symbols

from theorems.engine import Given, Provenance, eq, rules
from theorems.engine.rules import E, Random, Theorem, facts, inner
from theorems.engine.rules.normal_variables import isserlis
from theorems.engine.rules.vocabulary import independent, normal
from theorems.infinite_attention.letters.gradients import (
    S_ad,
    S_db,
    S_dd,
    g_a_i,
    g_a_j,
    g_b_i,
    g_b_j,
    g_d_i,
    g_d_j,
    g_e_i,
    g_e_j,
    key_a,
    key_b,
    key_d,
    key_e,
    mean_form,
    outer_ab,
    outer_ae,
    outer_ba,
    outer_bd,
    outer_db,
    outer_de,
    outer_ea,
    outer_ed,
    query_a,
    query_b,
    query_of_a,
    query_of_b,
    same_place,
    slope_i,
    slope_j,
    slope_same,
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
    SLOPE_A,
    SLOPE_B,
    at_coordinates,
    m,
    mean_by_entries,
    n,
)
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import (
    EQUAL,
    EQUAL_WEIGHTS,
    slope_a,
    slope_b,
)

_NOTE = "proofs_notes/inf_tangents.md#products-of-derivatives-of-scores"
_SCALE = sigma_q**2 * sigma_k**2
_FLAGS = [key_a, key_b, query_of_a, query_of_b]

COLUMNS = claim(
    "inf.lem24.columns",
    at="Lemma 24, proof",
    title="Derivatives of scores by different columns are correlated if queries and keys are equal",
    states=eq(
        E(slope_i * slope_j),
        _SCALE / width * (key_a * g_a_i + query_of_a * g_d_i) * (key_b * g_b_j + query_of_b * g_e_j),
    ),
    assuming=EQUAL_WEIGHTS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@COLUMNS.proved()
def product_of_two_means(given: Given) -> Theorem:
    """Columns are independent, and a query and its own weight have their input as covariance."""
    inputs = {
        "the query of a": (query_a * weight_k_i, sigma_q, g_a_i),
        "the key of d₁": (key_d * weight_q_i, sigma_k, g_d_i),
        "the query of b": (query_b * weight_k_j, sigma_q, g_b_j),
        "the key of d₂": (key_e * weight_q_j, sigma_k, g_e_j),
    }
    known = given.supposed(EQUAL_WEIGHTS, independent(slope_i, slope_j))
    means = (
        value_with_a_weight(given, EQUAL_WEIGHTS, pair, entry, head=head, scale=scale)
        for head, (pair, scale, entry) in inputs.items()
    )
    slopes = given.meaning("the entries (29)", eq(E(slope_i), E(slope_a())), eq(E(slope_j), E(slope_b())))
    return given.follows(known, *means, slopes, facts.expectation_of_independent(slope_i, slope_j))


_A_I, _B_J = key_a * g_a_i + query_of_a * g_d_i, key_b * g_b_j + query_of_b * g_e_j
_A_J, _B_I = key_a * g_a_j + query_of_a * g_d_j, key_b * g_b_i + query_of_b * g_e_i
_PRODUCTS = (
    key_a * key_b * S_ab
    + key_a * query_of_b * S_ad
    + query_of_a * key_b * S_db
    + query_of_a * query_of_b * S_dd
)

ONE_COLUMN = claim(
    "inf.lem24.pairs.equal",
    at="Lemma 24, proof",
    title="For equal weights two derivatives by the same column have three pairings as mean",
    states=eq(
        E(slope_i * slope_same), _SCALE * (same_place * _PRODUCTS + (_A_I * _B_J + _A_J * _B_I) / width)
    ),
    assuming=EQUAL_WEIGHTS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_Q_a, _K_d, _Q_b, _K_e = map(Random, ("query of a", "key of d₁", "query of b", "key of d₂"))
_w_i, _w_j = map(Random, ("weight_i", "weight_j"))
#: What a weight is multiplied by in the entries (29) of a and of b, without the scales.
_X, _Y = key_a * _Q_a + query_of_a * _K_d, key_b * _Q_b + query_of_b * _K_e


@ONE_COLUMN.proved()
def three_pairings(given: Given) -> Theorem:
    """A derivative is its own weight times a sum of a query's and a key's weights and inputs."""
    term, letters = _X * _w_i * _Y * _w_j, [_X, _Y, _w_i, _w_j]
    known = given.supposed(EQUAL_WEIGHTS, normal(*letters), eq(E(_w_i * _w_j), same_place))
    means = [
        mean_of_values(given, EQUAL_WEIGHTS, one * other, mean, head=f"{one} and {other}", scale=Integer(1))
        for one, other, mean in (
            *((_Q_a, _Q_b, S_ab), (_Q_a, _K_e, S_ad)),
            *((_K_d, _Q_b, S_db), (_K_d, _K_e, S_dd)),
        )
    ]
    entries = {_Q_a: (g_a_i, g_a_j), _K_d: (g_d_i, g_d_j), _Q_b: (g_b_i, g_b_j), _K_e: (g_e_i, g_e_j)}
    for one, at_places in entries.items():
        for weight, entry in zip((_w_i, _w_j), at_places, strict=True):
            head, scale = f"the {one} with {weight}", Integer(1)
            pair = one * weight
            means.append(value_with_a_weight(given, EQUAL_WEIGHTS, pair, entry, head=head, scale=scale))
    values = {
        **{_X * _w_i: _A_I / sqrt(width), _Y * _w_j: _B_J / sqrt(width), _X * _Y: _PRODUCTS},
        **{_w_i * _w_j: same_place, _X * _w_j: _A_J / sqrt(width), _Y * _w_i: _B_I / sqrt(width)},
    }
    pairs = [given.follows(known, *means, goal=eq(E(pair), value)) for pair, value in values.items()]
    terms = E(term), *map(E, values), *values.values()
    inserted = _pairings().at(dict(zip(_NAMES, terms, strict=True)), over=pairs[0].over)
    whole = rules.follows(inserted.statement, [inserted, isserlis(*letters), known, *pairs])
    slopes = given.meaning("the entries (29) of one column", eq(E(slope_i * slope_same), _SCALE * E(term)))
    return given.follows(whole, slopes)


_NAMES = symbols("t f1:7 v1:7", real=True)


@cache
def _pairings() -> Theorem:
    """A sum of three products of two factors, each of which has a value."""
    total, factors, values = _NAMES[0], _NAMES[1:7], _NAMES[7:]
    sums = [
        sum(one * other for one, other in zip(of[::2], of[1::2], strict=True)) for of in (factors, values)
    ]
    under = [eq(total, sums[0]), *(eq(one, other) for one, other in zip(factors, values, strict=True))]
    return rules.follows(eq(total, sums[1]), under=under)


_MEANS = (
    key_a * key_b * outer_ab
    + key_a * query_of_b * outer_ae
    + query_of_a * key_b * outer_db
    + query_of_a * query_of_b * outer_de
)
_TRANSPOSED = (
    key_a * key_b * outer_ba
    + key_a * query_of_b * outer_ea
    + query_of_a * key_b * outer_bd
    + query_of_a * query_of_b * outer_ed
)

EQUAL_MEAN = EQUAL.corrected(
    "inf.lem24.eq31.equal.corrected",
    title="For equal weights pairs of different columns leave a mean that no score width removes",
    states=eq(
        E(mean_form),
        _SCALE
        / width
        * (
            (
                key_a * key_b * S_ab
                + key_a * query_of_b * S_ad
                + query_of_a * key_b * S_db
                + query_of_a * query_of_b * S_dd
            )
            * inner(tangent_block, unit_block)
            / score_width
            + inner(tangent_block, _MEANS) / width
            + inner(tangent_block, _TRANSPOSED) / (width * score_width)
        ),
    ),
    assuming=EQUAL_WEIGHTS,
    rests_on=[COLUMNS, ONE_COLUMN],
    note=_NOTE,
)


def two_columns(given: Given) -> tuple[Expr, Theorem]:
    """The mean for two columns, and that it is so at all coordinates."""
    pair = given.fact(COLUMNS)
    there = given.substituted(at_coordinates(given, pair), {slope_i: SLOPE_A, slope_j: SLOPE_B.subs(n, m)})
    return pair.statement.args[1], there


@EQUAL_MEAN.proved()
def equal_and_different_columns(given: Given) -> Theorem:
    """Of the (d^G)² pairs of columns d^G are equal."""
    one = given.fact(ONE_COLUMN)
    there = given.substituted(at_coordinates(given, one), {slope_i: SLOPE_A, slope_same: SLOPE_B})
    entries = (one.statement.args[1], there), two_columns(given)
    return given.follows(mean_by_entries(given, mean_form, score_width**2, *entries))
