"""Balls contain what they should and hardly more."""

from fractions import Fraction

import pytest
from certify_cases import ratio
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from trying import each

from numeric.arguments import REAL, closed
from numeric.balls import (
    acos_clipped,
    asin_clipped,
    ball,
    by_slope,
    hull,
    monotone_enclosure,
    sine_of,
    sqrt_nonnegative,
    working_precision,
)

wide = fractions(-100, 100, max_denominator=10**6)


@given(wide, wide)
def test_hulls_contain_and_hardly_exceed_the_interval(a, b):
    lower, upper = (fmpq(x.numerator, x.denominator) for x in sorted((a, b)))
    with working_precision(300):  # enough for the exact ends of the ball
        ball = hull(lower, upper)
        left, right = ball.lower().fmpq(), ball.upper().fmpq()
    assert left <= lower
    assert right >= upper
    # The radius is rounded up in its 30th bit, and up to 2^-299 of the midpoint is lost.
    assert lower - left <= (upper - lower) * fmpq(1, 2**28) + fmpq(1, 2**250)
    assert right - upper <= (upper - lower) * fmpq(1, 2**28) + fmpq(1, 2**250)


@given(st.integers(-1000, 1000), st.integers(1, 1000), st.integers(0, 40))
def test_hulls_of_short_binary_numbers_are_exact(start, length, shift):
    lower = fmpq(start, 2**shift)
    upper = lower + fmpq(length, 2**shift)
    ball = hull(lower, upper)
    assert (ball.lower().fmpq(), ball.upper().fmpq()) == (lower, upper)


@each(
    "clipped, plain, inside, end",
    (sqrt_nonnegative, arb.sqrt, "1/100", "0"),
    (asin_clipped, arb.asin, "0.99", "1"),
    (asin_clipped, arb.asin, "-0.99", "-1"),
    (acos_clipped, arb.acos, "0.99", "1"),
    (acos_clipped, arb.acos, "-0.99", "-1"),
)
def test_clipped_functions_at_the_end_of_their_domain(clipped, plain, inside, end):
    straddling = hull(fmpq(99, 100), fmpq(101, 100)) - 1 + ratio(end)
    assert plain(straddling).is_nan()
    result = clipped(straddling)
    assert result.is_finite()
    assert result.contains(plain(ratio(end)))
    assert result.contains(plain(ratio(inside)))
    # Twice the range on the part inside: the clipped part adds nothing.
    assert result.rad() < abs(plain(ratio(inside)) - plain(ratio(end)))
    exact = clipped(ratio(inside))
    assert exact.overlaps(plain(ratio(inside)))
    assert exact.rad() < 1e-14
    assert clipped(arb.nan()).is_nan()
    assert not clipped(arb(0, "inf")).is_finite()


@each("clipped, outside", (sqrt_nonnegative, -1), (asin_clipped, 2), (asin_clipped, -2), (acos_clipped, 2))
def test_clipped_functions_reject_what_misses_the_domain(clipped, outside):
    with pytest.raises(ValueError, match=r"the argument of \w+ must lie in"):
        clipped(arb(outside, 0.5))


def test_monotone_enclosures_do_not_blow_up():
    """Forty-fold sine of [1, 2] in one ball: plain evaluation only sees [-1, 1]."""

    def iterate(x):
        for _ in range(40):
            x = x.sin() + x / 2
        return x

    box = hull(fmpq(1, 4), fmpq(1, 2))  # the map increases there, towards its fixed point
    tight = monotone_enclosure(iterate, box)
    for k in range(9):
        assert tight.contains(iterate(ratio(Fraction(1, 4) + Fraction(k, 32))).mid())
    assert 1000 * tight.rad() < iterate(box).rad()
    assert monotone_enclosure(iterate, arb.nan()).is_nan()


@given(st.floats(-2, 2), st.floats(0, 1))
def test_enclosures_of_monotone_functions_are_tight(middle, radius):
    value = arb(middle, radius)
    image = monotone_enclosure(lambda x: x**3, value, REAL)
    low, high = Fraction(middle) - Fraction(radius), Fraction(middle) + Fraction(radius)
    assert image.overlaps(ball(low**3))
    assert image.overlaps(ball(high**3))
    # Radii are rounded up to 30 bits, twice, and x^3 is 27-Lipschitz on [-3, 3].
    assert image.rad() <= float(high**3 - low**3) / 2 + 2 * 27 * 2.0**-29


@each("enclose", "ends", "slope")
def test_one_number_is_evaluated_once(enclose):
    """A number, exact or rounded; also one where the function loses all of its digits, if exact."""
    calls = []

    def cube(x):
        calls.append(x)
        return x**3 - 1

    for value, times in ((arb(1), 1), (arb(0.5), 1), (ratio("0.3"), 1), (arb(0.5, 0.25), 2)):
        calls.clear()
        if enclose == "ends":
            image = monotone_enclosure(cube, value, closed(-2, 2))
        else:
            image = by_slope(cube, lambda x: 3 * x * x, value, closed(-2, 2))
        assert image.overlaps(value.mid() ** 3 - 1)
        assert len(calls) <= times


@given(st.floats(-2, 2), st.floats(0, 1), st.floats(-1, 1))
def test_enclosure_by_slope(middle, radius, place):
    value = arb(middle, radius)
    image = by_slope(lambda x: x**2 - x, lambda x: 2 * x - 1, value, closed(-2, 2))
    point = min(max(Fraction(middle) + Fraction(radius) * Fraction(place), -2), 2)
    assert image.overlaps(ball(point * point - point))
    # |slope| <= 5 on [-2, 2]; radii are rounded up to 30 bits, at most four times.
    assert image.rad() <= 5 * (radius + 4 * 2.0**-29)


@each("sign", 1, -1)
def test_enclosure_by_slope_is_tight_where_the_slope_keeps_its_sign(sign):
    # The image of [0, 1/2] under x + x^2 is [0, 3/4]; the mean value form gives [-3/16, 13/16].
    value = arb(0.25, 0.25)
    image = by_slope(lambda x: sign * (x + x**2), lambda x: sign * (1 + 2 * x), value, REAL)
    assert image.rad() <= 0.375 + 4 * 2.0**-29


@each("rho", "-1", "-0.6", "0", "0.28", "1")
def test_sines(rho):
    squares = {"-1": 0, "-0.6": "0.64", "0": 1, "0.28": "0.9216", "1": 0}
    assert sine_of(ratio(rho)).overlaps(ratio(squares[rho]).sqrt())
    assert sine_of(ratio(rho)).rad() < 1e-7
    assert sine_of(ratio(rho) + arb(0, 0.01)).contains(ratio(squares[rho]).sqrt())


def test_sines_of_wide_balls_are_tight():
    # Over [0.28, 0.6] the sine falls from 0.96 to 0.8; over [-0.6, 0.28] it reaches 1.
    down = sine_of(hull(fmpq(7, 25), fmpq(3, 5)))
    assert abs(down.rad() - 0.08) < 1e-8
    around = sine_of(hull(fmpq(-3, 5), fmpq(7, 25)))
    assert abs(around.rad() - 0.1) < 1e-8
    assert around.contains(1)
