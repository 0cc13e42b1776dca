"""Run checks in parallel, seeded; what was checked is not checked again until its code changes.

Every finished check is kept at once under a label that names its code, the versions of the
libraries, the profile and the seed.  A run takes from the store what is there: a command that was
interrupted goes on, and after an edit only what the edit touches is done again.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from theorems.engine.claims import registry as registries
from theorems.engine.claims.claim import Claim
from theorems.engine.claims.kinds import Profile
from theorems.engine.claims.record import EvidenceRecord
from theorems.engine.judging.examine import Circumstances
from theorems.engine.judging.judge import Judgement, judge
from theorems.engine.judging.results import EvidenceResult
from theorems.engine.running.catalogue import Catalogue, catalogue, error_level, level_text
from theorems.engine.running.sources import code_at_start, unchanged
from theorems.engine.running.standing import Standing, keep_standings, results_file, standings
from theorems.engine.running.workers import in_workers

__all__ = ["Run", "Task", "circumstances_of", "error_level", "find_claim", "latest", "stored"]

Task = tuple[str, str]
Label = tuple[str, ...]


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

    def labels(self, known: Catalogue) -> dict[Task, Label]:
        """The checks of the run in reading order, and under what label each is kept."""
        level = error_level(known)
        return {
            (identifier, item.name): self._label(identifier, item, level)
            for identifier in known.with_ancestors(self.claim_ids)
            for item in known.claims[identifier].evidence
            if self.profile.includes(item.profile)
        }

    def _label(self, identifier: str, item: EvidenceRecord, level: float) -> Label:
        """What the result of a check depends on: claim, evidence, profile, seed, error, code."""
        error = level_text(level) if item.statistical else "-"
        run = (self.profile.value, str(self.seed))
        return (identifier, item.name, *run, error, item.fingerprint)

    def kept(self, known: Catalogue) -> dict[Task, EvidenceResult]:
        """The results that need not be computed, as they were with the same code before."""
        return {} if self.anew else stored(self.labels(known))

    def execute(
        self, on_result: Callable[[EvidenceResult, bool], None] | None = None
    ) -> dict[Task, EvidenceResult]:
        """All results by task; ``on_result`` hears of each one, and whether it was kept."""
        known, sign = catalogue(), code_at_start()
        labels, store = self.labels(known), results_file()
        store.prepare()
        done = self.kept(known)
        for one in done.values():
            _tell(on_result, one, True)
        missing = [task for task in labels if task not in done]
        for one in self._compute(missing, error_level(known), sign):
            task = one.claim_id, one.name
            store.append(labels[task], one.as_json())
            done[task] = one
            _tell(on_result, one, False)
        store.tidy()
        return {task: done[task] for task in labels}

    def judged(self, results: dict[Task, EvidenceResult]) -> dict[str, Judgement]:
        """The judgements of the claims of the run, which are written down."""
        known = catalogue()
        unchanged(code_at_start())
        found = judge(known, results, self.claim_ids)
        errors, run = known.errors(), (self.profile.value, self.seed)
        keep_standings(
            {
                one: Standing.of(judged, known.claims[one].key, *run, errors[one])
                for one, judged in found.items()
            }
        )
        return found

    def _compute(self, tasks: list[Task], level: float, sign: str) -> Iterator[EvidenceResult]:
        arguments = [(*task, self.profile.value, self.seed, level, sign) for task in tasks]
        yield from in_workers(self.jobs, _examined, arguments)


def stored(labels: dict[Task, Label]) -> dict[Task, EvidenceResult]:
    """The results that are kept under these labels."""
    kept, found = results_file().read(labels.values()), {}
    for task, label in labels.items():
        if label in kept:
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                found[task] = EvidenceResult.from_json(kept[label])
    return found


def latest(known: Catalogue) -> dict[Task, EvidenceResult]:
    """The results from which the verdicts of the last runs were computed, as far as fresh."""
    found = standings(known)
    runs: dict[tuple[str, int], list[str]] = {}
    for identifier, one in found.items():
        runs.setdefault((one.profile, one.seed), []).append(identifier)
    results: dict[Task, EvidenceResult] = {}
    for (profile, seed), ids in runs.items():
        results |= stored(Run(tuple(ids), Profile(profile), seed).labels(known))
    return results


def _examined(
    claim_id: str, name: str, profile: str, seed: int, level: float, sign: str
) -> EvidenceResult:
    """Examine one piece of evidence in a worker, which loads the paper that the claim is from."""
    from theorems.engine.judging.examination import result_of  # noqa: PLC0415 - for workers

    claim = find_claim(claim_id)
    item = next(one for one in claim.evidence if one.name == name)
    result = result_of(claim, item, Circumstances(Profile(profile), seed, level, find_claim))
    unchanged(sign)
    return result


def find_claim(identifier: str) -> Claim:
    """A claim by its id; only its paper is loaded, and those that this one rests on."""
    return registries.load(identifier.partition(".")[0])[identifier]


def circumstances_of(
    known: Catalogue, profile: Profile = Profile.QUICK, seed: int = 0
) -> Circumstances:
    """The circumstances of a run over these claims."""
    return Circumstances(profile, seed, error_level(known), find_claim)


def _tell(
    listener: Callable[[EvidenceResult, bool], None] | None, result: EvidenceResult, kept: bool
) -> None:
    if listener is not None:
        listener(result, kept)
