"""Whether a theorem proves the statement as it stands, and whether the statement fails somewhere.

A proof counts only if what it ends in is the part itself: the same relation, for all values of
the letters in their domains, under no hypothesis that the claim does not make.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
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
from theorems.engine.judging.explained import stand_for
from theorems.engine.judging.given import Given, own_things
from theorems.engine.judging.misplaced import misplaced
from theorems.engine.judging.unsaid import unsaid
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.letters import Kind, NamedFunction
from theorems.engine.statements.statement import written
from theorems.engine.statements.values import (
    Evaluator,
    compare,
    contains,
    points,
    rebuilt,
    sides,
    unfolded,
)

if TYPE_CHECKING:
    from theorems.engine.rules import Theorem
    from theorems.engine.rules.theorem import Trust

__all__ = [
    "contradicted",
    "counterexample",
    "determined",
    "established",
    "failing",
    "place",
    "refuted_at",
    "same_statement",
]


def place(point: Mapping[Any, Any]) -> str:
    """A point in words."""
    return ", ".join(f"{letter} = {value}" for letter, value in point.items())


def determined(relation: Boolean, given: Given) -> list[Symbol]:
    """The letters of a relation that are no numbers to choose.

    Such a relation may hold although it fails at some values of them, which they never have.
    """
    letters = given.claim.letters
    found = (x for x in relation.free_symbols if letters[x].kind is not Kind.NUMBER)
    return sorted(found, key=str)


def _failure(relation: Boolean, given: Given) -> dict[Symbol, Any] | None:
    """An exact point at which a relation between numbers fails, if one is found."""
    if determined(relation, given):
        return None
    return counterexample(relation, given.domain, given.conditions)


def failing(relation: Boolean, given: Given, point: Mapping[Any, Any]) -> dict[Symbol, Any] | None:
    """Where a relation between numbers fails: at the point, if it is one, or at another one."""
    here = {x: point[x] for x in given.domain if x in point}
    used = relation.free_symbols.union(*(one.free_symbols for one in given.conditions))
    if used <= here.keys() and _fails_at(relation, given, here):
        return here
    return _failure(relation, given)


def _fails_at(relation: Boolean, given: Given, point: Mapping[Symbol, Any]) -> bool:
    """Whether a point is in the domain, meets the hypotheses, and refutes the relation."""
    inside = all(contains(given.domain[x], value) is True for x, value in point.items())
    try:
        meets = inside and all(compare(one, point).answer is True for one in given.conditions)
        return meets and compare(relation, point).answer is False
    except (TypeError, ValueError):  # no balls, or a function outside its domain
        return False


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
    return _failure(goal, given)


def established(theorem: Theorem, given: Given) -> Outcome:
    """Whether the theorem is the part; if not, whether the part fails somewhere."""
    from theorems.engine import rules  # noqa: PLC0415 - only proofs need it

    rules.genuine(theorem)
    goal, domain = given.goal, given.domain
    why = undeclared_premise(theorem, given.claim) or _begged(theorem, goal)
    why = why or unsaid(theorem, given.claim) or misplaced(theorem, given)
    why = why or _shortfall(theorem, goal, domain, given.conditions)
    trusts = sorted({(one.kind, one.name, _detail(one, given)) for one in theorem.trusts})
    numbers = {
        "trusts": trusts,
        "stand for": stand_for(theorem, given.claim),
        "grade": theorem.grade,
        "inferences": inferences([theorem]),
    }
    if why is None and not _inhabited(domain, given.conditions):
        why = "vacuous: no point of the domain was found that meets the hypotheses"
    where = _narrowed(theorem, given) if why is None else contradicted(theorem, given)
    if where is not None:
        said = place(where)
        return Outcome(Answer.REJECTED, f"false at {said or 'once'}", witness=said)
    if why is not None:
        return Outcome(Answer.UNDECIDED, why)
    return Outcome(Answer.ACCEPTED, f"proved: {theorem}", numbers=numbers)


def inferences(theorems: Iterable[Theorem]) -> list[tuple[str, str]]:
    """The questions to the solver by which theorems were made, each with that of its premises."""
    leaves: set[Trust] = set().union(*(one.trusts for one in theorems))
    return sorted({(one.question, one.premises) for one in leaves if one.question})


def _detail(leaf: Trust, given: Given) -> str:
    """What a leaf says: of what is supposed or meant the LaTeX, in the claim's letters."""
    if leaf.kind not in {"meaning", "hypothesis"}:
        return leaf.detail
    if leaf.says is None:
        return rf"\text{{{leaf.detail}}}"
    return latex(leaf.says, written(given.claim.letters))


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
    return _failure(given.goal, given)


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


def counterexample(
    goal: Boolean, domain: Mapping[Symbol, Domain], under: tuple[Boolean, ...] = ()
) -> dict[Symbol, Any] | None:
    """An exact point of the domain at which balls show that the relation fails, if one is found."""
    used = goal.free_symbols.union(*(one.free_symbols for one in under))
    if not used <= set(domain):
        return None
    try:
        evaluate = Evaluator(goal)
        for point in allowed_points({symbol: domain[symbol] for symbol in used}, under):
            if evaluate(point).answer is False:
                return point
    except (TypeError, ValueError):  # no balls, or a function outside its domain
        return None
    return None


def allowed_points(
    domain: Mapping[Symbol, Domain], under: tuple[Boolean, ...], count: int = 64
) -> Iterator[dict[Symbol, Any]]:
    """Exact points of a box that meet the hypotheses; an equation gives its left letter a value."""
    solved, rest = _solved(under)
    box = {symbol: one for symbol, one in domain.items() if symbol not in solved}
    for point in points(box, count):
        for symbol, value in solved.items():
            point[symbol] = value.subs(point)
        if any(value.has(sympy.nan, sympy.zoo) for value in map(sympy.sympify, point.values())):
            continue
        fits = all(contains(domain[x], point[x]) is True for x in solved if x in domain)
        if fits and all(_is_met(one, tuple(point.items())) for one in rest):
            yield point


@lru_cache(maxsize=16_384)
def _is_met(condition: Boolean, point: tuple[tuple[Symbol, Any], ...]) -> bool:
    """Whether a hypothesis is met there; kept, as variants of a statement are tried there too."""
    return compare(condition, dict(point)).answer is True


def _solved(under: tuple[Boolean, ...]) -> tuple[dict[Symbol, Any], tuple[Boolean, ...]]:
    """Hypotheses `letter = expression`, each after those whose letters it needs; and the others."""
    found = [one for one in under if isinstance(one, sympy.Eq) and one.lhs.is_Symbol]
    equations = {one.lhs: one.rhs for one in found if one.lhs not in one.rhs.free_symbols}
    order = TopologicalSorter({x: value.free_symbols for x, value in equations.items()})
    try:
        solved = {x: equations[x] for x in order.static_order() if x in equations}
    except CycleError:
        return {}, under
    rest = [
        one
        for one in under
        if not (isinstance(one, sympy.Eq) and one.lhs in solved and one.rhs == solved[one.lhs])
    ]
    return solved, tuple(rest)


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


def refuted_at(point: Mapping[Symbol, Any], given: Given) -> Outcome:
    """Whether the part fails at a point of the domain that meets the hypotheses."""
    goal, said = given.goal, place(point)
    if chosen := determined(goal, given):
        why = f"{chosen[0]} is determined by the other letters, so that no value may be chosen"
        return Outcome(Answer.UNDECIDED, why)
    for symbol, domain in given.domain.items():
        if symbol not in point:
            return Outcome(Answer.UNDECIDED, f"the point has no value for {symbol}")
        if contains(domain, point[symbol]) is not True:
            return Outcome(Answer.UNDECIDED, f"{symbol} = {point[symbol]} is not in {domain}")
    for one in given.conditions:
        if compare(one, point).answer is not True:
            return Outcome(Answer.UNDECIDED, f"the point does not meet {one}")
    found = compare(goal, point).answer
    answer = {False: Answer.ACCEPTED, True: Answer.REJECTED, None: Answer.UNDECIDED}[found]
    verb = {False: "fails", True: "holds", None: "is undecided"}[found]
    return Outcome(answer, f"the relation {verb} at {said}", witness=said)
