"""Proposition 17 where directions are equal or opposite: both slopes tell the sign of one variable.

The rows v_i = B_i^*g are given by their entries, which are forms of the normal row g.
"""

from sympy import Expr, Sum, Symbol

from symbolic.gaussian import GaussianMean
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_means import by_density
from theorems.engine import Given, eq, integers, rules
from theorems.engine.rules import RANDOM, E, Random, Theorem, facts, inner, sums
from theorems.engine.rules.normal_variables import independent_rest
from theorems.engine.rules.vocabulary import normal, randoms, vectors
from theorems.eoc_mlp.letters.activation import SIGMA, a, b, phi_prime, u
from theorems.eoc_mlp.letters.backpropagation import X_mean, X_prime_below
from theorems.eoc_mlp.letters.cosines import rho
from theorems.eoc_mlp.letters.table import CORRELATION, POSITIVE, REAL
from theorems.eoc_mlp.premises.linear_forms import covariance_of_forms
from theorems.eoc_mlp.premises.means import integrated, of_one_law

_k = Symbol("k", integer=True, nonnegative=True)
_ENTRIES = Symbol("entries", integer=True, positive=True)
_V = tuple(randoms(f"entry of v_{number}")(_k) for number in (1, 2))
_SIDES = _V[0] + _V[1], _V[0] - _V[1]
_U = Random("U")
_NUMBERS = {a: REAL, b: REAL, SIGMA: POSITIVE}
_OVER = {**_NUMBERS, _k: integers(0), _U: RANDOM}


def at_one_direction(given: Given, side: int) -> Theorem:
    """E X' = σ²(a² ± b²)X' of the layers below, where ρ is 1 or -1, as ``side`` says."""
    first, second = _V
    law = given.meaning(
        "U, the preactivation over its standard deviation, and forms of the same normal row",
        *standard(_U).args,
        *(normal(one, _U) for one in _SIDES),
        over=_OVER,
    )
    squares = [_weighted_square(one, side, law) for one in _SIDES]
    weighted, mean = E(_slopes(_U, side) * first * second), a**2 + side * b**2
    each = rules.follows(eq(weighted, mean * E(first * second)), squares, over=_OVER)
    unit = Sum(weighted, (_k, 0, _ENTRIES - 1))
    layer = of_one_law(given, X_mean, unit, where=eq(rho, side), over={_ENTRIES: integers(1)})
    below = [covariance_of_forms(given, first, *_COLUMNS[:1], second, *_COLUMNS[1:], SIGMA, _k)]
    known = [layer, *_added(each, *below), _frobenius(given)]
    goal = eq(X_mean, SIGMA**2 * mean * X_prime_below)
    over = {**layer.over, **_NUMBERS, X_prime_below: REAL, X_mean: REAL, rho: CORRELATION}
    return rules.follows(goal, known, over=over, under=[eq(rho, side)])


_COLUMNS = tuple(vectors(f"column of B_{number}")(_k) for number in (1, 2))


def _frobenius(given: Given) -> Theorem:
    products = Sum(inner(*_COLUMNS), (_k, 0, _ENTRIES - 1))
    return given.meaning(
        "the Frobenius inner product, by columns", eq(X_prime_below, products), over={_ENTRIES: integers(1)}
    )


def _added(*each: Theorem) -> list[Theorem]:
    """Relations between the entries, added up."""
    over = {**_NUMBERS, _ENTRIES: integers(1)}
    added = [sums.summed(one, _k, _ENTRIES, over=over) for one in each]
    return [*added, *(sums.linear(one.statement.rhs, over=over) for one in added)]


def _weighted_square(w: Expr, side: int, law: Theorem) -> Theorem:
    """E φ'(U)φ'(±U)w² = (a² ± b²) E w²: the rest of w after the regression on U is free of U."""
    coefficient, mean = E(w * _U), a**2 + side * b**2
    rest, slopes = w - coefficient * _U, _slopes(_U, side)
    pairs = [
        facts.independent_functions(power, slope, rest, _U, over=_OVER)
        for power, slope in (
            (lambda x: x**2, lambda x: _slopes(x, side)),
            (lambda x: x, lambda x: x * _slopes(x, side)),
        )
    ]
    known = [
        law,
        independent_rest(w, _U, coefficient, over=_OVER),
        *pairs,
        *(facts.expectation_of_independent(*one.statement.args, over=_OVER) for one in pairs),
        *_moments(side),
    ]
    return rules.follows(eq(E(slopes * w**2), mean * E(w**2)), known, over=_OVER)


def _moments(side: int) -> list[Theorem]:
    """E φ'(U)φ'(±U) and E φ'(U)φ'(±U)U² are a² ± b², as what is odd has no mean."""
    found = []
    for weight in (1, u**2):
        form = _slopes(u, side) * weight
        mean = GaussianMean(form, u)
        found.append(by_density(form, u, _U, mean, over={a: REAL, b: REAL}))
        found.append(integrated(mean, a**2 + side * b**2))
    return found


def _slopes(at: Expr, side: int) -> Expr:
    return phi_prime(at, a, b) * phi_prime(side * at, a, b)
