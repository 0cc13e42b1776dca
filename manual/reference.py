"""Write the reference of the public functions from their docstrings: ``make api``.

The pages load nothing from a network: the mathematics in docstrings is Unicode text.
"""

import sys
from importlib import import_module
from pathlib import Path

import pdoc

PACKAGES = ("numeric", "symbolic", "theorems.engine", "theorems.interface.figure")
OUTPUT = Path("build/api")


def write(folder: Path) -> None:
    """Write all pages; a warning of the generator is left to the caller."""
    for name in PACKAGES:
        load(name)
    pdoc.render.configure(docformat="restructuredtext", math=False, show_source=False)
    pdoc.pdoc(*PACKAGES, output_directory=folder)


def load(name: str) -> None:
    """Import a module, and all names that it loads when they are first asked for."""
    module = import_module(name)
    for public in getattr(module, "__all__", ()):
        vars(module)[public] = getattr(module, public)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else OUTPUT)
