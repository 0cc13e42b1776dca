"""Principles that join theorems keep the range of every letter in them."""

import pytest
import sympy as sp
from sympy import Abs, Function, Interval, Reals, Symbol

from theorems.engine.rules import E, Random, claimed, follows
from theorems.engine.rules.chances import exponential_series
from theorems.engine.rules.principles import expected_jointly, jensen_for_sums

x, c = sp.symbols("x c", real=True)
k, n = sp.symbols("k n", integer=True)
f, X = Function("f"), Random("X")
POSITIVE, NATURAL = Interval.open(0, sp.oo), sp.Range(0, sp.oo)


class TestLettersKeepTheirRanges:
    """What is known for c > 0 is not concluded for all c; at c = -1 each conclusion is false."""

    def test_in_a_mean(self):
        some = follows(c * x**2 >= 0, over={x: Reals, c: POSITIVE})
        with pytest.raises(ValueError, match="c keeps its set"):
            expected_jointly(some, {x: X}, over={c: Reals})

    def test_in_jensens_inequality(self):
        bend = follows(2 * c >= 0, over={x: Reals, c: POSITIVE})
        with pytest.raises(ValueError, match="c keeps its set"):
            jensen_for_sums(bend, c * x**2, x, f(k), k, n, over={n: NATURAL, c: Reals})

    def test_between_the_premises_of_jensens_inequality(self):
        bend = follows(c / x >= 0, over={x: POSITIVE, c: POSITIVE})
        inside = claimed("inside", f(k) + c**2 > 0, over={k: NATURAL, c: Reals})
        mean = jensen_for_sums(
            bend, c * x * sp.log(x), x, f(k) + c**2, k, n, over={n: NATURAL}, inside=inside
        )
        assert mean.over[c] == POSITIVE

    def test_between_the_bounds_of_moments(self):
        t, q = Symbol("t", nonnegative=True), Symbol("q", integer=True)
        square = claimed("s", E(X**2) <= c, over={X: X.belongs_to, c: Interval(1, sp.oo)})
        wide = {X: X.belongs_to, c: Reals, q: sp.Range(1, sp.oo)}
        higher = claimed("h", E(Abs(X) ** (q + 2)) <= c, over=wide)
        series = "series", c * (sp.exp(t) - 1 - t)
        found = exponential_series(square, higher, t, series, over={t: Interval(0, sp.oo)})
        assert found.over[c] == Interval(1, sp.oo)


class TestAssumptions:
    def test_a_letter_may_be_negative(self):
        low = Symbol("low", negative=True)
        assert follows(low <= 0, over={low: Interval.open(-1, 0)}).grade == "proved"

    def test_a_letter_that_is_no_prime_does_not_range_over_all_numbers(self):
        no_prime = Symbol("no_prime", integer=True, prime=False)
        with pytest.raises(ValueError, match="not prime"):
            follows(no_prime <= 9, over={no_prime: sp.Range(10)})
