"""The command ``theorems questions``: what the inferences cost the solver."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from theorems.engine.running.inferences import Decided, decided, made
from theorems.interface.command_errors import check_writable, fail, written
from theorems.interface.commands.selecting import Ids, known_claims, selected
from theorems.interface.tables import console, plain_table

__all__ = ["questions"]


def questions(
    ids: Ids = None,
    paper: Annotated[str | None, typer.Option(help="All claims of this paper.")] = None,
    dearest: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the N that cost most.")
    ] = None,
    text: Annotated[
        str | None, typer.Option(metavar="KEY", help="Print the question whose key begins so.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit code 1 if one takes over a fifth of the bound.")
    ] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write all here.")] = None,
) -> None:
    """List the questions to the solver by which evidence was made in the last run.

    For each the attempt that decided it, of five; the operations of this attempt, and their share
    of the bound; whether a contradiction was searched for among its premises and excluded; and
    whether the second prover confirms it.

    Example: `theorems questions eoc.prop17 --dearest 10`
    """
    known = known_claims()
    chosen = selected(known, ids or [], paper)
    if json_file is not None:
        check_writable("--json", json_file.absolute())
    inferences = made(known, chosen)
    found = decided(inferences)
    if text is not None:
        _print_text(text, found)
        return
    dear_first = sorted(found, key=lambda one: (-one.attempt, -one.operations))
    _print_table(found if dearest is None else dear_first[:dearest])
    _print_summary(found, len(inferences))
    if json_file is not None:
        written("--json", json_file, json.dumps(_as_json(found), indent=1) + "\n")
    if strict and any(one.is_dear for one in found):
        raise typer.Exit(1)


def _print_table(found: Sequence[Decided]) -> None:
    whole = ("question", "attempt", "operations", "share", "premises", "confirmed")
    table = plain_table("claim", "evidence", *whole, right=whole[1:4], whole=("claim", *whole))
    for one in found:
        of = one.inference
        answers = one.premises, "yes" if one.confirmed else "no"
        cost = str(one.attempt), str(one.operations), f"{100 * one.share:.1f} %"
        table.add_row(of.claim_id, of.evidence, of.question[:8], *cost, *answers)
    if found:
        console().print(table)
        typer.echo()


def _print_summary(found: Sequence[Decided], count: int) -> None:
    attempts = Counter(one.attempt for one in found)
    said = ", ".join(f"{number} at attempt {which}" for which, number in sorted(attempts.items()))
    typer.echo(f"{len(found)} questions" + (f": {said}" if said else ""))
    if count > len(found):
        typer.echo(f"{count - len(found)} more have no answer that is kept here")
    if found:
        dearest = max(found, key=lambda one: (one.attempt, one.operations))
        of = dearest.inference
        typer.echo(
            f"dearest: {dearest.operations} operations at attempt {dearest.attempt}, "
            f"in {of.evidence} for {of.claim_id}"
        )
    undecided = sum(one.premises == "not decided" for one in found)
    typer.echo(f"{undecided} searches for a contradiction among premises came to no end")
    dear = sum(one.is_dear for one in found)
    typer.echo(f"{dear} take more than a fifth of the bound")
    typer.echo(f"{sum(one.confirmed for one in found)} are confirmed by a second prover")


def _as_json(found: Sequence[Decided]) -> list[dict[str, Any]]:
    plain = [{**vars(one.inference), **vars(one)} for one in found]
    return [{name: value for name, value in one.items() if name != "inference"} for one in plain]


def _print_text(begin: str, found: Sequence[Decided]) -> None:
    """A question, and below it, as comments, for what it was asked."""
    from theorems.engine.rules.answers import questions_file  # noqa: PLC0415 - slow to import

    of = [one.inference for one in found if one.inference.question.startswith(begin)]
    keys = {one.question for one in of}
    texts = questions_file().read((key,) for key in keys)
    if len(texts) != 1:
        why = f"{len(texts)} questions of these claims have a text and a key that begins with"
        raise fail(f"--text: {why} {begin!r}, and it takes one")
    for one in of:
        typer.echo(f"; asked by {one.evidence} for {one.claim_id}")
    typer.echo(str(next(iter(texts.values()))))
