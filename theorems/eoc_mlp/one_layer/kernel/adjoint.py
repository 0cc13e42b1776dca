"""Definition 4: the tangent kernel, and what exchanging the inputs does to it."""

import numpy as np
from sympy import Expr

from symbolic.equality import equal
from symbolic.networks.ntk import ntk
from theorems.engine import Given, Obligations, Provenance, eq
from theorems.engine.rules import Theorem
from theorems.engine.statements.values import unfolded
from theorems.eoc_mlp.letters import claim, kernel_entry, output_1, output_2, x1, x2
from theorems.eoc_mlp.sampling.exact_networks import EXAMPLES

ADJOINT = claim(
    "eoc.def4.adjoint",
    at="Definition 4",
    title="Exchanging the inputs takes the adjoint",
    states=eq(kernel_entry(x2, x1, output_2, output_1), kernel_entry(x1, x2, output_1, output_2)),
    provenance=Provenance.DERIVED,
    note="proofs_notes/eoc_networks.md#a-net-for-nonsymmetric-matrices",
)


@ADJOINT.proved()
def symmetric_product(given: Given) -> Theorem:
    """An entry is the inner product of the gradients of two outputs, one at each input."""
    return given.follows(goal=unfolded(given.goal))


@ADJOINT.argued(bridge="The networks are examples of any depth and width.")
def formula_two(given: Given) -> Obligations:
    """Formula (2) agrees for the exact networks, at all pairs of outputs."""
    for number, (mlp, first, second) in enumerate(EXAMPLES, start=1):
        at = {x1: first, x2: second}
        kernels = {(one, other): ntk(mlp, at[one], at[other]) for one in at for other in at}
        for outputs in np.ndindex(kernels[x1, x2].shape):
            place = dict(zip((output_1, output_2), outputs, strict=True))

            def entry(one: Expr, other: Expr, row: Expr, column: Expr) -> Expr:
                return kernels[one, other][place[row], place[column]]  # noqa: B023 - used at once

            sides = [side.replace(kernel_entry, entry) for side in given.goal.args]
            yield f"network {number}, outputs {outputs}", equal(*sides)
