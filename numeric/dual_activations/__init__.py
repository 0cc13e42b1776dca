"""Duals of activation functions: E phi(u1) phi(u2) for a Gaussian pair (u1, u2).

What a random layer of infinite width does to the covariance of two inputs.
"""

from numeric.dual_activations.evaluate import dual_activation, dual_activation_derivative
from numeric.dual_activations.registry import Activation, list_activations

__all__ = ["Activation", "dual_activation", "dual_activation_derivative", "list_activations"]
