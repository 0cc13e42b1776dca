"""Textbook principles that infer theorems from theorems: means, suprema, convexity, slopes."""

from collections.abc import Mapping
from typing import Any

import sympy
from sympy import Eq, Expr, Interval, Reals, Sum, Symbol
from sympy.core.function import UndefinedFunction

from theorems.engine.rules.analytic import check_analytic
from theorems.engine.rules.definitions import believed, outside
from theorems.engine.rules.inferences import inserted
from theorems.engine.rules.leaves import (
    check_defined,
    textbook,  # noqa: F401 - the examples below use it
)
from theorems.engine.rules.letters_of_leaves import check_unmentioned
from theorems.engine.rules.probabilities import about_random
from theorems.engine.rules.ranges import Objects, Over, joined, within
from theorems.engine.rules.theorem import NotProved, Theorem, Trust, genuine, make
from theorems.engine.rules.vocabulary import E, P


def expected(theorem: Theorem, letter: Symbol, X: Expr) -> Theorem:
    """A relation that holds for every value of a random variable holds for the expectations.

    The letter ranges over all reals, or over an interval in which X lies almost surely.

    >>> from theorems.engine.rules.vocabulary import Random
    >>> x = Symbol("x", real=True)
    >>> square = textbook("squares", x**2 >= 2 * x - 1, over={x: Reals})
    >>> print(expected(square, x, Random("X")).statement)
    E(X**2) >= 2*E(X) - 1
    """
    return expected_jointly(theorem, {letter: X})


def expected_jointly(theorem: Theorem, values: Mapping[Any, Any], *, over: Over | None = None) -> Theorem:
    """A relation that holds for all values of several random variables holds for expectations.

    As ``expected``, with a random variable for each of these letters, and a family of random
    variables for a function that may have any real values; ``over`` are the ranges of new letters
    in the random variables, such as an index.  Raises ValueError, and NotProved for a function that
    is defined, or that a claim speaks of.

    >>> from theorems.engine.rules.vocabulary import Random
    >>> x, y = sympy.symbols("x y", real=True)
    >>> product = textbook("squares", 2 * x * y <= x**2 + y**2, over={x: Reals, y: Reals})
    >>> print(expected_jointly(product, {x: Random("X"), y: Random("Y")}).statement)
    2*E(X*Y) <= E(X**2) + E(Y**2)
    """
    genuine(theorem)
    families = {f: X for f, X in values.items() if isinstance(f, UndefinedFunction)}
    letters = {x: X for x, X in values.items() if x not in families}

    for f in families:
        if all(f != sympy.Function(f.__name__, **known) for known in ({}, {"real": True})):
            raise ValueError(f"{f} must have any real values")

    def random(one: Any) -> Any:
        for f, X in families.items():
            if any(mean.has(f) for mean in one.atoms(E, P)):
                raise ValueError(f"{f} would be caught in a mean, in {one}")
            one = one.replace(f, X)
        return inserted(one, letters)

    if any(random(one) != one for one in theorem.under):
        raise ValueError("no hypothesis may be about the letters that become random")
    left, right = (E(random(side)) for side in theorem.statement.args)
    weak = {sympy.Lt: sympy.Le, sympy.Gt: sympy.Ge}
    relation = weak.get(type(theorem.statement), type(theorem.statement))
    if relation not in {sympy.Le, sympy.Ge, Eq}:
        raise ValueError(f"the theorem must be a relation between numbers, got {theorem}")
    statement = relation(left, right, evaluate=False)
    name = "expectations are monotone"
    return about_random(statement, name, theorem, letters, over=over, families=families)


def drawn(theorem: Theorem, values: Mapping[Expr, Symbol], *running: Symbol) -> Theorem:
    """What holds for all values of letters holds almost surely where these are drawn at random.

    ``values`` says which random variable is the value of an expression in the letters that are
    drawn, the ``running`` ones, which must not occur otherwise; ValueError if they do.  That this
    is what the variable stands for is listed as a meaning, which says from where numbers are drawn.

    >>> from theorems.engine.rules.vocabulary import Random
    >>> x = Symbol("x", real=True)
    >>> powers = textbook("powers", sympy.exp(x) >= 1, over={x: Interval(0, 1)})
    >>> print(drawn(powers, {sympy.exp(x): Random("Y")}, x).statement)
    Eq(P(Y >= 1), 1)
    """
    genuine(theorem)
    said = theorem.statement.xreplace(dict(values))
    kept = said.free_symbols.union(*(one.free_symbols for one in theorem.under))
    if kept & set(running):
        raise ValueError(f"{', '.join(map(str, running))} must occur in {[*values]} alone")
    check_unmentioned(running, theorem)
    statement = Eq(P(said), 1, evaluate=False)
    places = {x: _drawn_from(x, theorem.over[x]) for x in running}
    named = ((X, value.xreplace(places)) for value, X in values.items())
    meant = sympy.And(*(Eq(*pair, evaluate=False) for pair in named))
    name = f"values where {', '.join(map(str, running))} is drawn"
    leaf = Trust("meaning", name, str(meant), meant)
    fact = Trust("textbook", "what holds for all values has probability one", str(statement))
    others = {x: one for x, one in theorem.over.items() if x in kept}
    letters = {**others, **{X: X.belongs_to for X in values.values()}}
    return make(statement, letters, theorem.under, [*theorem.trusts, leaf, fact])


def supremum(each: Theorem, top: Symbol, *, over: Over, what: str = "") -> Theorem:
    """The supremum of values that are all at most a bound is at most this bound.

    ``each`` says value <= bound; ``top`` is the supremum of these values over whatever the value
    depends on, as a meaning that is listed, in the words ``what`` if that is said of it elsewhere.
    Raises TypeError for another statement, ValueError if the bound or a hypothesis is about what
    the value depends on, or values lie outside of the range of ``top``.

    >>> x, top = sympy.symbols("x top", real=True)
    >>> each = textbook("squares", x**2 <= 1, over={x: Interval(-1, 1)})
    >>> print(supremum(each, top, over={top: Reals}))
    top <= 1 for top in Reals [proved]
    """
    genuine(each)
    if not isinstance(each.statement, sympy.Le | sympy.Lt):
        raise TypeError(f"the theorem must say value <= bound, got {each.statement}")
    value, bound = each.statement.args
    kept = bound.free_symbols.union(*(one.free_symbols for one in each.under))
    if value.free_symbols & kept or top in kept | value.free_symbols:
        raise ValueError(f"the bound of {value} must not depend on it, got {bound}")
    own = set().union(*(trust.about for trust in each.trusts))
    if own & value.free_symbols:  # what it stands for at each place is another matter
        raise NotProved("undecided", f"{value} may not vary: a leaf is about its value")
    range_ = dict(over)[top]
    fit = outside(value, range_, each.over, each.under)
    if fit.fails:
        raise ValueError(fit.fails)
    statement = sympy.Le(top, bound, evaluate=False)
    places = ", ".join(f"{x} in {one}" for x, one in each.over.items() if x in value.free_symbols)
    name = what or f"the supremum of {value}{' for ' if places else ''}{places}"
    leaf = Trust("meaning", name, f"it is {top}", extremes=frozenset({top}), shown=frozenset({(top, range_)}))
    fact = Trust("textbook", "a supremum is the least upper bound", str(statement))
    letters = {x: one for x, one in each.over.items() if x in kept} | {top: range_}
    return make(statement, letters, each.under, [*each.trusts, leaf, fact, *believed(fit)])


def more_probable(theorem: Theorem, letter: Symbol, X: Expr) -> Theorem:
    """What implies an event for every value of a random variable is at most as probable.

    The theorem is an implication, or an equivalence of events that are then equally probable.
    Raises ValueError for another statement.

    >>> from theorems.engine.rules.vocabulary import Random
    >>> x, X = Symbol("x", real=True), Random("X")
    >>> larger = textbook("x > 1", sympy.Implies(x > 2, x**2 > 4), over={x: Reals})
    >>> print(more_probable(larger, x, X).statement)
    P(X > 2) <= P(X**2 > 4)
    """
    genuine(theorem)
    relation = {sympy.Implies: sympy.Le, sympy.Equivalent: Eq}.get(type(theorem.statement))
    if relation is None or len(theorem.statement.args) != 2:
        raise ValueError(f"the theorem must say that one event implies another, got {theorem}")
    if any(letter in one.free_symbols for one in theorem.under):
        raise ValueError(f"no hypothesis may be about {letter}")
    events = [P(inserted(event, {letter: X})) for event in theorem.statement.args]
    statement = relation(*events)
    return about_random(statement, "probabilities are monotone", theorem, {letter: X})


def jensen(convex: Theorem, function: Expr, letter: Symbol, X: Expr) -> Theorem:
    """A convex function of the expectation is at most the expectation of the function.

    ``convex`` says that the second derivative of the function is at least 0, for the letter in
    the reals or in an interval in which X lies almost surely. Raises ValueError otherwise.

    >>> from sympy import exp
    >>> from theorems.engine.rules.vocabulary import Random
    >>> x = Symbol("x", real=True)
    >>> convex = textbook("e", sympy.diff(exp(x), x, 2) > 0, over={x: Reals})
    >>> print(jensen(convex, exp(x), x, Random("X")).statement)
    E(exp(X)) >= exp(E(X))
    """
    genuine(convex)
    defined = _check_convex(convex, function, letter)
    statement = E(inserted(function, {letter: X})) >= inserted(function, {letter: E(X)})
    name = "Jensen's inequality"
    return about_random(statement, name, convex, {letter: X}, beside=defined)


def jensen_for_sums(
    convex: Theorem, function: Expr, letter: Symbol, term: Expr, index: Symbol, length: Expr,
    *, over: Over, inside: Theorem | None = None,
) -> Theorem:  # fmt: skip
    """A convex function of a mean of terms is at most the mean of the function.

    ``convex`` is as in ``jensen``. If its letter ranges over an interval, ``inside`` says that
    each term lies in it, for every index from 0 on. Raises ValueError otherwise.

    >>> x, k, n = Symbol("x", real=True), *sympy.symbols("k n", integer=True)
    >>> convex = textbook("2 >= 0", sympy.true, over={x: Reals})
    >>> r = sympy.Function("r")
    >>> over = {n: sympy.Range(1, sympy.oo)}
    >>> print(jensen_for_sums(convex, x**2, x, r(k), k, n, over=over).statement)
    Sum(r(k), (k, 0, n - 1))**2/n**2 <= Sum(r(k)**2, (k, 0, n - 1))/n
    """
    genuine(convex, *([inside] if inside else []))
    defined = _check_convex(convex, function, letter)
    range_ = convex.over[letter]
    if not isinstance(range_, Interval) and range_ != Reals:
        raise ValueError(f"{letter} must range over the reals or an interval, got {range_}")
    each = within(term, range_)
    if each != sympy.true and (inside is None or inside.statement != each or inside.under):
        raise ValueError(f"a theorem must say that {each}")
    if inside and not sympy.Range(sympy.oo).is_subset(inside.over.get(index, sympy.S.EmptySet)):
        raise ValueError(f"the theorem must say so for every {index} from 0 on")
    check_unmentioned([index], *([inside] if inside else []))
    ends = (index, 0, length - 1)
    mean = inserted(function, {letter: sympy.Sum(term, ends) / length})
    statement = mean <= sympy.Sum(inserted(function, {letter: term}), ends) / length
    leaves = convex.trusts | (inside.trusts if inside else frozenset())
    trust = Trust("textbook", "Jensen's inequality", str(statement))
    others = {x: one for x, one in convex.over.items() if x != letter}
    places = {x: one for x, one in inside.over.items() if x != index} if inside else {}
    letters = joined(others, places, over=over)
    if inside is None:  # nothing says yet that there are terms
        defined |= check_defined([sympy.Sum(term, ends)], letters, [length >= 1])
    return make(statement, letters, [length >= 1], leaves | defined | {trust})


def _drawn_from(letter: Symbol, range_: Any) -> Expr:
    """The letter, or a value between the ends of its range: of another range it is another one."""
    if isinstance(range_, Objects) or range_ == Reals:
        return letter
    value = sympy.Function(f"{letter} from", **letter.assumptions0)
    return value(range_.inf, range_.sup)


def jensen_for_weights(
    convex: Theorem, function: Expr, letter: Symbol, one: tuple[Any, Any], each: tuple[Expr, Expr],
    limits: tuple[Symbol, Any, Any], *, over: Over,
) -> Theorem:  # fmt: skip
    """A convex function at a mean is at most its own mean, for weights that are at most 1 in all.

    ``convex`` is as in ``jensen``, for all reals.  ``one`` is a weight and a point, and ``each`` a
    weight and a point for every index within the ``limits``; 0 has what is left.  The latter
    weights are not negative, as SymPy must know, and finitely many.  Raises ValueError otherwise.

    >>> x, k, n = Symbol("x", real=True), *sympy.symbols("k n", integer=True)
    >>> convex = textbook("2 >= 0", sympy.true, over={x: Reals})
    >>> each = sympy.Function("p", nonnegative=True)(k), sympy.Function("r", real=True)(k)
    >>> over = {n: sympy.Range(sympy.oo)}
    >>> found = jensen_for_weights(convex, x**2, x, (0, 0), each, (k, 1, n), over=over)
    >>> print(found.statement.args[1])
    Sum(p(k)*r(k), (k, 1, n))**2 <= Sum(p(k)*r(k)**2, (k, 1, n))
    """
    genuine(convex)
    defined = _check_convex(convex, function, letter)
    (weight, point), (share, term) = map(sympy.sympify, one), each
    if convex.over[letter] != Reals or not share.is_nonnegative:
        raise ValueError(f"{letter} must range over the reals, and {share} not be negative")
    if any(sympy.sympify(end).is_finite is False for end in limits[1:]):
        raise ValueError(f"the sum over {limits} must be finite")

    def at(place: Expr) -> Expr:
        return inserted(function, {letter: place})

    whole, mean = weight + Sum(share, limits), weight * point + Sum(share * term, limits)
    means = weight * at(point) + Sum(share * at(term), limits) + (1 - whole) * at(sympy.S.Zero)
    small, below = (sympy.Le(*pair, evaluate=False) for pair in ((whole, 1), (at(mean), means)))
    statement = sympy.Implies(small, below, evaluate=False)
    others = {x: range_ for x, range_ in convex.over.items() if x != letter}
    letters, under = joined(others, over=over), [sympy.Ge(weight, 0)]
    trust = Trust("textbook", "Jensen's inequality", str(statement))
    defined |= check_defined([statement], letters, under)
    return make(statement, letters, under, convex.trusts | defined | {trust})


def increasing(slope: Theorem, function: Expr, letter: Symbol, other: Symbol) -> Theorem:
    """A function whose derivative is at least 0 on an interval does not decrease there.

    ``slope`` says so of the letter in the interval; ``other`` is a second letter. If the theorem
    says that the derivative is at most 0, the function does not increase. Raises ValueError.

    >>> x, y = Symbol("x", real=True), Symbol("y", real=True)
    >>> slope = textbook("s", 3 * x**2 >= 0, over={x: Interval(0, 1)})
    >>> print(increasing(slope, x**3, x, y).statement)
    Implies(x <= y, x**3 <= y**3)
    """
    genuine(slope)
    rate, range_ = sympy.diff(function, letter), slope.over[letter]
    moved = inserted(function, {letter: other})
    if not isinstance(range_, Interval) and range_ != Reals:
        raise ValueError(f"{letter} must range over an interval, got {range_}")
    if any(letter in one.free_symbols for one in slope.under) or other in slope.over:
        raise ValueError(f"the range must be that of {letter} alone, and {other} a new letter")
    if slope.statement == (rate >= 0):
        ordered = function <= moved
    elif slope.statement == (rate <= 0):
        ordered = function >= moved
    else:
        raise ValueError(f"the theorem must say {rate} >= 0 or <= 0, got {slope.statement}")
    defined = check_analytic(function, letter, slope.over, slope.under)
    check_unmentioned([letter], slope)
    statement = sympy.Implies(letter <= other, ordered)
    trust = Trust("textbook", "mean value theorem", "a function increases where its slope is positive")
    letters, leaves = {**slope.over, other: range_}, slope.trusts | defined | {trust}
    return make(statement, letters, slope.under, leaves)


def _check_convex(convex: Theorem, function: Expr, letter: Symbol) -> set[Trust]:
    bend = sympy.diff(function, letter, 2)
    if convex.statement not in {bend >= 0, bend > 0} or convex.under:
        raise ValueError(f"the theorem must say {bend} >= 0, got {convex.statement}")
    defined = check_analytic(function, letter, convex.over, ())
    check_unmentioned([letter], convex)
    return defined
