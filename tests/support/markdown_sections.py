"""The headings and sections of Markdown files."""

import re
from collections.abc import Iterator

__all__ = ["anchors", "headings", "sections"]

_HEADING = re.compile(r"^(#+) +(.*?) *#*$", re.MULTILINE)


def headings(markdown: str) -> Iterator[tuple[int, int, str]]:
    """Where each heading begins, its level, and its anchor, as web pages of Markdown make it."""
    for found in _HEADING.finditer(markdown):
        kept = re.sub(r"[^\w\- ]", "", found[2])
        yield found.start(), len(found[1]), kept.strip().lower().replace(" ", "-")


def anchors(markdown: str) -> set[str]:
    """The anchors of a file's headings."""
    return {anchor for _, _, anchor in headings(markdown)}


def sections(markdown: str) -> dict[str, str]:
    """By anchor what stands between a heading and the next one of its level or of a higher one."""
    found = [*headings(markdown), (len(markdown), 0, "")]
    return {
        anchor: markdown[start : next(other for other, rank, _ in found[at + 1 :] if rank <= level)]
        for at, (start, level, anchor) in enumerate(found[:-1])
    }
