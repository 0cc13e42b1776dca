"""Sweeps: the same results however they are computed, nothing lost, and on a Dask cluster too."""

import json
import math
import os
import signal
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from distributed import Client, LocalCluster
from patience import PATIENCE
from trying import each

from numeric.networks.sweeps import SweepInProgressError, sweep

ROOT = Path(__file__).resolve().parents[3]


def noisy(case, rng):
    """A number that shows the case, the generator and the process that computed it."""
    return [case, rng.standard_normal()]


def numbers(results):
    return [value for _, value in results]


class TestResults:
    def test_do_not_depend_on_jobs(self):
        alone = sweep(noisy, range(6), seed=3, jobs=1)
        assert sweep(noisy, range(6), seed=3, jobs=2) == alone
        assert [case for case, _ in alone] == list(range(6))

    def test_each_case_has_a_generator_of_its_own(self):
        values = numbers(sweep(noisy, [0] * 50, seed=3))
        assert len(set(values)) == 50
        # The mean of 50 standard normals is beyond 1 with probability 1.5e-12.
        assert abs(np.mean(values)) < 1

    def test_generators_are_children_of_the_seed(self):
        children = np.random.SeedSequence(3).spawn(2)
        expected = [np.random.default_rng(child).standard_normal() for child in children]
        assert numbers(sweep(noisy, [0, 0], seed=3)) == expected

    def test_other_seeds_other_results(self):
        assert sweep(noisy, [0], seed=3) != sweep(noisy, [0], seed=4)

    def test_appended_cases_leave_the_others_alone(self):
        assert sweep(noisy, range(4), seed=3)[:2] == sweep(noisy, range(2), seed=3)

    def test_are_plain_data(self):
        result = sweep(lambda case, rng: {"x": np.arange(3.0), "n": np.int64(2)}, [0])
        assert result == [{"x": [0.0, 1.0, 2.0], "n": 2}]
        assert sweep(noisy, []) == []


class TestKeeping:
    def test_nothing_is_computed_twice(self, tmp_path):
        calls = []

        def counted(case, rng):
            calls.append(case)
            return noisy(case, rng)

        file = tmp_path / "new" / "sweep.jsonl"
        first = sweep(counted, range(3), seed=1, keep=file)
        assert sweep(counted, range(5), seed=1, keep=file)[:3] == first
        assert calls == [0, 1, 2, 3, 4]

    def test_other_seeds_and_cases_are_computed(self, tmp_path):
        file = tmp_path / "sweep.jsonl"
        first = sweep(noisy, [0, 1], seed=1, keep=file)
        assert sweep(noisy, [0, 1], seed=2, keep=file) != first
        assert sweep(noisy, [1, 1], seed=1, keep=file)[1] == first[1]
        assert sweep(noisy, [1, 1], seed=1, keep=file)[0][0] == 1
        assert sweep(lambda case, rng: case, [0, 1], seed=1, keep=file) == [0, 1]

    def test_a_torn_line_is_computed_again(self, tmp_path):
        file = tmp_path / "sweep.jsonl"
        first = sweep(noisy, range(3), seed=1, keep=file)
        text = file.read_text()
        file.write_text(text[: len(text) - 5])
        assert sweep(noisy, range(3), seed=1, keep=file) == first
        lines = [line for line in file.read_text().splitlines() if line]
        assert len(lines) == 4
        assert json.loads(lines[-1])["result"] == first[2]

    def test_kept_results_equal_fresh_ones(self, tmp_path):
        def third(case, rng):
            return [1 / 3, (0.1, 2)]

        file = tmp_path / "sweep.jsonl"
        fresh = sweep(third, [0], keep=file)
        assert fresh == sweep(third, [0], keep=file) == [[1 / 3, [0.1, 2]]]

    def test_a_killed_sweep_goes_on(self, tmp_path):
        """A process is killed in its fourth case; the three before are not computed again."""
        script = (
            "import sys, time\n"
            "from pathlib import Path\n"
            "from numeric.networks.sweeps import sweep\n"
            "def slow(case, rng):\n"
            "    print(case, flush=True)\n"
            "    time.sleep(100 if case == 3 and sys.argv[2] == 'hang' else 0)\n"
            "    return case\n"
            "print(sweep(slow, range(5), jobs=1, keep=Path(sys.argv[1])), flush=True)\n"
        )
        command = [sys.executable, "-c", script, str(tmp_path / "kept")]
        with subprocess.Popen([*command, "hang"], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert [process.stdout.readline().strip() for _ in range(4)] == ["0", "1", "2", "3"]
            os.kill(process.pid, signal.SIGKILL)
        again = subprocess.run(
            [*command, "run"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE
        )
        assert again.stdout.split("\n")[:3] == ["3", "4", "[0, 1, 2, 3, 4]"]


def test_two_sweeps_do_not_share_a_file(tmp_path):
    def inner(case, rng):
        return sweep(noisy, [0], keep=tmp_path / "kept")

    with pytest.raises(SweepInProgressError, match="another sweep has the file"):
        sweep(inner, [0], keep=tmp_path / "kept")
    assert sweep(noisy, [0], keep=tmp_path / "kept") == sweep(noisy, [0])


def test_progress_hears_of_every_case(tmp_path):
    heard = []
    sweep(noisy, range(3), advance=heard.append, keep=tmp_path / "kept")
    assert heard == [0, 1, 2]
    sweep(noisy, range(4), advance=heard.append, keep=tmp_path / "kept")
    assert heard == [0, 1, 2, 0, 1, 2, 3]


def test_cases_are_kept_before_progress_hears_of_them(tmp_path):
    file = tmp_path / "kept"

    def look(place):
        assert len(file.read_text().split()) > 2 * place

    sweep(noisy, range(3), advance=look, keep=file)


def test_a_sweep_on_a_dask_cluster():
    """The one line of the README; two worker processes on this machine."""
    expected = sweep(math_of_a_case, range(6), seed=5)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        found = sweep(math_of_a_case, range(6), seed=5)
    assert [values for values, _ in found] == [values for values, _ in expected]
    assert os.getpid() not in {process for _, process in found}


def test_the_readme_says_so():
    assert 'with joblib.parallel_config(backend="dask"):' in (ROOT / "README.md").read_text()


def math_of_a_case(case, rng):
    return [case, math.sqrt(case), rng.standard_normal()], os.getpid()


@each(
    "changed, error, complaint",
    ({"function": 3}, TypeError, "function must be callable, got 3"),
    ({"cases": 3}, TypeError, "cases must be a sequence of cases, got 3"),
    ({"cases": [object()]}, TypeError, "cases must be plain data"),
    ({"function": lambda case, rng: math.nan}, ValueError, "result of function must be plain"),
    ({"function": lambda case, rng: object()}, TypeError, "result of function must be plain"),
)
def test_bad_arguments(changed, error, complaint):
    with pytest.raises(error, match=complaint):
        sweep(**{"function": noisy, "cases": [1], **changed})
