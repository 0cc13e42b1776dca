"""Near variants: what evidence says of a constant that is changed a little."""

from fractions import Fraction

import pytest
import sympy
from checked import HALF, LETTERS, answer, far, named, near, proof, said, stated, trial, x, y
from hypothesis import strategies as st
from trying import each

from theorems.engine import ClaimError, Hypothesis, Measured, Severity, le, lt, rules, sentence
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.near import examine_near
from theorems.engine.statements.variants import near_variants


def in_brief(one):
    """For each constant what a check says of its variants."""
    result = result_of(one, one.evidence[0], trial(one))
    return {what: found.said for what, found in result.near.items()}


class TestInBrief:
    def test_what_is_true_beside_the_theorem_is_pinned(self):
        assert in_brief(proof(stated(le(x * (1 - x), sympy.Rational(1, 2)))))["1/2"] == "pinned"

    def test_what_an_argument_leaves_undecided_is_not_pinned(self):
        one = stated(sentence("c = $constant", constant=1))

        @one.argued(bridge="It is so.")
        def only_as_printed(constant):
            yield "as printed", True if constant == 1 else None

        assert in_brief(one) == {"constant": "undecided"}

    def test_sentences_are_tried_at_the_cases_seen(self):
        one, asked = said(), []

        def tail(case, two):
            asked.append((case, two))
            return Measured(case / 2 if two == 2 else 2 * case)

        one.tested(over=st.floats(1, 2), cases=20)(named(tail))
        assert in_brief(one) == {"two": "rejected"}
        cases = {case for case, two in asked if two == 2}
        assert {case for case, two in asked if two != 2} <= cases

    def test_cases_at_which_a_variant_means_nothing_are_left_out(self):
        one = said()

        def tail(case, two):
            if two != 2 and case < 1.5:
                raise ValueError("not there")
            return Measured(case / 2 if two == 2 else 2 * case)

        one.tested(over=st.floats(1, 2), cases=40)(named(tail))
        assert in_brief(one) == {"two": "rejected"}

    def test_in_full_a_search_is_made_anew(self):
        one, asked = said(), []

        def tail(case, two):
            asked.append(two)
            return Measured(case / two / 2)

        one.tested(over=st.floats(1, 2), cases=5)(named(tail))
        first = answer(one)
        asked.clear()
        examine_near(one, one.evidence[0], trial(one), first, every=True)
        assert len([two for two in asked if two == 3]) == len(first.seen)


class TestVariants:
    def test_slots_keep_their_kind_of_number(self):
        one = stated(sentence("c = $half, d = $third", half=HALF, third=sympy.Rational(1, 3)), ())
        changed = {variant.slot: variant for variant in near_variants(one, "statement")}
        values = {slot: variant.claim.parts["statement"].values()[slot]
                  for slot, variant in changed.items()}  # fmt: skip
        assert type(values["half"]) is Fraction
        assert isinstance(values["third"], sympy.Rational)


class TestHypotheses:
    def test_the_letters_are_those_of_the_words_and_of_the_formula(self):
        both = Hypothesis("small", "the number $far is small", formula=le(x, y))
        assert both.letters(LETTERS) == {far, x, y}

    @each("truth", sympy.true, sympy.false)
    def test_a_relation_that_was_evaluated_is_refused(self, truth):
        with pytest.raises(ClaimError, match="evaluate=False"):
            Hypothesis("small", "it is small", formula=truth)


def test_a_proof_that_does_not_look_at_the_goal_is_made_once_for_all_variants():
    one, made = stated(), []

    @one.proved()
    def by_a_square(given):
        made.append(given)
        return rules.follows(le(x * (1 - x), sympy.Rational(1, 4)), over=given.domain)

    assert {"rejected"} < set(near(one)["1/4"])
    assert len(made) == 1


def test_a_refutation_and_a_source_say_nothing_of_variants():
    one = stated(lt(x * (1 - x), sympy.Rational(1, 4)))
    one.refuted(severity=Severity.EDGE)(named(lambda given: {x: HALF} if given.goal else {}))
    one.cited("Someone (1900)", why="no machine can read it")
    assert near(one, number=0) == near(one, number=1) == {}
