"""Details of the engine that decide something and are easily lost."""

from fractions import Fraction

import pytest
import sympy
from checked import searched, stated, trial, x
from trying import each

from theorems.engine import Answer, Hypothesis, Rounded, le, lt
from theorems.engine.judging.audit import summary
from theorems.engine.judging.examine import examine
from theorems.engine.rules import NotProved, decided
from theorems.engine.statements.template import fill
from theorems.engine.statements.values import compare

HALF = Hypothesis("half", "$x is at most a half", formula=le(x, sympy.Rational(1, 2)))


class TestComparisons:
    @each("value, answer", (Fraction(1, 2), False), (2, True))
    def test_negations(self, value, answer):
        assert compare(sympy.Not(le(x, 1), evaluate=False), {x: value}).answer is answer

    def test_a_rational_side_beside_an_irrational_one(self):
        assert compare(lt(sympy.sqrt(x), 2), {x: 2}).answer is True
        assert compare(lt(2, sympy.sqrt(x)), {x: 2}).answer is False


class TestSearches:
    def test_a_case_that_may_meet_a_hypothesis_is_taken(self):
        """A ball around the end of what the hypothesis allows decides neither way."""
        one = stated(le(x, 1), assuming=[HALF])
        searched(one, lambda share: {x: Rounded(0.5 * share, 1e-12)})
        assert examine(one, one.evidence[0], trial(one)).cases == 60

    def test_a_case_that_does_not_meet_a_hypothesis_is_refused(self):
        one = stated(le(x, 1), assuming=[HALF])
        searched(one, lambda share: {x: share})
        outcome = examine(one, one.evidence[0], trial(one))
        assert outcome.answer is Answer.UNDECIDED
        assert "does not meet" in outcome.summary


def test_the_summary_of_an_audit_counts_excuses():
    noticed = {"kind": "constant", "noticed": True, "excuse": None}
    excused = {"kind": "constant", "noticed": False, "excuse": "by t.other"}
    neither = {"kind": "sign", "noticed": False, "excuse": None}
    counts = summary([noticed, noticed, excused, neither])
    assert counts["all"] == {"variants": 4, "noticed": 2, "excused": 1, "neither": 1}
    assert summary([])["all"] == {"variants": 0, "noticed": 0, "excused": 0, "neither": 0}
    assert counts["sign"] == {"variants": 1, "noticed": 0, "excused": 0, "neither": 1}


class TestTemplates:
    @each(
        "text, filled",
        ("x^{$p}", "x^{2}"),
        ("{$p x}", "{{2} x}"),
        ("{x $p}", "{x {2}}"),
        ("$p x", "{2} x"),
    )
    def test_a_value_keeps_apart_from_what_follows(self, text, filled):
        assert fill(text, {"p": "2"}) == filled


class TestDecisions:
    def test_signs_of_coefficients_decide_what_factors_do_not(self):
        a, b = sympy.symbols("a b", real=True)
        square = a**2 * b + b**3 + 3 * a * b + 1
        over = {a: sympy.Interval(0, sympy.oo), b: sympy.Interval(0, sympy.oo)}
        assert decided(sympy.Ge(square, 1, evaluate=False), over=over)
        with pytest.raises(NotProved):
            decided(sympy.Ge(square, 2, evaluate=False), over=over)

    def test_a_term_on_both_sides_does_not_matter(self):
        """The floor is not continuous, and the deciders know nothing of it."""
        a, b = sympy.symbols("a b", real=True)
        over = {a: sympy.Interval(0, 3), b: sympy.Interval(0, 1)}
        for term in (sympy.floor(a), (1 + a) ** b):
            assert decided(sympy.Ge(a**2 + term, term, evaluate=False), over=over)
            with pytest.raises(NotProved):
                decided(sympy.Ge(a**2 + term, 1 + term, evaluate=False), over=over)
