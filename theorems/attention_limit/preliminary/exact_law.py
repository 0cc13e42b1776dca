"""Equations (1) and (2): the exact law of scores and outputs given the inputs, without matrices."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Symbol, cos, expand, sqrt, sympify

from numeric.statistics import TwoSampleTest, two_sample_test
from symbolic.equality import equal
from theorems.attention_limit.letters.attention import m, q_at_width, y_entry
from theorems.attention_limit.letters.dot_products import u
from theorems.attention_limit.letters.limit import H
from theorems.attention_limit.letters.output_maps import s_tokens
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.proofs.dot_products.limit_law import law_of_a_sum
from theorems.attention_limit.sampling.small_layers import small_layers
from theorems.engine import Choice, Given, Hypothesis, Obligations, Provenance, eq, integers, sentence
from theorems.engine.rules import E, Theorem

_NOTE = "proofs_notes/attn_laws.md#exact-law"
_m = Symbol("m", integer=True, positive=True)
_SCALE = Choice(r"\frac{\sigma_Q \sigma_K}{\sqrt{m}}", 1)
_DEGREES = Choice("m", 1)
_MORE = {"degrees": Choice("8m", 8)}
_VALUES = Choice(r"\frac{\sigma_V^2 \sigma_O^2}{m}", 1)
_LARGER = {"scale": Choice(r"\frac{5 \sigma_Q \sigma_K}{4 \sqrt{m}}", sympify(5) / 4)}

LAW = claim(
    "attn.exact_law",
    at="Equation (1); Equation (2)",
    title="The law of scores and of outputs given the inputs, without weight matrices",
    states={
        "scores": sentence(
            r"$R_root {$R_root}^\top = $S_inputs, \ $N_normals \text{ standard normal},"
            r" \ $L_root {$L_root}^\top \text{ Wishart with } $degrees"
            r" \text{ degrees, the rows being } $m: \quad ($p_scores)"
            r" \stackrel{d}{=} $scale \, $R_root $N_normals {$L_root}^\top {$R_root}^\top",
            degrees=_DEGREES,
            scale=_SCALE,
        ),
        "outputs": sentence(
            r"\text{given the weights } $A_head, \ $chi_head \text{ independent chi-square of }"
            r" $degrees \text{ degrees:} \quad $y_heads \sim $g_normal \sqrt{$V_entry},"
            r" \ $V_entry = \frac{$scale}{$H} \sum_{a \le $H}"
            r" ($A_head $S_inputs {$A_head}^\top)_{ii} \, $chi_head,"
            r" \ $g_normal \text{ standard normal}",
            degrees=_DEGREES,
            scale=_VALUES,
        ),
        "tokens": sentence(
            r"\text{given the weights } $A_head,"
            r" \ $L_head {$L_head}^\top \text{ independent Wishart with }"
            r" $degrees \text{ degrees:} \quad ($y_heads)_{i \le $s_tokens}"
            r" \sim \mathcal{N}($mean, $C_tokens), \ $C_tokens = \frac{$scale}{$H} \sum_{a \le $H}"
            r" $A_head $R_root $L_head {$L_head}^\top {$R_root}^\top {$A_head}^\top",
            degrees=_DEGREES,
            mean=0,
            scale=_VALUES,
        ),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


#: For which the evidence is written.
_COUNTS = dict.fromkeys((m, H, s_tokens), integers(1))


@LAW.argued(
    "scores",
    bridge="Given the keys, the rows of N G_K^T are Gaussian with the covariance G_K G_K^T, and so"
    " are those of N L^T for any L with the same square; what is computed are the moments.",
    controls={"more_degrees": _MORE, "larger_scale": _LARGER},
    over=_COUNTS,
)
def moments_of_the_scores(degrees: Any, scale: Any) -> Obligations:
    """The second and fourth moment of a score: E χ = k and E χ² = k(k + 2)."""
    k, factor = degrees * _m, sympify(scale) ** 2 / _m
    yield "second moment", equal(factor * k, sympify(1))
    yield "fourth moment", equal(expand(3 * factor**2 * k * (k + 2)), 3 * (1 + 2 / _m))


@LAW.estimated("scores", draws=4000, controls={"more_degrees": _MORE, "larger_scale": _LARGER}, over=_COUNTS)
def scores_of_matrices(
    rng: np.random.Generator, draws: int, degrees: Any, scale: Any
) -> Iterator[TwoSampleTest]:
    """Scores of one pair, and products over pairs and heads, beside draws of all matrices."""
    for one in small_layers(rng):
        first, _ = one.drawn(draws)
        second = one.scores(rng, draws, int(degrees)) * float(scale)
        yield from map(two_sample_test, _joint(first), _joint(second))


def _joint(scores: Any) -> list[Any]:
    """A score, and products within a row, within a column, crosswise and between heads."""
    p, other = scores[:, 0], scores[:, -1]
    return [
        p[:, 0, 0],
        p[:, 0, 0] * p[:, 0, 1],
        p[:, 0, 0] * p[:, 1, 0],
        p[:, 0, 1] * p[:, 1, 0] + other[:, 1, 1] ** 2,
    ]


@LAW.argued(
    "outputs",
    bridge="Given the scores and the values, outputs are Gaussian, and aᵀGGᵀa is |a|^2 times a"
    " chi-square variable for a matrix G of standard normals; what is computed is the mean.",
    controls={"more_degrees": _MORE},
    over=_COUNTS,
)
def mean_of_the_variance(degrees: Any, scale: Any) -> Obligations:
    """E χ = m makes up for the factor 1/m."""
    yield "mean", equal(sympify(scale) / _m * degrees * _m, sympify(1))


@LAW.estimated("outputs", draws=4000, controls={"other_scale": {"scale": Choice("s", 2)}}, over=_COUNTS)
def outputs_of_matrices(
    rng: np.random.Generator, draws: int, degrees: Any, scale: Any
) -> Iterator[TwoSampleTest]:
    """One entry of an output, and its size, beside draws of all matrices."""
    for one in small_layers(rng):
        first = one.drawn(draws)[1][:, 0]
        second = one.outputs(rng, draws, int(degrees)) * float(scale) ** 0.5
        yield two_sample_test(first, second)
        yield two_sample_test(np.abs(first), np.abs(second))


@LAW.estimated(
    "tokens",
    draws=4000,
    controls={"more_degrees": _MORE, "other_scale": {"scale": Choice("s", 2)}, "other_mean": {"mean": 1}},
    over=_COUNTS,
)
def outputs_of_all_tokens(
    rng: np.random.Generator, draws: int, degrees: Any, mean: Any, scale: Any
) -> Iterator[TwoSampleTest]:
    """Products and sums over two tokens, and over their squares, beside draws of all matrices."""
    for one in small_layers(rng):
        _, first = one.drawn(draws)
        second = one.joint_outputs(rng, draws, int(degrees)) * float(scale) ** 0.5 + float(mean)
        yield from map(two_sample_test, _two_tokens(first), _two_tokens(second))


def _two_tokens(outputs: Any) -> list[Any]:
    """A product, a sum, and a product of sizes of the first output and the last."""
    y, z = outputs[:, 0], outputs[:, -1]
    return [y * z, y + z, np.abs(y * z), y**2 - z**2]


ONE_HEAD = Hypothesis(
    "one_head_given_weights",
    "given the inputs and the attention weights of one head, $y_entry is the sum of $m independent"
    " copies of the root of $q_at_width times a product of two independent standard normal"
    " variables, divided by the root of $m: an entry of W^O, and of the mean of the values",
)

OUTPUT = claim(
    "attn.exact_law.output",
    at="Equation (1); Equation (2)",
    title="The characteristic function of an output of one head, given its weights",
    states=eq(E(cos(u * y_entry)), (1 + u**2 * q_at_width / m) ** (-m / 2)),
    assuming=[ONE_HEAD],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@OUTPUT.proved()
def sum_over_the_rows(given: Given) -> Theorem:
    """Given its weights an output has the law of a score, of which q is the mean square."""
    return law_of_a_sum(given, ONE_HEAD, y_entry, m, sqrt(q_at_width / m))
