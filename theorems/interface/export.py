"""LaTeX of statements, closed forms and derivations; the whole library as one document."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from symbolic.latex_lines import PAGE
from symbolic.latex_width import width
from theorems.engine.claims import registry as registries
from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.kinds import Grade, Provenance, Role
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.answers import brief
from theorems.engine.judging.examine import called
from theorems.engine.judging.given import Given
from theorems.engine.running.standing import Standing
from theorems.engine.statements.statement import written
from theorems.interface.assumptions import glossary, hypotheses
from theorems.interface.layout import display, rows
from theorems.interface.prose import escaped, words

__all__ = ["claim_latex", "derivations", "document"]

_PREAMBLE = r"""\documentclass{article}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,graphicx}
\usepackage[T1]{fontenc}
\setlength{\parindent}{0pt}
\allowdisplaybreaks[2]
% What is wider than the page is scaled to it.
\newcommand{\fitted}[2]{\sbox0{$\displaystyle #2$}\ifdim\wd0>\linewidth
  \[ \resizebox{\linewidth}{!}{\usebox0} \]\else #1\fi}
\newcommand{\statement}[1]{\fitted{\[ #1 \]}{#1}}
\newcommand{\derivation}[1]{%
  \fitted{\begin{align*}#1\end{align*}}{\begin{aligned}#1\end{aligned}}}
\begin{document}
"""
_ALIGNED = re.compile(r"\s*\\begin\{align\*\}(.*)\\end\{align\*\}\s*", re.DOTALL)


def derivations(claim: Claim) -> Iterator[str]:
    """The LaTeX of the different derivations in a claim's proofs, or why there is none."""
    names, seen = written(claim.letters), set()
    for item in claim.evidence:
        if item.grade >= Grade.ARGUED and item.role is Role.SUPPORTS:
            try:
                for one in _derivations_of(claim, item):
                    text = one.latex(names)
                    if text not in seen:
                        yield text
                    seen.add(text)
            except Exception as error:
                reason = f"{item.name} gives no derivation: {type(error).__name__}: {error}"
                yield rf"\emph{{{words(brief(reason))}}}\par"


def _derivations_of(claim: Claim, item: Evidence) -> list[Any]:
    """What a check returns, or goes through, that prints as a derivation."""
    given = Given(claim, item.part, registries.load().__getitem__)
    result = called(given, item)
    return [result] if hasattr(result, "latex") else given.derivations


def claim_latex(claim: Claim, *, derivation: bool = False) -> str:
    """Hypotheses, the statement as display mathematics, and its derivations if asked for."""
    lines = [hypotheses(claim), display(claim)]
    lines += derivations(claim) if derivation else ()
    return "\n".join(filter(None, lines))


def document(
    known: Registry,
    found: Mapping[str, Standing],
    *,
    derivation: bool = True,
    advance: Callable[[str], None] = lambda _: None,
) -> str:
    """Every claim of every paper, in reading order, as a document that compiles.

    Derivations take some minutes in all; ``advance`` is called with the id of each claim.
    """
    pages = "\n".join(_pages(known, found, derivation, advance))
    return _PREAMBLE + pages + "\n\\end{document}\n"


def _pages(
    known: Registry,
    found: Mapping[str, Standing],
    derivation: bool,
    advance: Callable[[str], None],
) -> Iterator[str]:
    for paper in known.papers:
        yield rf"\section{{{words(paper.title)}}}"
        yield from glossary(known, paper.prefix)
        for one in known.claims.values():
            if one.paper == paper.prefix:
                place = words(one.at if one.at.startswith("(") else f"({one.at})")
                place = re.sub(r" (?=\d)", "~", place)
                yield rf"\subsection*{{{words(one.title)} \textnormal{{{place}}}}}"
                yield rf"\texttt{{{escaped(one.id)}}}" + _judged(found.get(one.id))
                if one.provenance is Provenance.EXTRACTED:
                    yield rf"\emph{{{words(one.provenance.value.capitalize())}.}}\par\nobreak"
                yield hypotheses(one, by_name=True)
                yield _statement(one)
                yield from map(_fitted, derivations(one) if derivation else ())
                advance(one.id)


def _statement(claim: Claim) -> str:
    """The statement, scaled where even its lines are wider than the page."""
    lines = rows(claim)
    if len(lines) > 1 and all(width(one) <= PAGE for one in lines):
        return display(claim)
    return "\n".join(rf"\statement{{{one}}}" for one in lines)


def _fitted(latex: str) -> str:
    aligned = _ALIGNED.fullmatch(latex)
    return latex if aligned is None else rf"\derivation{{{aligned[1]}}}"


def _judged(standing: Standing | None) -> str:
    if standing is None:
        return r"\par\nobreak"
    grade = "" if standing.grade is None else f", {standing.grade}"
    return rf" --- \emph{{{standing.verdict.value}{grade}}}\par\nobreak"
