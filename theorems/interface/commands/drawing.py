"""``theorems figure``: list the papers' figures, compute one, draw it, write its data."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from theorems.engine.claims import papers
from theorems.interface.command_errors import check_writable, fail, resumable, written
from theorems.interface.commands.selecting import Jobs, Seed, begun, tell_broken
from theorems.interface.figure import Figure, Row, Size, figures_of, find_figure
from theorems.interface.figure_runs import drawn, figure_rows
from theorems.interface.progress import progress
from theorems.interface.tables import console, plain_table

__all__ = ["figure", "known_figures"]

DRAWINGS, TABLES = (".png", ".pdf", ".svg"), (".csv", ".json")


def _figures_from(incomplete: str) -> list[str]:
    """The ids of figures that begin so."""
    return begun(known_figures, incomplete)


def figure(
    identifier: Annotated[str | None, typer.Argument(metavar="[ID]", autocompletion=_figures_from)] = None,
    out: Annotated[
        Path | None, typer.Option(help="The drawing: .png, .pdf or .svg; by default ID.png.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="Its numbers: .csv or .json.")] = None,
    size: Annotated[Size, typer.Option(help="Seconds, or as much as the paper's.")] = Size.SMALL,
    seed: Seed = 0,
    jobs: Jobs = 2,
) -> None:
    """Compute and draw a figure; without an id, list the figures.

    The numbers depend on the size and the seed, not on the jobs. What is computed is kept: an
    interrupted command goes on when it is given again, and another format costs nothing.

    Example: `theorems figure eoc.fig1 --size paper --out fig1.pdf --data fig1.csv`
    """
    known = known_figures()
    if identifier is None:
        if out is not None or data is not None:
            raise fail("--out and --data are for a figure: give its id as well")
        _list(known.values())
        return
    try:
        one = find_figure(known, identifier)
    except KeyError as error:
        raise fail(str(error.args[0])) from None
    drawing = Path(f"{one.id}.png") if out is None else out
    _check_file("--out", drawing, DRAWINGS)
    if data is not None:
        _check_file("--data", data, TABLES)
    rows = _rows(one, size, seed, jobs)
    if data is not None:
        _write_table(rows, data)
    _draw(one, rows, drawing)
    numbers = [] if data is None else [f"numbers in {data}"]
    typer.echo("\n".join([*one.summary(rows), f"drawn in {drawing}", *numbers]))


def known_figures() -> dict[str, Figure]:
    """The figures of all papers; a paper whose figures cannot be used is told in a line."""
    known: dict[str, Figure] = {}
    found = papers.found_papers()
    broken = dict(found.broken)
    for package in found.packages.values():
        try:
            with papers.loading(package.__name__):
                known |= figures_of([package])
        except Exception as error:
            broken[package.__name__] = papers.reason(error)
    tell_broken(broken)
    return known


def _list(figures: Any) -> None:
    table = plain_table("figure", "place", "title", "claims")
    for one in figures:
        table.add_row(one.id, one.at, one.title, ", ".join(one.claims))
    console().print(table)


def _check_file(option: str, path: Path, endings: tuple[str, ...]) -> None:
    if path.suffix.lower() not in endings:
        raise fail(f"{option}: the name must end in {', '.join(endings)}, got {path}")
    check_writable(option, path.absolute())


def _rows(one: Figure, size: Size, seed: int, jobs: int) -> list[Row]:
    """The table of a figure, with the progress of what is computed."""
    from numeric.networks.sweeps import SweepInProgressError  # noqa: PLC0415 - slow

    try:
        with resumable(), progress(len(one.cases(size)), done="computed") as advance:
            return figure_rows(one, size, seed, jobs, lambda place: advance(f"case {place + 1}"))
    except SweepInProgressError:
        raise fail("the same figure is being computed in another process") from None


def _write_table(rows: Sequence[Row], path: Path) -> None:
    if path.suffix.lower() == ".json":
        written("--data", path, json.dumps(list(rows), indent=1) + "\n")
        return
    text = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    written("--data", path, text.getvalue())


def _draw(one: Figure, rows: Sequence[Row], path: Path) -> None:
    written("--out", path, drawn(one, rows, path.suffix.lower()[1:]))
