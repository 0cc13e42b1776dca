"""Section 3.2: the mean of the NTK over the last layer (Proposition 7), scalings (Remark 8)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP, Parameters
from numeric.networks.ntk import expected_ntk
from numeric.networks.ntk import ntk as float_ntk
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import backpropagation_matrix, inner_product, last_layer_form, ntk
from theorems.engine import Obligations, Provenance, claim, integers, reals
from theorems.engine.domain import Domain
from theorems.eoc_mlp.exact_networks import EXAMPLES

_GIVEN: dict[str, Domain] = {"l": integers(2), "m": integers(1), "a": reals(), "b": reals()}
_KERNEL = "proofs_notes/eoc_networks.md#kernel-by-recursion"
_SCALINGS = "proofs_notes/eoc_networks.md#scalings"

PROP_7 = claim(
    "eoc.prop7",
    at="Proposition 7",
    title="Expectation of the NTK over the last layer",
    states=(
        r"\mathbb{E}_{A_l} K_\theta(x_1, x_2) = \Bigl(\sum_{k=1}^{l-1} m^{q_k-q_l}"
        r" X_k(x_1, x_2)\,X'_{k+1,l}(x_1, x_2) + X_l(x_1, x_2)\Bigr)\mathcal{I}_{m_l}"
    ),
    given=_GIVEN,
    rests_on=["eoc.prop6"],
    note=_KERNEL,
)


@PROP_7.proved(controls={"sigma": {"power": 1}, "equal_rows": {"independent": False}})
def rows_of_the_last_layer(power: int = 2, independent: bool = True) -> Obligations:
    """E⟨A_i, C A_j⟩ = σ² m^(-q_l) δ_ij tr C, in letters; each entry of C adds a term of its own."""
    deviation = sp.Symbol("sigma", positive=True) * sp.Symbol("m_power", positive=True)
    for width in (1, 2, 3):
        rows = [[sp.Symbol(f"A{i}{k}", real=True) for k in range(width)] for i in range(2)]
        C = sp.Matrix(width, width, lambda i, j: sp.Symbol(f"C{i}{j}", real=True))
        for i, j in product(range(2), repeat=2):
            form = sp.expand((sp.Matrix([rows[i]]) * C * sp.Matrix(rows[j]))[0])
            same = i == j or not independent
            claimed = int(same) * deviation**power * C.trace()
            yield f"width {width}, rows {i}, {j}", equal(_mean(form, rows, deviation), claimed)


def _mean(form: Any, rows: list[list[Any]], deviation: Any) -> Any:
    """The mean of a quadratic polynomial in independent centred entries: squares survive."""
    entries = [entry for row in rows for entry in row]
    polynomial = sp.Poly(form, *entries)
    squares = (polynomial.coeff_monomial(entry**2) for entry in entries)
    return deviation**2 * sum(squares)


@PROP_7.proved(controls={"exponent": {"sign": 1}, "shifted": {"shift": 1}})
def trace_of_the_form(sign: int = -1, shift: int = 0) -> Obligations:
    """In K = G J G^* + X_l, with G = σ^(-1) m^(q_l/2) A_l standard normal, tr J is the sum."""
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        depth, total = mlp.depth, sp.Integer(0)
        for k in range(1, depth):
            first, second = (
                backpropagation_matrix(mlp, x, min(k + 1 + shift, depth), depth) for x in (x1, x2)
            )
            weight = mlp.scale(k) ** 2 * mlp.scale(depth) ** (2 * sign)
            total += weight * inner_product(mlp, x1, x2, k) * (first * second.T).trace()
        yield f"network {number}", equal(last_layer_form(mlp, x1, x2).trace(), sp.expand(total))


# One to three outputs, different scalings, a width of 1, a pair of inputs with obtuse angle.
_SHAPES = (
    (MLP((2, 3, 4, 2), 0.0, 1.0, q=(0.0, 1.0, 2.0), m=1), [[1.0, 0.5], [-1.0, 0.2]]),
    (MLP((2, 4, 2, 3), 0.5, 0.5, q=(1.0, 0.0, 0.5), m=2), [[1.0, 0.5], [2.0, 0.1]]),
    (MLP((1, 1, 3, 1), 1.0, -0.5, q=1.0, m=1), [[1.0], [-2.0]]),
)


@PROP_7.estimated(
    draws=4000, controls={"one_and_a_half": {"factor": 1.5}, "off_the_diagonal": {"off": 1.0}}
)
def redrawn_last_layers(
    rng: np.random.Generator, draws: int, factor: float = 1.0, off: float = 0.0
) -> Iterator[MeanTest]:
    """Redraw A_l of three networks; all entries of the mean, those off the diagonal included."""
    for mlp, x in _SHAPES:
        theta = mlp.sample(rng)
        below = [np.broadcast_to(A, (draws, *A.shape)) for A in theta.matrices[:-1]]
        last = mlp.sample_layer(mlp.depth, rng, draws)
        kernel = float_ntk(forward_pass(mlp, Parameters([*below, last]), x))[:, 0, 1]
        mean = expected_ntk(forward_pass(mlp, theta, x))[0, 1]
        wrong = off * mean[0, 0] * (1 - np.eye(len(mean)))
        for i, j in product(range(len(mean)), repeat=2):
            yield mean_test(kernel[:, i, j], factor * mean[i, j] + wrong[i, j])


REMARK_8 = claim(
    "eoc.rem8",
    at="Remark 8, (3)",
    title="Equal scalings are the only ones without vanishing or exploding terms",
    states=(
        r"m^{q_k - q_l} = 1 \ \text{for all } k \in [1:l-1]"
        r" \iff q_k = q \ \text{for all } k \in [1:l]"
    ),
    given={"m": integers(1), "l": integers(2)},
    note=_SCALINGS,
)


@REMARK_8.refuted(controls={"two": {"m": 2}, "equal": {"q": 0}})
def width_unit_one(m: int = 1, q: int = 1) -> Obligations:
    """At m = 1 the scalings 1 and 0 of two layers give 1^(1 - 0) = 1 as well."""
    yield "m^(q_1 - q_2) = 1", bool(sp.Integer(m) ** q == 1)
    yield "the scalings differ", bool(q != 0)


ONLY_EQUAL = REMARK_8.corrected(
    "eoc.rem8.corrected",
    title="Equal scalings are the only ones, if m is at least 2",
    states=(
        r"m \ge 2: \quad m^{q_k - q_l} = 1 \ \text{for all } k \in [1:l-1]"
        r" \iff q_k = q \ \text{for all } k \in [1:l]"
    ),
    given={"m": integers(2), "l": integers(2)},
    note=_SCALINGS,
)


@ONLY_EQUAL.proved(controls={"from_one_on": {"least": 1}})
def logarithm(least: int = 2) -> Obligations:
    """log m^d = d log m vanishes only at d = 0, for log m ≥ log 2 > 0."""
    m, d = sp.Symbol("m", positive=True), sp.Symbol("d", real=True)
    yield "log m^d = d log m", bool(sp.expand_log(sp.log(m**d)) == d * sp.log(m))
    yield "log m increases", bool(sp.diff(sp.log(m), m).is_positive)
    yield "and is positive at the start", bool(sp.log(least).is_positive)
    yield "m^0 = 1", bool(m**0 == 1)


SAME = claim(
    "eoc.rem8.same",
    at="Section 1 and Remark 8",
    title="Kernel and rich regime have the same NTK at initialisation",
    states=(
        r"A_k = m^{-q/2}G_k \implies K_\theta(x_1, x_2) \text{ is a function of } G_1, \dots, G_l"
        r" \text{ that does not depend on } q"
    ),
    given=_GIVEN,
    assuming=("the scalings are equal, (3)",),
    rests_on=["eoc.prop6"],
    note=_SCALINGS,
)


@SAME.proved(controls={"unequal": {"last": sp.Rational(1, 2)}})
def powers_cancel(last: Any = 0) -> Obligations:
    """m^(q_k/2) A_k = G_k in all activations and B, and m^q_k A_l ⊗ A_l = G_l ⊗ G_l."""
    m, q = sp.Symbol("m", positive=True), sp.Symbol("q", real=True)
    G = sp.Symbol("G", real=True)
    yield "layers below the last", equal(m ** (q / 2) * m ** (-q / 2) * G, G)
    yield "last layer", equal(m**q * (m ** (-(q + last) / 2) * G) ** 2, G**2)


@SAME.proved(controls={"unequal": {"last": 1}})
def exact_networks(last: int = 0) -> Obligations:
    """The exact networks with all their matrices scaled, at q = 1 and 1/2 against q = 0."""
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        plain = ntk(_scaled(mlp, sp.Integer(0), 0), x1, x2)
        for q in (sp.Integer(1), sp.Rational(1, 2)):
            yield f"network {number}, q = {q}", equal(ntk(_scaled(mlp, q, last), x1, x2), plain)


def _scaled(mlp: ExactMLP, q: Any, last: int) -> ExactMLP:
    """The network with A_k = 4^(-q_k/2) G_k and m = 4; q_l is larger by ``last``."""
    exponents = [q] * (mlp.depth - 1) + [q + last]
    layers = [A * sp.Integer(4) ** (-p / 2) for A, p in zip(mlp.layers, exponents, strict=True)]
    return ExactMLP(layers, mlp.a, mlp.b, [q] * mlp.depth, m=4)


OUTPUT = claim(
    "eoc.rem8.output",
    at="Remark 8",
    title="The network itself does depend on the regime: its output has the factor m^(-q/2)",
    states=r"A_k = m^{-q/2}G_k \implies N(x, \theta) = m^{-q/2}\,G_l\,x_l(x)",
    given=_GIVEN,
    assuming=("the scalings are equal, (3)",),
    provenance=Provenance.DERIVED,
    note=_SCALINGS,
)


@OUTPUT.proved(controls={"same_output": {"power": 0}, "full_power": {"power": 2}})
def outputs_of_exact_networks(power: int = 1) -> Obligations:
    """Outputs of the exact networks at q = 1, 1/2 against q = 0; one layer carries the factor."""
    for number, (mlp, x1, _) in enumerate(EXAMPLES, start=1):
        plain = _scaled(mlp, sp.Integer(0), 0).output(x1)
        for q in (sp.Integer(1), sp.Rational(1, 2)):
            factor = sp.Integer(4) ** (-power * q / 2)
            yield f"network {number}, q = {q}", equal(_scaled(mlp, q, 0).output(x1), factor * plain)
