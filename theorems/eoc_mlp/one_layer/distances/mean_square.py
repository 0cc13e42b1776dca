"""Proposition 12, proof: the mean square of a half difference is ζ(z), by the law of a row."""

from itertools import combinations_with_replacement
from typing import Any

from sympy import Expr, Interval, acos, pi, sqrt

from theorems.classical.functions import range_of_arccosine
from theorems.classical.normal_means import by_covariance
from theorems.engine import Given, eq, gt, lt, rules
from theorems.engine.rules import E, Theorem, inner
from theorems.engine.rules.vocabulary import normal
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, b, u, u1, u2
from theorems.eoc_mlp.letters.cosines import rho, t, varrho, z, zeta
from theorems.eoc_mlp.letters.distances import Z1, Z2, half_difference
from theorems.eoc_mlp.letters.gradients import u_i, u_j, x_i, x_j, xhat1, xhat2
from theorems.eoc_mlp.letters.table import UNIT
from theorems.eoc_mlp.one_layer.distances.distance_map import half_difference_squared

#: Coefficients with the share Δ, for which σ is 1.
_COEFFICIENTS = {a: sqrt(1 - DELTA), b: sqrt(DELTA), SIGMA: 1}
_COSINE = 1 - 2 * z
_OVER = {DELTA: UNIT, z: Interval.Lopen(0, 1)}


def _square(first: Expr, second: Expr) -> Any:
    return half_difference_squared(first, second).xreplace(_COEFFICIENTS)


def mean_square(given: Given) -> Theorem:
    """E Y² = ζ(z), where 0 < z ≤ 1."""
    law = _law_of_a_row(given)
    named = [
        given.meaning("the half difference", eq(E(half_difference**2), E(_square(Z1, Z2)))),
        given.meaning("ζ", eq(zeta(z, DELTA), (1 - varrho(_COSINE, DELTA)) / 2), over=_OVER),
    ]
    known = [*named, *law, *_between(given), *_opposite(given)]
    return rules.follows(eq(E(half_difference**2), zeta(z, DELTA)), known, over=_OVER)


def _law_of_a_row(given: Given) -> list[Theorem]:
    """Preactivations at two directions of the cosine 1 - 2z, of a row N(0, I)."""
    forms, rows = ((Z1, xhat1), (Z2, xhat2)), given.fact("eoc.prop11.rows")
    pairs = combinations_with_replacement(forms, 2)
    directions = eq(inner(xhat1, xhat1), 1), eq(inner(xhat2, xhat2), 1), eq(inner(xhat1, xhat2), _COSINE)
    return [
        given.meaning("preactivations, forms of one normal row", normal(Z1, Z2)),
        given.meaning("directions, and the squared cosine distance", *directions),
        *(rows.at({u_i: U, x_i: x, u_j: V, x_j: y, SIGMA: 1}) for (U, x), (V, y) in pairs),
    ]


def _between(given: Given) -> list[Theorem]:
    """The mean at a cosine between 1 and -1, where z < 1."""
    inside = {**_OVER, z: Interval.open(0, 1)}
    angle = acos(_COSINE)
    under = gt(angle, 0), lt(angle, pi)
    at = {**_COEFFICIENTS, rho: _COSINE, t: angle}
    return [
        by_covariance(_square(u1, u2), (u1, u2), (Z1, Z2), (1, 1), _COSINE, over=inside),
        given.fact("eoc.zeta.cosines", "mean").at(at, over=inside, under=under),
        range_of_arccosine(_COSINE, over=inside),
    ]


def _opposite(given: Given) -> list[Theorem]:
    """The mean at opposite directions, where z = 1."""
    at = {**_COEFFICIENTS, rho: 0, t: pi / 2}
    return [
        by_covariance(_square(u, u2), (u, u2), (Z1, Z2), (1, 1), -1, over=_OVER),
        given.fact("eoc.zeta.cosines", "mean of opposites").at(at, over=_OVER),
    ]
