"""Textbook facts, calculus and the vocabulary of vectors and random variables."""

import dataclasses

import pytest
import sympy as sp
from sympy import Abs, Eq, Function, Interval, Reals, Sum, sqrt
from trying import each

from theorems.engine.rules import (
    VECTORS,
    E,
    NotProved,
    P,
    Random,
    Vector,
    follows,
    inner,
    norm,
    probabilities,
)
from theorems.engine.rules import facts as library
from theorems.engine.rules.analytic import check_analytic
from theorems.engine.rules.facts import Fact
from theorems.engine.rules.leaves import claimed, textbook
from theorems.engine.rules.principles import expected, expected_jointly, increasing, jensen, more_probable
from theorems.engine.rules.vocabulary import Operator, opnorm, vectors

x, y, z = sp.symbols("x y z", real=True)
POSITIVE, REAL = Interval.open(0, sp.oo), {x: Reals}


class TestCalculus:
    @each("function", Abs(x), sp.Max(x, 0), sqrt((x - 1) ** 2), sp.floor(x))
    def test_corners_and_jumps_are_refused(self, function):
        flat = textbook("flat", sp.true, over=REAL)
        with pytest.raises((ValueError, NotProved, TypeError)):
            increasing(flat, function, x, y)
        with pytest.raises((ValueError, NotProved, TypeError)):
            jensen(flat, -function, x, Random("X"))

    def test_a_pole_is_refused(self):
        slope = follows(sp.Le(-1 / x**2, 0, evaluate=False), over={x: POSITIVE})
        assert increasing(slope, 1 / x, x, y)
        with pytest.raises((ValueError, NotProved)):
            increasing(textbook("t", sp.Le(-1, 0), over=REAL), 1 / x, x, y)

    def test_a_gap_in_the_range_is_refused(self):
        slope = claimed("s", 2 * x >= 0, over={x: sp.FiniteSet(0, 1)})
        with pytest.raises(ValueError, match="must range over an interval"):
            increasing(slope, x**2, x, y)

    def test_a_hypothesis_about_the_letter_is_refused(self):
        slope = follows(2 * x >= 0, over=REAL, under=[x > 0])
        with pytest.raises(ValueError, match="alone"):
            increasing(slope, x**2, x, y)

    def test_probabilities(self):
        X = Random("X")
        same = more_probable(follows(sp.Equivalent(2 * x > 4, x > 2), over=REAL), x, X)
        assert isinstance(same.statement, Eq)
        with pytest.raises(ValueError, match="implies another"):
            more_probable(follows(x**2 >= 2 * x - 1, over=REAL), x, X)
        some = follows(sp.Implies(x > 2, x**2 > 4), over=REAL, under=[x > 0])
        with pytest.raises(ValueError, match="no hypothesis"):
            more_probable(some, x, X)


FOUND = {**vars(library), **vars(probabilities)}
FACTS = {name: fact for name, fact in FOUND.items() if isinstance(fact, Fact)}


def test_every_fact_is_of_a_textbook_and_says_something():
    for fact in FACTS.values():
        kinds = {trust.kind for trust in fact.theorem.trusts}
        assert kinds - {"solver"} == {"textbook"}  # a solver may have shown that it is defined
        assert fact.theorem.statement not in (sp.true, sp.false)


def test_a_fact_cannot_be_changed():
    fact = dataclasses.replace(library.circle)
    with pytest.raises(dataclasses.FrozenInstanceError):
        fact.statement = sp.false
    assert fact.theorem.statement == library.circle.statement


class TestVocabulary:
    u, v, w = Vector("u"), Vector("v"), Vector("w")

    def test_the_parallelogram_law_in_all_dimensions(self):
        u, v = self.u, self.v
        law = Eq(norm(u + v) ** 2 + norm(u - v) ** 2, 2 * norm(u) ** 2 + 2 * norm(v) ** 2)
        assert follows(law, over={u: VECTORS, v: VECTORS})

    def test_cauchy_schwarz_is_not_taken_for_granted(self):
        u, v = self.u, self.v
        over = {u: VECTORS, v: VECTORS}
        with pytest.raises(NotProved, match="undecided"):
            follows(inner(u, v) ** 2 <= inner(u, u) * inner(v, v), over=over)

    @each(
        "number, printed",
        (inner(u, v), r"\langle u, v\rangle"),
        (norm(u - v), r"\|u - v\|"),
        (opnorm(Operator("M")), r"\|M\|"),
        (E(Random("X")), r"\mathbb{E}\left[X\right]"),
        (P(Random("X") > x), r"\mathbb{P}{\left(X > x\right)}"),
    )
    def test_a_power_is_printed_and_nothing_where_there_is_none(self, number, printed):
        assert sp.latex(number) == printed
        assert sp.latex(number**3).replace("^{3}", "") == printed
        assert sp.latex(number**3).count("^{3}") == 1


class TestFiniteSums:
    k, n = sp.symbols("k n", integer=True)
    f, over = Function("f"), {n: sp.Range(1, sp.oo)}

    def test_lengths_of_vectors_are_nonnegative(self):
        total = Sum(norm(vectors("x")(self.k)), (self.k, 0, self.n - 1))
        assert follows(total >= 0, over=self.over)


class TestRefusals:
    def test_a_joint_expectation_has_no_hypothesis_about_its_letters(self):
        both = {x: Reals, y: Reals}
        some = follows(x * y <= x**2 * y**2, over=both, under=[x * y > 1])
        with pytest.raises(ValueError, match="no hypothesis may be about"):
            expected_jointly(some, {x: Random("X"), y: Random("Y")})
        other = follows(2 * x * y <= x**2 + y**2, over={**both, z: Reals}, under=[z > 1])
        assert expected_jointly(other, {x: Random("X"), y: Random("Y")}).under == {z > 1}

    def test_what_differs_always_may_agree_in_the_mean(self):
        other = claimed("c", sp.Ne(x, sp.sign(x)), over={x: Interval.open(0, 1)})
        with pytest.raises(ValueError, match="must be a relation between numbers"):
            expected(other, x, Random("X"))

    def test_an_expectation_needs_an_interval(self):
        counted = follows(x >= 0, over={x: sp.Range(0, sp.oo)})
        with pytest.raises(ValueError, match="range over the reals or an interval"):
            expected(counted, x, Random("X"))

    def test_a_root_is_not_smooth_at_an_end_that_belongs_to_the_range(self):
        """x^(3/2) has a slope at 0, but the formula of the slope is no proof of it."""
        over = {x: Interval(0, 1)}
        slope = follows(sp.Ge(3 * sqrt(x) / 2, 0, evaluate=False), over=over)
        with pytest.raises(NotProved):
            increasing(slope, x ** sp.Rational(3, 2), x, y)
        inside = follows(sp.Ge(3 * sqrt(x) / 2, 0, evaluate=False), over={x: Interval.open(0, 1)})
        assert increasing(inside, x ** sp.Rational(3, 2), x, y)


def test_the_arcsine_has_a_slope_inside_of_its_range_only():
    """At the ends it has none, though it has values there."""
    half = {x: Interval(0, sp.Rational(1, 2))}
    slope = follows(sp.Ge(1 / sqrt(1 - x**2), 0, evaluate=False), over=half)
    assert increasing(slope, sp.asin(x), x, y).statement == sp.Implies(x <= y, sp.asin(x) <= sp.asin(y))
    # Up to 1 the value is defined, and the derivative is not.
    flat = follows(sp.Ge(0 * x, 0, evaluate=False), over={x: Interval(0, 1)})
    with pytest.raises(ValueError, match="must say"):
        increasing(flat, sp.asin(x), x, y)
    with pytest.raises(NotProved):
        check_analytic(sp.asin(x), x, {x: Interval(0, 1)}, ())


class TestInstances:
    """A fact at given terms."""

    @each("terms", (1 + x**2,), (1, 2, 3))
    def test_a_fact_takes_a_term_for_each_letter(self, terms):
        with pytest.raises(ValueError, match="zip"):
            library.logarithm_of_product(*terms, over=REAL)

    def test_the_terms_stay_in_the_ranges(self):
        assert library.logarithm_below_tangent(1 + x**2, over=REAL).over == REAL
        with pytest.raises(NotProved):
            library.logarithm_below_tangent(x, over=REAL)
        assert library.logarithm_below_tangent(x, over=REAL, under=[x > 1]).under == {x > 1}

    def test_letters_that_do_not_occur_are_left_out(self):
        u = Vector("u")
        found = library.positive_definite(u, over={x: Reals})
        assert found.over == {u: VECTORS}
        assert library.circle(y, over={x: Reals, y: POSITIVE}).over == {y: POSITIVE}

    def test_the_triangle_inequality_is_about_the_sum(self):
        """About the difference it would be as true, and another statement."""
        u, v = Vector("u"), Vector("v")
        assert library.triangle(u, v).statement == (norm(u + v) <= norm(u) + norm(v))

    def test_premises_become_hypotheses_of_the_instance(self):
        X, Y = Random("X"), Random("Y")
        found = probabilities.bounded_factor(X, Y**2, 3)
        assert found.statement == (Abs(E(X * Y**2)) <= 3 * E(Abs(Y**2)))
        assert found.under == {Eq(P(Abs(X) <= 3), 1)}
        with pytest.raises(NotProved):
            probabilities.bounded_factor(X, Y, -3)
