"""Samplers of the networks that the papers are about."""

from numeric.networks.backpropagation import backpropagation_matrix, backpropagation_products
from numeric.networks.conditional import BackpropagationPair, LayerDraws, backpropagation_pair, resample_layer
from numeric.networks.diagonal_law import sample_ntk_diagonal
from numeric.networks.forward_law import ForwardLaw, sample_forward, sample_lengths
from numeric.networks.forward_pass import ForwardPass, forward_pass
from numeric.networks.jacobian import jacobian, multiplier, ntk_from_jacobian
from numeric.networks.mlp import MLP, Parameters
from numeric.networks.ntk import expected_ntk, ntk, ntk_matrix
from numeric.networks.sampling import sample_ntk

__all__ = [
    "MLP",
    "BackpropagationPair",
    "ForwardLaw",
    "ForwardPass",
    "LayerDraws",
    "Parameters",
    "backpropagation_matrix",
    "backpropagation_pair",
    "backpropagation_products",
    "expected_ntk",
    "forward_pass",
    "jacobian",
    "multiplier",
    "ntk",
    "ntk_from_jacobian",
    "ntk_matrix",
    "resample_layer",
    "sample_forward",
    "sample_lengths",
    "sample_ntk",
    "sample_ntk_diagonal",
]
