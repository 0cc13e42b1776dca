"""The covariance of tokens under softmax weights, and its derivative."""

from typing import Any

import sympy
from sympy import ImmutableMatrix

from symbolic.arguments import exact_matrix
from symbolic.softmax_jacobian.weights import exact_weights


def covariance(weights: Any, tokens: Any) -> ImmutableMatrix:
    """M = sum_t p_t (X_t - a)(X_t - a)^T with a = sum_t p_t X_t.

    `tokens` has the shape (T, d), with rows X_t.
    Source: "Shallow transformers", Fact 3.

    >>> covariance(["1/2", "1/2"], [[1, 0], [-1, 0]])
    Matrix([
    [1, 0],
    [0, 0]])
    """
    p, centred = _centred(weights, tokens)
    return ImmutableMatrix(centred.T * sympy.diag(*p) * centred)


def covariance_derivative(weights: Any, tokens: Any, direction: Any) -> ImmutableMatrix:
    """sum_t p_t (s_t - s)(X_t - a)(X_t - a)^T, with s_t = <X_t, v> for v = direction (d by 1).

    It is the derivative of M along logits with the slopes s_t.
    Source: "Shallow transformers", proof of Lemma 2; the form is derived.

    >>> covariance_derivative(["3/4", "1/4"], [[1, 0], [-1, 0]], [[1], [0]])
    Matrix([
    [-3/4, 0],
    [   0, 0]])
    """
    p, centred = _centred(weights, tokens)
    slopes = centred * exact_matrix(direction, "direction", (centred.cols, 1))
    weighted = [one * slope for one, slope in zip(p, slopes, strict=True)]
    return ImmutableMatrix(centred.T * sympy.diag(*weighted) * centred)


def _centred(weights: Any, tokens: Any) -> tuple[tuple[Any, ...], ImmutableMatrix]:
    p = exact_weights(weights)
    X = exact_matrix(tokens, "tokens", (len(p), None))
    mean = ImmutableMatrix([p]) * X
    return p, ImmutableMatrix([list(X.row(t) - mean) for t in range(len(p))])
