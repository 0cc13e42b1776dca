"""Where names with indices meet, and what two laws say there."""

from contextlib import nullcontext

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from sympy import Eq, Reals
from trying import each

from theorems.engine.rules import NotProved
from theorems.engine.rules.common_places import renamed_apart, where_they_meet
from theorems.engine.rules.meanings import largest, least, meaning
from theorems.engine.rules.theorem import meanings_fit
from theorems.engine.rules.vocabulary import Vector, inner, norm, vectors

f, g = sp.Function("f", real=True), sp.Function("g", real=True)
n, j = (sp.Symbol(name, integer=True) for name in "nj")
k = sp.Symbol("k", integer=True, nonnegative=True)
q, r = sp.symbols("q r", real=True)
whole = st.integers(-9, 9)


def fit(*theorems):
    meanings_fit(leaf for one in theorems for leaf in one.trusts)


def told(statement, over=None, about=(), under=()):
    letters = {x: sp.S.Integers if x.is_integer else Reals for x in statement.free_symbols}
    return meaning("so it is", statement, over={**letters, **(over or {})}, about=about, under=under)


class TestWhereTheyMeet:
    @given(whole, whole, st.integers(1, 4), st.integers(1, 4))
    def test_two_places_are_one_exactly_where_they_are_found_to_be(self, a, b, p, s):
        at = where_they_meet(f(p * n + a), f(s * j + b), {n, j})
        common = [(x, y) for x in range(-40, 41) for y in range(-40, 41) if p * x + a == s * y + b]
        if at is None:
            assert not common
        else:
            assert f(p * n + a).xreplace(at) == f(s * j + b).xreplace(at)
            # One letter is left, and each common place is that of one of its values.
            free = n if j in at else j
            for x, y in common[:5]:
                values = {n: x, j: y}
                assert all(value.subs({free: values[free]}) == values[z] for z, value in at.items())

    @each(
        "first, second, at",
        (f(k), f(3), {k: 3}),
        (f(k), f(-1), None),
        (f(n, 0), f(1, j), {n: 1, j: 0}),
        (f(n, n), f(1, 2), None),
        (f(n), g(n), None),
        (f(n), f(n, n), None),
        (f(2 * n), f(3), None),
        (f(g(n)), f(g(2)), {n: 2}),
        (inner(vectors("v")(n), Vector("w")), inner(vectors("v")(2), Vector("w")), {n: 2}),
        (norm(vectors("v")(n)), norm(vectors("w")(2)), None),
    )
    def test_by_hand(self, first, second, at):
        assert where_they_meet(first, second, {n, j, k}) == at

    def test_a_place_that_no_linear_equation_finds_may_be_a_common_one(self):
        positive = sp.Symbol("m", integer=True, positive=True)
        assert where_they_meet(f(n**2), f(4), {n}) == {}
        assert where_they_meet(f(positive * k + 1), f(1), {k, positive}) == {}
        assert where_they_meet(f(positive**2), f(0), {positive}) is None

    def test_letters_renamed_apart_keep_what_is_assumed_of_them(self):
        apart = renamed_apart([k, q])
        assert apart == renamed_apart([q, k])
        assert apart[k].is_nonnegative
        assert apart[q].is_real
        assert apart[q] != q


class TestTwoLaws:
    @each("start, refused", (0, False), (1, True), (-1, False))
    def test_a_start_below_a_recursion(self, start, refused):
        step = told(Eq(f(n + 1), f(n) + 1), over={n: sp.Range(0, sp.oo)})
        with pytest.raises(NotProved, match="two things") if refused else nullcontext():
            fit(step, told(Eq(f(start), q), over={q: Reals}, about=[q]))

    @each("under, refused", (n >= 3, False), (n >= 2, True), (n > 2, False))
    def test_conditions_of_a_recursion(self, under, refused):
        step = told(Eq(f(n), f(n - 1) + 1), under=[under])
        with pytest.raises(NotProved, match="two things") if refused else nullcontext():
            fit(step, told(Eq(f(2), q)))

    def test_a_condition_in_letters(self):
        later = told(Eq(f(n, j), f(n - 1, j) + 1), under=[n >= j + 1])
        fit(later, told(Eq(f(j, j), 1)))
        with pytest.raises(NotProved, match="two things"):
            fit(later, told(Eq(f(j + 1, j), 1)))

    def test_recursions_of_a_bilinear_form_agree(self):
        u, v, x, y = (vectors(name) for name in "uvxy")
        over = {n: sp.Range(sp.oo), j: sp.Range(sp.oo)}
        first = told(Eq(inner(u(n + 1), v(j)), inner(u(n) + x(n), v(j))), over)
        second = told(Eq(inner(v(n + 1), u(j)), inner(v(n) + y(n), u(j))), over)
        blocks = told(Eq(inner(x(j), v(n + 1)), inner(x(j), v(n) + y(n))), over)
        other = told(Eq(inner(y(j), u(n + 1)), inner(y(j), u(n) + x(n))), over)
        fit(first, second, blocks, other)
        with pytest.raises(NotProved, match="two things"):
            fit(first, second)  # nothing is said of x and v that makes both the same
        twice = told(Eq(inner(v(n + 1), u(j)), inner(v(n) + 2 * y(n), u(j))), over)
        with pytest.raises(NotProved, match="two things"):
            fit(first, twice, blocks, other)

    def test_a_formula_that_does_not_reach_the_start(self):
        step = told(Eq(f(n + 1), 2 * f(n)), over={n: sp.Range(sp.oo)})
        fit(step, told(Eq(f(n), 2**n), over={n: sp.Range(sp.oo)}))
        with pytest.raises(NotProved, match="two things"):
            fit(step, told(Eq(f(n), 2**n), over={n: sp.Range(1, sp.oo)}))


class TestLengths:
    @each("square, refused", (inner(Vector("u"), Vector("u")), True), (norm(Vector("v")), False))
    def test_a_norm_is_the_root_of_an_inner_product(self, square, refused):
        length = told(Eq(norm(Vector("u")), 1), over={Vector("u"): Vector("u").belongs_to})
        over = {one: one.belongs_to for one in square.free_symbols}
        with pytest.raises(NotProved, match="two things") if refused else nullcontext():
            fit(length, told(Eq(square, 2), over=over))

    def test_the_norm_of_a_sum_when_all_products_are_explained(self):
        x = vectors("x")
        ones = [told(Eq(norm(x(place)), 1)) for place in (1, 2)]
        whole_ = told(Eq(norm(x(1) + x(2)), q), over={q: sp.Interval(0, sp.oo)}, about=[q])
        fit(*ones, whole_)  # it explains the product of the two
        with pytest.raises(NotProved, match="two things"):
            fit(*ones, whole_, told(Eq(inner(x(1), x(2)), 0)))


class TestExtremes:
    def test_a_largest_value_at_each_place_is_nothing_else_at_one(self):
        over = {n: sp.Range(sp.oo), j: sp.Range(sp.oo)}
        top = largest("the largest", g(j) <= f(n), over=over)
        with pytest.raises(NotProved, match="stands for something"):
            fit(top, told(Eq(f(1), q), over={q: Reals}, about=[q]))
        with pytest.raises(NotProved, match="two extremes"):
            fit(top, least("the least", g(j) >= f(2), over={j: sp.Range(sp.oo)}))


U, V = Vector("u"), Vector("v")
OVER = {one: one.belongs_to for one in (U, V)}
LENGTH = told(Eq(norm(U), 2), OVER)
SQUARES = sp.Sum(f(n) ** 2, (n, 1, 3))


class TestCoordinates:
    """The sum of the squares of coordinates is a length, whatever that is."""

    def test_a_length_leaves_coordinates_free(self):
        fit(LENGTH, told(Eq(inner(U, U), SQUARES), OVER))

    def test_coordinates_that_are_explained(self):
        with pytest.raises(NotProved, match="two things"):
            fit(LENGTH, told(Eq(inner(U, U), SQUARES), OVER), told(Eq(f(n), 1)))

    def test_two_vectors_with_the_same_coordinates(self):
        each = [told(Eq(inner(one, one), SQUARES), OVER) for one in (U, V)]
        with pytest.raises(NotProved, match="two things"):
            fit(LENGTH, *each)

    def test_no_squares_of_coordinates(self):
        with pytest.raises(NotProved, match="two things"):
            fit(LENGTH, told(Eq(inner(U, U), sp.Sum(f(n) ** 3, (n, 1, 3))), OVER))

    @each("last, refused", (3, False), (1, False), (0, True), (k, True), (k + 1, False))
    def test_there_is_a_coordinate(self, last, refused):
        square = told(Eq(inner(U, U), sp.Sum(f(n) ** 2, (n, 1, last))), OVER | {k: sp.Range(sp.oo)})
        with pytest.raises(NotProved, match="two things") if refused else nullcontext():
            fit(LENGTH, square)

    def test_coordinates_in_two_ranges(self):
        """From 1 to 3, from 4 to 5 and from 1 to 5 the squares are the length: it is zero."""
        ranges = ((1, 3), (4, 5), (1, 5))
        sums = [sp.Sum(f(n) ** 2, (n, low, high)) for low, high in ranges]
        with pytest.raises(NotProved, match="two things"):
            fit(LENGTH, *(told(Eq(inner(U, U), one), OVER) for one in sums))
