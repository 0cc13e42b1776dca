"""Indices and exponents: x² and xᵢ where such letters exist, else x^(…) and x_(…)."""

from dataclasses import replace
from typing import TypeAlias

from theorems.interface.notation.pieces import Kind, Piece, Pieces, letters_of, line

__all__ = ["Scripts", "scripted"]

_RAISED = dict(
    zip(
        "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRUW",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵁᵂ",
        strict=True,
    )
)  # a raised T would be read as a transposition
_LOWERED = dict(zip("0123456789+−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_ALPHABETS = {"^": _RAISED, "_": _LOWERED}
_LONGEST = 6
_SHORT = 8
Scripts: TypeAlias = list[tuple[str, list[Piece]]]


def _small(sign: str, pieces: Pieces) -> str | None:
    """An index or exponent in small letters, where they exist."""
    text, alphabet = line(pieces, compact=True).replace(" ", ""), _ALPHABETS[sign]
    words = any(one.kind is Kind.OPERATOR for one in pieces)
    if words or len(text) > _LONGEST or "(" in text[1:]:
        return None
    small = [alphabet.get(letter, "") for letter in text]
    return "".join(small) if all(small) else None


def _spelled(sign: str, pieces: Pieces, tight: bool) -> str:
    """An index or exponent behind its sign; a star or a prime needs none."""
    text = line(pieces, compact=True)
    if sign == "^" and text in {"∗", "′"}:
        return text.replace("∗", "*")
    alone = len(pieces) == 1 and not pieces[0].open_end
    if alone and (pieces[0].kind is Kind.OPERATOR or letters_of(text) == 1):
        return sign + text
    text = text if tight or sign == "_" or len(text) <= _SHORT else line(pieces)
    return f"{sign}({text})"


def scripted(base: Piece, scripts: Scripts) -> Piece:
    """A piece with its indices and exponents; both bounds of a sum look alike.

    >>> scripted(Piece("x"), [("_", [Piece("i")]), ("^", [Piece("2")])]).text
    'xᵢ²'
    >>> scripted(Piece("∑", Kind.BIG), [("_", [Piece("k")]), ("^", [Piece("∞")])]).text
    '∑_k^∞'
    """
    big = base.kind is Kind.BIG
    base = _apart(base, {sign for sign, _ in scripts})
    small = [_small(*one) for one in scripts]
    text = base.text
    for one, found in zip(scripts, small, strict=True):
        text += _spelled(*one, big) if found is None or (big and None in small) else found
    spelled = any(sign in text[len(base.text) :] for sign in "_^*")
    return replace(base, text=text, open_end=base.open_end or spelled)


def _apart(base: Piece, signs: set[str]) -> Piece:
    """A base in parentheses, if what is put to it would be read as a part of it."""
    compound = base.kind in {Kind.ROOT, Kind.QUOTIENT}
    raised = "^" in base.text or base.text.endswith(("*", *_RAISED.values()))
    lowered = "_" in base.text or base.text.endswith(tuple(_LOWERED.values()))
    if compound or ("^" in signs and raised) or ("_" in signs and lowered):
        return replace(base, text=f"({base.text})", kind=Kind.ATOM, open_end=False)
    return base
