"""Means of conditional means."""

from collections.abc import Callable
from typing import Any

from sympy import Expr

from theorems.engine import eq
from theorems.engine.rules import E, Theorem

__all__ = ["tower_rule"]


def tower_rule(
    textbook: Callable[..., Theorem],
    whole: Expr,
    conditional: Expr,
    *,
    factor: Any = 1,
    **where: Any,
) -> Theorem:
    """E(J Y) = E(J Ȳ) for the conditional mean Ȳ of Y, and a factor J that is known.

    See Williams, Probability with Martingales, 1991, Section 9.7.  The variables are some for
    which this holds, as ``textbook`` of a proof or of a lemma says.

    >>> from theorems.engine.rules import RANDOM, Random
    >>> from theorems.engine.rules.leaves import textbook
    >>> Y, mean = Random("Y"), Random("mean of Y")
    >>> print(tower_rule(textbook, Y, mean, over={Y: RANDOM, mean: RANDOM}).statement)
    Eq(E(Y), E(mean of Y))
    """
    said = eq(E(factor * whole), E(factor * conditional))
    return textbook("tower rule of conditional means", said, **where)
