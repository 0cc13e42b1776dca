"""Relations as SymPy writes them in a line, with their signs between the sides."""

import re
from collections.abc import Iterator

__all__ = ["infix"]

_BETWEEN = {"Eq": "=", "Ne": "≠", "Implies": "⟹", "Equivalent": "⟺"}
_CALL = re.compile(rf"\b({'|'.join(_BETWEEN)})\(")
_TYPED = {"<=": "≤", ">=": "≥", "**": "^", " & ": " and ", " | ": " or ", "oo": "∞"}
_SIGNS = re.compile("|".join(rf"\b{one}\b" if one.isalpha() else re.escape(one) for one in _TYPED))


def infix(text: str) -> str:
    """A relation with its sign between its sides.

    >>> infix("Eq(x**t, exp(t*log(x))) & (x >= 0)")
    'x^t = exp(t*log(x)) and (x ≥ 0)'
    """
    found = _CALL.search(text)
    while found:
        end = _closing(text, found.end())
        if end == len(text):
            break  # cut short
        sides = f" {_BETWEEN[found[1]]} ".join(_sides(text[found.end() : end]))
        inner = text[found.start() - 1 : found.start()] == "~" or found[1] in {"Implies"}
        alone = found.start() == 0 and end == len(text) - 1
        sides = f"({sides})" if inner and not alone else sides
        text = text[: found.start()] + sides + text[end + 1 :]
        found = _CALL.search(text)
    return _SIGNS.sub(lambda sign: _TYPED[sign[0]], text)


def _closing(text: str, start: int) -> int:
    """Where the parenthesis closes that was opened before ``start``."""
    depth = 1
    for index in range(start, len(text)):
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if depth == 0:
            return index
    return len(text)


def _sides(text: str) -> Iterator[str]:
    """The arguments of a call."""
    depth, start = 0, 0
    for index, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            yield text[start:index].strip()
            start = index + 1
    yield text[start:].strip()
