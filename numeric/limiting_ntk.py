"""The limiting NTK of a deep (a,b)-ReLU MLP: its profile in the cosine, and its matrix on data."""

import math
from typing import Any

import mpmath
import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from numeric import cosine_map_balls
from numeric.arguments import (
    Floats,
    closed,
    decimal_digits,
    exact_array,
    exact_number,
    integer,
    real_array,
    real_number,
)
from numeric.arithmetic import bits_of_digits, closed_form, proved
from numeric.balls import ball, monotone_enclosure
from numeric.directions import Directions
from numeric.ntk_profile import ProfileTable, profile, profile_table

_COSINE = closed(-1, 1)
_UNIT = closed(0, 1)
_MOST_LAYERS = 10**5
_MOST_LAYER_DIGITS = 2 * 10**7
_BLOCK = 1 << 13  # entries transformed at once: their temporaries stay in the cache
_CLOSE = 1 - 1 / 64  # beyond this |cosine| the angle is measured, not read off the cosine
_VERY_CLOSE = 1 / 32  # below this distance unit vectors are too coarse without their rounding errors


def limiting_ntk_profile(rho: Any, depth: int, delta: Any, *, digits: int | None = None) -> Any:
    """Value of the limiting NTK on unit vectors of cosine rho.

    kappa_l(rho) = sum_(k=1)^l varrho^(k-1)(rho) prod_(k'=k)^(l-1) varrho'(varrho^(k'-1)(rho)),
    powers of varrho being iterates: from l at rho = 1 down to order l/4 away from it.

    rho in [-1, 1] and delta in [0, 1], in the caller's arithmetic (see `numeric.arithmetic`);
    depth, the paper's l, an integer in [1, 10^5] (the paper has l >= 2; l = 1 gives rho): the time
    is proportional to it, some 20 microseconds a layer in float64. With digits (`digits=`, or those
    of mpf and arb) depth times digits is at most 2 10^7, which takes seconds. In float64 the
    error is below 2^-50 depth.
    Raises ValueError or TypeError, which name the argument, for anything else.
    Source: "MLPs at the EOC", Definition 22.

    >>> limiting_ntk_profile(1, 32, 0.5), limiting_ntk_profile([0, -1], 2, 1)
    (32.0, array([0.63661977, 2.        ]))
    >>> print(mpmath.nstr(limiting_ntk_profile("0.3", 3, "0.5", digits=30), 30))
    1.03460129961284330996005376407
    """
    depth = _checked_depth(depth, _digits_meant(digits, rho, delta))

    def balls(cosine: arb, weight: arb) -> arb:
        return profile_ball(cosine, depth, weight)

    @closed_form(balls=balls, rho=_COSINE, delta=_UNIT)
    def limiting_ntk_profile(rho: Any, delta: Any) -> Any:
        if depth == 1:
            return rho
        if rho.size >= _BLOCK // 8 and (delta == delta[0]).all():
            angle = 2 * np.arcsin(np.sqrt(0.5 - 0.5 * abs(rho)))
            return depth * profile_table(depth, float(delta[0]))(angle, rho < 0)
        return depth * profile(0.5 - 0.5 * rho, 0.5 + 0.5 * rho, depth, delta)

    return limiting_ntk_profile(rho, delta, digits=digits)


def _digits_meant(digits: object, *values: object) -> int:
    """The digits that are asked for, or those of the arithmetic of some values; 1 in floats."""
    if digits is not None:
        return decimal_digits(digits)
    if any(isinstance(value, arb) for value in values):
        return math.ceil(ctx.prec / math.log2(10))
    return int(mpmath.mp.dps) if any(isinstance(value, mpmath.mpf) for value in values) else 1


def _checked_depth(depth: object, digits: int) -> int:
    """The depth, if so many layers to so many digits are the work of seconds."""
    layers, most = integer("depth", depth, 1, _MOST_LAYERS), _MOST_LAYER_DIGITS // digits
    if layers > most:
        raise ValueError(f"depth must be at most {most} with {digits} digits, got {layers}")
    return layers


def profile_ball(rho: arb, depth: int, delta: arb) -> arb:
    """Ball around kappa_depth(rho), by K_(k+1) = varrho^k(rho) + varrho'(varrho^(k-1)(rho)) K_k."""
    z = monotone_enclosure(lambda point: (1 - point) / 2, rho, _COSINE)
    kernel = 1 - 2 * z
    for _ in range(1, depth):
        z, slope = cosine_map_balls.zeta_and_slope(z, delta)
        kernel = (1 - 2 * z) + slope * kernel
    return kernel


def limiting_ntk(x: Any, depth: int, delta: Any, y: Any = None, *, digits: int | None = None) -> Any:
    """Limiting NTK matrix of the rows of x against the rows of y (of x, if y is not given).

    Entry (i, j) is |x_i| |y_j| kappa_depth(<x_i, y_j>/(|x_i| |y_j|)), the factor of the identity in
    the paper's matrix; it is 0 if one of the two vectors is.

    x has shape (n, d), y shape (m, d), both real, finite and not normalised; the result has shape
    (n, m), and is exactly symmetric if y is not given. depth is an integer in [1, 10^5], delta a
    number in [0, 1]. With digits= the numbers are taken exactly (decimal strings are allowed) and
    the result holds mpf with that many correct digits; depth times digits is at most 2 10^7.

    In float64 an entry is off by a few units in the last place of depth |x_i| |y_j| and the
    diagonal depth |x_i|^2 by at most 2, for nearly (anti)parallel vectors too. Up to depths
    of some thousands the time hardly depends on depth; beyond, it is proportional to it.
    Raises ValueError or TypeError for other arguments, OverflowError if an entry is too large.
    Source: "MLPs at the EOC", Definitions 22 and 23 (without the 1/n of Remark 21).

    >>> limiting_ntk([[3, 4], [4, -3], [0, 0]], 2, 1)
    array([[50.        , 15.91549431,  0.        ],
           [15.91549431, 50.        ,  0.        ],
           [ 0.        ,  0.        ,  0.        ]])
    """
    depth = _checked_depth(depth, _digits_meant(digits))
    if digits is not None:
        return _matrix_of_digits(x, depth, delta, y, digits)
    weight = real_number("delta", delta, _UNIT)
    rows = Directions(real_array("x", x, shape=("n", "d")))
    width = rows.unit.shape[1]
    columns = rows if y is None else Directions(real_array("y", y, shape=("m", width)))
    kernel = rows.unit @ columns.unit.T
    with np.errstate(over="ignore"):
        _transform(kernel, rows, columns, depth, profile_table(depth, weight))
    if not np.isfinite(kernel).all():
        raise OverflowError("an entry of limiting_ntk is too large for a float; use digits=")
    return kernel


def _transform(
    kernel: Floats, rows: Directions, columns: Directions, depth: int, table: ProfileTable
) -> None:
    """Turn the matrix of cosines into the kernel, in place; of a symmetric one, half is done."""
    symmetric = rows is columns
    height = max(1, _BLOCK // max(kernel.shape[1], 1))
    for top in range(0, kernel.shape[0], height):
        inside = slice(top, top + height)
        across = slice(top, None) if symmetric else slice(None)
        cosine = np.array(kernel[inside, across])
        if symmetric:
            np.fill_diagonal(cosine, 0.0)  # not to be measured: it is set below
        angle = np.arccos(np.minimum(np.abs(cosine), 1.0))
        _measure_small_angles(angle, cosine, rows, columns, (top, across.start or 0))
        value = table(angle.ravel(), cosine.ravel() < 0).reshape(cosine.shape)
        _scale(value, rows, columns, inside, across, depth)
        kernel[inside, across] = value
        if symmetric:
            kernel[across, inside] = value.T
            square = kernel[inside, inside]
            square[...] = np.maximum(square, square.T)
    if symmetric:
        np.fill_diagonal(kernel, np.ldexp(depth * rows.squared_norm, 2 * rows.exponent))


def _measure_small_angles(
    angle: Floats, cosine: Floats, rows: Directions, columns: Directions, corner: tuple[int, int]
) -> None:
    """Replace angles (to the nearer of 0 and pi) that the cosine does not resolve.

    Twice the sine of half the angle is the distance of the unit vectors, or of opposite ones.
    """
    close = np.flatnonzero(np.abs(cosine) > _CLOSE)
    at_once = max(1, 4 * _BLOCK // max(rows.unit.shape[1], 1))
    for start in range(0, close.size, at_once):
        chosen = close[start : start + at_once]
        i, j = np.divmod(chosen, cosine.shape[1])
        i, j = i + corner[0], j + corner[1]
        sign = np.where(cosine.flat[chosen] < 0, 1.0, -1.0)[:, None]
        gap = rows.unit[i] + sign * columns.unit[j]
        distance = _lengths(gap)
        near = np.flatnonzero(distance < _VERY_CLOSE)
        i, j, sign = i[near], j[near], sign[near]
        distance[near] = _lengths(gap[near] + (rows.rest[i] + sign * columns.rest[j]))
        angle.flat[chosen] = 2 * np.arcsin(distance / 2)


def _lengths(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return lengths


def _scale(
    value: Floats, rows: Directions, columns: Directions, inside: slice, across: slice, depth: int
) -> None:
    """Multiply profiles by depth and both norms; powers of two last, where they could overflow."""
    value *= depth * (rows.norm[inside, None] * columns.norm[across])
    np.ldexp(value, rows.exponent[inside, None] + columns.exponent[across], out=value)


def _matrix_of_digits(x: Any, depth: int, delta: Any, y: Any, digits: int) -> NDArray[np.object_]:
    weight = exact_number("delta", delta, _UNIT)
    rows = exact_array("x", x, shape=("n", "d"))
    columns = rows if y is None else exact_array("y", y, shape=("m", rows.shape[1]))
    result = np.empty((len(rows), len(columns)), dtype=object)
    for i, j in np.ndindex(*result.shape):
        known = y is None and j < i
        result[i, j] = result[j, i] if known else _entry(rows[i], columns[j], depth, weight, digits)
    return result


def _entry(
    first: NDArray[np.object_], second: NDArray[np.object_], depth: int, delta: Any, digits: int
) -> mpmath.mpf:
    norms = (first @ first) * (second @ second)
    if not norms:
        return mpmath.mpf(0)

    def evaluate() -> arb:
        length = ball(norms).sqrt()
        return length * profile_ball(ball(first @ second) / length, depth, ball(delta))

    return proved(evaluate, bits_of_digits(digits))
