"""The shallow transformer with independent heads: model, gradients, projected descent."""

from numeric.networks.transformer.activation import ACTIVATIONS, ERF, LOGISTIC, SINE, TANH, BoundedActivation
from numeric.networks.transformer.descent import Run, project, projected_descent, uniform_indices
from numeric.networks.transformer.model import (
    Attention,
    Gradients,
    LossAndGradient,
    attend,
    directional_derivative,
    features,
    gradients,
    linear_model,
    loss_and_gradient,
    predict,
)
from numeric.networks.transformer.parameters import (
    Heads,
    Inputs,
    last_token,
    sample_heads,
    symmetric_initialisation,
)
from numeric.networks.transformer.teacher import Teacher, clipped_tokens, sample_teacher, transported

__all__ = [
    "ACTIVATIONS",
    "ERF",
    "LOGISTIC",
    "SINE",
    "TANH",
    "Attention",
    "BoundedActivation",
    "Gradients",
    "Heads",
    "Inputs",
    "LossAndGradient",
    "Run",
    "Teacher",
    "attend",
    "clipped_tokens",
    "directional_derivative",
    "features",
    "gradients",
    "last_token",
    "linear_model",
    "loss_and_gradient",
    "predict",
    "project",
    "projected_descent",
    "sample_heads",
    "sample_teacher",
    "symmetric_initialisation",
    "transported",
    "uniform_indices",
]
