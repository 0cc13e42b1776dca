"""What is said of the letters of a claim is not said of other values that a proof puts in."""

import pytest
import sympy as sp
from sympy import Abs, Eq, Function, Interval, Range, Reals, Symbol, exp, oo
from trying import each

from theorems.engine.rules import RANDOM, E, Random, follows, induction, instance
from theorems.engine.rules.leaves import supposed
from theorems.engine.rules.meanings import largest, least, meaning
from theorems.engine.rules.principles import (
    expected,
    increasing,
    jensen,
    jensen_for_sums,
    more_probable,
    supremum,
)
from theorems.engine.rules.probabilities import exponential_series, surely
from theorems.engine.rules.theorem import NotProved

x, y, z, S = sp.symbols("x y z S", real=True)
B = Symbol("B", nonnegative=True)
i, n = sp.symbols("i n", integer=True)
m, T = sp.symbols("m T", integer=True, positive=True)
f, h, X = Function("f"), Function("h", real=True), Random("X")
WIDTHS, LETTERS = Range(1, oo), {n: Range(oo), S: Reals}


def leaf(theorem, kind):
    """What the leaves of a kind say."""
    return {trust.detail for trust in theorem.trusts if trust.kind == kind}


def wide(about=(m, T)):
    return supposed("wide", sp.Ge(m, T), over={m: WIDTHS, T: WIDTHS}, about=about)


def square(about=(S, n)):
    return meaning("what S stands for", Eq(S, n**2), over=LETTERS, about=about)


class TestInstances:
    @each("values", {m: 1, T: 5}, {T: 5 * m}, {T: m})
    def test_a_hypothesis_is_about_the_letters_of_the_claim(self, values):
        with pytest.raises(NotProved, match=r"may not be .*: wide is about its value"):
            instance(wide(), values)

    def test_a_hypothesis_of_a_lemma_is_then_one_about_other_letters(self):
        moved = instance(wide(about=()), {T: 2 * n + 1}, over={n: Range(oo)})
        assert leaf(wide(), "hypothesis") == {"m >= T"}
        assert leaf(moved, "hypothesis") == {"m >= 2*n + 1"}
        with pytest.raises(NotProved, match="wide would be false"):
            instance(wide(about=()), {T: m + 1})

    @each("about", [B], [B, i])
    def test_an_index_has_all_values(self, about):
        over = {i: Range(oo), B: Interval(0, oo)}
        small = supposed("small", Abs(h(i)) <= B, over=over, about=about)
        third = instance(small, {i: 3})
        assert third.statement == (Abs(h(3)) <= B)
        assert leaf(third, "hypothesis") == leaf(small, "hypothesis")
        with pytest.raises(NotProved, match="B may not be 2: small is about its value"):
            instance(small, {B: 2})

    def test_an_index_inside_of_one_is_the_claims(self):
        over = {i: Range(oo), m: WIDTHS}
        for about, moves in (([m], False), ([], True)):
            same = supposed("halves", Eq(h(i + m), h(i)), over=over, about=about)
            assert instance(same, {i: 2}).statement == Eq(h(m + 2), h(2))
            if moves:
                assert instance(same, {m: 5}).statement == Eq(h(i + 5), h(i))
            else:
                with pytest.raises(NotProved, match="m may not be 5"):
                    instance(same, {m: 5})

    def test_a_letter_stands_for_one_number_whatever_its_meaning_depends_on(self):
        with pytest.raises(NotProved, match="n may not be 1: what S stands for is about"):
            instance(square(), {n: 1})
        with pytest.raises(NotProved, match="S may not keep its value: what S stands for is about"):
            instance(square(about=()), {n: 1})
        moved = instance(square(about=()), {n: 1, S: z}, over={z: Reals})
        assert leaf(moved, "meaning") == {"Eq(z, 1)"}

    def test_a_meaning_is_no_law_that_holds_whatever_it_depends_on(self):
        """With y the square of x, x + y <= x + 9 would follow from y = 9, its value at x = 3."""
        over = {x: Interval(0, 10), y: Reals}
        for explained in (Eq(y, x**2), sp.And(Eq(y, x**2), Eq(f(0), 1))):
            known = meaning("the square of x", explained, over=over)
            with pytest.raises(NotProved, match="y may not keep its value"):
                instance(known, {x: 3})
        two = meaning("the square of x", sp.And(Eq(z, x), Eq(y, z**2)), over={**over, z: Reals})
        with pytest.raises(NotProved, match="z may not be 3"):
            instance(two, {z: 3})
        with pytest.raises(NotProved, match="y may not keep its value"):
            instance(two, {z: Symbol("w", real=True)}, over={Symbol("w", real=True): Reals})

    @each("about", [S], [])
    def test_an_extreme_is_one_number_and_what_it_bounds_varies(self, about):
        over = {x: Interval(0, 1), S: Reals}
        for known in (
            largest("the largest square", x**2 <= S, over=over, about=[*about, x]),
            least("the least square", x**2 >= S, over=over, about=[*about, x]),
        ):
            assert instance(known, {x: 1}).statement.lhs == 1
            with pytest.raises(NotProved, match="S may not be 5"):
                instance(known, {S: 5})
            if not about:
                moved = instance(known, {S: z}, over={z: Reals})
                assert leaf(moved, "meaning") == {str(known.statement.subs(S, z))}
                with pytest.raises(NotProved, match="B ranges over"):
                    instance(known, {S: B}, over={B: Interval(0, oo)})

    def test_two_values_do_not_meet(self):
        moved = ({n: value, S: z} for value in (1, 2))
        one, two = (instance(square(about=()), one, over={z: Reals}) for one in moved)
        with pytest.raises(NotProved, match="contradict each other"):
            follows(z >= 0, [one, two], over={z: Reals})
        weak = [follows(z >= 0, [known], over={z: Reals}) for known in (one, two)]
        with pytest.raises(NotProved, match="z stands for two things"):
            follows(z >= 0, weak, over={z: Reals})

    def test_a_letter_that_follows_a_function_keeps_its_index(self):
        """S = h(n) is no law for all n, though the values of h at all n are meant."""
        known = meaning("a value", Eq(S, h(n)), over=LETTERS)
        with pytest.raises(NotProved, match="S may not keep its value") as refused:
            instance(known, {n: 2})
        assert refused.value.answer == "undecided"

    def test_an_index_of_the_claims_keeps_its_value_in_a_meaning(self):
        known = meaning("values", Eq(h(n), S), over=LETTERS, about=[n, S])
        with pytest.raises(NotProved, match="n may not be 2: values is about its value"):
            instance(known, {n: 2})

    def test_what_has_been_eliminated_is_no_obstacle(self):
        known = follows(n**2 >= 0, [square()], over=LETTERS)
        assert leaf(instance(known, {n: 1}), "meaning") == {"Eq(S, n**2)"}

    def test_a_mean_is_one_number_until_it_is_eliminated(self):
        known = meaning("the mean of X", Eq(E(X), S), over={S: Reals, X: RANDOM})
        with pytest.raises(NotProved, match=r"E\(X\) may not keep its value"):
            instance(known, {S: 1})
        square = follows(S**2 >= 0, [known], over=LETTERS)
        assert leaf(instance(square, {S: 1}), "meaning") == {"Eq(E(X), S)"}

    def test_another_letter_is_said_to_stand_for_it(self):
        over = {x: Reals, y: Reals}
        known = meaning("what y stands for", Eq(y, x**2), over=over)
        moved = instance(follows(y >= 0, [known], over=over), {y: z}, over={z: Reals})
        assert leaf(moved, "meaning") == {"Eq(z, x**2)"}


class TestBoundLetters:
    """A letter does not vary if a leaf is about the value that it has."""

    def small(self):
        return supposed("small", x <= 1, over={x: Reals})

    def refused(self, rule, *arguments, **named):
        with pytest.raises(NotProved, match=r"may not vary: (small|moments|what S stands for) is about"):
            rule(*arguments, **named)

    def test_in_an_induction(self):
        """At the next n it would be S = (n + 1)^2: with S = n^2 the conclusion is false."""
        before = sp.Or(Eq(n, 1), Eq(S, (n - 1) ** 2))
        one = meaning("what S stands for", Eq(S, n**2), over={n: Range(1, oo), S: Reals})
        self.refused(induction, before, n, 1, step=[one], over={S: Reals})

    @each("about", [], [x])
    def test_in_means_and_events(self, about):
        """It is then said of the random variable, unless it is the claim's own letter."""
        small = supposed("small", x <= 1, over={x: Interval(0, oo)}, about=about)
        implied = follows(sp.Implies(x > 0, x**2 <= 1), [small], over={x: Interval(0, oo)})
        made = [
            lambda: expected(small, x, X),
            lambda: surely(small, {x: X}),
            lambda: more_probable(implied, x, X),
        ]
        for make in made:
            if about:
                with pytest.raises(NotProved, match="x may not be X: small is about its value"):
                    make()
            else:
                assert leaf(make(), "hypothesis") == {"X <= 1"}

    def test_in_convexity(self):
        bend = sp.diff(-(x**3) + 3 * x**2, x, 2) >= 0
        known = follows(bend, [self.small()], over={x: Reals})
        self.refused(jensen, known, -(x**3) + 3 * x**2, x, X)
        self.refused(jensen_for_sums, known, -(x**3) + 3 * x**2, x, f(i), i, n, over={n: Range(1, oo)})

    def test_in_the_terms_of_a_sum(self):
        convex = follows(6 * x >= 0, over={x: Interval(0, oo)})
        one = meaning("what S stands for", Eq(S, i + 1), over={i: Range(oo), S: Reals})
        inside = follows(S >= 0, [one], over={i: Range(oo), S: Reals})
        terms = (x**3, x, S, i, n)
        self.refused(jensen_for_sums, convex, *terms, over={n: Range(1, oo)}, inside=inside)

    def test_in_a_slope(self):
        steep = follows(3 - 3 * x**2 >= 0, [self.small()], over={x: Interval(0, oo)})
        self.refused(increasing, steep, 3 * x - x**3, x, y)

    def test_in_a_supremum(self):
        own = supposed("small", x <= 1, over={x: Reals}, about=[x])
        with pytest.raises(NotProved, match="x may not vary"):
            supremum(own, S, over={S: Reals})
        assert supremum(self.small(), S, over={S: Reals}).statement == (S <= 1)

    def test_in_moments(self):
        t = Symbol("t", nonnegative=True)
        second = supposed("second", E(X**2) <= 1, over={X: X.belongs_to})
        bound = E(Abs(X) ** (n + 2)) <= S
        known = meaning("what S stands for", Eq(S, n**2), over={n: Range(1, oo), S: Reals})
        one = supposed("moments", bound, over={X: X.belongs_to, n: Range(1, oo), S: Reals})
        higher = follows(bound, [one, known], over={X: X.belongs_to, n: Range(1, oo), S: Reals})
        second = supposed("second", E(X**2) <= S, over={X: X.belongs_to, S: Reals})
        value = exp(t) - 1 - t
        self.refused(exponential_series, second, higher, t, value, over={t: Interval(0, oo)})
