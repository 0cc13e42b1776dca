"""What statements and expressions are in a finite model, where letters and families have values."""

import math
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import sympy
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.choices import families
from theorems.engine.rules.vocabulary import (
    E,
    P,
    act,
    chi_squared,
    density,
    derivative,
    frobenius,
    independent,
    inner,
    kolmogorov,
    norm,
    normal,
    opnorm,
)

__all__ = ["NEAR", "OUTCOMES", "Model", "inside", "truth", "value_at"]

OUTCOMES, NEAR = range(4), 1e-7
_CHANCES = (0.125, 0.375, 0.125, 0.375)
_NUMBERS = (1, 0, -1, 2, -2, 3, 0.5, 0.25, -0.5, 1.5, 4, 9)

Model: TypeAlias = dict[Any, Any]


@cache
def inside(range_: sympy.Set) -> list[float]:
    """A few numbers of a set."""
    found = [one for one in _NUMBERS if range_.contains(sympy.Rational(one)) == sympy.true]
    least = [float(range_.inf)] if range_.inf.is_finite and range_.inf in range_ else []
    return found or least or [math.nan]


def truth(statement: Boolean, model: Model) -> bool | None:
    """Whether a statement is true in a model; None if it has no value there."""
    try:
        with np.errstate(all="ignore"):
            return bool(value_at(statement, model, 0))
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None


def value_at(node: Any, model: Model, at: int) -> Any:
    """The value of an expression or a statement at an outcome."""
    if node in model or node.func in model:
        here = (value_at(one, model, at) for one in node.args)
        found = model[node] if node in model else model[node.func](*here)
        return found[at] if isinstance(found, list) else found
    if isinstance(node, E | P | sympy.Sum):
        return _added(node, model, at)
    rule = _LAWS.get(node.func)
    if rule is not None:
        return rule(node.args, model)
    if not node.args:
        return bool(node) if node in (sympy.true, sympy.false) else float(node)
    if isinstance(node, sympy.Implies) and not value_at(node.args[0], model, at):
        return True
    result = _RULES[node.func](*(value_at(one, model, at) for one in node.args))
    if isinstance(result, complex) or (isinstance(result, float) and not math.isfinite(result)):
        raise ArithmeticError(f"{node} has no value")
    return result


def _added(node: Any, model: Model, at: int) -> Any:
    """The value of a mean, or of a short sum."""
    if not isinstance(node, sympy.Sum):
        return sum(p * value_at(node.args[0], model, one) for one, p in enumerate(_CHANCES))
    (index, *ends), *others = node.limits
    low, high = (value_at(end, model, at) for end in ends)
    if others or not (0 <= high - low <= _LONGEST):
        raise LookupError(f"{node} may be long, or empty")
    places = range(round(low), round(high) + 1)
    return _total(*(value_at(node.args[0], {**model, index: float(k)}, at) for k in places))


_LONGEST = 12


def _are_zero(variables: tuple[Any, ...], model: Model) -> bool:
    """Whether variables are normal: of those with finitely many values, nothing but zero is."""
    return all(abs(value_at(X, model, one)) < NEAR for X in variables for one in OUTCOMES)


def _is_chi_squared(arguments: tuple[Any, ...], model: Model) -> bool:
    """Whether a sum of m squares has this law: with finitely many values, only that of none."""
    X, m = arguments
    return _are_zero((X,), model) and value_at(m, model, 0) == 0


def _are_independent(variables: tuple[Any, ...], model: Model) -> bool:
    """Whether values together are as likely as the product of their chances."""
    together: Counter[Any] = Counter()
    alone: list[Counter[Any]] = [Counter() for _ in variables]
    for at, chance in enumerate(_CHANCES):
        values = tuple(value_at(X, model, at) for X in variables)
        together[values] += chance  # type: ignore[assignment]
        for one, value in zip(alone, values, strict=True):
            one[value] += chance  # type: ignore[assignment]
    places: list[tuple[Any, ...]] = [()]
    for one in alone:
        places = [(*place, value) for place in places for value in one]
    chances = (math.prod(c[x] for c, x in zip(alone, place, strict=True)) for place in places)
    return all(abs(together[x] - p) < NEAR for x, p in zip(places, chances, strict=True))


def _is_derivative(parts: tuple[Any, ...], model: Model) -> bool:
    """Whether quotients of small differences are near the rate, at some places inside."""
    rate, value, running, interval = parts
    if any(running in one.free_symbols for one in families(rate + value)):
        raise LookupError(f"{value} has no values")
    open_ = interval.interior
    places = [one for one in inside(interval) if one - _STEP in open_ and one + _STEP in open_]
    for place in places:
        ends = [value_at(value, {**model, running: place + step}, 0) for step in (-_STEP, _STEP)]
        slope = value_at(rate, {**model, running: place}, 0)
        if abs((ends[1] - ends[0]) / (2 * _STEP) - slope) > _ROUGHLY * max(1.0, abs(slope)):
            return False
    return True


def _distance(variables: tuple[Any, ...], model: Model) -> float:
    """The largest distance of two distribution functions, which is one at a value."""
    X, Y = ([value_at(one, model, at) for at in OUTCOMES] for one in variables)
    gaps = [
        sum(p * ((x <= level) - (y <= level)) for p, x, y in zip(_CHANCES, X, Y, strict=True))
        for level in (*X, *Y)
    ]
    return float(max(map(abs, gaps)))


_LAWS: dict[Any, Callable[..., Any]] = {
    independent: _are_independent,
    normal: _are_zero,
    chi_squared: _is_chi_squared,
    density: lambda _arguments, _model: False,  # there are finitely many values
    kolmogorov: _distance,
    derivative: _is_derivative,
}
_STEP, _ROUGHLY = 1e-4, 1e-3


def _near(a: Any, b: Any) -> bool:
    return bool(abs(a - b) <= NEAR * max(1.0, abs(a), abs(b)))


def _total(*parts: Any) -> Any:
    return sum(parts[1:], start=parts[0])


def _product(*parts: Any) -> Any:
    return math.prod(parts[1:], start=parts[0])


_RULES: dict[Any, Callable[..., Any]] = {
    sympy.Add: _total,
    sympy.Mul: _product,
    sympy.Pow: lambda base, exponent: base**exponent,
    sympy.exp: math.exp,
    sympy.log: math.log,
    sympy.sin: math.sin,
    sympy.cos: math.cos,
    sympy.tanh: math.tanh,
    sympy.Abs: abs,
    sympy.Max: max,
    sympy.Min: min,
    inner: lambda u, v: float(np.dot(u, v)),
    norm: lambda u: float(np.linalg.norm(u)),
    act: np.dot,
    opnorm: lambda matrix: float(np.linalg.norm(matrix, 2)),
    frobenius: lambda matrix: float(np.linalg.norm(matrix)),
    sympy.Eq: _near,
    sympy.Ne: lambda a, b: not _near(a, b),
    sympy.Le: lambda a, b: a <= b or _near(a, b),
    sympy.Ge: lambda a, b: a >= b or _near(a, b),
    sympy.Lt: lambda a, b: a < b and not _near(a, b),
    sympy.Gt: lambda a, b: a > b and not _near(a, b),
    sympy.And: lambda *parts: all(parts),
    sympy.Or: lambda *parts: any(parts),
    sympy.Not: lambda part: not part,
    sympy.Implies: lambda _, after: after,
    sympy.Equivalent: lambda *parts: len(set(parts)) == 1,
}
