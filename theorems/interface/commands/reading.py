"""The commands that read: ``list``, ``search``, ``contents`` and ``show``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from theorems.engine.claims.kinds import Grade, Verdict
from theorems.engine.claims.place import Place, places
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.errors import ClaimError
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.standing import results_of, standings
from theorems.interface.claim_data import claim_data, line_data
from theorems.interface.command_errors import fail
from theorems.interface.commands.selecting import (
    claim_of,
    ids_from,
    known_claims,
    paper_of,
    prefixes_from,
)
from theorems.interface.contents import contents_table, standing_at
from theorems.interface.searching import found_by, near_words
from theorems.interface.tables import claim_table, console, paged, print_json

__all__ = ["contents", "list_claims", "search", "show"]


AsJson = Annotated[bool, typer.Option("--json", help="As plain data, for other programs.")]


def _print_claims(known: Catalogue, claims: Iterable[ClaimRecord], *, as_json: bool) -> None:
    found, verdicts = list(claims), standings(known)
    if as_json:
        print_json([line_data(one, verdicts.get(one.id)) for one in found])
        return
    with paged() as terminal:
        terminal.print(claim_table(found, verdicts))
        terminal.print(f"{len(found)} claim{'s' * (len(found) != 1)}")


def list_claims(
    paper: Annotated[str | None, typer.Option(help="Only this paper's prefix, e.g. eoc.")] = None,
    verdict: Annotated[
        Verdict | None, typer.Option(help="Only claims that last came out so.")
    ] = None,
    grade: Annotated[str | None, typer.Option(help="Only this grade, e.g. proved.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the claims in reading order, with the verdicts of the last run.

    Example: `theorems list --paper eoc --verdict open`
    """
    known = known_claims()
    if grade is not None and grade.upper() not in Grade.__members__:
        raise fail(f"grade must be one of {', '.join(str(g) for g in Grade)}, got {grade!r}")
    found = standings(known)
    claims = paper_of(known, paper) if paper else list(known.claims.values())
    if verdict is not None:
        claims = [c for c in claims if c.id in found and found[c.id].verdict is verdict]
    if grade is not None:
        asked = grade.lower()
        claims = [c for c in claims if c.id in found and str(found[c.id].grade) == asked]
    _print_claims(known, claims, as_json=as_json)


def search(
    words: Annotated[list[str], typer.Argument(help="Words that must all occur.")],
    as_json: AsJson = False,
) -> None:
    """Find claims by words: in the id, title, place, statement, letters, hypotheses or evidence.

    Claims that have the words in their id or title come first.

    Example: `theorems search gradient independence`
    """
    known = known_claims()
    found = found_by(words, known.claims.values())
    if not found and not as_json:
        near = near_words(words, known.claims.values())
        hint = f"; words that occur: {', '.join(near)}" if near else ""
        typer.echo(f"no claim has {' and '.join(words)}{hint}", err=True)
        raise typer.Exit(1)
    _print_claims(known, found, as_json=as_json)


def contents(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="A paper's prefix, e.g. eoc.", autocompletion=prefixes_from
        ),
    ],
    at: Annotated[
        str | None, typer.Option(help="Only what stands there, e.g. 'Proposition 17'.")
    ] = None,
) -> None:
    """Print a paper's contents with its claims and their verdicts, or all of one place.

    Everything of a proposition includes its proof and the equations that it displays.

    Example: `theorems contents eoc --at 'Proposition 17'`
    """
    _print_contents(known_claims(), paper, at)


def _print_contents(known: Catalogue, paper: str, at: str | None = None) -> None:
    claims = paper_of(known, paper)
    outline = known.paper(paper).contents
    if outline is None:
        if at is not None:
            raise fail(f"{paper} is a collection without contents; its claims cite their sources")
        _print_claims(known, claims, as_json=False)
        return
    try:
        chosen = None if at is None else _place(at)
        found = standing_at(outline, claims, chosen)
    except ClaimError as error:
        raise fail(str(error)) from None
    console().print(contents_table(outline, found, chosen, standings(known)))
    typer.echo(f"{len(found)} claim{'s' * (len(found) != 1)}")


def _place(text: str) -> Place:
    found = places(text)
    if len(found) > 1:
        raise ClaimError(f"--at is one place, got {text!r}")
    return found[0]


def show(
    identifier: Annotated[str, typer.Argument(metavar="ID|PAPER", autocompletion=ids_from)],
    latex: Annotated[
        bool, typer.Option("--latex", help="Formulas as LaTeX instead of Unicode.")
    ] = False,
    times: Annotated[
        bool,
        typer.Option(help="How long each check took; without it, equal runs print equal pages."),
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Show a claim from every side, with the numbers of its last run; or a paper's contents.

    Example: `theorems show eoc.prop17`
    """
    from theorems.interface.page import claim_page, paper_page  # noqa: PLC0415 - for this command

    known = known_claims()
    found = standings(known)
    if identifier in {one.prefix for one in known.papers}:
        if as_json:
            claims = known.of_paper(identifier)
            print_json([line_data(one, found.get(one.id)) for one in claims])
            return
        console().print(paper_page(known, identifier, found))
        typer.echo()
        _print_contents(known, identifier)
        return
    one = claim_of(known, identifier)
    standing = found.get(one.id)
    results = list(results_of(one, standing))
    if as_json:
        print_json(claim_data(one, standing, results))
        return
    page = claim_page(known, one, standing, results, latex=latex, times=times)
    console().print(page)
