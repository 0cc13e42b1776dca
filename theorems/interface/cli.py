"""The command line: ``theorems list|search|contents|show|check|trusts|latex|eval|figure|audit``."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from theorems.engine.errors import ClaimError, CodeChangedError
from theorems.engine.judging.answers import brief
from theorems.engine.telling import tell
from theorems.interface.command_errors import USAGE
from theorems.interface.commands.auditing import audit
from theorems.interface.commands.checking import check, trusts
from theorems.interface.commands.drawing import figure
from theorems.interface.commands.printing import evaluate_expression, latex
from theorems.interface.commands.questioning import questions
from theorems.interface.commands.reading import contents, list_claims, search, show
from theorems.interface.commands.rechecking import recheck
from theorems.interface.commands.reporting import cite, constants, findings, report
from theorems.interface.streams import READER_GONE, finished, lost, make_ready

__all__ = ["app", "main"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Check the theorems of four papers on wide networks, claim by claim.\n\n"
    "Begin with `theorems list`, look at one claim with `theorems show eoc.prop17`, "
    "run its evidence with `theorems check eoc.prop17`.",
)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; bad usage is 2 and one line that says why."""
    make_ready()
    return finished(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        return app(args=arguments, standalone_mode=False) or 0
    except SystemExit as ended:  # so Typer ends when the reader of our output went away
        return ended.code if isinstance(ended.code, int) and ended.code > USAGE else READER_GONE
    except ClaimError as error:
        tell(f"the claims are not well formed: {error}")
    except CodeChangedError as error:
        tell(str(error))
    except OSError as error:
        if error.filename is not None:
            raise
        return lost(error)
    except Exception as error:
        if not hasattr(error, "format_message"):  # Typer's complaints about the command line
            raise
        said = brief(error.format_message().replace("Value error, ", ""))
        if said and type(error).__name__ != "NoArgsIsHelpError":  # which has printed the help
            tell(said)
    return USAGE


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(version("infinite-width-theorems"))
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Options of the program itself."""


app.command("list")(list_claims)
app.command()(search)
app.command()(contents)
app.command()(show)
app.command()(check)
app.command()(trusts)
app.command()(questions)
app.command()(recheck)
app.command()(latex)
# Unknown options are left to the expression, which may begin with a minus sign.
app.command("eval", context_settings={"ignore_unknown_options": True})(evaluate_expression)
app.command()(figure)
app.command()(audit)
app.command()(report)
app.command()(findings)
app.command()(constants)
app.command()(cite)


@app.command()
def repl() -> None:
    """Open IPython with the numeric functions, `symbolic` and the claims loaded.

    Example: `theorems repl`, then `claims['eoc.prop17']`
    """
    from theorems.interface.console import start  # noqa: PLC0415 - slow to import

    start()
