"""What a claim supposes, in words: its letters with their domains, and its hypotheses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from theorems.engine.statements.domain import text

if TYPE_CHECKING:
    from sympy import Symbol

    from theorems.engine.claims.claim import Claim
    from theorems.engine.statements.hypotheses import Hypothesis

__all__ = ["supposed"]


def supposed(claim: Claim) -> list[str]:
    """A line for each letter, for each hypothesis, and for each one that is discharged."""
    lines = [_bound(claim, symbol) for symbol in claim.given]
    lines += [_assumed(one, claim) for one in claim.hypotheses]
    return lines + [f"{one.name} is met: {why}" for one, why in claim.discharging.items()]


def _assumed(one: Hypothesis, claim: Claim) -> str:
    """A hypothesis in words and, where it has one, its formula in LaTeX."""
    symbols = one.displayed(claim.letters)
    return f"assuming {one.name}: {one.says}" + (f": {symbols}" if symbols else "")


def _bound(claim: Claim, symbol: Symbol) -> str:
    """A letter with its domain here and its meaning."""
    letter, domain = claim.letters[symbol], claim.domains.get(symbol)
    place = f" in {text(domain)}" if domain is not None else f", a {letter.kind.value}"
    return f"given {symbol}{place}: {letter.meaning}"
