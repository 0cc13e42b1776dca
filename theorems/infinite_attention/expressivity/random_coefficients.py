"""Proposition 4: random scores make the kernel of a convolution."""

from typing import Any

import sympy as sp
from sympy import Abs, Expr, Function, Rational, Symbol, exp, symbols

from theorems.classical.integers import apart
from theorems.engine import (
    Given,
    Hypothesis,
    Provenance,
    both,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    le,
    rules,
)
from theorems.engine.rules import E, P, Theorem, facts, probabilities, sums
from theorems.engine.rules.vocabulary import randoms
from theorems.infinite_attention.letters.convolutions import (
    agreement,
    d_f,
    faint,
    joint_weight,
    place_i,
    place_j,
    score_level,
    uncovered,
)
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_expressivity.md#random-coefficients"

_INSIDE = both(le(place_i, d_f), le(place_j, d_f))

CONVOLUTION = claim(
    "inf.prop4",
    at="Proposition 4; Equation (8)",
    title="Scores that are infinite on disjoint intervals make the kernel of a convolution",
    states={
        "same place": implies(sp.And(_INSIDE, eq(place_i, place_j)), eq(joint_weight, 1 / d_f)),
        "different places": implies(sp.And(_INSIDE, sp.Ne(place_i, place_j)), eq(joint_weight, 0)),
    },
    provenance=Provenance.EXPLICIT,
    note=_NOTE,
)


_drawn_place, _count = (Symbol(name, integer=True, nonnegative=True) for name in ("I", "n"))


#: The weight of a pixel by its place, and values of the weights of i and j.
_of_pixel = randoms("weight of the pixel at")
_any_place, _another = symbols("k l", integer=True, positive=True)
_u, _v = symbols("u v", real=True)
_OF_BOTH = {_u: _of_pixel(place_i), _v: _of_pixel(place_j)}


def _intervals(given: Given) -> list[Theorem]:
    """Weights are 0 or 1 by the interval in which a uniform variable is, and never both 1.

    A pixel has the weight 1 on one of d_f intervals, or never if its place is beyond the last one.
    """
    one, other = _of_pixel(_any_place), _of_pixel(_another)
    mean = Function("mean product of weights", real=True)
    meant = [
        given.meaning("mean products of weights", eq(mean(_any_place, _another), E(one * other))),
        given.meaning("the weight of a pixel is 0 or 1", eq(P(_is_either(one)), 1)),
        given.meaning(
            "the weight is 1 in one of d_f disjoint intervals of one length, or never",
            implies(le(_any_place, d_f), eq(E(one), 1 / d_f)),
            implies(gt(_any_place, d_f), eq(P(eq(one, 0)), 1)),
            implies(sp.Ne(_any_place, _another), eq(P(eq(one * other, 0)), 1)),
        ),
    ]
    here = {_any_place: place_i, _another: place_j}
    places = [here, {_any_place: place_j, _another: place_i}]
    known = [given.substituted(theorem, at) for theorem in meant[2:] for at in places]
    known += [given.substituted(meant[0], {**here, _another: place}) for place in (place_i, place_j)]
    known.append(given.substituted(meant[1], {_any_place: place_i}))
    known.append(given.meaning("that of i and j", eq(joint_weight, mean(place_i, place_j))))
    known += _in_the_mean(given, _is_either(_u), _u**2, _u)
    for zero in (_u, _v, _u * _v):
        known += _in_the_mean(given, eq(zero, 0), _u * _v, 0)
    return known


def _is_either(weight: Expr) -> Any:
    return sp.Or(eq(weight, 0), eq(weight, 1))


def _in_the_mean(given: Given, event: Any, left: Expr, right: Any) -> list[Theorem]:
    """Functions of both weights that are equal where an event holds, which is almost sure."""
    over = {x: given.domain[x] for x in (place_i, place_j)}
    equal = rules.follows(implies(event, eq(left, right)), over={_u: sp.Reals, _v: sp.Reals, **over})
    event, same = (one.xreplace(_OF_BOTH) for one in (event, eq(left, right)))
    return [
        probabilities.surely(equal, _OF_BOTH),
        probabilities.implied_event(event, same, over=over),
        probabilities.equal_means(*(sp.sympify(one).xreplace(_OF_BOTH) for one in (left, right)), over=over),
        facts.probability(same, over=over),
    ]


@CONVOLUTION.proved("same place", "different places")
def one_interval_for_both(given: Given) -> Theorem:
    """Pixel i has the weight one from (i(a) - 1)/d_f to i(a)/d_f, and else zero."""
    return given.follows(*_intervals(given))


OUTSIDE = claim(
    "inf.prop4.outside",
    at="Proposition 4; Equation (8)",
    title="Pixels that are not under the filter have no weight",
    states=implies(sp.Or(gt(place_i, d_f), gt(place_j, d_f)), eq(joint_weight, 0)),
    note=_NOTE,
)


@OUTSIDE.proved()
def intervals_beyond_the_end(given: Given) -> Theorem:
    """A pixel elsewhere has a place beyond the last one, whose interval is never met."""
    return given.follows(*_intervals(given))


FINITE_SCORES = Hypothesis(
    "finite_scores",
    "weights are the softmax of scores that are $score_level at the drawn one of $d_f pixels under"
    " the filter, 0 at the others, and the opposite of it at the $uncovered pixels elsewhere; one"
    " place under the filter is drawn for all pixels and inputs, each with the same probability;"
    " $place_i and $place_j are places under it, or beyond it those of other pixels",
)
EXPONENTIAL = Hypothesis(
    "exponential_of_scores",
    "$faint is the exponential of the opposite of $score_level",
    formula=eq(faint, exp(-score_level)),
)
_ERROR = 2 * ((d_f - 1) * faint + uncovered * faint**2) / d_f

FINITE = claim(
    "inf.prop4.finite",
    at="Proposition 4, proof",
    title="Finite scores make the kernel of a convolution up to an exponentially small error",
    states={
        "same place": implies(sp.And(_INSIDE, eq(place_i, place_j)), le(Abs(joint_weight - 1 / d_f), _ERROR)),
        "different places": implies(
            sp.And(_INSIDE, sp.Ne(place_i, place_j)), both(le(0, joint_weight), le(joint_weight, faint))
        ),
        "elsewhere": implies(
            sp.Or(gt(place_i, d_f), gt(place_j, d_f)), both(le(0, joint_weight), le(joint_weight, faint**2))
        ),
    },
    assuming=[FINITE_SCORES, EXPONENTIAL],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_drawn = Symbol("weight of the drawn pixel", nonnegative=True)
_HERE, _THERE = faint * _drawn, faint**2 * _drawn
_SAME = (_drawn**2 + (d_f - 1) * _HERE**2) / d_f
_DIFFERENT = (2 * _drawn * _HERE + (d_f - 2) * _HERE**2) / d_f
_SINGLE = _THERE * (_drawn + (d_f - 1) * _HERE) / d_f
_TOTAL = eq(_drawn * (1 + (d_f - 1) * faint + uncovered * faint**2), 1)


_score, _weight = (Function(name, real=True) for name in ("score", "weight"))


def _weights(given: Given, place: Expr) -> Theorem:
    """The weight of a pixel by whether it is drawn, under the filter or elsewhere."""
    score, weight = _score(place, _drawn_place), _weight(place, _drawn_place)
    here, drawn = le(place, d_f), eq(place, _drawn_place)
    scale = _drawn * exp(-score_level)
    law = given.supposed(
        FINITE_SCORES,
        implies(gt(place, d_f), eq(score, -score_level)),
        implies(sp.And(here, drawn), eq(score, score_level)),
        implies(sp.And(here, sp.Ne(place, _drawn_place)), eq(score, 0)),
        eq(weight, scale * exp(score)),
    )
    domain = given.domain
    known = facts.exponential_of_sum(score, -score_level, 0)
    goal = both(
        implies(gt(place, d_f), eq(weight, _THERE)),
        implies(sp.And(here, drawn), eq(weight, _drawn)),
        implies(sp.And(here, sp.Ne(place, _drawn_place)), eq(weight, _HERE)),
    )
    over = {x: domain[x] for x in (place, d_f, faint, score_level)}
    over |= {_drawn: half_line(0), _drawn_place: integers(0)}
    return rules.follows(goal, [law, known], over=over, under=[EXPONENTIAL.formula])


def _is_counted(place: Expr) -> Expr:
    return sp.Piecewise((1, place <= _count), (0, True))


def _sums(given: Given, under: list[Any], value: Expr) -> Theorem:
    """The sum over drawn places of products of two weights, by induction on their number."""
    product = _weight(place_i, _drawn_place) * _weight(place_j, _drawn_place)
    goal = eq(sp.Sum(product, (_drawn_place, 1, _count)), value)
    places = {**given.domain, _count: integers(0)}
    order = [apart(one, _count + 1, over=places) for one in (place_i, place_j)]
    next_place = {_drawn_place: _count + 1}
    weights = [_weights(given, one).at(next_place) for one in (place_i, place_j)]
    domain = given.domain
    over = {x: domain[x] for x in (place_i, place_j, d_f, faint, score_level)}
    over |= {_drawn: half_line(0)}
    found = sums.by_recursion(goal, _count, premises=[*order, *weights], under=[*under, EXPONENTIAL.formula])
    return found.at({_count: d_f})


def _mean_products(given: Given) -> list[Theorem]:
    """Means of products of two weights, by where the pixels are."""
    i, j, n = _is_counted(place_i), _is_counted(place_j), _count
    inside_i, inside_j = le(place_i, d_f), le(place_j, d_f)
    out, other = gt(place_i, d_f), gt(place_j, d_f)
    level = _HERE**2 * n
    mixed = (_drawn - _HERE) * _HERE
    cases: list[tuple[list[Any], Expr]] = [
        ([inside_i, inside_j, eq(place_i, place_j)], level + i * (_drawn**2 - _HERE**2)),
        ([inside_i, inside_j, sp.Ne(place_i, place_j)], level + (i + j) * mixed),
        ([out, inside_j], _THERE * (n * _HERE + j * (_drawn - _HERE))),
        ([other, inside_i], _THERE * (n * _HERE + i * (_drawn - _HERE))),
        ([out, other], _THERE**2 * n),
    ]
    product = _weight(place_i, _drawn_place) * _weight(place_j, _drawn_place)
    law = given.supposed(
        FINITE_SCORES,
        eq(joint_weight, sp.Sum(product, (_drawn_place, 1, d_f)) / d_f),
        eq(_drawn * exp(-score_level) * (exp(score_level) + d_f - 1 + uncovered * exp(-score_level)), 1),
    )
    return [law, *(_sums(given, under, value) for under, value in cases)]


def _bounds(given: Given) -> list[Theorem]:
    """Bounds of these means: the drawn weight is at most one, and one less by the small ones."""
    over = {x: given.domain[x] for x in (d_f, uncovered, faint)} | {_drawn: half_line(0)}
    small = (d_f - 1) * faint + uncovered * faint**2
    known = rules.follows(
        both(le(_drawn, 1), le(0, small), ge(_drawn, 1 - small), le(_drawn * (1 + (d_f - 1) * faint), 1)),
        over=over,
        under=[_TOTAL],
    )
    square = rules.follows(ge(_drawn**2, 1 - 2 * small), [known], under=[_TOTAL])
    goals = (
        both(le(_SAME, 1 / d_f), ge(_SAME, (1 - 2 * small) / d_f)),
        both(le(0, _SINGLE), le(_SINGLE, faint**2), le(_THERE**2, faint**2)),
        implies(ge(d_f, 2), both(le(0, _DIFFERENT), le(_DIFFERENT, faint))),
    )
    return [rules.follows(one, [known, square], under=[_TOTAL]) for one in goals]


@FINITE.proved("same place", "different places", "elsewhere")
def softmax_of_three_levels(given: Given) -> Theorem:
    """Of the pixels under the filter one has nearly all the weight."""
    means = _mean_products(given)
    two = apart(d_f, 1, over=given.domain)
    total = rules.follows(
        _TOTAL,
        [means[0]],
        over={
            **{x: given.domain[x] for x in (joint_weight, d_f, uncovered, faint, score_level)},
            _drawn: half_line(0),
        },
        under=[EXPONENTIAL.formula],
    )
    law, same, different, *elsewhere = means
    at_one_place, beyond, at_two_places = _bounds(given)
    of_the_part = {
        "same place": [same, at_one_place],
        "different places": [different, two, at_two_places],
        "elsewhere": [*elsewhere, beyond],
    }
    return given.follows(law, total, *of_the_part[given.part])


SYMMETRIC = Hypothesis(
    "symmetric_queries",
    "the scalars that multiply queries and keys are independent of both, each row of weights is one"
    " at a single pixel, of two or more, almost surely, and the queries of the two inputs are"
    " centred, normal and uncorrelated with each other",
)

SCALARS = claim(
    "inf.prop4.scalars",
    at="Proposition 4, proof",
    title="With independent scalars rows of uncorrelated inputs agree at most half the time",
    states=le(agreement, Rational(1, 2)),
    assuming=SYMMETRIC,
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_expressivity.md#a-more-realistic-construction",
    excused={
        "1/2": "what is more than an upper bound is one as well; less than it is rejected",
        "domain of agreement": "the proof does not use that a probability is at most one",
    },
)


@SCALARS.argued(
    bridge="with the other sign of the queries of one input the law is the same, and its row of"
    " weights is one at the pixel of the smallest score in place of the largest"
)
def other_sign_of_the_queries(given: Given) -> Theorem:
    """With -Q(x) for Q(x) the law is the same, and the largest score is where the smallest was."""
    other = Symbol("agreement with the other sign", real=True)
    symmetric = given.supposed(SYMMETRIC, eq(other, agreement))
    disjoint = given.bridge(
        "the largest and the smallest score are at different pixels", le(agreement + other, 1)
    )
    return given.follows(symmetric, disjoint)
