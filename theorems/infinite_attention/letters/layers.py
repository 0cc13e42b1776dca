"""Letters of sentences: parts of whole layers (Appendices B.1 and C), and sums of Appendix B.2.2.

Where a number n stands below a letter, it counts layers whose widths grow. What a head puts out
before the output weights is f with the number of the head above it.
"""

from theorems.engine.rules import Vector
from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import LETTERS, SIZE, random, real, size

one_input = LETTERS.thing("one_input", "x", "an input of the network", Kind.OBJECT)
other_input = LETTERS.thing("other_input", "x'", "another input of the network", Kind.OBJECT)
input_s = LETTERS.thing("input_s", "s", "an input of the network", Kind.OBJECT)
input_t = LETTERS.thing("input_t", "t", "another input of the network", Kind.OBJECT)
all_inputs = LETTERS.thing("all_inputs", r"\mathcal{X}", "set of the inputs of the network", Kind.OBJECT)
nonlinearity = LETTERS.thing("nonlinearity", r"\phi", "nonlinearity of a layer of the network", Kind.FUNCTION)
score_map = LETTERS.thing(
    "score_map", r"\zeta", "nonlinearity that makes attention weights of scores", Kind.FUNCTION
)

# The n-th of layers whose widths grow, at an input x of the network.
_OF_LAYERS = "for an input x of the network, in the n-th of layers whose widths grow"
layer_inputs_n = random(
    "layer_inputs_n",
    "g_n",
    "input of the n-th of layers whose widths grow, before positional encodings E_n are added to it"
    " or appended",
)
layer_entry_n = random("layer_entry_n", "f_{n,ai}(x)", f"output at token a in column i, {_OF_LAYERS}")
head_n = random("head_n", "f^h_n(x)", f"outputs of head h before the output weights, {_OF_LAYERS}")
scores_n = random("scores_n", "G^h_n(x)", f"scores of head h, {_OF_LAYERS}")
queries_n = random("queries_n", "Q^h_n(x)", f"queries of head h, {_OF_LAYERS}")
keys_n = random("keys_n", "K^h_n(x)", f"keys of head h, {_OF_LAYERS}")
values_n = random("values_n", "V^h_n(x)", f"values of head h, {_OF_LAYERS}")
head_entry_n = random(
    "head_entry_n",
    "f^h_{n,ai}(x)",
    f"output of head h before the output weights at token a in column i, {_OF_LAYERS}",
)
query_entry_n = random(
    "query_entry_n", "Q^h_{n,ai}(x)", f"entry of the queries of head h at token a in column i, {_OF_LAYERS}"
)
value_entry_n = random(
    "value_entry_n", "V^h_{n,ai}(x)", f"entry of the values of head h at token a in column i, {_OF_LAYERS}"
)
projection_nh = random(
    "projection_nh",
    r"\gamma_{n,h}",
    "projection of outputs of head h at any tokens of any inputs, in any columns, in the n-th of"
    " layers whose widths grow",
)
column_share_nu = random(
    "column_share_nu",
    r"\varphi_{n,u}",
    "what column u of queries and keys adds to a projection of scores, in the n-th of layers whose"
    " widths grow",
)

# One layer.
layer_entry = random(
    "layer_entry",
    "f_{ai}",
    "output of the layer at token a in column i, given its inputs at d^s tokens, with d^H heads,"
    " d^V columns of values, and d^G columns of queries and keys",
)
kurtosis_ratio = size(
    "kurtosis_ratio",
    "R",
    "second moment over squared mean, for normal scores, of the mean square of what a head attends"
    " to at a token",
)
token_products = LETTERS.thing(
    "token_products", "S", "matrix of the mean products of the inputs of two tokens", Kind.MATRIX
)
head_scores = LETTERS.thing(
    "head_scores", "G^h", "scores of head h, by the input and its tokens", Kind.MATRIX
)
plain_scores = LETTERS.thing("plain_scores", "G", "scores of a head", Kind.MATRIX)
head_outputs = LETTERS.thing(
    "head_outputs",
    "f^h",
    "outputs of head h before the output weights, by the input, with a row for each token",
    Kind.MATRIX,
)
head_row_s = random(
    "head_row_s", "f^h_{a}(s)", "output of head h before the output weights, at token a of the input s"
)
head_row_t = random(
    "head_row_t",
    "f^h_{b}(t)",
    "output of head h before the output weights, at token b of the input t, in the same column",
)
value_weight = random(
    "value_weight", "W", "weight of the values, with the scale of these weights as deviation"
)
output_weight = random(
    "output_weight", r"\Omega", "output weight of a head, with the scale of these weights as deviation"
)
output_noise = random(
    "output_noise",
    r"\varepsilon",
    "standard normal variable that stands for the output weights of a head in a column, by the head"
    " and the column",
)
output_coefficients = LETTERS.thing(
    Vector("output_coefficients"),
    r"\alpha",
    "coefficients of a projection of outputs at the tokens, by the input and the column",
    Kind.VECTOR,
)
weights_of_head = LETTERS.thing(
    "weights_of_head",
    r"W^{h,O}_{\cdot i}",
    "column i of the output weights of head h, with an entry for each value of the head",
    Kind.VECTOR,
)
weight_of_layer = random("weight_of_layer", "W^O_{ki}", "output weight of the layer in row k and column i")
values_per_head = LETTERS.number("values_per_head", "d", "number of columns of the values of a head", SIZE)

# Sums of Lemmas 24 to 26 as a whole, and what their terms are numbered by.
_SUM = "sum over all coordinates of the tangent kernel of the layer's input between derivatives of"
form_hh = random("form_hh", r"\bar S^{hh}", f"{_SUM} two scores of head h")
form_heads = random("form_heads", r"\bar S^{h_1h_2}", f"{_SUM} a score of head h₁ and of one of head h₂")
_PART = "part of the sum in which the two scores are differentiated by"
equal_terms = random("equal_terms", "D", f"{_PART} the same coordinate of the input")
unequal_terms = random("unequal_terms", "R", f"{_PART} different coordinates of the input")
query_weights = LETTERS.thing("query_weights", "W^Q", "weights of the queries", Kind.MATRIX)
key_weights = LETTERS.thing("key_weights", "W^K", "weights of the keys", Kind.MATRIX)
remainder_d = real(
    "remainder_d",
    "r_d",
    "remainder of a mean over pairs of coordinates of the input, by the width of the input",
)

# Of two terms of (33) that are multiplied: each has two heads, with a column of the values each.
head_of_factor = LETTERS.thing(
    "head_of_factor",
    "h",
    "head in one of two terms that are multiplied: the first term has heads with the numbers 1 and"
    " 2, the second heads with the numbers 3 and 4",
    Kind.OBJECT,
)
column_of_factor = LETTERS.thing(
    "column_of_factor", "k", "column of the values of the head with the same number", Kind.OBJECT
)
value_place = LETTERS.thing(
    "value_place",
    "i",
    "coordinate of the input that a weight of the values belongs to, by the number of the term",
    Kind.OBJECT,
)
score_place = LETTERS.thing(
    "score_place",
    "j",
    "coordinate of the input by which a score is differentiated, by the number of the term",
    Kind.OBJECT,
)
