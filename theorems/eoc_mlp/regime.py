"""Propositions 24, 25, 27 and Theorem 28 where they are stated: many layers, widths m_k = k² m."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.cosine_maps import delta_phi, limiting_ntk, varrho, varrho_prime
from numeric.statistics import MeanTest, SlopeTest, mean_test, slope_test
from theorems.engine import Profile, Provenance, claims_in, integers, sentence
from theorems.eoc_mlp.drawn_once import (
    backpropagation_draws,
    forward_draws,
    matrix_draws,
    seed_of,
)
from theorems.eoc_mlp.hypotheses import ORTHONORMAL_BASIS, SQUARE_WIDTHS
from theorems.eoc_mlp.letters import LETTERS, K_limit_matrix, K_matrix, m, rho_1, rho_k, x

claim = claims_in(LETTERS)
Floats = NDArray[np.float64]
_RATE = Fraction(-1, 2)
_OTHER_RATES = {"no_decay": {"exponent": 0}, "as_one_over_m": {"exponent": -1}}
_OTHER_LIMITS: dict[str, dict[str, Any]] = {**_OTHER_RATES, "limit": {"one": Fraction(1, 2)}}
_OTHER_STARTS: dict[str, dict[str, Any]] = {**_OTHER_RATES, "later": {"first": 3}}
_NOTE = "proofs_notes/eoc_exact_law.md#the-theorems-own-regime"
#: The widths of the samples.
_DRAWN: dict[str, Any] = {"uses": [SQUARE_WIDTHS], "over": {m: integers(1)}}
_PAIR = ((1.0, 0.0), (0.6, 0.8))
_COSINE = 0.6
_ABSOLUTE_VALUE, _RELU = (0.0, 1.0), (0.5, 0.5)


def _slopes(drawn: Mapping[int, tuple[Floats, ...]], expected: float) -> Iterator[SlopeTest]:
    """The exponents of the mean errors against m, one for each kind of error drawn at each m."""
    sizes = list(drawn)
    for samples in zip(*drawn.values(), strict=True):
        means = [sample.mean() for sample in samples]
        deviations = [sample.std(ddof=1) / np.sqrt(len(sample)) for sample in samples]
        yield slope_test(sizes, means, deviations, expected)


def _widths(m: int, depth: int) -> tuple[int, ...]:
    return tuple(k * k * m for k in range(1, depth))


NTK = claim(
    "eoc.thm28.regime",
    at="Theorem 28",
    title="At depth 32 with m_k = k²m the NTK is off by m^(-1/2), no less",
    states=sentence(
        r"\mathbb{E}\,\|$K_matrix - $K_limit_matrix\| = \Theta($m^{$exponent}), \quad l = $depth",
        exponent=_RATE,
        depth=32,
    ),
    given=[K_matrix, K_limit_matrix, m],
    assuming=[SQUARE_WIDTHS],
    rests_on=["eoc.exact_law"],
    discharging={ORTHONORMAL_BASIS: "such bases exist, and the sampler makes them"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={"depth": "the rate is claimed at one depth, and is the same at every other"},
)


@NTK.estimated(draws=200, controls=_OTHER_RATES, **_DRAWN)
def diagonal_errors(
    rng: np.random.Generator, draws: int, exponent: Fraction, depth: int
) -> Iterator[SlopeTest]:
    """|K(x, x) / l - 1| for one input and the absolute value, m from 6 to 36."""
    drawn = _errors(seed_of(rng), min(draws, 2000), (6, 36), 1, _ABSOLUTE_VALUE, depth)
    yield from _slopes(drawn, float(exponent))


@NTK.estimated(
    draws=20,
    controls=_OTHER_RATES,
    profile=Profile.FULL,
    **_DRAWN,
)
def matrix_errors(
    rng: np.random.Generator, draws: int, exponent: Fraction, depth: int
) -> Iterator[SlopeTest]:
    """The operator norm for two inputs, m from 16 to 1024 (top width 984,064)."""
    for activation in (_ABSOLUTE_VALUE, _RELU):
        drawn = _errors(seed_of(rng), min(draws, 200), (16, 128, 1024), 2, activation, depth)
        yield from _slopes(drawn, float(exponent))


def _errors(
    seed: int, draws: int, sizes: tuple[int, ...], n: int, slopes: tuple[float, float], depth: int
) -> dict[int, tuple[Floats]]:
    """‖K(θ) - K̃‖ / ‖K̃‖ for some draws at each m."""
    limit = limiting_ntk(_PAIR[:n], depth, delta_phi(*slopes)) / n
    found = {}
    for size in sizes:
        matrices = matrix_draws(seed + size, _PAIR[:n], _widths(size, depth), slopes, draws)
        gaps = np.linalg.norm(matrices - limit, 2, axis=(-2, -1))
        found[size] = (gaps / np.linalg.norm(limit, 2),)
    return found


FORWARD = claim(
    "eoc.prop25.regime",
    at="Propositions 24 and 25",
    title="At depth 32 with m_k = k²m norms and cosines are off by m^(-1/2), no less",
    states=sentence(
        r"\mathbb{E}\max_{k \le $depth}\Bigl|\frac{\|x_k($x)\|}{\|$x\|} - $one\Bigr| ="
        r" \Theta($m^{$exponent}), \quad \mathbb{E}\max_{k \le $depth}(k-$one)^{$weight}\,|$rho_k"
        r" - \varrho^{\circ(k-$one)}($rho_1)| = \Theta($m^{$exponent})",
        exponent=_RATE,
        depth=32,
        weight=2,
        one=1,
    ),
    given=[x, rho_k, rho_1, m],
    assuming=[SQUARE_WIDTHS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "depth": "the rate is claimed at one depth, and is the same at every other",
        "weight": "at one depth a weight of the layers changes the constant, not the rate",
        **dict.fromkeys(
            ("domain of rho_k", "domain of rho_1"),
            "true as well: no two inputs or activations have such a cosine",
        ),
    },
)


@FORWARD.estimated(draws=100, controls=_OTHER_LIMITS, **_DRAWN)
def norms_and_cosines(
    rng: np.random.Generator, draws: int, exponent: Fraction, depth: int, weight: int, one: Any
) -> Iterator[SlopeTest]:
    """Both maxima over all 32 layers, m from 8 to 64 (top width 61,504)."""
    # More draws would resolve how far the exponent still is from its limit at these m.
    drawn = _forward_errors(seed_of(rng), min(draws, 100), (8, 64), depth, weight, one)
    yield from _slopes(drawn, float(exponent))


@FORWARD.estimated(
    draws=10,
    controls=_OTHER_LIMITS,
    profile=Profile.FULL,
    **_DRAWN,
)
def norms_and_cosines_at_width(
    rng: np.random.Generator, draws: int, exponent: Fraction, depth: int, weight: int, one: Any
) -> Iterator[SlopeTest]:
    """The same with m from 64 to 1024 (top width 984,064)."""
    drawn = _forward_errors(seed_of(rng), min(draws, 100), (64, 1024), depth, weight, one)
    yield from _slopes(drawn, float(exponent))


def _forward_errors(
    seed: int, draws: int, sizes: tuple[int, ...], depth: int, weight: int, one: Any
) -> dict[int, tuple[Floats, Floats]]:
    layers, limits = np.arange(1, depth), [_COSINE]
    for _ in layers:
        limits.append(float(varrho(limits[-1], 1.0)))
    found = {}
    for size in sizes:
        sampled = forward_draws(seed + size, _PAIR, _widths(size, depth), _ABSOLUTE_VALUE, draws)
        norms = np.abs(sampled.norms[:, :, 0] - float(one)).max(axis=1)
        cosines = np.abs(sampled.cosines[:, 1:, 0, 1] - limits[1:]) * layers ** float(weight)
        found[size] = norms, cosines.max(axis=1)
    return found


PRODUCTS = claim(
    "eoc.prop27.regime",
    at="Proposition 27",
    title="Backpropagation inner products are off by m^(-1/2) at all layers up to the eighth",
    states=sentence(
        r"\mathbb{E}\max_{k \le $depth}\Bigl|X'_{2,k} - \prod_{j=2}^{k}"
        r"\varrho'(\varrho^{\circ(j-$first)}($rho_1))\Bigr| = \Theta($m^{$exponent})",
        exponent=_RATE,
        depth=8,
        first=2,
    ),
    given=[rho_1, m],
    assuming=[SQUARE_WIDTHS],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "depth": "the rate is claimed at one depth, and is the same at every other",
        "domain of rho_1": "true as well: no two inputs have such a cosine",
    },
)


@PRODUCTS.estimated(draws=100, controls=_OTHER_STARTS, **_DRAWN)
def products_of_two_inputs(
    rng: np.random.Generator, draws: int, exponent: Fraction, depth: int, first: int
) -> Iterator[SlopeTest]:
    """Matrices B_{2,k} of both inputs drawn together, m from 8 to 48."""
    # More draws would resolve how far the exponent still is from its limit at these m.
    drawn = _product_errors(seed_of(rng), min(draws, 100), (8, 48), depth, first)
    yield from _slopes(drawn, float(exponent))


@PRODUCTS.estimated(draws=2000, controls={"later": {"first": 3}}, **_DRAWN)
def mean_of_the_first_layer(rng: np.random.Generator, draws: int, first: int) -> MeanTest:
    """The mean of X'_{2,2}, which does not depend on m, so that it is the limit; m = 8."""
    drawn = backpropagation_draws(seed_of(rng), _PAIR, (8,), _ABSOLUTE_VALUE, draws)
    (limit,) = _limits(_COSINE, 2, first)
    return mean_test(drawn.products[:, 0, 0, 1], float(limit))


def _product_errors(
    seed: int, draws: int, sizes: tuple[int, ...], depth: int, first: int
) -> dict[int, tuple[Floats]]:
    limits, found = _limits(_COSINE, depth, first), {}
    for size in sizes:
        widths = _widths(size, depth)
        sampled = backpropagation_draws(seed + size, _PAIR, widths, _ABSOLUTE_VALUE, draws)
        found[size] = (np.abs(sampled.products[:, :, 0, 1] - limits).max(axis=1),)
    return found


def _limits(rho: float, depth: int, first: int) -> Floats:
    """Π_{j=2}^k ϱ'(ϱ^{j-first}(ρ)) for k = 2, ..., and the absolute value."""
    found, product = [], 1.0
    for _ in range(first, 2):
        rho = float(varrho(rho, 1.0))
    for j in range(2, depth + 1):
        product *= float(varrho_prime(rho, 1.0)) if j >= first else 1.0
        found.append(product)
        rho = float(varrho(rho, 1.0)) if j >= first else rho
    return np.array(found)
