"""Textbook facts about probabilities and expectations of several random variables.

>>> from theorems.engine.rules.leaves import claimed
>>> x, y = sympy.symbols("x y", real=True)
>>> X, Y = Random("X"), Random("Y")
>>> below = claimed("c", x <= y**2, over={x: Reals, y: Reals})
>>> sure = surely(below, {x: X, y: Y})
>>> print(sure.statement)
Eq(P(X <= Y**2), 1)
>>> print(*larger_mean(X, Y**2).under, larger_mean(X, Y**2).statement)
Eq(P(X <= Y**2), 1) E(X) <= E(Y**2)
"""

from collections.abc import Iterable, Mapping
from typing import Any

import sympy
from sympy import Abs, Eq, Expr, Interval, Reals, Sum, Symbol, exp, factorial
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.facts import Consequence, Fact, probability, union_bound
from theorems.engine.rules.inferences import follows, inserted
from theorems.engine.rules.letters_of_leaves import check_unmentioned, leaves_at_values
from theorems.engine.rules.power_series import sum_of_series
from theorems.engine.rules.random_values import check_random
from theorems.engine.rules.ranges import Over, joined, within
from theorems.engine.rules.theorem import Theorem, Trust, genuine, make
from theorems.engine.rules.vocabulary import E, Event, P, Random

__all__ = [
    "about_random",
    "both_tails",
    "bounded_factor",
    "complement",
    "equal_means",
    "expectation_of_size",
    "exponential_series",
]
__all__ += [
    "implied_event",
    "larger_mean",
    "mean_of_indicator",
    "minkowski_for_means",
    "sure_event",
    "surely",
]

_x, _t = sympy.symbols("x t", real=True)
_q = Symbol("q", integer=True, positive=True)
_a, _b = sympy.symbols("a b", nonnegative=True)
_NONNEGATIVE = Interval(0, sympy.oo)
_X, _Y, _A, _B = Random("X"), Random("Y"), Event("A"), Event("B")

implied_event = Fact(
    "probabilities are monotone", P(_A) <= P(_B), (_A, _B), under=(Eq(P(sympy.Implies(_A, _B)), 1),)
)
sure_event = Fact(
    "a sure event beside another one", Eq(P(sympy.And(_A, _B)), P(_A)), (_A, _B), under=(Eq(P(_B), 1),)
)
complement = Fact("complement of an event", Eq(P(sympy.Not(_A)), 1 - P(_A)), (_A,))
mean_of_indicator = Fact("mean of an indicator", Eq(E(sympy.Piecewise((1, _A), (0, True))), P(_A)), (_A,))
larger_mean = Fact("expectations are monotone", E(_X) <= E(_Y), (_X, _Y), under=(Eq(P(_X <= _Y), 1),))


def _where(condition: Boolean, conclusion: Boolean, at: Mapping[Symbol, Expr]) -> list[Theorem]:
    """What follows from a condition for all values is as probable for random variables."""
    over = dict.fromkeys(condition.free_symbols | conclusion.free_symbols, Reals)
    sure = surely(follows(sympy.Implies(condition, conclusion), over=over), at)
    numbers = {x: range_ for x, range_ in over.items() if x not in at}
    events = [inserted(one, at) for one in (condition, conclusion)]
    likelier = implied_event(*events, over=numbers)
    return [sure, likelier, *(probability(one, over=numbers) for one in events)]


_u, _v = sympy.symbols("u v", real=True)
equal_means = Consequence(
    "expectations of what is almost surely equal",
    Eq(E(_X), E(_Y)),
    (_X, _Y),
    under=(Eq(P(Eq(_X, _Y)), 1),),
    known=lambda: [
        *_where(Eq(_u, _v), _u <= _v, {_u: _X, _v: _Y}),
        *_where(Eq(_u, _v), _v <= _u, {_u: _X, _v: _Y}),
        larger_mean(_X, _Y),
        larger_mean(_Y, _X),
    ],
)
both_tails = Consequence(
    "union bound for both tails",
    P(sympy.Ge(Abs(_X), _x)) <= P(sympy.Ge(_X, _x)) + P(sympy.Ge(-_X, _x)),
    (_X, _x),
    known=lambda: [
        *_where(Abs(_u) >= _x, sympy.Or(_u >= _x, -_u >= _x), {_u: _X}),
        union_bound(sympy.Ge(_X, _x), sympy.Ge(-_X, _x), over={_x: Reals}),
    ],
)
expectation_of_size = Consequence(
    "size of an expectation",
    Abs(E(_X)) <= E(Abs(_X)),
    (_X,),
    known=lambda: [
        one
        for side in (1, -1)
        for one in (
            surely(follows(side * _u <= Abs(_u), over={_u: Reals}), {_u: _X}),
            larger_mean(side * _X, Abs(_X)),
        )
    ],
)
bounded_factor = Consequence(
    "Hoelder's inequality with a bounded factor",
    Abs(E(_X * _Y)) <= _t * E(Abs(_Y)),
    (_X, _Y, _t),
    ((_t, _NONNEGATIVE),),
    under=(Eq(P(Abs(_X) <= _t), 1),),
    known=lambda: [
        *_where(Abs(_u) <= _t, Abs(_u * _v) <= _t * Abs(_v), {_u: _X, _v: _Y}),
        expectation_of_size(_X * _Y),
        larger_mean(Abs(_X * _Y), _t * Abs(_Y), over={_t: Reals}),
    ],
)


minkowski_for_means = Fact(
    "Minkowski's inequality for means",
    sympy.Implies(
        sympy.And(E(Abs(_X) ** _q) <= _a**_q, E(Abs(_Y) ** _q) <= _b**_q),
        E(Abs(_X + _Y) ** _q) <= (_a + _b) ** _q,
    ),
    (_X, _Y, _a, _b, _q),
    ((_a, _NONNEGATIVE), (_b, _NONNEGATIVE), (_q, sympy.Range(1, sympy.oo))),
)


def surely(theorem: Theorem, at: Mapping[Symbol, Expr]) -> Theorem:
    """What holds for all values of letters has probability one for random variables.

    A letter ranges over all reals, or over an interval in which its variable lies almost surely,
    and no hypothesis is about it; ValueError otherwise.
    """
    genuine(theorem)
    if any(set(at) & one.free_symbols for one in theorem.under):
        raise ValueError("no hypothesis may be about the letters that become random")
    statement = Eq(P(inserted(theorem.statement, at)), 1)
    return about_random(statement, "what holds for all values has probability one", theorem, at)


def about_random(
    statement: Boolean,
    name: str,
    theorem: Theorem,
    at: Mapping[Symbol, Expr],
    *,
    over: Over | None = None,
    beside: Iterable[Trust] = (),
    families: Mapping[Any, Any] | None = None,
) -> Theorem:
    """What a textbook concludes from a theorem for random variables in place of its letters.

    They lie almost surely where the letters range, which must be all reals or an interval;
    ValueError otherwise. ``over`` are the ranges of new letters in the random variables, and
    ``beside`` is what else is trusted.  ``families`` stand in place of functions.
    """
    used: set[Symbol] = set().union(*(X.free_symbols for X in at.values()))
    others = {x: one for x, one in theorem.over.items() if x not in at}
    leaves = leaves_at_values(theorem, at, families)
    random = {x: x.belongs_to for x in used if hasattr(x, "belongs_to")}
    letters = joined(others, random, over=over)
    almost = [_almost_surely(X, theorem.over[letter]) for letter, X in at.items()]
    asked = check_random(at.values(), letters, [*theorem.under, *almost])
    fact = Trust("textbook", name, str(statement))
    return make(statement, letters, [*theorem.under, *almost], [*leaves, *beside, *asked, fact])


def _almost_surely(X: Expr, range_: Any) -> Boolean:
    """The statement that X lies almost surely in the reals or an interval."""
    if not isinstance(range_, Interval) and range_ != Reals:
        raise ValueError(f"a value of {X} must range over the reals or an interval, got {range_}")
    inside = within(X, range_)
    return sympy.true if inside == sympy.true else Eq(P(inside), 1)


def exponential_series(square: Theorem, higher: Theorem, t: Expr, value: Expr, *, over: Over) -> Theorem:
    """E exp(tX), t >= 0, by bounds of moments: ``square`` is E X^2 <= b(0), ``higher`` the others.

    The latter is E |X|^(q + 2) <= b(q) for all q from 1 on. ``value`` is the sum of the series with
    the terms t^(q + 2) b(q)/(q + 2)! from q = 0 on, which is checked; that it converges becomes a
    hypothesis.  Raises ValueError for other premises, NotProved for another value.

    >>> from theorems.engine.rules.leaves import claimed
    >>> X, q, t = Random("X"), Symbol("q", integer=True), Symbol("t", nonnegative=True)
    >>> bounds = [
    ...     claimed("c", E(X**2) <= 1, over={X: X.belongs_to}),
    ...     claimed(
    ...         "c", E(Abs(X) ** (q + 2)) <= 1, over={X: X.belongs_to, q: sympy.Range(1, sympy.oo)}
    ...     ),
    ... ]
    >>> half_line = {t: Interval(0, sympy.oo)}
    >>> exponential_series(*bounds, t, exp(t) - 1 - t, over=half_line).statement
    E(exp(X*t)) <= t*E(X) - t + exp(t)
    """
    X, bound, index = _bounds_of_moments(square, higher)
    letters = joined(square.over, higher.over, over=over)
    del letters[index]
    conditions = [t >= 0, *square.under, *higher.under]
    if any(index in one.free_symbols for one in conditions):
        raise ValueError(f"no hypothesis may be about {index}")
    coefficient = bound / factorial(index + 2)
    converges, known = sum_of_series(coefficient, index, 2, t, value, over=letters)
    exponential, linear = E(exp(t * X)), 1 + t * E(X)
    moment = E(Abs(X) ** (index + 2))
    by_term = Trust(
        "textbook", "exponential series, term by term", str(exponential <= linear + _series(moment, index, t))
    )
    leaves = {by_term, *known} | square.trusts | higher.trusts
    return make(exponential <= linear + value, letters, [*conditions, converges], leaves)


def _bounds_of_moments(square: Theorem, higher: Theorem) -> tuple[Expr, Expr, Symbol]:
    """X, b(q) and q of two theorems that bound all moments; ValueError for others."""
    genuine(square, higher)
    moment, bound = higher.statement.args
    absolute, exponent = moment.args[0].as_base_exp()
    index, wrong = exponent - 2, f"bounds of moments are needed, got {square} and {higher}"
    if not isinstance(absolute, Abs) or index not in higher.over:
        raise ValueError(wrong)
    X, first = absolute.args[0], bound.subs(index, 0)
    stated = (
        higher.statement == (E(Abs(X) ** (index + 2)) <= bound),
        square.statement == (E(X**2) <= square.statement.rhs),
        sympy.simplify(first - square.statement.rhs) == 0,
    )
    if not all(stated):
        raise ValueError(wrong)
    check_unmentioned([index], higher)
    if not sympy.Range(1, sympy.oo).is_subset(higher.over[index]):
        raise ValueError(f"the moments must be bounded for all {index} from 1 on")
    return X, bound, index


def _series(term: Expr, index: Symbol, t: Expr) -> Sum:
    return Sum(t ** (index + 2) * term / factorial(index + 2), (index, 0, sympy.oo))
