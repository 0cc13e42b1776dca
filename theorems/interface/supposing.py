r"""What a claim supposes, in LaTeX: letters with their ranges, and hypotheses in words or by name.

A number is quantified over and is listed with its range.  A *quantity* is determined by the other
letters, so it is listed only where the claim narrows its range.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from sympy import Symbol

from theorems.engine.claim import Claim
from theorems.engine.domain import latex
from theorems.engine.hypotheses import Hypothesis
from theorems.engine.letters import Kind, Letter
from theorems.engine.registry import Registry
from theorems.engine.statement import written
from theorems.interface.prose import variable, words

__all__ = ["glossary", "hypotheses"]


def hypotheses(claim: Claim, *, by_name: bool = False) -> str:
    r"""What a claim supposes, as the beginning of a sentence that its statement ends.

    >>> from theorems.engine import interval
    >>> from theorems.engine.claim import claim
    >>> given = {"rho": interval(0, 1)}
    >>> print(hypotheses(claim("t.a", at="a", title="t", states="1", given=given)))
    For $\rho \in [0, 1]$:
    """
    if claim.is_typed:
        return _of_typed(claim)
    names = written(claim.letters)
    if by_name:
        said = [_name(one) for one in claim.hypotheses]
        assumed = [f"under {_list(said)}"] if said else []
    else:
        said = [_said(one.says, names) for one in claim.hypotheses]
        assumed = [f"assuming that {'; and that '.join(said)}"] if said else []
    ranges = _ranges(claim, names)
    return _begun(([f"for {_list(ranges)}"] if ranges else []) + assumed)


def _begun(parts: list[str]) -> str:
    whole = ", ".join(parts)
    return whole[:1].upper() + whole[1:] + (":" if whole else "")


def _ranges(claim: Claim, names: Mapping[Symbol, str]) -> list[str]:
    """The letters that are quantified over, those of the same range together."""
    together: dict[str, list[str]] = {}
    for symbol, domain in claim.domains.items():
        letter = claim.letters[symbol]
        if letter.kind is Kind.NUMBER or domain != letter.domain:
            together.setdefault(latex(domain), []).append(names[symbol])
    return [rf"${', '.join(some)} \in {range_}$" for range_, some in together.items()]


def _said(text: str, names: Mapping[Symbol, str]) -> str:
    """Words with places for letters, the letters set as mathematics."""
    pieces = re.split(r"(\$\{\w+\}|\$\w+)", text)
    values = {symbol.name: latex for symbol, latex in names.items()}
    return "".join(
        f"${values[one.strip('${}')]}$" if one.startswith("$") else words(one) for one in pieces
    )


def _list(items: list[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _name(one: Hypothesis) -> str:
    return rf"\textsc{{{one.name.replace('_', ' ')}}}"


def glossary(known: Registry, prefix: str) -> Iterator[str]:
    """The letters and the hypotheses of a paper, as two lists, each thing once."""
    claims = [one for one in known.claims.values() if one.paper == prefix and not one.is_typed]
    letters = {symbol: one.letters[symbol] for one in claims for symbol in one.given}
    assumed = {one.name: one for claim in claims for one in claim.hypotheses}
    yield from _titled("Letters", map(_meaning, letters.values()))
    names = {symbol: letter.latex for one in claims for symbol, letter in one.letters.items()}
    yield from _titled(
        "Hypotheses", (f"{_name(one)}: {_said(one.says, names)}." for one in assumed.values())
    )


def _titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        body = "\n\n".join(found)
        yield f"\\subsection*{{{title}}}\n{{\\small\n{body}\n\n}}"


def _meaning(letter: Letter) -> str:
    place = "" if letter.domain is None else rf" \in {latex(letter.domain)}"
    return f"${letter.latex}{place}$: {words(letter.meaning)}."


def _of_typed(claim: Claim) -> str:
    quantified = []
    for domain, names in groupby(claim.given, lambda name: latex(claim.given[name])):
        symbols = ", ".join(_symbol(name, claim) for name in names)
        quantified.append(rf"${symbols} \in {domain}$")
    parts = [f"for {' and '.join(_listed(quantified))}"] if quantified else []
    parts += (
        [f"assuming that {'; and that '.join(_said_of(str(one), claim) for one in claim.assuming)}"]
        if claim.assuming
        else []
    )
    sentence = ", ".join(parts)
    return sentence[:1].upper() + sentence[1:] + (":" if sentence else "")


def _listed(items: list[str]) -> list[str]:
    return [", ".join(items[:-1]), items[-1]] if len(items) > 1 else items


#: Papers that write the numbers of an activation, Δ and κ, with its index.
_INDEXED = {"eoc"}


def _said_of(text: str, claim: Claim) -> str:
    """Prose of a claim, with the letters of its paper."""
    said = words(text)
    if claim.paper not in _INDEXED:
        return said
    return re.sub(r"\\(Delta|kappa)\b(?! ?_)", r"\\\1_\\phi", said)


def _symbol(name: str, claim: Claim) -> str:
    """The symbol of a variable; delta is a paper's share of the absolute value or a plain one."""
    share = name == "delta" and r"\delta" not in claim.displayed
    return r"\Delta_\phi" if share and claim.paper in _INDEXED else variable(name)
