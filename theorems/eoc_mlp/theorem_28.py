"""Section 3.3, Theorem 28: from the components to the NTK matrix, step by step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import last_layer_form
from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers, interval
from theorems.engine.domain import Domain, open_interval

_GIVEN: dict[str, Domain] = {
    "l": integers(2),
    "n": integers(2),
    "m": integers(1),
    "m_l": integers(1),
    "p": open_interval(0, 1),
    "delta": interval(0, 1),
}
_ALIVE = "m_k = k^2 m, the scalings are equal, (3), inputs of norm 1, no two parallel"
_NOTE = "proofs_notes/eoc_limits.md#theorem-28"

SUMS = claim(
    "eoc.thm28.sums",
    at="Theorem 28, proof",
    title="The sums of logarithms over the layers",
    states=(
        r"\sum_{k=1}^{l-1}\bigl(\log k + \log\tfrac lk\bigr) = (l-1)\log l, \quad"
        r" \sum_{k=1}^{l-1}\log\tfrac lk \le l - 1, \quad \sum_{k=1}^{l-1}\log^2\tfrac lk \le"
        r" 2(l-1), \quad \sum_{k=2}^{l}(k-1)^{-2} \le \frac{\pi^2}{6}"
    ),
    given={"l": integers(2)},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SUMS.proved(controls={"linear": {"power": 1}, "smaller": {"square": 1}})
def compare_with_integrals(power: int = 2, square: int = 2) -> Obligations:
    """The first term, and for k ≥ 2 the integral over [k - 1, k], as log(l/x) decreases."""
    l_, x, k = sp.symbols("l x k", positive=True)
    yield "terms of the first sum", equal(sp.log(k) + sp.log(l_) - sp.log(k), sp.log(l_))
    one = sp.expand(sp.integrate(sp.log(l_) - sp.log(x), (x, 1, l_)) + sp.log(l_))
    yield "log l + ∫₁ˡ log(l/x) dx = l - 1", equal(one, l_ - 1)
    two = sp.expand(sp.integrate((sp.log(l_) - sp.log(x)) ** 2, (x, 1, l_)) + sp.log(l_) ** 2)
    yield "log² l + ∫₁ˡ log²(l/x) dx", equal(two, square * (l_ - 1) - 2 * sp.log(l_))
    series = sp.summation(1 / k**power, (k, 1, sp.oo))
    yield "π²/6", equal(series, sp.pi**2 / 6) if series.is_finite else False


@SUMS.tested(over=st.integers(2, 3000), controls={"less": {"factor": 0.98}})
def sums_over_bounds(depth: int, factor: float = 1.0) -> Measured:
    """The larger of the two quotients; both tend to 1."""
    logs = np.log(depth / np.arange(1, depth))
    worst = max(float(logs.sum()) / (depth - 1), float((logs**2).sum()) / (2 * (depth - 1)))
    return Measured(worst / factor, depth * 2.0**-50)


DIAGONAL = claim(
    "eoc.thm28.diagonal",
    at="Theorem 28, proof",
    title="The mean on the diagonal",
    states=(
        r"e^{-a} \le \|x_k\| \le e^{a},\ |X'_{k+1,l} - 1| \le e^{b} - 1 \implies"
        r" |X_kX'_{k+1,l} - 1| \le e^{2a+b} - 1, \quad \Bigl|\sum_{k=1}^{l-1}X_kX'_{k+1,l} + X_l"
        r" - l\Bigr| \le l\,(e^{\max\{2\epsilon_1, \epsilon\}H_{l-1}} - 1)"
    ),
    given={"a": half_line(0), "b": half_line(0), "l": integers(2)},
    assuming=(
        "a = ε_1 H_{k-1} with ε_1 that of (8), b = ε(1/k + ... + 1/(l-1)); printed: l log(l) ε",
    ),
    rests_on=["eoc.prop24.induction.corrected", "eoc.prop26.frobenius", "eoc.prop7"],
    note=_NOTE,
)


@DIAGONAL.proved(controls={"norm_not_squared": {"power": 1}, "lower": {"slope": 3}})
def multiply_the_bounds(power: int = 2, slope: int = 2) -> Obligations:
    """Above e^{2a}e^b; below (1 - a)²(2 - eᵇ) ≥ 2 - e^{2a+b}, as (1 - a)² ≥ 1 - 2a."""
    a, q, y = sp.symbols("a q y", nonnegative=True)
    b = sp.Symbol("b", nonnegative=True)
    yield "above", equal(sp.exp(a) ** power * sp.exp(b), sp.exp(2 * a + b))
    yield "(1 - a)² - (1 - 2a)", equal((1 - a) ** 2 - (1 - slope * a), a**2)
    # With y = 2a and q = eᵇ ≥ 1: (1 - y)(2 - q) - 2 + qeʸ = q(eʸ - 1 + y) - 2y ≥ eʸ - 1 - y ≥ 0
    gap = (1 - y) * (2 - q) - 2 + q * sp.exp(y)
    yield "below", equal(gap, q * (sp.exp(y) - 1 + y) - 2 * y)
    yield "at q = 1", equal(gap.subs(q, 1), sp.exp(y) - 1 - y)
    yield "convex from 0", sp.diff(sp.exp(y) - 1 - y, y, 2).is_positive
    k = sp.Symbol("k", integer=True, positive=True)
    total = sp.harmonic(k) + (sp.harmonic(k + 3) - sp.harmonic(k))
    yield "exponents: H_{k-1} and the rest make H_{l-1}", equal(total, sp.harmonic(k + 3))


OFF_DIAGONAL = claim(
    "eoc.thm28.off_diagonal",
    at="Theorem 28, proof",
    title="The mean off the diagonal",
    states=(
        r"|X_kX'_{k+1,l} - \tilde\rho_k\Pi_{k+1,l}| \le \bigl|\|x_k(x_1)\|\|x_k(x_2)\| - 1\bigr|"
        r"\,|X'_{k+1,l}| + |\rho_k - \tilde\rho_k|\,|X'_{k+1,l}| + |X'_{k+1,l} - \Pi_{k+1,l}|"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE,
        "at k = 1 the middle term vanishes; printed it is Δ^-2 (k-1)^-2 ε, which is infinite",
    ),
    rests_on=["eoc.prop25", "eoc.prop27"],
    note=_NOTE,
)


@OFF_DIAGONAL.proved(controls={"cosine_kept": {"kept": 1}})
def three_differences(kept: int = 0) -> Obligations:
    """X_k = |x_k||x_k|ρ_k with |ρ_k| ≤ 1, and |ρ̃_k| ≤ 1 in the last term."""
    size, rho, limit, X, product = sp.symbols("s r t X P", real=True)
    last = rho if kept else limit
    total = (size - 1) * rho * X + (rho - limit) * X + last * (X - product)
    yield "the sum", equal(sp.expand(total), size * rho * X - limit * product)


JACOBIAN = claim(
    "eoc.thm28.jacobian",
    at="Theorem 28, proof",
    title="Norms of the matrix of the last layer",
    states=(
        r"\|J\|_F \le \sum_{k=1}^{l-1}O\Bigl(\kappa_\phi^2\log\bigl(\tfrac{l-1}{k}\bigr)"
        r" m^{-1/2}\Bigr), \quad \|J\| \le \sum_{k=1}^{l-1}O\Bigl(\kappa_\phi^2"
        r"\log\bigl(\tfrac{l-1}{k}\bigr)m^{-1/2}\Bigr)^2"
    ),
    given=_GIVEN,
    assuming=(_ALIVE,),
    note=_NOTE,
)


@JACOBIAN.refuted(controls={"corrected": {"numerator": 0}, "deeper": {"depth": 3}})
def two_layers(numerator: int = 1, depth: int = 2) -> Obligations:
    """l = 2, φ = |·|, |x| = 1, m = 2: the sum is log 1 = 0, but J = B_{2,2}B_{2,2}* = 𝓘/m."""
    network = ExactMLP([[[2], [-3]], [[1, 1]]], a=0, b=1, m=2)
    yield "J = 𝓘/m", bool(last_layer_form(network, [1], [1]) == sp.eye(2) / 2)
    bound = sum(sp.log(sp.Rational(depth - numerator, k)) for k in range(1, depth))
    yield "the bound vanishes", bool(sp.simplify(bound) == 0)


JACOBIAN_CORRECTED = JACOBIAN.corrected(
    "eoc.thm28.jacobian.corrected",
    title="Norms of the matrix of the last layer, with explicit constants",
    states=(
        r"\|J\|_F \le \frac{NF^2\kappa_\phi g}{\log2}\,\frac{l-1}{\sqrt m}, \quad"
        r" \|J\| \le 2N\Bigl(\frac{F\kappa_\phi g}{\log2}\Bigr)^2\frac{l-1}{m}, \quad"
        r" g = e^{\beta H_{l-1}}"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE,
        "N bounds all |x_k(x_1)||x_k(x_2)|, F >= 1 all Frobenius norms",
    ),
    rests_on=[SUMS, "eoc.prop26.corrected"],
    note=_NOTE,
)


@JACOBIAN_CORRECTED.proved(controls={"frobenius_once": {"power": 1}, "one": {"two": 1}})
def insert_the_norms(power: int = 2, two: int = 2) -> Obligations:
    """|BB'*|_F ≤ ‖B‖|B'|_F with ‖B_{k+1,l}‖ ≤ κFg m^(-1/2) log(l/k)/log 2, then the sums."""
    N, F, kappa, g, m, logarithm, l_ = sp.symbols("N F kappa g m q l", positive=True)
    norm = kappa * F * g * logarithm / (sp.log(2) * sp.sqrt(m))
    linear = N * F**power * kappa * g / sp.log(2) * (l_ - 1) / sp.sqrt(m)
    yield "Frobenius", equal((N * norm * F).subs(logarithm, l_ - 1), linear)
    square = 2 * N * (F * kappa * g / sp.log(2)) ** 2 * (l_ - 1) / m
    yield "operator", equal((N * norm**2).subs(logarithm**2, two * (l_ - 1)), square)


EQ_15 = claim(
    "eoc.thm28.eq15",
    at="Theorem 28, proof, (15)",
    title="The last layer, with the depth under the root",
    states=(
        r"\|K_\theta(x_{i_1}, x_{i_2}) - \mathbb{E}_{A_l}K_\theta(x_{i_1}, x_{i_2})\| \le"
        r" (l-1)\,l^{1/2}\,\epsilon"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, "with probability at least 1 - 16 exp(-m^p), one ε for all m_l"),
    rests_on=["classical.laurent_massart", "eoc.prop9.reduction"],
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)

UNIFORM = claim(
    "eoc.thm28.uniform",
    at="Theorem 28",
    title="Theorem 28 with one constant for all output dimensions",
    states=(
        r"\exists C\ \forall m_l:\ \mathbb{P}\Bigl(\|K(\theta) - \tilde K\| \le C\bar\tau^2"
        r"\bigl(\Delta_\phi^{-2} + (\log l + m_l^{1/2})l\bigr)\sqrt{\log(ln)}\,\kappa_\phi^2"
        r" m^{-\frac12(1-p)}\Bigr) \ge 1 - 16e^{-m^p}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, "the letter of the paper's O lets C depend on m_l; then see eoc.thm28"),
    rests_on=["classical.laurent_massart", "eoc.prop9.reduction"],
    note=_NOTE,
)


def _wishart_excess(bound: Callable[[Any, Any], Any]) -> Obligations:
    """l = 2, φ = |·|: K(x, x) ⪰ GG*/m, G of m_l × m standard normals, so of rank at most m.

    Its trace is χ²/m with m·m_l degrees of freedom, at least m_l/2 but for a probability
    e^(-m·m_l/16), and the largest eigenvalue is at least trace/m, while K̃(x, x) = 2𝓘.
    """
    m, n, outputs, d = sp.symbols("m n m_l d", positive=True)
    # Laurent and Massart: χ² ≥ d - 2√(dx) but for e^(-x)
    yield "x = d/16", equal(d - 2 * sp.sqrt(d * d / 16), d / 2)
    trace = (m * outputs / 2) / m
    least = (trace / m - 2) / n
    ratio = sp.limit(least / bound(m, outputs), outputs, sp.oo)
    yield "exceeds every multiple as m_l grows", bool(ratio == sp.oo)
    yield "16e⁻³ < 1 - e^(-9/16): m = 9, p = 1/2", bool(16 * sp.exp(-3) < 1)


@UNIFORM.refuted(controls={"linear_term": {"with_linear": 1}})
def many_outputs(with_linear: int = 0) -> Obligations:
    """The bound grows like √m_l, the kernel like m_l/m."""

    def bound(m: Any, outputs: Any) -> Any:
        return 1 + (sp.log(2) + sp.sqrt(outputs)) * 2 + with_linear * outputs / m

    yield from _wishart_excess(bound)


@EQ_15.refuted(controls={"linear_term": {"with_linear": 1}})
def bounded_in_the_outputs(with_linear: int = 0) -> Obligations:
    """At l = 2 the bound √2 ε does not depend on m_l (E K has only m_l-free entries X_k X')."""

    def bound(m: Any, outputs: Any) -> Any:
        return sp.sqrt(2) + with_linear * outputs / m

    yield from _wishart_excess(bound)


LAST = EQ_15.corrected(
    "eoc.thm28.eq15.corrected",
    title="The last layer, for all pairs at once",
    states=(
        r"\max_{i_1,i_2}\|K_\theta - \mathbb{E}_{A_l}K_\theta\| \le 4\,\|J\|_F\sqrt S +"
        r" 4\,\|J\|\,S, \quad S = s + \log\tfrac{n(n+1)}{2} + 2m_l\log9"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE,
        "but for a probability of 2 exp(-s); (K_ji is the transpose of K_ij)",
        "so (l-1) m_l^{1/2} ε holds if m_l log(n) m^{p-1} = O(1), else m_l m^{-1} (l-1) is added",
    ),
    rests_on=["eoc.prop9.explicit", JACOBIAN_CORRECTED, "classical.union"],
    note=_NOTE,
)


@LAST.proved(controls={"ordered_pairs": {"pairs": 2}, "rate": {"rate": sp.Rational(1, 2)}})
def union_over_pairs(pairs: int = 1, rate: int | Any = 1) -> Obligations:
    """n(n + 1)/2 events of probability 2e^{-S + 2m_l log 9}; S ‖J‖ over √S ‖J‖_F is √(S/m)."""
    n, s, S, m = sp.symbols("n s S m", positive=True)
    count = n * (n + 1) / 2
    total = pairs * count * 2 * sp.exp(-s - sp.log(count))
    yield "the union", equal(total, 2 * sp.exp(-s))
    linear, root = S * m**-rate, sp.sqrt(S) * m ** sp.Rational(-1, 2)
    yield "ratio", equal(linear / root, sp.sqrt(S / m))


COMBINED = UNIFORM.corrected(
    "eoc.thm28.uniform.corrected",
    title="Theorem 28 for all output dimensions",
    states=(
        r"\|K(\theta) - \tilde K\| \le \bar\tau^2\bigl(\Delta_\phi^{-2} + (\log l +"
        r" m_l^{1/2}(1 + \sqrt{m_l m^{p-1}\log n}))l\bigr)\epsilon"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE,
        "ε is O(√log(ln) κ^2 m^{-(1-p)/2}) with a constant that depends on the data as in"
        " Proposition 25, and m >= m_0(l); probability at least 1 - 16 exp(-m^p)",
    ),
    rests_on=[
        DIAGONAL,
        OFF_DIAGONAL,
        LAST,
        "eoc.prop27.count",
        "eoc.thm28.block_norm",
        "eoc.thm28.scaling",
    ],
    note=_NOTE,
)


@COMBINED.proved(controls={"root_of_depth": {"depth_power": sp.Rational(1, 2)}})
def add_the_parts(depth_power: int | Any = 1) -> Obligations:
    """Row sums of equal bounds are n · (1/n); (l - 1)√m_l(1 + r) is less than l√m_l(1 + r)."""
    l_, delta, logarithm, outputs, n, x = sp.symbols("l Delta q o n x", positive=True)
    mean = delta**-2 + logarithm * l_
    last = (l_ - 1) * outputs  # o stands for √m_l (1 + √(m_l m^{p-1} log n))
    room = (delta**-2 + (logarithm + outputs) * l_**depth_power) - (mean + last)
    shifted = sp.expand(room.subs(l_, 2 + x))
    yield "the parts", bool(shifted == outputs)
    yield "row sums", equal(n * (1 / n), sp.Integer(1))


THEOREM = claim(
    "eoc.thm28",
    at="Theorem 28",
    title="Limiting concentration of the NTK matrix",
    states=(
        r"\mathbb{P}\Bigl(\|K(\theta) - \tilde K\| \le O\bigl(\bar\tau^2(\Delta_\phi^{-2} +"
        r" (\log l + m_l^{1/2})l)\sqrt{\log(ln)}\,\kappa_\phi^2 m^{-\frac12(1-p)}\bigr)\Bigr)"
        r" \ge 1 - 16e^{-m^p}"
    ),
    given=_GIVEN,
    assuming=(
        "m_k = k^2 m, the scalings are equal, (3), no two inputs parallel, Δ > 0",
        "O as in Section 2, m → ∞: its constants depend on l, n, m_l, Δ and the data",
    ),
    rests_on=[COMBINED],
    note=_NOTE,
)


@THEOREM.proved(controls={"p_is_one": {"exponent": sp.Integer(0)}})
def linear_term_vanishes(exponent: Any = None) -> Obligations:
    """For fixed m_l and n the factor 1 + √(m_l m^{p-1} log n) tends to 1, as p < 1."""
    m, outputs, n, gap = sp.symbols("m o n g", positive=True)  # g = 1 - p
    power = -gap if exponent is None else exponent
    factor = sp.limit(1 + sp.sqrt(outputs * sp.log(1 + n) * m**power), m, sp.oo)
    yield "limit", equal(factor, sp.Integer(1))
