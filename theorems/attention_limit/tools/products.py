"""Lemma C.4: the product of two numbers is pseudo-Lipschitz."""

from typing import Any

import sympy as sp
from hypothesis import strategies as st
from sympy import Abs, Rational, Symbol, sqrt

from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.letters.tools import (
    C_any,
    distance_xy,
    growth,
    growth_any,
    norm_xy,
    norm_xy_other,
    x,
    x_other,
    y,
    y_other,
)
from theorems.classical import powers
from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, gt, half_line, implies, le, lt, rules
from theorems.engine.rules import Theorem

_NOTE = "proofs_notes/attn_tools.md#the-product-of-two-numbers"
_DISTANCE = sqrt((x - x_other) ** 2 + (y - y_other) ** 2)
_CHANGE = Abs(x * y - x_other * y_other)
_FACTORS = [x, y, x_other, y_other]
_SIZES = [distance_xy, norm_xy, norm_xy_other]
_d1, _d2, _s1, _s2, _form, _D, _S = sp.symbols("d1 d2 s1 s2 form D S", real=True)

STEP = claim(
    "attn.lemC4.step",
    at="Lemma C.4, proof",
    title="Products differ by at most the distance of their factors times two of these",
    states=le(_CHANGE, _DISTANCE * (Abs(x) + Abs(y_other))),
)


@STEP.proved()
def one_factor_at_a_time(given: Given) -> Theorem:
    """x y - x' y' = x (y - y') + (x - x') y', and each difference is at most the distance."""
    return given.follows()


def _norms(given: Given) -> Theorem:
    return given.meaning(
        "Euclidean norms and the distance of pairs of factors",
        eq(distance_xy**2, (x - x_other) ** 2 + (y - y_other) ** 2),
        eq(norm_xy**2, x**2 + y**2),
        eq(norm_xy_other**2, x_other**2 + y_other**2),
    )


HALF_SUM = claim(
    "attn.lemC4.half_sum",
    at="Lemma C.4, proof",
    title="Products differ by at most the distance of their factors times the mean of two norms",
    states=le(_CHANGE, distance_xy * (norm_xy + norm_xy_other) / 2),
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


def _cauchy() -> Theorem:
    """|d₁s₂ + s₁d₂| ≤ D S, where D is the length of (d₁, d₂) and S at least that of (s₁, s₂)."""
    real = dict.fromkeys((_d1, _d2, _s1, _s2, _form, _D, _S), sp.Reals)
    square = rules.follows(le((_d1 * _s2 + _s1 * _d2) ** 2, (_d1**2 + _d2**2) * (_s1**2 + _s2**2)), over=real)
    lengths = both(eq(_d1**2 + _d2**2, _D**2), le(_s1**2 + _s2**2, _S**2))
    larger = rules.follows(
        sp.Implies(lengths, le((_d1**2 + _d2**2) * (_s1**2 + _s2**2), (_D * _S) ** 2)), over=real
    )
    root = rules.follows(sp.Implies(both(le(_form**2, _S**2), le(0, _S)), le(Abs(_form), _S)), over=real)
    here = root.at({_S: _D * _S})
    known = both(lengths, le(0, _D), le(0, _S), eq(_form, _d1 * _s2 + _s1 * _d2))
    return rules.follows(sp.Implies(known, le(Abs(_form), _D * _S)), [square, larger, here])


_PLANE = sp.symbols("total first second product r s", real=True)


def _square_of_a_sum() -> Theorem:
    """|z + z'|² = |z|² + |z'|² + 2⟨z, z'⟩ is at most (|z| + |z'|)² if ⟨z, z'⟩ ≤ |z||z'|."""
    total, first, second, product, r, s = _PLANE
    return rules.follows(
        le(total, (r + s) ** 2),
        under=[
            eq(total, first + second + 2 * product),
            *(eq(r**2, first), eq(s**2, second), le(product, r * s)),
        ],
    )


@HALF_SUM.proved()
def sums_and_differences(given: Given) -> Theorem:
    """2(x y - x' y') = (x - x')(y + y') + (x + x')(y - y'), at most |z - z'| |z + z'|."""
    norms, length = _norms(given), norm_xy + norm_xy_other
    product = given.follows(norms, goal=le((x * x_other + y * y_other) ** 2, (norm_xy * norm_xy_other) ** 2))
    inner = given.follows(product, goal=le(x * x_other + y * y_other, norm_xy * norm_xy_other))
    total = (x + x_other) ** 2 + (y + y_other) ** 2
    at = (total, x**2 + y**2, x_other**2 + y_other**2, x * x_other + y * y_other, *_SIZES[1:])
    square = given.instance(_square_of_a_sum(), dict(zip(_PLANE, at, strict=True)))
    expanded = given.follows(goal=eq(total, at[1] + at[2] + 2 * at[3]))
    sum_ = given.follows(norms, inner, expanded, square, goal=le(total, length**2))
    values = {_d1: x - x_other, _d2: y - y_other, _s1: x + x_other, _s2: y + y_other}
    values |= {_form: 2 * (x * y - x_other * y_other), _D: distance_xy, _S: length}
    form = (x - x_other) * (y + y_other) + (x + x_other) * (y - y_other)
    same = given.follows(goal=eq(values[_form], form))
    bound = given.instance(_cauchy(), values)
    lengths = given.follows(norms, sum_, same, goal=bound.statement.args[0])
    return given.follows(bound, lengths)


_COORDINATES = st.one_of(st.integers(-3, 3), st.fractions(-3, 3, max_denominator=20))
_PAIRS = st.tuples(*[_COORDINATES] * 4)


def _at(factors: tuple[Any, ...]) -> dict[Symbol, Any]:
    """Two pairs of factors, with their norms and their distance."""
    a, b, a_other, b_other = map(sp.sympify, factors)
    return {
        **dict(zip(_FACTORS, (a, b, a_other, b_other), strict=True)),
        distance_xy: sqrt((a - a_other) ** 2 + (b - b_other) ** 2),
        norm_xy: sqrt(a**2 + b**2),
        norm_xy_other: sqrt(a_other**2 + b_other**2),
    }


@HALF_SUM.tested(over=_PAIRS)
def pairs_of_factors(factors: tuple[Any, ...]) -> dict[Symbol, Any]:
    """Rational factors, zero and equal ones included."""
    return _at(factors)


def _bound(constant: Any, exponent: Any = growth) -> Any:
    """The bound of the definition, with this constant and this exponent."""
    sizes = 1 + norm_xy**exponent + norm_xy_other**exponent
    return le(_CHANGE, constant * distance_xy * sizes)


FROM_ONE = half_line(1)

PRODUCT = claim(
    "attn.lemC4",
    at="Lemma C.4",
    title="The product of two numbers is pseudo-Lipschitz of every order from two on",
    states=_bound(2),
    given={growth: FROM_ONE},
    rests_on=HALF_SUM,
    note=_NOTE,
)

_SIZE, _ABOVE_ZERO = sp.Interval(0, sp.oo), sp.Interval.open(0, sp.oo)


def _tangents(place: Any, over: Any) -> list[Theorem]:
    """The powers of the two norms lie above their tangents at this place."""
    return [powers.above_tangent(r, place, growth, over=over) for r in _SIZES[1:]]


@PRODUCT.proved()
def norms_below_powers(given: Given) -> Theorem:
    """|z| is at most 1 + |z|^γ, by the tangent at 1."""
    small = [
        given.follows(one, goal=le(r, 1 + r**growth))
        for one, r in zip(_tangents(1, given.domain), _SIZES[1:], strict=True)
    ]
    return given.follows(given.fact(HALF_SUM), *small)


_BEST_PLACE = (2 * (growth - 1)) ** (-1 / growth)
_BEST = (growth - 1) / growth * _BEST_PLACE

SHARP = PRODUCT.sharpened(
    "attn.lemC4.sharp",
    title="The best constants with which the product of two numbers is pseudo-Lipschitz",
    states={
        "order two": implies(eq(growth, 1), _bound(Rational(1, 2), 1)),
        "higher orders": implies(gt(growth, 1), _bound(_BEST)),
    },
    given={growth: FROM_ONE},
    rests_on=HALF_SUM,
    note=_NOTE,
)


def _best_place(exponent: Symbol = growth) -> Theorem:
    """The place q of the best tangent, q^γ = 1/(2(γ - 1))."""
    above = {exponent: sp.Interval.open(1, sp.oo)}
    place = _BEST_PLACE.xreplace({growth: exponent})
    return powers.of_inverse_root(place, 2 * (exponent - 1), exponent, over=above)


@SHARP.proved("order two")
def half_of_the_norms(given: Given) -> Theorem:
    """Half of the sum of the norms is at most half of 1 and that sum."""
    return given.follows(given.fact(HALF_SUM))


@SHARP.proved("higher orders")
def tangent_at_the_best_place(given: Given) -> Theorem:
    """At q the two tangents add up to γ(|z| + |z'|)/(2(γ - 1)q) - 1."""
    place = sp.Symbol("q", positive=True)
    above = sp.Interval.open(1, sp.oo)
    over = {place: _ABOVE_ZERO, growth: above, **dict.fromkeys(_SIZES, _SIZE)}
    sizes = 1 + norm_xy**growth + norm_xy_other**growth
    mean = (norm_xy + norm_xy_other) / 2
    at_best = eq(2 * (growth - 1) * place**growth, 1)
    lines = rules.follows(
        le(growth * mean, (growth - 1) * place * sizes), _tangents(place, over), over=over, under=[at_best]
    )
    here = lines.at({place: _BEST_PLACE})
    return given.follows(given.fact(HALF_SUM), here, _best_place())


_ANY = {growth: growth_any}
_ANY_PLACE = _BEST_PLACE.xreplace(_ANY)

PSEUDO_LIPSCHITZ_PRODUCT = Hypothesis(
    "pseudo_lipschitz_product",
    "the product of two numbers is pseudo-Lipschitz of the order $growth_any + 1 with the constant $C_any",
    latex=r"|xy - x'y'| \le $C_any\,\|z - z'\| (1 + \|z\|^{$growth_any} + \|z'\|^{$growth_any})"
    r"\text{ for all } z = (x, y),\ z' = (x', y')",
)

LEAST = claim(
    "attn.lemC4.least",
    at="Lemma C.4",
    title="No order below two is possible for the product of two numbers, and no smaller constant",
    states={
        "order": ge(growth_any, 1),
        "order two": implies(eq(growth_any, 1), ge(C_any, Rational(1, 2))),
        "higher orders": implies(gt(growth_any, 1), ge(C_any, _BEST.xreplace(_ANY))),
    },
    assuming=[PSEUDO_LIPSCHITZ_PRODUCT],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)

_far, _near = sp.symbols("u v", nonnegative=True)


def _on_the_diagonal(given: Given) -> Theorem:
    """At z and z' on the diagonal, of the norms u > v: (u + v)/2 is at most C (1 + u^γ + v^γ)."""
    lengths = both(
        eq(distance_xy**2, (x - x_other) ** 2 + (y - y_other) ** 2),
        eq(norm_xy**2, x**2 + y**2),
        eq(norm_xy_other**2, x_other**2 + y_other**2),
    )
    supposed = given.supposed(PSEUDO_LIPSCHITZ_PRODUCT, implies(lengths, _bound(C_any, growth_any)))
    values = {x: _far / sqrt(2), y: _far / sqrt(2)}
    values |= {x_other: _near / sqrt(2), y_other: _near / sqrt(2)}
    values |= {norm_xy: _far, norm_xy_other: _near, distance_xy: Abs(_far - _near)}
    here = given.substituted(supposed, values)
    sizes = 1 + _far**growth_any + _near**growth_any
    return rules.follows(implies(lt(_near, _far), le((_far + _near) / 2, C_any * sizes)), [here])


@LEAST.proved("order")
def far_from_the_origin(given: Given) -> Theorem:
    """If γ < 1, then u^γ (4C + 1) = u for u = (4C + 1)^(1/(1 - γ)), and 2C(1 + u^γ) < u."""
    root, ratio = sp.Symbol("root", positive=True), sp.Symbol("ratio", positive=True)
    exponent = sp.Symbol("exponent", positive=True)
    over = {ratio: sp.Interval(1, sp.oo), exponent: sp.Interval.open(0, 1)}
    over[root] = _ABOVE_ZERO
    at_root = [
        powers.increase(1, ratio, 1 / (1 - exponent), over=over),
        powers.of_root(root, ratio, 1 - exponent, over=over),
        powers.exponents(root, 1 - exponent, exponent, over=over),
        powers.increase(1, root, exponent, over=over),
    ]
    laws = rules.follows(
        implies(
            eq(root, ratio ** (1 / (1 - exponent))),
            both(eq(ratio * root**exponent, root), ge(root**exponent, 1)),
        ),
        at_root,
    )
    below = {C_any: _SIZE, growth_any: sp.Interval.open(0, 1)}
    place = (4 * C_any + 1) ** (1 / (1 - growth_any))
    there = {root: place, ratio: 4 * C_any + 1, exponent: growth_any}
    known = laws.at(there, over=below)
    bound = _on_the_diagonal(given).at({_far: place, _near: 0}, over=below)
    return given.follows(known, bound)


@LEAST.proved("order two")
def compared_with_zero(given: Given) -> Theorem:
    """u/2 is at most C(1 + u) for every u."""
    below = [lt(C_any, Rational(1, 2)), eq(growth_any, 1)]
    place = (C_any + 1) / (Rational(1, 2) - C_any)
    bound = _on_the_diagonal(given).at({_far: place, _near: 0}, under=below)
    power = powers.first(place, growth_any, under=below)
    return given.follows(bound, power)


@LEAST.proved("higher orders")
def near_the_best_place(given: Given) -> Theorem:
    """At the norms q and v = Cγ/(γ - 1) < q: (q + v)/2 is at most C(1 + 2q^γ) = v."""
    above = {C_any: _SIZE, growth_any: sp.Interval.open(1, sp.oo)}
    at = {_far: _ANY_PLACE, _near: C_any * growth_any / (growth_any - 1)}
    bound = _on_the_diagonal(given).at(at, over=above)
    grown = powers.increase(at[_near], at[_far], growth_any, over=above)
    return given.follows(bound, grown, _best_place(growth_any))
