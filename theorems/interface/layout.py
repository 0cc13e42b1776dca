r"""Statements on a page: a part on a line of its own, long relations split at their signs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from sympy import Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, Implies

from symbolic.latex_lines import PAGE, split
from symbolic.latex_printer import latex
from symbolic.latex_width import width
from theorems.engine.claims.claim import Claim
from theorems.engine.statements.statement import SIGNS, Formula, Sentence, written
from theorems.interface.breaking import broken

__all__ = ["display", "displayed", "part_rows", "rows"]

Names: TypeAlias = Mapping[Symbol, str]
_INDENT = 20.0
_TOKENS = re.compile(r"\\[A-Za-z]+|\\.|.", re.DOTALL)
_OPENING, _CLOSING = {"{", r"\left", r"\begin"}, {"}", r"\right", r"\end"}


def display(claim: Claim, room: float = PAGE) -> str:
    """The statement of a claim as displayed mathematics, about ``room`` points wide at most."""
    return displayed(rows(claim, room))


def displayed(lines: Sequence[str]) -> str:
    """Lines as displayed mathematics: below each other if there are several."""
    if len(lines) == 1:
        return rf"\[ {lines[0]} \]"
    body = " \\\\\n".join(lines)
    return f"\\begin{{gather*}}\n{body}\n\\end{{gather*}}"


def rows(claim: Claim, room: float = PAGE) -> list[str]:
    """The lines of a display: the whole statement if there is room, else a line for each part."""
    if width(claim.displayed) <= room:
        return [claim.displayed]
    return [line for part in claim.parts.values() for line in part_rows(claim, part, room)]


def part_rows(claim: Claim, part: Formula | Sentence, room: float = PAGE) -> list[str]:
    """The lines of one part: one, or those of its relations or pieces."""
    whole = part.latex(claim.letters)
    if width(whole) <= room:
        return [whole]
    if isinstance(part, Formula):
        return _of_formula(part, written(claim.letters), room)
    return [_cut(piece, room) for piece in _pieces(whole)]


def _of_formula(part: Formula, names: Names, room: float) -> list[str]:
    """The relations of a formula below each other, each as wide as there is room."""
    relations = part.shown or part.relation.args if isinstance(part.relation, And) else ()
    lines = [_relation(one, names, room) for one in relations or (part.relation,)]
    if part.defines is not None:
        lines.insert(0, rf"{latex(part.defines, names)} :=")
    return lines


def _relation(one: Boolean, names: Names, room: float) -> str:
    """A relation on one line, or its sides on lines of their own behind the sign."""
    whole = latex(one, names)
    if width(whole) <= room:
        return whole
    return _aligned(list(_lines(one, names, room)))


def _lines(one: Boolean, names: Names, room: float) -> Iterator[str]:
    if isinstance(one, Implies):
        condition, conclusion = one.args
        yield _relation(condition, names, room)
        yield rf"\quad \implies {_relation(conclusion, names, room - 2 * _INDENT)}"
    elif isinstance(one, And):
        *first, last = (_relation(each, names, room) for each in one.args)
        yield from (f"{each}," for each in first)
        yield last
    elif isinstance(one, Relational):
        left, right = one.args
        yield _cut(split(left, room, names), room)
        inner = room - 2 * _INDENT
        yield rf"\quad {SIGNS[type(one)]} {_cut(split(right, inner, names), inner)}"
    else:
        yield _cut(latex(one, names), room)


def _cut(formula: str, room: float) -> str:
    """A formula on one line, or on several that begin below each other."""
    lines = [formula] if r"\begin{aligned}" in formula else broken(formula, room)
    if len(lines) == 1:
        return formula
    body = " \\\\\n".join([f"& {lines[0]}", *(rf"& \quad {one}" for one in lines[1:])])
    return f"\\begin{{aligned}}[t]\n{body}\n\\end{{aligned}}"


def _aligned(lines: list[str]) -> str:
    body = " \\\\\n".join(f"& {line}" for line in lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def _pieces(formula: str) -> list[str]:
    r"""A sentence cut at the \quad between its pieces."""
    parts, depth = [""], 0
    for token in _TOKENS.findall(formula):
        depth += (token in _OPENING) - (token in _CLOSING)
        if token == r"\quad" and depth == 0:
            parts.append("")
        else:
            parts[-1] += token
    return [part.strip() for part in parts]
