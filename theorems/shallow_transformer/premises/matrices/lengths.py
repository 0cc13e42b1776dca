"""Even moments of |MU| for a standard normal U: at most those of a normal variable, as tr M ≤ 1.

|MU| is at most a sum of the sizes of values of U along unit vectors, weighted by the shares of the
tokens in tr M, and powers lie above their tangents.
"""

from functools import cache

from sympy import Abs, Expr, Symbol

from theorems.classical import powers
from theorems.classical.gaussian_moments import even_moment, standard
from theorems.classical.letters import odd_factorial, q
from theorems.engine import eq, gt, le, rules
from theorems.engine.rules import E, Random, Theorem
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.feature import random_family
from theorems.shallow_transformer.letters.token import t
from theorems.shallow_transformer.premises.matrices.covariance import POOL, Pool
from theorems.shallow_transformer.premises.means import coordinate_of, in_the_mean, length_by_tokens, share_of
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import added, linear, total

_MEAN = Symbol("mean size", positive=True)


@cache
def _power_of_a_mean(order: Expr, pool: Pool) -> Theorem:
    """r^p ≤ Σμ_t|u_t|^p for r = Σμ_t|u_t| > 0, if Σμ_t ≤ 1 and p = 2k.

    |u|^p r ≥ r^p(r + p(|u| − r)), so that r Σμ_t|u_t|^p ≥ r^(p + 1)(s + p(1 − s)) for s = Σμ_t.
    """
    share, along, p = share_of(pool)(t), coordinate_of(pool)(t), 2 * order
    size, power = Abs(along), along**p
    tangent = powers.above_tangent(size, _MEAN, p, over=in_networks(along, order, _MEAN))
    below = _MEAN**p * (_MEAN * share + p * (share * size - _MEAN * share))
    each = added(NETWORKS.follows(tangent, goal=le(below, _MEAN * (share * power))), t, of.T)
    whole, mean, moments = (total(one, t, of.T) for one in (share, share * size, share * power))
    known = [each, *map(linear, each.statement.args)]
    r, s, first = _MEAN, Symbol("sum of shares", real=True), Symbol("mean of powers", real=True)
    under = [le(whole, 1), eq(mean, _MEAN)]
    added_up = NETWORKS.follows(
        *known, goal=le(r**p * (r * whole + p * (r - r * whole)), r * moments), under=under[1:]
    )
    top = Symbol("power", nonnegative=True)
    numbers = NETWORKS.follows(
        goal=le(top, first), under=[le(s, 1), le(top * (r * s + p * (r - r * s)), r * first)]
    )
    at = NETWORKS.substituted(numbers, {top: r**p, s: whole, first: moments})
    return NETWORKS.follows(added_up, at, goal=le(r**p, moments), under=under)


def moment_of_the_length(small: Theorem, length: Random, order: Expr, pool: Pool = POOL) -> Theorem:
    """E|MU|^(2k) ≤ (2k − 1)!! tr M, where ``small`` says tr M ≤ 1."""
    value = Symbol(f"value of |MU|{pool.name}", nonnegative=True)
    share, along = share_of(pool)(t), coordinate_of(pool)(t)
    longest, trace = length_by_tokens(value, pool)
    mean, p = longest.statement.rhs, 2 * order
    moments = total(share * along**p, t, of.T)
    zero = [powers.of_zero(value, p, over=in_networks(value, order)), *_not_negative(order, pool)]
    where = gt(mean, 0)
    there = NETWORKS.substituted(_power_of_a_mean(order, pool), {_MEAN: mean}, under=[where])
    larger = powers.increase(value, mean, p, over=in_networks(value, mean, order), under=[where])
    some = NETWORKS.follows(there, larger, longest, trace, small, goal=le(value**p, moments), under=[where])
    none = NETWORKS.follows(*zero, longest, goal=le(value**p, moments), under=[le(mean, 0)])
    pointwise = rules.cases([some, none])
    normals = random_family(f"value of U along a token{pool.name}", "U")
    means = in_the_mean(pointwise, {value: length, coordinate_of(pool): normals})
    law = NETWORKS.meaning("the value of U along a unit vector", *standard(normals(t)).args)
    here = NETWORKS.substituted(even_moment(normals(t)), {q: order})
    top = odd_factorial(order)
    term = eq(share * E(normals(t) ** p), share * top)
    each = added(NETWORKS.follows(law, here, goal=term), t, of.T)
    known = [means, trace, each, linear(each.statement.rhs)]
    return NETWORKS.follows(*known, goal=le(E(length**p), pool.trace * top))


def _not_negative(order: Expr, pool: Pool) -> list[Theorem]:
    share, along = share_of(pool)(t), coordinate_of(pool)(t)
    power = powers.of_zero(Abs(along), 2 * order, over=in_networks(along, order))
    return [added(NETWORKS.follows(power, goal=le(0, share * along ** (2 * order))), t, of.T)]
