"""Means of conditional means and of conditional probabilities."""

from collections.abc import Callable
from typing import Any

from sympy import Expr
from sympy.logic.boolalg import Boolean

from theorems.engine import eq
from theorems.engine.rules import E, P, Theorem

__all__ = ["total_probability", "tower_rule"]


def tower_rule(
    says: Callable[..., Theorem], whole: Expr, conditional: Expr, *, factor: Any = 1, **where: Any
) -> Theorem:
    """E(J Y) = E(J Ȳ) for the conditional mean Ȳ of Y, and a factor J that is known.

    See Williams, Probability with Martingales, 1991, Section 9.7.  It is what a
    conditional mean is: ``says`` gives the leaf, the meaning of a proof or of a lemma.

    >>> from theorems.engine.rules import RANDOM, Random
    >>> from theorems.engine.rules.meanings import meaning
    >>> Y, mean = Random("Y"), Random("mean of Y")
    >>> print(tower_rule(meaning, Y, mean, over={Y: RANDOM, mean: RANDOM}).statement)
    Eq(E(Y), E(mean of Y))
    """
    said = eq(E(factor * whole), E(factor * conditional))
    return says("a conditional mean, by its mean", said, **where)


def total_probability(
    says: Callable[..., Theorem], event: Boolean, conditional: Expr, **where: Any
) -> Theorem:
    """P(A) = E Q for the conditional probability Q of A, the conditional mean of its indicator.

    As for ``tower_rule``, ``says`` gives the leaf.

    >>> from theorems.engine.rules import EVENTS, RANDOM, Event, Random
    >>> from theorems.engine.rules.meanings import meaning
    >>> A, chance = Event("A"), Random("chance of A")
    >>> over = {A: EVENTS, chance: RANDOM}
    >>> print(total_probability(meaning, A, chance, over=over).statement)
    Eq(P(A), E(chance of A))
    """
    said = eq(P(event), E(conditional))
    return says("a conditional probability, by its mean", said, **where)
