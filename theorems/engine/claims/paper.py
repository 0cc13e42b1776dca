"""A paper, and where a statement comes from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from theorems.engine.claims.contents import Contents
from theorems.engine.claims.evidence import is_text, need

__all__ = ["Paper", "Provenance"]

_PREFIX = re.compile(r"[a-z][a-z0-9]*")


class Provenance(Enum):
    """Where a statement comes from."""

    PRINTED = "printed in the paper"
    EXTRACTED = "as a machine-made extraction of the paper reads; the page may differ"
    QUOTED = "quoted by the paper from another source"
    DERIVED = "derived here from the paper's statements"
    CORRECTED = "correction of a statement that is false as printed"
    SHARPENED = "sharper than the paper's statement"
    CLASSICAL = "textbook fact"


@dataclass(frozen=True)
class Paper:
    """A paper; its claims' ids begin with ``prefix``, and ``contents`` are what it numbers.

    A collection without contents, such as one of textbook facts, says of each claim which source
    it is from; of a paper the places of its claims stand in its contents.
    """

    prefix: str
    title: str
    authors: str
    contents: Contents | None = None

    def __post_init__(self) -> None:
        prefix = isinstance(self.prefix, str) and _PREFIX.fullmatch(self.prefix)
        need(bool(prefix), f"a paper's prefix is a lower-case word, got {self.prefix!r}")
        for name in ("title", "authors"):
            value = getattr(self, name)
            need(is_text(value), f"{self.prefix}: {name} must be a non-empty string")
        fit = self.contents is None or isinstance(self.contents, Contents)
        need(fit, f"{self.prefix}: contents must be Contents, got {self.contents!r}")
