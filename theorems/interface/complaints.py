"""How commands refuse: one line that says why, and the exit code for bad usage."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path

import typer

from theorems.engine.judging.answers import brief
from theorems.engine.running.journal import RunInProgressError, state_folder
from theorems.engine.running.runner import CodeChangedError

__all__ = ["INTERRUPTED", "USAGE", "check_writable", "fail", "resumable"]

USAGE = 2
INTERRUPTED = 130  # as a shell reports the signal INT


def fail(message: str) -> typer.Exit:
    """Say what is wrong; the caller raises what this returns."""
    typer.echo(f"theorems: {brief(message)}", err=True)
    return typer.Exit(USAGE)


def check_writable(option: str, path: Path) -> None:
    """Refuse a file that cannot be written before any work is done for it."""
    if not path.parent.is_dir():
        raise fail(f"{option}: there is no folder {path.parent}")
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise fail(f"{option}: {path} is not to be written")


@contextmanager
def resumable() -> Iterator[None]:
    """A long run: what stops it is told in a line, and the same command goes on from there."""
    try:
        yield
    except (RunInProgressError, CodeChangedError) as error:
        raise fail(str(error)) from None
    except BrokenExecutor:
        raise fail("a worker process died; the same command goes on from here") from None
    except OSError as error:
        raise fail(f"cannot keep results in {state_folder()}: {error}") from None
    except KeyboardInterrupt:
        typer.echo("interrupted; the same command goes on from here", err=True)
        raise typer.Exit(INTERRUPTED) from None
