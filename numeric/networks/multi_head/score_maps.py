r"""What a layer makes of its scores, row by row: the identity, ReLU or softmax, and derivatives."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from numeric.arguments import Floats, one_of
from numeric.softmax_jacobian import softmax, softmax_jacobian


@dataclass(frozen=True)
class ScoreMap:
    r"""A map zeta of rows of scores: its values, and the matrices of its derivatives.

    ``derivatives`` has the shape of the scores and one more axis: entry (c, d) of the matrix of
    a row is :math:`\partial \zeta(G)_c / \partial G_d`.

    >>> SCORE_MAPS["relu"].derivatives(np.array([1.0, -1.0]))
    array([[1., 0.],
           [0., 0.]])
    """

    values: Callable[[Floats], Floats]
    derivatives: Callable[[Floats], Floats]


def _same(scores: Floats) -> Floats:
    return scores


def _positive_part(scores: Floats) -> Floats:
    return np.maximum(scores, 0.0)


def _units(scores: Floats) -> Floats:
    return _diagonal(np.ones_like(scores))


def _steps(scores: Floats) -> Floats:
    """The derivative of ReLU, which is taken to be 0 at 0."""
    return _diagonal((scores > 0).astype(float))


def _diagonal(entries: Floats) -> Floats:
    return np.asarray(entries[..., None] * np.eye(entries.shape[-1]))


#: The maps by name.
SCORE_MAPS: dict[str, ScoreMap] = {
    "identity": ScoreMap(_same, _units),
    "relu": ScoreMap(_positive_part, _steps),
    "softmax": ScoreMap(softmax, softmax_jacobian),
}


def score_map_name(name: str, value: object) -> str:
    """The name of a map, else ValueError.

    >>> score_map_name("score_map", "relu")
    'relu'
    """
    return one_of(name, value, SCORE_MAPS)
