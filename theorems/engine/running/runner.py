"""Run checks in parallel, seeded, journalled: an interrupted run resumes and repeats nothing.

Every finished check is appended to a journal whose name is a fingerprint of the code, the
library versions, the selection, the profile and the seed.  The same command finds the journal
and goes on; a finished run deletes it and leaves its results in ``results.json``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from filelock import FileLock
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from theorems.engine.claims import registry as registries
from theorems.engine.claims.claim import Claim, Evidence, Profile
from theorems.engine.judging.answers import Answer, Grade, Outcome, brief
from theorems.engine.judging.examine import (
    Trial,
    examine,
    examine_again,
    examine_controls,
)
from theorems.engine.judging.judge import EvidenceResult
from theorems.engine.judging.near import examine_near
from theorems.engine.running.journal import Journal, state_folder
from theorems.engine.statements.variants import Variant

__all__ = [
    "FAMILY_WISE_ERROR",
    "CodeChangedError",
    "Run",
    "check_code",
    "code_digest",
    "fingerprint",
    "in_workers",
    "latest",
    "result_of",
    "versions",
]

FAMILY_WISE_ERROR = 1e-6
_LIBRARIES = (
    "hypothesis",
    "knuckledragger",
    "mpmath",
    "numpy",
    "python-flint",
    "scipy",
    "sympy",
    "z3-solver",
)
Task = tuple[str, str]


class CodeChangedError(RuntimeError):
    """A worker found other source files than the run began with."""


def versions() -> dict[str, str]:
    """The versions that results depend on."""
    found = {name: version(name) for name in _LIBRARIES}
    return {"python": platform.python_version(), **found, "package": version(_PACKAGE)}


_PACKAGE = "infinite-width-theorems"


@dataclass(frozen=True)
class Run:
    """A selection of claims (with all that they rest on), a profile and a seed."""

    claim_ids: tuple[str, ...]
    profile: Profile = Profile.QUICK
    seed: int = 0
    jobs: int = 1

    def tasks(self) -> list[Task]:
        """The checks of the run in reading order."""
        known = registries.load()
        return [
            (identifier, item.name)
            for identifier in known.with_ancestors(self.claim_ids)
            for item in known.claims[identifier].evidence
            if self.profile.includes(item.profile)
        ]

    def fingerprint(self) -> str:
        """A name for exactly this computation."""
        return fingerprint(sorted(set(self.claim_ids)), self.profile.value, self.seed)

    def execute(
        self, on_result: Callable[[EvidenceResult, bool], None] | None = None
    ) -> dict[Task, EvidenceResult]:
        """All results by task; ``on_result`` hears of each one, and whether it was kept."""
        tasks = self.tasks()
        with Journal(state_folder(), f"run-{self.fingerprint()}") as journal:
            done = {key: one for key, one in _kept(journal).items() if key in set(tasks)}
            for one in done.values():
                _tell(on_result, one, True)
            missing = [task for task in tasks if task not in done]
            for one in self._compute(missing):
                journal.append(asdict(one))
                done[one.claim_id, one.name] = one
                _tell(on_result, one, False)
            results = {task: done[task] for task in tasks}
            _publish(results)
            journal.forget()
        return results

    def _compute(self, tasks: list[Task]) -> Iterator[EvidenceResult]:
        code = code_digest()
        if self.jobs == 1 or len(tasks) < 2:
            yield from (run_task(*t, self.profile.value, self.seed, code) for t in tasks)
            return
        calls = (delayed(run_task)(*t, self.profile.value, self.seed, code) for t in tasks)
        yield from in_workers(self.jobs, calls)


def fingerprint(*what: Any) -> str:
    """A name for a computation with this code and these libraries."""
    return hashlib.sha256(json.dumps([*what, versions(), code_digest()]).encode()).hexdigest()[:16]


def run_task(claim_id: str, name: str, profile: str, seed: int, code: str) -> EvidenceResult:
    """Examine one piece of evidence and its controls; linear algebra keeps to one thread."""
    check_code(code)
    known = registries.load()
    trial = Trial(Profile(profile), seed, error_level(known), known.__getitem__)
    return result_of(known[claim_id], known.evidence(claim_id, name), trial)


def in_workers(jobs: int, calls: Iterable[Any]) -> Iterator[Any]:
    """The results of delayed calls in other processes, as they come.

    SymPy goes through sets in the order of hashes: every worker shall have the same one.  Workers
    inherit the environment, as joblib has no other way to hand them a variable.
    """
    os.environ.setdefault("PYTHONHASHSEED", "0")
    yield from Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(calls)


def check_code(code: str) -> None:
    """Refuse to go on in a worker that has found other source files; CodeChangedError."""
    if code_digest() != code:
        raise CodeChangedError("the code changed during the run; give the command again")


def result_of(claim: Claim, item: Evidence, trial: Trial) -> EvidenceResult:
    """What a piece of evidence answers: to the statement, to false variants, and once more."""
    started = time.perf_counter()
    with threadpool_limits(limits=1):
        outcome = examine(claim, item, trial)
        again = time.perf_counter() - started < _BRIEF and item.grade is Grade.ARGUED
        controls = examine_controls(claim, item, trial)
        accepted = outcome.answer is Answer.ACCEPTED
        near = examine_near(claim, item, trial, outcome) if accepted else {}
        if again:
            outcome = examine_again(claim, item, trial, outcome)
    return EvidenceResult(
        claim.id,
        item.name,
        outcome.as_json(),
        {key: one.as_json() for key, one in controls.items()},
        time.perf_counter() - started,
        {what: _nearest(tried) for what, tried in near.items()},
    )


#: Arguments that take less than this many seconds are asked twice; a proof stays a proof.
_BRIEF = 0.5


def _nearest(tried: list[tuple[Variant, Outcome]]) -> dict[str, str]:
    """The most telling of several near variants of one constant: a rejected one, if there is."""
    order = [Answer.REJECTED, Answer.UNDECIDED, Answer.ACCEPTED]
    variant, outcome = min(tried, key=lambda pair: order.index(pair[1].answer))
    pinned = outcome.answer is Answer.UNDECIDED and outcome.theorem is not None
    return {
        "kind": variant.kind,
        "variant": variant.how,
        "statement": variant.statement,
        "answer": "pinned" if pinned else outcome.answer.value,
        "summary": brief(outcome.summary),
    }


def error_level(known: registries.Registry) -> float:
    """The false-alarm probability of one statistical check: an equal share of the whole run's."""
    statistical = [
        item for one in known.claims.values() for item in one.evidence if "draws" in item.options
    ]
    return FAMILY_WISE_ERROR / max(1, len(statistical))


def latest() -> dict[Task, EvidenceResult]:
    """The newest finished result of every check, if the code has not changed since."""
    try:
        kept = json.loads((state_folder() / "results.json").read_text(encoding="utf-8"))
        found = [EvidenceResult(**one) for one in kept["results"] if kept["code"] == code_digest()]
    except (OSError, ValueError, TypeError, KeyError):
        return {}
    return {(one.claim_id, one.name): one for one in found}


def _tell(
    listener: Callable[[EvidenceResult, bool], None] | None, result: EvidenceResult, kept: bool
) -> None:
    if listener is not None:
        listener(result, kept)


@cache
def code_digest() -> str:
    """A digest of every file that a verdict could depend on, as it was when first asked for."""
    packages = [import_module(name) for name in ("theorems", "symbolic", "numeric")]
    roots = {root for one in (*packages, *registries.paper_packages()) for root in one.__path__}
    digest = hashlib.sha256()
    for root in sorted(roots):
        for path in sorted(Path(root).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                name, content = str(path.relative_to(root)), path.read_bytes()
                digest.update(f"{name}:{len(content)}:".encode() + content)
    return digest.hexdigest()


def _kept(journal: Journal) -> dict[Task, EvidenceResult]:
    """What an interrupted run had finished."""
    found = {}
    for record in journal.read():
        with contextlib.suppress(TypeError):
            one = EvidenceResult(**record)
            found[one.claim_id, one.name] = one
    return found


def _publish(results: dict[Task, EvidenceResult]) -> None:
    """Merge into the latest results."""
    folder = state_folder()
    with FileLock(folder / "results.lock"):
        merged = {**latest(), **results}
        kept = {"code": code_digest(), "results": [asdict(one) for one in merged.values()]}
        draft = folder / "results.new"
        draft.write_text(json.dumps(kept), encoding="utf-8")
        draft.replace(folder / "results.json")  # a kill leaves the old ones or the new
