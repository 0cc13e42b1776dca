"""Exact Gaussian expectations and conditionals."""

from symbolic.gaussian.bivariate import bivariate_expectation
from symbolic.gaussian.conditional import conditional_covariance, conditional_mean
from symbolic.gaussian.mean import GaussianMean
from symbolic.gaussian.univariate import expectation
from symbolic.gaussian.wick import gaussian_mean

__all__ = [
    "GaussianMean",
    "bivariate_expectation",
    "conditional_covariance",
    "conditional_mean",
    "expectation",
    "gaussian_mean",
]
