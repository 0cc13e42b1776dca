"""Whether what is proved is what is stated: the same relation, up to equal sides and no further."""

import sympy
from checked import answer, stated, x, y
from sympy.logic.boolalg import And, Equivalent, Implies, Not, Or
from trying import each

from theorems.engine import Answer, eq, ge, gt, le, lt
from theorems.engine.judging.establish import same_statement

UNIT = {x: sympy.Interval(0, 1), y: sympy.Interval(0, 1)}
LEFT, RIGHT = x * (1 - x), x - x**2  # equal, but SymPy does not see it at once


def same(proved, goal):
    return same_statement(proved, goal, UNIT)


class TestSameRelation:
    @each("kind", le, lt, ge, gt)
    def test_an_inequality_is_not_the_opposite_one(self, kind):
        assert same(kind(LEFT, y), kind(RIGHT, y))
        assert not same(kind(LEFT, y), kind(y, RIGHT))
        assert not same(kind(x, y), kind(y, x))

    @each("kind, turned", (le, ge), (lt, gt))
    def test_an_inequality_may_be_read_from_the_right(self, kind, turned):
        assert same(kind(LEFT, y), turned(y, RIGHT))
        assert not same(kind(LEFT, y), turned(RIGHT, y))

    @each("kind", sympy.Eq, sympy.Ne)
    def test_the_sides_of_an_equation_may_be_exchanged(self, kind):
        assert same(kind(LEFT, y, evaluate=False), kind(y, RIGHT, evaluate=False))
        assert not same(kind(LEFT, y, evaluate=False), kind(y, 1 - RIGHT, evaluate=False))

    def test_strict_and_weak_inequalities_differ(self):
        assert not same(le(LEFT, y), lt(RIGHT, y))
        assert not same(eq(LEFT, y), le(RIGHT, y))


class TestSameCompound:
    one, other = le(LEFT, y), lt(0, x)
    again = le(RIGHT, y)

    @each("connective", And, Or, Implies, Equivalent)
    def test_the_parts_are_compared_one_by_one(self, connective):
        proved = connective(self.one, self.other, evaluate=False)
        assert same(proved, connective(self.again, self.other, evaluate=False))
        assert not same(proved, connective(self.again, le(0, x), evaluate=False))

    @each("connective", Or, Implies, Equivalent)
    def test_another_connective_is_another_statement(self, connective):
        both = And(self.one, self.other, evaluate=False)
        assert not same(connective(self.one, self.other, evaluate=False), both)

    def test_a_relation_is_no_compound(self):
        assert not same(Not(self.one, evaluate=False), self.one)
        assert not same(self.one, And(self.one, self.other, evaluate=False))

    def test_an_alternative_does_not_prove_a_conjunction(self):
        """Either x(1 - x) <= 1/4 or x = 2; not both."""
        bound, strange = le(RIGHT, sympy.Rational(1, 4)), eq(x, 2)
        one = stated([bound, strange])

        @one.proved()
        def one_of_them(given):
            weaker = Or(le(LEFT, sympy.Rational(1, 4)), strange, evaluate=False)
            return given.follows(goal=weaker)

        assert answer(one).answer is not Answer.ACCEPTED
