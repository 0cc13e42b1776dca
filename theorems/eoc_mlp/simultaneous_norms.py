"""Section 3.3, Proposition 24: the norms of all activations at once, for widths m_k = k²m.

For one layer P(||x_k|/|x_{k-1}| - 1| ≥ t) ≤ 2 exp(-(k - 1)² m t²/(2κ²)), and H_k = 1 + … + 1/k.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.cosine_maps import delta_phi, kappa_phi
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.engine import (
    Measured,
    Obligations,
    Provenance,
    claim,
    integers,
    interval,
    open_interval,
)
from theorems.engine.domain import Domain

_GIVEN: dict[str, Domain] = {
    "l": integers(2),
    "n": integers(1),
    "m": integers(1),
    "p": open_interval(0, 1),
    "delta": interval(0, 1),
}
_LAYERS: dict[str, Domain] = {"k": integers(2), "epsilon": interval(0, 1)}
_ALIVE = "m_k = k^2 m, the scalings are equal, (3), and no input vanishes"
_NOTE = "proofs_notes/eoc_limits.md#norms"
_LOG_2 = sp.log(2)
_FOUR, _BEST = 4 / _LOG_2, 1 / _LOG_2
_X, _N = sp.symbols("x N", positive=True)

UNION = claim(
    "eoc.prop24.union",
    at="Proposition 24, proof",
    title="The best constant of a union bound over N sub-Gaussian tails",
    states=(
        r"\min\{1, 2Ne^{-x}\} \le 2e^{-x\log2/\log(2N)}, \quad x \ge 0,"
        r" \text{ with equality at } x = \log(2N)"
    ),
    given={"N": integers(1)},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@UNION.proved(
    controls={"without_the_factor": {"inside": 1}, "sharper": {"share": sp.Rational(3, 4)}}
)
def compare_exponents(inside: int = 2, share: Any = _LOG_2) -> Obligations:
    """Both branches meet the right side at x = log 2N; before, it exceeds 1, after, 2Ne⁻ˣ."""
    rate = share / sp.log(inside * _N)
    y = sp.Symbol("y", nonnegative=True)
    left = sp.log(2) - _X * rate
    yield "log of the right side at log 2N", equal(left.subs(_X, sp.log(2 * _N)), sp.Integer(0))
    beyond = (sp.log(2) - (sp.log(2 * _N) + y) * rate) + y
    slope = sp.diff(beyond, y)
    from_one = {_N: sp.Interval(1, sp.oo)}
    yield "right over left grows beyond", equal(slope, sp.log(_N) / sp.log(2 * _N), from_one)
    yield "from equality", equal(beyond.subs(y, 0), sp.Integer(0))


EQ_8 = claim(
    "eoc.prop24.eq8",
    at="Proposition 24, (8)",
    title="All ratios of norms are close to 1, with explicit constants",
    states=(
        r"\mathbb{P}\Bigl(\max_{k \in [2:l],\,i}(k-1)\Bigl|\tfrac{\|x_k(x_i)\|}{\|x_{k-1}(x_i)\|}"
        r" - 1\Bigr| \ge \epsilon\Bigr) \le 2e^{-s}, \quad \epsilon = \kappa_\phi"
        r"\sqrt{\tfrac{2(s + \log((l-1)n))}{m}}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE,),
    rests_on=["eoc.prop14.explicit", "classical.union"],
    note=_NOTE,
)


@EQ_8.proved(controls={"one_layer_less": {"missing": 1}, "linear_widths": {"power": 1}})
def union_over_layers_and_inputs(missing: int = 0, power: int = 2) -> Obligations:
    """(l - 1)n events, each at t = ε/(k - 1) in a layer of width (k - 1)²m."""
    s, m, n, kappa, k, depth = sp.symbols("s m n kappa k l", positive=True)
    count = (depth - 1) * n
    epsilon = kappa * sp.sqrt(2 * (s + sp.log(count)) / m)
    tail = (k**power * m) * (epsilon / k) ** 2 / (2 * kappa**2)
    layers = {depth: sp.Interval(2, sp.oo)}
    yield "exponent", equal(tail, s + sp.log(count), layers)
    total = 2 * (count - missing * n) * sp.exp(-s) / count
    yield "sum", equal(total, 2 * sp.exp(-s), layers)


MAXIMUM = claim(
    "eoc.prop24.max",
    at="Proposition 24, proof",
    title="Tail of the largest deviation of a ratio of norms",
    states=(
        r"\mathbb{P}\Bigl(\max_{k,i}(k-1)\Bigl|\tfrac{\|x_k(x_i)\|}{\|x_{k-1}(x_i)\|} - 1\Bigr|"
        r" \ge t\Bigr) \le 2\exp\Bigl(-\frac{t^2}{(C\sqrt{\log(ln)}\,\kappa_\phi^2 m^{-1/2})^2}"
        r"\Bigr), \quad C^2 = \frac{4}{\log2}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, "the printed constant is O(1)"),
    rests_on=[UNION, "eoc.prop14.explicit", "classical.union"],
    note=_NOTE,
)


@MAXIMUM.proved(controls={"smaller": {"constant": 3 / sp.log(2)}, "no_layers": {"square": 1}})
def insert_the_union(constant: Any = _FOUR, square: int = 2) -> Obligations:
    """With N = (l - 1)n: log 2N ≤ 2 log(ln), and κ² ≤ κ⁴."""
    l_, n = sp.symbols("l n", positive=True)
    x, y = sp.symbols("x y", nonnegative=True)
    gap = sp.expand(((l_ * n) ** square - 2 * (l_ - 1) * n).subs({l_: 2 + x, n: 1 + y}))
    signs = [bool(c >= 0) for c in sp.Poly(gap, x, y).coeffs()]
    yield "2(l - 1)n ≤ (ln)²", all(signs)
    # m t²/(2κ²) · log 2/log 2N ≥ m t²/(2κ⁴) · log 2/(2 log(ln)) = m t²/(C² κ⁴ log(ln)).
    yield "constants", equal(1 / sp.sympify(constant), sp.log(2) / 4)


HARMONIC = claim(
    "eoc.prop24.harmonic",
    at="Proposition 24, proof",
    title="Harmonic sums against logarithms, with the best constant",
    states=(
        r"\sum_{j=k_1}^{k_2} \frac1j \le \frac{1}{\log2}\log\frac{k_2+1}{k_1}, \quad"
        r" 1 \le k_1 \le k_2, \text{ with equality at } k_1 = k_2 = 1"
    ),
    given={"k_1": integers(1), "k_2": integers(1)},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@HARMONIC.proved(
    controls={
        "natural": {"constant": sp.Integer(1)},
        "smaller": {"constant": sp.Rational(144, 100)},
    }
)
def chord_of_the_logarithm(constant: Any = _BEST) -> Obligations:
    """log(1 + x) is concave, so it lies above its chord x log 2 on [0, 1]; put x = 1/j and add."""
    x, j = sp.symbols("x j", positive=True)
    yield "concave", sp.diff(sp.log(1 + x), x, 2).is_negative
    yield "at x = 0", equal(constant * sp.log(sp.Integer(1)), sp.Integer(0))
    yield "at x = 1", equal(constant * sp.log(sp.Integer(2)), sp.Integer(1))
    step = sp.log((j + 2) / (j + 1)) + sp.log((j + 1) / j)
    yield "the sum telescopes", equal(sp.expand_log(step), sp.expand_log(sp.log((j + 2) / j)))


INDUCTION = claim(
    "eoc.prop24.induction",
    at="Proposition 24, proof",
    title="From ratios of norms to norms, with the same ε",
    states=(r"(8) \implies \bigl|\|x_k(x_i)\| - \|x_i\|\bigr| \le \log(k)\,\epsilon\,\|x_i\|"),
    given=_LAYERS,
    note=_NOTE,
)


@INDUCTION.refuted(controls={"corrected": {"constant": 1 / sp.log(2)}})
def second_layer(constant: Any = sp.Integer(1)) -> Obligations:
    """k = 2 with the ratio 1 + ε, which (8) allows: the deviation is ε > log(2) ε."""
    epsilon = sp.Symbol("epsilon", positive=True)
    excess = sp.simplify((1 + epsilon) - 1 - constant * sp.log(2) * epsilon)
    yield "ε exceeds the bound", bool(excess.is_positive)


PRODUCT = INDUCTION.corrected(
    "eoc.prop24.induction.corrected",
    title="From ratios of norms to norms",
    states=(
        r"(8) \implies 1 - \epsilon H_{k-1} \le \frac{\|x_k(x_i)\|}{\|x_i\|}"
        r" \le e^{\epsilon H_{k-1}}, \quad H_{k-1} \le \frac{\log k}{\log2}"
    ),
    given=_LAYERS,
    rests_on=[HARMONIC],
    note=_NOTE,
)


@PRODUCT.proved(controls={"one_layer_more": {"more": 1}})
def products(more: int = 0) -> Obligations:
    """1 + u ≤ eᵘ, and (1 - S)(1 - u) ≥ 1 - S - u for u ≤ 1: base k = 2 and step."""
    u, total = sp.symbols("u S", nonnegative=True)
    yield "eᵘ - 1 - u is convex", sp.diff(sp.exp(u) - 1 - u, u, 2).is_positive
    yield "with value 0 at 0", equal((sp.exp(u) - 1 - u).subs(u, 0), sp.Integer(0))
    yield "with slope 0 at 0", equal(sp.diff(sp.exp(u) - 1 - u, u).subs(u, 0), sp.Integer(0))
    yield "the step from below", sp.expand((1 - total) * (1 - u) - (1 - total - u)).is_nonnegative
    first = sp.harmonic(sp.Integer(2 - 1 + more))
    yield "base k = 2", equal(1 + u, 1 + u * first)


@PRODUCT.tested(
    over=st.tuples(st.lists(st.floats(-1, 1), min_size=1, max_size=60), st.floats(1e-3, 1)),
    controls={"half": {"share": 0.5}},
)
def deviation_over_bound(case: tuple[list[float], float], share: float = 1.0) -> Measured:
    """Products of ratios that (8) allows, against both bounds."""
    signs, epsilon = case
    steps = np.arange(1, len(signs) + 1)
    harmonic = float(np.sum(1 / steps))
    ratio = float(np.prod(1 + np.array(signs) * epsilon / steps))
    bound = np.expm1(share * epsilon * harmonic) if ratio > 1 else share * epsilon * harmonic
    # Each of the factors and sums rounds once.
    return Measured(
        abs(ratio - 1) / float(bound), 4 * len(signs) * 2.0**-53 * max(1, ratio) / bound
    )


PRINTED = claim(
    "eoc.prop24",
    at="Proposition 24",
    title="Simultaneous concentration of the norms of activations",
    states=(
        r"\mathbb{P}\Bigl(\forall k, i:\ \bigl|\|x_k(x_i)\| - \|x_i\|\bigr| \le \log(k)\,\|x_i\|"
        r"\,O\bigl(\sqrt{\log(ln)}\,\kappa_\phi^2 m^{-\frac12(1-p)}\bigr)\Bigr) \ge 1 - 2e^{-m^p}"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE,
        "the bound is informative, ε log(l) <= log(2); then the constant 5 will do",
    ),
    rests_on=[EQ_8, PRODUCT],
    note=_NOTE,
)


@PRINTED.proved(
    controls={
        "smaller": {"square": sp.Integer(2)},
        "constant": {"constant": sp.Rational(9, 2)},
    }
)
def shapes(square: Any = sp.E, constant: Any = 5) -> Obligations:
    """At s = m^p: 2(m^p + log((l - 1)n)) ≤ 4 m^p log(ln), as e(l - 1) ≤ l² and m^p ≥ 1.

    So ε ≤ 2κ √log(ln) m^(-(1-p)/2), and e^y - 1 ≤ (e - 1)y on [0, 1] at y = ε H ≤ ε log(k)/log 2.
    """
    l_ = sp.Symbol("l", positive=True)
    quadratic = sp.Poly(l_**2 - sp.E * (l_ - 1), l_)
    yield "1 + log(l - 1) ≤ 2 log l", bool(sp.discriminant(quadratic) < 0)
    yield "with e = exp 1", equal(square, sp.E)
    yield "2(e - 1)/log 2 ≤ constant", bool(2 * (sp.E - 1) / sp.log(2) <= constant)


SHARP = PRINTED.sharpened(
    "eoc.prop24.sharp",
    title="The norms of all activations at once, uniformly in the depth: no logarithm",
    states=(
        r"\mathbb{P}\Bigl(\forall k \ge 1, i:\ -\pi e^{2t}\sqrt{\tfrac{(1+r^2)(s + \log n)}{m}}"
        r" \le \tfrac{\|x_k(x_i)\|}{\|x_i\|} - 1 \le e^t - 1\Bigr) \ge 1 - 2e^{-s}, \quad"
        r" t = \pi\kappa_\phi\sqrt{\tfrac{s + \log n}{3m}}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, "r = 2ab/(a^2 + b^2)"),
    rests_on=[
        "classical.gaussian_lipschitz",
        "classical.maximal",
        "classical.union",
        "eoc.prop14.law",
    ],
    note=_NOTE,
)


@SHARP.proved(
    controls={"linear_widths": {"power": 1}, "fourth_moment": {"moment": 2}, "log": {"log": 1}},
)
def optimise(power: int = 2, moment: int = 3, log: int = 0) -> Obligations:
    """With Σ j⁻² = π²/6; E c²g⁴ = 3(1 + r²); each exponent is least at its stationary point."""
    j, lam, kappa, m, t, r, u, top = sp.symbols("j lambda kappa m t r u R", positive=True)
    weight = sp.summation(1 / j**power, (j, 1, sp.oo))
    yield "the sum is finite", bool(weight.is_finite)
    weight = weight if weight.is_finite else sp.Integer(1)
    # f_j - E f_j has the factor κ/(j √m); Σ log f_j ≤ Σ (f_j - E f_j) as log f ≤ f - 1, E f ≤ 1.
    upper = -lam * t + lam**2 * kappa**2 * weight / (2 * m)
    least = upper.subs(lam, sp.solve(sp.diff(upper, lam), lam)[0])
    yield "upper exponent", equal(least, -3 * m * t**2 / (sp.pi**2 * kappa**2) * (1 + log))
    # e^{-u} ≤ 1 - u + u²/2 for u ≥ 0, and the squares of the norms are a martingale.
    g = sp.Symbol("g", real=True)
    density = sp.exp(-(g**2) / 2) / sp.sqrt(2 * sp.pi)
    fourth = sp.integrate(g**4 * density, (g, -sp.oo, sp.oo))
    second = sp.Rational(1, 2) * ((1 + r) ** 2 + (1 - r) ** 2) * fourth
    yield "second moment of c g²", equal(second, moment * (1 + r**2))
    lower = -lam * u + lam**2 * top**2 * second * weight / (2 * m)
    least = lower.subs(lam, sp.solve(sp.diff(lower, lam), lam)[0])
    yield "lower exponent", equal(least, -m * u**2 / (top**2 * (1 + r**2) * sp.pi**2))


@SHARP.estimated(draws=1000, controls={"sixth": {"share": 1 / 6}})
def sampled_norms(rng: np.random.Generator, draws: int, share: float = 1.0) -> Iterator[MeanTest]:
    """How often the norms of 40 layers, drawn from their law, leave the bounds at s = 2."""
    for a, b, m in ((0.0, 1.0, 60), (0.5, 0.5, 120), (1.0, 0.3, 60)):
        ratios = np.cumprod(_ratios(rng, draws, 40, m, a, b), axis=1)
        t = share * np.pi * float(kappa_phi(a, b)) * np.sqrt(2.0 / (3 * m))
        r2 = 4 * float(delta_phi(a, b)) * (1 - float(delta_phi(a, b)))
        low = share * np.pi * np.exp(2 * t) * np.sqrt((1 + r2) * 2.0 / m)
        outside = (ratios.max(axis=1) > np.exp(t)) | (ratios.min(axis=1) < 1 - low)
        # One draw that is known to be outside keeps the variance positive.
        outside = np.append(outside, True)
        yield mean_test(outside.astype(float), 2 * np.exp(-2.0), alternative="greater")


def _ratios(
    rng: np.random.Generator, draws: int, layers: int, m: int, a: float, b: float
) -> np.ndarray:
    """Independent |x_k|/|x_{k-1}|: a binomial number of signs, and two chi-squares of that many."""
    widths = m * np.arange(1, layers + 1) ** 2
    ups = rng.binomial(widths, 0.5, (draws, layers))
    squares = [rng.chisquare(np.maximum(k, 1)) * (k > 0) for k in (ups, widths - ups)]
    weights = [(a + sign * b) ** 2 / (a * a + b * b) for sign in (1, -1)]
    total = sum(w * q for w, q in zip(weights, squares, strict=True))
    return np.asarray(np.sqrt(total / widths))
