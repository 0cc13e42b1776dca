"""Section 3.3, Proposition 27: inner products of backpropagation matrices of all pairs of inputs.

Notation of the explicit bounds: S = 1/(k₁ - 1) + … + 1/(k₂ - 1), w̃_k = ω^{∘(k-1)}(w₁), and
E_k bounds |w_k - w̃_k| as in Proposition 25.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.certify import Box, Certificate, certify_positive
from symbolic.cosine_maps import varrho, varrho_prime, zeta
from symbolic.equality import equal
from symbolic.notation import DELTA, DOMAIN, z
from theorems.engine import (
    Measured,
    Obligations,
    claim,
    half_line,
    integers,
    interval,
    open_interval,
)
from theorems.engine.domain import Domain
from theorems.eoc_mlp.angles import exact

_GIVEN: dict[str, Domain] = {
    "k_1": integers(2),
    "k_2": integers(3),
    "l": integers(2),
    "n": integers(2),
    "m": integers(1),
    "p": open_interval(0, 1),
    "delta": interval(0, 1),
}
_W: dict[str, Domain] = {"w": half_line(1, closed=False), "delta": interval(0, 1)}
_ALIVE = "m_k = k^2 m, the scalings are equal, (3), no activation vanishes, and k_1 < k_2"
_EVENTS = "all events of Propositions 24 to 27 hold, with L = s + 2 log(l n)"
_NOTE = "proofs_notes/eoc_limits.md#backpropagation-products"
_LOG_2 = sp.log(2)

SECOND = claim(
    "eoc.prop27.second",
    at="Proposition 27, proof",
    title="The second derivative of the cosine map, in inverse distances",
    states=(
        r"\varrho''(1-2w^{-2}) = -\tfrac12\zeta''(w^{-2}) = \Delta_\phi\tfrac2\pi"
        r"(1-(1-2w^{-2})^2)^{-1/2} = \Delta_\phi\tfrac1\pi(1-w^{-2})^{-1/2}w"
    ),
    given=_W,
    rests_on=["eoc.varrho.second", "eoc.zeta.second"],
)


@SECOND.proved(controls={"half": {"factor": 2}, "inverse": {"power": -1}})
def differentiate_twice(factor: int = 1, power: int = 1) -> Obligations:
    """ζ(z) = (1 - ϱ(1 - 2z))/2 twice, and 1 - (1 - 2z)² = 4z(1 - z), z = w⁻²."""
    rho = sp.Symbol("rho", real=True)
    second = sp.diff(varrho(rho, DELTA), rho, 2).subs(rho, 1 - 2 * z)
    yield "-ζ''/2", equal(second, -factor * sp.diff(zeta(z, DELTA), z, 2) / 2, DOMAIN)
    middle = DELTA * 2 / sp.pi / sp.sqrt(1 - (1 - 2 * z) ** 2)
    yield "printed middle", equal(second, middle, DOMAIN)
    w = z ** sp.Rational(-1, 2)
    yield "printed end", equal(second, DELTA / sp.pi * w**power / sp.sqrt(1 - z), DOMAIN)


SLOPE = claim(
    "eoc.prop27.slope",
    at="Proposition 27, proof",
    title="The slopes of the cosine map at nearby cosines",
    states=(
        r"w, \tilde w \ge v > 1 \implies |\varrho'(\rho) - \varrho'(\tilde\rho)| \le"
        r" \frac{4\Delta_\phi}{\pi\sqrt{1-v^{-2}}}\,\frac{|w-\tilde w|}{w\tilde w}"
    ),
    given={**_W, "v": half_line(1, closed=False)},
    rests_on=["eoc.varrho.prime"],
    note=_NOTE,
)


@SLOPE.proved(controls={"half": {"factor": 2}})
def slopes_are_angles(factor: int = 4) -> Obligations:
    """ϱ' = 1 - 2Δt/π, t = 2 arcsin(1/w), whose derivative in s = 1/w is at most 2/√(1 - v⁻²)."""
    t, s = sp.symbols("t s", positive=True)
    inside = {t: sp.Interval.open(0, sp.pi)}
    yield "slope", equal(varrho_prime(sp.cos(t), DELTA), 1 - 2 * DELTA * t / sp.pi, inside)
    steep = 2 * DELTA / sp.pi * sp.diff(2 * sp.asin(s), s)
    claimed = factor * DELTA / sp.pi / sp.sqrt(1 - s**2)
    yield "derivative", equal(steep, claimed, {s: sp.Interval.open(0, 1)})
    w, other = sp.symbols("w v", positive=True)
    yield "1/w - 1/w̃", equal(1 / w - 1 / other, (other - w) / (w * other))


EQ_13 = claim(
    "eoc.prop27.eq13",
    at="Proposition 27, (13), (14)",
    title="All steps of the inner products, with explicit constants",
    states=(
        r"|X'_{k,k} - \varrho'(\rho_{k-1})| \le \frac{\epsilon}{k-1}, \quad"
        r" |X'_{k_1,k_2} - \mathbb{E}X'_{k_1,k_2}| \le \frac{\epsilon F_1F_2}{k_2-1}, \quad"
        r" \epsilon = \kappa_\phi^2\Bigl(\sqrt{\tfrac{6L}{m}} + \tfrac{10}{3}\tfrac Lm\Bigr)"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE,
        "F_i are the Frobenius norms of B_{k_1,k_2-1}(x_i), and the events of the pairs have"
        " probability at least 1 - 2 exp(-s) together with those of Propositions 25 and 26",
    ),
    rests_on=["eoc.prop18.explicit", "eoc.prop19.explicit", "eoc.prop26.eq10", "classical.union"],
    note=_NOTE,
)


@EQ_13.proved(controls={"five_copies": {"copies": 5}, "one_square": {"power": 1}})
def count_all_events(copies: int = 1, power: int = 2) -> Obligations:
    """(l-1)n² of Proposition 25, (l-1)²n of 26, n(n-1)/2 · l(l-1)/2 here: at most (ln)²."""
    l_, n, x, y = sp.symbols("l n x y", positive=True)
    between = (l_ - 1) + (l_ - 1) * (l_ - 2) / 2
    yield "layers and pairs of layers", equal(between, l_ * (l_ - 1) / 2)
    pairs = copies * n * (n - 1) / 2
    total = (l_ - 1) * n**2 + (l_ - 1) ** 2 * n + pairs * l_ * (l_ - 1) / 2
    room = sp.expand(((l_ * n) ** power - total).subs({l_: 2 + x, n: 2 + y}))
    yield "at most (ln)²", all(bool(c >= 0) for c in sp.Poly(room, x, y).coeffs())
    # L ≥ log of the number of events + s, with (ln)² = exp(2 log(ln))
    yield "the level", equal(sp.exp(2 * sp.log(l_ * n)), (l_ * n) ** 2)


COUNT = claim(
    "eoc.prop27.count",
    at="Propositions 24 to 27, Theorem 28",
    title="The printed probabilities add up",
    states=r"2 \cdot 1 = 2,\ 2 + 2 = 4,\ 3 \cdot 2 = 6,\ 4 + 6 + 2 \cdot 2 = 14,\ 14 + 2 = 16",
    given={},
    rests_on=["classical.union"],
)


@COUNT.proved(controls={"norms_twice": {"norms": 2}, "one_family": {"families": 1}})
def families_of_events(norms: int = 1, families: int = 2) -> Obligations:
    """2e^{-m^p} for each family: norms, proxies; (10), (11), (12); (13), (14); the last layer."""
    yield "Proposition 24", norms * 2 == 2
    cosines = norms * 2 + 2
    yield "Proposition 25", cosines == 4
    backpropagation = 3 * 2
    yield "Proposition 26", backpropagation == 6
    products = cosines + backpropagation + families * 2
    yield "Proposition 27", products == 14
    yield "Theorem 28", products + 2 == 16


TELESCOPE = claim(
    "eoc.prop27.telescope",
    at="Proposition 27, proof",
    title="The four differences",
    states=(
        r"X'_{k_2} - \Pi_{k_2} = (X'_{k_2} - \mathbb{E}X'_{k_2}) + (\mathbb{E}X'_{k_2} -"
        r" \varrho'(\rho)X'_{k_2-1}) + (\varrho'(\rho) - \varrho'(\tilde\rho))X'_{k_2-1} +"
        r" \varrho'(\tilde\rho)(X'_{k_2-1} - \Pi_{k_2-1})"
    ),
    given=_GIVEN,
    assuming=("Π is the product of the limiting slopes, so Π_{k_2} = ϱ'(ρ~) Π_{k_2-1}",),
)


@TELESCOPE.proved(controls={"slopes_exchanged": {"exchanged": 1}})
def add_up(exchanged: int = 0) -> Obligations:
    """Everything but the ends cancels."""
    X, mean, before, slope, limit, product = sp.symbols("X E Y r q P", real=True)
    outer = slope if exchanged else limit
    total = (
        (X - mean) + (mean - slope * before) + (slope - limit) * before + outer * (before - product)
    )
    yield "the sum", equal(sp.expand(total), X - limit * product)


GRADIENT = claim(
    "eoc.prop27.gradient",
    at="Proposition 27, proof",
    title="The gradient dependence decays with the layer, for all data alike",
    states=(
        r"\Delta_\phi\tfrac4\pi\sqrt{1-\rho_{k-1}^2} \le \frac{8\Delta_\phi}{\pi w_{k-1}} \le"
        r" \frac{7}{k-1}, \quad w_{k-1} \ge e^{-1/10}\,\tilde w_{k-1}"
    ),
    given={"k": integers(2), "delta": interval(0, 1)},
    assuming=(
        "the printed bound of the same error is unbounded at w = 1, so that the constant of its"
        " O(1/(k - 1)) depends on the data",
    ),
    rests_on=["eoc.prop17.sharp", "eoc.omega.increment"],
    note=_NOTE,
)


@GRADIENT.proved(controls={"half": {"factor": 4}}, part="identities")
def in_inverse_distances(factor: int = 8) -> Obligations:
    """√(1 - ρ²) = 2√(z(1 - z)) ≤ 2/w; w̃_{k-1} ≥ w₁ + c(k - 2) ≥ c(k - 1) as c < 1 < w₁."""
    rho, k = 1 - 2 * z, sp.Symbol("k", positive=True)
    yield "√(1 - ρ²)", equal(sp.sqrt(1 - rho**2), 2 * sp.sqrt(z * (1 - z)), DOMAIN)
    bound = DELTA * 4 / sp.pi * 2 * sp.sqrt(z)
    yield "8Δ/(πw)", equal(bound, factor * DELTA / sp.pi * sp.sqrt(z), DOMAIN)
    slowest = 4 * DELTA / (3 * sp.pi) * (k - 1)
    from_two = {k: sp.Interval(2, sp.oo)}
    yield "8Δ/(πc(k - 1)) = 6/(k - 1)", equal(8 * DELTA / sp.pi / slowest, 6 / (k - 1), from_two)
    printed = sp.sqrt((1 - rho) / (1 + rho))
    yield "the printed root", equal(printed, sp.sqrt(z / (1 - z)), DOMAIN)


@GRADIENT.certified(controls={"less": {"constant": Fraction(33, 5)}}, part="constant")
def constant(constant: int | Fraction = 7) -> Certificate:
    """6e^(1/10) < 7."""
    return certify_positive(lambda: exact(constant) - 6 * exact(Fraction(1, 10)).exp(), Box())


CUBIC = claim(
    "eoc.prop27.cubic",
    at="Proposition 27, proof",
    title="The sum of squared logarithms",
    states=(
        r"\sum_{k=k_1}^{k_2-1} \frac1k\log^2\frac{k}{k_1-1} \le"
        r" \frac{1}{3\log2}\log^3\frac{k_2}{k_1-1}"
    ),
    given=_GIVEN,
    rests_on=["eoc.prop24.harmonic"],
    note=_NOTE,
)


@CUBIC.proved(controls={"quarter": {"third": sp.Rational(1, 4)}, "square": {"power": 1}})
def compare_with_the_integral(third: Any = sp.Rational(1, 3), power: int = 2) -> Obligations:
    """1/k ≤ ∫_k^{k+1} dx/x / log 2, and log(k/(k₁ - 1)) ≤ log(x/(k₁ - 1)) there."""
    x, first, k = sp.symbols("x k1 k", positive=True)
    antiderivative = third * sp.log(x / first) ** 3
    slope = sp.diff(antiderivative, x)
    yield "antiderivative", equal(slope, sp.log(x / first) ** power / x)
    yield "∫ dx/x = log((k + 1)/k)", equal(sp.log(k + 1) - sp.log(k), sp.log((k + 1) / k))


@CUBIC.tested(
    over=st.tuples(st.integers(2, 30), st.integers(1, 400)), controls={"half": {"factor": 0.5}}
)
def sums_of_logarithms(case: tuple[int, int], factor: float = 1.0) -> Measured:
    """The sum over the bound, k₂ - k₁ up to 400."""
    first, steps = case
    k = np.arange(first, first + steps)
    total = float(np.sum(np.log(k / (first - 1)) ** 2 / k))
    bound = factor * float(np.log((first + steps) / (first - 1)) ** 3) / (3 * np.log(2))
    return Measured(total / bound, steps * 2.0**-50)


EXPLICIT = claim(
    "eoc.prop27.explicit",
    at="Proposition 27",
    title="Simultaneous concentration of backpropagation products, with explicit constants",
    states=(
        r"|X'_{k_1,k_2} - \Pi_{k_1,k_2}| \le e^{\epsilon S}\Bigl(\epsilon S +"
        r" \sum_{k=k_1}^{k_2} D_k\Bigr) + \frac{7\kappa_\phi^2e^{\epsilon S + 2\beta S}}"
        r"{3\log^32}\,\frac{\log^3\frac{k_2}{k_1-1}}{m}, \quad D_2 = 0,\ D_k = \frac{4\Delta_\phi"
        r" e^{1/10}}{\pi\sqrt{1-v^{-2}}}\,\frac{E_{k-1}}{\tilde w_{k-1}^2}"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE,
        _EVENTS,
        "and ν H_{l-1} <= 1/10; v > 1 bounds w_k and its limit from below, k >= 2, and is √2 if"
        " Δ >= 3/5 or w_1 exp(-1/10) >= √2",
    ),
    rests_on=[
        EQ_13,
        SLOPE,
        TELESCOPE,
        GRADIENT,
        CUBIC,
        "eoc.prop17.sharp",
        "eoc.prop25.explicit",
        "eoc.prop26.corrected",
        "eoc.prop26.frobenius",
    ],
    note=_NOTE,
)


@EXPLICIT.proved(
    controls={"no_frobenius": {"norms": 0}, "one_logarithm": {"logs": 2}, "less": {"seven": 6}}
)
def add_the_layers(norms: int = 1, logs: int = 3, seven: int = 7) -> Obligations:
    """R_k ≤ e^{εS}(ε/(k-1) + D_k) + (7/(k-1))‖B‖² + R_{k-1} from R_{k₁} ≤ ε/(k₁-1) + D_{k₁}.

    ‖B_{k₁,k-1}‖ ≤ κe^{εS/2+βS} m^{-1/2} log((k-1)/(k₁-1))/log 2, |X'| ≤ F₁F₂ ≤ e^{εS}, |ϱ'| ≤ 1.
    """
    epsilon, total, m, kappa, beta, logarithm = sp.symbols(
        "epsilon S m kappa beta q", positive=True
    )
    frobenius = sp.exp(epsilon * total * norms)
    yield "F₁F₂ = e^{εS}", equal(sp.exp(epsilon * total / 2) ** 2, frobenius)
    norm = kappa * sp.exp(epsilon * total / 2 + beta * total) / (sp.sqrt(m) * _LOG_2)
    added = seven * norm**2 * logarithm**3 / (3 * _LOG_2)
    claimed = 7 * kappa**2 * sp.exp(epsilon * total + 2 * beta * total) / (3 * _LOG_2**logs)
    yield "cubic term", equal(added, claimed * logarithm**3 / m)


PRINTED = claim(
    "eoc.prop27",
    at="Proposition 27",
    title="Simultaneous concentration of backpropagation inner products",
    states=(
        r"\mathbb{P}\Bigl(\forall k_1 \le k_2, i_1, i_2:\ |X'_{k_1,k_2} - \Pi_{k_1,k_2}| \le"
        r" \log\bigl(\tfrac{k_2}{k_1-1}\bigr)\,O\bigl(\sqrt{\log(ln)}\,\kappa_\phi^2"
        r" m^{-\frac12(1-p)}\bigr)\Bigr) \ge 1 - 14e^{-m^p}"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE,
        "with E_3 as corrected; the constant depends on the data through D_k, and"
        " log(l)^2 = O(m^{(1+p)/2}), so m >= m_0(l)",
    ),
    rests_on=[EXPLICIT, "eoc.prop24.harmonic"],
    note=_NOTE,
)


@PRINTED.proved(controls={"square": {"power": 2}, "faster": {"rate": 1}})
def shapes(power: int = 3, rate: Any = sp.Rational(1, 2)) -> Obligations:
    """S ≤ log(k₂/(k₁-1))/log 2; D_k = O(ε/k) for fixed data; the cubic term is log · (log²/m).

    With n = k - 2 and u = cn/w₁, (k - 1)D_k/ν is at most a multiple of H_n u/(1 + u)² and of 1.
    """
    x, m, p, u, n = sp.symbols("x m p u n", positive=True)
    rest = sp.powsimp(x**power / m / (x * m ** (-rate * (1 - p))))
    yield "log³/m = log ε · log² m^{-(1+p)/2}", equal(rest, x**2 * m ** (-(1 + p) / 2))
    bump = u / (1 + u) ** 2
    yield "u/(1 + u)² ≤ 1/4", equal(sp.Rational(1, 4) - bump, (u - 1) ** 2 / (4 * (1 + u) ** 2))
    bounded = sp.limit(sp.log(n) * (n / (1 + n) ** 2), n, sp.oo)
    yield "so H_n u/(1 + u)² is bounded", bool(bounded == 0)
