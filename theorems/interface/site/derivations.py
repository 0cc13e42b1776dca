"""Derivations on a web page: the environments of LaTeX that they come in, as tables."""

import re

from markupsafe import Markup, escape

from theorems.interface.site.mathematics import formula

__all__ = ["derivation"]

_ROW_END, _CELL_END = re.compile(r"\\\\\*?"), re.compile(r"&")
_TOKEN = re.compile(r"\\begin\b|\\end\b|\\\\\*?|\\.|[{}&]", re.DOTALL)
_REASON = re.compile(r"(?:\\quad)?\s*\\text\{(?:\\small )?(.*)\}", re.DOTALL)
_ALIGNED = re.compile(r"\\begin\{aligned\}(?:\[t\])?\s*(.*?)\\end\{aligned\}", re.DOTALL)


def derivation(latex: str) -> Markup:
    r"""An align* environment as a table: a row a line, what is left of the sign, and the reason.

    >>> print(derivation(r"\begin{align*} a &= b && \text{so} \end{align*}")[-39:])
    <td class="reason">so</td></tr></table>
    """
    body = latex.replace(r"\begin{align*}", "").replace(r"\end{align*}", "")
    rows = Markup("")
    for line in _split(body, _ROW_END):
        cells = [one.strip() for one in _split(line, _CELL_END)]
        left, right, *rest = [*cells, ""] if len(cells) == 1 else cells
        shown, reason = _with_reason(right, " ".join(rest))
        rows += Markup('<tr><td class="left">{}</td><td>{}</td>').format(_cell(left), _cell(shown)) + Markup(
            '<td class="reason">{}</td></tr>'
        ).format(reason)
    return Markup('<table class="derivation">{}</table>').format(rows)


def _split(latex: str, end: re.Pattern[str]) -> list[str]:
    """Parts of LaTeX between the ends that are not inside of braces or environments."""
    parts, start, depth = [], 0, 0
    for found in _TOKEN.finditer(latex):
        token = found[0]
        depth += (token in {"{", r"\begin"}) - (token in {"}", r"\end"})
        if depth == 0 and end.fullmatch(token):
            parts.append(latex[start : found.start()])
            start = found.end()
    return [*parts, latex[start:]]


def _with_reason(right: str, rest: str) -> tuple[str, Markup]:
    """The formula of a cell and the reason, which stands behind it or on a line of its own."""
    for one in (rest, right.removeprefix(r"\quad").strip()):
        if found := _REASON.fullmatch(one.strip()):
            return ("" if one != rest else right), _text(found[1])
    return right, Markup("")


def _text(latex: str) -> Markup:
    r"""Words in LaTeX with formulas between dollar signs."""
    parts = latex.split("$")
    return Markup("").join(formula(one) if number % 2 else escape(one) for number, one in enumerate(parts))


def _cell(latex: str) -> Markup:
    """A formula of a derivation, sums over several lines below each other."""
    if not latex:
        return Markup("")
    while _ALIGNED.search(latex):
        latex = _ALIGNED.sub(_stacked, latex)
    return formula(rf"\displaystyle {latex}")


def _stacked(found: re.Match[str]) -> str:
    lines = [one.strip().removeprefix("&").strip() for one in _split(found[1], _ROW_END)]
    return r"\begin{array}{l}" + r" \\ ".join(lines) + r"\end{array}"
