"""Both sides of a claim's formulas at a point, in digits or as balls."""

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import flint
import sympy
from sympy import Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from symbolic.enclosure import enclose
from theorems.engine.claims.claim import Claim
from theorems.engine.statements.domain import text
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.values import contains, unfolded
from theorems.interface.evaluate import MAX_DIGITS

__all__ = ["point_of", "sides_at"]

_VALUE = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(.+?)\s*")


def point_of(claim: Claim, values: str) -> dict[Symbol, sympy.Expr]:
    """The values of a claim's letters, from ``rho=1/2, Delta_phi=0.3``; decimals are exact.

    Raises ValueError for a letter that the claim does not have, for what is no number, and for a
    value outside of the letter's domain.
    """
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
        point[symbol] = _number(found[2])
        if contains(claim.domains[symbol], point[symbol]) is False:
            raise ValueError(f"{symbol} must lie in {text(claim.domains[symbol])}, got {found[2]}")
    return point


_FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "tanh")
_OPERATIONS: dict[type[ast.AST], Callable[..., sympy.Expr]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_LARGEST_EXPONENT = 1000


def _number(written: str) -> sympy.Expr:
    """An exact number: arithmetic with decimals, pi and the elementary functions."""
    try:
        value = _exact(ast.parse(written, mode="eval").body, written)
    except (SyntaxError, RecursionError, MemoryError):
        raise ValueError(f"{written!r} is no number") from None
    if not (value.is_real and value.is_finite):
        raise ValueError(f"{written!r} is no real number")
    return value


def _exact(node: ast.AST, written: str) -> sympy.Expr:
    match node:
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return sympy.Rational(ast.get_source_segment(written, node))
        case ast.Name(id="pi"):
            return sympy.pi
        case ast.BinOp(left=base, op=ast.Pow(), right=power):
            exponent = _exact(power, written)
            if not (exponent.is_Rational and abs(exponent) <= _LARGEST_EXPONENT):
                raise ValueError(
                    f"{written!r}: exponents are rational, at most {_LARGEST_EXPONENT}"
                )
            return _exact(base, written) ** exponent
        case ast.BinOp(op=sign) if type(sign) in _OPERATIONS:
            return _OPERATIONS[type(sign)](_exact(node.left, written), _exact(node.right, written))
        case ast.UnaryOp(op=sign) if type(sign) in _OPERATIONS:
            return _OPERATIONS[type(sign)](_exact(node.operand, written))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _FUNCTIONS:
            return getattr(sympy, name)(_exact(argument, written))
    raise ValueError(f"{written!r} is no number: decimals, +-*/**, pi and {', '.join(_FUNCTIONS)}")


def sides_at(
    claim: Claim, point: Mapping[Symbol, Any], digits: int | None
) -> Iterator[tuple[str, str]]:
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
    for _ in range(8):
        ball = enclose(side, dict(point), bits)
        if ball.rel_accuracy_bits() >= 3.33 * wanted or ball == 0:
            break
        bits *= 2
    with flint.ctx.workprec(bits):
        return str(ball.str(wanted, radius=digits is None))
