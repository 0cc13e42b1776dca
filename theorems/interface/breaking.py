r"""Long formulas in LaTeX cut into lines: at words and commas, at relations, at signs of sums.

Brackets of fixed size may be on different lines; ``\left`` and ``\right`` that would be are made
brackets of fixed size.  Of a long fraction the denominator is set in front; what else stands in
braces is never cut.
"""

import re
from collections.abc import Iterator

from symbolic.latex_width import width

__all__ = ["broken"]

_UNIT = re.compile(
    r"\\(?:left|right)\s*(?:\\[A-Za-z]+|\\.|.)|\\(?:begin|end)\{[^{}]*\}|\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL
)
_TEXT = r"\text{"
_RELATIONS = frozenset(
    {"=", "<", ">", ":=", r"\le", r"\leq", r"\ge", r"\geq", r"\ne", r"\approx", r"\asymp", r"\sim"}
    | {r"\to", r"\in", r"\implies", r"\iff", r"\xrightarrow", r"\mid", r"\lesssim", r"\gtrsim"}
    | {r"\equiv", r"\stackrel", r"\overset"}
)
_SIGNS = frozenset({"+", "-", r"\pm"})
_OPENING = frozenset({"(", "[", r"\{", r"\langle"})
_CLOSING = frozenset({")", "]", r"\}", r"\rangle"})
_BEFORE_UNARY = _RELATIONS | _SIGNS | _OPENING | {",", r"\quad", r"\log", r"\bigl|", r"\cdot"}
_NESTED, _LOST = 2, 40.0  # the cost of a level of brackets; points of empty line worth one cost
_INDENT = 20.0
#: What SymPy writes in front of braces around the bracket of a function.
_FUNCTION = re.compile(
    r"(?:\\(?:mathbb|mathrm|operatorname)\{[^{}]*\}|\\(?:log|exp|min|max|cos|sin|ell|omega)"
    r"|(?<![\\A-Za-z])[A-Za-z])\s*$"
)


def broken(formula: str, room: float) -> list[str]:
    r"""The lines of a formula, ``room`` points wide as far as it can be cut; one if it fits.

    >>> broken(r"\left(x + \text{some words}\right) = y", 90)
    ['\\left(x + \\text{some words}\\right)', '{} = y']
    >>> broken(r"\left(x + y + z\right)", 50)
    ['\\Bigl(x + y', '\\quad {} + z\\Bigr)']
    """
    if width(formula) <= room:
        return [formula]
    units = list(_units(_unfolded(_unwrapped(formula), room)))
    ends = dict(_ends(units))
    lines: list[tuple[int, int]] = []
    start, left = 0, room
    while width("".join(units[start:])) > left:
        fitting = {
            end: ends[end] * _LOST - wide
            for end in ends
            if end > start and (wide := width("".join(units[start:end]))) <= left and wide > left / 4
        }
        if not fitting:
            fitting = {end: float(end) for end in ends if end > start + 1}
        if not fitting:
            break
        end = min(fitting, key=fitting.__getitem__)
        lines.append((start, end))
        start, left = end, room - _INDENT
    _fixed(units, {end for _, end in lines})
    return [_line(units, one, other) for one, other in [*lines, (start, len(units))]]


def _units(formula: str) -> Iterator[str]:
    r"""Signs and commands; words of a ``\text`` one by one."""
    place = 0
    while place < len(formula):
        if formula.startswith(_TEXT, place):
            end = _closing(formula, place + len(_TEXT) - 1)
            yield from _words(formula[place + len(_TEXT) : end])
            place = end + 1
        else:
            found = _UNIT.match(formula, place)
            assert found is not None  # its last alternative is any sign
            yield found[0]
            place = found.end()


def _words(text: str) -> Iterator[str]:
    parts = re.split(r"(?<= )(?=\S)", text)
    whole = text.count("{") + text.count("$") > 0
    yield from (rf"\text{{{one}}}" for one in ([text] if whole else parts))


def _closing(text: str, place: int) -> int:
    """Where the brace closes that opens at a place."""
    depth = 0
    for token in re.finditer(r"\\.|[{}]", text[place:], re.DOTALL):
        depth += (token[0] == "{") - (token[0] == "}")
        if depth == 0:
            return place + token.start()
    return len(text)


def _unwrapped(formula: str) -> str:
    """The formula without braces around a long part that stands for itself."""
    found, place = "", 0
    while place < len(formula):
        end = _closing(formula, place) if formula[place] == "{" else place
        if end > place:
            inside = formula[place + 1 : end]
            alone = not found or found.endswith((" ", "(", ",", r"\ ", "["))
            free = alone and not re.search(r"(?:[\^_]|\\[A-Za-z]+)\s*$", found)
            free = free or (inside.startswith(r"\left") and bool(_FUNCTION.search(found)))
            free = free and width(inside) > 3 * _INDENT
            found += _unwrapped(inside) if free else formula[place : end + 1]
            place = end + 1
        elif formula.startswith(_TEXT, place):
            end = _closing(formula, place + len(_TEXT) - 1)
            found, place = found + formula[place : end + 1], end + 1
        else:
            step = 2 if formula[place] == "\\" else 1
            found, place = found + formula[place : place + step], place + step
    return found


def _unfolded(formula: str, room: float) -> str:
    r"""The formula with ``\frac{1}{D}`` in front of a long numerator."""
    for found in re.finditer(r"\\frac(?=\{)", formula):
        middle = _closing(formula, found.end())
        end = _closing(formula, middle + 1)
        above, below = formula[found.end() + 1 : middle], formula[middle + 2 : end]
        if formula[middle + 1 : middle + 2] == "{" and width(above) > 0.6 * room > 2 * width(below):
            front = rf"{formula[: found.start()]}\frac{{1}}{{{below}}} \left({above}\right)"
            return front + formula[end + 1 :]
    return formula


def _ends(units: list[str]) -> Iterator[tuple[int, int]]:
    """Where a line may end, and how bad that is."""
    braces, brackets, before = 0, 0, ""
    for number, unit in enumerate(units):
        if braces == 0 and number and (cost := _cost(unit, before)) is not None:
            pair = before == "," and brackets > 0  # as in "(x, y)"
            yield number, cost + _NESTED * (brackets + pair)
        braces += (unit == "{" or unit.startswith(r"\begin")) - (unit == "}" or unit.startswith(r"\end"))
        brackets += (unit in _OPENING or unit.startswith(r"\left")) - (
            unit in _CLOSING or unit.startswith(r"\right")
        )
        before = before if unit.isspace() else unit


def _cost(unit: str, before: str) -> int | None:
    """What a line costs that ends in front of a unit; None if it may not end there."""
    if before in {",", r"\quad"} and not unit.isspace() and unit not in {r"\quad", r"\ ", ","}:
        return 0
    if before == r"\ " or unit.startswith(_TEXT):
        return 1 if before.startswith(_TEXT) else 0
    if unit in _RELATIONS:
        return 1
    return 2 if unit in _SIGNS and before not in _BEFORE_UNARY else None


def _fixed(units: list[str], ends: set[int]) -> None:
    r"""Give ``\left`` and ``\right`` that are on different lines a fixed size."""
    opened: list[int] = []
    for number, unit in enumerate(units):
        if unit.startswith(r"\left") and not unit.startswith(r"\leftarrow"):
            opened.append(number)
        elif re.match(r"\\right(?!arrow)", unit) and opened:
            start = opened.pop()
            if any(start < end <= number for end in ends):
                units[start] = units[start].replace(r"\left", r"\Bigl", 1)
                units[number] = unit.replace(r"\right", r"\Bigr", 1)


def _line(units: list[str], start: int, end: int) -> str:
    """A line; a sign in front of it has something before it, so that it is set as one of two.

    What begins inside of a large bracket is moved to the right.
    """
    here = units[start:end]
    text = re.sub(r"^(?:\s|\\quad|\\ )+|(?:\s|\\quad|(?<!\\)\\ )+$", "", "".join(here))
    text = text.replace(r"}\text{", "") if r" }\text{" in text else text
    first = next((one for one in here if not one.isspace()), "")
    opened = sum(one.startswith(r"\Bigl") - one.startswith(r"\Bigr") for one in units[:start])
    return (r"\quad " if opened > 0 else "") + ("{} " if first in _SIGNS | _RELATIONS else "") + text
