"""Recursions from layer to layer: norms of backpropagation matrices, radii of steps, iterates of ω.

Layers are counted from the first one on, as in B_{k₁,k₁+n}, where n is k₂ - k₁ at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import sympy as sp
from sympy import Abs, Expr, Function, Range, Rational, Sum, Symbol, exp, log, oo, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, Obligations, eq, ge, le, rules
from theorems.engine.rules import Theorem, facts, sums
from theorems.eoc_mlp.hypotheses import EVENT_10, EVENT_11_12
from theorems.eoc_mlp.letters import (
    DELTA,
    L,
    beta_radius,
    epsilon,
    k,
    k1,
    kappa,
    m,
    norm_kk,
    omega,
    omega_iterate,
    w_1_input,
    w_tilde,
)
from theorems.eoc_mlp.premises.logarithms import successor

layers = Symbol("n", integer=True, nonnegative=True)
half = Symbol("half", nonnegative=True)
_i = Symbol("i", integer=True, nonnegative=True)
frobenius, operator = (Function(name, nonnegative=True) for name in ("frobenius", "operator"))
_RADII = {epsilon: sp.Interval(0, sp.oo), k1: Range(2, sp.oo)}

# One layer of index j, of width M = j²m.
layer = Symbol("j", integer=True, positive=True)
_M, _T, _Y = sp.symbols("M t y", positive=True)
_WIDTH = {_M: layer**2 * m}
OF_A_LAYER = {
    layer: Range(1, sp.oo),
    m: Range(1, sp.oo),
    L: sp.Interval.open(0, sp.oo),
    kappa: sp.Interval(1, sqrt(2)),
}
#: Exponents of the tails of products of slopes and of matrices, Propositions 18 and 19.
_SLOPES = 2 * _M * _T**2 / (2 * kappa**2) ** 2
_PRODUCTS = _M * _T**2 / (6 * kappa**4 + Rational(10, 3) * kappa**2 * _T)
_SPREAD = sqrt(2 * L) * sqrt(kappa**2 + DELTA * (1 - DELTA))
#: By how much Proposition 10 lets an operator norm grow at s²/2 = L.
operator_step = (kappa**2 / sqrt(2 * _M) + _SPREAD / sqrt(_M)).subs(_WIDTH)


def radius_of_products(radius: Any) -> Obligations:
    """Both tails have exponents of at least L at the deviation radius/j.

    L is written my², y > 0, and the exponents are divided by m: a quotient of polynomials in y.
    """
    letters = {x: range_ for x, range_ in OF_A_LAYER.items() if x != L}
    letters[_Y] = sp.Interval.open(0, sp.oo)
    for name, exponent in (("slopes", _SLOPES), ("products", _PRODUCTS)):
        reached = exponent.subs({**_WIDTH, _T: radius / layer}).subs(L, m * _Y**2)
        enough = ge(sp.cancel(reached / m), _Y**2)
        yield f"{name}: the exponent is at least L", decided(enough, letters)


def decided(relation: Any, over: Any) -> bool | None:
    """Whether the solver proves a relation; False where it has a counterexample."""
    try:
        _proved(relation, tuple(over.items()))
    except rules.NotProved as error:
        return False if error.answer == "rejected" else None
    return True


@cache
def _proved(relation: Any, over: tuple[Any, ...]) -> Theorem:
    """Made once for all claims and near variants; what is not proved is asked again."""
    return rules.follows(relation, over=dict(over))


def layers_up_to(last: Any) -> Sum:
    """S(k₁, k₁ + last)."""
    return Sum(1 / (k1 - 1 + _i), (_i, 0, last))


def squared_frobenius_norms(
    given: Given, within: Hypothesis | None = None, radius: Expr = epsilon, frobenius: Any = frobenius
) -> Theorem:
    """‖B‖_F² is within e^{εS} - 1 of 1 for all k₂ ≥ k₁, by induction: |b' - b| ≤ (ε/j) b.

    ``within`` is a hypothesis that more events happen, (11) and (12) among them, for a claim that
    assumes that instead.  ``radius`` is another way to write ε, and ``frobenius`` the norms of the
    matrices of one input.
    """
    event = within or EVENT_11_12
    radii = {k1: _RADII[k1], **dict.fromkeys(radius.free_symbols, _RADII[epsilon])}
    squares, following = frobenius(layers) ** 2, radius / (k1 + layers)
    over, first = {**radii, layers: Range(sp.oo)}, radius / (k1 - 1)
    change = frobenius(layers + 1) ** 2 - squares
    grown = [radius * layers_up_to(last) for last in (0, layers, layers + 1)]
    premises = [
        supposed_at(given, event, lambda e: le(Abs(frobenius(0) ** 2 - 1), e / (k1 - 1)), radius),
        supposed_at(given, event, lambda e: le(Abs(change), e / (k1 + layers) * squares), radius),
        facts.exponential_above_tangent(first, over=radii),
        facts.exponential_above_tangent(following, over=over),
        facts.exponential_of_sum(grown[0], first, 0, over=radii),
        facts.exponential_of_sum(grown[2], grown[1], following, over=over),
    ]
    claimed = le(Abs(squares - 1), exp(grown[1]) - 1)
    return sums.by_recursion(claimed, layers, premises=premises)


def supposed_at(
    given: Given, event: Hypothesis, says: Callable[[Expr], Boolean], radius: Expr = 2 * half
) -> Theorem:
    """What an event says with the radius ε, written with another name for ε: twice its half."""
    there = given.supposed(event, says(epsilon))
    if radius == epsilon:
        return there
    return rules.follows(says(radius), [there, _half_of_radius(given)])


def _half_of_radius(given: Given) -> Theorem:
    return given.meaning("half of the radius", eq(half, epsilon / 2))


def in_the_radius(given: Given, theorem: Theorem) -> Theorem:
    """What was shown in terms of half of ε, in terms of ε."""
    named, spelled = _half_of_radius(given), {half: epsilon / 2}
    known = [theorem, named]
    for one in theorem.statement.atoms(exp):
        before, after = one.args[0], one.args[0].xreplace(spelled)
        same = rules.follows(eq(before, after), [named], over=theorem.over)
        known += [
            same,
            *(
                facts.exponential_increases(*pair, over=same.over)
                for pair in ((before, after), (after, before))
            ),
        ]
    return rules.follows(theorem.statement.xreplace(spelled), known)


def of_layers(given: Given, quantity: Symbol, meaning: Any, least: int = 0) -> Theorem:
    """What a quantity of the layers k₁ to k₂ = k₁ + n stands for, for n of at ``least`` this."""
    return given.meaning(str(quantity), eq(quantity, meaning), over={layers: Range(least, oo)})


def operator_norms(given: Given, one_layer: Theorem) -> Theorem:
    """‖B‖ ≤ κ e^{(β + ε/2)S} S m^(-1/2) for all k₂ ≥ k₁, from the norm at k₁."""
    return in_the_radius(given, norms_in_half(given, one_layer))


def norms_in_half(
    given: Given,
    one_layer: Theorem,
    within: Hypothesis | None = None,
    operator: Any = operator,
    frobenius: Any = frobenius,
) -> Theorem:
    """The same in terms of half of ε, so that the bound e^{εS} of ‖B‖_F² is a square.

    ``within`` is a hypothesis that more events than (10) to (12) happen, as above; ``operator`` and
    ``frobenius`` are the norms of the matrices of one input.
    """
    numbers = {x: given.domain[x] for x in (kappa, beta_radius, m)}
    numbers |= {half: sp.Interval(0, sp.oo), k1: Range(2, sp.oo)}
    over, j = {**numbers, layers: Range(sp.oo)}, k1 + layers
    start, before, after = (layers_up_to(last) for last in (0, layers, layers + 1))

    def bound(total: Any) -> Any:
        return kappa * exp(beta_radius * total + half * total) * total / sqrt(m)

    squares = squared_frobenius_norms(given, within, 2 * half, frobenius)
    grown = (1 + beta_radius / j) * operator(layers) + kappa * frobenius(layers) / (j * sqrt(m))
    premises = [
        layers_are_positive(),
        one_layer.at({norm_kk: Abs(operator(0)), k: k1}, over=numbers),
        given.supposed(within or EVENT_10, le(operator(layers + 1), grown)),
        rules.follows(le(frobenius(layers), exp(half * before)), [squares], over=over),
        facts.exponential_above_tangent(beta_radius * before, over=over),
    ]
    for rate in (beta_radius, half):
        premises += [
            facts.exponential_above_tangent(rate * start, over=numbers),
            facts.exponential_above_tangent(rate / j, over=over),
            facts.exponential_of_sum(rate * after, rate * before, rate / j, over=over),
        ]
    claimed = le(operator(layers), bound(before))
    return sums.by_recursion(claimed, layers, premises=premises)


@cache
def layers_are_positive() -> Theorem:
    """S ≥ 0."""
    return sums.by_recursion(ge(layers_up_to(layers), 0), layers, over={k1: Range(2, sp.oo)})


@cache
def layers_below_logarithm() -> Theorem:
    """S log 2 ≤ log k₂ - log(k₁ - 1), by the chord of the logarithm for each layer."""
    first, start = {k1: Range(2, sp.oo)}, k1 - 1
    last, over = k1 + layers, {**first, layers: Range(sp.oo)}
    claimed = le(layers_up_to(layers) * log(2), log(last) - log(start))
    steps = [*successor(last, over), *successor(start, first)]
    return sums.by_recursion(claimed, layers, premises=steps)


def iterates(given: Given, times: Expr, start: Expr, kink: Expr = DELTA) -> Theorem:
    """An iterate of ω is where it begins, or ω of the iterate before; the share of the kink is ``kink``."""
    here, after = (omega_iterate(one, start, kink) for one in (times, times + 1))
    says = [eq(omega_iterate(0, start, kink), start), eq(after, omega(here, kink))]
    return given.meaning("iterates of a function", sp.And(*says, evaluate=False))


def limit_of_layer(given: Given) -> Theorem:
    """What w̃_k stands for: the iterate of ω that belongs to the layer."""
    return given.meaning("a letter", eq(w_tilde, omega_iterate(k - 1, w_1_input, DELTA)))
