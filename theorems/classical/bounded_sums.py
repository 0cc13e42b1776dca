"""Hoeffding's lemma and inequality."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import bdtrc

from symbolic.equality import equal
from theorems.engine import (
    Measured,
    Obligations,
    Provenance,
    claim,
    half_line,
    integers,
    interval,
    reals,
)

_P, _U = sp.Symbol("p", positive=True), sp.Symbol("u", real=True)
_RANGES = {_P: sp.Interval.open(0, 1), _U: sp.Interval.open(-40, 40)}

LEMMA = claim(
    "classical.hoeffding_lemma",
    at="large deviations",
    title="Hoeffding's lemma",
    states=r"\log\bigl((1-p)e^{-pu} + p\,e^{(1-p)u}\bigr) \le \tfrac{u^2}{8}",
    given={"p": interval(0, 1), "u": reals()},
    provenance=Provenance.CLASSICAL,
)


@LEMMA.proved(controls={"a_ninth": {"constant": sp.Rational(1, 9)}})
def variance_of_two_points(constant: Any = sp.Rational(1, 8)) -> Obligations:
    """The second derivative is the variance q(1 - q) of a tilted law on two points."""
    log_moment = -_P * _U + sp.log(1 - _P + _P * sp.exp(_U))
    tilted = _P * sp.exp(_U) / (1 - _P + _P * sp.exp(_U))
    yield "zero at 0", equal(log_moment.subs(_U, 0), sp.Integer(0))
    yield "double zero", equal(sp.diff(log_moment, _U).subs(_U, 0), sp.Integer(0))
    yield "variance", equal(sp.diff(log_moment, _U, 2), tilted * (1 - tilted), _RANGES)
    q = sp.Symbol("q", real=True)
    gap = 2 * constant - q * (1 - q)
    yield "2/8 - q(1 - q) is a square", equal(gap, (sp.Rational(1, 2) - q) ** 2)


HOEFFDING = claim(
    "classical.hoeffding",
    at="large deviations",
    title="Hoeffding's inequality",
    states=(
        r"W \in [\alpha, \alpha + L] \implies \mathbb{P}\Bigl(\tfrac1M\sum_{j=1}^M W_j"
        r" - \mathbb{E}W \ge t\Bigr) \le e^{-\frac{2Mt^2}{L^2}}"
    ),
    given={"M": integers(1), "t": half_line(0)},
    assuming="L > 0; for the lower tail put -W for W",
    rests_on=[LEMMA, "classical.chernoff"],
    provenance=Provenance.CLASSICAL,
)


@HOEFFDING.proved(controls={"three": {"constant": 3}, "concave": {"sign": -1}})
def replace_by_two_points(constant: int = 2, sign: int = 1) -> Obligations:
    """A convex function lies below its chord, so the two ends of the range are the worst law.

    With p = (EW - α)/L and u = λL the lemma bounds log E e^(λ(W - EW)) by (λL)²/8.
    """
    lam, L, t, w = sp.symbols("lambda L t w", positive=True)
    alpha = sp.Symbol("alpha", real=True)
    yield "convex", sp.diff(sign * sp.exp(lam * w), w, 2).is_positive
    p, u = (w - alpha) / L, lam * L
    yield "lower end", equal(lam * (alpha - w), -p * u)
    yield "upper end", equal(lam * (alpha + L - w), (1 - p) * u)
    best = 4 * t / L**2
    yield "exponent", equal(best * t - (best * L) ** 2 / 8, constant * t**2 / L**2)


@HOEFFDING.tested(
    over=st.tuples(st.integers(1, 2000), st.floats(0.01, 0.99), st.floats(0, 1)),
    controls={"an_eighth_more": {"factor": 1.125}},
)
def binomial_tails(case: tuple[int, float, float], factor: float = 1.0) -> Measured:
    """W is 0 or 1: exact binomial tails, at values that are taken, over the bound."""
    M, p, place = case
    count = int(np.ceil(M * (p + place * (1 - p))))
    t = max(0.0, count / M - p)
    exact = float(bdtrc(count - 1, M, p))
    log_bound = -factor * 2 * M * t * t
    return Measured(0.0 if exact < 1e-290 else float(np.exp(np.log(exact) - log_bound)))
