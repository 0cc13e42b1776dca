"""Errors at first order in 1/m: closed forms against quadrature, differences and simulation."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb
from gaussian_quadrature import quadrant_quadrature
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from numeric.cosine_maps import omega, omega_prime
from numeric.inverse_distance_errors import (
    error_moments,
    layer_moments,
    omega_second,
    relative_bias,
    relative_noise,
)
from numeric.networks.forward_law import sample_forward
from numeric.statistics import mean_test

LEVEL = 1e-9  # false-alarm probability of each comparison


def by_quadrature(t, delta):
    """The moments as integrals over the plane, and R, B as variance and mean to second order."""
    alpha, beta = math.sqrt(1 - delta), math.sqrt(delta)

    def mean(f):
        def of_preactivations(u1, u2):
            return f(alpha * u1 + beta * abs(u1), alpha * u2 + beta * abs(u2))

        return float(quadrant_quadrature(of_preactivations, math.cos(t)))

    zeta = mean(lambda p, q: (p - q) ** 2) / 4
    noise = mean(lambda p, q: (zeta * (p * p + q * q) - (p - q) ** 2 / 2) ** 2) / (16 * zeta**2)
    # -1/2 the second-order mean of z, and 3/8 its variance, both relative to zeta:
    # z = (1 - C/sqrt(AB))/2, whose second-order part is taken from its expansion in A, B, C.
    cosine = 1 - 2 * zeta
    second = mean(
        lambda p, q: (
            cosine * (3 * (p * p - 1) ** 2 + 3 * (q * q - 1) ** 2 + 2 * (p * p - 1) * (q * q - 1)) / 8
            - (p * q - cosine) * (p * p + q * q - 2) / 2
        )
    )
    return zeta, noise, second / (4 * zeta) + 3 * noise / 2


@each("t", 0.2, 0.9, math.pi / 2, 2.0, 2.9)
@each("delta", 0.0, 0.3, 0.5, 1.0)
def test_noise_and_bias_by_quadrature(t, delta):
    w = 1 / math.sin(t / 2)
    zeta, noise, bias = by_quadrature(t, delta)
    assert omega(w, delta) ** -2 == pytest.approx(zeta, rel=1e-11)
    # Terms of size up to 3 cancel down to zeta^2 >= 1e-5 in the integrals.
    assert relative_noise(w, delta) == pytest.approx(noise, rel=1e-9, abs=1e-10)
    assert relative_bias(w, delta) == pytest.approx(bias, rel=1e-9, abs=1e-10)


@given(st.floats(0, 1), st.floats(1e3, 1e12))
def test_nearly_parallel_inputs(delta, w):
    """R and B are 1 + r^2 + O(1/w): the layer acts like a random diagonal on the difference."""
    limit = 1 + 4 * delta * (1 - delta)
    assert abs(relative_noise(w, delta) - limit) < 10 / w
    assert abs(relative_bias(w, delta) - limit) < 10 / w


@given(st.floats(1.0001, 1e4))
def test_linear_network(w):
    """For b = 0 the cosine is a sample correlation, of variance (1 - rho^2)^2/M: R = (1 - z)^2."""
    cosine = mpmath.mpf(1) - 2 / mpmath.mpf(w) ** 2
    expected = (1 - cosine**2) ** 2 / 16 * mpmath.mpf(w) ** 4
    # Once w is large 1 - cosine^2 keeps only the digits that w^-2 leaves.
    assert relative_noise(w, 0) == pytest.approx(float(expected), rel=1e-15 * w**2 + 1e-12)


@given(st.floats(1.01, 1e3))
def test_absolute_value_does_not_see_signs(w):
    """Replacing an input by its negative maps z to 1 - z."""
    other = 1 / math.sqrt((w - 1) * (w + 1)) * w
    assert relative_noise(w, 1) == pytest.approx(relative_noise(other, 1), rel=1e-9)
    assert relative_bias(w, 1) == pytest.approx(relative_bias(other, 1), rel=1e-9)


@given(st.floats(1.05, 1e3), st.sampled_from([0.25, 0.5, 1.0]))
def test_second_derivative_by_differences(w, delta):
    with mpmath.workdps(40):
        h = mpmath.mpf(10) ** -12
        ends = [omega_prime(mpmath.mpf(w) + s * h, mpmath.mpf(delta)) for s in (-1, 1)]
        difference = (ends[1] - ends[0]) / (2 * h)
        # The next term of the expansion is omega'''' h^2 / 6; omega' has 40 digits.
        assert float(difference) == pytest.approx(omega_second(w, delta), rel=1e-9)


def test_numbers_are_taken_exactly():
    assert relative_noise("3", Fraction(1, 2)) == relative_noise(3, 0.5)
    assert relative_noise(2, "0.3") != relative_noise(2, 0.25)


def test_moments_accept_power_series_and_balls():
    moments = layer_moments(arb("0.5"), arb(1))
    assert moments.kurtosis.overlaps(arb(3))
    assert moments.product.overlaps(1 + 2 * arb("0.5").cos() ** 2)
    assert not moments.fourth.is_zero()


class TestRecursion:
    gammas = (2.0, 3.0, 0.5)

    def test_first_layer(self):
        moments = error_moments(2.0, [4.0], 0.5)
        limit = omega(2.0, 0.5)
        assert moments.limits.tolist() == [2.0, limit]
        assert moments.variances[1] == pytest.approx(relative_noise(2, 0.5) * limit**2 / 4)
        assert moments.biases[1] == pytest.approx(relative_bias(2, 0.5) * limit / 4)
        assert moments.variances[0] == moments.biases[0] == 0

    def test_two_layers_by_transport(self):
        """An error of the first layer is carried by omega, to second order in the mean."""
        both, first = error_moments(2.0, [4.0, 1e300], 1), error_moments(2.0, [4.0], 1)
        w, v, beta = first.limits[1], first.variances[1], first.biases[1]
        slope, bend = omega_prime(w, 1), omega_second(w, 1)
        assert both.variances[2] == pytest.approx(slope**2 * v, rel=1e-12)
        assert both.biases[2] == pytest.approx(slope * beta + bend * v / 2, rel=1e-12)

    def test_scaling_of_the_widths(self):
        single = error_moments(1.5, self.gammas, 0.7)
        double = error_moments(1.5, [2 * gamma for gamma in self.gammas], 0.7)
        np.testing.assert_allclose(double.variances, single.variances / 2, rtol=1e-14)
        np.testing.assert_allclose(double.biases, single.biases / 2, rtol=1e-14)

    @each("a, b", (0, 1), (0.5, 0.5))
    def test_simulation(self, a, b):
        """Mean squares of the errors in networks of 4 layers, within 20 % (and not within 0)."""
        m, size, gammas = 1000, 1500, (1, 2, 3)
        law = sample_forward(np.eye(2), [m * g for g in gammas], a, b, np.random.default_rng(1), size)
        moments = error_moments(math.sqrt(2), [float(g) for g in gammas], b * b / (a * a + b * b))
        errors = law.inverse_cosine_distances[:, -1, 0, 1] - moments.limits[-1]
        test = mean_test(m * errors**2 / moments.variances[-1], 1.0)
        assert test.p_value > LEVEL
        assert test.detectable(LEVEL, 0.999) < 0.4
