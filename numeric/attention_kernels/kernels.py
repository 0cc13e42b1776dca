"""Kernels between sequences of tokens, and what dense layers and activations do to them."""

import copy
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from numeric.arguments import NONNEGATIVE, Floats, closed, flag, real_array, real_number, shown
from numeric.attention_kernels.bent import PIECEWISE_LINEAR, bent_means
from numeric.dual_activations import dual_activation, dual_activation_derivative

Flags = NDArray[np.bool_]
Item = TypeVar("Item")
_SHARE = closed(0, 1)
_PAIRS = 1 << 7  # of sequences at once: their temporaries stay in the cache


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
        for name, array in checked.items():
            object.__setattr__(self, name, array)
        for name, shape in (("first_present", (n, s)), ("second_present", (m, t))):
            object.__setattr__(self, name, _present(name, getattr(self, name), shape))
        if flag("symmetric", self.symmetric):
            self._check_symmetry()

    def _check_symmetry(self) -> None:
        n, m = self.nngp.shape[:2]
        if n != m or not np.array_equal(self.first, self.second):
            raise ValueError("symmetric must be False where x and y differ")
        if not np.array_equal(self.nngp[range(n), range(n)], self.first):
            raise ValueError("first must be the diagonal of nngp where y is x")
        if not np.array_equal(self.first_present, self.second_present):
            raise ValueError("second_present must be first_present where y is x")


def _present(name: str, value: Any, shape: tuple[int, int]) -> Flags:
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
    if shape[1] and not flags.any(axis=1).all():
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
    if not all(np.isfinite(array).all() for array in (nngp, first, second)):
        raise OverflowError("an entry of token_kernels is too large for a float")
    tangent = np.zeros_like(nngp) if wanted else None
    return _unchecked(nngp, first, second, tangent, y is None, present, other)


def _products(x: Floats, y: Floats) -> Floats:
    """<x_a, y_b>/d in the axes x, y, a, b; symmetric to the last digit if y is x."""
    (n, s, d), (m, t, _) = x.shape, y.shape
    flat: Floats = (x.reshape(n * s, d) / d) @ y.reshape(m * t, d).T
    table, result = flat.reshape(n, s, m, t).transpose(0, 2, 1, 3), np.empty((n, m, s, t))

    def fill(row: int) -> None:
        later = slice(row if x is y else 0, m)
        put_row(result, row, later, table[row, later], x is y)

    in_threads(fill, range(n))
    return result


def _unchecked(*fields: Any) -> TokenKernels:
    """Kernels of arrays that are known to fit, in the order of the fields."""
    result = object.__new__(TokenKernels)
    for name, value in zip(TokenKernels.__dataclass_fields__, fields, strict=True):
        object.__setattr__(result, name, value)
    return result


def dense_kernels(
    kernels: TokenKernels, weight_std: float = 1.0, bias_std: float = 0.0
) -> TokenKernels:
    """Kernels after a dense layer on every token: w^2 kernel + b^2, NTK w^2 Theta + that.

    weight_std = w and bias_std = b are numbers of at least 0; the parametrisation is that of the
    NTK (weights w N(0, 1)/sqrt(width)), and all weights and biases are trained.
    Raises ValueError or TypeError for anything else.
    Source: Jacot, Gabriel and Hongler, "Neural tangent kernel", 2018.

    >>> after = dense_kernels(token_kernels([[[1.0], [2.0]]]), 2.0)
    >>> after.nngp[0, 0, 0], after.ntk[0, 0, 0]
    (array([4., 8.]), array([4., 8.]))
    """
    kernels = checked_kernels("kernels", kernels)
    weight = squared("dense_kernels", real_number("weight_std", weight_std, NONNEGATIVE))
    bias = squared("dense_kernels", real_number("bias_std", bias_std, NONNEGATIVE))
    nngp = np.empty_like(kernels.nngp)
    ntk = None if kernels.ntk is None else np.empty_like(nngp)

    def fill(x: int) -> None:
        nngp[x] = weight * kernels.nngp[x] + bias
        if ntk is not None and kernels.ntk is not None:
            ntk[x] = weight * kernels.ntk[x] + nngp[x]

    in_threads(fill, range(len(nngp)))
    with np.errstate(over="ignore"):
        first, second = (weight * one + bias for one in (kernels.first, kernels.second))
    return renewed("dense_kernels", kernels, nngp=nngp, ntk=ntk, first=first, second=second)


def activated_kernels(kernels: TokenKernels, name: str, **parameters: Any) -> TokenKernels:
    """Kernels after an activation: E phi(u1) phi(u2), and the NTK times E phi'(u1) phi'(u2).

    (u1, u2) is Gaussian with the covariances of the kernels; names and parameters are those of
    `numeric.dual_activations`. Of a s + b |s| (ReLU and its kind) the slope at 0 counts as a; of
    others with a kink, variances are to be above 0 if an NTK is asked for.
    Raises ValueError or TypeError for anything else.
    Source: Jacot, Gabriel and Hongler, "Neural tangent kernel", 2018.

    >>> after = activated_kernels(token_kernels([[[1.0], [-1.0]]]), "relu")
    >>> after.nngp[0, 0]
    array([[0.5, 0. ],
           [0. , 0.5]])
    """
    kernels = checked_kernels("kernels", kernels)
    dual_activation(name, 0.0, **parameters)  # complains about the name and the parameters
    # absent tokens are given the variance 1, so that no kink of phi is met there
    rows, columns = (
        np.where(present, _variances(own), 1.0)
        for present, own in (
            (kernels.first_present, kernels.first),
            (kernels.second_present, kernels.second),
        )
    )
    nngp = np.empty_like(kernels.nngp)
    ntk = None if kernels.ntk is None else np.empty_like(kernels.nngp)

    def fill(x: int, later: slice) -> None:
        both = rows[x][None, :, None], columns[later, None, :]
        law = _Law(kernels.nngp[x, later], *both, name, parameters)
        put_row(nngp, x, later, law.dual, kernels.symmetric)
        if ntk is not None and kernels.ntk is not None:
            put_row(ntk, x, later, kernels.ntk[x, later] * law.slopes, kernels.symmetric)

    by_rows(fill, kernels)
    if kernels.symmetric:
        n = len(nngp)
        first = second = nngp[range(n), range(n)]
    else:
        first, second = (
            _Law(own, one[:, :, None], one[:, None, :], name, parameters).dual
            for own, one in ((kernels.first, rows), (kernels.second, columns))
        )
    return renewed("activated_kernels", kernels, nngp=nngp, ntk=ntk, first=first, second=second)


@dataclass(frozen=True, eq=False)
class _Law:
    """Gaussian pairs with these covariances and variances, and means of what phi does to them."""

    covariance: Floats
    first: Floats
    second: Floats
    name: str
    parameters: dict[str, Any]

    @cached_property
    def rho(self) -> Floats:
        return correlations(self.covariance, self.first, self.second)

    @cached_property
    def bent(self) -> tuple[Floats, Floats]:
        return bent_means(self.rho)

    @property
    def dual(self) -> Floats:
        """E phi(u1) phi(u2)."""
        if self.name not in PIECEWISE_LINEAR:
            law: dict[str, Any] = {"variances": (self.first, self.second), **self.parameters}
            found: Floats = dual_activation(self.name, self.rho, **law)
            return found
        a, b = PIECEWISE_LINEAR[self.name](**self.parameters)
        scale = b * b * np.sqrt(self.first) * np.sqrt(self.second)
        return a * a * self.covariance + scale * self.bent[0]

    @property
    def slopes(self) -> Floats:
        """E phi'(u1) phi'(u2)."""
        if self.name not in PIECEWISE_LINEAR:
            law: dict[str, Any] = {"variances": (self.first, self.second), **self.parameters}
            found: Floats = dual_activation_derivative(self.name, self.rho, **law)
            return found
        a, b = PIECEWISE_LINEAR[self.name](**self.parameters)
        return a * a + b * b * self.bent[1]


def by_rows(fill: Callable[[int, slice], None], kernels: TokenKernels) -> None:
    """Call `fill` in threads for all places of `row_places`."""
    in_threads(lambda place: fill(*place), row_places(kernels))


def row_places(kernels: TokenKernels) -> list[tuple[int, slice]]:
    """The pairs to be computed, as x and a range of y; if y is x, those from x on."""
    n, m = kernels.nngp.shape[:2]
    return [
        (x, slice(start, min(start + _PAIRS, m)))
        for x in range(n)
        for start in range(x if kernels.symmetric else 0, m, _PAIRS)
    ]


def in_threads(function: Callable[[Item], None], items: Iterable[Item]) -> None:
    """Call the function for each item; NumPy lets the threads run side by side."""

    def quietly(item: Item) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            function(item)

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for _ in threads.map(quietly, items):
            pass


def put_row(target: Floats, x: int, later: slice, found: Floats, symmetric: bool) -> None:
    """Put kernels of x and the y of a row into their places, and if y is x, those of y and x."""
    target[x, later] = found
    if symmetric:
        target[later, x] = found.transpose(0, 2, 1)
        if later.start == x:
            target[x, x] = (found[0] + found[0].T) / 2


def correlations(covariance: Floats, first: Floats, second: Floats) -> Floats:
    """Covariance over the root of both variances, in [-1, 1]; 0 where a variance is 0."""
    # of a token with itself exactly 1, where arcsin would double the number of digits lost
    scale = np.where(first == second, first, np.sqrt(first) * np.sqrt(second))
    positive = scale > 0
    if not positive.all():
        scale = np.where(positive, scale, np.inf)
    rho: Floats = covariance / scale
    return np.clip(rho, -1.0, 1.0, out=rho)


def residual_kernels(kernels: TokenKernels, layer: TokenKernels, kept: float) -> TokenKernels:
    """Kernels of sqrt(kept) g + sqrt(1 - kept) f(g): kept times those of g, plus the rest of f's.

    `kernels` are those of the input g, `layer` those of the layer's output f(g), whose last weights
    are centred and its own, so that covariances of g with f(g) and their NTK vanish. kept, the
    paper's alpha, is a number in [0, 1]. Raises ValueError or TypeError for anything else.
    Source: "Infinite attention", Appendix D (before Equation (14)).

    >>> before = token_kernels([[[1.0], [2.0]]])
    >>> residual_kernels(before, dense_kernels(before, 3.0), 0.5).nngp[0, 0, 0]
    array([ 5., 10.])
    """
    kernels, layer = checked_kernels("kernels", kernels), checked_kernels("layer", layer)
    same = kernels.nngp.shape == layer.nngp.shape and kernels.symmetric == layer.symmetric
    flags = ("first_present", "second_present")
    if not (
        same and all(np.array_equal(*(getattr(k, f) for k in (kernels, layer))) for f in flags)
    ):
        raise ValueError("layer must have the sequences and tokens of kernels")
    share = real_number("kept", kept, _SHARE)

    def mixed(one: Floats, other: Floats) -> Floats:
        return share * one + (1 - share) * other

    without = kernels.ntk is None or layer.ntk is None
    ntk = None if without else mixed(kernels.ntk, layer.ntk)  # type: ignore[arg-type]
    return renewed(
        "residual_kernels",
        kernels,
        nngp=mixed(kernels.nngp, layer.nngp),
        first=mixed(kernels.first, layer.first),
        second=mixed(kernels.second, layer.second),
        ntk=ntk,
    )


def renewed(maker: str, kernels: TokenKernels, **arrays: Floats | None) -> TokenKernels:
    """The kernels with other arrays, unless one of them overflowed; `maker` says who made them.

    Shapes and symmetry are not looked at again.
    """

    def check(array: Floats) -> None:
        # a finite sum has finite terms, and is faster
        if not np.isfinite(array.sum()) and not np.isfinite(array).all():
            raise OverflowError(f"an entry of {maker} is too large for a float")

    for array in arrays.values():
        if array is not None:
            in_threads(check, array)
    result = copy.copy(kernels)
    for name, array in arrays.items():
        object.__setattr__(result, name, array)
    return result


def squared(maker: str, number: float) -> float:
    """The square of a float, unless it overflows."""
    if abs(number) > 1e154:
        raise OverflowError(f"a variance in {maker} is too large for a float")
    return number * number
