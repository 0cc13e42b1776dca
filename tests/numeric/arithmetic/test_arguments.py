"""The checks of what callers of ``numeric`` pass in, each by itself."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from trying import each

from numeric.arguments import (
    MOST_BITS,
    MOST_DIGITS,
    closed,
    decimal_digits,
    exact_array,
    exact_number,
    flag,
    identifier,
    integer,
    left_open,
    one_of,
    open_interval,
    pair,
    positive_integer,
    precision_bits,
    real_array,
    real_number,
    right_open,
    sentence,
    sequence,
    written_fraction,
)


def test_ends_of_intervals():
    belongs = {closed: (True, True), open_interval: (False, False)}
    belongs |= {left_open: (False, True), right_open: (True, False)}
    for make, (has_lower, has_upper) in belongs.items():
        interval = make(-1, 2)
        assert (-1 in interval, 0 in interval, 2 in interval) == (has_lower, True, has_upper)
        outside = interval.outside(np.array([-1.1, -1, 0, 2, 2.1, np.nan]))
        assert outside.tolist() == [True, not has_lower, False, not has_upper, True, True]
    assert [str(make(0, math.inf)) for make in belongs] == [
        "[0, infinity)", "(0, infinity)", "(0, infinity)", "[0, infinity)",
    ]  # fmt: skip


def test_shapes():
    assert real_array("m", [[1.0, 2], [3, 4]], shape=("n", "n")).shape == (2, 2)
    assert real_array("m", np.zeros((0, 3)), shape=("n", 3)).shape == (0, 3)
    with pytest.raises(ValueError, match=r"m must have shape \(n, n\), got shape \(2, 3\)"):
        real_array("m", np.zeros((2, 3)), shape=("n", "n"))
    with pytest.raises(ValueError, match=r"v must have shape \(3,\), got shape \(2,\)"):
        real_array("v", [1, 2], shape=(3,))
    with pytest.raises(ValueError, match=r"v must have shape \(n,\), got shape \(\)"):
        real_array("v", 1, shape=("n",))


def test_shapes_with_leading_axes():
    squares = ("...", "n", "n", 2)
    for shape in ((3, 3, 2), (4, 3, 3, 2), (5, 4, 0, 0, 2)):
        assert real_array("m", np.zeros(shape), shape=squares).shape == shape
    for shape in ((), (2,), (3, 2), (3, 4, 2), (3, 3, 3)):
        with pytest.raises(ValueError, match=r"m must have shape \(\.\.\., n, n, 2\), got"):
            real_array("m", np.zeros(shape), shape=squares)


def test_exact_arrays():
    found = exact_array("m", [["0.1", mpmath.mpf(-0.75)], [mpmath.mpf(6), 1.5]], ("n", "n"))
    assert found.tolist() == [[Fraction(1, 10), Fraction(-3, 4)], [6, Fraction(3, 2)]]
    assert all(type(entry) is Fraction for entry in found.flat)
    assert exact_array("v", [], shape=("n",)).shape == (0,)
    with pytest.raises(ValueError, match=r"m must have shape \(n, n\), got shape \(2,\)"):
        exact_array("m", [[1, 2], [3]], shape=("n", "n"))
    with pytest.raises(ValueError, match="v must be a decimal number"):
        exact_array("v", ["0.1", "x"], shape=("n",))


def test_integers():
    assert positive_integer("n", np.int64(3)) == 3
    assert integer("n", 0, least=0) == 0
    with pytest.raises(ValueError, match="n must be an integer of at least 2, got 1"):
        integer("n", 1, least=2)
    for value in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match="n must be a positive integer, got "):
            positive_integer("n", value)
    assert [integer("n", n, 2, 4) for n in (2, 4)] == [2, 4]
    for n in (1, 5):
        with pytest.raises(ValueError, match=rf"n must be an integer in \[2, 4\], got {n}"):
            integer("n", n, 2, 4)


def test_the_largest_digits_and_bits():
    # 10^n is the smallest number of n + 1 digits.
    assert (10**MOST_DIGITS).bit_length() == MOST_BITS
    assert decimal_digits(MOST_DIGITS) == MOST_DIGITS
    assert (precision_bits(16), precision_bits(MOST_BITS)) == (16, MOST_BITS)
    for prec in (15, MOST_BITS + 1):
        with pytest.raises(ValueError, match=rf"prec must be an integer in \[16, .*, got {prec}"):
            precision_bits(prec)


def test_words_flags_and_sequences():
    assert one_of("word", "a", {"a": 1}) == "a"
    assert [flag("strict", value) for value in (True, np.False_)] == [True, False]
    assert identifier("variable", "delta") == "delta"
    assert sentence("vanishing", "by symmetry") == "by symmetry"
    assert sequence("breaks", range(2), of="numbers") == (0, 1)
    assert sequence("breaks", np.array([0.5]), of="numbers") == (0.5,)
    assert pair("breaks", [(), (1,)], of="two") == ((), (1,))


@each(
    "check, value, error",
    (lambda value: one_of("x", value, ["a"]), "b", ValueError),
    (lambda value: one_of("x", value, ["a"]), ["a"], ValueError),
    (lambda value: flag("x", value), 1, TypeError),
    (lambda value: identifier("x", value), "a b", TypeError),
    (lambda value: identifier("x", value), 0, TypeError),
    (lambda value: sentence("x", value), 0, TypeError),
    (lambda value: sequence("x", value, of="words"), "ab", TypeError),
    (lambda value: sequence("x", value, of="words"), b"ab", TypeError),
    (lambda value: sequence("x", value, of="numbers"), {1}, TypeError),
    (lambda value: sequence("x", value, of="numbers"), np.array(1), TypeError),
    (lambda value: pair("x", value, of="1, 2"), [1], TypeError),
    (lambda value: pair("x", value, of="1, 2"), 1, TypeError),
    (lambda value: written_fraction("x", value), "1e100000", ValueError),
    (lambda value: written_fraction("x", value), "1E-0000001", ValueError),
    (lambda value: written_fraction("x", value), "1/0", ValueError),
    (lambda value: written_fraction("x", value), "pi", ValueError),
)
def test_what_is_none_of_these_is_named(check, value, error):
    with pytest.raises(error, match=r"^x must "):
        check(value)


def test_written_fractions():
    texts = ("1/3", "-0.5", "1e3", "2E-3", "1e99999")
    expected = [Fraction(1, 3), Fraction(-1, 2), 1000, Fraction(1, 500), 10**99999]
    assert [written_fraction("x", text) for text in texts] == expected


def test_exact_numbers():
    third = Fraction(1, 3)
    assert exact_number("x", sympy.Rational(1, 3)) == third
    assert exact_number("x", np.float32(0.1)) == Fraction(13421773, 2**27)
    assert exact_number("x", "-1.5E-3") == Fraction(-3, 2000)
    assert exact_number("x", ".5") == exact_number("x", "+0.5") == Fraction(1, 2)
    assert real_number("x", sympy.Rational(1, 3)) == 1 / 3
