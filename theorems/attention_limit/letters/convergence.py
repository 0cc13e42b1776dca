"""Letters of Appendices D.1.2 to D.2: averages given the dot products, and their limits."""

from theorems.attention_limit.letters.table import (
    LETTERS,
    POSITIVE,
    REAL,
    law,
    random,
    size,
    some_function,
    thing,
)

difference = random(
    "difference", "D", "what the average and its limit give to the test function, where p is in K"
)
largest_difference = random(
    "largest_difference", r"\sup_{a \in K} D_a", "the largest of these differences over all places in K"
)
at_net = size("at_net", r"\max_{b \in B} |f_n(b)|", "largest value on a net")
modulus = size("modulus", r"\omega(\delta)", "common modulus of continuity at the mesh of the net")
supremum = size("supremum", r"\sup_{a \in K} |f_n(a)|", "largest value on a compact set")

bound = LETTERS.number("bound", "C", "bound of a test function", POSITIVE)
x_value = LETTERS.number("x_value", "x", "argument of a truncation", REAL)

f_sequence = some_function("f_sequence", "f_n", "function of a sequence, with real values")
K_compact = thing("K_compact", "K", "compact set of places")

# Probabilities of sets, where a law converges

converging = law("converging", "p", "random vector for each width, such as the dot products")
converging_limit = law("converging_limit", r"\mathring{p}", "limit in law of the random vectors")
K_places = thing("K_places", "K", "set of values of the random vectors")
