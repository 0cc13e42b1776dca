"""Letters that the leaves of a proof speak of, checked when letters are bound or replaced.

A meaning and a hypothesis are about letters that have their values: S = n^2 is no law for all S and
n.  A rule that puts values in for letters says the same of these values, or refuses.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import sympy
from sympy import Expr, Set, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.common_places import indices
from theorems.engine.rules.ranges import assumed
from theorems.engine.rules.theorem import NotProved, Theorem, Trust, meant

__all__ = ["check_unmentioned", "leaves_at_values"]


def check_unmentioned(letters: Iterable[Symbol], *theorems: Theorem) -> None:
    """Check that letters may be bound: that no leaf is about the value that they have.

    Raises NotProved.
    """
    for trust, theorem in ((trust, one) for one in theorems for trust in _in_order(one)):
        if fixed := _spoken_of(trust, theorem).intersection(letters):
            why = f"{min(fixed, key=str)} may not vary: {trust.name} is about its value"
            raise NotProved("undecided", why)


def _varying(trust: Trust) -> set[Symbol]:
    """The letters of the values of which a quantity is the largest: it is so for all of them."""
    if not trust.extremes or trust.says is None:
        return set()
    kept = set().union(*(one.free_symbols for one in (*trust.extremes, *meant(trust))))
    return set(trust.says.free_symbols) - kept - trust.about


def _in_order(theorem: Theorem) -> list[Trust]:
    """The leaves of a theorem, always in the same order, so that refusals are the same."""
    return sorted(theorem.trusts, key=lambda trust: (trust.kind, trust.name, trust.detail))


def leaves_at_values(
    theorem: Theorem, chosen: Mapping[Symbol, Any], functions: Mapping[Any, Any] | None = None
) -> set[Trust]:
    """The leaves of a theorem, said of the values that are put in for letters and functions.

    Raises NotProved for a letter that has its value already: one of the claim, or one that stands
    for something; another letter may stand for that as well.  For a letter that keeps its value
    while those by which it was explained get others.  And for a function that is defined, or that
    a claim speaks of.
    """
    new = {x: value for x, value in chosen.items() if value != x}
    heads = dict(functions or {})
    return {_said_of(trust, theorem, new, heads) for trust in _in_order(theorem)}


def _said_of(
    trust: Trust, theorem: Theorem, new: Mapping[Symbol, Any], functions: Mapping[Any, Any]
) -> Trust:
    spoken = _spoken_of(trust, theorem) & set(new)
    heads = {} if trust.says is None else {f: functions[f] for f in _heads(trust.says, functions)}
    if not (spoken or heads):
        return trust
    explained = {one.lhs for one in meant(trust)}
    chosen_freely = {x for x in explained & set(new) if not _is_name(new[x])}
    if fixed := spoken & (trust.about | chosen_freely):
        letter = min(fixed, key=str)
        why = f"{letter} may not be {new[letter]}: {trust.name} is about its value"
        raise NotProved("undecided", why)
    present = _present(theorem)
    explaining = [one for one in meant(trust) if _names(one.lhs) <= present]
    if kept := [one.lhs for one in explaining if _follows(one, set(new))]:
        why = f"{min(kept, key=str)} may not keep its value: {trust.name} is about it"
        raise NotProved("undecided", why)
    if heads and (trust.kind not in {"meaning", "hypothesis", "textbook"} or trust.found.intersection(heads)):
        why = f"{min(heads, key=str)} may be no other function: {trust.name} is about it"
        raise NotProved("undecided", why)
    values = {x: new[x] for x in set(new) - _varying(trust)} if spoken else {}
    shown = frozenset(_shown(x, range_, values) for x, range_ in trust.shown)
    extremes = frozenset(one.xreplace(values) for one in trust.extremes)
    if trust.says is None:
        detail = f"it is {', '.join(map(str, extremes))}"
        return replace(trust, detail=detail, extremes=extremes, shown=shown)
    says = sympy.sympify(trust.says).xreplace(values)
    under = frozenset(sympy.sympify(one).xreplace(values) for one in trust.under)
    for function, other in heads.items():
        says = says.replace(function, other)
        under = frozenset(one.replace(function, other) for one in under)
        extremes = frozenset(one.replace(function, other) for one in extremes)
    if says == False:  # noqa: E712 - SymPy's truth
        raise NotProved("undecided", f"{trust.name} would be false")
    within = frozenset((x, range_) for x, range_ in trust.within if x not in values)
    there = replace(trust, says=says, detail=str(says), extremes=extremes)
    return replace(there, shown=shown, under=under, within=within)


def _shown(name: Expr, range_: Set, values: Mapping[Symbol, Any]) -> tuple[Expr, Set]:
    """What a name is called now, where its value is known to lie; NotProved if it may not be."""
    other = values.get(name, name)
    if not isinstance(other, Symbol) and not range_.is_subset(assumed(other)):
        raise NotProved("undecided", f"{name} may not be {other}: it is known to lie in {range_}")
    return other, range_


def _follows(meaning: Boolean, new: set[Symbol]) -> bool:
    """Whether what has its value by other letters would keep it while these get other ones."""
    left, right = (side.free_symbols & new for side in meaning.args)
    return not left and bool(right)


def _heads(statement: Boolean, functions: Mapping[Any, Any]) -> list[Any]:
    """Which of the functions a statement speaks of."""
    named = {node.func for node in statement.atoms(AppliedUndef)}
    return [one for one in functions if one in named]


def _spoken_of(trust: Trust, theorem: Theorem) -> set[Symbol]:
    """The letters of a theorem of whose values a meaning or a hypothesis says something.

    None is an index, an integer at which a function is taken: that is said of all its values. And
    nothing is said of a theorem in which what a meaning explains does not occur.
    """
    if trust.kind in {"claim", "textbook"}:
        return set(trust.about)
    if trust.kind not in {"meaning", "hypothesis"}:
        return set()
    if trust.says is None:
        return set().union(*(one.free_symbols for one in trust.extremes))
    present = _present(theorem)
    each = (_spoken_in(one, trust, present) for one in sympy.And.make_args(trust.says))
    return set().union(*each) - _varying(trust)


def _present(theorem: Theorem) -> set[object]:
    """The letters and functions of a theorem: what else a leaf explains has been eliminated."""
    return _names(theorem.statement, *theorem.under)


def _spoken_in(one: Boolean, trust: Trust, present: set[object]) -> set[Symbol]:
    if trust.kind == "hypothesis":
        return set(one.free_symbols) - indices(one, trust.about, own=True)
    if not isinstance(one, sympy.Eq):
        return set(one.free_symbols) - indices(one, trust.about)
    if not _names(one.lhs) <= present:
        return set()
    if one.lhs.is_Symbol:
        return set(one.free_symbols)
    defined = set(one.lhs.free_symbols) if isinstance(one.lhs, AppliedUndef) else set()
    return set(one.free_symbols) - indices(one, trust.about) - (defined - trust.about)


def _is_name(value: sympy.Expr) -> bool:
    """Whether a value is that of a letter or a function, or its size."""
    inside = value.args[0] if isinstance(value, sympy.Abs) else value
    return isinstance(inside, Symbol | AppliedUndef)


def _names(*things: sympy.Basic) -> set[object]:
    """The letters and the functions without a formula that occur."""
    letters: set[object] = set().union(*(one.free_symbols for one in things))
    return letters | {node.func for one in things for node in one.atoms(AppliedUndef)}
