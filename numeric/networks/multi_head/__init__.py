"""A multi-head layer in the NTK parametrisation: outputs, gradients, tangent kernel, exact law."""

from numeric.networks.multi_head.exact_law import sample_multi_head, sample_tangent_parts
from numeric.networks.multi_head.forward import HeadsPass, heads_forward
from numeric.networks.multi_head.gradients import OutputGradients, output_gradients
from numeric.networks.multi_head.layer import HeadWeights, MultiHeadLayer, sample_head_weights
from numeric.networks.multi_head.linear_means import linear_tangent_means
from numeric.networks.multi_head.score_maps import SCORE_MAPS, ScoreMap
from numeric.networks.multi_head.tangent import TangentParts, tangent_parts

__all__ = [
    "SCORE_MAPS",
    "HeadWeights",
    "HeadsPass",
    "MultiHeadLayer",
    "OutputGradients",
    "ScoreMap",
    "TangentParts",
    "heads_forward",
    "linear_tangent_means",
    "output_gradients",
    "sample_head_weights",
    "sample_multi_head",
    "sample_tangent_parts",
    "tangent_parts",
]
