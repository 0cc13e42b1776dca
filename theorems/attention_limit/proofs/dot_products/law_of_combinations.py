"""Proposition D.1 at finite width: the law of a linear combination of scores, by eigenvalues."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Symbol, expand, sympify

from numeric.arguments import Floats
from numeric.networks.attention import gram_factor
from numeric.statistics import TwoSampleTest, two_sample_test
from symbolic.equality import equal
from theorems.attention_limit.letters.attention import lambda_k, sigma_key, sigma_query
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.sampling.small_layers import SmallLayer, small_layers
from theorems.engine import Choice, Obligations, Provenance, half_line, sentence

_m, _lambda = Symbol("m", integer=True, positive=True), Symbol("lambda", positive=True)
_DEGREES, _SCALE = Choice("m", 1), Choice(r"\frac{1}{m}", 1)
_MORE = {"degrees": Choice("8m", 8), "scale": Choice(r"\frac{1}{8m}", sympify(1) / 8)}
_LARGER = {"scale": Choice(r"\frac{3}{2m}", sympify(3) / 2)}

LAW = claim(
    "attn.propD1.half_spaces.law",
    at="Proposition D.1",
    title="A linear combination of scores, given the inputs, is Gaussian with a random variance",
    states=sentence(
        r"$R_root {$R_root}^\top = $S_inputs,"
        r" \ \sqrt{$lambda_k} \text{ the singular values of all }"
        r" $sigma_query $sigma_key {$R_root}^\top $t_head $R_root,"
        r" \ $chi_value \text{ independent chi-square of } $degrees"
        r" \text{ degrees: } \sum_{a, i, j} $t_entry $p_head"
        r" \stackrel{d}{=} $g_normal \sqrt{$V_combination}, \quad"
        r" $V_combination = $scale \sum_k $lambda_k $chi_value,"
        r" \ $g_normal \text{ standard normal}",
        degrees=_DEGREES,
        scale=_SCALE,
    ),
    provenance=Provenance.DERIVED,
    note="proofs_notes/attn_mixtures.md#scores-at-finite-width",
)


#: For which the evidence is written.
_RANGES = {**dict.fromkeys((sigma_query, sigma_key), half_line(0, closed=False)), lambda_k: half_line(0)}


@LAW.argued(
    bridge="Given the keys the rows of queries are independent Gaussian vectors, and in the basis"
    " of singular vectors the squared lengths of keys add up over the rows; what is computed are"
    " moments.",
    controls={"more_degrees": _MORE, "larger_scale": _LARGER},
    over=_RANGES,
)
def moments_of_the_variance(degrees: Any, scale: Any) -> Obligations:
    """Each row adds λ/m to the variance; one eigenvalue has the fourth moment of a score."""
    count, factor = degrees * _m, scale * _lambda / _m
    yield "mean", equal(factor * count, _lambda)
    fourth = 3 * factor**2 * count * (count + 2)
    yield "fourth moment", equal(expand(fourth), expand(3 * (1 + 2 / _m) * _lambda**2))


@LAW.estimated(draws=2000, controls={"more_degrees": _MORE, "larger_scale": _LARGER}, over=_RANGES)
def combinations_of_scores(
    rng: np.random.Generator, draws: int, degrees: Any, scale: Any
) -> Iterator[TwoSampleTest]:
    """Combinations of the scores of all pairs and heads, beside draws of all matrices."""
    for one in small_layers(rng):
        scores, _ = one.drawn(draws)
        for coefficients in _coefficients(rng, scores.shape[1:]):
            first = np.einsum("dhij,hij->d", scores, coefficients)
            shares = _eigenvalues(one, coefficients)
            rows = int(one.layer.rows)
            chi_squares = rng.chisquare(degrees * rows, (draws, shares.size))
            variance = float(scale) / rows * chi_squares @ shares
            second = np.sqrt(variance) * rng.standard_normal(draws)
            yield two_sample_test(first, second)
            yield two_sample_test(np.abs(first), np.abs(second))


def _coefficients(rng: np.random.Generator, shape: tuple[int, ...]) -> Iterator[Floats]:
    """One pair of tokens, and all of them."""
    single = np.zeros(shape)
    single[(0,) * len(shape)] = 1.0
    yield single
    yield rng.standard_normal(shape)


def _eigenvalues(one: SmallLayer, coefficients: Floats) -> Floats:
    """The squared singular values of all heads, each times the squared scale of its scores."""
    factor = gram_factor(one.inputs @ one.inputs.T / one.inputs.shape[1])
    scales = np.broadcast_to(one.layer.score_scales, len(coefficients))
    values = [
        scale**2 * np.linalg.svd(factor.T @ t @ factor, compute_uv=False) ** 2
        for scale, t in zip(scales, coefficients, strict=True)
    ]
    return np.concatenate(values)
