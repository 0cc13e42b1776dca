"""Definition 22: the mean of the NTK, its limit and the rate of it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Integer, Symbol, expand, summation, symbols

from numeric.cosine_maps import delta_phi, limiting_ntk
from numeric.cosine_maps import varrho as varrho_in_floats
from numeric.cosine_maps import varrho_prime as slope_in_floats
from numeric.networks.sampling import sample_ntk
from numeric.statistics import MeanTest, SlopeTest, mean_test, slope_test
from symbolic.cosine_maps import limiting_ntk_profile
from symbolic.equality import equal
from symbolic.notation import DOMAIN
from theorems.engine import Obligations, Provenance, integers, sentence
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    BELOW,
    BOTH_ALIVE,
    BY_DEFINITION,
    EQUAL_SCALINGS,
    INPUTS_NONZERO,
    NOT_BOTH_ZERO,
)
from theorems.eoc_mlp.letters import DELTA, claim, l, m_1, rho, varrho, varrho_prime
from theorems.eoc_mlp.sampling.drawn_once import ntk_draws, seed_of
from theorems.eoc_mlp.sampling.networks import inputs_at

_NOTE = "proofs_notes/eoc_mlp.md#limiting-ntk"


MEAN = claim(
    "eoc.def22.depth_two",
    at="Definition 22",
    title="At depth 2 the mean of the NTK is its limit, at every width",
    states=sentence(
        r"\mathbb{E}_\theta $K_theta(x_1, x_2) = $K_limit"
        r" \quad \text{for } l = $depth \text{ and every } $m_1",
        depth=2,
    ),
    assuming=[EQUAL_SCALINGS, NOT_BOTH_ZERO, INPUTS_NONZERO],
    discharging={
        **BY_DEFINITION,
        BOTH_ALIVE: "the activations that enter the only random hidden layer are the inputs",
    },
    rests_on=["eoc.prop11", "eoc.prop15", "eoc.def22.low_depths"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@MEAN.argued(
    bridge="Propositions 11 and 15 are the means of X and X' over the first layer, and the last"
    " layer is independent of it; by homogeneity the lengths of the inputs are factors.",
    uses=[EQUAL_SCALINGS, NOT_BOTH_ZERO, INPUTS_NONZERO],
    over={m_1: integers(1)},
)
def trace_over_the_output_layer(depth: int) -> Obligations:
    """E⟨A_j, D A_j⟩ = σ² tr D for diagonal D; then Propositions 11 and 15 give κ₂."""
    sigma = Symbol("sigma", positive=True)
    weights, diagonal = symbols("A1:4", real=True), symbols("D1:4", real=True)
    form = expand(sum(d * w**2 for d, w in zip(diagonal, weights, strict=True)))
    mean = form.subs({w**2: sigma**2 for w in weights})
    yield "mean of the quadratic form", equal(mean, sigma**2 * sum(diagonal))
    # K = σ⁻² X₁ ⟨A, B B* A⟩ + X₂ with tr B B* = X'₂₂ of mean ϱ'(ρ), and X₂ of mean ϱ(ρ).
    means = unfolded(rho * varrho_prime(rho, DELTA) + varrho(rho, DELTA))
    yield "the two terms make κ₂", equal(means, limiting_ntk_profile(rho, depth, DELTA), DOMAIN)


@MEAN.estimated(draws=4000, controls={"another_layer": {"depth": 3}})
def narrow_networks(rng: np.random.Generator, draws: int, depth: int) -> Iterator[MeanTest]:
    """Means over whole networks of hidden widths 1, 2 and 7."""
    for width, one, other, angle in ((1, 0.5, 0.5, 0.4), (2, 0.0, 1.0, 2.5), (7, 1.0, -0.5, 1.2)):
        x = inputs_at(angle, 3, rng)
        sample = sample_ntk(x, (width,), one, other, rng, size=draws)[:, 0, 1, 0, 0]
        yield mean_test(sample, limiting_ntk(x, depth, delta_phi(one, other))[0, 1])


DIAGONAL_MEAN = claim(
    "eoc.def22.diagonal_mean",
    at="Definition 22",
    title="On the diagonal the mean of the NTK is its limit, at every depth and width",
    states=sentence(r"\mathbb{E}_\theta $K_theta(x, x) = $l\,\|x\|^{$square}\,\mathcal{I}_{m_l}", square=2),
    assuming=[EQUAL_SCALINGS, NOT_BOTH_ZERO],
    discharging={
        **BY_DEFINITION,
        ALIVE: "where a layer is dead, the summand vanishes on both sides",
        BOTH_ALIVE: "where a layer is dead, the summand vanishes on both sides",
        BELOW: "it is applied to the layers above the one to which one propagates back",
    },
    rests_on=["eoc.prop11", "eoc.prop15", "eoc.prop16", "eoc.def22.diagonal"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "domain of l: from 1 on": "true as well: the kernel of a single layer is not random, and it"
        " is the one term of the sum"
    },
)


@DIAGONAL_MEAN.argued(
    bridge="E X_k = ‖x‖² by Proposition 11 layer by layer, E X'_{k+1,l} = 1 by Propositions 16 and"
    " 15, given the layers below; where a layer dies, X_k or B_{k+1,l} vanishes with it.",
    uses=[EQUAL_SCALINGS, NOT_BOTH_ZERO],
)
def telescope(square: int) -> Obligations:
    """E X_k = ‖x‖², E X'_{k+1,l} = 1: each of l terms is ‖x‖²."""
    yield "ϱ(1) = 1", equal(unfolded(varrho(1, DELTA)), Integer(1))
    yield "ϱ'(1) = 1", equal(unfolded(varrho_prime(1, DELTA)), Integer(1))
    length, layer = Symbol("length", positive=True), Symbol("k", integer=True)
    inner = length * length * unfolded(varrho(1, DELTA))
    total = summation(inner * unfolded(varrho_prime(1, DELTA)), (layer, 1, l))
    yield "l equal terms", equal(total, l * length**square)


@DIAGONAL_MEAN.estimated(draws=4000, controls={"lengths": {"square": 1}})
def narrow_deep_networks(rng: np.random.Generator, draws: int, square: int) -> Iterator[MeanTest]:
    """Means of K(x, x) for networks of depth 4 and widths around 4."""
    for widths, one, other in (((4, 5, 3), 0.0, 1.0), ((4, 4, 4), 1.0, 0.3), ((1, 2, 2), 0.5, 0.5)):
        x = inputs_at(1.0, 3, rng)[:1]
        sample = sample_ntk(x, widths, one, other, rng, size=draws)[:, 0, 0, 0, 0]
        depth = len(widths) + 1
        yield mean_test(sample, depth * float(np.linalg.norm(x)) ** square)


LIMIT = claim(
    "eoc.def22",
    at="Definition 22",
    title="The NTK converges to the limiting NTK as the widths grow",
    states=sentence(
        r"$K_limit = \|x_1\|\|x_2\|\Bigl(\sum_{k=$first}^{$l}"
        r" \varrho^{\circ(k-$layers)}($rho_1)\prod_{k'=k}^{$l-$above}"
        r"\varrho'(\varrho^{\circ(k'-$below)}($rho_1))\Bigr)\mathcal{I}_{m_l}, \quad"
        r" \mathbb{E}\,\|$K_theta(x_1, x_2) - $K_limit\|^{$square} = O(m^{$rate}),"
        r" \quad m_k = \gamma_k m \to \infty",
        first=1,
        layers=1,
        above=1,
        below=1,
        square=2,
        rate=-1,
    ),
    assuming=[EQUAL_SCALINGS, NOT_BOTH_ZERO, INPUTS_NONZERO],
    rests_on=["eoc.def22.recursion"],
    note=_NOTE,
    excused={
        "square: 2 -> 101/50": "true as well: higher powers of an error of that order are smaller",
        **dict.fromkeys(
            ("rate: -1 -> -99/100", "rate: -1 -> 0"), "true as well: what is O(1/m) is O of these"
        ),
        "domain of l": "true as well: the kernel of a single layer is not random, and it is the one"
        " term of the sum",
        "domain of rho_1": "true as well: no two inputs have such a cosine",
    },
)


@LIMIT.estimated(
    draws=400,
    controls={
        "faster": {"rate": -2},
        "first_power": {"square": 1},
        "without_the_inputs": {"first": 2},
        "iterate_of_the_next_layer": {"layers": 0},
        "one_slope_more": {"above": 0},
        "slopes_of_the_next_layer": {"below": 0},
    },
    uses=[EQUAL_SCALINGS, NOT_BOTH_ZERO, INPUTS_NONZERO],
)
def rate_in_the_width(
    rng: np.random.Generator,
    draws: int,
    first: int,
    layers: int,
    above: int,
    below: int,
    square: int,
    rate: int,
) -> Iterator[SlopeTest | MeanTest]:
    """The exponent of the mean square error at depth 4, widths 16 to 96, is at most -1.

    At depth 2, where the mean is the limit at every width, that of an obtuse angle, at which the
    slopes of two layers differ much, tells the indices of the sum.
    """
    seed, share, printed = seed_of(rng), 0.5, (first, layers, above, below)
    inputs, length, cosine = _pair(1.0, seed)
    limit = length * _printed_sum(cosine, 4, share, *printed)
    widths = np.array([16, 32, 64, 96])
    means, spread = [], []
    for m in widths:
        size = draws * max(2, int(96 // m) ** 2)  # narrow networks are cheap and have heavy tails
        sample = ntk_draws(seed + int(m), inputs, (int(m),) * 3, (0.5, 0.5), size)[:, 0, 1, 0, 0]
        errors = abs(sample - limit) ** square
        means.append(errors.mean())
        spread.append(errors.std(ddof=1) / np.sqrt(size))
    yield slope_test(widths, means, spread, float(rate), alternative="greater")
    inputs, length, cosine = _pair(2.6, seed)
    shallow = ntk_draws(seed + 8, inputs, (8,), (0.5, 0.5), 10 * draws)[:, 0, 1, 0, 0]
    yield mean_test(shallow, length * _printed_sum(cosine, 2, share, *printed))


@LIMIT.estimated(
    draws=20_000,
    controls={"faster": {"rate": -2}, "first_power": {"square": 1}},
    uses=[EQUAL_SCALINGS, NOT_BOTH_ZERO, INPUTS_NONZERO],
)
def rate_up_to_huge_widths(
    rng: np.random.Generator, draws: int, square: Any, rate: Any
) -> Iterator[SlopeTest]:
    """The exponent at depth 2 for |·| and a single unit input: from networks of width 64 to 10¹².

    There the kernel is the sum of two independent means of M squares of normals, whatever M is.
    """
    networks, width = sample_ntk([[1.0]], (64,), 0, 1, rng, size=draws).ravel(), 1e12
    squares = (rng.chisquare(width, draws) + rng.chisquare(width, draws)) / width
    errors = [np.abs(kernels - 2) ** float(square) for kernels in (networks, squares)]
    means = [one.mean() for one in errors]
    spread = [one.std(ddof=1) / np.sqrt(draws) for one in errors]
    yield slope_test([64, width], means, spread, float(rate), alternative="greater")


def _pair(angle: float, seed: int) -> tuple[tuple[tuple[float, ...], ...], float, float]:
    """Two inputs at an angle, the product of their lengths, and their cosine."""
    x = inputs_at(angle, 4, np.random.default_rng(seed))
    length = float(np.prod(np.linalg.norm(x, axis=1)))
    return tuple(map(tuple, x)), length, float(x[0] @ x[1]) / length


def _printed_sum(
    cosine: float, depth: int, share: float, first: int, layers: int, above: int, below: int
) -> float:
    """The sum of Definition 22, from its first index, with what is taken off each index."""
    iterates = [cosine]
    for _ in range(depth):
        iterates.append(float(varrho_in_floats(iterates[-1], share)))
    slopes = [float(slope_in_floats(value, share)) for value in iterates]

    def at(values: list[float], place: int) -> float:
        return values[place] if place >= 0 else float("nan")  # ϱ has no such iterate

    terms = (
        at(iterates, k - layers) * np.prod([at(slopes, i - below) for i in range(k, depth - above + 1)])
        for k in range(first, depth + 1)
    )
    return float(sum(terms))
