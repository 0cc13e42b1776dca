"""Letters of the sums of Lemmas 24 to 26 as a whole, and of what their terms are numbered by."""

from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import LETTERS, random, real

_SUM = "sum over all coordinates of the tangent kernel of the layer's input between derivatives of"
form_hh = random("form_hh", r"\bar S^{hh}", f"{_SUM} two scores of head h")
form_heads = random(
    "form_heads", r"\bar S^{h_1h_2}", f"{_SUM} a score of head h₁ and of one of head h₂"
)
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
