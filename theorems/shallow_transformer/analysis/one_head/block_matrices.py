"""Lemma 2, proof, Equation (18): symmetric matrices with a block that vanishes."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Abs, Symbol, sqrt

from theorems.engine import Given, both, eq, le
from theorems.engine.rules import Operator, Theorem, Vector, act, inner, norm
from theorems.engine.rules.vocabulary import opnorm
from theorems.shallow_transformer.letters import head as its
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.premises.heads import bounded_form
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.sampling.head_balls import Point, block_matrix

_NOTE = "proofs_notes/st_smoothness.md#the-hessian"

MATRIX = claim(
    "st.lem2.matrix",
    at="Lemma 2, proof; Equation (18)",
    title="The norm of a symmetric matrix with one vanishing block",
    states=le(its.whole_norm, sqrt(2 * its.coupling**2 + its.corner**2)),
    note=_NOTE,
)


_LENGTHS = tuple(Symbol(f"length of {one}", nonnegative=True) for one in "xy")
_UNIT = eq(_LENGTHS[0] ** 2 + _LENGTHS[1] ** 2, 1)
_LARGEST_FORM = 2 * its.coupling * _LENGTHS[0] * _LENGTHS[1] + its.corner * _LENGTHS[1] ** 2


def _form() -> Theorem:
    """The norm is |⟨x, Bᵀy⟩ + ⟨y, Bx + Cy⟩| somewhere on the sphere, at most 2b|x||y| + c|y|²."""
    x, y, B, C, turned = Vector("x"), Vector("y"), Operator("B"), Operator("C"), Operator("B'")
    meaning = ONE_HEAD.meaning(
        "the norm, at a vector (x, y) of length 1 where the form is largest, and the transposed block",
        eq(its.whole_norm, Abs(inner(x, act(turned, y)) + inner(y, act(B, x) + act(C, y)))),
        eq(inner(x, act(turned, y)), inner(y, act(B, x))),
        eq(its.coupling, opnorm(B)),
        eq(its.corner, opnorm(C)),
        *(eq(length, norm(one)) for length, one in zip(_LENGTHS, (x, y), strict=True)),
        eq(norm(x) ** 2 + norm(y) ** 2, 1),
    )
    goal = both(_UNIT, le(its.whole_norm, _LARGEST_FORM))
    return ONE_HEAD.follows(meaning, bounded_form(y, B, x), bounded_form(y, C, y), goal=goal)


@MATRIX.proved()
def two_rows(given: Given) -> Theorem:
    """2bxy + cy² ≤ √(2b² + c²) for x² + y² = 1, as 2x²y² + y⁴ ≤ 1."""
    (x, y), squares = _LENGTHS, 2 * its.coupling**2 + its.corner**2
    weights = 2 * x**2 * y**2 + y**4
    schwarz = ONE_HEAD.follows(goal=le(_LARGEST_FORM**2, squares * weights))
    small = ONE_HEAD.follows(goal=le(weights, 1), under=[_UNIT])
    square = ONE_HEAD.follows(schwarz, small, goal=le(_LARGEST_FORM**2, squares), under=[_UNIT])
    return given.follows(_form(), square)


@st.composite
def _matrices(draw: st.DrawFn) -> tuple[Any, Any]:
    """Any blocks, and blocks that are aligned with one another: the extremal case."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows, columns = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    B, C = rng.standard_normal((rows, columns)), rng.standard_normal((rows, rows))
    if draw(st.booleans()):
        B, C = np.outer(np.eye(rows)[0], np.eye(columns)[0]), np.outer(*[np.eye(rows)[0]] * 2)
    sizes = st.floats(0, 5) | st.sampled_from([0.0, 1.0, 2.0**-600])
    return draw(sizes) * B, draw(sizes) * (C + C.T)


@MATRIX.tested(over=_matrices())
def matrices_over_printed(case: Any) -> Point:
    """The norm and the printed bound."""
    return block_matrix(*case)


_NORM = (its.corner + sqrt(its.corner**2 + 4 * its.coupling**2)) / 2

MATRIX_SHARP = MATRIX.sharpened(
    "st.lem2.matrix.sharp",
    title="The largest norm of a symmetric matrix with one vanishing block",
    states={
        "bound": le(its.whole_norm, _NORM),
        "attained by numbers: a zero of the characteristic polynomial": eq(
            _NORM * (_NORM - its.corner), its.coupling**2
        ),
        "below the printed bound": le(_NORM, sqrt(2 * its.coupling**2 + its.corner**2)),
    },
    note=_NOTE,
)


@MATRIX_SHARP.proved("bound")
def quadratic_form(given: Given) -> Theorem:
    """2b|x||y| + c|y|² is n less n(|x| − b|y|/n)², with n² = cn + b²."""
    return given.follows(_form())


@MATRIX_SHARP.proved(
    "attained by numbers: a zero of the characteristic polynomial", "below the printed bound"
)
def two_by_two(given: Given) -> Theorem:
    """Matrices of size 2, with numbers for the blocks B and C."""
    return given.follows()


@MATRIX_SHARP.tested("bound", over=_matrices())
def sampled_matrices(case: Any) -> Point:
    """The norms of sampled matrices, compared with the bound."""
    return block_matrix(*case)
