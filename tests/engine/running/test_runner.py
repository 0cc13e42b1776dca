"""Runs repeat exactly, whoever computes them, and survive being killed at any moment."""

import os
import signal
from dataclasses import replace

import pytest
from house import furnish
from patience import PATIENCE, wait_until

from theorems.engine.claims.kinds import Profile
from theorems.engine.errors import CodeChangedError
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running import runner
from theorems.engine.running.catalogue import FAMILY_WISE_ERROR, catalogue
from theorems.engine.running.runner import Run, error_level, latest, stored
from theorems.engine.running.standing import standings
from theorems.engine.running.store import Store

SLOW = tuple(f"demo.slow.{number}" for number in range(1, 7))
FEW = ("demo.square", "demo.half", "demo.mean")
MEAN = ("demo.mean", "sample_mean")


@pytest.fixture
def alone(monkeypatch, tmp_path):
    """The demonstration as the only paper of this process; where its state is kept."""
    monkeypatch.setenv("DEMO_LOG", str(tmp_path / "log"))
    return furnish(monkeypatch, tmp_path)


def outcomes(results):
    """Everything but the times."""
    return {key: (one.outcome, one.controls, one.near) for key, one in results.items()}


def heard_in(run):
    """What a run tells: each check, and whether it was kept."""
    heard = []
    run.execute(lambda one, kept: heard.append((one.name, kept)))
    return heard


class Killed(BaseException):
    """Stands for the end of the process."""


def killed_after(count):
    heard = []

    def listener(one, kept):
        heard.append((one.name, kept))
        if len(heard) == count:
            raise Killed

    return listener


def tasks(*what):
    return list(Run(*what).labels(catalogue()))


class TestSelection:
    def test_what_a_claim_rests_on_is_examined_too(self, alone):
        found = [claim_id for claim_id, _ in tasks(("demo.cited",))]
        assert found == ["demo.square", "demo.half", "demo.cited"]

    def test_evidence_of_a_larger_profile_waits_for_it(self, alone):
        assert tasks(("demo.patient",)) == []
        for profile in (Profile.FULL, Profile.EXHAUSTIVE):
            assert tasks(("demo.patient",), profile) == [("demo.patient", "power_over")]

    def test_the_error_is_shared_by_as_many_as_the_next_power_of_two(self, alone):
        known = catalogue()
        assert error_level(known) == FAMILY_WISE_ERROR == 1e-6
        one = known.claims["demo.mean"]
        for count, share in ((2, 2), (3, 4), (4, 4), (5, 8)):
            claims = {**known.claims, one.id: replace(one, evidence=one.evidence * count)}
            assert error_level(replace(known, claims=claims)) == 1e-6 / share


class TestSeeds:
    def test_the_same_seed_gives_the_same_results(self, alone):
        first = Run(FEW).execute()
        assert outcomes(first) == outcomes(Run(FEW, anew=True).execute())

    def test_another_seed_gives_other_samples(self, alone):
        first, second = Run(FEW).execute(), Run(FEW, seed=1).execute()
        assert len({one[MEAN].outcome.numbers["p_value"] for one in (first, second)}) == 2

    def test_a_check_alone_does_what_it_does_among_others(self, alone):
        among = Run(FEW).execute()[MEAN]
        by_itself = Run(("demo.mean",), anew=True).execute()[MEAN]
        assert outcomes({0: among}) == outcomes({0: by_itself})


class TestLabels:
    def test_they_name_exactly_the_computation(self, alone, monkeypatch):
        known = catalogue()

        def label(run, known=known):
            return run.labels(known)[MEAN]

        def changed(**what):
            one = known.claims["demo.mean"]
            (item,) = one.evidence
            claims = {**known.claims, one.id: replace(one, evidence=(replace(item, **what),))}
            return replace(known, claims=claims)

        same = [Run(FEW), Run(FEW[::-1]), Run(FEW + FEW), Run(FEW, jobs=7), Run(FEW, anew=True)]
        assert {label(run) for run in (*same, Run(("demo.mean",)))} == {label(Run(FEW))}
        others = {label(Run(FEW)), label(Run(FEW, Profile.FULL)), label(Run(FEW, seed=1))}
        others |= {label(Run(FEW), changed(fingerprint="other"))}
        monkeypatch.setattr(runner, "error_level", lambda known: 5e-7)
        others |= {label(Run(FEW))}
        assert len(others) == 5
        assert all(" " not in word for found in others for word in found)
        assert Run(FEW).labels(known)["demo.square", "decided"][4] == "-"

    def test_a_worker_that_finds_other_code_stops_the_run(self, alone):
        with pytest.raises(CodeChangedError):
            runner._examined("demo.square", "decided", "quick", 0, 1e-6, "older code")


class TestResuming:
    def test_nothing_finished_is_repeated_but_on_request(self, alone):
        with pytest.raises(Killed):
            Run(FEW).execute(killed_after(2))
        done = [("decided", True), ("product_over_bound", True)]
        assert heard_in(Run(FEW)) == [*done, ("sample_mean", False)]
        assert heard_in(Run(FEW)) == [*done, ("sample_mean", True)]
        assert list(Run(FEW).kept(catalogue())) == tasks(FEW)
        again = Run(FEW, anew=True)
        assert again.kept(catalogue()) == {}
        assert [kept for _, kept in heard_in(again)] == [False] * 3

    def test_results_come_in_reading_order_whenever_they_were_computed(self, alone, monkeypatch):
        whole = outcomes(Run(FEW).execute())
        compute = Run._compute
        monkeypatch.setattr(Run, "_compute", lambda run, tasks, *how: compute(run, tasks[::-1], *how))
        found = Run(FEW, anew=True).execute()
        assert list(found) == tasks(FEW)
        assert outcomes(found) == whole == outcomes(stored(Run(FEW).labels(catalogue())))

    @pytest.mark.parametrize("cut", [1, 20, 200])
    def test_a_torn_last_line_is_computed_again(self, alone, cut):
        whole = outcomes(Run(FEW).execute())
        (alone / "results.jsonl").unlink()
        with pytest.raises(Killed):
            Run(FEW).execute(killed_after(2))
        path = alone / "results.jsonl"
        path.write_bytes(path.read_bytes()[:-cut])
        with pytest.raises(Killed):
            Run(FEW).execute(killed_after(2))
        heard = []
        results = Run(FEW).execute(lambda one, kept: heard.append(kept))
        assert heard == [True, True, False]
        assert outcomes(results) == whole

    def test_another_seed_or_profile_does_not_take_the_results_over(self, alone):
        Run(FEW).execute()
        for other in (Run(FEW, seed=1), Run(FEW, Profile.FULL)):
            assert [kept for _, kept in heard_in(other)] == [False] * 3
        assert [kept for _, kept in heard_in(Run(FEW))] == [True] * 3

    def test_two_runs_may_go_on_at_a_time(self, alone):
        inside = []

        def again(one, kept):
            if not inside:
                inside.append(Run(FEW).execute())

        assert outcomes(Run(FEW).execute(again)) == outcomes(inside[0])
        assert [kept for _, kept in heard_in(Run(FEW))] == [True] * 3
        assert len(Store(alone / "results.jsonl").read()) == 3


class TestLatestResults:
    @staticmethod
    def judged(*what, **how):
        run = Run(*what, **how)
        return run.judged(run.execute())

    def test_newer_results_join_older_ones(self, alone):
        self.judged(("demo.square",))
        self.judged(("demo.mean",), seed=1)
        assert set(latest(catalogue())) == {("demo.square", "decided"), MEAN}
        before = latest(catalogue())[MEAN].outcome
        self.judged(("demo.mean",), seed=2)
        found = latest(catalogue())
        assert found[MEAN].outcome != before
        assert isinstance(found["demo.square", "decided"], EvidenceResult)
        assert {one.seed for one in standings(catalogue()).values()} == {0, 2}

    def test_what_was_not_judged_has_no_verdict(self, alone):
        Run(FEW).execute()
        assert standings(catalogue()) == latest(catalogue()) == {}
        judged = self.judged(FEW)
        assert list(standings(catalogue())) == list(judged)

    def test_verdicts_of_other_claims_stay(self, alone):
        self.judged(("demo.square",))
        before = standings(catalogue())
        self.judged(("demo.mean",))
        after = standings(catalogue())
        assert set(after) == {"demo.square", "demo.mean"}
        assert after["demo.square"] == before["demo.square"]

    def test_a_smaller_profile_does_not_hide_what_a_larger_one_found(self, alone):
        self.judged(("demo.patient",))
        assert not standings(catalogue())["demo.patient"].complete
        self.judged(("demo.patient",), Profile.FULL)
        found = standings(catalogue())["demo.patient"]
        assert (found.complete, found.label, found.profile) == (True, "holds", "full")
        self.judged(("demo.patient", "demo.square"))
        now = standings(catalogue())
        assert (now["demo.patient"], now["demo.square"].profile) == (found, "quick")
        assert ("demo.patient", "power_over") in latest(catalogue())

    def test_a_verdict_that_is_known_is_not_written_again(self, alone):
        self.judged(("demo.square",))
        before = (alone / "verdicts.jsonl").read_bytes()
        self.judged(("demo.square",))
        assert (alone / "verdicts.jsonl").read_bytes() == before
        self.judged(("demo.square", "demo.mean"))
        after = (alone / "verdicts.jsonl").read_bytes()
        assert after.startswith(before)
        assert (before.count(b"\n"), after.count(b"\n")) == (1, 2)

    def test_a_verdict_without_the_answers_that_it_is_from_is_not_shown(self, alone):
        self.judged(FEW)
        assert set(standings(catalogue())) == {*FEW}
        results = Store(alone / "results.jsonl")
        kept = results.read()
        results.path.write_bytes(b"")
        assert standings(catalogue()) == {}
        results.extend([(label, one) for label, one in kept.items() if label[0] != "demo.half"])
        assert set(standings(catalogue())) == {*FEW} - {"demo.half"}


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

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_a_killed_run_goes_on_where_it_was(self, house, whole, jobs):
        state, report = house.folder / f"killed{jobs}", house.folder / f"killed{jobs}.json"
        command, results = ("check", "--json", report, "--jobs", jobs), state / "results.jsonl"
        process = house.start(*command, state=state, pause=0.15)
        wait_until(lambda: results.exists() and b"demo.slow" in results.read_bytes())
        os.killpg(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
        process.stdout.close()
        process.stderr.close()
        finished = {label[0] for label in Store(results).read()} & set(SLOW)
        assert finished
        assert finished < set(SLOW)
        assert not report.exists()
        house.log.unlink()

        code, _, said = house.run(*command, state=state)
        assert code == 0
        assert " of 14 checks were done before with the same code" in said
        assert set(house.traces()) == set(SLOW) - finished
        assert report.read_bytes() == whole
        house.log.unlink()

    def test_a_second_run_does_nothing_and_says_the_same(self, house, whole):
        """And so does one in two processes, which is the first here."""
        state, report = house.folder / "twice", house.folder / "twice.json"
        written = []
        for jobs, options in ((2, ()), (1, ()), (1, ("--anew",))):
            command = ("check", "--jobs", jobs, "--json", report, *options)
            code, text, said = house.run(*command, state=state)
            assert (code, report.read_bytes()) == (0, whole)
            written.append(text)
            assert set(house.traces()) == (set(SLOW) if jobs == 2 or options else set())
            assert ("checks were done before" in said) == (not house.traces())
            house.log.unlink(missing_ok=True)
            report.unlink()
        assert written[0] == written[1] == written[2]

    def test_two_runs_side_by_side_fill_one_store(self, house, whole):
        state = house.folder / "beside"
        reports = [house.folder / f"beside{number}.json" for number in (1, 2)]
        runs = [
            house.start("check", "--jobs", 1, "--json", report, state=state, pause=0.05) for report in reports
        ]
        for run in runs:
            assert run.communicate(timeout=PATIENCE)
            assert run.returncode == 0
        assert [report.read_bytes() for report in reports] == [whole, whole]
        assert len(Store(state / "results.jsonl").read()) == 14
        house.log.unlink()
        assert house.run("check", state=state)[0] == 0
        assert house.traces() == []

    def test_changed_code_makes_old_verdicts_unknown(self, house):
        house.run("check", "demo.square", "--jobs", 1)
        assert "verdict: holds (proved)" in house.run("show", "demo.square")[1]
        house.edit("theorems/engine/judging/examine.py", "\n__all__", "\nNEW = 1\n__all__")
        assert "not checked yet with this code" in house.run("show", "demo.square")[1]
