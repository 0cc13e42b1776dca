"""Both sides of a claim's formulas at a point, in digits or as balls."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import flint
import sympy
from sympy import Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symbolic.enclosure import enclose
from theorems.engine.claims.claim import Claim
from theorems.engine.judging.answers import brief
from theorems.engine.statements.domain import text
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.values import contains, unfolded
from theorems.interface.evaluate import (
    MAX_BALL_BITS,
    MAX_BITS,
    MAX_DIGITS,
    MAX_LENGTH,
    source_of,
    written_number,
)

__all__ = ["point_of", "sides_at"]

_VALUE = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(.+?)\s*")


def point_of(claim: Claim, values: str) -> dict[Symbol, sympy.Expr]:
    """The values of a claim's letters, from ``rho=1/2, Delta_phi=0.3``; decimals are exact.

    Raises ValueError for a letter that the claim does not have, for what is no number, and for a
    value outside of the letter's domain.
    """
    if len(values) > MAX_LENGTH:
        raise ValueError(f"values have at most {MAX_LENGTH} characters, got {len(values)}")
    letters = {symbol.name: symbol for symbol in claim.domains}
    point = {}
    for piece in filter(None, (one.strip() for one in values.split(","))):
        found = _VALUE.fullmatch(piece)
        if found is None or found[1] not in letters:
            known = f"they are {', '.join(sorted(letters))}" if letters else "it has none"
            raise ValueError(f"{piece!r} gives no letter of {claim.id} a value; {known}")
        symbol = letters[found[1]]
        if symbol in point:
            raise ValueError(f"{symbol} has a value already, and {piece!r} gives it another")
        try:
            point[symbol] = _number(found[2])
        except ValueError as error:
            raise ValueError(f"{symbol}: {error}") from None
        if contains(claim.domains[symbol], point[symbol]) is False:
            raise ValueError(f"{symbol} must lie in {text(claim.domains[symbol])}, got {found[2]}")
    return point


_FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "tanh")
_OPERATIONS: dict[type[ast.AST], type[sympy.Expr]] = {
    ast.Add: sympy.Add,
    ast.Sub: sympy.Add,
    ast.Mult: sympy.Mul,
    ast.Div: sympy.Mul,
}
_LARGEST_EXPONENT = 1000
_LARGEST_ROOT = 1_000_000
_LARGEST_TREE = 300  # nodes of a parsed text
_SIMPLE_HEIGHT, _SIMPLE_BITS = 1, 200  # up to which SymPy is asked for a simpler form
_DOUBLINGS = 8  # of a precision


def _number(written: str) -> sympy.Expr:
    """An exact number: arithmetic with decimals, pi and the elementary functions.

    Small ones are simplified by SymPy (the cosine of a third of pi is one half).  What is nested
    more deeply, or has long numbers, keeps its form, of which balls find the value: SymPy's search
    for a simpler one need not end.
    """
    try:
        tree = ast.parse(written, mode="eval").body
        if sum(1 for _ in ast.walk(tree)) > _LARGEST_TREE:
            raise ValueError(f"{_brief(written)!r} is made of more than {_LARGEST_TREE} parts")
        value = _Reader(written).read(tree)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{_brief(written)!r} is no number") from None
    for bits in (192, MAX_BITS):
        if _is_real(value) and enclose(value, None, bits).is_finite():
            return value
    raise ValueError(f"{_brief(written)!r} is no real number, or none whose size can be told")


def _brief(text: str) -> str:
    return brief(text, 100)


def _is_real(value: sympy.Expr) -> bool:
    return not value.has(sympy.I, sympy.nan, sympy.zoo, sympy.oo, -sympy.oo)


@dataclass(frozen=True)
class _Reader:
    """Makes a number of SymPy from parsed text; numbers in it may not get too long."""

    written: str

    def read(self, node: ast.AST) -> sympy.Expr:
        value = self.combined(node)
        self.bounded(node, _bits(value))
        return value

    def combined(self, node: ast.AST) -> sympy.Expr:
        match node:
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                return self.literal(node)
            case ast.Name(id="pi"):
                return sympy.pi
            case ast.BinOp(left=base, op=ast.Pow(), right=exponent):
                return self.power(node, self.read(base), self.read(exponent))
            case ast.BinOp(op=sign) if type(sign) in _OPERATIONS:
                return self.operated(type(sign), self.read(node.left), self.read(node.right))
            case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
                negative = isinstance(node.op, ast.USub)
                return _made(sympy.Mul, sympy.Integer(-1 if negative else 1), self.read(node.operand))
            case ast.Call(func=ast.Name(id=name), args=[one], keywords=[]) if name in _FUNCTIONS:
                return self.applied(name, self.read(one))
        known = ", ".join(_FUNCTIONS)
        raise ValueError(f"{_brief(self.written)!r} is no number: decimals, +-*/**, pi and {known}")

    def literal(self, node: ast.Constant) -> sympy.Rational:
        whole = type(node.value) is int
        return sympy.Rational(node.value if whole else written_number(self.source(node)))

    def operated(self, sign: type[ast.AST], left: sympy.Expr, right: sympy.Expr) -> sympy.Expr:
        if sign is ast.Sub:
            right = _made(sympy.Mul, sympy.Integer(-1), right)
        if sign is ast.Div:
            right = _made(sympy.Pow, right, sympy.Integer(-1))
        return _made(_OPERATIONS[sign], left, right)

    def applied(self, name: str, argument: sympy.Expr) -> sympy.Expr:
        if name == "sqrt":
            return _made(sympy.Pow, argument, sympy.Rational(1, 2))
        return _made(getattr(sympy, name), argument)

    def power(self, node: ast.AST, base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
        small = exponent.is_Rational and abs(exponent) <= _LARGEST_EXPONENT
        if not (small and exponent.q <= _LARGEST_ROOT):
            bounds = f"at most {_LARGEST_EXPONENT}, with denominators up to {_LARGEST_ROOT}"
            raise ValueError(f"{_brief(self.written)!r}: exponents are rational, {bounds}")
        self.bounded(node, abs(exponent) * _bits(base))
        return _made(sympy.Pow, base, exponent)

    def bounded(self, node: ast.AST, bits: int | sympy.Rational) -> None:
        if bits > MAX_BITS:
            raise ValueError(f"{_brief(self.source(node))!r} has more than {MAX_BITS} bits")

    def source(self, node: ast.AST) -> str:
        return source_of(node, self.written)


def _made(function: type[sympy.Expr], *arguments: sympy.Expr) -> sympy.Expr:
    """A function of numbers, which SymPy may simplify if they are simple."""
    rational = not function.is_Function and all(one.is_Rational for one in arguments)
    exact = rational and not (function is sympy.Pow and arguments[1].q > 1)
    simple = max(map(_height, arguments)) <= _SIMPLE_HEIGHT
    short = sum(map(_bits, arguments)) <= _SIMPLE_BITS
    return function(*arguments, evaluate=exact or (simple and short))


def _height(value: sympy.Expr) -> int:
    """How many functions and roots are inside of one another."""
    below = max(map(_height, value.args), default=0)
    return below + (value.is_Function or (value.is_Pow and not value.exp.is_Integer))


def _bits(value: sympy.Expr) -> int:
    """The bits of all numbers in an expression."""
    numbers = (one for one in sympy.preorder_traversal(value) if one.is_Rational)
    return sum(max(int(one.p).bit_length(), int(one.q).bit_length()) for one in numbers)


def sides_at(claim: Claim, point: Mapping[Symbol, Any], digits: int | None) -> Iterator[tuple[str, str]]:
    """The sides of each relation of a claim's formulas, as pairs (what, value).

    Raises ValueError if the claim has no formula, or a letter of one has no value.
    """
    if digits is not None and not 1 <= digits <= MAX_DIGITS:
        raise ValueError(f"digits must lie in [1, {MAX_DIGITS}], got {digits}")
    formulas = {n: one for n, one in claim.parts.items() if isinstance(one, Formula)}
    if not formulas:
        raise ValueError(f"{claim.id} has no formula: its statement is a sentence")
    for name, formula in formulas.items():
        missing = sorted(map(str, formula.relation.free_symbols - set(point)))
        if missing:
            raise ValueError(f"{name} needs values for {', '.join(missing)}: --at '{missing[0]}=…'")
        for relation in _relations(formula.shown or (formula.relation,)):
            for side, label in zip(relation.args, ("left", "right"), strict=True):
                yield f"{name}, {label}: {side}", _value(unfolded(side), point, digits)


def _relations(formulas: Iterable[Boolean]) -> Iterator[Relational]:
    """The relations in formulas, those of an implication's condition before its conclusion's."""
    for one in formulas:
        if isinstance(one, Relational):
            yield one
        else:
            yield from _relations(one.args)


def _value(side: sympy.Expr, point: Mapping[Symbol, Any], digits: int | None) -> str:
    """The ball, to so many digits: precision grows until they are certain."""
    wanted = 15 if digits is None else digits
    bits = int(3.33 * wanted) + 32
    for _ in range(_DOUBLINGS):
        ball = enclose(side, dict(point), bits)
        if ball.rel_accuracy_bits() >= 3.33 * wanted or ball == 0 or 2 * bits > MAX_BALL_BITS:
            break
        bits *= 2
    with flint.ctx.workprec(bits):
        return str(ball.str(wanted, radius=digits is None))
