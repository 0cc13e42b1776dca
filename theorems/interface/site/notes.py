"""The notes with the proofs as pages: Markdown as HTML, ids of claims as links to their pages."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from theorems.interface.note_files import notes_folder

__all__ = ["Note", "anchor", "notes"]

_CODE = re.compile(r"<code>([a-z]+(?:\.[A-Za-z0-9_]+)+)</code>")
_HEADING = re.compile(r"<h([1-6])>(.*?)</h\1>")
_FILE = re.compile(r'href="([a-z_]+)\.md(#[^"]*)?"')


@dataclass(frozen=True)
class Note:
    """A note: the name of its file, its title, and its text as HTML."""

    name: str
    title: str
    body: Markup


def notes(link: Callable[[str], str | None]) -> Iterator[Note]:
    """The notes in the order of their names; ``link`` gives the address of a claim by its id."""
    for file in sorted(notes_folder().glob("*.md")):
        text = file.read_text(encoding="utf-8")
        title = text.partition("\n")[0].lstrip("# ").strip()
        yield Note(file.stem, title, _page(text, link))


def anchor(heading: str) -> str:
    """The name of a heading in an address.

    >>> anchor("Sums, and `products`")
    'sums-and-products'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def _page(text: str, link: Callable[[str], str | None]) -> Markup:
    html = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    html = _HEADING.sub(_with_anchor, html)
    html = _FILE.sub(r'href="\1.html\2"', html)

    def linked(found: re.Match[str]) -> str:
        address = link(found[1])
        return found[0] if address is None else f'<a href="{escape(address)}">{found[0]}</a>'

    return Markup(_CODE.sub(linked, html))


def _with_anchor(found: re.Match[str]) -> str:
    words = re.sub(r"<[^>]*>", "", found[2])
    return f'<h{found[1]} id="{anchor(words)}">{found[2]}</h{found[1]}>'
