"""Moments of squares of standard normal variables, and of weighted sums of them, for any proof."""

from typing import Any

import sympy as sp
from sympy import Abs, Expr, Symbol

from theorems.classical import powers
from theorems.classical.hypotheses import EACH_NORMAL, NONNEGATIVE_WEIGHTS
from theorems.classical.letters import (
    claim,
    normal,
    number_of_weights,
    odd_factorial,
    q,
    total,
    weighted_moment,
)
from theorems.classical.products import odd_numbers
from theorems.classical.steps import same
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, integers, le, rules
from theorems.engine.rules import E, Random, Theorem, probabilities, sums
from theorems.engine.rules.facts import Fact
from theorems.engine.rules.vocabulary import normal as is_normal
from theorems.engine.rules.vocabulary import randoms

MOMENTS = claim(
    "classical.gaussian_moments",
    at="Gaussian moments",
    title="Moments of a Gaussian square, and of weighted sums of them",
    states={
        "one square": eq(E(normal ** (2 * q)), odd_factorial(q)),
        "weighted": le(weighted_moment, total**q * odd_factorial(q)),
    },
    assuming=[EACH_NORMAL, NONNEGATIVE_WEIGHTS],
    provenance=Provenance.CLASSICAL,
)
_ORDERS = {q: integers(1)}
_n = Symbol("n", integer=True, nonnegative=True)
_i = Symbol("i", integer=True, nonnegative=True)
_WEIGHT = sp.Function("b", nonnegative=True)


def standard(variable: Expr) -> Any:
    """That a variable is normal with the mean 0 and the variance 1."""
    return both(is_normal(variable), eq(E(variable**2), 1))


def even_moment(variable: Expr = normal) -> Theorem:
    """E g^(2q) = (2q - 1)!! for whatever is standard normal, q being the classical letter.

    By parts with the density E g^(2q+2) = (2q + 1) E g^(2q).
    """
    g = Random("standard normal g")
    under = standard(g).args
    parts = Fact(
        "integration by parts, of g^(2q + 1) times the derivative of the density exp(-g^2/2)",
        eq(E(g ** (2 * q + 2)), (2 * q + 1) * E(g ** (2 * q))),
        (g, q),
        tuple(_ORDERS.items()),
        under,
    )
    odd = rules.instance(odd_numbers(odd_factorial), [q])
    general = rules.induction(
        eq(E(g ** (2 * q)), odd_factorial(q)), q, 1, base=[odd], step=[parts.theorem, odd], under=under
    )
    return general.at({g: variable})


@MOMENTS.proved("one square")
def by_parts(given: Given) -> Theorem:
    """By induction on the order."""
    law = given.supposed(EACH_NORMAL, standard(normal))
    return given.follows(even_moment(), law)


def weighted_squares(
    given: Given, normals: Hypothesis, moment: Expr, total: Expr, count: Expr, order: Expr = q
) -> Theorem:
    """E(Σb_i g_i²)^q ≤ (Σb_i)^q (2q - 1)!!, by the triangle inequality in the norm of order q.

    The hypothesis says that all g_i are standard normal; ``moment`` is that of the sum of ``count``
    squares with weights b_i ≥ 0, and ``total`` the sum of the weights.
    """
    S, g = randoms("S"), randoms("g")
    law = given.supposed(normals, standard(g(_n)))
    bound, root = _bound_of_sums(given, S, g, law)
    partial, at = partial_weights(_n), {_n: count}
    meant = given.meaning(
        "the weighted sum of squares, and the sum of the weights",
        eq(moment, E(Abs(S(count)) ** order)),
        eq(total, partial.xreplace(at)),
    )
    there = given.substituted(bound, {**at, q: order})
    power = same((_K(order) * total) ** order, _K(order) ** order * total**order, meant.over)
    goal = le(moment, total**order * odd_factorial(order))
    roots = given.substituted(root, {q: order})
    return rules.follows(goal, [there, meant, power, roots], over={**there.over, **meant.over})


#: The norm of order q of a standard normal square.
_K = sp.Function("K", nonnegative=True)


def partial_weights(count: Expr) -> sp.Sum:
    """The sum of the first weights b_i, which are not negative."""
    return sp.Sum(_WEIGHT(_i), (_i, 0, count - 1))


def _bound_of_sums(given: Given, S: Any, g: Any, law: Theorem) -> tuple[Theorem, Theorem]:
    """E|S(n)|^q ≤ (K Σb_i)^q for sums S of n terms, and K^q = (2q - 1)!!."""
    numbers, K = {**_ORDERS, _n: sp.Range(sp.oo)}, _K(q)
    square, share = _WEIGHT(_n) * g(_n) ** 2, K * _WEIGHT(_n)
    partial = partial_weights(_n)
    root = _norm_of_a_square(given)
    lengths = [law, even_moment(g(_n)), same(share**q, K**q * _WEIGHT(_n) ** q, numbers), root]
    known = [
        _one_term_more(S(_n), square, K * partial, share),
        rules.follows(le(E(Abs(square) ** q), share**q), lengths),
        given.meaning("a sum of no terms", eq(E(Abs(S(0)) ** q), 0)),
        given.meaning("a sum with one term more", eq(E(Abs(S(_n + 1)) ** q), E(Abs(S(_n) + square) ** q))),
        sums.spelled_out(partial.xreplace({_n: sp.S.Zero})),
    ]
    whole = le(E(Abs(S(_n)) ** q), (K * partial) ** q)
    return sums.by_recursion(whole, _n, premises=known), root


def _norm_of_a_square(given: Given) -> Theorem:
    """K^q = (2q - 1)!! for the root K of that order."""
    double = odd_factorial(q)
    root = Abs(double) ** (1 / q)
    known = [
        given.meaning("the norm of order q of a square", eq(_K(q), root)),
        powers.equal(_K(q), root, q),
        rules.instance(odd_numbers(odd_factorial), [q]),
    ]
    return rules.follows(eq(_K(q) ** q, double), known)


def _one_term_more(before: Any, term: Any, bound: Any, share: Any) -> Theorem:
    """Minkowski's inequality for a sum of terms and one term more, with bounds that are not < 0."""
    (partial,) = bound.atoms(sp.Sum)
    positive = sums.by_recursion(ge(partial, 0), _n)
    under = [ge(partial, 0)]
    step = probabilities.minkowski_for_means(before, term, bound, share, q, under=under)
    return rules.follows(step.statement, [step, positive])


@MOMENTS.proved("weighted")
def triangle_inequality_of_norms(given: Given) -> Theorem:
    """In the norm of order q each square has the length K, so that their sum has at most Σβ_i K."""
    given.require(NONNEGATIVE_WEIGHTS)
    return given.follows(weighted_squares(given, EACH_NORMAL, weighted_moment, total, number_of_weights))
