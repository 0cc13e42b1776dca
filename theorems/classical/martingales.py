"""The maximal inequality for nonnegative supermartingales."""

from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from theorems.classical.conditional_means import tower_rule
from theorems.classical.hypotheses import STOPPED_SUPERMARTINGALE
from theorems.classical.letters import claim, level, reached, start
from theorems.engine import Given, Provenance, eq, ge, implies, le, rules
from theorems.engine.rules import E, P, Random, Theorem, facts, principles
from theorems.engine.rules.vocabulary import randoms

# Branches of a process in discrete time: the value now, and what may follow with its probability.
Tree = tuple[Fraction, list[tuple[Fraction, Any]]]

MAXIMAL = claim(
    "classical.maximal",
    at="martingales",
    title="The maximal inequality of Doob and Ville, for supermartingales up to the level",
    states=le(reached, start / level),
    assuming=[STOPPED_SUPERMARTINGALE],
    provenance=Provenance.CLASSICAL,
)


_n, _x = sp.Symbol("n", integer=True, nonnegative=True), sp.Symbol("x", real=True)
_X = Random("X")
_HALF_LINE = sp.Interval(0, sp.oo)
#: The process, what it is on average given the past, whether it has not reached the level by then,
#: and the process that stops there.
_PROCESS, _CONDITIONAL = randoms("process"), randoms("conditional_mean")
_GOES_ON, _STOPPED = randoms("goes_on"), randoms("stopped")


@MAXIMAL.proved()
def stop_at_the_level(given: Given) -> Theorem:
    """With τ the first time that M ≥ a: E M_{τ∧n} does not increase, and is ≥ a P(τ ≤ n).

    The probability of τ < ∞ is the supremum of those of τ ≤ n.
    """
    hit = sp.Function("hit", real=True)
    pass
    shrinks = rules.induction(
        le(E(_STOPPED(_n)), start),
        _n,
        0,
        base=[given.meaning("the mean of the first value", eq(E(_STOPPED(0)), start))],
        step=[_stopped_means_shrink(given)],
    )
    chance = given.meaning(
        "the chance to reach the level up to a time", eq(hit(_n), P(ge(_STOPPED(_n), level)))
    )
    known = [shrinks, chance, *_markov(given)]
    bound = rules.follows(le(hit(_n), start / level), known)
    top = principles.supremum(bound, reached, over={reached: given.domain[reached]})
    return given.follows(top)


def _stopped_means_shrink(given: Given) -> Theorem:
    """The step is J(M' - M), J being 1 before the level is reached and 0 afterwards."""
    value, after, conditional = _PROCESS(_n), _PROCESS(_n + 1), _CONDITIONAL(_n)
    goes_on = _GOES_ON(_n)
    positive = rules.follows(ge(_x, 0), over={_x: _HALF_LINE})
    gap = goes_on * (value - conditional)
    known = [
        given.meaning(
            "the stopped process", eq(E(_STOPPED(_n + 1)), E(_STOPPED(_n) + goes_on * (after - value)))
        ),
        tower_rule(given.meaning, after, conditional, factor=goes_on),
        given.supposed(STOPPED_SUPERMARTINGALE, eq(P(gap >= 0), 1)),
        principles.expected(positive, _x, _X).at({_X: gap}),
    ]
    return rules.follows(le(E(_STOPPED(_n + 1)), E(_STOPPED(_n))), known)


def _markov(given: Given) -> list[Theorem]:
    """Markov's inequality for the stopped process, which is not negative."""
    pass
    size = rules.follows(eq(sp.Abs(_x), _x), over={_x: _HALF_LINE})
    larger = implies(ge(_x, level), ge(sp.Abs(_x), level))
    larger = rules.follows(larger)
    stopped = _STOPPED(_n)
    return [
        given.supposed(STOPPED_SUPERMARTINGALE, eq(P(stopped >= 0), 1)),
        principles.expected(size, _x, _X).at({_X: stopped}),
        principles.more_probable(larger, _x, _X).at({_X: stopped}),
        facts.markov(stopped, level),
    ]


@st.composite
def _trees(draw: st.DrawFn) -> tuple[Tree, Fraction]:
    """Supermartingales of up to four steps with rational values, and a level."""
    depth = draw(st.integers(1, 4))
    parts = st.integers(0, 6)

    def grow(value: Fraction, steps: int) -> Tree:
        if steps == 0 or value == 0:
            return value, []
        share = Fraction(draw(st.integers(1, 5)), 6)
        lost = value * Fraction(draw(st.sampled_from([0, 0, 0, 1])), 4)
        up = (value - lost) * Fraction(draw(parts), 6) / share
        down = (value - lost - share * up) / (1 - share)
        return value, [(share, grow(up, steps - 1)), (1 - share, grow(down, steps - 1))]

    levels = st.one_of(st.just(Fraction(1, 100)), st.integers(4, 24).map(lambda k: Fraction(k, 4)))
    return grow(Fraction(1), depth), draw(levels)


def _reaches(tree: Tree, level: Fraction) -> Fraction:
    """The probability that the process reaches the level."""
    value, branches = tree
    if value >= level:
        return Fraction(1)
    return sum((share * _reaches(branch, level) for share, branch in branches), Fraction(0))


@MAXIMAL.tested(over=_trees)
def exact_chances(case: tuple[Tree, Fraction]) -> dict[Any, Any]:
    """Exact probabilities on trees; a martingale that jumps to the level or to 0 attains it."""
    tree, height = case
    return {level: height, start: tree[0], reached: _reaches(tree, height)}
