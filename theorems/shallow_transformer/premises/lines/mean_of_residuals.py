"""The residuals of the linear model at the mean of the iterates are the mean of its residuals."""

from functools import cache
from typing import Any

from sympy import Expr, S, Sum, Symbol

from theorems.engine import both, eq
from theorems.engine.rules import Theorem, Vector, inner, norm, sums
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer.letters.paper import j, n, s, tau
from theorems.shallow_transformer.premises.named import NETWORKS, in_networks
from theorems.shallow_transformer.premises.networks import added, family, linear, total

_STEPS = Symbol("number of steps", integer=True, nonnegative=True)
#: Parameters, and the gradients of the outputs at the start.
_ITERATE, _MEAN, _GRADIENT = vectors("iterate"), Vector("mean iterate"), vectors("gradient at the start")(j)
#: Linear residuals at a sample: at a step, at the mean iterate, and what of them does not move.
_AT_STEP, _AT_MEAN, _FIXED = (
    family(f"linear residual {one}") for one in ("at a step", "at the mean", "fixed")
)


#: Sums over the first steps, for each sample, and over the samples, at each step.
_UPTO, _AT = family("sum over the first steps"), family("sum over the samples")


@cache
def exchanged_with_steps(term: Expr) -> Theorem:
    """Σ_j Σ_s f(j, s) = Σ_s Σ_j f(j, s) for any number of steps, by induction; and names of the sums."""
    row, column = _UPTO(_STEPS, j), Sum(_AT(s), (s, 0, _STEPS - 1))
    names = NETWORKS.meaning("sums over the first steps", eq(row, Sum(term, (s, 0, _STEPS - 1))))
    columns = NETWORKS.meaning("sums over the samples", eq(_AT(s), total(term, j, n)))
    last = sums.last_term(Sum(term, (s, 0, _STEPS)), over=in_networks(_STEPS, j))
    nothing, longer = (NETWORKS.substituted(names, {_STEPS: length}) for length in (S.Zero, _STEPS + 1))
    none = sums.spelled_out(Sum(term, (s, 0, -1)), over=in_networks(j))
    empty = added(NETWORKS.follows(nothing, none, goal=eq(_UPTO(0, j), 0)), j, n)
    more = eq(_UPTO(_STEPS + 1, j), row + term.xreplace({s: _STEPS}))
    grown = added(NETWORKS.follows(names, longer, last, goal=more), j, n)
    apart = [linear(one.statement.rhs) for one in (empty, grown)]
    known = [empty, grown, *apart, NETWORKS.substituted(columns, {s: _STEPS})]
    general = sums.by_recursion(eq(total(row, j, n), column), _STEPS, premises=known)
    there = [NETWORKS.substituted(one, {_STEPS: tau}) for one in (general, names)]
    return NETWORKS.follows(*there, columns, goal=both(*(one.statement for one in (*there, columns))))


@cache
def mean_of_linear_residuals(at_step: Any, mean: Vector) -> Theorem:
    """|q̄|² is the mean of the ⟨q_s, q̄⟩ for residuals q_s at the steps and q̄ at the mean iterate.

    The output is affine in the parameters, so that q̄_j is the mean of the q_{s,j} at each sample.
    """
    here, there, product = _AT_STEP(j, s), _AT_MEAN(j), inner(at_step(s), mean)
    moved, settled = (_FIXED(j) + inner(_GRADIENT, one) for one in (_ITERATE(s), _MEAN))
    meant = NETWORKS.meaning(
        "residuals of the linear model, their products with the mean for a sum, and the mean iterate",
        *(eq(here, moved), eq(there, settled), eq(product, total(here * there, j, n) / n)),
        eq(norm(mean) ** 2, total(there**2, j, n) / n),
        eq(inner(_GRADIENT, _MEAN), Sum(inner(_GRADIENT, _ITERATE(s)), (s, 0, tau - 1)) / tau),
    )
    each = sums.summed(NETWORKS.follows(meant, goal=eq(here, moved)), s, tau)
    sum_ = eq(each.statement.lhs, tau * there)
    of_sample = NETWORKS.follows(each, sums.linear(each.statement.rhs), meant, goal=sum_)
    exchanged = exchanged_with_steps(here * there)
    apart = sums.linear(Sum(here * there, (s, 0, tau - 1)))
    row = eq(_UPTO(tau, j), tau * there**2)
    samples = added(NETWORKS.follows(exchanged, apart, of_sample, goal=row), j, n)
    steps = sums.summed(NETWORKS.follows(meant, exchanged, goal=eq(product, _AT(s) / n)), s, tau)
    known = [
        exchanged,
        samples,
        linear(samples.statement.rhs),
        steps,
        sums.linear(steps.statement.rhs),
        meant,
    ]
    return NETWORKS.follows(*known, goal=eq(norm(mean) ** 2, Sum(product, (s, 0, tau - 1)) / tau))
