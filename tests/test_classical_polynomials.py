"""Signs of polynomials: an answer agrees with values at points, and easy cases are decided."""

import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theorems.classical.polynomials import nonnegative

x, y = sp.symbols("x y")
coefficients = st.lists(st.fractions(-3, 3, max_denominator=4), min_size=6, max_size=6)
points = st.tuples(*[st.fractions(0, 5, max_denominator=8)] * 2)
MONOMIALS = (1, x, y, x * y, x**2, y**3)


def polynomial(numbers):
    return sum(sp.Rational(c) * m for c, m in zip(numbers, MONOMIALS, strict=True))


@given(coefficients, points)
def test_yes_means_no_negative_value(numbers, point):
    expression = polynomial(numbers)
    if nonnegative(expression):
        assert expression.subs({x: sp.Rational(point[0]), y: sp.Rational(point[1])}) >= 0


@given(coefficients)
def test_no_means_a_negative_value(numbers):
    expression = polynomial(numbers)
    corners = [expression.subs({x: i, y: j}) for i in (0, 1) for j in (0, 1)]
    assert (nonnegative(expression) is False) == any(value < 0 for value in corners)


@given(coefficients)
def test_coefficients_without_signs_decide(numbers):
    expression = polynomial([abs(c) for c in numbers])
    assert nonnegative(expression) is True
    assert nonnegative(expression / (1 + x)) is True
    assert nonnegative(-expression - 1) is False


def test_what_is_not_decided():
    assert nonnegative(x**2 - 3 * x + sp.Rational(9, 4)) is None
    assert nonnegative((x - 2) ** 2 - sp.Rational(1, 2)) is None
    assert nonnegative(sp.pi * x - 3 * x) is True
    assert nonnegative(sp.Integer(-1)) is False
    assert nonnegative(0) is True
