"""Section 3.3, proof of Proposition 25: growth of the iterates of ω, with the logarithmic term.

With c = 4Δ/(3π) and a = 2Δ/π, the function w - a log w grows by c + O(Δ/w²) in each layer.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st

from numeric.certify import Box, Certificate, certify_positive
from numeric.cosine_maps import omega
from symbolic.equality import equal
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain
from theorems.eoc_mlp.angles import exact

_GIVEN: dict[str, Domain] = {
    "w": half_line(1, closed=False),
    "delta": interval(0, 1),
    "k": integers(1),
}
_NOTE = "proofs_notes/eoc_limits.md#iterates-of-omega"
_LOG = sp.Rational(3, 8)  # a s/2 as a multiple of y = (8/(3π))Δs

POTENTIAL = claim(
    "eoc.omega.potential",
    at="Proposition 25, proof",
    title="w - (2Δ/π) log w grows by 4Δ/(3π) in each layer, up to O(Δ/w²)",
    states=(
        r"D = \Bigl[\omega(w) - \tfrac{2\Delta_\phi}{\pi}\log\omega(w)\Bigr]"
        r" - \Bigl[w - \tfrac{2\Delta_\phi}{\pi}\log w\Bigr] - \tfrac{4\Delta_\phi}{3\pi}:"
        r"\quad D \ge 0 \ (w > 1), \quad D \le \tfrac38\Delta_\phi w^{-2}\ (w \ge \sqrt2)"
    ),
    given=_GIVEN,
    rests_on=["eoc.zeta.closed_form", "eoc.zeta.sandwich"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@POTENTIAL.proved(controls={"larger_log": {"log": sp.Rational(2, 5)}}, part="signs")
def coefficients_are_nonnegative(log: Any = _LOG) -> Obligations:
    """As power series in Δ and s = 1/w the left side, times s/Δ, has no negative coefficient.

    With x = Δh and y = (8/(3π))Δs it is E = (1 - x)^(-1/2) - 1 - y/2 + (3/8) y log(1 - x), that
    is (x - y)/2 + Σ_{n≥2} x^(n-1) (p_n x - (3/8) y/(n - 1)) with p_n = C(2n, n)/4ⁿ.  As x - y
    has no negative coefficients, it is enough that (n - 1) p_n ≥ 3/8.
    """
    w, growth, delta = sp.symbols("w q Delta", positive=True)  # q = ω/w = (1 - x)^(-1/2)
    y = sp.Rational(8, 3) / sp.pi * delta / w
    gained = w * (growth - 1) - 2 * delta / sp.pi * sp.log(growth) - 4 * delta / (3 * sp.pi)
    yield (
        "s times the gain is E",
        equal(gained / w, growth - 1 - y / 2 - 2 * log * y * sp.log(growth)),
    )
    x, n = sp.Symbol("x", real=True), sp.Symbol("n", integer=True, positive=True)
    series = sp.series((1 - x) ** sp.Rational(-1, 2), x, 0, 6).removeO()
    p = [sp.binomial(2 * j, j) / sp.Integer(4) ** j for j in range(6)]
    yield "p_n is the coefficient", equal(series, sum(c * x**j for j, c in enumerate(p)))
    yield "n = 2", bool(p[2] >= log)
    ratio = (2 * n + 1) / (2 * n + 2) * (n + 1 - 1) / (n - 1)
    more = sp.expand((2 * n + 1) * n - (2 * n + 2) * (n - 1))
    from_two = {n: sp.Interval(2, sp.oo)}
    yield "(n - 1) p_n increases", equal((ratio - 1) * (2 * n + 2) * (n - 1), more, from_two)
    yield "by a positive amount", more.is_positive


@POTENTIAL.certified(controls={"below_best": {"bound": Fraction(37, 100)}}, part="largest value")
def at_the_right_angle(bound: Fraction = Fraction(3, 8)) -> Certificate:
    """By the signs w²(...)/Δ is largest at Δ = 1, w = √2, where ζ/z = 1 - 2/π; it is 0.3704…."""

    def slack() -> arb:
        w, pi = arb(2).sqrt(), arb.pi()
        growth = 1 / (1 - 2 / pi).sqrt()
        gained = w * (growth - 1) - 2 / pi * growth.log() - 4 / (3 * pi)
        return exact(bound) - gained * w * w

    return certify_positive(slack, Box())


QUOTED = claim(
    "eoc.quoted.p13",
    at="Proposition 25, proof",
    title="Growth of the iterates of ω, from fixed w_1",
    states=(
        r"\omega^{\circ(k-1)}(w_1) = w_1 + \Delta_\phi\tfrac{4}{3\pi}(k-1)"
        r" + \Delta_\phi\tfrac2\pi\log\bigl(\Delta_\phi^{-1}\tfrac{3\pi}{4}w_1 + k - 1\bigr)"
        r" + O(1), \quad k \to \infty"
    ),
    given={**_GIVEN, "delta": interval(0, 1) - {0}},
    assuming=("w_1 and Δ > 0 are fixed; Proposition 25 adds an error ε to 4/(3π)",),
    rests_on=["eoc.quoted.p13.uniform.corrected", "eoc.omega.expansion", "eoc.omega.increment"],
    provenance=Provenance.QUOTED,
    note=_NOTE,
)


@QUOTED.proved(controls={"half": {"log": 1 / sp.pi}, "double": {"log": 4 / sp.pi}})
def coefficient_of_the_logarithm(log: Any = 2 / sp.pi) -> Obligations:
    """A term c₂/w in ω(w) = w + c₁ + c₂/w + … sums to (c₂/c₁) log.

    The two logarithms, printed and corrected, differ by a constant.  From w₁ < √2 the iterates
    pass √2 in finitely many layers, for each adds at least c₁.
    """
    delta, w, n = sp.symbols("Delta w n", positive=True)
    first, second = 4 * delta / (3 * sp.pi), 8 * delta**2 / (3 * sp.pi**2)
    yield "(c₂/c₁) = (2/π)Δ", equal(second / first, log * delta)
    printed = 3 * sp.pi * w / (4 * delta) + n
    corrected = 1 + first * n / w
    constant = sp.simplify(printed / corrected)
    yield "ratio of the arguments is free of k", equal(sp.diff(constant, n), sp.Integer(0))


UNIFORM = claim(
    "eoc.quoted.p13.uniform",
    at="Proposition 25, proof",
    title="Growth of the iterates of ω, with one O(1) for all w_1",
    states=(
        r"\exists C\ \forall w_1 > 1,\ k \ge 1:\quad w_1 + \Delta_\phi\tfrac{4}{3\pi}(k-1)"
        r" + \Delta_\phi\tfrac2\pi\log\bigl(\Delta_\phi^{-1}\tfrac{3\pi}{4}w_1 + k - 1\bigr) - C"
        r" \le \omega^{\circ(k-1)}(w_1)"
    ),
    given={**_GIVEN, "delta": interval(0, 1) - {0}},
    provenance=Provenance.QUOTED,
    note=_NOTE,
)


@UNIFORM.refuted(controls={"corrected": {"inside": 1}})
def first_layer(inside: int = 0) -> Obligations:
    """At k = 1 it says (2Δ/π) log(3πw₁/(4Δ)) ≤ C: unbounded in w₁ (log 1 when corrected)."""
    delta, w = sp.symbols("Delta w", positive=True)
    argument = sp.Integer(1) if inside else 3 * sp.pi * w / (4 * delta)
    excess = 2 * delta / sp.pi * sp.log(argument)
    yield "unbounded as w₁ → ∞", bool(sp.limit(excess, w, sp.oo) == sp.oo)


GROWTH = UNIFORM.corrected(
    "eoc.quoted.p13.uniform.corrected",
    title="Two-sided bounds of the iterates of ω for all w_1",
    states=(
        r"D = \omega^{\circ(k-1)}(w) - w - \tfrac{4\Delta_\phi}{3\pi}(k-1)"
        r" - \tfrac{2\Delta_\phi}{\pi}"
        r"\log\Bigl(1 + \tfrac{4\Delta_\phi}{3\pi}\tfrac{k-1}{w}\Bigr):"
        r" \quad D \ge 0 \ (w > 1), \quad D \le \tfrac{12}{5} w^{-1}\ (w \ge \sqrt2)"
    ),
    given=_GIVEN,
    rests_on=[POTENTIAL, "eoc.omega.increment"],
    note=_NOTE,
)


@GROWTH.proved(controls={"larger_log": {"log": sp.Rational(3, 2)}}, part="lower bound")
def sum_the_potential(log: int | Any = 1) -> Obligations:
    """Sum w - a log w over the layers; log(w_k/w) ≥ log(1 + c(k - 1)/w) as w_k ≥ w + c(k - 1)."""
    w, last, gain, a, n = sp.symbols("w w_k c a n", positive=True)
    telescoped = (last - a * sp.log(last)) - (w - a * sp.log(w)) - gain * n
    claimed = last - w - gain * n - log * a * sp.log(last / w)
    yield "the sum", equal(telescoped, claimed)
    ratio = sp.expand((w + gain * n) / w)
    yield "the ratio", equal(ratio, 1 + gain * n / w)


@GROWTH.certified(controls={"less": {"bound": Fraction(236, 100)}}, part="upper bound")
def constant_at_the_right_angle(bound: Fraction = Fraction(12, 5)) -> Certificate:
    """w times the bound below is largest at w = √2, Δ = 1.

    The gains sum to δ ≤ (3/8)Δ Σ (w + cj)⁻² ≤ (3/8)(Δ/w² + 3π/(4w)), and with W = w + c(k - 1)
    and log(w_k/W) ≤ (w_k - W)/W the left side is at most δ w/(w - a) + a²/(e (w - a)).
    """

    def slack() -> arb:
        w, a = arb(2).sqrt(), 2 / arb.pi()
        gains = exact(Fraction(3, 8)) * (1 / w**2 + 3 * arb.pi() / (4 * w))
        total = gains * w / (w - a) + a * a / (arb(1).exp() * (w - a))
        return exact(bound) - w * total

    return certify_positive(slack, Box())


@GROWTH.proved(controls={"plain": {"power": 1}}, part="upper bound")
def steps_of_the_upper_bound(power: int = 2) -> Obligations:
    """The integral bound of the sum, and the largest value of log(1 + x)/(1 + x)."""
    w, c, x, j = sp.symbols("w c x j", positive=True)
    tail = sp.integrate((w + c * j) ** -power, (j, 0, sp.oo))
    yield "∫ (w + cj)⁻² dj = 1/(cw)", equal(tail, 1 / (c * w)) if tail.is_finite else False
    delta = sp.Symbol("Delta", positive=True)
    inserted = (delta / w**2 + delta / (c * w)).subs(c, 4 * delta / (3 * sp.pi))
    yield "with c = 4Δ/(3π)", equal(inserted, delta / w**2 + 3 * sp.pi / (4 * w))
    ratio = sp.log(1 + x) / (1 + x)
    slope = sp.diff(ratio, x) * (1 + x) ** 2
    yield "slope has the sign of 1 - log(1 + x)", equal(slope, 1 - sp.log(1 + x))
    yield "largest value 1/e", equal(ratio.subs(x, sp.E - 1), sp.exp(-1))


_CASES = st.tuples(st.floats(2**0.5, 50), st.floats(0.01, 1), st.integers(1, 80))


def _excess(case: tuple[float, float, int]) -> tuple[float, float]:
    """w_k less the leading terms, for w ≥ √2, and the rounding error in it."""
    start, delta, layers = case
    w, c = start, 4 * delta / (3 * np.pi)
    for _ in range(layers):
        w = float(omega(w, delta))
    leading = start + c * layers + 2 * delta / np.pi * float(np.log1p(c * layers / start))
    # Each ω errs by 4 units in the last place of w, and ω is 1-Lipschitz.
    return w - leading, 4 * (layers + 1) * 2.0**-53 * w


@GROWTH.tested(over=_CASES, controls={"quarter": {"bound": 0.4}}, part="upper bound")
def excess_over_bound(case: tuple[float, float, int], bound: float = 2.4) -> Measured:
    """w times the excess over 12/5."""
    excess, rounding = _excess(case)
    return Measured(excess * case[0] / bound, rounding * case[0] / bound)


@GROWTH.tested(over=_CASES, controls={"larger_log": {"more": 0.5}}, part="lower bound")
def leading_terms_over_iterate(case: tuple[float, float, int], more: float = 0.0) -> Measured:
    """The leading terms over w_k, with a larger coefficient of the logarithm as the control."""
    excess, rounding = _excess(case)
    start, delta, layers = case
    growth = float(np.log1p(4 * delta / (3 * np.pi) * layers / start))
    excess -= more * 2 * delta / np.pi * growth
    return Measured(1 - excess, rounding)
