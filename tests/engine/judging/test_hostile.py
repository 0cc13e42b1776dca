"""A careless paper's claims: none is proved or certified, none argued without its bridge shown."""

import importlib
import pkgutil
import re

import hostile
import pytest
from checked import trial

from theorems.engine.claims.kinds import Grade, Verdict
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.judge import judge

KINDS = [importlib.import_module(f"hostile.{one.name}") for one in pkgutil.iter_modules(hostile.__path__)]
MISTAKES = [one for kind in KINDS for one in kind.HERE]


@pytest.mark.parametrize("mistake", MISTAKES, ids=[one.name for one in MISTAKES])
def test_a_mistake_is_refused_for_what_it_is(mistake):
    try:
        said = told(*judged(mistake.make()), mistake)
    except (ValueError, TypeError) as found:  # not even a claim
        said = str(found)
    assert re.search(mistake.refused, said), said


def told(judgement, result, mistake):
    """What became of a claim, in words; if it was accepted, with what is trusted."""
    said = f"{judgement.label}: {result.outcome.summary} {judgement.reasons}"
    assert not (mistake.true and judgement.verdict is Verdict.FALSE), said
    if judgement.verdict is Verdict.HOLDS:
        assert judgement.grade not in {Grade.PROVED, Grade.CERTIFIED}, said
    leaves = result.outcome.numbers.get("trusts", ())
    return said + "".join(f" {leaf}" for leaf in leaves)


def judged(made):
    """The judgement of the first of some claims, and the result of the evidence of its mistake."""
    run, known = trial(*made), Registry((), {one.id: one for one in made})
    results = {(one.id, e.name): result_of(one, e, run) for one in made for e in one.evidence}
    first = made[0]
    return judge(known, results)[first.id], results[first.id, first.evidence[0].name]


def test_there_are_many_and_no_two_are_called_alike():
    names = [one.name for one in MISTAKES]
    assert len(set(names)) == len(names) >= 300
