"""Section 4: the distance from the limit is split into two parts."""

from sympy import Abs

from theorems.attention_limit.letters.sketch import S_1, S_2, at_width, given_scores, in_the_limit
from theorems.attention_limit.letters.table import claim
from theorems.engine import Given, Hypothesis, both, eq, le
from theorems.engine.rules import Theorem

PARTS = Hypothesis(
    "parts",
    "$S_1 and $S_2 are the sizes of the two differences, by way of $given_scores",
    formula=both(eq(S_1, Abs(at_width - given_scores)), eq(S_2, Abs(given_scores - in_the_limit))),
)

SPLIT = claim(
    "attn.sec4.split",
    at="Section 4",
    title="The distance from the limit is at most the sum of two parts",
    states=le(Abs(at_width - in_the_limit), S_1 + S_2),
    given=[at_width, given_scores, in_the_limit, S_1, S_2],
    assuming=[PARTS],
)


@SPLIT.proved()
def triangle_inequality(given: Given) -> Theorem:
    """By way of the mean given the scores."""
    return given.follows()
