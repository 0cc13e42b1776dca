"""Letters of Section 3 and Appendix B: limits of the inputs, of the scores and of the outputs."""

from typing import Any

from sympy import Expr, Piecewise, Rational, erf, exp, pi, sqrt

from theorems.attention_limit.letters.table import (
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    REAL,
    SIZE,
    random,
    real,
    size,
)

# Clipped inputs

clip_level = LETTERS.number("clip_level", "C", "level at which inputs are clipped", POSITIVE)
other_level = LETTERS.number("other_level", "C'", "another level of clipping", POSITIVE)
limit_h = real("limit_h", "h", "standard normal limit of a vector before the activation function")
entry = LETTERS.number("entry", "h", "an entry of a vector before the activation function", REAL)


def _clipped(at: Any, level: Any) -> Expr:
    return Piecewise((-level, at < -level), (at, at <= level), (level, True))


psi = LETTERS.function("psi", r"\psi", "clipping at C", shown=1, closed_form=_clipped)
Phi = LETTERS.function(
    "Phi",
    r"\Phi",
    "distribution function of a standard normal variable",
    closed_form=lambda x: (1 + erf(x / sqrt(2))) / 2,
)
density = LETTERS.function(
    "density",
    r"\phi",
    "density of a standard normal variable",
    closed_form=lambda x: exp(-(x**2) / 2) / sqrt(2 * pi),
)
relu = LETTERS.function(
    "relu",
    r"\operatorname{relu}",
    "the ReLU",
    closed_form=lambda x: Piecewise((x, x > 0), (0, True)),
)

# One entry of the limit output, a Gaussian variable times the root of a random variance

H = LETTERS.number("H", "H", "number of heads", SIZE)
q = random("q", "q", "variance of the limit output of one head given its scores")
Z_y = random("Z_y", "Z^y", "one entry of the limit output of a token")
kurtosis = real("kurtosis", r"\kappa", "excess kurtosis of an entry of the limit output")
HALF = Rational(1, 2)
