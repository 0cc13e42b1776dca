"""Proposition 17, proof: covariances of preactivations and of back-propagated rows, (5)-(7)."""

from typing import Any

from sympy import Matrix

from symbolic.equality import equal
from theorems.engine import Choice, Given, Obligations, Severity, defining, eq, sentence
from theorems.engine.rules import E, Theorem, act, inner
from theorems.eoc_mlp.letters.activation import SIGMA
from theorems.eoc_mlp.letters.gradients import (
    B_i,
    B_i_star,
    B_j,
    covariance_uu,
    covariance_uv,
    covariance_vv,
    u_i,
    u_j,
    v_y,
    v_z,
    x_i,
    x_j,
    y_any,
    z_any,
)
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.one_layer.gradient_independence.meanings import adjoint
from theorems.eoc_mlp.premises.linear_forms import covariance_of_forms

_BLOCKS = "proofs_notes/eoc_mlp.md#covariance-blocks"

EQ_5 = claim(
    "eoc.prop17.eq5",
    at="Proposition 17, proof; Equation (5)",
    title="Covariance of the preactivations",
    states=defining(covariance_uu, eq(E(u_i * u_j), SIGMA**2 * inner(x_i, x_j))),
)


@EQ_5.proved()
def entries_of_a_row(given: Given) -> Theorem:
    """u_i = ⟨g, x_i⟩ and u_j = ⟨g, x_j⟩, entry by entry."""
    return given.follows(covariance_of_forms(given, u_i, x_i, u_j, x_j))


EQ_6 = claim(
    "eoc.prop17.eq6",
    at="Proposition 17, proof; Equation (6)",
    title="Covariance of the back-propagated rows",
    states=sentence(
        r"\Sigma_v = $sigma^$power \begin{bmatrix} B_1^*B_1 & $upper \\ $lower & B_2^*B_2"
        r"\end{bmatrix}",
        power=2,
        upper=Choice("B_2^*B_1", (2, 1)),
        lower=Choice("B_1^*B_2", (1, 2)),
    ),
    note=_BLOCKS,
)

EQ_7 = claim(
    "eoc.prop17.eq7",
    at="Proposition 17, proof; Equation (7)",
    title="Cross-covariance of back-propagated rows and preactivations, transposed as (6) is",
    states=sentence(
        r"\Sigma_{uv} = $sigma^$power \begin{bmatrix} B_1^*x_1 & $upper \\ $lower & B_2^*x_2"
        r"\end{bmatrix}",
        power=2,
        upper=Choice("B_2^*x_1", (2, 1)),
        lower=Choice("B_1^*x_2", (1, 2)),
    ),
    note=_BLOCKS,
)


@EQ_6.refuted(
    severity=Severity.SLIP,
    controls={"put_right": {"upper": Choice("B_1^*B_2", (1, 2)), "lower": Choice("B_2^*B_1", (2, 1))}},
)
def second_moments_differ(upper: Any, lower: Any) -> Obligations:
    """B₁ = [1 0], B₂ = [0 1]: v = (g, 0, 0, g) has another covariance."""
    yield from _objections("(6)", upper, lower)


@EQ_7.refuted(
    severity=Severity.SLIP,
    controls={"put_right": {"upper": Choice("B_1^*x_2", (1, 2)), "lower": Choice("B_2^*x_1", (2, 1))}},
)
def mixed_moments_differ(upper: Any, lower: Any) -> Obligations:
    """The slip of (6) once more: B₁ = [1 0], B₂ = [0 1], x₁ = 1, x₂ = 2, so u = (g, 2g)."""
    yield from _objections("(7)", upper, lower)


def _objections(equation: str, upper: Any, lower: Any) -> Obligations:
    """The blocks as the slots say, for matrices with n = 1 and p = 2."""
    maps, inputs = {1: Matrix([[1, 0]]), 2: Matrix([[0, 1]])}, {1: Matrix([1]), 2: Matrix([2])}
    right = maps if equation == "(6)" else inputs
    rows = (((1, 1), upper), (lower, (2, 2)))
    printed = Matrix([[maps[i].T * right[j] for i, j in row] for row in rows])
    v, w = Matrix.hstack(*maps.values()).T, Matrix.hstack(*right.values())
    of = "v" if equation == "(6)" else "v and u"
    yield f"{equation} is not the covariance of {of}", not equal(printed, v * w)
    if equation == "(6)":
        yield "(6) has a negative eigenvalue", any(value < 0 for value in printed.eigenvals())


EQ_6_CORRECTED = EQ_6.corrected(
    "eoc.prop17.eq6.corrected",
    title="Covariance of the back-propagated rows, blocks in order",
    states=defining(covariance_vv, eq(E(v_y * v_z), SIGMA**2 * inner(y_any, act(B_i_star, act(B_j, z_any))))),
    note=_BLOCKS,
)


@EQ_6_CORRECTED.proved()
def forms_of_rows(given: Given) -> Theorem:
    """⟨v_i, y⟩ = ⟨g, B_i y⟩ and ⟨v_j, z⟩ = ⟨g, B_j z⟩; then B_i goes over to the other side."""
    after = act(B_j, z_any)
    along = covariance_of_forms(given, v_y, act(B_i, y_any), v_z, after)
    return given.follows(along, adjoint(given, B_i, B_i_star, y_any, after))


EQ_7_CORRECTED = EQ_7.corrected(
    "eoc.prop17.eq7.corrected",
    title="Cross-covariance, blocks in order",
    states=defining(covariance_uv, eq(E(v_y * u_j), SIGMA**2 * inner(y_any, act(B_i_star, x_j)))),
    note=_BLOCKS,
)


@EQ_7_CORRECTED.proved()
def forms_of_both(given: Given) -> Theorem:
    """⟨v_i, y⟩ = ⟨g, B_i y⟩ and u_j = ⟨g, x_j⟩; then B_i goes over to the other side."""
    along = covariance_of_forms(given, v_y, act(B_i, y_any), u_j, x_j)
    return given.follows(along, adjoint(given, B_i, B_i_star, y_any, x_j))
