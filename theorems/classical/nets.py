"""Nets of the sphere."""

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from theorems.classical.hypotheses import LARGEST_SEPARATED, QUARTER_NET
from theorems.classical.letters import claim, m, net_distance, net_largest, net_size, operator_norm
from theorems.classical.properties import separated
from theorems.engine import Given, Provenance, Rounded, both, eq, gt, half_line, implies, le, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import opnorm

NET = claim(
    "classical.net",
    at="Vershynin (2018), Corollary 4.2.13",
    title="The sphere has a quarter-net of at most 9^m points",
    states={"points": le(net_size, 9**m), "distance": le(net_distance, sp.Rational(1, 4))},
    assuming=[LARGEST_SEPARATED],
    provenance=Provenance.CLASSICAL,
)
_APART = sp.Symbol("distance that separates", positive=True)


def _separated(given: Given, *relations: Any) -> Theorem:
    """That the points are more than 1/4 apart, and what else is said of a largest such set."""
    said = both(eq(_APART, sp.Rational(1, 4)), *relations)
    over = {**given.domain, **dict.fromkeys(said.free_symbols - set(given.domain), sp.Reals)}
    over[_APART] = half_line(0, closed=False)
    return given.supposed(LARGEST_SEPARATED, said, over=over)


@NET.proved("points")
def compare_volumes(given: Given) -> Theorem:
    """At most (1 + 2/d)^m points more than d apart fit into the unit ball, which is 9^m here."""
    far = separated(net_size, m, _APART)
    packing = given.textbook(
        "packing of the unit ball, by volumes (Vershynin 2018, Proposition 4.2.12)",
        le(net_size, (1 + 2 / _APART) ** m),
        under=[far],
    )
    return given.follows(packing, _separated(given, far))


@NET.proved("distance")
def one_more_point(given: Given) -> Theorem:
    """A unit vector farther from all points would be one more point of a larger set."""
    larger = sp.Symbol("number of points with one more", real=True)
    over = {**given.domain, larger: sp.Reals}
    more = given.meaning("a set with one more point", eq(larger, net_size + 1), over=over)
    none = implies(gt(net_distance, _APART), le(larger, net_size))
    return given.follows(more, _separated(given, none))


BILINEAR = claim(
    "classical.net.bilinear",
    at="Vershynin (2018), Exercise 4.4.3",
    title="The norm of any square matrix, symmetric or not, from a quarter-net",
    states=le(operator_norm, 2 * net_largest),
    assuming=[QUARTER_NET],
    provenance=Provenance.CLASSICAL,
)


@BILINEAR.proved()
def two_steps(given: Given) -> Theorem:
    """⟨u, Av⟩ = ⟨y, Ay'⟩ + ⟨u - y, Av⟩ + ⟨y, A(v - y')⟩ ≤ max + (1/4 + 1/4)‖A‖."""
    u, v, y, z = (Vector(name) for name in ("u", "v", "y", "z"))
    A, quarter = Operator("A"), sp.Rational(1, 4)

    def over(*vectors: Any, **_: Any) -> dict[Any, Any]:
        return {x: x.belongs_to for x in (*vectors, A)}

    attained = [facts.norm_attained(A, u, v), given.meaning("the norm", eq(operator_norm, opnorm(A)))]
    close = given.supposed(QUARTER_NET, le(norm(u - y), quarter), le(norm(v - z), quarter), eq(norm(y), 1))
    entry = given.largest(
        "the largest entry of the matrix in the net", le(sp.Abs(inner(y, act(A, z))), net_largest)
    )
    schwarz = [facts.cauchy_schwarz(u - y, act(A, v)), facts.cauchy_schwarz(y, act(A, v - z))]
    images = [facts.operator_norm(A, v), facts.operator_norm(A, v - z)]
    first = rules.follows(
        le(inner(u - y, act(A, v)), quarter * operator_norm), [*attained, close, schwarz[0], images[0]]
    )
    second = rules.follows(
        le(inner(y, act(A, v - z)), quarter * operator_norm), [*attained, close, schwarz[1], images[1]]
    )
    return given.follows(*attained, entry, first, second)


def _planar_net() -> np.ndarray:
    """Thirteen equidistant points of the circle: every point is within 1/4 of one of them."""
    angles = 2 * np.pi * np.arange(13) / 13
    return np.stack([np.cos(angles), np.sin(angles)])


@BILINEAR.tested(
    over=st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda entries: max(map(abs, entries)) > 0.01)
)
def matrices_of_the_plane(entries: tuple[float, ...]) -> dict[Any, Any]:
    """2 × 2 matrices; with the diagonal of the net alone a rotation would fail."""
    A, points = np.array(entries).reshape(2, 2), _planar_net()
    values = {operator_norm: np.linalg.norm(A, 2), net_largest: np.max(np.abs(points.T @ A @ points))}
    # Products of entries of size 1.
    return {m: 2, **{x: Rounded(float(value), 1e-14) for x, value in values.items()}}
