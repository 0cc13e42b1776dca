"""Letters of the sums of Lemmas 24 to 26 as a whole, and of what their terms are numbered by."""

from theorems.engine.statements.letters import Kind
from theorems.infinite_attention.letters.table import LETTERS, random, real

_SUM = "sum over all coordinates of the tangent kernel of the input between two derivatives of"
form_hh = random("form_hh", r"\bar S^{hh}", f"{_SUM} scores of head h by the input")
form_heads = random(
    "form_heads", r"\bar S^{h_1h_2}", f"{_SUM} scores by the input, of heads h₁ and h₂"
)
equal_terms = random(
    "equal_terms",
    "D",
    "sum of those terms in which both derivatives are by the same coordinate of the input",
)
unequal_terms = random(
    "unequal_terms",
    "R",
    "sum of those terms in which the derivatives are by two different coordinates of the input",
)
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
    "head of a factor of two terms, of which the first has heads with the numbers 1 and 2 and the"
    " second heads with the numbers 3 and 4",
    Kind.OBJECT,
)
column_of_factor = LETTERS.thing(
    "column_of_factor", "k", "column of the values of such a head, with its number", Kind.OBJECT
)
value_place = LETTERS.thing(
    "value_place",
    "i",
    "coordinate of the input at which a term has a weight of the values, by the number of the term",
    Kind.OBJECT,
)
score_place = LETTERS.thing(
    "score_place",
    "j",
    "coordinate of the input by which a term has a derivative of a score, by the number of the"
    " term",
    Kind.OBJECT,
)
