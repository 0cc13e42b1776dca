r"""A law that is normal given a random variance, known by draws of the variance.

What is asked of the law is the mean of what is known exactly given the variance (Rao and
Blackwell), so that no draw of the variable itself is needed and nothing is smoothed.  Every answer
comes with its standard error: the standard deviation of the draws over the root of their number;
for functions of several means, that of the linear part of the function (the delta method).  Values
at different points come from the same draws, and their errors go together.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfc, ndtr

from numeric.arguments import NONNEGATIVE, Floats, integer, real_array
from numeric.gaussian_mixtures import kullback_leibler, mixture_density, normal_density

__all__ = ["CovarianceMixture", "Estimate", "VarianceMixture", "mean_estimate"]

_BLOCK = 1 << 16  # entries held at a time
_MOST_ORDER = 200
_REACH, _POINTS = 8.0, 1001  # of the grid of a divergence, in roots of the largest variance


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimated numbers and their standard errors, arrays of one shape.

    Raises ValueError for numbers that are not finite.
    """

    value: Floats
    error: Floats

    def __post_init__(self) -> None:
        for name, numbers in (("the estimate", self.value), ("its standard error", self.error)):
            bad = np.asarray(numbers)[~np.isfinite(numbers)]
            if bad.size:
                raise ValueError(f"{name} must stay within float64, got {bad[0]}")

    def __str__(self) -> str:
        """The numbers to two digits of their errors, as more are not known."""
        if self.value.ndim:
            return f"{self.value} +- {self.error}"
        value, error = float(self.value), float(self.error)
        known = _magnitude(value) - _magnitude(error) + 2 if error > 0 else _KNOWN_DIGITS
        return f"{value:.{min(max(1, known), _KNOWN_DIGITS)}g} +- {error:.2g}"


_KNOWN_DIGITS = 12


def _magnitude(value: float) -> int:
    return math.floor(math.log10(abs(value))) if value else 0


def mean_estimate(values: ArrayLike) -> Estimate:
    """The mean of draws, shape ``(N, ...)``, N at least 2, and its standard error.

    >>> print(mean_estimate([1.0, 2.0, 3.0, 6.0]))
    3 +- 1.1
    """
    draws = real_array("values", values)
    if draws.ndim == 0 or len(draws) < 2:
        raise ValueError(f"values must be at least 2 draws, got shape {draws.shape}")
    return _mean([draws])


def _mean(parts: Iterator[Floats] | list[Floats]) -> Estimate:
    """Mean and standard error of draws that come in parts, without cancellation."""
    count, mean, squares = 0, np.zeros(()), np.zeros(())
    with np.errstate(over="ignore", invalid="ignore"):
        for part in parts:
            centre, added = part.mean(axis=0), len(part)
            shift = centre - mean
            squares = squares + ((part - centre) ** 2).sum(axis=0)
            squares = squares + shift**2 * count * added / (count + added)
            mean = mean + shift * added / (count + added)
            count += added
    return Estimate(np.asarray(mean), np.sqrt(squares / (count - 1) / count))


def _slices(count: int, width: int) -> Iterator[slice]:
    step = max(1, _BLOCK // max(1, width))
    return (slice(start, start + step) for start in range(0, count, step))


@dataclass(frozen=True, eq=False)
class VarianceMixture:
    r"""The law of g sqrt(V), g a standard normal variable independent of V, from draws of V.

    - ``variances``: draws of V, at least 0 and not all 0, shape ``(N,)``, N at least 2.

    Raises TypeError or ValueError for other draws.

    >>> law = VarianceMixture(np.random.default_rng(0).chisquare(4, 10_000) / 4)
    >>> kurtosis = law.kurtosis()                     # of Var V = 1/2: 3/2
    >>> bool(abs(kurtosis.value - 1.5) < 4 * kurtosis.error)
    True
    """

    variances: Any

    def __post_init__(self) -> None:
        draws = real_array("variances", self.variances, NONNEGATIVE, ("N",))
        if len(draws) < 2 or not draws.any():
            raise ValueError("variances must be at least 2 draws, not all of them 0")
        object.__setattr__(self, "variances", draws)

    def variance(self) -> Estimate:
        """E V, the variance of the law and of the normal law that it is compared with."""
        return mean_estimate(self.variances)

    def density(self, points: ArrayLike) -> Estimate:
        r"""E (2 pi V)^(-1/2) e^(-y^2/(2V)) at points y, shape ``(m,)``; all draws positive."""
        self._check_positive()
        return self._means("points", points, normal_density)

    def characteristic(self, points: ArrayLike) -> Estimate:
        """E e^(-u^2 V/2) at points u, shape ``(m,)``."""
        return self._means("points", points, lambda u, v: np.exp(-((u * np.sqrt(v)) ** 2) / 2))

    def tail(self, points: ArrayLike) -> Estimate:
        """P(|g| sqrt(V) >= t) = E erfc(t/sqrt(2V)) at points t >= 0, shape ``(m,)``."""
        t = real_array("points", points, NONNEGATIVE, ("m",))

        def beyond(at: Floats, v: Floats) -> Floats:
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(np.where(at == 0, 1.0, erfc(at / np.sqrt(v) / math.sqrt(2))))

        return self._means("points", t, beyond)

    def moment(self, order: int) -> Estimate:
        """E |g|^k V^(k/2) for k = 0, ..., 200; the factor 2^(k/2) Gamma((k + 1)/2)/sqrt(pi)."""
        k = integer("order", order, 0, _MOST_ORDER)
        factor = math.exp(k / 2 * math.log(2) + math.lgamma((k + 1) / 2)) / math.sqrt(math.pi)
        with np.errstate(over="ignore"):
            powers = self.variances ** (k / 2)
        return mean_estimate(np.asarray(factor * powers))

    def kurtosis(self) -> Estimate:
        """The excess kurtosis 3 (E V^2/(E V)^2 - 1)."""
        v = self._relative()
        spread = float(np.mean((v - 1) ** 2))
        linear = mean_estimate(3 * ((v - 1) ** 2 - 2 * spread * (v - 1)))
        return Estimate(np.asarray(3 * spread), linear.error)

    def divergence(self) -> Estimate:
        r"""The Kullback-Leibler divergence from N(0, E V), all draws being positive.

        It is log(2 pi e E V)/2 less the entropy of the density f, and the linear part of its error
        the mean of int phi_v log f + v/(2 E V).  The plug-in has a bias of order 1/N, which
        matters where f is nearly normal.  Densities are taken at 2001 points up to 8 roots of the
        largest variance, which is enough for variances above its 10^-4th part.
        """
        self._check_positive()
        v = self._relative()
        grid = np.linspace(0.0, _REACH * math.sqrt(v.max()), _POINTS)
        step, half = float(grid[1]), mixture_density(grid, v)
        normal = normal_density(grid, np.array(1.0))
        inside = np.minimum(half, normal) > _LEAST
        f, g = (np.concatenate([one[inside][:0:-1], one[inside]]) for one in (half, normal))
        weights = np.where(inside, 2 * step * np.log(np.maximum(half, _LEAST)), 0.0)
        weights[0] /= 2
        parts = (
            normal_density(grid, v[part, None]) @ weights + v[part] / 2 for part in _slices(len(v), _POINTS)
        )
        return Estimate(np.asarray(kullback_leibler(f, g, step)), _mean(parts).error)

    def distance(self, points: int = 401) -> Estimate:
        """The largest |P(g sqrt(V) <= x) - Phi(x/sqrt(E V))| on an even grid of so many points.

        The grid ends at 6 sqrt(E V).  The error is that of the difference at the point where it is
        largest, E V being estimated from the same draws.
        """
        count, relative = integer("points", points, 2), self._relative()
        x = np.linspace(0.0, 6.0, count)
        slope = x * normal_density(x, np.array(1.0)) / 2

        def difference(at: Floats, v: Floats) -> Floats:
            linear = np.interp(at, x, slope) * (v - 1)
            return np.asarray(_below(at, v) - ndtr(at) + linear)

        found = _mean(difference(x, relative[part, None]) for part in _slices(len(relative), count))
        most = int(np.argmax(np.abs(found.value)))
        return Estimate(np.abs(found.value[most]), found.error[most])

    def distance_bound(self) -> Estimate:
        """The bound Var V/(2 (E V)^2), a sixth of the excess kurtosis, of that distance."""
        kurtosis = self.kurtosis()
        return Estimate(kurtosis.value / 6, kurtosis.error / 6)

    def _means(self, name: str, points: ArrayLike, kernel: Callable[[Floats, Floats], Floats]) -> Estimate:
        at, v = real_array(name, points, shape=("m",)), self.variances
        return _mean(kernel(at, v[part, None]) for part in _slices(len(v), len(at)))

    def _relative(self) -> Floats:
        """The variances in units of their mean, taken so that no sum overflows."""
        scaled = self.variances / self.variances.max()
        return np.asarray(scaled / scaled.mean())

    def _check_positive(self) -> None:
        if not self.variances.all():
            raise ValueError("variances must be positive for the law to have a density")


_LEAST = 1e-290  # where densities underflow, nothing of a divergence is left


def _below(x: Floats, v: Floats) -> Floats:
    """Phi(x/sqrt v) for x >= 0; a variable of variance 0 is 0, and half of it counts at x = 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(x == 0, (1 + (v == 0)) / 2, ndtr(x / np.sqrt(v))))


@dataclass(frozen=True, eq=False)
class CovarianceMixture:
    """The law of a vector that is centred normal given a random covariance, from draws of it.

    - ``covariances``: symmetric nonnegative definite matrices, shape ``(N, s, s)``, N at least 2.

    >>> law = CovarianceMixture(np.broadcast_to(np.eye(2), (5, 2, 2)))
    >>> print(law.density([[0.0, 0.0]]))              # 1/(2 pi)
    [0.15915494] +- [0.]
    """

    covariances: Any

    def __post_init__(self) -> None:
        draws = real_array("covariances", self.covariances, shape=("N", "s", "s"))
        if len(draws) < 2 or draws.size == 0:
            raise ValueError(f"covariances must be at least 2 draws, got shape {draws.shape}")
        object.__setattr__(self, "covariances", draws)

    def covariance(self) -> Estimate:
        """The mean covariance, that of the law and of the normal law to compare it with."""
        return mean_estimate(self.covariances)

    def marginal(self, token: int) -> VarianceMixture:
        """The law of one entry."""
        place = integer("token", token, 0, self.covariances.shape[1] - 1)
        return VarianceMixture(np.maximum(self.covariances[:, place, place], 0.0))

    def density(self, points: ArrayLike) -> Estimate:
        """The mean of the densities of N(0, C) at points, shape ``(m, s)``; all C regular."""
        y = self._points(points)
        return _mean(self._densities(y, part) for part in self._parts(y))

    def characteristic(self, points: ArrayLike) -> Estimate:
        """E exp(-u^T C u/2) at points u, shape ``(m, s)``."""
        u = self._points(points)
        return _mean(
            np.exp(-np.einsum("mi,bij,mj->bm", u, self.covariances[part], u) / 2) for part in self._parts(u)
        )

    def _points(self, points: ArrayLike) -> Floats:
        return real_array("points", points, shape=("m", self.covariances.shape[1]))

    def _parts(self, points: Floats) -> Iterator[slice]:
        return _slices(len(self.covariances), points.size)

    def _densities(self, y: Floats, part: slice) -> Floats:
        try:
            factors = np.linalg.cholesky(self.covariances[part])
        except np.linalg.LinAlgError:
            raise ValueError("covariances must be regular for the law to have a density") from None
        scaled = np.linalg.solve(factors, np.broadcast_to(y.T, (len(factors), *y.T.shape)))
        diagonal = np.diagonal(factors, axis1=1, axis2=2)
        constants = np.prod(diagonal * math.sqrt(2 * math.pi), axis=1)[:, None]
        return np.asarray(np.exp(-np.sum(scaled**2, axis=1) / 2) / constants)
