r"""Text with places: ``$name`` or ``${name}`` stands for a letter, or for a slot of a sentence."""

import re
from collections.abc import Mapping

from theorems.engine.errors import ClaimError

__all__ = ["fill", "literal_numbers", "names_in"]

_PLACE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z]\w*))")
_COMMAND = re.compile(r"\\[A-Za-z]+|\\.")


def names_in(text: str) -> list[str]:
    r"""The names of the places, in order, each once.

    >>> names_in(r"\|$B\| \le ${factor}^{$power}$B")
    ['B', 'factor', 'power']
    """
    return list(dict.fromkeys(braced or bare for braced, bare in _PLACE.findall(text)))


def fill(text: str, values: Mapping[str, str]) -> str:
    r"""The text with every place filled; what stands there is kept apart from a following letter.

    >>> fill(r"\sqrt$two x^{$p}", {"two": "2", "p": r"\tfrac{1}{2}"})
    '\\sqrt{2} x^{\\tfrac{1}{2}}'
    """

    def value(match: re.Match[str]) -> str:
        name = match[1] or match[2]
        if name not in values:
            raise ClaimError(f"nothing is named {name}")
        before, after = text[: match.start()], text[match.end() :]
        alone = before.endswith("{") and after.startswith("}")
        return values[name] if alone else f"{{{values[name]}}}"

    return _PLACE.sub(value, text)


def literal_numbers(text: str) -> list[str]:
    r"""The numbers that are written into a text, outside places and subscripts.

    >>> literal_numbers(r"x_1 \le 2y_{k-1}^{$p} + \tfrac12")
    ['2', '12']
    """
    bare = _COMMAND.sub(" ", _PLACE.sub(" ", text))
    while (shorter := re.sub(r"_(?:\{[^{}]*\}|\w)", " ", bare)) != bare:
        bare = shorter
    return re.findall(r"\d+(?:\.\d+)?", bare)
