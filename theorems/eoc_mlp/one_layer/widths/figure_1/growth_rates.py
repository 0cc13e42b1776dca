"""Figure 1: how fast the errors of inverse cosine distances grow for its patterns of widths.

"The error" is read as its standard deviation V_k^(1/2) to first order in 1/m, the spread that the
figure draws; the mean of the error, β_k, has a claim of its own.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from math import isqrt, sqrt
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Expr, Rational, log

from numeric.inverse_distance_errors import ErrorMoments, error_moments
from numeric.statistics import SlopeTest, slope_test
from theorems.engine import Measured, Obligations, Provenance, Severity, interval, sentence
from theorems.eoc_mlp.hypotheses import ABSOLUTE_VALUE, TYPICAL_EVENT
from theorems.eoc_mlp.letters.cosines import w_1_input
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.one_layer.widths.figure_1.first_order_law import INCREMENT, PATTERNS, errors_at

Rng = np.random.Generator

_NOTE = "proofs_notes/eoc_figures.md"
_K, _J = sp.symbols("k j", positive=True, integer=True)
_W = sp.Symbol("w_1", positive=True)
_READING = [ABSOLUTE_VALUE, TYPICAL_EVENT]
_WIDTHS = (r" \;(\gamma_k = k^{$two}), \quad ", r" \;(\gamma_k = k), \quad ", r" \;(\gamma_k = $one)")


def _orders(letter: str, first: str = "k") -> str:
    """The orders of a quantity for the three patterns of widths, as powers."""
    powers = (rf"{first}^{{$squares}}", "k^{$linear}", "k^{$constant}")
    pairs = zip(powers, _WIDTHS, strict=True)
    return "".join(rf"{letter} \asymp {power}{widths}" for power, widths in pairs)


def _below(widths: Expr) -> Expr:
    """A lower bound of V_k for widths γ_j: (1/10) Σ (4/(3π))² j²/γ_j over j < k."""
    return INCREMENT**2 / 10 * sp.summation(_J**2 / widths, (_J, 1, _K - 1))


def _above(widths: Expr) -> Expr:
    """An upper bound of V_k for widths γ_j: (1 + w_1)² Σ j²/γ_j ≥ Σ (w_1 + j)²/γ_j, j < k."""
    return (1 + _W) ** 2 * sp.summation(_J**2 / widths, (_J, 1, _K - 1))


def _have_the_order(widths: Expr, power: Any) -> bool | None:
    """Whether both bounds of V_k are of the order of k^power to its square."""
    return _grows_like(_below(widths), _above(widths), _K ** (2 * Rational(power)))


@cache
def _grows_like(lower: Expr, upper: Expr, rate: Expr) -> bool | None:
    """Whether lower/rate and upper/rate have positive finite limits."""
    limits = [sp.limit(sp.expand(bound.subs(_W, 1)) / rate, _K, sp.oo) for bound in (lower, upper)]
    return all(one.is_positive and one.is_finite for one in limits)


_EXPONENTS = sentence(_orders(r"\sqrt{$V_k}"), one=1, two=2, squares=0, linear=1, constant=2)

FIGURE = claim(
    "eoc.fig1",
    at="Figure 1; Remark 13",
    title="Deviations of errors: one order in all layers for k², linear for k, quadratic for 1",
    states=_EXPONENTS,
    assuming=_READING,
    rests_on=["eoc.fig1.bounds", "eoc.fig1.law"],
    note=f"{_NOTE}#figure-1",
)


@FIGURE.refuted(
    severity=Severity.DEPENDENCE, controls={"root": {"squares": Fraction(1, 2), "constant": Fraction(3, 2)}}
)
def other_exponents(one: int, two: int, squares: Any, linear: Any, constant: Any) -> Obligations:
    """For γ_k = k² the errors are unbounded, and for γ_k = 1 they stay far below k²."""
    patterns = (_J**two, squares), (_J, linear), (Rational(one), constant)
    orders = [_have_the_order(*pattern) for pattern in patterns]
    yield "one of the three orders is not that of both bounds", not all(orders)


_RATIO = r"\text{At } $w_1_input: \quad $least \le "
_PLOTTED = {
    "squares": (r"\sqrt{V_{$late}/V_{$early}} \le $most, \quad \gamma_k = k^{$p}", 2),
    "linear": (r"\sqrt{V_{$late}/V_{$early}} \le $most, \quad \gamma_k = k^{$p}", 1),
    "constant": (r"\sqrt{V_{$late}/V_{$early}} \le $most, \quad \gamma_k = k^{$p}", 0),
    "mean, constant": (r"\beta_{$late}/\beta_{$early} \le $most, \quad \gamma_k = k^{$p}", 0),
}
_SEEN = {
    "squares": (Rational(8, 7), Rational(5, 4)),
    "linear": (Rational(13, 8), Rational(7, 4)),
    "constant": (Rational(19, 8), Rational(5, 2)),
    "mean, constant": (Rational(19, 6), Rational(67, 20)),
}

_WIDER = {
    change: "true as well: the window is wider"
    for least, most in _SEEN.values()
    for change in (
        f"least: {least} -> {least * Rational(99, 100)}",
        f"sign of least: {least} -> {-least}",
        f"most: {most} -> {most * Rational(101, 100)}",
    )
}
_ROOM = {
    **dict.fromkeys(
        ("p: 2 -> 99/50", "p: 1 -> 99/100", "p: 1 -> 101/100"),
        "true as well: the windows leave room for this power, at all w_1 by the same recursions",
    ),
    "domain of w_1_input": "true as well: by the same recursions the windows hold from 1.403 to 2.511",
}

PLOT = claim(
    "eoc.fig1.plot",
    at="Figure 1; Remark 13",
    title="Doubling the depth from 16 to 32 layers: by how much it enlarges the errors of the plot",
    states={
        name: sentence(_RATIO + text, p=power, least=least, most=most, early=16, late=32)
        for (name, (text, power)), (least, most) in zip(_PLOTTED.items(), _SEEN.values(), strict=True)
    },
    given={w_1_input: interval(sp.sqrt(2), Rational(5, 2))},
    assuming=_READING,
    rests_on=["eoc.fig1.law"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#figure-1",
    excused=_WIDER | _ROOM,
)
_PAIRS = st.one_of(st.sampled_from([sqrt(2), 2.5]), st.floats(sqrt(2), 2.5))


@lru_cache(maxsize=1000)
def _moments(case: float, p: Any, depth: int) -> ErrorMoments:
    """The recursions in floats; variants of the bounds ask for the same ones."""
    return error_moments(case, [float(layer**p) for layer in range(1, depth)], 1)


def _enlarged(case: float, p: Any, least: Any, most: Any, early: int, late: int, mean: bool) -> Measured:
    """By how much a ratio exceeds one of its bounds, relatively; by the recursions in floats."""
    if any(layer != int(layer) or layer < 1 for layer in (early, late)):
        raise ValueError(f"layers are counted by positive integers, not {early} and {late}")
    moments = _moments(case, p, int(late))
    values = moments.biases if mean else np.sqrt(moments.variances)
    ratio = float(values[int(late) - 1] / values[int(early) - 1])
    # At most 1 if and only if the ratio is at most ``most``, which need not be positive.
    above = 2 - float(most) / ratio
    # Sums of at most 32 positive terms, each of some ten rounded factors.
    return Measured(max(above, float(least) / ratio), 1000 * 2.0**-53)


@PLOT.tested("squares", over=_PAIRS, cases=25, uses=_READING)
def nearly_flat(case: float, p: int, least: Any, most: Any, early: int, late: int) -> Measured:
    """Deviations for γ_k = k²: by a quarter at most."""
    return _enlarged(case, p, least, most, early, late, mean=False)


@PLOT.tested("linear", over=_PAIRS, cases=25, uses=_READING)
def nearly_linear(case: float, p: int, least: Any, most: Any, early: int, late: int) -> Measured:
    """Deviations for γ_k = k: a little less than by two."""
    return _enlarged(case, p, least, most, early, late, mean=False)


@PLOT.tested("constant", over=_PAIRS, cases=25, uses=_READING)
def between_linear_and_quadratic(
    case: float, p: int, least: Any, most: Any, early: int, late: int
) -> Measured:
    """Deviations for γ_k = 1: between a linear and a quadratic function."""
    return _enlarged(case, p, least, most, early, late, mean=False)


@PLOT.tested("mean, constant", over=_PAIRS, cases=25, uses=_READING)
def nearly_quadratic(case: float, p: int, least: Any, most: Any, early: int, late: int) -> Measured:
    """Means for γ_k = 1: a little less than by four, as for a quadratic function."""
    return _enlarged(case, p, least, most, early, late, mean=True)


SLOPES = FIGURE.corrected(
    "eoc.fig1.slopes",
    title="The standard deviation of the error grows like k^(1/2), k, k^(3/2)",
    states=_EXPONENTS.changed(squares=Fraction(1, 2), constant=Fraction(3, 2)),
    assuming=_READING,
    rests_on=["eoc.fig1.bounds", "eoc.fig1.law"],
    note=f"{_NOTE}#figure-1",
    excused={
        "domain of V_k": "true as well: variances are not negative",
        **dict.fromkeys(
            ("one: 1 -> 99/100", "one: 1 -> 101/100", "one: 1 -> 2"),
            "true as well: widths that do not depend on k, whatever they are",
        ),
    },
)


@SLOPES.argued(
    bridge="V_k lies between two multiples of the sum of the noises, whose terms are of the order"
    " j²/γ_j by the bounds of the limits; so its order is that of these sums.",
    uses=_READING,
)
def orders_of_the_sums(one: int, two: int, squares: Any, linear: Any, constant: Any) -> Obligations:
    """Both bounds of V_k over the square of the rate have positive limits."""
    yield f"γ_k = k^{two}", _have_the_order(_J**two, squares)
    yield "γ_k = k", _have_the_order(_J, linear)
    yield f"γ_k = {one}", _have_the_order(Rational(one), constant)


@SLOPES.estimated(draws=200, controls={})
def simulated_exponents(rng: Rng, draws: int) -> Iterator[SlopeTest]:
    """The root mean square error at a few depths k, over V_k^(1/2): a power of k with exponent 0.

    Depths are simulated independently. At 4 to 16 layers V_k is not yet a power of k.
    """
    plans = (("squares", 64, (2, 4, 8)), ("linear", 128, (4, 8, 16)), ("constant", 1024, (4, 8, 16)))
    for name, unit, depths in plans:
        m, sizes, deviations = unit * isqrt(draws // 200), [], []
        for depth in depths:
            gammas = [PATTERNS[name](j) for j in range(1, depth)]
            errors = errors_at(sqrt(2), gammas, m, rng, draws)[:, -1]
            variance = error_moments(sqrt(2), [float(one) for one in gammas], 1).variances[-1]
            square = float(np.mean(errors**2))
            sizes.append(sqrt(m * square / variance))
            # A root has half the relative error of the mean square.
            deviations.append(sizes[-1] * float(np.std(errors**2)) / (2 * square * sqrt(draws)))
        yield slope_test(depths, sizes, deviations, 0.0)


MEANS = claim(
    "eoc.fig1.means",
    at="Figure 1; Remark 13",
    title="The mean of the error grows like log k, k, k²: nearly as the remark says of the error",
    states=sentence(_orders("$beta_k", r"(\log k)"), one=1, two=2, squares=1, linear=1, constant=2),
    assuming=_READING,
    rests_on=["eoc.fig1.bounds", "eoc.fig1.law"],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#figure-1",
    excused={"domain of beta_k": "true as well: by its bounds it is not negative"},
)


@MEANS.argued(
    bridge="β_k lies between multiples of the sums of j/γ_j, above with the sum of V_j/w̃_j³, which"
    " by the bounds of V_j and w̃_j is of lower or the same order.",
    uses=_READING,
)
def orders_of_the_means(one: int, two: int, squares: Any, linear: Any, constant: Any) -> Obligations:
    """Bounds of β_k over the rate have positive limits.

    V_j ≤ (1 + w_1)² j^(3 - power)/(3 - power) and w̃_j ≥ 4j/(3π) make the last sum one of
    j^(-power).
    """
    rates = (log(_K) ** Rational(squares), _K ** Rational(linear), _K ** Rational(constant))
    for power, rate in zip((two, one, 0), rates, strict=True):
        total = sp.summation(_J ** (1 - power), (_J, 1, _K - 1))
        rest = sp.summation(_J ** (-power), (_J, 1, _K - 1)) / INCREMENT**3
        above = Rational(11, 10) * (1 + _W) * total + 2 * (1 + _W) ** 2 * rest
        yield f"γ_k = k^{power}", _grows_like(INCREMENT / 2 * total, above, rate)
