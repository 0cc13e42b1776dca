"""Steps to the boundary of Ω_ρ, in independent directions or in directions that add up."""

from __future__ import annotations

import numpy as np

from numeric.arguments import Floats
from numeric.networks.transformer import (
    TANH,
    BoundedActivation,
    Heads,
    Inputs,
    clipped_tokens,
    features,
    linear_model,
    predict,
    symmetric_initialisation,
)

__all__ = ["DIRECTIONS", "boundary_step", "largest_errors"]

Rho = tuple[float, float, float]

#: How a point is chosen: "independent" has uniform directions in every head and block; "paired"
#: moves θ_i along the gradient of Σ_j h(X^(j); θ_i) and all c_i up, as in the published code of the
#: paper; "signed" moves θ_i along c_i times that gradient, and c_i away from 0.
DIRECTIONS = ("independent", "paired", "signed")


def boundary_step(
    directions: str,
    initial: Heads,
    inputs: Inputs,
    activation: BoundedActivation,
    rho: Rho,
    rng: np.random.Generator,
) -> Heads:
    """φ − φ⁽⁰⁾ with |δc_i| = ρ_c/√m, |δU_i| = ρ_u/√m and |δW_i| = ρ_w/√m in every head.

    Where a gradient vanishes the direction is random.
    """
    m = initial.m
    c, U, W = (radius / float(np.sqrt(m)) for radius in rho)
    random = rng.standard_normal(initial.U.shape), rng.standard_normal(initial.W.shape)
    if directions == "independent":
        return Heads(c * rng.choice([-1.0, 1.0], m), U * _unit(*random[:1]), W * _unit(random[1]))
    found = features(initial, inputs, activation)
    sign = initial.c if directions == "signed" else np.ones(m)
    slopes = sign[:, None] * found.U.sum(axis=0), sign[:, None, None] * found.W.sum(axis=0)
    along = (_unit(_or(slope, other)) for slope, other in zip(slopes, random, strict=True))
    first, second = along
    return Heads(c * sign, U * first, W * second)


def _or(slope: Floats, other: Floats) -> Floats:
    """The slopes, with random ones for heads where they vanish."""
    size = np.abs(slope).reshape(len(slope), -1).max(axis=1)
    chosen: Floats = np.where(size.reshape(-1, *(1,) * (slope.ndim - 1)) > 1e-100, slope, other)
    return chosen


def _unit(blocks: Floats) -> Floats:
    """Each head's block divided by its norm."""
    norms = np.linalg.norm(blocks.reshape(len(blocks), -1), axis=1)
    scaled: Floats = blocks / norms.reshape(-1, *(1,) * (blocks.ndim - 1))
    return scaled


def largest_errors(directions: str, m: int, rho: Rho, rng: np.random.Generator, draws: int) -> np.ndarray:
    """sup_j |f − f_lin| of so many networks with σ = tanh and 20 inputs, d = 4, T = 6."""
    found = []
    for _ in range(draws):
        initial, inputs = symmetric_initialisation(m, 4, rng), clipped_tokens(20, 6, 4, rng)
        moved = initial + boundary_step(directions, initial, inputs, TANH, rho, rng)
        linear = linear_model(initial, moved, inputs, TANH, threads=1)
        found.append(np.abs(predict(moved, inputs, TANH, threads=1) - linear).max())
    return np.array(found)
