"""Theorems that are taken over by name: derivations, decisions, certificates, textbooks, claims."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, TypeAlias

import sympy
from sympy import Eq, Expr, Function, Ge, Interval, Le, MatrixBase, Set, Symbol
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from symbolic.enclosure import enclose
from symbolic.equality import decide_at_least, decide_equal
from symbolic.nonnegative import nonnegative
from theorems.engine.rules.asking import bound
from theorems.engine.rules.choices import families
from theorems.engine.rules.evaluation import far_points, simple_points
from theorems.engine.rules.models import Tried
from theorems.engine.rules.names import in_order, name_of
from theorems.engine.rules.ranges import Objects, Over, assumed, checked, hull, is_integral, ranging
from theorems.engine.rules.solver import Problem
from theorems.engine.rules.terms import Term, both, implies, plainly_true
from theorems.engine.rules.theorem import Kind, NotProved, Theorem, Trust, make
from theorems.engine.rules.translation import Translation
from theorems.engine.rules.vocabulary import VECTORS, derivative
from theorems.engine.statements.values import unfolded


def decided(relation: Boolean, *, over: Over | None = None, under: Iterable[Boolean] = ()) -> Theorem:
    """An equality or weak inequality, by normal forms, factors and signs of coefficients.

    Letters that ``over`` does not name range as far as their assumptions go. Raises NotProved;
    TypeError for other relations.

    >>> x = Symbol("x", real=True)
    >>> print(decided(sympy.Le(1 - x**2, sympy.sqrt(1 - x**2)), over={x: Interval(-1, 1)}))
    1 - x**2 <= sqrt(1 - x**2) for x in Interval(-1, 1) [proved]
    """
    given = tuple(under)
    letters = checked(ranging(relation, *given, over=over))
    numbers = {x: range_ for x, range_ in letters.items() if not isinstance(range_, Objects)}
    ranges = {x: hull(range_) for x, range_ in numbers.items()}
    answer, detail = _decision(relation, ranges)
    if answer is not True:
        known = answer is False and not any(map(is_integral, numbers.values()))
        raise NotProved("rejected" if known else "undecided", detail)
    asked = check_defined(relation.args, letters, given)
    return make(relation, letters, given, {Trust("decision", str(relation), detail)} | asked)


def enclosed(relation: Boolean) -> Theorem:
    """A strict inequality between two numbers, by balls that exclude each other.

    Raises NotProved; TypeError for what is no strict inequality between numbers.

    >>> print(enclosed(sympy.Gt(sympy.log(3), 1, evaluate=False)))
    log(3) > 1 for certain [certified]
    """
    if not isinstance(relation, sympy.Gt | sympy.Lt) or relation.free_symbols:
        raise TypeError(f"a strict inequality between numbers is needed, got {relation}")
    # What both sides have in common stays, as it must have a value.
    gap = enclose(sympy.Add(relation.gts, -relation.lts, evaluate=False), precision=192)
    if not gap > 0:
        raise NotProved("rejected" if gap < 0 else "undecided", f"the difference is in {gap}")
    trust = Trust("certificate", str(relation), f"the difference lies in {gap.str(11)}")
    return make(relation, {}, (), [trust])


def textbook(
    name: str,
    statement: Boolean,
    *,
    over: Over,
    under: Iterable[Boolean] = (),
    detail: str = "",
    own: Iterable[Any] = (),
    tried: bool = True,
) -> Theorem:
    """A fact of the textbooks, taken over by name; whoever uses it lists it among the trusts.

    It must hold for all numbers, and for all values of letters that are a claim's ``own``, such as
    its vectors and random variables.  Other vectors, matrices, random variables, events and
    families may be some for which it holds, as if one said: let v be a unit vector.  They are
    chosen by this fact alone, and no letter of a claim stands for them: see ``choices``.

    A fact is ``tried``: about vectors, matrices, random variables, events and families in finite
    models; about numbers at simple, small and large points, and a polynomial one is asked of the
    solver.
    Functions of a paper have the values of their closed forms.  Raises NotProved if it is false.

    >>> x = Symbol("x", real=True)
    >>> textbook("squares", x**2 >= x, over={x: sympy.Interval(0, 1)})
    Traceback (most recent call last):
      ...
    theorems.engine.rules.theorem.NotProved: rejected: squares is false at x = 1/2
    """
    given, letters = in_order(under), checked(over)
    kept, chosen = _kept_in_models(statement, given, tuple(letters.items()), frozenset(own))
    if kept is None:
        raise NotProved("rejected", f"{name} is false for some of what it speaks of: {statement}")
    some = _families_with_other_values(statement, given, letters) - kept
    if some.intersection(own):
        raise NotProved("rejected", f"{name} is false for some of what it speaks of: {statement}")
    things = {x for x in kept | some if isinstance(letters.get(x, VECTORS), Objects)}
    found = frozenset(things.difference(own))
    said = name, statement, over, given, detail, kept
    fact = named("textbook", *said, found=found, chosen=chosen | some)
    parts = {statement, *(sympy.And.make_args(statement) if found else ())} if tried else set()
    for part in in_order(parts):
        used = part.free_symbols.union(*(one.free_symbols for one in given))
        ranges = tuple((x, range_) for x, range_ in letters.items() if x in used)
        if part is statement or not any(isinstance(range_, Objects) for _, range_ in ranges):
            refuted = _refutation(part, given, ranges, bound())
            if refuted is not None:
                where = ", ".join(f"{x} = {value}" for x, value in refuted.witness.items())
                raise NotProved("rejected", f"{name} is false at {where}", refuted.witness)
    return fact


#: Ranges of letters, so that what was found out about a fact is kept for them: a proof is made
#: anew for each variant of its goal.
Ranges: TypeAlias = tuple[tuple[Symbol, Any], ...]
_KEPT = 4096


@lru_cache(maxsize=_KEPT)
def _kept_in_models(
    statement: Boolean, given: tuple[Boolean, ...], ranges: Ranges, own: frozenset[Any]
) -> tuple[frozenset[Any] | None, frozenset[Any]]:
    """What keeps its values, as finite models show, and what is chosen; None if it is false."""
    models = Tried(statement, given, dict(ranges), own)
    if models.is_refuted:
        return None, frozenset()
    return frozenset(models.standing_for_something), frozenset(models.chosen)


def _families_with_other_values(
    statement: Boolean, given: tuple[Boolean, ...], letters: Over
) -> frozenset[Any]:
    """The functions for some of whose values a fact about numbers is false, as the solver finds."""
    fact = sympy.Implies(sympy.And(*given), statement, evaluate=False)
    values = {one: Symbol(name_of(one), **one.assumptions0) for one in in_order(families(fact))}
    for part in sympy.And.make_args(statement):
        used = sorted(families(part), key=str)
        if used and not part.has(sympy.Sum) and not any(map(_is_no_number, values)):
            said, *under = (one.xreplace(values) for one in (part, *given))
            ranges = {**letters, **{x: assumed(x) for x in values.values()}}
            known = said.free_symbols.union(*(one.free_symbols for one in under))
            here = tuple((x, range_) for x, range_ in ranges.items() if x in known)
            if _refutation(said, tuple(under), here, bound()) is not None:
                return frozenset(one.func for one in values)
    return frozenset()


@lru_cache(maxsize=_KEPT)
def _refutation(fact: Boolean, given: tuple[Boolean, ...], ranges: Ranges, _effort: int) -> NotProved | None:
    """Where a fact fails, at points or, of plain numbers, as the solver finds within its bound."""
    letters, statement, under = dict(ranges), unfolded(fact), [unfolded(one) for one in given]
    problem = Problem(letters, under, ())
    points = chain(simple_points(letters), far_points(letters, [statement, *under]))
    refuted = problem.refuted_at(points, statement)
    if refuted is None and all(map(_is_plain, [statement, *under])):
        try:
            problem.prove(statement)
        except NotProved as found:
            refuted = found if found.answer == "rejected" else None
    return refuted


def bridge(name: str, statement: Boolean, *, over: Over, under: Iterable[Boolean] = ()) -> Theorem:
    """A step that is made in words: what rests on it is argued, however exact the rest is.

    >>> x = Symbol("x", real=True)
    >>> bridge("as the page says", x < 1, over={x: sympy.Reals}).grade
    'argued'
    """
    return named("bridge", name, statement, over, under, "")


def supposed(
    name: str, statement: Boolean, *, over: Over, under: Iterable[Boolean] = (), about: Iterable[Symbol] = ()
) -> Theorem:
    """A hypothesis in words, written in the terms of a proof; ``about`` as in ``meaning``."""
    return named("hypothesis", name, statement, over, under, "", about)


def claimed(
    name: str,
    statement: Boolean,
    *,
    over: Over,
    under: Iterable[Boolean] = (),
    detail: str = "",
    about: Iterable[Symbol] = (),
    met: Mapping[str, str] | None = None,
) -> Theorem:
    """The statement of a claim, taken over by the claim's name.

    It is ``about`` the letters of its hypotheses in words, for which nothing else may be put in.
    Those that are ``met``, by name, with the sentence that says why, make what follows argued.
    """
    words = [Trust("met in words", f"{name}: {one}", why) for one, why in (met or {}).items()]
    return named("claim", name, statement, over, under, detail, about, beside=words)


def defined(term: Expr, meaning: Expr, *, over: Over) -> Theorem:
    """The definition of a new function, f(x, y) = an expression in x and y.

    Raises ValueError unless the arguments are different letters and the only ones in the
    expression. That a function is defined once, and not in a circle, is checked wherever
    theorems meet.

    >>> x, f = Symbol("x", real=True), sympy.Function("f")
    >>> print(defined(f(x), x**2, over={x: sympy.Reals}))
    Eq(f(x), x**2) for x in Reals [proved]
    """
    args = term.args
    fresh = isinstance(term, AppliedUndef) and len(set(args)) == len(args)
    if not (fresh and meaning.free_symbols <= set(args) and all(x in over for x in args)):
        raise ValueError(f"a definition must be f(letters) = an expression in them, got {term}")
    name = term.func.__name__
    if term.func not in {Function(name), Function(name, real=True)}:
        raise ValueError(f"{term.func} must be a function without assumptions, except to be real")
    statement = Eq(term, meaning, evaluate=False)
    return named("definition", str(term.func), statement, over, (), "")


def named(
    kind: Kind,
    name: str,
    statement: Boolean,
    over: Over,
    under: Iterable[Boolean],
    detail: str,
    about: Iterable[Any] = (),
    extremes: frozenset[Expr] = frozenset(),
    beside: Iterable[Trust] = (),
    found: frozenset[Any] = frozenset(),
    chosen: frozenset[Any] = frozenset(),
    shown: frozenset[tuple[Expr, Set]] = frozenset(),
) -> Theorem:
    """A leaf: a statement that is taken over by name, defined for all values of its letters.

    Of names it is ``shown`` in which ranges they lie; other leaves may stand ``beside`` it.
    """
    letters, given = checked(over), tuple(under)
    _check_unknown(statement)
    asked = check_defined([statement], letters, given)
    fixed = frozenset(about) & set(letters)
    said = kind, name, detail or str(statement), statement
    within = _numbers_in(statement, letters) if kind == "meaning" else frozenset()
    trust = Trust(*said, fixed, extremes, found, chosen, shown, under=frozenset(given), within=within)
    return make(statement, letters, given, {trust, *beside} | asked)


def _numbers_in(statement: Boolean, letters: Over) -> frozenset[tuple[Symbol, Set]]:
    """The letters for numbers in a statement, with their ranges."""
    used = ((x, letters[x]) for x in statement.free_symbols)
    return frozenset((x, range_) for x, range_ in used if not isinstance(range_, Objects))


def _check_unknown(statement: Boolean) -> None:
    """Check that derivatives are those of functions without a formula: rules make all others."""
    for one in statement.atoms(derivative):
        for side in one.args[:2]:
            unknown = (node for node in sympy.preorder_traversal(side) if _is_unknown(node))
            if not any(one.args[2] in node.free_symbols for node in unknown):
                raise TypeError(f"the derivative of a formula is made by the rules, got {one}")


def _is_no_number(node: Any) -> bool:
    return hasattr(node, "belongs_to")


def _is_unknown(node: Any) -> bool:
    return isinstance(node, AppliedUndef) or bool(getattr(node, "is_opaque", False))


def implied(condition: Boolean, letters: Over, given: Iterable[Boolean]) -> Trust | None:
    """The inference by which hypotheses imply a condition, for instance by being defined."""
    try:
        return Problem(letters, tuple(given), ()).prove(condition)
    except NotProved:
        return None


def _decision(relation: Boolean, ranges: dict[Symbol, Interval]) -> tuple[bool | None, str]:
    if isinstance(relation, Eq):
        return decide_equal(relation.lhs, relation.rhs, ranges)
    if not isinstance(relation, Le | Ge):
        raise TypeError(f"the deciders take =, <= and >=, got {relation}")
    decision = decide_at_least(relation.gts, relation.lts, ranges)
    if decision.answer is not None:
        return decision
    signs = nonnegative(relation.gts - relation.lts, ranges)
    return (signs, "signs of coefficients") if signs is not None else decision


def check_defined(parts: Iterable[Any], letters: Over, given: Iterable[Boolean]) -> set[Trust]:
    """Check that expressions or statements are defined, up to the existence of integrals.

    Returns what the inferences trust that show it.
    """
    entries = [one for part in parts for one in (part if isinstance(part, MatrixBase) else [part])]
    relations = [
        one if isinstance(one, Boolean) else Eq(one, one, evaluate=False)
        for one in entries
        if not is_total(one)
    ]
    risky = [one for one in relations if not plainly_true(_defined(one, Translation(letters)))]
    if not risky:
        return set()
    problem = Problem(letters, given, ())
    return {problem.prove(one, _defined(one, problem.translation)) for one in risky}


def _defined(relation: Boolean, translation: Translation) -> Term:
    """The condition that a relation is defined, if the integrals and limits in it exist."""
    condition = translation.formula(relation)[1]
    return implies(both(translation.existing), condition)


_TOTAL = (
    *(sympy.Symbol, sympy.Rational, sympy.core.numbers.NumberSymbol),
    *(sympy.Add, sympy.Mul, sympy.Abs, sympy.Max, sympy.Min),
)


def _is_plain(statement: Boolean) -> bool:
    """Whether there is nothing but relations of polynomials, which the solver can decide."""
    unknown = any(map(_is_unknown, sympy.preorder_traversal(statement)))
    return not unknown and is_total(statement)


def is_total(part: Any) -> bool:
    """Whether there is nothing but polynomials and the like, which have a value everywhere."""
    return all(
        isinstance(node, (Boolean, AppliedUndef, *_TOTAL))
        or getattr(node, "is_opaque", False)
        or (node.is_Pow and node.exp.is_Integer and node.exp.is_nonnegative)
        for node in sympy.preorder_traversal(part)
    )
