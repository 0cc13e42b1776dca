"""Sampled objects of Proposition 17: backpropagation matrices and unit vectors of two inputs."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from numeric.arguments import Floats
from numeric.cosine_maps import delta_phi
from numeric.networks.conditional import backpropagation_pair
from numeric.networks.forward_pass import ForwardPass
from theorems.eoc_mlp.sampling.networks import NetworkCase, networks


@dataclass(frozen=True, eq=False)
class GradientPair:
    """B₁B₂* with the norms of its factors, two vectors, and Δ."""

    product: Floats
    first_norm: float
    second_norm: float
    x1: Floats
    x2: Floats
    delta: float

    @property
    def rho(self) -> float:
        """The cosine of the two vectors, clipped to [-1, 1]."""
        cosine = self.x1 @ self.x2 / (np.linalg.norm(self.x1) * np.linalg.norm(self.x2))
        return float(np.clip(cosine, -1.0, 1.0))

    @property
    def product_norm(self) -> float:
        """‖B₁B₂*‖, in the operator norm."""
        return float(np.linalg.norm(self.product, 2))


def of_matrices(B1: Floats, B2: Floats, x1: Floats, x2: Floats, delta: float) -> GradientPair:
    """The pair that two backpropagation matrices make."""
    first, second = (float(np.linalg.norm(B, 2)) for B in (B1, B2))
    return GradientPair(B1 @ B2.T, first, second, x1, x2, delta)


def of_network(state: ForwardPass, k1: int, k2: int) -> GradientPair:
    """The pair of layers k1 < k2 of a sampled network."""
    pair = backpropagation_pair(state, k1, k2)
    delta = float(delta_phi(state.mlp.a, state.mlp.b))
    return of_matrices(pair.B1, pair.B2, pair.xhat1, pair.xhat2, delta)


@st.composite
def network_pairs(draw: st.DrawFn) -> GradientPair:
    """Pairs from sampled networks whose activations are neither zero nor parallel."""
    state = draw(networks())
    k2 = draw(st.integers(3, state.mlp.depth))
    k1 = draw(st.integers(2, k2 - 1))
    alive = bool(np.all(state.norms(k2 - 1) > 0))
    cosine = state.cosines(k2 - 1, undefined=1.0)[0, 1]
    if not (alive and abs(cosine) < 1 - 1e-14):
        state = _sturdy_network(draw(st.integers(0, 2**32 - 1)))
        k1, k2 = 2, 3
    return of_network(state, k1, k2)


def _sturdy_network(seed: int) -> ForwardPass:
    return NetworkCase((3, 6, 6, 6, 1), a=0.2, b=1.0, angle=1.0, layer=3).sample(np.random.default_rng(seed))


@st.composite
def gradient_pairs(draw: st.DrawFn) -> GradientPair:
    """Pairs from networks, and rotated and perturbed extremal pairs at any angle."""
    if draw(st.booleans()):
        return draw(network_pairs())
    angle = draw(st.one_of(st.floats(0.01, 3.13), st.sampled_from([0.01, 0.05, 1.57, 3.1])))
    noise = draw(st.sampled_from([0.0, 1e-6, 1e-3, 0.1]))
    dimension, seed = draw(st.integers(2, 6)), draw(st.integers(0, 2**32 - 1))
    return extremal_pair(angle, dimension, noise, draw(st.floats(0.01, 1)), seed)


def extremal_pair(angle: float, dimension: int, noise: float, delta: float, seed: int) -> GradientPair:
    """B₁ = e₊e₊* - e₋e₋* plus noise, B₂ = 𝓘, in a random basis."""
    rng = np.random.default_rng(seed)
    basis, _ = np.linalg.qr(rng.standard_normal((dimension, 2)))
    plus, minus = basis.T
    x1 = np.cos(angle / 2) * plus + np.sin(angle / 2) * minus
    x2 = np.cos(angle / 2) * plus - np.sin(angle / 2) * minus
    extremal = np.outer(plus, plus) - np.outer(minus, minus)
    B1 = extremal + noise * rng.standard_normal((dimension, dimension))
    return of_matrices(B1, np.eye(dimension), x1, x2, delta)


def _to_vector(pair: GradientPair) -> Floats:
    return np.concatenate([pair.product.ravel(), pair.x1, pair.x2, [pair.delta]])


def _from_vector(vector: Floats) -> GradientPair | None:
    """A pair with B₂ = 𝓘 from d² + 2d + 1 numbers; None where it is degenerate."""
    d = round(np.sqrt(len(vector)) - 1)
    B1, x1, x2 = vector[: d * d].reshape(d, d), vector[d * d : d * d + d], vector[d * d + d : -1]
    if min(np.linalg.norm(B1), np.linalg.norm(x1), np.linalg.norm(x2)) < 1e-3:
        return None
    pair = of_matrices(B1, np.eye(d), x1, x2, float(np.clip(vector[-1], 0.01, 1.0)))
    return pair if abs(pair.rho) < 1 - 1e-9 else None


COORDINATES = (_to_vector, _from_vector)
