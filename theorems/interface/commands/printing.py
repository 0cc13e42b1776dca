"""The commands that print mathematics: ``latex`` and ``eval``."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from theorems.interface.command_errors import fail
from theorems.interface.commands.selecting import claim_of, ids_from, known_claims
from theorems.interface.progress import progress

__all__ = ["evaluate_expression", "latex"]

_ID = re.compile(r"[a-z]+(\.[a-z0-9_]+)*\.[a-z_][a-z0-9_]*")


def latex(
    identifier: Annotated[
        str | None, typer.Argument(metavar="[ID]", autocompletion=ids_from)
    ] = None,
    derivation: Annotated[bool, typer.Option(help="With the whole derivation.")] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="A document with every claim and derivation.")
    ] = False,
) -> None:
    """Print the LaTeX of a statement, of its derivation, or of the whole library.

    Example: `theorems latex --all > claims.tex`
    """
    if everything == (identifier is not None):
        raise fail("give one claim's id, or --all")
    known = known_claims()
    one = None if identifier is None else claim_of(known, identifier).id
    from theorems.engine.claims.registry import load  # noqa: PLC0415 - slow to import
    from theorems.engine.running.runner import latest  # noqa: PLC0415
    from theorems.engine.running.standing import standings  # noqa: PLC0415
    from theorems.interface.export import claim_latex, document  # noqa: PLC0415

    if one is None:
        with progress(len(known.claims), done="written") as advance:
            typer.echo(document(load(), standings(known), kept=latest(known), advance=advance))
    else:
        typer.echo(claim_latex(load(one.partition(".")[0])[one], derivation=derivation))


def evaluate_expression(
    expression: Annotated[
        str, typer.Argument(help="e.g. 'varrho(0.3, delta=1)', or the id of a claim")
    ],
    digits: Annotated[int | None, typer.Option(help="Correct digits; floats without it.")] = None,
    at: Annotated[str, typer.Option(help="Values of a claim's letters, e.g. 'rho=1/2'.")] = "",
) -> None:
    """Evaluate an expression in the package's functions, or both sides of a claim's formulas.

    Decimals are exact.  Of a claim the sides are printed as balls, or to so many digits.

    Example: `theorems eval 'varrho(0.3, delta=1) - 3/10' --digits 50`, or
    `theorems eval eoc.varrho.values --at 'Delta_phi=1/3'`
    """
    try:
        if _ID.fullmatch(expression):
            _print_sides(expression, at, digits)
        else:
            from theorems.interface.evaluate import digits_of, evaluate  # noqa: PLC0415 - slow

            typer.echo(digits_of(evaluate(expression, digits), digits))
    except (ValueError, TypeError) as error:
        raise fail(str(error)) from None


def _print_sides(identifier: str, at: str, digits: int | None) -> None:
    one = claim_of(known_claims(), identifier)
    from theorems.engine.running.runner import find_claim  # noqa: PLC0415 - slow to import
    from theorems.interface.sides import point_of, sides_at  # noqa: PLC0415

    claim = find_claim(one.id)
    for what, value in sides_at(claim, point_of(claim, at), digits):
        typer.echo(f"{what} = {value}")
