"""Theorem 3: the kurtosis at all widths where scores are used as they are, or their positive part.

A map of scores is positively homogeneous if ζ(cG) = cζ(G) for c > 0.
"""

from functools import cache

from sympy import Expr, Gt, Interval, Max, Rational, Reals, Sum, Symbol, oo, symbols, sympify, true
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, gt, implies, integers, le, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles, probabilities, sums
from theorems.engine.rules.normal_variables import positive_parts
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.gaussian_sums import (
    drawn,
    k,
    n,
    second_moments,
    squares,
    sums_of_squares,
    weighted,
    weighted_squares,
)
from theorems.infinite_attention.kernel_limit.finite_widths.kurtosis import ALIVE
from theorems.infinite_attention.kernel_limit.one_head import HEADS
from theorems.infinite_attention.kernel_limit.output_kernel import LAYER
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.heads import (
    layer_excess,
    token_spectrum,
    tokens,
    weighted_aa,
    weighted_limit,
)
from theorems.infinite_attention.letters.network import (
    S_aa,
    heads,
    score_width,
    sigma_k,
    sigma_q,
    value_width,
)
from theorems.infinite_attention.letters.table import claim

_AT = "Theorem 3"
_NOTE = "proofs_notes/inf_kernels.md#kurtosis"
_W, _LIMIT = weighted_aa, weighted_limit
_U, _V = Random("U"), Random("V")
#: What a head attends to, at the scores of the limit times a root.
_scaled = Random("mean square at the scaled scores of the limit")

HOMOGENEOUS = Hypothesis(
    "homogeneous_scores",
    "the map of the scores is positively homogeneous, and what a head attends to does not vanish:"
    " $weighted_aa, at $score_width columns, and $weighted_limit, at infinitely many, are those of"
    " such a map",
    latex=r"\zeta(c G) = c \, \zeta(G) \text{ for } c > 0, \quad"
    r" $weighted_aa \stackrel{d}{=} \tfrac{1}{$score_width} \chi_{$score_width} $weighted_limit,"
    r" \ \chi \text{ chi-square, independent of it}",
)
ALIVE_LIMIT = Hypothesis(
    "alive_limit",
    "the mean square of what a head attends to in the limit is not 0",
    formula=gt(E(weighted_limit), 0),
)


def _excess(ratio: Expr) -> Expr:
    """The excess kurtosis, with the second moment over the square of the mean of the limit."""
    return 3 * ((1 + 2 / value_width) * (1 + 2 / score_width) * ratio - 1) / heads


ANY = claim(
    "inf.thm3.kurtosis.homogeneous",
    at=_AT,
    title="Columns of scores and of values have the same effect on the kurtosis of outputs",
    states={
        "second moment": eq(E(_W**2) / E(_W) ** 2, (1 + 2 / score_width) * E(_LIMIT**2) / E(_LIMIT) ** 2),
        "excess": eq(layer_excess, _excess(E(_LIMIT**2) / E(_LIMIT) ** 2)),
    },
    assuming=[PROJECTIONS, HEADS, LAYER, HOMOGENEOUS, ALIVE_LIMIT],
    rests_on="inf.thm3.kurtosis",
    discharging={ALIVE: "it is that of the limit times the mean 1 of a chi-square over its degrees"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@cache
def _equal_moments() -> Theorem:
    """What is almost surely equal has the same mean and the same mean square."""
    x, y = symbols("x y", real=True)
    squared = rules.follows(implies(eq(x, y), eq(x**2, y**2)))
    equal = [one.xreplace({x: _U, y: _V}) for one in squared.statement.args]
    known = [
        probabilities.surely(squared, {x: _U, y: _V}),
        probabilities.implied_event(*equal),
        facts.probability(equal[1]),
        *(probabilities.equal_means(*one.args) for one in equal),
    ]
    goal = both(eq(E(_U), E(_V)), eq(E(_U**2), E(_V**2)))
    return rules.follows(goal, known, under=[eq(P(equal[0]), 1)])


def _moments(given: Given) -> list[Theorem]:
    """E W = E W∞ and E W² = (1 + 2/d^G) E W∞², the queries' squares being a chi-square variable.

    Scores have the law of those of the limit times the root of that variable over its degrees.
    """
    chi = squares(score_width)
    end = sums_of_squares(given).at({n: score_width})
    pairs = [(chi**p, _LIMIT**p) for p in (1, 2)]
    law = given.supposed(
        PROJECTIONS, *(eq(E(_W**p), E(_scaled**p)) for p in (1, 2)), independent(chi, _LIMIT)
    )
    same = eq(P(eq(score_width * _scaled, chi * _LIMIT)), 1)
    return [
        *(end, law, given.supposed(HOMOGENEOUS, same)),
        given.substituted(_equal_moments(), {_U: score_width * _scaled, _V: chi * _LIMIT}, under=[same]),
        *(facts.powers_of_independent(chi, _LIMIT, p, p) for p in (1, 2)),
        *(facts.expectation_of_independent(*pair) for pair in pairs),
    ]


@ANY.proved("second moment")
def scores_given_the_queries(given: Given) -> Theorem:
    """Given a query, scores are those of the limit times its length."""
    return given.follows(*_moments(given))


@ANY.proved("excess")
def one_chi_square_more(given: Given) -> Theorem:
    """The formula for any map, with both moments."""
    return given.follows(*_moments(given), given.fact("inf.thm3.kurtosis", "excess"))


IDENTITY = Hypothesis(
    "scores_themselves",
    "the map of the scores is the identity, and λ are the eigenvalues of the mean"
    " products of the $tokens tokens: in the limit the scores of a token are normal, with these"
    " mean products as covariances, but for a factor",
    latex=r"$weighted_limit = $sigma_q^2 $sigma_k^2 $S_aa \textstyle\sum_{k} \lambda_k^2 z_k^2,"
    r" \ z_k \text{ independent standard normal}",
)
_FACTOR = sigma_q**2 * sigma_k**2 * S_aa


def _total(power: int) -> Expr:
    return Sum(token_spectrum(k) ** power, (k, 0, tokens - 1))


_RATIO = 1 + 2 * _total(4) / _total(2) ** 2

LINEAR = claim(
    "inf.thm3.kurtosis.identity",
    at=_AT,
    title="Excess kurtosis of an output with the identity as map of the scores, at all widths",
    states={
        "value": eq(layer_excess, _excess(_RATIO)),
        "least": ge(layer_excess, _excess(1 + 2 / tokens)),
        "most": le(layer_excess, _excess(sympify(3))),
    },
    assuming=[PROJECTIONS, HEADS, LAYER, HOMOGENEOUS, ALIVE_LIMIT, IDENTITY],
    rests_on=ANY,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _of_the_spectrum(given: Given) -> list[Theorem]:
    """The moments of weighted sums of squares, and the excess by their ratio."""
    moments = weighted_squares(given, lambda index: token_spectrum(index) ** 2)
    end = moments.at({n: tokens})
    law = given.supposed(IDENTITY, *(eq(E(_LIMIT**p), _FACTOR**p * E(weighted(tokens) ** p)) for p in (1, 2)))
    return [end, law, given.fact(ANY, "excess")]


@LINEAR.proved("value")
def diagonal_form(given: Given) -> Theorem:
    """Of Σ λ²z² the mean is Σ λ², and the second moment (Σ λ²)² + 2 Σ λ⁴."""
    return given.follows(*_of_the_spectrum(given))


_x, _y = Symbol("x", positive=True), Symbol("y", real=True)
_WIDTHS = {one: integers(1) for one in (heads, score_width, value_width, tokens)}


def _squares_of_terms() -> list[Theorem]:
    """Σ c² is at most (Σ c)², and at least its share of one of so many terms, for c = λ²."""
    squared = token_spectrum(k) ** 2
    total, fourth = (Sum(squared**p, (k, 0, n - 1)) for p in (1, 2))
    below = sums.by_recursion(both(ge(total, 0), le(fourth, total**2)), n)
    x, over = Symbol("x", real=True), {tokens: integers(1)}
    convex = rules.follows(true, over={x: Reals})  # 2 >= 0
    mean = principles.jensen_for_sums(convex, x**2, x, squared, k, tokens, over=over)
    return [below.at({n: tokens}), mean]


def _at_the_spectrum(goal: Boolean, under: Boolean) -> Theorem:
    """A bound of the ratio of the sums of fourth and second powers, in place of y and x."""
    over = {**_WIDTHS, _x: Interval.open(0, oo), _y: Reals}
    general = rules.follows(goal, over=over, under=[under])
    values, positive = {_x: _total(2), _y: _total(4)}, Gt(_total(2), 0)
    return general.at(values, under=[positive])


@LINEAR.proved("most")
def one_eigenvalue(given: Given) -> Theorem:
    """The sum of fourth powers is at most the square of that of squares."""
    bound = _at_the_spectrum(le(_excess(1 + 2 * _y / _x**2), _excess(sympify(3))), le(_y, _x**2))
    return given.follows(*_of_the_spectrum(given), *_squares_of_terms(), bound)


@LINEAR.proved("least")
def equal_eigenvalues(given: Given) -> Theorem:
    """By Jensen's inequality it is at least that square over the number of tokens."""
    bound = _at_the_spectrum(ge(_excess(1 + 2 * _y / _x**2), _excess(1 + 2 / tokens)), ge(_y * tokens, _x**2))
    return given.follows(*_of_the_spectrum(given), *_squares_of_terms(), bound)


RECTIFIED = Hypothesis(
    "positive_parts_of_scores",
    "the map of the scores takes their positive part, and the inputs of the $tokens tokens are"
    " uncorrelated and have the mean square $S_aa: in the limit the scores of a token are"
    " independent normal variables of one variance",
    latex=r"$weighted_limit = $sigma_q^2 $sigma_k^2 $S_aa^3 \textstyle\sum_{k}"
    r" \max(z_k, 0)^2, \ z_k \text{ independent standard normal}",
)

RELU = claim(
    "inf.thm3.kurtosis.relu",
    at=_AT,
    title="Excess kurtosis of an output with positive parts of scores and uncorrelated tokens",
    states=eq(layer_excess, _excess(1 + 5 / tokens)),
    assuming=[PROJECTIONS, HEADS, LAYER, HOMOGENEOUS, ALIVE_LIMIT, RECTIFIED],
    rests_on=ANY,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_score = randoms("z")(n)
_positive = Max(_score, 0) ** 2


@RELU.proved()
def half_of_each_square(given: Given) -> Theorem:
    """The square of a positive part has the mean 1/2 and the second moment 3/2."""
    moments = Rational(1, 2), Rational(3, 2)
    halves = [positive_parts(_score, q) for q in (1, 2)]
    known = [*drawn(given, weighted, _positive, _score), *halves]
    each = second_moments(given, weighted, _positive, moments, known)
    end = each.at({n: tokens})
    factor = _FACTOR * S_aa**2
    law = given.supposed(RECTIFIED, *(eq(E(_LIMIT**p), factor**p * E(weighted(tokens) ** p)) for p in (1, 2)))
    return given.follows(end, law, given.fact(ANY, "excess"))
