"""``theorems`` in this process: its commands are put together once, not anew for each call.

Typer reads the options of all commands from their functions whenever one is called, which takes as
long as many a command.  A command keeps nothing from one call to the next.
"""

from functools import cache

import typer.main

from theorems.interface.cli import main

__all__ = ["main"]

typer.main.get_command = cache(typer.main.get_command)
