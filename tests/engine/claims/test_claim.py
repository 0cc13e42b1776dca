"""A claim's record is refused when it is made, with a message that says which claim and why."""

import math
import re
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from trying import each

from theorems.engine import (
    ClaimError,
    Contents,
    Grade,
    Hypothesis,
    Measured,
    Paper,
    Provenance,
    claim,
    half_line,
    integers,
    interval,
    open_interval,
    reals,
    sentence,
)
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.kinds import Profile, Role, Severity
from theorems.engine.statements.domain import latex, text
from theorems.engine.statements.statement import flaw

SENTENCE = sentence("c = $constant", constant=1)
CONTROL = {"wrong": {"constant": 0}}


def make(identifier="t.one", **record):
    return claim(identifier, **{"at": "Eq. (1)", "title": "One", "states": SENTENCE, **record})


def check(constant):
    """Any check."""
    return [("it", constant == 1)]


REFUSED = {
    "id without a part": ({"identifier": "eoc"}, "id must look like"),
    "id in capitals": ({"identifier": "eoc.Prop1"}, "id must look like"),
    "id with an empty part": ({"identifier": "eoc..a"}, "id must look like"),
    "id with a space at the end": ({"identifier": "eoc.a "}, "id must look like"),
    "id with a line end": ({"identifier": "eoc.a\n"}, "id must look like"),
    "id that is no text": ({"identifier": 3}, "id must look like"),
    "no title": ({"title": ""}, "title must be"),
    "blank title": ({"title": " \n"}, "title must be"),
    "no place": ({"at": None}, "at must be"),
    "no statement": ({"states": {}}, "at least one part"),
    "letter that is no letter": ({"given": {"x": reals()}}, "is no letter of the paper"),
    "assumption in words": ({"assuming": ("a",)}, "assuming is hypotheses"),
    "dependency that is no claim": ({"rests_on": [3]}, "rests_on is claims or their ids"),
    "provenance as text": ({"provenance": "PRINTED"}, "provenance is a Provenance"),
    "statement that is typed": ({"states": "1 = 1"}, "a statement is a relation or a sentence"),
    "correction of nothing": ({"provenance": Provenance.CORRECTED}, "of another claim"),
    "printed, yet of another": ({"of": "t.two"}, "of another claim"),
    "correction of itself": (
        {"provenance": Provenance.CORRECTED, "of": "t.one"},
        "cannot correct or sharpen itself",
    ),
}


@each("name", *REFUSED)
def test_a_bad_record_is_refused(name):
    record, complaint = REFUSED[name]
    with pytest.raises(ClaimError, match=complaint):
        make(**record)


def test_the_complaint_names_the_claim():
    with pytest.raises(ClaimError, match=r"^t\.seven: "):
        make("t.seven", states=True)


def test_latex_that_a_display_can_hold():
    cases = [
        r"\{1, 2\}",
        r"\left\{ x : x > 0 \right.",
        r"a \\{b}",
        r"\begin{cases} 1 & x \\ 0 \end{cases}",
        r"\leftarrow \rightarrow \left( \left[ x \right] \right)",
        r"50\,\%",
        r"\|\phi\|_{L}",
    ]
    for shown in cases:
        assert flaw(shown) is None


def test_latex_that_would_not_compile():
    cases = [
        ("{", "{ is never closed"),
        ("}", "} closes nothing"),
        (r"\{}", "} closes nothing"),
        (r"\\}", "} closes nothing"),
        (r"\left( x )", r"\left is never closed"),
        (r"x \right)", r"\right closes nothing"),
        (r"\left( { x \right) }", r"\right closes nothing"),
        (r"\begin{cases} x", r"\begin{cases} is never closed"),
        (r"\begin{cases} x \end{matrix}", r"\end{matrix} closes nothing"),
        (r"\end{cases}", r"\end{cases} closes nothing"),
        ("50 %", "% would comment out the rest"),
        ("\N{GREEK SMALL LETTER RHO} < 1", "is not LaTeX"),
        ("a\n\nb", "a display has no empty lines"),
    ]
    for shown, complaint in cases:
        assert complaint in flaw(shown)


@given(st.text("{}ab", max_size=12))
def test_braces_balance_exactly_when_removing_pairs_leaves_none(text):
    left = text.replace("a", "").replace("b", "")
    while "{}" in left:
        left = left.replace("{}", "")
    assert (flaw(text) is None) == (left == "")


def test_one_dependency_or_assumption_needs_no_brackets():
    first = make()
    assert make("t.two", rests_on=first).rests_on == ("t.one",)
    assert make("t.two", rests_on="t.one").rests_on == ("t.one",)
    assert make("t.two", rests_on=[first, "t.b"]).rests_on == ("t.one", "t.b")
    small = Hypothesis("small", "it is small")
    assert make("t.two", assuming=small).assuming == (small,)


class TestDomains:
    @each(
        "build",
        lambda: interval(1, 0),
        lambda: interval(0, 0),
        lambda: interval(0, math.nan),
        lambda: interval(math.nan, 1),
        lambda: interval("0", "1"),
        lambda: interval(False, True),
        lambda: interval(0, 1j),
        lambda: half_line(math.inf),
        lambda: integers(3, 2),
        lambda: integers(0.5),
        lambda: integers(0, math.inf),
        lambda: interval(0.1, 1),
        lambda: interval(sympy.I, 1),
        lambda: interval(sympy.Symbol("x"), 1),
        lambda: integers(True),
    )
    def test_no_domain_is_empty_or_of_something_else_than_numbers(self, build):
        with pytest.raises(ClaimError):
            build()

    def test_ends_belong_as_written(self):
        assert 0 in interval(0, 1)
        assert 1 in interval(0, 1)
        assert 0 not in open_interval(0, 1)
        assert 1 not in open_interval(0, 1)
        assert 0 in half_line(0)
        assert 0 not in half_line(0, closed=False)
        assert 2 in integers(2, 2)
        assert 1 not in integers(2)
        assert 3 not in integers(2, 2)
        assert 10**30 in integers(2)

    def test_they_are_set_as_mathematicians_write(self):
        cases = [
            (interval(-1, Fraction(1, 2)), "[-1, 1/2]", r"[-1, \tfrac{1}{2}]"),
            (open_interval(-sympy.sqrt(2), 2), "(-√2, 2)", r"(- \sqrt{2}, 2)"),
            (half_line(1, closed=False), "(1, ∞)", r"(1, \infty)"),
            (half_line(0), "[0, ∞)", r"[0, \infty)"),
            (reals(), "ℝ", r"\mathbb{R}"),
            (integers(2), "{2, 3, …}", r"\{2, 3, \ldots\}"),
            (integers(1, 3), "{1, 2, 3}", r"\{1, 2, 3\}"),
        ]
        for domain, printed, written in cases:
            assert (text(domain), latex(domain)) == (printed, written)
            assert flaw(written) is None

    def test_nothing_strange_belongs(self):
        for value in (math.nan, math.inf, -math.inf):
            assert value not in reals()
        assert sympy.Rational(5, 2) not in integers(0)
        assert np.int64(2) in integers(0)


class TestEvidence:
    @each(
        "controls, complaint",
        ({"same": {}}, "control same of check must say which slots"),
        ({"number": 0.99}, "control number of check must say which slots"),
        ({"typing": {"konstant": 0}}, "control typing of check changes ['konstant'], no slots"),
    )
    def test_a_control_changes_an_argument_of_the_check(self, controls, complaint):
        with pytest.raises(ClaimError, match=f"^t.one: .*{re.escape(complaint)}"):
            make().argued(bridge="So.", controls=controls)(check)

    @each("how", {"profile": "full"}, {"role": "refutes"}, {"rolle": Role.SUPPORTS})
    def test_how_a_check_is_used_is_validated(self, how):
        with pytest.raises(ClaimError, match=r"^t\.one: "):
            make().argued(bridge="So.", **how)(check)

    @each("count", 0, -1, 2.0, True, None)
    def test_numbers_of_cases_are_positive_integers(self, count):
        if count is not None:  # as many as the engine takes
            with pytest.raises(ClaimError, match="cases must be a positive integer"):
                make().tested(over=st.floats(), cases=count)(check)
        with pytest.raises(ClaimError, match="draws must be a positive integer"):
            make().estimated(draws=count, controls=CONTROL)(check)

    def test_a_counterexample_is_exact_or_in_balls(self):
        for grade in (Grade.TESTED, Grade.ESTIMATED, Grade.CITED):
            with pytest.raises(ClaimError, match="exactly or in balls"):
                make().refuted(by=grade, severity=Severity.EDGE)(check)
        with pytest.raises(ClaimError, match="exactly or in balls"):
            make().tested(over=st.floats(), role=Role.REFUTES)(check)
        one = make()
        one.refuted(by=Grade.CERTIFIED, severity=Severity.EDGE)(check)
        assert [(e.grade, e.role) for e in one.evidence] == [(Grade.CERTIFIED, Role.REFUTES)]

    def test_names_are_unique_and_those_of_functions(self):
        one = make()
        one.argued(bridge="So.")(check)
        with pytest.raises(ClaimError, match=r"t\.one: two pieces of evidence are named check"):
            one.argued(bridge="So.")(check)
        for nameless in (lambda constant: [], partial(check)):
            with pytest.raises(ClaimError, match="evidence is a named function"):
                one.argued(bridge="So.")(nameless)
        assert len(one.evidence) == 1

    def test_a_source_and_a_reason_are_words(self):
        for source, why in (("", "a"), ("a", " "), (None, "a")):
            with pytest.raises(ClaimError, match=r"t\.one: cited needs"):
                make().cited(source, why=why)
        with pytest.raises(ClaimError, match=r"t\.one: left_open needs"):
            make().left_open("")

    def test_what_a_check_says_is_its_first_line(self):
        def silent(constant=1):
            return []

        def blank(constant=1):
            """ """
            return []

        for function, said in ((check, "Any check."), (silent, "name"), (blank, "name")):
            assert Evidence("name", Grade.PROVED, function, CONTROL).says == said

    def test_decorating_gives_back_the_function(self):
        @make().tested(over=st.floats(0, 1), cases=7)
        def ratio(x, constant):
            """The ratio."""
            return Measured(x / constant)

        assert ratio(0.5, 1).ratio == 0.5


def test_every_profile_includes_the_smaller_ones():
    order = [Profile.QUICK, Profile.FULL, Profile.EXHAUSTIVE]
    for i, larger in enumerate(order):
        assert [larger.includes(smaller) for smaller in order] == [j <= i for j in range(3)]
    assert [profile.effort for profile in order] == [1, 10, 30]


@each(
    "record, complaint",
    (("", "T", "A"), "a paper's prefix is a lower-case word, got ''"),
    (("EOC", "T", "A"), "a paper's prefix is a lower-case word, got 'EOC'"),
    (("e.oc", "T", "A"), "a paper's prefix is a lower-case word, got 'e.oc'"),
    ((None, "T", "A"), "a paper's prefix is a lower-case word, got None"),
    (("eoc", "", "A"), "eoc: title must be a non-empty string"),
    (("eoc", "T", None), "eoc: authors must be a non-empty string"),
    (("eoc", "T", "A", "Section 1"), "eoc: contents must be Contents, got 'Section 1'"),
    (("eoc", "T", "A", ("s",)), "eoc: contents must be Contents, got ('s',)"),
)
def test_a_paper_is_validated(record, complaint):
    with pytest.raises(ClaimError, match=f"^{re.escape(complaint)}$"):
        Paper(*record)


def test_a_paper_has_contents_if_it_is_not_a_collection():
    assert Paper("eoc", "T", "A").contents is None
    contents = Contents("Section 1")
    assert Paper("eoc", "T", "A", contents).contents is contents


def test_corrections_and_sharpenings_know_what_they_are_about():
    one = make()
    better = one.sharpened("t.one.sharp", title="S", states=SENTENCE)
    right = one.corrected("t.one.right", title="R", states=SENTENCE, at="Eq. (9)")
    assert (better.of, better.provenance, better.at) == ("t.one", Provenance.SHARPENED, "Eq. (1)")
    assert (right.of, right.provenance, right.at) == ("t.one", Provenance.CORRECTED, "Eq. (9)")
