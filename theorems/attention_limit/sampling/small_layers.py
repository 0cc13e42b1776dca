"""Small layers at fixed inputs, drawn with all weight matrices and from their exact law."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from numeric.arguments import Floats
from numeric.networks.attention import (
    AttentionLayer,
    gram_factor,
    sample_attention,
    sample_output_variances,
    sample_scores,
)

#: Heads, rows, width, tokens, and whether inputs are rectified: m below s, m = 1, and m = n.
SHAPES = ((2, 1, 6, 3, False), (1, 2, 5, 3, True), (2, 8, 8, 2, False))


@dataclass(frozen=True)
class SmallLayer:
    """A layer and its inputs."""

    layer: AttentionLayer
    inputs: Floats

    def drawn(self, rng: np.random.Generator, draws: int) -> tuple[Floats, Floats]:
        """Scores ``(draws, H, s, s)`` and an output of the first token, by weight matrices."""
        passes = [sample_attention(self.inputs, self.layer, rng) for _ in range(draws)]
        outputs = np.array([one.outputs[0, 0] for one in passes])
        return np.array([one.scores for one in passes]), outputs

    def _factors(self, draws: int) -> Floats:
        factor = gram_factor(self.inputs @ self.inputs.T / self.inputs.shape[1])
        return np.broadcast_to(factor, (draws, *factor.shape))

    def scores(self, rng: np.random.Generator, draws: int, degrees: int) -> Floats:
        """Scores from the law, with so many times the degrees of freedom, of the same variance."""
        return sample_scores(self._factors(draws), self._with(degrees), rng)

    def outputs(self, rng: np.random.Generator, draws: int, degrees: int) -> Floats:
        """An entry of the output of the first token from the law."""
        variances = sample_output_variances(self._factors(draws), self._with(degrees), rng)
        return np.asarray(np.sqrt(variances) * rng.standard_normal(draws))

    def _with(self, degrees: int) -> AttentionLayer:
        one = self.layer
        return AttentionLayer(one.heads, degrees * int(one.rows), one.score_scales)


def small_layers(rng: np.random.Generator) -> Iterator[SmallLayer]:
    """Layers of all shapes at random inputs."""
    for heads, rows, width, tokens, rectified in SHAPES:
        inputs = 2 * rng.standard_normal((tokens, width))
        layer = AttentionLayer(heads, rows, score_scales=np.linspace(1, 2, heads))
        yield SmallLayer(layer, np.maximum(inputs, 0) if rectified else inputs)
