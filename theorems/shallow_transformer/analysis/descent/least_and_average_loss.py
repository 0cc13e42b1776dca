"""Theorem 1, proof: the least loss (42), the sandwich of losses, and the average iterate (43)."""

from functools import cache
from typing import Any

from sympy import Abs, Expr, Rational, Sum, Symbol, sqrt

from theorems.engine import Given, Hypothesis, both, eq, ge, implies, le
from theorems.engine.rules import Theorem, Vector, facts, inner, norm, sums
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer import hypotheses as hyp
from theorems.shallow_transformer.analysis.descent.drift import DESCENT
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters import run as its
from theorems.shallow_transformer.letters.linear import f_value, lin_value
from theorems.shallow_transformer.letters.paper import claim, i, j, m, n, s, tau
from theorems.shallow_transformer.letters.run import B_GRAD, B_LIN, ERROR, RESIDUAL
from theorems.shallow_transformer.premises.descent import (
    DISTANCE_AT,
    LOSS_AT,
    OF_THE_ITERATES,
    inside,
    least_below_the_mean,
    loss_over_the_samples,
    no_linearisation_is_worse,
    sums_over_the_steps,
)
from theorems.shallow_transformer.premises.lines.mean_of_residuals import mean_of_linear_residuals
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import (
    between,
    bounded_sum,
    called,
    family,
    letters,
    linear,
    sizes,
    stated,
    total,
    what_is_assumed,
)
from theorems.shallow_transformer.sampling.run_balls import Point
from theorems.shallow_transformer.sampling.runs import RUNS, SHORT_RUNS, Descent, at_worst

_NOTE = "proofs_notes/st_descent.md"

START = claim(
    "st.eq42.start",
    at="Theorem 1, proof; Equation (42)",
    title="The distance of the transported parameters from the initial ones",
    states=le(of.V_0, of.NU_NORM**2),
    assuming=[hyp.BOUNDED_MAP, hyp.UNIT_SIGNS],
    note=f"{_NOTE}#the-drift",
)


@START.proved()
def sum_over_heads(given: Given) -> Theorem:
    """m heads, each moved by (v_c, ±v_u, ±v_w)/√m."""
    sign, parts = family("c")(i), [sizes(name)(i) for name in ("v_c", "v_u", "v_w")]
    ways = [sizes(f"way of {block}")(i) for block in "cUW"]
    moved = [factor * part / sqrt(m) for factor, part in zip((1, Abs(sign), Abs(sign)), parts, strict=True)]
    unit = what_is_assumed(given, hyp.UNIT_SIGNS, eq(Abs(sign), 1))
    target = what_is_assumed(
        given, hyp.BOUNDED_MAP, *(le(part, nu) for part, nu in zip(parts, of.NU, strict=True))
    )
    meant = NETWORKS.meaning("the way of each block to the transported parameters", *map(eq, ways, moved))
    square = sum(way**2 for way in ways)
    bound = le(square, sum(nu**2 for nu in of.NU) / m)
    heads = bounded_sum(NETWORKS.follows(target, unit, meant, goal=bound), i, m)
    whole = NETWORKS.meaning(
        "the squared distance at the start, block by block",
        eq(of.V_0, DISTANCE_AT(0)),
        eq(DISTANCE_AT(0), total(square, i, m)),
    )
    return given.follows(heads, whole, *called(of.NU_NORM))


_PAPER = (*DESCENT, hyp.STEP_SIZE)

EQ_42 = claim(
    "st.eq42",
    at="Theorem 1, proof; Equation (42)",
    title="Theorem 1 with every constant",
    states=le(of.loss_min, (of.NU_NORM**2 + B_GRAD) / (4 * sqrt(tau)) + RESIDUAL * ERROR),
    given=letters(of.loss_min, tau, RESIDUAL * ERROR, under=_PAPER),
    assuming=_PAPER,
    rests_on=["st.eq41", START],
    note=f"{_NOTE}#the-drift",
)


@cache
def least_loss() -> Theorem:
    """The least loss is at most the mean."""
    each = NETWORKS.least("the least loss of the run", le(of.loss_min, LOSS_AT(s)))
    return least_below_the_mean(each, of.loss_mean, sums_over_the_steps())


@EQ_42.proved()
def insert_the_step(given: Given) -> Theorem:
    """η = τ^(−1/2) in |ν̄|²/(4ητ) + ηB/4; the least loss is at most the mean."""
    return given.concluded(given.fact("st.eq41"), given.fact(START), least_loss())


@EQ_42.tested(over=SHORT_RUNS, cases=30)
def losses_of_runs(run: Descent) -> Point:
    """The least loss and the bound."""
    return at_worst(EQ_42, [run.whole])


_HEADS = (*hyp.SMOOTH_HEADS, hyp.UNIT_SIGNS)

SANDWICH = claim(
    "st.thm1.sandwich",
    at="Theorem 1, proof",
    title="Losses of the network and of the linear model",
    states=[le(of.loss, 2 * of.loss_lin + 2 * B_LIN**2), le(of.loss_lin, 2 * of.loss + 2 * B_LIN**2)],
    given=letters(of.loss, of.loss_lin, B_LIN, under=[*_HEADS, hyp.IN_FEASIBLE_SET]),
    assuming=[*_HEADS, hyp.IN_FEASIBLE_SET],
    rests_on=["st.lem3"],
    note=f"{_NOTE}#the-average-iterate",
)


@SANDWICH.proved()
def square_of_two_terms(given: Given) -> Theorem:
    """(x + y)² ≤ 2x² + 2y² for each sample, both ways."""
    model = given.fact("st.lem3")
    goals = stated(SANDWICH).args
    return given.concluded(*(given.follows(*_squares(), model, goal=one) for one in goals))


def _near(now: Any, linear_now: Any) -> Theorem:
    """Residuals of the network and of the linear model differ by the error of linearisation."""
    model, linear_model, label = family("f"), family("f_lin"), family("label")
    parts = NETWORKS.meaning(
        "the residuals", eq(now(j), model(j) - label(j)), eq(linear_now(j), linear_model(j) - label(j))
    )
    here = {f_value: model(j), lin_value: linear_model(j)}
    top = NETWORKS.substituted(no_linearisation_is_worse(), here)
    return NETWORKS.follows(parts, top, goal=le(Abs(now(j) - linear_now(j)), of.eps_lin))


@cache
def _squares() -> list[Theorem]:
    """What the losses of the network and of the linear model have to do with each other."""
    now, linear_now = its.residuals, family("residual of the linear model")
    near = _near(now, linear_now)
    found = [loss_over_the_samples(), loss_over_the_samples(of.loss_lin, linear_now(j))]
    for one, other in ((now, linear_now), (linear_now, now)):
        square = le(one(j) ** 2 - 2 * other(j) ** 2, 2 * of.eps_lin**2)
        sums_ = bounded_sum(NETWORKS.follows(near, goal=square), j, n)
        found += [sums_, linear(sums_.statement.lhs)]
    return found


_AVERAGED = (*_HEADS, hyp.PROJECTED_DESCENT)

EQ_43 = claim(
    "st.eq43",
    at="Theorem 1, proof; Equation (43)",
    title="The loss at the average iterate",
    states=le(of.loss_average, 4 * of.loss_mean + 6 * B_LIN**2),
    given=letters(of.loss_average, of.loss_mean, B_LIN, under=_AVERAGED),
    assuming=_AVERAGED,
    rests_on=[SANDWICH, "st.def2"],
    discharging=OF_THE_ITERATES,
    note=f"{_NOTE}#the-average-iterate",
)


@cache
def jensen() -> list[Theorem]:
    """The loss of the linear model at the mean is at most the mean of its losses.

    Its residuals at all samples are a vector q, of which the root of the loss is the norm, and the
    mean of the products ⟨q_s, q̄⟩ ≤ (|q_s|² + |q̄|²)/2 is |q̄|².
    """
    q, mean, loss = vectors("linear residuals"), Vector("mean of linear residuals"), LINEAR_AT
    product = le(inner(q(s), mean), (norm(q(s)) ** 2 + norm(mean) ** 2) / 2)
    apart = facts.positive_definite(q(s) - mean)
    square = NETWORKS.meaning("the linear model's loss", eq(loss(s), norm(q(s)) ** 2))
    half = le(inner(q(s), mean), (loss(s) + its.lin_average) / 2)
    average = NETWORKS.meaning(
        "the linear model at the mean of the iterates", eq(its.lin_average, norm(mean) ** 2)
    )
    linear = mean_of_linear_residuals(q, mean)
    bound = NETWORKS.follows(NETWORKS.follows(apart, goal=product), square, average, goal=half)
    added_up = sums.summed(bound, s, tau)
    goal = le(its.lin_average, Sum(loss(s), (s, 0, tau - 1)) / tau)
    apart_ = sums.linear(added_up.statement.rhs)
    return [NETWORKS.follows(added_up, apart_, average, linear, goal=goal)]


#: The loss of the linear model at each step.
LINEAR_AT = sizes("loss of the linear model")


@EQ_43.proved()
def insert_the_sandwich(given: Given) -> Theorem:
    """As iterates and their mean are in the feasible set."""
    return given.concluded(loss_of_the_mean(given, hyp.PROJECTED_DESCENT))


def loss_of_the_mean(
    given: Given,
    run: Hypothesis,
    loss: Any = LOSS_AT,
    end: Symbol = of.loss_average,
    mean: Symbol = of.loss_mean,
) -> Theorem:
    """2(2 mean + 2B²) + 2B²; the loss of the linear model is convex.

    ``loss`` is that at a step, ``end`` that at the mean iterate, and ``mean`` the mean of the losses.
    """
    whole = NETWORKS.meaning("the mean loss", eq(mean, Sum(loss(s), (s, 0, tau - 1)) / tau))
    sandwich = given.fact(SANDWICH)
    known = between(given, sandwich.statement, sandwich, inside(given, run))
    values = {of.loss: loss(s), of.loss_lin: LINEAR_AT(s)}
    each = NETWORKS.substituted(known, values, under=given.conditions)
    step = between(given, le(LINEAR_AT(s), 2 * loss(s) + 2 * B_LIN**2), each)
    steps = sums.summed(step, s, tau)
    apart = sums.linear(steps.statement.rhs, over=in_networks(steps.statement.rhs))
    ends = {of.loss: end, of.loss_lin: its.lin_average}
    last = NETWORKS.substituted(known, ends, under=given.conditions)
    goal = stated(EQ_43).xreplace({of.loss_average: end, of.loss_mean: mean})
    return between(given, goal, last, *jensen(), steps, apart, whole)


@EQ_43.tested(over=RUNS, cases=30)
def average_iterates(run: Descent) -> Point:
    """The loss at the average iterate and the bound."""
    return at_worst(EQ_43, [run.whole])


SHARP_43 = EQ_43.sharpened(
    "st.eq43.sharp",
    title="The loss at the average iterate, best possible",
    states={
        "bound": le(sqrt(of.loss_average), sqrt(of.loss_mean) + 2 * B_LIN),
        "in particular": le(of.loss_average, 4 * of.loss_mean + Rational(16, 3) * B_LIN**2),
        "attained by one sample": implies(
            both(
                eq(of.loss_mean, its.residual**2),
                eq(of.loss_lin, (its.residual + of.eps_lin) ** 2),
                eq(of.loss_average, (sqrt(of.loss_lin) + of.eps_lin) ** 2),
            ),
            eq(sqrt(of.loss_average), sqrt(of.loss_mean) + 2 * of.eps_lin),
        ),
    },
    given=letters(
        *(of.loss_average, of.loss_mean, of.loss_lin, of.eps_lin, its.residual), B_LIN, under=_AVERAGED
    ),
    assuming=_AVERAGED,
    rests_on=["st.lem3", "st.def2"],
    discharging=OF_THE_ITERATES,
    note=f"{_NOTE}#the-average-iterate",
)


@cache
def _apart(network: Expr, linear_model: Expr, r: Any, q: Any) -> Theorem:
    """Roots of losses are norms of the residuals r and q, which are ε_lin apart at every sample."""
    now, linear_now = its.residuals, family("residual of the linear model")
    gaps = total((now(j) - linear_now(j)) ** 2, j, n)
    norms = NETWORKS.meaning(
        "the losses, by norms in the space of the samples with the mean for a sum",
        eq(network, norm(r) ** 2),
        eq(linear_model, norm(q) ** 2),
        eq(norm(r - q) ** 2, gaps / n),
    )
    each = NETWORKS.follows(_near(now, linear_now), goal=le((now(j) - linear_now(j)) ** 2, of.eps_lin**2))
    short = NETWORKS.follows(norms, bounded_sum(each, j, n), goal=le(norm(r - q), of.eps_lin))
    goal = le(Abs(sqrt(network) - sqrt(linear_model)), of.eps_lin)
    in_networks(*({s} & r.free_symbols))
    ways = (facts.triangle(*pair) for pair in ((q, r - q), (r, q - r)))
    return NETWORKS.follows(norms, short, *ways, goal=goal)


@cache
def mean_of_roots() -> Theorem:
    """The square of the mean of √L is at most the mean of L."""
    count = Symbol("number of steps", integer=True, nonnegative=True)
    root = sqrt(LOSS_AT(s))
    whole, squares = (Sum(one, (s, 0, count - 1)) for one in (root, LOSS_AT(s)))
    statement = both(le(whole**2, count * squares), ge(whole, 0), ge(squares, 0))
    return NETWORKS.substituted(sums.by_recursion(statement, count), {count: tau})


@SHARP_43.proved("bound")
def minkowski_over_samples_and_steps(given: Given) -> Theorem:
    """√L(φ̄) ≤ √L_lin(φ̄) + B, and the mean of L_lin is at most that of (√L + B)²."""
    return given.concluded(given.fact("st.lem3"), *_roots(), inside(given, hyp.PROJECTED_DESCENT))


@cache
def _roots() -> list[Theorem]:
    """√L(φ̄) ≤ √(mean of L) + 2ε_lin."""
    root = sqrt(LOSS_AT(s))
    square = le(LINEAR_AT(s), LOSS_AT(s) + 2 * of.eps_lin * root + of.eps_lin**2)
    at_steps, linear_at_steps = vectors("residuals"), vectors("linear residuals")
    known = _apart(LOSS_AT(s), LINEAR_AT(s), at_steps(s), linear_at_steps(s))
    each = NETWORKS.follows(known, goal=square)
    steps = sums.summed(each, s, tau)
    apart = sums.linear(steps.statement.rhs)
    mean = le(sqrt(its.lin_average), sqrt(of.loss_mean) + of.eps_lin)
    linear_model = NETWORKS.follows(
        *jensen(), steps, apart, mean_of_roots(), sums_over_the_steps(), goal=mean
    )
    goal = le(sqrt(of.loss_average), sqrt(of.loss_mean) + 2 * of.eps_lin)
    averages = Vector("residuals at the average"), Vector("mean of linear residuals")
    return [NETWORKS.follows(linear_model, _apart(of.loss_average, its.lin_average, *averages), goal=goal)]


@SHARP_43.proved("in particular")
def compare_the_squares(given: Given) -> Theorem:
    """4x² + (16/3)B² − (x + 2B)² = (√3 x − 2B/√3)² ≥ 0, x the root of the mean."""
    return given.concluded(given.fact("st.lem3"), *_roots(), inside(given, hyp.PROJECTED_DESCENT))


@SHARP_43.proved("attained by one sample")
def one_sample(given: Given) -> Theorem:
    """f − f_lin is −B at all iterates, and B at their mean."""
    return given.concluded()


@SHARP_43.tested("bound", over=RUNS, cases=30)
def roots_of_average_iterates(run: Descent) -> Point:
    """The root of the loss at the average iterate and the bound."""
    return at_worst(SHARP_43, [run.whole], "bound")
