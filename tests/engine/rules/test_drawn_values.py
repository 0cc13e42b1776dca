"""What holds for all values holds for drawn ones, and convex functions at weighted means."""

import pytest
import sympy as sp
from sympy import Eq, Function, Interval, Reals
from trying import each

from theorems.engine.rules import RANDOM, NotProved, Random, Vector, follows, norm
from theorems.engine.rules.leaves import claimed, textbook
from theorems.engine.rules.meanings import meaning
from theorems.engine.rules.principles import drawn, jensen_for_weights
from theorems.engine.rules.theorem import meanings_fit

x, y = sp.symbols("x y", real=True)
k, n = sp.symbols("k n", integer=True)
u = Vector("u")
X, Y = Random("X"), Random("Y")
p, r = Function("p", nonnegative=True)(k), Function("r", real=True)(k)
OVER = {n: sp.Range(sp.oo)}


def low():
    return follows(x <= 1, over={x: Interval(0, 1)})


class TestDrawn:
    def test_a_length_that_is_drawn_is_almost_surely_not_negative(self):
        positive = claimed("c", sp.Ge(norm(u), 0, evaluate=False), over={u: u.belongs_to})
        assert str(drawn(positive, {norm(u): X}, u).statement) == "Eq(P(X >= 0), 1)"

    def test_it_says_from_where_a_number_is_drawn(self):
        (leaf,) = (one for one in drawn(low(), {x: X}, x).trusts if one.kind == "meaning")
        assert str(leaf.says) == "Eq(X, x from(0, 1))"

    @each(
        "other",
        lambda: drawn(follows(x >= 5, over={x: Interval(5, 6)}), {x: X}, x),
        lambda: drawn(follows(x**2 >= 0, over={x: Reals}), {x**2: X}, x),
        lambda: meaning("a square", Eq(X, Y**2), over={X: RANDOM, Y: RANDOM}),
    )
    def test_a_variable_is_the_value_of_one_expression_over_one_range(self, other):
        first, second = drawn(low(), {x: X}, x), other()
        with pytest.raises(NotProved, match="stands for two things"):
            meanings_fit(first.trusts | second.trusts)

    def test_a_letter_that_is_left_is_not_drawn(self):
        both = follows(x - y <= 1, over={x: Interval(0, 1), y: Interval(0, 1)})
        assert drawn(both, {x: X}, x).over[y] == Interval(0, 1)
        with pytest.raises(ValueError, match="must occur in"):
            drawn(follows(x**2 <= x, over={x: Interval(0, 1)}), {x**2: X}, x)

    def test_nothing_is_said_of_a_letter_under_a_condition_on_it(self):
        small = follows(x <= 1, over={x: Reals}, under=[x <= 1])
        with pytest.raises(ValueError, match="must occur in"):
            drawn(small, {x: X}, x)

    def test_nothing_is_drawn_that_has_its_value(self):
        named = meaning("a square", Eq(x, y**2), over={x: Reals, y: Reals})
        with pytest.raises(NotProved, match="may not vary"):
            drawn(follows(x >= 0, [named], over={x: Reals, y: Reals}), {x: X}, x)


class TestWeights:
    @staticmethod
    def convex(function=x**2, over=Reals):
        second = sp.diff(function, x, 2) >= 0
        return textbook("convex", second, over={x: over})

    def test_what_is_left_of_the_weights_stays_at_zero(self):
        found = jensen_for_weights(self.convex(), x**2 + 1, x, (0, 0), (p, r), (k, 1, n), over=OVER)
        values = {p: sp.Rational(1, 4), r: 2}
        _, right = found.statement.args[1].args
        assert right.xreplace(values).subs(n, 2).doit() == sp.Rational(1, 2) * 5 + sp.Rational(1, 2)

    @each(
        "over, function, each_of, limits",
        (None, -(x**2), (p, r), (k, 1, n)),
        (None, x**3, (p, r), (k, 1, n)),
        (Interval(0, 1), x**2, (p, r), (k, 1, n)),
        (None, x**2, (r, r), (k, 1, n)),
        (None, x**2, (p, r), (k, 1, sp.oo)),
    )
    def test_what_is_not_convex_or_no_weight_is_refused(self, over, function, each_of, limits):
        with pytest.raises((ValueError, NotProved)):
            jensen_for_weights(
                self.convex(over=over or Reals), function, x, (0, 0), each_of, limits, over=OVER
            )
