"""Softmax weights as exact numbers or symbols, and the Jacobian of softmax.

A few tokens stand for any number of them: the exponentials of all others are one number
``rest``, on which no derivative with respect to the logits of these few depends.
"""

from collections.abc import Sequence
from typing import Any

import sympy
from sympy import Expr, ImmutableMatrix, Symbol

from symbolic.arguments import exact, natural, shown
from symbolic.equality import equal

#: The sum of the exponentials of all tokens that are not named.
REST = Symbol("R", nonnegative=True)


def softmax(logits: Any, rest: Any = 0) -> ImmutableMatrix:
    r"""Softmax of some logits, beside tokens whose exponentials add up to `rest`.

    .. math:: p_t = \frac{e^{z_t}}{R + \sum_s e^{z_s}}.

    `logits` is a list of exact numbers or symbols, `rest` a number at least 0. The result is a
    column with one weight for each logit. Raises TypeError or ValueError for anything else.
    Source: "Shallow transformers", Section 3.2.

    >>> softmax([0, sympy.log(2), 0])
    Matrix([
    [1/4],
    [1/2],
    [1/4]])
    """
    exponentials = [sympy.exp(z) for z in exact_values(logits, "logits")]
    others = exact(rest, "rest")
    if others.is_negative:
        raise ValueError(f"rest must lie in [0, infinity), got {rest}")
    return ImmutableMatrix(exponentials) / (sum(exponentials) + others)


def softmax_jacobian(weights: Any) -> ImmutableMatrix:
    """J = diag(p) - p p^T for a list of weights that add up to 1.

    Source: "Shallow transformers", Fact 1.

    >>> softmax_jacobian(["1/3", "2/3"])
    Matrix([
    [ 2/9, -2/9],
    [-2/9,  2/9]])
    """
    p = ImmutableMatrix(exact_weights(weights))
    return ImmutableMatrix(sympy.diag(*p) - p * p.T)


def weight_symbols(size: int) -> tuple[Expr, ...]:
    """Weights of `size` tokens: positive symbols, but for the last, which is 1 minus the others.

    >>> weight_symbols(3)
    (p_1, p_2, -p_1 - p_2 + 1)
    """
    free = tuple(Symbol(f"p_{t}", positive=True) for t in range(1, natural(size, "size")))
    return (*free, 1 - sum(free, sympy.Integer(0)))


def exact_values(value: Any, name: str) -> tuple[Expr, ...]:
    """Convert a list of numbers, or a matrix of one column, to exact expressions."""
    entries = list(value) if isinstance(value, sympy.MatrixBase) else value
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise TypeError(f"{name} must be a list of exact numbers, got {shown(value)}")
    if not entries:
        raise ValueError(f"{name} must be a list of at least one number, got {shown(value)}")
    return tuple(exact(entry, name) for entry in entries)


def exact_weights(value: Any, name: str = "weights") -> tuple[Expr, ...]:
    """Convert a list of weights that are not negative and add up to 1."""
    p = exact_values(value, name)
    if any(entry.is_negative for entry in p) or equal(sum(p), sympy.Integer(1)) is not True:
        raise ValueError(f"{name} must be at least 0 and add up to 1, got {shown(value)}")
    return p
