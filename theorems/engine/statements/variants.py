"""False variants made from a statement: the same claim with one thing changed a little.

Each variant names the *constant* (or domain end, hypothesis, part) that it changes, so that one
can say of every constant of a statement whether some near variant of it is rejected.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import sympy
from sympy import Add, Expr, Integer, Mul, Pow, Rational, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theorems.engine.claims.claim import Claim
from theorems.engine.statements.domain import Domain
from theorems.engine.statements.statement import Choice, Formula, Part

__all__ = ["Variant", "all_variants", "near_variants", "with_changes"]

_MORE, _LESS = Rational(101, 100), Rational(99, 100)


@dataclass(frozen=True)
class Variant:
    """A claim with one thing changed: what it is, how, and what the changed claim is."""

    part: str | None
    kind: str
    what: str
    how: str
    claim: Claim
    slot: str | None = None

    @property
    def name(self) -> str:
        """A stable name within the claim."""
        return f"{self.what}: {self.how}"

    @property
    def statement(self) -> str:
        """What the variant says, as LaTeX."""
        if self.part is None or self.part not in self.claim.parts:
            return self.how
        return self.claim.parts[self.part].latex(self.claim.letters)


def with_changes(claim: Claim, **fields: Any) -> Claim:
    """The claim with other fields, not validated again: a variant need not be well formed."""
    changed = copy.copy(claim)
    for name, value in fields.items():
        object.__setattr__(changed, name, value)
    return changed


def with_part(claim: Claim, name: str, part: Part) -> Claim:
    """The claim with another part."""
    return with_changes(claim, states={**claim.parts, name: part})


#: Of which kind of change and of which constant variants are wanted.
Wanted = Callable[[str, str], bool]


def near_variants(claim: Claim, part: str, wanted: Wanted = lambda _kind, _what: True) -> Iterator[Variant]:
    """Variants of the constants of one part, grouped by constant; only those wanted are built."""
    one = claim.parts[part]
    if isinstance(one, Formula):
        for kind, what, how, build in _of_relation(one.relation):
            relation = build() if wanted(kind, what) else None
            if relation not in {None, one.relation, True, False}:
                yield Variant(part, kind, what, how, with_part(claim, part, Formula(relation)))
        return
    for name, value in one.slots.items():
        for kind, other in _of_slot(value):
            what = f"sign of {name}" if kind == "sign" else name
            if wanted(kind, what):
                changed = with_part(claim, part, one.changed(**{name: other}))
                yield Variant(part, kind, what, f"{value} -> {other}", changed, name)


def all_variants(claim: Claim) -> Iterator[Variant]:
    """Every variant: of constants, domains, hypotheses and parts."""
    for part in claim.parts:
        yield from near_variants(claim, part)
    for symbol, domain in claim.domains.items():
        for how, wider in _enlarged(domain):
            ranges = {**claim.given, **claim.domains, symbol: wider}
            changed = with_changes(claim, given=ranges, letters=_Wide(claim))
            yield Variant(None, "domain", f"domain of {symbol}", how, changed)
    for one in claim.hypotheses:
        others = tuple(other for other in claim.assuming if other is not one)
        changed = with_changes(claim, assuming=others)
        yield Variant(None, "hypothesis", f"hypothesis {one.name}", "dropped", changed)
    if len(claim.parts) > 1:
        for name in claim.parts:
            rest = {key: value for key, value in claim.parts.items() if key != name}
            yield Variant(name, "part", f"part {name}", "removed", with_changes(claim, states=rest))


class _Wide(Mapping):  # type: ignore[type-arg]
    """The letters of a claim, each with as wide a domain as a variant wants."""

    def __init__(self, claim: Claim) -> None:
        self._letters = claim.letters

    def __getitem__(self, symbol: Symbol) -> Any:
        letter = copy.copy(self._letters[symbol])
        if letter.domain is not None:
            object.__setattr__(letter, "domain", sympy.S.Complexes)
        return letter

    def __iter__(self) -> Iterator[Symbol]:
        return iter(self._letters)

    def __len__(self) -> int:
        return len(self._letters)


def _enlarged(domain: Domain) -> Iterator[tuple[str, Domain]]:
    """The domain with one end pushed outwards by a little, or closed."""
    if isinstance(domain, sympy.Range):
        first, last = domain.inf, domain.sup
        stop = sympy.oo if domain.size.is_infinite else last + 1
        yield f"from {first - 1} on", sympy.Range(first - 1, stop)
        if not domain.size.is_infinite:
            yield f"up to {last + 1}", sympy.Range(first, last + 2)
    if not isinstance(domain, sympy.Interval):
        return
    low, high = domain.start, domain.end
    step = (high - low if high.is_finite and low.is_finite else Integer(1)) / 100
    opened = (domain.left_open, domain.right_open)
    if low.is_finite:
        wider = sympy.Interval(low, high, False, opened[1])
        yield (
            (f"with {low}", wider)
            if opened[0]
            else (f"from {low - step}", sympy.Interval(low - step, high, False, opened[1]))
        )
    if high.is_finite:
        wider = sympy.Interval(low, high, opened[0], False)
        yield (
            (f"with {high}", wider)
            if opened[1]
            else (f"up to {high + step}", sympy.Interval(low, high + step, opened[0], False))
        )


def _of_slot(value: Any) -> Iterator[tuple[str, Any]]:
    """Near values of a slot; a choice has none that the engine could guess."""
    if isinstance(value, Choice):
        return
    if isinstance(value, int | Integer):
        if value != 0:
            yield "constant", Fraction(int(value)) * Fraction(99, 100)
            yield "constant", Fraction(int(value)) * Fraction(101, 100)
        yield "integer", int(value) - 1
        yield "integer", int(value) + 1
        if abs(value) > 1:
            yield "sign", -int(value)
        return
    as_fraction = isinstance(value, Fraction)
    number = Rational(value) if as_fraction else value
    for kind, other in (("constant", number * _LESS), ("constant", number * _MORE), ("sign", -number)):
        yield kind, Fraction(int(other.p), int(other.q)) if as_fraction else other


#: What builds a changed expression; None where the change leaves the domain of some function.
Build = Callable[[], Any]
Change = tuple[str, str, str, Build]  # kind, what, how


def _of_relation(relation: Boolean) -> Iterator[Change]:
    if not isinstance(relation, Relational):
        for place, argument in enumerate(relation.args):
            if isinstance(argument, Boolean):
                for kind, what, how, build in _of_relation(argument):
                    yield kind, what, how, partial(_rebuilt, relation, place, build)
        return
    for place, side in enumerate(relation.args):
        for kind, what, how, build in _of_expression(side):
            yield kind, what, how, partial(_rebuilt, relation, place, build)
    for factor in (_LESS, _MORE):
        if not relation.rhs.is_number:
            scaled = partial(_rebuilt, relation, 1, partial(Mul, factor, relation.rhs))
            yield "constant", f"factor of {_short(relation.rhs)}", f"1 -> {factor}", scaled
    for other in _RELATIONS[type(relation)]:
        changed = partial(other, *relation.args, evaluate=False)
        yield "relation", relation.rel_op, f"{relation.rel_op} -> {other.rel_op}", changed


_RELATIONS: dict[type, tuple[Any, ...]] = {
    sympy.Eq: (sympy.Ne,),
    sympy.Ne: (sympy.Eq,),
    sympy.Le: (sympy.Lt, sympy.Ge),
    sympy.Ge: (sympy.Gt, sympy.Le),
    sympy.Lt: (sympy.Gt,),
    sympy.Gt: (sympy.Lt,),
}


def _rebuilt(node: Any, place: int, build: Build) -> Any | None:
    """The node with what is built at one place; None where some function is left undefined."""
    argument = build()
    if argument is None:
        return None
    arguments = [*node.args[:place], argument, *node.args[place + 1 :]]
    if isinstance(node, Boolean):
        return node.func(*arguments, evaluate=False)
    try:
        changed = node.func(*arguments)
    except (ValueError, TypeError):
        return None
    return None if changed.has(sympy.nan, sympy.zoo, sympy.I) else changed


def _short(expression: Any) -> str:
    text = str(expression)
    return text if len(text) <= 40 else text[:37] + "..."


def _of_expression(node: Any) -> Iterator[Change]:
    """Changes of one number, sign, exponent or term somewhere in an expression."""
    if node.is_Symbol:
        return
    if isinstance(node, Rational):
        yield from _of_number(node, "constant")
        return
    if isinstance(node, Add):
        yield from _of_sum(node)
    if isinstance(node, Mul) and node.args[0] == -1:
        yield "sign", f"sign of {_short(node)}", "changed", partial(Mul, -1, node)
    for place, argument in enumerate(node.args):
        inside = _of_power if isinstance(node, Pow) and place == 1 else _of_expression
        if isinstance(node, Mul) and argument == -1:
            continue
        for kind, what, how, build in inside(argument):
            yield kind, _named(what, node, place), how, partial(_rebuilt, node, place, build)


def _named(what: str, node: Any, place: int) -> str:
    """Say of an exponent what it is the exponent of."""
    is_power = isinstance(node, Pow) and place == 1 and " of " not in what
    return f"exponent {what} of {_short(node.base)}" if is_power else what


def _of_sum(node: Add) -> Iterator[Change]:
    for place, term in enumerate(node.args):
        rest = (*node.args[:place], *node.args[place + 1 :])
        turned = partial(Add, *rest, Mul(-1, term))
        yield "sign", f"sign of {_short(term)}", "changed", turned
        yield "term", f"term {_short(term)}", "left out", partial(Add, *rest)


def _of_power(exponent: Expr) -> Iterator[Change]:
    if isinstance(exponent, Rational):
        yield from _of_number(exponent, "exponent")
    else:
        yield from _of_expression(exponent)


def _of_number(number: Rational, kind: str) -> Iterator[Change]:
    if number == 0:
        for step in (Rational(-1, 100), Rational(1, 100)):
            yield kind, "0", f"0 -> {step}", partial(_as_it_is, step)
        return
    # A power of 99/50 would be a root of degree 50 to a solver: exponents move by a half or by one.
    step = Integer(1) if number.is_Integer else Rational(1, 2 * number.q)
    if kind == "exponent":
        for other in (number - step, number + step):
            yield kind, str(number), f"{number} -> {other}", partial(_as_it_is, other)
        return
    for factor in (_LESS, _MORE):
        scaled = partial(_as_it_is, number * factor)
        yield kind, str(number), f"{number} -> {number * factor}", scaled
    if number.is_Integer:
        for other in (number - step, number + step):
            yield "integer", str(number), f"{number} -> {other}", partial(_as_it_is, other)


def _as_it_is(number: Rational) -> Rational:
    return number
