"""Proposition 2: how the Jacobian of the IndRNN grows with the horizon."""

from functools import cache

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Function, Rational, Sum, Symbol, log, sqrt, tanh

from numeric.networks.recurrent import RecurrentParameters, jacobian_in_w
from numeric.networks.transformer import TANH
from symbolic.equality import equal
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Rounded,
    Severity,
    both,
    eq,
    ge,
    gt,
    half_line,
    integers,
    le,
    open_interval,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, facts
from theorems.engine.rules.vocabulary import derivative
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.experiment import input_jacobian, rnn_constant, rnn_loss
from theorems.shallow_transformer.letters.paper import T, claim, growth, m, w
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import letters, what_is_assumed
from theorems.shallow_transformer.recurrent.jacobian import (
    BOUNDED,
    POWER,
    RATIO,
    SYMMETRIC_UNITS,
    named,
    partial_sum,
    same_series,
)
from theorems.shallow_transformer.sampling.run_balls import Point

_NOTE = "proofs_notes/st_recurrent.md"
_EPS = float(np.finfo(float).eps)
_k = Symbol("k", integer=True, nonnegative=True)
_n = Symbol("n_1", integer=True, nonnegative=True)

EQUALITY = claim(
    "st.prop2.equality",
    at="Proposition 2",
    title="The Jacobian is bounded in T if γ + ρ_w/√m ≤ 1/σ₁",
    states=sentence(
        r"$gamma + \frac{$rho_w}{\sqrt{$m}} \le \frac{$one}{$sigma_1} \implies"
        r" $mu_T = O($order)",
        one=1,
        order=Choice("1", 0),
    ),
    given=letters(*(of.gamma, of.rho_w, m, of.sigma_1, of.jacobian_sup), under=[*hyp.ACTIVATION, hyp.TOKENS]),
    assuming=[*hyp.ACTIVATION, hyp.TOKENS],
    note=f"{_NOTE}#equality",
)


@EQUALITY.refuted(severity=Severity.EDGE, controls={"growth_as_T": {"order": 1}})
def linear_piece(one: int, order: int) -> Obligations:
    """σ(s) = s on |s| ≤ 1/2, then ±(1/2 + arctan(|s| − 1/2)): constant states 1/2 at w = 1.

    σ₀ = (1 + π)/2, σ₁ = 1, |σ''| ≤ 3√3/8. With inputs keeping every preactivation at 1/2,
    ∂h_T/∂w = Σ_{k ≤ T−2} w^k/2, which is (T − 1)/2 at w = 1.
    """
    s, half, weight = sp.Symbol("s", real=True), Rational(1, 2), sp.sympify(one)
    outer = half + sp.atan(s - half)
    yield "continuous", outer.subs(s, half) == half
    yield "σ' continuous", sp.diff(outer, s).subs(s, half) == 1
    yield "σ'' continuous", sp.diff(outer, s, 2).subs(s, half) == 0
    yield "σ₁ = 1", equal(1 - 1 / sp.diff(outer, s), -((s - half) ** 2))
    steps, k = sp.symbols("T k", integer=True, positive=True)
    jacobian = sp.summation(half * weight**k, (k, 0, steps - 2))
    yield "inputs of norm at most 1: 1/2, then (1 − w)/2", bool(abs((1 - weight) * half) <= 1)
    yield "unbounded", sp.limit(jacobian / steps**order, steps, sp.oo) == sp.oo


@EQUALITY.refuted(severity=Severity.EDGE, controls={"growth_as_T": {"order": 1}})
def constant_states_of_tanh(one: int, order: int) -> Obligations:
    """tanh at w = 1 with states ε = (2T)^(−1/2): ∂h_T/∂w = ε Σ_{1 ≤ k < T} (w(1 − ε²))^k/w.

    That is of order √T. The inputs artanh ε, then artanh ε − wε, are at most 1.
    """
    steps, n = sp.symbols("T n", positive=True, integer=True)
    weight = sp.sympify(one)
    epsilon = (2 * steps) ** Rational(-1, 2)
    x = weight * (1 - epsilon**2)
    jacobian = epsilon / weight * (x - x**steps) / (1 - x)
    for count in (2, 3, 5):
        value, slope = sp.S.Zero, 1 - epsilon.subs(steps, n) ** 2
        for _ in range(1, count):
            value = slope * (epsilon.subs(steps, n) + weight * value)
        ratio = weight * slope
        closed = epsilon.subs(steps, n) / weight * (ratio - ratio**count) / (1 - ratio)
        yield f"the sum, {count} steps", sp.simplify(value - closed) == 0
    limit = sp.limit(jacobian / sp.sqrt(steps), steps, sp.oo)
    yield "√T times a positive limit", bool(limit > 0)
    yield "unbounded", bool(sp.limit(sp.sqrt(steps) / steps**order, steps, sp.oo) == sp.oo)


_SMALL = (*BOUNDED, hyp.BOUNDED_RECURRENCE)

STRICT = EQUALITY.corrected(
    "st.prop2.strict",
    title="The Jacobian is bounded in T if γ + ρ_w/√m < 1/σ₁",
    states=le(of.w_jacobian, of.sigma_0 * of.sigma_1 / (1 - growth)),
    given={
        **letters(of.w_jacobian, of.sigma_0, of.sigma_1, growth, under=_SMALL),
        growth: open_interval(0, 1),
    },
    assuming=_SMALL,
    rests_on=["st.prop2.jacobian"],
    note=f"{_NOTE}#equality",
)


@STRICT.proved()
def sum_the_series(given: Given) -> Theorem:
    """(1 − r)Σ r^k = 1 − r^(T−1) ≤ 1 for the ratio r = σ₁|w| ≤ x."""
    small = what_is_assumed(given, hyp.BOUNDED_RECURRENCE, le(RATIO, growth))
    series = Sum(POWER(_k), (_k, 0, T - 2))
    at = NETWORKS.substituted(partial_sum(), {_n: T - 1})
    ranges = {**in_networks(growth, T, of.sigma_1, w, series), growth: open_interval(0, 1)}
    short = rules.follows(le(series, 1 / (1 - growth)), [at, small], over=ranges)
    return given.concluded(given.fact("st.prop2.jacobian", "sum"), same_series(), short)


_TANH = (hyp.HYPERBOLIC_TANGENT, hyp.TOKENS)

GROWTH = claim(
    "st.prop2.growth",
    at="Proposition 2",
    title="The Jacobian grows exponentially in T if γ + ρ_w/√m > 1/σ₁",
    states=ge(input_jacobian, w ** (T - 2) / (1 + w)),
    given={w: half_line(1, closed=False), T: integers(2)},
    assuming=_TANH,
    note=f"{_NOTE}#growth",
)


_x, _y = sp.symbols("recurrent_weight value", real=True)
_z, _slope, _change, _input, _power = (
    Function(name, real=True)
    for name in ("preactivation", "slope", "derivative of the state", "input", "power of w")
)
_STEEP = {w: half_line(1, closed=False)}
#: artanh(1/(1 + w)).
_ARTANH = log(1 + 2 / w) / 2


@cache
def _chain_rule() -> Theorem:
    """The derivatives of the states tanh z_n by the recurrent weight x, by induction over n.

    ż_{n+1} = tanh z_n + x(1 − tanh² z_n)ż_n for z_{n+1} = U·X_{n+1} + x tanh z_n.
    """
    law, state = derivative(_slope(_n, _x), _z(_n, _x), _x, sp.Reals), tanh(_z(_n, _x))
    steps = NETWORKS.meaning(
        "preactivations of a unit, and numbers by a recursion",
        eq(_z(0, _x), _input(0)),
        eq(_z(_n + 1, _x), _input(_n + 1) + _x * state),
        eq(_slope(0, _x), 0),
        eq(_slope(_n + 1, _x), state + _x * (1 - state**2) * _slope(_n, _x)),
    )
    first = rules.differentiated(_input(0), _x, sp.Reals)
    begun = named(first, _slope(0, _x), _z(0, _x), NETWORKS.substituted(steps, {_n: 0}))
    supposed = rules.follows(law, [], under=[law])
    form = _input(_n + 1) + _x * tanh(_y)
    moved = rules.differentiated(form, _x, sp.Reals, {_y: supposed}, over=in_networks(_n))
    following = named(moved, _slope(_n + 1, _x), _z(_n + 1, _x), steps)
    each = rules.induction(law, _n, 0, base=[begun], step=[following])
    output = rules.differentiated(tanh(_y), _x, sp.Reals, {_y: each})
    rate = rules.rate_of(output, _change(_n, _x))
    return NETWORKS.follows(rate, steps, goal=both(rate.statement, *steps.statement.args))


def _at_these_inputs() -> list[Theorem]:
    """h_1 = 1/(1 + w), and all later preactivations are 0, where the slope of tanh is 1."""
    inputs = NETWORKS.meaning(
        "the inputs artanh(1/(1 + w)), -w/(1 + w), 0, 0, ..., and powers of w",
        eq(_input(0), _ARTANH),
        *(eq(_input(1), -w / (1 + w)), eq(_input(_n + 2), 0)),
        *(eq(_power(0), 1), eq(_power(_n + 1), w * _power(_n)), eq(_power(_n), w**_n)),
        under=[gt(w, 1)],
    )
    run = _chain_rule().at({_x: w}, over=_STEEP)
    values = [rules.decided(eq(tanh(_ARTANH), 1 / (1 + w)), over=_STEEP), rules.decided(eq(tanh(0), 0))]
    starts = (one.at({_n: 0}, over=_STEEP) for one in (run, inputs))
    state = rules.follows(eq(tanh(_input(0)), 1 / (1 + w)), [inputs, values[0]])
    begun = [*starts, state, *values]
    later = run.at({_n: _n + 1})
    vanish = rules.induction(eq(_z(_n + 1, w), 0), _n, 0, base=begun, step=[later, inputs, *values])
    grown = rules.induction(
        eq((1 + w) * _slope(_n + 1, w), _power(_n)), _n, 0, base=begun, step=[later, inputs, vanish, *values]
    )
    return [inputs, values[1], grown, vanish, later]


@GROWTH.proved()
def zero_preactivations(given: Given) -> Theorem:
    """h_1 = a = 1/(1 + w), X_2 = −wa, then zeros: σ' = 1 from step 2 on, e_T = w e_{T−1}.

    So ∂h_T/∂w = a w^(T−2): the rate σ₁w of the bound is reached.
    """
    given.require(hyp.HYPERBOLIC_TANGENT, hyp.TOKENS)
    run = _at_these_inputs()
    short = [le(Abs(_input(place)), 1) for place in (0, 1)]
    inputs = NETWORKS.largest(
        "the largest derivative over inputs, at that one, whose tokens are then short",
        ge(input_jacobian, _change(T - 1, w)),
        under=short,
    )
    odds = 1 + 2 / w
    small = [facts.logarithm_below_tangent(odds, over=_STEEP)]
    small.append(rules.decided(ge(_ARTANH, 0), over=_STEEP))
    known = [rules.follows(each, [run[0], *small], over=_STEEP) for each in short]
    wide = {**_STEEP, T: integers(2)}
    there = [each.at({_n: T - 2}, over=wide) for each in (run[0], *run[2:])]
    return given.concluded(*there, run[1], *known, inputs)


@GROWTH.tested(over=st.tuples(st.integers(2, 60), st.floats(1.001, 2.0)))
def jacobian_of_that_input(case: tuple[int, float]) -> Point:
    """What the network's Jacobian is at that input, and the lower bound."""
    steps, weight = case
    a = 1 / (1 + weight)
    tokens = np.zeros((1, steps, 1))
    tokens[0, 0], tokens[0, 1] = np.arctanh(a), -weight * a
    phi = RecurrentParameters([[1.0]], [weight], [1.0])
    jacobian = abs(float(jacobian_in_w(phi, tokens, TANH)[0, 0]))
    # The state after step 2 is a rounding δ, and grows by w per step: σ' = 1 − (w^k δ)².
    drift = (weight**steps * 4 * _EPS) ** 2 * steps
    error = jacobian * (8 * steps * _EPS + drift)
    return {input_jacobian: Rounded(jacobian, error), w: weight, T: steps}


RECURRENT_TEACHER = Hypothesis(
    "recurrent_teacher",
    "the target lies in the class of the IndRNN's tangent kernel, with bounds below the radii",
    latex=r"$f_star \in \mathcal{F}_{\mathrm{rnn},\bar\nu},\ \rho \ge \bar\nu",
)
RECURRENT_DESCENT = Hypothesis(
    "recurrent_descent",
    "the iterates are those of projected gradient descent for the IndRNN, with one over the root of"
    " the number of steps for the step size, on an event of probability at least one less $delta",
    latex=r"\varphi_{\mathrm{rnn}}^{(s+1)} = \Pi\bigl(\varphi_{\mathrm{rnn}}^{(s)} -"
    r" \tau^{-1/2}\nabla$L_hat\bigr)",
)
_QUOTED = (*SYMMETRIC_UNITS, RECURRENT_TEACHER, RECURRENT_DESCENT)

THEOREM = claim(
    "st.prop2",
    at="Proposition 2",
    title="Training loss of the IndRNN",
    states=le(
        rnn_loss, rnn_constant(of.jacobian_sup) * (1 / sqrt(of.tau) + sqrt(log(2 * of.n / of.delta) / m))
    ),
    given=letters(rnn_loss, of.jacobian_sup, of.tau, of.n, of.delta, m, under=_QUOTED),
    assuming=_QUOTED,
    provenance=Provenance.QUOTED,
    note=f"{_NOTE}#the-theorem",
)
THEOREM.cited(
    "Cayci and Eryilmaz (2024), Convergence of gradient descent for recurrent neural networks, Theorem 4.4",
    why="the paper states it as a corollary of that theorem, without proof; how it depends on T has"
    " claims of its own",
)
