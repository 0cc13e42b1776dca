"""Truth at a point where SymPy does not evaluate by itself: balls and tables decide."""

import pytest
import sympy as sp
from sympy import Eq, Ge, Gt, Le, Lt, Ne
from trying import each

from theorems.engine.rules import RANDOM, VECTORS, NotProved, Random, Vector, follows, inner, norm
from theorems.engine.rules.evaluation import simple_points, special_cases, spelled_out, truth
from theorems.engine.rules.solver import _settle
from theorems.engine.rules.vocabulary import vectors

LESS, MORE = (sp.log(2), sp.Integer(1)), (sp.log(3), sp.Integer(1))


def test_numbers_are_compared_by_their_true_values():
    cases = [
        (Lt, True, False),
        (Le, True, False),
        (Gt, False, True),
        (Ge, False, True),
        (Eq, False, False),
        (Ne, True, True),
    ]
    for relation, below, above in cases:
        assert truth(relation(*LESS, evaluate=False), {}) is below
        assert truth(relation(*MORE, evaluate=False), {}) is above


@each("relation, met", (Lt, False), (Le, True), (Ge, True), (Ne, False))
def test_equal_sides(relation, met):
    assert truth(relation(sp.sqrt(8), 2 * sp.sqrt(2), evaluate=False), {}) is met


class TestAlternatives:
    """Of two alternatives one is enough, be the other one false or unknown."""

    yes, no = Lt(*LESS, evaluate=False), Lt(*MORE, evaluate=False)
    unknown = Gt(sp.atan(sp.S(1) / 2) + sp.atan(sp.S(1) / 3), sp.pi / 4, evaluate=False)  # equal

    @each(
        "one, other, answer",
        (yes, no, True),
        (yes, unknown, True),
        (no, unknown, None),
        (no, Gt(1, 2, evaluate=False), False),
    )
    def test_of_numbers(self, one, other, answer):
        assert truth(sp.Or(one, other, evaluate=False), {}) is answer
        assert truth(sp.Implies(sp.Not(one, evaluate=False), other, evaluate=False), {}) is answer

    @each("one, answer", (yes, True), (no, False), (unknown, None))
    def test_beside_one_that_holds_a_part_decides_a_conjunction(self, one, answer):
        both = sp.And(one, Gt(2, 1, evaluate=False), evaluate=False)
        assert truth(both, {}) is answer

    def test_an_alternative_that_holds_is_not_rejected(self):
        """The solver does not know the logarithm of 2, and may give it any value."""
        with pytest.raises(NotProved) as found:
            follows(sp.Or(self.yes, self.no, evaluate=False), over={})
        assert found.value.answer == "undecided"


x, y = sp.symbols("x y", real=True)
k, n, m = sp.symbols("k n m", integer=True)
f = sp.Function("f")


class TestStatements:
    yes, no = Lt(*LESS, evaluate=False), Lt(*MORE, evaluate=False)
    unknown = TestAlternatives.unknown

    def test_connectives(self):
        cases = [
            (sp.Not(self.yes, evaluate=False), False),
            (sp.Not(self.no, evaluate=False), True),
            (sp.Not(self.unknown, evaluate=False), None),
            (sp.Equivalent(self.yes, self.no, evaluate=False), False),
            (sp.Equivalent(self.no, Gt(1, 2, evaluate=False), evaluate=False), True),
            (sp.Equivalent(self.yes, self.unknown, evaluate=False), None),
            (sp.And(self.no, self.unknown, evaluate=False), False),
            (sp.Contains(sp.log(2), sp.Interval(0, 1), evaluate=False), True),
            (sp.Contains(sp.log(3), sp.Interval(0, 1), evaluate=False), False),
            (sp.Xor(self.yes, self.no, evaluate=False), None),
            (sp.true, True),
            (sp.false, False),
        ]
        for statement, answer in cases:
            assert truth(statement, {}) is answer

    def test_what_has_no_value_is_not_known(self):
        assert truth(x > y, {x: 1}) is None
        assert truth(Gt(sp.sqrt(x), 0), {x: -1}) is None
        assert truth(Gt(1 / x, 0), {x: 0}) is None

    def test_lengths_are_roots_of_squares(self):
        u = Vector("u")
        assert truth(Eq(norm(u), 3), {inner(u, u): 9}) is True
        assert truth(Eq(norm(u), 9), {inner(u, u): 9}) is False


class TestSpecialCases:
    total = Ge(sp.Sum(f(k), (k, m, n - 1)), 0)

    @each("range_", sp.S.Integers, sp.Range(-sp.oo, 4))
    def test_lengths_from_zero_on_where_a_range_has_no_least_one(self, range_):
        over = {n: range_, m: sp.FiniteSet(0)}
        cases = special_cases(over, [Ge(sp.Sum(f(k), (k, 0, n - 1)), 0)])
        assert [sizes for sizes, _, _ in cases] == [{n: 0}, {n: 1}, {n: 2}]

    def test_both_ends_get_values_and_other_letters_keep_their_ranges(self):
        over = {n: sp.Range(2, sp.oo), m: sp.Range(0, sp.oo), x: sp.Reals}
        found = list(special_cases(over, [self.total, x > 0]))
        assert [(sizes[n], sizes[m]) for sizes, _, _ in found] == [(2, 0), (3, 1), (4, 2)]
        assert all(rest == {x: sp.Reals} for _, _, rest in found)
        assert found[0][1](self.total) == (f(0) + f(1) >= 0)

    def test_a_statement_without_sums_has_no_shorter_case(self):
        assert list(special_cases({n: sp.Range(0, sp.oo)}, [n > 2])) == []

    def test_vectors_and_random_variables_become_numbers(self):
        u, X = Vector("u"), Random("X")
        over = {u: VECTORS, X: RANDOM, x: sp.Interval(0, 1)}
        ((sizes, change, ranges),) = special_cases(over, [norm(u) > x])
        line = {sp.Symbol(one, real=True): sp.Reals for one in "uX"}
        assert sizes == {}
        assert ranges == {x: sp.Interval(0, 1), **line}
        assert change(norm(u) > x) == (sp.Abs(sp.Symbol("u", real=True)) > x)

    def test_families_of_vectors_become_functions(self):
        statement = norm(vectors("v")(k)) > 0
        ((_, change, _),) = special_cases({k: sp.S.Integers}, [x > 0, statement])
        assert change(statement) == (sp.Abs(sp.Function("v", real=True)(k)) > 0)


class TestSpelledOut:
    def test_short_sums_between_known_ends(self):
        total = sp.Sum(f(k), (k, 0, n - 1))
        assert spelled_out(total > x, {n: 2, x: 3}) == (f(0) + f(1) > 3)
        assert spelled_out(total + 1 > 0, {n: 0}) == sp.true
        assert spelled_out(total > 0, {n: -3}).has(sp.Sum)
        assert spelled_out(total > 0, {}) == (total > 0)
        assert spelled_out(total > 0, {n: sp.oo}).has(sp.Sum)

    @each("ends", (0, n), (n, 3), (0, sp.oo), (5, 3))
    def test_a_sum_between_other_ends_stays(self, ends):
        """Although it may be known in closed form."""
        statement = Ge(sp.Sum(k / 2**k, (k, *ends)), x)
        assert spelled_out(statement, {}) == statement

    def test_a_long_sum_stays(self):
        total = sp.Sum(f(k), (k, 0, n - 1))
        assert not spelled_out(total > 0, {n: 20}).has(sp.Sum)
        assert spelled_out(total > 0, {n: 1000}).has(sp.Sum)


class TestSimplePoints:
    def test_ends_that_belong_to_the_range_and_a_value_inside(self):
        cases = [
            (sp.Interval(2, 4), [2, 4, 3]),
            (sp.Interval.open(2, 4), [3]),
            (sp.Interval(2, sp.oo), [2, 3]),
            (sp.Interval.open(2, sp.oo), [3]),
            (sp.Interval(-sp.oo, 2), [2, 0, 1, -1]),
            (sp.Reals, [0, 1, -1]),
            (sp.Interval(-1, 1), [-1, 1, 0]),
            (sp.Range(2, 6), [2, 5]),
        ]
        for range_, values in cases:
            assert [point[x] for point in simple_points({x: range_})] == values

    def test_of_several_letters_all_together(self):
        found = list(simple_points({x: sp.Interval(0, 1), y: sp.FiniteSet(1)}))
        assert found == [{x: 0, y: 1}, {x: 1, y: 1}, {x: sp.Rational(1, 2), y: 1}]

    def test_of_many_letters_some(self):
        letters = sp.symbols("a0:9", real=True)
        assert 1 < len(list(simple_points(dict.fromkeys(letters, sp.Reals)))) < 3**9

    def test_a_statement_that_the_solver_does_not_know_is_refuted_at_one(self):
        with pytest.raises(NotProved) as found:
            follows(sp.erf(x) <= sp.Rational(1, 2), over={x: sp.Interval(0, 3)})
        assert found.value.answer == "rejected"
        assert found.value.witness == {x: 3}


def test_a_letter_that_a_hypothesis_defines_gets_its_value_if_it_is_a_number():
    a, b, c = sp.symbols("a b c", real=True)
    witness = {a: sp.Integer(5), b: sp.Integer(2)}
    _settle(witness, [sp.Eq(a, b + 1), sp.Eq(b, c + 1), sp.Ge(b, 0), sp.Eq(c, 3)])
    assert witness == {a: 3, b: 2}
    _settle(witness, [sp.Eq(a, a**2 - 6, evaluate=False)])
    assert witness == {a: 3, b: 2}
    k = sp.Symbol("k", integer=True)
    witness[k] = sp.Integer(1)
    _settle(witness, [sp.Eq(a, sp.Sum(k, (k, 0, b)))])  # a sum over other numbers than that one
    assert witness[a].doit() == 3
