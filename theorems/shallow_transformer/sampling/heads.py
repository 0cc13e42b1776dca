"""Sampled attention heads, the extremal ones among them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from numeric.arguments import Floats
from numeric.attention_smoothness import curvature_mean


@dataclass(frozen=True)
class SampledHead:
    """Tokens (T, d), a query q, and θ = (U, W)."""

    tokens: Floats
    query: Floats
    U: Floats
    W: Floats


def _within(rows: Floats) -> Floats:
    """Rows moved into the unit ball; a rounding error less than 1 on its boundary."""
    norms = np.linalg.norm(rows, axis=-1, keepdims=True)
    moved: Floats = np.where(norms > 1 - 1e-15, rows * (1 - 1e-15) / np.maximum(norms, 1e-300), rows)
    return moved


_SIZES = (0.0, 0.3, 1.0, 3.0, 30.0)


@st.composite
def _any_head(draw: st.DrawFn) -> SampledHead:
    """Tokens in the ball, on the sphere, or all equal; small and large weights."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    T, d = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    tokens = rng.standard_normal((T, d)) * draw(st.sampled_from([0.3, 1.0, 100.0]))
    tokens = np.broadcast_to(tokens[:1], (T, d)) if draw(st.integers(0, 9)) == 0 else tokens
    query, U = rng.standard_normal(d), rng.standard_normal(d)
    query *= draw(st.sampled_from([0.0, 0.5, 1.0])) / np.linalg.norm(query)
    U *= draw(st.sampled_from(_SIZES)) / np.linalg.norm(U)
    W = draw(st.sampled_from([0.0, 1.0, 5.0])) * rng.standard_normal((d, d))
    return SampledHead(_within(tokens), _within(query), U, W)


def two_tokens(x: float, u: float, d: int = 1, sign: int = 1) -> SampledHead:
    """Tokens e and -e with mean x e, q = e and U = ± u e, e = e_1: z = ± u tanh(W_11)."""
    e = np.eye(d)[0]
    W = np.arctanh(x) * np.outer(e, e)
    return SampledHead(np.stack([e, -e]), e, sign * u * e, W)


@st.composite
def _near_two_tokens(draw: st.DrawFn) -> SampledHead:
    """The head of largest curvature, exactly, with another mean, or slightly perturbed."""
    u, d = draw(st.sampled_from(_SIZES) | st.floats(0, 50)), draw(st.integers(1, 3))
    best = float(curvature_mean(u))
    x = draw(st.sampled_from([0.0, best, 1 / np.sqrt(3)]) | st.floats(0, 0.999))
    head = two_tokens(x, u, d, draw(st.sampled_from([1, -1])))
    noise = draw(st.sampled_from([0.0, 1e-4, 0.1]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    tokens = _within(head.tokens + noise * rng.standard_normal(head.tokens.shape))
    return SampledHead(tokens, head.query, head.U, head.W)


@st.composite
def _one_place(draw: st.DrawFn) -> SampledHead:
    """All tokens equal to a unit vector: a = X_1, M = 0."""
    d, T = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    e = np.eye(d)[0]
    return SampledHead(np.tile(e, (T, 1)), e, draw(st.sampled_from(_SIZES)) * e, np.eye(d))


#: Any heads with any tokens.
HEADS: Callable[[], st.SearchStrategy[SampledHead]] = lambda: st.one_of(  # noqa: E731
    _any_head(), _near_two_tokens(), _one_place()
)
