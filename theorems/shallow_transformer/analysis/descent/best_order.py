"""Theorem 1: its order 1/τ cannot be improved uniformly over problems."""

from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Abs, Expr, Function, exp, sqrt

from numeric.networks.transformer.activation import LOGISTIC
from numeric.networks.transformer.descent import projected_descent
from numeric.networks.transformer.parameters import Inputs, symmetric_initialisation
from theorems.engine import Given, Hypothesis, Provenance, Rounded, both, eq, ge, implies, le, lt, rules
from theorems.engine.rules import Theorem, facts
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import pairs
from theorems.shallow_transformer.letters.paper import A, claim, eta, i, m, nu_c, s, tau
from theorems.shallow_transformer.letters.training import level
from theorems.shallow_transformer.premises.means import halves
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import (
    added,
    between,
    family,
    letters,
    linear,
    total,
    what_is_assumed,
)
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import scaled

_NOTE = "proofs_notes/st_descent.md"

ZERO_TOKENS = Hypothesis("zero_tokens", "all tokens of all inputs vanish", latex=r"$X = 0")
CONSTANT_TARGET = Hypothesis(
    "constant_target",
    "the target is the constant that the map with c-part $nu_c and no other part represents",
    latex=r"$f_star = $level\,$nu_c",
)
WIDE_FOR_C = Hypothesis(
    "wide_for_c", "the radius for the output weights lets the iterates pass", ge(of.rho_c, nu_c)
)
LEVEL_BELOW_A = Hypothesis(
    "level_below_a",
    "$A bounds the gradient of the network, which has the length of $level here",
    le(Abs(level), A),
)
_TRIVIAL = (
    ZERO_TOKENS,
    CONSTANT_TARGET,
    WIDE_FOR_C,
    LEVEL_BELOW_A,
    *hyp.SYMMETRIC_START,
    hyp.PROJECTED_DESCENT,
    hyp.CONSTANT_STEP,
)
_SHRINK = 1 - 2 * eta * level**2
_BEFORE_THE_LAST = both(le(s, tau - 1), eq(level**2, A**2 / tau))

RATE = claim(
    "st.thm1.sharp.rate",
    at="Theorem 1",
    title="The order 1/τ cannot be improved uniformly over problems, at one step size",
    states={
        "decay": eq(of.loss, level**2 * nu_c**2 * _SHRINK ** (2 * s)),
        "a slow problem for each number of steps": implies(
            _BEFORE_THE_LAST, ge(of.loss, A**2 * nu_c**2 * exp(-1) / tau)
        ),
        "geometric for each problem": le(of.loss, level**2 * nu_c**2 * exp(-4 * eta * level**2 * s)),
    },
    given=letters(of.loss, level, nu_c, A, eta, s, tau, under=_TRIVIAL),
    assuming=_TRIVIAL,
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#what-cannot-be-improved",
)

#: How far all output weights have moved, and the powers of 1 − 2ησ(0)², by the step.
_MOVED, _POWER = Function("move", real=True), Function("power", real=True)


def _network(given: Given) -> list[Theorem]:
    """f = σ(0)m^(−1/2)Σc_i, and a step that stays within the radius of the projection."""
    given.require(ZERO_TOKENS, CONSTANT_TARGET, hyp.PROJECTED_DESCENT)
    head, residual = level / sqrt(m), level * (sqrt(m) * _MOVED(s) - nu_c)
    free = _MOVED(s) - 2 * eta * residual * head
    weight = family("c at the start")
    paired = what_is_assumed(given, hyp.PAIRED_HEADS, eq(weight(i + pairs), -weight(i)))
    opposite = added(paired, i, pairs)
    apart = linear(opposite.statement.rhs)
    weights = total(weight(i) + _MOVED(s), i, m)
    loss = NETWORKS.meaning(
        "the loss, with the output σ(0)m^(-1/2)Σc_i and the label of the constant target",
        eq(of.loss, (head * weights - level * nu_c) ** 2),
    )
    goal = eq(of.loss, (head * m * _MOVED(s) - level * nu_c) ** 2)
    output = NETWORKS.follows(opposite, apart, linear(weights), loss, *halves(given, weight), goal=goal)
    step = NETWORKS.meaning(
        "the steps", eq(_MOVED(0), 0), implies(le(Abs(free), of.rho_c / sqrt(m)), eq(_MOVED(s + 1), free))
    )
    return [output, step]


@cache
def _powers() -> Theorem:
    """Powers with integer exponents, by recursion."""
    return NETWORKS.meaning(
        "a power",
        eq(_POWER(0), 1),
        eq(_POWER(s + 1), _SHRINK * _POWER(s)),
        eq(_POWER(s) ** 2, _SHRINK ** (2 * s)),
    )


def _by_steps(given: Given, statement: Any, *known: Theorem) -> Theorem:
    """A statement about the step s by induction, under the hypotheses of the claim."""
    ranges = {x: set_ for x, set_ in in_networks(statement, *given.conditions, m).items() if x != s}
    first = [_at(one, 0) for one in known]
    return rules.induction(statement, s, 0, base=first, step=known, over=ranges, under=given.conditions)


def _at(theorem: Theorem, step: int) -> Theorem:
    return theorem.at({s: step}) if s in theorem.over else theorem


def decay(given: Given) -> list[Theorem]:
    """The residual is multiplied by 1 − 2ησ(0)² at each step, and weights move by ν_c at most."""
    output, step = _network(given)
    way = both(eq(sqrt(m) * _MOVED(s), nu_c * (1 - _POWER(s))), ge(_POWER(s), 0), le(_POWER(s), 1))
    return [output, _by_steps(given, way, step, _powers()), _powers()]


@RATE.proved("decay")
def a_linear_network(given: Given) -> Theorem:
    """f = σ(0)m^(−1/2)Σc_i, so f − y shrinks by 1 − 2ησ(0)²."""
    return given.concluded(*decay(given))


def _exponentials(rate: Expr) -> list[Theorem]:
    """exp(−rate (s + 1)) = exp(−rate s) exp(−rate), and exp x ≥ 1 + x at both signs."""
    in_networks(rate, s)
    return [
        facts.exponential_of_sum(-rate * (s + 1), -rate * s, -rate),
        facts.exponential_above_tangent(-rate),
        facts.exponential_above_tangent(rate),
    ]


@RATE.proved("geometric for each problem")
def below_an_exponential(given: Given) -> Theorem:
    """1 − u ≤ e^(−u)."""
    rate = 2 * eta * level**2
    below = both(ge(_POWER(s), 0), le(_POWER(s), exp(-rate * s)))
    return given.concluded(*decay(given), _by_steps(given, below, _powers(), *_exponentials(rate)))


@RATE.proved("a slow problem for each number of steps")
def above_an_exponential(given: Given) -> Theorem:
    """1 − 1/(2τ) ≥ e^(−u) with u = 1/(2τ − 1), as e^u ≥ 1 + u; and 2su ≤ 1 for s < τ."""
    rate, tuned = 1 / (2 * tau - 1), eq(level**2, A**2 / tau)
    split, below, above = _exponentials(rate)
    one_step = between(given, implies(tuned, ge(_SHRINK, exp(-rate))), above, below)
    slow = implies(tuned, ge(_POWER(s), exp(-rate * s)))
    large = _by_steps(given, slow, _powers(), one_step, split)
    last = facts.exponential_increases(-1, -2 * rate * s)
    near = NETWORKS.follows(goal=implies(le(s, tau - 1), lt(-1, -2 * rate * s)))
    end_ = NETWORKS.follows(near, last, goal=implies(le(s, tau - 1), ge(exp(-rate * s) ** 2, exp(-1))))
    return given.concluded(*decay(given), large, end_)


_CASES = st.tuples(
    st.integers(0, 10**6),
    st.sampled_from((2, 4, 10)),
    st.sampled_from((1, 3)),
    st.sampled_from((0, 1, 4)),
    st.sampled_from((1.0, 0.0625)),
    st.sampled_from((0.5, 1.0, 8.0)),
    st.sampled_from((0.03125, 1.0)),
)


@RATE.tested("decay", over=_CASES, cases=20)
def trained_on_zero_tokens(case: tuple[Any, ...]) -> Point:
    """The logistic function times a gain, and all tokens 0, trained and compared."""
    seed, heads, samples, step, gain, gradient, target = case
    A_now = gain * gradient
    rate = 1 / (4 * A_now**2)
    initial = symmetric_initialisation(heads, 2, np.random.default_rng(seed))
    inputs = Inputs(np.zeros((samples, 2, 2)), np.ones((samples, 2)))
    labels = np.full(samples, gain / 2 * target)
    activation, rho = scaled(LOGISTIC, gain), (target, 1.0, 1.0)
    found = projected_descent(initial, inputs, labels, activation, rho, step + 1, step_size=rate)
    # Sums of at most ten weights of size below 2, five times: squares of residuals below gain.
    error = 2.0**-44 * gain**2
    return {
        of.loss: Rounded(float(found.losses[step]), error),
        level: gain / 2,
        nu_c: target,
        A: A_now,
        eta: rate,
        s: step,
        of.rho_c: target,
    }
