"""The letters of "Infinite attention", by subject."""

# A claim may name any letter of the table: all of them are declared when the first is used.
from theorems.infinite_attention.letters import (
    auxiliary,
    convolutions,
    direct_gradients,
    encodings,
    experiments,
    gradients,
    heads,
    kernels,
    layers,
    network,
    nonlinearities,
    rectified,
    scores,
)

__all__ = [
    "auxiliary",
    "convolutions",
    "direct_gradients",
    "encodings",
    "experiments",
    "gradients",
    "heads",
    "kernels",
    "layers",
    "network",
    "nonlinearities",
    "rectified",
    "scores",
]
