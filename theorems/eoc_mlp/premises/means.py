"""Means over one unit of a layer: what they stand for, and what they are, integrated."""

from typing import Any

from sympy import And, Expr, Symbol, acos, pi

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian import GaussianMean
from symbolic.notation import ABBREVIATIONS, NOT_BOTH_ZERO
from theorems.classical.functions import inverse_sine, range_of_arccosine
from theorems.engine import Given, eq, gt, half_line, implies, lt, open_interval, rules
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters import LETTERS, SIGMA, a, b, rho, t, tau1, tau2, u, u1, u2
from theorems.eoc_mlp.letters.table import POSITIVE


def _pulled_out(integrand: Expr, factor: Expr, simpler: Expr) -> Theorem:
    """Positive factors of the arguments come out of a function, or vanish in its derivative."""
    # A length may be zero where it comes out.
    positive = {x: Symbol(x.name, positive=True) for x in (tau1, tau2) if factor == 1}
    range_ = POSITIVE if positive else half_line(0)

    def at_every_point(before: Expr, after: Expr) -> Decision:
        (mean,) = after.atoms(GaussianMean)
        sides = before.integrand, after / mean * mean.integrand
        return decide_equal(*(unfolded(one).subs(positive) for one in sides))

    return rules.derived(
        Derivation(
            title="Positive factors of the arguments",
            name="",
            start=GaussianMean(integrand, u1, u2, rho),
            steps=[
                Step(factor * GaussianMean(simpler, u1, u2, rho), "homogeneity", at_every_point)
            ],
            domain={tau1: range_, tau2: range_, rho: LETTERS[rho].domain},
        )
    )


def carried_out(before: Expr, after: Expr) -> Decision:
    """The check of a step that carries out what is written."""
    return decide_equal(before.doit(), after)


def _of_both(function: Any, first: Any = u1, second: Any = u2) -> Any:
    return function(first, a, b) * function(second, a, b)


_SCALED = SIGMA * tau1 * u1, SIGMA * tau2 * u2


def of_one_unit(given: Given, quantity: Expr, function: Any, factor: Any) -> list[Theorem]:
    """What a mean over equal units is, at cosines between and at both ends."""
    same, opposite = (GaussianMean(_of_both(function, u, sign * u), u) for sign in (1, -1))
    mean = GaussianMean(_of_both(function, *_SCALED), u1, u2, rho)
    pulled = _pulled_out(_of_both(function, *_SCALED), factor, _of_both(function))
    ends = {1: same, -1: opposite}
    laws = [
        given.meaning(
            f"{quantity}, a mean over equal units of preactivations sigma tau_i u_i, at {name},",
            implies(condition, eq(quantity, value)),
        )
        for name, condition, value in (
            ("a correlation between", And(rho > -1, rho < 1), mean),
            ("correlation 1", eq(rho, 1), factor * ends[1]),
            ("correlation -1", eq(rho, -1), factor * ends[-1]),
        )
    ]
    return [*laws, pulled]


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
        return decide_equal(before.doit().subs(where), after, {}, under=NOT_BOTH_ZERO)

    step = Step(value, "integrate over both half lines", carried_out)
    where = {} if factor == 1 else ABBREVIATIONS
    under = () if factor == 1 else NOT_BOTH_ZERO
    return rules.derived(
        Derivation("A mean of slopes", "", factor * mean, [step], where=where, under=under)
    )
