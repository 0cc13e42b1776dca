"""Fact 1, continued: derivatives of log-sum-exp are cumulants, and how large they can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.softmax_jacobian import softmax
from symbolic.equality import equal
from symbolic.softmax_jacobian import (
    indicator_cumulant,
    joint_cumulant,
    log_sum_exp_derivative,
    weight_symbols,
)
from symbolic.softmax_jacobian import softmax_jacobian as exact_jacobian
from theorems.engine import Measured, Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain
from theorems.shallow_transformer.softmax import FACT

Floats = NDArray[np.float64]

_GIVEN: dict[str, Domain] = {"T": integers(1)}
_NOTE = "proofs_notes/st_softmax.md#cumulants"
_RECORD: dict[str, Any] = {
    "at": "Fact 1",
    "given": _GIVEN,
    "provenance": Provenance.DERIVED,
    "note": _NOTE,
}
_BEST, _MEAN = 4 / (3 * sp.sqrt(3)), 1 / sp.sqrt(3)

COVARIANCE = claim(
    "st.fact1.covariance",
    title="The Jacobian is the covariance under the weights",
    states=r"u^\top J_s(z)v = \operatorname{Cov}_p(u,v) = \sum_t p_t(u_t-\bar u)(v_t-\bar v)",
    rests_on=[FACT],
    **_RECORD,
)


@COVARIANCE.proved(controls={"second_moments": {"centred": 0}})
def on_indicators(centred: int = 1) -> Obligations:
    """Both sides are bilinear; at indicators of tokens they are p_i(1 − p_i) and −p_i p_j."""
    p, q = sp.symbols("p_1 p_2", positive=True)
    yield "i = j, any T", equal(indicator_cumulant([1, 1]), p * (1 - centred * p))
    yield "i ≠ j, any T", equal(indicator_cumulant([1, 2]), -centred * p * q)
    for T in (1, 2, 3):
        weights = weight_symbols(T)
        u, v = (sp.Matrix(sp.symbols(f"{name}_1:{T + 1}", real=True)) for name in "uv")
        means = [centred * sum(w * x for w, x in zip(weights, one, strict=True)) for one in (u, v)]
        terms = (w * (x - means[0]) * (y - means[1])
                 for w, x, y in zip(weights, u, v, strict=True))  # fmt: skip
        yield f"T = {T}", equal((u.T * exact_jacobian(weights) * v)[0], sum(terms))


CUMULANT = claim(
    "st.fact1.cumulant",
    title="Derivatives of softmax are cumulants",
    states=(
        r"D^k\log\sum_t e^{z_t}[u_1,\dots,u_k] = \kappa_p(u_1,\dots,u_k), \qquad"
        r" w^\top D^2\sigma_s(z)[u,v] = \sum_t p_t(u_t-\bar u)(v_t-\bar v)(w_t-\bar w)"
    ),
    assuming=(
        "cumulants are the derivatives of log E exp(h_1 u_1 + h_2 u_2 + …) at h = 0, which is the"
        " same function up to a constant; their formula by partitions is checked for k ≤ 5",
    ),
    rests_on=[FACT],
    **_RECORD,
)
_PATTERNS = {
    "third": ((1, 1, 1), (1, 1, 2), (1, 2, 3)),
    "fourth": ((1, 1, 1, 1), (1, 1, 1, 2), (1, 1, 2, 2), (1, 1, 2, 3), (1, 2, 3, 4)),
    "fifth": ((1, 1, 1, 1, 1), (1, 1, 1, 2, 2), (1, 1, 2, 2, 3), (1, 2, 3, 4, 5)),
}


@CUMULANT.proved(controls={"another_index": {"swapped": True}}, part="derivatives")
def derivatives_at_indicators(swapped: bool = False) -> Obligations:
    """Patterns of indices of order 3 to 5, for any T; both sides are multilinear."""
    for order, patterns in _PATTERNS.items():
        for pattern in patterns:
            other = (*pattern[:-1], pattern[-1] + 1) if swapped else pattern
            yield (
                f"{order}: {pattern}",
                equal(log_sum_exp_derivative(pattern), indicator_cumulant(other)),
            )


@CUMULANT.proved(controls={"not_centred": {"centred": 0}}, part="third central moment")
def third_cumulants_at_indicators(centred: int = 1) -> Obligations:
    """κ₃ is the third central moment, at the indicators of up to three tokens beside the others."""
    weights = weight_symbols(4)
    unit = sp.eye(4)
    for pattern in _PATTERNS["third"]:
        rows = [list(unit.row(i - 1)) for i in pattern]
        means = [centred * weights[i - 1] for i in pattern]
        moment = sum(
            weights[t] * sp.prod(row[t] - mean for row, mean in zip(rows, means, strict=True))
            for t in range(4)
        )
        yield f"{pattern}", equal(joint_cumulant(weights, rows), moment)


CUBE = claim(
    "st.fact1.cumulant.cube",
    title="The best constant for the second derivative of softmax",
    states=(
        r"|w^\top D^2\sigma_s(z)[u,v]| \le \|u\|_\infty\|v\|_\infty\|w\|_\infty, \quad"
        r" \text{that is } \|D^2\sigma_s(z)[u,v]\|_1 \le \|u\|_\infty\|v\|_\infty"
    ),
    assuming="attained at four equal logits by w = uv; less for u = v = w",
    rests_on=[CUMULANT],
    **_RECORD,
)


@CUBE.proved(controls={"one_per_cent_less": {"bound": sp.Rational(99, 100)}}, part="bound")
def variance_of_a_product(bound: Any = 1) -> Obligations:
    """Affine in each entry: signs suffice. κ₃ = E g w ≤ (E g²)^(1/2), g = (u − ū)(v − v̄) − C.

    For signs E g² = s² + 4ābC − C² with ā = ū, b = v̄, s² = (1 − ū²)(1 − v̄²) and |C| ≤ s. With
    k = |ūv̄|: if 2k ≥ s this is at most 4ks ≤ 1, else at most s² + 4k² ≤ 1.
    """
    u, v, a, b, C = sp.symbols("u v a b C", real=True)
    square = sp.Poly(sp.expand(((u - a) * (v - b) - C) ** 2), u, v)
    moments = {(0, 0): 1, (1, 0): a, (0, 1): b, (1, 1): C + a * b}
    mean = sum(c * moments[i % 2, j % 2] for (i, j), c in square.terms())
    s2 = (1 - a**2) * (1 - b**2)
    yield "E g²", equal(mean, s2 + 4 * a * b * C - C**2)
    k, s, c = sp.symbols("k s c", nonnegative=True)
    # First case, c = s − r with 2k ≥ s: the difference is 4kr − 2sr + r² = r(2(2k − s) + r).
    r, more = sp.symbols("r more", nonnegative=True)
    gap = 4 * k * s - (s**2 + 4 * k * (s - r) - (s - r) ** 2)
    yield "2k ≥ s", equal(gap.subs(k, (s + more) / 2), r * (2 * more + r))
    yield "4ks ≤ bound, as (2a√(1−a²))² ≤ 1", equal(bound - 4 * a**2 * (1 - a**2),
                                                    (1 - 2 * a**2) ** 2)  # fmt: skip
    # Second case: c = 2k is best, and with x = a², y = b², g² = xy, x + y = 2g + n the condition
    # 4xy ≤ (1 − x)(1 − y) is (1 + g)(1 − 3g) ≥ n ≥ 0, so that g ≤ 1/3.
    yield "c = 2k", equal(s**2 + 4 * k**2 - (s**2 + 4 * k * c - c**2), (c - 2 * k) ** 2)
    g, n = sp.symbols("g n", nonnegative=True)
    condition = 1 - (2 * g + n) + g**2 - 4 * g**2
    yield "condition", equal(condition, (1 + g) * (1 - 3 * g) - n)
    rest = bound - (1 - (2 * g + n) + 5 * g**2)
    yield "rest at g = 0", bool(rest.subs({g: 0, n: 0}) >= 0)
    yield "rest", equal(rest, n + g * (2 - 5 * g))
    yield "2 − 5g at g = 1/3", bool(2 - 5 * sp.Rational(1, 3) > 0)


@CUBE.proved(controls={"unequal": {"weights": ("1/3", "1/3", "1/6", "1/6")}}, part="attained")
def independent_signs(weights: Any = ("1/4",) * 4) -> Obligations:
    """Two independent fair signs and their product."""
    u, v = (1, 1, -1, -1), (1, -1, 1, -1)
    w = [x * y for x, y in zip(u, v, strict=True)]
    yield "third cumulant", bool(joint_cumulant(weights, [u, v, w]) == 1)


@dataclass(frozen=True)
class _Triple:
    """Logits, and three vectors of the cube as rows."""

    logits: Floats
    rows: Floats


@st.composite
def _triples(draw: st.DrawFn) -> _Triple:
    """Signs and inner points; four equal weights with two signs and their product among them."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = draw(st.sampled_from(["fair", "signs", "inside", "equal"]))
    T = 4 if kind == "fair" else draw(st.integers(1, 8))
    z = draw(st.sampled_from([0.0, 0.1, 2.0])) * rng.standard_normal(T) * (kind != "fair")
    rows = rng.uniform(-1, 1, (3, T))
    if kind != "inside":
        rows = np.sign(rows)
    if kind == "fair":
        rows = np.array([[1.0, 1, -1, -1], [1, -1, 1, -1], [1, -1, -1, 1]])
    return _Triple(z, rows[[0, 0, 0]] if kind == "equal" else rows)


def _third(case: _Triple) -> float:
    p = softmax(case.logits)
    centred = case.rows - (case.rows @ p)[:, None]
    return float(abs(np.prod(centred, axis=0) @ p))


@CUBE.tested(over=_triples, controls={"third_moment": {"bound": float(_BEST)}}, part="bound")
def third_cumulants(case: _Triple, bound: float = 1.0) -> Measured:
    """|κ₃(u, v, w)| over the bound; the largest third central moment is no bound."""
    # Numbers of size at most 8 added up with weights: a few dozen roundings.
    return Measured(_third(case) / bound, 64 * 2.0**-52)


DIAGONAL = claim(
    "st.fact1.cumulant.diagonal",
    title="The largest third central moment of a variable in [-1, 1]",
    states=(
        r"|u^\top D^2\sigma_s(z)[u,u]| = |E_p(u-\bar u)^3| \le \tfrac{4}{3\sqrt3}\,\|u\|_\infty^3"
    ),
    assuming="attained by two tokens, u = ±1, of mean ∓ 3^(−1/2)",
    rests_on=[CUMULANT],
    **_RECORD,
)


@DIAGONAL.proved(controls={"one_per_cent_less": {"bound": _BEST * sp.Rational(99, 100)}},
                 part="bound")  # fmt: skip
def below_a_line(bound: Any = _BEST) -> Obligations:
    """y = u − ū lies in [A, B], A = −1 − ū, B = 1 − ū, and y³ is at most a line there.

    If 2A + B ≥ 0, ū ≤ −1/3, the line through both ends; else the tangent at −B/2 through the right
    end. The mean of y vanishes. The other sign is −u.
    """
    y, A, B = sp.symbols("y A B", real=True)
    chord = (A**2 + A * B + B**2) * y - A * B * (A + B)
    yield "chord", equal(y**3 - chord, (y - A) * (y - B) * (y + A + B))
    # y + A + B ≥ 2A + B ≥ 0 there.
    tangent = sp.Rational(3, 4) * B**2 * y + B**3 / 4
    yield "tangent", equal(y**3 - tangent, (y + B / 2) ** 2 * (y - B))
    m = sp.Symbol("m", nonnegative=True)
    value = (-A * B * (A + B)).subs({A: m - 1, B: 1 + m})
    yield "at the mean −m", equal(value, 2 * m * (1 - m**2))
    yield "chord's largest value", bool(sp.maximum(value, m, sp.Interval(0, 1)) <= bound)
    yield "tangent's largest value, B = 4/3", bool(sp.Rational(4, 3) ** 3 / 4 <= bound)


@DIAGONAL.proved(controls={"fair": {"mean": sp.Integer(0)}}, part="attained")
def two_tokens(mean: Any = _MEAN) -> Obligations:
    """u = (1, −1) with weights (1 ± 3^(−1/2))/2."""
    third = joint_cumulant(((1 - mean) / 2, (1 + mean) / 2), [(1, -1)] * 3)
    yield "third cumulant", equal(third, _BEST)


LIPSCHITZ = claim(
    "st.fact1.lipschitz",
    title="Softmax is a contraction from the largest entry to the sum of entries",
    states=(
        r"\|\sigma_s(z)-\sigma_s(z')\|_1 \le 2\tanh\tfrac{\|z-z'\|_\infty}{2} \le \|z-z'\|_\infty"
    ),
    assuming="the first bound is attained at T = 2 for z' = −z",
    rests_on=[FACT],
    **_RECORD,
)


@LIPSCHITZ.proved(
    controls={"one_per_cent_less": {"share": sp.Rational(99, 100)}, "single": {"power": 1}}
)
def odds_of_a_subset(share: Any = 1, power: int = 2) -> Obligations:
    """The odds P/(1 − P) of a subset grow by at most k² = e^(2r), r = ‖z − z′‖_∞.

    Half of the sum of entries is the largest P′ − P, and (k − 1)/(k + 1) = tanh(r/2).
    """
    P, e = sp.symbols("P e", positive=True)
    k = 1 + e
    moved = P * k**power / (1 - P + P * k**power)
    gap = sp.factor(share * (k - 1) / (k + 1) - (moved - P))
    square = (1 - (k + 1) * P) ** 2 * (k - 1) / ((k + 1) * (1 - P + P * k**2))
    yield "gap", equal(gap, square, {P: sp.Interval.open(0, 1)})
    r = sp.Symbol("r", positive=True)
    yield "tanh", equal((sp.exp(r) - 1) / (sp.exp(r) + 1), sp.tanh(r / 2).rewrite(sp.exp))
    x = sp.Symbol("x", real=True)
    yield "slope of 2 tanh(x/2) at most 1", equal(1 - sp.diff(2 * sp.tanh(x / 2), x),
                                                  sp.tanh(x / 2) ** 2)  # fmt: skip


@st.composite
def _pairs(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Two rows of logits, some opposite, some moved by signs."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    T, size = draw(st.integers(1, 6)), draw(st.sampled_from([1e-3, 0.1, 1.0, 5.0]))
    z = size * rng.standard_normal(T)
    if draw(st.booleans()):
        z = size * np.resize([0.5, -0.5], T)
        return z, -z
    return z, z + size * np.sign(rng.standard_normal(T))


@LIPSCHITZ.tested(over=_pairs, controls={"one_per_cent_less": {"factor": 0.99}})
def distance_over_bound(case: tuple[Floats, Floats], factor: float = 1.0) -> Measured:
    """The distance of two softmax vectors over 2 tanh(r/2)."""
    first, second = case
    r = float(np.max(np.abs(first - second)))
    distance = float(np.abs(softmax(first) - softmax(second)).sum())
    # Weights add up to 1 with errors of a few units in their last place; r may be as small as 1e-3.
    return Measured(distance / (factor * 2 * np.tanh(r / 2)), 32 * 2.0**-52 / np.tanh(r / 2))
