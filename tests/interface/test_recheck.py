"""``theorems recheck`` and ``theorems questions``: inferences and what the provers say of them."""

import json
import re

import pytest

from theorems.engine.rules.answers import answers_file
from theorems.engine.running.second_prover import Confirmation, confirmations_file
from theorems.interface.commands import rechecking

IDS = ("demo.square", "demo.patient.consequence")
YES = Confirmation("unsat", (5,), 9)


@pytest.fixture
def checked(theorems, monkeypatch, tmp_path):
    """The command line after a run of two claims with an inference each, which shares no answer."""
    monkeypatch.setenv("THEOREMS_ANSWERS", str(tmp_path / "state"))
    theorems("check", *IDS, "--jobs", 1)
    return theorems


@pytest.fixture
def heard(monkeypatch):
    """The texts that the second prover is asked; it answers as it is told."""
    found = []

    def answer(text):
        found.append(text)
        said = answer.says(text) if callable(answer.says) else answer.says
        if isinstance(said, BaseException):
            raise said
        return said

    answer.says = YES
    monkeypatch.setattr(rechecking, "ask", answer)
    answer.texts = found
    return answer


def recheck(theorems, *arguments):
    return theorems("recheck", *arguments, "--jobs", 1)


def test_confirmed_by_cvc5_and_shown(checked, tmp_path):
    code, written, _ = recheck(checked, *IDS, "--json", "answers.json")
    assert code == 0
    assert written.splitlines()[1].split() == ["demo", "2", "2", "2", "0"]
    assert "not confirmed" not in written
    report = json.loads((tmp_path / "answers.json").read_text())
    assert report["summary"]["demo"]["confirmed"] == 2
    assert [one["claim_id"] for one in report["inferences"]] == list(IDS)
    assert {one["answer"]["said"] for one in report["inferences"]} == {"unsat"}
    told = "1 of 1 inference confirmed by a second prover"
    assert told in checked("show", IDS[0])[1]
    assert told in checked("trusts", IDS[0])[1]
    shown = json.loads(checked("show", IDS[0], "--json")[1])
    second = shown["results"][0]["outcome"]["numbers"]["second prover"]
    assert second == {"of": 1, "asked": 1, "confirmed": 1}
    checked("check", IDS[0], "--json", "report.json")
    (claim,) = json.loads((tmp_path / "report.json").read_text())["claims"]
    assert claim["evidence"][0]["numbers"]["second prover"] == second


def test_a_file_that_cannot_be_written_is_refused_before_anybody_is_asked(checked, heard):
    code, _, complaint = recheck(checked, *IDS, "--json", "nowhere/answers.json")
    assert (code, heard.texts) == (2, [])
    assert "--json: there is no folder" in complaint


def test_proofs_with_a_step_that_is_trusted_are_counted_apart():
    said = [Confirmation("unsat", (1,), steps=5, trusted=few) for few in (0, 1, 2)]
    found = rechecking._counted([*said, Confirmation("unsat", (1,)), None])
    assert (found["inferences"], found["confirmed"]) == (5, 4)
    assert (found["with a whole proof"], found["proof trusts steps"]) == (1, 2)


def test_nothing_is_told_where_nobody_was_asked(checked):
    assert "second prover" not in checked("show", IDS[0])[1] + checked("trusts")[1]


def test_what_is_not_confirmed_is_named(checked, heard):
    heard.says = Confirmation("unknown", (5, 6), why="lost its way")
    code, written, _ = recheck(checked, *IDS)
    assert code == 0
    assert f"  {IDS[0]}, decided: question " in written
    assert ": lost its way" in written
    assert "0 of 1 inference confirmed by a second prover (not " in checked("show", IDS[0])[1]


class TestKept:
    def test_what_was_asked_is_not_asked_again(self, checked, heard):
        recheck(checked, *IDS)
        assert len(heard.texts) == 2
        recheck(checked, *IDS)
        assert len(heard.texts) == 2

    def test_a_sample_is(self, checked, heard):
        recheck(checked, *IDS)
        assert recheck(checked, *IDS, "--sample", 1)[0] == 0
        assert len(heard.texts) == 4

    def test_a_line_that_was_changed_is_asked_again(self, checked, heard):
        recheck(checked, *IDS)
        file = confirmations_file().path
        file.write_bytes(file.read_bytes().replace(b'"steps": 9', b'"steps": 8', 1))
        recheck(checked, *IDS)
        assert len(heard.texts) == 3

    def test_another_answer_than_before_is_loud(self, checked, heard):
        recheck(checked, *IDS)
        heard.says = Confirmation("unsat", (6,), 9)
        code, _, said = recheck(checked, IDS[0], "--sample", 1)
        assert code == 1
        assert f"CHANGED: about an inference of decided for {IDS[0]}" in said

    def test_no_answer_for_want_of_time_is_not_kept(self, checked, heard):
        heard.says = Confirmation("unknown", (5, None), why="out of time on this machine")
        assert "out of time on this machine" in recheck(checked, IDS[0])[1]
        assert recheck(checked, IDS[0])[0] == 0
        assert len(heard.texts) == 2

    def test_interrupted_it_goes_on(self, checked, heard):
        heard.says = lambda _: YES if len(heard.texts) == 1 else KeyboardInterrupt()
        code, _, said = recheck(checked, *IDS)
        assert code == 130
        assert "interrupted; the same command goes on from here" in said
        heard.says = YES
        assert recheck(checked, *IDS)[0] == 0
        assert len(heard.texts) == 3


def test_a_contradiction_is_loud(checked, heard, tmp_path):
    heard.says = Confirmation("sat", (5,))
    for _ in range(2):  # what is kept is as loud
        code, written, said = recheck(checked, *IDS)
        assert code == 1
        assert "CONTRADICTED" in written
        assert f"CONTRADICTION: Z3 proves an inference of decided for {IDS[0]}" in said
    files = sorted((tmp_path / "state" / "contradictions").iterdir())
    assert len(files) == 2
    assert all(str(one) in said for one in files)
    assert {one.read_text().removesuffix("\n(check-sat)\n") for one in files} == set(heard.texts)


def test_one_in_so_many_is_a_share_of_the_seed(checked, heard):
    shares = []
    for seed in range(40):
        heard.texts.clear()
        confirmations_file().path.unlink(missing_ok=True)
        recheck(checked, *IDS, "--one-in", 2, "--seed", seed)
        shares.append(len(heard.texts))
    assert set(shares) == {0, 1, 2}
    assert 25 <= sum(shares) <= 55


def test_without_cvc5_it_says_what_to_install(checked, monkeypatch):
    def missing():
        raise ModuleNotFoundError("cvc5 is not installed")

    monkeypatch.setattr(rechecking, "prover", missing)
    code, _, said = recheck(checked, IDS[0])
    assert code == 2
    assert "pip install 'infinite-width-theorems[recheck]'" in said


def test_before_any_run_there_is_nothing_to_ask(theorems, heard):
    code, written, _ = recheck(theorems, IDS[0])
    assert (code, heard.texts) == (0, [])
    assert "no inference was made" in written


class TestQuestions:
    def test_what_they_cost(self, checked, tmp_path):
        code, written, _ = checked("questions", *IDS, "--json", "questions.json")
        assert code == 0
        assert "2 questions: 2 at attempt 1" in written
        assert "0 take more than a fifth of the bound" in written
        found = json.loads((tmp_path / "questions.json").read_text())
        assert [(one["claim_id"], one["evidence"]) for one in found] == [
            (IDS[0], "decided"),
            (IDS[1], "doubled"),
        ]
        assert found[0]["premises"] == "none"
        assert found[1]["premises"] in {"sat", "not decided"}
        assert 0 < found[0]["operations"] < 10_000
        assert found[0]["share"] == found[0]["operations"] / 1_000_000

    def test_one_as_a_text(self, checked, tmp_path):
        checked("questions", IDS[0], "--json", "questions.json")
        key = json.loads((tmp_path / "questions.json").read_text())[0]["question"]
        code, written, _ = checked("questions", IDS[0], "--text", key[:8])
        assert code == 0
        assert written.startswith(f"; asked by decided for {IDS[0]}\n(set-logic ALL)\n")
        assert re.search(r"^; x0 is \w+$", written, re.MULTILINE)
        assert checked("questions", IDS[0], "--text", "nonsense")[0] == 2

    def test_a_dear_one_is_told(self, checked):
        store = answers_file()
        for label, data in store.read().items():
            if label[1] == "1000000":
                store.append(label, {**data, "operations": [50_000, 200_000, 200_000, 7]})
        code, written, _ = checked("questions", *IDS, "--strict", "--dearest", 1)
        assert code == 1
        assert "2 take more than a fifth of the bound" in written
        assert sum(line.startswith("demo.") for line in written.splitlines()) == 1
        assert checked("questions", *IDS)[0] == 0
