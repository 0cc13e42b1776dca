"""Lemma 2, proof: the derivatives of the weights and of their covariance, and the printed bound 8.

DM[Δ] is the third cumulant of the tokens. The printed way to its norm loses a factor 10.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Abs, Expr, Function, Interval, Rational, Symbol, sqrt

from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Given, Obligations, claims_in, eq, le, rules
from theorems.engine.rules import E, Theorem, facts, norm
from theorems.shallow_transformer import head_letters as its
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.directions import (
    derivative_of_the_covariance,
    half_of_the_spread,
    two_squares,
)
from theorems.shallow_transformer.head_balls import Point, of_head
from theorems.shallow_transformer.head_premises import (
    drawn_token,
    moved_mean,
    named,
    stands_for,
    what_is_assumed,
)
from theorems.shallow_transformer.heads import HEADS, SampledHead
from theorems.shallow_transformer.hypotheses import INPUTS, TOKENS
from theorems.shallow_transformer.letters import LETTERS, T
from theorems.shallow_transformer.pooled_letters import pooled, tokens
from theorems.shallow_transformer.pooling import MEAN as MEAN_TOKEN
from theorems.shallow_transformer.premises import spoken, stated
from theorems.shallow_transformer.token_letters import mean, pooling_weight, r, t, total
from theorems.shallow_transformer.token_sums import (
    added,
    normalised,
    positive,
    ranges_of,
    taken_apart,
    termwise,
)

__all__ = ["COVARIANCE", "COVARIANCE_SHARP", "DERIVATIVE", "SPREAD", "WEIGHTS"]

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/st_smoothness.md#the-third-cumulant"
_UNIT = Interval(0, 1)
_SLOPES = mean(its.token_slope(r), r, pooling_weight)
_DEVIATION = mean(Abs(its.token_slope(t) - _SLOPES), t, pooling_weight)

WEIGHTS = claim(
    "st.lem2.weights",
    at="Lemma 2, proof",
    title="How fast the softmax weights change",
    states={
        "formula": eq(of.weights_change, _DEVIATION),
        "bound": le(of.weights_change, 2 * of.Delta_size),
    },
    given=[of.weights_change, of.Delta_size, T, *spoken(*INPUTS)],
    assuming=INPUTS,
    rests_on=["st.lem2.weights.sharp", "st.lem1.da"],
    note=_NOTE,
)


@WEIGHTS.proved("formula")
def sizes_of_the_entries(given: Given) -> Theorem:
    """(Dα)_t = α_t(s_t − s̄), and α_t > 0."""
    entry = Function("entry", real=True)
    centred = its.token_slope(t) - _SLOPES
    changes = stands_for(
        "the derivative of a weight (st.lem1.da)", eq(entry(t), pooling_weight(t, T) * centred)
    )
    norm = stands_for("the norm of the derivative", eq(of.weights_change, total(Abs(entry(t)))))
    size = eq(Abs(entry(t)), pooling_weight(t, T) * Abs(centred))
    signs = positive(pooling_weight)  # type: ignore[arg-type]
    each = termwise(size, [changes, signs])
    return given.follows(added(each), norm, goal=stated(WEIGHTS, "formula"))


@WEIGHTS.proved("bound")
def twice_the_best(given: Given) -> Theorem:
    """2‖Δ‖ is twice the best bound."""
    return given.follows(given.fact("st.lem2.weights.sharp", "bound"))


@WEIGHTS.tested("bound", over=HEADS)
def weights_of_heads(head: SampledHead) -> Point:
    """Along Δ with Δq = U: Σ α_t|s_t − s̄| and 2|U|."""
    return of_head(WEIGHTS, head)


WEIGHTS_SHARP = WEIGHTS.sharpened(
    "st.lem2.weights.sharp",
    title="Best bound for the change of the weights",
    states={
        "bound": le(of.weights_change, of.Delta_size),
        "attained by two tokens": eq(its.sign_spread(0), 1),
    },
    given=[of.weights_change, of.Delta_size, *spoken(*INPUTS)],
    assuming=INPUTS,
    rests_on=["st.lem1.da"],
    note=_NOTE,
)


@WEIGHTS_SHARP.proved("bound")
def mean_absolute_deviation(given: Given) -> Theorem:
    """For Y = s/‖Δ‖ in [−1, 1] of mean μ: E|Y − μ| ≤ E(1 − μY) = 1 − μ² ≤ 1."""
    y, centre = Symbol("atom", real=True), its.centre
    there = {y: Interval(-1, 1), **ranges_of(centre)}
    chord = rules.follows(le(Abs(y - centre), 1 - centre * y), over=there)
    averaged = facts.expected(chord, y, its.drawn)
    meaning = stands_for(
        "the change of the weights, by a drawn token (st.lem1.da)",
        eq(centre, E(its.drawn)),
        eq(of.weights_change, of.Delta_size * E(Abs(its.drawn - centre))),
    )
    goal = stated(WEIGHTS_SHARP, "bound")
    return given.follows(averaged, drawn_token(given), meaning, goal=goal)


@WEIGHTS_SHARP.proved("attained by two tokens")
def two_equal_weights(given: Given) -> Theorem:
    """Tokens e and −e with weights 1/2, Δq = e."""
    return given.decided()


@WEIGHTS_SHARP.tested("bound", over=HEADS)
def weights_over_the_best(head: SampledHead) -> Point:
    """Along Δ with Δq = U: Σ α_t|s_t − s̄| and |U|."""
    return of_head(WEIGHTS_SHARP, head)


_X, _Y, _S = its.drawn_x, its.drawn_y, its.drawn_slope

DERIVATIVE = claim(
    "st.lem2.third",
    at="Lemma 2, proof",
    title="The derivative of the covariance is a third cumulant",
    states=eq(its.M_entry, E((_S - E(_S)) * (_X - E(_X)) * (_Y - E(_Y)))),
    given=[its.M_entry, _X, _Y, _S],
    rests_on=["st.lem1.da"],
    note=_NOTE,
)


@DERIVATIVE.proved()
def product_rule(given: Given) -> Theorem:
    """d/dt E f = E fs − E f E s for every f; for M_{xy} = E xy − E x E y, any two coordinates."""
    found = [moved_mean(*one) for one in (("xy", _X * _Y), ("x", _X), ("y", _Y))]
    product, first, second = (rate for rate, _ in found)
    moved = product - (first * E(_Y) + E(_X) * second)
    rule = named("product rule for E xy - E x E y", eq(its.M_entry, moved))
    return given.follows(rule, *(one for _, one in found), goal=stated(DERIVATIVE))


SPREAD = claim(
    "st.lem2.spread",
    at="Lemma 2, proof",
    title="From the weights to the covariance",
    states=[
        le(of.M_change, its.weighted_spread),
        le(its.weighted_spread, 4 * of.weights_change),
    ],
    given=[of.M_change, its.weighted_spread, of.weights_change, *spoken(TOKENS)],
    assuming=[TOKENS],
    rests_on=[DERIVATIVE, MEAN_TOKEN],
    note=_NOTE,
)


@SPREAD.proved()
def diameter(given: Given) -> Theorem:
    """‖xxᵀ‖_F = |x|² and |X_t − a| ≤ |X_t| + |a| ≤ 2, for the tokens one by one."""
    size, apart = (Function(one, nonnegative=True) for one in ("size", "apart"))
    lengths = stands_for(
        "the length of the mean, and the distance of a token from it",
        eq(of.a_size, norm(pooled)),
        eq(apart(t), norm(tokens(t) - pooled)),
    )
    ball = what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1))
    far = facts.triangle(tokens(t), -pooled, over=ranges_of(t))
    near = termwise(le(apart(t), 2), [ball, lengths, far, given.fact(MEAN_TOKEN, "bound")])
    sums = added(termwise(le(size(t) * apart(t) ** 2, 4 * size(t)), [near]))
    meaning = stands_for(
        "the sums over tokens",
        eq(its.weighted_spread, total(size(t) * apart(t) ** 2)),
        eq(of.weights_change, total(size(t))),
    )
    norms = derivative_of_the_covariance(size, apart)
    return given.follows(sums, *taken_apart(sums), meaning, norms, goal=stated(SPREAD))


@SPREAD.tested(over=HEADS)
def covariances_over_four(head: SampledHead) -> Point:
    """‖DM[Δ]‖_F, the weighted squares and 4‖Dα[Δ]‖₁ along Δ with Δq = U."""
    return of_head(SPREAD, head)


SPREAD_SHARP = SPREAD.sharpened(
    "st.lem2.spread.sharp",
    title="Best factor from the weights to the covariance",
    states={
        "bound": le(of.M_change, 2 * of.weights_change),
        "approached by two tokens, as the mean x tends to 1": eq(
            -its.sign_third(of.x), 2 * of.x * its.sign_spread(of.x)
        ),
    },
    given=[of.M_change, of.weights_change, of.x, *spoken(TOKENS)],
    assuming=[TOKENS],
    rests_on=[DERIVATIVE, MEAN_TOKEN],
    note=_NOTE,
)


@SPREAD_SHARP.proved("bound")
def difference_of_two_squares(given: Given) -> Theorem:
    """Σ(Dα)_t = 0, so that DM is at most half of Σ|(Dα)_t| times a difference zzᵀ − wwᵀ.

    Here z + a and w + a are tokens, and the norm of the difference is at most 4.
    """
    entry, size = Function("entry", real=True), Function("size", nonnegative=True)
    centred = its.token_slope(t) - _SLOPES
    changes = added(
        stands_for(
            "the derivative of a weight (st.lem1.da)", eq(entry(t), pooling_weight(t, T) * centred)
        )
    )
    weights = normalised(pooling_weight)  # type: ignore[arg-type]
    none = termwise(eq(total(entry(t)), 0), [changes, *taken_apart(changes), weights])
    spread = half_of_the_spread(entry, size, none)
    close = two_squares(given, given.fact(MEAN_TOKEN, "bound"))
    whole = stands_for("the norm of the derivative", eq(of.weights_change, total(size(t))))
    return given.follows(spread, close, whole, goal=stated(SPREAD_SHARP, "bound"))


@SPREAD_SHARP.proved("approached by two tokens, as the mean x tends to 1")
def two_tokens_of_unequal_weight(given: Given) -> Theorem:
    """Tokens 1 and −1 with mean x: the quotient is 2x."""
    return given.decided()


@SPREAD_SHARP.tested("bound", over=HEADS)
def covariances_over_two(head: SampledHead) -> Point:
    """‖DM[Δ]‖_F and 2‖Dα[Δ]‖₁ along Δ with Δq = U."""
    return of_head(SPREAD_SHARP, head)


COVARIANCE = claim(
    "st.lem2.eight",
    at="Lemma 2, proof",
    title="The printed bound for the derivative of the covariance",
    states=le(of.M_change, 8 * of.Delta_size),
    given=[of.M_change, of.Delta_size, *spoken(*INPUTS)],
    assuming=INPUTS,
    rests_on=[SPREAD, WEIGHTS],
    note=_NOTE,
)


@COVARIANCE.proved()
def four_times_two(given: Given) -> Theorem:
    """4‖Dα‖₁ ≤ 4 · 2‖Δ‖_F."""
    return given.follows(given.fact(SPREAD), given.fact(WEIGHTS, "bound"))


@COVARIANCE.tested(over=HEADS)
def covariances_over_eight(head: SampledHead) -> Point:
    """‖DM[Δ]‖_F and 8|U| along Δ with Δq = U."""
    return of_head(COVARIANCE, head)


_LARGEST = 4 / (3 * sqrt(3))

COVARIANCE_SHARP = COVARIANCE.sharpened(
    "st.lem2.eight.sharp",
    title="The largest derivative of the covariance",
    states={
        "bound": le(of.M_change, _LARGEST * of.Delta_size),
        "attained by two tokens": eq(-its.sign_third(1 / sqrt(3)), _LARGEST),
    },
    given=[of.M_change, of.Delta_size, *spoken(*INPUTS)],
    assuming=INPUTS,
    rests_on=[DERIVATIVE],
    note=_NOTE,
)
_K, _G, _E = sp.symbols("k g e", nonnegative=True)


def _limit(given: Given) -> Any:
    """(1 − k²)²(n² + q²) must be at most this: four times the square of the constant."""
    return 4 * given.goal.rhs.coeff(of.Delta_size) ** 2


@COVARIANCE_SHARP.argued(
    "bound",
    bridge="DM in a direction N is at most E|Q - EQ| for the form Q of N at X - a, which is split"
    " into the tokens where Q is above its mean and the others.",
    uses=INPUTS,
)
def an_event() -> Obligations:
    """⟨N, DM[Δ]⟩ = ⟨v, E(Q − EQ)X⟩ ≤ E|Q − EQ| for Q = (X − a)ᵀN(X − a), v = Δq, |v| ≤ ‖Δ‖_F.

    That is 2p(1 − p) times the difference of E(Q | F) and E(Q | not F), F = {Q ≥ EQ}, p = P(F),
    which is ⟨N, C₁ − C₀ + (1 − 2p)hhᵀ⟩ with the conditional covariances and h the difference of
    the conditional means e and g. So E|Q − EQ| ≤ 2p(1 − p)‖C₁ − C₀ + (1 − 2p)hhᵀ‖_F if ‖N‖_F = 1.
    """
    p = sp.Symbol("p", positive=True)
    e, g = sp.symbols("e1:3", real=True), sp.symbols("g1:3", real=True)
    inside, outside = sp.symbols("c_1 c_0", real=True)  # entries of C₁ and C₀
    a = [p * one + (1 - p) * other for one, other in zip(e, g, strict=True)]

    def second(covariance: Any, m: Any) -> Any:
        return covariance + (m[0] - a[0]) * (m[1] - a[1])

    h = [one - other for one, other in zip(e, g, strict=True)]
    form = inside - outside + (1 - 2 * p) * h[0] * h[1]
    yield "entry", equal(second(inside, e) - second(outside, g), form)


@COVARIANCE_SHARP.argued(
    "bound",
    bridge="For k at most 1/2 the squares of both traces are at most a convex function of g²,"
    " and so are largest at g = 0 or g = 1.",
)
def up_to_one_half(given: Given) -> Obligations:
    """k = 1 − 2p ≥ 0 (else F and its complement swap names); 2p(1 − p) = (1 − k²)/2.

    ‖P − N‖_F² ≤ (tr P)² + (tr N)² for P, N ⪰ 0; tr C₁ ≤ 1 − e², tr C₀ ≤ 1 − g², |h| ≤ e + g for
    e and g the lengths. With n = 1 − e² + k(e + g)² and q = 1 − g²: (1 − k²)²(n² + q²) ≤ 64/27.
    For k ≤ 1/2, n ≤ 1 + kg²/(1 − k), so n² + q² is convex in g²: at most max(2, 1/(1 − k)²).
    """
    yield "2p(1 − p)", equal((1 - (1 - 2 * _G) ** 2) / 2, 2 * _G * (1 - _G))
    half = {_K: Interval(0, Rational(1, 2))}
    yield "largest n", equal(*_largest_n(), half)
    limit = _limit(given)
    yield "g = 0", nonnegative(limit - 2 * (1 - _K**2) ** 2, half)
    yield "g = 1", nonnegative(limit - (1 + _K) ** 2, half)


_N = 1 - _E**2 + _K * (_E + _G) ** 2


def _largest_n() -> tuple[Expr, Expr]:
    """1 + kg²/(1 − k) exceeds n by a square."""
    gap = 1 + _K * _G**2 / (1 - _K) - _N
    return gap, (1 - _K) * (_E - _K * _G / (1 - _K)) ** 2


@COVARIANCE_SHARP.argued(
    "bound",
    bridge="For k at least 1/2 the same holds up to g = (1 - k)/k, and beyond it n increases in e.",
)
def from_one_half(given: Given) -> Obligations:
    """k ≥ 1/2: n² + q² ≤ 16k², and (1 − k²)²·16k² ≤ 64/27.

    For g ≤ (1 − k)/k as before, now up to that end; for larger g, n ≤ k(1 + g)² as n increases in
    e on [0, 1], and (1 + g)²(k²(1 + g)² + (1 − g)²) ≤ 4·4k².
    """
    upper = {_K: Interval(Rational(1, 2), 1)}
    yield "largest n", equal(*_largest_n(), {_K: Interval.Ropen(Rational(1, 2), 1)})
    end = (1 - _K) / _K
    n, q = 1 + _K * end**2 / (1 - _K), 1 - end**2
    yield "g = 0", nonnegative(16 * _K**2 - 2, upper)
    yield "g = (1 − k)/k", nonnegative(16 * _K**2 - sp.cancel(n**2 + q**2), upper)
    yield "n increases", equal(_N.diff(_E), 2 * _K * _G - 2 * (1 - _K) * _E)
    g = end + sp.Symbol("t", nonnegative=True) * (1 - end)
    box = {**upper, sp.Symbol("t", nonnegative=True): _UNIT}
    bracket = 4 * _K**2 - (_K**2 * (1 + g) ** 2 + (1 - g) ** 2)
    yield "larger g", nonnegative(sp.cancel(bracket), box)
    s = sp.Symbol("s", nonnegative=True)  # k²
    cubic = _limit(given) - 16 * s * (1 - s) ** 2
    for part in (Interval(0, Rational(1, 3)), Interval(Rational(1, 3), 1)):
        yield f"16s(1 − s)² on {part}", nonnegative(cubic, {s: part})


@COVARIANCE_SHARP.proved("attained by two tokens")
def two_tokens(given: Given) -> Theorem:
    """Tokens 1 and −1 with mean x = 1/√3: E S³ = −2x(1 − x²)."""
    return given.decided()


@COVARIANCE_SHARP.tested("bound", over=HEADS)
def covariances_over_the_best(head: SampledHead) -> Point:
    """‖DM[Δ]‖_F and 4|U|/(3√3) along Δ with Δq = U."""
    return of_head(COVARIANCE_SHARP, head)
