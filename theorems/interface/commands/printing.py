"""The commands that print mathematics: ``latex`` and ``eval``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from theorems.engine.claims.record import ClaimRecord
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.remembered import remembered
from theorems.interface.command_errors import check_writable, fail, written
from theorems.interface.commands.selecting import claim_of, ids_from, known_claims
from theorems.interface.progress import progress

__all__ = ["evaluate_expression", "latex"]

_ID = re.compile(r"[a-z]+(\.[a-z0-9_]+)*\.[a-z_][a-z0-9_]*")


def latex(
    identifier: Annotated[str | None, typer.Argument(metavar="[ID]", autocompletion=ids_from)] = None,
    derivation: Annotated[
        bool, typer.Option(help="With the whole derivation, and what its letters mean.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="A document with every claim and derivation.")
    ] = False,
    pdf_file: Annotated[
        Path | None, typer.Option("--pdf", help="Typeset the document into this file.")
    ] = None,
) -> None:
    """Print the LaTeX of a statement, of its derivation, or of the whole library.

    Derivations of the document are those of the last run; `--pdf` needs pdflatex.

    Example: `theorems latex --all --pdf claims.pdf`
    """
    if everything == (identifier is not None):
        raise fail("give one claim's id, or --all")
    if pdf_file is not None and not everything:
        raise fail("--pdf is for the whole document: give --all as well")
    if derivation and everything:
        raise fail("--derivation is for one claim; the document of --all has all derivations")
    known = known_claims(identifier)
    if identifier is None:
        _print_document(known, pdf_file)
        return
    typer.echo(_claim_latex(claim_of(known, identifier), derivation))


def _claim_latex(record: ClaimRecord, derivation: bool) -> str:
    """The LaTeX of a claim: made once for each state of it."""

    def make() -> str:
        from theorems.engine.claims.registry import load  # noqa: PLC0415 - slow to import
        from theorems.interface.export import PACKAGES, claim_latex  # noqa: PLC0415

        claim = load(record.paper)[record.id]
        return f"% needs {PACKAGES}\n{claim_latex(claim, derivation=derivation)}"

    name = f"latex-{record.id}-{derivation}"
    return str(remembered(name, "theorems.interface.export", [record.key], make))


def _print_document(known: Catalogue, pdf_file: Path | None) -> None:
    """The document with all claims on the standard output, or typeset into a file."""
    if pdf_file is not None:
        check_writable("--pdf", pdf_file.absolute())
    from theorems.engine.claims.registry import load  # noqa: PLC0415 - slow to import
    from theorems.engine.running.runner import latest  # noqa: PLC0415
    from theorems.engine.running.standing import standings  # noqa: PLC0415
    from theorems.interface.export import document  # noqa: PLC0415
    from theorems.interface.typesetting import TypesettingError, pdf  # noqa: PLC0415

    with progress(len(known.claims), done="written") as advance:
        text = document(load(), standings(known), kept=latest(known), advance=advance)
    if pdf_file is None:
        typer.echo(text)
        return
    try:
        written("--pdf", pdf_file, pdf(text))
    except TypesettingError as error:
        raise fail(str(error)) from None
    typer.echo(f"written to {pdf_file}")


def evaluate_expression(
    expression: Annotated[
        str, typer.Argument(help="e.g. 'varrho(0.3, delta=1)', or the id of a claim", autocompletion=ids_from)
    ],
    digits: Annotated[
        int | None, typer.Option(help="So many correct digits; without it floats, and balls for a claim.")
    ] = None,
    at: Annotated[str, typer.Option(help="Values of a claim's letters, e.g. 'rho=1/2'.")] = "",
) -> None:
    """Evaluate an expression in the package's functions, or both sides of a claim's formulas.

    With `--digits`, and in the values of a claim's letters, decimals are exact: 0.3 is 3/10.

    Example: `theorems eval 'varrho(0.3, delta=1) - 3/10' --digits 50`, or
    `theorems eval eoc.varrho.values --at 'Delta_phi=1/3'`
    """
    try:
        if _ID.fullmatch(expression):
            _print_sides(expression, at, digits)
        elif at:
            raise fail("--at is for the letters of a claim, and the expression is no claim's id")
        else:
            from theorems.interface.evaluate import digits_of, evaluate  # noqa: PLC0415 - slow

            typer.echo(digits_of(evaluate(expression, digits), digits))
    except (ValueError, TypeError) as error:
        raise fail(str(error)) from None


def _print_sides(identifier: str, at: str, digits: int | None) -> None:
    one = claim_of(known_claims(identifier), identifier)
    from theorems.engine.running.runner import find_claim  # noqa: PLC0415 - slow to import
    from theorems.interface.sides import point_of, sides_at  # noqa: PLC0415

    claim = find_claim(one.id)
    for what, value in sides_at(claim, point_of(claim, at), digits):
        typer.echo(f"{what} = {value}")
