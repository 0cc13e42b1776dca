"""Where the tests of a run keep results and catalogues: a folder of the run, never the user's own.

All processes of a run share it, those that the tests start included, so that what takes long is
made once.
"""

import os
import tempfile
from pathlib import Path

from filelock import FileLock

_VARIABLE = "THEOREMS_OF_THIS_TEST_RUN"

if "PYTEST_XDIST_WORKER" not in os.environ:
    _TEMPORARY = tempfile.TemporaryDirectory(prefix="theorems-tests-")  # goes with this process
    os.environ[_VARIABLE] = _TEMPORARY.name

RUN_FOLDER = Path(os.environ[_VARIABLE])
STATE, CACHE, CACHE_OF_DEMO = (RUN_FOLDER / name for name in ("state", "cache", "demo"))
CACHE_OF_DEMO.mkdir(exist_ok=True)
os.environ |= {"THEOREMS_STATE": str(STATE), "THEOREMS_CACHE": str(CACHE)}
os.environ.setdefault("SYMPY_CACHE_SIZE", "100000")  # as the command does
# Answers of the solver depend on the question alone, so that runs and tests share them.
os.environ.setdefault("THEOREMS_ANSWERS", str(Path(__file__).parents[2] / ".theorems"))


def whole_catalogue():
    """The catalogue of all papers: one process of the run makes it while the others wait."""
    from theorems.engine.running.catalogue import catalogue

    with FileLock(RUN_FOLDER / "catalogue.lock"):
        return catalogue()
