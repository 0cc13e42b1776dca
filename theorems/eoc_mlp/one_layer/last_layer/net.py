"""Proposition 9, proof: the norm of the fluctuation over the last layer from a net.

The printed step holds for symmetric matrices. K_θ(x₁, x₂) is not symmetric if x₁ ≠ x₂, m_l ≥ 2 and
l ≥ 3, and the values ⟨y, Ay⟩ do not see its antisymmetric part.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Abs, Integer, Matrix, Rational, Symbol, asin, expand, eye, pi, sqrt, symbols

from numeric.arguments import Floats
from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP, Parameters
from numeric.networks.ntk import expected_ntk
from numeric.networks.ntk import ntk as float_ntk
from symbolic.equality import equal
from symbolic.networks.jacobian import differentiated_jacobian
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import inner_product, last_layer_form, ntk
from theorems.engine import Choice, Given, Obligations, Provenance, Rounded, Severity, eq, le, rules, sentence
from theorems.engine.rules import Operator, Theorem, Vector, act, inner, norm
from theorems.engine.rules.facts import cauchy_schwarz, singular_vectors
from theorems.engine.rules.vocabulary import opnorm
from theorems.eoc_mlp.hypotheses import QUARTER_NET, SYMMETRIC
from theorems.eoc_mlp.letters import (
    claim,
    fluctuation,
    fluctuation_pairs,
    lambda_1,
    lambda_n,
    net_maximum,
    net_pairs_maximum,
    norm_a,
)
from theorems.eoc_mlp.preliminaries.eigenvalues import eigenvector, symmetric
from theorems.eoc_mlp.premises.bounded_terms import form_bound

_PROOF = "Proposition 9, proof"
_NOTE = "proofs_notes/eoc_networks.md#a-net-for-nonsymmetric-matrices"

PRINTED = claim(
    "eoc.prop9.net",
    at=_PROOF,
    title="The norm of the fluctuation from one net",
    states=sentence(
        r"$A = K - \mathbb{E}_{A_l}K, \ K = K_\theta(x_1, $other) \implies"
        r" \|$A\| \le $two\max_{y\in $net}|\langle y, $A y\rangle|",
        other=Choice("x_2", 1),
        two=2,
    ),
    assuming=[QUARTER_NET],
    note=_NOTE,
)

_LAYERS = (
    ((1, 0), (0, 1)),
    ((4, 0), (Rational(-15, 2), Rational(19, 2))),
    ((Rational(5, 3), 0), (0, Rational(5, 4))),
)
_INPUTS = ((1, 1), (3, -1))
_EQUAL_INPUTS = {"equal_inputs": {"other": Choice("x_1", 0)}}


def _fluctuation(kernel: Any, mlp: ExactMLP, x1: Any, x2: Any) -> Matrix:
    """K - E K, for E K = (tr J + X_l) times the identity."""
    mean = last_layer_form(mlp, x1, x2).trace() + inner_product(mlp, x1, x2, mlp.depth)
    return Matrix(kernel - mean * eye(2)).applyfunc(expand)


@PRINTED.refuted(severity=Severity.GAP, controls=_EQUAL_INPUTS)
def absolute_values_of_width_two(other: int) -> Obligations:
    """All widths 2, l = 3: every ⟨y, Ay⟩ vanishes, whatever the net, and A does not.

    Both sides are continuous here, so the inequality is violated with positive probability.
    """
    mlp, inputs = ExactMLP(_LAYERS, a=0, b=1), (_INPUTS[0], _INPUTS[other])
    first, second = (differentiated_jacobian(mlp, x) for x in inputs)
    found = _fluctuation(first * second.T, mlp, *inputs)
    signs = [mlp.preactivation(x, k) for x in inputs for k in (1, 2)]
    yield "the network is smooth here", all(0 not in list(one) for one in signs)
    y = Matrix(symbols("y1 y2", real=True))
    yield "⟨y, Ay⟩ = 0 for all y", equal((y.T * found * y)[0], Integer(0))
    yield "A ≠ 0", not found.is_zero_matrix


@PRINTED.refuted(severity=Severity.GAP, controls=_EQUAL_INPUTS)
def strict_in_a_neighbourhood(other: int, two: Any) -> Obligations:
    """At all corners of a box of weights around them: still ‖A‖ > 2 sup |⟨y, Ay⟩| over the sphere.

    The supremum is the norm ‖S‖ ≤ ‖S‖_F of the symmetric part, and ‖A‖² ≥ ‖A‖_F²/2.
    """
    inputs, step = (_INPUTS[0], _INPUTS[other]), Rational(1, 50)
    for number, signs in enumerate(_CORNERS):
        pairs = zip(_LAYERS, signs, strict=True)
        moved = [Matrix(one) + step * Matrix(2, 2, s) for one, s in pairs]
        mlp = ExactMLP(moved, a=0, b=1)
        found = _fluctuation(ntk(mlp, *inputs), mlp, *inputs)
        symmetric = (found + found.T) / 2
        largest, size = two**2 * _square(symmetric), _square(found) / 2
        yield f"corner {number}: 4‖S‖_F² < ‖A‖_F²/2", bool(largest < size)


# Signs of the twelve weights' changes, and all of them reversed.
_CORNERS = tuple(
    tuple(tuple(sign * s for s in layer) for layer in pattern)
    for sign in (1, -1)
    for pattern in (
        ((1, 1, 1, 1), (1, 1, 1, 1), (1, 1, 1, 1)),
        ((1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1)),
        ((-1, 1, 1, 1), (1, -1, 1, 1), (1, 1, -1, 1)),
    )
)


def _square(matrix: Matrix) -> Any:
    return sum(entry**2 for entry in matrix)


CORRECTED = PRINTED.corrected(
    "eoc.prop9.net.corrected",
    title="The norm of the fluctuation from pairs of points of the net",
    states=le(fluctuation, 2 * fluctuation_pairs),
    assuming=[QUARTER_NET],
    rests_on=["eoc.prop9.net.sharp"],
    note=_NOTE,
)


@CORRECTED.proved()
def weaker_than_the_best(given: Given) -> Theorem:
    """The best factor, (32/31)² = 1.066, is below 2."""
    at = {norm_a: fluctuation, net_pairs_maximum: fluctuation_pairs}
    return given.follows(given.fact(SHARP, at=at))


_BEST, _BEST_ONE = Rational(32, 31) ** 2, Rational(512, 449)


@dataclass(frozen=True)
class _Case:
    """A fluctuation with two outputs, and a net of the circle turned by an angle."""

    A: Floats
    net: Floats


def _net(angle: float) -> Floats:
    """Columns: 14 points of the circle, those nearest to ± the angle at a distance of 1/4."""
    half = angle + np.linspace(_GAP / 2, np.pi - _GAP / 2, 7)
    angles = np.concatenate([half, half + np.pi])
    return np.stack([np.cos(angles), np.sin(angles)])


#: The largest angle between neighbours of a net: chords of 1/4 on either side.
_GAP = 4 * float(np.arcsin(1 / 8))


@st.composite
def _fluctuations(draw: st.DrawFn) -> _Case:
    """Sampled networks with two outputs, and neighbours of the counterexample."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    widths = (2, *draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)), 2)
    slopes = draw(st.sampled_from([(0.0, 1.0), (0.5, 0.5), (1.0, -0.3)]))
    mlp, x = MLP(widths, *slopes), rng.standard_normal((2, 2))
    theta = mlp.sample(rng)
    if not draw(st.booleans()):
        mlp, x = MLP((2, 2, 2, 2), 0.0, 1.0, m=1), np.array(_INPUTS, dtype=float)
        theta = Parameters(
            [np.array(one, dtype=float) + 0.02 * rng.uniform(-1, 1, (2, 2)) for one in _LAYERS]
        )
    state = forward_pass(mlp, theta, x)
    found = (float_ntk(state) - expected_ntk(state))[0, 1]
    return _Case(found, _net(draw(st.floats(0, 2 * np.pi))))


def _norm_and_pairs(case: _Case) -> tuple[Rounded, Rounded]:
    """The norm, and the largest form at two points of the net: sums of four products."""
    size, forms = float(np.linalg.norm(case.A, 2)), np.abs(case.net.T @ case.A @ case.net)
    return Rounded(size, 1e-14 * size), Rounded(float(np.max(forms)), 1e-14 * size)


@CORRECTED.tested(over=_fluctuations, cases=150)
def sampled_networks(case: _Case) -> dict[Symbol, Any]:
    """Fluctuations of networks with two outputs; for some of them one net does not suffice."""
    return dict(zip((fluctuation, fluctuation_pairs), _norm_and_pairs(case), strict=True))


SHARP = CORRECTED.sharpened(
    "eoc.prop9.net.sharp",
    title="A smaller factor for pairs of points of the net, and any matrix",
    states=le(norm_a, _BEST * net_pairs_maximum),
    assuming=[QUARTER_NET],
    note=_NOTE,
)
_u, _v, _y, _z = (Vector(name) for name in "uvyz")
_matrix = Operator("A")


@SHARP.proved()
def two_cosines(given: Given) -> Theorem:
    """‖Az‖ ≥ c‖A‖ near a top right singular vector v, ⟨y, Az⟩ ≥ c‖Az‖ near its direction."""
    image, quarter = act(_matrix, _z), Rational(1, 4)
    near = given.supposed(QUARTER_NET, le(norm(_v - _z), quarter), eq(norm(_z), 1), under=[eq(norm(_v), 1)])
    there = [norm(image) > 0]
    direction = image / norm(image)
    close = given.supposed(QUARTER_NET, le(norm(direction - _y), quarter), eq(norm(_y), 1), under=there)
    value = le(Abs(inner(_y, image)), net_pairs_maximum)
    return given.follows(
        singular_vectors(_matrix, _u, _v, _z),
        given.meaning("norm_a", eq(norm_a, opnorm(_matrix))),
        near,
        close,
        given.largest("the largest form at two points of the net", value),
        cauchy_schwarz(_u, image),
    )


@SHARP.tested(over=_fluctuations, cases=150)
def networks_over_best_maximum(case: _Case) -> dict[Symbol, Any]:
    """Fluctuations of sampled networks, compared with the smaller factor."""
    return dict(zip((norm_a, net_pairs_maximum), _norm_and_pairs(case), strict=True))


@st.composite
def _rank_one(draw: st.DrawFn) -> _Case:
    """A = u u* with small noise, and a net that avoids u."""
    angle = draw(st.floats(0, 2 * np.pi))
    noise, seed = draw(st.sampled_from([0.0, 1e-3, 0.3])), draw(st.integers(0, 2**32 - 1))
    u = np.array([np.cos(angle), np.sin(angle)])
    other = np.random.default_rng(seed).standard_normal((2, 2))
    return _Case(np.outer(u, u) + noise * other, _net(angle))


@SHARP.tested(over=_rank_one, cases=100)
def rank_one_over_best_maximum(case: _Case) -> dict[Symbol, Any]:
    """Matrices of rank one and their neighbours."""
    return networks_over_best_maximum(case)


_ATTAINED = (
    r"\text{a matrix } $A = $matrix \text{ and a quarter-net } $net \text{ of the plane have }"
    r" \|$A\| = $factor"
)
_PLANE = Choice(r"e_1e_1^*", Matrix([[1, 0], [0, 0]]))
_MIRROR = Choice(r"e_1e_1^* - e_2e_2^*", Matrix([[1, 0], [0, -1]]))

PAIRS_ATTAINED = claim(
    "eoc.prop9.net.sharp.attained",
    at=_PROOF,
    title="The factor for pairs of points of the net is the best",
    states=sentence(_ATTAINED + r"\max_{y,y'\in $net}|\langle y, $A y'\rangle|", matrix=_PLANE, factor=_BEST),
    rests_on=[SHARP],
    discharging={QUARTER_NET: "the net is given by the angles of its points"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@PAIRS_ATTAINED.argued(
    bridge="The net is symmetric under reflections, so that its points between are farther from"
    " the axis, and the circle is covered if neighbours are not farther apart than these two.",
    controls={"identity": {"matrix": Choice(r"\mathcal{I}", eye(2))}},
)
def rank_one(matrix: Any, factor: Any) -> Obligations:
    """A = e₁e₁*, and a net of the circle whose points nearest to ±e₁ are at distance 1/4."""
    e1, near = Matrix([1, 0]), [Matrix([_COSINE, sign * _SINE]) for sign in (1, -1)]
    for y in near:
        yield "distance 1/4", equal((y - e1).dot(y - e1), Rational(1, 16))
        yield "the largest form is c²", equal(factor * y.dot(matrix * y), Integer(1))
    yield "norm 1", bool(max((matrix.T * matrix).eigenvals()) == 1)
    gap = 4 * asin(Rational(1, 8))
    yield "5 more points on each side close the circle", bool((pi - gap) / 6 < gap)


_COSINE = 1 - Rational(1, 4) ** 2 / 2
_SINE = sqrt(1 - _COSINE**2)

SYMMETRIC_NET = claim(
    "eoc.prop9.net.symmetric",
    at=_PROOF,
    title="A smaller factor for symmetric matrices and one net",
    states=le(norm_a, _BEST_ONE * net_maximum),
    assuming=[QUARTER_NET, SYMMETRIC],
    rests_on=["eoc.sec2.eigen.corrected"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SYMMETRIC_NET.proved()
def one_cosine(given: Given) -> Theorem:
    """⟨y, Ay⟩ ≥ c²‖A‖ - (1 - c²)‖A‖ for y within 1/4 of a unit vector with Au = ±‖A‖u."""
    norms = given.fact("eoc.sec2.eigen.corrected", "symmetric")
    ends = [_of_an_eigenvalue(given, *end) for end in ((lambda_1, _y), (lambda_n, _z))]
    return given.follows(norms, *ends)


def _of_an_eigenvalue(given: Given, eigenvalue: Symbol, y: Vector) -> Theorem:
    """The bound if the modulus of this eigenvalue is the norm, by a point of the net near its vector."""
    u, known = eigenvector(given, eigenvalue)
    across, image = y - inner(u, y) * u, act(_matrix, u)
    beyond, unit = image - eigenvalue * u, [eq(norm(u), 1)]
    entry = le(Abs(inner(y, act(_matrix, y))), net_maximum)
    premises = [
        known,
        *(cauchy_schwarz(beyond, one) for one in (u, y)),
        symmetric(given, u, y),
        given.supposed(QUARTER_NET, le(norm(u - y), Rational(1, 4)), eq(norm(y), 1), under=unit),
        given.largest("the largest form at a point of the net", entry),
        given.meaning("norm_a", eq(norm_a, opnorm(_matrix))),
        form_bound(given, _matrix, across),
    ]
    return rules.follows(given.goal, premises, under=[eq(Abs(eigenvalue), norm_a)])


ONE_ATTAINED = claim(
    "eoc.prop9.net.symmetric.attained",
    at=_PROOF,
    title="The factor for symmetric matrices and one net is the best",
    states=sentence(
        _ATTAINED + r"\max_{y\in $net}|\langle y, $A y\rangle|", matrix=_MIRROR, factor=_BEST_ONE
    ),
    rests_on=[SYMMETRIC_NET],
    discharging={
        QUARTER_NET: "the net is given by the angles of its points",
        SYMMETRIC: "the matrix is diagonal",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ONE_ATTAINED.argued(
    bridge="The net is symmetric under reflections in both axes and the diagonals, so that its"
    " other points are farther from all four ends, and neighbours are close enough for a net.",
    controls={"rank_one": {"matrix": _PLANE}},
)
def reflection(matrix: Any, factor: Any) -> Obligations:
    """A = diag(1, -1): ⟨y, Ay⟩ = cos 2t; net points at distance 1/4 from the four axes' ends."""
    for y in (Matrix([_COSINE, _SINE]), Matrix([_SINE, _COSINE])):
        yield "value", equal(factor * Abs(y.dot(matrix * y)), Integer(1))
    yield "norm 1", bool(max((matrix.T * matrix).eigenvals()) == 1)
    gap = 4 * asin(Rational(1, 8))
    yield "2 more points close each quarter of the circle", bool((pi / 2 - gap) / 3 < gap)
