"""Trace and Frobenius norm of the Jacobian of softmax, as sums of positive terms."""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from flint import arb

from numeric.arguments import decimal_digits, exact_array
from numeric.arithmetic import bits_of_digits, proved
from numeric.balls import ball
from numeric.softmax_jacobian.weights import checked_logits, plain, weights_of


def jacobian_trace(logits: Any, *, digits: int | None = None) -> Any:
    """tr J = sum_t p_t (1 - p_t) = 1 - sum_t p_t^2, at most 1 - 1/T.

    logits of shape (..., T); the result is a float, or an array of the leading shape, good to a few
    units in the last place; with digits= (one row of exact numbers) an mpf with so many correct
    digits, where what is proved to be below 2^-8192 may be returned as 0.
    Source: derived from "Shallow transformers", Fact 1.

    >>> jacobian_trace([0, 0, 0]), jacobian_trace([40, 0])
    (0.6666666666666666, 8.496708510583178e-18)
    >>> print(mpmath.nstr(jacobian_trace([1, 0], digits=20), 20))
    0.39322386648296370507
    """
    if digits is not None:
        return of_digits(logits, digits, _dot)
    weights = weights_of(checked_logits(logits))
    return plain(np.sum(weights.p * weights.complements, axis=-1))


def jacobian_frobenius_norm(logits: Any, *, digits: int | None = None) -> Any:
    """|J|_F = (sum p^2 - 2 sum p^3 + (sum p^2)^2)^(1/2), at most 1/2 for T = 2.

    Computed from the squares of the entries of J / (1 - max p). Arguments and result as for
    `jacobian_trace`.
    Source: derived from "Shallow transformers", Fact 1.

    >>> jacobian_frobenius_norm([0, 0]), jacobian_frobenius_norm([800, 0])
    (0.5, 0.0)
    """
    if digits is not None:
        return of_digits(logits, digits, _frobenius_ball)
    w = weights_of(checked_logits(logits))
    squares, fourths = (np.sum(w.others**k, axis=-1, keepdims=True) for k in (2, 4))
    # In units of rest: the row and the column of the largest weight, the rest of the diagonal, and
    # what is off the diagonal there.
    edge = w.largest_weight**2 * (1 + 2 * squares)
    diagonal = np.sum((w.others * w.complements) ** 2, axis=-1, keepdims=True)
    inside = w.rest**2 * (squares**2 - fourths)
    return plain((w.rest * np.sqrt(edge + diagonal + inside))[..., 0])


def _frobenius_ball(p: list[arb], complement: list[arb]) -> arb:
    diagonal = [(x * y) ** 2 for x, y in zip(p, complement, strict=True)]
    off = [(x * y) ** 2 for i, x in enumerate(p) for y in p[:i]]
    return (sum(diagonal, arb(0)) + 2 * sum(off, arb(0))).sqrt()


def _dot(first: list[arb], second: list[arb]) -> arb:
    return sum((x * y for x, y in zip(first, second, strict=True)), arb(0))


def of_digits(logits: Any, digits: int, formula: Callable[[list[arb], list[arb]], arb]) -> mpmath.mpf:
    """A function of the weights, largest first, and their complements, with so many digits."""
    bits = bits_of_digits(decimal_digits(digits))
    exact = sorted(exact_array("logits", logits, shape=("T",)), reverse=True)
    if not exact:
        raise ValueError("logits must have at least one entry, got shape (0,)")
    if len(exact) == 1:
        return mpmath.mpf(0)

    def evaluate() -> arb:
        return formula(*ball_weights([ball(z - exact[0]) for z in exact]))

    return proved(evaluate, bits)


def ball_weights(differences: list[arb]) -> tuple[list[arb], list[arb]]:
    """The weights and their complements, each a sum of positive terms over another."""
    odds = [z.exp() for z in differences]
    before, after = [arb(0)], [arb(0)]
    for x, y in zip(odds, reversed(odds), strict=True):
        before.append(before[-1] + x)
        after.append(after[-1] + y)
    total, after = before[-1], after[::-1]
    others = [before[i] + after[i + 1] for i in range(len(odds))]
    return [x / total for x in odds], [x / total for x in others]
