"""Signs of rational functions on boxes: never wrong, and decided where the method reaches."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Interval, Rational, oo, symbols
from trying import each

from symbolic.nonnegative import nonnegative

x, y = symbols("x y", real=True)
X, Y = symbols("x y", nonnegative=True)
M, n = symbols("m", negative=True), symbols("n", integer=True)
UNIT, HALF_LINE = Interval(0, 1), Interval(0, oo)
coefficients = st.lists(st.integers(-3, 3), min_size=1, max_size=5)


class TestDecisions:
    @each(
        "expression, domain",
        (x - x**3, {x: UNIT}),
        (2 - x, {x: Interval(-1, 2)}),
        (1 / (1 + x) - Rational(1, 2), {x: UNIT}),
        ((1 - x) / (y - 2) + (1 - x), {x: UNIT, y: Interval(3, oo)}),
        (x**2 * y + x, {x: HALF_LINE, y: HALF_LINE}),
        (X**2 * Y + X, {}),
        (x**2 * y**2, {}),
        (-x, {x: Interval(-oo, 0)}),
        (x**4 - x**3, {x: Interval(-oo, 0)}),
        (1 / sympy.sqrt(x) - 1, {x: Interval.Lopen(0, 1)}),
        (sympy.sqrt(x) - x, {x: UNIT}),
        (sympy.exp(x) + sympy.sin(x) ** 2, {}),
        (n - 10, {n: HALF_LINE.intersect(Interval(10, oo))}),
        (x * (1 - x) / (1 - x * y), {x: UNIT, y: Interval.Ropen(0, 1)}),
        (sympy.Integer(0), {}),
        (0 * x / (x - 5), {x: UNIT}),
        (sympy.sqrt(2) - 1 + x, {x: UNIT}),
    )
    def test_true(self, expression, domain):
        assert nonnegative(expression, domain) is True

    @each(
        "expression, domain",
        (x**3 - x, {x: UNIT}),
        (x - Rational(1, 1000), {x: UNIT}),
        (Rational(999, 1000) - x, {x: UNIT}),
        (1 / (x - 2), {x: UNIT}),
        (900 - X, {}),
        (x, {}),
        (M, {}),
        (n - 10, {n: Interval(9, oo)}),
        (x + 5, {x: Interval(-oo, 1)}),
        (x**3, {x: Interval(-oo, oo)}),
        (2 - sympy.sqrt(5), {}),
        ((x - Rational(1, 2)) ** 2 - Rational(1, 100), {x: UNIT}),
    )
    def test_false(self, expression, domain):
        assert nonnegative(expression, domain) is False

    def test_open(self):
        """A zero inside, on a form that no factor shows, is beyond the method."""
        assert nonnegative(x**2 - x * y + y**2) is None

    def test_divided_at_the_zero(self):
        """The same on both sides of the zero is decided."""
        third = Rational(1, 3)
        for part in (Interval(0, third), Interval(third, 1)):
            assert nonnegative((x - third) ** 2, {x: part}) is True

    @each(
        "expression, domain",
        (1 / (1 - x), {x: UNIT}),
        (1 / x, {x: UNIT}),
        (1 / x**2, {}),
        (x / x**2, {x: HALF_LINE}),
        (sympy.I * x, {x: UNIT}),
        (sympy.sqrt(x), {x: Interval(-1, 1)}),
        (sympy.log(x) ** 2, {x: UNIT}),
        (sympy.Function("f")(x) ** 2 + sympy.zoo, {x: UNIT}),
    )
    def test_open_where_a_value_is_missing(self, expression, domain):
        """At an end, or inside, the expression is no real number; elsewhere it is at least 0."""
        assert nonnegative(expression, domain) is None

    def test_a_letter_that_is_not_known_to_be_real(self):
        with pytest.raises(ValueError, match="n needs a domain, or an assumption"):
            nonnegative(x ** symbols("n"), {x: UNIT})

    def test_conditions(self):
        assert nonnegative(1 / (x - y), {x: UNIT, y: UNIT}) is False
        assert nonnegative(1 / (x - y), {x: UNIT, y: UNIT}, [x > y]) is True
        assert nonnegative(1 / (x - y) ** 2, {x: UNIT, y: UNIT}, [sympy.Ne(x, y)]) is True
        assert nonnegative(1 / (x - y) ** 2, {x: UNIT, y: UNIT}) is None


class TestNeverWrong:
    """Against the minimum, from the roots of the derivative."""

    @given(coefficients=coefficients, low=st.integers(-3, 3), length=st.integers(1, 4))
    def test_interval(self, coefficients, low, length):
        domain = {x: Interval(low, low + length)}
        compare(nonnegative(polynomial(coefficients), domain), coefficients, low, low + length)

    @given(coefficients=coefficients, low=st.integers(-2, 2))
    def test_half_line(self, coefficients, low):
        # Beyond 4, which exceeds all roots (Cauchy), the sign is that of the leading term.
        domain = {x: Interval(low, oo)}
        compare(nonnegative(polynomial(coefficients), domain), coefficients, low, 2000)


def polynomial(coefficients):
    return sympy.Add(*(c * x**k for k, c in enumerate(coefficients)))


def compare(answer, coefficients, low, high):
    p = np.polynomial.Polynomial(coefficients)
    turns = [root.real for root in p.deriv().roots() if low <= root.real <= high]
    lowest = min(p(one) for one in (low, high, *turns))
    # Sums of at most 5 products.
    rounding = 1e-15 * sum(abs(c) * max(abs(low), abs(high)) ** k for k, c in enumerate(coefficients))
    assert answer is not True or lowest >= -rounding
    assert answer is not False or lowest < rounding
