"""Proposition 6 with Equation (2): the tangent kernel as a sum over the layers."""

from fractions import Fraction
from typing import Any

import numpy as np
from sympy import expand, eye, sympify

from numeric.networks.forward_pass import ForwardPass, forward_pass
from numeric.networks.jacobian import jacobian, ntk_from_jacobian
from numeric.networks.mlp import MLP, Parameters
from numeric.networks.ntk import ntk as float_ntk
from symbolic.networks.ntk import inner_product, ntk
from theorems.engine import Choice, Discrepancy, Obligations, integers, sentence
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import claim, l, m
from theorems.eoc_mlp.network.jacobian import differentiated
from theorems.eoc_mlp.one_layer.kernel.unrolled import check_ntk_formula, check_ntk_induction
from theorems.eoc_mlp.sampling.exact_networks import EXAMPLES
from theorems.eoc_mlp.sampling.networks import networks

_SIZES = {l: integers(2), m: integers(1)}


def _own(number: str) -> str:
    return rf"{number}X_l(x_1, x_2)\,\mathcal{{I}}_{{m_l}}"


PROP_6 = claim(
    "eoc.prop6",
    at="Proposition 6; Equation (2)",
    # B has the exponents of the corrected Definition 5.
    title="Formula for the NTK",
    states=sentence(
        r"K_\theta(x_1, x_2) = \sigma^{$power}\sum_{k \in [1:$l-1]} $m^{q_k} X_k(x_1, x_2)\,"
        r"A_l B_{k+$after_first,l}(x_1) B_{k+$after_second,l}(x_2)^* A_l^* + $own",
        power=-2,
        after_first=1,
        after_second=1,
        own=Choice(_own(""), 1),
    ),
    assuming=[DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    rests_on=["eoc.eq1", "eoc.def5.corrected", "eoc.sec2.multiplier"],
    note="proofs_notes/eoc_networks.md#kernel-by-recursion",
)
_USED = [DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO]
_LETTERS = "Polynomials in letters that do not commute agree for matrices of every size."


@PROP_6.argued(
    bridge=f"{_LETTERS} By (1) the kernel of a layer is made of that below.", uses=_USED, over=_SIZES
)
def induction_step(power: Any) -> Obligations:
    """From layer k to layer k + 1 for a generic summand: every depth and every size."""
    yield from check_ntk_induction(power)


@PROP_6.argued(bridge=f"{_LETTERS} The induction step shows the other depths.", uses=_USED, over=_SIZES)
def unrolled(power: Any, after_first: Any, after_second: Any) -> Obligations:
    """The recursion of the kernels, unrolled at depths 2 to 7, is (2) as a polynomial."""
    yield from check_ntk_formula(sigma_power=power, after=(after_first, after_second))


@PROP_6.argued(
    bridge="The networks are examples of any depth and width, a dead layer among them.",
    controls={"twice_last": {"own": Choice(_own("2"), 2)}},
    uses=_USED,
    over=_SIZES,
)
def product_of_exact_jacobians(power: Any, own: Any) -> Obligations:
    """J(x_1) J(x_2)^*, differentiated by SymPy, against (2) in exact arithmetic."""
    for number, (mlp, first, second) in enumerate(EXAMPLES, start=1):
        product = differentiated(mlp, first) * differentiated(mlp, second).T
        last = inner_product(mlp, first, second, mlp.depth) * eye(mlp.widths[-1])
        scale = mlp.sigma ** (sympify(power) + 2)
        claimed = scale * (ntk(mlp, first, second) - last) + own * last
        difference = (product - claimed).applyfunc(expand)
        yield f"network {number}", bool(difference.is_zero_matrix)


@PROP_6.tested(
    over=networks, controls={"one_in_a_million": {"power": Fraction(-2 * 10**6 + 1, 10**6)}}, cases=60
)
def product_of_float_jacobians(state: ForwardPass, power: Any) -> Discrepancy:
    """The same in floats for sampled networks up to depth 5 and width 8."""
    kernel = float_ntk(state)
    last = np.eye(state.mlp.widths[-1]) * state.inner_products(state.mlp.depth)[..., None, None]
    formula = float(state.mlp.sigma) ** float(power + 2) * (kernel - last) + last
    J, largest = jacobian(state), _majorant(state)
    error = float(np.max(np.abs(ntk_from_jacobian(J) - formula)))
    # An entry is a sum of products; with absolute values in place of all factors it is at most
    # `largest`. On either road it takes a sum over P entries, or one over each width, and two
    # roundings more for each of at most 2 l factors; the last term leaves and returns.
    roundings = J.shape[-1] + sum(state.mlp.widths) + 4 * state.mlp.depth + 4
    return Discrepancy(error, 2 * roundings * 2.0**-53 * largest)


def _majorant(state: ForwardPass) -> float:
    """The largest entry of the kernel of the network of absolute values."""
    mlp, theta = state.mlp, state.parameters
    steepest = MLP(mlp.widths, abs(mlp.a) + abs(mlp.b), 0.0, mlp.q, mlp.m)
    sizes = Parameters([np.abs(A) for A in theta.matrices])
    return float(np.max(float_ntk(forward_pass(steepest, sizes, np.abs(state.activation(1))))))
