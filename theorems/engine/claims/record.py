"""Claims as plain data for reading: what lists and pages show, without loading any mathematics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from theorems.engine.claims.kinds import Grade, Profile, Provenance, Role, Severity
from theorems.engine.claims.place import Place, places

if TYPE_CHECKING:
    from theorems.engine.claims.claim import Claim
    from theorems.engine.claims.evidence import Evidence

__all__ = ["ClaimRecord", "EvidenceRecord"]


@dataclass(frozen=True)
class EvidenceRecord:
    """One piece of evidence; ``controls`` are the names of the author's false variants."""

    name: str
    grade: Grade
    part: str
    role: Role
    profile: Profile
    says: str
    bridge: str | None
    controls: tuple[str, ...]
    statistical: bool
    source: str
    fingerprint: str = ""


@dataclass(frozen=True)
class ClaimRecord:
    """A claim; ``statement`` maps parts to LaTeX, ``supposed`` are lines in words.

    ``fingerprint`` names the source that the claim comes from, ``key`` in addition that of its
    evidence and of all that it rests on: a verdict is that of a key.
    """

    id: str
    at: str
    title: str
    provenance: Provenance
    of: str | None
    note: str | None
    statement: Mapping[str, str]
    supposed: tuple[str, ...]
    said: str
    rests_on: tuple[str, ...]
    remarks: tuple[str, ...]
    severity: Severity | None
    source: str
    evidence: tuple[EvidenceRecord, ...]
    fingerprint: str = ""
    key: str = ""

    @property
    def paper(self) -> str:
        """The prefix of the paper that the claim belongs to."""
        return self.id.partition(".")[0]

    @property
    def displayed(self) -> str:
        r"""The LaTeX of the statement, its parts set apart by ``\quad``."""
        return r" \quad ".join(self.statement.values())

    def stands_at(self) -> tuple[Place, ...]:
        """The places that the claim names; ClaimError where ``at`` cites another source."""
        return places(self.at)

    @staticmethod
    def of_claim(claim: Claim) -> ClaimRecord:
        """The record of a claim, without fingerprints."""
        from theorems.engine.claims.words import supposed  # noqa: PLC0415 - needs the letters

        return ClaimRecord(
            id=claim.id,
            at=claim.at,
            title=claim.title,
            provenance=claim.provenance,
            of=claim.of,
            note=claim.note,
            statement={name: one.latex(claim.letters) for name, one in claim.parts.items()},
            supposed=tuple(supposed(claim)),
            said=" ".join(str(getattr(one, "says", one)) for one in claim.assuming),
            rests_on=claim.rests_on,
            remarks=tuple(claim.remarks),
            severity=claim.severity,
            source=str(claim.source),
            evidence=tuple(map(_of_evidence, claim.evidence)),
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            **asdict(self),
            "provenance": self.provenance.name,
            "severity": None if self.severity is None else self.severity.name,
            "evidence": [_to_json(one) for one in self.evidence],
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ClaimRecord:
        """The value that :meth:`as_json` wrote; KeyError, TypeError or ValueError otherwise."""
        severity = data["severity"]
        return ClaimRecord(
            **{
                **data,
                "provenance": Provenance[data["provenance"]],
                "severity": None if severity is None else Severity[severity],
                "supposed": tuple(data["supposed"]),
                "rests_on": tuple(data["rests_on"]),
                "remarks": tuple(data["remarks"]),
                "evidence": tuple(_from_json(one) for one in data["evidence"]),
            }
        )


def _of_evidence(item: Evidence) -> EvidenceRecord:
    return EvidenceRecord(
        name=item.name,
        grade=item.grade,
        part=item.part,
        role=item.role,
        profile=item.profile,
        says=item.says,
        bridge=item.bridge,
        controls=tuple(item.controls),
        statistical=item.statistical,
        source=str(item.source),
    )


def _to_json(one: EvidenceRecord) -> dict[str, Any]:
    words = {"grade": one.grade.name, "role": one.role.name, "profile": one.profile.name}
    return {**asdict(one), **words}


def _from_json(data: Mapping[str, Any]) -> EvidenceRecord:
    words = {
        "grade": Grade[data["grade"]],
        "role": Role[data["role"]],
        "profile": Profile[data["profile"]],
        "controls": tuple(data["controls"]),
    }
    return EvidenceRecord(**{**data, **words})
