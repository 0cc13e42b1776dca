"""Tokens of prose with mathematics in it: words, letters with their indices, numbers, signs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from theorems.interface.notation import typed

__all__ = ["ATOMS", "PLACE", "Kind", "Token", "closing", "latex", "tokens"]


class Kind(Enum):
    """What a token is, as far as it matters for where formulas are."""

    WORD = auto()
    LETTER = auto()  # of mathematics: it makes a formula
    ARTICLE = auto()  # "a", "I" and "A" at a beginning: letters only beside an operator or with an index
    FUNCTION = auto()
    BIG = auto()  # a sum or a root, before what it is taken of
    NUMBER = auto()
    OPERATOR = auto()
    RELATION = auto()
    OPEN = auto()
    CLOSE = auto()
    BAR = auto()
    COMMA = auto()
    SPACE = auto()
    ID = auto()
    OTHER = auto()

    __hash__ = object.__hash__  # that of enumerations is slow, and kinds are looked up often


#: Tokens that stand for something by themselves.
ATOMS = {Kind.LETTER, Kind.NUMBER, Kind.FUNCTION, Kind.BIG, Kind.ARTICLE}


@dataclass(frozen=True)
class Token:
    """A piece of text: a letter together with its marks, indices and exponents, a word, a sign."""

    kind: Kind
    text: str
    latex: str = ""


_ID = re.compile(r"\b[a-z][a-z0-9]+(?:\.[a-z0-9_][A-Za-z0-9_]+)+")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CODE_NAME = re.compile(r"\b(?:[A-Z]{2,}(?:_[A-Z]+)+|[a-z]{2,}_[a-z]{2,}(?:_[a-z]+)*)\b")
#: A word that no name begins with; a capital letter behind it is no article.
_INSIDE_A_SENTENCE = re.compile(r"(?:^|\s)[a-z][a-z']*[,;:]? $")
#: Where a text names a letter.
PLACE = re.compile(r"\$\{(\w+)\}|\$([A-Za-z]\w*)")
_INDEX = re.compile(
    r"_\{([^{}]*)\}|_\(([^()]*)\)|_([A-Za-z0-9]+|[+\-−±∓∞*⋆⊥])|([0-9]+)(?![.,]?[0-9])|([±∓])(?!\s)"
)
_GREEK_INDEX = re.compile(rf"_((?:[{''.join(typed.GREEK)}][{''.join(typed.MARKS)}]?){{1,2}})")
_POWER = re.compile(
    r"\^\{((?:[^{}]|\{[^{}]*\})*)\}|\^\(((?:[^()]|\([^()]*\))*)\)"
    r"|\^([A-Za-z0-9*ᵀ∞]|[" + "".join(typed.GREEK) + "])"
)


_ALPHABETS = {*typed.GREEK, *typed.BLACKBOARD, *typed.SCRIPT}


def tokens(text: str, letters: Mapping[str, str] | None = None) -> list[Token]:
    r"""The tokens of a text; ``letters`` has the LaTeX of those that it names as ``$rho``.

    >>> [one.latex for one in tokens("x_1² + φ'")]
    ['x_{1}^{2}', '', '+', '', "\\phi'"]
    """
    for short, meant in typed.TYPED.items():
        text = text.replace(short, meant)
    found, place = list[Token](), 0
    while place < len(text):
        one, place = _next(text, place, letters or {})
        found.append(one)
    return found


def _next(text: str, place: int, letters: Mapping[str, str]) -> tuple[Token, int]:
    """The token that begins at a place, and where it ends."""
    named = PLACE.match(text, place)
    if named and (name := named[1] or named[2]) in letters:
        return _scripted(text, named.end(), named[0], letters[name])
    code = _ID.match(text, place) or _CODE_NAME.match(text, place)
    if code:
        return Token(Kind.ID, code[0]), code.end()
    number = _NUMBER.match(text, place)
    if number:
        found, end = _scripted(text, number.end(), number[0], number[0])
        plain = end == number.end()
        return (Token(Kind.NUMBER, found.text, found.latex) if plain else found), end
    if text[place].isalpha() and text[place] not in typed.BIG:
        return _word_or_letter(text, place)
    return _sign(text, place)


#: Signs by kind; behind some there may be indices and exponents.
_SIGNS: tuple[tuple[Kind, Mapping[str, str], bool], ...] = (
    (Kind.BIG, typed.BIG, True),
    (Kind.OPERATOR, typed.OPERATORS, False),
    (Kind.RELATION, typed.RELATIONS, False),
    (Kind.OPEN, typed.OPENING, False),
    (Kind.CLOSE, typed.CLOSING, True),
    (Kind.BAR, {"|": "|", "‖": r"\|"}, True),
    (Kind.COMMA, {",": ",", ";": ";"}, False),
    (Kind.LETTER, {"∞": r"\infty", "ᵀ": r"{}^{\top}"}, False),
    (Kind.SPACE, {" ": "", "\n": ""}, False),
)


def _sign(text: str, place: int) -> tuple[Token, int]:
    sign = text[place]
    for kind, table, scripts in _SIGNS:
        if sign in table:
            if scripts:
                return _scripted(text, place + 1, sign, table[sign], kind)
            return Token(kind, sign, table[sign]), place + 1
    return Token(Kind.OTHER, sign), place + 1


def _word_or_letter(text: str, place: int) -> tuple[Token, int]:
    found = _WORD.match(text, place)
    word = found[0] if found else text[place]
    if word in typed.FUNCTIONS:
        end = place + len(word)
        return _scripted(text, end, word, typed.FUNCTIONS[word], Kind.FUNCTION)
    if found and _is_word(word, text, found.end()):
        return Token(Kind.WORD, word), found.end()
    return _letter(text, place)


def _is_word(word: str, text: str, end: int) -> bool:
    """Whether letters side by side are a word; one or two may be mathematics."""
    apart = unicodedata.normalize("NFD", word)
    base = "".join(one for one in apart if not unicodedata.combining(one))
    if not base.isascii():
        return False  # Greek letters, and what is written beside them
    if len(base) >= 3:
        return text[end : end + 1] not in {"²", "³"} or len(base) > 3
    if len(base) == 2:
        return base in typed.SHORT_WORDS
    return False


def _letter(text: str, place: int) -> tuple[Token, int]:
    """One letter with its marks, indices and exponents."""
    apart = unicodedata.normalize("NFD", text[place])
    base, marks = apart[0], list(apart[1:])
    end = place + 1
    while end < len(text) and text[end] in typed.MARKS:
        marks.append(text[end])
        end += 1
    if not (base.isascii() or base in _ALPHABETS) or set(marks) - set(typed.MARKS):
        return Token(Kind.WORD, text[place:end]), end
    if base in typed.GREEK:
        written = rf"\{typed.GREEK[base]}"
    elif base in typed.BLACKBOARD:
        written = rf"\mathbb{{{typed.BLACKBOARD[base]}}}"
    elif base in typed.SCRIPT:
        written = rf"\mathcal{{{typed.SCRIPT[base]}}}"
    else:
        written = base
    for mark in marks:
        written = rf"\{typed.MARKS[mark]}{{{written}}}"
    found, last = _scripted(text, end, text[place:end], written)
    begins = found.text == "A" and not _INSIDE_A_SENTENCE.search(text, 0, place)
    article = begins or found.text in {"a", "I"}
    return (Token(Kind.ARTICLE, found.text, found.latex) if article else found), last


def _scripted(text: str, end: int, said: str, written: str, kind: Kind = Kind.LETTER) -> tuple[Token, int]:
    """What is written with the indices, exponents and primes that follow it."""
    begin, lower, upper, primes = end, "", "", ""
    while end < len(text):
        letter = text[end]
        if letter in "′″" or (letter == "'" and not text[end + 1 : end + 2].isalpha()):
            primes += "''" if letter == "″" else "'"
            end += 1
        elif letter in typed.LOWERED:
            lower, end = lower + typed.LOWERED[letter], end + 1
        elif letter in typed.RAISED:
            upper, end = upper + (r"\top " if letter == "ᵀ" else typed.RAISED[letter]), end + 1
        elif (found := _index(text, end, kind, said)) and _is_script(found):
            lower, end = lower + _script(found), found.end()
        elif (found := _POWER.match(text, end)) and _is_script(found):
            upper, end = upper + _script(found), found.end()
        elif letter == "*" and kind in {Kind.LETTER, Kind.CLOSE} and _ends_here(text, end + 1):
            upper, end = upper + "*", end + 1
        else:
            break
    whole = written + primes
    if primes and upper:
        whole = f"{{{whole}}}"
    whole += f"_{{{lower}}}" if lower else ""
    whole += f"^{{{upper}}}" if upper else ""
    return Token(kind, said + text[begin:end], whole), end


def _index(text: str, end: int, kind: Kind, said: str) -> re.Match[str] | None:
    """An index; digits and signs right behind are one of a letter only."""
    found = _GREEK_INDEX.match(text, end) or _INDEX.match(text, end)
    bare = found is not None and not found[0].startswith("_")
    if bare and not (kind is Kind.LETTER and end and said[-1:].isalpha()):
        return None
    return found


def _ends_here(text: str, end: int) -> bool:
    """Whether a star is behind a letter, and no sign of a product before the next one."""
    return not re.match(r"[A-Za-z0-9(\[]", text[end : end + 1])


def _is_script(found: re.Match[str]) -> bool:
    """Whether an index or an exponent holds nothing that is no mathematics and no word."""
    inside = _inside(found)
    wrong = {Kind.OTHER, Kind.ID} | ({Kind.OPEN, Kind.CLOSE} if _unbalanced(inside) else set())
    found_tokens = [one for one in tokens(inside) if one.text != _RANGE]
    plain = all(one.text.isascii() for one in found_tokens if one.kind is Kind.WORD)
    return plain and bool(inside) and not any(one.kind in wrong for one in found_tokens)


#: Between the first and the last of several indices.
_RANGE = ":"


def _inside(found: re.Match[str]) -> str:
    """What is raised or lowered; an apostrophe there is a prime, and no index of its letter."""
    inside = next(one for one in found.groups() if one is not None).replace("'", "′")
    return re.sub(r"′(?=\d)", "′ ", inside)


def _unbalanced(text: str) -> bool:
    return text.count("{") != text.count("}")


def _script(found: re.Match[str]) -> str:
    inside = _inside(found)
    if inside in typed.NAMED:
        return typed.NAMED[inside]
    if inside.isascii() and inside.isalnum() and len(inside) < 3:
        return inside
    if re.fullmatch(r"[A-Za-z]{3,}", inside):
        return rf"\mathrm{{{inside}}}"
    return latex(tokens(inside))


def latex(run: Sequence[Token]) -> str:
    """The LaTeX of a formula; a root takes what stands behind it."""
    pieces: list[str] = []
    place = 0
    while place < len(run):
        one = run[place]
        place += 1
        if one.text == "√":
            end = _operand(run, place)
            inside = run[place:end]
            if inside and inside[0].kind is Kind.OPEN and inside[-1].text == ")":
                inside = inside[1:-1]
            pieces.append(rf"\sqrt{{{latex(inside)}}}")
            place = end
        elif one.kind is Kind.SPACE:
            continue
        elif one.text.startswith(("Σ_", "Σ ")) or (one.text == "Σ" and _is_sum(run, place)):
            pieces.append(one.latex.replace(r"\Sigma", r"\sum", 1))
        elif one.text == _RANGE:
            pieces.append(_RANGE)
        elif one.kind in {Kind.WORD, Kind.ID, Kind.OTHER}:
            pieces.append(rf"\text{{{one.text}}}")
        else:
            pieces.append(one.latex)
    return _joined(pieces)


def _is_sum(run: Sequence[Token], place: int) -> bool:
    """Whether a bare Σ has a space and a term behind it: of the matrix one speaks otherwise."""
    behind = run[place : place + 2]
    return len(behind) == 2 and behind[0].kind is Kind.SPACE and behind[1].kind in ATOMS


#: Behind these a sign belongs to the number that follows.
_BEFORE_UNARY = ("(", "[", "{", "|", ", ", *(f"{one} " for one in typed.RELATIONS.values()))


def _joined(pieces: list[str]) -> str:
    """Commands are set apart from letters behind them."""
    found = ""
    for one in pieces:
        apart = re.search(r"\\[A-Za-z]+$", found) and re.match(r"[A-Za-z]", one)
        unary = one in {"+", "-", r"\pm"} and (not found or found.endswith(_BEFORE_UNARY))
        sign = not unary and (one in typed.RELATIONS.values() or one in {"+", "-", r"\pm"})
        shown = f" {one} " if sign else f"{one} " if one == "," else one
        found += f" {shown}" if apart else shown
    return re.sub(r" +", " ", found).strip()


def _operand(run: Sequence[Token], place: int) -> int:
    """Where the bracket, or else the letter, that begins at a place ends."""
    if place < len(run) and run[place].kind is Kind.OPEN:
        return closing(run, place) + 1
    return min(place + 1, len(run))


def closing(run: Sequence[Token], place: int) -> int:
    """Where the bracket closes that opens at a place."""
    depth = 0
    for number in range(place, len(run)):
        depth += (run[number].kind is Kind.OPEN) - (run[number].kind is Kind.CLOSE)
        if depth == 0:
            return number
    return len(run) - 1
