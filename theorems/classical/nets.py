"""Nets of the sphere."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st

from symbolic.equality import equal
from theorems.engine import Measured, Obligations, Provenance, claim, integers

NET = claim(
    "classical.net",
    at="Vershynin (2018), Corollary 4.2.13",
    title="The sphere has a quarter-net of at most 9^m points",
    states=r"\exists\,\mathcal{N} \subset S^{m-1}, \quad |\mathcal{N}| \le 9^m, \quad"
    r" \max_{y \in S^{m-1}}\min_{y' \in \mathcal{N}}\|y - y'\| \le \tfrac14",
    given={"m": integers(1)},
    provenance=Provenance.CLASSICAL,
)


@NET.proved(controls={"eight": {"base": 8}, "diameter": {"radius": sp.Rational(1, 4)}})
def compare_volumes(base: int = 9, radius: Any = sp.Rational(1, 8)) -> Obligations:
    """A maximal set of points more than 1/4 apart is a net, and balls around them are disjoint.

    They have radius 1/8 and lie in a ball of radius 1 + 1/8.
    """
    m, count = sp.symbols("m N", positive=True)
    yield "disjoint", bool(2 * radius <= sp.Rational(1, 4))
    largest = sp.solve(sp.Eq(count * radius**m, (1 + radius) ** m), count)
    yield "volumes", equal(largest[0], sp.Integer(base) ** m)


BILINEAR = claim(
    "classical.net.bilinear",
    at="Vershynin (2018), Exercise 4.4.3",
    title="The norm of any matrix from two nets",
    states=r"\|A\| \le 2\max_{y, y' \in \mathcal{N}}|\langle y, Ay'\rangle|",
    assuming="N is a quarter-net of the unit sphere; A need not be symmetric",
    provenance=Provenance.CLASSICAL,
)


@BILINEAR.proved(controls={"finer_net": {"distance": sp.Rational(1, 5)}})
def two_steps(distance: Any = sp.Rational(1, 4)) -> Obligations:
    """⟨u, Av⟩ = ⟨y, Ay'⟩ + ⟨u - y, Av⟩ + ⟨y, A(v - y')⟩ ≤ max + (1/4 + 1/4)‖A‖."""
    A = sp.Symbol("A", commutative=False)
    u, v, y, z = (sp.Symbol(name, commutative=False) for name in ("u", "v", "y", "z"))
    split = y * A * z + (u - y) * A * v + y * A * (v - z)
    yield "three terms", bool(sp.expand(split - u * A * v) == 0)
    norm, largest = sp.symbols("n m", positive=True)
    bound = sp.solve(sp.Eq(norm, largest + 2 * distance * norm), norm)
    yield "solved for the norm", equal(bound[0], 2 * largest)


def _planar_net() -> np.ndarray:
    """Thirteen equidistant points of the circle: every point is within 1/4 of one of them."""
    angles = 2 * np.pi * np.arange(13) / 13
    return np.stack([np.cos(angles), np.sin(angles)])


@BILINEAR.tested(
    over=st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda entries: max(map(abs, entries)) > 0.01),
    controls={"one_net": {"symmetric": True}, "without_the_two": {"factor": 0.9}},
)
def matrices_of_the_plane(
    entries: tuple[float, ...], factor: float = 2.0, symmetric: bool = False
) -> Measured:
    """‖A‖ over twice the maximum for 2 × 2 matrices; with one net, A = rotation fails."""
    A, net = np.array(entries).reshape(2, 2), _planar_net()
    values = np.abs(net.T @ A @ net)
    largest = np.max(np.diagonal(values) if symmetric else values)
    # Products of entries of size 1; the norm of A is at least 0.01.
    return Measured(float(np.linalg.norm(A, 2) / (factor * largest + 1e-300)), 1e-13)
