"""Lemma 12: how near projections of scores are to normal ones, by characteristic functions."""

from itertools import product
from typing import Any

from sympy import (
    Expr,
    Function,
    Interval,
    Rational,
    Reals,
    Sum,
    Symbol,
    cos,
    exp,
    log,
    oo,
    sin,
    sqrt,
    symbols,
)

from theorems.classical import functions
from theorems.classical.gaussian_moments import standard
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, integers, le, rules
from theorems.engine.rules import E, Theorem, facts, principles, sums
from theorems.engine.rules.normal_variables import waves_of_product
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.gaussian_sums import COUNTED, k, n
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
    assuming=COPIES,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_scores.md#convergence-of-the-scores",
)
_log = Function("L", real=True)
#: Sums over columns for one singular value, their terms, and sums of these over singular values.
_columns, _z, _w, _copies = map(randoms, ("S", "z", "w", "T"))
_j = Symbol("j", integer=True, nonnegative=True)
_a = Symbol("a", real=True)


def _logarithm(given: Given) -> Theorem:
    step = frequency**2 * singular_value(n) ** 2 / score_width
    return given.meaning(
        "the logarithm of a product over singular values",
        eq(_log(0), 0),
        eq(_log(n + 1), _log(n) - score_width * log(1 + step) / 2),
    )


def _logarithms(given: Given) -> Theorem:
    """The logarithm is between the normal one's and that plus the error, and at most 0."""
    step = frequency**2 * singular_value(n) ** 2 / score_width
    near = functions.logarithm_near_parabola(step)
    normal = -(frequency**2) * _total(2, n) / 2
    goal = both(
        ge(_log(n), normal),
        le(_log(n), normal + frequency**4 * _total(4, n) / (4 * score_width)),
        le(_log(n), 0),
    )
    each = sums.by_recursion(goal, n, premises=[_logarithm(given), near])
    return each.at({n: matrix_rank})


def _addition_of_angles(X: Expr, Y: Expr, t: Expr, over: Any) -> list[Theorem]:
    """E cos(tX + tY) and E sin(tX + tY) by the means of waves of independent X and Y."""
    x, y = symbols("x y", real=True)
    angles = functions.addition_of_angles(t * x, t * y)
    known = []
    for one in angles.statement.args:
        each = rules.follows(one, [angles])
        known.append(principles.expected_jointly(each, {x: X, y: Y}, over=over))
    for first, second in product((cos, sin), repeat=2):
        waves = first(t * X), second(t * Y)
        known.append(_independent_waves(first, second, X, Y, t, over))
        known.append(facts.expectation_of_independent(*waves))
    return known


def _independent_waves(first: Any, second: Any, X: Expr, Y: Expr, t: Expr, over: Any) -> Theorem:
    return facts.independent_functions(
        lambda one: first(t * one), lambda one: second(t * one), X, Y, over=over
    )


def _one_singular_value(given: Given) -> Theorem:
    """E cos(aS) = (1 + a²)^(-j/2) for a sum S of j products of two normals, and E sin(aS) = 0."""
    S, z, w = _columns(n, _j), _z(n, _j), _w(n, _j)
    over = {**COUNTED, _j: integers(0), _a: Reals}
    longer = _a * S + _a * z * w
    exponents = -(_j + 1) * log(1 + _a**2) / 2, -_j * log(1 + _a**2) / 2, -log(1 + _a**2) / 2
    known = [
        given.meaning(
            "a sum with one term more",
            *(eq(E(wave(_a * _columns(n, _j + 1))), E(wave(longer))) for wave in (cos, sin)),
        ),
        given.supposed(
            COPIES, *(*standard(z).args, *standard(w).args), independent(z, w), independent(S, z * w)
        ),
        *_addition_of_angles(S, z * w, _a, over),
        waves_of_product(z, w, _a),
        facts.power_as_exponential(1 + _a**2, -Rational(1, 2)),
        facts.exponential_of_sum(*exponents),
    ]
    none = given.meaning(
        "a sum of no terms", *(eq(E(wave(_a * _columns(n, 0))), wave(0)) for wave in (cos, sin))
    )
    goal = both(eq(E(cos(_a * S)), exp(exponents[1])), eq(E(sin(_a * S)), 0))
    return rules.induction(goal, _j, 0, base=[none], step=known)


def _characteristic_function(given: Given) -> Theorem:
    """Sums for one singular value after the other, which are independent."""
    u, share = frequency, singular_value(n) / sqrt(score_width)
    over = {u: given.domain[u], score_width: given.domain[score_width]}
    counted, S = {**COUNTED, **over}, _columns(n, score_width)
    here = _one_singular_value(given).at({_j: score_width, _a: u * share})
    factor = -score_width * log(1 + u**2 * share**2) / 2
    none = given.meaning("a sum of no terms", eq(E(cos(u * _copies(0))), 1))
    known = [
        _logarithm(given),
        here,
        given.meaning(
            "a sum with one term more", eq(E(cos(u * _copies(n + 1))), E(cos(u * _copies(n) + u * share * S)))
        ),
        given.supposed(COPIES, independent(_copies(n), share * S)),
        *_addition_of_angles(_copies(n), share * S, u, counted),
        facts.exponential_of_sum(_log(n + 1), _log(n), factor),
    ]
    each = rules.induction(
        eq(E(cos(u * _copies(n))), exp(_log(n))), n, 0, base=[none, _logarithm(given)], step=known, over=over
    )
    whole = given.supposed(COPIES, eq(E(cos(u * score_projection)), E(cos(u * _copies(matrix_rank)))))
    return given.follows(
        each.at({n: matrix_rank}), whole, goal=eq(E(cos(u * score_projection)), exp(_log(matrix_rank)))
    )


@RATE.proved("at least", "at most")
def product_over_singular_values(given: Given) -> Theorem:
    """A product of two standard normals has (1 + u²)^(-1/2), and the exponential is convex."""
    end = _log(matrix_rank)
    normal = -(frequency**2) * _total(2, matrix_rank) / 2
    near = _near_exponentials().at({_end: end, _start: normal}, under=[le(end, 0)])
    return given.follows(_logarithms(given), _characteristic_function(given), near)


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
    return rules.follows(goal, known, under=[le(_start, _end)])
