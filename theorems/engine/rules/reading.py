"""From Z3 back to SymPy: terms of a translation, and the values of a model."""

from functools import reduce
from operator import add, mul
from typing import Any

import sympy
from sympy import Expr
from sympy.core.function import UndefinedFunction

from theorems.engine.rules.evaluation import Table
from theorems.engine.rules.translation import Translation


def read(translation: Translation, term: Any) -> Any:
    """The SymPy expression or statement that a Z3 term of this translation stands for.

    Raises TypeError for a term that the translation does not make.

    >>> x = sympy.Symbol("x", real=True)
    >>> translation = Translation({x: sympy.Reals})
    >>> read(translation, translation.formula(sympy.sqrt(x) + sympy.log(x) <= 2 / x)[0])
    sqrt(x) + log(x) <= 2/x
    """
    if term.decl().kind() == translation.z3.Z3_OP_ANUM:
        return sympy.Rational(term.numerator_as_long(), term.denominator_as_long())
    parts = [read(translation, term.arg(place)) for place in range(term.num_args())]
    name = term.decl().name()
    if term.decl().kind() == translation.z3.Z3_OP_UNINTERPRETED:
        return translation.functions[name](*parts) if parts else translation.terms[name]
    rule = _RULES.get(name)
    if rule is None:
        raise TypeError(f"no term of a translation: {name} in {term}")
    return rule(*parts)


_RULES: dict[str, Any] = {
    "true": lambda: sympy.true,
    "false": lambda: sympy.false,
    "and": sympy.And,
    "or": sympy.Or,
    "not": sympy.Not,
    "=>": sympy.Implies,
    "=": lambda a, b: sympy.Eq(a, b) if isinstance(a, Expr) else sympy.Equivalent(a, b),
    "distinct": sympy.Ne,
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "+": lambda *parts: reduce(add, parts),
    "*": lambda *parts: reduce(mul, parts),
    "-": lambda a, *rest: a - rest[0] if rest else -a,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a**b,
    "if": lambda condition, a, b: sympy.Piecewise((a, condition), (b, True)),
    "is_int": lambda a: sympy.Contains(a, sympy.Integers),
}


def counterexample(translation: Translation, model: Any) -> dict[Any, Any]:
    """What a model says: exact values of the letters, tables of undefined functions.

    >>> x = sympy.Symbol("x", real=True)
    >>> translation = Translation({x: sympy.Interval(1, 2)})
    >>> solver = translation.z3.Solver()
    >>> solver.add(translation.formula(sympy.Eq(x**2, 2))[0], translation.member(x, sympy.S.Reals))
    >>> solver.add(translation.member(x, translation.over[x]))
    >>> solver.check(), counterexample(translation, solver.model())
    (sat, {x: sqrt(2)})
    """
    z3 = translation.z3
    found: dict[Any, Any] = {}
    for name, term in translation.terms.items():
        if term in translation.over:
            constant = z3.Real(name)
            found[term] = number(translation, model.eval(constant, model_completion=True))
    for declared in model.decls():
        head = translation.functions.get(declared.name())
        if isinstance(head, UndefinedFunction):
            found[head] = _table(translation, model[declared])
    return found


def _table(translation: Translation, table: Any) -> Table:
    rows = table.as_list()
    values = {
        tuple(number(translation, one) for one in args): number(translation, value)
        for *args, value in rows[:-1]
    }
    return Table(values, number(translation, rows[-1]))


def number(translation: Translation, found: Any) -> Expr:
    """A number of a model: rational, or a root of a polynomial."""
    if found.decl().kind() == translation.z3.Z3_OP_ANUM:
        return read(translation, found)
    x = sympy.Dummy()
    powers = [read(translation, one) for one in reversed(found.poly())]
    return sympy.rootof(sympy.Poly(powers, x), found.index() - 1, radicals=True)
