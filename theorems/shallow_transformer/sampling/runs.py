"""Small transformers that are trained, with every quantity in the proof of Theorem 1.

A run has a symmetric initialisation, transported parameters φ̃ from arbitrary values of v within
the bounds ν̄, and labels near f_lin(·; φ̃), as on the event of the theorem. B is the largest |U_i| of
the initialisation plus ρ_u/√m, B_app the largest error of the labels, y_max the largest label: they
bound what they must bound, and nothing else is asked of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
import sympy
from hypothesis import strategies as st
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from numeric.arguments import Floats
from numeric.networks.transformer.activation import ERF, SINE, TANH, BoundedActivation
from numeric.networks.transformer.descent import project
from numeric.networks.transformer.model import gradients, linear_model, predict
from numeric.networks.transformer.parameters import Heads, Inputs, symmetric_initialisation
from numeric.transformer_bounds import DescentConstants, Regime, printed_constants, sharp_constants
from theorems.engine import Claim
from theorems.engine.judging.answers import LARGEST_ROUNDING
from theorems.engine.statements.statement import STATEMENT, Formula
from theorems.engine.statements.values import compare, unfolded
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.sampling.run_balls import (
    ROUNDING,
    Point,
    StepBalls,
    about,
    constants,
    mean,
    nearly,
    output_error,
    run_point,
)

_ACTIVATIONS = (TANH, ERF, SINE)


def scaled(activation: BoundedActivation, gain: float) -> BoundedActivation:
    """The activation times a positive number, and so its bounds."""
    if gain == 1:
        return activation
    zero, one, two = activation.bounds
    return replace(
        activation,
        value=lambda s: gain * activation.value(s),
        first=lambda s: gain * activation.first(s),
        second=lambda s: gain * activation.second(s),
        bounds=(gain * zero, gain * one, gain * two),
        slope_from_value=None,
    )


@dataclass(frozen=True)
class Case:
    """Sizes, radii and the seed of a run; ``long`` takes the step size 1/(4A²) for τ^(−1/2).

    ``gain`` multiplies the activation.
    """

    seed: int
    m: int
    d: int
    T: int
    n: int
    steps: int
    activation: int
    scale: float
    slack: float
    long: bool
    gain: float = 1.0


CASES = st.builds(
    Case,
    seed=st.integers(0, 10**6),
    m=st.sampled_from((2, 4, 10)),
    d=st.sampled_from((1, 2, 3)),
    T=st.sampled_from((1, 2, 5)),
    n=st.sampled_from((1, 2, 6)),
    steps=st.sampled_from((1, 2, 10)),
    activation=st.integers(0, len(_ACTIVATIONS) - 1),
    scale=st.sampled_from((0.03, 1.0, 4.0)),
    slack=st.sampled_from((1.0, 1.5)),
    long=st.booleans(),
    gain=st.sampled_from((1.0, 1.0, 0.03)),
)


@dataclass(frozen=True, eq=False)
class Problem:
    """Data, labels, the initial and the transported parameters, and the theorem's constants."""

    inputs: Inputs
    labels: Floats
    activation: BoundedActivation
    initial: Heads
    transported: Heads
    regime: Regime
    printed: DescentConstants
    sharp: DescentConstants

    @cached_property
    def approximation(self) -> Floats:
        """ε_app of each sample."""
        return self.linear(self.transported) - self.labels

    def step_size(self, steps: int, long: bool) -> float:
        """τ^(−1/2), or 1/(4A²) for long steps."""
        return 1 / (2 * self.sharp.gradient) ** 2 if long else steps**-0.5

    @cached_property
    def features(self) -> tuple[Floats, Floats]:
        """∇f of each sample at the initialisation."""
        return vectors(self.initial, self)

    @property
    def root(self) -> float:
        """√m."""
        return math.sqrt(self.regime.m)

    @property
    def largest_c(self) -> float:
        """The largest output weight in the feasible set."""
        return 1 + self.regime.rho[0] / self.root

    def length(self, parameters: Heads) -> float:
        """The Euclidean norm."""
        return math.sqrt(squared(parameters))

    def linear(self, parameters: Heads) -> Floats:
        """f_lin at the parameters."""
        return linear_model(self.initial, parameters, self.inputs, self.activation)


def _in_ball(rng: np.random.Generator, shape: tuple[int, ...], radius: float) -> Floats:
    """Points of balls, one per row, a third of them on the sphere."""
    points = rng.standard_normal(shape)
    rows = points.reshape(len(points), -1)
    sizes = radius * np.where(rng.random(len(points)) < 1 / 3, 1, rng.random(len(points)))
    rows *= (sizes / np.linalg.norm(rows, axis=1))[:, None]
    return points


@lru_cache(maxsize=512)
def problem(case: Case) -> Problem:
    """Everything that is fixed before the first step."""
    rng = np.random.default_rng(case.seed)
    activation, d, m = scaled(_ACTIVATIONS[case.activation], case.gain), case.d, case.m
    tokens = _in_ball(rng, (case.n * case.T, d), 1.0).reshape(case.n, case.T, d)
    inputs = Inputs(tokens, _in_ball(rng, (case.n, d), 1.0))
    initial = symmetric_initialisation(m, d, rng)
    nu = tuple(case.scale * rng.uniform(0.3, 1, 3))
    rho = tuple(case.slack * size for size in nu)
    regime = Regime(m, d, case.n, activation.bounds, nu, rho, 0.5, 0.5)
    c, root = initial.c, math.sqrt(m)
    v_u, v_w = _in_ball(rng, (m, d), nu[1]), _in_ball(rng, (m, d, d), nu[2])
    transported = Heads(
        c + _in_ball(rng, (m, 1), nu[0])[:, 0] / root,
        initial.U + c[:, None] * v_u / root,
        initial.W + c[:, None, None] * v_w / root,
    )
    largest = float(initial.block_norms()[1].max())
    printed = printed_constants(regime, largest)
    linear = linear_model(initial, transported, inputs, activation)
    bound = min(printed.target, printed.approximation)
    labels = np.clip(linear + bound * rng.uniform(-1, 1, case.n), -printed.target, printed.target)
    return Problem(
        inputs, labels, activation, initial, transported, regime, printed, sharp_constants(regime, largest)
    )


@dataclass(eq=False)
class Descent:
    """A run with the quantities at every step."""

    case: Case | None
    given: Problem
    long: bool = False
    steps: list[Step] = field(default_factory=list, repr=False)

    @cached_property
    def at_steps(self) -> list[StepBalls]:
        """The quantities of each step."""
        return [StepBalls(step) for step in self.steps]

    def points(self) -> Iterable[Point]:
        """The quantities that claims about one step speak of, at each step and sample."""
        fixed = constants(self.given)
        for step in self.at_steps:
            known = {**fixed, **step.point()}
            for j in range(self.given.inputs.n):
                yield {**known, **step.sample(j), **step.heads(j)}

    @cached_property
    def whole(self) -> Point:
        """The quantities that claims about the whole run speak of."""
        average = self.steps[0].point
        for s, step in enumerate(self.steps[1:], 1):
            average = average + (1 / (s + 1)) * (step.point - average)
        found = predict(average, self.given.inputs, self.given.activation) - self.given.labels
        # The mean of the iterates is off by 2^-40 of their size at most; f has slopes up to A.
        moved = ROUNDING * self.given.length(average) * self.given.printed.gradient
        error = output_error(self.given) + moved
        loss = mean([about(one, error) ** 2 for one in found])
        known = run_point(self.at_steps, loss, self.steps[0].eta)
        if self.long:
            known[of.A] = nearly(self.given.sharp.gradient)
        return {**constants(self.given), **known}

    @property
    def steps_times_gradients(self) -> float:
        """ηA², with the largest gradient of the run for A."""
        gradient: float = max(one.gradient_size for one in self.steps)
        return self.steps[0].eta * gradient**2


def at_worst(claim: Claim, points: Iterable[Point], part: str = STATEMENT) -> Point:
    """The letters of a claim where a part of it is closest to failing, as far as floats can tell.

    Points at which both sides drown in rounding come last.
    """
    formula = claim.parts[part]
    if not isinstance(formula, Formula):
        raise TypeError(f"the part {part} of {claim.id} is no relation")
    letters, relation = claim.domains, formula.relation
    ordered = sorted(points, key=_excess(relation), reverse=True)
    for one in (*ordered, ordered[0]):
        allowed = {x: one[x] for x in letters if x in one}
        if compare(relation, allowed).rounding < LARGEST_ROUNDING:
            break
    return allowed


@lru_cache(maxsize=64)
def _excess(relation: Boolean) -> Callable[[Point], float]:
    """The left side of a relation, or of the first one, less the right side, over their sizes."""
    first = relation if isinstance(relation, Relational) else relation.args[0]
    letters = sorted(first.free_symbols, key=str)
    evaluate = sympy.lambdify(letters, [unfolded(side) for side in first.args], "math")

    def excess(point: Point) -> float:
        left, right = evaluate(*(float(point[x]) for x in letters))
        size = abs(left) + abs(right)
        return (left - right) / size if size else 0.0

    return excess


def squared(parameters: Heads) -> float:
    """The squared Euclidean norm."""
    return parameters.inner(parameters)


def vectors(point: Heads, given: Problem) -> tuple[Floats, Floats]:
    """∇f of each sample at the point: entries of c, and of (U, W), by head."""
    found = gradients(point, given.inputs, given.activation)
    shape = (given.inputs.n, point.m, -1)
    return found.c[..., None], np.concatenate([found.U.reshape(shape), found.W.reshape(shape)], axis=2)


def _by_head(parameters: Heads) -> tuple[Floats, Floats]:
    m = parameters.m
    return parameters.c[:, None], np.concatenate([parameters.U, parameters.W.reshape(m, -1)], 1)


@lru_cache(maxsize=512)
def descend(case: Case) -> Descent:
    """Train, and keep what is known at each step."""
    return trained(problem(case), case.steps, case.long, case)


def trained(given: Problem, steps: int, long: bool, case: Case | None = None) -> Descent:
    """Projected descent on a problem, with the quantities at each step."""
    run, point, eta = Descent(case, given, long), given.initial, given.step_size(steps, long)
    for _ in range(steps):
        run.steps.append(Step(point, given, eta))
        point = run.steps[-1].next
    return run


class Step:
    """All quantities at φ^(s), and φ^(s+1)."""

    def __init__(self, point: Heads, given: Problem, eta: float) -> None:
        self.point, self.given, self.eta = point, given, eta
        self.first, self.slopes = given.features, vectors(point, given)
        values = predict(point, given.inputs, given.activation)
        self.residuals = values - given.labels
        self.loss = float(np.mean(self.residuals**2))
        self.way = _by_head(given.transported - point)
        self.linearisation = values - given.linear(point)
        self.change = sum(
            np.einsum("nmk,mk->n", new - old, way)
            for new, old, way in zip(self.slopes, self.first, self.way, strict=True)
        )
        self.errors = given.approximation + self.linearisation + self.change
        self.gradient = _assembled(self, 2 * self.residuals / len(self.residuals))
        self.next = project(point - eta * self.gradient, given.initial, given.regime.rho)

    @cached_property
    def gradient_sizes(self) -> Floats:
        """|∇f| of each sample."""
        sizes: Floats = np.sqrt(sum((one**2).sum((1, 2)) for one in self.slopes))
        return sizes

    @property
    def gradient_size(self) -> float:
        """max_j |∇f|."""
        return float(self.gradient_sizes.max())

    @property
    def sample_slopes(self) -> Floats:
        """⟨g_j, φ̃ − φ⟩."""
        pairs = zip(self.slopes, self.way, strict=True)
        slopes: Floats = sum(np.einsum("nmk,mk->n", new, way) for new, way in pairs)
        return slopes

    @cached_property
    def gradient_changes(self) -> list[Floats]:
        """|δ∇_c f| and |δ∇_θ f| of each sample and head."""
        pairs = zip(self.slopes, self.first, strict=True)
        return [np.linalg.norm(new - old, axis=2) for new, old in pairs]

    @cached_property
    def head_gradients(self) -> Floats:
        """|∇_{φ_i} f| of each sample and head."""
        sizes: Floats = np.sqrt(sum((one**2).sum(2) for one in self.slopes))
        return sizes

    @cached_property
    def ways(self) -> Floats:
        """|φ̃_i − φ_i| of each head."""
        lengths: Floats = np.sqrt(sum((way**2).sum(1) for way in self.way))
        return lengths

    def sample_gradient(self, j: int) -> Heads:
        """∇ℓ_j = 2r_j ∇f_j."""
        return _assembled(self, 2.0 * self.residuals[j] * np.eye(len(self.residuals))[j])

    @property
    def error_size(self) -> float:
        """max_j |ε_app + ε_lin + ε_CoF|."""
        return float(np.abs(self.errors).max())


def _assembled(step: Step, weights: Floats) -> Heads:
    """Σ_j w_j ∇f_j."""
    c, rest = (np.einsum("n,nmk->mk", weights, one) for one in step.slopes)
    m, d = step.point.m, step.point.d
    return Heads(c[:, 0], rest[:, :d], rest[:, d:].reshape(m, d, d))


RUNS = CASES.map(descend)
SHORT_RUNS = st.builds(replace, CASES, long=st.just(False)).map(descend)
LONG_RUNS = st.builds(replace, CASES, long=st.just(True)).map(descend)
#: Steps shorter than 1/A², and the paper's steps for activations so flat that they are 1/(4A²).
SHORTER_RUNS = RUNS.filter(lambda run: run.steps_times_gradients < 0.99)
FLAT_CASES = st.builds(
    replace, CASES, long=st.just(False), gain=st.just(0.03), scale=st.sampled_from((0.03, 1.0))
)
FLAT_RUNS = FLAT_CASES.map(descend).filter(lambda run: run.steps_times_gradients < 0.24)
