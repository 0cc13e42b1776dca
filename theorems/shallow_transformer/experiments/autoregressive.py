"""Section 6.2: the autoregressive task, what can be predicted and which token tells it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Rational, Symbol

from numeric.networks.transformer import TANH, last_token, predict, sample_heads
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.engine import (
    Choice,
    Discrepancy,
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    both,
    eq,
    ge,
    implies,
    integers,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.engine.rules.vocabulary import independent
from theorems.shallow_transformer.hypotheses import AUTOREGRESSIVE, LAST_TOKEN
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.experiment import lag_error, next_value, prediction_error
from theorems.shallow_transformer.letters.paper import T, claim, lag
from theorems.shallow_transformer.premises.networks import what_is_assumed
from theorems.shallow_transformer.sampling.autoregressive import ar_windows

Rng = np.random.Generator

_NOTE = "proofs_notes/st_figures.md#the-autoregressive-task"
_ALPHA, _NOISE = of.persistence, of.noise

LAG_IN_WINDOW = Hypothesis("lag_in_window", "the window is at least as long as the lag", ge(T, lag))
_TASK = (AUTOREGRESSIVE, LAG_IN_WINDOW)

FLOOR = claim(
    "st.fig2.noise_floor",
    at="Section 6.2",
    title="The best loss on the AR(L) task is the noise, 1/10; the zero predictor has 10/19",
    states={
        "no prediction is better": ge(E(prediction_error**2), _NOISE),
        "attained": eq(E(lag_error**2), _NOISE),
        "zero": eq(E(next_value**2), _NOISE / (1 - _ALPHA**2)),
        "numbers": implies(
            both(eq(_ALPHA, Rational(9, 10)), eq(_NOISE, Rational(1, 10))),
            eq(E(next_value**2), Rational(10, 19)),
        ),
    },
    assuming=_TASK,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _process(given: Given) -> list[Theorem]:
    """X_{T+1} = αX_{T+1−L} + ε, with ε independent of the window and all variances equal."""
    given.require(LAG_IN_WINDOW)
    shock, lagged, prediction = map(Random, ("shock", "lagged value", "prediction"))
    step = _ALPHA * lagged + shock
    law = what_is_assumed(
        given,
        AUTOREGRESSIVE,
        eq(E(next_value**2), E(step**2)),
        eq(E(prediction_error**2), E((step - prediction) ** 2)),
        eq(E(lag_error**2), E((step - _ALPHA * lagged) ** 2)),
        *(eq(E(shock), 0), eq(E(shock**2), _NOISE)),
        *(independent(shock, lagged), independent(shock, prediction)),
        eq(E(next_value**2), E(lagged**2)),
    )
    products = [facts.expectation_of_independent(shock, one) for one in (lagged, prediction)]
    return [law, *products]


@FLOOR.proved("no prediction is better", "attained")
def decompose_the_loss(given: Given) -> Theorem:
    """E(αX + ε − g)² = σ² + E(αX − g)², as ε is independent of the window."""
    lagged, prediction = map(Random, ("lagged value", "prediction"))
    square = facts.expectation_of_square(_ALPHA * lagged - prediction, over=given.domain)
    return given.concluded(*_process(given), square)


@FLOOR.proved("zero", "numbers")
def stationary_variance(given: Given) -> Theorem:
    """v = α²v + σ²."""
    return given.concluded(*_process(given))


@FLOOR.estimated("attained", draws=20_000, controls={})
def loss_of_the_best_prediction(given: Given, rng: Rng, draws: int) -> Iterator[MeanTest]:
    """The squares of y − αX_2 for L = 7 and T = 8."""
    drawn = ar_windows(draws, 8, 7, 0.9, 0.1, rng)
    expected = float(given.goal.args[1].subs(_NOISE, Rational(1, 10)))
    yield mean_test((drawn.labels - 0.9 * drawn.values[:, 1]) ** 2, expected)


@FLOOR.estimated("zero", draws=20_000, controls={})
def loss_of_zero(given: Given, rng: Rng, draws: int) -> Iterator[MeanTest]:
    """The squares of y for L = 7 and T = 8."""
    drawn = ar_windows(draws, 8, 7, 0.9, 0.1, rng)
    at = {_ALPHA: Rational(9, 10), _NOISE: Rational(1, 10)}
    yield mean_test(drawn.labels**2, float(given.goal.args[1].subs(at)))


#: Why the claims about the window hold at the ends of the domains of α and of the noise.
_DEGENERATE = {
    "domain of persistence": "true as well: no process with noise is stationary for α = 1 or -1",
    "domain of noise": "true as well: without noise the stationary process vanishes",
}

WINDOW = claim(
    "st.fig2.window",
    at="Section 6.2",
    title="With T = L + 1 the lag falls within the window: the label depends on token 2 alone",
    states=sentence(
        r"$T = $L + $more \implies \mathbb{E}[X_{T+1} \mid X_1, \dots, X_T] = $persistence"
        r" X_{$token}",
        more=1,
        token=2,
    ),
    assuming=[AUTOREGRESSIVE],
    note=_NOTE,
    excused={"domain of T": "true as well: T = L + 1 is at least 2", **_DEGENERATE},
)
_CONDITIONAL = (
    "The noise is independent of the window, which contains the value a lag before, so that the"
    " conditional mean is α times this value; the normal equations agree for lags up to 6."
)


def _regression(length: int, steps: int) -> sp.Matrix:
    """The coefficients of E[X_{T+1} | X_1, …, X_T] for the stationary Gaussian process."""
    alpha = Rational(9, 10)

    def covariance(s: int, t: int) -> sp.Expr:
        return alpha ** (abs(s - t) // length) if (s - t) % length == 0 else sp.S.Zero

    gram = sp.Matrix(steps, steps, covariance)
    return gram.LUsolve(sp.Matrix(steps, 1, lambda t, _: covariance(steps, t)))


def _unit(steps: int, token: int) -> sp.Matrix:
    return sp.Matrix(steps, 1, lambda t, _: Rational(9, 10) if t == token - 1 else 0)


def _at_the_lag(more: int, token: int) -> Obligations:
    """X_{T+1} = αX_{T+1−L} + ε, where T + 1 − L is the token; and by the normal equations."""
    length = Symbol("L", integer=True)
    yield "the index, for every lag", equal(length + more + 1 - length, Rational(token))
    for one in range(2, 7):
        steps = one + int(more)
        yield f"the coefficients, L = {one}", _regression(one, steps) == _unit(steps, int(token))


#: The stationary process whose covariances `_regression` has.
_PROCESS: dict[str, Any] = {"uses": [AUTOREGRESSIVE], "over": {lag: integers(1)}}


@WINDOW.argued(bridge=_CONDITIONAL, **_PROCESS)
def regression_on_the_window(more: int, token: int) -> Obligations:
    """X_{T+1} = αX_{T+1−L} + ε and T + 1 − L = 2."""
    return _at_the_lag(more, token)


SHARP = WINDOW.sharpened(
    "st.fig2.window.sharp",
    title="T = L is enough, and T = L − 1 is useless",
    states={
        "enough": sentence(
            r"$T = $L$more \implies \mathbb{E}[X_{T+1} \mid X] = $persistence X_{$token}",
            more=Choice("", 0),
            token=1,
        ),
        "useless": sentence(
            r"$T = $L - $less \implies \mathbb{E}[X_{T+1} \mid X] = $nothing", less=1, nothing=0
        ),
    },
    given={lag: integers(2)},
    assuming=[AUTOREGRESSIVE],
    note=_NOTE,
    excused={
        "less: 1 -> 2": "true as well: a still shorter window is useless too",
        "domain of T": "true as well: T = L and T = L - 1 are at least 1 for lags from 2 on",
        "domain of L": "true as well: at L = 1 the first part is the Markov property, and there is"
        " no window for the second one",
        **_DEGENERATE,
    },
)


@SHARP.argued("enough", bridge=_CONDITIONAL, **_PROCESS, controls={"one_more": {"more": 1}})
def first_of_the_window(more: int, token: int) -> Obligations:
    """The first token reappears in X_{L+1}."""
    return _at_the_lag(more, token)


@SHARP.argued(
    "useless",
    bridge="Values whose indices differ by less than the lag belong to different independent"
    " processes, so that the window is independent of the label; the normal equations agree for"
    " lags up to 6.",
    **_PROCESS,
)
def regression_on_shorter_windows(less: int, nothing: int) -> Obligations:
    """X_1, …, X_L are independent, and X_L is the next value after L − 1 tokens."""
    yield "a number of tokens", Rational(less).is_integer
    length, t = Symbol("L", integer=True), Symbol("t", positive=True, integer=True)
    nearest = length - less + 1 - t  # how far the label is from the token t
    yield "nearer than the lag", bool((length - nearest).is_positive)
    for one in range(2, 7):
        steps = one - int(less)
        yield f"T = L − {less}, L = {one}", _regression(one, steps) == nothing * sp.ones(steps, 1)


POSITIONS = claim(
    "st.fig2.positions",
    at="Section 6.2",
    title="Without positional channels the order of all tokens but the last is invisible",
    states=sentence(
        r"$f(X_{\pi}; $phi) = $f(X; $phi) \text{ for permutations } \pi \text{ that keep the last }"
        r" $kept \text{ of the } $T \text{ tokens}",
        kept=1,
    ),
    given={T: integers(2)},
    assuming=[LAST_TOKEN],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={"domain of T": "true as well: one token has one order only"},
)


@POSITIONS.argued(
    bridge="The pooled token is a quotient of sums over the tokens, in which their order does not"
    " matter for any T; the query is the last token, which stays.",
    uses=[LAST_TOKEN],
)
def mean_is_a_symmetric_function(kept: int) -> Obligations:
    """a = Σ e^(wX_t q) X_t / Σ e^(wX_t q) for T = 3, the first or the last tokens exchanged."""
    yield "a number of tokens", Rational(kept).is_integer
    weight = sp.Symbol("w", real=True)
    x = sp.symbols("x1:4", real=True)

    def mean(tokens: tuple[sp.Expr, ...]) -> sp.Expr:
        terms = [sp.exp(weight * one * tokens[-1]) for one in tokens]
        return sum(e * one for e, one in zip(terms, tokens, strict=True)) / sum(terms)

    first = int(2 - kept)
    exchanged = list(x)
    exchanged[first], exchanged[first - 1] = x[first - 1], x[first]
    yield "the mean", equal(mean(tuple(exchanged)), mean(x))


@POSITIONS.tested(
    over=st.tuples(st.integers(3, 12), st.integers(1, 4), st.integers(0, 10**6)),
    controls={"last_as_well": {"kept": 0}},
)
def permuted_windows(case: tuple[int, int, int], kept: int) -> Discrepancy:
    """The output at a window and at a permuted one, for random heads."""
    steps, length, seed = case
    rng = np.random.default_rng(seed)
    values = ar_windows(1, steps, length, 0.9, 0.1, rng).values
    order = rng.permutation(steps - kept)
    permuted = values.copy()
    permuted[:, : steps - kept] = values[:, order]
    tokens = [one[..., None] for one in (values, permuted)]
    heads = sample_heads(6, tokens[0].shape[2], rng)
    first, second = (predict(heads, last_token(one), TANH)[0] for one in tokens)
    # Sums over T tokens in another order, in exponents of size at most some tens.
    return Discrepancy(float(first - second), 1e-12)
