"""Theorem 1, proof: how far the features move, (27)-(35), and the size of gradients, (37), (38).

r = |(ρ_u, ρ_w)|; the i-th head has moved by δc_i and δθ_i, and Δθ_i is its way to φ̃.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from symbolic.equality import decide_at_least, equal
from theorems.engine import Measured, Obligations, claim
from theorems.shallow_transformer.descent import EVENT, GIVEN
from theorems.shallow_transformer.runs import RUNS, Descent

_NOTE = "proofs_notes/st_descent.md#the-change-of-features"
_M = sp.Symbol("m", positive=True)
_L_1, _L_2, _R, _RHO_C = sp.symbols("L_1 L_2 r rho_c", nonnegative=True)
_ROOT = sp.sqrt(_M)

EQ_28 = claim(
    "st.eq28",
    at="Equations (27) and (28)",
    title="The change of features head by head",
    states=(
        r"|\varepsilon_j^{\mathrm{CoF}}(\varphi)| \le \sum_{i=1}^m\|\nabla_{\varphi_i}"
        r"f(X^{(j)};\varphi) - \nabla_{\varphi_i}f(X^{(j)};\varphi^{(0)})\|_2"
        r"\|\tilde\varphi_i - \varphi_i\|_2"
    ),
    given=GIVEN,
    note=_NOTE,
)


@EQ_28.proved(controls={"smaller": {"factor": sp.Rational(99, 100)}})
def cauchy_schwarz_in_a_head(factor: Any = 1) -> Obligations:
    """|x|²|y|² − ⟨x, y⟩² = Σ_{i<j} (x_i y_j − x_j y_i)², here with three entries."""
    x, y = sp.symbols("x1:4", real=True), sp.symbols("y1:4", real=True)
    lengths = sum(one**2 for one in x) * sum(one**2 for one in y)
    inner = sum(one * other for one, other in zip(x, y, strict=True))
    minors = sum((x[i] * y[j] - x[j] * y[i]) ** 2 for i in range(3) for j in range(i))
    yield "Lagrange", equal(factor * lengths - inner**2, minors)


@EQ_28.tested(over=RUNS, controls={"half": {"factor": 0.5}}, cases=30)
def heads_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """|ε_CoF| over the sum of products of norms."""
    return run.worst("eq28", right=factor)


EQ_29 = claim(
    "st.eq29",
    at="Equation (29)",
    title="The way to the transported parameters",
    states=(
        r"\|\tilde\varphi_i - \varphi_i^{(s)}\|_2 \le \frac{\|\bar\nu\|_2 + \|\rho\|_2}{\sqrt m}"
    ),
    given=GIVEN,
    rests_on=["st.eq29.sharp"],
    note=_NOTE,
)


@EQ_29.proved(controls={"smaller": {"factor": sp.Rational(9, 10)}})
def triangle_inequality(factor: Any = 1) -> Obligations:
    """(|ν̄| + |ρ|)² − |ν̄ + ρ|² = 2(|ν̄||ρ| − ⟨ν̄, ρ⟩) ≥ 0."""
    a, b, inner = sp.symbols("a b inner", nonnegative=True)
    gap = factor * (a + b) ** 2 - (a**2 + 2 * inner + b**2)
    yield "gap", equal(gap, 2 * (a * b - inner))


SHARP_29 = EQ_29.sharpened(
    "st.eq29.sharp",
    title="The way to the transported parameters, best possible",
    states=r"\|\tilde\varphi_i - \varphi_i^{(s)}\|_2 \le \frac{\|\bar\nu + \rho\|_2}{\sqrt m}",
    given=GIVEN,
    assuming="equality if each block of φ_i − φ_i⁽⁰⁾ has the length ρ/√m and is opposite to v",
    rests_on=["st.def2"],
    note=_NOTE,
)


@SHARP_29.proved(controls={"smaller": {"factor": sp.Rational(99, 100)}})
def block_by_block(factor: Any = 1) -> Obligations:
    """In each block |v/√m − δ| ≤ (ν̄ + ρ)/√m, with equality for opposite vectors."""
    nu, rho = sp.symbols("nu rho", positive=True)
    moved = nu / _ROOT - (-rho / _ROOT)
    yield "attained", equal(moved**2, factor * (nu + rho) ** 2 / _M)


@SHARP_29.tested(over=RUNS, controls={"half": {"factor": 0.4}}, cases=30)
def ways_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """|φ̃_i − φ_i| over the bound."""
    return run.worst("eq29.sharp", right=factor)


EQ_30 = claim(
    "st.eq30",
    at="Equations (30) and (31)",
    title="The changes of gradients, in terms of one head",
    states=(
        r"\nabla_{\theta_i}f(\varphi) - \nabla_{\theta_i}f(\varphi^{(0)}) ="
        r" \frac{c_i^{(0)}}{\sqrt m}(\nabla h(\theta_i) - \nabla h(\theta_i^{(0)}))"
        r" + \frac{\delta c_i}{\sqrt m}\nabla h(\theta_i), \quad \nabla_{c_i}f(\varphi)"
        r" - \nabla_{c_i}f(\varphi^{(0)}) = \frac{h(\theta_i) - h(\theta_i^{(0)})}{\sqrt m}"
    ),
    given=GIVEN,
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w"],
    note=_NOTE,
)


@EQ_30.proved(controls={"other_end": {"at_the_start": True}})
def product_rule(at_the_start: bool = False) -> Obligations:
    """c ∇h − c⁽⁰⁾∇h⁽⁰⁾ = c⁽⁰⁾(∇h − ∇h⁽⁰⁾) + δc ∇h."""
    c, start, slope, first = sp.symbols("c c_0 slope slope_0", real=True)
    left = (c * slope - start * first) / _ROOT
    last = first if at_the_start else slope
    yield "θ", equal(left, (start * (slope - first) + (c - start) * last) / _ROOT)


EQ_32 = claim(
    "st.eq32",
    at="Equation (32)",
    title="The change of the gradient with respect to a head",
    states=(
        r"\|\nabla_{\theta_i}f(\varphi) - \nabla_{\theta_i}f(\varphi^{(0)})\|_2 \le"
        r" \frac{L_{2,m}\sqrt{\rho_u^2 + \rho_w^2} + \rho_cL_{1,m}}{m}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_30, "st.lem2"],
    note=_NOTE,
)


@EQ_32.proved(controls={"without_the_root": {"power": 0}})
def insert_lemma_2(power: int = 1) -> Obligations:
    """L_2|δθ|/√m + |δc|L_1/√m with |δθ| ≤ r/√m and |δc| ≤ ρ_c/√m."""
    step = _M ** (-sp.Rational(power, 2))
    yield "sum", equal((_L_2 * _R + _RHO_C * _L_1) * step / _ROOT, (_L_2 * _R + _RHO_C * _L_1) / _M)


@EQ_32.tested(over=RUNS, controls={"thousandth": {"factor": 0.001}}, cases=30)
def gradients_of_heads(run: Descent, factor: float = 1.0) -> Measured:
    """The change of ∇_θ f over the bound."""
    return run.worst("eq32", right=factor)


EQ_33 = claim(
    "st.eq33",
    at="Equation (33)",
    title="The change of the derivative with respect to an output weight",
    states=(
        r"|\nabla_{c_i}f(\varphi) - \nabla_{c_i}f(\varphi^{(0)})| \le"
        r" \frac{L_{1,m}\sqrt{\rho_u^2 + \rho_w^2}}{m}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_30, "st.lem2"],
    note=_NOTE,
)


@EQ_33.proved(controls={"without_the_root": {"power": 0}})
def insert_the_lipschitz_constant(power: int = 1) -> Obligations:
    """L_1|δθ|/√m."""
    step = _M ** (-sp.Rational(power, 2))
    yield "product", equal(_L_1 * _R * step / _ROOT, _L_1 * _R / _M)


@EQ_33.tested(over=RUNS, controls={"twentieth": {"factor": 0.05}}, cases=30)
def derivatives_of_output_weights(run: Descent, factor: float = 1.0) -> Measured:
    """The change of h/√m over the bound."""
    return run.worst("eq33", right=factor)


EQ_34 = claim(
    "st.eq34",
    at="Equation (34)",
    title="The change of the gradient of a head, both blocks",
    states=(
        r"\|\nabla_{\varphi_i}f(\varphi) - \nabla_{\varphi_i}f(\varphi^{(0)})\|_2 \le"
        r" \frac{(L_{1,m} + L_{2,m})\sqrt{\rho_u^2 + \rho_w^2} + \rho_cL_{1,m}}{m}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_32, EQ_33],
    note=_NOTE,
)


@EQ_34.proved(controls={"without_a_block": {"blocks": 0}, "smaller": {"share": sp.Rational(1, 2)}})
def lengths_of_pairs(blocks: int = 1, share: Any = 1) -> Obligations:
    """|(x, y)| ≤ |x| + |y| for nonnegative numbers, and the sum of (32) and (33)."""
    x, y = sp.symbols("x y", nonnegative=True)
    yield "pairs", decide_at_least(share * (x + y) ** 2, share * (x**2 + y**2)).answer
    both = _L_2 * _R + _RHO_C * _L_1 + blocks * _L_1 * _R
    yield "sum", equal(share * both, (_L_1 + _L_2) * _R + _RHO_C * _L_1)


@EQ_34.tested(over=RUNS, controls={"hundredth": {"factor": 0.01}}, cases=30)
def changes_of_heads(run: Descent, factor: float = 1.0) -> Measured:
    """The change of the whole gradient of a head over the bound."""
    return run.worst("eq34", right=factor)


EQ_35 = claim(
    "st.eq35",
    at="Equation (35)",
    title="The change-of-feature error",
    states=(
        r"|\varepsilon_j^{\mathrm{CoF}}(\varphi^{(s)})| \le \bigl((L_{1,m} + L_{2,m})"
        r"\sqrt{\rho_u^2 + \rho_w^2} + \rho_cL_{1,m}\bigr)"
        r"\frac{\|\bar\nu\|_2 + \|\rho\|_2}{\sqrt m} = B_{\mathrm{CoF},m}"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_28, EQ_29, EQ_34],
    note=_NOTE,
)


@EQ_35.proved(controls={"one_head": {"heads": 1}})
def sum_of_m_heads(heads: int | None = None) -> Obligations:
    """m heads, each with 1/m of the one and 1/√m of the other factor."""
    count = _M if heads is None else sp.Integer(heads)
    factor, way = sp.symbols("factor way", nonnegative=True)
    yield "sum", equal(count * (factor / _M) * (way / _ROOT), factor * way / _ROOT)


@EQ_35.tested(over=RUNS, controls={"thousandth": {"factor": 0.001}}, cases=30)
def feature_errors_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """|ε_CoF| over the bound."""
    return run.worst("eq35", right=factor)


SHARP_35 = EQ_35.sharpened(
    "st.eq35.sharp",
    title="The change-of-feature error, block by block",
    states=(
        r"\sqrt m\,|\varepsilon_j^{\mathrm{CoF}}(\varphi)| \le \sigma_2\ell\,\ell' + \sigma_1\Bigl("
        r"\rho_us_w + s_u\rho_w + \tfrac{4}{3\sqrt3}B_U\rho_ws_w + \rho_c\ell' + s_c\ell\Bigr),"
        r" \quad s = \rho + \bar\nu"
    ),
    given=GIVEN,
    assuming=(
        EVENT,
        "ℓ = max(ρ_u x + (1 − x²)B_U ρ_w) over x in [0, 1], and ℓ' the same with s for ρ",
    ),
    rests_on=[EQ_30, SHARP_29, "st.lem2.second", "st.lem2.blocks.sharp", "st.fact3.sharp"],
    note=_NOTE,
)


@SHARP_35.proved(controls={"without_the_first": {"first": 0}, "one_coupling": {"couplings": 1}})
def five_terms(first: int = 1, couplings: int = 2) -> Obligations:
    """⟨c⁽⁰⁾(∇h − ∇h⁽⁰⁾) + δc ∇h, Δθ⟩ + (h − h⁽⁰⁾)Δc in m heads; ∇h − ∇h⁽⁰⁾ is a mean of ∇²h δθ.

    ⟨δθ, ∇²h Δθ⟩ = σ″⟨∇z, δθ⟩⟨∇z, Δθ⟩ + σ′(⟨δU, MΔWq⟩ + ⟨ΔU, MδWq⟩ + ⟨U, DM[δW]ΔWq⟩).
    """
    one, two, ell, far, third = sp.symbols("sigma_1 sigma_2 l lprime kappa", nonnegative=True)
    rho_u, rho_w, s_c, s_u, s_w, B = sp.symbols("rho_u rho_w s_c s_u s_w B", nonnegative=True)
    step = {name: size / _ROOT for name, size in (("u", rho_u), ("w", rho_w))}
    way = {name: size / _ROOT for name, size in (("u", s_u), ("w", s_w))}
    mixed = step["u"] * way["w"] + (couplings - 1) * way["u"] * step["w"]
    hessian = two * (ell / _ROOT) * (far / _ROOT) + one * (mixed + third * B * step["w"] * way["w"])
    head = first * hessian + _RHO_C / _ROOT * one * far / _ROOT + one * ell / _ROOT * s_c / _ROOT
    inner = rho_u * s_w + s_u * rho_w + third * B * rho_w * s_w + _RHO_C * far + s_c * ell
    yield "sum", equal(_M * head / _ROOT, (two * ell * far + one * inner) / _ROOT)


@SHARP_35.proved(controls={"wrong_vertex": {"half": 1}}, part="the maximum")
def vertex(half: int = 2) -> Obligations:
    """|⟨∇z, Δθ⟩| ≤ x|ΔU| + (1 − x²)B|ΔW| with x = |a|; largest at x = |ΔU|/(2B|ΔW|)."""
    a, b, x = sp.symbols("a b x", positive=True)
    value = a * x + (1 - x**2) * b
    top = b + a**2 / (4 * b)
    yield "vertex", equal(top - value, b * (x - a / (half * b)) ** 2)


@SHARP_35.tested(over=RUNS, controls={"hundredth": {"factor": 0.01}}, cases=40)
def sharper_feature_errors(run: Descent, factor: float = 1.0) -> Measured:
    """|ε_CoF| over the sharper bound."""
    return run.worst("eq35.sharp", right=factor)


EQ_37 = claim(
    "st.eq37",
    at="Equation (37)",
    title="The gradient with respect to one head",
    states=(
        r"\|\nabla_{\varphi_i}f(X; \varphi)\|_2 \le \frac{1}{\sqrt m}\Bigl(\sigma_0 +"
        r" \Bigl(1 + \frac{\rho_c}{\sqrt m}\Bigr)L_{1,m}\Bigr)"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w", "st.lem2"],
    note=_NOTE,
)


@EQ_37.proved(controls={"smaller": {"share": sp.Rational(1, 2)}})
def length_of_both_blocks(share: Any = 1) -> Obligations:
    """|(h, c∇h)| ≤ |h| + |c||∇h| ≤ σ_0 + (1 + ρ_c/√m)L_1."""
    h, slope = sp.symbols("h slope", nonnegative=True)
    yield "pairs", decide_at_least(share * (h + slope) ** 2, h**2 + slope**2).answer


@EQ_37.tested(over=RUNS, controls={"twentieth": {"factor": 0.05}}, cases=30)
def one_head_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """|∇_{φ_i} f| over the bound."""
    return run.worst("eq37", right=factor)


EQ_38 = claim(
    "st.eq38",
    at="Equation (38)",
    title="The gradient with respect to all parameters",
    states=(
        r"\|\nabla_\varphi f(X; \varphi)\|_2 \le A_m(\delta') = \sigma_0 + \Bigl(1 +"
        r" \frac{\rho_c}{\sqrt m}\Bigr)L_{1,m}(\delta')"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_37],
    note=_NOTE,
)


@EQ_38.proved(controls={"without_the_root": {"power": 0}})
def squares_of_m_heads(power: int = 1) -> Obligations:
    """m times the square of (37)."""
    A = sp.Symbol("A", nonnegative=True)
    yield "sum", equal(_M * (A * _M ** (-sp.Rational(power, 2))) ** 2, A**2)


@EQ_38.tested(over=RUNS, controls={"twentieth": {"factor": 0.05}}, cases=30)
def whole_gradients_along_runs(run: Descent, factor: float = 1.0) -> Measured:
    """|∇f| over the bound."""
    return run.worst("eq38", right=factor)


SHARP_38 = EQ_38.sharpened(
    "st.eq38.sharp",
    title="The gradient with respect to all parameters, with squares",
    states=(
        r"\|\nabla_\varphi f(X; \varphi)\|_2 \le \sqrt{\sigma_0^2 + (1 + \rho_c/\sqrt m)^2"
        r"\sigma_1^2\max(1, B_U)^2}"
    ),
    given=GIVEN,
    assuming=(EVENT, "best if σ takes the values σ_0 and slopes σ_1 at one point, in the limit"),
    rests_on=["st.lem1.c", "st.lem1.u", "st.lem1.w", "st.lem2.lipschitz.sharp"],
    note=_NOTE,
)


@SHARP_38.proved(controls={"half": {"share": sp.Rational(1, 2)}})
def squares_of_both_blocks(share: Any = 1) -> Obligations:
    """Σ_i (h_i² + c_i²|∇h_i|²)/m, with |c_i| ≤ 1 + ρ_c/√m: equality for equal heads."""
    zero, slope, c = sp.symbols("sigma_0 slope c", nonnegative=True)
    total = _M * (zero**2 + (c * slope) ** 2) / _M
    yield "equal heads", equal(share * total, zero**2 + c**2 * slope**2)


@SHARP_38.tested(over=RUNS, controls={"tenth": {"factor": 0.1}}, cases=40)
def whole_gradients_over_the_sharp_bound(run: Descent, factor: float = 1.0) -> Measured:
    """|∇f| over the sharper bound."""
    return run.worst("eq38.sharp", right=factor)
