"""The float64 building blocks of the cosine maps, one by one, against mpmath."""

from fractions import Fraction

import mpmath
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from numeric.arcsine import (
    arcsine,
    complement,
    double_gap,
    piecewise,
    product,
    relative_gap,
    relative_gap_of_root,
    slope_gap,
)

HALF_UNIT = 2.0**-53  # the relative error of one rounding


def sample(low, high):
    """Points of [low, high], its ends and small ones among them."""
    random = np.random.default_rng(13)
    small = high * 10 ** random.uniform(-12, 0, 200)
    points = np.concatenate([random.uniform(low, high, 300), np.maximum(small, low), [low, high]])
    return points[points != 0]


def exact_gap(z):
    t = 2 * mpmath.asin(mpmath.sqrt(z))
    return (mpmath.sin(t) - t * mpmath.cos(t)) / mpmath.pi


def worst(found, function, points):
    """The largest relative error, in half units."""
    with mpmath.workdps(60):
        errors = (
            abs(mpmath.mpf(value) / function(mpmath.mpf(point)) - 1)
            for value, point in zip(found, points, strict=True)
        )
        return float(max(errors)) / HALF_UNIT


@given(st.floats(-2, 2), st.floats(-2, 2))
def test_product_is_exact(x, y):
    # Of numbers so small that the rounding error underflows nothing is promised.
    if x == 0 or y == 0 or abs(x * y) > 1e-280:
        for second in (np.array([y]), y):
            rounded, rest = product(np.array([x]), second)
            assert rounded[0] == x * y
            assert Fraction(rounded[0]) + Fraction(rest[0]) == Fraction(x) * Fraction(y)
    square, rest = product(*[np.array([1 + x])] * 2)
    assert Fraction(square[0]) + Fraction(rest[0]) == Fraction(1 + x) ** 2


def test_slope_gap_has_more_digits_than_a_float():
    points = sample(0, 0.25)
    leading, rest = slope_gap(points)
    with mpmath.workdps(60):
        both = [mpmath.mpf(a) + mpmath.mpf(b) for a, b in zip(leading, rest, strict=True)]
    # What is left are roundings of the tail, which is at most 1/20 of the whole.
    assert worst(both, lambda z: 4 / mpmath.pi * mpmath.asin(mpmath.sqrt(z)), points) < 0.2


def test_slope_gap_of_tiny_numbers():
    leading, rest = slope_gap(np.array([0.0, 5e-324, 1e-250]))
    assert leading[0] == rest[0] == 0
    assert np.all(np.abs(rest) <= 2.0**-50 * leading)


@each("sign", 1, -1)
def test_arcsine(sign):
    points = sign * sample(0, 0.5)
    # One rounding each of the sum in the parentheses and of the product.
    assert worst(arcsine(points), lambda r: 2 / mpmath.pi * mpmath.asin(r), points) < 2.5


def test_relative_gap_on_both_ranges():
    for high, found in (
        (0.25, relative_gap),
        (1 / 32, lambda z: relative_gap_of_root(np.sqrt(z), z, 1 / 32)),
    ):
        points = sample(0, high)
        # A root, two products, a sum and two constants: at most six roundings.
        assert worst(found(points), lambda z: exact_gap(z) / z, points) < 6


def test_complement_and_double_gap():
    points = sample(0, 0.5)
    assert worst(complement(points), lambda z: z - exact_gap(z), points) < 6
    cosines = np.concatenate([sample(0, 1)[:-1], 1 - sample(0, 1)[:-1]])
    assert worst(double_gap(cosines), lambda r: 2 * exact_gap((1 - r) / 2), cosines) < 6


def test_values_at_the_centre_are_rounded_correctly():
    with mpmath.workdps(40):
        assert complement(np.array([0.5]))[0] == float(mpmath.mpf(1) / 2 - 1 / mpmath.pi)
        assert double_gap(np.array([0.0]))[0] == float(2 / mpmath.pi)


def test_piecewise_asks_each_formula_where_it_holds():
    def double(x):
        assert np.all(x < 0.5)
        return 2 * x

    def half(x):
        assert np.all(x >= 0.5)
        return x / 2

    for points in ([0.1, 0.9, 0.2, 0.5], [0.1, 0.2], [0.7], []):
        x = np.array(points)
        expected = np.where(x < 0.5, 2 * x, x / 2)
        assert np.array_equal(piecewise(x < 0.5, double, half, x), expected)
