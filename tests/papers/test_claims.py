"""A sample of the claims of the registry, examined here; all of them in the longest profile."""

import os
import random

import pytest
import sympy
from latex2mathml.converter import convert
from surroundings import whole_catalogue

from theorems.engine.claims import registry as registries
from theorems.engine.claims.kinds import Answer, Grade, Role
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.examine import examine
from theorems.engine.judging.judge import failures, loose
from theorems.engine.rules import asking
from theorems.engine.running.inferences import inferences_of
from theorems.engine.running.runner import circumstances_of
from theorems.engine.statements.relations import eq
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.variants import with_changes, with_part
from theorems.interface.prose import words as in_latex

KNOWN = registries.load()
CIRCUMSTANCES = circumstances_of(whole_catalogue())
EXHAUSTIVE = os.environ.get("HYPOTHESIS_PROFILE") == "exhaustive"
CLAIMS = [pytest.param(one, id=one.id) for one in KNOWN.claims.values()]


def some(found, count):
    """All in the longest profile, else a sample, the same in every process."""
    return found if EXHAUSTIVE else random.Random(20261122).sample(found, min(count, len(found)))


def dear_ones(result):
    """The questions of a result that none of the attempts within a fifth of the bound decided."""
    keys = [one.question for one in inferences_of(result)]
    depends = {key: asking.label(key, asking.EFFORT) for key in keys}
    answers = {key: asking._KEEPER[0].known(label) for key, label in depends.items()}
    assert None not in answers.values(), "a question by which something was proved has no answer"
    within = [share for _, share in asking.ATTEMPTS].index(1)
    return [key for key, one in answers.items() if len(one.operations) > within]


@pytest.mark.parametrize("claim", some(CLAIMS, 48))
def test_evidence(claim):
    results = {
        item.name: result_of(claim, item, CIRCUMSTANCES)
        for item in claim.evidence
        if CIRCUMSTANCES.profile.includes(item.profile)
    }
    found = list(failures(results.values()))
    if not (claim.declared_false or claim.declared_open):
        found += loose(claim, results, KNOWN)
    if found:
        pytest.fail("\n  ".join([claim.title, *found]), pytrace=False)
    dear = [f"{name}: question {key}" for name, one in results.items() for key in dear_ones(one)]
    assert dear == [], "these take more than a fifth of the bound"


@pytest.mark.parametrize("paper", [one.prefix for one in KNOWN.papers])
def test_statements_can_be_read(paper):
    """In a notebook, and with their words in a LaTeX document."""
    claims = [one for one in KNOWN.claims.values() if one.paper == paper]
    assert [one.id for one in claims if "merror" in convert(one.displayed, display="block")] == []
    texts = [words for one in claims for words in (one.title, one.at)]
    assert [one for one in texts if in_latex(one).count("[") > one.count("[")] == []


def test_there_are_papers_and_each_has_claims():
    assert KNOWN.papers
    assert not KNOWN.broken
    for paper in KNOWN.papers:
        assert any(claim.paper == paper.prefix for claim in KNOWN.claims.values())


def decisive(claim):
    """The parts of a claim with the evidence that gives each its grade, if it is quick to run."""
    for part in claim.parts:
        items = [e for e in claim.evidence if e.part == part and e.role is Role.SUPPORTS]
        best = max((item.grade for item in items), default=Grade.CITED)
        if best >= Grade.ARGUED:
            yield part, [item for item in items if item.grade is best]


def holding():
    """Claims that hold by exact evidence: all of them, or a sample for everyday use."""
    found = [
        pytest.param(one, part, items, id=f"{one.id}, {part}")
        for one in KNOWN.claims.values()
        if not (one.declared_false or one.declared_open)
        for part, items in decisive(one)
    ]
    return some(found, 40)


def accepted(claim, items):
    return all(examine(claim, item, CIRCUMSTANCES).answer is Answer.ACCEPTED for item in items)


@pytest.mark.parametrize(("claim", "part", "items"), holding())
def test_no_evidence_accepts_another_statement(claim, part, items):
    """Neither 0 = 1 nor a statement about nothing nor one that lacks a hypothesis is accepted."""
    absurd = with_part(claim, part, Formula(eq(0, 1)))
    assert not accepted(absurd, items)
    if claim.domains:
        nothing = dict.fromkeys(claim.domains, sympy.S.EmptySet)
        assert not accepted(with_changes(claim, given={**claim.given, **nothing}), items)
    used = {hypothesis for item in items for hypothesis in item.uses}
    for one in used:
        others = tuple(other for other in claim.assuming if other is not one)
        assert not accepted(with_changes(claim, assuming=others), items)
