"""Theorem 28: the errors of the cosines and slopes, summed over the layers.

With c = 4Δ/(3π) Proposition 25 bounds the error of a cosine k layers above the inputs by a multiple
of (W H_k + Δk)/(w₁ + ck)³, where H_k is the harmonic number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Interval, Range, Rational, Sum, Symbol, log, oo, pi, sqrt, symbols

from numeric.cosine_maps import omega as numeric_omega
from theorems.engine import Given, Measured, Provenance, eq, ge, le, rules, sentence
from theorems.engine.rules import Theorem, facts, sums
from theorems.eoc_mlp.hypotheses import SMALL_NU
from theorems.eoc_mlp.letters import DELTA, H, W_start, claim, k, l, w_1_input
from theorems.eoc_mlp.premises.harmonic import harmonic_is_positive, harmonic_numbers
from theorems.eoc_mlp.premises.logarithms import quotient, successor
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_PROOF = "Theorem 28, proof"
_NOTE = "proofs_notes/eoc_limits.md#dependence-on-delta"
_SLOWEST = 4 * DELTA / (3 * pi)
_W = w_1_input
_ABOVE_ZERO = Interval.Lopen(0, 1)


def _over_layers(term: Any) -> Sum:
    return Sum(term, (k, 1, l - 1))


def _error_of_cosine(slowest: Any) -> Any:
    return (W_start * H(k) + DELTA * k) / (_W + slowest * k) ** 3


COSINES = claim(
    "eoc.thm28.cosines",
    at=_PROOF,
    title="The errors of the cosines add up to a multiple of log(1/Δ)/Δ at every depth",
    states=le(
        _over_layers(_error_of_cosine(_SLOWEST)),
        W_start * (1 + log(_W / _SLOWEST)) / (2 * _SLOWEST * _W * (_W - _SLOWEST))
        + DELTA / (_SLOWEST**2 * _W),
    ),
    given={DELTA: _ABOVE_ZERO},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_N = Symbol("N", integer=True, nonnegative=True)
_w, _c = symbols("w c", positive=True)
_POSITIVE = Interval.open(0, oo)
_NUMBERS = {_w: _POSITIVE, _c: _POSITIVE}
_COUNTED = {_N: Range(oo)}
_HERE = _w + _c * _N


def harmonic_below_logarithm(given: Given) -> Theorem:
    """H(N + 1) ≤ 1 + log(N + 1)."""
    first, step = harmonic_numbers(given, _N)
    begun = step.at({_N: 0})
    after = step.at({_N: _N + 1})
    known = [begun, after, first, *successor(_N + 1, _COUNTED)]
    return rules.induction(le(H(_N + 1), 1 + log(_N + 1)), _N, 0, base=known, step=known)


def weighted_by_harmonic_numbers(given: Given) -> Theorem:
    """Σ H_k/(w + ck)³ + H_N/(2c(w + cN)²) ≤ (H_N - log(1 + cN/w))/(2cw(w - c)).

    By parts: the tail of 1/(w + ck)³ is at most 1/(2c(w + cN)²), and H grows by 1/(N + 1).
    """
    over = {**_NUMBERS, **_COUNTED}
    total = Sum(H(k) / (_w + _c * k) ** 3, (k, 1, _N))
    factor = 1 / (2 * _c * _w * (_w - _c))
    grown, gain = log(_HERE) - log(_w), 1 / (_N + 1)
    claimed = le(total + H(_N) / (2 * _c * _HERE**2), factor * (H(_N) - grown))
    slower = rules.follows(
        le(log(_HERE + _c) - log(_HERE), _c / _HERE),
        [quotient(_HERE + _c, _HERE, over), facts.logarithm_below_tangent((_HERE + _c) / _HERE)],
    )
    paid = le(gain / (2 * _c * _HERE**2), factor * (gain - _c / _HERE))
    premises = [
        *harmonic_numbers(given, _N),
        harmonic_is_positive(given, _N),
        _falling_tail(given),
        rules.follows(paid, under=[_c < _w]),
        slower,
    ]
    return sums.by_recursion(claimed, _N, premises=premises, under=[_c < _w])


def _falling_tail(given: Given) -> Theorem:
    """H(N + 1) times 1/(w + c(N + 1))³ and the tail from there is at most H(N + 1) times the tail.

    The tail from x on is 1/(2cx²).
    """
    height, there = H(_N + 1), _HERE + _c
    less = height * (1 / there**3 + 1 / (2 * _c * there**2))
    positive = harmonic_is_positive(given, _N).at({_N: _N + 1})
    return rules.follows(le(less, height / (2 * _c * _HERE**2)), [positive])


_step, _x, _y, _j = symbols("step x y j", positive=True)


def _falling_quotient() -> Theorem:
    """j/y³ ≤ (1/c²)(1/x - 1/y) = 1/(cxy) for y = x + c and cj ≤ y."""
    over = dict.fromkeys((_step, _x, _y, _j), Interval.open(0, oo))
    known = [eq(_y, _x + _step), le(_step * _j, _y)]
    difference, middle = (1 / _x - 1 / _y) / _step**2, 1 / (_step * _x * _y)
    product = rules.follows(le(_j * _step * _x, _y**2), under=known)
    parts = [
        rules.follows(le(_j / _y**3, middle), [product], under=known),
        rules.follows(eq(difference, middle), over=over, under=known[:1]),
    ]
    return rules.follows(le(_j / _y**3, difference), parts, under=known)


def weighted_by_the_layer() -> Theorem:
    """Σ k/(w + ck)³ ≤ 1/(c²w), as k/(w + ck)³ ≤ (1/c²)(1/(w + c(k - 1)) - 1/(w + ck))."""
    total = Sum(k / (_w + _c * k) ** 3, (k, 1, _N))
    claimed = le(total + 1 / (_c**2 * _HERE), 1 / (_c**2 * _w))
    at = {_step: _c, _x: _HERE, _y: _HERE + _c, _j: _N + 1}
    falls = _falling_quotient().at(at)
    met = [rules.follows(one) for one in falls.conditions]
    falls = rules.follows(falls.statement, [falls, *met])
    return sums.by_recursion(claimed, _N, premises=[falls])


def _both_terms(given: Given) -> Theorem:
    """The sum is at most (W/(2cw(w - c)))(H_N - log(1 + cN/w)) + Δ/(c²w), N = l - 1."""
    over = {**_NUMBERS, **{x: given.domain[x] for x in (W_start, DELTA)}}
    counted = {**over, **_COUNTED}
    weighted, plain = weighted_by_harmonic_numbers(given), weighted_by_the_layer()
    (first,), (second,) = (one.statement.atoms(Sum) for one in (weighted, plain))
    mixed = (W_start * H(k) + DELTA * k) / (_w + _c * k) ** 3
    apart = eq(Sum(mixed, (k, 1, _N)), W_start * first + DELTA * second)
    gained = H(_N) - log(_HERE) + log(_w)
    claimed = W_start * gained / (2 * _c * _w * (_w - _c)) + DELTA / (_c**2 * _w)
    positive = harmonic_is_positive(given, _N)
    smaller = [
        rules.follows(one, [known, positive], over=counted, under=[_c < _w])
        for one, known in (
            (le(first, gained / (2 * _c * _w * (_w - _c))), weighted),
            (le(second, 1 / (_c**2 * _w)), plain),
        )
    ]
    return rules.follows(
        le(apart.lhs, claimed), [sums.by_recursion(apart, _N, over=over), *smaller], under=[_c < _w]
    )


def _gained(given: Given, over: Any) -> Theorem:
    """H_N - log(1 + cN/w) ≤ 1 + log(w/c), as H_N ≤ 1 + log N and N/(w + cN) ≤ 1/c."""
    last, reach = l - 1, _w + _c * (l - 1)
    known = [
        harmonic_below_logarithm(given).at({_N: l - 2}, over={l: over[l]}),
        quotient(_w, _c, _NUMBERS),
        facts.logarithm_of_product(_c, last, over=over),
        facts.logarithm_increases(_c * last, reach, over=over),
    ]
    return rules.follows(le(H(last) - log(reach) + log(_w), 1 + log(_w / _c)), known)


@COSINES.proved()
def sum_by_parts(given: Given) -> Theorem:
    """Both sums at c = 4Δ/(3π), which is less than w₁, and the logarithms of what is left."""
    over = {**_NUMBERS, **{x: given.domain[x] for x in (W_start, DELTA, l)}}
    total = _both_terms(given).at({_N: l - 1}, over=over)
    gained = _gained(given, {**_NUMBERS, l: over[l]})
    front, rest = W_start / (2 * _c * _w * (_w - _c)), DELTA / (_c**2 * _w)
    claimed = le(total.statement.lhs, front * (1 + log(_w / _c)) + rest)
    letters = rules.follows(claimed, [total, gained], under=[_c < _w])
    at = {_w: _W, _c: _SLOWEST}
    found = letters.at(at, over={_W: given.domain[_W], DELTA: over[DELTA]})
    return given.follows(found, rules.decided(ge(pi, 3)), goal=as_it_stands(COSINES))


SHALLOW = claim(
    "eoc.thm28.cosines.uniform",
    at=_PROOF,
    title="The errors of cosines and slopes add up to a multiple of l log l, whatever Δ is",
    states={
        "cosines": le(
            _over_layers(_error_of_cosine(_SLOWEST)),
            (l - 1) * (W_start * H(l - 1) / _W**3 + 3 * pi / (4 * _W**2)),
        ),
        "slopes": le(
            _over_layers(k * DELTA * (W_start * H(k) + DELTA * k) / (_W + _SLOWEST * k) ** 2),
            (l - 1) * (3 * pi / 4 * W_start * H(l - 1) / _W + (3 * pi / 4) ** 2),
        ),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SHALLOW.proved("cosines", "slopes")
def term_by_term(given: Given) -> Theorem:
    """Δk/(w₁ + ck) ≤ s = 3π/4, and H_k ≤ H_{l-1}; with A = W H_k, B = Δk and y = w₁ + ck ≥ w₁."""
    over = {x: given.domain[x] for x in (W_start, DELTA, _W)}
    counted = {**over, **_COUNTED}
    goal, share, last = as_it_stands(SHALLOW, given.part), 3 * pi / 4, _N + 1
    A, B, y = W_start * H(last), DELTA * last, _W + _SLOWEST * last
    single = {
        "cosines": le((A + B) / y**3, A / _W**3 + share / _W**2),
        "slopes": le(B * (A + B) / y**2, share * A / _W + share**2),
    }[given.part]
    first, step = harmonic_numbers(given, _N)
    positive = harmonic_is_positive(given, _N).at({_N: last})
    term = rules.follows(single, [positive], over=counted)
    total = Sum(goal.lhs.args[0], (k, 1, _N))
    before, after = ((goal.rhs / (l - 1)).xreplace({H(l - 1): H(one)}) for one in (_N, last))
    larger = rules.follows(le(_N * before, _N * after), [step], over=counted)
    known = sums.by_recursion(le(total, _N * before), _N, premises=[term, larger, first])
    return given.follows(known.at({_N: l - 1}, over={l: given.domain[l]}), goal=goal)


_SLACK = "true as well: the sum, as it is computed, is at least 1.1 times the other side"

BEST = claim(
    "eoc.thm28.cosines.best",
    at=_PROOF,
    title="Errors of one sign attain the order log(1/Δ)/Δ of the sum",
    states=sentence(
        r"\log\tfrac{w_k}{\omega(w_{k-1})} = \tfrac{$nu}{k-$passed} \text{ for all } k \le l,"
        r"\ l - $inputs = \lceil $Delta_phi^{-$depth}\rceil,\ $w_1_input = $start,"
        r"\ $Delta_phi \le $largest"
        r" \implies \sum_{k=2}^{l}|\rho_k - \tilde\rho_k| \ge $share\,$nu\,$Delta_phi^{-$order}"
        r"\log$Delta_phi^{-$inside}",
        passed=1,
        inputs=1,
        depth=1,
        start=sqrt(2),
        largest=Rational(1, 2),
        share=1,
        order=1,
        inside=1,
    ),
    given={DELTA: _ABOVE_ZERO},
    assuming=[SMALL_NU],
    rests_on=[COSINES],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        **dict.fromkeys(("start", "largest"), "the order is attained from any start and for any range of Δ"),
        "inputs: 1 -> 101/100": "true as well: no depth l is an integer and this number, so that"
        " nothing is said",
        **dict.fromkeys(
            ("inputs: 1 -> 2", "depth: 1 -> 2"), "true as well: the sum has the same terms and more"
        ),
        **dict.fromkeys(
            ("share: 1 -> 0", "order: 1 -> 0", "inside: 1 -> 0"), "true as well: the right side is smaller"
        ),
        **{
            f"{slot}: 1 -> {near}": _SLACK
            for slot in ("share", "order", "inside", "passed", "depth")
            for near in ("99/100", "101/100")
        },
        "domain of l": "true as well: the depth is given, and nothing is said of others",
        "domain of nu": "true as well: the right side is negative",
        "domain of Delta_phi: with 0": "true as well: no depth is that, so that nothing is said",
        "domain of Delta_phi: up to 101/100": "true as well: nothing is said above 1/2",
        "domain of w_1_input": "true as well: the start is given, and nothing is said of others",
    },
)


@BEST.tested(over=st.one_of(st.just(0.5), st.floats(0.002, 0.5)), cases=40, uses=[SMALL_NU])
def sums_of_errors(
    case: float,
    passed: Any,
    inputs: Any,
    depth: Any,
    start: Any,
    largest: Any,
    share: Any,
    order: Any,
    inside: Any,
) -> Measured:
    """The claimed lower bound over the sum, for errors as large as Proposition 25 allows."""
    delta = case * 2 * float(largest)
    last = int(np.ceil(delta ** -float(depth)) + float(inputs))
    size = 0.1 / float(np.sum(1 / np.arange(1, last)))
    noisy = exact = float(start)
    total = 0.0
    for layer in range(2, last + 1):
        noisy = float(numeric_omega(noisy, delta)) * float(np.exp(size / (layer - passed)))
        exact = float(numeric_omega(exact, delta))
        total += abs(2 / noisy**2 - 2 / exact**2)
    claimed = float(share) * size * delta ** -float(order) * np.log(delta ** -float(inside))
    return Measured(claimed / total, 1e-9)
