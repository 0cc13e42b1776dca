"""The cosine maps against the Gaussian definition, against 50 digits, and in balls."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from trying import each

from benchmarks.accuracy import REGIONS, TEXTBOOK, draw_points, worst_error
from numeric.balls import ball
from numeric.cosine_maps import (
    delta_phi,
    kappa_phi,
    omega,
    omega_prime,
    varrho,
    varrho_prime,
    varrho_second,
    zeta,
    zeta_prime,
)

SLOPES = [(1, 0), (0, 1), (0.5, 0.5), (0.6, 0.4), (-0.3, 1.1), (2, -0.7)]

unit = fractions(0, 1, max_denominator=10**6)
cosines = fractions(-1, 1, max_denominator=10**6)


def gaussian_moment(first, second, rho, radial):
    """E first(u_1) second(u_2) at correlation rho, as an integral over the angle.

    In polar coordinates u_1 = r cos t, u_2 = r cos(t - t_0) with cos t_0 = rho; `radial` is the
    mean of the power of r. The integrand is smooth between the zeros of the two cosines.
    """
    shift, pi = mpmath.acos(rho), mpmath.pi
    kinks = {k * pi / 2 for k in range(-1, 4, 2)} | {shift + k * pi / 2 for k in range(-1, 4, 2)}
    inner = sorted(t for t in kinks if -pi / 2 < t < 3 * pi / 2)
    points = [-pi / 2, *inner, 3 * pi / 2]
    integral = mpmath.quad(lambda t: first(mpmath.cos(t)) * second(mpmath.cos(t - shift)), points)
    return radial * integral / (2 * pi)


class TestDefinition:
    @each("a, b", *SLOPES)
    @each("rho", -1, -0.875, -0.5, 0, 0.3, 0.96875, 1)
    def test_varrho_and_its_derivative_are_gaussian_moments(self, a, b, rho):
        with mpmath.workdps(30):
            a, b = mpmath.mpf(a), mpmath.mpf(b)
            scale, delta = 1 / (a * a + b * b), delta_phi(a, b)

            def activation(s):
                return a * s + b * abs(s)

            def derivative(s):
                return a + b * mpmath.sign(s)

            moment = scale * gaussian_moment(activation, activation, rho, radial=2)
            assert mpmath.almosteq(varrho(mpmath.mpf(rho), delta), moment, abs_eps=1e-20)
            moment = scale * gaussian_moment(derivative, derivative, rho, radial=1)
            assert mpmath.almosteq(varrho_prime(mpmath.mpf(rho), delta), moment, abs_eps=1e-20)

    @each("a, b", *SLOPES)
    def test_delta_and_kappa(self, a, b):
        # kappa is the Lipschitz constant of the activation whose second moment is normalised.
        norm = (a * a + b * b) ** 0.5
        assert kappa_phi(a, b) == pytest.approx(max(abs(a + b), abs(a - b)) / norm, rel=1e-15)
        # E phi(u) phi(-u) = -(a^2 - b^2): the value of the cosine map at -1.
        assert 2 * delta_phi(a, b) - 1 == pytest.approx((b * b - a * a) / norm**2, abs=4e-16)


class TestExactValues:
    @given(unit)
    def test_varrho_at_ends_and_centre(self, delta):
        assert varrho(1, delta, digits=30) == 1
        with mpmath.workdps(30):
            weight = mpmath.mpf(delta.numerator) / delta.denominator
            assert mpmath.almosteq(varrho(-1, delta, digits=30), 2 * weight - 1, abs_eps=1e-29)
            assert mpmath.almosteq(varrho(0, delta, digits=30), 2 * weight / mpmath.pi)
            slopes = [(-1, 1 - 2 * weight), (-0.5, 1 - 4 * weight / 3), (0, 1 - weight), (1, 1)]
            for rho, value in slopes:
                slope = varrho_prime(rho, delta, digits=30)
                assert mpmath.almosteq(slope, value, abs_eps=1e-29)

    def test_exact_zeros(self):
        zeros = [varrho(-1, 0.5, digits=40), varrho(0, 0, digits=40), zeta(1, 1, digits=40)]
        zeros += [varrho_prime(-1, 0.5, digits=40), varrho_prime(-0.5, 0.75, digits=40)]
        zeros += [varrho_prime(0, 1, digits=40), zeta_prime(0.5, 1, digits=40)]
        zeros += [zeta(0, 0.3, digits=40), varrho_second(0.3, 0, digits=40)]
        assert zeros == [0] * 9

    def test_floats_at_ends(self):
        delta = np.linspace(0, 1, 65)
        assert np.array_equal(varrho(1, delta), np.ones(65))
        assert np.array_equal(varrho(-1, delta), 2 * delta - 1)
        assert np.array_equal(varrho_prime(1, delta), np.ones(65))
        assert np.array_equal(zeta(0, delta), np.zeros(65))
        assert np.array_equal(zeta(1, delta), 1 - delta)
        assert np.array_equal(varrho(np.linspace(-1, 1, 9), 0), np.linspace(-1, 1, 9))

    @given(a=st.floats(1e-300, 1e300), ratio=fractions(0, 1, max_denominator=10**4))
    def test_delta_and_kappa_are_homogeneous(self, a, ratio):
        for exponent in (-600, 400):
            scaled = float(np.ldexp(1.0, exponent))
            pair = (float(ratio), 1.0)
            for function in (delta_phi, kappa_phi):
                value = function(*pair)
                assert function(scaled * pair[0], scaled) == value
                assert function(-scaled * pair[0], scaled) == value
        assert delta_phi(a, a) == 0.5
        assert delta_phi(a, 0) == 0
        assert delta_phi(0, -a) == kappa_phi(0, -a) == 1

    def test_dead_activation_is_refused(self):
        zero = "a and b must not both be 0"
        for function in (delta_phi, kappa_phi):
            for arguments in ((0, 0), ([1, 0], [1, 0]), (arb(0), 0), (mpmath.mpf(0), 0)):
                with pytest.raises(ValueError, match=zero):
                    function(*arguments)
            with pytest.raises(ValueError, match=zero):
                function("0", "0.0", digits=5)


class TestDomains:
    @each("rho", -1, 1, 1.5)
    def test_second_derivative_is_refused_where_infinite(self, rho):
        with pytest.raises(ValueError, match=r"rho must lie in \(-1, 1\), got "):
            varrho_second(rho, 0.5)


class TestRelations:
    @given(z=unit, delta=unit)
    def test_zeta_and_omega_follow_from_varrho(self, z, delta):
        with mpmath.workdps(60):
            expected = (1 - varrho(1 - 2 * z, delta, digits=60)) / 2
            assert mpmath.almosteq(zeta(z, delta, digits=40), expected, 1e-40, 1e-55)
            slope = varrho_prime(1 - 2 * z, delta, digits=40)
            assert mpmath.almosteq(zeta_prime(z, delta, digits=40), slope, 1e-40, 1e-55)

    @given(w=fractions(1 + Fraction(1, 10**6), 50, max_denominator=10**6), delta=unit)
    def test_omega_follows_from_zeta(self, w, delta):
        z = 1 / w**2
        with mpmath.workdps(50):
            expected = 1 / mpmath.sqrt(zeta(z, delta, digits=50))
            assert mpmath.almosteq(omega(w, delta, digits=40), expected, 1e-40)

    @given(rho=fractions(Fraction(-99, 100), Fraction(99, 100), max_denominator=1000), delta=unit)
    def test_derivatives_are_difference_quotients(self, rho, delta):
        # Central differences at h = 1e-15: the error h^2 f'''/6 is below 1e-24, as every third
        # derivative here is below 1e6 (|rho| <= 0.99, and w >= 1.005 below).
        step = Fraction(1, 10**15)
        w = 1 / (1 - rho**2 / 100) + Fraction(1, 200)

        def slope(function, point):
            ends = [function(point + sign * step, delta, digits=60) for sign in (1, -1)]
            return (ends[0] - ends[1]) / (2 * mpmath.mpf(10) ** -15)

        with mpmath.workdps(40):
            for function, derivative, point in [
                (varrho, varrho_prime, rho),
                (varrho_prime, varrho_second, rho),
                (zeta, zeta_prime, (1 - rho) / 2),
                (omega, omega_prime, w),
            ]:
                found = derivative(point, delta, digits=40)
                assert mpmath.almosteq(found, slope(function, point), 1e-22, 1e-22)

    @given(delta=unit)
    def test_omega_at_infinity(self, delta):
        # omega(w) = w + 4D/(3 pi) + O(1/w), with a constant below 1.
        with mpmath.workdps(40):
            shift = omega(10**15, delta, digits=40) - mpmath.mpf(10) ** 15
            limit = 4 * mpmath.mpf(delta.numerator) / delta.denominator / (3 * mpmath.pi)
            assert mpmath.almosteq(shift, limit, abs_eps=1e-15)


# Accuracy in float64


@each("function, region, draw", *REGIONS)
def test_units_in_the_last_place(function, region, draw):
    x, delta = draw_points(draw, count=500)
    worst, where = worst_error(function, function(x, delta), x, delta)
    assert worst <= (10 if function is omega_prime else 4), where


def test_the_measurement_sees_cancellation():
    seen = 0
    for function, region, draw in REGIONS:
        if (function, region) in {(zeta, "at 0, to 1e-300"), (omega, "at 1, delta = 1")}:
            x, delta = draw_points(draw, count=100)
            with np.errstate(all="ignore"):
                textbook = TEXTBOOK[function](x, delta, np)
            assert worst_error(function, textbook, x, delta)[0] > 1000
            seen += 1
    assert seen == 2


def test_delta_and_kappa_to_four_units():
    random = np.random.default_rng(3)
    a, other = 10 ** random.uniform(-300, 300, (2, 500))
    for b in (a * 10 ** random.uniform(-7, 7, 500), other):
        with mpmath.workprec(200):
            for x, y in zip(a, b, strict=True):
                squares = mpmath.mpf(x) ** 2 + mpmath.mpf(y) ** 2
                exact = mpmath.mpf(y) ** 2 / squares
                assert abs(exact - delta_phi(x, y)) <= 4 * np.spacing(float(exact))
                exact = (mpmath.mpf(x) + mpmath.mpf(y)) / mpmath.sqrt(squares)
                assert abs(exact - kappa_phi(x, y)) <= 4 * np.spacing(float(exact))


class TestDigits:
    @given(rho=cosines, delta=unit, digits=st.integers(1, 80))
    def test_digits(self, rho, delta, digits):
        for function in (varrho, varrho_prime):
            found = function(rho, delta, digits=digits)
            with mpmath.workdps(digits + 30):
                values = (mpmath.mpf(x.numerator) / x.denominator for x in (rho, delta))
                exact = TEXTBOOK[function](*values, mpmath)
                # The reference loses at most 10 digits to cancellation for such fractions.
                bound = abs(exact) / mpmath.mpf(10) ** digits + mpmath.mpf(10) ** -(digits + 20)
                assert abs(found - exact) <= bound

    def test_strings_are_exact(self):
        assert varrho("0.5", "0.25", digits=50) == varrho(0.5, 0.25, digits=50)
        with mpmath.workdps(50):
            tenth = mpmath.mpf(1) / 10
            assert mpmath.almosteq(
                varrho_prime("0.1", 1, digits=50), TEXTBOOK[varrho_prime](tenth, 1, mpmath)
            )
            assert mpmath.almosteq(zeta("1e-400", "0.1", digits=50) * mpmath.mpf(10) ** 400, 1)


# Balls

PAIRS = [
    (varrho, -1, 1),
    (varrho_prime, -1, 1),
    (varrho_second, -1, 1),
    (zeta, 0, 1),
    (zeta_prime, 0, 1),
    (omega, 1, 6),
    (omega_prime, 1, 6),
]


class TestBalls:
    @given(pair=st.sampled_from(PAIRS), place=unit, delta=unit)
    def test_exact_points_give_small_balls(self, pair, place, delta):
        function, low, high = pair
        point = float(low + (high - low) * place)
        if low < point < high:
            value = function(arb(point), float(delta))
            assert value.contains(function(arb(point), arb(float(delta))).mid())
            assert value.rad() <= 2.0**-40 * (1 + abs(value))

    @given(st.floats(-1, 1), st.floats(0, 0.5), unit)
    def test_width_is_bounded_by_the_slope(self, centre, radius, delta):
        # |varrho'|, |zeta'| <= 1; radii are rounded up to 30 bits, at most four times.
        image = varrho(arb(centre, radius), delta)
        assert image.rad() <= radius + 8 * 2.0**-29
        image = zeta(arb((1 + centre) / 2, radius), delta)
        assert image.rad() <= radius + 8 * 2.0**-29

    def test_second_derivative_is_unbounded_at_the_ends(self):
        image = varrho_second(arb(1, 0.25), 1)
        assert arb(10) ** 50 in image

    @given(a=st.floats(-2, 2), b=st.floats(-2, 2), radius=st.floats(1e-9, 1))
    def test_delta_and_kappa_stay_in_their_range(self, a, b, radius):
        for function, low, high in ((delta_phi, 0, 1), (kappa_phi, 1, 1.4142135623731)):
            image = function(arb(a, radius), arb(b, radius))
            assert image > low - 1e-8
            assert image < high + 1e-8

    def test_kappa_has_its_maximum_inside_a_ball(self):
        assert ball(Fraction(1414213562, 10**9)) in kappa_phi(1, arb(1, 0.125))
        assert kappa_phi(1, arb(1, 0.125)).rad() < 0.01
