r"""A claim's assumptions in LaTeX: letters with their ranges, hypotheses in words or by name.

A number is quantified over and is listed with its range.  A *quantity* is determined by the other
letters, so it is listed only where the claim narrows its range.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set

from sympy import Symbol

from symbolic.latex_lines import PAGE
from symbolic.latex_width import width
from theorems.engine.claims.claim import Claim
from theorems.engine.claims.functions import plainest
from theorems.engine.claims.record import FunctionRecord
from theorems.engine.claims.registry import Registry
from theorems.engine.statements.domain import latex
from theorems.engine.statements.hypotheses import Hypothesis
from theorems.engine.statements.letters import Kind, Letter
from theorems.engine.statements.statement import written
from theorems.interface.breaking import broken
from theorems.interface.prose import words

__all__ = ["ambiguous", "function", "glossary", "here", "hypotheses"]


def hypotheses(claim: Claim, *, by_name: bool = False) -> str:
    r"""A claim's assumptions, as the beginning of a sentence that its statement ends.

    >>> from theorems.engine import Letters, claim, interval, le
    >>> letters = Letters()
    >>> rho = letters.number("rho", r"\rho", "a cosine", interval(0, 1))
    >>> short = claim("t.a", at="a", title="t", states=le(rho, 1), letters=letters)
    >>> print(hypotheses(short))
    For $\rho \in [0, 1]$:
    """
    names = written(claim.letters)
    if by_name:
        said = [_name(one) for one in claim.hypotheses]
        assumed = [f"under {_list(said)}"] if said else []
    else:
        said = [_said(one.says, names) for one in claim.hypotheses]
        assumed = [f"assuming that {'; and that '.join(said)}"] if said else []
    ranges = _ranges(claim, names, _SEVERAL if by_name else ", ")
    return _begun(([f"for {_list(ranges)}"] if ranges else []) + assumed)


def _begun(parts: list[str]) -> str:
    whole = ", ".join(parts)
    return whole[:1].upper() + whole[1:] + (":" if whole else "")


def _ranges(claim: Claim, names: Mapping[Symbol, str], comma: str) -> list[str]:
    """The letters that are quantified over, those of the same range together."""
    together: dict[str, list[str]] = {}
    for symbol, domain in claim.domains.items():
        letter = claim.letters[symbol]
        if letter.kind is Kind.NUMBER or domain != letter.domain:
            together.setdefault(latex(domain), []).append(names[symbol])
    return [rf"${comma.join(some)} \in {range_}$" for range_, some in together.items()]


_SEVERAL = r",\allowbreak "


def _said(text: str, names: Mapping[Symbol, str]) -> str:
    """Words with places for letters, the letters set as mathematics."""
    return words(text, {symbol.name: latex for symbol, latex in names.items()})


def _list(items: list[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _name(one: Hypothesis) -> str:
    return rf"\textsc{{{one.name.replace('_', ' ')}}}"


def glossary(known: Registry, prefix: str, several: Set[str]) -> Iterator[str]:
    """The letters, functions and hypotheses of a paper, as lists, each thing once.

    Letters are in alphabetical order, without the signs that mean several things: see `here`.
    """
    claims = [one for one in known.claims.values() if one.paper == prefix]
    letters = {symbol: one.letters[symbol] for one in claims for symbol in one.given}
    assumed = {one.name: (one, claim.letters) for claim in claims for one in claim.hypotheses}
    listed = {_meaning(one): one for one in letters.values() if one.latex not in several}
    yield from _titled("Letters", sorted(listed, key=lambda line: _alphabetical(listed[line])))
    yield from _titled("Functions", (function(one, _linked) for one in plainest(claims)))
    names = {symbol: letter.latex for one in claims for symbol, letter in one.letters.items()}
    found = (_hypothesis(one, table, names) for one, table in assumed.values())
    yield from _titled("Hypotheses", found)


def ambiguous(known: Registry, prefix: str) -> set[str]:
    """The signs that stand for several things in the claims of a paper."""
    meanings: dict[str, set[str]] = {}
    for one in known.claims.values():
        if one.paper == prefix:
            for symbol in one.given:
                letter = one.letters[symbol]
                meanings.setdefault(letter.latex, set()).add(letter.meaning)
    return {sign for sign, said in meanings.items() if len(said) > 1}


def here(claim: Claim, several: Set[str]) -> str:
    """What those letters of a claim mean that mean something else in other claims."""
    letters = [claim.letters[symbol] for symbol in claim.given]
    said = [f"${one.latex}$: {words(one.meaning)}" for one in letters if one.latex in several]
    return rf"{{\small\raggedright Here {'; '.join(said)}.\par}}" if said else ""


#: What makes no difference to the place of a letter in the alphabet.
_FORMATTING = re.compile(
    r"\\(?:mathbb|mathcal|mathrm|mathbf|operatorname|tilde|hat|bar|mathring|widehat|widetilde"
    r"|overline|textstyle|left|right|text|var(?=[a-z]))|[^A-Za-z]"
)


def _alphabetical(letter: Letter) -> tuple[str, str]:
    return _FORMATTING.sub("", letter.latex).lower(), letter.latex


def _linked(claim_id: str) -> str:
    return rf"\claimref{{{claim_id}}}"


def function(one: FunctionRecord, cite: Callable[[str], str]) -> str:
    """What a function means and, where that can be said, what it is equal to and by which claim."""
    derived = f", derived in {cite(one.derived_in)}" if one.derived_in else ""
    said = f"{words(one.meaning)}{derived}"
    if width(one.equation) <= _SHORT:
        return f"${_breakable(one.equation)}$: {said}."
    return f"${one.latex}$: {said}: {_formula(one.equation)}"


def _hypothesis(one: Hypothesis, table: Mapping[Symbol, Letter], names: Mapping[Symbol, str]) -> str:
    """A hypothesis in words and, where it has one, by its formula."""
    symbols = one.displayed(table)
    said = f"{_name(one)}: {_said(one.says, names)}"
    return f"{said}: {_formula(symbols)}" if symbols else f"{said}."


def _formula(symbols: str) -> str:
    """What ends a sentence: a short formula in its last line, a long one below it."""
    if width(symbols) <= _SHORT:
        return f"${_breakable(symbols)}$."
    lines = " \\\\\n".join(f"& {line}" for line in broken(symbols, PAGE))
    return f"\n\\[ \\begin{{aligned}}\n{lines}\n\\end{{aligned}} \\]"


_SHORT = 200.0  # points: a longer formula is displayed


def _breakable(symbols: str) -> str:
    """A formula that a line of prose may break after commas and between its parts."""
    for old, new in (
        (r"\quad", r"\quad\allowbreak "),
        (r"\text", r"\allowbreak\text"),
        (", ", r",\allowbreak "),
    ):
        symbols = symbols.replace(old, new)
    return symbols


def _titled(title: str, lines: Iterable[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        body = "\n\n".join(found)
        yield f"\\subsection*{{{title}}}\n{{\\small\\raggedright\n{body}\n\n}}"


def _meaning(letter: Letter) -> str:
    place = "" if letter.domain is None else rf" \in {latex(letter.domain)}"
    return f"${letter.latex}{place}$: {words(letter.meaning)}."
