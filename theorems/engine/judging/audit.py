"""Change statements one thing at a time, run the evidence, and see which changes go unnoticed.

A change is *noticed* if the strongest evidence of the part no longer accepts it, or if any piece
of evidence rejects it.  A change that goes unnoticed is excused where it is true as well: the
evidence proves it too, a sharpened claim does, or the record says by which claim.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.kinds import Answer, Grade, Provenance, Role
from theorems.engine.claims.registry import Registry
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.examine import Circumstances, granted
from theorems.engine.judging.limits import guarded
from theorems.engine.judging.near import Rerun, examine_briefly
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.variants import Variant, all_variants

__all__ = ["Finding", "audit", "summary"]

#: What the hardest questions of proofs need; a claim on a wider domain is seldom worth more.
_EFFORT = 300_000
_UNSEEN = "nothing looks at it"
_EXACT = {Grade.PROVED, Grade.CERTIFIED}


@dataclass(frozen=True)
class Finding:
    """What became of one variant of a claim."""

    claim_id: str
    variant: Variant
    noticed: bool
    why: str
    excuse: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "id": self.claim_id,
            "part": self.variant.part,
            "kind": self.variant.kind,
            "change": self.variant.name,
            "statement": self.variant.statement,
            "noticed": self.noticed,
            "why": self.why,
            "excuse": self.excuse,
        }


def audit(claim: Claim, registry: Registry, circumstances: Circumstances) -> Iterator[Finding]:
    """Every variant of a claim, with what its evidence says of it."""
    if claim.declared_false or claim.declared_open:
        return
    runs = {item.name: Rerun(claim, item, circumstances) for item in claim.evidence}
    for variant in all_variants(claim):
        if _only_cited(claim, variant):
            continue
        noticed, why = _judged(claim, variant, circumstances, runs)
        excuse = None if noticed else _excuse(claim, variant, registry, why)
        yield Finding(claim.id, variant, noticed, why, excuse)


def _judged(
    claim: Claim, variant: Variant, circumstances: Circumstances, runs: Mapping[str, Rerun]
) -> tuple[bool, str]:
    """Whether some part that the variant touches loses its strongest evidence."""
    accepted: dict[str, str] = {}
    proved: dict[str, str] = {}
    for part in _touched(claim, variant):
        items = sorted(_supporting(claim, part), key=lambda item: -item.grade)
        best = items[0].grade if items else Grade.CITED
        for item in items:
            outcome = _outcome(variant, item, circumstances, runs[item.name])
            if outcome is None:
                continue
            lost = item.grade is best and outcome.answer is not Answer.ACCEPTED
            if lost or outcome.answer is Answer.REJECTED:
                return True, f"{item.name}: {outcome.answer.value}, {outcome.summary}"
            (proved if item.grade in _EXACT else accepted)[part] = item.name
    if set(proved) == set(_touched(claim, variant)):
        return False, f"{', '.join(proved.values())} proves it as well"
    found = {**proved, **accepted}
    return False, f"{', '.join(found.values())} accepts it as well" if found else _UNSEEN


def _outcome(variant: Variant, item: Evidence, circumstances: Circumstances, run: Rerun) -> Outcome | None:
    """The answer of one piece of evidence, or None if it is not handed what was changed."""
    if item.grade is Grade.CITED:
        return None
    if variant.kind in {"domain", "hypothesis", "part"}:
        costly = item.grade in {Grade.TESTED, Grade.ESTIMATED}
        if costly and not _formula(variant.claim, item):
            return guarded(
                lambda: _if_granted(variant.claim, item, circumstances), circumstances.profile.effort
            )
        return examine_briefly(variant.claim, item, circumstances, _EFFORT)
    return run.outcome(variant) if run.concerns(variant) else None


def _if_granted(claim: Claim, item: Evidence, circumstances: Circumstances) -> Outcome:
    """Samples about a sentence come out as before, if the claim has what they are made for."""
    granted(claim, item, circumstances)
    return Outcome(Answer.ACCEPTED, "the same samples")


def _formula(claim: Claim, item: Evidence) -> bool:
    return isinstance(claim.parts.get(item.part), Formula)


def _only_cited(claim: Claim, variant: Variant) -> bool:
    """Whether nothing is said to hold of what changes: it is quoted, and no more."""
    items = [item for part in _touched(claim, variant) for item in _supporting(claim, part)]
    return bool(items) and all(item.grade is Grade.CITED for item in items)


def _supporting(claim: Claim, part: str) -> list[Evidence]:
    return [e for e in claim.evidence if e.part == part and e.role is Role.SUPPORTS]


def _touched(claim: Claim, variant: Variant) -> list[str]:
    """The parts whose evidence could notice the variant."""
    return list(claim.parts) if variant.part is None else [variant.part]


def _excuse(claim: Claim, variant: Variant, registry: Registry, why: str) -> str | None:
    for key in (variant.name, variant.what):
        if key in claim.excused:
            return claim.excused[key]
    if "proves it as well" in why:
        return f"true as well: {why}"
    sharper = [o.id for o in registry.about(claim.id) if o.provenance is Provenance.SHARPENED]
    if sharper and variant.kind in {"constant", "integer", "exponent", "relation"}:
        return f"true as well, by {sharper[0]}"
    return None


def summary(findings: list[dict[str, Any]]) -> dict[str, Any]:
    """Counts of variants noticed, excused and neither, in all and by kind of change."""
    kinds = sorted({one["kind"] for one in findings})
    return {"all": _counts(findings)} | {
        kind: _counts([one for one in findings if one["kind"] == kind]) for kind in kinds
    }


def _counts(findings: list[dict[str, Any]]) -> dict[str, int]:
    noticed = sum(one["noticed"] for one in findings)
    excused = sum(one["excuse"] is not None for one in findings)
    rest = len(findings) - noticed - excused
    return {"variants": len(findings), "noticed": noticed, "excused": excused, "neither": rest}
