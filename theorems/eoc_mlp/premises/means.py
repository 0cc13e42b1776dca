"""Means over one unit of a layer, integrated, and what is said of them at every cosine."""

from typing import Any

from sympy import Expr, acos, pi

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.notation import ABBREVIATIONS, NOT_BOTH_ZERO
from theorems.classical.functions import inverse_sine, range_of_arccosine
from theorems.engine import Given, gt, lt, open_interval, rules
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters import rho, t


def carried_out(before: Expr, after: Expr) -> Decision:
    """The check of a step that carries out what is written."""
    return decide_equal(before.doit(), after)


def by_cosine(given: Given, fact: Any) -> list[Theorem]:
    """What a claim says of the cosine map between, and at both ends."""
    angle, cosines = acos(rho), {rho: open_interval(-1, 1)}
    inside = gt(angle, 0), lt(angle, pi)
    between = rules.instance(given.fact(fact, "between"), {t: angle}, over=cosines, under=inside)
    # At the ends the claim is about no angle: any will do for the one that it speaks of.
    right = {rho: 0, t: pi / 2}
    ends = [rules.instance(given.fact(fact, end), right) for end in ("at 1", "at -1")]
    range_ = range_of_arccosine(rho, over=cosines)
    closed = {rho: given.domain[rho]}
    values = [inverse_sine(rho, end * pi / 2, over=closed) for end in (1, -1)]
    return [between, range_, *values, *ends]


def integrated(mean: Expr, value: Expr, factor: Any = 1) -> Theorem:
    """A factor times a mean of one standard normal variable, integrated."""

    def carried_out(before: Expr, after: Expr) -> Decision:
        return decide_equal(unfolded(before).doit().subs(where), after, {}, under=NOT_BOTH_ZERO)

    step = Step(value, "integrate over both half lines", carried_out)
    where = {} if factor == 1 else ABBREVIATIONS
    under = () if factor == 1 else NOT_BOTH_ZERO
    return rules.derived(
        Derivation("A mean of slopes", "", factor * mean, [step], where=where, under=under)
    )
