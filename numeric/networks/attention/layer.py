"""The shape and the scales of a layer of multi-head attention."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from numeric.arguments import POSITIVE, Floats, positive_integer, real_array, shown


@dataclass(frozen=True, eq=False)
class AttentionLayer:
    r"""Multi-head attention in which the queries, keys and values of a head have m entries.

    - ``heads``: the number H of heads.
    - ``rows``: m, the number of rows of W^Q, W^K and W^V.  In the paper's main setting m is the
      width n; with low rank it is n_H; ``math.inf`` is the limit.
    - ``score_scales``: :math:`\sigma_{Q} \sigma_{K}`, one positive number or one a head.
    - ``value_scales``: :math:`\sigma_{V} \sigma_{O}`, likewise.

    Entries of W^Q, W^K, W^V (m x n) have variance sigma^2/n, those of W^O (n x m) sigma^2/m, and
    scores are divided by sqrt(m).  Raises TypeError or ValueError for other arguments.
    Source: "Infinite-Width Limit of a Single Attention Layer", Section 2.1 and Appendix B.2.

    >>> AttentionLayer(heads=2, rows=64).score_scales
    array([1., 1.])
    """

    heads: int
    rows: int | float
    score_scales: Any = 1.0
    value_scales: Any = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", positive_integer("heads", self.heads))
        if self.rows != math.inf:
            object.__setattr__(self, "rows", positive_integer("rows", self.rows))
        for name in ("score_scales", "value_scales"):
            object.__setattr__(self, name, self._each(name, getattr(self, name)))

    def _each(self, name: str, value: Any) -> Floats:
        given = real_array(name, value, POSITIVE)
        if given.shape not in {(), (self.heads,)}:
            raise ValueError(f"{name} must be one number or {self.heads}, got shape {given.shape}")
        return np.broadcast_to(given, (self.heads,)).copy()


def check_layer(attention: object) -> None:
    """Raise TypeError unless it is a layer."""
    if not isinstance(attention, AttentionLayer):
        raise TypeError(f"attention must be an AttentionLayer, got {shown(attention)}")
