"""Exact inputs pass, everything else is refused with the argument, the domain and the value."""

import math
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from symbolic.arguments import (
    BEYOND_ONE,
    CORRELATION,
    OPEN_CORRELATION,
    POSITIVE,
    UNIT,
    choice,
    exact,
    exact_in,
    exact_matrix,
    flag,
    natural,
    pair,
    ranges,
    symbol,
)

X = sympy.Symbol("x", real=True)
NEGATIVE = sympy.Symbol("n", negative=True)


@given(st.fractions())
def test_rationals_arrive_as_they_are(value):
    assert exact(value, "q") == sympy.Rational(value.numerator, value.denominator)
    assert exact(str(value), "q") == exact(value, "q")


@each(
    "value, expected",
    (3, sympy.Integer(3)),
    (np.int64(-2), sympy.Integer(-2)),
    (Decimal("0.1"), sympy.Rational(1, 10)),
    ("1e-3", sympy.Rational(1, 1000)),
    (X + sympy.sqrt(2), X + sympy.sqrt(2)),
)
def test_exact_inputs(value, expected):
    assert exact(value, "q") == expected


@each(
    "value",
    0.5,
    np.float64(0.5),
    math.nan,
    math.inf,
    True,
    1j,
    None,
    [1],
    mpmath.mpf(1),
    b"1",
    sympy.Float(0.5),
    X * sympy.Float(0.5),
    np.array([1]),
)
def test_inexact_inputs_are_type_errors(value):
    with pytest.raises(TypeError, match=r"^q must be"):
        exact(value, "q")


def test_a_float_is_told_how_to_be_exact():
    with pytest.raises(TypeError, match=r'q must be exact, got the float 0.1; write "0.1" .*Fraction'):
        exact(0.1, "q")


@each("value", "one", "nan", "inf", "1/0", sympy.I, sympy.nan, sympy.zoo)
def test_values_that_are_no_real_numbers(value):
    with pytest.raises(ValueError, match=r"^q must be a"):
        exact(value, "q")


@each("value", "1e1000", "-1e1000", "1e-1000", "1E-00001", Decimal("1e20000000"), "1e20000000")
def test_numbers_of_too_many_digits(value):
    with pytest.raises(ValueError, match=r"^q must be a quotient of .* at most 1000 digits, got"):
        exact(value, "q")


@each("value", "1e999", "-1e-999")
def test_numbers_of_the_most_digits(value):
    assert exact(value, "q") == sympy.Rational(Fraction(value))


@each("kind", int, sympy.Integer)
def test_an_integer_too_long_to_print_is_still_named(kind):
    with pytest.raises(ValueError, match=r"^q must be a quotient .* got a .* too long to print"):
        exact_in(kind(10) ** 5000, "q", UNIT)


@each(
    "value, domain, message",
    ("1.000000001", CORRELATION, r"q must lie in \[-1, 1\], got 1.000000001"),
    (Fraction(-3, 2), CORRELATION, r"q must lie in \[-1, 1\], got -3/2"),
    (1, OPEN_CORRELATION, r"q must lie in \(-1, 1\), got 1"),
    (-1, OPEN_CORRELATION, r"q must lie in \(-1, 1\), got -1"),
    (sympy.sqrt(2), UNIT, r"q must lie in \[0, 1\], got sqrt\(2\)"),
    (1, BEYOND_ONE, r"q must lie in \(1, infinity\), got 1"),
    (0, POSITIVE, r"q must lie in \(0, infinity\), got 0"),
    (NEGATIVE, UNIT, r"q must lie in \[0, 1\], got n"),
    (-(X**2) - 2, CORRELATION, "q must lie in"),
)
def test_outside_the_domain(value, domain, message):
    with pytest.raises(ValueError, match=message):
        exact_in(value, "q", domain)


@each(
    "value, domain",
    (1, CORRELATION),
    (-1, CORRELATION),
    (0, UNIT),
    (1, UNIT),
    (X, UNIT),
    (X, BEYOND_ONE),
    (sympy.sqrt(2) / 2, OPEN_CORRELATION),
    (sympy.cos(1) ** 2 + sympy.sin(1) ** 2, UNIT),
)
def test_inside_the_domain(value, domain):
    assert exact_in(value, "q", domain) == sympy.sympify(value)


@each(
    "value, error", (0, ValueError), (-3, ValueError), (1.0, TypeError), (True, TypeError), ("2", TypeError)
)
def test_naturals(value, error):
    assert natural(sympy.Integer(4), "depth") == natural(np.int32(4), "depth") == 4
    assert natural(2, "depth", least=2) == 2
    with pytest.raises(error, match="depth must be an integer at least 1, got"):
        natural(value, "depth")


def test_matrices():
    assert exact_matrix(np.array([[1, 2]]), "m", (1, 2)) == sympy.ImmutableMatrix([[1, 2]])
    with pytest.raises(ValueError, match="rows of equal length"):
        exact_matrix([[1], [1, 2]], "m", (None, None))
    with pytest.raises(ValueError, match=r"m must have shape \(any, 1\), got \(1, 2\)"):
        exact_matrix([[1, 2]], "m", (None, 1))
    with pytest.raises(TypeError, match="m must be exact"):
        exact_matrix([[0.5]], "m", (None, None))
    with pytest.raises(TypeError, match="m must be a matrix"):
        exact_matrix(3, "m", (None, None))


def test_words_flags_symbols_pairs_and_ranges():
    assert choice("a", "part", {"a": 1, "b": 2}) == "a"
    assert choice(sympy.Integer(-1), "rho_end", (-1, 1)) == -1
    assert [flag(value, "prime") for value in (True, False)] == [True, False]
    assert symbol(X, "u") is X
    assert pair((1, "2"), "variances", of="v1, v2") == (1, "2")
    assert (ranges(None, "domain"), ranges({X: UNIT}, "domain")) == ({}, {X: UNIT})


@each(
    "check, value, error",
    (lambda value: choice(value, "q", ["a", "b"]), "c", ValueError),
    (lambda value: choice(value, "q", ["a", "b"]), ["a"], ValueError),
    (lambda value: choice(value, "q", (0, 1)), True, ValueError),
    (lambda value: choice(value, "q", (0, 1)), np.zeros(2), ValueError),
    (lambda value: flag(value, "q"), 1, TypeError),
    (lambda value: symbol(value, "q"), "x", TypeError),
    (lambda value: symbol(value, "q"), X + 1, TypeError),
    (lambda value: pair(value, "q", of="v1, v2"), (1, 2, 3), TypeError),
    (lambda value: pair(value, "q", of="v1, v2"), "12", TypeError),
    (lambda value: ranges(value, "q"), [X], TypeError),
    (lambda value: ranges(value, "q"), {X: (0, 1)}, TypeError),
    (lambda value: ranges(value, "q"), {"x": UNIT}, TypeError),
)
def test_what_is_none_of_these_is_named(check, value, error):
    with pytest.raises(error, match=r"^q must "):
        check(value)
