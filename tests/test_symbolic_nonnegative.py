"""Signs of rational functions on boxes: never wrong, and decided where the method reaches."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Interval, Rational, oo, symbols

from symbolic.nonnegative import nonnegative

x, y = symbols("x y", real=True)
UNIT = Interval(0, 1)
coefficients = st.lists(st.integers(-3, 3), min_size=1, max_size=5)


class TestDecisions:
    @pytest.mark.parametrize(
        ("expression", "domain"),
        [
            (x - x**3, {x: UNIT}),
            (2 - x, {x: Interval(-1, 2)}),
            (1 / (1 + x) - Rational(1, 2), {x: UNIT}),
            ((1 - x) / (y - 2) + (1 - x), {x: UNIT, y: Interval(3, oo)}),
            (x**2 * y + x, {}),
            (sympy.Integer(0), {}),
            (0 * x / (x - 5), {x: UNIT}),
            (sympy.sqrt(2) - 1 + x, {x: UNIT}),
        ],
    )
    def test_true(self, expression, domain):
        assert nonnegative(expression, domain) is True

    @pytest.mark.parametrize(
        ("expression", "domain"),
        [
            (x**3 - x, {x: UNIT}),
            (x - Rational(1, 1000), {x: UNIT}),
            (Rational(999, 1000) - x, {x: UNIT}),
            (1 / (x - 2), {x: UNIT}),
            (900 - x, {}),
            (2 - sympy.sqrt(5), {}),
            ((x - Rational(1, 2)) ** 2 - Rational(1, 100), {x: UNIT}),
        ],
    )
    def test_false(self, expression, domain):
        assert nonnegative(expression, domain) is False

    def test_open(self):
        """A double zero inside is beyond the method, and no point is negative."""
        assert nonnegative((x - Rational(1, 3)) ** 2 / (1 + x), {x: UNIT}) is None

    def test_divided_at_the_zero(self):
        """The same on both sides of the zero is decided."""
        third = Rational(1, 3)
        for part in (Interval(0, third), Interval(third, 1)):
            assert nonnegative((x - third) ** 2, {x: part}) is True

    @pytest.mark.parametrize("domain", [{x: Interval(-oo, 1)}, {x: Interval(-oo, oo)}])
    def test_no_lower_end(self, domain):
        with pytest.raises(ValueError, match="domain must bound x from below"):
            nonnegative(x, domain)

    @pytest.mark.parametrize(
        "expression", [sympy.sqrt(x), sympy.sin(x), sympy.I * x, x ** symbols("n")]
    )
    def test_no_rational_function(self, expression):
        with pytest.raises(ValueError, match="expression must"):
            nonnegative(expression, {x: UNIT})


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
    rounding = 1e-15 * sum(
        abs(c) * max(abs(low), abs(high)) ** k for k, c in enumerate(coefficients)
    )
    assert answer is not True or lowest >= -rounding
    assert answer is not False or lowest < rounding
