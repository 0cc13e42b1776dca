"""The commands that tell what was found: ``report`` and ``cite``."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from theorems.engine.running.standing import standings
from theorems.interface.command_errors import check_writable, fail
from theorems.interface.commands.selecting import claim_of, known_claims
from theorems.interface.progress import progress

__all__ = ["cite", "report"]


def report(
    out: Annotated[Path, typer.Option(help="The folder to write into.")] = Path("report"),
) -> None:
    """Write a web site about all claims, from the last run: open index.html in it.

    It needs no network and no server.  Claims that were not checked with this code are shown
    without a verdict: run `theorems check` before.

    Example: `theorems report --out report`
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise fail(f"--out: {out} is not to be made: {error.strerror}") from None
    check_writable("--out", (out / "index.html").absolute())
    known = known_claims()
    found = standings(known)
    from theorems.engine.running.runner import latest  # noqa: PLC0415 - slow to import
    from theorems.interface.citation import bibtex  # noqa: PLC0415
    from theorems.interface.site.writer import Site  # noqa: PLC0415

    runs = sorted({f"profile {one.profile}, seed {one.seed}" for one in found.values()})
    made = f"infinite-width-theorems {version('infinite-width-theorems')}; {'; '.join(runs)}."
    site = Site(
        known,
        found,
        latest(known),
        lambda record: bibtex(known.paper(record.paper), record),
        made,
    )
    with progress(len(site), done="written") as advance:
        site.write(out, advance)
    missing = len(known.claims) - len(found)
    if missing:
        typer.echo(f"{missing} claims were not checked with this code: theorems check", err=True)
    typer.echo(f"written to {out / 'index.html'}")


def cite(identifier: Annotated[str, typer.Argument(metavar="ID")]) -> None:
    """Print BibTeX for a claim: the paper that it is about, and this package at its version.

    Example: `theorems cite eoc.prop17.sharp`
    """
    known = known_claims()
    one = claim_of(known, identifier)
    from theorems.interface.citation import bibtex  # noqa: PLC0415 - as above

    typer.echo(bibtex(known.paper(one.paper), one))
