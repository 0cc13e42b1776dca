"""Theorem 1, proof: the drift of the distance to the transported parameters, (21)-(24), (36)-(41).

V(φ) = |φ − φ̃|². Identities between inner products are linear in each coordinate and in each
sample, so that they are decided in one coordinate, with one sample.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symbolic.equality import decide_at_least, equal
from theorems.engine import Discrepancy, Measured, Obligations, claim, half_line, integers
from theorems.engine.domain import Domain
from theorems.shallow_transformer.runs import RUNS, Descent

_NOTE = "proofs_notes/st_descent.md"
GIVEN: dict[str, Domain] = {
    "m": integers(2),
    "d": integers(1),
    "n": integers(1),
    "tau": integers(1),
    "eta": half_line(0, closed=False),
}
EVENT = "on the event that |U_i| ≤ B_U in the feasible set and |f_lin(X^(j); φ̃) − f*| ≤ B_app"
_ETA, _TAU = sp.symbols("eta tau", positive=True)
_G, _PHI, _TARGET = sp.symbols("g phi target", real=True)
_L, _E, _A = sp.symbols("L E A", nonnegative=True)
_F, _B = sp.symbols("F B_grad", nonnegative=True)  # F = f_max + y_max

EQ_21 = claim(
    "st.eq21",
    at="Equation (21)",
    title="One projected step and the distance to a point of the feasible set",
    states=(
        r"\mathcal{V}(\varphi^{(s+1)}) \le \mathcal{V}(\varphi^{(s)}) + 2\eta\langle\nabla"
        r"\widehat{\mathcal{L}}_n(\varphi^{(s)}), \tilde\varphi - \varphi^{(s)}\rangle"
        r" + \eta^2\|\nabla\widehat{\mathcal{L}}_n(\varphi^{(s)})\|^2"
    ),
    given=GIVEN,
    rests_on=["st.rem10", "st.def2"],
    note=f"{_NOTE}#the-drift",
)


@EQ_21.proved(controls={"without_the_two": {"twice": 1}, "sign": {"twice": -2}})
def square_of_a_sum(twice: int = 2) -> Obligations:
    """The square before the projection, coordinate by coordinate."""
    left = (_PHI - _ETA * _G - _TARGET) ** 2
    right = (_PHI - _TARGET) ** 2 + twice * _ETA * _G * (_TARGET - _PHI) + _ETA**2 * _G**2
    yield "expansion", equal(left, right)


@EQ_21.proved(controls={"outside": {"inside": False}, "no_radius": {"power": 0}})
def projection_onto_a_ball(inside: bool = True, power: int = 1) -> Obligations:
    """For |x| > ρ ≥ |y|: |x − y|² − |ρx/|x| − y|² = (|x| − ρ)(|x| + ρ − 2⟨x/|x|, y⟩) ≥ 0.

    The feasible set is a product of balls, so squares of distances add up over the balls.
    """
    rho, more, slack = sp.symbols("rho more slack", positive=True)
    size = rho + more  # |x|
    along = rho - slack if inside else rho + more + slack  # ⟨x/|x|, y⟩ ≤ |y| ≤ ρ
    before = size**2 - 2 * size * along
    after = rho**2 - 2 * rho**power * along
    yield "product", equal(before - after, (size - rho) * (size + rho - 2 * along))
    yield "nonnegative", decide_at_least(before, after).answer


@EQ_21.tested(over=RUNS, controls={"nine_tenths": {"factor": 0.9}}, cases=30)
def distances_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """V after each step over the right side, for small transformers."""
    return run.worst("eq21", right=factor)


EQ_22 = claim(
    "st.eq22",
    at="Equation (22)",
    title="The gradient of the loss against the way to the transported parameters",
    states=(
        r"\langle\nabla\widehat{\mathcal{L}}_n(\varphi), \tilde\varphi - \varphi\rangle ="
        r" \frac2n\sum_{j=1}^n (f_j - f_j^*)\langle g_j, \tilde\varphi - \varphi\rangle"
    ),
    given=GIVEN,
)


@EQ_22.proved(controls={"without_the_two": {"twice": 1}, "power": {"power": 3}})
def differentiate_the_loss(twice: int = 2, power: int = 2) -> Obligations:
    """One sample's share, in one coordinate."""
    n = sp.Symbol("n", positive=True)
    f, label = sp.Function("f")(_PHI), sp.Symbol("label", real=True)
    share = sp.diff((f - label) ** power / n, _PHI) * (_TARGET - _PHI)
    slope, value = sp.symbols("slope value", real=True)
    plain = share.subs(sp.Derivative(f, _PHI), slope).subs(f, value)
    yield "share", equal(plain, twice / n * (value - label) * slope * (_TARGET - _PHI))


EQ_24 = claim(
    "st.eq24",
    at="Equations (23) and (24)",
    title="The decomposition into errors of approximation, linearisation and features",
    states=(
        r"\langle g_j, \tilde\varphi - \varphi\rangle = \varepsilon_j^{\mathrm{app}}"
        r" + (f_j^* - f_j) + \varepsilon_j^{\mathrm{lin}}(\varphi)"
        r" + \varepsilon_j^{\mathrm{CoF}}(\varphi)"
    ),
    given=GIVEN,
    rests_on=["st.def3"],
)


@EQ_24.proved(controls={"sign": {"sign": -1}, "no_features": {"features": 0}})
def insert_the_linear_model(sign: int = 1, features: int = 1) -> Obligations:
    """ε_app = f_lin(φ̃) − f*, ε_lin = f − f_lin(φ), ε_CoF = ⟨g − g⁽⁰⁾, φ̃ − φ⟩."""
    f, label, first, start, output = sp.symbols("f label g0 phi0 f0", real=True)

    def linear(phi: Any) -> Any:
        return output + first * (phi - start)

    approximation = linear(_TARGET) - label
    linearisation = f - linear(_PHI)
    change = (_G - first) * (_TARGET - _PHI)
    right = approximation + (label - f) + sign * linearisation + features * change
    yield "decomposition", equal(_G * (_TARGET - _PHI), right)


@EQ_24.tested(over=RUNS, controls={"no_features": {"features": 0.0}}, cases=20)
def decomposition_along_runs(run: Descent, features: float = 1.0) -> Discrepancy:
    """Both sides in floats, all samples and steps of small transformers."""
    return run.decomposition(features)


EQ_25 = claim(
    "st.eq25",
    at="Equation (25)",
    title="The error of linearisation along a run",
    states=r"|\varepsilon_j^{\mathrm{lin}}(\varphi^{(s)})| \le B_{\mathrm{lin},m}(\delta')",
    given=GIVEN,
    assuming=EVENT,
    rests_on=["st.lem3"],
)
EQ_26 = claim(
    "st.eq26",
    at="Equation (26)",
    title="The error of approximation along a run",
    states=r"|\varepsilon_j^{\mathrm{app}}| \le B_{\mathrm{app},m}(\delta)",
    given=GIVEN,
    assuming=EVENT,
    rests_on=["st.lem5"],
)


@EQ_25.proved(controls={"outside": {"moved": sp.Rational(101, 100)}, "sign": {"sign": 1}})
def within_the_feasible_set(moved: Any = 1, sign: int = -1) -> Obligations:
    """Lemma 3 bounds f − f_lin on Ω_ρ, where φ^(0) lies and into which every step is projected."""
    value, linear = sp.symbols("f f_lin", real=True)
    yield "same quantity", equal(value + sign * linear, value - linear)
    rho, m = sp.symbols("rho m", positive=True)
    for size in (sp.Integer(0), moved * rho / sp.sqrt(m)):  # of φ^(0) and of a projected block
        yield "in the ball", decide_at_least(rho / sp.sqrt(m), size).answer


@EQ_25.tested(over=RUNS, controls={"thousandth": {"factor": 0.001}}, cases=30)
def linearisation_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """|f − f_lin| over B_lin with the largest |U_i| of the run for B_U."""
    return run.worst("eq25", right=factor)


@EQ_26.proved(controls={"without_the_minus": {"sign": 1}})
def definition_of_the_error(sign: int = -1) -> Obligations:
    """ε_app is what Lemma 5 bounds, at φ̃: f_lin(X; φ̃) − f̃(X; v), and f* = f̃(·; v)."""
    linear, target = sp.symbols("f_lin f_star", real=True)
    yield "same quantity", equal(linear + sign * target, linear - target)


EQ_36 = claim(
    "st.eq36",
    at="Equation (36)",
    title="The gradient points to the transported parameters, up to the errors",
    states=(
        r"\langle\nabla\widehat{\mathcal{L}}_n(\varphi), \tilde\varphi - \varphi\rangle \le"
        r" -2\widehat{\mathcal{L}}_n(\varphi) + 2(f^{\max} + y^{\max})(B_{\mathrm{app},m}"
        r" + B_{\mathrm{lin},m} + B_{\mathrm{CoF},m})"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_22, EQ_24, EQ_25, EQ_26, "st.eq35", "st.lem6.f", "st.lem6.y"],
    note=f"{_NOTE}#the-drift",
)


@EQ_36.proved(controls={"one_loss": {"twice": 1}, "smaller": {"factor": sp.Rational(99, 100)}})
def insert_the_decomposition(twice: int = 2, factor: Any = 1) -> Obligations:
    """One sample: 2r(−r + e) = −2r² + 2re with r = f − f*, |r| ≤ F and |e| ≤ E."""
    r, e = sp.symbols("r e", real=True)
    yield "one sample", equal(2 * r * (-r + e), -twice * r**2 + 2 * r * e)
    size, error, below, less = sp.symbols("size error below less", nonnegative=True)
    bound = factor * (size + below) * (error + less)  # F = |r| + below, E = |e| + less
    yield "FE − |r||e|", equal(bound - size * error, size * less + below * error + below * less)


@EQ_36.tested(over=RUNS, controls={"thousandth": {"factor": 0.001}}, cases=30)
def errors_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """⟨∇L, φ̃ − φ⟩ + 2L over the bound."""
    return run.worst("eq36", right=factor)


SHARP_36 = EQ_36.sharpened(
    "st.eq36.sharp",
    title="With the square root of the loss for the bound of the residuals",
    states=(
        r"\langle\nabla\widehat{\mathcal{L}}_n(\varphi), \tilde\varphi - \varphi\rangle \le"
        r" -2\widehat{\mathcal{L}}_n(\varphi) + 2\widehat{\mathcal{L}}_n(\varphi)^{1/2}E,"
        r" \quad E = \max_j|\varepsilon_j^{\mathrm{app}} + \varepsilon_j^{\mathrm{lin}}"
        r" + \varepsilon_j^{\mathrm{CoF}}|"
    ),
    given=GIVEN,
    assuming="for all labels; equality if all residuals are equal and all errors are E",
    rests_on=[EQ_22, EQ_24],
    note=f"{_NOTE}#a-better-drift",
)


@SHARP_36.proved(controls={"smaller": {"factor": sp.Rational(99, 100)}})
def cauchy_schwarz(factor: Any = 1) -> Obligations:
    """n Σ r² − (Σ |r|)² = Σ_{i<j} (|r_i| − |r_j|)² (Lagrange), here for n = 4; and |e_j| ≤ E."""
    r = sp.symbols("r1:5", real=True)
    pairs = sum((r[i] - r[j]) ** 2 for i in range(4) for j in range(i))
    yield "Lagrange", equal(4 * factor * sum(x**2 for x in r) - sum(r) ** 2, pairs)


@SHARP_36.tested(over=RUNS, controls={"nine_tenths": {"factor": 0.9}}, cases=30)
def cauchy_schwarz_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """(2/n)Σ r e over 2 √L E; one sample gives equality."""
    return run.worst("eq36.sharp", right=factor)


EQ_39 = claim(
    "st.eq39",
    at="Equation (39)",
    title="The gradient of the loss",
    states=(
        r"\|\nabla\widehat{\mathcal{L}}_n(\varphi^{(s)})\|^2 \le 4(f^{\max} + y^{\max})^2"
        r"A_m(\delta')^2 = B_{\mathrm{grad},m}(\delta')"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=["st.eq38", "st.lem6.f", "st.lem6.y", "st.eq39.sharp"],
    note=f"{_NOTE}#a-better-drift",
)


@EQ_39.proved(controls={"half": {"factor": 2}})
def from_the_sharp_bound(factor: int = 4) -> Obligations:
    """4A²L ≤ 4A²F², as L is a mean of squares of at most F = f_max + y_max."""
    loss, below = sp.symbols("loss below", nonnegative=True)
    gap = factor * _A**2 * (loss + below) - 4 * _A**2 * loss  # F² = loss + below
    yield "gap", decide_at_least(gap, sp.Integer(0)).answer


SHARP_39 = EQ_39.sharpened(
    "st.eq39.sharp",
    title="The gradient of the loss is small where the loss is",
    states=(
        r"\|\nabla\widehat{\mathcal{L}}_n(\varphi)\|^2 \le 4A^2\,\widehat{\mathcal{L}}_n(\varphi),"
        r" \quad A = \max_j\|\nabla_\varphi f(X^{(j)}; \varphi)\|"
    ),
    given=GIVEN,
    assuming="for all labels; equality for one sample",
    rests_on=[EQ_22],
    note=f"{_NOTE}#a-better-drift",
)


@SHARP_39.proved(controls={"smaller": {"factor": sp.Rational(399, 100)}})
def convexity_of_the_square(factor: Any = 4) -> Obligations:
    """n Σ|x_j|² − |Σ x_j|² = Σ_{i<j} |x_i − x_j|² with x_j = 2 r_j g_j, for n = 4; |g_j| ≤ A."""
    r, g = sp.symbols("r1:5", real=True), sp.symbols("g1:5", real=True)
    x = [2 * one * other for one, other in zip(r, g, strict=True)]
    pairs = sum((x[i] - x[j]) ** 2 for i in range(4) for j in range(i))
    squares = factor * sum((one * other) ** 2 for one, other in zip(r, g, strict=True))
    yield "Lagrange", equal(4 * squares - sum(x) ** 2, pairs)


@SHARP_39.tested(over=RUNS, controls={"nine_tenths": {"factor": 0.9}}, cases=30)
def gradients_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """|∇L|² over 4A²L; one sample gives equality."""
    return run.worst("eq39.sharp", right=factor)


EQ_40 = claim(
    "st.eq40",
    at="Equation (40)",
    title="The drift",
    states=(
        r"\mathcal{V}(\varphi^{(s+1)}) - \mathcal{V}(\varphi^{(s)}) \le -4\eta"
        r"\widehat{\mathcal{L}}_n(\varphi^{(s)}) + 4\eta(f^{\max} + y^{\max})(B_{\mathrm{app},m}"
        r" + B_{\mathrm{lin},m} + B_{\mathrm{CoF},m}) + \eta^2B_{\mathrm{grad},m}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_21, EQ_36, EQ_39],
    note=f"{_NOTE}#the-drift",
)


@EQ_40.proved(controls={"half": {"four": 2}, "linear": {"power": 1}})
def add_up(four: int = 4, power: int = 2) -> Obligations:
    """2η(−2L + 2FE) + η²B."""
    drift = 2 * _ETA * (-2 * _L + 2 * _F * _E) + _ETA**2 * _B
    yield "sum", equal(drift, -four * _ETA * _L + 4 * _ETA * _F * _E + _ETA**power * _B)


@EQ_40.tested(over=RUNS, controls={"thousandth": {"factor": 0.001}}, cases=30)
def drift_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """The change of V plus 4ηL over the bound."""
    return run.worst("eq40", right=factor)


EQ_41 = claim(
    "st.eq41",
    at="Equation (41)",
    title="The mean of the losses",
    states=(
        r"\frac1\tau\sum_{s<\tau}\widehat{\mathcal{L}}_n(\varphi^{(s)}) \le"
        r" \frac{\mathcal{V}(\varphi^{(0)})}{4\eta\tau} + (f^{\max} + y^{\max})(B_{\mathrm{app},m}"
        r" + B_{\mathrm{lin},m} + B_{\mathrm{CoF},m}) + \frac\eta4B_{\mathrm{grad},m}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_40],
    note=f"{_NOTE}#the-drift",
)


@EQ_41.proved(controls={"half": {"four": 2}, "eta": {"power": 2}})
def telescope(four: int = 4, power: int = 1) -> Obligations:
    """V_τ − V_0 ≤ −4ητ(mean) + τ(4ηFE + η²B), and V_τ ≥ 0."""
    first, last = sp.symbols("V_0 V_tau", nonnegative=True)
    mean = (first - last + _TAU * (4 * _ETA * _F * _E + _ETA**2 * _B)) / (4 * _ETA * _TAU)
    bound = first / (four * _ETA * _TAU) + _F * _E + _ETA**power / 4 * _B
    yield "what is dropped", equal(bound - mean, last / (4 * _ETA * _TAU))


@EQ_41.tested(over=RUNS, controls={"thousandth": {"factor": 0.001}}, cases=30)
def means_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """The mean of the losses over the bound."""
    return run.worst("eq41", right=factor)
