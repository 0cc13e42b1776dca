"""Proposition 14: the fourth moment of the length of an activation, in one layer and in all."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sympy import Expr, Integer, Interval, Rational, S, binomial, expand, rf, sympify

from numeric.statistics import MeanTest, mean_test
from symbolic.derivation import Derivation, Step
from symbolic.equality import equal
from symbolic.gaussian import GaussianMean
from symbolic.gaussian.half_lines import half_line_steps
from symbolic.notation import a, b
from symbolic.notation import phi as relu
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_means import by_density
from theorems.engine import Given, Obligations, Provenance, both, eq, rules, sentence
from theorems.engine.rules import E, Random, Theorem
from theorems.eoc_mlp.hypotheses import ALIVE, ASYMMETRY, INPUTS_NONZERO, NOT_BOTH_ZERO, SCALE
from theorems.eoc_mlp.letters.activation import asymmetry, u
from theorems.eoc_mlp.letters.distances import squared_ratio, unit_square
from theorems.eoc_mlp.letters.network import M
from theorems.eoc_mlp.letters.table import REAL, claim
from theorems.eoc_mlp.premises.copies import second_moment_of_mean
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.drawn_once import forward_draws, seed_of

Rng = np.random.Generator

NOTE = "proofs_notes/eoc_figures.md#widths-for-the-ntk"
EXCESS = 2 + 3 * asymmetry**2
ACTIVATIONS = ((0.0, 1.0), (0.5, 0.5), (1.0, -0.3))


FOURTH = claim(
    "eoc.fourth_moment",
    at="Proposition 14",
    title="The fourth moment of the length of an activation in closed form",
    states={
        "one layer": eq(E(squared_ratio**2), 1 + EXCESS / M),
        "all layers": sentence(
            r"\mathbb{E}\Bigl(\frac{\|x_k\|}{\|x_1\|}\Bigr)^{$four} = \prod_{j < k}"
            r"\Bigl($one + \frac{$excess}{m_j}\Bigr)",
            four=4,
            one=1,
            excess=EXCESS,
        ),
    },
    assuming=[NOT_BOTH_ZERO, ASYMMETRY, INPUTS_NONZERO],
    rests_on=["eoc.prop14.law", "eoc.init"],
    discharging={
        ALIVE: "once an activation vanishes, both sides of a layer are 0",
        SCALE: "that is what the letter stands for",
    },
    provenance=Provenance.DERIVED,
    note=NOTE,
    excused={"domain of asymmetry": "true as well: 2ab/(a² + b²) lies between -1 and 1"},
)


def _fourth_power() -> Theorem:
    """E φ(u)⁴ = 3(a⁴ + 6a²b² + b⁴)."""
    integrand = relu(u) ** 4
    steps = [*half_line_steps(Integer(1), integrand, u)]
    closed = 3 * (a**4 + 6 * a**2 * b**2 + b**4)
    chain = Derivation(
        title="Fourth power of the activation",
        name=r"\mathbb{E}\phi(u)^4",
        start=GaussianMean(integrand, u),
        steps=[*steps, Step(closed, "collect")],
    )
    return rules.derived(chain)


@FOURTH.proved("one layer")
def mean_of_copies(given: Given) -> Theorem:
    """E W = 1 and E W² = 3(1 + r²) for the square W of one unit; R is a mean of M copies of W."""
    alive = [NOT_BOTH_ZERO.formula]
    W, R, U = unit_square, squared_ratio, Random("U")
    scale, means = 1 / (a**2 + b**2), {p: GaussianMean(relu(u) ** p, u) for p in (2, 4)}
    powers = (eq(E(W**p), E((scale * relu(U) ** 2) ** p)) for p in (1, 2))
    unit = given.meaning("W is the square of σφ(U)", *powers, under=alive)
    law = given.meaning("U, a standard normal variable", *standard(U).args)
    densities = [by_density(relu(u) ** p, u, U, mean, over={a: REAL, b: REAL}) for p, mean in means.items()]
    second = rules.derived(
        Derivation(
            title="Square of the activation",
            name=r"\mathbb{E}\phi(u)^2",
            start=means[2],
            steps=[*half_line_steps(Integer(1), relu(u) ** 2, u), Step(a**2 + b**2, "collect")],
        )
    )
    moments = rules.follows(
        both(eq(E(W), 1), eq(E(W**2), 3 + 3 * (2 * a * b * scale) ** 2)),
        [unit, law, *densities, second, _fourth_power()],
        under=alive,
    )
    copies = second_moment_of_mean(given, R, W, M)
    return given.follows(copies, moments, goal=as_it_stands(FOURTH, "one layer"))


@FOURTH.argued(
    "all layers",
    bridge="Given the layers below, the quotient of the squared lengths of two successive layers"
    " has a law that does not depend on them; so moments multiply.",
    uses=[NOT_BOTH_ZERO, ASYMMETRY, INPUTS_NONZERO],
)
def mixtures_of_chi_squares(four: int, one: int, excess: Any) -> Obligations:
    """((1 + r)χ²_n + (1 - r)χ²_{M-n})/M with n binomial: its moments, for widths 1 to 4."""
    order = Rational(four) / 2
    for width in range(1, 5) if order.is_Integer else (1,):
        claimed = one + excess / width
        yield f"width {width}", equal(_moment(width, order), claimed, _ASYMMETRIES)


_ASYMMETRIES = {asymmetry: Interval.open(-1, 1)}


def _moment(width: int, order: Rational) -> Expr:
    """The moment of the mixture for a layer of a width; the order is an integer unless that is 1.

    The moment of order q of a chi-square with n degrees is 2^q Γ(n/2 + q)/Γ(n/2).
    """
    r, half = asymmetry, Rational(1, 2)
    if width == 1:
        return ((1 + r) ** order + (1 - r) ** order) / 2 * 2**order * rf(half, order)
    total = S.Zero
    for n in range(width + 1):
        for q in range(int(order) + 1):
            first = (2 * (1 + r)) ** q * rf(half * n, q)
            second = (2 * (1 - r)) ** (order - q) * rf(half * (width - n), order - q)
            total += binomial(width, n) * binomial(order, q) * first * second
    return expand(total / 2**width / width**order)


@FOURTH.estimated("all layers", draws=4000, controls={"two_moments": {"excess": 2}, "square": {"four": 2}})
def powers_of_lengths(rng: Rng, draws: int, four: int, excess: Any) -> Iterator[MeanTest]:
    """Mean powers of lengths in networks of four hidden layers, for three activation functions."""
    widths = [8, 16, 24, 32]
    for first, second in ACTIVATIONS:
        norms = forward_draws(seed_of(rng), ((1.0,),), tuple(widths), (first, second), draws).norms[:, -1, 0]
        r = 2 * first * second / (first**2 + second**2)
        each = float(sympify(excess).subs(asymmetry, r))
        product = float(np.prod([1 + each / width for width in widths]))
        yield mean_test(norms ** float(four), product)
