"""Equation (29): the derivative of a score by an input."""

import sympy as sp
from sympy import sqrt

from theorems.engine import Given, eq
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
    given=[
        *(score_slope, key_a, query_of_a, sigma_k, sigma_q, width),
        *(query_number, key_number, weight_k_number, weight_q_number),
    ],
)


@SLOPE.proved()
def product_rule(given: Given) -> Theorem:
    """Query and key are linear in the input, with their scales over the root of the width."""
    query_slope, key_slope = sp.symbols("slope_of_query slope_of_key", real=True)
    product = given.meaning(
        "the derivative of a product of a query and a key",
        eq(score_slope, query_slope * key_number + query_number * key_slope),
    )
    slopes = given.meaning(
        "the derivatives of a query and of a key by the input",
        eq(query_slope, query_of_a * sigma_q * weight_q_number / sqrt(width)),
        eq(key_slope, key_a * sigma_k * weight_k_number / sqrt(width)),
    )
    return given.follows(product, slopes)
