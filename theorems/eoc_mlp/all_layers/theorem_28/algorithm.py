"""Theorem 28 with explicit constants, as an algorithm: a bound of ||K(theta) - K||.

The layerwise inequalities of "MLPs at the EOC" are followed through the layers as intervals that
contain, on one event, every quantity of every network outside a set of probability e^(-s):

    f = |x_k|/|x_{k-1}|     within 1 +- norm, and |x_k| within 1 +- O(m^(-1/2))
    D^2 (proxies)           within [zeta - below z, zeta + above z]
    |f_1^2 - f_2^2|         at most 4 above sqrt z; and z_k = (D^2 - (f_1 - f_2)^2/4)/(f_1 f_2)
    ||B_{k1,k}||            at most (1 + stretch) ||B_{k1,k-1}|| + noise |B_{k1,k-1}|_F
    X'_{k1,k}               varrho'(rho_{k-1}) X'_{k1,k-1} + dependence + a martingale difference

with the radii of `layer_radii` and the sharp bound D (4/pi) sqrt(1 - rho^2) ||B(1)||
||B(2)|| of the gradient dependence. Then E K = sum_k X_k X'_{k+1,l} + X_l, and the last layer
strays from it by J as in Proposition 9.
Proof: proofs_notes/eoc_limits.md#theorem-28-as-an-algorithm.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from numeric.arguments import NONNEGATIVE, Floats, closed, integer, positive_integer, real_array, real_number
from numeric.concentration import last_layer_radius
from numeric.cosine_maps import zeta
from numeric.limiting_ntk import limiting_ntk_profile
from theorems.eoc_mlp.all_layers.theorem_28.backward_bounds import backward_bounds
from theorems.eoc_mlp.all_layers.theorem_28.layer_radii import LayerRadii, layer_radii, norm_bounds

_MOST_LAYERS = 1000
_LARGEST = 10**300  # so that widths are floats
# A bound passes fewer than 2^5 roundings in each of at most 2^10 layers and sums of 2^10 terms,
# each of 2^-53 relative to a term that enters with a positive sign in the upper end.
_ROUNDING = 2.0**-26


@dataclass(frozen=True, eq=False)
class ConcentrationBound:
    """What `ntk_concentration_bound` answers, for n inputs of norm 1.

    - ``total`` bounds ||K(theta) - K||, K the limit, and ``limit`` is ||K||.
    - ``entries[i, j]`` bounds ||K_theta(x_i, x_j) - K(x_i, x_j)|| (without 1/n): the sum of
      ``mean``, for E K_theta over the last layer, ``last_layer``, and what rounding may add.
    - ``norms[k-1, :, i]``, ``cosines[k-1, :, i, j]``, ``products[k-1, :, i, j]`` are lower and
      upper bounds of |x_k|, rho_k, X'_{k+1,l}; ``operators[k-1, i]`` upper ones of ||B_{k+1,l}||.
    """

    total: float
    limit: float
    entries: Floats
    mean: Floats
    last_layer: Floats
    norms: Floats
    cosines: Floats
    products: Floats
    operators: Floats


def ntk_concentration_bound(
    cosines: ArrayLike, depth: int, m: int, delta: float, s: float, output_dim: int = 1
) -> ConcentrationBound:
    r"""Bound ||K(theta) - K|| for widths m_k = k^2 m, but for a probability of at most e^(-s).

    ``cosines``: the cosines rho_1 of n inputs, shape ``(n, n)``, symmetric with diagonal 1 and
    entries in [-1, 1], of inputs of norm 1 (for others multiply by their largest squared norm).
    ``depth`` l in [2, 1000], ``m`` >= 1, ``delta`` in [0, 1], ``s`` >= 0, ``output_dim`` m_l >= 1.
    The bound is infinite if the widths do not exclude that an activation vanishes.

    Raises TypeError or ValueError for an argument outside its domain, naming it.
    Source: "MLPs at the EOC", Theorem 28, with explicit constants.

    >>> bound = ntk_concentration_bound([[1, 0.5], [0.5, 1]], depth=3, m=10**6, delta=1, s=3)
    >>> bool(bound.total < 0.1 * bound.limit)
    True
    """
    rho = _cosine_matrix(cosines)
    layers = integer("depth", depth, 2, _MOST_LAYERS)
    unit = integer("m", m, 1, _LARGEST)
    share = real_number("delta", delta, closed(0, 1))
    surplus = real_number("s", s, NONNEGATIVE)
    outputs = positive_integer("output_dim", output_dim)
    level = surplus + math.log(count_of_tails(len(rho), layers))
    radii = [layer_radii(unit * k * k, level, share) for k in range(1, layers)]
    if radii[0].norm >= 1:
        return _nothing(rho, layers, share)
    return _assemble(rho, radii, share, level, outputs)


def count_of_tails(n: int, depth: int) -> int:
    """The number of one-sided tails that the bound adds up, for n inputs.

    In each layer: ratios of norms and norms, 2 each, and for each pair proxies and differences,
    2 each; for k1 <= k2 products, 2 each for pairs and single inputs; for k1 < k2 operator norms;
    for the last layer 2 each for pairs and single inputs.
    """
    pairs, steps = n * (n - 1) // 2, depth - 1
    matrices = steps * (steps - 1) // 2
    forward = steps * (4 * n + 4 * pairs)
    return forward + (matrices + steps + 1) * 2 * (n + pairs) + matrices * n


def _cosine_matrix(cosines: ArrayLike) -> Floats:
    rho = real_array("cosines", cosines, closed(-1, 1), shape=("n", "n"))
    if len(rho) == 0:
        raise ValueError(f"cosines must have at least one row, got shape {rho.shape}")
    if not (np.array_equal(rho, rho.T) and np.all(np.diagonal(rho) == 1)):
        raise ValueError("cosines must be symmetric with diagonal 1, got another matrix")
    return rho


def _nothing(rho: Floats, depth: int, delta: float) -> ConcentrationBound:
    """What is known of layers that may die."""
    n = len(rho)
    ends = np.array([-1.0, 1.0])[:, None, None]
    unbounded = np.full((n, n), math.inf)
    limit = np.linalg.norm(np.asarray(limiting_ntk_profile(rho, depth, delta)), 2) / n
    return ConcentrationBound(
        total=math.inf,
        limit=float(limit),
        entries=unbounded,
        mean=unbounded,
        last_layer=unbounded,
        norms=np.stack([np.zeros((depth, n)), np.full((depth, n), math.inf)], axis=1),
        cosines=np.broadcast_to(ends, (depth, 2, n, n)),
        products=np.broadcast_to(math.inf * ends, (depth - 1, 2, n, n)),
        operators=np.full((depth - 1, n), math.inf),
    )


Interval = tuple[Floats, Floats]


def _assemble(
    rho: Floats, radii: list[LayerRadii], delta: float, level: float, outputs: int
) -> ConcentrationBound:
    depth, n = len(radii) + 1, len(rho)
    bounds = norm_bounds(radii, level)
    norms = np.repeat(bounds[:, :, None], n, axis=2)
    distances = _distances(rho, radii, delta)
    products, operators = backward_bounds(distances, radii, delta, level)
    cosines = np.stack([1 - 2 * distances[:, 1], 1 - 2 * distances[:, 0]], axis=1)
    own = np.arange(n)
    cosines[:, :, own, own] = 1.0
    sizes = norms[:, :, :, None] * norms[:, :, None, :]
    inner = np.stack(_product((sizes[:, 0], sizes[:, 1]), (cosines[:, 0], cosines[:, 1])), axis=1)
    terms = np.stack(_product((inner[:-1, 0], inner[:-1, 1]), (products[:, 0], products[:, 1])), axis=1)
    expected = terms.sum(axis=0) + inner[-1]
    profile = np.asarray(limiting_ntk_profile(rho, depth, delta))
    mean = np.maximum(expected[1] - profile, profile - expected[0])
    largest = np.maximum(-inner[:-1, 0], inner[:-1, 1])
    last = _last_layer(largest, products, operators, level, outputs)
    widened = _ROUNDING * (np.abs(expected).max(axis=0) + last + depth)
    entries = mean + last + widened
    return ConcentrationBound(
        total=float(np.linalg.norm(entries, 2)) / n * (1 + _ROUNDING),
        limit=float(np.linalg.norm(profile, 2)) / n,
        entries=entries,
        mean=mean,
        last_layer=last,
        norms=norms,
        cosines=cosines,
        products=products,
        operators=operators,
    )


def _distances(rho: Floats, radii: list[LayerRadii], delta: float) -> Floats:
    """Bounds of z_k = (1 - rho_k)/2 for k = 1, ..., l."""
    distances = [np.stack([0.5 - 0.5 * rho] * 2)]
    for layer in radii:
        distances.append(_next_distance(distances[-1], layer, delta))
    return np.stack(distances)


def _next_distance(z: Floats, layer: LayerRadii, delta: float) -> Floats:
    """Bounds of z_k from those of z_{k-1}; exact at z = 0, where nothing moves."""
    low, high = _zeta_range(z, delta)
    low = np.maximum(0.0, low - layer.below * z[1])
    high = high + layer.above * z[1]
    # |f_1 - f_2|/2: by the norms, or by the concentration of f_1^2 - f_2^2.
    gap = np.minimum(layer.norm, layer.above * np.sqrt(z[1]) / (1 - layer.norm))
    below = np.maximum(0.0, low - gap * gap) / (1 + layer.norm) ** 2
    return np.stack([below, np.minimum(1.0, high / (1 - layer.norm) ** 2)])


def _zeta_range(z: Floats, delta: float) -> Interval:
    """The image of an interval under zeta, which is concave: ends, and the maximum if inside."""
    ends = np.asarray(zeta(z, delta))
    top = math.sin(math.pi / (4 * delta)) ** 2 if delta > 0.5 else 1.0
    peak = np.asarray(zeta(np.clip(top, z[0], z[1]), delta))
    return np.minimum(ends[0], ends[1]), np.maximum(np.maximum(ends[0], ends[1]), peak)


def _product(first: Interval, second: Interval) -> Interval:
    """The product of two intervals."""
    corners = [a * b for a in first for b in second]
    return np.minimum.reduce(corners), np.maximum.reduce(corners)


def _last_layer(weights: Floats, products: Floats, operators: Floats, level: float, outputs: int) -> Floats:
    """The radius of Proposition 9, for J = sum_k X_k B_{k+1,l}(1) B_{k+1,l}(2)^*."""
    own = np.arange(weights.shape[-1])
    squares = np.sqrt(np.maximum(0.0, products[:, 1, own, own]))
    mixed = operators[:, :, None] * squares[:, None, :]
    frobenius = np.sum(weights * np.minimum(mixed, np.swapaxes(mixed, -1, -2)), axis=0)
    operator = np.sum(weights * operators[:, :, None] * operators[:, None, :], axis=0)
    if outputs == 1:  # a single quadratic form, by Laurent and Massart
        return np.asarray(2 * frobenius * math.sqrt(level) + 2 * operator * level)
    return np.asarray(last_layer_radius(level, frobenius, operator, outputs))
