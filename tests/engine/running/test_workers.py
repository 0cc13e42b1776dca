"""Processes that work for a command end with it, however it ends."""

import errno
import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import BrokenExecutor

import pytest
from joblib.externals.loky import process_executor
from patience import AGES, PATIENCE, wait_until
from trying import each

from theorems.engine.running.workers import WorkerDiedError, in_workers, one_by_one

COMMAND = ("check", "demo.slow", "--jobs", 2)


def group_of(leader, column="pgid="):
    """The processes of a group, or the children of a process, that still run; their commands."""
    columns = ["pid=", column, "stat=", "command="]
    command = ["ps", "-A", "-ww", *(part for column in columns for part in ("-o", column))]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split(maxsplit=3) for line in listed.splitlines()]
    return {int(row[0]): row[3] for row in rows if int(row[1]) == leader and not row[2].startswith("Z")}


class TestEnds:
    def begun(self, house):
        """A command whose two workers have begun checks that take for ages."""
        house.log.unlink(missing_ok=True)
        process = house.start(*COMMAND, pause=AGES)
        wait_until(lambda: len(house.traces()) == 2)
        assert len(group_of(process.pid)) >= 3
        return process

    def test_a_terminated_command_ends_at_once_with_its_workers(self, house):
        process = self.begun(house)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 143
        assert "Traceback" not in said
        wait_until(lambda: not group_of(process.pid))

    def test_an_interrupted_command_says_how_to_go_on(self, house):
        process = self.begun(house)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 130
        assert said.splitlines()[-1] == "theorems: interrupted; the same command goes on from here"
        wait_until(lambda: not group_of(process.pid))

    def test_workers_of_a_killed_command_end_by_themselves(self, house):
        process = self.begun(house)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        wait_until(lambda: not group_of(process.pid))
        process.stdout.close()
        process.stderr.close()

    def test_a_worker_that_dies_loses_nothing(self, house):
        house.log.unlink(missing_ok=True)
        process = house.start(*COMMAND, "--anew", pause=1.5)
        wait_until(lambda: len(house.traces()) == 2)
        workers = [one for one, said in group_of(process.pid).items() if "popen_loky" in said]
        os.kill(workers[0], signal.SIGKILL)
        written, said = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
        assert "every claim came out as declared" in written
        assert "theorems: 2 pieces of evidence are undecided, or without an answer: " in said
        assert "Traceback" not in said
        assert len(house.traces()) == 6 + 2
        wait_until(lambda: not group_of(process.pid))

    def test_a_check_that_kills_its_worker_is_named_and_the_others_go_on(self, house):
        state = house.folder / "fatal"
        code, written, said = house.run(*COMMAND, state=state, DEMO_FATAL="demo.slow.3")
        assert code == 1
        assert "Traceback" not in said
        assert written.splitlines()[-4:] == [
            "",
            "1 answer is missing, asked for twice; that is no verdict about the paper:",
            "  demo.slow.3: below is undecided: the process that examined it died, with nothing"
            " beside it as well",
            "ask again: theorems check demo.slow.3",
        ]
        listed = house.run("list", state=state)[1].splitlines()
        slow = {line.split()[0]: "not checked" in line for line in listed if "demo.slow" in line}
        assert slow == {f"demo.slow.{n}": n == 3 for n in range(1, 7)}
        house.log.unlink()
        assert house.run(*COMMAND, state=state)[0] == 0
        assert house.traces() == ["demo.slow.3"]


def after(seconds):
    time.sleep(seconds)


def here(number):
    return number, os.getpid()


def lives(_number):
    return gc.get_threshold(), process_executor._get_memory_usage(os.getpid(), force_gc=True)


def dies(number):
    os.kill(os.getpid(), signal.SIGKILL)


class TestWork:
    def test_all_is_done_once_in_other_processes(self):
        found = list(in_workers(2, here, [(number,) for number in range(5)]))
        assert sorted(number for number, _ in found) == list(range(5))
        assert os.getpid() not in {process for _, process in found}

    def test_they_look_for_garbage_as_this_process_and_may_grow(self):
        before = gc.get_threshold()
        gc.set_threshold(12_345, 6, 7)
        try:
            assert list(in_workers(2, lives, [(1,), (2,)])) == [((12_345, 6, 7), 0)] * 2
        finally:
            gc.set_threshold(*before)

    @each("jobs, count", (1, 3), (4, 1), (4, 0))
    def test_what_needs_no_worker_has_none(self, jobs, count):
        arguments = [(number,) for number in range(count)]
        assert list(in_workers(jobs, here, arguments)) == [(n, os.getpid()) for (n,) in arguments]

    def test_what_is_not_waited_for_any_more_is_not_worked_for(self):
        def workers():
            found = group_of(os.getpid(), "ppid=").items()
            return {one for one, said in found if "popen_loky" in said}

        found = in_workers(2, after, [(0,), (AGES,), (AGES,)])
        next(found)
        busy = workers()
        assert busy
        found.close()
        wait_until(lambda: not busy & workers())

    def test_nothing_is_looked_for_after_an_early_end(self, monkeypatch):
        """The pool's thread would end in a KeyError, printed after what the command says."""
        heard = []
        monkeypatch.setattr(threading, "excepthook", heard.append)
        for _ in range(4):
            found = in_workers(2, time.sleep, [(0.05,)] * 60)
            assert [next(found) for _ in range(5)] == [None] * 5
            found.close()
            for thread in threading.enumerate():
                if isinstance(thread, process_executor._ExecutorManagerThread):
                    thread.join(PATIENCE)
        assert not heard

    def test_a_note_that_a_worker_writes_while_it_is_ended_is_no_fault(self, monkeypatch, tmp_path):
        def not_empty(path, **_):
            raise OSError(errno.ENOTEMPTY, "Directory not empty", path)

        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        monkeypatch.setattr(os, "rmdir", not_empty)
        assert list(in_workers(2, time.sleep, [(0.01,)] * 4)) == [None] * 4
        assert list(tmp_path.iterdir()), "the folder was where it was looked for"

    def test_the_signal_means_what_it_meant_before(self):
        before = signal.getsignal(signal.SIGTERM)
        list(in_workers(2, here, [(1,), (2,)]))
        assert signal.getsignal(signal.SIGTERM) is before
        with pytest.raises(BrokenExecutor):
            list(in_workers(2, dies, [(1,), (2,)]))
        assert signal.getsignal(signal.SIGTERM) is before
        assert len(list(in_workers(2, here, [(1,), (2,)]))) == 2, "the next run has new workers"


def dies_at(number, fatal, once=None):
    """End the process at one argument, or at it for the first time only."""
    if number == fatal and (once is None or not once.exists()):
        if once is not None:
            once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


class TestDeaths:
    def test_it_is_told_at_what_the_workers_were(self):
        found, arguments = [], [(number, 7) for number in range(20)]
        with pytest.raises(WorkerDiedError) as caught:
            found.extend(in_workers(2, dies_at, arguments))
        assert 7 in caught.value.begun
        assert len(caught.value.begun) <= 2

    def test_one_by_one_goes_on_after_a_death(self, tmp_path):
        """Nothing is tried again by itself: what died has a result when it is asked for anew."""
        arguments = [(number, 1, tmp_path / "died") for number in range(3)]
        assert list(one_by_one(dies_at, arguments)) == [0, None, 2]
        assert list(one_by_one(dies_at, arguments[1:2])) == [1]

    def test_one_by_one_is_in_a_new_process_each_time(self):
        found = list(one_by_one(here, [(1,), (2,)]))
        assert [number for number, _ in found] == [1, 2]
        assert len({process for _, process in found} | {os.getpid()}) == 3

    def test_interrupts_are_left_to_the_process_that_asked(self, tmp_path):
        """In a new process, where all that workers need is begun for the first time."""
        script = tmp_path / "script.py"
        script.write_text(HELD)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        command = [sys.executable, str(script)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout.split() == ["True", "True", "True", "False"]


HELD = """
import signal
from theorems.engine.running.workers import in_workers, one_by_one

def held():
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())

if __name__ == "__main__":
    print(*in_workers(2, held, [(), ()]), *one_by_one(held, [()]), held())
"""
