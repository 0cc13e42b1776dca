"""Lemma 2, proof: how far a bounded variable and its square can be from their means at once.

Along (δ, Δ) the second derivative of a head is the mean of ⟨2Sδ + (S² − Var S)U, X⟩ for the
centred S = ⟨Δq, X − a⟩. With |X| ≤ 1 all of the curvature comes down to the inequality here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import sympy as sp
from sympy import Abs, Eq, Expr, Function, Interval, Or, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import (
    Given,
    Hypothesis,
    Provenance,
    both,
    claims_in,
    eq,
    ge,
    interval,
    le,
    rules,
)
from theorems.engine.rules import E, P, Theorem, facts
from theorems.engine.rules.ranges import within
from theorems.shallow_transformer.head_letters import (
    centre,
    drawn,
    inside,
    outside,
    root,
    share,
    square,
)
from theorems.shallow_transformer.letters import LETTERS
from theorems.shallow_transformer.premises import stated
from theorems.shallow_transformer.token_sums import ranges_of

__all__ = ["BOUNDED_VARIABLE", "FOUR_NUMBERS", "POLYNOMIAL", "THREE_CONSTRAINTS"]

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/st_smoothness.md#a-variable-and-its-square"
_SIGNED = Interval(-1, 1)
#: S and S^2 - V, and the means of their sizes.
_S, _T = drawn - centre, (drawn - centre) ** 2 - square
SIZE, SQUARE = E(Abs(_S)), E(Abs(_T))
BELOW_ONE = Interval.Ropen(0, 1)

BOUNDED = [Eq(P(within(drawn, _SIGNED)), 1, evaluate=False)]
BOUNDED_VARIABLE = Hypothesis(
    "bounded_variable",
    "$drawn lies in [-1, 1] almost surely; $centre is its mean and $square its variance",
    Eq(P(within(drawn, _SIGNED)), 1, evaluate=False),
)


def _phi(p: Any, alpha: Any, beta: Any, mu: Any) -> Expr:
    return (1 - p) * (2 * alpha - p * (1 - mu**2)) - p * beta**2 / (1 - p)


FOUR_NUMBERS = claim(
    "st.lem2.four_numbers",
    at="Lemma 2, proof",
    title="A law on [-1, 1] enters through four numbers",
    states={
        "mean size": le(SIZE, inside + outside),
        "square": le(SQUARE, 2 * _phi(share, inside, outside, centre)),
        "sum": le(inside + outside, 1 - centre**2),
        "second": le(inside, share * (1 - centre**2) + Abs(centre) * outside),
        "third": le(inside, share * (1 + Abs(centre))),
    },
    given={
        **dict.fromkeys((drawn, centre, square, inside, outside)),
        share: BELOW_ONE,
    },
    assuming=[BOUNDED_VARIABLE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
# What holds of every number y in [-1, 1] holds in the mean. The event is that y lies far from μ.
#: Its name comes before those of the other letters, as random variables do in sums.
_y = Symbol("atom", real=True)
_far = Function("far", real=True)
_s, _in, _out = _y - centre, _far(_y), 1 - _far(_y)
_OVER = {_y: _SIGNED, **ranges_of(centre, square)}


def _on_average(*relations: Boolean) -> list[Theorem]:
    """Relations between numbers in [-1, 1], proved and averaged over Y."""
    there, near = ge(_s**2, square), le(_s**2, square)
    event = rules.textbook(
        "indicator of the event S^2 >= V",
        Or(both(Eq(_in, 1), there), both(Eq(_in, 0), near)),
        over=_OVER,
    )
    return [facts.expected(rules.follows(one, [event], over=_OVER), _y, drawn) for one in relations]


@cache
def _meaning() -> Theorem:
    """The four numbers."""
    there = _far(drawn)
    statement = both(
        eq(centre, E(drawn)),
        eq(share, E(there)),
        eq(inside, E(there) - centre * E(drawn * there)),
        eq(outside, E(Abs(_S) * (1 - there))),
    )
    over = {**ranges_of(centre, share, inside, outside), drawn: rules.RANDOM}
    return rules.meaning("what the four numbers stand for", statement, over=over)


@cache
def _variance() -> Theorem:
    over = {**ranges_of(centre, square), drawn: rules.RANDOM}
    return rules.textbook("variance", eq(square, E(_S**2)), over=over)


@cache
def of_sizes() -> list[Theorem]:
    """|y − μ| ≤ 1 − μy on [−1, 1], on the event and off it."""
    bound = 1 - centre * _y
    return [
        _meaning(),
        *_on_average(
            le(Abs(_s) * _in, bound * _in),
            le(Abs(_s) * _out, bound * _out),
            le(_s * _out, Abs(_s) * _out),
            le(-_s * _out, Abs(_s) * _out),
            le(_y * _in, _in),
            le(-_y * _in, _in),
            le(0, _in),
            le(_in, 1),
        ),
    ]


@cache
def of_squares() -> list[Theorem]:
    """E|S² − V| = 2E[S² − V; event]; S² ≤ 1 − 2μY + μ² there, and Cauchy-Schwarz elsewhere."""
    off = 1 - _far(drawn)
    return [
        _meaning(),
        _variance(),
        *_on_average(
            eq(Abs(_s**2 - square), (2 * _in - 1) * (_s**2 - square)),
            le(_in * _s**2, _in * (1 - 2 * centre * _y + centre**2)),
            eq(_out**2, _out),
            eq((Abs(_s) * _out) ** 2, _s**2 * _out),
            eq(Abs(_s) * _out**2, Abs(_s) * _out),
            le(0, _s**2 * _out),
            le(0, _out),
        ),
        facts.expectation_of_product(Abs(_S) * off, off, over=ranges_of(centre)),
    ]


@FOUR_NUMBERS.proved("mean size", "sum", "second", "third")
def chord(given: Given) -> Theorem:
    """α is E[1 − μY] on the event, and β = E|S| off it; both bound E|S| there."""
    return given.follows(*of_sizes(), goal=stated(FOUR_NUMBERS, given.part))


@FOUR_NUMBERS.proved("square")
def square_given_the_event(given: Given) -> Theorem:
    """2p(1 − p) times the difference of the means of S² on the event and off it."""
    return given.follows(*of_squares(), goal=stated(FOUR_NUMBERS, given.part))


THREE_CONSTRAINTS = Hypothesis(
    "three_constraints",
    "the numbers satisfy the three constraints of st.lem2.four_numbers",
    both(*(stated(FOUR_NUMBERS, name) for name in ("sum", "second", "third"))),
)

POLYNOMIAL = claim(
    "st.lem2.polynomial",
    at="Lemma 2, proof",
    title="The polynomial inequality behind the largest curvature",
    states=le(
        _phi(share, inside, outside, centre),
        (inside + outside) * sqrt(1 - inside - outside),
    ),
    given={centre: interval(0, 1), share: BELOW_ONE, inside: None, outside: None},
    assuming=[THREE_CONSTRAINTS],
    rests_on=[FOUR_NUMBERS],
    discharging={BOUNDED_VARIABLE: "only the three constraints are used"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
# With y = √(1 − a) ≥ μ and α = a − β, the right side less the left one, times 1 − p, is a
# polynomial that decreases in α.
_UNIT = Interval(0, 1)
_RANGES = {centre: _UNIT, share: BELOW_ONE, inside: Interval(0, sp.oo), root: _UNIT}
_A, _HALF = 1 - root**2, (1 - root) / 2
_ORDERED = le(centre, root)


def _known(goal: Boolean, *premises: Theorem, under: Iterable[Boolean] = ()) -> Theorem:
    given = tuple(under)
    used = goal.free_symbols.union(*(one.free_symbols for one in given))
    return rules.follows(goal, premises, over={x: _RANGES[x] for x in used}, under=given)


def _gap(goal: Boolean, alpha: Any) -> Expr:
    """(1 − p)(right − left) at α and β = a − α, for y = √(1 − a)."""
    left, right = (one.subs(sqrt(1 - inside - outside), root) for one in goal.args)
    there = {inside: alpha, outside: _A - alpha}
    return sp.cancel((1 - share) * (right - left).subs(there, simultaneous=True))


@POLYNOMIAL.argued(
    bridge="α is at most a, and at most both bounds below by the second and the third constraint;"
    " the gap decreases in α, and the three ranges of p cover [0, 1).",
    over={share: BELOW_ONE, centre: interval(0, 1)},
)
def three_ranges(given: Given) -> list[Theorem]:
    """α ≤ a = 1 − y², α ≤ p(1 − μ) + μa/(1 + μ), α ≤ p(1 + μ), in this order from large p on."""
    goal, other = given.goal, Symbol("alpha_1", nonnegative=True)
    decreasing = rules.follows(
        le(_gap(goal, other), _gap(goal, inside)),
        over={**_RANGES, other: Interval(0, sp.oo)},
        under=[le(inside, other), le(other, _A)],
    )
    return [decreasing, *_large(goal), *_middle(goal), *_small(goal)]


def _large(goal: Boolean) -> list[Theorem]:
    """p ≥ a/(1 − μ²), α = a: (1 − p)(2a − p(1 − μ²)) ≤ (1 − a)a = y²a ≤ ya."""
    far = [ge(share * (1 - centre**2), _A)]
    factors = [
        _known(le(2 * _A - share * (1 - centre**2), _A), under=far),
        _known(le(1 - share, root**2), under=far),
    ]
    return [*factors, _known(ge(_gap(goal, _A), 0), *factors, under=far)]


def _middle(goal: Boolean) -> list[Theorem]:
    """(1 − y)/2 ≤ p ≤ a/(1 − μ²): the gap is quadratic in p, with three Bernstein coefficients.

    The second one has positive coefficients as a form in μ, y − μ and 1 − y.
    """
    alpha = share * (1 - centre) + centre * _A / (1 + centre)
    room = 1 - centre**2
    gap = sp.Poly(sp.cancel((1 + centre) ** 2 * _gap(goal, alpha)), share)
    at_low, slope = gap.as_expr().subs(share, _HALF), gap.diff(share).as_expr().subs(share, _HALF)
    ends = [at_low, room**2 * gap.as_expr().subs(share, _A / room)]
    between = sp.cancel(room * at_low + slope * (_A - room * _HALF) / 2)
    order = {centre: BELOW_ONE, root: Interval(0, 1)}
    found = [rules.follows(ge(sp.factor(one), 0), over=order, under=[_ORDERED]) for one in ends]
    quotient = sp.cancel(4 * between / (1 - root))
    form, parts = _form(quotient)
    nonnegative = rules.decided(ge(form, 0), over=dict.fromkeys(parts, Interval(0, sp.oo)))
    at = dict(zip(parts, (centre, root - centre, 1 - root), strict=True))
    there = rules.instance(nonnegative, at, over=order, under=[_ORDERED])
    same = rules.decided(eq(between, there.statement.lhs * (1 - root) / 4), over=order)
    return [*found, there, same]


def _form(polynomial: Expr) -> tuple[Expr, tuple[Symbol, ...]]:
    """A polynomial in μ and y as a form in parts that add up to 1: μ, y − μ and 1 − y."""
    parts = sp.symbols("mu z q", nonnegative=True)
    terms = sp.Poly(polynomial, centre, root)
    degree = terms.total_degree()
    form = sum(
        c * parts[0] ** i * (parts[0] + parts[1]) ** j * sum(parts) ** (degree - i - j)
        for (i, j), c in terms.terms()
    )
    return sp.expand(form), parts


def _small(goal: Boolean) -> list[Theorem]:
    """p ≤ (1 − y)/2, α = p(1 + μ): the gap decreases in μ up to μ = y, where it is a product."""
    near = [_ORDERED, le(share, _HALF)]
    gap = _gap(goal, share * (1 + centre))
    at_y = sp.factor(gap.subs(centre, root))
    order = {x: _RANGES[x] for x in (centre, share, root)}
    largest = rules.follows(ge(gap, gap.subs(centre, root)), over=order, under=near)
    return [largest, _known(ge(at_y, 0), under=near[1:])]
