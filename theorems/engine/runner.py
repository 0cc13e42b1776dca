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
from importlib.metadata import version
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from theorems.engine import registry as registries
from theorems.engine.claim import Profile
from theorems.engine.examine import Trial, examine, examine_controls
from theorems.engine.judge import EvidenceResult

__all__ = ["FAMILY_WISE_ERROR", "Run", "RunInProgressError", "latest", "state_folder", "versions"]

FAMILY_WISE_ERROR = 1e-6
_LIBRARIES = ("hypothesis", "mpmath", "numpy", "python-flint", "scipy", "sympy")
Task = tuple[str, str]


class RunInProgressError(RuntimeError):
    """The same command is running already."""


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
        what = [sorted(self.claim_ids), self.profile.value, self.seed, versions(), _code()]
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
        if self.jobs == 1 or len(tasks) < 2:
            yield from (run_task(*task, self.profile.value, self.seed) for task in tasks)
            return
        parallel = Parallel(n_jobs=self.jobs, return_as="generator_unordered", batch_size=1)
        yield from parallel(delayed(run_task)(*t, self.profile.value, self.seed) for t in tasks)


def run_task(claim_id: str, name: str, profile: str, seed: int) -> EvidenceResult:
    """Examine one piece of evidence and its controls; linear algebra keeps to one thread."""
    known = registries.load()
    item = known.evidence(claim_id, name)
    trial = Trial(Profile(profile), seed, error_level(known))
    started = time.perf_counter()
    with threadpool_limits(limits=1):
        outcome = examine(known[claim_id], item, trial)
        controls = examine_controls(known[claim_id], item, trial)
    return EvidenceResult(
        claim_id,
        name,
        outcome.as_json(),
        {key: one.as_json() for key, one in controls.items()},
        time.perf_counter() - started,
    )


def error_level(known: registries.Registry) -> float:
    """The false-alarm probability of one statistical check: an equal share of the whole run's."""
    statistical = [
        item for one in known.claims.values() for item in one.evidence if "draws" in item.options
    ]
    return FAMILY_WISE_ERROR / max(1, len(statistical))


def latest() -> dict[Task, EvidenceResult]:
    """The newest finished result of every check, if the code has not changed since."""
    kept = _read_json(state_folder() / "results.json")
    if kept.get("code") != _code():
        return {}
    return {(one["claim_id"], one["name"]): EvidenceResult(**one) for one in kept["results"]}


def _tell(
    listener: Callable[[EvidenceResult, bool], None] | None, result: EvidenceResult, kept: bool
) -> None:
    if listener is not None:
        listener(result, kept)


def _code() -> str:
    """A digest of every source file that a verdict could depend on."""
    digest = hashlib.sha256()
    import numeric  # noqa: PLC0415 - only their place on disk is wanted
    import symbolic  # noqa: PLC0415
    import theorems  # noqa: PLC0415

    for package in (theorems, symbolic, numeric, *registries.paper_packages()):
        for root in package.__path__:
            for path in sorted(Path(root).rglob("*.py")):
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
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
        for line in _lines(self.path):
            with contextlib.suppress(json.JSONDecodeError, TypeError):
                one = EvidenceResult(**json.loads(line))
                found[one.claim_id, one.name] = one
        return found

    def append(self, result: EvidenceResult) -> None:
        """Keep a result for good: on disk before the next one starts."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" * self._torn() + json.dumps(asdict(result)) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _torn(self) -> bool:
        return self.path.exists() and not self.path.read_bytes().endswith((b"\n",))

    def finish(self, results: dict[Task, EvidenceResult]) -> None:
        """Merge into the latest results and forget the journal."""
        with FileLock(self.folder / "results.lock"):
            merged = {**latest(), **results}
            kept = {"code": _code(), "results": [asdict(one) for one in merged.values()]}
            _write_json(self.folder / "results.json", kept)
        self.path.unlink(missing_ok=True)


def _lines(path: Path) -> Iterable[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return content


def _write_json(path: Path, content: Any) -> None:
    """Replace a file in one step, so that a kill leaves the old one or the new one."""
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(content), encoding="utf-8")
    draft.replace(path)
