"""Section 3.3, Proposition 26: norms of all backpropagation matrices at once, m_k = k²m.

S(k₁, k₂) = 1/(k₁ - 1) + … + 1/(k₂ - 1) adds up what the layers between k₁ and k₂ contribute.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from numeric.networks.backpropagation import backpropagation_matrix
from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP, Parameters
from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import backpropagation_matrix as exact_matrix
from theorems.engine import (
    Discrepancy,
    Measured,
    Obligations,
    claim,
    integers,
    interval,
    open_interval,
)
from theorems.engine.domain import Domain

_GIVEN: dict[str, Domain] = {
    "k_1": integers(2),
    "k_2": integers(2),
    "l": integers(2),
    "n": integers(1),
    "m": integers(1),
    "p": open_interval(0, 1),
    "delta": interval(0, 1),
}
_ALIVE = "m_k = k^2 m, the scalings are equal, (3), no activation vanishes, and k_1 <= k_2"
_LEVEL = "L = s + log((l - 1)^2 n), which makes 1 - 2 exp(-s) of all events together"
_NOTE = "proofs_notes/eoc_limits.md#backpropagation-matrices"
_LOG_2 = sp.log(2)

PRINTED = claim(
    "eoc.prop26",
    at="Proposition 26",
    title="Simultaneous concentration of the norms of backpropagation matrices",
    states=(
        r"\mathbb{P}\Bigl(\forall k_1 \le k_2, i:\ \|B_{k_1,k_2}(x_i)\| \le"
        r" \log\bigl(\tfrac{k_2-1}{k_1-1}\bigr)\,O(\kappa_\phi^2 m^{-1/2})\Bigr)"
        r" \ge 1 - 6e^{-m^p}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE,),
    note=_NOTE,
)


@PRINTED.refuted(controls={"corrected": {"numerator": 0}})
def first_layer(numerator: int = 1) -> Obligations:
    """k₁ = k₂ = 2, φ = |·|: the bound is log(1) = 0, but |B_{2,2}| = m^(-1/2) wherever N₁ ≠ 0.

    So the event has probability 0, and 1 - 6e^(-m^p) is positive as soon as m^p > log 6.
    """
    network = ExactMLP([[[2], [-3]], [[1, 1]]], a=0, b=1, m=2)
    B = exact_matrix(network, [1], 2, 2)
    constant = sp.Symbol("C", positive=True)
    first = second = sp.Integer(2)
    bound = sp.log((second - numerator) / (first - 1)) * constant / sp.sqrt(2)
    squares = B * B.T
    yield "all singular values are m^(-1/2), m = 2", bool(squares == sp.eye(2) / 2)
    yield "the bound vanishes", bool(bound == 0)
    yield "1 - 6e⁻² is positive", bool(1 - 6 * sp.exp(-2) > 0)


EQ_10 = claim(
    "eoc.prop26.eq10",
    at="Proposition 26, (10)-(12)",
    title="All steps of the norms of backpropagation matrices, with explicit constants",
    states=(
        r"\|B_{k_1,k_2}\| \le \bigl(1 + \tfrac{\beta}{k_2-1}\bigr)\|B_{k_1,k_2-1}\|"
        r" + \tfrac{\kappa_\phi}{(k_2-1)\sqrt m}\|B_{k_1,k_2-1}\|_F, \quad"
        r" \Bigl|\tfrac{\|B_{k_1,k_2}\|_F^2}{\|B_{k_1,k_2-1}\|_F^2} - 1\Bigr| \le"
        r" \tfrac{\epsilon}{k_2-1}, \quad \bigl|\|B_{k,k}\|_F^2 - 1\bigr| \le"
        r" \tfrac{\epsilon}{k-1}, \quad \beta = \frac{\kappa_\phi^2/\sqrt2 +"
        r" \sqrt{2L(\kappa_\phi^2 + \Delta_\phi(1-\Delta_\phi))}}{\sqrt m}, \quad \epsilon ="
        r" \kappa_\phi^2\Bigl(\sqrt{\tfrac{6L}{m}} + \tfrac{10}{3}\tfrac Lm\Bigr)"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, _LEVEL),
    rests_on=[
        "eoc.prop10.explicit",
        "eoc.prop18.explicit",
        "eoc.prop19.explicit",
        "eoc.prop16",
        "classical.union",
    ],
    note=_NOTE,
)


@EQ_10.proved(
    controls={
        "pairs_of_inputs": {"pairs": 2},
        "no_linear_term": {"linear": sp.Integer(2)},
        "linear_widths": {"power": 1},
    }
)
def union_and_radii(
    pairs: int = 1, linear: Any = sp.Rational(10, 3), power: int = 2
) -> Obligations:
    """n((l-1)(l-2)/2 + (l-1) + (l-1)(l-2)/2) = (l-1)²n events; and t solves Mt²/(6κ⁴ + …) = L.

    With h = √(L/M): t = κ²h(5h/3 + √(25h²/9 + 6)) ≤ κ²h(√6 + 10h/3), by √(u² + v²) ≤ u + v.
    """
    l_, n, h, kappa, k, m, L = sp.symbols("l n h kappa k m L", positive=True)
    between = (l_ - 1) * (l_ - 2) / 2
    yield "count", equal(n**pairs * (2 * between + l_ - 1), (l_ - 1) ** 2 * n)
    root = sp.sqrt(sp.Rational(25, 9) * h**2 + 6)
    t = kappa**2 * h * (sp.Rational(5, 3) * h + root)
    # M t²/(6κ⁴ + (10/3)κ²t) = L with M = L/h²
    equation = t**2 - h**2 * (6 * kappa**4 + sp.Rational(10, 3) * kappa**2 * t)
    yield "the radius", equal(sp.expand(equation), sp.Integer(0))
    simple = sp.expand((sp.sqrt(6) + (linear - sp.Rational(5, 3)) * h) ** 2 - root**2)
    signs = [bool(c >= 0) for c in sp.Poly(simple, h).coeffs()]
    yield "is at most κ²h(√6 + 10h/3)", all(signs)
    layer = (kappa**2 * sp.sqrt(6) * h).subs(h, sp.sqrt(L / (k**power * m)))
    yield "which is ε/k to first order", equal(layer, kappa**2 * sp.sqrt(6 * L / m) / k)
    yield "(11): L(κ)/√(2M) ≤ √2 κ² h ≤ √6 κ² h", bool(sp.sqrt(2) <= sp.sqrt(6))


FROBENIUS = claim(
    "eoc.prop26.frobenius",
    at="Proposition 26, proof",
    title="Frobenius norms of all backpropagation matrices",
    states=(
        r"(11), (12) \implies \bigl|\|B_{k_1,k_2}\|_F^2 - 1\bigr| \le e^{\epsilon S} - 1,"
        r" \quad S = \sum_{j=k_1-1}^{k_2-1}\frac1j \le \frac{1}{\log2}\log\frac{k_2}{k_1-1}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, "printed: log(k_2/(k_1-1)) ε, with another constant in ε"),
    rests_on=["eoc.prop24.harmonic", "eoc.prop24.induction.corrected"],
    note=_NOTE,
)


@FROBENIUS.proved(controls={"one_layer_less": {"first": 1}})
def multiply(first: int = 0) -> Obligations:
    """(11) starts with 1 ± ε/(k₁ - 1), each layer adds the factor 1 ± ε/(k₂ - 1); 1 + u ≤ eᵘ."""
    k, epsilon = sp.symbols("k epsilon", positive=True)
    for steps in range(4):
        total = sum((epsilon / (k + j) for j in range(first, steps + 1)), sp.Integer(0))
        exponents = [epsilon / (k + j) for j in range(steps + 1)]
        product = sp.prod([sp.exp(u) for u in exponents])
        yield f"k₂ = k₁ + {steps}", equal(sp.powsimp(product), sp.exp(total))


OPERATOR = PRINTED.corrected(
    "eoc.prop26.corrected",
    title="Operator norms of all backpropagation matrices",
    states=(
        r"\|B_{k_1,k_2}\| \le \frac{\kappa_\phi F e^{\beta S}}{\sqrt m}\,S \le"
        r" \frac{\kappa_\phi F e^{\beta S}}{\log 2}\,m^{-1/2}\log\frac{k_2}{k_1-1}, \quad"
        r" F = e^{\epsilon S/2}"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, _LEVEL, "but for a probability of 2 exp(-s)"),
    rests_on=[EQ_10, FROBENIUS, "eoc.prop24.harmonic"],
    note=_NOTE,
)


@OPERATOR.proved(controls={"without_first": {"base": 0}, "no_growth": {"growth": 0}})
def induction_over_layers(base: int = 1, growth: int = 1) -> Obligations:
    """b' ≤ (1 + β/j)b + κF/(j√m), j = k₂ - 1, from b = κ/((k₁ - 1)√m) at k₂ = k₁."""
    j, S, beta, q = sp.symbols("j S beta q", positive=True)  # q = e^(βS) ≥ 1
    first = sp.Symbol("k", positive=True)  # k₁ - 1
    yield "base: S = 1/(k₁ - 1)", equal(1 / first, base / first)
    # (1 + β/j) q S + 1/j ≤ q (1 + β/j)(S + 1/j), and 1 + β/j ≤ e^(β/j)
    step = q * (1 + growth * beta / j) * (S + 1 / j) - ((1 + beta / j) * q * S + 1 / j)
    above = sp.expand(step.subs(q, 1 + q))
    yield "step", all(bool(c > 0) for c in sp.Poly(sp.expand(above * j**2), j, S, beta, q).coeffs())


@OPERATOR.proved(controls={"below_one_over_log_2": {"constant": sp.Rational(144, 100)}})
def the_constant_is_attained(constant: Any = 1 / _LOG_2) -> Obligations:
    """k₁ = k₂ = 2: |B_{2,2}| = κ m^(-1/2) if a unit has the steeper slope; constant · log 2 = 1."""
    yield "equality", equal(constant * _LOG_2, sp.Integer(1))


def _scenes() -> Any:
    return st.tuples(
        st.integers(0, 2**32 - 1),
        st.sampled_from([(0.0, 1.0), (0.5, 0.5), (1.0, -0.5)]),
        st.integers(2, 6),
        st.integers(3, 5),
    )


@OPERATOR.tested(over=_scenes, controls={"half": {"factor": 0.5}}, cases=40)
def in_networks(case: tuple[int, tuple[float, float], int, int], factor: float = 1.0) -> Measured:
    """|B_{k₁,k₂}| in sampled networks over the bound, with the constants found in the network.

    β is the least for which (10) holds in it, and F the largest Frobenius norm.
    """
    seed, (a, b), m, depth = case
    state, kappa = _network(seed, a, b, m, depth)
    worst = 0.0
    for first in range(2, depth + 1):
        norms, frobenius = _norms(state, first, depth)
        steps = np.arange(first - 1, depth)  # j = k₂ - 1
        noise = kappa / (steps[1:] * np.sqrt(m)) * frobenius[:-1]
        beta = max(
            0.0, float(np.max(steps[1:] * ((norms[1:] - noise) / norms[:-1] - 1), initial=0))
        )
        sums = np.cumsum(1 / steps)
        top = max(1.0, float(frobenius.max()))
        bound = kappa * top * np.exp(beta * sums) * sums / np.sqrt(m)
        worst = max(worst, float(np.max(norms / bound)))
    return Measured(worst / factor, 1e-12)  # singular values of matrices of at most 150 rows


def _network(seed: int, a: float, b: float, m: int, depth: int) -> tuple[Any, float]:
    rng = np.random.default_rng(seed)
    mlp = MLP((2, *[m * k * k for k in range(1, depth)], 1), a, b)
    state = forward_pass(mlp, mlp.sample(rng), rng.standard_normal((1, 2)))
    return state, (abs(a) + abs(b)) / float(np.hypot(a, b))


def _norms(state: Any, first: int, depth: int) -> tuple[Any, Any]:
    matrices = [backpropagation_matrix(state, first, k)[0] for k in range(first, depth + 1)]
    operator = np.array([max(float(np.linalg.norm(B, 2)), 1e-300) for B in matrices])
    return operator, np.array([float(np.linalg.norm(B)) for B in matrices])


DIAGONAL = claim(
    "eoc.prop26.diagonal",
    at="Proposition 26, proof",
    title="Operator norm of the matrix of one layer",
    states=(r"\|B_{k,k}\| \le \sigma m_{k-1}^{-1/2}\|\phi\|_L = \kappa_\phi(k-1)^{-1}m^{-1/2}"),
    given=_GIVEN,
    assuming=(_ALIVE,),
    rests_on=["eoc.def2"],
)


@DIAGONAL.proved(controls={"linear_widths": {"power": 1}})
def diagonal_matrix(power: int = 2) -> Obligations:
    """It is diagonal with entries σ m_{k-1}^(-1/2) φ'(N), |φ'| ≤ |a| + |b|; m_{k-1} = (k - 1)²m."""
    a, b = sp.symbols("a b", real=True)
    k, m = sp.symbols("k m", positive=True)
    kappa = (abs(a) + abs(b)) / sp.sqrt(a**2 + b**2)
    entry = (abs(a) + abs(b)) / sp.sqrt(a**2 + b**2) / sp.sqrt(k**power * m)
    claimed = kappa / (k * sp.sqrt(m))
    yield "σ(|a| + |b|)(k²m)^(-1/2)", equal(entry, claimed, under=[a**2 + b**2 > 0])
    for sign in (1, -1):
        excess = (abs(a) + abs(b)) ** 2 - (a + sign * b) ** 2
        yield f"|a {sign:+d} b| ≤ |a| + |b|", sp.expand(excess + 2 * sign * a * b).is_nonnegative


@DIAGONAL.tested(over=st.integers(1, 50), controls={"twice": {"factor": 2.0}})
def exact_case(width: int, factor: float = 1.0) -> Discrepancy:
    """φ = |·|: every entry is ± m^(-1/2)."""
    theta = Parameters([np.arange(1.0, width + 1)[:, None], np.ones((1, width))])
    state = forward_pass(MLP((1, width, 1), 0.0, 1.0), theta, [[2.0]])
    norm = float(np.linalg.norm(backpropagation_matrix(state, 2, 2)[0], 2))
    return Discrepancy(norm - factor / width**0.5, 1e-14)
