"""Whether a theorem proves the statement as it stands.

A proof counts only if what it ends in is the part itself: the same relation, for all values of
the letters in their domains, under no hypothesis that the claim does not make.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symbolic.equality import equal
from symbolic.latex_printer import latex
from theorems.engine.claims.claim import Claim
from theorems.engine.claims.kinds import Answer
from theorems.engine.judging.answers import Outcome
from theorems.engine.judging.conflicts import conflict
from theorems.engine.judging.explained import stand_for
from theorems.engine.judging.given import Given, own_things
from theorems.engine.judging.misplaced import misplaced
from theorems.engine.judging.refuting import (
    allowed_points,
    counterexample,
    determined,
    failure,
    false_at,
    place,
)
from theorems.engine.judging.unsaid import parts_of, unsaid
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.letters import Kind, NamedFunction
from theorems.engine.statements.statement import written
from theorems.engine.statements.values import Evaluator, points, rebuilt, sides, unfolded

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem
    from theorems.engine.rules.theorem import Trust

__all__ = ["contradicted", "entry", "established", "inferences", "same_statement", "undeclared_premise"]


def contradicted(theorem: Theorem, given: Given) -> dict[Symbol, Any] | None:
    """A point at which the part fails, what an equation of the theorem says being inserted."""
    says = theorem.statement
    # What the other letters determine cannot be chosen, so that no point refutes; an equation
    # says what the value is.
    if determined(given.goal, given) and not isinstance(says, sympy.Eq):
        return None
    try:
        goal, known = unfolded(given.goal), unfolded(says)
    except ValueError:  # a function of the paper outside its domain
        return None
    if isinstance(known, sympy.Eq) and not known.lhs.is_Symbol:
        goal = rebuilt(goal, {known.lhs: known.rhs})
    if goal in {True, False}:
        return None if goal == True else {}  # noqa: E712 - SymPy's truth
    return failure(goal, given)


def established(theorem: Theorem, given: Given) -> Outcome:
    """Whether the theorem is the part; if not, whether the part fails somewhere."""
    from theorems.engine import rules  # noqa: PLC0415 - only proofs need it

    rules.genuine(theorem)
    goal, domain = given.goal, given.domain
    why = undeclared_premise(theorem, given.claim) or _begged(theorem, goal)
    why = why or unsaid(theorem, given.claim) or misplaced(theorem, given)
    why = why or _shortfall(theorem, goal, domain, given.conditions)
    why = why or conflict(theorem, given)
    if why is None and not _inhabited(domain, given.conditions):
        why = "vacuous: no point of the domain was found that meets the hypotheses"
    why = why or _restricted(theorem, given)
    where = _narrowed(theorem, given) if why is None else contradicted(theorem, given)
    if where is not None:
        return false_at(where, given)
    if why is not None:
        return Outcome(Answer.UNDECIDED, why)
    return Outcome(Answer.ACCEPTED, f"proved: {theorem}", numbers=_told(theorem, given))


def _told(theorem: Theorem, given: Given) -> dict[str, Any]:
    """What readers are told of a proof: its leaves, its letters, its grade and its inferences."""
    return {
        "trusts": sorted({entry(one, given.claim) for one in theorem.trusts}),
        "stand for": stand_for(theorem, given.claim),
        "grade": theorem.grade,
        "inferences": inferences([theorem]),
    }


def inferences(theorems: Iterable[Theorem]) -> list[tuple[str, str]]:
    """The questions to the solver by which theorems were made, each with that of its premises."""
    leaves: set[Trust] = set().union(*(one.trusts for one in theorems))
    return sorted({(one.question, one.premises) for one in leaves if one.question})


@lru_cache(maxsize=1024)  # many proofs of one claim stand on the same leaves
def entry(leaf: Trust, claim: Claim) -> tuple[str, str, str]:
    """A leaf as it is kept: its kind, its name, and what it says.

    Of what is supposed or meant that is the LaTeX, in the claim's letters.
    """
    if leaf.kind not in {"meaning", "hypothesis"}:
        return leaf.kind, leaf.name, leaf.detail
    if leaf.says is None:
        return leaf.kind, leaf.name, rf"\text{{{leaf.detail}}}"
    return leaf.kind, leaf.name, latex(leaf.says, written(claim.letters))


#: Leaves that people vouch for.
_NAMED = {"meaning", "hypothesis", "textbook", "bridge"}


def _narrowed(theorem: Theorem, given: Given) -> dict[Symbol, Any] | None:
    """A point at which a statement about numbers fails, although premises by name show it.

    A premise about what a number of the statement stands for narrows the statement without
    saying so: elsewhere it may be false.  So may a function of the paper: to a solver it is one
    of all numbers, whereas its closed form may be a root, which has no real value somewhere.
    """
    named = any(trust.kind in _NAMED for trust in theorem.trusts)
    if not (named or given.goal.atoms(NamedFunction)):
        return None
    return failure(given.goal, given)


def _restricted(theorem: Theorem, given: Given) -> str | None:
    """Where a part fails of which nothing says what its quantities are; None if nowhere.

    They are determined by what the claim's words say, and the proof holds for all their values: it
    has to do with none of this. What explains other things by them has restricted them. A claim
    may say of another quantity what it is that these are. Letters that are formulas of others have
    the values of these.
    """
    chosen = determined(given.goal, given)
    if not chosen:
        return None
    goal, *conditions = _with_values([given.goal, *given.conditions], theorem, given)
    told = (_is_told(x, leaf, given) for x in goal.free_symbols for leaf in theorem.trusts)
    where = None if any(told) else counterexample(goal, given.domain, tuple(conditions))
    if where is None:
        return None
    unsaid_of = next((x for x in chosen if x in goal.free_symbols), chosen[0])
    return f"the proof does not say what {unsaid_of} is, and the part fails at {place(where)}"


def _with_values(statements: Iterable[Boolean], theorem: Theorem, given: Given) -> list[Boolean]:
    """Statements without the letters that a proof explains by others; and that these have such values."""
    from theorems.engine.rules.definitions import is_of_numbers  # noqa: PLC0415 - only proofs
    from theorems.engine.rules.ranges import within  # noqa: PLC0415 - only proofs
    from theorems.engine.rules.theorem import meant  # noqa: PLC0415 - only proofs

    equations = (one for leaf in theorem.trusts for one in meant(leaf) if not leaf.under)
    known = {one.lhs: one.rhs for one in equations if one.lhs in given.domain}
    values = {
        x: value
        for x, value in known.items()
        if is_of_numbers(value) and value.free_symbols <= set(given.domain) - set(known)
    }
    inside = (within(value, given.domain[x]) for x, value in sorted(values.items(), key=str))
    return [*(one.xreplace(values) for one in statements), *inside]


def _is_told(letter: Symbol, leaf: Trust, given: Given) -> bool:
    """Whether a leaf says something of what a letter stands for, or what is true of it."""
    if leaf.says is None:
        return letter in set().union(*(one.free_symbols for one in leaf.extremes))
    if leaf.kind == "claim":
        other = given.find(leaf.name.partition(" (")[0])
        return any(other.letters[x].kind is not Kind.NUMBER for x in other.given)
    if leaf.kind != "meaning":
        return letter in leaf.says.free_symbols
    named = (one.lhs for one in parts_of(leaf.says) if isinstance(one, sympy.Eq))
    return any(letter in one.free_symbols for one in (*named, *leaf.extremes))


def undeclared_premise(theorem: Theorem, claim: Claim) -> str | None:
    """A hypothesis or another claim among the leaves that the claim does not name; or None.

    Or what a fact of the textbooks finds, and the claim has.
    """
    from theorems.engine.rules.choices import misused  # noqa: PLC0415 - only proofs need it

    names = {one.name for one in claim.hypotheses}
    for trust in theorem.trusts:
        if trust.kind == "hypothesis" and trust.name not in names:
            return f"the proof uses the hypothesis {trust.name}, which the claim does not have"
        if trust.kind == "claim" and trust.name.partition(" (")[0] not in claim.rests_on:
            return f"the proof uses {trust.name}, on which the claim does not rest"
    return misused(theorem.trusts, own_things(claim)) or None


def _shortfall(
    theorem: Theorem, goal: Boolean, domain: Mapping[Symbol, Domain], under: tuple[Boolean, ...]
) -> str | None:
    """What the theorem lacks to be the statement; None if nothing."""
    if not same_statement(theorem.statement, goal, domain):
        return f"the proof ends in {theorem.statement}, not in {goal}"
    for symbol, proved in theorem.over.items():
        wanted = domain.get(symbol)
        if wanted is not None and wanted.is_subset(proved) is not True:
            return f"the proof is for {symbol} in {proved}, the claim for {wanted}"
    extra = [one for one in theorem.under if one not in under]
    return f"the proof assumes {extra[0]}" if extra else None


def _begged(theorem: Theorem, goal: Boolean) -> str | None:
    """A premise that is the goal itself, maybe in other words; None if there is none.

    A claim may be another one, which is proved elsewhere.
    """
    for trust in theorem.trusts:
        if trust.kind in _NAMED and trust.says is not None and _says_too(trust.says, goal):
            return f"the proof takes over what it should show, from the {trust}"
    return None


def _says_too(premise: Boolean, goal: Boolean) -> bool:
    """Whether a premise is the goal, or names it among others, up to the order and a factor."""
    if premise == goal:
        return True
    return goal.free_symbols <= premise.free_symbols and _clauses(goal) <= _clauses(premise)


def _clauses(statement: Boolean) -> frozenset[frozenset[Any]]:
    """The statements of a conjunction, each as the alternatives that it leaves."""
    return frozenset(map(_alternatives, sympy.And.make_args(statement)))


def _alternatives(statement: Boolean) -> frozenset[Any]:
    if isinstance(statement, sympy.Implies):
        return _alternatives(sympy.Not(statement.args[0])) | _alternatives(statement.args[1])
    if isinstance(statement, sympy.Or):
        return frozenset().union(*map(_alternatives, statement.args))
    return frozenset([_plainly(statement)])


def _plainly(statement: Boolean) -> Any:
    """A relation between numbers by its kind and the difference of its sides, up to a factor."""
    if not isinstance(statement, Relational):
        return statement
    small, large = sides(statement)
    _, gap = sympy.expand(large - small).as_content_primitive()
    if isinstance(statement, sympy.Eq | sympy.Ne):
        return _kind(statement), frozenset([gap, sympy.expand(-gap)])
    return _kind(statement), gap


def same_statement(proved: Boolean, goal: Boolean, domain: Mapping[Symbol, Domain]) -> bool:
    """Whether two relations are the same, or have equal sides on the whole domain."""
    if proved == goal:
        return True
    proved, goal = unfolded(proved), unfolded(goal)
    if proved == goal:
        return True
    if not (isinstance(proved, Relational) and isinstance(goal, Relational)):
        return _same_compound(proved, goal, domain)
    if _kind(proved) is not _kind(goal):
        return False
    pairs = [tuple(zip(sides(proved), sides(goal), strict=True))]
    if isinstance(goal, sympy.Eq | sympy.Ne):
        pairs.append(tuple(zip(sides(proved), reversed(sides(goal)), strict=True)))
    known = {s: d for s, d in domain.items() if s in proved.free_symbols | goal.free_symbols}
    return any(all(_equal(one, other, known) for one, other in pair) for pair in pairs)


def _equal(one: Any, other: Any, domain: Mapping[Symbol, Domain]) -> bool:
    """Structurally, or by the decider; False where it does not know."""
    if one == other:
        return True
    try:
        symbols = one.free_symbols | other.free_symbols
        ranges = {s: d for s, d in domain.items() if s in symbols and isinstance(d, sympy.Interval)}
        return equal(one, other, ranges) is True
    except (ValueError, TypeError, RuntimeError):
        return False


def _same_compound(proved: Boolean, goal: Boolean, domain: Mapping[Symbol, Domain]) -> bool:
    if proved.func is not goal.func or len(proved.args) != len(goal.args):
        return False
    pairs = zip(proved.args, goal.args, strict=True)
    return all(
        same_statement(one, other, domain) if isinstance(one, Boolean) else one == other
        for one, other in pairs
    )


def _kind(relation: Relational) -> type:
    turned: dict[type, type] = {sympy.Ge: sympy.Le, sympy.Gt: sympy.Lt}
    return turned.get(type(relation), type(relation))


def _inhabited(domain: Mapping[Symbol, Domain], under: tuple[Boolean, ...]) -> bool:
    """Whether some exact point of the domain meets the hypotheses that have balls."""
    if any(one.is_empty is not False for one in domain.values()):
        return False
    used = set().union(*(one.free_symbols for one in under)) & set(domain)
    box = {symbol: domain[symbol] for symbol in used}
    known = tuple(one for one in under if _has_balls(one, box))
    return not known or next(allowed_points(box, known, 2000), None) is not None


def _has_balls(condition: Boolean, box: Mapping[Symbol, Domain]) -> bool:
    try:
        Evaluator(condition)(next(points(box)))
    except TypeError:
        return False
    return True
