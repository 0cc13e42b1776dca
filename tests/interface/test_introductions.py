"""Each letter of a derivation is introduced before it is used."""

import os

from trying import each

from symbolic.latex_printer import latex
from theorems.engine.claims import registry
from theorems.engine.statements.statement import written
from theorems.interface import export

KNOWN = registry.load()
SOME = (
    "attn.b1.clip",
    "eoc.init",
    "eoc.varrho.closed_form",
    "eoc.prop17.integral_w1",
    "eoc.prop17.sharp.attained",
    "inf.thm3.relu",
    "inf.thm18.relu",
    "st.fact1",
)
EVERY = os.environ.get("HYPOTHESIS_PROFILE") == "exhaustive"


def derived(claim):
    """The derivations of a claim with their LaTeX."""
    found = [pair for item in export._proofs(claim) for pair in export._derived_anew(claim, item)]
    return [(one, text) for one, text in found if one is not None]


@each("identifier", *(KNOWN.claims if EVERY else SOME))
def test_every_letter_is_introduced_before_its_first_use(identifier):
    claim = KNOWN[identifier]
    found, names = derived(claim), written(claim.letters)
    if not EVERY:
        assert found
    text = export.claim_latex(claim, derivation=True)
    for one, chain in found:
        before = text[: text.index(chain)]
        for symbol in getattr(one, "symbols", ()):
            name = latex(symbol, names)
            letter = claim.letters.get(symbol)
            said = letter is not None and any(
                opening in before for opening in (f"${name} \\in ", f"${name}$: ")
            )
            assert said or f"${name} = " in before, (identifier, name)


def test_abbreviations_are_said_before_the_chain_that_uses_them():
    text = export.claim_latex(KNOWN["eoc.varrho.closed_form"], derivation=True)
    assert text.index(r"$\rho = \cos t$") < text.index(r"\begin{align*}")
    assert text.startswith("Letters: ")
    assert r"$a \in \mathbb{R}$: " in text[: text.index(r"\begin{align*}")]
    assert "$a = a$" not in export.claim_latex(KNOWN["inf.thm3.relu"], derivation=True)
