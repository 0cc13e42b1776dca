"""Principles that make theorems of theorems: what they conclude, and from what alone."""

import pytest
import sympy as sp
from asking import is_proved
from sympy import Eq, Function, Interval, Reals, Sum, Symbol, exp
from trying import each

from theorems.engine.rules import E, P, Random, follows
from theorems.engine.rules.leaves import claimed, textbook
from theorems.engine.rules.principles import (
    expected,
    expected_jointly,
    increasing,
    jensen,
    jensen_for_sums,
    more_probable,
    supremum,
)
from theorems.engine.rules.vocabulary import randoms

x, y, top = sp.symbols("x y top", real=True)
k, n = sp.symbols("k n", integer=True)
f, g = Function("f"), Function("g")
X, Y = Random("X"), Random("Y")
REAL, NATURAL = {x: Reals}, sp.Range(0, sp.oo)


class TestExpected:
    @each("relation, in_the_mean", (sp.Lt, sp.Le), (sp.Le, sp.Le), (sp.Gt, sp.Ge), (sp.Ge, sp.Ge), (Eq, Eq))
    def test_strict_inequalities_become_weak(self, relation, in_the_mean):
        each = claimed("c", relation(f(x), x), over=REAL)
        assert type(expected(each, x, X).statement) is in_the_mean

    def test_a_relation_between_numbers_stays_one(self):
        numbers = textbook("numbers", sp.Le(0, 1, evaluate=False), over=REAL)
        assert expected(numbers, x, X).statement == sp.Le(0, 1, evaluate=False)

    def test_a_family_stands_for_a_function_of_any_values(self):
        V, W = randoms("V"), Function("W", real=True)
        plain = textbook("squares", 2 * W(k) <= W(k) ** 2 + 1, over={k: NATURAL})
        found = expected_jointly(plain, {W: V})
        assert found.statement == (2 * E(V(k)) <= E(V(k) ** 2) + 1)
        size = Function("W", nonnegative=True)
        small = claimed("c", size(k) <= 3, over={k: NATURAL})
        with pytest.raises(ValueError, match="must have any real values"):
            expected_jointly(small, {size: V})


class TestSupremum:
    a = Symbol("a", real=True)

    def each(self, states, under=()):
        over = {x: Interval(0, 1), self.a: Interval(1, 2), top: Reals}
        over = {one: set_ for one, set_ in over.items()
                if one in sp.And(states, *under).free_symbols}  # fmt: skip
        return claimed("each", states, over=over, under=under)

    def test_the_least_upper_bound_is_at_most_an_upper_bound(self):
        found = supremum(self.each(x <= self.a), top, over={top: Reals})
        assert found.statement == sp.Le(top, self.a)
        assert found.over == {self.a: Interval(1, 2), top: Reals}
        kinds = {trust.kind: (trust.name, trust.detail) for trust in found.trusts}
        assert kinds["meaning"] == ("the supremum of x for x in Interval(0, 1)", "it is top")
        assert {"claim", "textbook"} <= set(kinds)

    def test_of_values_below_a_bound_the_supremum_may_attain_it(self):
        below = follows(x < 1, over={x: Interval.open(0, 1)})
        assert supremum(below, top, over={top: Reals}).statement == sp.Le(top, 1)

    def test_a_bound_that_depends_on_the_place_bounds_no_supremum(self):
        for states in (x**2 <= x, x <= top, top <= 1, x + top <= 1):
            with pytest.raises(ValueError, match="must not depend on it"):
                supremum(self.each(states), top, over={top: Reals})

    def test_nor_one_that_holds_at_some_places_only(self):
        for under in ([x > sp.Rational(1, 2)], [top > 1]):
            with pytest.raises(ValueError, match="must not depend on it"):
                supremum(self.each(x <= 1, under), top, over={top: Reals})

    def test_a_lower_bound_is_refused(self):
        each = claimed("each", x >= 0, over={x: Interval(0, 1)})
        with pytest.raises(TypeError, match="value <= bound"):
            supremum(each, top, over={top: Reals})

    def test_what_is_concluded_is_said_where_the_letter_is_assumed_to_be_such(self):
        low = Symbol("low", nonpositive=True)
        each = claimed("each", f(x) <= 0, over=REAL)
        found = supremum(each, low, over={low: Interval(-sp.oo, 0)})
        assert found.statement == sp.Le(low, 0, evaluate=False)


class TestLikelier:
    def test_an_implied_event_is_at_least_as_likely(self):
        larger = claimed("c", sp.Implies(x > 2, f(x) > 4), over=REAL)
        assert more_probable(larger, x, X).statement == (P(X > 2) <= P(f(X) > 4))

    def test_three_equivalent_events_are_refused(self):
        three = claimed("c", sp.Equivalent(x > 2, f(x) > 4, g(x) > 1), over=REAL)
        with pytest.raises(ValueError, match="implies another"):
            more_probable(three, x, X)


class TestJensen:
    def test_of_a_curve_that_bends_upwards(self):
        bent = textbook("e", exp(x) > 0, over=REAL)
        assert jensen(bent, exp(x), x, X).statement == (E(exp(X)) >= exp(E(X)))
        weakly = follows(6 * x >= 0, over={x: Interval(0, sp.oo)})
        assert jensen(weakly, x**3, x, X).statement == (E(X**3) >= E(X) ** 3)

    def test_of_a_curve_that_bends_downwards_nothing_is_said(self):
        concave = follows(6 * x <= 0, over={x: Interval(-sp.oo, 0)})
        with pytest.raises(ValueError, match="theorem must say"):
            jensen(concave, x**3, x, X)

    def test_of_a_curve_that_bends_upwards_at_some_places_only(self):
        some = claimed("s", 6 * x >= 0, over=REAL, under=[x > 0])
        with pytest.raises(ValueError, match="theorem must say"):
            jensen(some, x**3, x, X)

    def test_for_sums_the_terms_are_where_the_curve_bends_upwards(self):
        bent = follows(6 * x >= 0, over={x: Interval(0, sp.oo)})
        over = {n: sp.Range(1, sp.oo)}

        def mean(inside):
            return jensen_for_sums(bent, x**3, x, f(k), k, n, over=over, inside=inside)

        found = mean(claimed("inside", f(k) >= 0, over={k: NATURAL}))
        told = {(leaf.kind, leaf.name) for leaf in found.trusts}
        assert {("textbook", "Jensen's inequality"), ("claim", "inside")} < told
        assert bent.trusts < found.trusts
        sums = Sum(f(k), (k, 0, n - 1)), Sum(f(k) ** 3, (k, 0, n - 1))
        assert found.statement == (sums[0] ** 3 / n**3 <= sums[1] / n)
        with pytest.raises(ValueError, match="a theorem must say"):
            mean(claimed("inside", f(k) >= 0, over={k: NATURAL}, under=[k < 5]))
        with pytest.raises(ValueError, match="a theorem must say"):
            mean(claimed("inside", f(k) >= -1, over={k: NATURAL}))
        with pytest.raises(ValueError, match="a theorem must say"):
            mean(None)
        with pytest.raises(ValueError, match="every k"):
            mean(claimed("inside", f(k) >= 0, over={k: sp.Range(1, sp.oo)}))


class TestIncreasing:
    def test_a_function_of_falling_slope_falls(self):
        falls = textbook("s", -3 * x**2 <= 0, over={x: Interval(0, 1)})
        found = increasing(falls, -(x**3), x, y)
        assert found.statement == sp.Implies(x <= y, -(x**3) >= -(y**3))
        assert found.over == {x: Interval(0, 1), y: Interval(0, 1)}
        assert is_proved(y**3 >= x**3, found.over, [x <= y], [found])

    def test_a_slope_of_another_function_is_refused(self):
        slope = follows(2 * x + 3 >= 0, over={x: Interval(-1, 1)})
        assert increasing(slope, x**2 + 3 * x, x, y)
        for other in (x**2 - 3 * x, x**2 + x):
            with pytest.raises(ValueError, match="the theorem must say"):
                increasing(slope, other, x, y)

    def test_the_second_letter_is_new(self):
        slope = claimed("s", 2 * x * y**2 >= 0, over={x: Interval(0, 1), y: Reals})
        with pytest.raises(ValueError, match="a new letter"):
            increasing(slope, x**2 * y**2, x, y)

    def test_what_the_slope_needs_the_function_needs(self):
        a = Symbol("a", real=True)
        slope = follows(a * exp(x) >= 0, over={x: Reals, a: Reals}, under=[a > 0])
        assert increasing(slope, a * exp(x), x, y).under == {a > 0}
