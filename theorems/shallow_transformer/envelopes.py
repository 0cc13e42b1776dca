"""Lemma 6: uniform bounds of the model near the initialisation and of the target."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.attention_smoothness import largest_displacement
from numeric.networks.transformer import SINE, TANH, Heads, Inputs, predict
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, claim, integers
from theorems.engine.domain import Domain, half_line

_NOTE = "proofs_notes/st_function_space.md#envelopes"
_AT = "Lemma 6"
_GIVEN: dict[str, Domain] = {
    "m": integers(2),
    **{name: half_line(0, closed=False) for name in ("rho_c", "rho_u", "rho_w")},
}
_CLASS: dict[str, Domain] = {
    "d": integers(1),
    **{name: half_line(0, closed=False) for name in ("nu_c", "nu_u", "nu_w")},
}
_X = sp.Symbol("x", positive=True)

EQUALITY = claim(
    "st.lem6.equality",
    at="Lemma 6, proof",
    title="The absolute value of the model as a sum of absolute values",
    states=(
        r"|f(X; \varphi)| = \frac1{\sqrt m}\sum_{i=1}^m|c_i^{(0)}(h(X; \theta_i) -"
        r" h(X; \theta_i^{(0)}))| + \frac1{\sqrt m}\sum_{i=1}^m|\delta c_i\,h(X; \theta_i)|"
    ),
    given=_GIVEN,
    note=_NOTE,
)


@EQUALITY.refuted(controls={"opposite_moves": {"second": -1}})
def paired_heads_moved_alike(second: int = 1) -> Obligations:
    """σ = sin, T = d = 1, X = 1: both heads move from U = 0 to π/6, and f stays 0."""
    start, end = sp.S.Zero, sp.pi / 6
    moves = [sp.sin(end) - sp.sin(start), second * (sp.sin(end) - sp.sin(start))]
    f = (moves[0] - moves[1]) / sp.sqrt(2)
    total = (abs(moves[0]) + abs(moves[1])) / sp.sqrt(2)
    yield "the two sides differ", equal(abs(f), total) is False


TRIANGLE = EQUALITY.corrected(
    "st.lem6.equality.corrected",
    title="The absolute value of the model is at most the sum of absolute values",
    states=(
        r"|f(X; \varphi)| \le \frac1{\sqrt m}\sum_{i=1}^m|h(X; \theta_i) -"
        r" h(X; \theta_i^{(0)})| + \frac1{\sqrt m}\sum_{i=1}^m|\delta c_i\,h(X; \theta_i)|"
    ),
    given=_GIVEN,
    note=_NOTE,
)


@TRIANGLE.proved(controls={"unpaired": {"flip": 1}, "other_point": {"at_start": True}})
def split_the_product(flip: int = -1, at_start: bool = False) -> Obligations:
    """c h - c₀h₀ = c₀(h - h₀) + δc h, and Σ c₀h₀ = 0; then the triangle inequality, |c₀| = 1."""
    half = 2
    signs = sp.symbols(f"c1:{half + 1}", real=True)
    base = sp.symbols(f"g1:{half + 1}", real=True)
    h, move = sp.symbols("h1:5", real=True), sp.symbols("e1:5", real=True)
    c0, h0 = [*signs, *(flip * one for one in signs)], [*base, *base]
    f = sum((c + e) * value for c, e, value in zip(c0, move, h, strict=True))
    factor = h0 if at_start else h
    parts = sum(
        c * (value - old) + e * other
        for c, e, value, old, other in zip(c0, move, h, h0, factor, strict=True)
    )
    yield "two parts", bool(sp.expand(f - parts) == 0)


MODEL = claim(
    "st.lem6.f",
    at=_AT,
    title="Envelope of the model",
    states=(
        r"\sup_{X \in \mathcal{X}}|f(X; \varphi)| \le L_{1,m}(\delta')\sqrt{\rho_u^2 + \rho_w^2}"
        r" + \sigma_0\rho_c, \quad \varphi \in \Omega_\rho"
    ),
    given=_GIVEN,
    assuming=("on the event E_U(δ')", "h is L_1-Lipschitz on the convex set Ω_ρ: Lemma 2"),
    rests_on=[TRIANGLE, "st.def2", "st.eq9", "st.lem1", "st.fact3"],
    note=_NOTE,
)


@MODEL.proved(controls={"not_scaled": {"power": sp.S.Zero}, "one_part": {"both": 0}})
def sum_over_the_heads(power: Any = sp.Rational(1, 2), both: int = 1) -> Obligations:
    """m terms of at most L₁√(ρ_u² + ρ_w²)/√m and σ₀ρ_c/√m, over √m; no Cauchy-Schwarz needed.

    |∇h|² ≤ σ₁²(|a|² + |MU|²|q|²) ≤ σ₁²(1 + B²), so that L₁ = σ₁√(1 + B²) will do.
    """
    m, L, r, s0, c = sp.symbols("m L r sigma_0 rho_c", positive=True)
    total = m * (L * r + both * s0 * c) * m**-power / sp.sqrt(m)
    yield "sum", equal(total, L * r + s0 * c)
    x, B = sp.symbols("x B", positive=True)
    y = x / (1 + x)
    yield "gradient", nonnegative(sp.together(1 + B**2 - y**2 - (1 - y**2) ** 2 * B**2))


SHARP = MODEL.sharpened(
    "st.lem6.f.sharp",
    title="Envelope of the model, block by block",
    states=(
        r"\sup_{X}|f(X; \varphi)| \le \sigma_1\max_{0 \le x \le 1}\bigl(\rho_ux"
        r" + (1-x^2)B_{U,m}\rho_w\bigr) + \sigma_0\rho_c, \quad \max = B\rho_w"
        r" + \tfrac{\rho_u^2}{4B\rho_w} \;\text{or}\; \rho_u"
    ),
    given=_GIVEN,
    assuming=(
        "on the event E_U(δ'); the second value if ρ_u ≥ 2Bρ_w",
        "best as m → ∞ among bounds by σ₀, σ₁, ρ and the largest norm: two tokens ±e along U",
    ),
    rests_on=[TRIANGLE, "st.def2", "st.eq9", "st.lem1", "st.fact3.sharp"],
    note=_NOTE,
)


@SHARP.proved(controls={"without_the_square": {"power": 1}, "eighth": {"four": 8}})
def blocks_of_the_gradient(power: int = 2, four: int = 4) -> Obligations:
    """|dh| ≤ σ₁(|a||dU| + tr M|U||dW|), tr M ≤ 1 - |a|²; the maximum over x = |a|.

    It is at most B√(ρ_u² + ρ_w²) as B ≥ 1, less than printed.
    """
    B, u, w = sp.symbols("B rho_u rho_w", positive=True)
    value = u * _X + (1 - _X**power) * B * w
    peak = B * w + u**2 / (four * B * w)
    square = B * w * (_X - u / (2 * B * w)) ** 2
    yield "a parabola", equal(sp.expand(peak - value), sp.expand(square))
    more, y = sp.symbols("more y", nonnegative=True)
    beyond = (u - value).subs(u, 2 * B * w + more).subs(_X, 1 / (1 + y))
    yield "largest at x = 1 if ρ_u ≥ 2Bρ_w", nonnegative(sp.together(beyond))
    at = (1 - _X**2) * B
    cauchy = (u**2 + w**2) * (_X**2 + at**2) - (u * _X + w * at) ** 2
    yield "Cauchy-Schwarz", equal(sp.expand(cauchy), sp.expand((u * at - w * _X) ** 2))
    bound = sp.expand((1 + more) ** 2 * (1 - _X**2) ** 2 + _X**2).subs(_X, 1 / (1 + y))
    yield "x² + (1 - x²)²B² ≤ B²", nonnegative(sp.together((1 + more) ** 2 - bound))


@SHARP.proved(controls={"other_mass": {"shift": 1}}, part="attained")
def two_opposite_tokens(shift: int = 0) -> Obligations:
    """Weights (1 ± x)/2 at ±e: |a| = x, M = (1 - x²)eeᵀ, so U = Be gives U.M dW q = (1 - x²)B|dW|.

    Each head then moves by (ρ_u, ρ_w)/√m in the direction of its sign, with σ' = σ₁ and σ = ±σ₀
    nearly: f = σ₁(ρ_u x + (1 - x²)Bρ_w) + σ₀ρ_c up to O(m^(-1/2)).
    """
    weights = [(1 + _X) / 2, (1 - _X) / 2]
    mean = weights[0] - weights[1]
    yield "mean", equal(mean, _X)
    yield "variance", equal(sp.expand(sum(weights) - mean**2), 1 - _X**2 - shift * _X)


@st.composite
def _moved(
    draw: st.DrawFn,
) -> tuple[Heads, Heads, Inputs, tuple[float, float, float]]:
    """A symmetric initialisation of two heads and a point of the boundary of Ω_ρ, d ≤ 2."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    d, T = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    rho = draw(st.tuples(st.floats(0, 0.5), st.floats(0, 0.5), st.floats(0, 0.5)))
    U = np.tile(draw(st.floats(0.1, 4)) * rng.standard_normal(d), (2, 1))
    W = np.tile(draw(st.floats(0, 1)) * rng.standard_normal((d, d)), (2, 1, 1))
    start = Heads([1.0, -1.0], U, W)
    tokens = rng.standard_normal((4, T, d))
    tokens /= np.maximum(1e-9, np.linalg.norm(tokens, axis=2, keepdims=True))
    queries = rng.standard_normal((4, d))
    X = Inputs(tokens, queries / np.linalg.norm(queries, axis=1, keepdims=True))
    e = tokens[0, 0]
    step = np.array([1.0, -1.0]) / np.sqrt(2) * draw(st.sampled_from([-1, 1]))
    end = Heads(
        start.c + rho[0] * np.ones(2) / np.sqrt(2) * draw(st.sampled_from([-1, 1])),
        U + rho[1] * step[:, None] * e,
        W + rho[2] * step[:, None, None] * np.outer(e, X.queries[0]),
    )
    return start, end, X, rho


@SHARP.tested(over=_moved, controls={"a_half": {"factor": 0.5}})
def outputs_over_the_bound(case: Any, factor: float = 1.0) -> Measured:
    """Outputs at such points over the bound with the largest norm in place of the radius."""
    start, end, X, rho = case
    B = float(np.linalg.norm(start.U, axis=1).max() + rho[1] / np.sqrt(2))
    step = float(largest_displacement(rho[1], B * rho[2]))
    ratios = [0.0]
    for sigma in (TANH, SINE):
        bound = sigma.bounds[1] * step + sigma.bounds[0] * rho[0]
        if bound > 1e-3:
            values = np.abs(predict(end, X, sigma, threads=1))
            ratios.append(float(values.max() / (factor * bound)))
    return Measured(max(ratios), 1e-11)


TARGET = claim(
    "st.lem6.y",
    at=_AT,
    title="Envelope of the target",
    states=(
        r"\sup_{X \in \mathcal{X}}|\tilde f(X; v)| \le \sigma_0\bar\nu_c + \sigma_1\bar\nu_u"
        r" + \sigma_1\sqrt d\,\bar\nu_w"
    ),
    given=_CLASS,
    rests_on=["st.lem5.bounded", "st.fact3", "st.fact4.mean"],
    note=_NOTE,
)


@TARGET.proved(controls={"without_the_root": {"root": 0}})
def three_parts(root: int = 1) -> Obligations:
    """E|MU||q| ≤ E|U| ≤ √d, as ‖M‖ ≤ tr M ≤ 1; for d = 1 and d = 4 the mean norm exactly."""
    top, rest = sp.symbols("s r", nonnegative=True)
    yield "‖M‖ ≤ tr M", nonnegative(top + rest - top)
    for d in (2, 4, 9):
        mean = sp.sqrt(2) * sp.gamma(sp.Rational(d + 1, 2)) / sp.gamma(sp.Rational(d, 2))
        yield f"E|U| ≤ √d, d = {d}", bool(mean <= sp.sqrt(d) ** root)


TARGET_SHARP = TARGET.sharpened(
    "st.lem6.y.sharp",
    title="Envelope of the target, free of the dimension",
    states=(
        r"\sup_{X}|\tilde f(X; v)| \le \sigma_0\bar\nu_c + \sigma_1\max_{0 \le x \le 1}\Bigl("
        r"x\bar\nu_u + (1-x^2)\sqrt{\tfrac2\pi}\,\bar\nu_w\Bigr)"
        r" \le \sigma_0\bar\nu_c + \sigma_1\bar\nu_u + \sigma_1\sqrt{\tfrac2\pi}\,\bar\nu_w"
    ),
    given=_CLASS,
    assuming="best given |a| = x: M of rank one; in the network the law of W keeps M away from it",
    rests_on=["st.lem5.bounded", "st.fact3.sharp"],
    note=_NOTE,
)


@TARGET_SHARP.proved(controls={"second_moment": {"power": 2}, "less": {"two": 1}})
def triangle_over_eigenvectors(power: int = 1, two: int = 2) -> Obligations:
    """|MU| ≤ Σ μ_i|⟨e_i, U⟩|, with mean tr M E|G| = tr M √(2/π), and tr M ≤ 1 - |a|²."""
    g = sp.Symbol("g", positive=True)
    mean = sp.integrate(2 * g**power * sp.exp(-(g**2) / 2), (g, 0, sp.oo)) / sp.sqrt(2 * sp.pi)
    yield "E|G|", equal(mean, sp.sqrt(two / sp.pi))
    mu, y = sp.symbols("mu1:4", nonnegative=True), sp.symbols("y1:4", nonnegative=True)
    linear = sum(m * v for m, v in zip(mu, y, strict=True))
    square = sum((m * v) ** 2 for m, v in zip(mu, y, strict=True))
    yield "triangle", nonnegative(sp.expand(linear**2 - square))
    u, w, z = sp.symbols("u w z", positive=True)
    x = z / (1 + z)
    yield "at most the sum", nonnegative(sp.together(u + w - x * u - (1 - x**2) * w))


@TARGET_SHARP.tested(
    over=st.lists(st.floats(0, 1), min_size=2, max_size=2).filter(lambda s: sum(s) > 1e-3),
    controls={"a_per_cent_less": {"factor": 0.99}, "frobenius": {"order": 2}},
)
def means_in_the_plane(case: list[float], factor: float = 1.0, order: int = 1) -> Measured:
    """E|MU| for d = 2, by the trapezoidal rule in the angle, over √(2/π) tr M."""
    angles = 2 * np.pi * np.arange(4096) / 4096
    first, second = case
    lengths = np.hypot(first * np.cos(angles), second * np.sin(angles))
    size = np.linalg.norm(case, order)
    # E|U| = √(π/2); at eigenvalue 0 the integrand has a kink: (2π/4096)² and less.
    mean = np.sqrt(np.pi / 2) * lengths.mean()
    return Measured(float(mean / (factor * np.sqrt(2 / np.pi) * size)), 1e-5)
