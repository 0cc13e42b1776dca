"""What a run over all claims from nothing costs, by the grade of evidence; it takes minutes."""

import tempfile
from collections import Counter, defaultdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.start_up import BARE, seconds
from theorems.engine.running.catalogue import catalogue
from theorems.engine.running.store import Store

JOBS = 2


def run(console: Console) -> None:
    """CPU of `theorems check` where nothing was made or kept before, and of the same once more.

    Seconds differ between machines, and between processors that share a core; starts of Python,
    in the same run, less so.
    """
    with tempfile.TemporaryDirectory() as empty:
        settings = {"THEOREMS_CACHE": f"{empty}/cache", "THEOREMS_STATE": f"{empty}/state"}
        bare = seconds(BARE)
        first, again = (seconds(("check", "--jobs", str(JOBS)), 1, settings) for _ in range(2))
        pieces, spent = _by_grade(Path(empty, "state", "results.jsonl"))
    table = Table(title="A run over all claims: CPU", box=None)
    for column in ("evidence", "pieces", "seconds", "share", "starts of Python"):
        table.add_column(column, justify="left" if column == "evidence" else "right")
    rows = {grade: (str(pieces[grade]), one) for grade, one in spent.items()}
    rows["to load, to judge, to print"] = "", first - sum(spent.values())
    rows["everything"] = str(pieces.total()), first
    rows["everything, once more"] = "", again
    for name, (count, one) in rows.items():
        table.add_row(name, count, f"{one:.1f}", f"{100 * one / first:.0f} %", f"{one / bare:.0f}")
    console.print(table)


def _by_grade(results: Path) -> tuple[Counter[str], dict[str, float]]:
    """How many pieces of evidence of each grade there are, and for how many seconds they ran."""
    claims = catalogue().claims
    grades = {(one.id, item.name): str(item.grade) for one in claims.values() for item in one.evidence}
    pieces, spent = Counter[str](), defaultdict[str, float](float)
    for found in Store(results).read().values():
        grade = grades[found["claim_id"], found["name"]]
        pieces[grade] += 1
        spent[grade] += found["seconds"]
    return pieces, dict(sorted(spent.items(), key=lambda one: -one[1]))
