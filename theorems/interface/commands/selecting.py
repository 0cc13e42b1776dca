"""What the commands share: the catalogue, a claim by its id, and a selection of claims."""

import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

import typer

from theorems.engine.claims.record import ClaimRecord
from theorems.engine.judging.answers import brief
from theorems.engine.running.catalogue import Catalogue, catalogue
from theorems.engine.running.standing import Standing, has_results, standings
from theorems.engine.running.store import state_folder
from theorems.engine.telling import tell
from theorems.interface.command_errors import fail

#: How many processes; more than a thousand are asked for by mistake only.
Jobs = Annotated[int, typer.Option(min=1, max=1024, help="Processes to run in parallel.")]
Seed = Annotated[int, typer.Option(min=0, help="All randomness follows from it.")]

__all__ = ["Ids", "Jobs", "OfPaper", "Seed", "claim_of", "known_claims", "paper_of", "selected"]
__all__ += ["begun", "ids_from", "known_standings", "pages_from", "prefixes_from", "tell_broken"]


def begun(names: Callable[[], Iterable[str]], incomplete: str) -> list[str]:
    """The names that begin so, for the completion of the shell; none if they cannot be read."""
    with contextlib.suppress(Exception):
        return [one for one in names() if one.startswith(incomplete)]
    return []


def ids_from(incomplete: str) -> list[str]:
    """The ids that begin so."""
    return begun(lambda: catalogue().claims, incomplete)


def prefixes_from(incomplete: str) -> list[str]:
    """The prefixes of papers that begin so."""
    return begun(lambda: [one.prefix for one in catalogue().papers], incomplete)


#: Which claims.
Ids = Annotated[
    list[str] | None,
    typer.Argument(metavar="[ID]...", help="Claims; parts are included.", autocompletion=ids_from),
]
#: Which paper, by its prefix.
OfPaper = Annotated[
    str | None, typer.Option(help="Only this paper's prefix, e.g. eoc.", autocompletion=prefixes_from)
]


def pages_from(incomplete: str) -> list[str]:
    """The ids and the prefixes of papers that begin so."""
    return [*prefixes_from(incomplete), *ids_from(incomplete)]


def known_claims(about: str | None = None) -> Catalogue:
    """The catalogue; a paper that cannot be used is told in a line, and the others go on.

    With an id, only what the catalogue must have about this claim, if there is such a claim.
    """
    known = catalogue(about)
    if about is not None and about not in known.claims:
        known = catalogue()
    tell_broken(known.broken)
    return known


def tell_broken(papers: Mapping[str, str]) -> None:
    """A line for each paper that cannot be used."""
    for name, why in papers.items():
        tell(f"the paper {name} cannot be used: {brief(why)}")


def known_standings(known: Catalogue) -> dict[str, Standing] | None:
    """The verdicts that are fresh; None, told in a line, where there are no results at all."""
    found = standings(known)
    if found or has_results():
        return found
    tell(
        f"there are no results in {state_folder().absolute()}: `theorems check` makes them"
        " (`make check` in a clone), and the variable THEOREMS_STATE names another folder"
    )
    return None


def claim_of(known: Catalogue, identifier: str) -> ClaimRecord:
    """The claim of an id; bad usage otherwise."""
    try:
        return known[identifier]
    except KeyError as error:
        raise fail(str(error.args[0])) from None


def paper_of(known: Catalogue, prefix: str) -> list[ClaimRecord]:
    """The claims of a paper; bad usage for another prefix."""
    try:
        return known.of_paper(prefix)
    except KeyError as error:
        raise fail(str(error.args[0])) from None


def selected(known: Catalogue, ids: list[str], paper: str | None) -> list[str]:
    """The ids named with their parts, those of a paper, or all."""
    if paper is not None and ids:
        raise fail("give either ids or --paper, not both")
    if paper is not None:
        found = [one.id for one in paper_of(known, paper)]
    elif ids:
        found = [part for one in ids for part in known.under(one) or [claim_of(known, one).id]]
    else:
        found = list(known.claims)
    if not found:
        raise fail("there are no claims to check")
    return found
