"""Theorem 1, sharpened: other step sizes, what cannot be improved, and the paper's experiment."""

from __future__ import annotations

import numpy as np
import sympy as sp

from numeric.networks.transformer.activation import LOGISTIC
from numeric.networks.transformer.descent import projected_descent
from numeric.networks.transformer.parameters import Inputs, symmetric_initialisation
from symbolic.equality import equal
from theorems.engine import Discrepancy, Obligations, Provenance, claim, integers
from theorems.shallow_transformer.runs import CASES, Case
from theorems.shallow_transformer.theorem_1 import EQ_42

_NOTE = "proofs_notes/st_descent.md"
_ETA, _TAU = sp.symbols("eta tau", positive=True)
_A = sp.Symbol("A", positive=True)

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
