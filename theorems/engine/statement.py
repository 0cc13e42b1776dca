"""What keeps a statement's LaTeX from being set as a display."""

from __future__ import annotations

import re

__all__ = ["flaw"]

_TOKENS = re.compile(r"\\(begin|end)\{([^{}]*)\}|\\[A-Za-z]+|\\.|[{}%]", re.DOTALL)


def flaw(latex: str) -> str | None:
    r"""What is wrong with the LaTeX of a displayed statement, or ``None``.

    Groups, environments and ``\left ... \right`` must nest; escaped braces stand for themselves.

    >>> flaw(r"\left\{ x : x^{2} \le 1 \right.")
    >>> flaw(r"x^{2")
    '{ is never closed'
    """
    strange = next((letter for letter in latex if not letter.isascii()), None)
    if strange is not None:
        return f"{strange!r} is not LaTeX; write the command for it"
    if re.search(r"\n\s*\n", latex):
        return "a display has no empty lines"
    expected: list[tuple[str, str]] = []
    for token in _TOKENS.finditer(latex):
        text = token[0]
        closing = _closing(text, token[1], token[2])
        if text == "%":
            return "% would comment out the rest; write \\%"
        if closing is not None:
            expected.append((text, closing))
        closes = text in {"}", r"\right"} or token[1] == "end"
        if closes and (not expected or expected.pop()[1] != text):
            return f"{text} closes nothing"
    return f"{expected[-1][0]} is never closed" if expected else None


def _closing(text: str, kind: str | None, environment: str | None) -> str | None:
    if kind == "begin":
        return rf"\end{{{environment}}}"
    return {"{": "}", r"\left": r"\right"}.get(text)
