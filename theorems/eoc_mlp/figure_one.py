"""Remark 13 and Figure 1: which widths keep the errors of inverse cosine distances in check.

"The error" is read as its standard deviation V_k^(1/2) to first order in 1/m, the spread that the
figure draws; the mean of the error, β_k, has a claim of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt, sqrt
from typing import Any

import numpy as np
import sympy as sp

from numeric.cosine_maps import omega
from numeric.error_growth import error_moments
from numeric.statistics import MeanTest, SlopeTest, mean_test, slope_test
from theorems.engine import Obligations, Provenance, claim
from theorems.eoc_mlp.error_law import (
    ABSOLUTE,
    BOUNDS,
    FIRST_ORDER,
    GIVEN,
    INCREMENT,
    LAW,
    PATTERNS,
    errors_at,
)

Rng = np.random.Generator

_NOTE = "proofs_notes/eoc_figures.md"
_W = sp.Symbol("w_1", positive=True)
_K, _J = sp.symbols("k j", positive=True, integer=True)
_READING = (
    ABSOLUTE,
    FIRST_ORDER,
    "of one order: the quotient stays between two positive constants",
)


def _below(power: Any) -> sp.Expr:
    """A lower bound of V_k for γ_k = k^power: (1/10) Σ (4/(3π))² j²/γ_j over j < k."""
    return INCREMENT**2 / 10 * sp.summation(_J ** (2 - power), (_J, 1, _K - 1))


def _above(power: Any) -> sp.Expr:
    """An upper bound of V_k for γ_k = k^power: (1 + w_1)² Σ j²/γ_j ≥ Σ (w_1 + j)²/γ_j, j < k."""
    return (1 + _W) ** 2 * sp.summation(_J ** (2 - power), (_J, 1, _K - 1))


def _grows_like(lower: sp.Expr, upper: sp.Expr, rate: sp.Expr) -> bool | None:
    """Whether lower/rate and upper/rate have positive finite limits."""
    limits = [sp.limit(sp.expand(bound.subs(_W, 1)) / rate, _K, sp.oo) for bound in (lower, upper)]
    return all(one.is_positive and one.is_finite for one in limits)


FIGURE = claim(
    "eoc.fig1",
    at="Remark 13 and Figure 1",
    title="Deviations of errors: one order in all layers for k², linear for k, quadratic for 1",
    states=(
        r"V_k^{1/2} \asymp 1 \;(\gamma_k = k^2), \quad V_k^{1/2} \asymp k \;(\gamma_k = k),"
        r" \quad V_k^{1/2} \asymp k^2 \;(\gamma_k = 1)"
    ),
    given=GIVEN,
    assuming=_READING,
    rests_on=[BOUNDS, LAW],
    note=f"{_NOTE}#figure-1",
)


@FIGURE.refuted(controls={"wider": {"squares": 4}, "three_halves": {"constant": sp.Rational(3, 2)}})
def other_exponents(squares: int = 2, constant: Any = 2) -> Obligations:
    """For γ_k = k² the errors are unbounded, and for γ_k = 1 they stay far below k²."""
    yield "V_k → ∞ for γ_k = k²", sp.limit(_below(squares), _K, sp.oo) == sp.oo
    share = sp.expand(_above(0).subs(_W, 1)) / _K ** (2 * constant)
    yield "V_k/k⁴ → 0 for γ_k = 1", sp.limit(share, _K, sp.oo) == 0


SLOPES = FIGURE.corrected(
    "eoc.fig1.slopes",
    title="The standard deviation of the error grows like k^(1/2), k, k^(3/2)",
    states=(
        r"V_k^{1/2} \asymp k^{1/2} \;(\gamma_k = k^2), \quad V_k^{1/2} \asymp k"
        r" \;(\gamma_k = k), \quad V_k^{1/2} \asymp k^{3/2} \;(\gamma_k = 1)"
    ),
    given=GIVEN,
    assuming=_READING,
    rests_on=[BOUNDS, LAW],
    note=f"{_NOTE}#figure-1",
)


@SLOPES.proved(
    controls={
        "as_printed_for_squares": {"exponents": (0, 1, sp.Rational(3, 2))},
        "as_printed_for_constant": {"exponents": (sp.Rational(1, 2), 1, 2)},
        "root_for_linear": {"exponents": (sp.Rational(1, 2), sp.Rational(1, 2), sp.Rational(3, 2))},
    }
)
def orders_of_the_sums(
    exponents: tuple[Any, ...] = (sp.Rational(1, 2), 1, sp.Rational(3, 2)),
) -> Obligations:
    """Both bounds of V_k over k^(2 exponent) have positive limits."""
    for power, exponent in zip((2, 1, 0), exponents, strict=True):
        order = _grows_like(_below(power), _above(power), _K ** (2 * exponent))
        yield f"γ_k = k^{power}", order


@SLOPES.estimated(
    draws=200,
    controls={"as_printed": {"exponents": (0.0, 1.0, 2.0)}},
)
def simulated_exponents(
    rng: Rng, draws: int, exponents: tuple[float, ...] | None = None
) -> Iterator[SlopeTest]:
    """The root mean square error at a few depths k, over V_k^(1/2): a power of k with exponent 0.

    Depths are simulated independently. At 4 to 16 layers V_k is not yet a power of k; the control
    divides by the printed powers instead.
    """
    plans = (
        ("squares", 64, (2, 4, 8)),
        ("linear", 128, (4, 8, 16)),
        ("constant", 1024, (4, 8, 16)),
    )
    for place, (name, unit, depths) in enumerate(plans):
        m, sizes, deviations = unit * isqrt(draws // 200), [], []
        for k in depths:
            gammas = [PATTERNS[name](j) for j in range(1, k)]
            errors = errors_at(sqrt(2), gammas, m, rng, draws)[:, -1]
            variance = error_moments(sqrt(2), [float(one) for one in gammas], 1).variances[-1]
            root = sqrt(variance) if exponents is None else k ** exponents[place]
            square = float(np.mean(errors**2))
            sizes.append(sqrt(m * square) / root)
            # A root has half the relative error of the mean square.
            deviations.append(sizes[-1] * float(np.std(errors**2)) / (2 * square * sqrt(draws)))
        yield slope_test(depths, sizes, deviations, 0.0)


MEANS = claim(
    "eoc.fig1.means",
    at="Remark 13 and Figure 1",
    title="The mean of the error grows like log k, k, k²: nearly as the remark says of the error",
    states=(
        r"\beta_k \asymp \log k \;(\gamma_k = k^2), \quad \beta_k \asymp k \;(\gamma_k = k),"
        r" \quad \beta_k \asymp k^2 \;(\gamma_k = 1)"
    ),
    given=GIVEN,
    assuming=_READING,
    rests_on=[BOUNDS, LAW],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#figure-1",
)


@MEANS.proved(
    controls={
        "bounded_for_squares": {"rates": (sp.S.One, _K, _K**2)},
        "three_halves": {"rates": (sp.log(_K), _K, _K ** sp.Rational(3, 2))},
        "root": {"rates": (sp.log(_K), sp.sqrt(_K), _K**2)},
    }
)
def orders_of_the_means(rates: tuple[sp.Expr, ...] = (sp.log(_K), _K, _K**2)) -> Obligations:
    """Bounds of β_k: sums of j/γ_j, and above also of V_j/w̄_j³, of lower or bounded order.

    V_j ≤ (1 + w_1)² j^(3 - power)/(3 - power) and w̄_j ≥ 4j/(3π) make the last sum one of
    j^(-power).
    """
    for power, rate in zip((2, 1, 0), rates, strict=True):
        total = sp.summation(_J ** (1 - power), (_J, 1, _K - 1))
        rest = sp.summation(_J ** (-power), (_J, 1, _K - 1)) / INCREMENT**3
        above = sp.Rational(11, 10) * (1 + _W) * total + 2 * (1 + _W) ** 2 * rest
        order = _grows_like(INCREMENT / 2 * total, above, rate)
        yield f"γ_k = k^{power}", order


SUFFICIENT = claim(
    "eoc.rem13.sufficient",
    at="Remark 13",
    title="γ_k = k² is sufficient for inverse cosine distances to increase linearly",
    states=(
        r"\gamma_k = k^2 \implies \frac{V_k}{\bar w_k^2} \le \Bigl(\frac{3\pi}{4}(1 + w_1)"
        r"\Bigr)^2\frac{1}{k - 1} \to 0"
    ),
    given=GIVEN,
    assuming=(ABSOLUTE, FIRST_ORDER),
    rests_on=[BOUNDS, LAW],
    note=f"{_NOTE}#remark-13",
)


@SUFFICIENT.proved(controls={"constant_width": {"power": 0}, "linear": {"power": 1}})
def relative_variance(power: int = 2) -> Obligations:
    """(1 + w_1)² Σ_{j<k} j²/γ_j over (4/(3π))² (k - 1)²."""
    ratio = _above(power) / (INCREMENT * (_K - 1)) ** 2
    stated = (1 / INCREMENT * (1 + _W)) ** 2 / (_K - 1)
    yield "the bound", sp.simplify(ratio - stated) == 0
    yield "tends to 0", sp.limit(stated.subs(_W, 1), _K, sp.oo) == 0


NECESSARY = claim(
    "eoc.rem13.necessary",
    at="Remark 13",
    title="Widths of order k² are necessary for inverse cosine distances to increase linearly",
    states=(
        r"\frac{V_k}{\bar w_k^2} \to 0 \implies \liminf_{k \to \infty}\frac{\gamma_k}{k^2} > 0"
    ),
    given=GIVEN,
    assuming=(ABSOLUTE, FIRST_ORDER),
    rests_on=[BOUNDS, LAW],
    note=f"{_NOTE}#remark-13",
)


@NECESSARY.refuted(
    controls={"linear": {"power": 1}, "square": {"power": 2}, "root": {"power": sp.Rational(1, 2)}}
)
def three_halves(power: Any = sp.Rational(3, 2)) -> Obligations:
    """For γ_k = ⌈k^(3/2)⌉ the relative variance tends to 0 and γ_k/k² too.

    Σ_{j<k} j²/γ_j ≤ Σ_{j<k} j^(2 - p) ≤ k^(3 - p)/(3 - p) for p ≤ 2.
    """
    total = _K ** (3 - power) / (3 - power)
    share = (1 + _W) ** 2 * total / (INCREMENT * (_K - 1)) ** 2
    yield "relative variance tends to 0", sp.limit(share.subs(_W, 1), _K, sp.oo) == 0
    yield "γ_k/k² tends to 0", sp.limit((_K**power + 1) / _K**2, _K, sp.oo) == 0


WIDTHS = NECESSARY.corrected(
    "eoc.rem13.widths",
    title="What is necessary and sufficient: the average of j²/γ_j over j < k is o(k), or O(k)",
    states=(
        r"c\,S_k \le \frac{V_k}{\bar w_k^2} \le C\,S_k, \quad S_k = \frac{1}{k^2}\sum_{j<k}"
        r"\frac{j^2}{\gamma_j}, \quad C = \frac{1}{10c} = \Bigl(\frac{3\pi}{4}(1 + w_1)\Bigr)^2"
    ),
    given=GIVEN,
    assuming=(
        ABSOLUTE,
        FIRST_ORDER,
        "for γ_k = k^p: S_k → 0 if and only if p > 1, and S_k is bounded if and only if p ≥ 1",
    ),
    rests_on=[BOUNDS, LAW],
    note=f"{_NOTE}#remark-13",
)


@WIDTHS.proved(controls={"smaller": {"factor": sp.Rational(1, 2)}}, part="two-sided bound")
def compare_terms(factor: Any = 1) -> Obligations:
    """Term by term: 4j/(3π) ≤ w̄_{j+1} ≤ (1 + w_1) j and 4k/(3π) ≤ w̄_k ≤ (1 + w_1) k."""
    w, j = sp.Symbol("w_1", positive=True), sp.Symbol("n", nonnegative=True) + 1
    excess = sp.Poly(factor * (1 + w) * j - (w + j), *sorted((w * j).free_symbols, key=str))
    yield "w_1 + j ≤ (1 + w_1) j for j ≥ 1", all(bool(c >= 0) for c in excess.coeffs())
    yield "w_1 ≥ √2 exceeds what a layer adds", bool(sp.sqrt(2) > INCREMENT)


@WIDTHS.proved(
    controls={"half": {"threshold": sp.Rational(1, 2)}, "two": {"threshold": 2}},
    part="powers of k",
)
def powers(threshold: Any = 1) -> Obligations:
    """S_k is of order k^(1 - p) for p < 3, by integrals; here on both sides of the threshold."""
    x, upper = sp.symbols("x k", positive=True)
    for shift in (sp.Rational(-1, 4), 0, sp.Rational(1, 4)):
        power = sp.sympify(threshold) + shift
        integral = sp.integrate(x ** (2 - power), (x, 0, upper)) / upper**2
        limit = sp.limit(integral, upper, sp.oo)
        expected = limit == 0 if shift > 0 else (limit.is_finite and limit > 0)
        yield f"p = {power}", bool(expected) if shift >= 0 else limit == sp.oo


ALMOST_SURELY = claim(
    "eoc.rem13.almost_surely",
    at="Remark 13",
    title="Summable 1/γ_k are sufficient at a fixed unit of width, for almost every network",
    states=(
        r"\sum_{k=1}^\infty\frac{1}{\gamma_k} < \infty \implies \frac{w_k}{k} \to \frac{4}{3\pi}"
        r" \text{ almost surely}, \quad \text{as for } \gamma_k = \lceil k^{3/2}\rceil"
    ),
    assuming=(ABSOLUTE, "m_k = γ_k m ≥ 8, and the inputs are not parallel"),
    rests_on=["eoc.omega.increment", "eoc.omega.remainder"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#almost-every-network",
)
ALMOST_SURELY.cited(
    "Williams, Probability with Martingales, Theorem 12.1",
    why="a martingale bounded in L² converges; the note applies it to the logarithms of w_k/ω",
    part="convergence",
)


@ALMOST_SURELY.proved(
    controls={"linear": {"power": 1}, "root": {"power": sp.Rational(1, 2)}}, part="the example"
)
def summable(power: Any = sp.Rational(3, 2)) -> Obligations:
    """Σ k^(-3/2) is finite, and k^(3/2)/k² tends to 0."""
    yield "Σ 1/γ_k", sp.Sum(_K**-power, (_K, 1, sp.oo)).is_convergent() == sp.true
    yield "γ_k/k²", sp.limit(_K**power / _K**2, _K, sp.oo) == 0


@ALMOST_SURELY.proved(controls={"sum": {"sign": 1}}, part="difference of two activations")
def smaller_of_two_normals(sign: int = -1) -> Obligations:
    """||u₁| - |u₂|| = min(|u₁ - u₂|, |u₁ + u₂|), the smaller of two independent normals.

    For p ≥ q > 0 both sides are p - q whatever the signs of u₁ = ±p and u₂ = ±q.
    """
    q, rest = sp.symbols("q r", positive=True)
    p = q + rest
    for first in (1, -1):
        for second in (1, -1):
            u1, u2 = first * p, second * q
            smaller = sp.Min(abs(sp.expand(u1 - u2)), abs(sp.expand(u1 + u2)))
            left = abs(sp.expand(abs(u1) + sign * abs(u2)))
            yield f"signs {first}, {second}", sp.simplify(left - smaller) == 0


@ALMOST_SURELY.estimated(
    draws=20_000,
    controls={"smaller_square": {"square": 0.5}, "smaller_mean": {"mean": 0.1}},
    part="moments of one layer",
)
def moments_of_the_logarithm(
    rng: Rng, draws: int, square: float = 2.0, mean: float = 1.0
) -> Iterator[MeanTest]:
    """For ξ = log(w_{k+1}/ω(w_k)): E ξ² ≤ 2/M and |E ξ| ≤ 1/M, at M = 8 and 32."""
    for width in (8, 32):
        for w in (sqrt(2), 2.0, 6.0, 100.0):
            limit = float(omega(w, 1))
            logarithms = np.log1p(errors_at(w, [1], width, rng, draws)[:, 1] / limit)
            yield mean_test(width * logarithms**2, square, alternative="greater")
            yield mean_test(width * logarithms, mean, alternative="greater")
            yield mean_test(width * logarithms, -mean, alternative="less")
