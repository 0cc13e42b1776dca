"""What is undecided is not done, and verdicts are written as soon as they are known."""

from dataclasses import replace

import pytest
from house import furnish, patient
from trying import each

from theorems.engine import Answer
from theorems.engine.errors import OUT_OF_TIME
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.results import Near
from theorems.engine.running import runner
from theorems.engine.running.catalogue import catalogue
from theorems.engine.running.runner import Run, stored
from theorems.engine.running.standing import results_file, standings, verdicts_file

FEW = ("demo.square", "demo.cited", "demo.mean")
HALF = ("demo.half", "product_over_bound")
UNSURE = Outcome(Answer.UNDECIDED, "nobody knows")
TIMED_OUT = Near("constant", "more", "x < 1", Answer.UNDECIDED, f"{OUT_OF_TIME}: 9 s")
#: What is to be asked again: a check, a control, or a near variant that was held back.
OPEN = [{"outcome": UNSURE}, {"controls": {"off": UNSURE}}, {"near": {"1/4": TIMED_OUT}}]


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """The demonstration as the only paper of this process; where its state is kept."""
    return furnish(monkeypatch, tmp_path)


class Asked(list):
    """The ids that were asked for, and what is said of one in their place."""

    answers = ()

    def forget(self, *answers):
        self.clear()
        self.answers = list(answers)


@pytest.fixture
def asked(monkeypatch):
    """The checks in the order in which they are asked; one of them answers as it is told."""
    found, examine = Asked(), runner._examined

    def examined(identifier, name, *rest):
        found.append(identifier)
        result = examine(identifier, name, *rest)
        told = found.answers.pop(0) if identifier == HALF[0] and found.answers else {}
        return replace(result, **told)

    monkeypatch.setattr(runner, "_examined", examined)
    return found


def test_it_is_asked_once_more_at_the_end_and_then_told(alone, asked, capfd):
    for number, told in enumerate(OPEN):
        asked.forget(told, told)
        capfd.readouterr()
        verdicts_file().path.unlink(missing_ok=True)  # a slow run writes them before it is judged
        run = Run(FEW, seed=number)
        results = run.execute()
        assert asked == ["demo.square", "demo.half", "demo.mean", "demo.cited", "demo.half"]
        assert not results[HALF].is_decided
        assert patient(capfd.readouterr().err) == (
            "theorems: 1 piece of evidence is undecided, or without an answer: once more, alone\n"
        )
        judged = run.judged(results)
        assert set(judged) == {"demo.square", "demo.half", "demo.cited", "demo.mean"}
        assert set(standings(catalogue())) == {"demo.square", "demo.mean"}
        kept = [label[:2] for label in results_file().read() if label[3] == str(number)]
        assert (len(kept), HALF in kept) == (3, False)
        asked.forget(told)
        assert Run(FEW, seed=number).execute()[HALF].is_decided
        assert asked == ["demo.half", "demo.half"]


@each("told", *OPEN)
def test_what_the_second_try_decides_is_as_any_other(alone, asked, told):
    results_file().path.unlink(missing_ok=True)
    asked.forget(told)
    run = Run(FEW)
    results = run.execute()
    assert results[HALF].answer is Answer.ACCEPTED
    assert list(results) == list(run.labels(catalogue()))
    run.judged(results)
    assert set(standings(catalogue())) == {"demo.square", "demo.half", "demo.cited", "demo.mean"}
    asked.forget()
    Run(FEW).execute()
    assert asked == []


def test_an_undecided_answer_that_was_kept_all_the_same_is_not_taken(alone, asked):
    asked.forget()
    run, known = Run(FEW), catalogue()
    results = run.execute()
    label = run.labels(known)[HALF]
    results_file().append(label, replace(results[HALF], outcome=UNSURE).as_json())
    assert HALF not in stored(run.labels(known))
    asked.forget()
    run.execute()
    assert asked == ["demo.half"]


class Killed(BaseException):
    """Stands for the end of the process."""


def test_a_run_cut_short_leaves_the_verdicts_that_were_due(alone, monkeypatch):
    monkeypatch.setattr(runner, "_PAUSE", -1.0)

    def listener(one, kept):
        if one.claim_id == "demo.cited":
            raise Killed

    with pytest.raises(Killed):
        Run(FEW).execute(listener)
    assert {"demo.square", "demo.half", "demo.mean"} <= set(standings(catalogue()))


def test_a_verdict_waits_for_all_that_it_rests_on(alone, asked, monkeypatch):
    monkeypatch.setattr(runner, "_PAUSE", -1.0)
    asked.forget(OPEN[0], OPEN[0])
    seen = []
    Run(FEW).execute(lambda *_: seen.append(sorted(standings(catalogue()))))
    first, both = ["demo.square"], ["demo.mean", "demo.square"]
    assert seen == [first, both, both, both]
