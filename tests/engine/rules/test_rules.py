"""The rules hold where they should, and nowhere else."""

import pytest
import sympy as sp
from asking import refused
from sympy import Eq, Function, Implies, Interval, Ne, Or, Range, Reals, Sum, Symbol, sqrt
from trying import each

from symbolic.derivation import Derivation, Step
from theorems.engine.rules import RANDOM, E, NotProved, Random, cases, decided, derived, follows, instance
from theorems.engine.rules.leaves import claimed, textbook
from theorems.engine.rules.sums import by_recursion, last_term

x, y = sp.symbols("x y", real=True)
k, n = sp.symbols("k n", integer=True)
f = Function("f")
UNIT, POSITIVE, NATURAL = Interval(0, 1), Interval.open(0, sp.oo), Range(0, sp.oo)
REAL = {x: Reals}


class TestConsequences:
    def test_a_premise_holds_in_its_own_range_only(self):
        half = claimed("half", f(x) <= 1, over={x: Interval(0, sp.Rational(1, 2))})
        refused("rejected", follows, f(x) <= 1, [half], over={x: UNIT})
        assert follows(f(x) <= 1, [half], over={x: Interval(0, sp.Rational(1, 2))})

    def test_a_premise_holds_under_its_own_hypotheses_only(self):
        some = claimed("some", f(x) <= 1, over=REAL, under=[x > 0])
        refused("rejected", follows, f(x) <= 1, [some], over=REAL)
        assert follows(f(x) <= 1, [some], over=REAL, under=[x > 1])

    def test_an_instance_takes_a_value_for_every_letter(self):
        both = claimed("both", f(x) <= y, over={x: Reals, y: Reals})
        assert instance(both, [1, 2], over={}).statement == (f(1) <= 2)
        with pytest.raises(ValueError, match="zip"):
            instance(both, [1], over=REAL)
        with pytest.raises(ValueError, match="zip"):
            instance(both, [1, 2, 3], over={})

    def test_a_letter_of_the_premises_alone(self):
        """It has some value, as its set is not empty."""
        bound = claimed("bound", f(x) <= y**2 - y**2 + 1, over={x: Reals, y: UNIT})
        assert follows(f(x) <= 1, [bound], over=REAL)

    @each(
        "goal, where, elsewhere",
        (Or(1 / x > 0, 1 / x < 1), POSITIVE, Interval(0, 1)),
        (sqrt(x) ** 3 >= 0, Interval(0, 1), Interval(-1, 1)),
        (Eq(sp.log(x) * 0 + sp.log(x) - y, sp.log(x) - y, evaluate=False), POSITIVE, UNIT),
        (Implies(x >= 0, x / (x + y) <= 1), POSITIVE, UNIT),
    )
    def test_everything_must_be_defined(self, goal, where, elsewhere):
        assert follows(goal, over={x: where, y: UNIT})
        with pytest.raises(NotProved):
            follows(goal, over={x: elsewhere, y: UNIT})

    def test_a_tangent_is_defined_where_the_cosine_is_not_zero(self):
        goal = Or(sp.tan(x) >= y, sp.tan(x) <= y)
        over = {x: UNIT, y: Reals}
        refused("undecided", follows, goal, over=over)
        assert follows(goal, over=over, under=[Ne(sp.cos(x), 0)])
        assert follows(goal, [textbook("cosine", sp.cos(x) > 0, over={x: UNIT})], over=over)

    def test_hypotheses_that_contradict_each_other_prove_nothing(self):
        refused("undecided", follows, x >= 5, over={x: UNIT}, under=[x < 0])
        both = {x: UNIT, y: UNIT}
        refused("undecided", follows, x >= 5, over=both, under=[x > y, y > x + 1])

    def test_integers(self):
        assert follows(n >= 1, over={n: NATURAL}, under=[n > 0])
        found = refused("rejected", follows, n >= 2, over={n: NATURAL}, under=[n > 0])
        assert found.witness == {n: 1}
        refused("rejected", follows, x >= 1, over={x: Interval(0, 9)}, under=[x > 0])

    def test_a_wrong_value_of_the_logarithm_rejects_nothing(self):
        big = Symbol("b", real=True)
        found = refused("undecided", follows, sp.log(big) <= big, over={big: Interval(1, sp.oo)})
        assert found.witness

    def test_cases_must_cover(self):
        parts = [claimed("c", f(x) > 0, over={x: part}) for part in (Interval(0, 1), Interval(2, 3))]
        refused("rejected", cases, parts, over={x: Interval(0, 3)})
        with pytest.raises(ValueError, match="same statement"):
            cases([*parts, claimed("d", f(x) > 1, over=REAL)], over=REAL)


class TestInstances:
    def test_the_term_must_be_defined(self):
        whole = claimed("whole", f(x) <= 1, over=REAL)
        refused("rejected", instance, whole, {x: 1 / y}, over={y: UNIT})
        assert instance(whole, {x: 1 / y}, over={y: POSITIVE})

    def test_hypotheses_are_replaced_as_well(self):
        some = claimed("some", f(x) <= 1, over=REAL, under=[x > 0])
        assert instance(some, {x: y - 1}, over={y: Reals}).under == {y - 1 > 0}
        assert instance(some, {x: 3}).under == frozenset()

    def test_a_random_variable_is_no_number(self):
        X, c = Random("X"), Symbol("c", real=True)
        out = follows(Eq(E(c * X), c * E(X), evaluate=False), over={X: RANDOM, c: Reals})
        with pytest.raises(TypeError, match="X is no number"):
            instance(out, {c: X})


class TestSums:
    def total(self, term, end=n - 1):
        return Sum(term, (k, 0, end))

    def test_a_negative_length_has_no_last_term(self):
        theorem = last_term(self.total(f(k), n), over={n: sp.S.Integers})
        assert theorem.under == {n >= 0}

    def test_terms_must_be_defined(self):
        body = 1 / (k - 2)
        refused("undecided", last_term, self.total(body, n), over={n: NATURAL})
        assert last_term(self.total(1 / (k + 2), n), over={n: NATURAL})

    def test_a_closed_form(self):
        assert by_recursion(Eq(self.total(k**2), n * (n - 1) * (2 * n - 1) / 6), n)
        refused("rejected", by_recursion, Eq(self.total(k**2), n * (n - 1) * (2 * n + 1) / 6), n)


class TestLeaves:
    def test_a_decision_needs_a_value_everywhere(self):
        """(x^2 - x)/x = x - 1 says nothing at 0; two such equations would contradict each other."""
        hole = Eq((x**2 - x) / x, x - 1, evaluate=False)
        assert decided(hole, over={x: Interval.open(0, 1)})
        with pytest.raises(NotProved):
            decided(hole, over={x: UNIT})

    def test_integrals_exist_where_a_derivation_says_so(self):
        integral = sp.Integral(y * x, (y, 0, 2))
        step = Step(2 * x, "integrate", lambda before, after: (before.doit() - after == 0, ""))
        theorem = derived(Derivation("t", "I", integral, [step]))
        assert follows(integral <= 2, [theorem], over={x: UNIT})
        with pytest.raises(NotProved):
            follows(integral - integral / 2 >= integral / 2, over={x: UNIT})


class TestDerivationsOfMatrices:
    start = sp.Matrix([[x**2 + 2 * x, 2 * x]])

    def test_an_entry_that_differs_is_noticed(self):
        chain = Derivation("t", "M", self.start, [Step(sp.Matrix([[x * (x + 2), x]]), "a")])
        refused("rejected", derived, chain)
