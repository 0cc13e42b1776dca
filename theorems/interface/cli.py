"""The command line: ``theorems list|search|show|check|latex|eval|figure|repl``."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from theorems.engine.claims import registry as registries
from theorems.engine.claims.claim import Claim, ClaimError, Profile
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.answers import Grade, Verdict, brief
from theorems.engine.judging.judge import EvidenceResult, Judgement, judge
from theorems.engine.judging.trust import leaves
from theorems.engine.running.runner import Run, latest, versions
from theorems.interface.audit import audit
from theorems.interface.complaints import USAGE, check_writable, resumable
from theorems.interface.complaints import fail as _fail
from theorems.interface.figures import figure
from theorems.interface.progress import progress
from theorems.interface.show import (
    claim_page,
    claim_table,
    report_json,
    summary_table,
    trust_table,
)

__all__ = ["app", "main"]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Check the theorems of four papers on wide networks, claim by claim.\n\n"
    "Begin with `theorems list`, look at one claim with `theorems show eoc.prop17`, "
    "run its evidence with `theorems check eoc.prop17`.",
)
READER_GONE = 141  # as a shell reports the signal PIPE


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; bad usage is 2 and one line that says why."""
    try:
        return app(args=arguments, standalone_mode=False) or 0
    except SystemExit:  # so Typer ends when the reader of our output went away
        return READER_GONE
    except ClaimError as error:
        typer.echo(f"theorems: the claims are not well formed: {error}", err=True)
    except Exception as error:
        if not hasattr(error, "format_message"):  # Typer's complaints about the command line
            raise
        said = brief(error.format_message())
        if said and type(error).__name__ != "NoArgsIsHelpError":  # which has printed the help
            typer.echo(f"theorems: {said}", err=True)
    return USAGE


def _claim(known: Registry, identifier: str) -> Claim:
    try:
        return known[identifier]
    except KeyError as error:
        raise _fail(str(error.args[0])) from None


def _paper_ids(known: Registry, paper: str) -> list[str]:
    prefixes = [one.prefix for one in known.papers]
    if paper not in prefixes:
        raise _fail(f"no paper has the prefix {paper!r}; there are {', '.join(prefixes)}")
    return [identifier for identifier in known.claims if identifier.startswith(paper + ".")]


def _console() -> Console:
    width = None if sys.stdout.isatty() else 160
    return Console(width=width)


def _judgements(known: Registry) -> dict[str, Judgement]:
    return judge(known, latest())


def _print_claims(known: Registry, claims: Iterable[Claim]) -> None:
    found = list(claims)
    _console().print(claim_table(found, _judgements(known)))
    typer.echo(f"{len(found)} claim{'s' * (len(found) != 1)}")


@app.command("list")
def list_claims(
    paper: Annotated[str | None, typer.Option(help="Only this paper's prefix, e.g. eoc.")] = None,
    verdict: Annotated[
        Verdict | None, typer.Option(help="Only claims that last came out so.")
    ] = None,
    grade: Annotated[str | None, typer.Option(help="Only this grade, e.g. proved.")] = None,
) -> None:
    """List the claims in reading order, with the verdicts of the last run.

    Example: `theorems list --paper eoc --verdict open`
    """
    known = registries.load()
    if grade is not None and grade.upper() not in Grade.__members__:
        raise _fail(f"grade must be one of {', '.join(str(g) for g in Grade)}, got {grade!r}")
    judgements = _judgements(known)
    wanted = _paper_ids(known, paper) if paper else list(known.claims)
    claims = [known.claims[identifier] for identifier in wanted]
    if verdict is not None:
        claims = [c for c in claims if c.id in judgements and judgements[c.id].verdict is verdict]
    if grade is not None:
        claims = [c for c in claims if c.id in judgements and str(judgements[c.id].grade) == grade]
    _print_claims(known, claims)


@app.command()
def search(words: Annotated[list[str], typer.Argument(help="Words that must all occur.")]) -> None:
    """Find claims by words in the id, the title, the place or the statement.

    Example: `theorems search gradient independence`
    """
    known = registries.load()
    lowered = [word.lower() for word in words]

    def matches(one: Claim) -> bool:
        said = (str(getattr(words, "says", words)) for words in one.assuming)
        text = " ".join((one.id, one.title, one.at, one.displayed, *said)).lower()
        return all(word in text for word in lowered)

    _print_claims(known, filter(matches, known.claims.values()))


@app.command()
def show(identifier: Annotated[str, typer.Argument(metavar="ID")]) -> None:
    """Show a claim from every side, with the numbers of its last run.

    Example: `theorems show eoc.prop17`
    """
    known = registries.load()
    one = _claim(known, identifier)
    _console().print(claim_page(known, one, _judgements(known).get(one.id)))


@app.command()
def check(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Claims; parts are included.")
    ] = None,
    paper: Annotated[str | None, typer.Option(help="All claims of this paper.")] = None,
    profile: Annotated[Profile, typer.Option(help="How much work to do.")] = Profile.QUICK,
    jobs: Annotated[int, typer.Option(min=1, help="Processes to run in parallel.")] = 2,
    seed: Annotated[int, typer.Option(min=0, help="All randomness follows from it.")] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Also write the results here.")
    ] = None,
) -> None:
    """Examine claims and what they rest on (everything, without arguments).

    Exit code 0: every claim came out as the repository declares it; 1: some did not, or a
    false variant was not rejected; 2: bad usage.  An interrupted run goes on when the same
    command is given again.

    Example: `theorems check eoc.prop17 --profile full --jobs 4 --json report.json`
    """
    known = registries.load()
    selection = _selection(known, ids or [], paper)
    if json_file is not None:
        check_writable("--json", json_file.absolute())
    results = _execute(Run(tuple(selection), profile, seed, jobs))
    judgements = judge(known, results, selection)
    console = _console()
    console.print(claim_table((one.claim for one in judgements.values()), judgements))
    console.print()
    console.print(summary_table(judgements))
    if json_file is not None:
        report = report_json(judgements, seed=seed, profile=profile.value, versions=versions())
        json_file.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if _print_problems(judgements):
        raise typer.Exit(1)


def _selection(known: Registry, ids: list[str], paper: str | None) -> list[str]:
    if paper is not None and ids:
        raise _fail("give either ids or --paper, not both")
    if paper is not None:
        selection = _paper_ids(known, paper)
    elif ids:
        selection = [part for one in ids for part in known.under(one) or [_claim(known, one).id]]
    else:
        selection = list(known.claims)
    if not selection:
        raise _fail("there are no claims to check")
    return selection


def _execute(run: Run) -> dict[tuple[str, str], EvidenceResult]:
    with resumable(), progress(len(run.tasks())) as advance:
        return run.execute(lambda result, _kept: advance(result.claim_id))


def _print_problems(judgements: dict[str, Judgement]) -> bool:
    problems = [f"{one.claim.id}: {text}" for one in judgements.values() for text in one.problems]
    results = [result for one in judgements.values() for result in one.results]
    near = sum(one["answer"] == "rejected" for r in results for one in r.near.values())
    controls = sum(len(one.controls) for one in results) + near
    if problems:
        typer.echo(f"\n{len(problems)} problem{'s' * (len(problems) != 1)}:")
        typer.echo("\n".join("  " + text for text in problems))
    else:
        typer.echo(
            f"\nevery claim came out as declared; all {controls} false variants were rejected"
        )
    partly = [identifier for identifier, one in judgements.items() if not one.complete]
    if partly:
        typer.echo(f"a larger profile has more evidence for {', '.join(partly)}")
    return bool(problems)


@app.command()
def trusts(
    identifier: Annotated[str | None, typer.Argument(metavar="[ID]")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Also write all here.")] = None,
) -> None:
    """List what verdicts stand on, through everything they rest on: of one claim, or in all.

    Definitions, SymPy derivations and decisions, ball certificates, textbook facts, the solver,
    bridges in prose, cited sources, searches and simulations, as of the last run.

    Example: `theorems trusts eoc.prop17.sharp`
    """
    known = registries.load()
    found = leaves(_judgements(known))
    if json_file is not None:
        check_writable("--json", json_file.absolute())
        plain = {key: [vars(leaf) for leaf in sorted(some)] for key, some in found.items()}
        json_file.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
    if identifier is None:
        _console().print(trust_table(found))
    elif _claim(known, identifier).id not in found:
        raise _fail(f"{identifier} was not checked yet with this code")
    else:
        typer.echo("\n".join(map(str, sorted(found[identifier]))))


@app.command()
def latex(
    identifier: Annotated[str | None, typer.Argument(metavar="[ID]")] = None,
    derivation: Annotated[bool, typer.Option(help="With the whole derivation.")] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="A document with every claim and derivation.")
    ] = False,
) -> None:
    """Print the LaTeX of a statement, of its derivation, or of the whole library.

    Example: `theorems latex --all > claims.tex`
    """
    from theorems.interface.export import claim_latex, document  # noqa: PLC0415 - slow to import

    known = registries.load()
    if everything == (identifier is not None):
        raise _fail("give one claim's id, or --all")
    if identifier is None:
        with progress(len(known.claims), done="written") as advance:
            typer.echo(document(known, _judgements(known), advance=advance))
    else:
        typer.echo(claim_latex(_claim(known, identifier), derivation=derivation))


# Unknown options are left to the expression, which may begin with a minus sign.
@app.command("eval", context_settings={"ignore_unknown_options": True})
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
    from theorems.interface.evaluate import digits_of, evaluate  # noqa: PLC0415 - slow to import
    from theorems.interface.sides import point_of, sides_at  # noqa: PLC0415

    try:
        if _ID.fullmatch(expression):
            one = _claim(registries.load(), expression)
            for what, value in sides_at(one, point_of(one, at), digits):
                typer.echo(f"{what} = {value}")
        else:
            typer.echo(digits_of(evaluate(expression, digits), digits))
    except (ValueError, TypeError) as error:
        raise _fail(str(error)) from None


_ID = re.compile(r"[a-z]+(\.[a-z0-9_]+)*\.[a-z_][a-z0-9_]*")


app.command()(figure)
app.command()(audit)


@app.command()
def repl() -> None:
    """Open IPython with the numeric functions, `symbolic` and the claims loaded.

    Example: `theorems repl`, then `claims['eoc.prop17']`
    """
    from theorems.interface.console import start  # noqa: PLC0415 - slow to import

    start()


if __name__ == "__main__":
    sys.exit(main())
