"""Mixtures of centred Gaussian laws, from draws of their variances.

A law that is Gaussian given a random variance has the density E phi(y / sqrt(V)) / sqrt(V).  Its
mean over draws of V has an error of order 1/sqrt(size) at every point and no bias, where an
estimate from draws of the variable itself has to be smoothed.
"""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlog1py

from numeric.arguments import NONNEGATIVE, POSITIVE, Floats, real_array, real_number

__all__ = ["kullback_leibler", "mixture_density"]

_BLOCK = 1 << 16  # entries held at a time


def mixture_density(points: ArrayLike, variance_draws: ArrayLike) -> Floats:
    r"""The mean over the variances v of the densities of N(0, v) at points.

    .. math:: f(y) = \frac{1}{N} \sum_k (2 \pi v_k)^{-1/2} e^{-y^2 / (2 v_k)}

    - ``points``: y, shape ``(m,)``; ``variance_draws``: v, positive, shape ``(N,)``, N at least 1.

    The result has shape ``(m,)``.  Raises TypeError or ValueError for other arguments.

    >>> mixture_density([0.0], [1.0]).round(4)
    array([0.3989])
    """
    y = real_array("points", points, shape=("m",))
    v = real_array("variance_draws", variance_draws, POSITIVE, ("N",))
    if v.size == 0:
        raise ValueError("variance_draws must have at least one entry")
    total, step = np.zeros(y.shape), max(1, _BLOCK // max(1, y.size))
    for start in range(0, v.size, step):
        part = v[start : start + step, None]
        total += np.sum(normal_density(y, part), axis=0)
    return total / v.size


def normal_density(y: Floats, variance: Floats) -> Floats:
    """The density of N(0, v) at y for positive v, arrays that broadcast.

    >>> normal_density(np.array([0.0]), np.array([4.0])).round(4)
    array([0.1995])
    """
    deviation = np.sqrt(variance)
    with np.errstate(over="ignore"):  # far out for a tiny variance: the density is 0
        standard = np.exp(-((y / deviation) ** 2) / 2)
    return np.asarray(standard / (math.sqrt(2 * math.pi) * deviation))


def kullback_leibler(first: ArrayLike, second: ArrayLike, step: float) -> float:
    r"""The Kullback-Leibler divergence of two densities from their values on an even grid.

    .. math:: \sum_k h \Bigl(f_k \log \frac{f_k}{g_k} - f_k + g_k\Bigr)

    is the rule of the trapezoids where both vanish at the ends of the grid; its terms are at least
    0, so that small divergences keep their digits.

    - ``first``: f, at least 0, shape ``(m,)``; ``second``: g, positive, of the same shape.
    - ``step``: h, positive.

    Raises TypeError or ValueError for other arguments, and for a sum that is not finite.

    >>> y = np.linspace(-12, 12, 1001)
    >>> f, g = mixture_density(y, [1.0]), mixture_density(y, [2.0])
    >>> abs(kullback_leibler(f, g, 0.024) - (math.log(2) - 0.5) / 2) < 1e-12
    True
    """
    f = real_array("first", first, NONNEGATIVE, ("m",))
    g = real_array("second", second, POSITIVE, (f.shape[0],))
    h = real_number("step", step, POSITIVE)
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = (f - g) / g
        # (1 + r) log(1 + r) - r, whose terms cancel for small r
        small = np.where(np.abs(ratio) < 1e-4, ratio, 0.0)
        series = small**2 / 2 - small**3 / 6 + small**4 / 12
        direct = xlog1py(1 + ratio, ratio) - ratio
        total = float(h * np.sum(g * np.where(small == ratio, series, direct)))
    if not math.isfinite(total):
        raise ValueError(f"the divergence must stay within float64, got {total}")
    return total
