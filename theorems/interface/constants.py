"""Sharpened statements beside the printed ones, and the factor that is gained where it is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Expr, count_ops, simplify
from sympy.core.relational import GreaterThan, LessThan, Relational, StrictGreaterThan, StrictLessThan
from sympy.logic.boolalg import And

from symbolic.latex_printer import latex
from symbolic.latex_width import width
from theorems.engine.claims import registry as registries
from theorems.engine.claims.claim import Claim
from theorems.engine.claims.kinds import Provenance
from theorems.engine.claims.registry import Registry
from theorems.engine.running.catalogue import Catalogue
from theorems.engine.running.remembered import remembered
from theorems.engine.statements.statement import Formula, written
from theorems.interface.breaking import broken
from theorems.interface.prose import identifier, words
from theorems.interface.typesetting import booktabs

__all__ = ["Sharpening", "constants_latex", "kept_sharpenings", "sharpenings"]

_SHORT, _NARROW = 40, 160.0  # operations and points: beyond, a factor is nothing to be read
_BOUNDS = (LessThan, StrictLessThan, GreaterThan, StrictGreaterThan)
_WORDS = ("attained", "equality", "approached")


@dataclass(frozen=True)
class Sharpening:
    """A statement, a better one with its parts as LaTeX, and by what that one is attained.

    ``factor`` maps a part of the better one to the LaTeX of how many times its right side is
    smaller, where both statements bound the same thing; ``factor_value`` has those that are
    numbers. ``remark`` is what a reader must know where every better formula is a printed one.
    """

    id: str
    title: str
    of: str
    printed: Mapping[str, str]
    best: Mapping[str, str]
    remark: str
    attained: Mapping[str, str]
    factor: Mapping[str, str]
    factor_value: Mapping[str, float]

    @staticmethod
    def of_claims(printed: Claim, ours: Claim) -> Sharpening:
        """The sharpening of a printed claim by another one."""
        before = {name: one.latex(printed.letters) for name, one in printed.parts.items()}
        after = {name: one.latex(ours.letters) for name, one in ours.parts.items()}
        told = {name for name in after if any(word in name for word in _WORDS)}
        best = {name: one for name, one in after.items() if name not in told}
        remark = ""
        if {*before.values()} >= {*best.values()}:
            remark = _remark(printed, ours)
        factors, names = dict(_factors(printed, ours)), written(ours.letters)
        return Sharpening(
            ours.id,
            ours.title,
            printed.id,
            before,
            best,
            remark,
            {name: one for name, one in after.items() if name in told},
            {part: latex(one, names) for part, one in factors.items()},
            {part: float(one) for part, one in factors.items() if one.is_number},
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data, formulas as LaTeX."""
        return dict(vars(self))


def _remark(printed: Claim, ours: Claim) -> str:
    if {one.says for one in ours.hypotheses} <= {one.says for one in printed.hypotheses}:
        return "the formula is the printed one; that it is attained is new"
    return "the formulas are printed ones, and the hypotheses are others"


def sharpenings(known: Registry, prefix: str | None = None) -> Iterator[Sharpening]:
    """The sharpened claims in reading order, of one paper if its prefix is given."""
    for one in known.claims.values():
        if one.provenance is Provenance.SHARPENED and one.of and prefix in {None, one.paper}:
            yield Sharpening.of_claims(known[one.of], one)


def kept_sharpenings(known: Catalogue, prefix: str | None = None) -> list[Sharpening]:
    """The same by the catalogue: made once for each state of the claims."""
    records = known.claims.values()
    keys = [one.key for one in records if prefix in {None, one.paper}]

    def make() -> list[dict[str, Any]]:
        return [one.as_json() for one in sharpenings(registries.load(prefix), prefix)]

    made = remembered(f"constants-{prefix or 'all'}", __name__, keys, make)
    return [Sharpening(**one) for one in made]


def _factors(printed: Claim, ours: Claim) -> Iterator[tuple[str, Expr]]:
    """For each part of ours that bounds what a printed one bounds: the ratio of both bounds."""
    before = [one for _, one in _relations(printed)]
    for part, one in _relations(ours):
        for other in before:
            if type(one) is type(other) and one.lhs == other.lhs:
                bound = _end(other, before)
                if bound != one.rhs and count_ops(one.rhs) + count_ops(bound) < _SHORT:
                    factor = simplify(bound / one.rhs)
                    if width(latex(factor)) < _NARROW:
                        yield part, factor


def _end(first: Relational, others: Iterable[Relational]) -> Expr:
    """The last bound of the chain that a relation begins, as in a <= b <= c."""
    ahead, end = list(others), first.rhs
    while further := [one for one in ahead if type(one) is type(first) and one.lhs == end]:
        ahead.remove(further[0])
        end = further[0].rhs
    return end


def _relations(claim: Claim) -> Iterator[tuple[str, Relational]]:
    for name, part in claim.parts.items():
        if isinstance(part, Formula) and not any(word in name for word in _WORDS):
            whole = part.relation
            for one in whole.args if isinstance(whole, And) else (whole,):
                if isinstance(one, _BOUNDS):
                    yield name, one


def constants_latex(found: Iterable[Sharpening]) -> str:
    """A table for LaTeX, by `booktabs`: what is printed, and below it what is better."""
    rows = []
    for one in found:
        data, claim = one.as_json(), identifier(one.id)
        for kind, said in _KINDS.items():
            if data[kind]:
                rows.append([claim, said, _cell(data[kind].values())])
                claim = ""
        if one.remark:
            rows.append(["", "", words(one.remark)])
    return booktabs(r">{\raggedright\arraybackslash}p{32mm}ll", ["claim", "", "statement or factor"], rows)


_KINDS = {"printed": "printed", "best": "best known", "factor": "gained"}
_ROOM = 260.0  # points, beside the other columns


def _cell(formulas: Iterable[str]) -> str:
    """Formulas below each other."""
    lines = [
        (r"\quad " if number else "") + line
        for formula in formulas
        for number, line in enumerate(broken(formula, _ROOM))
    ]
    body = r" \\ ".join(f"& {line}" for line in lines)
    return rf"$\begin{{aligned}}[t] {body} \end{{aligned}}$"
