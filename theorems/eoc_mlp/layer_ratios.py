"""Section 3.3, Proposition 24: the ratios of norms of all layers at once, for widths m_k = k²m.

For one layer P(||x_k|/|x_{k-1}| - 1| ≥ t) ≤ 2 exp(-(k - 1)² m t²/(2κ²)).
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Integer, Min, Rational, Symbol, exp, log, oo, sqrt

from symbolic.equality import equal
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    both,
    claims_in,
    eq,
    ge,
    implies,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.engine.rules.facts import (
    exponential_increases,
    logarithm_increases,
    logarithm_of_product,
)
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    INPUTS_NONZERO,
    SQUARE_WIDTHS,
)
from theorems.eoc_mlp.letters import (
    LETTERS,
    count,
    exponent,
    kappa,
    l,
    m,
    n,
    s,
    threshold,
)
from theorems.eoc_mlp.substitutions import as_stated

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/eoc_limits.md#norms"
_RADIUS = r"\Bigl|\tfrac{\|x_k(x_i)\|}{\|x_{k-1}(x_i)\|} - $one\Bigr|"
_ALIVE_ON_THE_EVENT = {
    ALIVE: "once an activation has vanished, the later ratios have no value, and count as 1"
}


def as_it_is(relation: Any) -> Any:
    """The relation, with the functions of the paper by their names."""
    return relation


_UNION, _LEVEL = Min(1, 2 * count * exp(-exponent)), log(2 * count)
_SHARED = 2 * exp(-exponent * log(2) / _LEVEL)

UNION = claim(
    "eoc.prop24.union",
    at="Proposition 24, proof",
    title="The best constant of a union bound over N sub-Gaussian tails",
    states={
        "bound": le(_UNION, _SHARED),
        "attained": implies(eq(exponent, _LEVEL), eq(_UNION, _SHARED)),
    },
    given=[exponent, count],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@UNION.proved("bound", "attained")
def compare_exponents(given: Given) -> Theorem:
    """Both branches meet the right side at x = log 2N; before, it exceeds 1, after, 2Ne⁻ˣ."""
    over, shared = given.domain, -exponent * log(2) / _LEVEL
    counted = {count: over[count]}
    known = [
        logarithm_of_product(2, count, over=counted),
        logarithm_increases(1, 2, over={}),
        logarithm_increases(1, count, over=counted),
    ]
    grown = rules.follows(both(sp.Gt(_LEVEL, 0), ge(log(count), 0)), known, over=counted)
    under = [sp.Gt(_LEVEL, 0)]
    pairs = [(shared, -log(2)), (shared, log(count) - exponent), (-exponent, -_LEVEL)]
    both_ways = [*pairs, *((later, former) for former, later in pairs)]
    ordered = [exponential_increases(*pair, over=over, under=under) for pair in both_ways]
    return given.follows(*known, grown, *ordered, goal=as_stated(UNION, given.part, as_it_is))


#: Both tails of a ratio count.
TAILS = 2

EQ_8 = claim(
    "eoc.prop24.eq8",
    at="Proposition 24, (8)",
    title="All ratios of norms are close to 1, with explicit constants",
    states=sentence(
        r"\mathbb{P}\Bigl(\max_{k \in [2:$l],\,i}(k-$one)" + _RADIUS + r" \ge \epsilon\Bigr)"
        r" \le $tails e^{-$s}, \quad \epsilon = $kappa"
        r"\sqrt{\tfrac{$factor($s + \log(($l-$one)$n))}{$m}}",
        one=1,
        tails=TAILS,
        factor=2,
    ),
    given=[l, n, m, s, kappa],
    assuming=[SQUARE_WIDTHS, INPUTS_NONZERO],
    discharging=_ALIVE_ON_THE_EVENT,
    rests_on=["eoc.prop14.explicit", "classical.union"],
    note=_NOTE,
)


@EQ_8.argued(
    bridge="Each of the (l - 1)n events has at most the probability of Proposition 14, given the"
    " layers below, and hence without that; the probabilities are added.",
    uses=[SQUARE_WIDTHS, INPUTS_NONZERO],
)
def union_over_layers_and_inputs(one: int, tails: int, factor: int) -> Obligations:
    """(l - 1)n events, each at t = ε/(k - 1) in a layer of width (k - 1)²m."""
    layer, depth = sp.symbols("k l", integer=True, positive=True)
    ranges = {depth: sp.Interval(2, oo), layer: sp.Interval(2, oo)}
    events = (depth - one) * n
    radius = kappa * sqrt(factor * (s + log(events)) / m)
    tail = (layer - 1) ** 2 * m * (radius / (layer - one)) ** 2 / (2 * kappa**2)
    yield "exponent", equal(tail, s + log(events), ranges, [layer > 1, depth > 1])
    number = n * sp.summation(1, (layer, 2, depth))
    yield "number of events", equal(number, events)
    both_sides = 2 * number * exp(-s) / events
    yield "sum", equal(both_sides, tails * exp(-s), ranges, [depth > 1])


MAXIMUM = claim(
    "eoc.prop24.max",
    at="Proposition 24, proof",
    title="Tail of the largest deviation of a ratio of norms",
    states=sentence(
        r"\mathbb{P}\Bigl(\max_{k \in [2:$l],\,i}(k-$one)" + _RADIUS + r" \ge $threshold\Bigr)"
        r" \le $tails\exp\Bigl(-\frac{{$threshold}^{$square}}"
        r"{(C\sqrt{\log($l $n)}\,{$kappa}^{$square}{$m}^{-$half})^{$square}}\Bigr),"
        r" \quad C^{$square} = $constant",
        one=1,
        tails=2,
        square=2,
        half=Rational(1, 2),
        constant=4 / log(2),
    ),
    given=[l, n, m, kappa, threshold],
    assuming=[SQUARE_WIDTHS, INPUTS_NONZERO],
    discharging=_ALIVE_ON_THE_EVENT,
    rests_on=[UNION, "eoc.prop14.explicit", "classical.union"],
    note=_NOTE,
)


@MAXIMUM.argued(
    bridge="The union over N = (l - 1)n events of Proposition 14 is bounded by eoc.prop24.union at"
    " the exponent x of one of them.",
    uses=[SQUARE_WIDTHS, INPUTS_NONZERO],
)
def insert_the_union(one: int, tails: int, square: int, half: Any, constant: Any) -> Obligations:
    """With N = (l - 1)n: log 2N ≤ 2 log(ln), and κ² ≤ κ⁴."""
    layer = Symbol("k", integer=True, positive=True)
    tail = (layer - 1) ** 2 * m * (threshold / (layer - one)) ** 2 / (2 * kappa**2)
    yield "exponent of one event", equal(tail, m * threshold**2 / (2 * kappa**2), under=[layer > 1])
    few = rules.follows(le(2 * (l - one) * n, (l * n) ** 2), over={l: integers(2), n: integers(1)})
    yield str(few.statement), True
    inputs = Symbol("log(ln)", positive=True)
    share = log(2) / (2 * inputs)  # at most log 2/log 2N
    ours = m * threshold**2 / (2 * kappa**4) * share
    printed = threshold**square / (constant * inputs * (kappa**square * m**-half) ** square)
    yield "the exponent", equal(printed, ours)
    yield "the factor", equal(Integer(tails), _SHARED.subs(exponent, 0))
