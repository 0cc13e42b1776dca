"""The limit law of an attention output for two tokens as functions, in floats or to many digits.

They are the methods of ``TwoTokenLaw``, whose balls are made as narrow as the digits ask for.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath
import numpy as np
from flint import arb
from scipy.special import ndtr

from numeric.arguments import Floats, decimal_digits
from numeric.arithmetic import bits_of_digits, proved
from numeric.balls import ball, working_precision
from numeric.gaussian_mixtures import kullback_leibler, normal_density
from numeric.networks.attention.two_token_law import TwoTokenLaw

__all__ = [
    "TwoTokenLaw",
    "two_token_characteristic",
    "two_token_density",
    "two_token_distance",
    "two_token_divergence",
    "two_token_kurtosis",
    "two_token_moment",
    "two_token_tail",
]

_FLOAT_BITS = 60  # as balls are asked for where floats are wanted


def _answer(digits: int | None, point: Any, evaluate: Callable[[], arb]) -> float | mpmath.mpf | arb:
    """A ball for a ball, so many digits, or a float."""
    if isinstance(point, arb):
        return evaluate()
    if digits is not None:
        return proved(evaluate, bits_of_digits(decimal_digits(digits)))
    value = float(proved(evaluate, _FLOAT_BITS))
    if not math.isfinite(value):
        raise OverflowError("the value is too large for a float; use digits=")
    return value


def two_token_density(
    y: Any, gram: Any, heads: int = 1, score_scales: Any = 1, value_scales: Any = 1,
    token: int = 0, *, digits: int | None = None,
) -> Any:  # fmt: skip
    r"""The density at y of the limit of an entry of the output of one of two tokens.

    .. math:: f(y) = \mathbb{E}\, (2 \pi V)^{-1/2} e^{-y^2/(2V)}

    - ``y``: |y| at most 30 times the root of the largest variance; a ball gives a ball.
    - the others: as for ``TwoTokenLaw``; every mixture of the two tokens must have a positive
      variance.

    The result is a float, or with ``digits`` an mpf of so many correct digits.
    Source: "Infinite-Width Limit of a Single Attention Layer", Example 3.1.

    >>> two_token_density(0, [[1, 0], [0, 1]])
    0.5068530738210865
    >>> print(mpmath.nstr(two_token_density(0, [[1, 0], [0, 1]], heads=2, digits=30), 30))
    0.503544245040917607736051469054
    """
    law = TwoTokenLaw(gram, heads, score_scales, value_scales, token)
    return _answer(digits, y, lambda: law.density(y))


def two_token_tail(
    t: Any, gram: Any, heads: int = 1, score_scales: Any = 1, value_scales: Any = 1,
    token: int = 0, *, digits: int | None = None,
) -> Any:  # fmt: skip
    r"""The probability P(|Z| >= t) of the limit of an entry of the output of one of two tokens.

    .. math:: \mathbb{P}(|Z| \ge t) = \mathbb{E} \operatorname{erfc}(t / \sqrt{2V})

    - ``t``: from 0 to 30 times the root of the largest variance; a ball gives a ball.
    - the others and the result: as for ``two_token_density``.

    >>> two_token_tail(2, [[1, 0], [0, 1]])
    0.013514794145933325
    """
    law = TwoTokenLaw(gram, heads, score_scales, value_scales, token)
    return _answer(digits, t, lambda: 1 - law.mass(t))


def two_token_characteristic(
    frequency: Any, gram: Any, heads: int = 1, score_scales: Any = 1, value_scales: Any = 1,
    token: int = 0, *, digits: int | None = None,
) -> Any:  # fmt: skip
    r"""The characteristic function E cos(uZ) = E exp(-u^2 V/2) of such an entry.

    - ``frequency``: u, |u| at most 30 over the root of the largest variance; a ball gives a ball.
    - the others and the result: as for ``two_token_density``; variances may vanish here.

    >>> two_token_characteristic(1, [[1, 0], [0, 1]])
    0.7287487661084513
    """
    law = TwoTokenLaw(gram, heads, score_scales, value_scales, token)
    return _answer(digits, frequency, lambda: law.characteristic(frequency))


def two_token_moment(
    order: int, gram: Any, heads: int = 1, score_scales: Any = 1, value_scales: Any = 1,
    token: int = 0, *, digits: int | None = None,
) -> Any:  # fmt: skip
    """The moment E Z^k of such an entry, k from 0 to 1000: (k - 1)!! E V^(k/2), or 0 for k odd.

    Arguments and result are those of ``two_token_density``; variances may vanish here.

    >>> print(mpmath.nstr(two_token_moment(2, [[1, 0], [0, 1]], digits=23), 23))
    0.63683815396836945450914
    """
    law = TwoTokenLaw(gram, heads, score_scales, value_scales, token)
    return _answer(digits, None, lambda: law.moment(order))


def two_token_kurtosis(
    gram: Any, heads: int = 1, score_scales: Any = 1, value_scales: Any = 1,
    token: int = 0, *, digits: int | None = None,
) -> Any:  # fmt: skip
    """The excess kurtosis 3 Var V/(E V)^2 of such an entry.

    Arguments and result are those of ``two_token_density``; V must not vanish altogether.

    >>> print(mpmath.nstr(two_token_kurtosis([[1, 0], [0, 1]], digits=23), 23))
    0.11998083075720871692945
    """
    law = TwoTokenLaw(gram, heads, score_scales, value_scales, token)
    return _answer(digits, None, law.kurtosis)


def two_token_divergence(
    gram: Any, heads: int = 1, score_scales: Any = 1, value_scales: Any = 1, token: int = 0
) -> float:
    r"""The Kullback-Leibler divergence of such an entry from the normal law of its variance.

    With heads of equal scales that is the limit law of infinitely many heads.  It is found in
    floats, from enclosures of the characteristic function, by rules of trapezoids that converge
    faster than any power; the error is about 10^-13, as halving the steps shows.
    Arguments are those of ``two_token_density``.

    >>> round(two_token_divergence([[1, 0], [0, 1]]), 12)
    0.000267219279
    """
    return _divergence(TwoTokenLaw(gram, heads, score_scales, value_scales, token), 1)


def two_token_distance(
    gram: Any, heads: int = 1, score_scales: Any = 1, value_scales: Any = 1, token: int = 0
) -> float:
    r"""The largest difference from the distribution function of that normal law.

    .. math:: \sup_x \bigl|\mathbb{P}(Z \le x) - \Phi(x / \sqrt{\mathbb{E} V})\bigr|

    It is found in floats, on a grid and then around the best point, to about 10^-12.
    Arguments are those of ``two_token_density``.

    >>> round(two_token_distance([[1, 0], [0, 1]]), 10)
    0.0025645577
    """
    law = _in_floats(TwoTokenLaw(gram, heads, score_scales, value_scales, token))

    def difference(x: Any) -> Any:
        return abs(law.from_zero(np.atleast_1d(x)) - ndtr(x / math.sqrt(law.mean)) + 0.5)

    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - slow to import

    grid = np.linspace(0, _REACH * law.high, 801)
    most = grid[np.argmax(difference(grid))]
    near = (max(most - grid[1], 0.0), most + grid[1])
    options = {"xatol": 1e-9 * law.high}
    found = minimize_scalar(
        lambda x: -float(difference(x)[0]), bounds=near, method="bounded", options=options
    )
    return -float(found.fun)


class _Floats(NamedTuple):
    """The law in a unit in which the largest variance lies in [1, 4), by Poisson's sums."""

    low: float  # the roots of the least and of the largest variance
    high: float
    mean: float  # E V
    step: float
    values: Floats

    def density(self, y: Floats) -> Floats:
        """The density at points y up to the reach, to rounding."""
        cosines = np.cos(np.outer(y, self._waves())) @ self.values
        return np.asarray(self.step / (2 * math.pi) * (1 + 2 * cosines))

    def from_zero(self, x: Floats) -> Floats:
        """P(0 < Z < x) for x >= 0, likewise."""
        waves = self._waves()
        sines = np.sin(np.outer(x, waves)) @ (self.values / waves)
        return np.asarray(self.step / (2 * math.pi) * (x + 2 * sines))

    def _waves(self) -> Floats:
        return np.asarray(self.step * np.arange(1, len(self.values) + 1), dtype=float)


_REACH = 8.0  # in roots of the largest variance: the density is below e^-32 beyond


def _in_floats(law: TwoTokenLaw) -> _Floats:
    with working_precision(_FLOAT_BITS):
        sums = law.sums("gram", _REACH * ball(law.variances[1]).sqrt())
        unit = Fraction(4) ** sums.exponent
        mean = float(law.variance_moment(1) / ball(unit))
    low, high = (math.sqrt(one / unit) for one in law.variances)
    values = np.array([float(one) for one in sums.values])
    return _Floats(low, high, mean, float(sums.step), values)


def _divergence(law: TwoTokenLaw, refinement: int) -> float:
    known = _in_floats(law)
    step = known.low / (4 * refinement)
    count = math.ceil(_REACH * known.high / step)
    grid = np.asarray(step * np.arange(-count, count + 1), dtype=float)
    normal = normal_density(grid, np.array(known.mean))
    return kullback_leibler(np.maximum(known.density(grid), 0.0), normal, step)
