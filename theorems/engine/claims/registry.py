"""Find the papers and their claims, and refuse a registry that is not well formed.

A paper is a sub-package of ``theorems`` with a ``PAPER``, or a package that somebody else names
under the entry-point group ``theorems.papers``.  Its claims are the values of type Claim in its
modules: nothing is registered by a side effect of importing.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any, cast

import theorems
from theorems.engine.claims.claim import Claim, ClaimError, Evidence, Paper, Provenance
from theorems.engine.claims.evidence import is_text
from theorems.engine.claims.place import Place, places
from theorems.engine.statements.statement import Formula

__all__ = ["Registry", "load", "paper_packages"]

GROUP = "theorems.papers"


@dataclass(frozen=True)
class Registry:
    """All claims in reading order, and the graph of what rests on what."""

    papers: tuple[Paper, ...]
    claims: Mapping[str, Claim]

    def __getitem__(self, identifier: str) -> Claim:
        """The claim of that id; an unknown id suggests the nearest ones."""
        if identifier in self.claims:
            return self.claims[identifier]
        near = difflib.get_close_matches(identifier, self.claims, n=3, cutoff=0.4)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise KeyError(f"no claim has the id {identifier!r}{hint}")

    def paper_of(self, claim: Claim) -> Paper:
        """The paper that a claim belongs to."""
        return next(paper for paper in self.papers if paper.prefix == claim.paper)

    def places(self, claim: Claim) -> tuple[Place, ...]:
        """Where a claim stands in its paper; nothing for a collection without contents.

        Raises ClaimError for what is no place of the paper.
        """
        contents = self.paper_of(claim).contents
        found = places(claim.at) if contents is not None else ()
        for one in found:
            if contents is not None:
                contents.position(one)
        return found

    def evidence(self, claim_id: str, name: str) -> Evidence:
        """One piece of evidence by name."""
        return next(item for item in self[claim_id].evidence if item.name == name)

    def with_ancestors(self, identifiers: Iterable[str]) -> list[str]:
        """The ids and all that they rest on, in reading order."""
        wanted: set[str] = set()
        stack = [self[identifier].id for identifier in identifiers]
        while stack:
            current = stack.pop()
            if current not in wanted:
                wanted.add(current)
                stack.extend(self.claims[current].rests_on)
        return [identifier for identifier in self.claims if identifier in wanted]

    def dependants(self, identifier: str) -> list[str]:
        """The ids of the claims that rest directly on this one."""
        return [other.id for other in self.claims.values() if identifier in other.rests_on]

    def about(self, identifier: str) -> list[Claim]:
        """The corrections and sharpenings of a claim."""
        return [other for other in self.claims.values() if other.of == identifier]

    def under(self, identifier: str) -> list[str]:
        """The claim and its parts: every id that extends this one by a dot."""
        below = [one for one in self.claims if one.startswith(identifier + ".")]
        return ([identifier] if identifier in self.claims else []) + below

    def in_dependency_order(self) -> list[str]:
        """Ids such that each comes after what it rests on."""
        return _in_order({one.id: one.rests_on for one in self.claims.values()})


def _in_order(graph: Mapping[str, Iterable[str]]) -> list[str]:
    return list(TopologicalSorter(graph).static_order())


@cache
def load() -> Registry:
    """The registry of every installed paper.

    Raises :class:`ClaimError` for duplicate ids, unknown or cyclic dependencies, corrections of
    claims that do not exist, and false claims without a correction.
    """
    return assemble(paper_packages())


def paper_packages() -> list[ModuleType]:
    """The packages that define ``PAPER``, ours first, then those of entry points."""
    found = []
    for info in pkgutil.iter_modules(theorems.__path__, "theorems."):
        if info.ispkg:
            package = importlib.import_module(info.name)
            if hasattr(package, "PAPER"):
                found.append(package)
    return found + [_plugged_in(entry) for entry in entry_points(group=GROUP)]


def _plugged_in(entry: EntryPoint) -> ModuleType:
    """The package that an entry point names."""
    try:
        package = entry.load()
    except (ImportError, AttributeError) as error:
        raise ClaimError(f"the entry point {entry.name} cannot be loaded: {error}") from error
    if not isinstance(getattr(package, "PAPER", None), Paper) or not hasattr(package, "__path__"):
        raise ClaimError(f"the entry point {entry.name} names no package that defines PAPER")
    return cast("ModuleType", package)


def assemble(packages: Iterable[ModuleType]) -> Registry:
    """A validated registry of the claims in the given paper packages."""
    papers: dict[str, Paper] = {}
    claims: dict[str, Claim] = {}
    borrowed: list[Claim] = []
    for package in packages:
        prefix = package.PAPER.prefix
        if papers.setdefault(prefix, package.PAPER) is not package.PAPER:
            raise ClaimError(f"two papers have the prefix {prefix}")
        for one in _claims_of(package):
            if one.paper != prefix:
                borrowed.append(one)
            elif claims.setdefault(one.id, one) is not one:
                raise ClaimError(f"two claims have the id {one.id}")
    for one in borrowed:
        if claims.get(one.id) is not one:
            raise ClaimError(f"{one.id} does not begin with the prefix of its paper")
    registry = Registry(tuple(papers.values()), claims)
    _validate(registry)
    return registry


def _claims_of(package: ModuleType) -> Iterator[Claim]:
    """The claims of a paper in the order of its sections and, inside one, of their definition."""
    seen: set[int] = set()
    for module in _chapters(package):
        for value in vars(module).values():
            for one in _members(value):
                if isinstance(one, Claim) and id(one) not in seen:
                    seen.add(id(one))
                    yield one


def _chapters(package: ModuleType) -> Iterator[ModuleType]:
    """The modules of a package in the order of its ``SECTIONS``, those of its folders included."""
    sections = getattr(package, "SECTIONS", None)
    if not isinstance(sections, tuple) or not sections or not all(map(is_text, sections)):
        raise ClaimError(f"{package.__name__} needs SECTIONS, a tuple of module names")
    for section in sections:
        module = importlib.import_module(f"{package.__name__}.{section}")
        yield from _chapters(module) if hasattr(module, "__path__") else [module]


def _members(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return tuple(value.values())
    return value if isinstance(value, tuple | list) else (value,)


def _validate(registry: Registry) -> None:
    """Raise one error that lists everything wrong with single claims, or a circle among them."""
    for look in (_unknown, _faults):
        faults = [fault for one in registry.claims.values() for fault in look(one, registry)]
        if faults:
            raise ClaimError("\n".join(faults))
    try:
        registry.in_dependency_order()
        _in_order({one.id: [one.of] if one.of else [] for one in registry.claims.values()})
    except CycleError as error:
        cycle = " -> ".join(error.args[1])
        raise ClaimError(f"claims rest on, or are about, each other in a circle: {cycle}") from None


def _unknown(one: Claim, registry: Registry) -> Iterator[str]:
    try:
        registry.places(one)
    except ClaimError as error:
        yield f"{one.id}: {error}"
    for other in (*one.rests_on, *([one.of] if one.of else [])):
        if other not in registry.claims:
            yield f"{one.id} refers to {other}, which is no claim"


def _faults(one: Claim, registry: Registry) -> Iterator[str]:
    yield from _missing_hypotheses(one, registry)
    yield from _missing_derivations(one, registry)
    if one.declared_false and not any(map(_corrects, registry.about(one.id))):
        yield f"{one.id} is declared false but nothing with evidence corrects it"
    if not one.evidence and not one.remarks:
        yield f"{one.id} has no evidence and does not say why"


def _missing_hypotheses(one: Claim, registry: Registry) -> Iterator[str]:
    """Every hypothesis of what a claim rests on is assumed, or discharged with a reason."""
    for other in one.rests_on:
        for needed in registry.claims[other].hypotheses:
            if needed not in one.hypotheses and needed not in one.discharging:
                yield (
                    f"{one.id} rests on {other}, which assumes {needed.name}: "
                    "assume it too, or say in `discharging` why it is met"
                )
    for needed, reason in one.discharging.items():
        if not reason.strip():
            yield f"{one.id} discharges {needed.name} without a reason"


def _missing_derivations(one: Claim, registry: Registry) -> Iterator[str]:
    """A function's closed form is used only by what rests on the claim that derives it."""
    formulas = [part for part in one.parts.values() if isinstance(part, Formula)]
    derived = (f.justified_by for part in formulas for f in part.functions)
    needed = {identifier for identifier in derived if identifier is not None}
    missing = sorted(needed - set(registry.with_ancestors([one.id])))
    if missing:
        yield f"{one.id} uses closed forms of {missing}, on which it does not rest"


def _corrects(other: Claim) -> bool:
    return other.provenance is Provenance.CORRECTED and bool(other.evidence)
