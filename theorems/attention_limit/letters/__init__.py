"""The letters of "Infinite-Width Limit of a Single Attention Layer", by subject.

Where one sign of the paper means several things, each meaning has a letter of its own, which
prints as the paper's.
"""

# A claim may name any letter of the table: all of them are declared when the first is used.
from theorems.attention_limit.letters import (
    attention,
    averages,
    convergence,
    dot_products,
    generation,
    law,
    limit,
    mixtures,
    output_maps,
    simulations,
    sketch,
    tails,
    tools,
)

__all__ = [
    "attention",
    "averages",
    "convergence",
    "dot_products",
    "generation",
    "law",
    "limit",
    "mixtures",
    "output_maps",
    "simulations",
    "sketch",
    "tails",
    "tools",
]
