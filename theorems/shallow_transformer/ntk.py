"""Section 5.3: the tangent kernel and its blocks (Lemma 4), Remark 6."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.networks.transformer import (
    ERF,
    TANH,
    Inputs,
    features,
    gradients,
    sample_heads,
    symmetric_initialisation,
)
from numeric.statistics import MeanTest, mean_test
from numeric.transformer_kernel import blocks_given_attention, sampled_blocks
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Discrepancy, Measured, Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain, half_line

Floats = NDArray[np.float64]

_NOTE = "proofs_notes/st_function_space.md#the-tangent-kernel"
_AT = "Lemma 4"
_WIDTH: dict[str, Domain] = {"m": integers(2)}

BLOCKS = claim(
    "st.lem4.blocks",
    at="Lemma 4, proof",
    title="The kernel of finite width as a mean over m/2 heads",
    states=(
        r"K_m(X, X') = \frac2m\sum_{i=1}^{m/2}\bigl(\sigma(U_i\cdot a_i)\sigma(U_i\cdot a_i')"
        r" + \sigma'(U_i\cdot a_i)\sigma'(U_i\cdot a_i')(\langle a_i, a_i'\rangle"
        r" + \langle q_X, q_{X'}\rangle U_i^\top M_iM_i'U_i)\bigr)"
    ),
    given=_WIDTH,
    assuming="m is even",
    rests_on=["st.lem1"],
    note=_NOTE,
)


@BLOCKS.proved(controls={"over_m": {"copies": 1}, "first_power": {"power": 1}})
def squares_of_signs(copies: int = 2, power: int = 2) -> Obligations:
    """⟨xyᵀ, x′y′ᵀ⟩_F = ⟨x, x′⟩⟨y, y′⟩, M symmetric, c_i² = 1, equal heads in both halves."""
    vectors = [sp.Matrix(sp.symbols(f"{name}1:3", real=True)) for name in ("x", "y", "z", "w")]
    x, y, z, w = vectors
    product = (x * y.T).multiply_elementwise(z * w.T)
    yield "Frobenius", equal(sp.expand(sum(product)), sp.expand(x.dot(z) * y.dot(w)))
    entries = sp.symbols("m11 m12 m22 n11 n12 n22", real=True)
    M = sp.Matrix([[entries[0], entries[1]], [entries[1], entries[2]]])
    N = sp.Matrix([[entries[3], entries[4]], [entries[4], entries[5]]])
    form = (M * x).dot(N * x)
    yield "U.M M'U", equal(sp.expand(form), sp.expand((x.T * M * N * x)[0, 0]))
    half = 3
    kappa = sp.symbols(f"k1:{half + 1}", real=True)
    total = sum(sign**power * one for sign in (1, -1) for one in kappa)
    yield "pairs", equal(total / (2 * half), sp.Rational(copies, 2 * half) * sum(kappa))


@BLOCKS.tested(
    over=st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 4), st.integers(0, 10**6)),
    controls={"m_heads": {"copies": 1.0}, "no_queries": {"queries": 0}},
    cases=60,
)
def inner_products_of_gradients(
    case: tuple[int, int, int, int], copies: float = 2.0, queries: int = 1
) -> Discrepancy:
    """Gradients of all parameters against the features of the first half."""
    half, d, T, seed = case
    rng = np.random.default_rng(seed)
    start = symmetric_initialisation(2 * half, d, rng)
    X = Inputs(rng.uniform(-1, 1, (2, T, d)), rng.uniform(-1, 1, (2, d)))
    found = gradients(start, X, TANH)
    kernel = sum(np.vdot(block[0], block[1]) for block in (found.c, found.U, found.W))
    phi = features(start.heads(0, half), X, TANH)
    spread = phi.W[..., 0] / X.queries[:, None, None, 0]
    product = (X.queries[0] @ X.queries[1]) ** queries
    mean = phi.c[0] @ phi.c[1] + np.vdot(phi.U[0], phi.U[1])
    mean += product * np.vdot(spread[0], spread[1])
    # At most 8·13 products of size 10; the features are divided by a coordinate of the query.
    allowed = 1e-12 / min(1.0, float(np.abs(X.queries[:, 0]).min()) ** 2)
    return Discrepancy(float(kernel - copies / start.m * mean), allowed)


MEAN = claim(
    "st.lem4.mean",
    at=_AT,
    title="The kernel of any width has the limiting kernel as its mean",
    states=(
        r"\mathbb{E}K_m(X, X') = K(X, X') = K_c + K_u + K_w, \quad"
        r" \mathbb{E}(K_m - K)^2 = \tfrac2m\operatorname{Var}\kappa"
        r" \le \tfrac2m(\sigma_0^2 + (1 + \sqrt3)\sigma_1^2)^2"
    ),
    given=_WIDTH,
    assuming="m is even; κ is the term of one head; with m independent heads 1/m for 2/m",
    rests_on=[BLOCKS, "st.fact2", "st.fact3", "classical.gaussian_moments"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEAN.proved(controls={"m_terms": {"copies": 1}, "fourth_moment": {"fourth": 2}})
def variance_of_a_mean(copies: int = 2, fourth: int = 3) -> Obligations:
    """A mean of m/2 independent copies of κ; ‖κ‖₂ ≤ σ₀² + σ₁² + σ₁²‖|MU||M′U|‖₂.

    By Cauchy-Schwarz and (20) with k = 2: E|MU|²|M′U|² ≤ (E|MU|⁴ E|M′U|⁴)^(1/2) ≤ 3.
    """
    m, variance = sp.symbols("m v", positive=True)
    yield "variance", equal(variance / (m / 2), copies * variance / m)
    g = sp.Symbol("g", real=True)
    gauss = sp.exp(-(g**2) / 2) / sp.sqrt(2 * sp.pi)
    moment = sp.integrate(g**4 * gauss, (g, -sp.oo, sp.oo))
    yield "fourth moment", equal(moment, sp.Integer(fourth))


def sequences(rng: np.random.Generator, n: int, T: int, d: int) -> Inputs:
    """Normal tokens clipped to the unit ball, with the last token for the query."""
    tokens = rng.standard_normal((n, T, d))
    tokens /= np.maximum(1, np.linalg.norm(tokens, axis=2, keepdims=True))
    return Inputs(tokens, tokens[:, -1])


@MEAN.estimated(draws=3000, controls={"one_pair": {"factor": 2.0}, "other_bound": {"shift": 0.1}})
def kernels_of_small_networks(
    rng: np.random.Generator, draws: int, factor: float = 1.0, shift: float = 0.0
) -> Iterator[MeanTest]:
    """m = 2 and erf: features of the heads minus the mean over U in closed form, given W."""
    for T, d in ((1, 2), (3, 2), (5, 3)):
        X, heads = sequences(rng, 2, T, d), sample_heads(draws, d, rng)
        phi = features(heads, X, ERF)
        kernel = phi.c[0] * phi.c[1] + np.sum(phi.U[0] * phi.U[1], axis=1)
        kernel += np.sum(phi.W[0] * phi.W[1], axis=(1, 2))
        closed = sampled_blocks("erf", X, heads.W).total[:, 0, 1]
        yield mean_test(factor * kernel - closed, shift)


LEMMA = claim(
    "st.lem4",
    at=_AT,
    title="The tangent kernel decomposes into three blocks",
    states=(
        r"K = K_c + K_u + K_w = \lim_{m \to \infty}K_m \;\text{in mean square}, \quad"
        r" K_c = \mathbb{E}\,\sigma(U\cdot a)\sigma(U\cdot a'), \quad \ldots"
    ),
    given=_WIDTH,
    rests_on=[MEAN],
    note=_NOTE,
)


@LEMMA.proved(controls={"slower": {"power": 0}})
def the_variance_vanishes(power: int = 1) -> Obligations:
    """2 Var κ/m → 0."""
    m, variance = sp.symbols("m v", positive=True)
    yield "limit", bool(sp.limit(2 * variance / m**power, m, sp.oo) == 0)


STRONG = claim(
    "st.lem4.almost_surely",
    at="Lemma 4, proof",
    title="The kernels of growing width converge almost surely",
    states=r"\mathbb{P}\Bigl(\lim_{m \to \infty}K_m(X, X') = K(X, X')\Bigr) = 1",
    assuming="for fixed X, X′, the heads of all widths being the first ones of one sequence",
    rests_on=[MEAN],
    note=_NOTE,
)
STRONG.cited(
    "Kolmogorov's strong law of large numbers",
    why="the terms are independent copies with a finite mean; limits along a sequence of events",
)

POSITIVE = claim(
    "st.lem4.psd",
    at=_AT,
    title="All three blocks are positive semidefinite kernels",
    states=(
        r"\sum_{j,k}x_jx_kK(X^{(j)}, X^{(k)})"
        r" = \mathbb{E}\Bigl\|\sum_jx_j\phi(X^{(j)})\Bigr\|^2 \ge 0"
    ),
    rests_on=[MEAN],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@POSITIVE.proved(controls={"other_sign": {"sign": -1}})
def squares_of_sums(sign: int = 1) -> Obligations:
    """The quadratic form is a mean of squares; three inputs and two coordinates of a feature."""
    x = sp.symbols("x1:4", real=True)
    phi = sp.Matrix(3, 2, sp.symbols("p1:7", real=True))
    form = sum(
        sign ** (j != k) * x[j] * x[k] * phi.row(j).dot(phi.row(k))
        for j in range(3)
        for k in range(3)
    )
    square = sum(sum(x[j] * phi[j, r] for j in range(3)) ** 2 for r in range(2))
    yield "square", equal(sp.expand(form), sp.expand(square))


@POSITIVE.tested(
    over=st.tuples(st.sampled_from(["erf", "relu"]), st.integers(0, 10**6)),
    controls={"without_the_inverse": {"bend": 0.3}},
    cases=60,
)
def least_eigenvalues(case: tuple[str, int], bend: float = 0.0) -> Measured:
    """1 - (least eigenvalue)/(largest entry) of each block's closed form, given W."""
    name, seed = case
    rng = np.random.default_rng(seed)
    blocks = sampled_blocks(name, sequences(rng, 5, 3, 2), rng.standard_normal((1, 2, 2)))
    ratios = []
    for block in blocks:
        matrix = block[0] - bend * np.diag(np.diag(block[0]))
        size = np.abs(block[0]).max()
        ratios.append(1 - float(np.linalg.eigvalsh(matrix)[0]) / size)
    # Eigenvalues of a 5 × 5 matrix to a few units in the last place of its norm.
    return Measured(max(ratios), 1e-13)


BOUND = claim(
    "st.lem4.bound",
    at=_AT,
    title="Bound of the kernel",
    states=r"|K(X, X')| \le \sigma_0^2 + \sigma_1^2",
    given={name: half_line(0, closed=False) for name in ("sigma_0", "sigma_1")},
    assuming="best as a bound by σ₀ and σ₁: activations σ₀ - ε + a triangular wave of height ε",
    rests_on=[POSITIVE, "st.fact3.sharp"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BOUND.proved(controls={"smaller": {"top": sp.Rational(9, 10)}, "trace_one": {"less": 0}})
def diagonal_values(top: Any = 1, less: int = 1) -> Obligations:
    """K(X, X) ≤ σ₀² + σ₁² E(|a|² + E|MU|²), E|MU|² = tr M² ≤ (1 - |a|²)²; then Cauchy-Schwarz.

    x² + (1 - x²)² ≤ 1 with equality at both ends; at x = 1 (equal unit tokens) M vanishes.
    """
    y = sp.Symbol("y", nonnegative=True)
    x = 1 / (1 + y)
    yield "both parts", nonnegative(sp.together(top - x**2 - (1 - less * x**2) ** 2))
    e, corners = sp.symbols("e corners", positive=True)
    s0, s1 = sp.symbols("sigma_0 sigma_1", positive=True)
    least = (s0 - 2 * e) ** 2 + s1**2 * (1 - corners)
    limit = least.subs({e: 0, corners: 0})
    yield "best", equal(limit, s0**2 + top * s1**2)


@BOUND.tested(
    over=st.tuples(st.integers(1, 3), st.integers(1, 3), st.floats(0, 5), st.integers(0, 10**6)),
    controls={"a_third": {"factor": 1 / 3}},
    cases=60,
)
def kernels_of_erf(case: tuple[int, int, float, int], factor: float = 1.0) -> Measured:
    """K given W for σ = erf, over 1 + 4/π."""
    T, d, size, seed = case
    rng = np.random.default_rng(seed)
    X = sequences(rng, 3, T, d)
    total = sampled_blocks("erf", X, size * rng.standard_normal((4, d, d))).total
    return Measured(float(np.abs(total).max() / (factor * (1 + 4 / np.pi))), 1e-13)


NONZERO = claim(
    "st.rem6.nonzero",
    at="Remark 6",
    title="The attention block of the kernel does not vanish",
    states=r"K_w \ne 0",
    given={"T": integers(1)},
    assuming="read for every length T ≥ 1, as the set-up allows",
    rests_on=[MEAN],
    note=_NOTE,
)


@NONZERO.refuted(controls={"two_tokens": {"weights": ("1/3", "2/3")}})
def one_token(weights: tuple[str, ...] = ("1",)) -> Obligations:
    """T = 1: the only weight is 1, J = 1 - 1 = 0 and M = 0."""
    p = sp.Matrix([sp.Rational(w) for w in weights])
    J = sp.diag(*p) - p * p.T
    yield "J = 0", bool(sp.zeros(*J.shape) == J)


NONZERO_CORRECTED = NONZERO.corrected(
    "st.rem6.nonzero.corrected",
    title="Where the attention block is positive",
    states=(
        r"K_w(X, X) > 0 \iff q_X \ne 0,\ \{X_t\} \;\text{is not a single point},\ \sigma \;"
        r"\text{is not constant}; \quad \langle q_X, q_{X'}\rangle = 0 \implies K_w(X, X') = 0"
    ),
    given={"T": integers(1)},
    rests_on=[MEAN, "st.fact3"],
    note=_NOTE,
)


@NONZERO_CORRECTED.proved(controls={"weights_may_vanish": {"least": 0}, "any_tokens": {"apart": 0}})
def traces_and_null_sets(least: int = 1, apart: int = 1) -> Obligations:
    """tr M = Σ_{s<t} α_sα_t|X_s - X_t|² > 0, for softmax weights are positive.

    σ′ is not 0 on an open set; a(W) is analytic in W and not constant (da = M dW q ≠ 0), so a ≠ 0
    for almost all W; then U.a has a density and MU ≠ 0 almost surely: E σ′(U.a)²|MU|² > 0.
    """
    for T in (2, 3):
        p = sp.symbols(f"p1:{T + 1}", positive=True)
        x = sp.symbols(f"x1:{T + 1}", real=True)
        total = sum(p)
        mean = sum(w * v for w, v in zip(p, x, strict=True)) / total
        trace = sum(w * (v - mean) ** 2 for w, v in zip(p, x, strict=True)) / total
        pairs = sum(p[s] * p[r] * (x[s] - x[r]) ** 2 for s in range(T) for r in range(s + 1, T))
        yield f"variance by pairs, T = {T}", equal(sp.simplify(trace - pairs / total**2), sp.S.Zero)
    weight, distance = sp.symbols("w D", positive=True)
    one = (least * weight * apart * distance).is_positive
    yield "a positive pair", bool(one)
    yield "orthogonal queries", equal(0 * weight, sp.S.Zero)


@NONZERO_CORRECTED.tested(
    over=st.tuples(st.integers(2, 5), st.integers(1, 3), st.integers(0, 10**6)),
    controls={"equal_tokens": {"equal_tokens": True}},
    cases=60,
)
def attention_blocks(case: tuple[int, int, int], equal_tokens: bool = False) -> Measured:
    """Zero over the least K_w(X, X) given W, as a ratio: 2 where it is not positive."""
    T, d, seed = case
    rng = np.random.default_rng(seed)
    tokens = rng.uniform(-0.5, 0.5, (1, T, d))
    if equal_tokens:
        tokens[:] = tokens[:, :1]
    M = np.cov(tokens[0].T, bias=True).reshape(d, d)
    mean = tokens[0].mean(axis=0)
    value = float(blocks_given_attention("erf", mean, mean, M, M, 1.0).w)
    return Measured(0.5 if value > 1e-12 else 2.0)
