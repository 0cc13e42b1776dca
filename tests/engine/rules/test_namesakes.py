"""Careless use of names: what is called alike is not the same, and false relations are refused."""

import pytest
import sympy as sp
from sympy import Eq, Function, Interval, Reals, Symbol
from trying import each

from theorems.engine.rules import NotProved, defined, follows, instance
from theorems.engine.rules.certificates import ball_function, covered
from theorems.engine.rules.evaluation import special_cases
from theorems.engine.rules.leaves import claimed, supposed, textbook
from theorems.engine.rules.meanings import meaning
from theorems.engine.rules.names import name_of, with_bound_letters_renamed
from theorems.engine.rules.principles import expected_jointly, jensen_for_sums
from theorems.engine.rules.vocabulary import E, P, Random, Vector, events, randoms, vectors

one, other = Symbol("x", positive=True), Symbol("x", real=True)
SMALL, LARGE = {one: Interval(1, 2)}, {other: Interval(0, 5)}
x, t = sp.symbols("x t", real=True)
i, j, k, n = sp.symbols("i j k n", integer=True)
X, Z = Random("X"), randoms("Z")
FROM_ZERO = sp.Range(sp.oo)


class TestLettersOfOneName:
    @each(
        "relation",
        one >= other,
        other >= one,
        one + 3 >= other,
        one * other >= 1,
        one > other - 2,
        sp.exp(one) >= other,
    )
    def test_no_cover_takes_one_for_the_other(self, relation):
        with pytest.raises(NotProved, match="rejected"):
            covered(relation, over={**SMALL, **LARGE})

    def test_what_holds_of_both_is_covered(self):
        shown = covered(one + other >= 1, over={**SMALL, **LARGE})
        a, b = sp.symbols("a b", real=True)
        ranges = {a: Interval(1, 2), b: Interval(0, 5)}
        assert instance(shown, {one: a, other: b}, over=ranges).statement == (a + b >= 1)

    def test_neither_up_to_an_end(self):
        gap = other * (one - other)
        with pytest.raises(NotProved):
            covered(gap >= 0, over={**SMALL, other: Interval(0, 2)}, zero_orders={other: (1, 0)})
        inside = {**SMALL, other: Interval(0, 1)}
        assert covered(gap >= 0, over=inside, zero_orders={other: (1, 0)}).grade == "certified"

    def test_three_of_one_name(self):
        third = Symbol("x_1", real=True)
        with pytest.raises(NotProved, match="rejected"):
            covered(one + third >= other, over={**SMALL, **LARGE, third: Interval(0, 1)})

    def test_a_function_of_balls_has_one_argument_for_each_name(self):
        with pytest.raises(ValueError, match="two letters have one name"):
            ball_function(one + other)

    def test_the_solver_tells_them_apart(self):
        with pytest.raises(NotProved, match="rejected"):
            follows(one >= other, over={**SMALL, **LARGE})

    def test_a_number_that_is_called_like_a_random_variable_keeps_its_range(self):
        number = Symbol("X", real=True)
        ranges = {X: X.belongs_to, number: Interval(0, 1)}
        assert not list(special_cases(ranges, [E(X**2) >= number - 1]))
        follows(E(X**2) >= number - 1, over=ranges, premises=[_squares()])


def _squares():
    return claimed("means of squares", E(X**2) >= 0, over={X: X.belongs_to})


class TestFunctionsOfOneName:
    @each(
        "known",
        {"nonnegative": True},
        {"positive": True},
        {"integer": True},
        {"real": True},
        {"negative": True},
    )
    def test_what_is_assumed_is_part_of_a_function(self, known):
        f, special = Function("f"), Function("f", **known)
        assert name_of(f(x)) != name_of(special(x))
        assert name_of(E(f(X))) != name_of(E(special(X)))

    def test_a_mean_of_any_function_has_no_sign(self):
        """With f >= 0 the mean is at least 0; another f has the same name only."""
        f, sizes = Function("f", real=True), Function("f", nonnegative=True)
        shown = claimed("a mean of sizes", E(sizes(X)) >= 0, over={X: X.belongs_to})
        with pytest.raises(NotProved):
            follows(E(f(X)) >= 0, [shown], over={X: X.belongs_to})

    def test_equal_functions_have_one_name(self):
        first, second = (Function("f", **known) for known in ({"positive": True},) * 2)
        assert first == second
        assert name_of(E(first(X))) == name_of(E(second(X)))

    @each("known", {"real": True}, {"real": True, "commutative": True}, {"commutative": True}, {})
    def test_a_family_of_random_variables_is_no_function_of_numbers(self, known):
        numbers, family = Function("X", **known), randoms("X")
        assert numbers(k) != family(k)
        assert name_of(numbers(k)) != name_of(family(k))
        assert name_of(P(numbers(k) >= t)) != name_of(P(family(k) >= t))
        assert numbers(k) != vectors("X")(k)

    def test_what_is_said_of_numbers_is_not_said_of_random_variables(self):
        numbers, family = Function("X", real=True), randoms("X")
        said = claimed("numbers", Eq(P(numbers(k) >= t), 1), over={k: FROM_ZERO, t: Reals})
        with pytest.raises(NotProved):
            follows(Eq(P(family(k) >= t), 1), [said], over={k: FROM_ZERO, t: Reals})

    def test_families_of_events(self):
        assert events("A") is events("A")
        assert name_of(events("E")(k)) != name_of(E(k * X)).replace("k*X", "k")
        assert name_of(events("sin")(x)) != name_of(sp.sin(x))


class TestBoundLetters:
    @each("pair", (Z(i), Z(j)), (Z(j), Z(i)), (Z(i) * Z(j), Z(j) ** 2), (Z(i + j), Z(2 * j)))
    def test_which_one_is_meant(self, pair):
        """Sums of sums that differ in the letter that is summed are not the same."""
        first, second = (P(sp.Sum(sp.exp(sp.Sum(one, (j, 0, i))), (i, 0, n)) >= x) for one in pair)
        assert name_of(with_bound_letters_renamed(first)) != name_of(with_bound_letters_renamed(second))
        with pytest.raises(NotProved):
            follows(Eq(first, second), over={x: Reals, n: FROM_ZERO})

    def test_integrals_within_integrals(self):
        y, z = sp.symbols("y z", real=True)
        first, second = (
            sp.Integral(sp.exp(sp.Integral(sp.cos(one), (z, 0, y))), (y, 0, 1)) for one in (y, z)
        )
        exist = [supposed("they exist", Eq(one, one, evaluate=False), over={})
                 for one in (first, second)]  # fmt: skip
        with pytest.raises(NotProved):
            follows(Eq(first, second), exist, over={})

    @each("bound", (j, k), (k, j), (i, k), (k, i))
    def test_what_they_are_called_does_not_matter(self, bound):
        outer, inner_ = bound
        one = sp.Sum(sp.exp(sp.Sum(Z(inner_), (inner_, 0, outer))), (outer, 0, n))
        other = sp.Sum(sp.exp(sp.Sum(Z(j), (j, 0, i))), (i, 0, n))
        assert follows(Eq(P(one >= x), P(other >= x)), over={x: Reals, n: FROM_ZERO})

    def test_a_letter_that_is_free_in_its_own_limits(self):
        w = Symbol("w", real=True)
        first, second = sp.Integral(w, (w, 0, w)), sp.Integral(x, (x, 0, w))
        third = sp.Integral(x, (x, 0, x))
        renamed = [*map(with_bound_letters_renamed, (first, second, third))]
        assert renamed[0] == renamed[1] != renamed[2]
        assert renamed[0].free_symbols == {w}

    def test_bound_one_after_the_other(self):
        nested = sp.Sum(sp.Sum(Z(i) * Z(j), (j, 0, i)), (i, 0, n))
        turned = sp.Sum(sp.Sum(Z(i) * Z(j), (i, 0, j)), (j, 0, n))
        assert with_bound_letters_renamed(nested) == with_bound_letters_renamed(turned)
        square = sp.Sum(sp.Sum(Z(i) * Z(i), (j, 0, i)), (i, 0, n))
        assert with_bound_letters_renamed(nested) != with_bound_letters_renamed(square)


class TestFamiliesForFunctions:
    g = Function("g", real=True)

    def expected(self, leaf):
        positive = follows(self.g(k) >= 0, [leaf], over={k: FROM_ZERO})
        return expected_jointly(positive, {self.g: Z}, over={k: FROM_ZERO})

    def test_a_function_that_is_defined_is_no_other(self):
        with pytest.raises(NotProved, match="may be no other function"):
            self.expected(defined(self.g(k), k**2, over={k: FROM_ZERO}))

    def test_nor_is_one_of_which_a_claim_speaks(self):
        with pytest.raises(NotProved, match="may be no other function"):
            self.expected(claimed("a claim", self.g(k) >= 0, over={k: FROM_ZERO}))

    @each("leaf", meaning, supposed)
    def test_what_is_said_of_it_is_said_of_the_family(self, leaf):
        found = self.expected(leaf("squares", Eq(self.g(k), k**2), over={k: FROM_ZERO}))
        said = [one.says for one in found.trusts if one.name == "squares"]
        assert said == [Eq(Z(k), k**2)]

    def test_a_law_for_all_functions_holds_for_families(self):
        law = textbook("squares", self.g(k) ** 2 >= 2 * self.g(k) - 1, over={k: FROM_ZERO})
        found = expected_jointly(law, {self.g: Z}, over={k: FROM_ZERO})
        assert found.statement == (E(Z(k) ** 2) >= 2 * E(Z(k)) - 1)

    @each("known", {"integer": True}, {"nonnegative": True}, {"rational": True}, {"nonzero": True})
    def test_a_function_of_which_something_is_assumed_is_no_family(self, known):
        f = Function("f", **known)
        law = textbook("squares", f(k) ** 2 >= 2 * f(k) - 1, over={k: FROM_ZERO})
        with pytest.raises(ValueError, match="must have any real values"):
            expected_jointly(law, {f: Z}, over={k: FROM_ZERO})


class TestIntegersAreNoInterval:
    """x(x - 1) >= 0 on the integers, but x^4/12 - x^3/6 is convex only between them."""

    bent = x**4 / 12 - x**3 / 6

    def test_jensen(self):
        letter = Symbol("m", integer=True)
        bent = letter**4 / 12 - letter**3 / 6
        convex = follows(sp.diff(bent, letter, 2) >= 0, over={letter: FROM_ZERO})
        f = Function("f", integer=True, nonnegative=True)
        with pytest.raises(ValueError, match="the reals or an interval"):
            jensen_for_sums(convex, bent, letter, f(k), k, n, over={n: sp.Range(1, sp.oo)})

    def test_on_the_whole_range_it_is_not_convex(self):
        with pytest.raises(NotProved, match="rejected"):
            follows(sp.diff(self.bent, x, 2) >= 0, over={x: Interval(0, sp.oo)})


def test_vectors_and_numbers_of_one_name():
    assert name_of(Vector("u")) != name_of(Random("u")) != name_of(Symbol("u"))
