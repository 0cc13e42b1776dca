"""Both sides of a claim's formulas at a point, in digits or as balls."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import flint
import sympy
from sympy import Symbol
from sympy.core.relational import Relational

from symbolic.enclosure import enclose
from theorems.engine.claims.claim import Claim
from theorems.engine.statements.statement import Formula
from theorems.engine.statements.values import contains, unfolded

__all__ = ["point_of", "sides_at"]

_VALUE = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(.+?)\s*")


def point_of(claim: Claim, text: str) -> dict[Symbol, sympy.Expr]:
    """The values of a claim's letters, from ``rho=1/2, Delta_phi=0.3``; decimals are exact.

    Raises ValueError for a letter that the claim does not have, for what is no number, and for a
    value outside of the letter's domain.
    """
    letters = {symbol.name: symbol for symbol in claim.domains}
    point = {}
    for piece in filter(None, (one.strip() for one in text.split(","))):
        found = _VALUE.fullmatch(piece)
        if found is None or found[1] not in letters:
            known = ", ".join(sorted(letters)) or "none"
            raise ValueError(f"{piece!r} gives no letter of {claim.id} a value; they are {known}")
        symbol = letters[found[1]]
        point[symbol] = _number(found[2])
        if contains(claim.domains[symbol], point[symbol]) is False:
            raise ValueError(f"{symbol} must lie in {claim.domains[symbol]}, got {found[2]}")
    return point


def _number(text: str) -> sympy.Expr:
    try:
        value = sympy.sympify(text, rational=True)
    except (sympy.SympifyError, TypeError, SyntaxError):
        raise ValueError(f"{text!r} is no number") from None
    if not (isinstance(value, sympy.Expr) and value.is_real and not value.free_symbols):
        raise ValueError(f"{text!r} is no real number")
    return value


def sides_at(
    claim: Claim, point: Mapping[Symbol, Any], digits: int | None
) -> Iterator[tuple[str, str]]:
    """The sides of each relation of a claim's formulas, as pairs (what, value).

    Raises ValueError if the claim has no formula, or a letter of one has no value.
    """
    formulas = {n: one for n, one in claim.parts.items() if isinstance(one, Formula)}
    if not formulas:
        raise ValueError(f"{claim.id} has no formula: its statement is a sentence")
    for name, formula in formulas.items():
        missing = sorted(map(str, formula.relation.free_symbols - set(point)))
        if missing:
            raise ValueError(f"{name} needs values for {', '.join(missing)}: --at '{missing[0]}=…'")
        for relation in formula.shown or (formula.relation,):
            if isinstance(relation, Relational):
                for side, label in zip(relation.args, ("left", "right"), strict=True):
                    yield f"{name}, {label}: {side}", _value(unfolded(side), point, digits)


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
