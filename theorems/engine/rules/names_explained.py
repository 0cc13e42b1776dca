"""Meanings that meet in a proof: each name is explained once, in no circle, and keeps its range."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

import sympy
from sympy import Expr, Symbol, Tuple, preorder_traversal, sqrt
from sympy.core.function import Application, AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Boolean, Implies, Or

from theorems.engine.rules.common_places import indices, is_surely, renamed_apart, where_they_meet
from theorems.engine.rules.conditions import excludes, exclusive
from theorems.engine.rules.names import with_bound_letters_renamed
from theorems.engine.rules.ranges import hull
from theorems.engine.rules.vocabulary import P, derivative, inner, norm

if TYPE_CHECKING:
    from theorems.engine.rules.theorem import Trust


@dataclass(frozen=True)
class Said:
    """A left side, its value, and the conditions under which it is that, whatever letters that run."""

    left: Expr
    value: Expr
    given: frozenset[Boolean] = frozenset()
    running: frozenset[Symbol] = frozenset()

    def at(self, values: Mapping[Any, Any]) -> Said:
        """The same with other letters, or at one place of many."""
        left, value = (with_bound_letters_renamed(one.xreplace(values)) for one in (self.left, self.value))
        given = frozenset(sympy.sympify(one.xreplace(values)) for one in self.given)
        return Said(left, value, given, frozenset(values.get(x, x) for x in self.running))


def _told(trust: Trust) -> Iterator[tuple[Expr, Said]]:
    """What a meaning says of names; where it leaves a choice, all values are one thing."""
    for one, given in _parts(trust.says, trust.under):
        name, left, value, places = _read(one)
        running = indices(one, trust.about) | {x for x in places if x not in trust.about}
        if isinstance(name, AppliedUndef):
            running |= name.free_symbols - trust.about
        within = {one.xreplace(places) for one in given} | ranges_of(trust, places)
        yield name, Said(left, value, frozenset(within), frozenset(places.get(x, x) for x in running))


def ranges_of(trust: Trust, places: Mapping[Symbol, Symbol]) -> set[Boolean]:
    """Between which numbers letters run, as relations."""
    bounds: set[Boolean] = set()
    for x, range_ in trust.within:
        y, hull_ = places.get(x, x), hull(range_)
        bounds |= {y >= hull_.start} if hull_.start.is_finite else set()
        bounds |= {y <= hull_.end} if hull_.end.is_finite else set()
    return bounds


def _parts(statement: Any, given: frozenset[Boolean]) -> Iterator[tuple[Any, frozenset[Boolean]]]:
    for one in And.make_args(statement):
        if isinstance(one, Implies):
            yield from _parts(one.args[1], given | set(And.make_args(one.args[0])))
        elif isinstance(one, sympy.Eq | derivative | Or):
            yield one, given


def _read(one: Any) -> tuple[Expr, Expr, Expr, dict[Symbol, Symbol]]:
    """The name in a part of a meaning, its left and right side, and the letters of any places."""
    if isinstance(one, sympy.Eq):
        return *_in_basic_terms(*explained(one)), _any_places(_named(one)[0])
    if isinstance(one, derivative):
        name, said = _differentiated(one)
        return name, name, said, {one.args[2]: Symbol("place 0")}
    left, values = one.args[0].lhs, Tuple(*(part.rhs for part in one.args))
    return _base(left), left, values, {}


def _in_basic_terms(name: Expr, left: Expr, value: Expr) -> tuple[Expr, Expr, Expr]:
    """A norm by inner products, and a relation's probability by that of one of it and its contrary."""
    if isinstance(name, norm):
        square = name.square
        return (
            (square, square, value**2)
            if left == name
            else (square, left.xreplace({name: sqrt(square)}), value)
        )
    if isinstance(name, P) and isinstance(name.args[0], Relational) and left == name:
        contrary = P(sympy.Not(name.args[0]))
        if str(contrary) < str(name):
            return contrary, contrary, 1 - value
    return name, left, value


def explanations(trusts: Iterable[Trust]) -> tuple[dict[Expr, list[Said]], str]:
    """What is said of each name, and when; and an expression of which nothing is left to explain.

    A product explains a factor that nothing else explains, and a sum of numbers of objects one of
    these. What is said of a function at all places is said of it at one.
    """
    said: dict[Expr, list[Said]] = {}
    waiting = []
    # In one order in every process: where several laws apply to a name, one of them is put in.
    leaves = sorted(trusts, key=lambda leaf: (leaf.kind, leaf.name, leaf.detail))
    for name, what in (told for leaf in leaves for told in _told(leaf)):
        if isinstance(name, sympy.Mul | sympy.Add):
            waiting.append((name, what))
        else:
            said.setdefault(name, []).append(what)
    taken: dict[Expr, Expr] = {}
    for whole, what in sorted(waiting, key=lambda told: str((told[0], told[1].left, told[1].value))):
        free = [taken[whole]] if whole in taken else _not_explained(whole, what, said)
        if not free:
            return said, str(whole)
        taken[whole] = free[0]
        said.setdefault(free[0], []).append(what)
    return said, ""


def _not_explained(whole: Expr, what: Said, said: Mapping[Expr, Sequence[Said]]) -> list[Expr]:
    """What a product or a sum may explain: parts of which nothing else is said, at no place."""
    return [x for x in _factors(whole) if x not in said and not _meet_elsewhere(x, what, said)]


def _meet_elsewhere(term: Expr, what: Said, said: Mapping[Expr, Sequence[Said]]) -> bool:
    return any(
        are_one(name, one, term, what)
        for name, values in said.items()
        if name.args
        for one in values
        if _says_the_value(name, one)
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
    told = [one.value for values in said.values() for one in values]
    inside = {part for law in told if isinstance(law, derivative) for part in law.args[1].atoms(AppliedUndef)}
    smooth = {part.func for part in inside if part.free_symbols}
    for name, values in said.items():
        formula = any(not isinstance(one.value, derivative) for one in values)
        parts = (part for part in name.atoms(AppliedUndef) if part.free_symbols)
        if formula and any(part.func in smooth for part in parts):
            return str(name)
    return ""


def explained_twice(said: Mapping[Expr, Sequence[Said]], extremes: Iterable[Expr] = ()) -> str:
    """A name of which different things are said that may hold together, if there is one.

    Also at one place of many: f(k) = k for all k and f(1) = q make q = 1. Where a value is one of
    the ``extremes`` it is so at a certain place. Of several names it is the first by the alphabet.
    Coordinates are explained by the length of their vector, and do not explain it.
    """
    certain = set(extremes)
    plain = [
        (name, one)
        for name, values in said.items()
        for one in values
        if name.args and _says_the_value(name, one) and one.value not in certain
    ]
    coordinates = _coordinates(said)
    alone = (name for name, values in said.items() if _differ(name, values, coordinates))
    return min(map(str, chain(alone, _differing_at_a_place(plain, coordinates))), default="")


def _differ(name: Expr, values: Sequence[Said], coordinates: Collection[Any]) -> bool:
    """Whether different things are said of one name that may hold together."""
    return any(
        (one.left, one.value) != (other.left, other.value)
        and not exclusive(one.given, other.given)
        and not _is_a_length(name, (one, other), coordinates)
        for one, other in combinations(values, 2)
    )


def _differing_at_a_place(plain: Sequence[tuple[Expr, Said]], coordinates: Collection[Any]) -> Iterator[Expr]:
    """Names at places of which something else is said than of another name that is one there."""
    for (name, one), (other, what) in combinations(plain, 2):
        met = None if name == other else meeting(name, one, other, what)
        if met is not None:
            place, here, there = met
            agree = _agree(name, one, here, there) or _agree(other, what, there, here)
            length = _is_a_length(place, (here, there), coordinates)
            if not (agree or length or _joined(here, there, plain)):
                yield place


def _coordinates(said: Mapping[Expr, Sequence[Said]]) -> set[Any]:
    """The functions that are coordinates of one vector, or of a family, and of which no more is said."""
    owners: dict[Any, set[Any]] = {}
    for name, one in ((name, one) for name, values in said.items() for one in values):
        if isinstance(name, inner) and (function := _in_a_sum(one.value)) is not None:
            owners.setdefault(function, set()).update(map(head_of, name.args))
    return {one for one, of in owners.items() if len(of) == 1} - set(map(head_of, said))


def _in_a_sum(value: Expr) -> Any:
    """The function of which a sum adds up products of two values, one at least; None for others."""
    is_sum = isinstance(value, sympy.Sum) and all(
        (high - low).is_nonnegative for _, low, high in value.limits
    )
    factors = value.function.as_powers_dict() if is_sum else {}
    heads = {getattr(one, "func", None) for one in factors}
    is_product = sum(factors.values()) == 2 and all(isinstance(one, AppliedUndef) for one in factors)
    return heads.pop() if is_product and len(heads) == 1 else None


def _is_a_length(place: Expr, values: Iterable[Said], coordinates: Collection[Any]) -> bool:
    """Whether one of two values is the sum of the squares of coordinates, which may have any length."""
    square = isinstance(place, inner) and place.args[0] == place.args[1]
    return square and [_in_a_sum(one.value) in coordinates for one in values].count(True) == 1


def _says_the_value(name: Expr, what: Said) -> bool:
    """Whether a value is said, and not what a product with it is, or whose derivative it is."""
    return _base(what.left) == name and not isinstance(what.value, derivative)


def are_one(name: Expr, one: Said, other: Expr, what: Said) -> bool:
    """Whether two names are one at a place at which something may be said of both."""
    return meeting(name, one, other, what) is not None


def meeting(name: Expr, one: Said, other: Expr, what: Said) -> tuple[Expr, Said, Said] | None:
    """The name that two are at a common place, and what is said of each there, if both are said."""
    apart = renamed_apart(what.running)
    at = where_they_meet(name, other.xreplace(apart), one.running.union(apart.values()))
    if at is None:
        return None
    here, there = one.at(at), what.at({**at, **{x: at.get(new, new) for x, new in apart.items()}})
    if exclusive(here.given, there.given):
        return None
    place = name.xreplace(at)
    return place.xreplace({x: Symbol(x.name) for x in place.atoms(sympy.Dummy)}), here, there


def _agree(name: Expr, law: Said, here: Said, there: Said) -> bool:
    """Whether what is said of a name at one place is what a law says there.

    A recursion agrees with the formula that satisfies it, as f(k + 1) = 2f(k) does with 2**k.
    """
    if (here.left, here.value) == (there.left, there.value):
        return True
    if not isinstance(name, AppliedUndef) or isinstance(there.left, sympy.Pow | sympy.Abs):
        return False
    degree = here.left.exp if isinstance(here.left, sympy.Pow) else sympy.S.One
    told = {part: _value_at(name, law, part, there.given) for part in there.value.atoms(AppliedUndef)}
    known = {part**degree: value for part, value in told.items() if value is not None}
    return bool(sympy.expand((there.value**degree).xreplace(known) - here.value) == 0)


#: How often laws are put into values, until two laws agree.
_ROUNDS = 4


def _joined(here: Said, there: Said, laws: Iterable[tuple[Expr, Said]]) -> bool:
    """Whether two values of one name become the same by what is said of names at other places.

    So do those of a bilinear form of two recursions. Then they are no two things: laws that agree
    wherever they meet, and lead from places to earlier ones, leave all other names free.
    """
    if here.left != there.left or isinstance(here.left, sympy.Pow | sympy.Abs):
        return False
    known = [(name, law) for name, law in laws if law.left == name]
    given = here.given | there.given
    one, other = (_reduced(told.value, here.left, given, known) for told in (here, there))
    return bool(sympy.expand(one - other) == 0)


def _reduced(
    value: Expr, without: Expr, given: frozenset[Boolean], laws: Sequence[tuple[Expr, Said]]
) -> Expr:
    """A value with what laws say of the names in it, but of one name."""
    for _ in range(_ROUNDS):
        names = (part for part in value.atoms(Application) if part != without)
        known = ((part, _value_at(name, law, part, given)) for part in names for name, law in laws)
        new = {part: told for part, told in known if told is not None}
        if not new:
            break
        value = sympy.expand(value.xreplace(new))
    return value


def _value_at(name: Expr, law: Said, term: Expr, given: frozenset[Boolean]) -> Expr | None:
    """What a law says of a term that is its name at one place, where that is among the places."""
    apart = renamed_apart(law.running)
    at = where_they_meet(name.xreplace(apart), term, {*apart.values()})
    if at is None or not {*at} <= {*apart.values()} or not all(is_surely(x, at[x]) for x in at):
        return None
    there = law.at(apart).at(at)
    implied = (one == True or one in given or excludes(sympy.Not(one), given) for one in there.given)  # noqa: E712
    return there.value if all(implied) else None


def _factors(term: Expr) -> list[Expr]:
    """What a product or a sum may explain: its letters, values of functions, means and norms."""
    parts = [one for node in sympy.Add.make_args(term) for one in sympy.Mul.make_args(node)]
    names = {_base(one) for one in parts if not one.is_number}
    return sorted({one.square if _is_length(one) else one for one in names}, key=str)


def _is_length(name: Expr) -> bool:
    """Whether a name is the norm of one vector, that is, the root of one inner product."""
    return isinstance(name, norm) and isinstance(name.square, inner)


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
    name, left, value = _named(equation)
    places = _any_places(name)
    return name.xreplace(places), left.xreplace(places), value.xreplace(places)


def _named(equation: sympy.Eq) -> tuple[Expr, Expr, Expr]:
    left, right = equation.args
    times, left = left.as_coeff_Mul() if isinstance(left, sympy.Mul) else (sympy.S.One, left)
    return _base(left), left, right if times == 1 else right / times


def _any_places(name: Expr) -> dict[Symbol, Symbol]:
    """Other letters for those at all values of which a function is taken."""
    letters = name.args if isinstance(name, AppliedUndef) else ()
    if not all(x.is_Symbol for x in letters) or len(set(letters)) < len(letters):
        return {}
    return {x: Symbol(f"place {number}") for number, x in enumerate(letters)}


def circle(said: Mapping[Expr, Sequence[Said]]) -> list[str]:
    """Names that are explained by each other.

    A function may be explained by its own values elsewhere, as a recursion is; and those of a paper
    have closed forms.
    """
    own = {name: values for name, values in said.items() if not hasattr(name, "is_named")}
    uses: dict[object, set[object]] = {head_of(name): set() for name in own}
    for name, values in own.items():
        inside = (node for one in values for node in preorder_traversal(Tuple(one.left, one.value)))
        basic = (part for node in inside for part in (node, *_by_inner_products(node)))
        uses[head_of(name)] |= set(map(head_of, basic)) & set(uses) - {head_of(name)}
    while settled := {one for one, used in uses.items() if not used & set(uses)}:
        uses = {one: used for one, used in uses.items() if one not in settled}
    return sorted(map(str, uses))


def _by_inner_products(node: sympy.Basic) -> set[sympy.Basic]:
    return node.square.atoms(inner) if isinstance(node, norm) else set()


def head_of(term: sympy.Basic) -> object:
    """What is explained at all places at once: a function, or else the term."""
    return (
        term.func if isinstance(term, AppliedUndef) or (term.args and hasattr(term, "belongs_to")) else term
    )
