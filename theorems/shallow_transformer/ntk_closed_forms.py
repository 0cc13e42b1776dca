"""Lemma 4: closed forms of the blocks given W, for the error function and the ReLU."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.networks.transformer import ERF, Heads, features, sample_heads
from numeric.statistics import MeanTest, mean_test
from numeric.transformer_kernel import blocks_given_attention, sampled_blocks
from symbolic.equality import equal
from symbolic.gaussian import bivariate_expectation
from symbolic.notation import t as angle
from symbolic.notation import u1, u2
from theorems.engine import Discrepancy, Obligations, Provenance, claim, integers, interval
from theorems.shallow_transformer.ntk import sequences

_NOTE = "proofs_notes/st_function_space.md#the-tangent-kernel"
_AT = "Lemma 4"

ERF_FORM = claim(
    "st.lem4.erf",
    at=_AT,
    title="The blocks for the error function, given W",
    states=(
        r"\mathbb{E}\,\sigma'(U\cdot a)\sigma'(U\cdot a')\,UU^\top = \frac4\pi"
        r"\frac{S^{-1}}{\sqrt{\det S}}, \quad S = I + 2(aa^\top + a'a'^\top); \quad"
        r" K_w = \langle q_X, q_{X'}\rangle\,\mathbb{E}_W\frac4\pi"
        r"\frac{\operatorname{tr}(MM'S^{-1})}{\sqrt{\det S}}"
    ),
    given={"d": integers(1)},
    assuming="σ = erf, so that σ′(s) = (2/√π) exp(-s²)",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ERF_FORM.proved(controls={"one": {"two": 1}, "minus": {"sign": -1}})
def tilted_gaussian(two: int = 2, sign: int = 1) -> Obligations:
    """|U|²/2 + (U.a)² + (U.a′)² = U.SU/2; det S and S⁻¹ from the Gram matrix of a and a′."""
    U = sp.Matrix(sp.symbols("U1:4", real=True))
    a, b = (sp.Matrix(sp.symbols(f"{name}1:4", real=True)) for name in "ab")
    S = sp.eye(3) + two * (a * a.T + b * b.T)
    exponent = U.dot(U) / 2 + U.dot(a) ** 2 + U.dot(b) ** 2
    yield "exponent", equal(sp.expand(exponent), sp.expand((U.T * S * U)[0, 0] / 2))
    first, second, inner = a.dot(a), b.dot(b), a.dot(b)
    determinant = (1 + 2 * first) * (1 + 2 * second) - 4 * inner**2
    yield "determinant", equal(sp.expand(S.det()), sp.expand(determinant))
    half = sp.Rational(1, 2)
    scale = (half + first) * (half + second) - inner**2
    update = (half + second) * a * a.T + (half + first) * b * b.T
    update -= sign * inner * (a * b.T + b * a.T)
    product = (S * (scale * sp.eye(3) - update)).expand()
    yield "inverse", equal(product, (scale * sp.eye(3)).expand())
    slope = sp.diff(sp.erf(U[0]), U[0])
    yield "σ′", equal(slope, 2 / sp.sqrt(sp.pi) * sp.exp(-(U[0] ** 2)))


@ERF_FORM.estimated(draws=4000, controls={"without_inverse": {"plain": True}})
def features_given_w(
    rng: np.random.Generator, draws: int, plain: bool = False
) -> Iterator[MeanTest]:
    """Products of φ_w over draws of U at one W, against the closed form and against tr MM′."""
    for T, d in ((2, 1), (4, 3)):
        X, W = sequences(rng, 2, T, d), rng.standard_normal((1, d, d))
        heads = sample_heads(draws, d, rng)
        same = Heads(heads.c, heads.U, np.broadcast_to(W, heads.W.shape))
        phi = features(same, X, ERF)
        value = float(sampled_blocks("erf", X, W).w[0, 0, 1])
        yield mean_test(np.sum(phi.W[0] * phi.W[1], axis=(1, 2)), 2 * value if plain else value)


RELU_FORM = claim(
    "st.lem4.relu",
    at=_AT,
    title="The W-block for the ReLU, given W",
    states=(
        r"\mathbb{E}\,\mathbf 1_{U\cdot a > 0}\mathbf 1_{U\cdot a' > 0}UU^\top"
        r" = \frac{\pi - \theta}{2\pi}I + \frac{\sin\theta}{2\pi}(e_+e_+^\top - e_-e_-^\top)"
    ),
    given={"theta": interval(0, sp.pi)},
    assuming=(
        "a, a′ do not vanish, θ is their angle, e± are the unit vectors along a/|a| ± a′/|a′|",
        "the ReLU is not bounded, hence outside the paper's class; its kernel exists all the same",
    ),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RELU_FORM.proved(controls={"cosine": {"wave": sp.cos}, "sum": {"sign": 1}})
def by_polar_coordinates(wave: Any = sp.sin, sign: int = -1) -> Obligations:
    """E 1 1 u_iu_j by the four sectors of the circle; U.a = u_1, U.a′ = u_2 span the plane.

    Orthogonal to it U is independent of both, with covariance I: that part is E 1 1 = (π - θ)/2π.
    """
    a, b = sp.Matrix([1, 0]), sp.Matrix([sp.cos(angle), sp.sin(angle)])
    inside = {angle: sp.Interval.open(0, sp.pi)}
    plus, minus = (a + b) / (2 * sp.cos(angle / 2)), (a - b) / (2 * sp.sin(angle / 2))
    turned = sp.Matrix([[sp.cos(angle), sp.sin(angle)], [sp.sin(angle), -sp.cos(angle)]])
    reflection = plus * plus.T + sign * minus * minus.T
    yield "reflection", equal((reflection - turned).applyfunc(sp.trigsimp), sp.zeros(2), inside)
    share = (sp.pi - angle) / (2 * sp.pi)
    claimed = share * sp.eye(2) + wave(angle) / (2 * sp.pi) * turned
    steps = (1 + sp.sign(u1)) * (1 + sp.sign(u2)) / 4
    for f, left, right in ((u1**2, a, a), (u1 * u2, a, b), (u2**2, b, b)):
        moment = bivariate_expectation(steps * f, u1, u2, sp.cos(angle))
        yield f"E 1 1 {f}", equal(moment, (left.T * claimed * right)[0, 0], inside)
    yield "E 1 1", equal(bivariate_expectation(steps, u1, u2, sp.cos(angle)), share, inside)


@RELU_FORM.tested(
    over=st.tuples(st.floats(0.01, 3.13), st.integers(0, 10**6)),
    controls={"without_the_wave": {"factor": 0.0}},
    cases=60,
)
def wedges_by_quadrature(case: tuple[float, int], factor: float = 1.0) -> Discrepancy:
    """E 1 1 U.N U for d = 2 over the wedge of angle π - θ, by Gauss's rule, and by the code."""
    theta, seed = case
    N = np.random.default_rng(seed).uniform(-1, 1, (2, 2))
    nodes, weights = np.polynomial.legendre.leggauss(24)
    middle, radius = theta / 2, (np.pi - theta) / 2
    ray = np.stack([np.cos(middle + radius * nodes), np.sin(middle + radius * nodes)])
    # E r² = 2 for the radius, the angle is uniform.
    wanted = 2 * radius / (2 * np.pi) * (weights @ np.einsum("kn,kl,ln->n", ray, N, ray))
    a, b = np.array([1.0, 0.0]), np.array([np.cos(theta), np.sin(theta)])
    found = float(blocks_given_attention("relu", a, b, N, np.eye(2), 1.0).w)
    plain = np.trace(N) * (np.pi - theta) / (2 * np.pi)
    # Smooth integrands of size 2 on an interval of length π: 24 nodes leave rounding only.
    return Discrepancy(float(plain + factor * (found - plain) - wanted), 1e-13)
