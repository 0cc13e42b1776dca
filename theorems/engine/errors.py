"""What the engine raises: about claims that are not well formed, and about runs."""

from typing import Any

__all__ = ["OUT_OF_TIME", "ClaimError", "CodeChangedError", "OutOfTimeError", "is_text", "need"]

#: What an answer says that a safety net in seconds has given: it is one about this machine.
OUT_OF_TIME = "out of time on this machine"


class OutOfTimeError(BaseException):
    """A safety net in seconds was needed; no check catches this by mistake, as an Exception."""


class ClaimError(ValueError):
    """A claim's record, a paper, or the registry as a whole, is not well formed."""


class CodeChangedError(RuntimeError):
    """The source files are not those that a run began with."""


def need(holds: bool, complaint: str) -> None:
    """Refuse what is not well formed."""
    if not holds:
        raise ClaimError(complaint)


def is_text(value: Any) -> bool:
    """Whether a value is text that says something."""
    return isinstance(value, str) and bool(value.strip())
