"""What (27), the tangent kernel of the layer's input, tends to behind a nonlinearity.

Below the attention layer stands a dense layer with a nonlinearity φ: an input is g = φ(f), and the
entry of (27) at a coordinate is φ'(f(x)) φ'(f(x')) times the tangent kernel of f.  That is random
at every width; only its mean over the coordinates tends to a number.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Expr, Rational, Symbol

from numeric.statistics import mean_test
from numeric.statistics.means import MeanTest
from theorems.engine import Given, Hypothesis, Obligations, Provenance, Severity, both, eq, rules, sentence
from theorems.engine.rules import E, Theorem, facts, inner
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.vocabulary import independent, normal, randoms
from theorems.infinite_attention.auxiliary.weak_law import moments_of_a_mean
from theorems.infinite_attention.kernel_limit.finite_widths.widths import SCORES_THEMSELVES
from theorems.infinite_attention.letters.gradients import tangent_block, unit_block, weight_a, weight_b
from theorems.infinite_attention.letters.network import (
    heads,
    sigma_k,
    sigma_o,
    sigma_q,
    sigma_v,
    value_width,
    width,
)
from theorems.infinite_attention.letters.table import LETTERS, NONNEGATIVE, POSITIVE, SIZE, claim, random
from theorems.infinite_attention.tangent_limit.direct.output_weights import OUTPUT_WEIGHTS, VALUES
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import GAUSSIAN_COLUMN
from theorems.infinite_attention.tangent_limit.proved_means import right_side
from theorems.infinite_attention.tangent_limit.rectified_units import moments_of_a_unit, square, tangent_share

_NOTE = "proofs_notes/inf_tangents.md#the-tangent-kernel-of-the-input"

tangent_first = random(
    "tangent_first", r"\hat\Theta_{a'1,b'1}", "tangent kernel of the input at the first coordinate"
)
tangent_second = random("tangent_second", r"\hat\Theta_{a'2,b'2}", "the same at the second coordinate")
tangent_mean = random(
    "tangent_mean",
    r"\tfrac1d \textstyle\sum_{i'} \hat\Theta_{a'i',b'i'}",
    "mean of the tangent kernel of the input over equal coordinates",
)
field_tangent = LETTERS.number(
    "field_tangent", r"\Theta_f", "tangent kernel of the dense layer, before φ", NONNEGATIVE
)
field_variance = LETTERS.number(
    "field_variance", r"\kappa_f", "variance of an entry of the dense layer, before φ", POSITIVE
)

CONVERGENT_TANGENTS = Hypothesis(
    "convergent_tangents",
    "all moments of the tangent kernel of the input are bounded; its entries at two different"
    " coordinates tend to 0 in probability, and at each two tokens its mean over equal coordinates"
    " tends to a number",
    latex=r"\hat\Theta_{a'1,b'2} \xrightarrow{P} 0, \quad \tfrac1d \textstyle\sum_{i'}"
    r" \hat\Theta_{a'i',b'i'} \xrightarrow{P} \tilde\Theta_{a'b'}",
)

PRINTED = claim(
    "inf.eq27.limit",
    at="Appendix B.2.2; Equation (27)",
    title="Every entry of the input's tangent kernel with equal coordinates tends to a number",
    states=sentence(
        r"\hat\Theta_{a'1,b'1} \xrightarrow{P} \tilde\Theta_{a'b'}, \text{ so that for a bounded }"
        r" \hat\Theta \text{ the variance of an entry tends to } $variance",
        variance=0,
    ),
    provenance=Provenance.STEP,
    note=_NOTE,
)


@PRINTED.refuted(severity=Severity.GAP, controls={"a quarter of a square": {"variance": Rational(1, 4)}})
def positive_parts_below(variance: Any) -> Obligations:
    """Behind positive parts the entry is 0 or Θ_f, each with probability 1/2, at every width.

    With one hidden layer f is normal and Θ_f = 1 does not depend on the weights.
    """
    f = Symbol("f", real=True)
    density = sp.exp(-(f**2) / 2) / sp.sqrt(2 * sp.pi)
    entry = sp.diff(sp.Max(f, 0), f) ** 2
    first, second = (sp.integrate(entry**power * density, (f, -sp.oo, sp.oo)) for power in (1, 2))
    exact = second - first**2
    yield "the variance is another one", bool(exact != variance)
    yield "and positive", bool(exact > 0)


EXCHANGEABLE_TANGENTS = Hypothesis(
    "exchangeable_tangents",
    "$tangent_mean is the mean over the $width coordinates of exchangeable variables, of which the"
    " first two are $tangent_first and $tangent_second",
)

TRACE = PRINTED.corrected(
    "inf.eq27.limit.corrected",
    title="The mean of the input's tangent kernel over the coordinates tends to a number",
    states={
        "mean": eq(E(tangent_mean), E(tangent_first)),
        "variance": eq(
            E(tangent_mean**2) - E(tangent_mean) ** 2,
            (E(tangent_first**2) - E(tangent_first) ** 2) / width
            + (1 - 1 / width) * (E(tangent_first * tangent_second) - E(tangent_first) ** 2),
        ),
    },
    assuming=EXCHANGEABLE_TANGENTS,
    note=_NOTE,
)


@TRACE.proved("mean", "variance")
def squares_and_products_of_entries(given: Given) -> Theorem:
    """A mean of exchangeable variables; where two are uncorrelated in the limit, it is narrow."""
    two = (tangent_first, tangent_second)
    return given.follows(moments_of_a_mean(given, EXCHANGEABLE_TANGENTS, tangent_mean, two, width))


RECTIFIED = Hypothesis(
    "rectified_inputs",
    "the layer below is the first one of the network, $width units of φ(u) = max(u, 0) with"
    " independent weights: the entries before φ are independent, normal and centred with the"
    " variance $field_variance, and their tangent kernel is $field_tangent at equal units and 0"
    " at different ones",
)

NARROW = claim(
    "inf.eq27.rectified",
    at="Appendix B.2.2; Equation (27)",
    title="Behind positive parts each entry stays random, and the mean over them becomes narrow",
    states={
        "entry": eq(E(tangent_first**2) - E(tangent_first) ** 2, field_tangent**2 / 4),
        "mean": eq(E(tangent_mean), field_tangent / 2),
        "variance": eq(E(tangent_mean**2) - E(tangent_mean) ** 2, field_tangent**2 / (4 * width)),
    },
    assuming=[RECTIFIED, EXCHANGEABLE_TANGENTS],
    rests_on=TRACE,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


_f = randoms("f")


def _units(given: Given, index: Expr, over: Over) -> Theorem:
    """The means of a unit and of its slope, at an index."""
    law = given.supposed(RECTIFIED, normal(_f(index)), eq(E(_f(index) ** 2), field_variance))
    return moments_of_a_unit(law, _f(index), field_variance, over)


@NARROW.proved("entry", "mean", "variance")
def slopes_that_are_zero_or_one(given: Given) -> Theorem:
    """A slope of φ is 0 or 1, each with probability 1/2, and slopes of two units independent."""
    first, second = (_f(sp.Integer(k)) for k in (0, 1))
    shares = tangent_share(first), tangent_share(second)
    entries = given.supposed(
        RECTIFIED,
        eq(E(tangent_first), field_tangent * E(shares[0])),
        eq(E(tangent_first**2), field_tangent**2 * E(shares[0] ** 2)),
        eq(E(tangent_first * tangent_second), field_tangent**2 * E(shares[0] * shares[1])),
        independent(first, second),
    )
    known = [
        facts.independent_functions(tangent_share, tangent_share, first, second),
        facts.expectation_of_independent(*shares),
        *(_units(given, sp.Integer(k), {}) for k in (0, 1)),
        *(given.fact(TRACE, part) for part in TRACE.parts),
    ]
    return given.follows(entries, *known)


input_square = random(
    "input_square", r"\hat\kappa_{aa}", "mean square of the layer's input over the coordinates"
)
_LIMIT = field_tangent * field_variance**2 / 8
_FINITE = (width**2 + 7 * width + 4) / width**2

BEHIND = claim(
    "inf.lem22.rectified",
    at="Appendix B.2.2; Lemma 22",
    title="Behind positive parts the part of Lemma 22 has its limit as mean, up to order 1/d",
    states={
        "inputs": eq(E(tangent_mean * input_square**2), _LIMIT * _FINITE),
        "part": sentence(
            r"\mathbb{E}\, \Theta^{VV} = $share \Bigl($one + \frac{$seven}{$width}"
            r" + \frac{$four}{$width \cdot $width}\Bigr) $field_tangent $field_variance"
            r" \cdot $field_variance \text{ times the scales}",
            share=Rational(1, 8),
            one=1,
            seven=7,
            four=4,
        ),
    },
    assuming=[RECTIFIED, GAUSSIAN_COLUMN, OUTPUT_WEIGHTS, VALUES, SCORES_THEMSELVES],
    rests_on="inf.lem22.mean",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
#: What the part with all its weights rests on.
_USED: dict[str, Any] = {
    "uses": [RECTIFIED, GAUSSIAN_COLUMN, OUTPUT_WEIGHTS, VALUES, SCORES_THEMSELVES],
    "over": {
        **dict.fromkeys((sigma_q, sigma_k, sigma_v, sigma_o), NONNEGATIVE),
        **dict.fromkeys((heads, value_width), SIZE),
    },
}
_n = Symbol("n", integer=True, nonnegative=True)
_T, _S = randoms("T"), randoms("S")


def _before_a_unit(given: Given) -> list[Theorem]:
    """Means of products of what is made of units before one with functions of this unit."""
    T, S, f = _T(_n), _S(_n), _f(_n)
    known = [given.supposed(RECTIFIED, *(independent(one, f) for one in (T, S, T * S)))]
    factors = [
        *((T, _once, one) for one in (square, _fourth)),
        *((S, _once, one) for one in (tangent_share, square, _both)),
        *((S, _squared, tangent_share), (T * S, _once, square)),
    ]
    for sum_, of_sum, of_unit in factors:
        known += [
            facts.independent_functions(of_sum, of_unit, sum_, f),
            facts.expectation_of_independent(of_sum(sum_), of_unit(f)),
        ]
    return known


def _once(u: Expr) -> Expr:
    return u


def _squared(u: Expr) -> Expr:
    return u**2


def _fourth(u: Expr) -> Expr:
    return square(u) ** 2


def _both(u: Expr) -> Expr:
    return tangent_share(u) * square(u)


@BEHIND.proved("inputs")
def three_sums_over_coordinates(given: Given) -> Theorem:
    """E T_n S_n² for sums of n independent pairs, by induction on their number."""
    natural = {_n: sp.Range(sp.oo)}
    T, S, t, s = _T(_n), _S(_n), tangent_share(_f(_n)), square(_f(_n))
    none = given.meaning(
        "sums of no terms", *(eq(E(one.subs(_n, 0)), 0) for one in (T, S, S**2, T * S, T * S**2))
    )
    T_, S_ = _T(_n + 1), _S(_n + 1)
    longer = given.meaning(
        "sums of one term more",
        eq(E(T_), E(T + t)),
        eq(E(S_), E(S + s)),
        eq(E(S_**2), E((S + s) ** 2)),
        eq(E(T_ * S_), E((T + t) * (S + s))),
        eq(E(T_ * S_**2), E((T + t) * (S + s) ** 2)),
    )
    sums = rules.induction(
        both(
            eq(E(T), _n / 2),
            eq(E(S), _n * field_variance / 2),
            eq(E(S**2), _n * (_n + 5) * field_variance**2 / 4),
            eq(E(T * S), _n * (_n + 1) * field_variance / 4),
            eq(E(T * S**2), _n * (_n**2 + 7 * _n + 4) * field_variance**2 / 8),
        ),
        _n,
        0,
        base=[none],
        step=[longer, _units(given, _n, natural), *_before_a_unit(given)],
    )
    means = given.meaning(
        "means over the coordinates",
        eq(
            E(tangent_mean * input_square**2), E(field_tangent * _T(width) / width * (_S(width) / width) ** 2)
        ),
    )
    return given.follows(given.substituted(sums, {_n: width}), means)


@BEHIND.argued(
    "part",
    **_USED,
    bridge="Given the inputs the part has the mean of `inf.lem22.mean` with its scales, and the"
    " covariance of two scores is that of the attention weights; its mean over the inputs is the"
    " one that is proved.",
    controls={"without the term of order d": {"seven": 0}, "a ninth": {"share": Rational(1, 9)}},
)
def mean_given_the_inputs(given: Given, share: Any, one: Any, seven: Any, four: Any) -> Obligations:
    """The trace of the tangent kernel is d times its mean; E G² = (σ_Q σ_K κ̂)² for scores G."""
    side = given.fact("inf.lem22.mean").statement.args[1]
    trace, weights = inner(tangent_block, unit_block), E(weight_a * weight_b)
    numbers = {trace: width * tangent_mean, weights: input_square**2}
    averaged = tangent_mean * input_square**2
    yield "the mean given the inputs", sp.expand(side.xreplace(numbers) - averaged) == 0
    difference = right_side(BEHIND, "inputs") - _stated(share, one, seven, four)
    yield "the mean over the inputs", sp.simplify(difference) == 0


def _stated(share: Any, one: Any, seven: Any, four: Any) -> sp.Expr:
    factor = share * (one + seven / width + four / width**2)
    return factor * field_tangent * field_variance**2


#: Widths of small layers: of the input, of the scores and of the values, and the number of heads.
_WIDTHS = ((6, 4, 3, 12), (3, 2, 5, 8))
_VARIANCE, _TANGENT = 1.7, 0.6


@BEHIND.estimated(
    "part",
    **_USED,
    draws=20_000,
    controls={"without the term of order d": {"seven": 0}, "a fifth less": {"share": Rational(1, 10)}},
)
def drawn_layers(
    rng: np.random.Generator, draws: int, share: Any, one: Any, seven: Any, four: Any
) -> Iterator[MeanTest]:
    """Layers with weight matrices at one token, all scales 1, behind positive parts."""
    for d, score_columns, value_columns, count in _WIDTHS:
        f = math.sqrt(_VARIANCE) * rng.standard_normal((draws, d))
        g, slopes = np.maximum(f, 0), _TANGENT * (f > 0)
        query, key = (
            np.einsum("ni,nhiu->nhu", g, rng.standard_normal((draws, count, d, score_columns)))
            for _ in range(2)
        )
        scores = np.sum(query * key, axis=2) / (d * math.sqrt(score_columns))
        output = rng.standard_normal((draws, count, value_columns))
        value = rng.standard_normal((draws, count, d, value_columns))
        gradient = np.einsum("nh,nhk,nhik->ni", scores, output, value)
        part = np.sum(slopes * gradient**2, axis=1) / (d * count * value_columns)
        numbers = {width: d, field_variance: _VARIANCE, field_tangent: _TANGENT}
        yield mean_test(part, float(_stated(share, one, seven, four).subs(numbers)))
