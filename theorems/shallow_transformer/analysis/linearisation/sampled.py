"""Points of the feasible set, and how far the linear model is from the network there, as balls.

Outputs and the linear model are sums of m terms of size 1 + ρ/√m, good to a few dozen units in the
last place, over √m.
"""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from numeric.attention_smoothness import linearisation_constant
from numeric.networks.transformer import TANH, Heads, Inputs, linear_model, predict, symmetric_initialisation
from theorems.engine import Rounded
from theorems.shallow_transformer.letters import linear as its
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.sampling.boundary import DIRECTIONS, boundary_step
from theorems.shallow_transformer.sampling.head_balls import Point


@dataclass(frozen=True)
class Step:
    """A point of Ω_ρ, its centre φ⁽⁰⁾, the radii ρ, and inputs; σ = scale tanh."""

    initial: Heads
    moved: Heads
    rho: tuple[float, float, float]
    inputs: Inputs
    scale: float = 1.0

    @property
    def radii(self) -> np.ndarray:
        """For each head the largest |U| that Ω_ρ allows, rounded up."""
        lengths = self.initial.block_norms()[1] + self.rho[1] / np.sqrt(self.initial.m)
        return np.asarray(lengths * (1 + 1e-12))

    @property
    def rounding(self) -> float:
        """What f − f_lin may be off by."""
        return 1e-14 * self.scale * float(np.sqrt(self.initial.m)) * (1 + max(self.rho))

    def error(self) -> float:
        """sup_j |f − f_lin|."""
        f = predict(self.moved, self.inputs, TANH, threads=1)
        linear = linear_model(self.initial, self.moved, self.inputs, TANH, threads=1)
        return self.scale * float(np.abs(f - linear).max())

    def point(self) -> Point:
        """The error, the bounds of σ, the radii and the largest bound of |U|."""
        return {
            of.eps_lin: Rounded(self.error(), self.rounding),
            of.m: self.initial.m,
            of.sigma_1: self.scale,
            of.sigma_2: Rounded(self.scale * TANH.bounds[2], 1e-15 * self.scale),
            of.rho_c: self.rho[0],
            of.rho_u: self.rho[1],
            of.rho_w: self.rho[2],
            of.B: float(self.radii.max()),
        }

    def average(self) -> Point:
        """The error, and the mean over the heads of the constant block by block."""
        bounds = (self.scale * TANH.bounds[1], self.scale * TANH.bounds[2])
        constants = linearisation_constant(*self.rho, self.radii, *bounds)
        mean = float(np.mean(constants))
        error = Rounded(self.error(), self.rounding)
        average = Rounded(mean, 1e-12 * mean)
        return {of.eps_lin: error, of.m: self.initial.m, its.blockwise_average: average}

    def start(self) -> Point:
        """The output at the start and the derivative along the way, for one input."""
        output = predict(self.initial, self.inputs, TANH, threads=1)
        linear = linear_model(self.initial, self.moved, self.inputs, TANH, threads=1)
        return {
            its.f_initial: Rounded(float(output[0]), self.rounding),
            its.lin_slope: Rounded(float(linear[0]), self.rounding),
        }


@st.composite
def steps(draw: st.DrawFn, *, moving: bool = False) -> Step:
    """Random and boundary_step points of the boundary of Ω_ρ, and points inside.

    If they are ``moving``, both U and W have left their start.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m, d, T = draw(st.sampled_from([2, 4, 16])), draw(st.integers(1, 3)), draw(st.integers(1, 4))
    n = draw(st.integers(1, 3))
    initial = symmetric_initialisation(m, d, rng)
    tokens = rng.standard_normal((n, T, d))
    tokens *= (1 - 1e-15) / np.maximum(1, np.linalg.norm(tokens, axis=2, keepdims=True))
    scale = draw(st.sampled_from([0.01, 0.3, 1.0, 3.0]))
    still = [] if moving else [0.0]
    c = scale * draw(st.sampled_from([0.0, 0.5, 1.0]))
    u, w = (scale * draw(st.sampled_from([*still, 0.5, 1.0])) for _ in range(2))
    rho = (c, u, w) if u + w > 0 else (c, scale, scale)
    inputs = Inputs(tokens, tokens[:, -1])
    move = boundary_step(draw(st.sampled_from(DIRECTIONS)), initial, inputs, TANH, rho, rng)
    share = draw(st.sampled_from([1.0, 1.0, 0.5, 2.0**-10]))
    shrunk = share * (1 - 1e-15)
    size = draw(st.sampled_from([1.0, 1.0, 0.03125]))
    radii = (share * rho[0], share * rho[1], share * rho[2]) if share < 0.1 else rho
    return Step(initial, initial + shrunk * move, radii, inputs, size)
