"""Lemma 2, proof: how far a bounded variable and its square can be from their means at once.

Along (δ, Δ) the second derivative of a head is the mean of ⟨2Sδ + (S² − Var S)U, X⟩ for the
centred S = ⟨Δq, X − a⟩. With |X| ≤ 1 all of the curvature comes down to the inequality here.
"""

from functools import cache
from typing import Any

import sympy as sp
from sympy import Abs, Eq, Expr, Function, Interval, Or, Symbol, sqrt
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, Hypothesis, Provenance, both, eq, ge, implies, interval, le, lt, rules
from theorems.engine.rules import E, P, Theorem, facts, principles
from theorems.engine.rules.ranges import within
from theorems.shallow_transformer.analysis.one_head.polynomial_steps import (
    ORDERED,
    concluded,
    known,
    quadratic_between,
    raised,
)
from theorems.shallow_transformer.letters.head import centre, drawn, inside, outside, root, share, square
from theorems.shallow_transformer.letters.paper import claim
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.networks import stated

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
    title="Mean deviations of a variable in [-1, 1] and of its square, bounded by four numbers",
    states={
        "mean size": le(SIZE, inside + outside),
        "square": le(SQUARE, 2 * _phi(share, inside, outside, centre)),
        "sum": le(inside + outside, 1 - centre**2),
        "second": le(inside, share * (1 - centre**2) + Abs(centre) * outside),
        "third": le(inside, share * (1 + Abs(centre))),
    },
    given={share: BELOW_ONE},
    assuming=[BOUNDED_VARIABLE],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
# What holds of every number y in [-1, 1] holds in the mean. The event is that y lies far from μ.
#: Its name comes before those of the other letters, as random variables do in sums.
_y = Symbol("atom", real=True)
_far = Function("far", real=True)
_s, _in, _out = _y - centre, _far(_y), 1 - _far(_y)
_OVER = {_y: _SIGNED, **as_declared(centre, square)}


def _on_average(*relations: Boolean) -> list[Theorem]:
    """Relations between numbers in [-1, 1], proved and averaged over Y."""
    there, near = ge(_s**2, square), le(_s**2, square)
    indicator = ONE_HEAD.meaning(
        "indicator of the event S^2 >= V",
        both(implies(there, Eq(_in, 1)), implies(lt(_s**2, square), Eq(_in, 0))),
        over=_OVER,
    )
    either = Or(both(Eq(_in, 1), there), both(Eq(_in, 0), near))
    event = rules.follows(either, [indicator])
    return [principles.expected(rules.follows(one, [event], over=_OVER), _y, drawn) for one in relations]


@cache
def _meaning(shares: Interval) -> Theorem:
    """The four numbers, of events of these probabilities."""
    there = _far(drawn)
    says = both(
        eq(centre, E(drawn)),
        eq(share, E(there)),
        eq(inside, E(there) - centre * E(drawn * there)),
        eq(outside, E(Abs(_S) * (1 - there))),
    )
    over = {**as_declared(says), share: shares}
    return ONE_HEAD.meaning("what the four numbers stand for", says, over=over)


@cache
def _variance() -> Theorem:
    return ONE_HEAD.meaning("the variance", eq(square, E(_S**2)))


@cache
def of_sizes(shares: Interval = BELOW_ONE) -> list[Theorem]:
    """|y − μ| ≤ 1 − μy on [−1, 1], on the event and off it."""
    bound = 1 - centre * _y
    return [
        _meaning(shares),
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
def of_squares(shares: Interval = BELOW_ONE) -> list[Theorem]:
    """E|S² − V| = 2E[S² − V; event]; S² ≤ 1 − 2μY + μ² there, and Cauchy-Schwarz elsewhere."""
    off = 1 - _far(drawn)
    return [
        _meaning(shares),
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
        facts.expectation_of_product(Abs(_S) * off, off, over=as_declared(centre)),
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
    states=le(_phi(share, inside, outside, centre), (inside + outside) * sqrt(1 - inside - outside)),
    given={centre: interval(0, 1), share: BELOW_ONE},
    assuming=[THREE_CONSTRAINTS],
    rests_on=[FOUR_NUMBERS],
    discharging={BOUNDED_VARIABLE: "only the three constraints are used"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
# With y = √(1 − a) ≥ μ and β = a − α, the right side less the left one, times 1 − p, is a
# polynomial: the gap. It decreases in α ≤ a, and is at least 0 at the largest α, a quotient c/k.
_c, _k = Symbol("c", real=True), Symbol("k", positive=True)
_A, _ROOM, _HALF = 1 - root**2, 1 - centre**2, (1 - root) / 2
#: The bounds of (1 + μ)α and of α by the second and the third constraint.
_SECOND, _THIRD = share * _ROOM + centre * _A, share * (1 + centre)


def _at_root(relation: Boolean) -> Boolean:
    """A relation at y = √(1 − a) and β = a − α."""
    parts = (one.subs(sqrt(1 - inside - outside), root) for one in relation.args)
    return relation.func(*(one.subs(outside, _A - inside) for one in parts), evaluate=False)


_WANTED = _at_root(stated(POLYNOMIAL))
_GAP = sp.cancel((1 - share) * (_WANTED.rhs - _WANTED.lhs))
#: k² times the gap at α = c/k.
_SCALED = sp.expand(sp.cancel(_k**2 * _GAP.subs(inside, _c / _k)))


def _gap(top: Expr, below: Expr = sp.S.One) -> Expr:
    """The gap where α is a quotient, times the square of what it is divided by."""
    return _SCALED.xreplace({_c: top, _k: below})


@POLYNOMIAL.proved()
def three_ranges(given: Given) -> Theorem:
    """The statement at y = √(1 − a), where the constraints at y are those of the claim."""
    at = given.instance(_at_every_root(), {root: sqrt(1 - inside - outside)})
    return given.follows(at, goal=stated(POLYNOMIAL))


@cache
def _at_every_root() -> Theorem:
    """The statement in y and α: the gap is at least 0 on three ranges of p, which cover [0, 1)."""
    bounds = [ORDERED, le(inside, _A), le((1 + centre) * inside, _SECOND), le(inside, _THIRD)]
    ranges = [_large(), _middle(), _small()]
    gap = rules.cases(ranges, under=bounds)
    constraints = [_at_root(THREE_CONSTRAINTS.formula), le(inside, _A)]
    there = concluded(gap, {}, under=constraints)
    return raised(_WANTED, _GAP, there, factor=1 - share, under=constraints)


def _large() -> Theorem:
    """p ≥ a/(1 − μ²), α = a: (1 − p)(2a − p(1 − μ²)) ≤ (1 − a)a = y²a ≤ ya."""
    far = [ge(share * _ROOM, _A)]
    factors = [known(le(2 * _A - share * _ROOM, _A), under=far), known(le(1 - share, root**2), under=far)]
    return _up_to(known(le(0, _gap(_A)), *factors, under=far), _A)


def _middle() -> Theorem:
    """(1 − y)/2 ≤ p < a/(1 − μ²), α = p(1 − μ) + μa/(1 + μ): the gap is quadratic in p."""
    between = [ORDERED, ge(share, _HALF), lt(share * _ROOM, _A)]
    gap = _gap(_SECOND, 1 + centre)
    return _up_to(quadratic_between(gap, _HALF, _A, _ROOM, between), _SECOND, 1 + centre)


def _small() -> Theorem:
    """p ≤ (1 − y)/2, α = p(1 + μ): the gap decreases in μ up to μ = y, where it is a product."""
    near, gap = [ORDERED, le(share, _HALF)], _gap(_THIRD)
    product = sp.factor(gap.subs(centre, root))
    least = raised(le(0, gap), product, known(le(0, product), under=near), under=near)
    return _up_to(least, _THIRD)


def _up_to(least: Theorem, top: Expr, below: Expr = sp.S.One) -> Theorem:
    """The gap is at least 0 for kα ≤ c, as it is at α = c/k ≤ a."""
    under = [*least.under, le(below * inside, top)]
    return concluded(_decreasing(), {_c: top, _k: below}, least, under=under)


@cache
def _decreasing() -> Theorem:
    """The gap is at least 0 for α ≤ c/k ≤ a if it is at c/k."""
    under = [le(_k * inside, _c), le(_c, _k * _A), le(0, _SCALED)]
    return raised(le(0, _GAP), _SCALED, factor=_k**2, under=under)
