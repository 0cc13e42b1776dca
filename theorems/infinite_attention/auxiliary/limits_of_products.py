"""Lemma 33: mean products over inputs that are random, and their limits."""

from sympy import Function, Integer, Rational, Symbol, symbols

from theorems.classical.conditional_means import tower_rule
from theorems.engine import Given, Hypothesis, Obligations, Provenance, Severity, both, eq, rules, sentence
from theorems.engine.rules import E, Random, Theorem, facts, principles
from theorems.engine.rules.normal_variables import isserlis
from theorems.engine.rules.vocabulary import independent, normal, randoms
from theorems.infinite_attention.auxiliary.convergence import INTEGRABLE
from theorems.infinite_attention.auxiliary.inner_products import (
    OTHER_WEIGHTS,
    SAME_KEYS,
    SAME_QUERIES,
    SAME_WEIGHTS,
)
from theorems.infinite_attention.auxiliary.weak_law import moments_of_a_mean
from theorems.infinite_attention.letters.auxiliary import (
    g_a1,
    g_a2,
    g_b1,
    g_b2,
    lim_gg,
    lim_gg_square,
    lim_kk,
    lim_kk_square,
    lim_other,
    lim_other_square,
    lim_qq,
    lim_qq_square,
    lim_shared,
    lim_shared_square,
    product_gg,
    product_qq,
    square_a,
    square_b,
    total_product,
)
from theorems.infinite_attention.letters.kernels import input_ab
from theorems.infinite_attention.letters.network import score_width, sigma_k, sigma_q, width
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#mean-products"
_FOUR = E(g_a1 * g_b1 * g_a2 * g_b2)

COLUMNS = Hypothesis(
    "exchangeable_columns",
    "$product_gg is the mean over $width columns of products of the inputs of two tokens, and the"
    " columns, infinitely many, are exchangeable; they begin with $g_a1 and $g_b1, $g_a2 and $g_b2",
)

INPUTS = claim(
    "inf.lem33.inputs",
    at="Lemma 33; Equation (37)",
    title="The first two moments of mean products of inputs, at every width",
    states={
        "mean": eq(E(product_gg), E(g_a1 * g_b1)),
        "square": eq(E(product_gg**2), E(g_a1**2 * g_b1**2) / width + (1 - 1 / width) * _FOUR),
        "remainder": eq(E(product_gg**2) - _FOUR, (E(g_a1**2 * g_b1**2) - _FOUR) / width),
    },
    assuming=COLUMNS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@INPUTS.proved("mean", "square", "remainder")
def products_of_columns(given: Given) -> Theorem:
    """Products of the entries of a column are exchangeable."""
    products_of_inputs = g_a1 * g_b1, g_a2 * g_b2
    return given.follows(moments_of_a_mean(given, COLUMNS, product_gg, products_of_inputs, width))


DRAWN_INPUTS = Hypothesis(
    "drawn_inputs",
    "$product_qq is the mean over $score_width columns of products of queries of two tokens; given"
    " the inputs the columns are independent, jointly normal and centred, with $sigma_q squared"
    " times $square_a, $product_gg and $square_b as variances and covariance",
)
_u, _v, _w, _z = (Random(name) for name in ("u_1", "v_1", "u_2", "v_2"))
#: What is drawn before the queries, and the mean products of these inputs.
_inputs = Symbol("inputs", real=True)
_square_a, _square_b, _product = (
    Function(name, real=True)(_inputs) for name in ("square of a", "square of b", "product of both")
)

TOTAL = claim(
    "inf.lem33.total",
    at="Lemma 33; Equation (38)",
    title="The second moment of mean products of queries over random inputs, at every width",
    states=eq(
        E(product_qq**2),
        sigma_q**4 * (E(product_gg**2) + (E(square_a * square_b) + E(product_gg**2)) / score_width),
    ),
    assuming=DRAWN_INPUTS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@TOTAL.proved()
def mean_over_the_inputs(given: Given) -> Theorem:
    """Of products of one column and of two, Isserlis' formula gives the means for each input."""
    square = moments_of_a_mean(given, DRAWN_INPUTS, product_qq, (_u * _v, _w * _z), score_width)
    drawn = Random("Inputs")
    one, two = _given_the_inputs(given)
    conditional = (side.xreplace({_inputs: drawn}) for side in (one.statement.lhs, two.statement.lhs))
    columns = zip((_u**2 * _v**2, _u * _v * _w * _z), conditional, strict=True)
    of_inputs = [(square_a * square_b, _square_a * _square_b), (product_gg**2, _product**2)]
    named = given.meaning(
        "mean products of the inputs that are drawn",
        *(eq(E(name), E(value.xreplace({_inputs: drawn}))) for name, value in of_inputs),
    )
    towers = (tower_rule(given.meaning, whole, mean) for whole, mean in columns)
    means = (principles.expected(each, _inputs, drawn) for each in (one, two))
    return given.follows(square, *means, *towers, named)


def _given_the_inputs(given: Given) -> tuple[Theorem, Theorem]:
    """Of products of one column and of two the means for each input, by Isserlis' formula."""
    u, v, w, z = (randoms(str(one))(_inputs) for one in (_u, _v, _w, _z))
    pairs = ((u**2, _square_a), (v**2, _square_b), (u * v, _product), (w * z, _product))
    law = given.supposed(
        DRAWN_INPUTS,
        normal(u, v),
        *(eq(E(pair), sigma_q**2 * mean) for pair, mean in pairs),
        independent(u * v, w * z),
    )
    known = [law, isserlis(u, u, v, v), facts.expectation_of_independent(u * v, w * z)]
    names = ("one column given the inputs", "two columns given the inputs")
    first, second = (Function(f"mean of {name}", real=True)(_inputs) for name in names)
    named = given.meaning("means given the inputs", eq(first, E(u**2 * v**2)), eq(second, E(u * v * w * z)))
    values = sigma_q**4 * (_square_a * _square_b + 2 * _product**2), sigma_q**4 * _product**2
    one, two = (
        rules.follows(eq(mean, value), [*known, named])
        for mean, value in zip((first, second), values, strict=True)
    )
    return one, two


DISPLAY = claim(
    "inf.lem33.display",
    at="Lemma 33",
    title="The second moment of a mean product of dense layers as a sum over four indices",
    states=sentence(
        r"($score_width)^{$power} \, \mathbb{E}\Bigl|\frac{{$input_rows}_a $dense_matrix"
        r" {$dense_matrix}^\top {$input_rows}_b^\top}{$score_width}\Bigr|^{$two} ="
        r" \sum_{i, j, k, l} \mathbb{E}[{$input_rows}_{ai} {$input_rows}_{bj} {$input_rows}_{ak}"
        r" {$input_rows}_{bl} {$dense_matrix}_{i\cdot} {$dense_matrix}_{j\cdot}^\top"
        r" {$dense_matrix}_{k\cdot} {$dense_matrix}_{l\cdot}^\top]",
        power=0,
        two=2,
    ),
    note=_NOTE,
)


@DISPLAY.refuted(severity=Severity.SLIP, controls={"with the square": {"power": 2}, "mean": {"two": 1}})
def two_columns(power: int, two: int) -> Obligations:
    """One entry that is one, two columns of standard normal weights: E (χ²/2)² = 2, E (χ²)² = 8."""
    columns = 2
    moments = {1: columns, 2: columns * (columns + 2)}
    left, right = columns**power * Rational(moments[two], columns**two), moments[2]
    without_factors = left / Rational(columns) ** (power - two)
    yield "the sum is the second moment without the factor", bool(without_factors == right)
    yield "the sides differ", left != right


DISPLAYED = DISPLAY.corrected(
    "inf.lem33.display.corrected",
    title="The second moment of a mean of products, by the second moment of their sum",
    states=eq(E((total_product / score_width) ** 2), E(total_product**2) / score_width**2),
    note=_NOTE,
)


@DISPLAYED.proved()
def square_of_the_factor(given: Given) -> Theorem:
    """The factor comes out of the mean."""
    return given.follows()


CONVERGENT_INPUTS = Hypothesis(
    "convergent_inputs",
    "inputs converge in law, with columns that are independent in the limit and have the kernel"
    " $input_ab at the two tokens; all their moments are bounded, and all widths tend to infinity",
)

LEMMA = claim(
    "inf.lem33",
    at="Lemma 33; Equation (37); Equation (38); Equation (39); Equation (40)",
    title="Mean products of inputs, queries and keys converge in mean square",
    states={
        "inputs": both(eq(lim_gg, input_ab), eq(lim_gg_square, input_ab**2)),
        "queries": both(eq(lim_qq, sigma_q**2 * input_ab), eq(lim_qq_square, (sigma_q**2 * input_ab) ** 2)),
        "keys": both(eq(lim_kk, sigma_k**2 * input_ab), eq(lim_kk_square, (sigma_k**2 * input_ab) ** 2)),
        "shared weights": both(
            eq(lim_shared, sigma_q * sigma_k * input_ab),
            eq(lim_shared_square, (sigma_q * sigma_k * input_ab) ** 2),
        ),
        "independent weights": both(eq(lim_other, 0), eq(lim_other_square, 0)),
    },
    assuming=CONVERGENT_INPUTS,
    rests_on=[
        INPUTS,
        TOTAL,
        "inf.lem33.queries",
        "inf.lem33.keys",
        "inf.lem33.shared",
        "inf.lem33.independent",
        "inf.lem28",
    ],
    discharging={
        COLUMNS: "the columns of the layer's input are exchangeable",
        DRAWN_INPUTS: "queries are a dense layer of the input",
        SAME_QUERIES: "the law of queries given the inputs",
        SAME_KEYS: "the law of keys given the inputs",
        SAME_WEIGHTS: "the law of both given the inputs, at the exponent one",
        OTHER_WEIGHTS: "the law of both given the inputs, at the exponent one half",
        INTEGRABLE: "all moments are bounded",
    },
    note=_NOTE,
)
_one, _two = symbols("limit_of_g_g limit_of_g_g_g_g", real=True)


@LEMMA.argued(
    "inputs",
    "queries",
    "keys",
    "shared weights",
    "independent weights",
    bridge="moments at finite width are exact; what is divided by a width vanishes as moments are"
    " bounded, and means of products of inputs of one and of two columns converge by Theorem 29",
)
def limits_of_exact_moments(given: Given) -> Theorem:
    """The first two moments of each mean product, term by term."""
    given.require(CONVERGENT_INPUTS)
    inputs = given.bridge(
        "exact moments of the inputs' mean products, and Theorem 29",
        *(eq(lim_gg, _one), eq(lim_gg_square, _two), eq(_one, input_ab)),
        eq(_two, input_ab**2),
    )
    layers = [
        given.bridge(
            "exact moments of mean products of layers, of which those with 1/d vanish",
            eq(mean, factor * lim_gg),
            eq(square, factor**2 * lim_gg_square),
        )
        for mean, square, factor in (
            (lim_qq, lim_qq_square, sigma_q**2),
            (lim_kk, lim_kk_square, sigma_k**2),
            (lim_shared, lim_shared_square, sigma_q * sigma_k),
            (lim_other, lim_other_square, Integer(0)),
        )
    ]
    return given.follows(inputs, *layers)
