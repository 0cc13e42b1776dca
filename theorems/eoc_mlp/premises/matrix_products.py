"""Norms of products of matrices, and of images under diagonal ones."""

from typing import Any

from sympy import Expr, Function, Sum, Symbol

from theorems.engine import Given, eq, integers, le, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm, sums
from theorems.engine.rules.vocabulary import opnorm
from theorems.eoc_mlp.letters.backpropagation import norm_b1, norm_b2, norm_kk
from theorems.eoc_mlp.letters.gradients import norm_product, product

#: The number of a block, and how many there are.
BLOCK = Symbol("block", integer=True, nonnegative=True)
_COUNT = Symbol("blocks", integer=True, positive=True)


def bound_of_product(given: Given) -> Theorem:
    """‖B_1B_2^*‖ ≤ ‖B_1‖‖B_2‖, by a unit vector at which the norm of the product is attained."""
    first, second, back, u, v = *map(Operator, ("B_1", "B_2", "B2_star")), Vector("u"), Vector("v")
    below = act(back, v)
    image = eq(norm(act(product, v)), norm(act(first, below)))
    lengths = eq(norm_b1, opnorm(first)), eq(norm_b2, opnorm(second))
    norms = given.meaning("the norms of B_1 and of B_2", *lengths)
    known = [
        norm_of_product(given),
        given.meaning("M = B_1 B_2^*, at a vector", image),
        norms,
        facts.norm_attained(product, u, v),
        facts.operator_norm(first, below),
        _norm_of_the_adjoint(given, second, back, v),
    ]
    return rules.follows(le(norm_product, norm_b1 * norm_b2), known)


def _norm_of_the_adjoint(given: Given, matrix: Operator, back: Operator, v: Vector) -> Theorem:
    """‖B*v‖ ≤ ‖B‖‖v‖, as ‖B*v‖² = ⟨BB*v, v⟩."""
    image = act(back, v)
    known = [
        given.meaning("the adjoint of B_2", eq(inner(image, image), inner(act(matrix, image), v))),
        facts.cauchy_schwarz(act(matrix, image), v),
        facts.operator_norm(matrix, image),
    ]
    square = rules.follows(le(norm(image) ** 2, opnorm(matrix) * norm(v) * norm(image)), known)
    return rules.follows(le(norm(image), opnorm(matrix) * norm(v)), [square, facts.operator_norm(matrix, v)])


def norm_of_product(given: Given) -> Theorem:
    """‖B_1B_2^*‖ = ‖M‖."""
    return given.meaning("norm of M = B_1 B_2^*", eq(norm_product, opnorm(product)))


#: The backpropagation matrix of one layer.
ONE_LAYER = Operator("B_kk")


def norm_of_one_layer(given: Given) -> Theorem:
    """‖B_kk‖ is the operator norm of this matrix."""
    return given.meaning("the norm of the matrix", eq(norm_kk, opnorm(ONE_LAYER)))


def _total(term: Expr) -> Sum:
    return Sum(term, (BLOCK, 0, _COUNT - 1))


def scaled_length(given: Given, image: Any, v: Any, factor: Expr, each: Theorem) -> Theorem:
    """‖Dv‖ ≤ c‖v‖ for a matrix with these factors on the diagonal, if each is of size ≤ c.

    ``image`` is Dv, and ``each`` says |factor| ≤ c for the factor of a block.
    """
    bound = each.statement.gts
    part = Function(f"length of a block of {v}", nonnegative=True)(BLOCK)
    lengths = given.meaning(
        "lengths, by those of the blocks, and an image under a diagonal matrix",
        eq(inner(v, v), _total(part**2)),
        eq(inner(image, image), _total((factor * part) ** 2)),
    )
    square = rules.follows(le((factor * part) ** 2, bound**2 * part**2), [each])
    numbers = {x: range_ for x, range_ in each.over.items() if x != BLOCK} | {_COUNT: integers(1)}
    added = sums.summed(square, BLOCK, _COUNT)
    apart = sums.linear(added.statement.rhs, over=numbers)
    longer = {**numbers, **lengths.over}
    squares = le(inner(image, image), bound**2 * inner(v, v))
    known = rules.follows(squares, [lengths, added, apart], over=longer)
    return rules.follows(le(norm(image), bound * norm(v)), [known, each], over=longer)
