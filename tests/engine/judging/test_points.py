"""Points at which a statement fails: where they are looked for, and what they must meet."""

from fractions import Fraction

import sympy
from checked import HALF, LETTERS, answer, far, named, proof, size, stated, trial, x, y
from sympy.logic.boolalg import And, Equivalent, Implies, Not, Or
from trying import each

from theorems.engine import (
    Answer,
    Hypothesis,
    Rounded,
    Severity,
    eq,
    ge,
    gt,
    half_line,
    iff,
    integers,
    interval,
    le,
    lt,
    open_interval,
    rules,
)
from theorems.engine.judging.establish import contradicted, established, same_statement
from theorems.engine.judging.given import Given
from theorems.engine.judging.refuting import allowed_points, counterexample, determined, place, refuted_at
from theorems.engine.rules import leaves

QUARTER = sympy.Rational(1, 4)
BOUND = le(x * (1 - x), QUARTER)
UNIT = interval(0, 1)
BOX = {x: UNIT, y: UNIT}


def small_logarithm(at):
    """A closed form that is not given everywhere."""
    if at.is_number and at <= 1:
        raise ValueError("not defined there")
    return sympy.log(at)


SQUARE = LETTERS.function("points_square", "s", "the square", closed_form=lambda t: t**2)
NOWHERE = LETTERS.function("points_nowhere", "n", "not given", closed_form=small_logarithm)
COUNT = LETTERS.number("count_of_points", "k", "a count", integers(1))


def granted(one):
    return Given(one, "statement", trial(one).find)


def shown(relation, **how):
    """A theorem by name, which the kernel takes on trust."""
    return leaves.claimed("t", relation, **{"over": BOX, **how})


class TestCounterexamples:
    def test_one_is_found_where_the_relation_fails(self):
        assert counterexample(le(x, HALF), BOX) == {x: 1}
        assert counterexample(BOUND, BOX) is None

    def test_relations_about_other_letters_have_none(self):
        assert counterexample(le(sympy.Symbol("z"), -1), BOX) is None
        assert counterexample(le(x, HALF), BOX, (lt(sympy.Symbol("z"), 1),)) is None

    def test_relations_without_balls_have_none(self):
        assert counterexample(lt(sympy.Function("f", real=True)(x), 0), BOX) is None
        assert counterexample(le(NOWHERE(sympy.S.Half), -x), BOX) is None

    def test_it_meets_the_hypotheses(self):
        point = counterexample(le(x, HALF), BOX, (lt(x, 1), le(y, x)))
        assert HALF < point[x] < 1
        assert point[y] <= point[x]
        assert counterexample(le(x, HALF), BOX, (le(x, HALF),)) is None

    def test_nothing_is_chosen_for_what_is_determined(self):
        one = stated(le(size, x), [size, x])
        assert determined(le(size, x), granted(one)) == [size]
        assert determined(le(far, x), granted(one)) == []


class TestAllowedPoints:
    @staticmethod
    def of(*under, domain=None, count=64):
        return list(allowed_points(BOX if domain is None else domain, under, count))

    def test_without_hypotheses_all_are(self):
        assert len(self.of()) == 68

    def test_an_equation_gives_its_left_letter_a_value(self):
        points = self.of(eq(x, y / 2))
        assert points
        assert all(point[x] == point[y] / 2 for point in points)

    def test_equations_that_need_each_other_are_solved_in_order(self):
        points = self.of(eq(x, far / 4), eq(far, 2 * y), domain={**BOX, far: half_line(0)})
        assert points
        assert all(p[far] == 2 * p[y] and p[x] == p[y] / 2 for p in points)

    def test_equations_in_a_circle_are_conditions_like_any_other(self):
        points = self.of(eq(x, y), eq(y, x))
        assert points
        assert all(point[x] == point[y] for point in points)
        assert len(points) < 68

    def test_a_letter_on_both_sides_is_not_solved_for(self):
        points = self.of(eq(x, 2 * x * y))
        assert points
        assert all(point[x] == 2 * point[x] * point[y] for point in points)

    def test_of_two_equations_for_a_letter_both_are_met(self):
        points = self.of(eq(x, y), eq(x, 1 - y), count=500)
        assert points
        assert all(point[x] == point[y] == HALF for point in points)

    def test_a_value_outside_of_its_domain_or_of_nothing_is_left_out(self):
        assert all(0 <= point[x] <= 1 for point in self.of(eq(x, 2 * y)))
        assert any(2 * point[y] > 1 for point in self.of())
        assert all(point[y] != 0 for point in self.of(eq(far, 1 / y), domain={**BOX, far: half_line(0)}))

    def test_other_hypotheses_must_be_met(self):
        points = self.of(lt(x, y))
        assert points
        assert all(point[x] < point[y] for point in points)
        assert self.of(lt(x, y), lt(y, x)) == []


class TestContradictions:
    def test_an_equation_of_the_theorem_is_inserted(self):
        one = stated(le(size**2, HALF), [size])
        theorem = shown(eq(size**2, 1), over={size: half_line(0)})
        assert contradicted(theorem, granted(one)) == {}
        fine = shown(eq(size**2, QUARTER), over={size: half_line(0)})
        assert contradicted(fine, granted(one)) is None

    def test_an_expression_is_replaced_by_what_it_equals(self):
        one = stated(le(size**2, x - 1), [size, x])
        theorem = shown(eq(size**2, x), over={size: half_line(0), x: UNIT})
        assert contradicted(theorem, granted(one))[x] in UNIT
        other = stated(le(size**2, x + 1), [size, x])
        assert contradicted(theorem, granted(other)) is None

    def test_about_what_is_determined_an_inequality_says_nothing(self):
        one = stated(le(size - size * x, -1), [size, x])
        assert contradicted(shown(le(x, 1)), granted(one)) is None

    def test_about_numbers_it_needs_no_equation(self):
        assert contradicted(shown(le(x, 1)), granted(stated(le(x, HALF)))) == {x: 1}
        assert contradicted(shown(le(x, 1)), granted(stated(BOUND))) is None

    def test_a_function_outside_of_its_domain_contradicts_nothing(self):
        one = stated(le(NOWHERE(sympy.S.Half), x - 5))
        assert contradicted(shown(le(x, 1)), granted(one)) is None


class TestEstablished:
    @staticmethod
    def by(theorem, one):
        return established(theorem, granted(one))

    def test_what_it_stands_on_is_kept(self):
        one = proof(stated(le(x, 2)))
        one.evidence.clear()
        one.proved()(named(lambda given: given.follows(given.textbook("shares", le(x, 1)))))
        outcome = answer(one)
        assert [kind for kind, _, _ in outcome.numbers["trusts"]] == ["solver", "textbook"]
        assert outcome.numbers["grade"] == "proved"
        assert outcome.summary.startswith("proved: ")

    def test_a_larger_domain_of_the_theorem_is_welcome_and_a_smaller_one_refused(self):
        one = stated(le(x, 2))
        wide = rules.follows(le(x, 2), over={x: interval(0, Fraction(3, 2))})
        assert self.by(wide, one).answer is Answer.ACCEPTED
        narrow = rules.follows(le(x, 2), over={x: open_interval(0, 1)})
        outcome = self.by(narrow, one)
        assert outcome.answer is Answer.UNDECIDED
        assert outcome.summary == ("the proof is for x in Interval.open(0, 1), the claim for Interval(0, 1)")

    def test_an_assumption_that_the_claim_does_not_make(self):
        conditional = rules.follows(le(x, HALF), over={x: UNIT}, under=[le(x, HALF)])
        small = Hypothesis("small", "$x is small", formula=le(x, HALF))
        assert self.by(conditional, stated(le(x, HALF), assuming=[small])).answer is Answer.ACCEPTED
        other = Hypothesis("other", "$x is smaller", formula=le(x, QUARTER))
        outcome = self.by(conditional, stated(le(x, HALF), assuming=[other]))
        assert outcome.summary == f"the proof assumes {le(x, HALF)}"

    def test_another_end_is_named(self):
        outcome = self.by(rules.follows(le(x, 2), over={x: UNIT}), stated(BOUND))
        assert outcome.summary == "the proof ends in x <= 2, not in x*(1 - x) <= 1/4"
        assert outcome.answer is Answer.UNDECIDED

    def test_what_fails_is_rejected_with_the_point_whatever_the_proof(self):
        outcome = self.by(rules.follows(le(x, 2), over={x: UNIT}), stated(le(x, HALF)))
        assert (outcome.answer, outcome.summary) == (Answer.REJECTED, "false at x = 1")
        assert outcome.witness == "x = 1"

    def test_what_fails_without_letters_fails_once(self):
        one = stated(le(size**2, HALF), [size])
        theorem = shown(eq(size**2, 1), over={size: half_line(0)})
        assert self.by(theorem, one).summary == "false at once"

    def test_premises_by_name_do_not_narrow_what_is_said_about_numbers(self):
        one = stated(le(x, HALF))
        premise = shown(le(x, QUARTER), over={x: UNIT})
        narrowed = rules.follows(le(x, HALF), [premise], over={x: UNIT})
        outcome = self.by(narrowed, one)
        assert (outcome.answer, outcome.witness) == (Answer.REJECTED, "x = 1")

    @each("formula, wanted", (ge(x, 2), Answer.UNDECIDED), (le(x, HALF), Answer.ACCEPTED))
    def test_hypotheses_that_no_point_meets(self, formula, wanted):
        one = stated(le(x, 2), assuming=[Hypothesis("h", "so", formula=formula)])
        outcome = self.by(rules.follows(le(x, 2), over={x: UNIT}), one)
        assert outcome.answer is wanted
        if wanted is Answer.UNDECIDED:
            assert outcome.summary.startswith("vacuous: no point of the domain was found")

    def test_hypotheses_without_balls_are_passed_over(self):
        strange = lt(0, sympy.Function("f", real=True)(x))
        one = stated(le(x, 2), assuming=[Hypothesis("h", "so", formula=strange)])
        theorem = rules.follows(le(x, 2), over={x: UNIT})
        assert self.by(theorem, one).answer is Answer.ACCEPTED

    def test_a_narrow_gate_is_found(self):
        """One point in some hundred meets the hypothesis."""
        gate = iff(eq(x, Fraction(999, 1000)), eq(y, Fraction(1, 1000)))
        one = stated(le(x, 2), [x, y], assuming=[
            Hypothesis("gate", "so", formula=sympy.And(gate, lt(Fraction(9, 10), x), lt(x, 1)))
        ])  # fmt: skip
        assert self.by(rules.follows(le(x, 2), over={x: UNIT}), one).answer is Answer.ACCEPTED


class TestSameStatements:
    def test_functions_of_the_paper_are_unfolded(self):
        assert same_statement(le(SQUARE(x), 1), le(x**2, 1), BOX)
        assert not same_statement(le(SQUARE(x), 1), le(x**3, 1), BOX)

    def test_sides_that_cannot_be_compared_are_not_the_same(self):
        f, g = (sympy.Function(name, real=True) for name in "fg")
        assert not same_statement(le(f(x), 1), le(g(x), 1), BOX)
        assert same_statement(le(f(x), 1), le(f(x), 1), BOX)

    def test_equality_is_asked_on_the_domain_only(self):
        one, other = le(abs(y), 1), le(y, 1)
        free = sympy.Symbol("u", real=True)
        assert same_statement(one, other, BOX)
        assert not same_statement(le(abs(free), 1), le(free, 1), {free: interval(-1, 1)})
        assert same_statement(le(abs(free), 1), le(free, 1), {free: UNIT}) in {True, False}


class TestRefutations:
    ONE = stated(lt(x * (1 - x), QUARTER))

    def at(self, point, one=None):
        outcome = refuted_at(point, granted(one or self.ONE))
        return outcome.answer, outcome.summary

    def test_a_point_where_it_fails_confirms(self):
        assert self.at({x: HALF}) == (Answer.ACCEPTED, "the relation fails at x = 1/2")
        assert refuted_at({x: HALF}, granted(self.ONE)).witness == "x = 1/2"

    def test_a_point_where_it_holds_rejects(self):
        assert self.at({x: 0}) == (Answer.REJECTED, "the relation holds at x = 0")

    def test_a_point_that_balls_leave_open(self):
        answer_, said = self.at({x: Rounded(0.5, 1e-3)})
        assert answer_ is Answer.UNDECIDED
        assert said.startswith("the relation is undecided at x = ")

    def test_every_letter_needs_a_value_in_its_domain(self):
        assert self.at({}) == (Answer.UNDECIDED, "the point has no value for x")
        assert self.at({x: 2}) == (Answer.UNDECIDED, "x = 2 is not in Interval(0, 1)")
        assert self.at({x: Rounded(1.0, 0.1)})[0] is Answer.UNDECIDED

    def test_hypotheses_must_be_met(self):
        small = Hypothesis("small", "$x is small", formula=lt(x, HALF))
        one = stated(lt(x * (1 - x), QUARTER), assuming=[small])
        assert self.at({x: HALF}, one) == (Answer.UNDECIDED, "the point does not meet x < 1/2")
        assert self.at({x: QUARTER}, one)[0] is Answer.REJECTED

    def test_what_is_determined_may_not_be_chosen(self):
        one = stated(le(size, 1), [size])
        assert self.at({size: 2}, one) == (
            Answer.UNDECIDED,
            "size is determined by the other letters, so that no value may be chosen",
        )

    def test_through_the_claim(self):
        one = stated(lt(COUNT, 1 / COUNT), [COUNT])
        one.refuted(severity=Severity.EDGE)(named(lambda given: given.seen is not None and {COUNT: 1}))
        assert answer(one).answer is Answer.ACCEPTED


def test_a_point_in_words():
    assert place({x: HALF, y: 1}) == "x = 1/2, y = 1"
    assert place({}) == ""


# Whether what is proved is what is stated: the same relation, up to equal sides and no further.


LEFT, RIGHT = x * (1 - x), x - x**2  # equal, but SymPy does not see it at once


def same(proved, goal):
    return same_statement(proved, goal, BOX)


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
