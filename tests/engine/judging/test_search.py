"""The search finds violations, reports how close it came, and repeats itself exactly."""

import json
import math
import subprocess
import sys
from itertools import count

import pytest
from hypothesis import strategies as st
from trying import each

from theorems.engine import Answer, Discrepancy, Measured
from theorems.engine.judging.search import search

UNIT = st.floats(0, 1)
LINE = (lambda x: [x], lambda vector: float(vector[0]) if 0 <= vector[0] <= 1 else None)


def parabola(x, constant=0.25):
    return Measured(x * (1 - x) / constant)


def peak(x, height=1.0):
    """A peak too narrow for random cases: at 0.7310585786, of width 1e-4."""
    return Measured(0.1 * x + height * math.exp(-(((x - 0.7310585786) / 1e-4) ** 2)) - 0.08)


def test_tightness_and_witness():
    outcome = search(parabola, UNIT, cases=300, seed=0)
    assert outcome.answer is Answer.ACCEPTED
    assert outcome.cases == 300
    x = float(outcome.witness)
    assert parabola(x).ratio == pytest.approx(outcome.tightness, rel=1e-5)
    assert 0.99 < outcome.tightness <= 1


def test_a_violation_is_reported_with_its_own_ratio():
    outcome = search(lambda x: parabola(x, 0.24), UNIT, cases=300, seed=0)
    assert outcome.answer is Answer.REJECTED
    x = float(outcome.witness)
    assert parabola(x, 0.24).ratio == pytest.approx(outcome.tightness, rel=1e-5)
    assert outcome.tightness > 1
    assert f"{outcome.tightness:.6g}" in outcome.summary


def test_a_violation_outweighs_what_is_undefined_elsewhere():
    def check(x):
        return Measured(math.nan if x < 0.5 else 2.0)

    assert search(check, UNIT, cases=50, seed=0).answer is Answer.REJECTED


def test_a_violation_counts_although_the_check_breaks_elsewhere():
    def check(x):
        if x > 0.5:
            raise ValueError("not there")
        return Measured(2.0)

    assert search(check, UNIT, cases=50, seed=0).answer is Answer.REJECTED


def test_one_undefined_ratio_leaves_the_whole_undecided():
    def check(x):
        return Measured(math.inf if x == 1 else 0.5)

    outcome = search(check, st.sampled_from([0, 0.25, 0.5, 1]), cases=50, seed=0)
    assert outcome.answer is Answer.UNDECIDED
    assert outcome.witness == "1"
    assert outcome.tightness == 0.5


def test_cases_drowned_in_rounding_are_no_cases():
    def check(x):
        return Measured(0.5, 1.0 if x < 0.5 else 0.001)

    outcome = search(check, st.sampled_from([0.1, 0.2, 0.6]), cases=50, seed=0)
    assert (outcome.answer, outcome.cases) == (Answer.ACCEPTED, 1)
    assert outcome.numbers == {"cases lost in rounding": 2, "rounding": 0.001}
    outcome = search(lambda x: Measured(0.5, 2.0), UNIT, cases=5, seed=0)
    assert outcome.answer is Answer.UNDECIDED
    assert outcome.summary == "vacuous: every case was lost in rounding"


def test_a_finite_set_is_exhausted():
    outcome = search(lambda x: Measured(x / 7), st.sampled_from([3, 5, 7]), cases=500, seed=0)
    assert (outcome.cases, outcome.tightness, outcome.witness) == (3, 1.0, "7")


@each("number, counted", (1, "1 case"), (2, "2 cases"), (3, "3 cases"))
def test_the_summary_counts_the_cases(number, counted):
    outcome = search(lambda x: Measured(x / 6), st.sampled_from(range(number)), cases=9, seed=0)
    assert outcome.summary.startswith(f"{counted}, tightness")


def test_discrepancies_have_no_tightness():
    outcome = search(lambda x: Discrepancy(x * 1e-16, 1e-15), UNIT, cases=20, seed=0)
    assert (outcome.answer, outcome.tightness) == (Answer.ACCEPTED, None)
    outcome = search(lambda x: Discrepancy(1, 1e-15), UNIT, cases=20, seed=0)
    assert (outcome.answer, outcome.tightness) == (Answer.REJECTED, None)


def test_the_optimiser_finds_what_random_cases_miss():
    near = st.sampled_from([0.73096, 0.73118, 0.7312])
    without = search(peak, near, cases=10, seed=3)
    climbed = search(peak, near, cases=10, seed=3, coordinates=LINE)
    assert without.tightness < 0.9
    assert climbed.tightness > without.tightness
    assert climbed.tightness == pytest.approx(1 + 0.07310585786 - 0.08, abs=1e-6)
    assert climbed.cases > 10
    violated = search(lambda x: peak(x, 1.01), near, cases=10, seed=3, coordinates=LINE)
    assert violated.answer is Answer.REJECTED


def test_a_climb_that_raises_is_not_hidden():
    broken = (lambda x: [x], lambda vector: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        search(parabola, UNIT, cases=20, seed=0, coordinates=broken)


def test_a_check_that_changes_its_mind_is_no_refutation():
    calls = count()

    def check(x):
        return Measured(2.0 if next(calls) == 3 else 0.5)

    try:
        answer = search(check, UNIT, cases=50, seed=0).answer
    except Exception:
        answer = Answer.UNDECIDED
    assert answer is Answer.UNDECIDED


@pytest.mark.parametrize("attempts", [1, 3])
def test_cases_that_are_begun_in_vain_are_limited(monkeypatch, attempts):
    monkeypatch.setattr("theorems.engine.judging.search._ATTEMPTS", attempts)
    begun = []
    numbers = st.integers(0, 10**9).map(lambda n: begun.append(n) or n)
    rare = numbers.filter(lambda n: (n + 1) * 7919 % 101 < 8)
    outcome = search(lambda _: Measured(0.5), rare, cases=100, seed=0)
    assert outcome.answer is Answer.ACCEPTED
    assert 0 < outcome.cases < 100
    assert len(begun) <= 3 * 100 * attempts + 3  # a filter tries three times before it gives a case up


def test_a_violation_outlasts_the_limit(monkeypatch):
    monkeypatch.setattr("theorems.engine.judging.search._ATTEMPTS", 1)
    outcome = search(lambda x: Measured(2 * x), UNIT, cases=100, seed=0)
    assert outcome.answer is Answer.REJECTED


def cases_of(seed, cases=300):
    seen = []

    def check(x):
        seen.append(x)
        return Measured(0.5)

    search(check, st.one_of(UNIT, st.integers()), cases=cases, seed=seed)
    return seen


def test_the_seed_decides_the_cases():
    assert cases_of(5) == cases_of(5)
    assert cases_of(5) != cases_of(6)


PROGRAM = """
import importlib.util, json, sys
if len(sys.argv) > 1:
    spec = importlib.util.spec_from_file_location("neighbour", sys.argv[1])
    sys.modules["neighbour"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
from hypothesis import strategies as st
from theorems.engine import Measured
from theorems.engine.judging.search import search
seen = []
def check(x):
    seen.append(x)
    return Measured(0.5)
search(check, st.one_of(st.floats(0, 1), st.integers()), cases=300, seed=5)
print(json.dumps(seen))
"""


def test_other_code_in_the_process_does_not_change_the_cases(tmp_path):
    """Hypothesis likes to draw the literals of imported source files; workers import others."""
    neighbour = tmp_path / "neighbour.py"
    neighbour.write_text(f"NUMBERS = {[k / 997 for k in range(300)]}\n")
    drawn = [
        json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
        for command in ([sys.executable, "-c", PROGRAM], [sys.executable, "-c", PROGRAM, str(neighbour)])
    ]
    assert drawn[0] == drawn[1] == cases_of(5)
