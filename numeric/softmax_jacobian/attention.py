"""The covariance of tokens under softmax weights, and its derivative, the third cumulant."""

from typing import Any

import numpy as np

from numeric.arguments import Floats, real_array
from numeric.softmax_jacobian.weights import centred, check_broadcast, checked_logits, finite, weights_of


def covariance(logits: Any, tokens: Any) -> Floats:
    """M = sum_t p_t (X_t - a)(X_t - a)^T with a = sum_t p_t X_t, the matrix X J X^T.

    logits of shape (..., T), tokens X of shape (..., T, d), rows X_t; leading axes broadcast. The
    result has shape (..., d, d), exactly symmetric, with errors of a few units in the last place
    of its trace.
    Raises OverflowError if M is too large for a float.
    Source: "Shallow transformers", Remark 3 and Fact 3.

    >>> covariance([0, 0], [[1, 0], [-1, 0]])
    array([[1., 0.],
           [0., 0.]])
    """
    p, deviations = _weighted_deviations(logits, tokens)
    return _second_moments(p, deviations, "tokens")


def covariance_derivative(logits: Any, tokens: Any, direction: Any) -> Floats:
    """sum_t p_t (s_t - s)(X_t - a)(X_t - a)^T with s_t = <X_t, v>, s their mean: M's derivative.

    It is the derivative at h = 0 of `covariance` at logits z_t + h <X_t, v>: along Delta in W for
    v = Delta q; the third cumulant tensor of the tokens contracted with v.

    logits of shape (..., T), tokens (..., T, d), direction v of shape (..., d); leading axes
    broadcast. The result has shape (..., d, d), exactly symmetric.
    Raises OverflowError if it is too large for a float.
    Source: "Shallow transformers", proof of Lemma 2 (the derivative DM); the form is derived.

    >>> covariance_derivative([np.log(3), 0], [[1, 0], [-1, 0]], [1, 0])
    array([[-0.75,  0.  ],
           [ 0.  ,  0.  ]])
    """
    p, deviations = _weighted_deviations(logits, tokens)
    along = real_array("direction", direction, shape=("...", deviations.shape[-1]))
    check_broadcast("direction", along.shape[:-1], p.shape[:-1])
    with np.errstate(over="ignore", invalid="ignore"):
        slopes = np.sum(deviations * along[..., None, :], axis=-1)
        weighted = p * slopes
    return _second_moments(weighted, deviations, "direction")


def _weighted_deviations(logits: Any, tokens: Any) -> tuple[Floats, Floats]:
    z = checked_logits(logits)
    x = real_array("tokens", tokens, shape=("...", z.shape[-1], "d"))
    check_broadcast("tokens", x.shape[:-2], z.shape[:-1])
    weights = weights_of(z)
    batch = np.broadcast_shapes(x.shape[:-2], z.shape[:-1])
    x = np.broadcast_to(x, (*batch, *x.shape[-2:]))
    largest = np.broadcast_to(weights.largest, (*batch, 1))
    reference = np.take_along_axis(x, largest[..., None], -2)
    return weights.p, centred(weights.p[..., None], x, reference, -2)


def _second_moments(p: Floats, deviations: Floats, name: str) -> Floats:
    """sum_t p_t y_t y_t^T, symmetric to the last bit."""
    with np.errstate(over="ignore", invalid="ignore"):
        weighted = np.swapaxes(p[..., None] * deviations, -1, -2)
        moments = weighted @ deviations
        return finite((moments + np.swapaxes(moments, -1, -2)) / 2, name)
