r"""The limit law of an attention output for two tokens, in balls that contain the truth.

Given the scores an entry of the output is N(0, V), V the mean of one variance a head.  With the
covariance S of the limits of the inputs, and the difference of the two scores of a token in a head,

.. math:: V = \frac1H \sum_a q_a, \quad q_a = \sigma_a^2\,
        \frac{A + 2 B h_a + D h_a^2}{4}, \quad h_a = \tanh(\delta_a/2), \quad
        \delta_a \sim \mathcal{N}(0, \sigma_{QK,a}^2 S_{ii} D),

A = S11 + 2 S12 + S22, B = S11 - S22, D = S11 - 2 S12 + S22, and independent heads.  A moment of q_a
is one Gaussian integral, a moment of V a convolution of these, and the characteristic function

.. math:: F(u) = \mathbb{E} e^{iuZ} = \prod_a \mathbb{E} \exp(-u^2 q_a/(2H))

a product of Gaussian integrals, all of them enclosed by rigorous integration.  The density f
follows from Poisson's summation formula, with w > 0 and the period P = 2 pi/w,

.. math:: \sum_j f(y + jP) = \frac{w}{2\pi} \sum_k F(kw) \cos(kwy), \qquad
    \sum_j \mathbb{P}(|Z - jP| < t) = \frac{wt}{\pi}
        + \frac{2}{\pi} \sum_{k \ge 1} \frac{F(kw) \sin(kwt)}{k}.

With V in [v, v'], v > 0, the terms j != 0 and those of |k| > N are at most

.. math:: \frac{2 \phi_{v'}(R)}{1 - e^{-R^2/v'}} \ \ (R = P - |y| \ge \sqrt{v'}), \quad
    2 \operatorname{erfc}\frac{P - t}{\sqrt{2v'}} \ \ (t < P), \quad
    I = \frac1\pi \int_{Nw}^\infty e^{-u^2 v/2}\,du, \quad \frac{2I}{Nw},

where phi_v is the density of N(0, v).  Proofs: proofs_notes/attn_laws.md#values-for-two-tokens.
"""

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import arb, fmpz

from numeric.arguments import (
    NONNEGATIVE,
    POSITIVE,
    REAL,
    Interval,
    exact_array,
    exact_number,
    integer,
    is_array,
    shown,
)
from numeric.balls import ball
from numeric.networks.attention.poisson_sums import PoissonSums, poisson_sums
from numeric.networks.attention.two_token_heads import (
    Head,
    Heads,
    characteristic_ball,
    convolved,
    head_moment,
    power,
)
from numeric.quadrature.enclosures import fraction

_MOST_HEADS = 10**6
_MOST_ORDER = 1000
#: Heads of different scales: each takes a fifth of a second.
_MOST_DIFFERENT = 100
#: Points, in units of the root of the largest variance: e^(-30^2/2) has some 650 bits.
_FARTHEST = 30
_SPREAD = Fraction(10**12)


@dataclass(frozen=True)
class TwoTokenLaw:
    r"""The law of an entry Z of the limit of the output of one of two tokens.

    - ``gram``: S, the covariance of the limits of the inputs, shape ``(2, 2)``, symmetric and
      nonnegative definite.
    - ``heads``: H, at most 10^6, of which at most 100 differ in their scales.
    - ``score_scales``: sigma_Q sigma_K, ``value_scales``: sigma_V sigma_O, positive, one number or
      one a head; the variance of a difference of scores is 0 or from 10^-12 to 10^12.
    - ``token``: the token, 0 or 1.

    Numbers are int, Fraction, decimal string, float or mpf and taken exactly: a singular matrix
    should not be rounded, and irrational entries need enough digits (``limit_gram`` has them).
    The methods answer balls, at flint's precision, whose radius is that of rounding beside the
    largest value.  Raises TypeError or ValueError for other arguments.
    Source: "Infinite-Width Limit of a Single Attention Layer", Example 3.1.

    >>> law = TwoTokenLaw([[1, 0], [0, 1]], heads=2)
    >>> law.variances
    (Fraction(1, 2), Fraction(1, 1))
    >>> print(law.density(0))
    [0.50354424504092 +/- 5.54e-15]
    """

    gram: Any
    heads: int = 1
    score_scales: Any = 1
    value_scales: Any = 1
    token: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", integer("heads", self.heads, 1, _MOST_HEADS))
        object.__setattr__(self, "token", integer("token", self.token, 0, 1))
        object.__setattr__(self, "gram", _checked_gram(self.gram))
        for name in ("score_scales", "value_scales"):
            object.__setattr__(self, name, _scales(name, getattr(self, name), self.heads))

    @cached_property
    def _heads(self) -> Heads:
        """The different heads, with the factor 1/H in their variances, and how many there are."""
        (s11, s12), (_, s22) = self.gram
        both, skew, apart = s11 + 2 * s12 + s22, s11 - s22, s11 - 2 * s12 + s22
        scales = (self.score_scales, self.value_scales)
        several = max(map(len, scales))
        each = [one * several if len(one) == 1 else one for one in scales]
        pairs = Counter(zip(*each, strict=True))
        if len(pairs) > _MOST_DIFFERENT:
            raise ValueError(
                f"score_scales and value_scales: at most {_MOST_DIFFERENT} heads with different"
                f" scales are computed, got {len(pairs)}"
            )
        own = self.gram[self.token][self.token]
        found = []
        for (score, value), count in pairs.items():
            factor = value * value / (4 * self.heads)
            parts = (factor * both, 2 * factor * skew, factor * apart)
            copies = self.heads if several == 1 else count
            found.append((Head(*parts, _gap_variance(score * score * own * apart)), copies))
        return tuple(found)

    @cached_property
    def variances(self) -> tuple[Fraction, Fraction]:
        """The least and the largest variance V that scores can bring about."""
        ranges = [(head.range(), count) for head, count in self._heads]
        low, high = (sum((n * one[k] for one, n in ranges), Fraction()) for k in (0, 1))
        return low, high

    def variance_moment(self, order: int) -> arb:
        """E V^n: the moments of a sum of independent variables, by binomial convolution.

        The order times the number of heads that differ in their scales is at most 1000.
        """
        n = integer("order", order, 0, _MOST_ORDER)
        if n * len(self._heads) > _MOST_ORDER:
            raise ValueError(
                f"order: times the number of different heads at most {_MOST_ORDER}, got"
                f" {n} times {len(self._heads)}"
            )
        total = [arb(1)] + [arb(0)] * n
        for head, count in self._heads:
            total = convolved(total, power([head_moment(head, k) for k in range(n + 1)], count))
        return total[n]

    def moment(self, order: int) -> arb:
        """E Z^k = (k - 1)!! E V^(k/2) for k even, and 0 for k odd; k at most 1000."""
        k = integer("order", order, 0, _MOST_ORDER)
        if k % 2:
            return arb(0)
        factor = arb(fmpz(math.factorial(k) // (math.factorial(k // 2) * 2 ** (k // 2))))
        return factor * self.variance_moment(k // 2)

    def kurtosis(self) -> arb:
        """The excess kurtosis 3 Var V/(E V)^2, a sum over heads."""
        self._check_positive()
        spread, mean = arb(0), arb(0)
        for head, count in self._heads:
            first = head_moment(head, 1)
            mean += count * first
            if not head.is_constant():
                spread += count * (head_moment(head, 2) - first * first)
        return 3 * spread / mean**2

    def characteristic(self, frequency: Any) -> arb:
        """F(u) = E cos(uZ) = E exp(-u^2 V/2) at u = frequency, where |u| sqrt(v') is at most 30."""
        largest = self.variances[1]
        at = _within("frequency", frequency, 1 / ball(largest).sqrt() if largest else None)
        return characteristic_ball(self._heads, at)

    def density(self, y: Any) -> arb:
        """The density of Z at y, |y| at most 30 sqrt(v'); V must have a positive lower bound."""
        return self.sums("y", y).density()

    def mass(self, t: Any) -> arb:
        """P(|Z| < t) for 0 <= t <= 30 sqrt(v'); V must have a positive lower bound."""
        return self.sums("t", t, NONNEGATIVE).mass()

    def sums(self, name: str, point: Any, domain: Interval = REAL) -> PoissonSums:
        """What the density and the mass at a point, an argument of that name, are found from."""
        self._check_positive()
        low, high = self.variances
        if low == 0:
            raise ValueError("gram must leave every mixture of both tokens a positive variance")
        at = _within(name, point, ball(high).sqrt(), domain)
        return poisson_sums(self._heads, low, high, at)

    def _check_positive(self) -> None:
        if self.variances[1] == 0:
            raise ValueError("gram must give the output a positive variance")


def _checked_gram(gram: Any) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    if not is_array(gram):
        raise TypeError(f"gram must be a matrix, got {shown(gram)}")
    (a, b), (c, d) = exact_array("gram", gram, (2, 2))
    if b != c:
        raise ValueError("gram must be symmetric")
    if a < 0 or d < 0 or a * d < b * b:
        raise ValueError("gram must be nonnegative definite, exactly")
    return (a, b), (b, d)


def _scales(name: str, value: Any, heads: int) -> tuple[Fraction, ...]:
    given = list(value) if is_array(value) else [value]
    if is_array(value) and len(given) != heads:
        raise ValueError(f"{name} must be one number or {heads}, got {len(given)}")
    return tuple(fraction(name, one, POSITIVE) for one in given)


def _gap_variance(value: Fraction) -> Fraction:
    if value and not 1 / _SPREAD <= value <= _SPREAD:
        raise ValueError(
            "score_scales and gram must give the difference of two scores a variance that is 0 or"
            f" in [1e-12, 1e12], got {ball(value).str(5, radius=False)}"
        )
    return value


def _within(name: str, value: Any, unit: arb | None, domain: Interval = REAL) -> arb:
    """An exact number, or a ball, not too many units from 0."""
    at = value if isinstance(value, arb) else ball(exact_number(name, value, domain))
    if not at.is_finite() or (domain is NONNEGATIVE and at < 0):
        raise ValueError(f"{name} must lie in {domain}, got {value}")
    if unit is not None and not abs(at) < _FARTHEST * unit * (1 + arb(2) ** -10):
        farthest = (_FARTHEST * unit).str(5, radius=False)
        raise ValueError(f"{name} must be at most {farthest} in size, got {shown(value)}")
    return at
