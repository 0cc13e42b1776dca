"""The second prover: what it says, when that is final, and what is kept of it."""

import signal
import subprocess
import sys

import pytest

from theorems.engine.errors import OUT_OF_TIME
from theorems.engine.rules import asking, terms
from theorems.engine.rules.answers import answers_file
from theorems.engine.rules.asking import Answer
from theorems.engine.rules.question import asked
from theorems.engine.running import cvc5_process, second_prover
from theorems.engine.running.inferences import Inference, decided
from theorems.engine.running.second_prover import (
    ATTEMPTS,
    Confirmation,
    ask,
    confirmation_label,
    confirmations_file,
    kept_confirmations,
    known_answers,
)

X, Y = terms.letter("x"), terms.letter("y")
ZERO = terms.number(0)
#: A square is negative; a product of positive numbers is not positive, with a function as one.
FALSE = [
    [terms.above(ZERO, terms.multiply(X, X))],
    [
        terms.above(terms.call("sin", X), ZERO),
        terms.above(Y, ZERO),
        terms.no(terms.above(terms.multiply(Y, terms.call("sin", X)), ZERO)),
    ],
]


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    """Answers are kept in a folder of the test, and the process of cvc5 ends with it."""
    monkeypatch.setenv("THEOREMS_STATE", str(tmp_path))
    yield
    second_prover.stop()


@pytest.mark.parametrize("assertions", FALSE)
def test_what_our_writer_writes_is_read_and_confirmed_with_a_whole_proof(assertions):
    found = ask(asked(assertions).text)
    assert (found.said, found.trusted, found.why) == ("unsat", 0, "")
    assert found.steps > 10
    assert len(found.operations) == 1


def test_what_the_kernel_prints_has_no_logic_of_its_own():
    assert ask("(declare-fun x () Real)\n(assert (< (* x x) 0.0))").said == "unsat"


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_each_attempt_alone_finds_out_what_is_simple(attempt):
    body = asked([terms.above(ZERO, terms.add(X, Y)), terms.above(X, ZERO), terms.above(Y, ZERO)])
    text = body.text.replace("(set-logic ALL)", f"(set-logic {attempt.logic})")
    found = cvc5_process.answer(text, attempt.operations, dict(attempt.options))
    assert (found["said"], found["why"], found["trusted"]) == ("unsat", "", 0)
    assert (found["steps"] > 0) == (attempt.options.get("produce-proofs") != "false")


def test_what_is_no_proof_has_no_steps():
    assert Confirmation("unknown", (5,)).steps == Confirmation("unknown", (5,)).trusted == 0
    found = cvc5_process.answer("(set-logic ALL)\n(assert false", 10_000, {})
    assert (found["said"], found["steps"], found["trusted"]) == ("unknown", 0, 0)
    assert found["why"].startswith("cvc5: ")


def test_what_can_be_satisfied_is_not_confirmed():
    assert ask(asked([terms.above(X, ZERO)]).text).said == "sat"


def test_what_is_not_understood_is_unknown():
    found = ask("(set-logic ALL)\n(assert (> undeclared 0.0))")
    assert found.said == "unknown"
    assert "undeclared" in found.why
    assert len(found.operations) == len(ATTEMPTS)


@pytest.mark.parametrize("data", [{}, {"said": "yes", "operations": [1]}, {"said": "unsat"}])
def test_what_is_no_answer_of_a_prover(data):
    rest = {"steps": 0, "trusted": 0, "why": ""}
    with pytest.raises((KeyError, ValueError)):
        Confirmation.from_json(data | rest)


def test_a_question_is_dear_where_no_attempt_within_a_fifth_of_the_bound_decides_it(monkeypatch, tmp_path):
    monkeypatch.setenv("THEOREMS_ANSWERS", str(tmp_path))
    answers = [Answer("unsat", tuple(range(1, tries + 1))) for tries in range(1, 6)]
    labels = [tuple(asking.label(f"q{tries}", asking.EFFORT).split(" ")) for tries in range(1, 6)]
    answers_file().extend((one, said.as_json()) for one, said in zip(labels, answers, strict=True))
    found = decided(Inference("t.one", "e", f"q{tries}", "") for tries in range(1, 6))
    assert [one.attempt for one in found] == [1, 2, 3, 4, 5]
    assert [one.is_dear for one in found] == [False, False, False, True, True]


def test_a_command_that_fails_makes_the_text_no_question():
    found = cvc5_process.answer("(set-logic ALL)\n(pop 1)\n(assert false)", 10_000, {})
    assert (found["said"], found["trusted"]) == ("unknown", 0)
    assert found["why"].startswith("cvc5: ")


def test_operations_bound_an_attempt_and_are_the_same_in_another_process():
    text = asked(FALSE[1]).text
    first = cvc5_process.answer(text, 10, {})
    assert (first["said"], first["why"]) == ("unknown", "unknown (RESOURCEOUT)")
    assert ask(text).operations == (cvc5_process.answer(text, 50_000, {})["operations"],)


def test_an_attempt_may_confirm_without_a_proof():
    found = cvc5_process.answer(asked(FALSE[0]).text, 50_000, dict(ATTEMPTS[1].options))
    assert (found["said"], found["steps"]) == ("unsat", 0)


@pytest.mark.parametrize(
    ("number", "why"), [(signal.SIGXCPU, OUT_OF_TIME), (signal.SIGSEGV, "ended with -11")]
)
def test_a_process_that_ends_before_it_answers_is_no_answer(monkeypatch, number, why):
    begun = []

    def dying():
        begun.append(number)
        code = f"import os, sys; sys.stdin.readline(); os.kill(os.getpid(), {int(number)})"
        pipe = subprocess.PIPE
        return subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, text=True)

    monkeypatch.setattr(second_prover, "_begun", dying)
    found = ask(asked(FALSE[0]).text)
    assert found.said == "unknown"
    assert why in found.why
    assert found.operations == (None,) * len(ATTEMPTS)
    assert not found.is_final
    assert len(begun) == len(ATTEMPTS)


def test_what_is_undecided_within_its_operations_is_final():
    assert Confirmation("unknown", (5, 7), why="lost").is_final
    assert Confirmation("unsat", (None, 7)).is_final
    assert not Confirmation("unknown", (5, None)).is_final


def seconds_used():
    used = cvc5_process.resource.getrusage(cvc5_process.resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def test_the_net_in_seconds_ends_the_process(monkeypatch):
    seen = []
    monkeypatch.setattr(cvc5_process.resource, "setrlimit", lambda _, limit: seen.append(limit))
    monkeypatch.setattr(cvc5_process.signal, "signal", lambda *_: None)
    monkeypatch.setattr(cvc5_process.sys, "stdin", ['{"text": "", "operations": 1, "options": {}}'])
    before = seconds_used()
    cvc5_process.serve(7)
    ((soft, hard),) = seen
    assert before <= soft - 7 <= seconds_used() + 1
    assert hard == cvc5_process.resource.RLIM_INFINITY


class TestKept:
    YES, NO = Confirmation("unsat", (12,), 30, 1), Confirmation("unknown", (50, 60), why="lost")

    def keep(self, **answers):
        for key, one in answers.items():
            confirmations_file().append(confirmation_label(key), one.as_json())

    def test_as_it_was(self):
        self.keep(a=self.YES, b=self.NO)
        assert kept_confirmations(["a", "b", "c"]) == {"a": self.YES, "b": self.NO}
        assert known_answers(["a", "b", "c"]) == {"a": "unsat", "b": "unknown"}

    def test_a_line_that_was_changed_is_as_if_it_were_not_there(self):
        self.keep(a=self.NO)
        file = confirmations_file().path
        file.write_bytes(file.read_bytes().replace(b"unknown", b"unsat"))
        assert kept_confirmations(["a"]) == known_answers(["a"]) == {}

    def test_data_of_another_kind_are_as_if_they_were_not_there(self):
        for wrong in ([], {"said": "perhaps"}, {**self.YES.as_json(), "operations": None}):
            confirmations_file().append(confirmation_label("a"), wrong)
            assert kept_confirmations(["a"]) == known_answers(["a"]) == {}

    def test_another_version_or_other_attempts_are_another_question(self, monkeypatch):
        self.keep(a=self.YES)
        monkeypatch.setattr(second_prover, "ATTEMPTS", ATTEMPTS[:1])
        second_prover._attempts.cache_clear()
        try:
            assert kept_confirmations(["a"]) == {}
        finally:
            second_prover._attempts.cache_clear()
        monkeypatch.setattr(second_prover, "version", lambda _: "9")
        assert kept_confirmations(["a"]) == {}
        assert known_answers(["a"]) == {"a": "unsat"}  # shown all the same

    def test_unknown_hides_no_answer(self):
        confirmations_file().append(("a", "1", "cvc5-1"), self.YES.as_json())
        confirmations_file().append(("a", "2", "cvc5-1"), self.NO.as_json())
        assert known_answers(["a"]) == {"a": "unsat"}
