"""Lemma 31: means of exchangeable variables."""

import sympy as sp
from sympy import Abs, Expr, Symbol

from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, implies, le, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles
from theorems.engine.rules.vocabulary import randoms
from theorems.infinite_attention.auxiliary.convergence import INTEGRABLE
from theorems.infinite_attention.letters.auxiliary import (
    X_first,
    X_limit,
    X_mean,
    X_second,
    deviation,
    lim_chance,
    lim_mean,
    lim_square,
    terms,
)
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#means-of-exchangeable-variables"

EXCHANGEABLE = Hypothesis(
    "exchangeable",
    "$X_mean is the mean of the first $terms of infinitely many exchangeable variables, which begin"
    " with $X_first and $X_second",
)

SECOND = claim(
    "inf.lem31.second",
    at="Lemma 31",
    title="The first two moments of a mean of exchangeable variables, at every number of them",
    states={
        "mean": eq(E(X_mean), E(X_first)),
        "square": eq(E(X_mean**2), E(X_first**2) / terms + (1 - 1 / terms) * E(X_first * X_second)),
        "variance": eq(
            E(X_mean**2) - E(X_mean) ** 2,
            (E(X_first**2) - E(X_first) ** 2) / terms
            + (1 - 1 / terms) * (E(X_first * X_second) - E(X_first) ** 2),
        ),
    },
    assuming=EXCHANGEABLE,
    note=_NOTE,
)

_X, _S = randoms("X"), randoms("S")
_n, _m = (Symbol(name, integer=True, nonnegative=True) for name in "nm")
_first, _square, _product = sp.symbols("first square product", real=True)


def _sums(given: Given, exchangeable: Hypothesis) -> Theorem:
    """E S_n and E S_n² for sums of n exchangeable variables, by induction on n."""
    numbers = dict.fromkeys((_first, _square, _product), sp.Reals)
    alike = given.supposed(exchangeable, eq(E(_X(_m)), _first), eq(E(_X(_m) ** 2), _square))
    pairs = given.supposed(exchangeable, implies(sp.Lt(_n, _m), eq(E(_X(_n) * _X(_m)), _product)))
    none = given.meaning(
        "a sum of no terms", *(eq(E(_S(0)), 0), eq(E(_S(0) ** 2), 0), eq(E(_S(0) * _X(_m)), 0))
    )
    longer = given.meaning(
        "a sum of one term more",
        eq(E(_S(_n + 1)), E(_S(_n) + _X(_n))),
        eq(E(_S(_n + 1) ** 2), E((_S(_n) + _X(_n)) ** 2)),
        eq(E(_S(_n + 1) * _X(_m)), E((_S(_n) + _X(_n)) * _X(_m))),
    )
    beside = rules.induction(
        implies(le(_n, _m), eq(E(_S(_n) * _X(_m)), _n * _product)),
        _n,
        0,
        base=[none],
        step=[longer, pairs],
        over={_m: sp.Range(sp.oo), **numbers},
    )
    last = beside.at({_m: _n})
    once = alike.at({_m: _n})
    none, longer = (one.at({_m: sp.Integer(0)}) for one in (none, longer))
    return rules.induction(
        both(eq(E(_S(_n)), _n * _first), eq(E(_S(_n) ** 2), _n * _square + _n * (_n - 1) * _product)),
        _n,
        0,
        base=[none],
        step=[longer, last, once],
    )


def moments_of_a_mean(
    given: Given, exchangeable: Hypothesis, mean: Random, variables: tuple[Expr, Expr], count: Expr
) -> Theorem:
    """E mean = E X and E mean² = E X²/count + (1 - 1/count) E XY, for the first two variables X, Y.

    The hypothesis says that the mean is that of the first ``count`` of exchangeable variables.  The
    square of a sum of n terms has n squares and n(n - 1) products, by induction on n.
    """
    first, second = variables
    values = {_first: E(first), _square: E(first**2), _product: E(first * second)}
    sums = given.substituted(_sums(given, exchangeable), {_n: count, **values})
    means = given.meaning(
        "the mean", eq(E(mean), E(_S(count)) / count), eq(E(mean**2), E(_S(count) ** 2) / count**2)
    )
    square = E(first**2) / count + (1 - 1 / count) * E(first * second)
    goal = both(eq(E(mean), E(first)), eq(E(mean**2), square))
    return rules.follows(goal, [sums, means])


@SECOND.proved("mean", "square", "variance")
def squares_and_products(given: Given) -> Theorem:
    """Both moments are those of sums, divided by powers of their number."""
    return given.follows(moments_of_a_mean(given, EXCHANGEABLE, X_mean, (X_first, X_second), terms))


_VARIANCE = E(X_first**2) / terms + (1 - 1 / terms) * E(X_first * X_second) - E(X_first) ** 2
_value, _mean = sp.symbols("a z", real=True)

CHEBYSHEV = claim(
    "inf.lem31.rate",
    at="Lemma 31",
    title="How improbable a deviation of a mean of exchangeable variables is, at every number",
    states=le(P(ge(Abs(X_mean - E(X_first)), deviation)), _VARIANCE / deviation**2),
    assuming=EXCHANGEABLE,
    rests_on=SECOND,
    note=_NOTE,
)


def chebyshev(given: Given, centre: Expr) -> Theorem:
    """P(|S - c| ≥ δ) ≤ E (S - c)²/δ² for the mean S, by Markov's inequality for the square."""
    same = rules.follows(
        sp.Equivalent(ge(Abs(_value - _mean), deviation), ge(Abs((_value - _mean) ** 2), deviation**2))
    )
    events = principles.more_probable(same, _value, X_mean)
    markov = facts.markov((X_mean - _mean) ** 2, deviation**2)
    bound = rules.follows(
        le(P(ge(Abs(X_mean - _mean), deviation)), E((X_mean - _mean) ** 2) / deviation**2), [events, markov]
    )
    return given.substituted(bound, {_mean: centre})


@CHEBYSHEV.proved()
def square_of_the_deviation(given: Given) -> Theorem:
    """Chebyshev's inequality with the exact variance."""
    moments = (given.fact(SECOND, part) for part in ("mean", "square"))
    return given.follows(chebyshev(given, E(X_first)), *moments)


FLOOR = claim(
    "inf.lem31.necessary",
    at="Lemma 31",
    title="The variance of a mean of exchangeable variables is never below two terms' covariance",
    states={
        "bound": ge(E(X_mean**2) - E(X_mean) ** 2, E(X_first * X_second) - E(X_first) ** 2),
        "attained": implies(
            eq(E((X_first - X_second) ** 2), 0),
            eq(E(X_mean**2) - E(X_mean) ** 2, E(X_first * X_second) - E(X_first) ** 2),
        ),
    },
    assuming=EXCHANGEABLE,
    rests_on=SECOND,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@FLOOR.proved("bound", "attained")
def squares_are_above_products(given: Given) -> Theorem:
    """E (X_1 - X_2)² is not negative, so that the term with 1/d is not."""
    square = principles.expected(rules.follows(ge(_value**2, 0)), _value, X_first)
    difference = given.substituted(square, {X_first: X_first - X_second})
    alike = given.supposed(EXCHANGEABLE, eq(E(X_second**2), E(X_first**2)))
    return given.follows(difference, alike, given.fact(SECOND, "variance"))


MOMENTS = Hypothesis(
    "moments_above_two", "the moments of some order above two of the variables are bounded, from some n on"
)
CONVERGENT = Hypothesis(
    "convergent_array",
    "the sequences of variables converge in law, as n increases, to an exchangeable one that begins"
    " with $X_limit, of which two terms are uncorrelated, and the number $terms of terms of the"
    " mean tends to infinity",
)

WEAK_LAW = claim(
    "inf.lem31",
    at="Lemma 31",
    title="Means of exchangeable variables converge to the mean of their limit",
    states={
        "mean": eq(lim_mean, E(X_limit)),
        "square": eq(lim_square, E(X_limit) ** 2),
        "probability": eq(lim_chance, 0),
    },
    assuming=[EXCHANGEABLE, MOMENTS, CONVERGENT],
    rests_on=[SECOND, "inf.lem28"],
    discharging={INTEGRABLE: "the order is 2 + ε for a variable, (2 + ε)/2 for a product of two"},
    note=_NOTE,
)
_one, _two = sp.symbols("limit_of_first limit_of_product", real=True)
_other = sp.Symbol("mean_of_product_in_the_limit", real=True)


def _limits(given: Given) -> list[Theorem]:
    given.require(EXCHANGEABLE, MOMENTS, CONVERGENT)
    return [
        given.bridge(
            "the mean is E X_1, the mean square E X_1²/d + (1 - 1/d) E X_1 X_2, of which the first"
            " term vanishes as second moments are bounded",
            eq(lim_mean, _one),
            eq(lim_square, _two),
        ),
        given.bridge(
            "X_1, and X_1 X_2 by the inequality of Cauchy and Schwarz, have bounded moments of an"
            " order above one; by Theorem 29 their means converge to those of the limits in law",
            eq(_one, E(X_limit)),
            eq(_two, _other),
        ),
        given.supposed(CONVERGENT, eq(_other, E(X_limit) ** 2)),
    ]


@WEAK_LAW.argued(
    "mean",
    "square",
    bridge="both moments are exact at every n, and their terms converge as they are uniformly integrable",
)
def moments_converge(given: Given) -> Theorem:
    """The exact moments, term by term."""
    return given.follows(*_limits(given))


@WEAK_LAW.argued("probability", bridge="Chebyshev's inequality about E X_1 of the limit, at every n")
def variance_vanishes(given: Given) -> Theorem:
    """E (S - c)² = E S² - 2c E S + c² tends to zero for the mean c of the limit."""
    size = given.bridge(
        "inequalities remain true in the limit",
        le(lim_chance * deviation**2, lim_square - 2 * E(X_limit) * lim_mean + E(X_limit) ** 2),
    )
    return given.follows(size, *_limits(given))
