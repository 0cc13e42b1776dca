"""The notes with the proofs as pages: Markdown as HTML, formulas as MathML, ids as links."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape

from symbolic.latex_width import width
from theorems.interface.note_files import notes_folder
from theorems.interface.site.flow import cut
from theorems.interface.site.mathematics import formula, prose

__all__ = ["Note", "anchor", "notes"]

_CODE = re.compile(r"<code>([a-z]+(?:\.[A-Za-z0-9_]+)+)</code>")
_PHONE = 200.0  # points
_GAP = re.compile(r" {3,}")
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
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("text", _typeset)
    reader.add_render_rule("code_block", _displayed)
    parsed = reader.parse(text)
    for before, after in pairwise(parsed):
        if before.type == "heading_open":
            before.attrs["id"] = anchor(after.content)
    html = reader.renderer.render(parsed, reader.options, {})
    html = _FILE.sub(r'href="\1.html\2"', html)

    def linked(found: re.Match[str]) -> str:
        address = link(found[1])
        return found[0] if address is None else f'<a href="{escape(address)}">{found[0]}</a>'

    return Markup(_CODE.sub(linked, html))


def _typeset(_: Any, tokens: Sequence[Token], place: int, *_rest: Any) -> str:
    """Text, the formulas that it contains set as mathematics."""
    text = tokens[place].content
    return str(escape(text) if text.endswith(".md") else prose(text, inline=_breakable))


def _breakable(latex: str) -> Markup:
    """A formula in a line of text, which may end before a relation or a sign of a sum.

    A piece that is wider than a phone is marked, so that it can be moved there.
    """
    shown = (
        Markup('<span class="long">{}</span>').format(formula(one)) if width(one) > _PHONE else formula(one)
        for one in cut(latex)
    )
    return Markup("<wbr>").join(shown)


def _displayed(_: Any, tokens: Sequence[Token], place: int, *_rest: Any) -> str:
    """Formulas on lines of their own, the pieces of a line apart as they are typed."""
    shown = Markup("")
    for line in tokens[place].content.splitlines():
        pieces = [prose(one, inline=_breakable) for one in _GAP.split(line.strip())]
        joined = Markup('<span class="gap"></span>').join(pieces)
        shown += Markup('<div class="wide" tabindex="0">{}</div>').format(joined)
    return str(Markup('<div class="typed">{}</div>').format(shown))
