"""Small layers at fixed inputs, drawn with all weight matrices and from their exact law."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from numeric.arguments import Floats
from numeric.networks.attention import (
    AttentionLayer,
    gram_factor,
    sample_attention,
    sample_output_covariances,
    sample_output_variances,
    sample_scores,
)

#: Heads, rows, width, tokens, and whether inputs are rectified: m below s, m = 1, and m = n.
SHAPES = ((2, 1, 6, 3, False), (1, 2, 5, 3, True), (2, 8, 8, 2, False))


@dataclass(frozen=True)
class SmallLayer:
    """A layer and its inputs, which follow from a shape and a seed."""

    heads: int
    rows: int
    width: int
    tokens: int
    rectified: bool
    seed: int

    @property
    def layer(self) -> AttentionLayer:
        """The layer, with other scales of scores in each head."""
        return self._with(1)

    @property
    def inputs(self) -> Floats:
        """The inputs, one row a token."""
        rng = np.random.default_rng(self.seed)
        inputs = 2 * rng.standard_normal((self.tokens, self.width))
        return np.maximum(inputs, 0) if self.rectified else inputs

    def drawn(self, draws: int) -> tuple[Floats, Floats]:
        """Scores ``(draws, H, s, s)`` and one coordinate of all outputs, by weight matrices."""
        return _drawn(self, draws)

    def _factors(self, draws: int) -> Floats:
        factor = gram_factor(self.inputs @ self.inputs.T / self.width)
        return np.broadcast_to(factor, (draws, *factor.shape))

    def scores(self, rng: np.random.Generator, draws: int, degrees: int) -> Floats:
        """Scores from the law, with so many times the degrees of freedom, of the same variance."""
        return sample_scores(self._factors(draws), self._with(degrees), rng)

    def outputs(self, rng: np.random.Generator, draws: int, degrees: int) -> Floats:
        """An entry of the output of the first token from the law."""
        variances = sample_output_variances(self._factors(draws), self._with(degrees), rng)
        return np.asarray(np.sqrt(variances) * rng.standard_normal(draws))

    def joint_outputs(self, rng: np.random.Generator, draws: int, degrees: int) -> Floats:
        """One coordinate of the outputs of all tokens from the law."""
        covariances = sample_output_covariances(self._factors(draws), self._with(degrees), rng)
        normals = rng.standard_normal((draws, self.tokens, 1))
        return np.asarray((gram_factor(covariances) @ normals)[..., 0])

    def _with(self, degrees: int) -> AttentionLayer:
        scales = np.linspace(1, 2, self.heads)
        return AttentionLayer(self.heads, degrees * self.rows, score_scales=scales)


@lru_cache(maxsize=8)
def _drawn(one: SmallLayer, draws: int) -> tuple[Floats, Floats]:
    """Draws of all weight matrices, which a test and its controls have in common."""
    passes = sample_attention(one.inputs, one.layer, np.random.default_rng([one.seed, 1]), draws)
    return passes.scores, passes.outputs[..., 0]


def small_layers(rng: np.random.Generator) -> Iterator[SmallLayer]:
    """Layers of all shapes at random inputs, whose seeds do not hang on what is drawn later."""
    seeds = rng.integers(2**62, size=len(SHAPES))
    yield from (SmallLayer(*shape, seed=int(k)) for shape, k in zip(SHAPES, seeds, strict=True))
