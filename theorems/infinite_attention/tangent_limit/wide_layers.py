"""Theorem 18 and its lemmas: parts of the tangent kernel of wide layers, simulated."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from numeric.statistics import mean_test
from numeric.statistics.means import MeanTest
from theorems.engine import Obligations, Provenance, sentence
from theorems.infinite_attention.letters.table import claim
from theorems.infinite_attention.tangent_limit.simulated_layers import (
    ENTRIES,
    Limits,
    constant_limits,
    draw_parts,
    limits,
)

_NOTE = "proofs_notes/inf_tangents.md#simulations"
_DRAWS = 200
_TENTH, _FIFTH = Fraction(11, 10), Fraction(6, 5)


def _tests(
    part: Callable[[Any], Any],
    limit: Callable[[Limits], float],
    rng: np.random.Generator,
    draws: int,
) -> Iterator[MeanTest]:
    """Means of a part over draws of a layer of 100 heads, for the identity and for ReLU."""
    for score_map in ("identity", "relu"):
        drawn = part(draw_parts(score_map, rng, draws))
        for entry in ENTRIES:
            samples = drawn[(slice(None), *entry, 0, 0)]
            yield mean_test(samples, limit(limits(score_map, entry)), rounding=1e-4)


BY_OUTPUTS = claim(
    "inf.lem19",
    at="Lemma 19",
    title="The derivatives by output weights contribute the kernel",
    states=sentence(r"\Theta^{W^O}_{ab} \xrightarrow{P} $factor \kappa_{ab}", factor=1),
    note=_NOTE,
)


@BY_OUTPUTS.estimated(draws=_DRAWS, controls={"a tenth more": {"factor": _TENTH}})
def means_by_outputs(rng: np.random.Generator, draws: int, factor: Any) -> Iterator[MeanTest]:
    """Means over draws; given the inputs the variance is that of one head over their number."""
    yield from _tests(lambda one: one.by_outputs, lambda one: factor * one.kernel, rng, draws)


BY_VALUES = claim(
    "inf.lem20",
    at="Lemma 20",
    title="The derivatives by weights of values contribute the kernel once more",
    states=sentence(r"\Theta^{W^V}_{ab} \xrightarrow{P} $factor \kappa_{ab}", factor=1),
    note=_NOTE,
)


@BY_VALUES.estimated(draws=_DRAWS, controls={"a tenth more": {"factor": _TENTH}})
def means_by_values(rng: np.random.Generator, draws: int, factor: Any) -> Iterator[MeanTest]:
    """Means over draws."""
    yield from _tests(lambda one: one.by_values, lambda one: factor * one.kernel, rng, draws)


_SUMS = (
    r",\quad A = \langle\tilde\Theta, M\rangle,\ B = \langle\tilde\kappa,"
    r" \mathcal{D}\tilde\kappa\rangle,\ C = \langle\tilde\kappa, \mathcal{D}\tilde\Theta\rangle"
    r" \text{ with their scales}"
)

BY_SCORES = claim(
    "inf.lem21",
    at="Lemma 21",
    title="The derivatives by weights of queries and of keys contribute a sum of slopes each",
    states=sentence(
        r"\Theta^{W^Q}_{ab} + \Theta^{W^K}_{ab} \xrightarrow{P} $factor \tilde\kappa_{ab} B"
        + _SUMS,
        factor=2,
    ),
    note=_NOTE,
)


@BY_SCORES.estimated(draws=_DRAWS, controls={"a tenth more": {"factor": 2 * _TENTH}})
def means_by_scores(rng: np.random.Generator, draws: int, factor: Any) -> Iterator[MeanTest]:
    """Means over draws."""
    yield from _tests(
        lambda one: one.by_queries + one.by_keys,
        lambda one: factor * one.own * one.slopes,
        rng,
        draws,
    )


THROUGH_VALUES = claim(
    "inf.lem22",
    at="Lemma 22",
    title="The derivatives through the values contribute the sum with the input's tangent kernel",
    states=sentence(r"\Theta^{VV}_{ab} \xrightarrow{P} $factor A" + _SUMS, factor=1),
    note=_NOTE,
)


@THROUGH_VALUES.estimated(draws=_DRAWS, controls={"a tenth more": {"factor": _TENTH}})
def means_through_values(rng: np.random.Generator, draws: int, factor: Any) -> Iterator[MeanTest]:
    """Means over draws."""
    yield from _tests(lambda one: one.values_values, lambda one: factor * one.moved, rng, draws)


THROUGH_SCORES = claim(
    "inf.lem23",
    at="Lemma 23",
    title="The derivatives through the scores contribute a sum by queries and one by keys",
    states=sentence(
        r"\Theta^{GG}_{ab} \xrightarrow{P} $queries \tilde\Theta_{ab} B + $keys \tilde\kappa_{ab} C"
        + _SUMS,
        queries=1,
        keys=1,
    ),
    note=_NOTE,
)


@THROUGH_SCORES.estimated(
    draws=_DRAWS,
    controls={"more by queries": {"queries": _FIFTH}, "more by keys": {"keys": _FIFTH}},
)
def means_through_scores(
    rng: np.random.Generator, draws: int, queries: Any, keys: Any
) -> Iterator[MeanTest]:
    """Means over draws."""

    def limit(one: Limits) -> float:
        return queries * one.own_tangent * one.slopes + keys * one.own * one.moved_slopes

    yield from _tests(lambda one: one.scores_scores, limit, rng, draws)


MIXED = claim(
    "inf.lem25",
    at="Lemma 25",
    title="Products of derivatives through the values and through the scores vanish",
    states=sentence(r"\Theta^{VG}_{ab},\ \Theta^{GV}_{ab} \xrightarrow{P} $limit", limit=0),
    note=_NOTE,
)


@MIXED.estimated(draws=_DRAWS, controls={"a hundredth": {"limit": Fraction(1, 100)}})
def means_of_mixed_products(rng: np.random.Generator, draws: int, limit: Any) -> Iterator[MeanTest]:
    """Means over draws of both, in layers of which the largest part is about three."""
    yield from _tests(lambda one: one.values_scores, lambda _: limit, rng, draws)
    yield from _tests(lambda one: one.scores_values, lambda _: limit, rng, draws)


THEOREM = claim(
    "inf.thm18",
    at="Theorem 18; Equation (22)",
    title="The tangent kernel of an attention layer with many heads converges",
    states={
        "independent queries and keys": sentence(
            r"\Theta_n \xrightarrow{P} $kernels \kappa_{ab} + $values A"
            r" + ($twice \tilde\kappa_{ab} + $own \tilde\Theta_{ab}) B + $keys \tilde\kappa_{ab} C"
            + _SUMS,
            kernels=2,
            values=1,
            twice=2,
            own=1,
            keys=1,
        ),
        "equal queries and keys": sentence(
            r"W^Q = W^K:\quad \Theta_n \xrightarrow{P} $kernels \kappa_{ab} + $values A" + _SUMS,
            kernels=2,
            values=1,
        ),
    },
    rests_on=[
        *("inf.eq21", BY_OUTPUTS, BY_VALUES, BY_SCORES, THROUGH_VALUES, THROUGH_SCORES, MIXED),
    ],
    provenance=Provenance.EXTRACTED,
    note=_NOTE,
)
_A, _B, _C, _KAPPA, _OWN, _BELOW = sp.symbols("A B C kappa own below")


@THEOREM.argued(
    "independent queries and keys",
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


@THEOREM.estimated(
    "equal queries and keys",
    draws=8,
    controls={"more kernels": {"kernels": 2 * _TENTH}, "more values": {"values": _TENTH}},
)
def constant_weights(
    rng: np.random.Generator, draws: int, kernels: Any, values: Any
) -> Iterator[MeanTest]:
    """With softmax; at these widths scores are constant up to a millionth."""
    drawn = draw_parts("softmax", rng, draws, heads=2000, tau=1).total
    for entry in ENTRIES:
        kernel, moved = constant_limits(entry)
        samples = drawn[(slice(None), *entry, 0, 0)]
        yield mean_test(samples, kernels * kernel + values * moved, rounding=1e-4)
