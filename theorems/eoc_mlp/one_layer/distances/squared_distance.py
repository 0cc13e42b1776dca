"""Proposition 12, proof: the squared distance as a mean, its two regimes, and from δ to t."""

from fractions import Fraction
from typing import Any

from sympy import Abs, Integer, Interval, Max, Min, Rational, Sum, Symbol, erfc, exp, limit, sqrt, symbols

from symbolic.notation import phi as activation
from theorems.classical.hypotheses import BERNSTEIN_MOMENTS, INDEPENDENT_COPIES
from theorems.classical.letters import W, c, mean, s, v
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Severity,
    both,
    eq,
    ge,
    gt,
    half_line,
    implies,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import RANDOM, Theorem, facts
from theorems.engine.rules.sums import linear
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import BOTH_ALIVE, BY_DEFINITION, NONZERO_DISTANCE, WIDTH_OF_LAYER
from theorems.eoc_mlp.letters.activation import DELTA, a, b, kappa_phi, phi
from theorems.eoc_mlp.letters.cosines import z, zeta
from theorems.eoc_mlp.letters.distances import (
    c1,
    c2,
    delta,
    half_difference,
    preactivation,
    squared_deviation,
    squared_proxy,
    tail_squared,
)
from theorems.eoc_mlp.letters.network import M, gamma, m
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import C, threshold
from theorems.eoc_mlp.one_layer.distances.half_differences import SIZE
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.premises.tails import of_either_tail

_AT = "Proposition 12, proof"
_NOTE = "proofs_notes/eoc_concentration.md#cosine-distances"
_POSITIVE = half_line(0, closed=False)


def _phi(argument: Any) -> Any:
    return phi(argument, a, b)


_unit = Symbol("j", integer=True, nonnegative=True)


def _summed(weight: Any) -> Any:
    """The squares of the weighted differences of the activations of all units."""
    first, second = (weight * _phi(preactivation(i, _unit)) for i in (1, 2))
    return Sum((first - second) ** 2, (_unit, 0, M - 1))


SQUARED_NORM = claim(
    "eoc.prop12.squared_norm",
    at=_AT,
    title="The squared distance as a mean",
    states=sentence(
        r"\Bigl\|$first\tfrac{x_k(x_1)}{\|x_{k-1}(x_1)\|}"
        r" - $second\tfrac{x_k(x_2)}{\|x_{k-1}(x_2)\|}\Bigr\|^{$square}"
        r" = \frac{$weight}{$M}\sum_{j=1}^{$M}"
        r"\bigl(\phi(z_{1,j}) - \phi(z_{2,j})\bigr)^{$power}",
        first=Fraction(1, 2),
        second=Fraction(1, 2),
        square=2,
        weight=1,
        power=2,
    ),
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@SQUARED_NORM.refuted(severity=Severity.SLIP, controls={"a_quarter": {"weight": Fraction(1, 4)}})
def one_unit_with_absolute_value(
    first: Any, second: Any, square: int, weight: Any, power: int
) -> Obligations:
    """|·|, one unit, z₁ = 3, z₂ = 1: the left side is 1, the right side 4."""
    one, other = (activation(value).subs({a: 0, b: 1}) for value in (3, 1))
    left, right = (first * one - second * other) ** square, weight * (one - other) ** power
    yield "they differ", bool(left != right)


QUARTER = SQUARED_NORM.corrected(
    "eoc.prop12.squared_norm.corrected",
    title="The squared distance as a mean, with the factor one quarter",
    states=eq(_summed(1 / (2 * sqrt(M))), _summed(Rational(1, 2)) / M),
    rests_on=["eoc.prop12.normalised"],
    discharging={BOTH_ALIVE: "where one vanishes, its entries are 0 on both sides"},
    note=_NOTE,
)


@QUARTER.proved()
def term_by_term(given: Given) -> Theorem:
    """The entries are M^(-1/2) φ(z); numbers come out of both sums."""
    stated = as_it_stands(QUARTER)
    sums = sorted(stated.atoms(Sum), key=str)
    return given.follows(*(linear(one) for one in sums), goal=stated)


_UNITS_OF_SIZE = squared_deviation / (10 * SIZE)
_APART = {z: Interval.Lopen(0, 1)}
_COPIES = {
    INDEPENDENT_COPIES: "the rows of the layer matrix are independent and have one law",
    BERNSTEIN_MOMENTS: "by eoc.prop12.moments, for the square of Y",
}

TWO_REGIMES = claim(
    "eoc.prop12.two_regimes",
    at=_AT,
    title="Concentration of the squared distance, with the constant 10 for the O",
    states=le(tail_squared, 2 * exp(-Min(_UNITS_OF_SIZE**2, _UNITS_OF_SIZE) * M)),
    given=_APART,
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
        tails.append(bernstein.at(at, over={**over, **objects}))
    parts = [one.statement.lhs for one in tails]
    bernstein, size = tails[0].statement.rhs.args[0], Symbol("size", positive=True)
    weak = -Min(_UNITS_OF_SIZE**2, _UNITS_OF_SIZE) * M
    plain = le(*(one.subs(SIZE, size) for one in (bernstein, weak)))
    order = rules.follows(plain).at({size: SIZE}, over=over)
    grows = facts.exponential_increases(weak, bernstein, over=over)
    letters = {**over, tail_squared: given.domain[tail_squared]}
    union = of_either_tail(given, tail_squared, *parts, over=letters)
    return given.follows(union, *tails, order, grows, goal=as_it_stands(TWO_REGIMES))


EXPONENT = claim(
    "eoc.prop12.exponent",
    at=_AT,
    title="The exponents of the proof's displays as they stand in the text",
    states=sentence(
        r"\exists C: \quad \mathbb{P}_{k-1}\bigl(|D - \sqrt{\zeta($z)}| \ge"
        r" $delta\sqrt{\zeta($z)}\bigr) \le $two e^{-\frac{$delta^{$square}}"
        r"{(C\kappa_\phi^{$kappas}$scale)^{$power} $M}}",
        two=2,
        square=2,
        kappas=2,
        scale=zeta(z, DELTA),
        power=2,
    ),
    rests_on=["eoc.zeta.closed_form"],
    note=_NOTE,
    provenance=Provenance.EXTRACTED,
)


@EXPONENT.refuted(severity=Severity.SLIP, controls={"corrected": {"scale": z / zeta(z, DELTA)}})
def identity_with_one_unit(two: int, square: int, kappas: int, scale: Any, power: int) -> Obligations:
    """φ(s) = s, one unit, δ = 2: P(D ≥ 3√z) = P(|g| ≥ 3) for all z = ζ(z), but the bound vanishes.

    For any constant C in place of O, as z falls to 0.
    """
    factor, distance = symbols("C z", positive=True)
    here = unfolded(scale.subs(DELTA, 0)).subs(z, distance)
    kappa = unfolded(kappa_phi(DELTA).subs(DELTA, 0))
    bound = two * exp(-(Integer(2) ** square) / (factor * kappa**kappas * here) ** power)
    yield "P(|g| ≥ 3) > 0", erfc(3 / sqrt(2)).is_positive
    yield "the bound vanishes", bool(limit(bound, distance, 0, "+") == 0)


_RELATIVE = Max(delta, delta**2) * zeta(z, DELTA) / (C * SIZE)

CORRECTED_EXPONENT = EXPONENT.corrected(
    "eoc.prop12.exponent.corrected",
    title="Both regimes in one, with z/ζ(z) for ζ(z) and the width below",
    states=ge(Min(_RELATIVE**2, _RELATIVE) * M, delta**2 / ((C * SIZE / zeta(z, DELTA)) ** 2 / M)),
    given={C: half_line(1), **_APART},
    assuming=[NONZERO_DISTANCE],
    rests_on=["eoc.zeta", "eoc.prop12.kappa"],
    note=_NOTE,
)


@CORRECTED_EXPONENT.proved()
def at_most_one(given: Given) -> Theorem:
    """With u = ζ/(κ²z) ≤ 1 and s/(κ²z) = max{δ, δ²}u both members are at least (δu/C)²."""
    share = Symbol("u", positive=True)
    numbers = {x: given.domain[x] for x in (delta, C, M)}
    over = {**numbers, share: Interval.Lopen(0, 1)}
    relative = Max(delta, delta**2) * share / C
    plain = ge(Min(relative**2, relative) * M, delta**2 / ((C / share) ** 2 / M))
    bound = rules.follows(plain, over=over)
    at = {share: zeta(z, DELTA) / SIZE}
    letters = {x: given.domain[x] for x in (z, DELTA)}
    below = [given.fact("eoc.zeta", "below the identity"), given.fact("eoc.prop12.kappa")]
    one = both(gt(at[share], 0), le(at[share], 1))
    inside = rules.follows(one, below, over=letters, under=given.conditions)
    there = bound.at(at, over=letters, under=[*given.conditions, one])
    return given.follows(there, inside, goal=as_it_stands(CORRECTED_EXPONENT))


IMPLICATION = claim(
    "eoc.prop12.implication",
    at=_AT,
    title="A relative deviation of a distance, and that of its square",
    states=implies(ge(Abs(c1 - c2), delta * c2), ge(Abs(c1**2 - c2**2), Max(delta, delta**2) * c2**2)),
)


@IMPLICATION.proved()
def above_and_below(given: Given) -> Theorem:
    """c₁ ≥ (1 + δ)c₂; or c₁ ≤ (1 - δ)c₂, where δ ≤ 1 unless c₂ = 0."""
    return given.follows()


SUBSTITUTION = claim(
    "eoc.prop12.substitution",
    at=_AT,
    title="The exponent in terms of t, by the substitution of t for δ",
    states=implies(
        eq(delta, z / zeta(z, DELTA) / sqrt(gamma) * threshold),
        eq(
            delta**2 / ((C * SIZE / zeta(z, DELTA)) ** 2 / M),
            threshold**2 / (C * kappa_phi(DELTA) ** 2 / sqrt(m)) ** 2,
        ),
    ),
    given={C: half_line(0, closed=False), **_APART},
    assuming=[NONZERO_DISTANCE, WIDTH_OF_LAYER],
    rests_on=[CORRECTED_EXPONENT],
    note=_NOTE,
)


@SUBSTITUTION.proved()
def insert_the_width(given: Given) -> Theorem:
    """M = γm cancels the γ of t."""
    return given.follows(goal=as_it_stands(SUBSTITUTION))
