"""Positional encodings that decay, and the attention layer in the terms of neural-tangents."""

import math
from typing import Any

import numpy as np

from numeric.arguments import NONNEGATIVE, POSITIVE, Floats, flag, real_array, real_number, shown
from numeric.attention_kernels.layer import AttentionKernel, Encoding


def decaying_covariance(positions: Any, decay: float, scale: float = 1.0) -> Floats:
    """R_ab = scale exp(-decay |p_a - p_b|^2), a covariance of encodings of nearby tokens.

    positions has shape (s, k), a place for each token (k = 1 for text, 2 for pixels); decay is at
    least 0 and scale above 0. It is positive semidefinite, as the Gaussian kernel is.
    Raises ValueError or TypeError, which name the argument, for anything else.
    Source: "Infinite attention", Appendix A.1.1, phi and rho of Equation (12).

    >>> decaying_covariance([[0.0], [1.0]], 2.0).round(6)
    array([[1.      , 0.135335],
           [0.135335, 1.      ]])
    """
    places = real_array("positions", positions, shape=("s", "k"))
    rate = real_number("decay", decay, NONNEGATIVE)
    height = real_number("scale", scale, POSITIVE)
    if rate == 0:
        return np.full((len(places), len(places)), height)
    with np.errstate(over="ignore"):
        squares = ((places[:, None] - places[None, :]) ** 2).sum(axis=2)
        result: Floats = height * np.exp(-rate * squares)
    return result


def neural_tangents_attention(
    attention_mechanism: str,
    *,
    linear_scaling: bool = True,
    W_key_std: float = 1.0,
    W_query_std: float = 1.0,
    W_value_std: float = 1.0,
    W_out_std: float = 1.0,
    covariance: Any = None,
    val_pos_emb: bool = False,
) -> AttentionKernel:
    """The layer that neural-tangents' GlobalSelfAttention with these arguments stands for.

    attention_mechanism is the name of zeta, in capitals as there or not. `covariance` is None or
    that, R (s, s), of encodings of its type "SUM" (W_pos_emb_std^2 times the decay): these
    are added with weight 1 to inputs of weight 1, so that kernels become kernel + R, and they are
    trained through a factor of R. With its type "CONCAT" inputs and encodings have their shares of
    all columns as weights: an `Encoding` with this share as `kept` and R as `tangent`.
    Raises ValueError or TypeError for anything else.
    Source: Novak et al., "Neural Tangents", 2020 (stax.GlobalSelfAttention).

    >>> neural_tangents_attention("RELU", W_key_std=2.0).query_key_std
    2.0
    """
    names = ("W_key_std", "W_query_std", "W_value_std", "W_out_std")
    key, query, value, output = (
        real_number(name, std, POSITIVE)
        for name, std in zip(names, (W_key_std, W_query_std, W_value_std, W_out_std), strict=True)
    )
    seen_by_values = flag("val_pos_emb", val_pos_emb)
    tau = 1.0 if flag("linear_scaling", linear_scaling) else 0.5
    encoding, scores, values = None, key * query, value * output
    if covariance is not None:
        # kernel + R is twice kernel / 2 + R / 2
        encoding = Encoding(0.5, covariance, covariance, values=seen_by_values)
        scores *= 2
        values *= math.sqrt(2) if seen_by_values else 1
    return AttentionKernel(_zeta(attention_mechanism), tau, scores, values, encoding=encoding)


def _zeta(mechanism: object) -> str:
    known = ("softmax", "identity", "abs", "relu")
    if not isinstance(mechanism, str) or mechanism.lower() not in known:
        wanted = ", ".join(one.upper() for one in known)
        raise ValueError(f"attention_mechanism must be one of {wanted}, got {shown(mechanism)}")
    return mechanism.lower()
