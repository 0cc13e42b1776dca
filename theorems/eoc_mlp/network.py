"""Sections 3.1 and 3.2: parameterizations, the Jacobian recursion (1) and formula (2)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from numeric.networks.forward_pass import ForwardPass, forward_pass
from numeric.networks.jacobian import jacobian, ntk_from_jacobian
from numeric.networks.mlp import MLP, Parameters
from numeric.networks.ntk import ntk as float_ntk
from symbolic.equality import equal
from symbolic.networks.jacobian import differentiated_jacobian, recursive_jacobian
from symbolic.networks.mlp import ExactMLP, LinearPiece
from symbolic.networks.ntk import backpropagation_matrix, inner_product, ntk
from symbolic.networks.unrolled import check_chain_rule, check_ntk_formula, check_ntk_induction
from theorems.engine import Discrepancy, Obligations, Provenance, claim, integers, reals
from theorems.engine.domain import Domain
from theorems.eoc_mlp.exact_networks import EXAMPLES
from theorems.eoc_mlp.samples import networks

_GIVEN: dict[str, Domain] = {"l": integers(2), "m": integers(1), "a": reals(), "b": reals()}
_SMOOTH = "no preactivation vanishes, or b = 0, or a vanishing one has the derivative a"
_NOTE = "proofs_notes/eoc_networks.md"


REMARK_3 = claim(
    "eoc.rem3",
    at="Remark 3",
    title="Relation to the NTK parameterization and to μP",
    states=(
        r"q_1 = \dots = q_l = 0: \text{NTP}, \qquad"
        r" q_1 = \dots = q_l = 1, \ \gamma_1 = \dots = \gamma_{l-1} = 1: \mu\text{P}"
    ),
    given={"m": integers(1)},
    assuming=("the factor of the NTP's first layer that depends on m_0 only is a scaling of x",),
    note=f"{_NOTE}#scalings",
)
REMARK_3.cited(
    "Yang and Hu (2021), Table 1",
    why="the two parameterizations are defined there; the check below has their exponents",
    part="definitions",
)


@REMARK_3.proved(
    controls={
        "half_way": {"rich": sp.Rational(1, 2)},
        "wide_layers": {"gamma": 2},
        "rich_is_no_ntp": {"kernel": 1},
    }
)
def multipliers_and_deviations(rich: Any = 1, kernel: Any = 0, gamma: int = 1) -> Obligations:
    """First, hidden and last layers are n^(-a_k) times matrices of deviation σ n^(-b_k), n = m."""
    half, sigma = sp.Rational(1, 2), sp.Symbol("sigma", positive=True)
    tables = {
        "NTP": (kernel, 1, {"first": 0, "hidden": half, "last": half}, 0),
        "μP": (rich, gamma, {"first": -half, "hidden": 0, "last": half}, half),
    }
    for name, (q, wide, exponents, deviation) in tables.items():
        m = sp.Symbol("m", positive=True)
        width = 1 / sp.sqrt(wide * m)
        ours = {"first": m ** (q * half), "hidden": m ** (q * half) * width, "last": width}
        for layer, exponent in exponents.items():
            yield f"{name}: multiplier, {layer}", equal(ours[layer], m**-exponent)
        yield f"{name}: deviation", equal(sigma * m ** (-q * half), sigma * m**-deviation)


EQUATION_1 = claim(
    "eoc.eq1",
    at="(1) and the formula before it",
    title="The Jacobian recursion",
    states=(
        r"\begin{aligned} \partial N_k &= m^{q_k/2}\bigl[A_k D_{x'_k}\,\partial N_{k-1}"
        r" \quad M_{x_k, m_k}\bigr], \quad k < l, \\"
        r" \partial N &= \bigl[A_l D_{x'_l}\,\partial N_{l-1} \quad M_{x_l, m_l}\bigr]"
        r" \end{aligned}"
    ),
    given=_GIVEN,
    assuming=(_SMOOTH,),
    rests_on=["eoc.def2", "eoc.sec2.multiplier"],
    note=f"{_NOTE}#convention-at-kinks",
)


@EQUATION_1.proved(controls={"twice": {"own_layer": 2}, "forgotten": {"own_layer": 0}})
def product_rule(own_layer: int = 1) -> Obligations:
    """The linear part of A x_k in letters that do not commute: matrices of every size."""
    yield from check_chain_rule(own_layer)


@EQUATION_1.proved(controls={"scaled_output": {"scaled_output": True}})
def letters_for_slopes(scaled_output: bool = False) -> Obligations:
    """All sign patterns at once: phi' and all entries are letters, and SymPy differentiates."""
    for widths in ((1, 1, 1), (2, 3, 2), (1, 2, 1, 2)):
        piece, x = _generic_piece(widths)
        factor = piece.scale(piece.depth) if scaled_output else 1
        difference = differentiated_jacobian(piece, x) - factor * recursive_jacobian(piece, x)
        yield f"widths {widths}", bool(difference.applyfunc(sp.expand).is_zero_matrix)


def _generic_piece(widths: tuple[int, ...]) -> tuple[LinearPiece, list[Any]]:
    def entry(k: int, i: int, j: int) -> Any:
        return sp.Symbol(f"A{k}_{i}_{j}", real=True)

    layers = [
        [[entry(k, i, j) for j in range(columns)] for i in range(rows)]
        for k, (columns, rows) in enumerate(pairwise(widths), start=1)
    ]
    q = tuple(sp.Symbol(f"q{k}", real=True) for k in range(1, len(widths)))
    x = [sp.Symbol(f"x{i}", real=True) for i in range(widths[0])]
    return LinearPiece(layers, a=1, b=1, q=q, m=3), x


@EQUATION_1.proved(controls={"scaled_output": {"scaled_output": True}})
def exact_networks(scaled_output: bool = False) -> Obligations:
    """SymPy differentiates as + b|s| itself, entry by entry; a dead layer is among the networks."""
    for number, (mlp, *inputs) in enumerate(EXAMPLES, start=1):
        factor = mlp.scale(mlp.depth) if scaled_output else 1
        for x in inputs:
            difference = _differentiated(mlp, x) - factor * recursive_jacobian(mlp, x)
            yield f"network {number}", bool(difference.applyfunc(sp.expand).is_zero_matrix)


KINK = claim(
    "eoc.eq1.kink",
    at="(1)",
    title="Where a preactivation vanishes the network need not be differentiable",
    states=(
        r"l = 2, \ m_0 = m_1 = m_2 = 1, \ A_1 = 0: \quad \partial_{A_1}^{\pm} N(x, \theta)"
        r" = A_2 x\,(a \pm b\operatorname{sgn} x)"
    ),
    given={"a": reals(), "b": reals()},
    assuming=("m = 1", "(1) has A_2 x a there, by the convention on the derivative at 0"),
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#convention-at-kinks",
)


@KINK.proved(controls={"smooth": {"jump": 0}})
def one_sided_derivatives(jump: int = 1) -> Obligations:
    """Difference quotients of A_2 φ(h x) from the right and from the left are constant."""
    a, b, A = sp.symbols("a b A", real=True)
    h, size = sp.symbols("h x", positive=True)
    for sign in (1, -1):
        x = sign * size
        for side in (1, -1):
            quotient = A * (a * side * h * x + b * sp.Abs(side * h * x)) / (side * h)
            claimed = A * x * (a + jump * side * b * sign)
            yield f"sign of x {sign}, side {side}", equal(quotient, claimed)


@cache
def _differentiated(mlp: ExactMLP, x: tuple[Any, ...]) -> Any:
    return differentiated_jacobian(mlp, x)


DEFINITION_5 = claim(
    "eoc.def5",
    at="Definition 5",
    title="Backpropagation matrices with the printed exponent",
    states=(
        r"B_{k_1,k_2} = \sigma D_{x'_{k_2}} m^{\frac{q_{k_2}-1}{2}} A_{k_2-1} \cdots"
        r" m^{\frac{q_{k_1}}{2}} A_{k_1} D_{x'_{k_1}} \text{ makes (2) true}"
    ),
    given=_GIVEN,
    note=f"{_NOTE}#exponent-of-definition-5",
    provenance=Provenance.EXTRACTED,
)


@DEFINITION_5.refuted(controls={"put_right": {"printed": False}, "depth_two": {"depth": 2}})
def depth_three(printed: bool = True, depth: int = 3) -> Obligations:
    """At depth 3 formula (2) with letters is another polynomial than the kernel."""
    for name, holds in check_ntk_formula([depth], printed_exponent=printed):
        yield f"(2) fails, {name}", not holds


BACKPROPAGATION = DEFINITION_5.corrected(
    "eoc.def5.corrected",
    title="Backpropagation matrices are Jacobians of activations by preactivations",
    states=(
        r"B_{k_1,k_2} = \sigma D_{x'_{k_2}} m^{\frac{q_{k_2-1}}{2}} A_{k_2-1} \cdots"
        r" m^{\frac{q_{k_1}}{2}} A_{k_1} D_{x'_{k_1}}"
        r" = \sigma\,\partial_{N_{k_1-1}} x_{k_2}"
    ),
    given=_GIVEN,
    assuming=(_SMOOTH,),
    rests_on=["eoc.def2"],
    note=f"{_NOTE}#exponent-of-definition-5",
)


@BACKPROPAGATION.proved(controls={"one_layer_more": {"exponent": 1}, "no_sigma": {"sigma": False}})
def differentiate_activations(exponent: int = 0, sigma: bool = True) -> Obligations:
    """Move x = N_1 of networks whose first layer is the identity, and differentiate x_3, x_4."""
    h = sp.Symbol("h", real=True)
    for number, mlp in enumerate(_headless(), start=1):
        x = [sp.Rational(3 + i, 2 + i) * (-1) ** i for i in range(mlp.widths[0])]
        for k in range(2, mlp.depth + 1):
            columns = [
                mlp.activation([*x[:i], x[i] + h, *x[i + 1 :]], k).diff(h).subs(h, 0).doit()
                for i in range(len(x))
            ]
            factor = (mlp.sigma if sigma else 1) * mlp.scale(2) ** exponent
            claimed = backpropagation_matrix(mlp, x, 2, k)
            yield (
                f"network {number}, B_(2,{k})",
                equal(factor * sp.Matrix.hstack(*columns), claimed),
            )


def _headless() -> Iterator[ExactMLP]:
    yield ExactMLP([[[1]], [[2], [-1]], [[1, 3]], [[1]]], a=1, b=2, q=(0, 1, 2, 1), m=2)
    yield ExactMLP([sp.eye(2), [[1, 2], [2, -1]], [[1, 1]]], a=0, b=-3, q=(0, 2, 1), m=2)


PROP_6 = claim(
    "eoc.prop6",
    at="Proposition 6, (2)",
    title="Formula for the NTK",
    states=(
        r"K_\theta(x_1, x_2) = \sigma^{-2}\sum_{k=1}^{l-1} m^{q_k} X_k(x_1, x_2)\,"
        r"A_l B_{k+1,l}(x_1) B_{k+1,l}(x_2)^* A_l^* + X_l(x_1, x_2)\,\mathcal{I}_{m_l}"
    ),
    given=_GIVEN,
    assuming=(_SMOOTH, "B has the exponents of the corrected Definition 5"),
    rests_on=[EQUATION_1, BACKPROPAGATION, "eoc.sec2.multiplier"],
    note=f"{_NOTE}#kernel-by-recursion",
)


@PROP_6.proved(controls={"sigma": {"sigma_power": -1}})
def induction_step(sigma_power: int = -2) -> Obligations:
    """From layer k to layer k + 1 for a generic summand: every depth and every size."""
    yield from check_ntk_induction(sigma_power)


@PROP_6.proved(
    controls={
        "sigma": {"sigma_power": -1},
        "first_index_less": {"shift": -1},
        "first_index_more": {"shift": 1},
        "printed_exponent": {"printed_exponent": True},
    }
)
def unrolled(**disputed: Any) -> Obligations:
    """The recursion of the kernels, unrolled at depths 2 to 7, is (2) as a polynomial."""
    yield from check_ntk_formula(**disputed)


@PROP_6.proved(
    controls={"one_per_cent": {"factor": sp.Rational(101, 100)}, "twice_last": {"last": 2}}
)
def product_of_exact_jacobians(factor: Any = 1, last: int = 1) -> Obligations:
    """J(x_1) J(x_2)^*, differentiated by SymPy, against (2) in exact arithmetic."""
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        product = _differentiated(mlp, x1) * _differentiated(mlp, x2).T
        own = inner_product(mlp, x1, x2, mlp.depth) * sp.eye(mlp.widths[-1])
        claimed = factor * (ntk(mlp, x1, x2) + (last - 1) * own)
        difference = (product - claimed).applyfunc(sp.expand)
        yield f"network {number}", bool(difference.is_zero_matrix)


@PROP_6.tested(over=networks, controls={"one_in_a_million": {"factor": 1 + 1e-6}}, cases=60)
def product_of_float_jacobians(state: ForwardPass, factor: float = 1.0) -> Discrepancy:
    """The same in floats for sampled networks up to depth 5 and width 8."""
    formula = factor * float_ntk(state)
    J, largest = jacobian(state), _majorant(state)
    error = float(np.max(np.abs(ntk_from_jacobian(J) - formula)))
    # An entry is a sum of products; with absolute values in place of all factors it is at most
    # `largest`. On either road it takes a sum over P entries, or one over each width, and two
    # roundings more for each of at most 2 l factors.
    roundings = J.shape[-1] + sum(state.mlp.widths) + 4 * state.mlp.depth
    return Discrepancy(error, 2 * roundings * 2.0**-53 * largest)


def _majorant(state: ForwardPass) -> float:
    """The largest entry of the kernel of the network of absolute values."""
    mlp, theta = state.mlp, state.parameters
    steepest = MLP(mlp.widths, abs(mlp.a) + abs(mlp.b), 0.0, mlp.q, mlp.m)
    sizes = Parameters([np.abs(A) for A in theta.matrices])
    return float(np.max(float_ntk(forward_pass(steepest, sizes, np.abs(state.activation(1))))))


ADJOINT = claim(
    "eoc.def4.adjoint",
    at="Definition 4",
    title="Exchanging the inputs takes the adjoint; a single value need not be symmetric",
    states=r"K_\theta(x_2, x_1) = K_\theta(x_1, x_2)^*",
    given=_GIVEN,
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#a-net-for-nonsymmetric-matrices",
)


@ADJOINT.proved(controls={"symmetric": {"adjoint": False}})
def exchange(adjoint: bool = True) -> Obligations:
    """(J_1 J_2^*)^* = J_2 J_1^* in letters of any size, and for the exact networks."""
    rows, columns = sp.symbols("r c", integer=True, positive=True)
    first, second = (sp.MatrixSymbol(f"J{i}", rows, columns) for i in (1, 2))
    product = first * second.T
    yield "letters", bool(sp.simplify(product.T if adjoint else product) == second * first.T)
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        there = ntk(mlp, x1, x2)
        yield f"network {number}", equal(there.T if adjoint else there, ntk(mlp, x2, x1))
