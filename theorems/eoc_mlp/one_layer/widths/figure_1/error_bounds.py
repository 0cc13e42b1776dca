"""Figure 1: bounds of the errors in every layer, by induction over the layers."""

from math import sqrt
from typing import Any

import numpy as np
import sympy as sp
from hypothesis import strategies as st
from sympy import Rational

from numeric.inverse_distance_errors import error_moments
from theorems.engine import (
    Given,
    Provenance,
    Rounded,
    both,
    eq,
    ge,
    gt,
    half_line,
    implies,
    interval,
    le,
    lt,
    rules,
)
from theorems.engine.rules import Theorem
from theorems.engine.rules.certificates import covered
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import ABSOLUTE_VALUE, TYPICAL_EVENT
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import (
    omega,
    omega_iterate,
    omega_prime,
    omega_second,
    w,
    w_1_input,
    w_tilde,
    zeta,
)
from theorems.eoc_mlp.letters.figure import (
    V_k,
    beta_k,
    bias,
    noise,
    scaled_bias,
    scaled_noise,
    sum_beta,
    sum_beta_bent,
    sum_v,
)
from theorems.eoc_mlp.letters.network import k
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.one_layer.widths.figure_1.first_order_law import ACUTE, INCREMENT, LAW
from theorems.eoc_mlp.one_layer.widths.figure_1.noise_bounds import BIAS, NOISE
from theorems.eoc_mlp.one_layer.widths.figure_1.slopes import CONVEX, LAYER_SLOPE
from theorems.eoc_mlp.premises.recursions import iterates, limit_of_layer
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_DEEP = Rational(7, 3)

BOUNDS = claim(
    "eoc.fig1.bounds",
    at="Figure 1",
    title="The errors are as large as the noises of the layers together",
    states={
        "variance from below": le(sum_v / 10, V_k),
        "variance from above": le(V_k, sum_v),
        "mean from below": le(sum_beta / 2, beta_k),
        "mean from above": le(beta_k, Rational(11, 10) * sum_beta + Rational(5, 4) * sum_beta_bent),
        "limit from below": le(INCREMENT * (k - 1), w_tilde - w_1_input),
        "limit from above": le(w_tilde - w_1_input, k - 1),
    },
    given=ACUTE,
    assuming=[ABSOLUTE_VALUE, TYPICAL_EVENT],
    rests_on=[
        *(LAW, NOISE, BIAS, LAYER_SLOPE, CONVEX),
        *("eoc.omega", "eoc.omega.acute", "eoc.omega.increment", "eoc.omega.remainder"),
    ],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_figures.md#from-layer-to-layer",
)

# Values in the layers 1, 2, …, by n = k - 1: w̃, V, β, the three sums, and 1/γ.
_V, _beta, _sv, _sb, _sc = (sp.Function(name, real=True) for name in ("V", "beta", "Sv", "Sb", "Sc"))
_share = sp.Function("g", nonnegative=True)
_n = sp.Symbol("n", integer=True, nonnegative=True)
_LAYERS = {_n: sp.Range(sp.oo)}
_HERE, _THERE = (omega_iterate(one, w_1_input, 1) for one in (_n, _n + 1))
_SLOPE, _BENT = omega_prime(_HERE, 1), omega_second(_HERE, 1)
_R, _B = noise(_HERE, 1), bias(_HERE, 1)
_ACUTE_HERE = ge(_HERE, sp.sqrt(2))


def _recursions(given: Given) -> list[Theorem]:
    """The recursions of eoc.fig1.law, and sums that gain a term in every layer."""
    start = [eq(one(0), 0) for one in (_V, _beta, _sv, _sb, _sc)]
    steps = [
        eq(_V(_n + 1), _SLOPE**2 * _V(_n) + _R * _THERE**2 * _share(_n)),
        eq(_beta(_n + 1), _SLOPE * _beta(_n) + _BENT * _V(_n) / 2 + _B * _THERE * _share(_n)),
        eq(_sv(_n + 1), _sv(_n) + _THERE**2 * _share(_n)),
        eq(_sb(_n + 1), _sb(_n) + _THERE * _share(_n)),
        eq(_sc(_n + 1), _sc(_n) + _V(_n) * _HERE**-3),
    ]
    says = "recursions of eoc.fig1.law and sums, layer by layer"
    limit = iterates(given, _n, w_1_input, sp.S.One)
    over = {w_1_input: given.domain[w_1_input], **_LAYERS}
    begun, (first, after) = given.meaning("start of sums", *start), limit.statement.args
    gained = given.meaning(says, *steps, under=[_ACUTE_HERE])
    return [
        rules.follows(both(first, *start), [limit, begun], over=over),
        rules.follows(both(after, *steps), [limit, gained], over=over, under=[_ACUTE_HERE]),
    ]


def _limits(given: Given) -> list[Theorem]:
    """w̃ is at least √2 in all layers, and grows by 4/(3π) at least and by 1 at most."""
    start, steps = _recursions(given)
    grows = _at_layer(given.fact("eoc.omega.increment"), {DELTA: 1})
    remainder = _at_layer(given.fact("eoc.omega.remainder"), {DELTA: 1})
    over = {w_1_input: given.domain[w_1_input]}
    acute = rules.induction(_ACUTE_HERE, _n, 0, base=[start], step=[steps, grows], over=over)
    step = both(le(INCREMENT, _THERE - _HERE), le(_THERE - _HERE, 1))
    pi_bound = rules.enclosed(gt(sp.pi, 3))
    each = rules.follows(step, [acute, steps, grows, remainder, pi_bound], over={**_LAYERS, **over})
    return [start, steps, acute, each]


def _at_layer(theorem: Theorem, more: Any = ()) -> Theorem:
    """A theorem about w at w̃ of a layer, wherever that is at least √2."""
    under = [_ACUTE_HERE]
    return theorem.at({w: _HERE, **dict(more)}, under=under)


@BOUNDS.certified("limit from below", "limit from above")
def one_step_after_the_other(given: Given) -> Theorem:
    """Each layer adds between 4/(3π) and 4/(3π) + 3/(4√2) < 1."""
    start, _, _, each = _limits(given)
    below = given.part == "limit from below"
    bound = le(INCREMENT * _n, _HERE - w_1_input) if below else le(_HERE - w_1_input, _n)
    every = rules.induction(bound, _n, 0, base=[start], step=[each])
    layer = [limit_of_layer(given), given.supposed(ABSOLUTE_VALUE, eq(DELTA, 1))]
    return given.follows(every.at({_n: k - 1}), *layer, goal=as_it_stands(BOUNDS, given.part))


def _concluded(given: Given, every: Theorem, names: Any, goal: Any) -> Theorem:
    """The bound at n = k - 1, where the letters stand for the values of the layer."""
    at = k - 1
    meant = given.meaning(
        "values in the layer k", *(eq(letter, value(at)) for letter, value in names.items())
    )
    here = every.at({_n: at})
    return given.follows(here, meant, goal=goal)


def _of_one_layer(given: Given) -> list[Theorem]:
    """0 ≤ ω' ≤ 1, 1/3 < R < 1 and 9/10 < B < 11/10 in all layers."""
    square = zeta(_HERE**-2, 1) ** 2
    quotients = eq(_R * square, scaled_noise(_HERE, 1)), eq(_B * square, scaled_bias(_HERE, 1))
    says = "R and B: their numerators over the square of ζ"
    scaled = given.meaning(says, *quotients, under=[_ACUTE_HERE])
    *known, acute, each = _limits(given)
    over = {**_LAYERS, w_1_input: given.domain[w_1_input]}
    found = []
    for source, value in ((NOISE, _R), (BIAS, _B)):
        parts = {name: _at_layer(given.fact(source, name)) for name in source.parts}
        low, high = (Rational(name.split()[1]) for name in parts)
        bounds = both(gt(value, low), le(value, high))
        found.append(rules.follows(bounds, [scaled, acute, *parts.values()], over=over))
    slope = _at_layer(given.fact("eoc.omega.acute"), {DELTA: 1})
    found.append(rules.follows(both(ge(_SLOPE, 0), le(_SLOPE, 1)), [slope, acute], over=over))
    return [*known, acute, each, *found]


def _deep(given: Given, known: list[Theorem]) -> Theorem:
    """From the second layer on w̃ > 7/3, as ω⁻² = ζ < (3/7)² for z up to 9/16, by balls."""
    root, acute = sp.Symbol("root", nonnegative=True), {w: half_line(sp.sqrt(2))}
    roots, closed = {root: interval(0, Rational(3, 4))}, unfolded(zeta(root**2, 1))
    square = eq(zeta(root**2, 1), closed)
    small = rules.follows(
        lt(zeta(root**2, 1), _DEEP**-2),
        [given.meaning("ζ", square, over=roots), covered(lt(closed, _DEEP**-2), over=roots)],
    )
    there = small.at({root: 1 / w}, over=acute)
    inverse = given.meaning("ω = ζ^(-1/2)", eq(omega(w, 1) ** 2 * zeta(w**-2, 1), 1), over=acute)
    above = given.fact("eoc.omega", "values").at({DELTA: 1}, over=acute)
    beyond = rules.follows(ge(omega(w, 1), _DEEP), [there, inverse, above])
    over = {**_LAYERS, w_1_input: given.domain[w_1_input]}
    return rules.follows(ge(_THERE, _DEEP), [_at_layer(beyond), *known], over=over)


def _moved(statement: Any, under: list[Any], at: dict[Any, Any]) -> Theorem:
    """A fact about numbers at the values of a layer."""
    numbers = rules.follows(statement, under=under)
    met = [_ACUTE_HERE, *(one.xreplace(at) for one in under)]
    return numbers.at(at, under=met)


_p, _c, _r, _b, _v, _s, _x, _u, _q, _m, _z = sp.symbols("p c r b v s x u q m z", real=True)
_SPREAD = {_p: _SLOPE, _r: _R, _v: _V(_n), _s: _sv(_n), _x: _THERE**2 * _share(_n)}
_DRIFT = {_p: _SLOPE, _b: _B, _m: _beta(_n), _s: _sb(_n), _x: _THERE * _share(_n)}


def _no_larger_than_the_noises(given: Given, known: list[Theorem]) -> Theorem:
    """0 ≤ V ≤ Σ w̃²/γ, layer by layer."""
    over = {w_1_input: given.domain[w_1_input]}
    under = [ge(_p, 0), le(_p, 1), ge(_v, 0), le(_v, _s), ge(_r, 0), le(_r, 1), ge(_x, 0)]
    after = _p**2 * _v + _r * _x
    step = _moved(both(ge(after, 0), le(after, _s + _x)), under, _SPREAD)
    added = _nonnegative(known, _SPREAD[_x], over)
    bound = both(ge(_V(_n), 0), le(_V(_n), _sv(_n)))
    return rules.induction(bound, _n, 0, base=known[:1], step=[step, added, *known], over=over)


def _nonnegative(known: list[Theorem], value: Any, over: Any) -> Theorem:
    """A layer's term of a sum is not negative."""
    share = rules.follows(both(ge(_share(_n), 0), ge(_THERE, 1)), known, over={**_LAYERS, **over})
    plain = implies(both(ge(_u, 0), ge(_q, 1)), both(ge(_q**2 * _u, 0), ge(_q * _u, 0)))
    numbers = rules.follows(plain)
    here = numbers.at({_u: _share(_n), _q: _THERE})
    return rules.follows(ge(value, 0), [here, share], over={**_LAYERS, **over})


@BOUNDS.certified("variance from above")
def slopes_are_at_most_one(given: Given) -> Theorem:
    """A slope is at most 1, and so is R."""
    every = _no_larger_than_the_noises(given, _of_one_layer(given))
    names = {V_k: _V, sum_v: _sv}
    return _concluded(given, every, names, as_it_stands(BOUNDS, given.part))


def _survives(given: Given, known: list[Theorem], nothing: Any) -> Theorem:
    """ω'(1 - 1/w̃') ≥ 1 - 1/w̃ > 0 from the second layer on; in the first there is no error yet."""
    over = {**_LAYERS, w_1_input: given.domain[w_1_input]}
    deep, later = _deep(given, known), [ge(_n, 1)]
    below = deep.at({_n: _n - 1}, under=later)
    layer = given.fact(LAYER_SLOPE).at({w: _HERE}, under=[ge(_HERE, _DEEP)])
    kept = both(ge(_SLOPE * (1 - 1 / _THERE), 1 - 1 / _HERE), ge(1 - 1 / _HERE, 0))
    after = rules.follows(kept, [layer, below, deep, *known], over=over, under=later)
    either = sp.Or(kept, nothing, evaluate=False)
    first = rules.follows(either, known, over=over, under=[eq(_n, 0)])
    return rules.follows(either, [after, first], over=over)


@BOUNDS.certified("variance from below")
def slopes_telescope(given: Given) -> Theorem:
    """(1 - 1/w̃_k)² V_k ≥ (1/3)(4/7)² Σ w̃²/γ, where the first factor is at most 1."""
    known, over = _of_one_layer(given), {w_1_input: given.domain[w_1_input]}
    least = Rational(1, 3) * Rational(4, 7) ** 2
    kept = both(ge(_p * _q, _u), ge(_u, 0))
    either = sp.Or(kept, both(eq(_v, 0), eq(_s, 0)), evaluate=False)
    under = [either, ge(_u**2 * _v, least * _s), ge(_v, 0), ge(_p, 0)]
    under += [ge(_r, Rational(1, 3)), ge(_x, 0), ge(_q, Rational(4, 7))]
    at = {**_SPREAD, _u: 1 - 1 / _HERE, _q: 1 - 1 / _THERE}
    after = ge(_q**2 * (_p**2 * _v + _r * _x), least * (_s + _x))
    step = _moved(after, under, at)
    upper = _no_larger_than_the_noises(given, known)
    survives = _survives(given, known, both(eq(_V(_n), 0), eq(_sv(_n), 0)))
    added, deep = _nonnegative(known, _SPREAD[_x], over), _deep(given, known)
    far = rules.follows(ge(at[_q], Rational(4, 7)), [deep], over={**_LAYERS, **over})
    bound = ge(at[_u] ** 2 * _V(_n), least * _sv(_n))
    premises = [step, upper, survives, added, far, *known]
    every = rules.induction(bound, _n, 0, base=known[:1], step=premises, over=over)
    plain = rules.follows(
        ge(_v, _s / 10), under=[ge(_u**2 * _v, least * _s), ge(_s, 0), ge(_v, 0), ge(_u, 0), le(_u, 1)]
    )
    there = {_v: _V(_n), _s: _sv(_n), _u: at[_u]}
    smaller = plain.at(there, under=[one.xreplace(there) for one in plain.conditions])
    inside = both(ge(at[_u], 0), le(at[_u], 1), ge(_sv(_n), 0))
    unit = rules.follows(inside, [upper, *known], over={**_LAYERS, **over})
    whole = rules.follows(le(_sv(_n) / 10, _V(_n)), [smaller, every, upper, unit], over={**_LAYERS, **over})
    names = {V_k: _V, sum_v: _sv}
    return _concluded(given, whole, names, as_it_stands(BOUNDS, given.part))


def _curvature(given: Given, known: list[Theorem], upper: Theorem) -> Theorem:
    """0 ≤ ω''V/2 ≤ (5/4)V/w̃³ from the second layer on; in the first V is 0."""
    over = {**_LAYERS, w_1_input: given.domain[w_1_input]}
    deep, later = _deep(given, known), [ge(_n, 1)]
    below = deep.at({_n: _n - 1}, under=later)
    under = [ge(_HERE, _DEEP)]
    parts = [given.fact(CONVEX, name).at({w: _HERE}, under=under) for name in CONVEX.parts]
    plain = rules.follows(
        both(ge(_c * _v / 2, 0), le(_c * _v / 2, Rational(5, 4) * _v * _z)),
        under=[sp.Or(both(ge(_c, 0), le(_c, Rational(5, 2) * _z)), eq(_v, 0)), ge(_v, 0)],
    )
    at = {_c: _BENT, _v: _V(_n), _z: _HERE**-3}
    met = [_ACUTE_HERE, *(one.xreplace(at) for one in plain.conditions)]
    there = plain.at(at, under=met)
    bent = both(ge(_BENT, 0), le(_BENT, Rational(5, 2) * _HERE**-3))
    either = sp.Or(bent, eq(_V(_n), 0), evaluate=False)
    after = rules.follows(either, [*parts, below], over=over, under=later)
    first = rules.follows(either, known, over=over, under=[eq(_n, 0)])
    cases = rules.follows(either, [after, first], over=over)
    return rules.follows(there.statement, [there, cases, upper, *known], over=over)


@BOUNDS.certified("mean from above")
def biases_and_curvature(given: Given) -> Theorem:
    """β ≥ 0 and a slope is at most 1; a layer adds B w̃/γ and ω''V/2."""
    known, over = _of_one_layer(given), {w_1_input: given.domain[w_1_input]}
    upper = _no_larger_than_the_noises(given, known)
    factor, bent = Rational(11, 10), Rational(5, 4)
    at = {**_DRIFT, _c: _BENT * _V(_n) / 2, _z: _V(_n) * _HERE**-3, _u: _sc(_n)}
    under = [ge(_p, 0), le(_p, 1), ge(_m, 0), le(_m, factor * _s + bent * _u), ge(_c, 0)]
    under += [le(_c, bent * _z), ge(_b, 0), le(_b, factor), ge(_x, 0)]
    after = _p * _m + _c + _b * _x
    most = factor * (_s + _x) + bent * (_u + _z)
    step = _moved(both(ge(after, 0), le(after, most)), under, at)
    added, curved = _nonnegative(known, _DRIFT[_x], over), _curvature(given, known, upper)
    bound = both(ge(_beta(_n), 0), le(_beta(_n), factor * _sb(_n) + bent * _sc(_n)))
    premises = [step, added, curved, *known]
    every = rules.induction(bound, _n, 0, base=known[:1], step=premises, over=over)
    names = {beta_k: _beta, sum_beta: _sb, sum_beta_bent: _sc}
    return _concluded(given, every, names, as_it_stands(BOUNDS, given.part))


@BOUNDS.certified("mean from below")
def biases_telescope(given: Given) -> Theorem:
    """(1 - 1/w̃_k) β_k ≥ (9/10)(4/7) Σ w̃/γ, where the first factor is at most 1."""
    known, over = _of_one_layer(given), {w_1_input: given.domain[w_1_input]}
    upper = _no_larger_than_the_noises(given, known)
    least = Rational(9, 10) * Rational(4, 7)
    kept = both(ge(_p * _q, _u), ge(_u, 0))
    either = sp.Or(kept, both(eq(_m, 0), eq(_s, 0)), evaluate=False)
    under = [either, ge(_u * _m, least * _s), ge(_m, 0), ge(_s, 0), ge(_p, 0), ge(_c, 0)]
    under += [ge(_b, Rational(9, 10)), ge(_x, 0), ge(_q, Rational(4, 7)), le(_q, 1)]
    at = {**_DRIFT, _u: 1 - 1 / _HERE, _q: 1 - 1 / _THERE, _c: _BENT * _V(_n) / 2}
    after, total = _p * _m + _c + _b * _x, _s + _x
    step = _moved(both(ge(after, 0), ge(total, 0), ge(_q * after, least * total)), under, at)
    survives = _survives(given, known, both(eq(_beta(_n), 0), eq(_sb(_n), 0)))
    added, deep = _nonnegative(known, _DRIFT[_x], over), _deep(given, known)
    inside = both(ge(at[_q], Rational(4, 7)), le(at[_q], 1))
    far = rules.follows(inside, [deep], over={**_LAYERS, **over})
    bound = both(ge(_beta(_n), 0), ge(_sb(_n), 0), ge(at[_u] * _beta(_n), least * _sb(_n)))
    premises = [step, survives, added, far, _curvature(given, known, upper), *known]
    every = rules.induction(bound, _n, 0, base=known[:1], step=premises, over=over)
    whole = rules.follows(le(_sb(_n) / 2, _beta(_n)), [every, *known], over={**_LAYERS, **over})
    names = {beta_k: _beta, sum_beta: _sb}
    return _concluded(given, whole, names, as_it_stands(BOUNDS, given.part))


_WIDTHS = st.tuples(
    st.one_of(st.just(sqrt(2)), st.floats(sqrt(2), 50)),
    st.lists(st.floats(0.01, 1000), min_size=1, max_size=12),
)


@BOUNDS.tested(("variance from above", "mean from above"), over=_WIDTHS, cases=60)
def errors_from_above(case: tuple[float, list[float]]) -> dict[Any, Rounded]:
    """The sums of the noises and of the biases, and what the recursions make of them.

    Sums of at most twelve positive terms, each of some ten rounded factors.
    """
    place, gammas = case
    moments = error_moments(place, gammas, 1)
    after, widths = moments.limits[1:], np.array(gammas)
    below = moments.variances[:-1] / moments.limits[:-1] ** 3
    values = {
        V_k: moments.variances[-1],
        beta_k: moments.biases[-1],
        sum_v: np.sum(after**2 / widths),
        sum_beta: np.sum(after / widths),
        sum_beta_bent: np.sum(below),
    }
    return {x: Rounded(float(one), 400 * 2.0**-53 * float(one)) for x, one in values.items()}
