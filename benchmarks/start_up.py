"""What the commands cost before they print: seconds of CPU, and in starts of Python."""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from theorems.engine.running.catalogue import catalogue
from theorems.engine.running.standing import standings

BARE = ("-c", "pass")
COMMANDS = {
    "Python alone": BARE,
    "--version": ("--version",),
    "--help": ("--help",),
    "list": ("list",),
    "search": ("search", "softmax"),
    "contents": ("contents", "eoc"),
    "contents --at": ("contents", "eoc", "--at", "Proposition 17"),
    "show": ("show", "eoc.prop17"),
    "eval": ("eval", "varrho(0.3, delta=1)"),
    "constants": ("constants",),
    "latex ID": ("latex", "eoc.prop17"),
}
#: What tells of a run, from one over all claims in the present folder.
AFTER_A_RUN = {
    "check": ("check", "--jobs", "1"),
    "check ID": ("check", "eoc.prop17", "--jobs", "1"),
    "trusts": ("trusts",),
    "latex --all": ("latex", "--all"),
}
REPEATS = 5


def seconds(
    arguments: tuple[str, ...], repeats: int = REPEATS, settings: Mapping[str, str] | None = None
) -> float:
    """The CPU time of a command, of its own and of the system for it: the median of some runs."""
    python = arguments if arguments == BARE else ("-m", "theorems.interface.start", *arguments)
    surroundings = {**os.environ, **(settings or {})}
    found = []
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, *python],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
            env=surroundings,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(found)


def first_show() -> float:
    """The CPU time of a page where nothing was ever made or checked."""
    with tempfile.TemporaryDirectory() as empty:
        settings = {"THEOREMS_CACHE": f"{empty}/cache", "THEOREMS_STATE": f"{empty}/state"}
        return seconds(COMMANDS["show"], 1, settings)


def run(console: Console) -> None:
    """Commands against the start of Python, in one run; the catalogue is made before."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for made in ("list", "constants", "latex ID"):
        seconds(COMMANDS[made], 1)
    table = Table(title="Start-up: CPU until a command ends", box=None)
    for column in ("command", "seconds", "starts of Python"):
        table.add_column(column, justify="left" if column == "command" else "right")
    found = {name: seconds(arguments) for name, arguments in COMMANDS.items()}
    bare = found["Python alone"]
    found["show, with nothing made before"] = first_show()
    known = catalogue()
    if len(standings(known)) == len(known.claims):
        found |= {name: seconds(arguments, 1) for name, arguments in AFTER_A_RUN.items()}
        with tempfile.TemporaryDirectory() as folder:
            found["report"] = seconds(("report", "--out", folder), 1)
    for name, spent in found.items():
        table.add_row(name, f"{spent:.2f}", f"{spent / bare:.0f}")
    console.print(table)
