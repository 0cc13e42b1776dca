"""Section 3.3, Proposition 25: the cosines of all pairs in all layers, by induction over layers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st

from numeric.certify import Box, Certificate, certify_positive
from numeric.cosine_maps import omega
from symbolic.cosine_maps import varrho, varrho_prime
from symbolic.equality import equal
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain
from theorems.eoc_mlp.angles import exact
from theorems.eoc_mlp.inverse_distances import GOLDEN

_GIVEN: dict[str, Domain] = {"w": half_line(1, closed=False), "delta": interval(0, 1)}
_LAYERS: dict[str, Domain] = {**_GIVEN, "k": integers(2), "l": integers(2), "n": integers(2)}
_NOTE = "proofs_notes/eoc_limits.md#cosines"
_DELTA = sp.Symbol("Delta", positive=True)

LOGARITHMIC = claim(
    "eoc.omega.logarithmic",
    at="Proposition 25, proof",
    title="In the logarithm, ω is 1-Lipschitz up to Δ = 2/3, and on acute angles for every Δ",
    states=(
        r"-1 \le \frac{w\,\omega'(w)}{\omega(w)} \le 1 \quad (\Delta_\phi \le \tfrac23"
        r" \text{ or } w \ge \sqrt2)"
    ),
    given=_GIVEN,
    rests_on=["eoc.omega.prime", "eoc.zeta.second", "eoc.omega.acute"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@LOGARITHMIC.proved(controls={"larger": {"threshold": sp.Rational(7, 10)}})
def slopes_of_zeta(threshold: Any = sp.Rational(2, 3)) -> Obligations:
    """It is zζ'/ζ ≤ 1, as ζ is concave with ζ(0) = 0; and ζ + zζ' = z(2 - Δ(h + 2t/π)).

    h ≤ 1 and 2t/π ≤ 2, both reached at t = π.
    """
    z, value, slope, w = sp.symbols("z zeta zeta1 w", positive=True)
    omega_prime = slope * (z / value) ** sp.Rational(3, 2)
    share = w * omega_prime * sp.sqrt(value)
    yield "zζ'/ζ", equal(share.subs(w, z ** sp.Rational(-1, 2)), z * slope / value)
    h, turn = sp.symbols("h r", positive=True)
    total = z * (1 - _DELTA * h) + z * (1 - _DELTA * turn)
    yield "ζ + zζ'", equal(total, z * (2 - _DELTA * (h + turn)))
    yield "at h = 1, 2t/π = 2", bool(2 - threshold * (1 + 2) >= 0)


GOLDEN_STEP = claim(
    "eoc.omega.increment.upper",
    at="Proposition 25, proof",
    title="Each layer adds at most Δ to the inverse cosine distance",
    states=(
        r"\omega(w) \le w + \Delta_\phi \quad \bigl(\Delta_\phi \le \tfrac{\sqrt5-1}{2}"
        r" \text{ or } w \ge \sqrt2\bigr)"
    ),
    given=_GIVEN,
    rests_on=["eoc.omega.slope", "eoc.zeta.closed_form"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@GOLDEN_STEP.proved(
    controls={"larger": {"threshold": sp.Rational(5, 8)}}, part="up to the inverse golden ratio"
)
def at_antipodal_inputs(threshold: Any = GOLDEN) -> Obligations:
    """ω(w) - w decreases; at w = 1 it is (1 - Δ)^(-1/2) - 1 ≤ Δ, that is 1 - Δ - Δ² ≥ 0."""
    square = sp.expand((1 + _DELTA) ** 2 * (1 - _DELTA) - 1)
    yield "(1 + Δ)²(1 - Δ) ≥ 1", equal(square, _DELTA * (1 - _DELTA - _DELTA**2))
    yield "up to the threshold", bool(sp.simplify(1 - threshold - threshold**2) >= 0)


@GOLDEN_STEP.certified(controls={"less": {"rate": Fraction(93, 100)}}, part="acute angles")
def at_the_right_angle(rate: Fraction | int = 1) -> Certificate:
    """At w = √2 it is √2((1 - 2Δ/π)^(-1/2) - 1), convex in Δ and 0 at Δ = 0: at most 0.9318Δ."""

    def slack() -> arb:
        return exact(rate) - arb(2).sqrt() * (1 / (1 - 2 / arb.pi()).sqrt() - 1)

    return certify_positive(slack, Box())


ACUTE = claim(
    "eoc.prop25.acute",
    at="Proposition 25, proof",
    title="From the second layer on angles are acute with room to spare, for Δ ≥ 3/5",
    states=(
        r"\Delta_\phi \ge \tfrac35 \implies \varrho(\rho) \ge \frac{3}{5\pi}, \quad"
        r" e^{-1/10}\,\omega(w) \ge \sqrt2"
    ),
    given={"w": half_line(1, closed=False), "delta": interval(Fraction(3, 5), 1)},
    rests_on=["eoc.varrho.closed_form", "eoc.varrho.prime"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ACUTE.proved(controls={"ninth": {"claimed": sp.Rational(31, 50) / sp.pi}}, part="least cosine")
def least_cosine(claimed: Any = sp.Rational(3, 5) / sp.pi) -> Obligations:
    """ϱ is convex and increases with Δ; at Δ = 3/5 its slope vanishes at ρ = -√3/2."""
    where, share = -sp.sqrt(3) / 2, sp.Rational(3, 5)
    yield "the slope vanishes", equal(varrho_prime(where, share), sp.Integer(0))
    yield "the value", equal(varrho(where, share), sp.sympify(claimed))
    rho = sp.Symbol("rho", real=True)
    inside = {rho: sp.Interval.open(-1, 1)}
    growth = sp.diff(varrho(rho, _DELTA), _DELTA)
    slope = sp.diff(growth, rho)
    yield "∂ϱ/∂Δ decreases in ρ", equal(slope, -2 / sp.pi * sp.acos(rho), inside)
    yield "to 0 at ρ = 1", equal(growth.subs(rho, 1), sp.Integer(0))


@ACUTE.certified(controls={"eighth": {"room": Fraction(11, 100)}}, part="room")
def room(room: Fraction = Fraction(1, 10)) -> Certificate:
    """ω ≥ ((1 - 3/(5π))/2)^(-1/2) = 1.5723…, more than √2 e^(1/10)."""

    def slack() -> arb:
        least = (2 / (1 - 3 / (5 * arb.pi()))).sqrt()
        return least - arb(2).sqrt() * exact(room).exp()

    return certify_positive(slack, Box())


INDUCTION = claim(
    "eoc.prop25.induction",
    at="Proposition 25, proof",
    title="The induction, with one constant for all data and all Δ",
    states=(
        r"\exists C\ \forall w_1, \Delta_\phi:\quad (8), (9) \implies"
        r" |w_k - \omega^{\circ(k-1)}(w_1)| \le C\Delta_\phi(k-1)\epsilon"
    ),
    given=_LAYERS,
    note=_NOTE,
)


@INDUCTION.refuted(controls={"corrected": {"with_start": 1}})
def both_norms_up(with_start: int = 0) -> Obligations:
    """k = 2, D = √ζ and f₁ = f₂ = 1 + ε: w₂ = (1 + ε)ω(w₁), off by more than ε; let Δ → 0.

    (The paper takes (k - 1)⁻¹ω(w_{k-1}) ≤ O(Δ), while ω(w₁) > 1 whatever Δ is.)
    """
    epsilon, constant, distance = sp.symbols("epsilon C D", positive=True)
    f = 1 + epsilon
    z = distance**2 / (f * f)
    yield "w₂ = (1 + ε)ω(w₁)", equal(z ** sp.Rational(-1, 2), f / distance)
    bound = constant * (_DELTA + with_start) * epsilon
    yield "ε ω(w₁) > ε exceeds it as Δ → 0", bool(sp.limit(epsilon / bound, _DELTA, 0) == sp.oo)


ERRORS = INDUCTION.corrected(
    "eoc.prop25.induction.corrected",
    title="Errors of the inverse cosine distances, with explicit constants",
    states=(
        r"\Bigl|\log\tfrac{w_j}{\omega(w_{j-1})}\Bigr| \le \tfrac{\nu}{j-1},\;"
        r" \nu H_{l-1} \le \tfrac{1}{10} \implies \Bigl|\log\tfrac{w_k}{\tilde w_k}\Bigr|"
        r" \le \nu H_{k-1},\ |w_k - \tilde w_k| \le \nu e^{\nu H_{k-1}}\bigl(W H_{k-1}"
        r" + \Delta_\phi(k-1)\bigr)"
    ),
    given=_LAYERS,
    assuming=(
        "the limits are the iterates of ω at w_1, and W = max(w_1, ω(w_1) - Δ), which is w_1 if"
        " w_1^2 >= 2 or Δ^2 + Δ <= 1",
    ),
    rests_on=[LOGARITHMIC, GOLDEN_STEP, ACUTE, "eoc.omega.lipschitz.corrected", "eoc.omega.acute"],
    note=_NOTE,
)


@ERRORS.proved(controls={"one_layer_less": {"first": 3}, "no_growth": {"growth": 0}})
def sum_the_errors(first: int = 2, growth: int = 1) -> Obligations:
    """E_k ≤ E_{k-1} + (e^{ν/(k-1)} - 1) ω(w_{k-1}), ω(w_{k-1}) ≤ e^{νH_{k-2}} w̃_k, eˣ - 1 ≤ xeˣ.

    Both w and w̃ are acute from the second layer on if Δ ≥ 3/5, and ω is 1-Lipschitz, in w and
    in log w, if Δ ≤ 3/5; finally w̃_j ≤ W + Δ(j - 1).
    """
    x = sp.Symbol("x", nonnegative=True)
    gap = x * sp.exp(x) - sp.exp(x) + 1
    yield "xeˣ - eˣ + 1 vanishes at 0", equal(gap.subs(x, 0), sp.Integer(0))
    yield "and increases", equal(sp.diff(gap, x), x * sp.exp(x))
    k, start = sp.symbols("k W", positive=True)
    for last in range(2, 9):
        terms = [(start + growth * _DELTA * (i - 1)) / (i - 1) for i in range(first, last + 1)]
        claimed = start * sp.harmonic(last - 1) + _DELTA * (last - 1)
        yield f"the sum at k = {last}", equal(sum(terms, sp.Integer(0)), claimed)
    step = (start + growth * _DELTA * (k - 1)) / (k - 1)
    yield "its step", equal(step, start / (k - 1) + _DELTA, {k: sp.Interval(2, sp.oo)})


def _histories() -> Any:
    signs = st.lists(st.sampled_from([-1.0, 1.0, 0.3]), min_size=1, max_size=40)
    starts = st.one_of(st.floats(1.001, 3), st.floats(1.001, 300))
    return st.tuples(starts, st.floats(0.01, 1), signs, st.floats(0.01, 1))


def _follow(case: tuple[float, float, list[float], float]) -> tuple[float, ...]:
    """(w_k, w̃_k, ν, H_{k-1}, W) for errors of the given signs, as large as is allowed."""
    start, delta, signs, size = case
    harmonic = float(np.sum(1 / np.arange(1, len(signs) + 1)))
    nu = 0.1 * size / harmonic
    noisy = exact_value = start
    for layer, sign in enumerate(signs, start=1):
        # Inverse distances are never below 1, to which the error is then cut.
        noisy = max(1 + 1e-9, float(omega(noisy, delta)) * float(np.exp(sign * nu / layer)))
        exact_value = float(omega(exact_value, delta))
    first = max(start, float(omega(start, delta)) - delta)
    return noisy, exact_value, nu, harmonic, first


@ERRORS.tested(
    over=_histories, controls={"less": {"factor": 0.85}, "no_start": {"with_start": 0.0}}
)
def errors_over_bound(
    case: tuple[float, float, list[float], float], factor: float = 1.0, with_start: float = 1.0
) -> Measured:
    """|w_k - w̃_k| over its bound, for errors of all signs."""
    noisy, limit, nu, harmonic, start = _follow(case)
    layers, delta = len(case[2]), case[1]
    bound = nu * np.exp(nu * harmonic) * (with_start * start * harmonic + delta * layers)
    # ω errs by 4 units in the last place and is 1-Lipschitz (from the second layer on).
    rounding = 16 * (layers + 1) * 2.0**-53 * limit
    return Measured(abs(noisy - limit) / (factor * bound), rounding / bound)


LAST = claim(
    "eoc.prop25.last",
    at="Proposition 25, proof",
    title="From inverse cosine distances to cosines",
    states=(
        r"|\rho_k - \tilde\rho_k| = 2\,|w_k^{-2} - \tilde w_k^{-2}| \le"
        r" 4e^{2\lambda}\,\tilde w_k^{-3}\,|w_k - \tilde w_k|, \quad"
        r" \lambda = \Bigl|\log\frac{w_k}{\tilde w_k}\Bigr|"
    ),
    given=_LAYERS,
    note=_NOTE,
)


@LAST.proved(controls={"half": {"constant": 2}, "square": {"power": 2}})
def factor_the_difference(constant: int = 4, power: int = 3) -> Obligations:
    """2(u⁻² - v⁻²) = 2(v - u)(u + v)/(u²v²), with u ≥ e^(-λ)v and e^λ ≤ e^(2λ)."""
    u, v, grow = sp.symbols("u v q", positive=True)  # q = e^λ ≥ 1
    difference = 2 * (u**-2 - v**-2)
    yield "factors", equal(difference, 2 * (v - u) * (1 / (u * v**2) + 1 / (u**2 * v)))
    largest = (1 / (u * v**2) + 1 / (u**2 * v)).subs(u, v / grow)
    yield "at u = e^(-λ)v", equal(2 * largest, 2 * (grow + grow**2) * v**-power)
    excess = sp.expand((constant * grow**2 - 2 * (grow + grow**2)).subs(grow, 1 + v))
    yield "2(q + q²) ≤ 4q²", all(c >= 0 for c in sp.Poly(excess, v).all_coeffs())


EXPLICIT = claim(
    "eoc.prop25.explicit",
    at="Proposition 25",
    title="Simultaneous concentration of the cosines, with explicit constants",
    states=(
        r"\nu H_{l-1} \le \tfrac{1}{10} \implies \mathbb{P}\Bigl(\forall k, i_1 \ne i_2:\;"
        r" |\rho_k - \tilde\rho_k| \le \tfrac{27}{5}\nu\,\tfrac{W H_{k-1} + \Delta_\phi(k-1)}"
        r"{(w_1 + \frac{4\Delta_\phi}{3\pi}(k-1))^3}\Bigr) \ge 1 - 2e^{-s}, \quad"
        r" \nu = \tfrac{3\sqrt3}{2}\kappa_\phi^2 Q\sqrt{\tfrac{s + \log((l-1)n^2)}{m}}"
    ),
    given=_LAYERS,
    assuming=(
        "m_k = k^2 m, no two inputs are parallel, W as in the induction",
        "Q is the larger of π/(π - 2) and z_1/ζ(z_1), over the pairs",
    ),
    rests_on=[
        "eoc.prop12.explicit",
        "eoc.prop14.explicit",
        "eoc.prop25.step",
        ERRORS,
        LAST,
        "eoc.omega.increment",
        "classical.union",
    ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT.certified(
    controls={"less": {"factor": Fraction(53, 10)}, "larger_ratio": {"ratio": Fraction(14, 5)}}
)
def numbers(
    factor: Fraction = Fraction(27, 5), ratio: Fraction = Fraction(11, 4)
) -> list[Certificate]:
    """4e^(3/10) < 27/5, and Q ≥ π/(π - 2) > 11/4 bounds z/ζ = 1/(1 - Δh) wherever it is needed.

    On acute angles h ≤ 2/π, so that z/ζ ≤ π/(π - 2); and z/ζ ≤ 1/(1 - Δ) ≤ 5/2 if Δ ≤ 3/5.
    """

    def exponential() -> arb:
        return exact(factor) - 4 * exact(Fraction(3, 10)).exp()

    def acute() -> arb:
        return 1 / (1 - 2 / arb.pi()) - exact(ratio)

    return [certify_positive(one, Box()) for one in (exponential, acute)]


@EXPLICIT.proved(controls={"ordered_pairs": {"copies": 2}}, part="events")
def count_the_events(copies: int = 1) -> Obligations:
    """n norms, n(n - 1)/2 proxies and as many differences in l - 1 layers, each 2e^(-L)."""
    n, l_, s = sp.symbols("n l s", positive=True)
    events = (l_ - 1) * (n + copies * 2 * n * (n - 1) / 2)
    level = s + sp.log((l_ - 1) * n**2)
    yield "the union", equal(events * 2 * sp.exp(-level), 2 * sp.exp(-s))


@EXPLICIT.tested(over=_histories, controls={"less": {"factor": 0.7}})
def cosines_over_bound(
    case: tuple[float, float, list[float], float], factor: float = 1.0
) -> Measured:
    """|ρ_k - ρ̃_k| over its bound, for errors of all signs."""
    noisy, limit, nu, harmonic, start = _follow(case)
    layers, delta = len(case[2]), case[1]
    slowest = case[0] + 4 * delta / (3 * np.pi) * layers
    bound = factor * 5.4 * nu * (start * harmonic + delta * layers) / slowest**3
    rounding = 64 * (layers + 1) * 2.0**-53 / limit**2
    return Measured(abs(2 / noisy**2 - 2 / limit**2) / bound, rounding / bound)


PRINTED = claim(
    "eoc.prop25",
    at="Proposition 25",
    title="Simultaneous concentration of the cosines of activations",
    states=(
        r"\mathbb{P}\Bigl(\forall k, i_1 \ne i_2:\ |\rho_k - \tilde\rho_k| \le"
        r" \Delta_\phi^{-2}(k-1)^{-2}\,O\bigl(\sqrt{\log(ln)}\,\kappa_\phi^2"
        r" m^{-\frac12(1-p)}\bigr)\Bigr) \ge 1 - 4e^{-m^p}"
    ),
    given=_LAYERS,
    assuming=(
        "Δ > 0, no two inputs are parallel, and there is nothing to show at k = 1",
        "the constant depends on the data, C = 20 Q (14 + 3 (W/w_1)(1 + log_+(3πw_1/(4Δ))))"
        " with the notation of the explicit form, and νH_{l-1} <= 1/10, so m >= m_0(l)",
    ),
    rests_on=[EXPLICIT, "eoc.prop24.eq8"],
    note=_NOTE,
)


@PRINTED.proved(
    controls={
        "smaller": {"total": 19},
        "less_log": {"slope": 2},
        "less_cube": {"cube": 13},
        "base": {"base": 5},
    }
)
def shapes(total: int = 20, slope: int = 3, cube: int = 14, base: Any = sp.E) -> Obligations:
    """Δ²n²(W H_n + Δn)/(w₁ + cn)³ ≤ (3π/4)³ + (W/w₁)(3π/4)²(H_n u²/(1 + u)³), u = cn/w₁.

    u²/(1 + u)³ ≤ 4/27, H_n ≤ 1 + log(w₁/c) + log u, and u² log u/(1 + u)³ ≤ 1/e by log u ≤ u/e.
    """
    u, l_ = sp.symbols("u l", positive=True)
    bump = u**2 / (1 + u) ** 3
    stationary = sp.solve(sp.diff(bump, u), u)
    top = sp.Rational(4, 27)
    yield "largest at u = 2", bool(stationary == [2] and bump.subs(u, 2) == top)
    log_gap = u / sp.E - sp.log(u)
    yield "log u ≤ u/e, equal at e", equal(log_gap.subs(u, sp.E), sp.Integer(0))
    yield "convex there", sp.diff(log_gap, u, 2).is_positive
    yield "and tangent", equal(sp.diff(log_gap, u).subs(u, sp.E), sp.Integer(0))
    quarter = 3 * sp.pi / 4
    yield "(3π/4)³ ≤ 14", bool(quarter**3 <= cube)
    yield "(3π/4)²(4/27 + 1/e) ≤ 3", bool(quarter**2 * (top + 1 / sp.E) <= slope)
    # m^p + log((l - 1)n²) ≤ 2 m^p log(ln), for 1 + log(l - 1) ≤ 2 log l.
    quadratic = sp.Poly(l_**2 - base * (l_ - 1), l_)
    yield "e(l - 1) ≤ l²", bool(sp.discriminant(quadratic) < 0 and base >= sp.E)
    nu = sp.Rational(3, 2) * sp.sqrt(3) * sp.sqrt(2)
    yield "(27/5)ν ≤ 20 Q κ² √log(ln) …", bool(sp.Rational(27, 5) * nu <= total)
