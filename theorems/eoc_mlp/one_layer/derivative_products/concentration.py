"""Proposition 18: concentration of products of derivatives, with constants."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from hypothesis import strategies as st
from scipy.special import bdtr, bdtrc
from sympy import Abs, Float, Interval, Max, Min, Symbol, exp, sqrt

from numeric.cosine_maps import varrho_prime
from numeric.statistics import MeanTest
from symbolic.equality import equal
from symbolic.notation import phi_prime as slope_of
from theorems.classical.hypotheses import BOUNDED_RANGE, INDEPENDENT_COPIES
from theorems.classical.letters import W, excess, length, mean
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Rounded,
    both,
    defining,
    eq,
    gt,
    implies,
    interval,
    le,
    lt,
)
from theorems.engine.rules import Random, Theorem
from theorems.engine.rules.facts import exponential_increases
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import (
    ASYMMETRY,
    BOTH_ALIVE,
    BY_DEFINITION,
    NONZERO_PREACTIVATIONS,
    NOT_BOTH_ZERO,
    SCALE,
    SHARE,
    ZERO_IS_ORTHOGONAL,
)
from theorems.eoc_mlp.letters.activation import (
    DELTA,
    SIGMA,
    a,
    asymmetry,
    b,
    kappa_phi,
    phi_prime,
    range_length,
)
from theorems.eoc_mlp.letters.backpropagation import tail_slopes
from theorems.eoc_mlp.letters.distances import z1, z2
from theorems.eoc_mlp.letters.network import M
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import threshold
from theorems.eoc_mlp.one_layer.derivatives.expectation import DEAD_FIRST
from theorems.eoc_mlp.premises.tails import of_either_tail
from theorems.eoc_mlp.sampling.redrawn import frequency_test, redrawn

NOTE = "proofs_notes/eoc_concentration.md#backpropagation-products"
WITH_A_KINK = Interval.Lopen(0, 1)
_PRODUCT = SIGMA**2 * phi_prime(z1, a, b) * phi_prime(z2, a, b)
_SPREAD = sqrt(DELTA * (1 - DELTA))

VALUES = claim(
    "eoc.prop18.values",
    at="Proposition 18, proof",
    title="The summands have three values",
    states={
        "both positive": implies(both(gt(z1, 0), gt(z2, 0)), eq(_PRODUCT, 1 + asymmetry)),
        "both negative": implies(both(lt(z1, 0), lt(z2, 0)), eq(_PRODUCT, 1 - asymmetry)),
        "opposite signs": implies(lt(z1 * z2, 0), eq(_PRODUCT, 1 - 2 * DELTA)),
        "asymmetry": eq(Abs(asymmetry), 2 * _SPREAD),
    },
    assuming=[NONZERO_PREACTIVATIONS, SHARE, SCALE, ASYMMETRY],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@VALUES.proved("both positive", "both negative", "opposite signs", "asymmetry")
def products_of_slopes(given: Given) -> Theorem:
    """Slopes a ± b; σ² = 1/(a² + b²)."""
    return given.follows(goal=unfolded(given.goal))


PRODUCTS = (1 + 2 * _SPREAD, 1 - 2 * _SPREAD, 1 - 2 * DELTA)

_SHORT = le(range_length(DELTA), 2 * kappa_phi(DELTA) ** 2)
MEANINGS = {
    NONZERO_PREACTIVATIONS: "with probability one",
    **BY_DEFINITION,
    ASYMMETRY: "that is what the letter stands for",
}

RANGE = claim(
    "eoc.prop18.range",
    at="Proposition 18, proof",
    title="Length of the range of the summands",
    states={
        "length": defining(
            range_length(DELTA), eq(Max(*PRODUCTS) - Min(*PRODUCTS), 2 * _SPREAD + 2 * Max(_SPREAD, DELTA))
        ),
        "scale": implies(
            eq(DELTA * (a**2 + b**2), b**2), eq(Abs(a) + Abs(b), kappa_phi(DELTA) * sqrt(a**2 + b**2))
        ),
        "bound": _SHORT,
    },
    rests_on=[VALUES, "eoc.kappa"],
    discharging={**MEANINGS, NOT_BOTH_ZERO: "where both vanish, both sides are 0"},
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@RANGE.proved("length", "scale", "bound")
def largest_less_smallest(given: Given) -> Theorem:
    """1 + 2r less 1 - 2r, or less 1 - 2Δ; both are at most 2 + 4r since r ≥ 0 and Δ ≤ 1."""
    return given.follows(goal=unfolded(given.goal))


_DEVIATION = -2 * M * threshold**2 / range_length(DELTA) ** 2
WEAKER = -M * threshold**2 / (2 * kappa_phi(DELTA) ** 4)

EXPLICIT_18 = claim(
    "eoc.prop18.explicit",
    at="Proposition 18",
    title="Concentration of products of derivatives without a linear term",
    states={"sharp": le(tail_slopes, 2 * exp(_DEVIATION)), "simple": le(tail_slopes, 2 * exp(WEAKER))},
    given={DELTA: WITH_A_KINK},
    assuming=[ZERO_IS_ORTHOGONAL],
    discharging={
        INDEPENDENT_COPIES: "the rows of the layer matrix are independent and have one law",
        BOUNDED_RANGE: "eoc.prop18.values lists the values of a summand",
        BOTH_ALIVE: "where one vanishes the cosine counts as zero, and the mean is that at zero",
        DEAD_FIRST: "where none vanishes the mean is that of Proposition 15",
        **BY_DEFINITION,
    },
    rests_on=[RANGE, "eoc.prop15", "eoc.prop15.dead", "classical.hoeffding", "classical.union"],
    provenance=Provenance.DERIVED,
    note=NOTE,
)


@EXPLICIT_18.proved("sharp", "simple")
def hoeffding_for_both_tails(given: Given) -> Theorem:
    """Both tails of a mean in a range of length L; and L ≤ 2κ²."""
    numbers = {x: given.domain[x] for x in (M, threshold, DELTA)}
    strong, weak = unfolded(_DEVIATION), unfolded(WEAKER)
    unit, average = Random("product_of_slopes"), Random("mean_of_products")
    hoeffding, tails = given.fact("classical.hoeffding", "bound"), []
    over = {**numbers, **{X: X.belongs_to for X in (unit, average)}}
    for sign in (1, -1):
        at = {W: sign * unit, mean: sign * average, excess: threshold}
        at |= {length: unfolded(range_length(DELTA))}
        tails.append(hoeffding.at(at, over=over))
    sides = [one.statement.lhs for one in tails]
    return given.follows(
        *tails,
        of_either_tail(given, tail_slopes, *sides, over={tail_slopes: interval(0, 1), **numbers}),
        exponential_increases(weak, strong, over=numbers),
        goal=unfolded(given.goal),
    )


@EXPLICIT_18.argued(
    "sharp",
    bridge="With one dead input a summand is a mean of two of the three values, so it lies in their range.",
    uses=[ZERO_IS_ORTHOGONAL],
    over={DELTA: WITH_A_KINK},
)
def dead_input() -> Obligations:
    """The values σ²a(a ± b) are such means."""
    squares = a**2 + b**2
    ends = [slope_of(sign) ** 2 / squares for sign in (-1, 1)]
    opposite = slope_of(1) * slope_of(-1) / squares
    for sign, end in zip((-1, 1), ends, strict=True):
        value, mean = a * slope_of(sign) / squares, (end + opposite) / 2
        yield f"a mean of two values, {sign}", equal(value, mean, under=[squares > 0])


_coins = st.tuples(st.integers(1, 2000), st.floats(0.01, 0.99), st.floats(0, 1))
_few = st.tuples(st.integers(1, 3), st.fractions(Fraction(1, 1000), 1, max_denominator=1000), st.floats(0, 1))


@EXPLICIT_18.tested("sharp", over=st.one_of(_coins, _few))
def exact_tails(case: tuple[Any, ...]) -> dict[Symbol, Any]:
    """Exact probabilities: of many summands for |·|, of one to three for any share."""
    return (_few_summands if isinstance(case[1], Fraction) else _many_coins)(*case)


def _many_coins(width: int, p: float, place: float) -> dict[Symbol, Any]:
    """|·|: the summands are 1 with chance p, else -1; a deviation between two that are taken.

    Deviations are at most ten standard ones, beyond which chances are too small for a float.
    """
    share = Fraction(p)
    reach = min(float(1 - share), 5 / np.sqrt(width))
    count = min(width, int(np.ceil(width * (p + place * reach))))
    t = max(Fraction(0), 2 * (Fraction(count, width) - share))
    lowest = floor(width * (share - t / 2))
    chance = float(bdtrc(count - 1, width, p)) if t else 1.0
    chance += float(bdtr(lowest, width, p)) if t and lowest >= 0 else 0.0
    tail = Rounded(min(1.0, chance), 1e-9 * chance)
    return {M: width, threshold: t, DELTA: 1, tail_slopes: tail}


def _few_summands(width: int, share: Fraction, place: float) -> dict[Symbol, Any]:
    """Orthogonal inputs: 1 ± 2r with chance 1/4 each, 1 - 2Δ with chance 1/2."""
    spread = float(np.sqrt(float(share) * (1 - float(share))))
    values = {2 * spread: Fraction(1, 4), -2 * spread: Fraction(1, 4)}
    law = [*values.items(), (-2 * float(share), Fraction(1, 2))]
    sums = [(0.0, Fraction(1))]
    for _ in range(width):
        sums = [(total + value, chance * p) for total, chance in sums for value, p in law]
    deviations = [(abs(total / width + float(share)), chance) for total, chance in sums]
    t = place * max(value for value, _ in deviations) * (1 - 1e-9)
    tail = sum((chance for value, chance in deviations if value >= t), Fraction(0))
    return {M: width, threshold: t, DELTA: share, tail_slopes: tail}


@EXPLICIT_18.estimated("sharp", draws=4000, controls={})
def products_of_networks(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Frequencies in six networks against the bound."""
    bound = unfolded(given.goal.rhs)
    for one in redrawn(rng, draws):
        if one.delta == 0:
            continue
        slope = float(varrho_prime(one.state.cosines(one.layer)[0, 1], one.delta))
        length = float(unfolded(range_length(Float(one.delta))))
        t = 0.9 * length / np.sqrt(one.width)
        happened = np.abs(one.draws.derivative_products[:, 0, 1] - slope) >= t
        point = {threshold: t, M: one.width, DELTA: one.delta}
        yield frequency_test(happened, float(bound.subs(point)))
