"""Layer matrices that fit a kernel which was drawn without any."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from hypothesis import strategies as st

from numeric.arguments import Floats
from numeric.networks import MLP, Parameters
from numeric.networks.exact_law import Layer, draw_ntk
from numeric.networks.long_vectors import LongVectors, orthonormal_basis

Case = tuple[MLP, Floats, int]


class RecordedLayer(Layer):
    """A layer of one draw that records a matrix A_k which fits what was drawn.

    On the span of the activations that is (A_kQ)Q*; off it, Z*Q'* for gradients g = Q'r and the
    normals Z that were drawn for them; what the draw leaves undecided is put to zero.
    """

    recorded: ClassVar[list[RecordedLayer]] = []

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.matrix = self.mlp.sigma * self.action[0].T @ self.basis.whole()[0]
        RecordedLayer.recorded.append(self)

    def pulled_back(self, gradients: Floats, rng: np.random.Generator) -> Floats:
        """Pull gradients back, and record the matrix on the complement of the activations."""
        before = rng.bit_generator.state
        vectors = super().pulled_back(gradients, rng)
        rng.bit_generator.state = before
        Q, rank = _basis(gradients[0].reshape(-1, self.width))
        rest = Q @ rng.standard_normal((1, rank, self.basis.width))[0]
        seen = self.basis.whole()[0]
        self.matrix = self.matrix + self.mlp.sigma * (rest - rest @ seen.T @ seen)
        return vectors


def _basis(rows: Floats) -> tuple[Floats, int]:
    vectors = rows[None]
    products = vectors @ vectors.swapaxes(-1, -2)
    basis, R = orthonormal_basis(LongVectors(rows.shape[1], lambda c: vectors[..., c]), products)
    return basis.whole()[0].T, R.shape[-2]


def drawn_with_matrices(
    mlp: MLP, x: Floats, seed: int, layer: type[RecordedLayer] = RecordedLayer
) -> tuple[Floats, Parameters]:
    """A kernel drawn without layer matrices, and parameters θ that should have it."""
    RecordedLayer.recorded = []
    kernel = draw_ntk(mlp, x, np.random.default_rng(seed), 1, layer)[0]
    hidden = [drawn.matrix / mlp.scale(k) for k, drawn in enumerate(RecordedLayer.recorded, start=1)]
    rng = np.random.default_rng(seed)
    for drawn in RecordedLayer.recorded:  # the last layer is drawn after the forward pass
        rng.standard_normal(drawn.action.shape)
    last = mlp.sigma * rng.standard_normal((mlp.widths[-1], mlp.widths[-2]))
    return kernel, Parameters([*hidden, last / mlp.scale(mlp.depth)])


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Networks of up to five layers with generic, equal, opposite, zero and too many inputs."""
    unit = draw(st.integers(1, 3))
    hidden = [unit * k for k in draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))]
    dimension, outputs = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    slopes = [(0.0, 1.0), (0.5, 0.5), (1.0, -0.3), (1.0, 0.0), (0.3, 2.0)]
    a, b = draw(st.sampled_from(slopes))
    q = draw(st.sampled_from([0.0, 1.0, -0.5]))
    scalings = [q + 0.5 * k for k in range(len(hidden) + 1)]
    mlp = MLP((dimension, *hidden, outputs), a, b, q=scalings, m=unit)
    seed = draw(st.integers(0, 2**32 - 1))
    many = draw(st.booleans())
    x = np.random.default_rng(seed).standard_normal((2 * dimension + 3 if many else 3, dimension))
    x[1] = draw(st.sampled_from([x[1], x[0], -2 * x[0], 0 * x[0]]))
    return mlp, x, seed
