"""Softmax, its Jacobian and the cumulants behind it, for any number of tokens."""

from symbolic.softmax_jacobian.covariance import covariance, covariance_derivative
from symbolic.softmax_jacobian.cumulants import indicator_cumulant, joint_cumulant, log_sum_exp_derivative
from symbolic.softmax_jacobian.norms import infinity_to_one_norm, sum_of_squares
from symbolic.softmax_jacobian.spectrum import (
    characteristic_polynomial,
    eigenvalue_product,
    pseudo_inverse,
    secular_polynomial,
)
from symbolic.softmax_jacobian.weights import softmax, softmax_jacobian, weight_symbols

__all__ = [
    "characteristic_polynomial",
    "covariance",
    "covariance_derivative",
    "eigenvalue_product",
    "indicator_cumulant",
    "infinity_to_one_norm",
    "joint_cumulant",
    "log_sum_exp_derivative",
    "pseudo_inverse",
    "secular_polynomial",
    "softmax",
    "softmax_jacobian",
    "sum_of_squares",
    "weight_symbols",
]
