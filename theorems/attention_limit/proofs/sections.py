"""Lemma D.10: a pseudo-Lipschitz function at fixed dot products is pseudo-Lipschitz."""

from typing import Any

import sympy as sp
from sympy import Expr, Max, Symbol

from theorems.attention_limit.letters.averages import distance_u, norm_a, norm_u, norm_u_other, section_change
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tools import C_any, growth
from theorems.attention_limit.tools.pseudo_lipschitz import PSEUDO_LIPSCHITZ
from theorems.classical import powers
from theorems.engine import Given, Provenance, eq, ge, gt, half_line, implies, le, rules
from theorems.engine.rules import Theorem

_NOTE = "proofs_notes/attn_proofs.md#sections-of-a-function"
_GIVEN = {
    **dict.fromkeys((section_change, C_any, norm_a, distance_u, norm_u, norm_u_other)),
    growth: half_line(1),
}
_GROWTH = 1 + norm_u**growth + norm_u_other**growth

SECTION = claim(
    "attn.lemD10",
    at="Lemma D.10",
    title="A pseudo-Lipschitz function at fixed dot products is pseudo-Lipschitz of the same order",
    states=le(
        section_change, C_any * Max(2 ** (growth - 1), 1 + 2**growth * norm_a**growth) * distance_u * _GROWTH
    ),
    given=_GIVEN,
    assuming=[PSEUDO_LIPSCHITZ],
    note=_NOTE,
)

_SIZE = sp.Interval(0, sp.oo)
_joint, _joint_other = sp.symbols("v w", nonnegative=True)
#: The two numbers of which powers of sums are taken.
SUMMANDS = _b, _c = sp.symbols("b c", nonnegative=True)
_JOINT = {_joint: _SIZE, _joint_other: _SIZE}


def _of_pairs(given: Given) -> Theorem:
    """The bound of the function at two pairs with the same place, whose norms are v and w."""
    bound = le(section_change, C_any * distance_u * (1 + _joint**growth + _joint_other**growth))
    return given.supposed(PSEUDO_LIPSCHITZ, bound)


def power_of_sum(growths: Any, exponent: Symbol = growth) -> Theorem:
    """(b + c)^γ ≤ 2^(γ - 1)(b^γ + c^γ): both powers lie above the tangent at (b + c)/2 = q."""
    over = {_b: _SIZE, _c: _SIZE, exponent: growths}
    middle, positive = (_b + _c) / 2, [gt(_b + _c, 0)]
    above = [powers.above_tangent(one, middle, exponent, over=over, under=positive) for one in (_b, _c)]
    whole = [powers.of_product(2, middle, exponent, over=over), powers.one_more(2, exponent - 1, over=over)]
    zeros = [powers.of_zero(one, exponent, over=over) for one in (_b, _c, _b + _c)]
    bound = le((_b + _c) ** exponent, 2 ** (exponent - 1) * (_b**exponent + _c**exponent))
    return rules.follows(bound, [*above, *whole, *zeros])


_FACTOR = Max(2 ** (growth - 1), 1 + 2**growth * norm_a**growth)


@SECTION.proved()
def triangle_inequality_and_powers(given: Given) -> Theorem:
    """|(u, a)| is at most |u| + |a|, and Lemma C.1 bounds the power of the sum of two."""
    return _with_factor(given, _FACTOR, _by_the_triangle_inequality(given))


def _by_the_triangle_inequality(given: Given) -> list[Theorem]:
    """The powers of both norms of pairs by those of their parts."""
    split, over, known = power_of_sum(given.domain[growth]), {**given.domain, **_JOINT}, []
    for joint, norm in ((_joint, norm_u), (_joint_other, norm_u_other)):
        pair = given.meaning("the norm of a pair", eq(joint**2, norm**2 + norm_a**2), over=_JOINT)
        two = given.substituted(split, {_b: norm, _c: norm_a})
        bound = le(joint**growth, 2 ** (growth - 1) * (norm**growth + norm_a**growth))
        used = {x: over[x] for x in (joint, norm, norm_a, growth)}
        grown = powers.increase(joint, norm + norm_a, growth, over=used)
        known.append(rules.follows(bound, [pair, grown, two]))
    return [*known, powers.one_more(2, growth - 1, over=over)]


def _with_factor(given: Given, factor: Expr, known: list[Theorem], *cases: Any) -> Theorem:
    """1 + v^γ + w^γ is at most the factor times 1 + |u|^γ + |u'|^γ; then the rest is multiplied."""
    goal = le(1 + _joint**growth + _joint_other**growth, factor * _GROWTH)
    inside = rules.follows(goal, known, under=cases)
    return given.follows(_of_pairs(given), inside)


SMALL_ORDERS = claim(
    "attn.lemD10.orders",
    at="Lemma D.10",
    title="Smaller constants of a section, by the squares of the norms",
    states={
        "orders up to three": implies(
            le(growth, 2), le(section_change, C_any * (1 + 2 * norm_a**growth) * distance_u * _GROWTH)
        ),
        "orders from three on": implies(
            ge(growth, 2),
            le(
                section_change,
                C_any
                * Max(2 ** (growth / 2 - 1), 1 + 2 ** (growth / 2) * norm_a**growth)
                * distance_u
                * _GROWTH,
            ),
        ),
    },
    given=_GIVEN,
    assuming=[PSEUDO_LIPSCHITZ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _squares(given: Given, case: Any, split: Theorem, factor: Expr) -> list[Theorem]:
    """The power of a norm is the power γ/2 of its square, |u|² + |a|²."""
    over, known, half = {**given.domain, **_JOINT}, [], growth / 2
    for joint, norm in ((_joint, norm_u), (_joint_other, norm_u_other)):
        pair = given.meaning("the norm of a pair", eq(joint**2, norm**2 + norm_a**2), over=_JOINT)
        used = {x: over[x] for x in (joint, norm, norm_a, growth)}
        laws = powers.equal(joint**2, norm**2 + norm_a**2, half, over=used)
        two = split.at({_b: norm**2, _c: norm_a**2}, over=used, under=[case])
        bound = le(joint**growth, factor * (norm**growth + norm_a**growth))
        known.append(rules.follows(bound, [pair, laws, two], under=[case]))
    return known


@SMALL_ORDERS.proved("orders up to three")
def small_powers_are_subadditive(given: Given) -> Theorem:
    """(x + y)^(γ/2) ≤ x^(γ/2) + y^(γ/2) for γ ≤ 2."""
    case = le(growth, 2)
    over = {_b: _SIZE, _c: _SIZE, growth: given.domain[growth]}
    split = powers.subadditive(_b, _c, growth / 2, over=over, under=[case])
    split = rules.follows(split.statement, [split], under=[case])
    known = _squares(given, case, split, sp.Integer(1))
    return _with_factor(given, 1 + 2 * norm_a**growth, known, case)


@SMALL_ORDERS.proved("orders from three on")
def squares_of_norms(given: Given) -> Theorem:
    """Lemma C.1 with the exponent γ/2 ≥ 1 for |u|² + |a|²."""
    case, g = ge(growth, 2), Symbol("g", positive=True)
    half = power_of_sum(sp.Interval(1, sp.oo), g).at({g: growth / 2}, over=given.domain, under=[case])
    laws = powers.one_more(2, growth / 2 - 1, over=given.domain)
    factor = Max(2 ** (growth / 2 - 1), 1 + 2 ** (growth / 2) * norm_a**growth)
    split = _squares(given, case, half, 2 ** (growth / 2 - 1))
    return _with_factor(given, factor, [*split, laws], case)
