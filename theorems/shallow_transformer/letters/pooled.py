r"""Letters for pooled tokens: the tokens as a family of vectors, their mean, and extreme cases."""

from typing import Any

from sympy import Rational, exp, log, sqrt

from symbolic.softmax_jacobian import covariance
from theorems.engine.rules.vocabulary import vectors
from theorems.shallow_transformer.letters.paper import LETTERS, T, vector
from theorems.shallow_transformer.letters.token import pooling_weight, t, total


def _indexed(name: str, latex: str) -> Any:
    """A family of vectors that prints with an index."""
    made = vectors(name)
    made._latex = lambda self, printer: f"{latex}_{{{printer._print(self.args[0])}}}"
    return made


#: Tokens, and tokens less their mean.
tokens, deviations = _indexed("X", "X"), _indexed("Y", "Y")
pooled = vector("pooled", "a(X;W)", "pooled token, the mean of the tokens under the weights")
left = vector("left", "u", "any vector of the space of tokens")
right = vector("right", "v", "another vector of the space of tokens")


def pooling_mean(term: Any, index: Any = t) -> Any:
    """The mean of values of tokens under the softmax weights."""
    return total(pooling_weight(index, T) * term, index)


def _opposite(x: Any) -> Any:
    return covariance(((1 + x) / 2, (1 - x) / 2), [[1], [-1]])[0, 0]


def _across(x: Any) -> Any:
    height = sqrt(1 - x**2)
    return covariance((Rational(1, 2), Rational(1, 2)), [[x, height], [x, -height]])[1, 1]


def _pair(distance: Any) -> Any:
    half = (Rational(1, 2), Rational(1, 2))
    return covariance(half, [[distance / 2], [-distance / 2]])[0, 0]


opposite_variance = LETTERS.function(
    "opposite_variance",
    r"\operatorname{Var}",
    "variance of a random sign, by its mean",
    closed_form=_opposite,
)
across_variance = LETTERS.function(
    "across_variance",
    r"\operatorname{Var}_\perp",
    "variance of two equally likely unit vectors across their mean, by its length",
    closed_form=_across,
)
pair_variance = LETTERS.function(
    "pair_variance",
    r"\operatorname{Var}_2",
    "variance of two equally likely points on a line, by their distance",
    closed_form=_pair,
)
heavy_weight = LETTERS.function(
    "heavy_weight",
    r"\alpha_1",
    "softmax weight of one token of logit log T beside T tokens of logit 0",
    closed_form=lambda size: exp(log(size)) / (exp(log(size)) + size),
)
