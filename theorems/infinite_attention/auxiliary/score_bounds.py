"""Lemma 32: moments of scores are at most those of the input of twice the order."""

import sympy as sp
from sympy import Abs, Expr, Max

from theorems.classical import powers
from theorems.engine import Given, Hypothesis, both, eq, implies, le, rules
from theorems.engine.rules import E, Random, Theorem, facts, principles, probabilities
from theorems.engine.rules.vocabulary import independent
from theorems.infinite_attention.auxiliary.dense_moments import Dense, moment_of_a_mean
from theorems.infinite_attention.auxiliary.query_moments import PRINTED, normal_moment
from theorems.infinite_attention.auxiliary.score_moments import (
    moment_of_chi_square,
    odd_is_positive,
    product_between_one_and_odd,
)
from theorems.infinite_attention.letters.auxiliary import (
    chi_square,
    entry_a,
    entry_i,
    half_order,
    noise,
    odd_product,
    plain_a,
    plain_i,
    rising_product,
    score_entry,
    square_a,
    square_i,
)
from theorems.infinite_attention.letters.encodings import order
from theorems.infinite_attention.letters.network import score_width, sigma_k, sigma_q, width

_NOTE = "proofs_notes/inf_auxiliary.md#moments-of-scores"

DRAWN_SCORES = Hypothesis(
    "drawn_scores",
    "queries and keys have independent weights: given the inputs, $score_entry has the law of the"
    " product of $sigma_q, $sigma_k, a standard normal variable and the roots of $square_a,"
    " $square_i and of $chi_square over $score_width, a chi-square variable of $score_width degrees"
    " independent of it; $square_a and $square_i are the means of squares of $width variables with"
    " the laws of $entry_a and $entry_i",
)
_MOMENT, _ODD = E(score_entry ** (2 * half_order)), odd_product(half_order)
_SCALES = sigma_q ** (2 * half_order) * sigma_k ** (2 * half_order)
_SQUARES = square_a**half_order * square_i**half_order


def _larger(exponent: Expr) -> Expr:
    return Max(E(Abs(entry_a) ** exponent), E(Abs(entry_i) ** exponent))


INDEPENDENT = PRINTED.corrected(
    "inf.lem32.exponent.scores",
    title="Moments of scores with independent keys, by moments of twice the order of the input",
    states={
        "bound": le(_MOMENT, _ODD**2 * _SCALES * _larger(4 * half_order)),
        "attained": implies(
            both(eq(score_width, 1), eq(E(_SQUARES), _larger(4 * half_order))),
            eq(_MOMENT, _ODD**2 * _SCALES * _larger(4 * half_order)),
        ),
    },
    assuming=DRAWN_SCORES,
    note=_NOTE,
)
_x, _y = sp.symbols("x y", real=True)


def _product_of_means(given: Given) -> Theorem:
    """E G^(2k) = (σ_Qσ_K)^(2k) (2k - 1)!! Π(1 + 2j/d) E κ_aa^k κ_ii^k."""
    k, d = half_order, score_width
    size = noise ** (2 * k)
    known = given.supposed(
        DRAWN_SCORES,
        eq(d**k * _MOMENT, _SCALES * E(size * chi_square**k * _SQUARES)),
        independent(size, chi_square**k * _SQUARES),
        independent(chi_square**k, _SQUARES),
    )
    products = [
        facts.expectation_of_independent(size, chi_square**k * _SQUARES),
        facts.expectation_of_independent(chi_square**k, _SQUARES),
    ]
    power = powers.one_more(d, k, over=given.domain)
    goal = eq(_MOMENT, _SCALES * _ODD * rising_product(k, d) * E(_SQUARES))
    premises = [
        known,
        *products,
        power,
        normal_moment(given, DRAWN_SCORES),
        moment_of_chi_square(given, DRAWN_SCORES),
    ]
    return rules.follows(goal, premises, over=known.over)


@INDEPENDENT.proved("bound", "attained")
def chi_square_and_power_means(given: Given) -> Theorem:
    """Both squares are means of squares; their product is at most the mean of their squares."""
    k, over = half_order, {half_order: given.domain[half_order]}
    products = rules.follows(le(_x * _y, (_x**2 + _y**2) / 2), over={_x: sp.Reals, _y: sp.Reals, **over})
    mixed = principles.expected_jointly(products, {_x: square_a**k, _y: square_i**k})
    means = [
        moment_of_a_mean(given, DRAWN_SCORES, square, entry**2, width, 2 * k)
        for square, entry in ((square_a, entry_a), (square_i, entry_i))
    ]
    positive = [probabilities.expectation_of_size(Abs(entry) ** (4 * k)) for entry in (entry_a, entry_i)]
    product = rising_product(k, score_width)
    share = le(product * E(_SQUARES), _ODD * _larger(4 * k))
    between = product_between_one_and_odd()
    known = [mixed, *means, *positive, between]
    bound = rules.follows(share, known)
    return given.follows(_product_of_means(given), bound, between, odd_is_positive())


SHARED_WEIGHTS = Hypothesis(
    "shared_weights",
    "$score_entry is the mean of $score_width products that all have the law of $sigma_q $sigma_k"
    " $plain_a $plain_i, and given the input these are normal, their variances being means of"
    " squares of $width variables with the laws of $entry_a and $entry_i; $noise is a standard"
    " normal variable",
)

SHARED = PRINTED.corrected(
    "inf.lem32.exponent.shared",
    title="Moments of scores of shared weights, by moments of twice the order of the input",
    states=le(
        E(Abs(score_entry) ** order),
        E(Abs(noise) ** (2 * order)) * sigma_q**order * sigma_k**order * _larger(2 * order),
    ),
    assuming=SHARED_WEIGHTS,
    note=_NOTE,
)


@SHARED.proved()
def products_of_two_dense_layers(given: Given) -> Theorem:
    """The power of a product is at most the mean of both squared powers."""
    over = {x: given.domain[x] for x in (order, sigma_q, sigma_k)}
    scale = sigma_q * sigma_k
    numbers = {_x: sp.Reals, _y: sp.Reals, **over}
    a, b = sp.symbols("a b", nonnegative=True)
    mean_of_squares = rules.follows(le(a * b, (a**2 + b**2) / 2))
    sizes = mean_of_squares.at({a: Abs(_x) ** order, b: Abs(_y) ** order}, over=numbers)
    apart = [
        powers.of_product(scale, Abs(_x * _y), order, over=numbers),
        powers.of_sizes(_x, _y, order, over=numbers),
    ]
    squares = scale**order * (Abs(_x) ** (2 * order) + Abs(_y) ** (2 * order)) / 2
    each = rules.follows(le(Abs(scale * _x * _y) ** order, squares), [*apart, sizes])
    mixed = principles.expected_jointly(each, {_x: plain_a, _y: plain_i})
    product = scale * plain_a * plain_i
    mean = moment_of_a_mean(given, SHARED_WEIGHTS, score_entry, product, score_width)
    size = probabilities.expectation_of_size(Abs(noise) ** (2 * order), over=over)
    return given.follows(mean, mixed, *(_layer(given, *pair) for pair in _PAIRS), size)


_PAIRS = ((plain_a, entry_a), (plain_i, entry_i))


def _layer(given: Given, plain: Random, entry: Random) -> Theorem:
    square, order_ = Random(f"mean square at {plain}"), 2 * order
    layer = Dense(given, SHARED_WEIGHTS, plain, sp.Integer(1), square, order_)
    return layer.bound(entry, width)
