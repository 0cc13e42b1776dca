"""Conditional means: given a value, and the means of conditional means and probabilities."""

from collections.abc import Callable
from typing import Any

from sympy import Expr
from sympy.logic.boolalg import Boolean

from theorems.engine import eq
from theorems.engine.rules import E, P, Theorem
from theorems.engine.rules.vocabulary import independent

__all__ = ["given_a_value", "total_probability", "tower_rule"]


def given_a_value(
    says: Callable[..., Theorem], conditional: Expr, there: Expr, rest: Expr, *others: Expr, **where: Any
) -> Theorem:
    """E(f(U, R) | U = u) = E f(u, R) for a rest R that is independent of U, which is a hypothesis.

    See Williams, Probability with Martingales, 1991, Section 9.10.  ``there`` is f(u, R), and
    ``others`` are what the rest is independent of; ``says`` is as for ``tower_rule``.

    >>> from theorems.engine.rules import RANDOM, Random
    >>> from theorems.engine.rules.meanings import meaning
    >>> from sympy import Reals, symbols
    >>> (mean, u), U, R = symbols("mean u", real=True), Random("U"), Random("R")
    >>> over = {mean: Reals, u: Reals, U: RANDOM, R: RANDOM}
    >>> print(given_a_value(meaning, mean, u + R, R, U, over=over))
    Eq(mean, u + E(R)) for ..., independent(R, U) [proved]
    """
    what = "a conditional mean, given a value of what the rest is independent of"
    return says(what, eq(conditional, E(there)), under=[independent(rest, *others)], **where)


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
