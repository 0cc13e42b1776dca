"""Bounds of all backpropagation products and norms on one event, from bounds of the cosines.

With r~ the limiting slope of a layer, Pi the product of these slopes, and xi the fluctuation of
X'_{k1,k} about its mean given the layers below,

    X'_{k1,k} - Pi_{k1,k} = r~ (X'_{k1,k-1} - Pi_{k1,k-1}) + (r - r~) X'_{k1,k-1} + dependence + xi.

The second and third terms are bounded one by one (``drift``). The xi, with weights that are
products of limiting slopes and at most 1, are martingale differences, whose sum obeys Bernstein's
inequality with the sum of the variances: that is where summing absolute values would cost a
logarithm of the depth.
Proof: proofs_notes/eoc_limits.md#theorem-28-as-an-algorithm.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from numeric.arguments import Floats
from numeric.cosine_maps import zeta, zeta_prime
from theorems.eoc_mlp.all_layers.theorem_28.layer_radii import LayerRadii, sum_radius


@dataclass(frozen=True)
class _Products:
    """For k1 = 2, ..., k: Pi, and what X'_{k1,k} may differ by; each of shape ``(k - 1, n, n)``.

    ``norms`` bounds ||B_{k1,k}(x_i)||, shape ``(k - 1, n)``.
    """

    limit: Floats
    drift: Floats
    variance: Floats
    scale: Floats
    norms: Floats

    def radius(self, level: float) -> Floats:
        return np.asarray(self.drift + sum_radius(level, self.variance, self.scale))

    def frobenius(self, level: float) -> Floats:
        """Upper bounds of |B_{k1,k}(x_i)|_F, shape ``(k - 1, n)``."""
        return np.asarray(np.sqrt(1 + np.diagonal(self.radius(level), axis1=-2, axis2=-1)))


def backward_bounds(
    distances: Floats, radii: Sequence[LayerRadii], delta: float, level: float
) -> tuple[Floats, Floats]:
    """Bounds of X'_{k1,l}, shape ``(l - 1, 2, n, n)``, and of ||B_{k1,l}(x_i)||, ``(l - 1, n)``.

    ``distances[k - 1]`` holds lower and upper bounds of z_k = (1 - rho_k)/2, exact for k = 1.
    """
    n = distances.shape[-1]
    nothing = np.zeros((0, n, n))
    state = _Products(nothing, nothing, nothing, nothing, np.zeros((0, n)))
    limit = distances[0, 0]
    for layer, z in zip(radii, distances, strict=False):
        state = _step(state, layer, z, limit, delta, level)
        limit = np.asarray(zeta(limit, delta))
    radius = state.radius(level)
    return np.stack([state.limit - radius, state.limit + radius], axis=1), state.norms


def _step(
    state: _Products, layer: LayerRadii, z: Floats, limit: Floats, delta: float, level: float
) -> _Products:
    """One more layer, and the products that begin in it."""
    n = len(limit)
    slope = np.asarray(zeta_prime(limit, delta))
    steepest, flattest = np.asarray(zeta_prime(z, delta))
    off = np.maximum(steepest - slope, slope - flattest)
    size = state.frobenius(level)
    pair = size[:, :, None] * size[:, None, :]
    scale = layer.kappa_squared * pair
    widest = np.clip(0.5, z[0], z[1])
    bent = delta * (8 / math.pi) * np.sqrt(widest * (1 - widest))  # D (4/pi) sqrt(1 - rho^2)
    dependence = bent * state.norms[:, :, None] * state.norms[:, None, :]
    length = np.where(np.eye(n, dtype=bool), layer.own_length, layer.length)
    weight = abs(slope)
    return _Products(
        limit=_with(slope * state.limit, slope),
        drift=_with(weight * state.drift + off * pair + dependence, off),
        variance=_with(
            weight**2 * state.variance + 3 * scale**2 / layer.width, length**2 / (4 * layer.width)
        ),
        scale=_with(np.maximum(weight * state.scale, 2 * scale / layer.width), np.zeros((n, n))),
        norms=_with((1 + layer.stretch) * state.norms + layer.noise * size, np.full(n, layer.noise)),
    )


def _with(earlier: Floats, new: Floats) -> Floats:
    return np.concatenate([earlier, new[None]])
