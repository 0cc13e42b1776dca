"""What the proofs on one head speak of, in floats: tokens, weights, vectors and matrices.

A sampled head has them beside its quantities, so that a proof's reading of each quantity, such as
tr M as a mean of squares, is compared with the number that was computed for it.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from numeric.arguments import Floats
from theorems.engine.rules.vocabulary import Operator, Vector
from theorems.shallow_transformer.letters.paper import T
from theorems.shallow_transformer.letters.pooled import deviations, pooled, tokens
from theorems.shallow_transformer.letters.token import logit, pooling_weight, weight
from theorems.shallow_transformer.sampling.heads import SampledHead

__all__ = ["objects_of_head", "objects_of_logits"]


def by_number(values: Floats) -> Callable[..., Any]:
    """A family by the number of a token, which begins with 1; how many there are is no matter."""
    return lambda place, *_: values[round(place) - 1]


def objects_of_logits(z: Floats) -> Mapping[Any, Any]:
    """The number of tokens, their logits z and the softmax weights of z."""
    powers = np.exp(z - np.max(z))
    weights = by_number(powers / np.sum(powers))
    return {T: len(z), logit: by_number(z), weight: weights, pooling_weight: weights}


def objects_of_head(head: SampledHead) -> Mapping[Any, Any]:
    """The tokens X, their weights, mean a and deviations Y = X - a, the query q, U, and M."""
    X = head.tokens
    found = objects_of_logits(X @ head.W @ head.query)
    alpha = np.array([found[pooling_weight](place) for place in range(1, len(X) + 1)])
    Y = X - alpha @ X
    return {
        **found,
        tokens: by_number(X),
        deviations: by_number(Y),
        pooled: alpha @ X,
        Vector("q"): head.query,
        Vector("U"): head.U,
        Operator("M"): (Y.T * alpha) @ Y,
    }
