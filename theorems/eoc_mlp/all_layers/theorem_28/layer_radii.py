"""Bounds on one layer's deviations, each failing with probability at most e^(-L) per side.

With h = sqrt(L/M) and the tails of `numeric.concentration`, in their sharpest form: a mean of M
terms with the moments of squares, E|W|^q <= A^q (2q-1)!!, exceeds its own mean by more than A s
with a probability of at most e^(-M psi(s)), psi(s) = (x - 1)^2 (x + 2)/2 and x = (1 + s)^(1/3).
Proofs: proofs_notes/eoc_concentration.md, proofs_notes/eoc_limits.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from numeric.arguments import Floats


def square_radius(h: float) -> float:
    """The s >= 0 with psi(s) = h^2: the root x >= 1 of x^3 - 3x + 2 = 2 h^2, s = x^3 - 1.

    h >= 0. Source: "MLPs at the EOC", Propositions 12 and 19, with explicit constants.

    >>> round(square_radius(2**0.5), 12)  # x = 2 solves x^3 - 3x = 2
    7.0
    """
    excess = h * h - 1
    x = 2 * math.cosh(math.acosh(excess) / 3) if excess >= 1 else 2 * math.cos(math.acos(excess) / 3)
    return 3 * (x - 1) + 2 * h * h


@dataclass(frozen=True)
class LayerRadii:
    """Radii at one layer of width M, each exceeded with probability at most e^(-L).

    ``norm``: |x_k|/|x_{k-1}| - 1, either side. ``above`` and ``below``: means of squares, in
    units of their scale, kappa^2 included. ``stretch`` and ``noise``: ||B'|| is at most
    (1 + stretch) ||B|| + noise |B|_F. ``length`` and ``own_length`` are the ranges of the terms of
    X'_{k,k} for two inputs and for one, ``width`` is M and ``kappa_squared`` is kappa^2.
    """

    width: float
    kappa_squared: float
    norm: float
    above: float
    below: float
    length: float
    own_length: float
    stretch: float
    noise: float


def layer_radii(width: float, level: float, delta: float) -> LayerRadii:
    """Radii for a layer of ``width`` M >= 1 at ``level`` L >= 0; delta in [0, 1].

    Source: "MLPs at the EOC", Propositions 10, 12, 14 and 18, with explicit constants.

    >>> layer_radii(100, 2, 1).norm, layer_radii(100, 2, 1).own_length
    (0.2, 0.0)
    """
    root = math.sqrt(delta * (1 - delta))
    kappa_squared = 1 + 2 * root
    h = math.sqrt(level / width)
    spread = math.sqrt(2 * (kappa_squared + delta * (1 - delta)))
    return LayerRadii(
        width=width,
        kappa_squared=kappa_squared,
        norm=math.sqrt(2 * kappa_squared) * h,
        above=kappa_squared * square_radius(h),
        below=kappa_squared * math.sqrt(6) * h,
        length=2 * root + 2 * max(root, delta),
        own_length=4 * root,
        stretch=kappa_squared / math.sqrt(2 * width) + spread * h,
        noise=math.sqrt(kappa_squared / width),
    )


def sum_radius(level: float, variance: Any, scale: Any) -> Any:
    """The t >= 0 with t^2 = 2 L (v + c t): Bernstein's radius at level L.

    A sum of martingale differences exceeds it with probability at most e^(-L) if their logarithms
    of exponential moments, given the past, are at most v_j x^2/(2 (1 - c_j x)), v the sum of the
    v_j and c the largest c_j.

    >>> sum_radius(2, np.array([1, 0]), np.array([0, 1]))
    array([2., 4.])
    """
    linear = level * scale
    return linear + np.sqrt(linear * linear + 2 * level * variance)


def norm_bounds(radii: Sequence[LayerRadii], level: float) -> Floats:
    """Bounds of |x_k|/|x_1| for k = 1, ..., l, shape ``(l, 2)``: products, or sums of squares.

    log |x_k| is at most a martingale with Gaussian tails; |x_k|^2 is a martingale. The second pair
    of bounds (see "Norms" in the notes) has no logarithm of the depth.
    """
    low = high = 1.0
    total = 0.0
    bounds = [(low, high)]
    for layer in radii:
        low, high = low * (1 - layer.norm), high * (1 + layer.norm)
        total += 1 / layer.width
        top = math.exp(min(700.0, math.sqrt(2 * layer.kappa_squared * level * total)))
        moment = 6 * (1 + (layer.kappa_squared - 1) ** 2)  # 2 E c^2 g^4
        square = 1 - top * top * math.sqrt(moment * level * total)
        bounds.append((max(low, math.sqrt(max(0.0, square))), min(high, top)))
    return np.array(bounds)
