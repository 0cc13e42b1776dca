"""Fractions for property tests, drawn some times as fast as Hypothesis draws its own.

Hypothesis makes a strategy anew for each denominator that it draws, which takes longer than what
most of our properties do with the fraction.
"""

from fractions import Fraction
from math import ceil, floor

from hypothesis import strategies as st

__all__ = ["fractions"]

_PLACES = 2**30
_ODD = 0x9E3779B1  # Hypothesis prefers small numbers: times this they are all over the places


def fractions(least, most, max_denominator):
    """The fractions from the least to the most with denominators up to the given one.

    One of sixteen is an end, or what is nearest to zero, and one of four has a denominator up to 4.
    """
    low, high = Fraction(least), Fraction(most)
    assert low <= high
    assert max(low.denominator, high.denominator) <= max_denominator
    special = (low, high, min(max(low, Fraction(0)), high))

    def at(number):
        rest, kind = divmod(number * _ODD % _PLACES, 16)
        largest = min(4, max_denominator) if kind < 5 else max_denominator
        share, denominator = divmod(rest, largest)
        denominator += 1
        first, last = ceil(low * denominator), floor(high * denominator)
        if kind == 0 or first > last:
            return special[rest % 3]
        shares = _PLACES // 16 // largest + 1
        return Fraction(first + share * (last - first + 1) // shares, denominator)

    return st.integers(0, _PLACES - 1).map(at)
