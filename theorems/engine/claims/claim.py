"""A claim: one statement of a paper as data, with the evidence for it attached below.

status is never written down: it is computed from what the evidence answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from sympy import Symbol

from theorems.engine.claims.evidence import Controls, Evidence, check_fit
from theorems.engine.claims.kinds import Grade, Provenance, Role, Severity
from theorems.engine.claims.source import Source
from theorems.engine.errors import ClaimError, is_text, need
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.hypotheses import Hypothesis
from theorems.engine.statements.letters import Letters, names, restricted
from theorems.engine.statements.statement import STATEMENT, Part, Sentence, parts_of

__all__ = ["STATEMENT", "Claim", "claim", "claims_in"]

_ID = re.compile(r"[a-z][a-z0-9]*(\.[a-z0-9_][a-zA-Z0-9_]*)+")
Check = TypeVar("Check", bound=Callable[..., Any])


@dataclass(frozen=True, eq=False)
class Claim:
    """A statement with its place, its letters, its hypotheses, what it rests on and its evidence.

    ``given`` maps each letter that is used, as it is quantified over, to its domain here, or to
    None for all of its own; ``assuming`` lists the hypotheses.  ``rests_on`` names the claims whose
    truth the evidence here uses, and ``discharging`` says for each hypothesis of theirs that is not
    assumed here why it is met: of a relation the proof has to show it, of words the sentence is all,
    and what uses it is argued.
    ``of`` is the claim that this one corrects or sharpens; ``note`` points into ``proofs_notes/``.
    ``excused`` says, by the name of a false variant, why it is true as well, and by which claim.
    """

    id: str
    at: str
    title: str
    states: Mapping[str, Part]
    given: Mapping[Any, Domain | None] = field(default_factory=dict)
    assuming: tuple[Hypothesis, ...] = ()
    rests_on: tuple[str, ...] = ()
    provenance: Provenance = Provenance.PRINTED
    of: str | None = None
    note: str | None = None
    discharging: Mapping[Hypothesis, str] = field(default_factory=dict)
    excused: Mapping[str, str] = field(default_factory=dict)
    letters: Letters = field(default_factory=Letters, repr=False)
    evidence: list[Evidence] = field(default_factory=list, repr=False)
    remarks: list[str] = field(default_factory=list, repr=False)
    source: Source = field(default_factory=Source.of_caller, repr=False)

    def __post_init__(self) -> None:
        named = isinstance(self.id, str) and _ID.fullmatch(self.id)
        need(bool(named), f"id must look like prefix.place.part, got {self.id!r}")
        for name in ("at", "title"):
            value = getattr(self, name)
            need(is_text(value), f"{self.id}: {name} must be a non-empty string, got {value!r}")
        known = all(map(is_text, self.rests_on))
        need(known, f"{self.id}: rests_on is claims or their ids")
        need(isinstance(self.provenance, Provenance), f"{self.id}: provenance is a Provenance")
        about = (self.of is None) == (self.provenance not in _ABOUT_ANOTHER)
        need(about, f"{self.id}: exactly corrections and sharpenings are of another claim")
        need(self.of != self.id, f"{self.id}: a claim cannot correct or sharpen itself")
        self._check_letters()

    def _check_letters(self) -> None:
        """Every letter that is used is bound, and no other has a domain here."""
        kinds = all(isinstance(one, Hypothesis) for one in self.assuming)
        need(kinds, f"{self.id}: assuming is hypotheses")
        for symbol, domain in self.given.items():
            need(symbol in self.letters, f"{self.id}: {symbol!r} is no letter of the paper")
            try:
                restricted(self.letters[symbol], domain)
            except ClaimError as error:
                raise ClaimError(f"{self.id}: {error}") from None
        try:
            used = self._used()
        except ClaimError as error:
            raise ClaimError(f"{self.id}: {error}") from None
        free, idle = used - set(self.given), set(self.given) - used
        need(not free, f"{self.id}: {names(free)} used but not given")
        need(not idle, f"{self.id}: {names(idle)} given but not used")

    def _used(self) -> set[Symbol]:
        spoken: set[Symbol] = set()
        for one in (*self.parts.values(), *self.hypotheses):
            spoken |= one.letters(self.letters)
        return spoken

    @property
    def parts(self) -> Mapping[str, Part]:
        """The parts of the statement by name."""
        return self.states

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """What is assumed beyond the domains of the letters."""
        return self.assuming

    @property
    def domains(self) -> dict[Symbol, Domain]:
        """The domains of the numbers that are quantified over."""
        pairs = ((s, restricted(self.letters[s], domain)) for s, domain in self.given.items())
        return {symbol: domain for symbol, domain in pairs if domain is not None}

    @property
    def displayed(self) -> str:
        r"""The LaTeX of the statement, its parts set apart by commas."""
        return r",\quad ".join(one.latex(self.letters) for one in self.parts.values())

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

    @property
    def untaken(self) -> dict[str, tuple[str, ...]]:
        """The slots of sentences that no evidence takes, by part."""
        found = {}
        for part, one in self.parts.items():
            taken = {name for e in self.evidence if e.part == part for name in e.parameters}
            slots = one.slots if isinstance(one, Sentence) else ()
            found[part] = tuple(name for name in slots if name not in taken)
        return {part: slots for part, slots in found.items() if slots}

    @property
    def severity(self) -> Severity | None:
        """How grave the finding is, if the claim is declared false."""
        found = [item.severity for item in self.evidence if item.role is Role.REFUTES]
        return next((one for one in found if one is not None), None)

    def proved(self, *parts: str, controls: Controls | None = None, **how: Any) -> Callable[[Check], Check]:
        """Attach a proof: a function of ``given`` that returns a theorem, which must be the part.

        Where several parts are named, the proof is run for each.
        """
        return self._attach(Grade.PROVED, controls, {"part": parts, **how})

    def argued(
        self,
        *parts: str,
        bridge: str,
        uses: Iterable[Hypothesis] = (),
        over: Mapping[Symbol, Domain] | None = None,
        controls: Controls | None = None,
        **how: Any,
    ) -> Callable[[Check], Check]:
        """Attach the computations of a proof whose inferences are prose.

        The check takes slots of the part, and ``given`` if it wants, and returns obligations, a
        derivation, theorems or certificates.  ``bridge`` says in a sentence what leads from these
        to the part; ``uses`` and ``over`` say for which hypotheses and domains it is written.
        Several argued pieces of one part are the steps of one argument: all must be accepted.
        """
        need(is_text(bridge), f"{self.id}: an argued piece names its bridge in a sentence")
        named = {"bridge": bridge, "uses": tuple(uses), "over": dict(over or {})}
        return self._attach(Grade.ARGUED, controls, {"part": parts, **named, **how})

    def certified(
        self, *parts: str, controls: Controls | None = None, **how: Any
    ) -> Callable[[Check], Check]:
        """Attach a proof that stands on ball arithmetic: a function of ``given``, as for proved."""
        return self._attach(Grade.CERTIFIED, controls, {"part": parts, **how})

    def tested(
        self,
        part: str | tuple[str, ...] = STATEMENT,
        *,
        over: Any,
        controls: Controls | None = None,
        cases: int | None = None,
        coordinates: tuple[Callable[[Any], Any], Callable[[Any], Any]] | None = None,
        **how: Any,
    ) -> Callable[[Check], Check]:
        """Attach an adversarial search.

        ``over`` is a Hypothesis strategy, or a function without arguments that makes one.  For a
        formula the check maps a case to the values of its letters (exact numbers, balls, or
        ``Rounded``), and the engine evaluates the relation.  For a sentence it takes slots as
        well and returns a :class:`Measured` or :class:`Discrepancy`.  ``coordinates`` is a pair
        (case to vector, vector to case): an optimiser then climbs from the worst case.  There are
        200 cases where nothing else is said, or 100 beside a proof or a certificate of the part.
        """
        options = {"over": over, "cases": cases, "coordinates": coordinates}
        return self._attach(Grade.TESTED, controls, {"part": part, **how}, **options)

    def estimated(
        self, part: str = STATEMENT, *, controls: Controls, draws: int, **how: Any
    ) -> Callable[[Check], Check]:
        """Attach a simulation; the check takes ``rng`` and ``draws`` and returns tests."""
        return self._attach(Grade.ESTIMATED, controls, {"part": part, **how}, draws=draws)

    def refuted(
        self,
        part: str = STATEMENT,
        *,
        severity: Severity,
        controls: Controls | None = None,
        by: Grade = Grade.PROVED,
        **how: Any,
    ) -> Callable[[Check], Check]:
        """Attach a counterexample; accepted means that it is confirmed, exactly or in balls.

        For a formula the check returns a point (letters to exact values), at which the engine
        decides that the relation fails; else obligations.
        """
        about = {"part": part, "role": Role.REFUTES, "severity": severity}
        return self._attach(by, controls, {**about, **how})

    def cited(self, source: str, *, why: str, part: str = STATEMENT) -> None:
        """Say that a source is trusted for a part, and why no machine checks it here."""
        need(is_text(source) and is_text(why), f"{self.id}: cited needs a source and a reason")

        def trusted() -> str:
            return f"{source}: {why}"

        trusted.__doc__ = f"Cited: {source}."
        self._add(Evidence(f"cited_{len(self.evidence)}", Grade.CITED, trusted, {}, part))

    def left_open(self, reason: str) -> None:
        """Say why the claim is not settled here; its verdict is then open."""
        need(is_text(reason), f"{self.id}: left_open needs a reason")
        self.remarks.append(reason)

    def corrected(self, identifier: str, **record: Any) -> Claim:
        """A claim that says what should have been printed."""
        return self._about(identifier, Provenance.CORRECTED, record)

    def sharpened(self, identifier: str, **record: Any) -> Claim:
        """A claim with a better constant or a weaker hypothesis."""
        return self._about(identifier, Provenance.SHARPENED, record)

    def _about(self, identifier: str, provenance: Provenance, record: dict[str, Any]) -> Claim:
        record.setdefault("at", self.at)
        record.setdefault("letters", self.letters)
        return claim(identifier, provenance=provenance, of=self.id, **record)

    def _attach(
        self, grade: Grade, controls: Controls | None, how: dict[str, Any], **options: Any
    ) -> Callable[[Check], Check]:
        parts = how.pop("part")
        parts = (parts,) if isinstance(parts, str) else parts or (STATEMENT,)
        strange = [one for one in parts if one not in self.parts]
        need(not strange, f"{self.id} has no part {strange}; it has {list(self.parts)}")

        def add(check: Check) -> Check:
            name = getattr(check, "__name__", repr(check))
            for number, part in enumerate(parts, start=1):
                numbered = name if len(parts) == 1 else f"{name}_{number}"
                self._add(self._evidence(numbered, grade, check, controls, part, options, how))
            return check

        return add

    def _evidence(
        self,
        name: str,
        grade: Grade,
        check: Callable[..., Any],
        controls: Controls | None,
        part: str,
        options: Mapping[str, Any],
        how: Mapping[str, Any],
    ) -> Evidence:
        try:
            item = Evidence(name, grade, check, dict(controls or {}), part, options=options, **how)
            one = self.parts[part]
            check_fit(item, one.slots if isinstance(one, Sentence) else {})
        except (ClaimError, TypeError) as error:
            raise ClaimError(f"{self.id}: {error}") from error
        return item

    def _add(self, item: Evidence) -> None:
        fresh = all(item.name != other.name for other in self.evidence)
        need(fresh, f"{self.id}: two pieces of evidence are named {item.name}")
        self.evidence.append(item)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.displayed}$"

    def _repr_html_(self) -> str:
        from theorems.engine.claims.markup import claim_html  # noqa: PLC0415 - for notebooks only

        return claim_html(self)


_ABOUT_ANOTHER = (Provenance.CORRECTED, Provenance.SHARPENED)


def claim(
    identifier: str,
    *,
    at: str,
    title: str,
    states: Any,
    given: Mapping[Any, Domain | None] | Iterable[Symbol] | None = None,
    assuming: Any = (),
    rests_on: str | Claim | Iterable[str | Claim] = (),
    provenance: Provenance = Provenance.PRINTED,
    of: str | None = None,
    note: str | None = None,
    discharging: Mapping[Hypothesis, str] | None = None,
    excused: Mapping[str, str] | None = None,
    letters: Letters | None = None,
) -> Claim:
    """Record a claim; see :class:`Claim` for the fields.

    ``states`` is a relation, a sentence, or several of them by name.  The claim is one for all
    values of the letters that it uses; ``given`` maps those that range over a part of their domains
    to this part. Others may be named there, alone or with None, and need not.

    >>> from theorems.engine.statements.relations import eq
    >>> claim("demo.one", at="Eq. (1)", title="One", states=eq(1, 1)).paper
    'demo'
    """
    table, assumed = letters if letters is not None else Letters(), _several(assuming)
    narrowed = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given or ())
    try:
        parts = parts_of(states)
        used = _in_order((*parts.values(), *assumed), table)
    except ClaimError as error:
        raise ClaimError(f"{identifier}: {error}") from None
    return Claim(
        id=identifier,
        at=at,
        title=title,
        states=parts,
        given={**dict.fromkeys(used), **narrowed},
        assuming=assumed,
        rests_on=tuple(getattr(item, "id", item) for item in _several(rests_on)),
        provenance=provenance,
        of=of,
        note=note,
        discharging=dict(discharging or {}),
        excused=dict(excused or {}),
        letters=table,
    )


def _in_order(said: Iterable[Part | Hypothesis], table: Letters) -> list[Symbol]:
    """The letters that are used, as they come in the statement and in the hypotheses."""
    known = [one for one in said if hasattr(one, "letters")]
    return [x for one in known for x in sorted(one.letters(table), key=str)]


def claims_in(letters: Letters) -> Callable[..., Claim]:
    """The function :func:`claim` for claims in the letters of a paper."""
    return partial(claim, letters=letters)


def _several(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, str | Claim | Hypothesis) else tuple(value)
