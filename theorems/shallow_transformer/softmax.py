"""Fact 1: the Jacobian of softmax, its null space and its norm from l∞ to l1.

Everything follows from uᵀJu = Σ_{s<t} p_s p_t (u_s − u_t)², the Laplacian of a complete graph, and
from ‖Ju‖₁ = 4P(1 − P) for signs u. Two named tokens and the rest stand for any number of tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.softmax_jacobian import (
    apply_jacobian,
    best_subset,
    infinity_to_one_bounds,
    infinity_to_one_norm,
    softmax,
)
from symbolic.derivation import Derivation
from symbolic.equality import equal
from symbolic.nonnegative import nonnegative
from symbolic.softmax_jacobian import (
    derive_diagonal_entry,
    derive_off_diagonal_entry,
    derive_sign_norm,
    differentiated_jacobian,
    softmax_jacobian,
    weight_symbols,
)
from symbolic.softmax_jacobian import infinity_to_one_norm as exact_norm
from theorems.engine import Measured, Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain

Floats = NDArray[np.float64]

GIVEN: dict[str, Domain] = {"T": integers(1)}
NOTE = "proofs_notes/st_softmax.md#norms-of-the-jacobian"
_P, _Q = sp.symbols("p_i p_j", positive=True)
_THIRDS = (sp.Rational(1, 3),) * 3
_QUARTERS = (sp.Rational(1, 2), sp.Rational(1, 4), sp.Rational(1, 4))

FACT = claim(
    "st.fact1",
    at="Fact 1",
    title="The Jacobian of softmax",
    states=(
        r"J_s(z) = \operatorname{diag}(p) - pp^\top = J_s(z)^\top, \quad J_s(z)\mathbf{1} = 0,"
        r" \quad \|J_s(z)\|_{\infty\to1} \le 2, \qquad p = \sigma_s(z)"
    ),
    given=GIVEN,
)


@FACT.proved(
    controls={"sign": {"claimed": _P * (1 + _P)}, "other_weight": {"claimed": _P * (1 - _Q)}},
    part="diagonal",
)
def derivative_by_the_own_logit(claimed: Any = None) -> Derivation:
    """∂p_i/∂z_i, beside any number of other tokens."""
    return derive_diagonal_entry(claimed)


@FACT.proved(
    controls={"sign": {"claimed": _P * _Q}, "square": {"claimed": -(_P**2)}},
    part="off the diagonal",
)
def derivative_by_another_logit(claimed: Any = None) -> Derivation:
    """∂p_i/∂z_j, beside any number of other tokens."""
    return derive_off_diagonal_entry(claimed)


@FACT.proved(
    controls={"plus": {"sign": 1}, "other_vector": {"last": 2}}, part="symmetry and null vector"
)
def symmetric_with_zero_row_sums(sign: int = -1, last: int = 1) -> Obligations:
    """−p_i p_j is symmetric; a row sums up to p_i(1 − p_i) − p_i Σ_{j≠i} p_j = 0."""
    row = _P * (1 - _P) + sign * _P * last * (1 - _P)
    yield "row sum, any T", equal(row, sp.Integer(0))
    for T in (1, 2, 3):
        z = sp.symbols(f"z_1:{T + 1}", real=True)
        J = sp.Matrix(differentiated_jacobian(z))
        ones = sp.Matrix([1] * (T - 1) + [last if T > 1 else 1])
        yield f"T = {T}: J1 = 0", equal(J * ones, sp.zeros(T, 1))
        yield f"T = {T}: symmetry", equal(J, J.T)


@FACT.proved(controls={"one_per_cent_less": {"bound": sp.Rational(198, 100)}}, part="bound")
def distances_to_the_mean(bound: Any = 2) -> Obligations:
    """‖Ju‖₁ = Σ p_t|u_t − ū|, and |u_t − ū| is convex in (u_t, ū) ∈ [−1, 1]²: at corners ≤ 2."""
    for u, mean in product((-1, 1), repeat=2):
        yield f"u = {u}, mean {mean}", bool(abs(u - mean) <= bound)


KERNEL = claim(
    "st.fact1.kernel",
    at="Fact 1",
    title="Only the constant vectors are mapped to 0",
    states=(
        r"u^\top J_s(z)u = \sum_{s<t}p_sp_t(u_s-u_t)^2, \qquad"
        r" \ker J_s(z) = \operatorname{span}\{\mathbf{1}\}, \quad \operatorname{rank} J_s(z) = T-1"
    ),
    given=GIVEN,
    rests_on=[FACT],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


def pairs_form(weights: Any, u: Any) -> Any:
    """Σ_{s<t} p_s p_t (u_s − u_t)²."""
    tokens = range(len(weights))
    return sum(
        (weights[s] * weights[t] * (u[s] - u[t]) ** 2 for s, t in combinations(tokens, 2)),
        sp.Integer(0),
    )


@KERNEL.proved(controls={"half": {"factor": sp.Rational(1, 2)}, "plus": {"sign": 1}})
def laplacian_of_a_complete_graph(factor: Any = 1, sign: int = -1) -> Obligations:
    """Coefficients of u_i² and u_i u_j for any T; the sum vanishes only if all u_t agree."""
    left, right = _P * (1 - _P), factor * _P * (1 - _P)
    yield "u_i²: p_i Σ_{j≠i} p_j, any T", equal(left, right)
    yield "u_i u_j, any T", equal(-2 * _P * _Q, factor * 2 * sign * _P * _Q)
    for T in (1, 2, 3, 4):
        p, u = weight_symbols(T), sp.Matrix(sp.symbols(f"u_1:{T + 1}", real=True))
        form = (u.T * softmax_jacobian(p) * u)[0]
        yield f"T = {T}", equal(form, factor * pairs_form(p, u))
    yield "each coefficient is positive", (_P * _Q).is_positive


@KERNEL.proved(controls={"one_less": {"missing": 2}}, part="rank")
def rank_of_rational_jacobians(missing: int = 1) -> Obligations:
    """Gaussian elimination over the rationals for weights t/Σt, T = 2, ..., 6."""
    for T in range(2, 7):
        p = [sp.Rational(2 * t, T * (T + 1)) for t in range(1, T + 1)]
        yield f"T = {T}", bool(softmax_jacobian(p).rank() == T - missing)


NORM = claim(
    "st.fact1.norm",
    at="Fact 1",
    title="The norm from the largest entry to the sum of entries",
    states=(
        r"\|J_s(z)\|_{\infty\to1} = \max_{A\subseteq[T]} 4P(A)(1-P(A)), \qquad"
        r" P(A) = \sum_{t\in A}p_t"
    ),
    given=GIVEN,
    rests_on=[FACT],
    provenance=Provenance.DERIVED,
    note=NOTE,
)

_MASS = sp.Symbol("P", positive=True)


@NORM.proved(
    controls={
        "half": {"claimed": 2 * _MASS * (1 - _MASS)},
        "one_sided": {"claimed": 4 * _MASS**2},
    },
    part="value at signs",
)
def vector_of_signs(claimed: Any = None) -> Derivation:
    """E|u − Eu| for u = 1 with probability P, else −1."""
    return derive_sign_norm(claimed)


@NORM.proved(controls={"concave": {"sign": -1}}, part="signs suffice")
def convexity_in_each_entry(sign: int = 1) -> Obligations:
    """u ↦ ‖Ju‖₁ is a sum of absolute values of linear forms: its maximum is at a corner.

    |(x + y)/2| ≤ (|x| + |y|)/2 for all signs of x and y: the gap is 0 or min(|x|, |y|).
    """
    small, more = sp.symbols("small more", nonnegative=True)
    for first, second in product((-1, 1), repeat=2):
        x, y = first * small, second * (small + more)
        middle = (2 * small + more) if first == second else more
        yield f"signs {first}, {second}: |x + y|", equal((x + y) ** 2, middle**2)
        gap = sign * (small + small + more - middle)
        yield f"signs {first}, {second}: gap", nonnegative(gap)


@NORM.proved(controls={"all_subsets_of_two": {"largest": 1}}, part="examples")
def enumerated(largest: int = 3) -> Obligations:
    """The norm over all signs against the formula over subsets, at rational weights."""
    cases = ((4, 3, 2, 1), (5, 5, 1, 1, 1), (1, 1, 1, 1), (7, 2, 2), (3, 3, 3, 2, 2, 2))
    for numbers in cases:
        p = [sp.Rational(n, sum(numbers)) for n in numbers]
        masses = (sum(chosen) for size in range(largest + 1) for chosen in combinations(p, size))
        best = max(4 * P * (1 - P) for P in masses)
        yield f"weights {numbers}", bool(exact_norm(p)[0] == best)


@dataclass(frozen=True)
class _Cube:
    """Logits, and a vector of the cube."""

    logits: Floats
    u: Floats


@st.composite
def _cubes(draw: st.DrawFn) -> _Cube:
    """Logits with ties, sums that halve, and gaps; vectors at corners and inside."""
    T = draw(st.integers(1, 8))
    numbers = draw(st.lists(st.integers(1, 6), min_size=T, max_size=T))
    spread = draw(st.sampled_from([0.0, 1.0, 1.0, 30.0]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    z = np.log(np.array(numbers)) + spread * rng.standard_normal(T) * draw(st.integers(0, 1))
    corner = np.where(best_subset(z), 1.0, -1.0)
    inside = rng.uniform(-1, 1, T)
    kind = draw(st.sampled_from(["best", "corner", "inside"]))
    return _Cube(z, {"best": corner, "corner": np.sign(inside), "inside": inside}[kind])


# Every weight is good to a few units in the last place, and so is each of the two sums of at most
# eight terms: 32 machine epsilons are more than all of them.
_ROUNDING = 32 * 2.0**-52


@NORM.tested(
    over=_cubes,
    controls={"one_per_cent_less": {"factor": 0.99}, "largest_weight": {"single": True}},
    part="signs suffice",
)
def cube_over_norm(case: _Cube, factor: float = 1.0, single: bool = False) -> Measured:
    """‖Ju‖₁ for u in the cube over the norm by meeting in the middle."""
    p = float(np.max(softmax(case.logits)))
    norm = 4 * p * (1 - p) if single else infinity_to_one_norm(case.logits)
    if norm < 1e-12:
        return Measured(0.0)
    return Measured(float(np.abs(apply_jacobian(*_pair(case))).sum()) / (factor * norm), _ROUNDING)


def _pair(case: _Cube) -> tuple[Floats, Floats]:
    return case.logits, case.u


SHARP = FACT.sharpened(
    "st.fact1.sharp",
    title="The norm is at most 1, half of what is printed",
    states=(
        r"\|J_s(z)\|_{\infty\to1} \le 1, \text{ with equality if and only if"
        r" } P(A) = \tfrac12 \text{ for some } A \subseteq [T]"
    ),
    given=GIVEN,
    assuming=(
        "T = 1 gives 0; T = 2 attains 1 at equal logits only; T = 3 on the three curves where one"
        " exponential is the sum of the two others",
    ),
    rests_on=[NORM],
    note=NOTE,
)


@SHARP.proved(controls={"one_per_cent_less": {"bound": sp.Rational(99, 100)}}, part="bound")
def square_of_the_mean(bound: Any = 1) -> Obligations:
    """1 − 4P(1 − P) = (1 − 2P)², which vanishes at P = 1/2 only."""
    yield "gap", equal(1 - 4 * _MASS * (1 - _MASS), (1 - 2 * _MASS) ** 2)
    yield "1 is at most the bound", bool(bound - 1 >= 0)
    yield "only zero", bool(sp.solve(1 - 4 * _MASS * (1 - _MASS), _MASS) == [sp.Rational(1, 2)])


@SHARP.proved(
    controls={"thirds": {"three": _THIRDS}, "unequal": {"two": ("2/5", "3/5")}}, part="attained"
)
def halves(two: Any = ("1/2", "1/2"), three: Any = _QUARTERS) -> Obligations:
    """T = 2 at equal logits, T = 3 at z = (log 2, 0, 0), every even T at equal logits."""
    yield "T = 1", bool(exact_norm([1])[0] == 0)
    yield "T = 2", bool(exact_norm(two)[0] == 1)
    yield "T = 3", bool(exact_norm(three)[0] == 1)
    for T in (4, 6):
        yield f"T = {T}", bool(exact_norm([sp.Rational(1, T)] * T)[0] == 1)


@SHARP.tested(over=_cubes, controls={"one_per_cent_less": {"bound": 0.99}}, part="bound")
def norm_over_one(case: _Cube, bound: float = 1.0) -> Measured:
    """‖Ju‖₁ over the bound."""
    return Measured(float(np.abs(apply_jacobian(*_pair(case))).sum()) / bound, _ROUNDING)


BOUNDS = claim(
    "st.fact1.norm.bounds",
    at="Fact 1",
    title="The norm from the largest weight alone",
    states=(
        r"p_{\max} \ge \tfrac12 \implies \|J_s(z)\|_{\infty\to1} = 4p_{\max}(1-p_{\max}),"
        r" \qquad p_{\max} \le \tfrac12 \implies 1 - p_{\max}^2 \le \|J_s(z)\|_{\infty\to1} \le 1"
    ),
    given=GIVEN,
    assuming=(
        "to decide whether the norm is 1 at rational weights is the partition problem, so that no"
        " formula of this kind is exact",
    ),
    rests_on=[NORM],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@BOUNDS.proved(controls={"half_of_it": {"share": sp.Rational(1, 2)}}, part="lower bound")
def each_token_to_the_lighter_side(share: Any = 1) -> Obligations:
    """Greedily the difference D of the two sides never exceeds p_max =: m; the norm is 1 − D².

    If D ≤ m and p ≤ m then |D − p| ≤ m.
    """
    less, apart, more, D = sp.symbols("less apart more D", nonnegative=True)
    m, larger = share * (less + apart + more), less + apart
    # D and p are the larger and the smaller one, or the other way round.
    yield "m − (larger − smaller)", nonnegative(sp.expand(m - (larger - less)))
    yield "m − (smaller − larger)", nonnegative(sp.expand(m - (less - larger)))
    yield "norm", equal(4 * (1 + D) / 2 * (1 - D) / 2, 1 - D**2)


@BOUNDS.proved(controls={"falling": {"sign": -1}}, part="a heavy token")
def beyond_one_half(sign: int = 1) -> Obligations:
    """A subset or its complement has the token: P ≥ p_max ≥ 1/2, where 4P(1 − P) falls."""
    p, more = sp.Rational(1, 2) + sp.Symbol("p", nonnegative=True), sp.Symbol("r", nonnegative=True)
    gap = sp.expand(sign * (4 * p * (1 - p) - 4 * (p + more) * (1 - p - more)))
    p0 = sp.Symbol("p", nonnegative=True)
    yield "gap", equal(gap, 4 * more * (2 * p0 + more))


@BOUNDS.proved(controls={"even": {"offset": 2}}, part="attained")
def odd_number_of_equal_weights(offset: int = 1) -> Obligations:
    """T = 2n + 1 weights 1/T: the best subset has n of them, and the norm is 1 − 1/T²."""
    n = sp.Symbol("n", integer=True, positive=True)
    T = 2 * n + offset
    yield "norm", equal(4 * (n / T) * (1 - n / T), 1 - 1 / T**2)
    yield "T = 3, 5", bool(all(exact_norm([sp.Rational(1, k)] * k)[0] == 1 - sp.Rational(1, k**2)
                               for k in (3, 5)))  # fmt: skip


@BOUNDS.tested(over=_cubes, controls={"one_per_cent": {"factor": 1.01}}, part="lower bound")
def lower_bound_over_norm(case: _Cube, factor: float = 1.0) -> Measured:
    """The lower bound over the norm."""
    norm = infinity_to_one_norm(case.logits)
    if norm < 1e-12:
        return Measured(0.0)
    return Measured(factor * infinity_to_one_bounds(case.logits)[0] / norm, _ROUNDING)
