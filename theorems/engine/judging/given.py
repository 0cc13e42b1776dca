"""What a check is given: the part to be shown, its letters, and what the claim lets it use.

A proof is a function of ``given``.  It can reach hypotheses, domains and other claims only
through it, so that a claim that drops a hypothesis or widens a domain loses the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

from sympy import Symbol, sympify
from sympy.logic.boolalg import And, Boolean

from theorems.engine.claims.claim import Claim
from theorems.engine.judging.granted import Granted, Where
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.hypotheses import Hypothesis
from theorems.engine.statements.letters import quantities
from theorems.engine.statements.relations import both
from theorems.engine.statements.statement import STATEMENT, Formula, Sentence
from theorems.engine.statements.values import unfolded

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem

__all__ = ["Given", "MissingError", "own_things", "ranges"]


def ranges(claim: Claim) -> dict[Symbol, Any]:
    """What the letters of a claim range over: sets of numbers, vectors, random variables."""
    objects = {s: s.belongs_to for s in claim.given if hasattr(s, "belongs_to")}
    return {**claim.domains, **objects}


def own_things(claim: Claim) -> set[Any]:
    """The letters of a claim, and the families of which its formulas speak."""
    from theorems.engine.rules.choices import families  # noqa: PLC0415 - only proofs need it

    formulas = [one.relation for one in claim.parts.values() if isinstance(one, Formula)]
    formulas += [one.formula for one in claim.hypotheses if one.formula is not None]
    return {*claim.given, *(node.func for one in formulas for node in families(one))}


class MissingError(ValueError):
    """The evidence uses what the claim does not grant it."""


@dataclass
class Given(Granted):
    """The circumstances of one check.

    ``seen`` records whether the check looked at the goal: if it did not, its answer is the same
    for every variant of the goal.  ``derivations`` are those that it went through.
    """

    claim: Claim
    part: str
    find: Callable[[str], Claim]
    seen: set[str] = field(default_factory=set)
    derivations: list[Any] = field(default_factory=list)

    @property
    def goal(self) -> Boolean:
        """The relation to be shown; MissingError if the part is a sentence."""
        self.seen.add("goal")
        return self._relation

    @property
    def domain(self) -> dict[Symbol, Domain]:
        """The domains of the numbers that the claim quantifies over."""
        return self.claim.domains

    @property
    def conditions(self) -> tuple[Boolean, ...]:
        """The hypotheses that are relations."""
        found = (one.formula for one in self.claim.hypotheses)
        return tuple(one for one in found if one is not None)

    def require(self, *hypotheses: Hypothesis) -> None:
        """Refuse to go on if the claim does not assume these."""
        for one in hypotheses:
            if one not in self.claim.hypotheses:
                raise MissingError(f"the evidence uses the hypothesis {one.name}")

    def fact(
        self,
        claim: Claim | str,
        part: str = STATEMENT,
        at: Mapping[Symbol, Any] | None = None,
        *,
        where: Iterable[Boolean] = (),
    ) -> Theorem:
        """A part of another claim as a premise, at the given values of its letters.

        The claim must be one that this one rests on, and the part a formula.  ``where`` are more
        conditions, such as that the paper's functions in it are defined.  A letter of which a
        hypothesis in words speaks keeps its value, unless the hypothesis is discharged: with the
        sentence that says why it is met, what follows is argued.
        """
        from theorems.engine.rules.premises import LEAVES  # noqa: PLC0415 - only proofs need it

        other = claim if isinstance(claim, Claim) else self.find(claim)
        if other.id not in self.claim.rests_on:
            raise MissingError(f"{self.claim.id} does not rest on {other.id}")
        self.require(*(one for one in other.hypotheses if one not in self.claim.discharging))
        one = other.parts.get(part)
        if not isinstance(one, Formula):
            raise MissingError(f"{other.id} has no formula {part!r}")
        under = [h.formula for h in other.hypotheses if h.formula is not None] + [*where]
        name = other.id if part == STATEMENT else f"{other.id} ({part})"
        used = one.relation.free_symbols.union(*(h.free_symbols for h in under))
        over = {symbol: range_ for symbol, range_ in ranges(other).items() if symbol in used}
        about, met = self._kept(other), self._met_in_words(other)
        leaf = LEAVES["claimed"]
        theorem = leaf(name, one.relation, over=over, under=under, about=about, met=met)
        return theorem if at is None else self.instance(theorem, at)

    def _met_in_words(self, other: Claim) -> dict[str, str]:
        """For hypotheses of another claim that are words, the words that say why they are met."""
        words = (one for one in other.hypotheses if one.formula is None)
        reasons = self.claim.discharging
        return {one.name: reasons[one] for one in words if one in reasons}

    def _kept(self, other: Claim) -> set[Symbol]:
        """The letters of hypotheses in words that this claim has in common with another one."""
        shared = (one for one in other.hypotheses if one not in self.claim.discharging)
        words = (one for one in shared if one.formula is None)
        return set().union(*(one.letters(other.letters) for one in words))

    def instance(self, theorem: Theorem, at: Mapping[Symbol, Any]) -> Theorem:
        """A theorem at other values of its letters, which the claim's letters make up."""
        from theorems.engine import rules  # noqa: PLC0415 - only proofs need it

        over = self._over(*map(sympify, at.values()))
        bound = {*over, *theorem.over}
        under = [one for one in self.conditions if one.free_symbols <= bound]
        return rules.instance(theorem, at, over=over, under=under)

    def follows(self, *premises: Theorem, goal: Boolean | None = None) -> Theorem:
        """The goal (or another relation) from premises and the hypotheses, by the proof kernel."""
        from theorems.engine import rules  # noqa: PLC0415 - only proofs need it

        wanted = self.goal if goal is None else goal
        over = self._over(wanted, *self.conditions, *premises)
        return rules.follows(wanted, premises, over=over, under=self.conditions)

    def concluded(self, *premises: Theorem) -> Theorem:
        """The part as it is printed, from premises and the hypotheses.

        A proof that ends so and does not ask for its goal is made once for all near variants.
        """
        return self.follows(*premises, goal=self._relation)

    @property
    def _relation(self) -> Boolean:
        part = self.claim.parts[self.part]
        if not isinstance(part, Formula):
            raise MissingError(f"the part {self.part} is a sentence, no relation")
        return part.relation

    def decided(self, relation: Boolean | None = None) -> Theorem:
        """The goal (or another relation) by the exact deciders, the paper's functions unfolded."""
        from theorems.engine import rules  # noqa: PLC0415 - only proofs need it

        wanted = unfolded(self.goal if relation is None else relation)
        if not isinstance(wanted, And):
            return rules.decided(wanted, over=self._over(wanted))
        each = [rules.decided(one, over=self._over(one)) for one in wanted.args]
        return rules.follows(wanted, each, over=self._over(wanted))

    def covered(self, relation: Boolean | None = None, **how: Any) -> Theorem:
        """The goal (or another inequality) by a cover of balls, the paper's functions unfolded."""
        from theorems.engine.rules.certificates import covered  # noqa: PLC0415 - as above

        wanted = unfolded(self.goal if relation is None else relation)
        return covered(wanted, over=self._over(wanted), **how)

    def derived(self, derivation: Any) -> Theorem:
        """What a derivation shows: that its start equals its conclusion, or is at most that."""
        from theorems.engine import rules  # noqa: PLC0415 - only proofs need it

        self.derivations.append(derivation)
        return rules.derived(derivation)

    def supposed(self, hypothesis: Hypothesis, *relations: Boolean, **where: Unpack[Where]) -> Theorem:
        """A hypothesis in words, written in symbols; refused if the claim does not assume it.

        One that is a relation says this and nothing else.
        """
        self.require(hypothesis)
        known = hypothesis.formula
        if known is not None and both(*relations) != known:
            raise MissingError(f"the hypothesis {hypothesis.name} says {known}")
        return self._premise("supposed", hypothesis.name, relations, **where)

    def _about(self, rule: str, *said: Boolean) -> dict[str, Any]:
        if rule == "textbook":
            used = set().union(*(one.free_symbols for one in said))
            return {"own": {*quantities(used, self.claim.letters), *own_things(self.claim)}}
        known = {"known": self.conditions} if rule == "meaning" else {}
        return {"about": self.claim.given, **known}

    def _declared(self, symbol: Symbol) -> Any:
        own, paper = self.claim.domains, self.claim.letters
        return own.get(symbol, paper[symbol].domain if symbol in paper else None)

    def _over(self, *things: Any) -> dict[Symbol, Any]:
        """The domains of those letters of the claim that occur."""
        used: set[Symbol] = set()
        for one in things:
            used |= set(one.over) if hasattr(one, "over") else one.free_symbols
        return {symbol: domain for symbol, domain in ranges(self.claim).items() if symbol in used}

    def slots(self) -> dict[str, Any]:
        """The slots of the part by name."""
        part = self.claim.parts[self.part]
        return part.values() if isinstance(part, Sentence) else {}
