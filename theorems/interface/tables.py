"""Tables for the terminal: a line a claim, counts by verdict and grade."""

import json
import os
import pydoc
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from theorems.engine.claims.kinds import Answer, Verdict
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.judging.answers import plain
from theorems.engine.running.standing import Standing

if TYPE_CHECKING:
    from theorems.engine.judging.judge import Judgement

__all__ = ["ANSWER_STYLE", "STYLE", "VERDICT_COLUMNS", "claim_table", "console", "counts", "entry"]
__all__ += ["judged", "narrow_table", "paged", "plain_table", "print_json", "summary_table"]
__all__ += ["verdict_cells"]

#: Columns: with fewer, an id and its title do not fit on a line with the verdict.
_WIDE = 110
#: What a verdict and a grade take on a narrow terminal.
VERDICT_COLUMNS = {"verdict": 16, "grade": 9}
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
    few = (sys.stdout.encoding or "").lower() not in {"utf-8", "utf8"}
    sys.stdout.write(json.dumps(plain(data), indent=1, ensure_ascii=few) + "\n")


def plain_table(*columns: str, right: Iterable[str] = (), whole: Iterable[str] = ()) -> Table:
    """A table without lines.

    The columns named in ``right`` are set to the right, and the lines of those in ``whole`` are
    never broken.
    """
    table = Table(box=None, header_style="bold", pad_edge=False)
    to_the_right, unbroken = set(right), set(whole)
    for column in columns:
        justify: JustifyMethod = "right" if column in to_the_right else "left"
        table.add_column(column, justify=justify, no_wrap=column in unbroken)
    return table


def narrow_table(width: int, first: str, others: Mapping[str, int]) -> Table | None:
    """A table for a narrow terminal, its first column wide and the others of these widths.

    None where the terminal is wide enough for a line a row.
    """
    if width >= _WIDE:
        return None
    table = plain_table()
    table.add_column(first, width=width - sum(others.values()) - 2 * len(others))
    for column, room in others.items():
        table.add_column(column, width=room)
    return table


def entry(head: str, *lines: str, indent: int = 0, style: str = "") -> RenderableType:
    """A cell of a narrow table: an id, fit for copying, and below it what there is to say."""
    below = (Padding(Text(line, "dim"), (0, 0, 0, indent + 2)) for line in lines)
    return Group(Text(" " * indent + head, style, no_wrap=True), *below)


def claim_table(claims: Iterable[ClaimRecord], found: Mapping[str, Standing] | None, width: int) -> Table:
    """One line a claim, with its verdict if any are known.

    On a terminal of a small width the title stands below the id.
    """
    narrow = narrow_table(width, "claim", {} if found is None else VERDICT_COLUMNS)
    whole = ("claim", *(() if found is None else ("verdict", "grade", "tightness")))
    table = narrow or plain_table(*whole, "title", whole=whole)
    for claim in claims:
        cells = () if found is None else verdict_cells(found.get(claim.id))
        if narrow is not None:
            narrow.add_row(entry(claim.id, claim.title), *cells[:2])
        else:
            table.add_row(claim.id, *cells, Text(claim.title))
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
