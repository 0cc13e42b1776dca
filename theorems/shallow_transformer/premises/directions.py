"""Derivatives of one head along a direction of its parameters: how large they are at most.

Means under the softmax weights are expectations: a token is drawn with its weight.
"""

from functools import cache
from typing import Any

from sympy import Abs, Expr, Function, Symbol, symbols

from theorems.engine import Given, both, eq, implies, le
from theorems.engine.rules import E, Theorem, Vector, facts, inner, norm, probabilities
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer.analysis.one_head.four_numbers import SIZE, SQUARE
from theorems.shallow_transformer.hypotheses import TOKENS
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.pooled import pooled, tokens
from theorems.shallow_transformer.letters.token import r, s, t, total
from theorems.shallow_transformer.premises.heads import of_a_drawn_token
from theorems.shallow_transformer.premises.named import as_declared
from theorems.shallow_transformer.premises.token_sums import (
    added,
    generalised,
    taken_apart,
)
from theorems.shallow_transformer.premises.tokens import (
    inferred,
    instance,
    largest,
    least,
    stands_for,
    what_is_assumed,
)

#: The matrices (X_t - a)(X_t - a)'.
_SQUARES = vectors("(X - a)(X - a)'")


def _CENTRED(index: Any) -> Any:  # noqa: N802
    """X - a."""
    return tokens(index) - pooled


def along_a_direction(given: Given, size: Symbol, turn: Symbol) -> Theorem:
    """|D²z| ≤ 2|δ|‖Δ‖E|S| + ‖Δ‖²u E|S² − V|, where ‖Δ‖S and ‖Δ‖²V belong to the slopes of logits.

    D²z = 2E A′S‖Δ‖ + E A(S² − V)‖Δ‖² (st.lem2.second), with |A| ≤ |U| and |A′| ≤ |δ|.
    """
    scaled = {its.drawn_slope: turn * its.drawn}
    second = instance(given.fact("st.lem2.second", "cumulants"), scaled)
    centred = its.drawn - its.centre
    means = stands_for(
        "means under the softmax weights",
        eq(its.centre, E(its.drawn)),
        eq(its.square, E(centred**2)),
        eq(its.Y_spread, SIZE),
        eq(its.Y_square, SQUARE),
    )
    linear = _bounded_mean(given, Vector("delta"), its.drawn_change, centred, size)
    squared = _bounded_mean(given, Vector("U"), its.drawn_value, centred**2 - its.square, of.u)
    goal = le(Abs(its.z_second), 2 * size * turn * its.Y_spread + of.u * turn**2 * its.Y_square)
    moved = 2 * turn * E(its.drawn_change * centred) + turn**2 * E(
        its.drawn_value * (centred**2 - its.square)
    )
    sum_ = inferred(eq(its.z_second, moved), second, means)
    return inferred(goal, sum_, means, linear, squared)


def _bounded_mean(
    given: Given, vector: Any, value: Any, deviation: Expr, length: Symbol
) -> Theorem:
    """|E AY| ≤ |v|E|Y| for the inner product A of a vector v with the drawn token."""
    form = inner(vector, tokens(t))
    known = [
        stands_for("the length of a vector", eq(length, norm(vector))),
        what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1)),
        facts.cauchy_schwarz(vector, tokens(t), over=as_declared(t)),
    ]
    surely = of_a_drawn_token(inferred(le(Abs(form), length), *known), {form: value})
    over = as_declared(deviation, length)
    general = probabilities.bounded_factor(value, deviation, length, over=over)
    return inferred(general.statement, general, surely)


def _along_the_derivative(entry: Any, matrix: Any) -> Theorem:
    """‖DM‖_F = ⟨DM, E⟩ for some matrix E of length 1, and sizes of the changes of weights."""
    return stands_for(
        "the derivative, the sum of (D alpha)_t (X_t - a)(X_t - a)' (st.lem2.third), and a matrix E"
        " of length 1 in its direction",
        eq(of.M_change, total(entry(t) * inner(_SQUARES(t), matrix))),
        eq(norm(matrix), 1),
    )


def _squares(one: Symbol, other: Symbol) -> Theorem:
    """⟨xx', yy'⟩ = ⟨x, y⟩² for x and y from the mean to two tokens."""
    product = inner(tokens(one) - pooled, tokens(other) - pooled)
    return stands_for(
        "the matrices xx', by their inner products",
        eq(inner(_SQUARES(one), _SQUARES(other)), product**2),
    )


def derivative_of_the_covariance(size: Any, apart: Any) -> Theorem:
    """‖DM‖_F = ⟨DM, E⟩ for some E of length 1, and |⟨xxᵀ, E⟩| ≤ |x|²."""
    entry, outer, E_ = Function("entry", real=True), _SQUARES(t), Vector("E")
    meaning = _along_the_derivative(entry, E_)
    sizes = stands_for("the size of a change", eq(size(t), Abs(entry(t))))
    square = [_squares(t, t), stands_for("a distance", eq(apart(t), norm(tokens(t) - pooled)))]
    schwarz = facts.cauchy_schwarz(outer, E_, over=as_declared(t))
    form = inferred(le(Abs(inner(outer, E_)), apart(t) ** 2), schwarz, *square, meaning)
    each = inferred(le(entry(t) * inner(outer, E_), size(t) * apart(t) ** 2), form, sizes)
    return inferred(le(of.M_change, total(size(t) * apart(t) ** 2)), added(each), meaning)


def half_of_the_spread(entry: Any, size: Any, none: Theorem) -> Theorem:
    """Σ(Dα)_t f_t ≤ Σ|(Dα)_t|(B − A)/2 for f between A and B, as the changes add up to 0."""
    E_ = Vector("E")
    low, high = symbols("least_form largest_form", real=True)
    f, first, second = (inner(_SQUARES(k), E_) for k in (t, s, r))
    extremes = stands_for(
        "forms of two tokens, those with the extremes", eq(first, high), eq(second, low)
    )
    between = [least("the least form", le(low, f)), largest("the largest form", le(f, high))]
    middle, half = (high + low) / 2, (high - low) / 2
    sizes = stands_for("the size of a change", eq(size(t), Abs(entry(t))))
    each = inferred(le(entry(t) * f, middle * entry(t) + half * size(t)), *between, sizes)
    sums, meaning = added(each), _along_the_derivative(entry, E_)
    schwarz = facts.cauchy_schwarz(_SQUARES(s) - _SQUARES(r), E_, over=as_declared(s, r))
    apart = inferred(le(high - low, norm(_SQUARES(s) - _SQUARES(r))), extremes, schwarz, meaning)
    whole = total(size(t))
    above = inferred(le(of.M_change, half * whole), sums, *taken_apart(sums), meaning, none)
    sign = added(inferred(le(0, size(t)), sizes))
    wide = le(of.M_change, norm(_SQUARES(s) - _SQUARES(r)) / 2 * whole)
    return inferred(wide, above, apart, sign)


def two_squares(given: Given, short: Theorem) -> Theorem:
    """‖zzᵀ − wwᵀ‖_F ≤ 4 for z = X − a and w = X′ − a, where ``short`` says |a| ≤ 1.

    With X = c + He and X′ = c − He, |e| = 1: its square is 8H²(|c − a|² + ⟨c − a, e⟩²).
    """
    z, w = tokens(s) - pooled, tokens(r) - pooled
    gap = norm(_SQUARES(s) - _SQUARES(r))
    square = [_squares(*pair) for pair in ((s, s), (r, r), (s, r))]
    H, g, alpha = symbols("H gamma alpha", real=True)
    c, a = Vector("c across"), Vector("a across")
    k, across = g - alpha, norm(c - a) ** 2
    parts = stands_for(
        "tokens and mean, by a unit vector along the difference of the tokens and parts across it",
        *(eq(inner(z, z), (k + H) ** 2 + across), eq(inner(w, w), (k - H) ** 2 + across)),
        *(eq(inner(z, w), k**2 - H**2 + across), eq(of.a_size**2, alpha**2 + norm(a) ** 2)),
        eq(norm(tokens(s)) ** 2, (g + H) ** 2 + norm(c) ** 2),
        eq(norm(tokens(r)) ** 2, (g - H) ** 2 + norm(c) ** 2),
    )
    ball = what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1))
    inside = [instance(ball, {t: one}) for one in (s, r)]
    shape = inferred(eq(gap**2, 8 * H**2 * (2 * k**2 + across)), *square, parts)
    at = zip(_NUMBERS, (H, g, alpha, norm(c), norm(a), norm(c - a)), strict=True)
    lemma = instance(_flat(), dict(at))
    triangle = facts.triangle(c, -a)
    small = inferred(le(8 * H**2 * (2 * k**2 + across), 16), lemma, *inside, parts, short, triangle)
    return inferred(le(gap, 4), shape, small)


_NUMBERS = symbols("H g alpha p q n", real=True)


@cache
def _flat() -> Theorem:
    """H²(2(γ − α)² + n²) ≤ 2 if (H ± γ)² + p² ≤ 1, α² + q² ≤ 1 and n ≤ p + q.

    2(|γ| + |α|)² + (p + q)² ≤ 2(1 + |γ|)² + 2p², and H²((1 + |γ|)² + p²) ≤ H²(2 − H)² ≤ 1.
    """
    H, g, alpha, p, q, n = _NUMBERS
    x = Abs(g)
    given = both(
        *(le(0, p), le(0, q), le(0, n), le(n, p + q), le(alpha**2 + q**2, 1)),
        *(le((g + H) ** 2 + p**2, 1), le((g - H) ** 2 + p**2, 1)),
    )
    square, largest_square = 2 * (g - alpha) ** 2 + n**2, 2 * (1 + x) ** 2 + 2 * p**2
    sizes = [le(square, largest_square), le(H**2 * largest_square, 2)]
    known = [inferred(implies(given, one)) for one in sizes]
    scaled = inferred(implies(le(p, q), le(H**2 * p, H**2 * q)))
    known += [instance(scaled, {p: square, q: largest_square})]
    goal = implies(given, le(8 * H**2 * square, 16))
    return generalised(goal, known, square, largest_square)
