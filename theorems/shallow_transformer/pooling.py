"""Facts 2 and 3: the mean of the tokens and their covariance under softmax weights.

Both are moments of a random token, and the proofs are those of moments: they hold for all T and d.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.softmax_jacobian import covariance, softmax
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from symbolic.softmax_jacobian import covariance as exact_covariance
from symbolic.softmax_jacobian import softmax_jacobian, weight_symbols
from theorems.engine import Measured, Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain
from theorems.shallow_transformer.softmax import KERNEL
from theorems.shallow_transformer.softmax_cumulants import COVARIANCE

Floats = NDArray[np.float64]

GIVEN: dict[str, Domain] = {"T": integers(1), "d": integers(1)}
TOKENS = "tokens have |X_t| ≤ 1; the weights α are positive and add up to 1"
_NOTE = "proofs_notes/st_softmax.md#pooled-tokens"
_SIZES = ((1, 1), (1, 2), (2, 1), (2, 2), (3, 2))


def pairs_form(weights: Any, u: Any) -> Any:
    """Σ_{s<t} p_s p_t (u_s − u_t)²."""
    tokens = range(len(weights))
    return sum(
        (weights[s] * weights[t] * (u[s] - u[t]) ** 2 for s, t in combinations(tokens, 2)),
        sp.Integer(0),
    )


def letters(name: str, rows: int, columns: int = 1) -> Any:
    """A matrix of real letters."""
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}_{i}{j}", real=True))


MEAN = claim(
    "st.fact2",
    at="Fact 2",
    title="The pooled token lies in the unit ball",
    states=(
        r"a(X;W) = \sum_t\alpha_tX_t, \qquad"
        r" \|a(X;W)\| \le \sum_t\alpha_t\|X_t\| \le \sum_t\alpha_t = 1"
    ),
    given=GIVEN,
    assuming=(TOKENS, "equality with 1 if and only if all tokens are the same unit vector"),
)


@MEAN.proved(controls={"half": {"share": sp.Rational(1, 2)}}, part="triangle inequality")
def pairs_of_tokens(share: Any = 1) -> Obligations:
    """(Σ α|X|)² − |Σ αX|² = Σ_{s<t} 2α_s α_t (|X_s||X_t| − ⟨X_s, X_t⟩), for any T and d."""
    p, q, x, y, inner = sp.symbols("p q x y inner", real=True)
    # Squares of one token cancel; a pair s ≠ t occurs twice in each square.
    left = (share * (p * x + q * y)) ** 2 - (p**2 * x**2 + q**2 * y**2 + 2 * p * q * inner)
    yield "each pair", equal(left, 2 * p * q * (x * y - inner))
    for d in (1, 2, 3):
        first, second = letters("X", d), letters("Y", d)
        squares = sum(
            (first[i] * second[j] - first[j] * second[i]) ** 2 for i, j in combinations(range(d), 2)
        )
        gap = first.dot(first) * second.dot(second) - first.dot(second) ** 2
        yield f"Cauchy-Schwarz, d = {d}", equal(gap, sp.sympify(squares))


@MEAN.proved(controls={"one_per_cent_less": {"bound": sp.Rational(99, 100)}}, part="bound")
def lengths_at_most_one(bound: Any = 1) -> Obligations:
    """1 − |a|² = Σ α(1 − |X|²) + Σ_{s<t} α_s α_t |X_s − X_t|², each coordinate as in st.fact1."""
    for T in (1, 2, 3):
        p, x = weight_symbols(T), sp.symbols(f"x_1:{T + 1}", real=True)
        mean = sum(w * one for w, one in zip(p, x, strict=True))
        square = sum(w * one**2 for w, one in zip(p, x, strict=True))
        yield f"a coordinate, T = {T}", equal(square - mean**2, pairs_form(p, x))
    short, apart = sp.symbols("short apart", nonnegative=True)
    yield "|a|² = 1 − short − apart", nonnegative(bound**2 - (1 - short - apart))


@dataclass(frozen=True)
class Pool:
    """Logits and tokens in the unit ball, as rows."""

    logits: Floats
    tokens: Floats

    @property
    def mean(self) -> Floats:
        """The pooled token."""
        return np.asarray(softmax(self.logits) @ self.tokens)

    @property
    def covariance(self) -> Floats:
        """M."""
        return covariance(self.logits, self.tokens)


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """Random tokens; equal ones; opposite ones; one token; unit ones; all with ties and gaps."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    T, d = draw(st.integers(1, 7)), draw(st.integers(1, 4))
    z = draw(st.sampled_from([0.0, 1.0, 20.0])) * rng.standard_normal(T)
    x = rng.standard_normal((T, d))
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    kind = draw(st.sampled_from(["opposite", "equal", "unit", "inside"]))
    if kind == "inside":
        return Pool(z, unit * rng.uniform(0, 1, (T, 1)))
    if kind == "unit":
        return Pool(z, unit)
    sides = np.ones(T) if kind == "equal" else np.resize([1.0, -1.0], T)
    return Pool(z, sides[:, None] * unit[0])


# Unit vectors have norms 1 up to d roundings; means and covariances are good to a few units in the
# last place of 1.
_ROUNDING = 64 * 2.0**-52


@MEAN.tested(over=pools, controls={"one_per_cent_less": {"bound": 0.99}}, part="bound")
def length_of_the_mean(pool: Pool, bound: float = 1.0) -> Measured:
    """|a| over 1."""
    return Measured(float(np.linalg.norm(pool.mean)) / bound, _ROUNDING)


COVARIANCE_OF_TOKENS = claim(
    "st.fact3",
    at="Fact 3",
    title="M is the covariance of the tokens, and small",
    states=(
        r"M = X(\operatorname{diag}(\alpha)-\alpha\alpha^\top)X^\top"
        r" = \sum_t\alpha_t(X_t-\mu)(X_t-\mu)^\top \succeq 0, \quad"
        r" M \preceq \sum_t\alpha_tX_tX_t^\top, \quad"
        r" \|M\|_F \le \operatorname{tr}M \le \sum_t\alpha_t\|X_t\|^2 \le 1"
    ),
    given=GIVEN,
    assuming=TOKENS,
    rests_on=[COVARIANCE, KERNEL],
    note=_NOTE,
)


@COVARIANCE_OF_TOKENS.proved(
    controls={"second_moments": {"centred": 0}, "twice": {"centred": 2}}, part="forms"
)
def three_forms(centred: int = 1) -> Obligations:
    """Entry (k, l) is Cov(X_k, X_l), to which st.fact1.covariance applies for any T."""
    for T, d in ((2, 2), (3, 2)):
        p, X = weight_symbols(T), letters("X", T, d)
        product = X.T * softmax_jacobian(p) * X
        mean = X.T * sp.Matrix(p)
        moments = X.T * sp.diag(*p) * X - centred * mean * mean.T
        yield f"T = {T}, d = {d}: X J Xᵀ", equal(product, exact_covariance(p, X))
        yield f"T = {T}, d = {d}: less the mean", equal(product, moments)


@COVARIANCE_OF_TOKENS.proved(controls={"reversed": {"sign": -1}}, part="semidefinite order")
def sums_of_squares(sign: int = 1) -> Obligations:
    """uᵀMu = Σ_{s<t} α_s α_t ⟨u, X_s − X_t⟩² ≥ 0, and Σ αXXᵀ − M = μμᵀ."""
    for T, d in _SIZES:
        p, X, u = weight_symbols(T), letters("X", T, d), letters("u", d)
        form = (u.T * exact_covariance(p, X) * u)[0]
        yield f"T = {T}, d = {d}: uᵀMu", equal(sign * form, pairs_form(p, X * u))
        mean = X.T * sp.Matrix(p)
        rest = X.T * sp.diag(*p) * X - exact_covariance(p, X)
        yield f"T = {T}, d = {d}: the rest", equal(sign * rest, mean * mean.T)


@COVARIANCE_OF_TOKENS.proved(
    controls={"one_per_cent_less": {"bound": sp.Rational(99, 100)}}, part="norms"
)
def trace_of_a_semidefinite_matrix(bound: Any = 1) -> Obligations:
    """(Σ λ)² − Σ λ² = 2 Σ_{i<j} λ_i λ_j ≥ 0; tr M = Σ α|X|² − |μ|², Σ α|X|² = 1 − short."""
    for d in (1, 2, 3):
        eigenvalues = sp.symbols(f"l_1:{d + 1}", nonnegative=True)
        trace, square = sum(eigenvalues), sum(one**2 for one in eigenvalues)
        yield f"|M|_F ≤ tr M, d = {d}", nonnegative(bound * trace**2 - square)
    short, mean = sp.symbols("short mean", nonnegative=True)
    yield "tr M ≤ 1", nonnegative(bound - (1 - short - mean))


@COVARIANCE_OF_TOKENS.tested(
    over=pools, controls={"one_per_cent_less": {"bound": 0.99}}, part="norms"
)
def frobenius_norm(pool: Pool, bound: float = 1.0) -> Measured:
    """|M|_F over 1."""
    return Measured(float(np.linalg.norm(pool.covariance)) / bound, _ROUNDING)


SHARP = COVARIANCE_OF_TOKENS.sharpened(
    "st.fact3.sharp",
    title="The trace of M and the length of the mean together",
    states=(
        r"\|M\| \le \|M\|_F \le \operatorname{tr}M = \sum_t\alpha_t\|X_t\|^2-\|a\|^2"
        r" \le 1-\|a\|^2"
    ),
    given=GIVEN,
    assuming=(
        TOKENS,
        "tokens ±e of mean xe attain all of it at once, for each x in [−1, 1]; tokens"
        " xe ± (1 − x²)^{1/2}e′ with equal weights do so for the variance along e′ ⟂ e",
    ),
    rests_on=[COVARIANCE_OF_TOKENS],
    note=_NOTE,
)


@SHARP.proved(controls={"fourth_power": {"power": 4}, "without_mean": {"share": 0}}, part="bound")
def trace_and_mean(share: int = 1, power: int = 2) -> Obligations:
    """tr M = Σ α|X|² − |a|²; with Σ α|X|² = 1 − short the gap is short."""
    for T, d in _SIZES:
        p, X = weight_symbols(T), letters("X", T, d)
        mean = X.T * sp.Matrix(p)
        square = sum(w * X.row(t).dot(X.row(t)) for t, w in enumerate(p))
        trace = square - share * mean.dot(mean) ** (power // 2)
        yield f"T = {T}, d = {d}", equal(exact_covariance(p, X).trace(), trace)


@SHARP.proved(controls={"tokens_inside": {"length": sp.Rational(1, 2)}}, part="attained")
def opposite_tokens(length: Any = 1) -> Obligations:
    """±e with weights (1 ± x)/2: M = (1 − x²)eeᵀ; xe ± (1 − x²)^{1/2}e′: M = (1 − x²)e′e′ᵀ."""
    x = sp.Symbol("x", real=True)
    weights = ((1 + x) / 2, (1 - x) / 2)
    M = exact_covariance(weights, [[length, 0], [-length, 0]])
    yield "along the mean", equal(M, sp.diag(1 - x**2, 0))
    height = length * sp.sqrt(1 - x**2)
    across = exact_covariance(("1/2", "1/2"), [[x, height], [x, -height]])
    yield "across the mean", equal(across, sp.diag(0, 1 - x**2), {x: sp.Interval.open(-1, 1)})


@SHARP.tested(
    over=pools,
    controls={"one_per_cent_less": {"factor": 0.99}, "length_of_the_mean": {"power": 1}},
    part="bound",
)
def trace_over_bound(pool: Pool, factor: float = 1.0, power: int = 2) -> Measured:
    """tr M over 1 − |a|²."""
    bound = factor * (1 - float(np.linalg.norm(pool.mean)) ** power)
    trace = float(np.trace(pool.covariance))
    if trace < 1e-6:
        return Measured(0.0)
    # 1 − |a|² is at least the trace, and good to a few units in the last place of 1.
    return Measured(trace / max(bound, 1e-9), _ROUNDING / trace)


SPREAD = claim(
    "st.fact3.spread",
    at="Fact 3",
    title="M from the distances of the tokens",
    states=(
        r"\|M\| \le \tfrac14\max_{s,t}\|X_s-X_t\|^2, \qquad"
        r" \operatorname{tr}M \le \min_{x}\max_t\|X_t-x\|^2"
    ),
    given=GIVEN,
    assuming="the first is attained by two tokens of equal weights; both are free of |X_t| ≤ 1",
    rests_on=[COVARIANCE_OF_TOKENS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SPREAD.proved(controls={"half_the_range": {"share": sp.Rational(1, 5)}}, part="bound")
def popoviciu(share: Any = sp.Rational(1, 4)) -> Obligations:
    """Var Y ≤ (B − A)²/4 for A ≤ Y ≤ B; tr M = E|X − x|² − |a − x|² for every x."""
    y, A, B, m = sp.symbols("y A B m", real=True)
    # E (Y − A)(B − Y) ≥ 0 gives Var Y ≤ (m − A)(B − m), at most a quarter of the square.
    product = sp.expand((y - A) * (B - y))
    variance_bound = product + y**2 - m**2
    yield "Bhatia, Davis", equal(variance_bound.subs(y, m), (m - A) * (B - m))
    gap = share * (B - A) ** 2 - (m - A) * (B - m)
    yield "Popoviciu", equal(gap, (m - (A + B) / 2) ** 2)
    for T in (1, 2, 3):
        p, X, x = weight_symbols(T), letters("X", T), sp.Symbol("x", real=True)
        square = sum(w * (one - x) ** 2 for w, one in zip(p, X, strict=True))
        mean = sum(w * one for w, one in zip(p, X, strict=True))
        trace = exact_covariance(p, X).trace()
        yield f"about another point, T = {T}", equal(trace, square - (mean - x) ** 2)


@SPREAD.tested(over=pools, controls={"one_per_cent_less": {"factor": 0.99}}, part="bound")
def norm_over_diameter(pool: Pool, factor: float = 1.0) -> Measured:
    """‖M‖ over a quarter of the squared diameter."""
    differences = pool.tokens[:, None] - pool.tokens
    square = float(np.max(np.sum(differences**2, axis=-1)))
    if square < 1e-6:
        return Measured(0.0)
    norm = float(np.linalg.norm(pool.covariance, 2))
    return Measured(4 * norm / (factor * square), _ROUNDING / square)
