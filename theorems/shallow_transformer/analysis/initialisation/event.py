"""Definition 1: the event on which all read-out vectors are short, its probability and radius."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from flint import arb
from hypothesis import strategies as st
from sympy import Rational, log, sqrt

from numeric.gaussian_norms import chi_tail, exact_radius, printed_radius
from numeric.gaussian_norms import probability_within as within
from numeric.networks.transformer import symmetric_initialisation
from numeric.statistics import MeanTest, mean_test
from theorems.classical import powers
from theorems.classical.letters import chance_of_any
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    Rounded,
    both,
    eq,
    ge,
    iff,
    implies,
    integers,
    rules,
    sentence,
)
from theorems.engine.rules import E, Theorem, facts
from theorems.engine.rules.vocabulary import independent, randoms
from theorems.shallow_transformer.hypotheses import EVEN_WIDTH, PAIRED_HEADS, RANDOM_HEADS
from theorems.shallow_transformer.letters import paper as of
from theorems.shallow_transformer.letters.paper import claim, d, m
from theorems.shallow_transformer.letters.start import chi_within, start_chance
from theorems.shallow_transformer.premises.named import NETWORKS, as_declared, in_networks
from theorems.shallow_transformer.premises.networks import what_is_assumed
from theorems.shallow_transformer.useful_facts.gaussian_norms import NOTE, largest_length, none_is_larger

_DEFINITION = "Definition 1"

_RADIUS = sqrt(d) + sqrt(2 * log(m / (2 * of.delta_prime)))
START = (EVEN_WIDTH, PAIRED_HEADS, RANDOM_HEADS)

#: Definition 1 is about the radius itself; a larger one is as good.
EVENT_RADIUS = Hypothesis("event_radius", "$r is at least the radius of Definition 1", ge(of.r, _RADIUS))

EVENT = claim(
    "st.def1",
    at=_DEFINITION,
    title="The probability of the event on which all analysis takes place",
    states=ge(start_chance, 1 - of.delta_prime),
    given={m: integers(2)},
    assuming=[*START, EVENT_RADIUS],
    rests_on=["classical.union"],
    note=NOTE,
)


@EVENT.proved()
def half_of_the_norms(given: Given) -> Theorem:
    """Only m/2 norms are distinct: Fact 4 with m/2 for m and δ = δ'."""
    half = sp.Symbol("half", integer=True, positive=True)
    given.require(PAIRED_HEADS)
    width = what_is_assumed(given, EVEN_WIDTH, eq(m, 2 * half))
    quotient, least = m / (2 * of.delta_prime), ge(log(m / (2 * of.delta_prime)), 0)
    whole = largest_length(given, RANDOM_HEADS, start_chance, half, of.delta_prime)
    of_pairs = NETWORKS.substituted(whole, {of.excess: sqrt(2 * log(quotient))}, under=[least])
    same = NETWORKS.follows(width, goal=eq(half / of.delta_prime, quotient))
    larger = facts.logarithm_increases(quotient, 1, over=in_networks(quotient))
    logs = NETWORKS.follows(same, goal=eq(log(half / of.delta_prime), log(quotient)))
    return given.concluded(of_pairs, logs, larger)


@EVENT.tested(
    over=st.tuples(
        st.one_of(st.just(1), st.integers(1, 5000)),
        st.one_of(st.just(1), st.integers(1, 5000)),
        st.sampled_from(["small", "middle", "large"]),
        st.floats(1e-12, 1 - 1e-12),
    )
)
def probability_of_the_event(case: tuple[int, int, str, float]) -> dict[Any, Any]:
    """The exact probability of E_U; m = 2, d = 1 and δ' near 0 and 1 included."""
    half, size, kind, chance = case
    missed = {"small": 1e-12, "middle": chance, "large": 1 - 1e-12}[kind]
    # The printed radius is good to a few units in the last place, and rounded up here.
    radius = float(printed_radius(size, 2 * half, missed)) * (1 + 1e-14)
    tail = float(chi_tail(radius, size))
    # Tails are good to 1e-10 of themselves; a radius of 0 is covered by one more case.
    outside = float(-np.expm1(half * np.log1p(-tail)))
    inside = Rounded(1 - outside, 1e-10 * outside + 2.0**-53)
    return {start_chance: inside, of.r: radius, m: 2 * half, d: size, of.delta_prime: missed}


EXACT = claim(
    "st.def1.exact",
    at=_DEFINITION,
    title="The exact probability of a bound on all norms",
    states=eq(start_chance, chi_within ** (m / 2)),
    given={m: integers(2)},
    assuming=START,
    provenance=Provenance.DERIVED,
    note=NOTE,
)


_n = sp.Symbol("n", integer=True, nonnegative=True)


@EXACT.proved()
def independent_halves(given: Given) -> Theorem:
    """The norms of one half are independent: by induction n of them are at most r with p^n."""
    given.require(*START)
    all_within, within = randoms("all of n are within"), randoms("within")
    chance = E(all_within(_n))
    half = sp.Symbol("half", integer=True, positive=True)
    product = NETWORKS.meaning(
        "the indicator that n independent norms are within, with one norm more",
        eq(E(all_within(_n + 1)), E(all_within(_n) * within(_n))),
        independent(all_within(_n), within(_n)),
        eq(E(within(_n)), chi_within),
    )
    apart = facts.expectation_of_independent(all_within(_n), within(_n))
    power = powers.integral_one_more(chi_within, _n, over=as_declared(chi_within, _n))
    nothing = NETWORKS.meaning("there is no condition on no norms", eq(chance.xreplace({_n: 0}), 1))
    grown = rules.induction(eq(chance, chi_within**_n), _n, 0, base=[nothing], step=[product, apart, power])
    of_pairs = NETWORKS.substituted(grown, {_n: half})
    width = NETWORKS.meaning("the number of pairs", eq(m, 2 * half))
    some = eq(chance_of_any(_n), 1 - chance)
    indicator = NETWORKS.meaning("one norm of n is beyond, unless all are within", some).at({_n: half})
    same = NETWORKS.follows(width, goal=eq(chi_within**half, chi_within ** (m / 2)))
    return given.concluded(of_pairs, none_is_larger(start_chance, half), indicator, same, width)


@EXACT.estimated(draws=600, controls={})
def initialisations(rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Frequencies at the radius of probability one half, for four shapes."""
    for heads, size in ((2, 1), (4, 3), (8, 2), (16, 8)):
        radius = exact_radius(size, heads, 0.5)
        largest = [
            np.linalg.norm(symmetric_initialisation(heads, size, rng).U, axis=1).max() for _ in range(draws)
        ]
        yield mean_test((np.array(largest) <= radius).astype(float), within(radius, size, heads))


_EXPERIMENT = r"$r \in ($low, $high) \text{ at } m = $width"

SHARP = EVENT.sharpened(
    "st.def1.sharp",
    title="The smallest radius that holds all norms with a given probability",
    states={
        "equation": iff(
            eq(start_chance, 1 - of.delta_prime), eq(1 - chi_within, 1 - (1 - of.delta_prime) ** (2 / m))
        ),
        "smallest": implies(
            sp.StrictLessThan(chi_within, (1 - of.delta_prime) ** (2 / m), evaluate=False),
            sp.StrictLessThan(start_chance, 1 - of.delta_prime, evaluate=False),
        ),
    },
    given={m: integers(2)},
    assuming=START,
    rests_on=[EXACT],
    note=NOTE,
)


def _roots() -> Theorem:
    """p^(m/2) against y = 1 − δ′ is p against y^(2/m)."""
    y = sp.Symbol("y", nonnegative=True)
    root, over = y ** (2 / m), {**as_declared(chi_within, m), y: sp.Interval(0, sp.oo)}
    both_ways = [
        powers.increase(*pair, m / 2, over=over) for pair in ((chi_within, root), (root, chi_within))
    ]
    known = rules.follows(both(*(one.statement for one in both_ways)), both_ways)
    return NETWORKS.substituted(known, {y: 1 - of.delta_prime})


@SHARP.proved("equation", "smallest")
def solve_for_one_norm(given: Given) -> Theorem:
    """p^(m/2) = 1 - δ' at p = (1 - δ')^(2/m), and it increases."""
    return given.concluded(given.fact(EXACT), _roots())


_WIDER = "true as well: the interval is wider"
_SAME_INTERVAL = "true as well: the radius of this chance is in the same interval, by the same balls"

EXPERIMENT = claim(
    "st.def1.sharp.experiment",
    at=_DEFINITION,
    title="The smallest radius in the experiments of Section 6.1: 4.41 for 5.79, 5.33 for 6.79",
    states={
        "eight heads": sentence(
            _EXPERIMENT + r" \quad (d = $dimension,\ \delta' = $chance)",
            low=Fraction(440, 100),
            high=Fraction(441, 100),
            width=8,
            dimension=8,
            chance=Fraction(1, 20),
        ),
        "256 heads": sentence(
            _EXPERIMENT + r" \quad (d = $dimension,\ \delta' = $chance)",
            low=Fraction(533, 100),
            high=Fraction(534, 100),
            width=256,
            dimension=8,
            chance=Fraction(1, 20),
        ),
    },
    rests_on=[EXACT],
    discharging=dict.fromkeys(START, "the exact probability is a number"),
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={
        "low: 22/5 -> 1089/250": _WIDER,
        "low: 533/100 -> 52767/10000": _WIDER,
        "high: 441/100 -> 44541/10000": _WIDER,
        "high: 267/50 -> 26967/5000": _WIDER,
        "chance: 1/20 -> 101/2000": _SAME_INTERVAL,
        "chance: 1/20 -> 99/2000": _SAME_INTERVAL,
        "domain of r": "true as well: no length is negative, so that the chance of r < 0 is zero",
    },
)


@EXPERIMENT.argued(
    "eight heads", "256 heads", bridge="The probability increases with the radius, and is continuous."
)
def radii_of_the_experiments(low: Any, high: Any, width: Any, dimension: Any, chance: Any) -> Obligations:
    """The probability crosses 1 - δ' between two radii, in balls."""
    # st.def1.exact has a power of the number of pairs, for which another number means nothing.
    yield "pairs of heads", bool((Rational(width) / 2).is_integer)
    wanted = 1 - _ball(chance)
    inside = within(_ball(low), _ball(dimension), _ball(width))
    yield "below", bool(inside < wanted)
    outside = within(_ball(high), _ball(dimension), _ball(width))
    yield "above", bool(outside > wanted)


def _ball(value: Any) -> arb:
    number = Rational(value)
    return arb(int(number.p)) / int(number.q)
