"""Random networks that a simulation shares with its controls, drawn once for each seed.

A control asks whether the same numbers would also pass a wrong statement, so that it needs no
networks of its own.  What is drawn is small; the networks behind it are not kept.
"""

from functools import lru_cache

import numpy as np

from numeric.arguments import Floats
from numeric.networks import ntk_matrix, sample_ntk
from numeric.networks.diagonal_law import sample_ntk_diagonal
from numeric.networks.forward_law import ForwardLaw, sample_forward
from numeric.networks.tangent_law import BackpropagationDraws, sample_backpropagation

Rows = tuple[tuple[float, ...], ...]
Widths = tuple[int, ...]
Activation = tuple[float, float]
_kept = lru_cache(maxsize=16)


def seed_of(rng: np.random.Generator) -> int:
    """A number from which a simulation is seeded, the same for a check and its controls."""
    return int(rng.integers(2**62))


@_kept
def ntk_draws(seed: int, inputs: Rows, widths: Widths, slopes: Activation, draws: int) -> Floats:
    """K(θ) on the inputs for networks with one output unit, shape ``(draws, n, n, 1, 1)``."""
    return sample_ntk(inputs, widths, *slopes, np.random.default_rng(seed), size=draws)


@_kept
def matrix_draws(seed: int, inputs: Rows, widths: Widths, slopes: Activation, draws: int) -> Floats:
    """K(θ)/n as a matrix, drawn from its law, shape ``(draws, n, n)``."""
    rng = np.random.default_rng(seed)
    return ntk_matrix(sample_ntk(inputs, widths, *slopes, rng, 1, draws, method="law"))


@_kept
def diagonal_draws(seed: int, widths: Widths, slopes: Activation, draws: int) -> Floats:
    """K(θ) for one input of length 1 and one output unit, drawn from its law."""
    return sample_ntk_diagonal(widths, *slopes, np.random.default_rng(seed), draws)


@_kept
def forward_draws(seed: int, inputs: Rows, widths: Widths, slopes: Activation, draws: int) -> ForwardLaw:
    """Norms and cosines of the activations in all layers."""
    return sample_forward(inputs, widths, *slopes, np.random.default_rng(seed), draws)


@_kept
def backpropagation_draws(
    seed: int, inputs: Rows, widths: Widths, slopes: Activation, draws: int
) -> BackpropagationDraws:
    """Norms and inner products of the matrices B_{2,k}."""
    return sample_backpropagation(inputs, widths, *slopes, np.random.default_rng(seed), draws)
