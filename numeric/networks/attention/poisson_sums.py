r"""Poisson's sums of the characteristic function of an output, and bounds of what is left out.

See ``two_token_law`` for the formulas, and proofs_notes/attn_laws.md#values-for-two-tokens.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx

from numeric.balls import ball
from numeric.networks.attention.two_token_heads import Heads, characteristic_ball

_MOST_TERMS = 5_000


@dataclass(frozen=True)
class PoissonSums:
    """Values of the characteristic function F of Z/2^e, whose largest variance lies in [1, 4).

    - ``at``: y/2^e; ``least``, ``largest``: the bounds v and v' of the variance.
    - ``step``: w, a dyadic number; ``values``: F(kw) for k = 1, ..., N.
    """

    exponent: int
    at: arb
    least: arb
    largest: arb
    step: Fraction
    values: tuple[arb, ...]

    def density(self) -> arb:
        """The density of Z at y."""
        w, total = ball(self.step), arb(1)
        for k, value in enumerate(self.values, 1):
            total += 2 * value * (k * w * self.at).cos()
        room = self._period() - abs(self.at)
        square = room * room / self.largest
        aliases = 2 * _normal(room, self.largest) / (1 - (-square).exp())
        value = w / (2 * arb.pi()) * total - arb(0).union(aliases)
        return _scaled(value + arb(0, 1) * self._cut(), -self.exponent)

    def mass(self) -> arb:
        """P(|Z| < y) for y >= 0."""
        w, total = ball(self.step), arb(0)
        for k, value in enumerate(self.values, 1):
            total += value * (k * w * self.at).sin() / k
        aliases = 2 * ((self._period() - self.at) / (2 * self.largest).sqrt()).erfc()
        value = (w * self.at + 2 * total) / arb.pi() - arb(0).union(aliases)
        return value + arb(0, 1) * 2 * self._cut() / (len(self.values) * w)

    def _period(self) -> arb:
        return 2 * arb.pi() / ball(self.step)

    def _cut(self) -> arb:
        """The integral of e^(-u^2 v/2)/pi beyond Nw."""
        end = len(self.values) * ball(self.step)
        return (end * (self.least / 2).sqrt()).erfc() / (2 * arb.pi() * self.least).sqrt()


def poisson_sums(heads: Heads, low: Fraction, high: Fraction, point: arb) -> PoissonSums:
    """Sums at a point for a variance in [low, high], so long that errors are about 2^-prec.

    The period leaves sqrt(v') r beyond |y|, with e^(-r^2/2) = 2^-(prec + 4), and N is such that
    Nw is at least r/sqrt(v).  Raises ValueError if this takes more than 5000 terms.
    """
    exponent = _half_exponent(high)
    unit = Fraction(4) ** exponent
    scaled = tuple((head.over(unit), n) for head, n in heads)
    least, largest, at = low / unit, high / unit, _scaled(point, -exponent)
    reach = math.sqrt(2 * math.log(2) * (ctx.prec + 4))
    step = _rounded_down(2 * math.pi / (_size(at) + math.sqrt(largest) * reach))
    terms = reach / math.sqrt(least) / float(step) + 1 if least > _TINY else math.inf
    if terms > _MOST_TERMS:
        raise ValueError(
            "gram must leave a larger share of the largest variance of the output to the least:"
            f" {float(least / largest):.3g} would take too many terms"
        )
    values = _lattice(scaled, step, math.ceil(terms), ctx.prec)
    return PoissonSums(exponent, at, ball(least), ball(largest), step, values)


_TINY = Fraction(1, 10**12)


@lru_cache(maxsize=32)
def _lattice(heads: Heads, step: Fraction, terms: int, prec: int) -> tuple[arb, ...]:
    """F(kw) for k = 1, ..., N at flint's precision; points nearby ask for the same."""
    assert prec == ctx.prec
    return tuple(characteristic_ball(heads, ball(k * step)) for k in range(1, terms + 1))


def _size(at: arb) -> float:
    return float(abs(at).upper()) + 2.0**-8


def _half_exponent(value: Fraction) -> int:
    """The e with 4^e <= value < 4^(e+1)."""
    e = (value.numerator.bit_length() - value.denominator.bit_length()) // 2 - 1
    while Fraction(4) ** (e + 1) <= value:
        e += 1
    return e


def _rounded_down(value: float) -> Fraction:
    """The largest number of four significant bits that is not above."""
    mantissa, exponent = math.frexp(value)
    return Fraction(math.floor(mantissa * 16)) * Fraction(2) ** (exponent - 4)


def _scaled(value: arb, exponent: int) -> arb:
    return value * arb(2) ** exponent


def _normal(x: arb, variance: arb) -> arb:
    return (-x * x / (2 * variance)).exp() / (2 * arb.pi() * variance).sqrt()
