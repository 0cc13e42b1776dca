"""A point at which premises hold: one that is found is one, and contradictions have none."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theorems.engine.rules import terms as t
from theorems.engine.rules.asking import guarded
from theorems.engine.rules.question import asked
from theorems.engine.rules.satisfied import holds_somewhere

x, y, z = (t.letter(name) for name in "xyz")
b, c = t.letter("b", "Bool"), t.letter("c", "Bool")
ZERO, ONE, TWO = (t.number(k) for k in range(3))


def f(*args):
    return t.call("f", *args)


FOUND = [
    [t.below(ZERO, x), t.below(x, ONE)],
    [t.equal(x, t.add(y, z)), t.above(y, x)],
    [t.equal(t.power(x, 2), t.add(t.power(y, 2), t.power(z, 2)))],
    [t.whole(x), t.above(x, t.number(Fraction(5, 2)))],
    [t.implies(t.at_least(x, ZERO), t.equal(t.power(y, 2), x)), t.equal(x, t.number(9))],
    [t.equal(x, t.divide(ONE, y)), t.equal(y, t.number(Fraction(1, 3)))],
    [t.either([b, c]), t.no(b)],
    [t.different(x, y), t.different(y, z), t.different(x, z)],
]


@pytest.mark.parametrize("assumed", FOUND)
def test_simple_premises_hold_at_a_point(assumed):
    assert holds_somewhere(assumed)
    assert guarded(asked(assumed)).said == "sat"


NOWHERE = [
    [t.FALSE],
    [t.below(x, ONE), t.above(x, ONE)],
    [t.below(t.power(x, 2), ZERO)],
    [t.whole(x), t.below(ZERO, x), t.below(x, ONE)],
    [t.equal(x, y), t.different(f(x), f(y))],  # a function has one value at one place
    [t.equal(x, ONE), t.equal(f(x), ZERO), t.equal(f(ONE), TWO)],
    [t.equal(f(x), x), t.equal(f(f(x)), t.add(x, ONE))],
    [t.equal(x, t.add(x, ONE))],
    [t.equal(t.power(x, 2), TWO), t.whole(t.multiply(x, x, x, x, x))],
    [b, t.no(b)],
    [t.implies(b, t.below(x, x)), b],
    [t.either([t.below(x, x), t.above(y, y)])],
    [t.equal(x, y), t.equal(y, z), t.above(x, z)],
    [t.different(x, ZERO), t.equal(t.multiply(x, y), ONE), t.equal(y, ZERO)],
    [t.equal(t.add(x, y), ONE), t.equal(t.add(x, y), TWO)],
]


@pytest.mark.parametrize("assumed", NOWHERE)
def test_contradictions_hold_nowhere(assumed):
    assert not holds_somewhere(assumed)


def test_what_has_no_value_is_not_true():
    """Nothing is known of a quotient by 0, so that a point at which there is one is none."""
    assert not holds_somewhere([t.equal(y, ZERO), t.equal(t.divide(x, y), t.divide(x, y))])


def test_only_small_numbers_are_tried():
    assert not holds_somewhere([t.above(x, t.number(10**9))])


leaf = st.sampled_from([x, y, ZERO, ONE, TWO, f(x), f(y), f(ONE)])
value = st.recursive(
    leaf, lambda one: st.builds(t.add, one, one) | st.builds(t.multiply, one, one), max_leaves=4
)
relation = st.builds(
    lambda how, a, d: how(a, d), st.sampled_from([t.equal, t.below, t.at_most, t.different]), value, value
)
premise = relation | st.builds(t.implies, relation, relation) | st.builds(t.no, relation)


@given(st.lists(premise, min_size=1, max_size=4))
def test_the_solver_never_refutes_what_holds_at_a_point(assumed):
    if holds_somewhere(assumed):
        assert guarded(asked(assumed)).said != "unsat"
