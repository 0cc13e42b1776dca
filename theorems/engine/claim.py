"""A claim: one statement of a paper as data, with the evidence for it attached below.

status is never written down: it is computed from what the evidence answers.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

import sympy

from theorems.engine.answers import Grade
from theorems.engine.domain import ClaimError, Domain
from theorems.engine.statement import flaw

__all__ = [
    "STATEMENT",
    "Claim",
    "ClaimError",
    "Evidence",
    "Paper",
    "Profile",
    "Provenance",
    "Role",
    "claim",
]

STATEMENT = "statement"
_PREFIX = re.compile(r"[a-z][a-z0-9]*")
_ID = re.compile(rf"{_PREFIX.pattern}(\.[a-z0-9_]+)+")
Check = TypeVar("Check", bound=Callable[..., Any])
Controls = Mapping[str, Mapping[str, Any]]


def _need(holds: bool, complaint: str) -> None:
    if not holds:
        raise ClaimError(complaint)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


class Provenance(Enum):
    """Where a statement comes from."""

    PRINTED = "printed in the paper"
    EXTRACTED = "as a machine-made extraction of the paper reads; the page may differ"
    QUOTED = "quoted by the paper from another source"
    DERIVED = "derived here from the paper's statements"
    CORRECTED = "correction of a statement that is false as printed"
    SHARPENED = "sharper than the paper's statement"
    CLASSICAL = "textbook fact"


class Role(Enum):
    """What accepted evidence speaks for."""

    SUPPORTS = "supports"
    REFUTES = "refutes"


class Profile(Enum):
    """How much work a run may spend; each does all that the one before does, and more."""

    QUICK = "quick"
    FULL = "full"
    EXHAUSTIVE = "exhaustive"

    @property
    def effort(self) -> int:
        """By how much numbers of cases and samples are multiplied."""
        return {"quick": 1, "full": 10, "exhaustive": 100}[self.value]

    def includes(self, other: Profile) -> bool:
        """Whether a run at this profile does work that starts at ``other``."""
        return self.effort >= other.effort


@dataclass(frozen=True)
class Paper:
    """A paper; its claims' ids begin with ``prefix``, and ``sections`` are its modules in order."""

    prefix: str
    title: str
    authors: str
    sections: tuple[str, ...]

    def __post_init__(self) -> None:
        prefix = isinstance(self.prefix, str) and _PREFIX.fullmatch(self.prefix)
        _need(bool(prefix), f"a paper's prefix is a lower-case word, got {self.prefix!r}")
        for name in ("title", "authors"):
            value = getattr(self, name)
            _need(_is_text(value), f"{self.prefix}: {name} must be a non-empty string")
        listed = isinstance(self.sections, tuple) and all(map(_is_text, self.sections))
        _need(listed and bool(self.sections), f"{self.prefix}: sections is a tuple of module names")


@dataclass(frozen=True)
class Evidence:
    """One check: a function of its disputed constants, and false variants that it must reject."""

    name: str
    grade: Grade
    check: Callable[..., Any]
    controls: Controls
    part: str = STATEMENT
    role: Role = Role.SUPPORTS
    profile: Profile = Profile.QUICK
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _need(self.name.isidentifier(), f"evidence is a named function, got {self.name}")
        _need(_is_text(self.part), f"{self.name}: part must be a non-empty string")
        kinds = isinstance(self.role, Role) and isinstance(self.profile, Profile)
        _need(kinds, f"{self.name}: role is a Role and profile a Profile")
        exact = self.role is Role.SUPPORTS or self.grade >= Grade.CERTIFIED
        _need(exact, f"{self.name}: a counterexample is checked exactly or in balls")
        for option in {"cases", "draws"} & set(self.options):
            count = self.options[option]
            counted = isinstance(count, int) and not isinstance(count, bool) and count > 0
            _need(counted, f"{self.name}: {option} must be a positive integer, got {count!r}")
        for name, disputed in self.controls.items():
            _check_control(self.check, f"control {name} of {self.name}", disputed)

    @property
    def says(self) -> str:
        """The first line of the check's docstring."""
        return inspect.cleandoc(self.check.__doc__ or "").partition("\n")[0] or self.name


def _check_control(check: Callable[..., Any], name: str, disputed: Any) -> None:
    changes = isinstance(disputed, Mapping) and bool(disputed)
    _need(changes, f"{name} must say which arguments it changes, got {disputed!r}")
    parameters = inspect.signature(check).parameters.values()
    free = any(one.kind is one.VAR_KEYWORD for one in parameters)
    known = {one.name for one in parameters if one.kind is not one.POSITIONAL_ONLY}
    for argument in disputed:
        _need(free or argument in known, f"{name} changes {argument!r}, which is no argument")


@dataclass(frozen=True, eq=False)
class Claim:
    """A statement with its place, its hypotheses, what it rests on and its evidence.

    ``given`` maps each quantified variable to its domain; ``assuming`` states in words what no
    domain can say.  ``rests_on`` names the claims whose truth the evidence here uses.  ``of``
    is the claim that this one corrects or sharpens.  ``note`` points into ``proofs_notes/``.
    """

    id: str
    at: str
    title: str
    states: str
    given: Mapping[str, Domain] = field(default_factory=dict)
    assuming: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    provenance: Provenance = Provenance.PRINTED
    of: str | None = None
    note: str | None = None
    evidence: list[Evidence] = field(default_factory=list, repr=False)
    remarks: list[str] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        named = isinstance(self.id, str) and _ID.fullmatch(self.id)
        _need(bool(named), f"id must look like paper.place.part in lower case, got {self.id!r}")
        for name in ("at", "title", "states"):
            value = getattr(self, name)
            _need(_is_text(value), f"{self.id}: {name} must be a non-empty string, got {value!r}")
        wrong = flaw(self.states)
        _need(wrong is None, f"{self.id}: {wrong} in {self.states!r}")
        for variable, domain in self.given.items():
            fits = str(variable).isidentifier() and isinstance(domain, sympy.Set)
            _need(fits, f"{self.id}: given maps names to domains, got {variable}={domain!r}")
        words = all(map(_is_text, (*self.assuming, *self.rests_on)))
        _need(words, f"{self.id}: assuming is words, rests_on is claims or their ids")
        _need(isinstance(self.provenance, Provenance), f"{self.id}: provenance is a Provenance")
        about = (self.of is None) == (self.provenance not in _ABOUT_ANOTHER)
        _need(about, f"{self.id}: exactly corrections and sharpenings are of another claim")
        _need(self.of != self.id, f"{self.id}: a claim cannot correct or sharpen itself")

    @property
    def paper(self) -> str:
        """The prefix of the paper that the claim belongs to."""
        return self.id.partition(".")[0]

    @property
    def declared_false(self) -> bool:
        """Whether the repository says, by a counterexample, that the statement is false."""
        return any(item.role is Role.REFUTES for item in self.evidence)

    @property
    def declared_open(self) -> bool:
        """Whether the repository says that the statement is not settled here."""
        return bool(self.remarks) or not self.evidence

    def proved(self, *, controls: Controls, **how: Any) -> Callable[[Check], Check]:
        """Attach a symbolic derivation or exact decision.

        The check returns a derivation or pairs (obligation, True/False/None).
        """
        return self._attach(Grade.PROVED, controls, how)

    def certified(self, *, controls: Controls, **how: Any) -> Callable[[Check], Check]:
        """Attach a ball-arithmetic certificate, or several."""
        return self._attach(Grade.CERTIFIED, controls, how)

    def tested(
        self,
        *,
        over: Any,
        controls: Controls,
        cases: int = 200,
        coordinates: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None,
        **how: Any,
    ) -> Callable[[Check], Check]:
        """Attach an adversarial search.

        ``over`` is a Hypothesis strategy, or a function without arguments that makes one.  The
        check maps a case to a :class:`Measured` or :class:`Discrepancy`.  ``coordinates`` is a
        pair (case to vector, vector to case): an optimiser then climbs from the worst case.
        """
        options = {"over": over, "cases": cases, "coordinates": coordinates}
        return self._attach(Grade.TESTED, controls, how, **options)

    def estimated(self, *, controls: Controls, draws: int, **how: Any) -> Callable[[Check], Check]:
        """Attach a simulation; the check takes ``rng`` and ``draws`` and returns tests."""
        return self._attach(Grade.ESTIMATED, controls, how, draws=draws)

    def refuted(
        self, *, controls: Controls, by: Grade = Grade.PROVED, **how: Any
    ) -> Callable[[Check], Check]:
        """Attach a counterexample; accepted means that it is confirmed, exactly or in balls."""
        return self._attach(by, controls, {**how, "role": Role.REFUTES})

    def cited(self, source: str, *, why: str, part: str = STATEMENT) -> None:
        """Say that a source is trusted for a part, and why no machine checks it here."""
        _need(_is_text(source) and _is_text(why), f"{self.id}: cited needs a source and a reason")

        def trusted() -> str:
            return f"{source}: {why}"

        trusted.__doc__ = f"Cited: {source}."
        self._add(Evidence(f"cited_{len(self.evidence)}", Grade.CITED, trusted, {}, part))

    def left_open(self, reason: str) -> None:
        """Say why the claim is not settled here; its verdict is then open."""
        _need(_is_text(reason), f"{self.id}: left_open needs a reason")
        self.remarks.append(reason)

    def corrected(self, identifier: str, **record: Any) -> Claim:
        """A claim that says what should have been printed."""
        return self._about(identifier, Provenance.CORRECTED, record)

    def sharpened(self, identifier: str, **record: Any) -> Claim:
        """A claim with a better constant or a weaker hypothesis."""
        return self._about(identifier, Provenance.SHARPENED, record)

    def _about(self, identifier: str, provenance: Provenance, record: dict[str, Any]) -> Claim:
        record.setdefault("at", self.at)
        return claim(identifier, provenance=provenance, of=self.id, **record)

    def _attach(
        self, grade: Grade, controls: Controls, how: dict[str, Any], **options: Any
    ) -> Callable[[Check], Check]:
        settled = isinstance(controls, Mapping) and bool(controls)
        _need(settled, f"{self.id}: a check without a control might be unable to fail")

        def add(check: Check) -> Check:
            name = getattr(check, "__name__", repr(check))
            try:
                item = Evidence(name, grade, check, dict(controls), options=options, **how)
            except (ClaimError, TypeError) as error:
                raise ClaimError(f"{self.id}: {error}") from error
            self._add(item)
            return check

        return add

    def _add(self, item: Evidence) -> None:
        fresh = all(item.name != other.name for other in self.evidence)
        _need(fresh, f"{self.id}: two pieces of evidence are named {item.name}")
        self.evidence.append(item)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.states}$"

    def _repr_html_(self) -> str:
        from theorems.interface.show import claim_html  # noqa: PLC0415 - only notebooks need it

        return claim_html(self)


_ABOUT_ANOTHER = (Provenance.CORRECTED, Provenance.SHARPENED)


def claim(
    identifier: str,
    *,
    at: str,
    title: str,
    states: str,
    given: Mapping[str, Domain] | None = None,
    assuming: str | Iterable[str] = (),
    rests_on: str | Claim | Iterable[str | Claim] = (),
    provenance: Provenance = Provenance.PRINTED,
    of: str | None = None,
    note: str | None = None,
) -> Claim:
    """Record a claim; see :class:`Claim` for the fields.

    >>> claim("demo.one", at="Eq. (1)", title="One", states="1 = 1").paper
    'demo'
    """
    return Claim(
        id=identifier,
        at=at,
        title=title,
        states=states,
        given=dict(given or {}),
        assuming=_several(assuming),
        rests_on=tuple(getattr(item, "id", item) for item in _several(rests_on)),
        provenance=provenance,
        of=of,
        note=note,
    )


def _several(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, str | Claim) else tuple(value)
