"""Sums over two indices, which may be added up in either order, and transposed matrices."""

from sympy import Expr, Function, Symbol

from theorems.engine import eq, rules
from theorems.engine.rules import Theorem
from theorems.shallow_transformer.letters.token import total
from theorems.shallow_transformer.premises.named import ONE_HEAD, as_declared
from theorems.shallow_transformer.premises.token_sums import added, linear

_ROWS = Symbol("number of rows", integer=True, nonnegative=True)


def exchanged(rows: Theorem, columns: Theorem) -> Theorem:
    """Σ_k row(k) = Σ_t column(t) from row(k) = Σ_t f(k, t) and column(t) = Σ_k f(k, t).

    Induction over the number of rows: each adds a term to every column.
    """
    row, (term, (t, _, end)) = rows.statement.lhs, rows.statement.rhs.args
    column, (_, (k, _, last)) = columns.statement.lhs, columns.statement.rhs.args
    others = sorted(column.free_symbols - {t}, key=str)
    partial = Function(f"first terms of {column}", real=True)
    upto = partial(_ROWS, t, *others)
    meant = ONE_HEAD.meaning("sums over the first rows", eq(upto, total(term, k, _ROWS)))
    here = as_declared(upto, term)
    none = rules.sums.spelled_out(total(term, k, 0))
    longer = rules.sums.last_term(total(term, k, _ROWS + 1), over=here)
    following = term.xreplace({k: _ROWS + 1})
    start, grown = (ONE_HEAD.substituted(meant, {_ROWS: n}) for n in (0, _ROWS + 1))
    empty = added(ONE_HEAD.follows(start, none, goal=eq(partial(0, t, *others), 0 * upto)), t, end)
    more = added(
        ONE_HEAD.follows(grown, longer, meant, goal=eq(grown.statement.lhs, upto + following)), t, end
    )
    new_row = ONE_HEAD.substituted(rows, {k: _ROWS + 1})
    parts = [linear(one.statement.rhs) for one in (more, new_row)]
    known = [empty, more, new_row, *parts]
    statement = eq(total(row, k, _ROWS), total(upto, t, end))
    general = rules.sums.by_recursion(statement, _ROWS, premises=known)
    whole = added(
        ONE_HEAD.follows(
            columns, ONE_HEAD.substituted(meant, {_ROWS: last}), goal=eq(column, partial(last, t, *others))
        ),
        t,
        end,
    )
    return ONE_HEAD.follows(
        ONE_HEAD.substituted(general, {_ROWS: last}), whole, goal=eq(total(row, k, last), whole.statement.lhs)
    )


def adjoint(x: Expr, image: Theorem, y: Expr, turned: Theorem) -> Theorem:
    """Σ x_j (Dy)_j = Σ y_k (Dᵀx)_k, from (Dy)_j = Σ_k D_jk y_k and (Dᵀx)_k = Σ_j D_jk x_j."""
    (product, (k, _, last)), (_, (j, _, end)) = (one.statement.rhs.args for one in (image, turned))
    term = x * product
    rows, columns = (
        ONE_HEAD.follows(one, linear(sum_), goal=eq(vector * one.statement.lhs, sum_))
        for vector, one, sum_ in ((x, image, total(term, k, last)), (y, turned, total(term, j, end)))
    )
    return exchanged(rows, columns)
