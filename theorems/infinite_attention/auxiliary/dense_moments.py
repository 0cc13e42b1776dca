"""Lemma 32: moments of means, and of a layer of normal weights by those of its input."""

import sympy as sp
from sympy import Abs, Expr, Symbol

from theorems.engine import Given, Hypothesis, Provenance, eq, ge, half_line, le, rules
from theorems.engine.rules import E, P, Theorem, facts, principles
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
    "equal_laws",
    "$X_mean is the mean of $terms variables that all have the law of $X_first",
)

LARGEST = claim(
    "inf.lem32.largest",
    at="Lemma 32",
    title="A moment of a mean of variables is at most the largest of their moments",
    states=le(E(Abs(X_mean) ** order), largest_moment),
    given=[X_mean, largest_moment, terms, order],
    assuming=MEAN,
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

_X = randoms("X")
#: The mean of the first n variables, and n.
means = randoms("M")
place = Symbol("n", integer=True, nonnegative=True)
_x, _y = sp.symbols("x y", real=True)
_share = Symbol("share", nonnegative=True)


def _convex() -> Theorem:
    """A power of a mean of two numbers is at most the mean of their powers."""
    return rules.textbook(
        "powers of order one and more are convex",
        le(
            Abs(_share * _x + (1 - _share) * _y) ** order,
            _share * Abs(_x) ** order + (1 - _share) * Abs(_y) ** order,
        ),
        over={_x: sp.Reals, _y: sp.Reals, _share: sp.Interval(0, 1), order: half_line(1)},
    )


def moment_of_means(moments: Theorem, term: Expr) -> Theorem:
    """A moment of each mean M(n) of terms is at most a bound of the moments of all terms.

    By induction: a longer mean is a mean of the shorter one and a term. ``moments`` says that
    E|term|^t is at most the bound, for every place n of the term from 0 on.
    """
    others = {x: range_ for x, range_ in moments.over.items() if x != place}
    over, counted = {order: others[order]}, {place: sp.Range(1, sp.oo)}
    share = place / (place + 1)
    each = rules.instance(_convex(), {_share: share}, over={**over, **counted})
    longer = principles.expected_jointly(each, {_x: means(place), _y: term}, over=counted)
    start = rules.instance(moments, {place: sp.Integer(0)})
    first = rules.meaning(
        "the mean of one variable", eq(E(Abs(means(1)) ** order), start.statement.lhs), over=over
    )
    following = rules.meaning(
        "the mean of one variable more",
        eq(
            E(Abs(means(place + 1)) ** order),
            E(Abs(share * means(place) + (1 - share) * term) ** order),
        ),
        over={**over, **counted},
    )
    return rules.induction(
        le(E(Abs(means(place)) ** order), moments.statement.rhs),
        place,
        1,
        base=[first, start],
        step=[following, longer, moments],
        over=others,
    )


@LARGEST.proved()
def one_variable_more(given: Given) -> Theorem:
    """By induction on the number of variables."""
    given.require(MEAN)
    moments = rules.supposed(
        MEAN.name,
        le(E(Abs(_X(place)) ** order), largest_moment),
        over={
            place: sp.Range(sp.oo),
            **{x: given.domain[x] for x in (order, largest_moment)},
        },
    )
    there = moment_of_means(moments, _X(place))
    here = rules.instance(there, {place: terms}, over=given.domain)
    mean = given.meaning("the mean", eq(E(Abs(X_mean) ** order), E(Abs(means(terms)) ** order)))
    return given.follows(here, mean)


MEANS = claim(
    "inf.lem32.means",
    at="Lemma 32",
    title="A moment of a mean of variables of one law is at most that of one variable",
    states=le(E(Abs(X_mean) ** order), E(Abs(X_first) ** order)),
    given=[X_mean, X_first, terms, order],
    assuming=EQUAL_LAWS,
    rests_on=LARGEST,
    discharging={MEAN: "the moments of variables of one law are the same"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEANS.proved()
def equal_moments(given: Given) -> Theorem:
    """The largest of equal moments is each of them."""
    given.require(EQUAL_LAWS)
    moment, over = E(Abs(X_first) ** order), {order: given.domain[order]}
    size = facts.expectation_of_size(Abs(X_first) ** order, over=over)
    there = rules.instance(
        given.fact(LARGEST),
        {largest_moment: moment},
        over={X_first: X_first.belongs_to},
        under=[ge(moment, 0)],
    )
    return given.follows(there, size)


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
    given={
        dense_output: None,
        dense_input: None,
        dense_square: None,
        dense_scale: None,
        noise: None,
        fan_in: None,
        order: half_line(2),
    },
    assuming=DENSE_LAYER,
    rests_on=MEANS,
    discharging={EQUAL_LAWS: "the squares of variables of one law have one law"},
    note=_NOTE,
)


@DENSE.proved("given the input", "bound")
def product_with_a_normal_variable(given: Given) -> Theorem:
    """The output has the law of ε' times the root of its variance, and both are independent."""
    size, root = Abs(noise) ** order, dense_square ** (order / 2)
    known = given.supposed(
        DENSE_LAYER,
        eq(E(Abs(dense_output) ** order), E(size * dense_scale**order * root)),
        independent(size, root),
        eq(E(Abs(dense_square) ** (order / 2)), E(root)),
    )
    over = {one: given.domain[one] for one in (order, dense_scale)}
    surely = eq(P(ge(dense_square, 0)), 1)
    positive = given.textbook("a mean of squares is not negative", surely)
    product = facts.expectation_of_independent(size, root, over=over, under=[surely])
    squares = given.fact(
        MEANS,
        at={
            X_mean: dense_square,
            X_first: dense_input**2,
            order: order / 2,
        },
    )
    sizes = facts.expectation_of_size(size, over=over)
    return given.follows(known, product, squares, positive, sizes)
