"""The norm of the product of two backpropagation matrices."""

from theorems.engine import Given, eq, half_line, le, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, norm
from theorems.engine.rules.vocabulary import opnorm
from theorems.eoc_mlp.letters.backpropagation import norm_b1, norm_b2
from theorems.eoc_mlp.letters.gradients import norm_product, product
from theorems.eoc_mlp.premises.given import meaning


def bound_of_product(given: Given) -> Theorem:
    """‖B_1B_2^*‖ ≤ ‖B_1‖‖B_2^*‖, by a unit vector at which the norm of the product is attained."""
    first, second, u, v = Operator("B_1"), Operator("B2_star"), Vector("u"), Vector("v")
    below = act(second, v)
    image = eq(norm(act(product, v)), norm(act(first, below)))
    lengths = eq(norm_b1, opnorm(first)), eq(norm_b2, opnorm(second))
    known = [
        norm_of_product(given),
        meaning(given, "M = B_1 B_2^*, at a vector", image),
        meaning(given, "the norms of B_1 and of B_2, which is that of its adjoint,", *lengths),
        facts.norm_attained(product, u, v),
        facts.operator_norm(first, below),
        facts.operator_norm(second, v),
    ]
    over = {x: half_line(0) for x in (norm_product, norm_b1, norm_b2)}
    return rules.follows(le(norm_product, norm_b1 * norm_b2), known, over=over)


def norm_of_product(given: Given) -> Theorem:
    """‖B_1B_2^*‖ = ‖M‖."""
    return meaning(given, "norm of M = B_1 B_2^*", eq(norm_product, opnorm(product)))
