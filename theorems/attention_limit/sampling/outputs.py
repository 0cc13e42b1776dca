"""The settings of the paper's experiments: widths, heads, tokens, inputs.

Inputs are clipped at 100 in the paper.  A coordinate is so large with a probability below 1e-150
even at width 16, where it is a product of a normal variable and the root of a mean of 16 squares;
so the identity stands for the clipping, and the Gram matrix has a law that needs no long vectors.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.gaussian_mixtures import kullback_leibler, mixture_density
from numeric.networks.attention import (
    AttentionLayer,
    gram_factor,
    limit_gram,
    sample_input_factors,
    sample_output_variances,
)
from numeric.statistics import MeanTest, mean_test
from theorems.engine import Choice, sentence
from theorems.engine.statements.statement import Sentence

Rng = np.random.Generator


def relu(values: Floats) -> Floats:
    """The positive part."""
    return np.maximum(values, 0.0)


_ACTIVATIONS: dict[str, Callable[[Floats], Floats] | None] = {"clip": None, "relu": relu}
_PARAMETERS: dict[str, dict[str, Any]] = {"clip": {"bound": 100.0}, "relu": {}}


@dataclass(frozen=True)
class Setting:
    """A width n with heads, tokens, rows of the matrices of a head, and an activation."""

    n: int
    heads: int
    rows: int
    tokens: int = 4
    activation: str = "clip"

    def limit_factor(self) -> Floats:
        """A factor of the covariance of the limits of the inputs, shape ``(s, s)``."""
        parameters = _PARAMETERS[self.activation]
        return gram_factor(limit_gram(self.activation, self.tokens, **parameters))

    def variances(self, seed: int, size: int) -> Floats:
        """Draws of the variance of an entry of the first output, given scores and values."""
        inputs, rest = (np.random.default_rng((seed, part)) for part in (0, 1))
        activation = _ACTIVATIONS[self.activation]
        factors = sample_input_factors(activation, self.n, self.tokens, inputs, size)
        return sample_output_variances(factors, AttentionLayer(self.heads, self.rows), rest)

    def limit_variances(self, seed: int, size: int, rows: float = np.inf) -> Floats:
        """The same in the limit n to infinity, at a fixed number of rows if one is given.

        The draws share the normals of the scores with those of finite width and the same seed.
        """
        rest = np.random.default_rng((seed, 1))
        factors = np.broadcast_to(self.limit_factor(), (size, self.tokens, self.tokens))
        return sample_output_variances(factors, AttentionLayer(self.heads, rows), rest)


_REACH, _POINTS = 6.0, 241
#: Where densities of an output are evaluated; beyond it lies less than 1e-8 of the limit laws.
GRID = np.linspace(-_REACH, _REACH, _POINTS)
STEP = 2 * _REACH / (_POINTS - 1)


_HALF = np.linspace(0.0, _REACH, 61)


def divergence(setting: Setting, seed: int, size: int) -> float:
    """The Kullback-Leibler divergence of the output from its limit, from so many draws of both.

    Both densities are means of Gaussian ones, and share the normals of the scores: the error of
    their difference is that of what finite width adds.  They are even, and smooth enough for the
    rule of the trapezoids at a coarse step.
    """
    variances, limits = setting.variances(seed, size), setting.limit_variances(seed, size)
    return kullback_leibler(_density(variances), _density(limits), float(_HALF[1]))


def _density(variances: Floats) -> Floats:
    right = mixture_density(_HALF, variances)
    return np.concatenate([right[:0:-1], right])


@lru_cache(maxsize=1024)
def log_divergence(setting: Setting, seed: int, size: int) -> float:
    """The logarithm of the divergence; a control asks for the same numbers again."""
    return log(divergence(setting, seed, size))


def log_divergences(rng: Rng, settings: Sequence[Setting], trials: int, size: int) -> Floats:
    """Logarithms of divergences by setting and trial, shape ``(len(settings), trials)``."""
    seed = int(rng.integers(2**62))
    found = [[log_divergence(one, seed + k, size) for k in range(trials)] for one in settings]
    return np.array(found)


def falling(
    rng: Rng, settings: Sequence[Setting], trials: int, size: int, below: int = 1
) -> Iterator[MeanTest]:
    """Whether the mean of the logarithm falls from each setting to the next; rises for -1."""
    for larger, smaller in pairwise(log_divergences(rng, settings, trials, size)):
        yield mean_test(below * (smaller - larger), 0.0, alternative="greater")


#: What the divergence is, in sentences of claims.
DIVERGENCE = (
    r" \mathrm{KL}_n ="
    r" \mathrm{KL}(\mathrm{Dist}($first_output) \parallel \mathrm{Dist}($first_limit))"
)


def nearer_with_the_width() -> Sentence:
    """The statement of Figures 1, 4 and 5, about the widths that the paper has."""
    return sentence(
        r"\mathrm{KL}_{n'} $below \mathrm{KL}_n, \quad (n, n') \in"
        r" \{($first, $second), ($second, $third), ($third, $fourth)\}, \quad" + DIVERGENCE,
        below=Choice("<", 1), first=16, second=64, third=256, fourth=1024,
    )  # fmt: skip


#: The same with its relation or its widths in another order, each of which is false.
IN_ANOTHER_ORDER = {
    "rising": {"below": -1},
    "exchanged": {"second": 256, "third": 64},
    "from_a_wider_one": {"first": 256},
    "to_a_narrower_one": {"fourth": 64},
}
#: The same with one width a unit smaller or larger, which is true.
ONE_UNIT_OFF = {
    f"{name}: {n} -> {n + step}": "true as well: the divergence falls from each width to the next"
    for name, n in (("first", 16), ("second", 64), ("third", 256), ("fourth", 1024))
    for step in (-1, 1)
}
