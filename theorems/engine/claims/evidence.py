"""Evidence: one check of one part of a claim, what grade it can earn, and what it needs."""

import dis
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sympy import Symbol

from theorems.engine.claims.kinds import Grade, Profile, Role, Severity
from theorems.engine.claims.source import Source
from theorems.engine.errors import is_text, need
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.hypotheses import Hypothesis
from theorems.engine.statements.statement import STATEMENT

__all__ = ["Controls", "Evidence", "check_fit"]

Controls = Mapping[str, Mapping[str, Any]]

#: What the engine hands to a check that names it as a parameter.
_FROM_THE_ENGINE = {"given", "case", "rng", "draws"}


@dataclass(frozen=True)
class Evidence:
    """One check of one part.

    ``bridge`` is the inference that an argued piece leaves to prose, ``uses`` are the hypotheses
    and ``over`` the domains for which that prose is written.  ``controls`` are false variants
    that the author adds: other values of slots, which the check must reject.
    """

    name: str
    grade: Grade
    check: Callable[..., Any]
    controls: Controls = field(default_factory=dict)
    part: str = STATEMENT
    role: Role = Role.SUPPORTS
    profile: Profile = Profile.QUICK
    options: Mapping[str, Any] = field(default_factory=dict)
    bridge: str | None = None
    uses: tuple[Hypothesis, ...] = ()
    over: Mapping[Symbol, Domain] = field(default_factory=dict)
    severity: Severity | None = None
    source: Source = field(default_factory=Source.of_caller, repr=False, compare=False)

    def __post_init__(self) -> None:
        need(self.name.isidentifier(), f"evidence is a named function, got {self.name}")
        need(is_text(self.part), f"{self.name}: part must be a non-empty string")
        kinds = isinstance(self.role, Role) and isinstance(self.profile, Profile)
        need(kinds, f"{self.name}: role is a Role and profile a Profile")
        exact = self.role is Role.SUPPORTS or self.grade >= Grade.ARGUED
        need(exact, f"{self.name}: a counterexample is checked exactly or in balls")
        for option in {"cases", "draws"} & set(self.options):
            count = self.options[option]
            counted = isinstance(count, int) and not isinstance(count, bool) and count > 0
            counted |= option == "cases" and count is None
            need(counted, f"{self.name}: {option} must be a positive integer, got {count!r}")
        for name, disputed in self.controls.items():
            changes = isinstance(disputed, Mapping) and bool(disputed)
            told = f"control {name} of {self.name} must say which slots it changes"
            need(changes, f"{told}, got {disputed!r}")

    @property
    def says(self) -> str:
        """The first line of the check's docstring."""
        return inspect.cleandoc(self.check.__doc__ or "").partition("\n")[0] or self.name

    @property
    def statistical(self) -> bool:
        """Whether the check draws samples, so that it may err by chance."""
        return "draws" in self.options

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of what the check takes."""
        return tuple(inspect.signature(self.check).parameters)

    @property
    def needs(self) -> list[str]:
        """The slots that the check asks for."""
        parameters = list(inspect.signature(self.check).parameters.values())
        if self.grade is Grade.TESTED:
            parameters = parameters[1:]
        return [one.name for one in parameters if one.name not in _FROM_THE_ENGINE]


def check_fit(item: Evidence, slots: Mapping[str, Any]) -> None:
    """Refuse a check that asks for what the statement does not have, or that has its own numbers.

    Every parameter is a slot of the part or handed out by the engine; a default would be a second
    copy of a constant, and a parameter that is never looked at could not make the check fail.
    """
    parameters = inspect.signature(item.check).parameters.values()
    defaults = [one.name for one in parameters if one.default is not one.empty]
    need(not defaults, f"{item.name} has defaults for {defaults}; make them slots")
    missing = sorted(set(item.needs) - set(slots))
    need(not missing, f"{item.name} takes {missing}, which are no slots of its part")
    idle = sorted(set(item.parameters) - _looked_at(item.check))
    need(not idle, f"{item.name} never looks at {idle}")
    for name, disputed in item.controls.items():
        strange = sorted(set(disputed) - set(slots))
        need(not strange, f"control {name} of {item.name} changes {strange}, no slots")


def _looked_at(check: Callable[..., Any]) -> set[str]:
    """The local variables that the code of a function reads, closures included."""
    code = inspect.unwrap(check).__code__
    steps = set(zip(code.co_code[::2], code.co_code[1::2], strict=True))
    read = {place for step, place in steps for place in _read_by(dis.opname[step], place)}
    return {name for place, name in enumerate(code.co_varnames) if place in read}.union(code.co_cellvars)


def _read_by(step: str, place: int) -> tuple[int, ...]:
    """The places of the local variables that a step of the machine reads.

    From Python 3.13 on it may read two, of sixteen, or set and read. To put a variable aside, as a
    comprehension does from 3.12 on, is not to read it.
    """
    if step.startswith("STORE_FAST_LOAD_FAST"):
        return (place & 15,)
    if not step.startswith("LOAD_FAST") or step == "LOAD_FAST_AND_CLEAR":
        return ()
    return (place,) if step.count("_FAST") == 1 else (place >> 4, place & 15)
