"""Letters of Appendix B.2.1: derivatives by the weights of the layer itself, and their products."""

from theorems.engine import integers
from theorems.infinite_attention.letters.table import LETTERS, REAL, random, real, size

FLAG = integers(0, 1)

kernel_part = random(
    "kernel_part",
    r"\langle\partial f_{ai}(x), \partial f_{bi}(x')\rangle",
    "inner product of the derivatives of two outputs by some of the parameters",
)
column_product = random(
    "column_product",
    r"\langle\partial f^1_{a1}(x), \partial f^1_{b1}(x')\rangle",
    "inner product of the derivatives, by these parameters, of two outputs of one column of a head",
)
other_coordinate = random(
    "other_coordinate",
    r"\langle\partial f_{ai}(x), \partial f_{bj}(x')\rangle",
    "the same inner product for outputs of two different coordinates",
)
head_part = random("head_part", r"B^h", "what one head contributes, times the number of heads")
by_outputs = random(
    "by_outputs",
    r"\langle\partial_{W^O} f_{ai}(x), \partial_{W^O} f_{bi}(x')\rangle",
    "inner product of the derivatives by the output weights",
)
by_values = random(
    "by_values",
    r"\langle\partial_{W^V} f_{ai}(x), \partial_{W^V} f_{bi}(x')\rangle",
    "inner product of the derivatives by the weights of values, of all heads",
)
by_keys = random(
    "by_keys",
    r"\langle\partial_{W^K} f_{ai}(x), \partial_{W^K} f_{bi}(x')\rangle",
    "inner product of the derivatives by the weights of keys, of all heads",
)
by_queries = random(
    "by_queries",
    r"\langle\partial_{W^Q} f_{ai}(x), \partial_{W^Q} f_{bi}(x')\rangle",
    "inner product of the derivatives by the weights of queries, of all heads",
)
column_a = random("column_a", "f^1_{a1}(x)", "one column of the output of a head, at token a")
column_b = random("column_b", "f^1_{b1}(x')", "the same column at token b")
value_c = random("value_c", "V_{c_1k}(x)", "entry of a column of values")
value_e = random("value_e", "V_{c_2k}(x')", "entry of the same column of values")
value_c_other = random("value_c_other", "V'_{c_1k'}(x)", "entry of a column of another head")
value_e_other = random("value_e_other", "V'_{c_2k'}(x')", "entry of the same column of that head")
slopes_head = random(
    "slopes_head",
    r"D^1",
    "product of two derivatives of attention weights by scores and of mean products of queries",
)
slopes_other = random("slopes_other", r"D^2", "the same product of another head")
score_part = random(
    "score_part",
    r"\bar S_n",
    "sum over heads and columns of values in the proof of Lemma 21, for given tokens",
)
S_values = real("S_values", r"\hat\kappa_{c_1c_2}(x, x')", "mean product of the inputs of c₁ and c₂")
values_quarter = random("values_quarter", "X", "product of values and of mean products of queries, in (24)")
weights_quarter = random("weights_quarter", "W", "product of output weights, in (24)")
g_entry = random("g_entry", "g_{c1}(z)", "entry of the layer's input")
mean_square = random("mean_square", r"\hat\kappa_{cc}(z, z)", "mean square of the layer's input at a token")
mean_values = random(
    "mean_values",
    r"\tfrac{1}{d^V} \langle V_{c_1}(x), V_{c_2}(x')\rangle",
    "mean product of the values of two tokens",
)

# As the proofs write them: without tokens, columns and heads, or with these below.
equal_columns = LETTERS.number(
    "equal_columns", r"\delta_{i=j}", "1 if the columns of two outputs are the same, else 0", FLAG
)
token_product = random("token_product", r"\hat\kappa", "mean product of the layer's inputs at two tokens")
slopes_any = random(
    "slopes_any",
    "D",
    "product of two derivatives of attention weights by scores and of mean products of queries",
)
slopes_any_other = random(
    "slopes_any_other",
    "D'",
    "product of two such derivatives and of mean products of queries, of another head",
)
attention_weight = random("attention_weight", r"\tilde G", "attention weight of a head")
value_any = random("value_any", "V", "entry of a column of values, at a token")
value_any_other = random("value_any_other", "V'", "entry of another column of values, at a token")
some_constant = size("some_constant", "C", "constant that is the same for all inputs")
tangent_any = random("tangent_any", r"\hat\Theta", "entry of the tangent kernel of the layer's input")
unit_value_weight = random(
    "unit_value_weight",
    r"\tilde W",
    "standard normal variable of which the weight of a column of values at the first coordinate is"
    " a multiple",
)
unit_value_weight_other = random(
    "unit_value_weight_other",
    r"\tilde W'",
    "standard normal variable of which the weight of the other column at the other coordinate is a multiple",
)
value_input = LETTERS.number(
    "value_input", "g", "first of two coordinates of the input of the token of the values", REAL
)
value_input_other = LETTERS.number(
    "value_input_other", "g'", "second of two coordinates of the input of the token of the values", REAL
)
