"""Proposition 14: the exact law of the length of an activation, and its exponential moment."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import Integral, Rational, Reals, Symbol, exp, integrate, oo, pi, sign, sqrt

from numeric.statistics import TwoSampleTest, two_sample_test
from symbolic.derivation import Derivation, Step
from symbolic.equality import equal
from symbolic.notation import a, b
from symbolic.notation import phi as activation
from theorems.classical.gaussian_moments import standard
from theorems.classical.normal_means import by_density
from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    both,
    eq,
    gt,
    implies,
    integers,
    lt,
    rules,
    sentence,
)
from theorems.engine.rules import E, Random, Theorem, principles
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.hypotheses import (
    ALIVE,
    ASYMMETRY,
    BY_DEFINITION,
    NONZERO_PREACTIVATIONS,
    NOT_BOTH_ZERO,
    SCALE,
    SHARE,
)
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, asymmetry, phi, u
from theorems.eoc_mlp.letters.distances import unit_square
from theorems.eoc_mlp.letters.network import M
from theorems.eoc_mlp.letters.table import claim
from theorems.eoc_mlp.letters.tails import lam
from theorems.eoc_mlp.premises.means import carried_out
from theorems.eoc_mlp.premises.substitutions import as_it_stands
from theorems.eoc_mlp.sampling.redrawn import redrawn

_NOTE = "proofs_notes/eoc_concentration.md#norms"
_W = unit_square


UNIT = claim(
    "eoc.prop14.unit",
    at="Proposition 14",
    title="The square of an activation in terms of the sign of its preactivation",
    states=eq(SIGMA**2 * phi(u, a, b) ** 2, (1 + asymmetry * sign(u)) * u**2),
    assuming=[NOT_BOTH_ZERO, SCALE, ASYMMETRY],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@UNIT.proved()
def squares_on_both_sides(given: Given) -> Theorem:
    """(a ± b)² = (a² + b²)(1 ± r)."""
    return given.follows(goal=unfolded(given.goal))


LAW = claim(
    "eoc.prop14.law",
    at="Proposition 14",
    title="Exact law of the norm of an activation",
    states=sentence(
        r"\Bigl(\frac{\|x_k\|}{\|x_{k-1}\|}\Bigr)^{$square} \sim"
        r" \frac{($positive + $asymmetry)\chi^2_n + ($negative - $asymmetry)\chi^2_{M-n}}{$M},"
        r" \quad n \sim \operatorname{Bin}($M, $half)",
        square=2,
        positive=1,
        negative=1,
        half=Fraction(1, 2),
    ),
    assuming=[ALIVE, NOT_BOTH_ZERO, SCALE, ASYMMETRY],
    rests_on=[UNIT, "eoc.def2.homogeneous", "eoc.prop11.rows"],
    provenance=Provenance.DERIVED,
    note=_NOTE,
    excused={
        "domain of sigma": "true as well: by the hypothesis on the scale it is positive",
        "domain of asymmetry": "true as well: 2ab/(a² + b²) lies between -1 and 1",
    },
)


@LAW.argued(
    bridge="The units are independent; the sign of a Gaussian is independent of its modulus, and"
    " given the signs the squares of n units have one factor, those of the others the other one.",
    uses=[ALIVE, NOT_BOTH_ZERO, SCALE, ASYMMETRY],
    over={M: integers(1)},
)
def sign_and_modulus(square: int, positive: int, negative: int, half: Fraction) -> Obligations:
    """σ²φ(u)² = (1 + r sgn u)u², and the density of a Gaussian is even."""
    size, squares = Symbol("u", positive=True), a**2 + b**2
    for side, own in ((1, positive), (-1, negative)):
        factor = own + side * 2 * a * b / squares
        found = activation(side * size) ** square / squares
        yield f"sign {side}", equal(found, factor * size**2, under=[squares > 0])
    place = Symbol("x", real=True)
    density = exp(-(place**2) / 2) / sqrt(2 * pi)
    above = integrate(density, (place, 0, oo))
    yield "probability of a positive sign", equal(above, Rational(half))
    yield "even density", equal(density.subs(place, -place), density)


@LAW.estimated(
    draws=2000,
    controls={
        "one_chi_square": {"positive": 0, "negative": 0},
        "n_is_m": {"half": Fraction(1)},
        "first": {"square": 1},
    },
)
def networks_and_mixtures(
    rng: np.random.Generator, draws: int, square: int, positive: int, negative: int, half: Fraction
) -> Iterator[TwoSampleTest]:
    """Redraw one layer of six networks, and draw from the mixture."""
    for layer in redrawn(rng, draws):
        slopes = layer.state.mlp.a, layer.state.mlp.b
        r = 2 * slopes[0] * slopes[1] / (slopes[0] ** 2 + slopes[1] ** 2)
        n = rng.binomial(layer.width, float(half), draws)
        # A chi-square variable with no degree of freedom is 0; NumPy asks for more than none.
        first, second = (
            np.where(dof > 0, rng.chisquare(np.maximum(dof, 1)), 0.0) for dof in (n, layer.width - n)
        )
        mixture = ((positive + r) * first + (negative - r) * second) / layer.width
        yield two_sample_test(layer.squared_norms ** (square / 2), mixture)


MEANT = {
    ALIVE: "an activation that vanishes has no direction",
    NOT_BOTH_ZERO: "the share Δ stands for coefficients that are not both zero",
    SHARE: BY_DEFINITION[SHARE],
    SCALE: BY_DEFINITION[SCALE],
    ASYMMETRY: "the asymmetry is 2√(Δ(1 - Δ)) = κ² - 1 or the opposite, by eoc.prop18.values",
}
#: How far the squared slopes are from their mean: κ² is 1 more.
SPREAD = 2 * sqrt(DELTA * (1 - DELTA))
_ROOTS = [1 - 2 * lam * (1 + SPREAD), 1 - 2 * lam * (1 - SPREAD)]

MOMENT = claim(
    "eoc.prop14.exponential_moment",
    at="Proposition 14",
    title="Exponential moment of the square of a normalised activation",
    states=implies(
        lt(2 * lam * (1 + SPREAD), 1),
        eq(E(exp(lam * _W)), 1 / (2 * sqrt(_ROOTS[0])) + 1 / (2 * sqrt(_ROOTS[1]))),
    ),
    rests_on=[UNIT, "eoc.prop18.values"],
    discharging={**MEANT, NONZERO_PREACTIVATIONS: "with probability one"},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)
_c = Symbol("c", positive=True)


def _half_line(width: Any) -> Any:
    return Integral(exp(-(u**2) / 2 * width) / sqrt(2 * pi), (u, 0, oo))


_INTEGRATED = Derivation(
    title="The mean of an exponential of a square on a half-line",
    name=r"\mathbb{E}e^{(1 - c)u^2/2}\mathbf{1}_{u > 0}",
    start=_half_line(_c),
    steps=[Step(1 / (2 * sqrt(_c)), "integrate", carried_out)],
)


def _on_both_half_lines(given: Given, over: Any, under: Any) -> list[Theorem]:
    """For the coefficients √(1 - Δ) and √Δ, where σ is 1, the square is (1 + r sgn u)u²."""
    normal, slopes = Random("G"), (sqrt(1 - DELTA), sqrt(DELTA))
    at = dict(zip((a, b), slopes, strict=True)) | {SIGMA: 1, asymmetry: SPREAD}
    unit = given.fact(UNIT).at(at, over={u: Reals, DELTA: over[DELTA]})
    unit = rules.follows(unit.statement, [unit])
    square, halves = unit.statement.args
    same = rules.follows(eq(exp(lam * square), exp(lam * halves)), [unit])
    means = principles.expected(same, u, normal)
    meant = eq(E(exp(lam * _W)), means.statement.lhs)
    whole = sum(map(_half_line, _ROOTS))
    return [
        means,
        given.meaning("the square of a normalised activation", meant),
        given.meaning("G, a standard normal variable", *standard(normal).args),
        by_density(exp(lam * halves), u, normal, whole, over=over, under=under),
    ]


@MOMENT.proved()
def integrate_each_half(given: Given) -> Theorem:
    """On the half-lines the square is (1 ± r)u²; integrate against the density."""
    over = {x: given.domain[x] for x in (lam, DELTA)}
    under = [gt(root, 0) for root in _ROOTS]
    law = _on_both_half_lines(given, over, under)
    integral = rules.derived(_INTEGRATED)
    values = [integral.at({_c: root}, over=over, under=under) for root in _ROOTS]
    goal = as_it_stands(MOMENT)
    signs = rules.follows(implies(goal.args[0], both(*under)), over=over)
    return given.follows(*law, *values, signs, goal=goal)
