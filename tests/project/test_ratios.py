"""The fractions of property tests: where they may lie, and that they lie all over it."""

from fractions import Fraction

from hypothesis import given, settings
from ratios import fractions
from trying import each


@each("low, high, most", (-1, 1, 53), (0, 40, 1000), (Fraction(1, 3), Fraction(1, 2), 6), (2, 2, 1))
def test_they_lie_in_the_range_with_small_denominators(low, high, most):
    seen = set()

    @settings(max_examples=200)
    @given(fractions(low, high, max_denominator=most))
    def one(x):
        assert low <= x <= high
        assert 1 <= x.denominator <= most
        seen.add(x)

    one()
    assert {Fraction(low), Fraction(high)} <= seen
    assert len(seen) > (60 if most > 6 else 0)
