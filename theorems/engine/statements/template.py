r"""Text with places: ``$name`` or ``${name}`` stands for a letter, or for a slot of a sentence.

A slot that is 1 is left out where it is a factor in front of others, or an exponent: one reads
``\le x`` and not ``\le 1 x``.  A slot that is 0 is left out where a sum begins with it and goes on.
Any other value of the slot is printed there.
"""

import re
from collections import Counter
from collections.abc import Mapping

from theorems.engine.errors import ClaimError

__all__ = ["fill", "literal_numbers", "names_in", "places"]

_PLACE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z]\w*))")
_COMMAND = re.compile(r"\\[A-Za-z]+|\\.")
#: Names that have a digit: the indicator of an event, and the chi-square law.
_NAMED = re.compile(r"\\mathbf\{1\}|\\chi\^2(?=_)")

#: Behind these a product begins: a sign, a relation, a bracket, a comma, a gap.
_BEGINS = re.compile(
    r"(?:[=<>+\-(\[{},]|\\[,;: ]"
    r"|\\(?:le|ge|ne|approx|asymp|sim|lesssim|to|pm|mp|q?quad|langle))\s*$"
)
#: Where a sum goes on.
_SUMMAND_FOLLOWS = re.compile(r"\s*\+\s*")
_GREEK = (
    "alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|pi|rho|varrho|"
    "sigma|tau|phi|varphi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega"
)
_OTHER = "sum|prod|int|sup|inf|max|min|log|exp|sqrt|tilde|hat|bar|mathbb|operatorname|textstyle"
#: A power of 1 and a gap, where another factor comes behind them.
_FACTOR_FOLLOWS = re.compile(
    r"(?:\^\w)?(?:\s|\\[,;: ])*"
    rf"(?=[A-Za-z($]|\\(?:{_GREEK}|{_OTHER}|[td]?frac|[bB]igl)(?![A-Za-z]))"
)


def names_in(text: str) -> list[str]:
    r"""The names of the places, in order, each once.

    >>> names_in(r"\|$B\| \le ${factor}^{$power}$B")
    ['B', 'factor', 'power']
    """
    return list(places(text))


def places(text: str) -> Counter[str]:
    r"""How many places each name has, in the order of the first.

    >>> places(r"\|$B\| \le ${factor}^{$power}$B")
    Counter({'B': 2, 'factor': 1, 'power': 1})
    """
    return Counter(braced or bare for braced, bare in _PLACE.findall(text))


def fill(text: str, values: Mapping[str, str]) -> str:
    r"""The text with every place filled; what stands there is kept apart from a following letter.

    >>> fill(r"\sqrt$two x^{$p}", {"two": "2", "p": r"\tfrac{1}{2}"})
    '\\sqrt{2} x^{\\tfrac{1}{2}}'
    >>> fill(r"y = $c x^{$p} \le $c - x", {"c": "1", "p": "1"})
    'y = x \\le {1} - x'
    >>> fill(r"y = $c + $d x", {"c": "0", "d": "0"})
    'y = {0} x'
    """
    filled = ""
    while match := _PLACE.search(text):
        name = match[1] or match[2]
        if name not in values:
            raise ClaimError(f"nothing is named {name}")
        filled, text = filled + text[: match.start()], text[match.end() :]
        if values[name] == "1":
            filled, text = _one(filled, text)
        elif values[name] == "0" and _BEGINS.search(filled) and _SUMMAND_FOLLOWS.match(text):
            text = _SUMMAND_FOLLOWS.sub("", text, count=1)
        else:
            alone = filled.endswith("{") and text.startswith("}")
            filled += values[name] if alone else f"{{{values[name]}}}"
    return filled + text


def _one(before: str, after: str) -> tuple[str, str]:
    """A 1 between two texts: nothing if it is an exponent or a factor, with what goes with it."""
    if before.endswith("^{") and after.startswith("}"):
        return before[:-2], after[1:]
    follows = _FACTOR_FOLLOWS.match(after)
    if follows and _BEGINS.search(before):
        return before, after[follows.end() :]
    alone = before.endswith("{") and after.startswith("}")
    return before + ("1" if alone else "{1}"), after


def literal_numbers(text: str) -> list[str]:
    r"""The numbers that are written into a text, outside places, subscripts and names.

    >>> literal_numbers(r"x_1 \le 2y_{k-1}^{$p} + \tfrac12")
    ['2', '12']
    >>> literal_numbers(r"\mathbf{1}\{X \le x\}, \quad X \sim \chi^2_n")
    []
    """
    bare = _COMMAND.sub(" ", _PLACE.sub(" ", _NAMED.sub(" ", text)))
    while (shorter := re.sub(r"_(?:\{[^{}]*\}|\w)", " ", bare)) != bare:
        bare = shorter
    return re.findall(r"\d+(?:\.\d+)?", bare)
