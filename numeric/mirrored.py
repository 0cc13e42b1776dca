"""Random numbers in mirrored pairs, whose means have less noise if it is of first order.

Of each pair either number has the law that it should have, so that means over both are unbiased;
but where one is large, the other one is small by as much, and errors of first order cancel.
"""

from typing import Any

import numpy as np
from scipy.special import gammainccinv, gammaincinv

from numeric.arguments import Floats, shown

__all__ = ["MirroredGenerator", "RepeatedGenerator"]


def _halved(size: Any) -> tuple[int, ...]:
    """The shape of the first numbers of all pairs, which lie along the first axis."""
    shape = tuple(size) if isinstance(size, tuple | list) else (size,)
    if not shape or not isinstance(shape[0], int | np.integer) or shape[0] % 2:
        raise ValueError(f"size must begin with an even number, got {shown(size)}")
    return (int(shape[0]) // 2, *shape[1:])


def _interleaved(first: Floats, second: Floats) -> Floats:
    return np.stack([first, second], axis=1).reshape(-1, *first.shape[1:])


class MirroredGenerator(np.random.Generator):
    """A generator of normals and chi-squares whose entries 2i and 2i + 1 are mirrored.

    Normals of a pair are z and -z, chi-squares (and gammas) are quantiles at u and 1 - u.  Sizes
    begin with an even number.  Other methods are those of NumPy's Generator.

    >>> rng = MirroredGenerator(np.random.PCG64(0))
    >>> z, chi = rng.standard_normal((4, 2)), rng.chisquare(1000, (4,))
    >>> bool((z[0] == -z[1]).all()), bool(abs(chi[0] + chi[1] - 2000) < 10)
    (True, True)
    """

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Standard normals, z and -z in turn."""
        z = super().standard_normal(_halved(size), dtype, out)
        return _interleaved(z, -z)

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Gamma variables, quantiles at u and 1 - u in turn."""
        u = self.random(_halved(size), dtype, out)
        return _interleaved(gammaincinv(shape, u), gammainccinv(shape, u))

    def chisquare(self, df: Any, size: Any = None) -> Any:
        """Chi-squares, quantiles at u and 1 - u in turn."""
        return 2 * self.standard_gamma(np.asarray(df) / 2, size)


class RepeatedGenerator(np.random.Generator):
    """A generator of normals of which the entries 2i and 2i + 1 are the same.

    >>> z = RepeatedGenerator(np.random.PCG64(0)).standard_normal((4,))
    >>> bool(z[0] == z[1] != z[2] == z[3])
    True
    """

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Standard normals, each one twice."""
        z = super().standard_normal(_halved(size), dtype, out)
        return _interleaved(z, z)
