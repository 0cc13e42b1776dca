"""Sampled networks for the chapter's tests and simulations, edges included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from numeric.arguments import Floats
from numeric.networks.forward_pass import ForwardPass, forward_pass
from numeric.networks.mlp import MLP


@dataclass(frozen=True)
class NetworkCase:
    """A network shape, the angle of two inputs, and the layer that a simulation redraws."""

    widths: tuple[int, ...]
    a: float
    b: float
    angle: float
    layer: int
    q: float = 0.0

    def sample(self, rng: np.random.Generator) -> ForwardPass:
        """Sample the network and pass two inputs of different norms through it."""
        mlp = MLP(self.widths, self.a, self.b, q=self.q)
        return forward_pass(mlp, mlp.sample(rng), inputs_at(self.angle, self.widths[0], rng))


def inputs_at(angle: float, dimension: int, rng: np.random.Generator) -> Floats:
    """Two inputs in ``dimension`` ≥ 2 that enclose ``angle``, with norms 2 and 1/2."""
    basis, _ = np.linalg.qr(rng.standard_normal((dimension, 2)))
    first, second = basis.T
    return np.stack([2.0 * first, 0.5 * (np.cos(angle) * first + np.sin(angle) * second)])


# Each shape has what the propositions leave open: widths below and above the unit, a width of 1,
# negative b, b = 0, a = 0, nearly parallel and nearly antiparallel inputs, first and last layer.
NETWORK_CASES = (
    NetworkCase((3, 4, 6, 1), a=0.0, b=1.0, angle=1.0, layer=2),
    NetworkCase((3, 4, 6, 1), a=0.5, b=0.5, angle=0.3, layer=2, q=1.0),
    NetworkCase((2, 5, 1, 2), a=0.7, b=-0.4, angle=2.0, layer=2),
    NetworkCase((4, 3, 9, 3, 1), a=1.0, b=2.0, angle=3.0, layer=3, q=0.5),
    NetworkCase((2, 8, 8, 1), a=1.0, b=0.0, angle=1.5, layer=1),
    NetworkCase((5, 6, 12, 18, 1), a=-0.3, b=1.0, angle=0.01, layer=3),
)


def network_cases(
    rng: np.random.Generator, *, apart: bool = False
) -> Iterator[tuple[NetworkCase, ForwardPass]]:
    """Each of ``NETWORK_CASES`` with a sampled network whose activations do not vanish.

    With ``apart`` the two activations that enter the layer to redraw are not parallel either.
    """
    for case in NETWORK_CASES:
        state = case.sample(rng)
        while not _alive(case, state, apart):
            state = case.sample(rng)
        yield case, state


def _alive(case: NetworkCase, state: ForwardPass, apart: bool) -> bool:
    if not all(np.all(state.norms(k) > 0) for k in range(1, case.layer + 1)):
        return False
    return not apart or bool(state.squared_cosine_distances(case.layer)[0, 1] > 0)


@st.composite
def networks(draw: st.DrawFn, min_depth: int = 3, max_depth: int = 5) -> ForwardPass:
    """Networks of small random shapes with two inputs, at angles that favour the ends."""
    depth = draw(st.integers(min_depth, max_depth))
    hidden = draw(st.lists(st.integers(1, 8), min_size=depth - 1, max_size=depth - 1))
    slopes = st.one_of(st.sampled_from([0.0, 1.0, 0.5, -0.5]), st.floats(-2, 2))
    a, b = draw(st.tuples(slopes, slopes).filter(lambda ab: max(map(abs, ab)) > 0.01))
    angle = draw(st.one_of(st.floats(0.0, np.pi), st.sampled_from([1e-6, 1e-3, 3.14, np.pi / 2])))
    case = NetworkCase((draw(st.integers(2, 5)), *hidden, 1), a, b, angle, layer=depth - 1)
    return case.sample(np.random.default_rng(draw(st.integers(0, 2**32 - 1))))
