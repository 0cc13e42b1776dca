"""Definition 3, Equation (19) and Lemma 3: the linear model and how far it is from the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.attention_smoothness import (
    linearisation_constant,
    printed_curvature,
    printed_steepness,
)
from numeric.networks.transformer import (
    TANH,
    Heads,
    Inputs,
    linear_model,
    predict,
    symmetric_initialisation,
)
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers
from theorems.engine.domain import Domain
from theorems.shallow_transformer.boundary import AIMS, aimed
from theorems.shallow_transformer.deviations import DEVIATIONS
from theorems.shallow_transformer.lipschitz import EVENT
from theorems.shallow_transformer.smoothness import EQ_16, SECOND

__all__ = ["AVERAGED", "BLOCKWISE", "DEFINITION", "EQ_19", "GIVEN", "HALVED", "LEMMA_3", "PAIRED"]

_NOTE = "proofs_notes/st_smoothness.md#the-linearisation-error"
GIVEN: dict[str, Domain] = {
    "m": integers(2),
    **{name: half_line(0) for name in ("rho_c", "rho_u", "rho_w")},
}
_SMALLER = {"factor": sp.Rational(99, 100)}


@dataclass(frozen=True)
class Step:
    """A point of Ω_ρ, its centre φ⁽⁰⁾, the radii ρ, and inputs; σ = tanh."""

    initial: Heads
    moved: Heads
    rho: tuple[float, float, float]
    inputs: Inputs

    @property
    def radius(self) -> float:
        """B, the largest |U| that Ω_ρ allows."""
        largest = float(self.initial.block_norms()[1].max())
        return largest + self.rho[1] / float(np.sqrt(self.initial.m))

    def error(self, derivative: float = 1.0) -> float:
        """sup_j |f − f_lin|, the linear part multiplied by ``derivative``."""
        f = predict(self.moved, self.inputs, TANH, threads=1)
        linear = linear_model(self.initial, self.moved, self.inputs, TANH, threads=1)
        return float(np.abs(f - derivative * linear).max())

    def over(self, constant: float) -> Measured:
        """√m sup_j|f − f_lin| over a constant."""
        m = self.initial.m
        # f and f_lin are sums of m terms of size 1 + ρ/√m, good to a few dozen units in the last
        # place, over √m; constants are not below 1e-6 here.
        rounding = 1e-14 * m * (1 + max(self.rho)) / constant
        return Measured(float(np.sqrt(m)) * self.error() / constant, rounding)


@st.composite
def steps(draw: st.DrawFn) -> Step:
    """Random and aimed points of the boundary of Ω_ρ, and points inside."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    m, d, T = draw(st.sampled_from([2, 4, 16])), draw(st.integers(1, 3)), draw(st.integers(1, 4))
    n = draw(st.integers(1, 3))
    initial = symmetric_initialisation(m, d, rng)
    tokens = rng.standard_normal((n, T, d))
    tokens /= np.maximum(1, np.linalg.norm(tokens, axis=2, keepdims=True))
    scale = draw(st.sampled_from([0.01, 0.3, 1.0, 3.0]))
    c, u, w = (scale * draw(st.sampled_from([0.0, 0.5, 1.0])) for _ in range(3))
    rho = (c, u, w) if u + w > 0 else (c, scale, scale)
    inputs = Inputs(tokens, tokens[:, -1])
    move = aimed(draw(st.sampled_from(AIMS)), initial, inputs, TANH, rho, rng)
    share = draw(st.sampled_from([1.0, 1.0, 0.5]))
    return Step(initial, initial + share * move, rho, inputs)


DEFINITION = claim(
    "st.def3",
    at="Definition 3",
    title="The linear model",
    states=(
        r"f_{\mathrm{lin}}(X;\varphi) = f(X;\varphi^{(0)}) + \langle\nabla_\varphi"
        r" f(X;\varphi^{(0)}), \varphi - \varphi^{(0)}\rangle"
        r" = \langle\nabla_\varphi f(X;\varphi^{(0)}), \varphi - \varphi^{(0)}\rangle"
    ),
    given=GIVEN,
    assuming="symmetric initialisation, m even",
    note=_NOTE,
)


@DEFINITION.proved(controls={"same_sign": {"sign": 1}}, part="second form")
def pairs_cancel(sign: int = -1) -> Obligations:
    """f(X; φ⁽⁰⁾) = m^(−1/2) Σ over pairs of (c − c)h = 0."""
    c, h = sp.symbols("c h", real=True)
    yield "pair", equal(c * h + sign * c * h, sp.Integer(0))


@DEFINITION.proved(controls={"without_c": {"outer": 0}, "twice": {"inner": 2}}, part="derivative")
def derivative_of_a_head(outer: int = 1, inner: int = 1) -> Obligations:
    """d/dt (c + tδc)h(θ + tδθ) = δc h + c⟨∇h, δθ⟩ at t = 0, for each head."""
    t, c, move, slope, start = sp.symbols("t c delta h_1 h_0", real=True)
    rest = sp.Function("r")(t)
    h = start + slope * t + t**2 * rest
    derivative = ((c + t * move) * h).diff(t).subs(t, 0).doit()
    yield "derivative", equal(derivative, outer * move * start + inner * c * slope)


EQ_19 = claim(
    "st.eq19",
    at="Equation (19)",
    title="The linearisation error head by head",
    states=(
        r"f - f_{\mathrm{lin}} = \frac{1}{\sqrt m}\sum_{i=1}^m\Bigl[\delta c_i(h_i - h_i^{(0)})"
        r" + c_i^{(0)}\bigl(h_i - h_i^{(0)} - \langle\nabla h_i^{(0)}, \delta\theta_i\rangle"
        r"\bigr)\Bigr]"
    ),
    given=GIVEN,
    assuming="for every initialisation: f(X; φ⁽⁰⁾) = 0, which the paper uses, is not needed",
    rests_on=[DEFINITION],
    note=_NOTE,
)


@EQ_19.proved(controls={"new_c": {"moved": 1}, "old_h": {"value": 0}})
def one_head(moved: int = 0, value: int = 1) -> Obligations:
    """(c + δc)h − [ch₀ + h₀δc + cl] = δc(h − h₀) + c(h − h₀ − l), for l = ⟨∇h₀, δθ⟩."""
    c, move, h, start, slope = sp.symbols("c delta h h_0 l", real=True)
    left = (c + move) * h - (c * start + start * move + c * slope)
    change = value * h + (1 - value) * start - start
    yield "head", equal(left, move * change + (c + moved * move) * (h - start - slope))


PAIRED = claim(
    "st.lem3.paired",
    at="Equation (19)",
    title="Moving paired heads alike leaves the first sum only",
    states=(
        r"\delta\theta_{i+m/2} = \delta\theta_i \implies f - f_{\mathrm{lin}} = \frac{1}{\sqrt m}"
        r"\sum_{i=1}^m\delta c_i(h_i - h_i^{(0)})"
    ),
    given=GIVEN,
    assuming="symmetric initialisation: c⁽⁰⁾ of paired heads differ in sign, θ⁽⁰⁾ do not",
    rests_on=[EQ_19],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PAIRED.proved(controls={"same_sign": {"sign": 1}, "moved_apart": {"apart": 1}})
def remainders_cancel(sign: int = -1, apart: int = 0) -> Obligations:
    """c r + (−c) r = 0 for the remainders r of the two heads, equal as their θ are."""
    c, r, other = sp.symbols("c r R", real=True)
    second = r + apart * other
    yield "pair", equal(c * r + sign * c * second, sp.Integer(0))


LEMMA_3 = claim(
    "st.lem3",
    at="Lemma 3",
    title="The linearisation error on Ω_ρ",
    states=(
        r"\sup_{j\in[n]}|f(X^{(j)};\varphi) - f_{\mathrm{lin}}(X^{(j)};\varphi)| \le"
        r" \frac{1}{\sqrt m}\bigl(L_{1,m}(\delta')\rho_c r + L_{2,m}(\delta')r^2\bigr), \quad"
        r" r^2 = \rho_w^2 + \rho_u^2"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_19, "st.lem2"],
    note=_NOTE,
)
_M, _C, _R, _L1, _L2 = sp.symbols("m rho_c r L_1 L_2", positive=True)


def _sum_over_heads(half: Any, heads: Any = 1) -> sp.Expr:
    """m heads with |δc| ≤ ρ_c/√m, |δθ| ≤ r/√m, |c⁽⁰⁾| = 1 and Taylor's remainder."""
    root = sp.sqrt(_M)
    one = _C / root * _L1 * _R / root + half * _L2 * (_R / root) ** 2
    return _M**heads / root * one


@LEMMA_3.proved(
    controls={
        "faster": {"power": 1},
        "a_third": {"second": sp.Rational(1, 3)},
        "without_c": {"first": 0},
    }
)
def sum_of_remainders(
    power: Any = sp.Rational(1, 2), first: int = 1, second: Any = 1
) -> Obligations:
    """|h − h₀| ≤ L_1|δθ| and |h − h₀ − ⟨∇h₀, δθ⟩| ≤ L_2|δθ|²/2 in each head."""
    bound = (first * _L1 * _C * _R + second * _L2 * _R**2) * _M ** (sp.Rational(1, 2) - power)
    total = sp.expand(_sum_over_heads(sp.Rational(1, 2)) * sp.sqrt(_M))
    yield "sum", nonnegative(sp.expand(bound).subs(sp.sqrt(_M), _M) - total)


def _printed(step: Step) -> float:
    """The printed bound times √m, at the B of the step."""
    _, s1, s2 = TANH.bounds
    B, r = step.radius, float(np.hypot(*step.rho[1:]))
    L1 = s1 * printed_steepness(B)
    L2 = s2 * printed_steepness(B) ** 2 + s1 * printed_curvature(B)
    return float(L1 * step.rho[0] * r + L2 * r**2)


@LEMMA_3.tested(over=steps, controls={"hundredth": {"factor": 0.01}}, cases=150)
def steps_over_printed(step: Step, factor: float = 1.0) -> Measured:
    """√m sup_j|f − f_lin| over the printed constant, for σ = tanh."""
    return step.over(factor * _printed(step))


HALVED = LEMMA_3.sharpened(
    "st.lem3.halved",
    title="What the proof of Lemma 3 gives",
    states=(
        r"\sup_{j\in[n]}|f - f_{\mathrm{lin}}| \le \frac{1}{\sqrt m}\bigl(L_{1,m}(\delta')\rho_c r"
        r" + \tfrac12L_{2,m}(\delta')r^2\bigr)"
    ),
    given=GIVEN,
    assuming=EVENT,
    rests_on=[EQ_19, "st.lem2"],
    note=_NOTE,
)


@HALVED.proved(controls={"a_third": {"share": sp.Rational(1, 3)}, "one_more_head": {"heads": 2}})
def one_half(share: Any = sp.Rational(1, 2), heads: int = 1) -> Obligations:
    """The same sum, with the ½ of Taylor's remainder kept."""
    stated = (_L1 * _C * _R + share * _L2 * _R**2) / sp.sqrt(_M)
    yield "sum", equal(_sum_over_heads(sp.Rational(1, 2), heads), stated)


BLOCKWISE = HALVED.sharpened(
    "st.lem3.sharp",
    title="The linearisation error with the best constants, block by block",
    states=(
        r"\sup_{j\in[n]}|f - f_{\mathrm{lin}}| \le \frac{1}{\sqrt m}\Bigl(\sigma_1\rho_c\ell +"
        r" \tfrac12\sigma_2\ell^2 + \tfrac12\sigma_1K(2\rho_u\rho_w, B\rho_w^2)\Bigr), \quad"
        r" \ell = \max_{0 \le x \le 1}\bigl(\rho_ux + (1 - x^2)B\rho_w\bigr)"
    ),
    given=GIVEN,
    assuming=(*EVENT, "K(A, B) = max (1 − x²)(A + 2Bx) over 0 ≤ x ≤ 1"),
    rests_on=[EQ_19, "st.lem1.da", "st.fact3.sharp", EQ_16, SECOND, DEVIATIONS],
    note=_NOTE,
)


@BLOCKWISE.proved(controls={"once": {"twice": 1}, "power": {"square": 1}}, part="bound")
def along_the_way(twice: int = 2, square: int = 2) -> Obligations:
    """|Dz| ≤ |a|ρ_u + (1 − |a|²)Bρ_w over √m, and |D²z| ≤ 2ρ_uρ_wE|S| + Bρ_w²E|S² − V| over m.

    So |h − h₀| ≤ σ_1ℓ/√m, and Taylor's remainder is at most half of (σ_2ℓ² + σ_1K)/m.
    """
    u, w, B, ell, K, s1, s2 = sp.symbols("rho_u rho_w B l K s_1 s_2", positive=True)
    root = sp.sqrt(_M)
    spread, square_spread = sp.symbols("E_1 E_2", positive=True)
    step_u, step_w = u / root, w / root
    curved = twice * step_u * step_w * spread + B * step_w**square * square_spread
    stated = (2 * u * w * spread + B * w**2 * square_spread) / _M
    yield "second derivative", equal(curved, stated)
    head = _C / root * s1 * ell / root + (s2 * (ell / root) ** 2 + s1 * K / _M) / 2
    total = (s1 * _C * ell + s2 * ell**2 / 2 + s1 * K / 2) / root
    yield "sum over heads", equal(_M / root * head, total)


@BLOCKWISE.proved(controls={"smaller": _SMALLER}, part="below the printed bound")
def cauchy_schwarz(factor: Any = 1) -> Obligations:
    """ℓ ≤ r max(1, B) ≤ r√(1 + B²), and K ≤ g(B)r² ≤ 8√(1 + B²)r²: both terms are smaller.

    For (ρ_ux + (1 − x²)Bρ_w)² ≤ r²(x² + (1 − x²)²B²), and 2ρ_uρ_w + 2xBρ_w² ≤ r²n with
    n = xB + √(1 + x²B²), the norm of (0, 1; 1, 2xB).
    """
    u, w, p, q, n = sp.symbols("rho_u rho_w p q n", positive=True)
    gap = factor * (u**2 + w**2) * (p**2 + q**2) - (u * p + w * q) ** 2
    yield "ℓ", equal(gap, (u * q - w * p) ** 2)
    form = factor * n * (u**2 + w**2) - (2 * u * w + (n - 1 / n) * w**2)
    yield "K", equal(form, n * (u - w / n) ** 2)
    # n ≤ 2√(1 + x²B²), as (xB)² is at most the square of that root.
    B = sp.Symbol("B", nonnegative=True)
    yield "g", nonnegative(8**2 * (1 + B**2) - 2**2 * (1 + B**2))


@BLOCKWISE.tested(over=steps, controls={"fifth": {"factor": 0.2}}, cases=300, part="bound")
def steps_over_sharp(step: Step, factor: float = 1.0) -> Measured:
    """√m sup_j|f − f_lin| over the constant, for σ = tanh."""
    return step.over(factor * linearisation_constant(*step.rho, step.radius, *TANH.bounds[1:]))


AVERAGED = BLOCKWISE.sharpened(
    "st.lem3.averaged",
    title="The linearisation error without the event: no logarithm of the width",
    states=(
        r"\sup_{j\in[n]}|f - f_{\mathrm{lin}}| \le \frac{1}{\sqrt m}\cdot\frac1m\sum_{i=1}^m"
        r"C(B_i), \quad \mathbb{E}\,C(B_i) \le \sigma_1\rho_c\lambda + \tfrac12\sigma_2"
        r"\lambda^2 + \sigma_1\rho_w\bigl(\rho_u + \tfrac{2}{3\sqrt3}b\rho_w\bigr)"
    ),
    given={**GIVEN, "d": integers(1)},
    assuming=(
        "B_i = |U_i⁽⁰⁾| + ρ_u/√m, and C(B) the constant of st.lem3.sharp",
        "b = √d + ρ_u/√m, λ = ρ_u + bρ_w; |X_t| ≤ 1, |q_X| ≤ 1",
    ),
    rests_on=[BLOCKWISE],
    note=_NOTE,
)


@AVERAGED.proved(controls={"largest": {"heads": 2}}, part="every initialisation")
def each_head_has_its_own_radius(heads: int = 1) -> Obligations:
    """A head moves by at most C(B_i)/m, over √m; the event only replaced B_i by the largest."""
    first, second = sp.symbols("C_1 C_2", positive=True)
    total = (first / _M + second / _M) / sp.sqrt(_M)
    mean = (first + second) / (heads * _M)
    yield "two heads", equal(total, mean / sp.sqrt(_M))


@AVERAGED.proved(controls={"smaller": _SMALLER, "third": {"corner": 3}}, part="mean")
def moments_of_the_radius(factor: Any = 1, corner: int = 2) -> Obligations:
    """C(B) is at most a quadratic in B with coefficients ≥ 0, and E B ≤ b, E B² ≤ b².

    ℓ ≤ ρ_u + Bρ_w and K(A, B) ≤ A + 4B/(3√3), as x ≤ 1 and 2x(1 − x²) ≤ 4/(3√3).
    """
    mean, gap, shift = sp.symbols("E g t", nonnegative=True)  # E|U|, √d = E|U| + g, ρ_u/√m
    square = (mean + gap) ** 2  # d = E|U|²
    b = mean + gap + shift
    yield "E B ≤ b", nonnegative(factor * b - (mean + shift))
    yield "E B² ≤ b²", nonnegative(factor * b**2 - (square + 2 * mean * shift + shift**2))
    u, w, B, s1, s2 = sp.symbols("rho_u rho_w B s_1 s_2", nonnegative=True)
    largest = 4 / (3 * sp.sqrt(3))
    quadratic = s1 * _C * (u + B * w) + s2 * (u + B * w) ** 2 / 2
    quadratic += s1 * (2 * u * w + largest * B * w**2) / 2
    lam = u + B * w
    stated = s1 * _C * lam + s2 * lam**2 / 2 + s1 * w * (u + largest / corner * B * w)
    yield "the bound", equal(factor * quadratic, stated)


@AVERAGED.tested(
    over=steps, controls={"fifth": {"factor": 0.2}}, cases=150, part="every initialisation"
)
def steps_over_the_average(step: Step, factor: float = 1.0) -> Measured:
    """√m sup_j|f − f_lin| over the mean of C(B_i), for σ = tanh."""
    B = step.initial.block_norms()[1] + step.rho[1] / np.sqrt(step.initial.m)
    constants = np.asarray(linearisation_constant(*step.rho, B, *TANH.bounds[1:]))
    return step.over(factor * float(constants.mean()))


@DEFINITION.tested(over=steps, controls={"half_more": {"derivative": 1.5}}, part="derivative")
def error_is_quadratic(step: Step, derivative: float = 1.0) -> Measured:
    """For ρ a thousand times smaller the error stays below its bound, of second order."""
    c, u, w = (radius / 1000 for radius in step.rho)
    small = (c, u, w)
    move = 0.001 * (step.moved - step.initial)
    near = Step(step.initial, step.initial + move, small, step.inputs)
    m = near.initial.m
    constant = linearisation_constant(*small, near.radius, *TANH.bounds[1:])
    rounding = 1e-14 * m / constant
    return Measured(float(np.sqrt(m)) * near.error(derivative) / constant, rounding)
