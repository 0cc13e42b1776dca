"""Proposition D.1: the dot products converge in law to a Gaussian vector."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Integer, Rational, Symbol, expand

from numeric.arguments import Floats
from numeric.statistics import TwoSampleTest, two_sample_test
from symbolic.equality import equal
from symbolic.gaussian.wick import gaussian_mean
from theorems.attention_limit.letters.dot_products import r
from theorems.attention_limit.letters.sketch import growing_width
from theorems.attention_limit.letters.table import claim
from theorems.engine import Obligations, integers, sentence

PROPOSITION = claim(
    "attn.propD1",
    at="Proposition D.1",
    title="The dot products converge in law to a Gaussian vector",
    states=sentence(
        r"(p_1, \dots, p_{$r}) \xrightarrow{d} (\mathring{p}_1, \dots, \mathring{p}_{$r})"
        r" \text{ centred Gaussian}, \quad \operatorname{Cov}($dot_limit, $dot_limit_other)"
        r" = \mathbb{E}[$factor_gi_limit $factor_hi_limit $factor_gk_limit $factor_hk_limit],"
        r" \ $dot_product = \langle $factor_g, $factor_h\rangle / {$growing_width}^{$power}",
        power=Rational(1, 2),
    ),
    rests_on="attn.propD1.any_inputs",
    note="proofs_notes/attn_proofs.md#one-vector-after-the-other",
)


@PROPOSITION.argued(
    bridge="The dot products of Assumption 3.1 are among those of images under two matrices, whose"
    " inputs are functions of earlier vectors; by the theorems of Cramér and Wold and of Lévy the"
    " means of cosines of all combinations, with any phase, decide convergence in law. What is"
    " computed are the covariances that one more image brings.",
    over={r: integers(1), growing_width: integers(1)},
)
def covariances_of_one_more_image(power: Any) -> Obligations:
    """The covariances that a new image cx + ρζ brings are those of the definition."""
    a, rest, b, other = letters = [Symbol(name, real=True) for name in ("a", "zeta", "b", "b'")]
    c, rho, scale, gamma = (Symbol(name, real=True) for name in ("c", "rho", "sigma", "gamma"))
    law = {(a, a): scale**2, (rest, rest): 1, (b, b): 1, (b, other): gamma, (other, other): 1}
    new = c * a + rho * rest

    def defined(product: Any) -> Any:
        return expand(gaussian_mean(product, letters, law))

    rows = Integer(4)
    sums = rows / rows ** (2 * power)  # the covariance of sums of so many terms, divided
    earlier = defined(a * b * a * other)
    yield "with earlier products", equal(sums * c * earlier, defined(new * b * a * other))
    fresh = c**2 * earlier + rho**2 * gamma
    yield "of new products", equal(sums * fresh, defined(new**2 * b * other))


_WIDTH = 100


@PROPOSITION.estimated(
    draws=2000,
    controls={"smaller power": {"power": Rational(2, 5)}},
    over={r: integers(1), growing_width: integers(1)},
)
def inputs_that_depend_on_images(rng: np.random.Generator, draws: int, power: Any) -> Iterator[TwoSampleTest]:
    """Two matrices, each applied to two inputs, of which one depends on the other's image."""
    first = np.array([_two_products(rng, _WIDTH) for _ in range(draws)]) / _WIDTH ** float(power)
    second = rng.multivariate_normal(np.zeros(2), _limit_covariance(), draws)
    for direction in ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0)):
        yield two_sample_test(first @ direction, second @ direction)
    yield two_sample_test(np.prod(first, axis=1), np.prod(second, axis=1))


def _two_products(rng: np.random.Generator, width: int) -> Floats:
    """p₁ from tanh z and tanh y, and p₂ from tanh(z + By') and tanh(y + Az')."""
    z, y = rng.standard_normal((2, width))
    A, B = rng.standard_normal((2, width, width)) / np.sqrt(width)
    a, b = A @ np.tanh(z), B @ np.tanh(y)
    a_next, b_next = A @ np.tanh(z + b), B @ np.tanh(y + a)
    return np.array([a @ b, a_next @ b_next])


def _limit_covariance() -> Floats:
    """Products of the covariances of the images, by quadrature with weights e^(-x²/2)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    size = float(weights @ np.tanh(nodes) ** 2)
    moved = np.tanh(nodes[:, None] + np.sqrt(size) * nodes[None, :])
    mixed = float(weights @ (np.tanh(nodes)[:, None] * moved) @ weights)
    later = float(weights @ moved**2 @ weights)
    return np.array([[size**2, mixed**2], [mixed**2, later**2]])
