r"""What a derivation's letters mean: said before it, from the paper's letters and its own."""

from collections.abc import Iterable, Mapping
from typing import Any

from sympy import Symbol

from symbolic.latex_printer import latex
from theorems.engine.claims.claim import Claim
from theorems.engine.claims.functions import functions
from theorems.engine.statements.domain import latex as range_latex
from theorems.engine.statements.statement import written
from theorems.interface.assumptions import function
from theorems.interface.prose import escaped, words

__all__ = ["abbreviations", "introduced"]


def introduced(claim: Claim, derivations: Iterable[Any]) -> str:
    r"""The letters of a claim and of its derivations with domains and meanings, and its functions.

    A letter that a derivation abbreviates, and that is none of the paper's, is left to
    `abbreviations`; one that is neither is named without a meaning.

    >>> from theorems.engine import Letters, claim, interval, le
    >>> letters = Letters()
    >>> rho = letters.number("rho", r"\rho", "a cosine", interval(0, 1))
    >>> short = claim("t.a", at="a", title="t", states=le(rho, 1), letters=letters)
    >>> print(introduced(short, []))
    Letters: $\rho \in [0, 1]$: a cosine.
    """
    found = {one for each in derivations for one in getattr(each, "symbols", ())}
    others = sorted((one for one in found if one in claim.letters), key=str)
    said = []
    for symbol in dict.fromkeys([*claim.given, *others]):
        letter = claim.letters[symbol]
        domain = claim.domains.get(symbol, letter.domain)
        place = "" if domain is None else rf" \in {range_latex(domain)}"
        said.append(f"${letter.latex}{place}$: {words(letter.meaning)}")
    lines = [f"Letters: {'; '.join(said)}."] if said else []
    applied = [function(one, _typed) for one in functions(claim)]
    lines += ["Functions:", *applied] if applied else []
    return "\n\n".join(lines)


def _typed(claim_id: str) -> str:
    return rf"\texttt{{{escaped(claim_id)}}}"


def abbreviations(claim: Claim, derivation: Any) -> str:
    r"""What the letters stand for that a derivation replaces before it compares two lines."""
    where: Mapping[Symbol, Any] = getattr(derivation, "where", {})
    names = written(claim.letters)
    said = [f"${latex(one, names)} = {latex(value, names)}$" for one, value in where.items() if one != value]
    return f"With {', '.join(said)}:" if said else ""
