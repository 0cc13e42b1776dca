"""Theorem 1, sharpened: other step sizes, what cannot be improved, and the paper's experiment."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from numeric.networks.transformer.activation import LOGISTIC
from numeric.networks.transformer.descent import projected_descent
from numeric.networks.transformer.parameters import Inputs, symmetric_initialisation
from symbolic.equality import decide_at_least, equal
from theorems.engine import Discrepancy, Measured, Obligations, Provenance, claim, integers
from theorems.shallow_transformer.convergence import SHAPE
from theorems.shallow_transformer.descent import EQ_21
from theorems.shallow_transformer.drift import SHARP_36, SHARP_39
from theorems.shallow_transformer.runs import CASES, RUNS, Case, Descent
from theorems.shallow_transformer.sharp_convergence import EVENT, GIVEN, SHARP
from theorems.shallow_transformer.theorem_1 import EQ_42, START

_NOTE = "proofs_notes/st_descent.md"
_ETA, _TAU = sp.symbols("eta tau", positive=True)
_L, _E, _A = sp.symbols("L E A", positive=True)

STEP = SHAPE.sharpened(
    "st.thm1.sharp.step",
    title="The paper's step size, without the fourth power",
    states=(
        r"\frac1\tau\sum_{s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)}) \le"
        r" \frac{\|\bar\nu\|_2^2}{\sqrt\tau} + 2E^2, \quad \eta = \tau^{-1/2},\ \tau \ge 16A^4"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_21, SHARP_36, SHARP_39, START],
    note=f"{_NOTE}#a-better-drift",
)


@STEP.proved(controls={"earlier": {"sixteen": 9}, "smaller": {"two": 1}})
def contract_less(sixteen: int = 16, two: int = 2) -> Obligations:
    """V' − V ≤ −2η(1 − 2ηA²)L + 2ηE², and 1 − 2ηA² ≥ 1/2 when η ≤ 1/(4A²)."""
    root, more = sp.sqrt(_L), sp.Symbol("more", nonnegative=True)
    drift = -4 * _ETA * _L + 4 * _ETA * root * _E + 4 * _ETA**2 * _A**2 * _L
    bound = -2 * _ETA * (1 - 2 * _ETA * _A**2) * _L + two * _ETA * _E**2
    yield "square", equal(bound - drift, 2 * _ETA * (root - _E) ** 2)
    tau = sixteen * _A**4 + more
    share = 1 - 2 * _A**2 / sp.sqrt(tau)
    yield "share", decide_at_least(tau, (2 * _A**2 / (1 - sp.Rational(1, 2))) ** 2).answer
    yield "at equality", equal(share.subs(more, 0), sp.Rational(1, 2))


EVERY_STEP = SHARP.sharpened(
    "st.thm1.sharp.every_step",
    title="Every step size below 1/A²: the error tends to E² for small steps",
    states=(
        r"\Bigl(\frac1\tau\sum_{s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)})\Bigr)^{1/2} \le"
        r" \frac{E + \sqrt{E^2 + (1 - \eta A^2)\|\bar\nu\|_2^2/(\eta\tau)}}{2(1 - \eta A^2)},"
        r" \quad 0 < \eta < A^{-2}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_21, SHARP_36, SHARP_39, START],
    note=f"{_NOTE}#a-better-drift",
)


@EVERY_STEP.proved(controls={"twice": {"four": 8}, "no_features": {"square": 0}})
def solve_the_quadratic(four: int = 4, square: int = 1) -> Obligations:
    """With x² the mean loss 4η(1 − ηA²)x² − 4ηEx ≤ |ν̄|²/τ, by Jensen's inequality for √L."""
    x, nu, room = sp.symbols("x nu room", positive=True)  # room = 1 − ηA²
    drift = -4 * _ETA * x**2 + 4 * _ETA * x * _E + 4 * _ETA**2 * square * _A**2 * x**2
    share = 4 * _ETA * (1 - _ETA * _A**2)
    yield "drift", equal(drift, -share * x**2 + 4 * _ETA * _E * x)
    root = (_E + sp.sqrt(_E**2 + room * nu**2 / (_ETA * _TAU))) / (2 * room)
    left = four * _ETA * room * root**2 - 4 * _ETA * _E * root
    yield "root", equal(sp.expand(left), nu**2 / _TAU)


@EVERY_STEP.tested(over=RUNS, controls={"third": {"factor": 0.3}}, cases=60)
def roots_of_losses(run: Descent, factor: float = 1.0) -> Measured:
    """The root of the mean loss over the bound, with A and E measured along the run."""
    return run.worst("every_step", right=factor)


IMPLIES = claim(
    "st.thm1.sharp.compared",
    at="Theorem 1",
    title="The two sharpened bounds compared at the step size 1/(4A²)",
    states=(
        r"\tfrac49\bigl(E + \sqrt{E^2 + 3A^2\|\bar\nu\|^2/\tau}\bigr)^2 \le \tfrac{16}{9}E^2 +"
        r" \tfrac83A^2\|\bar\nu\|^2/\tau \le 2E^2 + 4A^2\|\bar\nu\|^2/\tau"
    ),
    given=GIVEN,
    rests_on=[EVERY_STEP],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#a-better-drift",
)


@IMPLIES.proved(controls={"smaller": {"share": sp.Rational(7, 3)}})
def square_of_the_sum(share: Any = sp.Rational(8, 3)) -> Obligations:
    """2x² + 2y² − (x + y)² = (x − y)² with y = √(x² + 3q)."""
    x, y = sp.symbols("x y", real=True)
    q = (y**2 - x**2) / 3
    gap = sp.Rational(16, 9) * x**2 + share * q - sp.Rational(4, 9) * (x + y) ** 2
    yield "first", equal(gap, sp.Rational(4, 9) * (x - y) ** 2)
    yield "second", bool(share <= 4 and sp.Rational(16, 9) <= 2)


RATE = claim(
    "st.thm1.sharp.rate",
    at="Theorem 1",
    title="The order 1/τ cannot be improved",
    states=(
        r"\widehat{\mathcal{L}}_n(\varphi^{(s)}) = \sigma(0)^2\nu_c^2(1 - 2\eta\sigma(0)^2)^{2s}"
        r" \ge \frac{A^2\nu_c^2}{e\,\tau}, \quad s < \tau,\ \eta = \frac{1}{4A^2}, \quad"
        r" \sigma(0)^2 = \frac{A^2}{\tau}"
    ),
    given={"tau": integers(1)},
    assuming=(
        "all tokens vanish, and f* = σ(0)ν_c is given by v = (ν_c, 0, 0): then all errors vanish",
        "the radius ρ_c ≥ ν_c lets the iterates pass",
    ),
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w", "st.eq11"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#what-cannot-be-improved",
)


@RATE.proved(controls={"larger": {"factor": 2}, "single_step": {"twice": 1}})
def a_linear_network(factor: int = 1, twice: int = 2) -> Obligations:
    """f = σ(0)m^(−1/2)Σc_i, so f − y shrinks by 1 − 2ησ(0)²; (2τ − 2)log(1 − 1/(2τ)) ≥ −1."""
    x, y, m, level = sp.symbols("x y m level", positive=True)
    head = level / sp.sqrt(m)  # df/dc_i
    step = x - y - m * head * (_ETA * 2 * (x - y) * head)
    yield "one step", equal(step, (1 - twice * _ETA * level**2) * (x - y))
    rate = 2 * _ETA * level**2
    tuned = rate.subs({_ETA: 1 / (4 * _A**2)}).subs(level, _A / sp.sqrt(_TAU))
    yield "rate", equal(tuned, 1 / (2 * _TAU))
    # log(1 − u) ≥ −u/(1 − u) on [0, 1): equality at 0, and the difference has a positive slope.
    u, t = sp.symbols("u t", positive=True)
    slope = sp.diff(sp.log(1 - u) + u / (1 - u), u)
    yield "slope", equal(slope, u / (1 - u) ** 2, {u: sp.Interval.open(0, 1)})
    exponent = (2 * _TAU - 2) * (tuned / (1 - tuned))
    room = sp.together((factor - exponent.subs(_TAU, 1 + t)).subs(_TAU, 1 + t))
    yield "exponent at most 1", equal(room, 1 / (1 + 2 * t))


@RATE.tested(
    over=CASES, controls={"other_rate": {"power": 1}, "half_the_labels": {"label": 0.4}}, cases=10
)
def trained_on_nothing(case: Case, power: int = 2, label: float = 1.0) -> Discrepancy:
    """The logistic function, σ(0) = 1/2, and all tokens 0, trained and compared."""
    initial = symmetric_initialisation(case.m, case.d, np.random.default_rng(case.seed))
    inputs = Inputs(np.zeros((case.n, case.T, case.d)), np.ones((case.n, case.d)))
    steps, eta = case.steps + 1, 0.3
    found = projected_descent(
        initial, inputs, np.full(case.n, 0.5 * label), LOGISTIC, (1, 1, 1), steps, step_size=eta
    )
    expected = 0.25 * (1 - eta / 2) ** (power * np.arange(steps))
    # At most 11 steps with sums of 10 terms of size below 1.
    return Discrepancy(float(np.abs(found.losses - expected).max()), 2.0**-44)


EXPERIMENT = claim(
    "st.thm1.experiment",
    at="Section 6.1",
    title="At the sizes of the experiments Theorem 1 says less than the loss of the zero function",
    states=(
        r"\frac{\|\bar\nu\|^2 + B_{\mathrm{grad},m}}{4\sqrt\tau} + (f^{\max} + y^{\max})"
        r"(B_{\mathrm{app},m} + B_{\mathrm{lin},m} + B_{\mathrm{CoF},m}) > (y^{\max})^2"
        r" \ge \widehat{\mathcal{L}}_n(\varphi^{(0)}), \quad m \le 256,\ d = 8, \quad"
        r" \bar\nu = \rho = (3, 3, 3)"
    ),
    assuming="σ = tanh; whatever n, τ, δ and δ' are",
    rests_on=[EQ_42, "st.lem6.y", "st.rem5"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#numbers",
)


@EXPERIMENT.proved(controls={"a_million_heads": {"m": 10**6}, "short_steps": {"radius": 1}})
def two_of_the_terms(m: int = 256, radius: int = 3) -> Obligations:
    """f_max ≥ L_1 r and B_lin ≥ 8L_1r²/√m with L_1 ≥ √(1 + d): the product is too large."""
    d, nu = 8, 3
    r = sp.sqrt(2) * radius
    least = sp.sqrt(1 + d) * r * 8 * sp.sqrt(1 + d) * r**2 / sp.sqrt(m)
    target = nu + nu + sp.sqrt(d) * nu
    yield "f_max B_lin > y_max²", bool(least > target**2)
