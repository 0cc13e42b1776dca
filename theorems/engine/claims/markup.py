"""Claims as a notebook shows them: HTML with the mathematics as MathML."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from theorems.engine.claims.words import supposed

if TYPE_CHECKING:
    from theorems.engine.claims.claim import Claim

__all__ = ["claim_html", "mathml", "table_html"]


def claim_html(claim: Claim) -> str:
    """A claim with its place, its statement and what it supposes."""
    return (
        f"<div><b>{html.escape(claim.id)}</b> {html.escape(claim.title)} "
        f"<i>({html.escape(claim.at)})</i><br>{mathml(claim.displayed)}"
        f"<small>{html.escape('; '.join(supposed(claim)))}</small></div>"
    )


def mathml(latex: str) -> str:
    r"""A formula as MathML, or as it is where the converter does not know a command.

    >>> mathml(r"\rho")[:27]
    '<math xmlns="http://www.w3.'
    """
    from latex2mathml.converter import convert  # noqa: PLC0415 - only notebooks need it

    try:
        return str(convert(latex, display="block"))
    except Exception:
        return f"<pre>{html.escape(latex)}</pre>"


def table_html(rows: Iterable[Iterable[Any]]) -> str:
    """A table of text.

    >>> table_html([("a", 1)])
    '<table><tr><td>a</td><td>1</td></tr></table>'
    """
    cells = ("".join(f"<td>{html.escape(str(one))}</td>" for one in row) for row in rows)
    return f"<table>{''.join(f'<tr>{one}</tr>' for one in cells)}</table>"
