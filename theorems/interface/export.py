"""LaTeX of statements, closed forms and derivations; the whole library as one document."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from theorems.engine.answers import Grade, brief
from theorems.engine.claim import Claim, Role
from theorems.engine.judge import Judgement
from theorems.engine.registry import Registry

__all__ = ["claim_latex", "derivations", "document"]

_PREAMBLE = r"""\documentclass{article}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,graphicx}
\usepackage[T1]{fontenc}
\setlength{\parindent}{0pt}
\allowdisplaybreaks
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
    """The LaTeX of the derivations that prove a claim; what could not be derived says so."""
    for item in claim.evidence:
        if item.grade is Grade.PROVED and item.role is Role.SUPPORTS:
            try:
                result = item.check()
                if hasattr(result, "latex"):
                    yield result.latex()
            except Exception as error:
                reason = f"{item.name} gives no derivation: {type(error).__name__}: {error}"
                yield rf"\emph{{{_words(brief(reason))}}}\par"


def claim_latex(claim: Claim, *, derivation: bool = False) -> str:
    """The statement as display mathematics, followed by its derivations if asked for."""
    lines = [rf"\[ {claim.states} \]"]
    return "\n".join(lines + list(derivations(claim) if derivation else ()))


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
                yield rf"\statement{{{one.states}}}"
                hypotheses = [f"{name} in {domain}" for name, domain in one.given.items()]
                yield from (_words(line) + r"\par" for line in (*hypotheses, *one.assuming))
                yield from map(_fitted, derivations(one) if derivation else ())


def _fitted(latex: str) -> str:
    aligned = _ALIGNED.fullmatch(latex)
    return latex if aligned is None else rf"\derivation{{{aligned[1]}}}"


def _judged(judgement: Judgement | None) -> str:
    if judgement is None:
        return r"\par"
    grade = "" if judgement.grade is None else f", {judgement.grade}"
    return rf" --- \emph{{{judgement.verdict.value}{grade}}}\par"


_ESCAPES = {letter: "\\" + letter for letter in "_#%&{}$"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "|": r"\textbar{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "ϱ": r"$\varrho$", "ϕ": r"$\varphi$", "∂": r"$\partial$", "∇": r"$\nabla$", "′": "$'$",
    "‖": r"$\|$", "∑": r"$\sum$", "∫": r"$\int$", "∏": r"$\prod$", "½": r"$\tfrac12$",
    "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$", "√": r"$\surd$", "∞": r"$\infty$",
    "·": r"$\cdot$", "×": r"$\times$", "∘": r"$\circ$", "→": r"$\to$", "∈": r"$\in$",
    "±": r"$\pm$", "−": "$-$", "–": "--", "—": "---", "’": "'", "‘": "`", "“": "``", "”": "''",
}  # fmt: skip
_LETTERS = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
_COMMANDS = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_GREEK = dict(zip(_LETTERS, _COMMANDS.split(), strict=True))
_LATIN = 0x180


def _words(text: str) -> str:
    """Prose that pdflatex sets: its special characters escaped, symbols in mathematics mode."""
    return "".join(_ESCAPES.get(letter) or _symbol(letter) for letter in text)


def _symbol(letter: str) -> str:
    """A Greek letter, a raised or lowered sign; a symbol beyond is spelled out by its name."""
    if letter.isascii() or (letter.isalpha() and ord(letter) < _LATIN):
        return letter
    if letter in _GREEK:
        return rf"$\{_GREEK[letter]}$"
    name = unicodedata.name(letter, "unknown symbol")
    simple = unicodedata.normalize("NFKD", letter).replace("\N{MINUS SIGN}", "-")
    if name.startswith(("SUPERSCRIPT", "SUBSCRIPT")) and simple.isascii():
        return f"${'^' if name.startswith('SUP') else '_'}{simple}$"
    return f"[{name.lower()}]"
