"""Evaluate an expression in the package's functions: floats, or as many digits as one asks for.

Where digits are asked for, numbers in the expression are exact (``0.3`` is 3/10) and every digit
printed is correct.
"""

import ast
import contextlib
import difflib
import importlib
import inspect
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from numbers import Number
from pathlib import Path
from typing import Any

import flint
import mpmath
import numpy as np

import numeric
from theorems.engine.judging.answers import brief

__all__ = ["MAX_BALL_BITS", "MAX_BITS", "MAX_DIGITS", "MAX_LENGTH", "EvaluationError", "digits_of"]
__all__ += ["evaluate", "namespace", "source_of", "written_number"]

MAX_DIGITS = 10_000
#: The bits of a numerator or a denominator, and those of the balls.
MAX_BITS, MAX_BALL_BITS = 1 << 16, 1 << 17
#: The characters of an expression.
MAX_LENGTH = 10_000
_MAX_EXPONENT = 5_000
_MAX_EXPONENT_BITS = 1_000
_MAX_WRITTEN = 10_000_000
_OPERATIONS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}


class EvaluationError(ValueError):
    """The expression cannot be evaluated; the message says which part and why."""

    def __init__(self, complaint: str) -> None:
        super().__init__(brief(complaint))


class _InexactError(Exception):
    """A value is irrational, so that exact arithmetic must give way to balls."""


class _Names(Mapping[str, Any]):
    """Public names and where each is, a module that is imported when the name is asked for."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self._modules = modules

    def __getitem__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._modules[name]), name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


@cache
def namespace() -> Mapping[str, Any]:
    """The public functions of ``numeric`` by name; nothing is imported before it is used."""
    found: dict[str, str] = {}
    for root in map(Path, numeric.__path__):
        for file in sorted(root.rglob("*.py")):
            parts = [numeric.__name__, *file.relative_to(root).with_suffix("").parts]
            module = ".".join(parts).removesuffix(".__init__")
            found |= dict.fromkeys(_public_names(file.read_text(encoding="utf-8")), module)
    return _Names(dict(sorted(found.items())))


_PUBLIC = re.compile(r"^__all__ = (\[.*?\])", re.DOTALL | re.MULTILINE)


def _public_names(source: str) -> list[str]:
    """What a module's ``__all__`` lists, read from its text."""
    listed = _PUBLIC.search(source)
    return [] if listed is None else list(ast.literal_eval(listed[1]))


def evaluate(expression: str, digits: int | None = None) -> Any:
    """The value of an expression such as ``varrho(0.3, delta=1)``.

    Without ``digits`` it is evaluated in floats.  With them, rational arithmetic is exact, a
    single call of exact arguments is handed ``digits``, and everything else is evaluated in balls
    whose precision grows until the digits are certain.

    Raises :class:`EvaluationError` for anything but numbers, lists, the names of functions,
    arithmetic and calls, whose arguments may also be strings; and whatever the functions raise
    outside their domains.
    """
    if digits is not None and not 1 <= digits <= MAX_DIGITS:
        raise EvaluationError(f"digits must lie in [1, {MAX_DIGITS}], got {digits}")
    text = expression.strip()
    if len(text) > MAX_LENGTH:
        raise EvaluationError(f"an expression has at most {MAX_LENGTH} characters, got {len(text)}")
    tree = _parsed(text)
    try:
        if digits is not None:
            return _to_digits(text, tree, digits)
        return _Evaluator(text, _FLOATS).visit(tree)
    except RecursionError:
        raise EvaluationError(_TOO_DEEP) from None
    except MemoryError:
        raise EvaluationError(f"{brief(text, 100)!r} does not fit into the memory") from None
    except ArithmeticError as error:
        raise EvaluationError(f"{brief(text, 100)!r}: {error.args[-1] if error.args else error}") from None


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise EvaluationError(f"{brief(text, 100)!r} is no expression: {error.msg}") from None
    except (RecursionError, MemoryError):
        raise EvaluationError(_TOO_DEEP) from None


_TOO_DEEP = "the expression is nested too deeply"


def digits_of(value: Any, digits: int | None) -> str:
    """A value as text; multi-precision numbers, also those of an array, to that many digits.

    Raises :class:`EvaluationError` for a number whose exponent is too long to be written, and for
    an array of too many digits.

    >>> digits_of(np.array([mpmath.mpf(1) / 3, mpmath.mpf(2)]), 5)
    '[0.33333, 2.0]'
    """
    if isinstance(value, np.ndarray) and value.dtype == object:
        if value.size * (digits or 15) > _MAX_WRITTEN:
            raise EvaluationError(
                f"{value.size} numbers of {digits} digits are more than {_MAX_WRITTEN} digits"
            )
        rows = (digits_of(item, digits) for item in value)
        return f"[{', '.join(rows)}]" if value.ndim else digits_of(value.item(), digits)
    if not isinstance(value, mpmath.mpf):
        return str(value)
    _, mantissa, exponent, length = value._mpf_
    size = abs(exponent + length).bit_length()
    if mantissa and size > _MAX_EXPONENT_BITS:
        kind = "large" if exponent > 0 else "close to 0"
        raise EvaluationError(
            f"the value is too {kind} to be written: its exponent has {size} bits, "
            f"more than {_MAX_EXPONENT_BITS}"
        )
    return str(mpmath.nstr(value, digits))


@dataclass(frozen=True)
class _Arithmetic:
    """What becomes of the numbers in an expression."""

    number: Callable[[Fraction], Any]
    pi: Callable[[], Any]


def _whole_or(otherwise: Callable[[Fraction], Any]) -> Callable[[Fraction], Any]:
    """Whole numbers as ``int``: depths and degrees are counted, not measured."""
    return lambda value: int(value) if value.denominator == 1 else otherwise(value)


def _give_way() -> Any:
    raise _InexactError


_FLOATS = _Arithmetic(_whole_or(float), lambda: math.pi)
_EXACT = _Arithmetic(_whole_or(lambda value: value), _give_way)
_BALLS = _Arithmetic(_whole_or(lambda q: flint.arb(q.numerator) / q.denominator), flint.arb.pi)


def written_number(text: str) -> Fraction:
    """The number that a literal such as ``0.3`` or ``1e-3`` denotes, unless it is too long.

    >>> written_number("1e-3")
    Fraction(1, 1000)
    """
    written = Decimal(text)
    if not written.is_zero() and abs(written.adjusted()) > _MAX_EXPONENT:
        raise EvaluationError(f"exponents go up to {_MAX_EXPONENT}, got {brief(text, 100)}")
    return Fraction(written)


def source_of(node: ast.AST, text: str) -> str:
    """The part of a text that a node was parsed from, or what kind of node it is."""
    if len(text.splitlines()) == 1:  # the library's way is a walk through all characters
        ends = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        return text.encode()[slice(*ends)].decode() or type(node).__name__
    return ast.get_source_segment(text, node) or type(node).__name__


@dataclass(frozen=True)
class _Evaluator:
    """Walks the few kinds of syntax that an expression may have."""

    text: str
    arithmetic: _Arithmetic

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
            return self.arithmetic.pi()
        raise EvaluationError(
            f"only numbers, lists, arithmetic and calls are allowed, not {self.source(node)}"
        )

    def source(self, node: ast.AST) -> str:
        return source_of(node, self.text)

    def literal(self, node: ast.Constant) -> Any:
        if type(node.value) not in {int, float}:
            raise EvaluationError(f"numbers are integers or decimals, got {self.source(node)}")
        if type(node.value) is int:
            return self.arithmetic.number(Fraction(node.value))
        return self.arithmetic.number(written_number(self.source(node)))

    def operate(self, node: ast.BinOp | ast.UnaryOp) -> Any:
        sides = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        values = [self.visit(side) for side in sides]
        if not all(isinstance(value, Number | np.ndarray | flint.arb) for value in values):
            raise EvaluationError(f"arithmetic is for numbers, not in {self.source(node)}")
        if all(isinstance(value, int | Fraction) for value in values):
            return self.arithmetic.number(self.exactly(node, *map(Fraction, values)))
        with np.errstate(all="ignore"):
            value = _OPERATIONS[type(node.op)](*values)
        machine = isinstance(value, float | complex | np.ndarray | np.generic)
        if machine and not (np.isrealobj(value) and np.isfinite(value).all()):
            raise EvaluationError(f"{self.source(node)} is no finite real number in floats")
        return value

    def exactly(self, node: ast.BinOp | ast.UnaryOp, *values: Fraction) -> Fraction:
        if isinstance(node.op, ast.Pow):
            base, power = values
            if power.denominator != 1:
                raise _InexactError
            if not base and power < 0:
                raise EvaluationError(f"{self.source(node)} divides by zero")
            self.bounded(node, abs(power) * _bits(base))
            return base ** int(power)
        if isinstance(node.op, ast.Div) and not values[1]:
            raise EvaluationError(f"{self.source(node)} divides by zero")
        result: Fraction = _OPERATIONS[type(node.op)](*values)
        self.bounded(node, _bits(result))
        return result

    def bounded(self, node: ast.AST, bits: int | Fraction) -> None:
        if bits > MAX_BITS:
            raise EvaluationError(f"{self.source(node)} has more than {MAX_BITS} bits")

    def call(self, node: ast.Call) -> Any:
        if self.arithmetic is _EXACT:
            raise _InexactError
        function, positional, named = self.arguments(node)
        if self.arithmetic is not _BALLS:
            return function(*positional, **named)
        if not any(isinstance(value, flint.arb) for value in (*positional, *named.values())):
            return _ball_of(function, positional, named)
        value = function(*positional, **named)
        if not isinstance(value, int | flint.arb):
            raise EvaluationError(f"{self.source(node)} has no digits: it is {value}")
        return value

    def arguments(self, node: ast.Call) -> tuple[Callable[..., Any], list[Any], dict[str, Any]]:
        function = self.function(node.func)
        keywords = [item.arg for item in node.keywords]
        if len(set(keywords)) < len(keywords) or {None, "digits"} & set(keywords):
            raise EvaluationError(f"{self.source(node)}: keywords once, no **, and digits apart")
        positional = [self.argument(item) for item in node.args]
        named = {str(item.arg): self.argument(item.value) for item in node.keywords}
        try:
            inspect.signature(function).bind(*positional, **named)
        except TypeError as error:
            raise EvaluationError(f"{self.source(node)}: {error}") from None
        return function, positional, named

    def argument(self, node: ast.AST) -> Any:
        """What a function is called with: some choose among methods or activations by a name."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        return self.visit(node)

    def function(self, node: ast.AST) -> Callable[..., Any]:
        name, names = self.source(node), namespace()
        if name in names and not callable(names[name]):
            raise EvaluationError(f"{name} is {brief(str(names[name]), 60)}, which is no function")
        if name not in names:
            near = difflib.get_close_matches(name, names, n=3)
            near = [one for one in near if callable(names[one])]
            hint = f"; did you mean {', '.join(near)}?" if near else ""
            raise EvaluationError(f"no function is called {name}{hint}")
        function: Callable[..., Any] = names[name]
        return function


def _bits(number: Fraction) -> int:
    return max(map(int.bit_length, number.as_integer_ratio()))


def _ball_of(function: Callable[..., Any], positional: list[Any], named: dict[str, Any]) -> Any:
    """A ball around the value at whole numbers, which a function would answer with a float."""
    if "digits" not in inspect.signature(function).parameters:
        raise EvaluationError(f"{function.__name__} has no digits at whole numbers")
    digits = int(flint.ctx.prec / 3.33)
    value = function(*positional, **named, digits=digits)
    if not isinstance(value, mpmath.mpf):
        raise EvaluationError(f"{function.__name__} has no digits: it is {value}")
    sign, mantissa, exponent, _ = value._mpf_
    middle = flint.arb(-int(mantissa) if sign else int(mantissa)) * flint.arb(2) ** exponent
    return middle + flint.arb(0, abs(middle).upper() * flint.arb(10) ** (1 - digits))


def _to_digits(text: str, tree: ast.expr, digits: int) -> Any:
    """Exactly where possible, else in balls."""
    exact = _Evaluator(text, _EXACT)
    with contextlib.suppress(_InexactError):
        if not isinstance(tree, ast.Call):
            return _rounded(text, exact.visit(tree), digits)
        function, positional, named = exact.arguments(tree)
        if "digits" in inspect.signature(function).parameters:
            return function(*positional, **named, digits=digits)
    return _in_balls(text, tree, digits)


def _rounded(text: str, value: Any, digits: int) -> mpmath.mpf:
    if not isinstance(value, int | Fraction):
        raise EvaluationError(f"{brief(text, 100)!r} is no number, so it has no digits")
    with mpmath.workdps(digits + 15):
        return mpmath.mpf(value.numerator) / value.denominator


def _in_balls(text: str, tree: ast.expr, digits: int) -> mpmath.mpf:
    """The middle of a ball all of whose points are the same number when rounded to the digits."""
    bits = int(3.33 * digits) + 32
    while bits <= MAX_BALL_BITS:
        with flint.ctx.workprec(bits):
            value = _Evaluator(text, _BALLS).visit(tree)
            if not isinstance(value, flint.arb):
                raise EvaluationError(f"{brief(text, 100)!r} is no number, so it has no digits")
            if value.is_finite():
                ends = [_as_mpf(end) for end in (value.lower(), value.mid(), value.upper())]
                if len({digits_of(end, digits) for end in ends}) == 1:
                    return ends[1]
        bits *= 2
    raise EvaluationError(f"{brief(text, 100)!r} is not certain to {digits} digits at {bits // 2} bits")


def _as_mpf(value: flint.arb) -> mpmath.mpf:
    mantissa, exponent = value.man_exp()
    with mpmath.workprec(flint.ctx.prec + 64):
        return mpmath.ldexp(mpmath.mpf(int(mantissa)), int(exponent))
