"""Softmax weights and the Jacobian of softmax in float64, each to a few units in the last place.

The token of the largest weight is the reference of everything: its logit is subtracted from the
others, 1 - p is the sum of the other weights there, and vectors are centred at its entry. So
nothing cancels, however far the logits are apart.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numeric.arguments import Floats, is_array, real_array

# exp vanishes in floats far above this, and a difference of logits can be infinite.
_LEAST_EXPONENT = -800.0


@dataclass(frozen=True)
class Weights:
    """Softmax weights along the last axis, with what would cancel if it were computed from them."""

    p: Floats
    largest: NDArray[np.intp]  # index of the largest weight, with the last axis kept
    others: Floats  # p_j / (1 - p_largest) for the others, 0 at the largest
    rest: Floats  # 1 - p_largest, with the last axis kept

    @property
    def largest_weight(self) -> Floats:
        """p at the largest weight, with the last axis kept."""
        return np.asarray(np.take_along_axis(self.p, self.largest, -1))

    @property
    def complements(self) -> Floats:
        """1 - p: from p itself at all weights that are at most 1/2."""
        result = 1 - self.p
        np.put_along_axis(result, self.largest, self.rest, -1)
        return result


def weights_of(logits: Floats) -> Weights:
    """The softmax weights of logits (..., T), T at least 1."""
    largest = np.argmax(logits, axis=-1, keepdims=True)
    without = logits.copy()
    np.put_along_axis(without, largest, -np.inf, -1)
    second = np.max(without, axis=-1, keepdims=True)
    top = np.take_along_axis(logits, largest, -1)
    # The others are normalised among themselves first: they may all underflow beside the largest.
    shares = _exponentials(without, np.where(np.isneginf(second), 0.0, second))
    total = np.sum(shares, axis=-1, keepdims=True)
    odds = _exponentials(second, top) * total
    exponentials = _exponentials(logits, top)
    scale = 1 + odds
    return Weights(exponentials / scale, largest, shares / np.maximum(total, 1), odds / scale)


def _exponentials(logits: Floats, reference: Floats) -> Floats:
    """exp(z - r), corrected for the rounding of the difference."""
    difference, error = _difference(logits, reference)
    near = difference > _LEAST_EXPONENT
    values = np.exp(np.where(near, difference, -np.inf))
    return np.asarray(values * (1 + np.where(near, error, 0.0)))


def _difference(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """x - y rounded, and its exact rounding error (Knuth), if nothing overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = x - y
        shift = rounded - x
        return rounded, (x - (rounded - shift)) - (y + shift)


def checked_logits(logits: object) -> Floats:
    """Logits as a float64 array (..., T) with T at least 1."""
    array = real_array("logits", logits, shape=("...", "T"))
    if array.shape[-1] == 0:
        raise ValueError(f"logits must have at least one entry, got shape {array.shape}")
    return array


def checked_values(name: str, values: object, logits: Floats) -> Floats:
    """An array (..., T) whose last axis is as long as that of the logits, and broadcasts."""
    array = real_array(name, values, shape=("...", logits.shape[-1]))
    check_broadcast(name, array.shape[:-1], logits.shape[:-1])
    return array


def check_broadcast(name: str, leading: tuple[int, ...], batch: tuple[int, ...]) -> None:
    """Raise ValueError unless two shapes broadcast."""
    try:
        np.broadcast_shapes(leading, batch)
    except ValueError:
        raise ValueError(
            f"{name} must have leading axes that broadcast with those of logits, got {leading} and {batch}"
        ) from None


def softmax(logits: Any) -> Floats:
    """p_t = exp(z_t) / sum_s exp(z_s) along the last axis.

    logits z of shape (..., T), T at least 1, any finite numbers. Each weight is good to a few
    units in the last place, also where logits differ by hundreds; weights below 1e-308 lose digits
    and vanish below 5e-324.
    Source: "Shallow transformers", Section 3.2 and Fact 1.

    >>> softmax([0, 0]), softmax([1e4, -1e4])
    (array([0.5, 0.5]), array([1., 0.]))
    """
    z = checked_logits(logits)
    exponentials = _exponentials(z, np.max(z, axis=-1, keepdims=True))
    return np.asarray(exponentials / np.sum(exponentials, axis=-1, keepdims=True))


def complements(logits: Any) -> Floats:
    """1 - p_t, the sum of the other weights, without cancellation where p_t is nearly 1.

    logits of shape (..., T); so is the result.
    Source: derived from "Shallow transformers", Fact 1.

    >>> complements([40, 0]), complements([7])
    (array([4.24835426e-18, 1.00000000e+00]), array([0.]))
    """
    return weights_of(checked_logits(logits)).complements


def softmax_jacobian(logits: Any) -> Floats:
    """The Jacobian J = diag(p) - p p^T of softmax at logits, each entry to a few last places.

    logits of shape (..., T); the result has shape (..., T, T). J is symmetric, J 1 = 0.
    Source: "Shallow transformers", Fact 1.

    >>> softmax_jacobian([0, 0])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    weights = weights_of(checked_logits(logits))
    result = -weights.p[..., :, None] * weights.p[..., None, :]
    diagonal = np.arange(weights.p.shape[-1])
    result[..., diagonal, diagonal] = weights.p * weights.complements
    return result


def apply_jacobian(logits: Any, vector: Any) -> Floats:
    """J u = p * (u - sum_t p_t u_t), in time proportional to T and without forming J.

    logits and vector u of shape (..., T); leading axes broadcast. The error is a few units in the
    last place of p_t sum_s p_s |u_t - u_s|; constant vectors are mapped to 0 exactly.
    Raises OverflowError if differences of entries of u are too large for a float.
    Source: "Shallow transformers", Fact 1.

    >>> apply_jacobian([0, 0], [1, -1]), apply_jacobian([3, -7], [1e9, 1e9])
    (array([ 0.5, -0.5]), array([0., 0.]))
    """
    z = checked_logits(logits)
    weights, values = weights_of(z), checked_values("vector", vector, z)
    centred = _centred(weights, values)
    return finite(weights.p * centred, "vector")


def variance(logits: Any, values: Any) -> Any:
    """u^T J u, the variance of u under the softmax weights, as a sum of squares.

    logits and values u of shape (..., T); leading axes broadcast, the last one is summed over.
    Good to a few units in the last place.
    Raises OverflowError if the squares are too large for a float.
    Source: "Shallow transformers", Fact 1 and Remark 3.

    >>> variance([0, 0], [1, -1]), variance([[0, 0], [800, 0]], [5, 3])
    (1.0, array([1., 0.]))
    """
    z = checked_logits(logits)
    weights, u = weights_of(z), checked_values("values", values, z)
    with np.errstate(over="ignore", invalid="ignore"):
        result = finite(np.sum(weights.p * _centred(weights, u) ** 2, axis=-1), "values")
    return plain(result)


def _centred(weights: Weights, values: Floats) -> Floats:
    """u - mean of u, from differences to the entry at the largest weight."""
    p, values, largest = np.broadcast_arrays(weights.p, values, weights.largest)
    return centred(p, values, np.take_along_axis(values, largest[..., :1], -1), -1)


def centred(p: Floats, values: Floats, reference: Floats, axis: int) -> Floats:
    """The values less their mean under p, each to a few units in its last place.

    The mean of the differences to the reference is subtracted together with their rounding errors,
    and then what is left of it.
    """
    difference, error = _difference(values, reference)
    with np.errstate(over="ignore", invalid="ignore"):
        result = (difference - np.sum(p * difference, axis=axis, keepdims=True)) + error
        return np.asarray(result - np.sum(p * result, axis=axis, keepdims=True))


def finite(result: Floats, name: str) -> Floats:
    """The result, unless it overflowed."""
    if not np.isfinite(result).all():
        raise OverflowError(f"{name} makes values too large for a float")
    return result


def plain(result: Any) -> Any:
    """A float for an array without axes, else the array."""
    return result if is_array(result) and np.ndim(result) else float(result)
