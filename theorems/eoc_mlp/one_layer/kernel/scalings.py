"""Remark 8 with Equation (3): equal scaling coefficients, and the two regimes between them."""

from typing import Any

from sympy import Integer, Rational, Symbol, sympify

from symbolic.equality import equal
from symbolic.networks.mlp import ExactMLP
from symbolic.networks.ntk import ntk
from theorems.engine import Given, Obligations, Provenance, Severity, eq, iff, integers, sentence
from theorems.engine.rules import Theorem, facts
from theorems.eoc_mlp.hypotheses import DERIVATIVE_AT_ZERO, EQUAL_SCALINGS, NOT_BOTH_ZERO
from theorems.eoc_mlp.letters import claim, m, q_k, q_l
from theorems.eoc_mlp.sampling.exact_networks import EXAMPLES

_SCALINGS = "proofs_notes/eoc_networks.md#scalings"


REMARK_8 = claim(
    "eoc.rem8",
    at="Remark 8; Equation (3)",
    title="Equal scalings are the only ones without vanishing or exploding terms",
    # For every k: the powers are 1 if and only if (3) holds.
    states=iff(eq(m ** (q_k - q_l), 1), eq(q_k, q_l)),
    note=_SCALINGS,
)


@REMARK_8.refuted(severity=Severity.EDGE)
def width_unit_one() -> dict[Any, Any]:
    """At m = 1 the scalings 1 and 0 of two layers give 1^(1 - 0) = 1 as well."""
    return {m: 1, q_k: 1, q_l: 0}


ONLY_EQUAL = REMARK_8.corrected(
    "eoc.rem8.corrected",
    title="Equal scalings are the only ones, if m is at least 2",
    states=REMARK_8.parts,
    given={m: integers(2)},
    note=_SCALINGS,
)


@ONLY_EQUAL.proved()
def logarithm_of_the_power(given: Given) -> Theorem:
    """log m^d = d log m vanishes only at d = 0, as log m > 0."""
    power, over = m ** (q_k - q_l), given.domain
    numbers = {m: over[m]}
    return given.follows(
        facts.logarithm_of_power(m, q_k - q_l, over=over),
        facts.logarithm_increases(1, m, over=numbers),
        facts.logarithm_increases(1, power, over=over),
        facts.logarithm_increases(power, 1, over=over),
    )


SAME = claim(
    "eoc.rem8.same",
    at="Remark 8; after Theorem 1",
    title="Kernel and rich regime have the same NTK at initialisation",
    states=sentence(
        r"A_k = $m^{-$q/$two}G_k \implies K_\theta(x_1, x_2) \text{ is a function of }"
        r" G_1, \dots, G_l \text{ that does not depend on } $q",
        two=2,
    ),
    assuming=[EQUAL_SCALINGS, DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    rests_on=["eoc.prop6"],
    note=_SCALINGS,
)


@SAME.argued(
    bridge="The scalings and matrices enter (2) through these products alone.",
    uses=[EQUAL_SCALINGS, DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    over={m: integers(1)},
)
def powers_cancel(two: Any) -> Obligations:
    """m^(q_k/2) A_k = G_k in all activations and B, and m^q_k A_l ⊗ A_l = G_l ⊗ G_l."""
    unit, scaling, G = Symbol("m", positive=True), Symbol("q", real=True), Symbol("G", real=True)
    A = unit ** (-scaling / sympify(two)) * G
    yield "layers below the last", equal(unit ** (scaling / 2) * A, G)
    yield "last layer", equal(unit**scaling * A**2, G**2)


@SAME.argued(
    bridge="The networks are examples of any depth and width.",
    uses=[EQUAL_SCALINGS, DERIVATIVE_AT_ZERO, NOT_BOTH_ZERO],
    over={m: integers(1)},
)
def exact_networks(two: Any) -> Obligations:
    """The exact networks with all their matrices scaled, at q = 1 and 1/2 against q = 0."""
    for number, (mlp, x1, x2) in enumerate(EXAMPLES, start=1):
        plain = ntk(_scaled(mlp, Integer(0), two), x1, x2)
        for scaling in (Integer(1), Rational(1, 2)):
            kernel = ntk(_scaled(mlp, scaling, two), x1, x2)
            yield f"network {number}, q = {scaling}", equal(kernel, plain)


def _scaled(mlp: ExactMLP, scaling: Any, two: Any) -> ExactMLP:
    """The network with A_k = 4^(-q/2) G_k, m = 4 and this scaling in every layer."""
    layers = [A * Integer(4) ** (-scaling / sympify(two)) for A in mlp.layers]
    return ExactMLP(layers, mlp.a, mlp.b, [scaling] * mlp.depth, m=4)


OUTPUT = claim(
    "eoc.rem8.output",
    at="Remark 8",
    title="The network itself does depend on the regime: its output has the factor m^(-q/2)",
    states=sentence(
        r"A_k = $m^{-$q/$two}G_k \implies N(x, \theta) = $m^{-$q/$divisor}\,G_l\,x_l(x)", two=2, divisor=2
    ),
    assuming=[EQUAL_SCALINGS, NOT_BOTH_ZERO],
    provenance=Provenance.DERIVED,
    note=_SCALINGS,
)


@OUTPUT.argued(
    bridge="The networks are examples of any depth and width.",
    uses=[EQUAL_SCALINGS, NOT_BOTH_ZERO],
    over={m: integers(1)},
)
def outputs_of_exact_networks(two: Any, divisor: Any) -> Obligations:
    """Outputs of the exact networks at q = 1, 1/2 against q = 0; one layer carries the factor."""
    for number, (mlp, x1, _) in enumerate(EXAMPLES, start=1):
        plain = _scaled(mlp, Integer(0), two).output(x1)
        for scaling in (Integer(1), Rational(1, 2)):
            factor = Integer(4) ** (-scaling / sympify(divisor))
            output = _scaled(mlp, scaling, two).output(x1)
            yield f"network {number}, q = {scaling}", equal(output, factor * plain)
