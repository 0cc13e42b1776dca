"""How commands refuse: one line that says why, and the exit code for bad usage."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from theorems.engine.answers import brief

__all__ = ["INTERRUPTED", "USAGE", "check_writable", "fail"]

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
