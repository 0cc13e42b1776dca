"""Equation (29): the derivative of a score by an input."""

from sympy import Function, Reals, Symbol, sqrt

from theorems.engine import Given, eq, rules
from theorems.engine.rules import Theorem
from theorems.infinite_attention.letters.gradients import (
    key_a,
    key_number,
    query_number,
    query_of_a,
    score_slope,
    weight_k_number,
    weight_q_number,
)
from theorems.infinite_attention.letters.network import sigma_k, sigma_q, width
from theorems.infinite_attention.letters.table import claim

SLOPE = claim(
    "inf.eq29",
    at="Equation (29)",
    title="A column of a score has two derivatives by an input, by its key and by its query",
    states=eq(
        score_slope,
        (
            key_a * sigma_k * query_number * weight_k_number
            + query_of_a * sigma_q * key_number * weight_q_number
        )
        / sqrt(width),
    ),
)


@SLOPE.proved()
def product_rule(given: Given) -> Theorem:
    """Query and key are linear in the input, with their scales over the root of the width."""
    moved, slope = Symbol("moved", real=True), Function("slope", real=True)
    query = query_number + query_of_a * sigma_q * weight_q_number * moved / sqrt(width)
    key = key_number + key_a * sigma_k * weight_k_number * moved / sqrt(width)
    over = {x: given.domain[x] for x in (query * key).free_symbols - {moved}}
    rate = rules.rate_of(rules.differentiated(query * key, moved, Reals, over=over), slope(moved))
    here = given.meaning("the derivative by the input, where it is", eq(score_slope, slope(0)))
    return given.follows(here, rate.at({moved: 0}))
