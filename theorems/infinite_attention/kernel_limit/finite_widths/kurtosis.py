"""Theorem 3: how far from normal the outputs of a layer of finite widths are, given its inputs."""

from collections.abc import Callable

from sympy import Expr, Symbol

from theorems.classical.conditional_means import tower_rule
from theorems.engine import Given, Hypothesis, Provenance, eq, gt, half_line, rules
from theorems.engine.rules import E, Random, Theorem, principles
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.infinite_attention.gaussian_sums import fourth_moments, n, products, sums_of_products
from theorems.infinite_attention.kernel_limit.one_head import HEADS
from theorems.infinite_attention.kernel_limit.output_kernel import LAYER
from theorems.infinite_attention.letters.heads import (
    head_a,
    head_b,
    layer_a,
    layer_excess,
    weighted_aa,
    weighted_ab,
)
from theorems.infinite_attention.letters.network import heads, sigma_o, sigma_v, value_width
from theorems.infinite_attention.letters.table import claim

_AT = "Theorem 3"
_NOTE = "proofs_notes/inf_kernels.md#kurtosis"
_SCALES = sigma_o**2 * sigma_v**2
_W = weighted_aa
POSITIVE = half_line(0, closed=False)
#: The mean square of what is attended to for given scores, and a mean of outputs for these.
_attended, _conditional = Symbol("mean square", nonnegative=True), Symbol("conditional mean", real=True)

HEAD = claim(
    "inf.thm3.kurtosis.head",
    at=_AT,
    title="Second and fourth moment of an output of one head, given the inputs",
    states={
        "second": eq(E(head_a**2), _SCALES * E(_W)),
        "fourth": eq(E(head_a**4), 3 * (1 + 2 / value_width) * _SCALES**2 * E(_W**2)),
    },
    assuming=HEADS,
    rests_on="inf.lem10.corrected",
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@HEAD.proved("second")
def covariance_with_itself(given: Given) -> Theorem:
    """As in Lemma 10."""
    covariance = given.fact("inf.lem10.corrected", "same column")
    return given.follows(given.substituted(covariance, {head_b: head_a, weighted_ab: _W}))


def given_scores(
    given: Given, sums: Callable[..., Theorem], of_sums: Expr, of_head: Expr, factor: Expr
) -> Theorem:
    """A mean of fourth order of outputs: given the scores that of sums over independent columns.

    What is attended to in a column is normal then, with σ_V² times its mean square as variance, and
    the mean of ``of_sums`` is the ``factor`` times the square of that variance times σ_O².
    """
    variances = sigma_v**2 * _attended, sigma_o**2
    end = sums(given, HEADS, variances).at({n: value_width})
    drawn = Random("mean given the scores")
    output = given.meaning(
        "outputs of a head, the sums over the columns divided by a root",
        eq(_conditional, E(of_sums) / value_width**2),
    )
    value = factor / value_width**2 * _SCALES**2 * _attended**2
    pathwise = rules.follows(eq(_conditional, value), [end, output])
    mean = principles.expected_jointly(pathwise, {_conditional: drawn, _attended: _W})
    positive = given.supposed(HEADS, *mean.under)  # covariances are positive semidefinite
    tower = tower_rule(given.meaning, of_head, drawn)
    goal = eq(E(of_head), factor / value_width**2 * _SCALES**2 * E(_W**2))
    return given.follows(mean, positive, tower, goal=goal)


@HEAD.proved("fourth")
def linear_forms_of_values(given: Given) -> Theorem:
    """Given the scores, an output is a sum over the columns of products of two normal variables."""
    fourth = products(value_width) ** 4
    factor = 3 * value_width * (value_width + 2)
    return given.follows(given_scores(given, sums_of_products, fourth, head_a**4, factor))


ALIVE = Hypothesis(
    "alive_attention", "the mean square of what a head attends to is not 0", formula=gt(E(weighted_aa), 0)
)
_POSITIVE_SCALES = {sigma_o: POSITIVE, sigma_v: POSITIVE}

KURTOSIS = claim(
    "inf.thm3.kurtosis",
    at=_AT,
    title="Excess kurtosis of an output of the layer, at all widths",
    states={
        "second": eq(E(layer_a**2), _SCALES * E(_W)),
        "fourth": eq(
            E(layer_a**4),
            3 * _SCALES**2 * ((1 + 2 / value_width) * E(_W**2) + (heads - 1) * E(_W) ** 2) / heads,
        ),
        "excess": eq(layer_excess, 3 * ((1 + 2 / value_width) * E(_W**2) / E(_W) ** 2 - 1) / heads),
    },
    given=_POSITIVE_SCALES,
    assuming=[HEADS, LAYER, ALIVE],
    rests_on=[HEAD, "inf.lem9"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_sum_of_heads, _one_head = randoms("F_h"), randoms("f_h")(n)


@KURTOSIS.proved("second", "fourth", "excess")
def sum_over_heads(given: Given) -> Theorem:
    """A mean of independent terms, by induction on their number."""
    copies = given.supposed(
        LAYER,
        *(eq(E(_one_head**p), E(head_a**p)) for p in (1, 2, 4)),
        independent(_sum_of_heads(n), _one_head),
    )
    known = [copies, given.fact("inf.lem9", "mean")]
    moments = (E(head_a**2), E(head_a**4))
    each = fourth_moments(given, _sum_of_heads, _one_head, moments, known)
    end = each.at({n: heads})
    layer = given.supposed(
        LAYER, *(eq(E(layer_a**p), E(_sum_of_heads(heads) ** p) / heads ** (p // 2)) for p in (2, 4))
    )
    kurtosis = given.meaning(
        "the excess kurtosis", eq(layer_excess * E(layer_a**2) ** 2, E(layer_a**4) - 3 * E(layer_a**2) ** 2)
    )
    head = [given.fact(HEAD, part) for part in ("second", "fourth")]
    return given.follows(end, layer, kurtosis, *head)
