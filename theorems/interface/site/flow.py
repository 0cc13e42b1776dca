"""Long formulas on a web page: cut into pieces that a browser puts on as many lines as it needs."""

import re
from collections.abc import Iterator

from markupsafe import Markup

from theorems.interface.site.mathematics import display

__all__ = ["cut", "flowing"]

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
#: What has to stay in one piece.
_OPENING, _CLOSING = {"{", r"\left", r"\begin"}, {"}", r"\right", r"\end"}
#: Brackets of one size, within which a line does not end at a sum or a comma.
_BRACKETS = {"(": 1, "[": 1, r"\langle": 1, r"\{": 1, ")": -1, "]": -1, r"\rangle": -1, r"\}": -1}
_LARGE = re.compile(r"\\(big|Big|bigg|Bigg)[lr]?")
_BEFORE_RELATIONS = {
    "=", "<", ">", ":=", r"\le", r"\ge", r"\ne", r"\leq", r"\geq", r"\neq", r"\in", r"\to", r"\iff",
    r"\implies", r"\Longrightarrow", r"\Longleftrightarrow", r"\longrightarrow", r"\xrightarrow",
    r"\sim", r"\approx", r"\text", r"\wedge", r"\vee",
}  # fmt: skip
_BEFORE_TERMS = {"+", "-", r"\pm"}
_AFTER = {",", ";", r"\quad", r"\qquad"}
_SPACES = {"\\ ", r"\,", r"\;", r"\:", r"\quad", r"\qquad"}
_SCRIPT = {"_", "^"}


def flowing(latex: str) -> Markup:
    r"""A displayed formula, as pieces between which a line may end.

    >>> flowing(r"a \le b + c").count("<math")
    3
    """
    pieces = Markup("<wbr>").join(_in_a_line(one) for one in cut(latex))
    return Markup('<div class="flow">{}</div>').format(pieces)


def _in_a_line(latex: str) -> Markup:
    """A formula set as in a display, with limits below their signs, that stands in a line."""
    return Markup(display(rf"\displaystyle {latex}").replace('display="block"', 'display="inline"', 1))


def cut(latex: str) -> list[str]:
    r"""A formula cut before its relations and terms, and behind its commas.

    It is cut only where the pieces are formulas themselves, outside of braces, environments and
    brackets that grow; and outside of small brackets, unless these hold a whole statement.

    >>> cut(r"f(x, y) \le \frac{a + b}{2} + c,\quad x > 0")
    ['f(x, y) ', '{} \\le \\frac{a + b}{2} ', '{} + c,\\quad ', 'x ', '{} > 0']
    """
    return [one for one in _pieces(latex) if one.strip()]


def _pieces(latex: str) -> Iterator[str]:
    piece, held, inner, before = "", 0, 0, ""
    for token in _TOKEN.findall(latex):
        held += (token in _OPENING) - (token in _CLOSING)
        large = _LARGE.fullmatch(before) is not None
        inner += 0 if large or before in {r"\left", r"\right"} else _BRACKETS.get(token, 0)
        free = held == 0 and token not in _CLOSING and before not in _SCRIPT and not large
        if free and _begins(token, inner, piece):
            yield piece
            piece = "{} "
        elif before in _AFTER and free and inner <= 0 and not _goes_on(token):
            yield piece
            piece = ""
        piece += token
        before = before if (_goes_on(token) and before in _AFTER) or token.isspace() else token
    yield piece


def _begins(token: str, inner: int, piece: str) -> bool:
    """Whether a line may begin with a token that comes after this piece."""
    if not _holds_something(piece) or inner > 0:
        return False
    return token in _BEFORE_RELATIONS or (token in _BEFORE_TERMS and _ends_a_term(piece))


def _holds_something(piece: str) -> bool:
    return bool(piece.removeprefix("{} ").strip())


def _ends_a_term(piece: str) -> bool:
    """Whether a sign that follows stands between two terms, not in front of one."""
    last = _TOKEN.findall(piece.strip())[-1]
    return last not in _BEFORE_RELATIONS | _AFTER | {"(", "["} and len(piece.strip("{} ")) > 1


def _goes_on(token: str) -> bool:
    """Whether a token behind a comma still belongs to the space there."""
    return token.isspace() or token in _SPACES
