"""Tail bounds against exact laws, against each other, and in every arithmetic."""

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from scipy.special import gammainc, gammaincc, ndtr
from trying import each

from numeric.concentration import (
    backpropagation_product_tail,
    backpropagation_radius,
    derivative_product_range,
    derivative_product_tail,
    distance_tail,
    last_layer_radius,
    norm_tail,
)
from numeric.cosine_maps import delta_phi, kappa_phi, varrho

SLOPES = [(1, 0), (0, 1), (0.5, 0.5), (0.6, -0.4), (-0.3, 1.1), (2, -0.7)]
unit = fractions(0, 1, max_denominator=10**4)
sizes = st.floats(1e-3, 50)
widths = st.integers(1, 10**4)


class TestDefinition:
    """The bounds from a and b, by a second road to kappa, zeta and the range."""

    @each("a, b", *SLOPES)
    @each("t", 0, 0.1, 0.7, 2)
    def test_tails(self, a, b, t):
        delta, kappa = delta_phi(a, b), float(kappa_phi(a, b))
        M, z = 7, 0.3
        share = (1 - varrho(1 - 2 * z, delta)) / 2 / z / kappa**2
        products = [(a + b) ** 2, (a - b) ** 2, (a + b) * (a - b)]
        length = (max(products) - min(products)) / (a**2 + b**2)
        expected = {
            norm_tail(t, M, delta): M * t**2 / (2 * kappa**2),
            distance_tail(t, z, M, delta): M * (t * share) ** 2 / 2,
            backpropagation_product_tail(t, M, delta): (M * t**2 / (6 * kappa**4 + 10 * kappa**2 * t / 3)),
        }
        for value, exponent in expected.items():
            assert value == pytest.approx(2 * np.exp(-exponent), rel=1e-12)
        assert derivative_product_range(delta) == pytest.approx(length, rel=1e-12)
        if length > 0:
            exponent = 2 * M * (t / length) ** 2
            assert derivative_product_tail(t, M, delta) == pytest.approx(2 * np.exp(-exponent))

    @each("a, b", *SLOPES)
    def test_radii(self, a, b):
        delta, kappa = delta_phi(a, b), float(kappa_phi(a, b))
        total = 0.7 + 2 * np.log(9**3)
        pairs = 2048 / 961 * (2.5 * total**0.5 + 0.4 * total)
        assert last_layer_radius(0.7, 2.5, 0.4, 3) == pytest.approx(pairs)
        assert last_layer_radius(0.7, 2.5, 0.4, 1) == pytest.approx(5 * 0.7**0.5 + 0.8 * 0.7)
        # kappa^2 - 1 = 2 |a b| sigma^2 is how far s^2 is from its mean.
        spread = np.sqrt(kappa**2 + (kappa**2 - 1) ** 2 / 4)
        alone = backpropagation_radius(0.5 * 3**2, 1, 0, 16, delta)
        assert alone == pytest.approx(1 + (kappa**2 / 2**0.5 + 3 * spread) / 4)
        assert backpropagation_radius(2, 0, 5, 16, delta) == pytest.approx(kappa * 5 / 4)


class TestExactLaws:
    @given(M=st.integers(1, 300), t=st.floats(1e-3, 6))
    def test_norms_for_the_absolute_value(self, M, t):
        """M f^2 has the chi-square law with M degrees of freedom."""
        above = gammaincc(M / 2, M * (1 + t) ** 2 / 2)
        below = gammainc(M / 2, M * max(0, 1 - t) ** 2 / 2)
        for delta in (0, 1):
            assert max(above, below) <= norm_tail(t, M, delta) / 2 * (1 + 1e-12)

    @given(M=st.integers(1, 300), t=st.floats(1e-3, 6), z=st.floats(1e-6, 1))
    def test_distances_for_the_identity(self, M, t, z):
        """D^2 is z times a chi-square mean, so that the distance behaves as a norm."""
        above = gammaincc(M / 2, M * (1 + t) ** 2 / 2)
        below = gammainc(M / 2, M * max(0, 1 - t) ** 2 / 2)
        assert above + below <= distance_tail(t, z, M, 0) * (1 + 1e-12)
        assert distance_tail(t, z, M, 0) == pytest.approx(norm_tail(t, M, 0), rel=1e-9)

    @given(t=st.floats(1e-3, 4), width=widths)
    def test_one_row_of_one_entry(self, t, width):
        """|a|, |b|, B = 1: K - E K = g^2 - 1 in one dimension."""
        s = t * t
        assert 2 * ndtr(-np.sqrt(1 + last_layer_radius(s, 1, 1, 1))) <= 2 * np.exp(-s)
        for delta in (0, 1):
            largest = backpropagation_radius(s, 1, 1, 1, delta)
            assert 2 * ndtr(-largest) <= np.exp(-s)


class TestArithmetic:
    CASES = (
        (norm_tail, ("0.3", 5)),
        (distance_tail, ("0.3", "0.4", 5)),
        (derivative_product_tail, ("0.3", 5)),
        (derivative_product_range, ()),
        (backpropagation_product_tail, ("0.3", 5)),
        (backpropagation_radius, ("0.3", 2, 3, 5)),
    )

    @each("function, arguments", *CASES)
    @given(delta=unit)
    def test_floats_digits_and_balls_agree(self, function, arguments, delta):
        exact = function(*arguments, delta, digits=30)
        floats = function(*map(float, arguments), float(delta))
        assert float(exact) == pytest.approx(floats, rel=1e-13, abs=1e-300)
        balls = function(*map(arb, arguments), arb(delta.numerator) / delta.denominator)
        assert abs(balls - arb(str(exact))) < 1e-12
        assert mpmath.isfinite(exact)

    def test_last_layer_radius(self):
        exact = last_layer_radius("0.3", 2, 3, 5, digits=30)
        assert float(exact) == pytest.approx(last_layer_radius(0.3, 2, 3, 5), rel=1e-14)
        assert last_layer_radius(arb("0.3"), 2, 3, 5).overlaps(arb(str(exact)))

    def test_a_constant_summand(self):
        assert list(derivative_product_tail([0, 1e-9, 1], 1, 0)) == [2, 0, 0]
        assert derivative_product_tail(arb("0.5"), 1, arb(0)) == 0
        assert derivative_product_tail(arb(0, 1), 1, arb(0)).contains(2)
        assert derivative_product_tail(0, 1, 0, digits=5) == 2

    def test_vanishing_distance_is_refused(self):
        for one in (1, arb(1)):
            with pytest.raises(ValueError, match="z must be less than 1"):
                distance_tail(1, one, 1, 1)


@given(delta=unit, t=sizes, width=widths)
def test_the_shapes_that_are_printed(delta, t, width):
    """With kappa^4 for kappa^2, and without the sharper range."""
    kappa = np.sqrt(1 + 2 * np.sqrt(float(delta * (1 - delta))))
    printed = 2 * np.exp(-width * t * t / (2 * kappa**4))
    assert norm_tail(t, width, delta) <= printed
    assert derivative_product_tail(t, width, delta) <= printed * (1 + 1e-9)
