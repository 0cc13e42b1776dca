"""Remark 13 and Figure 1: bounds of what one layer adds, and of what the next ones leave of it.

The figure's network is φ(s) = |s|, where Δ = 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp
from sympy import (
    Expr,
    Interval,
    Rational,
    Symbol,
    asin,
    collect,
    cos,
    expand,
    pi,
    sin,
    sqrt,
)
from sympy.core.relational import Relational

from symbolic.equality import equal
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    both,
    claims_in,
    eq,
    ge,
    gt,
    half_line,
    le,
    lt,
    rules,
)
from theorems.engine.rules import Theorem
from theorems.engine.rules.certificates import covered
from theorems.engine.values import compare, unfolded
from theorems.eoc_mlp.hypotheses import ABSOLUTE_VALUE, BY_DEFINITION
from theorems.eoc_mlp.layer_moments import ACTIVATIONS, MOMENTS
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import omega, omega_prime, omega_second, t, w, zeta
from theorems.eoc_mlp.letters.figure import scaled_bias, scaled_noise, slope_product
from theorems.eoc_mlp.letters.table import LETTERS
from theorems.eoc_mlp.substitutions import as_stated, half_sine

claim = claims_in(LETTERS)
_ONE_LAYER = "proofs_notes/eoc_figures.md#one-layer"
_LAYERS = "proofs_notes/eoc_figures.md#from-layer-to-layer"
_ACUTE, _DEEP = {w: half_line(sqrt(2))}, {w: half_line(Rational(7, 3))}
_SQUARE = zeta(w**-2, 1) ** 2

NOISE = claim(
    "eoc.fig1.noise",
    at="Figure 1",
    title="The noise of a layer lies between 1/3 and 1",
    states={
        "above 1/3": lt(_SQUARE / 3, scaled_noise(w, 1)),
        "below 1": lt(scaled_noise(w, 1), _SQUARE),
    },
    given=_ACUTE,
    assuming=[ABSOLUTE_VALUE],
    rests_on=[MOMENTS, ACTIVATIONS, "eoc.zeta.closed_form"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_ONE_LAYER,
)
BIAS = claim(
    "eoc.fig1.bias",
    at="Figure 1",
    title="The bias of a layer lies between 9/10 and 11/10",
    states={
        "above 9/10": lt(Rational(9, 10) * _SQUARE, scaled_bias(w, 1)),
        "below 11/10": lt(scaled_bias(w, 1), Rational(11, 10) * _SQUARE),
    },
    given=_ACUTE,
    assuming=[ABSOLUTE_VALUE],
    rests_on=[MOMENTS, ACTIVATIONS, "eoc.zeta.closed_form"],
    discharging=BY_DEFINITION,
    provenance=Provenance.DERIVED,
    note=_ONE_LAYER,
)
#: The orders in 1/w to which both sides agree: R tends to 1, and both sides are w⁻⁴.
_ORDERS = {"below 1": 5}


@NOISE.certified("above 1/3", "below 1")
def noise_in_balls(given: Given) -> Theorem:
    """R is 1 at w = ∞ and 0.358… at w = √2."""
    return _in_balls(given, as_stated(NOISE, given.part))


@BIAS.certified("above 9/10", "below 11/10")
def bias_in_balls(given: Given) -> Theorem:
    """B lies between 0.975… (w = √2) and 1.061…."""
    return _in_balls(given, as_stated(BIAS, given.part))


def _in_balls(given: Given, stated: Relational) -> Theorem:
    """A cover in s = 1/w, with the difference of the sides collected by powers of the angle."""
    smaller, larger = (side.subs(w, 1 / half_sine) for side in (stated.lts, stated.gts))
    double = {
        sin(2 * asin(half_sine)): 2 * half_sine * sqrt(1 - half_sine**2),
        cos(2 * asin(half_sine)): 1 - 2 * half_sine**2,
    }
    gap = (larger - smaller).subs(double)
    collected = collect(expand(gap * pi**2), asin(half_sine)) / pi**2
    order = _ORDERS.get(given.part, 4)
    acute = {half_sine: Interval.Lopen(0, sqrt(2) / 2)}
    cover = covered(lt(larger - collected, larger), over=acute, zero_orders={half_sine: (order, 0)})
    return rules.instance(cover, {half_sine: 1 / w}, over=given.domain)


# From here on in y = ζ(w⁻²), p = ζ'(w⁻²), s = 1/w and half of the angle, θ = arcsin s.
_Y, _P, _S = sp.symbols("y p s", positive=True)
_NUMBERS = {x: half_line(0, closed=False) for x in (_Y, _P, _S)}
_HALF = {t: Interval.Lopen(0, Rational(4, 9))}
_SINE = sin(t)
_ZETA = _SINE**2 - 2 / pi * (_SINE * cos(t) - t * (1 - 2 * _SINE**2))
_IN_ANGLE = {_Y: _ZETA, _P: 1 - 4 * t / pi, _S: _SINE}
_FOUR_NINTHS = "4/9 is above the largest of these half angles, arcsin 3/7"


def _covered(gap: Expr, order: int, factor: Any = 1) -> Theorem:
    """That y, p, s in the angle make this positive; it vanishes at 0 to the order."""
    inserted = collect(expand(gap.xreplace(_IN_ANGLE) * factor), t)
    return covered(gt(inserted, 0), over=_HALF, zero_orders={t: (order, 0)} if order else None)


def _closed_forms() -> Obligations:
    """ζ, ζ' and ω at Δ = 1 are what stands here for them, and the angles are all covered."""
    positive = {w: sp.Interval.open(1, sp.oo)}
    half = {t: asin(1 / w)}
    yield "ζ", equal(_ZETA.subs(half), unfolded(zeta(w**-2, 1)), positive)
    root, alive = _ZETA.subs(half) ** Rational(-1, 2), [unfolded(zeta(w**-2, 1)) > 0]
    yield "ω", equal(root, unfolded(omega(w, 1)), positive, under=alive)
    yield _FOUR_NINTHS, bool(sin(Rational(4, 9)) > Rational(3, 7))


LAYER_SLOPE = claim(
    "eoc.fig1.contraction.layer",
    at="Figure 1",
    title="How much of an error one more layer leaves",
    states=ge(omega_prime(w, 1) * w * (omega(w, 1) - 1), (w - 1) * omega(w, 1)),
    given=_DEEP,
    assuming=[ABSOLUTE_VALUE],
    rests_on=["eoc.omega.prime", "eoc.zeta.sandwich", "eoc.omega"],
    provenance=Provenance.DERIVED,
    note=_LAYERS,
)


@LAYER_SLOPE.argued(
    bridge="The inequality between numbers holds for y = ζ(w⁻²), p = ζ'(w⁻²) and s = 1/w, for which"
    " the covers are its hypotheses.",
    over=_DEEP,
)
def slope_in_balls(given: Given) -> Iterator[Any]:
    """ps³(1 - q) ≥ q³(1 - s) for q = √y = 1/ω, squared: (ps³)² ≥ y(y(1 - s) + ps³)².

    Both sides meet at infinity, so that the statement is also evaluated far out.
    """
    far = compare(given.goal, {w: 10**4}).answer
    yield "at a large distance", far
    if far is False:
        return
    yield from _closed_forms()
    cube = _P * _S**3
    gap = cube**2 - _Y * (_Y * (1 - _S) + cube) ** 2
    slope = {omega_prime(w, 1): cube / _Y ** Rational(3, 2), omega(w, 1): 1 / sqrt(_Y)}
    numbers = given.goal.func(*(side.subs(slope).subs(w, 1 / _S) for side in given.goal.args))
    small = [lt(_Y, 1), lt(_S, 1), gt(gap, 0)]
    yield rules.follows(numbers, over=_NUMBERS, under=small)
    yield _covered(gap, 8, pi**3)
    yield _covered(1 - _Y, 0)
    yield _covered(_Y, 2)
    yield _covered(_P, 0)


CONTRACTION = claim(
    "eoc.fig1.contraction",
    at="Figure 1",
    title="Errors survive: the product of all slopes of ω along an orbit is bounded below",
    states=ge(slope_product, 1 - 1 / w),
    given={slope_product: None, **_DEEP},
    assuming=[ABSOLUTE_VALUE],
    rests_on=[LAYER_SLOPE, "eoc.omega"],
    provenance=Provenance.DERIVED,
    note=_LAYERS,
)
_ORBIT, _SLOPES = sp.Function("orbit", real=True), sp.Function("slopes", real=True)
_K = Symbol("k", integer=True, nonnegative=True)


@CONTRACTION.proved()
def telescoping(given: Given) -> Theorem:
    """The product of slopes is at least the first numerator over the last denominator."""
    layers = {_K: sp.Range(sp.oo)}
    here, there = _ORBIT(_K), _ORBIT(_K + 1)
    orbit = given.meaning(
        "an orbit of omega", eq(there, omega(here, 1)), eq(_ORBIT(0), w), over=layers
    )
    deep = [ge(here, _DEEP[w].inf)]
    values = given.fact("eoc.omega", "values")
    grows = rules.instance(values, {w: here, DELTA: 1}, over=layers, under=deep)
    below = rules.induction(
        deep[0], _K, 0, base=[_at(orbit, 0)], step=[orbit, grows], over=given.domain
    )
    product = rules.meaning(
        "a product gains a factor",
        both(eq(_SLOPES(0), 1), eq(_SLOPES(_K + 1), _SLOPES(_K) * omega_prime(here, 1))),
        over=layers,
    )
    layer = rules.instance(given.fact(LAYER_SLOPE), {w: here}, over=layers, under=deep)
    bound = ge(_SLOPES(_K), (1 - 1 / w) / (1 - 1 / here))
    every = rules.induction(
        bound,
        _K,
        0,
        base=[_at(orbit, 0), _at(product, 0)],
        step=[orbit, below, _at(below, _K + 1), product, layer],
        over=given.domain,
    )
    last = Symbol("last", integer=True, nonnegative=True)
    named = rules.meaning(
        "product of the slopes",
        eq(slope_product, _SLOPES(last)),
        over={slope_product: given.domain[slope_product], last: sp.Range(sp.oo)},
    )
    return given.follows(named, _at(every, last), _at(below, last))


def _at(theorem: Theorem, layer: Any) -> Theorem:
    """A theorem about all layers, at this one."""
    letters = {x: sp.Range(sp.oo) for x in sp.sympify(layer).free_symbols}
    return rules.instance(theorem, {_K: layer}, over=letters)


_LOOSE = "a smaller constant is true as well: w³ω'' is 2.2099 at w = 7/3, its largest value found"

CONVEX = claim(
    "eoc.fig1.convex",
    at="Figure 1",
    title="ω is convex, and nearly straight",
    states={
        "convex": ge(omega_second(w, 1), 0),
        "nearly straight": le(omega_second(w, 1), Rational(5, 2) * w**-3),
    },
    given=_DEEP,
    assuming=[ABSOLUTE_VALUE],
    rests_on=["eoc.omega.prime"],
    provenance=Provenance.DERIVED,
    note=_LAYERS,
    excused=dict.fromkeys(("5/2", "factor of 5/(2*w**3)"), _LOOSE),
)
#: The numerator of ω'' = s³ f/(2π² cos θ y^(5/2)).
_F = 8 * pi * _Y * _S**2 - 3 * sin(2 * t) * (2 * t - sin(2 * t)) * (pi - 4 * t)
_CHAIN = (
    "The chain rule in w = 1/sin θ gives the second derivative from the slope; the covers bound it."
)


@CONVEX.argued("convex", bridge=_CHAIN, over=_DEEP)
def positive_numerator(given: Given) -> Iterator[Any]:
    """The numerator is positive, and all other factors are."""
    yield from _second_derivative(given)
    yield _covered(_F, 5)
    yield from _with_numerator(given, [], ge)


@CONVEX.argued("nearly straight", bridge=_CHAIN, over=_DEEP)
def small_numerator(given: Given) -> Iterator[Any]:
    """f < 20 s³y and 8y > 5s², and cos θ = √(1 - s²) ≥ √(40/49)."""
    yield from _second_derivative(given)
    yield _covered(20 * _S**3 * _Y - _F, 5)
    yield _covered(8 * _Y - 5 * _S**2, 2)
    f, root = _NUMERATOR
    yield from _with_numerator(given, [le(f, 20 * _S**3 * root**2), ge(8 * root**2, 5 * _S**2)], le)


_NUMERATOR = sp.symbols("f q", positive=True)  # q = √y


def _with_numerator(given: Given, known: list[Any], relation: Any) -> Iterator[Theorem]:
    """The bound of ω'' from bounds of its numerator f, where cos θ = √(1 - s²) ≥ √(40/49)."""
    f, root = _NUMERATOR
    numbers = {x: half_line(0, closed=False) for x in (f, root, _S)}
    value = _S**3 * f / (2 * pi**2 * sqrt(1 - _S**2) * root**5)
    bound = relation(value, given.goal.rhs.subs(w, 1 / _S))
    under = [*known, le(_S, Rational(3, 7))]
    yield rules.follows(bound, [rules.enclosed(gt(pi, 3))], over=numbers, under=under)


def _second_derivative(given: Given) -> Obligations:
    """The formula of ω'' from ω' = p s³/y^(3/2), where dθ/dw = -s²/cos θ."""
    yield from _closed_forms()
    yield "the statement is about ω''", given.goal.lhs == omega_second(w, 1)
    zeta_, slope = _ZETA, _IN_ANGLE[_P] * _SINE**3 * _ZETA ** Rational(-3, 2)
    half = {t: Interval.open(0, pi / 2)}
    positive = [zeta_ > 0]
    changed = -(_SINE**2) / cos(t)
    yield "dw/dθ", equal(sp.diff(1 / _SINE, t) * changed, sp.S.One, half)
    relative = sp.diff(slope, t) / slope
    claimed = -_F.xreplace(_IN_ANGLE) / (2 * pi * zeta_ * _SINE**2 * (pi - 4 * t))
    quarter = {t: Interval.open(0, pi / 4)}
    yield "dω'/dθ over ω'", equal(relative, claimed, quarter, under=positive)
