"""Verdicts of the last runs, each kept with the key of its claim.

A verdict is shown only if the claim has this key now, and if the answers are there from which it
was computed: when its evidence, or anything that it rests on, has changed since, it counts as not
checked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from theorems.engine.claims.kinds import Grade, Profile, Verdict
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.store import Label, Store, state_folder

if TYPE_CHECKING:
    from theorems.engine.claims.record import ClaimRecord, EvidenceRecord
    from theorems.engine.judging.judge import Judgement
    from theorems.engine.running.catalogue import Catalogue

__all__ = ["Standing", "has_results", "result_label", "results_file", "results_of"]
__all__ += ["standings", "verdict_entries", "verdicts_file"]


@dataclass(frozen=True)
class Standing:
    """What a claim came out as, at which profile and seed; see ``Judgement`` for the fields.

    ``error`` is the error level of the simulations that it stands on, if there are any.
    """

    key: str
    verdict: Verdict
    label: str
    grade: Grade | None
    tightness: float | None
    reasons: tuple[str, ...]
    problems: tuple[str, ...]
    complete: bool
    profile: str
    seed: int
    error: str = "-"

    @staticmethod
    def of(judged: Judgement, key: str, profile: str, seed: int, error: str = "-") -> Standing:
        """The standing of a claim that was judged."""
        return Standing(
            key,
            judged.verdict,
            judged.label,
            judged.grade,
            judged.tightness,
            judged.reasons,
            judged.problems,
            judged.complete,
            profile,
            seed,
            error,
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        words = {"verdict": self.verdict.name, "grade": self.grade and self.grade.name}
        return {**vars(self), **words}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Standing:
        """The value that :meth:`as_json` wrote; KeyError, TypeError or ValueError otherwise."""
        words = {
            "verdict": Verdict[data["verdict"]],
            "grade": None if data["grade"] is None else Grade[data["grade"]],
            "reasons": tuple(data["reasons"]),
            "problems": tuple(data["problems"]),
            "profile": Profile(data["profile"]).value,
        }
        return Standing(**{**data, **words})


def results_file() -> Store:
    """Where the results of all runs are kept."""
    return Store(state_folder() / "results.jsonl")


def has_results() -> bool:
    """Whether anything was ever examined here."""
    path = results_file().path
    return path.is_file() and path.stat().st_size > 0


def verdicts_file() -> Store:
    """Where the verdicts of all runs are kept."""
    return Store(state_folder() / "verdicts.jsonl")


def result_label(identifier: str, item: EvidenceRecord, profile: Profile, seed: int, level: str) -> Label:
    """What the result of a check depends on: claim, evidence, profile, seed, error, code."""
    error = level if item.statistical else "-"
    return (identifier, item.name, profile.value, str(seed), error, item.fingerprint)


#: What a verdict is computed from: all evidence, or what the profile of the run has.  What a small
#: profile leaves open for want of evidence does not hide what a larger one found.
_WHOLE, _IN_PART = "whole", "part"


def verdict_entries(found: Mapping[str, Standing]) -> Iterator[tuple[Label, Any]]:
    """Standings as the file of verdicts keeps them."""
    for identifier, one in found.items():
        extent = _WHOLE if one.complete else _IN_PART
        yield (identifier, extent, one.error, one.key), one.as_json()


def standings(known: Catalogue) -> dict[str, Standing]:
    """The verdicts that are fresh, by id in reading order."""
    errors, there = known.errors(), results_file().labels()
    labels = {
        (one.id, extent, errors[one.id], one.key): one
        for one in known.claims.values()
        for extent in (_IN_PART, _WHOLE)
    }
    kept, found = verdicts_file().read(labels), {}
    for label, record in labels.items():
        with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
            standing = Standing.from_json(kept[label])
            if there.issuperset(_answers(record, standing)):
                found[record.id] = standing
    return {identifier: found[identifier] for identifier in known.claims if identifier in found}


def results_of(record: ClaimRecord, standing: Standing | None) -> Iterable[EvidenceResult]:
    """The fresh results of a claim's evidence, of the run that its verdict is from."""
    if standing is not None:
        for data in results_file().read(_answers(record, standing)).values():
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                yield EvidenceResult.from_json(data)


def _answers(record: ClaimRecord, standing: Standing) -> list[Label]:
    """The labels of the results from which a verdict was computed."""
    profile = Profile(standing.profile)
    return [
        result_label(record.id, item, profile, standing.seed, standing.error)
        for item in record.evidence
        if profile.includes(item.profile)
    ]
