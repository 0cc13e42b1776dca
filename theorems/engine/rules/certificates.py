"""Inequalities on whole ranges by ball arithmetic: the function is built from the relation."""

import functools
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import sympy
from flint import arb, fmpq
from sympy import Expr, S, Symbol

from numeric.certify import (
    Box,
    Certificate,
    Decision,
    certify_nonnegative,
    certify_nonnegative_between,
    certify_positive,
    certify_positive_between,
)
from symbolic.equality import equal
from symbolic.straight_line import Place, Step, computed, steps_of
from symbolic.taylor import taylor_coefficients
from theorems.engine.rules.leaves import check_defined, is_total
from theorems.engine.rules.ranges import Over, checked
from theorems.engine.rules.theorem import NotProved, Theorem, Trust, make

_METHODS: dict[type, str] = {
    sympy.sin: "sin",
    sympy.cos: "cos",
    sympy.tan: "tan",
    sympy.asin: "asin",
    sympy.acos: "acos",
    sympy.atan: "atan",
    sympy.sinh: "sinh",
    sympy.cosh: "cosh",
    sympy.tanh: "tanh",
    sympy.exp: "exp",
    sympy.log: "log",
    sympy.erf: "erf",
    sympy.erfc: "erfc",
    sympy.gamma: "gamma",
}
_CONSTANTS: dict[type, Callable[[], arb]] = {type(sympy.pi): arb.pi, type(sympy.E): arb.const_e}


def covered(
    relation: Any,
    *,
    over: Over,
    zero_orders: Mapping[Symbol, tuple[int, int]] | None = None,
    max_boxes: int = 20_000,
) -> Theorem:
    """An inequality between expressions, on the whole ranges of its letters, by a cover of balls.

    ``zero_orders`` gives one letter the orders (p, q) to which the difference of the sides
    vanishes at its lower and its upper end: its Taylor coefficients below are found to be 0, or its
    derivatives decided to be.  Ranges are bounded: write the part near infinity in the inverse
    letter and take an instance.  Raises NotProved, TypeError for other relations.

    >>> x = Symbol("x", real=True)
    >>> unit = {x: sympy.Interval(0, 1)}
    >>> print(covered(sympy.Ge(sympy.exp(x), 1 + x / 2 - sympy.S(1) / 2), over=unit))
    exp(x) >= x/2 + 1/2 for x in Interval(0, 1) [certified]
    """
    if not isinstance(relation, sympy.Le | sympy.Lt | sympy.Ge | sympy.Gt):
        raise TypeError(f"ball arithmetic covers inequalities, got {relation}")
    letters = checked({x: over[x] for x in relation.free_symbols})
    certificate = _search(relation, letters, dict(zero_orders or {}), max_boxes)
    if certificate.decision is not Decision.PROVED:
        answer: Any = "rejected" if certificate.decision is Decision.REFUTED else "undecided"
        raise NotProved(answer, f"{certificate.witness or certificate.reason}")
    asked = check_defined(_cancelled(relation), letters, ())
    detail = f"{certificate.boxes} boxes, margin {certificate.margin}"
    return make(relation, letters, (), {Trust("certificate", str(relation), detail)} | asked)


def _cancelled(relation: Any) -> list[Expr]:
    """What occurs in a side and not in the difference of the sides, of which no ball is made.

    >>> x = Symbol("x", real=True)
    >>> _cancelled(sympy.Le(sympy.log(x) + 1, sympy.log(x) + 2, evaluate=False))
    [log(x)]
    """
    kept = set(sympy.preorder_traversal(relation.gts - relation.lts))
    parts = (node for side in relation.args for node in sympy.preorder_traversal(side))
    lost = [node for node in dict.fromkeys(parts) if node not in kept]
    return [node for node in lost if not (node.is_Add or node.is_Mul or is_total(node))]


def _search(
    relation: Any, letters: Over, orders: dict[Symbol, tuple[int, int]], max_boxes: int
) -> Certificate:
    """The search that fits: on a closed box, or up to ends at which both sides meet."""
    strict, names = isinstance(relation, sympy.Lt | sympy.Gt), _own_names(letters)
    function = ball_function(relation.gts - relation.lts, names)
    if not orders:
        box = Box(**{names[x]: _ends(x, range_, (0, 0)) for x, range_ in letters.items()})
        search = certify_positive if strict else certify_nonnegative
        return search(function, box, max_boxes=max_boxes)
    ((main, order),) = orders.items()
    others = {names[x]: _ends(x, range_, (0, 0)) for x, range_ in letters.items() if x != main}
    # An end that a strict inequality leaves out must not belong to the range.
    left_out = order if strict else (0, 0)
    between = certify_positive_between if strict else certify_nonnegative_between
    run = functools.partial(
        between,
        function,
        names[main],
        _ends(main, letters[main], left_out),
        zero_orders=order,
        others=Box(**others),
        max_boxes=max_boxes,
    )
    certificate = run()
    if certificate.decision is not Decision.UNDECIDED:
        return certificate
    _vanishes(relation.gts - relation.lts, main, letters, order)
    return run(vanishing="the derivatives below this order are 0 at the end, decided exactly")


def _vanishes(gap: Expr, main: Symbol, letters: Over, orders: tuple[int, int]) -> None:
    """Check that the difference of the sides has zeros of these orders at the ends, exactly."""
    others = {x: range_ for x, range_ in letters.items() if x != main}
    for end, order in zip((letters[main].inf, letters[main].sup), orders, strict=True):
        for number, value in enumerate(_derivatives(gap, main, end, order)):
            if equal(value, S.Zero, {x: others[x] for x in value.free_symbols}) is not True:
                why = f"derivative {number} of the difference is {value} at {main} = {end}"
                raise NotProved("undecided", f"{why}, not known to be 0")


def _derivatives(gap: Expr, main: Symbol, end: Expr, order: int) -> Iterator[Expr]:
    """The derivatives below an order at an end: from Taylor's series, or else one by one."""
    series = taylor_coefficients(gap, main, end, order)
    if series is not None:
        yield from (sympy.factorial(k) * value for k, value in enumerate(series))
        return
    derivative = gap
    for _ in range(order):
        yield derivative.subs(main, end)
        derivative = sympy.diff(derivative, main)


def _ends(letter: Symbol, range_: Any, left_out: tuple[int, int]) -> tuple[Any, Any]:
    """Both ends of a bounded range, as the certificates read them."""
    low, high = range_.inf, range_.sup
    if not (isinstance(range_, sympy.Interval) and low.is_finite and high.is_finite):
        raise TypeError(f"{letter} must range over a bounded interval, got {range_}")
    for end, order in zip((low, high), left_out, strict=True):
        if order and range_.contains(end) == True:  # noqa: E712 - SymPy's truth
            raise NotProved("undecided", f"both sides meet at {letter} = {end}")
    return _end(low), _end(high)


def _end(value: Expr) -> Any:
    if value.is_Rational:
        return f"{value.p}/{value.q}"
    ratio = value / sympy.pi
    if ratio.is_Rational:
        return "pi" if ratio == 1 else f"{ratio.p}*pi/{ratio.q}" if ratio.p != 1 else f"pi/{ratio.q}"
    return enclosing(value)


def enclosing(value: Expr) -> arb:
    """A ball around a number."""
    ball: arb = ball_function(value)()
    return ball


def _own_names(letters: Iterable[Symbol]) -> dict[Symbol, str]:
    """A name for each letter that no other one has: letters are what they are, not their names."""
    found: dict[Symbol, str] = {}
    for letter in letters:
        name, number = letter.name, 0
        while name in found.values():
            number += 1
            name = f"{letter.name}_{number}"
        found[letter] = name
    return found


def ball_function(expression: Expr, names: Mapping[Symbol, str] | None = None) -> Callable[..., Any]:
    """The expression as a function of balls or power series, named by its letters.

    ``names`` gives letters other names. Raises ValueError if two letters have one name.

    >>> x = Symbol("x")
    >>> ball_function(x**2 + sympy.Rational(1, 2))(x=arb(2))
    4.50000000000000
    """
    called = {x: x.name for x in expression.free_symbols} if names is None else dict(names)
    if len(set(called.values())) < len(called):
        raise ValueError(f"two letters have one name in {expression}")
    steps = steps_of(expression, functools.partial(_step, names=called))

    def evaluate(**values: Any) -> Any:
        return computed(steps, values)

    return evaluate


def _step(node: Expr, place: Place, names: Mapping[Symbol, str]) -> Step:
    """The step of a node: of a leaf, of a whole or half power, or of another function."""
    if not node.args:
        return _leaf(node, names)
    if node.is_Pow and node.exp.is_Rational and (node.exp.is_Integer or node.exp.q == 2):
        return _rational_power(place(node.base), node.exp)
    return _inner(node, [place(one) for one in node.args])


def _inner(node: Expr, at: list[int]) -> Step:
    """A function of nodes that are computed before."""
    first = at[0]
    if node.is_Add or node.is_Mul:
        fold = operator.add if node.is_Add else operator.mul
        return lambda _, done: functools.reduce(fold, [done[one] for one in at])
    if node.is_Pow:
        return lambda _, done: (done[first].log() * done[at[1]]).exp()
    if type(node) in _METHODS:
        method = operator.methodcaller(_METHODS[type(node)])
        return lambda _, done: method(done[first])
    if isinstance(node, sympy.Abs):
        return lambda _, done: abs(done[first])
    raise TypeError(f"no ball arithmetic for {type(node).__name__}: {node}")


def _leaf(node: Expr, names: Mapping[Symbol, str]) -> Step:
    """A letter, a rational number, or a constant such as pi."""
    if node.is_Symbol:
        name = names[node]
        return lambda values, _: values[name]
    if node.is_Rational:
        exact = fmpq(int(node.p), int(node.q))
        return lambda *_: arb(exact)
    if type(node) not in _CONSTANTS:
        raise TypeError(f"no ball arithmetic for {type(node).__name__}: {node}")
    constant = _CONSTANTS[type(node)]
    return lambda *_: constant()


def _rational_power(base: int, exponent: Any) -> Step:
    power = abs(int(exponent.p))
    if exponent.is_Integer:
        if exponent.p >= 0:
            return lambda _, done: done[base] ** power
        return lambda _, done: 1 / done[base] ** power
    if exponent.p > 0:
        return lambda _, done: done[base].sqrt() ** power
    return lambda _, done: 1 / done[base].sqrt() ** power
