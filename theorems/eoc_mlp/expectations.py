"""Propositions 11, 15 and 16: expectations over one layer matrix, the layers below it fixed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from numeric.cosine_maps import varrho, varrho_prime
from numeric.networks.backpropagation import backpropagation_products
from numeric.networks.conditional import resample_layer
from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from symbolic.gaussian import expectation
from symbolic.notation import a, b, phi, phi_prime
from theorems.engine import Obligations, Provenance, claim, integers, interval, reals
from theorems.engine.domain import Domain
from theorems.eoc_mlp.redrawn import redrawn

_SIGMA, _TAU1, _TAU2 = sp.symbols("sigma tau1 tau2", positive=True)
_U = sp.symbols("u1 u2", positive=True)
_GIVEN: dict[str, Domain] = {"k": integers(2), "rho": interval(-1, 1), "delta": interval(0, 1)}
_NONZERO = "neither activation x_{k-1}(x_i) vanishes, so that the cosine exists"
DRAWS = 4000


def _mean(f: Callable[[Any], Any]) -> Any:
    """E f(g) for a standard Gaussian g."""
    g = sp.Symbol("g", real=True)
    return expectation(f(g), g)


ROWS = claim(
    "eoc.prop11.rows",
    at="Propositions 11, 15, 16 and 17, proofs",
    title="The normalised preactivations of a row are Gaussian with the cosine as correlation",
    states=(
        r"v \sim \mathcal{N}(0, \sigma^2\mathcal{I}) \implies"
        r" \operatorname{Cov}(\langle v, x_i\rangle, \langle v, x_j\rangle)"
        r" = \sigma^2\langle x_i, x_j\rangle"
    ),
)


@ROWS.proved(controls={"standard_deviation": {"power": 1}})
def bilinear_in_any_dimension(power: int = 2) -> Obligations:
    """E v_i v_j = σ² δ_ij; both sides are bilinear, so unit vectors decide, in every dimension."""
    for i, j in product(range(2), repeat=2):
        moment = _mean(lambda u: (_SIGMA * u) ** 2) if i == j else sp.Integer(0)
        yield f"unit vectors {i + 1}, {j + 1}", equal(moment, _SIGMA**power * int(i == j))


PROP_11 = claim(
    "eoc.prop11",
    at="Proposition 11",
    title="Expectation of the inner products of activations",
    states=(
        r"\mathbb{E}_{A_{k-1}} X_k(x_1, x_2)"
        r" = \tau_{k-1}(x_1)\,\tau_{k-1}(x_2)\,\varrho(\rho_{k-1}(x_1, x_2))"
    ),
    given=_GIVEN,
    assuming=(_NONZERO + " (if one vanishes, both sides are 0 under any convention)",),
    rests_on=[ROWS, "eoc.varrho.closed_form"],
    note="proofs_notes/eoc_mlp.md#dead-layers",
)


@PROP_11.proved(
    controls={
        "squared_norm": {"power": 2},
        "forgotten_sigma": {"sigma_power": 0},
        "true_for_positive_arguments_only": {"activation": lambda u: phi(abs(u))},
    }
)
def pull_out_the_norms(
    power: int = 1, sigma_power: int = 2, activation: Callable[[Any], Any] = phi
) -> Obligations:
    """Homogeneity takes στ out of each factor; the rows are equally distributed."""
    for signs in product((-1, 1), repeat=2):
        u1, u2 = (sign * u for sign, u in zip(signs, _U, strict=True))
        scaled = phi(_SIGMA * _TAU1 * u1) * phi(_SIGMA * _TAU2 * u2)
        claimed = _SIGMA**sigma_power * (_TAU1 * _TAU2) ** power * activation(u1) * activation(u2)
        yield f"signs {signs}", equal(scaled, claimed)
    yield from _mean_of_equal_terms()


def _mean_of_equal_terms() -> Obligations:
    m, term, j = sp.symbols("m E j", positive=True)
    yield "mean of equal terms", equal(sp.summation(term, (j, 1, m)) / m, term)


@PROP_11.estimated(draws=DRAWS, controls={"one_and_a_half": {"factor": 1.5}})
def inner_products(rng: np.random.Generator, draws: int, factor: float = 1.0) -> Iterator[MeanTest]:
    """Redraw one layer of six networks and compare the mean of X_k."""
    for one in redrawn(rng, draws):
        tau, rho = one.state.norms(one.layer), one.state.cosines(one.layer)[0, 1]
        expected = tau[0] * tau[1] * varrho(rho, one.delta) * factor
        yield mean_test(one.draws.inner_products[:, 0, 1], expected)


PROP_15 = claim(
    "eoc.prop15",
    at="Proposition 15",
    title="Expectation of the inner products of activation derivatives",
    states=r"\mathbb{E}_{A_{k-1}} X'_{k,k}(x_1, x_2) = \varrho'(\rho_{k-1}(x_1, x_2))",
    given=_GIVEN,
    assuming=(_NONZERO + " (missing in the paper)",),
    rests_on=[ROWS, "eoc.quoted.p9"],
    note="proofs_notes/eoc_mlp.md#dead-layers",
)


@PROP_15.proved(
    controls={
        "homogeneous": {"power": 1},
        "forgotten_sigma": {"sigma_power": 1},
        "true_for_positive_arguments_only": {"slope": lambda u: phi_prime(abs(u))},
    }
)
def norms_do_not_matter(
    power: int = 0, sigma_power: int = 2, slope: Callable[[Any], Any] = phi_prime
) -> Obligations:
    """φ'(τs) = φ'(s), so σ² E φ'(τ₁u₁)φ'(τ₂u₂) is the integral that equals ϱ'."""
    for signs in product((-1, 1), repeat=2):
        u1, u2 = (sign * u for sign, u in zip(signs, _U, strict=True))
        scaled = _SIGMA**2 * phi_prime(_TAU1 * u1) * phi_prime(_TAU2 * u2)
        weight = _SIGMA**sigma_power * (_TAU1 * _TAU2) ** power
        yield f"signs {signs}", equal(scaled, weight * slope(u1) * slope(u2))
    yield from _mean_of_equal_terms()


@PROP_15.estimated(draws=DRAWS, controls={"shifted": {"shift": 0.2}, "unprimed": {"primed": False}})
def derivative_products(
    rng: np.random.Generator, draws: int, shift: float = 0.0, primed: bool = True
) -> Iterator[MeanTest]:
    """Redraw one layer of six networks and compare the mean of X'_{k,k}."""
    for one in redrawn(rng, draws):
        rho = one.state.cosines(one.layer)[0, 1]
        expected = (varrho_prime if primed else varrho)(rho, one.delta) + shift
        yield mean_test(one.draws.derivative_products[:, 0, 1], expected)


DEAD = claim(
    "eoc.prop15.dead",
    at="Proposition 15",
    title="Dead activations count as orthogonal ones",
    states=(
        r"x_{k-1}(x_1) = 0 \implies \mathbb{E}_{A_{k-1}} X'_{k,k}(x_1, x_2)"
        r" = 1 - \Delta_\phi = \varrho'(0)"
    ),
    given={"k": integers(2), "a": reals(), "b": reals()},
    rests_on=["eoc.varrho.values"],
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#dead-layers",
)


@DEAD.proved(controls={"parallel": {"value": lambda a, b: a**2 + b**2}})
def average_the_sign(value: Any = lambda a, _b: a**2) -> Obligations:
    """φ'(0) = a, and E φ'(u) = a because the sign of u averages to zero."""
    mean = _mean(lambda u: a + b * sp.sign(u))
    yield "one dead", equal(a * mean, value(a, b))
    yield "both dead", equal(a * a, value(a, b))
    squares = a**2 + b**2
    yield "σ²a² = 1 - Δ", equal(a**2 / squares, 1 - b**2 / squares, under=[squares > 0])


PROP_16 = claim(
    "eoc.prop16",
    at="Proposition 16",
    title="Expectation of the squared norms of backpropagation matrices",
    states=r"\mathbb{E}_{A_{k_2-1}} X'_{k_1,k_2}(x, x) = X'_{k_1,k_2-1}(x, x)",
    given={"k1": integers(2), "k2": integers(3)},
    assuming=("k1 < k2", "x_{k2-1}(x) does not vanish"),
    rests_on=["eoc.init", "eoc.prop16.moments", "eoc.prop16.conditional"],
    note="proofs_notes/eoc_mlp.md#dead-layers",
)

MOMENTS = claim(
    "eoc.prop16.moments",
    at="Proposition 16, proof",
    title="The derivative's moments with and without weight",
    states=(
        r"\sigma^2\,\mathbb{E}_{u\sim\mathcal{N}(0,1)}\phi'(u)^2"
        r" = \sigma^2\,\mathbb{E}_{u\sim\mathcal{N}(0,1)}(\phi'(u)u)^2 = 1"
    ),
)


@MOMENTS.proved(controls={"three": {"weighted": 3}})
def weight_by_u_squared(weighted: int = 1) -> Obligations:
    """φ'(u)² = a² + b² + 2ab sgn u, and the odd part integrates to zero."""
    plain = _mean(lambda u: phi_prime(u) ** 2)
    second = _mean(lambda u: (phi_prime(u) * u) ** 2)
    yield "without weight", equal(plain, a**2 + b**2)
    yield "with weight u²", equal(second, weighted * (a**2 + b**2))


CONDITIONAL = claim(
    "eoc.prop16.conditional",
    at="Proposition 16, proof",
    title="Second moment of v given u",
    states=(
        r"\mathbb{E}\bigl[\|v\|^2 \bigm| u\bigr] = \operatorname{tr}(\Sigma_v)"
        r" + (\Sigma_u^{-2}u^2 - \Sigma_u^{-1})\|\Sigma_{uv}\|^2"
    ),
)


@CONDITIONAL.proved(controls={"schur_sign": {"sign": -1}, "square": {"power": 1}})
def mean_and_schur_complement(sign: int = 1, power: int = 2) -> Obligations:
    """One coordinate of v suffices, for both sides are sums over coordinates."""
    u, variance, cross, own = sp.symbols("u Sigma_u Sigma_uv Sigma_v", positive=True)
    noise = sp.Symbol("noise")
    # v = (Σ_uv/Σ_u) u + remainder; the remainder is uncorrelated with u, hence independent.
    remainder = sp.expand(own - cross**2 / variance)
    yield "uncorrelated remainder", equal(cross - cross / variance * variance, sp.Integer(0))
    square = sp.expand((cross / variance * u + noise) ** 2)
    moment = square.coeff(noise, 0) + square.coeff(noise, 2) * remainder
    claimed = own + sign * (u**2 / variance**power - 1 / variance) * cross**2
    yield "E v² given u", equal(moment, claimed)


@PROP_16.proved(controls={"twice": {"factor": 2}})
def cross_terms_cancel(factor: int = 1) -> Obligations:
    """With u = στ g the bracket is tr(Σ_v) + σ²(g² - 1)‖B*x̂‖², and σ²E φ'²(g² - 1) = 0."""
    trace, cross = sp.symbols("T C", positive=True)

    def weighted(g: Any) -> Any:
        return phi_prime(g) ** 2 * (trace + (g**2 - 1) * cross)

    squares = a**2 + b**2
    total = _mean(weighted) / squares
    yield "E φ'(u)²‖v‖²", equal(total, factor * trace, under=[squares > 0])


@PROP_16.estimated(draws=DRAWS, controls={"one_and_a_half": {"factor": 1.5}})
def squared_norms(rng: np.random.Generator, draws: int, factor: float = 1.0) -> Iterator[MeanTest]:
    """Redraw one layer of the deeper networks and compare the mean of X'_{k1,k2}(x, x)."""
    for one in redrawn(rng, draws):
        for k1, values in one.draws.backpropagation_products.items():
            before = backpropagation_products(one.state, k1, one.layer)[1, 1]
            yield mean_test(values[:, 1, 1], factor * before)


PROP_16_EDGE = claim(
    "eoc.prop16.edge",
    at="Proposition 16",
    title="The hypothesis of Proposition 16 is necessary",
    states=(
        r"x_{k_2-1}(x) = 0 \implies \mathbb{E}_{A_{k_2-1}} X'_{k_1,k_2}(x, x)"
        r" = (1 - \Delta_\phi) X'_{k_1,k_2-1}(x, x)"
    ),
    given={"k1": integers(2), "k2": integers(3)},
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_mlp.md#dead-layers",
)


@PROP_16_EDGE.proved(controls={"as_if_alive": {"factor": lambda a, b: a**2 + b**2}})
def constant_derivative(factor: Any = lambda a, _b: a**2) -> Obligations:
    """φ'(0)² = a² is constant, and E‖B*v‖² = σ²‖B‖²."""
    squared_norm = sp.Symbol("N", positive=True)
    squares = a**2 + b**2
    active, constant = [squares > 0], phi_prime(0) ** 2 * squared_norm / squares
    claimed = factor(a, b) / squares * squared_norm
    yield "constant factor", equal(constant, claimed, under=active)
    yield "σ²a² = 1 - Δ", equal(a**2 / squares, 1 - b**2 / squares, under=active)


@PROP_16_EDGE.estimated(draws=DRAWS, controls={"as_if_alive": {"factor": 1.0}})
def zero_input(rng: np.random.Generator, draws: int, factor: float = 0.5) -> MeanTest:
    """The input 0 of a ReLU network: 1 - Δ = 1/2."""
    mlp = MLP((2, 3, 4, 5, 1), a=0.5, b=0.5)
    state = forward_pass(mlp, mlp.sample(rng), [[0.0, 0.0]])
    sample = resample_layer(state, 3, rng, draws).backpropagation_products[2][:, 0, 0]
    return mean_test(sample, factor * backpropagation_products(state, 2, 3)[0, 0])
