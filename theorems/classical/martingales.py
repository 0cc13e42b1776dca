"""The maximal inequality for nonnegative supermartingales."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from theorems.engine import Measured, Obligations, Provenance, claim, half_line, integers

# Branches of a process in discrete time: the value now, and what may follow with its probability.
Tree = tuple[Fraction, list[tuple[Fraction, Any]]]

MAXIMAL = claim(
    "classical.maximal",
    at="martingales",
    title="The maximal inequality of Doob and Ville",
    states=(
        r"M_k \ge 0, \; \mathbb{E}(M_k \mid \mathcal{F}_{k-1}) \le M_{k-1} \implies"
        r" \mathbb{P}\bigl(\sup_{k \ge 0} M_k \ge a\bigr) \le \frac{\mathbb{E}M_0}{a}"
    ),
    given={"a": half_line(0, closed=False), "k": integers(0)},
    assuming="a supermartingale only up to the first time that M reaches a is enough",
    provenance=Provenance.CLASSICAL,
)


@MAXIMAL.proved(
    controls={
        "one_step_more": {"late": 1},
        "not_stopped": {"stopped": False},
        "twice": {"level": 2},
    }
)
def stop_at_the_level(late: int = 0, stopped: bool = True, level: int = 1) -> Obligations:
    """With τ the first time that M ≥ a: M_{τ∧n} = M_0 + Σ_k 1{τ ≥ k}(M_k - M_{k-1}).

    {τ ≥ k} is known at time k - 1, so that each term has mean ≤ 0; and M_{τ∧n} ≥ a 1{τ ≤ n}.
    Let n → ∞.  Here the identity for every value of τ up to n = 5, and the least of M_{τ∧n}.
    """
    last = 5
    values = sp.symbols(f"M0:{last + 1}", nonnegative=True)
    excess, a = sp.Symbol("e", nonnegative=True), sp.Symbol("a", positive=True)
    for time in (*range(last + 1), last + 1):  # the last one means: not up to n
        steps = [
            values[k] - values[k - 1] for k in range(1, last + 1) if time >= k + late or not stopped
        ]
        gap = sp.expand(values[min(time, last)] - values[0] - sum(steps))
        yield f"τ = {time}", bool(gap == 0)
    yield "M_τ = a + e ≥ a where τ ≤ n", sp.expand(a + excess - level * a - excess).is_nonnegative
    yield "M_n ≥ 0 elsewhere", excess.is_nonnegative


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

    return grow(Fraction(1), depth), Fraction(draw(st.integers(4, 24)), 4)


def _reaches(tree: Tree, level: Fraction) -> Fraction:
    """The probability that the process reaches the level."""
    value, branches = tree
    if value >= level:
        return Fraction(1)
    return sum((share * _reaches(branch, level) for share, branch in branches), Fraction(0))


@MAXIMAL.tested(over=_trees, controls={"one_per_cent_less": {"factor": Fraction(99, 100)}})
def reached_over_bound(case: tuple[Tree, Fraction], factor: Fraction | int = 1) -> Measured:
    """Exact probabilities on trees; a martingale that jumps to the level or to 0 attains 1."""
    tree, level = case
    return Measured(float(_reaches(tree, level) * level / factor))
