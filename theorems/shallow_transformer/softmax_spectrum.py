"""Fact 1, continued: eigenvalues, trace, Frobenius norm, determinant and inverse."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from numpy.typing import NDArray

from numeric.softmax_jacobian import (
    complements,
    jacobian_eigenvalues,
    jacobian_frobenius_norm,
    jacobian_spectral_norm,
    softmax,
    softmax_jacobian,
)
from symbolic.equality import equal
from symbolic.softmax_jacobian import (
    characteristic_polynomial,
    eigenvalue_product,
    pseudo_inverse,
    secular_polynomial,
    sum_of_squares,
    weight_symbols,
)
from symbolic.softmax_jacobian import softmax_jacobian as exact_jacobian
from theorems.engine import Discrepancy, Measured, Obligations, Provenance, claim, integers
from theorems.engine.domain import Domain
from theorems.shallow_transformer.softmax import FACT, KERNEL

Floats = NDArray[np.float64]

_GIVEN: dict[str, Domain] = {"T": integers(1)}
_NOTE = "proofs_notes/st_softmax.md#spectrum-of-the-jacobian"
_P, _Q = sp.symbols("p q", positive=True)
_X = sp.Symbol("x", real=True)
_HALF = sp.Rational(1, 2)
_RECORD: dict[str, Any] = {
    "at": "Fact 1",
    "given": _GIVEN,
    "provenance": Provenance.DERIVED,
    "note": _NOTE,
}

SPECTRUM = claim(
    "st.fact1.spectrum",
    title="Eigenvalues of the Jacobian from the secular equation",
    states=(
        r"\det(J_s(z)-\lambda) = -\lambda\sum_t p_t\prod_{s\ne t}(p_s-\lambda), \qquad"
        r" p_{(1)} \ge \lambda_1 \ge p_{(2)} \ge \dots \ge p_{(T)} \ge \lambda_T = 0"
    ),
    rests_on=[FACT],
    **_RECORD,
)


@SPECTRUM.proved(
    controls={"no_minus_one": {"constant": 0}, "square": {"power": 2}}, part="secular equation"
)
def determinant_of_a_rank_one_update(constant: int = 1, power: int = 1) -> Obligations:
    """det(D − λ − ppᵀ) = det(D − λ)(1 − Σ p²/(p − λ)), and 1 = Σ p turns the bracket."""
    # One summand of Σ (p − p²/(p − λ)) = −λ Σ p/(p − λ); they add up for any T.
    summand = constant * _P - _P**2 / (_P - _X)
    no_weight = [sp.Ne(_X, _P)]
    yield "summand, any T", equal(summand, -_X * _P**power / (_P - _X), under=no_weight)
    for T in (1, 2, 3, 4):
        p = weight_symbols(T)
        yield f"T = {T}", equal(characteristic_polynomial(p, _X), secular_polynomial(p, _X))


@SPECTRUM.proved(controls={"falling": {"sign": -1}}, part="interlacing")
def one_root_between_neighbours(sign: int = 1) -> Obligations:
    """Σ p/(p − x) rises from −∞ to ∞ between neighbouring weights; a double weight is a root."""
    increase = sp.together(sp.diff(sign * _P / (_P - _X), _X))
    yield "derivative", equal(increase, _P / (_P - _X) ** 2, under=[sp.Ne(_X, _P)])
    yield "above a pole", bool(sp.limit(sign * _P / (_P - _X), _X, _P, "+") == -sp.oo)
    yield "below a pole", bool(sp.limit(sign * _P / (_P - _X), _X, _P, "-") == sp.oo)
    # Below the smallest weight every summand is positive: no root but λ = 0 remains.
    yield "below all weights", (_P / (_P + _Q - _P)).is_positive
    a, b = sp.symbols("a b", positive=True)
    double = secular_polynomial((a, a, 1 - 2 * a), a)
    yield "double weight", equal(double, sp.Integer(0))
    yield (
        "simple weight is none",
        not secular_polynomial((a, b, 1 - a - b), _X).subs(_X, a).equals(0),
    )


@st.composite
def logit_rows(draw: st.DrawFn) -> Floats:
    """Logits of up to 9 tokens: ties, near ties, gaps of up to 30."""
    T = draw(st.integers(1, 9))
    kind = draw(st.sampled_from(["equal", "near", "spread", "far", "pair"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scale = {"equal": 0.0, "near": 1e-9, "spread": 1.0, "far": 30.0, "pair": 0.0}[kind]
    z = scale * rng.standard_normal(T)
    return np.where(np.arange(T) < 2, z, -40.0) if kind == "pair" else z


@SPECTRUM.tested(
    over=logit_rows,
    controls={"weights": {"poles": True}, "shifted": {"factor": 1.01}},
    part="secular equation",
)
def dense_eigenvalues(z: Floats, poles: bool = False, factor: float = 1.0) -> Discrepancy:
    """Roots of the secular equation against LAPACK's eigenvalues of the matrix."""
    found = np.sort(softmax(z))[::-1] if poles else factor * jacobian_eigenvalues(z)
    dense = np.linalg.eigvalsh(softmax_jacobian(z))[::-1]
    # LAPACK's backward error is a few T machine epsilons of the norm, which is at most 1/2.
    return Discrepancy(float(np.max(np.abs(found - dense))), 16 * len(z) * 2.0**-53)


SPECTRAL = claim(
    "st.fact1.spectral",
    title="The operator norm of the Jacobian, from both sides",
    states=(
        r"\tfrac{T}{T-1}\max_t p_t(1-p_t) \le \|J_s(z)\| = \lambda_1"
        r" \le \max_t 2p_t(1-p_t) \le \tfrac12"
    ),
    assuming=(
        "T is at least 2 on the left; the left side is attained by equal weights, and the two on"
        " the right only at T = 2, the last one at equal logits: for T ≥ 3 one half is a supremum",
    ),
    rests_on=[KERNEL],
    **_RECORD,
)


@SPECTRAL.proved(controls={"one_per_cent_less": {"factor": sp.Rational(198, 100)}}, part="upper")
def sum_of_squares_of_sums(factor: Any = 2) -> Obligations:
    """R|y|² − yᵀJy = Σ (R − r_t) y_t² + Σ_{s<t} p_s p_t (y_s + y_t)², r_t = 2 p_t(1 − p_t) ≤ R.

    For T ≥ 3 both vanish at y = 0 only; for T = 2 at y = (1, −1).
    """
    R = sp.Symbol("R", positive=True)
    # Coefficients of y_i² and y_i y_j, for any T: Σ_{j≠i} p_i p_j = p_i(1 − p_i).
    own = R - factor * _P * (1 - _P) + _P * (1 - _P)
    yield "y_i²", equal(R - _P * (1 - _P), own)
    yield "y_i y_j", equal(2 * _P * _Q, -2 * (-_P * _Q))
    yield "p(1 − p) ≤ 1/4", equal(sp.Rational(1, 4) - _P * (1 - _P), (_P - _HALF) ** 2)
    y = sp.symbols("y_1:4", real=True)
    sums = [y[0] + y[1], y[0] + y[2], y[1] + y[2]]
    yield "T = 3: only y = 0", bool(sp.linsolve(sums, y) == sp.FiniteSet((0, 0, 0)))


@SPECTRAL.proved(controls={"without_the_mean": {"centred": False}}, part="lower")
def quadratic_form_at_one_token(centred: bool = True) -> Obligations:
    """u = e_t − 1/T has uᵀJu = p_t(1 − p_t) and |u|² = 1 − 1/T; at equal weights λ₁ = 1/T."""
    T = sp.Symbol("T", integer=True, positive=True)
    square = (1 - 1 / T) ** 2 + (T - 1) / T**2 if centred else sp.Integer(1)
    yield "|u|²", equal(square, 1 - 1 / T)
    from_two = {T: sp.Interval(2, sp.oo)}
    yield "equal weights", equal(T / (T - 1) * (1 / T) * (1 - 1 / T), 1 / T, from_two)


@SPECTRAL.proved(controls={"unequal": {"first": sp.Rational(1, 3)}}, part="attained")
def two_tokens(first: Any = _HALF) -> Obligations:
    """T = 2: λ₁ = 2 p(1 − p), which is 1/2 at equal logits."""
    J = exact_jacobian((first, 1 - first))
    yield "1/2", bool(max(J.eigenvals()) == _HALF)
    general = characteristic_polynomial((_P, 1 - _P), _X)
    yield "T = 2", equal(general, _X * (_X - 2 * _P * (1 - _P)))
    # Three tokens with p = (1 − e)/2 twice: the eigenvalue p, as near to 1/2 as one likes.
    e = sp.Symbol("e", positive=True)
    three = secular_polynomial(((1 - e) / 2, (1 - e) / 2, e), _X)
    yield "supremum for T = 3", equal(three.subs(_X, (1 - e) / 2), sp.Integer(0))


@SPECTRAL.tested(
    over=logit_rows,
    controls={"one_per_cent_less": {"factor": 0.99}, "half": {"factor": 0.5}},
    part="upper",
)
def norm_over_row_sum(z: Floats, factor: float = 1.0) -> Measured:
    """λ₁ over 2 max p(1 − p), for logits with ties and gaps."""
    bound = 2 * float(np.max(softmax(z) * complements(z)))
    # Each of the two is good to a few units in the last place.
    return Measured(jacobian_spectral_norm(z) / (factor * bound) if bound else 0.0, 16 * 2.0**-52)


@SPECTRAL.tested(over=logit_rows, controls={"one_per_cent": {"factor": 1.01}}, part="lower")
def diagonal_over_norm(z: Floats, factor: float = 1.0) -> Measured:
    """T/(T − 1) max p(1 − p) over λ₁."""
    T = len(z)
    if T == 1:
        return Measured(0.0)
    diagonal = float(np.max(softmax(z) * complements(z))) * T / (T - 1)
    return Measured(factor * diagonal / jacobian_spectral_norm(z), 16 * 2.0**-52)


TRACE = claim(
    "st.fact1.trace",
    title="The trace of the Jacobian",
    states=r"\operatorname{tr} J_s(z) = \sum_t p_t(1-p_t) = 1 - \sum_t p_t^2 \le 1 - \tfrac1T",
    rests_on=[FACT],
    **_RECORD,
)


@TRACE.proved(controls={"other_bound": {"shift": 1}, "cubes": {"power": 3}})
def sum_of_squares_of_deviations(shift: int = 0, power: int = 2) -> Obligations:
    """Σ p² − 1/T = Σ (p − 1/T)² ≥ 0, summand by summand up to a multiple of Σ (p − 1/T) = 0."""
    T = sp.Symbol("T", integer=True, positive=True)
    summand = _P**power - (_P - 1 / T) ** 2 - 2 / T * (_P - 1 / T) - 1 / (T + shift) ** 2
    yield "summand, any T", equal(summand, sp.Integer(0))
    for size in (1, 2, 3, 4):
        p = weight_symbols(size)
        trace = exact_jacobian(p).trace()
        yield f"T = {size}", equal(trace, 1 - sum(entry**power for entry in p))


FROBENIUS = claim(
    "st.fact1.frobenius",
    title="The Frobenius norm of the Jacobian",
    states=(
        r"\|J_s(z)\|_F^2 = \sum_t p_t^2 - 2\sum_t p_t^3 + \Bigl(\sum_t p_t^2\Bigr)^2"
        r" \le \sum_t p_t^2(1-p_t) \le \tfrac14"
    ),
    assuming="equality with 1/4 at T = 2 and equal logits only",
    rests_on=[FACT],
    **_RECORD,
)


@FROBENIUS.proved(controls={"one_cube": {"cubes": -1}}, part="formula")
def squares_of_the_entries(cubes: int = -2) -> Obligations:
    """Σ p²(1 − p)² on the diagonal, (Σ p²)² − Σ p⁴ off it."""
    diagonal = _P**2 * (1 - _P) ** 2
    yield "summand, any T", equal(diagonal - _P**4, _P**2 + cubes * _P**3)
    for T in (1, 2, 3, 4):
        p = weight_symbols(T)
        yield f"T = {T}", equal(sum(x**2 for x in exact_jacobian(p)), sum_of_squares(p))


@FROBENIUS.proved(controls={"one_per_cent_less": {"bound": sp.Rational(99, 400)}}, part="bound")
def cauchy_schwarz(bound: Any = sp.Rational(1, 4)) -> Obligations:
    """(Σ p²)² ≤ Σ p Σ p³ = Σ p³, and Σ p · p(1 − p) ≤ max p(1 − p) ≤ 1/4."""
    # Σ p Σ p³ − (Σ p²)² = Σ_{s<t} p_s p_t (p_s − p_t)², pair by pair.
    pair = _P * _Q**3 + _Q * _P**3 - 2 * _P**2 * _Q**2
    yield "pair", equal(pair, _P * _Q * (_P - _Q) ** 2)
    largest = sp.maximum(_P * (1 - _P), _P, sp.Interval(0, 1))
    yield "p(1 − p)", bool(largest <= bound)


@FROBENIUS.tested(over=logit_rows, controls={"one_per_cent_less": {"bound": 0.99}}, part="bound")
def frobenius_over_half(z: Floats, bound: float = 1.0) -> Measured:
    """|J|_F over 1/2."""
    return Measured(2 * jacobian_frobenius_norm(z) / bound, 16 * 2.0**-52)


DETERMINANT = claim(
    "st.fact1.determinant",
    title="The product of the eigenvalues but one",
    states=r"\prod_{k=1}^{T-1}\lambda_k(J_s(z)) = T\prod_{t=1}^T p_t",
    rests_on=[SPECTRUM],
    **_RECORD,
)


@DETERMINANT.proved(controls={"without_T": {"factor": 0}})
def lowest_coefficient(factor: int = 1) -> Obligations:
    """−det(J − λ)/λ at λ = 0, from the determinant; T equal terms p_t Π_{s≠t} p_s for any T."""
    for T in (1, 2, 3, 4):
        p = weight_symbols(T)
        lowest = characteristic_polynomial(p, _X).coeff(_X, 1)
        product = eigenvalue_product(p) / T * (T if factor else 1)
        yield f"T = {T}", equal(-lowest, product)
        slope = sp.diff(secular_polynomial(p, _X), _X).subs(_X, 0)
        yield f"T = {T}, secular polynomial", equal(-slope, product)


PSEUDO_INVERSE = claim(
    "st.fact1.pseudoinverse",
    title="The Moore-Penrose inverse of the Jacobian",
    states=(
        r"J_s(z)^+ = \Pi\operatorname{diag}(p)^{-1}\Pi, \qquad"
        r" \Pi = I - \tfrac1T\mathbf{1}\mathbf{1}^\top"
    ),
    rests_on=[KERNEL],
    **_RECORD,
)


@PSEUDO_INVERSE.proved(
    controls={"not_projected": {"sides": 0}, "one_side": {"sides": 1}}, part="definition"
)
def penrose_conditions(sides: int = 2) -> Obligations:
    """J diag(p)⁻¹ = I − p1ᵀ and 1ᵀΠ = 0 give JJ⁺ = Π = J⁺J for any T, and the four conditions."""
    # Entries of J diag(p)⁻¹: p_i(1 − p_i)/p_i and −p_i p_j/p_j.
    yield "diagonal, any T", equal(_P * (1 - _P) / _P, 1 - _P)
    yield "off the diagonal, any T", equal(-_P * _Q / _Q, -_P)
    for T in (2, 3):
        p = weight_symbols(T)
        J, Pi = sp.Matrix(exact_jacobian(p)), sp.eye(T) - sp.ones(T, T) / T
        inverse = sp.diag(*(1 / one for one in p))
        plus = {0: inverse, 1: Pi * inverse, 2: Pi * inverse * Pi}[sides]
        last = [p[-1] > 0]
        yield f"T = {T}: the module's", equal(plus, pseudo_inverse(p), under=last)
        yield f"T = {T}: JJ⁺ = Π", equal(J * plus, Pi, under=last)
        yield f"T = {T}: J⁺J = Π", equal(plus * J, Pi, under=last)
        projected = (Pi * J).row_join(Pi * plus)
        yield f"T = {T}: ΠJ = J, ΠJ⁺ = J⁺", equal(projected, J.row_join(plus), under=last)
