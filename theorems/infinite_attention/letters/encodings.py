"""Letters of Appendices C and D: positional encodings and skip connections."""

from theorems.engine import half_line, integers
from theorems.engine.rules import Operator, Vector
from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.heads import kronecker
from theorems.infinite_attention.letters.table import LETTERS, SIZE, UNIT, random, real, size

alpha = LETTERS.number("alpha", r"\alpha", "share of what is kept", UNIT)
order = LETTERS.number("order", "t", "order of a moment", half_line(1))
skipped_a = random("skipped_a", "g_{a1}(x)", "input of the layer at one token")
skipped_b = random("skipped_b", "g_{b1}(x')", "input of the layer at another token")
attended_a = random("attended_a", r"\tilde f_{a1}(x)", "output of attention at one token")
attended_b = random("attended_b", r"\tilde f_{b1}(x')", "output of attention at another token")
g_input = random("g_input", "g", "entry of a layer's input")
encoding = random("encoding", r"\varepsilon", "entry of the positional encoding at the same token")
encoded = random("encoded", r"\tilde g", "the input's entry with the encoding's added")
output_a = random("output_a", "f_{a1}(x)", "output of the layer at one token")
output_b = random("output_b", "f_{b1}(x')", "output of the layer at another token")

# Mean products of inputs with encodings
encoding_width = LETTERS.number("encoding_width", "d^E", "number of columns of an appended encoding", SIZE)
R_aa = size("R_aa", "R_{aa}", "variance of the encoding at token a")
R_bb = size("R_bb", "R_{bb}", "variance of the encoding at token b")
R_ab = real("R_ab", "R_{ab}", "covariance of the encodings at tokens a and b")
product_encoded = random(
    "product_encoded",
    r"\langle \tilde g_{a\cdot}(x), \tilde g_{b\cdot}(x')\rangle / \tilde d",
    "mean product of two tokens of the input with encodings, over all its columns",
)
product_encodings = random(
    "product_encodings",
    r"\langle E_{a\cdot}, E_{b\cdot}\rangle / d^E",
    "mean product of the encodings of two tokens",
)
encoding_a = random("encoding_a", "E_{a1}", "the first entry of the encoding of one token")
encoding_b = random("encoding_b", "E_{b1}", "the first entry of the encoding of the other token")
lim_encoded = real(
    "lim_encoded",
    r"\lim_n \mathbb{E}[\langle \tilde g_{a\cdot}, \tilde g_{b\cdot}\rangle / \tilde d]",
    "limit of the mean of the mean product of two tokens of the input with encodings",
)
lim_encoded_square = size(
    "lim_encoded_square",
    r"\lim_n \mathbb{E}[(\langle \tilde g_{a\cdot}, \tilde g_{b\cdot}\rangle / \tilde d)^2]",
    "limit of the mean square of the mean product of two tokens of the input with encodings",
)

# Tangent kernels with encodings
encoded_kernel = LETTERS.thing(
    Vector("encoded_kernel"),
    r"(\mathcal{I} \circ \tilde\kappa)",
    "kernel of the layer's input with encodings, α times the input's and 1 - α times theirs",
    Kind.MATRIX,
)
encoded_ab = real(
    "encoded_ab",
    r"(\mathcal{I} \circ \tilde\kappa)_{ab}",
    "kernel of the layer's input with encodings at tokens a and b",
)
token_a = LETTERS.number("token_a", "a", "number of the token a, from 0 on", integers(0))
token_b = LETTERS.number("token_b", "b", "number of the token b, from 0 on", integers(0))
delta_ab = kronecker(token_a, token_b)
encoded_entry = LETTERS.function(
    "encoded_entry",
    r"(\mathcal{I} \circ \tilde\kappa)",
    "entry of the kernel of the layer's input with encodings, by the number of a pair of tokens",
)
pair_first = LETTERS.function(
    "pair_first", "d_1", "the first token of a pair, of which there are as many as of entries"
)
pair_second = LETTERS.function("pair_second", "d_2", "the second token of a pair")
weight_mean = LETTERS.function(
    "weight_mean",
    r"M",
    "mean of the product of the weight of a token in row a of attention at one input, and of the"
    " weight of a token in row b at the other",
)
slope_mean = LETTERS.function(
    "slope_mean",
    r"D",
    "mean of the product of two derivatives of weights: in row a of attention at one input, and in"
    " row b at the other, of the weights of a first pair of tokens by the scores of a second pair",
)
gradient_a = LETTERS.thing(
    Vector("gradient_a"),
    r"\nabla \tilde g_{ai}(x)",
    "gradient of an entry of the input with encodings, by all parameters up to there",
    Kind.VECTOR,
)
gradient_b = LETTERS.thing(
    Vector("gradient_b"), r"\nabla \tilde g_{bi}(x')", "the same for another token", Kind.VECTOR
)
input_gradient_a = LETTERS.thing(
    Vector("input_gradient_a"),
    r"\nabla g_{ai}(x)",
    "gradient of the entry of the input, by the parameters of the layers before",
    Kind.VECTOR,
)
input_gradient_b = LETTERS.thing(
    Vector("input_gradient_b"), r"\nabla g_{bi}(x')", "the same for another token", Kind.VECTOR
)

mean_tangent = real(
    "mean_tangent",
    r"\frac{1}{d} \sum_{i \le d} \langle \nabla g_{ai}(x), \nabla g_{bi}(x')\rangle",
    "mean over its columns of inner products of gradients of the layer's input",
)
mean_encoded_tangent = real(
    "mean_encoded_tangent",
    r"\frac{1}{d + d^E} \sum_{i \le d + d^E} \langle \nabla \tilde g_{ai}(x),"
    r" \nabla \tilde g_{bi}(x')\rangle",
    "mean over all columns of inner products of gradients of the layer's input with encodings appended",
)

# Residual attention with structured encodings
kept = LETTERS.number("kept", r"\rho", "share of the input's kernel that queries and keys see", UNIT)
value_share = LETTERS.number("value_share", r"\rho^V", "share of the input's kernel that values see", UNIT)
row_a = LETTERS.thing(Vector("row_a"), r"R_{a\cdot}", "row of the encodings' covariance matrix", Kind.VECTOR)
row_b = LETTERS.thing(Vector("row_b"), r"R_{b\cdot}", "the same for another token", Kind.VECTOR)
input_row_a = LETTERS.thing(
    Vector("input_row_a"),
    r"\tilde\kappa_{a\cdot}(x, x)",
    "row of the kernel of the layer's input at one input",
    Kind.VECTOR,
)
input_row_b = LETTERS.thing(
    Vector("input_row_b"), r"\tilde\kappa_{b\cdot}(x', x')", "the same at the other", Kind.VECTOR
)
input_matrix = LETTERS.thing(
    Operator("input_matrix"),
    r"\tilde\kappa(x, x')",
    "kernel of the layer's input at two inputs, as a matrix that acts on vectors",
    Kind.MATRIX,
)
encodings_matrix = LETTERS.thing(
    Operator("encodings_matrix"), "R", "covariance matrix of the encodings", Kind.MATRIX
)

# Tangent kernels of residual attention, as drawn: inner products of gradients
tangent_residual = random(
    "tangent_residual",
    r"\langle \nabla f_{a1}(x), \nabla f_{b1}(x')\rangle",
    "inner product of the gradients of the outputs with a skip connection, by all parameters",
)
tangent_skipped = random(
    "tangent_skipped",
    r"\langle \nabla g_{a1}(x), \nabla g_{b1}(x')\rangle",
    "inner product of the gradients of the layer's inputs",
)
tangent_attended = random(
    "tangent_attended",
    r"\langle \nabla \tilde f_{a1}(x), \nabla \tilde f_{b1}(x')\rangle",
    "inner product of the gradients of the outputs of attention",
)
tangent_mixed = random(
    "tangent_mixed",
    r"\langle \nabla g_{a1}(x), \nabla \tilde f_{b1}(x')\rangle"
    r" + \langle \nabla \tilde f_{a1}(x), \nabla g_{b1}(x')\rangle",
    "sum of the inner products of gradients of an input and of an output of attention",
)

encoded_entry_any = random(
    "encoded_entry_any", r"\tilde g", "entry of a layer's input with positional encodings"
)
encoding_entry = random("encoding_entry", "E", "entry of the positional encoding")
