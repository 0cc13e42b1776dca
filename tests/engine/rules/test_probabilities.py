"""Facts about several random variables, and what they refuse."""

from typing import ClassVar

import pytest
import sympy as sp
from sympy import Abs, Interval, Reals, Symbol
from trying import each

from theorems.engine.rules import RANDOM, E, NotProved, P, Random, follows
from theorems.engine.rules.leaves import claimed, textbook
from theorems.engine.rules.probabilities import (
    both_tails,
    complement,
    exponential_series,
    implied_event,
    minkowski_for_means,
    surely,
)

x, y = sp.symbols("x y", real=True)
X, Y = Random("X"), Random("Y")
t = Symbol("t", nonnegative=True)
q = Symbol("q", integer=True)
HALF_LINE = Interval(0, sp.oo)


class TestSurely:
    def test_it_keeps_what_the_theorem_trusts(self):
        below = claimed("some claim", x <= y**2, over={x: Reals, y: Reals})
        sure = surely(below, {x: X, y: Y})
        assert sure.statement == sp.Eq(P(X <= Y**2), 1, evaluate=False)
        assert below.trusts < sure.trusts

    def test_a_variable_must_lie_where_the_letter_ranges(self):
        root = textbook("roots", sp.sqrt(x) >= 0, over={x: HALF_LINE})
        assert surely(root, {x: X}).under == {sp.Eq(P(X >= 0), 1, evaluate=False)}

    def test_a_hypothesis_about_the_letter_is_refused(self):
        below = claimed("some claim", x <= 1, over={x: Reals}, under=[x < 0])
        with pytest.raises(ValueError, match="no hypothesis"):
            surely(below, {x: X})

    def test_a_hypothesis_about_another_letter_is_kept(self):
        below = claimed("some claim", x <= y, over={x: Reals, y: Reals}, under=[y > 3])
        found = surely(below, {x: X})
        assert found.under == {y > 3}
        assert found.over == {X: RANDOM, y: Reals}

    @each(
        "range_, inside",
        (Interval.Ropen(0, 1), sp.And(X >= 0, X < 1)),
        (Interval.Lopen(0, 1), sp.And(X > 0, X <= 1)),
        (Interval.open(-sp.oo, 1), X < 1),
    )
    def test_the_ends_that_belong_to_an_interval_are_taken(self, range_, inside):
        below = claimed("some claim", x <= 1, over={x: range_})
        assert surely(below, {x: X}).under == {sp.Eq(P(inside), 1)}

    def test_a_letter_of_integers_is_refused(self):
        whole = claimed("some claim", q**2 >= q, over={q: sp.S.Integers})
        with pytest.raises(ValueError, match="must range over"):
            surely(whole, {q: X})


class TestEvents:
    def test_both_tails(self):
        tails = both_tails(X - Y, x, over={x: Reals}).statement
        assert tails.rhs == P(sp.Ge(X - Y, x)) + P(sp.Ge(Y - X, x))

    def test_an_event_that_implies_another_is_not_likelier_by_itself(self):
        larger = implied_event(X >= 1, Y >= 1)
        assert larger.statement == (P(X >= 1) <= P(Y >= 1))
        assert larger.under

    def test_complement(self):
        assert complement(sp.Ge(X, 0)).statement.lhs == P(X < 0)


class TestExponentialSeries:
    def bounds(self, square, higher, start=1):
        over = {X: X.belongs_to, q: sp.Range(start, sp.oo)}
        first = claimed("square", E(X**2) <= square, over={X: X.belongs_to})
        return first, claimed("higher", E(Abs(X) ** (q + 2)) <= higher, over=over)

    def test_the_leaves_spell_the_series_out(self):
        """A reader can check that 3 (t²/2! + t³/3! + ...) has the sum that was named."""
        value = 3 * (sp.exp(t) - 1 - t)
        found = exponential_series(*self.bounds(3, 3), t, value, over={t: HALF_LINE})
        said = {one.name: one.detail for one in found.trusts}
        series = [
            sp.Sum(t ** (q + 2) * moment / sp.factorial(q + 2), (q, 0, sp.oo))
            for moment in (3, E(Abs(X) ** (q + 2)))
        ]
        assert str(sp.Eq(series[0], value)) in said.values()
        exponential = E(sp.exp(t * X)) <= 1 + t * E(X) + series[1]
        assert said["exponential series, term by term"] == str(exponential)

    @each("square, start", (2, 1), (3, 2))
    def test_bounds_of_other_moments_are_refused(self, square, start):
        with pytest.raises(ValueError, match="moments"):
            exponential_series(*self.bounds(square, 3, start), t, t, over={t: HALF_LINE})


class TestPremisesOfTheSeries:
    """E X^2 <= b(0) and E |X|^(q + 2) <= b(q), each for all q from 1 on."""

    over: ClassVar = {X: RANDOM, q: sp.Range(1, sp.oo)}
    value = sp.exp(2 * t) - 1 - 2 * t

    def found(self, square, higher, **how):
        value = how.pop("value", self.value)
        return exponential_series(square, higher, t, value, over={t: HALF_LINE})

    def square(self, statement, **how):
        return claimed("square", statement, over={X: RANDOM, Y: RANDOM}, **how)

    def higher(self, statement, **how):
        return claimed("higher", statement, over={**self.over, Y: RANDOM}, **how)

    def test_bounds_that_grow(self):
        """|X| <= 2: the bound is attained by X = 2 up to the mean."""
        found = self.found(self.square(E(X**2) <= 4), self.higher(E(Abs(X) ** (q + 2)) <= 2 ** (q + 2)))
        assert found.statement.lhs == E(sp.exp(t * X))
        assert sp.expand(found.statement.rhs - (1 + t * E(X) + self.value)) == 0
        assert q not in found.over
        assert found.under == frozenset()

    def test_the_bound_of_the_square_is_the_one_at_zero(self):
        with pytest.raises(ValueError, match="bounds of moments are needed"):
            self.found(self.square(E(X**2) <= 8), self.higher(E(Abs(X) ** (q + 2)) <= 2 ** (q + 2)))

    @each("statement", E(X**2) >= 4, E(X**2) < 4, E(Y**2) <= 4, E(X**4) <= 4, sp.Eq(E(X**2), 4))
    def test_another_premise_than_of_the_square(self, statement):
        with pytest.raises(ValueError, match="bounds of moments are needed"):
            self.found(self.square(statement), self.higher(E(Abs(X) ** (q + 2)) <= 2 ** (q + 2)))

    @each(
        "statement",
        E(Abs(X) ** (q + 2)) >= 2 ** (q + 2),
        E(Abs(X) ** (q + 2)) < 2 ** (q + 2),
        E(Abs(X) ** (q + 3)) <= 2 ** (q + 2),
        E(Abs(X) ** (q + 3)) <= 4,
        E(Abs(X) ** (2 * q)) <= 2 ** (q + 2),
        E(Y ** (q + 2)) <= 2 ** (q + 2),
    )
    def test_another_premise_than_of_the_higher_moments(self, statement):
        with pytest.raises(ValueError, match="bounds of moments are needed"):
            self.found(self.square(E(X**2) <= 4), self.higher(statement))

    def test_hypotheses_are_kept_and_must_not_be_about_the_index(self):
        square = self.square(E(X**2) <= 4, under=[E(X) > 0])
        higher = E(Abs(X) ** (q + 2)) <= 2 ** (q + 2)
        found = self.found(square, self.higher(higher, under=[E(X) < 1]))
        assert found.under == {E(X) > 0, E(X) < 1}
        with pytest.raises(ValueError, match="no hypothesis may be about q"):
            self.found(square, self.higher(higher, under=[q < 9]))

    def test_the_factor_is_not_negative(self):
        real = Symbol("t", real=True)
        square = self.square(E(X**2) <= 4)
        higher = self.higher(E(Abs(X) ** (q + 2)) <= 2 ** (q + 2))
        value = sp.exp(2 * real) - 1 - 2 * real
        found = exponential_series(square, higher, real, value, over={real: Reals})
        assert found.under == {real >= 0}

    @each("wrong", 2 * value, value + t, sp.exp(2 * t) - 1, sp.exp(t) - 1 - t, value + t**3)
    def test_another_sum_than_that_of_the_series(self, wrong):
        square = self.square(E(X**2) <= 4)
        higher = self.higher(E(Abs(X) ** (q + 2)) <= 2 ** (q + 2))
        with pytest.raises(NotProved):
            self.found(square, higher, value=wrong)


def test_minkowski_takes_bounds_that_may_be_attained():
    over = {X: RANDOM, Y: RANDOM}
    known = [
        claimed(f"mean of {one}", E(one**2) <= bound, over={one: RANDOM}) for one, bound in ((X, 1), (Y, 4))
    ]
    sides = minkowski_for_means(X, Y, 1, 2, 2)
    assert follows(E((X + Y) ** 2) <= 9, [sides, *known], over=over)
