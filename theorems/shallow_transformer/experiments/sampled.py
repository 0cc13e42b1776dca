"""Figure 1, sampled: errors of students at several widths, many times over."""

from functools import lru_cache

import numpy as np

from numeric.arguments import Floats
from numeric.networks.transformer import (
    TANH,
    Heads,
    Inputs,
    Teacher,
    clipped_tokens,
    features,
    linear_model,
    projected_descent,
    sample_heads,
    sample_teacher,
    symmetric_initialisation,
    transported,
)
from numeric.statistics import SlopeTest, slope_test

Rng = np.random.Generator
_NU = (3.0, 3.0, 3.0)


def _task(rng: Rng, n: int, length: int, d: int, R: int = 4) -> tuple[Inputs, Teacher]:
    return clipped_tokens(n, length, d, rng), sample_teacher(R, length, d, _NU, TANH, rng)


@lru_cache(maxsize=4)
def squares(seed: int, draws: int, widths: tuple[int, ...], pool: int) -> Floats:
    """(f_lin − ỹ)² averaged over 12 inputs, students and pools drawn anew: (widths, draws)."""
    rng = np.random.default_rng(seed)
    inputs, teacher = _task(rng, 12, 4, 3, 1)
    found = np.empty((len(widths), draws))
    for place, width in enumerate(widths):
        for draw in range(draws):
            student = symmetric_initialisation(width, 3, rng)
            moved = transported(student, teacher.transport(student))
            label = teacher.labels(sample_heads(pool, 3, rng), inputs, threads=1)
            error = linear_model(student, moved, inputs, TANH, threads=1) - label
            found[place, draw] = np.mean(error**2)
    return found


@lru_cache(maxsize=4)
def suprema(seed: int, draws: int, widths: tuple[int, ...]) -> Floats:
    """max_j |f_lin(X^(j); φ̃) − ỹ^(j)| with inputs, teacher and labels drawn once."""
    rng = np.random.default_rng(seed)
    inputs, teacher = _task(rng, 40, 8, 8)
    labels = teacher.labels(sample_heads(8192, 8, rng), inputs, threads=1)
    found = np.empty((len(widths), draws))
    for place, width in enumerate(widths):
        for draw in range(draws):
            student = symmetric_initialisation(width, 8, rng)
            moved = transported(student, teacher.transport(student))
            errors = linear_model(student, moved, inputs, TANH, threads=1) - labels
            found[place, draw] = np.abs(errors).max()
    return found


_POOL = 2**17


def excess(
    seed: int,
    draws: int,
    widths: tuple[int, ...],
    shape: tuple[int, int, int],
    steps: int,
    eta: float,
    power: float,
) -> SlopeTest:
    """Whether the mean loss less that of kernel descent is this power of the width."""
    found = _losses(seed, draws, widths, shape, steps, eta) - _limit(shape, steps, eta)
    means, deviations = found.mean(axis=1), found.std(axis=1, ddof=1)
    return slope_test(widths, means, deviations / np.sqrt(draws), power)


@lru_cache(maxsize=4)
def _fixed(shape: tuple[int, int, int]) -> tuple[Inputs, Floats, Floats]:
    """Inputs, labels and kernel: always the same, as how much the excess varies depends on them."""
    fixed = np.random.default_rng(1)
    inputs, teacher = _task(fixed, *shape)
    labels = teacher.labels(sample_heads(8192, shape[2], fixed), inputs, threads=1)
    # The kernel's own error, of order pool^(-1/2), must be small beside an excess of order 1/m.
    return inputs, labels, empirical_kernel(sample_heads(_POOL, shape[2], fixed), inputs)


def _limit(shape: tuple[int, int, int], steps: int, eta: float) -> float:
    """The loss of kernel descent."""
    inputs, labels, kernel = _fixed(shape)
    limit = np.eye(inputs.n) - 2 * eta / inputs.n * kernel
    left = np.linalg.matrix_power(limit, steps - 1) @ labels
    return float(np.mean(left**2))


@lru_cache(maxsize=4)
def _losses(
    seed: int, draws: int, widths: tuple[int, ...], shape: tuple[int, int, int], steps: int, eta: float
) -> Floats:
    """The last of ``steps`` losses of students, shape (widths, draws)."""
    rng = np.random.default_rng(seed)
    inputs, labels, _ = _fixed(shape)
    found = np.empty((len(widths), draws))
    for place, width in enumerate(widths):
        for draw in range(draws):
            student = symmetric_initialisation(width, inputs.d, rng)
            run = projected_descent(student, inputs, labels, TANH, None, steps, step_size=eta, threads=1)
            found[place, draw] = run.losses[-1]
    return found


def empirical_kernel(pool: Heads, inputs: Inputs) -> Floats:
    """The tangent kernel at the samples as an average over a pool of heads, shape (n, n)."""
    kernel = np.zeros((inputs.n, inputs.n))
    for first in range(0, pool.m, 256):
        found = features(pool.heads(first, min(first + 256, pool.m)), inputs, TANH)
        for block in (found.c, found.U, found.W):
            rows = block.reshape(inputs.n, -1)
            kernel += rows @ rows.T
    return kernel / pool.m
