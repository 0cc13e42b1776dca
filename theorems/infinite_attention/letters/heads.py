r"""Letters of Appendix B.1: outputs of heads and of the layer, and what their laws depend on.

All of it is given the inputs of the layer. The output of a head is what it adds to an output of
the layer, times the root of the number of heads: \tilde f^h = \sqrt{d^H} f^h W^{h,O}.
"""

from sympy import Eq, Piecewise

from theorems.engine.rules import Vector
from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import LETTERS, REAL, SIZE, random, real

head_a = random("head_a", r"\tilde f^h_{a1}(x)", "output of a head at token a of one input")
head_b = random("head_b", r"\tilde f^h_{b1}(x')", "output of this head at token b of another input")
head_next = random("head_next", r"\tilde f^h_{b2}(x')", "the same in the next column")
head_other = random("head_other", r"\tilde f^{h'}_{b1}(x')", "the same of another head")
kronecker = LETTERS.function(
    "kronecker",
    r"\delta",
    "1 if two indices are equal, else 0",
    closed_form=lambda one, other: Piecewise((1, Eq(one, other)), (0, True)),
    well_known=True,
)
projection_terms = LETTERS.number(
    "projection_terms", "m", "number of terms of a projection, which are counted from 0 on", SIZE
)
head_projection = random(
    "head_projection",
    r"\gamma_h",
    "projection of outputs of a head at any tokens of any inputs, in any columns",
)
output_coefficient = LETTERS.function(
    "output_coefficient", r"\alpha", "coefficient of a term of a projection of outputs, by its place"
)
output_column = LETTERS.function(
    "output_column", "i", "column of the output in a term of a projection, by the term's place"
)
attended_mean = LETTERS.function(
    "attended_mean",
    "A",
    "mean, given the inputs, of the mean product of what a head attends to at the tokens of two"
    " terms of a projection, by their places",
)

_ATTENDED = "mean product of what a head attends to, at "
weighted_aa = random(
    "weighted_aa",
    r"(\tilde G \hat\kappa \tilde G^\top)_{aa}(x, x)",
    _ATTENDED + "token a with itself, by its attention weights and the inputs' mean products",
)
weighted_ab = random(
    "weighted_ab",
    r"(\tilde G \hat\kappa \tilde G^\top)_{ab}(x, x')",
    _ATTENDED + "token a of one input and token b of another",
)
weighted_bb = random(
    "weighted_bb", r"(\tilde G \hat\kappa \tilde G^\top)_{bb}(x', x')", _ATTENDED + "token b with itself"
)
layer_a = random("layer_a", "f_{a1}(x)", "output of the layer at token a of one input")
layer_b = random("layer_b", "f_{b1}(x')", "output of the layer at token b of another input")
layer_next = random("layer_next", "f_{b2}(x')", "the same in the next column")
mean_products = LETTERS.thing(
    Vector("mean_products"),
    r"\hat\kappa(x, x')",
    "mean products of the layer's inputs at two inputs of the network, by their tokens",
    Kind.MATRIX,
)

weighted_limit = random(
    "weighted_limit",
    r"(\tilde G \hat\kappa \tilde G^\top)^\infty_{aa}",
    "the same for normal scores, which are those of infinitely many columns of queries and keys",
)
layer_excess = real(
    "layer_excess",
    r"\operatorname{kurt}(f_{a1}) - 3",
    "excess kurtosis of an output of the layer, given its inputs",
)
tokens = LETTERS.number("tokens", "d^s", "number of tokens of an input of the network", SIZE)
token_spectrum = LETTERS.function(
    "token_spectrum",
    r"\lambda",
    "eigenvalue of the matrix of mean products of the tokens of an input, by its index",
    shown=1,
)

head_c = random("head_c", r"\tilde f^{h'}_{c2}(y)", "output of a head at a third token and input")
head_d = random("head_d", r"\tilde f^{h'}_{d2}(y')", "output of the head at a fourth token and input")
weighted_cd = random(
    "weighted_cd",
    r"(\tilde G' \hat\kappa \tilde G'^\top)_{cd}(y, y')",
    "mean product of what this other head attends to, at these tokens",
)
head_a_next = random(
    "head_a_next", r"\tilde f^h_{a2}(x)", "output of the head at token a, in the next column"
)
head_index = LETTERS.number("head_index", "h", "index of a head, from 1 on", SIZE)
first_row = LETTERS.function(
    "first_row",
    r"\mathrm{first}",
    "first row of the output weights of a head, with so many values in each head",
    closed_form=lambda head, values: (head - 1) * values + 1,
)
last_row = LETTERS.function(
    "last_row",
    r"\mathrm{last}",
    "last row of the output weights of a head, with so many values in each head",
    closed_form=lambda head, values: head * values,
)
output_level = LETTERS.number("output_level", "y", "level that an output of the layer is compared with", REAL)

_SAME = "output of one head at token {} of some input, in the first column, given its scores"
given_a, given_b, given_c, given_d = (
    random(f"given_{one}", rf"\tilde f^G_{{{one}1}}", _SAME.format(one)) for one in "abcd"
)
_PRODUCT = "mean product of what the head attends to at tokens {} and {}, given inputs and scores"
pair_ab, pair_ac, pair_ad, pair_bc, pair_bd, pair_cd = (
    real(f"pair_{one}", rf"q_{{{one}}}", _PRODUCT.format(*one))
    for one in ("ab", "ac", "ad", "bc", "bd", "cd")
)
