r"""The right end of the spectrum of a product of free factors.

The squared singular values of a wide product fill an interval whose upper end is the edge of a
free multiplicative convolution,

.. math:: \lambda_+ = \min_{z > 0} \frac{1}{z} \prod_k h\Bigl(\frac{z}{w_k}\Bigr),

with 1/h the S-transform of a factor: 1 + t for a square Gaussian matrix.
"""

from collections.abc import Callable

import numpy as np

from numeric.arguments import Floats

# The minimum lies at z about one over the number of factors for nearly equal widths, at infinity
# for a single one, where e^-40 more is no more in floats.
_LOG_Z = (-20.0, 40.0)


def edge_of_product(h: Callable[[Floats], Floats], widths: Floats) -> float:
    """The square root of min_{z > 0} z^{-1} prod_k h(z / w_k).

    The widths w_k > 0 are in units of the first; the minimum is a local one of the logarithm over
    e^-20 <= z <= e^40. For no factors it is 0, the infimum of 1/z.

    >>> round(edge_of_product(lambda t: 1 + t, np.ones(2)), 12)  # (1 + z)^2 / z
    2.0
    >>> edge_of_product(lambda t: 1 + t, np.array([]))  # no factor
    0.0
    """
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - slow to import

    if not widths.size:
        return 0.0

    def exponent(log_z: float) -> float:
        return float(np.log(h(np.exp(log_z) / widths)).sum() - log_z)

    found = minimize_scalar(exponent, bounds=_LOG_Z, method="bounded", options={"xatol": 1e-9})
    return float(np.exp(found.fun / 2))
