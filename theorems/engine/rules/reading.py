"""From the solver back to SymPy: terms of a question, and the values that an answer has."""

from functools import reduce
from operator import add, mul
from typing import Any

import sympy
from sympy import Expr
from sympy.core.function import UndefinedFunction

from theorems.engine.rules.asking import Answer, Number, solver_library
from theorems.engine.rules.asking import Table as Rows
from theorems.engine.rules.evaluation import Table
from theorems.engine.rules.question import Question
from theorems.engine.rules.translation import Translation


def read(translation: Translation, question: Question, term: Any) -> Any:
    """The SymPy expression or statement that a Z3 term in a question stands for.

    Raises TypeError for a term that no question has.

    >>> from theorems.engine.rules.question import asked
    >>> x = sympy.Symbol("x", real=True)
    >>> translation = Translation({x: sympy.Reals})
    >>> question = asked([translation.formula(sympy.sqrt(x) + sympy.log(x) <= 2 / x)[0]])
    >>> read(translation, question, solver_library().parse_smt2_string(question.text)[0])
    sqrt(x) + log(x) <= 2/x
    """
    z3 = solver_library()
    if term.decl().kind() == z3.Z3_OP_ANUM:
        return sympy.Rational(term.numerator_as_long(), term.denominator_as_long())
    parts = [read(translation, question, term.arg(place)) for place in range(term.num_args())]
    name = term.decl().name()
    if term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
        ours = question.names[name]
        return translation.functions[ours](*parts) if parts else translation.terms[ours]
    rule = _RULES.get(name)
    if rule is None:
        raise TypeError(f"no term of a question: {name} in {term}")
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


def counterexample(translation: Translation, question: Question, answer: Answer) -> dict[Any, Any]:
    """What an answer says: exact values of the letters, tables of undefined functions.

    >>> from theorems.engine.rules.asking import answer_to
    >>> from theorems.engine.rules.question import asked
    >>> x = sympy.Symbol("x", real=True)
    >>> translation = Translation({x: sympy.Interval(1, 2)})
    >>> member = translation.member(x, translation.over[x])
    >>> question = asked([translation.formula(sympy.Eq(x**2, 2))[0], member])
    >>> counterexample(translation, question, answer_to(question))
    {x: sqrt(2)}
    """
    values = {ours: answer.values.get(name, "0") for name, ours in question.names.items()}
    found: dict[Any, Any] = {
        term: number(values.get(name, "0"))
        for name, term in translation.terms.items()
        if term in translation.over
    }
    for name, table in answer.tables.items():
        head = translation.functions.get(question.names.get(name, ""))
        if isinstance(head, UndefinedFunction):
            found[head] = _table(table)
    return found


def _table(table: Rows) -> Table:
    rows, otherwise = table
    values = {tuple(map(number, args)): number(value) for *args, value in rows}
    return Table(values, number(otherwise))


def number(found: Number) -> Expr:
    """A number of an answer: rational, or a root of a polynomial.

    >>> number("-2/3"), number((("-2", "0", "1"), 2))
    (-2/3, sqrt(2))
    """
    if isinstance(found, str):
        return sympy.Rational(found)
    powers, index = found
    x = sympy.Dummy()
    polynomial = sympy.Poly([sympy.Rational(one) for one in reversed(powers)], x)
    return sympy.rootof(polynomial, index - 1, radicals=True)
