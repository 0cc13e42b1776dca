"""Lemma 12: how near projections of scores are to normal ones, by characteristic functions."""

from typing import Any

from sympy import Function, Interval, Reals, Sum, Symbol, cos, exp, log, oo, symbols

from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, integers, le, rules
from theorems.engine.rules import E, Random, Theorem, facts, sums
from theorems.infinite_attention.kernel_limit.gaussian_sums import COUNTED, k, n
from theorems.infinite_attention.letters.network import score_width
from theorems.infinite_attention.letters.scores import (
    frequency,
    matrix_rank,
    score_projection,
    singular_value,
)
from theorems.infinite_attention.letters.table import claim

COPIES = Hypothesis(
    "copies_of_a_form",
    "given the inputs $score_projection is the sum of $score_width independent copies of a bilinear"
    " form with $matrix_rank singular values, divided by the root of their number",
    latex=r"$score_projection = \tfrac{1}{\sqrt{$score_width}} \textstyle\sum_{u} \sum_{k} s_k"
    r" z_{uk} w_{uk}, \quad z_{uk}, w_{uk} \text{ independent standard normal}",
)


def _total(power: int, length: Any) -> Sum:
    return Sum(singular_value(k) ** power, (k, 0, length - 1))


_GAUSSIAN = exp(-(frequency**2) * _total(2, matrix_rank) / 2)
_ERROR = frequency**4 * _total(4, matrix_rank) / (4 * score_width)

RATE = claim(
    "inf.lem12.rate",
    at="Lemma 12",
    title="Characteristic functions of scores exceed normal ones by the order of the inverse width",
    states={
        "at least": ge(E(cos(frequency * score_projection)), _GAUSSIAN),
        "at most": le(E(cos(frequency * score_projection)), _GAUSSIAN + _ERROR),
    },
    given=[frequency, score_projection, matrix_rank, score_width],
    assuming=COPIES,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_scores.md#convergence-of-the-scores",
)
_log = Function("L", real=True)
#: The sum of copies of the form, divided by the root of their number.
_copies = Random("T")
_x = Symbol("x", nonnegative=True)


def _logarithms(given: Given) -> Theorem:
    """The logarithm is between the normal one's and that plus the error, and at most 0."""
    over: dict[Any, Any] = {x: given.domain[x] for x in (frequency, score_width)}
    counted = {**COUNTED, **over}
    step = frequency**2 * singular_value(n) ** 2 / score_width
    form = given.meaning(
        "the logarithm of a product over singular values",
        eq(_log(0), 0),
        eq(_log(n + 1), _log(n) - score_width * log(1 + step) / 2),
        over=counted,
    )
    parabola = given.textbook(
        "logarithm and its Taylor polynomials",
        both(ge(log(1 + _x), _x - _x**2 / 2), le(log(1 + _x), _x), ge(log(1 + _x), 0)),
        over={_x: Interval(0, oo)},
    )
    near = rules.instance(parabola, {_x: step}, over=counted)
    normal = -(frequency**2) * _total(2, n) / 2
    goal = both(
        ge(_log(n), normal),
        le(_log(n), normal + frequency**4 * _total(4, n) / (4 * score_width)),
        le(_log(n), 0),
    )
    each = sums.by_recursion(goal, n, premises=[form, near], over=over)
    return rules.instance(each, {n: matrix_rank}, over={**over, matrix_rank: integers(1)})


@RATE.proved("at least", "at most")
def product_over_singular_values(given: Given) -> Theorem:
    """A product of two standard normals has (1 + u²)^(-1/2), and the exponential is convex."""
    end = _log(matrix_rank)
    normal = -(frequency**2) * _total(2, matrix_rank) / 2
    copies = given.supposed(
        COPIES, eq(E(cos(frequency * score_projection)), E(cos(frequency * _copies)))
    )
    product = given.textbook(
        "characteristic functions of independent sums, and of a product of two normal variables",
        eq(E(cos(frequency * _copies)), exp(end)),
    )
    over = {x: given.domain[x] for x in (frequency, matrix_rank)}
    near = rules.instance(
        _near_exponentials(), {_end: end, _start: normal}, over=over, under=[le(end, 0)]
    )
    return given.follows(_logarithms(given), copies, product, near)


_end, _start = symbols("l a", real=True)


def _near_exponentials() -> Theorem:
    """e^a ≤ e^l ≤ e^a + l - a for a ≤ l ≤ 0: the exponential is convex, and at most 1 there."""
    over = {_end: Interval(-oo, 0), _start: Reals}
    known = [
        facts.exponential_above_tangent(_start - _end, over=over),
        facts.exponential_increases(_start, _end, over=over),
        facts.exponential_increases(_end, 0, over=over),
    ]
    goal = both(le(exp(_start), exp(_end)), le(exp(_end), exp(_start) + _end - _start))
    return rules.follows(goal, known, over=over, under=[le(_start, _end)])
