"""Facts of the textbooks hold wherever their premises do, barely, and not without the premises.

Each fact is tried in many small worlds: one that said a little more would be false in some of them,
one that said a little less would be attained in none.
"""

import math
from functools import cache

import sympy as sp
from sympy import Interval
from trying import each
from worlds import NEAR, World

from theorems.engine.rules import facts, probabilities
from theorems.engine.rules.facts import Fact

FACTS = {
    name: fact for name, fact in {**vars(facts), **vars(probabilities)}.items() if isinstance(fact, Fact)
}
#: Ends of ranges beyond which the fact holds as well, or says nothing.
IDLE = {
    ("bounded_factor", "t"): "nothing is at most a negative number in size",
    ("markov", "t"): "a negative multiple of a probability is at most a size",
}


def hoelder(world, by):
    """The logarithms of the means, and weights with the sum 1."""
    for one in "XYZ":
        size = world.mean([math.exp(value) for value in world.values[by[one]]])
        world.values[by[one.lower()]] = math.log(size)
    if world.draw.random() < 0.8:
        weight, other = world.draw.choice([-0.25, 0.1, 0.25, 0.5]), world.draw.choice([0.25, 0.5])
        order = world.draw.sample("pqr", 3)
        for one, value in zip(order, (weight, other, 1 - weight - other), strict=True):
            world.values[by[one]] = value


def minkowski(world, by):
    """The sizes of two random variables, up to their signs."""
    q = world.values[by["q"]] = world.draw.choice([0.5, 1, 2, 3])
    for one, size in (("X", "a"), ("Y", "b")):
        exact = world.mean([abs(value) ** q for value in world.values[by[one]]]) ** (1 / q)
        world.values[by[size]] = world.draw.choice([-1, 1, 1, 1, 2]) * exact


def sums(world, by):
    """A sum of two numbers, or another number."""
    if world.draw.random() < 0.5:
        world.values[by["t"]] = world.values[by["x"]] + world.values[by["y"]]


def exponents(world, by):
    """Whole numbers, or a power that has no value at zero."""
    for one in "mn":
        world.values[by[one]] = world.draw.choice([0, 1, 2, 3, -0.25])


FITTED = {
    "powers_of_independent": exponents,
    "hoelder_for_exponentials": hoelder,
    "minkowski_for_means": minkowski,
    "exponential_of_sum": sums,
}


@cache
def tried(name):
    """Worlds, each with what of the ranges and premises is not met there, and the fact's truth."""
    theorem = FACTS[name].theorem
    letters = sorted(theorem.over, key=str)
    ranges = {one: set_ for one, set_ in theorem.over.items() if isinstance(set_, Interval | sp.Range)}
    found = []
    for seed in range(500):
        world = World(letters, seed)
        if name in FITTED:
            FITTED[name](world, {one.name: one for one in letters})
        broken = {one for one, set_ in ranges.items() if not lies(world.values[one], set_)}
        broken |= {one for one in theorem.under if not world.value(one)}
        if len(broken) <= 1:
            found.append((world, broken, truth(world, theorem.statement)))
    return found


def lies(value, set_):
    """Whether a number lies between the ends of a set, which may belong to it."""
    low, high = (float(set_.inf), float(set_.sup))
    inside = low < value < high
    return inside or (value == low and set_.inf in set_) or (value == high and set_.sup in set_)


def truth(world, statement):
    """Whether the statement is true there; None where it is not defined."""
    try:
        return bool(world.value(statement))
    except ArithmeticError:
        return None


def inequalities(statement):
    """The inequalities that a fact concludes, each with its condition."""
    if isinstance(statement, sp.Implies):
        condition, statement = statement.args
    else:
        condition = sp.true
    parts = sp.And.make_args(statement)
    return [(one, condition) for one in parts if isinstance(one, sp.Le | sp.Lt | sp.Ge | sp.Gt)]


@each("name", *FACTS)
def test_a_fact_says_neither_more_nor_less_than_is_true(name):
    """It holds wherever its premises do; of each premise and each end there is need."""
    met = [held for _, broken, held in tried(name) if not broken]
    assert len(met) >= 20
    assert all(met)
    for premise in FACTS[name].theorem.under:
        assert False in {held for _, broken, held in tried(name) if broken == {premise}}
    for letter, set_ in FACTS[name].theorem.over.items():
        for end in (set_.inf, set_.sup) if isinstance(set_, Interval | sp.Range) else ():
            if end.is_finite and (name, letter.name) not in IDLE:
                beyond = {
                    held
                    for world, broken, held in tried(name)
                    if broken == {letter} and abs(world.values[letter] - end) <= 0.5
                }
                assert beyond - {True}, f"{letter} at {end}"
    for relation, condition in inequalities(FACTS[name].theorem.statement):
        is_attained_and_no_equality(name, relation, condition)


def is_attained_and_no_equality(name, relation, condition):
    """Nearly attained, where one side is strictly less than the other one, or both are zero."""
    gaps, attained = [], False
    for world, broken, _ in tried(name):
        if not broken and world.value(condition):
            small, large = world.value(relation.lts), world.value(relation.gts)
            size = max(abs(small), abs(large))
            attained |= abs(large - small) <= NEAR
            if relation.rhs == 0:
                gaps.append(large - small)
            elif size > 0.05:
                gaps.append((large - small) / size)
    assert min(gaps) < 0.05 < max(gaps)
    assert attained == isinstance(relation, sp.Le | sp.Ge)


@each("name, letter", *IDLE)
def test_an_end_that_no_value_shows_is_zero(name, letter):
    """So that the fact may be used for all positive numbers."""
    (set_,) = (one for x, one in FACTS[name].theorem.over.items() if x.name == letter)
    assert (set_.inf, set_.sup) == (0, sp.oo)


def test_numbers_have_any_values_where_no_range_is_named():
    for name, fact in FACTS.items():
        known = {*dict(fact.ranges)}
        for letter, set_ in fact.theorem.over.items():
            if letter not in known and not hasattr(letter, "belongs_to"):
                assert set_ == sp.Reals, f"{letter} of {name}"
