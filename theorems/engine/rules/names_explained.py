"""Meanings that meet in a proof: each name is explained once, in no circle, and keeps its range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations, product
from typing import TYPE_CHECKING, Any, TypeAlias

import sympy
from sympy import Expr, Symbol, Tuple, preorder_traversal
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import And, Boolean, Implies, Or

from theorems.engine.rules.names import with_bound_letters_renamed
from theorems.engine.rules.vocabulary import derivative

if TYPE_CHECKING:
    from theorems.engine.rules.theorem import Trust

#: A left side, what it is said to be, and under which conditions.
Said: TypeAlias = tuple[Expr, Expr, frozenset[Boolean]]


def _told(statement: Any, given: frozenset[Boolean] = frozenset()) -> Iterator[tuple[Expr, Said]]:
    """What a meaning says of names; where it leaves a choice, all values are one thing."""
    for one in And.make_args(statement):
        if isinstance(one, Implies):
            yield from _told(one.args[1], given | set(And.make_args(one.args[0])))
        elif isinstance(one, sympy.Eq):
            name, left, value = explained(one)
            yield name, (left, value, given)
        elif isinstance(one, derivative):
            name, said = _differentiated(one)
            yield name, (name, said, given)
        elif isinstance(one, Or):
            left, values = one.args[0].lhs, Tuple(*(part.rhs for part in one.args))
            yield _base(left), (left, values, given)


def explanations(trusts: Iterable[Trust]) -> tuple[dict[Expr, list[Said]], str]:
    """What is said of each name, and when; and an expression of which nothing is left to explain.

    A product explains a factor that nothing else explains, and a sum of numbers of objects one of
    these. What is said of a function at all places is said of it at one.
    """
    said: dict[Expr, list[Said]] = {}
    waiting = []
    for name, what in (told for trust in trusts for told in _told(trust.says)):
        if isinstance(name, sympy.Mul | sympy.Add):
            waiting.append((name, what))
        else:
            said.setdefault(name, []).append(what)
    taken: dict[Expr, Expr] = {}
    for whole, what in sorted(waiting, key=lambda told: str((told[0], *told[1][:2]))):
        free = [taken[whole]] if whole in taken else [x for x in _parts(whole) if not _is_explained(x, said)]
        if not free:
            return said, str(whole)
        taken[whole] = free[0]
        said.setdefault(free[0], []).append(what)
    return said, ""


def _is_explained(term: Expr, said: Mapping[Expr, Sequence[Said]]) -> bool:
    return term in said or any(
        _common_place(name, term) is not None and any(_says_the_value(name, one) for one in values)
        for name, values in said.items()
        if name.args
    )


def _differentiated(one: derivative) -> tuple[Expr, derivative]:
    """What is called the derivative of a function, whatever the letter that runs."""
    rate, _, running, _ = one.args
    name = next(part for part in rate.atoms(AppliedUndef) if running in part.free_symbols)
    at = {running: Symbol("place 0")}
    return name.xreplace(at), one.xreplace(at)


def has_a_formula(said: Mapping[Expr, Sequence[Said]]) -> str:
    """A function whose derivative has a name, and which is explained otherwise; if there is one.

    At single places it may stand for something.
    """
    laws = [what.args for what in _values(said) if isinstance(what, derivative)]
    inside = {part for _, value, *_ in laws for part in value.atoms(AppliedUndef)}
    smooth = {part.func for part in inside if part.free_symbols}
    for name, values in said.items():
        formula = any(not isinstance(value, derivative) for _, value, _ in values)
        parts = (part for part in name.atoms(AppliedUndef) if part.free_symbols)
        if formula and any(part.func in smooth for part in parts):
            return str(name)
    return ""


def _values(said: Mapping[Expr, Sequence[Said]]) -> Iterator[Expr]:
    return (value for values in said.values() for _, value, _ in values)


def explained_twice(said: Mapping[Expr, Sequence[Said]], extremes: Iterable[Expr] = ()) -> str:
    """A name of which different things are said that may hold together, if there is one.

    Also at one place of many: f(k) = k for all k and f(1) = q make q = 1. Where a value is one of
    the ``extremes`` it is so at a certain place. Of several names it is the first by the alphabet.
    """
    alone = (name for name, values in said.items() if _differ(values))
    return min(map(str, chain(alone, _differing_at_a_place(said, set(extremes)))), default="")


def _differ(values: Sequence[Said]) -> bool:
    """Whether different things are said of one name that may hold together."""
    return any(
        one != other and not exclusive(when, then) for (*one, when), (*other, then) in combinations(values, 2)
    )


def _differing_at_a_place(said: Mapping[Expr, Sequence[Said]], certain: set[Expr]) -> Iterator[Expr]:
    """Names of which something else is said than of another one that they are a value of."""
    plain = {
        name: [one for one in values if _says_the_value(name, one) and one[1] not in certain]
        for name, values in said.items()
        if name.args
    }
    for name, other in permutations(plain, 2):
        at = _common_place(name, other)
        if at is not None and any(
            not exclusive(frozenset(x.xreplace(at) for x in law[2]), one[2])
            and not _agree(name, law, at, one)
            for law, one in product(plain[name], plain[other])
        ):
            yield other


def _says_the_value(name: Expr, what: Said) -> bool:
    """Whether a value is said, and not what a product with it is, or whose derivative it is."""
    left, value, _ = what
    return _base(left) == name and not isinstance(value, derivative)


def _agree(name: Expr, law: Said, at: Mapping[Symbol, Expr], one: Said) -> bool:
    """Whether what is said of a name at one place is what a law says there.

    A recursion agrees with the formula that satisfies it, as f(k + 1) = 2f(k) does with 2**k.
    """
    left, value = (with_bound_letters_renamed(part.xreplace(at)) for part in law[:2])
    there, known = (with_bound_letters_renamed(part) for part in one[:2])
    if (left, value) == (there, known):
        return True
    degree = left.exp if isinstance(left, sympy.Pow) else sympy.S.One
    if not isinstance(name, AppliedUndef) or isinstance(there, sympy.Pow | sympy.Abs):
        return False
    power = known**degree
    for part in known.atoms(AppliedUndef):
        if (place := _common_place(name, part)) is not None:
            power = power.xreplace({part**degree: law[1].xreplace(place)})
    return bool(sympy.expand(power - value) == 0)


def _common_place(name: Expr, other: Expr) -> dict[Symbol, Expr] | None:
    """Where what has a value at each of many places is at the place of another one of its values.

    Indices in the first name run as far as their assumptions go, and the second one stays.

    >>> f, k = sympy.Function("f"), Symbol("k", integer=True, positive=True)
    >>> _common_place(f(k), f(3)), _common_place(f(k), f(0)), _common_place(f(1), f(k))
    ({k: 3}, None, None)
    """
    at: dict[Symbol, Expr] = {}
    return at if _matched(name, other, at) else None


def _matched(name: Any, other: Any, at: dict[Symbol, Expr]) -> bool:
    """Whether the indices of a name can be such that it is the other one; they are noted."""
    if isinstance(name, Symbol) and _runs(name):
        return _may_be(name, other) and at.setdefault(name, other) == other
    if name == other:
        return not any(x in at for x in name.free_symbols)
    pairs = zip(name.args, other.args, strict=False)
    shifted = bool(getattr(name, "is_integer", False)) and isinstance(name, sympy.Add | sympy.Mul)
    alike = not shifted and name.func == other.func and len(name.args) == len(other.args) > 0
    return alike and all(_matched(one, wanted, at) for one, wanted in pairs)


def _runs(letter: Symbol) -> bool:
    return bool(letter.is_integer) or letter.name.startswith("place ")


def _may_be(letter: Symbol, value: Expr) -> bool:
    """Whether what is assumed of a letter is not known to be false of a value."""
    told = (getattr(value, f"is_{one}", None) for one, true in letter.assumptions0.items() if true)
    return all(one is not False for one in told)


def _parts(term: Expr) -> list[Expr]:
    """What a product or a sum may explain: its letters, values of functions, means and norms."""
    parts = [one for node in sympy.Add.make_args(term) for one in sympy.Mul.make_args(node)]
    names = [_base(one) for one in parts if not one.is_number]
    return sorted(set(names), key=str)


def _base(term: Expr) -> Expr:
    """A name without its power, and without the bars of its size."""
    if isinstance(term, sympy.Abs):
        return term.args[0]
    return term.base if isinstance(term, sympy.Pow) else term


def explained(equation: sympy.Eq) -> tuple[Expr, Expr, Expr]:
    """The name on the left of a meaning, the left, and what is said of it, whatever the index.

    >>> q, k = sympy.symbols("q k")
    >>> g = sympy.Function("g")
    >>> explained(sympy.Eq(2 * q**2, 2)), explained(sympy.Eq(g(k), k**2))
    ((q, q**2, 1), (g(place 0), g(place 0), place 0**2))
    """
    left, right = equation.args
    times, left = left.as_coeff_Mul() if isinstance(left, sympy.Mul) else (sympy.S.One, left)
    value = right if times == 1 else right / times
    name = _base(left)
    letters = name.args if isinstance(name, AppliedUndef) else ()
    if letters and all(x.is_Symbol for x in letters) and len(set(letters)) == len(letters):
        places = {x: Symbol(f"place {number}") for number, x in enumerate(letters)}
        return tuple(one.xreplace(places) for one in (name, left, value))
    return name, left, value


def exclusive(first: frozenset[Boolean], second: frozenset[Boolean]) -> bool:
    """Whether two conditions are not met together, as far as that is plain.

    >>> x = Symbol("x", real=True)
    >>> exclusive(frozenset([sympy.Eq(x, 1)]), frozenset([x < 1]))
    True
    """
    together = [*first, *second]
    values = {one.lhs: one.rhs for one in together if isinstance(one, sympy.Eq) and one.lhs.is_Symbol}
    return bool(sympy.And(*together, *(one.xreplace(values) for one in together)) == sympy.false)


def circle(said: Mapping[Expr, Sequence[Said]]) -> list[str]:
    """Names that are explained by each other.

    A function may be explained by its own values elsewhere, as a recursion is; and those of a paper
    have closed forms.
    """
    own = {name: values for name, values in said.items() if not hasattr(name, "is_named")}
    uses: dict[object, set[object]] = {_head(name): set() for name in own}
    for name, values in own.items():
        inside = (node for *sides, _ in values for node in preorder_traversal(Tuple(*sides)))
        uses[_head(name)] |= set(map(_head, inside)) & set(uses) - {_head(name)}
    while settled := {one for one, used in uses.items() if not used & set(uses)}:
        uses = {one: used for one, used in uses.items() if one not in settled}
    return sorted(map(str, uses))


def _head(term: sympy.Basic) -> object:
    """What is explained at all places at once: a function, or else the term."""
    return term.func if isinstance(term, AppliedUndef) else term
