"""Exact Gaussian expectations, conditionals and integration by parts."""

from symbolic.gaussian.bivariate import bivariate_expectation
from symbolic.gaussian.conditional import (
    conditional_covariance,
    conditional_mean,
    derive_conditioning,
)
from symbolic.gaussian.identities import price_identity, stein_identity
from symbolic.gaussian.mean import GaussianMean
from symbolic.gaussian.univariate import expectation

__all__ = [
    "GaussianMean",
    "bivariate_expectation",
    "conditional_covariance",
    "conditional_mean",
    "derive_conditioning",
    "expectation",
    "price_identity",
    "stein_identity",
]
