"""Means over the units of a layer: the law of preactivations, and integrals at every cosine."""

from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any

from sympy import Eq, Expr, Function, Sum, Symbol, acos, pi
from sympy.logic.boolalg import Boolean

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian import GaussianMean
from symbolic.notation import ABBREVIATIONS, NOT_BOTH_ZERO
from theorems.classical.functions import inverse_sine, range_of_arccosine
from theorems.classical.normal_means import by_covariance
from theorems.engine import Given, eq, gt, half_line, implies, integers, lt, open_interval, rules
from theorems.engine.rules import E, Theorem, Vector, inner, sums
from theorems.engine.rules.vocabulary import normal, randoms
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters import SIGMA, a, b, rho, t, tau1, tau2, u, u1, u2, u_i, u_j, x_i, x_j
from theorems.eoc_mlp.letters.table import POSITIVE
from theorems.eoc_mlp.premises.given import meaning, ranges

_INDEX = Symbol("unit", integer=True, nonnegative=True)
_UNITS = Symbol("units", integer=True, positive=True)
_COUNTED, _MEAN = {_UNITS: integers(1)}, "a mean over the units of a layer"
#: The preactivations of a unit for two inputs.
_OF_A_UNIT = tuple(randoms(f"preactivation at {name}")(_INDEX) for name in ("x_1", "x_2"))


def lengths(given: Given, first: Vector, second: Vector) -> Theorem:
    """|x_1| = τ_1, |x_2| = τ_2 and ⟨x_1, x_2⟩ = ρτ_1τ_2."""
    squares = (eq(inner(x, x), tau**2) for x, tau in ((first, tau1), (second, tau2)))
    product = eq(inner(first, second), rho * tau1 * tau2)
    return meaning(given, "lengths and cosine of the activations", *squares, product)


def of_a_row(given: Given, pair: tuple[Expr, ...], rows: Theorem) -> list[Theorem]:
    """The law of two forms of a normal row, at two activations.

    ``rows`` says what covariances of preactivations are, as ``eoc.prop11.rows`` does.
    """
    below = Vector("x_1"), Vector("x_2")
    ends = combinations_with_replacement(zip(pair, below, strict=True), 2)
    at = ({u_i: U, x_i: x, u_j: V, x_j: y} for (U, x), (V, y) in ends)
    entries = [given.substituted(rows, one) for one in at]
    law = given.meaning("preactivations, forms of one normal row", normal(*pair))
    return [law, lengths(given, *below), *entries]


def of_a_pair(
    given: Given, form: Callable[[Any, Any], Any], pair: tuple[Expr, ...], law: list[Theorem],
    simpler: Expr, factor: Any = 1, at: Any = rho,
) -> Theorem:  # fmt: skip
    """E f(U, V) for two preactivations, as the ``factor`` times the mean of a ``simpler`` function.

    The correlation is that of the activations, between 1 and -1, or ``at`` 1 or -1.
    """
    values = (u1, u2) if at == rho else (u, u2)
    letters = ranges(given, (SIGMA, a, b, rho, tau1, tau2))
    over = {**letters, **dict.fromkeys(pair[0].free_symbols & {_INDEX}, integers(0))}
    scales, where = (SIGMA * tau1, SIGMA * tau2), [Eq(rho, at)]
    if at == rho:
        where = [gt(rho, -1), lt(rho, 1)]
    exact = by_covariance(form(*values), values, pair, scales, at, over=over)
    mean, pulled = exact.statement.args
    pulled = _pulled_out(pulled, factor, simpler, letters)
    goal = eq(mean, pulled.statement.rhs)
    objects = {x: x.belongs_to for x in mean.free_symbols if hasattr(x, "belongs_to")}
    return rules.follows(goal, [exact, pulled, *law], over={**over, **objects}, under=where)


def _pulled_out(mean: GaussianMean, factor: Any, simpler: Expr, over: Any) -> Theorem:
    """Positive factors of the arguments come out of a function, or vanish in its derivative."""
    # A length may be zero where it comes out.
    positive = {x: Symbol(x.name, positive=True) for x in (tau1, tau2) if factor == 1}
    range_, after = POSITIVE if positive else half_line(0), GaussianMean(simpler, *mean.args[1:])

    def at_every_point(before: Expr, _: Expr) -> Decision:
        there = factor * simpler
        first, second = (unfolded(one).subs(positive) for one in (before.integrand, there))
        return decide_equal(first, second, {rho: over[rho]})

    return rules.derived(
        Derivation(
            title="Positive factors of the arguments",
            name="",
            start=mean,
            steps=[Step(factor * after, "homogeneity", at_every_point)],
            domain={tau1: range_, tau2: range_, rho: over[rho]},
        )
    )


def of_equal_units(
    given: Given, quantity: Expr, function: Any, rows: Theorem, scale: Any = 1, factor: Any = 1
) -> list[Theorem]:
    """What a mean over the units of a layer is, at cosines between and at both ends.

    The ``quantity`` is the ``scale`` times the mean of the products of two values of a function,
    out of which the ``factor`` comes.
    """

    def product(first: Any, second: Any) -> Any:
        return function(first, a, b) * function(second, a, b)

    total = Sum(E(product(*_OF_A_UNIT)), (_INDEX, 0, _UNITS - 1))
    meant = given.meaning(_MEAN, eq(quantity, scale * total / _UNITS), over=_COUNTED)
    law = of_a_row(given, _OF_A_UNIT, rows)
    ends = ((at, product(u1, u2) if at == rho else product(u, at * u)) for at in (rho, 1, -1))
    each = [of_a_pair(given, product, _OF_A_UNIT, law, one, factor, at) for at, one in ends]
    return [_added(meant, quantity, scale, one) for one in each]


def _added(meant: Theorem, quantity: Expr, scale: Any, each: Theorem) -> Theorem:
    """The mean over the units is that of any one of them."""
    over = {**{x: one for x, one in each.over.items() if x != _INDEX}, **meant.over}
    numbers = {x: one for x, one in over.items() if not hasattr(x, "belongs_to")}
    added = sums.summed(each, _INDEX, _UNITS, over=numbers)
    known = [meant, added, sums.linear(added.statement.rhs, over=numbers)]
    goal = eq(quantity, scale * each.statement.rhs)
    return rules.follows(goal, known, over=over, under=each.under)


def of_one_law(given: Given, quantity: Expr, mean: Expr, where: Boolean, *, over: Any) -> Theorem:
    """The same for units of which each has this mean, their rows having one law.

    The condition says ``where`` that is so.
    """
    unit, value = Function("mean of a unit", real=True)(_INDEX), Symbol("mean of any", real=True)
    total, places = Sum(unit, (_INDEX, 0, _UNITS - 1)), {**over, **_COUNTED}
    layer = implies(where, eq(quantity, total / _UNITS))
    law = [implies(where, one) for one in (eq(unit, value), eq(value, mean))]
    meant = given.meaning(_MEAN, layer, over=places)
    each = given.meaning("units of one law", *law, over=places)
    ranges = {**meant.over, **each.over, _INDEX: integers(0)}
    known = [
        rules.follows(one.args[1], [said], over=ranges, under=[where])
        for one, said in ((layer, meant), (law[0], each))
    ]
    whole = [_added(known[0], quantity, 1, known[1]), each]
    return rules.follows(eq(quantity, mean), whole, over=ranges, under=[where])


def carried_out(before: Expr, after: Expr) -> Decision:
    """The check of a step that carries out what is written."""
    return decide_equal(before.doit(), after)


def by_cosine(given: Given, fact: Any) -> list[Theorem]:
    """What a claim says of the cosine map between, and at both ends."""
    angle, cosines = acos(rho), {rho: open_interval(-1, 1)}
    inside = gt(angle, 0), lt(angle, pi)
    between = given.fact(fact, "between").at({t: angle}, over=cosines, under=inside)
    # At the ends the claim is about no angle: any will do for the one that it speaks of.
    right = {rho: 0, t: pi / 2}
    ends = [given.fact(fact, end).at(right) for end in ("at 1", "at -1")]
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
    return rules.derived(Derivation("A mean of slopes", "", factor * mean, [step], where=where, under=under))
