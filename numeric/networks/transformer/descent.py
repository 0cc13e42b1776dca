"""Projected gradient descent, full or stochastic, on the empirical loss of the transformer."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import NONNEGATIVE, POSITIVE, Floats, positive_integer, real_array, real_number, shown
from numeric.networks import arguments
from numeric.networks.transformer.activation import BoundedActivation
from numeric.networks.transformer.model import LossAndGradient, loss_and_gradient
from numeric.networks.transformer.parameters import Heads, Inputs, indices, of_same_space

__all__ = ["Run", "project", "projected_descent", "uniform_indices"]

Observer = Callable[[int, Heads, LossAndGradient], object]
Batches = Iterable[Sequence[int]]


def project(parameters: Heads, initial: Heads, rho: ArrayLike) -> Heads:
    r"""The nearest point of Omega_rho.

    .. math:: |c_i - c_i^{(0)}| \le \rho_c m^{-1/2}, \quad
        |U_i - U_i^{(0)}| \le \rho_u m^{-1/2}, \quad |W_i - W_i^{(0)}|_F \le \rho_w m^{-1/2}.

    ``rho`` = (rho_c, rho_u, rho_w), nonnegative. A block within its ball is returned as it is;
    others are moved to the sphere along the radius. Raises TypeError or ValueError.

    Source: "Shallow transformers", Definition 2.

    >>> start = Heads([0.0], [[0.0, 0.0]], [[[0.0, 0.0], [0.0, 0.0]]])
    >>> moved = Heads([0.5], [[3.0, 4.0]], [[[0.0, 9.0], [0.0, 0.0]]])
    >>> project(moved, start, (1, 1, 1)).U
    array([[0.6, 0.8]])
    """
    radii = real_array("rho", rho, NONNEGATIVE, shape=(3,)) / math.sqrt(parameters.m)
    shift = parameters - of_same_space("initial", initial, parameters)
    norms = shift.block_norms()
    outside = norms > radii[:, None]
    if not outside.any():
        return parameters
    factors = radii[:, None] / np.where(outside, norms, 1)  # of use outside only
    c, U, W = (
        np.where(_like(out, value), start + _like(factor, move) * move, value)
        for out, factor, value, start, move in zip(
            outside, factors, _blocks(parameters), _blocks(initial), _blocks(shift), strict=True
        )
    )
    return Heads(c, U, W)


def _blocks(parameters: Heads) -> tuple[Floats, Floats, Floats]:
    return parameters.c, parameters.U, parameters.W


def _like(per_head: Floats, block: Floats) -> Floats:
    return per_head.reshape(-1, *(1,) * (block.ndim - 1))


@dataclass(frozen=True, eq=False)
class Run:
    """The losses and iterates of one run of descent.

    - ``losses``: the loss of the batch B_s at phi^(s), s in [0 : steps-1]; without batches this is
      the empirical loss.
    - ``best``: phi^(s) at the smallest of these; ``average``: the mean of phi^(0), ...,
      phi^(steps-1); ``last``: phi^(steps).
    """

    losses: Floats
    best: Heads
    average: Heads
    last: Heads


def projected_descent(
    initial: Heads,
    inputs: Inputs,
    labels: ArrayLike,
    activation: BoundedActivation,
    rho: ArrayLike | None,
    steps: int,
    step_size: float | None = None,
    batches: Batches | None = None,
    rng: np.random.Generator | None = None,
    observe: Observer | None = None,
    threads: int | None = None,
) -> Run:
    r"""phi^(s+1) = projection of phi^(s) - eta grad L_{B_s}(phi^(s)) onto Omega_rho.

    - ``rho``: the radii (rho_c, rho_u, rho_w), or None for no projection.
    - ``step_size``: eta > 0, by default 1/sqrt(steps).
    - ``batches``: B_0, B_1, ... as lists of indices of samples, at least ``steps``; by default all
      samples at each step (ProjGD). With ``rng`` instead, one uniform index at each step (ProjSGD).
    - ``observe``: called as ``observe(s, phi, loss_and_gradient)`` at phi^(s) before step s.
    - ``threads`` as in ``predict``: equal arguments and seeds give equal runs.

    Raises TypeError or ValueError, also when parameters leave the range of floats.

    Source: "Shallow transformers", Section 3.3.

    >>> from numeric.networks.transformer.activation import SINE
    >>> start = Heads([2.0], [[0.0]], [[[0.0]]])
    >>> inputs = Inputs([[[1.0], [0.0]]], [[1.0]])
    >>> run = projected_descent(start, inputs, [3.0], SINE, (0, 1, 0), steps=2, step_size=1.0)
    >>> run.last.U, run.losses
    (array([[1.]]), array([9.        , 4.16628893]))
    """
    count = positive_integer("steps", steps)
    eta = 1 / math.sqrt(count) if step_size is None else real_number("step_size", step_size, POSITIVE)
    wanted = real_array("labels", labels, shape=(inputs.n,))
    if not (observe is None or callable(observe)):
        raise TypeError(f"observe must be callable or None, got {shown(observe)}")
    point = best = of_same_space("initial", initial, initial)
    losses = np.empty(count)
    total, lowest = 0.0 * initial, math.inf
    for s, (part, values) in enumerate(islice(_parts(inputs, wanted, batches, rng), count)):
        found = loss_and_gradient(point, part, values, activation, threads)
        losses[s] = found.loss
        if observe is not None:
            observe(s, point, found)
        if found.loss < lowest:
            best, lowest = point, found.loss
        total += point
        point -= eta * found.gradient
        if rho is not None:
            point = project(point, initial, rho)
    return Run(losses, best, (1 / count) * total, point)


def _parts(
    inputs: Inputs, labels: Floats, batches: Batches | None, rng: np.random.Generator | None
) -> Iterator[tuple[Inputs, Floats]]:
    """The batches with their labels, without end unless the caller's end."""
    if batches is not None and rng is not None:
        raise ValueError("batches must be None when rng is given: it draws them")
    if rng is not None:
        batches = uniform_indices(inputs.n, rng)
    if batches is None:
        yield from repeat((inputs, labels))
        return
    for chosen in _listed(batches):
        samples = indices("batches", chosen, inputs.n)
        yield inputs.take(samples), labels[samples]
    raise ValueError("batches must be at least as many as steps")


def _listed(batches: object) -> Iterable[Sequence[int]]:
    if not isinstance(batches, Iterable):
        raise TypeError(f"batches must be lists of indices, got {shown(batches)}")
    return batches


def uniform_indices(n: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """J_0, J_1, ... independent and uniform on [0 : n-1], each as a batch of one, without end.

    >>> source = uniform_indices(1, np.random.default_rng(0))
    >>> next(source), next(source)
    ([0], [0])
    """
    size, source = positive_integer("n", n), arguments.generator(rng)
    return ([int(source.integers(size))] for _ in repeat(None))
