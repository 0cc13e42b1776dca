"""Proposition 12, proof: its displayed lines one by one, with constants.

The letter τ is the length of the activation that enters the layer, M is the width of the layer.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Max, Min, Rational, Sum, exp, log, sqrt

from symbolic.notation import phi as activation
from theorems.classical.hypotheses import BERNSTEIN_MOMENTS, INDEPENDENT_COPIES
from theorems.classical.letters import W, c, mean, s, v
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Severity,
    both,
    claims_in,
    eq,
    ge,
    gt,
    half_line,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import RANDOM, VECTORS, E, P, Theorem, facts, inner
from theorems.engine.rules.sums import linear
from theorems.engine.values import unfolded
from theorems.eoc_mlp.hypotheses import (
    BOTH_ALIVE,
    BY_DEFINITION,
    NONZERO_DISTANCE,
    SCALE,
    SHARE,
    WIDTH_OF_LAYER,
)
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, b, kappa_phi, phi
from theorems.eoc_mlp.letters.cosines import z, zeta
from theorems.eoc_mlp.letters.distances import (
    Z1,
    Z2,
    c1,
    c2,
    delta,
    ell,
    g,
    half_difference,
    preactivation,
    squared_deviation,
    squared_proxy,
    tail_squared,
    z1,
    z2,
)
from theorems.eoc_mlp.letters.gradients import tau1, xhat1, xhat2
from theorems.eoc_mlp.letters.network import M, gamma, m
from theorems.eoc_mlp.letters.table import LETTERS
from theorems.eoc_mlp.letters.tails import C, normal, psi_norm, threshold, varsigma
from theorems.eoc_mlp.substitutions import as_stated
from theorems.eoc_mlp.tail_premises import certain, told

claim = claims_in(LETTERS)
_AT = "Proposition 12, proof"
_NOTE = "proofs_notes/eoc_concentration.md#cosine-distances"
_POSITIVE = half_line(0, closed=False)
#: κ²z: the half difference Y is at most the root of it times a standard normal variable.
SIZE = kappa_phi(DELTA) ** 2 * z


def _as_it_is(relation: Any) -> Any:
    return relation


def _phi(argument: Any) -> Any:
    return phi(argument, a, b)


def _along_the_row(given: Given, *names: str) -> list[Theorem]:
    """The preactivations of a row N(0, σ²) at two unit vectors of the cosine 1 - 2z."""
    forms = {"1": (Z1, Z1, xhat1, xhat1), "2": (Z2, Z2, xhat2, xhat2), "12": (Z1, Z2, xhat1, xhat2)}
    values = {"1": 1, "2": 1, "12": 1 - 2 * z}
    row = [forms[name] for name in names]
    covariances = [eq(E(p * q), SIGMA**2 * inner(x, y)) for p, q, x, y in row]
    products = [eq(inner(*forms[name][2:]), values[name]) for name in names]
    return [
        told(given, "covariances of linear forms of a row, by eoc.prop11.rows", *covariances),
        told(given, "directions are unit vectors, of squared cosine distance z", *products),
    ]


NORMALISED = claim(
    "eoc.prop12.normalised",
    at=_AT,
    title="Activations over the length of the layer below, unit by unit",
    states={
        "each unit": eq(_phi(tau1 * z1) / sqrt(M) / tau1, _phi(z1) / sqrt(M)),
        "variance": eq(E(Z1**2), SIGMA**2),
    },
    given={tau1: _POSITIVE, z1: None, M: None, a: None, b: None, Z1: None, SIGMA: None},
    assuming=[BOTH_ALIVE],
    rests_on=["eoc.prop11.rows"],
)


@NORMALISED.proved("each unit")
def pull_out_the_length(given: Given) -> Theorem:
    """φ(τz)/τ = φ(z) for τ > 0."""
    return given.follows(goal=unfolded(given.goal))


@NORMALISED.proved("variance")
def at_a_unit_vector(given: Given) -> Theorem:
    """A preactivation is a linear form of the row, at a unit vector."""
    over = {Z1: RANDOM, SIGMA: given.domain[SIGMA], xhat1: VECTORS}
    return rules.follows(eq(E(Z1**2), SIGMA**2), _along_the_row(given, "1"), over=over)


DECOMPOSITION = claim(
    "eoc.prop12.decomposition",
    at=_AT,
    title="Decomposition of the difference of activations",
    states=eq(_phi(z1) - _phi(z2), a * (z1 - z2) + b * (Abs(z1) - Abs(z2))),
    given=[z1, z2, a, b],
)


@DECOMPOSITION.proved()
def collect(given: Given) -> Theorem:
    """Collect a and b."""
    return given.follows(goal=unfolded(given.goal))


DIFFERENCE = claim(
    "eoc.prop12.difference",
    at=_AT,
    title="The half difference of the preactivations has variance σ²z",
    states=eq(E((Z1 / 2 - Z2 / 2) ** 2), SIGMA**2 * z),
    given=[Z1, Z2, SIGMA, z],
    rests_on=["eoc.prop11.rows"],
)


@DIFFERENCE.proved()
def variance(given: Given) -> Theorem:
    """A linear image of a Gaussian vector with the covariance σ²(1, ρ; ρ, 1), ρ = 1 - 2z."""
    return given.follows(*_along_the_row(given, "1", "2", "12"))


KAPPA = claim(
    "eoc.prop12.kappa",
    at=_AT,
    title="κ, as a function of the share of the absolute value, lies between 1 and √2",
    states=[le(1, kappa_phi(DELTA)), le(kappa_phi(DELTA), sqrt(2))],
    given=[DELTA],
    rests_on=["eoc.prop18.range"],
    provenance=Provenance.DERIVED,
)


@KAPPA.proved()
def least_and_largest_share(given: Given) -> Theorem:
    """0 ≤ Δ(1 - Δ) ≤ 1/4."""
    return given.follows(goal=unfolded(given.goal))


_HALF_DIFFERENCE = Abs(_phi(z1) / 2 - _phi(z2) / 2)

REVERSE = claim(
    "eoc.prop12.reverse_triangle",
    at=_AT,
    title="Reverse triangle inequality",
    states=le(Abs(Abs(z1) / 2 - Abs(z2) / 2), Abs(z1 / 2 - z2 / 2)),
    given=[z1, z2],
)


@REVERSE.proved()
def moduli_are_closer(given: Given) -> Theorem:
    """By the signs of z₁ and z₂."""
    return given.follows()


@REVERSE.tested(over=st.tuples(*[st.one_of(st.just(0.0), st.floats(-9, 9))] * 2))
def two_numbers(case: tuple[float, float]) -> dict[sp.Symbol, float]:
    """Of equal and of different signs."""
    return dict(zip((z1, z2), case, strict=True))


PATHWISE = claim(
    "eoc.prop12.pathwise",
    at=_AT,
    title="The half difference of activations is at most a Gaussian in modulus",
    states={
        "bound": le(_HALF_DIFFERENCE, (Abs(a) + Abs(b)) * Abs(z1 / 2 - z2 / 2)),
        "scale": implies(
            eq(z1 / 2 - z2 / 2, SIGMA * sqrt(z) * g),
            eq((Abs(a) + Abs(b)) * Abs(z1 / 2 - z2 / 2), kappa_phi(DELTA) * sqrt(z) * Abs(g)),
        ),
    },
    given=[z1, z2, a, b, SIGMA, DELTA, z, g],
    assuming=[SHARE, SCALE],
    rests_on=[DECOMPOSITION, DIFFERENCE, REVERSE, "eoc.prop18.range"],
    provenance=Provenance.DERIVED,
)


@PATHWISE.proved("bound")
def both_parts(given: Given) -> Theorem:
    """Both parts of the decomposition are at most the half difference of the preactivations."""
    known = given.fact(DECOMPOSITION), given.fact(REVERSE)
    return given.follows(*known, goal=unfolded(given.goal))


@PATHWISE.proved("scale")
def insert_the_variance(given: Given) -> Theorem:
    """(|a| + |b|)σ = κ."""
    return given.follows(given.fact("eoc.prop18.range", "scale"))


@PATHWISE.tested("bound", over=st.tuples(*[st.one_of(st.just(0.0), st.floats(-9, 9))] * 4))
def four_numbers(case: tuple[float, ...]) -> dict[sp.Symbol, float]:
    """Coefficients and preactivations of any signs."""
    return dict(zip((z1, z2, a, b), case, strict=True))


_NORM = psi_norm(half_difference, 2)
_EVENT = le(Abs(half_difference), kappa_phi(DELTA) * sqrt(z) * Abs(normal))

DOMINATED = claim(
    "eoc.prop12.pathwise.law",
    at=_AT,
    title="Almost surely, the half difference of activations is at most a Gaussian in modulus",
    states=eq(P(_EVENT), 1),
    given=[half_difference, normal, DELTA, z],
    rests_on=[PATHWISE, DIFFERENCE],
    discharging={one: BY_DEFINITION[one] for one in (SHARE, SCALE)},
    provenance=Provenance.DERIVED,
)


@DOMINATED.proved()
def for_all_values(given: Given) -> Theorem:
    """By the inequality for all values of the two preactivations and of g."""
    bound, equal = given.fact(PATHWISE, "bound"), given.fact(PATHWISE, "scale")
    half = eq(z1 / 2 - z2 / 2, SIGMA * sqrt(z) * g)
    values = rules.follows(
        implies(half, le(_HALF_DIFFERENCE, kappa_phi(DELTA) * sqrt(z) * Abs(g))),
        [bound, equal],
        over={**bound.over, **equal.over},
        under=bound.under | equal.under,
    )
    return certain(given, "Y and u have the values of the half difference and of g", _EVENT, values)


SUBGAUSSIAN = claim(
    "eoc.prop12.subgaussian",
    at=_AT,
    title="Sub-gaussian norm of the half difference, with its constant",
    states=le(_NORM, sqrt(Rational(8, 3)) * kappa_phi(DELTA) * sqrt(z)),
    given=[half_difference, DELTA, z],
    rests_on=[DOMINATED, "eoc.sec2.psi.gaussian"],
)


def dominated(given: Given, name: str, *relations: Any) -> Theorem:
    """What a textbook says of a variable that is almost surely at most κ√z|u|."""
    almost_surely = eq(P(_EVENT), 1)
    return told(given, name, *(implies(almost_surely, relation) for relation in relations))


@SUBGAUSSIAN.proved()
def norm_of_a_gaussian(given: Given) -> Theorem:
    """The norm does not decrease with the modulus; that of a standard normal variable is √(8/3)."""
    over = {half_difference: RANDOM, normal: RANDOM, varsigma: _POSITIVE}
    event = eq(P(le(Abs(half_difference), varsigma * Abs(normal))), 1)
    monotone = implies(event, le(_NORM, psi_norm(varsigma * normal, 2)))
    bound = rules.follows(
        implies(event, le(_NORM, sqrt(Rational(8, 3)) * varsigma)),
        [
            rules.textbook("the Orlicz norm is monotone", monotone, over=over),
            given.fact("eoc.sec2.psi.gaussian"),
        ],
        over=over,
    )
    apart = {**given.domain, z: sp.Interval.Lopen(0, 1)}
    there = rules.instance(bound, {varsigma: kappa_phi(DELTA) * sqrt(z)}, over=apart)
    law, goal = given.fact(DOMINATED), as_stated(SUBGAUSSIAN, unfold=_as_it_is)
    whole = {half_difference: RANDOM, **given.domain}
    nothing = dominated(given, "Orlicz norm of 0", implies(eq(z, 0), eq(_NORM, 0)))
    return given.follows(
        rules.follows(goal, [there, law], over={**whole, **apart}),
        rules.follows(goal, [nothing, law], over=whole, under=[eq(z, 0)]),
        goal=goal,
    )


_SQUARE = half_difference**2

CENTRED = claim(
    "eoc.prop12.centred",
    at=_AT,
    title="Sub-exponential norm of the centred square, with its constant",
    states=le(
        psi_norm(_SQUARE - E(_SQUARE), 1),
        (Rational(8, 3) + 1 / log(2)) * kappa_phi(DELTA) ** 2 * z,
    ),
    given=[half_difference, DELTA, z],
    rests_on=[DOMINATED, SUBGAUSSIAN],
)


@CENTRED.proved()
def square_and_centre(given: Given) -> Theorem:
    """The norm of Y² is that of Y, squared; that of the constant EY² ≤ κ²z is EY²/log 2."""
    over = dict.fromkeys(sp.symbols("x n e k r q", nonnegative=True), half_line(0))
    x, n, e, k, r, q = over
    over[ell] = _POSITIVE
    known = both(le(x, n**2 + e / ell), le(n, q * k * r), le(e, k**2 * r**2))
    numbers = rules.follows(implies(known, le(x, (q**2 + 1 / ell) * k**2 * r**2)), over=over)
    values = {x: psi_norm(_SQUARE - E(_SQUARE), 1), n: _NORM, e: E(_SQUARE), ell: log(2)}
    at = {**values, k: kappa_phi(DELTA), r: sqrt(z), q: sqrt(Rational(8, 3))}
    letters = {half_difference: RANDOM, **given.domain}
    bound = rules.instance(numbers, at, over=letters, under=[le(0, one) for one in at.values()])
    return given.follows(bound, *_centring(given), goal=as_stated(CENTRED, unfold=_as_it_is))


def _centring(given: Given) -> list[Theorem]:
    """What the textbooks say of Orlicz norms and means of squares and constants."""
    square = eq(psi_norm(_SQUARE, 1), _NORM**2)
    centred = le(psi_norm(_SQUARE - E(_SQUARE), 1), psi_norm(_SQUARE, 1) + E(_SQUARE) / log(2))
    positive = [ge(one, 0) for one in (_NORM, centred.lhs, E(_SQUARE))]
    return [
        given.fact(DOMINATED),
        given.fact(SUBGAUSSIAN),
        told(given, "Orlicz norm of a square", square),
        told(given, "Orlicz norm of a sum and of a constant", centred),
        told(given, "norms and means of squares are not negative", *positive),
        dominated(given, "means are monotone", le(E(_SQUARE), SIZE * E(normal**2))),
        told(given, "variance of a standard normal variable", eq(E(normal**2), 1)),
        facts.logarithm_below_tangent(Rational(1, 2)),
    ]


_unit = sp.Symbol("j", integer=True, nonnegative=True)


def _summed(weight: Any) -> Any:
    """The squares of the weighted differences of the activations of all units."""
    first, second = (weight * _phi(preactivation(i, _unit)) for i in (1, 2))
    return Sum((first - second) ** 2, (_unit, 0, M - 1))


SQUARED_NORM = claim(
    "eoc.prop12.squared_norm",
    at=_AT,
    title="The squared distance as a mean",
    states=sentence(
        r"\Bigl\|\tfrac{$half}{$two}\tfrac{x_k(x_1)}{\|x_{k-1}(x_1)\|}"
        r" - \tfrac{$half}{$two}\tfrac{x_k(x_2)}{\|x_{k-1}(x_2)\|}\Bigr\|^$power"
        r" = \frac{$weight}{$M}\sum_{j=1}^{$M}"
        r"\bigl(\phi(z_{1,j}) - \phi(z_{2,j})\bigr)^$power",
        half=1,
        two=2,
        power=2,
        weight=1,
    ),
    given=[M],
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@SQUARED_NORM.refuted(severity=Severity.SLIP, controls={"a_quarter": {"weight": Fraction(1, 4)}})
def one_unit(half: int, two: int, power: int, weight: Any) -> Obligations:
    """|·|, one unit, z₁ = 1, z₂ = 0: the left side is 1/4, the right side 1."""
    first, second = (activation(value).subs({a: 0, b: 1}) for value in (1, 0))
    share = Rational(half, two)
    left, right = (share * first - share * second) ** power, weight * (first - second) ** power
    yield "they differ", bool(left != right)


QUARTER = SQUARED_NORM.corrected(
    "eoc.prop12.squared_norm.corrected",
    title="The squared distance as a mean, with the factor one quarter",
    states=eq(_summed(1 / (2 * sqrt(M))), _summed(Rational(1, 2)) / M),
    given=[M, a, b],
    rests_on=[NORMALISED],
    discharging={BOTH_ALIVE: "where one vanishes, its entries are 0 on both sides"},
    note=_NOTE,
)


@QUARTER.proved()
def term_by_term(given: Given) -> Theorem:
    """The entries are M^(-1/2) φ(z); numbers come out of both sums."""
    over = given.domain
    left, right = given.goal.args
    return given.follows(*(linear(one, over=over) for one in left.atoms(Sum) | right.atoms(Sum)))


_UNITS_OF_SIZE = squared_deviation / (10 * SIZE)
_APART = {z: sp.Interval.Lopen(0, 1)}
_COPIES = {
    INDEPENDENT_COPIES: "the rows of the layer matrix are independent and have one law",
    BERNSTEIN_MOMENTS: "by eoc.prop12.moments, for the square of Y",
}

TWO_REGIMES = claim(
    "eoc.prop12.two_regimes",
    at=_AT,
    title="Concentration of the squared distance, with the constant 10 for the O",
    states=le(tail_squared, 2 * exp(-Min(_UNITS_OF_SIZE**2, _UNITS_OF_SIZE) * M)),
    given={tail_squared: None, squared_deviation: None, DELTA: None, M: None, **_APART},
    assuming=[BOTH_ALIVE],
    rests_on=[QUARTER, "eoc.prop12.moments", "eoc.zeta.cosines", "classical.bernstein"],
    discharging={**BY_DEFINITION, **_COPIES},
    note=_NOTE,
)


@TWO_REGIMES.proved()
def below_and_above_one(given: Given) -> Theorem:
    """Bernstein's exponent is Mx²/(6 + 4x), x = s/(κ²z), at least M min{(x/10)², x/10}."""
    over = {x: given.domain[x] for x in (squared_deviation, DELTA, M, z)}
    objects = {half_difference: RANDOM, squared_proxy: RANDOM}
    square, tails = half_difference**2, []
    for sign in (1, -1):
        at = {W: sign * square, mean: sign * squared_proxy, s: squared_deviation}
        at |= {v: 3 * SIZE**2, c: 2 * SIZE}
        bernstein = given.fact("classical.bernstein")
        tails.append(rules.instance(bernstein, at, over={**over, **objects}))
    parts = [one.statement.lhs for one in tails]
    bernstein, size = tails[0].statement.rhs.args[0], sp.Symbol("size", positive=True)
    weak = -Min(_UNITS_OF_SIZE**2, _UNITS_OF_SIZE) * M
    numbers = {squared_deviation: over[squared_deviation], M: over[M], size: _POSITIVE}
    plain = le(*(one.subs(SIZE, size) for one in (bernstein, weak)))
    order = rules.instance(rules.follows(plain, over=numbers), {size: SIZE}, over=over)
    grows = facts.exponential_increases(weak, bernstein, over=over)
    union = told(given, "union bound, for the mean ζ(z) of Y²", le(tail_squared, sum(parts)))
    return given.follows(union, *tails, order, grows, goal=as_stated(TWO_REGIMES, unfold=_as_it_is))


EXPONENT = claim(
    "eoc.prop12.exponent",
    at=_AT,
    title="The exponents of the proof's displays as they stand in the text",
    states=sentence(
        r"\exists C: \quad \mathbb{P}_{k-1}\bigl(|D - \sqrt{\zeta($z)}| \ge"
        r" $delta\sqrt{\zeta($z)}\bigr) \le $two e^{-\frac{$delta^$power}"
        r"{(C\kappa_\phi^$power$scale)^$power $M}}",
        two=2,
        power=2,
        scale=zeta(z, DELTA),
    ),
    given=[z, delta, DELTA, M],
    rests_on=["eoc.zeta.closed_form"],
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@EXPONENT.refuted(severity=Severity.SLIP, controls={"corrected": {"scale": z / zeta(z, DELTA)}})
def identity_with_one_unit(two: int, power: int, scale: Any) -> Obligations:
    """φ(s) = s, one unit, δ = 1: P(D ≥ 2√z) = P(|g| ≥ 2) for all z = ζ(z), but the bound vanishes.

    For any constant C in place of O, as z falls to 0.
    """
    factor, distance = sp.symbols("C z", positive=True)
    here = unfolded(scale.subs(DELTA, 0)).subs(z, distance)
    bound = two * exp(-1 / (factor * here) ** power)
    yield "P(|g| ≥ 2) > 0", sp.erfc(sqrt(2)).is_positive
    yield "the bound vanishes", bool(sp.limit(bound, distance, 0, "+") == 0)


_RELATIVE = Max(delta, delta**2) * zeta(z, DELTA) / (C * SIZE)

CORRECTED_EXPONENT = EXPONENT.corrected(
    "eoc.prop12.exponent.corrected",
    title="Both regimes in one, with z/ζ(z) for ζ(z) and the width below",
    states=ge(Min(_RELATIVE**2, _RELATIVE) * M, delta**2 / ((C * SIZE / zeta(z, DELTA)) ** 2 / M)),
    given={delta: None, DELTA: None, M: None, C: half_line(1), **_APART},
    assuming=[NONZERO_DISTANCE],
    rests_on=["eoc.zeta", KAPPA],
    note=_NOTE,
)


@CORRECTED_EXPONENT.proved()
def at_most_one(given: Given) -> Theorem:
    """With u = ζ/(κ²z) ≤ 1 and s/(κ²z) = max{δ, δ²}u both members are at least (δu/C)²."""
    share = sp.Symbol("u", positive=True)
    numbers = {x: given.domain[x] for x in (delta, C, M)}
    over = {**numbers, share: sp.Interval.Lopen(0, 1)}
    relative = Max(delta, delta**2) * share / C
    plain = ge(Min(relative**2, relative) * M, delta**2 / ((C / share) ** 2 / M))
    bound = rules.follows(plain, over=over)
    at = {share: zeta(z, DELTA) / SIZE}
    letters = {x: given.domain[x] for x in (z, DELTA)}
    below = [given.fact("eoc.zeta", "below the identity"), given.fact(KAPPA)]
    one = both(gt(at[share], 0), le(at[share], 1))
    inside = rules.follows(one, below, over=letters, under=given.conditions)
    there = rules.instance(bound, at, over=letters, under=[*given.conditions, one])
    return given.follows(there, inside, goal=as_stated(CORRECTED_EXPONENT, unfold=_as_it_is))


IMPLICATION = claim(
    "eoc.prop12.implication",
    at=_AT,
    title="From a distance to its square",
    states=implies(
        ge(Abs(c1 - c2), delta * c2),
        ge(Abs(c1**2 - c2**2), Max(delta, delta**2) * c2**2),
    ),
    given=[c1, c2, delta],
)


@IMPLICATION.proved()
def above_and_below(given: Given) -> Theorem:
    """c₁ ≥ (1 + δ)c₂; or c₁ ≤ (1 - δ)c₂, where δ ≤ 1 unless c₂ = 0."""
    return given.follows()


_DEVIATION = z / zeta(z, DELTA) / sqrt(gamma) * threshold

SUBSTITUTION = claim(
    "eoc.prop12.substitution",
    at=_AT,
    title="From δ to t",
    states=implies(
        eq(delta, _DEVIATION),
        eq(
            delta**2 / ((C * SIZE / zeta(z, DELTA)) ** 2 / M),
            threshold**2 / (C * kappa_phi(DELTA) ** 2 / sqrt(m)) ** 2,
        ),
    ),
    given={
        **dict.fromkeys((delta, threshold, gamma, m, M, DELTA)),
        C: half_line(0, closed=False),
        **_APART,
    },
    assuming=[NONZERO_DISTANCE, WIDTH_OF_LAYER],
    rests_on=[CORRECTED_EXPONENT],
    note=_NOTE,
)


@SUBSTITUTION.proved()
def insert(given: Given) -> Theorem:
    """M = γm cancels the γ of t."""
    return given.follows()
