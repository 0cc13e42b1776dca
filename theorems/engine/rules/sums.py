"""Finite sums of any length: statements about them by induction on the number of terms."""

from collections.abc import Iterable, Sequence
from typing import Any

import sympy
from sympy import Eq, Expr, Implies, Le, Lt, Range, Sum, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.facts import triangle
from theorems.engine.rules.inferences import induction, inserted, instance
from theorems.engine.rules.leaves import check_defined
from theorems.engine.rules.names import in_order
from theorems.engine.rules.ranges import Over, ranging
from theorems.engine.rules.theorem import Theorem, Trust, genuine, make
from theorems.engine.rules.vocabulary import norm

_RECURSION = Trust(
    "definition", "finite sums", "a sum is 0 if it is empty, or one term more than a shorter sum"
)


def last_term(total: Sum, *, over: Over | None = None) -> Theorem:
    """A sum that is not empty is the sum without its last term, and that term.

    >>> f, n = sympy.Function("f"), Symbol("n", integer=True, nonnegative=True)
    >>> k = Symbol("k", integer=True)
    >>> print(last_term(Sum(f(k), (k, 0, n)), over={n: Range(sympy.oo)}).statement)
    Eq(Sum(f(k), (k, 0, n)), f(n) + Sum(f(k), (k, 0, n - 1)))
    """
    body, index, low, high = _parts(total)
    shorter = Sum(body, (index, low, high - 1)) + inserted(body, {index: high})
    return _by_definition(Eq(total, shorter, evaluate=False), over, [high >= low])


def last_vector(total: Sum, *, over: Over | None = None) -> Theorem:
    """The norm of a sum of vectors that is not empty is that of a shorter sum and a last vector.

    >>> from theorems.engine.rules.vocabulary import vectors
    >>> x, k, n = vectors("x"), *sympy.symbols("k n", integer=True)
    >>> print(last_vector(Sum(x(k), (k, 0, n)), over={n: Range(sympy.oo)}).statement)
    Eq(norm(Sum(x(k), (k, 0, n))), norm(x(n) + Sum(x(k), (k, 0, n - 1))))
    """
    body, index, low, high = _parts(total)
    shorter = Sum(body, (index, low, high - 1)) + inserted(body, {index: high})
    return _by_definition(Eq(norm(total), norm(shorter)), over, [high >= low])


def spelled_out(total: Sum, *, over: Over | None = None) -> Theorem:
    """A sum between two given integers is its terms, added up; 0 if there are none.

    >>> f, k = sympy.Function("f"), Symbol("k", integer=True)
    >>> print(spelled_out(Sum(f(k), (k, 0, 1)), over={}).statement)
    Eq(Sum(f(k), (k, 0, 1)), f(0) + f(1))
    """
    body, index, low, high = _parts(total)
    terms = [inserted(body, {index: sympy.Integer(k)}) for k in range(int(low), int(high) + 1)]
    return _by_definition(Eq(total, sympy.Add(*terms), evaluate=False), over, [high >= low - 1])


def by_recursion(
    statement: Boolean,
    letter: Symbol,
    start: int = 0,
    *,
    premises: Sequence[Theorem] = (),
    over: Over | None = None,
    under: Iterable[Boolean] = (),
) -> Theorem:
    """A statement about sums up to the letter, by induction: each sum gains its last term.

    ``premises`` are used at ``start`` and in the step. Raises NotProved.

    >>> f, k = sympy.Function("f"), Symbol("k", integer=True)
    >>> n = Symbol("n", integer=True, nonnegative=True)
    >>> sizes = Sum(sympy.Abs(f(k)), (k, 0, n - 1))
    >>> print(by_recursion(sympy.Abs(Sum(f(k), (k, 0, n - 1))) <= sizes, n).statement)
    Abs(Sum(f(k), (k, 0, n - 1))) <= Sum(Abs(f(k)), (k, 0, n - 1))
    """
    genuine(*premises)
    given = tuple(under)
    others = ranging(statement, *given, known=[one.over for one in premises], over=over)
    others.pop(letter, None)
    letters = {**others, letter: Range(start, sympy.oo)}
    every = in_order(statement.atoms(Sum))
    sums = [one for one in every if letter in one.limits[0][2].free_symbols]
    whole = [one for one in sums if letter not in one.args[0].free_symbols]
    first = [one.xreplace({letter: sympy.Integer(start)}) for one in whole]
    following = [one.xreplace({letter: letter + 1}) for one in whole]
    base = [spelled_out(one, over=_needed(one, others)) for one in first]
    step = [last_term(one, over=_needed(one, letters)) for one in following]
    return induction(
        statement, letter, start, base=[*base, *premises], step=[*step, *premises], over=others, under=given
    )


def summed(theorem: Theorem, index: Symbol, length: Expr, *, over: Over | None = None) -> Theorem:
    """A relation between terms, added up over the indices 0, ..., length - 1.

    The relation holds for all these indices: for every one from 0 on, or under the hypothesis
    that the index is less than ``length``. Strict inequalities become weak. Raises NotProved.

    >>> a, b, s = sympy.Function("a"), sympy.Function("b"), Symbol("s", integer=True)
    >>> n = Symbol("n", integer=True)
    >>> from theorems.engine.rules.leaves import claimed
    >>> each = claimed("c", a(s) <= b(s), over={s: Range(sympy.oo)})
    >>> print(summed(each, s, n, over={n: Range(sympy.oo)}).statement)
    Sum(a(s), (s, 0, n - 1)) <= Sum(b(s), (s, 0, n - 1))
    """
    genuine(theorem)
    left, right = theorem.statement.args
    relation = {Lt: Le, sympy.Gt: sympy.Ge}.get(type(theorem.statement), type(theorem.statement))

    def upto(n: Expr) -> Relational:
        return relation(Sum(left, (index, 0, n - 1)), Sum(right, (index, 0, n - 1)))

    return _grown(theorem, index, length, ranging(length, known=[theorem.over], over=over), upto)


def telescoped(
    theorem: Theorem, index: Symbol, term: Expr, length: Expr, *, over: Over | None = None
) -> Theorem:
    """From V(s + 1) - V(s) <= c(s) for each s: V(length) - V(0) is at most the sum of the c(s).

    ``term`` is V(s), an expression in the index; the theorem's left side is its growth. The
    relation may also be >= or =. Raises ValueError if it is about something else, NotProved.

    >>> V, s, n = sympy.Function("V"), Symbol("s", integer=True), Symbol("n", integer=True)
    >>> from theorems.engine.rules.leaves import claimed
    >>> each = claimed("c", V(s + 1) - V(s) <= 1 - V(s), over={s: Range(sympy.oo)})
    >>> print(telescoped(each, s, V(s), n, over={n: Range(sympy.oo)}).statement)
    -V(0) + V(n) <= Sum(1 - V(s), (s, 0, n - 1))
    """
    genuine(theorem)
    left, right = theorem.statement.args
    if sympy.expand(left - term.xreplace({index: index + 1}) + term) != 0:
        raise ValueError(f"{left} is not the growth of {term}")

    def upto(n: Expr) -> Relational:
        growth = term.xreplace({index: n}) - term.xreplace({index: sympy.Integer(0)})
        return type(theorem.statement)(growth, Sum(right, (index, 0, n - 1)))

    return _grown(theorem, index, length, ranging(length, known=[theorem.over], over=over), upto)


def linear(total: Sum, *, over: Over | None = None) -> Theorem:
    """Numbers come out of a sum from 0 on, and a sum of sums is taken apart.

    >>> f, k = sympy.Function("f"), Symbol("k", integer=True)
    >>> n, c = Symbol("n", integer=True), Symbol("c", real=True)
    >>> over = {n: Range(sympy.oo), c: sympy.Reals}
    >>> print(linear(Sum(c * f(k) + 2, (k, 0, n - 1)), over=over).statement)
    Eq(Sum(c*f(k) + 2, (k, 0, n - 1)), c*Sum(f(k), (k, 0, n - 1)) + 2*n)
    """
    body, index, low, high = _parts(total)
    if low != 0:
        raise ValueError(f"the sum must begin at 0, got {total}")
    count = Symbol("number of terms", integer=True, nonnegative=True)
    parts = sympy.S.Zero
    for term in sympy.Add.make_args(sympy.expand(body)):
        factor, inside = term.as_independent(index, as_Add=False)
        parts += factor * (count if inside == 1 else Sum(inside, (index, 0, count - 1)))
    statement = Eq(Sum(body, (index, 0, count - 1)), parts, evaluate=False)
    letters = ranging(body, over=over)
    letters.pop(index, None)
    others = {x: range_ for x, range_ in letters.items() if x in body.free_symbols}
    general = by_recursion(statement, count, over=others)
    return instance(general, {count: high + 1}, over=letters)


def split(total: Sum, first: Symbol, rest: Symbol, *, over: Over | None = None) -> Theorem:
    """A sum of a + b terms is that of the first a terms and that of the b terms after these.

    ``total`` ends with the letter a; the letters a and b are integers from 0 on.

    >>> f, k = sympy.Function("f"), Symbol("k", integer=True)
    >>> a, b = sympy.symbols("a b", integer=True, nonnegative=True)
    >>> print(split(Sum(f(k), (k, 1, a)), a, b).statement)
    Eq(Sum(f(k), (k, 1, a + b)), Sum(f(k), (k, 1, a)) + Sum(f(a + k), (k, 1, b)))
    """
    body, index, low, high = _parts(total)
    after = inserted(body, {index: index + high + 1 - low})
    whole, second = Sum(body, (index, low, high + rest)), Sum(after, (index, low, low - 1 + rest))
    ranges = {**ranging(total, over=over), first: Range(sympy.oo)}
    letters = {**ranges, rest: Range(sympy.oo)}
    longer = [one.xreplace({rest: rest + 1}) for one in (whole, second)]
    return induction(
        Eq(whole, total + second, evaluate=False),
        rest,
        0,
        base=[spelled_out(second.xreplace({rest: sympy.S.Zero}), over=_needed(second, ranges))],
        step=[last_term(one, over=_needed(one, letters)) for one in longer],
        over=ranges,
    )


def norm_of_sum(total: Sum, *, over: Over | None = None) -> Theorem:
    """The norm of a sum of vectors from 0 on is at most the sum of the norms.

    >>> from theorems.engine.rules.vocabulary import vectors
    >>> x, k, n = vectors("x"), *sympy.symbols("k n", integer=True)
    >>> print(norm_of_sum(Sum(x(k), (k, 0, n - 1)), over={n: Range(sympy.oo)}).statement)
    norm(Sum(x(k), (k, 0, n - 1))) <= Sum(norm(x(k)), (k, 0, n - 1))
    """
    body, index, low, high = _parts(total)
    count = Symbol("number of terms", integer=True, nonnegative=True)
    counted = {count: Range(sympy.oo)}

    def upto(n: Expr) -> tuple[Sum, Sum]:
        return Sum(body, (index, low, n - 1)), Sum(norm(body), (index, low, n - 1))

    (vector, number), (longer, more) = upto(count), upto(count + 1)
    empty, none = upto(sympy.Integer(0))
    last = inserted(body, {index: count})
    if low != 0:
        raise ValueError(f"the sum must begin at 0, got {total}")
    general = induction(
        norm(vector) <= number,
        count,
        0,
        base=[_by_definition(Eq(norm(empty), 0), {}, []), spelled_out(none, over={})],
        step=[
            last_vector(longer, over=counted),
            last_term(more, over=counted),
            triangle(last, vector, over=counted),
        ],
    )
    return instance(general, {count: high + 1}, over=over)


def _parts(total: Sum) -> tuple[Expr, Symbol, Expr, Expr]:
    """The term of a sum, its index and its ends; TypeError unless it runs between integers."""
    index, low, high = total.limits[0]
    if len(total.limits) > 1 or not (low.is_integer and high.is_integer):
        raise TypeError(f"a sum must run over one index between integers, got {total}")
    return total.args[0], index, low, high


def _grown(theorem: Theorem, index: Symbol, length: Expr, over: Over, upto: Any) -> Theorem:
    """The relation for every number of terms up to the length, then for the length itself."""
    count = Symbol("number of terms", integer=True, nonnegative=True)
    others = {x: range_ for x, range_ in theorem.over.items() if x != index} | dict(over)
    counted = {count: Range(sympy.oo)}
    each = instance(theorem, {index: count}, over={**others, **counted})
    given = [one for one in theorem.under if index not in one.free_symbols]
    statement = Implies(count <= length, upto(count))
    grown = by_recursion(statement, count, premises=[each], over=others, under=given)
    return instance(grown, {count: length}, over=others)


def _by_definition(statement: Boolean, over: Over | None, under: Iterable[Boolean]) -> Theorem:
    given = tuple(under)
    letters = ranging(statement, *given, over=over)
    asked = check_defined([statement], letters, given)
    return make(statement, letters, given, {_RECURSION} | asked)


def _needed(total: Sum, over: Over) -> Over:
    return {x: range_ for x, range_ in over.items() if x in total.free_symbols}
