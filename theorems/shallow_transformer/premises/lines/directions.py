"""Derivatives of one head along a direction of its parameters: how large they are at most.

Means under the softmax weights are expectations: a token is drawn with its weight.
"""

from functools import cache
from typing import Any

from sympy import Abs, Expr, Function, Symbol, symbols

from theorems.engine import Given, both, eq, gt, implies, le, rules
from theorems.engine.rules import E, Theorem, Vector, facts, inner, norm, probabilities
from theorems.shallow_transformer.analysis.one_head.four_numbers import SIZE, SQUARE
from theorems.shallow_transformer.hypotheses import TOKENS
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.pooled import pooled, tokens
from theorems.shallow_transformer.letters.token import r, s, t, total
from theorems.shallow_transformer.premises.heads import of_a_drawn_token
from theorems.shallow_transformer.premises.lines.moved_covariance import (
    SQUARES,
    along_a_matrix,
    squares,
)
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
        facts.cauchy_schwarz(vector, tokens(t)),
    ]
    surely = of_a_drawn_token(inferred(le(Abs(form), length), *known), {form: value})
    over = as_declared(deviation, length)
    general = probabilities.bounded_factor(value, deviation, length, over=over)
    return inferred(general.statement, general, surely)


def derivative_of_the_covariance(given: Given, size: Any, apart: Any) -> Theorem:
    """‖DM‖_F = ⟨DM, E⟩ for some E of length 1, and |⟨xxᵀ, E⟩| ≤ |x|²."""
    entry, outer, E_ = Function("entry", real=True), SQUARES(t), Vector("E")
    meaning = along_a_matrix(given, entry(t), E_)
    sizes = stands_for("the size of a change", eq(size(t), Abs(entry(t))))
    square = [squares(t, t), stands_for("a distance", eq(apart(t), norm(tokens(t) - pooled)))]
    schwarz = facts.cauchy_schwarz(outer, E_)
    form = inferred(le(Abs(inner(outer, E_)), apart(t) ** 2), schwarz, *square, meaning)
    each = inferred(le(entry(t) * inner(outer, E_), size(t) * apart(t) ** 2), form, sizes)
    return inferred(le(of.M_change, total(size(t) * apart(t) ** 2)), added(each), meaning)


def half_of_the_spread(given: Given, entry: Any, size: Any, none: Theorem) -> Theorem:
    """Σ(Dα)_t f_t ≤ Σ|(Dα)_t|(B − A)/2 for f between A and B, as the changes add up to 0."""
    E_ = Vector("E")
    low, high = symbols("least_form largest_form", real=True)
    f, first, second = (inner(SQUARES(k), E_) for k in (t, s, r))
    extremes = stands_for(
        "forms of two tokens, those with the extremes", eq(first, high), eq(second, low)
    )
    between = [least("the least form", le(low, f)), largest("the largest form", le(f, high))]
    middle, half = (high + low) / 2, (high - low) / 2
    sizes = stands_for("the size of a change", eq(size(t), Abs(entry(t))))
    each = inferred(le(entry(t) * f, middle * entry(t) + half * size(t)), *between, sizes)
    sums, meaning = added(each), along_a_matrix(given, entry(t), E_)
    schwarz = facts.cauchy_schwarz(SQUARES(s) - SQUARES(r), E_)
    apart = inferred(le(high - low, norm(SQUARES(s) - SQUARES(r))), extremes, schwarz, meaning)
    whole = total(size(t))
    above = inferred(le(of.M_change, half * whole), sums, *taken_apart(sums), meaning, none)
    sign = added(inferred(le(0, size(t)), sizes))
    wide = le(of.M_change, norm(SQUARES(s) - SQUARES(r)) / 2 * whole)
    return inferred(wide, above, apart, sign)


def two_squares(given: Given, short: Theorem) -> Theorem:
    """‖zzᵀ − wwᵀ‖_F ≤ 4 for z = X − a and w = X′ − a, where ``short`` says |a| ≤ 1.

    With X = c + He and X′ = c − He, |e| = 1: its square is 8H²(|c − a|² + ⟨c − a, e⟩²).
    """
    x, y, a = tokens(s), tokens(r), pooled
    gap, h = norm(SQUARES(s) - SQUARES(r)), Symbol("distance of two tokens", nonnegative=True)
    square = [squares(*pair) for pair in ((s, s), (r, r), (s, r))]
    apart, length = stands_for("distances", eq(h, norm(x - y))), norm((x + y) / 2 - a) ** 2
    lengths = stands_for("the length of the mean", eq(of.a_size, norm(a)))
    ball = what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1))
    inside = [instance(ball, {t: one}) for one in (s, r)]
    product = inner((x + y) / 2 - a, x - y)
    shape = inferred(eq(gap**2, 2 * product**2 + 2 * h**2 * length), *square, apart)
    schwarz = facts.cauchy_schwarz((x + y) / 2 - a, x - y)
    none = inferred(le(gap, 4), shape, schwarz, apart, under=[eq(h, 0)])
    some = [gt(h, 0)]
    at = {Vector("c"): (x + y) / 2, Vector("a"): a, Vector("e"): (x - y) / h, _H: h / 2}
    lemma = instance(_at_a_unit_vector(), at, under=some)
    unit = inferred(eq(norm((x - y) / h), 1), apart, under=some)
    more = inferred(le(gap, 4), shape, lemma, unit, *inside, short, lengths, under=some)
    return rules.cases([none, more], over=as_declared(*more.over))


_H = Symbol("H", nonnegative=True)


@cache
def _at_a_unit_vector() -> Theorem:
    """8H²(⟨c − a, e⟩² + |c − a|²) ≤ 16 for |e| = 1, if c ± He and a are in the unit ball."""
    c, a, e, w = map(Vector, "caew")
    given = [eq(norm(e), 1), le(norm(c + _H * e), 1), le(norm(c - _H * e), 1), le(norm(a), 1)]
    across = norm(w - inner(w, e) * e)
    general = inferred(eq(across**2, norm(w) ** 2 - inner(w, e) ** 2), under=given[:1])
    parts = [instance(general, {w: one}) for one in (c, a, c - a)]
    k = inner(c - a, e)
    numbers = (_H, inner(c, e), inner(a, e), *(across.xreplace({w: one}) for one in (c, a, c - a)))
    lemma = instance(_flat(), dict(zip(_NUMBERS, numbers, strict=True)))
    triangle = facts.triangle(c - inner(c, e) * e, inner(a, e) * e - a)
    H, g, alpha, p, q, n = numbers
    met = [
        inferred(le((g + H) ** 2 + p**2, 1), parts[0], under=given),
        inferred(le((g - H) ** 2 + p**2, 1), parts[0], under=given),
        inferred(le(alpha**2 + q**2, 1), parts[1], under=given),
        inferred(le(n, p + q), triangle),
    ]
    signs = inferred(both(le(0, p), le(0, q), le(0, n)))
    flat = inferred(lemma.statement.args[1], lemma, signs, *met, under=given)
    same = inferred(eq(2 * (g - alpha) ** 2 + n**2, k**2 + norm(c - a) ** 2), parts[2], under=given)
    return inferred(le(8 * H**2 * (k**2 + norm(c - a) ** 2), 16), flat, same, under=given)


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
