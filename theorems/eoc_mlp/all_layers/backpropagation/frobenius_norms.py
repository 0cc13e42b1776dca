"""Proposition 26, proof: Frobenius norms, and the matrix of one layer."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from sympy import Abs, Function, Integer, Symbol, exp, limit, log, oo, sqrt, sympify

from numeric.networks.backpropagation import backpropagation_matrix
from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP, Parameters
from symbolic.equality import equal
from theorems.engine import (
    Given,
    Obligations,
    Rounded,
    Severity,
    eq,
    half_line,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, Vector, act, facts
from theorems.eoc_mlp.hypotheses import EVENT_11_12, NOT_ABOVE, SQUARE_WIDTHS
from theorems.eoc_mlp.letters import (
    SIGMA,
    S,
    claim,
    epsilon,
    k,
    k1,
    k2,
    kappa,
    lipschitz,
    m,
    norm_kk,
    squared_frobenius,
)
from theorems.eoc_mlp.premises.matrix_products import BLOCK, ONE_LAYER, norm_of_one_layer, scaled_length
from theorems.eoc_mlp.premises.recursions import (
    frobenius,
    layers,
    layers_up_to,
    of_layers,
    squared_frobenius_norms,
)

_PROOF = "Proposition 26, proof"
_NOTE = "proofs_notes/eoc_limits.md#backpropagation-matrices"
_FROM_TWO = {k1: integers(2), k2: integers(2)}

FROBENIUS = claim(
    "eoc.prop26.frobenius",
    at=_PROOF,
    title="Frobenius norms of all backpropagation matrices, with one constant for all depths",
    states=sentence(
        r"\exists C\ \forall k_1 < k_2, $epsilon \le $largest:\quad \text{(11), (12)} \implies"
        r" \bigl|\|B_{k_1,k_2}\|_F^{$square} - $one\bigr| \le C\,$epsilon^{$power}"
        r"\log\bigl($quotient\bigr)".replace("(11), (12)", "the events of the layers"),
        largest=1,
        square=2,
        one=1,
        power=1,
        quotient=k2 / (k1 - 1),
    ),
    given=_FROM_TWO,
    assuming=[EVENT_11_12],
    note=_NOTE,
)


@FROBENIUS.refuted(severity=Severity.DEPENDENCE, controls={"a power": {"quotient": exp(k2 / (k1 - 1))}})
def product_of_the_largest_steps(largest: int, power: int, quotient: Any) -> Obligations:
    """All steps at their upper end, k₁ = 2 and ε = 1: Π(1 + 1/j) = k₂ is no multiple of log k₂.

    The letter of the paper's O fixes the depth, and lets the constant depend on it.
    """
    depth = Symbol("x", positive=True)
    step = (depth + 1) / depth
    yield "one step", equal(step, 1 + sympify(largest) / depth)
    claimed = sympify(largest) ** power * log(quotient.subs({k1: 2, k2: depth}))
    yield "exceeds every multiple", bool(limit((depth - 1) / claimed, depth, oo) == oo)


FROBENIUS_CORRECTED = FROBENIUS.corrected(
    "eoc.prop26.frobenius.corrected",
    title="Frobenius norms of all backpropagation matrices",
    states=le(Abs(squared_frobenius - 1), exp(epsilon * S) - 1),
    given=_FROM_TWO,
    assuming=[EVENT_11_12, NOT_ABOVE],
    note=_NOTE,
)


@FROBENIUS_CORRECTED.proved()
def multiply_the_steps(given: Given) -> Theorem:
    """(11) starts with 1 ± ε/(k₁ - 1), each layer adds the factor 1 ± ε/(k₂ - 1); 1 + u ≤ eᵘ."""
    given.require(NOT_ABOVE)
    return given.follows(
        squared_frobenius_norms(given),
        of_layers(given, squared_frobenius, frobenius(layers) ** 2),
        of_layers(given, S, layers_up_to(layers)),
    )


DIAGONAL = claim(
    "eoc.prop26.diagonal",
    at=_PROOF,
    title="Operator norm of the matrix of one layer",
    states=[
        le(norm_kk, SIGMA * lipschitz / sqrt((k - 1) ** 2 * m)),
        eq(SIGMA * lipschitz / sqrt((k - 1) ** 2 * m), kappa / ((k - 1) * sqrt(m))),
    ],
    given={lipschitz: half_line(0, closed=False), k: integers(2)},
    assuming=[SQUARE_WIDTHS],
    rests_on=["eoc.def2"],
)


@DIAGONAL.proved()
def diagonal_matrix(given: Given) -> Theorem:
    """It is diagonal with entries σ m_{k-1}^(-1/2) φ'(N), and |φ'| is at most ‖φ‖_L."""
    given.require(SQUARE_WIDTHS)
    u, v, scale = Vector("u"), Vector("v"), sqrt((k - 1) ** 2 * m)
    entry = Function("entry", real=True)(BLOCK)
    most = given.largest(
        "the Lipschitz norm, the largest modulus of a slope, an entry without its factor",
        le(Abs(entry) * scale / SIGMA, lipschitz),
    )
    each = rules.follows(le(Abs(entry), SIGMA * lipschitz / scale), [most])
    return given.follows(
        norm_of_one_layer(given),
        facts.norm_attained(ONE_LAYER, v, u),
        scaled_length(given, act(ONE_LAYER, u), u, entry, each),
        given.meaning("kappa", eq(SIGMA, kappa / lipschitz)),
    )


@DIAGONAL.tested(over=st.tuples(st.integers(1, 50), st.sampled_from([(0, 1), (1, 0), (1, 1), (0, 100)])))
def one_layer_for_absolute_values(case: tuple[int, tuple[int, int]]) -> dict[Symbol, Any]:
    """The matrix of layer 2 of a network with one input: for |·| every entry is ± m^(-1/2)."""
    width, (a, b) = case
    theta = Parameters([np.arange(1.0, width + 1)[:, None], np.ones((1, width))])
    state = forward_pass(MLP((1, width, 1), float(a), float(b)), theta, [[2.0]])
    norm = float(np.linalg.norm(backpropagation_matrix(state, 2, 2)[0], 2))
    scale = 1 / sqrt(Integer(a * a + b * b))
    return {
        norm_kk: Rounded(norm, 1e-14),
        SIGMA: scale,
        lipschitz: Integer(a + b),
        kappa: scale * (a + b),
        k: 2,
        m: width,
    }
