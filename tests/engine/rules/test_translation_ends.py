"""Which ends belong: where functions are defined, and what is known of their values and signs."""

import pytest
import sympy as sp
from asking import is_defined, is_proved
from sympy import Eq, Function, Interval, Range, Reals, Sum, Symbol, exp
from trying import each

from theorems.engine.rules import EVENTS, RANDOM, VECTORS, E, Event, P, Random, Vector, inner, norm
from theorems.engine.rules.functions import PARTIAL, TOTAL, is_function
from theorems.engine.rules.names import name_of
from theorems.engine.rules.translation import Translation
from theorems.engine.rules.vocabulary import independent, randoms

x, y = sp.symbols("x y", real=True)
k, n = sp.symbols("k n", integer=True)
f = Function("f", real=True)
POSITIVE, NONNEGATIVE = Interval.open(0, sp.oo), Interval(0, sp.oo)


class TestWhereDefined:
    @each("function", sp.asin, sp.acos)
    def test_arcs_are_defined_from_minus_one_to_one_and_no_further(self, function):
        assert is_defined(function(x), x=Interval(-1, 1))
        assert not is_defined(function(x), x=Interval(-1, sp.Rational(11, 10)))
        assert not is_defined(function(x), x=Interval(sp.Rational(-11, 10), 1))

    def test_a_logarithm_is_defined_at_positive_numbers(self):
        assert is_defined(sp.log(x), x=POSITIVE)
        assert not is_defined(sp.log(x), x=NONNEGATIVE)

    def test_a_power_with_a_letter_in_the_exponent(self):
        cases = [
            ({"positive": True}, NONNEGATIVE, True),
            ({"positive": True}, Interval(-1, 1), False),
            ({"real": True}, POSITIVE, True),
            ({"real": True}, NONNEGATIVE, False),
            ({"integer": True, "nonnegative": True}, Reals, True),
            ({"integer": True}, Interval(-3, -1), True),
            ({"integer": True}, NONNEGATIVE, False),
        ]
        for exponent, base, defined in cases:
            t = Symbol("t", **exponent)
            ranges = {"positive": POSITIVE, "nonnegative": Range(0, sp.oo), "integer": sp.S.Integers}
            range_ = next((set_ for fact, set_ in ranges.items() if fact in exponent), Reals)
            assert is_defined(x**t, x=base, t=range_) is defined

    def test_a_power_with_a_number_in_the_exponent(self):
        cases = [
            (sp.Rational(1, 2), NONNEGATIVE, True),
            (sp.Rational(1, 3), Interval(-1, 1), False),
            (sp.Rational(-1, 2), POSITIVE, True),
            (sp.Rational(-1, 2), NONNEGATIVE, False),
            (-1, Interval(-2, -1), True),
            (-1, Interval(-1, 1), False),
            (3, Reals, True),
        ]
        for exponent, base, defined in cases:
            assert is_defined(x**exponent, x=base) is defined

    @each(
        "term, first, defined",
        (1 / k, 1, True),
        (1 / k, 0, False),
        (1 / (2 * k - 1), 0, True),  # at an integer it is
        (1 / (k - n), 0, False),
        (1 / (k - n - 1), 0, True),
    )
    def test_each_term_of_a_sum_from_the_first_to_the_last(self, term, first, defined):
        total = Sum(term, (k, first, n))
        assert is_defined(total, n=Range(2, sp.oo)) is defined

    def test_the_terms_of_an_empty_sum_need_no_value(self):
        assert is_defined(Sum(1 / k, (k, 0, n)), n=Range(-3, 0))
        assert not is_defined(Sum(1 / k, (k, 0, n)), n=Range(-3, 1))


class TestKnownValues:
    @each("head", *TOTAL, *PARTIAL, exp)
    def test_rational_values_at_zero_and_one_are_known_and_no_others(self, head):
        for place in (sp.S.Zero, sp.S.One):
            value, at = head(place), {x: sp.FiniteSet(place)}
            if value.is_Rational:
                assert is_proved(Eq(head(x), value), at)
                assert not is_proved(Eq(head(x), value + 1), at)
            assert not is_proved(Eq(head(x), head(place + 1)), {x: sp.FiniteSet(place + 2)})

    def test_an_exponential_of_a_multiple_is_a_power(self):
        over = {x: Reals}
        for times in (2, 3, -1, -2):
            assert is_proved(Eq(exp(times * x) * exp(x) ** (3 - times), exp(3 * x)), over)
            assert not is_proved(Eq(exp(times * x), exp(x) ** (times + 1)), over)
        assert is_proved(exp(x / 2) > 0, over)
        assert not is_proved(Eq(exp(x / 2), exp(x)), over)

    def test_of_a_paper_s_function_nothing_is_known(self):
        own = type("own", (sp.Function,), {"is_named": True, "is_real": True})
        assert not is_proved(Eq(own(x), 0), {x: sp.FiniteSet(0)})


class TestSigns:
    """What is not negative may be zero."""

    def test_of_powers_at_zero(self):
        t = Symbol("t", positive=True)
        assert is_proved(x**t > 0, {x: POSITIVE, t: POSITIVE})
        assert not is_proved(x**t > 0, {x: NONNEGATIVE, t: POSITIVE})
        assert not is_proved(sp.sqrt(x) > 0, {x: NONNEGATIVE})

    def test_of_the_sum_of_squares_of_which_there_are_none(self):
        """Summing from 0 to -2 takes away the term at -1, as SymPy has it."""
        total = Sum(f(k) ** 2, (k, 0, n - 1))
        assert is_proved(total >= 0, {n: Range(0, sp.oo)})
        assert not is_proved(total >= 0, {n: Range(-1, sp.oo)})

    def test_of_terms_that_may_be_negative(self):
        assert not is_proved(Sum(f(k), (k, 0, n - 1)) >= 0, {n: Range(0, sp.oo)})

    def test_of_lengths_of_vectors_that_may_be_zero(self):
        u = Vector("u")
        over = {u: VECTORS}
        assert is_proved(norm(u) >= 0, over)
        assert not is_proved(norm(u) > 0, over)
        assert is_proved(norm(u) > 0, over, [inner(u, u) > 0])
        assert is_proved(Eq(norm(u), 0), over, [Eq(inner(u, u), 0)])

    def test_of_probabilities_and_means(self):
        X, A = Random("X"), Event("A")
        over = {X: RANDOM, A: EVENTS}
        assert is_proved(P(A) >= 0, over)
        assert not is_proved(P(A) > 0, over)
        assert not is_proved(E(X) >= 0, over)


class TestIntegers:
    def test_integers_lie_in_a_set_of_integers_alone(self):
        integral = sp.Contains(x, sp.S.Integers, evaluate=False)
        assert is_proved(integral, {x: sp.FiniteSet(0, 2)})
        assert not is_proved(integral, {x: sp.FiniteSet(0, sp.Rational(1, 2))})

    def test_the_last_index_of_a_double_sum_is_the_outer_one(self):
        double, below = Sum(f(k), (k, 0, n), (n, 0, 3)), Sum(f(k), (k, 0, n))
        assert is_proved(sp.Eq(double, Sum(below, (n, 0, 3))), {})
        assert not is_proved(sp.Eq(double, Sum(Sum(f(k), (n, 0, 3)), (k, 0, 3))), {})


class TestStatements:
    X, Y, Z = Random("X"), Random("Y"), Random("Z")
    over = dict.fromkeys((X, Y, Z), RANDOM)

    def test_what_is_independent_of_what_makes_a_difference(self):
        one, other = independent(self.X, self.Y), independent(self.X, self.Z)
        assert is_proved(one, self.over, [one])
        assert not is_proved(other, self.over, [one])

    def test_equivalence_of_three(self):
        three = sp.Equivalent(x > 0, y > 0, x + y > 1, evaluate=False)
        assert is_proved(three, {x: Interval(1, 2), y: Interval(1, 2)})
        over = {x: Interval(-9, 9), y: Interval(-9, 9)}
        assert not is_proved(three, over, [sp.Equivalent(x > 0, y > 0)])
        assert not is_proved(three, over, [sp.Equivalent(x > 0, x + y > 1)])

    def test_a_statement_is_no_number(self):
        both = Eq(x > 0, y > 0, evaluate=False)
        with pytest.raises(TypeError, match="no number: StrictGreaterThan x > 0"):
            Translation({x: Reals, y: Reals}).formula(both)

    def test_random_variables_at_different_indices_are_different(self):
        W = randoms("W")
        assert not is_proved(Eq(E(W(k)), E(W(n))), {k: sp.S.Integers, n: sp.S.Integers})
        assert is_proved(Eq(E(W(k)), E(W(k)), evaluate=False), {k: sp.S.Integers})


class TestNames:
    def test_letters_differ_by_what_they_are_not_assumed_to_be(self):
        """A fact that is assumed and the same fact denied are two different letters."""
        odd, even = Symbol("m", integer=True, even=False), Symbol("m", integer=True, even=True)
        assert name_of(odd) != name_of(even)
        assert name_of(sp.Dummy("d")) != name_of(sp.Dummy("d"))


class TestFunctions:
    def test_a_value_of_a_family_of_random_variables_is_no_function_of_numbers(self):
        assert is_function(randoms("W")(k)) is False
        assert is_function(f(k)) is True

    @each("function", sp.factorial, sp.gamma)
    def test_functions_count_where_they_are_known_to_be_real(self, function):
        natural = Symbol("m", integer=True, positive=True)
        assert is_function(function(natural)) is True
        assert is_function(function(Symbol("z"))) is False
