"""Propositions 24 and 25 at the widths m_k = k²m and many layers: the rate at which errors fall."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.cosine_maps import varrho
from numeric.statistics import SlopeTest
from theorems.engine import Profile, Provenance, sentence
from theorems.eoc_mlp.hypotheses import SQUARE_WIDTHS
from theorems.eoc_mlp.letters import claim
from theorems.eoc_mlp.sampling.drawn_once import forward_draws, seed_of
from theorems.eoc_mlp.sampling.rates import (
    ABSOLUTE_VALUE,
    COSINE,
    DRAWN,
    NOTE,
    OTHER_RATES,
    PAIR,
    RATE,
    slopes_of_means,
    square_widths,
)

Rng = np.random.Generator
_OTHER_LIMITS: dict[str, dict[str, Any]] = {**OTHER_RATES, "limit": {"one": Fraction(1, 2)}}


FORWARD = claim(
    "eoc.prop25.regime",
    at="Proposition 25; Proposition 24",
    title="At depth 32 with m_k = k²m the errors of norms and cosines are of exact order m^(-1/2)",
    states=sentence(
        r"\mathbb{E}\max_k\Bigl|\frac{\|x_k($x)\|}{\|$x\|} - $one\Bigr|,\quad"
        r" \mathbb{E}\max_k\,(k-$passed)^{$weight}\,|$rho_k - $rho_tilde|"
        r" \;\in\; \Theta($m^{$exponent}), \quad k \le $depth",
        one=1,
        passed=1,
        weight=2,
        exponent=RATE,
        depth=32,
    ),
    assuming=[SQUARE_WIDTHS],
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={
        "depth": "the rate is claimed at one depth, and is the same at every other",
        **dict.fromkeys(
            ("passed", "weight"), "at one depth a weight of the layers changes the constant, not the rate"
        ),
        **dict.fromkeys(
            ("domain of rho_k", "domain of rho_tilde"),
            "true as well: no two inputs or activations have such a cosine",
        ),
    },
)


@FORWARD.estimated(draws=60, controls=_OTHER_LIMITS, **DRAWN)
def norms_and_cosines(
    rng: Rng, draws: int, exponent: Fraction, depth: int, one: Any, passed: Any, weight: Any
) -> Iterator[SlopeTest]:
    """Both maxima over all 32 layers, m from 4 to 32 (top width 30,752)."""
    # More draws would resolve how far the exponent still is from its limit at these m.
    drawn = _forward_errors(seed_of(rng), min(draws, 60), (4, 32), depth, one, passed, weight)
    yield from slopes_of_means(drawn, float(exponent))


@FORWARD.estimated(draws=10, controls=_OTHER_LIMITS, profile=Profile.FULL, **DRAWN)
def norms_and_cosines_at_width(
    rng: Rng, draws: int, exponent: Fraction, depth: int, one: Any, passed: Any, weight: Any
) -> Iterator[SlopeTest]:
    """The same with m from 64 to 1024 (top width 984,064)."""
    sizes = (64, 1024)
    drawn = _forward_errors(seed_of(rng), min(draws, 100), sizes, depth, one, passed, weight)
    yield from slopes_of_means(drawn, float(exponent))


def _forward_errors(
    seed: int, draws: int, sizes: tuple[int, ...], depth: int, one: Any, passed: Any, weight: Any
) -> dict[int, tuple[Floats, Floats]]:
    """The largest errors of each draw, of the lengths and of the cosines from layer 2 on."""
    layers, limits = np.arange(2, depth + 1), [COSINE]
    for _ in layers:
        limits.append(float(varrho(limits[-1], 1.0)))
    found = {}
    for size in sizes:
        sampled = forward_draws(seed + size, PAIR, square_widths(size, depth), ABSOLUTE_VALUE, draws)
        norms = np.abs(sampled.norms[:, :, 0] - float(one)).max(axis=1)
        errors = np.abs(sampled.cosines[:, 1:, 0, 1] - limits[1:])
        weighted = errors * np.abs(layers - float(passed)) ** float(weight)
        found[size] = norms, weighted.max(axis=1)
    return found
