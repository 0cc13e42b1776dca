"""Norms of Gaussian vectors: chi laws by other roads, the radius against its definition."""

import math

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chi, norm
from trying import each

from numeric.gaussian_norms import chi_tail, exact_radius, mean_norm, printed_radius, probability_within
from numeric.subgaussian_proxy import proxy_of_threshold, worst_proxy

dimensions = st.integers(1, 10**4)
heads = st.integers(1, 10**4).map(lambda half: 2 * half)
chances = st.floats(1e-9, 1 - 1e-9)


class TestMean:
    def test_by_integration(self):
        """E|G| as the integral of the tail probability."""
        for d in (1, 2, 3, 8):
            integral = mpmath.quad(
                lambda r, d=d: mpmath.gammainc(d / 2, r * r / 2, regularized=True), [0, 3, 20]
            )
            assert mean_norm(d) == pytest.approx(float(integral), rel=1e-12)

    @given(d=dimensions)
    def test_neighbours(self, d):
        """E|G_d| E|G_{d+1}| = d: the Gamma functions telescope."""
        # Two values good to a few units in the last place.
        assert mean_norm(d) * mean_norm(d + 1) == pytest.approx(d, rel=1e-14)

    @given(d=st.floats(1, 1e15))
    def test_both_formulas_against_digits(self, d):
        assert mean_norm(d) == pytest.approx(float(mean_norm(d, digits=20)), rel=4e-15)

    @each("d", 10.5, 14, 20, 30, 39.9, 40, 40.1, 60)
    def test_where_the_series_takes_over(self, d):
        assert mean_norm(d) == pytest.approx(float(mean_norm(d, digits=20)), rel=2e-15, abs=0)


class TestTail:
    @given(r=st.floats(0, 12))
    def test_small_dimensions(self, r):
        one = math.erfc(r / math.sqrt(2))
        density = math.sqrt(2 / math.pi) * math.exp(-r * r / 2)
        assert chi_tail(r, 1) == pytest.approx(one, rel=1e-12)
        assert chi_tail(r, 2) == pytest.approx(math.exp(-r * r / 2), rel=1e-12)
        assert chi_tail(r, 3) == pytest.approx(one + r * density, rel=1e-12)

    @given(r=st.floats(0.01, 30), d=st.integers(1, 300))
    def test_balls_contain_the_law(self, r, d):
        exact = chi_tail(r, d, digits=20)
        near = arb(mpmath.nstr(exact, 20)) * arb(1, 1e-18)
        assert chi_tail(arb(r), d).overlaps(near)
        assert float(exact) == pytest.approx(chi.sf(r, d), rel=1e-9, abs=1e-300)

    def test_wide_balls(self):
        tail = chi_tail(arb(2, 0.5), 5)
        assert all(float(tail.lower()) <= chi_tail(r, 5) <= float(tail.upper()) for r in (1.5, 2.5))
        assert chi_tail(arb(0), 3) == 1
        assert chi_tail(0, 3) == 1


class TestLargestNorm:
    @given(d=dimensions, m=heads, delta=chances)
    def test_exact_radius(self, d, m, delta):
        """The probability there is 1 - delta', and smaller just below."""
        r = exact_radius(d, m, delta)
        missed = -math.expm1(m / 2 * math.log1p(-chi_tail(r, d)))
        assert missed == pytest.approx(delta, rel=1e-8)
        assert probability_within(r, d, m) == pytest.approx(1 - delta, rel=1e-8, abs=1e-15)
        assert r < printed_radius(d, m, delta)

    @given(r=st.floats(0.2, 9), d=st.integers(1, 40), half=st.integers(1, 30))
    def test_is_the_power_of_one(self, r, d, half):
        one = -math.expm1(math.log(max(chi_tail(r, d), 1e-300)))
        assert probability_within(r, d, 2 * half) == pytest.approx(one**half, rel=1e-10, abs=1e-14)
        digits = probability_within(r, d, 2 * half, digits=15)
        assert float(digits) == pytest.approx(probability_within(r, d, 2 * half), rel=1e-10)
        ball = probability_within(arb(r), d, 2 * half)
        assert abs(ball - arb(str(digits))) < 1e-12

    @given(d=dimensions, m=heads, delta=chances)
    def test_printed_radius(self, d, m, delta):
        """A union bound over m/2 vectors with the tail exp(-t^2/2) beyond sqrt d gives delta'."""
        t = printed_radius(d, m, delta) - math.sqrt(d)
        # t loses as many digits as sqrt d has before the point.
        expected = pytest.approx(delta, rel=1e-12 * (1 + math.sqrt(d)) * (1 + t))
        assert m / 2 * math.exp(-t * t / 2) == expected
        assert float(printed_radius(d, m, delta, digits=20)) == pytest.approx(
            printed_radius(d, m, delta), rel=1e-14
        )

    def test_two_heads(self):
        assert exact_radius(2, 2, 0.25) == pytest.approx(math.sqrt(2 * math.log(4)))
        assert printed_radius(4, 2, 0.25) == pytest.approx(2 + math.sqrt(2 * math.log(4)))
        assert probability_within([0, 1], 2, 4) == pytest.approx([0, (1 - math.exp(-0.5)) ** 2])
        assert probability_within(arb(0), 2, 4) == 0
        spread = probability_within(arb(1, 1), 2, 4)
        assert float(spread.lower()) <= 0
        assert float(spread.upper()) >= probability_within(2, 2, 4)

    def test_small_probabilities(self):
        """P(|G| <= r) near 1e-6 and 1e-10: nothing is lost by 1 - P(|G| > r)."""
        for r in (0.15, 0.03):
            exact = float(probability_within(r, 6, 4, digits=20))
            assert probability_within(r, 6, 4) == pytest.approx(exact, rel=1e-12, abs=0)

    def test_scalars(self):
        assert type(exact_radius(2, 2, 0.5)) is float
        assert type(printed_radius(2, 2, 0.5)) is float

    def test_arrays(self):
        radii = exact_radius([1, 2], 4, np.array([[0.1], [0.2]]))
        assert radii.shape == (2, 2)
        assert radii[1, 0] == exact_radius(1, 4, 0.2)


@each("m, radius", (5, 1), (arb(3), 1), (mpmath.mpf(3), mpmath.mpf(1)))
def test_odd_numbers_of_heads_have_no_probability(m, radius):
    with pytest.raises(ValueError, match="m must be an even number of heads"):
        probability_within(radius, 3, m)
    with pytest.raises(ValueError, match="m must be an even number of heads"):
        printed_radius(3, m, mpmath.mpf("0.5"))


# K(lambda, tau) against quadrature of its definition, and its maximum.


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
