"""Facts of the textbooks about chances and means of several random variables at once.

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

from __future__ import annotations

from collections.abc import Mapping

import sympy
from sympy import Abs, Eq, Expr, Interval, Reals, Symbol

from theorems.engine.rules.facts import Fact
from theorems.engine.rules.inferences import inserted
from theorems.engine.rules.ranges import within
from theorems.engine.rules.theorem import Theorem, Trust, genuine, make
from theorems.engine.rules.vocabulary import E, Event, P, Random

__all__ = ["both_tails", "implied_event", "larger_mean", "minkowski_for_means", "sure_event"]
__all__ += ["surely"]

_x, _q = Symbol("x", real=True), Symbol("q", integer=True, positive=True)
_a, _b = sympy.symbols("a b", nonnegative=True)
_NONNEGATIVE = Interval(0, sympy.oo)
_X, _Y, _A, _B = Random("X"), Random("Y"), Event("A"), Event("B")

both_tails = Fact(
    "union bound for both tails",
    P(sympy.Ge(Abs(_X), _x)) <= P(sympy.Ge(_X, _x)) + P(sympy.Ge(-_X, _x)),
    (_X, _x),
)
implied_event = Fact(
    "the larger of two events",
    P(_A) <= P(_B),
    (_A, _B),
    under=(Eq(P(sympy.Implies(_A, _B)), 1, evaluate=False),),
)
sure_event = Fact(
    "a sure event beside another one",
    Eq(P(sympy.And(_A, _B)), P(_A), evaluate=False),
    (_A, _B),
    under=(Eq(P(_B), 1, evaluate=False),),
)
larger_mean = Fact(
    "expectations are monotone",
    E(_X) <= E(_Y),
    (_X, _Y),
    under=(Eq(P(_X <= _Y), 1, evaluate=False),),
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
    almost = []
    for letter, X in at.items():
        range_ = theorem.over[letter]
        if not isinstance(range_, Interval) and range_ != Reals:
            raise ValueError(f"{letter} must range over the reals or an interval, got {range_}")
        if range_ != Reals:
            almost.append(Eq(P(within(X, range_)), 1, evaluate=False))
    statement = Eq(P(inserted(theorem.statement, at)), 1, evaluate=False)
    used: set[Symbol] = set().union(*(X.free_symbols for X in at.values()))
    over = {x: one for x, one in theorem.over.items() if x not in at}
    over |= {x: x.belongs_to for x in used if hasattr(x, "belongs_to")}
    trust = Trust("textbook", "what holds for all values has probability one", str(statement))
    return make(statement, over, [*theorem.under, *almost], [*theorem.trusts, trust])
