"""Textbook facts about normal variables of mean zero, each for whatever is known to be one.

>>> from theorems.engine.rules.vocabulary import Random
>>> g = Random("g")
>>> print(fourth_moment(g))
Eq(E(g**4), 3*E(g**2)**2) for g in random variables ..., normal(g) [proved]
"""

import sympy
from sympy import Abs, Eq, Interval, Symbol, exp

from theorems.engine.rules.facts import Fact
from theorems.engine.rules.vocabulary import E, P, Random, normal

__all__ = ["fourth_moment", "normal_tail", "tails_of_one_law"]

_X, _Y, _t = Random("X"), Random("Y"), Symbol("t", real=True)
_SIZES = ((_t, Interval(0, sympy.oo)),)

fourth_moment = Fact(
    "fourth moment of a normal variable",
    Eq(E(_X**4), 3 * E(_X**2) ** 2),
    (_X,),
    under=(normal(_X),),
)
normal_tail = Fact(
    "tail of a standard normal variable",
    P(sympy.Ge(Abs(_X), _t)) <= exp(-(_t**2) / 2),
    (_X, _t),
    _SIZES,
    under=(normal(_X), Eq(E(_X**2), 1)),
)
tails_of_one_law = Fact(
    "normal variables of one variance have one law",
    Eq(P(sympy.Ge(Abs(_X), _t)), P(sympy.Ge(Abs(_Y), _t))),
    (_X, _Y, _t),
    _SIZES,
    under=(normal(_X), normal(_Y), Eq(E(_X**2), E(_Y**2))),
)
