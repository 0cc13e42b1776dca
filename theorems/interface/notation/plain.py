"""Mathematics that is typed in prose: where a formula begins and ends, and what it is in LaTeX.

A formula is a run of letters that are no words, numbers, names of functions and signs, joined by
operators or standing side by side; brackets belong to it if all that they contain does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from theorems.interface.notation.tokens import ATOMS, Kind, Token, closing

__all__ = ["runs"]


def runs(found: Sequence[Token]) -> Iterator[tuple[bool, Sequence[Token]]]:
    """The tokens cut into formulas and what is none.

    >>> from theorems.interface.notation.tokens import tokens
    >>> ["".join(one.text for one in run) for formula, run in runs(tokens("a < b, and a norm"))]
    ['a < b', ', and a norm']
    """
    place, text = 0, 0
    while place < len(found):
        end = _formula_end(found, place)
        if end > place:
            if text < place:
                yield False, found[text:place]
            yield True, found[place:end]
            place = text = end
        else:
            place += 1
    if text < len(found):
        yield False, found[text:]


_UNARY = "-−±∓+"
_SHOWN = ATOMS | {Kind.BAR}


def _formula_end(found: Sequence[Token], place: int) -> int:
    """Where a formula that begins at a place ends; the place itself if none does."""
    if found[place].kind is Kind.SPACE:
        return place
    before = found[place - 1] if place else None
    if before is not None and before.kind in {Kind.WORD, Kind.ID} and found[place].text == "-":
        return place
    if _is_number_of_a_place(found, place):
        return place
    end = last = place
    operand = True  # what is wanted next
    strong = signed = False
    while end < len(found):
        after = _atom_end(found, end)
        one = found[end]
        if after > end:
            lonely = one.kind is Kind.ARTICLE and not _beside_operator(found, end, place < end)
            if lonely:
                break
            strong = strong or signed or one.kind is not Kind.NUMBER
            operand = one.kind in {Kind.FUNCTION, Kind.BIG}
            end = after
            last = last if operand and one.kind is Kind.BIG else end
        elif one.kind in {Kind.OPERATOR, Kind.RELATION} and (
            not operand or one.text in _UNARY or (end == place and one.text in "≤≥")
        ):
            suffix = one.text in {"!", "…"}
            signed = True
            strong = strong or suffix
            operand = not suffix
            end += 1
            last = end if suffix else last
        elif one.kind is Kind.SPACE and _goes_on(found, end, operand=operand):
            end += 1
        else:
            break
    return last if strong and any(t.kind in _SHOWN for t in found[place:last]) else place


def _is_number_of_a_place(found: Sequence[Token], place: int) -> bool:
    """Whether a letter counts, as in "Appendix B"."""
    one, before = found[place], found[max(0, place - 2) : place]
    counts = one.kind is Kind.LETTER and len(one.text) == 1 and one.text.isupper()
    return counts and [t.text for t in before] in [[word, " "] for word in _COUNTED]


_COUNTED = (
    "Appendix", "Appendices", "Part", "Panel", "Section", "Lemma", "Proposition", "Theorem",
    "Corollary", "Definition", "Equation", "Figure", "Table",
)  # fmt: skip


def _atom_end(found: Sequence[Token], place: int) -> int:
    """Where a letter, a number or a bracket of mathematics ends; the place itself otherwise."""
    one = found[place]
    if one.kind in ATOMS:
        return place + 1
    if one.kind is Kind.OPEN:
        end = closing(found, place)
        if found[end].kind is not Kind.CLOSE:
            return place
        inside = found[place + 1 : end]
        return end + 1 if _all_mathematics(inside, found, place) else place
    if one.kind is Kind.BAR:
        for end in range(place + 1, min(place + 40, len(found))):
            if found[end].text[:1] == one.text and _all_mathematics(found[place + 1 : end], found, place):
                return end + 1
    return place


def _all_mathematics(inside: Sequence[Token], found: Sequence[Token], place: int) -> bool:
    """Whether brackets or bars hold nothing but mathematics, and more than a lonely number."""
    kinds = {one.kind for one in inside}
    if not inside or kinds & {Kind.WORD, Kind.ID, Kind.OTHER}:
        return False
    if not kinds & (ATOMS | {Kind.OPERATOR}):
        return False
    behind_a_word = place >= 2 and found[place - 1].kind is Kind.SPACE  # as in "Equation (7)"
    return not (kinds == {Kind.NUMBER} and behind_a_word and found[place].text == "(")


def _beside_operator(found: Sequence[Token], place: int, inside: bool) -> bool:
    """Whether "a" or "I" is a letter: an operator, a bracket or a script is beside it."""
    if inside and found[place - 1].kind is not Kind.SPACE:
        return True
    after = [one for one in found[place + 1 : place + 3] if one.kind is not Kind.SPACE][:1]
    before = [one for one in found[max(0, place - 2) : place] if one.kind is not Kind.SPACE][-1:]
    signs = {Kind.OPERATOR, Kind.RELATION, Kind.BAR}
    close = found[place + 1].kind if place + 1 < len(found) else None
    if close in {Kind.OPEN, Kind.LETTER, Kind.BIG, Kind.CLOSE, Kind.BAR}:
        return True
    return any(one.kind in signs for one in (*after, *before)) or _first_of_two(found, place)


def _first_of_two(found: Sequence[Token], place: int) -> bool:
    """Whether "and", a comma or both, and one letter follow: "a and b", "a, b"."""
    behind = [one for one in found[place + 1 : place + 6] if one.kind is not Kind.SPACE]
    while behind and (behind[0].kind is Kind.COMMA or behind[0].text in {"and", "or"}):
        behind = behind[1:]
        if behind and behind[0].kind is Kind.LETTER and len(behind[0].text) == 1:
            return True
    return False


def _goes_on(found: Sequence[Token], place: int, *, operand: bool) -> bool:
    """Whether a formula goes on behind a space."""
    if place + 1 >= len(found):
        return False
    following = found[place + 1]
    if following.kind is Kind.RELATION:
        return not operand and place + 2 < len(found)
    if following.kind is Kind.OPERATOR:
        spaced = place + 2 < len(found) and found[place + 2].kind is Kind.SPACE
        return not spaced and following.text in _UNARY if operand else spaced
    if following.kind is Kind.ARTICLE:
        return operand
    if operand:
        return _atom_end(found, place + 1) > place + 1
    return following.kind in {Kind.LETTER, Kind.FUNCTION, Kind.BIG} and found[place - 1].kind in ATOMS | {
        Kind.CLOSE
    }
