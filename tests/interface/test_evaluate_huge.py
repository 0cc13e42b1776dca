"""Huge numbers in expressions: an answer or a complaint within seconds, and an end on demand."""

import signal
import subprocess
import sys
import time

import pytest
from patience import PATIENCE
from trying import each

from theorems.interface import evaluate as evaluator
from theorems.interface.evaluate import EvaluationError, digits_of, evaluate


def text(expression, digits):
    return digits_of(evaluate(expression, digits), digits)


HUGE = {
    "limiting_ntk_profile(0.3, 10**6, 1)": r"depth must be an integer in \[1, 100000\], got 1000",
    "limiting_ntk_profile(0.3, 10**12, 1)": "depth must be .*, got 1000000000000",
    "limiting_ntk([[1, 2]], 10**12, 1)": "depth must be .*, got 1000000000000",
    "multiplier([1, 2], 10**9)": r"n must be an integer in \[1, 22360\], got",
    "worst_proxy(10**9)": r"digits must be an integer in \[1, 1000\], got",
    "Regime(10**400, 1, 1, [1, 1, 1], [1, 1, 1], [1, 1, 1])": r"m must be .*\[2, 10\^60\], got",
    "loss_bound(printed_constants(Regime(2, 1, 1, [1, 1, 1], [1, 1, 1], [1, 1, 1])), 10**400)": (
        r"steps must be an integer in \[1, 10\^60\], got 1000"
    ),
}


class TestHugeValues:
    @each("expression", *HUGE)
    def test_they_are_refused_at_once(self, expression):
        with pytest.raises(ValueError, match=HUGE[expression]):
            evaluate(expression)

    @each("times", "", "*pi")
    def test_work_is_bounded_with_digits_too(self, times):
        with pytest.raises(ValueError, match=r"depth must be at most \d+ with \d+ digits, got 100000"):
            evaluate("limiting_ntk_profile(0.3, 10**5, 1)" + times, 10_000)

    def test_probabilities_of_huge_numbers(self):
        assert evaluate("probability_within(10**6, 10**12, 10**400)", 20) == 0
        assert text("probability_within(10**5, 10**10, 2)", 10) == "0.5000018806"

    def test_what_does_not_fit_into_the_memory(self, monkeypatch):
        def greedy():
            raise MemoryError

        monkeypatch.setattr(evaluator, "namespace", lambda: {"greedy": greedy})
        with pytest.raises(EvaluationError, match=r"'greedy\(\)' does not fit into the memory"):
            evaluate("greedy()")

    @each("times", "", "*1")
    def test_numbers_that_nobody_could_write(self, times):
        """exp(-10^12000/2) has an exponent of 12000 digits."""
        with pytest.raises(EvaluationError, match="too close to 0 to be written: its exponent has"):
            text("norm_tail(10**4000, 10**4000, 1)" + times, 10_000)


def test_an_evaluation_can_be_interrupted():
    code = "from theorems.interface.cli import main; raise SystemExit(main())"
    expression = "+".join(["limiting_ntk_profile(0.3, 10**5, 1)"] * 100)  # minutes
    command = [sys.executable, "-c", code, "eval", expression]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        time.sleep(4)  # past its imports
        running.send_signal(signal.SIGINT)
        try:
            said, complained = running.communicate(timeout=PATIENCE)
        finally:
            running.kill()  # nobody waits for the minutes
    assert running.returncode == 130
    assert b"Traceback" not in said + complained
