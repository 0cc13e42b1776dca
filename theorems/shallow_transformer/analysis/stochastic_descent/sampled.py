"""Small transformers trained on samples drawn at random: every sequence of indices is followed.

Conditional expectations are exact sums over the indices, not estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

from flint import arb
from hypothesis import strategies as st
from sympy import Symbol

from numeric.networks.transformer.descent import project
from numeric.networks.transformer.model import predict
from numeric.networks.transformer.parameters import Heads
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.training import expected_average, expected_least, expected_mean
from theorems.shallow_transformer.sampling.run_balls import (
    ROUNDING,
    Point,
    StepBalls,
    about,
    constants,
    gradient_error,
    largest,
    mean,
    nearly,
    output_error,
)
from theorems.shallow_transformer.sampling.runs import CASES, Case, Problem, Step, problem

__all__ = ["LONG_TREES", "SHORT_TREES", "TREES", "IndexTree"]

Path = tuple[int, ...]


@dataclass(eq=False)
class IndexTree:
    """All index sequences of a stochastic run, as a tree: φ after each, and its steps."""

    given: Problem
    steps: int
    eta: float
    long: bool
    nodes: dict[Path, Step] = field(default_factory=dict, repr=False)
    children: dict[Path, list[Heads]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._grow((), self.given.initial)

    def _grow(self, path: Path, point: Heads) -> None:
        if len(path) == self.steps:
            return
        step = Step(point, self.given, self.eta)
        self.nodes[path] = step
        self.children[path] = []
        for j in range(self.given.inputs.n):
            moved = point - self.eta * step.sample_gradient(j)
            child = project(moved, self.given.initial, self.given.regime.rho)
            self.children[path].append(child)
            self._grow((*path, j), child)

    @cached_property
    def balls(self) -> dict[Path, StepBalls]:
        """The quantities at each node."""
        return {path: StepBalls(step) for path, step in self.nodes.items()}

    def paths(self) -> list[list[Path]]:
        """The places of φ^(0), …, φ^(τ−1) along each sequence of indices."""
        n = self.given.inputs.n
        found = product(range(n), repeat=self.steps - 1)
        return [[indices[:s] for s in range(self.steps)] for indices in found]

    def points(self) -> Iterable[Point]:
        """The quantities of claims about one stochastic step, for each index at each node."""
        fixed = constants(self.given)
        for path, node in self.balls.items():
            drawn = [self._drawn(node, j, child) for j, child in enumerate(self.children[path])]
            averages = {
                of.V_mean: mean([one[of.V_next] for one in drawn]),
                of.ell_square: mean([one[of.ell_gradient] ** 2 for one in drawn]),
            }
            for one in drawn:
                yield {**fixed, **node.point(), **averages, **one}

    def _drawn(self, node: StepBalls, j: int, child: Heads) -> dict[Symbol, Any]:
        """The quantities of one index: ∇ℓ_j = 2r_j∇f_j, and V after the step along it."""
        given, residual = self.given, node.residuals[j]
        size = 2 * abs(residual) * node.of_gradients(node.step.gradient_sizes)[j]
        after = given.length(given.transported - child)
        sample = given.length(node.step.sample_gradient(j))
        off = 2 * abs(float(node.step.residuals[j])) * gradient_error(given)
        off += 2 * output_error(given) * (given.printed.gradient + gradient_error(given))
        off += ROUNDING * (sample + given.printed.gradient)
        moved = self.eta * off + ROUNDING * (given.length(node.step.point) + self.eta * sample)
        return {
            of.ell_slope: 2 * residual * node.slopes[j],
            of.ell_gradient: size,
            of.V_next: about(after, moved + ROUNDING * after) ** 2,
        }

    @cached_property
    def whole(self) -> Point:
        """What claims about the whole run are in; A and E are as small as they may be."""
        losses = [[self.balls[place].loss for place in path] for path in self.paths()]
        points = [node.point() for node in self.balls.values()]
        gradient = largest([one[of.f_gradient] for one in points])
        error = largest([one[of.eps_sum] for one in points])
        return {
            **constants(self.given),
            of.eta: nearly(self.eta),
            of.tau: self.steps,
            of.V_0: self.balls[()].point()[of.V],
            of.f_gradient: gradient,
            of.A: nearly(self.given.sharp.gradient) if self.long else gradient,
            of.eps_sum: error,
            of.E: error,
            expected_mean: mean([mean(path) for path in losses]),
            expected_least: mean([_least(path) for path in losses]),
            expected_average: mean([self._at_the_average(path) for path in self.paths()]),
        }

    def _at_the_average(self, path: list[Path]) -> arb:
        total = self.nodes[path[0]].point
        for place in path[1:]:
            total = total + self.nodes[place].point
        average = (1 / len(path)) * total
        found = predict(average, self.given.inputs, self.given.activation) - self.given.labels
        moved = ROUNDING * self.given.length(average) * self.given.printed.gradient
        return mean([about(one, output_error(self.given) + moved) ** 2 for one in found])


def _least(balls: Sequence[arb]) -> arb:
    found = balls[0]
    for one in balls[1:]:
        found = found.min(one)
    return found


@lru_cache(maxsize=256)
def tree_of_all_indices(case: Case) -> IndexTree:
    """The tree of all sequences of indices of a run."""
    given = problem(case)
    return IndexTree(given, case.steps, given.step_size(case.steps, case.long), case.long)


_SMALL = st.builds(replace, CASES, n=st.sampled_from((1, 2, 3)), steps=st.sampled_from((1, 2, 3)))
TREES = _SMALL.map(tree_of_all_indices)
SHORT_TREES = st.builds(replace, _SMALL, long=st.just(False)).map(tree_of_all_indices)
LONG_TREES = st.builds(replace, _SMALL, long=st.just(True)).map(tree_of_all_indices)
