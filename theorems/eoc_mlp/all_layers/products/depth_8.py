"""Proposition 27 at the widths m_k = k²m and many layers: the rate at which errors fall."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.cosine_maps import varrho, varrho_prime
from numeric.statistics import MeanTest, SlopeTest, mean_test
from theorems.engine import Provenance, sentence
from theorems.eoc_mlp.hypotheses import SQUARE_WIDTHS
from theorems.eoc_mlp.letters import claim
from theorems.eoc_mlp.sampling.drawn_once import backpropagation_draws, seed_of
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

_OTHER_STARTS: dict[str, dict[str, Any]] = {**OTHER_RATES, "later": {"first": 3}}


PRODUCTS = claim(
    "eoc.prop27.regime",
    at="Proposition 27",
    title="Errors of backpropagation inner products up to layer 8 are of exact order m^(-1/2)",
    states=sentence(
        r"\mathbb{E}\max_{k \le $depth}\Bigl|X'_{2,k} - \prod_{j=2}^{k}"
        r"\varrho'(\varrho^{\circ(j-$first)}($rho_1))\Bigr| = \Theta($m^{$exponent})",
        exponent=RATE,
        depth=8,
        first=2,
    ),
    assuming=[SQUARE_WIDTHS],
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={
        "depth": "the rate is claimed at one depth, and is the same at every other",
        "exponent": "a hundred draws at two widths tell it from 0 and from -1, not by one per cent",
        "domain of rho_1": "true as well: no two inputs have such a cosine",
    },
)


@PRODUCTS.estimated(draws=100, controls=_OTHER_STARTS, **DRAWN)
def products_of_two_inputs(
    rng: np.random.Generator, draws: int, exponent: Fraction, depth: int, first: int
) -> Iterator[SlopeTest]:
    """Matrices B_{2,k} of both inputs drawn together, m from 8 to 48."""
    # More draws would resolve how far the exponent still is from its limit at these m.
    drawn = _product_errors(seed_of(rng), min(draws, 100), (8, 48), depth, first)
    yield from slopes_of_means(drawn, float(exponent))


@PRODUCTS.estimated(draws=2000, controls={"later": {"first": 3}}, **DRAWN)
def mean_of_the_first_layer(rng: np.random.Generator, draws: int, first: int) -> MeanTest:
    """The mean of X'_{2,2}, which does not depend on m, so that it is the limit; m = 8."""
    drawn = backpropagation_draws(seed_of(rng), PAIR, (8,), ABSOLUTE_VALUE, draws)
    (limit,) = _limits(COSINE, 2, first)
    return mean_test(drawn.products[:, 0, 0, 1], float(limit))


def _product_errors(
    seed: int, draws: int, sizes: tuple[int, ...], depth: int, first: int
) -> dict[int, tuple[Floats]]:
    limits, found = _limits(COSINE, depth, first), {}
    for size in sizes:
        widths = square_widths(size, depth)
        sampled = backpropagation_draws(seed + size, PAIR, widths, ABSOLUTE_VALUE, draws)
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
