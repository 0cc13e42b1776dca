"""Remark 1: with the scaling 1/k attention degenerates to mean pooling."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import sqrt

from numeric.arguments import Floats
from numeric.softmax_jacobian import softmax
from symbolic.equality import equal
from symbolic.softmax_jacobian import softmax as exact_softmax
from theorems.engine import Given, Obligations, Provenance, Rounded, eq, half_line, implies, le, sentence
from theorems.engine.rules import E, Random, Theorem, facts
from theorems.shallow_transformer.hypotheses import INPUTS, NORMAL_KEYS
from theorems.shallow_transformer.letters.paper import T, beta, claim, k, logit_step, weight_step
from theorems.shallow_transformer.model.letters import distance_mean, logit_sup_mean
from theorems.shallow_transformer.model.queries_and_keys import NOTE, mean, real_letters
from theorems.shallow_transformer.premises.means import in_the_mean
from theorems.shallow_transformer.premises.named import NETWORKS

_LARGER = "true as well: both bounds are at least zero, and T and k at least one"

MEAN_POOLING = claim(
    "st.rem1.pooling",
    at="Remark 1",
    title="With the scaling 1/k attention tends to mean pooling, with a rate",
    states={
        "variance of the logits": sentence(
            r"\mathbb{E}z_t^{$moment} = $variance\,(\|X_t\|\|$q\|)^{$power}",
            moment=2,
            variance=beta**2 * k,
            power=2,
        ),
        "given logits": le(weight_step, logit_step),
        "distance to mean pooling": [
            le(distance_mean, logit_sup_mean),
            le(logit_sup_mean, beta * sqrt(k * T)),
        ],
        "scaling": implies(eq(beta, 1 / k), eq(beta * sqrt(k * T), sqrt(T / k))),
    },
    given={beta: half_line(0)},
    assuming=[*INPUTS, NORMAL_KEYS],
    rests_on=["st.rem1.law", "st.fact1.lipschitz"],
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={
        "factor of logit_sup_mean: 1 -> 101/100": _LARGER,
        "factor of sqrt(T)*beta*sqrt(k): 1 -> 101/100": _LARGER,
        "exponent 1/2 of T: 1/2 -> 3/4": _LARGER,
        "exponent 1/2 of k: 1/2 -> 3/4": _LARGER,
    },
)


@MEAN_POOLING.argued(
    "variance of the logits",
    bridge="A logit is a sum over entries of W, which are uncorrelated with equal variances by"
    " st.rem1.law, so that its second moment adds over coordinates in every dimension.",
    uses=[NORMAL_KEYS],
)
def second_moment_of_a_logit(moment: Any, variance: Any, power: Any) -> Obligations:
    """z = Σ X_i W_ij q_j for k, d up to 2."""
    for rows, columns in ((1, 2), (2, 2), (2, 1)):
        keys, queries = real_letters("K", rows, columns), real_letters("Q", rows, columns)
        x, y = sp.symbols("x y", real=True)
        token, one = sp.Matrix([x, 1][:columns]), sp.Matrix([1, y][:columns])
        # The letters x and y are no normals: collect the mean of each of their coefficients.
        logit = beta * (token.T * keys.T * queries * one)[0]
        terms = sp.Poly(sp.expand(logit**moment), x, y).terms()
        found = sum(mean(c) * x**i * y**j for (i, j), c in terms)
        lengths = (token.dot(token) * one.dot(one)) ** (sp.Rational(power) / 2)
        expected = sp.sympify(variance).subs(k, rows) * lengths
        yield f"k = {rows}, d = {columns}", equal(sp.expand(found), sp.expand(expected))


@MEAN_POOLING.argued(
    "distance to mean pooling",
    bridge="st.fact1.lipschitz at equal logits holds for all keys and queries, hence for the means;"
    " the mean of the largest logit is at most the root of the sum of all second moments.",
    uses=[NORMAL_KEYS, *INPUTS],
)
def from_equal_logits(given: Given) -> Iterator[Any]:
    """Equal logits have equal weights; (E max|z|)² ≤ E max z² ≤ Tβ²k, whose root is the bound."""
    for size in (2, 3, 4):
        weights = exact_softmax([0] * size)
        yield f"T = {size}", equal(sp.Matrix(weights), sp.ones(size, 1) / size)
    distance, largest = Random("D"), Random("Z")
    means = NETWORKS.meaning(
        "the means of the distance and of the largest logit",
        eq(distance_mean, E(distance)),
        eq(logit_sup_mean, E(largest)),
    )
    nearer = in_the_mean(_contracted(given), {weight_step: distance, logit_step: largest})
    square = NETWORKS.bridge("the sum of all second moments", le(E(largest**2), T * beta**2 * k))
    yield given.follows(means, nearer, square, facts.expectation_of_square(largest))


@MEAN_POOLING.proved("scaling")
def with_the_number_of_keys(given: Given) -> Theorem:
    """√(kT)/k = √(T/k)."""
    return given.follows()


@st.composite
def _logits(draw: st.DrawFn) -> Floats:
    """Small and large logits, and two opposite ones."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.sampled_from([1e-3, 0.1, 1.0, 10.0]))
    if draw(st.booleans()):
        return size * np.array([1.0, -1.0])
    return size * rng.standard_normal(draw(st.integers(1, 8)))


@MEAN_POOLING.proved("given logits")
def contraction(given: Given) -> Theorem:
    """st.fact1.lipschitz, and tanh is below the identity."""
    return given.follows(_contracted(given))


def _contracted(given: Given) -> Theorem:
    parts = ("bound", "contraction")
    facts_ = (given.fact("st.fact1.lipschitz", part) for part in parts)
    return given.follows(*facts_, goal=le(weight_step, logit_step))


@MEAN_POOLING.tested("given logits", over=_logits)
def distance_over_largest_logit(z: Floats) -> dict[Any, Any]:
    """The distance of softmax weights from equal ones, and the largest logit."""
    # Weights are good to a few units in the last place of 1.
    distance = Rounded(float(np.abs(softmax(z) - 1 / len(z)).sum()), 32 * 2.0**-52)
    return {weight_step: distance, logit_step: float(np.max(np.abs(z)))}
