"""What is put in for a random letter: it must be real and defined whatever the random letters are.

Expectations say nothing of where their variables are defined: the square of the root of X is X, so
that E(X) >= 0 would follow from E(sqrt(X))**2 <= E(X) for every X.  And the mean of what depends on
a number x is no mean of it at a random x.
"""

from collections.abc import Iterable
from typing import Any

import sympy
from sympy import Reals, Symbol
from sympy.logic.boolalg import Boolean

from theorems.engine.rules.leaves import check_defined
from theorems.engine.rules.ranges import Objects, Over
from theorems.engine.rules.theorem import Trust
from theorems.engine.rules.vocabulary import OF_LAWS, AppliedRandom, Event, P, Random

__all__ = ["check_random"]


def check_random(values: Iterable[Any], letters: Over, given: Iterable[Boolean]) -> set[Trust]:
    """Check that random variables and events have values; what the inferences trust that show it.

    Conditions say also what is almost sure.  Raises NotProved where that is not known, TypeError
    for what is not real.

    >>> check_random([sympy.sqrt(1 + Random("X") ** 2)], {}, ()) != set()
    True
    >>> check_random([sympy.sqrt(Random("X"))], {}, ())
    Traceback (most recent call last):
      ...
    theorems.engine.rules.theorem.NotProved: ...
    """
    plain, known = [_at_an_outcome(one) for one in values], list(given)
    almost = [one.lhs.args[0] for one in known if _is_sure(one)]
    numbers = {x: range_ for x, range_ in letters.items() if not isinstance(range_, Objects)}
    known += [_at_an_outcome(one) for one in almost]
    used: set[Symbol] = set().union(*(one.free_symbols for one in (*plain, *known)))
    drawn = {x: Reals for x in used if x not in numbers and not hasattr(x, "belongs_to")}
    objects = {x: range_ for x, range_ in letters.items() if isinstance(range_, Objects)}
    return check_defined(plain, {**objects, **numbers, **drawn}, known)


def _is_sure(condition: Boolean) -> bool:
    """Whether a condition says that an event is almost sure."""
    return isinstance(condition, sympy.Eq) and isinstance(condition.lhs, P) and condition.rhs == 1


def _at_an_outcome(value: Any) -> Any:
    """A random variable or event at some outcome: numbers for random letters, not inside of means.

    >>> from theorems.engine.rules.vocabulary import E
    >>> X = Random("X")
    >>> _at_an_outcome(X**2 - E(X))
    value of X**2 - E(X)
    """
    means = {one: sympy.Dummy(real=True) for one in value.atoms(*OF_LAWS)}
    hidden = value.xreplace(means)
    drawn: dict[Any, Any] = {
        one: Symbol(f"value of {one}", real=True) for one in hidden.atoms(Random, AppliedRandom)
    }
    drawn |= {one: Symbol(f"value of {one}", real=True) > 0 for one in hidden.atoms(Event)}
    return hidden.xreplace(drawn).xreplace({dummy: one for one, dummy in means.items()})
