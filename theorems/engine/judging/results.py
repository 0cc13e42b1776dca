"""The result of one piece of evidence: its outcome, controls and near variants, as JSON too.

Results are values of these types until they are written, and again after they are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from theorems.engine.claims.kinds import Answer, Grade
from theorems.engine.errors import OUT_OF_TIME
from theorems.engine.judging.answers import Outcome, brief

__all__ = ["EvidenceResult", "Near"]


@dataclass(frozen=True)
class Near:
    """The most informative near variant of one constant, and what the evidence said of it.

    ``pinned`` says that the proof ends in the printed constant: it does not decide the variant.
    """

    kind: str
    variant: str
    statement: str
    answer: Answer
    summary: str
    pinned: bool = False

    @property
    def said(self) -> str:
        """The answer in a word."""
        return "pinned" if self.pinned else self.answer.value

    def as_json(self) -> dict[str, str]:
        """Plain data."""
        words = {name: getattr(self, name) for name in ("kind", "variant", "statement")}
        return {**words, "answer": self.said, "summary": brief(self.summary)}

    @staticmethod
    def from_json(data: Mapping[str, str]) -> Near:
        """The value that :meth:`as_json` wrote; KeyError, TypeError or ValueError otherwise."""
        pinned = data["answer"] == "pinned"
        answer = Answer.UNDECIDED if pinned else Answer(data["answer"])
        words = (data["kind"], data["variant"], data["statement"])
        return Near(*words, answer, data["summary"], pinned)


@dataclass(frozen=True)
class EvidenceResult:
    """What one piece of evidence answered, and what its controls and near variants answered.

    ``derivations`` are the LaTeX of those that its proof goes through.
    """

    claim_id: str
    name: str
    outcome: Outcome
    controls: Mapping[str, Outcome] = field(default_factory=dict)
    seconds: float = 0.0
    near: Mapping[str, Near] = field(default_factory=dict)
    derivations: tuple[str, ...] = ()

    @property
    def answer(self) -> Answer:
        """The answer of the check itself."""
        return self.outcome.answer

    def grade(self, declared: Grade) -> Grade:
        """The grade of what it shows: argued, whatever was declared, if a leaf is in words."""
        in_words = self.outcome.numbers.get("grade") == str(Grade.ARGUED)
        return min(declared, Grade.ARGUED) if in_words else declared

    @property
    def is_decided(self) -> bool:
        """Whether this may be kept: the check and its controls were answered, none out of time.

        Another run may decide what is undecided, a larger bound or a quieter machine for example.
        """
        found = [self.outcome, *self.controls.values()]
        timed_out = any(OUT_OF_TIME in one.summary for one in self.near.values())
        return not timed_out and all(one.answer is not Answer.UNDECIDED for one in found)

    @property
    def accepted_controls(self) -> list[str]:
        """The false variants that the check failed to reject, undecided ones included."""
        found = self.controls.items()
        return [name for name, one in found if one.answer is not Answer.REJECTED]

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "claim_id": self.claim_id,
            "name": self.name,
            "outcome": self.outcome.as_json(),
            "controls": {name: one.as_json() for name, one in self.controls.items()},
            "seconds": self.seconds,
            "near": {what: one.as_json() for what, one in self.near.items()},
            "derivations": list(self.derivations),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> EvidenceResult:
        """The value that :meth:`as_json` wrote; KeyError, TypeError or ValueError otherwise."""
        return EvidenceResult(
            claim_id=data["claim_id"],
            name=data["name"],
            outcome=Outcome.from_json(data["outcome"]),
            controls={name: Outcome.from_json(one) for name, one in dict(data["controls"]).items()},
            seconds=float(data["seconds"]),
            near={what: Near.from_json(one) for what, one in dict(data["near"]).items()},
            derivations=tuple(map(str, data["derivations"])),
        )
