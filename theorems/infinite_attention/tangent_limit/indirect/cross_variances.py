"""Lemma 26: the sums tend to zero, in mean square and with a rate."""

from itertools import combinations_with_replacement
from typing import Any

import sympy as sp
from sympy import Expr, Integer, sqrt

from theorems.engine import Given, Hypothesis, Obligations, Provenance, both, eq, le, rules, sentence
from theorems.engine.rules import E, Theorem, Vector, facts, inner, norm
from theorems.engine.rules.normal_variables import square_of_product
from theorems.engine.rules.vocabulary import independent, normal, randoms
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.gaussian_sums import n, second_moments
from theorems.infinite_attention.letters.gradients import (
    S_bc,
    S_cc,
    S_cd,
    S_ee,
    contracted,
    input_b,
    input_e,
    key_b,
    mean_cross,
    query_of_b,
    tangent_number,
)
from theorems.infinite_attention.letters.network import S_bb, score_width, sigma_k, sigma_q, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.linear_values import along_inputs
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import (
    EQUAL_WEIGHTS,
    GAUSSIAN_COLUMN,
)
from theorems.infinite_attention.tangent_limit.indirect.tangents_of_inputs import CONVERGENT_TANGENTS
from theorems.infinite_attention.tangent_limit.linear_tangents import DIAGONAL_TANGENT

_NOTE = "proofs_notes/inf_tangents.md#one-derivative-of-a-score"
_SCALE = sigma_q**2 * sigma_k**2
#: Of a column: entries of queries and keys, and weights along the input of c₂ times the kernel.
_query, _key = randoms("query"), randoms("key")
_ALONG_KEY, _ALONG_QUERY = randoms("key weights along")(n), randoms("query weights along")(n)
_sum = randoms("sum over columns")
_ALONG = inner(contracted, contracted)
_BOTH = inner(contracted, input_b) * inner(contracted, input_e)
_SECOND = eq(
    E(mean_cross**2),
    _SCALE
    / width**3
    * (_ALONG * (key_b * S_bb + query_of_b * S_ee) + 2 * key_b * query_of_b * _BOTH / width),
)

SECOND = claim(
    "inf.lem26.second",
    at="Lemma 26, proof",
    title="The second moment of the sum over derivatives of a score, at every width",
    states={"value": _SECOND, "bound": le(E(mean_cross**2), 2 * _SCALE * (S_bb + S_ee) * _ALONG / width**3)},
    assuming=GAUSSIAN_COLUMN,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _value(given: Given) -> Theorem:
    """By induction on the number of columns, which are independent and have the mean 0."""
    query, key = _query(n), _key(n)
    column = key_b * sigma_k * query * _ALONG_KEY + query_of_b * sigma_q * key * _ALONG_QUERY
    pairs = [
        (query**2, _ALONG_KEY**2),
        (key**2, _ALONG_QUERY**2),
        (query * _ALONG_QUERY, key * _ALONG_KEY),
        (query, _ALONG_KEY),
        (key, _ALONG_QUERY),
    ]
    known = given.supposed(
        GAUSSIAN_COLUMN,
        *(eq(E(query), 0), eq(E(key), 0)),
        *(independent(*pair) for pair in (*pairs, (_sum(n), column))),
    )
    means = _means_of_a_column(given, query, key)
    products = [facts.expectation_of_independent(*pair, over=known.over) for pair in pairs]
    indicators = [given.follows(goal=eq(one**2, one)) for one in (key_b, query_of_b)]
    square = width**3 * _SECOND.rhs
    of_column = rules.follows(
        both(eq(E(column), 0), eq(E(column**2), square)), [known, *means, *products, *indicators]
    )
    return _of_columns(given, column, (0, square), [known, of_column], 1 / sqrt(score_width))


def _means_of_a_column(given: Given, query: Expr, key: Expr) -> list[Theorem]:
    """Of a query and a key, and of the weights of each along the contracted input, by their entries."""
    scales = {query: sigma_q / sqrt(width), key: sigma_k / sqrt(width)}
    of_weights = {_ALONG_KEY: contracted, _ALONG_QUERY: contracted, query: input_b, key: input_e}
    pairs = [(X, X) for X in of_weights] + [(query, _ALONG_QUERY), (key, _ALONG_KEY)]
    found = [_mean_squares(given)]
    for X, Y in pairs:
        scale = scales.get(X, Integer(1)) * scales.get(Y, Integer(1))
        found.append(_along(given, GAUSSIAN_COLUMN, X * Y, (of_weights[X], of_weights[Y]), scale))
    return found


def _mean_squares(given: Given) -> Theorem:
    """The mean products of the inputs of b and of d₂ with themselves."""
    means = ((S_bb, input_b), (S_ee, input_e))
    return given.meaning("mean squares", *(eq(name, inner(x, x) / width) for name, x in means))


def _along(
    given: Given, law: Hypothesis, product: Expr, pair: tuple[Vector, Vector], scale: Expr = Integer(1)
) -> Theorem:
    """The mean product of weights of a column along two vectors, in every column."""
    head = "weights along {} and {}".format(*pair)
    return along_inputs(given, law, product, pair, head=head, scale=scale, column=[n])


def _of_columns(
    given: Given, column: Expr, moments: tuple[Expr, Expr], known: list[Theorem], factor: Expr
) -> Theorem:
    """The second moment of (32), a sum over independent columns of these first two moments."""
    end = second_moments(given, _sum, column, moments, known).at({n: score_width})
    total = factor * _sum(score_width) / (width * sqrt(width))
    meant = given.meaning("the sum of (32), over d^G columns", eq(E(mean_cross**2), E(total**2)))
    mean, square = moments
    pairs = score_width * square + score_width * (score_width - 1) * mean**2
    return given.follows(end, meant, goal=eq(E(mean_cross**2), factor**2 * pairs / width**3))


@SECOND.proved("value")
def pairings_in_one_column(given: Given) -> Theorem:
    """Columns are uncorrelated; in one the weights count along one direction only."""
    return given.follows(_value(given))


@SECOND.proved("bound")
def two_inputs_along_one_direction(given: Given) -> Theorem:
    """Twice a product is at most the squares, which are at most those of the inputs' lengths."""
    lengths = _mean_squares(given)
    return given.follows(
        _value(given),
        lengths,
        facts.cauchy_schwarz(contracted, input_b),
        facts.cauchy_schwarz(contracted, input_e),
    )


_PARTNER = key_b * input_b + query_of_b * input_e
_LENGTHS = inner(contracted, contracted) * inner(_PARTNER, _PARTNER)
_ANGLE = inner(contracted, _PARTNER) ** 2
_TIED = _SCALE / width**4 * (_ANGLE + (_LENGTHS + _ANGLE) / score_width)
_ALONG_INPUT, _ALONG_B, _ALONG_E = (
    randoms(f"weights along {name}")(n) for name in ("the contracted input", "input b", "input e")
)
#: The query or the key of a column, without its scale.
_SCORED = (key_b * _ALONG_B + query_of_b * _ALONG_E) / sqrt(width)

EQUAL_SECOND = claim(
    "inf.lem26.second.equal",
    at="Lemma 26, proof",
    title="The same for equal weights of queries and keys: their columns are correlated",
    states={
        "value": eq(E(mean_cross**2), _TIED),
        "bound": le(E(mean_cross**2), (1 + 2 / score_width) * _SCALE * _LENGTHS / width**4),
    },
    assuming=EQUAL_WEIGHTS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _tied_value(given: Given) -> Theorem:
    """Of the pairs of columns d^G are equal, and those of others have products of means."""
    column = _ALONG_INPUT * _SCORED
    by_key, by_query = inner(contracted, input_b), inner(contracted, input_e)
    along = key_b * by_key + query_of_b * by_query
    square = (
        key_b**2 * inner(input_b, input_b)
        + 2 * key_b * query_of_b * inner(input_b, input_e)
        + query_of_b**2 * inner(input_e, input_e)
    )
    known = given.supposed(EQUAL_WEIGHTS, normal(_ALONG_INPUT, _SCORED), independent(_sum(n), column))
    forms = ((_ALONG_INPUT, contracted), (_ALONG_B, input_b), (_ALONG_E, input_e))
    means = [
        _along(given, EQUAL_WEIGHTS, X * Y, (x, y))
        for (X, x), (Y, y) in combinations_with_replacement(forms, 2)
    ]
    wick = square_of_product(_ALONG_INPUT, _SCORED, over=known.over)
    moments = along / sqrt(width), (inner(contracted, contracted) * square + 2 * along**2) / width
    of_column = rules.follows(
        both(*(eq(E(column**p), moments[p - 1]) for p in (1, 2))), [known, *means, wick]
    )
    factor = sigma_q * sigma_k / score_width
    pairs = _of_columns(given, column, moments, [known, of_column], factor)
    return given.follows(pairs, goal=eq(E(mean_cross**2), _TIED))


@EQUAL_SECOND.proved("value")
def equal_and_other_columns(given: Given) -> Theorem:
    """Three pairings in a column, one in two columns."""
    return given.follows(_tied_value(given))


@EQUAL_SECOND.proved("bound")
def cauchy_schwarz(given: Given) -> Theorem:
    """The square of the inner product is at most that of the lengths."""
    return given.follows(_tied_value(given), facts.cauchy_schwarz(contracted, _PARTNER, over=given.domain))


LIMIT = claim(
    "inf.lem26",
    at="Lemma 26",
    title="The sum over derivatives of a score tends to zero in probability",
    states=sentence(r"\bar S^h_n \xrightarrow{P} $limit", limit=0),
    assuming=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS],
    rests_on=["inf.lem33", SECOND, EQUAL_SECOND],
    discharging={
        GAUSSIAN_COLUMN: "the weights of the layer are so for the one scaling",
        EQUAL_WEIGHTS: "and so for the other",
    },
    note=_NOTE,
)


@LIMIT.argued(
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS],
    bridge="The length of the input of c₂ times the tangent kernel is at most the product of that"
    " input's length and the kernel's Frobenius norm, of which the mean square is as computed by"
    " exchangeability; entries off the diagonal tend to zero in mean square, as they do so in"
    " probability and all moments are bounded, and Hölder's and Chebyshev's inequalities follow.",
    controls={"one": {"limit": 1}},
)
def squared_norm_over_the_squared_width(limit: Any) -> Obligations:
    """|Θ̂|²/d² has the mean E Θ̂₁₁²/d + (1 - 1/d) E Θ̂₁₂², whatever the two moments are."""
    d, diagonal, off = sp.symbols("d diagonal off", positive=True)
    square = (d * diagonal + d * (d - 1) * off) / d**2
    wide = sp.limit(square, d, sp.oo)
    yield "only entries off the diagonal are left", bool(wide == off)
    yield "which tend to 0", bool(sp.limit(wide, off, 0) == limit)


RATE = claim(
    "inf.lem26.rate",
    at="Lemma 26",
    title="With a diagonal tangent kernel the sum tends to zero exactly as one over the width",
    states=eq(
        E(mean_cross**2),
        _SCALE
        * tangent_number**2
        / width**2
        * (S_cc * (key_b * S_bb + query_of_b * S_ee) + 2 * key_b * query_of_b * S_bc * S_cd),
    ),
    assuming=[GAUSSIAN_COLUMN, DIAGONAL_TANGENT],
    rests_on=[SECOND],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_input_c = Vector("input_c")


@RATE.proved()
def multiple_of_an_input(given: Given) -> Theorem:
    """The contracted input is a multiple of the input of c₂."""
    rest = contracted - tangent_number * _input_c
    known = given.supposed(DIAGONAL_TANGENT, eq(norm(rest), 0))
    along = [facts.cauchy_schwarz(rest, one) for one in (_input_c, input_b, input_e, contracted)]
    products = given.meaning(
        "mean products of inputs",
        eq(inner(_input_c, _input_c), width * S_cc),
        eq(inner(_input_c, input_b), width * S_bc),
        eq(inner(_input_c, input_e), width * S_cd),
    )
    return given.follows(given.fact(SECOND, "value"), known, *along, products)
