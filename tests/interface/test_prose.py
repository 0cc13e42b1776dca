"""No prose has a sign or a letter of mathematics that is not set as mathematics."""

import re

from trying import each

from theorems.engine.claims.kinds import Grade
from theorems.engine.running.catalogue import catalogue
from theorems.interface.prose import escaped, pieces, words

_LEFT = re.compile(r"[_^=<>≤≥²³₁₂√‖∑∫·×±∈→∞|⟨⟩*∘−⊥⊠𝓘]|[α-ωΑ-Ωϕϱϑ]|(?<![\w'’.-])[b-zB-HJ-Z](?![\w'’.-])")
_SPELT = re.compile(
    r"\b(?:alpha|beta|epsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|psi|omega|delta"
    r"(?! method)|Delta|Sigma|Omega)\b"
)
_PLACE = re.compile(r"\$\{?\w+\}?")
_NUMBER = re.compile(r"(?:Appendix|Section|Lemma|Proposition|Part) [A-Z]\b")


def said(claim):
    """All prose of a claim, with what it is."""
    yield from (("title", claim.title), ("place", claim.at))
    yield from (("meaning", one.meaning) for one in (*claim.given, *claim.functions))
    yield from (("hypothesis", one.says) for one in claim.assumed)
    yield from (("remark", one) for one in claim.remarks)
    for one in claim.evidence:
        yield from (("says", one.says),) if str(one.grade) != str(Grade.CITED) else ()
        yield from (("bridge", one.bridge),) if one.bridge else ()


def left(text):
    """What is not set as mathematics though it looks like it."""
    found = pieces(_PLACE.sub("Q", text))
    plain = " ¦ ".join(one for kind, one in found if kind == "text")
    return _LEFT.findall(_NUMBER.sub("", plain))


def test_all_mathematics_in_prose_is_set_as_mathematics():
    texts = {(kind, text) for one in catalogue().claims.values() for kind, text in said(one)}
    assert len(texts) > 4000
    assert {(kind, text): found for kind, text in texts if (found := left(text))} == {}


def test_greek_letters_are_not_spelt_out():
    texts = {text for one in catalogue().claims.values() for _, text in said(one)}
    assert {text: found for text in texts if (found := _SPELT.findall(_PLACE.sub("Q", text)))} == {}


@each("text", "of deviation sigma", "the size of Delta")
def test_a_letter_that_is_spelt_out_is_noticed(text):
    assert _SPELT.search(text)


@each("text", "the norm ‖ of", "GJG* is", "order w^", "with = and")
def test_what_is_left_is_noticed(text):
    assert left(text)


@each(
    "text, latex",
    ("At ρ = -1 the mean", r"At $\rho = -1$ the mean"),
    ("a law, ≤ 1/4.", r"a law, $\le 1/4$."),
    ("Appendix B: Proofs", "Appendix B: Proofs"),
    ("Lemma D.5, proof", "Lemma D.5, proof"),
    ("the matrix B is", "the matrix $B$ is"),
    ("the matrix A is", "the matrix $A$ is"),
    ("for two numbers A and B", "for two numbers $A$ and $B$"),
    ("A matrix. A sum of Appendix A", "A matrix. A sum of Appendix A"),
    ("y ↦ y ⊠ z", r"$y\mapsto y\boxtimes z$"),
)
def test_where_formulas_are(text, latex):
    assert words(text).replace(" ", "") == latex.replace(" ", "")


def test_brackets_alone_are_text():
    assert escaped("(7) [8] + 1/2 = a*!") == "(7) [8] + 1/2 = a*!"
    assert escaped("≤ ⟨ <") == r"$\le$ $\langle$ $<$"
