"""Proposition 7: the mean of the tangent kernel over the matrix of the last layer."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from sympy import Integer, Matrix, Poly, Symbol, expand

from numeric.networks.forward_pass import forward_pass
from numeric.networks.mlp import MLP, Parameters
from numeric.networks.ntk import expected_ntk
from numeric.networks.ntk import ntk as float_ntk
from numeric.statistics import MeanTest, mean_test
from symbolic.equality import equal
from symbolic.networks.ntk import backpropagation_matrix, inner_product, last_layer_form
from theorems.engine import Choice, Obligations, integers, sentence
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import claim, l, m
from theorems.eoc_mlp.sampling.exact_networks import EXAMPLES

_SIZES = {l: integers(2), m: integers(1)}

_IDENTITY = Choice(r"\mathcal{I}_{m_l}", 0)  # the value is the share of the entries elsewhere

PROP_7 = claim(
    "eoc.prop7",
    at="Proposition 7",
    title="Expectation of the NTK over the last layer",
    states=sentence(
        r"\mathbb{E}_{A_l} K_\theta(x_1, x_2) = \Bigl(\sum_{k \in [1:$l-1]} $m^{$exponent}"
        r" X_k(x_1, x_2)\,X'_{k+$after,l}(x_1, x_2) + X_l(x_1, x_2)\Bigr)$identity",
        exponent=Choice("q_k - q_l", -1),
        after=1,
        identity=_IDENTITY,
    ),
    assuming=[DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    rests_on=["eoc.prop6"],
    note="proofs_notes/eoc_networks.md#kernel-by-recursion",
)
_OFF_THE_DIAGONAL = {"identity": Choice(r"\mathbb{1}\mathbb{1}^*", 1)}
_SUM = {"exponent": Choice("q_k + q_l", 1)}


@PROP_7.argued(
    bridge="Each further entry of C adds a term of its own, and C = J is the form of (2).",
    uses=[DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    over=_SIZES,
    controls={"equal_rows": _OFF_THE_DIAGONAL},
)
def rows_of_the_last_layer(identity: Any) -> Obligations:
    """E⟨A_i, C A_j⟩ = σ² m^(-q_l) δ_ij tr C, in letters; different rows are independent."""
    deviation = Symbol("sigma", positive=True) * Symbol("m_power", positive=True)
    for width in (1, 2, 3):
        rows = [[Symbol(f"A{i}{k}", real=True) for k in range(width)] for i in range(2)]
        C = Matrix(width, width, lambda i, j: Symbol(f"C{i}{j}", real=True))
        for i, j in product(range(2), repeat=2):
            form = expand((Matrix([rows[i]]) * C * Matrix(rows[j]))[0])
            claimed = (1 if i == j else identity) * deviation**2 * C.trace()
            yield f"width {width}, rows {i}, {j}", equal(_mean(form, rows, deviation), claimed)


def _mean(form: Any, rows: list[list[Any]], deviation: Any) -> Any:
    """The mean of a quadratic polynomial in independent centred entries: squares survive."""
    entries = [entry for row in rows for entry in row]
    polynomial = Poly(form, *entries)
    squares = (polynomial.coeff_monomial(entry**2) for entry in entries)
    return deviation**2 * sum(squares)


@PROP_7.argued(
    bridge="By (2) the kernel is G J G* + X_l, and the networks are examples of any size.",
    uses=[DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    over=_SIZES,
    controls={"sum": _SUM},
)
def trace_of_the_form(exponent: Any, after: Any) -> Obligations:
    """In K = G J G^* + X_l, with G = σ^(-1) m^(q_l/2) A_l standard normal, tr J is the sum."""
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        depth, total = mlp.depth, Integer(0)
        for k in range(1, depth):
            start = max(min(k + after, depth), 2)
            first, second = (backpropagation_matrix(mlp, x, start, depth) for x in (x1, x2))
            weight = mlp.scale(k) ** 2 * mlp.scale(depth) ** (2 * exponent)
            total += weight * inner_product(mlp, x1, x2, k) * (first * second.T).trace()
        yield f"network {number}", equal(last_layer_form(mlp, x1, x2).trace(), expand(total))


# One to three outputs, different scalings, a width of 1, a pair of inputs with obtuse angle.
_SHAPES = (
    (MLP((2, 3, 4, 2), 0.0, 1.0, q=(0.0, 1.0, 2.0), m=1), [[1.0, 0.5], [-1.0, 0.2]]),
    (MLP((2, 4, 2, 3), 0.5, 0.5, q=(1.0, 0.0, 0.5), m=2), [[1.0, 0.5], [2.0, 0.1]]),
    (MLP((1, 1, 3, 1), 1.0, -0.5, q=1.0, m=1), [[1.0], [-2.0]]),
)


@PROP_7.estimated(draws=4000, controls={"off_the_diagonal": _OFF_THE_DIAGONAL, "sum": _SUM})
def redrawn_last_layers(
    rng: np.random.Generator, draws: int, exponent: Any, identity: Any
) -> Iterator[MeanTest]:
    """Redraw A_l of three networks; all entries of the mean, those off the diagonal included."""
    for mlp, x in _SHAPES:
        theta = mlp.sample(rng)
        below = [np.broadcast_to(A, (draws, *A.shape)) for A in theta.matrices[:-1]]
        last = mlp.sample_layer(mlp.depth, rng, draws)
        kernel = float_ntk(forward_pass(mlp, Parameters([*below, last]), x))[:, 0, 1]
        state = forward_pass(mlp, theta, x)
        own = state.inner_products(mlp.depth)[0, 1]
        scale = float(mlp.m) ** (mlp.q[-1] * (exponent + 1))
        mean = scale * (expected_ntk(state)[0, 1, 0, 0] - own) + own
        for i, j in product(range(kernel.shape[-1]), repeat=2):
            yield mean_test(kernel[:, i, j], mean if i == j else identity * mean)
