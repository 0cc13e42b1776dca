"""Inferences that the proofs of Theorem 1 and of Proposition 1 share, for any number of samples."""

from collections.abc import Sequence
from functools import cache

from sympy import Abs, Expr, Max, Min, Sum, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, both, eq, ge, gt, implies, le, rules
from theorems.engine.rules import Theorem, Vector, facts, inner, norm, sums
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer.hypotheses import BOUNDED_ERRORS, BOUNDED_GRADIENT, IN_FEASIBLE_SET
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.linear import f_value, lin_value
from theorems.shallow_transformer.letters.paper import j, n, s, tau
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import bounded_sum, sizes, total, what_is_assumed

#: φ̃ and φ^(s).
TARGET, BEFORE = Vector("phi~"), Vector("phi^s")

#: V and the loss at each step; the sums over all steps start with the step 0.
DISTANCE_AT, LOSS_AT = sizes("distance"), sizes("loss")


def sums_over_the_steps(mean: Symbol = of.loss_mean) -> Theorem:
    """The mean loss and V at the start, by the losses and distances at each step."""
    by_steps = Sum(LOSS_AT(s), (s, 0, tau - 1)) / tau
    return NETWORKS.meaning("the sums over the steps", eq(mean, by_steps), eq(of.V_0, DISTANCE_AT(0)))


#: The output less the label at a sample, at an iterate.
_RESIDUAL = its.residuals(j)


def loss_over_the_samples(loss: Symbol = of.loss, residual: Expr = _RESIDUAL) -> Theorem:
    """A loss is the mean of the squared residuals at the samples."""
    return NETWORKS.meaning("the loss", eq(loss, total(residual**2, j, n) / n))


_share, _angle = Symbol("share of the way", real=True), Symbol("angle", real=True)
_square = Symbol("square of the way", real=True)


def obtuse_angle(point: Expr, image: Symbol, member: Symbol, *, under: Sequence[Boolean] = ()) -> Theorem:
    """⟨x − Πx, y − Πx⟩ ≤ 0 for y in a convex set, as Πx + t(y − Πx) is there for t in [0, 1].

    No such point is nearer to x than Πx: 2⟨x − Πx, y − Πx⟩ ≤ t|y − Πx|² for t in (0, 1].
    """
    way, back = member - image, point - image
    angle, square = inner(back, way), inner(way, way)
    distance = Symbol(f"distance to {image}", nonnegative=True)
    nearest = [
        NETWORKS.least(
            f"the distance of {image} from the point that is projected onto the convex set",
            ge(norm(back - _share * way), distance),
            under=[*under, ge(_share, 0), le(_share, 1)],
        ),
        NETWORKS.meaning("the distance of the projection", eq(distance, norm(back))),
    ]
    inside = [*under, gt(_share, 0), le(_share, 1)]
    each = NETWORKS.follows(*nearest, goal=le(2 * angle, _share * square), under=inside)
    here = {_angle: angle, _square: square}
    positive = [*under, gt(angle, 0), ge(square, 0)]
    there = NETWORKS.substituted(each, {_share: _SMALL.xreplace(here)}, under=positive)
    known = [NETWORKS.substituted(one, here) for one in _small_share()]
    return NETWORKS.follows(there, *known, facts.positive_definite(way), goal=le(angle, 0), under=under)


_SMALL = _angle / (_angle + _square)


@cache
def _small_share() -> list[Theorem]:
    """For a > 0 the share t = a/(a + d) is in (0, 1], and 2a > td."""
    positive = both(gt(_angle, 0), ge(_square, 0))
    known = both(gt(_SMALL, 0), le(_SMALL, 1)), gt(2 * _angle, _SMALL * _square)
    return [NETWORKS.follows(goal=implies(positive, one)) for one in known]


def distances(given: Given, step: Vector, after: Vector, V_next: Symbol) -> list[Theorem]:
    """V before and after a projected step against a direction.

    The feasible set is convex by st.def2 and contains φ̃ by st.rem10.
    """
    inside = given.fact("st.rem10")
    return [
        NETWORKS.meaning(
            "the squared distance",
            eq(of.V, norm(TARGET - BEFORE) ** 2),
            eq(V_next, norm(TARGET - after) ** 2),
        ),
        inside,
        obtuse_angle(BEFORE - of.eta * step, after, TARGET, under=[inside.statement]),
        facts.positive_definite(BEFORE - of.eta * step - after),
    ]


#: Where a proof about a run uses what is said of the feasible set.
OF_THE_ITERATES = {IN_FEASIBLE_SET: "steps are projected, as premises.descent shows"}

#: The blocks c, U, W of all heads, each less its start: at a step, before the projection of that
#: step, in the mean of all iterates, and the radius of each in the feasible set.
_BLOCK = Symbol("number of a block", integer=True, nonnegative=True)
_MOVED, _AHEAD = vectors("way of a block"), vectors("way of a block before the projection")
_MEAN_WAY = vectors("mean way of a block")(_BLOCK)
_RADIUS = sizes("radius of a block")(_BLOCK)


def inside(given: Given, run: Hypothesis) -> Theorem:
    """No block of an iterate is outside of the feasible set, nor one of the mean of all iterates.

    The start is the centre, and each step ends with a projection onto a ball, which is convex.
    """
    here, following = norm(_MOVED(_BLOCK, s)), norm(_MOVED(_BLOCK, s + 1))
    projected = what_is_assumed(
        given, run, eq(norm(_MOVED(_BLOCK, 0)), 0), eq(following, Min(norm(_AHEAD(_BLOCK, s)), _RADIUS))
    )
    start, near = NETWORKS.substituted(projected, {s: 0}), le(here, _RADIUS)
    each = rules.induction(near, s, 0, base=[start], step=[projected])
    farthest = Max(*(sqrt(of.m) * (one - _RADIUS) for one in (here, norm(_MEAN_WAY))))
    outside = NETWORKS.meaning("how far outside the farthest block is", eq(of.farthest_out, farthest))
    return NETWORKS.follows(each, _mean_is_near(each), outside, goal=IN_FEASIBLE_SET.formula)


def _mean_is_near(each: Theorem) -> Theorem:
    """|b̄| ≤ r for a mean b̄: the mean of ⟨b_s, b̄⟩ ≤ r|b̄| is |b̄|² ≤ r|b̄|."""
    way = _MOVED(_BLOCK, s)
    product, length = inner(way, _MEAN_WAY), norm(_MEAN_WAY)
    schwarz = facts.cauchy_schwarz(way, _MEAN_WAY)
    short = NETWORKS.follows(each, schwarz, goal=le(product, _RADIUS * length))
    steps = sums.summed(short, s, tau)
    apart = sums.linear(steps.statement.rhs)
    mean = eq(length**2, Sum(product, (s, 0, tau - 1)) / tau)
    linear = NETWORKS.meaning("the mean of vectors, by an inner product with it", mean)
    square = NETWORKS.follows(steps, apart, linear, goal=le(length**2, _RADIUS * length))
    return NETWORKS.follows(square, goal=le(length, _RADIUS))


def nonexpansive() -> Theorem:
    """Projecting x to t x, with norm at least that of y, brings it no farther from y."""
    t = Symbol("t", nonnegative=True)
    x, y = Vector("x"), Vector("y")
    given = [le(t, 1), le(norm(y), t * norm(x))]
    goal = le(norm(t * x - y) ** 2, norm(x - y) ** 2)
    return NETWORKS.follows(facts.cauchy_schwarz(x, y), goal=goal, under=given)


def root_of_the_loss(
    bound: Expr, each: Theorem, loss: Symbol = of.loss, residual: Expr = _RESIDUAL
) -> Theorem:
    """The root of a loss is at most what bounds the residuals of all samples."""
    square = NETWORKS.follows(each, goal=le(residual**2, bound**2))
    mean = loss_over_the_samples(loss, residual)
    return NETWORKS.follows(mean, bounded_sum(square, j, n), goal=le(sqrt(loss), bound))


def sharp_drift(given: Given, eq_21: Theorem, eq_36: Theorem, eq_39: Theorem) -> Theorem:
    """The drift at a step, in the root of the loss: V' − V ≤ −4ηL + 4η√L E + 4η²A²L.

    The premises are (21) and the sharpened (36) and (39); E and A bound the errors and the
    gradients at every iterate.
    """
    given.require(BOUNDED_GRADIENT, BOUNDED_ERRORS)
    root = sqrt(of.loss)
    goal = -4 * of.eta * root**2 + 4 * of.eta * root * of.E + 4 * of.eta**2 * of.A**2 * root**2
    known = [given.follows(one, goal=one.statement) for one in (eq_21, eq_36, eq_39)]
    each = NETWORKS.follows(*known, goal=le(of.V_next - of.V, goal), under=given.conditions)
    at_a_step = {of.V: DISTANCE_AT(s), of.V_next: DISTANCE_AT(s + 1), of.loss: LOSS_AT(s)}
    return NETWORKS.substituted(each, at_a_step, under=given.conditions)


#: The sum of the three errors at a sample.
_ERROR = its.e_app + its.e_lin + its.e_features


def no_linearisation_is_worse() -> Theorem:
    """Nowhere in the feasible set is the linear model farther from the network than the largest error."""
    return NETWORKS.largest("the linearisation error", le(Abs(f_value - lin_value), of.eps_lin))


def no_error_is_larger() -> Theorem:
    """At no sample is the sum of the three errors larger than the largest one."""
    return NETWORKS.largest("the largest error", le(Abs(_ERROR), of.eps_sum))


def largest_error() -> list[Theorem]:
    """At some sample the sum of the three errors is largest, and no error is above its largest."""
    return [
        NETWORKS.meaning(
            "the largest error, at some sample",
            eq(of.eps_sum, Abs(_ERROR)),
            eq(of.eps_features, Abs(its.e_features)),
        ),
        NETWORKS.largest(
            "the largest errors of approximation and of linearisation",
            le(Abs(its.e_app), of.eps_label),
            le(Abs(its.e_lin), of.eps_step),
        ),
    ]


def least_below_the_mean(each: Theorem, mean: Symbol, whole: Theorem) -> Theorem:
    """What is at most the loss at each step is at most the mean of the losses."""
    lowest = each.statement.lhs
    steps = sums.summed(each, s, tau)
    apart = sums.linear(steps.statement.lhs)
    return NETWORKS.follows(steps, apart, whole, goal=le(lowest, mean))


def telescoped(each: Theorem, mean: Symbol = of.loss_mean) -> list[Theorem]:
    """From the growth of V at each step: what its sum over all steps is at most, and what it is.

    ``mean`` stands for the mean of the losses over the steps.
    """
    grown = sums.telescoped(each, s, DISTANCE_AT(s), tau)
    (drifts,) = grown.statement.rhs.atoms(Sum)
    return [grown, sums.linear(drifts, over=in_networks(drifts)), sums_over_the_steps(mean)]
