"""Proposition D.1 for one dot product: its law at finite width, and the distance from the limit.

Given the inputs, each row adds a product of two independent Gaussian variables, τ g g', divided
by the root of the width.
"""

from collections.abc import Iterable
from typing import Any

import sympy as sp
from sympy import Abs, Expr, Interval, Rational, Reals, Symbol, cos, diff, exp, log, oo, sin, sqrt

from theorems.attention_limit.letters.dot_products import p, tau, u, width
from theorems.attention_limit.letters.mixtures import C_near
from theorems.attention_limit.letters.table import claim
from theorems.classical import functions, powers
from theorems.classical.gaussian_moments import standard
from theorems.engine import Given, Hypothesis, Provenance, eq, ge, gt, integers, le, rules
from theorems.engine.rules import E, Theorem, facts, principles
from theorems.engine.rules.normal_variables import waves_of_product
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.vocabulary import independent, randoms

_NOTE = "proofs_notes/attn_proofs.md#one-dot-product-at-finite-width"
_SHARE = u**2 * tau**2 / width
_LAW = (1 + _SHARE) ** (-width / 2)

ONE_DOT_PRODUCT = Hypothesis(
    "one_dot_product",
    "given the two inputs, $p is the sum of $width independent copies of $tau times the product of"
    " the independent standard normal variables $g_11 and $g_12, divided by the root of $width;"
    " $tau is the product of the scales of the two matrices and of the lengths of the inputs, each"
    " divided by the root of the width",
)

LAW = claim(
    "attn.propD1.law",
    at="Proposition D.1",
    title="The characteristic function of a dot product at any width, given the inputs",
    states=eq(E(cos(u * p)), _LAW),
    assuming=[ONE_DOT_PRODUCT],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


_k = Symbol("k", integer=True, nonnegative=True)
#: The sum of the first rows, and two independent standard normal variables of a row.
_S, _g, _h = map(randoms, ("S", "g", "h"))
_PLACES = {_k: integers(0), u: Reals}


def _cosine_of_a_sum(given: Given, law: Hypothesis, scale: Expr, over: Over) -> Theorem:
    """E cos(u S_k) is (1 + u²σ²)^(-k/2), as rows σgh are independent and symmetric."""
    S, product, places = _S(_k), _g(_k) * _h(_k), {**_PLACES, **over}
    said = given.meaning(
        "a sum with one row more", eq(E(cos(u * _S(_k + 1))), E(cos(u * S + u * scale * product)))
    )
    x, y = values = sp.symbols("x y", real=True)
    angles = functions.addition_of_angles(u * x, u * scale * y)
    of_cosine = next(one for one in angles.statement.args if one.lhs.func == cos)
    addition = principles.expected_jointly(
        rules.follows(of_cosine, [angles]), dict(zip(values, (S, product), strict=True)), over=places
    )
    rows = given.supposed(law, *standard(_g(_k)).args, *standard(_h(_k)).args, independent(_g(_k), _h(_k)))
    pairs = [
        facts.independent_functions(
            lambda x, f=f: f(u * x), lambda y, f=f: f(u * scale * y), S, product, over=places
        )
        for f in (cos, sin)
    ]
    known = [
        *(said, addition, rows, given.supposed(law, independent(S, product)), *pairs),
        *(facts.expectation_of_independent(*one.statement.args) for one in pairs),
        waves_of_product(_g(_k), _h(_k), u * scale, over=places),
        powers.integral_one_more(1 / sqrt(1 + u**2 * scale**2), _k, over=places),
    ]
    none = given.meaning("a sum of no rows", eq(E(cos(u * _S(0))), 1))
    goal = eq(E(cos(u * S)), (1 + u**2 * scale**2) ** (-_k / 2))
    return rules.induction(goal, _k, 0, base=[none], step=known)


def law_of_a_sum(given: Given, law: Hypothesis, total: Any, rows: Any, scale: Expr) -> Theorem:
    """E cos(u total) is (1 + u²σ²)^(-rows/2): each row is σ times a product of two normal variables."""
    over = {x: given.domain[x] for x in scale.free_symbols}
    of_all = _cosine_of_a_sum(given, law, scale, over).at({_k: rows})
    whole = given.meaning("the sum of all rows", eq(E(cos(u * total)), E(cos(u * _S(rows)))), over=over)
    return given.follows(whole, of_all)


@LAW.proved()
def power_of_one_row(given: Given) -> Theorem:
    """A row gives (1 + u²τ²/n)^(-1/2), and the rows are independent."""
    return law_of_a_sum(given, ONE_DOT_PRODUCT, p, width, tau / sqrt(width))


DISTANCE = claim(
    "attn.propD1.distance",
    at="Proposition D.1",
    title="The law of a dot product is at a distance of order 1/n from its limit",
    states={
        "above": le(exp(-(u**2) * tau**2 / 2), _LAW),
        "near": le(_LAW - exp(-(u**2) * tau**2 / 2), u**4 * tau**4 / (4 * width)),
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_w, _other = Symbol("w", nonnegative=True), Symbol("w'", nonnegative=True)
_a, _b = Symbol("a", real=True), Symbol("b", real=True)
_SIZES = Interval(0, oo)


def _above_parabola() -> Theorem:
    """log(1 + w) ≥ w - w²/2: the difference vanishes at 0 and has the slope w²/(1 + w)."""
    gap = log(1 + _w) - _w + _w**2 / 2
    slope = rules.follows(ge(diff(gap, _w), 0))
    grows = principles.increasing(slope, gap, _w, _other)
    from_zero = grows.at({_w: 0, _other: _w})
    return rules.follows(ge(gap, 0), [from_zero])


def exponentials_are_near(low: Expr, high: Expr, under: Iterable[Any]) -> Theorem:
    """e^b - e^a ≤ b - a for a ≤ b ≤ 0: a - e^a grows for a ≤ 0, where its slope is 1 - e^a."""
    negative = {_a: Interval(-oo, 0)}
    small = facts.exponential_increases(0, _a, over=negative)
    slope = rules.follows(ge(1 - exp(_a), 0), [small])
    grows = principles.increasing(slope, _a - exp(_a), _a, _b)
    return grows.at({_a: low, _b: high}, under=under)


def _as_exponential() -> tuple[Any, Theorem]:
    exponent = -width * log(1 + _SHARE) / 2
    return exponent, facts.power_as_exponential(1 + _SHARE, -width / 2)


@DISTANCE.proved("above")
def logarithm_below_tangent(given: Given) -> Theorem:
    """The exponent is -n log(1 + v/n)/2, at least -v/2."""
    exponent, power = _as_exponential()
    tangent = facts.logarithm_below_tangent(1 + _SHARE)
    limit = -(u**2) * tau**2 / 2
    order = rules.follows(le(limit, exponent), [tangent])
    grows = facts.exponential_increases(exponent, limit)
    return given.follows(power, order, grows)


@DISTANCE.proved("near")
def exponents_are_near(given: Given) -> Theorem:
    """e^(-a) - e^(-b) ≤ b - a for 0 ≤ a ≤ b, and here b - a ≤ v²/4n."""
    exponent, power = _as_exponential()
    limit = -(u**2) * tau**2 / 2
    tangent = facts.logarithm_below_tangent(1 + _SHARE)
    parabola = given.instance(_above_parabola(), {_w: _SHARE})
    near = rules.follows(le(exponent - limit, u**4 * tau**4 / (4 * width)), [parabola])
    below = rules.follows(le(limit, exponent), [tangent])
    increasing = facts.logarithm_increases(1, 1 + _SHARE)
    negative = rules.follows(le(exponent, 0), [increasing])
    signs = [le(exponent, 0), le(limit, 0)]
    apart = exponentials_are_near(limit, exponent, signs)
    return given.follows(power, near, below, negative, apart)


FACTOR = Hypothesis(
    "factor_of_the_distance",
    "for sums of $width terms, for every standard deviation τ of a term and every u, the"
    " characteristic functions differ by at most $C_near times the fourth power of uτ over $width",
    latex=r"|(1 + u^2\tau^2 / $width)^{-$width / 2} - e^{-u^2\tau^2 / 2}|"
    r" \le $C_near u^4\tau^4 / $width \text{ for all } u, \tau",
)

LEAST = claim(
    "attn.propD1.distance.least",
    at="Proposition D.1",
    title="At no width is there a smaller factor in the distance than one quarter",
    states=ge(C_near, Rational(1, 4)),
    assuming=[FACTOR],
    provenance=Provenance.DERIVED,
    note="proofs_notes/attn_mixtures.md#inputs-that-are-independent-of-the-matrices",
)


def _below_cubic() -> Theorem:
    """log(1 + w) ≤ w - w²/2 + w³/3: the difference vanishes at 0 and has the slope w³/(1 + w)."""
    gap = _w - _w**2 / 2 + _w**3 / 3 - log(1 + _w)
    slope = rules.follows(ge(diff(gap, _w), 0))
    grows = principles.increasing(slope, gap, _w, _other)
    from_zero = grows.at({_w: 0, _other: _w})
    return rules.follows(ge(gap, 0), [from_zero])


@LEAST.proved()
def small_arguments(given: Given) -> Theorem:
    """With v = nw the distance is at least (1 - v/2)(v²/4n - v³/6n²), so that C ≥ 1/4 - v."""
    limit, gain = -width * _w / 2, width * (_w**2 / 4 - _w**3 / 6)
    exponent, cubic = -width * log(1 + _w) / 2, -width * (_w - _w**2 / 2 + _w**3 / 3) / 2
    power = (1 + _w) ** (-width / 2)
    known = [
        given.supposed(FACTOR, le(Abs(power - exp(limit)), C_near * width * _w**2)),
        facts.power_as_exponential(1 + _w, -width / 2),
        _below_cubic(),
        facts.exponential_increases(exponent, cubic),
        facts.exponential_of_sum(cubic, limit, gain),
        facts.exponential_above_tangent(limit),
        facts.exponential_above_tangent(gain),
    ]
    small = [gt(_w, 0), le(width * _w, 1)]
    each = rules.follows(ge(C_near, Rational(1, 4) - width * _w), known, under=small)
    gap = Rational(1, 4) - C_near
    here = each.at({_w: gap / (2 * width)}, under=[gt(gap, 0)])
    return given.follows(here)
