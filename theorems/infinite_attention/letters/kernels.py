"""Letters of Theorems 3 and 18: kernels of the input of an attention layer, and of its output.

Kernels at two inputs are matrices, with an entry for each token of either input; inner products of
them are Frobenius'.
"""

from theorems.engine.rules import Operator, Vector
from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import LETTERS, NONNEGATIVE, REAL, real

sigma_ov = LETTERS.number(
    "sigma_ov", r"\sigma_{OV}", "scale of the output weights times that of the values", NONNEGATIVE
)
sigma_qk = LETTERS.number(
    "sigma_qk", r"\sigma_{QK}", "scale of the queries times that of the keys", NONNEGATIVE
)
input_kernel = LETTERS.thing(
    Vector("input_kernel"),
    r"\tilde\kappa",
    "kernel of the layer's input at two inputs, by their tokens",
    Kind.MATRIX,
)
input_tangent = LETTERS.thing(
    Vector("input_tangent"),
    r"\tilde\Theta",
    "tangent kernel of the layer's input at two inputs, by their tokens",
    Kind.MATRIX,
)
weight_products = LETTERS.thing(
    Vector("weight_products"),
    r"\mathbb{E}[\tilde G_{a\cdot} \otimes \tilde G_{b\cdot}]",
    "means of products of an attention weight at token a of one input and one at b of the other",
    Kind.MATRIX,
)
slope_products = LETTERS.thing(
    Operator("slope_products"),
    r"\mathcal{D}",
    "means of products of derivatives of attention weights, by which means of their products change"
    " with the covariances of the scores",
    Kind.MATRIX,
)
input_ab = LETTERS.number(
    "input_ab", r"\tilde\kappa_{ab}", "entry of the input's kernel at tokens a and b", REAL
)
tangent_ab = LETTERS.number(
    "tangent_ab", r"\tilde\Theta_{ab}", "entry of the input's tangent kernel at tokens a and b", REAL
)
output_kernel = real("output_kernel", r"\kappa_{ab}", "kernel of the layer's output, at tokens a and b")
output_tangent = real(
    "output_tangent", r"\Theta_{ab}", "tangent kernel of the layer's output, at tokens a and b"
)
kernel_change = real(
    "kernel_change",
    r"D\kappa_{ab}[\tilde\kappa](\tilde\kappa + \tilde\Theta)",
    "derivative of the output's kernel, with the kernel of two inputs moving towards the sum of"
    " itself and the tangent kernel, and the kernels of either input with itself held fixed",
)
