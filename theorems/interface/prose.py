"""Prose as LaTeX: formulas in it as mathematics, all other special characters escaped."""

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from theorems.interface.notation import typed
from theorems.interface.notation.plain import runs
from theorems.interface.notation.tokens import PLACE, Kind, latex, tokens

__all__ = ["Piece", "escaped", "identifier", "pieces", "words"]

#: Signs as they stand alone in prose: those of formulas, and some that are none there.
_SIGNS = {
    **{
        sign: latex.strip()
        for table in (typed.OPERATORS, typed.RELATIONS, typed.BIG, typed.OPENING, typed.CLOSING)
        for sign, latex in table.items()
        if sign in "<>" or not sign.isascii()
    },
    "′": "'", "″": "''", "‖": r"\|", "|": "|", "∞": r"\infty", "½": r"\tfrac12", "√": r"\surd",
    "⊤": r"{}^{\top}",
}  # fmt: skip
_ESCAPES = {letter: "\\" + letter for letter in "_#%&{}$"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    "–": "--", "—": "---", "’": "'", "‘": "`", "“": "``", "”": "''",
}  # fmt: skip
_LATIN = 0x180


class Piece(NamedTuple):
    """A part of prose: a formula in LaTeX, the id of a claim, or text."""

    kind: str
    text: str


def words(text: str, letters: Mapping[str, str] | None = None) -> str:
    r"""Prose in LaTeX, with the formulas that it contains set as mathematics.

    ``letters`` has the LaTeX of the letters that the prose names as ``$rho``.

    >>> print(words("k1 < k2, and a layer of x_{k2-1}(x_i) is 100% dead"))
    $k_{1} < k_{2}$, and a layer of $x_{k_{2} - 1}(x_{i})$ is 100\% dead
    """
    shown = {
        "formula": lambda one: f"${one}$",
        "id": lambda one: rf"\texttt{{{escaped(one)}}}",
        "text": escaped,
    }
    return "".join(shown[kind](one) for kind, one in pieces(text, letters))


def pieces(text: str, letters: Mapping[str, str] | None = None) -> Iterator[Piece]:
    r"""Prose cut into formulas, ids of claims, and what stands between them.

    >>> [tuple(one) for one in pieces("all x_i are 0")]
    [('text', 'all '), ('formula', 'x_{i}'), ('text', ' are 0')]
    """
    named = {one for pair in PLACE.findall(text) for one in pair if one}
    return iter(
        _cut(text, tuple((name, letters[name]) for name in sorted(named & letters.keys())) if letters else ())
    )


@cache
def _cut(text: str, letters: tuple[tuple[str, str], ...]) -> tuple[Piece, ...]:
    """The same, once for each text and the letters that it names."""
    return tuple(_pieces(text, dict(letters)))


def _pieces(text: str, letters: Mapping[str, str]) -> Iterator[Piece]:
    for formula, run in runs(tokens(text, letters)):
        if formula:
            yield Piece("formula", latex(run))
            continue
        plain = ""
        for one in run:
            if one.kind is Kind.ID:
                if plain:
                    yield Piece("text", plain)
                yield Piece("id", one.text)
                plain = ""
            else:
                plain += one.text
        if plain:
            yield Piece("text", plain)


def escaped(text: str) -> str:
    """Text letter by letter, its special characters escaped."""
    return "".join(_ESCAPES.get(letter) or _sign(letter) for letter in text)


def identifier(text: str) -> str:
    """A claim's id, which a line may break behind its dots."""
    breakable = escaped(text).replace(".", r".\allowbreak ")
    return rf"\texttt{{{breakable}}}"


def _sign(letter: str) -> str:
    """A Greek letter, a raised or lowered sign; a symbol beyond is spelled out by its name."""
    if letter in _SIGNS:
        return f"${_SIGNS[letter]}$"
    if letter.isascii() or (letter.isalpha() and ord(letter) < _LATIN):
        return letter
    spelled = latex(tokens(letter))
    if spelled != letter and spelled.isascii() and "text" not in spelled:
        return f"${spelled}$"
    name = unicodedata.name(letter, "unknown symbol")
    simple = unicodedata.normalize("NFKD", letter).replace("\N{MINUS SIGN}", "-")
    if name.startswith(("SUPERSCRIPT", "SUBSCRIPT")) and simple.isascii():
        return f"${'^' if name.startswith('SUP') else '_'}{simple}$"
    return f"[{name.lower()}]"
