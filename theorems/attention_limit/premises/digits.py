"""Digits of a number that is known as a ball: whether an integer part is this one."""

from typing import Any

from flint import arb, fmpz
from sympy import Rational

from numeric.balls import working_precision

_BITS = 160


def exact_ball(value: Any) -> arb:
    """A ball around a rational number."""
    number = Rational(value)
    return arb(fmpz(int(number.p))) / arb(fmpz(int(number.q)))


def begins(value: arb, ten: Any, places: Any, digits: Any) -> bool | None:
    """Whether the integer part of value · ten^places is this; None if the ball is too large."""
    with working_precision(_BITS):
        shifted = value * exact_ball(ten) ** exact_ball(places)
        low, high = exact_ball(digits), exact_ball(digits) + 1
        inside = bool(shifted >= low) and bool(shifted < high)
        outside = bool(shifted < low) or bool(shifted >= high)
    return True if inside else False if outside else None
