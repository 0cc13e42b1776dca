r"""Where the largest singular value of a backpropagation matrix lies in wide networks.

For widths m_k = k^2 m, as m grows, the squared singular values of (k_1 - 1) m^{1/2} B_{k_1,k_2}
fill an interval whose upper end is

.. math:: \lambda_+ = \min_{z > 0} \frac{1}{z} \prod_{k=k_1-1}^{k_2-1}
    h\Bigl(\frac{(k_1-1)^2}{k^2} z\Bigr), \qquad
    h(t) = \tfrac12 \Bigl(1 + 2t + \sqrt{1 + 16 \Delta (1-\Delta) t (1+t)}\Bigr),

the edge of a free multiplicative convolution: 1/h(t) is the S-transform, at z, of
m_k^{-1} G^* S^2 G with Gaussian G and independent squared slopes 1 + r or 1 - r, r^2 = 4 Delta
(1 - Delta), when the columns of G are t/z times as many as its rows.
"""

from collections.abc import Callable

import numpy as np

from numeric.arguments import (
    NONNEGATIVE,
    POSITIVE,
    Floats,
    closed,
    integer,
    real_array,
    real_number,
    shown,
)

__all__ = ["backpropagation_edge", "edge_of_product", "inverse_s_transform"]

_SHARE = closed(0, 1)
_MOST_LAYERS = 10**7  # one float for each
# The minimum lies at z about 1/(k_2 - k_1) for nearly equal widths, at infinity for k_1 = k_2,
# where e^-40 more is no more in floats.
_LOG_Z = (-20.0, 40.0)


def inverse_s_transform(t: float | Floats, delta: float) -> Floats:
    """h(t) = (1 + 2t + sqrt(1 + 16 Delta (1 - Delta) t (1 + t))) / 2 for numbers t >= 0.

    Raises TypeError or ValueError for arguments outside the domain, naming them.

    >>> print(inverse_s_transform(2.0, 1), inverse_s_transform(2.0, 0.5))  # 1 + t and 1 + 2t
    3.0 5.0
    """
    times, share = real_array("t", t, NONNEGATIVE), real_number("delta", delta, _SHARE)
    return np.asarray(
        (1 + 2 * times + np.sqrt(1 + 16 * share * (1 - share) * times * (1 + times))) / 2
    )


def edge_of_product(h: Callable[[Floats], Floats], widths: Floats) -> float:
    """The square root of min_{z > 0} z^{-1} prod_k h(z / w_k), the edge of a product of factors.

    The widths w_k > 0, an array, are in units of the first; ``h`` maps arrays of positive numbers
    to arrays, and the minimum is a local one of its logarithm over e^-20 <= z <= e^40. For no
    factors it is 0, the infimum of 1/z.
    Raises TypeError or ValueError for anything else, naming the argument.

    >>> round(edge_of_product(lambda t: 1 + t, np.ones(2)), 12)  # a square Gaussian: (1 + z)^2 / z
    2.0
    >>> edge_of_product(lambda t: 1 + t, np.array([]))  # no factor
    0.0
    """
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - slow to import

    if not callable(h):
        raise TypeError(f"h must be callable, got {shown(h)}")
    units = real_array("widths", widths, POSITIVE, ("factors",))
    if not units.size:
        return 0.0

    def exponent(log_z: float) -> float:
        return float(np.log(h(np.exp(log_z) / units)).sum() - log_z)

    found = minimize_scalar(exponent, bounds=_LOG_Z, method="bounded", options={"xatol": 1e-9})
    return float(np.exp(found.fun / 2))


def backpropagation_edge(k1: int, k2: int, delta: float = 1.0) -> float:
    """sqrt(lambda_+), the limit of (k_1 - 1) m^{1/2} |B_{k_1,k_2}| for widths m_k = k^2 m.

    2 <= k1 <= k2 <= 10^7; delta in [0, 1]. Raises TypeError or ValueError, naming the argument.

    Source: derived here; compare "MLPs at the EOC", Proposition 26.

    >>> backpropagation_edge(2, 2), round(backpropagation_edge(2, 3), 12)  # |B_22| = m^{-1/2}
    (1.0, 1.5)
    >>> [round(backpropagation_edge(2, k), 4) for k in (10, 100, 1000)]  # no logarithm
    [1.8187, 1.9049, 1.9127]
    """
    first = integer("k1", k1, 2, _MOST_LAYERS)
    last = integer("k2", k2, first, _MOST_LAYERS)
    share = real_number("delta", delta, _SHARE)
    squares = (np.arange(first - 1, last) / (first - 1.0)) ** 2
    return edge_of_product(lambda t: inverse_s_transform(t, share), squares)
