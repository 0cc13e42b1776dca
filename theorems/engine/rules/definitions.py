"""What makes an equation a definition: a name, and a value that lies where the name may be.

If a letter in [0, oo) stands for x - 1, that says x >= 1, and if two letters stand for each other's
double, that says they are 0. A definition says nothing of what was there before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import sympy
from sympy import Eq, Expr, Function, Interval, S, Set, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import And, Boolean, Implies, Or

from theorems.engine.rules import terms
from theorems.engine.rules.asking import bound
from theorems.engine.rules.evaluation import far_points, simple_points
from theorems.engine.rules.names import in_order
from theorems.engine.rules.ranges import Over, assumed, hull, is_integral, is_whole
from theorems.engine.rules.solver import Problem
from theorems.engine.rules.terms import Term, plainly_true
from theorems.engine.rules.theorem import NotProved, Trust
from theorems.engine.rules.translation import Translation
from theorems.engine.rules.vocabulary import E, P

__all__ = [
    "Definition",
    "Fit",
    "believed",
    "beyond",
    "definitions",
    "is_name",
    "is_of_numbers",
    "is_of_objects",
    "is_quantity",
    "misfit",
    "outside",
]


class Fit(NamedTuple):
    """Whether a condition on what a name stands for is met: why not, or that nobody knows.

    ``fails`` says where it is not met; what is ``believed`` neither the solver nor points decide.
    """

    fails: str = ""
    believed: tuple[str, ...] = ()


def believed(*fits: Fit) -> set[Trust]:
    """Leaves for what is believed of the values of names."""
    why = "neither the solver nor points decide it"
    return {Trust("believed range", one, why) for fit in fits for one in fit.believed}


@dataclass(frozen=True)
class Definition:
    """A name, its size or a power of it, times a factor, is a value where conditions hold."""

    equation: Eq
    conditions: tuple[Boolean, ...]
    name: Expr
    degree: int  # the power, and 0 for the size
    factor: Expr

    @property
    def value(self) -> Expr:
        """What the name, its size or its power stands for."""
        return self.equation.rhs / self.factor


def definitions(statement: Boolean, given: tuple[Boolean, ...] = ()) -> Iterator[list[Definition]]:
    """For each equation of a statement what it may define, under what was said before it.

    One that describes objects by their means, norms or sums has nothing to define. Raises
    TypeError for one that has no name on its left.
    """
    for one in _in_order(statement):
        if isinstance(one, Implies):
            for readings in definitions(one.args[1], (*given, one.args[0])):
                _check_apart(readings, one.args[0])
                yield readings
        elif isinstance(one, Or):
            yield from _choice(one, given)
        elif isinstance(one, Eq):
            yield _readings(one, given)
            given = (*given, one)


def _check_apart(readings: list[Definition], condition: Boolean) -> None:
    """Check that a letter is not explained under a condition of its own."""
    if readings and all(one.name in condition.free_symbols for one in readings):
        raise TypeError(_NOT_EXPLAINED.format(readings[0].equation))


_NOT_EXPLAINED = "a letter must be explained by other letters, got {}"


def _in_order(statement: Boolean) -> list[Boolean]:
    """The parts of a statement, those after others that these explain the letters of."""
    waiting, ordered = [*in_order(And.make_args(statement))], list[Boolean]()
    while waiting:
        free = (one for one in waiting if not any(_explains(other, one) for other in waiting))
        ordered.append(next(free, waiting[0]))
        waiting.remove(ordered[-1])
    return ordered


def _explains(other: Boolean, one: Boolean) -> bool:
    """Whether a letter that one equation defines occurs in another one, on the right or beside."""
    if not (isinstance(one, Eq) and isinstance(other, Eq)) or one == other:
        return False
    beside = one.lhs if isinstance(one.lhs, sympy.Mul) else sympy.S.One
    name, _ = _with_degree(other.lhs)
    return bool(name.is_Symbol and (one.rhs * beside).has(name))


def _choice(alternatives: Or, given: tuple[Boolean, ...]) -> Iterator[list[Definition]]:
    """One of several values for one name, such as 0 or 1."""
    sides = {one.lhs if isinstance(one, Eq) else one for one in alternatives.args}
    if len(sides) > 1:
        raise TypeError(f"alternatives must be values of one name, got {alternatives}")
    for one in alternatives.args:
        yield from definitions(one, given)


def _readings(equation: Eq, given: tuple[Boolean, ...]) -> list[Definition]:
    """What a left side times a factor may be: the definition of any of its factors."""
    left, right = equation.args
    found = []
    for one in sympy.Mul.make_args(left):
        name, degree = _with_degree(one)
        factor = left / one
        indicator = one == right**2 and isinstance(right, Function)
        if is_name(name) and (indicator or not (factor * right).has(name)):
            found.append(Definition(equation, given, name, degree, factor))
    if isinstance(left, sympy.Max | sympy.Min | sympy.Piecewise | sympy.sign):
        raise TypeError(f"a meaning must say what a name stands for, got {equation}")
    if not found and not is_of_objects(left):
        raise TypeError(_NOT_EXPLAINED.format(equation))
    return found


def _with_degree(term: Expr) -> tuple[Expr, int]:
    if isinstance(term, sympy.Abs):
        return term.args[0], 0
    if term.is_Pow and term.exp.is_Integer and term.exp > 1:
        return term.base, int(term.exp)
    return term, 1


def is_name(term: Expr) -> bool:
    """Whether a term is a letter or the value of a function that has no formula here."""
    named = isinstance(term, Symbol | AppliedUndef) or getattr(term, "is_named", False)
    return bool(named) or _is_opaque(term)


def _is_opaque(term: Any) -> bool:
    return bool(getattr(term, "is_opaque", False)) or hasattr(term, "square")


def is_of_objects(expression: Expr) -> bool:
    """Whether there are numbers of objects in it, such as means, norms and sums, and no letters.

    >>> from theorems.engine.rules.vocabulary import Random, Vector, norm
    >>> X, u, q = Random("X"), Vector("u"), Symbol("q")
    >>> is_of_objects(E(X) + 2 * norm(u)), is_of_objects(1 - q), is_of_objects(q * E(X))
    (True, False, False)
    """
    if expression.is_number:
        return False
    if isinstance(expression, sympy.Add | sympy.Mul | sympy.Pow):
        return all(is_of_objects(one) for one in expression.args if not one.is_number)
    summed = expression.atoms(Function) if isinstance(expression, sympy.Sum) else ()
    return _is_opaque(expression) or any(map(is_name, summed))


def range_of(name: Expr, over: Over) -> Set:
    """Where a name may have its values."""
    if isinstance(name, Symbol):
        return over[name]
    if isinstance(name, E) and name.args[0].is_nonnegative:
        return Interval(0, sympy.oo)
    return Interval(0, 1) if isinstance(name, P) else assumed(name)


def misfit(one: Definition, over: Over, known: Iterable[Boolean]) -> Fit:
    """Whether a definition says more than what a name stands for.

    The solver is asked where the value lies, and then points are tried. What numbers that belong
    to objects may be is believed, as the objects are what the numbers of a claim stand for.
    """
    given = [*known, *one.conditions, *_known_of_means(one.equation)]
    given = [condition for condition in given if condition.free_symbols <= set(over)]
    nonzero = sympy.Ne(one.factor, 0, evaluate=False)
    factor = Fit() if one.factor.is_zero is False else _met(nonzero, over, given)
    if factor.fails:
        return Fit(f"{one.equation} does not say what {one.name} is: {factor.fails}")
    allowed = _image(range_of(one.name, over), one.degree)
    if one.value == one.name or allowed == S.Reals:
        return factor
    value = _met(sympy.Contains(one.value, allowed, evaluate=False), over, given)
    why = f"{one.name} stands for {one.equation.rhs}, which may lie outside of its range: "
    return Fit(value.fails and why + value.fails, factor.believed + value.believed)


def is_quantity(term: Expr) -> bool:
    """Whether a term may be an extreme: a name, or how far a letter is from a number."""
    if isinstance(term, sympy.Abs):
        letters = term.free_symbols
        return len(letters) == 1 and (term.args[0] - next(iter(letters))).is_number is True
    return is_name(term)


def beyond(relation: Boolean, quantity: Expr, over: Over, known: Iterable[Boolean]) -> Fit:
    """Where a value is above the range of what should be the largest, or below that of the least.

    As ``misfit`` does of a definition.
    """
    value = next(side for side in relation.args if side is not quantity)
    range_ = _range_of_extreme(quantity, over)
    above, end = relation.gts is quantity, range_.sup if relation.gts is quantity else range_.inf
    if not end.is_finite:
        return Fit()
    allowed = Interval(-sympy.oo, end) if above else Interval(end, sympy.oo)
    if range_.contains(end) != sympy.true:
        allowed = allowed.interior
    given = [*known, *_known_of_means(Eq(value, end, evaluate=False))]
    found = _met(sympy.Contains(value, allowed, evaluate=False), over, given)
    why = f"{quantity} in {range_} is no extreme of {value}: "
    return Fit(found.fails and why + found.fails, found.believed)


def outside(value: Expr, range_: Set, over: Over, known: Iterable[Boolean]) -> Fit:
    """Whether a value is between the ends of a range."""
    low, high = range_.inf, range_.sup
    if not (low.is_finite or high.is_finite):
        return Fit()
    found = _met(sympy.Contains(value, Interval(low, high), evaluate=False), over, [*known])
    why = f"{value} may lie outside of {range_}: "
    return Fit(found.fails and why + found.fails, found.believed)


def _range_of_extreme(quantity: Expr, over: Over) -> Set:
    if not isinstance(quantity, sympy.Abs):
        return range_of(quantity, over)
    (letter,) = quantity.free_symbols
    shift, range_ = quantity.args[0] - letter, hull(over[letter])
    ends = range_.inf + shift, range_.sup + shift
    return _image(Interval(*ends, range_.left_open, range_.right_open), 0)


def _met(condition: Boolean, over: Over, given: list[Boolean]) -> Fit:
    """Whether a condition is met, as the solver finds; where it does not, points are tried."""
    return _fit(condition, tuple(over.items()), tuple(given), bound())


@lru_cache(maxsize=4096)  # a proof is made anew for each variant of its goal
def _fit(
    condition: Boolean, ranges: tuple[tuple[Symbol, Any], ...], given: tuple[Boolean, ...], _effort: int
) -> Fit:
    over = dict(ranges)
    problem = Problem(over, given, ())
    wanted = _for_the_solver(condition, problem.translation)
    if plainly_true(wanted):
        return Fit()
    try:
        problem.prove(condition, wanted)
    except NotProved as found:
        if is_of_numbers(condition):
            points = found.answer != "rejected"
            refuted = _at_points(condition, over, [*given]) if points else found
            if refuted:
                return Fit(refuted.why)
        return Fit(believed=(_in_words(condition),))
    return Fit()


def _in_words(condition: Boolean) -> str:
    """A condition as a reader sees it: that a value is in a range, or is not 0."""
    if isinstance(condition, sympy.Contains):
        return f"{condition.args[0]} in {condition.args[1]}"
    return f"{condition.lhs} is not {condition.rhs}"


def _for_the_solver(condition: Boolean, translation: Translation) -> Term:
    """The condition, of bounds alone where the value is an integer as its letters are."""
    if not isinstance(condition, sympy.Contains):
        return terms.both(reversed(translation.formula(condition)))
    value, range_ = condition.args
    bounds = is_integral(range_) and is_whole(value, translation.over)
    return translation.member(value, hull(range_) if bounds else range_)


def is_of_numbers(term: Expr | Boolean) -> bool:
    """Whether there are letters and known functions only."""
    nodes = sympy.preorder_traversal(term)
    return not any(_is_opaque(one) or isinstance(one, AppliedUndef) for one in nodes)


def _at_points(condition: Boolean, over: Over, given: list[Boolean]) -> NotProved | None:
    """A point of the letters in question at which the condition fails."""
    used = condition.free_symbols.union(*(one.free_symbols for one in given))
    letters = {x: range_ for x, range_ in over.items() if x in used}
    problem = Problem(letters, given, ())
    points = chain(simple_points(letters), far_points(letters, [condition, *given]))
    return problem.refuted_at(points, condition)


def _known_of_means(equation: Eq) -> list[Boolean]:
    """That probabilities are at most 1, and means of what is not negative are not either."""
    likely = [sympy.Le(one, 1) for one in equation.atoms(P)]
    return likely + [sympy.Ge(one, 0) for one in equation.atoms(E) if one.args[0].is_nonnegative]


def _image(range_: Set, degree: int) -> Set:
    """Where the powers of these numbers may be, or their sizes if the degree is 0.

    >>> _image(Interval(-2, 1), 2), _image(Interval.open(0, 3), 0)
    (Interval(0, 4), Interval.open(0, 3))
    """
    if degree == 1 or (degree % 2 and range_ == S.Reals):
        return range_
    low, high = range_.inf, range_.sup
    ends = [abs(end) for end in (low, high)]
    if low < 0 < high:
        top = max(ends)
        return Interval(0, top ** (degree or 1))
    least, most = sorted(ends)
    power = degree or 1
    open_ = [end not in range_ and -end not in range_ for end in (least, most)]
    return Interval(least**power, most**power, *open_)
