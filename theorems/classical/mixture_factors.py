"""No smaller factor bounds the distance of a Gaussian mixture from the Gaussian."""

from typing import Any

import sympy as sp
from sympy import Abs, Expr, Interval, Piecewise, Rational, Reals, Symbol, sqrt

from theorems.classical.gaussian_mixtures import EVEN
from theorems.classical.gaussian_moments import standard
from theorems.classical.letters import claim, factor, normal, normal_cdf
from theorems.classical.normal_means import positive_half, step
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, gt, implies, le, lt, rules
from theorems.engine.rules import E, P, Theorem, facts, probabilities
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.vocabulary import independent, randoms

_NOTE = "proofs_notes/attn_mixtures.md#gaussian-mixtures"
_HALF = Rational(1, 2)

FACTOR = Hypothesis(
    "factor_of_mixtures",
    "for every random variance with a positive mean and a finite second moment, and at every level,"
    " the distance is at most $factor times the variance over the squared mean of the random"
    " variance",
    latex=r"|\mathbb{P}(g\sqrt{V} \le x) - \Phi(x / \sqrt{\mathbb{E}V})|"
    r" \le $factor \operatorname{Var}(V) / (\mathbb{E}V)^2",
)

LEAST = claim(
    "classical.gaussian_mixtures.least",
    at="Gaussian mixtures",
    title="No factor below one half bounds the distance for all random variances",
    states=ge(factor, _HALF),
    assuming=[FACTOR],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


_share = Symbol("epsilon", positive=True)
_SHARES: Over = {_share: Interval.open(0, 1)}
_u, _v = sp.symbols("u v", real=True)
#: What is 1 with probability 1 - ε and else 0.
_J = randoms("J")(_share)


def _is_either(j: Expr) -> Any:
    return sp.Or(eq(j, 0), eq(j, 1))


def _not_above(u: Expr, j: Expr) -> Any:
    return le(u * sqrt(j**2 / (1 - _share)), 0)


@LEAST.proved()
def zero_or_one_value(given: Given) -> Theorem:
    """V = J²/(1 - ε) for J = 0 or 1: at 0 the distance is ε/2, Var V = ε/(1 - ε)."""
    over, W = {**given.domain, **_SHARES}, _J**2 / (1 - _share)
    bound = given.supposed(
        FACTOR,
        le(
            Abs(P(_not_above(normal, _J)) - normal_cdf(sp.S.Zero)), factor * (E(W**2) - E(W) ** 2) / E(W) ** 2
        ),
        over=over,
        under=[gt(E(W), 0)],
    )
    drawn = given.meaning(
        "1 with probability 1 - ε and else 0, independent of a standard normal variable",
        eq(E(_J), 1 - _share),
        eq(P(_is_either(_J)), 1),
        *(independent(normal, _J), *standard(normal).args),
        over=_SHARES,
    )
    known = [bound, drawn, *_of_two_values(), EVEN(0)]
    each = rules.follows(ge(factor, (1 - _share) / 2), known, over={**over, **drawn.over})
    under = [lt(factor, _HALF)]
    here = each.at({_share: (1 - 2 * factor) / (2 - 2 * factor)}, under=under)
    return given.follows(here)


def _of_two_values() -> list[Theorem]:
    """E J² and E J⁴ are E J, and 1{gJ ≤ 0} is 1 - J 1{g > 0}, in the mean 1 - E J/2."""
    below = Piecewise((1, _not_above(_u, _v)), (0, True))
    return [
        *_in_the_mean(_v**2, _v),
        *_in_the_mean(_v**4, _v),
        *_in_the_mean(below, 1 - step(_u) * _v),
        probabilities.mean_of_indicator(_not_above(normal, _J), over=_SHARES),
        facts.independent_functions(step, _itself, normal, _J, over=_SHARES),
        facts.expectation_of_independent(step(normal), _J, over=_SHARES),
        positive_half(normal),
    ]


def _itself(v: Expr) -> Expr:
    return v


def _in_the_mean(left: Expr, right: Expr) -> list[Theorem]:
    """Functions of g and J that are equal if J is 0 or 1 have one mean."""
    at = {_u: normal, _v: _J}
    over = {_u: Reals, _v: Reals, **_SHARES}
    equal = rules.follows(implies(_is_either(_v), eq(left, right)), over=over)
    both = [left.subs(at), sp.sympify(right).subs(at)]
    return [
        probabilities.surely(equal, at),
        probabilities.implied_event(_is_either(_J), eq(*both), over=_SHARES),
        probabilities.equal_means(*both, over=_SHARES),
        facts.probability(eq(*both), over=_SHARES),
    ]
