"""Claims as a notebook shows them: HTML with the mathematics as MathML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from theorems.engine.claims.functions import functions
from theorems.engine.claims.mathml import mathml
from theorems.engine.claims.words import assumed, given

if TYPE_CHECKING:
    from theorems.engine.claims.claim import Claim
    from theorems.engine.claims.record import AssumedRecord, ClaimRecord, FunctionRecord, LetterRecord

__all__ = ["claim_html", "formula_html", "judged_html", "record_html", "table_html"]

_NAMED = re.compile(r"\$([A-Za-z]\w*)")
# Colours are the notebook's own, so that a page is readable in its dark theme too.
_WIDE = "overflow-x: auto; overflow-y: hidden; padding: 0.3em 0"
_LIST = "margin: 0.2em 0; padding-left: 1.5em; font-size: smaller"
_CELL = "text-align: left; vertical-align: top; white-space: normal"


def claim_html(claim: Claim) -> str:
    """A claim with its place, its statement and what it supposes."""
    parts = "".join(
        f'<div style="{_WIDE}">{formula_html(part.latex(claim.letters))}</div>'
        for part in claim.parts.values()
    )
    items = "".join(f"<li>{one}</li>" for one in _supposed(claim))
    return (
        f"<div>{_heading(claim)}{parts}" + (f'<ul style="{_LIST}">{items}</ul>' if items else "") + "</div>"
    )


def judged_html(claim: Claim | ClaimRecord, label: str, rows: list[tuple[Any, ...]]) -> str:
    """A claim with its verdict, and a row for each piece of evidence and each reason."""
    table = table_html(("grade", "evidence", "answer", "what was found"), rows) if rows else ""
    return f"<div>{claim._repr_html_()}<b>{label}</b>{table}</div>"


def record_html(record: ClaimRecord) -> str:
    """A record with its place and its statement."""
    parts = (f'<div style="{_WIDE}">{formula_html(one)}</div>' for one in record.statement.values())
    return f"<div>{_heading(record)}{''.join(parts)}</div>"


def _heading(claim: Claim | ClaimRecord) -> str:
    return (
        f"<div><code>{html.escape(claim.id)}</code> <b>{html.escape(claim.title)}</b> "
        f"<i>({html.escape(claim.at)})</i></div>"
    )


def _supposed(claim: Claim) -> Iterator[str]:
    symbols = {str(symbol): letter.latex for symbol, letter in claim.letters.items()}
    yield from map(_letter, given(claim))
    yield from map(_function, functions(claim))
    for one in assumed(claim):
        yield _assumption(one, symbols)


def _letter(one: LetterRecord) -> str:
    place = f" {one.where}" if one.where.startswith("in ") else f", {one.where}"
    symbol = formula_html(one.latex, "inline")
    return f"{symbol}{html.escape(f'{place}: {one.meaning}')}"


def _function(one: FunctionRecord) -> str:
    derived = f", derived in {one.derived_in}" if one.derived_in else ""
    return f"{formula_html(one.equation, 'inline')}{html.escape(f': {one.meaning}{derived}')}"


def _assumption(one: AssumedRecord, symbols: Mapping[str, str]) -> str:
    """A hypothesis, or why it is met, with the letters that its words name set as letters."""
    pieces = _NAMED.split(one.says)
    said = "".join(
        formula_html(symbols[piece], "inline")
        if place % 2 and piece in symbols
        else html.escape("$" * (place % 2) + piece)
        for place, piece in enumerate(pieces)
    )
    name = html.escape(one.name.replace("_", " "))
    formula = f": {formula_html(one.latex, 'inline')}" if one.latex else ""
    return f"{name} is met: {said}" if one.met else f"assuming {name}: {said}{formula}"


def formula_html(latex: str, display: str = "block") -> str:
    r"""A formula as MathML, or as it is where the converter does not know a command.

    >>> formula_html(r"\rho")[:12]
    '<math xmlns='
    """
    try:
        return mathml(latex, display)
    except Exception:
        tag = "pre" if display == "block" else "code"
        return f"<{tag}>{html.escape(latex)}</{tag}>"


def table_html(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A table of text below its heads.

    >>> table_html(["what"], [["a < b"]]).count("<td "), table_html(["a"], []).count("<th ")
    (1, 1)
    """
    lines = [_row("th", head), *(_row("td", row) for row in rows)]
    return f'<div style="{_WIDE}"><table>{"".join(lines)}</table></div>'


def _row(tag: str, cells: Iterable[Any]) -> str:
    shown = (f'<{tag} style="{_CELL}">{html.escape(str(one))}</{tag}>' for one in cells)
    return f"<tr>{''.join(shown)}</tr>"
