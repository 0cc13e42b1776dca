"""The rules that make theorems of theorems: which letters they keep, choose and bind."""

from importlib import import_module

import kdrag
import kdrag.kernel
import pytest
import sympy as sp
import z3
from asking import refused
from sympy import Eq, Function, Interval, Range, Reals, Sum, Symbol
from trying import each

from theorems.engine.rules import NotProved, Random, Vector, cases, follows, induction, instance
from theorems.engine.rules.asking import EFFORT, limited
from theorems.engine.rules.inferences import _by_integers, inserted
from theorems.engine.rules.leaves import claimed
from theorems.engine.rules.meanings import meaning
from theorems.engine.rules.solver import Problem

x, y, c = sp.symbols("x y c", real=True)
k, n = sp.symbols("k n", integer=True)
f, g = Function("f"), Function("g")
NATURAL, POSITIVE, UNIT = Range(0, sp.oo), Interval.open(0, sp.oo), Interval(0, 1)
REAL = {x: Reals}


class TestInstances:
    def test_a_letter_that_is_chosen_and_occurs_again_keeps_its_set(self):
        some = claimed("c", f(x) > y, over={x: POSITIVE, y: Reals})
        again = instance(some, {x: x + 1})
        assert again.over == {x: POSITIVE, y: Reals}
        assert again.statement == (f(x + 1) > y)
        smaller = instance(some, {x: x + 1}, over={x: UNIT})
        assert smaller.over == {x: UNIT, y: Reals}
        refused("rejected", instance, some, {x: x - 1})

    def test_a_letter_may_be_renamed_within_the_same_set_alone(self):
        some = claimed("c", f(x) > 0, over={x: POSITIVE})
        assert instance(some, {x: y}, over={y: POSITIVE}).over == {y: POSITIVE}
        assert instance(some, {x: y}, over={y: Interval(1, 2)}).over == {y: Interval(1, 2)}
        refused("rejected", instance, some, {x: y}, over={y: Interval(0, 1)})

    def test_the_refusal_names_the_set(self):
        some = claimed("c", f(x) > 0, over={x: POSITIVE})
        assert "Contains(-1, Interval.open(0, oo))" in refused("rejected", instance, some, [-1]).why

    def test_letters_that_are_none_are_named(self):
        some = claimed("c", f(x) > 0, over=REAL)
        with pytest.raises(ValueError, match="are no letters of the theorem"):
            instance(some, {y: 1, n: 2})

    def test_further_hypotheses_are_kept_and_may_bring_a_term_into_the_set(self):
        some = claimed("c", f(x) > 0, over={x: POSITIVE})
        found = instance(some, {x: y}, over={y: Reals}, under=[y > 1])
        assert found.under == {y > 1}
        refused("rejected", instance, some, {x: y}, over={y: Reals}, under=[y > -1])

    def test_objects_are_replaced_by_objects(self):
        X, u = Random("X"), Vector("u")
        about = claimed("c", f(x) > 0, over={x: Reals, X: X.belongs_to})
        with pytest.raises(TypeError, match="must be one of the random variables"):
            instance(about, {X: u}, over={u: u.belongs_to})

    def test_a_meaning_of_another_letter_hinders_nothing(self):
        over = {x: Reals, y: Reals}
        known = follows(y >= 1, [meaning("m", Eq(y, x**2 + 1), over=over)], over=over)
        assert instance(known, {x: 3, y: c}, over={c: Reals}).statement == (c >= 1)
        refused("undecided", instance, known, {x: 3})
        refused("undecided", instance, known, {y: 2 * c}, over={c: Reals})

    def test_sums_of_integers_lie_between_the_ends_of_a_set(self):
        some = claimed("c", f(n) > 0, over={n: Range(1, 10)})
        j = Symbol("j", integer=True)
        assert instance(some, {n: 2 * j + 1}, over={j: Range(0, 5)})
        refused("rejected", instance, some, {n: 2 * j + 1}, over={j: Range(0, 6)})
        assert instance(some, {n: j * k}, over={j: Range(1, 4), k: Range(1, 4)})
        refused("rejected", instance, some, {n: x}, over={x: Interval(1, 9)})


class TestInserted:
    def test_all_at_once(self):
        assert inserted(x < y, {x: y, y: x}) == (y < x)

    @each(
        "expression, values",
        (Sum(n, (k, 0, n)), {n: k}),
        (Sum(n, (k, 0, n)), {k: 3}),
        (sp.Integral(f(x, y), (x, 0, 1)), {y: x}),
        (sp.Derivative(f(x, y), x), {y: x**2}),
        (sp.Limit(f(x, y), x, 0), {y: x}),
    )
    def test_nothing_is_caught(self, expression, values):
        with pytest.raises(ValueError, match="would be caught"):
            inserted(expression > 0, values)

    def test_bound_letters_of_other_names_catch_nothing(self):
        assert inserted(Sum(n, (k, 0, n)), {n: c}) == Sum(c, (k, 0, c))
        assert inserted(sp.Integral(f(x, y), (x, 0, 1)), {y: c + 1}).has(c)


class TestInduction:
    def test_the_letter_is_bound_by_the_induction(self):
        with pytest.raises(ValueError, match="bound by the induction alone"):
            induction(f(n) > 0, n, 0, over={n: NATURAL})
        with pytest.raises(ValueError, match="bound by the induction alone"):
            induction(f(n) > 0, n, 0, under=[n > 0])

    def test_from_the_start_on(self):
        doubling = claimed("d", f(n + 1) >= f(n), over={n: Range(2, sp.oo)})
        first = claimed("first", f(2) >= 5, over={})
        found = induction(f(n) >= 5, n, 2, base=[first], step=[doubling])
        assert found.over == {n: Range(2, sp.oo)}
        names = {leaf.name for leaf in found.trusts}
        assert {"d", "first", "induction on integers"} <= names
        with pytest.raises(NotProved):
            induction(f(n) >= 5, n, 1, base=[first], step=[doubling])
        with pytest.raises(NotProved):
            induction(f(n) >= 5, n, 2, step=[doubling])
        with pytest.raises(NotProved):
            induction(f(n) >= 5, n, 2, base=[first])

    def test_the_step_goes_to_the_next_integer(self):
        every_other = claimed("d", f(n + 2) >= f(n), over={n: NATURAL})
        first = claimed("first", f(0) >= 5, over={})
        with pytest.raises(NotProved):
            induction(f(n) >= 5, n, 0, base=[first], step=[every_other])

    def test_other_letters_keep_their_sets(self):
        grows = claimed("d", f(n + 1) >= f(n) + c, over={n: NATURAL, c: POSITIVE})
        found = induction(f(n) >= f(0) + c * n, n, 0, step=[grows], over={c: POSITIVE})
        assert found.over == {c: POSITIVE, n: NATURAL}
        with pytest.raises(NotProved):
            induction(f(n) >= f(0) + c * n, n, 0, step=[grows], over={c: Reals})

    def deceived(self, monkeypatch, scheme):
        """An induction with another principle, in a process that has made none yet."""
        _by_integers.cache_clear()
        notation = import_module("kdrag.notation")
        monkeypatch.setattr(notation, "induct_int", scheme(notation.induct_int))
        with pytest.raises(NotProved, match="something else"):
            induction(n**2 >= 2 * n - 1, n, 1)

    def test_an_admitted_principle_is_refused(self, monkeypatch):
        def admitted(genuine):
            return lambda *args: kdrag.kernel.prove(genuine(*args).thm, admit=True)

        self.deceived(monkeypatch, admitted)

    def test_a_principle_that_says_something_else_is_refused(self, monkeypatch):
        def other(genuine):
            def scheme(k, P):
                parts, said = genuine(k, P).thm.children()
                return kdrag.kernel.axiom(z3.Implies(parts, z3.And(said, P(k + 1))))

            return scheme

        self.deceived(monkeypatch, other)

    def test_an_admitted_conclusion_is_refused(self, monkeypatch):
        _by_integers.cache_clear()  # what the kernel has concluded in this process
        ask = kdrag.kernel.prove

        def admit(goal, by=(), **how):
            known = {"admit": True} if len(tuple(by)) == 4 else {}
            return ask(goal, by=by, **how, **known)

        monkeypatch.setattr(kdrag.kernel, "prove", admit)
        with pytest.raises(NotProved, match="something else"):
            induction(n**2 >= 2 * n - 1, n, 1)


class TestCases:
    def test_hypotheses_cover_together(self):
        parts = [claimed("c", f(x) > 0, over=REAL, under=[one]) for one in (x >= 0, x < 0)]
        assert cases(parts, over=REAL).under == frozenset()
        strict = [claimed("c", f(x) > 0, over=REAL, under=[one]) for one in (x > 0, x < 0)]
        found = refused("rejected", cases, strict, over=REAL)
        assert found.witness[x] == 0
        assert cases(strict, over=REAL, under=[sp.Ne(x, 0)])


class TestTheSolver:
    def test_hypotheses_are_heeded_in_the_same_order_however_they_come(self):
        for known in ([x > 0, y > 1], [x > 0, y > 1, x < y]):
            orders = [Problem({x: Reals, y: Reals}, some, ()) for some in (known, known[::-1])]
            assert orders[0].under == orders[1].under
            assert str(orders[0].hypotheses) == str(orders[1].hypotheses)

    def test_within_a_smaller_bound_no_counterexample_is_asked_for(self):
        with limited(EFFORT // 2):
            found = refused("undecided", follows, x > 0, over=REAL)
        assert "does not prove it within" in found.why
        assert found.witness == {}
        assert refused("rejected", follows, x > 0, over=REAL).witness

    def test_why_the_solver_gave_up_is_told(self, monkeypatch):
        monkeypatch.setattr("theorems.engine.rules.solver.EFFORT", 1)
        with limited(100):
            found = refused("undecided", follows, x**4 * y**2 + 1 > x * y, over={x: Reals, y: Reals})
        assert found.why.startswith("Z3 does not decide it: ")
        assert "resource" in found.why or "limit" in found.why

    def test_the_bound_is_put_back_also_after_a_failure(self):
        with pytest.raises(RuntimeError, match="stop"), limited(1):
            raise RuntimeError("stop")
        assert refused("rejected", follows, x > 0, over=REAL).witness

    def test_hypotheses_give_letters_their_exact_values(self):
        over = {x: sp.FiniteSet(2), y: Reals}
        found = refused("rejected", follows, y > 2, over=over, under=[Eq(y, sp.log(x))])
        assert found.witness == {x: 2, y: sp.log(2)}

    def test_premises_that_contradict_each_other_prove_nothing(self):
        parts = [claimed("a", f(x) > 0, over=REAL), claimed("b", f(x) < 0, over=REAL)]
        assert "contradict each other" in refused("undecided", follows, x > 5, parts, over=REAL).why

    def test_a_premise_that_rules_the_point_out_is_heeded(self):
        premise = claimed("p", sp.Implies(x > 1, f(x) > 1), over=REAL)
        assert follows(f(x) > 1, [premise], over={x: Interval(2, 3)})
        found = refused("rejected", follows, f(x) > 1, [premise], over={x: Interval(0, 3)})
        assert found.witness[x] <= 1

    def test_degrees_of_roots_multiply_up_to_a_bound(self):
        def sums(degree):
            return x**2 + sp.sqrt(2) + sp.root(3, degree) > 2

        assert follows(sums(16), over=REAL)
        assert "degree 34" in refused("undecided", follows, sums(17), over=REAL).why

    def test_the_solver_is_among_the_leaves(self):
        (leaf,) = follows(x**2 + 1 > 0, over=REAL).trusts
        assert leaf.kind == "solver"
        assert "Z3" in leaf.name
        assert len(leaf.question) == 32
