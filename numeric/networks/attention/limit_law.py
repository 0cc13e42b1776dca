r"""The law of the outputs of an attention layer, in the limit or given the Gram matrix, as a value.

For infinitely many rows it is the limit law: with S the covariance of the limits of the inputs,
scores of token i in head a are sigma_a sqrt(S_ii) R z for R R^T = S and independent normal z, their
softmax has the rows of A_a, and the outputs over the tokens are

.. math:: N\Bigl(0, \frac1H \sum_a \sigma_a'^2 A_a S A_a^T\Bigr) \text{ given the scores.}

For m rows it is the exact law at any width, given the Gram matrix S of the inputs over n.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from numeric.arguments import Floats, integer, real_array
from numeric.mixture_estimates import CovarianceMixture, VarianceMixture
from numeric.networks import arguments
from numeric.networks.attention.exact_law import (
    sample_output_covariances,
    sample_output_variances,
    sample_scores,
)
from numeric.networks.attention.inputs import gram_factor
from numeric.networks.attention.layer import AttentionLayer, check_layer
from numeric.networks.attention.two_token_law import TwoTokenLaw

__all__ = ["AttentionLaw"]


@dataclass(frozen=True, eq=False)
class AttentionLaw:
    """The law of one coordinate of the outputs of all tokens.

    - ``gram``: S, shape ``(s, s)``, symmetric and nonnegative definite.
    - ``attention``: heads, scales, and the number of rows: ``math.inf`` for the limit.

    Draws are made once and asked many times: ``draws`` of the variance of one token, and
    ``joint_draws`` of the covariance over the tokens, answer densities, characteristic functions,
    tails, moments and the distance to the normal law of infinitely many heads, each with its
    standard error; for two tokens ``certified`` has balls.

    Raises TypeError or ValueError for other arguments.
    Source: "Infinite-Width Limit of a Single Attention Layer", Example 3.1.

    >>> import math
    >>> law = AttentionLaw(np.eye(2), AttentionLayer(heads=1, rows=math.inf))
    >>> draws = law.draws(np.random.default_rng(0), 100_000)
    >>> density = draws.density([0.0])                # 0.50685307..., by two_token_density
    >>> bool(abs(density.value - 0.5068530738) < 4 * density.error), bool(density.error < 1e-3)
    (True, True)
    """

    gram: Any
    attention: AttentionLayer

    def __post_init__(self) -> None:
        check_layer(self.attention)
        gram = real_array("gram", self.gram, shape=("s", "s"))
        object.__setattr__(self, "_factor", gram_factor(gram))
        object.__setattr__(self, "gram", gram)

    @property
    def tokens(self) -> int:
        """The number s of tokens."""
        return len(self.gram)

    def scores(self, rng: np.random.Generator, size: int) -> Floats:
        """Draws of the scores of all pairs of tokens, shape ``(size, H, s, s)``."""
        return sample_scores(self._factors(size), self.attention, rng)

    def sample(self, rng: np.random.Generator, size: int) -> Floats:
        """Draws of the outputs over the tokens, shape ``(size, s)``."""
        generator, factors = arguments.generator(rng), self._factors(size)
        covariances = sample_output_covariances(factors, self.attention, generator)
        normals = generator.standard_normal((len(covariances), self.tokens, 1))
        return np.asarray((gram_factor(covariances) @ normals)[..., 0])

    def draws(self, rng: np.random.Generator, size: int, token: int = 0) -> VarianceMixture:
        """The law of the output of one token, from ``size`` draws of its variance."""
        factors = self._factors(size, least=2)
        variances = sample_output_variances(factors, self.attention, rng, token)
        return VarianceMixture(variances)

    def joint_draws(self, rng: np.random.Generator, size: int) -> CovarianceMixture:
        """The law of the outputs of all tokens, from ``size`` draws of their covariance."""
        factors = self._factors(size, least=2)
        return CovarianceMixture(sample_output_covariances(factors, self.attention, rng))

    def certified(self, token: int = 0) -> TwoTokenLaw:
        """The law of one of two tokens in balls; S and the scales are taken exactly, as floats.

        Raises ValueError unless there are two tokens and infinitely many rows.
        """
        if self.tokens != 2 or self.attention.rows != math.inf:
            raise ValueError("gram must have two rows, and attention infinitely many, for balls")
        layer = self.attention
        return TwoTokenLaw(self.gram, layer.heads, layer.score_scales, layer.value_scales, token)

    def _factors(self, size: int, least: int = 1) -> Floats:
        factor: Floats = self._factor  # type: ignore[attr-defined]
        return np.broadcast_to(factor, (integer("size", size, least), *factor.shape))
