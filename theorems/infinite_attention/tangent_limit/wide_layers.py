"""Theorem 18: the tangent kernel of an attention layer, from its parts."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from numeric.statistics import mean_test
from numeric.statistics.means import MeanTest
from theorems.engine import Given, Obligations, Provenance, sentence
from theorems.infinite_attention.auxiliary.limits_of_products import CONVERGENT_INPUTS
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.chain_rule import DIFFERENTIABLE_LAYER
from theorems.infinite_attention.tangent_limit.direct.output_weights import OUTPUT_WEIGHTS, SAME_PRODUCT
from theorems.infinite_attention.tangent_limit.indirect.score_derivatives import EQUAL_WEIGHTS
from theorems.infinite_attention.tangent_limit.indirect.tangents_of_inputs import CONVERGENT_TANGENTS
from theorems.infinite_attention.tangent_limit.proved_means import (
    ACTS_ON_ROWS,
    FOR_DIFFERENT_COLUMNS,
    FOR_EQUAL_WEIGHTS,
    FOR_INDEPENDENT_WEIGHTS,
    THE_SUMS,
)
from theorems.infinite_attention.tangent_limit.simulated_layers import (
    DRAWS,
    ENTRIES,
    TENTH,
    constant_limits,
    draw_parts,
    tests_of_vanishing,
)

_NOTE = "proofs_notes/inf_tangents.md#simulations"

THEOREM = claim(
    "inf.thm18",
    at="Theorem 18; Equation (22)",
    title="The tangent kernel of many heads converges if ζ acts on rows of scores",
    states={
        "independent queries and keys": sentence(
            FOR_INDEPENDENT_WEIGHTS + r"\Theta_n \xrightarrow{P} $kernels \kappa_{ab} + $values A"
            r" + ($twice \tilde\kappa_{ab} + $own \tilde\Theta_{ab}) B + $keys \tilde\kappa_{ab} C"
            + THE_SUMS,
            kernels=2,
            values=1,
            twice=2,
            own=1,
            keys=1,
        ),
        "equal queries and keys": sentence(
            FOR_EQUAL_WEIGHTS + r"\Theta_n \xrightarrow{P} $kernels \kappa_{ab} + $values A" + THE_SUMS,
            kernels=2,
            values=1,
        ),
        "different columns": sentence(FOR_DIFFERENT_COLUMNS + r"\Theta_n \xrightarrow{P} $limit", limit=0),
    },
    assuming=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    rests_on=[
        *("inf.eq21", "inf.lem19", "inf.lem20", "inf.lem21", "inf.lem22", "inf.lem23", "inf.lem25"),
        *("inf.lem24.eq31.equal.corrected", "inf.lem24.heads.equal", "inf.lem26.second.equal"),
        "inf.lem19.columns",
    ],
    discharging={
        DIFFERENTIABLE_LAYER: "scores and values are polynomials in the input, ζ has a continuous"
        " derivative, and the layers below are differentiable, as they have a tangent kernel",
        EQUAL_WEIGHTS: "the weights of the layer are so for one of the two scalings",
        OUTPUT_WEIGHTS: "the weights of the layer are so",
        SAME_PRODUCT: "the products here are those of derivatives by the parameters of each part",
    },
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)
_A, _B, _C, _KAPPA, _OWN, _BELOW = sp.symbols("A B C kappa own below")


@THEOREM.argued(
    "independent queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    bridge="The tangent kernel is the sum of the eight parts of the lemmas, by the chain rule, and"
    " limits in probability add up.",
    controls={"three kernels": {"kernels": 3}, "one by each": {"twice": 1}},
)
def sum_of_the_lemmas(kernels: Any, values: Any, twice: Any, own: Any, keys: Any) -> Obligations:
    """The limits of the lemmas, added."""
    direct = [_KAPPA, _KAPPA, 2 * _OWN * _B]
    indirect = [_A, _BELOW * _B + _OWN * _C, sp.S.Zero]
    stated = kernels * _KAPPA + values * _A + (twice * _OWN + own * _BELOW) * _B + keys * _OWN * _C
    yield "the stated limit", sp.expand(stated - sp.Add(*direct, *indirect)) == 0


@THEOREM.argued(
    "equal queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    bridge="For equal weights the parts of Lemmas 19, 20 and 22 have the same limits with constant"
    " scores; those by queries and keys are divided by the score width once more, and the sums of"
    " Lemmas 24 and 26 tend to zero.",
    controls={"three kernels": {"kernels": 3}, "without values": {"values": 0}},
)
def parts_with_constant_scores(kernels: Any, values: Any) -> Obligations:
    """Two kernels and the sum with the input's tangent kernel are left."""
    left = [_KAPPA, _KAPPA, _A]
    yield "the stated limit", sp.expand(kernels * _KAPPA + values * _A - sp.Add(*left)) == 0


@THEOREM.argued(
    "different columns",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    bridge="Derivatives of two columns by output weights are orthogonal. The other parts have the"
    " mean zero, as output weights of two coordinates are independent, and the variances of the"
    " note, in which pairs of columns of one head, or the sums of Lemmas 24 and 26, vanish.",
    controls={"one": {"limit": 1}},
)
def output_weights_of_two_columns(given: Given, limit: Any) -> Obligations:
    """The proved mean at two coordinates, at every width and for both scalings."""
    mean = given.fact("inf.lem19.columns", "different coordinates").statement.args[1]
    yield "the mean", bool(mean == limit)


@THEOREM.estimated(
    "different columns",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    draws=DRAWS,
    controls={"two": {"limit": 2}},
)
def means_of_two_columns(rng: np.random.Generator, draws: int, limit: Any) -> Iterator[MeanTest]:
    """Means over draws, with ReLU."""
    yield from tests_of_vanishing(lambda one: one.total, limit, rng, draws, different=True)


@THEOREM.estimated(
    "equal queries and keys",
    uses=[CONVERGENT_INPUTS, CONVERGENT_TANGENTS, ACTS_ON_ROWS],
    draws=8,
    controls={"more kernels": {"kernels": 2 * TENTH}, "more values": {"values": TENTH}},
)
def constant_weights(rng: np.random.Generator, draws: int, kernels: Any, values: Any) -> Iterator[MeanTest]:
    """With softmax; at these widths scores are constant up to a millionth."""
    drawn = draw_parts("softmax", rng, draws, heads=2000, tau=1).total
    for entry in ENTRIES:
        kernel, moved = constant_limits(entry)
        samples = drawn[(slice(None), *entry, 0, 0)]
        yield mean_test(samples, kernels * kernel + values * moved, rounding=1e-4)
