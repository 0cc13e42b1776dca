"""Pages whose console blocks are what the commands print: run them, compare, or write them anew.

A console block has a command after each ``$`` and below it what it prints.  ``python
tests/support/console_pages.py manual/tour.md`` writes the outputs of the page anew.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands(page):
    """Each command of a page with the output that the page shows, in order."""
    for block in BLOCK.findall(page):
        for one in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = one.partition("\n")
            yield command, shown.rstrip("\n")


def surroundings(page, folder):
    """A folder for the results, the width that the page names, and no colours."""
    (width,) = set(re.findall(r"COLUMNS=(\d+)", page))
    return {
        **os.environ,
        "COLUMNS": width,
        "TERM": "dumb",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT),
        "THEOREMS_STATE": str(folder),
    }


def printed(command, environment):
    """What a command writes, without the blanks at the ends of lines; other streams are left out.

    A command that fails stops: a page shows none that does.
    """
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stderr}"
    return "\n".join(line.rstrip() for line in done.stdout.splitlines()).rstrip("\n")


def renewed(page):
    """The page with the outputs of a run of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environment = surroundings(page, folder)

        def block(found):
            lines = [
                f"$ {command}\n{printed(command, environment)}".rstrip("\n")
                for command, _ in commands(found[0])
            ]
            return "```console\n" + "\n".join(lines) + "\n```"

        return BLOCK.sub(block, page)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
