"""The special case of objects on a line: numbers for vectors, and for random variables."""

from typing import Any

import sympy
from sympy import Function, Symbol
from sympy.core.function import AppliedUndef

from theorems.engine.rules.vocabulary import (
    E,
    Event,
    P,
    act,
    chi_squared,
    density,
    frobenius,
    independent,
    inner,
    kolmogorov,
    norm,
    normal,
    opnorm,
)

__all__ = ["as_numbers"]


def as_numbers(statement: Any) -> Any:
    """The special case of vectors on a line, random variables that are constant, and the like.

    It holds if the statement holds, so that it may refute it.

    >>> from theorems.engine.rules.vocabulary import Random, Vector
    >>> u, X, t = Vector("u"), Random("X"), Symbol("t", real=True)
    >>> as_numbers(norm(u) ** 2 + inner(u, u) * E(X**2) >= P(X > t))
    X**2*u**2 + u**2 >= Piecewise((1, X > t), (0, True))
    """
    if isinstance(statement, Symbol | AppliedUndef) and hasattr(statement, "belongs_to"):
        return _as_number(statement)
    if not statement.args:
        return statement
    args = [as_numbers(one) for one in statement.args]
    rule = _ON_A_LINE.get(statement.func)
    return rule(*args) if rule else statement.func(*args)


def _as_number(letter: Any) -> Any:
    if isinstance(letter, AppliedUndef):
        return Function(letter.func.__name__, real=True)(*letter.args)
    number = Symbol(letter.name, real=True)
    return number > 0 if isinstance(letter, Event) else number


_ON_A_LINE: dict[Any, Any] = {
    inner: lambda u, v: u * v,
    act: lambda M, v: M * v,
    norm: sympy.Abs,
    opnorm: sympy.Abs,
    frobenius: sympy.Abs,
    E: lambda X: X,
    P: lambda event: sympy.Piecewise((1, event), (0, True)),
    independent: lambda *_: sympy.true,
    density: lambda *_: sympy.false,
    kolmogorov: lambda X, Y: sympy.Piecewise((0, sympy.Eq(X, Y)), (1, True)),
    normal: lambda *X: sympy.And(*(sympy.Eq(one, 0) for one in X)),
    chi_squared: lambda X, m: sympy.Eq(X, 0) & sympy.Eq(m, 0),
}
