"""Inner products of backpropagation matrices, from layer to layer: what the errors add up to."""

from __future__ import annotations

from functools import cache
from typing import Any

from sympy import Abs, Expr, Function, Range, S, Sum, Symbol, exp, oo
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, eq, ge, le, rules
from theorems.engine.rules import Theorem, facts, sums
from theorems.eoc_mlp.all_layers.products.bounds_of_a_layer import (
    gradient_dependence,
    limits_are_bounded,
    mean_product,
    norms_of_inputs,
    product,
    product_of_norms,
    product_of_sizes,
    products_of_norms,
    sizes_of_inputs,
    slope,
    slope_bound,
    slope_of_limit,
    slopes_differ,
)
from theorems.eoc_mlp.hypotheses import EVENTS_24_TO_27
from theorems.eoc_mlp.letters import beta_radius, epsilon, k1, kappa, m
from theorems.eoc_mlp.premises.bounded_terms import product_of_bounds, sum_of_bounds
from theorems.eoc_mlp.premises.recursions import (
    half,
    in_the_radius,
    layers,
    layers_are_positive,
    layers_up_to,
    norms_in_half,
    squared_frobenius_norms,
    supposed_at,
)

_j = Symbol("j", integer=True, nonnegative=True)

limit = Function("Pi", real=True)


def distances(last: Any) -> Sum:
    """Sum of the bounds D of the differences of slopes, up to a layer."""
    return Sum(slope_bound(_j), (_j, 0, last))


def errors_of_products(given: Given) -> Theorem:
    """|X' - Π| for all k₂ ≥ k₁, in terms of S; with half of ε, so that e^{εS} is a square."""
    numbers = {x: given.domain[x] for x in (beta_radius, kappa, m, k1)}
    numbers |= {half: given.domain[epsilon]}
    over, u = {**numbers, layers: Range(oo)}, 1 / (k1 + layers)
    factor, total = 7 * kappa**2 / m, layers_up_to(layers)

    def spread(last: Any) -> Any:
        total = layers_up_to(last)
        return exp(2 * half * total) * (2 * half * total + distances(last))

    def cubic(last: Any) -> Any:
        total = layers_up_to(last)
        return factor / 3 * exp(2 * half * total + 2 * beta_radius * total) * total**3

    growth = exp(2 * half * total + 2 * beta_radius * total)
    step = (2 * half * u + slope_bound(layers + 1)) * exp(2 * half * total) + factor * u * growth * total**2
    grown = le(_error(layers + 1), _error(layers) + step)
    one_more = [
        rules.follows(grown, steps_of_products(given, over)),
        growth_of_bounds(spread, cubic, step, over),
    ]
    first = _first_product(given, numbers)
    start = [facts.exponential_above_tangent(rate / (k1 - 1), over=numbers) for rate in (half, beta_radius)]
    claimed = le(_error(layers), spread(layers) + cubic(layers))
    sums_of_one, longer = (
        [
            rule(one.xreplace({layers: last}), over={k1: numbers[k1]} | counted)
            for one in (total, distances(layers))
        ]
        for rule, last, counted in (
            (sums.spelled_out, S.Zero, {}),
            (sums.last_term, layers + 1, {layers: Range(oo)}),
        )
    )
    # Apart, as the growth of the bounds would only distract from the beginning.
    found = rules.induction(
        claimed,
        layers,
        0,
        base=[*sums_of_one, first, *start],
        step=[*longer, *one_more, slopes_are_bounded()],
    )
    return in_the_radius(given, found)


def _first_product(given: Given, numbers: Any) -> Theorem:
    """At k₂ = k₁ both are near the slope, the one by the events and the other by its meaning."""
    over = {x: numbers[x] for x in (half, k1)}
    fluctuation, radius = product(0) - slope(0), 2 * half / (k1 - 1)
    known = [
        supposed_at(given, EVENTS_24_TO_27, lambda e: le(Abs(fluctuation), e / (k1 - 1))),
        given.meaning("a product of one slope", eq(limit(0), slope_of_limit(0))),
        slopes_differ(given).at({layers: 0}),
        sum_of_bounds(fluctuation, slope(0) - slope_of_limit(0), radius, slope_bound(0), over=over),
    ]
    return rules.follows(le(_error(0), radius + slope_bound(0)), known)


@cache
def slopes_are_bounded() -> Theorem:
    """The sums of the bounds of the differences of slopes are not negative."""
    return sums.by_recursion(ge(distances(layers), 0), layers)


def _error(last: Any) -> Any:
    return Abs(product(last) - limit(last))


def steps_of_products(given: Given, over: Any) -> list[Theorem]:
    """The four differences in one layer, by the events and the norms of the matrices.

    The events of all four propositions bound the norms as well, as (10) to (12) are among them.
    """
    u, total, after = 1 / (k1 + layers), layers_up_to(layers), layers + 1
    size, slopes = product_of_sizes, slope(after) - slope_of_limit(after)
    growth = exp(2 * half * total + 2 * beta_radius * total)
    squares = [squared_frobenius_norms(given, EVENTS_24_TO_27, 2 * half, one) for one in sizes_of_inputs]
    operators = [
        norms_in_half(given, given.fact("eoc.prop26.diagonal"), EVENTS_24_TO_27, *pair)
        for pair in zip(norms_of_inputs, sizes_of_inputs, strict=True)
    ]
    bound = le(product_of_norms, kappa**2 / m * growth * total**2)
    differ = slopes_differ(given).at({layers: after})
    bounded = limits_are_bounded(given).at({layers: after})
    grows = eq(limit(after), slope_of_limit(after) * limit(layers))
    happen = [
        _fluctuation(given),
        given.meaning("a product gains a slope", grows),
        gradient_dependence(given),
        products_of_norms(given),
        differ,
        bounded,
    ]
    fluctuation, dependence = (
        product(after) - mean_product(after),
        mean_product(after) - slope(after) * product(layers),
    )
    moved, carried = (slopes * product(layers), slope_of_limit(after) * (product(layers) - limit(layers)))
    noise, gap = 2 * half * u * size, 7 * u * product_of_norms
    known = [
        *happen,
        product_of_bounds(slopes, product(layers), slope_bound(after), size, over=over),
        product_of_bounds(
            slope_of_limit(after), product(layers) - limit(layers), 1, _error(layers), over=over
        ),
        sum_of_bounds(fluctuation, dependence, noise, gap, over=over),
        sum_of_bounds(moved, carried, slope_bound(after) * size, _error(layers), over=over),
        sum_of_bounds(
            fluctuation + dependence,
            moved + carried,
            noise + gap,
            slope_bound(after) * size + _error(layers),
            over=over,
        ),
        rules.follows(
            eq(fluctuation + dependence + moved + carried, product(after) - limit(after)), happen, over=over
        ),
    ]
    added = noise + gap + slope_bound(after) * size
    return [
        rules.follows(le(_error(after), _error(layers) + added), known, over=over),
        rules.follows(le(size, exp(2 * half * total)), squares, over=over),
        rules.follows(bound, [*operators, layers_are_positive()]),
        slopes_are_bounded(),
    ]


def _fluctuation(given: Given) -> Theorem:
    """A product is close to its mean by what the events say, with the norms of both matrices."""
    u, after = 1 / (k1 + layers), layers + 1

    def says(radius: Expr) -> Boolean:
        return le(Abs(product(after) - mean_product(after)), radius * u * product_of_sizes)

    return supposed_at(given, EVENTS_24_TO_27, says)


def growth_of_bounds(spread: Any, cubic: Any, step: Any, over: Any) -> Theorem:
    """A layer adds to the bound what it adds to the error, or more: 3S²u ≤ (S + u)³ - S³."""
    u, after = 1 / (k1 + layers), layers + 1
    S_, total = layers_up_to(after), layers_up_to(layers)
    known = [
        sums.last_term(S_, over={x: over[x] for x in (k1, layers)}),
        sums.last_term(distances(after)),
        layers_are_positive(),
        slopes_are_bounded(),
    ]
    for rate in (half, beta_radius):
        known += [
            facts.exponential_above_tangent(rate * u, over=over),
            facts.exponential_of_sum(rate * S_, rate * total, rate * u, over=over),
        ]
    both_terms = spread(layers) + cubic(layers) + step
    return rules.follows(le(both_terms, spread(after) + cubic(after)), known, over=over)
