"""Appendix E: the tail of a limit output of one head is at most that of a Gaussian variable."""

from typing import Any

import sympy as sp
from sympy import Abs, Expr, exp, sqrt

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tails import N_standard, Sigma_norm, Sigma_top, Z_output, t_level
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, le, rules
from theorems.engine.rules import E, P, Random, Theorem, probabilities
from theorems.engine.rules.normal_variables import normal_tail, tails_of_one_law
from theorems.engine.rules.vocabulary import normal

_AT = "Appendix E"
_NOTE = "proofs_notes/attn_tools.md#tails-of-the-outputs"
MIXTURE = Hypothesis(
    "gaussian_mixture",
    "$Z_output is the mean of Gaussian values with the covariance Σ, in random softmax weights"
    " a that are independent of the values",
    latex=r"$Z_output = a^\top g,\quad g \sim \mathcal{N}(0, \Sigma),\quad"
    r" a \text{ softmax weights, independent of } g",
)
STANDARD = Hypothesis(
    "standard_normal",
    "$N_standard is a standard normal variable",
    latex=r"$N_standard \sim \mathcal{N}(0, 1)",
)
_N = Random("N")


def below_gaussian(given: Given, Z: Any, law: Hypothesis, variance: Theorem, bound: Expr) -> Theorem:
    """P(|Z| ≥ t) ≤ P(|N| ≥ t/√bound): |RN| ≥ t with R² ≤ bound only if |N| ≥ t/√bound.

    Z has the law of RN with N standard normal, as ``law`` says, and ``variance`` is the theorem
    that R² = q is at most the bound whatever the scores.
    """
    R = Random("R")
    r, n = sp.symbols("r n", real=True)
    over = {x: given.domain[x] for x in (t_level, *bound.free_symbols)}
    large, small = ge(Abs(r * n), t_level), le(r**2, bound)
    far = ge(Abs(n), t_level / sqrt(bound))
    each = rules.follows(sp.Implies(both(large, small), far))
    values = {r: R, n: _N}
    event, inside, tail = (one.xreplace(values) for one in (large, small, far))
    known = [
        probabilities.surely(each, values),
        probabilities.surely(variance, {variance.statement.lhs: R**2}),
        probabilities.implied_event(both(event, inside), tail),
        probabilities.sure_event(event, inside),
        given.supposed(law, eq(P(ge(Abs(Z), t_level)), P(event))),
    ]
    objects = {one: one.belongs_to for one in (Z, R, _N)}
    return rules.follows(le(P(ge(Abs(Z), t_level)), P(tail)), known, over={**over, **objects})


def exponential_tail(given: Given, law: Hypothesis, below: Theorem, bound: Expr) -> Theorem:
    """P(|N| ≥ u) ≤ e^(-u²/2) for a standard normal N, at u = t/√bound."""
    tail = normal_tail(_N, t_level / sqrt(bound))
    standard = given.supposed(law, normal(_N), eq(E(_N**2), 1))
    return given.follows(
        below, tail, standard, goal=le(below.statement.lhs, exp(-(t_level**2) / (2 * bound)))
    )


TAIL = claim(
    "attn.appE",
    at=_AT,
    title="The limit output of one head is sub-Gaussian",
    states=le(P(ge(Abs(Z_output), t_level)), 2 * exp(-(t_level**2) / (2 * Sigma_norm))),
    assuming=[MIXTURE],
    rests_on="attn.appE.form",
    note=_NOTE,
)


@TAIL.proved()
def twice_the_tail(given: Given) -> Theorem:
    """The factor two is not needed."""
    below = below_gaussian(given, Z_output, MIXTURE, given.fact("attn.appE.form", "variance"), Sigma_norm)
    tail = exponential_tail(given, MIXTURE, below, Sigma_norm)
    return given.follows(tail)


SHARP = TAIL.sharpened(
    "attn.appE.sharp",
    title="The tail with the prefactor one and the largest variance of a value",
    states=le(P(ge(Abs(Z_output), t_level)), exp(-(t_level**2) / (2 * Sigma_top))),
    assuming=[MIXTURE],
    rests_on="attn.appE.form.sharp",
    note=_NOTE,
)


@SHARP.proved()
def standard_normal_tail(given: Given) -> Theorem:
    """The variance given the scores is at most the largest one of a value."""
    below = below_gaussian(
        given, Z_output, MIXTURE, given.fact("attn.appE.form.sharp", "variance"), Sigma_top
    )
    return exponential_tail(given, MIXTURE, below, Sigma_top)


BELOW = claim(
    "attn.appE.below_gaussian",
    at=_AT,
    title="The tail is at most that of the value of largest variance",
    states=le(P(ge(Abs(Z_output), t_level)), P(ge(Abs(N_standard), t_level / sqrt(Sigma_top)))),
    assuming=[MIXTURE, STANDARD],
    rests_on="attn.appE.form.sharp",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BELOW.proved()
def same_normal_variable(given: Given) -> Theorem:
    """Two standard normal variables have the same tails."""
    below = below_gaussian(
        given, Z_output, MIXTURE, given.fact("attn.appE.form.sharp", "variance"), Sigma_top
    )
    same = tails_of_one_law(_N, N_standard, t_level / sqrt(Sigma_top))
    laws = [
        given.supposed(MIXTURE, normal(_N), eq(E(_N**2), 1)),
        given.supposed(STANDARD, normal(N_standard), eq(E(N_standard**2), 1)),
    ]
    return given.follows(below, same, *laws)
