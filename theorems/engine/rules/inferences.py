"""The rules that make theorems from theorems: consequence, instance, case split, induction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import sympy
from sympy import Range, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.asking import solver_library
from theorems.engine.rules.letters_of_leaves import check_unmentioned, leaves_at_values
from theorems.engine.rules.random_values import check_random
from theorems.engine.rules.ranges import Objects, Over, checked, hull, is_integral, is_whole, keeping, ranging
from theorems.engine.rules.solver import Problem, from_kernel, kernel
from theorems.engine.rules.terms import plainly_true
from theorems.engine.rules.theorem import NotProved, Theorem, Trust, genuine, make, ranges_fit
from theorems.engine.rules.translation import Translation
from theorems.engine.rules.vocabulary import EVENTS, RANDOM, E, P, belongs, is_random


def follows(
    goal: Boolean,
    premises: Sequence[Theorem] = (),
    *,
    over: Over | None = None,
    under: Iterable[Boolean] = (),
) -> Theorem:
    """The goal follows from the premises, for all values in the ranges that satisfy ``under``.

    A premise is used at the letters it is written in, inside its own ranges and hypotheses only;
    for other terms take an ``instance`` of it. Letters that ``over`` does not name range as in the
    premises, others as far as their assumptions go. Raises NotProved (rejected with a witness, or
    undecided), TypeError for a statement that has no translation, ForgedError for a forged premise.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> unit = {x: sympy.Interval(0, 1), y: sympy.Interval(0, 1)}
    >>> print(follows((1 - x * y) ** 2 >= (x - y) ** 2, over=unit))
    (-x*y + 1)**2 >= (x - y)**2 for x in Interval(0, 1), y in Interval(0, 1) [proved]
    >>> follows(x**2 < x, over={x: sympy.Interval(0, 1)})
    Traceback (most recent call last):
      ...
    theorems.engine.rules.theorem.NotProved: rejected: x**2 < x fails at x = 0
    """
    genuine(*premises)
    given, known = tuple(under), [one.over for one in premises]
    letters = checked(ranging(goal, *given, known=known, over=over))
    problem, leaves = Problem(letters, given, premises), _leaves(premises)
    ranges_fit(leaves, problem.translation.over)
    return make(goal, letters, given, leaves | {problem.prove(goal)})


def instance(
    theorem: Theorem,
    values: Mapping[Symbol, Any] | Sequence[Any],
    *,
    over: Over | None = None,
    under: Iterable[Boolean] = (),
) -> Theorem:
    """The theorem with expressions for letters; its hypotheses become those of the instance.

    ``values`` may be a sequence, in the order of the theorem's letters. ``over`` gives new letters
    their sets, without which they range as far as their assumptions go; the other letters keep
    theirs. That each expression is defined and lies in the letter's set is proved by the solver.
    Raises NotProved, or ValueError where an index of a sum or a variable of an integral would be
    caught.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> square = follows(x**2 >= 2 * x - 1, over={x: sympy.Reals})
    >>> print(instance(square, {x: 3 * y}, over={y: sympy.Reals}))
    9*y**2 >= 6*y - 1 for y in Reals [proved]
    """
    genuine(theorem)
    chosen, under = _chosen(theorem, values), tuple(under)
    leaves = leaves_at_values(theorem, chosen)
    kept = {x: range_ for x, range_ in theorem.over.items() if x not in chosen}
    again = set().union(*(value.free_symbols for value in chosen.values())) & set(chosen)
    letters = {**kept, **{x: theorem.over[x] for x in again}, **(over or {})}
    letters = keeping(kept, ranging(*chosen.values(), *under, over=letters))
    given = frozenset(under) | {inserted(one, chosen) for one in theorem.under}
    asked = _in_their_sets(theorem, chosen, letters, given)
    statement = inserted(theorem.statement, chosen)
    return make(statement, letters, given, leaves | asked)


def cases(theorems: Sequence[Theorem], *, over: Over | None = None, under: Iterable[Boolean] = ()) -> Theorem:
    """One statement that was proved in several cases, which cover the ranges.

    Raises ValueError if the statements differ, NotProved if the cases leave values out.

    >>> x = Symbol("x", real=True)
    >>> reals = {x: sympy.Reals}
    >>> parts = [follows(sympy.Abs(x) >= x, over=reals, under=[case]) for case in (x >= 0, x < 0)]
    >>> cases(parts, over=reals).under
    frozenset()
    """
    genuine(*theorems)
    if len({theorem.statement for theorem in theorems}) != 1:
        raise ValueError("the cases must have the same statement")
    return follows(theorems[0].statement, theorems, over=over, under=under)


def induction(
    statement: Boolean,
    letter: Symbol,
    start: int,
    *,
    base: Sequence[Theorem] = (),
    step: Sequence[Theorem] = (),
    over: Over | None = None,
    under: Iterable[Boolean] = (),
) -> Theorem:
    """The statement for all integers from ``start`` on, by induction on the letter.

    At ``start`` it follows from ``base``; at the next integer from itself and ``step``. The other
    letters range as ``over`` says, or as in a consequence of these theorems, and the hypotheses
    ``under`` must not contain the letter. The principle is knuckledragger's induction on integers.
    Raises NotProved for either part.

    >>> n = Symbol("n", integer=True)
    >>> print(induction(n**2 >= 2 * n - 1, n, 1))
    n**2 >= 2*n - 1 for n in Range(1, oo, 1) [proved]
    """
    genuine(*base, *step)
    given = tuple(under)
    if any(letter in one.free_symbols for one in given) or letter in (over or {}):
        raise ValueError(f"{letter} must be bound by the induction alone")
    known = [one.over for one in (*base, *step)]
    others = ranging(statement, *given, known=known, over=over)
    others.pop(letter, None)
    letters = {**others, letter: Range(start, sympy.oo)}
    first = inserted(statement, {letter: sympy.Integer(start)})
    following = inserted(statement, {letter: letter + 1})
    begun = follows(first, base, over=others, under=given)
    goes_on = follows(following, step, over=letters, under=[*given, statement])
    check_unmentioned([letter], begun, goes_on)
    return make(statement, letters, given, _leaves([begun, goes_on]) | {_by_integers()})


def _leaves(premises: Iterable[Theorem]) -> set[Trust]:
    return set().union(*(premise.trusts for premise in premises))


def _chosen(theorem: Theorem, values: Any) -> dict[Symbol, Any]:
    """The new values by letter, as SymPy's."""
    if not isinstance(values, Mapping):
        values = dict(zip(theorem.over, values, strict=True))
    unknown = [str(letter) for letter in values if letter not in theorem.over]
    if unknown:
        raise ValueError(f"{', '.join(unknown)} are no letters of the theorem")
    return {letter: sympy.sympify(value) for letter, value in values.items()}


def _in_their_sets(theorem: Theorem, chosen: Any, letters: Over, given: Iterable[Boolean]) -> set[Trust]:
    """Prove that values lie in the sets of the letters; what the inferences trust."""
    numbers, drawn = {}, []
    for letter, value in chosen.items():
        range_ = theorem.over[letter]
        if not isinstance(range_, Objects):
            numbers[letter] = value
        elif not belongs(value, range_):
            raise TypeError(f"{value} must be one of the {range_}, as it replaces {letter}")
        elif range_ in {RANDOM, EVENTS}:
            drawn.append(value)
    asked = check_random(drawn, letters, given)
    for letter, value in numbers.items():
        range_ = theorem.over[letter]
        if isinstance(value, Symbol) and letters.get(value) == range_:
            continue
        wanted = hull(range_) if is_integral(range_) and is_whole(value, letters) else range_
        if not plainly_true(Translation(letters).member(value, wanted)):
            problem = Problem(letters, given, ())
            inside = sympy.Contains(value, range_, evaluate=False)
            asked.add(problem.prove(inside, problem.translation.member(value, wanted)))
    return asked


def inserted(statement: Any, values: Mapping[Symbol, Any]) -> Any:
    """A statement or expression with expressions for letters, all at once.

    Raises ValueError where an index of a sum or a variable of an integral is, or would be caught.

    >>> k, n = sympy.symbols("k n", integer=True)
    >>> inserted(sympy.Sum(n, (k, 0, n)), {n: k})
    Traceback (most recent call last):
      ...
    ValueError: k would be caught in Sum(n, (k, 0, n))
    """
    moving = set(values).union(*(sympy.sympify(value).free_symbols for value in values.values()))
    random = {x for x, value in values.items() if is_random(value)}
    for node in sympy.preorder_traversal(statement):
        bound = set(getattr(node, "bound_symbols", ()))
        if isinstance(node, sympy.Limit | sympy.Derivative):
            bound = node.atoms(Symbol)
        if isinstance(node, E | P):  # what is random in it is so under the mean
            bound |= {x for x in node.free_symbols & random if not hasattr(x, "belongs_to")}
        if caught := moving & bound:
            raise ValueError(f"{', '.join(sorted(map(str, caught)))} would be caught in {node}")
    return _replaced(statement, values)


def _replaced(statement: Any, values: Mapping[Symbol, Any]) -> Any:
    """The statement with the values, its relations as they come out unless both sides are numbers.

    SymPy would ask for the sign of each difference, which takes longer than all the rest.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> _replaced(x + 1 >= y, {y: 0 * x}), _replaced(sympy.Eq(x, 2), {x: sympy.Integer(3)})
    (x + 1 >= 0, False)
    """
    if isinstance(statement, sympy.core.relational.Relational):
        sides = [side.xreplace(values) for side in statement.args]
        plain = sides[0] == sides[1] or all(side.is_number for side in sides)
        return statement.func(*sides, evaluate=plain)
    if isinstance(statement, sympy.And | sympy.Or | sympy.Not | sympy.Implies | sympy.Equivalent):
        return statement.func(*(_replaced(part, values) for part in statement.args))
    return statement.xreplace(values)


@cache
def _by_integers() -> Trust:
    """Let the kernel conclude P(k) for all k from its principle, P being a name for the statement.

    P(k) says the statement at start + k for k >= 0, and nothing for k < 0: so its parts are what
    an induction proves of the statement, whatever that is.
    """
    z3 = solver_library()
    P, k = z3.Function("P", z3.IntSort(), z3.BoolSort()), z3.Int("k")
    scheme = import_module("kdrag.notation").induct_int(k, P)
    down, first, up = scheme.thm.arg(0).children()
    parts = [
        kernel().axiom(down, by=["P(k) says nothing for k < 0"]),
        kernel().axiom(first, by=["the statement holds at the start"]),
        kernel().axiom(up, by=["where the statement holds it holds at the next integer"]),
    ]
    if scheme.admit or not scheme.thm.arg(1).eq(P(k)):
        raise NotProved("undecided", "the kernel's principle says something else")
    asked = from_kernel(P(k), [scheme, *parts])
    if asked.answer.said != "unsat" or asked.question is None:
        raise NotProved("undecided", f"Z3 does not decide it: {asked.answer.why}")
    principle = "knuckledragger's integer_induction"
    return Trust("solver", "induction on integers", principle, question=asked.question.key)
