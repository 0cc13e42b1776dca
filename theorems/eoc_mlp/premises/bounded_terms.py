"""Bounds of sums, products and forms from those of their parts, one step at a time."""

from typing import Any

from sympy import Abs, Expr, Reals, symbols

from theorems.engine import Given, both, implies, le, rules
from theorems.engine.rules import Operator, Theorem, Vector, act, facts, inner, norm
from theorems.engine.rules.vocabulary import opnorm

_x, _y, _a, _b = _reals = symbols("x y a b", real=True)


def _of_bounded(combined: Any, bound: Any, *terms: Any, over: Any) -> Theorem:
    """What holds of x and y if |x| ≤ a and |y| ≤ b, at four terms."""
    bounded = both(le(Abs(_x), _a), le(Abs(_y), _b))
    dict.fromkeys(_reals, Reals)
    general = rules.follows(implies(bounded, le(Abs(combined), bound)))
    return general.at(dict(zip(_reals, terms, strict=True)), over=over)


def product_of_bounds(*terms: Any, over: Any) -> Theorem:
    """|xy| ≤ ab if |x| ≤ a and |y| ≤ b."""
    return _of_bounded(_x * _y, _a * _b, *terms, over=over)


def sum_of_bounds(*terms: Any, over: Any) -> Theorem:
    """|x + y| ≤ a + b if |x| ≤ a and |y| ≤ b."""
    return _of_bounded(_x + _y, _a + _b, *terms, over=over)


def form_bound(given: Given, matrix: Operator, u: Expr) -> Theorem:
    """|⟨u, Mu⟩| ≤ ‖M‖‖u‖², at any vector."""
    one, image = Vector("u"), act(matrix, Vector("u"))
    bound = le(Abs(inner(one, image)), opnorm(matrix) * norm(one) ** 2)
    known = [facts.cauchy_schwarz(one, image), facts.operator_norm(matrix, one)]
    general = rules.follows(bound, known)
    return given.substituted(general, {one: u})
