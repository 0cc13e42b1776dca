"""How far the quantities of one layer of width M stray, but for a probability e^(-L) on each side.

With h = sqrt(L/M) and the tails of `numeric.concentration`, in their sharpest form: a mean of M
terms with the moments of squares, E|W|^q <= A^q (2q-1)!!, exceeds its own mean by more than A s
with a probability of at most e^(-M psi(s)), psi(s) = (x - 1)^2 (x + 2)/2 and x = (1 + s)^(1/3).
Proofs: proofs_notes/eoc_concentration.md, proofs_notes/eoc_limits.md.
"""

import math
from dataclasses import dataclass


def square_radius(h: float) -> float:
    """The s >= 0 with psi(s) = h^2: the root x >= 1 of x^3 - 3x + 2 = 2 h^2, s = x^3 - 1.

    h >= 0. Source: "MLPs at the EOC", Propositions 12 and 19, with explicit constants.

    >>> round(square_radius(2**0.5), 12)  # x = 2 solves x^3 - 3x = 2
    7.0
    """
    excess = h * h - 1
    if excess >= 1:
        x = 2 * math.cosh(math.acosh(excess) / 3)
    else:
        x = 2 * math.cos(math.acos(excess) / 3)
    return 3 * (x - 1) + 2 * h * h


@dataclass(frozen=True)
class LayerRadii:
    """Radii at one layer, each exceeded with probability at most e^(-L).

    ``norm``: |x_k|/|x_{k-1}| - 1, either side. ``above`` and ``below``: means of squares, in
    units of kappa^2 times their scale. ``slope`` and ``own_slope``: X'_{k,k} for two inputs and
    for one. ``stretch`` and ``noise``: ||B'|| <= (1 + stretch) ||B|| + noise |B|_F.
    """

    norm: float
    above: float
    below: float
    slope: float
    own_slope: float
    stretch: float
    noise: float


def layer_radii(width: float, level: float, delta: float) -> LayerRadii:
    """Radii for a layer of ``width`` M >= 1 at ``level`` L >= 0; delta in [0, 1].

    Source: "MLPs at the EOC", Propositions 10, 12, 14, 18 and 19, with explicit constants.

    >>> layer_radii(100, 2, 1).norm, layer_radii(100, 2, 1).own_slope
    (0.2, 0.0)
    """
    root = math.sqrt(delta * (1 - delta))
    kappa_squared = 1 + 2 * root
    h = math.sqrt(level / width)
    # Hoeffding: a mean of M terms with values in an interval of this length.
    hoeffding = h / math.sqrt(2)
    spread = math.sqrt(2 * (kappa_squared + delta * (1 - delta)))
    return LayerRadii(
        norm=math.sqrt(2 * kappa_squared) * h,
        above=kappa_squared * square_radius(h),
        below=kappa_squared * math.sqrt(6) * h,
        slope=(2 * root + 2 * max(root, delta)) * hoeffding,
        own_slope=4 * root * hoeffding,
        stretch=kappa_squared / math.sqrt(2 * width) + spread * h,
        noise=math.sqrt(kappa_squared / width),
    )
