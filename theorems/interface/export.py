"""LaTeX of statements, closed forms and derivations; the whole library as one document."""

import re
from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any

from symbolic.latex_lines import PAGE
from symbolic.latex_width import width
from theorems.engine.claims import registry as registries
from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.kinds import Grade, Provenance, Role
from theorems.engine.claims.paper import Paper
from theorems.engine.claims.place import places
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.answers import brief
from theorems.engine.judging.examine import called
from theorems.engine.judging.given import Given
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.standing import Standing
from theorems.engine.statements.statement import written
from theorems.interface.assumptions import ambiguous, glossary, here, hypotheses
from theorems.interface.introductions import abbreviations, introduced
from theorems.interface.layout import display, displayed, part_rows
from theorems.interface.meanings import GRADES, SEVERITIES
from theorems.interface.prose import escaped, words
from theorems.interface.tables import counts, judged

__all__ = ["PACKAGES", "claim_latex", "derivations", "document"]

#: What the LaTeX of a claim needs in a preamble.
PACKAGES = r"\usepackage{amsmath,amssymb}"

_PREAMBLE = r"""\documentclass{article}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,graphicx}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{lmodern}
\usepackage[hidelinks]{hyperref}
\hypersetup{pdftitle={The claims of infinite-width-theorems},
  pdfauthor={infinite-width-theorems},
  pdfsubject={What holds, how strongly that is known, and what is false as printed}}
\setlength{\parindent}{0pt}
\setlength{\emergencystretch}{5em}
\setcounter{tocdepth}{2}
\postdisplaypenalty=9000
\allowdisplaybreaks[2]
% What is wider than the page is scaled to it.
\newcommand{\fitted}[2]{\sbox0{$\displaystyle #2$}\ifdim\wd0>\linewidth
  \[ \resizebox{\linewidth}{!}{\usebox0} \]\else #1\fi}
\newcommand{\statement}[1]{\fitted{\[ #1 \]}{#1}}
\newcommand{\derivation}[1]{%
  \fitted{\begin{align*}#1\end{align*}}{\begin{aligned}#1\end{aligned}}}
% A claim: its id, its title, its place.
\newcommand{\claim}[3]{\subsubsection*{\raggedright\hypertarget{#1}{#2} \textnormal{(#3)}}}
\newcommand{\of}[1]{\tag*{\footnotesize\textnormal{#1}}}
\newcommand{\claimref}[1]{\hyperlink{#1}{\texttt{\detokenize{#1}}}}
\title{The claims of infinite-width-theorems}
\author{}
\date{}
\begin{document}
\maketitle
\tableofcontents
"""
_ROOM = 410.0  # points; estimates of long formulas are too small by some per cent
_ALIGNED = re.compile(r"\s*\\begin\{align\*\}(.*)\\end\{align\*\}\s*", re.DOTALL)


Kept = Mapping[tuple[str, str], EvidenceResult]


def derivations(claim: Claim, kept: Kept | None = None) -> Iterator[str]:
    """The LaTeX of the different derivations in a claim's proofs, or why there is none.

    They are taken from the results that are kept; a proof of which none is kept is gone through.
    """
    seen: set[str] = set()
    for item in _proofs(claim):
        result = (kept or {}).get((claim.id, item.name))
        anew = _derived_anew(claim, item) if result is None else []
        found = [text for _, text in anew] if result is None else result.derivations
        yield from (text for text in found if text not in seen)
        seen.update(found)


def _proofs(claim: Claim) -> Iterator[Evidence]:
    for item in claim.evidence:
        if item.grade >= Grade.ARGUED and item.role is Role.SUPPORTS:
            yield item


def _derived_anew(claim: Claim, item: Evidence) -> list[tuple[Any, str]]:
    """Each derivation of a check with its LaTeX, or nothing with the reason why there is none."""
    try:
        found = _derivations_of(claim, item)
        return [(one, one.latex(written(claim.letters))) for one in found]
    except Exception as error:
        reason = f"{item.name} gives no derivation: {type(error).__name__}: {error}"
        return [(None, rf"\emph{{{words(brief(reason))}}}\par")]


def _derivations_of(claim: Claim, item: Evidence) -> list[Any]:
    """What a check returns, or goes through, that prints as a derivation."""
    given = Given(claim, item.part, registries.load().__getitem__)
    result = called(given, item)
    return [result] if hasattr(result, "latex") else given.derivations


def claim_latex(claim: Claim, *, derivation: bool = False) -> str:
    """Hypotheses and the statement as display mathematics, for a text of one's own.

    With its derivations, if asked for; then what all letters mean is said before.  That no
    evidence is a derivation is told in a comment.
    """
    statement = [hypotheses(claim), display(claim)]
    if not derivation:
        return "\n".join(filter(None, statement))
    found = {text: one for item in _proofs(claim) for one, text in _derived_anew(claim, item)}
    introduction = introduced(claim, found.values())
    lines = [introduction and f"{introduction}\n", *statement]
    for text, one in found.items():
        lines += [abbreviations(claim, one), text]
    if not found:
        lines.append(f"% No evidence of {claim.id} is a derivation that can be printed.")
    return "\n".join(filter(None, lines))


def document(
    known: Registry,
    found: Mapping[str, Standing],
    *,
    kept: Kept | None = None,
    advance: Callable[[str], None] = lambda _: None,
) -> str:
    """Every claim of every paper, in reading order, as a document that compiles.

    Derivations are those of the results that are ``kept``; all are made anew, which takes some
    minutes, where there are none.  ``advance`` is called with the id of each claim.
    """
    pages = "\n".join([*_introduction(found), *_pages(known, found, kept or {}, advance)])
    return _PREAMBLE + pages + "\n\\end{document}\n"


def _introduction(found: Mapping[str, Standing]) -> Iterator[str]:
    """What the words of the document mean, and how many claims came out how."""
    yield r"\clearpage\section*{How to read this document}"
    yield words(_READING) + r"\par"
    yield r"\subsection*{Grades, the strongest first}" + _described(GRADES)
    yield r"\subsection*{Severities of what is false as stated}"
    yield _described({one.value: said for one, said in SEVERITIES.items()})
    if found:
        yield r"\subsection*{How many claims came out how}\begin{tabular}{llr}"
        for (label, grade), count in counts(found).items():
            yield rf"{words(label)} & {grade} & {count} \\"
        yield r"\end{tabular}"


_READING = (
    "Each claim has a title, the place where it stands in its paper, an identifier, and"
    " behind it what the claim came out as. A title says what is claimed, be it true or false;"
    " the verdict says which. A claim holds, is false as stated, or is open. It is “in part”"
    " if evidence of a larger profile has not run. Before the statement stand the ranges of"
    " its letters and, in small capitals, the names of its hypotheses. Letters, functions and"
    " hypotheses are explained before the claims of each paper; a letter that means several"
    " things there is explained at the claim. Behind the formulas of a statement with several"
    " parts stand the names of the parts. Then come the derivations that a machine has gone"
    " through, line by line, and the claims on which the claim rests. Evidence,"
    " counterexamples and proofs in prose are in the notes and on the pages of the report."
)


def _described(meanings: Mapping[str, str]) -> str:
    lines = (rf"\item[{name}] {words(said)}" for name, said in meanings.items())
    return "\n".join([r"\begin{description}", *lines, r"\end{description}"])


def _pages(
    known: Registry, found: Mapping[str, Standing], kept: Kept, advance: Callable[[str], None]
) -> Iterator[str]:
    for paper in known.papers:
        yield rf"\clearpage\section{{{words(paper.title)}}}"
        yield rf"{words(paper.authors)}.\par"
        several = ambiguous(known, paper.prefix)
        yield from glossary(known, paper.prefix, several)
        heading = ""
        for one in known.claims.values():
            if one.paper == paper.prefix:
                section = _section(paper, one)
                if section != heading:
                    heading = section
                    yield rf"\subsection{{{words(heading)}}}"
                yield from _claim(one, found.get(one.id), kept, several)
                advance(one.id)


def _section(paper: Paper, one: Claim) -> str:
    """The widest heading of the paper that a claim stands in."""
    if paper.contents is None:
        return "Facts"
    place = places(one.at)[0]
    around = [*paper.contents.around(place), place.of]
    return next(str(heading) for heading in paper.contents if heading.place == around[0])


def _claim(one: Claim, standing: Standing | None, kept: Kept, several: Set[str]) -> Iterator[str]:
    at = one.at[1:-1] if re.fullmatch(r"\([^()]*\)", one.at) else one.at
    place = re.sub(r" (?=\d)", "~", words(at))
    yield rf"\claim{{{one.id}}}{{{words(one.title)}}}{{{place}}}"
    yield rf"\texttt{{{escaped(one.id)}}}" + _judged(standing)
    if one.provenance in {Provenance.EXTRACTED, Provenance.EXPLICIT, Provenance.STEP}:
        yield rf"\emph{{{words(one.provenance.value.capitalize())}.}}\par\nobreak"
    yield hypotheses(one, by_name=True)
    yield _statement(one)
    yield here(one, several)
    yield from map(_fitted, derivations(one, kept))
    if one.rests_on:
        below = [rf"\claimref{{{other}}}" for other in one.rests_on]
        yield rf"{{\raggedright Rests on {', '.join(below)}.\par}}"


def _statement(claim: Claim) -> str:
    """The statement, scaled where a line of it cannot be cut and is wider than the page.

    Behind each of several parts stands its name.
    """
    lines = [
        (line, name if number == 0 and len(claim.parts) > 1 else "")
        for name, part in claim.parts.items()
        for number, line in enumerate(part_rows(claim, part, _ROOM))
    ]
    if any(width(line) > PAGE for line, _ in lines):
        return "\n".join(rf"\statement{{{line}}}" for line, _ in lines)
    return displayed([rf"{line} \of{{{words(name)}}}" if name else line for line, name in lines])


def _fitted(latex: str) -> str:
    aligned = _ALIGNED.fullmatch(latex)
    return latex if aligned is None else rf"\derivation{{{aligned[1]}}}"


def _judged(standing: Standing | None) -> str:
    if standing is None:
        return r"\par\nobreak"
    return rf" --- \emph{{{judged(standing)}}}\par\nobreak"
