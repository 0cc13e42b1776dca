"""Lemmas 27, 28 and 30, Theorem 29: facts about convergence in law and uniform integrability."""

import sympy as sp
from sympy import Abs, Piecewise, Symbol

from theorems.classical import powers
from theorems.engine import Given, Hypothesis, Provenance, ge, implies, le, rules, sentence
from theorems.engine.rules import E, Theorem, principles
from theorems.infinite_attention.letters.auxiliary import X_any, level, moment_bound, more, small
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#uniform-integrability"
_QUOTED = "proofs_notes/inf_auxiliary.md#facts-of-the-textbooks"
_WHY = (
    "it is about all sequences of random variables, and about all test functions, for which the"
    " rules have no words; the paper quotes it as well"
)

MARGINALS = claim(
    "inf.lem27",
    at="Lemma 27",
    title="Sequences of numbers converge in law if and only if their finite parts do",
    states=sentence(
        r"$random_sequence \xrightarrow{d} $limit_sequence \text{ in } \mathbb{R}^{\mathbb{N}} \iff"
        r" $finite_part($random_sequence) \xrightarrow{d} $finite_part($limit_sequence)"
        r" \text{ for all finite } J \subset \mathbb{N}"
    ),
    provenance=Provenance.QUOTED,
    note=_QUOTED,
)
MARGINALS.cited("Billingsley, Probability and Measure (1986), p. 19", why=_WHY)

INTEGRABLE = Hypothesis(
    "moments_of_order_above_one",
    "the moments of order 1 + $more have the supremum $moment_bound",
    le(E(Abs(X_any) ** (1 + more)), moment_bound),
)


def _tail(x: sp.Expr) -> sp.Expr:
    """The size of a number where this is at least the level, else 0."""
    return Piecewise((Abs(x), ge(Abs(x), level)), (0, True))


UNIFORM = claim(
    "inf.lem28",
    at="Lemma 28; Definition 6",
    title="Bounded moments of an order above one make a sequence uniformly integrable",
    states={
        "tail": le(level**more * E(_tail(X_any)), moment_bound),
        "uniform": implies(ge(level**more, moment_bound / small), le(E(_tail(X_any)), small)),
    },
    assuming=INTEGRABLE,
    note=_NOTE,
)


def _tail_below_the_power() -> Theorem:
    """|x| c^ε ≤ |x|^(1 + ε) where |x| ≥ c, in the mean."""
    x = Symbol("x", real=True)
    known = [powers.increase(level, Abs(x), more), powers.one_more_from_zero(Abs(x), more)]
    each = rules.follows(le(_tail(x) * level**more, Abs(x) ** (1 + more)), known)
    return principles.expected(each, x, X_any)


@UNIFORM.proved("tail", "uniform")
def larger_powers(given: Given) -> Theorem:
    """Where a size exceeds c, its power of order 1 + ε exceeds it by c^ε."""
    return given.follows(_tail_below_the_power())


MEANS = claim(
    "inf.thm29",
    at="Theorem 29",
    title="Means of uniformly integrable variables converge if their laws do",
    states=sentence(
        r"($X_any) \text{ uniformly integrable}, \ $X_any \xrightarrow{d} $limit_variable \implies"
        r" $limit_variable \text{ integrable}, \ \mathbb{E}[$X_any] \to \mathbb{E}[$limit_variable]"
    ),
    provenance=Provenance.QUOTED,
    note=_QUOTED,
)
MEANS.cited("Billingsley, Probability and Measure (1986), Theorem 3.5", why=_WHY)

SLUTSKY = claim(
    "inf.lem30",
    at="Lemma 30; Equation (36)",
    title="Products and sums with what converges to a constant converge in law",
    states=sentence(
        r"$X_any \xrightarrow{d} $limit_variable, \ $Y_any \xrightarrow{P} $limit_constant \implies"
        r" $X_any $Y_any \xrightarrow{d} $limit_constant $limit_variable,"
        r" \ $X_any + $Y_any \xrightarrow{d} $limit_variable + $limit_constant"
    ),
    provenance=Provenance.QUOTED,
    note=_QUOTED,
)
SLUTSKY.cited("van der Vaart, Asymptotic Statistics (1998), Lemma 2.8", why=_WHY)
