"""Facts 2 and 3: the mean of the tokens and their covariance under softmax weights.

Both are moments of a random token, and the proofs are those of moments: they hold for all T and d.
"""

from functools import cache
from typing import Any

import numpy as np
from sympy import Symbol

from theorems.engine import Given, Provenance, both, eq, iff, implies, le
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import opnorm
from theorems.shallow_transformer.hypotheses import TOKENS
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import T, claim
from theorems.shallow_transformer.letters.pooled import (
    across_variance,
    deviations,
    left,
    opposite_variance,
    pair_variance,
    pooled,
    pooling_mean,
    right,
    tokens,
)
from theorems.shallow_transformer.letters.token import pooling_weight, s, t, token, total
from theorems.shallow_transformer.premises.matrices.covariance import (
    frobenius_of_the_covariance,
    trace_of_the_covariance,
)
from theorems.shallow_transformer.premises.named import ONE_HEAD
from theorems.shallow_transformer.premises.networks import stated
from theorems.shallow_transformer.premises.token_sums import (
    added,
    each_at_most_the_sum,
    normalised,
    positive,
    taken_apart,
)
from theorems.shallow_transformer.premises.tokens import below_frobenius, what_is_assumed
from theorems.shallow_transformer.sampling.token_pools import Pool, _only, _rounded, pools

_NOTE = "proofs_notes/st_softmax.md#pooled-tokens"
_weight = pooling_weight(t, T)
_OF_TOKENS: Any = pooling_weight


@cache
def _weights() -> tuple[Theorem, ...]:
    return positive(_OF_TOKENS), normalised(_OF_TOKENS)


MEAN = claim(
    "st.fact2",
    at="Fact 2",
    title="The pooled token lies in the unit ball, inside unless all tokens are one unit vector",
    states={
        "bound": [le(of.a_size, of.mean_length), le(of.mean_length, 1)],
        "equality": iff(eq(of.a_size, 1), both(eq(of.M_trace, 0), eq(of.mean_square, 1))),
        "equal tokens": implies(both(le(token, T), eq(of.M_trace, 0)), eq(norm(tokens(token) - pooled), 0)),
    },
    assuming=[TOKENS],
)


def mean_of_tokens(*directions: Any) -> list[Theorem]:
    """The pooled token as a mean of the tokens, along some directions."""
    return [
        ONE_HEAD.meaning("the pooled token", eq(inner(pooled, w), pooling_mean(inner(tokens(t), w))))
        for w in directions
    ]


def _sizes() -> list[Theorem]:
    """The quantities of Facts 2 and 3 in inner products."""
    return [
        ONE_HEAD.meaning("length of the pooled token", eq(of.a_size, norm(pooled))),
        ONE_HEAD.meaning("tokens less their mean", eq(norm(deviations(t)), norm(tokens(t) - pooled))),
        trace_of_the_covariance(),
        ONE_HEAD.meaning("mean of squares", eq(of.mean_square, pooling_mean(norm(tokens(t)) ** 2))),
    ]


@cache
def trace_and_mean() -> Theorem:
    """tr M = Σ α|X|² − |a|²."""
    _, away, *_ = known = _sizes()
    y, moved = deviations(t), tokens(t) - pooled
    each = ONE_HEAD.follows(away, goal=eq(_weight * inner(y, y), _weight * inner(moved, moved)))
    square = ONE_HEAD.follows(goal=eq(_weight * norm(tokens(t)) ** 2, _weight * inner(tokens(t), tokens(t))))
    sums = [added(each), added(square), *mean_of_tokens(pooled)]
    apart = taken_apart(sums[0].statement.rhs)
    return ONE_HEAD.follows(
        *known, *sums, *apart, *_weights(), goal=eq(of.M_trace, of.mean_square - of.a_size**2)
    )


def _in_the_ball(given: Given) -> Theorem:
    return what_is_assumed(given, TOKENS, le(norm(tokens(t)), 1))


def mean_square_at_most_one(given: Given) -> Theorem:
    """Σ α|X|² ≤ Σ α = 1."""
    each = ONE_HEAD.follows(
        _in_the_ball(given), *_weights(), goal=le(_weight * norm(tokens(t)) ** 2, _weight)
    )
    return ONE_HEAD.follows(added(each), _sizes()[3], *_weights(), goal=le(of.mean_square, 1))


@MEAN.proved("bound")
def triangle_inequality(given: Given) -> Theorem:
    """|a|² = Σ α⟨X, a⟩ ≤ |a| Σ α|X| by Cauchy and Schwarz, and |X| ≤ 1."""
    size = norm(pooled)
    schwarz = facts.cauchy_schwarz(tokens(t), pooled)
    along = le(_weight * inner(tokens(t), pooled), size * _weight * norm(tokens(t)))
    sums = [
        added(ONE_HEAD.follows(_product(), *_weights(), goal=along)),
        added(
            ONE_HEAD.follows(_in_the_ball(given), *_weights(), goal=le(_weight * norm(tokens(t)), _weight))
        ),
    ]
    length = ONE_HEAD.meaning("mean length", eq(of.mean_length, pooling_mean(norm(tokens(t)))))
    known = [*_sizes(), *mean_of_tokens(pooled), length, *sums, *taken_apart(*sums), schwarz]
    return given.concluded(*known, *_weights())


def _product() -> Theorem:
    """⟨u, v⟩ ≤ |u||v|."""
    schwarz = facts.cauchy_schwarz(tokens(t), pooled)
    return ONE_HEAD.follows(schwarz, goal=le(inner(tokens(t), pooled), norm(tokens(t)) * norm(pooled)))


@MEAN.proved("equality")
def mean_square_is_trace_and_mean(given: Given) -> Theorem:
    """|a|² + tr M = Σ α|X|² ≤ 1, all of them at least 0."""
    return given.follows(trace_and_mean(), mean_square_at_most_one(given))


@MEAN.proved("equal tokens")
def no_deviation(given: Given) -> Theorem:
    """Σ α|X − a|² = 0 has no term that is positive."""
    _, deviation, trace, _ = _sizes()
    y = deviations(t)
    square = ONE_HEAD.follows(*_weights(), facts.positive_definite(y), goal=le(0, _weight * inner(y, y)))
    each = each_at_most_the_sum(square)
    here = ONE_HEAD.substituted(deviation, {t: token})
    one = positive(_OF_TOKENS).at({t: token})
    return given.concluded(each, trace, here, one)


@MEAN.tested("bound", over=pools)
def length_of_the_mean(pool: Pool) -> dict[Any, Any]:
    """|a| and the mean of |X|."""
    return _only(pool, of.a_size, of.mean_length)


_u, _v = inner(tokens(t), left), inner(tokens(t), right)
_u_mean, _v_mean = pooling_mean(inner(tokens(s), left), s), pooling_mean(inner(tokens(s), right), s)
_BILINEAR = pooling_mean((_u - _u_mean) * (_v - _v_mean))
_VARIANCE = pooling_mean((_u - _u_mean) ** 2)

COVARIANCE_OF_TOKENS = claim(
    "st.fact3",
    at="Fact 3",
    title="M is the covariance of the tokens, and small",
    states={
        "forms": [
            eq(total(_u * _weight * (_v - _v_mean)), _BILINEAR),
            eq(_BILINEAR, pooling_mean(_u * _v) - _u_mean * _v_mean),
        ],
        "semidefinite": [le(0, _VARIANCE), le(_VARIANCE, pooling_mean(_u**2))],
        "norms": [le(of.M_frobenius, of.M_trace), le(of.M_trace, of.mean_square), le(of.mean_square, 1)],
    },
    assuming=[TOKENS],
    note=_NOTE,
)


@COVARIANCE_OF_TOKENS.proved("forms")
def covariance_in_two_directions(given: Given) -> Theorem:
    """u and v of a token are inner products with it; the weights add up to one."""
    goal = stated(COVARIANCE_OF_TOKENS, "forms")
    return given.follows(*taken_apart(goal), *_weights(), goal=goal)


@COVARIANCE_OF_TOKENS.proved("semidefinite")
def variance_in_one_direction(given: Given) -> Theorem:
    """A variance is at least 0, and at most a mean square."""
    goal = stated(COVARIANCE_OF_TOKENS, "semidefinite")
    square = added(ONE_HEAD.follows(*_weights(), goal=le(0, _weight * (_u - _u_mean) ** 2)))
    return given.follows(square, *taken_apart(goal), *_weights(), goal=goal)


@cache
def _frobenius() -> Theorem:
    """|M|_F² = Σ_t α_t Σ_s α_s⟨Y_t, Y_s⟩², and ⟨Y_t, Y_s⟩² ≤ |Y_t|²|Y_s|²."""
    y, z, other = deviations(t), deviations(s), pooling_weight(s, T)
    _, _, trace, _ = _sizes()
    norm_ = frobenius_of_the_covariance()
    schwarz = facts.cauchy_schwarz(y, z)
    weights = [*_weights(), positive(_OF_TOKENS, s)]
    each = ONE_HEAD.follows(
        schwarz, *weights, goal=le(other * inner(y, z) ** 2, inner(y, y) * other * inner(z, z))
    )
    row = added(each, s)
    one = ONE_HEAD.follows(
        *(row, *taken_apart(row), trace, *_weights()),
        facts.positive_definite(y),
        goal=le(norm_.statement.rhs.args[0], of.M_trace * _weight * inner(y, y)),
    )
    whole = added(one)
    return ONE_HEAD.follows(whole, *taken_apart(whole), norm_, trace, goal=le(of.M_frobenius, of.M_trace))


@COVARIANCE_OF_TOKENS.proved("norms")
def trace_of_a_semidefinite_matrix(given: Given) -> Theorem:
    """|M|_F ≤ tr M by Cauchy and Schwarz for pairs of tokens; tr M = Σ α|X|² − |a|²."""
    return given.concluded(_frobenius(), trace_and_mean(), mean_square_at_most_one(given))


@COVARIANCE_OF_TOKENS.tested("norms", over=pools)
def frobenius_norm(pool: Pool) -> dict[Any, Any]:
    """|M|_F, tr M and the mean of |X|²."""
    return _only(pool, of.M_frobenius, of.M_trace, of.mean_square)


SHARP = COVARIANCE_OF_TOKENS.sharpened(
    "st.fact3.sharp",
    title="The trace of M and the length of the mean together",
    states={
        "bound": [
            le(of.M_norm, of.M_frobenius),
            le(of.M_frobenius, of.M_trace),
            eq(of.M_trace, of.mean_square - of.a_size**2),
            le(of.mean_square - of.a_size**2, 1 - of.a_size**2),
        ],
        "attained": eq(opposite_variance(of.x), 1 - of.x**2),
        "attained across the mean": eq(across_variance(of.x), 1 - of.x**2),
    },
    assuming=[TOKENS],
    rests_on=[COVARIANCE_OF_TOKENS],
    note=_NOTE,
)


@SHARP.proved("bound")
def trace_less_the_mean(given: Given) -> Theorem:
    """tr M = Σ α|X|² − |a|², and Σ α|X|² ≤ 1."""
    M = Operator("M")
    norm_ = ONE_HEAD.meaning("the operator norm", eq(of.M_norm, opnorm(M)))
    frobenius = below_frobenius(M, of.M_frobenius)
    return given.concluded(norm_, frobenius, given.fact(COVARIANCE_OF_TOKENS, "norms"), trace_and_mean())


@SHARP.proved("attained", "attained across the mean")
def two_tokens(given: Given) -> Theorem:
    """±e with weights (1 ± x)/2 has M = (1 − x²)eeᵀ; xe ± (1 − x²)^(1/2)e′ has the same across."""
    return given.decided()


@SHARP.tested("bound", over=pools)
def trace_over_bound(pool: Pool) -> dict[Any, Any]:
    """Norms of M, the mean of |X|² and |a|."""
    return _only(pool, of.M_norm, of.M_frobenius, of.M_trace, of.mean_square, of.a_size)


SPREAD = claim(
    "st.fact3.spread",
    at="Fact 3",
    title="M from the distances of the tokens",
    states={
        "norm": le(of.M_norm, of.diameter**2 / 4),
        "trace": le(of.M_trace, of.circumradius**2),
        "norm attained": eq(pair_variance(of.diameter), of.diameter**2 / 4),
    },
    rests_on=[COVARIANCE_OF_TOKENS],
    discharging={TOKENS: "only the form of M as a covariance is used"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SPREAD.proved("norm")
def popovicius_inequality(given: Given) -> Theorem:
    """‖M‖ = ⟨u, Mv⟩ ≤ (Var⟨u, X⟩ + Var⟨v, X⟩)/2 for unit vectors, as Var⟨u − v, X⟩ ≥ 0."""
    M, u, v = Operator("M"), Vector("u"), Vector("v")
    x, y = inner(tokens(t), u), inner(tokens(t), v)
    covariance = pooling_mean(x * (y - pooling_mean(y.xreplace({t: s}), s)))
    meant = ONE_HEAD.meaning(
        "the operator norm, and the form of M, the covariance of the tokens",
        *(eq(of.M_norm, opnorm(M)), eq(inner(u, act(M, v)), covariance)),
    )
    centre = pooling_mean((x - y).xreplace({t: s}), s)
    square = added(ONE_HEAD.follows(*_weights(), goal=le(0, _weight * (x - y - centre) ** 2)))
    variances = [pooling_mean(one**2) - pooling_mean(one) ** 2 for one in (x, y)]
    larger = le(2 * covariance, sum(variances))
    apart = taken_apart(square, centre, larger, covariance.args[0])
    known = [facts.norm_attained(M, u, v), meant, *(_variance(one) for one in (u, v))]
    return given.concluded(*known, ONE_HEAD.follows(square, *apart, *_weights(), goal=larger))


def _variance(e: Vector) -> Theorem:
    """(y − A)(B − y) ≥ 0 for y = ⟨e, X⟩ between its extremes: Var y ≤ (B − A)²/4 if |e| = 1."""
    low, high = (Symbol(f"{name} along {e}", real=True) for name in "AB")
    y, unit = inner(tokens(t), e), eq(norm(e), 1)
    between = [
        ONE_HEAD.least(f"the least inner product with {e}", le(low, y)),
        ONE_HEAD.largest(f"the largest inner product with {e}", le(y, high)),
    ]
    below = le(_weight * y**2, _weight * ((low + high) * y - low * high))
    sum_ = added(ONE_HEAD.follows(*between, *_weights(), goal=below))
    ordered = ONE_HEAD.follows(*[one.at({t: 1}) for one in between], goal=le(low, high))
    known = [ordered, _distance_of_extremes(e, low, high), sum_, *taken_apart(sum_), *_weights()]
    goal = le(pooling_mean(y**2) - pooling_mean(y) ** 2, of.diameter**2 / 4)
    return ONE_HEAD.follows(*known, goal=goal, under=[unit])


def _distance_of_extremes(e: Any, low: Any, high: Any) -> Theorem:
    """B − A = ⟨e, X_s − X_r⟩ ≤ |X_s − X_r| for two tokens, if |e| = 1."""
    one, other = (
        Symbol(f"{name} token along {e}", integer=True, positive=True) for name in ("last", "first")
    )
    apart = tokens(one) - tokens(other)
    extremes = ONE_HEAD.meaning(
        f"extremes along {e}, which are those of two tokens",
        both(eq(high, inner(tokens(one), e)), eq(low, inner(tokens(other), e))),
    )
    widest = ONE_HEAD.largest("the diameter of the tokens", le(norm(apart), of.diameter))
    schwarz = facts.cauchy_schwarz(apart, e)
    return ONE_HEAD.follows(
        extremes, widest, schwarz, goal=le(high - low, of.diameter), under=[eq(norm(e), 1)]
    )


@SPREAD.proved("trace")
def about_another_point(given: Given) -> Theorem:
    """tr M = E|X − x|² − |a − x|² for every x."""
    centre = Vector("x")
    away = tokens(t) - centre
    sizes = _sizes()
    ball = ONE_HEAD.largest(
        "the radius of the smallest ball around the tokens", le(norm(away), of.circumradius)
    )
    inside = ONE_HEAD.follows(ball, goal=le(inner(away, away), of.circumradius**2))
    sum_ = added(
        ONE_HEAD.follows(
            inside, *_weights(), goal=le(_weight * inner(away, away), _weight * of.circumradius**2)
        )
    )
    square = ONE_HEAD.follows(goal=eq(_weight * norm(tokens(t)) ** 2, _weight * inner(tokens(t), tokens(t))))
    known = [trace_and_mean(), sum_, *taken_apart(sum_), *sizes, added(square)]
    known += [*mean_of_tokens(pooled, centre), facts.positive_definite(pooled - centre)]
    return given.concluded(*known, *_weights())


@SPREAD.proved("norm attained")
def two_equally_likely_points(given: Given) -> Theorem:
    """Two points at a distance D with equal weights: D²/4."""
    return given.decided()


@SPREAD.tested("norm", over=pools)
def norm_over_diameter(pool: Pool) -> dict[Any, Any]:
    """‖M‖ and the diameter."""
    differences = pool.tokens[:, None] - pool.tokens
    distance = float(np.max(np.linalg.norm(differences, axis=-1)))
    return {**_only(pool, of.M_norm), of.diameter: _rounded(distance)}
