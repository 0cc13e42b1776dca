"""Whether a statement is true at a point, with the true values of all functions: yes, no, or open.

A model of the solver gives the letters exact values and undefined functions tables; numbers are
then compared by balls, so that a wrong value that the solver gave a logarithm refutes nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from typing import Any

import sympy
from sympy import Expr, Reals, Set, Symbol
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symbolic.enclosure import sign_of
from theorems.engine.rules.on_a_line import as_numbers
from theorems.engine.rules.ranges import Objects, Over

_LONGEST_SUM = 50
_MOST_POINTS = 64
_SIGNS: dict[type, set[int]] = {
    sympy.Eq: {0},
    sympy.Ne: {-1, 1},
    sympy.Le: {-1, 0},
    sympy.Lt: {-1},
    sympy.Ge: {0, 1},
    sympy.Gt: {1},
}


@dataclass(frozen=True)
class Table:
    """A function with finitely many values, and one value everywhere else."""

    values: Mapping[tuple[Expr, ...], Expr]
    otherwise: Expr

    def __call__(self, *args: Expr) -> Expr:
        """The value at a place."""
        return self.values.get(args, self.otherwise)

    def __str__(self) -> str:
        known = [f"{', '.join(map(str, args))}: {value}" for args, value in self.values.items()]
        return "{" + "; ".join([*known, f"else: {self.otherwise}"]) + "}"


Point = Mapping[Any, Any]


def truth(statement: Boolean, point: Point) -> bool | None:
    """Whether the statement is true where letters have these values; None if that stays open.

    >>> x = sympy.Symbol("x", real=True)
    >>> truth(sympy.log(x) <= 1, {x: 2}), truth(sympy.log(x) <= 1, {x: 3})
    (True, False)
    >>> f = sympy.Function("f")
    >>> truth(f(x) > x, {x: 2, f: Table({(2,): 3}, 0)})
    True
    """
    try:
        return _truth(_inserted(statement, point))
    except (TypeError, ValueError):
        return None


def _inserted(statement: Boolean, point: Point) -> Boolean:
    """The statement at a point; a sum that stays has an unknown value, which nobody looks for."""
    tables = {head: table for head, table in point.items() if not isinstance(head, Expr)}
    there = _with_values(statement, point, lambda _: sympy.Dummy(real=True))
    return there.replace(
        lambda node: isinstance(node, AppliedUndef) and node.func in tables,
        lambda node: tables[node.func](*node.args),
    )


def spelled_out(statement: Boolean, point: Point) -> Boolean:
    """The statement with values for its letters, squares under norms, and short sums as terms.

    >>> f, k, n = sympy.Function("f"), *sympy.symbols("k n", integer=True)
    >>> spelled_out(sympy.Sum(f(k), (k, 0, n - 1)) > 0, {n: 2})
    f(0) + f(1) > 0
    """
    return _with_values(statement, point, lambda total: total)


def _with_values(statement: Boolean, point: Point, otherwise: Callable[[sympy.Sum], Expr]) -> Boolean:
    """A long sum is what ``otherwise`` makes of it.

    Sums go before letters have values: SymPy computes with numbers as soon as it sees them.
    """
    numbers = {x: sympy.sympify(value) for x, value in point.items() if isinstance(x, Expr)}
    norms = {node: sympy.sqrt(node.square) for node in statement.atoms(Expr) if _has_square(node)}
    there = statement.xreplace(norms)
    return _without_sums(there, numbers, _LONGEST_SUM, otherwise).xreplace(numbers)


def _without_sums(
    node: Any, numbers: Mapping[Expr, Expr], longest: int, otherwise: Callable[[sympy.Sum], Expr]
) -> Any:
    """A term with its sums added up, if they have so many terms at most, those inside together."""
    if not node.has(sympy.Sum):
        return node
    if not isinstance(node, sympy.Sum):
        return node.func(*(_without_sums(x, numbers, longest, otherwise) for x in node.args))
    index, *ends = node.limits[0]
    low, high = (end.xreplace(numbers) for end in ends)
    count = high - low + 1
    known = len(node.limits) == 1 and low.is_Integer and count.is_Integer
    if not (known and 0 <= count <= longest):
        return otherwise(node)
    each = (node.args[0].xreplace({index: low + k}) for k in range(int(count)))
    most = longest // max(1, int(count))
    total = sympy.Add(*(_without_sums(x, numbers, most, otherwise) for x in each))
    if total.has(sympy.zoo, sympy.nan):
        raise ValueError(f"{node} is not defined")
    return total


Case = tuple[dict[Symbol, Expr], Callable[[Boolean], Boolean], dict[Symbol, Set]]


def special_cases(over: Over, statements: Sequence[Boolean]) -> Iterator[Case]:
    """Cases that are easier to refute: values, what becomes of a statement, and the other ranges.

    Vectors and random variables become numbers; sums get at most two terms or so.
    """
    objects = {x for x, range_ in over.items() if isinstance(range_, Objects)}
    if objects or any(node for one in statements for node in one.atoms(AppliedUndef) if _odd(node)):
        numbers = {Symbol(x.name, real=True): Reals for x in objects}
        if not numbers.keys().isdisjoint(over):  # a number of this name has a range of its own
            return
        yield {}, as_numbers, {x: one for x, one in over.items() if x not in objects} | numbers
        return
    limits = [node.limits[0][1:] for one in statements for node in one.atoms(sympy.Sum)]
    ends = set().union(*(end.free_symbols for pair in limits for end in pair)) & set(over)
    for more in range(3) if ends else ():
        sizes = {x: more + (over[x].inf if over[x].inf.is_finite else 0) for x in ends}
        rest = {x: range_ for x, range_ in over.items() if x not in sizes}
        yield sizes, partial(spelled_out, point=sizes), rest


def simple_points(over: Over) -> Iterator[dict[Symbol, Expr]]:
    """A few exact points of the ranges, ends included, to try a statement at.

    >>> x = Symbol("x")
    >>> [point[x] for point in simple_points({x: sympy.Interval.Lopen(0, 1)})]
    [1, 1/2]
    """
    sides = [[value for value in _values(range_) if range_.contains(value) == sympy.true]
             for range_ in over.values()]  # fmt: skip
    for values in islice(product(*sides), _MOST_POINTS):
        yield dict(zip(over, values, strict=True))


def far_points(over: Over, statements: Sequence[Boolean]) -> Iterator[dict[Symbol, Expr]]:
    """Points where one letter is small, or larger than at simple points, the others as there.

    Where it is an exponent, or there are products of many factors or functions other than a few
    tame ones, it is not large: such values would have more digits than anybody could wait for.

    >>> x = Symbol("x")
    >>> [point[x] for point in far_points({x: sympy.Interval(0, 5)}, [])]
    [2, 3, 5, 1/100]
    """
    start = next(simple_points(over), None)
    if start is None:
        return
    nodes = [node for one in statements for node in sympy.preorder_traversal(one)]
    steep = any(_is_steep(node) for node in nodes if node.args and node.args[-1].free_symbols)
    values = [*_NEAR, *([] if steep else _FAR)]
    for letter, range_ in over.items():
        for value in (one for one in values if range_.contains(one) == sympy.true):
            yield {**start, letter: value}


_NEAR = [*map(sympy.Integer, (2, 3, 5, 8)), sympy.Rational(1, 100)]
_FAR = [sign * sympy.Integer(10) ** power for power in (2, 5) for sign in (1, -1)]
_TAME = (sympy.log, sympy.sin, sympy.cos, sympy.Abs, sympy.sign, sympy.Max, sympy.Min)
_STEEP = (sympy.Pow, sympy.factorial, sympy.gamma, sympy.Sum, sympy.Product)


def _is_steep(node: sympy.Basic) -> bool:
    other = isinstance(node, sympy.Function) and not isinstance(node, _TAME)
    return isinstance(node, _STEEP) or other


def _values(range_: Set) -> list[Expr]:
    low, high = (end for end in (range_.inf, range_.sup))
    finite = [end for end in (low, high) if end.is_finite]
    middle = [(low + high) / 2] if len(finite) == 2 else [finite[0] + 1] if finite else []
    return list(dict.fromkeys([*finite, *middle, sympy.S.Zero, sympy.S.One, sympy.S.NegativeOne]))


def _odd(node: Expr) -> bool:
    return hasattr(node, "belongs_to")


def _has_square(node: Any) -> bool:
    return getattr(node, "square", None) is not None


def _truth(statement: Any) -> bool | None:
    if statement in (sympy.true, sympy.false):
        return bool(statement)
    if isinstance(statement, Relational):
        sign = sign_of(statement.lhs - statement.rhs)
        return None if sign is None else sign in _SIGNS[type(statement)]
    if isinstance(statement, sympy.Contains):
        inside = statement.args[1].contains(statement.args[0])
        return None if isinstance(inside, sympy.Contains) else _truth(inside)
    rule = _CONNECTIVES.get(type(statement))
    return rule([_truth(part) for part in statement.args]) if rule else None


def _negation(part: bool | None) -> bool | None:
    return None if part is None else not part


def _conjunction(parts: list[bool | None]) -> bool | None:
    return False if False in parts else None if None in parts else True


def _disjunction(parts: list[bool | None]) -> bool | None:
    return True if True in parts else None if None in parts else False


_CONNECTIVES: dict[type, Callable[[list[bool | None]], bool | None]] = {
    sympy.And: _conjunction,
    sympy.Or: _disjunction,
    sympy.Not: lambda parts: _negation(parts[0]),
    sympy.Implies: lambda parts: _disjunction([_negation(parts[0]), parts[1]]),
    sympy.Equivalent: lambda parts: None if None in parts else len(set(parts)) == 1,
}
