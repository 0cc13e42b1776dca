"""Letters of Appendix B.1.1: scores, and what single columns of queries and keys add to them.

All of it is given the inputs of the layer, if it does not say otherwise.
"""

from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import LETTERS, NONNEGATIVE, POSITIVE, REAL, SIZE, random, size

score_ai = random("score_ai", "G^h_{ai}(x)", "score of tokens a and i of one input, in a head")
score_bj = random("score_bj", "G^h_{bj}(x')", "score of tokens b and j of another, in this head")
score_other = random("score_other", "G^{h'}_{bj}(x')", "the same score in another head")

column_ai = random(
    "column_ai",
    "(Q_{a1} K_{i1})(x)",
    "product of an entry of a query and of a key in the first column, at one input",
)
column_bj = random("column_bj", "(Q_{b1} K_{j1})(x')", "the same at another input, in this column")
column_next = random("column_next", "(Q_{b2} K_{j2})(x')", "product at the other input in the next column")
column_other = random("column_other", "(Q'_{b1} K'_{j1})(x')", "the same in the first column of another head")
score_coefficient = LETTERS.function(
    "score_coefficient", r"\beta", "coefficient of a term of a projection of scores, by its place"
)
score_head = LETTERS.function(
    "score_head", "h", "head of the score in a term of a projection, by the term's place"
)
query_product = LETTERS.function(
    "query_product",
    r"\hat\kappa^Q",
    "mean product of the inputs at the tokens of the queries of two terms of a projection of"
    " scores, by the terms' places",
)
key_product = LETTERS.function("key_product", r"\hat\kappa^K", "the same at the tokens of their keys")
projection = random(
    "projection", r"\varphi_1", "what the first column of queries and keys adds to a projection of scores"
)
projection_next = random(
    "projection_next", r"\varphi_2", "what the second column adds to the same projection"
)
entries_product = random(
    "entries_product", r"g_1 \cdots g_8", "product of eight entries of the layer's inputs"
)
largest_16 = size(
    "largest_16", r"\max_c \mathbb{E}|g_c|^{16}", "largest 16th moment of an entry of the inputs"
)
exceeded = LETTERS.number("exceeded", "c", "a size that a product may exceed", POSITIVE)
paired_terms = size(
    "paired_terms",
    "N_d",
    "number of terms with a mean that is not zero, of the fourth power of a sum over the entries of"
    " a column of weights",
)
matrix_rank = LETTERS.number("matrix_rank", "r", "number of terms of the normal form of a projection", SIZE)
singular_value = LETTERS.function(
    "singular_value",
    "s",
    "singular value of the form that a projection is of standard normal variables, by its index",
    shown=1,
)
score_projection = random(
    "score_projection", r"\langle \beta, G \rangle", "projection of the scores of all heads"
)
frequency = LETTERS.number("frequency", "u", "argument of a characteristic function", REAL)

# Sums over columns of queries and keys, by the number of a column.
column_part = random(
    "column_part",
    r"\varphi",
    "what a column of queries and keys adds to a projection of scores, by its number",
)
score_coefficients = LETTERS.thing(
    "score_coefficients",
    r"\beta",
    "coefficients of a projection of scores at pairs of tokens, by the input and the head",
    Kind.MATRIX,
)
column_products = LETTERS.thing(
    "column_products",
    "R",
    "products of an entry of a query and of a key in one column at pairs of tokens, by the head,"
    " the column and the input",
    Kind.MATRIX,
)
projecting_weight = random("projecting_weight", "W", "weight of queries or of keys")
projecting_scale = LETTERS.number(
    "projecting_scale", r"\sigma", "scale of the weights of queries or of keys", NONNEGATIVE
)
unit_weight = random(
    "unit_weight", r"\tilde W", "standard normal variable of which such a weight is a multiple"
)
