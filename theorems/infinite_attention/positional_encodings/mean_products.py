"""Appendix C.1: mean products of inputs with encodings, at every width."""

import sympy as sp
from sympy import Expr, sqrt

from symbolic.gaussian.wick import gaussian_mean
from theorems.engine import Given, Hypothesis, Provenance, both, eq
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.auxiliary.inner_products import Columns
from theorems.infinite_attention.auxiliary.limits_of_products import COLUMNS, CONVERGENT_INPUTS
from theorems.infinite_attention.auxiliary.weak_law import moments_of_a_mean
from theorems.infinite_attention.letters.auxiliary import g_a1, g_a2, g_b1, g_b2, product_gg
from theorems.infinite_attention.letters.encodings import (
    R_aa,
    R_ab,
    R_bb,
    alpha,
    encoding_width,
    lim_encoded,
    lim_encoded_square,
    product_encoded,
    product_encodings,
)
from theorems.infinite_attention.letters.kernels import input_ab
from theorems.infinite_attention.letters.network import width
from theorems.infinite_attention.letters.table import UNIT, claim

_NOTE = "proofs_notes/inf_encodings.md#mean-products-with-encodings"


def _variance(X: Random) -> Expr:
    return E(X**2) - E(X) ** 2


APPENDED = Hypothesis(
    "appended_encoding",
    "the columns of the encoding are appended to those of the input, $encoding_width to $width:"
    " $product_encoded is the mean over all columns, $product_encodings that over the encoding's",
)
ENCODINGS = Hypothesis(
    "independent_columns_of_encodings",
    "the columns of the encoding are independent of the input and of each other, centred and"
    " normal with $R_aa, $R_ab and $R_bb as variances and covariance at the two tokens",
)
_SHARE = width / (width + encoding_width)
_SPREAD = R_aa * R_bb + R_ab**2

APPEND = claim(
    "inf.c1.append",
    at="Appendix C.1",
    title="Mean products with appended encodings, at every width",
    states={
        "mean": eq(E(product_encoded), _SHARE * E(g_a1 * g_b1) + (1 - _SHARE) * R_ab),
        "variance": eq(
            _variance(product_encoded),
            _SHARE**2 * _variance(product_gg) + (1 - _SHARE) ** 2 * _SPREAD / encoding_width,
        ),
        "away from the limit": eq(
            E(product_encoded) - (alpha * E(g_a1 * g_b1) + (1 - alpha) * R_ab),
            (_SHARE - alpha) * (E(g_a1 * g_b1) - R_ab),
        ),
    },
    assuming=[APPENDED, ENCODINGS, COLUMNS],
    rests_on="inf.lem33.inputs",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@APPEND.proved("mean", "variance", "away from the limit")
def two_means_side_by_side(given: Given) -> Theorem:
    """A mean over all columns is the mixture of two means that are independent."""
    mixture = _SHARE * product_gg + (1 - _SHARE) * product_encodings
    whole = given.supposed(
        APPENDED, eq(E(product_encoded), E(mixture)), eq(E(product_encoded**2), E(mixture**2))
    )
    apart = given.supposed(ENCODINGS, independent(product_gg, product_encodings))
    law = Columns(product_encodings, ENCODINGS, (R_aa, R_bb), R_ab, encoding_width)
    product = facts.expectation_of_independent(product_gg, product_encodings)
    return given.follows(whole, apart, product, given.fact("inf.lem33.inputs", "mean"), *law.moments(given))


ADDED = Hypothesis(
    "added_encodings",
    "the encoding, of $width columns, is added to the input with the factors √α and √(1 - α):"
    " $product_encoded is the mean over the columns of products of the sums, α being $alpha",
)
_e, _f, _e2, _f2 = (Random(name) for name in ("E_a1", "E_b1", "E_a2", "E_b2"))

ADD = claim(
    "inf.c1.add",
    at="Appendix C.1",
    title="Mean products with added encodings, at every width",
    states={
        "mean": eq(E(product_encoded), alpha * E(g_a1 * g_b1) + (1 - alpha) * R_ab),
        "variance": eq(
            _variance(product_encoded),
            alpha**2 * _variance(product_gg)
            + (
                (1 - alpha) ** 2 * _SPREAD
                + alpha * (1 - alpha) * (E(g_a1**2) * R_bb + E(g_b1**2) * R_aa + 2 * E(g_a1 * g_b1) * R_ab)
            )
            / width,
        ),
    },
    assuming=[ADDED, ENCODINGS, COLUMNS],
    rests_on="inf.lem33.inputs",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _sum(g: Random, one: Random) -> Expr:
    return sqrt(alpha) * g + sqrt(1 - alpha) * one


def _factors(given: Given, *products: Expr) -> Theorem:
    """Means of products of inputs and encodings, these by Isserlis' formula."""
    noise = (_e, _f, _e2, _f2)
    covariance = {
        **{(_e, _e): R_aa, (_f, _f): R_bb, (_e, _f): R_ab},
        **{(_e2, _e2): R_aa, (_f2, _f2): R_bb, (_e2, _f2): R_ab},
    }
    found = []
    for product in products:
        for term in sp.Add.make_args(sp.expand(product)):
            monomial = term.as_independent(Random, as_Add=False)[1]
            inputs, encodings = monomial.as_independent(*noise, as_Add=False)
            if encodings != 1:
                mean = gaussian_mean(encodings, noise, covariance)
                found.append(eq(E(monomial), E(inputs) * mean))
    return given.supposed(ENCODINGS, *dict.fromkeys(found))


@ADD.proved("mean", "variance")
def columns_of_sums(given: Given) -> Theorem:
    """Columns of sums are exchangeable; of their products all odd terms have mean zero."""
    given.require(ADDED, COLUMNS)
    first = _sum(g_a1, _e) * _sum(g_b1, _f)
    second = _sum(g_a2, _e2) * _sum(g_b2, _f2)
    whole = moments_of_a_mean(given, ADDED, product_encoded, (first, second), width)
    alike = given.supposed(COLUMNS, eq(E(g_a2 * g_b2), E(g_a1 * g_b1)))
    inputs = given.fact("inf.lem33.inputs", "mean"), given.fact("inf.lem33.inputs", "square")
    factors = _factors(given, first, first**2, first * second)
    return given.follows(whole, *inputs, alike, factors)


WIDE = Hypothesis(
    "wide_layers_with_encodings",
    "all widths tend to infinity, the share of the input's columns to $alpha if encodings are"
    " appended; inputs have bounded moments and converge in law, with columns that are independent"
    " in the limit and have the kernel $input_ab at the two tokens, and encodings $R_ab",
)

LIMIT = claim(
    "inf.c1.limit",
    at="Appendix C.1",
    title="Mean products with encodings converge to the mixture of both kernels in mean square",
    states=both(
        eq(lim_encoded, alpha * input_ab + (1 - alpha) * R_ab),
        eq(lim_encoded_square, (alpha * input_ab + (1 - alpha) * R_ab) ** 2),
    ),
    assuming=WIDE,
    rests_on=[APPEND, ADD, "inf.lem33"],
    discharging={
        **dict.fromkeys((APPENDED, ADDED), "one way and the other"),
        ENCODINGS: "the law of encodings",
        COLUMNS: "the columns of the input are exchangeable",
        CONVERGENT_INPUTS: "the same of inputs without encodings",
    },
    note=_NOTE,
)


@LIMIT.argued(
    bridge="the moments are exact, what is divided by a width vanishes, and the mean product of the"
    " inputs converges in mean square by Lemma 33",
    over={alpha: UNIT},
)
def term_by_term(given: Given) -> Theorem:
    """The mean, and the variance, of which every term vanishes."""
    given.require(WIDE)
    mean, variance = sp.symbols("limit_of_input_mean limit_of_input_variance", real=True)
    inputs = given.bridge("Lemma 33", eq(mean, input_ab), eq(variance, 0))
    moments = given.bridge(
        "exact moments, of which those with 1/d vanish",
        eq(lim_encoded, alpha * mean + (1 - alpha) * R_ab),
        eq(lim_encoded_square - lim_encoded**2, alpha**2 * variance),
    )
    return given.follows(inputs, moments)
