"""Tail probabilities of the normal and of Student's law, and their inverses."""

import math
from typing import Literal, get_args

from scipy import special

from numeric.arguments import one_of, open_interval, real_number

PROBABILITY = open_interval(0, 1)
Alternative = Literal["two-sided", "greater", "less"]


def p_value_of(t: float, dof: float, alternative: Alternative) -> float:
    """Return the tail probability of Student's law (the normal one if dof is infinite)."""
    if alternative == "two-sided":
        return min(1.0, 2 * _tail(abs(t), dof))
    return _tail(t if alternative == "greater" else -t, dof)


def _tail(t: float, dof: float) -> float:
    """Return P(T > t), to full relative accuracy."""
    if math.isinf(dof):
        return float(special.ndtr(-t))
    return float(special.stdtr(dof, -t))


def quantile(tail: float, dof: float = math.inf) -> float:
    """Return t with P(T > t) = tail. Raises: ValueError for a tail outside (0, 1)."""
    tail = real_number("alpha and 1 - power", tail, PROBABILITY)
    return float(-special.ndtri(tail) if math.isinf(dof) else -special.stdtrit(dof, tail))


def check_alternative(alternative: str) -> None:
    """Raise: ValueError for an unknown alternative."""
    one_of("alternative", alternative, get_args(Alternative))
