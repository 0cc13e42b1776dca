"""Lipschitz functions of Gaussian vectors, and maxima of Gaussian families."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import log_ndtr, ndtr

from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, reals

_NOTE = "proofs_notes/eoc_concentration.md#gaussian-maxima"
_LAMBDA, _L, _S = sp.symbols("lambda L s", positive=True)

LIPSCHITZ = claim(
    "classical.gaussian_lipschitz",
    at="Gaussian concentration",
    title="Exponential moments of Lipschitz functions of Gaussian vectors",
    states=(
        r"|F(x) - F(y)| \le L|x - y| \implies"
        r" \log\mathbb{E}e^{\lambda(F(g) - \mathbb{E}F(g))} \le \tfrac12\lambda^2L^2"
    ),
    given={"lambda_": reals(), "L": half_line(0)},
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@LIPSCHITZ.proved(controls={"half": {"factor": sp.Rational(1, 2)}, "unmixed": {"power": 0}})
def covariance_along_a_rotation(factor: Any = 1, power: int = 1) -> Obligations:
    """Cov(f, h) = ∫₀¹ E⟨∇f(g), ∇h(tg + √(1-t²)g')⟩ dt; take f = F, h = e^(λF), |∇F| ≤ L.

    Both sides are bilinear, so that exponentials of ⟨a, g⟩ and ⟨b, g⟩ decide.  Then
    (log E e^(λ(F - EF)))' = Cov(F, e^(λF))/E e^(λF) ≤ λL².
    """
    first, second, inner, t = sp.symbols("A B p t", real=True)  # |a|², |b|², ⟨a, b⟩
    both = first + second
    covariance = sp.exp(both / 2 + inner) - sp.exp(both / 2)
    # E exp(⟨a, g⟩ + ⟨b, tg + √(1-t²)g'⟩): the exponent has variance |a + tb|² + (1 - t²)|b|².
    along = first + 2 * t**power * inner + t**2 * second
    mixed = inner * sp.exp(sp.expand(along + (1 - t**2) * second) / 2)
    antiderivative = sp.exp(both / 2 + inner * t)
    yield "its derivative in t", equal(sp.diff(antiderivative, t), factor * mixed)
    ends = antiderivative.subs(t, 1) - antiderivative.subs(t, 0)
    yield "covariance", equal(ends, covariance)
    bound = _LAMBDA**2 * _L**2 / 2
    yield "integrated bound", equal(sp.diff(bound, _LAMBDA), factor * _LAMBDA * _L**2)


@LIPSCHITZ.tested(
    over=st.tuples(st.booleans(), st.floats(-5, 5), st.floats(0.1, 4), st.booleans()),
    controls={"one_per_cent_less": {"factor": 0.99}},
)
def functions_with_a_kink(case: tuple[bool, float, float, bool], factor: float = 1.0) -> Measured:
    """max(g, c) and |g - c|, with L = 1: the exact logarithm over λ²/2."""
    folded, c, size, negative = case
    lam = -size if negative else size
    density = np.exp(-c * c / 2) / np.sqrt(2 * np.pi)
    if folded:
        mean = c * (2 * ndtr(c) - 1) + 2 * density
        left, right = lam * c + log_ndtr(lam + c), -lam * c + log_ndtr(lam - c)
        logarithm = lam**2 / 2 + np.logaddexp(left, right)
    else:
        mean = c * ndtr(c) + density
        logarithm = np.logaddexp(lam * c + log_ndtr(c), lam**2 / 2 + log_ndtr(lam - c))
    # Ten terms of size at most 20 + λ², each good to a few units in the last place.
    rounding = 1e-14 * (20 + lam**2) / (lam**2 / 2)
    return Measured(float((logarithm - lam * mean) / (factor * lam**2 / 2)), float(rounding))


TAIL = claim(
    "classical.gaussian_lipschitz.tail",
    at="Gaussian concentration",
    title="Tails of Lipschitz functions of Gaussian vectors",
    states=r"\mathbb{P}(F(g) \ge \mathbb{E}F(g) + sL) \le e^{-s^2/2}",
    given={"s": half_line(0)},
    rests_on=[LIPSCHITZ, "classical.chernoff"],
    provenance=Provenance.CLASSICAL,
)


@TAIL.proved(controls={"larger": {"constant": sp.Rational(51, 100)}})
def optimise(constant: Any = sp.Rational(1, 2)) -> Obligations:
    """Chernoff's bound at λ = s/L."""
    best = _S / _L
    yield "exponent", equal(best * _S * _L - best**2 * _L**2 / 2, constant * _S**2)


SUDAKOV_FERNIQUE = claim(
    "classical.sudakov_fernique",
    at="Sudakov, Fernique; with means: Vitale (2000)",
    title="Comparison of Gaussian maxima with equal means",
    states=(
        r"\mathbb{E}X_i = \mathbb{E}Y_i,\ \mathbb{E}(X_i - X_j)^2 \le \mathbb{E}(Y_i - Y_j)^2"
        r" \implies \mathbb{E}\max_i X_i \le \mathbb{E}\max_i Y_i"
    ),
    assuming="finitely many i; suprema of separable families are limits",
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@SUDAKOV_FERNIQUE.proved(controls={"curvature": {"sign": -1}, "twice": {"factor": 1}})
def interpolate_a_soft_maximum(sign: int = 1, factor: Any = sp.Rational(1, 2)) -> Obligations:
    """Along √(1-t) X + √t Y the mean of the soft maximum β⁻¹ log Σ e^(βx_i) increases.

    Its derivative ½ Σ D_ij E ∂_ij, D = Cov Y - Cov X, is a positive combination of differences
    of increments; the means stay.  The soft maximum is within β⁻¹ log n of the maximum.
    """
    n, beta = 3, sp.Symbol("beta", positive=True)
    x = sp.symbols(f"x:{n}", real=True)
    soft = sp.log(sum(sp.exp(beta * one) for one in x)) / beta
    p = [sp.diff(soft, one) for one in x]
    for i, j in product(range(n), repeat=2):
        second = beta * (p[i] * int(i == j) - sign * p[i] * p[j])
        yield f"second derivative {i}{j}", equal(sp.diff(p[i], x[j]), second)
    weights, D = sp.symbols(f"p:{n}", positive=True), sp.MatrixSymbol("D", n, n)
    pairs = list(product(range(n), repeat=2))
    total = sum(D[min(i, j), max(i, j)] * weights[i] * (int(i == j) - weights[j]) for i, j in pairs)
    increments = sum(
        (D[i, i] + D[j, j] - 2 * D[min(i, j), max(i, j)]) * weights[i] * weights[j]
        for i, j in pairs
    )
    last = {weights[-1]: 1 - sum(weights[:-1])}
    gap = sp.expand((total - factor * increments).subs(last))
    yield "increments", bool(gap == 0)


@SUDAKOV_FERNIQUE.estimated(draws=4000, controls={"exchanged": {"sign": -1}})
def random_families(rng: np.random.Generator, draws: int, sign: int = 1) -> Iterator[MeanTest]:
    """X = ⟨u_i, G w_i⟩ + f_i against Gordon's Y = |w_i|⟨g', u_i⟩ + |u_i|⟨g'', w_i⟩ + f_i."""
    for n, rows, columns in ((4, 2, 2), (8, 3, 5)):
        u, w = rng.standard_normal((n, rows)), rng.standard_normal((n, columns))
        f = rng.standard_normal(n)
        G = rng.standard_normal((draws, rows, columns))
        g, h = rng.standard_normal((draws, rows)), rng.standard_normal((draws, columns))
        first = np.einsum("nr,drc,nc->dn", u, G, w) + f
        lengths = np.linalg.norm(w, axis=1), np.linalg.norm(u, axis=1)
        second = g @ (lengths[0][:, None] * u).T + h @ (lengths[1][:, None] * w).T + f
        gap = second.max(axis=1) - first.max(axis=1)
        yield mean_test(sign * gap, 0.0, alternative="less")


GORDON = claim(
    "classical.gordon_increments",
    at="Gordon (1985)",
    title="Increments of a bilinear Gaussian family",
    states=(
        r"\|u\otimes w - u'\otimes w'\|^2 \le \bigl\||w|u - |w'|u'\bigr\|^2"
        r" + \bigl\||u|w - |u'|w'\bigr\|^2"
    ),
    provenance=Provenance.CLASSICAL,
    note=_NOTE,
)


@GORDON.proved(controls={"single": {"copies": 1}, "triple": {"inner": 3}})
def difference_of_squares(copies: int = 2, inner: int = 2) -> Obligations:
    """The gap is (|u||w| - |u'||w'|)² + 2(|u||u'| - ⟨u,u'⟩)(|w||w'| - ⟨w,w'⟩)."""
    a, b, c, d = sp.symbols("a b c d", positive=True)  # |u|, |u'|, |w|, |w'|
    p, q = sp.symbols("p q", real=True)  # the inner products of u, u' and of w, w'
    product_space = a**2 * c**2 + b**2 * d**2 - 2 * p * q
    first = c**2 * a**2 + d**2 * b**2 - 2 * c * d * p
    second = a**2 * c**2 + b**2 * d**2 - 2 * a * b * q
    total = first + second if copies == 2 else first
    claimed = (a * c - b * d) ** 2 + inner * (a * b - p) * (c * d - q)
    yield "gap", equal(total - product_space, claimed)
    x, y = sp.symbols("x y", nonnegative=True)  # Cauchy-Schwarz: both factors are at least 0
    yield "no negative term", (claimed.subs({p: a * b - x, q: c * d - y})).is_nonnegative
