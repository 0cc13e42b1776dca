"""Rules for derivatives: what they conclude is so, and what does not fit is refused."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from sympy import Abs, Function, Interval, Reals, Symbol

from theorems.engine.rules import (
    NotProved,
    as_named,
    chained,
    differentiated,
    equal_rates,
    follows,
    instance,
    mean_value,
    rate_of,
    taylor,
)
from theorems.engine.rules.leaves import supposed, textbook
from theorems.engine.rules.meanings import largest, meaning
from theorems.engine.rules.vocabulary import derivative
from theorems.engine.statements.values import compare

t, s, y, x = sp.symbols("t s y x", real=True)
top = Symbol("top", nonnegative=True)
f, g, h = (Function(name, real=True) for name in "fgh")
UNIT = Interval(0, 1)
POLYNOMIALS = st.lists(st.integers(-3, 3), min_size=1, max_size=4).map(
    lambda numbers: sum((c * t**k for k, c in enumerate(numbers)), sp.S.Zero)
)


def known(rate, value, letter=t, range_=UNIT):
    """A law that a hypothesis says."""
    return supposed("smooth", derivative(rate, value, letter, range_), over={})


@given(POLYNOMIALS, POLYNOMIALS)
def test_rates_of_formulas_in_functions_are_those_of_the_whole(inner, other):
    form = y**2 * x + sp.sin(y) * t
    laws = {y: differentiated(inner, t, UNIT), x: differentiated(other, t, UNIT)}
    rate, value, *_ = differentiated(form, t, UNIT, laws).statement.args
    whole = form.subs({y: inner, x: other}, simultaneous=True)
    assert sp.expand(value - whole) == 0
    assert sp.expand(rate - sp.diff(whole, t)) == 0


@given(POLYNOMIALS)
def test_the_chain_rule_gives_the_rate_of_the_whole(inner):
    law = chained(differentiated(sp.exp(x), x, Reals), differentiated(inner, t, UNIT))
    rate, value, *_ = law.statement.args
    assert sp.simplify(rate - sp.diff(value, t)) == 0


@given(st.sampled_from([sp.sin, sp.cos]), st.fractions(-3, 3), st.fractions(0, 3))
def test_steps_are_as_short_as_the_rules_say(wave, start, length):
    law, second = (differentiated(one, t, Reals) for one in (wave(t), sp.diff(wave(t), t)))
    bounds = [textbook("waves", Abs(one.statement.args[0]) <= 1, over={t: Reals}) for one in (law, second)]
    concluded = [mean_value(law, bounds[0], s), taylor(law, second, bounds[1], s)]
    at = {t: sp.Rational(start), s: sp.Rational(start + length)}
    # Where nothing is left to the sine both sides are equal, and balls overlap.
    assert all(compare(one.statement, at).answer is not False for one in concluded)


def test_a_one_sided_bound_is_one_for_the_change():
    law = known(g(t), f(t))
    each = follows(
        g(t) <= top,
        [largest("slopes", g(t) <= top, over={t: UNIT, top: top_range()})],
        over={t: UNIT, top: top_range()},
    )
    moved = instance(mean_value(law, each, s), {t: 0, s: 1}, over={})
    assert follows(f(1) - f(0) <= top, [moved], over={top: top_range()}).grade == "proved"
    with pytest.raises(NotProved):
        follows(Abs(f(1) - f(0)) <= top, [moved], over={top: top_range()})


def top_range():
    """Where sizes are."""
    return Interval(0, sp.oo)


def test_a_largest_is_that_of_all_places():
    size = largest("the largest slope", Abs(g(t)) <= top, over={t: UNIT, top: top_range()})
    law = known(g(t), f(t))
    moved = instance(mean_value(law, size, s), {t: 0, s: 1}, over={})
    (leaf,) = (one for one in moved.trusts if one.kind == "meaning")
    assert leaf.says == size.statement


def test_a_rate_has_a_name():
    law = differentiated(y**2, t, UNIT, {y: known(g(t), f(t))})
    assert rate_of(law, h(t)).statement == sp.Eq(h(t), 2 * f(t) * g(t), evaluate=False)


def test_a_function_with_a_named_rate_has_no_formula():
    law = meaning("the slope", derivative(g(t), f(t), t, UNIT), over={})
    at = meaning("the start", sp.Eq(f(0), 2), over={})
    assert follows(sp.Eq(f(0), 2), [law, at], over={}).grade == "proved"
    form = meaning("the function", sp.Eq(f(t), t**2), over={t: UNIT})
    with pytest.raises(NotProved, match="may have no derivative"):
        follows(form.statement, [law, form], over={t: UNIT})


def test_functions_that_are_equal_have_the_same_derivative():
    law = differentiated(t**2, t, UNIT)
    says = [sp.Eq(g(t), 2 * t), sp.Eq(f(t), t**2)]
    named = [meaning("names", one, over={t: UNIT}) for one in says]
    assert as_named(law, *named).statement == derivative(g(t), f(t), t, UNIT)
    with pytest.raises(ValueError, match="an equation with"):
        as_named(law, *reversed(named))


def test_functions_that_are_equal_at_some_places_have_any_derivative():
    law = differentiated(t**2, t, UNIT)
    rate = meaning("rate", sp.Eq(g(t), 2 * t), over={t: UNIT})
    half = meaning("half", sp.Eq(f(t), t**2), over={t: Interval(0, sp.Rational(1, 2))})
    some = meaning("some", sp.Eq(f(t), t**2), over={t: UNIT, s: UNIT}, under=[t <= s])
    for value in (half, some):
        with pytest.raises(ValueError, match="must hold for t"):
            as_named(law, rate, value)
    here = meaning("here", sp.Eq(y, t**2), over={t: UNIT, y: UNIT}, about=[t])
    with pytest.raises(NotProved, match="t may not vary"):
        as_named(law, rate, here)


@given(POLYNOMIALS, st.integers(-3, 3))
def test_two_ways_to_differentiate_give_one_rate(inner, scale):
    way = differentiated(scale * inner, t, UNIT)
    other = differentiated(scale * y, t, UNIT, {y: differentiated(inner, t, UNIT)})
    value = way.statement.args[1]
    assert value == other.statement.args[1]
    found = equal_rates(way, other).statement
    assert found == sp.true or sp.expand(found.lhs - found.rhs) == 0


def test_two_derivatives_of_one_function_are_equal():
    found = equal_rates(known(g(t), f(t)), known(h(t), f(t)))
    assert found.statement == sp.Eq(g(t), h(t))
    assert found.over == {t: UNIT}
    assert "a function has one derivative" in {one.name for one in found.trusts}


@pytest.mark.parametrize(
    "other",
    [
        known(h(t), f(t) + 1),
        known(h(t), g(t)),
        known(h(s), f(s), s),
        known(h(t), f(t), t, Interval(0, 2)),
        known(h(t), f(t), t, Interval.open(0, 1)),
        known(h(t), f(t), t, Reals),
        known(2 * h(t), 2 * f(t)),
    ],
)
def test_derivatives_of_two_functions_may_differ(other):
    with pytest.raises(ValueError, match="about one function"):
        equal_rates(known(g(t), f(t)), other)


def test_at_a_single_point_any_number_is_a_derivative():
    point = [known(one(t), f(t), t, Interval(0, 0)) for one in (g, h)]
    with pytest.raises(ValueError, match="through an interval"):
        equal_rates(*point)


def test_a_derivative_under_a_condition_on_its_letter_is_none():
    law = supposed("some", derivative(g(t), f(t), t, UNIT), over={t: UNIT}, under=[t > 0])
    here = supposed("some", derivative(g(t), f(t), t, UNIT), over={s: UNIT}, under=[s > 0])
    with pytest.raises(ValueError, match="no range beside that"):
        equal_rates(law, known(h(t), f(t)))
    assert equal_rates(here, known(h(t), f(t))).under == frozenset([s > 0])


def test_an_equation_is_no_derivative():
    equation = textbook("same", sp.Eq(f(t), f(t), evaluate=False), over={t: UNIT})
    with pytest.raises(TypeError, match="about a derivative"):
        equal_rates(equation, known(h(t), f(t)))


def test_what_is_supposed_of_both_derivatives_stays():
    laws = [
        supposed(name, derivative(one(t), f(t), t, UNIT), over={y: UNIT}, under=[condition])
        for name, one, condition in (("first", g, y > 0), ("second", h, y < 1))
    ]
    found = equal_rates(*laws)
    assert found.under == frozenset([y > 0, y < 1])
    assert {"first", "second"} <= {one.name for one in found.trusts}
