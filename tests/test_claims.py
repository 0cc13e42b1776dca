"""Every claim of the registry is one test: ``pytest -k eoc.prop17`` examines that claim."""

import pytest
from latex2mathml.converter import convert

from theorems.engine import registry as registries
from theorems.engine.claim import Profile
from theorems.engine.examine import Trial, examine, examine_controls
from theorems.engine.judge import EvidenceResult, failures
from theorems.engine.runner import error_level
from theorems.interface.prose import words as in_latex

KNOWN = registries.load()
TRIAL = Trial(Profile.QUICK, seed=0, level=error_level(KNOWN))
CLAIMS = [pytest.param(one, id=one.id) for one in KNOWN.claims.values()]


def results(claim):
    """What the claim's evidence and its controls answer."""
    for item in claim.evidence:
        if TRIAL.profile.includes(item.profile):
            controls = examine_controls(claim, item, TRIAL)
            answers = {name: outcome.as_json() for name, outcome in controls.items()}
            outcome = examine(claim, item, TRIAL)
            yield EvidenceResult(claim.id, item.name, outcome.as_json(), answers)


@pytest.mark.parametrize("claim", CLAIMS)
def test_evidence(claim):
    found = list(failures(results(claim)))
    if found:
        pytest.fail("\n  ".join([f"{claim.id}: {claim.title}", *found]), pytrace=False)


@pytest.mark.parametrize("claim", CLAIMS)
def test_statement_can_be_read(claim):
    """In a notebook, and with its words in a LaTeX document."""
    assert "merror" not in convert(claim.states, display="block")
    for words in (claim.title, claim.at, *claim.assuming):
        spelled_out = in_latex(words).count("[") - words.count("[")
        assert not spelled_out, f"the LaTeX export has no command for a symbol in {words!r}"


def test_there_are_papers_and_each_has_claims():
    assert KNOWN.papers
    for paper in KNOWN.papers:
        assert any(claim.paper == paper.prefix for claim in KNOWN.claims.values())
