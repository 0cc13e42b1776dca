"""Figure 2: what the norms of mean Jacobians measure, and what comes out at sizes run here."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from sympy import And, Function, Rational, S, Symbol

from numeric.networks.recurrent import (
    RecurrentParameters,
    jacobian_in_w,
)
from numeric.networks.transformer import (
    SINE,
    TANH,
    Inputs,
    gradients,
    sample_heads,
)
from numeric.statistics import MeanTest, mean_test
from theorems.engine import (
    Choice,
    Given,
    Hypothesis,
    Profile,
    Provenance,
    Rounded,
    both,
    claims_in,
    eq,
    gt,
    implies,
    integers,
    open_interval,
    rules,
    sentence,
)
from theorems.engine.rules import E, Theorem
from theorems.shallow_transformer import letters as of
from theorems.shallow_transformer.experiment_letters import (
    W_slope,
    W_slope_opposite,
    rnn_norm,
    rnn_slope,
    rnn_slope_opposite,
    slope_law,
    slope_law_opposite,
    tf_norm,
)
from theorems.shallow_transformer.hypotheses import (
    AUTOREGRESSIVE,
    EVEN_WIDTH,
    ODD_ACTIVATION,
    ODD_QUERY,
    PAIRED_UNITS,
    TWICE_DIFFERENTIABLE,
)
from theorems.shallow_transformer.lag_sweep import WIDTH, recurrent_run
from theorems.shallow_transformer.letters import LETTERS
from theorems.shallow_transformer.named_premises import in_networks
from theorems.shallow_transformer.premises import letters, stands_for, stated, what_is_assumed
from theorems.shallow_transformer.run_balls import Point

claim = claims_in(LETTERS)
Rng = np.random.Generator

_NOTE = "proofs_notes/st_figures.md#figure-2"
_ODD = (ODD_ACTIVATION, ODD_QUERY, TWICE_DIFFERENTIABLE)

METRIC = claim(
    "st.fig2.metric",
    at="Appendix B.1, maximal Jacobian norms",
    title="The mean Jacobian cancels between X and −X: its norm bounds no single Jacobian",
    states={
        "IndRNN": eq(rnn_slope_opposite, -rnn_slope),
        "transformer": eq(W_slope_opposite, -W_slope),
        "symmetric laws": implies(
            both(eq(E(slope_law_opposite), -E(slope_law)), eq(E(slope_law), E(slope_law_opposite))),
            eq(E(slope_law), 0),
        ),
    },
    given=letters(
        *(rnn_slope, rnn_slope_opposite, W_slope, W_slope_opposite),
        *(slope_law, slope_law_opposite),
        under=_ODD,
    ),
    assuming=_ODD,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_n = Symbol("n_1", integer=True, nonnegative=True)
_Z = Symbol("z", real=True)
_SIGMA, _SLOPE = Function("sigma", real=True), Function("sigma'", real=True)


def _parity(given: Given, *places: Any) -> list[Theorem]:
    """σ(−z) = −σ(z) and σ'(−z) = σ'(z), at these arguments."""
    odd = what_is_assumed(
        given, ODD_ACTIVATION, eq(_SIGMA(-_Z), -_SIGMA(_Z)), eq(_SLOPE(-_Z), _SLOPE(_Z))
    )
    return [rules.instance(odd, {_Z: one}, over=in_networks(one)) for one in places]


@METRIC.proved("IndRNN")
def parity_of_the_recursion(given: Given) -> Theorem:
    """h_t and e_t change their signs, by e_t = σ'(z_t)(h_{t−1} + w e_{t−1})."""
    state, other, slope, opposite, token = (
        Function(name, real=True) for name in ("h", "h of -X", "e", "e of -X", "u")
    )
    weight, last = Symbol("w_i", real=True), Symbol("last step", integer=True, nonnegative=True)
    here = token(_n) + weight * state(_n)
    there = -token(_n) + weight * other(_n)
    run = stands_for(
        "the states and derivatives at X and at -X",
        *(eq(one(0), 0) for one in (state, other, slope, opposite)),
        eq(state(_n + 1), _SIGMA(here)),
        eq(other(_n + 1), _SIGMA(there)),
        eq(slope(_n + 1), _SLOPE(here) * (state(_n) + weight * slope(_n))),
        eq(opposite(_n + 1), _SLOPE(there) * (other(_n) + weight * opposite(_n))),
    )
    signs = both(eq(other(_n), -state(_n)), eq(opposite(_n), -slope(_n)))
    ranges = in_networks(weight)
    start = rules.instance(run, {_n: S.Zero}, over=ranges)
    step = [run, *_parity(given, here)]
    each = rules.induction(signs, _n, 0, base=[start], step=step, over=ranges)
    ends = stands_for(
        "the derivatives after all steps",
        eq(rnn_slope, slope(last)),
        eq(rnn_slope_opposite, opposite(last)),
    )
    final = rules.instance(each, {_n: last}, over={**ranges, **in_networks(last)})
    return given.follows(final, ends, goal=stated(METRIC, "IndRNN"))


@METRIC.proved("transformer")
def parity_of_the_gradient(given: Given) -> Theorem:
    """∇_W f has the factor σ'(U·a) M U qᵀ with a odd, M even (a covariance) and q odd.

    Logits X_tᵀ W q do not change, as both factors change their signs.
    """
    scale, spread, query, inner = (
        Symbol(name, real=True) for name in ("c_i", "entry of MU", "entry of q", "U.a")
    )
    other = Symbol("entry of q at -X", real=True)
    here, there = _SLOPE(inner) * spread * query, _SLOPE(-inner) * spread * other
    gradient = stands_for(
        "the gradients by W at X and at -X, whose attention weights are the same",
        eq(W_slope, scale * here),
        eq(W_slope_opposite, scale * there),
    )
    odd = what_is_assumed(given, ODD_QUERY, eq(other, -query))
    return given.follows(gradient, odd, *_parity(given, inner), goal=stated(METRIC, "transformer"))


@METRIC.proved("symmetric laws")
def mean_of_an_odd_function(given: Given) -> Theorem:
    """The mean at X is that at −X, which is its opposite."""
    return given.follows(goal=stated(METRIC, "symmetric laws"))


_NETWORKS = st.tuples(
    st.integers(1, 20),
    st.integers(1, 3),
    st.integers(0, 10**6),
    st.sampled_from([TANH, SINE]),
)


def _gradients(case: tuple[Any, ...], transformer: bool) -> tuple[float, float]:
    """The largest entry of a gradient at X, and the same at −X."""
    steps, d, seed, activation = case
    rng = np.random.default_rng(seed)
    tokens = rng.standard_normal((1, steps, d + 1))
    both_ = np.concatenate([tokens, -tokens])
    if transformer:
        heads = sample_heads(4, d + 1, rng)
        found = gradients(heads, Inputs(both_, both_[:, -1]), activation).W
    else:
        phi = RecurrentParameters(
            rng.standard_normal((4, d + 1)), rng.uniform(-1, 1, 4), rng.standard_normal(4)
        )
        found = jacobian_in_w(phi, both_, activation)
    here, there = found.reshape(2, -1)
    place = int(np.abs(here).argmax())
    return float(here[place]), float(there[place])


@METRIC.tested("IndRNN", over=_NETWORKS)
def recurrent_pairs(case: tuple[Any, ...]) -> Point:
    """The largest derivative at X, and at −X."""
    here, there = _gradients(case, transformer=False)
    # The same operations with signs changed; exponents and products of size at most some tens.
    return {rnn_slope: here, rnn_slope_opposite: Rounded(there, 1e-12 * abs(here))}


@METRIC.tested("transformer", over=_NETWORKS)
def attention_pairs(case: tuple[Any, ...]) -> Point:
    """The largest entry of the gradient at X, and at −X."""
    here, there = _gradients(case, transformer=True)
    # The same operations with signs changed; exponents and products of size at most some tens.
    return {W_slope: here, W_slope_opposite: Rounded(there, 1e-12 * abs(here))}


@lru_cache(maxsize=8)
def _losses(seed: int, draws: int, lag: int, n: int, steps: int, width: int) -> NDArray[np.float64]:
    """Smallest validation losses of IndRNNs."""
    rngs = np.random.default_rng(seed).spawn(draws)
    return np.array([recurrent_run(lag, n, steps, rng, width)[1] for rng in rngs])


def _key(rng: Rng) -> int:
    return int(rng.integers(2**62))


NORMS = claim(
    "st.fig2.norms",
    at="Section 6.2 and Figure 2",
    title="The IndRNN has larger and more variable Jacobian norms; the transformer remains stable",
    states=gt(rnn_norm, tf_norm),
    given=letters(rnn_norm, tf_norm, under=[AUTOREGRESSIVE]),
    assuming=[AUTOREGRESSIVE],
    note=_NOTE,
)
NORMS.left_open(
    "the text gives neither the lags nor γ, and no size of the difference; at the sizes run here,"
    " with γ = 3/2, the norms do not differ for L up to 8, and the IndRNN's are larger and more"
    " variable at 16 (by a factor of about 2) and at 32 (of about 30): see the note"
)

SIZES = Hypothesis(
    "sizes",
    "the initial size of recurrent weights is 3/2, the window is one longer than the lag, and"
    " descent is not projected; the first pair of lags is tried with 8 units, 200 samples and 60"
    " steps, the second one with 64 units, 300 samples and 200 steps",
)
_SERIES = Hypothesis(
    "series",
    "the autoregressive coefficient is 9/10 and the variance of the noise 1/10",
    And(eq(of.persistence, Rational(9, 10)), eq(of.noise, Rational(1, 10))),
)
_SMALLER = r"\mathbb{E}\min_s\hat{\mathcal{L}}^{\mathrm{rnn}}_{\mathrm{val}}"
_TASK = (AUTOREGRESSIVE, EVEN_WIDTH, PAIRED_UNITS, SIZES, _SERIES)

_SHORT = "true as well: means over 400 runs are 0.15 and 0.32 at the lags 1 and 2, 0.47 at 7 to 9"
_LONG = "true as well: means over runs are below 0.22 at the lags 1 to 3, above 0.46 at 31 to 33"

LOSSES = claim(
    "st.fig2.losses",
    at="Section 6.2 and Figure 2",
    title="The IndRNN performs well for small lags and degrades as L increases",
    states=sentence(
        _SMALLER + "(L) $below " + _SMALLER + r"(L'), \quad (L, L') \in"
        r" \{($short, $long), ($middle, $large)\}",
        below=Choice("<", 1), short=1, long=8, middle=2, large=32,
    ),
    given=letters(under=_TASK),
    assuming=_TASK,
    note=_NOTE,
    excused={
        "short: 1 -> 2": _SHORT, "long: 8 -> 7": _SHORT, "long: 8 -> 9": _SHORT,
        "middle: 2 -> 1": _LONG, "middle: 2 -> 3": _LONG,
        "large: 32 -> 31": _LONG, "large: 32 -> 33": _LONG,
    },
)  # fmt: skip


#: The task of which samples are drawn, of these hypotheses.
_SAMPLED: dict[str, Any] = {
    "uses": _TASK,
    "over": {
        **{of.lag: integers(1), of.m: integers(2)},
        **{of.noise: of.POSITIVE, of.persistence: open_interval(-1, 1)},
    },
}


def _difference(rng: Rng, draws: int, lags: tuple[int, int], below: int, sizes: Any) -> MeanTest:
    found = [_losses(_key(rng), draws, lag, *sizes) for lag in lags]
    return mean_test(below * (found[1] - found[0]), 0.0, alternative="less")


@LOSSES.estimated(
    draws=40,
    controls={"exchanged": {"short": 8, "long": 1}, "larger": {"below": -1}},
    **_SAMPLED,
)
def smaller_networks(rng: Rng, draws: int, short: int, long: int, below: int) -> MeanTest:
    """Lags 1 and 8, with 8 units, 200 samples and 60 steps; differences of independent runs.

    The difference is 2.6 of its standard deviations, so 40 runs see it at any level down to 1e-12.
    """
    return _difference(rng, min(draws, 48), (short, long), below, (200, 60, 8))


@LOSSES.estimated(
    draws=2,
    controls={"exchanged": {"middle": 32, "large": 2}, "larger": {"below": -1}},
    profile=Profile.FULL,
    **_SAMPLED,
)
def wide_networks(rng: Rng, draws: int, middle: int, large: int, below: int) -> MeanTest:
    """Lags 2 and 32, with 64 units, 300 samples and 200 steps."""
    return _difference(rng, draws, (middle, large), below, (300, 200, WIDTH))
