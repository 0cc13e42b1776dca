"""Gradient dependence at finite width: Proposition 17 of "MLPs at the EOC", and its sharp form."""

from symbolic.gradient_dependence.bounds import (
    derive_attainment,
    derive_distance,
    derive_error,
    derive_nuclear_norm,
    derive_printed_bound,
    derive_q_matrix,
    derive_ratio,
    derive_regrouping,
    derive_sharp_bound,
    derive_sharp_form,
    derive_w_form,
)
from symbolic.gradient_dependence.closed_forms import (
    bound_printed,
    bound_sharp,
    error,
    integral_w1,
    integral_w1w2,
)
from symbolic.gradient_dependence.conditioning import (
    derive_conditional_mean,
    derive_explained_block,
    derive_explained_trace,
    derive_mean_product,
    derive_regression,
    derive_standardised,
    derive_u_precision,
    printed_explained_block,
)
from symbolic.gradient_dependence.covariances import (
    check_printed_covariances_fail,
    derive_cross_covariance,
    derive_u_covariance,
    derive_v_covariance,
    printed_cross_covariance,
    printed_v_covariance,
)
from symbolic.gradient_dependence.expectations import (
    derive_inner_mean,
    derive_sum_over_units,
    derive_trace,
)
from symbolic.gradient_dependence.integrals import (
    derive_integral_w1,
    derive_integral_w1w2,
    derive_w_moment,
)

__all__ = [
    "bound_printed",
    "bound_sharp",
    "check_printed_covariances_fail",
    "derive_attainment",
    "derive_conditional_mean",
    "derive_cross_covariance",
    "derive_distance",
    "derive_error",
    "derive_explained_block",
    "derive_explained_trace",
    "derive_inner_mean",
    "derive_integral_w1",
    "derive_integral_w1w2",
    "derive_mean_product",
    "derive_nuclear_norm",
    "derive_printed_bound",
    "derive_q_matrix",
    "derive_ratio",
    "derive_regression",
    "derive_regrouping",
    "derive_sharp_bound",
    "derive_sharp_form",
    "derive_standardised",
    "derive_sum_over_units",
    "derive_trace",
    "derive_u_covariance",
    "derive_u_precision",
    "derive_v_covariance",
    "derive_w_form",
    "derive_w_moment",
    "error",
    "integral_w1",
    "integral_w1w2",
    "printed_cross_covariance",
    "printed_explained_block",
    "printed_v_covariance",
]
