"""Run checks in parallel, seeded; what was checked is not checked again until its code changes.

Every finished check is kept at once under a label that names its code, the versions of the
libraries, the profile and the seed.  A run takes from the store what is there: a command that was
interrupted goes on, and after an edit only what the edit touches is done again.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import starmap
from typing import TYPE_CHECKING

from theorems.engine.claims.kinds import Answer, Profile
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.judge import Judgement, judge
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.catalogue import Catalogue, catalogue, error_level, level_text
from theorems.engine.running.keeping import Keeper
from theorems.engine.running.sources import code_at_start, unchanged
from theorems.engine.running.standing import (
    Standing,
    result_label,
    results_file,
    standings,
    verdict_entries,
    verdicts_file,
)
from theorems.engine.running.store import Label
from theorems.engine.running.workers import WorkerDiedError, in_workers, one_by_one
from theorems.engine.telling import tell

if TYPE_CHECKING:
    from theorems.engine.claims.claim import Claim
    from theorems.engine.judging.examine import Circumstances

__all__ = ["Run", "Task", "circumstances_of", "error_level", "find_claim", "latest", "stored"]

Task = tuple[str, str]
Results = dict[Task, EvidenceResult]

#: Seconds between two writings of verdicts; they decide when one is seen, and not what it is.
_PAUSE = 3.0


@dataclass(frozen=True)
class Run:
    """A selection of claims (with all that they rest on), a profile and a seed.

    ``anew`` says that nothing is taken from the store.
    """

    claim_ids: tuple[str, ...]
    profile: Profile = Profile.QUICK
    seed: int = 0
    jobs: int = 1
    anew: bool = False
    keeper: Keeper = field(default_factory=Keeper, compare=False, repr=False)

    def labels(self, known: Catalogue) -> dict[Task, Label]:
        """The checks of the run in reading order, and under what label each is kept."""
        level = level_text(error_level(known))
        return {
            (identifier, item.name): result_label(identifier, item, self.profile, self.seed, level)
            for identifier in known.with_ancestors(self.claim_ids)
            for item in known.claims[identifier].evidence
            if self.profile.includes(item.profile)
        }

    def kept(self, known: Catalogue) -> Results:
        """The results that need not be computed, as they were with the same code before."""
        return {} if self.anew else stored(self.labels(known))

    def execute(self, on_result: Callable[[EvidenceResult, bool], None] | None = None) -> Results:
        """All results by task; ``on_result`` hears of each one, and whether it was kept.

        What is undecided, or ended its worker, is tried once more at the end with nothing beside
        it, and is not kept if it stays undecided.  Verdicts are written down as soon as all is
        known that they need.
        """
        known, sign = catalogue(), code_at_start()
        labels, results, verdicts = self.labels(known), results_file(), _Verdicts(self, known)
        self.keeper.prepare(results, verdicts_file())
        done = self.kept(known)
        for one in done.values():
            _tell(on_result, one, True)
        missing = [task for task in labels if task not in done]
        for one in self._compute(missing, error_level(known), sign):
            task = one.claim_id, one.name
            if one.is_decided:
                self.keeper.keep(results, [(labels[task], one.as_json())])
            done[task] = one
            verdicts.hear(done)
            _tell(on_result, one, False)
        self.keeper.tidy(results, verdicts_file())
        return {task: done[task] for task in labels}

    def judged(self, results: Results) -> dict[str, Judgement]:
        """The judgements of the claims of the run; those that nothing undecided is in are kept."""
        return _Verdicts(self, catalogue()).write(results, self.claim_ids)

    def _compute(self, tasks: list[Task], level: float, sign: str) -> Iterator[EvidenceResult]:
        """The results as they come; those that another try may change come last."""
        arguments = {task: (*task, self.profile.value, self.seed, level, sign) for task in tasks}
        left, again = dict.fromkeys(tasks), list[Task]()
        while left:
            batch = list(left)
            try:
                for one in in_workers(self.jobs, _examined, [arguments[task] for task in batch]):
                    task = one.claim_id, one.name
                    del left[task]
                    if one.is_decided:
                        yield one
                    else:
                        again.append(task)
            except WorkerDiedError as error:
                begun = [batch[place] for place in error.begun if batch[place] in left]
                if not begun:  # it died of something else, and another one would
                    raise
                again += begun
                left = {task: None for task in left if task not in begun}
        if again:
            tell(f"{_pieces(len(again))} undecided, or without an answer: once more, alone")
        here = self.jobs == 1 or len(tasks) < 2
        tried = starmap if here else one_by_one
        found = tried(_examined, [arguments[task] for task in again])
        for task, result in zip(again, found, strict=True):
            yield result or EvidenceResult(*task, Outcome(Answer.UNDECIDED, _ENDED))


_ENDED = "the process that examined it died, with nothing beside it as well"


def _pieces(count: int) -> str:
    return f"{count} piece{'s' * (count != 1)} of evidence {'is' if count == 1 else 'are'}"


@dataclass
class _Verdicts:
    """Judges claims as soon as all is known that their verdicts need, and writes them down.

    What is undecided is no verdict about the paper: nothing that stands on it is written.
    """

    run: Run
    known: Catalogue
    judged: dict[str, Judgement] = field(default_factory=dict)
    heard: float = field(default_factory=time.monotonic)

    def hear(self, results: Results) -> None:
        """One more result is there; it is looked at together with those of the next seconds."""
        if time.monotonic() - self.heard > _PAUSE:
            ready = self._ready(results)
            if not self.judged.keys() >= ready:
                self.write(results, ready)
            self.heard = time.monotonic()

    def write(self, results: Results, claims: Iterable[str]) -> dict[str, Judgement]:
        """The judgements of these claims and of what they rest on; new ones are written down."""
        unchanged(code_at_start())
        before = self.judged
        self.judged = judge(self.known, results, claims, before)
        shown, errors, ready = standings(self.known), self.known.errors(), self._ready(results)
        run = (self.run.profile.value, self.run.seed)
        found = {
            one: Standing.of(judged, self.known.claims[one].key, *run, errors[one])
            for one, judged in self.judged.items()
            if one in ready and one not in before
        }
        new = {one: standing for one, standing in found.items() if shown.get(one) != standing}
        self.run.keeper.keep(verdicts_file(), verdict_entries(new))
        return self.judged

    def _ready(self, results: Results) -> set[str]:
        """The claims of which all evidence is decided, here and in all that they rest on."""
        unsettled = {
            claim_id
            for claim_id, name in self._tasks
            if (claim_id, name) not in results or not results[claim_id, name].is_decided
        }
        chosen = set(self.known.with_ancestors(self.run.claim_ids))
        return chosen - self.known.standing_on(unsettled)

    @cached_property
    def _tasks(self) -> list[Task]:
        return list(self.run.labels(self.known))


def stored(labels: dict[Task, Label]) -> Results:
    """The results that are kept under these labels."""
    kept, found = results_file().read(labels.values()), Results()
    for task, label in labels.items():
        if label in kept:
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                found[task] = EvidenceResult.from_json(kept[label])
    return {task: one for task, one in found.items() if one.is_decided}


def latest(known: Catalogue) -> Results:
    """The results from which the verdicts of the last runs were computed, as far as fresh."""
    found = standings(known)
    runs: dict[tuple[str, int], list[str]] = {}
    for identifier, one in found.items():
        runs.setdefault((one.profile, one.seed), []).append(identifier)
    results = Results()
    for (profile, seed), ids in runs.items():
        results |= stored(Run(tuple(ids), Profile(profile), seed).labels(known))
    return results


def _examined(claim_id: str, name: str, profile: str, seed: int, level: float, sign: str) -> EvidenceResult:
    """Examine one piece of evidence in a worker, which loads the paper that the claim is from."""
    from theorems.engine.judging.examination import result_of  # noqa: PLC0415 - for workers
    from theorems.engine.judging.examine import Circumstances  # noqa: PLC0415

    claim = find_claim(claim_id)
    item = next(one for one in claim.evidence if one.name == name)
    result = result_of(claim, item, Circumstances(Profile(profile), seed, level, find_claim))
    _loaded_unchanged(sign, len(sys.modules))
    return result


@cache
def _loaded_unchanged(sign: str, _modules: int) -> None:
    """Ask whether files are unchanged each time when modules were loaded: later they may change."""
    unchanged(sign)


def find_claim(identifier: str) -> Claim:
    """A claim by its id; only its paper is loaded, and those that this one rests on."""
    from theorems.engine.claims import registry as registries  # noqa: PLC0415 - loads SymPy

    return registries.load(identifier.partition(".")[0])[identifier]


def circumstances_of(known: Catalogue, profile: Profile = Profile.QUICK, seed: int = 0) -> Circumstances:
    """The circumstances of a run over these claims."""
    from theorems.engine.judging.examine import Circumstances  # noqa: PLC0415 - loads SymPy

    return Circumstances(profile, seed, error_level(known), find_claim)


def _tell(
    listener: Callable[[EvidenceResult, bool], None] | None, result: EvidenceResult, kept: bool
) -> None:
    if listener is not None:
        listener(result, kept)
