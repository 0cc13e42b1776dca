"""A name for exactly the code that an answer depends on, for each piece of evidence.

The answer depends on the modules of the claim, of its check and of the claims that it rests on,
with all that these import; on what examines it; and on the versions of the libraries.  In all
these modules the evidence for other claims is left out, unless something else uses it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.registry import Registry
from theorems.engine.running.sources import Module, Sources, hashed
from theorems.engine.running.versions import versions

__all__ = ["Fingerprints"]

_EXAMINERS = ("theorems.engine.judging.examination",)
#: What packages of papers say of the paper, and no check looks at.
_OUTLINE = frozenset({"PAPER", "SECTIONS"})


@dataclass
class Fingerprints:
    """The fingerprints of the claims of a registry and of their evidence."""

    registry: Registry
    sources: Sources

    def of_claim(self, claim: Claim) -> str:
        """What the record of a claim depends on, apart from its evidence."""
        return self._of([self._home(claim), claim.source.module], claim.id)

    def of_evidence(self, claim: Claim, item: Evidence) -> str:
        """What the answer of a piece of evidence depends on."""
        others = [self.registry.claims[one] for one in claim.rests_on]
        modules = {item.source.module, item.check.__module__, *_EXAMINERS}
        for one in (claim, *others):
            modules |= {self._home(one), one.source.module}
        own = self._own_digest(item)
        beside = [f"{one.name} {one.grade} {one.part} {one.role.value}" for one in claim.evidence]
        return self._of(sorted(modules), claim.id, item.name, own, *beside)

    def _home(self, claim: Claim) -> str:
        return self.registry.homes.get(claim.id, claim.source.module)

    def _of(self, modules: Iterable[str], *what: str) -> str:
        closure = self.sources.closure(modules)
        said = [f"{name} {self._core(name)}" for name in sorted(closure)]
        data = self.sources.data
        folders = {name.rpartition(".")[0] for name in closure} | closure
        kept = [f"{name} {data[name]}" for name in sorted(folders & set(data))]
        return hashed(json.dumps(versions(), sort_keys=True), *what, *said, *kept)

    def _core(self, name: str) -> str:
        if name not in self._cores:
            module = self.sources.modules[name]
            apart = self._apart.get(name, frozenset()) | _OUTLINE
            said = [one.digest for one in module.statements if one.defines not in apart]
            self._cores[name] = hashed(*said)
        return self._cores[name]

    @cached_property
    def _cores(self) -> dict[str, str]:
        return {}

    @cached_property
    def _apart(self) -> dict[str, frozenset[str]]:
        """For each module the names of the checks in it that nothing else uses."""
        checks: dict[str, set[str]] = {}
        for claim in self.registry.claims.values():
            for item in claim.evidence:
                checks.setdefault(item.check.__module__, set()).add(item.check.__name__)
        taken = self._taken_elsewhere(set(checks))
        return {
            name: frozenset(some - taken[name] - _used_inside(self.sources.modules[name], some))
            for name, some in checks.items()
            if name in self.sources.modules
        }

    def _taken_elsewhere(self, wanted: set[str]) -> dict[str, set[str]]:
        """The names that other modules take from these modules."""
        taken: dict[str, set[str]] = {name: set() for name in wanted}
        for module in self.sources.modules.values():
            for source, names in module.imports:
                if source in taken and names:
                    taken[source] |= set(names)
                whole = {source} if not names else {f"{source}.{name}" for name in names}
                for one in whole & wanted:
                    taken[one] |= {name for said in module.statements for name in said.reads}
        return taken

    def _own_digest(self, item: Evidence) -> str:
        """The digests of the check's own function and of others of that name in its module."""
        module = self.sources.modules.get(item.check.__module__)
        found = () if module is None else module.statements
        return hashed(*(one.digest for one in found if one.defines == item.check.__name__))


def _used_inside(module: Module, checks: set[str]) -> set[str]:
    """The checks that some statement of their own module reads."""
    return {name for said in module.statements for name in said.reads} & checks
