"""Propositions 24, 25, 27 and Theorem 28 where they are stated: many layers, widths m_k = k² m."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from numeric.cosine_maps import delta_phi, limiting_ntk, varrho, varrho_prime
from numeric.networks import ntk_matrix, sample_ntk
from numeric.networks.forward_law import sample_forward
from numeric.networks.tangent_law import sample_backpropagation
from numeric.statistics import SlopeTest, slope_test
from theorems.engine import Domain, Provenance, claim, integers
from theorems.engine.claim import Profile

Floats = NDArray[np.float64]
_OTHER_RATES = {"no_decay": {"exponent": 0.0}, "as_one_over_m": {"exponent": -1.0}}
_NOTE = "proofs_notes/eoc_exact_law.md#the-theorems-own-regime"
_DEPTH, _SHALLOWER = 32, 8
_GIVEN: dict[str, Domain] = {"m": integers(1), "l": integers(2)}
_PAIR = np.array([[1.0, 0.0], [0.6, 0.8]])
_ABSOLUTE_VALUE, _RELU = (0.0, 1.0), (0.5, 0.5)


def _slopes(drawn: Mapping[int, tuple[Floats, ...]], expected: float) -> Iterator[SlopeTest]:
    """The exponents of the mean errors against m, one for each kind of error drawn at each m."""
    sizes = list(drawn)
    for samples in zip(*drawn.values(), strict=True):
        means = [sample.mean() for sample in samples]
        deviations = [sample.std(ddof=1) / np.sqrt(len(sample)) for sample in samples]
        yield slope_test(sizes, means, deviations, expected)


def _widths(m: int, depth: int) -> list[int]:
    return [k * k * m for k in range(1, depth)]


NTK = claim(
    "eoc.thm28.regime",
    at="Theorem 28",
    title="At depth 32 with m_k = k²m the NTK is off by m^(-1/2), no less",
    states=(
        r"\mathbb{E}\,\|K(\theta) - \tilde K\| = \Theta(m^{-1/2}),"
        r" \quad l = 32, \; m_k = k^2m"
    ),
    given=_GIVEN,
    rests_on=["eoc.exact_law"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@NTK.estimated(draws=200, controls=_OTHER_RATES)
def diagonal_errors(
    rng: np.random.Generator, draws: int, exponent: float = -0.5
) -> Iterator[SlopeTest]:
    """|K(x, x) / l - 1| for one input and the absolute value, m from 6 to 36."""
    yield from _slopes(_errors(_key(rng), min(draws, 2000), (6, 36), 1, _ABSOLUTE_VALUE), exponent)


@NTK.estimated(
    draws=20,
    controls=_OTHER_RATES,
    profile=Profile.FULL,
)
def matrix_errors(
    rng: np.random.Generator, draws: int, exponent: float = -0.5
) -> Iterator[SlopeTest]:
    """The operator norm for two inputs, m from 16 to 1024 (top width 984,064)."""
    for activation in (_ABSOLUTE_VALUE, _RELU):
        drawn = _errors(_key(rng), min(draws, 200), (16, 128, 1024), 2, activation)
        yield from _slopes(drawn, exponent)


def _key(rng: np.random.Generator) -> int:
    """A number from which a simulation is seeded, the same for a check and its controls."""
    return int(rng.integers(2**62))


@lru_cache(maxsize=8)
def _errors(
    seed: int, draws: int, sizes: tuple[int, ...], n: int, activation: tuple[float, float]
) -> dict[int, tuple[Floats]]:
    """‖K(θ) - K̃‖ / ‖K̃‖ for some draws at each m; controls are told the same numbers."""
    rng, x = np.random.default_rng(seed), _PAIR[:n]
    limit = limiting_ntk(x, _DEPTH, delta_phi(*activation)) / n
    found = {}
    for m in sizes:
        kernels = sample_ntk(x, _widths(m, _DEPTH), *activation, rng, 1, draws, method="law")
        gaps = np.linalg.norm(ntk_matrix(kernels) - limit, 2, axis=(-2, -1))
        found[m] = (gaps / np.linalg.norm(limit, 2),)
    return found


FORWARD = claim(
    "eoc.prop25.regime",
    at="Propositions 24 and 25",
    title="At depth 32 with m_k = k²m norms and cosines are off by m^(-1/2), no less",
    states=(
        r"\mathbb{E}\max_{k \le 32}\Bigl|\frac{\|x_k(x)\|}{\|x\|} - 1\Bigr| ="
        r" \Theta(m^{-1/2}), \quad \mathbb{E}\max_{k \le 32}(k-1)^2\,|\rho_k(x_1, x_2)"
        r" - \varrho^{\circ(k-1)}(\rho_1)| = \Theta(m^{-1/2})"
    ),
    given=_GIVEN,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@FORWARD.estimated(draws=100, controls=_OTHER_RATES)
def norms_and_cosines(
    rng: np.random.Generator, draws: int, exponent: float = -0.5
) -> Iterator[SlopeTest]:
    """Both maxima over all 32 layers, m from 8 to 64 (top width 61,504)."""
    # More draws would resolve how far the exponent still is from its limit at these m.
    yield from _slopes(_forward_errors(_key(rng), min(draws, 100), (8, 64)), exponent)


@FORWARD.estimated(
    draws=10,
    controls=_OTHER_RATES,
    profile=Profile.FULL,
)
def norms_and_cosines_at_width(
    rng: np.random.Generator, draws: int, exponent: float = -0.5
) -> Iterator[SlopeTest]:
    """The same with m from 64 to 1024 (top width 984,064)."""
    yield from _slopes(_forward_errors(_key(rng), min(draws, 100), (64, 1024)), exponent)


@lru_cache(maxsize=8)
def _forward_errors(
    seed: int, draws: int, sizes: tuple[int, ...]
) -> dict[int, tuple[Floats, Floats]]:
    rng, layers = np.random.default_rng(seed), np.arange(1, _DEPTH)
    limits = [float(_PAIR[0] @ _PAIR[1])]
    for _ in layers:
        limits.append(float(varrho(limits[-1], 1.0)))
    found = {}
    for m in sizes:
        sampled = sample_forward(_PAIR, _widths(m, _DEPTH), *_ABSOLUTE_VALUE, rng, draws)
        norms = np.abs(sampled.norms[:, :, 0] - 1).max(axis=1)
        cosines = np.abs(sampled.cosines[:, 1:, 0, 1] - limits[1:]) * layers**2
        found[m] = norms, cosines.max(axis=1)
    return found


PRODUCTS = claim(
    "eoc.prop27.regime",
    at="Proposition 27",
    title="Backpropagation inner products are off by m^(-1/2) at all layers up to the eighth",
    states=(
        r"\mathbb{E}\max_{k \le 8}\Bigl|X'_{2,k}(x_1, x_2)"
        r" - \prod_{j=2}^{k}\varrho'(\varrho^{\circ(j-2)}(\rho_1))\Bigr| = \Theta(m^{-1/2}),"
        r" \quad m_k = k^2m"
    ),
    given=_GIVEN,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PRODUCTS.estimated(draws=100, controls=_OTHER_RATES)
def products_of_two_inputs(
    rng: np.random.Generator, draws: int, exponent: float = -0.5
) -> Iterator[SlopeTest]:
    """Matrices B_{2,k} of both inputs drawn together, m from 8 to 32."""
    # More draws would resolve how far the exponent still is from its limit at these m.
    yield from _slopes(_product_errors(_key(rng), min(draws, 100), (8, 32)), exponent)


@lru_cache(maxsize=8)
def _product_errors(seed: int, draws: int, sizes: tuple[int, ...]) -> dict[int, tuple[Floats]]:
    rng, limits = np.random.default_rng(seed), _limits(float(_PAIR[0] @ _PAIR[1]))
    found = {}
    for m in sizes:
        sampled = sample_backpropagation(
            _PAIR, _widths(m, _SHALLOWER), *_ABSOLUTE_VALUE, rng, draws
        )
        found[m] = (np.abs(sampled.products[:, :, 0, 1] - limits).max(axis=1),)
    return found


def _limits(rho: float) -> Floats:
    """Π_{j=2}^k ϱ'(ϱ^{j-2}(ρ)) for k = 2, ..., 8, and the absolute value."""
    found, product = [], 1.0
    for _ in range(2, _SHALLOWER + 1):
        product *= float(varrho_prime(rho, 1.0))
        found.append(product)
        rho = float(varrho(rho, 1.0))
    return np.array(found)
