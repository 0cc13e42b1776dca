"""The command ``theorems audit``: what the evidence notices when statements are changed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Annotated, Any

import typer

from theorems.engine.running.catalogue import Catalogue, code_of, error_level, level_text
from theorems.engine.running.keeping import Keeper
from theorems.engine.running.store import Store, state_folder
from theorems.interface.command_errors import check_writable, resumable, written
from theorems.interface.commands.selecting import Ids, Jobs, Seed, known_claims, selected
from theorems.interface.progress import progress
from theorems.interface.tables import console, plain_table

__all__ = ["audit"]

_Finding = dict[str, Any]


def audit(
    ids: Ids = None,
    paper: Annotated[str | None, typer.Option(help="All claims of this paper.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="So many claims, at random.")] = None,
    seed: Seed = 0,
    jobs: Jobs = 2,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write all variants here.")] = None,
) -> None:
    """Change statements one thing at a time and say which changes the evidence does not notice.

    A constant by one per cent, an integer by one, a sign, an exponent, a relation, a hypothesis
    dropped, a domain enlarged past an end, a part removed.  Exit code 1 if a change went
    unnoticed that is not known to be true as well.

    Example: `theorems audit eoc.prop17.sharp`
    """
    known = known_claims()
    chosen = selected(known, ids or [], paper)
    if sample is not None and sample < len(chosen):
        chosen = sorted(random.Random(seed).sample(chosen, sample))
    if json_file is not None:
        check_writable("--json", json_file.absolute())
    with resumable():
        found = _findings(known, chosen, seed, jobs)
    _print(found)
    if json_file is not None:
        report = {"variants": found, "summary": _summary(found)}
        written("--json", json_file, json.dumps(report, indent=1) + "\n")
    if any(not one["noticed"] and one["excuse"] is None for one in found):
        raise typer.Exit(1)


def _findings(known: Catalogue, chosen: list[str], seed: int, jobs: int) -> list[_Finding]:
    """The findings about all claims in their order, those of an earlier audit included."""
    from theorems.engine.running.sources import code_at_start  # noqa: PLC0415 - slow to import
    from theorems.engine.running.workers import in_workers  # noqa: PLC0415

    code, store = code_of("theorems.engine.judging.audit"), Store(state_folder() / "audit.jsonl")
    level = error_level(known)
    labels = {one: (one, str(seed), level_text(level), f"{known.claims[one].key}-{code}") for one in chosen}
    keeper = Keeper()
    keeper.prepare(store)
    kept = store.read(labels.values())
    found = {one: kept[label] for one, label in labels.items() if label in kept}
    with progress(len(chosen), done="audited") as advance:
        for one in found:
            advance(one)
        missing = [(one, seed, level, code_at_start()) for one in chosen if one not in found]
        for identifier, some in in_workers(jobs, _of_one, missing):
            keeper.keep(store, [(labels[identifier], some)])
            found[identifier] = some
            advance(identifier)
    keeper.tidy(store)
    return [one for identifier in chosen for one in found[identifier]]


def _of_one(identifier: str, seed: int, level: float, sign: str) -> tuple[str, list[_Finding]]:
    from theorems.engine.claims.kinds import Profile  # noqa: PLC0415 - for workers
    from theorems.engine.claims.registry import load  # noqa: PLC0415
    from theorems.engine.judging.audit import audit as findings_of  # noqa: PLC0415
    from theorems.engine.judging.examine import Circumstances  # noqa: PLC0415
    from theorems.engine.running.runner import find_claim  # noqa: PLC0415
    from theorems.engine.running.sources import unchanged  # noqa: PLC0415

    claim, registry = find_claim(identifier), load(identifier.partition(".")[0])
    circumstances = Circumstances(Profile.QUICK, seed, level, find_claim)
    found = [one.as_json() for one in findings_of(claim, registry, circumstances)]
    unchanged(sign)
    return identifier, found


def _summary(found: list[_Finding]) -> dict[str, Any]:
    from theorems.engine.judging.audit import summary  # noqa: PLC0415 - slow to import

    return summary(found)


def _print(found: list[_Finding]) -> None:
    if not found:
        typer.echo("nothing was changed: no machine checks what is only cited, or open")
        return
    for one in found:
        if not one["noticed"]:
            said = one["excuse"] or f"WRONG: {one['why']}"
            typer.echo(f"{one['id']}, {one['part'] or 'all parts'}: {one['change']}")
            typer.echo(f"    not noticed; {said}")
    columns = ("change", "variants", "noticed", "excused", "neither")
    table = plain_table(*columns, right=columns[1:])
    for kind, row in _summary(found).items():
        table.add_row(kind, *map(str, row.values()))
    console().print(table)
