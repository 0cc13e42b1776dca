"""The functions that a claim applies: how they print there, and what they are equal to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sympy import Basic, Expr, Sum, Symbol

from symbolic.latex_printer import latex
from symbolic.latex_width import width
from theorems.engine.claims.record import FunctionRecord
from theorems.engine.statements.letters import NamedFunction
from theorems.engine.statements.statement import written

if TYPE_CHECKING:
    from theorems.engine.claims.claim import Claim

__all__ = ["functions", "plainest"]

#: What makes no difference between two ways to write a formula.
_SPACING = re.compile(r"[{}\s]")
#: Points: a longer closed form is left to the claim that derives it.
_READABLE = 600.0
#: What runs over the terms of a sum whose own index is in use outside.
_INDICES = [Symbol(name, integer=True) for name in "rstjkuv"]


def functions(claim: Claim) -> list[FunctionRecord]:
    """The paper's functions that a claim applies, and those in terms of which these are given.

    Each is shown as it is applied most plainly: to letters rather than to formulas.
    """
    return [_record(claim, one, closed) for one, closed in _applied(claim)]


def plainest(claims: Iterable[Claim]) -> list[FunctionRecord]:
    """Each function of these claims once: with its closed form, and as applied most plainly."""
    found: dict[type, tuple[Any, Claim, NamedFunction, Expr | None]] = {}
    for claim in claims:
        for one, closed in _applied(claim):
            here = ((closed is None, *_plainness(one)), claim, one, closed)
            found[type(one)] = min(found.get(type(one), here), here, key=itemgetter(0))
    return [_record(claim, one, closed) for _, claim, one, closed in found.values()]


def _applied(claim: Claim) -> Iterator[tuple[NamedFunction, Expr | None]]:
    """Each function as it is applied most plainly, with its closed form there."""
    seen: set[type] = set()
    formulas = [one for said in (*claim.parts.values(), *claim.hypotheses) for one in said.formulas]
    while formulas:
        applied = {one for formula in formulas for one in formula.atoms(NamedFunction)}
        formulas = []
        for one in sorted(applied, key=_plainness):
            if type(one) not in seen:
                seen.add(type(one))
                plain = _distinct(claim, one)
                closed = _closed_form(claim, plain)
                yield plain, closed
                formulas += [] if closed is None else [closed]


def _plainness(one: NamedFunction) -> tuple[int, int, str]:
    """Letters before formulas, short formulas before long ones."""
    return sum(not part.is_Symbol for part in one.args), len(str(one)), str(one)


def _distinct(claim: Claim, one: NamedFunction) -> NamedFunction:
    """The same with another index where one prints like a letter of the claim."""
    names = written(claim.letters)
    given = {latex(symbol, names) for symbol in claim.given}
    clashes = [
        symbol
        for symbol in one.free_symbols - set(claim.given)
        if symbol.is_integer and latex(symbol, names) in given
    ]
    fresh = (index for index in _INDICES if latex(index, names) not in given)
    told: NamedFunction = one.xreplace(dict(zip(clashes, fresh, strict=False)))
    return told


def _closed_form(claim: Claim, one: NamedFunction) -> Expr | None:
    """What the function is equal to, unless the claim says just that or every reader knows it."""
    if one.well_known or one.justified_by == claim.id:
        return None
    try:
        return one.unfolded()
    except (TypeError, ValueError):  # it has none, or only for numbers
        return None


def _record(claim: Claim, one: NamedFunction, closed: Expr | None) -> FunctionRecord:
    names = written(claim.letters)
    head, formula = latex(one, names), ""
    if closed is not None:
        used = {latex(symbol, names) for symbol in one.free_symbols | closed.free_symbols}
        formula = latex(_rebound(closed, used, names), names)
    derived_in = None if one.justified_by == claim.id else one.justified_by
    told_elsewhere = derived_in is not None and width(formula) > _READABLE
    if told_elsewhere or _SPACING.sub("", formula) == _SPACING.sub("", head):
        formula = ""
    return FunctionRecord(type(one).__name__, head, formula, one.meaning, derived_in)


def _rebound(formula: Basic, used: set[str], names: Mapping[Symbol, str]) -> Basic:
    """The formula, the indices of its sums printed unlike what is in use outside of them."""
    if isinstance(formula, Sum):
        term, (index, low, high) = formula.args
        here = used | {latex(one, names) for one in term.free_symbols - {index}}
        fresh = next(one for one in (index, *_INDICES) if latex(one, names) not in here)
        inside = _rebound(term.xreplace({index: fresh}), {*here, latex(fresh, names)}, names)
        return Sum(inside, (fresh, _rebound(low, used, names), _rebound(high, used, names)))
    if not formula.args or not formula.has(Sum):
        return formula
    return formula.func(*(_rebound(one, used, names) for one in formula.args))
