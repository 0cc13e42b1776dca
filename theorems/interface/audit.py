"""The command ``theorems audit``: what the evidence notices when statements are changed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Annotated, Any

import typer
from joblib import delayed
from rich.console import Console
from rich.table import Table

from theorems.engine.claims import registry as registries
from theorems.engine.claims.claim import Profile
from theorems.engine.judging.audit import audit as findings_of
from theorems.engine.judging.audit import summary
from theorems.engine.judging.examine import Trial
from theorems.engine.running import runner
from theorems.engine.running.journal import Journal, state_folder
from theorems.interface.complaints import check_writable, fail, resumable
from theorems.interface.progress import progress

__all__ = ["audit"]

_Finding = dict[str, Any]


def audit(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Claims; parts are included.")
    ] = None,
    paper: Annotated[str | None, typer.Option(help="All claims of this paper.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="So many claims, at random.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="All randomness follows from it.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes to run in parallel.")] = 2,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Also write all variants here.")
    ] = None,
) -> None:
    """Change statements one thing at a time and say which changes the evidence does not notice.

    A constant by one per cent, an integer by one, a sign, an exponent, a relation, a hypothesis
    dropped, a domain enlarged past an end, a part removed.  Exit code 1 if a change went
    unnoticed that is not known to be true as well.

    Example: `theorems audit eoc.prop17.sharp`
    """
    known = registries.load()
    chosen = _chosen(known, ids or [], paper)
    if sample is not None and sample < len(chosen):
        chosen = sorted(random.Random(seed).sample(chosen, sample))
    if json_file is not None:
        check_writable("--json", json_file.absolute())
    with resumable():
        found = _findings(chosen, seed, jobs)
    _print(found)
    if json_file is not None:
        report = {"variants": found, "summary": summary(found)}
        json_file.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if any(not one["noticed"] and one["excuse"] is None for one in found):
        raise typer.Exit(1)


def _findings(chosen: list[str], seed: int, jobs: int) -> list[_Finding]:
    """The findings about all claims in their order, some of them perhaps from a run cut short."""
    code = runner.code_digest()
    journal = Journal(state_folder(), f"audit-{runner.fingerprint(chosen, seed)}")
    with journal, progress(len(chosen), done="audited") as advance:
        found: dict[str, list[_Finding]] = {}
        for record in journal.read():
            if isinstance(record, dict) and record.get("claim") in chosen:
                found[record["claim"]] = record["findings"]
                advance(record["claim"])
        missing = [one for one in chosen if one not in found]
        calls = (delayed(_of_one)(identifier, seed, code) for identifier in missing)
        for identifier, some in runner.in_workers(jobs, calls):
            journal.append({"claim": identifier, "findings": some})
            found[identifier] = some
            advance(identifier)
        journal.forget()
    return [one for identifier in chosen for one in found[identifier]]


def _of_one(identifier: str, seed: int, code: str) -> tuple[str, list[_Finding]]:
    runner.check_code(code)
    known = registries.load()
    trial = Trial(Profile.QUICK, seed, runner.error_level(known), known.__getitem__)
    return identifier, [one.as_json() for one in findings_of(known[identifier], known, trial)]


def _chosen(known: registries.Registry, ids: list[str], paper: str | None) -> list[str]:
    if paper is not None and ids:
        raise fail("give either ids or --paper, not both")
    if paper is not None:
        return [one for one in known.claims if one.startswith(paper + ".")]
    try:
        return [part for one in ids for part in known.under(one) or [known[one].id]] or list(
            known.claims
        )
    except KeyError as error:
        raise fail(str(error.args[0])) from None


def _print(found: list[_Finding]) -> None:
    console = Console()
    for one in found:
        if not one["noticed"]:
            said = one["excuse"] or f"WRONG: {one['why']}"
            typer.echo(f"{one['id']}, {one['part'] or 'all parts'}: {one['change']}")
            typer.echo(f"    not noticed; {said}")
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("change", "variants", "noticed", "excused", "neither"):
        table.add_column(column, justify="left" if column == "change" else "right")
    counts: dict[str, Any] = summary(found)
    for kind, row in counts.items():
        table.add_row(kind, *map(str, row.values()))
    console.print(table)
