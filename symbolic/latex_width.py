r"""Estimated widths of LaTeX formulas, in points for type of 10 points.

Each sign has its width in Computer Modern with the space that TeX puts around it; a fraction is
as wide as its wider half, a matrix as its columns. What is raised or lowered, and a fraction in a
fraction or in a matrix, counts seven tenths.
"""

import re
from itertools import zip_longest

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\s+|.", re.DOTALL)
_PLACES = re.compile(r"(?<=\\\\)(?:\*|\[\d+pt\])|(?<=aligned\})\[t\]")
_SCRIPT = 0.7
_WIDTHS = {
    "=": 13.3, r"\le": 13.3, r"\ge": 13.3, r"\in": 12.3, r"\to": 15.5, r"\implies": 22.0,
    r"\iff": 22.0, r"\succeq": 13.3,
    "+": 12.2, "-": 12.2, r"\pm": 12.2, r"\otimes": 12.2, r"\cdot": 7.2,
    r"\int": 12.0, r"\sum": 16.0, r"\prod": 15.0, r"\Delta": 8.4,
    r"\sin": 14.0, r"\cos": 16.0, r"\tan": 16.0, r"\arcsin": 29.0, r"\arccos": 30.0,
    r"\exp": 17.0, r"\log": 15.0, r"\ln": 10.0, r"\min": 17.0, r"\max": 19.0, r"\sup": 16.0,
    r"\quad": 10.0, r"\qquad": 20.0, r"\,": 1.7, r"\ ": 3.3, r"\left": 1.0, r"\right": 1.0,
    r"\operatorname": 1.7, "m": 8.8, "w": 7.2, "M": 10.2, "i": 3.5, "l": 3.0, ",": 4.4,
    "(": 3.9, ")": 3.9, "[": 3.5, "]": 3.5, "|": 2.8, ".": 2.8, "'": 2.5, "&": 0.0, "$": 0.0,
}  # fmt: skip
_SILENT = {
    *(r"\displaystyle", r"\limits", r"\big", r"\Big", r"\bigl", r"\bigr", r"\Bigl", r"\Bigr"),
    *(r"\hat", r"\tilde", r"\mathbb", r"\mathcal", r"\mathrm", r"\textnormal", r"\small"),
}
_LETTER, _CAPITAL, _COMMAND, _IN_PROSE, _SPACE = 5.4, 7.5, 5.8, 4.7, 3.3


def width(formula: str) -> float:
    r"""Estimate the width of a formula that is set as a display.

    >>> width(r"\frac{a + b}{c}") == width(r"\frac{c}{a + b}") > width("a + b")
    True
    >>> width(r"\text{one reason}") > width(r"\text{onereason}")
    True
    """
    return _Reader(formula).row()


class _Reader:
    """Reads a formula from left to right; each method returns the width of what it read."""

    def __init__(self, formula: str) -> None:
        self.inner = 0
        self.tokens: list[str] = _TOKEN.findall(_PLACES.sub("", formula))[::-1]

    def row(self, ends: tuple[str, ...] = (), *, prose: bool = False) -> float:
        """All up to one of the `ends`, which stays unread."""
        total = 0.0
        while self.tokens and self.tokens[-1] not in ends:
            prose ^= self.tokens[-1] == "$"
            total += self.sign(prose)
        return total

    def sign(self, prose: bool) -> float:
        token = self.tokens.pop()
        if token in _SILENT or token == r"\\":
            return 0.0
        if token.isspace():
            return _SPACE if prose else 0.0
        reading = {"{": self.rest_of_group, r"\frac": self.fraction, r"\begin": self.environment,
                   r"\tfrac": self.small_fraction, r"\sqrt": self.root, "^": self.scripts,
                   "_": self.scripts, r"\text": self.prose}.get(token)  # fmt: skip
        if reading is not None:
            return reading()
        if prose and (token.isalpha() or token == "-"):
            return _IN_PROSE
        other = _COMMAND if token.startswith("\\") else _CAPITAL if token.isupper() else _LETTER
        return _WIDTHS.get(token, other)

    def argument(self, *, prose: bool = False) -> float:
        """A group in braces, or the one sign that stands for it."""
        while self.tokens and self.tokens[-1].isspace():
            self.tokens.pop()
        if not self.tokens or self.tokens[-1] != "{":
            return self.sign(prose) if self.tokens else 0.0
        self.tokens.pop()
        return self.rest_of_group(prose=prose)

    def rest_of_group(self, *, prose: bool = False) -> float:
        inside = self.row(("}",), prose=prose)
        del self.tokens[-1:]
        return inside

    def prose(self) -> float:
        return self.argument(prose=True)

    def fraction(self) -> float:
        self.inner += 1
        halves = max(self.argument(), self.argument()) + 2.4
        self.inner -= 1
        return _SCRIPT * halves if self.inner else halves

    def small_fraction(self) -> float:
        return self.fraction() * (1 if self.inner else _SCRIPT)

    def root(self) -> float:
        return 8.5 + self.argument()

    def scripts(self) -> float:
        """What is raised and what is lowered stand above each other."""
        found = self.argument()
        if self.tokens and self.tokens[-1] in ("^", "_"):
            self.tokens.pop()
            found = max(found, self.argument())
        return _SCRIPT * found

    def environment(self) -> float:
        """Columns of the widest cells, ten points between them in a matrix."""
        del self.tokens[-1:]
        self.inner += 1
        name = ""
        while self.tokens and (letter := self.tokens.pop()) != "}":
            name += letter
        rows: list[list[float]] = [[]]
        while self.tokens and self.tokens[-1] != r"\end":
            rows[-1].append(self.row(("&", r"\\", r"\end")))
            if self.tokens and self.tokens[-1] != r"\end" and self.tokens.pop() == r"\\":
                rows.append([])
        del self.tokens[-1:]
        self.argument()
        self.inner -= 1
        columns = [max(cells) for cells in zip_longest(*rows, fillvalue=0.0)]
        return sum(columns) + (10.0 * len(columns) if "matrix" in name else 0.0)
