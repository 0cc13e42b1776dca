"""Tail probabilities of the normal and of Student's law, and their inverses."""

import math
from typing import Literal, get_args

from scipy import special

from numeric.arguments import closed, one_of, open_interval, real_number

PROBABILITY = open_interval(0, 1)
Alternative = Literal["two-sided", "greater", "less"]


def p_value_of(t: float, dof: float, alternative: Alternative) -> float:
    """Return the tail probability of Student's law (the normal one if dof is infinite).

    Raises: ValueError if t is not a number. (Unseen, it would pass: the smaller of 1 and NaN is 1.)
    """
    if math.isnan(t):
        raise ValueError(f"the statistic must be a number, got {t}")
    if alternative == "two-sided":
        return min(1.0, 2 * _tail(abs(t), dof))
    return _tail(t if alternative == "greater" else -t, dof)


def _tail(t: float, dof: float) -> float:
    """Return P(T > t), to full relative accuracy."""
    if math.isinf(dof):
        tail = special.ndtr(-t)
    elif dof == 1:  # Cauchy's law; SciPy is off by 4e-9 of it at t = 1e-8
        tail = math.atan2(1, t) / math.pi
    elif t > _FAR:  # where t^2 would overflow; from here on P(T > t) t^dof is constant
        tail = special.stdtr(dof, -_FAR) * (_FAR / t) ** dof
    else:
        tail = special.stdtr(dof, -t)
    return real_number("the tail probability", float(tail), closed(0, 1))


_FAR = 1e100


def finite(arguments: str, what: str, value: float) -> float:
    """Return what arguments give. Raises: ValueError that names both if it is not finite."""
    if not math.isfinite(value):
        raise ValueError(f"{arguments} must give a finite {what}, got {value}")
    return value


def quantile(tail: float, dof: float = math.inf) -> float:
    """Return t with P(T > t) = tail.

    Raises: ValueError for a tail outside (0, 1), and for one so small that t is not finite.
    """
    tail = real_number("alpha and 1 - power", tail, PROBABILITY)
    found = -special.ndtri(tail) if math.isinf(dof) else -special.stdtrit(dof, tail)
    return finite("alpha and 1 - power", f"quantile to {tail}", float(found))


def check_alternative(alternative: str) -> None:
    """Raise: ValueError for an unknown alternative."""
    one_of("alternative", alternative, get_args(Alternative))
