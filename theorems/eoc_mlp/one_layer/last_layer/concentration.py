"""Proposition 9: concentration of the NTK over the last layer, with constants."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Abs, Integer, Max, Or, Range, Reals, Sum, Symbol, exp, log, oo, sqrt

from numeric.arguments import Floats
from numeric.networks.backpropagation import backpropagation_matrix
from numeric.networks.forward_pass import ForwardPass
from numeric.statistics import MeanTest
from theorems.classical.hypotheses import LARGEST_SEPARATED
from theorems.classical.letters import m as dimension
from theorems.classical.letters import net_size
from theorems.classical.steps import event_within
from theorems.engine import Claim, Given, Hypothesis, Provenance, both, eq, ge, implies, le, rules
from theorems.engine.rules import P, Random, Theorem, facts, probabilities, sums
from theorems.engine.rules.vocabulary import randoms
from theorems.eoc_mlp.hypotheses import QUARTER_NET
from theorems.eoc_mlp.letters import (
    claim,
    fluctuation,
    fluctuation_pairs,
    form_net,
    frob_j,
    m_l,
    net_constant,
    net_pairs_maximum,
    norm_a,
    norm_fluctuation,
    norm_j,
    s,
    threshold,
    union_exponent,
)
from theorems.eoc_mlp.one_layer.last_layer.forms import NOT_ZERO, UNIT_PAIR, level, tail
from theorems.eoc_mlp.one_layer.last_layer.net import CORRECTED
from theorems.eoc_mlp.one_layer.last_layer.net import SHARP as SHARP_NET
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.premises.tails import beyond
from theorems.eoc_mlp.sampling.networks import NetworkCase
from theorems.eoc_mlp.sampling.redrawn import frequency_test

_NOTE = "proofs_notes/eoc_concentration.md#last-layer"
_PAID = s + 2 * m_l * log(9)
UNION_EXPONENT = Hypothesis(
    "union_exponent",
    "$union_exponent pays for all pairs of points of the net as well as for the probability",
    formula=eq(union_exponent, _PAID),
)
NET_CONSTANT = Hypothesis(
    "net_constant",
    "$net_constant makes the exponent of a union over a net a multiple of the one of the bound",
    formula=eq(net_constant, 1 + 2 * log(9) / log(2)),
)
_NETS = {
    UNIT_PAIR: "the points of a net are unit vectors",
    QUARTER_NET: "a largest separated set is such a net",
    LARGEST_SEPARATED: "separated sets have at most 9^m points, so that there is a largest one",
}
_NORM = {norm_fluctuation: None, m_l: None, **NOT_ZERO}

EXPLICIT = claim(
    "eoc.prop9.explicit",
    at="Proposition 9",
    title="Concentration over the last layer with constants",
    states=le(tail(norm_fluctuation, level(union_exponent, 2)), 2 * exp(-s)),
    given=_NORM,
    assuming=[UNION_EXPONENT],
    rests_on=["eoc.prop9.quadratic", CORRECTED, "classical.net", "classical.union"],
    discharging=_NETS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _over_all_pairs(given: Given, goal: Any, net: Claim, sizes: tuple[Symbol, ...]) -> Theorem:
    """If the norm is large so is one of 9^(2m) forms, by what is said of a net; each is rarely."""
    place, pairs = Symbol("pair", integer=True, nonnegative=True), Symbol("pairs", integer=True)
    form, largest = randoms("form")(place), Random("largest_form")
    over = {x: given.domain[x] for x in (s, m_l, union_exponent, *NOT_ZERO)}
    counted = {**over, pairs: Range(1, oo)}
    at = {s: union_exponent, form_net: form}
    each = given.fact("eoc.prop9.quadratic").at(at, over={**over, place: Range(0, oo)})
    added = sums.summed(each, place, pairs, over=counted)
    norm_is_large, reached = goal.lhs.args[0], level(union_exponent)
    random = {norm_fluctuation: norm_fluctuation.belongs_to, largest: largest.belongs_to}
    # A random letter may have any values, so that the bound of the net is used for its modulus.
    moduli = Abs(norm_fluctuation), Abs(largest)
    sure = probabilities.surely(given.fact(net), dict(zip(sizes, moduli, strict=True)))
    not_negative = [_modulus_is_not_negative(X) for X in random]
    bounded = sure.statement.lhs.args[0]
    numbers = {x: over[x] for x in norm_is_large.free_symbols | reached.free_symbols if x in over}
    (one,), (all_pairs,) = each.statement.rhs.atoms(exp), goal.rhs.atoms(exp)
    paid = 2 * m_l * log(9)
    return rules.follows(
        goal,
        [
            added,
            sums.linear(added.statement.rhs, over=counted),
            event_within(both(norm_is_large, bounded), ge(moduli[1], reached), {**numbers, **random}),
            sure,
            probabilities.sure_event(norm_is_large, bounded, over=numbers),
            *not_negative,
            *_union_of_all_pairs(given, place, pairs, reached, numbers),
            *_number_of_pairs(given, pairs),
            facts.exponential_of_sum(all_pairs.args[0], one.args[0], paid),
        ],
        over={**given.domain, **counted, **random},
        under=given.conditions,
    )


def _union_of_all_pairs(
    given: Given, place: Symbol, pairs: Symbol, reached: Any, numbers: Any
) -> list[Theorem]:
    """The largest modulus of a form is large if one of them is: by induction over the pairs."""
    top, form, largest = randoms("largest_of"), randoms("form"), Random("largest_form")
    n, over = Symbol("number", integer=True, positive=True), {**numbers}
    following = {**over, n: Range(1, oo)}

    def large(variable: Any) -> Any:
        return P(ge(variable, reached))

    at = {_first: top(n), _second: form(n), _level: reached}
    step = _larger_of_two().at(at, over=following)
    more = given.meaning(
        "the largest modulus among one pair more", eq(large(top(n + 1)), large(Max(top(n), Abs(form(n)))))
    )
    start = given.meaning("the largest modulus among one pair", eq(large(top(1)), large(Abs(form(0)))))
    whole = Sum(large(Abs(form(place))), (place, 0, n - 1))
    bound_of_all = sums.by_recursion(le(large(top(n)), whole), n, 1, premises=[step, more, start])
    counted = {**over, pairs: Range(1, oo)}
    among_all = given.meaning(
        "the largest modulus among all pairs", eq(large(Abs(largest)), large(top(pairs))), over=counted
    )
    return [bound_of_all.at({n: pairs}, over=counted), among_all]


def _modulus_is_not_negative(X: Random) -> Theorem:
    value = Symbol("value", real=True)
    return probabilities.surely(rules.follows(ge(Abs(value), 0)), {value: X})


_first, _second, _level = Random("X"), Random("Y"), Symbol("x", real=True)


def _larger_of_two() -> Theorem:
    """P(max(X, |Y|) ≥ x) ≤ P(X ≥ x) + P(|Y| ≥ x)."""
    one, other = ge(_first, _level), ge(Abs(_second), _level)
    whole, numbers = ge(Max(_first, Abs(_second)), _level), {_level: Reals}
    over = {**numbers, **{X: X.belongs_to for X in (_first, _second)}}
    inside = event_within(whole, Or(one, other), over)
    union = facts.union_bound(one, other)
    return rules.follows(le(P(whole), P(one) + P(other)), [inside, union])


def _number_of_pairs(given: Given, pairs: Symbol) -> list[Theorem]:
    """Pairs of points of a net, which has at most 9^m of them."""
    points = Symbol("points", integer=True, positive=True)
    over = {points: Range(1, oo), m_l: given.domain[m_l]}
    return [
        given.fact("classical.net", "points").at({dimension: m_l, net_size: points}),
        given.meaning("the number of pairs", eq(pairs, points**2), over={**over, pairs: Range(1, oo)}),
        facts.power_as_exponential(Integer(9), m_l),
    ]


@EXPLICIT.proved()
def count_the_pairs(given: Given) -> Theorem:
    """The factor 2 of the net, and 9^(2m) pairs, of which each fails with at most 2e^(-S)."""
    return _over_all_pairs(given, as_it_stands(EXPLICIT), CORRECTED, (fluctuation, fluctuation_pairs))


SHAPES = (
    NetworkCase((3, 4, 6, 1), a=0.0, b=1.0, angle=1.0, layer=3),
    NetworkCase((3, 6, 9, 2), a=0.5, b=0.5, angle=0.3, layer=3, q=1.0),
    NetworkCase((4, 3, 9, 6, 4), a=1.0, b=-2.0, angle=2.0, layer=4, q=0.5),
)


@EXPLICIT.estimated(draws=4000, controls={})
def redraw_the_last_layer(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Frequencies of large fluctuations for J of three networks and two different inputs."""
    event, bound = given.goal.lhs.args[0], given.goal.rhs
    for case in SHAPES:
        middle = _middle(case.sample(rng))
        rows = rng.standard_normal((draws, case.widths[-1], len(middle)))
        forms = rows @ middle @ np.swapaxes(rows, -1, -2)
        fluctuation = forms - np.trace(middle) * np.eye(case.widths[-1])
        norms = np.linalg.norm(fluctuation, 2, axis=(-2, -1))
        at = {frob_j: np.linalg.norm(middle), norm_j: np.linalg.norm(middle, 2)}
        at |= {s: 5.0, m_l: case.widths[-1]}
        at |= {union_exponent: _PAID.subs(at)}
        yield frequency_test(norms >= float(event.rhs.subs(at)), float(bound.subs(at)))


def _middle(state: ForwardPass) -> Floats:
    """J of two inputs, by the definition of Proposition 9."""
    depth, mlp = state.mlp.depth, state.mlp
    total = np.zeros((mlp.widths[depth - 1],) * 2)
    for k in range(1, depth):
        B = backpropagation_matrix(state, k + 1, depth)
        weight = (mlp.scale(k) / mlp.scale(depth)) ** 2
        total += weight * state.inner_products(k)[0, 1] * (B[0] @ B[1].T)
    return total


_FACTOR = as_it_stands(SHARP_NET).rhs / net_pairs_maximum

SHARP = EXPLICIT.sharpened(
    "eoc.prop9.sharp",
    title="Concentration over the last layer with the best factor of the net, or without a net",
    states={
        "net": le(tail(norm_fluctuation, level(union_exponent, _FACTOR)), 2 * exp(-s)),
        "one output": implies(eq(m_l, 1), le(tail(norm_fluctuation, level(s)), 2 * exp(-s))),
    },
    given=_NORM,
    assuming=[UNION_EXPONENT],
    rests_on=["eoc.prop9.quadratic", SHARP_NET, "classical.net", "classical.union"],
    discharging=_NETS,
    note=_NOTE,
)


@SHARP.proved("net")
def with_the_smaller_factor(given: Given) -> Theorem:
    """The union is that over the same pairs."""
    return _over_all_pairs(given, as_it_stands(SHARP, "net"), SHARP_NET, (norm_a, net_pairs_maximum))


@SHARP.proved("one output")
def one_output(given: Given) -> Theorem:
    """The bound for two points, which are both 1 if there is one output."""
    norm, form = (tail(X, level(s)) for X in (norm_fluctuation, Abs(form_net)))
    number = given.meaning(
        "the form at 1, a number of which the norm is the modulus,", implies(eq(m_l, 1), eq(norm, form))
    )
    return given.follows(given.fact("eoc.prop9.quadratic"), number, goal=as_it_stands(SHARP, given.part))


_ABSORBED = {UNION_EXPONENT: "that is what S stands for; S = t + 2 m log 9 is at most K m t from log 2 on"}

ORLICZ = claim(
    "eoc.prop9.union",
    at="Proposition 9, proof",
    title="The bound after the union, in the form that is printed",
    states=le(
        tail(
            norm_fluctuation,
            4 * sqrt(net_constant) * (frob_j * sqrt(m_l)) * sqrt(threshold)
            + 4 * net_constant * (norm_j * m_l) * threshold,
        ),
        2 * exp(-threshold),
    ),
    given=_NORM,
    assuming=[NET_CONSTANT],
    rests_on=[EXPLICIT],
    discharging=_ABSORBED,
    note=_NOTE,
)


def _logarithms() -> list[Theorem]:
    """The logarithms of 2 and 9 are positive."""
    return [facts.logarithm_increases(1, one) for one in (2, 9)]


@ORLICZ.proved()
def absorb_the_logarithm(given: Given) -> Theorem:
    """For t ≤ log 2 nothing is said; else S = t + 2m log 9 ≤ K m t, as m ≥ 1 and t ≥ log 2."""
    goal, over = as_it_stands(ORLICZ), given.domain
    union = _PAID.subs(s, threshold)
    explicit = given.substituted(given.fact(EXPLICIT), {s: threshold, union_exponent: union})
    ends, conditions = goal.lhs.args[0].rhs, [*given.conditions, ge(threshold, log(2))]
    numbers = {x: over[x] for x in over if x != norm_fluctuation}
    absorbed = le(union, net_constant * m_l * threshold)
    shorter = rules.follows(absorbed, _logarithms(), over=numbers, under=conditions)
    below = le(explicit.statement.lhs.args[0].rhs, ends)
    known = [shorter, *_logarithms()]
    lower = rules.follows(below, known, under=conditions)
    return given.follows(
        beyond(explicit, norm_fluctuation, goal.lhs.args[0], lower),
        facts.probability(goal.lhs.args[0], over=over),
        facts.exponential_increases(-log(2), -threshold),
        goal=goal,
    )


PROP_9 = claim(
    "eoc.prop9",
    at="Proposition 9",
    title="Concentration of the NTK over the last layer",
    states=le(
        tail(norm_fluctuation, threshold),
        2
        * exp(
            -(threshold**2)
            / (16 * net_constant * m_l * frob_j**2 + 8 * net_constant * (norm_j * m_l) * threshold)
        ),
    ),
    given=_NORM,
    assuming=[NET_CONSTANT],
    rests_on=[ORLICZ],
    note=_NOTE,
)


@PROP_9.proved()
def solve_for_the_exponent(given: Given) -> Theorem:
    """At t² = Q(16K m f² + 8K m n t), f = ‖J‖_F, the level 4f√(K m Q) + 4n K m Q is at most t.

    With α = 8KmnQ, β² = 64KmQf² the root is t = (α + √(α² + β²))/2 ≥ (α + β)/2.
    """
    goal = as_it_stands(PROP_9)
    (bound,) = goal.rhs.atoms(exp)
    source = given.fact(ORLICZ, at={threshold: -bound.args[0]})
    lower = given.follows(*_logarithms(), goal=le(source.statement.lhs.args[0].rhs, threshold))
    return given.follows(beyond(source, norm_fluctuation, goal.lhs.args[0], lower), goal=goal)
