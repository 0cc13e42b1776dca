"""The balls of the lower tail of Proposition 12 are those of the function that is meant."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb
from trying import each

from theorems.eoc_mlp.one_layer.distances.lower_tail import _curvature, _margin

HALVES = [Fraction(1, 2), Fraction(53, 100)]


def margin(c, u, y, half):
    """H = e^(-E) - erf(c/√2) - y erfc(c/(y√2)), E = u y²(1 - y²)/2 + half u²(1 - y²)²."""
    E = u * y**2 * (1 - y**2) / 2 + mpmath.mpf(half.numerator) / half.denominator * (u * (1 - y**2)) ** 2
    root = mpmath.sqrt(2)
    return mpmath.exp(-E) - mpmath.erf(c / root) - y * mpmath.erfc(c / (y * root))


@each("half", *HALVES)
@each("c, y", (0.3, 0.5), (1.0, 0.95), (1.7, 0.99), (0.05, 0.3))
def test_margin_and_its_second_derivative(c, y, half):
    with mpmath.workdps(40):
        start = mpmath.mpf(c)
        u = mpmath.quad(lambda g: g * g * mpmath.npdf(g), [start, mpmath.inf]) * 2
        value = margin(start, u, mpmath.mpf(y), half)
        second = mpmath.diff(lambda x: margin(start, u, x, half), mpmath.mpf(y), 2)
    # Differences at 40 digits leave at least 20 of them; balls have 53 bits.
    assert float(_margin(arb(c), arb(y), half)) == pytest.approx(float(value), abs=1e-13)
    assert float(_curvature(arb(c), arb(y), half)) == pytest.approx(float(second), abs=1e-11)
