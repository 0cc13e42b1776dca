"""Balls around the value of a SymPy expression at a point: proof that a number is not zero.

A ball computed by python-flint contains the true value, so a ball that excludes zero proves
that the number is not zero. Nothing here can prove that a number *is* zero.
"""

import functools
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

import flint
import sympy
from sympy import Expr, Symbol

from symbolic.straight_line import Place, Step, computed, steps_of

Ball = flint.arb
_NOTHING = Ball("nan")
#: Longer numbers are not simplified to see whether they are 0.
_SHORT = 30
Point = Mapping[Symbol, Expr | Fraction | int | Ball]

_CONSTANTS: dict[type, Callable[[], Ball]] = {
    type(sympy.pi): flint.arb.pi,
    type(sympy.E): flint.arb.const_e,
    type(sympy.EulerGamma): flint.arb.const_euler,
}
_FUNCTIONS: dict[type, Callable[[Ball], Ball]] = {
    sympy.sin: flint.arb.sin,
    sympy.cos: flint.arb.cos,
    sympy.tan: flint.arb.tan,
    sympy.asin: flint.arb.asin,
    sympy.acos: flint.arb.acos,
    sympy.atan: flint.arb.atan,
    sympy.sinh: flint.arb.sinh,
    sympy.cosh: flint.arb.cosh,
    sympy.tanh: flint.arb.tanh,
    sympy.exp: flint.arb.exp,
    sympy.log: flint.arb.log,
    sympy.erf: flint.arb.erf,
    sympy.erfc: flint.arb.erfc,
    sympy.gamma: flint.arb.gamma,
    sympy.Abs: abs,
    sympy.sign: flint.arb.sgn,
}
_FOLDS: dict[type, Callable[[Ball, Ball], Ball]] = {
    sympy.Add: operator.add,
    sympy.Mul: operator.mul,
    sympy.Max: flint.arb.max,
    sympy.Min: flint.arb.min,
}


def enclose(expression: Expr, point: Point | None = None, precision: int = 192) -> Ball:
    """Enclose the value of a real expression at an exact point in a ball.

    `point` gives every free symbol an exact value or a ball; `precision` is in bits. The ball is
    not finite where the value, or that of a part of the expression, is no real number (a logarithm
    of a negative number, a pole). Raises TypeError for a symbol without a value and for a function
    that has no ball here.

    >>> from sympy import acos, cos, pi, symbols
    >>> t = symbols("t")
    >>> ball = enclose(cos(t) - Fraction(1, 2), {t: pi / 4})
    >>> 0 in ball, ball > 0
    (False, True)
    >>> 0 in enclose(cos(t) - Fraction(1, 2), {t: pi / 3})
    True
    """
    before = flint.ctx.prec
    flint.ctx.prec = precision
    try:
        values = {x: _as_ball(value) for x, value in (point or {}).items()}
        return _ball(expression, values)
    finally:
        flint.ctx.prec = before


def is_nonzero(expression: Expr, point: Point | None = None, precision: int = 192) -> bool:
    """Whether a ball proves that the expression is not zero at the point.

    `False` says that nothing was proved: the value may be zero, or the ball too wide.

    >>> from sympy import Rational, pi, sqrt
    >>> is_nonzero(pi - Rational(355, 113)), is_nonzero(sqrt(2) * sqrt(3) - sqrt(6))
    (True, False)
    """
    ball = enclose(expression, point, precision)
    return bool(ball.is_finite()) and 0 not in ball


def sign_of(number: Expr) -> int | None:
    """Sign of a real number without symbols: -1, 0, 1, or None when it stays undecided.

    >>> from sympy import exp, pi, sqrt
    >>> sign_of(exp(pi) - 23), sign_of(sqrt(8) - 2 * sqrt(2)), sign_of(-sqrt(2))
    (1, 0, -1)
    """
    for precision in (64, 256, 1024):
        ball = enclose(number, None, precision)
        if ball > 0:
            return 1
        if ball < 0:
            return -1
    short = number.count_ops() <= _SHORT
    return 0 if short and sympy.sqrtdenest(number).expand() == 0 else None


def _as_ball(value: Expr | Fraction | int | Ball) -> Ball:
    return value if isinstance(value, Ball) else _ball(sympy.sympify(value), {})


def _ball(expression: Expr, values: Mapping[Symbol, Ball]) -> Ball:
    """Enclose by the structure of the expression, leaves first."""
    ball: Ball = computed(_steps(expression), values)
    return ball


@functools.lru_cache(maxsize=256)
def _steps(expression: Expr) -> list[Step]:
    return steps_of(expression, _step)


def _step(node: Expr, place: Place) -> Step:
    if node.is_Symbol:
        return lambda values, _: _value_of(node, values)
    if node.is_Rational:
        exact = flint.fmpq(int(node.p), int(node.q))
        return lambda *_: Ball(exact)
    if type(node) in _CONSTANTS:
        constant = _CONSTANTS[type(node)]
        return lambda *_: constant()
    if node.is_Pow:
        return _power(node, place)
    at = [place(argument) for argument in node.args]
    return lambda _, done: _applied(node, [done[one] for one in at])


def _value_of(letter: Symbol, values: Mapping[Symbol, Ball]) -> Ball:
    if letter not in values:
        raise TypeError(f"no value given for the symbol {letter}")
    return values[letter]


def _applied(expression: Expr, balls: list[Ball]) -> Ball:
    """The function at the top of the expression; where an argument has no value, neither has it."""
    if not all(ball.is_finite() for ball in balls):
        return _NOTHING
    if expression.func in _FOLDS:
        return functools.reduce(_FOLDS[expression.func], balls)
    if expression.func in _FUNCTIONS and len(balls) == 1:
        return _FUNCTIONS[expression.func](balls[0])
    raise TypeError(f"no ball arithmetic for {type(expression).__name__}: {expression}")


def _power(node: Expr, place: Place) -> Step:
    base, exponent = place(node.base), node.exp
    if exponent == sympy.Rational(1, 2):
        return lambda _, done: done[base].sqrt() if done[base].is_finite() else _NOTHING
    if exponent == sympy.Rational(-1, 2):
        return lambda _, done: done[base].rsqrt() if done[base].is_finite() else _NOTHING
    high = place(exponent)
    return lambda _, done: done[base] ** done[high] if done[base].is_finite() else _NOTHING
