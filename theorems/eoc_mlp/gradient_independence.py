"""Proposition 17 itself: the exact error, the printed bound, the best bound and who attains it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import sympy as sp

from numeric.cosine_maps import delta_phi, varrho_prime
from numeric.gradient_dependence import bound_printed, bound_sharp, error
from numeric.networks.backpropagation import backpropagation_matrix, backpropagation_products
from numeric.networks.conditional import resample_layer
from numeric.networks.forward_pass import ForwardPass
from numeric.statistics import MeanTest, mean_test
from symbolic.derivation import Derivation
from symbolic.equality import equal
from symbolic.extremal_network import check_extremal_network
from symbolic.gradient_dependence import (
    derive_attainment,
    derive_error,
    derive_nuclear_norm,
    derive_printed_bound,
    derive_q_matrix,
    derive_ratio,
    derive_sharp_bound,
    derive_sharp_form,
)
from symbolic.notation import DELTA, a, b, phi_prime, rho
from theorems.engine import (
    Measured,
    Obligations,
    Provenance,
    claim,
    integers,
    interval,
    open_interval,
)
from theorems.engine.domain import Domain
from theorems.eoc_mlp.gradient_pairs import COORDINATES, GradientPair, gradient_pairs, network_pairs
from theorems.eoc_mlp.samples import Scene

_GIVEN: dict[str, Domain] = {
    "rho": open_interval(-1, 1),
    "delta": interval(0, 1),
    "k1": integers(2),
    "k2": integers(3),
}
_ALIVE = "k1 < k2 and neither activation x_{k2-1}(x_i) vanishes"
_NOTE = "proofs_notes/eoc_mlp.md#gradient-dependence"


def _of(derivation: Any, factor: Any) -> Any:
    return derivation().conclusion * factor


ERROR = claim(
    "eoc.prop17.error",
    at="Proposition 17, proof",
    title="The gradient-dependence error, exactly",
    states=(
        r"\mathbb{E}X'_{k_1,k_2} - \varrho'(\rho)X'_{k_1,k_2-1} = \Delta_\phi\tfrac{2}{\pi}"
        r"(1-\rho^2)^{-1/2}\bigl(\langle B_1^*\hat x_1, B_2^*(\hat x_2-\rho\hat x_1)\rangle"
        r" + \langle B_1^*\hat x_2, B_2^*(\hat x_1-\rho\hat x_2)\rangle\bigr)"
    ),
    given=_GIVEN,
    assuming=(_ALIVE, "the constant c_b of the paper, nowhere defined, is Δ"),
    rests_on=[
        "eoc.prop17.w_form",
        "eoc.prop17.integral_w1",
        "eoc.prop17.integral_w1w2",
        "eoc.prop17.eq6.corrected",
        "eoc.quoted.p9",
        "eoc.prop11.rows",
    ],
    note=_NOTE,
)


@ERROR.proved(
    controls={
        "one_per_cent": {"claimed": _of(derive_error, sp.Rational(101, 100))},
        "sign": {"claimed": _of(derive_error, -1)},
        "root": {"claimed": _of(derive_error, sp.sqrt(1 - rho**2))},
    }
)
def insert_the_integrals(claimed: Any = None) -> Derivation:
    """Insert both integrals into the w-form of the error."""
    return derive_error(claimed=claimed)


@ERROR.estimated(draws=20_000, controls={"twice": {"factor": 2.0}, "sign": {"factor": -1.0}})
def error_of_networks(
    rng: np.random.Generator, draws: int, factor: float = 1.0
) -> Iterator[MeanTest]:
    """Redraw one layer; the mean of X' against ϱ'X' plus the error, where the error is large."""
    for widths, a_, b_ in (((3, 4, 3, 2, 1), 0.0, 1.0), ((4, 5, 3, 3, 1), 0.2, -1.0)):
        state = max((_sample(widths, a_, b_, rng) for _ in range(200)), key=_relative_error)
        sample = resample_layer(state, _LAYER, rng, draws).backpropagation_products[2]
        slope = varrho_prime(state.cosines(_LAYER)[0, 1], delta_phi(a_, b_))
        before = backpropagation_products(state, 2, _LAYER)[0, 1]
        yield mean_test(sample[:, 0, 1], slope * before + factor * _exact_error(state))


_LAYER = 3


def _sample(widths: tuple[int, ...], a_: float, b_: float, rng: np.random.Generator) -> ForwardPass:
    return Scene(widths, a_, b_, angle=1.5, layer=_LAYER).build(rng)


def _exact_error(state: ForwardPass) -> float:
    B, directions = backpropagation_matrix(state, 2, _LAYER), state.unit_activations(_LAYER)
    delta = delta_phi(state.mlp.a, state.mlp.b)
    return float(error(B[0] @ B[1].T, directions[0], directions[1], delta))


def _relative_error(state: ForwardPass) -> float:
    norms = np.diagonal(backpropagation_products(state, 2, _LAYER))
    return abs(_exact_error(state)) / float(np.sqrt(norms[0] * norms[1]))


PROP_17 = claim(
    "eoc.prop17",
    at="Proposition 17",
    title="Approximate gradient independence at finite width",
    states=(
        r"\bigl|\mathbb{E}_{A_{k_2-1}}X'_{k_1,k_2}(x_1,x_2) - \varrho'(\rho)X'_{k_1,k_2-1}"
        r"(x_1,x_2)\bigr| \le \Delta_\phi\frac{8}{\pi}\sqrt{\frac{1-\rho}{1+\rho}}\,"
        r"\|B_{k_1,k_2-1}(x_1)\|\,\|B_{k_1,k_2-1}(x_2)\|"
    ),
    given=_GIVEN,
    assuming=(_ALIVE,),
    rests_on=[ERROR, "eoc.prop17.norm"],
    note=_NOTE,
)

NORM = claim(
    "eoc.prop17.norm",
    at="Proposition 17, proof",
    title="Norm bound of the error",
    states=(
        r"|\epsilon| \le \Delta_\phi\tfrac{2}{\pi}(1-\rho^2)^{-1/2}\|B_1B_2^*\|"
        r"\bigl(\|\hat x_1-\hat x_2\|^2 + 2(1-\rho)\bigr)"
        r" = \Delta_\phi\tfrac{8}{\pi}\sqrt{\tfrac{1-\rho}{1+\rho}}\,\|B_1B_2^*\|"
    ),
    given=_GIVEN,
    rests_on=["eoc.prop17.regroup", "eoc.prop17.distance"],
)


@NORM.proved(controls={"half": {"claimed": _of(derive_printed_bound, sp.Rational(1, 2))}})
def bound_each_term(claimed: Any = None) -> Derivation:
    """Bound the regrouped terms by ‖B₁B₂*‖ times lengths, and simplify."""
    return derive_printed_bound(claimed=claimed)


@PROP_17.proved(controls={"other_side": {"adjoint_first": False}})
def norm_of_the_product(adjoint_first: bool = True) -> Obligations:
    """‖B₁B₂*‖ ≤ ‖B₁‖‖B₂‖: n²𝓘 - A*A ⪰ 0 for n = ‖A‖, and congruence by B keeps this."""
    norm = sp.Symbol("n", positive=True)
    A, A_, B, B_ = sp.symbols("A A_adjoint B B_adjoint", commutative=False)
    square = A_ * A if adjoint_first else A * A_
    congruent = sp.expand(B_ * (norm**2 - square) * B)
    wanted = sp.expand(norm**2 * B_ * B - B_ * A_ * A * B)
    yield "n²‖By‖² - ‖ABy‖² is a congruence of n²𝓘 - A*A", bool(congruent == wanted)


@PROP_17.tested(over=gradient_pairs, controls={"one_per_cent_less": {"factor": 0.99}}, cases=400)
def error_over_printed_bound(pair: GradientPair, factor: float = 1.0) -> Measured:
    """|ε| over the printed bound, for networks and for extremal pairs."""
    bound = factor * float(bound_printed(pair.rho, pair.delta))
    return _ratio(pair, bound * pair.first_norm * pair.second_norm)


def _ratio(pair: GradientPair, bound: float) -> Measured:
    epsilon = abs(float(error(pair.gram, pair.x1, pair.x2, pair.delta)))
    if bound < 1e-12:
        return Measured(0.0) if epsilon < 1e-12 else Measured(np.inf)
    # ε is a sum of d² products; the angle of x₁ and x₂ is known to a few epsilons of 1, which
    # moves √(1 - ρ²) by that amount over √(1 - ρ²).
    d, sine = len(pair.x1), np.sqrt((1 - pair.rho) * (1 + pair.rho))
    return Measured(epsilon / bound, 16 * 2.0**-53 * (d * d + 1 / sine**2))


SHARP = PROP_17.sharpened(
    "eoc.prop17.sharp",
    title="Best bound of the gradient-dependence error",
    states=(
        r"\epsilon = \Delta_\phi\tfrac{2}{\pi}\sqrt{1-\rho^2}\,\bigl(\langle e_+, Me_+\rangle"
        r" - \langle e_-, Me_-\rangle\bigr), \quad"
        r" |\epsilon| \le \Delta_\phi\tfrac{4}{\pi}\sqrt{1-\rho^2}\,\|M\|, \quad M = B_1B_2^*"
    ),
    given=_GIVEN,
    assuming=(
        _ALIVE,
        "e_+ and e_- are the unit vectors along the sum and the difference of the directions",
    ),
    rests_on=[ERROR],
    note=_NOTE,
)


@SHARP.proved(controls={"plus": {"claimed": _of(derive_sharp_form, -1)}}, part="quadratic form")
def in_sum_and_difference(claimed: Any = None) -> Derivation:
    """Write the error in the orthonormal basis e₊, e₋."""
    return derive_sharp_form(claimed=claimed)


@SHARP.proved(
    controls={"one_per_cent": {"claimed": _of(derive_q_matrix, sp.Rational(99, 100))}},
    part="matrix of the form",
)
def matrix_of_the_form(claimed: Any = None) -> Derivation:
    """Q = x̂₁x̂₂* + x̂₂x̂₁* - ρ(x̂₁x̂₁* + x̂₂x̂₂*) = (1 - ρ²)(e₊e₊* - e₋e₋*)."""
    return derive_q_matrix(claimed=claimed)


@SHARP.proved(
    controls={"one_per_cent": {"claimed": _of(derive_nuclear_norm, sp.Rational(99, 100))}},
    part="nuclear norm",
)
def nuclear_norm(claimed: Any = None) -> Derivation:
    """The eigenvalues of Q are ±(1 - ρ²)."""
    return derive_nuclear_norm(claimed=claimed)


@SHARP.proved(
    controls={"one_per_cent": {"claimed": _of(derive_sharp_bound, sp.Rational(99, 100))}},
    part="bound",
)
def duality(claimed: Any = None) -> Derivation:
    """|⟨e±, Me±⟩| ≤ ‖M‖."""
    return derive_sharp_bound(claimed=claimed)


@SHARP.tested(
    over=gradient_pairs,
    controls={"one_per_cent_less": {"factor": 0.99}, "printed_root": {"printed_root": True}},
    cases=400,
    coordinates=COORDINATES,
    part="bound",
)
def error_over_sharp_bound(
    pair: GradientPair, factor: float = 1.0, printed_root: bool = False
) -> Measured:
    """|ε| over the sharp bound, for networks and for extremal pairs."""
    bound = factor * float(bound_sharp(pair.rho, pair.delta))
    if printed_root:
        bound *= float(np.sqrt((1 - pair.rho) / (1 + pair.rho)))
    return _ratio(pair, bound * pair.gram_norm)


@SHARP.tested(over=network_pairs, controls={"half": {"factor": 0.5}}, cases=200, part="bound")
def networks_over_sharp_bound(pair: GradientPair, factor: float = 1.0) -> Measured:
    """|ε| over the sharp bound, for small sampled networks only."""
    return _ratio(pair, factor * float(bound_sharp(pair.rho, pair.delta)) * pair.gram_norm)


ATTAINED = claim(
    "eoc.prop17.sharp.attained",
    at="Proposition 17",
    title="The best bound is attained, by matrices for every Δ and by a network with |·|",
    states=(
        r"M = e_+e_+^* - e_-e_-^* \implies"
        r" \epsilon = \Delta_\phi\tfrac{4}{\pi}\sqrt{1-\rho^2}\,\|B_1\|\,\|B_2\|"
    ),
    given=_GIVEN,
    rests_on=[SHARP],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@ATTAINED.proved(
    controls={"one_per_cent": {"claimed": _of(derive_attainment, sp.Rational(101, 100))}},
    part="matrices",
)
def extremal_matrix(claimed: Any = None) -> Derivation:
    """Insert the extremal matrix into the quadratic form."""
    return derive_attainment(claimed=claimed)


@ATTAINED.proved(
    controls={"one_per_cent": {"constant": sp.Rational(404, 100) / sp.pi}}, part="a network"
)
def extremal_network(constant: Any = 4 / sp.pi) -> Obligations:
    """Exact networks of widths 3 and 2 with the absolute value, for every cosine in (0, 1)."""
    yield from check_extremal_network(constant=constant)


RATIO = claim(
    "eoc.prop17.sharp.ratio",
    at="Proposition 17",
    title="How much the printed bound gives away",
    states=r"\frac{\text{sharp}}{\text{printed}} = \frac{1+\rho}{2}",
    given=_GIVEN,
    rests_on=[SHARP],
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@RATIO.proved(
    controls={"root": {"claimed": sp.sqrt((1 + rho) / 2)}, "minus": {"claimed": (1 - rho) / 2}}
)
def divide(claimed: Any = None) -> Derivation:
    """Divide the two bounds, norms aside."""
    return derive_ratio(claimed=claimed)


CLOSED = SHARP.sharpened(
    "eoc.prop17.closed",
    title="At equal and opposite directions there is no gradient dependence",
    states=r"\rho = \pm1 \implies \mathbb{E}X'_{k_1,k_2} = \varrho'(\rho)X'_{k_1,k_2-1}",
    assuming=(_ALIVE,),
    rests_on=["eoc.varrho.values"],
    note=_NOTE,
)


@CLOSED.proved(controls={"odd": {"parity": -1}})
def even_and_odd_parts(parity: int = 1) -> Obligations:
    """⟨v₁, v₂⟩ is even in g, and the even part of φ'(u)φ'(±u) is the constant ϱ'(±1)/σ²."""
    u = sp.Symbol("u", positive=True)
    for sign, slope in ((1, sp.Integer(1)), (-1, 1 - 2 * DELTA)):
        here = phi_prime(u) * phi_prime(sign * u)
        there = phi_prime(-u) * phi_prime(-sign * u)
        constant = slope.subs(DELTA, b**2 / (a**2 + b**2)) * (a**2 + b**2)
        yield f"ρ = {sign}", equal((here + parity * there) / 2, constant)
