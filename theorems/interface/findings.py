"""What is false as printed, by severity, and which claims correct it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from theorems.engine.claims.kinds import Provenance, Severity
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.running.catalogue import Catalogue
from theorems.interface.prose import identifier, words
from theorems.interface.typesetting import booktabs

__all__ = ["Finding", "findings", "findings_latex"]


@dataclass(frozen=True)
class Finding:
    """A claim that is declared false, how grave that is, and what corrects it."""

    claim: ClaimRecord
    severity: Severity
    corrections: tuple[ClaimRecord, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "id": self.claim.id,
            "severity": self.severity.value,
            "at": self.claim.at,
            "title": self.claim.title,
            "statement": dict(self.claim.statement),
            "note": self.claim.note,
            "corrected_by": [one.id for one in self.corrections],
        }


def findings(
    known: Catalogue, prefix: str | None = None, severity: Severity | None = None
) -> Iterator[Finding]:
    """The findings in reading order, of one paper or of one severity if these are given."""
    claims: Iterable[ClaimRecord] = known.claims.values()
    for one in claims if prefix is None else known.of_paper(prefix):
        if one.severity is not None and severity in {None, one.severity}:
            about = known.about(one.id)
            corrections = [o for o in about if o.provenance is Provenance.CORRECTED]
            yield Finding(one, one.severity, tuple(corrections))


def findings_latex(found: Iterable[Finding]) -> str:
    """A table for LaTeX, by `booktabs`."""
    rows = [
        [identifier(one.claim.id), words(one.claim.at), one.severity.value, words(one.claim.title)]
        for one in found
    ]
    ragged = r">{\raggedright\arraybackslash}p"
    columns = rf"{ragged}{{38mm}}{ragged}{{32mm}}l{ragged}{{54mm}}"
    return booktabs(columns, ["claim", "place", "severity", "what is printed"], rows)
