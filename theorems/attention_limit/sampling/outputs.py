"""The settings of the paper's experiments: widths, heads, tokens, inputs.

Inputs are clipped at 100 in the paper.  A coordinate is so large with a probability below 1e-150
even at width 16, where it is a product of a normal variable and the root of a mean of 16 squares;
so the identity stands for the clipping, and the Gram matrix has a law that needs no long vectors.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import Any

import numpy as np

from numeric.arguments import Floats
from numeric.gaussian_mixtures import kullback_leibler, mixture_density
from numeric.mirrored import MirroredGenerator, RepeatedGenerator
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

    def variances(self, seed: int, size: int, mirrored: bool = False) -> Floats:
        """Draws of the variance of an entry of the first output, given scores and values.

        Mirrored ones are pairs of the same normals of the scores, in which all else that is random
        is mirrored: what the finite width adds has less noise in their mean.
        """
        inputs, rest, normals = _generators(seed, mirrored)
        activation = _ACTIVATIONS[self.activation]
        factors = sample_input_factors(activation, self.n, self.tokens, inputs, size)
        layer = AttentionLayer(self.heads, self.rows)
        return sample_output_variances(factors, layer, rest, normals=normals)

    def limit_variances(self, seed: int, size: int, rows: float = np.inf, mirrored: bool = False) -> Floats:
        """The same in the limit n to infinity, at a fixed number of rows if one is given.

        The draws share the normals of the scores with those of finite width and the same seed.
        """
        _, rest, normals = _generators(seed, mirrored)
        factors = np.broadcast_to(self.limit_factor(), (size, self.tokens, self.tokens))
        layer = AttentionLayer(self.heads, rows)
        return sample_output_variances(factors, layer, rest, normals=normals)


def _generators(seed: int, mirrored: bool) -> tuple[Rng, Rng, Rng | None]:
    """Generators of inputs, of all else, and of the normals of scores if they are from another."""
    if not mirrored:
        return np.random.default_rng((seed, 0)), np.random.default_rng((seed, 1)), None
    inputs, squares, normals = (np.random.PCG64((seed, part)) for part in (0, 1, 2))
    return MirroredGenerator(inputs), MirroredGenerator(squares), RepeatedGenerator(normals)


_REACH, _POINTS = 6.0, 241
#: Where densities of an output are evaluated; beyond it lies less than 1e-8 of the limit laws.
GRID = np.linspace(-_REACH, _REACH, _POINTS)
STEP = 2 * _REACH / (_POINTS - 1)


#: A coarser grid for divergences: what it changes of them is below 5e-4 of them at width 16, where
#: small variances have a density with a peak, and below 1e-8 at width 1024.
_HALF = np.linspace(0.0, _REACH, 25)


def divergence(setting: Setting, seed: int, size: int, mirrored: bool = False) -> float:
    """The Kullback-Leibler divergence of the output from its limit, from so many draws of both.

    Both densities are means of Gaussian ones, and share the normals of the scores: the error of
    their difference is that of what finite width adds.  They are even, and smooth enough for the
    rule of the trapezoids at a coarse step.
    """
    limit = _limit_density(replace(setting, n=1, rows=1), seed, size, mirrored)
    own = _density(setting.variances(seed, size, mirrored))
    return kullback_leibler(own, limit, float(_HALF[1]))


@lru_cache(maxsize=64)
def _limit_density(setting: Setting, seed: int, size: int, mirrored: bool) -> Floats:
    """The density of the limit, which is the same at every width and for any number of rows."""
    return _density(setting.limit_variances(seed, size, mirrored=mirrored))


def _density(variances: Floats) -> Floats:
    right = mixture_density(_HALF, variances)
    return np.concatenate([right[:0:-1], right])


@lru_cache(maxsize=1024)
def log_divergence(setting: Setting, seed: int, size: int, mirrored: bool = False) -> float:
    """The logarithm of the divergence; a control asks for the same numbers again."""
    return log(divergence(setting, seed, size, mirrored))


def log_divergences(
    rng: Rng, settings: Sequence[Setting], trials: int, size: int, mirrored: bool = False
) -> Floats:
    """Logarithms of divergences by setting and trial, shape ``(len(settings), trials)``."""
    first = int(rng.integers(2**62))
    seeds = range(first, first + trials)
    found = [[log_divergence(one, seed, size, mirrored) for seed in seeds] for one in settings]
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
        r"\mathrm{KL}_{n'} $below \mathrm{KL}_n \text{ for each } n \text{ and the next } n'"
        r" \text{ of } $first, $second, $third, $fourth, \quad" + DIVERGENCE,
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
