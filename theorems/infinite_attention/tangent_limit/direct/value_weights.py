"""Lemma 20: derivatives by the weights of values."""

from theorems.engine import Given, Provenance, eq
from theorems.engine.rules import E, Random, Theorem, inner
from theorems.infinite_attention.letters.direct_gradients import (
    by_outputs,
    by_values,
    column_product,
    kernel_part,
)
from theorems.infinite_attention.letters.gradients import products
from theorems.infinite_attention.letters.kernels import weight_products
from theorems.infinite_attention.letters.network import heads, sigma_o, sigma_v, value_width, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.direct.output_weights import (
    COLUMNS,
    MEAN,
    OUTPUT_WEIGHTS,
    SAME_PRODUCT,
    VALUES,
)

PART = claim(
    "inf.lem20.mean",
    at="Lemma 20",
    title="The part by the weights of values has the same mean as that by output weights",
    states={
        "part": eq(E(by_values), sigma_o**2 * sigma_v**2 * inner(products, weight_products)),
        "equal": eq(E(by_values), E(by_outputs)),
    },
    given=[
        *(sigma_o, sigma_v, heads, value_width, width),
        *(products, weight_products, by_values, by_outputs),
    ],
    assuming=[OUTPUT_WEIGHTS, VALUES],
    rests_on=[COLUMNS, MEAN],
    discharging={SAME_PRODUCT: "the products here are those of derivatives by weights of values"},
    provenance=Provenance.DERIVED,
    note="proofs_notes/inf_tangents.md#means-over-the-output-weights",
)
_COLUMN = Random("column_by_values")


@PART.proved("part", "equal")
def inputs_in_place_of_values(given: Given) -> Theorem:
    """In the product for one column the values are replaced by inputs, with their scale."""
    columns = given.substituted(
        given.fact(COLUMNS, "equal coordinates"), {kernel_part: by_values, column_product: _COLUMN}
    )
    one = given.supposed(VALUES, eq(E(_COLUMN), sigma_v**2 * inner(products, weight_products)))
    return given.follows(columns, one, given.fact(MEAN, "part"))
