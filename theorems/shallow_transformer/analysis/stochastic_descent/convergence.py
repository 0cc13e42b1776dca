"""Proposition 1: projected stochastic gradient descent, (45)-(47).

Means over all sequences of indices are expectations, of which the proofs use that they are linear
and monotone.
"""

from functools import cache

from sympy import Sum, Symbol, sqrt

from theorems.classical import conditional_means
from theorems.engine import Given, eq, le
from theorems.engine.rules import Random, Theorem, sums
from theorems.engine.rules.vocabulary import E as mean_of  # noqa: N811 - E is an error here
from theorems.engine.rules.vocabulary import randoms
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.descent.convergence import (
    HIDDEN,
    ON_THE_EVENTS,
    TERMS,
    average,
    least,
)
from theorems.shallow_transformer.analysis.descent.least_and_average_loss import loss_of_the_mean
from theorems.shallow_transformer.analysis.stochastic_descent.one_step import (
    CONSTANTS,
    STOCHASTIC_RUN,
    over_the_index,
)
from theorems.shallow_transformer.analysis.stochastic_descent.sampled import (
    LONG_TREES,
    SHORT_TREES,
    TREES,
    IndexTree,
)
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.paper import A, E, claim, eta, s, tau
from theorems.shallow_transformer.letters.run import B_GRAD, B_LIN, ERROR, RESIDUAL
from theorems.shallow_transformer.letters.training import expected_average, expected_least, expected_mean
from theorems.shallow_transformer.premises.descent import (
    DISTANCE_AT,
    LOSS_AT,
    OF_THE_ITERATES,
    least_below_the_mean,
    sums_over_the_steps,
    telescoped,
)
from theorems.shallow_transformer.premises.independent_means import in_expectation
from theorems.shallow_transformer.premises.means import in_the_mean
from theorems.shallow_transformer.premises.named import NETWORKS, ONE_HEAD
from theorems.shallow_transformer.premises.networks import between, letters, sizes
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import at_worst

_NOTE = "proofs_notes/st_descent.md#stochastic-descent"

#: At each step, given the indices drawn before: V, its mean over the next index, and the loss.
_V, _V_MEAN, _LOSS_NOW = randoms("V")(s), randoms("mean of V")(s), randoms("L")(s)

#: The mean of a conditional mean, here over the next index, is the mean of what follows.
_TOWER = conditional_means.tower_rule(NETWORKS.meaning, randoms("V")(s + 1), _V_MEAN)


def _means() -> Theorem:
    """Means over all sequences of indices."""
    return NETWORKS.meaning(
        "the means over all sequences",
        eq(DISTANCE_AT(s), mean_of(_V)),
        eq(DISTANCE_AT(s + 1), mean_of(randoms("V")(s + 1))),
        eq(LOSS_AT(s), mean_of(_LOSS_NOW)),
    )


def _expected_growth(given: Given, step: Theorem) -> Theorem:
    """The growth of E V over a step, from the growth of V in conditional expectation."""
    values = {of.V: _V, of.V_mean: _V_MEAN, of.loss: _LOSS_NOW}
    mean = in_expectation(given, step, values)
    right = step.statement.rhs.subs(of.loss, LOSS_AT(s))
    return between(given, le(DISTANCE_AT(s + 1) - DISTANCE_AT(s), right), mean, _means(), _TOWER)


EQ_45 = claim(
    "st.eq45",
    at="Proposition 1, proof; Equation (45)",
    title="The mean of expected losses",
    states=le(expected_mean, of.NU_NORM**2 / (4 * eta * tau) + RESIDUAL * ERROR + eta / 4 * B_GRAD),
    given=letters(expected_mean, eta, tau, *CONSTANTS, under=STOCHASTIC_RUN),
    assuming=STOCHASTIC_RUN,
    rests_on=["st.prop1.drift", "st.eq42.start"],
    note=_NOTE,
)


@EQ_45.proved()
def tower_rule(given: Given) -> Theorem:
    """E[E_s[V_{s+1} − V_s]] telescopes, and V after the last step is at least 0."""
    each = _expected_growth(given, given.fact("st.prop1.drift"))
    return given.concluded(*telescoped(each, expected_mean), given.fact("st.eq42.start"))


@EQ_45.tested(over=TREES, cases=25)
def expected_losses(tree: IndexTree) -> Point:
    """Exact expectations and the bound."""
    return at_worst(EQ_45, [tree.whole])


_PAPER = (*STOCHASTIC_RUN, hyp.STEP_SIZE)

EQ_46 = claim(
    "st.eq46",
    at="Proposition 1, proof; Equation (46)",
    title="Proposition 1 with every constant",
    states=le(expected_least, (of.NU_NORM**2 + B_GRAD) / (4 * sqrt(tau)) + RESIDUAL * ERROR),
    given=letters(expected_least, eta, tau, *CONSTANTS, under=_PAPER),
    assuming=_PAPER,
    rests_on=[EQ_45],
    note=_NOTE,
)


@cache
def _least_below_the_mean() -> Theorem:
    """The least loss is at most the loss at each step, whatever is drawn, and so in the mean."""
    lowest, now = (Symbol(f"value of {name}", nonnegative=True) for name in ("the least", "L"))
    each = ONE_HEAD.least("the least loss of the run", le(lowest, now))
    drawn = Random("least of L")
    means = in_the_mean(each, {lowest: drawn, now: _LOSS_NOW})
    name = NETWORKS.meaning("the mean of the least loss", eq(expected_least, mean_of(drawn)))
    at_a_step = NETWORKS.follows(means, name, _means(), goal=le(expected_least, LOSS_AT(s)))
    return least_below_the_mean(at_a_step, expected_mean, sums_over_the_steps(expected_mean))


@EQ_46.proved()
def insert_the_step(given: Given) -> Theorem:
    """η = τ^(−1/2) in (45); a minimum is at most a mean, with or without expectation."""
    return given.concluded(given.fact(EQ_45), _least_below_the_mean())


@EQ_46.tested(over=SHORT_TREES, cases=25)
def expected_least_losses(tree: IndexTree) -> Point:
    """The exact expectation of the least loss and the bound."""
    return at_worst(EQ_46, [tree.whole])


_AVERAGED = (*hyp.SMOOTH_HEADS, hyp.UNIT_SIGNS, hyp.STOCHASTIC_DESCENT)

EQ_47 = claim(
    "st.eq47",
    at="Proposition 1, proof; Equation (47)",
    title="The expected loss at the average iterate",
    states=le(expected_average, 4 * expected_mean + 6 * B_LIN**2),
    given=letters(expected_average, expected_mean, B_LIN, under=_AVERAGED),
    assuming=_AVERAGED,
    rests_on=["st.thm1.sandwich"],
    discharging=OF_THE_ITERATES,
    note=_NOTE,
)


@EQ_47.proved()
def mean_of_inequalities(given: Given) -> Theorem:
    """(43) holds for every sequence of indices; a mean of such bounds is the bound of means."""
    end, run = Random("L at the average"), Random("mean loss")
    numbers = [Symbol(f"value of {one.name}", nonnegative=True) for one in (end, run)]
    each = loss_of_the_mean(given, hyp.STOCHASTIC_DESCENT, sizes("loss of a run"), *numbers)
    means = in_expectation(given, each, dict(zip(numbers, (end, run), strict=True)))
    names = NETWORKS.meaning(
        "the mean loss of a run, and means over all sequences",
        eq(mean_of(run), mean_of(Sum(_LOSS_NOW, (s, 0, tau - 1)) / tau)),
        eq(expected_average, mean_of(end)),
    )
    losses = sums.summed(NETWORKS.follows(_means(), goal=eq(LOSS_AT(s), mean_of(_LOSS_NOW))), s, tau)
    return given.concluded(means, names, losses, sums_over_the_steps(expected_mean))


@EQ_47.tested(over=TREES, cases=25)
def expected_average_iterates(tree: IndexTree) -> Point:
    """Exact expectations of both sides."""
    return at_worst(EQ_47, [tree.whole])


_PRINTED = (*hyp.ON_BOTH_EVENTS, hyp.STOCHASTIC_DESCENT, hyp.STEP_SIZE)
_LETTERS = sorted((HIDDEN * TERMS).free_symbols, key=str)

PROP_1 = claim(
    "st.prop1",
    at="Proposition 1",
    title="Convergence of projected stochastic gradient descent",
    states={
        "least loss": le(expected_least, HIDDEN * TERMS),
        "average iterate": le(expected_average, (4 * HIDDEN + 6) * (TERMS + its.LINEARISATION_9**2)),
    },
    given=letters(expected_least, expected_average, *_LETTERS, under=_PRINTED),
    assuming=_PRINTED,
    rests_on=[EQ_45, EQ_46, EQ_47, "st.eq9", "st.eq26", "st.lem6.y"],
    discharging=ON_THE_EVENTS,
    note=_NOTE,
)


@PROP_1.proved("least loss")
def the_same_right_side(given: Given) -> Theorem:
    """(46) has the right side of (42), whose hidden constants are those of Theorem 1."""
    return least(given, given.fact(EQ_46), expected_least)


@PROP_1.proved("average iterate")
def at_the_average_iterate(given: Given) -> Theorem:
    """Insert the mean of the expected losses in (47)."""
    ends = (expected_mean, expected_average)
    return average(given, given.fact(EQ_45), given.fact(EQ_47), ends)


_SHARP_BOUNDS = (*hyp.BOUNDED_SIZES, hyp.CONSTANT_STEP)
_SHARP_RUN = (*hyp.WITHIN_REACH, hyp.STOCHASTIC_DESCENT, hyp.TWICE_DIFFERENTIABLE, *_SHARP_BOUNDS)

SHARP_PROP_1 = PROP_1.sharpened(
    "st.prop1.sharp",
    title="Projected stochastic gradient descent converges like 1/τ too",
    states=le(expected_mean, 4 * A**2 * of.NU_NORM**2 / tau + 2 * E**2),
    given=letters(expected_mean, A, E, tau, *of.NU, under=_SHARP_RUN),
    assuming=_SHARP_RUN,
    rests_on=["st.eq44", "st.eq22", "st.eq36.sharp", "st.prop1.size.sharp", "st.eq42.start"],
    note=_NOTE,
)


@SHARP_PROP_1.proved()
def the_same_square(given: Given) -> Theorem:
    """E_s V' − V ≤ −4ηL + 4η√L E + 4η²A²L = −ηL + 2ηE² − 2η(√L − E)²."""
    known = [given.fact("st.eq36.sharp", "bound"), given.fact("st.prop1.size.sharp", "bound")]
    step = le(of.V_mean - of.V, -eta * of.loss + 2 * eta * E**2)
    drift = between(given, step, over_the_index(given), *known)
    each = _expected_growth(given, drift)
    return given.concluded(*telescoped(each, expected_mean), given.fact("st.eq42.start"))


@SHARP_PROP_1.tested(over=LONG_TREES, cases=40)
def expected_losses_with_the_longer_step(tree: IndexTree) -> Point:
    """Exact expectations and the bound, with A of the step size and E measured."""
    return at_worst(SHARP_PROP_1, [tree.whole])
