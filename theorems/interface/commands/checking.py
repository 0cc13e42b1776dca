"""The commands that judge: ``check`` and ``trusts``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from theorems.engine.claims.kinds import Profile
from theorems.engine.running.standing import Standing
from theorems.engine.running.versions import versions
from theorems.engine.telling import tell
from theorems.interface.command_errors import check_writable, fail, resumable, written
from theorems.interface.commands.selecting import (
    Ids,
    Jobs,
    Seed,
    claim_of,
    ids_from,
    known_claims,
    known_standings,
    selected,
)
from theorems.interface.progress import progress
from theorems.interface.tables import claim_table, console, plain_table, summary_table

if TYPE_CHECKING:
    from theorems.engine.judging.judge import Judgement
    from theorems.engine.judging.results import EvidenceResult
    from theorems.engine.running.catalogue import Catalogue
    from theorems.engine.running.runner import Run

__all__ = ["check", "trusts"]


def check(
    ids: Ids = None,
    paper: Annotated[str | None, typer.Option(help="All claims of this paper.")] = None,
    profile: Annotated[Profile, typer.Option(help="How much work to do.")] = Profile.QUICK,
    jobs: Jobs = 2,
    seed: Seed = 0,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write the results here.")] = None,
    anew: Annotated[bool, typer.Option("--anew", help="Do again what was done with the same code.")] = False,
) -> None:
    """Examine claims and what they rest on (everything, without arguments).

    What was examined with the same code is not examined again: an interrupted run goes on, and
    after an edit only what the edit touches is done.  Exit code 0: every claim came out as the
    repository declares it; 1: some did not, a false variant was not rejected, or a paper cannot
    be used; 2: bad usage.

    Example: `theorems check eoc.prop17 --profile full --jobs 4 --json report.json`
    """
    known = known_claims()
    selection = selected(known, ids or [], paper)
    if json_file is not None:
        check_writable("--json", json_file.absolute())
    from theorems.engine.running.runner import Run  # noqa: PLC0415 - slow to import
    from theorems.interface.run_data import report_json  # noqa: PLC0415

    run = Run(tuple(selection), profile, seed, jobs, anew)
    with resumable():
        results = _execute(run, known)
        judgements = run.judged(results)
    unsettled = known.standing_on(
        identifier for (identifier, _), result in results.items() if not result.is_decided
    )
    found = {
        one: _told(Standing.of(judged, "", profile.value, seed), one in unsettled)
        for one, judged in judgements.items()
    }
    terminal = console()
    terminal.print(claim_table((known.claims[one] for one in found), found, terminal.width))
    terminal.print()
    terminal.print(summary_table(found))
    if json_file is not None:
        report = report_json(judgements, seed=seed, profile=profile.value, versions=versions())
        written("--json", json_file, json.dumps(report, indent=1) + "\n")
    if not _as_declared(run, judgements, unsettled) or known.broken:
        raise typer.Exit(1)


def _execute(run: Run, known: Catalogue) -> dict[tuple[str, str], EvidenceResult]:
    """The results, with the progress of what has to be done now."""
    count, done = len(run.labels(known)), len(run.kept(known))
    if done:
        tell(f"{done} of {count} checks were done before with the same code")
    with progress(count - done) as advance:
        found = run.execute(lambda result, kept: None if kept else advance(result.claim_id))
    if count > done and len(run.claim_ids) == len(known.claims):
        _prepare_pages(known)
    return found


def _prepare_pages(known: Catalogue) -> None:
    """Make, after a run over all claims, what a report would load all mathematics for."""
    from theorems.interface.constants import kept_sharpenings  # noqa: PLC0415 - slow to import

    kept_sharpenings(known)


def _told(standing: Standing, is_unsettled: bool) -> Standing:
    """What a claim came out as; that something is undecided is no verdict."""
    return replace(standing, label="undecided", problems=()) if is_unsettled else standing


def _as_declared(run: Run, judgements: dict[str, Judgement], unsettled: set[str]) -> bool:
    """Whether all came out as declared; if not, what did not, and what stayed undecided."""
    from theorems.engine.judging.judge import failures, undecided  # noqa: PLC0415 - slow to import

    problems, pieces = list[str](), dict[str, list[str]]()
    for identifier, one in judgements.items():
        found = one.problems
        if identifier in unsettled:
            open_ = pieces[identifier] = list(undecided(one.results))
            others = (text for text in failures(one.results) if not _begins(text, open_))
            found = tuple(others)
        problems += [f"{identifier}: {text}" for text in found]
    if problems:
        typer.echo(f"\n{len(problems)} problem{'s' * (len(problems) != 1)}:")
        typer.echo("\n".join("  " + text for text in problems))
    if unsettled:
        _print_undecided(run, {one: texts for one, texts in pieces.items() if texts})
    fine = not problems and not unsettled
    if fine:
        rejected = _rejected_variants(judgements)
        told = f"every claim came out as declared; all {rejected} false variants were rejected"
        typer.echo(f"\n{told}")
    partly = [identifier for identifier, one in judgements.items() if not one.complete]
    if partly:
        typer.echo(f"a larger profile has more evidence for {', '.join(partly)}")
    return fine


def _begins(text: str, others: Iterable[str]) -> bool:
    return any(one.startswith(text) for one in others)


def _rejected_variants(judgements: dict[str, Judgement]) -> int:
    """How many false variants there are: the authors', and the near ones that are false."""
    results = [result for one in judgements.values() for result in one.results]
    near = sum(one.said == "rejected" for r in results for one in r.near.values())
    return sum(len(one.controls) for one in results) + near


def _print_undecided(run: Run, pieces: dict[str, list[str]]) -> None:
    """What has no answer yet, why, and the command that asks again."""
    lines = [f"  {one}: {text}" for one, texts in pieces.items() for text in texts]
    count = "1 answer is" if len(lines) == 1 else f"{len(lines)} answers are"
    typer.echo(f"\n{count} missing, asked for twice; that is no verdict about the paper:")
    typer.echo("\n".join(lines))
    command = ["theorems check", *pieces]
    command += ["--profile", run.profile.value] * (run.profile is not Profile.QUICK)
    command += ["--seed", str(run.seed)] * (run.seed != 0)
    typer.echo(f"ask again: {' '.join(command)}")


def trusts(
    identifier: Annotated[str | None, typer.Argument(metavar="[ID]", autocompletion=ids_from)] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write all here.")] = None,
    letters: Annotated[
        bool, typer.Option("--letters", help="List instead the letters that proofs take for several things.")
    ] = False,
) -> None:
    """List what verdicts stand on, through everything they rest on: of one claim, or in all.

    Definitions, SymPy derivations and decisions, ball certificates, textbook facts, the solver,
    bridges in prose, cited sources, searches and simulations, as of the last run.

    Example: `theorems trusts eoc.prop17.sharp`
    """
    known = known_claims()
    if json_file is not None:
        check_writable("--json", json_file.absolute())
    if identifier is not None:
        claim_of(known, identifier)
    known_verdicts = known_standings(known) or {}
    from theorems.engine.judging.judge import judge  # noqa: PLC0415 - slow to import
    from theorems.engine.judging.trust import counts, leaves  # noqa: PLC0415
    from theorems.engine.running.runner import latest  # noqa: PLC0415

    judged = judge(known, latest(known))
    if letters:
        _print_readings(judged, identifier, json_file)
        return
    found = leaves(judged)
    if json_file is not None:
        plain = {key: [vars(leaf) for leaf in sorted(some)] for key, some in found.items()}
        written("--json", json_file, json.dumps(plain, indent=1) + "\n")
    if identifier is None:
        columns = ("what is trusted", "different ones", "claims that stand on one")
        table = plain_table(*columns, right=columns[1:])
        for kind, (distinct, standing) in counts(found).items():
            table.add_row(kind, str(distinct), str(standing))
        console().print(table)
        _print_confirmed(known, list(known.claims))
    elif claim_of(known, identifier).id not in known_verdicts:
        raise fail(f"{identifier} was not checked yet with this code")
    elif leaves_here := sorted(found.get(identifier, ())):
        typer.echo("\n".join(map(str, leaves_here)))
        _print_confirmed(known, known.with_ancestors([identifier]))
    else:
        page = f"theorems show {identifier}"
        typer.echo(f"nothing: no evidence was accepted in the last run; {page} says why")


def _print_readings(judged: Mapping[str, Judgement], identifier: str | None, json_file: Path | None) -> None:
    """The letters that proofs take for several things, each thing with the claims that do."""
    from theorems.engine.judging.trust import readings  # noqa: PLC0415 - slow to import
    from theorems.interface.unicode import unicode  # noqa: PLC0415

    several = [(place, said) for place, said in sorted(readings(judged).items()) if len(said) > 1]
    shown = [one for one in several if identifier is None or identifier in chain(*one[1].values())]
    for (paper, letter), said in shown:
        typer.echo(f"{letter} ({paper})")
        for value, ids in said.items():
            typer.echo(f"    {unicode(value)}: {', '.join(ids)}")
    if json_file is not None:
        plain = [{"paper": paper, "letter": x, "readings": said} for (paper, x), said in shown]
        written("--json", json_file, json.dumps(plain, indent=1) + "\n")


def _print_confirmed(known: Catalogue, ids: Iterable[str]) -> None:
    """How many inferences the second prover confirms, if it was asked."""
    from theorems.engine.running.inferences import confirmation, made, told_confirmed  # noqa: PLC0415

    found = confirmation(made(known, ids))
    if found["asked"]:
        typer.echo(told_confirmed(found))
