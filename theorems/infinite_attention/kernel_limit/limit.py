"""Theorem 3: outputs of many heads converge to a Gaussian process."""

from sympy import Symbol, limit, oo

from theorems.engine import Choice, Given, Obligations, sentence
from theorems.infinite_attention.kernel_limit.kurtosis import ALIVE
from theorems.infinite_attention.kernel_limit.one_head import CENTRED, HEADS
from theorems.infinite_attention.kernel_limit.output_kernel import CORRECTED as KERNEL
from theorems.infinite_attention.kernel_limit.output_kernel import LAYER
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.kernel_limit.widths import SCORE_MOMENTS, WIDTHS
from theorems.infinite_attention.letters.network import heads, score_width, value_width
from theorems.infinite_attention.letters.table import SIZE, claim

THEOREM = claim(
    "inf.thm3",
    at="Theorem 3",
    title="Outputs of attention converge to a Gaussian process with independent columns",
    states=sentence(
        r"f_n \rightsquigarrow \mathcal{GP}($mean, \kappa) \text{ as } $widths \to \infty,"
        r" \quad \mathbb{E}[f_{ak}(x) f_{bl}(x')] = $other \text{ for } k \ne l",
        mean=0,
        other=0,
        widths=Choice(r"\min\{n, d^H_n, d^G_n\}", (heads, score_width)),
    ),
    given=[heads, score_width, value_width],
    assuming=[PROJECTIONS, HEADS, LAYER],
    rests_on=[
        *(CENTRED, KERNEL, WIDTHS, SCORE_MOMENTS),
        *("inf.lem7", "inf.lem8", "inf.lem10.corrected", "inf.lem11.corrected", "inf.lem12"),
    ],
    discharging={ALIVE: "where it fails all outputs are 0, which is the limit with the kernel 0"},
    note="proofs_notes/inf_kernels.md#convergence-of-the-outputs",
)


@THEOREM.argued(
    bridge="A projection of outputs is a sum over heads, to which Lemma 7 applies: its terms are"
    " exchangeable, centred and uncorrelated, their variances and mixed fourth moments converge as"
    " mean products of inputs and scores do and their moments are bounded (Lemmas 12, 28, 32, 33),"
    " and third moments are bounded with the fourth.",
    uses=[PROJECTIONS, HEADS, LAYER],
    over=dict.fromkeys((heads, score_width, value_width), SIZE),
    controls={
        "few_heads": {"widths": Choice(r"\min\{n, d^V_n, d^G_n\}", (value_width, score_width))},
        "few_columns": {"widths": Choice(r"\min\{n, d^V_n, d^H_n\}", (value_width, heads))},
    },
)
def moments_of_the_limit(
    mean: int, other: int, widths: tuple[Symbol, ...], given: Given
) -> Obligations:
    """Means, covariances of columns, and the fourth moments of outputs and scores."""
    yield "means", bool(given.fact(CENTRED, "mean").statement.rhs == mean)
    yield "two columns", bool(given.fact(KERNEL, "other column").statement.rhs == other)
    excess = given.fact(WIDTHS, "heads").statement.rhs
    ratio = given.fact(SCORE_MOMENTS, "fourth").statement.rhs
    for width in widths:
        excess, ratio = limit(excess, width, oo), limit(ratio, width, oo)
    yield "the excess kurtosis of outputs vanishes", bool(excess == 0)
    yield "that of scores vanishes", not ratio.has(score_width)
