"""Lemma 24: the sums of products of derivatives of scores tend to constants."""

from typing import Any

import sympy as sp

from theorems.engine import Given, Obligations, Provenance, le, sentence
from theorems.engine.rules import E, Theorem, inner, norm
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.letters.gradients import (
    S_dd,
    S_ee,
    S_first,
    contracted,
    heads_form,
    key_a,
    key_b,
    mean_cross,
    query_of_a,
    query_of_b,
    row_form,
    tangent_block,
    tangent_number,
    tangent_row,
    unit_block,
)
from theorems.infinite_attention.letters.network import S_aa, S_ab, S_bb, score_width, sigma_k, sigma_q, width
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.indirect.equal_weights import EQUAL_MEAN
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import (
    EQUAL_WEIGHTS,
    GAUSSIAN_COLUMN,
    MEAN,
)
from theorems.infinite_attention.tangent_limit.indirect.tangents_of_inputs import CONVERGENT_TANGENTS
from theorems.infinite_attention.tangent_limit.indirect.two_heads import SECOND as TWO_HEADS
from theorems.infinite_attention.tangent_limit.one_head_at_a_time import (
    ALONG,
    KERNEL_TIMES,
    ROW,
    ROW_OF_KERNEL,
    second_moment,
)
from theorems.infinite_attention.tangent_limit.proved_means import at_infinite_width, right_side

_NOTE = "proofs_notes/inf_tangents.md#products-for-one-head-and-for-two"
_SCALE = sigma_q**2 * sigma_k**2

HEADS = claim(
    "inf.lem24.heads",
    at="Lemma 24, proof",
    title="For two heads the second moment is bounded by the squared norm over squared width",
    states=le(
        E(heads_form**2),
        4 * _SCALE**2 * (S_aa + S_first) * (S_bb + S_ee) * inner(tangent_block, tangent_block) / width**2,
    ),
    assuming=GAUSSIAN_COLUMN,
    rests_on=["inf.lem26.second", "inf.lem25.eq34.corrected"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@HEADS.proved()
def one_head_given_the_other(given: Given) -> Theorem:
    """First the mean over one head, along the kernel times the other; then that one's rows."""
    cube = width * sp.sqrt(width)
    first = given.substituted(
        given.fact("inf.lem26.second", "bound"),
        {mean_cross: ALONG / cube, contracted: KERNEL_TIMES, S_bb: S_aa, S_ee: S_first},
    )
    rows = given.substituted(
        given.fact("inf.lem25.eq34.corrected"), {row_form: ROW, tangent_row: ROW_OF_KERNEL}
    )
    factors = 2 * _SCALE * (S_aa + S_first), 2 * _SCALE * (S_bb + S_ee)
    one, other = (given.follows(goal=sp.Ge(factor, 0, evaluate=False)) for factor in factors)
    return given.follows(second_moment(given, GAUSSIAN_COLUMN, first, rows, (one, other)))


LIMIT = claim(
    "inf.lem24",
    at="Lemma 24",
    title="The sums of products of derivatives of scores tend to constants",
    states={
        "independent queries and keys": sentence(
            r"\bar S^{h_1h_2}_n \xrightarrow{P} \delta_{h_1=h_2} ($queries \delta_{\text{keys}}"
            r" \tilde\Theta_{a'b'} \tilde\kappa_{ab} + $keys \delta_{\text{queries}}"
            r" \tilde\Theta_{a'b'} \tilde\kappa_{d_1d_2}) \text{ times the scales}",
            queries=1,
            keys=1,
        ),
        "equal queries and keys": sentence(
            r"W^Q = W^K, \text{ one head } h: \quad \bar S^{hh}_n \xrightarrow{P} $limit", limit=0
        ),
        "two heads with equal queries and keys": sentence(
            r"W^Q = W^K, \text{ two heads}: \quad \bar S^{h_1h_2}_n \xrightarrow{P} $limit", limit=0
        ),
    },
    assuming=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS],
    rests_on=["inf.lem33", MEAN, EQUAL_MEAN, "inf.lem24.pairs.equal", HEADS, TWO_HEADS],
    discharging={
        GAUSSIAN_COLUMN: "the weights of the layer are so for the one scaling",
        EQUAL_WEIGHTS: "and so for the other",
    },
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)


def _behind_a_wide_layer(side: sp.Expr) -> sp.Expr:
    """A right side at infinite width, as the squares of entries off the diagonal tend to 0.

    The trace of the tangent kernel is the width times a mean.  Its product with an outer product of
    inputs is at most that of their norms; the kernel's is the width times the root of such a
    square, the other one's the width times a number that is bounded.
    """
    off = sp.Symbol("square_off_the_diagonal", positive=True)
    values = {
        one: width**2 * sp.sqrt(off) * sp.Symbol(f"bounded_{k}", real=True)
        for k, one in enumerate(side.atoms(inner))
    }
    values[inner(tangent_block, unit_block)] = width * tangent_number
    return sp.limit(at_infinite_width(side.xreplace(values)), off, 0)


def limit_for_one_head() -> sp.Expr:
    """The proved mean for equal weights as both widths tend to infinity."""
    return sp.limit(_behind_a_wide_layer(right_side(EQUAL_MEAN)), score_width, sp.oo)


def bound_for_two_heads(off: sp.Symbol) -> sp.Expr:
    """The proved bound of a second moment at infinite width, with squares of this size in Θ̂."""
    side = right_side(TWO_HEADS)
    lengths = {
        one: sp.sqrt(width * sp.Symbol(f"mean_{k}", positive=True)) for k, one in enumerate(side.atoms(norm))
    }
    lengths[norm(tangent_block)] = width * sp.sqrt(off)
    return at_infinite_width(side.xreplace(lengths))


@LIMIT.argued(
    "independent queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS],
    bridge="The mean over the coordinates tends to a number and entries off the diagonal to 0 in"
    " mean square; the variance for one head and the second moment for two are bounded by the"
    " kernel's squared norm over the squared width and by one over the score width, and Chebyshev's"
    " inequality follows.",
    controls={"no queries": {"queries": 0}, "no keys": {"keys": 0}},
)
def trace_over_width(queries: Any, keys: Any) -> Obligations:
    """The proved mean at infinite width, for any tangent kernel."""
    wide = _behind_a_wide_layer(right_side(MEAN))
    by_queries = queries * key_a * key_b * S_ab
    by_keys = keys * query_of_a * query_of_b * S_dd
    stated = _SCALE * tangent_number * (by_queries + by_keys)
    yield "the limit", sp.expand(wide - stated) == 0


@LIMIT.argued(
    "equal queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS],
    bridge="One column has a bounded mean and is divided by the score width; others leave"
    " the mean over all coordinates of the tangent kernel times inputs, which tends to zero as"
    " entries off the diagonal do; fluctuations of one head are as small, by the note.",
    controls={"one": {"limit": 1}},
)
def trace_over_squared_width(limit: Any) -> Obligations:
    """The proved mean at infinite widths, for any tangent kernel."""
    yield "the limit", bool(limit_for_one_head() == limit)


@LIMIT.argued(
    "two heads with equal queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS],
    bridge="The proved bound of the second moment is a constant times the squared norm of the"
    " tangent kernel over the squared width, whose mean becomes that of a squared entry off the"
    " diagonal, which tends to zero; Chebyshev's inequality follows.",
    controls={"one": {"limit": 1}},
)
def squared_norm_for_two_heads(limit: Any) -> Obligations:
    """The proved bound at infinite width, squared lengths of inputs being of the order of it."""
    off = sp.Symbol("square_off_the_diagonal", positive=True)
    wide = bound_for_two_heads(off)
    yield "the bound is of the order of the entry", bool(wide.has(off))
    yield "the limit", bool(sp.limit(wide, off, 0) == limit)
