"""Fractions for property tests, drawn some ten times as fast as Hypothesis draws its own.

Hypothesis makes a strategy anew for each denominator that it draws, which takes longer than what
most of our properties do with the fraction.
"""

from fractions import Fraction
from math import ceil, floor

from hypothesis import strategies as st

__all__ = ["fractions"]

_PLACES = 2**20
_SPECIAL = _PLACES // 32


def fractions(least, most, max_denominator):
    """The fractions from the least to the most with denominators up to the given one.

    One of thirty-two is an end, or what is nearest to zero.
    """
    low, high = Fraction(least), Fraction(most)
    assert low <= high
    assert max(low.denominator, high.denominator) <= max_denominator
    special = (low, high, min(max(low, Fraction(0)), high))

    def at(drawn):
        place, denominator = drawn
        first, last = ceil(low * denominator), floor(high * denominator)
        if place < _SPECIAL or first > last:
            return special[place % 3]
        share = place - _SPECIAL
        return Fraction(first + share * (last - first + 1) // (_PLACES - _SPECIAL), denominator)

    return st.tuples(st.integers(0, _PLACES - 1), st.integers(1, max_denominator)).map(at)
