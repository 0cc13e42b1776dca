"""Lemmas 23 to 26 without a nonlinearity: exact means at every width.

The tangent kernel of the layer's input is diagonal in the coordinates and the same at all of them,
as behind a dense layer; then scores without a nonlinearity have means that no limit is needed for.
"""

from typing import Any

import sympy as sp
from sympy import Expr, Function, Integer, Sum, Symbol, sqrt

from theorems.engine import Given, Hypothesis, Provenance, both, eq, rules
from theorems.engine.rules import E, Random, Theorem, Vector, facts, inner, norm, principles, sums
from theorems.engine.rules.vocabulary import randoms, vectors
from theorems.infinite_attention.kernel_limit.finite_widths.widths import (
    MEAN_PRODUCT,
    SCORES_THEMSELVES,
    WEIGHTS,
    mean_product_of_weights,
)
from theorems.infinite_attention.kernel_limit.score_covariances import covariance_of_scores
from theorems.infinite_attention.letters.direct_gradients import S_values
from theorems.infinite_attention.letters.gradients import (
    S_at,
    S_dd,
    S_tb,
    T_ab,
    T_aj,
    T_ib,
    T_ij,
    contracted,
    cross_ij,
    cross_sum,
    crossed_a,
    crossed_b,
    crossed_part,
    g_c_i,
    key_a,
    key_b,
    mean_form,
    mixed_slopes,
    outer_bd,
    outer_ea,
    products,
    query_of_a,
    query_of_b,
    score_bc,
    score_cd,
    score_form,
    scored_ai,
    scored_bj,
    scored_jj,
    scored_part,
    slopes_form,
    slopes_ij,
    tangent_block,
    tangent_number,
    tangents,
    unit_block,
    value_form,
    value_of_c,
    valued_part,
    weight_a,
    weight_b,
    weight_v_i,
)
from theorems.infinite_attention.letters.heads import tokens
from theorems.infinite_attention.letters.network import (
    S_ab,
    S_ij,
    score_width,
    sigma_k,
    sigma_o,
    sigma_q,
    sigma_v,
    width,
)
from theorems.infinite_attention.letters.table import NONNEGATIVE, SIZE, claim
from theorems.infinite_attention.sums_over_pairs import Part, by_entries, i, j, trace
from theorems.infinite_attention.tangent_limit.direct.output_weights import (
    OUTPUT_WEIGHTS,
    VALUES,
    reduced_to_one_column,
)
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import GAUSSIAN_COLUMN
from theorems.infinite_attention.tangent_limit.linear_tangents import DIAGONAL_TANGENT, DIAGONAL_TANGENTS

_NOTE = "proofs_notes/inf_tangents.md#a-layer-without-a-nonlinearity"
_SCALE = sigma_q**2 * sigma_k**2
_u, _n = Symbol("u", integer=True), Symbol("n", integer=True, nonnegative=True)
_Qb, _Qc, _Kc, _Kd = (Function(name, real=True) for name in ("Q_b", "Q_c", "K_c", "K_d"))
_WQ, _WK, _value = vectors("W_Q"), vectors("W_K"), Vector("value_input")
_scale = Symbol("scale_of_scores", positive=True)

_EULER = eq(cross_sum, tangent_number / width * (key_b * score_bc + query_of_b * score_cd))

EULER = claim(
    "inf.lem26.diagonal",
    at="Appendix B.2.2; Equation (32)",
    title="With a diagonal tangent kernel the sum over derivatives of a score is made of scores",
    states=_EULER,
    assuming=DIAGONAL_TANGENT,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EULER.proved()
def inputs_along_weights(given: Given) -> Theorem:
    """By the hypothesis on one number."""
    return given.follows(_derivatives_as_scores(given, DIAGONAL_TANGENT, contracted))


def _derivatives_as_scores(given: Given, diagonal: Hypothesis, contracted: Vector) -> Theorem:
    """The input of c₂ along the weights of a column is its query or key: a sum over columns."""
    letters = {x: given.claim.letters[x].domain for x in (key_b, query_of_b, width)}
    letters |= {sigma_q: NONNEGATIVE, sigma_k: NONNEGATIVE, _value: _value.belongs_to}
    over = {_u: sp.Range(sp.oo), **letters}
    slope = key_b * sigma_k * _Qb(_u) * _WK(_u) + query_of_b * sigma_q * _Kd(_u) * _WQ(_u)
    term = key_b * _Qb(_u) * _Kc(_u) + query_of_b * _Kd(_u) * _Qc(_u)
    columns = given.meaning(
        "queries and keys of c₂",
        eq(_Qc(_u), sigma_q / sqrt(width) * inner(_value, _WQ(_u))),
        eq(_Kc(_u), sigma_k / sqrt(width) * inner(_value, _WK(_u))),
        over=over,
    )
    rest = contracted - tangent_number * _value
    multiple = given.supposed(diagonal, eq(norm(rest), 0))
    along = [facts.cauchy_schwarz(rest, one(_u)) for one in (_WQ, _WK)]
    here = eq(inner(contracted, slope), tangent_number * sqrt(width) * term)
    each = rules.follows(here, [columns, multiple, *along])
    count = {score_width: SIZE, **multiple.over, **letters}
    added = sums.summed(each, _u, score_width)
    parts = [sums.linear(one, over=count) for one in added.statement.args]
    total = Sum(inner(contracted, slope), (_u, 0, score_width - 1))
    meant = given.meaning(
        "the sum of (32), over d^G columns", eq(cross_sum, total / (width * sqrt(width) * _scale))
    )
    scores = given.meaning(
        "scores",
        eq(score_bc, Sum(_Qb(_u) * _Kc(_u), (_u, 0, score_width - 1)) / _scale),
        eq(score_cd, Sum(_Qc(_u) * _Kd(_u), (_u, 0, score_width - 1)) / _scale),
    )
    return rules.follows(_EULER, [added, *parts, meant, scores], over={**scores.over, **meant.over})


_SLOPES = eq(slopes_ij, _SCALE * (T_ij * S_ab + T_ab * S_ij + (T_ib * S_at + T_aj * S_tb) / width))

SLOPES = claim(
    "inf.lem24.linear",
    at="Appendix B.2.2; Lemma 24",
    title="With a diagonal tangent kernel the mean product of derivatives of two scores is exact",
    states=_SLOPES,
    assuming=[GAUSSIAN_COLUMN, DIAGONAL_TANGENTS],
    rests_on=["inf.lem24.eq31.corrected"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SLOPES.proved()
def through_queries_and_through_keys(given: Given) -> Theorem:
    """Each score depends on its token by the query and on its other token by the key."""
    ways = {  # through the key or not at a and at b, and the tangent kernel of these tokens
        Random("both_keys"): (1, 1, T_ij),
        Random("both_queries"): (0, 0, T_ab),
        Random("key_and_query"): (1, 0, T_ib),
        Random("query_and_key"): (0, 1, T_aj),
    }
    means = [
        given.substituted(
            given.fact("inf.lem24.eq31.corrected"),
            {
                **{key_a: first, query_of_a: 1 - first, key_b: second, query_of_b: 1 - second},
                **{mean_form: name, tangent_block: Vector(f"tangent kernel {name}"), S_dd: S_ij},
            },
        )
        for name, (first, second, entry) in ways.items()
    ]
    added = given.meaning(
        "the sum of (31), over the tokens a' and b'", eq(slopes_ij, E(sum(ways, sp.S.Zero)))
    )
    blocks = [
        _diagonal(given, Vector(f"tangent kernel {name}"), entry, unit_block, outer_ea, outer_bd)
        for name, (_, _, entry) in ways.items()
    ]
    return given.follows(*means, *blocks, *_traces(given), added)


def _diagonal(given: Given, block: Vector, entry: Expr, *matrices: Vector) -> Theorem:
    """What the tangent kernel of two tokens, T I, has with matrices is what T I has with them."""
    rest = block - entry * unit_block
    none = given.supposed(DIAGONAL_TANGENTS, eq(norm(rest), 0))
    return rules.follows(
        both(*(eq(inner(block, one), entry * inner(unit_block, one)) for one in matrices)),
        [none, *(facts.cauchy_schwarz(rest, one) for one in matrices)],
    )


def _traces(given: Given) -> list[Theorem]:
    """What products of inputs have with the unit matrix, the width times their mean products."""
    at_a, at_b, at_i, at_j = [Function(f"input of {token}", real=True)(i) for token in "abij"]
    pairs = {S_at: (outer_ea, at_j * at_a), S_tb: (outer_bd, at_b * at_i)}
    known = [_length_of_unit(given)]
    for mean, (matrix, at) in pairs.items():
        whole = Sum(at, (i, 0, width - 1))
        known.append(given.meaning("a mean product of inputs", eq(mean, whole / width)))
        known.append(trace(given, inner(unit_block, matrix), at, size=width))
    return known


def _length_of_unit(given: Given) -> Theorem:
    return trace(given, inner(unit_block, unit_block), Integer(1), size=width)


_OUTPUT = sigma_o**2 * sigma_v**2
_LINEAR = [GAUSSIAN_COLUMN, OUTPUT_WEIGHTS, VALUES, SCORES_THEMSELVES, DIAGONAL_TANGENTS]

SCORED = claim(
    "inf.lem23.linear",
    at="Appendix B.2.2; Lemma 23",
    title="Without a nonlinearity the part of Lemma 23 has its limit as mean, up to one over width",
    states=eq(
        scored_part,
        _OUTPUT
        * _SCALE
        * (
            T_ab * inner(products, products)
            + S_ab * inner(products, tangents)
            + (inner(products, crossed_b) + inner(products, crossed_a)) / width
        ),
    ),
    assuming=_LINEAR,
    rests_on=[SLOPES, "inf.eq30"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
#: By the tokens i of one input and j of another one.
_PLACES = {
    **{S_ij: MEAN_PRODUCT, T_ij: Function("tangent kernel of tokens", real=True)(i, j)},
    **{T_ib: Function("tangent kernel with b", real=True)(i), S_at: Function("product with a", real=True)(j)},
    **{T_aj: Function("tangent kernel with a", real=True)(j), S_tb: Function("product with b", real=True)(i)},
}
_ENTRIES = {products: S_ij, tangents: T_ij, crossed_b: T_ib * S_at, crossed_a: T_aj * S_tb}


def _over_tokens(
    given: Given, part: Expr, each: Expr, known: list[Theorem], scales: dict[Vector, Expr]
) -> Theorem:
    """A part, the sum over both tokens of ``each``, by what mean products have with matrices."""
    parts = [
        Part(_OUTPUT * _SCALE * scale, inner(products, one), (S_ij * _ENTRIES[one]).xreplace(_PLACES))
        for one, scale in scales.items()
    ]
    return given.follows(by_entries(given, part, Integer(1), each, parts, *known, size=tokens))


def _at_tokens(given: Given, theorem: Theorem, values: dict[Any, Any]) -> Theorem:
    places = {x: value for x, value in _PLACES.items() if x in theorem.over}
    return given.substituted(theorem, {**values, **places})


@SCORED.proved()
def sum_over_two_tokens(given: Given) -> Theorem:
    """Values have mean products of inputs as covariances, and output weights only their scale."""
    pair, form = randoms("part of two tokens")(i, j), randoms("form of two tokens")(i, j)
    slope = Function("mean sum of (31)", real=True)(i, j)
    at_tokens = {score_form: pair, slopes_form: form, S_values: MEAN_PRODUCT}
    whole = given.substituted(given.fact("inf.eq30"), at_tokens)
    same = given.supposed(SCORES_THEMSELVES, eq(E(form), slope))
    slopes = _at_tokens(given, given.fact(SLOPES), {slopes_ij: slope})
    of_pair = eq(E(pair), sp.expand(whole.statement.rhs.xreplace({E(form): slopes.statement.rhs})))
    each = rules.follows(of_pair, [whole, rules.follows(eq(E(form), slopes.statement.rhs), [same, slopes])])
    inverse = 1 / width
    scales = {products: T_ab, tangents: S_ab, crossed_b: inverse, crossed_a: inverse}
    return _over_tokens(given, scored_part, E(pair), [each], scales)


_CROSS = eq(cross_ij, _SCALE / width * S_ij * (T_ij * S_ab + T_ib * S_at))

CROSS = claim(
    "inf.lem25.pairs",
    at="Appendix B.2.2; Lemma 25, proof",
    title="A score and a derivative of another one have a mean of order one over the width",
    states=_CROSS,
    assuming=[GAUSSIAN_COLUMN, DIAGONAL_TANGENTS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@CROSS.proved()
def covariances_of_scores(given: Given) -> Theorem:
    """By the claim before, both derivatives are scores, of which one column gives covariances."""
    columns = [
        covariance_of_scores(given, GAUSSIAN_COLUMN, (scored_ai, other), (mean, S_ij), by_weights=True)
        for other, mean in ((scored_bj, S_ab), (scored_jj, S_at))
    ]
    ways = [_of_drawn_weights(given, 1, T_ij), _of_drawn_weights(given, 0, T_ib)]
    both_ways = given.meaning(
        "a score times the sum of (32), over the tokens b'",
        eq(cross_ij, E(scored_ai * sum(one for one, _ in ways))),
    )
    return given.follows(*columns, both_ways, *(mean for _, mean in ways))


def _of_drawn_weights(given: Given, key: int, entry: Symbol) -> tuple[Expr, Theorem]:
    """The sum of (32) through the key or the query of b, and its mean with a score."""
    other, name = (scored_bj, "key") if key else (scored_jj, "query")
    whole, score = Random(f"sum of (32) by the {name}"), Symbol("any score", real=True)
    value = Symbol(f"value of {whole}", real=True)
    image = Vector(f"input times the tangent kernel by the {name}")
    pathwise = given.substituted(
        _derivatives_as_scores(given, DIAGONAL_TANGENTS, image),
        {cross_sum: value, tangent_number: entry, key_b: key, query_of_b: 1 - key},
    )
    own = score_bc if key else score_cd
    product = rules.follows(eq(score * value, score * entry * own / width), [pathwise])
    values = {score: scored_ai, value: whole, own: other}
    return whole, principles.expected_jointly(product, values)


CROSSED = claim(
    "inf.lem25.linear",
    at="Appendix B.2.2; Lemma 25",
    title="Without a nonlinearity the part of Lemma 25 has a mean of exact order one over width",
    states=eq(
        crossed_part,
        _OUTPUT * _SCALE / width * (S_ab * inner(products, tangents) + inner(products, crossed_b)),
    ),
    assuming=_LINEAR,
    rests_on=[CROSS, "inf.lem25.mean"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@CROSSED.proved()
def sum_over_values_and_keys(given: Given) -> Theorem:
    """A value and its own weight have the input over the root of the width as covariance.

    One column is the sum, over the coordinates of the input, of the derivatives by them.
    """
    letters = every, one = Random("part of all columns"), Random("part of one column")
    of_all, of_one = (randoms(str(x))(i, j) for x in letters)
    weight, value = randoms("weight of the value")(_u, i, j), randoms("value")(i, j)
    slopes, derivative = (randoms(f"{name} of the input")(_u, i, j) for name in ("slopes", "derivative"))
    entry, cross = (Function(name, real=True) for name in ("entry of the input", "mean of (32)"))
    score, at = randoms("score")(i, j), {weight_v_i: weight, value_of_c: value}
    term = sigma_v / sqrt(width) * E(weight * value * slopes)
    means = given.substituted(given.fact("inf.lem25.mean"), {**at, mixed_slopes: slopes, g_c_i: entry(_u, j)})
    same = given.supposed(SCORES_THEMSELVES, eq(E(slopes), E(score * derivative)))
    columns = given.meaning(
        "one column, over the coordinates of the input", eq(E(of_one), Sum(term, (_u, 0, width - 1)))
    )
    of_32 = given.meaning(
        "a score times the sum of (32), over the coordinates of the input",
        eq(cross(i, j), Sum(entry(_u, j) * E(score * derivative), (_u, 0, width - 1)) / width),
    )
    each = rules.follows(eq(term, sigma_v**2 / width * entry(_u, j) * E(score * derivative)), [means, same])
    over = {x: range_ for x, range_ in {**each.over, **of_32.over}.items() if x != _u}
    added = sums.summed(each, _u, width, over=over)
    known = [
        given.substituted(reduced_to_one_column(given, every, one), {every: of_all, one: of_one}),
        _at_tokens(given, given.fact(CROSS), {cross_ij: cross(i, j)}),
        *(columns, of_32, added, sums.linear(added.statement.rhs, over=over)),
    ]
    scales = {tangents: S_ab / width, crossed_b: 1 / width}
    return _over_tokens(given, crossed_part, E(of_all), known, scales)


VALUED = claim(
    "inf.lem22.linear",
    at="Appendix B.2.2; Lemma 22",
    title="Without a nonlinearity the part of Lemma 22 has its limit as mean, at every width",
    states=eq(valued_part, _OUTPUT * _SCALE * S_ab * inner(products, tangents)),
    assuming=_LINEAR,
    rests_on=["inf.lem22.mean"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_FORM, _BLOCK = randoms("sum of values")(i, j), vectors("tangent kernel at tokens")(i, j)


@VALUED.proved()
def covariances_of_scores_once_more(given: Given) -> Theorem:
    """Attention weights are scores, with the covariances σ_QK² κ̂_ab κ̂_ij, and Θ̂ = T_ij I."""
    weights = dict(zip((weight_a, weight_b), WEIGHTS.args, strict=True))
    at_tokens = {value_form: _FORM, tangent_block: _BLOCK, **weights}
    pair, entry = (scored_ai, scored_bj), _PLACES[T_ij]
    covariance = covariance_of_scores(given, GAUSSIAN_COLUMN, pair, (S_ab, S_ij), by_weights=True)
    known = [
        given.substituted(given.fact("inf.lem22.mean"), at_tokens),
        _diagonal(given, _BLOCK, entry, unit_block),
        _length_of_unit(given),
        mean_product_of_weights(given, pair, covariance),
    ]
    return _over_tokens(given, valued_part, _OUTPUT * E(_FORM), known, {tangents: S_ab})
