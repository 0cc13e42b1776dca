"""Principles that join theorems keep the range of every letter in them."""

from typing import ClassVar

import pytest
import sympy as sp
from sympy import Abs, Function, Interval, Reals, Symbol
from trying import each

from theorems.engine.rules import OPERATORS, VECTORS, E, Random, Vector, follows
from theorems.engine.rules.inferences import cases, induction, instance
from theorems.engine.rules.leaves import claimed, decided
from theorems.engine.rules.principles import expected_jointly, jensen_for_sums
from theorems.engine.rules.probabilities import exponential_series
from theorems.engine.rules.ranges import assumed, checked, hull, is_integral, joined, ranging, within
from theorems.engine.rules.sums import by_recursion, last_term, linear, norm_of_sum, summed
from theorems.engine.rules.theorem import NotProved
from theorems.engine.rules.vocabulary import vectors

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


class TestRangesThatNothingNames:
    """Letters range as the premises say, or as far as assumptions go: never less, never more."""

    p = Symbol("p", positive=True)
    count = Symbol("m", integer=True, nonnegative=True)
    UNIT, HALF = Interval(0, 1), Interval(0, sp.Rational(1, 2))

    def known(self, *sets):
        return [claimed("c", f(x) >= x, over={x: one}) for one in sets]

    def test_the_smallest_range_of_the_premises(self):
        assert follows(f(x) >= x, self.known(self.UNIT)).over == {x: self.UNIT}
        both = self.known(self.UNIT, Reals, self.HALF)
        assert follows(f(x) >= x, both).over == {x: self.HALF}

    def test_what_holds_there_is_not_concluded_elsewhere(self):
        with pytest.raises(NotProved):
            follows(f(x) >= x, self.known(self.UNIT), over={x: Reals})

    def test_ranges_that_cross_must_be_named(self):
        crossing = self.known(self.UNIT, Interval(-1, sp.Rational(1, 2)))
        with pytest.raises(ValueError, match="ranges over"):
            follows(f(x) >= x, crossing)
        assert follows(f(x) >= x, crossing, over={x: self.HALF}).over == {x: self.HALF}

    def test_letters_of_no_premise_go_as_far_as_their_assumptions(self):
        assert follows(2 * x * self.p <= self.p + self.p * x**2).over == {x: Reals, self.p: POSITIVE}
        with pytest.raises(NotProved, match="fails at"):
            follows(x >= 0)
        assert follows(x + 1 > 0, under=[x >= 0]).over == {x: Reals}
        assert follows(2 * E(X) <= E(X) ** 2 + 1).over == {X: X.belongs_to}

    def test_letters_that_are_named_keep_what_is_said(self):
        found = follows(x * self.p <= self.p, over={x: self.UNIT})
        assert found.over == {x: self.UNIT, self.p: POSITIVE}
        assert follows(c >= 0, over={c: POSITIVE, x: self.UNIT}).over == {c: POSITIVE, x: self.UNIT}

    def test_letters_of_premises_alone_are_none_of_the_conclusion(self):
        assert follows(sp.Ge(f(0), 0), [instance(self.known(self.UNIT)[0], {x: 0})]).over == {}
        assert c not in follows(x**2 >= 0, [claimed("c", c >= 1, over={c: Interval(1, 2)})]).over

    def test_of_an_instance(self):
        square = follows(x**2 >= 2 * x - 1)
        assert instance(square, {x: self.p * c}).over == {self.p: POSITIVE, c: Reals}
        product = follows(x * c <= 1, over={x: self.UNIT, c: self.UNIT})
        assert instance(product, {x: c**2}).over == {c: self.UNIT}
        assert instance(product, {x: x**2, c: x}).over == {x: self.UNIT}
        with pytest.raises(NotProved):
            instance(product, {x: self.p})
        assert instance(product, {x: self.p}, over={self.p: self.UNIT - {0}}).over[c] == self.UNIT

    def test_of_conditions_of_an_instance(self):
        found = instance(follows(x**2 >= 2 * x - 1), {x: c}, under=[self.p > c])
        assert found.over == {c: Reals, self.p: POSITIVE}

    def test_of_cases_and_decisions(self):
        parts = [follows(Abs(x) >= x, under=[case]) for case in (x >= 0, x < 0)]
        assert cases(parts).over == {x: Reals}
        assert decided(sp.Le(2 * x, x**2 + 1)).over == {x: Reals}
        with pytest.raises(NotProved):
            decided(sp.Le(0, x))

    def test_of_an_induction(self):
        base = [claimed("b", sp.Ge(f(0), c), over={c: self.UNIT})]
        step = [claimed("s", f(k + 1) >= f(k), over={k: NATURAL})]
        found = induction(f(k) >= c, k, 0, base=base, step=step)
        assert found.over == {c: self.UNIT, k: NATURAL}
        with pytest.raises(NotProved):
            induction(f(k) >= c, k, 0, base=base, step=step, over={c: Reals})

    def test_of_sums(self):
        total = sp.Sum(c * f(k) + 2, (k, 0, self.count - 1))
        assert linear(total).over == {c: Reals, self.count: NATURAL}
        terms = claimed("t", f(k) <= c, over={k: NATURAL, c: self.UNIT})
        assert summed(terms, k, self.count).over == {c: self.UNIT, self.count: NATURAL}
        assert last_term(sp.Sum(f(k), (k, 0, self.count))).over == {self.count: NATURAL}
        v = vectors("v")
        assert norm_of_sum(sp.Sum(v(k), (k, 0, self.count - 1))).over == {self.count: NATURAL}
        sizes = sp.Sum(Abs(c * f(k)), (k, 0, n - 1))
        below = Abs(sp.Sum(c * f(k), (k, 0, n - 1))) <= sizes
        assert by_recursion(below, n).over == {c: Reals, n: NATURAL}

    def test_which_ranges_are_known_does_not_depend_on_their_order(self):
        sets = [{x: Reals}, {x: self.UNIT, c: Reals}]
        assert ranging(x + c, known=sets) == ranging(x + c, known=sets[::-1])
        assert ranging(x, over={c: POSITIVE}) == {c: POSITIVE, x: Reals}


class TestAt:
    square = follows(x**2 + c >= 2 * x - 1, under=[c >= 0])

    def test_letters_are_keys_or_names(self):
        one = instance(self.square, {x: 3, c: x})
        assert self.square.at({x: 3, c: x}).statement == one.statement
        assert self.square.at(x=3, c=x).statement == one.statement
        assert self.square.at({x: 3}, c=x).over == one.over
        assert self.square.at([x, 3]).statement == one.statement
        assert self.square.at(c=2, over={x: POSITIVE}).over == {x: POSITIVE}

    def test_names_must_be_those_of_one_letter(self):
        with pytest.raises(ValueError, match="0 letters y among c, x"):
            self.square.at(y=1)
        other = Symbol("x", positive=True)
        two = follows(2 * x * other <= x**2 + other**2)
        with pytest.raises(ValueError, match="2 letters x"):
            two.at(x=1)

    def test_values_lie_in_the_ranges(self):
        with pytest.raises(NotProved):
            follows(x >= 0, over={x: POSITIVE}).at(x=-c, over={c: POSITIVE})
