"""The quantities of a run as balls around their floats, with errors that are derived here.

Parameters, tokens, labels and step sizes are floats, hence exact.  With u = 2^(-53):

- Logits X_t'Wq are sums of at most T d² < 2^11 products of at most |W|, the exponentials and the
  softmax weights have relative errors of a few u (1 + |W|), so that a, M and z = U'a have errors
  below 2^9 u (1 + |U|)(1 + |W|) at the sizes here, where |W| < 2^4: less than ROUNDING (1 + |U|).
- An output is a sum of c_i sigma(z_i)/sqrt(m), and |sigma'| <= sigma_1: its error is less than
  ROUNDING sqrt(m) max|c_i| (sigma_0 + sigma_1 (1 + B)).
- A gradient has m heads with blocks sigma, c sigma' a and c sigma' M U q' over sqrt(m): the error
  of its length is less than ROUNDING (A + max|c_i| (1 + B)(sigma_1 + sigma_2 (1 + B))).
- Sums of fewer than 2^10 products add a relative error of 2^10 u < ROUNDING to the sum of sizes.

Balls carry these errors through the arithmetic that follows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from flint import arb
from sympy import Symbol

from numeric.arguments import Floats
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its

if TYPE_CHECKING:
    from theorems.shallow_transformer.sampling.runs import Problem, Step

ROUNDING = 2.0**-40
Point: TypeAlias = Mapping[Symbol, Any]


def about(value: float, error: float) -> arb:
    """The numbers that are this far from a float at most."""
    return arb(float(value), float(error) * (1 + ROUNDING))


def nearly(value: float) -> arb:
    """The numbers that a float with a small relative error stands for."""
    return about(value, ROUNDING * abs(value))


def largest(balls: Sequence[arb]) -> arb:
    """The largest of the numbers that balls stand for."""
    found = balls[0]
    for one in balls[1:]:
        found = found.max(one)
    return found


def mean(balls: Sequence[arb]) -> arb:
    """The mean of the numbers that balls stand for."""
    return sum(balls, arb(0)) / len(balls)


def constants(given: Problem) -> dict[Symbol, Any]:
    """Sizes, bounds and radii, and the bounds B, B_app and y_max as small as they may be."""
    regime = given.regime
    label, start = float(np.abs(given.labels).max()), float(given.initial.block_norms()[1].max())
    fit = largest([abs(one) for one in label_errors(given)])
    return {
        of.m: regime.m,
        of.d: regime.d,
        of.n: regime.n,
        **_nearly((of.sigma_0, of.sigma_1, of.sigma_2), given.activation.bounds),
        **_nearly((of.nu_c, of.nu_u, of.nu_w), regime.nu),
        **_nearly((of.rho_c, of.rho_u, of.rho_w), regime.rho),
        of.U_max: nearly(start),
        of.B: nearly(given.printed.radius),
        of.label_sup: label,
        of.y_max: max(label, 1e-300),
        of.eps_label: fit,
        of.B_app: fit,
    }


def _nearly(letters: Sequence[Symbol], values: Sequence[float]) -> dict[Symbol, arb]:
    return {x: nearly(value) for x, value in zip(letters, values, strict=True)}


def output_error(given: Problem) -> float:
    """What an output may be off by."""
    zero, one, _ = given.activation.bounds
    return ROUNDING * given.root * given.largest_c * (zero + one * (1 + given.printed.radius))


def gradient_error(given: Problem) -> float:
    """What the gradient of an output may be off by, in length."""
    _, one, two = given.activation.bounds
    B = given.printed.radius
    head = given.largest_c * (1 + B) * (one + two * (1 + B))
    return ROUNDING * (given.printed.gradient + head)


def linear_error(given: Problem, distance: float) -> float:
    """What the linear model may be off by, at this distance from the start."""
    return (gradient_error(given) + ROUNDING * given.printed.gradient) * distance


def label_errors(given: Problem) -> list[arb]:
    """f_lin at φ̃ less the label, for each sample."""
    error = linear_error(given, given.length(given.transported - given.initial))
    return [about(value, error) for value in given.approximation]


class StepBalls:
    """The quantities at one step."""

    def __init__(self, step: Step) -> None:
        self.step, self.given = step, step.given
        self.way = step.given.length(step.given.transported - step.point)
        self.moved = step.given.length(step.point - step.given.initial)

    @cached_property
    def residuals(self) -> list[arb]:
        """f less the label."""
        error = output_error(self.given)
        return [about(value, error) for value in self.step.residuals]

    @cached_property
    def loss(self) -> arb:
        """The mean of their squares."""
        return mean([one**2 for one in self.residuals])

    @cached_property
    def slopes(self) -> list[arb]:
        """⟨g_j, φ̃ − φ⟩."""
        error = (gradient_error(self.given) + ROUNDING * self.given.printed.gradient) * self.way
        return [about(value, error) for value in self.step.sample_slopes]

    @cached_property
    def linearisation(self) -> list[arb]:
        """f less f_lin at the iterate."""
        error = output_error(self.given) + linear_error(self.given, self.moved)
        return [about(value, error) for value in self.step.linearisation]

    @cached_property
    def features(self) -> list[arb]:
        """The change of the gradient along the way."""
        error = 2 * (gradient_error(self.given) + ROUNDING * self.given.printed.gradient) * self.way
        return [about(value, error) for value in self.step.change]

    @cached_property
    def label_errors(self) -> list[arb]:
        """Those of the problem."""
        return label_errors(self.given)

    @cached_property
    def ways(self) -> list[arb]:
        """|φ̃_i − φ_i| of each head."""
        return [nearly(way) for way in self.step.ways]

    @cached_property
    def errors(self) -> list[arb]:
        """The three errors together."""
        parts = zip(self.label_errors, self.linearisation, self.features, strict=True)
        return [sum(three, arb(0)) for three in parts]

    def of_gradients(self, floats: Floats) -> list[arb]:
        """Lengths of gradients, of their blocks, or of what is within them."""
        error = gradient_error(self.given)
        return [about(one, error) for one in np.ravel(floats)]

    @cached_property
    def gradient_error(self) -> float:
        """What the gradient of the loss may be off by, in length."""
        sizes = np.abs(self.step.residuals)
        off = gradient_error(self.given) + ROUNDING * self.given.printed.gradient
        first = float(np.mean(2 * sizes)) * off
        return first + 2 * output_error(self.given) * (self.given.printed.gradient + off)

    def squares(self) -> tuple[arb, arb]:
        """The squared distances from φ̃ now and after the step, which floats carry out nearly."""
        step, given = self.step, self.given
        after = given.length(given.transported - step.next)
        moved = given.length(step.point) + step.eta * given.length(step.gradient)
        off = step.eta * self.gradient_error + ROUNDING * moved
        return nearly(self.way) ** 2, about(after, off + ROUNDING * after) ** 2

    def point(self) -> dict[Symbol, Any]:
        """The quantities that claims about one step speak of."""
        before, after = self.squares()
        gradient = self.given.length(self.step.gradient)
        product = [r * slope for r, slope in zip(self.residuals, self.slopes, strict=True)]
        return {
            of.eta: nearly(self.step.eta),
            of.V: before,
            of.V_next: after,
            of.loss: self.loss,
            of.loss_slope: 2 * mean(product),
            of.loss_gradient: about(gradient, self.gradient_error + ROUNDING * gradient),
            of.f_gradient: largest(self.of_gradients(self.step.gradient_sizes)),
            of.eps_step: largest([abs(one) for one in self.linearisation]),
            of.eps_features: largest([abs(one) for one in self.features]),
            of.eps_sum: largest([abs(one) for one in self.errors]),
        }

    def sample(self, j: int) -> dict[Symbol, Any]:
        """The quantities of one sample."""
        return {
            its.sample_slope: self.slopes[j],
            its.output: self.residuals[j] + float(self.given.labels[j]),
            its.target: float(self.given.labels[j]),
            its.e_app: self.label_errors[j],
            its.e_lin: self.linearisation[j],
            its.e_features: self.features[j],
        }

    def heads(self, j: int) -> dict[Symbol, Any]:
        """The quantities of one sample by head: the largest ones, and a sum of products."""
        step, off = self.step, 2 * gradient_error(self.given)
        c, theta = (sizes[j] for sizes in step.gradient_changes)
        both = np.hypot(c, theta)
        products = [about(x, off) * way for x, way in zip(both, self.ways, strict=True)]
        return {
            of.eps_features: abs(self.features[j]),
            of.c_change: about(c.max(), off),
            of.theta_change: about(theta.max(), off),
            of.head_change: about(both.max(), off),
            of.head_gradient: largest(self.of_gradients(step.head_gradients[j])),
            its.head_products: sum(products, arb(0)),
            of.way: nearly(float(step.ways.max())),
        }


def run_point(steps: Sequence[StepBalls], average: arb, eta: float) -> dict[Symbol, Any]:
    """The quantities of a whole run; A and E are as small as they may be."""
    losses = [one.loss for one in steps]
    points = [one.point() for one in steps]
    least = losses[0]
    for one in losses[1:]:
        least = least.min(one)
    gradient = largest([one[of.f_gradient] for one in points])
    error = largest([one[of.eps_sum] for one in points])
    return {
        of.eta: nearly(eta),
        of.tau: len(steps),
        of.loss_mean: mean(losses),
        of.loss_min: least,
        of.loss_average: average,
        of.V_0: points[0][of.V],
        of.f_gradient: gradient,
        of.A: gradient,
        of.eps_sum: error,
        of.E: error,
    }
