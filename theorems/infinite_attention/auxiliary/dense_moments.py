"""Lemma 32: moments of means, and of a layer of normal weights by those of its input."""

from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy import Abs, Expr, Symbol

from theorems.classical import powers
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, half_line, le, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles, probabilities
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.letters.auxiliary import (
    X_first,
    X_mean,
    dense_input,
    dense_output,
    dense_scale,
    dense_square,
    fan_in,
    largest_moment,
    noise,
    terms,
)
from theorems.infinite_attention.letters.encodings import order
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_auxiliary.md#moments-of-a-dense-layer"

MEAN = Hypothesis(
    "mean_of_variables",
    "$X_mean is the mean of $terms variables, and none of their moments exceeds $largest_moment",
)
EQUAL_LAWS = Hypothesis(
    "equal_laws", "$X_mean is the mean of $terms variables that all have the law of $X_first"
)

LARGEST = claim(
    "inf.lem32.largest",
    at="Lemma 32",
    title="A moment of a mean of variables is at most the largest of their moments",
    states=le(E(Abs(X_mean) ** order), largest_moment),
    assuming=MEAN,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

_X = randoms("X")
#: The mean of the first n variables, and n.
means = randoms("M")
place = Symbol("n", integer=True, nonnegative=True)
_x, _y = sp.symbols("x y", real=True)
_power = Symbol("power", positive=True)


def moment_of_means(
    given: Given, moments: Theorem, term: Expr, means: Any = means, power: Symbol = order
) -> Theorem:
    """A moment of each mean M(n) of terms is at most a bound of the moments of all terms.

    By induction: a longer mean is a mean of the shorter one and a term. ``moments`` says that
    E|term|^t is at most the bound, for every place n of the term from 0 on; ``power`` is t.
    """
    others = {x: range_ for x, range_ in moments.over.items() if x != place}
    over, counted = {power: others[power]}, {place: sp.Range(1, sp.oo)}
    share = place / (place + 1)
    numbers = {_x: sp.Reals, _y: sp.Reals, **over, **counted}
    each = powers.convex(_x, _y, share, power, over=numbers)
    longer = principles.expected_jointly(each, {_x: means(place), _y: term})
    start = moments.at({place: sp.Integer(0)})
    first = given.meaning(
        "the mean of one variable", eq(E(Abs(means(1)) ** power), start.statement.lhs), over=over
    )
    following = given.meaning(
        "the mean of one variable more",
        eq(E(Abs(means(place + 1)) ** power), E(Abs(share * means(place) + (1 - share) * term) ** power)),
        over={**over, **counted},
    )
    return rules.induction(
        le(E(Abs(means(place)) ** power), moments.statement.rhs),
        place,
        1,
        base=[first, start],
        step=[following, longer, moments],
    )


@LARGEST.proved()
def one_variable_more(given: Given) -> Theorem:
    """By induction on the number of variables."""
    moments = given.supposed(MEAN, le(E(Abs(_X(place)) ** order), largest_moment))
    there = moment_of_means(given, moments, _X(place))
    here = there.at({place: terms})
    mean = given.meaning("the mean", eq(E(Abs(X_mean) ** order), E(Abs(means(terms)) ** order)))
    return given.follows(here, mean)


def moment_of_a_mean(
    given: Given, alike: Hypothesis, mean: Random, one: Expr, count: Expr, exponent: Expr = order
) -> Theorem:
    """E|mean|^t ≤ E|X|^t, as the hypothesis says that it is that of ``count`` variables like X."""
    term, partial = randoms(f"term of {mean}")(place), randoms(f"mean of terms of {mean}")
    over = {place: sp.Range(sp.oo), _power: half_line(1)}
    laws = given.supposed(alike, eq(E(Abs(term) ** _power), E(Abs(one) ** _power)), over=over)
    moments = rules.follows(le(*laws.statement.args), [laws])
    every = moment_of_means(given, moments, term, partial, _power)
    here = given.substituted(every, {place: count, _power: exponent})
    moment, of_all = (E(Abs(x) ** exponent) for x in (mean, partial(count)))
    known = given.meaning("the mean", eq(moment, of_all))
    goal = le(moment, here.statement.rhs)
    return rules.follows(goal, [here, known], over={**here.over, **known.over})


MEANS = claim(
    "inf.lem32.means",
    at="Lemma 32",
    title="A moment of a mean of variables of one law is at most that of one variable",
    states=le(E(Abs(X_mean) ** order), E(Abs(X_first) ** order)),
    assuming=EQUAL_LAWS,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEANS.proved()
def equal_moments(given: Given) -> Theorem:
    """The moments of variables of one law are the same."""
    return given.follows(moment_of_a_mean(given, EQUAL_LAWS, X_mean, X_first, terms))


DENSE_LAYER = Hypothesis(
    "dense_layer",
    "given its input, $dense_output is centred and normal with the variance $dense_scale squared"
    " times $dense_square, the mean of the squares of $fan_in variables that all have the law of"
    " $dense_input; $noise is standard normal",
)

DENSE = claim(
    "inf.lem32.dense",
    at="Lemma 32",
    title="Moments of a layer of normal weights are at most a normal variable's times its input's",
    states={
        "given the input": eq(
            E(Abs(dense_output) ** order),
            E(Abs(noise) ** order) * dense_scale**order * E(dense_square ** (order / 2)),
        ),
        "bound": le(
            E(Abs(dense_output) ** order),
            E(Abs(noise) ** order) * dense_scale**order * E(Abs(dense_input) ** order),
        ),
    },
    given={order: half_line(2)},
    assuming=DENSE_LAYER,
    note=_NOTE,
)


@dataclass(frozen=True)
class Dense:
    """A layer of normal weights, by a hypothesis of a claim that says that it is one.

    Given its input the ``output`` is ``scale`` times the standard normal variable ε times the root
    of ``square``, a mean of squares that is independent of ε; t is the ``order`` of moments.
    """

    given: Given
    hypothesis: Hypothesis
    output: Random
    scale: Expr
    square: Random = dense_square
    order: Expr = order

    def given_the_input(self) -> Theorem:
        """E|output|^t = E|ε|^t scale^t E square^(t/2)."""
        size, root = Abs(noise) ** self.order, self.square ** (self.order / 2)
        scale, surely = self.scale**self.order, eq(P(ge(self.square, 0)), 1)
        known = self.given.supposed(
            self.hypothesis,
            eq(E(Abs(self.output) ** self.order), scale * E(size * root)),
            independent(size, root),
            surely,
        )
        over = {x: range_ for x, range_ in known.over.items() if not hasattr(x, "belongs_to")}
        product = facts.expectation_of_independent(size, root, over=over, under=[surely])
        goal = eq(E(Abs(self.output) ** self.order), E(size) * scale * E(root))
        return rules.follows(goal, [known, product])

    def bound(self, entry: Random, count: Expr) -> Theorem:
        """E|output|^t ≤ E|ε|^t scale^t E|entry|^t, for ``count`` squares like that of the entry."""
        exact, half = self.given_the_input(), self.order / 2
        mean = moment_of_a_mean(self.given, self.hypothesis, self.square, entry**2, count, half)
        sizes = probabilities.expectation_of_size(Abs(noise) ** self.order, over=exact.over)
        positive = self.given.supposed(self.hypothesis, eq(E(Abs(self.square) ** half), E(self.square**half)))
        normal = E(Abs(noise) ** self.order) * self.scale**self.order
        goal = le(exact.statement.lhs, normal * E(Abs(entry) ** self.order))
        return rules.follows(goal, [exact, mean, positive, sizes], over={**exact.over, **mean.over})


@DENSE.proved("given the input", "bound")
def product_with_a_normal_variable(given: Given) -> Theorem:
    """The output has the law of ε times the root of its variance, and both are independent."""
    layer = Dense(given, DENSE_LAYER, dense_output, dense_scale)
    return given.follows(layer.given_the_input(), layer.bound(dense_input, fan_in))
