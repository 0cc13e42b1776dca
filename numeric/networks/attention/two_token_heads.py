"""The variance that one head adds to an output of two tokens, and means over its scores."""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from flint import acb, arb, ctx

from numeric.balls import ball
from numeric.quadrature import Growth, enclose_expectation


class Head(NamedTuple):
    """The variance c + b h + a h^2, h = tanh(delta/2), of a head, and that of delta."""

    constant: Fraction
    linear: Fraction
    square: Fraction
    gap_variance: Fraction

    def is_constant(self) -> bool:
        """Whether the variance is the same for all scores."""
        return self.gap_variance == 0 or self.linear == self.square == 0

    def range(self) -> tuple[Fraction, Fraction]:
        """The least and the largest value over -1 <= h <= 1; over h = 0 if that is all."""
        c, b, a, _ = self
        if self.is_constant():
            return c, c
        ends = [c + b + a, c - b + a]
        if abs(b) < 2 * a:  # the vertex of the parabola lies inside
            ends.append(c - b * b / (4 * a))
        return min(ends), max(ends)

    def over(self, unit: Fraction) -> "Head":
        """The variance in another unit."""
        c, b, a, gap_variance = self
        return Head(c / unit, b / unit, a / unit, gap_variance)

    def at(self, delta: acb) -> acb:
        """The variance for a complex difference of the scores."""
        h = (delta / 2).tanh()
        c, b, a = _coefficients(self, ctx.prec)
        return c + h * (b + h * a)


@lru_cache(maxsize=64)
def _coefficients(head: Head, _prec: int) -> list[acb]:
    return [acb(ball(one)) for one in head[:3]]


#: Different heads, and how many there are of each.
Heads = tuple[tuple[Head, int], ...]


def mean_over_scores(head: Head, function: Callable[[acb], acb]) -> arb:
    """E function(q), of a function that is analytic and at most 1 on the range of q."""
    if head.is_constant():
        return function(acb(ball(head.constant))).real

    def integrand(delta: acb, _piece: int, _analytic: bool) -> acb:
        return function(head.at(delta))

    prec, variance = ctx.prec, head.gap_variance
    return enclose_expectation(integrand, variance=variance, growth=Growth(2, 0), prec=prec)


def head_moment(head: Head, order: int) -> arb:
    """E q^n, from the mean of a power that is at most 1."""
    high = head.range()[1]
    if order == 0 or high == 0:
        return arb(int(order == 0))
    largest = ball(high)
    return largest**order * mean_over_scores(head, lambda q: (q / largest) ** order)


def characteristic_ball(heads: Heads, u: arb) -> arb:
    """E cos(uZ) of a normal variable whose variance is the sum over the heads."""
    half_square = u * u / 2
    value = arb(1)
    for head, count in heads:
        value *= mean_over_scores(head, lambda q: (-half_square * q).exp()) ** count
    return value


def convolved(first: list[arb], second: list[arb]) -> list[arb]:
    """Moments of a sum of two independent variables from theirs."""
    return [
        sum((math.comb(n, j) * first[j] * second[n - j] for j in range(n + 1)), arb(0))
        for n in range(len(first))
    ]


def power(moments: list[arb], count: int) -> list[arb]:
    """Moments of a sum of so many independent copies."""
    result, square = [arb(1)] + [arb(0)] * (len(moments) - 1), moments
    while count:
        if count % 2:
            result = convolved(result, square)
        count //= 2
        if count:
            square = convolved(square, square)
    return result
