"""The claims of the papers that are loaded, and a refusal of what is not well formed.

A paper's claims are the values of type Claim in its modules: nothing is registered by a side
effect of importing.  A paper that cannot be loaded is set aside with the reason, and so are those
that rest on it; the others go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cache, partial
from graphlib import CycleError, TopologicalSorter
from types import ModuleType

from theorems.engine.claims import papers
from theorems.engine.claims.claim import Claim
from theorems.engine.claims.evidence import Evidence
from theorems.engine.claims.graph import ClaimGraph
from theorems.engine.claims.kinds import Provenance
from theorems.engine.claims.paper import Paper
from theorems.engine.claims.papers import chapters, members, reason
from theorems.engine.claims.place import Place, places
from theorems.engine.errors import ClaimError, need
from theorems.engine.statements.statement import Formula

__all__ = ["Registry", "assemble", "load"]


@dataclass(frozen=True)
class Registry(ClaimGraph[Claim]):
    """Claims in reading order, and the graph of what rests on what.

    ``homes`` says in which module a claim was found; ``broken`` says of each paper that cannot be
    used why not.
    """

    homes: Mapping[str, str] = field(default_factory=dict)
    broken: Mapping[str, str] = field(default_factory=dict)

    def paper_of(self, claim: Claim) -> Paper:
        """The paper that a claim belongs to."""
        return next(paper for paper in self.papers if paper.prefix == claim.paper)

    def places(self, claim: Claim) -> tuple[Place, ...]:
        """Where a claim stands in its paper; nothing for a collection without contents.

        Raises ClaimError for what is no place of the paper.
        """
        contents = self.paper_of(claim).contents
        if contents is None:
            return ()
        found = places(claim.at)
        for one in found:
            contents.position(one)
        return found

    def evidence(self, claim_id: str, name: str) -> Evidence:
        """One piece of evidence by name."""
        return next(item for item in self[claim_id].evidence if item.name == name)


def _in_order(graph: Mapping[str, Iterable[str]]) -> list[str]:
    return list(TopologicalSorter(graph).static_order())


@cache
def load(prefix: str | None = None) -> Registry:
    """The registry of every paper, or of one with those that its claims rest on."""
    known = papers.found_papers()
    if prefix is None:
        return assemble(known.packages.values(), known.broken)
    wanted, first = {prefix}, dict[str, str]()
    while True:
        chosen = [one for name, one in known.packages.items() if name in wanted]
        claims = [one for package in chosen for one in _claims_of(package, first)]
        ids = [identifier for one in claims for identifier in (one.id, *one.rests_on)]
        needed = wanted.union(identifier.partition(".")[0] for identifier in ids)
        if needed == wanted:
            found = assemble(chosen, known.broken)
            told = {name: first.get(name, why) for name, why in found.broken.items()}
            return replace(found, broken=told)
        wanted = needed


def assemble(packages: Iterable[ModuleType], broken: Mapping[str, str] | None = None) -> Registry:
    """The claims of paper packages that are well formed; the others are set aside, with reasons.

    Set aside are papers that cannot be loaded, that have faults (duplicate ids, unknown or cyclic
    dependencies, corrections of claims that do not exist, false claims without a correction), and
    papers with claims that rest on such a paper's.
    """
    loaded: dict[str, _Loaded] = {}
    faults, aside = dict(broken or {}), set[str]()
    for package in dict.fromkeys(packages):
        prefix = package.PAPER.prefix
        try:
            need(prefix not in loaded, f"two papers have the prefix {prefix}")
            loaded[prefix] = _paper(package)
        except Exception as error:
            faults[package.__name__] = reason(error)
            aside |= {prefix} - set(loaded)
    while True:
        registry = _together(loaded.values(), faults)
        found = _strangers(loaded, registry, aside) or _validate(registry, aside)
        if not found:
            return registry
        aside.update(found)
        for prefix, told in found.items():
            faults[loaded.pop(prefix).package] = "; ".join(told)


def _strangers(loaded: Mapping[str, _Loaded], registry: Registry, aside: Set[str]) -> dict[str, list[str]]:
    """Claims in a paper's modules that are neither its own nor another paper's."""
    found: dict[str, list[str]] = {}
    for prefix, paper in loaded.items():
        for one in paper.borrowed:
            if registry.claims.get(one.id) is not one:
                lost = "is of a paper that cannot be used"
                told = lost if one.paper in aside else "does not begin with the prefix of its paper"
                found.setdefault(prefix, []).append(f"{one.id} {told}")
    return found


@dataclass(frozen=True)
class _Loaded:
    """A paper with its claims, and the modules in which they were found."""

    package: str
    paper: Paper
    claims: Mapping[str, Claim]
    homes: Mapping[str, str]
    borrowed: tuple[Claim, ...]


def _together(some: Iterable[_Loaded], broken: Mapping[str, str]) -> Registry:
    several = list(some)
    claims = {key: one for loaded in several for key, one in loaded.claims.items()}
    homes = {key: home for loaded in several for key, home in loaded.homes.items()}
    return Registry(tuple(one.paper for one in several), claims, homes, dict(broken))


def _paper(package: ModuleType) -> _Loaded:
    """A paper's own claims, and those of other papers that its modules name."""
    prefix = package.PAPER.prefix
    claims: dict[str, Claim] = {}
    homes: dict[str, str] = {}
    borrowed = []
    for module, one in _placed_claims(package):
        if one.paper != prefix:
            borrowed.append(one)
        else:
            need(claims.setdefault(one.id, one) is one, f"two claims have the id {one.id}")
            homes[one.id] = module
    return _Loaded(package.__name__, package.PAPER, claims, homes, tuple(borrowed))


def _claims_of(package: ModuleType, broken: dict[str, str]) -> Iterator[Claim]:
    """The claims that a paper's modules name; none of one that cannot be loaded, for a reason.

    That reason is kept: at a second attempt letters would be declared twice, and that be told.
    """
    try:
        yield from (one for _, one in _placed_claims(package))
    except Exception as error:
        broken.setdefault(package.__name__, reason(error))


def _placed_claims(package: ModuleType) -> Iterator[tuple[str, Claim]]:
    """Modules and their claims, in the order of sections and, inside one, of their definition.

    A claim that a module takes from another one is that other one's.
    """
    with papers.loading(package.__name__):
        modules = {module.__name__: module for module in chapters(package)}
    seen: set[int] = set()
    for name, module in modules.items():
        named = (one for value in vars(module).values() for one in members(value))
        for one in (item for item in named if isinstance(item, Claim)):
            taken = one.source.module != name and one.source.module in modules
            if not taken and id(one) not in seen:
                seen.add(id(one))
                yield name, one


def _validate(registry: Registry, aside: Set[str]) -> dict[str, list[str]]:
    """The faults of each paper that has some: of single claims, or a circle among them."""
    for look in (partial(_unknown, aside=aside), _faults):
        found: dict[str, list[str]] = {}
        for one in registry.claims.values():
            if faults := list(look(one, registry)):
                found.setdefault(one.paper, []).extend(faults)
        if found:
            return found
    try:
        registry.in_dependency_order()
        _in_order({one.id: [one.of] if one.of else [] for one in registry.claims.values()})
    except CycleError as error:
        cycle = " -> ".join(reversed(error.args[1]))
        told = f"claims rest on, or are about, each other in a circle: {cycle}"
        return {identifier.partition(".")[0]: [told] for identifier in error.args[1]}
    return {}


def _unknown(one: Claim, registry: Registry, aside: Set[str]) -> Iterator[str]:
    try:
        registry.places(one)
    except ClaimError as error:
        yield f"{one.id}: {error}"
    for other in (*one.rests_on, *([one.of] if one.of else [])):
        if other not in registry.claims:
            lost = other.partition(".")[0] in aside
            why = "whose paper cannot be used" if lost else "which is no claim"
            yield f"{one.id} refers to {other}, {why}"


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
    for needed, why in one.discharging.items():
        if not why.strip():
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
