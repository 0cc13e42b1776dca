"""The letters of the paper, and those that its proofs and tests need besides.

The letters of the paper itself are in ``paper``, and all others are declared in the same table, by
what they are about.
"""

# A claim may name any letter of the table: all of them are declared when the first is used.
from theorems.shallow_transformer.letters import (
    constants,
    deviation,
    experiment,
    feasible,
    feature,
    gradient,
    head,
    linear,
    pooled,
    run,
    start,
    token,
    training,
)

__all__ = [
    "constants",
    "deviation",
    "experiment",
    "feasible",
    "feature",
    "gradient",
    "head",
    "linear",
    "pooled",
    "run",
    "start",
    "token",
    "training",
]
