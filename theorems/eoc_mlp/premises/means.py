"""Means over the units of a layer: the law of preactivations, and integrals at every cosine."""

from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any

from sympy import Eq, Expr, Sum, Symbol, acos, pi
from sympy.logic.boolalg import Boolean

from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian import GaussianMean
from symbolic.notation import ABBREVIATIONS, NOT_BOTH_ZERO
from theorems.classical.functions import inverse_sine, range_of_arccosine
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_means import by_covariance, by_density
from theorems.engine import Given, eq, gt, half_line, implies, integers, lt, open_interval, rules
from theorems.engine.rules import E, Random, Theorem, Vector, inner, sums
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.vocabulary import normal, randoms
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters import SIGMA, a, b, phi, rho, t, tau1, tau2, u, u1, u2, u_i, u_j, x_i, x_j
from theorems.eoc_mlp.letters.table import POSITIVE

UNIT = Symbol("unit", integer=True, nonnegative=True)
_UNITS = Symbol("units", integer=True, positive=True)
_COUNTED, _MEAN = {_UNITS: integers(1)}, "a mean over the units of a layer"
#: The preactivations of a unit for two inputs.
OF_A_UNIT = tuple(randoms(f"preactivation at {name}")(UNIT) for name in ("x_1", "x_2"))


def lengths(given: Given, first: Vector, second: Vector, over: Over | None = None) -> Theorem:
    """|x_1| = τ_1, |x_2| = τ_2 and ⟨x_1, x_2⟩ = ρτ_1τ_2, where no claim says otherwise above 0."""
    squares = (eq(inner(x, x), tau**2) for x, tau in ((first, tau1), (second, tau2)))
    product = eq(inner(first, second), rho * tau1 * tau2)
    ranges = over or _lengths_above_zero(given)
    return given.meaning("lengths and cosine of the activations", *squares, product, over=ranges)


def _lengths_above_zero(given: Given) -> dict[Symbol, Any]:
    return {x: given.domain.get(x, POSITIVE) for x in (tau1, tau2)}


def of_a_row(given: Given, pair: tuple[Expr, ...], rows: Theorem, over: Over | None = None) -> list[Theorem]:
    """The law of two forms of a normal row, at two activations.

    ``rows`` says what covariances of preactivations are, as ``eoc.prop11.rows`` does; lengths of
    activations are above 0, or range as ``over`` says.
    """
    below = Vector("x_1"), Vector("x_2")
    ends = combinations_with_replacement(zip(pair, below, strict=True), 2)
    at = ({u_i: U, x_i: x, u_j: V, x_j: y} for (U, x), (V, y) in ends)
    entries = [given.substituted(rows, one) for one in at]
    law = given.meaning("preactivations, forms of one normal row", normal(*pair))
    return [law, lengths(given, *below, over), *entries]


def of_a_pair(
    given: Given, form: Callable[[Any, Any], Any], pair: tuple[Expr, ...], law: list[Theorem],
    simpler: Expr, factor: Any = 1, at: Any = rho,
) -> Theorem:  # fmt: skip
    """E f(U, V) for two preactivations, as the ``factor`` times the mean of a ``simpler`` function.

    The correlation is that of the activations, between 1 and -1, or ``at`` 1 or -1.
    """
    values = (u1, u2) if at == rho else (u, u2)
    letters = {**given.ranging(SIGMA, a, b, rho), **_lengths_above_zero(given)}
    over = {**letters, **dict.fromkeys(pair[0].free_symbols & {UNIT}, integers(0))}
    scales, where = (SIGMA * tau1, SIGMA * tau2), [Eq(rho, at)]
    if at == rho:
        where = [gt(rho, -1), lt(rho, 1)]
    exact = by_covariance(form(*values), values, pair, scales, at, over=over)
    mean, pulled = exact.statement.args
    pulled = pulled_out(pulled, factor, simpler, letters)
    goal = eq(mean, pulled.statement.rhs)
    objects = {x: x.belongs_to for x in mean.free_symbols if hasattr(x, "belongs_to")}
    return rules.follows(goal, [exact, pulled, *law], over={**over, **objects}, under=where)


def pulled_out(mean: GaussianMean, factor: Any, simpler: Expr, over: Any) -> Theorem:
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

    law = of_a_row(given, OF_A_UNIT, rows)
    ends = ((at, product(u1, u2) if at == rho else product(u, at * u)) for at in (rho, 1, -1))
    each = [of_a_pair(given, product, OF_A_UNIT, law, one, factor, at) for at, one in ends]
    return [over_units(given, quantity, one, scale) for one in each]


def over_units(given: Given, quantity: Expr, each: Theorem, scale: Any = 1) -> Theorem:
    """What a mean over the units of a layer is, times the ``scale``, if all have one mean."""
    total = Sum(each.statement.lhs, (UNIT, 0, _UNITS - 1))
    over = {x: range_ for x, range_ in each.over.items() if x in total.free_symbols} | _COUNTED
    meant = given.meaning(_MEAN, eq(quantity, scale * total / _UNITS), over=over)
    return _added(meant, quantity, scale, each)


def _added(meant: Theorem, quantity: Expr, scale: Any, each: Theorem) -> Theorem:
    """The mean over the units is that of any one of them."""
    over = {**{x: one for x, one in each.over.items() if x != UNIT}, **meant.over}
    numbers = {x: one for x, one in over.items() if not hasattr(x, "belongs_to")}
    added = sums.summed(each, UNIT, _UNITS, over=numbers)
    known = [meant, added, sums.linear(added.statement.rhs, over=numbers)]
    goal = eq(quantity, scale * each.statement.rhs)
    return rules.follows(goal, known, over=over, under=each.under)


def of_one_law(
    given: Given, quantity: Expr, mean: Expr, *, over: Any, where: Boolean | None = None
) -> Theorem:
    """The same for units of which each has the law of the variable that has this mean.

    The condition says ``where`` that is so, if not everywhere.
    """
    unit, value = E(randoms("value of a unit")(UNIT)), Symbol("mean of any", real=True)
    total, places = Sum(unit, (UNIT, 0, _UNITS - 1)), {**over, **_COUNTED}
    conditions = [] if where is None else [where]
    layer, law = eq(quantity, total / _UNITS), eq(unit, mean)

    def there(relation: Boolean) -> Boolean:
        return relation if where is None else implies(where, relation)

    meant = given.meaning(_MEAN, there(layer), over=places)
    same = given.meaning("units of one law", there(law), over=places)
    named = given.meaning("a mean, by a name", there(eq(value, mean)), over=places)
    ranges = {**meant.over, **same.over, **named.over, UNIT: integers(0)}
    known = [
        rules.follows(one, said, over=ranges, under=conditions)
        for one, said in ((layer, [meant]), (eq(unit, value), [same, named]))
    ]
    whole = [_added(known[0], quantity, 1, known[1]), named]
    return rules.follows(eq(quantity, mean), whole, over=ranges, under=conditions)


def halves_of_two_values(given: Given, product: Expr) -> Theorem:
    """E YV = 0 for half the difference Y and half the sum V of φ at two standard normal variables.

    They are the normalised preactivations of a unit: 4YV = φ₁² - φ₂², and both squares have one mean.
    """
    preactivations = [Random(f"preactivation of input {k} over its standard deviation") for k in (1, 2)]
    first, second = (phi(one, a, b) for one in preactivations)
    square, over = phi(u, a, b) ** 2, given.ranging(a, b)
    known = [
        given.meaning(
            "half the difference Y and half the sum V of two values of φ",
            eq(E(product), E((first - second) / 2 * (first + second) / 2)),
            *(part for one in preactivations for part in standard(one).args),
        ),
        *(by_density(square, u, one, GaussianMean(square, u), over=over) for one in preactivations),
    ]
    return rules.follows(eq(E(product), 0), known, over={**known[0].over, **over})


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
