"""Runs repeat exactly, whoever computes them, and survive being killed at any moment."""

import json
import os
import signal
import time
from threading import Thread

import demo
import pytest
from filelock import FileLock
from house import House, furnish
from theorems.engine.running.journal import RunInProgressError

from theorems.engine.claims import registry as registries
from theorems.engine.claims.kinds import Profile
from theorems.engine.claims.registry import assemble
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running import runner
from theorems.engine.running.runner import CodeChangedError, Run, latest, run_task

SLOW = tuple(f"demo.slow.{number}" for number in range(1, 7))
FEW = ("demo.square", "demo.half", "demo.mean")


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """The demonstration as the only paper of this process; where its state is kept."""
    monkeypatch.setenv("DEMO_LOG", str(tmp_path / "log"))
    return furnish(monkeypatch, tmp_path)


def outcomes(results):
    """Everything but the times."""
    return {key: (one.outcome, one.controls) for key, one in results.items()}


class Killed(BaseException):
    """Stands for the end of the process."""


def killed_after(count):
    heard = []

    def listener(one, kept):
        heard.append((one.name, kept))
        if len(heard) == count:
            raise Killed

    return listener


class TestSelection:
    def test_what_a_claim_rests_on_is_examined_too(self, alone):
        tasks = Run(("demo.cited",)).tasks()
        assert [claim_id for claim_id, _ in tasks] == ["demo.square", "demo.half", "demo.cited"]

    def test_evidence_of_a_larger_profile_waits_for_it(self, alone):
        assert Run(("demo.patient",)).tasks() == []
        for profile in (Profile.FULL, Profile.EXHAUSTIVE):
            expected = [("demo.patient", "power_over")]
            assert Run(("demo.patient",), profile).tasks() == expected

    def test_the_error_level_is_shared_by_all_statistical_checks(self, alone):
        assert runner.error_level(registries.load()) == runner.FAMILY_WISE_ERROR == 1e-6
        known = assemble([demo])
        known.claims["demo.open"].evidence.append(known.claims["demo.mean"].evidence[0])
        try:
            assert runner.error_level(known) == 0.5e-6
        finally:
            known.claims["demo.open"].evidence.pop()


class TestSeeds:
    def test_the_same_seed_gives_the_same_results(self, alone):
        assert outcomes(Run(FEW).execute()) == outcomes(Run(FEW).execute())

    def test_another_seed_gives_other_samples(self, alone):
        first, second = Run(FEW).execute(), Run(FEW, seed=1).execute()
        p = [r["demo.mean", "sample_mean"].outcome["numbers"]["p_value"] for r in (first, second)]
        assert p[0] != p[1]

    def test_a_check_alone_does_what_it_does_among_others(self, alone):
        among = Run(FEW).execute()["demo.mean", "sample_mean"]
        by_itself = Run(("demo.mean",)).execute()["demo.mean", "sample_mean"]
        assert outcomes({0: among}) == outcomes({0: by_itself})


class TestFingerprint:
    def test_it_names_exactly_the_computation(self, alone, monkeypatch):
        def names():
            yield Run(FEW).fingerprint()
            yield Run(FEW[:2]).fingerprint()
            yield Run(FEW, Profile.FULL).fingerprint()
            yield Run(FEW, seed=1).fingerprint()
            monkeypatch.setattr(runner, "code_digest", lambda: "other code")
            yield Run(FEW).fingerprint()
            monkeypatch.setattr(runner, "versions", lambda: {"numpy": "0"})
            yield Run(FEW).fingerprint()

        assert len(set(names())) == 6

    def test_order_repetition_and_number_of_processes_do_not_matter(self, alone):
        same = [Run(FEW), Run(FEW[::-1]), Run(FEW + FEW), Run(FEW, jobs=7)]
        assert len({run.fingerprint() for run in same}) == 1

    def test_the_digest_sees_names_contents_and_places(self, alone, monkeypatch, tmp_path):
        monkeypatch.undo()
        package = tmp_path / "package"
        (package / "sub").mkdir(parents=True)
        monkeypatch.setattr(registries, "paper_packages", list)
        place = type("Package", (), {"__path__": [str(package)]})
        monkeypatch.setattr(runner, "import_module", lambda name: place)

        def digest():
            runner.code_digest.cache_clear()
            return runner.code_digest()

        digests = [digest()]
        for path, text in (("a.py", "1"), ("a.py", "2"), ("sub/a.py", "2"), ("data.json", "{}")):
            (package / path).write_text(text)
            digests.append(digest())
        for path in ("a2.py", "sub/b.py"):
            (package / "a.py").rename(package / path)
            digests.append(digest())
            (package / path).rename(package / "a.py")
        assert len(set(digests)) == len(digests)
        (package / "__pycache__").mkdir()
        (package / "__pycache__" / "a.pyc").write_text("compiled")
        assert digest() == digests[-3]
        runner.code_digest.cache_clear()

    def test_a_worker_that_finds_other_code_stops_the_run(self, alone):
        with pytest.raises(CodeChangedError):
            run_task("demo.square", "decided", "quick", 0, "older code")


class TestResuming:
    def test_nothing_finished_is_repeated(self, alone):
        whole = outcomes(Run(FEW).execute())
        (alone / "results.json").unlink()
        with pytest.raises(Killed):
            Run(FEW).execute(killed_after(2))
        heard = []
        results = Run(FEW).execute(lambda one, kept: heard.append((one.name, kept)))
        order = [("decided", True), ("product_over_bound", True), ("sample_mean", False)]
        assert heard == order
        assert outcomes(results) == whole
        assert list(alone.glob("*.jsonl")) == []

    def test_results_come_in_reading_order_whenever_they_were_computed(self, alone, monkeypatch):
        compute = Run._compute
        monkeypatch.setattr(Run, "_compute", lambda run, tasks: compute(run, tasks[::-1]))
        assert list(Run(FEW).execute()) == Run(FEW).tasks()

    @pytest.mark.parametrize("cut", [1, 20, 200])
    def test_a_torn_last_line_is_computed_again(self, alone, cut):
        whole = outcomes(Run(FEW).execute())
        with pytest.raises(Killed):
            Run(FEW).execute(killed_after(2))
        (journal,) = alone.glob("*.jsonl")
        journal.write_bytes(journal.read_bytes()[:-cut])
        with pytest.raises(Killed):
            Run(FEW).execute(killed_after(2))
        heard = []
        results = Run(FEW).execute(lambda one, kept: heard.append(kept))
        assert heard == [True, True, False]
        assert outcomes(results) == whole

    @pytest.mark.parametrize("rubbish", [b"\x00\xff\xfe\n", b"[]\n3\nnull\n", b'{"claim_id": 1}'])
    def test_rubbish_in_the_journal_is_ignored(self, alone, rubbish):
        with pytest.raises(Killed):
            Run(FEW).execute(killed_after(1))
        (journal,) = alone.glob("*.jsonl")
        journal.write_bytes(journal.read_bytes() + b"\n" + rubbish)
        heard = []
        Run(FEW).execute(lambda one, kept: heard.append(kept))
        assert heard == [True, False, False]

    def test_another_seed_does_not_take_the_results_over(self, alone):
        with pytest.raises(Killed):
            Run(FEW).execute(killed_after(2))
        heard = []
        Run(FEW, seed=1).execute(lambda one, kept: heard.append(kept))
        assert heard == [False] * 3

    def test_the_same_run_cannot_go_on_twice_at_a_time(self, alone):
        run = Run(FEW)

        def again(one, kept):
            with pytest.raises(RunInProgressError):
                Run(FEW).execute()
            Run(("demo.square",)).execute()

        run.execute(again)
        run.execute()


class TestLatestResults:
    def test_newer_results_join_older_ones(self, alone):
        Run(("demo.square",)).execute()
        Run(("demo.mean",), seed=1).execute()
        assert set(latest()) == {("demo.square", "decided"), ("demo.mean", "sample_mean")}
        before = latest()["demo.mean", "sample_mean"].outcome
        Run(("demo.mean",), seed=2).execute()
        assert latest()["demo.mean", "sample_mean"].outcome != before
        assert isinstance(latest()["demo.square", "decided"], EvidenceResult)

    def test_changed_code_ignores_them(self, alone, monkeypatch):
        Run(("demo.square",)).execute()
        assert latest()
        monkeypatch.setattr(runner, "code_digest", lambda: "new code")
        assert latest() == {}
        Run(("demo.mean",)).execute()
        assert set(latest()) == {("demo.mean", "sample_mean")}

    @pytest.mark.parametrize(
        "content",
        [
            *(b"", b"{", b"[]", b"3", b"\xff", b"{}", b'{"code": "code"}'),
            *(b'{"code": "code", "results": %b}' % one for one in (b"3", b"[3]", b"[{}]")),
        ],
    )
    def test_a_damaged_file_is_no_obstacle(self, alone, content):
        alone.mkdir()
        (alone / "results.json").write_bytes(content)
        assert latest() == {}
        Run(("demo.square",)).execute()
        assert set(latest()) == {("demo.square", "decided")}

    def test_they_are_replaced_in_one_step(self, alone, monkeypatch):
        Run(("demo.square",)).execute()
        before = (alone / "results.json").read_bytes()
        seen = []
        replace = runner.Path.replace

        def watched(draft, target):
            seen.append((target.read_bytes(), json.loads(draft.read_text())["code"]))
            return replace(draft, target)

        monkeypatch.setattr(runner.Path, "replace", watched)
        Run(("demo.mean",)).execute()
        assert seen == [(before, "code")]
        assert (alone / "results.json").read_bytes() != before

    def test_two_finishing_runs_wait_for_each_other(self, alone):
        alone.mkdir()
        other = Thread(target=Run(("demo.square",)).execute)
        with FileLock(alone / "results.lock"):
            other.start()
            time.sleep(0.3)
            assert not (alone / "results.json").exists()
        other.join()
        assert latest()


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    house = House(tmp_path_factory.mktemp("house"))
    house.install("demo")
    return house


@pytest.fixture(scope="module")
def whole(house):
    """The report of an undisturbed run in one process."""
    state, report = house.folder / "undisturbed", house.folder / "whole.json"
    code, _, complaints = house.run("check", "--jobs", 1, "--json", report, state=state)
    assert code == 0, complaints
    house.log.unlink()
    return report.read_bytes()


class TestCommand:
    """Through the command line, in processes of their own."""

    def test_two_processes_give_the_same_report(self, house, whole):
        report = house.folder / "parallel.json"
        code, *_ = house.run("check", "--jobs", 2, "--json", report)
        assert code == 0
        assert report.read_bytes() == whole
        house.log.unlink()

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_a_killed_run_goes_on_where_it_was(self, house, whole, jobs):
        state, report = house.folder / f"killed{jobs}", house.folder / f"killed{jobs}.json"
        command = ("check", "--json", report, "--jobs", jobs)
        process = house.start(*command, state=state, pause=0.15)
        wait_for(lambda: any(b"demo.slow" in path.read_bytes() for path in state.glob("*.jsonl")))
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        process.stderr.close()
        (journal,) = state.glob("*.jsonl")
        kept = [json.loads(line) for line in journal.read_text().split("\n") if line.endswith("}")]
        finished = {one["claim_id"] for one in kept} & set(SLOW)
        assert finished
        assert finished < set(SLOW)
        assert not report.exists()
        house.log.unlink()

        code, *_ = house.run(*command, state=state)
        assert code == 0
        assert set(house.traces()) == set(SLOW) - finished
        assert report.read_bytes() == whole
        assert list(state.glob("*.jsonl")) == []
        house.log.unlink()

    def test_a_second_identical_run_is_refused(self, house):
        state = house.folder / "twice"
        command = ("check", "demo.slow.1", "--jobs", 1)
        first = house.start(*command, state=state, pause=30)
        wait_for(house.traces)
        code, _, complaint = house.run(*command, state=state)
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
        assert code == 2
        assert complaint == "theorems: the same run is under way in another process\n"
        assert house.run(*command, state=state)[0] == 0
        house.log.unlink()

    def test_changed_code_makes_old_results_unknown(self, house):
        house.run("check", "demo.square", "--jobs", 1)
        assert "verdict: holds (proved)" in house.run("show", "demo.square")[1]
        with (house.folder / "numeric" / "__init__.py").open("a") as module:
            module.write("CHANGED = True\n")
        assert "not checked yet with this code" in house.run("show", "demo.square")[1]
