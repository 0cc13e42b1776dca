"""Theorem 1: its order 1/τ cannot be improved uniformly over problems."""

from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Abs, Expr, Function, Max, Min, Symbol, exp, sqrt, sympify

from numeric.networks.transformer.activation import LOGISTIC
from numeric.networks.transformer.descent import projected_descent
from numeric.networks.transformer.parameters import Inputs, symmetric_initialisation
from theorems.engine import Given, Hypothesis, Provenance, Rounded, both, eq, ge, implies, le, lt, rules
from theorems.engine.rules import Theorem, facts, inner, norm
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.feature import pairs
from theorems.shallow_transformer.letters.paper import A, claim, eta, i, j, m, nu_c, s, tau
from theorems.shallow_transformer.letters.token import t
from theorems.shallow_transformer.letters.training import level
from theorems.shallow_transformer.premises.descent import loss_over_the_samples
from theorems.shallow_transformer.premises.lines.along_a_line import along, moved
from theorems.shallow_transformer.premises.means import halves
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import (
    added,
    between,
    family,
    letters,
    linear,
    sizes,
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

#: How far output weights have moved, by head and step, and the powers of 1 − 2ησ(0)², by the step.
_MOVED, _POWER = family("move"), Function("power", real=True)
_k = Symbol("number of steps so far", integer=True, nonnegative=True)


#: The output of a head at a sample, and the output less the label at a step.
_HEAD, _RESIDUAL = family("output of a head"), family("residual at a step")


def _without_tokens(given: Given) -> Theorem:
    """⟨U, a⟩ is the mean of the ⟨U, X_t⟩ = 0, so that a head has the output σ(0)."""
    tokens, U = vectors("token")(t, j), vectors("read-out vector")(i)
    weight, z = sizes("softmax weight")(t, i, j), family("preactivation")(i, j)
    sigma, form = family("σ"), weight * inner(tokens, U)
    meant = NETWORKS.meaning(
        "a head, with the mean of the tokens for its pooled token",
        *(eq(_HEAD(i, j), sigma(z)), eq(z, total(form, t, of.T)), eq(level, sigma(0))),
    )
    zero = what_is_assumed(given, ZERO_TOKENS, eq(norm(tokens), 0))
    none = NETWORKS.follows(zero, facts.cauchy_schwarz(tokens, U), goal=eq(form, 0))
    sums_ = [added(none, t, of.T), linear(total(sympify(0), t, of.T))]
    nothing = NETWORKS.follows(meant, *sums_, goal=eq(z, 0))
    return NETWORKS.follows(nothing, meant, goal=eq(_HEAD(i, j), level))


def _residuals(given: Given) -> Theorem:
    """f − y = σ(0)(√m c − ν_c) at each sample, as all weights have moved by c: they start with sum 0."""
    weight, label, output = family("c at the start"), family("label")(j), family("output at a step")(j, _k)
    paired = what_is_assumed(given, hyp.PAIRED_HEADS, eq(weight(i + pairs), -weight(i)))
    opposite = added(paired, i, pairs)
    apart = [linear(opposite.statement.rhs), *halves(given, weight)]
    nothing = NETWORKS.follows(opposite, *apart, goal=eq(total(weight(i), i, m), 0))
    term = (weight(i) + _MOVED(i, _k)) * _HEAD(i, j)
    meant = NETWORKS.meaning(
        "outputs, and outputs less labels",
        eq(output, total(term, i, m) / sqrt(m)),
        eq(_RESIDUAL(j, _k), output - label),
    )
    same = [_without_tokens(given), _alike(given)]
    terms = NETWORKS.follows(*same, goal=eq(term, level * (weight(i) + _MOVED(1, _k))))
    sums_ = added(terms, i, m)
    value = NETWORKS.follows(
        sums_, nothing, linear(sums_.statement.rhs), goal=eq(sums_.statement.lhs, level * m * _MOVED(1, _k))
    )
    target = what_is_assumed(given, CONSTANT_TARGET, eq(label, level * nu_c))
    return NETWORKS.follows(
        value, meant, target, goal=eq(_RESIDUAL(j, _k), level * (sqrt(m) * _MOVED(1, _k) - nu_c))
    )


def _slope(given: Given) -> tuple[Expr, Theorem]:
    """The derivative of the loss by c_i is the mean of 2(f − y)h/√m, the same for all heads: h = σ(0)."""
    slope, head = family("derivative of the loss")(i, _k), _HEAD(i, j) / sqrt(m)
    line = total((_RESIDUAL(j, _k) + along * head) ** 2, j, of.n) / of.n
    product = eq(_RESIDUAL(j, _k) * _HEAD(i, j), _RESIDUAL(j, _k) * level)
    sums_ = added(NETWORKS.follows(_without_tokens(given), goal=product), j, of.n)
    known = [*moved(line, 1, slope), sums_, linear(sums_.statement.rhs)]
    mean = total(_RESIDUAL(j, _k), j, of.n) / of.n
    return slope, NETWORKS.follows(*known, goal=eq(slope, 2 * mean * level / sqrt(m)))


def _steps(given: Given) -> Theorem:
    """A step of a weight, which is taken back to the end of its interval if it leaves that."""
    slope, mean = _slope(given)
    radius, free = of.rho_c / sqrt(m), _MOVED(i, _k) - eta * mean.statement.rhs
    projected = Max(-radius, Min(radius, _MOVED(i, _k) - eta * slope))
    steps = what_is_assumed(
        given, hyp.PROJECTED_DESCENT, eq(_MOVED(i, 0), 0), eq(_MOVED(i, _k + 1), projected)
    )
    goal = both(eq(_MOVED(i, 0), 0), eq(_MOVED(i, _k + 1), Max(-radius, Min(radius, free))))
    return NETWORKS.follows(steps, mean, goal=goal)


def _alike(given: Given) -> Theorem:
    """All weights have moved by the same, as they have the same slopes, by induction over the steps."""
    steps = _steps(given)
    known = [steps, steps.at({i: 1})]
    first = [one.at({_k: 0}) for one in known]
    return rules.induction(eq(_MOVED(i, _k), _MOVED(1, _k)), _k, 0, base=first, step=known)


def _network(given: Given) -> list[Theorem]:
    """The loss, and a step that stays within the radius of the projection."""
    residual = _residuals(given)
    value, here = residual.statement.rhs, eq(its.residuals(j), _RESIDUAL(j, s))
    now = value.xreplace({_k: s})
    each = [_now(residual), NETWORKS.meaning("outputs less labels after s steps", here)]
    squares = added(NETWORKS.follows(*each, goal=eq(its.residuals(j) ** 2, now**2)), j, of.n)
    known = [squares, linear(squares.statement.rhs), loss_over_the_samples()]
    output = NETWORKS.follows(*known, goal=eq(of.loss, now**2))
    steps = _steps(given).at({i: 1})
    sums_ = added(residual, j, of.n)
    total_ = NETWORKS.follows(sums_, linear(sums_.statement.rhs), goal=eq(sums_.statement.lhs, of.n * value))
    step = _MOVED(1, _k) - 2 * eta * value * level / sqrt(m)
    near = implies(le(Abs(step), of.rho_c / sqrt(m)), eq(_MOVED(1, _k + 1), step))
    return [output, NETWORKS.follows(steps, total_, goal=both(eq(_MOVED(1, 0), 0), near))]


@cache
def _powers() -> Theorem:
    """Powers with integer exponents, by recursion."""
    return NETWORKS.meaning(
        "a power",
        eq(_POWER(0), 1),
        eq(_POWER(_k + 1), _SHRINK * _POWER(_k)),
        eq(_POWER(_k) ** 2, _SHRINK ** (2 * _k)),
    )


def _by_steps(given: Given, statement: Any, *known: Theorem) -> Theorem:
    """A statement about the step s by induction, under the hypotheses of the claim."""
    ranges = {x: set_ for x, set_ in in_networks(statement, *given.conditions, m).items() if x != _k}
    first = [one.at({_k: 0}) if _k in one.over else one for one in known]
    each = rules.induction(statement, _k, 0, base=first, step=known, over=ranges, under=given.conditions)
    return _now(each)


def _now(theorem: Theorem) -> Theorem:
    return NETWORKS.substituted(theorem, {_k: s}, under=theorem.under)


def decay(given: Given) -> list[Theorem]:
    """The residual is multiplied by 1 − 2ησ(0)² at each step, and weights move by ν_c at most."""
    output, step = _network(given)
    way = both(eq(sqrt(m) * _MOVED(1, _k), nu_c * (1 - _POWER(_k))), ge(_POWER(_k), 0), le(_POWER(_k), 1))
    return [output, _by_steps(given, way, step, _powers()), _now(_powers())]


@RATE.proved("decay")
def a_linear_network(given: Given) -> Theorem:
    """f = σ(0)m^(−1/2)Σc_i, so f − y shrinks by 1 − 2ησ(0)²."""
    return given.concluded(*decay(given))


def _exponentials(rate: Expr) -> list[Theorem]:
    """exp(−rate (s + 1)) = exp(−rate s) exp(−rate), and exp x ≥ 1 + x at both signs."""
    return [
        facts.exponential_of_sum(-rate * (_k + 1), -rate * _k, -rate),
        facts.exponential_above_tangent(-rate),
        facts.exponential_above_tangent(rate),
    ]


@RATE.proved("geometric for each problem")
def below_an_exponential(given: Given) -> Theorem:
    """1 − u ≤ e^(−u)."""
    rate = 2 * eta * level**2
    below = both(ge(_POWER(_k), 0), le(_POWER(_k), exp(-rate * _k)))
    return given.concluded(*decay(given), _by_steps(given, below, _powers(), *_exponentials(rate)))


@RATE.proved("a slow problem for each number of steps")
def above_an_exponential(given: Given) -> Theorem:
    """1 − 1/(2τ) ≥ e^(−u) with u = 1/(2τ − 1), as e^u ≥ 1 + u; and 2su ≤ 1 for s < τ."""
    rate, tuned = 1 / (2 * tau - 1), eq(level**2, A**2 / tau)
    split, below, above = _exponentials(rate)
    one_step = between(given, implies(tuned, ge(_SHRINK, exp(-rate))), above, below)
    slow = implies(tuned, ge(_POWER(_k), exp(-rate * _k)))
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
