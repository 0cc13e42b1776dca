"""Comparisons at the edge: sides that meet, sides a hair apart, sides that are not finite."""

import math
from fractions import Fraction

import flint
import pytest
import sympy
from flint import arb
from trying import each

from theorems.engine import (
    Letters,
    Rounded,
    both,
    eq,
    ge,
    gt,
    half_line,
    iff,
    implies,
    integers,
    interval,
    le,
    lt,
    open_interval,
    reals,
)
from theorems.engine.statements.values import as_ball, compare, contains, points, unfolded

x, y = sympy.symbols("x y", real=True)
THIRD = Fraction(1, 3)
HAIR = Fraction(1, 10**60)  # far below what balls of 128 bits tell apart
ABOVE = THIRD + HAIR


class TestNumbers:
    def test_enclosures(self):
        """The error of a rounded number is a radius, and a ball is taken as it is."""
        assert as_ball(Rounded(1.0, 0.0)) == 1
        rounded, ball = as_ball(Rounded(1.0, 0.5)), arb(1, 0.25)
        assert [number in rounded for number in (0.4, 0.5, 1.5, 1.6)] == [False, True, True, False]
        assert as_ball(ball) is ball
        assert 0 < as_ball(sympy.pi).rad() < 1e-30  # far below double precision

    def test_a_comparison_does_not_change_the_working_precision(self):
        flint.ctx.prec = 77
        assert compare(lt(sympy.pi - 3, x), {x: Fraction(15, 100)}).answer is True
        assert flint.ctx.prec == 77


class TestExactPoints:
    """Rational sides that balls cannot tell apart are compared as fractions."""

    @each("third", THIRD, sympy.Rational(1, 3))
    @each(
        "relation, answer",
        (le(3 * x, 1), True),
        (ge(3 * x, 1), True),
        (lt(3 * x, 1), False),
        (gt(3 * x, 1), False),
        (eq(3 * x, 1), True),
        (sympy.Ne(3 * x, 1, evaluate=False), False),
    )
    def test_sides_that_meet(self, relation, answer, third):
        assert compare(relation, {x: third}).answer is answer

    def test_sides_a_hair_apart(self):
        cases = [
            (le(3 * x, 1), False),
            (lt(3 * x, 1), False),
            (ge(3 * x, 1), True),
            (gt(3 * x, 1), True),
            (eq(3 * x, 1), False),
            (sympy.Ne(3 * x, 1, evaluate=False), True),
        ]
        for relation, answer in cases:
            assert compare(relation, {x: ABOVE}).answer is answer

    def test_the_ratio_of_sides_that_nearly_vanish(self):
        cases = [
            (le(3 * x - 1, 6 * x - 2), Fraction(1, 2)),
            (le(6 * x - 2, 3 * x - 1), 2),
            (le(3 * x - 1, 0), 2),
            (lt(0, 3 * x - 1), 0),
            (le(1 - 3 * x, 2 - 6 * x), Fraction(4, 3)),
            (le(2 - 6 * x, 1 - 3 * x), Fraction(2, 3)),
            (le(1 - 3 * x, 0), 0),
        ]
        for relation, ratio in cases:
            assert compare(relation, {x: ABOVE}).ratio == pytest.approx(float(ratio))

    def test_the_ratio_of_sides_that_vanish(self):
        assert compare(le(3 * x - 1, 6 * x - 2), {x: THIRD}).ratio == 1

    def test_an_equation_is_met_or_at_an_infinite_distance(self):
        assert compare(eq(3 * x, 1), {x: THIRD}).ratio == 0
        assert compare(eq(3 * x, 1), {x: ABOVE}).ratio == math.inf

    def test_floats_are_not_taken_for_exact(self):
        assert compare(le(3 * x, y), {x: THIRD, y: 1.0}).answer is None

    def test_irrational_sides_that_meet_stay_undecided(self):
        root = sympy.sqrt(x) + sympy.sqrt(x + 1)
        assert compare(le(root * (root - 1), root**2 - root), {x: 2}).answer is None

    def test_a_rational_side_beside_an_irrational_one(self):
        assert compare(lt(sympy.sqrt(x), 2), {x: 2}).answer is True
        assert compare(lt(2, sympy.sqrt(x)), {x: 2}).answer is False

    def test_huge_powers_are_left_to_balls(self):
        assert compare(le(sympy.exp(x), sympy.exp(3 * x / 3)), {x: 1}).answer is None
        assert compare(le(sympy.log(x), sympy.log(3 * x / 3)), {x: 3}).answer is None


class TestInequalities:
    @each("kind", le, lt, ge, gt)
    def test_touching_balls_decide_nothing(self, kind):
        beside = {x: 1, y: Rounded(2.0, 1.0)}
        assert compare(kind(x, y), beside).answer is None
        assert compare(kind(y, x), beside).answer is None

    @each("kind, answer", (le, True), (lt, False), (ge, True), (gt, False))
    def test_equal_floats_meet(self, kind, answer):
        assert compare(kind(x, y), {x: 0.5, y: 0.5}).answer is answer

    @each("kind", le, lt)
    def test_where_a_side_is_not_finite_the_ratio_says_nothing(self, kind):
        for relation in (kind(1 / x, y), kind(y, 1 / x), eq(1 / x, y), eq(y, 1 / x)):
            found = compare(relation, {x: 0, y: 1})
            assert (found.answer, found.ratio, found.rounding) == (None, None, math.inf)

    def test_the_rounding_of_the_ratio(self):
        found = compare(le(x, y), {x: Rounded(1.0, 0.01), y: 2})
        assert found.ratio == pytest.approx(0.5)
        assert found.rounding == pytest.approx(0.005, rel=1e-6)
        assert compare(le(x, y), {x: 1, y: 2}).rounding == 0

    def test_the_ratio_about_zero(self):
        """Beside a side that is not positive it is 1 plus the relative excess of the smaller."""
        assert compare(le(x, y), {x: 0, y: 0}) == (True, 1, 0)
        assert compare(le(x, y), {x: 1, y: 0}).ratio == 2
        assert compare(le(x, y), {x: -1, y: 0}).ratio == 0
        assert compare(le(x, y), {x: -1, y: -3}).ratio == 1.5
        found = compare(le(x, y), {x: Rounded(-2.0, 0.1), y: -2})
        assert (found.ratio, found.rounding) == (1, pytest.approx(0.025, rel=0.1))

    def test_sides_of_unknown_sign_have_no_ratio(self):
        found = compare(le(x, y), {x: Rounded(0.0, 1.0), y: Rounded(0.0, 1.0)})
        assert (found.answer, found.ratio, found.rounding) == (None, None, math.inf)


class TestEquations:
    def test_the_distance_in_units_of_the_rounding(self):
        found = compare(eq(x, y), {x: 1000, y: Rounded(1001.0, 2.0)})
        assert (found.answer, found.rounding) == (None, 0)
        assert found.ratio == pytest.approx(0.5)

    def test_sides_that_surely_differ(self):
        found = compare(eq(x, y), {x: 1, y: Rounded(3.0, 1.0)})
        assert (found.answer, found.ratio, found.rounding) == (False, math.inf, 0)

    def test_equal_numbers_are_at_no_distance_and_undrowned(self):
        for value in (0, 1, -7):
            found = compare(eq(x, y), {x: value, y: value})
            assert (found.answer, found.ratio, found.rounding) == (True, 0, 0)

    @each("other, answer", (1, False), (2, True))
    def test_an_inequation(self, other, answer):
        assert compare(sympy.Ne(x, y, evaluate=False), {x: 1, y: other}).answer is answer

    def test_an_inequation_of_overlapping_balls(self):
        unequal = sympy.Ne(x, y, evaluate=False)
        assert compare(unequal, {x: 1, y: Rounded(1.0, 1e-9)}).answer is None
        assert compare(unequal, {x: 1, y: Rounded(2.0, 1e-9)}).answer is True

    @each("error, drowned", (10.05, False), (10.2, True))
    def test_a_hundredth_is_a_hundredth(self, error, drowned):
        found = compare(eq(x, y), {x: 1000, y: Rounded(1000.0, error)})
        assert (found.rounding == math.inf) is drowned

    @each("side", 0, 1)
    def test_the_larger_side_says_what_rounding_drowns(self, side):
        pair = [Rounded(0.0, 1.0), Rounded(0.5, 1.0)]
        large = Rounded(1000.0, 1000.0)
        pair[side] = large
        assert compare(eq(x, y), dict(zip((x, y), pair, strict=True))).rounding == math.inf


class TestCompounds:
    sure, false = le(x, 1), le(2, x)
    unknown = le(y, 1)
    point = {x: 0, y: Rounded(1.0, 0.5)}  # noqa: RUF012 - never changed

    def answer(self, connective, *relations):
        return compare(connective(*relations, evaluate=False), self.point).answer

    def test_connectives_have_three_values(self):
        cases = [
            ("sure", "sure", (True, True, True, True)),
            ("sure", "false", (False, True, False, False)),
            ("false", "sure", (False, True, True, False)),
            ("false", "false", (False, False, True, True)),
            ("sure", "unknown", (None, True, None, None)),
            ("unknown", "sure", (None, True, True, None)),
            ("false", "unknown", (False, None, True, None)),
            ("unknown", "false", (False, None, None, None)),
            ("unknown", "unknown", (None, None, None, None)),
        ]
        for one, other, wanted in cases:
            relations = [getattr(self, one), getattr(self, other)]
            if one == other:  # SymPy drops a relation that is written twice
                relations[1] = relations[1].func(relations[1].lhs * 2, relations[1].rhs * 2)
            kinds = (sympy.And, sympy.Or, sympy.Implies, sympy.Equivalent)
            assert tuple(self.answer(kind, *relations) for kind in kinds) == wanted

    @each("relation, answer", (sure, False), (false, True), (unknown, None))
    def test_negations(self, relation, answer):
        assert compare(sympy.Not(relation, evaluate=False), self.point).answer is answer

    def test_parts_that_have_no_ratio_are_passed_over(self):
        both = sympy.And(le(1 / x, 1), le(y, 2), evaluate=False)
        found = compare(both, {x: 0, y: 1})
        assert (found.answer, found.ratio) == (None, 0.5)

    def test_nested_parts_are_compared_as_exactly(self):
        nested = implies(le(3 * x, 1), sympy.And(le(3 * x, 1), ge(3 * x, 1), evaluate=False))
        assert compare(nested, {x: THIRD}).answer is True
        assert compare(iff(le(3 * x, 1), le(1, 3 * x)), {x: ABOVE}).answer is False

    def test_truth_itself(self):
        assert compare(sympy.true, {}).answer is True
        assert compare(sympy.false, {}).answer is False

    def test_what_is_no_relation_is_refused(self):
        with pytest.raises(TypeError, match="no ball arithmetic for the relation"):
            compare(sympy.Xor(le(x, 1), le(y, 1)), {x: 1, y: 1})


class TestMembership:
    @each("opened", False, True)
    def test_a_ball_beside_or_across_an_end(self, opened):
        domain = open_interval(0, 1) if opened else interval(0, 1)
        assert contains(domain, Rounded(2.0, 0.5)) is False
        assert contains(domain, Rounded(-1.0, 0.5)) is False
        assert contains(domain, Rounded(0.5, 0.25)) is True
        assert contains(domain, Rounded(0.0, 0.5)) is None
        for end in (0, 1):
            assert contains(domain, end) is not opened

    @each("value", -(10**9), 0, Fraction(1, 2), Rounded(7.0, 100.0))
    def test_every_number_is_real(self, value):
        assert contains(reals(), value) is True

    def test_a_half_line_to_the_left(self):
        domain = sympy.Interval(-sympy.oo, 2)
        assert [contains(domain, value) for value in (-(10**9), 2, 3)] == [True, True, False]

    def test_the_last_integer_of_a_range_belongs(self):
        assert [contains(integers(2, 4), n) for n in (1, 2, 4, 5)] == [False, True, True, False]

    def test_a_ball_about_integers_outside_of_a_range(self):
        assert contains(integers(4), arb(2, 0.25)) is False
        assert contains(integers(4), arb(2, 1.5)) is None

    def test_other_sets_are_refused(self):
        with pytest.raises(TypeError, match="no membership in"):
            contains(sympy.S.Rationals, 1)


class TestPoints:
    def test_corners_come_first(self):
        box = {y: interval(2, 3), x: interval(0, 1)}
        found = list(points(box))
        assert found[:4] == [{x: a, y: b} for a in (0, 1) for b in (2, 3)]
        assert list(points(box, 0)) == found[:4]

    def test_of_many_corners_sixteen_are_taken(self):
        box = dict.fromkeys(sympy.symbols("a:g"), interval(0, 1))
        assert len(list(points(box, 0))) == 16
        assert len(list(points(box, 5))) == 21

    def test_they_are_the_same_on_every_call(self):
        box = {x: interval(0, 1), y: half_line(0)}
        assert list(points(box)) == list(points(box))

    def test_two_letters_do_not_move_together(self):
        box = {x: interval(0, 1), y: interval(0, 1)}
        assert any(point[x] != point[y] for point in list(points(box))[4:])

    @staticmethod
    def of(domain):
        return {Fraction(str(point[x])) for point in points({x: domain}, 500)}

    def test_a_half_line_is_looked_at_near_its_end_and_far_away(self):
        for start, closed in ((1, True), (1, False), (0, True)):
            found = {value - start for value in self.of(half_line(start, closed=closed))}
            assert {Fraction(1, 1000), Fraction(999, 1000), 1, 2, 3, 10, 100} <= found
            assert (0 in found) is closed

    def test_a_half_line_to_the_left_is_looked_at_the_other_way(self):
        found = self.of(sympy.Interval(-sympy.oo, 2))
        assert {2, 1, -8, -98, Fraction(1999, 1000)} <= found
        assert max(found) == 2

    def test_the_real_line_is_looked_at_on_both_sides(self):
        found = self.of(reals())
        assert {0, 1, -1, 100, -100, Fraction(1, 2), -Fraction(1, 2)} <= found
        assert found == {-value for value in found}

    def test_an_interval_is_looked_at_near_both_ends(self):
        found = self.of(open_interval(1, 3))
        assert {Fraction(501, 500), 2, Fraction(1499, 500)} <= found
        assert found == {4 - value for value in found}

    def test_every_integer_of_a_short_range_is_looked_at(self):
        assert self.of(integers(2, 9)) == set(range(2, 10))

    def test_of_a_long_range_the_ends_and_the_first_dozen_are_looked_at(self):
        assert self.of(integers(3, 40)) == {*range(3, 15), 40}
        assert [point[x] for point in points({x: integers(3, 40)}, 0)] == [3, 40]

    def test_integers_without_end_are_looked_at_far_away(self):
        assert self.of(integers(3)) == {*range(3, 15), 102, 1003}

    def test_all_sets_of_a_union_are_looked_at(self):
        found = self.of(sympy.Union(interval(0, 1), sympy.FiniteSet(7)))
        assert {0, 1, Fraction(1, 2), 7} <= found


class TestUnfolding:
    letters = Letters()
    square = letters.function("unfolding_square", "s", "a square", closed_form=lambda t: t**2)

    def test_relations_among_relations_are_not_evaluated(self):
        relation = implies(le(0, self.square(x)), le(0, self.square(y) + 1))
        assert unfolded(relation) == implies(le(0, x**2), le(0, y**2 + 1))


class TestAsWritten:
    """SymPy would decide these at once, and a statement must stay a statement."""

    @each("kind", eq, le, lt, ge, gt)
    def test_relations_between_numbers(self, kind):
        assert kind(1, 0).args == (1, 0)

    def test_relations_between_relations(self):
        small, large = le(x, 1), gt(x, 1)
        assert both(small) is small
        assert set(both(small, le(0, 1)).args) == {small, le(0, 1)}
        assert implies(small, small).args == (small, small)
        assert implies(large, small).args == (large, small)
        assert set(iff(small, lt(y, 1)).args) == {small, lt(y, 1)}
