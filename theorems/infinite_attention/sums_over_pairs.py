"""Sums over two indices, entry by entry: what a sum of products of matrices has with a matrix."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul

from sympy import Add, Expr, Function, Piecewise, Sum, Symbol, symbols

from theorems.classical.integers import apart
from theorems.engine import Given, both, eq, implies, integers, rules
from theorems.engine.rules import Theorem, sums

__all__ = ["Part", "by_entries", "i", "j", "trace"]

i, j = (Symbol(name, integer=True, nonnegative=True) for name in "ij")


@dataclass(frozen=True)
class Part:
    """A matrix with its coefficient: what it has with the first matrix, and its entry at i and j."""

    coefficient: Expr
    product: Expr
    entry: Expr


def by_entries(
    given: Given,
    whole: Expr,
    kernel: Expr,
    entry: Expr,
    parts: Sequence[Part],
    *known: Theorem,
    size: Expr,
    columns: Expr | None = None,
    also: Sequence[Symbol] = (),
) -> Theorem:
    """A sum over i and j of a kernel times an entry, by those of the parts of the entry.

    ``known`` shows that the entry at i and j is the sum of those of the parts, with their
    coefficients; ``whole`` is the sum over all i from 0 below ``size``, and all j from 0 below that or
    the number of ``columns``; ``also`` are other indices of the entry.
    """
    length = size if columns is None else columns
    entries, wholes = [entry, *(one.entry for one in parts)], [whole, *(one.product for one in parts)]
    terms, rows = (
        [Function(f"{name} of {one}", real=True)(*places, *also) for one in wholes]
        for name, places in (("term", (i, j)), ("row", (i,)))
    )
    meant = [
        given.meaning("a term", *(eq(term, kernel * one) for term, one in zip(terms, entries, strict=True))),
        *(
            given.meaning(
                "a sum over pairs, row by row",
                eq(row, _total(term, length, j)),
                eq(one, _total(row, size, i)),
            )
            for term, row, one in zip(terms, rows, wholes, strict=True)
        ),
    ]
    numbers = [Symbol(f"coefficient {k} of {whole}", real=True) for k in range(len(parts))]
    called = given.meaning(
        "coefficients", *(eq(c, one.coefficient) for c, one in zip(numbers, parts, strict=True))
    )

    def combined(values: Iterable[Expr]) -> Expr:
        return Add(*(c * value for c, value in zip(numbers, values, strict=True)))

    there = rules.follows(eq(entry, combined(entries[1:])), [*known, called])
    multiplied = _multiplied(given, kernel, terms, entries, numbers)
    over = {**there.over, **meant[0].over}
    at_each = rules.follows(eq(terms[0], combined(terms[1:])), [there, meant[0], multiplied], over=over)
    in_rows = rules.follows(eq(rows[0], combined(rows[1:])), [*meant, *_added(given, at_each, j, length)])
    found = rules.follows(eq(whole, combined(wholes[1:])), [*meant, *_added(given, in_rows, i, size)])
    spelled = Add(*(one.coefficient * one.product for one in parts))
    return rules.follows(eq(whole, spelled), [found, called])


def _multiplied(
    given: Given, kernel: Expr, terms: Sequence[Expr], entries: Sequence[Expr], numbers: Sequence[Expr]
) -> Theorem:
    """A number times a combination is that combination of its products, said of letters."""
    k, size = Symbol("k", real=True), len(terms)
    x, y, c = (symbols(f"{name}:{size}", real=True) for name in "xyc")
    each = [eq(one, k * other) for one, other in zip(y, x, strict=True)]
    known = both(eq(x[0], Add(*map(mul, c[1:], x[1:]))), *each)
    general = rules.follows(implies(known, eq(y[0], Add(*map(mul, c[1:], y[1:])))))
    letters, values = [k, *x, *y, *c[1:]], [kernel, *entries, *terms, *numbers]
    return given.substituted(general, dict(zip(letters, values, strict=True)))


def _total(term: Expr, size: Expr, index: Symbol) -> Sum:
    return Sum(term, (index, 0, size - 1))


def _added(given: Given, each: Theorem, index: Symbol, size: Expr) -> list[Theorem]:
    """The sum over an index, and its right side taken apart."""
    over = {x: set_ for x, set_ in each.over.items() if x != index} | given.ranging(size)
    found = sums.summed(each, index, size, over=over)
    return [found, sums.linear(found.statement.rhs, over=over)]


def trace(given: Given, product: Expr, at: Expr, *, size: Expr) -> Theorem:
    """What the unit matrix has with a matrix is the sum of its entries at i and i, which are ``at`` i."""
    count, row = Symbol("count", integer=True, nonnegative=True), Function(f"row of {product}", real=True)(i)
    unit, entry = Function("entry of the unit matrix", real=True), Function(f"entry of {product}", real=True)
    units = given.meaning("entries of the unit matrix", eq(unit(i, j), Piecewise((1, eq(i, j)), (0, True))))
    term = unit(i, j) * entry(i, j)
    rows = given.meaning(
        "an inner product with the unit matrix, row by row",
        eq(row, _total(term, size, j)),
        eq(product, _total(row, size, i)),
    )
    diagonal = given.meaning("entries on the diagonal", eq(entry(i, i), at))
    shorter = _total(term, count, j)
    goal = both(implies(i < count, eq(shorter, entry(i, i))), implies(i >= count, eq(shorter, 0)))
    order, last = apart(i, count, over={i: integers(0), count: integers(0)}), units.at({j: count})
    here = sums.by_recursion(goal, count, premises=[last, order]).at({count: size})
    each = rules.follows(eq(row, at), [rows, here, diagonal], under=[i < size])
    whole = _total(at, size, i) if at.has(i) else size * at
    return given.follows(rows, *_added(given, each, i, size), goal=eq(product, whole))
