"""Section 3.2: backpropagation matrices, and formula (2) for the tangent kernel."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from sympy import Rational, Symbol

from numeric.networks.forward_pass import ForwardPass, forward_pass
from numeric.networks.jacobian import jacobian, ntk_from_jacobian
from numeric.networks.mlp import MLP, Parameters
from numeric.networks.ntk import ntk as float_ntk
from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import inner_product, ntk
from symbolic.networks.unrolled import check_ntk_formula, check_ntk_induction
from theorems.engine import (
    Choice,
    Discrepancy,
    Given,
    Obligations,
    Provenance,
    Severity,
    claims_in,
    eq,
    integers,
    sentence,
)
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.exact_networks import EXAMPLES
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import (
    LETTERS,
    a,
    b,
    kernel_entry,
    l,
    m,
    output_1,
    output_2,
    x1,
    x2,
)
from theorems.eoc_mlp.network import differentiated
from theorems.eoc_mlp.samples import networks

claim = claims_in(LETTERS)
_NOTE = "proofs_notes/eoc_networks.md"
_SIZES = {l: integers(2), m: integers(1)}


def _product_of_layers(exponent: Choice, ending: str, **slots: Any) -> Any:
    """Definition 5 with this exponent of m in front of the last matrix."""
    return sentence(
        r"B_{k_1,k_2} = \sigma D_{x'_{k_2}} m^{$exponent} A_{k_2-1} \cdots"
        r" m^{q_{k_1}/$two} A_{k_1} D_{x'_{k_1}} " + ending,
        exponent=exponent,
        two=2,
        **slots,
    )


_PRINTED, _PREVIOUS = Choice(r"(q_{k_2} - 1)/2", True), Choice(r"q_{k_2-1}/2", False)

DEFINITION_5 = claim(
    "eoc.def5",
    at="Definition 5",
    title="Backpropagation matrices with the printed exponent",
    states=_product_of_layers(_PRINTED, r"\text{ makes the formula for the NTK true}"),
    note=f"{_NOTE}#exponent-of-definition-5",
    provenance=Provenance.EXTRACTED,
)


@DEFINITION_5.refuted(severity=Severity.SLIP, controls={"put_right": {"exponent": _PREVIOUS}})
def depth_three(exponent: Any) -> Obligations:
    """At depth 3 formula (2) with letters is another polynomial than the kernel."""
    for name, holds in check_ntk_formula([3], printed_exponent=exponent):
        yield f"(2) fails, {name}", not holds


_SCALED, _NOT_SCALED = Choice(r"\sigma\,", 1), Choice("", 0)

BACKPROPAGATION = DEFINITION_5.corrected(
    "eoc.def5.corrected",
    title="Backpropagation matrices are Jacobians of activations by preactivations",
    states=_product_of_layers(
        _PREVIOUS,
        r"= $factor\partial_{N_{k_1-1}} x_{k_2}",
        factor=_SCALED,
    ),
    given=[a, b],
    assuming=[DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    rests_on=["eoc.def2"],
    note=f"{_NOTE}#exponent-of-definition-5",
)


@BACKPROPAGATION.argued(
    bridge="The chain rule adds the same factors in every layer, for networks of any size.",
    uses=[DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    controls={"as_printed": {"exponent": _PRINTED}, "no_sigma": {"factor": _NOT_SCALED}},
)
def differentiate_activations(exponent: Any, two: Any, factor: Any) -> Obligations:
    """Move x = N_1 of networks whose first layer is the identity, and differentiate x_3, x_4."""
    h = Symbol("h", real=True)
    for number, mlp in enumerate(_headless(), start=1):
        x = [Rational(3 + i, 2 + i) * (-1) ** i for i in range(mlp.widths[0])]
        for k in range(2, mlp.depth + 1):
            columns = [
                mlp.activation([*x[:i], x[i] + h, *x[i + 1 :]], k).diff(h).subs(h, 0).doit()
                for i in range(len(x))
            ]
            moved = mlp.sigma**factor * sp.Matrix.hstack(*columns)
            yield f"network {number}, B_(2,{k})", equal(moved, _stated(mlp, x, k, exponent, two))


def _stated(mlp: ExactMLP, x: Any, last: int, printed: bool, two: Any) -> Any:
    """B_(2,last) as the sentence says it; (q - 1)/2 of the layer itself if ``printed``."""
    found = mlp.sigma * sp.diag(*mlp.derivative(x, 2))
    for k in range(2, last):
        exponent = mlp.q[k - 1] / sp.sympify(two)
        if printed and k == last - 1:
            exponent = (mlp.q[k] - 1) / 2
        scale = sp.Integer(mlp.m) ** exponent
        found = scale * sp.diag(*mlp.derivative(x, k + 1)) * mlp.layer(k) * found
    return found


def _headless() -> Iterator[ExactMLP]:
    yield ExactMLP([[[1]], [[2], [-1]], [[1, 3]], [[1]]], a=1, b=2, q=(0, 1, 2, 1), m=2)
    yield ExactMLP([sp.eye(2), [[1, 2], [2, -1]], [[1, 1]]], a=0, b=-3, q=(0, 2, 1), m=2)


def _own(number: str) -> str:
    return rf"{number}X_l(x_1, x_2)\,\mathcal{{I}}_{{m_l}}"


PROP_6 = claim(
    "eoc.prop6",
    at="Proposition 6, (2)",
    # B has the exponents of the corrected Definition 5.
    title="Formula for the NTK",
    states=sentence(
        r"K_\theta(x_1, x_2) = \sigma^{$power}\sum_{k \in [1:$l-1]} $m^{q_k} X_k(x_1, x_2)\,"
        r"A_l B_{k+$after,l}(x_1) B_{k+$after,l}(x_2)^* A_l^* + $own",
        power=-2,
        after=1,
        own=Choice(_own(""), 1),
    ),
    given=[l, m, a, b],
    assuming=[DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    rests_on=["eoc.eq1", BACKPROPAGATION, "eoc.sec2.multiplier"],
    note=f"{_NOTE}#kernel-by-recursion",
)
_USED = [DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO]
_LETTERS = "Polynomials in letters that do not commute agree for matrices of every size."


@PROP_6.argued(
    bridge=f"{_LETTERS} By (1) the kernel of a layer is made of that below.",
    uses=_USED,
    over=_SIZES,
)
def induction_step(power: Any) -> Obligations:
    """From layer k to layer k + 1 for a generic summand: every depth and every size."""
    yield from check_ntk_induction(power)


@PROP_6.argued(
    bridge=f"{_LETTERS} The induction step shows the other depths.", uses=_USED, over=_SIZES
)
def unrolled(power: Any, after: Any) -> Obligations:
    """The recursion of the kernels, unrolled at depths 2 to 7, is (2) as a polynomial."""
    yield from check_ntk_formula(sigma_power=power, shift=after - 1)


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
        last = inner_product(mlp, first, second, mlp.depth) * sp.eye(mlp.widths[-1])
        scale = mlp.sigma ** (sp.sympify(power) + 2)
        claimed = scale * (ntk(mlp, first, second) - last) + own * last
        difference = (product - claimed).applyfunc(sp.expand)
        yield f"network {number}", bool(difference.is_zero_matrix)


@PROP_6.tested(
    over=networks,
    controls={"one_in_a_million": {"power": Fraction(-2 * 10**6 + 1, 10**6)}},
    cases=60,
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


ADJOINT = claim(
    "eoc.def4.adjoint",
    at="Definition 4",
    title="Exchanging the inputs takes the adjoint",
    states=eq(kernel_entry(x2, x1, output_2, output_1), kernel_entry(x1, x2, output_1, output_2)),
    given=[x1, x2, output_1, output_2],
    provenance=Provenance.DERIVED,
    note=f"{_NOTE}#a-net-for-nonsymmetric-matrices",
)


@ADJOINT.proved()
def symmetric_product(given: Given) -> Theorem:
    """An entry is the inner product of the gradients of two outputs, one at each input."""
    return given.follows(goal=unfolded(given.goal))


@ADJOINT.argued(bridge="The networks are examples of any depth and width.")
def formula_two(given: Given) -> Obligations:
    """Formula (2) agrees for the exact networks, at all pairs of outputs."""
    there, back = (one.args for one in given.goal.args)
    for number, (mlp, first, second) in enumerate(EXAMPLES, start=1):
        at = {x1: first, x2: second}
        kernels = [ntk(mlp, at[left], at[right]) for left, right, *_ in (there, back)]
        for one, other in np.ndindex(kernels[0].shape):
            place = {output_1: one, output_2: other}
            entries = [
                kernel[place[row], place[column]]
                for kernel, (*_, row, column) in zip(kernels, (there, back), strict=True)
            ]
            yield f"network {number}, outputs {one}, {other}", equal(*entries)
