"""Facts about normal variables beside their integrals, and that each needs what it supposes."""

import math

import pytest
import sympy as sp

from theorems.engine.rules import NotProved, follows
from theorems.engine.rules.leaves import claimed
from theorems.engine.rules.normal_variables import fourth_moment, normal_tail, tails_of_one_law
from theorems.engine.rules.vocabulary import E, P, Random, normal

g, h = Random("g"), Random("h")
OBJECTS = {one: one.belongs_to for one in (g, h)}


def known(*relations: sp.Basic) -> list[object]:
    """What is known of the variables."""
    return [claimed("known", one, over=OBJECTS) for one in relations]


def test_fourth_moment_is_that_of_the_density() -> None:
    x, v = sp.symbols("x v", positive=True)
    density = sp.exp(-(x**2) / (2 * v)) / sp.sqrt(2 * sp.pi * v)
    moments = [2 * sp.integrate(x**k * density, (x, 0, sp.oo)) for k in (2, 4)]
    assert sp.simplify(moments[1] - 3 * moments[0] ** 2) == 0
    fact = fourth_moment(g)
    goal = sp.Eq(E(g**4), 3, evaluate=False)
    assert follows(goal, [fact, *known(normal(g), sp.Eq(E(g**2), 1))], over={g: g.belongs_to})
    for missing in ([normal(g)], [sp.Eq(E(g**2), 1)]):
        with pytest.raises(NotProved):
            follows(goal, [fact, *known(*missing)], over={g: g.belongs_to})


def test_tail_is_above_that_of_the_density() -> None:
    ratios = [math.erfc(t / math.sqrt(2)) / math.exp(-t * t / 2) for t in (0, 0.1, 1, 3, 8)]
    assert max(ratios) == 1
    assert all(0 < ratio < 1 for ratio in ratios[1:])
    fact = normal_tail(g, 1, over={})
    goal = sp.Le(P(sp.Ge(sp.Abs(g), 1)), sp.exp(-sp.Rational(1, 2)))
    assert follows(goal, [fact, *known(normal(g), sp.Eq(E(g**2), 1))], over={g: g.belongs_to})
    with pytest.raises(NotProved):
        follows(goal, [fact, *known(normal(g), sp.Eq(E(g**2), 2))], over={g: g.belongs_to})


def test_one_law_for_equal_variances_only() -> None:
    fact = tails_of_one_law(g, h, 1, over={})
    same = [normal(g), normal(h), sp.Eq(E(g**2), E(h**2))]
    goal = sp.Eq(*(P(sp.Ge(sp.Abs(one), 1)) for one in (g, h)))
    assert follows(goal, [fact, *known(*same)], over=OBJECTS)
    for k in range(3):
        with pytest.raises(NotProved):
            follows(goal, [fact, *known(*same[:k], *same[k + 1 :])], over=OBJECTS)
