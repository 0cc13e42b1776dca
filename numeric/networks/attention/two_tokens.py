"""The limit law of an attention output for two tokens as functions, in floats or to many digits.

They are the methods of ``TwoTokenLaw``, whose balls are made as narrow as the digits ask for.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
from flint import arb

from numeric.arguments import decimal_digits
from numeric.arithmetic import bits_of_digits, proved
from numeric.balls import ball, working_precision
from numeric.gaussian_mixtures import kullback_leibler
from numeric.networks.attention.two_token_law import TwoTokenLaw

__all__ = [
    "TwoTokenLaw",
    "two_token_characteristic",
    "two_token_density",
    "two_token_divergence",
    "two_token_kurtosis",
    "two_token_moment",
    "two_token_tail",
]

_FLOAT_BITS = 60  # as balls are asked for where floats are wanted


def _answer(
    digits: int | None, point: Any, evaluate: Callable[[], arb]
) -> float | mpmath.mpf | arb:
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
    law = TwoTokenLaw(gram, heads, score_scales, value_scales, token)
    return _divergence(law, 1)


def _divergence(law: TwoTokenLaw, refinement: int) -> float:
    largest = law.variances[1]
    with working_precision(_FLOAT_BITS):
        sums = law.sums("y", 8 * ball(largest).sqrt())
        unit = Fraction(4) ** sums.exponent
        mean = float(law.variance_moment(1) / ball(unit))
    high = math.sqrt(largest / unit)
    step = math.sqrt(law.variances[0] / unit) / (4 * refinement)
    grid = step * np.arange(-math.ceil(8 * high / step), math.ceil(8 * high / step) + 1)
    waves = float(sums.step) * np.arange(1, len(sums.values) + 1)
    values = np.array([float(one) for one in sums.values])
    density = float(sums.step) / (2 * math.pi) * (1 + 2 * np.cos(np.outer(grid, waves)) @ values)
    normal = np.exp(-grid * grid / (2 * mean)) / math.sqrt(2 * math.pi * mean)
    return kullback_leibler(np.maximum(density, 0.0), normal, step)
