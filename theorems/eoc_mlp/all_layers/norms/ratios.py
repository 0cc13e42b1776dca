"""Proposition 24: the ratios of norms of all layers at once, for widths m_k = k²m.

For one layer P(||x_k|/|x_{k-1}| - 1| ≥ t) ≤ 2 exp(-(k - 1)² m t²/(2κ²)).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Abs, Expr, Gt, Min, Range, Sum, Symbol, exp, log, oo, sqrt, symbols

from theorems.classical.letters import chance, chance_of_any, index
from theorems.classical.letters import count as number_of_events
from theorems.engine import Given, Provenance, both, eq, ge, gt, implies, integers, le, rules
from theorems.engine.rules import P, Random, Theorem, sums
from theorems.engine.rules.facts import exponential_increases, logarithm_increases, logarithm_of_product
from theorems.engine.rules.probabilities import both_tails
from theorems.eoc_mlp.hypotheses import ALIVE, INPUTS_NONZERO, SQUARE_WIDTHS
from theorems.eoc_mlp.letters import (
    DELTA,
    LETTERS,
    M,
    claim,
    count,
    exponent,
    k,
    kappa_phi,
    l,
    largest_tail,
    lower_tail_norm,
    m,
    n,
    s,
    threshold,
    upper_tail_norm,
)
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_NOTE = "proofs_notes/eoc_limits.md#norms"
_ALIVE_ON_THE_EVENT = {
    ALIVE: "once an activation has vanished, the later ratios have no value, and count as 1"
}


_UNION, _LEVEL = Min(1, 2 * count * exp(-exponent)), log(2 * count)
_SHARED = 2 * exp(-exponent * log(2) / _LEVEL)

UNION = claim(
    "eoc.prop24.union",
    at="Proposition 24, proof",
    title="The best constant of a union bound over N sub-Gaussian tails",
    states={"bound": le(_UNION, _SHARED), "attained": implies(eq(exponent, _LEVEL), eq(_UNION, _SHARED))},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@UNION.proved("bound", "attained")
def compare_exponents(given: Given) -> Theorem:
    """Both branches meet the right side at x = log 2N; before, it exceeds 1, after, 2Ne⁻ˣ."""
    known = _compared(exponent, count, given.domain)
    return given.follows(*known, goal=as_it_stands(UNION, given.part))


def _compared(x: Expr, number: Expr, over: Mapping[Symbol, Any]) -> list[Theorem]:
    """How the exponents of both branches are ordered, for an x and a number N ≥ 1."""
    letters = {one: over[one] for one in x.free_symbols | number.free_symbols}
    counted = {one: over[one] for one in number.free_symbols}
    level = log(2 * number)
    known = [
        logarithm_of_product(2, number, over=counted),
        logarithm_increases(1, 2),
        logarithm_increases(1, number, over=counted),
    ]
    grown = rules.follows(both(Gt(level, 0), ge(log(number), 0)), known)
    under, shared = [Gt(level, 0)], -x * log(2) / level
    pairs = [(shared, -log(2)), (shared, log(number) - x), (-x, -level)]
    both_ways = [*pairs, *((later, former) for former, later in pairs)]
    ordered = [exponential_increases(*pair, over=letters, under=under) for pair in both_ways]
    return [*known, grown, *ordered]


_EVENTS, _KAPPA = (l - 1) * n, kappa_phi(DELTA)
_GIVEN = [largest_tail, threshold, l, n, m, DELTA]
#: The exponent of one event, whatever its layer is.
_EXPONENT = m * threshold**2 / (2 * _KAPPA**2)

EQ_8 = claim(
    "eoc.prop24.eq8",
    at="Proposition 24, proof; Equation (8)",
    title="All ratios of norms are close to 1, with explicit constants",
    states=implies(eq(threshold, _KAPPA * sqrt(2 * (s + log(_EVENTS)) / m)), le(largest_tail, 2 * exp(-s))),
    assuming=[SQUARE_WIDTHS, INPUTS_NONZERO],
    discharging=_ALIVE_ON_THE_EVENT,
    rests_on=["eoc.prop14.explicit", "eoc.prop12.kappa", "classical.union"],
    note=_NOTE,
)


_n, _place = symbols("number place", integer=True, nonnegative=True)


def _added(given: Given) -> Theorem:
    """(l - 1)n events, each at t/(k - 1) in a layer of width (k - 1)²m, on both sides."""
    given.require(INPUTS_NONZERO)
    most, numbers = 2 * exp(-_EXPONENT), {x: given.domain[x] for x in (threshold, m, DELTA)}
    each = _one_event(given, most, numbers)
    whole = Sum(chance(index), (index, 1, _n))
    after = each.at({_place: _n + 1})
    added = sums.by_recursion(le(whole, most * _n), _n, premises=[after])
    added = added.at({_n: number_of_events})
    meant = given.meaning(
        "an event for every layer and input, and one of them,",
        eq(largest_tail, chance_of_any(number_of_events)),
        eq(number_of_events, _EVENTS),
    )
    goal = le(largest_tail, _EVENTS * most)
    return rules.follows(goal, [given.fact("classical.union"), added, meant], over=given.domain)


def _one_event(given: Given, most: Expr, numbers: Any) -> Theorem:
    """A ratio is off 1 by t/(k - 1) in a layer of width (k - 1)²m: the tails on both sides."""
    ratio, level = Random("ratio"), threshold / (k - 1)
    layer = {k: integers(2), M: LETTERS[M].domain}
    over = {**layer, **numbers}
    width = given.supposed(SQUARE_WIDTHS, eq(M, (k - 1) ** 2 * m), over=over)
    sides = {"upper tail": upper_tail_norm, "lower tail": lower_tail_norm}
    one = [
        given.fact("eoc.prop14.explicit", part).at(
            {threshold: level}, over={**over, quantity: LETTERS[quantity].domain}
        )
        for part, quantity in sides.items()
    ]
    exact = one[0].statement.rhs.args[0]
    same = rules.follows(eq(exact, -_EXPONENT), [width, given.fact("eoc.prop12.kappa")])
    deviations = Abs(ratio - 1), ratio - 1, 1 - ratio
    tails = zip((chance(_place), *sides.values()), deviations, strict=True)
    known = [
        given.meaning(
            "tails of one ratio",
            *(eq(tail, P(ge(off, level))) for tail, off in tails),
            over={**over, _place: Range(oo)},
        ),
        both_tails(ratio - 1, level, over=over),
        same,
        *one,
    ]
    return rules.follows(le(chance(_place), most), known)


@EQ_8.proved()
def union_over_layers_and_inputs(given: Given) -> Theorem:
    """The exponent of one event is s + log((l - 1)n)."""
    over, under = given.domain, [gt(_EVENTS, 0)]
    level = s + log(_EVENTS)
    ordered = [
        exponential_increases(*pair, over=over, under=under)
        for pair in ((-_EXPONENT, -level), (-level, -_EXPONENT))
    ]
    known = [_added(given), given.fact("eoc.prop12.kappa"), logarithm_increases(1, 2)]
    inside = [logarithm_increases(_EVENTS, 1, over={l: over[l], n: over[n]}, under=under)]
    return given.follows(*known, *inside, *ordered, goal=as_it_stands(EQ_8))


_INPUTS = log(l * n)
#: -t² over the square of C κ² √log(ln) m^(-1/2), where the O of the paper is C with C² = 4/log 2.
MAXIMUM_EXPONENT = -(threshold**2) / (4 / log(2) * _INPUTS * _KAPPA**4 / m)

MAXIMUM = claim(
    "eoc.prop24.max",
    at="Proposition 24, proof",
    title="Tail of the largest deviation of a ratio of norms",
    states=le(largest_tail, 2 * exp(MAXIMUM_EXPONENT)),
    assuming=[SQUARE_WIDTHS, INPUTS_NONZERO],
    discharging=_ALIVE_ON_THE_EVENT,
    rests_on=[UNION, "eoc.prop14.explicit", "eoc.prop12.kappa", "classical.union"],
    note=_NOTE,
)


@MAXIMUM.proved()
def insert_the_union(given: Given) -> Theorem:
    """With N = (l - 1)n: log 2N ≤ 2 log(ln), and κ² ≤ κ⁴."""
    over = {x: given.domain[x] for x in (threshold, m, DELTA, l, n)}
    inputs = {l: over[l], n: over[n]}
    branches = _compared(_EXPONENT, _EVENTS, over)
    level = log(2 * _EVENTS)
    exact, printed = -_EXPONENT * log(2) / level, MAXIMUM_EXPONENT
    known = [_added(given), *branches]
    shared = rules.follows(le(largest_tail, 2 * exp(exact)), known)
    squares = [
        logarithm_increases((l * n) ** 2, 2 * _EVENTS, over=inputs, under=[gt(_EVENTS, 0)]),
        logarithm_of_product(l * n, l * n, over=inputs),
        logarithm_increases(1, l * n, over=inputs),
        logarithm_increases(1, 2),
        *branches[:4],
    ]
    ordered = both(le(level, 2 * _INPUTS), gt(_INPUTS, 0), gt(level, 0), gt(log(2), 0))
    ordered = rules.follows(ordered, squares)
    smaller = rules.follows(le(exact, printed), [ordered, given.fact("eoc.prop12.kappa")])
    grows = exponential_increases(printed, exact, over=over, under=[gt(_INPUTS, 0), gt(level, 0)])
    return given.follows(shared, ordered, smaller, grows, goal=as_it_stands(MAXIMUM))
