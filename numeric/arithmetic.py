"""Closed forms written once and evaluated in the caller's arithmetic.

A closed form is two formulas for one function: one for float64 arrays, arranged so that nothing
cancels, and one for balls (`flint.arb`), which encloses the true value at any precision.
`closed_form` puts them behind one name:

| arguments                                | result                                              |
|------------------------------------------|-----------------------------------------------------|
| int, float, Fraction, NumPy scalar       | float                                               |
| an array or list among them              | float64 array, broadcast                            |
| an mpmath.mpf among them                 | mpf, correct at the precision mpmath is set to      |
| any of these or decimal strings, digits= | mpf with that many correct digits (arrays: objects) |
| a flint.arb among them                   | arb that contains the true value                    |

Numbers are taken exactly, floats and mpf at their binary value, wherever the result is an mpf.
`digits` is at most `numeric.arguments.MOST_DIGITS`.
"""

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

import flint
import mpmath
import numpy as np
from flint import arb

from numeric.arguments import Floats, Interval, decimal_digits, exact_number, is_array, real_array
from numeric.balls import ball, clip

BallFormula = Callable[..., arb]
FloatFormula = Callable[..., Floats]

_BLOCK = 1 << 12  # float64 entries a formula sees at once: its temporaries stay in the cache
_GUARD_BITS = 8
_WORKING_BITS = 4 * _GUARD_BITS  # what a formula may lose without being asked again
_DEEPEST_CANCELLATION = 8192  # bits


def closed_form(*, balls: BallFormula, **domains: Interval) -> Callable[[FloatFormula], Callable[..., Any]]:
    """Make a function of the caller's arithmetic from a float formula and a ball formula.

    The decorated function is the float formula: it gets one-dimensional float64 arrays of equal
    length, inside `domains`, and returns such an array. `balls` gets as many balls, which overlap
    the domains (they can stick out by a rounding error), and returns a ball around all values.
    The result takes the same arguments and `digits=`, and knows its `domains`.

    A value that no precision tells from zero ends the search of `digits=` and mpf: it is returned
    as 0 once it is proved to be below 2^-(8192 + 2p) in absolute value, p the bits asked for.

    Raises (when called) what `numeric.arguments` raises, OverflowError if a value is too large for
    a float, and ArithmeticError if the balls prove nothing.

    >>> from numeric.arguments import NONNEGATIVE
    >>> @closed_form(balls=lambda x: x.sqrt(), x=NONNEGATIVE)
    ... def root(x):
    ...     return np.sqrt(x)
    >>> root(2), root([1, 4])
    (1.4142135623730951, array([1., 2.]))
    >>> print(mpmath.nstr(root("0.04", digits=30), 30), root(arb(2)))
    0.2 [1.41421356237309 +/- 5.15e-15]
    """

    def decorate(floats: FloatFormula) -> Callable[..., Any]:
        signature = inspect.signature(floats)
        names = tuple(signature.parameters)

        @functools.wraps(floats)
        def evaluate(*args: Any, digits: int | None = None, **kwargs: Any) -> Any:
            if kwargs or len(args) != len(names):
                bound = signature.bind(*args, **kwargs)
                bound.apply_defaults()
                values = bound.arguments
            else:
                values = dict(zip(names, args, strict=True))
            if digits is not None:
                bits = bits_of_digits(decimal_digits(digits))
                return _each_exactly(balls, bits, domains, values)
            if any(isinstance(value, arb) for value in values.values()):
                return _in_balls(balls, domains, values)
            if any(isinstance(value, mpmath.mpf) for value in values.values()):
                result = _exactly(balls, mpmath.mp.prec + _GUARD_BITS, domains, values)
                return +result
            return _in_floats(floats, domains, values)

        keyword = inspect.Parameter("digits", inspect.Parameter.KEYWORD_ONLY, default=None)
        parameters = [*signature.parameters.values(), keyword]
        evaluate.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        evaluate.domains = MappingProxyType(domains)  # type: ignore[attr-defined]
        return evaluate

    return decorate


# Floats


def _in_floats(floats: FloatFormula, domains: dict[str, Interval], values: dict[str, Any]) -> Any:
    arrays = [real_array(name, value, domains[name]) for name, value in values.items()]
    result = in_blocks(floats, arrays)
    if not np.isfinite(result).all():
        raise OverflowError(f"a value of {floats.__name__} is too large for a float; use digits=")
    return result if any(map(is_array, values.values())) else float(result)


def in_blocks(formula: FloatFormula, arrays: Sequence[Floats]) -> Floats:
    """Broadcast arrays and apply a formula to flat blocks of them that fit the cache."""
    operands: Any = [*arrays, None]
    roles: Any = [["readonly"]] * len(arrays) + [["writeonly", "allocate"]]
    with (
        np.errstate(all="ignore"),
        np.nditer(
            operands,
            flags=["external_loop", "buffered", "zerosize_ok"],
            op_flags=roles,
            op_dtypes=[np.float64] * len(operands),
            buffersize=_BLOCK,
        ) as blocks,
    ):
        for *inputs, output in blocks:
            output[...] = formula(*inputs)
        return blocks.operands[-1]


# Correct digits


def bits_of_digits(digits: int) -> int:
    """Bits of relative accuracy that make so many decimal digits correct."""
    return math.ceil(digits * math.log2(10)) + _GUARD_BITS


def _each_exactly(balls: BallFormula, bits: int, domains: dict[str, Interval], values: dict[str, Any]) -> Any:
    if not any(map(is_array, values.values())):
        return _exactly(balls, bits, domains, values)

    def entry(*scalars: Any) -> mpmath.mpf:
        return _exactly(balls, bits, domains, dict(zip(values, scalars, strict=True)))

    arrays = [np.asarray(value, dtype=object) for value in values.values()]
    return np.asarray(np.frompyfunc(entry, len(arrays), 1)(*arrays), dtype=object)


def _exactly(
    balls: BallFormula, bits: int, domains: dict[str, Interval], values: dict[str, Any]
) -> mpmath.mpf:
    exact = [exact_number(name, value, domains[name]) for name, value in values.items()]
    return proved(lambda: balls(*map(ball, exact)), bits)


def proved(evaluate: Callable[[], arb], bits: int) -> mpmath.mpf:
    """The midpoint of a ball with `bits` bits of relative accuracy, found by raising the precision.

    `evaluate` is called at a precision slightly higher than asked, `flint.ctx.prec`, which is
    restored; if the ball is too wide, with as many bits more as were missing, and then at doubled
    precisions. See `closed_form` for how a value that cannot be told from zero ends the search.

    >>> print(mpmath.nstr(proved(lambda: arb(2).sqrt() - arb(2).sqrt(), 50), 5))
    0.0
    """
    precision = bits + _WORKING_BITS
    value, known = _at_precision(evaluate, precision)
    if 0 < known < bits:
        precision += bits - known + _GUARD_BITS
        value, known = _at_precision(evaluate, precision)
    deepest = _DEEPEST_CANCELLATION + 2 * bits
    while known < bits and not abs(value) < arb((1, -deepest)):
        precision *= 2
        if precision >= 16 * deepest:
            raise ArithmeticError(f"{precision // 2} bits prove no digits: the last ball is {value.str(5)}")
        value, known = _at_precision(evaluate, precision)
    return mpf_of(value, bits) if known >= bits else mpmath.mpf(0)


def _at_precision(evaluate: Callable[[], arb], precision: int) -> tuple[arb, int]:
    """A ball found at a precision, and its bits of relative accuracy: negative if it is NaN."""
    before, flint.ctx.prec = flint.ctx.prec, precision
    try:
        value = evaluate()
    finally:
        flint.ctx.prec = before
    return value, value.rel_accuracy_bits() if value.is_finite() else -1


def mpf_of(value: arb, bits: int) -> mpmath.mpf:
    """The midpoint of a ball, rounded to `bits` bits, whatever mpmath's own precision is."""
    mantissa, exponent = value.mid().man_exp()
    rounded = mpmath.libmp.from_man_exp(int(mantissa), int(exponent), bits, "n")
    return mpmath.mp.make_mpf(rounded)


# Balls


def _in_balls(balls: BallFormula, domains: dict[str, Interval], values: dict[str, Any]) -> arb:
    enclosed = [_clipped(name, value, domains[name]) for name, value in values.items()]
    result = balls(*enclosed)
    return arb(0, math.inf) if result.is_nan() else result


def _clipped(name: str, value: Any, domain: Interval) -> arb:
    """The part of a ball inside the domain, or the ball around an exact number."""
    if not isinstance(value, arb):
        return ball(exact_number(name, value, domain))
    lower, upper = arb(domain.lower), arb(domain.upper)
    below = value < lower if domain.has_lower else value <= lower
    above = value > upper if domain.has_upper else value >= upper
    if value.is_nan() or below or above:
        raise ValueError(f"{name} must overlap {domain}, got {value}")
    return value if value >= lower and value <= upper else clip(value, lower, upper)
