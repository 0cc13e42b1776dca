"""Equation (18) and Lemma 2: how curved a head can be.

The best bound g(u) of the Hessian of z is attained by one scalar head: z = u tanh w.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from numeric.attention_smoothness import (
    curvature,
    hessian_norm,
    printed_curvature,
    printed_steepness,
    smoothness_constant,
)
from numeric.networks.transformer import TANH
from numeric.softmax_jacobian import covariance_derivative
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, claim
from theorems.shallow_transformer.deviations import DEVIATIONS
from theorems.shallow_transformer.heads import HEADS, ONE_HEAD, ROUNDING, WORDS, SampledHead
from theorems.shallow_transformer.lipschitz import (
    EQ_17,
    EQ_17_SHARP,
    EVENT,
    LIPSCHITZ,
    LIPSCHITZ_SHARP,
)
from theorems.shallow_transformer.block_matrices import MATRIX, MATRIX_SHARP
from theorems.shallow_transformer.smoothness import BLOCKS, EQ_16, SECOND

__all__ = ["EQ_18", "EQ_18_SHARP", "LEMMA_2", "SMOOTH", "SMOOTH_SHARP"]

_NOTE = "proofs_notes/st_smoothness.md#the-hessian"
_SMALLER = {"factor": sp.Rational(99, 100)}
_U, _X, _W = sp.symbols("u x w", positive=True)

EQ_18 = claim(
    "st.eq18",
    at="Equation (18)",
    title="The Hessian of a head",
    states=(
        r"\|\nabla_\theta^2z\| \le \sqrt{2\|\nabla_{U,W}^2z\|^2 + \|\nabla_W^2z\|^2}"
        r" \le \sqrt{2 + 64|U|^2} \le 8\sqrt{1 + |U|^2}"
    ),
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=[BLOCKS, MATRIX],
    note=_NOTE,
)


@EQ_18.proved(controls={"seven": {"eight": 7}, "without_one": {"one": 0}})
def put_together(eight: int = 8, one: int = 1) -> Obligations:
    """Blocks of norms at most 1 and 8u."""
    u, coupling, corner = sp.symbols("u b c", nonnegative=True)
    box = {coupling: sp.Interval(0, 1), corner: sp.Interval(0, 8)}
    inner = 2 + 64 * u**2
    yield "second step", nonnegative(inner - (2 * coupling**2 + (corner * u) ** 2), box)
    yield "third step", nonnegative(eight**2 * (one + u**2) - inner)


@EQ_18.tested(over=HEADS, controls={"tenth": {"factor": 0.1}})
def hessians_over_printed(head: SampledHead, factor: float = 1.0) -> Measured:
    """‖∇²z‖ over 8√(1 + u²)."""
    return Measured(_norm(head) / (factor * printed_curvature(head.u)), ROUNDING)


def _norm(head: SampledHead) -> float:
    length = min(1.0, float(np.linalg.norm(head.query)))
    return float(hessian_norm(head.logits, head.tokens, head.U, length))


EQ_18_SHARP = EQ_18.sharpened(
    "st.eq18.sharp",
    title="The largest Hessian of a head",
    states=(
        r"\max\|\nabla_\theta^2z\| = g(u) := \max_{0 \le x \le 1}(1 - x^2)"
        r"\bigl(ux + \sqrt{1 + u^2x^2}\bigr) = \frac{2(1 + u^2)}{1 + 2u^2 + R}"
        r"\sqrt{1 + \frac{2u^2(u^2 + R)}{1 + 2u^2 + R}}, \quad R = \sqrt{1 + u^2 + u^4}"
    ),
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=[SECOND, DEVIATIONS, MATRIX_SHARP],
    note=_NOTE,
)


@EQ_18_SHARP.proved(controls={"smaller": _SMALLER, "without_the_mean": {"shift": 0}}, part="bound")
def mean_of_a_product(factor: Any = 1, shift: int = 1) -> Obligations:
    """D²z = E⟨2Sδ + (S² − V)U, X⟩ ≤ 2|δ|E|S| + uE|S² − V| for S = ⟨Δq, X − a⟩.

    It holds as S and S² − V have mean 0, and |X| ≤ 1. With |Δq| ≤ ‖Δ‖ =: r and st.lem2.deviations
    this is at most max_x (1 − x²)(2|δ|r + 2uxr²), a quadratic form in |δ| and r with the matrix
    (1 − x²)(0, 1; 1, 2ux), of norm (1 − x²)n for n = ux + √(1 + u²x²).
    """
    A, S, V, mean = sp.symbols("A S V a", real=True)
    yield "centred", equal((A - shift * mean) * (S**2 - V) + mean * (S**2 - V), A * (S**2 - V))
    root = sp.sqrt(1 + _U**2 * _X**2)
    corner = 2 * _U * _X
    norm = (corner + sp.sqrt(corner**2 + 4)) / 2
    yield "norm of the matrix", equal(norm, factor * (_U * _X + root))


@EQ_18_SHARP.proved(
    controls={"other_root": {"power": 1}, "other_sign": {"sign": -1}}, part="closed form"
)
def stationary_mean(power: int = 2, sign: int = 1) -> Obligations:
    """With ux = (w − 1/w)/2 the value is (1 − x²)w =: f(w), concave in w ≥ 1; f′ = 0 is quadratic.

    Its root is w² = 1 + 2u²(u² + R)/(1 + 2u² + R), and then 1 − x² = 2(1 + u²)/(1 + 2u² + R).
    """
    x = (_W - 1 / _W) / (2 * _U)
    yield "value", equal(_U * x + (_W + 1 / _W) / 2, _W)
    yield "root", equal(1 + (_U * x) ** 2, ((_W + 1 / _W) / 2) ** 2)
    f = (1 - x**2) * _W
    slope = sp.expand(4 * _U**2 * _W**2 * f.diff(_W))
    yield "slope", equal(slope, 1 + (2 + 4 * _U**2) * _W**2 - 3 * _W**4)
    yield "concave", nonnegative(-f.diff(_W, 2), {_W: sp.Interval(1, sp.oo)})
    R = sp.Symbol("R", positive=True)
    total = 1 + 2 * _U**2 + sign * R
    square = 1 + 2 * _U**power * (_U**2 + R) / total
    room = 2 * (1 + _U**2) / total
    yield "w", _modulo(slope.subs(_W, sp.sqrt(square)), R)
    # 4u²w²(1 − x²) = 4u²w² − (w² − 1)².
    yield "1 − x²", _modulo(4 * _U**2 * square * (1 - room) - (square - 1) ** 2, R)


def _modulo(expression: sp.Expr, R: sp.Symbol) -> bool | None:
    """Whether an expression vanishes for R² = 1 + u² + u⁴."""
    numerator = sp.expand(sp.numer(sp.together(expression)))
    return equal(sp.rem(numerator, R**2 - (1 + _U**2 + _U**4), R), sp.Integer(0))


@EQ_18_SHARP.proved(controls={"smaller": _SMALLER}, part="attained")
def scalar_head(factor: Any = 1) -> Obligations:
    """z = u tanh w with tanh w = −x: tokens 1 and −1, q = 1. Its Hessian has the norm (1 − x²)n."""
    u, w, n = sp.symbols("u w n", positive=True)
    z = u * sp.tanh(w)
    tanh = sp.tanh(w)
    entries = [z.diff(u, 2), z.diff(u, w), z.diff(w, 2)]
    coupling, corner = 1 - _X**2, 2 * u * _X * (1 - _X**2)
    for entry, stated in zip(entries, (sp.S.Zero, coupling, corner), strict=True):
        yield "entry", equal(sp.expand(entry).subs(tanh, -_X), sp.expand(stated))
    # n² = 2uxn + 1 for n = ux + √(1 + u²x²).
    value = factor * coupling * n
    determinant = value**2 - corner * value - coupling**2
    yield "eigenvalue", equal(determinant.subs(u, (n - 1 / n) / (2 * _X)), sp.Integer(0))


@EQ_18_SHARP.tested(over=HEADS, controls={"smaller": {"factor": 0.99}}, part="bound")
def hessians_over_the_largest(head: SampledHead, factor: float = 1.0) -> Measured:
    """‖∇²z‖ over g(u)."""
    return Measured(_norm(head) / (factor * curvature(head.u)), ROUNDING)


SMOOTH = claim(
    "st.lem2.smooth",
    at="Lemma 2, (b)",
    title="Heads are smooth",
    states=(
        r"\|\nabla_{\theta_i}^2h(X;\theta_i)\| \le L_{2,m}(\delta')"
        r" = \sigma_2(1 + B^2) + 8\sigma_1\sqrt{1 + B^2}"
    ),
    assuming=EVENT,
    rests_on=[EQ_16, EQ_17, EQ_18],
    note=_NOTE,
)


@SMOOTH.proved(controls={"smaller": _SMALLER, "half": {"second": sp.Rational(1, 2)}})
def both_terms(factor: Any = 1, second: Any = 1) -> Obligations:
    """σ_2|∇z|² + σ_1‖∇²z‖, with |U| ≤ B; root stands for √(1 + B²)."""
    s1, s2, u, more, root, less = sp.symbols("s_1 s_2 u e r l", nonnegative=True)
    bound = factor * (second * s2 * (1 + (u + more) ** 2) + 8 * s1 * (root + less))
    yield "sum", nonnegative(bound - s2 * (1 + u**2) - 8 * s1 * root)


@SMOOTH.tested(over=HEADS, controls={"tenth": {"factor": 0.1}})
def heads_over_printed(head: SampledHead, factor: float = 1.0) -> Measured:
    """‖∇²h‖ for σ = tanh over the printed bound at B = u."""
    s1, s2 = TANH.bounds[1:]
    bound = s2 * printed_steepness(head.u) ** 2 + s1 * printed_curvature(head.u)
    return Measured(_norm_behind_tanh(head) / (factor * bound), ROUNDING)


def _norm_behind_tanh(head: SampledHead) -> float:
    """‖σ″∇z∇zᵀ + σ′∇²z‖ for σ = tanh, on the vectors (δ, Δq/|q|)."""
    length, M = float(np.linalg.norm(head.query)), head.covariance
    corner = length**2 * covariance_derivative(head.logits, head.tokens, head.U)
    hessian = np.block([[np.zeros_like(M), length * M], [length * M, corner]])
    slope = np.concatenate([head.mean, length * (M @ head.U)])
    z = np.asarray(head.U @ head.mean)
    whole = TANH.second(z) * np.outer(slope, slope) + TANH.first(z) * hessian
    return float(np.linalg.norm(whole, 2))


SMOOTH_SHARP = SMOOTH.sharpened(
    "st.lem2.smooth.sharp",
    title="Heads are smoother",
    states=(
        r"\|\nabla_{\theta_i}^2h(X;\theta_i)\| \le \sigma_2B^2 + \sigma_1g(B)"
        r" \le \sigma_2B^2 + \sigma_1\bigl(1 + \tfrac{4}{3\sqrt3}B\bigr)"
    ),
    assuming=(*EVENT, "each term is best, at heads of its own; the sum need not be"),
    rests_on=[EQ_16, EQ_17_SHARP, EQ_18_SHARP, LIPSCHITZ_SHARP],
    note=_NOTE,
)


@SMOOTH_SHARP.proved(controls={"smaller": _SMALLER})
def both_best_terms(factor: Any = 1) -> Obligations:
    """|∇z| ≤ max(1, u) ≤ B, as B ≥ 1; and g increases, as ux + √(1 + u²x²) does in u."""
    s1, s2, u, more, root = sp.symbols("s_1 s_2 u e r", nonnegative=True)
    gap = factor * (u + more) ** 2 - u**2
    yield "u² ≤ B²", nonnegative(s2 * gap)
    yield "ux ≤ Bx", nonnegative(s1 * (factor * (u + more) - u) * root)


@SMOOTH_SHARP.proved(controls={"smaller": _SMALLER}, part="simple bound")
def linear_in_the_radius(factor: Any = 1) -> Obligations:
    """√(1 + y²) ≤ 1 + y: g ≤ max (1 − x²)(1 + 2ux) ≤ 1 + u max 2x(1 − x²)."""
    y = sp.Symbol("y", nonnegative=True)
    yield "root", nonnegative(factor * (1 + y) ** 2 - (1 + y**2))
    largest = 4 / (3 * sp.sqrt(3))
    x = sp.Symbol("x", nonnegative=True)
    gap = 2 * (x - 1 / sp.sqrt(3)) ** 2 * (x + 2 / sp.sqrt(3))
    yield "2x(1 − x²)", equal(factor * largest - 2 * x * (1 - x**2), gap)


@SMOOTH_SHARP.tested(over=HEADS, controls={"half": {"factor": 0.4}})
def heads_over_the_sum(head: SampledHead, factor: float = 1.0) -> Measured:
    """‖∇²h‖ for σ = tanh over the bound at B = max(1, u)."""
    bound = smoothness_constant(head.u, *TANH.bounds[1:])
    return Measured(_norm_behind_tanh(head) / (factor * bound), ROUNDING)


LEMMA_2 = claim(
    "st.lem2",
    at="Lemma 2",
    title="Heads are Lipschitz and smooth near the initialisation",
    states=(
        r"|h(X;\theta_i) - h(X;\theta_i')| \le L_{1,m}(\delta')|\theta_i - \theta_i'|, \quad"
        r" |\nabla h(X;\theta_i) - \nabla h(X;\theta_i')| \le L_{2,m}(\delta')"
        r"|\theta_i - \theta_i'|"
    ),
    assuming=EVENT,
    rests_on=[LIPSCHITZ, SMOOTH],
    note=_NOTE,
)


@LEMMA_2.proved(controls={"larger_ball": {"radius": sp.Rational(101, 100)}})
def along_the_segment(radius: Any = 1) -> Obligations:
    """The segment from θ to θ′ stays where |U| ≤ B, and the mean value inequality applies."""
    B, t, first, second = sp.symbols("B t r s", nonnegative=True)
    unit = sp.Interval(0, 1)
    gap = B - radius * B * ((1 - t) * first + t * second)
    yield "segment", nonnegative(gap, {t: unit, first: unit, second: unit})
