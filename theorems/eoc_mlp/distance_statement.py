"""Proposition 12 as it is printed, its best constant, and the algebra of Remark 13."""

from __future__ import annotations

from typing import Any

import sympy as sp
from hypothesis import strategies as st
from sympy import Rational, exp, log, sqrt

from symbolic.equality import equal
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    both,
    claims_in,
    eq,
    gt,
    half_line,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, facts
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.distance_concentration import EXPLICIT
from theorems.eoc_mlp.distance_in_sines import in_sines, positive_zeta
from theorems.eoc_mlp.distance_proof import (
    DIFFERENCE,
)
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    BOTH_ALIVE,
    LIMITING_COSINES,
    NONZERO_DISTANCE,
    SQUARE_WIDTHS,
    WIDTH_OF_LAYER,
)
from theorems.eoc_mlp.inverse_distance_growth import INCREMENT
from theorems.eoc_mlp.letters.activation import DELTA, kappa_phi
from theorems.eoc_mlp.letters.cosines import omega, w, z, zeta
from theorems.eoc_mlp.letters.distances import (
    lower_tail,
    tail_distance_scaled,
    upper_tail,
)
from theorems.eoc_mlp.letters.network import M, gamma, m
from theorems.eoc_mlp.letters.table import LETTERS
from theorems.eoc_mlp.letters.tails import threshold
from theorems.eoc_mlp.substitutions import as_stated, of_inverse_distance
from theorems.eoc_mlp.tail_premises import of_either_tail

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/eoc_concentration.md#cosine-distances"
_APART = {z: sp.Interval.Lopen(0, 1)}
_POSITIVE = half_line(0, closed=False)
_t = threshold


def _as_it_is(relation: Any) -> Any:
    return relation


_TAIL = r"\mathbb{P}\bigl(D \ge $threshold\sqrt{\zeta($z)}\bigr)"

BEST = claim(
    "eoc.prop12.best",
    at="Proposition 12",
    title="The constant one half of the upper tail is the best",
    states={
        "scale": eq(zeta(z, 0) / (kappa_phi(0) ** 2 * z), 1),
        "attained": sentence(
            r"\Delta_\phi = $share \implies \lim_{$threshold\to\infty}"
            r" -\frac{\log" + _TAIL + r"}{$threshold^$power} = $value",
            share=0,
            power=2,
            value=M / 2,
        ),
    },
    given={_t: None, M: None, **_APART},
    assuming=[BOTH_ALIVE],
    rests_on=["eoc.prop14.best", DIFFERENCE, EXPLICIT, "eoc.zeta.closed_form", "eoc.prop18.range"],
    discharging={
        NONZERO_DISTANCE: "for the identity ζ(z) = z, which is positive here",
        ALIVE: "it is assumed of both activations",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={"domain of threshold": "true as well: it tends to infinity, wherever it begins"},
)


@BEST.proved("scale")
def linear_activation(given: Given) -> Theorem:
    """κ = 1 and ζ(z) = z for the identity."""
    return given.follows(goal=unfolded(given.goal))


@BEST.argued(
    "attained",
    bridge="For φ(s) = as the half difference is φ of the half difference, so that D/√ζ(z) has the"
    " law of one quotient of lengths, whose square is at least that of a single unit over M.",
    uses=[BOTH_ALIVE],
    over={M: integers(1), **_APART},
)
def one_large_unit(share: int, power: int, value: Any) -> Obligations:
    """P(|g| ≥ x) is at least x/(1 + x²) times the density; the upper bound is the claim's."""
    t, units = sp.symbols("t M", positive=True)
    at = sqrt(units) * t
    log_tail = log(at) - log(1 + at**2) - at**2 / 2
    claimed = value.subs(M, units)
    yield "limit of one unit", equal(sp.limit(-log_tail / t**power, t, sp.oo), claimed)
    kappa, ratio = unfolded(kappa_phi(sp.Integer(share))), unfolded(zeta(z, sp.Integer(share))) / z
    bound = units * (ratio / kappa**2) ** 2 * (t - 1) ** 2 / 2
    yield "limit of the bound", equal(sp.limit(bound / t**power, t, sp.oo), claimed)


_PRINTED = _t**2 / (sqrt(3) * kappa_phi(DELTA) ** 2 / sqrt(m)) ** 2

PROP_12 = claim(
    "eoc.prop12",
    at="Proposition 12",
    title="Concentration of cosine distances of activations, with √3 x for O(x)",
    states=le(tail_distance_scaled, 2 * exp(-_PRINTED)),
    given={**dict.fromkeys((tail_distance_scaled, _t, DELTA, gamma, m, M)), **_APART},
    # The page divides by the lengths of the activations, by z and by ζ(z).
    assuming=[BOTH_ALIVE, NONZERO_DISTANCE, WIDTH_OF_LAYER],
    rests_on=[EXPLICIT],
    note=_NOTE,
)


@PROP_12.proved()
def compare_exponents(given: Given) -> Theorem:
    """At t√γ⁻¹z/ζ for t the exponents of both tails are mt²/(2κ⁴) and mt²/(3κ⁴)."""
    domain = given.domain
    tails = {one: sp.Interval(0, 1) for one in sp.symbols("upper lower", nonnegative=True)}
    deviation = _t * z / (zeta(z, DELTA) * sqrt(gamma))
    numbers = {x: domain[x] for x in (_t, DELTA, gamma, m, M, z)}
    whole, under = {**numbers, **tails}, given.conditions
    parts = []
    for tail, name, letter in zip(
        tails, ("upper tail", "lower tail"), (upper_tail, lower_tail), strict=True
    ):
        bound = given.fact(EXPLICIT, name)
        there = rules.instance(bound, {letter: tail, _t: deviation}, over=whole, under=under)
        exponent = there.statement.rhs.args[0]
        order = rules.follows(le(exponent, -_PRINTED), over=numbers, under=under)
        grows = facts.exponential_increases(-_PRINTED, exponent, over=numbers)
        goal = le(tail, exp(-_PRINTED))
        parts.append(rules.follows(goal, [there, order, grows], over=whole, under=under))
    both_tails = {**tails, tail_distance_scaled: domain[tail_distance_scaled]}
    union = of_either_tail(tail_distance_scaled, *tails, over=both_tails)
    goal = as_stated(PROP_12, unfold=_as_it_is)
    return given.follows(union, *parts, goal=goal)


_WEIGHT = zeta(w**-2, DELTA) ** Rational(-1, 2) * zeta(w**-2, DELTA) / w**-2

WEIGHT = claim(
    "eoc.rem13.weight",
    at="Remark 13",
    title="The weight of the relative error is the inverse distance, up to one",
    states={
        "identity": eq(_WEIGHT, w**2 / omega(w, DELTA)),
        "lower bound": le(w - DELTA, w**2 / omega(w, DELTA)),
        "upper bound": le(w**2 / omega(w, DELTA), w - 4 * DELTA / (3 * sp.pi)),
    },
    given=[w, DELTA],
    rests_on=["eoc.zeta.sandwich", "eoc.zeta", "eoc.omega"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@WEIGHT.proved("identity")
def insert_the_distance(given: Given) -> Theorem:
    """ω = ζ^(-1/2), in closed form."""
    positive = of_inverse_distance(positive_zeta(in_sines(given)), given.domain)
    return given.follows(positive, goal=unfolded(given.goal))


@WEIGHT.proved("lower bound", "upper bound")
def in_terms_of_omega(given: Given) -> Theorem:
    """ζ = ω^(-2); then (w²/ω)² = w⁴ζ lies between w² - Δw and w² - (8/(3π))Δw.

    √(w² - Δw) ≥ w - Δ, as w² - Δw - (w - Δ)² = Δ(w - Δ); and √(1 - x) ≤ 1 - x/2.
    """
    y = sp.Symbol("y", positive=True)
    values = {zeta(w**-2, DELTA): y, omega(w, DELTA): 1 / sqrt(y)}
    stated = as_stated(WEIGHT, given.part, lambda one: one.subs(values))
    least = 8 / (3 * sp.pi)
    between = [le(w**-2 - DELTA * w**-3, y), le(y, w**-2 - least * DELTA * w**-3)]
    numbers = rules.follows(stated, over={**given.domain, y: _POSITIVE}, under=between)
    bounds = [
        given.fact("eoc.zeta.sandwich", f"{one} bound", {z: w**-2}) for one in ("lower", "upper")
    ]
    positive = given.fact("eoc.zeta", "positive", {z: w**-2})
    met = rules.follows(
        both(
            gt(zeta(w**-2, DELTA), 0), *(one.xreplace({y: zeta(w**-2, DELTA)}) for one in between)
        ),
        [*bounds, positive],
        over=given.domain,
    )
    there = rules.instance(
        numbers, {y: zeta(w**-2, DELTA)}, over=given.domain, under=[gt(zeta(w**-2, DELTA), 0)]
    )
    defined = {omega(w, DELTA): zeta(w**-2, DELTA) ** Rational(-1, 2)}
    goal = as_stated(WEIGHT, given.part, lambda one: one.subs(defined))
    return given.follows(there, met, goal=goal)


@WEIGHT.tested(
    "upper bound",
    over=st.tuples(
        st.one_of(st.just(1.0000001), st.floats(1, 1e4, exclude_min=True)),
        st.one_of(st.sampled_from([0, 1]), st.floats(0, 1)),
    ),
)
def random_distances(case: tuple[float, float]) -> dict[Any, float]:
    """Distances from nearly opposite to nearly equal inputs."""
    return dict(zip((w, DELTA), case, strict=True))


ALGEBRA = claim(
    "eoc.rem13.algebra",
    at="Remark 13",
    title="Errors of cosine distances scale as 1/k² for γ_k = k²",
    states=sentence(
        r"\lim_{k\to\infty}\frac{\zeta($z)^{-\frac{$one}{$power}}\tfrac{\zeta($z)}{$z}"
        r"\gamma_{k-1}^{\frac{$one}{$power}}}{(k-$one)^$power} = $value,"
        r" \quad $z = w_{k-1}^{-$power}",
        one=1,
        power=2,
        value=4 * DELTA / (3 * sp.pi),
    ),
    given={z: None, DELTA: sp.Interval.Lopen(0, 1)},
    assuming=[LIMITING_COSINES, SQUARE_WIDTHS],
    rests_on=[WEIGHT, "eoc.quoted.p13", INCREMENT],
    note=_NOTE,
    excused={"domain of z": "true as well: z is the inverse square of a number above 1"},
)


@ALGEBRA.argued(
    bridge="The iterates are a linear function of k up to a logarithm, and the weight is the"
    " iterate up to a bounded term; so the quotient has the limit of these expressions.",
    uses=[LIMITING_COSINES, SQUARE_WIDTHS],
    over={DELTA: sp.Interval.Lopen(0, 1)},
)
def insert_the_iterates(one: int, power: int, value: Any) -> Obligations:
    """With w = c(k - 1) + O(log k) and w²/ω(w) = w + O(1), γ = (k - 1)²."""
    n, bounded, log_factor = sp.symbols("n o p", positive=True)  # n = k - 1
    increment = as_stated(INCREMENT, unfold=_as_it_is).rhs - w
    for offset in (-bounded, 0, bounded):
        iterate = increment * n + log_factor * log(n) + offset
        weight = iterate * (n**2) ** Rational(one, power) / (n + 1 - one) ** power
        yield f"offset {offset}", equal(sp.limit(weight, n, sp.oo), value)
