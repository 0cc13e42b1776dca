"""Formulas as MathML that browsers draw, for claims in notebooks and in the report.

The converter is latex2mathml; what it leaves to older browsers, or does not know, is put right here
so that it is MathML Core: letters in other alphabets, names of several letters, limits below.
"""

import re
from functools import cache
from html import unescape
from xml.etree import ElementTree

__all__ = ["mathml"]

# Text ends at the first closing brace for the converter, so braces inside of it go.
_BRACED = re.compile(r"(\\text\{[^{}]*)\{([^{}]*)\}")
_SPELLED = (
    (re.compile(r"\\(big|bigg|Big|Bigg)([lr]?)\\\|"), r"\\\1\2‖"),
    (re.compile(r"\\xrightarrow\{([^{}]*)\}"), r"\\overset{\1}{\\longrightarrow}"),
)
_LIMITS = {"lim", "max", "min", "sup", "inf", "lim sup", "lim inf", "limsup", "liminf"}
_RELATIONS = {"~": "∼", "⟺": "⟺", "⟹": "⟹", "⇒": "⇒", "⟸": "⟸", "⟶": "⟶"}
#: Brackets and bars, around which browsers leave room where they take them for relations.
_CLOSE = {*"()[]{}⟨⟩|‖/"}
#: Where capital letters, small letters and digits begin in the alphabets that Unicode has.
_ALPHABETS = {
    "bold": (0x1D400, 0x1D41A, 0x1D7CE),
    "script": (0x1D49C, 0x1D4B6, None),
    "double-struck": (0x1D538, 0x1D552, 0x1D7D8),
}
#: Letters that Unicode had before, at other places.
_EARLIER = {
    "double-struck": dict(zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True)),
    "script": dict(zip("BEFHILMRego", "ℬℰℱℋℐℒℳℛℯℊℴ", strict=True)),
}


@cache
def mathml(latex: str, display: str = "block") -> str:
    r"""A formula as a ``math`` element, on a line of its own (``block``) or in a line (``inline``).

    Raises whatever the converter raises for LaTeX that it cannot read.

    >>> mathml(r"\rho")[:12]
    '<math xmlns='
    >>> "<munder>" in mathml(r"\lim_{n \to \infty} x_n")
    True
    """
    from latex2mathml.converter import convert_to_element  # noqa: PLC0415 - for pages alone

    for pattern, spelled in _SPELLED:
        latex = pattern.sub(spelled, latex)
    while _BRACED.search(latex):
        latex = _BRACED.sub(r"\1\2", latex)
    root = convert_to_element(latex, display=display)
    for one in root.iter():
        if one.text and "&" in one.text:
            one.text = unescape(one.text)
    for parent in root.iter():
        for child in parent:
            _mend(child, below=display == "block")
        _join_names(parent)
    for parent in list(root.iter("mrow")):
        _set_names_apart(parent)
    return ElementTree.tostring(root, encoding="unicode")


def _mend(one: ElementTree.Element, *, below: bool) -> None:
    variant = one.get("mathvariant")
    if variant in _ALPHABETS:
        one.text = "".join(_lettered(letter, variant) for letter in one.text or "")
        del one.attrib["mathvariant"]
    if one.tag == "mi" and one.text in _RELATIONS:
        one.tag, one.text = "mo", _RELATIONS[one.text]
    if one.tag == "mo" and len(one.text or "") > 1 and str(one.text).isalpha():
        one.set("lspace", "0.1667em")
        one.set("rspace", "0.1667em")
    if one.tag == "mo" and one.text in _CLOSE and "form" not in one.attrib:
        one.set("lspace", "0")
        one.set("rspace", "0")
    if below and one.tag == "msub" and one[0].text in _LIMITS:
        one.tag = "munder"


def _lettered(letter: str, variant: str) -> str:
    """A letter or a digit in another alphabet."""
    if letter in _EARLIER.get(variant, {}):
        return _EARLIER[variant][letter]
    for first, start in zip("Aa0", _ALPHABETS[variant], strict=True):
        place = ord(letter) - ord(first)
        if start is not None and 0 <= place < (10 if first == "0" else 26):
            return chr(start + place)
    return letter


def _join_names(parent: ElementTree.Element) -> None:
    """Upright letters side by side are one name."""
    previous: ElementTree.Element | None = None
    for child in list(parent):
        upright = child.tag == "mi" and child.get("mathvariant") == "normal"
        if upright and previous is not None and parent.tag == "mrow":
            previous.text = f"{previous.text}{child.text}"
            parent.remove(child)
        else:
            previous = child if upright else None


def _set_names_apart(row: ElementTree.Element) -> None:
    """A thin space between the name of a function and what it stands beside, as LaTeX has it."""
    children = list(row)
    for place in range(len(children) - 1, 0, -1):
        left, right = children[place - 1 : place + 1]
        if (_is_name(left) and _is_operand(right)) or (_is_operand(left) and _is_name(right)):
            row.insert(place, ElementTree.Element("mspace", {"width": "0.1667em"}))


def _is_name(one: ElementTree.Element) -> bool:
    if one.tag in {"msub", "msup", "msubsup"}:
        return _is_name(one[0])
    return one.tag == "mi" and len(one.text or "") > 1 and str(one.text).isalpha()


def _is_operand(one: ElementTree.Element) -> bool:
    """Whether this is neither an operator or a space nor something in brackets."""
    if one.tag in {"mo", "mspace"}:
        return False
    return len(one) == 0 or _is_operand(one[0])
