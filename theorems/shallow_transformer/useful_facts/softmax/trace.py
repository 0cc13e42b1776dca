"""Fact 1: trace, Frobenius norm and inverse of the Jacobian, as sums over tokens."""

from typing import Any

import numpy as np
import sympy as sp
from sympy import Rational

from numeric.arguments import Floats
from numeric.softmax_jacobian import jacobian_frobenius_norm, jacobian_trace, softmax
from theorems.engine import Given, Provenance, both, eq, implies, le
from theorems.engine.rules import Theorem, instance
from theorems.shallow_transformer.letters.paper import J_frobenius, J_trace, P, T, claim, p_cubes, p_squares
from theorems.shallow_transformer.letters.token import (
    inverse_at_image,
    inverse_at_u,
    mean,
    r,
    reciprocal,
    s,
    t,
    token,
    total,
    u_entry,
    weight,
)
from theorems.shallow_transformer.premises.matrices.softmax_jacobian import jacobian, on_the_diagonal, squares
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.token_sums import (
    added,
    by_pairs,
    each_at_most_the_sum,
    normalised,
    positive,
    sum_of_squares,
    taken_apart,
)
from theorems.shallow_transformer.sampling.objects import objects_of_logits
from theorems.shallow_transformer.useful_facts.softmax.spectrum import logit_rows, relative

_RECORD: dict[str, Any] = {
    "at": "Fact 1",
    "provenance": Provenance.DERIVED,
    "note": "proofs_notes/st_softmax.md#spectrum-of-the-jacobian",
}
_p = weight(t, T)

TRACE = claim(
    "st.fact1.trace",
    title="The trace of the Jacobian",
    states=[eq(J_trace, 1 - p_squares), le(J_trace, 1 - 1 / T)],
    rests_on=["st.fact1"],
    **_RECORD,
)


def _squares() -> Theorem:
    return ONE_HEAD.meaning("sum of the squared weights", eq(p_squares, total(_p**2)))


def _cubes() -> Theorem:
    return ONE_HEAD.meaning("sum of the cubed weights", eq(p_cubes, total(_p**3)))


@TRACE.proved()
def sum_of_squares_of_deviations(given: Given) -> Theorem:
    """Σ p² − 1/T = Σ (p − 1/T)² ≥ 0."""
    diagonal = ONE_HEAD.meaning("trace, of the diagonal entries", eq(J_trace, total(jacobian(t, t))))
    each = added(instance(on_the_diagonal(), {token: t}))
    trace = ONE_HEAD.follows(diagonal, each, goal=eq(J_trace, total(_p * (1 - _p))))
    deviations = added(ONE_HEAD.follows(goal=le(2 * _p / T - 1 / T**2, _p**2)))
    apart = taken_apart(trace, deviations)
    return given.follows(_squares(), trace, deviations, *apart, normalised())


@TRACE.tested(over=logit_rows)
def trace_of_logits(z: Floats) -> dict[Any, Any]:
    """The trace that the package computes, beside the squared weights."""
    squares = relative(float(np.sum(softmax(z) ** 2)))
    return {**objects_of_logits(z), J_trace: relative(float(jacobian_trace(z))), p_squares: squares}


_HALVES = eq(weight(token, T), Rational(1, 2))
_EQUALITY = implies(both(le(token, T), eq(J_frobenius, Rational(1, 2))), _HALVES)

FROBENIUS = claim(
    "st.fact1.frobenius",
    title="The Frobenius norm of the Jacobian, largest for two equal logits only",
    states={
        "formula": eq(J_frobenius**2, p_squares - 2 * p_cubes + p_squares**2),
        "bound": [le(J_frobenius**2, p_squares - p_cubes), le(p_squares - p_cubes, Rational(1, 4))],
        "equality": _EQUALITY,
        "two tokens": eq(
            P**2 + (1 - P) ** 2 - 2 * (P**3 + (1 - P) ** 3) + (P**2 + (1 - P) ** 2) ** 2,
            (2 * P * (1 - P)) ** 2,
        ),
    },
    rests_on=["st.fact1"],
    **_RECORD,
)


def _frobenius() -> list[Theorem]:
    """|J|_F² = Σ p²(1 − 2p + Σp²), in sums of powers of weights."""
    rows = squares()
    norm = ONE_HEAD.meaning("Frobenius norm, row by row", eq(J_frobenius**2, rows.statement.lhs))
    return [norm, rows, *taken_apart(rows.statement.rhs, total(weight(s, T) ** 2, s)), _squares(), _cubes()]


@FROBENIUS.proved("formula")
def squares_of_the_entries(given: Given) -> Theorem:
    """A row of J = diag(p) − pp′ has the square p²(1 − 2p + Σp²)."""
    return given.follows(*_frobenius())


def _at_most_a_quarter() -> list[Theorem]:
    """(Σ p²)² ≤ Σ p Σ p³ by pairs; Σ p · p(1 − p) = 1/4 − Σ p(p − 1/2)²."""
    pairs = total(_p * total(weight(s, T) * (_p - weight(s, T)) ** 2, s, t - 1))
    schwarz = by_pairs(pairs, total(_p) * total(_p**3) - total(_p**2) ** 2)
    deviations = added(ONE_HEAD.follows(positive(), goal=le(0, _p * (_p - Rational(1, 2)) ** 2)))
    return [schwarz, sum_of_squares(pairs), deviations, *taken_apart(deviations), normalised()]


@FROBENIUS.proved("bound")
def cauchy_schwarz(given: Given) -> Theorem:
    """(Σ p²)² ≤ Σ p³, and Σ p · p(1 − p) ≤ 1/4."""
    return given.follows(*_frobenius(), *_at_most_a_quarter())


@FROBENIUS.proved("equality")
def every_weight_is_one_half(given: Given) -> Theorem:
    """At 1/4 the sum of p(p − 1/2)² vanishes, and so does each term."""
    known = [*_frobenius(), *_at_most_a_quarter()]
    deviation = _p * (_p - Rational(1, 2)) ** 2
    each = each_at_most_the_sum(ONE_HEAD.follows(positive(), goal=le(0, deviation)))
    vanishes = ONE_HEAD.follows(
        *known, goal=implies(eq(J_frobenius, Rational(1, 2)), le(total(deviation), 0))
    )
    return given.follows(each, vanishes, positive(index=token), goal=_EQUALITY)


@FROBENIUS.proved("two tokens")
def of_two_tokens(given: Given) -> Theorem:
    """Weights P and 1 − P: the norm is 2P(1 − P), which is 1/2 at P = 1/2."""
    return given.decided()


@FROBENIUS.tested("formula", over=logit_rows)
def norm_of_logits(z: Floats) -> dict[Any, Any]:
    """The norm that the package computes, beside sums of powers of the weights."""
    p = softmax(z)
    norm = relative(float(jacobian_frobenius_norm(z)))
    powers = [relative(float(np.sum(p**k))) for k in (2, 3)]
    return {**objects_of_logits(z), J_frobenius: norm, p_squares: powers[0], p_cubes: powers[1]}


@FROBENIUS.tested("bound", over=logit_rows)
def frobenius_over_half(z: Floats) -> dict[Any, Any]:
    """The same quantities, compared with the bound."""
    return dict(norm_of_logits(z))


_AT, _CENTRED = inverse_at_u(token, T), u_entry(token) - total(u_entry(s), s) / T
_PROJECTION = eq(weight(token, T) * (_AT - total(weight(s, T) * inverse_at_u(s, T), s)), _CENTRED)
_OTHER = eq(inverse_at_image(token, T), _CENTRED)
_RANGE = eq(total(inverse_at_u(t, T)), 0)

PSEUDO_INVERSE = claim(
    "st.fact1.pseudoinverse",
    title="The Moore-Penrose inverse of the Jacobian",
    states={"JJ+ is the projection": _PROJECTION, "J+J as well": _OTHER, "range": _RANGE},
    rests_on=["st.fact1.kernel"],
    **_RECORD,
)


def _meaning(of: Any) -> Theorem:
    return ONE_HEAD.meaning("centred, over the weights, centred", eq(of, of.unfolded()))


def _reciprocal(index: Any) -> Theorem:
    return ONE_HEAD.meaning("reciprocal weights", eq(reciprocal(index, T) * weight(index, T), 1))


@PSEUDO_INVERSE.proved("JJ+ is the projection", "range")
def centred_quotients(given: Given) -> Theorem:
    """With c the mean of u and Q that of (u − c)/p: p(J⁺u) = u − c − pQ, whose sum is −Q."""
    each, at_token = _meaning(inverse_at_u(t, T)), _meaning(inverse_at_u(token, T))
    centre, quotients = total(u_entry(r), r) / T, each.statement.rhs.args
    mean_quotient = sum((one for one in quotients if not one.has(t)), sp.S.Zero)
    goal = eq(_p * each.statement.lhs, u_entry(t) - centre + _p * mean_quotient)
    sums_ = [added(each), added(ONE_HEAD.follows(each, _reciprocal(t), goal=goal))]
    known = [at_token, _reciprocal(token), *sums_, *taken_apart(*sums_), normalised()]
    return given.follows(*known, goal={"range": _RANGE}.get(given.part, _PROJECTION))


@PSEUDO_INVERSE.proved("J+J as well")
def quotients_of_the_image(given: Given) -> Theorem:
    """Ju has the sum 0, and Ju/p is u less its mean ū, whose sum is Σ u − Tū."""
    at_token = _meaning(inverse_at_image(token, T))
    quotients = next(one for one in at_token.statement.rhs.atoms(sp.Sum) if one.has(reciprocal))
    image = next(one for one in quotients.atoms(sp.Sum) if one.limits[0][0] == r)
    nothing = ONE_HEAD.follows(*taken_apart(image), normalised(), goal=eq(image, 0))
    centred = u_entry(s) - mean(u_entry(t))
    each = ONE_HEAD.follows(nothing, _reciprocal(s), goal=eq(quotients.args[0], centred))
    known = [at_token, nothing, added(each, s), *taken_apart(total(centred, s))]
    return given.follows(*known, _reciprocal(token), goal=_OTHER)
