"""Duals of activation functions, E phi(u1) phi(u2), exactly: closed forms and derivations."""

from symbolic.dual_activations.catalogue import Activation, list_activations
from symbolic.dual_activations.derivation_plans import S1, S2
from symbolic.dual_activations.derivations import derive_derivative_rule, derive_dual, derive_dual_derivative
from symbolic.dual_activations.evaluate import dual_activation, dual_activation_derivative

__all__ = [
    "S1",
    "S2",
    "Activation",
    "derive_derivative_rule",
    "derive_dual",
    "derive_dual_derivative",
    "dual_activation",
    "dual_activation_derivative",
    "list_activations",
]
