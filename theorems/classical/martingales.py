"""The maximal inequality for nonnegative supermartingales."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from theorems.classical.hypotheses import STOPPED_SUPERMARTINGALE
from theorems.classical.letters import LETTERS, filtration, level, process, reached, start
from theorems.classical.steps import assumed, letters_of
from theorems.engine import Given, Provenance, claims_in, eq, ge, gt, le, open_interval, rules
from theorems.engine.rules import Theorem

# Branches of a process in discrete time: the value now, and what may follow with its probability.
Tree = tuple[Fraction, list[tuple[Fraction, Any]]]
claim = claims_in(LETTERS)

MAXIMAL = claim(
    "classical.maximal",
    at="martingales",
    title="The maximal inequality of Doob and Ville, for supermartingales up to the level",
    states=le(reached, start / level),
    given=[level, process, filtration, start, reached],
    assuming=[STOPPED_SUPERMARTINGALE],
    provenance=Provenance.CLASSICAL,
)


@MAXIMAL.proved()
def stop_at_the_level(given: Given) -> Theorem:
    """With τ the first time that M ≥ a: E M_{τ∧n} does not increase, and is ≥ a P(τ ≤ n).

    The probability of τ ≤ n comes as close to that of τ < ∞ as one likes.
    """
    n = sp.Symbol("n", integer=True, nonnegative=True)
    slack = sp.Symbol("slack", positive=True)
    stopped, hit = (sp.Function(name, real=True) for name in ("stopped", "hit"))
    late = sp.Function("late", real=True)
    natural, letters = {n: sp.Range(sp.oo)}, letters_of(given, level, start)
    steps = [
        assumed(given, STOPPED_SUPERMARTINGALE, le(stopped(n + 1), stopped(n)), over=natural),
        assumed(
            given, STOPPED_SUPERMARTINGALE, eq(stopped(0), start), over=letters_of(given, start)
        ),
    ]
    shrinks = rules.induction(
        le(stopped(n), start), n, 0, base=steps[1:], step=steps[:1], over=letters_of(given, start)
    )
    markov = rules.textbook(
        "Markov's inequality",
        le(level * hit(n), stopped(n)),
        over={**natural, level: letters[level]},
        detail="hit(n) is the chance to reach the level up to time n",
    )
    bound = rules.follows(le(hit(n), start / level), [shrinks, markov], over={**natural, **letters})
    slacks = {slack: open_interval(0, sp.oo), reached: given.domain[reached]}
    there = sp.Contains(late(slack), sp.S.Naturals0, evaluate=False)
    near = rules.textbook(
        "continuity of measures",
        sp.And(there, ge(hit(late(slack)), reached - slack)),
        over=slacks,
        detail="late(slack) is a time up to which the level is reached with nearly all the chance",
    )
    at_that_time = rules.instance(bound, {n: late(slack)}, over=slacks, under=[there])
    over = {**letters, **slacks}
    almost = rules.follows(le(reached - slack, start / level), [near, at_that_time], over=over)
    beyond = gt(reached, start / level)
    half = rules.instance(almost, {slack: (reached - start / level) / 2}, under=[beyond])
    return given.follows(half)


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
