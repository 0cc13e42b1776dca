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

__all__ = ["AssumedRecord", "ClaimRecord", "EvidenceRecord", "FunctionRecord", "LetterRecord"]


@dataclass(frozen=True)
class LetterRecord:
    r"""A letter by its name in the code, as it prints, where it ranges here, and its meaning.

    >>> print(LetterRecord("rho", r"\rho", "in [-1, 1]", "cosine of an angle"))
    given rho in [-1, 1]: cosine of an angle
    """

    name: str
    latex: str
    where: str
    meaning: str

    def __str__(self) -> str:
        place = f" {self.where}" if self.where.startswith("in ") else f", {self.where}"
        return f"given {self.name}{place}: {self.meaning}"


@dataclass(frozen=True)
class FunctionRecord:
    r"""A function as a claim applies it, what this is equal to, and what the function means.

    ``formula`` is empty where there is no closed form; ``derived_in`` is the claim that derives
    the closed form, None where the closed form is the definition.

    >>> print(FunctionRecord("h", "h(t)", "1 - t", "what is left"))
    where h(t) = 1 - t: what is left
    """

    name: str
    latex: str
    formula: str
    meaning: str
    derived_in: str | None = None

    @property
    def equation(self) -> str:
        """The function and what it is equal to, as LaTeX."""
        return f"{self.latex} = {self.formula}" if self.formula else self.latex

    def __str__(self) -> str:
        return f"where {self.equation}: {self.meaning}"


@dataclass(frozen=True)
class AssumedRecord:
    """A hypothesis in words and, where it has one, its formula in LaTeX; or why it is met.

    ``says`` may refer to letters as ``$rho``.
    """

    name: str
    says: str
    latex: str = ""
    met: bool = False

    def __str__(self) -> str:
        if self.met:
            return f"{self.name} is met: {self.says}"
        return f"assuming {self.name}: {self.says}" + (f": {self.latex}" if self.latex else "")


@dataclass(frozen=True)
class EvidenceRecord:
    """One piece of evidence; ``controls`` has the slots that each false variant changes."""

    name: str
    grade: Grade
    part: str
    role: Role
    profile: Profile
    says: str
    bridge: str | None
    controls: Mapping[str, tuple[str, ...]]
    statistical: bool
    source: str
    fingerprint: str = ""


@dataclass(frozen=True)
class ClaimRecord:
    """A claim; ``statement`` maps parts to LaTeX, ``untaken`` parts to slots without evidence.

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
    given: tuple[LetterRecord, ...]
    functions: tuple[FunctionRecord, ...]
    assumed: tuple[AssumedRecord, ...]
    said: str
    rests_on: tuple[str, ...]
    remarks: tuple[str, ...]
    untaken: Mapping[str, tuple[str, ...]]
    excused: tuple[str, ...]
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
    def parts(self) -> Mapping[str, str]:
        """The parts by name, as LaTeX."""
        return self.statement

    @property
    def declared_false(self) -> bool:
        """Whether the repository says, by a counterexample, that the statement is false."""
        return any(item.role is Role.REFUTES for item in self.evidence)

    @property
    def declared_open(self) -> bool:
        """Whether the repository says that the statement is not settled here."""
        return bool(self.remarks) or not self.evidence

    @property
    def displayed(self) -> str:
        r"""The LaTeX of the statement, its parts set apart by commas."""
        return r",\quad ".join(self.statement.values())

    @property
    def supposed(self) -> list[str]:
        """A line for each letter, each function, each hypothesis, and each one that is met."""
        return [str(one) for one in (*self.given, *self.functions, *self.assumed)]

    def stands_at(self) -> tuple[Place, ...]:
        """The places that the claim names; ClaimError where ``at`` cites another source."""
        return places(self.at)

    def _repr_html_(self) -> str:
        from theorems.engine.claims.markup import record_html  # noqa: PLC0415 - for notebooks

        return record_html(self)

    @staticmethod
    def of_claim(claim: Claim) -> ClaimRecord:
        """The record of a claim, without fingerprints."""
        from theorems.engine.claims import words  # noqa: PLC0415 - needs the letters
        from theorems.engine.claims.functions import functions  # noqa: PLC0415 - as above

        return ClaimRecord(
            id=claim.id,
            at=claim.at,
            title=claim.title,
            provenance=claim.provenance,
            of=claim.of,
            note=claim.note,
            statement={name: one.latex(claim.letters) for name, one in claim.parts.items()},
            given=tuple(words.given(claim)),
            functions=tuple(functions(claim)),
            assumed=tuple(words.assumed(claim)),
            said=" ".join(str(getattr(one, "says", one)) for one in claim.assuming),
            rests_on=claim.rests_on,
            remarks=tuple(claim.remarks),
            untaken=claim.untaken,
            excused=tuple(claim.excused),
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
                "given": tuple(LetterRecord(**one) for one in data["given"]),
                "functions": tuple(FunctionRecord(**one) for one in data["functions"]),
                "assumed": tuple(AssumedRecord(**one) for one in data["assumed"]),
                "rests_on": tuple(data["rests_on"]),
                "remarks": tuple(data["remarks"]),
                "untaken": _tuples(data["untaken"]),
                "excused": tuple(data["excused"]),
                "evidence": tuple(_from_json(one) for one in data["evidence"]),
            }
        )


def _tuples(data: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(some) for name, some in data.items()}


def _of_evidence(item: Evidence) -> EvidenceRecord:
    return EvidenceRecord(
        name=item.name,
        grade=item.grade,
        part=item.part,
        role=item.role,
        profile=item.profile,
        says=item.says,
        bridge=item.bridge,
        controls={name: tuple(changed) for name, changed in item.controls.items()},
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
        "controls": _tuples(data["controls"]),
    }
    return EvidenceRecord(**{**data, **words})
