"""The teacher-student experiment of Section 6.1 at one width: three errors of one student.

The paper leaves open what R is, the number of anchors: 16 here. Points on the boundary of Ω_ρ are
chosen in two ways: with independent directions in every head, and with directions that add up,
along the sum of the gradients of h_i over some hundred inputs.
"""

from dataclasses import dataclass

import numpy as np

from numeric.arguments import Floats
from numeric.networks.transformer import (
    TANH,
    Heads,
    Inputs,
    Teacher,
    clipped_tokens,
    linear_model,
    predict,
    projected_descent,
    sample_heads,
    sample_teacher,
    symmetric_initialisation,
    transported,
)
from theorems.shallow_transformer.sampling.boundary import boundary_step

Rng = np.random.Generator

WIDTHS = (8, 16, 32, 64, 128, 256)
DIMENSION, LENGTH, ANCHORS = 8, 16, 16
NU = (3.0, 3.0, 3.0)
#: Inputs that fix the directions: the gradients at each of more inputs would fill the memory.
_FEW = 400


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


def approximation_error(task: Task, initial: Heads) -> float:
    """max_j |f_lin(X^(j); φ̃) − ỹ^(j)| at the transported parameters φ̃."""
    moved = transported(initial, task.teacher.transport(initial))
    errors = linear_model(initial, moved, task.inputs, TANH, threads=1) - task.labels
    return float(np.abs(errors).max())


def linearisation_error(inputs: Inputs, initial: Heads, step: Heads) -> float:
    """max_j |f − f_lin| at initial + step."""
    moved = initial + step
    errors = predict(moved, inputs, TANH, threads=1)
    errors -= linear_model(initial, moved, inputs, TANH, threads=1)
    return float(np.abs(errors).max())


def smallest_loss(task: Task, initial: Heads, steps: int) -> float:
    """min over s < τ of the loss of projected descent with η = 1/√τ and ρ = ν̄."""
    run = projected_descent(initial, task.inputs, task.labels, TANH, NU, steps, threads=1)
    return float(run.losses.min())


def errors_by_width(n: int, pool: int, steps: int, rng: Rng) -> dict[str, list[float]]:
    """All errors of one seed, by kind, each a list over WIDTHS."""
    task = sample_task(n, pool, rng)
    few = task.inputs.take(range(min(n, _FEW)))
    found: dict[str, list[float]] = {"independent": [], "coherent": [], "approximation": [], "training": []}
    for m in WIDTHS:
        initial = symmetric_initialisation(m, DIMENSION, rng)
        for kind, directions in (("independent", "independent"), ("coherent", "paired")):
            step = boundary_step(directions, initial, few, TANH, NU, rng)
            found[kind].append(linearisation_error(task.inputs, initial, step))
        found["approximation"].append(approximation_error(task, initial))
        found["training"].append(smallest_loss(task, initial, steps))
    return found
