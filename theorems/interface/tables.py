"""Tables for the terminal: a line a claim, counts by verdict and grade."""

import json
import os
import pydoc
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from theorems.engine.claims.kinds import Answer, Verdict
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.judging.answers import plain
from theorems.engine.running.standing import Standing

if TYPE_CHECKING:
    from theorems.engine.judging.judge import Judgement

__all__ = [
    "ANSWER_STYLE",
    "STYLE",
    "claim_table",
    "console",
    "counts",
    "judged",
    "paged",
    "plain_table",
]
__all__ += ["print_json", "summary_table", "verdict_cells"]

STYLE = {Verdict.HOLDS: "green", Verdict.FALSE: "red", Verdict.OPEN: "yellow"}
ANSWER_STYLE = {Answer.ACCEPTED: "green", Answer.REJECTED: "red", Answer.UNDECIDED: "yellow"}


def console() -> Console:
    """The terminal, or a wide page where the output is read by something else.

    The variable COLUMNS, if it is a positive number, gives the width of both.
    """
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns) > 0:
        return Console(width=int(columns))
    return Console(width=None if sys.stdout.isatty() and not columns.isdigit() else 160)


@contextmanager
def paged() -> Iterator[Console]:
    """The terminal; what is longer than it goes through the pager, which the user can leave.

    The pager is that of the variable PAGER; where output goes to a file there is none.
    """
    terminal = console()
    if not terminal.is_terminal:
        yield terminal
        return
    with terminal.capture() as captured:
        yield terminal
    text = captured.get()
    if text.count("\n") < terminal.height:
        sys.stdout.write(text)
    else:
        os.environ.setdefault("LESS", "-RFX")  # colours, and no pager for what fits after all
        pydoc.pager(text)


def print_json(data: Any) -> None:
    """Plain data on the standard output."""
    sys.stdout.write(json.dumps(plain(data), indent=1, ensure_ascii=False) + "\n")


def plain_table(*columns: str, right: Iterable[str] = ()) -> Table:
    """A table without lines; the columns named in ``right`` are set to the right."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in set(right) else "left")
    return table


def claim_table(claims: Iterable[ClaimRecord], found: Mapping[str, Standing]) -> Table:
    """One line a claim."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    shown = list(claims)
    # On a narrow terminal the title gives way: an id must stay fit for copying.
    width = max((len(claim.id) for claim in shown), default=0)
    table.add_column("claim", no_wrap=True, min_width=width)
    for column in ("verdict", "grade", "tightness", "title"):
        table.add_column(column, no_wrap=column != "title")
    for claim in shown:
        table.add_row(claim.id, *verdict_cells(found.get(claim.id)), Text(claim.title))
    return table


def verdict_cells(standing: Standing | None) -> tuple[Text, str, str]:
    """Verdict, grade and tightness."""
    if standing is None:
        return Text("not checked", "dim"), "", ""
    mark = (" !" if standing.problems else "") + ("" if standing.complete else " (in part)")
    tight = standing.tightness
    return (
        Text(standing.label + mark, STYLE[standing.verdict]),
        "" if standing.grade is None else str(standing.grade),
        "" if tight is None else f"{tight:.4g}",
    )


def judged(standing: Standing) -> str:
    """A verdict in words, with its grade where that says more."""
    grade = "" if standing.grade is None else str(standing.grade)
    words = standing.label if grade in {"", standing.label} else f"{standing.label}, {grade}"
    return words + ("" if standing.complete else " (in part)")


def summary_table(found: Mapping[str, Standing]) -> Table:
    """Counts by verdict and grade."""
    table = plain_table("verdict", "grade", "claims", right=["claims"])
    for (label, grade), count in counts(found).items():
        style = next((STYLE[one] for one in Verdict if label.startswith(one.value)), "")
        table.add_row(Text(label, style), grade, str(count))
    return table


def counts(found: "Mapping[str, Standing | Judgement]") -> dict[tuple[str, str], int]:
    """How many claims there are of each verdict and grade."""
    seen = Counter((one.label, str(one.grade or "")) for one in found.values())
    return dict(sorted(seen.items()))
