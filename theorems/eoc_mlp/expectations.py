"""Propositions 11 and 15: expectations over one layer matrix, the layers below it fixed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import sympy as sp
from sympy import Expr, Symbol

from numeric.statistics import MeanTest, mean_test
from symbolic.derivation import Decision, Derivation, Step
from symbolic.equality import decide_equal
from symbolic.gaussian import GaussianMean
from symbolic.notation import ABBREVIATIONS, NOT_BOTH_ZERO
from theorems.engine import (
    Given,
    Hypothesis,
    Provenance,
    claims_in,
    eq,
    gt,
    half_line,
    implies,
    lt,
    open_interval,
    rules,
)
from theorems.engine.rules import E, Random, Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.cosine_maps import CLOSED_FORM, EDGE_DERIVATIVE, VALUES
from theorems.eoc_mlp.gradient_meanings import variances
from theorems.eoc_mlp.hypotheses import BOTH_ALIVE, BY_DEFINITION, SCALE, SHARE
from theorems.eoc_mlp.letters import (
    DELTA,
    LETTERS,
    SIGMA,
    X_k_mean,
    X_mean_single,
    a,
    b,
    phi,
    phi_prime,
    rho,
    t,
    tau1,
    tau2,
    u,
    u1,
    u2,
    u_i,
    u_j,
    varrho,
    varrho_prime,
    x_i,
    x_j,
)
from theorems.eoc_mlp.letters.table import POSITIVE
from theorems.eoc_mlp.redrawn import redrawn
from theorems.eoc_mlp.said import said, stands_for, stated, what_is_assumed
from theorems.eoc_mlp.substitutions import as_stated

claim = claims_in(LETTERS)
DRAWS = 4000
_DEAD_LAYERS = "proofs_notes/eoc_mlp.md#dead-layers"
_ACTIVATION: dict[Symbol, Any] = dict.fromkeys((a, b, SIGMA, DELTA))

ROWS = claim(
    "eoc.prop11.rows",
    at="Propositions 11, 15, 16 and 17, proofs",
    title="The preactivations of a row are Gaussian with covariances of the activations",
    states=eq(E(u_i * u_j), SIGMA**2 * rules.inner(x_i, x_j)),
    given=[u_i, u_j, SIGMA, x_i, x_j],
)


@ROWS.proved()
def polarisation_in_any_dimension(given: Given) -> Theorem:
    """The variances of ⟨v, x_i⟩, ⟨v, x_j⟩ and their sum make up the covariance."""
    return given.follows(variances(given, {u_i: x_i, u_j: x_j}), goal=as_stated(ROWS))


def _pulled_out(integrand: Expr, factor: Expr, simpler: Expr) -> Theorem:
    """Positive factors of the arguments come out of a function, or vanish in its derivative."""
    # A length may be zero where it comes out.
    positive = {x: Symbol(x.name, positive=True) for x in (tau1, tau2) if factor == 1}
    range_ = POSITIVE if positive else half_line(0)

    def at_every_point(before: Expr, after: Expr) -> Decision:
        (mean,) = after.atoms(GaussianMean)
        sides = before.integrand, after / mean * mean.integrand
        return decide_equal(*(unfolded(one).subs(positive) for one in sides))

    return rules.derived(
        Derivation(
            title="Positive factors of the arguments",
            name=r"\mathbb{E}",
            start=GaussianMean(integrand, u1, u2, rho),
            steps=[
                Step(factor * GaussianMean(simpler, u1, u2, rho), "homogeneity", at_every_point)
            ],
            domain={tau1: range_, tau2: range_, rho: LETTERS[rho].domain},
        )
    )


def _of_both(function: Any, first: Any = u1, second: Any = u2) -> Any:
    return function(first, a, b) * function(second, a, b)


_SCALED = SIGMA * tau1 * u1, SIGMA * tau2 * u2


def _of_one_unit(given: Given, quantity: Expr, function: Any, factor: Any) -> list[Theorem]:
    """What a mean over equal units is, at cosines between and at both ends."""
    over = {**given.domain, tau1: half_line(0), tau2: half_line(0)}
    same, opposite = (GaussianMean(_of_both(function, u, sign * u), u) for sign in (1, -1))
    mean = GaussianMean(_of_both(function, *_SCALED), u1, u2, rho)
    pulled = _pulled_out(_of_both(function, *_SCALED), factor, _of_both(function))
    ends = {1: same, -1: opposite}
    laws = [
        stands_for(
            f"{quantity}, a mean over equal units of preactivations sigma tau_i u_i, at {name},",
            implies(condition, eq(quantity, value)),
            over=over,
        )
        for name, condition, value in (
            ("a correlation between", sp.And(rho > -1, rho < 1), mean),
            ("correlation 1", eq(rho, 1), factor * ends[1]),
            ("correlation -1", eq(rho, -1), factor * ends[-1]),
        )
    ]
    return [*laws, pulled]


def _by_cosine(given: Given, fact: Any) -> list[Theorem]:
    """What a claim says of the cosine map between, and at both ends."""
    angle, cosines = sp.acos(rho), {rho: open_interval(-1, 1)}
    inside = gt(angle, 0), lt(angle, sp.pi)
    between = rules.instance(given.fact(fact, "between"), {t: angle}, over=cosines, under=inside)
    # At the ends the claim is about no angle: any will do for the one that it speaks of.
    right = {rho: 0, t: sp.pi / 2}
    ends = [rules.instance(given.fact(fact, end), right) for end in ("at 1", "at -1")]
    values = [implies(eq(rho, end), eq(sp.asin(rho), sp.asin(end))) for end in (1, -1)]
    range_ = said("range of the arccosine", *inside, over=cosines)
    return [between, range_, said("values of the arcsine", *values), *ends]


PROP_11 = claim(
    "eoc.prop11",
    at="Proposition 11",
    title="Expectation of the inner products of activations",
    # If an activation vanishes both sides are 0, whatever number one takes for the cosine.
    states=eq(X_k_mean, tau1 * tau2 * varrho(rho, DELTA)),
    given={X_k_mean: None, tau1: None, tau2: None, rho: None, **_ACTIVATION},
    assuming=[SHARE, SCALE],
    rests_on=[ROWS, CLOSED_FORM],
    discharging=BY_DEFINITION,
    note=_DEAD_LAYERS,
)


@PROP_11.proved()
def pull_out_the_norms(given: Given) -> Theorem:
    """Homogeneity takes στ out of each factor; the rows are equally distributed."""
    units = _of_one_unit(given, X_k_mean, phi, SIGMA**2 * tau1 * tau2)
    return given.follows(*units, *_by_cosine(given, CLOSED_FORM), goal=as_stated(PROP_11))


def right_side(given: Given, at: Mapping[Symbol, Any]) -> float:
    """The right side of the part at numbers."""
    return float(unfolded(given.goal.rhs).subs(at))


@PROP_11.estimated(draws=DRAWS, controls={})
def inner_products(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Redraw one layer of six networks and compare the mean of X_k."""
    for one in redrawn(rng, draws):
        lengths, cosine = one.state.norms(one.layer), one.state.cosines(one.layer)[0, 1]
        at = {tau1: lengths[0], tau2: lengths[1], rho: cosine, DELTA: one.delta}
        yield mean_test(one.draws.inner_products[:, 0, 1], right_side(given, at))


PROP_15 = claim(
    "eoc.prop15",
    at="Proposition 15",
    title="Expectation of the inner products of activation derivatives",
    states=eq(X_mean_single, varrho_prime(rho, DELTA)),
    given={X_mean_single: None, rho: None, **_ACTIVATION},
    assuming=[BOTH_ALIVE, SHARE, SCALE],
    rests_on=[ROWS, EDGE_DERIVATIVE],
    discharging=BY_DEFINITION,
    note=_DEAD_LAYERS,
)


@PROP_15.proved()
def norms_do_not_matter(given: Given) -> Theorem:
    """φ'(τs) = φ'(s), so σ² E φ'(τ₁u₁)φ'(τ₂u₂) is the integral that equals ϱ'."""
    given.require(BOTH_ALIVE)
    units = _of_one_unit(given, X_mean_single / SIGMA**2, phi_prime, 1)
    goal, known = stated(PROP_15), [*units, *_by_cosine(given, EDGE_DERIVATIVE)]
    lengths = {tau1: POSITIVE, tau2: POSITIVE}
    return rules.follows(goal, known, over={**given.domain, **lengths}, under=given.conditions)


@PROP_15.estimated(draws=DRAWS, controls={})
def derivative_products(given: Given, rng: np.random.Generator, draws: int) -> Iterator[MeanTest]:
    """Redraw one layer of six networks and compare the mean of X'_{k,k}."""
    for one in redrawn(rng, draws):
        at = {rho: one.state.cosines(one.layer)[0, 1], DELTA: one.delta}
        yield mean_test(one.draws.derivative_products[:, 0, 1], right_side(given, at))


DEAD_FIRST = Hypothesis(
    "dead_first",
    "the first of the two activations that enter the layer of the random matrix vanishes",
    latex=r"x_{k-1}(x_1) = 0",
)
DEAD = claim(
    "eoc.prop15.dead",
    at="Proposition 15",
    title="Dead activations count as orthogonal ones",
    states=[eq(X_mean_single, 1 - DELTA), eq(1 - DELTA, varrho_prime(0, DELTA))],
    given={X_mean_single: None, **_ACTIVATION},
    assuming=[DEAD_FIRST, SHARE, SCALE],
    rests_on=[VALUES],
    provenance=Provenance.DERIVED,
    note=_DEAD_LAYERS,
)


@DEAD.proved()
def average_the_sign(given: Given) -> Theorem:
    """φ'(0) = a, and E φ'(u) = a because the sign of u averages to zero."""
    slope, at_zero = Random("slope_2"), unfolded(phi_prime(0, a, b))
    mean = GaussianMean(unfolded(phi_prime(u, a, b)), u)
    first = Symbol("slope_1", real=True)
    either = sp.Or(eq(E(slope), mean), eq(E(slope), at_zero))
    return given.follows(
        stands_for("X_mean_single", eq(X_mean_single, SIGMA**2 * first * E(slope))),
        what_is_assumed(given, DEAD_FIRST, eq(first, at_zero)),
        stands_for("the slope of the second unit, alive or dead,", either),
        integrated(mean, a),
        given.fact(VALUES, "at 0"),
        goal=stated(DEAD),
    )


def integrated(mean: Expr, value: Expr, factor: Any = 1) -> Theorem:
    """A factor times a mean of one standard normal variable, integrated."""

    def carried_out(before: Expr, after: Expr) -> Decision:
        return decide_equal(before.doit().subs(where), after, {}, under=NOT_BOTH_ZERO)

    step = Step(value, "integrate over both half lines", carried_out)
    where = {} if factor == 1 else ABBREVIATIONS
    under = () if factor == 1 else NOT_BOTH_ZERO
    return rules.derived(
        Derivation(
            "A mean of slopes", r"\mathbb{E}", factor * mean, [step], where=where, under=under
        )
    )
