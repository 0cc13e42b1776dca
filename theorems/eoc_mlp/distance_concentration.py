"""Proposition 12 with explicit constants, and the algebra of Remark 13."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from scipy.special import chdtr, chdtrc, log_ndtr

from numeric.concentration import distance_tail
from numeric.cosine_maps import omega, zeta
from numeric.statistics import MeanTest
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain
from theorems.eoc_mlp.redrawn import chance, frequency_test, redrawn

_NOTE = "proofs_notes/eoc_concentration.md#cosine-distances"
_GIVEN: dict[str, Domain] = {
    "k": integers(2),
    "t": half_line(0),
    "z": interval(0, 1),
    "delta": interval(0, 1),
}
_ALIVE = "neither x_{k-1}(x_1) nor x_{k-1}(x_2) vanishes"
_POSITIVE = "ζ(z) > 0: the directions differ, and are not opposite if Δ = 1"
_HALF = sp.Rational(1, 2)

MOMENTS = claim(
    "eoc.prop12.moments",
    at="Proposition 12, proof",
    title="Moments of the half difference of activations",
    states=(
        r"\mathbb{E}Y^{2q} \le (\kappa_\phi^2z)^q(2q-1)!! \le \tfrac12q!\,v c^{q-2}, \quad"
        r" v = 3(\kappa_\phi^2z)^2,\ c = 2\kappa_\phi^2z,"
        r"\ Y = \tfrac12\phi(z_1) - \tfrac12\phi(z_2)"
    ),
    given={"q": integers(2), "z": interval(0, 1), "delta": interval(0, 1)},
    rests_on=["eoc.prop12.pathwise", "classical.gaussian_moments"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MOMENTS.proved(controls={"variance_of_the_square": {"v": 2}})
def double_factorials(v: int = 3) -> Obligations:
    """|Y| ≤ κ√z|g|; the quotient of both bounds falls from 1 at q = 2 by (2q + 1)/(2q + 2)."""
    q = sp.Symbol("q", integer=True, positive=True)

    def bound(n: Any) -> Any:
        return sp.factorial(n) / 2 * v * 2 ** (n - 2)

    growth = sp.simplify(sp.gammasimp(bound(q + 1) / bound(q)))
    yield "q = 2", bool(sp.factorial2(3) <= bound(sp.Integer(2)))
    yield "growth of the right side", equal(growth, 2 * q + 2)
    yield "less than it on the left", nonnegative((2 * q + 2) - (2 * q + 1))


EXPLICIT = claim(
    "eoc.prop12.explicit",
    at="Proposition 12",
    title="Concentration of cosine distances with constants",
    states=(
        r"\mathbb{P}\bigl(D \ge (1+t)\sqrt{\zeta(z)}\bigr) \le e^{-\frac{m_{k-1}}{2}"
        r"\left(\frac{\zeta(z)t}{\kappa_\phi^2z}\right)^2}, \quad"
        r" \mathbb{P}\bigl(D \le (1-t)\sqrt{\zeta(z)}\bigr) \le e^{-\frac{m_{k-1}}{3}"
        r"\left(\frac{\zeta(z)t}{\kappa_\phi^2z}\right)^2}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, _POSITIVE),
    rests_on=[
        MOMENTS,
        "eoc.prop12.squared_norm.corrected",
        "eoc.zeta.cosines",
        "eoc.zeta.sandwich",
        "classical.dominated_squares.rate",
        "classical.one_sided",
    ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_U, _T, _E = sp.symbols("u t e", positive=True)


@EXPLICIT.proved(controls={"smaller_level": {"linear": 1}}, part="upper tail")
def as_a_dominated_square(linear: int = 2) -> Obligations:
    """With A = κ²z, u = ζ/A ≤ 1, τ = ut: the level ((1 + t)² - 1)ζ is at least (2τ + τ²)A."""
    less = sp.Symbol("v", nonnegative=True)
    u = 1 / (1 + less)
    level, tau = ((1 + _T) ** 2 - 1) * u, u * _T
    yield "level", equal(sp.expand((1 + _T) ** 2 - 1), linear * _T + _T**2)
    yield "at least 2τ + τ²", nonnegative(level - 2 * tau - tau**2)


@EXPLICIT.proved(controls={"variance": {"fourth": 2}, "rate": {"rate": 2}}, part="lower tail")
def as_a_nonnegative_mean(fourth: int = 3, rate: int = 1) -> Obligations:
    """μ²/ν = u²/3, and with e = 1 - t the rate is 1 - e² + 2e² log e ≥ (1 - e)².

    The difference is 2e(1 - e + e log e), and 1 - e + e log e decreases to 0 at e = 1.
    """
    yield "E(Ag²)² = 3A²", bool(sp.factorial2(3) == fourth)
    x = 1 - _E**2
    entropy = x + (1 - x) * sp.log(1 - x)
    claimed = 2 * _E * (1 - _E + _E * sp.log(_E))
    yield "difference", equal(entropy - rate * (1 - _E) ** 2, claimed)
    last = 1 - _E + _E * sp.log(_E)
    yield "zero at e = 1", equal(last.subs(_E, 1), sp.Integer(0))
    yield "decreases", equal(sp.diff(last, _E), sp.log(_E))


@EXPLICIT.tested(
    over=st.tuples(st.one_of(st.just(1), st.integers(1, 400)), st.floats(0, 60), st.booleans()),
    controls={"a_tenth_more": {"factor": 1.1}},
    part="upper tail",
)
def exact_tails(case: tuple[int, float, bool], factor: float = 1.0) -> Measured:
    """Exact tails for the identity, where MD²/z is a chi-square variable, over both bounds."""
    M, t, upper = case
    log_bound = -factor * M * t * t / (2 if upper else 3)
    if not upper and t > 1:
        return Measured(0.0)
    if M == 1 and upper:
        return Measured(chance(np.log(2) + log_ndtr(-(1 + t)), log_bound))
    tail = chdtrc if upper else chdtr
    exact = float(tail(M, M * ((1 + t) if upper else 1 - t) ** 2))
    return Measured(0.0 if exact < 1e-290 else chance(np.log(exact), log_bound))


@EXPLICIT.estimated(draws=4000, controls={"forty_times": {"factor": 40.0}}, part="lower tail")
def distances_of_networks(
    rng: np.random.Generator, draws: int, factor: float = 1.0
) -> Iterator[MeanTest]:
    """Frequencies in six networks against the bound of both tails, with 1/2 for 1/3."""
    for one in redrawn(rng, draws, apart=True):
        z = float(one.state.squared_cosine_distances(one.layer)[0, 1])
        root = float(np.sqrt(zeta(z, one.delta)))
        t = 0.9 / np.sqrt(one.width)
        bound = distance_tail(t * np.sqrt(factor), z, one.width, one.delta)
        yield frequency_test(np.abs(one.distances - root) >= t * root, bound)


BEST = claim(
    "eoc.prop12.best",
    at="Proposition 12",
    title="The constant one half of the upper tail is the best",
    states=(
        r"\Delta_\phi = 0 \implies D \sim \sqrt z\,\frac{\|x_k\|}{\|x_{k-1}\|},"
        r"\quad \frac{\zeta(z)}{\kappa_\phi^2z} = 1"
    ),
    given={"k": integers(2), "z": interval(0, 1)},
    assuming="so that the upper tail of Proposition 12 contains that of Proposition 14",
    rests_on=["eoc.prop14.best", "eoc.prop12.difference", "eoc.zeta.closed_form"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BEST.proved(controls={"leaky": {"delta": sp.Rational(1, 2)}})
def linear_activation(delta: Any = 0) -> Obligations:
    """For φ(s) = as the half difference is φ of the half difference; κ = 1 and ζ(z) = z."""
    z, angle = sp.symbols("z t", positive=True)
    closed = z - delta / sp.pi * (sp.sin(angle) - angle * sp.cos(angle))
    yield "ζ(z) = z", equal(closed, z, {angle: sp.Interval.open(0, sp.pi)})
    yield "κ = 1", equal(1 + 2 * sp.sqrt(delta * (1 - sp.sympify(delta))), sp.Integer(1))


PROP_12 = claim(
    "eoc.prop12",
    at="Proposition 12",
    title="Concentration of cosine distances of activations",
    states=(
        r"\mathbb{P}_{1:l-1}\Bigl(\zeta(z)^{-1/2}\tfrac{\zeta(z)}{z}\gamma_{k-1}^{1/2}\Bigl|"
        r"\Bigl\|\tfrac12\tfrac{x_k(x_1)}{\|x_{k-1}(x_1)\|}"
        r" - \tfrac12\tfrac{x_k(x_2)}{\|x_{k-1}(x_2)\|}\Bigr\|"
        r" - \zeta(z)^{1/2}\Bigr| \ge t\Bigr) \le 2e^{-\frac{t^2}{O(\kappa_\phi^2m^{-1/2})^2}}"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE + " (missing in the paper)",
        _POSITIVE + " (missing in the paper, which divides by z and ζ(z))",
        "the bars around the difference, lost in the text, are meant",
    ),
    rests_on=[EXPLICIT, "classical.union"],
    note=_NOTE,
)


@PROP_12.proved(controls={"smaller": {"constant": sp.Rational(29, 10)}})
def compare_exponents(constant: Any = 3) -> Obligations:
    """With √3 x for O(x) the printed exponent is that of the lower tail."""
    m, gamma, kappa, z, value = sp.symbols("m gamma kappa z zeta", positive=True)
    relative = _T * z / (value * sp.sqrt(gamma))
    ours = gamma * m * (relative * value / (kappa**2 * z)) ** 2
    printed = m * _T**2 / (constant * kappa**4)
    yield "lower tail", nonnegative(sp.cancel(ours / 3 / printed) - 1)
    yield "upper tail", nonnegative(sp.cancel(ours / 2 / printed) - 1)


WEIGHT = claim(
    "eoc.rem13.weight",
    at="Remark 13",
    title="The weight of the relative error is the inverse distance, up to one",
    states=(
        r"\zeta(z)^{-1/2}\frac{\zeta(z)}{z} = \frac{w^2}{\omega(w)}, \quad"
        r" w - \Delta_\phi \le \frac{w^2}{\omega(w)} \le w - \tfrac{4}{3\pi}\Delta_\phi,"
        r" \quad w = z^{-1/2}"
    ),
    given={"w": half_line(1, closed=False), "delta": interval(0, 1)},
    rests_on=["eoc.zeta.sandwich", "eoc.omega"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@WEIGHT.proved(controls={"inverse": {"power": 1}})
def in_terms_of_omega(power: int = 2) -> Obligations:
    """ζ = ω^(-2); then (w²/ω)² = w²(1 - Δh) between w² - Δw and w² - (8/(3π))Δw.

    √(w² - Δw) ≥ w - Δ, for w² - Δw - (w - Δ)² = Δ(w - Δ); and √(1 - y) ≤ 1 - y/2.
    """
    w, value, delta = sp.symbols("w omega Delta", positive=True)
    weight = sp.sqrt(value**-2) * w**2
    yield "weight", equal(weight, w**power / value)
    beyond = delta + sp.Symbol("v", nonnegative=True)
    yield "lower bound", nonnegative((w**2 - delta * w - (w - delta) ** 2).subs(w, beyond))
    y = 8 / (3 * sp.pi) * delta / w
    yield "upper bound", equal(w * (1 - y / 2), w - 4 / (3 * sp.pi) * delta)
    x = sp.Symbol("x", positive=True)
    yield "(1 - y/2)² ≥ 1 - y", nonnegative((1 - x / 2) ** 2 - (1 - x))


@WEIGHT.tested(
    over=st.tuples(st.floats(1, 1e4, exclude_min=True), st.floats(1e-3, 1)),
    controls={"half": {"factor": 2.0}},
)
def within_the_bounds(case: tuple[float, float], factor: float = 1.0) -> Measured:
    """4Δ/(3π) over w - w²/ω(w)."""
    w, delta = case
    gap = w - w * w / float(omega(w, delta))
    # The gap is at least 0.4Δ; the terms of size w are good to 8 units in the last place.
    rounding = 16 * 2.0**-53 * w / (0.4 * delta)
    return Measured(factor * 4 * delta / (3 * np.pi * gap), rounding)


ALGEBRA = claim(
    "eoc.rem13.algebra",
    at="Remark 13",
    title="Errors of cosine distances scale as 1/k² for γ_k = k²",
    states=(
        r"\gamma_{k-1} = (k-1)^2,\ w_{k-1} \sim \Delta_\phi\tfrac{4}{3\pi}(k-1) \implies"
        r" \zeta(z)^{-1/2}\frac{\zeta(z)}{z}\gamma_{k-1}^{1/2}"
        r" \sim \Delta_\phi\tfrac{4}{3\pi}(k-1)^2, \quad z = w_{k-1}^{-2}"
    ),
    given={"k": integers(3), "delta": interval(0, 1) - {0}},
    assuming="along the limiting iterates w_k = ω(w_{k-1}), which grow so",
    rests_on=[WEIGHT, "eoc.quoted.p13"],
    note=_NOTE,
)


@ALGEBRA.proved(controls={"linear": {"gamma": 1}, "other_factor": {"factor": 2}})
def insert_the_iterates(gamma: int = 2, factor: int = 1) -> Obligations:
    """With w = c(k - 1) + o(k) and w²/ω(w) = w + O(1) the quotient of both sides tends to 1."""
    n, c, o = sp.symbols("n c o", positive=True)  # n = k - 1; o stands for a bounded term
    w = c * n + o * sp.log(n)
    for offset in (0, 1):
        weight = (w - offset) * sp.sqrt(n**gamma)
        limit = sp.limit(weight / (factor * c * n**2), n, sp.oo)
        yield f"offset {offset}", equal(limit, sp.Integer(1))
