"""The gradient-dependence error and its bounds against the Gaussian definition."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from trying import each

from numeric.cosine_maps import delta_phi
from numeric.gradient_dependence import bound_printed, bound_sharp, error, integral_w1, integral_w1w2

SLOPES = [(0, 1), (0.5, 0.5), (-0.4, 0.9), (1, 0.3)]
unit = fractions(0, 1, max_denominator=1000)
inside = fractions(Fraction(-999, 1000), Fraction(999, 1000), max_denominator=1000)
numbers = st.integers(-9, 9)


def signed_mean(form, angle, a, b):
    """E phi'(u_1) phi'(u_2) form(g) for a standard normal g in the plane.

    u_1 = <g, (1, 0)>, u_2 = <g, (cos angle, sin angle)>, and `form(c, s)` is the mean of the form
    over the radius in the direction (c, s): a quadratic form counts twice, E r^2 being 2. The
    integrand is smooth between the zeros of the two cosines.
    """
    pi = mpmath.pi
    kinks = {k * pi / 2 for k in (-1, 1, 3)} | {angle + k * pi / 2 for k in (-3, -1, 1)}
    points = sorted(t for t in kinks if -pi / 2 <= t <= 3 * pi / 2)

    def integrand(t):
        slopes = [a + b * mpmath.sign(mpmath.cos(s)) for s in (t, t - angle)]
        return slopes[0] * slopes[1] * form(mpmath.cos(t), mpmath.sin(t))

    return mpmath.quad(integrand, points) / (2 * pi)


class TestIntegrals:
    @each("a, b", *SLOPES)
    @each("rho", -0.875, -0.25, 0, 0.5, 0.96875)
    def test_gaussian_definition(self, a, b, rho):
        with mpmath.workdps(30):
            a, b, rho = mpmath.mpf(a), mpmath.mpf(b), mpmath.mpf(rho)
            angle, root = mpmath.acos(rho), mpmath.sqrt(1 - rho * rho)

            def w1(c, s):
                return (c - rho * (rho * c + root * s)) / root

            def w2(c, s):
                return (rho * c + root * s - rho * c) / root

            found = signed_mean(lambda c, s: 2 * w1(c, s) ** 2 - 1, angle, a, b)
            assert mpmath.almosteq(integral_w1(rho, b), found, abs_eps=1e-20)
            found = signed_mean(lambda c, s: 2 * w2(c, s) ** 2 - 1, angle, a, b)
            assert mpmath.almosteq(integral_w1(rho, b), found, abs_eps=1e-20)
            found = signed_mean(lambda c, s: 2 * w1(c, s) * w2(c, s) + rho, angle, a, b)
            assert mpmath.almosteq(integral_w1w2(rho, b), found, abs_eps=1e-20)

    @given(rho=inside, b=fractions(-5, 5, max_denominator=100))
    def test_one_is_minus_rho_times_the_other(self, rho, b):
        with mpmath.workdps(30):
            first, second = (f(rho, b, digits=40) for f in (integral_w1, integral_w1w2))
            ratio = -mpmath.mpf(rho.numerator) / rho.denominator
            assert mpmath.almosteq(first, ratio * second, 1e-29, 1e-40)

    def test_floats_do_not_overflow_early(self):
        assert integral_w1w2(1 - 1e-16, 1e155) == pytest.approx(
            float(integral_w1w2(1 - 1e-16, 1e155, digits=20) * mpmath.mpf(10) ** -300) * 1e300
        )
        with pytest.raises(OverflowError, match="integral_w1w2 is too large for a float"):
            integral_w1w2(0, 1e200)


def check_floats(function, points, *others):
    """Within 4 units in the last place of 30 digits."""
    for point in points:
        value = function(point, *others)
        exact = function(float(point), *others, digits=30)
        assert abs(exact - mpmath.mpf(value)) <= 4 * np.spacing(abs(value))


@each("function", integral_w1, integral_w1w2, bound_printed, bound_sharp)
def test_floats_to_four_units(function):
    random = np.random.default_rng(11)
    ends = 1 - 10 ** random.uniform(-15, 0, 200)
    for second in (1.0, 0.3):
        check_floats(function, np.concatenate([ends, -ends, random.uniform(-1, 1, 200)]), second)


class TestBounds:
    @given(rho=inside, delta=unit)
    def test_closed_forms(self, rho, delta):
        with mpmath.workdps(50):
            r, d = (mpmath.mpf(x.numerator) / x.denominator for x in (rho, delta))
            printed = d * 8 / mpmath.pi * mpmath.sqrt((1 - r) / (1 + r))
            assert mpmath.almosteq(bound_printed(rho, delta, digits=40), printed, 1e-40)
            sharp = d * 4 / mpmath.pi * mpmath.sqrt(1 - r * r)
            assert mpmath.almosteq(bound_sharp(rho, delta, digits=40), sharp, 1e-40)

    def test_domains(self):
        assert bound_sharp(1, 0.5) == bound_sharp(-1, 0.5) == 0
        for function in (bound_printed, integral_w1, integral_w1w2):
            for rho in (-1, 1):
                with pytest.raises(ValueError, match=r"rho must lie in \(-1, 1\), got "):
                    function(rho, 0.5)

    @each("function", integral_w1, integral_w1w2, bound_printed, bound_sharp)
    def test_balls_are_tight(self, function):
        # All four have slopes below 5 on [0.2, 0.6]; radii are rounded up to 30 bits.
        assert function(arb(0.4, 0.2), 1).rad() <= 5 * 0.2
        assert function(arb(0.4), 1).rad() <= 1e-14

    def test_printed_bound_is_unbounded_at_minus_one(self):
        assert arb(10) ** 30 in bound_printed(arb(-1, 0.5), 1)


def error_by_definition(product, x1, x2, a, b):
    """sigma^2 E phi'(<g, x1>) phi'(<g, x2>) <g, M g> - varrho'(rho) tr M, by quadrature.

    In an orthonormal basis that starts with x1 and the plane of x1, x2, what is orthogonal to the
    plane cancels, so the 2 x 2 corner of M is all there is.
    """
    x1, x2, m = mpmath.matrix(x1), mpmath.matrix(x2), mpmath.matrix(product)
    first = x1 / mpmath.norm(x1)
    across = x2 - (first.T * x2)[0] * first
    second = across / mpmath.norm(across)
    corner = [[(p.T * m * q)[0] for q in (first, second)] for p in (first, second)]
    angle = mpmath.atan2(mpmath.norm(across), (first.T * x2)[0])

    def form(c, s):
        square = corner[0][0] * c * c + (corner[0][1] + corner[1][0]) * c * s + corner[1][1] * s * s
        return 2 * square - corner[0][0] - corner[1][1]

    return signed_mean(form, angle, a, b) / (a * a + b * b)


class TestError:
    @each("a, b", *SLOPES)
    @each("size", 2, 3, 5)
    def test_gaussian_definition(self, a, b, size):
        random = np.random.default_rng(size)
        product = random.standard_normal((size, size))
        x1, x2 = 3 * random.standard_normal(size), random.standard_normal(size)
        with mpmath.workdps(25):
            exact = error_by_definition(product, x1, x2, mpmath.mpf(a), mpmath.mpf(b))
        delta = delta_phi(a, b)
        assert abs(exact - error(product, x1, x2, delta)) <= 1e-14 * np.linalg.norm(product, 2)
        digits = error(product, x1, x2, delta_phi(a, b, digits=30), digits=25)
        assert mpmath.almosteq(digits, exact, abs_eps=1e-18)

    @given(
        product=st.lists(st.lists(numbers, min_size=3, max_size=3), min_size=3, max_size=3),
        x1=st.lists(numbers, min_size=3, max_size=3).filter(any),
        x2=st.lists(numbers, min_size=3, max_size=3).filter(any),
        delta=unit,
    )
    def test_bounded_as_proved_and_as_printed(self, product, x1, x2, delta):
        value, norm = error(product, x1, x2, delta), np.linalg.norm(product, 2)
        rho = np.dot(x1, x2) / np.linalg.norm(x1) / np.linalg.norm(x2)
        if abs(rho) < 1 - 1e-9:
            # The cosine is rounded here, and sqrt(1 - rho^2) magnifies that by up to 1e9.
            assert abs(value) <= bound_sharp(rho, delta) * norm * (1 + 1e-6) + 1e-15
            assert abs(value) <= bound_printed(rho, delta) * norm * (1 + 1e-6) + 1e-15
        exact = float(error(product, x1, x2, delta, digits=20))
        assert value == pytest.approx(exact, rel=0, abs=1e-14 * norm)

    @given(angle=st.floats(1e-9, 3.14159), delta=unit)
    def test_sharp_bound_is_attained(self, angle, delta):
        x1, x2 = np.array([1, 0]), np.array([np.cos(angle), np.sin(angle)])
        half = angle / 2
        plus = np.array([np.cos(half), np.sin(half)])
        minus = np.array([np.sin(half), -np.cos(half)])
        product = np.outer(plus, plus) - np.outer(minus, minus)
        best = 4 / np.pi * float(delta) * np.sin(angle)
        assert error(product, x1, x2, delta) == pytest.approx(best, rel=1e-12, abs=1e-15)
        assert error(-product, x1, x2, delta) == pytest.approx(-best, rel=1e-12, abs=1e-15)
        assert error(np.eye(2), x1, x2, delta) == pytest.approx(0, abs=1e-15)

    @each("sign", 1, -1)
    def test_parallel_vectors_give_zero(self, sign):
        product = [[1, 2], [3, 4]]
        for scale in (1, 7, 1e-200, 1e200):
            assert error(product, [1, 2], [sign * scale, 2 * sign * scale], 1) == 0
        assert error(product, [1, 2], [3 * sign, 6 * sign], 1, digits=30) == 0
        assert error([[5]], [2], [sign], 1) == 0

    @each("sign", 1, -1)
    @each("distance", 1e-3, 1e-6, 1e-9, 1e-12)
    def test_nearly_parallel_vectors(self, sign, distance):
        random = np.random.default_rng(2)
        product, x1 = random.standard_normal((40, 40)), random.standard_normal(40)
        x2 = sign * 0.3 * (x1 + distance * random.standard_normal(40))
        exact = error(product, x1, x2, 0.5, digits=30)
        assert 1e-2 * distance < abs(exact) < 10 * distance
        # Sums of 40 terms, relative to the distance: the inputs are floats taken exactly.
        assert abs(exact - error(product, x1, x2, 0.5)) <= 1e-13 * distance

    def test_symmetries(self):
        random = np.random.default_rng(4)
        product, (x1, x2) = random.standard_normal((6, 6)), random.standard_normal((2, 6))
        value = error(product, x1, x2, 0.5)
        assert error(product.T, x2, x1, 0.5) == pytest.approx(value, rel=1e-13)
        assert error(product, -x1, -x2, 0.5) == value
        assert error(product, np.ldexp(x1, 900), np.ldexp(x2, -900), 0.5) == value
        assert error(np.ldexp(product, 1000), x1, x2, 0.5) == np.ldexp(value, 1000)
        assert error(product, x1, x2, 1) == pytest.approx(2 * value, rel=1e-15)
        assert error(product - product.T, x1, x2, 0.5) == pytest.approx(0, abs=1e-15)
        assert error(np.zeros((6, 6)), x1, x2, 0.5) == 0

    def test_digits_take_exact_numbers(self):
        # M = diag(1, -1), x1 = (1, 0), x2 = (1, 1): rho^2 = 1/2 and the error is D 2/pi.
        product = [["1", 0], [0, Fraction(-1)]]
        value = error(product, [mpmath.mpf("0.1"), 0], ["0.3", "0.3"], "0.3", digits=40)
        with mpmath.workdps(40):
            assert mpmath.almosteq(value, mpmath.mpf(6) / (10 * mpmath.pi))

    @each(
        "arguments, message",
        (([[1, 2]], [1], [1], 1), "product must have shape"),
        (([[1]], [0], [1], 1), "x1 must be a nonzero vector"),
        (([[1]], [1], [0], 1), "x2 must be a nonzero vector"),
    )
    def test_rejected(self, arguments, message):
        for options in ({}, {"digits": 5}):
            with pytest.raises(ValueError, match=message):
                error(*arguments, **options)

    def test_overflow(self):
        # e+ and e- are the axes, so the error is (4/pi) 1.7e308.
        product = np.diag([1.7e308, -1.7e308])
        with pytest.raises(OverflowError, match="the error is too large for a float"):
            error(product, [1, 1], [1, -1], 1)
        assert error(product, [1, 1], [1, -1], 0.5) == pytest.approx(2 / np.pi * 1.7e308)
