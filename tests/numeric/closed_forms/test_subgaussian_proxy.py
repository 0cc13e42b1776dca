"""K(lambda, tau) against quadrature of its definition, and its maximum."""

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm
from trying import each

from numeric.subgaussian_proxy import proxy_of_threshold, worst_proxy


def by_quadrature(lam, tau):
    """2/lambda^2 times the logarithm of the centred exponential moment of the variable itself."""

    def moment(f):
        inside = quad(lambda g: 2 * f(-g) * norm.pdf(g), 0, tau, epsabs=1e-13)[0]
        return inside + quad(lambda g: 2 * f(g) * norm.pdf(g), tau, tau + 40, epsabs=1e-13)[0]

    mean = moment(lambda y: y)
    return 2 / lam**2 * np.log(moment(lambda y: np.exp(lam * (y - mean))))


@each("lam", 0.2, 0.49, 0.51, 1, 2.2, 5)
@each("tau", 0, 0.7, 2.1, 4)
def test_definition(lam, tau):
    assert proxy_of_threshold(lam, tau) == pytest.approx(by_quadrature(lam, tau), rel=1e-9)


@given(lam=st.floats(1e-6, 100), tau=st.floats(0, 40))
def test_floats_against_digits(lam, tau):
    exact = proxy_of_threshold(lam, tau, digits=20)
    # As documented; about forty roundings.
    assert proxy_of_threshold(lam, tau) == pytest.approx(float(exact), rel=1e-13, abs=0)


@each("lam", 0.002, 0.01, 0.1)
def test_floats_near_zero(lam):
    exact = proxy_of_threshold(lam, 1, digits=20)
    assert proxy_of_threshold(lam, 1) == pytest.approx(float(exact), rel=1e-14, abs=0)


@given(tau=st.floats(0, 6))
def test_limit_at_zero_is_the_variance(tau):
    mean = 4 * norm.pdf(tau) - 2 * norm.pdf(0)
    # The third cumulant is below 3 in size: K = Var Y + lambda kappa_3/3 + ...
    assert proxy_of_threshold(1e-8, tau) == pytest.approx(1 - mean**2, abs=1e-7)


@given(lam=st.floats(1e-3, 30))
def test_half_normal_at_either_end(lam):
    """tau = 0 is |g| and tau far beyond lambda is -|g|."""
    for tau, sign in ((0, 1), (200, -1)):
        log_moment = lam**2 / 2 + np.log(2) + norm.logcdf(sign * lam)
        expected = 2 / lam**2 * (log_moment - sign * lam * np.sqrt(2 / np.pi))
        rounding = 1e-14 / lam**2  # of terms of size 1 and lambda
        assert proxy_of_threshold(lam, tau) == pytest.approx(expected, rel=1e-12, abs=rounding)


def test_worst():
    best = worst_proxy(30)
    with mpmath.workdps(30):
        value = proxy_of_threshold(best.lam, best.tau)
        assert abs(value - best.proxy) < mpmath.mpf(10) ** -29
        step = mpmath.mpf(10) ** -6
        for shift in ((step, 0), (-step, 0), (0, step), (0, -step), (step, step), (step, -step)):
            assert proxy_of_threshold(best.lam + shift[0], best.tau + shift[1]) < best.proxy
    assert float(worst_proxy().proxy) == pytest.approx(float(best.proxy), rel=1e-15)
    assert float(worst_proxy(3).lam) == pytest.approx(float(best.lam), rel=1e-3)


@given(lam=st.floats(1e-3, 50), tau=st.floats(0, 30))
def test_nothing_is_worse(lam, tau):
    assert proxy_of_threshold(lam, tau) <= float(worst_proxy().proxy)


def test_balls_and_arrays():
    ball = proxy_of_threshold(arb(2, 0.01), arb(1))
    for lam in (1.99, 2, 2.01):
        assert abs(ball - proxy_of_threshold(lam, 1)) < 0.2
        assert ball.overlaps(proxy_of_threshold(arb(lam), 1))
    assert proxy_of_threshold([0.1, 1, 9], [[0], [2]]).shape == (2, 3)


@each("digits, error", (0, ValueError), (1.5, TypeError))
def test_digits(digits, error):
    with pytest.raises(error, match="digits must be an integer in"):
        worst_proxy(digits)
