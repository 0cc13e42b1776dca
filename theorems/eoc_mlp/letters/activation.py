"""Letters of Definition 2: the (a, b)-ReLU, and the constants made of its coefficients."""

from typing import Any

from sympy import Abs, Expr, Max, sign, sqrt

from symbolic import notation
from theorems.engine.statements.domain import interval
from theorems.eoc_mlp.letters.table import CORRELATION, LETTERS, POSITIVE, REAL, UNIT, nonnegative, real

a = LETTERS.number(notation.a, "a", "coefficient of the linear part of the activation function", REAL)
b = LETTERS.number(notation.b, "b", "coefficient of the absolute value in the activation function", REAL)
argument = LETTERS.number("argument", "s", "argument of the activation function", REAL)
other_argument = LETTERS.number("other_argument", "t", "another argument of the activation function", REAL)
scale = LETTERS.number("scale", "t", "positive factor of an argument", POSITIVE)
u = real(notation.u, "u", "standard normal variable")
u1 = real(notation.u1, "u_1", "first of two Gaussian preactivations")
u2 = real(notation.u2, "u_2", "second of two Gaussian preactivations")

SIGMA = LETTERS.number(
    notation.SIGMA, r"\sigma", "standard deviation of the initial weights, up to width", POSITIVE
)
DELTA = LETTERS.number(
    notation.DELTA, r"\Delta_\phi", "share of the absolute value in the activation function", UNIT
)
kappa = LETTERS.number(
    "kappa",
    r"\kappa_\phi",
    "Lipschitz norm of the activation function over its Gaussian norm",
    interval(1, sqrt(2)),
)
asymmetry = LETTERS.number(
    "asymmetry",
    "r",
    "how far the squared slopes on both sides of zero are from their mean, 2ab/(a² + b²)",
    CORRELATION,
)
lipschitz = nonnegative("lipschitz", r"\|\phi\|_L", "Lipschitz norm of the activation function")


def _phi(s: Any, first: Any, second: Any) -> Expr:
    return first * s + second * Abs(s)


def _phi_prime(s: Any, first: Any, second: Any) -> Expr:
    return first + second * sign(s)


def _spread(delta: Any) -> Expr:
    return sqrt(delta * (1 - delta))


phi = LETTERS.function("phi", r"\phi", "the (a, b)-ReLU", shown=1, closed_form=_phi)
phi_prime = LETTERS.function(
    "phi_prime",
    r"\phi'",
    "derivative of the (a, b)-ReLU, which is a at zero",
    shown=1,
    closed_form=_phi_prime,
)
sigma_of = LETTERS.function(
    "sigma_of",
    r"\sigma",
    "standard deviation of the weights that keeps the mean square",
    shown=0,
    closed_form=lambda first, second: 1 / sqrt(first**2 + second**2),
)
delta_of = LETTERS.function(
    "delta_of",
    r"\Delta_\phi",
    "share of the absolute value in the activation function",
    shown=0,
    closed_form=lambda first, second: second**2 / (first**2 + second**2),
)
kappa_of = LETTERS.function(
    "kappa_of",
    r"\kappa_\phi",
    "Lipschitz norm of the activation function over its Gaussian norm",
    shown=0,
    closed_form=lambda first, second: (Abs(first) + Abs(second)) / sqrt(first**2 + second**2),
)
kappa_phi = LETTERS.function(
    "kappa_phi",
    r"\kappa_\phi",
    "Lipschitz norm of the activation function over its Gaussian norm, from the share of the absolute value",
    shown=0,
    closed_form=lambda delta: sqrt(1 + 2 * _spread(delta)),
    justified_by="eoc.prop18.range",
)
kappa_phi.is_positive = True  # so that one may divide by it: it is at least 1
range_length = LETTERS.function(
    "range_length",
    "L",
    "length of the range of the product of two slopes, from the share of the absolute value",
    shown=0,
    closed_form=lambda delta: 2 * _spread(delta) + 2 * Max(_spread(delta), delta),
    justified_by="eoc.prop18.range",
)
