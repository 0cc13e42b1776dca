"""LaTeX of statements, closed forms and derivations; the whole library as one document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from theorems.engine.answers import Grade
from theorems.engine.claim import Claim
from theorems.engine.judge import Judgement
from theorems.engine.registry import Registry

__all__ = ["claim_latex", "derivations", "document"]

_PREAMBLE = r"""\documentclass{article}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb}
\usepackage[T1]{fontenc}
\setlength{\parindent}{0pt}
\allowdisplaybreaks
\begin{document}
"""


def derivations(claim: Claim) -> list[Any]:
    """The derivations that prove a claim (those of its proofs that are chains of equalities)."""
    results = (item.check() for item in claim.evidence if item.grade is Grade.PROVED)
    return [one for one in results if hasattr(one, "latex")]


def claim_latex(claim: Claim, *, derivation: bool = False) -> str:
    """The statement as display mathematics, followed by its derivations if asked for."""
    lines = [rf"\[ {claim.states} \]"]
    if derivation:
        lines += [one.latex() for one in derivations(claim)]
    return "\n".join(lines)


def document(known: Registry, judgements: dict[str, Judgement], *, derivation: bool = True) -> str:
    """Every claim of every paper, in reading order, as a document that compiles."""
    return _PREAMBLE + "\n".join(_pages(known, judgements, derivation)) + "\n\\end{document}\n"


def _pages(known: Registry, judgements: dict[str, Judgement], derivation: bool) -> Iterator[str]:
    for paper in known.papers:
        yield rf"\section{{{_words(paper.title)}}}"
        for one in known.claims.values():
            if one.paper == paper.prefix:
                yield rf"\subsection*{{{_words(one.title)} \textnormal{{({_words(one.at)})}}}}"
                yield rf"\texttt{{{_words(one.id)}}}" + _judged(judgements.get(one.id))
                yield claim_latex(one, derivation=derivation)
                yield from (_words(line) + r"\par" for line in one.assuming)


def _judged(judgement: Judgement | None) -> str:
    if judgement is None:
        return r"\par"
    grade = "" if judgement.grade is None else f", {judgement.grade}"
    return rf" --- \emph{{{judgement.verdict.value}{grade}}}\par"


_ESCAPES = str.maketrans(
    {c: "\\" + c for c in "_#%&{}"}
    | {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
    | {"|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}"}
)


def _words(text: str) -> str:
    """Prose with LaTeX's special characters escaped, other symbols kept in mathematics mode."""
    return "".join(_symbol(letter) for letter in text.translate(_ESCAPES))


def _symbol(letter: str) -> str:
    if letter.isascii() or (letter.isalpha() and ord(letter) < 0x180):
        return letter
    return _GREEK.get(letter, letter)


_GREEK = {
    "Δ": r"$\Delta$", "κ": r"$\kappa$", "φ": r"$\phi$", "ϱ": r"$\varrho$", "ρ": r"$\rho$",
    "ζ": r"$\zeta$", "ω": r"$\omega$", "σ": r"$\sigma$", "Σ": r"$\Sigma$", "π": r"$\pi$",
    "≤": r"$\le$", "≥": r"$\ge$", "√": r"$\surd$", "∞": r"$\infty$", "–": "--", "’": "'",
    "·": r"$\cdot$", "×": r"$\times$", "→": r"$\to$", "₁": "$_1$", "₂": "$_2$", "′": "$'$",
}  # fmt: skip
