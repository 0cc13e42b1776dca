"""Letters carry the assumptions of their domains, and claims bind exactly those that they use."""

import pytest
import sympy
from checked import LETTERS, claim, far, stated, x, y
from trying import each

from theorems.engine import (
    ClaimError,
    Hypothesis,
    Kind,
    Letters,
    claims_in,
    half_line,
    integers,
    interval,
    le,
    lt,
    open_interval,
    reals,
    sentence,
)
from theorems.engine.claims.registry import Registry
from theorems.interface.assumptions import glossary


def test_assumptions_are_those_of_the_domain():
    cases = [
        (interval(0, 1), {"is_nonnegative": True, "is_positive": None, "is_real": True}),
        (open_interval(0, 1), {"is_positive": True}),
        (half_line(0, closed=False), {"is_positive": True}),
        (interval(-1, 1), {"is_nonnegative": None, "is_real": True}),
        (open_interval(-2, 0), {"is_negative": True}),
        (integers(0), {"is_integer": True, "is_nonnegative": True, "is_positive": None}),
        (integers(1, 5), {"is_integer": True, "is_positive": True}),
        (reals(), {"is_real": True, "is_nonnegative": None}),
    ]
    for domain, known in cases:
        symbol = Letters().number("s", "s", "a letter", domain)
        assert {name: getattr(symbol, name) for name in known} == known


@each(
    "assumption, domain",
    ("positive", interval(0, 1)),
    ("integer", interval(1, 2)),
    ("nonnegative", reals()),
    ("negative", interval(-1, 0)),
    ("nonzero", interval(-1, 1)),
)
def test_a_symbol_must_not_assume_more_than_its_domain(assumption, domain):
    with pytest.raises(ClaimError, match="ranges over"):
        Letters().number(sympy.Symbol("s", **{assumption: True}), "s", "a letter", domain)


def test_a_symbol_may_assume_what_its_domain_implies():
    cases = [
        ("positive", open_interval(0, 1)),
        ("integer", integers(-1)),
        ("nonnegative", half_line(0)),
        ("negative", interval(-2, -1)),
        ("nonpositive", interval(-1, 0)),
        ("nonzero", interval(1, 2)),
        ("zero", sympy.FiniteSet(0)),
    ]
    for assumption, domain in cases:
        symbol = sympy.Symbol("s", **{assumption: True})
        assert Letters().number(symbol, "s", "a letter", domain) is symbol


def test_a_letter_is_declared_once_and_says_what_it_means():
    table = Letters()
    table.number("s", "s", "a letter", reals())
    with pytest.raises(ClaimError, match="two letters"):
        table.number("s", "s", "another", interval(0, 1))
    with pytest.raises(ClaimError, match="meaning"):
        table.number("u", "u", " ", reals())
    with pytest.raises(ClaimError, match="exactly numbers"):
        table.number("v", "v", "no domain", None)


def test_a_claim_binds_what_it_uses_and_uses_what_it_binds():
    assert list(stated(le(y, x)).given) == [x, y]
    with pytest.raises(ClaimError, match="y given but not used"):
        stated(le(x, 1), given=[y])
    with pytest.raises(ClaimError, match="no letter of the paper"):
        stated(le(x, sympy.Symbol("stranger")))


def test_letters_of_sentences_and_hypotheses_count():
    ordered = Hypothesis("ordered", "$x is below $y", formula=lt(x, y))
    one = stated(sentence(r"\mathbb{P}($x) \le $c", c=1), assuming=[ordered])
    assert set(one.domains) == {x, y}
    with pytest.raises(ClaimError, match="neither letters nor slots"):
        stated(sentence(r"$unknown \le $c", c=1))


def test_a_claim_narrows_domains_and_never_widens_them():
    assert stated(given={x: open_interval(0, 1)}).domains[x] == sympy.Interval.open(0, 1)
    with pytest.raises(ClaimError, match="ranges over"):
        stated(given={x: interval(0, 2)})
    vector = LETTERS.thing("v", "v", "a vector", Kind.VECTOR)
    with pytest.raises(ClaimError, match="is no number"):
        stated(sentence(r"\|$v\| \le $c", c=1), given={vector: interval(0, 1)})


def test_functions_print_by_name_and_unfold():
    table = Letters()
    s = table.number("s", "s", "a number", reals())
    square = table.function("square", r"\operatorname{sq}", "the square", closed_form=lambda t: t**2)
    one = claims_in(table)("t.f", at="a", title="t", states=le(0, square(s)))
    assert one.displayed == r"0 \leq \operatorname{sq}{\left(s\right)}"
    assert square(s).unfolded() == s**2
    with pytest.raises(ValueError, match="no closed form"):
        table.function("other", "g", "unknown")(s).unfolded()
    with pytest.raises(ClaimError, match="two functions"):
        table.function("square", "h", "again")


def test_hypotheses_are_about_letters():
    with pytest.raises(ClaimError, match="no letters"):
        claim(
            "t.h", at="a", title="t", states=le(far, 1), assuming=[Hypothesis("strange", "$nobody is small")]
        )


class TestHypothesesInSymbols:
    @each(
        "record, shown",
        ({"formula": le(x, y)}, r"x \leq y"),
        ({"latex": r"$far \to \infty"}, r"{z} \to \infty"),
        ({}, ""),
    )
    def test_a_formula_or_what_displays_it(self, record, shown):
        assert Hypothesis("small", "$x is small", **record).displayed(LETTERS) == shown

    def test_the_document_lists_them_with_their_formulas(self):
        small = Hypothesis("small", "$x is small", formula=le(x, sympy.Rational(1, 2)))
        known = Registry((), {"t.one": stated(assuming=[small])})
        listed = "\n".join(glossary(known, "t", set()))
        assert r"\textsc{small}: $x$ is small: $x \leq \frac{1}{2}$." in listed
