"""The sums of (31), column by column and entry by entry.

A derivative of a score is a sum over columns, and (31) has the tangent kernel between two of them.
"""

from dataclasses import dataclass
from operator import mul
from typing import Any

from sympy import Add, Expr, Function, Mul, Ne, Piecewise, Range, Reals, S, Sum, Symbol, expand, oo, symbols
from sympy.logic.boolalg import Boolean

from theorems.engine import Given, both, eq, implies, le, rules
from theorems.engine.rules import E, Random, Theorem, Vector, inner, sums
from theorems.engine.rules.ranges import Over
from theorems.engine.rules.vocabulary import randoms
from theorems.infinite_attention.letters.gradients import (
    g_a_i,
    g_a_j,
    g_b_i,
    g_b_j,
    g_d_i,
    g_d_j,
    g_e_i,
    g_e_j,
    outer_ab,
    outer_ae,
    outer_ba,
    outer_bd,
    outer_db,
    outer_de,
    outer_ea,
    outer_ed,
    same_place,
    tangent_block,
    unit_block,
    weight_k_i,
    weight_k_j,
    weight_q_i,
    weight_q_j,
)
from theorems.infinite_attention.letters.network import score_width, width
from theorems.infinite_attention.letters.table import SIZE

__all__ = ["AT", "SLOPE_A", "SLOPE_B", "at_coordinates", "m", "mean_by_entries", "n"]

_i, _j, n, m = (Symbol(name, integer=True, nonnegative=True) for name in ("i", "j", "n", "m"))
_INDICES: Over = dict.fromkeys((_i, _j, n, m), Range(oo))
#: Entries of (29) at a and at b, in a column, and their sums over the columns before one.
SLOPE_A, SLOPE_B = randoms("derivative at a")(_i, n), randoms("derivative at b")(_j, n)
_SUM_A, _SUM_B = randoms("derivatives at a")(_i, n), randoms("derivatives at b")(_j, n)
_NAMES = _ONE, _TWO = tuple(Function(f"mean for {columns}", real=True)(_i, _j) for columns in ("one", "two"))
_ROW = Function("row of the form", real=True)(_i)
_TERM = Function("term of the form", real=True)(_i, _j)
_SUMS = E(_SUM_A * _SUM_B).subs(n, score_width)
_KERNEL = Function("tangent kernel", real=True)(_i, _j)
_a, _b, _d, _e = (Function(f"input of {token}", real=True) for token in "abde")
_query, _key = randoms("query weight"), randoms("key weight")
#: What the letters of an entry are at the coordinates i and j.
AT: dict[Any, Any] = {
    same_place: Piecewise((1, eq(_i, _j)), (0, True)),
    **{g_a_i: _a(_i), g_b_i: _b(_i), g_d_i: _d(_i), g_e_i: _e(_i)},
    **{g_a_j: _a(_j), g_b_j: _b(_j), g_d_j: _d(_j), g_e_j: _e(_j)},
    **{weight_q_i: _query(_i), weight_k_i: _key(_i), weight_q_j: _query(_j), weight_k_j: _key(_j)},
}
_LETTERS = symbols("one two", real=True)
_OF_AN_ENTRY: Over = {
    **dict.fromkeys(_LETTERS, Reals),
    same_place: Range(2),
    **dict.fromkeys((g_a_i, g_b_i, g_d_i, g_e_i, g_a_j, g_b_j, g_d_j, g_e_j), Reals),
}
_MATRICES = {
    unit_block: (same_place,),
    outer_ab: (g_a_i, g_b_j),
    outer_ae: (g_a_i, g_e_j),
    outer_db: (g_d_i, g_b_j),
    outer_de: (g_d_i, g_e_j),
    outer_ba: (g_b_i, g_a_j),
    outer_ea: (g_e_i, g_a_j),
    outer_bd: (g_b_i, g_d_j),
    outer_ed: (g_e_i, g_d_j),
}


def at_coordinates(given: Given, theorem: Theorem) -> Theorem:
    """A theorem about entries in letters, at the coordinates i and j."""
    return given.substituted(theorem, {x: value for x, value in AT.items() if x in theorem.over})


def mean_by_entries(
    given: Given, form: Random, scale: Expr, one: tuple[Expr, Theorem], two: tuple[Expr, Theorem]
) -> Theorem:
    """The mean of a sum over all pairs of columns and of coordinates, by matrices.

    ``one`` is a formula for E Γ_in Γ_jn in letters, and a theorem that says so at the coordinates i
    and j; ``two`` the same for E Γ_in Γ_jm if n ≠ m.  The sum is divided by the width and the
    ``scale``.
    """
    named = given.meaning(
        "means of products of entries, by names",
        *(eq(name, entry.xreplace(AT)) for name, (entry, _) in zip(_NAMES, (one, two), strict=True)),
    )
    ranges = {**_INDICES, **named.over}
    alike = rules.follows(eq(_product(n, n), _ONE), [one[1], named], over=ranges)
    others = rules.follows(implies(Ne(n, m), eq(_product(n, m), _TWO)), [two[1], named], over=ranges)
    columns = _over_columns(given, alike, others).at({n: score_width})
    whole = _over_coordinates(given, one[0], two[0], [columns, named])
    value = given.meaning(
        "the sum over pairs of columns and of coordinates, row by row",
        eq(E(form), whole.statement.lhs / (width * scale)),
    )
    goal = eq(E(form), whole.statement.rhs / (width * scale))
    return rules.follows(goal, [value, whole], over={**value.over, **whole.over})


def _product(one: Expr, other: Expr) -> Expr:
    return E(SLOPE_A.subs(n, one) * SLOPE_B.subs(n, other))


def _over_columns(given: Given, alike: Theorem, others: Theorem) -> Theorem:
    """For sums of n columns n products have the one mean, and n(n - 1) the other one."""
    A, B, a, b = _SUM_A, _SUM_B, SLOPE_A, SLOPE_B
    later_a, later_b = a.subs(n, m), b.subs(n, m)
    none_a, none_b, more_a, more_b = (X.subs(n, k) for k in (0, n + 1) for X in (A, B))
    none = given.meaning(
        "sums of no columns",
        *(eq(E(one), 0) for one in (none_a * none_b, none_a * later_b, later_a * none_b)),
        over=_INDICES,
    )
    longer = given.meaning(
        "sums of one column more",
        eq(E(more_a * more_b), E((A + a) * (B + b))),
        eq(E(more_a * later_b), E((A + a) * later_b)),
        eq(E(later_a * more_b), E(later_a * (B + b))),
    )
    swapped = others.at({n: m, m: n})
    beside = rules.induction(
        implies(le(n, m), both(eq(E(A * later_b), n * _TWO), eq(E(later_a * B), n * _TWO))),
        n,
        0,
        base=[none],
        step=[longer, others, swapped],
    )
    last = beside.at({m: n})
    none, longer = (one.at({m: S.Zero}) for one in (none, longer))
    return rules.induction(
        eq(E(A * B), n * _ONE + n * (n - 1) * _TWO), n, 0, base=[none], step=[longer, last, alike]
    )


def _without(*indices: Symbol) -> dict[Symbol, Any]:
    return {x: set_ for x, set_ in _INDICES.items() if x not in indices}


def _of_columns(one: Expr, two: Expr) -> Expr:
    """What all pairs of columns have, if one has the first and two have the second."""
    return score_width * one + score_width * (score_width - 1) * two


def _over_coordinates(given: Given, first: Expr, second: Expr, known: list[Theorem]) -> Theorem:
    """The sum of the tangent kernel times means of entries is one of its products with matrices."""
    parts = [_Part(matrix, c) for matrix, c in by_matrices(_of_columns(first, second)).items()]
    called = given.meaning("coefficients", *(eq(one.number, one.coefficient) for one in parts))
    letters = {**given.domain, **called.over, score_width: SIZE, **_without(n, m)}

    def inferred(goal: Boolean, *premises: Theorem) -> Theorem:
        return rules.follows(goal, premises, over=_only(letters, goal, *premises))

    entries = both(*(eq(x, one) for x, one in zip(_LETTERS, (first, second), strict=True)))
    combined = Add(*(one.number * Mul(*_MATRICES[one.matrix]) for one in parts))
    letters |= _OF_AN_ENTRY
    here = inferred(implies(entries, eq(_of_columns(*_LETTERS), combined)), called)
    here = given.substituted(at_coordinates(given, here), dict(zip(_LETTERS, _NAMES, strict=True)))
    sum_ = inferred(eq(_SUMS, here.statement.args[1].rhs), *known, here)
    meant = given.meaning(
        "the form by entries, row by row", *(eq(_ROW, _total(_TERM, _j)), eq(_TERM, _KERNEL * _SUMS))
    )
    terms = [one.meaning_of_terms(given) for one in parts]
    each = inferred(
        eq(_TERM, Add(*(one.scaled for one in parts))), sum_, meant, *terms, _multiplied(given, parts)
    )
    rows = [one.meaning_of_rows(given) for one in parts]
    by_rows = inferred(
        eq(_ROW, Add(*(one.scaled_row for one in parts))), meant, *rows, *_added(each, _j, letters)
    )
    whole = _added(by_rows, _i, letters)
    of_parts = [one.whole(terms[k], rows[k], letters) for k, one in enumerate(parts)]
    goal = Add(*(one.coefficient * one.product for one in parts))
    return inferred(eq(_total(_ROW, _i), goal), *whole, *of_parts, called)


@dataclass(frozen=True)
class _Part:
    """A matrix with its coefficient in the form, and what its entries contribute."""

    matrix: Vector
    coefficient: Expr

    def _named(self, what: str, *places: Symbol) -> Expr:
        return Function(f"{what} of {self.matrix}", real=True)(*places)

    @property
    def number(self) -> Symbol:
        """A letter for the coefficient."""
        return Symbol(f"number of {self.matrix}", real=True)

    @property
    def product(self) -> Expr:
        """The inner product of the tangent kernel and the matrix."""
        return inner(tangent_block, self.matrix)

    @property
    def entry(self) -> Expr:
        """The entry at the coordinates i and j."""
        return Mul(*_MATRICES[self.matrix]).xreplace(AT)

    @property
    def term(self) -> Expr:
        """The tangent kernel times the entry."""
        return self._named("term", _i, _j)

    @property
    def scaled(self) -> Expr:
        """The same with the coefficient."""
        return self._named("scaled term", _i, _j)

    @property
    def scaled_row(self) -> Expr:
        """The sum of this over the coordinates j."""
        return self._named("scaled row", _i)

    def meaning_of_terms(self, given: Given) -> Theorem:
        """Products of entries."""
        return given.meaning(
            f"terms of {self.matrix}",
            eq(self.term, _KERNEL * self.entry),
            eq(self.scaled, self.number * self.term),
        )

    def meaning_of_rows(self, given: Given) -> Theorem:
        """An inner product of matrices is a sum over the entries, row by row."""
        row = self._named("row", _i)
        return given.meaning(
            f"rows of {self.matrix}",
            eq(self.product, _total(row, _i)),
            eq(row, _total(self.term, _j)),
            eq(self.scaled_row, _total(self.scaled, _j)),
            over=_without(n, m),
        )

    def whole(self, terms: Theorem, rows: Theorem, letters: Over) -> Theorem:
        """The sum of what the entries contribute: the coefficient times the inner product."""
        here = _only(letters, terms, rows)
        each = rules.follows(eq(self.scaled, self.number * self.term), [terms], over=here)
        row = eq(self.scaled_row, self.number * self._named("row", _i))
        by_rows = rules.follows(row, [rows, *_added(each, _j, letters)], over=here)
        goal = eq(_total(self.scaled_row, _i), self.number * self.product)
        return rules.follows(goal, [rows, *_added(by_rows, _i, letters)], over=here)


def _multiplied(given: Given, parts: list[_Part]) -> Theorem:
    """The tangent kernel times a combination of entries, by its products with each of these."""
    x, t, kernel = symbols("x t kernel", real=True)
    y, z, k, scaled = (symbols(f"{name}:{len(parts)}", real=True) for name in "yzkw")
    each = [both(eq(z[p], kernel * y[p]), eq(scaled[p], k[p] * z[p])) for p in range(len(parts))]
    known = both(eq(x, Add(*map(mul, k, y))), eq(t, kernel * x), *each)
    said = implies(known, eq(t, Add(*scaled)))
    general = rules.follows(said)
    places = {x: _SUMS, t: _TERM, kernel: _KERNEL}
    for p, one in enumerate(parts):
        places |= {y[p]: one.entry, z[p]: one.term, k[p]: one.number, scaled[p]: one.scaled}
    return given.substituted(general, places)


def _total(term: Expr, index: Symbol) -> Sum:
    return Sum(term, (index, 0, width - 1))


def _added(each: Theorem, index: Symbol, letters: Over) -> list[Theorem]:
    """The sum over an index, and its right side taken apart."""
    over = {x: set_ for x, set_ in letters.items() if x != index and x in each.over}
    over |= {width: letters[width]}
    found = sums.summed(each, index, width)
    return [found, sums.linear(found.statement.rhs, over=over)]


def _only(letters: Over, *things: Any) -> Over:
    used = set().union(*(set(one.over) if isinstance(one, Theorem) else one.free_symbols for one in things))
    objects = {x: x.belongs_to for x in used if hasattr(x, "belongs_to")}
    return {**{x: set_ for x, set_ in letters.items() if x in used}, **objects}


def by_matrices(entry: Expr) -> dict[Vector, Expr]:
    """An entry as a sum of those of matrices, each with its coefficient.

    Raises ValueError for an entry that has other products of inputs.
    """
    left, found = expand(entry), {}
    for matrix, factors in _MATRICES.items():
        coefficient = left
        for one in factors:
            coefficient = coefficient.coeff(one)
        left = expand(left - coefficient * Mul(*factors))
        if coefficient != 0:
            found[matrix] = coefficient
    if left != 0:
        raise ValueError(f"{left} is not an entry of these matrices")
    return found
