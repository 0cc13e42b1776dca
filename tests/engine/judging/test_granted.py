"""What a check can reach through ``given``: hypotheses, other claims, rules; and nothing else."""

import pytest
import sympy
from checked import LETTERS, claim, far, stated, x, y
from trying import each

from theorems.engine import (
    Hypothesis,
    Letters,
    claims_in,
    eq,
    ge,
    half_line,
    implies,
    interval,
    le,
    lt,
    reals,
    sentence,
)
from theorems.engine.judging.given import Given, MissingError, ranges
from theorems.engine.rules import NotProved, leaves

QUARTER = sympy.Rational(1, 4)
FREE = sympy.Symbol("free", real=True)
UNIT = interval(0, 1)
SMALL = Hypothesis("small", "$x is small", formula=le(x, QUARTER))
WORDS = Hypothesis("words", "it is so")
SIZE = LETTERS.quantity("granted_size", "|v|", "length of a vector", half_line(0))
SQUARE = LETTERS.function("granted_square", "s", "the square", closed_form=lambda t: t**2)


def granted(one, *known):
    """What a check of the claim is given."""
    return Given(one, next(iter(one.parts)), {other.id: other for other in known}.__getitem__)


class TestConcluded:
    def test_the_part_is_inferred_and_not_asked_for(self):
        given = granted(stated())
        theorem = given.concluded()
        assert theorem.statement == given.claim.parts[given.part].relation
        assert given.seen == set()
        assert given.follows().statement == theorem.statement
        assert given.seen == {"goal"}

    def test_hypotheses_are_those_of_the_claim(self):
        given = granted(stated(le(x**2, x / 4), assuming=[SMALL]))
        assert given.concluded().under == {SMALL.formula}
        with pytest.raises(NotProved, match="fails at"):
            granted(stated(le(x**2, x / 4))).concluded()

    def test_a_sentence_is_no_relation(self):
        with pytest.raises(MissingError, match="is a sentence, no relation"):
            granted(stated(sentence("$x = $c", c=1))).concluded()


class TestGoal:
    def test_a_sentence_is_no_relation(self):
        with pytest.raises(MissingError, match="the part statement is a sentence, no relation"):
            _ = granted(stated(sentence("$x = $c", c=1))).goal

    def test_looking_at_it_is_remembered(self):
        given = granted(stated())
        assert given.domain == {x: UNIT}
        assert not given.seen
        assert given.goal == le(x * (1 - x), QUARTER)
        assert given.seen == {"goal"}

    def test_only_hypotheses_that_are_relations_are_conditions(self):
        assert granted(stated(assuming=[WORDS, SMALL])).conditions == (SMALL.formula,)

    def test_hypotheses_that_are_not_assumed_are_refused_by_name(self):
        given = granted(stated(assuming=[SMALL]))
        given.require(SMALL)
        with pytest.raises(MissingError, match="the evidence uses the hypothesis words"):
            given.require(SMALL, WORDS)

    def test_slots_are_those_of_a_sentence(self):
        assert granted(stated(sentence("$x = $c", c=1))).slots() == {"c": 1}
        assert granted(stated()).slots() == {}


class TestFacts:
    BASE = claim("t.base", at="a", title="t", states={"statement": le(x**2, x), "far": ge(far, 0)})
    SUPPOSING = claim("t.supposing", at="a", title="t", states=le(2 * x, 1), assuming=[SMALL, WORDS])
    SAID = claim("t.said", at="a", title="t", states=sentence(r"$x \le $c", c=1))

    def resting(self, **record):
        return granted(
            stated(rests_on=[self.BASE, self.SUPPOSING, self.SAID], **record),
            self.BASE,
            self.SUPPOSING,
            self.SAID,
        )

    def test_a_part_of_another_claim_with_the_ranges_of_its_own_letters(self):
        fact = self.resting().fact(self.BASE)
        assert (fact.statement, dict(fact.over), set(fact.under)) == (le(x**2, x), {x: UNIT}, set())
        assert [trust.name for trust in fact.trusts] == ["t.base"]

    def test_another_part_is_named_by_its_name(self):
        fact = self.resting().fact("t.base", "far")
        assert (fact.statement, dict(fact.over)) == (ge(far, 0), {far: half_line(0)})
        assert [trust.name for trust in fact.trusts] == ["t.base (far)"]

    def test_a_part_that_is_no_formula_is_refused(self):
        for other, part in (("t.base", "near"), ("t.said", "statement")):
            with pytest.raises(MissingError, match=f"{other} has no formula '{part}'"):
                self.resting().fact(other, part)

    def test_a_claim_that_it_does_not_rest_on_is_refused(self):
        with pytest.raises(MissingError, match=r"t\.one does not rest on t\.base"):
            granted(stated(), self.BASE).fact("t.base")

    def test_hypotheses_of_the_other_claim_are_needed_or_discharged(self):
        with pytest.raises(MissingError, match="the hypothesis small"):
            self.resting().fact(self.SUPPOSING)
        with pytest.raises(MissingError, match="the hypothesis words"):
            self.resting(assuming=[SMALL]).fact(self.SUPPOSING)
        fact = self.resting(assuming=[SMALL], discharging={WORDS: "so it is"}).fact("t.supposing")
        assert (fact.statement, set(fact.under)) == (le(2 * x, 1), {SMALL.formula})

    def test_what_is_discharged_in_words_makes_what_follows_argued(self):
        """x <= 1/2 where "it is so" is no theorem about all x: a sentence stands between."""
        given = self.resting(assuming=[SMALL], discharging={WORDS: "so it is"})
        fact = given.fact("t.supposing")
        (words,) = (trust for trust in fact.trusts if trust.kind == "met in words")
        assert (words.name, words.detail) == ("t.supposing: words", "so it is")
        assert fact.grade == given.follows(fact, goal=le(x, 1)).grade == "argued"
        assert self.resting(assuming=[SMALL, WORDS]).fact("t.supposing").grade == "proved"

    def test_a_relation_is_discharged_by_the_proof_alone(self):
        base = claim("t.small", at="a", title="t", states=le(2 * x, 1), assuming=[SMALL])
        fact = granted(stated(rests_on=base, discharging={SMALL: "x is"}), base).fact(base)
        assert (fact.grade, set(fact.under)) == ("proved", {SMALL.formula})
        assert {trust.kind for trust in fact.trusts} == {"claim"}

    def test_further_conditions_may_be_made(self):
        fact = self.resting().fact(self.BASE, where=[lt(far, x)])
        assert (set(fact.under), dict(fact.over)) == ({lt(far, x)}, {x: UNIT, far: half_line(0)})

    def test_a_fact_at_other_values(self):
        fact = self.resting().fact(self.BASE, at={x: x / 2})
        assert (fact.statement, dict(fact.over)) == (le(x**2 / 4, x / 2), {x: UNIT})

    def test_a_letter_of_a_hypothesis_in_words_keeps_its_value(self):
        """A hypothesis in words is the same for this claim, unless it says why it is met."""
        spoken = Hypothesis("spoken", "the number $x is what a network has drawn")
        base = claim("t.drawn", at="a", title="t", states=le(x**2, x), assuming=[spoken])
        one = {"rests_on": base, "assuming": [spoken]}
        for letters in ({x: x / 2}, {x: sympy.Rational(1, 3)}):
            with pytest.raises(NotProved, match=r"x may not be .*: t.drawn is about its value"):
                granted(stated(**one), base).fact(base, at=letters)
        assert granted(stated(**one), base).fact(base, at={x: x}).statement == le(x**2, x)
        met = stated(**one, discharging={spoken: "the half of a drawn number is drawn as well"})
        assert granted(met, base).fact(base, at={x: x / 2}).statement == le(x**2 / 4, x / 2)

    def test_an_instance_is_taken_under_what_the_claim_assumes_of_its_letters(self):
        fact = self.resting(assuming=[SMALL]).fact(self.BASE, at={x: 4 * x})
        assert fact.statement == le(16 * x**2, 4 * x)
        assert set(fact.under) == {SMALL.formula}
        with pytest.raises((NotProved, ValueError, TypeError)):
            self.resting().fact(self.BASE, at={x: 4 * x})


class TestRules:
    def test_the_goal_or_another_relation_follows(self):
        given = granted(stated())
        assert given.follows().statement == le(x * (1 - x), QUARTER)
        assert given.follows(goal=le(x, 1)).statement == le(x, 1)

    def test_what_follows_is_under_the_hypotheses(self):
        assert granted(stated(assuming=[SMALL])).follows(goal=le(x, QUARTER)).under
        with pytest.raises(NotProved):
            granted(stated()).follows(goal=le(x, QUARTER))

    def test_the_letters_of_premises_keep_their_ranges(self):
        one = stated(le(x, 2), [x, y], assuming=[Hypothesis("ordered", "so", formula=le(y, 2))])
        given = granted(one)
        theorem = given.follows(given.textbook("t", le(x, 1 + 0 * y)), goal=le(x, 2))
        assert theorem.over[x] == UNIT

    @each("how, kind", ("decided", le), ("covered", lt))
    def test_the_goal_or_another_relation_by_deciders_and_balls(self, how, kind):
        given = granted(stated(kind(x * (1 - x), sympy.Rational(1, 2))))
        assert getattr(given, how)().statement == given.goal
        other = kind(x**2, 2)
        shown = getattr(given, how)(other)
        assert (shown.statement, dict(shown.over)) == (other, {x: UNIT})
        with pytest.raises(NotProved):
            getattr(given, how)(kind(x**2, sympy.Rational(1, 2)))

    @each("how, kind", ("decided", le), ("covered", lt))
    def test_functions_of_the_paper_are_unfolded(self, how, kind):
        given = granted(stated(kind(SQUARE(x), 2)))
        assert getattr(given, how)().statement == kind(x**2, 2)

    def test_the_parts_of_a_conjunction_are_decided_one_by_one(self):
        given = granted(stated([le(0, x), le(x**2, x), le(0, y)], [x, y]))
        theorem = given.decided()
        assert theorem.statement == given.goal
        assert dict(theorem.over) == {x: UNIT, y: UNIT}
        assert {"decision", "solver"} <= {trust.kind for trust in theorem.trusts}
        with pytest.raises(NotProved):
            given.decided(sympy.And(le(0, x), le(x, x**2), evaluate=False))

    def test_a_cover_may_be_told_how(self):
        with pytest.raises(NotProved):
            granted(stated()).covered(lt(x * (1 - x), QUARTER + QUARTER / 10**6), max_boxes=3)


WITHIN = QUARTER / (1 + FREE**2)
PREMISES = {
    "meaning": ("what it stands for", eq(x, WITHIN)),
    "largest": ("it", le(WITHIN, x)),
    "least": ("it", le(x, WITHIN)),
    "bridge": ("it", le(x, FREE)),
    "textbook": ("it", le(x, 1 + FREE**2)),
}


class TestPremises:
    @each("kind", *PREMISES)
    def test_letters_range_as_the_claim_or_as_one_says(self, kind):
        name, relation = PREMISES[kind]
        given = granted(stated(given={x: interval(0, QUARTER)}))
        theorem = getattr(given, kind)(name, relation)
        assert dict(theorem.over) == {x: interval(0, QUARTER), FREE: reals()}
        theorem = getattr(given, kind)(name, relation, over={FREE: UNIT}, under=[lt(FREE, 1)])
        assert dict(theorem.over) == {x: interval(0, QUARTER), FREE: UNIT}
        assert set(theorem.under) == {lt(FREE, 1)}

    def test_letters_of_the_paper_range_as_they_are_declared(self):
        theorem = granted(stated()).textbook("it", le(x, 1 + y + far))
        assert dict(theorem.over) == {x: UNIT, y: UNIT, far: half_line(0)}

    def test_letters_of_conditions_count(self):
        theorem = granted(stated()).textbook("it", le(x, 1), under=[le(0, FREE), le(far, 1)])
        assert dict(theorem.over) == {x: UNIT, FREE: reals(), far: half_line(0)}

    def test_a_false_textbook_fact_is_refused_also_about_a_quantity(self):
        for relation in (le(x, y), le(SIZE, y)):
            with pytest.raises(NotProved, match="it is false at"):
                granted(stated()).textbook("it", relation)
        theorem = granted(stated()).textbook("it", ge(SIZE**2, 2 * SIZE - 1))
        there = granted(stated()).substituted(theorem, {SIZE: 2 + y})
        assert there.statement.lts == 2 * (2 + y) - 1

    def test_several_relations_are_one_premise(self):
        theorem = granted(stated()).textbook("it", le(0, FREE), le(FREE, 1), over={FREE: UNIT})
        assert theorem.statement == sympy.And(le(0, FREE), le(FREE, 1), evaluate=False)

    def test_a_hypothesis_in_words_is_put_in_symbols(self):
        given = granted(stated(assuming=[WORDS]))
        theorem = given.supposed(WORDS, le(x, FREE), over={FREE: UNIT})
        assert [(one.kind, one.name) for one in theorem.trusts] == [("hypothesis", "words")]
        assert dict(theorem.over) == {x: UNIT, FREE: UNIT}
        with pytest.raises(MissingError, match="the hypothesis words"):
            granted(stated()).supposed(WORDS, le(x, FREE))

    def test_a_hypothesis_in_symbols_says_nothing_else(self):
        given = granted(stated(assuming=[SMALL]))
        assert given.supposed(SMALL, le(x, QUARTER)).statement == le(x, QUARTER)
        with pytest.raises(MissingError, match="the hypothesis small says"):
            given.supposed(SMALL, le(x, QUARTER / 2))

    def test_a_theorem_at_other_terms(self):
        given = granted(stated())
        squares = leaves.textbook("squares", ge(FREE**2, 2 * FREE - 1), over={FREE: reals()})
        theorem = given.substituted(squares, {FREE: x - y})
        assert theorem.statement == ge((x - y) ** 2, 2 * x - 2 * y - 1)
        assert dict(theorem.over) == {x: UNIT, y: UNIT}


def test_letters_range_over_their_part_of_the_domain_or_over_what_they_belong_to():
    table = Letters()
    s = table.number("s", "s", "a number", half_line(0))
    one = claims_in(table)("t.s", at="a", title="t", states=implies(le(s, 1), le(s, 2)),
                           given={s: interval(0, 5)})  # fmt: skip
    assert ranges(one) == {s: interval(0, 5)}
