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
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from filelock import FileLock, Timeout
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from theorems.engine import registry as registries
from theorems.engine.answers import Answer, Grade, Outcome, brief
from theorems.engine.claim import Claim, Evidence, Profile
from theorems.engine.examine import (
    Trial,
    examine,
    examine_again,
    examine_controls,
)
from theorems.engine.judge import EvidenceResult
from theorems.engine.near import examine_near
from theorems.engine.variants import Variant

__all__ = [
    "FAMILY_WISE_ERROR",
    "CodeChangedError",
    "Run",
    "RunInProgressError",
    "latest",
    "result_of",
    "state_folder",
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


class RunInProgressError(RuntimeError):
    """The same command is running already."""


class CodeChangedError(RuntimeError):
    """A worker found other source files than the run began with."""


def state_folder() -> Path:
    """Where journals and the latest results are kept: ``$THEOREMS_STATE`` or ``.theorems``."""
    return Path(os.environ.get("THEOREMS_STATE", ".theorems"))


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
        what = [sorted(set(self.claim_ids)), self.profile.value, self.seed, versions(), _code()]
        return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:16]

    def execute(
        self, on_result: Callable[[EvidenceResult, bool], None] | None = None
    ) -> dict[Task, EvidenceResult]:
        """All results by task; ``on_result`` hears of each one, and whether it was kept."""
        tasks = self.tasks()
        with _Journal(state_folder(), self.fingerprint()) as journal:
            done = {key: one for key, one in journal.read().items() if key in set(tasks)}
            for one in done.values():
                _tell(on_result, one, True)
            missing = [task for task in tasks if task not in done]
            for one in self._compute(missing):
                journal.append(one)
                done[one.claim_id, one.name] = one
                _tell(on_result, one, False)
            results = {task: done[task] for task in tasks}
            journal.finish(results)
        return results

    def _compute(self, tasks: list[Task]) -> Iterator[EvidenceResult]:
        code = _code()
        if self.jobs == 1 or len(tasks) < 2:
            yield from (run_task(*t, self.profile.value, self.seed, code) for t in tasks)
            return
        # SymPy goes through sets in the order of hashes: every worker shall have the same one.
        # Workers inherit the environment; joblib has no other way to hand them a variable.
        os.environ.setdefault("PYTHONHASHSEED", "0")
        parallel = Parallel(n_jobs=self.jobs, return_as="generator_unordered", batch_size=1)
        calls = (delayed(run_task)(*t, self.profile.value, self.seed, code) for t in tasks)
        yield from parallel(calls)


def run_task(claim_id: str, name: str, profile: str, seed: int, code: str) -> EvidenceResult:
    """Examine one piece of evidence and its controls; linear algebra keeps to one thread."""
    known = registries.load()
    if _code() != code:
        raise CodeChangedError("the code changed during the run; give the command again")
    trial = Trial(Profile(profile), seed, error_level(known), known.__getitem__)
    return result_of(known[claim_id], known.evidence(claim_id, name), trial)


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
        found = [EvidenceResult(**one) for one in kept["results"] if kept["code"] == _code()]
    except (OSError, ValueError, TypeError, KeyError):
        return {}
    return {(one.claim_id, one.name): one for one in found}


def _tell(
    listener: Callable[[EvidenceResult, bool], None] | None, result: EvidenceResult, kept: bool
) -> None:
    if listener is not None:
        listener(result, kept)


@cache
def _code() -> str:
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


class _Journal:
    """An append-only file of results, locked for one run at a time."""

    def __init__(self, folder: Path, fingerprint: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.path = folder / f"run-{fingerprint}.jsonl"
        self.lock = FileLock(folder / f"run-{fingerprint}.lock")

    def __enter__(self) -> _Journal:
        try:
            self.lock.acquire(timeout=0)
        except Timeout:
            raise RunInProgressError("the same run is under way in another process") from None
        return self

    def __exit__(self, *_: object) -> None:
        self.lock.release()

    def read(self) -> dict[Task, EvidenceResult]:
        """What an interrupted run had finished; a line cut short by a kill is dropped."""
        found = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
                with contextlib.suppress(ValueError, TypeError):
                    one = EvidenceResult(**json.loads(line))
                    found[one.claim_id, one.name] = one
        return found

    def append(self, result: EvidenceResult) -> None:
        """Keep a result for good: on disk before the next one starts."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(
                "\n" + json.dumps(asdict(result))
            )  # on its own line, torn ones before or not
            file.flush()
            os.fsync(file.fileno())

    def finish(self, results: dict[Task, EvidenceResult]) -> None:
        """Merge into the latest results and forget the journal."""
        with FileLock(self.folder / "results.lock"):
            merged = {**latest(), **results}
            kept = {"code": _code(), "results": [asdict(one) for one in merged.values()]}
            draft = self.folder / "results.new"
            draft.write_text(json.dumps(kept), encoding="utf-8")
            draft.replace(self.folder / "results.json")  # a kill leaves the old ones or the new
        self.path.unlink(missing_ok=True)
