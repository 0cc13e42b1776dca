"""Covers of ranges by balls: what they see and what they refuse."""

import pytest
import sympy as sp
from flint import arb
from sympy import Interval
from trying import each

from theorems.engine.rules import NotProved
from theorems.engine.rules.certificates import ball_function, covered, enclosing


class TestCovers:
    t, a = sp.symbols("t a", real=True)

    @each(
        "relation, range_, orders",
        (sp.Ge(sp.exp(a) * sp.cos(t), sp.exp(a) * (1 - t**2)), Interval(0, 1), (2, 0)),
        (sp.Le(sp.exp(a) * sp.cos(t), sp.exp(a)), Interval(sp.pi, 2 * sp.pi), (0, 2)),
    )
    def test_zeros_at_all_values_of_another_letter(self, relation, range_, orders):
        """The ball of a derivative only contains 0, so that it is decided exactly to be 0."""
        over = {self.t: range_, self.a: Interval(0, 1)}
        assert covered(relation, over=over, zero_orders={self.t: orders})

    def test_what_vanishes_at_one_value_of_another_letter_only(self):
        t, a = self.t, self.a
        over = {t: Interval(0, 1), a: Interval(0, 1)}
        with pytest.raises(NotProved, match=r"derivative 1 .* not known to be 0"):
            covered(sp.Ge(t**2 + a * t, 0), over=over, zero_orders={t: (2, 0)})

    def test_zeros_that_an_identity_hides(self):
        t = self.t
        hidden = sp.sin(t) ** 2 + sp.cos(t) ** 2 - 1 + t**2
        over, orders = {t: Interval(0, 1)}, {t: (2, 0)}
        assert covered(sp.Ge(hidden, 0, evaluate=False), over=over, zero_orders=orders)
        assert covered(sp.Ge(hidden + 1, 1, evaluate=False), over=over, zero_orders=orders)
        assert covered(sp.Le(1 - hidden, 1, evaluate=False), over=over, zero_orders=orders)

    def test_a_zero_that_is_none_is_refused(self):
        t = self.t
        with pytest.raises(NotProved):
            covered(sp.Ge(t**2 + sp.exp(t) - 1 - t - sp.S(1) / 10**9, 0, evaluate=False),
                    over={t: Interval(0, 1)}, zero_orders={t: (2, 0)})  # fmt: skip

    def test_a_false_inequality_is_rejected_and_an_exhausted_budget_undecided(self):
        t = self.t
        for relation, answer in (
            (sp.Ge(sp.exp(t), 1 + 2 * t, evaluate=False), "rejected"),
            (sp.Ge(sp.sin(t) ** 2 + sp.cos(t) ** 2, 1, evaluate=False), "undecided"),
        ):
            with pytest.raises(NotProved) as found:
                covered(relation, over={t: Interval(0, 2)}, max_boxes=50)
            assert found.value.answer == answer

    @each(
        "range_",
        Interval(sp.pi / 3, 2 * sp.pi / 3),
        Interval(sp.pi / 3, sp.pi),
        Interval(-sp.pi / 2, sp.sqrt(3)),
        Interval(sp.Rational(-1, 3), 2),
    )
    def test_the_whole_range_is_covered_up_to_its_ends(self, range_):
        t, little = self.t, sp.Rational(1, 10**6)
        low, high = range_.inf, range_.sup
        assert covered(sp.Ge(t, low - little), over={t: range_})
        assert covered(sp.Le(t, high + little), over={t: range_})
        for missed in (sp.Ge(t, low + little), sp.Le(t, high - little)):
            with pytest.raises(NotProved):
                covered(missed, over={t: range_})

    @each("times", sp.Rational(1, 3), sp.Rational(2, 3), 1, 2, -1)
    def test_multiples_of_pi_are_exact_ends(self, times):
        t, tiny = self.t, sp.Rational(1, 10**20)
        low, high = sorted([sp.S.Zero, times * sp.pi])
        assert covered(sp.Le(t, high + tiny), over={t: Interval(low, high)})
        assert covered(sp.Ge(t, low - tiny), over={t: Interval(low, high)})

    @each("range_", Interval(0, sp.oo), Interval(-sp.oo, 0), sp.Range(0, 3), sp.FiniteSet(0, 1))
    def test_a_range_is_a_bounded_interval(self, range_):
        with pytest.raises(TypeError, match="must range over a bounded interval"):
            covered(sp.Ge(self.t**2, -1, evaluate=False), over={self.t: range_})

    @each(
        "power, at_four", (sp.Rational(1, 2), 2), (sp.Rational(-3, 2), 0.125), (sp.Rational(1, 3), 1.587401)
    )
    def test_powers_in_balls(self, power, at_four):
        t = self.t
        found = ball_function(t**power)(t=arb(4))
        assert abs(float(found.mid()) - at_four) < 1e-6


class TestEndsAtWhichBothSidesMeet:
    t = sp.Symbol("t", real=True)

    @each(
        "gap, open_end, closed_end, orders",
        (t**2, Interval.Lopen(0, 1), Interval(0, 1), (2, 0)),
        (sp.sin(t), Interval.Lopen(0, 1), Interval(0, 1), (1, 0)),
        ((1 - t) ** 2, Interval.Ropen(0, 1), Interval(0, 1), (0, 2)),
        (t * (1 - t), Interval.open(0, 1), Interval.Ropen(0, 1), (1, 1)),
        (t * (1 - t), Interval.open(0, 1), Interval.Lopen(0, 1), (1, 1)),
    )
    def test_a_strict_inequality_leaves_them_out(self, gap, open_end, closed_end, orders):
        strict, weak = sp.Gt(gap, 0, evaluate=False), sp.Ge(gap, 0, evaluate=False)
        how = {"zero_orders": {self.t: orders}}
        assert covered(strict, over={self.t: open_end}, **how).statement == strict
        assert covered(weak, over={self.t: closed_end}, **how).statement == weak
        with pytest.raises(NotProved, match="both sides meet at t = ") as found:
            covered(strict, over={self.t: closed_end}, **how)
        assert found.value.answer == "undecided"

    def test_a_zero_at_the_other_end_is_no_positive_value(self):
        """Only the end that was named is left out."""
        gap, how = self.t * (1 - self.t), {"zero_orders": {self.t: (1, 0)}}
        weak = covered(sp.Ge(gap, 0, evaluate=False), over={self.t: Interval(0, 1)}, **how)
        assert weak.grade == "certified"
        with pytest.raises(NotProved):
            covered(sp.Gt(gap, 0, evaluate=False), over={self.t: Interval.Lopen(0, 1)}, **how)

    def test_where_they_do_not_meet_the_end_belongs(self):
        gap = sp.Gt(self.t, 0, evaluate=False)
        assert covered(gap, over={self.t: Interval.Lopen(0, 1)}, zero_orders={self.t: (1, 0)})
        assert covered(sp.Gt(self.t + 1, 0), over={self.t: Interval(0, 1)})
        with pytest.raises(NotProved):
            covered(gap, over={self.t: Interval(0, 1)})
        assert covered(sp.Ge(self.t, 0, evaluate=False), over={self.t: Interval(0, 1)})


class TestRelations:
    t, a = sp.symbols("t a", real=True)

    @each("relation", sp.Eq(t, a), sp.Ne(t, a), sp.And(t > 0, t < 2))
    def test_balls_cover_inequalities(self, relation):
        with pytest.raises(TypeError, match="covers inequalities"):
            covered(relation, over={self.t: Interval(0, 1), self.a: Interval(0, 1)})

    def test_letters_that_do_not_occur_are_left_out(self):
        over = {self.t: Interval(0, 1), self.a: Interval(0, 1)}
        found = covered(sp.Lt(self.t, 2), over=over)
        assert found.over == {self.t: Interval(0, 1)}
        (leaf,) = found.trusts
        assert (leaf.kind, leaf.name) == ("certificate", "t < 2")
        assert found.grade == "certified"

    def test_what_is_false_at_one_end_of_two_ranges(self):
        over = {self.t: Interval(0, 1), self.a: Interval(1, 2)}
        assert covered(self.t <= self.a + sp.Rational(1, 100), over=over)
        with pytest.raises(NotProved) as found:
            covered(self.t <= self.a - sp.Rational(1, 100), over=over)
        assert found.value.answer == "rejected"


t = sp.Symbol("t", real=True)
FUNCTIONS = [
    *(sp.sin, sp.cos, sp.tan, sp.asin, sp.acos, sp.atan, sp.sinh, sp.cosh, sp.tanh),
    *(sp.exp, sp.log, sp.erf, sp.erfc, sp.gamma, sp.Abs),
]


class TestBalls:
    def test_values(self):
        cases = [
            *((function(t), function(sp.Rational(1, 2))) for function in FUNCTIONS),
            (-t, -0.5),
            (sp.Abs(t - 1), 0.5),
            (t**3 - t / 3 + 2, 0.125 - 1 / 6 + 2),
            (3 * t * (t + 1), 2.25),
            (t**-2, 4),
            (t**0, 1),
            (t ** sp.Rational(3, 2), 0.5**1.5),
            (t ** sp.Rational(-1, 2), 0.5**-0.5),
            (t ** sp.Rational(-5, 3), 0.5 ** (-5 / 3)),
            (t**t, 0.5**0.5),
            (sp.pi * t + sp.E, sp.pi / 2 + sp.E),
            (sp.Rational(2, 7) + t, 2 / 7 + 0.5),
        ]
        for expression, value in cases:
            found = ball_function(sp.sympify(expression))(t=arb("0.5"))
            assert abs(float(arb(found).mid()) - float(value)) < 1e-12
            assert float(arb(found).rad()) < 1e-9

    @each("expression", sp.zeta(t), sp.Max(t, 1), sp.GoldenRatio * t)
    def test_other_functions_and_constants_are_refused(self, expression):
        with pytest.raises(TypeError, match="no ball arithmetic for"):
            ball_function(expression)

    @each("number", sp.sqrt(3), sp.exp(2), -sp.pi / 7, sp.Rational(1, 3))
    def test_a_number_lies_in_its_ball(self, number):
        ball = enclosing(number)
        assert float(ball.rad()) < 1e-9
        assert abs(float(ball.mid()) - float(number)) < 1e-12
