"""SymPy to Z3 and back: the same truth value everywhere, in both directions."""

from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest
import sympy as sp
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from ratios import fractions
from sympy import (
    Abs,
    Eq,
    Function,
    Ge,
    Gt,
    Interval,
    Le,
    Lt,
    Max,
    Min,
    Ne,
    Piecewise,
    Range,
    Reals,
    Sum,
    Symbol,
    sqrt,
)
from sympy.core.relational import Relational
from trying import each

from theorems.engine.rules import NotProved, follows
from theorems.engine.rules.asking import answer_to
from theorems.engine.rules.evaluation import Table, truth
from theorems.engine.rules.leaves import claimed
from theorems.engine.rules.question import asked
from theorems.engine.rules.reading import counterexample, read
from theorems.engine.rules.terms import equal as same
from theorems.engine.rules.terms import no, number
from theorems.engine.rules.translation import Translation
from theorems.engine.rules.vocabulary import VECTORS, Vector

x, y = sp.symbols("x y", real=True)
k, m, n = sp.symbols("k m n", integer=True)
OVER = {x: Reals, y: Reals}
f = Function("f")

rationals = fractions(-4, 4, max_denominator=7)
numbers = rationals.map(lambda value: sp.Rational(value.numerator, value.denominator))
leaves = st.one_of(st.sampled_from([x, y, (1 + x**2) ** sp.Rational(-2, 3)]), numbers)


def larger(inside):
    """Expressions that are defined everywhere, roots among them."""
    pair = st.tuples(inside, inside)
    return st.one_of(
        pair.map(lambda two: two[0] + two[1]),
        pair.map(lambda two: two[0] * two[1]),
        inside.map(lambda one: one**2),
        inside.map(Abs),
        inside.map(sp.sign),
        pair.map(lambda two: Max(*two)),
        pair.map(lambda two: Min(*two)),
        inside.map(lambda one: sqrt(1 + one**2)),
        pair.map(lambda two: two[0] / (1 + two[1] ** 2)),
        pair.map(lambda two: Piecewise((two[0], x > y), (two[1], True))),
    )


expressions = st.recursive(leaves, larger, max_leaves=4)
relations = st.tuples(
    st.sampled_from([sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq, sp.Ne]), expressions, expressions
).map(lambda parts: parts[0](parts[1], parts[2]))


def larger_statements(inside):
    pair = st.tuples(inside, inside)
    return st.one_of(
        inside.map(sp.Not),
        *(pair.map(lambda two, kind=kind: kind(*two))
          for kind in (sp.And, sp.Or, sp.Implies, sp.Equivalent)),
    )  # fmt: skip


statements = st.recursive(relations, larger_statements, max_leaves=3)
points = st.fixed_dictionaries({x: numbers, y: numbers})


def holds(translation, formula, point):
    """What Z3 says of the formula at a point, where the facts define the other constants."""
    at = [same(translation.letter(x), number(Fraction(one.p, one.q))) for x, one in point.items()]
    known = [*at, *translation.facts.values()]
    answers = [answer_to(asked([*known, claim])).said for claim in (formula, no(formula))]
    assert "unsat" in answers
    return answers[1] == "unsat"


def read_back(translation, formula):
    """What Z3 reads in the text of a question about the formula, as a statement."""
    question = asked([formula])
    (term,) = z3.parse_smt2_string(question.text)
    return read(translation, question, term)


class TestBothDirections:
    @given(statements, points)
    @settings(max_examples=40, deadline=None, derandomize=True)
    def test_there(self, statement, point):
        """Z3's value of the translation is SymPy's of the statement."""
        expected = truth(statement, point)
        if expected is not None:
            translation = Translation(OVER)
            formula, defined = translation.formula(statement)
            assert holds(translation, formula, point) is expected
            assert holds(translation, defined, point)

    @given(statements, st.lists(points, min_size=2, max_size=2))
    @settings(max_examples=40, deadline=None, derandomize=True)
    def test_and_back(self, statement, places):
        """What is read back has the same truth values."""
        translation = Translation(OVER)
        again = read_back(translation, translation.formula(statement)[0])
        for place in places:
            before, after = truth(statement, place), truth(again, place)
            assert before is after or None in {before, after}

    def test_functions_come_back(self):
        cases = [
            sp.log(1 + x**2) <= x**2,
            sp.Eq(f(x, y), f(y, x)),
            sp.exp(x) * sp.exp(-2 * y) > sp.sin(x) * sp.tanh(y),
            Sum(f(k, x) ** 2, (k, 0, n - 1)) >= 0,
            Sum(f(k, m), (k, 0, m), (m, 0, n - 1)) >= x,
            x**y <= sp.pi,
            sp.Derivative(f(x), x) >= sp.Integral(f(y), (y, 0, x)),
        ]
        for statement in cases:
            translation = Translation({**OVER, n: Range(sp.oo)})
            again = read_back(translation, translation.formula(statement)[0])
            assert again.canonical == statement.canonical


class TestDefinedness:
    """Z3 gives 1/0 a value, so what makes a term defined is a condition of its own."""

    def test_conditions(self):
        cases = [
            (1 / x > 0, 1, 0),
            (sqrt(x) > 0, 0, -1),
            (x ** sp.Rational(-1, 3) > 0, 1, 0),
            (sp.log(x) > 0, 1, 0),
            (sp.asin(x) > 0, 1, 2),
            (x**y > 0, 1, 0),
            (sp.Implies(x > 0, 1 / x > 0), 0, None),
            (sp.And(x > 0, 1 / x > 0), 0, None),
            (sp.Or(x <= 0, sp.log(x) > 0), 0, None),
            (sp.Or(x >= 0, sp.log(x) > 0), 0, -1),
            (Piecewise((1 / x, sp.Ne(x, 0)), (0, True)) >= 0, 0, None),
            (Piecewise((x, x > 0), (2, x < 0)) > y - 9, 1, 0),
        ]
        for statement, holds_at, fails_at in cases:
            translation = Translation(OVER)
            defined = translation.formula(statement)[1]
            assert holds(translation, defined, {x: sp.Integer(holds_at), y: sp.Integer(1)})
            if fails_at is not None:
                assert not holds(translation, defined, {x: sp.Integer(fails_at), y: sp.Rational(1, 2)})


class TestRefused:
    @each(
        "statement, named",
        (sp.Eq(sp.I * f(x), 1), "ImaginaryUnit"),
        (sp.Eq(x, sp.Float("0.1")), "Float"),
        (sp.Eq(x, sp.zoo, evaluate=False), "ComplexInfinity"),
        (sp.Le(x, sp.oo, evaluate=False), "Infinity"),
        (sp.erfinv(x) > 0, "erfinv"),
        (Symbol("z", real=True) > 0, "z is no letter"),
        (sp.Xor(x > 0, y > 0), "Xor"),
        (sp.Eq(Sum(f(k), (k, 0, sp.oo)), 1), "between integers"),
        (sp.Eq(Sum(f(k), (k, 0, x)), 1), "between integers"),
        (sp.DiracDelta(x) > 0, "DiracDelta"),
        (sp.Eq(sp.Determinant(sp.MatrixSymbol("M", 2, 2)), 1), "Determinant"),
    )
    def test_names_the_node(self, statement, named):
        with pytest.raises(TypeError, match=named):
            Translation(OVER).formula(statement)

    def test_a_vector_is_no_number(self):
        u = Vector("u")
        with pytest.raises(TypeError, match="u is no number"):
            Translation({u: VECTORS}).formula(sp.Eq(u, 0))


def test_a_papers_own_function_is_not_the_one_of_sympy():
    own = type("log", (sp.Function,), {"is_named": True})
    translation = Translation(OVER)
    formula, _ = translation.formula(sp.Eq(own(x), sp.log(x)))
    assert formula.args[0] is not formula.args[1]
    assert read_back(translation, formula) == sp.Eq(own(x), sp.log(x))


def test_two_functions_of_two_papers():
    class A:
        psi = type("psi", (sp.Function,), {"is_named": True, "__module__": "a"})
        other = type("psi", (sp.Function,), {"is_named": True, "__module__": "b", "is_real": True})

    with pytest.raises(TypeError, match="two functions are called paper's psi"):
        Translation(OVER).formula(sp.Eq(A.psi(x) + 2 * A.other(y), 1))


def test_names_of_indices_are_reserved():
    with pytest.raises(TypeError, match="a name that the translation gives"):
        Translation({Symbol("index of x", integer=True): sp.S.Integers})


class TestRanges:
    def test_members(self):
        cases = [
            (Interval(0, 1), [0, 1], [-1, 2]),
            (Interval.open(0, 1), [sp.Rational(1, 2)], [0, 1]),
            (Interval.Lopen(0, sp.oo), [5], [0]),
            (Interval(0, sqrt(2)), [sp.Rational(7, 5)], [sp.Rational(3, 2)]),
            (Range(2, 5), [2, 4], [1, 5, sp.Rational(5, 2)]),
            (Range(0, sp.oo), [0, 9], [-1, sp.Rational(1, 2)]),
            (sp.S.Integers, [-3], [sp.Rational(1, 2)]),
            (sp.FiniteSet(0, 2), [0, 2], [1]),
        ]
        for range_, inside, outside in cases:
            translation = Translation(OVER)
            member = translation.member(x, range_)
            for values, expected in ((inside, True), (outside, False)):
                for value in values:
                    assert holds(translation, member, {x: sp.sympify(value)}) is expected

    def test_membership_is_a_statement_like_others(self):
        """Of a term, which must be defined, and not of letters alone."""
        over = {x: Interval(0, 2)}

        def inside(value, range_):
            return sp.Contains(value, range_, evaluate=False)

        assert follows(inside(x**2, Interval(0, 4)), over=over)
        assert follows(x <= 3, over={x: Reals}, under=[inside(x + 1, Interval(0, 4))])
        for wrong in (inside(x**2, Interval(0, 3)), inside(1 / x, Interval(-9, sp.oo))):
            with pytest.raises(NotProved):
                follows(wrong, over=over)


class TestSigns:
    """What is known of the sign of a value, and that nothing more is taken for known."""

    @each(
        "known, shown, too_much",
        ("positive", sp.Gt, lambda g: 2 * g > 1),
        ("nonnegative", sp.Ge, lambda g: g > 0),
        ("negative", sp.Lt, lambda g: 2 * g < -1),
        ("nonpositive", sp.Le, lambda g: g < 0),
    )
    def test_of_a_function(self, known, shown, too_much):
        value, over = Function("g", **{known: True})(x), {x: Reals}
        assert follows(shown(value, 0, evaluate=False), over=over)
        with pytest.raises(NotProved):
            follows(too_much(value), over=over)

    @each("range_, value", (Interval.open(0, 1), 1), (Interval.open(-1, 0), -1), (sp.FiniteSet(0), 0))
    def test_of_a_small_number(self, range_, value):
        assert follows(sp.Eq(sp.sign(x), value), over={x: range_})


class TestIndices:
    @each(
        "assumed, first, fits",
        ({}, 0, True),
        ({"nonnegative": True}, 0, True),
        ({"nonnegative": True}, 1, True),
        ({"positive": True}, 1, True),
        ({"positive": True}, 0, False),
        ({"nonnegative": True}, -1, False),
    )
    def test_what_is_assumed_of_an_index_holds_from_the_first_term_on(self, assumed, first, fits):
        index, n = sp.Symbol("k", integer=True, **assumed), sp.Symbol("n", integer=True)
        total = sp.Sum(sp.Function("f", real=True)(index), (index, first, n))
        translation = Translation({n: sp.Range(1, sp.oo)})
        if fits:
            assert translation.formula(sp.Ge(total, 0))
        else:
            with pytest.raises(TypeError, match="a sum must run over one index"):
                translation.formula(sp.Ge(total, 0))


def test_a_double_sum_is_a_sum_of_sums():
    i, k, n = sp.symbols("i k n", integer=True)
    f, over = sp.Function("f", real=True), {n: sp.Range(1, sp.oo)}
    double = sp.Sum(f(i, k), (i, 0, k), (k, 0, n))
    assert follows(double <= 2, [claimed("c", double <= 1, over=over)], over=over)
    others = [
        sp.Sum(f(i, k), (i, 0, n), (k, 0, n)),
        sp.Sum(f(k, i), (i, 0, k), (k, 0, n)),
        sp.Sum(f(i, k), (i, 0, k), (k, 1, n)),
        sp.Sum(f(i, k), (i, 1, k), (k, 0, n)),
        sp.Sum(f(i, i), (i, 0, n)),
    ]
    for other in others:
        with pytest.raises(NotProved):
            follows(other <= 2, [claimed("c", double <= 1, over=over)], over=over)
    with pytest.raises(TypeError, match="between integers"):
        follows(sp.Eq(sp.Sum(f(i, k), (i, 0, k / 2), (k, 0, n)), 1), over=over)


# What is read back from the solver: the very statements, numbers and tables.


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
        again = read_back(translation, translation.formula(statement)[0])
        assert plain(again) == plain(statement)


def test_what_no_translation_makes_is_no_term():
    question = asked([])
    with pytest.raises(TypeError, match="no term of a question"):
        read(Translation(OVER), question, z3.Xor(z3.BoolVal(True), z3.BoolVal(False)))


def test_a_set_of_integers_is_read_back():
    translation = Translation(OVER)
    member = translation.member(x, sp.Range(2, 5))
    assert plain(read_back(translation, member)) == sp.Contains(x, sp.S.Integers) & (x >= 2) & (x <= 4)


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
        equation = translation.formula(Eq(sp.sqrt(x), 2))[0]
        four = translation.member(x, Interval(4, 4))
        question = asked([equation, four, *translation.facts.values()])
        assert counterexample(translation, question, answer_to(question)) == {x: 4}


def test_a_table_is_told_with_its_other_value():
    table = Table({(sp.S.One,): sp.Integer(2), (sp.S.Zero,): sp.Integer(3)}, sp.Integer(4))
    assert [table(one) for one in map(sp.sympify, (0, 1, 2))] == [3, 2, 4]
    assert str(table) == "{1: 2; 0: 3; else: 4}"
    two = Table({(sp.S.One, sp.S.Zero): sp.Integer(2)}, sp.S.Zero)
    assert str(two) == "{1, 0: 2; else: 0}"
    with pytest.raises(FrozenInstanceError):
        two.otherwise = sp.S.One
