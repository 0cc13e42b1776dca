"""Whether the solver proves a statement, and how a rule refuses a false one."""

import pytest
from sympy import Eq, Reals

from theorems.engine.rules import NotProved, follows


def is_proved(goal, over, under=(), premises=()):
    """Whether it follows; no counterexample is asked for."""
    try:
        return bool(follows(goal, premises, over=over, under=under))
    except NotProved:
        return False


def is_defined(expression, **ranges):
    """Whether the solver shows that the expression has a value on these ranges."""
    over = {one: ranges.get(one.name, Reals) for one in expression.free_symbols}
    return is_proved(Eq(expression, expression, evaluate=False), over)


def refused(answer, function, *args, **how):
    """What a rule says of a statement that it does not make a theorem."""
    with pytest.raises(NotProved) as found:
        function(*args, **how)
    assert found.value.answer == answer, found.value
    return found.value


def is_refused(function, *args, answer="rejected"):
    """The same of a false variant of an inference, which must never be a theorem."""
    return refused(answer, function, *args)
