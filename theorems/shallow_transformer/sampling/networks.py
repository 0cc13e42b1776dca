"""Sampled networks, for Lemma 1 and Remarks 3 to 5, and derivatives by a complex step."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.arguments import Floats
from numeric.networks.transformer import TANH, Heads, Inputs, gradients
from numeric.softmax_jacobian import covariance as numeric_covariance
from numeric.softmax_jacobian import softmax
from theorems.engine import Rounded
from theorems.shallow_transformer.letters.paper import (
    U_gradient,
    W_gradient,
    a_size,
    c_gradient,
    c_size,
    m,
    sigma_0,
    sigma_1,
    u,
)


@dataclass(frozen=True)
class SampledNetwork:
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
def sampled_networks(draw: st.DrawFn) -> SampledNetwork:
    """Random networks; one token, one dimension, a vanishing query, equal tokens among them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m, d, T = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(1, 6))
    x, q = rng.standard_normal((T, d)), rng.standard_normal(d)
    x /= np.maximum(1, np.linalg.norm(x, axis=1, keepdims=True))
    q /= max(1.0, float(np.linalg.norm(q)))
    kind = draw(st.sampled_from(["any", "any", "equal tokens", "no query"]))
    x, q = (x[[0] * T] if kind == "equal tokens" else x), (0 * q if kind == "no query" else q)
    c, U, W = (rng.standard_normal(shape) for shape in ((m,), (m, d), (m, d, d)))
    return SampledNetwork(c, U, W, x, q)


def formulas(net: SampledNetwork, power: float, transposed: bool) -> list[Floats]:
    """(5)-(8) with σ = tanh, for all heads."""
    p = softmax(np.einsum("td,mde,e->mt", net.tokens, net.W, net.query))
    a = p @ net.tokens
    M = numeric_covariance(np.log(np.maximum(p, 1e-300)), net.tokens[None])
    z = np.einsum("md,md->m", net.U, a)
    slope = net.c * (1 - np.tanh(z) ** 2)
    W = np.einsum("m,mde,me,f->mdf", slope, M, net.U, net.query)
    W = np.swapaxes(W, 1, 2) if transposed else W
    return [one * len(net.c) ** power for one in (np.tanh(z), slope[:, None] * a, W)]


def package_gradients(net: SampledNetwork) -> list[Floats]:
    """The gradients that the package's transformer uses for training."""
    inputs = Inputs(net.tokens[None], net.query[None])
    found = gradients(Heads(net.c, net.U, net.W), inputs, TANH)
    return [found.c[0], found.U[0], found.W[0]]


_STEP = 1e-30


def _complex_step(net: SampledNetwork) -> list[Floats]:
    """Derivatives by f(x + ih) = f(x) + ihf′(x) + O(h²): there is no difference to cancel."""
    result = []
    for name in ("c", "U", "W"):
        block = getattr(net, name)
        found = np.empty(block.shape)
        for index in np.ndindex(*block.shape):
            moved = block.astype(complex)
            moved[index] += 1j * _STEP
            parameters = {**vars(net), name: moved}
            found[index] = SampledNetwork(**parameters).output().imag / _STEP
        result.append(found)
    return result


@st.composite
def scaled_networks(draw: st.DrawFn) -> tuple[SampledNetwork, float]:
    """Networks with k tanh for σ; one that is next to equality, and one without a read-out."""
    size = draw(st.sampled_from([1.0, 1.0, 0.01]))
    if draw(st.booleans()):
        return draw(sampled_networks()), size
    W_ = np.full((1, 1, 1), 0.5)
    short = draw(st.sampled_from([0.0, 1e-6]))
    tokens = np.array([[1.0], [-1.0]])
    return SampledNetwork(np.ones(1), np.full((1, 1), short), W_, tokens, np.ones(1)), size


def sizes_of_heads(net: SampledNetwork, scale: float) -> list[dict[Any, Any]]:
    """The quantities of each head, for σ = k tanh."""
    values, by_U, by_W = formulas(net, -0.5, transposed=False)
    z = np.einsum("td,mde,e->mt", net.tokens, net.W, net.query)
    odds = np.exp(z - z.max(axis=1, keepdims=True))
    pooled = np.linalg.norm(odds / odds.sum(axis=1, keepdims=True) @ net.tokens, axis=1)
    return [
        {
            c_gradient: _rounded(scale * abs(values[k])),
            U_gradient: _rounded(scale * np.linalg.norm(by_U[k])),
            W_gradient: _rounded(scale * np.linalg.norm(by_W[k])),
            c_size: abs(float(net.c[k])),
            a_size: _rounded(pooled[k]),
            u: _rounded(np.linalg.norm(net.U[k])),
            m: len(net.c),
            sigma_0: scale,
            sigma_1: scale,
        }
        for k in range(len(net.c))
    ]


def _rounded(value: Any) -> Rounded:
    # Logits are sums of d² ≤ 16 products, softmax, tanh and norms add a few roundings each.
    return Rounded(float(value), 2.0**-40 * float(value))


def worst_head(cases: list[dict[Any, Any]], top: Any, bound: Any) -> dict[Any, Any]:
    """The head next to equality in one of the bounds."""

    def ratio(case: dict[Any, Any]) -> float:
        at = {x: getattr(value, "value", value) for x, value in case.items()}
        below = float(bound.subs(at))
        return at[top] / below if below else 0.0

    return max(cases, key=ratio)
