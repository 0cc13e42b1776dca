"""Principles that join theorems keep the range of every letter in them."""

from typing import ClassVar

import pytest
import sympy as sp
from sympy import Abs, Function, Interval, Reals, Symbol
from trying import each

from theorems.engine.rules import OPERATORS, VECTORS, E, Random, Vector, follows
from theorems.engine.rules.leaves import claimed
from theorems.engine.rules.principles import expected_jointly, jensen_for_sums
from theorems.engine.rules.probabilities import exponential_series
from theorems.engine.rules.ranges import assumed, checked, hull, is_integral, joined, within

x, c = sp.symbols("x c", real=True)
k, n = sp.symbols("k n", integer=True)
f, X = Function("f"), Random("X")
POSITIVE, NATURAL = Interval.open(0, sp.oo), sp.Range(0, sp.oo)


class TestLettersKeepTheirRanges:
    """What is known for c > 0 is not concluded for all c; at c = -1 each conclusion is false."""

    def test_in_a_mean(self):
        some = follows(c * x**2 >= 0, over={x: Reals, c: POSITIVE})
        with pytest.raises(ValueError, match="c keeps its set"):
            expected_jointly(some, {x: X}, over={c: Reals})

    def test_in_jensens_inequality(self):
        bend = follows(2 * c >= 0, over={x: Reals, c: POSITIVE})
        with pytest.raises(ValueError, match="c keeps its set"):
            jensen_for_sums(bend, c * x**2, x, f(k), k, n, over={n: NATURAL, c: Reals})

    def test_between_the_premises_of_jensens_inequality(self):
        bend = follows(c / x >= 0, over={x: POSITIVE, c: POSITIVE})
        inside = claimed("inside", f(k) + c**2 > 0, over={k: NATURAL, c: Reals})
        mean = jensen_for_sums(
            bend, c * x * sp.log(x), x, f(k) + c**2, k, n, over={n: NATURAL}, inside=inside
        )
        assert mean.over[c] == POSITIVE

    def test_between_the_bounds_of_moments(self):
        t, q = Symbol("t", nonnegative=True), Symbol("q", integer=True)
        square = claimed("s", E(X**2) <= c, over={X: X.belongs_to, c: Interval(1, sp.oo)})
        wide = {X: X.belongs_to, c: Reals, q: sp.Range(1, sp.oo)}
        higher = claimed("h", E(Abs(X) ** (q + 2)) <= c, over=wide)
        value = c * (sp.exp(t) - 1 - t)
        found = exponential_series(square, higher, t, value, over={t: Interval(0, sp.oo)})
        assert found.over[c] == Interval(1, sp.oo)


class TestAssumptions:
    def test_a_letter_may_be_negative(self):
        low = Symbol("low", negative=True)
        assert follows(low <= 0, over={low: Interval.open(-1, 0)}).grade == "proved"

    def test_a_letter_that_is_no_prime_does_not_range_over_all_numbers(self):
        no_prime = Symbol("no_prime", integer=True, prime=False)
        with pytest.raises(ValueError, match="not prime"):
            follows(no_prime <= 9, over={no_prime: sp.Range(10)})


class TestAssumed:
    """The largest set that a letter's assumptions allow, and that no larger one is allowed."""

    LARGEST: ClassVar = [
        ({"real": True}, Reals),
        ({"positive": True}, POSITIVE),
        ({"nonnegative": True}, Interval(0, sp.oo)),
        ({"negative": True}, Interval.open(-sp.oo, 0)),
        ({"nonpositive": True}, Interval(-sp.oo, 0)),
        ({"integer": True}, sp.S.Integers),
        ({"integer": True, "positive": True}, sp.Range(1, sp.oo)),
        ({"integer": True, "nonnegative": True}, NATURAL),
        ({"integer": True, "negative": True}, sp.Range(-sp.oo, 0)),
        ({"integer": True, "nonpositive": True}, sp.Range(-sp.oo, 1)),
    ]

    @each("assumptions, largest", *LARGEST)
    def test_the_largest_set(self, assumptions, largest):
        letter = Symbol("a", **assumptions)
        assert assumed(letter) == largest
        assert checked({letter: largest}) == {letter: largest}
        for _, other in self.LARGEST:
            if not other.is_subset(largest):
                with pytest.raises(ValueError, match="is assumed to be"):
                    checked({letter: other})

    @each(
        "assumptions, fitting, beyond",
        ({"nonzero": True}, Interval.open(0, 1), Interval(-1, 1)),
        ({"real": True, "zero": False}, Interval.Lopen(0, 1), Interval(0, 1)),
        ({"real": True, "positive": False}, Interval(-1, 0), Interval(-1, 1)),
        ({"real": True, "negative": False}, Interval(0, 1), Interval(-1, 1)),
        ({"integer": True, "prime": False}, sp.Range(-3, 2), sp.Range(-3, 3)),
        ({"integer": True, "composite": False}, sp.Range(-3, 2), sp.Range(-3, 5)),
        ({"real": True, "integer": False}, None, Interval(0, 1)),
        ({"integer": True, "odd": True}, None, sp.Range(1, 2)),
    )
    def test_what_is_assumed_holds_of_every_member(self, assumptions, fitting, beyond):
        letter = Symbol("a", **assumptions)
        with pytest.raises(ValueError, match="is assumed to be"):
            checked({letter: beyond})
        if fitting is not None:
            assert checked({letter: fitting})

    def test_a_letter_is_a_number_among_numbers(self):
        matrix = Symbol("A", commutative=False)
        for wrong in (matrix, sp.Integer(3), sp.Function("f")(x)):
            with pytest.raises(TypeError, match="a letter must be a commutative symbol"):
                checked({wrong: Reals})

    @each(
        "range_, fits",
        (sp.Range(1, 5), True),
        (sp.Range(5, 1, -1), False),
        (sp.Range(1, 9, 2), False),
        (sp.FiniteSet(1, 2), True),
        (sp.FiniteSet(1, sp.I), False),
        (sp.S.Naturals, True),
        (sp.Range(3, 3), False),
        (Interval(0, c), False),
    )
    def test_sets_of_real_numbers(self, range_, fits):
        if fits:
            assert checked({x: range_}) == {x: range_}
        else:
            with pytest.raises(ValueError, match=r"must range over"):
                checked({x: range_})

    def test_letters_are_told_in_the_order_of_their_names(self):
        a, b = sp.symbols("a b", real=True)
        over = {b: Interval(0, 1), x: Interval(0, 1), a: Reals}
        assert list(checked(over)) == [a, b, x]


class TestJoined:
    half = Interval(0, sp.Rational(1, 2))

    def test_the_smaller_range_counts_in_either_order(self):
        for ranges in ((Interval(0, 1), self.half), (self.half, Interval(0, 1))):
            assert joined(*({x: one} for one in ranges)) == {x: self.half}
        assert joined({x: Reals}, {c: POSITIVE}) == {c: POSITIVE, x: Reals}

    def test_ranges_that_overlap_are_refused(self):
        with pytest.raises(ValueError, match=r"x ranges over .* and over"):
            joined({x: Interval(0, 2)}, {x: Interval(1, 3)})

    def test_a_range_may_be_made_smaller_and_a_letter_added(self):
        assert joined({x: Reals}, over={x: self.half, c: Reals}) == {c: Reals, x: self.half}
        with pytest.raises(ValueError, match="x keeps its set"):
            joined({x: self.half}, over={x: Interval(0, 1)})


class TestEnds:
    def test_a_value_lies_within_an_interval_up_to_the_ends_that_belong_to_it(self):
        cases = [
            (Interval(0, 1), (x >= 0) & (x <= 1)),
            (Interval.open(0, 1), (x > 0) & (x < 1)),
            (Interval.Lopen(0, 1), (x > 0) & (x <= 1)),
            (Interval.Ropen(0, 1), (x >= 0) & (x < 1)),
            (Interval(2, sp.oo), x >= 2),
            (Interval.open(-sp.oo, 2), x < 2),
            (Interval(-sp.oo, 2), x <= 2),
            (Reals, sp.true),
        ]
        for range_, inside in cases:
            assert within(x, range_) == inside

    def test_the_hull_of_integers(self):
        assert hull(sp.FiniteSet(3, 1)) == Interval(1, 3)
        assert hull(sp.Range(1, 4)) == Interval(1, 3)
        assert hull(Interval.open(0, 1)) == Interval.open(0, 1)

    @each(
        "range_, whole",
        *((one, True) for one in (sp.S.Integers, sp.S.Naturals, sp.S.Naturals0, NATURAL)),
        *((one, False) for one in (Reals, Interval(0, 1), sp.FiniteSet(1))),
    )
    def test_sets_of_integers(self, range_, whole):
        assert is_integral(range_) is whole


class TestObjects:
    def test_they_are_told_in_words(self):
        assert str(OPERATORS) == "bounded linear operators"
        assert sp.latex(OPERATORS) == r"\text{bounded linear operators}"

    def test_a_letter_for_a_vector_ranges_over_vectors(self):
        u = Vector("u")
        assert checked({u: VECTORS}) == {u: VECTORS}
        for letter, range_ in ((u, Reals), (u, OPERATORS), (x, VECTORS)):
            with pytest.raises(ValueError, match="belongs to"):
                checked({letter: range_})
