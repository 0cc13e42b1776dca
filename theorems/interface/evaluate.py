"""Evaluate an expression in the package's functions: floats, or as many digits as one asks for.

Numbers in the expression are exact (``0.3`` is 3/10), so every digit printed is correct.
"""

from __future__ import annotations

import ast
import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import mpmath

import numeric

__all__ = ["EvaluationError", "evaluate", "namespace"]

_MAX_BITS = 1 << 16
_OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.Div: lambda x, y: x / y,
    ast.Pow: lambda x, y: x**y,
    ast.USub: lambda x: -x,
    ast.UAdd: lambda x: x,
}


class EvaluationError(ValueError):
    """The expression cannot be evaluated; the message says which part and why."""


def namespace() -> dict[str, Any]:
    """The public functions of ``numeric`` by name."""
    found: dict[str, Any] = {}
    for info in pkgutil.walk_packages(numeric.__path__, "numeric."):
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", ()):
            found.setdefault(name, getattr(module, name))
    return found


def evaluate(expression: str, digits: int | None = None) -> Any:
    """The value of an expression such as ``varrho(0.3, delta=1)``.

    A single call is handed its numbers exactly, together with ``digits``.  A compound expression
    with ``digits`` is evaluated in balls whose precision grows until the digits are certain.

    Raises :class:`EvaluationError` for anything but numbers, lists, the names of functions,
    arithmetic and calls; and whatever the functions raise outside their domains.
    """
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except SyntaxError as error:
        raise EvaluationError(f"{expression!r} is no expression: {error.msg}") from None
    if digits is None:
        return _Evaluator(expression, _as_float).visit(tree)
    if digits < 1:
        raise EvaluationError(f"digits must be a positive integer, got {digits}")
    if isinstance(tree, ast.Call):
        return _Evaluator(expression, lambda number: number).call(tree, digits=digits)
    return _in_balls(expression, tree, digits)


class _Evaluator:
    """Walks the few kinds of syntax that an expression may have."""

    def __init__(self, text: str, number: Callable[[Fraction], Any]) -> None:
        self.text = text.strip()
        self.number = number
        self.names = namespace()

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Constant):
            return self.literal(node)
        if isinstance(node, ast.List | ast.Tuple):
            return [self.visit(item) for item in node.elts]
        if isinstance(node, ast.BinOp | ast.UnaryOp) and type(node.op) in _OPERATIONS:
            return self.operate(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Name) and node.id == "pi":
            return self.pi()
        piece = ast.get_source_segment(self.text, node) or type(node).__name__
        raise EvaluationError(f"only numbers, lists, arithmetic and calls are allowed, not {piece}")

    def literal(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str):
            return node.value
        if isinstance(node.value, bool) or not isinstance(node.value, int | float):
            raise EvaluationError(f"numbers are integers or decimals, got {node.value!r}")
        written = (ast.get_source_segment(self.text, node) or repr(node.value)).replace("_", "")
        return self.number(Fraction(written))

    def operate(self, node: ast.BinOp | ast.UnaryOp) -> Any:
        sides = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        values = [self.visit(side) for side in sides]
        try:
            if isinstance(node.op, ast.Div) and all(isinstance(v, int) for v in values):
                return self.number(Fraction(*values))
            return _OPERATIONS[type(node.op)](*values)
        except ZeroDivisionError:
            raise EvaluationError(f"division by zero in {self.text!r}") from None

    def call(self, node: ast.Call, **extra: Any) -> Any:
        function = self.function(node.func)
        positional = [self.visit(item) for item in node.args]
        named = {item.arg: self.visit(item.value) for item in node.keywords if item.arg}
        positional = [_integer(value) for value in positional]
        named = {name: _integer(value) for name, value in named.items()}
        try:
            inspect.signature(function).bind(*positional, **named, **extra)
        except TypeError as error:
            raise EvaluationError(f"{ast.unparse(node)}: {error}") from None
        return function(*positional, **named, **extra)

    def function(self, node: ast.AST) -> Callable[..., Any]:
        name = ast.unparse(node)
        if not callable(self.names.get(name)):
            near = difflib.get_close_matches(name, self.names, n=3)
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise EvaluationError(f"no function is called {name}{hint}")
        function: Callable[..., Any] = self.names[name]
        return function

    def pi(self) -> Any:
        probe = self.number(Fraction(1, 2))
        if isinstance(probe, flint.arb):
            return flint.arb.pi()
        if isinstance(probe, float):
            return float(mpmath.pi)
        raise EvaluationError("pi inside a call cannot be taken exactly; write 1*f(...) instead")


def _as_float(number: Fraction) -> Any:
    return int(number) if number.denominator == 1 else float(number)


def _integer(value: Any) -> Any:
    """Whole numbers as ``int``: depths and degrees are counted, not measured."""
    if isinstance(value, list):
        return [_integer(item) for item in value]
    whole = isinstance(value, Fraction) and value.denominator == 1
    return int(value) if whole else value


def _in_balls(text: str, tree: ast.AST, digits: int) -> mpmath.mpf:
    bits = int(3.33 * digits) + 32
    kept = flint.ctx.prec
    try:
        while bits <= _MAX_BITS:
            flint.ctx.prec = bits
            value = _Evaluator(text, _ball).visit(tree)
            if not isinstance(value, flint.arb):
                raise EvaluationError(f"{text!r} is no number, so it has no digits")
            if value.is_finite() and value.rel_accuracy_bits() > 3.33 * digits + 2:
                return _to_mpf(value, digits)
            bits *= 2
    finally:
        flint.ctx.prec = kept
    raise EvaluationError(f"{text!r} cannot be told from zero or infinity at {_MAX_BITS} bits")


def _ball(number: Fraction) -> Any:
    whole = number.denominator == 1
    return int(number) if whole else flint.arb(number.numerator) / number.denominator


def _to_mpf(value: flint.arb, digits: int) -> mpmath.mpf:
    mantissa, exponent = value.mid().man_exp()
    with mpmath.workdps(digits + 5):
        return mpmath.ldexp(mpmath.mpf(int(mantissa)), int(exponent))
