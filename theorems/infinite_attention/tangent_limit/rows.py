"""Theorem 18: ζ has to act on rows of scores, or there are derivatives by scores of other rows."""

import sympy as sp
from sympy import Expr, Function, Integer, Matrix, exp

from theorems.engine import Choice, Given, Obligations, Severity, eq, sentence
from theorems.engine.rules import Theorem, Vector, act, inner
from theorems.infinite_attention.letters.gradients import (
    all_slopes,
    kernel_kernel,
    kernel_tangent,
    tangent_kernel,
)
from theorems.infinite_attention.letters.heads import tokens
from theorems.infinite_attention.letters.kernels import (
    input_kernel,
    input_tangent,
    kernel_change,
    output_kernel,
    sigma_ov,
    sigma_qk,
    weight_products,
)
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.sums_over_pairs import Part, by_entries, i, j
from theorems.infinite_attention.tangent_limit.tangent_kernel import PRICE, derivative_of_the_kernel

_NOTE = "proofs_notes/inf_kernels.md#rows-of-scores"

PRINTED = claim(
    "inf.thm18.rows",
    at="Theorem 18; Equation (22)",
    title="The tangent kernel has derivatives of attention weights by scores of their own row only",
    states=sentence(
        r"$output_tangent \text{ is as printed for every continuous bounded } $score_map"
        r" \text{ with a continuous bounded derivative, whose row } a \text{ depends on $rows}",
        rows=Choice("any scores", "any"),
    ),
    note=_NOTE,
)


def _sine_layer(token: int, kernel: Matrix, own_row: bool) -> Expr:
    """(22) at a = b = token and x = x' for ζ = sin, entry by entry, with Θ̃ = 0 and unit scales.

    Scores at different keys are independent if the kernel is diagonal.  If the derivatives are
    by scores of another row, none is counted.
    """
    variances = [kernel[token, token] * kernel[key, key] for key in range(2)]
    squares = [(1 - exp(-2 * v)) / 2 for v in variances]  # means of sin² and of cos²
    slopes = [(1 + exp(-2 * v)) / 2 for v in variances]
    value = 2 * sum(kernel[key, key] * squares[key] for key in range(2))
    counted = sum(kernel[key, key] ** 2 * slopes[key] for key in range(2))
    return value + (2 * kernel[token, token] * counted if own_row else 0)


@PRINTED.refuted(severity=Severity.EDGE, controls={"own row": {"rows": Choice("row a of the scores", "own")}})
def exchanged_rows(rows: str) -> Obligations:
    """With ζ(G)_1i = sin G_2i the layer is that of the sine, with its two outputs exchanged."""
    kernel = Matrix([[1, 0], [0, 2]])
    outputs = _sine_layer(1, kernel, own_row=True)  # token 2 of the layer with the sine
    printed = _sine_layer(1, kernel, own_row=rows == "own")
    yield "(22) gives another value", bool(sp.simplify(outputs - printed) != 0)


_COVARIANCES = 2 * kernel_kernel + tangent_kernel + kernel_tangent

ALL_ROWS = PRINTED.corrected(
    "inf.thm18.rows.corrected",
    title="For any ζ the last terms have products of derivatives by scores of all rows",
    states=eq(
        2 * output_kernel
        + sigma_ov**2 * inner(input_tangent, weight_products)
        + sigma_ov**2 * sigma_qk**2 * inner(input_kernel, act(all_slopes, _COVARIANCES)),
        output_kernel + kernel_change,
    ),
    assuming=PRICE,
    note=_NOTE,
)
_moved_kernel, _kernel_moved = Vector("moved_by_kernel"), Vector("kernel_by_moved")
_moved_moved = Vector("moved_by_moved")


@ALL_ROWS.proved()
def product_rule_and_chain_rule(given: Given) -> Theorem:
    """The covariance of two scores is a product, with a factor for queries and one for keys."""

    def covariance(t: Expr) -> Expr:
        return sigma_qk**2 * (t * (_moved_kernel + _kernel_moved) + t**2 * _moved_moved)

    kernel = given.meaning(
        "the kernel", eq(output_kernel, sigma_ov**2 * inner(input_kernel, weight_products))
    )
    parts = _moved_kernel, _kernel_moved
    change = derivative_of_the_kernel(given, covariance, all_slopes, parts)
    moved = [_moved(given, one, other) for one, other in ((0, _moved_kernel), (1, _kernel_moved))]
    return given.follows(kernel, *change, *moved)


def _moved(given: Given, side: int, moved: Vector) -> Theorem:
    """What the sum of kernel and tangent kernel at the queries, or at the keys, has with slopes."""
    kernel, tangent = (
        [Function(f"{name} of {place}", real=True)(j) for place in ("queries", "keys")]
        for name in ("kernel", "tangent kernel")
    )
    entry = (kernel[side] + tangent[side]) * kernel[1 - side]
    mixed = (tangent_kernel, kernel_tangent)[side]
    entries = {kernel_kernel: kernel[0] * kernel[1], mixed: tangent[side] * kernel[1 - side]}
    slopes = Function("kernel of tokens", real=True)(i) * Function("slopes", real=True)(i, j)

    def product(matrix: Vector) -> Expr:
        return inner(input_kernel, act(all_slopes, matrix))

    parts = [Part(Integer(1), product(matrix), value) for matrix, value in entries.items()]
    sizes = {"size": tokens**2, "columns": tokens**4}
    return by_entries(given, product(moved), slopes, entry, parts, **sizes)
