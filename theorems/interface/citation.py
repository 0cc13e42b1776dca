"""How a claim is cited: the paper that it is about, and this package with the claim's id."""

import re
import unicodedata
from importlib.metadata import version

from theorems.engine.claims.kinds import Provenance
from theorems.engine.claims.paper import Paper
from theorems.engine.claims.record import ClaimRecord
from theorems.interface.prose import escaped, words

__all__ = ["bibtex"]

_NAME = "infinite-width-theorems"
_ARXIV = re.compile(r"https://arxiv\.org/abs/([0-9.]+)")


def bibtex(paper: Paper, claim: ClaimRecord) -> str:
    """The BibTeX entries of a claim: its paper, if it is of one, and the version that checked it.

    >>> from theorems.engine.running.catalogue import catalogue
    >>> known = catalogue()
    >>> print(bibtex(known.paper("eoc"), known["eoc.prop17"]).partition(",")[0])
    @misc{terjek2025
    """
    entries = [] if paper.contents is None else [_paper(paper)]
    return "\n\n".join([*entries, _claim(paper, claim)])


def _paper(paper: Paper) -> str:
    fields = {
        "title": f"{{{words(paper.title)}}}",
        "author": " and ".join(one.strip() for one in paper.authors.split(",")),
    }
    if paper.year is not None:
        fields["year"] = str(paper.year)
    if found := _ARXIV.fullmatch(paper.link):
        fields |= {"eprint": found[1], "archiveprefix": "arXiv"}
    if paper.link:
        fields["url"] = paper.link
    return _entry("misc", _key(paper), fields)


def _claim(paper: Paper, claim: ClaimRecord) -> str:
    source = "" if paper.contents is None else rf" of \cite{{{_key(paper)}}}"
    printed = claim.provenance is Provenance.PRINTED
    kind = "" if printed else f" ({words(claim.provenance.value)})"
    place = rf"Claim \texttt{{{escaped(claim.id)}}}, {words(claim.at)}{source}{kind}"
    fields = {
        "title": f"{{{_NAME}}}: {words(claim.title)}",
        "author": f"{{The {_NAME} founders}}",
        "note": place,
        "version": version(_NAME),
    }
    return _entry("software", claim.id.replace(".", ":"), fields)


def _entry(kind: str, key: str, fields: dict[str, str]) -> str:
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}}}"


def _key(paper: Paper) -> str:
    """The family name of the first author, and the year."""
    name = unicodedata.normalize("NFD", paper.authors.partition(",")[0].split()[-1])
    return f"{re.sub(r'[^a-z]', '', name.lower())}{paper.year or ''}"
