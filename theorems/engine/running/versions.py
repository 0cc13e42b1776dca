"""Versions of Python and of the libraries on which results depend."""

import platform
from functools import cache
from importlib.metadata import version

__all__ = ["versions"]

_LIBRARIES = (
    "hypothesis",
    "knuckledragger",
    "mpmath",
    "numpy",
    "python-flint",
    "scipy",
    "sympy",
    "z3-solver",
)
_PACKAGE = "infinite-width-theorems"


@cache
def versions() -> dict[str, str]:
    """Versions by name: of Python, of the libraries and of this package."""
    found = {name: version(name) for name in _LIBRARIES}
    return {"python": platform.python_version(), **found, "package": version(_PACKAGE)}
