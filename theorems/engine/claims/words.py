"""A claim's assumptions in words: its letters with their domains, its functions, its hypotheses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from theorems.engine.claims.functions import functions
from theorems.engine.claims.record import AssumedRecord, LetterRecord
from theorems.engine.statements.domain import Domain, text

if TYPE_CHECKING:
    from theorems.engine.claims.claim import Claim
    from theorems.engine.statements.letters import Letter

__all__ = ["assumed", "given", "supposed"]


def supposed(claim: Claim) -> list[str]:
    """A line for each letter, each function, each hypothesis, and each one that is discharged."""
    return [str(one) for one in (*given(claim), *functions(claim), *assumed(claim))]


def given(claim: Claim) -> list[LetterRecord]:
    """The letters of a claim with their domains here and their meanings."""
    domains = claim.domains
    return [_letter(claim.letters[one], domains.get(one)) for one in claim.given]


def assumed(claim: Claim) -> list[AssumedRecord]:
    """The hypotheses of a claim and, with a reason, those that are discharged."""
    return list(_assumed(claim))


def _assumed(claim: Claim) -> Iterator[AssumedRecord]:
    for one in claim.hypotheses:
        yield AssumedRecord(one.name, one.says, one.displayed(claim.letters))
    for one, why in claim.discharging.items():
        yield AssumedRecord(one.name, why, met=True)


def _letter(letter: Letter, domain: Domain | None) -> LetterRecord:
    where = _one(letter.kind.value) if domain is None else f"in {text(domain)}"
    return LetterRecord(letter.name, letter.latex, where, letter.meaning)


def _one(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
