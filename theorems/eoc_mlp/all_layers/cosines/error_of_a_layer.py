"""Proposition 25, proof: differences of norms, and the error of one layer."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp
from sympy import Abs, Expr, Interval, Rational, Symbol, exp, log, pi, sqrt
from sympy.logic.boolalg import Boolean

from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from theorems.classical.hypotheses import GAUSSIAN_SQUARE_MOMENTS, INDEPENDENT_COPIES
from theorems.classical.letters import A, W, mean, s
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    both,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    le,
    lt,
    rules,
    sentence,
)
from theorems.engine.rules import RANDOM, E, P, Random, Theorem, facts, principles, probabilities
from theorems.engine.rules.certificates import covered
from theorems.eoc_mlp.hypotheses import (
    ALL_ALIVE,
    BOTH_ALIVE,
    BY_DEFINITION,
    EVENT_8,
    EVENTS_OF_A_LAYER,
    NOT_BOTH_ZERO,
)
from theorems.eoc_mlp.letters import (
    DELTA,
    D,
    L,
    M,
    Q,
    claim,
    difference_tail,
    k,
    kappa,
    m,
    omega,
    ratio_1,
    ratio_2,
    tau,
    w,
    w_below,
    w_k,
    z,
    z_below,
    z_k,
    zeta,
)
from theorems.eoc_mlp.premises.means import halves_of_two_values
from theorems.eoc_mlp.premises.substitutions import as_it_stands

_NOTE = "proofs_notes/eoc_limits.md#from-proxies-to-cosines"
_POSITIVE = half_line(0, closed=False)


DIFFERENCE = claim(
    "eoc.prop25.norm_difference",
    at="Proposition 25, proof; after Equation (9)",
    title="Ratios of norms of nearby inputs differ little",
    states={
        "moments": sentence(
            r"\mathbb{E}|YV|^q \le \bigl({$kappa}^{$kappa_square}\sqrt{$z_below}\bigr)^q"
            r" ($double q - $odd)!!, \quad f_1^{$first_square} - f_2^{$second_square} ="
            r" \tfrac{\sum_i $four Y_iV_i}{$M}",
            kappa_square=2,
            double=2,
            odd=1,
            first_square=2,
            second_square=2,
            four=4,
        ),
        "tail": le(difference_tail, 2 * exp(-M * tau**2 / (6 + Rational(10, 3) * tau))),
    },
    given={z_below: Interval.Lopen(0, 1)},
    assuming=[BOTH_ALIVE],
    rests_on=["classical.dominated_squares", "classical.dominated_squares.rate", "eoc.init"],
    discharging={
        **BY_DEFINITION,
        NOT_BOTH_ZERO: "else there is no edge of chaos, and no constant κ",
        INDEPENDENT_COPIES: "the rows of the layer matrix are independent and have one law",
        GAUSSIAN_SQUARE_MOMENTS: "these are the moments of the first part",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "domain of kappa": "true as well: its square lies between 1 and 2 for every φ",
        "domain of difference_tail": "true as well: a probability lies between 0 and 1",
    },
)


@DIFFERENCE.argued(
    "moments",
    bridge="|Y| ≤ κ√z|g| and |V| ≤ κ(|u₁| + |u₂|)/2 by the Lipschitz norm, g = (u₁ - u₂)/(2√z) is"
    " standard normal, x^{2q} is convex, and Cauchy and Schwarz bound the mean of the product;"
    " both preactivations have one law, so that the mean of φ₁² - φ₂² is 0.",
    uses=[BOTH_ALIVE],
    over={z_below: Interval.Lopen(0, 1)},
)
def product_of_difference_and_sum(
    kappa_square: int, double: int, odd: int, first_square: int, second_square: int, four: int
) -> Obligations:
    """φ₁² - φ₂² = 4YV, Var(u₁ - u₂) = 4z, and the two moments of order 2q are (2q - 1)!! each."""
    p1, p2, cosine = sp.symbols("p1 p2 rho", positive=True)
    y, v = (p1 - p2) / 2, (p1 + p2) / 2
    yield "φ₁² - φ₂² = 4YV", equal(p1**first_square - p2**second_square, four * y * v)
    squared = (1 - cosine) / 2  # z
    yield "Var(u₁ - u₂) = 4z", equal(1 + 1 - 2 * cosine, 4 * squared)
    g, order = Symbol("g", real=True), 3
    density = exp(-(g**2) / 2) / sqrt(2 * pi)
    moment = sp.integrate(g ** (2 * order) * density, (g, -sp.oo, sp.oo))
    yield "E g⁶ = 5!!", equal(moment, sp.factorial2(double * order - odd))
    size = (kappa**2 * z_below) ** order * kappa ** (2 * order)  # without the moments
    claimed = (kappa**kappa_square * sqrt(z_below)) ** order
    yield "sizes", equal(sqrt(size), claimed)


@DIFFERENCE.proved("tail")
def dominated_squares(given: Given) -> Theorem:
    """Both tails of the mean of YV are those of a dominated square, at least τ²/(6 + 10τ/3)."""
    unit, average = Random("unit"), Random("average")  # YV, and its mean over the units
    size = Symbol("size", positive=True)
    numbers = {M: given.domain[M], tau: given.domain[tau]}
    over = {**numbers, size: _POSITIVE, unit: RANDOM, average: RANDOM}
    bound = given.fact("classical.dominated_squares", "bound")
    rate = given.fact("classical.dominated_squares.rate", "in s").at({s: tau})
    both_tails = [bound.at({W: side * unit, mean: side * average, A: size, s: tau}) for side in (1, -1)]
    exact = both_tails[0].statement.rhs.args[0]
    known = [
        probabilities.both_tails(average, size * tau),
        given.meaning("the tail", eq(difference_tail, P(ge(Abs(average), size * tau)))),
        halves_of_two_values(given, unit),
        *(_with_mean_zero(side * average, size * tau, side * unit, over) for side in (1, -1)),
        facts.exponential_increases(-M * tau**2 / (6 + Rational(10, 3) * tau), exact),
        rate,
    ]
    return given.follows(*both_tails, *known, goal=as_it_stands(DIFFERENCE, "tail"))


def _with_mean_zero(variable: Expr, level: Expr, term: Expr, over: dict[Symbol, sp.Set]) -> Theorem:
    """What is at least a level is so, too, if the mean of a term is added, which is 0."""
    value, bound, center = sp.symbols("value bound center", real=True)
    some, centred = Random("some"), [eq(center, 0)]
    moved = implies(ge(value, bound), ge(value, bound + center))
    dict.fromkeys((value, bound, center), sp.Reals)
    more_probable = principles.more_probable(rules.follows(moved, under=centred), value, some)
    return more_probable.at({some: variable, bound: level, center: E(term)}, over=over)


@DIFFERENCE.estimated("tail", draws=1500, controls={})
def sampled_differences(rng: np.random.Generator, draws: int, given: Given) -> Iterator[MeanTest]:
    """How often |f₁² - f₂²| exceeds the bound at which the right side is 2e⁻², for width 40."""
    width, level = 40, 2.0
    h = np.sqrt(level / width)
    deviation = h * (5 / 3 * h + np.sqrt(25 / 9 * h * h + 6))
    bound = float(given.goal.rhs.subs({M: width, tau: deviation}))
    for angle in (0.01, 1.0, 3.0):
        first, second = rng.standard_normal((2, draws, width))
        u = np.stack([first, np.cos(angle) * first + np.sin(angle) * second])
        squares = np.mean(np.maximum(u, 0.0) ** 2 * 2, axis=-1)  # the ReLU: σ²φ² = 2 max(u, 0)²
        outside = abs(np.subtract(*squares)) >= 4 * 2 * np.sin(angle / 2) * deviation
        outside = np.append(outside, True)  # keeps the variance positive
        yield mean_test(outside.astype(float), bound, alternative="greater")


_LEVEL = sqrt(L / m) / (k - 1)
_SIZE = sqrt(3) * kappa**2 * Q * _LEVEL
SMALL_LAYER = Hypothesis(
    "small_layer",
    "the relative error of the proxy in the layer is at most an eighth",
    formula=le(_SIZE, Rational(1, 8)),
)
ENOUGH_Q = Hypothesis(
    "enough_q",
    "Q is at least the factor by which the layer shrinks the squared distance, and 11/4",
    formula=both(ge(Q, Rational(11, 4)), ge(Q, w_below**-2 / zeta(w_below**-2, DELTA))),
)

STEP = claim(
    "eoc.prop25.step",
    at="Proposition 25, proof",
    title="The relative error of one layer, with explicit constants",
    states=le(Abs(log(w_k / omega(w_below, DELTA))), Rational(3, 2) * _SIZE),
    given={w_below: half_line(1, closed=False), k: integers(2)},
    assuming=[ALL_ALIVE, EVENTS_OF_A_LAYER, SMALL_LAYER, ENOUGH_Q],
    discharging={
        EVENT_8: "with ε' = κ√2 h it is one of the events of the layer",
        BOTH_ALIVE: "no activation vanishes",
    },
    rests_on=[
        "eoc.prop25.proxy.corrected",
        "eoc.prop25.sandwich.corrected",
        DIFFERENCE,
        "eoc.zeta.closed_form",
        "eoc.zeta",
        "eoc.omega",
    ],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_x, _p, _kappa = sp.symbols("x p kappa", real=True)


def _errors() -> tuple[Expr, Expr]:
    """Of the lengths, and of their difference, in x, p = Q^(-1/2) and κ, with h = xp²/(√3 κ²)."""
    h = _x * _p**2 / (sqrt(3) * _kappa**2)
    tail = Rational(5, 3) * h + sqrt(Rational(25, 9) * h**2 + 6)  # τ/h
    lengths = _kappa * sqrt(2) * h
    return lengths, _x * _p / sqrt(3) * tail / ((1 - lengths) * (1 - _x))


_BOX = {_x: Interval(0, Rational(1, 8)), _p: Interval(0, Rational(6031, 10000)), _kappa: Interval(1, sqrt(2))}


def _covered_errors() -> list[Theorem]:
    """Both errors are at most 1/2, and both sides of log r are at most (3/2)x, by balls."""
    e, y = _errors()
    largest, least = _largest_and_least(e, _x, y)
    orders = {_x: (1, 0)}
    return [
        *(covered(le(one, Rational(1, 2)), over=_BOX) for one in (e, y)),
        *(covered(le(one, Rational(3, 2) * _x), over=_BOX, zero_orders=orders) for one in (largest, -least)),
    ]


_r, _e, _y = sp.symbols("r e y", real=True)
_h, _g = Symbol("h", nonnegative=True), Symbol("g", positive=True)


def _logarithms_of_bounds() -> Theorem:
    """For r > 0 with r²(1 - x)²(1 - y²) ≤ (1 + e)² and (1 - e)² ≤ r²(1 + x)², in logarithms."""
    over = {_r: _POSITIVE, _e: Interval.Ropen(0, 1), _x: Interval.Ropen(0, 1), _y: Interval.Ropen(0, 1)}
    above, below = _r**2 * (1 - _x) ** 2 * (1 - _y**2), _r**2 * (1 + _x) ** 2
    products = [(_r, _r), (1 - _x, 1 - _x), (1 + _x, 1 + _x), (1 + _e, 1 + _e), (1 - _e, 1 - _e)]
    products += [(_r**2, (1 - _x) ** 2), (_r**2 * (1 - _x) ** 2, 1 - _y**2), (_r**2, (1 + _x) ** 2)]
    known = [facts.logarithm_of_product(*pair, over=over) for pair in products]
    known.append(facts.logarithm_increases((1 + _e) ** 2, above, over=over))
    known.append(facts.logarithm_increases(below, (1 - _e) ** 2, over=over))
    largest, least = _largest_and_least(_e, _x, _y)
    bounds = both(le(log(_r), largest), ge(log(_r), least))
    statement = implies(both(le(above, (1 + _e) ** 2), le((1 - _e) ** 2, below)), bounds)
    return rules.follows(statement, known)


def _largest_and_least(e: Expr, x: Expr, y: Expr) -> tuple[Expr, Expr]:
    return log(1 + e) - log(1 - x) - log(1 - y**2) / 2, log(1 - e) - log(1 + x)


_one, _other, _proxy, _root, _tail = sp.symbols("f1 f2 D root T", real=True)


def _numbers_of_a_layer() -> Theorem:
    """From lengths within e, a proxy within x of √ζ and a difference up to T to bounds of r."""
    lengths = [le(0, _e), lt(_e, 1), le(Abs(_one - 1), _e), le(Abs(_other - 1), _e)]
    difference = le(Abs(_one**2 - _other**2), 4 * _tail)
    near = [le(0, _x), lt(_x, 1), gt(_root, 0), le(Abs(_proxy - _root), _x * _root)]
    small = [le(0, _y), lt(_y, 1), le(_tail, _y * (1 - _e) * (1 - _x) * _root)]
    quarter, numbers = (_one - _other) ** 2 / 4, (_e, _one, _other, _tail, _x, _y, _root, _proxy)
    over = {**dict.fromkeys((*numbers, _r), sp.Reals)}
    known = [*lengths, difference, *near, *small]
    within = (_y * (1 - _x) * _root) ** 2
    most = rules.follows(le(quarter, within), over=over, under=known)
    distance = _proxy**2 - quarter
    least = rules.follows(
        ge(distance, (1 - _x) ** 2 * _root**2 * (1 - _y**2)), [most], over=over, under=known
    )
    largest = rules.follows(le(distance, (1 + _x) ** 2 * _root**2), over=over, under=known)
    product = rules.follows(
        both(le((1 - _e) ** 2, _one * _other), le(_one * _other, (1 + _e) ** 2)), over=over, under=lengths
    )
    law = eq(_r**2 * distance, _root**2 * _one * _other)
    above = le(_r**2 * (1 - _x) ** 2 * (1 - _y**2), (1 + _e) ** 2)
    below = le((1 - _e) ** 2, _r**2 * (1 + _x) ** 2)
    ends = [(1 + _x) ** 2, (1 - _e) ** 2, (1 - _x) ** 2 * (1 - _y**2), (1 + _e) ** 2]
    named = zip(_NUMBERS, (_r, _root, distance, _one * _other, *ends), strict=True)
    premises = [least, largest, product, _divided().at(dict(named), over=over)]
    return rules.follows(both(above, below), premises, under=[*known, law])


_NUMBERS = sp.symbols("r R q F B A C G", real=True)


def _divided() -> Theorem:
    """A ≤ r²B and r²C ≤ G if r²q = R²F, R²C ≤ q ≤ R²B and A ≤ F ≤ G."""
    r, R, q, F, B, A, C, G = _NUMBERS
    known = [gt(R, 0), eq(r**2 * q, R**2 * F)]
    known += [le(q, R**2 * B), ge(q, R**2 * C), le(F, G), le(A, F)]
    goal = both(le(r**2 * C, G), le(A, r**2 * B))
    return rules.follows(goal, under=known)


def _in_numbers() -> Theorem:
    """|log r| ≤ (3/2)x for lengths within e, a proxy within x and a difference up to T.

    With e and y as the events of a layer give them, in x, p = Q^(-1/2) and κ.
    """
    numbers, own = _numbers_of_a_layer(), {_e, _x, _y}
    half, bound = Rational(1, 2), Rational(3, 2) * _x
    small = [ge(_e, 0), le(_e, half), ge(_x, 0), le(_x, Rational(1, 8)), ge(_y, 0), le(_y, half)]
    largest, least = _largest_and_least(_e, _x, _y)
    weak = [one for one in numbers.conditions if not one.free_symbols <= own]
    under = [*small, *weak, gt(_r, 0), le(largest, bound), le(-least, bound)]
    goal, premises = le(Abs(log(_r)), bound), [numbers, _logarithms_of_bounds()]
    general = rules.follows(goal, premises, over=dict(numbers.over), under=under)
    (e, y), box = _errors(), {**_BOX, _p: Interval.Lopen(0, _BOX[_p].sup)}
    there = general.at({_e: e, _y: y}, over=box, under=[le(e, half)])
    known = {one.statement: one for one in _covered_errors()}
    mine = [one for one in there.conditions if one.free_symbols <= set(box)]
    met = [known.get(one) or rules.follows(one, over=box) for one in mine]
    rest = [one for one in there.conditions if one not in mine]
    return rules.follows(there.statement, [there, *met], under=rest)


def _at_the_level(given: Given, said: Boolean, over: Any, alive: list[Boolean]) -> Theorem:
    """What the events of a layer say, with a name for their level."""
    there = given.supposed(EVENTS_OF_A_LAYER, said.xreplace({_h: _LEVEL}), over=over, under=alive)
    level, spread = _level(given), _spread(_h)
    same = rules.follows(eq(spread, spread.xreplace({_h: _LEVEL})), [level], over=over)
    each = [rules.follows(one, [there, level, same], over=over, under=alive) for one in said.args]
    return rules.follows(said, each, over=over, under=alive)


def _spread(h: Expr) -> Expr:
    return sqrt(Rational(25, 9) * h**2 + 6)


def _level(given: Given) -> Theorem:
    return given.meaning("the level of the events", eq(_h, _LEVEL), over={_h: half_line(0)})


@STEP.certified()
def logarithm_of_the_relative_error(given: Given) -> Theorem:
    """log(w_k/ω) ≤ log(1 + e) - log(1 - x) - ½ log(1 - y²) on the three events of the layer."""
    distance = zeta(w_below**-2, DELTA)
    root, shrunk = sqrt(distance), w_below**-2 / distance
    deviation = _h * (Rational(5, 3) * _h + _spread(_h))
    size, tail = sqrt(3) * kappa**2 * _g**2 * _h, kappa**2 / w_below * deviation
    ratios = {ratio_1: _POSITIVE, ratio_2: _POSITIVE, D: _POSITIVE, z_k: Interval(0, 1)}
    over = {one: given.domain[one] for one in (kappa, w_below, DELTA, w_k)} | ratios
    over |= {_g: half_line(sqrt(Rational(11, 4))), _h: half_line(0)}
    alive = [gt(distance, 0)]
    under = [le(size, Rational(1, 8)), ge(_g**2, shrunk), *alive]
    said = both(
        le(Abs(ratio_1 - 1), sqrt(2) * kappa * _h),
        le(Abs(ratio_2 - 1), sqrt(2) * kappa * _h),
        le(Abs(D - root), sqrt(3) * kappa**2 * shrunk * _h * root),
        le(Abs(ratio_1**2 - ratio_2**2), 4 * tail),
    )
    with_level = {**over, **{one: given.domain[one] for one in (Q, L, m, k)}}
    events = _at_the_level(given, said, with_level, alive)
    meant = given.meaning("an inverse cosine distance", eq(z_k, w_k**-2))
    reached = rules.follows(le(1 / w_below, _g * root), over=over, under=under)
    at = {
        **{_one: ratio_1, _other: ratio_2, _proxy: D, _root: root, _r: w_k * root, _tail: tail},
        **{_x: size, _p: 1 / _g, _kappa: kappa},
    }
    numbers = _in_numbers().at(at, over=over, under=under)
    law = [meant, given.fact("eoc.prop25.proxy.corrected", "short")]
    met = []
    for one in (one for one in numbers.conditions if one not in under):
        about = one.free_symbols
        premises = law if z_k in about or w_k in about else [events] if about & set(ratios) else []
        met.append(rules.follows(one, premises or [reached], over=over, under=under))
    shown = rules.follows(numbers.statement, [numbers, *met], over=over, under=under)
    positive = given.substituted(given.fact("eoc.zeta", "positive"), {z: w_below**-2})
    large = [ge(Q, Rational(11, 4))]
    shown = shown.at({_g: sqrt(Q)}, over=with_level, under=large)
    there = shown.statement.xreplace({_h: _LEVEL})
    conditions = [one.xreplace({_h: _LEVEL}) for one in shown.under]
    size = size.xreplace({_g: sqrt(Q)})
    same = rules.follows(eq(size, size.xreplace({_h: _LEVEL})), [_level(given)], over=with_level)
    shown = rules.follows(there, [shown, same], over=with_level, under=conditions)
    letters = {one: over[one] for one in (w_below, DELTA)}
    anywhere = given.fact("eoc.omega", "definition", where=[one.xreplace({w_below: w}) for one in alive])
    map_there = anywhere.at({w: w_below}, over=letters, under=alive)
    return given.follows(shown, positive, map_there, goal=as_it_stands(STEP))
