"""Section 6.2: the autoregressive task, what can be predicted and which token tells it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.networks.autoregressive import ar_windows, with_positions
from numeric.networks.transformer import (
    TANH,
    last_token,
    predict,
    sample_heads,
)
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.engine import Discrepancy, Obligations, Provenance, claim, integers

Rng = np.random.Generator

_NOTE = "proofs_notes/st_figures.md#the-autoregressive-task"
_ALPHA, _NOISE = sp.Rational(9, 10), sp.Rational(1, 10)

FLOOR = claim(
    "st.fig2.noise_floor",
    at="Section 6.2",
    title="The best loss on the AR(L) task is 1/10, and the zero predictor has 10/19",
    states=(
        r"\inf_g\mathbb{E}\,(y - g(X))^2 = \sigma_\varepsilon^2 = \tfrac1{10}, \quad"
        r" \mathbb{E}\,y^2 = \frac{\sigma_\varepsilon^2}{1 - \alpha^2} = \tfrac{10}{19}"
    ),
    given={"L": integers(1)},
    assuming="windows of the stationary process with T ≥ L; α = 9/10",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@FLOOR.proved(
    controls={"alpha": {"alpha": sp.Rational(4, 5)}, "deviation": {"noise": sp.sqrt(_NOISE)}}
)
def decompose_the_loss(alpha: Any = _ALPHA, noise: Any = _NOISE) -> Obligations:
    """E(αX + ε − g)² = σ² + E(αX − g)², as ε is independent of the window; Var X is stationary."""
    X, g, e = sp.symbols("X g epsilon", real=True)
    loss = sp.Poly(sp.expand((alpha * X + e - g) ** 2), e)
    expected = sum(c * (1, 0, noise)[power] for (power,), c in loss.terms())
    yield "decomposition", equal(expected, noise + (alpha * X - g) ** 2)
    yield "the best g", equal(expected.subs(g, alpha * X), sp.Rational(1, 10))
    variance = noise / (1 - alpha**2)
    yield "stationary", equal(alpha**2 * variance + noise, variance)
    yield "10/19", equal(variance, sp.Rational(10, 19))


@FLOOR.estimated(
    draws=20_000,
    controls={"first_token": {"token": 1}, "last_token": {"token": 8}, "alpha": {"alpha": 0.7}},
)
def losses_of_two_predictors(
    rng: Rng, draws: int, token: int = 2, alpha: float = 0.9
) -> Iterator[MeanTest]:
    """The squares of y − αX_2 and of y for L = 7 and T = 8."""
    drawn = ar_windows(draws, 8, 7, 0.9, 0.1, rng)
    yield mean_test((drawn.labels - alpha * drawn.values[:, token - 1]) ** 2, 0.1)
    yield mean_test(drawn.labels**2, 10 / 19)


WINDOW = claim(
    "st.fig2.window",
    at="Section 6.2",
    title="With T = L + 1 the lag falls within the window: the label depends on token 2 alone",
    states=r"T = L + 1 \implies \mathbb{E}[X_{T+1} \mid X_1, \dots, X_T] = \alpha X_2",
    given={"L": integers(1)},
    note=_NOTE,
)


def _regression(L: int, T: int) -> sp.Matrix:
    """The coefficients of E[X_{T+1} | X_1, …, X_T] for the stationary Gaussian process."""

    def covariance(s: int, t: int) -> sp.Expr:
        return _ALPHA ** (abs(s - t) // L) if (s - t) % L == 0 else sp.S.Zero

    gram = sp.Matrix(T, T, covariance)
    return gram.LUsolve(sp.Matrix(T, 1, lambda t, _: covariance(T, t)))


def _unit(T: int, token: int) -> sp.Matrix:
    return sp.Matrix(T, 1, lambda t, _: _ALPHA if t == token - 1 else 0)


@WINDOW.proved(
    controls={"first_token": {"token": 1}, "shorter": {"more": 0}, "longer": {"more": 2}}
)
def regression_on_the_window(token: int = 2, more: int = 1) -> Obligations:
    """X_{T+1} = αX_{T+1−L} + ε and T + 1 − L = 2; and by the normal equations for L ≤ 6."""
    for L in range(1, 7):
        T = L + more
        yield f"the index, L = {L}", token == T + 1 - L
        yield f"the coefficients, L = {L}", _regression(L, T) == _unit(T, token)


SHARP = WINDOW.sharpened(
    "st.fig2.window.sharp",
    title="T = L is enough, and T = L − 1 is useless",
    states=(
        r"T = L \implies \mathbb{E}[X_{T+1} \mid X] = \alpha X_1, \quad"
        r" T = L - 1 \implies \mathbb{E}[X_{T+1} \mid X] = 0"
    ),
    given={"L": integers(2)},
    note=_NOTE,
)


@SHARP.proved(controls={"one_more": {"more": 1}, "one_less": {"more": -1}})
def regression_on_shorter_windows(more: int = 0) -> Obligations:
    """X_1, …, X_L are independent, and only the first of them reappears in X_{L+1}."""
    for L in range(2, 7):
        T = L + more
        yield f"T = L = {L}", _regression(L, T) == _unit(T, 1)
        yield f"T = L − 1 = {L - 1}", _regression(L, T - 1) == sp.zeros(T - 1, 1)


POSITIONS = claim(
    "st.fig2.positions",
    at="Section 6.2",
    title="Without positional channels the order of all tokens but the last is invisible",
    states=r"f(X_{\pi(1)}, \dots, X_{\pi(T-1)}, X_T; \varphi) = f(X; \varphi)",
    given={"T": integers(2)},
    assuming="q_X = X_T, π a permutation of [T − 1]",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@POSITIONS.proved(controls={"last_as_well": {"fixed": 0}, "position": {"channel": 1}})
def mean_is_a_symmetric_function(fixed: int = 1, channel: int = 0) -> Obligations:
    """a = Σ e^(wX_t q) X_t / Σ e^(wX_t q) for T = 3, first with tokens exchanged, then not."""
    w = sp.Symbol("w", real=True)
    x = sp.symbols("x1:4", real=True)

    def mean(tokens: tuple[sp.Expr, ...]) -> sp.Expr:
        shifted = [one + channel * t for t, one in enumerate(tokens)]
        terms = [sp.exp(w * one * shifted[-1]) for one in shifted]
        return sum(e * one for e, one in zip(terms, shifted, strict=True)) / sum(terms)

    exchanged = (x[1], x[0], x[2]) if fixed else (x[0], x[2], x[1])
    yield "the mean", equal(mean(exchanged), mean(x))


@POSITIONS.tested(
    over=st.builds(
        lambda T, L, seed: (T, L, seed),
        st.integers(3, 12),
        st.integers(1, 4),
        st.integers(0, 10**6),
    ),
    controls={"last_as_well": {"fixed": 0}, "with_positions": {"pairs": 2}},
)
def permuted_windows(case: tuple[int, int, int], fixed: int = 1, pairs: int = 0) -> Discrepancy:
    """The output at a window and at a permuted one, for random heads."""
    T, L, seed = case
    rng = np.random.default_rng(seed)
    values = ar_windows(1, T, L, 0.9, 0.1, rng).values
    order = rng.permutation(T - fixed)
    permuted = values.copy()
    permuted[:, : T - fixed] = values[:, order]
    tokens = [with_positions(one, pairs) if pairs else one[..., None] for one in (values, permuted)]
    heads = sample_heads(6, tokens[0].shape[2], rng)
    first, second = (predict(heads, last_token(one), TANH)[0] for one in tokens)
    # Sums over T tokens in another order, in exponents of size at most some tens.
    return Discrepancy(float(first - second), 1e-12)
