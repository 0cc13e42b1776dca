"""What is read back from the solver: the very statements, numbers and tables."""

from dataclasses import FrozenInstanceError

import pytest
import sympy as sp
from sympy import Eq, Function, Ge, Gt, Interval, Le, Lt, Ne, Reals
from sympy.core.relational import Relational
from trying import each

from theorems.engine.rules import NotProved, follows
from theorems.engine.rules.evaluation import Table
from theorems.engine.rules.reading import counterexample, read
from theorems.engine.rules.translation import Translation

x, y = sp.symbols("x y", real=True)
f = Function("f")
OVER = {x: Reals, y: Reals}


def plain(statement):
    """The statement with every relation the usual way round."""
    return statement.replace(lambda one: isinstance(one, Relational), lambda one: one.canonical)


def test_a_statement_is_read_back_as_it_was():
    cases = [
        *(relation(x, y) for relation in (Lt, Le, Gt, Ge, Eq, Ne)),
        Lt(x - y, sp.Rational(-2, 3)),
        Le(x / y, -x),
        Gt(x**3, 2 * y),
        sp.And(x > 0, y > 0),
        sp.Or(x > 0, y < 0),
        sp.Implies(x > 0, y > 0),
        sp.Equivalent(x > 0, y > 0),
        sp.Not(sp.And(x > 0, y > 0), evaluate=False),
        Eq(sp.Piecewise((x, x > y), (y, True)), 1),
        sp.true,
        sp.false,
    ]
    for statement in cases:
        translation = Translation(OVER)
        again = read(translation, translation.formula(statement)[0])
        assert plain(again) == plain(statement)


def test_what_no_translation_makes_is_no_term():
    translation = Translation(OVER)
    z3 = translation.z3
    with pytest.raises(TypeError, match="no term of a translation"):
        read(translation, z3.Xor(z3.BoolVal(True), z3.BoolVal(False)))


def test_a_set_of_integers_is_read_back():
    translation = Translation(OVER)
    member = translation.member(x, sp.Range(2, 5))
    assert plain(read(translation, member)) == sp.Contains(x, sp.S.Integers) & (x >= 2) & (x <= 4)


class TestCounterexamples:
    @each(
        "equation, range_, root",
        (Eq(x**2, 2), Interval(-2, 0), -sp.sqrt(2)),
        (Eq(x**2, 2), Interval(0, 2), sp.sqrt(2)),
        (Eq(x**3, 5), Reals, sp.cbrt(5)),
        (Eq(3 * x, -2), Reals, sp.Rational(-2, 3)),
    )
    def test_roots_are_exact(self, equation, range_, root):
        with pytest.raises(NotProved) as found:
            follows(Ne(x, x + y), over={x: range_, y: Interval(0, 1)}, under=[equation])
        assert found.value.answer == "rejected"
        assert sp.simplify(found.value.witness[x] - root) == 0
        assert found.value.witness[y] == 0

    def test_a_function_gets_a_table(self):
        with pytest.raises(NotProved) as found:
            follows(Eq(f(x), f(y)), over={x: sp.FiniteSet(1), y: sp.FiniteSet(2)})
        table = found.value.witness[f]
        assert isinstance(table, Table)
        assert table(sp.S.One) != table(sp.Integer(2))

    def test_letters_alone_are_told(self):
        """The constants for roots and logarithms are no letters, and have no value of their own."""
        translation = Translation({x: Interval(1, 4)})
        solver = translation.z3.Solver()
        solver.add(translation.formula(Eq(sp.sqrt(x), 2))[0], translation.member(x, Interval(4, 4)))
        solver.add(*translation.facts.values())
        assert str(solver.check()) == "sat"
        assert counterexample(translation, solver.model()) == {x: 4}


def test_a_table_is_told_with_its_other_value():
    table = Table({(sp.S.One,): sp.Integer(2), (sp.S.Zero,): sp.Integer(3)}, sp.Integer(4))
    assert [table(one) for one in map(sp.sympify, (0, 1, 2))] == [3, 2, 4]
    assert str(table) == "{1: 2; 0: 3; else: 4}"
    two = Table({(sp.S.One, sp.S.Zero): sp.Integer(2)}, sp.S.Zero)
    assert str(two) == "{1, 0: 2; else: 0}"
    with pytest.raises(FrozenInstanceError):
        two.otherwise = sp.S.One
