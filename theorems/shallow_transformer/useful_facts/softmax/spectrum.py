"""Fact 1: the eigenvalues of the Jacobian and its operator norm."""

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Expr, Rational

from numeric.arguments import Floats
from numeric.softmax_jacobian import (
    complements,
    jacobian_eigenvalues,
    jacobian_spectral_norm,
    softmax,
    softmax_jacobian,
)
from symbolic.equality import equal
from symbolic.softmax_jacobian import (
    characteristic_polynomial,
    eigenvalue_product,
    secular_polynomial,
    weight_symbols,
)
from symbolic.softmax_jacobian import softmax_jacobian as exact_jacobian
from theorems.engine import (
    Discrepancy,
    Given,
    Obligations,
    Provenance,
    Rounded,
    both,
    eq,
    gt,
    implies,
    integers,
    le,
    sentence,
)
from theorems.engine.rules import Theorem, instance, principles
from theorems.shallow_transformer.letters.paper import J_spectral, P, T, claim, eigenvalue, p_spread
from theorems.shallow_transformer.letters.token import mean, s, t, token, total, u_entry, unit, weight
from theorems.shallow_transformer.premises.matrices.softmax_jacobian import form
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.token_sums import (
    added,
    at_one_token,
    by_pairs,
    indicator,
    normalised,
    sum_of_squares,
    taken_apart,
)
from theorems.shallow_transformer.sampling.objects import by_number, objects_of_logits

_NOTE = "proofs_notes/st_softmax.md#spectrum-of-the-jacobian"
_HALF = Rational(1, 2)
_RECORD: dict[str, Any] = {"at": "Fact 1", "provenance": Provenance.DERIVED, "note": _NOTE}
_p = weight(t, T)
_P, _Q, _R = sp.symbols("p q R", positive=True)
#: Numbers from floats are good to a few units in the last place; sums have at most nine terms.
_ROUNDING = 32 * 2.0**-52


@st.composite
def logit_rows(draw: st.DrawFn) -> Floats:
    """Logits of up to 9 tokens: ties, near ties, gaps of up to 30."""
    size = draw(st.integers(1, 9))
    kind = draw(st.sampled_from(["equal", "near", "spread", "far", "pair"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scale = {"equal": 0.0, "near": 1e-9, "spread": 1.0, "far": 30.0, "pair": 0.0}[kind]
    z = scale * rng.standard_normal(size)
    return np.where(np.arange(size) < 2, z, -40.0) if kind == "pair" else z


def relative(value: float) -> Rounded:
    """A positive number that is good to a few units in the last place."""
    return Rounded(value, _ROUNDING * abs(value))


SPECTRUM = claim(
    "st.fact1.spectrum",
    title="Eigenvalues of the Jacobian from the secular equation, between the weights",
    states={
        "secular equation": sentence(
            r"\det($J - $lambda) = $factor\sum_t p_t\prod_{s\ne t}(p_s - $lambda)", factor=-eigenvalue
        ),
        "interlacing": sentence(
            r"p_{(1)} \ge \lambda_1 \ge p_{(2)} \ge \dots \ge p_{(T)} \ge \lambda_T = $least", least=0
        ),
    },
    rests_on=["st.fact1"],
    **_RECORD,
)


@SPECTRUM.argued(
    "secular equation",
    bridge="The determinant of a diagonal matrix less a matrix of rank one is"
    " det(D − λ)(1 − Σ p²/(p − λ)); the summands agree token by token, and at a weight both sides"
    " are continuous.",
)
def determinant_of_a_rank_one_update(factor: Any) -> Obligations:
    """1 = Σ p turns the bracket into −λ Σ p/(p − λ); the determinant itself for up to 4 tokens."""
    gap = _P - eigenvalue
    yield "summand times p − λ, any T", equal(_P * gap - _P**2, factor * _P)
    for size in (1, 2, 3, 4):
        p = weight_symbols(size)
        stated = sp.expand(secular_polynomial(p, eigenvalue) / -eigenvalue * factor)
        yield f"T = {size}", equal(characteristic_polynomial(p, eigenvalue), stated)


@SPECTRUM.argued(
    "interlacing",
    bridge="An increasing function with the limits −∞ and ∞ has one root between neighbouring"
    " weights; a weight of several tokens is a root itself; the weights themselves are limits.",
)
def one_root_between_neighbours(least: Any) -> Obligations:
    """Σ p/(p − λ) rises from −∞ to ∞ between neighbouring weights; below all it is positive."""
    term = _P / (_P - eigenvalue)
    slope = sp.cancel(sp.diff(term, eigenvalue) * (_P - eigenvalue) ** 2)
    yield "slope times (p − λ)²", slope.is_positive
    yield "above a pole", bool(sp.limit(term, eigenvalue, _P, "+") == -sp.oo)
    yield "below a pole", bool(sp.limit(term, eigenvalue, _P, "-") == sp.oo)
    # Below the smallest weight every summand is positive: no root but the least one remains.
    yield "below all weights", (_P / (_P + _Q - _P)).is_positive
    a, b = sp.symbols("a b", positive=True)
    yield "least", equal(secular_polynomial((a, b, 1 - a - b), eigenvalue).subs(eigenvalue, least),
                         sp.Integer(0))  # fmt: skip
    double = secular_polynomial((a, a, 1 - 2 * a), a)
    yield "double weight", equal(double, sp.Integer(0))
    simple = secular_polynomial((a, b, 1 - a - b), eigenvalue).subs(eigenvalue, a)
    yield "simple weight is none", not simple.equals(0)


@SPECTRUM.tested("secular equation", over=logit_rows)
def dense_eigenvalues(z: Floats) -> Discrepancy:
    """Roots of the secular equation against LAPACK's eigenvalues of the matrix."""
    dense = np.linalg.eigvalsh(softmax_jacobian(z))[::-1]
    error = float(np.max(np.abs(jacobian_eigenvalues(z) - dense)))
    return Discrepancy(error, _LAPACK * len(z))


@SPECTRUM.tested("interlacing", over=logit_rows, controls={"larger": {"least": Rational(1, 100)}})
def between_the_weights(z: Floats, least: Any) -> Discrepancy:
    """LAPACK's eigenvalues between the weights, and the last one."""
    dense, p = np.linalg.eigvalsh(softmax_jacobian(z))[::-1], np.sort(softmax(z))[::-1]
    outside = np.maximum(dense - p, np.append(p[1:], float(least)) - dense)
    error = max(float(np.max(outside)), abs(float(dense[-1]) - float(least)))
    return Discrepancy(error, _LAPACK * len(z))


#: LAPACK's backward error is a few T machine epsilons of the norm, which is at most 1/2.
_LAPACK = 16 * 2.0**-53


DETERMINANT = claim(
    "st.fact1.determinant",
    title="The product of the eigenvalues but one",
    states=sentence(r"\prod_{k<$T}\lambda_k($J) = $factor\prod_t p_t", factor=T),
    rests_on=[SPECTRUM],
    **_RECORD,
)


@DETERMINANT.argued(
    bridge="At λ = 0 the secular polynomial over −λ is a sum of T equal terms, for any T; it is the"
    " product of the other eigenvalues.",
    over={T: integers(1)},
)
def lowest_coefficient(factor: Any) -> Obligations:
    """−det(J − λ)/λ at λ = 0 from the determinant and from the secular polynomial, T up to 4."""
    for size in (1, 2, 3, 4):
        p, product = weight_symbols(size), eigenvalue_product(weight_symbols(size))
        stated = product / size * factor.subs(T, size)
        lowest = characteristic_polynomial(p, eigenvalue).coeff(eigenvalue, 1)
        yield f"T = {size}", equal(-lowest, stated)
        slope = sp.diff(secular_polynomial(p, eigenvalue), eigenvalue).subs(eigenvalue, 0)
        yield f"T = {size}, secular polynomial", equal(-slope, stated)


SPECTRAL = claim(
    "st.fact1.spectral",
    title="The operator norm of the Jacobian, from both sides",
    states={
        "lower": le(T / (T - 1) * p_spread, J_spectral),
        "upper": [le(J_spectral, 2 * p_spread), le(2 * p_spread, _HALF)],
    },
    given={T: integers(2)},
    rests_on=["st.fact1.kernel"],
    **_RECORD,
)
_PLACE, _TOP = sp.symbols("place top", integer=True, positive=True)
_LARGEST_SPREAD = eq(p_spread, weight(_TOP, T) * (1 - weight(_TOP, T)))
_LARGEST = "the largest p(1 - p)"
_NORM = "the norm of a positive semidefinite matrix, the largest quotient of its form and of a square"


def _form() -> tuple[Expr, Theorem]:
    """⟨u, Ju⟩ by entries, and that this is the variance of the entries of u."""
    u = u_entry(t)
    known = form(u_entry)
    by_rows, whole = known.statement.args
    variance = eq(by_rows, mean(u**2) - mean(u) ** 2)
    return by_rows, ONE_HEAD.follows(known, *taken_apart(whole, mean(u_entry(s), s), variance), goal=variance)


@SPECTRAL.proved("lower")
def quadratic_form_at_one_token(given: Given) -> Theorem:
    """u = e_t − 1/T has uᵀJu = p_t(1 − p_t) and |u|² = 1 − 1/T."""
    one = ONE_HEAD.meaning(
        "largest p(1 - p), that of some token", both(_LARGEST_SPREAD, eq(_TOP, sp.Min(T, _PLACE)))
    )
    u, e = u_entry(t), unit(t) - 1 / T
    quadratic, variance = _form()
    entries, square = ONE_HEAD.meaning("a vector by its entries", eq(u, e)), total(u**2)
    quotient = ONE_HEAD.largest(_NORM, le(quadratic / square, J_spectral), under=[gt(square, 0)])
    alone = [at_one_token(unit, of) for of in (sp.S.One, _p, unit(t), _p * unit(t))]
    alone += [instance(indicator(unit), {t: token}), normalised()]
    value = weight(token, T) * (1 - weight(token, T))
    goals = ((mean(u**2) - mean(u) ** 2, value, [mean(u**2), mean(u)]), (square, 1 - 1 / T, [square]))
    worked = []
    for left, right, sums in goals:
        same = [_termwise(entries, sum_, e) for sum_ in sums]
        apart = taken_apart(*(one.statement.rhs for one in same))
        goal = implies(le(token, T), eq(left, right))
        worked.append(ONE_HEAD.follows(*alone, *same, *apart, goal=goal))
    return given.follows(one, quotient, variance, *(instance(each, {token: _TOP}) for each in worked))


def _termwise(entries: Theorem, sum_: Expr, e: Expr) -> Theorem:
    """A sum in the entries of a vector, with what these are."""
    term = sum_.args[0]
    return added(ONE_HEAD.follows(entries, goal=eq(term, term.xreplace({u_entry(t): e}))))


@SPECTRAL.proved("upper")
def sum_of_squares_of_sums(given: Given) -> Theorem:
    """R|y|² − yᵀJy = Σ (R − 2p(1 − p)) y² + Σ_{s<t} p_s p_t (y_s + y_t)², R = max 2p(1 − p)."""
    y = u_entry(t)
    quadratic, variance = _form()
    square = total(y**2)
    top = ONE_HEAD.meaning(f"{_NORM}, at y of length one", eq(J_spectral, quadratic / square), eq(square, 1))
    pair = weight(s, T) * (y + u_entry(s)) ** 2
    squares = total(_p * total(pair, s, t - 1))
    pairs = by_pairs(squares, total(_p) * mean(y**2) + mean(y) ** 2 - 2 * total(_p**2 * y**2))
    at_least = ONE_HEAD.largest(_LARGEST, le(_p * (1 - _p), p_spread))
    rows = added(ONE_HEAD.follows(at_least, goal=le(2 * _p * (1 - _p) * y**2, 2 * p_spread * y**2)))
    quarter = ONE_HEAD.follows(goal=le(_p * (1 - _p), Rational(1, 4)))
    small = principles.supremum(quarter, p_spread, over=as_declared(p_spread), what=_LARGEST)
    known = [pairs, sum_of_squares(squares), rows, *taken_apart(rows), normalised()]
    return given.follows(top, variance, *known, small)


_SEVERAL = logit_rows().filter(lambda z: len(z) > 1)


@SPECTRAL.tested("upper", over=_SEVERAL)
def norm_and_row_sum(z: Floats) -> dict[Any, Any]:
    """The largest eigenvalue, its vector and the largest p(1 − p), for logits with ties and gaps."""
    return {
        **objects_of_logits(z),
        u_entry: by_number(np.linalg.eigh(softmax_jacobian(z))[1][:, -1]),
        J_spectral: relative(jacobian_spectral_norm(z)),
        p_spread: _largest_variance(z),
    }


@SPECTRAL.tested("lower", over=_SEVERAL)
def norm_and_number_of_tokens(z: Floats) -> dict[Any, Any]:
    """The same quantities and the number of tokens, for the lower bound."""
    return norm_and_row_sum(z)


def _largest_variance(z: Floats) -> Rounded:
    return relative(float(np.max(softmax(z) * complements(z))))


ATTAINED = claim(
    "st.fact1.spectral.attained",
    title="Where the bounds of the operator norm are attained",
    states={
        "lower": [
            le(total(u_entry(t) ** 2 / T) - total(u_entry(t) / T) ** 2, total(u_entry(t) ** 2) / T),
            eq(T / (T - 1) * (1 / T * (1 - 1 / T)), 1 / T),
        ],
        "upper": eq((1 - (P - (1 - P)) ** 2) / 2, 2 * P * (1 - P)),
        "only for two tokens": sentence(
            r"$J_spectral < ${factor}\,$p_spread \text{ if } $T > $tokens", factor=2, tokens=2
        ),
        "supremum": sentence(r"\sup_z $J_spectral = $half", half=_HALF),
    },
    given={T: integers(2)},
    rests_on=[SPECTRAL],
    excused={
        "tokens: 2 -> 101/50": "true as well: a number of tokens above 2.02 is at least 3",
        "domain of P": "true as well: both sides are the same polynomial in P",
        "domain of p_spread": "true as well: p(1 − p) lies between 0 and 1/4 for every weight",
        "domain of J_spectral": "true as well: an operator norm is not negative",
    },
    **_RECORD,
)


@ATTAINED.proved("lower")
def equal_weights(given: Given) -> Theorem:
    """At weights 1/T the form is the variance of u, at most its mean square |u|²/T."""
    u = u_entry(t)
    return given.follows(*taken_apart(total(u**2 / T), total(u / T)))


@ATTAINED.proved("upper")
def two_tokens(given: Given) -> Theorem:
    """Two tokens of weights P and 1 − P, at (1, −1)/√2: (1 − mean²)/2 = 2P(1 − P)."""
    return given.decided()


@ATTAINED.argued(
    "only for two tokens",
    bridge="R|y|² − yᵀJy is the sum in st.fact1.spectral, whose pairs vanish only if y_s + y_t = 0"
    " for all s < t; three such tokens have y = 0, and so have all others.",
)
def all_sums_of_pairs_vanish(factor: Any, tokens: Any) -> Obligations:
    """The coefficients of the sum of squares, and its zeros for one token more."""
    own = _R - factor * _P * (1 - _P) + _P * (1 - _P)
    yield "y_i²", equal(_R - _P * (1 - _P), own)
    size = int(tokens) + 1
    y = sp.symbols(f"y_1:{size + 1}", real=True)
    zeros = sp.linsolve([y[i] + y[j] for i in range(size) for j in range(i)], y)
    yield "only y = 0", bool(zeros == sp.FiniteSet((0,) * size))
    fewer = sp.linsolve([y[i] + y[j] for i in range(size - 1) for j in range(i)], y[:-1])
    yield "more for fewer tokens", bool(fewer != sp.FiniteSet((0,) * (size - 1)))


@ATTAINED.argued(
    "supremum",
    bridge="The norm is at most 1/2 by st.fact1.spectral; weights (1 − e)/2, (1 − e)/2 and e shared"
    " by the others have the eigenvalue (1 − e)/2, at (1, −1, 0, …), as near to 1/2 as one likes.",
)
def two_heavy_tokens(half: Any) -> Obligations:
    """The eigenvalue (1 − e)/2 and its limit; at two equal logits the norm itself."""
    e = sp.Symbol("e", positive=True)
    pair = ((1 - e) / 2, (1 - e) / 2, e)
    value = (1 - e) / 2
    yield "eigenvalue", equal(secular_polynomial(pair, eigenvalue).subs(eigenvalue, value),
                              sp.Integer(0))  # fmt: skip
    yield "limit", bool(sp.limit(value, e, 0) == half)
    yield "two tokens", bool(max(exact_jacobian((_HALF, _HALF)).eigenvals()) == half)
