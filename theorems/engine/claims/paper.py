"""A paper: its prefix, its title, its authors and its contents."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from theorems.engine.claims.contents import Contents
from theorems.engine.errors import is_text, need

__all__ = ["Paper"]

_PREFIX = re.compile(r"[a-z][a-z0-9]*")


@dataclass(frozen=True)
class Paper:
    """A paper; its claims' ids begin with ``prefix``, and ``contents`` are what it numbers.

    A collection without contents, such as one of textbook facts, says of each claim which source
    it is from; of a paper the places of its claims stand in its contents.
    ``year`` and ``link`` are those of the paper, if it has them.
    """

    prefix: str
    title: str
    authors: str
    contents: Contents | None = None
    year: int | None = None
    link: str = ""

    def __post_init__(self) -> None:
        prefix = isinstance(self.prefix, str) and _PREFIX.fullmatch(self.prefix)
        need(bool(prefix), f"a paper's prefix is a lower-case word, got {self.prefix!r}")
        for name in ("title", "authors"):
            value = getattr(self, name)
            need(is_text(value), f"{self.prefix}: {name} must be a non-empty string")
        year = self.year is None or isinstance(self.year, int)
        need(year, f"{self.prefix}: year must be an integer, got {self.year!r}")
        web = self.link == "" or (is_text(self.link) and self.link.startswith("https://"))
        need(web, f"{self.prefix}: link must begin with https://, got {self.link!r}")
        fit = self.contents is None or isinstance(self.contents, Contents)
        need(fit, f"{self.prefix}: contents must be Contents, got {self.contents!r}")

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "contents": self.contents and self.contents.outline}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Paper":
        """The value that :meth:`as_json` wrote; KeyError, TypeError or ValueError otherwise."""
        outline = data["contents"]
        return Paper(**{**data, "contents": None if outline is None else Contents(outline)})
