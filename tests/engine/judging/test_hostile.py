"""A careless paper's claims: none is proved or certified, none argued without its bridge shown."""

import importlib
import pkgutil
import re

import hostile
import pytest
from checked import trial

from theorems.engine.claims.kinds import Answer, Grade, Verdict
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.examination import result_of
from theorems.engine.judging.judge import judge

KINDS = [
    importlib.import_module(f"hostile.{one.name}") for one in pkgutil.iter_modules(hostile.__path__)
]
MISTAKES = [one for kind in KINDS for one in kind.HERE]


@pytest.mark.parametrize("mistake", MISTAKES, ids=[one.name for one in MISTAKES])
def test_a_mistake_is_refused_for_what_it_is(mistake):
    try:
        one, refusal = mistake.make(), ""
    except (ValueError, TypeError) as found:  # not even a claim
        one, refusal = None, str(found)
    if one is None:
        assert re.search(mistake.refused, refusal), refusal
        return
    known = Registry((), {one.id: one})
    results = {(one.id, item.name): result_of(one, item, trial(one)) for item in one.evidence}
    judgement = judge(known, results)[one.id]
    (result,) = results.values()
    said = f"{judgement.label}: {result.outcome.summary}"
    assert not (mistake.true and judgement.verdict is Verdict.FALSE), said
    if result.outcome.answer is Answer.ACCEPTED:
        assert judgement.grade not in {Grade.PROVED, Grade.CERTIFIED}, said
        said += "".join(f" {leaf}" for leaf in result.outcome.numbers.get("trusts", ()))
    assert re.search(mistake.refused, said), said


def test_there_are_many_and_no_two_are_called_alike():
    names = [one.name for one in MISTAKES]
    assert len(set(names)) == len(names) >= 3
