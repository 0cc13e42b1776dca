"""Theorem 3: outputs of many heads converge to a Gaussian process."""

from collections.abc import Callable

from sympy import Symbol, limit, oo

from theorems.engine import Choice, Given, Obligations, Provenance, Severity, eq, sentence
from theorems.engine.rules import Theorem
from theorems.infinite_attention.auxiliary.convergence import INTEGRABLE
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.auxiliary.moment_propagation import OF_A_LAYER
from theorems.infinite_attention.kernel_limit.finite_widths.kurtosis import ALIVE
from theorems.infinite_attention.kernel_limit.finite_widths.widths import SCORE_MOMENTS, WIDTHS
from theorems.infinite_attention.kernel_limit.one_head import CENTRED, HEADS
from theorems.infinite_attention.kernel_limit.output_kernel import CORRECTED as KERNEL
from theorems.infinite_attention.kernel_limit.output_kernel import LAYER
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.heads import first_row, head_index, last_row
from theorems.infinite_attention.letters.network import heads, score_width, value_width
from theorems.infinite_attention.letters.table import SIZE, claim

THEOREM = claim(
    "inf.thm3",
    at="Theorem 3",
    title="Outputs of attention converge to a Gaussian process with independent columns",
    states=sentence(
        r"f_n \xrightarrow{d} \mathcal{GP}($mean, \kappa) \text{ as } $widths \to \infty,"
        r" \quad \mathbb{E}[f_{ak}(x) f_{bl}(x')] = $other \text{ for } k \ne l",
        mean=0,
        other=0,
        widths=Choice(r"\min\{n, d^H_n, d^G_n\}", (heads, score_width)),
    ),
    assuming=[PROJECTIONS, HEADS, LAYER, CONVERGENT_INPUTS],
    rests_on=[
        *(CENTRED, KERNEL, WIDTHS, SCORE_MOMENTS),
        *("inf.lem7", "inf.lem8", "inf.lem10.corrected", "inf.lem11.corrected", "inf.lem12"),
        *("inf.lem28", "inf.lem32", "inf.lem33"),
    ],
    discharging={
        **OF_A_LAYER,
        INTEGRABLE: "all moments are bounded",
        ALIVE: "where it fails all outputs are 0, which is the limit with the kernel 0",
    },
    provenance=Provenance.EXPLICIT,
    note="proofs_notes/inf_kernels.md#convergence-of-the-outputs",
)


@THEOREM.argued(
    bridge="A projection of outputs is a sum over heads, to which Lemma 7 applies: its terms"
    " begin an infinite exchangeable sequence and are centred and uncorrelated, their variances and"
    " mixed fourth moments converge as"
    " mean products of inputs and scores do and their moments are bounded (Lemmas 12, 28, 32, 33),"
    " and third moments are bounded with the fourth.",
    uses=[PROJECTIONS, HEADS, LAYER, CONVERGENT_INPUTS],
    over=dict.fromkeys((heads, score_width, value_width), SIZE),
    controls={
        "few_heads": {"widths": Choice(r"\min\{n, d^V_n, d^G_n\}", (value_width, score_width))},
        "few_columns": {"widths": Choice(r"\min\{n, d^V_n, d^H_n\}", (value_width, heads))},
    },
)
def moments_of_the_limit(mean: int, other: int, widths: tuple[Symbol, ...], given: Given) -> Obligations:
    """Means, covariances of columns, and the fourth moments of outputs and scores."""
    yield "means", bool(given.fact(CENTRED, "mean").statement.rhs == mean)
    yield "two columns", bool(given.fact(KERNEL, "other column").statement.rhs == other)
    excess = given.fact(WIDTHS, "heads").statement.rhs
    ratio = given.fact(SCORE_MOMENTS, "fourth").statement.rhs
    for width in widths:
        excess, ratio = limit(excess, width, oo), limit(ratio, width, oo)
    yield "the excess kurtosis of outputs vanishes", bool(excess == 0)
    yield "that of scores vanishes", not ratio.has(score_width)


Rows = Callable[[int, int], int]
_BLOCKS = "proofs_notes/inf_kernels.md#blocks-of-output-weights"

PRINTED_BLOCKS = claim(
    "inf.thm3.blocks",
    at="Theorem 3",
    title="Rows of the output weights of a head, as the proof of Theorem 3 has them",
    states=sentence(
        r"$weights_of_head = [$weight_of_layer]_{k = $first, \dots, $last}"
        r" \in \mathbb{R}^{$values_per_head}",
        first=Choice("hd + 1", lambda h, d: h * d + 1),
        last=Choice("hd + d - 1", lambda h, d: h * d + d - 1),
    ),
    provenance=Provenance.EXTRACTED,
    note=_BLOCKS,
)


@PRINTED_BLOCKS.refuted(
    severity=Severity.SLIP,
    controls={
        "whole": {
            "first": Choice("(h - 1)d + 1", lambda h, d: (h - 1) * d + 1),
            "last": Choice("hd", lambda h, d: h * d),
        }
    },
)
def three_values_of_the_first_head(first: Rows, last: Rows) -> Obligations:
    """With three values, of which the first head has the rows 1, 2 and 3."""
    rows = range(first(1, 3), last(1, 3) + 1)
    yield "these are other rows", bool(list(rows) != [1, 2, 3])


BLOCKS = PRINTED_BLOCKS.corrected(
    "inf.thm3.blocks.corrected",
    title="The rows of output weights are divided among the heads",
    states={
        "values": eq(last_row(head_index, value_width), value_width + first_row(head_index, value_width) - 1),
        "next head": eq(first_row(head_index + 1, value_width), last_row(head_index, value_width) + 1),
        "first row": eq(first_row(1, value_width), 1),
        "last row": eq(last_row(heads, value_width), heads * value_width),
    },
    note=_BLOCKS,
)


@BLOCKS.proved("values", "next head", "first row", "last row")
def consecutive_rows(given: Given) -> Theorem:
    """By the closed forms."""
    return given.decided()
