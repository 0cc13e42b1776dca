"""Proposition D.1 for inputs that are independent of the matrices: a bound at every width."""

import sympy as sp
from sympy import Abs, Rational, Reals, Symbol, cos, exp, sin, sqrt

from theorems.attention_limit.letters.dot_products import X, u, width
from theorems.attention_limit.letters.mixtures import combination_variance, dot_sum, phase
from theorems.attention_limit.letters.table import claim
from theorems.attention_limit.proofs.dot_products.fourth_moments import GAUSSIAN_FORM
from theorems.attention_limit.proofs.dot_products.limit_law import exponentials_are_near
from theorems.classical import functions
from theorems.engine import (
    Given,
    Hypothesis,
    Provenance,
    both,
    eq,
    ge,
    half_line,
    implies,
    integers,
    le,
    rules,
)
from theorems.engine.rules import E, Theorem, facts, principles
from theorems.engine.rules.vocabulary import independent, randoms

_AT = "Proposition D.1"
_NOTE = "proofs_notes/attn_mixtures.md#inputs-that-are-independent-of-the-matrices"

INDEPENDENT_INPUTS = Hypothesis(
    "independent_inputs",
    "given the inputs, of which the matrices of the dot products are independent, $dot_sum is the"
    " sum of $width independent copies of $X, divided by the root of $width",
    latex=r"$dot_sum = \tfrac{1}{\sqrt{$width}} \sum_{\alpha \le $width} $X",
)
_SIZE = sqrt(15) * Abs(u) ** 3 * E(X**2) ** Rational(3, 2) / (6 * sqrt(width)) + u**4 * E(X**2) ** 2 / (
    8 * width
)


def _apart(variance: sp.Expr) -> sp.Expr:
    """The distance of the real part, after a phase, from that of a Gaussian variable."""
    return Abs(E(cos(u * dot_sum + phase)) - cos(phase) * exp(-(u**2) * variance / 2))


INDEPENDENT = claim(
    "attn.propD1.independent_inputs",
    at=_AT,
    title="At every width the characteristic function of the dot products is near the Gaussian one",
    states={
        "finite width": le(_apart(E(X**2)), _SIZE),
        "limit": le(_apart(combination_variance), _SIZE + u**2 * Abs(E(X**2) - combination_variance) / 2),
    },
    assuming=[INDEPENDENT_INPUTS, GAUSSIAN_FORM],
    rests_on=["attn.lemD8"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_k = Symbol("k", integer=True, nonnegative=True)
_w, _other = Symbol("w", nonnegative=True), Symbol("w'", nonnegative=True)
_a, _x = Symbol("a", real=True), Symbol("x", real=True)
_S, _X = randoms("S"), randoms("X")
_SIZES = half_line(0)


def _taylor() -> tuple[Theorem, Theorem]:
    """cos(a + b) differs from cos a - b sin a - b²cos(a)/2 by at most |b|³/6, with b = ux."""
    b, size = u * _x, Abs(u) ** 3 * Abs(_x) ** 3 / 6
    gap = cos(_a + b) - cos(_a) + b * sin(_a) + b**2 * cos(_a) / 2
    near = functions.cosine_near_parabola(_a, b)
    above, below = (rules.follows(one, [near]) for one in (le(gap, size), ge(gap, -size)))
    return above, below


def _exponential_near_line() -> Theorem:
    """1 - w ≤ e^(-w) ≤ 1 - w + w²/2 for w ≥ 0: the gap has the slope e^(-w) - 1 + w."""
    gap = 1 - _w + _w**2 / 2 - exp(-_w)
    tangent = facts.exponential_above_tangent(-_w)
    slope = rules.follows(ge(sp.diff(gap, _w), 0), [tangent])
    grows = principles.increasing(slope, gap, _w, _other)
    from_zero = grows.at({_w: 0, _other: _w})
    line = both(ge(exp(-_w), 1 - _w), le(exp(-_w), 1 - _w + _w**2 / 2))
    return rules.follows(line, [tangent, from_zero])


#: The angle of a partial sum, the summand that follows, and the mean of the cosine.
_angle, _step = u * _S(_k) + phase, _X(_k) / sqrt(width)
_cosine = E(cos(_angle))
_longer = E(cos(u * _S(_k + 1) + phase))
_NUMBERS = {u: Reals, phase: Reals, width: integers(1)}
_PLACES = {_k: integers(0), **_NUMBERS}
_LETTERS = {**_PLACES, X: X.belongs_to, _w: _SIZES}
#: What the exponent of one summand is, and what a summand adds to the distance.
_IS_IT = eq(_w, u**2 * E(X**2) / (2 * width))
_THIRD_ORDER = Abs(u) ** 3 * E(Abs(X) ** 3) / (6 * width ** Rational(3, 2))
_EACH = _THIRD_ORDER + _w**2 / 2


def _bounded() -> Theorem:
    """A mean of cosines is between -1 and 1."""
    places = {x: one for x, one in _PLACES.items() if x != width}
    known = functions.cosine(_a)
    sides = [rules.follows(one, [known]) for one in (le(cos(_a), 1), ge(cos(_a), -1))]
    means = [principles.expected_jointly(one, {_a: _angle}, over=places) for one in sides]
    return rules.follows(le(Abs(_cosine), 1), means, over=_PLACES)


def _one_summand_more(given: Given) -> Theorem:
    """A summand multiplies the mean of the cosine by 1 - w, hence by e^(-w), up to small terms."""
    pairs = [(_X(_k), sin(_angle)), (_X(_k) ** 2, cos(_angle))]
    known = [
        given.supposed(
            INDEPENDENT_INPUTS,
            *(independent(*pair) for pair in pairs),
            eq(E(_X(_k)), E(X)),
            eq(E(_X(_k) ** 2), E(X**2)),
            eq(E(Abs(_X(_k)) ** 3), E(Abs(X) ** 3)),
            over={**_PLACES, X: X.belongs_to},
        ),
        given.supposed(GAUSSIAN_FORM, eq(E(X), 0)),
        *(facts.expectation_of_independent(*pair) for pair in pairs),
        given.meaning("a sum with one term more", eq(_longer, E(cos(_angle + u * _step)))),
    ]
    expanded = [principles.expected_jointly(one, {_a: _angle, _x: _step}, over=_PLACES) for one in _taylor()]
    line = le(Abs(_longer - (1 - _w) * _cosine), _THIRD_ORDER)
    near_line = rules.follows(line, [*known, *expanded], under=[_IS_IT])
    goal = le(Abs(_longer - exp(-_w) * _cosine), _EACH)
    return rules.follows(goal, [near_line, _bounded(), _exponential_near_line()], under=[_IS_IT])


def _distances_add_up() -> Theorem:
    """If one step changes c to about ce, and c is near d, then the next c is near de."""
    letters = sp.symbols("c' c d e B", real=True)
    after, before, limit, factor, size = letters
    far = le(Abs(before - limit), _k * size)
    step = both(le(Abs(after - factor * before), size), ge(factor, 0), le(factor, 1))
    goal = implies(both(step, far), le(Abs(after - factor * limit), (_k + 1) * size))
    general = rules.follows(goal)
    place = (_longer, _cosine, cos(phase) * exp(-_k * _w), exp(-_w), _EACH)
    return general.at(dict(zip(letters, place, strict=True)))


def _sums(given: Given) -> Theorem:
    """By induction the mean of the cosine after k summands is near cos θ e^(-kw)."""
    none = given.meaning("a sum of no terms", eq(E(cos(u * _S(0) + phase)), cos(phase)))
    split = facts.exponential_of_sum((_k + 1) * -_w, -_k * _w, -_w)
    grows = facts.exponential_above_tangent(_w)
    small = rules.follows(both(ge(exp(-_w), 0), le(exp(-_w), 1)), [grows])
    step = [_one_summand_more(given), split, small, _distances_add_up()]
    near = le(Abs(_cosine - cos(phase) * exp(-_k * _w)), _k * _EACH)
    return rules.induction(near, _k, 0, base=[none], step=step, under=[_IS_IT])


def _second_moment() -> Theorem:
    """E X² is at least 0."""
    return rules.follows(ge(E(X**2), 0), [facts.expectation_of_square(X)])


def _finite_width(given: Given) -> Theorem:
    """All n summands together, with E|X|³ ≤ √15 (E X²)^(3/2)."""
    positive = [ge(E(X**2), 0)]
    values = {_k: width, _w: u**2 * E(X**2) / (2 * width)}
    sums = _sums(given).at(values, over=given.domain, under=positive)
    whole = given.meaning(
        "the combination of dot products", eq(E(cos(u * dot_sum + phase)), E(cos(u * _S(width) + phase)))
    )
    size = le(E(Abs(X) ** 3), sqrt(15) * E(X**2) ** Rational(3, 2))
    third = rules.follows(size, [given.fact("attn.lemD8"), _second_moment()])
    return given.follows(sums, whole, third, _second_moment(), goal=le(_apart(E(X**2)), _SIZE))


@INDEPENDENT.proved("finite width")
def one_summand_after_the_other(given: Given) -> Theorem:
    """Each of the n summands changes the mean of the cosine nearly as a Gaussian one does."""
    return _finite_width(given)


@INDEPENDENT.proved("limit")
def variance_of_the_limit(given: Given) -> Theorem:
    """The function e^(-x) has slopes between -1 and 0 for x ≥ 0."""
    own, other = (-(u**2) * one / 2 for one in (E(X**2), combination_variance))
    signs = [le(own, 0), le(other, 0)]
    near = [exponentials_are_near(*pair, under=signs) for pair in ((own, other), (other, own))]
    grows = facts.exponential_increases(own, other)
    bound = le(Abs(exp(own) - exp(other)), u**2 * Abs(E(X**2) - combination_variance) / 2)
    apart = rules.follows(bound, [*near, grows, _second_moment()])
    turned = rules.follows(
        le(Abs(cos(phase) * exp(own) - cos(phase) * exp(other)), bound.rhs), [functions.cosine(phase), apart]
    )
    return given.follows(_finite_width(given), turned)
