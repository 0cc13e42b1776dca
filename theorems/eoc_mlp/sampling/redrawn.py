"""One layer of sampled networks redrawn, against tail bounds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sympy import Symbol

from numeric.arguments import Floats
from numeric.cosine_maps import delta_phi
from numeric.networks.conditional import LayerDraws, resample_layer
from numeric.networks.forward_pass import ForwardPass
from numeric.statistics import MeanTest, mean_test
from theorems.engine import Given
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.sampling.networks import network_cases

#: How many layers are redrawn where a mean is compared.
DRAWS = 4000


@dataclass(frozen=True)
class Redrawn:
    """Draws of layer k - 1 in a network whose layers below are fixed."""

    state: ForwardPass
    layer: int
    draws: LayerDraws
    delta: float

    @property
    def width(self) -> int:
        """M = m_{k-1}, the number of rows that are random."""
        return self.state.mlp.widths[self.layer]

    @property
    def squared_norms(self) -> Floats:
        """|x_k|²/|x_{k-1}|² of the first input, by draws."""
        norm = float(self.state.norms(self.layer)[0])
        return np.asarray(self.draws.inner_products[:, 0, 0] / norm**2)

    @property
    def distances(self) -> Floats:
        """Half the distance of x_k/|x_{k-1}| of the two inputs, by draws."""
        norms = self.state.norms(self.layer)
        scaled = self.draws.inner_products / np.multiply.outer(norms, norms)
        square = scaled[:, 0, 0] + scaled[:, 1, 1] - 2 * scaled[:, 0, 1]
        return np.sqrt(np.maximum(square, 0.0)) / 2


def redrawn(rng: np.random.Generator, draws: int, *, apart: bool = False) -> Iterator[Redrawn]:
    """The sampled networks with one layer redrawn; with inputs to it that are not parallel."""
    for case, state in network_cases(rng, apart=apart):
        sample = resample_layer(state, case.layer, rng, draws)
        delta = float(delta_phi(state.mlp.a, state.mlp.b))
        yield Redrawn(state, case.layer, sample, delta)


def frequency_test(happened: NDArray[np.bool_], bound: float) -> MeanTest:
    """A test of P(event) ≤ bound."""
    return mean_test(happened.astype(float), min(1.0, bound), alternative="greater")


def chance(log_probability: float, log_bound: float) -> float:
    """The ratio of a probability to a bound, from logarithms; finite wherever the bound fails."""
    return float(np.exp(min(700.0, log_probability - log_bound)))


def right_side(given: Given, at: Mapping[Symbol, Any]) -> float:
    """The right side of the part at numbers."""
    return float(unfolded(given.goal.rhs).subs(at))
