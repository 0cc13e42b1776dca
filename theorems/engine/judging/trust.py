"""What a verdict finally stands on: the leaves of its proofs, through everything it rests on.

Proof assistants list the axioms of a theorem.  Here the leaves are definitions, SymPy derivations
and decisions, ball certificates, textbook facts, the solver, bridges in prose, sources that are
cited, searches and simulations.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from theorems.engine.claims.kinds import Answer, Grade
from theorems.engine.claims.record import ClaimRecord, EvidenceRecord
from theorems.engine.judging.judge import Judgement
from theorems.engine.judging.results import EvidenceResult

__all__ = ["Leaf", "counts", "leaves", "readings"]

_KIND_OF = {Grade.ESTIMATED: "simulation", Grade.TESTED: "search", Grade.CITED: "source"}


@dataclass(frozen=True, order=True)
class Leaf:
    """One thing that is trusted: of what kind, which, and by which claim."""

    kind: str
    name: str
    claim_id: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.name} ({self.claim_id})"


def leaves(judged: Mapping[str, Judgement]) -> dict[str, frozenset[Leaf]]:
    """For each judged claim the leaves of its evidence and of all that it rests on."""
    found: dict[str, frozenset[Leaf]] = {}

    def of(identifier: str) -> frozenset[Leaf]:
        if identifier not in found:
            one = judged[identifier]
            own = frozenset(leaf for result in _deciding(one) for leaf in _own(one.claim, *result))
            below = [of(other) for other in one.claim.rests_on if other in judged]
            found[identifier] = own.union(*below)
        return found[identifier]

    for identifier in judged:
        of(identifier)
    return found


def counts(found: Mapping[str, frozenset[Leaf]]) -> dict[str, tuple[int, int]]:
    """For each kind of leaf: how many there are, and how many claims stand on one."""
    distinct = Counter(kind for kind, _ in {(x.kind, x.name) for some in found.values() for x in some})
    standing = Counter(kind for some in found.values() for kind in {leaf.kind for leaf in some})
    return {kind: (distinct[kind], standing[kind]) for kind in sorted(standing)}


def readings(judged: Mapping[str, Judgement]) -> dict[tuple[str, str], dict[str, list[str]]]:
    """What accepted proofs take each letter of a paper for, as LaTeX, and in which claims.

    Values that differ by the names of indices are one thing, and so are the largest of some values
    and one of them. That things of different names are the same one is for a reader to see.
    """
    found: dict[tuple[str, str], dict[str, dict[str, list[str]]]] = {}
    for identifier, one in sorted(judged.items()):
        paper = identifier.partition(".")[0]
        accepted = (result for result in one.results if result.answer is Answer.ACCEPTED)
        said = [tuple(entry) for result in accepted for entry in result.outcome.numbers.get("stand for", ())]
        for letter, value, form in dict.fromkeys(said):
            things = found.setdefault((paper, letter), {})
            things.setdefault(form, {}).setdefault(value, []).append(identifier)
    return {
        place: {next(iter(one)): _all_of(one) for one in things.values()} for place, things in found.items()
    }


def _all_of(claims: Mapping[str, list[str]]) -> list[str]:
    return sorted({identifier for some in claims.values() for identifier in some})


def _deciding(one: Judgement) -> list[tuple[EvidenceRecord, EvidenceResult]]:
    """The accepted evidence that gives each part its grade."""
    results = {result.name: result for result in one.results}
    accepted = [
        (item, results[item.name])
        for item in one.claim.evidence
        if item.name in results and results[item.name].answer is Answer.ACCEPTED
    ]
    best: dict[str, Grade] = {}
    for item, result in accepted:
        shown = result.grade(item.grade)
        best[item.part] = max(shown, best.get(item.part, shown))
    return [one for one in accepted if one[1].grade(one[0].grade) is best[one[0].part]]


def _own(claim: ClaimRecord, item: EvidenceRecord, result: EvidenceResult) -> list[Leaf]:
    if item.grade in {Grade.PROVED, Grade.CERTIFIED}:
        named = result.outcome.numbers.get("trusts", ())
        return [Leaf(kind, name, claim.id) for kind, name, _ in named if kind != "claim"]
    if item.grade is Grade.ARGUED:
        return [Leaf("bridge in prose", item.bridge or item.says, claim.id)]
    return [Leaf(_KIND_OF[item.grade], item.says, claim.id)]
