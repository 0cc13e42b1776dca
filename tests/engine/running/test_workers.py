"""Processes that work for a command end with it, however it ends."""

import os
import signal
import subprocess
import time
from concurrent.futures import BrokenExecutor

import pytest
from trying import each

from theorems.engine.running.workers import in_workers

COMMAND = ("check", "demo.slow", "--jobs", 2)


def group_of(leader, column="pgid="):
    """The processes of a group, or the children of a process, that still run; their commands."""
    columns = ["pid=", column, "stat=", "command="]
    command = ["ps", "-A", "-ww", *(part for column in columns for part in ("-o", column))]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=3) for line in listed.splitlines()]
    return {
        int(row[0]): row[3] for row in rows if int(row[1]) == leader and not row[2].startswith("Z")
    }


def seconds_until(condition, limit):
    begun = time.monotonic()
    while not condition():
        assert time.monotonic() - begun < limit, "waited too long"
        time.sleep(0.02)
    return time.monotonic() - begun


class TestEnds:
    def begun(self, house):
        """A command whose two workers have begun checks that take a minute."""
        house.log.unlink(missing_ok=True)
        process = house.start(*COMMAND, pause=60)
        seconds_until(lambda: len(house.traces()) == 2, 60)
        assert len(group_of(process.pid)) >= 3
        return process

    def test_a_terminated_command_ends_at_once_with_its_workers(self, house):
        process = self.begun(house)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=10)
        assert process.returncode == 143
        assert "Traceback" not in said
        seconds_until(lambda: not group_of(process.pid), 15)

    def test_an_interrupted_command_says_how_to_go_on(self, house):
        process = self.begun(house)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=10)
        assert process.returncode == 130
        assert said.splitlines()[-1] == "interrupted; the same command goes on from here"
        seconds_until(lambda: not group_of(process.pid), 15)

    def test_workers_of_a_killed_command_end_by_themselves(self, house):
        process = self.begun(house)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        seconds_until(lambda: not group_of(process.pid), 15)
        process.stdout.close()
        process.stderr.close()

    def test_a_worker_that_dies_is_told_in_a_line(self, house):
        process = self.begun(house)
        workers = [one for one, said in group_of(process.pid).items() if "popen_loky" in said]
        os.kill(workers[0], signal.SIGKILL)
        _, said = process.communicate(timeout=30)
        assert process.returncode == 2
        assert "theorems: a worker process died; the same command goes on from here" in said
        assert "Traceback" not in said
        seconds_until(lambda: not group_of(process.pid), 15)


def after(seconds):
    time.sleep(seconds)


def here(number):
    return number, os.getpid()


def dies(number):
    os.kill(os.getpid(), signal.SIGKILL)


class TestWork:
    def test_all_is_done_once_in_other_processes(self):
        found = list(in_workers(2, here, [(number,) for number in range(5)]))
        assert sorted(number for number, _ in found) == list(range(5))
        assert os.getpid() not in {process for _, process in found}

    @each("jobs, count", (1, 3), (4, 1), (4, 0))
    def test_what_needs_no_worker_has_none(self, jobs, count):
        arguments = [(number,) for number in range(count)]
        assert list(in_workers(jobs, here, arguments)) == [(n, os.getpid()) for (n,) in arguments]

    def test_what_is_not_waited_for_any_more_is_not_worked_for(self):
        def workers():
            found = group_of(os.getpid(), "ppid=").items()
            return {one for one, said in found if "popen_loky" in said}

        found = in_workers(2, after, [(0,), (60,), (60,)])
        next(found)
        busy = workers()
        assert busy
        found.close()
        seconds_until(lambda: not busy & workers(), 15)

    def test_the_signal_means_what_it_meant_before(self):
        before = signal.getsignal(signal.SIGTERM)
        list(in_workers(2, here, [(1,), (2,)]))
        assert signal.getsignal(signal.SIGTERM) is before
        with pytest.raises(BrokenExecutor):
            list(in_workers(2, dies, [(1,), (2,)]))
        assert signal.getsignal(signal.SIGTERM) is before
        assert len(list(in_workers(2, here, [(1,), (2,)]))) == 2, "the next run has new workers"
