"""What claims about layers without a nonlinearity share: tangent kernels."""

from theorems.engine import Hypothesis

DIAGONAL_TANGENT = Hypothesis(
    "diagonal_tangent",
    "the tangent kernel of the layer's input is $tangent_number times the unit matrix over the coordinates",
    latex=r"\hat\Theta_{a'i',b'j'} = \delta_{i'=j'} $tangent_number",
)
DIAGONAL_TANGENTS = Hypothesis(
    "diagonal_tangents",
    "at each two tokens the tangent kernel of the layer's input is a number times the unit matrix"
    " over the coordinates",
    latex=r"\hat\Theta_{a'i',b'j'} = \delta_{i'=j'} \tilde\Theta_{a'b'}"
    r"\text{ for all tokens } a', b'",
)
