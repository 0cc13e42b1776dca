"""Derivatives of one head along a direction of its parameters: how large they are at most.

Means under the softmax weights are expectations: a token is drawn with its weight.
"""

from functools import cache
from typing import Any

from sympy import Abs, Expr, Symbol, symbols

from theorems.engine import Given, both, eq, gt, implies, le, rules
from theorems.engine.rules import E, Theorem, Vector, facts, inner, norm, probabilities
from theorems.shallow_transformer.analysis.one_head.four_numbers import SIZE, SQUARE
from theorems.shallow_transformer.hypotheses import TOKENS
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.pooled import pooled, tokens
from theorems.shallow_transformer.letters.token import r, s, t, total
from theorems.shallow_transformer.premises.heads import of_a_drawn_token
from theorems.shallow_transformer.premises.lines.moved_covariance import SQUARES, along_a_matrix, squares
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.token_sums import added, generalised, taken_apart
from theorems.shallow_transformer.premises.tokens import what_is_assumed


def along_a_direction(given: Given, size: Symbol, turn: Symbol) -> Theorem:
    """|D²z| ≤ 2|δ|‖Δ‖E|S| + ‖Δ‖²u E|S² − V|, where ‖Δ‖S and ‖Δ‖²V belong to the slopes of logits.

    D²z = 2E A′S‖Δ‖ + E A(S² − V)‖Δ‖² (st.lem2.second), with |A| ≤ |U| and |A′| ≤ |δ|.
    """
    scaled = {its.drawn_slope: turn * its.drawn}
    second = ONE_HEAD.substituted(given.fact("st.lem2.second", "cumulants"), scaled)
    centred = its.drawn - its.centre
    means = ONE_HEAD.meaning(
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
    sum_ = ONE_HEAD.follows(second, means, goal=eq(its.z_second, moved))
    return ONE_HEAD.follows(sum_, means, linear, squared, goal=goal)


def _bounded_mean(given: Given, vector: Any, value: Any, deviation: Expr, length: Symbol) -> Theorem:
    """|E AY| ≤ |v|E|Y| for the inner product A of a vector v with the drawn token."""
    form = inner(vector, tokens(t))
    known = [
        ONE_HEAD.meaning("the length of a vector", eq(length, norm(vector))),
        what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1)),
        facts.cauchy_schwarz(vector, tokens(t)),
    ]
    surely = of_a_drawn_token(ONE_HEAD.follows(*known, goal=le(Abs(form), length)), {form: value})
    over = as_declared(deviation, length)
    general = probabilities.bounded_factor(value, deviation, length, over=over)
    return ONE_HEAD.follows(general, surely, goal=general.statement)


def derivative_of_the_covariance(given: Given, entry: Any, apart: Any) -> Theorem:
    """‖DM‖_F = ⟨DM, E⟩ for some E of length 1, and |⟨xxᵀ, E⟩| ≤ |x|²."""
    outer, E_, size = SQUARES(t), Vector("E"), Abs(entry(t))
    meaning = along_a_matrix(given, entry(t), E_)
    square = [squares(t, t), ONE_HEAD.meaning("a distance", eq(apart(t), norm(tokens(t) - pooled)))]
    schwarz = facts.cauchy_schwarz(outer, E_)
    form = ONE_HEAD.follows(schwarz, *square, meaning, goal=le(Abs(inner(outer, E_)), apart(t) ** 2))
    each = ONE_HEAD.follows(form, goal=le(entry(t) * inner(outer, E_), size * apart(t) ** 2))
    return ONE_HEAD.follows(added(each), meaning, goal=le(of.M_change, total(size * apart(t) ** 2)))


def half_of_the_spread(given: Given, entry: Any, none: Theorem) -> Theorem:
    """Σ(Dα)_t f_t ≤ Σ|(Dα)_t|(B − A)/2 for f between A and B, as the changes add up to 0."""
    E_, size = Vector("E"), Abs(entry(t))
    low, high = symbols("least_form largest_form", real=True)
    f, first, second = (inner(SQUARES(k), E_) for k in (t, s, r))
    extremes = ONE_HEAD.meaning(
        "the extremes, at the tokens where they are attained", eq(high, first), eq(low, second)
    )
    between = [
        ONE_HEAD.least("the least form", le(low, f)),
        ONE_HEAD.largest("the largest form", le(f, high)),
    ]
    middle, half = (high + low) / 2, (high - low) / 2
    each = ONE_HEAD.follows(*between, goal=le(entry(t) * f, middle * entry(t) + half * size))
    sums, meaning = added(each), along_a_matrix(given, entry(t), E_)
    schwarz = facts.cauchy_schwarz(SQUARES(s) - SQUARES(r), E_)
    apart = ONE_HEAD.follows(extremes, schwarz, meaning, goal=le(high - low, norm(SQUARES(s) - SQUARES(r))))
    whole = total(size)
    above = ONE_HEAD.follows(sums, *taken_apart(sums), meaning, none, goal=le(of.M_change, half * whole))
    sign = added(ONE_HEAD.follows(goal=le(0, size)))
    wide = le(of.M_change, norm(SQUARES(s) - SQUARES(r)) / 2 * whole)
    return ONE_HEAD.follows(above, apart, sign, goal=wide)


def two_squares(given: Given, short: Theorem) -> Theorem:
    """‖zzᵀ − wwᵀ‖_F ≤ 4 for z = X − a and w = X′ − a, where ``short`` says |a| ≤ 1.

    With X = c + He and X′ = c − He, |e| = 1: its square is 8H²(|c − a|² + ⟨c − a, e⟩²).
    """
    x, y, a = tokens(s), tokens(r), pooled
    gap, h = norm(SQUARES(s) - SQUARES(r)), Symbol("distance of two tokens", nonnegative=True)
    square = [squares(*pair) for pair in ((s, s), (r, r), (s, r))]
    apart, length = ONE_HEAD.meaning("distances", eq(h, norm(x - y))), norm((x + y) / 2 - a) ** 2
    lengths = ONE_HEAD.meaning("the length of the mean", eq(of.a_size, norm(a)))
    ball = what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1))
    inside = [ONE_HEAD.substituted(ball, {t: one}) for one in (s, r)]
    product = inner((x + y) / 2 - a, x - y)
    shape = ONE_HEAD.follows(*square, apart, goal=eq(gap**2, 2 * product**2 + 2 * h**2 * length))
    schwarz = facts.cauchy_schwarz((x + y) / 2 - a, x - y)
    none = ONE_HEAD.follows(shape, schwarz, apart, goal=le(gap, 4), under=[eq(h, 0)])
    some = [gt(h, 0)]
    at = {Vector("c"): (x + y) / 2, Vector("a"): a, Vector("e"): (x - y) / h, _H: h / 2}
    lemma = ONE_HEAD.substituted(_at_a_unit_vector(), at, under=some)
    unit = ONE_HEAD.follows(apart, goal=eq(norm((x - y) / h), 1), under=some)
    more = ONE_HEAD.follows(shape, lemma, unit, *inside, short, lengths, goal=le(gap, 4), under=some)
    return rules.cases([none, more], over=as_declared(*more.over))


_H = Symbol("H", nonnegative=True)


@cache
def _at_a_unit_vector() -> Theorem:
    """8H²(⟨c − a, e⟩² + |c − a|²) ≤ 16 for |e| = 1, if c ± He and a are in the unit ball."""
    c, a, e, w = map(Vector, "caew")
    given = [eq(norm(e), 1), le(norm(c + _H * e), 1), le(norm(c - _H * e), 1), le(norm(a), 1)]
    across = norm(w - inner(w, e) * e)
    general = ONE_HEAD.follows(goal=eq(across**2, norm(w) ** 2 - inner(w, e) ** 2), under=given[:1])
    parts = [ONE_HEAD.substituted(general, {w: one}) for one in (c, a, c - a)]
    k = inner(c - a, e)
    numbers = (_H, inner(c, e), inner(a, e), *(across.xreplace({w: one}) for one in (c, a, c - a)))
    lemma = ONE_HEAD.substituted(_flat(), dict(zip(_NUMBERS, numbers, strict=True)))
    triangle = facts.triangle(c - inner(c, e) * e, inner(a, e) * e - a)
    H, g, alpha, p, q, n = numbers
    met = [
        ONE_HEAD.follows(parts[0], goal=le((g + H) ** 2 + p**2, 1), under=given),
        ONE_HEAD.follows(parts[0], goal=le((g - H) ** 2 + p**2, 1), under=given),
        ONE_HEAD.follows(parts[1], goal=le(alpha**2 + q**2, 1), under=given),
        ONE_HEAD.follows(triangle, goal=le(n, p + q)),
    ]
    signs = ONE_HEAD.follows(goal=both(le(0, p), le(0, q), le(0, n)))
    flat = ONE_HEAD.follows(lemma, signs, *met, goal=lemma.statement.args[1], under=given)
    same = ONE_HEAD.follows(
        parts[2], goal=eq(2 * (g - alpha) ** 2 + n**2, k**2 + norm(c - a) ** 2), under=given
    )
    return ONE_HEAD.follows(flat, same, goal=le(8 * H**2 * (k**2 + norm(c - a) ** 2), 16), under=given)


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
    known = [ONE_HEAD.follows(goal=implies(given, one)) for one in sizes]
    scaled = ONE_HEAD.follows(goal=implies(le(p, q), le(H**2 * p, H**2 * q)))
    known += [ONE_HEAD.substituted(scaled, {p: square, q: largest_square})]
    goal = implies(given, le(8 * H**2 * square, 16))
    return generalised(goal, known, square, largest_square)
