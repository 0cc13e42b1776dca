r"""Mathematics in a terminal: LaTeX as Unicode on one line.

The parser and the table of symbols are those of pylatexenc.  Its own conversion to text drops the
parentheses of fractions, the braces of exponents, norms and wide accents, so that what it has
parsed is put together here.
"""

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, TypeAlias

from pylatexenc.latex2text import fmt_math_text_style
from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexWalker,
)
from pylatexenc.macrospec import EnvironmentSpec, LatexContextDb, MacroSpec, std_environment, std_macro

from theorems.interface.notation.pieces import Kind, Piece, fraction, line, root, settled
from theorems.interface.notation.scripts import Scripts, scripted
from theorems.interface.notation.symbols import NOTHING, SIDES, SPACES, named, symbol, word

__all__ = ["unicode"]


def unicode(latex: str) -> str:
    r"""A formula in LaTeX as one line of Unicode.

    >>> print(unicode(r"\sum_{k=1}^{n} \frac{x_{k}^{2}}{2 \sqrt{m}} \leq \left\|x\right\|_\infty"))
    ∑ₖ₌₁ⁿ xₖ²/(2 √m) ≤ ‖x‖_∞
    """
    parsed = LatexWalker(latex, latex_context=_grammar()).get_latex_nodes()[0]
    return line(_pieces(parsed)).strip()


# What the LaTeX consists of

Token: TypeAlias = Any  # a character, or a node that is no run of characters

_STYLES = {
    "mathbb": "doublestruck", "mathcal": "script", "mathscr": "script", "mathfrak": "fraktur",
    "mathbf": "bold", "boldsymbol": "bold", "bm": "bold", "mathsf": "sans", "mathtt": "monospace",
}  # fmt: skip
_DIGITS = {
    "bold": str.maketrans("0123456789", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"),
    "doublestruck": str.maketrans("0123456789", "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡"),
}
_UPRIGHT = {"mathrm", "operatorname", "mathop", "textrm", "mathit"}
_MARKS = {
    "bar": "\u0304", "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303",
    "widetilde": "\u0303", "dot": "\u0307", "ddot": "\u0308", "check": "\u030c",
    "breve": "\u0306", "vec": "\u20d7", "overline": "\u0305", "underline": "\u0332",
    "mathring": "\u030a",
}  # fmt: skip
_WORDS = {"text", "textit", "textbf", "mbox", "textnormal"}
_ARROWS = {"xrightarrow": "→", "xleftarrow": "←"}
_ONE = {*_STYLES, *_UPRIGHT, *_MARKS, *_WORDS, *_ARROWS, "mathrel", "mathbin", "ensuremath"}
_FRACTIONS = {"frac", "tfrac", "dfrac"}
_STACKED = {"overset": "^", "stackrel": "^", "underset": "_"}
_TWO = {*_FRACTIONS, *_STACKED, "binom"}


@functools.cache
def _grammar() -> LatexContextDb:
    """Which commands take arguments."""
    macros = [std_macro(name, False, 1) for name in _ONE]
    macros += [std_macro(name, False, 2) for name in _TWO]
    macros += [std_macro("sqrt", True, 1), MacroSpec("operatorname", "*{"), MacroSpec("\\", "[")]
    known = LatexContextDb()
    known.add_context_category("all", macros=macros, environments=[std_environment("array", "{")])
    known.set_unknown_macro_spec(MacroSpec(""))
    known.set_unknown_environment_spec(EnvironmentSpec(""))
    return known


def _tokens(nodes: Iterable[Any]) -> Iterator[Token]:
    for node in nodes:
        if isinstance(node, LatexCharsNode):
            yield from node.chars
        elif isinstance(node, LatexMathNode):
            yield from _tokens(node.nodelist)
        elif node is not None:
            yield node
        if isinstance(node, LatexMacroNode) and node.macro_post_space and not _arguments(node):
            yield " "


def _arguments(node: Any) -> list[Any]:
    return list(node.nodeargd.argnlist or ()) if node.nodeargd is not None else []


def _argument(node: Any, number: int = -1) -> list[Any]:
    """The nodes of an argument of a command, without its braces."""
    given = _arguments(node)[number]
    return list(given.nodelist) if isinstance(given, LatexGroupNode) else [given]


# From tokens to pieces


def _pieces(nodes: Iterable[Any]) -> list[Piece]:
    return settled(_Reader(list(_tokens(nodes))).read())


@dataclass
class _Reader:
    """Reads tokens from the left; ``spaced`` says that a space was met since the last piece."""

    tokens: list[Token]
    at: int = 0
    spaced: bool = False
    found: list[Piece] = field(default_factory=list)

    def read(self) -> list[Piece]:
        """All pieces, those of groups in their places."""
        while self.at < len(self.tokens):
            if self.character() in {"^", "_", "'"}:
                self.attach()
            else:
                self.append(self.take())
        return self.found

    def character(self, ahead: int = 0) -> str:
        """A character that comes, or nothing where something else does."""
        index = self.at + ahead
        one = self.tokens[index] if index < len(self.tokens) else ""
        return one if isinstance(one, str) else ""

    def append(self, pieces: list[Piece]) -> None:
        """Put pieces behind those that were found."""
        if pieces:
            pieces[0] = replace(pieces[0], spaced=pieces[0].spaced or self.spaced)
            self.found += pieces
            self.spaced = False

    def take(self) -> list[Piece]:
        """The pieces of the next token, or of several that belong together."""
        token = self.tokens[self.at]
        self.at += 1
        if isinstance(token, str):
            return self.typed(token)
        if isinstance(token, LatexGroupNode):
            return _group(token)
        if isinstance(token, LatexEnvironmentNode):
            return [_table(token)]
        if not isinstance(token, LatexMacroNode):
            return []
        if token.macroname in SIDES:
            return self.delimiter(SIDES[token.macroname])
        self.spaced |= token.macroname in SPACES
        return _command(token)

    def typed(self, letter: str) -> list[Piece]:
        """The piece that a character begins."""
        if letter.isspace() or letter in "~&":
            self.spaced = True
            return []
        if letter.isdigit():
            return [Piece(letter + self.digits())]
        if letter == ":" and self.character() == "=":
            self.at += 1
            return [Piece(":=", Kind.RELATION)]
        return [symbol(letter)]

    def digits(self) -> str:
        """The digits that follow; a point belongs to them if another one comes after it."""
        start = self.at
        while self.character().isdigit() or (self.character() == "." and self.character(1).isdigit()):
            self.at += 1
        return "".join(self.tokens[start : self.at])

    def delimiter(self, kind: Kind | None) -> list[Piece]:
        r"""The sign after ``\left`` and the like; a point stands for none."""
        self.skip()
        found = self.take() if self.at < len(self.tokens) else []
        return [replace(one, kind=kind or one.kind) for one in found if one.text != "."]

    def attach(self) -> None:
        """Put indices, exponents and primes at the last piece."""
        scripts: Scripts = []
        while (sign := self.character()) in {"^", "_", "'"}:
            self.at += 1
            scripts.append(("^", [Piece("′")]) if sign == "'" else (sign, self.script()))
        base = self.found.pop() if self.found else Piece("")
        self.found.append(scripted(base, scripts))
        self.spaced = False

    def script(self) -> list[Piece]:
        """The one token that an index or exponent is: of digits, one."""
        self.skip()
        start, self.at = self.at, self.at + 1
        return settled(_Reader(self.tokens[start : self.at]).read())

    def skip(self) -> None:
        """Pass over spaces."""
        while self.character().isspace():
            self.at += 1


def _group(node: Any) -> list[Piece]:
    """The pieces between braces; a bracket that they begin with is that of a function."""
    found = _pieces(node.nodelist)
    first = node.nodelist[0] if node.nodelist else None
    if isinstance(first, LatexMacroNode) and first.macroname == "left" and found:
        found[0] = replace(found[0], call=True)
    if [one.kind for one in found] == [Kind.SIGN]:
        return [replace(found[0], kind=Kind.BINARY)]  # alone in braces: it may stand in a sum
    return found


def _command(node: Any) -> list[Piece]:
    """The pieces of a command with its arguments."""
    name = node.macroname
    if name in SPACES | NOTHING:
        return []
    if name in _FRACTIONS:
        return [fraction(_pieces(_argument(node, 0)), _pieces(_argument(node, 1)))]
    if name == "sqrt":
        degree = _argument(node, 0)
        return [root(_pieces(_argument(node)), line(_pieces(degree)))]
    if name in _STACKED:
        return _stacked(_STACKED[name], _pieces(_argument(node, 0)), _pieces(_argument(node)))
    if name == "binom":
        above, below = (line(_pieces(_argument(node, number))) for number in (0, 1))
        return [Piece(f"binom({above}, {below})")]
    return _dressed(name, node) if name in _ONE else [named(name)]


def _dressed(name: str, node: Any) -> list[Piece]:
    """An argument in another alphabet, with an accent, on an arrow, or as words."""
    if name in _WORDS:
        return _said(_argument(node))
    inside = _pieces(_argument(node))
    if name in _ARROWS:
        return _stacked("^", inside, [symbol(_ARROWS[name])])
    if name in _MARKS:
        return [_marked(name, inside)]
    if name in _STYLES:
        digits = _DIGITS.get(_STYLES[name], {})
        text = fmt_math_text_style(line(inside), _STYLES[name]).translate(digits)
        return [Piece(text, Kind.OPERATOR if text in {"𝔼", "ℙ"} else Kind.ATOM)]
    if name in {"mathrel", "mathbin"}:
        kind = Kind.RELATION if name == "mathrel" else Kind.BINARY
        return [Piece(line(inside), kind)]
    return [word(line(inside))] if name in _UPRIGHT else inside


def _marked(name: str, inside: list[Piece]) -> Piece:
    """A letter with its accent; a bar may be over several, another accent is spelled out."""
    text, mark = line(inside), _MARKS[name]
    if len(inside) == 1 and text[:1].isalpha():
        return replace(inside[0], text=text[0] + mark + text[1:])
    if name in {"overline", "bar"}:
        return Piece("".join(one if one.isspace() else one + "\u0305" for one in text))
    return Piece(f"{name.removeprefix('wide')}({text})")


def _stacked(sign: str, above: list[Piece], base: list[Piece]) -> list[Piece]:
    return [*base[:-1], *(scripted(one, [(sign, above)]) for one in base[-1:])]


def _said(nodes: list[Any]) -> list[Piece]:
    """Words as they are, with formulas among them."""
    pieces: list[Piece] = []
    for formula, run in groupby(nodes, lambda node: isinstance(node, LatexMathNode)):
        if formula:
            pieces += _pieces(run)
        else:
            text = re.sub(r"[{}]", "", "".join(node.latex_verbatim() for node in run))
            text = re.sub(r"[\s~\\]+", " ", text)
            pieces.append(Piece(text.strip(), Kind.WORDS, spaced=text[:1] == " "))
    return pieces


_OPENING = {"p": "(", "b": "[", "B": "{", "v": "|", "V": "‖", "c": "{"}
_CLOSING = {"p": ")", "b": "]", "B": "}", "v": "|", "V": "‖", "c": "}"}


def _table(node: Any) -> Piece:
    """A matrix: its cells apart by commas, its rows by semicolons."""
    name = node.environmentname.rstrip("*")
    cases = name == "cases"
    rows = [_cells(row) for row in _parted(_tokens(node.nodelist), _ends_row)]
    shown = [(" " if cases else ", ").join(filter(None, row)) for row in rows]
    text = "; ".join(filter(None, shown))
    enclosed = cases or re.fullmatch(r"[pbBvV](small)?matrix", name)
    return Piece(f"{_OPENING[name[0]]}{text}{_CLOSING[name[0]]}" if enclosed else text)


def _ends_row(token: Token) -> bool:
    return isinstance(token, LatexMacroNode) and token.macroname == "\\"


def _ends_cell(token: Token) -> bool:
    return isinstance(token, str) and token == "&"


def _cells(row: list[Token]) -> list[str]:
    return [line(settled(_Reader(cell).read())) for cell in _parted(row, _ends_cell)]


def _parted(tokens: Iterable[Token], ends: Callable[[Token], bool]) -> list[list[Token]]:
    """The tokens between those that end a part."""
    parts: list[list[Token]] = [[]]
    for one in tokens:
        if ends(one):
            parts.append([])
        else:
            parts[-1].append(one)
    return parts
