"""Mathematics on a web page: LaTeX, and the formulas in prose, as MathML that browsers draw."""

from collections.abc import Callable, Mapping

from markupsafe import Markup, escape

from theorems.engine.claims.mathml import mathml
from theorems.interface.prose import pieces

__all__ = ["display", "formula", "prose"]


def formula(latex: str) -> Markup:
    r"""A formula in a line of text.

    >>> print(formula(r"\rho")[:5])
    <math
    """
    return Markup(mathml(latex, "inline"))


def display(latex: str) -> Markup:
    r"""A formula on a line of its own.

    >>> "<munder>" in display(r"\lim_{n \to \infty} x_n")
    True
    """
    return Markup(mathml(latex))


def _id(identifier: str) -> Markup:
    return Markup("<code>{}</code>").format(identifier)


def prose(
    text: str,
    letters: Mapping[str, str] | None = None,
    link: Callable[[str], Markup] = _id,
    inline: Callable[[str], Markup] = formula,
) -> Markup:
    r"""Prose with the formulas that it contains set as mathematics.

    ``letters`` has the LaTeX of the letters that the prose names as ``$rho``; ``link`` makes of
    the id of a claim what is shown, and ``inline`` of a formula.

    >>> print(prose("<all> of them"))
    &lt;all&gt; of them
    >>> print(prose("if $rho is small", {"rho": r"\rho"})[:8])
    if <math
    """
    shown = {"formula": inline, "id": link, "text": escape}
    return Markup("").join(shown[kind](one) for kind, one in pieces(text, letters))
