"""Verdicts of the last runs, each kept with the key of its claim.

A verdict is shown only if the claim has this key now: when its evidence, or anything that it
rests on, has changed since, it counts as not checked.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from theorems.engine.claims.kinds import Grade, Verdict
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.store import Store, state_folder

if TYPE_CHECKING:
    from theorems.engine.claims.record import ClaimRecord
    from theorems.engine.judging.judge import Judgement
    from theorems.engine.running.catalogue import Catalogue

__all__ = ["Standing", "keep_standings", "results_file", "results_of", "standings"]


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
        }
        return Standing(**{**data, **words})


def standings(known: Catalogue) -> dict[str, Standing]:
    """The verdicts that are fresh, by id in reading order."""
    kept, errors = _read(state_folder() / "verdicts.json"), known.errors()
    return {
        one.id: kept[one.id]
        for one in known.claims.values()
        if one.id in kept and (kept[one.id].key, kept[one.id].error) == (one.key, errors[one.id])
    }


def keep_standings(found: Mapping[str, Standing]) -> None:
    """Write verdicts down, beside those of other claims.

    What a small profile leaves open for want of evidence does not hide what a larger one found.
    """
    path = state_folder() / "verdicts.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_suffix(".lock")):
        merged = _read(path)
        for identifier, one in found.items():
            old = merged.get(identifier)
            same = old is not None and (old.key, old.error) == (one.key, one.error)
            if old is None or one.complete or not (same and old.complete):
                merged[identifier] = one
        draft = path.with_suffix(".new")
        plain = {key: one.as_json() for key, one in merged.items()}
        draft.write_text(json.dumps(plain), encoding="utf-8")
        draft.replace(path)  # a kill leaves the old ones or the new


def _read(path: Path) -> dict[str, Standing]:
    """What was written; nothing of a file that cannot be read."""
    found = {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        for identifier, one in data.items():
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                found[identifier] = Standing.from_json(one)
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}
    return found


def results_file() -> Store:
    """Where the results of all runs are kept."""
    return Store(state_folder() / "results.jsonl")


def results_of(record: ClaimRecord, standing: Standing | None) -> Iterable[EvidenceResult]:
    """The fresh results of a claim's evidence, of the run that its verdict is from."""
    if standing is None:
        return
    fresh = {item.name: item.fingerprint for item in record.evidence}
    run = (standing.profile, str(standing.seed))
    for label, data in results_file().read_about(record.id).items():
        same = label[2:4] == run and label[4] in {"-", standing.error}
        if same and fresh.get(label[1]) == label[-1]:
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                yield EvidenceResult.from_json(data)
