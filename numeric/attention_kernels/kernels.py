"""Kernels between sequences of tokens, and those of the inputs."""

import copy
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from numeric.arguments import Floats, flag, real_array, shown

Flags = NDArray[np.bool_]
Item = TypeVar("Item")
_ROUNDING = 1e-9  # relative, of what a caller has computed
_KEPT_BYTES = 1 << 24
_ENTRIES = 1 << 16  # of an array at once: temporaries stay in the cache and in reused memory


@dataclass(frozen=True, eq=False)
class TokenKernels:
    """NNGP and NTK between n sequences x of s tokens and m sequences y of t, before some layer.

    nngp[x, y, a, b] is the covariance of token a of x with token b of y, ntk the NTK in the same
    axes (None: not asked for), first[x] and second[y] the covariances of a sequence with itself.
    first_present (n, s) and second_present (m, t) say which tokens there are, at least one in each
    sequence (None: all of them); kernels of absent tokens mean nothing, and nothing depends on
    them. If y is x (`symmetric`), first is the diagonal of nngp, and second is first.

    Raises TypeError for arrays that are not real or flags, ValueError for other shapes, negative
    variances, a sequence without tokens and, if symmetric, for diagonals that differ from first.
    """

    nngp: Floats
    first: Floats
    second: Floats
    ntk: Floats | None = None
    symmetric: bool = False
    first_present: Any = None
    second_present: Any = None

    def __post_init__(self) -> None:
        nngp = real_array("nngp", self.nngp, shape=("n", "m", "s", "t"))
        n, m, s, t = nngp.shape
        checked = {
            "nngp": nngp,
            "first": real_array("first", self.first, shape=(n, s, s)),
            "second": real_array("second", self.second, shape=(m, t, t)),
        }
        if self.ntk is not None:
            checked["ntk"] = real_array("ntk", self.ntk, shape=nngp.shape)
        for name in ("first", "second"):
            if (_variances(checked[name]) < 0).any():
                raise ValueError(f"{name} must have variances of at least 0")
            _check_same(name, checked[name], checked[name].transpose(0, 2, 1))
        for name, array in checked.items():
            object.__setattr__(self, name, array)
        for name, shape in (("first_present", (n, s)), ("second_present", (m, t))):
            object.__setattr__(self, name, _present(name, getattr(self, name), shape))
        self._check_size()
        if flag("symmetric", self.symmetric):
            self._check_symmetry()

    def _check_size(self) -> None:
        """No covariance of tokens that are present is larger than both deviations allow."""
        first, second = (np.sqrt(_variances(own)) for own in (self.first, self.second))
        most = first[:, None, :, None] * second[None, :, None, :]
        here = self.first_present[:, None, :, None] & self.second_present[None, :, None, :]
        if (here & (np.abs(self.nngp) > (1 + _ROUNDING) * most)).any():
            raise ValueError("nngp must have covariances of at most both deviations, multiplied")

    def _check_symmetry(self) -> None:
        n, m = self.nngp.shape[:2]
        if n != m or not np.array_equal(self.first, self.second):
            raise ValueError("symmetric must be False where x and y differ")
        if not np.array_equal(self.nngp[range(n), range(n)], self.first):
            raise ValueError("first must be the diagonal of nngp where y is x")
        if not np.array_equal(self.first_present, self.second_present):
            raise ValueError("second_present must be first_present where y is x")
        for name in ("nngp", "ntk"):
            array = getattr(self, name)
            if array is not None:
                _check_same(name, array, array.transpose(1, 0, 3, 2))

    def with_arrays(self, nngp: Floats, first: Floats, second: Floats, ntk: Floats | None) -> "TokenKernels":
        """The kernels with these arrays, which are not looked at again."""
        result = copy.copy(self)
        arrays = {"nngp": nngp, "first": first, "second": second, "ntk": ntk}
        for name, array in arrays.items():
            object.__setattr__(result, name, array)
        return result


def _check_same(name: str, array: Floats, turned: Floats) -> None:
    if np.abs(array - turned).max(initial=0.0) > _ROUNDING * np.abs(array).max(initial=0.0):
        raise ValueError(f"{name} must be symmetric")


def _present(name: str, value: Any, shape: tuple[int, int]) -> Flags:
    if shape[1] == 0:
        raise ValueError("kernels must be of sequences with a token at least")
    if value is None:
        return np.ones(shape, dtype=bool)
    try:
        flags = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be a rectangular array, got {shown(value)}") from error
    if flags.dtype != bool:
        raise TypeError(f"{name} must be an array of flags, got {shown(value)}")
    if flags.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got shape {flags.shape}")
    if not flags.any(axis=1).all():
        raise ValueError(f"{name} must have a token in every sequence")
    return flags


def _variances(covariances: Floats) -> Floats:
    return np.diagonal(covariances, axis1=-2, axis2=-1)


def checked_kernels(name: str, value: object) -> TokenKernels:
    """`value` if it is a TokenKernels, else TypeError."""
    if not isinstance(value, TokenKernels):
        raise TypeError(f"{name} must be a TokenKernels, got {shown(value)}")
    return value


def token_kernels(
    x: Any, y: Any = None, *, ntk: bool = True, x_present: Any = None, y_present: Any = None
) -> TokenKernels:
    """Kernels of the inputs: nngp[x, y, a, b] = <x_a, y_b>/d, and an NTK of 0 if one is asked for.

    x has shape (n, s, d), y shape (m, t, d); without y, x is compared with itself, exactly
    symmetrically. x_present (n, s) and y_present (m, t) are arrays of flags that say which tokens
    there are (None: all), for sequences of different lengths.
    Raises ValueError or TypeError, which name the argument, for anything else.
    Source: "Infinite attention", Section 2 (the first layer sees the inputs as they are).

    >>> token_kernels([[[1, 2], [3, 4]]]).nngp[0, 0]
    array([[ 2.5,  5.5],
           [ 5.5, 12.5]])
    """
    wanted = flag("ntk", ntk)
    rows = real_array("x", x, shape=("n", "s", "d"))
    n, s, d = rows.shape
    if d == 0:
        raise ValueError("x must have tokens of at least one coordinate")
    columns = rows if y is None else real_array("y", y, shape=("m", "t", d))
    if y is None and y_present is not None:
        raise ValueError("y_present must be None where y is x")
    present = _present("x_present", x_present, (n, s))
    other = present if y is None else _present("y_present", y_present, columns.shape[:2])
    with np.errstate(over="ignore", invalid="ignore"):
        nngp = _products(rows, columns)
        if y is None:
            first = second = nngp[range(n), range(n)]
        else:
            first, second = (one @ one.transpose(0, 2, 1) / d for one in (rows, columns))
    for array in (nngp, first, second):
        check_finite("token_kernels", array)
    tangent = np.broadcast_to(0.0, nngp.shape) if wanted else None  # read-only, of one entry
    return _unchecked(nngp, first, second, tangent, y is None, present, other)


def _products(x: Floats, y: Floats) -> Floats:
    """<x_a, y_b>/d in the axes x, y, a, b; symmetric to the last digit if y is x."""
    (n, s, d), (m, t, _) = x.shape, y.shape
    result, columns = np.empty((n, m, s, t)), y.transpose(0, 2, 1)

    def fill(row: int) -> None:
        later = slice(row if x is y else 0, m)
        put_row(result, row, later, (x[row] / d) @ columns[later], x is y)

    in_threads(fill, range(n))
    return result


def _unchecked(*fields: Any) -> TokenKernels:
    """Kernels of arrays that are known to fit, in the order of the fields."""
    result = object.__new__(TokenKernels)
    for name, value in zip(TokenKernels.__dataclass_fields__, fields, strict=True):
        object.__setattr__(result, name, value)
    return result


def row_places(kernels: TokenKernels) -> list[tuple[int, slice]]:
    """The pairs to be computed, as x and a range of y; if y is x, those from x on."""
    n, m, s, t = kernels.nngp.shape
    pairs = max(1, _ENTRIES // (s * t))
    return [
        (x, slice(start, min(start + pairs, m)))
        for x in range(n)
        for start in range(x if kernels.symmetric else 0, m, pairs)
    ]


def put_row(target: Floats, x: int, later: slice, found: Floats, symmetric: bool) -> None:
    """Put kernels of x and the y of a row into their places, and if y is x, those of y and x."""
    target[x, later] = found
    if symmetric:
        target[later, x] = found.transpose(0, 2, 1)
        if later.start == x:
            target[x, x] = (found[0] + found[0].T) / 2


def in_threads(function: Callable[[Item], None], items: Iterable[Item]) -> None:
    """Call the function for each item; NumPy lets the threads run side by side."""

    def quietly(item: Item) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            function(item)

    # once so much is freed, the allocator of the C library on Linux keeps what temporaries of less
    # leave behind; it would give each back to the system and fetch it anew, page by page
    np.empty(_KEPT_BYTES, dtype=np.int8)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for _ in threads.map(quietly, items):
            pass


def check_finite(maker: str, array: Floats) -> None:
    """Raise OverflowError unless all entries are finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        # a finite sum has finite terms, and is faster
        finite = bool(np.isfinite(array.sum())) or bool(np.isfinite(array).all())
    if not finite:
        raise OverflowError(f"an entry of {maker} is too large for a float")
