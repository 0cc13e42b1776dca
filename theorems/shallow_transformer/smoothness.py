"""Lemma 2, part (b): the Hessian of a head and its blocks, and matrices with a vanishing block."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.attention_smoothness import block_norm
from numeric.softmax_jacobian import covariance_derivative
from symbolic.equality import equal
from symbolic.moments import expected
from symbolic.networks.head_on_a_line import HeadOnALine
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, claim, half_line
from theorems.shallow_transformer.deviations import DEVIATIONS
from theorems.shallow_transformer.heads import HEADS, ONE_HEAD, ROUNDING, WORDS, SampledHead
from theorems.shallow_transformer.third_cumulant import COVARIANCE

__all__ = ["BLOCKS", "CORNER_SHARP", "EQ_16", "MATRIX", "MATRIX_SHARP", "SECOND"]

_NOTE = "proofs_notes/st_smoothness.md#the-hessian"
_SMALLER = {"factor": sp.Rational(99, 100)}
_U = sp.Symbol("u", nonnegative=True)
_VALUES = (
    r"A_t = \langle U, X_t\rangle, \quad A_t' = \langle\delta, X_t\rangle, \quad"
    r" s_t = X_t\cdot\Delta q"
)

EQ_16 = claim(
    "st.eq16",
    at="Equation (16)",
    title="The Hessian of a head behind the activation",
    states=(
        r"\nabla^2h = \sigma''(z)\nabla z\nabla z^\top + \sigma'(z)\nabla^2z, \quad"
        r" \|\nabla^2h\| \le \sigma_2|\nabla z|^2 + \sigma_1\|\nabla^2z\|"
    ),
    given=ONE_HEAD,
    assuming="|σ′| ≤ σ_1, |σ″| ≤ σ_2",
    note=_NOTE,
)


@EQ_16.proved(controls={"not_squared": {"power": 1}, "half": {"share": sp.Rational(1, 2)}})
def chain_rule(power: int = 2, share: Any = 1) -> Obligations:
    """Along a line, with a formal activation; and the triangle inequality."""
    t, z0, z1, z2 = sp.symbols("t z_0 z_1 z_2", real=True)
    sigma = sp.Function("sigma")
    z = z0 + z1 * t + z2 * t**2 / 2
    second = sigma(z).diff(t, 2).doit().subs(t, 0).doit()
    x = sp.Symbol("x", real=True)
    first, curved = (sigma(x).diff(x, k).subs(x, z0).doit() for k in (1, 2))
    yield "second derivative", equal(second, curved * z1**power + share * first * z2)
    a, b, p, q, r, s = sp.symbols("a b p q r s", nonnegative=True)
    bound = (a + p) * q**power + share * (b + r) * s
    yield "norm", nonnegative(bound - (a * q**2 + b * s))


SECOND = claim(
    "st.lem2.second",
    at="Lemma 2, proof",
    title="The Hessian of a head is made of cumulants of the tokens",
    states=(
        r"D^2z[(\delta, \Delta)^2] = 2\operatorname{Cov}(A', s) + \kappa(A, s, s)"
        r" = 2\langle\delta, M\Delta q\rangle + \langle U, DM[\Delta]\Delta q\rangle, \quad "
        + _VALUES
    ),
    given=ONE_HEAD,
    assuming=(*WORDS, "Cov and the third cumulant κ under the weights α"),
    note=_NOTE,
)


def _cumulants(A: Any, B: Any, s: Any, mean: Any, factor: int, kurtic: int) -> sp.Expr:
    """2 Cov(A′, s) + E(A − EA)(s − Es)², for a function ``mean`` of products."""
    pair = mean(B, s) - mean(B) * mean(s)
    third = mean(A, s, s) - 2 * mean(A, s) * mean(s) - mean(A) * mean(s, s)
    return factor * pair + third + kurtic * mean(A) * mean(s) ** 2


@SECOND.proved(controls={"once": {"factor": 1}, "cumulant": {"kurtic": 1}}, part="any tokens")
def twice_along_a_line(factor: int = 2, kurtic: int = 2) -> Obligations:
    """d/dt E f_t = E f_t′ + E f_t s − E f_t E s for every function f_t of the tokens, twice."""
    A, B, s = variables = sp.symbols("A B s", real=True)

    def mean(*factors: sp.Expr) -> sp.Expr:
        return expected(sp.prod(factors), variables)

    def change(f: sp.Expr, moved: sp.Expr) -> sp.Expr:
        return mean(moved) + mean(f, s) - mean(f) * mean(s)

    zero = sp.S.Zero
    second = (
        change(B, zero) + change(A * s, B * s) - change(A, B) * mean(s) - mean(A) * change(s, zero)
    )
    yield "second derivative", equal(second, _cumulants(A, B, s, mean, factor, kurtic))


@SECOND.proved(controls={"once": {"factor": 1}, "cumulant": {"kurtic": 1}}, part="three tokens")
def differentiated_softmax(factor: int = 2, kurtic: int = 2) -> Obligations:
    """SymPy differentiates the head with three tokens."""
    head = HeadOnALine(3)
    stated = _cumulants(head.A, head.moved, head.s, head.mean, factor, kurtic)
    yield "second derivative", equal(head.derivative(2), sp.expand(stated))


BLOCKS = claim(
    "st.lem2.blocks",
    at="Lemma 2, proof",
    title="The blocks of the Hessian",
    states=(
        r"\nabla_U^2z = 0, \quad \|\nabla^2_{U,W}z\| \le \|M\|_F|q| \le 1, \quad"
        r" \|\nabla_W^2z\| \le 8|U|"
    ),
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=[SECOND, "st.fact3.sharp", COVARIANCE],
    note=_NOTE,
)


@BLOCKS.proved(controls={"smaller": _SMALLER})
def from_the_parts(factor: Any = 1) -> Obligations:
    """‖M‖_F ≤ tr M ≤ 1, as eigenvalues are not negative, and |⟨U, DM[Δ]Δq⟩| ≤ |U| · 8‖Δ‖ · ‖Δ‖."""
    values = sp.symbols("l1:4", nonnegative=True)
    yield "‖M‖_F ≤ tr M", nonnegative(factor * sum(values) ** 2 - sum(v**2 for v in values))
    size, length = sp.symbols("n q", nonnegative=True)
    unit = sp.Interval(0, 1)
    yield "coupling", nonnegative(factor - size * length, {size: unit, length: unit})
    corner = 8 * factor * _U - size * _U * length**2
    yield "corner", nonnegative(corner, {size: sp.Interval(0, 8), length: unit})


def _corner(head: SampledHead) -> float:
    """The norm of the W-W block."""
    third = covariance_derivative(head.logits, head.tokens, head.U)
    return float(np.linalg.norm(third, 2) * (head.query @ head.query))


CORNER_SHARP = BLOCKS.sharpened(
    "st.lem2.blocks.sharp",
    title="The largest norms of the blocks",
    states=r"\max\|\nabla^2_{U,W}z\| = 1, \quad \max\|\nabla_W^2z\| = \tfrac{4}{3\sqrt3}u",
    given=ONE_HEAD,
    assuming=WORDS,
    rests_on=[SECOND, "st.fact3.sharp", DEVIATIONS],
    note=_NOTE,
)


@CORNER_SHARP.proved(controls={"smaller": _SMALLER}, part="bound")
def deviation_of_the_square(factor: Any = 1) -> Obligations:
    """|κ(A, s, s)| = |⟨U, E(S² − V)X⟩| ≤ u|Δq|²E|Ŝ² − V̂| ≤ u K(0, 1); Ŝ for Δq of length 1.

    K(0, 1) = max (1 − x²)2x = 4/(3√3). A symmetric form is largest on the diagonal.
    """
    x = sp.Symbol("x", nonnegative=True)
    value = 2 * x * (1 - x**2)
    yield "at 1/√3", equal(factor * value.subs(x, 1 / sp.sqrt(3)), 4 / (3 * sp.sqrt(3)))
    yield "maximum", equal(4 / (3 * sp.sqrt(3)) - value, _double_root(x))


def _double_root(x: sp.Symbol) -> sp.Expr:
    return 2 * (x - 1 / sp.sqrt(3)) ** 2 * (x + 2 / sp.sqrt(3))


def _scalar_head() -> tuple[sp.Symbol, sp.Symbol, sp.Expr]:
    """z = u tanh w: tokens 1 and −1, W = w, q = 1."""
    u, w = sp.symbols("u w", real=True)
    return u, w, u * sp.tanh(w)


@CORNER_SHARP.proved(controls={"smaller": _SMALLER}, part="attained")
def blocks_of_a_scalar_head(factor: Any = 1) -> Obligations:
    """z = u tanh w at w = 0, and at tanh w = 1/√3."""
    u, w, z = _scalar_head()
    yield "coupling", equal(z.diff(u, w).subs(w, 0), sp.sympify(factor))
    at = sp.atanh(1 / sp.sqrt(3))
    corner = sp.simplify(z.diff(w, 2).subs(w, at).rewrite(sp.exp))
    yield "corner", equal(sp.simplify(corner), -factor * 4 * u / (3 * sp.sqrt(3)))


@CORNER_SHARP.tested(over=HEADS, controls={"smaller": {"factor": 0.99}}, part="bound")
def corners_of_heads(head: SampledHead, factor: float = 1.0) -> Measured:
    """‖∇_W² z‖ over 4u/(3√3)."""
    bound = factor * 4 / (3 * np.sqrt(3)) * head.u
    return Measured(_corner(head) / bound if bound > 0 else 0.0, ROUNDING)


MATRIX = claim(
    "st.lem2.matrix",
    at="Equation (18)",
    title="The norm of a symmetric matrix with one vanishing block",
    states=(
        r"\left\|\begin{pmatrix} 0 & B^\top \\ B & C \end{pmatrix}\right\|"
        r" \le \sqrt{2b^2 + c^2}, \quad b = \|B\|,\ c = \|C\|"
    ),
    given={"b": half_line(0), "c": half_line(0)},
    note=_NOTE,
)


@MATRIX.proved(controls={"smaller": _SMALLER, "one_b": {"twice": 1}})
def two_rows(factor: Any = 1, twice: int = 2) -> Obligations:
    """b²|y|² + (b|x| + c|y|)² ≤ 2b² + c² for |x|² + |y|² = 1: the gap is a square and more."""
    b, c, x, y = sp.symbols("b c x y", nonnegative=True)
    bound = factor * (twice * b**2 + c**2)
    gap = bound * (x**2 + y**2) - (b**2 * y**2 + (b * x + c * y) ** 2)
    yield (
        "gap",
        equal(sp.expand(gap), sp.expand((b * y) ** 2 * 0 + (c * x - b * y) ** 2 + b**2 * x**2)),
    )


MATRIX_SHARP = MATRIX.sharpened(
    "st.lem2.matrix.sharp",
    title="The largest norm of a symmetric matrix with one vanishing block",
    states=(
        r"\max\left\|\begin{pmatrix} 0 & B^\top \\ B & C \end{pmatrix}\right\|"
        r" = \tfrac12\bigl(c + \sqrt{c^2 + 4b^2}\bigr)"
    ),
    given={"b": half_line(0), "c": half_line(0)},
    note=_NOTE,
)


@MATRIX_SHARP.proved(controls={"smaller": _SMALLER, "sign": {"sign": -1}}, part="bound")
def quadratic_form(factor: Any = 1, sign: int = 1) -> Obligations:
    """|2⟨x, By⟩ + ⟨y, Cy⟩| ≤ 2b|x||y| + c|y|², whose matrix has the norm n, n² = cn + b²."""
    b, n, x, y = sp.symbols("b n x y", positive=True)
    c = n - b**2 / n
    gap = factor * n * (x**2 + y**2) - (2 * b * x * y + sign * c * y**2)
    yield "gap", equal(gap, n * (x - b * y / n) ** 2)


@MATRIX_SHARP.proved(controls={"smaller": _SMALLER}, part="attained")
def two_by_two(factor: Any = 1) -> Obligations:
    """Scalars b and c; and the bound is below √(2b² + c²)."""
    b, c = sp.symbols("b c", positive=True)
    values = sp.Matrix([[0, b], [b, c]]).eigenvals()
    norm = (c + sp.sqrt(c**2 + 4 * b**2)) / 2
    yield "eigenvalue", any(equal(one, factor * norm) is True for one in values)
    # With R = √(c² + 4b²): 2(2b² + c² − norm²) = 2b² + c² − cR, and (c² + 2b²)² − c²R² = 4b⁴.
    square = (c**2 + 2 * b**2) ** 2 - c**2 * (c**2 + 4 * b**2)
    yield "below the printed bound", equal(square, factor * 4 * b**4)


@st.composite
def _matrices(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    B, C = rng.standard_normal((rows, columns)), rng.standard_normal((rows, rows))
    if draw(st.booleans()):  # aligned with one another: the extremal case
        B, C = np.outer(np.eye(rows)[0], np.eye(columns)[0]), np.outer(*[np.eye(rows)[0]] * 2)
    return draw(st.floats(0, 5)) * B, draw(st.floats(0, 5)) * (C + C.T)


@MATRIX_SHARP.tested(over=_matrices(), controls={"smaller": {"factor": 0.99}}, part="bound")
def sampled_matrices(case: Any, factor: float = 1.0) -> Measured:
    """The norm over the bound."""
    B, C = case
    bound = block_norm(np.linalg.norm(B, 2), np.linalg.norm(C, 2))
    whole = np.block([[np.zeros((B.shape[1],) * 2), B.T], [B, C]])
    norm = float(np.linalg.norm(whole, 2))
    return Measured(norm / (factor * bound) if bound > 1e-9 else 0.0, ROUNDING)
