"""LaTeX that compiles and HTML that a notebook shows, whatever titles and remarks contain."""

import re
from html.parser import HTMLParser

import demo
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sympy import Symbol
from trying import each

from symbolic.latex_width import width
from theorems.engine import (
    Hypothesis,
    Letters,
    Paper,
    Severity,
    claim,
    eq,
    half_line,
    implies,
    le,
    open_interval,
    reals,
    sentence,
)
from theorems.engine.claims import registry
from theorems.engine.claims.markup import claim_html
from theorems.engine.claims.registry import Registry, assemble
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.judge import judge
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.standing import Standing
from theorems.engine.statements.statement import flaw
from theorems.interface.assumptions import ambiguous, glossary, here, hypotheses
from theorems.interface.export import claim_latex, document
from theorems.interface.layout import display, rows
from theorems.interface.meanings import GRADES, SEVERITIES
from theorems.interface.prose import words

SEVERITIES_SAID = [one.value for one in SEVERITIES]
SPECIAL = r"100% of $x_1$ & {y} #3 ~ ^ \alpha <|>"


def chain(expression):
    """A derivation, as the engine sees one."""

    class Chain:
        def check(self):
            return []

        def latex(self, _names):
            return rf"\begin{{align*}} {expression} \end{{align*}}"

    return Chain()


def derived():
    parts = {"one": sentence("s_1"), "another": sentence("s_2"), "a third": sentence("s_3")}
    assuming = Hypothesis("special", SPECIAL.replace("$", ""))
    one = claim(
        "t.derived", at="Eq. (1) & 2", title=SPECIAL, states=parts, assuming=assuming
    )  # fmt: skip

    @one.argued("one", bridge="So.")
    def derivation():
        return chain("a &= b")

    @one.argued("another", bridge="So.")
    def no_derivation():
        return [("step", True)]

    @one.argued("a third", bridge="So.")
    def broken():
        raise ValueError("no 100% luck")

    @one.refuted("one", severity=Severity.EDGE)
    def counterexample():
        return chain("c &= d")

    return one


def unescaped(text, letter):
    return re.findall(rf"(?<!\\){re.escape(letter)}", text)


class TestWords:
    @given(st.text(max_size=40))
    def test_nothing_special_survives(self, text):
        latex = words(text)
        bare = re.sub(r"\$[^$]*\$", "", latex.replace(r"\$", ""))
        for letter in "#%&_^~|<>":
            assert not unescaped(bare, letter)
        assert latex.replace(r"\$", "").count("$") % 2 == 0
        assert flaw(re.sub(r"[^\x00-\x7f]|\n", "", latex.replace(r"\%", ""))) is None
        assert all(letter.isascii() or letter.isalpha() for letter in latex)
        assert all(ord(letter) < 0x180 for letter in latex)

    @each(
        "text, latex",
        ("100% of {a_1} & #2", r"100\% of $\{a_{1}\}$ \& \#2"),
        ("$5", r"\$5"),
        (r"\x^2~", r"\textbackslash{}$x^{2}$\textasciitilde{}"),
        ("Δ ≤ λ", r"$\Delta \le \lambda$"),
        ("σ² = x₁⁻¹", r"$\sigma^{2} = x_{1}^{-1}$"),
        ("Terjék, González", "Terjék, González"),
        ("∀ x", "[for all] $x$"),
        ("0^α", r"$0^{\alpha}$"),
        ("Α and ο", "[greek capital letter alpha] and [greek small letter omicron]"),
    )
    def test_examples(self, text, latex):
        assert words(text) == latex

    @each(
        "text, latex",
        ("k1 < k2 and x_{k2-1}(x_i) vanishes", r"$k_{1} < k_{2}$ and $x_{k_{2} - 1}(x_{i})$ vanishes"),
        ("a and b are not both zero", "$a$ and $b$ are not both zero"),
        ("a = b = 0, a bound", "$a = b = 0$, a bound"),
        ("f is a polynomial in a", "$f$ is a polynomial in a"),
        ("I say the layer's unit is an x", "I say the layer's unit is an $x$"),
        ("e_+ and κ_l", r"$e_{+}$ and $\kappa_{l}$"),
        ("ζ(z) ≤ z^(3/2)", r"$\zeta(z) \le z^{3/2}$"),
        ("at least 4Δ/(3π), ω is 1-Lipschitz", r"at least $4\Delta/(3\pi)$, $\omega$ is 1-Lipschitz"),
        ("[-1, 1] to (1, ∞), Δ = 1/2", r"$[-1, 1]$ to $(1, \infty)$, $\Delta = 1/2$"),
        ("The (a, b)-ReLU", "The $(a, b)$-ReLU"),
        ("ρ ≥ ν̄ in F_ν̄ or ỹ", r"$\rho \ge \bar{\nu}$ in $F_{\bar{\nu}}$ or $\tilde{y}$"),
        ("M^⊤ and σ″ ≈ ℓ, j ≠ k", r"$M^{\top }$ and $\sigma'' \approx \ell$, $j \ne k$"),
        ("Definition 22 of ab_relu", r"Definition 22 of \texttt{ab\_relu}"),
    )
    def test_formulas_in_prose(self, text, latex):
        assert words(text) == latex


class TestClaims:
    def test_statement_after_its_hypotheses(self):
        first, display = claim_latex(derived()).splitlines()
        assert display == r"\[ s_1,\quad s_2,\quad s_3 \]"
        assert first.startswith(r"Assuming that 100\% of ")
        assert first.endswith(":")

    def test_statement_without_hypotheses(self):
        one = claim("t.a", at="a", title="t", states=eq(1, 1))
        assert claim_latex(one) == r"\[ 1 = 1 \]"

    def test_numbers_of_the_same_domain_stand_together_and_quantities_do_not_stand_there(self):
        table = Letters()
        a, b = (table.number(name, name, "a number", reals()) for name in "ab")
        rho = table.number("rho", r"\rho", "a cosine", open_interval(-1, 1))
        size = table.quantity("size", r"\|x\|", "a norm", half_line(0))
        wide = Hypothesis("wide", "$rho is small; and so on")
        one = claim("t.a", at="a", title="t", states=le(a * rho, b + size), assuming=wide, letters=table)
        assert hypotheses(one) == (
            r"For $a, b \in \mathbb{R}$ and $\rho \in (-1, 1)$, "
            r"assuming that $\rho$ is small; and so on:"
        )
        assert hypotheses(one, by_name=True).endswith(r", under \textsc{wide}:")
        narrow = {size: half_line(1)}
        other = claim("t.b", at="a", title="t", states=le(a * rho, b + size), given=narrow, letters=table)
        assert hypotheses(other).endswith(r"and $\|x\| \in [1, \infty)$:")

    def test_long_sentences_are_cut_between_their_pieces(self):
        part = "x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8 + x_9 = y"
        states = sentence(rf"{part},\quad \left({part}\quad z\right)")
        lines = claim_latex(claim("t.a", at="a", title="t", states=states)).splitlines()
        assert lines[0] == r"\begin{gather*}"
        assert lines[1:3] == [rf"{part}, \\", rf"\left({part}\quad z\right)"]
        assert lines[3] == r"\end{gather*}"

    def test_derivations_follow_counterexamples_do_not(self):
        latex = claim_latex(derived(), derivation=True)
        assert latex.count(r"\begin{align*}") == 1
        assert "a &= b" in latex
        assert "c &= d" not in latex

    def test_what_cannot_be_derived_says_so(self):
        latex = claim_latex(derived(), derivation=True)
        assert r"broken gives no derivation: ValueError: no 100\% luck" in latex
        assert "no\\_derivation" not in latex


def result(identifier, name):
    plain = {"answer": "accepted", "summary": "a < b & c", "tightness": None, "witness": "<x>"}
    return EvidenceResult(identifier, name, Outcome.from_json({**plain, "cases": 1, "numbers": {}}))


def test_the_document_says_how_far_it_is():
    known, written = assemble([demo]), []
    document(known, {}, advance=written.append)
    assert written == list(known.claims)


class TestDocument:
    @pytest.fixture
    def text(self):
        known = assemble([demo])
        one = derived()
        claims = {**known.claims, one.id: one}
        paper = Paper("t", "Special & title", "A")
        registry = Registry((*known.papers, paper), claims)
        results = {("demo.square", "decided"): result("demo.square", "decided")}
        judged = judge(registry, results)
        found = {one: Standing.of(judged[one], "", "quick", 0) for one in judged}
        return document(registry, found)

    def test_every_claim_is_there_once(self, text):
        for identifier in assemble([demo]).claims:
            assert text.count(rf"\texttt{{{identifier}}}") == 1
        assert r"\section{Special \& title}" in text
        assert r"A demonstration of 100\% of the engine" in text

    def test_verdicts_and_hypotheses_are_printed(self, text):
        assert r"\texttt{demo.square} --- \emph{holds, proved}" in text
        assert r"For $s \in [0, 1]$:" in text
        assert r"\[ s \left(1 - s\right) \leq \frac{1}{4} \]" in text

    def test_it_begins_with_what_its_words_mean_and_the_counts(self, text):
        before = text.partition(r"\section{")[0]
        assert all(rf"\item[{name}]" in before for name in [*GRADES, *SEVERITIES_SAID])
        assert "holds & proved & 1 " in before
        assert "How many claims" not in document(assemble([demo]), {})

    def test_parts_are_named_behind_their_formulas(self, text):
        shown = [r"s_1 \of{one}", r"s_2 \of{another}", r"s_3 \of{a third}"]
        assert " \\\\\n".join(shown) in text

    def test_derivations_follow_and_are_fitted_to_the_page(self, text):
        assert r"\derivation{ a &= b }" in text
        assert r"\begin{align*} a" not in text

    def test_it_nests(self, text):
        body = text[text.index(r"\begin{document}") :].replace(r"\%", "").replace("\n\n", "\n")
        assert flaw("".join(letter for letter in body if letter.isascii())) is None
        assert text.count(r"\[") == text.count(r"\]")
        assert text.startswith(r"\documentclass")
        assert text.rstrip().endswith(r"\end{document}")

    def test_it_has_only_letters_that_pdflatex_knows(self, text):
        assert all(ord(letter) < 0x180 for letter in text)


class TestLetters:
    def test_signs_with_several_meanings_are_explained_at_the_claims(self):
        letters = Letters()
        width_, mass = (letters.number(x, "m", f"a {x}", half_line(0)) for x in ("width", "mass"))
        zed, eta = (letters.number("z", "z", "last", reals()), letters.number("e", r"\eta", "?", reals()))
        one, other = (
            claim(f"t.{x}", at="a", title="t", states=le(x + zed, eta), letters=letters)
            for x in (width_, mass)
        )
        registry = Registry((Paper("t", "Title", "A"),), {"t.width": one, "t.mass": other})
        assert ambiguous(registry, "t") == {"m"}
        assert "Here $m$: a width." in here(one, {"m"})
        assert here(one, set()) == ""
        (listed,) = glossary(registry, "t", {"m"})
        assert "$m" not in listed
        assert listed.index(r"\eta") < listed.index("$z")


EVERY = list(registry.load().claims.values())


@each("one", *EVERY)
def test_statements_fit_letter_paper(one):
    """Margins are 25 mm; a tenth is for the error of the estimate."""
    room = 1.1 * (8.5 * 25.4 - 50) / 25.4 * 72.27
    assert all(width(row) <= room for row in rows(one))


class Balanced(HTMLParser):
    """Fails on tags that are not closed in order."""

    def __init__(self, markup):
        super().__init__()
        self.open, self.words = [], []
        self.feed(markup)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


class TestNotebook:
    def test_latex(self):
        assert derived()._repr_latex_() == r"$\displaystyle s_1,\quad s_2,\quad s_3$"

    def test_html_of_a_claim(self):
        one = derived()
        assert one._repr_html_() == claim_html(one)
        page = Balanced(claim_html(one))
        assert SPECIAL in page.words
        assert "math" in claim_html(one)

    def test_html_of_a_judgement(self):
        known = assemble([demo])
        results = {("demo.square", "decided"): result("demo.square", "decided")}
        judged = judge(known, results)["demo.square"]
        page = Balanced(judged._repr_html_())
        assert "holds (proved)" in page.words
        assert "a < b & c" in page.words
        assert "decided" in page.words

    @each("states", r"\nosuchcommand{x}", "x < y & z", r"\left. x \right|_a")
    def test_every_statement_is_shown(self, states):
        Balanced(claim_html(claim("t.a", at="a", title="t", states=sentence(states))))

    def test_a_statement_that_the_converter_cannot_read_is_shown_as_it_is(self, monkeypatch):
        def fail(*_, **__):
            raise ValueError("no")

        monkeypatch.setattr("latex2mathml.converter.convert_to_element", fail)
        page = Balanced(claim_html(claim("t.a", at="a", title="t", states=sentence("x < y_z"))))
        assert "x < y_z" in page.words


# Statements on a page: no row is wider than the page, and nothing is lost.


LETTERS = Letters()
X = [LETTERS.number(f"x{i}", f"x_{{{i}}}", "a number", reals()) for i in range(12)]
SUM = sympy.Add(*X)
ROOM = 120.0


def laid_out(states, room=ROOM):
    one = claim("t.a", at="a", title="t", states=states, letters=LETTERS)
    return rows(one, room)


def test_what_fits_is_one_row():
    assert laid_out(eq(X[0], X[1])) == ["x_{0} = x_{1}"]


def test_parts_have_rows_of_their_own():
    states = {"one": eq(X[0] + X[1], 2 * X[2]), "other": le(X[0] + X[1], 3 * X[2])}
    assert laid_out(states, 90) == ["x_{0} + x_{1} = 2 x_{2}", r"x_{0} + x_{1} \leq 3 x_{2}"]


@each("states", eq(X[0], SUM), le(SUM, X[0]), implies(le(X[0], SUM), eq(SUM, X[1])))
def test_long_relations_are_split(states):
    (row,) = laid_out(states)
    assert width(row) <= 1.1 * ROOM
    for one in X:
        assert f"x_{{{X.index(one)}}}" in row


def test_a_chain_has_a_row_for_each_relation():
    found = laid_out([eq(X[0], SUM), le(SUM, X[1])])
    assert len(found) == 2
    assert all(width(row) <= 1.1 * ROOM for row in found)


def test_the_display_names_letters_as_the_paper_does():
    beta = LETTERS.number("b", r"\beta", "a number", reals())
    one = claim("t.a", at="a", title="t", states=eq(beta, SUM), letters=LETTERS)
    assert r"\beta" in display(one, ROOM)
    assert Symbol("b", real=True) == beta
