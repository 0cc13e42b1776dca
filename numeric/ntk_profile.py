"""The depth recursion of the limiting NTK, and a table of it over the angle.

With K_1 = rho and K_(k+1) = varrho^k(rho) + varrho'(varrho^(k-1)(rho)) K_k, the profile is
K_l / l. Near rho = 1 it is 1 minus something small that grows with depth, so the recursion runs on
what is missing, C_k = k - K_k, whose terms do not cancel: with z_k the cosine distance after k - 1
layers and c_k = 1 - zeta'(z_k) = D (4/pi) arcsin sqrt z_k,

    z_(k+1) = zeta(z_k),   C_1 = 2 z_1,   C_(k+1) = C_k + 2 z_(k+1) + c_k (k - C_k).

As a function of the angle t in [0, pi] the profile is analytic, but changes within t ~ 1/(l D).
Its singularities near the real line cluster at the two ends: after k layers the inverse angle is
1/t + 2 D k/(3 pi) to leading order, a pole at t = -3 pi/(2 D k), and at t = pi square roots branch
at distances 2 sqrt D and 2 sqrt(1 - D). Cells whose width is a fixed fraction of the distance to
the nearer end therefore resolve it with one polynomial degree at every depth, and the cell of an
angle can be read off the leading bits of the float.
"""

import functools
import math

import numpy as np
from numpy.polynomial.chebyshev import cheb2poly
from numpy.typing import NDArray

from numeric.arcsine import FOUR_OVER_PI, complement, relative_gap_of_root
from numeric.arguments import Floats

_NODES = 14  # per cell: an end 9 half-widths off makes errors fall by 9 + sqrt 80 per node, to 2^-58
_CELL_BITS = 2  # four cells an octave
_MANTISSA_BITS = 52
_SMALLEST_OCTAVE = -40


def profile(z: Floats, other: Floats, depth: int, delta: Floats | float) -> Floats:
    """K_depth(rho)/depth from z = (1 - rho)/2 and other = 1 - z, each given without cancellation.

    Floats in, floats out; z, other and delta are arrays of equal length or numbers.
    """
    missing = 2 * z
    missing_rest = distance_rest = np.zeros_like(missing)
    for layer in range(1, depth):
        root = np.sqrt(np.minimum(z, other))
        angle = FOUR_OVER_PI * np.arcsin(root)
        fall = delta * np.where(z <= other, angle, 2 - angle)
        z, distance_rest = _next_distance(z, other, root, delta, distance_rest)
        other = 1 - z
        step = 2 * z + fall * (layer - missing)
        missing, missing_rest = _add(missing, step, missing_rest)
    return 1 - missing / depth


def _next_distance(
    z: Floats, other: Floats, root: Floats, delta: Floats | float, rest: Floats
) -> tuple[Floats, Floats]:
    """zeta(z) = z - D gap(z), given sqrt(min(z, 1 - z)), and what rounding has added so far."""
    largest = float(np.max(z, initial=0.0))
    if largest <= 0.25:  # always so in deep layers
        return _add(z, -delta * z * relative_gap_of_root(root, z, largest), rest)
    mirrored = complement(np.minimum(z, other))
    if np.max(delta) <= 0.5:
        return _add(z, -delta * (z - mirrored), rest)
    # At z near 1 the difference would cancel; distances fall so fast that nothing accumulates.
    return (1 - delta) * z + delta * mirrored, np.zeros_like(z)


def _add(total: Floats, step: Floats, rest: Floats) -> tuple[Floats, Floats]:
    """Kahan's sum: take off what earlier roundings added, and note what this one adds."""
    step = step - rest
    result = total + step
    return result, (result - total) - step


class ProfileTable:
    """K_depth/depth as piecewise polynomials in the angle to the nearer end, 0 or pi."""

    def __init__(self, depth: int, delta: float) -> None:
        octave = _first_octave(depth, delta)
        edges = _cell_edges(octave)
        self._centre = (edges[1:] + edges[:-1]) / 2
        self._scale = 2 / (edges[1:] - edges[:-1])
        self._cells = self._centre.size
        self._offset = _leading_bits(np.array([2.0**octave]))[0] - 1
        angles = self._centre[:, None] + _chebyshev_points() / self._scale[:, None]
        near = np.sin(angles / 2).ravel() ** 2
        far = np.cos(angles / 2).ravel() ** 2
        values = profile(np.concatenate([near, far]), np.concatenate([far, near]), depth, delta)
        # One row for each power, highest first, so that evaluation gathers along rows. The two
        # matrices must not be multiplied: the product would lose four digits, the series does not.
        to_series, to_powers = _transforms()
        nodes = values.reshape(-1, _NODES).T
        level = nodes[_NODES // 2]
        self._coefficients = to_powers @ (to_series @ (nodes - level))
        self._coefficients[-1] += level

    def __call__(self, angle: Floats, opposite: NDArray[np.bool_]) -> Floats:
        """The profile at t = angle, or t = pi - angle where `opposite`; 0 <= angle <= pi/2."""
        cell = np.maximum(_leading_bits(angle) - self._offset, 0)
        place = (angle - self._centre[cell]) * self._scale[cell]
        cell += self._cells * opposite
        value: Floats = self._coefficients[0].take(cell, mode="clip")
        for row in self._coefficients[1:]:
            value *= place
            value += row.take(cell, mode="clip")  # several times faster than row[cell]
        return value


@functools.lru_cache(maxsize=16)
def profile_table(depth: int, delta: float) -> ProfileTable:
    """The table for one depth and one delta, kept for the next call."""
    return ProfileTable(depth, delta)


def _first_octave(depth: int, delta: float) -> int:
    """The cell at an end is [0, 2^octave], a sixteenth of the distance of any singularity."""
    distances = [1.0, 1 / max(depth * delta, 1.0), math.sqrt(delta), math.sqrt(1 - delta)]
    nearest = min(distance for distance in distances if distance > 0)
    return max(math.floor(math.log2(nearest)) - 4, _SMALLEST_OCTAVE)


def _cell_edges(octave: int) -> Floats:
    """0, then 2^e (1 + j/4) from e = octave to the first edge above pi/2."""
    per_octave = 1 << _CELL_BITS
    steps = np.arange(per_octave) / per_octave
    edges = np.concatenate([2.0**e * (1 + steps) for e in range(octave, 1)])
    edges = np.append(edges, 2.0)
    last = int(np.searchsorted(edges, np.pi / 2))
    return np.concatenate([[0.0], edges[: last + 1]])


def _leading_bits(angle: Floats) -> NDArray[np.int64]:
    """Exponent and first mantissa bits: a number of the cell, counted from an arbitrary one."""
    return angle.view(np.int64) >> (_MANTISSA_BITS - _CELL_BITS)


def _chebyshev_points() -> Floats:
    return np.cos(np.pi * (np.arange(_NODES) + 0.5) / _NODES)


@functools.cache
def _transforms() -> tuple[Floats, Floats]:
    """From values at Chebyshev points to the Chebyshev series, and on to powers, highest first."""
    order = np.arange(_NODES)
    to_series = np.cos(np.outer(order, np.pi * (order + 0.5) / _NODES)) * (2 / _NODES)
    to_series[0] /= 2
    to_powers = np.zeros((_NODES, _NODES))
    for k in range(_NODES):
        to_powers[_NODES - 1 - k :, k] = cheb2poly(np.eye(k + 1)[k])[::-1]
    return to_series, to_powers
