"""Theorem 1: (42), (43), the hidden constants, and a bound of order 1/τ + 1/m."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symbolic.equality import decide_at_least, equal
from theorems.engine import Measured, Obligations, claim
from theorems.shallow_transformer.descent import (
    EQ_21,
    EQ_41,
    EVENT,
    GIVEN,
    SHARP_36,
    SHARP_39,
)
from theorems.shallow_transformer.runs import RUNS, Descent

_NOTE = "proofs_notes/st_descent.md"
_ETA, _TAU = sp.symbols("eta tau", positive=True)
_L, _E, _A = sp.symbols("L E A", positive=True)

START = claim(
    "st.eq42.start",
    at="Equation (42)",
    title="The distance of the transported parameters from the initial ones",
    states=r"\mathcal{V}(\varphi^{(0)}) \le \|\bar\nu\|_2^2",
    given=GIVEN,
    rests_on=["st.eq11"],
)


@START.proved(controls={"without_the_root": {"power": 0}})
def sum_over_heads(power: int = 1) -> Obligations:
    """m heads, each moved by (v_c, ±v_u, ±v_w)/√m."""
    m = sp.Symbol("m", positive=True)
    v = sp.symbols("v_c v_u v_w", real=True)
    sign = sp.Symbol("c", real=True)
    moved = [one * m ** (-sp.Rational(power, 2)) for one in v]
    squares = moved[0] ** 2 + sign**2 * (moved[1] ** 2 + moved[2] ** 2)
    total = m * squares.subs(sign**2, 1)
    yield "m equal shares", equal(total, sum(one**2 for one in v))


EQ_42 = claim(
    "st.eq42",
    at="Equation (42)",
    title="Theorem 1 with every constant",
    states=(
        r"\min_{0\le s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)}) \le \frac{\|\bar\nu\|_2^2"
        r" + B_{\mathrm{grad},m}}{4\sqrt\tau} + (f^{\max} + y^{\max})(B_{\mathrm{app},m}"
        r" + B_{\mathrm{lin},m} + B_{\mathrm{CoF},m}), \quad \eta = \tau^{-1/2}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_41, START],
    note=f"{_NOTE}#the-drift",
)


@EQ_42.proved(controls={"half": {"four": 2}, "other_step": {"power": sp.Rational(1, 3)}})
def insert_the_step(four: int = 4, power: Any = sp.Rational(1, 2)) -> Obligations:
    """η = τ^(−1/2) in |ν̄|²/(4ητ) + ηB/4."""
    start, gradient = sp.symbols("nu B_grad", positive=True)
    eta = _TAU**-power
    terms = start**2 / (4 * eta * _TAU) + eta / 4 * gradient
    yield "sum", equal(terms, (start**2 + gradient) / (four * sp.sqrt(_TAU)))


@EQ_42.tested(over=RUNS, controls={"thousandth": {"factor": 0.001}}, cases=30)
def losses_of_runs(run: Descent, factor: float = 1.0) -> Measured:
    """The least loss over the bound, when η = τ^(−1/2)."""
    return run.worst("eq42", right=factor)


SANDWICH = claim(
    "st.thm1.sandwich",
    at="Theorem 1, proof",
    title="Losses of the network and of the linear model",
    states=(
        r"\widehat{\mathcal{L}}_n(\varphi) \le 2\widehat{\mathcal{L}}_n^{\mathrm{lin}}(\varphi)"
        r" + 2B_{\mathrm{lin},m}^2, \quad \widehat{\mathcal{L}}_n^{\mathrm{lin}}(\varphi) \le"
        r" 2\widehat{\mathcal{L}}_n(\varphi) + 2B_{\mathrm{lin},m}^2"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=["st.lem3"],
    note=f"{_NOTE}#the-average-iterate",
)


@SANDWICH.proved(controls={"smaller": {"two": sp.Rational(199, 100)}, "one": {"two": 1}})
def square_of_two_terms(two: Any = 2) -> Obligations:
    """2x² + 2y² − (x + y)² = (x − y)², for each sample."""
    x, y = sp.symbols("x y", real=True)
    yield "square", equal(two * x**2 + two * y**2 - (x + y) ** 2, (x - y) ** 2)


EQ_43 = claim(
    "st.eq43",
    at="Equation (43)",
    title="The loss at the average iterate",
    states=(
        r"\widehat{\mathcal{L}}_n(\bar\varphi^{(\tau)}) \le \frac4\tau\sum_{s<\tau}"
        r"\widehat{\mathcal{L}}_n(\varphi^{(s)}) + 6B_{\mathrm{lin},m}^2"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[SANDWICH, "st.def2"],
    note=f"{_NOTE}#the-average-iterate",
)


@EQ_43.proved(controls={"three": {"four": 3}, "five": {"six": 5}})
def insert_the_sandwich(four: int = 4, six: int = 6) -> Obligations:
    """2(2 mean + 2B²) + 2B²; the loss of the linear model is convex."""
    mean, B = sp.symbols("mean B", positive=True)
    yield "twice", equal(2 * (2 * mean + 2 * B**2) + 2 * B**2, four * mean + six * B**2)
    r, s = sp.symbols("r s", real=True)  # residuals, linear along the segment
    gap = (r**2 + s**2) / 2 - ((r + s) / 2) ** 2
    yield "convex", equal(gap, (r - s) ** 2 / 4)


@EQ_43.tested(over=RUNS, controls={"tenth": {"factor": 0.1}}, cases=30)
def average_iterates(run: Descent, factor: float = 1.0) -> Measured:
    """The loss at the average iterate over the bound."""
    return run.worst("eq43", right=factor)


SHARP_43 = EQ_43.sharpened(
    "st.eq43.sharp",
    title="The loss at the average iterate, best possible",
    states=(
        r"\widehat{\mathcal{L}}_n(\bar\varphi^{(\tau)})^{1/2} \le \Bigl(\frac1\tau\sum_{s<\tau}"
        r"\widehat{\mathcal{L}}_n(\varphi^{(s)})\Bigr)^{1/2} + 2B_{\mathrm{lin},m}"
    ),
    given=GIVEN,
    assuming=(EVENT, "in particular 6 becomes 16/3 in (43)"),
    rests_on=["st.lem3"],
    note=f"{_NOTE}#the-average-iterate",
)


@SHARP_43.proved(controls={"too_small": {"constant": sp.Rational(53, 10)}, "three": {"four": 3}})
def squares_again(constant: Any = sp.Rational(16, 3), four: int = 4) -> Obligations:
    """4x² + (16/3)B² − (x + 2B)² = (√3 x − 2B/√3)² ≥ 0, x the root of the mean."""
    x, B = sp.symbols("x B", nonnegative=True)
    left = four * x**2 + constant * B**2 - (x + 2 * B) ** 2
    yield "square", equal(left, (sp.sqrt(3) * x - 2 * B / sp.sqrt(3)) ** 2)


@SHARP_43.proved(controls={"less": {"factor": sp.Rational(19, 10)}})
def attained_by_one_sample(factor: Any = 2) -> Obligations:
    """One sample, f − f_lin = −B at the iterates and B at their average: equality.

    The steps are Minkowski's inequality, and Jensen's for the convex loss of the linear model.
    """
    x, B = sp.symbols("x B", positive=True)
    linear = x + B  # residual of the linear model at the iterates, hence at their average
    yield "loss at the average", equal((linear + B) ** 2, (x + factor * B) ** 2)


@SHARP_43.tested(over=RUNS, controls={"half": {"factor": 0.5}}, cases=30)
def roots_of_average_iterates(run: Descent, factor: float = 1.0) -> Measured:
    """The root of the loss at the average iterate over the bound."""
    return run.worst("eq43.sharp", right=factor)


_FACTORS = sp.symbols("sigma_0 sigma_1 nu_c nu_u nu_w rho_c r", positive=True)

SHAPE = claim(
    "st.thm1",
    at="Theorem 1",
    title="Convergence of projected gradient descent",
    states=(
        r"\min_{s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)}) \lesssim_{\bar\sigma,\bar\nu,\rho}"
        r" \frac{L_{1,m}^4}{\sqrt\tau} + L_{1,m}(B_{\mathrm{app},m} + B_{\mathrm{lin},m}"
        r" + \varepsilon_{\mathrm{CoF}}), \quad \varepsilon_{\mathrm{CoF}}"
        r" \lesssim_{\bar\sigma,\bar\nu,\rho} \frac{L_{1,m} + L_{2,m}}{\sqrt m}"
    ),
    given=GIVEN,
    assuming=(EVENT, "the same holds at the average iterate with 6B_lin² added, by (43)"),
    rests_on=[EQ_42, EQ_43, "st.eq35"],
    note=f"{_NOTE}#hidden-constants",
)


@SHAPE.proved(
    controls={"dimension": {"root": 1}, "cube": {"power": 3}, "fewer_labels": {"labels": 0}}
)
def hidden_constants(root: int = 2, power: int = 4, labels: int = 1) -> Obligations:
    """L_1/σ_1 = √(1 + B²) with B ≥ √d exceeds 1 and √d: so F ≤ C L_1 and A ≤ C' L_1.

    C = r + ν_w + (σ_0(ρ_c + ν_c) + σ_1ν_u)/σ_1, C' = σ_0/σ_1 + 1 + ρ_c depend on hidden parameters
    only: not on d, m, n, τ, T.
    """
    zero, one, nu_c, nu_u, nu_w, rho_c, r = _FACTORS
    d, b, m, L_1, L_2 = sp.symbols("d b m L_1 L_2", positive=True)
    square = 1 + (sp.sqrt(d) + b) ** 2  # (L_1/σ_1)², B = √d + b
    dimension = d ** sp.Rational(1, root)
    yield "(L_1/σ_1)² − d", equal(square - dimension**2, 1 + 2 * sp.sqrt(d) * b + b**2)
    yield "1 ≤ L_1/σ_1", decide_at_least(square, sp.Integer(1)).answer
    F = L_1 * r + zero * rho_c + labels * (zero * nu_c + one * nu_u) + one * dimension * nu_w
    C = r + nu_w + (zero * (rho_c + nu_c) + one * nu_u) / one
    rest = (zero * (rho_c + nu_c) + one * nu_u) * (L_1 / one - 1)
    yield "C L_1 − F", equal(C * L_1 - F, rest + one * nu_w * (L_1 / one - dimension))
    A, more = zero + (1 + rho_c / sp.sqrt(m)) * L_1, zero / one + 1 + rho_c
    kept = zero * (L_1 / one - 1) + rho_c * (1 - 1 / sp.sqrt(m)) * L_1
    yield "C' L_1 − A", equal(more * L_1 - A, kept)
    yield "B_grad", equal(4 * (C * L_1) ** 2 * (more * L_1) ** 2, 4 * C**2 * more**2 * L_1**power)
    change = (L_1 + L_2) * r + rho_c * L_1
    yield "B_CoF", equal((r + rho_c) * (L_1 + L_2) - change, rho_c * L_2)


SHARP = SHAPE.sharpened(
    "st.thm1.sharp",
    title="Projected gradient descent converges like 1/τ, to an error of order 1/m",
    states=(
        r"\min_{s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)}) \le \frac1\tau\sum_{s<\tau}"
        r"\widehat{\mathcal{L}}_n(\varphi^{(s)}) \le \frac{4A^2\|\bar\nu\|_2^2}{\tau} + 2E^2,"
        r" \quad \eta = \frac{1}{4A^2},\ E = B_{\mathrm{app}} + B_{\mathrm{lin}} + B_{\mathrm{CoF}}"
    ),
    given=GIVEN,
    assuming=(
        EVENT,
        "A bounds |∇f| in the feasible set; no bound of outputs or labels is needed",
    ),
    rests_on=[EQ_21, SHARP_36, SHARP_39, START, "st.eq35.sharp", "st.eq38.sharp"],
    note=f"{_NOTE}#a-better-drift",
)


@SHARP.proved(controls={"twice_the_step": {"four": 2}, "smaller": {"two": sp.Rational(19, 10)}})
def complete_the_square(four: int = 4, two: Any = 2) -> Obligations:
    """V' − V ≤ −4ηL + 4η√L E + 4η²A²L, which is −ηL + 2ηE² less 2η(√L − E)²; then telescope."""
    root = sp.sqrt(_L)
    eta = 1 / (four * _A**2)
    drift = -4 * eta * _L + 4 * eta * root * _E + 4 * eta**2 * _A**2 * _L
    yield "square", equal(-eta * _L + two * eta * _E**2 - drift, 2 * eta * (root - _E) ** 2)
    start = sp.Symbol("nu", positive=True) ** 2
    yield "V_0/(ητ)", equal(start / (eta * _TAU), four * _A**2 * start / _TAU)


@SHARP.tested(over=RUNS, controls={"tenth": {"factor": 0.1}}, cases=30)
def losses_with_the_longer_step(run: Descent, factor: float = 1.0) -> Measured:
    """The mean of the losses over the bound, with A and E measured along the run."""
    return run.worst("thm1.sharp", right=factor)
