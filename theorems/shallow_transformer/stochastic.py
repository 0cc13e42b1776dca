"""Proposition 1: projected stochastic gradient descent, (44)-(47), in conditional expectation.

For few samples and steps all sequences of indices are followed, so that the conditional
expectations in the evidence are exact sums, not estimates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.networks.transformer.descent import project
from numeric.networks.transformer.model import predict
from numeric.networks.transformer.parameters import Heads
from numeric.transformer_bounds import loss_bound
from symbolic.equality import equal
from theorems.engine import Measured, Obligations, claim
from theorems.shallow_transformer.descent import EQ_21
from theorems.shallow_transformer.drift import SHARP_36
from theorems.shallow_transformer.runs import CASES, Case, Descent, Problem, Step, problem, squared
from theorems.shallow_transformer.sharp_convergence import EVENT, GIVEN, SHARP
from theorems.shallow_transformer.theorem_1 import EQ_43, START

_NOTE = "proofs_notes/st_descent.md#stochastic-descent"
_ETA, _TAU, _L, _E, _A = sp.symbols("eta tau L E A", positive=True)
_EXPECTED = "E_s is the mean over the fresh index J_s, uniform on the samples"

SMALL = st.builds(replace, CASES, n=st.sampled_from((1, 2, 3)), steps=st.sampled_from((1, 2, 3)))


class _Tree:
    """All index sequences of a run: φ after each, and what the steps were."""

    def __init__(self, given: Problem, steps: int, eta: float) -> None:
        self.given, self.steps, self.eta = given, steps, eta
        self.nodes: dict[tuple[int, ...], Step] = {}
        self.children: dict[tuple[int, ...], list[Heads]] = {}
        self._grow((), given.initial)

    def _grow(self, path: tuple[int, ...], point: Heads) -> None:
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

    def paths(self) -> list[list[Step]]:
        """The steps φ^(0), …, φ^(τ−1) of each sequence of indices."""
        n = self.given.inputs.n
        return [
            [self.nodes[indices[:s]] for s in range(self.steps)]
            for indices in product(range(n), repeat=self.steps - 1)
        ]


@lru_cache(maxsize=256)
def follow_all(case: Case) -> Descent:
    """Every sequence of indices, and both sides of each inequality in expectation."""
    given, run = problem(case), Descent(case)
    eta = given.step_size(case.steps, case.long)
    tree = _Tree(given, case.steps, eta)
    for path, step in tree.nodes.items():
        _record_step(run, given, step, tree.children[path], eta)
    _record_means(run, case, given, tree.paths(), eta)
    return run


def _record_step(
    run: Descent, given: Problem, step: Step, children: Sequence[Heads], eta: float
) -> None:
    before = squared(step.point - given.transported)
    after = [squared(child - given.transported) for child in children]
    gradients = [step.sample_gradient(j) for j in range(len(children))]
    sizes = [squared(gradient) for gradient in gradients]
    for gradient, size, reached in zip(gradients, sizes, after, strict=True):
        along = gradient.inner(given.transported - step.point)
        run.note("eq44", reached, before + 2 * eta * along + eta**2 * size)
        run.note("size", size, given.printed.loss_gradient)
    mean_size = float(np.mean(sizes))
    run.note("size.sharp", mean_size, 4 * step.gradient_size**2 * step.loss)
    printed = given.printed
    right = 4 * eta * printed.residual * printed.error + eta**2 * printed.loss_gradient
    run.note("drift", float(np.mean(after)) - before + 4 * eta * step.loss, right)


def _record_means(
    run: Descent, case: Case, given: Problem, paths: list[list[Step]], eta: float
) -> None:
    losses = np.array([[step.loss for step in path] for path in paths])
    printed, sharp = given.printed, given.sharp
    start = squared(given.initial - given.transported)
    descent = start / (4 * eta * case.steps) + eta / 4 * printed.loss_gradient
    run.note("eq45", float(losses.mean()), descent + printed.residual * printed.error)
    averages = [_loss_at_the_average(given, path) for path in paths]
    run.note("eq47", float(np.mean(averages)), 4 * losses.mean() + 6 * printed.linearisation**2)
    root = math.sqrt(losses.mean()) + 2 * sharp.linearisation
    run.note("eq47.sharp", math.sqrt(float(np.mean(averages))), root)
    if case.long:
        error = max(step.error_size for path in paths for step in path)
        bound = start / (case.steps * eta) + 2 * error**2
        run.note("sharp", float(losses.mean()), bound)
    else:
        run.note("eq46", float(losses.min(axis=1).mean()), loss_bound(printed, case.steps))


def _loss_at_the_average(given: Problem, path: list[Step]) -> float:
    total = path[0].point
    for step in path[1:]:
        total = total + step.point
    mean = (1 / len(path)) * total
    residuals = predict(mean, given.inputs, given.activation) - given.labels
    return float(np.mean(residuals**2))


TREES = SMALL.map(follow_all)

EQ_44 = claim(
    "st.eq44",
    at="Equation (44)",
    title="One projected stochastic step",
    states=(
        r"\mathcal{V}(\varphi^{(s+1)}) \le \mathcal{V}(\varphi^{(s)}) + 2\eta\langle\nabla"
        r"\ell_{J_s}(\varphi^{(s)}), \tilde\varphi - \varphi^{(s)}\rangle"
        r" + \eta^2\|\nabla\ell_{J_s}(\varphi^{(s)})\|^2"
    ),
    given=GIVEN,
    rests_on=[EQ_21],
    note=_NOTE,
)


@EQ_44.proved(controls={"sign": {"sign": -1}})
def any_direction(sign: int = 1) -> Obligations:
    """(21) uses nothing of the gradient: the same square for any vector g, here a coordinate."""
    x, y, g = sp.symbols("x y g", real=True)
    right = (x - y) ** 2 + 2 * sign * _ETA * g * (y - x) + _ETA**2 * g**2
    yield "expansion", equal((x - _ETA * g - y) ** 2, right)


@EQ_44.tested(over=TREES, controls={"nine_tenths": {"factor": 0.9}}, cases=25)
def each_index(run: Descent, factor: float = 1.0) -> Measured:
    """Every index at every point of the tree."""
    return run.worst("eq44", right=factor)


DRIFT = claim(
    "st.prop1.drift",
    at="Proposition 1, proof",
    title="The drift in conditional expectation",
    states=(
        r"\mathbb{E}_s[\mathcal{V}(\varphi^{(s+1)}) - \mathcal{V}(\varphi^{(s)})] \le -4\eta"
        r"\widehat{\mathcal{L}}_n(\varphi^{(s)}) + 4\eta(f^{\max} + y^{\max})(B_{\mathrm{app},m}"
        r" + B_{\mathrm{lin},m} + B_{\mathrm{CoF},m}) + \eta^2B_{\mathrm{grad},m}"
    ),
    given=GIVEN,
    assuming=(EVENT, _EXPECTED),
    rests_on=[EQ_44, "st.eq36", "st.eq39"],
    note=_NOTE,
)


@DRIFT.proved(controls={"one_index": {"share": 1}, "half": {"two": 1}})
def unbiased(share: int | None = None, two: int = 2) -> Obligations:
    """The mean of ∇ℓ_J is ∇L̂_n: each sample has the probability 1/n; one sample's share."""
    n = sp.Symbol("n", positive=True)
    r, slope = sp.symbols("r slope", real=True)
    probability = 1 / n if share is None else sp.Integer(share)
    yield "share of a sample", equal(probability * 2 * r * slope, sp.Rational(two) / n * r * slope)


@DRIFT.tested(over=TREES, controls={"thousandth": {"factor": 0.001}}, cases=25)
def mean_drift(run: Descent, factor: float = 1.0) -> Measured:
    """The exact mean over the index, plus 4ηL, over the bound."""
    return run.worst("drift", right=factor)


SIZE = claim(
    "st.prop1.size",
    at="Proposition 1, proof",
    title="The size of stochastic gradients",
    states=(
        r"\|\nabla\ell_{J_s}(\varphi^{(s)})\|_2^2 \le B_{\mathrm{grad},m}(\delta')"
        r" \text{ almost surely}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=["st.eq38", "st.lem6.f", "st.lem6.y"],
    note=_NOTE,
)


@SIZE.proved(controls={"two": {"factor": 2}})
def square_of_one_gradient(factor: int = 4) -> Obligations:
    """∇ℓ = 2r∇f with |r| ≤ F = f_max + y_max and |∇f| ≤ A."""
    F, A = sp.symbols("F A", positive=True)
    yield "square", equal((2 * F * A) ** 2, factor * F**2 * A**2)


@SIZE.tested(over=TREES, controls={"thousandth": {"factor": 0.001}}, cases=25)
def sizes_of_gradients(run: Descent, factor: float = 1.0) -> Measured:
    """Squares of norms over B_grad."""
    return run.worst("size", right=factor)


SHARP_SIZE = SIZE.sharpened(
    "st.prop1.size.sharp",
    title="The mean size of stochastic gradients is small where the loss is",
    states=(
        r"\mathbb{E}_s\|\nabla\ell_{J_s}(\varphi)\|_2^2 \le 4A^2\widehat{\mathcal{L}}_n(\varphi),"
        r" \quad A = \max_j\|\nabla_\varphi f(X^{(j)}; \varphi)\|"
    ),
    given=GIVEN,
    assuming=(_EXPECTED, "equality if all gradients have the same length"),
    note=_NOTE,
)


@SHARP_SIZE.proved(controls={"smaller": {"factor": sp.Rational(399, 100)}})
def mean_of_squares(factor: Any = 4) -> Obligations:
    """(1/n)Σ 4r_j²|∇f_j|², with |∇f_j| = A."""
    r = sp.symbols("r1:4", real=True)
    loss = sum(one**2 for one in r) / 3
    total = sum((2 * one * _A) ** 2 for one in r) / 3
    yield "equal lengths", equal(total, factor * _A**2 * loss)


@SHARP_SIZE.tested(over=TREES, controls={"nine_tenths": {"factor": 0.9}}, cases=25)
def mean_sizes(run: Descent, factor: float = 1.0) -> Measured:
    """Exact means over 4A²L."""
    return run.worst("size.sharp", right=factor)


EQ_45 = claim(
    "st.eq45",
    at="Equation (45)",
    title="The mean of expected losses",
    states=(
        r"\frac1\tau\sum_{s<\tau}\mathbb{E}[\widehat{\mathcal{L}}_n(\varphi^{(s)}) \mid"
        r" \varphi^{(0)}] \le \frac{\|\bar\nu\|_2^2}{4\eta\tau} + (f^{\max} + y^{\max})"
        r"(B_{\mathrm{app},m} + B_{\mathrm{lin},m} + B_{\mathrm{CoF},m}) + \frac\eta4"
        r"B_{\mathrm{grad},m}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[DRIFT, START, "st.eq41"],
    note=_NOTE,
)


@EQ_45.proved(controls={"not_nested": {"nested": False}})
def tower_rule(nested: bool = True) -> Obligations:
    """E[E_s[V_{s+1} − V_s]] telescopes: two indices with three values each, equally likely."""
    n = 3
    first = sp.symbols("u1:4", real=True)
    second = [sp.symbols(f"w{j}1:{j}4", real=True) for j in range(n)]
    start = sp.Symbol("V_0", real=True)
    inner = [sum(row) / n - value for row, value in zip(second, first, strict=True)]
    weight = sp.Rational(1, n) if nested else sp.Integer(1)
    drift = (sum(first) / n - start) + weight * sum(inner)
    yield "telescopes", equal(drift, sum(map(sum, second)) / n**2 - start)


@EQ_45.tested(over=TREES, controls={"thousandth": {"factor": 0.001}}, cases=25)
def expected_losses(run: Descent, factor: float = 1.0) -> Measured:
    """Exact expectations over the bound."""
    return run.worst("eq45", right=factor)


EQ_46 = claim(
    "st.eq46",
    at="Equation (46)",
    title="Proposition 1 with every constant",
    states=(
        r"\mathbb{E}\Bigl[\min_{s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)}) \Big|"
        r" \varphi^{(0)}\Bigr] \le \frac{\|\bar\nu\|_2^2 + B_{\mathrm{grad},m}}{4\sqrt\tau} +"
        r" (f^{\max} + y^{\max})(B_{\mathrm{app},m} + B_{\mathrm{lin},m} + B_{\mathrm{CoF},m})"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_45],
    note=_NOTE,
)


@EQ_46.proved(controls={"other_step": {"power": sp.Rational(1, 3)}})
def insert_the_step(power: Any = sp.Rational(1, 2)) -> Obligations:
    """η = τ^(−1/2) in (45); a minimum is at most a mean, with or without expectation."""
    start, gradient = sp.symbols("nu B_grad", positive=True)
    eta = _TAU**-power
    terms = start**2 / (4 * eta * _TAU) + eta / 4 * gradient
    yield "sum", equal(terms, (start**2 + gradient) / (4 * sp.sqrt(_TAU)))
    x, more = sp.symbols("x more", nonnegative=True)
    yield "minimum and mean", ((x + (x + more)) / 2 - x).is_nonnegative


@EQ_46.tested(over=TREES, controls={"thousandth": {"factor": 0.001}}, cases=25)
def expected_least_losses(run: Descent, factor: float = 1.0) -> Measured:
    """The exact expectation of the least loss over the bound."""
    return run.worst("eq46", right=factor)


EQ_47 = claim(
    "st.eq47",
    at="Equation (47)",
    title="The expected loss at the average iterate",
    states=(
        r"\mathbb{E}[\widehat{\mathcal{L}}_n(\bar\varphi^{(\tau)}) \mid \varphi^{(0)}] \le"
        r" \frac4\tau\sum_{s<\tau}\mathbb{E}[\widehat{\mathcal{L}}_n(\varphi^{(s)}) \mid"
        r" \varphi^{(0)}] + 6B_{\mathrm{lin},m}^2"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_43],
    note=_NOTE,
)


@EQ_47.proved(controls={"unequal": {"share": sp.Rational(2, 3)}})
def mean_of_inequalities(share: Any = sp.Rational(1, 2)) -> Obligations:
    """(43) holds for every sequence of indices; a mean of such bounds is the bound of means."""
    first, second, B = sp.symbols("first second B", positive=True)
    mean = share * (4 * first + 6 * B**2) + (1 - share) * (4 * second + 6 * B**2)
    yield "linear", equal(mean, 4 * (first + second) / 2 + 6 * B**2)


@EQ_47.tested(over=TREES, controls={"tenth": {"factor": 0.1}}, cases=25)
def expected_average_iterates(run: Descent, factor: float = 1.0) -> Measured:
    """Exact expectations of both sides."""
    return run.worst("eq47", right=factor)


PROP_1 = claim(
    "st.prop1",
    at="Proposition 1",
    title="Convergence of projected stochastic gradient descent",
    states=(
        r"\mathbb{E}\Bigl[\min_{s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)}) \Big|"
        r" \varphi^{(0)}\Bigr] \lesssim_{\bar\sigma,\bar\nu,\rho} \frac{L_{1,m}^4}{\sqrt\tau} +"
        r" L_{1,m}(B_{\mathrm{app},m} + B_{\mathrm{lin},m} + \varepsilon_{\mathrm{CoF}})"
    ),
    given=GIVEN,
    assuming=(EVENT, "the same holds at the average iterate with 6B_lin² added, by (47)"),
    rests_on=[EQ_46, EQ_47, "st.thm1"],
    note=_NOTE,
)


@PROP_1.proved(controls={"other_bound": {"four": 2}})
def the_same_right_side(four: int = 4) -> Obligations:
    """(46) has the right side of (42), whose hidden constants are those of Theorem 1."""
    start, gradient = sp.symbols("nu B_grad", positive=True)
    right = (start**2 + gradient) / (4 * sp.sqrt(_TAU))
    yield "descent", equal((start**2 + gradient) / (four * sp.sqrt(_TAU)), right)


SHARP_PROP_1 = PROP_1.sharpened(
    "st.prop1.sharp",
    title="Projected stochastic gradient descent converges like 1/τ too",
    states=(
        r"\frac1\tau\sum_{s<\tau}\mathbb{E}[\widehat{\mathcal{L}}_n(\varphi^{(s)}) \mid"
        r" \varphi^{(0)}] \le \frac{4A^2\|\bar\nu\|_2^2}{\tau} + 2E^2, \quad \eta = \frac{1}{4A^2}"
    ),
    given=GIVEN,
    assuming=(EVENT, "E = B_app + B_lin + B_CoF, and A bounds |∇f| in the feasible set"),
    rests_on=[EQ_44, SHARP_36, SHARP_SIZE, START, SHARP],
    note=_NOTE,
)


@SHARP_PROP_1.proved(controls={"longer_step": {"four": 2}, "smaller": {"two": sp.Rational(3, 2)}})
def the_same_square(four: int = 4, two: Any = 2) -> Obligations:
    """E_s V' − V ≤ −4ηL + 4η√L E + 4η²A²L = −ηL + 2ηE² − 2η(√L − E)²."""
    root = sp.sqrt(_L)
    eta = 1 / (four * _A**2)
    drift = -4 * eta * _L + 4 * eta * root * _E + 4 * eta**2 * _A**2 * _L
    yield "square", equal(-eta * _L + two * eta * _E**2 - drift, 2 * eta * (root - _E) ** 2)


@SHARP_PROP_1.tested(over=TREES, controls={"fiftieth": {"factor": 0.02}}, cases=40)
def expected_losses_with_the_longer_step(run: Descent, factor: float = 1.0) -> Measured:
    """Exact expectations over the bound, with A of the constants and E measured."""
    return run.worst("sharp", right=factor)
