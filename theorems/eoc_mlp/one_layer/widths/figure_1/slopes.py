"""Figure 1: the factor by which later layers multiply an error, for φ(s) = |s|, where Δ = 1.

All is shown in s = 1/w, the sine of half of the angle, with y = ζ(s²) and p = ζ'(s²).
"""

from functools import cache
from typing import Any

import sympy as sp
from sympy import Expr, Interval, Rational, Symbol, asin, collect, expand, pi, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Provenance, eq, ge, gt, half_line, le, lt, rules
from theorems.engine.rules import Theorem
from theorems.engine.rules.certificates import covered
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ABSOLUTE_VALUE
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import omega, omega_prime, omega_second, w, zeta
from theorems.eoc_mlp.letters.figure import slope_product
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.premises.substitutions import as_it_stands, as_stated, half_sine

_LAYERS = "proofs_notes/eoc_figures.md#from-layer-to-layer"
_DEEP = {w: half_line(Rational(7, 3))}

_FIXED = {"hypothesis absolute_value": "true as well: the statement is about Δ = 1 by its formula"}

_Y, _P, _COSINE = sp.symbols("y p c", positive=True)
_F = Symbol("f", real=True)
_ABOVE_ZERO = half_line(0, closed=False)
_SINES = {half_sine: Interval.Lopen(0, Rational(3, 7))}
#: What the letters are in s; f is the numerator of ω'' = s³f/(2π²cy^(5/2)).
_ROOT = sqrt(1 - half_sine**2)
_ZETA = unfolded(zeta(w**-2, 1)).subs(w, 1 / half_sine)
_DOUBLE_SINE = 2 * half_sine * _ROOT
_NUMERATOR = 8 * pi * _ZETA * half_sine**2 - 3 * _DOUBLE_SINE * (2 * asin(half_sine) - _DOUBLE_SINE) * (
    pi - 4 * asin(half_sine)
)
_IN_SINE = {_Y: _ZETA, _P: 1 - 4 * asin(half_sine) / pi, _COSINE: _ROOT, _F: _NUMERATOR}


@cache
def _positive(gap: Expr, order: int, factor: Any = 1) -> Theorem:
    """That y, p, s make this positive; a cover of the factor times it, which vanishes to the order.

    The product is collected by powers of the arcsine, so that the balls are thin.
    """
    whole, factor = gap.xreplace(_IN_SINE), sp.sympify(factor)
    collected = collect(expand(whole * factor), asin(half_sine))
    orders = {half_sine: (order, 0)} if order else None
    known = [
        covered(gt(collected, 0), over=_SINES, zero_orders=orders),
        rules.decided(eq(whole * factor, collected), over=_SINES),
    ]
    if factor != 1:
        known.append(rules.enclosed(gt(factor, 0)))
    x, times, product = sp.symbols("x times product", real=True)
    under = [gt(product, 0), gt(times, 0), eq(x * times, product)]
    lemma = rules.follows(gt(x, 0), under=under)
    at = {x: whole, times: factor, product: collected}
    met = [one.xreplace(at) for one in under]
    there = lemma.at(at, over=_SINES, under=[one for one in met if one != sp.true])
    return rules.follows(gt(whole, 0), [there, *known])


def _in_sines(theorem: Theorem, *conditions: Theorem) -> Theorem:
    """A theorem in the letters, for what they are in s; the conditions say where it holds."""
    used = {x: value for x, value in _IN_SINE.items() if x in theorem.over}
    met = [one.xreplace(_IN_SINE) for one in theorem.conditions]
    alive = [one.statement for one in conditions]
    there = theorem.at(used, over=_SINES, under=[*met, *alive])
    return rules.follows(there.statement, [there, *conditions])


def _at_a_distance(given: Given, theorem: Theorem, goal: Boolean) -> Theorem:
    """The same at s = 1/w, which is what the goal says."""
    return given.follows(theorem.at({half_sine: 1 / w}, over=_DEEP), goal=goal)


LAYER_SLOPE = claim(
    "eoc.fig1.contraction.layer",
    at="Figure 1",
    title="Lower bound of the slope of ω, by which one more layer multiplies an error",
    states=ge(omega_prime(w, 1) * w * (omega(w, 1) - 1), (w - 1) * omega(w, 1)),
    given=_DEEP,
    assuming=[ABSOLUTE_VALUE],
    rests_on=["eoc.omega.prime", "eoc.zeta.sandwich", "eoc.omega"],
    provenance=Provenance.DERIVED,
    note=_LAYERS,
    excused=_FIXED,
)


@LAYER_SLOPE.certified()
def slope_in_balls(given: Given) -> Theorem:
    """ps³(1 - q) ≥ q³(1 - s) for q = √y = 1/ω, squared: (ps³)² > y(y(1 - s) + ps³)²."""
    cube = _P * half_sine**3
    gap = cube**2 - _Y * (_Y * (1 - half_sine) + cube) ** 2
    stated = as_it_stands(LAYER_SLOPE)
    values = {omega_prime(w, 1): cube / _Y ** Rational(3, 2), omega(w, 1): 1 / sqrt(_Y)}
    in_letters = stated.func(*(one.subs(values).subs(w, 1 / half_sine) for one in stated.args))
    under = [lt(_Y, 1), lt(half_sine, 1), gt(gap, 0)]
    numbers = rules.follows(in_letters, under=under)
    covers = [_positive(gap, 8, pi**3), _positive(1 - _Y, 0), _positive(_Y, 2), _positive(_P, 0)]
    return _at_a_distance(given, _in_sines(numbers, *covers), as_stated(LAYER_SLOPE))


CONTRACTION = claim(
    "eoc.fig1.contraction",
    at="Figure 1",
    title="The product of all slopes of ω along an orbit is bounded below, so that errors survive",
    states=ge(slope_product, 1 - 1 / w),
    given=_DEEP,
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
    here, there = _ORBIT(_K), _ORBIT(_K + 1)
    orbit = given.meaning("an orbit of omega", eq(there, omega(here, 1)), eq(_ORBIT(0), w))
    deep = [ge(here, _DEEP[w].inf)]
    values = given.fact("eoc.omega", "values")
    grows = values.at({w: here, DELTA: 1}, under=deep)
    below = rules.induction(deep[0], _K, 0, base=[_at(orbit, 0)], step=[orbit, grows], over=given.domain)
    product = given.meaning(
        "a product gains a factor", eq(_SLOPES(0), 1), eq(_SLOPES(_K + 1), _SLOPES(_K) * omega_prime(here, 1))
    )
    layer = given.fact(LAYER_SLOPE).at({w: here}, under=deep)
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
    named = given.meaning("product of the slopes", eq(slope_product, _SLOPES(last)))
    return given.follows(named, _at(every, last), _at(below, last))


def _at(theorem: Theorem, layer: Any) -> Theorem:
    """A theorem about all layers, at this one."""
    return theorem.at({_K: layer})


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
    excused={**dict.fromkeys(("5/2", "factor of 5/(2*w**3)"), _LOOSE), **_FIXED},
)


def _second_derivative() -> Theorem:
    """The closed form of ω'' in s is s³f/(2π²cy^(5/2)): with r = y^(-1/2), by yr² = 1."""
    closed_form = unfolded(omega_second(w, 1)).subs(w, 1 / half_sine)
    r, y, whole = sp.symbols("r y whole", real=True)
    orders = [_order(term) for term in closed_form.args]
    parts = sp.symbols(f"part:{len(orders)}", real=True)
    at = {r: 1 / sqrt(_ZETA), y: _ZETA, whole: _value(_F).xreplace(_IN_SINE) * _ZETA**_FIVE_HALVES}
    at |= {x: term * _ZETA ** Rational(order, 2)
           for x, term, order in zip(parts, closed_form.args, orders, strict=True)}  # fmt: skip
    sum_of = sum(x * y ** ((5 - order) // 2) for x, order in zip(parts, orders, strict=True))
    under = [eq(sum_of, whole), eq(y * r**2, 1)]
    dict.fromkeys((r, y, whole, *parts), sp.Reals)
    goal = eq(sum(x * r**order for x, order in zip(parts, orders, strict=True)), whole * r**5)
    identity = rules.follows(goal, under=under)
    alive = gt(_ZETA, 0)
    found = (one.xreplace(at) for one in under)
    met = [rules.decided(one, over=_SINES, under=[alive]) for one in found if one is not sp.true]
    there = identity.at(at, over=_SINES, under=[alive, *(x.statement for x in met)])
    return rules.follows(there.statement, [there, *met], under=[alive])


_FIVE_HALVES = Rational(5, 2)


def _order(term: Expr) -> int:
    """The n of the factor y^(-n/2) of a term."""
    return next(int(-2 * one.exp) for one in term.atoms(sp.Pow) if one.base == _ZETA)


def _value(numerator: Expr) -> Expr:
    return half_sine**3 * numerator / (2 * pi**2 * _COSINE * _Y**_FIVE_HALVES)


def _bounded(given: Given, bounds: list[Boolean], *covers: Theorem) -> Theorem:
    """The part, as bounds of the numerator f bound s³f/(2π²cy^(5/2)), which is ω''."""
    stated = as_it_stands(CONVEX, given.part)
    bound = stated.rhs.subs(w, 1 / half_sine)
    over = {**_SINES, _Y: _ABOVE_ZERO, _COSINE: _ABOVE_ZERO, _F: sp.Reals}
    under = [eq(_COSINE**2, 1 - half_sine**2), *bounds]
    three = rules.enclosed(gt(pi, 3))
    numbers = rules.follows(stated.func(_value(_F), bound), [three], over=over, under=under)
    conditions = [
        rules.decided(eq(_ROOT**2, 1 - half_sine**2), over=_SINES),
        rules.follows(gt(_ROOT, 0), over=_SINES),
        _positive(_Y, 2),
        *covers,
    ]
    about, second = _in_sines(numbers, *conditions), _second_derivative()
    x, y, z = sp.symbols("x y z", real=True)
    under = [eq(x, y), stated.func(y, z)]
    dict.fromkeys((x, y, z), sp.Reals)
    joined = rules.follows(stated.func(x, z), under=under)
    at = {x: second.statement.lhs, y: second.statement.rhs, z: bound}
    met = [second.statement, about.statement, *second.under]
    there = joined.at(at, over=_SINES, under=met)
    goal = there.statement
    whole = rules.follows(goal, [there, second, about, *conditions])
    return _at_a_distance(given, whole, as_stated(CONVEX, given.part))


@CONVEX.certified("convex")
def positive_numerator(given: Given) -> Theorem:
    """The numerator is positive, and all other factors are."""
    return _bounded(given, [gt(_F, 0)], _positive(_F, 5))


@CONVEX.certified("nearly straight")
def small_numerator(given: Given) -> Theorem:
    """f < 20 s³y and 8y > 5s², and cos θ = √(1 - s²) ≥ √(40/49)."""
    gaps = {20 * half_sine**3 * _Y - _F: 5, 8 * _Y - 5 * half_sine**2: 2}
    covers = [_positive(gap, order) for gap, order in gaps.items()]
    return _bounded(given, [gt(gap, 0) for gap in gaps], *covers)
