"""What the engine tells the user while it works: lines on the standard error."""

import contextlib
import sys

__all__ = ["tell"]


def tell(text: str) -> None:
    """A line on the standard error; one that is closed or full is no obstacle."""
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr is not None:
            print(f"theorems: {text}", file=sys.stderr, flush=True)
