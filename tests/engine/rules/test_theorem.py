"""What a theorem tells of itself, and which leaves may stand together."""

import pytest
import sympy as sp
from sympy import Eq, Function, Interval, Reals
from trying import each

from theorems.engine.rules import NotProved, Trust, defined, enclosed, follows, genuine
from theorems.engine.rules.leaves import bridge, claimed, supposed, textbook
from theorems.engine.rules.meanings import meaning
from theorems.engine.rules.theorem import definitions_fit, meanings_fit, meant

x, y, z = sp.symbols("x y z", real=True)
f, g, h = Function("f"), Function("g"), Function("h")
REAL = {x: Reals}


class TestGrades:
    known = enclosed(sp.Gt(sp.pi, 3, evaluate=False))
    step = bridge("as the page says", f(x) >= sp.pi, over=REAL)

    def test_a_step_in_words_outweighs_a_certificate(self):
        assert follows(x**2 + 1 >= 1, over=REAL).grade == "proved"
        assert follows(f(x) + 1 > 4, [self.known, self.step], over=REAL).grade == "argued"
        assert follows(sp.pi + 1 > 4, [self.known], over={}).grade == "certified"
        assert claimed("c", f(x) > 1, over=REAL).grade == "proved"


class TestPrinting:
    def test_ranges_and_hypotheses_are_told_in_order(self):
        some = claimed("c", f(x) > y, over={y: Interval(0, 1), x: Reals}, under=[y > x, x > -1])
        told = "f(x) > y for x in Reals, y in Interval(0, 1), x > -1, y > x [proved]"
        assert str(some) == told
        assert str(enclosed(sp.Gt(sp.pi, 3, evaluate=False))) == "pi > 3 for certain [certified]"

    def test_a_leaf_is_told_by_kind_and_name(self):
        assert str(Trust("claim", "st.a", "x < 1")) == "claim st.a: x < 1"
        assert "Eq" not in repr(Trust("meaning", "m", "words", Eq(x, y)))


class TestAnswers:
    def test_an_answer_tells_where_it_fails(self):
        found = NotProved("rejected", "x > 1 fails", {x: sp.S.Zero})
        assert (found.answer, found.why, found.witness) == ("rejected", "x > 1 fails", {x: 0})
        assert str(found) == "rejected: x > 1 fails"
        assert NotProved("undecided", "gave up").witness == {}


class TestMaking:
    def test_hypotheses_that_always_hold_are_left_out(self):
        assert claimed("c", f(x) > 1, over=REAL, under=[sp.true, x > 0]).under == {x > 0}

    def test_from_what_is_false_nothing_follows(self):
        with pytest.raises(NotProved, match="contradict each other"):
            claimed("c", f(x) > 1, over=REAL, under=[sp.false])

    def test_every_letter_has_a_set(self):
        for statement, under in ((f(x) > y, []), (f(x) > 1, [y > 0])):
            with pytest.raises((ValueError, TypeError), match="y"):
                textbook("t", statement, over=REAL, under=under)

    def test_each_of_several_premises_must_be_a_theorem(self):
        fine = claimed("c", f(x) > 1, over=REAL)
        genuine(fine, fine)
        genuine()
        with pytest.raises(TypeError, match="must be a Theorem, got str"):
            genuine(fine, "a theorem")


def leaf(term, body):
    """The leaf of a definition."""
    return Trust("definition", str(term.func), str(body), Eq(term, body, evaluate=False))


class TestDefinitions:
    def test_one_function_may_be_defined_by_another(self):
        parts = [
            defined(f(x), g(x) + 1, over=REAL),
            defined(g(x), h(x) + 1, over=REAL),
            defined(h(x), x**2, over=REAL),
        ]
        assert follows(f(x) >= 2, parts, over=REAL)

    @each("bodies", {f: f(x) + 1}, {f: g(x), g: f(x)}, {f: g(x), g: h(x), h: f(x) + 1})
    def test_in_a_circle_nothing_is_defined(self, bodies):
        with pytest.raises(NotProved, match="circle"):
            definitions_fit(leaf(head(x), body) for head, body in bodies.items())

    def test_a_function_defined_by_itself(self):
        for body in (f(x) + 1, f(x)):
            with pytest.raises(NotProved, match="circle"):
                defined(f(x), body, over=REAL)

    def test_arguments_count_by_their_places(self):
        definitions_fit({leaf(f(x, y), x - y), leaf(f(y, x), y - x)})
        with pytest.raises(NotProved, match="f is defined in two ways"):
            definitions_fit({leaf(f(x, y), x - y), leaf(f(y, x), x - y)})

    def test_a_leaf_in_words_defines_no_function(self):
        definitions_fit({Trust("definition", "sums", "a sum is 0 if it is empty")})
        definitions_fit({Trust("claim", "c", "", Eq(f(x), f(x) + 1, evaluate=False))})


class TestMeanings:
    def test_only_meanings_say_what_letters_stand_for(self):
        said = sp.And(Eq(x, 1), Eq(y, 2), z > 0)
        assert set(meant(Trust("meaning", "m", "", said))) == {Eq(x, 1), Eq(y, 2)}
        assert meant(Trust("claim", "c", "", said)) == ()
        assert meant(Trust("meaning", "m", "in words")) == ()

    def test_a_claim_and_a_meaning_may_both_be_about_a_letter(self):
        meanings_fit({Trust("meaning", "m", "", Eq(x, 1)), Trust("claim", "c", "", Eq(x, 2))})
        with pytest.raises(NotProved, match="x stands for two things"):
            meanings_fit({Trust("meaning", "m", "", Eq(x, 1)), Trust("meaning", "n", "", Eq(x, 2))})

    def test_a_hypothesis_in_words_is_no_meaning(self):
        over = {x: Reals, y: Reals}
        leaf = next(iter(supposed("words", Eq(x, y), over=over).trusts))
        assert (leaf.kind, leaf.name) == ("hypothesis", "words")
        assert next(iter(meaning("m", Eq(x, y), over=over).trusts)).kind == "meaning"


def test_two_theorems_that_say_the_same_are_two():
    """A theorem is the value that a rule returned: its record is kept by what it is."""
    same = [claimed("c", f(x) > 1, over=REAL) for _ in range(2)]
    assert same[0] != same[1]
    assert len({*same, *same}) == 2
