"""Theorems as values that only this package can make, and what they stand on.

>>> Theorem(sympy.true, {}, frozenset(), frozenset())
Traceback (most recent call last):
  ...
theorems.engine.rules.theorem.ForgedError: a theorem is made by the rules, never by hand
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import Any, Literal, TypeAlias
from weakref import WeakKeyDictionary

import sympy
from sympy import Set, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.choices import misused
from theorems.engine.rules.extremes import two_extremes
from theorems.engine.rules.names import in_order
from theorems.engine.rules.names_explained import circle, explained_twice, explanations, has_a_formula
from theorems.engine.rules.ranges import Objects, Over, checked

Kind: TypeAlias = Literal[
    "definition",
    "meaning",
    "believed range",
    "hypothesis",
    "derivation",
    "decision",
    "certificate",
    "textbook",
    "bridge",
    "met in words",
    "claim",
    "solver",
]


class NotProved(Exception):  # noqa: N818 - an answer, not an error
    """A rule declined: the conclusion is ``rejected`` or ``undecided``, for a reason in words.

    ``witness`` gives letters their values where a rejected conclusion fails.

    >>> NotProved("undecided", "the solver gave up").answer
    'undecided'
    """

    def __init__(
        self,
        answer: Literal["rejected", "undecided"],
        why: str,
        witness: Mapping[sympy.Expr, sympy.Expr] | None = None,
    ) -> None:
        super().__init__(f"{answer}: {why}")
        self.answer, self.why, self.witness = answer, why, dict(witness or {})


class ForgedError(TypeError):
    """A theorem that the rules did not make, or that was changed since they made it."""


@dataclass(frozen=True)
class Trust:
    """One leaf of a proof: something that the rules took over from elsewhere, by name.

    A meaning and a hypothesis are ``about`` certain letters of a claim, for which nothing else may
    be put in; other letters are those of a lemma, and what it ``says`` is said of what replaces
    them. A meaning may be that of ``extremes``, each the largest or the least of something; and it
    is ``shown`` of the letters that it explains in which ranges they lie. A fact of the textbooks
    has ``found`` the objects and functions for some of which it holds; those that are ``chosen``
    are there for all values of the others. An inference names the ``question`` to the solver by its
    key, and the one whether its ``premises`` contradict each other, if it has any. What a leaf says
    holds ``under`` conditions, and a meaning for letters ``within`` their ranges.
    """

    kind: Kind
    name: str
    detail: str
    says: Boolean | None = field(default=None, repr=False)
    about: frozenset[Symbol] = field(default=frozenset(), repr=False)
    extremes: frozenset[sympy.Expr] = field(default=frozenset(), repr=False)
    found: frozenset[Any] = field(default=frozenset(), repr=False)
    chosen: frozenset[Any] = field(default=frozenset(), repr=False)
    shown: frozenset[tuple[sympy.Expr, Set]] = field(default=frozenset(), repr=False)
    question: str = field(default="", repr=False)
    premises: str = field(default="", repr=False)
    under: frozenset[Boolean] = field(default=frozenset(), repr=False)
    within: frozenset[tuple[Symbol, Set]] = field(default=frozenset(), repr=False)

    def __str__(self) -> str:
        return f"{self.kind} {self.name}: {self.detail}"


@dataclass(frozen=True, eq=False)
class Theorem:
    """``statement`` holds for all values of the letters ``over`` their sets that satisfy ``under``.

    Everything in the statement is defined for these values. ``trusts`` are the leaves of the
    proof. A theorem is the value that a rule returned and nothing else: a copy, a replacement or
    an unpickled one is refused wherever theorems are taken.
    """

    statement: Boolean
    over: Mapping[Symbol, Set]
    under: frozenset[Boolean]
    trusts: frozenset[Trust]
    seal: InitVar[object] = None

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            raise ForgedError("a theorem is made by the rules, never by hand")

    @property
    def conditions(self) -> tuple[Boolean, ...]:
        """The hypotheses, in an order that is the same in every process."""
        return in_order(self.under)

    @property
    def grade(self) -> Literal["proved", "certified", "argued"]:
        """``argued`` with something in words among the leaves, ``certified`` with a certificate."""
        kinds = {trust.kind for trust in self.trusts}
        if kinds & {"bridge", "met in words"}:
            return "argued"
        return "certified" if "certificate" in kinds else "proved"

    def at(
        self,
        values: Mapping[Symbol, Any] | Sequence[Any] = (),
        *,
        over: Over | None = None,
        under: Iterable[Boolean] = (),
        **named: Any,
    ) -> Theorem:
        """The theorem with expressions for letters, as ``rules.instance`` makes it.

        Letters are given as keys, or by their names if these are unique, or are all of them in
        order. Raises what that raises, and ValueError for a name that is not that of one letter.

        >>> from theorems.engine.rules.inferences import follows
        >>> x, y = sympy.symbols("x y", real=True)
        >>> square = follows(x**2 >= 2 * x - 1)
        >>> print(square.at(x=3 * y))
        9*y**2 >= 6*y - 1 for y in Reals [proved]
        """
        from theorems.engine.rules.inferences import instance  # noqa: PLC0415 - it needs theorems

        if named:
            chosen = {self._letter(name): value for name, value in named.items()}
            values = {**dict(values), **chosen}
        return instance(self, values, over=over, under=under)

    def _letter(self, name: str) -> Symbol:
        found = [x for x in self.over if x.name == name]
        if len(found) != 1:
            known = ", ".join(map(str, self.over))
            raise ValueError(f"the theorem has {len(found)} letters {name} among {known}")
        return found[0]

    def __str__(self) -> str:
        ranges = ", ".join(f"{letter} in {range_}" for letter, range_ in self.over.items())
        given = "".join(f", {one}" for one in sorted(map(str, self.under)))
        return f"{self.statement} for {ranges or 'certain'}{given} [{self.grade}]"


_SEAL = object()
_MADE: WeakKeyDictionary[Theorem, tuple[object, ...]] = WeakKeyDictionary()


def make(statement: Boolean, over: Over, under: Iterable[Boolean], trusts: Iterable[Trust]) -> Theorem:
    """A new theorem; for the modules of this package only, ForgedError for everybody else.

    Raises ValueError for a letter without a set, and NotProved for definitions that do not fit.
    """
    caller = sys._getframe(1).f_globals.get("__name__", "")
    if caller.rpartition(".")[0] != __name__.rpartition(".")[0]:
        raise ForgedError(f"a theorem is made by the rules, never by {caller}")
    given = frozenset(one for one in under if one != sympy.true)
    if sympy.false in given:
        raise NotProved("undecided", "the hypotheses contradict each other, so anything follows")
    letters = checked(over)
    _all_bound(letters, statement, *given)
    leaves = frozenset(trusts)
    definitions_fit(leaves)
    meanings_fit(leaves)
    choices_fit(leaves)
    ranges_fit(leaves, letters)
    made = Theorem(statement, MappingProxyType(letters), given, leaves, _SEAL)
    _MADE[made] = _fields(made)
    return made


def genuine(*theorems: Theorem) -> None:
    """Check that these are theorems that the rules made, unchanged.

    Raises TypeError for what is no theorem, ForgedError for a forged one.
    """
    for theorem in theorems:
        if not isinstance(theorem, Theorem):
            raise TypeError(f"a premise must be a Theorem, got {type(theorem).__name__}")
        record = _MADE.get(theorem)
        fields = () if record is None else _fields(theorem)
        if record is None or any(a is not b for a, b in zip(record, fields, strict=True)):
            raise ForgedError("a theorem is made by the rules, never by hand")


def _fields(theorem: Theorem) -> tuple[object, ...]:
    return tuple(vars(theorem).get(name) for name in ("statement", "over", "under", "trusts"))


def _all_bound(letters: Mapping[Symbol, Set], *statements: Boolean) -> None:
    free = set().union(*(one.free_symbols for one in statements)) - set(letters)
    if free:
        raise ValueError(f"every letter needs a set, but {sorted(map(str, free))} have none")


def definitions_fit(trusts: Iterable[Trust]) -> None:
    """Check that a function is defined once, and not by itself.

    Raises NotProved: two definitions of a function, or a circle of them, may contradict each other.
    """
    bodies: dict[object, sympy.Expr] = {}
    for trust in trusts:
        if trust.kind == "definition" and trust.says is not None:
            term, meaning = trust.says.args
            places = {x: Symbol(f"argument {place}") for place, x in enumerate(term.args)}
            head, body = term.func, meaning.xreplace(places)
            if bodies.setdefault(head, body) != body:
                raise NotProved("undecided", f"{head} is defined in two ways")
    uses = {head: {node.func for node in _applied(body)} for head, body in bodies.items()}
    while settled := {head for head, used in uses.items() if not used & set(uses)}:
        uses = {head: used for head, used in uses.items() if head not in settled}
    if uses:
        raise NotProved("undecided", f"{sorted(map(str, uses))} are defined in a circle")


def meanings_fit(trusts: Iterable[Trust]) -> None:
    """Check that what a letter, or an expression, stands for is said in one way, in no circle.

    Also in other words: 2q = 2 and q/2 = 1, g(j) = 1 and g(k) = 2, the largest of this and the
    largest of that. Raises NotProved: two meanings may contradict each other. That both are right
    is for a proof to show, from one of them.
    """
    _meanings_fit(frozenset(one for one in trusts if one.kind == "meaning"))


@lru_cache(maxsize=4096)
def _meanings_fit(leaves: frozenset[Trust]) -> None:
    """The same, kept: most theorems stand on the meanings of their premises and no other."""
    said, again = explanations(leaves)
    if again or (again := explained_twice(said, chain.from_iterable(one.extremes for one in leaves))):
        raise NotProved("undecided", f"{again} stands for two things")
    if formula := has_a_formula(said):
        raise NotProved("undecided", f"{formula} stands for something, and may have no derivative")
    if around := circle(said):
        raise NotProved("undecided", f"{', '.join(around)} are explained by each other")
    if why := two_extremes(said, leaves):
        raise NotProved("undecided", why)


def choices_fit(trusts: Iterable[Trust]) -> None:
    """Check that what a textbook fact finds is found by one fact, and stands for nothing else.

    Raises NotProved: a unit vector that is found need not be one that is found elsewhere, and a
    length in a claim is not the length of a unit vector because that vector is found.
    """
    if why := misused(trusts):
        raise NotProved("undecided", why)


def ranges_fit(trusts: Iterable[Trust], letters: Over) -> None:
    """Check that no name has a smaller range than that in which its values are known to lie.

    Raises NotProved: z = x - 1 for all z and x says x >= 1 where z is not negative.
    """
    for trust in trusts:
        for name, range_ in trust.shown:
            here = letters.get(name, range_) if isinstance(name, Symbol) else range_
            random = isinstance(here, Objects)  # a letter that a rule made random
            if not random and here != range_ and not range_.is_subset(here):
                why = f"{name} ranges over {here}, but {trust.name} is known to lie in {range_}"
                raise NotProved("undecided", why)


def meant(trust: Trust) -> tuple[sympy.Eq, ...]:
    """The equations by which a leaf says what letters and expressions stand for."""
    if trust.kind != "meaning" or trust.says is None:
        return ()
    return tuple(one for one in sympy.And.make_args(trust.says) if isinstance(one, sympy.Eq))


def _applied(body: sympy.Basic) -> set[sympy.Expr]:
    return set(body.atoms(AppliedUndef))
