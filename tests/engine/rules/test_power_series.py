"""Sums of power series by their differential equations, and sums that are not taken."""

import pytest
import sympy as sp
from sympy import Interval, Rational, Symbol, exp, factorial, log, sqrt
from trying import each

from theorems.engine.rules import NotProved
from theorems.engine.rules.power_series import sum_of_series

t = Symbol("t", nonnegative=True)
q = Symbol("q", integer=True)
a = Symbol("a", positive=True)
RANGES = {t: Interval(0, sp.oo), a: Interval.open(0, sp.oo)}
ODD = factorial(2 * q) / (2**q * factorial(q) ** 2)  # (2q - 1)!!/q!

SUMS = [
    (1 / factorial(q), 0, exp(t), sp.true),
    (1 / factorial(q + 2), 2, exp(t) - 1 - t, sp.true),
    (a**q / factorial(q + 2), 2, (exp(a * t) - 1 - a * t) / a**2, sp.true),
    (sp.S.One, 0, 1 / (1 - t), t < 1),
    (a**q, 2, t**2 / (1 - a * t), a * t < 1),
    (q + 1, 1, t / (1 - t) ** 2, t < 1),
    (1 / (q + 1), 1, -log(1 - t), t < 1),
    ((-1) ** q / (q + 1), 1, log(1 + t), t < 1),
    (ODD, 0, 1 / sqrt(1 - 2 * t), 2 * t < 1),
    (a**q * ODD, 0, 1 / sqrt(1 - 2 * a * t), 2 * a * t < 1),
    ((-1) ** q, 0, 1 / (1 + t), t < 1),
]


def found(coefficient, start, value):
    return sum_of_series(coefficient, q, start, t, value, over=RANGES)


@each("coefficient, start, value, where", *SUMS)
def test_sums(coefficient, start, value, where):
    """The conditions are those of the circle of convergence, and partial sums come near."""
    converges, trusted = found(coefficient, start, value)
    assert converges == where
    assert "textbook" in {one.kind for one in trusted}
    point = {t: Rational(1, 10), a: Rational(3, 2)}
    near = sum((coefficient * t ** (q + start)).subs(q, k).subs(point) for k in range(30))
    assert abs(sp.N(value.subs(point) - near)) < 1e-9


@each("coefficient, start, value, where", *SUMS)
def test_whatever_is_a_little_off_is_no_sum(coefficient, start, value, where):
    """Multiples, other terms, another start, and what vanishes to every order but one."""
    off = [2 * value, value + t ** (start + 1), value + 1, value + t**5, value.subs(t, 2 * t)]
    for wrong in [*off, value * (1 + t), value - coefficient.subs(q, 0) * t**start]:
        with pytest.raises((NotProved, ValueError)):
            found(coefficient, start, wrong)
    for other in (coefficient * (q + 2), coefficient / 2, coefficient.subs(q, q + 1) * (1 + a)):
        with pytest.raises((NotProved, ValueError)):
            found(other, start, value)


@each(
    "coefficient, value, why",
    (factorial(q), t, "converges nowhere"),
    (1 / factorial(q) + 1, exp(t) + 1 / (1 - t), "must be rational"),
    (2 ** (q**2), t, "must be rational"),
    (1 / (q - 5), t, "must be positive"),
)
def test_coefficients_without_a_recursion(coefficient, value, why):
    with pytest.raises(ValueError, match=why):
        found(coefficient, 0, value)


@each("flat", exp(-1 / t), sqrt(t) ** 7, sp.Abs(t - 1), sp.Max(t, 1) - 1)
def test_what_is_not_analytic_is_no_power_series(flat):
    """exp(-1/t) has the same derivatives at 0 as nothing has."""
    with pytest.raises((NotProved, ValueError)):
        found(1 / factorial(q), 0, exp(t) + flat)


class TestAttempts:
    """Wrong sums that solve the equation of the series, or would if a letter were another."""

    def test_coefficients_with_the_letter(self):
        """t^(2q)/q! adds up to exp(t^2), and exp(t^2/2) solves the equation with t held fixed."""
        with pytest.raises(ValueError, match="must not depend on t"):
            found(t**q / factorial(q), 0, exp(t**2 / 2))

    def test_a_sum_with_the_index(self):
        with pytest.raises(ValueError, match="nor the sum on q"):
            found(1 / factorial(q), 0, exp(t) + q)

    def test_another_branch_beyond_a_point_where_it_is_not_analytic(self):
        """The quotient is 1 up to t = 1/2 and -1 from there, so that -1/(1 - t/10) is no sum."""
        turned = sqrt(1 - 4 * t + 4 * t**2) / (1 - 2 * t) / (1 - t / 10)
        with pytest.raises((NotProved, ValueError)):
            sum_of_series(Rational(1, 10) ** q, q, 0, t, turned, over={t: Interval(1, 2)})
        right = sum_of_series(Rational(1, 10) ** q, q, 0, t, 1 / (1 - t / 10), over={t: Interval(1, 2)})
        assert right[0] == (t / 10 < 1)

    def test_a_letter_that_is_called_like_the_index_of_the_rule(self):
        place = Symbol("place", integer=True, nonnegative=True)
        ranges = {**RANGES, place: sp.Range(1, sp.oo)}
        converges, _ = sum_of_series(place / factorial(q), q, 0, t, place * exp(t), over=ranges)
        assert converges == sp.true
        with pytest.raises((NotProved, ValueError)):
            sum_of_series(place / factorial(q), q, 0, t, t * exp(t), over=ranges)
