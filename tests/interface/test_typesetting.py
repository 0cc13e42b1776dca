"""What pdflatex says of the document and of single claims: no error, no line that is too wide."""

import os
import re

import pytest
from trying import each

from theorems.engine.claims import registry
from theorems.engine.claims.registry import Registry
from theorems.engine.running.catalogue import catalogue
from theorems.interface.constants import constants_latex, sharpenings
from theorems.interface.export import PACKAGES, claim_latex, document
from theorems.interface.findings import findings, findings_latex
from theorems.interface.typesetting import TypesettingError, typeset

EXHAUSTIVE = os.environ.get("HYPOTHESIS_PROFILE") == "exhaustive"
COMPLAINTS = re.compile(r"^.*(?:Overfull|Warning:|Missing character|undefined).*$", re.MULTILINE)
KNOWN = registry.load()
#: Of each kind: long sentences and formulas, brackets and fractions that are cut, derivations
#: with letters of their own, ids and titles that are long, hypotheses that are displayed.
REPRESENTATIVE = (
    "attn.thm31",
    "attn.propD1.new_vector",
    "attn.propD1.relations",
    "attn.d12.eq6",
    "attn.appE.form",
    "classical.maximal",
    "eoc.init",
    "eoc.varrho.closed_form",
    "eoc.prop24",
    "eoc.prop26",
    "eoc.prop26.eq10",
    "eoc.prop27.eq13",
    "eoc.thm28.uniform.corrected",
    "eoc.thm28.explicit",
    "eoc.fig1",
    "inf.lem12.growth",
    "inf.thm18",
    "inf.thm18.relu.sequences",
    "inf.eq23",
    "inf.lem24",
    "st.thm1.sharp",
    "st.exp.linearisation.independent.corrected",
    "st.fact1",
    "inf.thm3.relu",
)


def selection(ids):
    return Registry(KNOWN.papers, {one: KNOWN[one] for one in ids})


def complaints(text):
    """What pdflatex complains of; longtable's advice to run again is none."""
    return [one for one in COMPLAINTS.findall(typeset(text)[1]) if "Rerun" not in one]


def paper(body, packages=PACKAGES):
    return f"\\documentclass{{article}}\n{packages}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def test_the_document_has_no_error_and_no_line_that_is_too_wide():
    """A selection of the claims; all of them, which takes minutes, with the exhaustive profile."""
    known = KNOWN if EXHAUSTIVE else selection(REPRESENTATIVE)
    assert complaints(document(known, {})) == []


def test_what_is_too_wide_is_noticed():
    wide = r"\[ " + " ".join(["x +"] * 90) + r" y \]"
    assert any("Overfull" in one for one in complaints(paper(wide)))
    with pytest.raises(TypesettingError, match="Undefined control sequence"):
        typeset(paper(r"\nosuchcommand"))


def test_every_statement_compiles_with_the_packages_that_are_named():
    typeset(paper("\n\n".join(map(claim_latex, KNOWN.claims.values()))))


@each("identifier", "eoc.varrho.closed_form", "eoc.prop17.integral_w1")
def test_derivations_compile_with_the_packages_that_are_named(identifier):
    typeset(paper(claim_latex(KNOWN[identifier], derivation=True)))


@each("kind", "findings", "constants")
def test_tables_compile_with_the_packages_that_they_name(kind):
    tables = {
        "findings": lambda: findings_latex(findings(catalogue())),
        "constants": lambda: constants_latex(sharpenings(KNOWN)),
    }
    table = tables[kind]()
    needed = table.partition("\n")[0].removeprefix("% needs ")
    margins = r"\usepackage[margin=25mm]{geometry}"
    assert complaints(paper(table, margins + needed)) == []
