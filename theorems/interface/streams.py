"""The standard streams, made ready for whatever they are: closed, full, or of few characters."""

import io
import os
import sys

from theorems.engine.telling import tell

__all__ = ["LOST", "READER_GONE", "finished", "lost", "make_ready"]

READER_GONE = 141  # as a shell reports the signal PIPE
LOST = 74  # as sysexits.h numbers errors of output


def make_ready() -> None:
    """A closed stream takes everything; characters that an encoding lacks are written by number."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - to stay
        elif isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def finished(code: int) -> int:
    """The code to end with, when all that was written has arrived, or is known to be lost."""
    try:
        sys.stdout.flush()
    except OSError as error:
        code = lost(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:  # at its end Python would try once more, and complain
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def lost(error: OSError) -> int:
    """Say that output could not be written; the code that says so to a shell."""
    if isinstance(error, BrokenPipeError):
        return READER_GONE
    tell(f"the output could not be written: {error.strerror or error}")
    return LOST
