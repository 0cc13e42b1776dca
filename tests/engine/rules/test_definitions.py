"""What a name may stand for: something within its range, in no circle; and neighbours that may."""

import pytest
import sympy as sp
from sympy import Abs, And, Eq, Function, Implies, Interval, Or, Range, Reals, Symbol, oo
from trying import each

from theorems.engine.rules import RANDOM, VECTORS, E, P, Random, Vector, follows, instance, norm
from theorems.engine.rules.definitions import definitions, is_name, is_of_objects
from theorems.engine.rules.meanings import largest, least, meaning
from theorems.engine.rules.principles import supremum
from theorems.engine.rules.theorem import NotProved

q, r, s, t = sp.symbols("q r s t", real=True)
k, n = sp.symbols("k n", integer=True)
f, g = Function("f", real=True), Function("g", nonnegative=True)
X, u = Random("X"), Vector("u")
LENGTHS, UNIT, WHOLE = Interval(0, oo), Interval(0, 1), Range(0, oo)
OVER = {q: LENGTHS, r: Reals, s: UNIT, t: Interval(1, oo), n: WHOLE, k: Range(1, oo)}
OBJECTS = {X: RANDOM, u: VECTORS}


def told(statement, *under, known=(), **over):
    ranges = {**OVER, **OBJECTS, **{Symbol(x, real=True): one for x, one in over.items()}}
    return meaning("m", statement, over=ranges, under=under, known=known)


class TestRanges:
    @each(
        "statement",
        Eq(q, s - 1),
        Eq(q, -t),
        Eq(s, q),
        Eq(s, t - 1),
        Eq(k, n),
        Eq(n, n - k, evaluate=False).xreplace({n - k: k - 2}),
        Eq(q**2, r),
        Eq(Abs(r), s - 1),
        Eq(s**2, t),
        Eq(g(n), r),
        Eq(g(n), s - 1),
        Eq(2 * q, r),
        Eq(norm(u), r),
        Eq(P(X > 0), t),
        Eq(E(X**2), r),
        Implies(r > 0, Eq(q, -r)),
        Or(Eq(q, 0), Eq(q, -1)),
        And(Eq(q, r), Eq(r, s - 2)),
    )
    def test_a_value_lies_where_its_name_may_be(self, statement):
        with pytest.raises(ValueError, match="may lie outside of its range"):
            told(statement)

    @each(
        "statement",
        Eq(r, s - 1),
        Eq(q, 1 - s),
        Eq(q, t),
        Eq(s, 1 / t),
        Eq(s, sp.exp(-q)),
        Eq(k, n + 1),
        Eq(k, n**2 + 3),
        Eq(q**2, s),
        Eq(Abs(r), s + 1),
        Eq(s**2, 1 - sp.sqrt(s) / 2).xreplace({sp.sqrt(s): 1 / t}),
        Eq(g(n), q),
        Eq(g(n), 1 - s),
        Eq(norm(u), q),
        Eq(P(X > 0), s),
        Eq(E(X), r),
        Eq(q, E(X)),
        Implies(r < 0, Eq(q, -r)),
        Or(Eq(s, 0), Eq(s, 1)),
        And(Eq(r, s + 1), Eq(q, r)),
    )
    def test_its_neighbours(self, statement):
        assert told(statement)

    def test_conditions_and_what_a_claim_assumes_count(self):
        assert told(Eq(q, s - 1), s >= 1)
        assert told(Eq(q, r - t), known=[r >= t + 1])
        with pytest.raises(ValueError, match="outside of its range"):
            told(Eq(q, r - t), known=[r >= t - 1])
        with pytest.raises(ValueError, match="outside of its range"):
            told(Eq(q, s - 1), q >= 0)  # a condition on the name itself tells nothing

    def test_a_factor_must_not_be_0(self):
        assert told(Eq(q * t, 1))
        assert told(Eq(q * r, 1), r > 0)
        for one in (Eq(q * r, 1), Eq(q * s, 1)):
            with pytest.raises(ValueError, match="does not say what"):
                told(one)


class TestForms:
    @each("left, right", (1 - q, r), (q + r, 1), (sp.sqrt(t), 2), (sp.exp(r), q), (q * E(X) + 1, r))
    def test_a_name_stands_on_the_left(self, left, right):
        with pytest.raises(TypeError, match="by other letters"):
            told(Eq(left, right))

    def test_alternatives_are_values_of_one_name(self):
        with pytest.raises(TypeError, match="values of one name"):
            told(Or(Eq(q, 0), Eq(s, 1)))

    def test_an_indicator_is_a_function(self):
        assert told(Eq(f(n) ** 2, f(n)))
        with pytest.raises(TypeError, match="by other letters"):
            told(Eq(r**2, r))

    def test_what_an_equation_may_define(self):
        ((one,),) = definitions(Eq(3 * q**2, r))
        assert (one.name, one.degree, one.factor, one.value) == (q, 2, 3, r / 3)
        assert {one.name for one in next(definitions(Eq(q * r, 1)))} == {q, r}
        assert next(definitions(Eq(E(X) + norm(u), 1))) == []

    def test_names(self):
        assert all(map(is_name, (q, f(n), E(X), norm(u), P(X > 0))))
        assert not any(map(is_name, (q + 1, 2 * q, sp.sin(q), sp.Integer(1))))
        assert is_of_objects(sp.Sum(f(n), (n, 0, k)) + 2 * E(X))
        assert not any(map(is_of_objects, (q, q * E(X), sp.Integer(2), sp.sin(r))))


class TestSmallerRanges:
    def test_a_name_keeps_the_range_in_which_its_value_lies(self):
        known = told(Eq(r, s - 1))
        for range_ in (LENGTHS, Interval(-1, 0)):
            with pytest.raises(NotProved, match=r"r ranges over .* is known to lie in Reals"):
                follows(r <= 0, [known], over={r: range_, s: UNIT})
        assert follows(r <= 0, [known], over={r: Reals, s: UNIT})
        assert follows(r <= 0, [known], over={r: Reals, s: Interval(0, sp.Rational(1, 2))})

    def test_also_where_it_is_eliminated(self):
        positive = follows(r >= 0, over={r: LENGTHS})
        for premises in ([positive, told(Eq(r, s - 1))], [told(Eq(r, s - 1)), positive]):
            with pytest.raises(NotProved):
                follows(s >= 1, premises, over={s: UNIT})

    def test_and_by_another_name(self):
        known = told(Eq(r, s - 1))
        wide = Symbol("wide", real=True)
        assert instance(known, {r: wide}, over={wide: Reals})
        with pytest.raises(NotProved, match="known to lie in Reals"):
            instance(known, {r: q}, over={q: LENGTHS})
        with pytest.raises(NotProved, match=r"r may not be g\(n\)"):
            instance(known, {r: g(n)}, over={n: WHOLE})
        assert instance(known, {r: f(n)}, over={n: WHOLE})


class TestExtremes:
    def test_values_lie_within_the_range_of_their_extreme(self):
        for rule, one in ((largest, r <= s), (largest, t <= s), (least, q <= r), (least, t <= s)):
            with pytest.raises(ValueError, match="is no extreme of"):
                rule("m", one, over=OVER)
        for rule, one in ((largest, r <= q), (largest, s - 1 <= q), (least, q <= s)):
            assert rule("m", one, over=OVER)

    def test_how_far_a_letter_is_from_a_number(self):
        assert least("m", Abs(s - 1) <= q, over=OVER)
        with pytest.raises(ValueError, match="is no extreme of"):
            least("m", Abs(t + 1) <= q, over=OVER)
        with pytest.raises(TypeError, match="with their extreme"):
            largest("m", r <= Abs(s - r), over=OVER)

    def test_an_extreme_stands_for_nothing_else(self):
        top = largest("m", f(n) <= r, over=OVER)
        for one in (Eq(r, 1), Eq(r, f(3)), Eq(r, q)):
            with pytest.raises(NotProved, match="r is m, and stands for something"):
                follows(f(n) <= r + 1, [top, told(one)], over={n: WHOLE, r: Reals, q: LENGTHS})
        at = {n: WHOLE, k: Range(1, oo), r: Reals}
        assert follows(f(n) <= f(k), [top, told(Eq(r, f(k)))], over=at)

    def test_a_supremum_lies_between_the_ends_of_its_range(self):
        each_ = follows(s - 1 <= 0, over={s: UNIT})
        assert supremum(each_, r, over={r: Reals}).statement == (r <= 0)
        with pytest.raises(ValueError, match="may lie outside"):
            supremum(each_, q, over={q: LENGTHS})


class TestSeveral:
    @each(
        "first, second",
        (Eq(r, 2 * q), Eq(q, 2 * Abs(r))),
        (Eq(f(n), 2 * r), Eq(r, f(3))),
        (Eq(E(X), r), Eq(r, 2 * E(X))),
    )
    def test_no_circle(self, first, second):
        over = {**OVER, **OBJECTS}
        with pytest.raises(NotProved, match="explained by each other"):
            follows(s >= 0, [told(first), told(second)], over=over)

    def test_a_recursion_is_none(self):
        steps = told(And(Eq(f(0), 0), Eq(f(n + 1), f(n) + r)))
        assert follows(Eq(f(n + 1) - f(n), r), [steps], over={n: WHOLE, r: Reals})

    def test_a_product_or_a_sum_explains_one_of_its_parts(self):
        product = told(Eq(q * t, r), r > 1)
        assert follows(q * t >= 1, [product], over=OVER, under=[r > 1])
        means = told(And(Eq(E(X), 1), Eq(E(X) + norm(u), r)))
        assert follows(Eq(norm(u), r - 1), [means], over={**OBJECTS, r: Reals})
        with pytest.raises(NotProved, match="stands for two things"):
            follows(r <= 3, [means, told(Eq(norm(u), 2))], over={**OBJECTS, r: Reals})

    def test_conditions_that_exclude_each_other(self):
        parts = [Implies(s < 1, Eq(q, 1)), Implies(s >= 1, Eq(q, 2))]
        assert follows(q <= 2, list(map(told, parts)), over={q: LENGTHS, s: UNIT})
        with pytest.raises(NotProved, match="stands for two things"):
            follows(q <= 2, [told(parts[0]), told(Implies(s > 0, Eq(q, 2)))], over=OVER)

    def test_a_choice_is_one_thing(self):
        choice = told(Or(Eq(r, 0), Eq(r, 1)))
        assert follows(r <= 1, [choice], over={r: Reals})
        with pytest.raises(NotProved, match="stands for two things"):
            follows(s <= 1, [choice, told(Eq(r, s))], over=OVER)


class TestBelievedRanges:
    """Where neither the solver nor points decide it, that a value is in its range is a leaf."""

    @staticmethod
    def believed(theorem):
        return {one.name for one in theorem.trusts if one.kind == "believed range"}

    @each(
        "statement, name",
        (Eq(t, norm(u)), "norm(u) in Interval(1, oo)"),
        (Eq(s, norm(u)), "norm(u) in Interval(0, 1)"),
        (Eq(q, E(X)), "E(X) in Interval(0, oo)"),
        (Eq(q, f(n)), "f(n) in Interval(0, oo)"),
        (Eq(s * norm(u), r), "norm(u) is not 0"),
    )
    def test_what_nobody_decides_is_listed(self, statement, name):
        assert name in self.believed(told(statement))

    @each(
        "statement",
        Eq(q, norm(u)),
        Eq(q, E(X**2)),
        Eq(s, P(X > 0)),
        Eq(q, g(n)),
        Eq(r, E(X)),
        Eq(t, 1 + norm(u)),
        Eq(q, 1 - s),
    )
    def test_what_the_solver_decides_is_not(self, statement):
        assert self.believed(told(statement)) == set()

    def test_so_is_where_extremes_and_suprema_lie(self):
        values = {**OVER, **OBJECTS}
        below = largest("the largest value", norm(u) <= s, over=values)
        assert self.believed(below) == {"norm(u) in Interval(-oo, 1)"}
        above = least("the least mean", E(X) >= q, over=values)
        assert self.believed(above) == {"E(X) in Interval(0, oo)"}
        each_one = follows(f(n) <= r, [meaning("v", Eq(f(n), r), over=OVER)], over=OVER)
        assert self.believed(supremum(each_one, s, over={s: UNIT})) == {"f(n) in Interval(0, 1)"}

    def test_what_is_known_of_a_claim_decides(self):
        assert self.believed(told(Eq(t, norm(u)), known=[norm(u) >= 1])) == set()
        assert self.believed(told(Eq(t, norm(u)), norm(u) >= 2)) == set()

    def test_it_comes_along_with_what_follows(self):
        one = told(Eq(q, E(X)))
        assert self.believed(follows(E(X) >= 0, [one], over=OBJECTS)) == self.believed(one)
