"""The shape, the scales and the weights of a multi-head layer in the NTK parametrisation."""

from dataclasses import dataclass

import numpy as np

from numeric.arguments import POSITIVE, Floats, positive_integer, real_number, shown
from numeric.networks import arguments
from numeric.networks.multi_head.score_maps import SCORE_MAPS, ScoreMap, score_map_name


@dataclass(frozen=True)
class MultiHeadLayer:
    r"""H heads, in which queries and keys have d_G entries and values d_V.

    With weights of standard normal entries and inputs x of d^s rows of d_in entries,

    .. math:: Q = \sigma_Q d_{in}^{-1/2} x W^Q, \quad K = \sigma_K d_{in}^{-1/2} x W^K, \quad
        V = \sigma_V d_{in}^{-1/2} x W^V, \quad G = d_G^{-\tau} Q K^T, \quad
        f = \sigma_O (H d_V)^{-1/2} \sum_h \zeta(G_h) V_h W^O_h.

    - ``heads``, ``score_dim``, ``value_dim``: H, d_G and d_V.
    - ``sigma_q``, ``sigma_k``, ``sigma_v``, ``sigma_o``: positive numbers.
    - ``tau``: 1/2, and W^Q and W^K are independent; or 1, and they are drawn equal (but they are
      parameters of their own, with gradients of their own).
    - ``score_map``: zeta, one of the names of ``SCORE_MAPS``.

    Raises TypeError or ValueError for other arguments.
    Source: "Infinite attention", Sections 2.1 and 3, Equations (2)-(4).

    >>> MultiHeadLayer(2, 16, 8, tau=1).tied
    True
    """

    heads: int
    score_dim: int
    value_dim: int
    sigma_q: float = 1.0
    sigma_k: float = 1.0
    sigma_v: float = 1.0
    sigma_o: float = 1.0
    tau: float = 0.5
    score_map: str = "softmax"

    def __post_init__(self) -> None:
        for name in ("heads", "score_dim", "value_dim"):
            object.__setattr__(self, name, positive_integer(name, getattr(self, name)))
        for name in ("sigma_q", "sigma_k", "sigma_v", "sigma_o"):
            object.__setattr__(self, name, real_number(name, getattr(self, name), POSITIVE))
        object.__setattr__(self, "tau", real_number("tau", self.tau))
        if self.tau not in {0.5, 1.0}:
            raise ValueError(f"tau must be 1/2 or 1, got {shown(self.tau)}")
        score_map_name("score_map", self.score_map)

    @property
    def tied(self) -> bool:
        """Whether W^Q and W^K are drawn equal."""
        return self.tau == 1.0

    @property
    def zeta(self) -> ScoreMap:
        """The map of rows of scores."""
        return SCORE_MAPS[self.score_map]

    @property
    def score_scale(self) -> float:
        """d_G^-tau."""
        return float(self.score_dim**-self.tau)

    @property
    def output_scale(self) -> float:
        """sigma_O / sqrt(H d_V)."""
        return float(self.sigma_o / (self.heads * self.value_dim) ** 0.5)


@dataclass(frozen=True, eq=False)
class HeadWeights:
    """W^Q and W^K (..., H, d_in, d_G), W^V (..., H, d_in, d_V), W^O (..., H, d_V, outputs)."""

    queries: Floats
    keys: Floats
    values: Floats
    outputs: Floats


def sample_head_weights(
    layer: MultiHeadLayer, width: int, output_dim: int, rng: np.random.Generator
) -> HeadWeights:
    """Draw the weights of all heads: standard normal entries.

    - ``width``: d_in.
    - ``output_dim``: how many coordinates of the output.

    Raises TypeError or ValueError for other arguments.

    >>> layer = MultiHeadLayer(2, 16, 8)
    >>> sample_head_weights(layer, 5, 3, np.random.default_rng(0)).outputs.shape
    (2, 8, 3)
    """
    check_multi_head(layer)
    n, outputs = positive_integer("width", width), positive_integer("output_dim", output_dim)
    normal, heads = arguments.generator(rng).standard_normal, layer.heads
    queries = normal((heads, n, layer.score_dim))
    keys = queries.copy() if layer.tied else normal((heads, n, layer.score_dim))
    values = normal((heads, n, layer.value_dim))
    return HeadWeights(queries, keys, values, normal((heads, layer.value_dim, outputs)))


def check_multi_head(layer: object) -> None:
    """Raise TypeError unless it is a layer."""
    if not isinstance(layer, MultiHeadLayer):
        raise TypeError(f"layer must be a MultiHeadLayer, got {shown(layer)}")
