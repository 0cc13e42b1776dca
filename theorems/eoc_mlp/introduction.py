"""Section 1: distinct data points become non-parallel ones by a bias in the first layer."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import sympy as sp

from symbolic.equality import equal
from theorems.engine import Obligations, Provenance, claim, half_line, integers
from theorems.engine.domain import Domain

_BETA = sp.Symbol("beta", positive=True)
_GIVEN: dict[str, Domain] = {"beta": half_line(0, closed=False), "m_0": integers(1)}
_NOTE = "proofs_notes/eoc_networks.md#points-made-non-parallel"

BIAS = claim(
    "eoc.intro.bias",
    at="Section 1, after Theorem 1",
    title="Appending a positive constant makes distinct points non-parallel",
    states=(
        r"x \ne y \implies \begin{bmatrix} x \\ \beta \end{bmatrix} \ne"
        r" c\begin{bmatrix} y \\ \beta \end{bmatrix} \text{ for all } c \in \mathbb{R}"
    ),
    given=_GIVEN,
    assuming=("parallel and antiparallel points are both excluded, and zero is parallel to all",),
    note=_NOTE,
)


@BIAS.proved(controls={"no_constant": {"beta": 0}, "opposite_constants": {"other": -1}})
def last_coordinate(beta: Any = _BETA, other: int = 1) -> Obligations:
    """β = c β only for c = 1, and then x = y; and (x, β) is not zero."""
    c = sp.Symbol("c", real=True)
    beta = sp.sympify(beta)
    solutions = sp.solveset(sp.Eq(beta, c * other * beta), c, sp.S.Reals)
    yield "c = 1 is the only factor", bool(solutions == sp.FiniteSet(1))
    yield "(x, β) ≠ 0", bool(beta.is_nonzero)


LAYER = claim(
    "eoc.intro.bias.layer",
    at="Section 1, after Theorem 1",
    title="Appending a constant is a bias in the first layer",
    states=(
        r"[A \ \ c]\begin{bmatrix} x \\ \beta \end{bmatrix} = Ax + \beta c, \quad"
        r" \beta c \sim \mathcal{N}(0, \sigma^2 m^{-q_1}\beta^2\,\mathcal{I}_{m_1})"
    ),
    given=_GIVEN,
)


@LAYER.proved(controls={"variance": {"power": 1}})
def block_product(power: int = 2) -> Obligations:
    """Multiply the blocks; a Gaussian times β has the variance times β²."""
    A, c, x = (sp.Symbol(name, commutative=False) for name in "Acx")
    beta, s, square = sp.symbols("beta s E", positive=True)
    row, column = sp.Matrix([[A, c]]), sp.Matrix([x, beta])
    yield "product", bool(sp.expand((row * column)[0] - (A * x + beta * c)) == 0)
    variance = sp.expand((beta * s) ** 2).subs(s**2, square)
    yield "variance", equal(variance, beta**power * square)


EXPLICIT = claim(
    "eoc.intro.bias.explicit",
    at="Section 1, after Theorem 1",
    title="How far from parallel the points become",
    states=(
        r"\sin^2\angle\Bigl(\begin{bmatrix} x \\ \beta \end{bmatrix},"
        r" \begin{bmatrix} y \\ \beta \end{bmatrix}\Bigr)"
        r" \ge \frac{\beta^2\,\|x - y\|^2}{(\|x\|^2 + \beta^2)(\|y\|^2 + \beta^2)}"
    ),
    given=_GIVEN,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@EXPLICIT.proved(controls={"twice": {"factor": 2}}, part="bound")
def lagrange_identity(factor: int = 1) -> Obligations:
    """The squared area is β²‖x - y‖² and a sum of squares."""
    for m in (1, 2, 3):
        x, y = (sp.Matrix(sp.symbols(f"{name}1:{m + 1}", real=True)) for name in "xy")
        squares = sum(((x[i] * y[j] - x[j] * y[i]) ** 2 for i, j in combinations(range(m), 2)), 0)
        claimed = factor * _BETA**2 * (x - y).dot(x - y) + squares
        yield f"m_0 = {m}", equal(_squared_area(x, y), claimed)


def _squared_area(x: Any, y: Any) -> Any:
    """‖X‖²‖Y‖² - ⟨X, Y⟩² for X = (x, β), Y = (y, β): squared sine times squared lengths."""
    X, Y = (sp.Matrix([*one, _BETA]) for one in (x, y))
    return X.dot(X) * Y.dot(Y) - X.dot(Y) ** 2


@EXPLICIT.proved(controls={"right_angle": {"second": (2, -1)}}, part="attained")
def parallel_points(second: tuple[int, int] = (3, 6)) -> Obligations:
    """For parallel x and y, (1, 2) and (3, 6) say, the bound is an equality."""
    x, y = sp.Matrix([1, 2]), sp.Matrix(second)
    yield "squared area", equal(_squared_area(x, y), _BETA**2 * (x - y).dot(x - y))
