"""Finite sums of any length: what holds of their terms holds of them, and no more."""

import pytest
import sympy as sp
from asking import is_proved, refused
from sympy import Eq, Function, Ge, Gt, Interval, Le, Lt, Range, Reals, Sum, Symbol
from trying import each

from theorems.engine.rules import NotProved, follows, norm
from theorems.engine.rules.leaves import claimed
from theorems.engine.rules.sums import (
    by_recursion,
    last_term,
    last_vector,
    linear,
    norm_of_sum,
    spelled_out,
    summed,
    telescoped,
)
from theorems.engine.rules.vocabulary import vectors

k, n, m = sp.symbols("k n m", integer=True)
c = Symbol("c", real=True)
f, g, V = Function("f"), Function("g"), Function("V")
x = vectors("x")
NATURAL, OVER = Range(0, sp.oo), {n: Range(0, sp.oo)}


def total(term, low=0, high=n - 1):
    """A sum over k."""
    return Sum(term, (k, low, high))


def valued(expression, length):
    """The value where f(k) = k^2 + 1 and the length is this."""
    return expression.subs(n, length).doit().replace(f, lambda place: place**2 + 1).doit()


class TestDefinition:
    @each("one", total(f(k)), total(k * f(k), 2, n), total(f(k + n), 1, n + 1))
    def test_the_last_term_is_the_one_that_the_shorter_sum_lacks(self, one):
        found = last_term(one, over=OVER)
        for length in (3, 5):
            assert valued(found.statement.lhs - found.statement.rhs, length) == 0
        low, high = one.limits[0][1:]
        assert found.under <= {high >= low}
        assert {leaf.kind for leaf in found.trusts} == {"definition"}

    def test_the_last_vector(self):
        found = last_vector(Sum(x(k), (k, 1, n)), over=OVER)
        shorter = Sum(x(k), (k, 1, n - 1)) + x(n)
        assert found.statement == Eq(norm(Sum(x(k), (k, 1, n))), norm(shorter))
        assert found.under == {n >= 1}

    @each("low, high", (0, 2), (2, 2), (-1, 3), (1, 0))
    def test_the_terms_between_two_integers(self, low, high):
        found = spelled_out(total(f(k), low, high), over={})
        places = range(low, high + 1)
        terms = sp.Add(*map(f, places))
        assert found.statement == Eq(total(f(k), low, high), terms, evaluate=False)

    def test_a_sum_that_is_known_is_spelled_out_as_an_equation(self):
        found = spelled_out(total(k, 0, 2), over={})
        assert found.statement == Eq(total(k, 0, 2), 3, evaluate=False)

    def test_a_sum_that_ends_before_it_begins_is_not_empty(self):
        """SymPy takes terms away there."""
        refused("undecided", spelled_out, total(f(k), 1, -1), over={})


class TestRecursion:
    def test_from_the_start_with_premises(self):
        each = claimed("each", f(m) >= 1, over={m: Range(2, sp.oo)})
        longer = total(f(k), 2, m - 1) >= m - 2
        assert by_recursion(longer, m, 2, premises=[each]).over == {m: Range(2, sp.oo)}
        refused("rejected", by_recursion, total(f(k), 2, m - 1) >= m - 1, m, 2, premises=[each])
        with pytest.raises(NotProved):
            by_recursion(total(f(k), 0, m - 1) >= m, m, premises=[each])

    def test_other_letters_and_hypotheses_are_kept(self):
        each = claimed("each", f(m) >= c, over={m: NATURAL, c: Reals}, under=[c > 1])
        found = by_recursion(
            total(f(k), 0, m - 1) >= c * m, m, premises=[each], over={c: Reals}, under=[c > 1]
        )
        assert found.over == {c: Reals, m: NATURAL}
        assert found.under == {c > 1}
        with pytest.raises(NotProved):
            by_recursion(total(f(k), 0, m - 1) >= c * m, m, premises=[each], over={c: Reals})

    def test_a_sum_whose_terms_depend_on_its_length_does_not_grow_by_a_term(self):
        with pytest.raises(NotProved):
            by_recursion(Ge(Sum((m - k) ** 3 * f(k), (k, 0, m - 1)), 0), m)


class TestSummed:
    @each("relation, added", (Lt, Le), (Le, Le), (Gt, Ge), (Ge, Ge), (Eq, Eq))
    def test_of_no_terms_no_strict_inequality_is_left(self, relation, added):
        each = claimed("each", relation(f(k), g(k)), over={k: NATURAL})
        found = summed(each, k, n, over=OVER)
        assert found.statement == added(total(f(k)), total(g(k)))
        assert {"each"} <= {leaf.name for leaf in found.trusts}

    def test_each_index_is_needed(self):
        late = claimed("late", f(k) <= g(k), over={k: Range(1, sp.oo)})
        refused("rejected", summed, late, k, n, over=OVER)

    def test_hypotheses_about_other_letters_are_kept(self):
        each = claimed("each", f(k) <= c, over={k: NATURAL, c: Reals}, under=[c > 2])
        found = summed(each, k, n, over=OVER)
        assert found.under == {c > 2}
        assert found.over == {c: Reals, n: NATURAL}

    def test_a_length_is_not_negative(self):
        each = claimed("each", f(k) <= g(k), over={k: NATURAL})
        with pytest.raises(NotProved):
            summed(each, k, n, over={n: sp.S.Integers})

    def test_an_index_below_the_length(self):
        some = claimed("some", f(k) <= g(k), over={k: NATURAL, m: NATURAL}, under=[k < m])
        assert summed(some, k, m, over={m: NATURAL}).under == frozenset()
        fewer = claimed("some", f(k) <= g(k), over={k: NATURAL, m: NATURAL}, under=[k < m - 1])
        refused("rejected", summed, fewer, k, m, over={m: NATURAL})


class TestTelescoped:
    @each("relation", Le, Ge, Eq)
    def test_growth_adds_up(self, relation):
        each = claimed("each", relation(V(k + 1) - V(k), f(k)), over={k: NATURAL})
        found = telescoped(each, k, V(k), n, over=OVER)
        assert found.statement == relation(V(n) - V(0), total(f(k)))

    def test_a_strict_inequality_is_not_left_of_no_terms(self):
        each = claimed("each", V(k + 1) - V(k) < f(k), over={k: NATURAL})
        refused("rejected", telescoped, each, k, V(k), n, over=OVER)

    @each("left", V(k) - V(k + 1), V(k + 1) + V(k), V(k + 2) - V(k), V(k + 1) - V(k) + 1)
    def test_what_is_not_the_growth_is_refused(self, left):
        each = claimed("each", left <= f(k), over={k: NATURAL})
        with pytest.raises(ValueError, match="is not the growth of"):
            telescoped(each, k, V(k), n, over=OVER)


class TestLinear:
    def test_numbers_come_out_and_sums_are_taken_apart(self):
        over = {**OVER, c: Reals}
        found = linear(total(2 * f(k) - c * g(k) + c**2), over=over)
        parts = 2 * total(f(k)) - c * total(g(k)) + c**2 * n
        assert sp.expand(found.statement.rhs - parts) == 0
        assert found.statement.lhs == total(2 * f(k) - c * g(k) + c**2)

    def test_up_to_another_end(self):
        found = linear(total(3 * f(k), 0, n), over=OVER)
        assert found.statement == Eq(total(3 * f(k), 0, n), 3 * total(f(k), 0, n))

    def test_a_sum_that_begins_elsewhere_is_refused(self):
        for low in (1, -1, m):
            with pytest.raises(ValueError, match="must begin at 0"):
                linear(total(2 * f(k), low), over={**OVER, m: NATURAL})


class TestLengths:
    def test_a_sum_of_vectors_is_no_longer_than_all_of_them(self):
        found = norm_of_sum(Sum(x(k), (k, 0, n)), over=OVER)
        assert found.statement == Le(norm(Sum(x(k), (k, 0, n))), Sum(norm(x(k)), (k, 0, n)))
        names = {leaf.name for leaf in found.trusts if leaf.kind == "textbook"}
        assert names == {"triangle inequality"}
        shorter = norm(Sum(x(k), (k, 0, n))) <= Sum(norm(x(k)), (k, 0, n)) / 2
        assert not is_proved(shorter, OVER, premises=[found])

    @each("low", 1, -1)
    def test_a_sum_that_begins_elsewhere_is_refused(self, low):
        with pytest.raises(ValueError, match="must begin at 0"):
            norm_of_sum(Sum(x(k), (k, low, n)), over=OVER)

    def test_of_a_length_that_may_be_negative(self):
        with pytest.raises(NotProved):
            norm_of_sum(Sum(x(k), (k, 0, n - 1)), over={n: sp.S.Integers})


def test_sums_of_a_known_number_of_terms_are_compared():
    over = {c: Interval(0, 1)}
    known = spelled_out(total(c * k, 0, 3), over=over)
    assert follows(total(c * k, 0, 3) <= 6, [known], over=over)
    assert not is_proved(total(c * k, 0, 3) <= 5, over, premises=[known])
