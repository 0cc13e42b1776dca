"""Appendix B.1: the IndRNN, its gradient, and a bound of its Jacobian."""

import math
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Expr, Ne, Reals, Sum, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from numeric.networks.recurrent import (
    RecurrentParameters,
    hidden_states,
    jacobian_in_w,
    recurrent_initialisation,
)
from numeric.networks.transformer import SINE, TANH
from theorems.engine import Choice, Given, Obligations, Provenance, Rounded, eq, implies, le, rules, sentence
from theorems.engine.rules import Theorem
from theorems.engine.rules.sums import by_recursion
from theorems.engine.rules.vocabulary import derivative
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.experiment import geometric, rnn_output
from theorems.shallow_transformer.letters.feature import pairs
from theorems.shallow_transformer.letters.paper import T, claim, i, m, w
from theorems.shallow_transformer.premises.means import halves
from theorems.shallow_transformer.premises.named import NETWORKS
from theorems.shallow_transformer.premises.networks import (
    added,
    family,
    letters,
    linear,
    sizes,
    total,
    what_is_assumed,
)
from theorems.shallow_transformer.sampling.run_balls import Point

_NOTE = "proofs_notes/st_recurrent.md"
_EPS = float(np.finfo(float).eps)
SYMMETRIC_UNITS = (hyp.EVEN_WIDTH, hyp.PAIRED_UNITS)

GRADIENT = claim(
    "st.eq49.gradient",
    at="Appendix B.1; Equation (48); Equation (49); Equation (50)",
    title="The Jacobian of the IndRNN is a sum over the steps",
    states={
        "in w": sentence(
            r"\frac{\partial h_T}{\partial w_i} = \sum_{t=2}^$T h_{t-$shift}\,\sigma'_t"
            r"\prod_{s=t+1}^$T w_i^{$power}\sigma'_s",
            shift=1,
            power=Choice("", 1),
        ),
        "in U": sentence(
            r"\nabla_{U_i}h_T = \sum_{t=1}^$T X_t\,\sigma'_t\prod_{s=t+1}^$T w_i^{$power}"
            r"\sigma'_s, \quad \sigma'_t = $sigma'(U_i\cdot X_t + w_ih_{t-1})",
            power=Choice("", 1),
        ),
    },
    assuming=[hyp.TWICE_DIFFERENTIABLE],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#gradients",
    excused={"domain of T": "true as well: h_0 = 0 does not depend on w and U, and both sums are empty"},
)
_UNROLLED = "The recursion e_T = σ'_T(h_{T−1} + w e_{T−1}), which the sum satisfies, is the same for all T."


def _unrolled(power: int, of_step: Any, letter: int) -> Obligations:
    """SymPy's derivatives of h_1, …, h_4 for a formal σ against the sums over steps."""
    sigma = sp.Function("sigma")
    weight, u = sp.symbols("w u", real=True)
    x = sp.symbols("x1:5", real=True)
    argument = sp.Dummy("s", real=True)
    slope = sigma(argument).diff(argument)
    states, slopes = [sp.S.Zero], []
    for one in x:
        inner = u * one + weight * states[-1]
        slopes.append(sp.Subs(slope, argument, inner))
        states.append(sigma(inner))
        last = len(slopes)
        tails = [sp.prod([weight**power * s for s in slopes[t:]]) * slopes[t - 1] for t in range(1, last + 1)]
        found = sum(of_step(states, x, t) * tails[t - 1] for t in range(1, last + 1))
        derivative = states[-1].diff((weight, u)[letter])
        yield f"T = {last}", sp.expand((derivative - found).doit()) == 0


@GRADIENT.argued(
    "in w",
    bridge=_UNROLLED,
    uses=[hyp.TWICE_DIFFERENTIABLE],
    controls={"no_w": {"power": 0}, "later_state": {"shift": 0}},
)
def differentiate_by_w(shift: int, power: int) -> Obligations:
    """The step t contributes h_{t−1}, which is 0 for t = 1."""
    return _unrolled(power, lambda states, _, t: states[t - shift], 0)


@GRADIENT.argued("in U", bridge=_UNROLLED, uses=[hyp.TWICE_DIFFERENTIABLE], controls={"no_w": {"power": 0}})
def differentiate_by_read_out(power: int) -> Obligations:
    """The step t contributes X_t."""
    return _unrolled(power, lambda _, x, t: x[t - 1], 1)


SYMMETRIC = claim(
    "st.eq51",
    at="Appendix B.1; Equation (51)",
    title="The symmetric initialisation makes the IndRNN vanish",
    states=eq(rnn_output, 0),
    given=letters(rnn_output, under=SYMMETRIC_UNITS),
    assuming=SYMMETRIC_UNITS,
)


@SYMMETRIC.proved()
def pairs_cancel(given: Given) -> Theorem:
    """c_i h_i + c_{i+m/2} h_{i+m/2} = 0: partners have the same state and opposite weights."""
    weight, state = family("output weight of a unit"), family("last state of a unit")

    def share(unit: Expr) -> Expr:
        return weight(unit) * state(unit)

    other = i + pairs
    same = eq(weight(other), -weight(i)), eq(state(other), state(i))
    partner = NETWORKS.follows(
        what_is_assumed(given, hyp.PAIRED_UNITS, *same), goal=eq(share(other), -share(i))
    )
    split = halves(given, share, paired=hyp.PAIRED_UNITS)
    output = NETWORKS.meaning("the output", eq(rnn_output, total(share(i), i, m) / sqrt(m)))
    cancels = added(partner, i, pairs)
    return given.concluded(*split, output, cancels, linear(cancels.statement.rhs))


@SYMMETRIC.tested(
    over=st.tuples(
        st.integers(1, 20),
        st.integers(1, 20),
        st.integers(1, 4),
        st.integers(0, 10**6),
        st.sampled_from([0.5, 1.0, 1.5]),
    )
)
def output_at_the_start(case: tuple[Any, ...]) -> Point:
    """The output of random networks: the terms of partners are floats that cancel exactly."""
    half, steps, d, seed, gamma = case
    rng = np.random.default_rng(seed)
    phi = recurrent_initialisation(2 * half, d, gamma, rng)
    tokens = rng.standard_normal((1, steps, d))
    last = hidden_states(phi, tokens, TANH)[-1, 0]
    return {rnn_output: Fraction(math.fsum(phi.c * last))}


BOUNDED = (hyp.TWICE_DIFFERENTIABLE, hyp.BOUNDED_VALUES, hyp.BOUNDED_SLOPES)
RATIO = of.sigma_1 * Abs(w)
_k = Symbol("k", integer=True, nonnegative=True)
_SERIES = geometric(of.sigma_1, w, T)

JACOBIAN = claim(
    "st.prop2.jacobian",
    at="Proposition 2",
    title="The Jacobian of the IndRNN is at most a geometric sum",
    states={
        "sum": le(of.w_jacobian, of.sigma_0 * of.sigma_1 * _SERIES),
        "closed form": implies(
            Ne(RATIO, 1), le(of.w_jacobian, of.sigma_0 * of.sigma_1 * (1 - RATIO ** (T - 1)) / (1 - RATIO))
        ),
    },
    assuming=BOUNDED,
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#gradients",
)

_y = Symbol("y", real=True)
#: A recurrent weight; σ, and its derivative.
X, SIGMA, STEEP = Symbol("x", real=True), family("σ"), family("σ'")


class Unit(NamedTuple):
    """A unit at recurrent weights x, counted from its first step on.

    Its inputs U·X_t, its preactivations U·X_t + x h_{t−1}, their slopes, and those of the states.
    """

    input: Any
    preactivation: Any
    slope: Any
    change: Any


UNIT = Unit(*map(family, ("U·X", "preactivation", "slope", "slope of the state")))
#: |∂h/∂w| after each step, counted from the first one on, and powers of σ₁|w|.
_AFTER, POWER = sizes("size of the derivative"), sizes("power of the ratio")
N = Symbol("n_1", integer=True, nonnegative=True)


@cache
def _powers() -> Theorem:
    """Powers with integer exponents, by recursion."""
    return NETWORKS.meaning(
        "a power", eq(POWER(0), 1), eq(POWER(N + 1), RATIO * POWER(N)), eq(POWER(N), RATIO**N)
    )


@cache
def partial_sum() -> Theorem:
    """(1 − r)(1 + r + … + r^(n−1)) = 1 − r^n."""
    series = Sum(POWER(_k), (_k, 0, N - 1))
    return _for_all_lengths(eq((1 - RATIO) * series, 1 - POWER(N)))


def _for_all_lengths(statement: Boolean, *known: Theorem) -> Theorem:
    """A statement about sums of powers, by induction over the number of terms."""
    premises = [*known, _powers(), _powers().at({N: 0})]
    return by_recursion(statement, N, premises=premises)


def _states(unit: Unit) -> Theorem:
    """A unit from its first preactivation on, and a recursion."""
    z, slope = unit.preactivation(N, X), unit.slope(N, X)
    return NETWORKS.meaning(
        "preactivations of a unit, and numbers by a recursion",
        eq(unit.preactivation(0, X), unit.input(0)),
        eq(unit.preactivation(N + 1, X), unit.input(N + 1) + X * SIGMA(z)),
        eq(unit.slope(0, X), 0),
        eq(unit.slope(N + 1, X), SIGMA(z) + X * STEEP(z) * slope),
    )


def named(law: Theorem, rate: Expr, value: Expr, known: Theorem) -> Theorem:
    """A derivative by the names of what is in it."""
    said = law.statement.args
    return rules.as_named(
        law, NETWORKS.follows(known, goal=eq(rate, said[0])), NETWORKS.follows(known, goal=eq(value, said[1]))
    )


def states_on_a_line(given: Given, unit: Unit) -> list[Theorem]:
    """The derivatives of the states by the recurrent weight, and the recursion for the unit.

    By induction over the steps the slopes are the derivatives of preactivations: that of
    U·X_{t+1} + x σ(z_t) is σ(z_t) + x σ'(z_t)ż_t, and that of U·X_1 is 0.
    """
    activation = what_is_assumed(given, hyp.TWICE_DIFFERENTIABLE, derivative(STEEP(_y), SIGMA(_y), _y, Reals))
    z, slope, states = unit.preactivation, unit.slope, _states(unit)
    law = derivative(slope(N, X), z(N, X), X, Reals)
    first = rules.differentiated(unit.input(0), X, Reals)
    begun = named(first, slope(0, X), z(0, X), NETWORKS.substituted(states, {N: 0}))
    state = rules.chained(activation, rules.follows(law, [], under=[law]))
    moved = rules.differentiated(unit.input(N + 1) + X * _y, X, Reals, {_y: state})
    step = named(moved, slope(N + 1, X), z(N + 1, X), states)
    each = rules.induction(law, N, 0, base=[begun], step=[step])
    return [rules.rate_of(rules.chained(activation, each), unit.change(N, X)), states]


def _recursion(given: Given) -> Theorem:
    """|e_{T+1}| ≤ σ_1(σ_0 + |w||e_T|) and e_1 = 0, so that |e_T| ≤ σ_0σ_1 Σ r^k."""
    size = NETWORKS.meaning("the size of the derivative of a state", eq(_AFTER(N), Abs(UNIT.change(N, w))))
    chain = [NETWORKS.substituted(one, {X: w}) for one in states_on_a_line(given, UNIT)]
    bounds = [
        what_is_assumed(given, hyp.BOUNDED_VALUES, le(Abs(SIGMA(_y)), of.sigma_0)),
        what_is_assumed(given, hyp.BOUNDED_SLOPES, le(Abs(STEEP(_y)), of.sigma_1)),
    ]
    known = [size, *chain]
    known += [NETWORKS.substituted(one, {N: N + 1}) for one in (size, chain[0])]
    known += [NETWORKS.substituted(one, {_y: UNIT.preactivation(k, w)}) for one in bounds for k in (N, N + 1)]
    growth = le(_AFTER(N + 1), of.sigma_1 * (of.sigma_0 + Abs(w) * _AFTER(N)))
    step = NETWORKS.follows(*known, goal=growth)
    series = Sum(POWER(_k), (_k, 0, N - 1))
    start = [one.at({N: 0}) for one in known[:3]]
    return _for_all_lengths(le(_AFTER(N), of.sigma_0 * of.sigma_1 * series), step, *start, _by_ratio(series))


@cache
def _by_ratio(series: Expr) -> Theorem:
    """A geometric sum with one term more is 1 and the ratio times the sum."""
    return _for_all_lengths(eq(series.xreplace({N: N + 1}), 1 + RATIO * series))


@cache
def same_series() -> Theorem:
    """The sum of powers, by their names."""
    return NETWORKS.meaning("a geometric sum", eq(_SERIES, Sum(POWER(_k), (_k, 0, T - 2))))


def _after_all_steps(given: Given) -> list[Theorem]:
    """What is known after T steps, the first of which has the derivative 0."""
    moved = [NETWORKS.substituted(one, {N: T - 1}) for one in (_recursion(given), partial_sum(), _powers())]
    last = NETWORKS.meaning("the derivative of the last state", eq(of.w_jacobian, _AFTER(T - 1)))
    return [*moved, same_series(), last]


@JACOBIAN.proved("sum", "closed form")
def geometric_recursion(given: Given) -> Theorem:
    """e_T = σ'_T(h_{T−1} + w e_{T−1}) and e_1 = 0, so B_T = σ₁(σ₀ + |w|B_{T−1}) and B_1 = 0."""
    return given.concluded(*_after_all_steps(given))


def _case(steps: int, weight: float, seed: int, designed: bool, activation: Any) -> Any:
    """Random inputs; or h_1 at its largest and then zero preactivations."""
    tokens = 2 * np.random.default_rng(seed).standard_normal((1, steps, 1))
    if designed:
        tokens[:] = 0
        tokens[0, 0] = 20 if activation is TANH else np.pi / 2
        if steps > 1:
            tokens[0, 1] = -weight
    return RecurrentParameters([[1.0]], [weight], [1.0]), tokens, activation


CASES = st.builds(
    _case,
    steps=st.sampled_from([1, 2, 2, 3, 4, 8, 30]),
    weight=st.floats(-2, 2).filter(lambda one: abs(one) != 1),
    seed=st.integers(0, 10**6),
    designed=st.booleans(),
    activation=st.sampled_from([TANH, SINE]),
)
_SCALES = st.tuples(CASES, st.sampled_from([1.0, 1.0, 0.03]))


@JACOBIAN.tested("sum", over=_SCALES)
def sizes_of_jacobians(case: Any) -> Point:
    """|∂h_T/∂w| and the bound, T up to 30; equality for T = 2.

    An activation that is multiplied by a gain is one with other weights and inputs.
    """
    (phi, tokens, activation), gain = case
    steps, weight = tokens.shape[1], float(phi.w[0])
    jacobian = gain * gain * abs(float(jacobian_in_w(phi, tokens, activation)[0, 0]))
    # Preactivations of size 40 rounded once a step; each moves σ' and h by as much.
    rounding = 200 * steps * _EPS * gain * gain * sum(abs(weight) ** k for k in range(steps))
    return {
        of.w_jacobian: Rounded(jacobian, rounding if steps > 1 else 0.0),
        of.sigma_0: gain,
        of.sigma_1: gain,
        w: weight / gain,
        T: steps,
    }
