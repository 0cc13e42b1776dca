"""Fingerprints: a digest of exactly the code on which each piece of evidence depends.

The answer depends on the modules of the claim, of its check and of the claims that it rests on,
with all that these import; on what examines it; and on the versions of the libraries.  In all
these modules the evidence for other claims is left out, unless something else uses it.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.registry import Registry
from theorems.engine.running.parsing import Module, hashed
from theorems.engine.running.sources import Sources
from theorems.engine.running.versions import versions

__all__ = ["EXAMINERS", "JUDGES", "Fingerprints"]

#: What computes the answers of evidence, and what computes verdicts from answers.
EXAMINERS = ("theorems.engine.judging.examination",)
JUDGES = ("theorems.engine.judging.judge",)
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
        modules = {item.source.module, item.check.__module__, *EXAMINERS}
        for one in (claim, *others):
            modules |= {self._home(one), one.source.module}
        own = self._own_digest(item)
        beside = [f"{one.name} {one.grade} {one.part} {one.role.value}" for one in claim.evidence]
        return self._of(sorted(modules), claim.id, item.name, own, *beside)

    @cached_property
    def of_judging(self) -> str:
        """What verdicts depend on beside the answers."""
        return self._of(JUDGES)

    def _home(self, claim: Claim) -> str:
        return self.registry.homes.get(claim.id, claim.source.module)

    def _of(self, modules: Iterable[str], *what: str) -> str:
        closure = self.sources.closure(modules)
        said = [f"{name} {self._core(name)}" for name in sorted(closure)]
        data = self.sources.data_of(closure)
        return hashed(json.dumps(versions(), sort_keys=True), *what, *said, *data)

    def _core(self, name: str) -> str:
        if name not in self._cores:
            module = self.sources.modules[name]
            apart = self._apart.get(name, frozenset())
            said = [one.digest for one in module.statements if one.defines not in apart]
            self._cores[name] = hashed(*said)
        return self._cores[name]

    @cached_property
    def _cores(self) -> dict[str, str]:
        return {}

    @cached_property
    def _within(self) -> list[Module]:
        """All modules on which a claim of the registry or its evidence depends."""
        modules = {*EXAMINERS, *JUDGES}
        for claim in self.registry.claims.values():
            modules |= {self._home(claim), claim.source.module}
            modules |= {one for i in claim.evidence for one in (i.source.module, i.check.__module__)}
        return [self.sources.modules[one] for one in sorted(self.sources.closure(modules))]

    @cached_property
    def _apart(self) -> dict[str, frozenset[str]]:
        """For each module the names in it that no check depends on but as the evidence it is.

        These are the checks that nothing else uses, and the outlines of papers with what only
        they are made of.
        """
        apart: dict[str, set[str]] = {}
        for claim in self.registry.claims.values():
            for item in claim.evidence:
                apart.setdefault(item.check.__module__, set()).add(item.check.__name__)
        for module in self._within:
            if module.file.endswith("__init__.py"):
                apart.setdefault(module.name, set()).update(_outline(module))
        taken = self._taken_elsewhere(set(apart))
        return {
            name: frozenset(_unused(self.sources.modules[name], apart[name] - names))
            for name, names in taken.items()
        }

    def _taken_elsewhere(self, wanted: set[str]) -> dict[str, set[str]]:
        """The names that other modules take from these modules."""
        taken: dict[str, set[str]] = {name: set() for name in wanted & set(self.sources.modules)}
        for module in self._within:
            for source, names in module.imports:
                if source in taken:
                    every = self.sources.modules[source].statements if "*" in names else ()
                    taken[source] |= {*names, *(str(one.defines) for one in every)}
                whole = {source} if not names else {f"{source}.{name}" for name in names}
                for one in whole & set(taken):
                    taken[one] |= {name for said in module.statements for name in said.reads}
        return taken

    def _own_digest(self, item: Evidence) -> str:
        """The digests of the check's own function and of others of that name in its module."""
        module = self.sources.modules.get(item.check.__module__)
        found = () if module is None else module.statements
        return hashed(*(one.digest for one in found if one.defines == item.check.__name__))


def _outline(module: Module) -> set[str]:
    """The outline of a paper, and the names of which it alone is made."""
    defined = {one.defines for one in module.statements if one.defines is not None}
    found = defined & _OUTLINE
    others = {one for said in module.statements if said.defines not in found for one in said.reads}
    made_of = {one for said in module.statements if said.defines in found for one in said.reads}
    return found | (made_of & defined - others)


def _unused(module: Module, some: set[str]) -> set[str]:
    """Those of the names that no statement of the module reads, but for a paper's outline.

    Evidence that other evidence calls is used; what an outline is made of is not.
    """
    outline = _outline(module) if module.file.endswith("__init__.py") else set()
    while True:
        readers = [said for said in module.statements if said.defines not in outline & some]
        left = some - {name for said in readers for name in said.reads}
        if left == some:
            return some
        some = left
