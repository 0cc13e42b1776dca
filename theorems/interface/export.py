"""LaTeX of statements, closed forms and derivations; the whole library as one document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from sympy import Symbol

from symbolic.latex_lines import PAGE
from symbolic.latex_width import width
from theorems.engine import registry as registries
from theorems.engine.answers import Grade, brief
from theorems.engine.claim import Claim, Evidence, Provenance, Role
from theorems.engine.domain import latex
from theorems.engine.examine import called
from theorems.engine.given import Given
from theorems.engine.judge import Judgement
from theorems.engine.registry import Registry
from theorems.engine.statement import written
from theorems.interface.layout import display, rows
from theorems.interface.prose import escaped, variable, words

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
    """The LaTeX of the derivations in a claim's proofs; what could not be derived says so."""
    for item in claim.evidence:
        if item.grade >= Grade.ARGUED and item.role is Role.SUPPORTS:
            try:
                yield from (one.latex() for one in _derivations_of(claim, item))
            except Exception as error:
                reason = f"{item.name} gives no derivation: {type(error).__name__}: {error}"
                yield rf"\emph{{{words(brief(reason))}}}\par"


def _derivations_of(claim: Claim, item: Evidence) -> list[Any]:
    """What a check returns, or goes through, that prints as a derivation."""
    if claim.is_typed:
        result = item.check()
        return [result] if hasattr(result, "latex") else []
    given = Given(claim, item.part, registries.load().__getitem__)
    result = called(given, item)
    return [result] if hasattr(result, "latex") else given.derivations


def claim_latex(claim: Claim, *, derivation: bool = False) -> str:
    """Hypotheses, the statement as display mathematics, and its derivations if asked for."""
    lines = [hypotheses(claim), display(claim)]
    lines += derivations(claim) if derivation else ()
    return "\n".join(filter(None, lines))


def hypotheses(claim: Claim) -> str:
    r"""What a claim supposes, as the beginning of a sentence that its statement ends.

    >>> from theorems.engine import claim, interval
    >>> given = {"rho": interval(0, 1)}
    >>> print(hypotheses(claim("t.a", at="a", title="t", states="1", given=given)))
    For $\rho \in [0, 1]$:
    """
    if not claim.is_typed:
        return _given(claim)
    quantified = []
    for domain, names in groupby(claim.given, lambda name: latex(claim.given[name])):
        symbols = ", ".join(_symbol(name, claim) for name in names)
        quantified.append(rf"${symbols} \in {domain}$")
    parts = [f"for {' and '.join(_listed(quantified))}"] if quantified else []
    parts += (
        [f"assuming that {'; and that '.join(_said(str(one), claim) for one in claim.assuming)}"]
        if claim.assuming
        else []
    )
    sentence = ", ".join(parts)
    return sentence[:1].upper() + sentence[1:] + (":" if sentence else "")


def _given(claim: Claim) -> str:
    """Letters with their domains and meanings, and the hypotheses."""
    names = written(claim.letters)
    ranges = [rf"${names[x]} \in {latex(domain)}$" for x, domain in claim.domains.items()]
    said = [said_in(one.says, names) for one in claim.hypotheses]
    parts = [f"for {' and '.join(_listed(ranges))}"] if ranges else []
    parts += [f"assuming that {'; and that '.join(said)}"] if said else []
    whole = ", ".join(parts)
    return whole[:1].upper() + whole[1:] + (":" if whole else "")


def said_in(text: str, names: Mapping[Symbol, str]) -> str:
    """Words with places for letters, the letters set as mathematics."""
    pieces = re.split(r"(\$\{\w+\}|\$\w+)", text)
    values = {symbol.name: latex for symbol, latex in names.items()}
    return "".join(
        f"${values[one.strip('${}')]}$" if one.startswith("$") else words(one) for one in pieces
    )


def _listed(items: list[str]) -> list[str]:
    return [", ".join(items[:-1]), items[-1]] if len(items) > 1 else items


#: Papers that write the numbers of an activation, Δ and κ, with its index.
_INDEXED = {"eoc"}


def _said(text: str, claim: Claim) -> str:
    """Prose of a claim, with the letters of its paper."""
    said = words(text)
    if claim.paper not in _INDEXED:
        return said
    return re.sub(r"\\(Delta|kappa)\b(?! ?_)", r"\\\1_\\phi", said)


def _symbol(name: str, claim: Claim) -> str:
    """The symbol of a variable; delta is a paper's share of the absolute value or a plain one."""
    share = name == "delta" and r"\delta" not in claim.displayed
    return r"\Delta_\phi" if share and claim.paper in _INDEXED else variable(name)


def document(known: Registry, judgements: dict[str, Judgement], *, derivation: bool = True) -> str:
    """Every claim of every paper, in reading order, as a document that compiles."""
    return _PREAMBLE + "\n".join(_pages(known, judgements, derivation)) + "\n\\end{document}\n"


def _pages(known: Registry, judgements: dict[str, Judgement], derivation: bool) -> Iterator[str]:
    for paper in known.papers:
        yield rf"\section{{{words(paper.title)}}}"
        for one in known.claims.values():
            if one.paper == paper.prefix:
                place = words(one.at if one.at.startswith("(") else f"({one.at})")
                place = re.sub(r" (?=\d)", "~", place)
                yield rf"\subsection*{{{_said(one.title, one)} \textnormal{{{place}}}}}"
                yield rf"\texttt{{{escaped(one.id)}}}" + _judged(judgements.get(one.id))
                if one.provenance is Provenance.EXTRACTED:
                    yield rf"\emph{{{words(one.provenance.value.capitalize())}.}}\par\nobreak"
                yield hypotheses(one)
                yield _statement(one)
                yield from map(_fitted, derivations(one) if derivation else ())


def _statement(claim: Claim) -> str:
    """The statement, scaled where even its lines are wider than the page."""
    lines = rows(claim)
    if len(lines) > 1 and all(width(one) <= PAGE for one in lines):
        return display(claim)
    return "\n".join(rf"\statement{{{one}}}" for one in lines)


def _fitted(latex: str) -> str:
    aligned = _ALIGNED.fullmatch(latex)
    return latex if aligned is None else rf"\derivation{{{aligned[1]}}}"


def _judged(judgement: Judgement | None) -> str:
    if judgement is None:
        return r"\par\nobreak"
    grade = "" if judgement.grade is None else f", {judgement.grade}"
    return rf" --- \emph{{{judgement.verdict.value}{grade}}}\par\nobreak"
