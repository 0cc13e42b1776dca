"""The gradient-dependence error of a finite network and its bounds (Proposition 17), as numbers.

One layer maps the inner product X' of two backpropagation matrices B_1, B_2 to
varrho'(rho) X' + error in the mean. The error is a quadratic form in M = B_1 B_2^* and the two
activations, with the bounds bound_sharp ||M|| and, as printed, bound_printed ||B_1|| ||B_2||.
"""

from typing import Any

import mpmath
import numpy as np
from flint import arb

from numeric.arcsine import TWO_OVER_PI
from numeric.arguments import (
    REAL,
    Floats,
    closed,
    decimal_digits,
    exact_array,
    exact_number,
    open_interval,
    real_array,
    real_number,
)
from numeric.arithmetic import bits_of_digits, closed_form, proved
from numeric.balls import ball, monotone_enclosure, sine_of
from numeric.directions import Directions

__all__ = ["bound_printed", "bound_sharp", "error", "integral_w1", "integral_w1w2"]

_INSIDE = open_interval(-1, 1)
_COSINE = closed(-1, 1)
_UNIT = closed(0, 1)


def _sine(rho: Floats) -> Floats:
    return np.sqrt((1 - rho) * (1 + rho))


def _integral_w1_ball(rho: arb, b: arb) -> arb:
    return -2 * rho * b * b * sine_of(rho) / arb.pi()


@closed_form(balls=_integral_w1_ball, rho=_INSIDE, b=REAL)
def integral_w1(rho: Any, b: Any) -> Any:
    """E phi'(u_1) phi'(u_2) (w_1^2 - 1) = -rho b^2 (2/pi) sqrt(1 - rho^2).

    u_1, u_2 are standard normal of correlation rho, w_1 = (u_1 - rho u_2)/sqrt(1 - rho^2) and
    phi(s) = a s + b|s|; a drops out. With w_2 = (u_2 - rho u_1)/sqrt(1 - rho^2) for w_1 the value
    is the same.

    rho in (-1, 1), any real b.
    Source: "MLPs at the EOC", proof of Proposition 17.

    >>> integral_w1(0.6, 2), integral_w1([-0.6, 0], 2)
    (-1.2223099629457561, array([ 1.22230996, -0.        ]))
    """
    return -rho * (TWO_OVER_PI * _sine(rho) * b) * b


def _integral_w1w2_ball(rho: arb, b: arb) -> arb:
    return 2 * b * b * sine_of(rho) / arb.pi()


@closed_form(balls=_integral_w1w2_ball, rho=_INSIDE, b=REAL)
def integral_w1w2(rho: Any, b: Any) -> Any:
    """E phi'(u_1) phi'(u_2) (w_1 w_2 + rho) = b^2 (2/pi) sqrt(1 - rho^2), as in `integral_w1`.

    rho in (-1, 1), any real b.
    Source: "MLPs at the EOC", proof of Proposition 17.

    >>> integral_w1w2(0, 1), integral_w1w2(0.6, [0, -2])
    (0.6366197723675814, array([0.        , 2.03718327]))
    """
    return (TWO_OVER_PI * _sine(rho) * b) * b


def _bound_printed_ball(rho: arb, delta: arb) -> arb:
    # Decreasing in rho, and unbounded at -1, where the ball becomes the whole line.
    tangent = monotone_enclosure(lambda r: ((1 - r) / (1 + r)).sqrt(), rho, _COSINE)
    return 8 * delta * tangent / arb.pi()


@closed_form(balls=_bound_printed_ball, rho=_INSIDE, delta=_UNIT)
def bound_printed(rho: Any, delta: Any) -> Any:
    """The printed bound D (8/pi) sqrt((1 - rho)/(1 + rho)), D = delta, to multiply ||B_1|| ||B_2||.

    rho in (-1, 1), delta in [0, 1]. Unbounded as rho falls to -1, where the error itself vanishes;
    2/(1 + rho) times `bound_sharp`.
    Source: "MLPs at the EOC", Proposition 17.

    >>> bound_printed(0.6, 1), bound_printed(0, [0, 0.5])
    (1.2732395447351628, array([0.        , 1.27323954]))
    """
    return 4 * TWO_OVER_PI * delta * np.sqrt((1 - rho) / (1 + rho))


def _bound_sharp_ball(rho: arb, delta: arb) -> arb:
    return 4 * delta * sine_of(rho) / arb.pi()


@closed_form(balls=_bound_sharp_ball, rho=_COSINE, delta=_UNIT)
def bound_sharp(rho: Any, delta: Any) -> Any:
    """The best bound D (4/pi) sqrt(1 - rho^2), D = delta, to multiply ||B_1 B_2^*||.

    It is attained by M = 1 on x_1 + x_2, -1 on x_1 - x_2.

    rho in [-1, 1], delta in [0, 1].
    Source: derived from "MLPs at the EOC", proof of Proposition 17.

    >>> bound_sharp(0.6, 1), bound_sharp([-1, 0], 0.5)
    (1.0185916357881302, array([0.        , 0.63661977]))
    """
    return 2 * TWO_OVER_PI * delta * _sine(rho)


def error(product: Any, x1: Any, x2: Any, delta: Any, *, digits: int | None = None) -> Any:
    """The exact gradient-dependence error of one layer.

    With M = `product` = B_1 B_2^*, cosine rho of x1 and x2, and e+, e- the directions of the sum
    and the difference of x1/|x1| and x2/|x2|, it is

        D (2/pi) sqrt(1 - rho^2) (<e+, M e+> - <e-, M e->),    D = delta,

    equal to D (2/pi) (1 - rho^2)^(-1/2) (<x1, M (x2 - rho x1)> + <x2, M (x1 - rho x2)>) at unit
    vectors. At (anti)parallel x1, x2, which the proposition leaves out, it is 0, by continuity.

    product has shape (n, n), x1 and x2 shape (n,), all real and finite; x1 and x2 need no
    normalisation, but must not be 0; delta is a number in [0, 1]. The result is a float, good to a
    few units in the last place of delta ||M|| sqrt(1 - rho^2) times n; or, with digits=, an mpf
    with that many correct digits of the exact value at numbers taken exactly (decimal strings are
    allowed).
    Raises ValueError or TypeError for other arguments, OverflowError if the error is too large.
    Source: "MLPs at the EOC", proof of Proposition 17 (the form in e+, e- is derived).

    >>> error([[1, 0], [0, -1]], [2, 0], [1, 1], 1)
    0.6366197723675813
    >>> error([[1, 2], [3, 4]], [1, 2], [-2, -4], 0.5)
    0.0
    """
    if digits is not None:
        return _error_of_digits(product, x1, x2, delta, decimal_digits(digits))
    weight = real_number("delta", delta, _UNIT)
    matrix = real_array("product", product, shape=("n", "n"))
    size = matrix.shape[0]
    vectors = [real_array(name, x, shape=(size,)) for name, x in (("x1", x1), ("x2", x2))]
    for name, vector in zip(("x1", "x2"), vectors, strict=True):
        _refuse_zero(name, bool(vector.any()))
    exponent = int(np.frexp(np.max(np.abs(matrix)))[1])
    value = weight * _difference_of_forms(np.ldexp(matrix, -exponent), np.stack(vectors)) / np.pi
    with np.errstate(over="ignore"):
        result = float(np.ldexp(value, exponent))
    if not np.isfinite(result):
        raise OverflowError("the error is too large for a float; use digits=")
    return result


def _difference_of_forms(matrix: Floats, vectors: Floats) -> float:
    """2 sqrt(1 - rho^2) (<e+, M e+> - <e-, M e->), from the sum and difference of directions.

    Their lengths multiply to 2 sqrt(1 - rho^2).
    """
    pair = Directions(vectors)
    if pair.parallel(0, 1):
        return 0.0
    plus = pair.unit[0] + pair.unit[1] + (pair.rest[0] + pair.rest[1])
    minus = pair.unit[0] - pair.unit[1] + (pair.rest[0] - pair.rest[1])
    # They are orthogonal but for the rounding of the two norms, which tilts the shorter one.
    if plus @ plus > minus @ minus:
        minus -= plus * (plus @ minus) / (plus @ plus)
    else:
        plus -= minus * (minus @ plus) / (minus @ minus)
    stretch = np.linalg.norm(plus) / np.linalg.norm(minus)
    return float((plus @ matrix @ plus) / stretch - (minus @ matrix @ minus) * stretch)


def _error_of_digits(product: Any, x1: Any, x2: Any, delta: Any, digits: int) -> mpmath.mpf:
    """D (2/pi) R / sqrt(|x1|^2 |x2|^2 - <x1, x2>^2), where R and the root's argument are rational.

    R = <x1, M x2> + <x2, M x1> - <x1, x2> (<x1, M x1>/|x1|^2 + <x2, M x2>/|x2|^2).
    """
    weight = exact_number("delta", delta, _UNIT)
    matrix = exact_array("product", product, shape=("n", "n"))
    first = exact_array("x1", x1, shape=(len(matrix),))
    second = exact_array("x2", x2, shape=(len(matrix),))
    _refuse_zero("x1", any(first))
    _refuse_zero("x2", any(second))
    inner, norms = first @ second, (first @ first, second @ second)
    area = norms[0] * norms[1] - inner * inner
    if not area:
        return mpmath.mpf(0)
    own = first @ matrix @ first / norms[0] + second @ matrix @ second / norms[1]
    numerator = first @ matrix @ second + second @ matrix @ first - inner * own

    def evaluate() -> arb:
        return 2 * ball(weight) * ball(numerator) / (arb.pi() * ball(area).sqrt())

    return proved(evaluate, bits_of_digits(digits))


def _refuse_zero(name: str, nonzero: bool) -> None:
    if not nonzero:
        raise ValueError(f"{name} must be a nonzero vector, got 0")
