"""The commands that read: ``list``, ``search``, ``contents`` and ``show``."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Annotated

import typer

from theorems.engine.claims.kinds import Grade
from theorems.engine.claims.place import Place
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.errors import ClaimError
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.inferences import with_confirmations
from theorems.engine.running.standing import Standing, has_results, results_of
from theorems.engine.telling import tell
from theorems.interface.claim_data import claim_data, line_data
from theorems.interface.command_errors import fail
from theorems.interface.commands.selecting import (
    OfPaper,
    claim_of,
    known_claims,
    known_standings,
    pages_from,
    paper_of,
    prefixes_from,
)
from theorems.interface.contents import contents_table, place_asked, standing_at
from theorems.interface.searching import found_by, near_words
from theorems.interface.tables import claim_table, console, paged, print_json

__all__ = ["contents", "list_claims", "search", "show"]


AsJson = Annotated[bool, typer.Option("--json", help="As plain data, for other programs.")]


Verdicts = dict[str, Standing] | None


def _print_claims(claims: Iterable[ClaimRecord], verdicts: Verdicts, *, as_json: bool) -> None:
    found = list(claims)
    if as_json:
        print_json([line_data(one, (verdicts or {}).get(one.id)) for one in found])
        return
    with paged() as terminal:
        terminal.print(claim_table(found, verdicts, terminal.width))
        terminal.print(f"{len(found)} claim{'s' * (len(found) != 1)}")


class Label(Enum):
    """The first words of what a list says of claims; what is only cited is set apart."""

    HOLDS = "holds"
    CITED = "cited"
    FALSE = "false"
    OPEN = "open"


def _grades(incomplete: str) -> list[str]:
    """The grades that begin so, the strongest first, for the completion of the shell."""
    return [str(one) for one in reversed(Grade) if str(one).startswith(incomplete.lower())]


def list_claims(
    paper: OfPaper = None,
    verdict: Annotated[Label | None, typer.Option(help="Only claims that last came out so.")] = None,
    grade: Annotated[
        str | None, typer.Option(help=f"Only this grade: {', '.join(_grades(''))}.", autocompletion=_grades)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the claims in reading order, with the verdicts of the last run.

    Example: `theorems list --paper eoc --verdict open`
    """
    known = known_claims()
    if grade is not None and grade.upper() not in Grade.__members__:
        raise fail(f"--grade must be one of {', '.join(_grades(''))}, got {grade!r}")
    claims = paper_of(known, paper) if paper else list(known.claims.values())
    verdicts = known_standings(known)
    found = verdicts or {}
    if verdict is not None:
        word = verdict.value
        claims = [c for c in claims if c.id in found and found[c.id].label.startswith(word)]
    if grade is not None:
        asked = grade.lower()
        claims = [c for c in claims if c.id in found and str(found[c.id].grade) == asked]
    _print_claims(claims, verdicts, as_json=as_json)


def search(
    words: Annotated[list[str], typer.Argument(help="Words that must all occur.")], as_json: AsJson = False
) -> None:
    """Find claims by words: in the id, title, place, statement, letters, hypotheses or evidence.

    Claims that have the words in their id or title come first.  Exit code 1: there are none.

    Example: `theorems search gradient independence`
    """
    known = known_claims()
    found = found_by(words, known.claims.values())
    if found or as_json:
        _print_claims(found, known_standings(known), as_json=as_json)
    if not found:
        near = near_words(words, known.claims.values())
        hint = f"; words that occur: {', '.join(near)}" if near else ""
        tell(f"no claim has {' and '.join(words)}{hint}")
        raise typer.Exit(1)


def contents(
    paper: Annotated[
        str, typer.Argument(metavar="PAPER", help="A paper's prefix, e.g. eoc.", autocompletion=prefixes_from)
    ],
    at: Annotated[str | None, typer.Option(help="Only what stands there, e.g. 'Proposition 17'.")] = None,
) -> None:
    """Print a paper's contents with its claims and their verdicts, or all of one place.

    Everything of a proposition includes its proof and the equations that it displays.

    Example: `theorems contents eoc --at 'Proposition 17'`
    """
    known = known_claims()
    chosen, found = _standing_at(known, paper, at)
    _print_contents(known, paper, known_standings(known), chosen, found)


def _standing_at(
    known: Catalogue, paper: str, at: str | None = None
) -> tuple[Place | None, list[ClaimRecord]]:
    """The place that is asked for, and the claims there; bad usage where there is no such place."""
    claims, outline = paper_of(known, paper), known.paper(paper).contents
    if outline is None and at is not None:
        raise fail(f"{paper} is a collection without contents; its claims cite their sources")
    if outline is None:
        return None, claims
    try:
        chosen = None if at is None else place_asked(at)
        return chosen, standing_at(outline, claims, chosen)
    except ClaimError as error:
        raise fail(str(error)) from None


def _print_contents(
    known: Catalogue, paper: str, verdicts: Verdicts, chosen: Place | None, found: list[ClaimRecord]
) -> None:
    outline = known.paper(paper).contents
    if outline is None:
        _print_claims(found, verdicts, as_json=False)
        return
    terminal = console()
    terminal.print(contents_table(outline, found, chosen, verdicts, terminal.width))
    typer.echo(f"{len(found)} claim{'s' * (len(found) != 1)}")


def show(
    identifier: Annotated[str, typer.Argument(metavar="ID|PAPER", autocompletion=pages_from)],
    latex: Annotated[bool, typer.Option("--latex", help="Formulas as LaTeX instead of Unicode.")] = False,
    times: Annotated[
        bool, typer.Option(help="How long each check took; without it, equal runs print equal pages.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Show a claim from every side, with the numbers of its last run; or a paper's contents.

    Example: `theorems show eoc.prop17`
    """
    from theorems.interface.page import claim_page, paper_page  # noqa: PLC0415 - for this command

    # Which verdicts are fresh depends on all papers: on how many simulations there are.
    known = known_claims(None if has_results() else identifier)
    is_paper = identifier in {one.prefix for one in known.papers}
    if is_paper and (latex or not times):
        raise fail(f"--latex and --no-times are for a claim; {identifier} is a paper")
    one = None if is_paper else claim_of(known, identifier)
    verdicts = known_standings(known)
    found = verdicts or {}
    if one is None:
        if as_json:
            claims = known.of_paper(identifier)
            print_json([line_data(one, found.get(one.id)) for one in claims])
            return
        console().print(paper_page(known, identifier, found))
        typer.echo()
        _print_contents(known, identifier, verdicts, *_standing_at(known, identifier))
        return
    standing = found.get(one.id)
    results = with_confirmations(results_of(one, standing))
    if as_json:
        print_json(claim_data(one, standing, results))
        return
    page = claim_page(known, one, standing, results, latex=latex, times=times)
    console().print(page)
