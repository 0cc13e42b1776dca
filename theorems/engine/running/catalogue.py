"""The catalogue: every claim as a record, made once for each state of the code and then read.

Lists, pages and searches need no mathematics loaded.  The catalogue of a paper is made anew when
a file changed that its claims depend on, and is kept in ``$THEOREMS_CACHE`` or the user's folder
for caches.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path

from theorems.engine.claims import papers
from theorems.engine.claims.graph import ClaimGraph
from theorems.engine.claims.paper import Paper
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.running.sources import (
    OURS,
    File,
    Module,
    Sources,
    code_at_start,
    files_now,
    hashed,
    roots,
    unchanged,
)
from theorems.engine.running.versions import versions

if TYPE_CHECKING:
    from theorems.engine.claims.claim import Claim
    from theorems.engine.claims.registry import Registry
    from theorems.engine.running.fingerprints import Fingerprints

__all__ = ["FAMILY_WISE_ERROR", "Catalogue", "cache_folder", "catalogue", "code_of", "error_level"]
__all__ += ["level_text", "records_of"]

FAMILY_WISE_ERROR = 1e-6

#: What makes records and their fingerprints, and what these are fingerprints of beside the paper.
_MAKERS = (
    "theorems.engine.running.catalogue",
    "theorems.engine.running.fingerprints",
    "theorems.engine.judging.examination",
    "theorems.engine.judging.judge",
)
_NAME = "infinite-width-theorems"
_READER = "theorems.engine.running.sources"
_DAMAGED = (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError)


@dataclass(frozen=True)
class Catalogue(ClaimGraph[ClaimRecord]):
    """The records of all claims in reading order, and why some papers cannot be used."""

    broken: Mapping[str, str]

    def paper(self, prefix: str) -> Paper:
        """The paper with a prefix; KeyError otherwise."""
        for one in self.papers:
            if one.prefix == prefix:
                return one
        known = ", ".join(one.prefix for one in self.papers) or "none"
        raise KeyError(f"no paper has the prefix {prefix!r}; there are {known}")

    def of_paper(self, prefix: str) -> list[ClaimRecord]:
        """The claims of a paper; KeyError for another prefix."""
        self.paper(prefix)
        return [one for one in self.claims.values() if one.paper == prefix]

    def errors(self) -> dict[str, str]:
        """For each claim the error level of the simulations that it stands on, if there are any."""
        simulated = [c.id for c in self.claims.values() if any(e.statistical for e in c.evidence)]
        touched, level = self.standing_on(simulated), level_text(error_level(self))
        return {one: level if one in touched else "-" for one in self.claims}


def error_level(known: Catalogue) -> float:
    """The false-alarm probability of one statistical check: a share of the whole run's.

    The share is that of as many checks as the next power of two, so that one check more does not
    change what the others say.

    >>> error_level(Catalogue((), {}, {}))
    1e-06
    """
    count = sum(item.statistical for one in known.claims.values() for item in one.evidence)
    return FAMILY_WISE_ERROR / (1 << max(0, count - 1).bit_length())


def level_text(level: float) -> str:
    """An error level as results and verdicts are labelled with it."""
    return f"{level:.3e}"


@dataclass(frozen=True)
class _Entry:
    """A paper with its records, the papers that they rest on, and what they were made of."""

    key: str
    paper: Paper
    uses: tuple[str, ...]
    records: tuple[ClaimRecord, ...]


@dataclass(frozen=True)
class _Cache:
    """The entries of papers, and why others are broken.

    ``state`` is that of all files, versions and installed papers for which this was found out.
    """

    state: str = ""
    entries: Mapping[str, _Entry] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)


def catalogue() -> Catalogue:
    """The catalogue for the code as it is now; what changed is loaded and written down again.

    Raises CodeChangedError if a paper has to be loaded and the code is not the one with which
    this process began.
    """
    sign, cache, files = code_at_start(), _read(), files_now()
    signs = [f"{one.name} {one.content}" for one in files]
    state = hashed(json.dumps([versions(), _places(*roots()), papers.installed()]), *signs)
    if cache.state != state:
        cache = _renewed(cache.entries, files, sign, state)
        _write(cache)
    claims = {one.id: one for entry in cache.entries.values() for one in entry.records}
    return Catalogue(tuple(one.paper for one in cache.entries.values()), claims, cache.broken)


def _renewed(kept: Mapping[str, _Entry], files: Sequence[File], sign: str, state: str) -> _Cache:
    """The entries of all papers, and why some are broken; only what changed is loaded."""
    sources, found = _parsed(files), papers.found_papers()
    entries: dict[str, _Entry] = {}
    broken = dict(found.broken)
    for prefix in found.packages:
        old = kept.get(prefix)
        if old is not None and old.key == _key((prefix, *old.uses), sources):
            entries[prefix] = old
        else:
            made, told = _made(prefix, sources)
            unchanged(sign)
            entries |= {} if made is None else {prefix: made}
            broken |= told
    return _Cache(state, entries, broken)


def code_of(*modules: str) -> str:
    """A digest of what these modules do: of their code and of all that they import, but no prose.

    Computations that are no evidence, such as those of figures, are kept under it.
    """
    sign, sources = code_at_start(), _parsed(files_now())
    unchanged(sign)
    closure = sorted(sources.closure(modules))
    said = (one.digest for name in closure for one in sources.modules[name].statements)
    return hashed(json.dumps(versions()), *closure, *said, *sources.data_of(closure))


def _reader() -> str:
    """What parses modules: its own source, and Python."""
    file = roots()["theorems"].joinpath(*_READER.split(".")[1:]).with_suffix(".py")
    return hashed(file.read_text(encoding="utf-8"), versions()["python"])


def _key(prefixes: Iterable[str], sources: Sources) -> str:
    """A digest of all on which the records of these papers depend, prose and places included."""
    packages, modules = papers.found_papers().packages, set(_MAKERS)
    for prefix in prefixes:
        name = packages[prefix].__name__ if prefix in packages else prefix
        modules |= {one for one in sources.modules if one == name or one.startswith(f"{name}.")}
    closure = sorted(sources.closure(modules))
    said = [f"{one} {sources.modules[one].content}" for one in closure]
    places = _places(*(one.partition(".")[0] for one in closure))
    return hashed(json.dumps([versions(), places]), *said, *sources.data_of(closure))


def _places(*names: str) -> list[str]:
    """Where these packages are: a record names its file."""
    return sorted(f"{name} {folder}" for name, folder in roots().items() if name in names)


def _made(prefix: str, sources: Sources) -> tuple[_Entry | None, Mapping[str, str]]:
    """The entry of a paper, which is loaded for it, and why it or another one is broken."""
    from theorems.engine.claims.registry import load  # noqa: PLC0415 - loads the mathematics

    registry = load(prefix)
    prefixes = [one.prefix for one in registry.papers]
    if prefix not in prefixes:
        return None, registry.broken
    try:
        found = records_of(registry, sources)
    except Exception as error:
        name = papers.found_papers().packages[prefix].__name__
        return None, {**registry.broken, name: papers.reason(error)}
    own = tuple(one for one in found.values() if one.paper == prefix)
    uses = tuple(one for one in prefixes if one != prefix)
    paper = next(one for one in registry.papers if one.prefix == prefix)
    return _Entry(_key((prefix, *uses), sources), paper, uses, own), registry.broken


def records_of(registry: Registry, sources: Sources) -> dict[str, ClaimRecord]:
    """The records of the claims of a registry, in reading order, with their fingerprints."""
    from theorems.engine.running.fingerprints import Fingerprints  # noqa: PLC0415 - loads SymPy

    prints = Fingerprints(registry, sources)
    found: dict[str, ClaimRecord] = {}
    for identifier in registry.in_dependency_order():
        found[identifier] = _record(registry.claims[identifier], registry, prints, found)
    return {identifier: found[identifier] for identifier in registry.claims}


def _record(
    claim: Claim, registry: Registry, prints: Fingerprints, known: Mapping[str, ClaimRecord]
) -> ClaimRecord:
    """A claim's record with its fingerprints; those that it rests on are known already."""
    plain, own = ClaimRecord.of_claim(claim), prints.of_claim(claim)
    signs = [prints.of_evidence(claim, item) for item in claim.evidence]
    pairs = zip(plain.evidence, signs, strict=True)
    evidence = tuple(replace(one, fingerprint=sign) for one, sign in pairs)
    about = [f"{one.id} {one.provenance.name}" for one in registry.about(claim.id)]
    below = [known[other].key for other in claim.rests_on]
    key = hashed(prints.of_judging, own, *signs, *claim.remarks, "", *about, "", *below)
    return replace(plain, evidence=evidence, fingerprint=own, key=key)


def cache_folder() -> Path:
    """The folder that is given, or one of this installation's own among the user's caches."""
    given = os.environ.get("THEOREMS_CACHE")
    return Path(given) if given else user_cache_path(_NAME) / hashed(*_places(*OURS))[:16]


def _read() -> _Cache:
    """What was written, or nothing if it cannot be read."""
    try:
        data = _kept("catalogue.json")
        entries = {name: _entry(one) for name, one in data["entries"].items()}
        return _Cache(data["state"], entries, dict(data["broken"]))
    except _DAMAGED:
        return _Cache()


def _entry(data: Mapping[str, Any]) -> _Entry:
    records = tuple(ClaimRecord.from_json(one) for one in data["records"])
    return _Entry(data["key"], Paper.from_json(data["paper"]), tuple(data["uses"]), records)


def _write(cache: _Cache) -> None:
    entries = {
        name: {
            "key": one.key,
            "paper": one.paper.as_json(),
            "uses": list(one.uses),
            "records": [record.as_json() for record in one.records],
        }
        for name, one in cache.entries.items()
    }
    data = {"state": cache.state, "entries": entries, "broken": dict(cache.broken)}
    _keep("catalogue.json", data)


def _parsed(files: Sequence[File]) -> Sources:
    """The sources; what was parsed before is read, and written down again if there is more."""
    reader, known = _reader(), []
    try:
        data = _kept("modules.json")
        if data["reader"] == reader:
            known = [Module.from_json(one) for one in data["modules"]]
    except _DAMAGED:
        known = []
    sources = Sources.read(known, files)
    if set(sources.modules.values()) != set(known):
        modules = [one.as_json() for one in sources.modules.values()]
        _keep("modules.json", {"reader": reader, "modules": modules})
    return sources


def _kept(name: str) -> Any:
    """What was written; ValueError if the file is not as it was written."""
    checksum, _, text = (cache_folder() / name).read_text(encoding="utf-8").partition("\n")
    if checksum != hashed(text):
        raise ValueError(f"{name} is damaged")
    return json.loads(text)


def _keep(name: str, data: Any) -> None:
    """Write for the next command, which makes it anew where nothing can be written."""
    text = json.dumps(data)
    with contextlib.suppress(OSError):
        cache_folder().mkdir(parents=True, exist_ok=True)
        draft = cache_folder() / f"{name}.{os.getpid()}"
        draft.write_text(f"{hashed(text)}\n{text}", encoding="utf-8")
        draft.replace(cache_folder() / name)
