"""Lemma 1 and its proof, (5)-(8) and (12)-(15): the gradients of the shallow transformer.

Each formula is compared with SymPy's own derivative for a formal activation and with a derivative
in floats by a complex step. For any number of tokens: p_t′ = p_t(s_t − s̄), and covariances are
bilinear.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.networks.transformer import TANH, Heads, Inputs, gradients
from numeric.softmax_jacobian import covariance, softmax
from symbolic.derivation import Derivation
from symbolic.equality import equal
from symbolic.networks.transformer import ExactTransformer
from symbolic.networks.transformer_gradients import differentiated_gradient, gradient
from symbolic.softmax_jacobian import covariance as exact_covariance
from symbolic.softmax_jacobian import derive_token_derivative, differentiated_jacobian
from symbolic.softmax_jacobian import softmax as exact_softmax
from theorems.engine import Discrepancy, Obligations, claim, integers
from theorems.engine.domain import Domain
from theorems.shallow_transformer.softmax import FACT

Floats = NDArray[np.float64]

GIVEN: dict[str, Domain] = {"m": integers(1), "d": integers(1), "T": integers(1)}
SMOOTH = "σ is twice differentiable, as the bound of σ″ says"
_PROOF = "Lemma 1, proof"
_SIZES = ((1, 1), (2, 1), (1, 2), (2, 2))  # T, d
_C = sp.Symbol("c", real=True)


def letters(name: str, rows: int, columns: int = 1) -> Any:
    """A matrix of real letters."""
    return sp.Matrix(rows, columns, lambda i, j: sp.Symbol(f"{name}_{i}{j}", real=True))


_pi, _pj = sp.symbols("p_i p_j", positive=True)
_si, _sj, _sr = sp.symbols("s_i s_j s_R", real=True)


def plain(expression: Any) -> Any:
    """Exponentials and values of the activation as letters, so that a rational function is left."""
    split = sp.expand_power_exp(expression)
    values = {one: sp.Symbol(type(one).__name__, real=True) for one in split.atoms(sp.Function)
              if type(one).__name__.startswith("sigma_")}  # fmt: skip
    split = split.xreplace(values)
    return split.xreplace(
        {one: _letter(*one.args[0].as_coeff_Mul()) for one in split.atoms(sp.exp)}
    )


def _letter(times: Any, exponent: Any) -> Any:
    """The power of a letter that stands for exp(times · exponent), the same one everywhere."""
    return sp.Symbol(f"exp[{exponent}]", positive=True) ** times


@cache
def sample(T: int, d: int, heads: int = 1) -> tuple[ExactTransformer, Any, Any]:
    """A network, tokens and a query, all in letters; further heads differ in c only."""
    U, W = letters("U", d), letters("W", d, d)
    first = [(_C, U, W)]
    others = [(sp.Symbol(f"c_{k}", real=True), U, 2 * W) for k in range(1, heads)]
    return ExactTransformer([*first, *others]), letters("X", T, d), letters("q", d)


@cache
def _both(T: int, d: int) -> tuple[Any, Any]:
    arguments = sample(T, d, heads=2)
    return differentiated_gradient(*arguments), gradient(*arguments)


def _agree(block: str, change: Callable[[Any, int], Any]) -> Obligations:
    for T, d in _SIZES:
        found, formula = _both(T, d)
        rows = {"c": range(1), "U": range(1, 1 + d), "W": range(1 + d, 1 + d + d * d)}[block]
        changed = change(sp.Matrix(formula), d)
        for row in rows:
            answer = equal(plain(found[row]), plain(changed[row]))
            yield f"T = {T}, d = {d}, entry {row}", answer


LEMMA_C = claim(
    "st.lem1.c",
    at="(5), (12)",
    title="Derivative by the output weight",
    states=r"\frac{\partial f(X;\varphi)}{\partial c_i} = m^{-1/2}h(X;\theta_i)",
    given=GIVEN,
)


@LEMMA_C.proved(controls={"power_of_m": {"factor": 1 / sp.sqrt(2)}, "sign": {"factor": -1}})
def output_weight(factor: Any = 1) -> Obligations:
    """SymPy's derivative, m = 2: f is affine in c_i, and other heads drop out."""
    yield from _agree("c", lambda formula, _: factor * formula)


LEMMA_U = claim(
    "st.lem1.u",
    at="(6), (13)",
    title="Gradient by the read-out vector",
    states=r"\nabla_{U_i}f(X;\varphi) = m^{-1/2}c_i\,\sigma'(U_i^\top a_i)\,a_i",
    given=GIVEN,
    assuming=SMOOTH,
)


@LEMMA_U.proved(
    controls={"power_of_m": {"factor": 1 / sp.sqrt(2)}, "without_c": {"factor": 1 / _C}}
)
def read_out(factor: Any = 1) -> Obligations:
    """SymPy's derivatives for a formal σ."""
    yield from _agree("U", lambda formula, _: factor * formula)


LEMMA_W = claim(
    "st.lem1.w",
    at="(7), (14)",
    title="Gradient by the attention matrix",
    states=(r"\nabla_{W_i}f(X;\varphi) = m^{-1/2}c_i\,\sigma'(U_i^\top a_i)\,(M_iU_i)q_X^\top"),
    given=GIVEN,
    assuming=SMOOTH,
    rests_on=["st.lem1.da", "st.lem1.trace", "st.lem1.m"],
)


@LEMMA_W.proved(
    controls={
        "power_of_m": {"factor": 1 / sp.sqrt(2)},
        "transposed": {"transposed": True},
        "sign": {"factor": -1},
    }
)
def attention_matrix(factor: Any = 1, transposed: bool = False) -> Obligations:
    """SymPy's derivatives for a formal σ, up to T = d = 2; st.lem1.da has any T and d."""

    def change(formula: Any, d: int) -> Any:
        block = sp.Matrix(d, d, list(formula[1 + d :]))
        rows = list(block.T if transposed else block)
        return sp.Matrix([*formula[: 1 + d], *(factor * one for one in rows)])

    yield from _agree("W", change)


DA = claim(
    "st.lem1.da",
    at=_PROOF,
    title="The differential of attention",
    states=r"d\alpha = J_s(z)\,dz, \quad dz = X^\top dW\,q_X, \quad da = M\,dW\,q_X",
    given=GIVEN,
    rests_on=[FACT],
)


@DA.proved(
    controls={
        "not_centred": {"claimed": _pi * _si},
        "one_weight": {"claimed": _si - _pi * _si - _pj * _sj - (1 - _pi - _pj) * _sr},
    },
    part="weights",
)
def weights_along_a_direction(claimed: Any = None) -> Derivation:
    """α_t′ = α_t(s_t − s̄) for slopes s_t of the logits, beside any number of other tokens."""
    return derive_token_derivative(claimed)


@DA.proved(controls={"transposed": {"transposed": True}}, part="mean")
def covariance_with_the_slopes(transposed: bool = False) -> Obligations:
    """da_k = Σ_t α_t(s_t − s̄)X_tk = Cov(X_k, s), s = ⟨X, dW q⟩, which is (M dW q)_k: bilinear."""
    for T, d in ((1, 2), (2, 2), (3, 2)):
        net, X, q = sample(T, d)
        dW = letters("D", d, d)
        p = sp.symbols(f"p_1:{T}", positive=True)
        weights = (*p, 1 - sum(p, sp.Integer(0)))
        slopes = X * (dW.T if transposed else dW) * q
        mean = sum(w * s for w, s in zip(weights, slopes, strict=True))
        moved = sum((w * (s - mean) * X.row(t).T
                     for t, (w, s) in enumerate(zip(weights, slopes, strict=True))),
                    sp.zeros(d, 1))  # fmt: skip
        yield f"T = {T}", equal(moved, exact_covariance(weights, X) * dW * q)
        step = sp.Symbol("h", real=True)
        moves = X * (net.head(1).W + step * dW) * q
        yield f"T = {T}: dz", equal(moves.diff(step), X * (dW.T if transposed else dW) * q)


TRACE = claim(
    "st.lem1.trace",
    at=_PROOF,
    title="The coefficient of dW",
    states=(
        r"U^\top M\,dW\,q_X = \operatorname{tr}(q_XU^\top M\,dW)"
        r" = \langle MUq_X^\top, dW\rangle_F"
    ),
    given=GIVEN,
    assuming="M is symmetric",
)


@TRACE.proved(controls={"not_symmetric": {"symmetric": False}, "transposed": {"swap": True}})
def cyclic_trace(symmetric: bool = True, swap: bool = False) -> Obligations:
    """Entry by entry, d = 1, 2, 3; every dimension adds terms of the same kind."""
    for d in (1, 2, 3):
        U, q, dW, M = letters("U", d), letters("q", d), letters("D", d, d), letters("M", d, d)
        M = sp.Matrix(d, d, lambda i, j, M=M: M[min(i, j), max(i, j)]) if symmetric else M
        left = (U.T * M * dW * q)[0]
        G = q * (M * U).T if swap else M * U * q.T
        yield f"d = {d}: trace", equal(left, (q * U.T * M * dW).trace())
        yield f"d = {d}: inner product", equal(left, (G.T * dW).trace())


MATRIX = claim(
    "st.lem1.m",
    at="(8), (15)",
    title="The matrix M",
    states=(
        r"M_i = XJ_s(X^\top W_iq_X)X^\top, \qquad"
        r" J_s(z) = \operatorname{diag}(\sigma_s(z)) - \sigma_s(z)\sigma_s(z)^\top"
        r" = \Bigl(\frac{\partial\sigma_s}{\partial z}\Bigr)(z)"
    ),
    given=GIVEN,
    rests_on=[FACT],
)


@MATRIX.proved(controls={"second_moments": {"centred": 0}})
def with_the_differentiated_jacobian(centred: int = 1) -> Obligations:
    """X (∂σ_s/∂z) Xᵀ by SymPy's derivative is the covariance of the tokens."""
    for T, d in ((1, 1), (2, 1), (2, 2), (3, 1)):
        z, X = sp.symbols(f"z_1:{T + 1}", real=True), letters("X", T, d)
        p = exact_softmax(z)
        mean = X.T * p
        M = exact_covariance(list(p), X) + (1 - centred) * mean * mean.T
        product = X.T * differentiated_jacobian(z) * X
        yield f"T = {T}, d = {d}", equal(product.applyfunc(plain), M.applyfunc(plain))


LEMMA = claim(
    "st.lem1",
    at="Lemma 1",
    title="The gradients of the shallow transformer",
    states=(
        r"\nabla_{(c_i,U_i,W_i)}f = m^{-1/2}\bigl(h_i,\; c_i\sigma'(U_i^\top a_i)a_i,\;"
        r" c_i\sigma'(U_i^\top a_i)M_iU_iq_X^\top\bigr)"
    ),
    given=GIVEN,
    assuming=SMOOTH,
    rests_on=[LEMMA_C, LEMMA_U, LEMMA_W, MATRIX],
)


@LEMMA.proved(controls={"power_of_m": {"factor": 1 / sp.sqrt(2)}, "sign": {"factor": -1}})
def all_blocks(factor: Any = 1) -> Obligations:
    """The three blocks for a formal σ by SymPy's derivatives; st.lem1.da has any T and d."""
    for block in "cUW":
        yield from _agree(block, lambda formula, _: factor * formula)


@dataclass(frozen=True)
class Net:
    """Heads of m heads, tokens as rows, a query."""

    c: NDArray[Any]
    U: NDArray[Any]
    W: NDArray[Any]
    tokens: Floats
    query: Floats

    def output(self) -> Any:
        """f of (2)-(4) with σ = tanh, as it is defined; complex parameters are allowed."""
        z = np.einsum("td,mde,e->mt", self.tokens, self.W, self.query)
        odds = np.exp(z - z.real.max(axis=1, keepdims=True))
        a = (odds / odds.sum(axis=1, keepdims=True)) @ self.tokens
        return self.c @ np.tanh(np.einsum("md,md->m", self.U, a)) / np.sqrt(len(self.c))


@st.composite
def nets(draw: st.DrawFn) -> Net:
    """Random networks; one token, one dimension, a vanishing query, equal tokens among them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m, d, T = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 6))
    x, q = rng.standard_normal((T, d)), rng.standard_normal(d)
    x /= np.maximum(1, np.linalg.norm(x, axis=1, keepdims=True))
    q /= max(1.0, float(np.linalg.norm(q)))
    kind = draw(st.sampled_from(["any", "any", "equal tokens", "no query"]))
    x, q = (x[[0] * T] if kind == "equal tokens" else x), (0 * q if kind == "no query" else q)
    c, U, W = (rng.standard_normal(shape) for shape in ((m,), (m, d), (m, d, d)))
    return Net(c, U, W, x, q)


def formulas(net: Net, power: float, transposed: bool, centred: bool) -> list[Floats]:
    """(5)-(8) with σ = tanh, for all heads."""
    p = softmax(np.einsum("td,mde,e->mt", net.tokens, net.W, net.query))
    a = p @ net.tokens
    M = covariance(np.log(np.maximum(p, 1e-300)), net.tokens[None])
    M = M if centred else M + a[:, :, None] * a[:, None, :]
    z = np.einsum("md,md->m", net.U, a)
    slope = net.c * (1 - np.tanh(z) ** 2)
    W = np.einsum("m,mde,me,f->mdf", slope, M, net.U, net.query)
    W = np.swapaxes(W, 1, 2) if transposed else W
    return [one * len(net.c) ** -power for one in (np.tanh(z), slope[:, None] * a, W)]


def package_gradients(net: Net) -> list[Floats]:
    """The gradients that the package's transformer uses for training."""
    inputs = Inputs(net.tokens[None], net.query[None])
    found = gradients(Heads(net.c, net.U, net.W), inputs, TANH)
    return [found.c[0], found.U[0], found.W[0]]


_STEP = 1e-30


def _complex_step(net: Net) -> list[Floats]:
    """Derivatives by f(x + ih) = f(x) + ihf′(x) + O(h²): there is no difference to cancel."""
    result = []
    for name in ("c", "U", "W"):
        block = getattr(net, name)
        found = np.empty(block.shape)
        for index in np.ndindex(*block.shape):
            moved = block.astype(complex)
            moved[index] += 1j * _STEP
            parameters = {**vars(net), name: moved}
            found[index] = Net(**parameters).output().imag / _STEP
        result.append(found)
    return result


@LEMMA.tested(
    over=nets,
    cases=60,
    controls={
        "one_over_m": {"power": 1.0},
        "transposed": {"transposed": True},
        "second_moments": {"centred": False},
    },
)
def complex_steps(
    net: Net, power: float = 0.5, transposed: bool = False, centred: bool = True
) -> Discrepancy:
    """The formulas against derivatives of the definition by a complex step, tanh."""
    return _distance(net, formulas(net, power, transposed, centred))


@LEMMA.tested(over=nets, cases=60, controls={"twice": {"factor": 2.0}})
def gradients_of_the_package(net: Net, factor: float = 1.0) -> Discrepancy:
    """The gradients that train networks here against the same complex steps."""
    return _distance(net, [factor * one for one in package_gradients(net)])


def _distance(net: Net, expected: list[Floats]) -> Discrepancy:
    pairs = zip(_complex_step(net), expected, strict=True)
    error = max(float(np.max(np.abs(x - y))) for x, y in pairs)
    # Logits are sums of d² ≤ 16 products, and move everything by their error times |c||U|(1 + |U|).
    sizes = [float(np.max(np.abs(one))) for one in (net.c, net.U, net.W)]
    scale = (1 + sizes[0]) * (1 + 4 * sizes[1]) ** 2 * (1 + 16 * sizes[2])
    return Discrepancy(error, 64 * 2.0**-52 * scale)
