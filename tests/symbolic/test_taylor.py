"""Taylor coefficients by truncated series, beside derivatives one by one."""

import pytest
import sympy
from sympy import Rational, S, Symbol, asin, atan, cos, exp, log, pi, sin, sqrt

from symbolic.taylor import taylor_coefficients

X, Z = Symbol("x"), Symbol("z")


@pytest.mark.parametrize("point", [S.Zero, Rational(1, 3), pi / 6])
@pytest.mark.parametrize(
    "expression",
    [
        Z * asin(X) ** 2 - X * sqrt(1 - X**2) + pi,
        exp(X * Z) / (2 + sin(X)) ** 3,
        log(1 + X**2) * cos(2 * X) - atan(X) ** 3,
        (1 - X**2) ** Rational(-3, 2) + 2 * X**4,
    ],
)
def test_coefficients_are_derivatives(expression, point):
    found = taylor_coefficients(expression, X, point, 5)
    for k, value in enumerate(found):
        expected = sympy.diff(expression, X, k).subs(X, point) / sympy.factorial(k)
        gap = (value - expected).subs(Z, Rational(3, 7))
        assert abs(sympy.N(gap, 50)) < 1e-40, (k, value)


def test_zeros_of_high_order_are_exact():
    beginning = X - X**3 / 6 + X**5 / 120
    assert taylor_coefficients(sin(X) - beginning, X, S.Zero, 8) == [0] * 7 + [-Rational(1, 5040)]


@pytest.mark.parametrize(
    "expression", [sqrt(X), log(X), 1 / X, asin(1 + X), abs(X), X * log(X), 2**X, sympy.gamma(X)]
)
def test_no_coefficients_where_there_is_no_rule_or_a_singularity(expression):
    assert taylor_coefficients(expression, X, S.Zero, 3) is None
