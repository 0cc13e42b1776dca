"""A meaning defines a name: what says more than that, or says two things, is refused."""

from contextlib import nullcontext

import pytest
import sympy as sp
from sympy import And, Contains, Eq, Function, Implies, Interval, Max, Min, Ne, Not, Or, Reals
from trying import each

from theorems.engine.rules import RANDOM, E, Random, follows, instance
from theorems.engine.rules.meanings import largest, least, meaning
from theorems.engine.rules.theorem import NotProved, meanings_fit
from theorems.engine.rules.vocabulary import independent, norm, vectors

q, r, x, S = sp.symbols("q r x S", real=True)
p = sp.Symbol("p", positive=True)
j, k = sp.symbols("j k", integer=True)
n, v = sp.Symbol("n", integer=True, nonnegative=True), vectors("v")
g, h = Function("g", real=True), Function("h", real=True)
X, Y = Random("X"), Random("Y")
OVER = {q: Reals, r: Reals, x: Reals, S: Reals, p: Interval.open(0, sp.oo)}


def told(statement, over=None):
    return meaning("what a name stands for", statement, over=over or OVER)


class TestNoDefinitions:
    @each(
        "statement",
        Contains(q, Interval(0, 1)),
        Not(Contains(q, Interval(0, 1))),
        Ne(q, r),
        q <= r,
        Not(Eq(q, r)),
        And(Eq(q, r), q <= 1),
        Or(Eq(q, r), q > 1),
        Implies(r > 0, q > 0),
        Implies(r > 0, Contains(q, Interval(0, 1))),
        sp.Xor(Eq(q, 1), Eq(q, 2)),
        sp.Equivalent(Eq(q, 1), Eq(r, 2)),
    )
    def test_a_meaning_is_an_equation(self, statement):
        with pytest.raises(TypeError, match="a meaning must be an equation"):
            told(statement)

    @each("left", Max(q, 1), Min(q, r), sp.sign(q), sp.Piecewise((q, q > 0), (0, True)))
    def test_it_does_not_restrict(self, left):
        with pytest.raises(TypeError, match="what a name stands for"):
            told(Eq(left, 1))

    @each(
        "statement",
        Eq(q, q + 1, evaluate=False),
        Eq(q, q**2),
        Implies(q > 1, Eq(q, r + 1)),
        Implies(r > 1, Implies(q > 1, Eq(q, r))),
        And(Eq(r, x), Eq(q, 2 * q + r)),
    )
    def test_a_letter_is_not_explained_by_itself(self, statement):
        with pytest.raises(TypeError, match="by other letters"):
            told(statement)

    def test_what_is_one(self):
        for one in (
            Eq(q, r**2),
            And(Eq(q, r), Eq(S, x)),
            And(Implies(r >= 0, Eq(q, r)), Implies(r < 0, Eq(q, -r))),
            Or(Eq(q, 0), Eq(q, 1)),
            Eq(2 * q, r),
        ):
            assert told(one).statement == one
        laws = {X: RANDOM, Y: RANDOM}
        assert told(And(independent(X, Y), Eq(E(X), E(Y))), laws)


class TestTwoMeanings:
    """Of one name in different words: from both anything would follow."""

    @each(
        "first, second",
        (Eq(q, 1), Eq(q, 2)),
        (Eq(2 * q, 2), Eq(q / 2, 1)),
        (Eq(q, 1), Eq(3 * q, 2)),
        (Eq(q**2, 4), Eq(q, 1)),
        (Eq(g(k), 1), Eq(g(j), 2)),
        (Eq(g(k), k), Eq(g(j), j + 1)),
        (Eq(2 * g(k), 2), Eq(g(k), 2)),
        (Eq(g(k) ** 2, 1), Eq(g(j), 2)),
        (Eq(E(X), 1), Eq(2 * E(X), 3)),
        (Eq(sp.Abs(q), 1), Eq(q, 2)),
    )
    def test_are_refused_where_they_meet(self, first, second):
        over = {**OVER, j: sp.Range(10), k: sp.Range(10), X: RANDOM}
        one, other = told(first, over), told(second, over)
        with pytest.raises(NotProved, match="stands for two things"):
            meanings_fit(one.trusts | other.trusts)
        weak = [follows(x**2 >= 0, [known], over=over) for known in (one, other)]
        with pytest.raises(NotProved, match="stands for two things"):
            follows(x**2 + 1 >= 0, weak, over=over)

    def test_the_same_in_other_letters_is_one(self):
        over = {**OVER, j: sp.Range(10), k: sp.Range(10)}
        meanings_fit(told(Eq(g(k), k**2), over).trusts | told(Eq(g(j), j**2), over).trusts)
        meanings_fit(told(Eq(2 * q, 4 * r)).trusts | told(Eq(q, 2 * r)).trusts)
        meanings_fit(told(Eq(g(0), 0), over).trusts | told(Eq(g(k + 1), g(k) + 1), over).trusts)

    def test_a_letter_is_one_extreme(self):
        """The largest x² on [0, 1] is no bound of x on [0, 5], although one letter is called so."""
        over = {x: Interval(0, 1), r: Interval(0, 5), S: Reals}
        square = largest("the largest square", x**2 <= S, over=over)
        for other in (
            largest("the largest number", r <= S, over=over),
            least("the least number", r >= S, over=over),
        ):
            with pytest.raises(NotProved, match="S is two extremes"):
                meanings_fit(square.trusts | other.trusts)
        again = largest("the largest square", r**2 / 25 <= S, over=over)
        assert follows(x**2 + r**2 / 25 <= 2 * S, [square, again], over=over)

    def test_an_extreme_that_gets_another_name_is_that_ones(self):
        square = largest("the largest square", x**2 <= S, over={x: Interval(0, 1), S: Reals})
        moved = instance(square, {S: q}, over={q: Reals})
        other = largest("the largest number", r <= q, over={r: Interval(0, 5), q: Reals})
        with pytest.raises(NotProved, match="q is two extremes"):
            meanings_fit(moved.trusts | other.trusts)


class TestOnePlaceOfMany:
    @each("formula, following", (2**n, 2 * g(n)), (3 * n + 1, g(n) + 3))
    def test_a_recursion_agrees_with_the_formula_that_satisfies_it(self, formula, following):
        every, over = told(Eq(g(n), formula), over={n: sp.Range(sp.oo)}), {n: sp.Range(sp.oo)}
        meanings_fit(every.trusts | told(Eq(g(n + 1), following), over=over).trusts)
        other = told(Eq(g(n + 1), following + 1), over=over)
        with pytest.raises(NotProved, match=r"g\(n \+ 1\) stands for two things"):
            meanings_fit(every.trusts | other.trusts)

    def test_the_refusal_is_the_same_in_any_order(self):
        known = [told(Eq(one(k), k), over={k: sp.S.Naturals}) for one in (g, h)]
        again = [told(Eq(one(2), r), over={r: Reals}) for one in (g, h)]
        leaves = [leaf for one in (*known, *again) for leaf in one.trusts]
        for order in (leaves, leaves[::-1]):
            with pytest.raises(NotProved, match=r"g\(2\) stands for two things"):
                meanings_fit(order)

    def test_an_index_runs_as_far_as_its_assumptions_go(self):
        lengths = told(Eq(norm(v(n)), n), over={n: sp.Range(sp.oo)}).trusts
        for place, refused in ((-1, False), (0, True), (1, True)):
            there = told(Eq(norm(v(place)), p)).trusts
            with pytest.raises(NotProved, match="two things") if refused else nullcontext():
                meanings_fit(lengths | there)
