"""Definition 5: backpropagation matrices, and the exponent with which Equation (2) is true."""

from collections.abc import Iterator
from typing import Any

from sympy import Integer, Matrix, Rational, Symbol, diag, eye, sympify

from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from theorems.engine import Choice, Obligations, Provenance, Severity, half_line, integers, sentence
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import SIGMA, claim
from theorems.eoc_mlp.letters.backpropagation import B_between, diagonal_of, layer_slopes
from theorems.eoc_mlp.letters.network import k1, k2, layer_matrices, m, scalings
from theorems.eoc_mlp.one_layer.kernel.unrolled import check_ntk_formula

_NOTE = "proofs_notes/eoc_networks.md"


def _product_of_layers(exponent: Choice, ending: str, **slots: Any) -> Any:
    """Definition 5 with this exponent of m in front of the last matrix."""
    return sentence(
        r"$B_between = $sigma {$diagonal_of}_{{$layer_slopes}_{$k2}} {$m}^{$exponent}"
        r" {$layer_matrices}_{$k2-1} \cdots {$m}^{{$scalings}_{$k1}/$two} {$layer_matrices}_{$k1}"
        r" {$diagonal_of}_{{$layer_slopes}_{$k1}} " + ending,
        exponent=exponent,
        two=2,
        **slots,
    )


_LETTERS = (*(B_between, SIGMA, diagonal_of, layer_slopes, m, scalings, layer_matrices), *(k1, k2))
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
        _PREVIOUS, r"= $factor\partial_{{$preactivations}_{$k1-1}} {$layer_inputs}_{$k2}", factor=_SCALED
    ),
    assuming=[DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    rests_on=["eoc.def2"],
    note=f"{_NOTE}#exponent-of-definition-5",
)


#: For which the evidence is written.
_RANGES = {SIGMA: half_line(0, closed=False), **dict.fromkeys((m, k1, k2), integers(1))}


@BACKPROPAGATION.argued(
    bridge="The chain rule adds the same factors in every layer, for networks of any size.",
    uses=[DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    controls={"as_printed": {"exponent": _PRINTED}, "no_sigma": {"factor": _NOT_SCALED}},
    over=_RANGES,
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
            moved = mlp.sigma**factor * Matrix.hstack(*columns)
            yield f"network {number}, B_(2,{k})", equal(moved, _stated(mlp, x, k, exponent, two))


def _stated(mlp: ExactMLP, x: Any, last: int, printed: bool, two: Any) -> Any:
    """B_(2,last) as the sentence says it; (q - 1)/2 of the layer itself if ``printed``."""
    found = mlp.sigma * diag(*mlp.derivative(x, 2))
    for k in range(2, last):
        exponent = mlp.q[k - 1] / sympify(two)
        if printed and k == last - 1:
            exponent = (mlp.q[k] - 1) / 2
        scale = Integer(mlp.m) ** exponent
        found = scale * diag(*mlp.derivative(x, k + 1)) * mlp.layer(k) * found
    return found


def _headless() -> Iterator[ExactMLP]:
    yield ExactMLP([[[1]], [[2], [-1]], [[1, 3]], [[1]]], a=1, b=2, q=(0, 1, 2, 1), m=2)
    yield ExactMLP([eye(2), [[1, 2], [2, -1]], [[1, 1]]], a=0, b=-3, q=(0, 2, 1), m=2)
