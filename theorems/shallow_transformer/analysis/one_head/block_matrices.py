"""Lemma 2, proof, Equation (18): symmetric matrices with a block that vanishes."""

from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Abs, Expr, Symbol, sqrt, symbols

from theorems.engine import Given, both, eq, implies, le
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm
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


_X, _Y = symbols("X Y", real=True)
_FORM, _SQUARE = 2 * its.coupling * _X * _Y + its.corner * _Y**2, _X**2 + _Y**2
_WHOLE, _TO_X, _TO_Y = (Operator(name) for name in ("matrix", "first block of a vector", "second block"))


def _norm(most: Expr, numbers: Theorem) -> Theorem:
    """‖W‖ = ⟨(x, y), W(x′, y′)⟩ ≤ b|y′||x| + b|y||x′| + c|y||y′| for unit vectors, and at most K.

    ``numbers`` says |2bXY + cY²| ≤ K(X² + Y²), here for sums and differences of lengths.
    """
    B, C, turned, z, other = Operator("B"), Operator("C"), Operator("B'"), Vector("z"), Vector("z'")
    u, w = Vector("u"), Vector("w")
    x, y, x_, y_ = (act(block, one) for one in (z, other) for block in (_TO_X, _TO_Y))
    blocks = ONE_HEAD.meaning(
        "the matrix and inner products by blocks, and the transposed block",
        eq(inner(z, act(_WHOLE, other)), inner(x, act(turned, y_)) + inner(y, act(B, x_) + act(C, y_))),
        eq(inner(z, other), inner(x, x_) + inner(y, y_)),
        eq(inner(x, act(turned, y_)), inner(y_, act(B, x))),
    )
    norms = ONE_HEAD.meaning(
        "norms", eq(its.whole_norm, opnorm(_WHOLE)), eq(its.coupling, opnorm(B)), eq(its.corner, opnorm(C))
    )
    at = {z: u, other: w}
    x, y, x_, y_ = (one.xreplace(at) for one in (x, y, x_, y_))
    a, b, a_, b_ = map(norm, (x, y, x_, y_))
    known = [ONE_HEAD.substituted(blocks, at), norms, facts.norm_attained(_WHOLE, u, w)]
    known += [bounded_form(*one) for one in ((y_, B, x), (y, B, x_), (y, C, y_))]
    form = its.coupling * (b_ * a + b * a_) + its.corner * b * b_
    below = ONE_HEAD.follows(*known, goal=le(its.whole_norm, form))
    units = [ONE_HEAD.substituted(blocks, {z: one, other: one}) for one in (u, w)]
    unit = ONE_HEAD.follows(*units, known[2], goal=both(eq(a**2 + b**2, 1), eq(a_**2 + b_**2, 1)))
    values = dict(zip(_NUMBERS, (a, b, a_, b_), strict=True))
    pairs = [ONE_HEAD.substituted(numbers, {_X: a + s * a_, _Y: b + s * b_}) for s in (1, -1)]
    there = ONE_HEAD.substituted(_polarised(), {**values, _MOST: most})
    met = [ONE_HEAD.follows(unit, *pairs, goal=one) for one in there.conditions]
    form_, most_ = symbols("f K", real=True)
    above = ONE_HEAD.follows(there, *met, goal=there.statement)
    between = ONE_HEAD.follows(
        goal=le(its.whole_norm, most_), under=[le(its.whole_norm, form_), le(form_, most_)]
    )
    inserted = ONE_HEAD.substituted(between, {form_: form, most_: most})
    return ONE_HEAD.follows(inserted, below, above, goal=le(its.whole_norm, most))


_NUMBERS, _MOST = symbols("a b a' b'", real=True), Symbol("K", real=True)


@cache
def _polarised() -> Theorem:
    """4(b(xy′ + yx′) + cyy′) = F(x + x′, y + y′) − F(x − x′, y − y′) ≤ 4K for F = 2bXY + cY²."""
    a, b, a_, b_ = _NUMBERS
    ends = [{_X: a + s * a_, _Y: b + s * b_} for s in (1, -1)]
    sizes = [le(Abs(_FORM.xreplace(at)), _MOST * _SQUARE.xreplace(at)) for at in ends]
    units = eq(a**2 + b**2, 1), eq(a_**2 + b_**2, 1)
    form = its.coupling * (b_ * a + b * a_) + its.corner * b * b_
    ends_ = [(_FORM.xreplace(at), _MOST * _SQUARE.xreplace(at)) for at in ends]
    (first, top), (second, other_top) = ends_
    known = [
        ONE_HEAD.follows(goal=eq(4 * form, first - second)),
        ONE_HEAD.follows(goal=le(first, top), under=sizes[:1]),
        ONE_HEAD.follows(goal=le(-second, other_top), under=sizes[1:]),
    ]
    lengths = [_MOST * one.lhs for one in units]
    known.append(ONE_HEAD.follows(goal=eq(top + other_top, 2 * lengths[0] + 2 * lengths[1])))
    known += [
        ONE_HEAD.follows(goal=eq(one, _MOST), under=[unit]) for one, unit in zip(lengths, units, strict=True)
    ]
    letters = symbols("f F G P Q A B", real=True)
    f, F, G, P, Q, A, B = letters
    under = [eq(4 * f, F - G), le(F, P), le(-G, Q), eq(P + Q, 2 * A + 2 * B), eq(A, _MOST), eq(B, _MOST)]
    lemma = ONE_HEAD.follows(goal=le(f, _MOST), under=under)
    terms = (form, first, second, top, other_top, *lengths)
    there = ONE_HEAD.substituted(lemma, dict(zip(letters, terms, strict=True)))
    return ONE_HEAD.follows(there, *known, goal=le(form, _MOST), under=[*units, *sizes])


_NORM = (its.corner + sqrt(its.corner**2 + 4 * its.coupling**2)) / 2


@cache
def _best_norm() -> Theorem:
    """n(X² + Y²) ± (2bXY + cY²) are at least 0, as n² = cn + b² for n = (c + √(c² + 4b²))/2."""
    n, b, c = Symbol("n", nonnegative=True), its.coupling, its.corner
    root = [eq(n * (n - c), b**2), le(c, n)]
    squares = n * (n * _SQUARE - _FORM), n * (n * _SQUARE + _FORM)
    signs = [ONE_HEAD.follows(goal=le(0, one), under=root) for one in squares]
    none = ONE_HEAD.follows(goal=implies(eq(n, 0), eq(_FORM, 0)), under=root)
    size = ONE_HEAD.follows(*signs, none, goal=le(Abs(_FORM), n * _SQUARE), under=root)
    at = ONE_HEAD.substituted(size, {n: _NORM})
    met = [ONE_HEAD.follows(goal=one.xreplace({n: _NORM})) for one in root]
    return _norm(_NORM, ONE_HEAD.follows(at, *met, goal=at.statement))


@MATRIX.proved()
def below_the_best_norm(given: Given) -> Theorem:
    """(c + √(c² + 4b²))/2 is at most √(2b² + c²)."""
    smaller = ONE_HEAD.follows(goal=le(_NORM, sqrt(2 * its.coupling**2 + its.corner**2)))
    return given.follows(_best_norm(), smaller)


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
    """The form at singular vectors, by sums and differences of the lengths of their blocks."""
    return given.follows(_best_norm())


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
