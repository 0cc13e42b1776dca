"""Proposition 25, proof: growth of the iterates of ω, with the logarithmic term.

With c = 4Δ/(3π) and a = 2Δ/π, the function w - a log w grows by c + O(Δ/w²) in each layer.
"""

from typing import Any

import sympy as sp
from hypothesis import strategies as st
from sympy import Expr, Interval, Rational, S, Symbol, log, oo, pi, sqrt

from numeric.cosine_maps import omega as omega_in_floats
from symbolic.equality import equal
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Rounded,
    Severity,
    both,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.engine.rules.facts import logarithm_below_tangent, logarithm_increases, logarithm_of_product
from theorems.eoc_mlp.all_layers.cosines.potential import GAIN, LOG
from theorems.eoc_mlp.letters import DELTA, claim, k, omega, omega_iterate, w, w_1_input, w_tilde
from theorems.eoc_mlp.one_layer.widths.growth_in_the_limit import EXPANSION
from theorems.eoc_mlp.premises.recursions import iterates, limit_of_layer
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_NOTE = "proofs_notes/eoc_limits.md#iterates-of-omega"
_ACUTE = half_line(sqrt(2))


_TOTAL = GAIN * (k - 1)
_EXCESS = w_tilde - w_1_input - _TOTAL - LOG * log(1 + _TOTAL / w_1_input)
_GROWTH = {
    "lower bound": ge(_EXCESS, 0),
    "upper bound": implies(ge(w_1_input, sqrt(2)), le(_EXCESS, Rational(12, 5) / w_1_input)),
}
_PRINTED = {
    **{"iterates": 1, "gain": 4 / (3 * pi), "layers": 1},
    **{"slope": 2 / pi, "inverse": 1, "inside": 3 * pi / 4, "passed": 1},
}

QUOTED = claim(
    "eoc.quoted.p13",
    at="Proposition 25, proof",
    title="Growth of the iterates of ω, from fixed w_1",
    states=sentence(
        r"\omega^{\circ($k-$iterates)}($w_1_input) = $w_1_input + $Delta_phi$gain ($k-$layers)"
        r" + $Delta_phi$slope\log\bigl({$Delta_phi}^{-$inverse}$inside $w_1_input"
        r" + $k-$passed\bigr) + R_{$k}, \quad \sup_{$k}|R_{$k}| < \infty",
        **_PRINTED,
    ),
    given={DELTA: Interval.Lopen(0, 1)},
    rests_on=["eoc.quoted.p13.uniform.corrected", EXPANSION, "eoc.omega.increment"],
    provenance=Provenance.QUOTED,
    note=_NOTE,
)


@QUOTED.argued(
    bridge="The corrected bounds have these terms with log(1 + c(k - 1)/w₁), which differs from the"
    " printed logarithm by a constant; from w₁ < √2 the iterates pass √2 after finitely many"
    " layers, for each adds at least c.",
    over={w_1_input: half_line(1, closed=False), DELTA: Interval.Lopen(0, 1), k: integers(1)},
)
def coefficient_of_the_logarithm(
    iterates: Any, gain: Any, layers: Any, slope: Any, inverse: Any, inside: Any, passed: Any
) -> Obligations:
    """A term c₂/w in ω(w) = w + c₁ + c₂/w + … sums to (c₂/c₁) log."""
    relations = as_it_stands(EXPANSION).args
    (terms,) = (one_side.lhs for one_side in relations if not one_side.lhs.has(omega))
    first, second = (sp.expand(terms).coeff(w, power) for power in (0, -1))
    below = Symbol("j", integer=True)
    yield "layers above the first", equal(k - iterates, sp.summation(S.One, (below, 2, k)))
    added = sp.summation(first, (below, 2, k))
    yield "what they add", equal(DELTA * gain * (k - layers), added)
    yield "(c₂/c₁) = (2/π)Δ", equal(second / first, slope * DELTA)
    layer, start = sp.symbols("k w", positive=True)
    printed = inside * start / DELTA ** sp.sympify(inverse) + layer - passed
    ratio = sp.simplify(printed / (1 + first * (layer - 1) / start))
    yield "ratio of the arguments is free of k", equal(sp.diff(ratio, layer), S.Zero)


UNIFORM = claim(
    "eoc.quoted.p13.uniform",
    at="Proposition 25, proof",
    title="Growth of the iterates of ω, with one O(1) for all w_1",
    states=sentence(
        r"\exists C\ \forall $w_1_input,\ $k:\quad $w_1_input + \Delta_\phi$gain ($k-$layers)"
        r" + \Delta_\phi$slope\log\bigl(\Delta_\phi^{-$inverse}$inside $w_1_input"
        r" + $k-$passed\bigr) - C \le \omega^{\circ($k-$iterates)}($w_1_input)",
        **_PRINTED,
    ),
    provenance=Provenance.QUOTED,
    note=_NOTE,
)


@UNIFORM.refuted(severity=Severity.DEPENDENCE)
def first_layer(
    iterates: Any, gain: Any, layers: Any, slope: Any, inverse: Any, inside: Any, passed: Any
) -> Obligations:
    """At k = 1 it says (2Δ/π) log(3πw₁/(4Δ)) ≤ C: unbounded in w₁."""
    start, share, first = Symbol("w", positive=True), Symbol("Delta", positive=True), S.One
    yield "ω is not applied", equal(first - iterates, S.Zero)
    logarithm = log(inside * start / share ** sp.sympify(inverse) + first - passed)
    excess = share * gain * (first - layers) + share * slope * logarithm
    yield "the excess", equal(excess, 2 * share / pi * log(3 * pi * start / (4 * share)))
    yield "unbounded as w₁ → ∞", bool(sp.limit(excess, start, oo) == oo)


GROWTH = UNIFORM.corrected(
    "eoc.quoted.p13.uniform.corrected",
    title="Two-sided bounds of the iterates of ω for all w_1",
    states=_GROWTH,
    rests_on=["eoc.omega.potential", "eoc.omega.increment"],
    note=_NOTE,
)
_n = Symbol("n", integer=True, nonnegative=True)


def _from_layer_to_layer(given: Given, last: Symbol) -> tuple[dict[Symbol, Any], list[Theorem]]:
    """What a layer adds to an iterate of ω, at least and at most, and what the iterates are."""
    over = {last: integers(0), **{x: given.domain[x] for x in (w_1_input, DELTA)}}
    here = omega_iterate(last, w_1_input, DELTA)
    facts = [_potential_grows(given, one) for one in ("at least", "at most")]
    facts.append(given.fact("eoc.omega.increment"))
    moved = [one.at({w: here}, over=over, under=[gt(here, 1)]) for one in facts]
    return over, [iterates(given, last, w_1_input), *moved]


def _potential_grows(given: Given, part: str) -> Theorem:
    """The claim on one layer, in which log ω is defined only because ω is positive."""
    return given.fact("eoc.omega.potential", part, where=[gt(omega(w, DELTA), 0)])


def _summed_from_below(given: Given) -> Theorem:
    """W_n ≥ w + cn and W_n - a log W_n ≥ w - a log w + cn, by induction."""
    _, known = _from_layer_to_layer(given, _n)
    here = omega_iterate(_n, w_1_input, DELTA)
    gained = _potential(here) - _potential(w_1_input)
    statement = both(ge(here, w_1_input + GAIN * _n), ge(gained, GAIN * _n))
    return rules.induction(statement, _n, 0, base=known, step=known)


def _potential(value: Expr) -> Expr:
    return value - LOG * log(value)


@GROWTH.proved("lower bound")
def sum_the_potential(given: Given) -> Theorem:
    """Sum w - a log w over the layers; log(w_k/w) ≥ log(1 + c(k - 1)/w) as w_k ≥ w + c(k - 1)."""
    start = {w_1_input: given.domain[w_1_input], DELTA: given.domain[DELTA], k: given.domain[k]}
    summed = _summed_from_below(given).at({_n: k - 1})
    here, ratio = omega_iterate(k - 1, w_1_input, DELTA), 1 + _TOTAL / w_1_input
    larger = logarithm_increases(here, w_1_input * ratio, over=start, under=[gt(here, 1)])
    apart = logarithm_of_product(w_1_input, ratio, over=start)
    return given.follows(limit_of_layer(given), summed, larger, apart)


def _summed_from_above(given: Given) -> Theorem:
    """W_n - a log W_n is at most w - a log w + cn and a remainder, n ≥ 1, by induction.

    The remainder of a layer is at most (3/8)Δ(w + cn)^(-2), which an integral bounds.
    """
    over, known = _from_layer_to_layer(given, _n)
    over |= {_n: integers(1), w_1_input: _ACUTE}
    others = {x: range_ for x, range_ in over.items() if x != _n}
    here = omega_iterate(_n, w_1_input, DELTA)
    below = _summed_from_below(given)
    gained = _potential(here) - _potential(w_1_input) - GAIN * _n
    layer = Rational(3, 8) * DELTA / (w_1_input + GAIN * _n) ** 2
    adds = le(_potential(omega(here, DELTA)) - _potential(here), GAIN + layer)
    added = rules.follows(adds, [*known, below], over=over)
    sums = rules.follows(le(_remainder(_n) + layer, _remainder(_n + 1)), over=over)
    start = [one.at({_n: 0}, over=others) for one in known]
    return rules.induction(le(gained, _remainder(_n)), _n, 1, base=start, step=[known[0], added, sums])


def _remainder(n: Expr) -> Expr:
    w_1, quarter = w_1_input, Rational(9, 32) * pi
    return Rational(3, 8) * DELTA / w_1**2 + quarter * (1 / w_1 - 1 / (w_1 + GAIN * (n - 1)))


_e, _L, _V, _w, _a, _d = sp.symbols("e L V w a d", real=True)


def _solved_for_the_excess() -> Theorem:
    """From e ≤ d + aL + ae/V and L ≤ (3/8)V/w to e - aL ≤ (12/5)/w, in numbers."""
    known = both(
        ge(_w, sqrt(2)),
        ge(_V, _w),
        ge(_a, 0),
        le(_a, Rational(16, 25)),
        le(_e * _V, (_d + _a * _L) * _V + _a * _e),
        le(_L * _w, Rational(3, 8) * _V),
        le(_d * _w**2, Rational(3, 8) + Rational(71, 80) * _w),
    )
    goal = le((_e - _a * _L) * _w, Rational(12, 5))
    return rules.follows(implies(known, goal))


def _logarithm_below_share(x: Expr, over: dict[Symbol, Any]) -> Theorem:
    """Log x ≤ (3/8)x, for log(8/3) < 1."""
    share = Rational(3, 8)
    known = [
        logarithm_below_tangent(share * x, over=over),
        logarithm_of_product(share, x, over=over),
        logarithm_of_product(share, 1 / share),
        rules.enclosed(lt(log(1 / share), 1)),
    ]
    return rules.follows(le(log(x), share * x), known)


@GROWTH.certified("upper bound")
def solve_for_the_excess(given: Given) -> Theorem:
    """With V = w + c(k - 1): log(w_k/V) ≤ w_k/V - 1, and the remainders sum to an integral."""
    over = {x: given.domain[x] for x in (w_1_input, DELTA, k)} | {w_1_input: _ACUTE}
    here, ratio = omega_iterate(k - 1, w_1_input, DELTA), 1 + _TOTAL / w_1_input
    reached = w_1_input * ratio
    below = _summed_from_below(given).at({_n: k - 1}, over=over)
    later = {**over, k: integers(2)}
    above = _summed_from_above(given).at({_n: k - 1}, over=later)
    alive = [gt(here, 1)]
    logarithms = [
        logarithm_of_product(w_1_input, ratio, over=over),
        logarithm_of_product(reached, here / reached, over=over, under=alive),
        logarithm_below_tangent(here / reached, over=over, under=alive),
    ]
    values = {
        _e: here - w_1_input - _TOTAL,
        _L: log(ratio),
        _V: w_1_input + _TOTAL,
        _w: w_1_input,
        _a: LOG,
        _d: _remainder(k - 1),
    }
    circle = [rules.enclosed(gt(pi, Rational(25, 8))), rules.enclosed(lt(pi, Rational(63, 20)))]
    known = [below, above, *logarithms, *circle, _logarithm_below_share(ratio, over)]
    numbers = _solved_for_the_excess().at(values, over=later)
    met = [rules.follows(one, known, over=later) for one in numbers.statement.args[0].args]
    excess = here - w_1_input - _TOTAL - LOG * log(ratio)
    bound = le(excess, Rational(12, 5) / w_1_input)
    multiplied = rules.follows(numbers.statement.args[1], [numbers, *met])
    from_two = rules.follows(bound, [multiplied])
    start = iterates(given, S.Zero, w_1_input)
    at_one = rules.follows(bound, [start], over=over, under=[eq(k, 1)])
    everywhere = rules.cases([at_one, from_two], over=over)
    stated = as_it_stands(GROWTH, "upper bound")
    return given.follows(limit_of_layer(given), everywhere, goal=stated)


_CASES = st.tuples(
    st.one_of(st.just(1.0000001), st.floats(1.0000001, 50)),
    st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.01, 1)),
    st.integers(0, 80),
)


@GROWTH.tested("lower bound", over=_CASES)
def iterates_in_floats(case: tuple[float, float, int]) -> dict[Symbol, Any]:
    """The iterate of layer k, from nearly opposite to nearly equal inputs."""
    start, delta, layers = case
    value = start
    for _ in range(layers):
        value = float(omega_in_floats(value, delta))
    # Each ω errs by 4 units in the last place.  From the second layer on, where inputs are acute or
    # Δ is at most 3/5, ω is 1-Lipschitz.
    error = 4 * (layers + 1) * 2.0**-53 * value
    return {w_1_input: start, DELTA: delta, k: layers + 1, w_tilde: Rounded(value, error)}
