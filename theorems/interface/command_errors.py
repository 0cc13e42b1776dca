"""Error messages of the commands: one line that says why, and the exit code for bad usage."""

import os
import stat
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path

import typer

from theorems.engine.errors import CodeChangedError
from theorems.engine.judging.answers import brief
from theorems.engine.running.store import state_folder
from theorems.engine.telling import tell

__all__ = ["INTERRUPTED", "USAGE", "check_writable", "fail", "resumable", "written"]

USAGE = 2
INTERRUPTED = 130  # as a shell reports the signal INT


def fail(message: str) -> typer.Exit:
    """Say what is wrong; the caller raises what this returns."""
    tell(brief(message))
    return typer.Exit(USAGE)


def check_writable(option: str, path: Path) -> None:
    """Refuse a file that cannot be written before any work is done for it."""
    if not os.path.isdir(path.parent):  # unlike Path, it has an answer for every name
        raise fail(f"{option}: there is no folder {path.parent}")
    if os.path.isdir(path):
        raise fail(f"{option}: {path} is not to be written")
    existed = os.path.exists(path)
    try:
        with path.open("a", encoding="utf-8") as file:
            if stat.S_ISCHR(os.fstat(file.fileno()).st_mode):
                file.write(" ")  # a device that is full says so only when something is written
                file.flush()
    except OSError as error:
        raise fail(f"{option}: {path} is not to be written: {error.strerror}") from None
    if not existed:
        path.resolve().unlink()  # not the link that led there


def written(option: str, path: Path, content: str | bytes) -> None:
    """Write a file; what goes wrong, a full disk say, is told in a line."""
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise fail(f"{option}: {path} could not be written: {error.strerror}") from None


@contextmanager
def resumable() -> Iterator[None]:
    """A long run: what stops it is told in a line, and the same command goes on from there."""
    try:
        yield
    except CodeChangedError as error:
        raise fail(str(error)) from None
    except BrokenExecutor:
        tell("a worker process died; the same command goes on from here")
        raise typer.Exit(1) from None
    except OSError as error:
        raise fail(f"cannot keep results in {state_folder()}: {error}") from None
    except KeyboardInterrupt:
        tell("interrupted; the same command goes on from here")
        raise typer.Exit(INTERRUPTED) from None
