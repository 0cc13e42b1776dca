"""Places of a paper are data: what is one, and where it stands in the paper's contents."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from theorems.engine import ClaimError, Contents
from theorems.engine.claims.place import KINDS, Place, places

NUMBERS = st.from_regex(r"[0-9A-Z]{1,2}(\.[0-9]{1,2}){0,2}", fullmatch=True)
PARTS = st.sampled_from(["", "proof", "(a)", "first display, left side", "Lemma 3", "§2: K"])
SIDES = st.sampled_from(["", "before", "after"])
NUMBERED = st.builds(Place, st.sampled_from(KINDS[1:]), NUMBERS, PARTS, SIDES)
PLACES = st.one_of(NUMBERED, st.builds(Place, st.just("Abstract"), st.just(""), PARTS, SIDES))

PAPER = Contents("""
Abstract
Section 1: Introduction
  Theorem 1: Main theorem: convergence
    Equation (1)
    Equation (2)
  Remark 1
Section 2: Proofs
  Section 2.1
    Lemma 1
Appendix A
""")
HEADINGS = [one.place for one in PAPER]


def place(text):
    """The one place of a text."""
    (found,) = places(text)
    return found


class TestGrammar:
    @given(st.lists(PLACES, min_size=1, max_size=3))
    def test_what_is_written_is_read(self, some):
        assert places("; ".join(map(str, some))) == tuple(some)

    @given(PLACES)
    def test_a_part_or_a_side_is_of_a_numbered_thing(self, one):
        assert one.of == Place(one.kind, one.number) == one.of.of

    def test_they_are_told_apart(self):
        assert place("Equation (5), left side") == Place("Equation", "5", "left side")
        assert place("after Appendix A.2") == Place("Appendix", "A.2", "", "after")
        assert place("before Abstract, end") == Place("Abstract", "", "end", "before")
        assert places("Lemma 3, proof; Fact 1")[1] == Place("Fact", "1")

    def test_nothing_is_no_place(self):
        for text in (None, 3, "", "  "):
            told = f"at must name a place, such as 'Lemma 3, proof', got {text!r}"
            with pytest.raises(ClaimError, match=f"^{re.escape(told)}$"):
                places(text)

    def test_another_form_is_refused(self):
        strange = [
            "Eq. (1)", "lemma 1", "Lemma", "Lemma 1 proof", "Lemma 1,proof", "Lemma 1, ",
            "Lemma 1, proof ", " Lemma 1", "Lemma  1", "Lemma 1.", "Lemma 1a", "Lemma A.B",
            "Abstract 1", "near Lemma 1", "After Lemma 1", "Lemma 1, a\nb", "Lemmas 1",
            "Lemma 1;Lemma 2", "",
        ]  # fmt: skip
        for text in strange:
            for written in (text, f"Section 1; {text}") if text else ("Lemma 1; ", "; Lemma 1"):
                with pytest.raises(ClaimError) as found:
                    places(written)
                told = f"{text!r} is no place; one is [before|after] KIND NUMBER[, part], such as "
                assert str(found.value).startswith(told)
                assert all(kind in str(found.value) for kind in KINDS)

    def test_equations_alone_are_in_parentheses(self):
        for text in ("Equation 5", "Equation (5", "Equation 5)", "Lemma (5)", "Section 5)"):
            told = f"{text!r} is no place: equations, and they alone, are in parentheses"
            with pytest.raises(ClaimError, match=f"^{re.escape(told)}$"):
                places(text)


class TestContents:
    def test_they_are_headings_in_order(self):
        assert [str(one) for one in PAPER][:3] == [
            "Abstract",
            "Section 1: Introduction",
            "Theorem 1: Main theorem: convergence",
        ]
        assert [one.depth for one in PAPER] == [0, 0, 1, 2, 2, 1, 0, 1, 2, 0]
        assert [one.title for one in PAPER][1:4] == ["Introduction", "Main theorem: convergence", ""]

    def test_what_they_have(self):
        known = ["Lemma 1", "Equation (2), left side", "after Remark 1", "before Abstract"]
        assert all(place(one) in PAPER for one in known)
        assert not any(place(one) in PAPER for one in ("Lemma 2", "Section 2.2", "after Fact 1"))

    def test_what_they_do_not_have_has_no_place_in_them(self):
        unknown, told = place("Lemma 2, proof"), "^the contents have no Lemma 2$"
        for ask in (PAPER.position, PAPER.around, lambda one: PAPER.contains(one, HEADINGS[0])):
            with pytest.raises(ClaimError, match=told):
                ask(unknown)

    @each(
        "inner, outer",
        ("Equation (2), left side", ["Section 1", "Theorem 1"]),
        ("Lemma 1", ["Section 2", "Section 2.1"]),
        ("after Theorem 1", ["Section 1"]),
        ("Remark 1", ["Section 1"]),
        ("Appendix A, end", []),
    )
    def test_what_a_place_stands_in(self, inner, outer):
        assert PAPER.around(place(inner)) == [place(one) for one in outer]

    def test_what_contains_what(self):
        cases = [
            ("Theorem 1", "Theorem 1", True),
            ("Theorem 1", "Theorem 1, proof", True),
            ("Theorem 1, proof", "Theorem 1", False),
            ("Theorem 1, proof", "Theorem 1, proof", True),
            ("Theorem 1, proof", "Theorem 1, statement", False),
            ("Theorem 1, proof", "Equation (1)", False),
            ("Theorem 1", "Equation (2), left side", True),
            ("Section 1", "Equation (2)", True),
            ("Equation (2)", "Section 1", False),
            ("Section 2", "Equation (2)", False),
            ("Theorem 1", "Remark 1", False),
            ("Theorem 1", "after Theorem 1", False),
            ("Theorem 1", "before Theorem 1", False),
            ("Section 1", "after Theorem 1", True),
            ("after Theorem 1", "after Theorem 1", True),
            ("after Theorem 1", "before Theorem 1", False),
            ("after Section 1", "Theorem 1", False),
        ]
        for outer, inner, holds in cases:
            assert PAPER.contains(place(outer), place(inner)) is holds

    def test_their_order_is_that_of_the_paper(self):
        in_order = [
            "Section 1",
            "before Theorem 1",
            "Theorem 1",
            "Equation (1)",
            "after Equation (1)",
            "Equation (2)",
            "after Theorem 1",
            "Remark 1",
            "after Section 1",
            "Section 2",
            "after Appendix A",
        ]
        positions = [PAPER.position(place(one)) for one in in_order]
        assert sorted(positions) == positions
        assert len(set(positions)) == len(positions)
        part = place("Theorem 1, proof")
        assert PAPER.position(part) == PAPER.position(part.of)

    @given(st.sampled_from(HEADINGS), st.sampled_from(HEADINGS))
    def test_what_is_inside_stands_between_before_and_after(self, outer, inner):
        before, after = (Place(outer.kind, outer.number, side=one) for one in ("before", "after"))
        between = PAPER.position(before) < PAPER.position(inner) < PAPER.position(after)
        assert between is PAPER.contains(outer, inner)


class TestOutlines:
    @each(
        "outline, told",
        ("  Section 1", "Section 1 is indented by 2"),
        ("Section 1\n    Lemma 1", "Lemma 1 is indented by 4"),
        ("Section 1\n Lemma 1", "Lemma 1 is indented by 1"),
        ("Section 1\n\tLemma 1", "Lemma 1 is indented by 1"),
    )
    def test_indentation_is_by_twos_and_no_deeper_than_below(self, outline, told):
        rule = "; it must be by an even number, at most two more than the line above"
        with pytest.raises(ClaimError, match=f"^{told}{rule}$"):
            Contents(outline)

    def test_a_thing_is_numbered_once(self):
        with pytest.raises(ClaimError, match=r"^Lemma 1 stands twice in the contents$"):
            Contents("Section 1\n  Lemma 1\nSection 2\n  Lemma 1: Again")

    @each("line", "Lemma 1, proof", "after Lemma 1", "Lemma 1; Lemma 2")
    def test_a_line_is_a_numbered_thing(self, line):
        with pytest.raises(ClaimError, match=f"^'{line}' is no single numbered place$"):
            Contents(f"Section 1\n  {line}")

    def test_a_line_that_is_no_place_is_told(self):
        with pytest.raises(ClaimError, match=r"^'Introduction' is no place; "):
            Contents("Section 1\nIntroduction")

    def test_empty_lines_say_nothing(self):
        assert [str(one) for one in Contents("\n\nSection 1\n   \n  Lemma 1\n")] == ["Section 1", "Lemma 1"]
