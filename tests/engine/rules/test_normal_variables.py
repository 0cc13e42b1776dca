"""Facts about normal variables beside their integrals, and that each needs what it supposes."""

import math

import numpy as np
import pytest
import sympy as sp
from scipy.stats import chi2
from trying import each

from theorems.engine.rules import NotProved, follows, normal_variables
from theorems.engine.rules.facts import Fact
from theorems.engine.rules.leaves import claimed
from theorems.engine.rules.models import Tried
from theorems.engine.rules.normal_variables import (
    chi_square_by_parts,
    exponential_of_square,
    fourth_moment,
    independent_rest,
    independent_rest_of_two,
    isserlis,
    mean_modulus,
    mean_over_normal,
    near_means_of_a_bell,
    no_atoms,
    normal_tail,
    positive_parts,
    square_of_product,
    tails_of_one_law,
    waves_of_product,
)
from theorems.engine.rules.vocabulary import E, P, Random, independent, normal

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


def test_mean_modulus_is_that_of_the_density() -> None:
    x, v = sp.symbols("x v", positive=True)
    density = sp.exp(-(x**2) / (2 * v)) / sp.sqrt(2 * sp.pi * v)
    mean, square = (2 * sp.integrate(x**k * density, (x, 0, sp.oo)) for k in (1, 2))
    assert sp.simplify(mean**2 - 2 * square / sp.pi) == 0
    goal = sp.Eq(E(sp.Abs(g)), sp.sqrt(2 / sp.pi), evaluate=False)
    laws = [normal(g), sp.Eq(E(g**2), 1)]
    assert follows(goal, [mean_modulus(g), *known(*laws)], over={g: g.belongs_to})
    for missing in (laws[:1], laws[1:]):
        with pytest.raises(NotProved):
            follows(goal, [mean_modulus(g), *known(*missing)], over={g: g.belongs_to})


def test_only_a_variable_that_varies_has_no_atoms() -> None:
    goal = sp.Eq(P(sp.Ne(g, 0)), 1)
    laws = [normal(g), sp.Gt(E(g**2), 0)]
    fact = no_atoms(g, 0, over={})
    assert follows(goal, [fact, *known(*laws)], over={g: g.belongs_to})
    for missing in (laws[:1], laws[1:]):
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


@pytest.mark.parametrize("fact", [independent_rest, independent_rest_of_two])
def test_a_rest_needs_each_moment(fact: Fact) -> None:
    """Its hypotheses are the normal equations, without which the rest is correlated."""
    variables = [x for x in fact.letters if hasattr(x, "belongs_to")]
    over = {x: getattr(x, "belongs_to", sp.Reals) for x in fact.letters}
    needed = [claimed("known", one, over=over) for one in fact.under]
    assert follows(fact.statement, [fact.theorem, *needed], over=over)
    for k in range(len(needed)):
        with pytest.raises(NotProved):
            follows(fact.statement, [fact.theorem, *needed[:k], *needed[k + 1 :]], over=over)
    # The moments that the rest must not have with the variables, by the normal equations.
    rest = fact.statement.atoms(independent).pop().args[0]
    solved = [claimed("known", one, over=over) for one in fact.under if isinstance(one, sp.Eq)]
    for one in variables[1:]:
        assert follows(sp.Eq(E(rest * one), 0, evaluate=False), solved, over=over)


# Weights and nodes of Gauss and Hermite, by which polynomials of a normal variable have their mean.
NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(40)
WEIGHTS = WEIGHTS / WEIGHTS.sum()
# Two normal variables of variances 1 and 2 with the covariance 1, and two more.
PLANE = np.array(np.meshgrid(NODES, NODES, indexing="ij"))
CHANCES = np.outer(WEIGHTS, WEIGHTS)


def mean(values: object) -> float:
    """The mean of a function of two independent standard normal variables."""
    return float(np.sum(CHANCES * np.asarray(values, dtype=float)))


def sides(fact: Fact, values: dict[str, object]) -> list[tuple[float, float]]:
    """Both sides of the equations of a fact, where its letters have these values."""
    letters = {one.name: one for one in fact.letters}
    known = {letters[name]: value for name, value in values.items()}
    numbers = {x: value for x, value in known.items() if np.isscalar(value)}
    arrays = {x: value for x, value in known.items() if x not in numbers}

    def value(inside: sp.Expr) -> sp.Float:
        compiled = sp.lambdify([*arrays], inside.subs(numbers), "numpy")
        return sp.Float(mean(compiled(*arrays.values())))

    def number(term: sp.Expr) -> float:
        means = {one: value(one.args[0]) for one in term.atoms(E)}
        return float(sp.sympify(term.xreplace(means)).subs(numbers))

    parts = sp.And.make_args(fact.statement)
    return [(number(one.lhs), number(one.rhs)) for one in parts]


def pairings(*places: int) -> Fact:
    """Isserlis' theorem for variables of which the product has those at these places."""
    return normal_variables._isserlis(places, max(places) + 1)


X, Y = PLANE
ONE, OTHER = X, X + Y
CASES = {
    "one factor": (pairings(0), {"X_0": OTHER}),
    "three factors": (pairings(0, 1, 1), {"X_0": OTHER, "X_1": ONE}),
    "four factors": (pairings(0, 1, 2, 3), {"X_0": ONE, "X_1": OTHER, "X_2": X - 2 * Y, "X_3": Y}),
    "squares": (pairings(0, 0, 1, 1), {"X_0": ONE, "X_1": OTHER}),
    "six factors": (pairings(0, 0, 0, 1, 1, 2), {"X_0": ONE, "X_1": OTHER, "X_2": Y}),
    "exponential": (exponential_of_square, {"X": X, "t": -0.3}),
    "given": (mean_over_normal, {"X": X, "Y": Y**2 / 3}),
    "waves": (waves_of_product, {"X": X, "Y": Y, "t": 0.4}),
    "by parts": (chi_square_by_parts, {"X": X**2 + Y**2, "m": 2, "q": 3}),
}


def test_isserlis_needs_the_law_of_all_its_variables() -> None:
    """And what is jointly normal may be more than the factors."""
    assert square_of_product(g, h).under == {normal(g, h)}
    assert isserlis(g, g, jointly=[g, h]).under == {normal(g, h)}
    with pytest.raises(ValueError, match="not in tuple"):
        isserlis(g, h, jointly=[g])


def test_the_law_is_symmetric_for_normal_variables_only() -> None:
    x = sp.Symbol("x", real=True)
    fact = normal_variables.symmetric_law(sp.exp(x), x, g)
    assert fact.under == {normal(g)}
    assert fact.statement == sp.Eq(E(sp.exp(-g)), E(sp.exp(g)))


@each("name", *CASES)
def test_equations_at_normal_variables(name: str) -> None:
    fact, values = CASES[name]
    for left, right in sides(fact, values):
        assert left == pytest.approx(right, rel=1e-6, abs=1e-9)


@each("rows", 1, 2, 7)
def test_moments_of_a_chi_square_variable(rows: int) -> None:
    for q in range(4):
        left, right = chi_square_by_parts(g, rows, q, over={}).statement.args
        assert left == E(g ** (q + 1))
        factor = sp.Integer(right) if q == 0 else right / E(g**q)
        assert chi2(rows).moment(q + 1) == pytest.approx(float(factor) * chi2(rows).moment(q))


def test_positive_parts_have_half_of_the_even_moments() -> None:
    x = sp.Symbol("x", real=True)
    density = sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)
    for q in (1, 2):
        half = sp.integrate(x ** (2 * q) * density, (x, 0, sp.oo))
        said = positive_parts(g, q, over={}).statement
        known_moment = {1: 1, 2: 3}[q]
        assert said == sp.Eq(E(sp.Max(g, 0) ** (2 * q)), E(g ** (2 * q)) / 2)
        assert half == sp.Rational(known_moment, 2)


def test_near_laws_have_near_means_of_a_bell() -> None:
    """Two constants are at the distance one, and their bells at one at most."""
    gap, size = near_means_of_a_bell.statement.args
    over = {one: one.belongs_to for one in near_means_of_a_bell.letters}
    assert not Tried(sp.Le(gap, size), (), over).standing_for_something
    assert Tried(sp.Le(gap, size / 3), (), over).standing_for_something
