"""What the commands that read cost before they print: seconds of CPU, and in starts of Python."""

import os
import resource
import statistics
import subprocess
import sys

from rich.console import Console
from rich.table import Table

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
}
REPEATS = 5


def seconds(arguments: tuple[str, ...]) -> float:
    """The CPU time of a command, of its own and of the system for it: the median of some runs."""
    python = arguments if arguments == BARE else ("-m", "theorems.interface.cli", *arguments)
    found = []
    for _ in range(REPEATS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *python], stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(found)


def run(console: Console) -> None:
    """Commands against the start of Python, in one run; the catalogue is made before."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    seconds(COMMANDS["list"])
    table = Table(title="Start-up: CPU until a command ends", box=None)
    for column in ("command", "seconds", "starts of Python"):
        table.add_column(column, justify="left" if column == "command" else "right")
    bare = seconds(BARE)
    for name, arguments in COMMANDS.items():
        spent = bare if arguments == BARE else seconds(arguments)
        table.add_row(name, f"{spent:.2f}", f"{spent / bare:.0f}")
    console.print(table)
