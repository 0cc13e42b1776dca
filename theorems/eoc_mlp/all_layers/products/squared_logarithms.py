"""Proposition 27, proof: the sum of squared logarithms over the layers."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Integer, Range, Reals, Sum, Symbol, log, oo, symbols

from theorems.engine import Given, Rounded, ge, half_line, integers, le, rules
from theorems.engine.rules import Theorem, facts, sums
from theorems.eoc_mlp.hypotheses import BELOW
from theorems.eoc_mlp.letters import claim, k1, k2, sum_printed_logs, sum_squared_logs
from theorems.eoc_mlp.premises.logarithms import quotient, successor
from theorems.eoc_mlp.premises.recursions import layers, of_layers

_NOTE = "proofs_notes/eoc_limits.md#backpropagation-products"
_LOG = log(k2 / (k1 - 1))
_j = Symbol("j", integer=True, nonnegative=True)

CUBIC = claim(
    "eoc.prop27.cubic",
    at="Proposition 27, proof",
    title="The sum of squared logarithms, as printed with the constant 1/3",
    states=le(sum_printed_logs, _LOG**3 / 3),
    given={k1: integers(2), k2: integers(3)},
    assuming=[BELOW],
    note=_NOTE,
)


def _logarithms(shift: int) -> Theorem:
    """Σ q²/(k₁ + j) against q³/3 for q the logarithm of (k₁ + j - 1 + shift)/(k₁ - 1)."""
    first, count = {k1: Range(2, oo)}, layers
    start, over = k1 - 1, {**first, count: Range(oo)}
    rate = log(2) if shift else Integer(1)

    def q(index: Any) -> Any:
        return log(start + index + shift) - log(start)

    total = Sum(q(_j) ** 2 / (k1 + _j), (_j, 0, count - 1))
    claimed = le(rate * total, q(count) ** 3 / 3)
    place = start + count + shift
    steps = [*successor(place, over), *successor(start, first)]
    known = [*steps, facts.logarithm_increases(start, place, over=over)]
    gain = _growth_of_the_cube().at({_q: q(count), _p: q(count + 1), _gain: rate / (k1 + count)}, over=over)
    met = [rules.follows(one, known) for one in gain.conditions]
    grows = rules.follows(gain.statement, [gain, *met])
    return sums.by_recursion(claimed, count, premises=[*steps, grows])


_q, _p, _gain = symbols("q p gain", real=True)


def _growth_of_the_cube() -> Theorem:
    """gq² ≤ (p³ - q³)/3 for p - q ≥ g ≥ 0 and q ≥ 0."""
    growth = le(_gain * _q**2, (_p**3 - _q**3) / 3)
    known = [ge(_q, 0), ge(_gain, 0), ge(_p - _q, _gain)]
    return rules.follows(growth, under=known)


def _cubic(given: Given, quantity: Any, shift: int) -> Theorem:
    given.require(BELOW)
    known = _logarithms(shift)
    (total,) = known.statement.atoms(Sum)
    domain = {x: given.domain[x] for x in (k1, k2)}
    over, cube = {**domain, layers: Range(1, oo)}, 3 * known.statement.rhs
    smaller = rules.follows(
        le(cube.base, _LOG),
        [
            of_layers(given, k2, k1 + layers, 1),
            quotient(k2, k1 - 1, domain),
            facts.logarithm_increases(k2 - 1, k2, over=domain),
        ],
    )
    numbers = {_rate: known.statement.lhs / total, _total: total, _q: cube.base, _p: _LOG}
    there = _larger_cube().at(numbers, over=over)
    bound = rules.follows(there.statement, [there, smaller, known])
    return given.follows(bound, of_layers(given, quantity, total, 1))


_rate, _total = Symbol("rate", positive=True), Symbol("total", real=True)


def _larger_cube() -> Theorem:
    """v ≤ p³/(3g) for gv ≤ q³/3 and q ≤ p."""
    over = {**dict.fromkeys((_total, _q, _p), Reals), _rate: half_line(0, closed=False)}
    known = [le(_rate * _total, _q**3 / 3), le(_q, _p)]
    cubes = rules.follows(le(_q**3, _p**3), over=over, under=known[1:])
    return rules.follows(le(_total, _p**3 / (3 * _rate)), [cubes], under=known)


@CUBIC.proved()
def compare_with_the_integral(given: Given) -> Theorem:
    """q²/k ≤ (q'³ - q³)/3, as log k - log(k - 1) ≥ 1/k: the sum telescopes."""
    return _cubic(given, sum_printed_logs, 0)


CUBIC_CORRECTED = CUBIC.corrected(
    "eoc.prop27.cubic.corrected",
    title="The sum of squared logarithms that the norms of the matrices make",
    states=le(sum_squared_logs, _LOG**3 / (3 * log(2))),
    given={k1: integers(2), k2: integers(3)},
    assuming=[BELOW],
    note=_NOTE,
)


@CUBIC_CORRECTED.proved()
def compare_with_the_next_integral(given: Given) -> Theorem:
    """q²/k ≤ (q'³ - q³)/(3 log 2), as log(k + 1) - log k ≥ (log 2)/k."""
    return _cubic(given, sum_squared_logs, 1)


_STEPS = st.tuples(st.one_of(st.just(2), st.integers(2, 30)), st.integers(1, 400))


def _sum_of_logarithms(case: tuple[int, int], shift: int) -> tuple[Rounded, int]:
    first, steps = case
    k = np.arange(first, first + steps)
    total = float(np.sum(np.log((k - 1 + shift) / (first - 1)) ** 2 / k))
    return Rounded(total, total * steps * 2.0**-50), first + steps


@CUBIC.tested(over=_STEPS)
def sums_of_printed_logarithms(case: tuple[int, int]) -> dict[Symbol, Any]:
    """The sum as printed, k₂ - k₁ up to 400."""
    total, last = _sum_of_logarithms(case, 0)
    return {sum_printed_logs: total, k1: case[0], k2: last}


@CUBIC_CORRECTED.tested(over=_STEPS)
def sums_of_logarithms(case: tuple[int, int]) -> dict[Symbol, Any]:
    """The sum that is needed, k₂ - k₁ up to 400."""
    total, last = _sum_of_logarithms(case, 1)
    return {sum_squared_logs: total, k1: case[0], k2: last}
