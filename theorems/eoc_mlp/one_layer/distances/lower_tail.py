"""Proposition 12: the best constant of the lower tail, by the worst law below a Gaussian square."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb
from sympy import Rational, erf, erfc, exp, pi, sqrt

from numeric.certify import Box, certify_positive
from symbolic.equality import equal
from symbolic.gaussian import expectation
from symbolic.nonnegative import nonnegative
from theorems.classical.hypotheses import INDEPENDENT_COPIES, NONNEGATIVE_TERMS
from theorems.engine import (
    Given,
    Hypothesis,
    Obligations,
    Provenance,
    eq,
    half_line,
    implies,
    integers,
    le,
    lt,
    rules,
)
from theorems.engine.rules import E, Theorem
from theorems.eoc_mlp.hypotheses import BOTH_ALIVE, BY_DEFINITION, NONZERO_DISTANCE
from theorems.eoc_mlp.letters.activation import DELTA
from theorems.eoc_mlp.letters.cosines import z, zeta
from theorems.eoc_mlp.letters.distances import (
    below_square,
    ell,
    lower_tail,
    tail_distance,
    truncation,
    upper_tail,
)
from theorems.eoc_mlp.letters.network import M
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import threshold
from theorems.eoc_mlp.one_layer.distances.angle_balls import exact
from theorems.eoc_mlp.one_layer.distances.concentration import EXPLICIT
from theorems.eoc_mlp.one_layer.distances.half_differences import SIZE
from theorems.eoc_mlp.premises.tails import of_either_tail

_NOTE = "proofs_notes/eoc_concentration.md#lower-tail-of-cosine-distances"
_C, _Y, _ELL = sp.symbols("c y ell", positive=True)
_APART = {z: sp.Interval.Lopen(0, 1)}

BELOW_A_SQUARE = Hypothesis(
    "below_a_square",
    "$below_square almost surely lies between 0 and the square of the standard normal $normal",
    latex=r"0 \le $below_square \le {$normal}^2",
)


def _mean_above(c: Any) -> sp.Expr:
    """u(c), the mean of g² where |g| > c."""
    return erfc(c / sqrt(2)) + c * sqrt(2 / pi) * exp(-(c**2) / 2)


def _worst(c: Any, ell: Any) -> sp.Expr:
    """The mean of exp(-ℓW_c), W_c = g² where |g| > c, and else 0."""
    root = sqrt(1 + 2 * ell)
    return erf(c / sqrt(2)) + erfc(c * root / sqrt(2)) / root


TRUNCATED = claim(
    "eoc.prop12.truncated",
    at="Proposition 12",
    title="The worst lower tail below a Gaussian square is that of a truncated one",
    states=implies(
        eq(E(below_square), _mean_above(truncation)), le(E(exp(-ell * below_square)), _worst(truncation, ell))
    ),
    assuming=[BELOW_A_SQUARE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@TRUNCATED.argued(
    bridge="With f(w) = 1 - exp(-ℓw) and W = θg² one has Ef(W) ≥ Eθf(g²), by concavity; of all θ"
    " in [0, 1] of the same mean Eθg² the indicator of |g| > c makes this least, as f(a)/a falls.",
    uses=[BELOW_A_SQUARE],
    over={truncation: half_line(0), ell: half_line(0)},
)
def fill_from_above(given: Given) -> Obligations:
    """Both sides of the statement at c = 0, and their derivatives in c; and three laws."""
    mean, bound = (part.rhs.subs({truncation: _C, ell: _ELL}) for part in given.goal.args)
    w, share = sp.symbols("w b", positive=True)
    f = 1 - exp(-_ELL * w)
    yield "concave", sp.diff(f, w, 2).is_negative
    slopes = sp.integrate(_ELL * exp(-_ELL * share * w), (share, 0, 1))
    yield "f(w)/w is a mean of ℓe^(-ℓbw)", equal(f / w, slopes)
    density = sqrt(2 / pi) * exp(-(_C**2) / 2)
    yield "mean at c = 0", equal(sp.limit(mean, _C, 0), sp.Integer(1))
    yield "its derivative", equal(sp.diff(mean, _C), -(_C**2) * density)
    yield "bound at c = 0", equal(sp.limit(bound, _C, 0), (1 + 2 * _ELL) ** Rational(-1, 2))
    cut_off = (1 - exp(-_ELL * _C**2)) * density
    yield "its derivative, where e^(-ℓc²) becomes 1", equal(sp.diff(bound, _C), cut_off)
    for law, average in _LAWS.items():
        yield law, _holds_of(average, given.goal)


_AT = {truncation: sp.Integer(1), ell: Rational(1, 4)}


def _of_the_truncated_square(function: Any) -> sp.Expr:
    g = sp.Symbol("g", positive=True)
    inside, outside = (function.xreplace({below_square: one}) for one in (sp.Integer(0), g**2))
    density = sqrt(2 / pi) * exp(-(g**2) / 2)
    # By parts: SymPy's other road, by Meijer's functions, takes ten times as long.
    above = sp.integrate(outside * density, (g, 1, sp.oo), manual=True)
    return inside * erf(1 / sqrt(2)) + above


def _of_an_even_share(function: Any) -> sp.Expr:
    g = sp.Symbol("g", real=True)
    return expectation(function.xreplace({below_square: _mean_above(sp.Integer(1)) * g**2}), g)


#: Means of functions of W under laws between 0 and g², at c = 1; the second one is the worst.
_LAWS: dict[str, Callable[[Any], sp.Expr]] = {
    "W = 0": lambda function: function.xreplace({below_square: sp.Integer(0)}),
    "W = g² where |g| > 1": _of_the_truncated_square,
    "W = θg² for one θ": _of_an_even_share,
}


def _holds_of(average: Callable[[Any], sp.Expr], goal: Any) -> bool:
    """Whether the implication is true of a law, at c = 1 and ℓ = 1/4."""
    parts = []
    for relation in goal.args:
        left, right = average(relation.lhs.args[0].subs(_AT)), relation.rhs.subs(_AT)
        gap = sp.expand((left - right).rewrite(erf))  # 0 if the sides are equal
        parts.append(bool(relation.func(gap.evalf(30), 0)))
    condition, conclusion = parts
    return conclusion or not condition


_RATIO = zeta(z, DELTA) * threshold / SIZE
_GIVEN = {**dict.fromkeys((threshold, DELTA, M)), **_APART}
_ARGUED = {threshold: half_line(0), M: integers(1), DELTA: sp.Interval(0, 1), **_APART}

LOWER = claim(
    "eoc.prop12.sharp.lower",
    at="Proposition 12",
    title="The lower tail of cosine distances with the constant one half",
    states=le(lower_tail, exp(-M * _RATIO**2 / 2)),
    given=_GIVEN,
    assuming=[BOTH_ALIVE, NONZERO_DISTANCE],
    rests_on=[
        EXPLICIT,
        TRUNCATED,
        "eoc.prop12.pathwise.law",
        "eoc.prop12.squared_norm.corrected",
        "classical.one_sided",
        "classical.chernoff",
    ],
    discharging={
        **BY_DEFINITION,
        BELOW_A_SQUARE: "by eoc.prop12.pathwise.law, for the square of Y over κ²z",
        INDEPENDENT_COPIES: "the rows of the layer matrix are independent and have one law",
        NONNEGATIVE_TERMS: "a square is nonnegative, and its second moment below that of W_c",
    },
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "-1/2": "a little more is true of the lower tail: the worst law allows 0.522 at most, and"
        " the covers are made for 1/2; the upper tail has no more than 1/2, by eoc.prop12.best",
        "<=: <= -> <": "true as well: H is positive, and so is the probability of the opposite"
        " event at t = 0",
        "domain of lower_tail": "true as well: a probability lies between 0 and 1",
    },
)


_CUT = Fraction(9, 5)


def _u(c: Any) -> Any:
    """u(c) in balls."""
    return (c / arb(2).sqrt()).erfc() + c * (2 / arb.pi()).sqrt() * (c * c * exact(-_h())).exp()


def _h() -> Fraction:
    return Fraction(1, 2)


def _exponent(c: Any, y: Any, half: Fraction) -> Any:
    """E = ℓue² + u²t²/2 at e = 1 - t = y² and ℓ = (y^(-2) - 1)/2."""
    u, t = _u(c), 1 - y * y
    return u * y * y * t * exact(_h()) + u * u * t * t * exact(half)


def _margin(c: Any, y: Any, half: Fraction) -> Any:
    """H in balls."""
    root = arb(2).sqrt()
    return (-_exponent(c, y, half)).exp() - (c / root).erf() - y * (c / (y * root)).erfc()


def _curvature(c: Any, y: Any, half: Fraction) -> Any:
    """H'', its second derivative in y, in balls."""
    u, square = _u(c), y * y
    slope = u * (y - 2 * y * square) - u * u * y * (1 - square) * exact(4 * half)
    second = u * (1 - 6 * square) - u * u * (1 - 3 * square) * exact(4 * half)
    tail = (2 / arb.pi()).sqrt() * (-c * c / (2 * square)).exp()
    decay = (-_exponent(c, y, half)).exp()
    return (slope * slope - second) * decay - c * c * c * tail / (square * square)


def _half(given: Given) -> Fraction | None:
    """The constant of the exponent, if the exponent is a multiple of M(ζt/(κ²z))²."""
    share = sp.cancel(given.goal.rhs.args[0] / (-M * _RATIO**2))
    return Fraction(int(share.p), int(share.q)) if share.is_Rational else None


@LOWER.argued(
    bridge="H and its slope vanish at y = 1, so that H > 0 for c ≤ 9/5; Chernoff's bound of the"
    " worst law is then the exponential of the stated exponent.",
    uses=[BOTH_ALIVE, NONZERO_DISTANCE],
    over=_ARGUED,
)
def margin_of_the_exponential(given: Given) -> Iterator[Any]:
    """H = e^(-E) - E e^(-ℓW_c) > 0 for c ≤ 9/5, y < 1: y ≤ 1/4, y ≤ 47/50, and H'' > 0 beyond.

    For y ≤ 1/4 the complementary error function is at most its value at y = 1/4.
    """
    half = _half(given)
    yield "the exponent is a multiple of M(ζt/(κ²z))²", half is not None
    if half is None:
        return

    def near_zero(c: Any, y: Any) -> Any:
        root = arb(2).sqrt()
        top = y * (4 * c / root).erfc()
        return (-_exponent(c, y, half)).exp() - (c / root).erf() - top

    yield certify_positive(near_zero, Box(c=(0, _CUT), y=(0, "1/4")))
    yield certify_positive(lambda c, y: _margin(c, y, half), Box(c=(0, _CUT), y=("1/4", "47/50")))
    yield certify_positive(lambda c, y: _curvature(c, y, half), Box(c=(0, _CUT), y=("47/50", 1)))


@LOWER.argued(
    bridge="For c ≥ 9/5 the second moment of W_c is at most 2, as it falls, so that the bound for"
    " nonnegative terms has a rate of u²t²/2.",
    uses=[BOTH_ALIVE, NONZERO_DISTANCE],
    over=_ARGUED,
)
def beyond_the_cut(given: Given) -> Iterator[Any]:
    """E W_c² = 3u + c³√(2/π)e^(-c²/2), and its derivative."""
    half = _half(given)
    yield "the exponent is a multiple of M(ζt/(κ²z))²", half is not None
    if half is None:
        return
    density = sqrt(2 / pi) * exp(-(_C**2) / 2)
    fourth = 3 * _mean_above(_C) + _C**3 * density
    yield "E W_c²", equal(sp.diff(fourth, _C), -(_C**4) * density)

    at_the_cut = fourth.subs(_C, Rational(_CUT.numerator, _CUT.denominator))
    yield rules.enclosed(lt(at_the_cut, 2))
    v = sp.Symbol("v", nonnegative=True)  # second moment 2/(1 + v)
    yield "u²/ν ≥ u²/2", nonnegative((1 + v) / 2 - Rational(half))


@LOWER.argued(
    bridge="These are the derivatives by which H is positive up to y = 1.",
    uses=[BOTH_ALIVE, NONZERO_DISTANCE],
    over=_ARGUED,
)
def margin_and_its_derivatives(given: Given) -> Obligations:
    """H(1) = H'(1) = 0, H'' as it is certified, and ℓue² = uy²(1 - y²)/2."""
    half = _half(given)
    yield "the exponent is a multiple of M(ζt/(κ²z))²", half is not None
    if half is None:
        return
    u, share = sp.Symbol("u", positive=True), 4 * Rational(half)  # u(c)
    t, rate = 1 - _Y**2, (_Y**-2 - 1) / 2
    E_ = u * _Y**2 * t / 2 + Rational(half) * u**2 * t**2
    yield "exponent", equal(rate * u * (_Y**2) ** 2 + Rational(half) * u**2 * t**2, E_)
    H = exp(-E_) - _worst(_C, rate)
    at_one = H.subs(_Y, 1).rewrite(erf)
    yield "H(1) = 0", bool(sp.expand(at_one) == 0)
    slope = sp.diff(H, _Y).subs(_Y, 1) - u + _mean_above(_C)
    yield "H'(1) = u - u(c)", bool(sp.simplify(slope.rewrite(erf)) == 0)
    first = u * (_Y - 2 * _Y**3) - share * u**2 * _Y * t
    second = u * (1 - 6 * _Y**2) - share * u**2 * (1 - 3 * _Y**2)
    density = sqrt(2 / pi) * exp(-(_C**2) / (2 * _Y**2))
    claimed = (first**2 - second) * exp(-E_) - _C**3 / _Y**4 * density
    yield "H''", equal(sp.diff(H, _Y, 2), claimed)
    place = {_C: 1, _Y: Rational(1, 2)}
    sides = (one.subs(u, _mean_above(_C)).subs(place) for one in (_worst(_C, rate), exp(-E_)))
    yield "the worst law against the exponent, at c = 1 and y = 1/2", bool(given.goal.func(*sides))


SHARP = EXPLICIT.sharpened(
    "eoc.prop12.sharp",
    title="Concentration of cosine distances with the constant one half on both sides",
    states=le(tail_distance, 2 * exp(-M * _RATIO**2 / 2)),
    given=_GIVEN,
    assuming=[BOTH_ALIVE, NONZERO_DISTANCE],
    rests_on=[EXPLICIT, LOWER, "eoc.prop12.best"],
    note=_NOTE,
)


@SHARP.proved()
def both_tails(given: Given) -> Theorem:
    """Add the bounds of both tails, by the union bound."""
    tails = {one: sp.Interval(0, 1) for one in (upper_tail, lower_tail, tail_distance)}
    union = of_either_tail(given, tail_distance, upper_tail, lower_tail, over=tails)
    return given.follows(union, given.fact(EXPLICIT, "upper tail"), given.fact(LOWER))
