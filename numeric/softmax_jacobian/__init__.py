"""Softmax, its Jacobian J = diag(p) - p p^T, and what attention makes of them, as numbers."""

from numeric.softmax_jacobian.attention import covariance, covariance_derivative
from numeric.softmax_jacobian.norms import jacobian_frobenius_norm, jacobian_trace
from numeric.softmax_jacobian.spectrum import jacobian_eigenvalues, jacobian_spectral_norm
from numeric.softmax_jacobian.subsets import (
    MOST_TOKENS,
    best_subset,
    infinity_to_one_bounds,
    infinity_to_one_norm,
)
from numeric.softmax_jacobian.weights import apply_jacobian, complements, softmax, softmax_jacobian, variance

__all__ = [
    "MOST_TOKENS",
    "apply_jacobian",
    "best_subset",
    "complements",
    "covariance",
    "covariance_derivative",
    "infinity_to_one_bounds",
    "infinity_to_one_norm",
    "jacobian_eigenvalues",
    "jacobian_frobenius_norm",
    "jacobian_spectral_norm",
    "jacobian_trace",
    "softmax",
    "softmax_jacobian",
    "variance",
]
