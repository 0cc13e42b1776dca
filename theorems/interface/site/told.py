"""What evidence answered, on a web page: letters and numbers are set as mathematics there."""

import re
from collections.abc import Callable, Mapping

from markupsafe import Markup, escape

from theorems.interface.site.flow import flowing
from theorems.interface.site.mathematics import formula, prose

__all__ = ["answered", "numbers", "stood_on"]

_STEPS = re.compile(r"(\d+ of \d+ exact steps? \w+(?:, first)?: )(.+)", re.DOTALL)
_NAMED = re.compile(r"\b([A-Za-z]\w*) = ")
_POWER = re.compile(r"(?<=\d)e([+-]?)0*(\d+)\b")
_MINUS = re.compile(r"(?<![\w.)\]-])-(?=[\d.])")


def answered(text: str, letters: Mapping[str, str]) -> Markup:
    r"""An answer in a line, the letters to which it gives values set as mathematics.

    What follows a count of exact steps are an author's words, in which formulas are set.

    >>> print(answered("false at t = -1e-07", {})[9:])
    t = −1 · 10<sup>−7</sup>
    >>> print(answered("1 of 2 exact steps rejected: above <zero>", {}))
    1 of 2 exact steps rejected: above &lt;zero&gt;
    """
    if found := _STEPS.fullmatch(text):
        return escape(found[1]) + prose(found[2], letters)
    shown, end = Markup(""), 0
    for one in _NAMED.finditer(text):
        if one[1] in letters:
            shown += numbers(text[end : one.start()]) + formula(letters[one[1]]) + " = "
            end = one.end()
    return shown + numbers(text[end:])


def numbers(text: str) -> Markup:
    """Text whose numbers have a minus sign and powers of ten.

    >>> print(numbers("mean -2.5 +- 1.1e-09"))
    mean −2.5 ± 1.1 · 10<sup>−9</sup>
    """
    plain = _MINUS.sub("−", str(escape(text)).replace("+-", "±"))
    return Markup(_POWER.sub(_raised, plain))


def _raised(found: re.Match[str]) -> str:
    sign = "−" if found[1] == "-" else ""
    return f" · 10<sup>{sign}{found[2]}</sup>"


def stood_on(title: str, line: str, letters: Mapping[str, str], link: Callable[[str], Markup]) -> Markup:
    r"""A line of the ledger: what it is about, in front of a colon, and what it says.

    ``link`` makes the id of a claim a link to its page.

    >>> print(stood_on("trusted", r"meaning: this: y = \pi", {}, Markup)[:34])
    <b>meaning</b>: this: <div class="
    """
    head, _, rest = line.partition(": ")
    front = Markup("<b>{}</b>: ").format(head)
    if title == "checked by machine":
        return front + answered(rest, letters)
    if head == "claim":
        return front + Markup("; ").join(link(one) for one in rest.split("; "))
    if head not in {"meaning", "hypothesis"}:
        return front + prose(rest, letters)
    name, _, says = rest.partition(": ")
    return front + prose(name, letters) + ": " + flowing(says)
