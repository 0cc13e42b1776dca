"""Theorem 28 at the widths m_k = k²m and many layers: the rate at which the error falls."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from numeric.arguments import Floats
from numeric.cosine_maps import delta_phi, limiting_ntk
from numeric.statistics import SlopeTest
from theorems.engine import Profile, Provenance, sentence
from theorems.eoc_mlp.hypotheses import ORTHONORMAL_BASIS, SQUARE_WIDTHS
from theorems.eoc_mlp.letters import claim
from theorems.eoc_mlp.sampling.drawn_once import diagonal_draws, matrix_draws, seed_of
from theorems.eoc_mlp.sampling.rates import (
    ABSOLUTE_VALUE,
    DRAWN,
    NOTE,
    OTHER_RATES,
    PAIR,
    RATE,
    RELU,
    slopes_of_means,
    square_widths,
)

NTK = claim(
    "eoc.thm28.regime",
    at="Theorem 28",
    title="At depth 32 with m_k = k²m the error of the NTK is of exact order m^(-1/2)",
    states=sentence(
        r"\mathbb{E}\,\|$K_matrix - $K_limit_matrix\| = \Theta($m^{$exponent}), \quad l = $depth",
        exponent=RATE,
        depth=32,
    ),
    assuming=[SQUARE_WIDTHS],
    rests_on=["eoc.exact_law"],
    discharging={ORTHONORMAL_BASIS: "such bases exist, and the sampler makes them"},
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={"depth": "the rate is claimed at one depth, and is the same at every other"},
)


@NTK.estimated(draws=2000, controls=OTHER_RATES, **DRAWN)
def diagonal_errors(
    rng: np.random.Generator, draws: int, exponent: Fraction, depth: int
) -> Iterator[SlopeTest]:
    """|K(x, x) / l - 1| for one input of length 1, m = 1024 and 65,536 (top width 62,980,096)."""
    seed, count = seed_of(rng), min(draws, 2000)
    for activation in (ABSOLUTE_VALUE, RELU):
        drawn = {}
        for size in (1024, 65_536):
            widths = square_widths(size, depth)
            kernels = diagonal_draws(seed + size, widths, activation, count)
            drawn[size] = (np.abs(kernels / depth - 1),)
        yield from slopes_of_means(drawn, float(exponent))


@NTK.estimated(draws=20, controls=OTHER_RATES, profile=Profile.FULL, **DRAWN)
def matrix_errors(
    rng: np.random.Generator, draws: int, exponent: Fraction, depth: int
) -> Iterator[SlopeTest]:
    """The operator norm for two inputs, m from 16 to 1024 (top width 984,064)."""
    for activation in (ABSOLUTE_VALUE, RELU):
        drawn = _errors(seed_of(rng), min(draws, 200), (16, 128, 1024), 2, activation, depth)
        yield from slopes_of_means(drawn, float(exponent))


def _errors(
    seed: int, draws: int, sizes: tuple[int, ...], n: int, slopes: tuple[float, float], depth: int
) -> dict[int, tuple[Floats]]:
    """‖K(θ) - K̃‖ / ‖K̃‖ for some draws at each m."""
    limit = limiting_ntk(PAIR[:n], depth, delta_phi(*slopes)) / n
    found = {}
    for size in sizes:
        matrices = matrix_draws(seed + size, PAIR[:n], square_widths(size, depth), slopes, draws)
        gaps = np.linalg.norm(matrices - limit, 2, axis=(-2, -1))
        found[size] = (gaps / np.linalg.norm(limit, 2),)
    return found
