"""Where in the code something was written: module, file and line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType

__all__ = ["Source"]

_HERE = __name__.rpartition(".")[0]


@dataclass(frozen=True)
class Source:
    """A line of a file, and the module that the file is."""

    module: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    @staticmethod
    def of_caller() -> Source:
        """Where the module stands that is being loaded and makes this record.

        A record that a helper makes belongs to the module that called the helper.  Outside of a
        module, in a function of a test say, it is the place that called into this folder.
        """
        frame = sys._getframe(1)
        while frame.f_back is not None and _module_of(frame).startswith(_HERE):
            frame = frame.f_back
        found = next(filter(_is_import, _outwards(frame)), frame)
        return Source(_module_of(found), found.f_code.co_filename, found.f_lineno)


def _outwards(frame: FrameType) -> Iterator[FrameType]:
    """A frame and those that called it."""
    current: FrameType | None = frame
    while current is not None:
        yield current
        current = current.f_back


def _is_import(frame: FrameType) -> bool:
    """Whether it runs a module that is imported: no script, and nothing that somebody executes."""
    imported = frame.f_globals.get("__spec__") is not None and _module_of(frame) != "__main__"
    return imported and frame.f_code.co_name == "<module>"


def _module_of(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))
