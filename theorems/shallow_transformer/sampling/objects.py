"""What proofs about tokens speak of, in floats: tokens, weights, vectors and matrices.

A sampled case has them beside its quantities, so that a proof's reading of each quantity, such as
tr M as a mean of squares, is compared with the number that was computed for it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from numeric.arguments import Floats
from numeric.softmax_jacobian import softmax
from theorems.engine.rules.vocabulary import Operator, Vector
from theorems.shallow_transformer.letters.paper import T
from theorems.shallow_transformer.letters.pooled import deviations, pooled, tokens
from theorems.shallow_transformer.letters.token import logit, pooling_weight, weight
from theorems.shallow_transformer.sampling.heads import SampledHead

__all__ = ["by_number", "objects_of_head", "objects_of_logits", "objects_of_tokens"]


def by_number(values: Floats) -> Callable[..., Any]:
    """A family by the number of a token, which begins with 1; how many there are is no matter.

    LookupError where there is no such token.
    """

    def value(place: float, *_: Any) -> Any:
        if not 1 <= place <= len(values):
            raise LookupError(f"there is no token {place:g}")
        return values[round(place) - 1]

    return value


def objects_of_logits(z: Floats) -> Mapping[Any, Any]:
    """The number of tokens, their logits z and the softmax weights of z."""
    weights = by_number(softmax(z))
    return {T: len(z), logit: by_number(z), weight: weights, pooling_weight: weights}


def objects_of_tokens(X: Floats, z: Floats) -> Mapping[Any, Any]:
    """Tokens X, as rows, of logits z: their mean a, their deviations Y = X - a and covariance M."""
    alpha = softmax(z)
    Y = X - alpha @ X
    return {
        **objects_of_logits(z),
        tokens: by_number(X),
        deviations: by_number(Y),
        pooled: alpha @ X,
        Operator("M"): (Y.T * alpha) @ Y,
    }


def objects_of_head(head: SampledHead) -> Mapping[Any, Any]:
    """The tokens of a head, its query q, and U."""
    found = objects_of_tokens(head.tokens, head.tokens @ head.W @ head.query)
    return {**found, Vector("q"): head.query, Vector("U"): head.U}
