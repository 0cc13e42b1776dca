"""Relations in ball arithmetic: never a wrong answer, and None where balls overlap."""

from fractions import Fraction

import pytest
import sympy
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from theorems.engine import Letters, Rounded, eq, ge, gt, half_line, iff, implies, integers, interval, le, lt
from theorems.engine.statements.values import as_ball, compare, contains, points, unfolded

x, y = sympy.symbols("x y", real=True)
EXACT = st.fractions(min_value=-5, max_value=5, max_denominator=12)


@given(EXACT, EXACT)
def test_exact_comparisons_agree_with_fractions(a, b):
    point = {x: a, y: b}
    assert compare(lt(x, y), point).answer is (a < b)
    assert compare(gt(x, y), point).answer is (a > b)
    assert compare(le(x, y), point).answer is (a <= b)
    assert compare(ge(x, y), point).answer is (a >= b)
    assert compare(eq(x, y), point).answer is (a == b)
    assert compare(implies(lt(x, y), le(x, y)), point).answer is True
    assert compare(iff(lt(x, y), gt(y, x)), point).answer is True


@given(EXACT, EXACT, st.floats(0, 3))
def test_rounded_values_never_decide_wrongly(a, b, error):
    found = compare(le(x, y), {x: Rounded(float(a), error + 1e-9), y: b}).answer
    assert found is not (not a <= b) or found is None


def test_the_ratio_of_a_conjunction_is_that_of_the_part_nearest_to_failing():
    chain = sympy.And(le(x, 4), le(x, y), le(x, 8), evaluate=False)
    assert compare(chain, {x: 1, y: 2}).ratio == 0.5


class TestFunctionsOfThePaper:
    letters = Letters()
    square = letters.function("square", "s", "a square", closed_form=lambda t: t**2)
    unknown = letters.function("unknown", "u", "a function without a closed form")

    def test_they_are_evaluated_by_their_closed_forms(self):
        assert compare(le(self.square(x), y), {x: 3, y: 9}).answer is True
        assert compare(le(self.square(x), y), {x: 3, y: 8}).answer is False

    def test_one_inside_of_another(self):
        assert unfolded(self.square(1 + self.square(x))) == (1 + x**2) ** 2

    def test_a_relation_that_is_clear_once_unfolded_still_has_two_sides(self):
        relation = unfolded(le(0, self.square(x)))
        assert (relation.lhs, relation.rhs) == (0, x**2)

    def test_one_without_a_closed_form_stays(self):
        assert unfolded(self.square(self.unknown(x))) == self.unknown(x) ** 2
        assert unfolded(self.unknown(x)) == self.unknown(x)


@each("value", True, "1", None, float("nan"), float("inf"), [1])
def test_what_is_no_number_is_refused(value):
    with pytest.raises((TypeError, ValueError)):
        as_ball(value)


@each("value", (float("nan"), 0.1), (1.0, -1.0), (1.0, float("inf")))
def test_a_rounded_number_is_finite(value):
    with pytest.raises(ValueError, match="finite"):
        Rounded(*value)


DOMAINS = [
    interval(0, 1), interval(-1, 1), sympy.Interval.open(0, 1), half_line(0),
    half_line(0, closed=False), integers(2), integers(0, 3), sympy.S.Reals,
    sympy.Interval.Ropen(-2, 5), sympy.FiniteSet(1, 4),
]  # fmt: skip


@each("domain", *DOMAINS)
def test_points_lie_in_their_domain_and_include_closed_ends(domain):
    found = [point[x] for point in points({x: domain})]
    assert found
    assert all(domain.contains(value) == True for value in found)  # noqa: E712 - SymPy's truth
    assert all(contains(domain, value) is True for value in found)
    for end in (domain.inf, domain.sup):
        if end.is_finite and domain.contains(end) == True:  # noqa: E712
            assert end in found


def test_membership_is_three_valued():
    cases = [
        (interval(0, 1), Rounded(1.0, 1e-9), None),
        (interval(0, 1), Rounded(0.5, 1e-9), True),
        (interval(0, 1), Fraction(101, 100), False),
        (integers(1), 3, True),
        (integers(1), 0, False),
        (integers(1), Fraction(3, 2), False),
        (half_line(0, closed=False), 0, False),
        (half_line(0), arb(0, 1e-9), None),
        (integers(1), arb(3, 0.25), None),
        (integers(1), arb(3.5, 0.25), False),
        (integers(4), arb(3.5, 0.25), False),
        (sympy.Union(interval(0, 1), interval(2, 3)), 2, True),
        (sympy.Union(interval(0, 1), interval(2, 3)), Fraction(3, 2), False),
        (sympy.Union(interval(0, 1), interval(2, 3)), Rounded(3.0, 1e-9), None),
        (sympy.FiniteSet(1, 4), 4, True),
        (sympy.FiniteSet(1, 4), 2, False),
        (sympy.FiniteSet(1, 4), Rounded(4.0, 1e-9), None),
    ]
    for domain, value, inside in cases:
        assert contains(domain, value) is inside
