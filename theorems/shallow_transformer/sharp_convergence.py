"""The sharpened Theorem 1."""

from __future__ import annotations

from typing import Any

import sympy as sp

from symbolic.equality import equal
from theorems.engine import Measured, Obligations, half_line, integers
from theorems.engine.domain import Domain
from theorems.shallow_transformer.convergence import SHAPE
from theorems.shallow_transformer.descent import EQ_21
from theorems.shallow_transformer.drift import SHARP_36, SHARP_39
from theorems.shallow_transformer.runs import RUNS, Descent
from theorems.shallow_transformer.theorem_1 import START

_NOTE = "proofs_notes/st_descent.md"
_ETA, _TAU = sp.symbols("eta tau", positive=True)
_L, _E, _A = sp.symbols("L E A", positive=True)
GIVEN: dict[str, Domain] = {
    "m": integers(2),
    "d": integers(1),
    "n": integers(1),
    "tau": integers(1),
    "eta": half_line(0, closed=False),
}
EVENT = "on the event that |U_i| ≤ B_U in the feasible set and |f_lin(X^(j); φ̃) − f*| ≤ B_app"

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
