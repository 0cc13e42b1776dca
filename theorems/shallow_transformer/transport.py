"""Section 5.4, (11): the transported parameters, at which the linear model is an empirical mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.networks.transformer import (
    TANH,
    Heads,
    Inputs,
    features,
    linear_model,
    symmetric_initialisation,
)
from symbolic.equality import equal
from theorems.engine import Discrepancy, Obligations, Provenance, claim, integers

_NOTE = "proofs_notes/st_function_space.md#transport"

MEAN = claim(
    "st.eq11.mean",
    at="(11)",
    title="At the transported parameters the linear model is an empirical mean",
    states=(
        r"f_{\mathrm{lin}}(X; \tilde\varphi) = \frac1m\sum_{i=1}^m g_i(X), \quad"
        r" g_i = \phi_c v_c + \langle\phi_u, v_u\rangle + \langle\phi_w, v_w\rangle_F"
        r" \;\text{at}\; \varphi_i^{(0)}"
    ),
    given={"m": integers(2)},
    assuming="m is even; φ_c, φ_u, φ_w are the features of Section 5.4",
    rests_on=["st.lem1", "st.rem5"],
    note=_NOTE,
)


@MEAN.proved(
    controls={
        "sign_in_c": {"power_c": 1},
        "no_sign_in_u": {"power_u": 0},
        "not_symmetric": {"paired": False},
        "scale": {"scale": sp.Rational(1)},
    }
)
def signs_and_scales(
    power_c: int = 0, power_u: int = 1, paired: bool = True, scale: Any = sp.Rational(1, 2)
) -> Obligations:
    """m^(-1/2)(φ_c, c φ_u, c φ_w) times m^(-1/2)(v_c, c v_u, c v_w), with c² = 1; f(·; φ⁽⁰⁾) = 0.

    The derivative in c has no factor c, and so the shift of c has none either.
    """
    half, m = 2, 4
    signs = sp.symbols(f"c1:{half + 1}", real=True)
    heads = [*signs, *(-sign if paired else sign for sign in signs)]
    shared = sp.symbols(f"h1:{half + 1}", real=True) * 2
    root = sp.sqrt(m)
    value, mean = sp.S.Zero, sp.S.Zero
    for i, (sign, h) in enumerate(zip(heads, shared, strict=True)):
        inner_u, inner_w, v_c = sp.symbols(f"u{i} w{i} v{i}", real=True)
        step = sp.Integer(m) ** -scale
        value += sign * h / root  # f at the initialisation
        value += h / root * step * sign**power_c * v_c
        value += sign * inner_u / root * step * sign**power_u
        value += sign * inner_w / root * step * sign
        mean += (h * v_c + inner_u + inner_w) / m
    squares = {sign**2: 1 for sign in signs}
    gap = sp.expand(value - mean).subs(squares)
    yield "empirical mean", bool(sp.expand(gap) == 0)


def _bounded_map(
    rng: np.random.Generator, start: Heads
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values of some v(φ_i) that depend on all of φ_i, the sign of c included."""
    A = rng.standard_normal(start.d)
    wave = np.cos(start.U @ A + start.W[:, 0, 0]) + start.c
    return wave, np.tanh(start.U) * start.c[:, None], np.sin(start.W) + wave[:, None, None]


@MEAN.tested(
    over=st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**6)),
    controls={"sign_in_c": {"power_c": 1}, "no_sign_in_w": {"power_w": 0}},
    cases=60,
)
def linear_models(
    case: tuple[int, int, int, int], power_c: int = 0, power_w: int = 1
) -> Discrepancy:
    """The code's linear model at the transported parameters against the mean of its features."""
    half, d, T, seed = case
    rng = np.random.default_rng(seed)
    start = symmetric_initialisation(2 * half, d, rng)
    X = Inputs(rng.uniform(-1, 1, (3, T, d)), rng.uniform(-1, 1, (3, d)))
    v_c, v_u, v_w = _bounded_map(rng, start)
    root, c = np.sqrt(start.m), start.c
    moved = Heads(
        start.c + c**power_c * v_c / root,
        start.U + c[:, None] * v_u / root,
        start.W + (c**power_w)[:, None, None] * v_w / root,
    )
    phi = features(start, X, TANH)
    g = phi.c * v_c + np.sum(phi.U * v_u, axis=2) + np.sum(phi.W * v_w, axis=(2, 3))
    gap = np.abs(linear_model(start, moved, X, TANH, threads=1) - g.mean(axis=1)).max()
    # Sums of at most 8·(1 + 4 + 16) products of size 10, and differences of parameters.
    return Discrepancy(float(gap), 1e-11)


EQUATION = claim(
    "st.eq11",
    at="(11)",
    title="The transported parameters as a point near the initialisation",
    states=(
        r"\tilde c_i = c_i^{(0)} + \tfrac{v_c}{\sqrt m},\quad"
        r" \tilde U_i = U_i^{(0)} + c_i^{(0)}\tfrac{v_u}{\sqrt m},\quad"
        r" \tilde W_i = W_i^{(0)} + c_i^{(0)}\tfrac{v_w}{\sqrt m} \implies"
        r" \mathbb{E}f_{\mathrm{lin}}(X; \tilde\varphi) = \tilde f(X; v)"
    ),
    given={"m": integers(2)},
    assuming="m is even; for every such m, not in the limit only",
    rests_on=[MEAN],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EQUATION.proved(controls={"half_of_the_heads": {"count": 2}})
def equal_laws(count: int = 4) -> Obligations:
    """All φ_i⁽⁰⁾, i ≤ m, have the same law: the mean of m terms with mean f̃ has the mean f̃."""
    value, m = sp.Symbol("f", real=True), 4
    yield "mean", equal(sp.Rational(count, m) * value, value)
