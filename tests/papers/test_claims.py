"""Claims of the registry: what ``theorems check`` left with this code, and a sample of the rest.

In the longest profile every claim is examined anew.
"""

import os
import random

import pytest
import sympy
from latex2mathml.converter import convert

from theorems.engine.claims import registry as registries
from theorems.engine.claims.kinds import Answer, Grade, Role
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.examine import examine
from theorems.engine.judging.judge import failures, loose
from theorems.engine.running.catalogue import catalogue
from theorems.engine.running.runner import Run, circumstances_of, stored
from theorems.engine.running.standing import results_file
from theorems.engine.running.store import Store
from theorems.engine.statements.relations import eq
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.variants import with_changes, with_part
from theorems.interface.prose import words as in_latex

KNOWN, LISTED = registries.load(), catalogue()
CIRCUMSTANCES = circumstances_of(LISTED)
EXHAUSTIVE = os.environ.get("HYPOTHESIS_PROFILE") == "exhaustive"
STORE = Store(results_file().path.absolute())  # other tests have stores of their own
LABELS = Run(tuple(KNOWN.claims)).labels(LISTED)
KEPT = {} if EXHAUSTIVE else stored(LABELS)
CLAIMS = [pytest.param(one, id=one.id) for one in KNOWN.claims.values()]


def some(found, count):
    """All in the longest profile, else a sample, the same in every process."""
    return found if EXHAUSTIVE else random.Random(20261122).sample(found, min(count, len(found)))


def problems(claim, results):
    found = list(failures(results.values()))
    if not (claim.declared_false or claim.declared_open):
        found += loose(claim, results, KNOWN)
    return [f"{claim.id}: {one}" for one in found]


def kept(claim):
    """The results of a claim's evidence by name, if a run with the same code left them all."""
    tasks = [(claim.id, one.name) for one in claim.evidence if (claim.id, one.name) in LABELS]
    return {one[1]: KEPT[one] for one in tasks} if all(one in KEPT for one in tasks) else None


def test_what_was_examined_with_this_code_came_out_as_declared():
    results = [(claim, kept(claim)) for claim in KNOWN.claims.values()]
    assert [
        x for claim, found in results if found is not None for x in problems(claim, found)
    ] == []


@pytest.mark.parametrize("claim", some([one for one in CLAIMS if kept(one.values[0]) is None], 80))
def test_evidence(claim):
    """What was not examined yet is, and is kept for whoever asks next."""
    results = {}
    for item in claim.evidence:
        if CIRCUMSTANCES.profile.includes(item.profile):
            results[item.name] = result_of(claim, item, CIRCUMSTANCES)
            if results[item.name].is_decided:
                STORE.append(LABELS[claim.id, item.name], results[item.name].as_json())
    if found := problems(claim, results):
        pytest.fail("\n  ".join([claim.title, *found]), pytrace=False)


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
