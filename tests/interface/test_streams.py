"""Output to a full device, to nothing, in few characters, and interrupts at the beginning."""

import json
import subprocess
import sys

import pytest
from house import House, patient
from patience import PATIENCE
from trying import each

from theorems.interface import start, streams

COMMAND = f"{sys.executable} -m theorems.interface.start"


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The demonstration, one claim of which was checked."""
    house = House(tmp_path_factory.mktemp("house"))
    house.install("demo")
    assert house.run("check", "demo.half", "--jobs", 1)[0] == 0
    return house


def shell(house, command, **settings):
    """The exit code of a command of the shell, and what it wrote to the two streams."""
    done = subprocess.run(
        ["bash", "-c", command.replace("theorems", COMMAND)],
        check=False,
        cwd=house.folder,
        env=house.surroundings(**settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return done.returncode, done.stdout, patient(done.stderr)


FULL = "theorems: the output could not be written: No space left on device\n"
#: Commands with what is done to their streams: exit code, and what is complained of.
REDIRECTED = {
    "theorems list > /dev/full": (74, FULL),
    "theorems show demo.half > /dev/full": (74, FULL),
    "theorems cite demo.half > /dev/full": (74, FULL),
    "theorems list >&-": (0, ""),
    "theorems list 2>&-": (0, ""),
    "theorems show demo.none >&- 2>&-": (2, ""),
    "theorems show demo.none 2> /dev/full": (2, ""),
    "theorems check demo.half --anew --jobs 1 >&- 2>&-": (0, ""),
    "theorems check demo.half --anew --jobs 1 > /dev/full 2>&1": (74, ""),
    "theorems check demo.half --anew --jobs 1 2> /dev/full": (0, ""),
    "theorems cite demo.half | true; exit ${PIPESTATUS[0]}": (141, ""),
}


@each("command", *REDIRECTED)
def test_what_is_done_to_the_streams_ends_in_no_traceback(house, command):
    code, _, said = shell(house, command)
    if "| true" in command:  # which may be there long enough to read it
        assert (code in {0, 141}, said) == (True, "")
    else:
        assert (code, said) == REDIRECTED[command]


def test_characters_that_are_missing_are_written_by_number(house):
    few = {"PYTHONIOENCODING": "ascii"}
    for command in ("list", "show demo.half", "show demo", "contents demo", "check demo.half"):
        code, written, said = shell(house, f"theorems {command}", **few)
        assert (code, "Traceback" in said) == (0, False)
        assert written.isascii()
    assert r"\u2264" in shell(house, "theorems show demo.half", **few)[1]
    known = json.loads(shell(house, "theorems show demo.half --json")[1])
    assert json.loads(shell(house, "theorems show demo.half --json", **few)[1]) == known


class Interrupting:
    """What finds modules is interrupted at one of them."""

    def __init__(self, name):
        self.name = name

    def find_spec(self, name, *_):
        if name == self.name:
            raise KeyboardInterrupt


def test_an_interrupt_while_the_command_line_is_loaded(monkeypatch, capfd):
    name = "theorems.interface.cli"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(name), *sys.meta_path])
    assert start.main() == 130
    assert capfd.readouterr() == ("", "")


def test_a_stream_that_is_closed_takes_everything(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    streams.make_ready()
    print("nobody reads this")
    print("nor this", file=sys.stderr)
    assert streams.finished(5) == 5
    sys.stdout.close()
    sys.stderr.close()
