"""The teacher-student experiment of Section 6.1 at one width: three errors of one student.

The paper leaves open what R is, the number of anchors: 16 here. Directions on the boundary of Ω_ρ
are taken in two ways: independent for every head, and coherent, where all δc_i have one sign and
δθ_i points along the mean gradient of h_i, so that the products δc_i ⟨∇h_i, δθ_i⟩ add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from numeric.networks.transformer import (
    TANH,
    Inputs,
    Parameters,
    Teacher,
    clipped_tokens,
    linear_model,
    loss_and_gradient,
    predict,
    projected_descent,
    sample_heads,
    sample_teacher,
    symmetric_initialisation,
    transported,
)

Floats = NDArray[np.float64]
Rng = np.random.Generator

WIDTHS = (8, 16, 32, 64, 128, 256)
DIMENSION, LENGTH, ANCHORS = 8, 16, 16
NU = (3.0, 3.0, 3.0)


@dataclass(frozen=True)
class Task:
    """Inputs, teacher and labels of one seed."""

    inputs: Inputs
    teacher: Teacher
    labels: Floats


def sample_task(n: int, pool: int, rng: Rng, length: int = LENGTH) -> Task:
    """Draw the data: n samples, labels by a Monte Carlo over a pool of heads."""
    inputs = clipped_tokens(n, length, DIMENSION, rng)
    teacher = sample_teacher(ANCHORS, length, DIMENSION, NU, TANH, rng)
    labels = teacher.labels(sample_heads(pool, DIMENSION, rng), inputs, threads=1)
    return Task(inputs, teacher, labels)


def approximation_error(task: Task, initial: Parameters) -> float:
    """max_j |f_lin(X^(j); φ̃) − ỹ^(j)| at the transported parameters φ̃."""
    moved = transported(initial, task.teacher.transport(initial))
    errors = linear_model(initial, moved, task.inputs, TANH, threads=1) - task.labels
    return float(np.abs(errors).max())


def linearisation_error(inputs: Inputs, initial: Parameters, step: Parameters) -> float:
    """max_j |f − f_lin| at initial + step."""
    moved = initial + step
    errors = predict(moved, inputs, TANH, threads=1)
    errors -= linear_model(initial, moved, inputs, TANH, threads=1)
    return float(np.abs(errors).max())


def independent_directions(initial: Parameters, rng: Rng) -> Parameters:
    """A point of the boundary of Ω_ρ minus the centre: signs and uniform directions, ρ = ν̄."""
    normal = sample_heads(initial.m, initial.d, rng)
    return _on_the_boundary(normal)


def coherent_directions(initial: Parameters, inputs: Inputs) -> Parameters:
    """The same with δc_i > 0 and δθ_i along the mean gradient of h_i over the inputs."""
    unsigned = Parameters(np.ones(initial.m), initial.U, initial.W)
    # With residuals 1/2 the gradient of the loss is the mean gradient of f.
    halves = predict(unsigned, inputs, TANH, threads=1) - 0.5
    mean = loss_and_gradient(unsigned, inputs, halves, TANH, threads=1).gradient
    return _on_the_boundary(Parameters(np.ones(initial.m), mean.U, mean.W))


def _on_the_boundary(directions: Parameters) -> Parameters:
    radii = np.array(NU) / sqrt(directions.m)
    c, U, W = radii[:, None] / np.maximum(directions.block_norms(), np.finfo(float).tiny)
    return Parameters(c * directions.c, U[:, None] * directions.U, W[:, None, None] * directions.W)


def smallest_loss(task: Task, initial: Parameters, steps: int) -> float:
    """min over s < τ of the loss of projected descent with η = 1/√τ and ρ = ν̄."""
    run = projected_descent(initial, task.inputs, task.labels, TANH, NU, steps, threads=1)
    return float(run.losses.min())


def errors_by_width(n: int, pool: int, steps: int, rng: Rng) -> dict[str, list[float]]:
    """All errors of one seed, by kind, each a list over WIDTHS."""
    task = sample_task(n, pool, rng)
    found: dict[str, list[float]] = {
        "independent": [],
        "coherent": [],
        "approximation": [],
        "training": [],
    }
    for m in WIDTHS:
        initial = symmetric_initialisation(m, DIMENSION, rng)
        steps_out = {
            "independent": independent_directions(initial, rng),
            "coherent": coherent_directions(initial, task.inputs),
        }
        for kind, step in steps_out.items():
            found[kind].append(linearisation_error(task.inputs, initial, step))
        found["approximation"].append(approximation_error(task, initial))
        found["training"].append(smallest_loss(task, initial, steps))
    return found
