"""The commands that tell what was found: ``report``, ``findings``, ``constants``, ``cite``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from theorems.engine.claims.kinds import Severity
from theorems.engine.telling import tell
from theorems.interface.command_errors import check_writable, fail, resumable
from theorems.interface.commands.drawing import known_figures
from theorems.interface.commands.selecting import (
    Jobs,
    OfPaper,
    claim_of,
    ids_from,
    known_claims,
    known_standings,
    paper_of,
)
from theorems.interface.progress import progress
from theorems.interface.tables import entry, narrow_table, paged, plain_table, print_json

if TYPE_CHECKING:
    from theorems.interface.findings import Finding
    from theorems.interface.site.writer import Picture

__all__ = ["cite", "constants", "findings", "report"]


def report(
    out: Annotated[Path, typer.Option(help="The folder to write into.")] = Path("report"),
    figures: Annotated[
        bool, typer.Option("--figures", help="Compute all figures, at their small size.")
    ] = False,
    jobs: Jobs = 2,
) -> None:
    """Write a web site about all claims, from the last run: open index.html in it.

    It needs no network and no server.  Claims that were not checked with this code are shown
    without a verdict: run `theorems check` before.  Figures are drawn that were computed before,
    or all of them with `--figures`.

    Example: `theorems report --out report`
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise fail(f"--out: {out} is a file; the site needs a folder") from None
    except OSError as error:
        raise fail(f"--out: the folder {out} cannot be made: {error.strerror}") from None
    check_writable("--out", (out / "index.html").absolute())
    known = known_claims()
    found = known_standings(known) or {}
    from theorems.engine.running.inferences import with_confirmations  # noqa: PLC0415 - slow to import
    from theorems.engine.running.runner import latest  # noqa: PLC0415
    from theorems.interface.citation import bibtex  # noqa: PLC0415
    from theorems.interface.constants import kept_sharpenings  # noqa: PLC0415
    from theorems.interface.site.writer import Site  # noqa: PLC0415

    runs = sorted({f"profile {one.profile}, seed {one.seed}" for one in found.values()})
    made = f"infinite-width-theorems {version('infinite-width-theorems')}; {'; '.join(runs)}."
    results = latest(known)
    site = Site(
        known,
        kept_sharpenings(known),
        found,
        dict(zip(results, with_confirmations(results.values()), strict=True)),
        lambda record: bibtex(known.paper(record.paper), record),
        made,
        list(_pictures(figures, jobs)),
    )
    with progress(len(site), done="written") as advance:
        site.write(out, advance)
    missing = len(known.claims) - len(found)
    if missing and found:
        claims = "1 claim was" if missing == 1 else f"{missing} claims were"
        tell(f"{claims} not checked with this code: theorems check")
    typer.echo(f"written to {out / 'index.html'}")


def _pictures(compute: bool, jobs: int) -> Iterator[Picture]:
    """The figures of all papers: the largest size that was computed, or small ones now."""
    from theorems.interface.figure import Size  # noqa: PLC0415 - for this command
    from theorems.interface.figure_runs import drawn, figure_rows, is_kept  # noqa: PLC0415
    from theorems.interface.site.writer import Picture  # noqa: PLC0415

    for one in known_figures().values():
        sizes = [size for size in (Size.PAPER, Size.SMALL) if is_kept(one, size, 0)]
        fields = (one.id, one.title, one.at, one.claims)
        if sizes or compute:
            with resumable():
                rows = figure_rows(one, sizes[0] if sizes else Size.SMALL, 0, jobs)
            yield Picture(*fields, tuple(one.summary(rows)), drawn(one, rows, "svg"))
        else:
            yield Picture(*fields)


def cite(identifier: Annotated[str, typer.Argument(metavar="ID", autocompletion=ids_from)]) -> None:
    """Print BibTeX for a claim: the paper that it is about, and this package at its version.

    Example: `theorems cite eoc.prop17.sharp`
    """
    known = known_claims(identifier)
    one = claim_of(known, identifier)
    from theorems.interface.citation import bibtex  # noqa: PLC0415 - as above

    typer.echo(bibtex(known.paper(one.paper), one))


AsJson = Annotated[bool, typer.Option("--json", help="As plain data, formulas in LaTeX.")]
AsLatex = Annotated[bool, typer.Option("--latex", help="As a table for LaTeX (array, booktabs, longtable).")]


def _one_form(as_json: bool, as_latex: bool) -> None:
    if as_json and as_latex:
        raise fail("give --json or --latex, not both")


def findings(
    paper: OfPaper = None,
    severity: Annotated[Severity | None, typer.Option(help="Only findings so grave.")] = None,
    as_json: AsJson = False,
    as_latex: AsLatex = False,
) -> None:
    """List what is false as printed, how grave it is, and which claims correct it.

    *false*: the repair changes the statement; *gap*: a step of the proof fails and is repaired;
    *edge*: a hypothesis is missing; *dependence*: a constant hides one; *slip*: an index or a sign.

    Example: `theorems findings --paper eoc --severity false`
    """
    from theorems.interface import findings as found_of  # noqa: PLC0415 - for this command

    _one_form(as_json, as_latex)
    known = known_claims()
    if paper is not None:
        paper_of(known, paper)
    known_standings(known)
    found = list(found_of.findings(known, paper, severity))
    if as_json:
        print_json([one.as_json() for one in found])
    elif as_latex:
        typer.echo(found_of.findings_latex(found))
    else:
        with paged() as terminal:
            terminal.print(_finding_table(found, terminal.width))
            terminal.print(f"{len(found)} finding{'s' * (len(found) != 1)}")


def _finding_table(found: Iterable[Finding], width: int) -> Table:
    """One row a finding; on a terminal of a small width all but two columns below the id."""
    narrow = narrow_table(width, "claim", {"severity": 10, "place": 22})
    if narrow is not None:
        for one in found:
            fixes = [f"corrected by {other.id}" for other in one.corrections]
            cell = entry(one.claim.id, one.claim.title, *fixes)
            narrow.add_row(cell, one.severity.value, one.claim.at)
        return narrow
    columns = ("claim", "severity", "place", "what is printed", "corrected by")
    table = plain_table(*columns, whole=("claim", "severity", "corrected by"))
    for one in found:
        ids = "\n".join(other.id for other in one.corrections)
        table.add_row(one.claim.id, one.severity.value, one.claim.at, one.claim.title, ids)
    return table


def constants(paper: OfPaper = None, as_json: AsJson = False, as_latex: AsLatex = False) -> None:
    """List sharpened statements: what is printed, what is best known, who attains it, the gain.

    The gain is the factor by which a bound is smaller, where both statements bound the same thing.

    Example: `theorems constants --paper st`
    """
    _one_form(as_json, as_latex)
    known = known_claims()
    if paper is not None:
        paper_of(known, paper)
    from theorems.interface.constants import constants_latex, kept_sharpenings  # noqa: PLC0415 - slow to import

    known_standings(known)
    found = kept_sharpenings(known, paper)
    if as_json:
        print_json([one.as_json() for one in found])
    elif as_latex:
        typer.echo(constants_latex(found))
    else:
        from theorems.interface.unicode import unicode  # noqa: PLC0415 - slow to import

        with paged() as terminal:
            for one in found:
                terminal.print(Text(f"{one.id}  {one.title}", "bold"))
                for label, parts in (
                    ("printed", one.printed),
                    ("best known", one.best),
                    ("attained", one.attained),
                    ("gained: a factor", one.factor),
                ):
                    for latex in parts.values():
                        terminal.print(Text(f"  {label}: ").append(unicode(latex), "cyan"))
                if one.remark:
                    terminal.print(f"  {one.remark}")
                terminal.print()
            terminal.print(f"{len(found)} sharpened claim{'s' * (len(found) != 1)}")
