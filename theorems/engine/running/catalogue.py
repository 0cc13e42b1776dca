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
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_cache_path

from theorems.engine.claims import papers
from theorems.engine.claims.graph import ClaimGraph
from theorems.engine.claims.paper import Paper
from theorems.engine.claims.record import ClaimRecord
from theorems.engine.running.parsing import hashed
from theorems.engine.running.sources import (
    OURS,
    File,
    Modules,
    Sources,
    code_at_start,
    files_now,
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
_READER = "theorems.engine.running.parsing"
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
    ``left`` are the papers that were not looked at in this state: their entries may be old.
    """

    state: str = ""
    entries: Mapping[str, _Entry] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)
    left: tuple[str, ...] = ()


def catalogue(about: str | None = None) -> Catalogue:
    """The catalogue for the code as it is now; what changed is loaded and written down again.

    With the id of a claim only some papers need be in it: the claim's own, those on which this
    one rests, and those whose files name the claim or the package that it is from.

    Raises CodeChangedError if a paper has to be loaded and the code is not the one with which
    this process began.
    """
    sign, cache, files = code_at_start(), _read(), files_now()
    signs = [f"{one.name} {one.content}" for one in files]
    state = hashed(json.dumps([versions(), _places(*roots()), papers.installed()]), *signs)
    if cache.state != state:
        found = papers.found_papers()
        cache = _Cache(state, cache.entries, found.broken, tuple(found.packages))
    wanted = list(cache.left) if about is None else _named_in(about, cache.left, files)
    if wanted:
        cache = _renewed(cache, wanted, files, sign)
        _write(cache)
    entries = [one for prefix, one in cache.entries.items() if prefix not in cache.left]
    claims = {one.id: one for entry in entries for one in entry.records}
    return Catalogue(tuple(one.paper for one in entries), claims, cache.broken)


def _named_in(identifier: str, prefixes: Iterable[str], files: Sequence[File]) -> list[str]:
    """Those of the papers that a claim is of, or that may rest on it or be about it."""
    packages, own = papers.found_papers().packages, identifier.partition(".")[0]
    names = [identifier.encode()]
    names += [packages[own].__name__.encode()] if own in packages else []
    folders = {one: packages[one].__name__.replace(".", "/") + "/" for one in prefixes}
    naming = [one.name for one in files if any(name in one.text() for name in names)]
    return [
        prefix
        for prefix, folder in folders.items()
        if prefix == own or any(one.startswith(folder) for one in naming)
    ]


def _renewed(cache: _Cache, wanted: list[str], files: Sequence[File], sign: str) -> _Cache:
    """The same with these papers looked at, and those that they rest on; what changed is loaded."""
    sources, order = _parsed(files), papers.found_papers().packages
    entries, broken, left = dict(cache.entries), dict(cache.broken), dict.fromkeys(cache.left)
    while wanted:
        prefix = wanted.pop(0)
        del left[prefix]
        old = entries.get(prefix)
        if old is None or old.key != _key((prefix, *old.uses), sources):
            entries.pop(prefix, None)
            made, told = _made(prefix, sources)
            unchanged(sign)
            entries |= {} if made is None else {prefix: made}
            broken |= told
        uses = entries[prefix].uses if prefix in entries else ()
        wanted += [one for one in uses if one in left and one not in wanted]
    _keep_parsed(sources)
    in_order = {one: entries[one] for one in order if one in entries}
    return _Cache(cache.state, in_order, broken, tuple(left))


def code_of(*modules: str) -> str:
    """A digest of what these modules do: of their code and of all that they import, but no prose.

    Computations that are no evidence, such as those of figures, are kept under it.
    """
    sign = code_at_start()
    sources = _parsed_at(sign)
    unchanged(sign)
    closure = sorted(sources.closure(modules))
    said = [one.digest for name in closure for one in sources.modules[name].statements]
    _keep_parsed(sources)
    return hashed(json.dumps(versions()), *closure, *said, *sources.data_of(closure))


@lru_cache(maxsize=1)
def _parsed_at(_sign: str) -> Sources:
    """The sources, read once for each state of the code."""
    return _parsed(files_now())


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
        own = tuple(records_of(registry, sources, prefix).values())
    except Exception as error:
        name = papers.found_papers().packages[prefix].__name__
        return None, {**registry.broken, name: papers.reason(error)}
    uses = tuple(one for one in prefixes if one != prefix)
    paper = next(one for one in registry.papers if one.prefix == prefix)
    return _Entry(_key((prefix, *uses), sources), paper, uses, own), registry.broken


def records_of(registry: Registry, sources: Sources, prefix: str | None = None) -> dict[str, ClaimRecord]:
    """The records of all claims, or of one paper's, in reading order, with their fingerprints."""
    from theorems.engine.running.fingerprints import Fingerprints  # noqa: PLC0415 - loads SymPy

    prints = Fingerprints(registry, sources)
    keys: dict[str, str] = {}
    for identifier in registry.in_dependency_order():
        keys[identifier] = _key_of(registry.claims[identifier], registry, prints, keys)
    chosen = [one for one in registry.claims.values() if prefix in {None, one.paper}]
    return {one.id: _record(one, prints, keys[one.id]) for one in chosen}


def _key_of(claim: Claim, registry: Registry, prints: Fingerprints, known: Mapping[str, str]) -> str:
    """The key of a claim; those of the claims that it rests on are known already."""
    own = prints.of_claim(claim)
    signs = [prints.of_evidence(claim, item) for item in claim.evidence]
    about = [f"{one.id} {one.provenance.name}" for one in registry.about(claim.id)]
    below = [known[other] for other in claim.rests_on]
    return hashed(prints.of_judging, own, *signs, *claim.remarks, "", *about, "", *below)


def _record(claim: Claim, prints: Fingerprints, key: str) -> ClaimRecord:
    """A claim's record with its fingerprints and its key."""
    plain = ClaimRecord.of_claim(claim)
    signs = [prints.of_evidence(claim, item) for item in claim.evidence]
    pairs = zip(plain.evidence, signs, strict=True)
    evidence = tuple(replace(one, fingerprint=sign) for one, sign in pairs)
    return replace(plain, evidence=evidence, fingerprint=prints.of_claim(claim), key=key)


def cache_folder() -> Path:
    """The folder that is given, or one of this installation's own among the user's caches."""
    given = os.environ.get("THEOREMS_CACHE")
    return Path(given) if given else user_cache_path(_NAME) / hashed(*_places(*OURS))[:16]


def _read() -> _Cache:
    """What was written, or nothing if it cannot be read."""
    try:
        data = _kept("catalogue.json")
        entries = {name: _entry(one) for name, one in data["entries"].items()}
        return _Cache(data["state"], entries, dict(data["broken"]), tuple(data["left"]))
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
    data["left"] = list(cache.left)
    _keep("catalogue.json", data)


def _parsed(files: Sequence[File]) -> Sources:
    """The sources; what was parsed before is not parsed again."""
    known = []
    try:
        data = _kept("modules.json")
        if data["reader"] == _reader():
            known = list(data["modules"])
        return Sources.read(known, files)
    except _DAMAGED:
        return Sources.read((), files)


def _keep_parsed(sources: Sources) -> None:
    """Write down what was parsed, for the next command."""
    modules = sources.modules
    if isinstance(modules, Modules) and modules.news:
        _keep("modules.json", {"reader": _reader(), "modules": modules.as_json()})


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
