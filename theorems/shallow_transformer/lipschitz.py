"""Lemma 2, part (a): the gradient of a head, and how steep it can be at most.

|a| and ‖M‖ cannot both be large, as ‖M‖ ≤ 1 − |a|² (st.fact3.sharp).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from numeric.attention_smoothness import printed_steepness, steepness
from numeric.networks.transformer import TANH
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from symbolic.softmax_jacobian import softmax
from theorems.engine import Measured, Obligations, claim
from theorems.shallow_transformer.heads import HEADS, ONE_HEAD, ROUNDING, WORDS, SampledHead

__all__ = ["EQ_17", "EQ_17_SHARP", "EVENT", "LIPSCHITZ", "LIPSCHITZ_SHARP"]

_NOTE = "proofs_notes/st_smoothness.md#the-gradient"
#: The hypotheses on the parameters, in words.
EVENT = (
    "on E_{U,m}(δ′), for θ_i in Ω_ρ, so that |U_i| ≤ B with B = B_{U,m}(δ′)",
    "|X_t| ≤ 1, |q_X| ≤ 1; |σ′| ≤ σ_1, |σ″| ≤ σ_2",
)
_S, _U = sp.symbols("s u", nonnegative=True)  # |a|² and |U|
_UNIT, _LINE = sp.Interval(0, 1), sp.Interval(0, sp.oo)
_HUNDREDTH_LESS = {"factor": sp.Rational(99, 100)}

EQ_17 = claim(
    "st.eq17",
    at="Equation (17)",
    title="The gradient of a head",
    states=(r"|\nabla_\theta z|^2 = |a|^2 + |MU|^2|q|^2 \le 1 + |U|^2"),
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=["st.lem1.u", "st.lem1.w", "st.fact3.sharp"],
    note=_NOTE,
)


def _largest_square() -> sp.Expr:
    """|a|² + (1 − |a|²)²u², a bound of |a|² + |MU|²|q|², in s = |a|²."""
    return _S + (1 - _S) ** 2 * _U**2


@EQ_17.proved(controls={"one": {"one": sp.Rational(99, 100)}, "square": _HUNDREDTH_LESS})
def one_and_u_square(one: Any = 1, factor: Any = 1) -> Obligations:
    """1 + u² less the largest square is (1 − s) + u²s(2 − s)."""
    gap = one + factor * _U**2 - _largest_square()
    yield "gap", nonnegative(gap, {_S: _UNIT, _U: _LINE})


@EQ_17.tested(over=HEADS, controls={"smaller": {"factor": 0.7}})
def gradients_of_heads(head: SampledHead, factor: float = 1.0) -> Measured:
    """|∇z| over the bound."""
    norm = float(np.hypot(*head.gradient_norms()))
    return Measured(norm / (factor * printed_steepness(head.u)), ROUNDING)


EQ_17_SHARP = EQ_17.sharpened(
    "st.eq17.sharp",
    title="The largest gradient of a head",
    states=r"\max|\nabla_\theta z| = \max(1, u)",
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=["st.lem1.u", "st.lem1.w", "st.fact3.sharp"],
    note=_NOTE,
)


@EQ_17_SHARP.proved(controls={"smaller": _HUNDREDTH_LESS}, part="bound")
def the_ends(factor: Any = 1) -> Obligations:
    """The largest square is convex in s: 1 at s = 1, u² at s = 0."""
    box = {_S: _UNIT, _U: _UNIT}
    yield "u ≤ 1", nonnegative(factor - _largest_square(), box)
    above = {_S: _UNIT, _U: sp.Interval(1, sp.oo)}
    yield "u ≥ 1", nonnegative(factor * _U**2 - _largest_square(), above)


@EQ_17_SHARP.proved(controls={"less_u": {"slope": 0}, "other_mean": {"logit": 1}}, part="attained")
def both_ends(slope: int = 1, logit: int = 0) -> Obligations:
    """Tokens 1 and −1 with equal weights, U = u, q = 1; and all tokens equal."""
    w, u = sp.symbols("w u", real=True)
    weights = softmax([w, -w])
    z = u * (weights[0] - weights[1])
    at = {w: logit}
    square = z.diff(u).subs(at) ** 2 + z.diff(w).subs(at) ** 2
    yield "u, for two tokens", equal(square, slope * u**2)
    alone = u * softmax([w])[0]
    yield "1, for one token", equal(alone.diff(u) ** 2 + alone.diff(w) ** 2, sp.Integer(1))


@EQ_17_SHARP.tested(over=HEADS, controls={"smaller": {"factor": 0.99}}, part="bound")
def gradients_over_the_largest(head: SampledHead, factor: float = 1.0) -> Measured:
    """|∇z| over max(1, u)."""
    norm = float(np.hypot(*head.gradient_norms()))
    return Measured(norm / (factor * steepness(head.u)), ROUNDING)


LIPSCHITZ = claim(
    "st.lem2.lipschitz",
    at="Lemma 2, (a)",
    title="Heads are Lipschitz",
    states=(
        r"|h(X;\theta_i) - h(X;\theta_i')| \le L_{1,m}(\delta')|\theta_i - \theta_i'|,"
        r" \quad L_{1,m}(\delta') = \sigma_1\sqrt{1 + B^2}"
    ),
    assuming=EVENT,
    rests_on=[EQ_17],
    note=_NOTE,
)


@LIPSCHITZ.proved(controls={"without_one": {"one": 0}, "smaller": _HUNDREDTH_LESS})
def norm_of_the_gradient(one: int = 1, factor: Any = 1) -> Obligations:
    """|∇h| = |σ′(z)||∇z| ≤ σ_1 √(1 + B²) on the segment, which lies in the convex set."""
    slope, more, extra = sp.symbols("p r e", nonnegative=True)  # σ_1 = p + r, B = u + e
    bound = factor * (slope + more) ** 2 * (one + (_U + extra) ** 2)
    yield "square of the bound", nonnegative(bound - slope**2 * (1 + _U**2))


@LIPSCHITZ.tested(over=HEADS, controls={"half": {"factor": 0.5}})
def slopes_of_heads(head: SampledHead, factor: float = 1.0) -> Measured:
    """|∇h| for σ = tanh over √(1 + u²)."""
    return Measured(_slope(head) / (factor * printed_steepness(head.u)), ROUNDING)


def _slope(head: SampledHead) -> float:
    """|∇h| for σ = tanh, whose σ_1 is 1."""
    turn = abs(float(TANH.first(np.asarray(head.U @ head.mean))))
    return turn * float(np.hypot(*head.gradient_norms()))


LIPSCHITZ_SHARP = LIPSCHITZ.sharpened(
    "st.lem2.lipschitz.sharp",
    title="The best Lipschitz constant of heads with |U| ≤ B",
    states=(
        r"|h(X;\theta_i) - h(X;\theta_i')| \le \sigma_1 B|\theta_i - \theta_i'|,"
        r" \quad B \ge \sqrt d \ge 1"
    ),
    assuming=(*EVENT, "best for σ with |σ′(0)| = σ_1, as tanh"),
    rests_on=[EQ_17_SHARP],
    note=_NOTE,
)


@LIPSCHITZ_SHARP.proved(controls={"smaller": _HUNDREDTH_LESS}, part="bound")
def one_is_at_most_the_radius(factor: Any = 1) -> Obligations:
    """max(1, |U|) ≤ B, since |U| ≤ B and B = √d + … ≥ 1."""
    more, extra = sp.symbols("d e", nonnegative=True)  # d = 1 + more, B = |U| + extra
    yield "1 ≤ √d", nonnegative(factor**2 * (1 + more) - 1)
    yield "|U| ≤ B", nonnegative(factor * (_U + extra) - _U)


@LIPSCHITZ_SHARP.proved(
    controls={"half": {"factor": sp.Rational(1, 2)}, "other_mean": {"logit": 1}}, part="attained"
)
def slope_of_two_tokens(factor: Any = 1, logit: int = 0) -> Obligations:
    """σ = tanh, tokens 1 and −1, U = B, W = 0, q = 1: ∂h/∂W = B."""
    w, u, B = sp.symbols("w u B", positive=True)
    weights = softmax([w, -w])
    h = sp.tanh(u * (weights[0] - weights[1]))
    yield "slope", equal(h.diff(w).subs({w: logit, u: B}), factor * B)


@LIPSCHITZ_SHARP.tested(over=HEADS, controls={"smaller": {"factor": 0.99}}, part="bound")
def slopes_over_the_best(head: SampledHead, factor: float = 1.0) -> Measured:
    """|∇h| for σ = tanh over max(1, u)."""
    return Measured(_slope(head) / (factor * steepness(head.u)), ROUNDING)
