"""Where the command begins: so light that an interrupt finds it ready, whenever it comes."""

import gc
import os
import sys

__all__ = ["main"]


def main() -> int:
    """Load the command line and run it; 130 if it is interrupted before it has begun."""
    # Nearly all that a command makes lives until it ends: to look for garbage among it is in vain.
    gc.set_threshold(100_000, 50, 100)
    # SymPy remembers 1,000 results of each of its functions, which proofs soon drive out.
    os.environ.setdefault("SYMPY_CACHE_SIZE", "100000")
    try:
        from theorems.interface.cli import main as run  # noqa: PLC0415 - takes a while

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
