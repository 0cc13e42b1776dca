"""Formulas on one line: their pieces, the gaps between them, and where parentheses are needed."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

__all__ = ["Kind", "Piece", "Pieces", "fraction", "letters_of", "line", "root", "settled"]


class Kind(Enum):
    """What a piece of a formula is; it decides the gaps around it."""

    ATOM = auto()
    OPERATOR = auto()
    BIG = auto()
    PREFIX = auto()
    ROOT = auto()
    QUOTIENT = auto()
    OPEN = auto()
    CLOSE = auto()
    BAR = auto()
    RELATION = auto()
    BINARY = auto()
    SIGN = auto()
    SLASH = auto()
    COMMA = auto()
    COLON = auto()
    WORDS = auto()
    WIDE = auto()


@dataclass(frozen=True)
class Piece:
    """A piece of a formula.

    ``spaced`` says that its author left a space before it, ``open_end`` that it ends in an index
    or exponent which would swallow a letter that follows, ``call`` that it opens the arguments of
    a function.
    """

    text: str
    kind: Kind = Kind.ATOM
    spaced: bool = False
    open_end: bool = False
    call: bool = False


Pieces = Sequence[Piece]

_FACTOR = {
    Kind.ATOM, Kind.OPERATOR, Kind.BIG, Kind.PREFIX, Kind.ROOT, Kind.QUOTIENT, Kind.OPEN,
}  # fmt: skip
_ENDS_A_FACTOR = {Kind.ATOM, Kind.OPERATOR, Kind.ROOT, Kind.QUOTIENT, Kind.CLOSE}
_SPREAD = {Kind.RELATION, Kind.BINARY}
_BRACKETS = ("(", "[", "{")


def letters_of(text: str) -> int:
    """How many letters a text has, its accents not counted.

    >>> letters_of("x\N{COMBINING MACRON}y")
    2
    """
    return sum(not unicodedata.combining(one) for one in text)


def settled(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces with each bar opening, closing or separating, and each sign told from a sum."""
    return list(_with_signs(_with_bars(list(pieces))))


def _with_bars(pieces: list[Piece]) -> list[Piece]:
    """A bar closes what a bar has opened, unless an operand is missing; one left over divides."""
    opened: list[int] = []
    for index, one in enumerate(pieces):
        if one.kind is Kind.OPEN:
            opened.append(index)
        elif one.kind is Kind.CLOSE:
            while opened and pieces[opened.pop()].kind is Kind.BAR:
                pass
        elif one.kind is Kind.BAR and opened and _closes(pieces, opened[-1], index):
            start = opened.pop()
            pieces[start] = replace(pieces[start], kind=Kind.OPEN)
            pieces[index] = replace(one, kind=Kind.CLOSE)
        elif one.kind is Kind.BAR:
            opened.append(index)
    return [replace(one, kind=Kind.RELATION) if one.kind is Kind.BAR else one for one in pieces]


def _closes(pieces: Pieces, start: int, index: int) -> bool:
    """Whether a bar closes the one at ``start``; in |x |y|| a space says that it does not."""
    opening, before, bar = pieces[start], pieces[index - 1], pieces[index]
    same = opening.kind is Kind.BAR and bar.text[0] == opening.text
    ended = before.kind in _ENDS_A_FACTOR
    return same and (before.text == "·" or (ended and not bar.spaced))


def _with_signs(pieces: list[Piece]) -> Iterator[Piece]:
    """A sign that follows no operand belongs to what it precedes."""
    before: Piece | None = None
    for one in pieces:
        alone = before is None or before.kind not in _ENDS_A_FACTOR
        before = replace(one, kind=Kind.SIGN) if one.kind is Kind.BINARY and alone else one
        yield before


def line(pieces: Pieces, *, compact: bool = False) -> str:
    """The pieces as text; a quotient is put in parentheses where it would swallow a neighbour.

    >>> half = fraction([Piece("1")], [Piece("2")])
    >>> line([half, Piece("x")]), line([half, Piece("+", Kind.BINARY), Piece("x")])
    ('(1/2) x', '1/2 + x')
    """
    shown = _with_quotients(pieces)
    text = shown[0].text if shown else ""
    for before, after in pairwise(shown):
        text += _gap(before, after, compact) + after.text
    return text


def _with_quotients(pieces: Pieces) -> list[Piece]:
    shown = list(pieces)
    for index, one in enumerate(shown):
        if one.kind is Kind.QUOTIENT:
            before = shown[index - 1] if index else None
            after = shown[index + 1] if index + 1 < len(shown) else None
            if _swallowed(before, one) or _swallows(after):
                shown[index] = replace(one, text=f"({one.text})")
    return shown


def _swallowed(before: Piece | None, quotient: Piece) -> bool:
    """Whether what comes before would be read as applied to the numerator only."""
    if before is None:
        return False
    if before.kind in {Kind.OPERATOR, Kind.PREFIX, Kind.SLASH}:
        return True
    if before.kind is Kind.BIG:
        return not before.text.startswith(("∑", "∫"))
    return before.kind in _ENDS_A_FACTOR and quotient.text[0].isdigit()


def _swallows(after: Piece | None) -> bool:
    """Whether what comes after would be read as a part of the denominator."""
    return after is not None and (after.kind in _FACTOR or after.kind is Kind.SLASH)


def _gap(before: Piece, after: Piece, compact: bool) -> str:
    """What stands between two neighbours."""
    kinds = {before.kind, after.kind}
    if before.kind is Kind.OPEN or after.kind in {Kind.CLOSE, Kind.COMMA}:
        return ""
    if after.kind is Kind.WORDS and after.text.startswith((",", ".", ";", ":")):
        return ""
    if kinds & _SPREAD or before.kind is Kind.COMMA:
        return "" if compact else " "
    if before.kind is Kind.SIGN or kinds & {Kind.SLASH, Kind.WIDE}:
        return ""
    if before.kind is Kind.PREFIX and not before.open_end:
        return ""
    return " " if after.spaced or _must_part(before, after) else ""


def _must_part(before: Piece, after: Piece) -> bool:
    """Whether two neighbours would be read as one without a space."""
    factor = after.kind in _FACTOR or after.kind is Kind.SIGN
    if before.kind in {Kind.OPERATOR, Kind.BIG}:
        return factor and (before.kind is Kind.BIG or not after.text.startswith(_BRACKETS))
    if before.kind is Kind.WORDS:
        return factor
    if (before.open_end and after.text[0].isalnum()) or "⋯" in {before.text, after.text}:
        return True
    if after.kind in {Kind.OPERATOR, Kind.BIG, Kind.PREFIX, Kind.QUOTIENT}:
        return before.kind in _ENDS_A_FACTOR
    return before.kind in {Kind.ROOT, Kind.QUOTIENT} and factor


# Fractions and roots


class _Shape(Enum):
    """How tightly a formula holds together."""

    FACTOR = auto()
    PRODUCT = auto()
    SUM = auto()


def fraction(above: Pieces, below: Pieces) -> Piece:
    """A quotient on one line.

    >>> x, y, plus = Piece("x"), Piece("y"), Piece("+", Kind.BINARY)
    >>> fraction([x, plus, y], [x, y]).text
    '(x + y)/(xy)'
    """
    top, bottom = line(above), line(below)
    top = f"({top})" if _shape(above) is _Shape.SUM else top
    if top.startswith("d") and below and below[0].text == "d":
        bottom = bottom.replace("d ", "d")
    elif _shape(below) is not _Shape.FACTOR:
        bottom = f"({bottom})"
    return Piece(f"{top}/{bottom}", Kind.QUOTIENT)


def root(inside: Pieces, degree: str = "") -> Piece:
    """A square root, or one of another degree.

    >>> root([Piece("2")]).text, root([Piece("x"), Piece("y")]).text, root([Piece("x")], "5").text
    ('√2', '√(xy)', 'x^(1/5)')
    """
    text = line(inside)
    bare = len(inside) == 1 and inside[0].kind is Kind.ATOM and _is_bare(text)
    text = text if bare else f"({text})"
    sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree)
    return Piece(f"{text}^(1/{degree})") if sign is None else Piece(sign + text, Kind.ROOT)


def _is_bare(text: str) -> bool:
    return text.isdigit() or letters_of(text) == 1


def _shape(pieces: Pieces) -> _Shape:
    units = list(_units(list(pieces)))
    if any(one not in {Kind.ATOM, Kind.ROOT} for one in units):
        return _Shape.SUM
    return _Shape.FACTOR if len(units) == 1 else _Shape.PRODUCT


def _units(pieces: list[Piece]) -> Iterator[Kind]:
    """The kinds of the factors and signs on the top level: a bracket or a call is one factor."""
    index = 0
    while index < len(pieces):
        one, end = pieces[index], index + 1
        kind = Kind.ATOM if one.text == "·" else one.kind
        if one.kind is Kind.OPEN:
            end, kind = _closing(pieces, index), Kind.ATOM
        elif one.kind is Kind.PREFIX or (one.kind is Kind.OPERATOR and end == len(pieces)):
            kind = Kind.ATOM
            end += end < len(pieces) and pieces[end].kind is Kind.ATOM
        elif _calls(pieces, index):
            end, kind = _closing(pieces, end), Kind.ATOM
        index = end
        yield kind


def _closing(pieces: list[Piece], start: int) -> int:
    """The index after the bracket that closes the one at ``start``."""
    depth = 0
    for index in range(start, len(pieces)):
        depth += (pieces[index].kind is Kind.OPEN) - (pieces[index].kind is Kind.CLOSE)
        if depth == 0:
            return index + 1
    return len(pieces)


def _calls(pieces: list[Piece], index: int) -> bool:
    """Whether the piece is a function whose arguments follow."""
    if index + 1 == len(pieces) or pieces[index + 1].kind is not Kind.OPEN:
        return False
    opening = pieces[index + 1]
    if pieces[index].kind is Kind.OPERATOR:
        return opening.text.startswith(_BRACKETS)
    inside = pieces[index + 2 : _closing(pieces, index + 1) - 1]
    simple = not any(one.kind in {Kind.BINARY, Kind.SIGN} for one in inside)
    letter = pieces[index].kind is Kind.ATOM and not pieces[index].text.isdigit()
    return letter and not opening.spaced and (opening.call or (simple and opening.text == "("))
